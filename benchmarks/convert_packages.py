"""Whole packages of PyTorch's world, converted: how many files import, and whether networks agree.

    python benchmarks/convert_packages.py --sources FOLDER --needs FOLDER --oracle PYTHON

FOLDER of ``--sources`` holds unpacked wheels; ``--needs`` what they need beside PyTorch (``pip
install --target``). Each package is converted once, as a whole, for target ``mindspore``, and each
of its files is imported by the original (with torch), by agar under MindSpore's name, and by
MindSpore; converted packages find each other. A file counts where the original can be imported.
Networks are built from the original and from the converted source, and `agar.migrate.check`
compares them, with the original's weights.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
#: functions that a mark raises from
MARKS = ("_by_hand", "_raise", "__getattr__")
#: seconds that a file may take to be imported
LIMIT = 120
#: package: what of it is measured, as a regular expression of dotted names
PACKAGES: dict[str, str] = {
    "x_transformers": "",
    "vit_pytorch": "",
    "denoising_diffusion_pytorch": "",
    "segmentation_models_pytorch": "",
    "dynamic_network_architectures": "",
    "pytorch_tabnet": "",
    "timm": "",
    "torchvision": r"torchvision\.(models|ops)\b",
}
#: packages that those above import; converted, and not measured
HELPERS = ("torch_einops_utils", "ema_pytorch", "hyper_connections", "pytorch_fid")


# ------------------------------------------------------------------ imports, in any Python


def import_all(side: str, names: list[str], answers: Path) -> None:
    """Import modules one after the other, and write down how each went."""
    if side == "agar":
        import agar

        agar.alias_mindspore()
    else:
        importlib.import_module(side)
    if side == "torch":
        with_torchvision()
    signal.signal(signal.SIGALRM, _too_long)
    for name in names:
        signal.alarm(LIMIT)
        told = _told(name)
        signal.alarm(0)
        with answers.open("a") as file:
            file.write(json.dumps([name, told]) + "\n")


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {LIMIT} s")


def with_torchvision() -> None:
    """Let torchvision be imported where its operators do not fit the machine."""
    import torch

    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        with contextlib.suppress(RuntimeError):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    KEPT.append(library)


#: libraries of operators, which are taken back when they are collected
KEPT: list[Any] = []


def _told(name: str) -> str:
    """How an import failed, with the line where; empty where it did not."""
    try:
        importlib.import_module(name)
    except BaseException as error:
        place, at = "", error.__traceback__
        while at is not None:
            file = at.tb_frame.f_code.co_filename
            if "importlib" not in file and at.tb_frame.f_code.co_name not in MARKS:
                place = f"{'/'.join(Path(file).parts[-3:])}:{at.tb_lineno}"
            at = at.tb_next
        said = " ".join(str(error).split())[:300]
        return f"{type(error).__name__}: {said} ({place})"
    return ""


def imports(
    side: str, python: str, names: list[str], paths: list[Path], folder: Path
) -> dict[str, str]:
    """Module: how its import failed, empty where it did not."""
    answers = folder / f"imports.{side}.json"
    answers.unlink(missing_ok=True)
    path = [str(p) for p in paths] + ([str(HERE.parents[1] / "src")] if side != "mindspore" else [])
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path), "GLOG_v": "4", "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg",
    }  # fmt: skip
    found: dict[str, str] = {}
    left = list(names)
    while left:
        arguments = json.dumps([side, left, str(answers)])
        subprocess.run(
            [python, str(HERE), "--imports", arguments], env=environment, cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        lines = answers.read_text().splitlines() if answers.exists() else []
        found = dict(json.loads(line) for line in lines)
        left = [n for n in names if n not in found]
        if left and not found:
            raise RuntimeError(f"{side} does not start: {python} {HERE} --imports")
        if left:
            found[left[0]] = "it ended the process"
            with answers.open("a") as file:
                file.write(json.dumps([left[0], found[left.pop(0)]]) + "\n")
    return found


# ------------------------------------------------------------------ the measurement


def modules_of(folder: Path, package: str) -> list[str]:
    """The dotted names of a package's files."""
    found = []
    for path in sorted((folder / package).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if all(p.isidentifier() for p in parts) and parts[-1] != "__main__":
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


def convert_package(source: Path, out: Path) -> dict[str, Any]:
    """Convert a package, unless that was done; its counts and the causes of its marks.

    What is written is imported later on both sides, so `convert` itself imports nothing.
    """
    from agar.migrate import convert
    from agar.migrate.conversion._supports import SUPPORTS, support_text

    kept = out.with_suffix(".json")
    if kept.exists():
        return json.loads(kept.read_text())
    begin = time.process_time()
    made = convert(source, target="mindspore")
    told = {
        "counts": made.counts,
        "seconds": time.process_time() - begin,
        "causes": made.causes,
        "errors": made.errors,
        "lines": sum(f.original.count("\n") for f in made.files),
    }
    for file in made.files:
        place = out / Path(file.path).relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.code)
    for module in SUPPORTS.values():
        (out / f"{module}.py").write_text(support_text(module, "mindspore"))
    kept.write_text(json.dumps(told, indent=1))
    return told


def causes(errors: dict[str, str]) -> list[tuple[str, int]]:
    """What keeps files from being imported, by the place where they end."""
    return Counter(text for text in errors.values() if text).most_common()


# ------------------------------------------------------------------ networks


class Side:
    """The modules of one side; both have the same names."""

    def __init__(self, folder: Path, needs: list[Path]) -> None:
        self.folder = folder
        self.paths = [str(folder), *map(str, needs)]
        self.modules: dict[str, Any] = {}

    def __enter__(self) -> Side:
        sys.path[:0] = self.paths
        sys.modules.update(self.modules)
        return self

    def __exit__(self, *_: object) -> None:
        del sys.path[: len(self.paths)]
        own = {p.stem for p in self.folder.iterdir()}
        for name in list(sys.modules):
            if name.partition(".")[0] in own:
                self.modules[name] = sys.modules.pop(name)


def values_of(inputs: list[Any]) -> list[Any]:
    """Random inputs of a network."""
    import torch

    generator = torch.Generator().manual_seed(5)
    return [
        torch.randn(shape, generator=generator)
        if kind == "float"
        else torch.randint(0, rest[0], shape, generator=generator)
        for kind, shape, *rest in inputs
    ]


def names_of(module: str, eye: Any) -> dict[str, Any]:
    """The names in which the expression of a network is computed."""
    names = {**vars(importlib.import_module(module)), "eye": eye}
    if module.startswith("dynamic_network_architectures"):
        package = module.partition(".")[0]
        names["helper"] = importlib.import_module(f"{package}.building_blocks.helper")
    return names


def compare(package: str, sources: Path, out: Path, needs: list[Path], answers: Path) -> None:
    """Build a package's networks on both sides, and check the converted ones."""
    import torch
    from convert_packages_networks import NETWORKS

    import agar
    from agar.migrate import check

    agar.alias_mindspore()
    with_torchvision()
    torch.set_num_threads(1)
    for name, module, code, inputs in NETWORKS[package]:
        told: dict[str, Any] = {"name": name, "passed": False}
        try:
            torch.manual_seed(5)
            with Side(sources, needs):
                net = eval(code, names_of(module, torch.eye))
            with Side(out, needs):
                cell = eval(code, names_of(module, lambda n: agar.ops.eye(n, n, agar.float32)))
                net.eval()
                cell.set_train(False)
                report = check(net, cell, tuple(values_of(inputs)), sync_weights=True)
            errors = [c.error for c in report.cells if c.error is not None]
            first = report.first_divergence
            told |= {
                "passed": report.passed,
                "verified": report.verified,
                "error": max(errors, default=None),
                "problem": "" if report.passed else first.cause if first else str(report.problems),
            }
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            said = " ".join(str(error).split())[:300]
            place = f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno}"
            told["problem"] = f"{type(error).__name__}: {said} ({place})"
        with answers.open("a") as file:
            file.write(json.dumps(told) + "\n")


def networks(
    package: str, sources: Path, out: Path, needs: list[Path], folder: Path
) -> list[dict[str, Any]]:
    """What `compare` says of each network, from a process of its own."""
    answers = folder / "networks.json"
    answers.unlink(missing_ok=True)
    arguments = [package, str(sources), str(out), [str(n) for n in needs], str(answers)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    subprocess.run(
        [sys.executable, str(HERE), "--compare", json.dumps(arguments)],
        env=environment, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return [json.loads(line) for line in answers.read_text().splitlines()]


def show_networks(package: str, rows: list[dict[str, Any]]) -> None:
    """One line of a table for each network."""
    for row in rows:
        error = row.get("error")
        print(
            f"| {package} | {row['name']} | {'yes' if row['passed'] else 'no'} "
            f"| {100 * row.get('verified', 0):.0f} "
            f"| {'' if error is None else f'{error:.1e}'} | {row.get('problem', '')} |",
            flush=True,
        )


def main() -> int:
    """Convert, import, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--imports", help=argparse.SUPPRESS)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--needs", type=Path, action="append", default=[])
    parser.add_argument("--oracle", help="a Python that has MindSpore 2.10")
    parser.add_argument("--out", type=Path, help="where the converted packages are written")
    parser.add_argument("--only", default=".", help="a regular expression of packages")
    parser.add_argument("--compare", help=argparse.SUPPRESS)
    parser.add_argument("--without", default="", help="imports or networks: leave these out")
    options = parser.parse_args()
    if options.compare:
        package, sources, out, needs, answers = json.loads(options.compare)
        compare(package, Path(sources), Path(out), [Path(n) for n in needs], Path(answers))
        return 0
    if options.imports:
        side, names, answers = json.loads(options.imports)
        import_all(side, names, Path(answers))
        return 0
    sources, out = options.sources.resolve(), options.out.resolve()
    needs = [path.resolve() for path in options.needs]
    out.mkdir(parents=True, exist_ok=True)
    chosen = [p for p in PACKAGES if re.search(options.only, p)]
    for package in (*HELPERS, *PACKAGES):
        if (sources / package).exists() and (package in chosen or package in HELPERS):
            convert_package(sources / package, out / package)
    if options.without != "imports":
        print(
            "| package | files | original | agar | MindSpore | uses | by hand | s per 1,000 lines |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for package in chosen:
            measure_imports(package, sources, out, needs, options.oracle)
    if options.without != "networks":
        print("| package | network | passes | verified % | worst error | problem |")
        print("| --- | --- | --- | ---: | ---: | --- |")
        for package in chosen:
            folder = out / f"{package}.runs"
            folder.mkdir(exist_ok=True)
            show_networks(package, networks(package, sources, out, needs, folder))
    return 0


def measure_imports(
    package: str, sources: Path, out: Path, needs: list[Path], oracle: str | None
) -> None:
    """Import a package's files on all sides, and print its line."""
    told = convert_package(sources / package, out / package)
    names = [n for n in modules_of(sources, package) if re.search(PACKAGES[package], n)]
    folder = out / f"{package}.runs"
    folder.mkdir(exist_ok=True)
    original = imports("torch", sys.executable, names, [sources, *needs], folder)
    counted = [n for n in names if not original[n]]
    there = [out, *needs]
    found = {"agar": imports("agar", sys.executable, counted, there, folder)}
    if oracle:
        found["mindspore"] = imports("mindspore", oracle, counted, there, folder)
    sums = [f"{sum(not t for t in side.values())}" for side in found.values()]
    counts = told["counts"]
    rate = told["seconds"] / told["lines"] * 1000
    print(
        f"| {package} | {len(names)} | {len(counted)} | {' | '.join(sums)} "
        f"| {counts['calls']} | {counts['by hand']} | {rate:.2f} |",
        flush=True,
    )
    for side, errors in {**found, "original": original}.items():
        for text, count in causes(errors)[:20]:
            print(f"    {side} {count}: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
