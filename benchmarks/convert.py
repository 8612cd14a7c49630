"""Source conversion measured on network definitions that nobody here wrote.

Converts the files of pytorchcv and vit-pytorch, imports the results under agar, builds the same
network on both sides, and checks it part by part with the original's weights::

    python benchmarks/convert.py                      # everything, a table
    python benchmarks/convert.py --only 'resnet|vgg'  # some files
    python benchmarks/convert.py --oracle PYTHON      # also run with MindSpore in this Python

The packages are looked for in ~/.cache/agar/nets (or --nets).
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import traceback
import types
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

SEED = 5
TOLERANCE = 1e-4
#: networks of vit-pytorch: file, class, arguments, shape of the input
VITS: list[tuple[str, str, dict[str, Any], tuple[int, ...]]] = [
    ("vit", "ViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
    ("simple_vit", "SimpleViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
    ("deepvit", "DeepViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
    ("cait", "CaiT", {"heads": 4, "mlp_dim": 64, "depth": 2, "cls_depth": 1}, (2, 3, 32, 32)),
    ("vit_for_small_dataset", "ViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
    ("parallel_vit", "ViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
    ("vit_with_patch_merger", "ViT", {"heads": 4, "mlp_dim": 64, "depth": 4}, (2, 3, 32, 32)),
    ("simple_vit_with_register_tokens", "SimpleViT", {"heads": 4, "mlp_dim": 64, "depth": 2},
     (2, 3, 32, 32)),
    ("simple_vit_with_qk_norm", "SimpleViT", {"heads": 4, "mlp_dim": 64, "depth": 2},
     (2, 3, 32, 32)),
    ("learnable_memory_vit", "ViT", {"heads": 4, "mlp_dim": 64, "depth": 2}, (2, 3, 32, 32)),
]  # fmt: skip
VIT_COMMON = {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32}


@dataclass
class Row:
    """One file's line of the table."""

    file: str
    calls: int = 0
    by_hand: int = 0
    imports: bool = False
    network: str = ""
    passed: bool = False
    verified: float = 0.0
    error: float | None = None
    oracle: float | None = None
    seconds: float = 0.0
    problem: str = ""


@dataclass
class Network:
    """How a file's first network is built."""

    module: str
    function: str
    arguments: dict[str, Any]
    shapes: list[tuple[int, ...]]


def first_network(path: Path) -> Network:
    """The first network that a file of pytorchcv tests, and the shape of its input."""
    tree = ast.parse(path.read_text("utf-8"))
    test = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "_test")
    values: dict[str, Any] = {"batch": 1, "batch_size": 1}
    names = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    models: Any = None
    for node in test.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0].id
            if target == "models" and isinstance(node.value, (ast.List, ast.Tuple)):
                models = node.value.elts
            else:
                with contextlib.suppress(ValueError):
                    values[target] = ast.literal_eval(node.value)
    if not models:
        raise LookupError("its test lists no models")
    loop = next(n for n in test.body if isinstance(n, ast.For))
    chosen: Any = models[0]
    function = chosen.id if isinstance(chosen, ast.Name) else chosen.elts[0].id
    if isinstance(chosen, ast.Tuple) and isinstance(loop.target, ast.Tuple):
        for name, element in zip(loop.target.elts[1:], chosen.elts[1:], strict=True):
            values[name.id] = ast.literal_eval(element)  # type: ignore[attr-defined]
    arguments: dict[str, Any] = {}
    shapes: list[tuple[int, ...]] = []
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with contextlib.suppress(Exception):
                code = ast.unparse(node.value)
                if "randn" not in code and "net" not in code:
                    values.setdefault(node.targets[0].id, eval(code, {}, dict(values)))
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called == "model":
            arguments = {
                k.arg: eval(ast.unparse(k.value), {}, dict(values)) for k in node.keywords if k.arg
            }
        if called in ("torch.randn", "torch.rand") and node.args:
            shape = tuple(eval(ast.unparse(a), {}, dict(values)) for a in node.args)
            shapes.append(shape[0] if isinstance(shape[0], tuple) else shape)
    if function not in names or not shapes:
        raise LookupError("its test builds no network from random inputs")
    arguments.pop("pretrained", None)
    return Network(path.stem, function, arguments, shapes[:1])


def reset(module: torch.nn.Module) -> None:
    """Values that show errors: statistics and affine weights that are not ones and zeros."""
    generator = torch.Generator().manual_seed(SEED)
    for name, value in module.state_dict().items():
        if name.endswith("running_var"):
            value.copy_(0.5 + torch.rand(value.shape, generator=generator))
        elif name.endswith("running_mean"):
            value.copy_(0.2 * torch.randn(value.shape, generator=generator))
        elif value.ndim == 1 and value.dtype == torch.float32:
            value.add_(0.1 * torch.randn(value.shape, generator=generator))


def inputs_of(network: Network) -> list[torch.Tensor]:
    """Random inputs of the network's shapes."""
    generator = torch.Generator().manual_seed(SEED)
    return [torch.randn(shape, generator=generator) for shape in network.shapes]


def compare_directly(module: torch.nn.Module, cell: Any, inputs: list[torch.Tensor]) -> Any:
    """Outputs of every pair of leaves and all gradients, in one run of each network.

    Returns:
        tuple: all equal, the share of equal leaf cells, the worst error, the first problem.
    """
    import agar as ms
    from agar.migrate import load_torch_state
    from agar.migrate.cell_matching import pair_trees, weights_of
    from agar.migrate.compare import relative_error

    load_torch_state(cell, module.state_dict(), module=module)
    pairs = [p for p in pair_trees(module, cell).pairs if p.leaf]
    outputs: dict[tuple[int, str], list[Any]] = {}
    hooks: list[Any] = []
    for i, pair in enumerate(pairs):

        def keep_original(_m: Any, _i: Any, out: Any, i: int = i) -> None:
            # layers that work in place change it later
            outputs.setdefault((i, "module"), []).extend(v.clone() for v in flat(out))

        def keep_cell(_c: Any, _i: Any, out: Any, i: int = i) -> None:
            outputs.setdefault((i, "cell"), []).extend(v.to_torch().clone() for v in flat(out))

        hooks.append(pair.module.register_forward_hook(keep_original))
        hooks.append(pair.cell.register_forward_hook(keep_cell))
    with torch.no_grad():
        expected = flat(module(*inputs))
    found = flat(cell(*[ms.from_torch(x) for x in inputs]))
    for hook in hooks:
        hook.remove()
    worst, problem, equal = 0.0, "", 0

    def differs(one: Any, other: torch.Tensor, what: str) -> bool:
        nonlocal worst, problem
        value = one.to_torch() if hasattr(one, "to_torch") else one
        error = float("inf")
        if value.shape == other.shape:
            error = relative_error(value.double(), other.double())
        worst = max(worst, error)
        if error > TOLERANCE and not problem:
            problem = f"{what}: error {error:.1e}"
        return error > TOLERANCE

    wrong = [
        i for i, (f, w) in enumerate(zip(found, expected, strict=True)) if differs(f, w, "output")
    ]
    for i, pair in enumerate(pairs):
        mine, theirs = outputs.get((i, "cell"), []), outputs.get((i, "module"), [])
        same = len(mine) == len(theirs) and not any(
            differs(f, w, pair.path) for f, w in zip(mine, theirs, strict=True)
        )
        equal += same
    outputs.clear()
    if len(found) != len(expected) or wrong:
        return False, equal / max(1, len(pairs)), worst, problem
    # gradients of a sum with random factors
    factors = [torch.randn(w.shape, generator=torch.Generator().manual_seed(7)) for w in expected]
    module.zero_grad()
    sum((o * f).sum() for o, f in zip(flat(module(*inputs)), factors, strict=True)).backward()  # type: ignore[union-attr]
    params = cell.trainable_params()

    def loss(*xs: Any) -> Any:
        outs = flat(cell(*xs))
        return sum((o * ms.from_torch(f)).sum() for o, f in zip(outs, factors, strict=True))

    _, grads = ms.value_and_grad(loss, None, params)(*[ms.from_torch(x) for x in inputs])
    by_param = {id(p): g for p, g in zip(params, grads, strict=True)}
    for pair in pair_trees(module, cell).pairs:
        own = dict(pair.module.named_parameters())
        weights = weights_of(pair)
        for name, (there, forward, _) in weights.names.items():
            tensor = weights.tensors.get(there)
            if name in own and own[name].grad is not None and id(tensor) in by_param:
                differs(
                    by_param[id(tensor)], forward(own[name].grad), f"gradient of {pair.path}.{name}"
                )
    return not problem, equal / max(1, len(pairs)), worst, problem


def flat(value: Any) -> list[Any]:
    """The tensors in a structure."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [v for part in value for v in flat(part)]
    return [] if value is None else [value]


def verify(
    row: Row,
    original: types.ModuleType,
    converted: types.ModuleType,
    network: Network,
    options: argparse.Namespace,
    folder: Path,
    paths: list[str],
) -> None:
    """Build the network on both sides, check it, and run it on the oracle where asked for."""
    from agar.migrate import check

    torch.manual_seed(SEED)
    module = getattr(original, network.function)(**network.arguments)
    cell = getattr(converted, network.function)(**network.arguments)
    reset(module)
    module.eval()
    cell.set_train(False)
    inputs = inputs_of(network)
    if options.direct:
        row.passed, row.verified, row.error, row.problem = compare_directly(module, cell, inputs)
    else:
        report = check(module, cell, tuple(inputs), sync_weights=True)
        row.passed, row.verified = report.passed, report.verified
        errors = [c.error for c in report.cells if c.error is not None]
        row.error = max(errors, default=None)
        if not report.passed:
            first = report.first_divergence
            row.problem = first.cause if first is not None else "; ".join(report.problems)[:200]
    expected = options.oracle and re.search(options.oracle_files, row.file)
    if row.passed and expected:
        row.oracle = on_oracle(
            module, cell, converted, network, inputs, options.oracle, folder, paths
        )


_RUN = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
import importlib, numpy as np, mindspore as ms
job = json.load(open(sys.argv[2]))
ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
data = np.load(job["data"])
net = getattr(importlib.import_module(job["module"]), job["function"])(**job["arguments"])
names = dict(net.parameters_and_names())
for key in data.files:
    if key.startswith("p:"):
        param = names.pop(key[2:])
        param.set_data(ms.Tensor(data[key]))
assert not names, f"parameters without a value: {sorted(names)[:5]}"
buffers = dict(net.named_buffers())
net.set_train(False)
out = net(*[ms.Tensor(data[f"x{i}"]) for i in range(job["inputs"])])
while isinstance(out, (tuple, list)):
    out = out[0]
np.save(job["result"], out.asnumpy())
"""


def on_oracle(
    module: torch.nn.Module,
    cell: Any,
    converted: types.ModuleType,
    network: Network,
    inputs: list[torch.Tensor],
    oracle: str,
    folder: Path,
    paths: list[str],
) -> float:
    """The converted file under real MindSpore, with the same weights: the largest error."""
    from agar.migrate import load_torch_state

    load_torch_state(cell, module.state_dict(), module=module)
    data = {f"p:{name}": p.asnumpy() for name, p in cell.parameters_and_names()}
    data |= {f"x{i}": x.numpy() for i, x in enumerate(inputs)}
    np.savez(folder / "data.npz", **data)
    job = {
        "module": converted.__name__,
        "function": network.function,
        "arguments": network.arguments,
        "inputs": len(inputs),
        "data": str(folder / "data.npz"),
        "result": str(folder / "out.npy"),
    }
    (folder / "job.json").write_text(json.dumps(job))
    done = subprocess.run(
        [oracle, "-c", _RUN, json.dumps(paths), str(folder / "job.json")],
        capture_output=True, text=True, env={"GLOG_v": "4", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"MindSpore: {done.stderr.strip().splitlines()[-1][:300]}")
    with torch.no_grad():
        expected: Any = module(*inputs)
    while isinstance(expected, (tuple, list)):
        expected = expected[0]
    found = np.load(folder / "out.npy")
    return float(
        np.abs(found - expected.numpy()).max() / max(1e-12, np.abs(expected.numpy()).max())
    )


def measure(
    row: Row,
    original: str,
    converted: str,
    network: Network,
    options: argparse.Namespace,
    folder: Path,
    paths: list[str],
) -> None:
    """One file: import it on both sides and verify its network."""
    started = time.perf_counter()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            there = importlib.import_module(converted)
            row.imports = True
            here = importlib.import_module(original)
            verify(row, here, there, network, options, folder, paths)
    except Exception as error:
        row.problem = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        if VERBOSE:
            traceback.print_exc()
    row.seconds = time.perf_counter() - started


VERBOSE = False


def show(rows: list[Row]) -> None:
    """The table, and its sums."""
    heads = "file", "uses", "by hand", "imports", "network", "passes", "verified", "worst error"
    print(f"| {' | '.join(heads)} | MindSpore |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for r in rows:
        error = "" if r.error is None else f"{r.error:.1e}"
        oracle = "" if r.oracle is None else f"{r.oracle:.1e}"
        answer = "yes" if r.passed else f"no: {r.problem}"
        print(
            f"| {r.file} | {r.calls} | {r.by_hand} | {'yes' if r.imports else 'no'} | {r.network} "
            f"| {answer} | {100 * r.verified:.0f} % | {error} | {oracle} |"
        )
    run = [r for r in rows if r.oracle is not None]
    agree = sum(1 for r in run if r.oracle is not None and r.oracle <= 1e-4)
    print(
        f"{len(rows)} files, {sum(r.imports for r in rows)} import, "
        f"{sum(r.passed for r in rows)} pass the check, {agree} of {len(run)} agree with MindSpore "
        f"to 1e-4; {sum(r.calls for r in rows)} uses of PyTorch, "
        f"{sum(r.by_hand for r in rows)} by hand"
    )


def main() -> int:
    """Convert, import, verify, print."""
    global VERBOSE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--nets", type=Path, default=Path.home() / ".cache/agar/nets")
    parser.add_argument("--only", default="", help="a regular expression of file names")
    parser.add_argument("--oracle", help="a Python that has MindSpore 2.10")
    parser.add_argument("--oracle-files", default="", help="a regular expression: files for it")
    parser.add_argument("--out", type=Path, help="a folder for the converted files")
    parser.add_argument(
        "--direct",
        action="store_true",
        help="compare in one run, instead of cell by cell with agar.migrate.check",
    )
    parser.add_argument("--keep", action="store_true", help="use what lies in --out")
    parser.add_argument("--json", type=Path, help="where to write the rows")
    parser.add_argument("--limit", type=int, default=1000, help="how many files at most")
    parser.add_argument("--minutes", type=float, default=600, help="start no file after that")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    VERBOSE = options.verbose
    import agar

    torch.set_num_threads(2)
    sys.path.insert(0, str(options.nets))
    agar.alias_mindspore()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = options.out or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        # the support module for einops lies beside single files
        places = [str(folder / "converted"), str(folder / "converted" / "vits")]
        sys.path[:0] = places
        jobs = [
            *cv_jobs(options.nets, folder, options.keep),
            *vit_jobs(options.nets, folder, options.keep),
        ]
        jobs.sort(key=lambda j: np.prod(j[3].shapes[0]) if j[3] is not None else 0)
        importlib.invalidate_caches()
        started = time.perf_counter()
        for row, original, converted, network in jobs:
            if options.only and not re.search(options.only, row.file):
                continue
            if len(rows) >= options.limit or time.perf_counter() - started > 60 * options.minutes:
                break
            rows.append(row)
            if network is None:
                continue
            paths = [*places, str(options.nets)]
            measure(row, original, converted, network, options, folder, paths)
            print(f"{row.file}: {row.passed} {row.error} {row.problem} ({row.seconds:.1f} s)",
                  file=sys.stderr, flush=True)  # fmt: skip
            if options.json:
                options.json.write_text(json.dumps([asdict(r) for r in rows], indent=1))
    show(rows)
    return 0


def _counts(
    package: Path, folder: Path, name: str, keep: bool, stems: list[str] | None = None
) -> dict[str, list[int]]:
    """Convert a package, or some of its files, under another name; uses and marks by file."""
    from agar.migrate import convert

    place = folder / "converted" / name
    kept = place.with_suffix(".json")
    if keep and kept.exists():
        return json.loads(kept.read_text())
    if stems is None:
        files = convert(package, place, target="mindspore").files
    else:
        files = [f for s in stems for f in convert(package / f"{s}.py", place / f"{s}.py").files]
    counts = {
        Path(f.path).relative_to(package).as_posix(): [len(f.calls), len(f.by_hand)] for f in files
    }
    kept.write_text(json.dumps(counts))
    return counts


def cv_jobs(nets: Path, folder: Path, keep: bool) -> Any:
    """Files of pytorchcv with their first networks."""
    package = nets / "pytorchcv" / "models"
    for name, counts in _counts(package, folder, "cv_models", keep).items():
        stem = Path(name).stem
        if stem in ("__init__", "model_store") or stem.startswith("_"):
            continue
        row = Row(f"pytorchcv/{name}", *counts)
        try:
            network = first_network(package / name)
        except (LookupError, StopIteration, NameError) as error:
            row.problem = str(error) or "it has no test"
            with contextlib.suppress(Exception):
                importlib.import_module(f"cv_models.{stem}")
                row.imports = True
            yield row, "", "", None
            continue
        row.network = network.function
        yield row, f"pytorchcv.models.{stem}", f"cv_models.{stem}", network


def vit_jobs(nets: Path, folder: Path, keep: bool) -> Any:
    """Files of vit-pytorch with small networks."""
    files = _counts(nets / "vit_pytorch", folder, "vits", keep, [v[0] for v in VITS])
    # its __init__ imports every model, and some of them import torchvision
    package = types.ModuleType("vit_pytorch")
    package.__path__ = [str(nets / "vit_pytorch")]
    sys.modules.setdefault("vit_pytorch", package)
    for stem, function, arguments, shape in VITS:
        row = Row(f"vit_pytorch/{stem}.py", *files[f"{stem}.py"], network=function)
        network = Network(stem, function, {**VIT_COMMON, **arguments}, [shape])
        yield row, f"vit_pytorch.{stem}", f"vits.{stem}", network


if __name__ == "__main__":
    sys.exit(main())
