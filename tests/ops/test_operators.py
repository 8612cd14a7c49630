"""One battery for every entry of the operator table.

How samples become arguments is in tests/battery.py.
"""

from __future__ import annotations

import doctest
import functools
import inspect
import re
from typing import Any

import numpy as np
import pytest
import torch

from agar._core import optable, precision
from battery import (
    ENTRIES,
    REFUSALS,
    REPEATABLE,
    arguments,
    bindings,
    every_entry,
    in_type,
    kind,
    mapped,
    name_of,
    over,
    tensors,
    unwrapped,
    wrapped,
    wrapped_view,
)
from references import REFERENCES

NARROW = (torch.float32, torch.float16, torch.bfloat16)
SAME = "Returns:\n    Tensor of the input's shape and dtype.\n"
AMBIGUOUS = "ambiguous"  # eigenvectors have no sign


def _samples(entry: optable.Op) -> list[tuple[str, tuple, dict]]:
    return [(text, *arguments(text)) for text in entry.samples]


def test_every_entry_has_samples_and_a_description():
    without = [name_of(e) for e in ENTRIES if not e.samples]
    assert not without, without
    undocumented = [name_of(e) for e in ENTRIES if not (e.doc or "").strip()]
    assert not undocumented, undocumented


@over(REPEATABLE)
def test_faces_agree(entry):
    for text, args, kwargs in _samples(entry):
        results = {
            name: tensors(call(*wrapped(args), **wrapped(kwargs)))
            for name, call in bindings(entry, args, kwargs).items()
        }
        assert results, f"{name_of(entry)} has no face that takes {text}"
        first = next(iter(results.values()))
        for name, result in results.items():
            assert len(result) == len(first), name
            for a, b in zip(result, first, strict=True):
                assert a.dtype is b.dtype, (name, text)
                torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12, equal_nan=True)


@over([e for e in ENTRIES if "Args:" in e.doc and SAME in e.doc])
def test_result_is_like_the_input(entry):
    """What documentation says of shape and dtype where a declaration says nothing else."""
    for text, args, kwargs in _samples(entry):
        (given, *_), call = (
            tensors((args, kwargs)),
            next(iter(bindings(entry, args, kwargs).values())),
        )
        (result,) = tensors(call(*wrapped(args), **wrapped(kwargs)))
        assert (result.shape, result.dtype) == (given.shape, given.dtype), text


@over([e for e in ENTRIES if e.reference is not None])  # others are torch's of the same meaning
def test_reference(entry):
    for _, args, kwargs in _samples(entry):
        bound = inspect.signature(entry.impl).bind(*args, **kwargs)
        bound.apply_defaults()
        named = bound.arguments
        if "torch." not in entry.reference:  # numpy's functions want arrays
            named = mapped(named, lambda v: v.numpy() if isinstance(v, torch.Tensor) else v)
        expected = eval(entry.reference, {"np": np, "torch": torch, **named})
        flat = expected if isinstance(expected, (tuple, list)) else (expected,)
        got = tensors(
            next(iter(bindings(entry, args, kwargs).values()))(*wrapped(args), **wrapped(kwargs))
        )
        for a, b in zip(got, flat, strict=True):
            b = b if isinstance(b, torch.Tensor) else torch.as_tensor(b)
            torch.testing.assert_close(a, b.to(a.dtype), rtol=1e-7, atol=1e-10, equal_nan=True)


def _comparable(value: Any) -> list[Any]:
    """Results as a flat list of tensors and Python values."""
    value = unwrapped(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)) and any(
        isinstance(unwrapped(v), (torch.Tensor, np.ndarray, np.generic, tuple, list)) for v in value
    ):
        return [part for v in value for part in _comparable(v)]
    return [torch.as_tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value]


@over([e for e in ENTRIES if name_of(e) in REFERENCES])
def test_against_what_is_written_down(entry):
    for text, args, kwargs in _samples(entry):
        given = mapped((args, kwargs), lambda v: v.clone() if isinstance(v, torch.Tensor) else v)
        reference = REFERENCES[name_of(entry)]
        expected = _comparable(reference(*given[0], **given[1]))
        call = next(iter(bindings(entry, args, kwargs).values()))
        result = mapped(call(*wrapped(args), **wrapped(kwargs)), unwrapped)
        # where the result itself is not unique, the reference says what of it is
        got = _comparable(reference.of(result) if hasattr(reference, "of") else result)
        assert len(got) == len(expected), text
        for a, b in zip(got, expected, strict=True):
            if not isinstance(a, torch.Tensor):
                assert a == b, text
                continue
            b = torch.as_tensor(b)
            assert a.shape == b.shape, text
            torch.testing.assert_close(
                a,
                b.to(a.dtype),
                rtol=1e-6 if a.dtype in (torch.float32, torch.complex64) else 1e-7,
                atol=1e-9,
                equal_nan=True,
                msg=lambda m, t=text: f"{t}: {m}",
            )


# Their references, over several steps and states, and recorded figures are in files of their own.
ELSEWHERE = ("agar.ops.ascend.", "agar.ops.optim.", "agar.ops.primitives.caches")
RECORDED = {"CTCLossV2Grad"}  # in test_cache_primitives.py


def test_every_entry_has_a_reference_and_errors():
    assert REFERENCES.keys() <= {name_of(e) for e in ENTRIES}
    without = [
        name_of(e)
        for e in REPEATABLE
        if e.reference is None
        and name_of(e) not in {*REFERENCES, *RECORDED}
        and not e.impl.__module__.startswith(ELSEWHERE)
    ]
    assert not without, without
    unchecked = {name_of(e) for e in ENTRIES if not e.errors}
    assert unchecked <= {"Tensor.T"}, "give errors=; only a property takes no wrong argument"


@over(REPEATABLE)
def test_narrow_types(entry):
    for text, args, kwargs in _samples(entry):
        if not any(t.is_floating_point() for t in tensors((args, kwargs))):
            continue
        call = next(iter(bindings(entry, args, kwargs).values()))
        wide = tensors(call(*wrapped(args), **wrapped(kwargs)))
        for dtype in NARROW:
            try:
                result = call(*wrapped(in_type(args, dtype)), **wrapped(in_type(kwargs, dtype)))
            except (TypeError, NotImplementedError):
                assert dtype is not torch.float32, f"{text} does not run in float32"
                continue  # torch has no kernel of this type
            for a, b in zip(tensors(result), wide, strict=True):
                if a.shape != b.shape:
                    continue  # the shape depends on the values, which rounding changed
                assert kind(a.dtype) == kind(b.dtype), (text, dtype)
                if dtype is torch.float32 and AMBIGUOUS not in entry.tags:
                    a, b = a.to(torch.complex128), b.to(torch.complex128)
                    torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3, equal_nan=True)


def _floating_results(
    entry: optable.Op, call: Any, args: tuple, kwargs: dict, values: tuple[torch.Tensor, ...]
) -> tuple[torch.Tensor, ...]:
    """What the operator makes of the arguments with their floating tensors replaced by `values`."""
    new = iter(values)

    def swap(v: Any) -> Any:
        return next(new) if isinstance(v, torch.Tensor) and v.is_floating_point() else v

    args, kwargs = mapped(args, swap), mapped(kwargs, swap)
    if entry.inplace is not None:  # a leaf must not be written into
        args = (args[0].clone(), *args[1:])
    result = tensors(call(*mapped(args, wrapped_view), **mapped(kwargs, wrapped_view)))
    return tuple(t for t in result if t.dtype in (torch.float64, torch.complex128))


@over([e for e in REPEATABLE if e.differentiable])
def test_gradient(entry):
    for text, args, kwargs in _samples(entry):
        leaves = [t for t in tensors((args, kwargs)) if t.is_floating_point()]
        if not leaves:
            continue
        call = next(iter(bindings(entry, args, kwargs).values()))
        compute = functools.partial(_floating_results, entry, call, args, kwargs)
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


@every_entry
def test_precision_scope(entry, monkeypatch):
    seen: list[torch.dtype] = []

    class Stop(Exception):
        pass

    def record(*args: Any, **kwargs: Any) -> Any:
        seen.extend(t.dtype for t in tensors((args, kwargs)) if t.is_floating_point())
        raise Stop

    for text, args, kwargs in _samples(entry):
        args, kwargs = in_type(args, torch.float32), in_type(kwargs, torch.float32)
        if not any(t.is_floating_point() for t in tensors((args, kwargs))):
            continue
        call = next(iter(bindings(entry, args, kwargs).values()))
        call(*wrapped(args), **wrapped(kwargs))  # faces are made now, over the implementation
        seen.clear()
        with monkeypatch.context() as patch, precision.scope(precision.CastScope(torch.float16)):
            patch.setattr(entry, "impl", record)
            with pytest.raises(Stop):
                call(*wrapped(args), **wrapped(kwargs))
        expected = torch.float16 if entry.cast == optable.CAST_FLOAT else torch.float32
        assert set(seen) <= {expected}, text


def _plain_name(text: str) -> str:
    """Function and class of one operator alike, and its versions: batch_norm, BatchNormV3."""
    return re.sub(r"v\d$", "", text.replace("_", "").lower())


def _names_operator(entry: optable.Op, message: str) -> bool:
    known = (entry.name, *entry.all_names, *entry.properties, *entry.mints)
    return any(_plain_name(n) in _plain_name(message) for n in known)


def _refusal(call: Any, args: tuple, kwargs: dict) -> tuple[list[torch.Tensor], str | None]:
    """The tensors of a result, or the message of the error in its place."""
    try:
        return tensors(call(*wrapped(args), **wrapped(kwargs))), None
    except REFUSALS as error:
        return [], str(error)


@every_entry
def test_empty_tensors(entry):
    """An empty first axis gives a result, or an error that names the operator."""
    for text, args, kwargs in _samples(entry):
        given = [t for t in tensors((args, kwargs)) if t.dim()]
        if not given:
            continue
        size = given[0].shape[0]

        def cut(v: Any, size: int = size) -> Any:
            fits = isinstance(v, torch.Tensor) and v.dim() and v.shape[0] == size
            return v[:0].clone() if fits else v

        args, kwargs = mapped(args, cut), mapped(kwargs, cut)
        call = next(iter(bindings(entry, args, kwargs).values()))
        refusal = _refusal(call, args, kwargs)[1]
        assert refusal is None or _names_operator(entry, refusal), f"{text}: {refusal}"


# Their second tensor says something about the first, whatever its shape.
UNLIKE = {"expand_as", "IndexPut", "reverse_sequence", "ReverseSequence", "DropoutDoMask"}


def _broadcasts(entry: optable.Op) -> bool:
    """Whether the first two parameters are tensors (or numbers) that play like parts."""
    kinds = list(entry.kinds.values())[:2]
    return len(kinds) == 2 and set(kinds) <= {"t", "s"} and entry.name not in UNLIKE


@over([e for e in REPEATABLE if e.inplace is None and _broadcasts(e)])
def test_broadcasting(entry):
    """Where the result has the shape of both tensors together, a further axis of one repeats it."""
    for text, args, kwargs in _samples(entry):
        if len(args) < 2 or not all(isinstance(v, torch.Tensor) and v.dim() for v in args[:2]):
            continue
        call = next(iter(bindings(entry, args, kwargs).values()))
        results = tensors(call(*wrapped(args), **wrapped(kwargs)))
        broadens = len(results) == 1 and results[0].shape == args[0].shape
        if not broadens or args[1].dim() > args[0].dim():
            continue
        stacked = (torch.stack([args[0], args[0]]), *args[1:])
        got, refusal = _refusal(call, stacked, kwargs)
        if refusal is not None:
            assert _names_operator(entry, refusal), f"{text}: {refusal}"
        else:
            torch.testing.assert_close(got[0], torch.stack([*results, *results]), equal_nan=True)


@every_entry
def test_errors(entry):
    for text, error, words in entry.errors:
        args, kwargs = arguments(text)
        call = next(iter(bindings(entry, args, kwargs).values()))
        with pytest.raises(error) as caught:
            call(*wrapped(args), **wrapped(kwargs))
        assert caught.type is error, text
        message = str(caught.value)
        assert words in message, f"{text}: {message}"
        assert _names_operator(entry, message), f"{text}: {message}"


_NUMBER = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")


class _Checker(doctest.OutputChecker):
    """Compares floats to single precision: the last digit differs between processors."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        texts = [re.sub(r"\s|\.(?!\d)", "", _NUMBER.sub("#", text)) for text in (want, got)]
        numbers = [[float(n) for n in _NUMBER.findall(text)] for text in (want, got)]
        return texts[0] == texts[1] and numbers[0] == pytest.approx(numbers[1], rel=1e-5, abs=1e-6)


@every_entry
def test_examples(entry):
    name = name_of(entry)
    test = doctest.DocTestParser().get_doctest(entry.doc, {}, name, None, None)
    runner = doctest.DocTestRunner(_Checker(), optionflags=doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)
