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
import select
import signal
import subprocess
import sys
import time
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
    """Import modules, each in a fork of a process that has the library already."""
    if side == "agar":
        import agar

        agar.alias_mindspore()
    else:
        importlib.import_module(side)
    if side == "torch":
        with_torchvision()
    for name in names:
        told = _in_a_fork(name)
        with answers.open("a") as file:
            file.write(json.dumps([name, told]) + "\n")


def with_torchvision() -> None:
    """Let torchvision be imported where its operators do not fit the machine."""
    import torch

    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        with contextlib.suppress(RuntimeError):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    KEPT.append(library)


KEPT: list[Any] = []


def _in_a_fork(name: str) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        told = "the module ended the process"
        try:
            told = _told(name)
        finally:
            os.write(writing, told.encode() or b"-")
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], LIMIT)
    told = os.read(reading, 65536).decode() if ready else f"more than {LIMIT} s"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    return "" if told == "-" else told or "the process that imported it ended"


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
        rest = [n for n in names if n not in found]
        if rest and len(rest) == len(left):
            raise RuntimeError(f"{side} does not start: {python} {HERE} --imports")
        left = rest
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
    """Convert a package, unless that was done; its counts and the causes of its marks."""
    from agar.migrate import convert

    kept = out.with_suffix(".json")
    if kept.exists():
        return json.loads(kept.read_text())
    begin = time.process_time()
    made = convert(source, out, target="mindspore")
    told = {
        "counts": made.counts,
        "seconds": time.process_time() - begin,
        "causes": made.causes,
        "errors": made.errors,
        "lines": sum(f.original.count("\n") for f in made.files),
    }
    kept.write_text(json.dumps(told, indent=1))
    return told


def causes(errors: dict[str, str]) -> list[tuple[str, int]]:
    """What keeps files from being imported, by the place where they end."""
    return Counter(text for text in errors.values() if text).most_common()


def main() -> int:
    """Convert, import, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--imports", help=argparse.SUPPRESS)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--needs", type=Path, action="append", default=[])
    parser.add_argument("--oracle", help="a Python that has MindSpore 2.10")
    parser.add_argument("--out", type=Path, help="where the converted packages are written")
    parser.add_argument("--only", default=".", help="a regular expression of packages")
    options = parser.parse_args()
    if options.imports:
        side, names, answers = json.loads(options.imports)
        import_all(side, names, Path(answers))
        return 0
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    chosen = [p for p in PACKAGES if re.search(options.only, p)]
    for package in (*HELPERS, *PACKAGES):
        if (options.sources / package).exists() and (package in chosen or package in HELPERS):
            convert_package(options.sources / package, out / package)
    print("| package | files | original | agar | MindSpore | uses | by hand | s per 1,000 lines |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for package in chosen:
        told = convert_package(options.sources / package, out / package)
        names = [n for n in modules_of(options.sources, package)
                 if re.search(PACKAGES[package], n)]  # fmt: skip
        folder = out / f"{package}.runs"
        folder.mkdir(exist_ok=True)
        here = [options.sources, *options.needs]
        there = [out, *options.needs]
        original = imports("torch", sys.executable, names, here, folder)
        counted = [n for n in names if not original[n]]
        found = {"agar": imports("agar", sys.executable, counted, there, folder)}
        if options.oracle:
            found["mindspore"] = imports("mindspore", options.oracle, counted, there, folder)
        sums = [f"{sum(not t for t in side.values())}" for side in found.values()]
        counts = told["counts"]
        rate = told["seconds"] / told["lines"] * 1000
        print(
            f"| {package} | {len(names)} | {len(counted)} | {' | '.join(sums)} "
            f"| {counts['calls']} | {counts['by hand']} | {rate:.2f} |",
            flush=True,
        )
        for side, errors in found.items():
            for text, count in causes(errors):
                print(f"    {side} {count}: {text}", file=sys.stderr, flush=True)
        for text, count in causes({n: original[n] for n in names})[:12]:
            print(f"    original {count}: {text}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
