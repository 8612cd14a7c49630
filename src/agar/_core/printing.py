"""The text of tensors: what ``str``, ``repr`` and ``print`` inside compiled code show.

Two printers live side by side in MindSpore and both are reproduced here: ``str`` is numpy's (so
numpy's print options apply), ``repr`` and graph-mode ``print`` are MindSpore's own. The functions
take plain torch tensors of any device; no more elements leave the device, or are formatted, than
the text shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
import torch

# repr: one-dimensional tensors are shown whole up to this length ...
_FULL_LENGTH = 1000
# ... and every dimension of the others up to this one; above, this many elements at either end.
_FULL_DIM = 6
_EDGE = 3

_FLOATS = {torch.float16: (4, 11), torch.float32: (8, 15), torch.float64: (8, 15)}
_BOOL_WIDTH = 5


def tensor_str(t: torch.Tensor) -> str:
    """The text of ``str(tensor)``: numpy's, under numpy's print options of the moment.

    bfloat16 and the 8-bit floats, which numpy lacks, show six decimals and no padding.

    Args:
        t: a tensor of any dtype, shape and device.
    """
    t = t.detach()
    is_extension = _is_extension_float(t.dtype)
    if t.dim() == 0:
        return _fixed(t.item()) if is_extension else _numpy_scalar(_to_numpy(t.reshape(1))[0])
    options = np.get_printoptions()
    threshold = options["threshold"]
    if t.numel() > threshold:
        # One element more than both edges makes numpy abridge the small copy at the same places.
        edge = options["edgeitems"]
        t = _pick(t, [_edges(n, 2 * edge, edge, edge + 1) for n in t.shape])
        threshold = 0
    if is_extension:
        array = _to_numpy(t.float())
        return np.array2string(array, threshold=threshold, formatter={"float_kind": _fixed})
    return np.array2string(_to_numpy(t), threshold=threshold)


def tensor_repr(t: torch.Tensor, dtype_name: str) -> str:
    """The text of ``repr(tensor)``.

    Args:
        t: a tensor of any dtype, shape and device.
        dtype_name: for example ``"Float32"``.
    """
    if t.dim() == 0:
        return _frame((), dtype_name, " " + _scalar(*_values(t)))
    gap = " " if t.dim() == 1 else ""
    return _frame(t.shape, dtype_name, gap + _body(t, ", "))


def graph_text(t: torch.Tensor, dtype_name: str) -> str:
    """The text that ``print`` inside compiled code gives for a tensor.

    Elements stand apart by blanks; a 0-d tensor is its bare value, a truth value 1 or 0 and a
    complex one a pair.

    Args:
        t: a tensor of any dtype, shape and device.
        dtype_name: for example ``"Float32"``.
    """
    if t.dim() > 0:
        return _frame(t.shape, dtype_name, _body(t, " "))
    (value,) = _values(t)
    if isinstance(value, complex):
        return f"({_general(value.real)},{_general(value.imag)})"
    return _scalar(int(value) if isinstance(value, bool) else value)


def dynamic_repr(shape: Sequence[int] | None, dtype_name: str) -> str:
    """The text of ``repr`` for a tensor that stands for inputs of varying shape.

    Args:
        shape: -1 (or None) for each dimension that varies; None when even the rank does.
        dtype_name: for example ``"Float32"``.
    """
    if shape is None:
        return _frame((-2,), dtype_name, " ")
    known = [-1 if n is None else n for n in shape]
    return _frame(known, dtype_name, " " if len(known) < 2 else "")


def uninitialized_text(shape: Sequence[int], dtype_name: str) -> str:
    """The text of a tensor whose initializer has not run.

    Args:
        shape: its shape.
        dtype_name: for example ``"Float32"``.
    """
    return _frame(shape, dtype_name, "<uninitialized>")


def _frame(shape: Sequence[int], dtype_name: str, body: str) -> str:
    line = "\n" if len(shape) > 1 else ""
    return f"Tensor(shape={list(shape)}, dtype={dtype_name}, value={line}{body})"


def _body(t: torch.Tensor, separator: str) -> str:
    if t.numel() == 0:
        return ""
    t = t.detach()
    full = _FULL_LENGTH if t.dim() == 1 else _FULL_DIM
    result = _pick(t, [_edges(n, full, _EDGE, _EDGE) for n in t.shape])
    items = _aligned(result)
    if t.dim() == 1 and len(items) == t.shape[0]:
        return _wrapped(items, 12 if t.dtype in _FLOATS or t.dtype is torch.bool else 24, separator)
    return _nested(iter(items), t.shape, 1, separator)


def _nested(items: Iterator[str], shape: Sequence[int], depth: int, separator: str) -> str:
    """Bracket ``items``, which runs through the shown elements in row-major order."""
    size = shape[0]
    last = len(shape) == 1
    cut = size > _FULL_DIM
    count = 2 * _EDGE if cut else size
    rows = [
        next(items) if last else _nested(items, shape[1:], depth + 1, separator)
        for _ in range(count)
    ]
    line = "\n" + " " * depth
    between = separator if last else separator.rstrip(" ") + line
    if not cut:
        return "[" + between.join(rows) + "]"
    # The row before the dots keeps its comma, the element before them does not.
    dots = " ... " if last else between + "..." + line
    return "[" + between.join(rows[:_EDGE]) + dots + between.join(rows[_EDGE:]) + "]"


def _wrapped(items: list[str], per_line: int, separator: str) -> str:
    lines = [separator.join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
    # A full last line is broken as well: MindSpore counts the element, then breaks.
    end = "\n ]" if len(items) % per_line == 0 else "]"
    return "[" + (separator + "\n ").join(lines) + end


def _aligned(t: torch.Tensor) -> list[str]:
    """The text of every element, row-major, padded as its dtype demands."""
    values = _values(t)
    if t.dtype is torch.bool:
        return [str(v).rjust(_BOOL_WIDTH) for v in values]
    if t.dtype in _FLOATS:
        digits, width = _FLOATS[t.dtype]
        return [_scientific(v, digits).rjust(width) for v in values]
    texts = [_scalar(v) for v in values]
    if t.dtype.is_complex:
        return texts
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _values(t: torch.Tensor) -> list[bool | int | float | complex]:
    """The elements as Python numbers, row-major."""
    values = t.reshape(-1).tolist()
    if _is_extension_float(t.dtype):
        # torch's casts to these types may set the sign bit of a nan; showing it would mislead.
        return [math.nan if math.isnan(v) else v for v in values]
    return values


def _edges(size: int, full: int, first: int, last: int) -> list[int] | None:
    """Which indices of a dimension are shown; None when all are."""
    if size <= full:
        return None
    return [*range(first), *range(size - last, size)]


def _pick(t: torch.Tensor, indices: list[list[int] | None]) -> torch.Tensor:
    """The elements at the given indices of every dimension, in one gather on t's device."""
    if all(index is None for index in indices):
        return t
    grid = [
        torch.tensor(list(range(size)) if index is None else index, device=t.device).reshape(
            [-1] + [1] * (t.dim() - d - 1)
        )
        for d, (size, index) in enumerate(zip(t.shape, indices, strict=True))
    ]
    return t[tuple(grid)]


def _to_numpy(t: torch.Tensor) -> np.ndarray:
    return t.cpu().resolve_conj().resolve_neg().numpy()


def _numpy_scalar(x: np.generic) -> str:
    """The text numpy gives a scalar, as every version before 2.3 did.

    Later ones turn to the exponent form earlier in the smaller float types.
    """
    if isinstance(x, np.floating):
        return _shortest(x, trim="0")
    if not isinstance(x, np.complexfloating):
        return str(x)
    imag = _shortest(x.imag, trim="-")
    if x.real == 0 and not np.signbit(x.real):
        return imag + "j"
    sign = "" if imag.startswith("-") else "+"
    return f"({_shortest(x.real, trim='-')}{sign}{imag}j)"


def _shortest(x: np.floating, trim: Literal["0", "-"]) -> str:
    """The fewest digits that give x back in its own type."""
    size = abs(float(x))
    if not math.isfinite(size):
        return str(float(x))
    if size == 0 or 1e-4 <= size < 1e16:
        return np.format_float_positional(x, trim=trim)
    return np.format_float_scientific(x, trim="-", exp_digits=2)


def _is_extension_float(dtype: torch.dtype) -> bool:
    return dtype.is_floating_point and dtype not in _FLOATS


def _scalar(value: bool | int | float | complex) -> str:
    if isinstance(value, complex):
        imag = _general(value.imag)
        return _general(value.real) + (imag if imag.startswith("-") else "+" + imag) + "j"
    return _general(value) if isinstance(value, float) else str(value)


def _signed_nan(form: Callable[..., str]) -> Callable[..., str]:
    """C++ streams show the sign of a nan, which Python drops."""

    def formatted(value: float, *args: int) -> str:
        if math.isnan(value):
            return "-nan" if math.copysign(1.0, value) < 0 else "nan"
        return form(value, *args)

    return formatted


@_signed_nan
def _general(value: float) -> str:
    return f"{value:g}"


@_signed_nan
def _scientific(value: float, digits: int) -> str:
    return f"{value:.{digits}e}"


def _fixed(value: float | np.floating) -> str:
    return f"{value:f}"
