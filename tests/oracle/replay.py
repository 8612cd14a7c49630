"""Run one case on a framework: the recorder runs it on MindSpore, a test of agar on agar.

Every function takes the framework module and the case's text and returns JSON data in the form of
`encoding`. The recorded data hold the case and, under ``"result"``, what MindSpore returned.
"""

from __future__ import annotations

import itertools
import json
import linecache
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .encoding import encode, encode_error, without_addresses
from .inputs import floats, namespace, parameter_values

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "oracle"


def load(name: str) -> list[dict]:
    """The cases of ``data/oracle/<name>.json``, the file's common prelude put before each setup."""
    data = json.loads((DATA / f"{name}.json").read_text())
    return [with_prelude(case, data["about"].get("prelude", "")) for case in data["cases"]]


def with_prelude(case: dict, prelude: str) -> dict:
    """`case` with `prelude` (statements) before its own setup."""
    return {**case, "setup": prelude + case.get("setup", "")} if prelude else case


# Where `execute` writes its source files; None keeps them in memory, where all but MindSpore's
# rewriter (auto_mixed_precision O1) finds them.
SOURCES: pathlib.Path | None = None

_numbers = itertools.count()


def execute(text: str, names: dict[str, Any]) -> None:
    """Run statements whose source `inspect` finds: MindSpore's compiler and rewriter read it."""
    filename = f"<oracle case {next(_numbers)}>"
    if SOURCES is None:
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    else:
        filename = str(SOURCES / f"oracle_case_{next(_numbers)}.py")
        pathlib.Path(filename).write_text(text)
    module = types.ModuleType("oracle_case")
    module.__file__ = filename
    sys.modules["oracle_case"] = module
    exec(compile(text, filename, "exec"), names)


def attempt(run: Callable[[], Any]) -> Any:
    """The result of `run`, or the encoded exception."""
    try:
        return run()
    except Exception as error:  # the type of the exception is the datum
        return encode_error(error)


def is_float(ms: Any, value: Any) -> bool:
    """True for tensors that a gradient may be taken of."""
    return isinstance(value, ms.Tensor) and value.dtype in (
        ms.float16,
        ms.float32,
        ms.float64,
        ms.bfloat16,
    )


def tensors(ms: Any, value: Any) -> list:
    """The tensors in a nest of tuples and lists, left to right."""
    if isinstance(value, ms.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in tensors(ms, part)]
    return []


def weighted_sum(ms: Any, outputs: Any) -> Any:
    """A scalar whose gradient is not flat: sum of output i times fixed values of stream 11 + i.

    A plain sum would hide errors: the gradient of sum(softmax(x)) is zero.
    """
    total = None
    for index, output in enumerate(tensors(ms, outputs)):
        if not is_float(ms, output):
            continue
        weight = ms.Tensor(floats(tuple(output.shape), 11 + index, 0.2, 1.2)).astype(output.dtype)
        part = (output * weight).sum()
        total = part if total is None else total + part
    return total


def fill_parameters(ms: Any, cell: Any) -> None:
    """Give every float parameter of `cell` its documented value (see `inputs.parameter_values`)."""
    for index, parameter in enumerate(cell.get_parameters()):
        if is_float(ms, parameter):
            values = parameter_values(parameter.name, tuple(parameter.shape), index)
            parameter.set_data(ms.Tensor(values).astype(parameter.dtype))


def layer(ms: Any, case: dict) -> dict:
    """Build ``case["expr"]``, fill its parameters, run it on ``case["inputs"]``, differentiate it.

    ``result``: repr; parameters (name, shape, requires_grad); output; the state (parameters without
    gradient) after one forward when it changed; gradients of `weighted_sum` with respect to the
    float inputs and the trainable parameters.
    """
    names = namespace(ms)

    def build():
        execute(case.get("setup", ""), names)
        cell = eval(case["expr"], names)
        cell.set_train(bool(case.get("train", False)))
        if case.get("fill", True):
            fill_parameters(ms, cell)
        inputs = [eval(text, names) for text in case["inputs"]]
        return cell, inputs

    def run():
        cell, inputs = build()
        result: dict[str, Any] = {"repr": without_addresses(repr(cell))}
        parameters = list(cell.get_parameters())
        result["parameters"] = [[p.name, list(p.shape), bool(p.requires_grad)] for p in parameters]
        state = [p for p in parameters if not p.requires_grad]
        before = [encode(ms, p) for p in state]
        result["output"] = encode(ms, cell(*inputs))
        after = [encode(ms, p) for p in state]
        if before != after:
            result["state"] = after
        return result

    def gradients():
        cell, inputs = build()
        positions = tuple(i for i, x in enumerate(inputs) if is_float(ms, x))
        positions = tuple(i for i in positions if i not in case.get("no_grad", ()))
        weights = list(cell.trainable_params())
        if not positions and not weights:
            return None

        def scalar(*arguments):
            return weighted_sum(ms, cell(*arguments))

        function = ms.grad(scalar, positions or None, weights or None)
        out = function(*inputs)
        first, second = out if positions and weights else (out, out)
        result = {}
        if positions:
            first = first if isinstance(first, tuple) else (first,)
            result["inputs"] = [encode(ms, g) for g in first]
        if weights:
            result["parameters"] = [encode(ms, g) for g in second]
        return result

    result = attempt(run)
    if "error" not in result and case.get("grad", True):
        entry = attempt(gradients)
        if entry is not None:
            result["grad"] = entry
    return result


def expression(ms: Any, case: dict) -> Any:
    """Run ``case["setup"]`` (statements, optional), evaluate ``case["expr"]`` and encode the value.

    With ``"effect"`` (an expression evaluated afterwards) the result is the pair of both values.
    """
    names = namespace(ms)

    def run():
        execute(case.get("setup", ""), names)
        value = encode(ms, eval(case["expr"], names))
        if "effect" in case:
            return {"tuple": [value, encode(ms, eval(case["effect"], names))]}
        return value

    return attempt(run)


def operator(ms: Any, case: dict) -> dict:
    """Call ``case["expr"]``, a callable, with ``case["args"]`` (texts) and ``case["kwargs"]``.

    ``result``: the output, and under ``"grad"`` the gradients of `weighted_sum` of it with respect
    to the float tensor arguments when ``case["grad"]`` is true. ``"@x"`` as expr means the method
    ``x`` of the first argument.
    """
    names = namespace(ms)

    def build():
        execute(case.get("setup", ""), names)
        arguments = [eval(text, names) for text in case["args"]]
        keywords = {key: eval(text, names) for key, text in case.get("kwargs", {}).items()}
        if case["expr"].startswith("@"):
            method = case["expr"][1:]

            def call(first, *rest, **keyword_arguments):
                return getattr(first, method)(*rest, **keyword_arguments)
        else:
            call = eval(case["expr"], names)
        return call, arguments, keywords

    def run():
        call, arguments, keywords = build()
        return encode(ms, call(*arguments, **keywords))

    def gradients():
        call, arguments, keywords = build()
        positions = tuple(i for i, x in enumerate(arguments) if is_float(ms, x))
        if not positions:
            return None

        def scalar(*values):
            return weighted_sum(ms, call(*values, **keywords))

        out = ms.grad(scalar, positions)(*arguments)
        return [encode(ms, g) for g in (out if isinstance(out, tuple) else (out,))]

    result = {"output": attempt(run)}
    failed = isinstance(result["output"], dict) and "error" in result["output"]
    if case.get("grad") and not failed:
        entry = attempt(gradients)
        if entry is not None:
            result["grad"] = entry
    return result


def optimizer(ms: Any, case: dict) -> dict:
    """Six (``case["steps"]``) steps of an optimizer on fixed gradients.

    ``case["setup"]`` makes ``params`` (default: Parameters w (2, 3) and b (3,)); ``case["expr"]``
    makes the optimizer. ``result``: parameters after each step, learning rate read before each
    step, the returned value, and the optimizer's own parameters at the end.
    """
    names = namespace(ms)

    def run():
        execute(DEFAULT_PARAMETERS, names)
        execute(case.get("setup", ""), names)
        params = names["params"]
        opt = eval(case["expr"], names)
        result: dict[str, Any] = {"repr": without_addresses(repr(opt))}
        result["names"] = [
            [p.name, list(p.shape), str(p.dtype), bool(p.requires_grad)]
            for p in opt.get_parameters()
        ]
        steps, rates = [], []
        for step in range(case.get("steps", 6)):
            if hasattr(opt, "get_lr"):
                rates.append(encode(ms, opt.get_lr()))
            grads = tuple(
                ms.Tensor(gradient(step, i, tuple(p.shape))).astype(p.dtype)
                for i, p in enumerate(opt.parameters)
            )
            returned = opt(grads)
            steps.append([encode(ms, p)["v"] for p in params])
        result["returned"] = encode(ms, returned)
        result["steps"] = steps
        if rates:
            result["lr"] = rates
            result["global_step"] = encode(ms, opt.global_step)
        result["order"] = [p.name for p in opt.parameters]
        inside = {id(p) for p in params}
        result["state"] = [encode(ms, p) for p in opt.get_parameters() if id(p) not in inside]
        return result

    return attempt(run)


DEFAULT_PARAMETERS = """
w = Parameter(t((2, 3), 0), name="w")
b = Parameter(t((3,), 1), name="b")
params = [w, b]
"""


def gradient(step: int, index: int, shape: tuple[int, ...]) -> np.ndarray:
    """The fixed gradient of parameter `index` at `step`: values in (-1, 1)."""
    return floats(shape, 3 + (step * 5 + index * 2) % 11, -1.0, 1.0)
