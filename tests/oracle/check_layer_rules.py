"""Build what the table of rules writes for layers on real MindSpore, and compare with PyTorch.

Three steps, as for the functions (check_rules.py)::

    PYTHONPATH=src:tests:tests/migrate python -m oracle.check_layer_rules questions DIR
    cd tests && GLOG_v=4 $PYTHON -m oracle.check_layer_rules answers DIR
    PYTHONPATH=src:tests:tests/migrate python -m oracle.check_layer_rules report DIR [--list]

Every sample of a layer or loss is built by the line that a report or a conversion writes, gets
PyTorch's weights, and runs in training and in evaluation: outputs, running statistics after the
run, gradients of inputs and weights. No test needs MindSpore.
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

from .check_rules import _difference, _read_answers, _tensors, _weights
from .recording import has_kernel

# ---------------------------------------------------------------- questions


def write_questions(folder: pathlib.Path) -> None:
    """Write down the line, the weights and the inputs of every sample, and PyTorch's answers."""
    import torch

    from agar.migrate.rules import RuleRefused, rules

    cases = []
    for row in rules("module"):
        for sample in row.samples:
            try:
                cases.append(_question(row, sample.replace("float64", "float32"), torch.float32))
            except RuleRefused:  # a lambda among the arguments has no text
                continue
    cases = [case for case in cases if case]
    (folder / "layer_questions.pkl").write_bytes(pickle.dumps(cases))
    print(f"{len(cases)} samples of layers")


def _question(row: Any, sample: str, dtype: Any) -> dict[str, Any]:
    import rule_samples
    import torch

    text = sample.replace(".double()", ".float()")
    build, *calls = rule_samples.read(text, rule_samples.Makers(dtype))
    if not calls:
        return {}
    module = row.original(*build.args, **build.kwargs).to(dtype)
    rule_samples._fill(module)
    carried = rule_samples._carried(row, module)
    state = {
        target: rule_samples.TRANSFORMS[transform][0](module.state_dict()[name]).numpy().copy()
        for name, (target, transform) in carried.items()
    }
    (call,) = calls
    case: dict[str, Any] = {
        "source": row.source,
        "sample": sample,
        "code": row.line(module),
        "state": state,
        "args": _packed(call.args),
        "kwargs": _packed(call.kwargs),
        "shape_only": row.compare != "values",
        "backwards": {t: n for n, (t, _) in carried.items()},
    }
    for train in (True, False):
        module.train(train)
        theirs = rule_samples._run_module(module, call, row)
        values = {k: v for k, v in theirs.values.items() if isinstance(v, np.ndarray)}
        for name, (_, transform) in carried.items():
            for key in (f"gradient of {name}", f"{name} after the run"):
                if key in values:
                    tensor = torch.from_numpy(values[key])
                    values[key] = rule_samples.TRANSFORMS[transform][0](tensor).numpy()
        case["train" if train else "eval"] = values
    return case


def _packed(tree: Any) -> Any:
    """Tensors as arrays, with a word on whether they are differentiated."""
    import torch

    if isinstance(tree, torch.Tensor):
        return ("tensor", tree.detach().numpy().copy(), tree.requires_grad)
    if isinstance(tree, (tuple, list)):
        return [_packed(part) for part in tree]
    if isinstance(tree, dict):
        return {key: _packed(part) for key, part in tree.items()}
    return tree


# ---------------------------------------------------------------- answers


def collect_answers(folder: pathlib.Path) -> None:
    """Run the lines on MindSpore; a process that dies is started again behind its case."""
    cases = pickle.loads((folder / "layer_questions.pkl").read_bytes())
    done = folder / "layer_answers.pkls"
    done.unlink(missing_ok=True)
    start = 0
    while start < len(cases):
        command = [sys.executable, "-m", "oracle.check_layer_rules", "run", str(folder), str(start)]
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start = len(_read_answers(done))
        if result.returncode and start < len(cases):
            with done.open("ab") as stream:
                pickle.dump({"error": f"the process died ({result.returncode})"}, stream)
            start += 1
    print(f"{start} answers")


def run_from(folder: pathlib.Path, start: int) -> None:
    """Answer the cases from one on."""
    from .recording import framework

    ms = framework()
    cases = pickle.loads((folder / "layer_questions.pkl").read_bytes())
    with (folder / "layer_answers.pkls").open("ab") as stream:
        for case in cases[start:]:
            pickle.dump(_mindspore_answer(ms, case), stream)
            stream.flush()


def _mindspore_answer(ms: Any, case: dict[str, Any]) -> dict[str, Any]:
    try:
        cell = eval(case["code"], {"ms": ms, "nn": ms.nn, "ops": ms.ops, "mint": ms.mint})
        own = dict(cell.parameters_and_names())
        for name, value in case["state"].items():
            if name not in own or tuple(own[name].shape) != value.shape:
                return {"error": f"there is no {name} of shape {value.shape}: {sorted(own)}"}
            own[name].set_data(ms.Tensor(value))
        return {
            "train": _run(ms, case, cell, own, True),
            "eval": _run(ms, case, cell, own, False),
        }
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _run(ms: Any, case: dict[str, Any], cell: Any, own: Any, train: bool) -> dict[str, Any]:
    cell.set_train(train)
    leaves: list[Any] = []

    def unpacked(tree: Any) -> Any:
        if isinstance(tree, (list, tuple)) and len(tree) == 3 and tree[0] == "tensor":
            narrow = tree[1].dtype == np.int64 and not case["source"].endswith("MultiMarginLoss")
            array = tree[1].astype(np.int32) if narrow else tree[1]
            if tree[2]:
                leaves.append(ms.Tensor(array))
                return ("leaf", len(leaves) - 1)
            return ms.Tensor(array)
        if isinstance(tree, list):
            return tuple(unpacked(part) for part in tree)
        if isinstance(tree, dict):
            return {key: unpacked(part) for key, part in tree.items()}
        return tree

    def placed(tree: Any, values: Any) -> Any:
        if isinstance(tree, tuple) and len(tree) == 2 and tree[0] == "leaf":
            return values[tree[1]]
        if isinstance(tree, tuple):
            return tuple(placed(part, values) for part in tree)
        if isinstance(tree, dict):
            return {key: placed(part, values) for key, part in tree.items()}
        return tree

    args, kwargs = unpacked(case["args"]), unpacked(case["kwargs"])

    def loss(*values: Any) -> Any:
        total = ms.Tensor(0.0, ms.float32)
        for n, part in enumerate(
            _tensors(cell(*placed(args, values), **placed(kwargs, values)), ms.Tensor)
        ):
            if part.is_floating_point():
                total = total + (part * ms.Tensor(_weights(part.shape, n))).sum()
        return total

    result = _tensors(cell(*placed(args, leaves), **placed(kwargs, leaves)), ms.Tensor)
    answer: dict[str, Any] = {"outputs": [t.asnumpy() for t in result]}
    for target, name in case["backwards"].items():
        # a copy: asnumpy shares the memory that the next run writes into
        answer[f"{name} after the run"] = own[target].asnumpy().copy()
    # MindSpore runs the forward pass again for gradients: the statistics are put back after it
    weights = [own[t] for t in case["state"] if own[t].requires_grad]
    if leaves or weights:
        try:
            positions = tuple(range(len(leaves))) or None
            grads = ms.grad(loss, positions, weights or None)(*leaves)
            parts = grads if leaves and weights else (grads, ()) if leaves else ((), grads)
            inner, outer = (p if isinstance(p, (tuple, list)) else (p,) for p in parts)
            for n, grad in enumerate(inner):
                answer[f"gradient of input[{n}]"] = grad.asnumpy()
            for weight, grad in zip(weights, outer, strict=True):
                target = next(t for t in case["state"] if own[t] is weight)
                answer[f"gradient of {case['backwards'][target]}"] = grad.asnumpy()
        except Exception as error:
            answer["grad_error"] = f"{type(error).__name__}: {error}"
    for name in case["state"]:
        if not own[name].requires_grad:
            own[name].set_data(ms.Tensor(answer[f"{case['backwards'][name]} after the run"]))
    return answer


# ---------------------------------------------------------------- report


def report(folder: pathlib.Path, everything: bool) -> None:
    """Say what runs and agrees."""
    cases = pickle.loads((folder / "layer_questions.pkl").read_bytes())
    answers = _read_answers(folder / "layer_answers.pkls")
    rows: dict[str, list[str]] = collections.defaultdict(list)
    counts: collections.Counter[str] = collections.Counter()
    for case, answer in zip(cases, answers, strict=True):
        verdict, text = _judge(case, answer)
        counts[verdict] += 1
        rows[case["source"]].append(verdict)
        if verdict != "agrees" or everything:
            print(f"{verdict:18} {case['source']}{case['sample']}\n    {case['code']}\n    {text}")
    print(json.dumps(dict(counts)))
    good = sum(set(item) <= {"agrees", "gradient missing"} for item in rows.values())
    print(f"{good} of {len(rows)} layers run on MindSpore's CPU and agree in every sample")


def _judge(case: dict[str, Any], answer: dict[str, Any]) -> tuple[str, str]:
    if "error" in answer:
        text = re.sub(r"\s+", " ", answer["error"])[:200]
        return ("error" if has_kernel(answer["error"]) else "no kernel"), text
    missing = ""
    for stage in ("train", "eval"):
        theirs, ours = case[stage], answer[stage]
        random = case["shape_only"] and stage == "train"
        outputs = [v for k, v in theirs.items() if k.startswith("output")]
        if len(outputs) != len(ours["outputs"]):
            return "differs", f"{len(outputs)} outputs against {len(ours['outputs'])}"
        for one, other in zip(outputs, ours["outputs"], strict=True):
            result = _difference(one, other.astype(one.dtype), random)
            if result:
                return "differs", f"{stage}: {result}"
        for name, one in theirs.items():
            if name.startswith("output") or name not in ours:
                continue
            result = _difference(one, ours[name].reshape(one.shape), random)
            if result:
                return "differs", f"{stage}: {name}: {result}"
        missing = missing or ours.get("grad_error", "")
    return ("gradient missing", re.sub(r"\s+", " ", missing)[:200]) if missing else ("agrees", "")


def main(arguments: list[str]) -> None:
    """Take one of the steps."""
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
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
