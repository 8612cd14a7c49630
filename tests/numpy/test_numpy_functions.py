"""One battery for every function of agar.numpy.

Samples, errors and references stand with the declarations and are read as those of the operators
are (tests/ops/test_operators.py). Values are compared with numpy in float64.
"""

from __future__ import annotations

import doctest
import functools
import inspect
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
import agar.numpy as mnp
from agar._core import precision
from agar.numpy import _declare
from ops import test_operators as battery

ENTRIES = list({id(entry): entry for entry in _declare.entries.values()}.values())
RANDOM, VALUE = "random", "value"  # draws; results that are no tensors

# By the type of the result: many functions compute in float32 whatever the input.
TOLERANCE = {torch.float32: (2e-5, 1e-5), torch.float16: (4e-3, 2e-3)}


def over(entries: list[Any]) -> Any:
    """Run a test for each of `entries`."""
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry.name)


def function(entry: Any) -> Any:
    """The public function of an entry."""
    return _declare.find(entry.name.removeprefix("numpy."))


def call(entry: Any, args: tuple, kwargs: dict) -> Any:
    """The public function on copies of torch tensors."""
    return function(entry)(*battery.wrapped(args), **battery.wrapped(kwargs))


def samples(entry: Any) -> list[tuple[str, tuple, dict]]:
    return [(text, *battery.arguments(text)) for text in entry.samples]


def flat(value: Any) -> list[Any]:
    """The leaves of a nest of tuples and lists, left to right."""
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in flat(part)]
    return [value]


def to_numpy(value: Any) -> Any:
    return value.numpy() if isinstance(value, torch.Tensor) else value


@over(ENTRIES)
def test_declaration(entry):
    assert entry.samples, "no samples"
    assert entry.reference or entry.tags or entry.name == "numpy.unique", "nothing to compare with"
    text = entry.doc
    for part in ("Returns:", "Difference from PyTorch:", "Source:", "Examples:"):
        assert part in text, part
    for name in inspect.signature(entry.impl).parameters:
        assert f"{name} (" in text or f"{name}:" in text, f"'{name}' is not described"


@over([e for e in ENTRIES if e.reference is not None])
def test_agrees_with_numpy(entry):
    for text, args, kwargs in samples(entry):
        bound = inspect.signature(entry.impl).bind(*args, **kwargs)
        bound.apply_defaults()
        named = dict(bound.arguments)
        if not entry.reference.startswith("torch."):
            named = battery.mapped(named, to_numpy)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy means to give some of its functions up
            try:
                expected = eval(entry.reference, {"np": np, "torch": torch, **named})
            except ValueError as error:
                if entry.name == "numpy.cross" and "3-dimensional" in str(error):
                    continue  # numpy 2.5 has given vectors of the plane up
                raise
        got = call(entry, args, kwargs)
        if VALUE in entry.tags:
            assert got == expected, text
            continue
        assert isinstance(expected, (tuple, list)) == isinstance(got, (tuple, list)), text
        for value, reference in zip(flat(got), flat(expected), strict=True):
            value = value.to_torch() if isinstance(value, ms.Tensor) else torch.tensor(value)
            tensor = torch.as_tensor(
                reference if isinstance(reference, torch.Tensor) else np.array(reference)
            )
            assert value.shape == tensor.shape, text
            rtol, atol = TOLERANCE.get(value.dtype, (1e-7, 1e-9))
            torch.testing.assert_close(
                value, tensor.to(value.dtype), rtol=rtol, atol=atol, equal_nan=True
            )


@over([e for e in ENTRIES if RANDOM not in e.tags and VALUE not in e.tags])
def test_runs_in_float32(entry):
    for text, args, kwargs in samples(entry):
        wide = battery.tensors(call(entry, args, kwargs))
        single = battery.in_type(args, torch.float32), battery.in_type(kwargs, torch.float32)
        for a, b in zip(battery.tensors(call(entry, *single)), wide, strict=True):
            assert a.shape == b.shape, text
            assert battery.kind(a.dtype) == battery.kind(b.dtype), text
            torch.testing.assert_close(
                a.to(b.dtype), b, rtol=1e-3, atol=1e-3, equal_nan=True, msg=lambda m, t=text: t + m
            )


def floating_results(
    entry: Any, args: tuple, kwargs: dict, values: tuple[torch.Tensor, ...]
) -> tuple[torch.Tensor, ...]:
    """What the function makes of the arguments with their floating tensors replaced by `values`."""
    new = iter(values)

    def swap(v: Any) -> Any:
        return next(new) if isinstance(v, torch.Tensor) and v.is_floating_point() else v

    args, kwargs = battery.mapped(args, swap), battery.mapped(kwargs, swap)
    output = function(entry)(
        *battery.mapped(args, battery.wrapped_view), **battery.mapped(kwargs, battery.wrapped_view)
    )
    result = battery.tensors(output)
    return tuple(t for t in result if t.dtype in (torch.float64, torch.complex128))


@over([e for e in ENTRIES if e.differentiable])
def test_gradient(entry):
    for text, args, kwargs in samples(entry):
        leaves = [t for t in battery.tensors((args, kwargs)) if t.is_floating_point()]
        if not leaves or any(torch.isnan(t).any() for t in leaves):
            continue
        compute = functools.partial(floating_results, entry, args, kwargs)
        inputs = tuple(t.detach().clone().requires_grad_() for t in leaves)
        if not any(t.requires_grad for t in compute(inputs)):
            continue
        assert torch.autograd.gradcheck(
            lambda *values, compute=compute: compute(values),
            inputs,
            eps=1e-6,
            atol=1e-4,
            rtol=1e-3,
            fast_mode=True,
        ), text


@over([e for e in ENTRIES if _declare.find(e.name.removeprefix("numpy.")).__name__ != "pad"])
def test_precision_scope(entry, monkeypatch):
    seen: list[torch.dtype] = []

    class Stop(Exception):
        pass

    def record(*args: Any, **kwargs: Any) -> Any:
        seen.extend(
            t.dtype for t in battery.tensors((args, kwargs)) if t.is_floating_point() and t.ndim
        )
        raise Stop

    for text, args, kwargs in samples(entry):
        args = battery.in_type(args, torch.float32)
        kwargs = battery.in_type(kwargs, torch.float32)
        call(entry, args, kwargs)  # the face is made now, over the implementation
        seen.clear()
        with monkeypatch.context() as patch, precision.scope(precision.CastScope(torch.float16)):
            patch.setattr(entry, "impl", record)
            with pytest.raises(Stop):
                call(entry, args, kwargs)
        assert set(seen) <= {torch.float16 if entry.cast == "float" else torch.float32}, text


@over([e for e in ENTRIES if e.errors])
def test_errors(entry):
    for text, error, words in entry.errors:
        args, kwargs = battery.arguments(text)
        with pytest.raises(error) as caught:
            call(entry, args, kwargs)
        message = str(caught.value)
        assert caught.type is error, f"{text}: {caught.type.__name__}: {message}"
        assert words in message, f"{text}: {message}"
        assert entry.name in message, f"{text}: {message}"


PLAIN = {f"numpy.{name}": made for name, made in _declare.published().items()}


@pytest.mark.parametrize(
    "text",
    [*(e.doc for e in ENTRIES), *map(inspect.getdoc, PLAIN.values())],
    ids=[*(e.name for e in ENTRIES), *PLAIN],
)
def test_examples(text):
    test = doctest.DocTestParser().get_doctest(text or "", {}, "example", None, None)
    assert test.examples
    runner = doctest.DocTestRunner(battery._Checker(), optionflags=doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


# ------------------------------------------------------------------------------ names and paths


def test_every_name_is_there():
    for name in (*mnp.__all__, "around", "copy", "matrix_power", "round", "inf", "nan", "pi"):
        assert getattr(mnp, name) is not None
    for module in (mnp.array_creations, mnp.array_ops, mnp.math_ops, mnp.logic_ops, mnp.fft):
        assert module.__all__
        for name in module.__all__:
            assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mnp.nothing
    with pytest.raises(AttributeError, match="no attribute 'sin'"):
        mnp.logic_ops.sin


def test_aliases_are_one_function():
    assert mnp.abs is mnp.absolute is mnp.fabs
    assert mnp.max is mnp.amax
    assert mnp.min is mnp.amin
    assert mnp.mod is mnp.remainder
    assert mnp.round is mnp.around
    assert mnp.bitwise_not is mnp.invert
    assert mnp.math_ops.mean is mnp.mean
    assert mnp.math_ops.sum_ is mnp.sum
    assert mnp.array_creations.asarray_const is mnp.asarray
    assert mnp.mean.__module__ == "agar.numpy.math_ops"


def test_types_and_constants():
    assert mnp.int_ is ms.int32
    assert mnp.uint is ms.uint32
    assert mnp.float_ is ms.float32
    assert mnp.pi == np.pi
    assert mnp.inf == float("inf")
    assert mnp.NINF == -mnp.PINF
    assert np.isnan(mnp.nan)
    assert mnp.promote_types("int", "float") is ms.float32
    assert mnp.result_type("i2", mnp.array([1.0]), True) is ms.float32
    with pytest.raises(TypeError, match=r"numpy\.result_type"):
        mnp.result_type("nothing")
    with pytest.raises(TypeError, match=r"numpy\.promote_types"):
        mnp.promote_types(ms.complex64, ms.int8)


# ---------------------------------------------------------------------- what the battery leaves out


def test_random_numbers_are_those_of_mindspore():
    ms.set_seed(11)
    rounds = (
        (
            [0.65693974, 0.43028387, 0.07240073],
            [-1.0104951, -1.223874, -0.6632671],
            [7, 6, 4, 4],
            [1],
            [0.7949441, 0.5280309],
            [0.34265947],
        ),
        (
            [0.5425453, 0.45648858, 0.448755],
            [-0.7575526, -1.7914021, 0.76434714],
            [4, 3, 5, 9],
            [4],
            [0.77397513, 0.98387694],
            [0.8586822],
        ),
    )
    for uniform, normal, integers, one, pair, single in rounds:
        np.testing.assert_allclose(mnp.rand(3).asnumpy(), uniform, rtol=1e-6)
        np.testing.assert_allclose(mnp.randn(3).asnumpy(), normal, rtol=1e-6)
        assert mnp.randint(0, 10, (4,)).asnumpy().tolist() == integers
        assert mnp.randint(5).asnumpy().tolist() == one
        np.testing.assert_allclose(mnp.rand((2,)).asnumpy(), pair, rtol=1e-6)
        np.testing.assert_allclose(mnp.rand().asnumpy(), single, rtol=1e-6)


def test_grids():
    assert mnp.mgrid[0:3, 1:3].shape == (2, 3, 2)
    assert [x.shape for x in mnp.ogrid[0:3, 1:3]] == [(3, 1), (1, 2)]
    assert mnp.ogrid[0:2:5j].asnumpy().tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    with pytest.raises(TypeError, match=r"numpy\.mgrid"):
        mnp.mgrid[0.5:2]


def test_functions_of_functions():
    x = mnp.array([[1.0, 2.0], [3.0, 4.0]])
    assert mnp.apply_along_axis(lambda v, k: v * k, 0, x, 2).asnumpy().tolist() == [[2, 4], [6, 8]]
    assert mnp.apply_along_axis(mnp.diag, -1, x).shape == (2, 2, 2)
    assert mnp.apply_over_axes(mnp.sum, x, (0, 1)).asnumpy().tolist() == [[10.0]]
    with pytest.raises(ValueError, match=r"numpy\.apply_over_axes"):
        mnp.apply_over_axes(lambda v, axis: v.sum(), x, 0)
    with pytest.raises(TypeError, match=r"numpy\.apply_along_axis"):
        mnp.apply_along_axis(mnp.sum, 0, [1.0])
    with pytest.raises(ValueError, match=r"numpy\.piecewise"):
        mnp.piecewise(x, [x < 2], [1, 2, 3])
    grad = ms.grad(lambda v: mnp.apply_along_axis(lambda row: row * row, 0, v).sum())(x)
    assert grad.asnumpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_pad_by_a_function():
    def fill(line, width, axis, kwargs):
        line[: width[0]] = kwargs["value"]
        line[len(line) - width[1] :] = kwargs["value"]
        return line

    result = mnp.pad(mnp.array([[1, 2]]), 1, fill, value=7)
    assert result.asnumpy().tolist() == [[7, 7, 7, 7], [7, 1, 2, 7], [7, 7, 7, 7]]
    with pytest.raises(TypeError, match="unexpected keyword argument 'value'"):
        mnp.pad(mnp.array([1]), 1, value=7)


def test_wide_unsigned_integers():
    x = mnp.array([1, 65535], "uint16")
    assert mnp.add(x, x).dtype is ms.uint16
    assert mnp.add(x, x).asnumpy().tolist() == [2, 65534]
    assert mnp.invert(x).asnumpy().tolist() == [65534, 0]
    assert mnp.concatenate((x, mnp.array([1], "int8"))).dtype is ms.int32


def test_conversions_at_mindspores_path():
    from agar.numpy import utils, utils_const

    x, y = utils._to_tensor(mnp.array([1.0]), [1, 2])
    assert (x.dtype, y.dtype) == (ms.float32, ms.int32)
    assert utils._to_tensor_origin_dtype([1, 2]).dtype is ms.int64
    assert utils_const._promote(ms.uint8, ms.int8) is ms.int16
    assert utils_const._check_dtype("float") is ms.float32
    assert utils_const._check_shape(3) == (3,)


def test_gradients_through_lists_of_tensors():
    x, y = ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])

    def loss(a, b):
        return (mnp.array([a, b]) * mnp.array([1.0, 2.0])).sum()

    first, second = ms.grad(loss, (0, 1))(x, y)
    assert first.asnumpy().tolist() == second.asnumpy().tolist() == [1.0, 2.0]
    with precision.scope(precision.CastScope(torch.float16)):
        first, second = ms.grad(loss, (0, 1))(x, y)
    assert first.asnumpy().tolist() == second.asnumpy().tolist() == [1.0, 2.0]

    def product(a, b):
        return mnp.sum(mnp.multi_dot([a.reshape((1, 2)), mnp.eye(2), b.reshape((2, 1))]))

    for scope in (None, torch.float16):
        with precision.scope(precision.CastScope(scope)):
            first, second = ms.grad(product, (0, 1))(x, y)
        assert first.asnumpy().tolist() == [3.0, 4.0]
        assert second.asnumpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("level", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_in_both_modes(level):
    def compute(x):
        rows = mnp.stack((mnp.sin(x), mnp.where(x > 0, x, 0.5)))
        return mnp.sum(mnp.matmul(rows, mnp.linspace(0, 1, 3)) ** 2) + mnp.std(x)

    before = ms.get_context("mode")
    ms.set_context(mode=level)
    try:
        x = ms.Tensor([0.5, -1.0, 2.0])
        value, grad = ms.value_and_grad(ms.jit(compute))(x)
    finally:
        ms.set_context(mode=before)
    np.testing.assert_allclose(value.asnumpy(), 6.525938, rtol=1e-5)
    assert np.isfinite(grad.asnumpy()).all()
