"""Run what the table of rules writes on real MindSpore, and compare with PyTorch.

Three steps, the first and the last with agar's interpreter, the second with MindSpore's::

    PYTHONPATH=src:tests:tests/migrate python -m oracle.check_rules questions DIR
    cd tests && GLOG_v=4 $PYTHON -m oracle.check_rules answers DIR
    PYTHONPATH=src:tests:tests/migrate python -m oracle.check_rules report DIR [--list]

Every sample of a function, method or attribute is expanded from source text, as a conversion does
it, with float32 inputs. No test needs MindSpore: this is how templates are chosen.
"""

from __future__ import annotations

import collections
import json
import pathlib
import pickle
import re
import subprocess
import sys
import warnings
from typing import Any

import numpy as np

from .recording import has_kernel

#: Largest difference that counts as equal, relative to the largest value.
TOLERANCE = 2e-4


# ---------------------------------------------------------------- questions


def write_questions(folder: pathlib.Path) -> None:
    """Expand every sample and record what PyTorch answers."""
    import torch

    from agar.migrate.rules import rules

    cases = []
    for row in rules():
        if row.kind not in ("function", "method", "attribute") or row.original is None:
            continue
        if row.source.startswith(("torch.nn.utils.", "torch.nn.Module.", "torch.nn.init.")):
            continue  # these work on parameters, gradients and networks
        for sample in row.samples:
            try:
                case = _question(row, sample, torch.float32)
            except RuntimeError:  # a sample may mix its numbers with some of float64
                case = _question(row, sample, torch.float64)
            cases.append(case)
    (folder / "questions.pkl").write_bytes(pickle.dumps(cases))
    print(f"{len(cases)} samples of the table")


def _question(row: Any, sample: str, dtype: Any) -> dict[str, Any]:
    import rule_samples
    import torch

    from agar.migrate.rules import RuleRefused

    (call,) = rule_samples.read(sample, rule_samples.Makers(dtype))
    names: dict[str, Any] = {}
    args = [_named(a, names) for a in call.args]
    kwargs = {k: _named(a, names) for k, a in call.kwargs.items()}
    case: dict[str, Any] = {"source": row.source, "sample": sample}
    try:
        case["code"] = row.expand(args, kwargs).code
    except RuleRefused as error:
        return {**case, "refused": str(error)}
    case["inputs"] = {k: _array(v) for k, v in names.items()}
    case["shape_only"] = row.compare != "values"
    case["floats"] = [k for k, v in names.items() if getattr(v, "requires_grad", False)]
    first = call.args[0] if call.args else None
    changes = row.name.endswith("_") and isinstance(first, torch.Tensor)
    case["changed"] = "a0" if changes else None
    return {**case, **_torch_answer(row, call, case)}


def _named(value: Any, names: dict[str, Any]) -> Any:
    import torch

    from agar.migrate.rules import Unknown

    if isinstance(value, (torch.Tensor, np.ndarray, bytearray)):
        name = f"a{len(names)}"
        names[name] = value
        return Unknown(name, "Tensor" if isinstance(value, torch.Tensor) else None)
    if isinstance(value, (tuple, list)) and any(isinstance(v, torch.Tensor) for v in value):
        return [_named(v, names) for v in value]
    return value


def _array(value: Any) -> Any:
    if isinstance(value, (np.ndarray, bytearray)):
        return value
    value = value.detach().resolve_conj().resolve_neg()
    return (value.float() if "bfloat16" in str(value.dtype) else value).numpy().copy()


def _torch_answer(row: Any, call: Any, case: dict[str, Any]) -> dict[str, Any]:
    import rule_samples
    import torch

    leaves = call.tensors()
    own = [t.detach().clone().requires_grad_() for t in leaves]
    used = [t.clone() for t in own] if case["changed"] else own
    args, kwargs = rule_samples._replace([call.args, call.kwargs], iter(used), True)
    torch.manual_seed(0)
    out = rule_samples._call_original(row, args, kwargs)
    outputs = [_array(t) for t in _tensors(out, torch.Tensor)]
    answer: dict[str, Any] = {"outputs": outputs}
    if not outputs:
        out = tuple(out) if isinstance(out, torch.Size) else out
        answer["plain"] = repr(out).replace("torch.", "mindspore.")
    if case["changed"]:
        answer["left"] = _array(args[0])
    total = sum(
        ((t * torch.from_numpy(_weights(t.shape, n)).to(t.dtype)).sum())
        for n, t in enumerate(_tensors(out, torch.Tensor))
        if t.is_floating_point()
    )
    if own and isinstance(total, torch.Tensor) and total.requires_grad:
        grads = torch.autograd.grad(total, own, allow_unused=True)
        answer["grads"] = [
            _array(torch.zeros_like(v) if g is None else g) for g, v in zip(grads, own, strict=True)
        ]
    return answer


def _weights(shape: Any, n: int) -> np.ndarray:
    count = int(np.prod(shape)) if shape else 1
    return np.cos(np.arange(count) + n).reshape(tuple(shape)).astype(np.float32)


def _tensors(tree: Any, kind: type) -> list[Any]:
    if isinstance(tree, (tuple, list)):
        return [t for part in tree for t in _tensors(part, kind)]
    return [tree] if isinstance(tree, kind) else []


# ---------------------------------------------------------------- answers


def collect_answers(folder: pathlib.Path) -> None:
    """Run the expanded code on MindSpore; a process that dies is started again behind its case."""
    cases = pickle.loads((folder / "questions.pkl").read_bytes())
    done = folder / "answers.pkls"
    done.unlink(missing_ok=True)
    start = 0
    while start < len(cases):
        command = [sys.executable, "-m", "oracle.check_rules", "run", str(folder), str(start)]
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        known = _read_answers(done)
        start = len(known)
        if result.returncode and start < len(cases):
            with done.open("ab") as stream:
                pickle.dump({"error": f"the process died ({result.returncode})"}, stream)
            start += 1
    print(f"{start} answers")


def run_from(folder: pathlib.Path, start: int) -> None:
    """Answer the cases from one on."""
    from .recording import framework

    ms = framework()
    cases = pickle.loads((folder / "questions.pkl").read_bytes())
    with (folder / "answers.pkls").open("ab") as stream:
        for case in cases[start:]:
            pickle.dump(_mindspore_answer(ms, case), stream)
            stream.flush()


def _mindspore_answer(ms: Any, case: dict[str, Any]) -> dict[str, Any]:
    if "refused" in case:
        return {}
    import math

    import mindspore.scipy  # noqa: F401  # a template may write ms.scipy

    names = {"ms": ms, "nn": ms.nn, "ops": ms.ops, "mint": ms.mint, "np": np, "math": math}
    names["Tensor"] = ms.Tensor

    def given() -> dict[str, Any]:
        plain = case["source"].endswith(("from_numpy", "as_tensor", "frombuffer"))
        return {k: v if plain else ms.Tensor(v) for k, v in case["inputs"].items()}

    try:
        ms.set_seed(0)
        values = given()
        out = eval(case["code"], {**names, **values})
        answer: dict[str, Any] = {
            "outputs": [_numbers(ms, t) for t in _tensors(out, ms.Tensor)],
            "plain": repr(out),
        }
        if case["changed"]:
            answer["left"] = _numbers(ms, values["a0"])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if case.get("grads") and not case["shape_only"]:
        try:
            answer["grads"] = _gradients(ms, case, names, given())
        except Exception as error:
            answer["grad_error"] = f"{type(error).__name__}: {error}"
    return answer


def _numbers(ms: Any, tensor: Any) -> np.ndarray:
    # numpy has no bfloat16 of its own
    return (tensor.astype(ms.float32) if tensor.dtype == ms.bfloat16 else tensor).asnumpy()


def _gradients(ms: Any, case: dict[str, Any], names: dict[str, Any], values: Any) -> list[Any]:
    floats = case["floats"]

    def loss(*given: Any) -> Any:
        own = {**values, **dict(zip(floats, given, strict=True))}
        if case["changed"]:
            own["a0"] = own["a0"] * 1.0
        total = ms.Tensor(0.0, ms.float32)
        for n, part in enumerate(_tensors(eval(case["code"], {**names, **own}), ms.Tensor)):
            if part.is_floating_point():
                total = total + (part * ms.Tensor(_weights(part.shape, n))).sum()
        return total

    result = ms.grad(loss, tuple(range(len(floats))))(*[values[k] for k in floats])
    return [_numbers(ms, g) for g in (result if isinstance(result, tuple) else (result,))]


def _read_answers(path: pathlib.Path) -> list[dict[str, Any]]:
    out = []
    if path.exists():
        with path.open("rb") as stream:
            while True:
                try:
                    out.append(pickle.load(stream))
                except EOFError:
                    break
    return out


# ---------------------------------------------------------------- report


def report(folder: pathlib.Path, everything: bool) -> None:
    """Say what runs and agrees."""
    cases = pickle.loads((folder / "questions.pkl").read_bytes())
    answers = _read_answers(folder / "answers.pkls")
    rows: dict[str, list[str]] = collections.defaultdict(list)
    counts: collections.Counter[str] = collections.Counter()
    for case, answer in zip(cases, answers, strict=True):
        verdict, text = _judge(case, answer)
        counts[verdict] += 1
        rows[case["source"]].append(verdict)
        if verdict not in ("agrees", "gradient missing") or everything:
            print(f"{verdict:18} {case['source']}{case['sample']}")
            print(f"    {case.get('code')}\n    {text}")
    print(json.dumps(dict(counts)))
    good = sum(all(v in ("agrees", "gradient missing") for v in item) for item in rows.values())
    print(f"{good} of {len(rows)} rows run on MindSpore's CPU and agree in every sample")


def _judge(case: dict[str, Any], answer: dict[str, Any]) -> tuple[str, str]:
    if "refused" in case:
        return "refused", case["refused"]
    if "error" in answer:
        text = re.sub(r"\s+", " ", answer["error"])[:200]
        return ("no kernel" if not has_kernel(answer["error"]) else "error"), text
    theirs, ours = list(case["outputs"]), list(answer["outputs"])
    if "left" in case:
        theirs.append(case["left"])
        ours.append(answer["left"])
    if len(theirs) != len(ours):
        return "differs", f"{len(theirs)} outputs against {len(ours)}"
    if not theirs and not case["shape_only"] and case["plain"] != answer["plain"]:
        return "differs", f"{case['plain']} against {answer['plain']}"
    for one, other in zip(theirs, ours, strict=True):
        result = _difference(one, other, case["shape_only"])
        if result:
            return "differs", result
    if "grad_error" in answer:
        return "gradient missing", re.sub(r"\s+", " ", answer["grad_error"])[:200]
    for one, other in zip(case.get("grads", ()), answer.get("grads", ()), strict=False):
        result = _difference(one, other, case["shape_only"])
        if result:
            return "gradient differs", result
    return "agrees", ""


def _difference(one: np.ndarray, other: np.ndarray, shape_only: bool) -> str | None:
    if one.shape != other.shape:
        return f"shape {one.shape} against {other.shape}"
    kinds = {"u": "i"}
    if kinds.get(one.dtype.kind, one.dtype.kind) != kinds.get(other.dtype.kind, other.dtype.kind):
        return f"dtype {one.dtype} against {other.dtype}"
    if shape_only or not one.size:
        return None
    if one.dtype.kind in "biu":
        return None if (one == other).all() else f"{one.tolist()} against {other.tolist()}"
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    one, other = one.astype(wide), other.astype(wide)
    finite = np.isfinite(one)
    if not np.array_equal(finite, np.isfinite(other)):
        return "NaN or infinity at other places"
    if not finite.any():
        return None
    gap = np.abs(one[finite] - other[finite]).max()
    scale = max(1.0, np.abs(one[finite]).max())
    return None if gap <= TOLERANCE * scale else f"values differ by {gap:.3g}"


def main(arguments: list[str]) -> None:
    warnings.filterwarnings("ignore")
    step, folder = arguments[0], pathlib.Path(arguments[1])
    if step == "questions":
        folder.mkdir(parents=True, exist_ok=True)
        write_questions(folder)
    elif step == "answers":
        collect_answers(folder)
    elif step == "run":
        run_from(folder, int(arguments[2]))
    elif step == "report":
        report(folder, "--list" in arguments)
    else:
        raise SystemExit(f"unknown step {step!r}: questions, answers or report")


if __name__ == "__main__":
    main(sys.argv[1:])
