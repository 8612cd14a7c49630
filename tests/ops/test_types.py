"""Types and edges: which types operators take, what nan and zero do, and how refusals speak.

`tests/data/oracle/types.json` says for one sample of each operator which types MindSpore 2.10
computes with and the types of its results, `numerics.json` what it returns at edges. Both were
recorded, see tests/oracle/README.md. What differs on purpose stands here.
"""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
import battery
from agar import Tensor, nn, ops
from oracle import encoding, replay

CASES = replay.load("numerics")
TYPES = json.loads((Path(__file__).parents[1] / "data/oracle/types.json").read_text())
SHORT = {
    "b": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "u16": torch.uint16,
    "u32": torch.uint32,
    "u64": torch.uint64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in SHORT.items()}
ENTRIES = {battery.name_of(entry): entry for entry in battery.ENTRIES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_edges_agree_with_the_recorded_figures(case):
    if case.get("defect"):
        pytest.skip(f"what is recorded is not followed: {case['defect']}")
    expected = dict(case["result"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record holds values and exceptions, no warnings
        got = replay.operator(ms, case)
    if expected.pop("no_grad_on_cpu", None):
        got.pop("grad", None)
    result = encoding.differences(expected, got, case["id"])
    assert not result, "\n".join(result)


# ------------------------------------------------------------------------------------- types


def _in_kind(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The numbers of a sample in another type: as they were recorded."""
    if dtype is torch.bool:
        return value.real > 0.3 if value.is_floating_point() or value.is_complex() else value != 0
    if dtype.is_complex:
        return value.to(dtype) if value.is_complex() else (value * (1 + 0.5j)).to(dtype)
    value = value.real if value.is_complex() else value
    if dtype.is_floating_point:
        return value.to(dtype)
    value = torch.round(value * 3) if value.is_floating_point() else value
    value = value.to(torch.int64)
    return (value.abs() if "uint" in str(dtype) else value).to(dtype)


def _kind(value: torch.Tensor) -> str:
    if value.is_complex():
        return "c"
    return "f" if value.is_floating_point() else "b" if value.dtype is torch.bool else "i"


def _call(entry: Any, text: str, change: Any) -> list[torch.Tensor]:
    args, kwargs = battery.arguments(text)
    call = next(iter(battery.bindings(entry, args, kwargs).values()))
    args, kwargs = battery.mapped((args, kwargs), change)
    return battery.tensors(call(*battery.wrapped(args), **battery.wrapped(kwargs)))


def _found(entry: Any, text: str, record: dict, mode: str, name: str) -> str:
    """The types of the results, or ``refused``."""
    base = {
        "f": torch.float32,
        "i": SHORT[record["index"].replace("int", "i")],
        "c": torch.complex64,
    }
    base[mode] = SHORT[name]

    def change(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        kind = _kind(value)
        return _in_kind(value, base[kind]) if kind in base else value

    try:
        result = _call(entry, text, change)
    except (TypeError, ValueError, RuntimeError, IndexError, ZeroDivisionError):
        return "refused"
    return " ".join(NAMES[t.dtype] for t in result)


KNOWN = json.loads((Path(__file__).parents[1] / "data/types_differ.json").read_text())


@pytest.mark.filterwarnings("ignore")  # such as of imaginary parts that are dropped
@pytest.mark.parametrize("name", [n for n in TYPES if n in ENTRIES])
def test_types_are_mindspores(name):
    """What MindSpore computes with is computed with, and gives results of the same types."""
    entry = ENTRIES[name]
    differ = {}
    for text, record in TYPES[name].items():
        for mode in ("f", "i", "b", "c"):
            for expected, given in record.get(mode, {}).items():
                for short in given.replace("bool", "b").split():
                    result = _found(entry, text, record, mode, short)
                    if result != expected.lower().replace("bool", "b"):
                        differ.setdefault(f"{mode} {result}", []).append(short)
    assert {k: " ".join(v) for k, v in differ.items()} == KNOWN.get(name, {})


def test_every_recorded_operator_is_one():
    assert TYPES.keys() <= ENTRIES.keys()
    assert KNOWN.keys() <= TYPES.keys()


# ------------------------------------------------------------------------------ how refusals speak

# What torch writes and nobody who calls an operator of MindSpore should have to read.
RAW = re.compile(
    r"not implemented for '|scalar type|aten::|c10::|at::|CPU\w*Type|torch\.\w+Tensor|_cpu\b"
    r"|INTERNAL|non-singleton|mat1 and|expected index \[|Sizes of tensors must|_LinAlg"
    r"|Dimension out of range \(|combination of arguments|argument '\w+' \(position"
    r"|result type \w+ can't|object has no attr"
)
VARIANTS = {
    "another rank": lambda v: v[0] if v.dim() else v[None],
    "a further axis": lambda v: v[None],
    "another size": lambda v: torch.cat([v, v[..., :1]], -1) if v.dim() and v.shape[-1] else v,
    "indices that are too large": lambda v: v if v.is_floating_point() else v.to(torch.int64) + 999,
    "zeros": torch.zeros_like,
    "nan": lambda v: torch.full_like(v, float("nan")) if v.is_floating_point() else v,
    **{f"the type {n}": lambda v, d=d: _in_kind(v, d) for n, d in SHORT.items() if n != "f64"},
}


def _refusal(entry: Any, call: Any, args: tuple, kwargs: dict) -> str | None:
    try:
        call(*battery.wrapped(args), **battery.wrapped(kwargs))
    except battery.REFUSALS as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__module__}.{type(error).__name__} _LinAlg: {error}"
    return None


@battery.over(battery.REPEATABLE)
def test_refusals_are_agars_sentences(entry):
    """Wrong first tensors are computed with, or refused without torch's words."""
    if not entry.samples:
        return
    args, kwargs = battery.arguments(entry.samples[0])
    call = next(iter(battery.bindings(entry, args, kwargs).values()))
    place = next((i for i, v in enumerate(args) if isinstance(v, torch.Tensor)), None)
    if place is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for label, change in VARIANTS.items():
            wrong = (*args[:place], change(args[place]), *args[place + 1 :])
            text = _refusal(entry, call, wrong, kwargs)
            assert text is None or not RAW.search(text), f"{label}: {text}"


# ------------------------------------------------------------------------------------- decisions


@pytest.mark.parametrize(
    "compute",
    [
        ops.relu,
        ops.relu6,
        lambda x: ops.clamp(x, -1.0, 1.0),
        lambda x: ops.max(x)[0],
        lambda x: ops.min(x)[0],
        lambda x: ops.maximum(x, x * 0),
        lambda x: ops.maximum(x * 0, x),
        lambda x: ops.cummax(x, 0)[0][1:],
        lambda x: ops.topk(x, 1)[0],
        lambda x: ops.median(x)[0],
        lambda x: ops.max_pool2d(x.reshape((1, 1, 1, 3)), (1, 3)),
        lambda x: ops.MaxPool((1, 3))(x.reshape((1, 1, 1, 3))),
        lambda x: ops.adaptive_max_pool1d(x.reshape((1, 1, 3)), 1),
    ],
)
def test_nan_goes_through_wherever_it_stands(compute):
    for places in ((np.nan, 1, 2), (1, np.nan, 2), (2, 1, np.nan)):
        assert np.isnan(compute(Tensor(np.array(places, np.float32))).asnumpy()).any()


def test_nan_is_the_largest_in_order():
    x = Tensor(np.array([2, np.nan, 1], np.float32))
    assert ops.sort(x)[1].asnumpy().tolist() == [2, 0, 1]
    assert ops.argmax(x).asnumpy() == ops.argmin(x).asnumpy() == 1


@pytest.mark.parametrize(
    "divide",
    [ops.floor_divide, ops.floor_mod, ops.remainder, ops.fmod, ops.truncate_div, ops.truncate_mod],
)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_integers_divided_by_zero_raise(divide, mode):
    ms.set_context(mode=mode)
    compute = ms.jit(divide) if mode == ms.GRAPH_MODE else divide
    for kind in (ms.int32, ms.int64, ms.uint8):
        one, zero = Tensor([5, 1], kind), Tensor([1, 0], kind)
        for _ in range(3):  # recorded, then replayed
            assert compute(one, one).dtype == kind
        with pytest.raises(ZeroDivisionError, match="divided by zero"):
            compute(one, zero)


@pytest.mark.parametrize("kind", [ms.int8, ms.int32, ms.int64], ids=str)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_least_integer_is_divided_by_minus_one(kind, mode):
    # torch's own truncated division ends the process; MindSpore gives the least integer
    ms.set_context(mode=mode)
    least = np.iinfo(ms.dtype_to_nptype(kind)).min
    x, y = Tensor([least, 7], kind), Tensor([-1, -2], kind)

    def compute(x, y):
        by_number = ops.div(x, -1, rounding_mode="trunc")
        changed = x.copy().div_(y, rounding_mode="trunc")
        mod = ops.truncate_mod(x, y)
        return ops.div(x, y, rounding_mode="trunc"), ops.truncate_div(x, y), by_number, changed, mod

    run = ms.jit(compute) if mode == ms.GRAPH_MODE else compute
    for _ in range(3):
        got = [r.asnumpy().tolist() for r in run(x, y)]
        assert got == [[least, -3], [least, -3], [least, -7], [least, -3], [0, 1]]


@pytest.mark.parametrize(
    "compute", [ops.max, ops.min, ops.amax, ops.argmax, ops.argmin, ops.median]
)
def test_extremes_of_nothing_raise(compute):
    with pytest.raises(ValueError, match="empty"):
        compute(Tensor(np.zeros((0,), np.float32)))


@pytest.mark.parametrize(
    "loss",
    [nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss(), nn.BCEWithLogitsLoss(), nn.CrossEntropyLoss()],
)
def test_losses_give_float32_and_labels_their_gradient(loss):
    logits = Tensor(np.linspace(-1, 1, 6, dtype=np.float16).reshape(2, 3))
    labels = Tensor(np.linspace(0.1, 0.6, 6, dtype=np.float16).reshape(2, 3))
    assert loss(logits, labels).dtype == ms.float32
    grads = ms.grad(loss, (0, 1))(logits.astype(ms.float32), labels.astype(ms.float32))
    assert all(np.abs(g.asnumpy()).max() > 0 for g in grads)


WIDE = (ms.uint16, ms.uint32, ms.uint64)


@pytest.mark.parametrize("kind", WIDE, ids=str)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_wide_unsigned_integers_compute_modulo_their_size(kind, mode):
    ms.set_context(mode=mode)
    array = ms.dtype_to_nptype(kind)
    largest = np.iinfo(array).max
    a, b = np.array([largest, 3, 7], array), np.array([2, 5, 7], array)

    def compute(x, y):
        return x + y, x - y, x * y, ops.maximum(x, y), x < y, ops.argmax(x), ops.flip(x, (0,))

    run = ms.jit(compute) if mode == ms.GRAPH_MODE else compute
    expected = (a + b, a - b, a * b, np.maximum(a, b), a < b, a.argmax(), a[::-1])
    for _ in range(3):
        for got, item in zip(run(Tensor(a), Tensor(b)), expected, strict=True):
            np.testing.assert_array_equal(got.asnumpy(), item)


def test_what_int64_does_not_hold_is_refused():
    x = Tensor(np.array([2**63 + 5, 3], np.uint64))
    with pytest.raises(TypeError, match=r"2\*\*63"):
        ops.floor_divide(x, x)
    with pytest.raises(TypeError, match=r"2\*\*53"):
        ops.frac(Tensor(np.array([2**53 + 1], np.int64)))


def test_a_wide_unsigned_tensor_is_changed_in_place():
    x = Tensor(np.array([65535, 1], np.uint16))
    assert x.add_(Tensor(np.array([1, 1], np.uint16))) is x
    assert x.asnumpy().tolist() == [0, 2]


def test_float16_matrices_are_computed_in_float32():
    x = Tensor(np.array([[2, 1], [1, 3]], np.float16))
    value, gradient = ms.value_and_grad(lambda m: ops.det(m))(x)
    assert value.dtype == gradient.dtype == ms.float16
    np.testing.assert_allclose(gradient.asnumpy(), [[3, -1], [-1, 2]], rtol=1e-2)


def test_a_singular_matrix_raises_runtime_error():
    with pytest.raises(RuntimeError, match="For 'inverse'"):
        ops.inverse(Tensor(np.ones((2, 2), np.float32)))
    with pytest.raises(RuntimeError, match="For 'Svd'") as caught:
        ops.Svd()(Tensor(np.full((2, 2), np.nan, np.float32)))
    assert type(caught.value) is RuntimeError
