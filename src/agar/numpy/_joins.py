"""Joining tensors, and cutting them into parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import (
    Tensor,
    axis_of,
    home,
    parts_of,
    to_common,
)
from agar.numpy._shapes import in_three
from agar.ops._checks import integer

_array = home("array_ops")


# ------------------------------------------------------------------------------------- joins


@_array(
    "concatenate",
    cast="never",
    samples=(
        "(f(2), f(3))",
        "(f(2, 2), f(2, 1)), 1",
        "(f(2, 2), f(1)), None",
        "[f(2, 2), f(2, 1)], -1",
        "f(2, 2, 3), 1",
    ),
    errors=(
        ("None", TypeError, "numpy.concatenate"),
        ("(f(2, 2), f(1, 3))", ValueError, "numpy.concatenate"),
        ("(f(2), f(2)), 1", ValueError, "numpy.concatenate"),
        ("()", ValueError, "numpy.concatenate"),
    ),
    reference="np.concatenate(arrays, axis)",
)
def _concatenate(arrays: Tensor | Sequence[Tensor], axis: int | None = 0) -> Tensor:
    """Join tensors along a dimension they have.

    Args:
        arrays (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor stands for
            its parts along the first dimension.
        axis (int): the dimension. None or more than 31: all are flattened first. Default: 0.

    Returns: Tensor of the common type.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there is no tensor, the shapes do not fit, or `axis` is out of range.
    Difference from PyTorch: `axis` may be None.

    >>> import agar.numpy as mnp
    >>> print(mnp.concatenate((mnp.array([1, 2]), mnp.array([3]))))
    [1 2 3]
    """
    parts = parts_of("concatenate", arrays) if isinstance(arrays, Tensor) else list(arrays)
    return _joined("concatenate", parts, axis)


def _joined(op_name: str, parts: Sequence[Tensor], axis: Any) -> Tensor:
    if not parts:
        raise ValueError(f"For 'numpy.{op_name}', at least one tensor must be given, but got none.")
    if axis is None or (isinstance(axis, int) and axis >= 32):
        parts, axis = [x.reshape(-1) for x in parts], 0
    place = axis_of(f"numpy.{op_name}", axis, parts[0].ndim)
    if any(x.ndim != parts[0].ndim for x in parts):
        raise ValueError(
            f"For 'numpy.{op_name}', all tensors must have the same number of dimensions, but the "
            f"shapes are {[list(x.shape) for x in parts]}."
        )
    return torch.cat(to_common(*parts), place)


@_array(
    "append",
    cast="never",
    samples=("f(2), f(3)", "f(2, 2), f(1, 2), 0", "f(2, 2), i(1)"),
    errors=(
        ("f(2, 2), f(2), 0", ValueError, "numpy.append"),
        ("f(2, 2), f(1, 2), 3", ValueError, "numpy.append"),
        ("f(2), [1]", TypeError, "numpy.append"),
    ),
    reference="np.append(arr, values, axis)",
)
def _append(arr: Tensor, values: Tensor, axis: int | None = None) -> Tensor:
    """Join two tensors.

    Args:
        arr (Tensor): the first tensor.
        values (Tensor): the second.
        axis (int): the dimension. Default None: both are flattened first.

    Returns: Tensor of the common type.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the shapes do not fit, or `axis` is out of range.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.append(mnp.array([1, 2]), mnp.array([[3]])))
    [1 2 3]
    """
    return _joined("append", (arr, values), axis)


def _stacking(
    name: str,
    words: str,
    compute: Callable[[list[Tensor]], tuple[list[Tensor], int]],
    shown: str,
) -> None:
    """Declare a join after dimensions were added; `compute` gives the parts and the axis."""

    def impl(tup: Tensor | Sequence[Tensor]) -> Tensor:
        if isinstance(tup, Tensor):
            return tup
        if not tup:
            raise ValueError(f"For 'numpy.{name}', at least one tensor must be given.")
        parts, axis = compute(list(tup))
        return _joined(name, parts, axis)

    impl.__name__ = name
    impl.__doc__ = f"""{words}.

    Args:
        tup (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor is returned
            as it is.

    Returns:
        Tensor of the common type.

    Raises:
        TypeError: an argument is of another type.
        ValueError: there is no tensor, or the shapes do not fit.

    Difference from PyTorch: a single tensor is returned as it is.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}((mnp.array([1, 2]), mnp.array([3, 4]))))
        {shown}
    """
    _array(
        name,
        cast="never",
        samples=("(f(2), f(2))", "[f(2, 2), f(2, 2)]", "(i(2), f(2))"),
        errors=(
            ("()", ValueError, f"numpy.{name}"),
            ("3", TypeError, f"numpy.{name}"),
            ("(f(2, 2), f(3, 3))", ValueError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(tup)",
    )(impl)


_stacking(
    "column_stack",
    "Join tensors along the second dimension; rows become columns first",
    lambda parts: ([x.reshape(-1, 1) if x.ndim < 2 else x for x in parts], 1),
    "[[1 3]\n         [2 4]]",
)
_stacking(
    "vstack",
    "Join tensors along the first dimension; rows become matrices first",
    lambda parts: ([x.reshape(1, -1) if x.ndim < 2 else x for x in parts], 0),
    "[[1 2]\n         [3 4]]",
)


def _beside(parts: list[Tensor]) -> tuple[list[Tensor], int]:
    parts = [x.reshape(1) if x.ndim == 0 else x for x in parts]
    return parts, 0 if parts[0].ndim == 1 else 1


_stacking(
    "hstack",
    "Join tensors along the second dimension, rows along the first",
    _beside,
    "[1 2 3 4]",
)
_stacking(
    "dstack",
    "Join tensors along the third dimension, which is added where it is missing",
    lambda parts: ([in_three(x) for x in parts], 2),
    "[[[1 3]\n          [2 4]]]",
)


@_array(
    "stack",
    cast="never",
    samples=("(f(2), f(2))", "[f(2), f(2)], 1", "(f(2), i(2)), -1", "f(2, 3, 4), 1"),
    errors=(
        ("(f(2), f(3))", ValueError, "numpy.stack"),
        ("3", TypeError, "numpy.stack"),
        ("()", ValueError, "numpy.stack"),
    ),
    reference="np.stack(arrays, axis)",
)
def _stack(arrays: Tensor | Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors of one shape along a new dimension.

    Args:
        arrays (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor stands for
            its parts along the first dimension.
        axis (int): the place of the new dimension. Default: 0.

    Returns: Tensor of the common type.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there is no tensor, the shapes differ, or `axis` is out of range.
    Difference from PyTorch: types may differ.

    >>> import agar.numpy as mnp
    >>> print(mnp.stack((mnp.array([1, 2]), mnp.array([3, 4])), 1))
    [[1 3]
     [2 4]]
    """
    parts = parts_of("stack", arrays) if isinstance(arrays, Tensor) else list(arrays)
    if not parts:
        raise ValueError("For 'numpy.stack', at least one tensor must be given, but got none.")
    return torch.stack(to_common(*parts), axis_of("numpy.stack", axis, parts[0].ndim + 1))


# ------------------------------------------------------------------------------------- parts


def _splitting(name: str, axis: int | None, words: str, example: tuple[str, str]) -> None:
    """Declare a split along a fixed dimension, or with `axis` None along one that is given."""
    uneven = name == "array_split"

    def split(x: Tensor, indices_or_sections: Any, place: Any) -> Any:
        place = axis_of(f"numpy.{name}", place, x.ndim)
        length = x.shape[place]
        expected = indices_or_sections
        if isinstance(expected, int) and not isinstance(expected, bool):
            integer(f"numpy.{name}", "indices_or_sections", expected, 1)
            if not uneven and length % expected:
                raise ValueError(
                    f"For 'numpy.{name}', {expected} equal parts of {length} elements do not "
                    "exist; array_split makes unequal ones."
                )
            return x.tensor_split(expected, place)
        if not isinstance(expected, (tuple, list)) or not all(type(n) is int for n in expected):
            raise TypeError(
                f"For 'numpy.{name}', 'indices_or_sections' must be an int, or a tuple or list of "
                f"int, but got {expected!r}."
            )
        ends = [n + length if n < 0 else n for n in expected] + [length]
        starts = [0, *ends[:-1]]
        if any(end <= start for start, end in zip(starts, ends, strict=True)):
            raise ValueError(
                f"For 'numpy.{name}', the places {expected} of {length} elements leave an empty "
                "part."
            )
        return [x.narrow(place, a, b - a) for a, b in zip(starts, ends, strict=True)]

    def chosen(x: Tensor, indices_or_sections: Any, axis: int = 0) -> Any:
        return split(x, indices_or_sections, axis)

    def fixed(x: Tensor, indices_or_sections: Any) -> Any:
        return split(x, indices_or_sections, axis)

    impl = chosen if axis is None else fixed

    line = "        axis (int): the dimension. Default: 0.\n" if axis is None else ""
    shape, text = example
    impl.__name__ = name
    impl.__doc__ = (
        f"{words}.\n\n"
        "    Args:\n"
        "        x (Tensor): the input.\n"
        "        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or\n"
        "            the places where to cut.\n"
        f"{line}\n"
        "    Returns:\n"
        "        tuple of Tensors for a number of parts, list of Tensors for places.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: the parts are not equal, one is empty, or there is no such axis.\n\n"
        "    Difference from PyTorch: an int counts parts, not their size.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar.numpy as mnp\n"
        f"        >>> [part.shape for part in mnp.{name}(mnp.ones({shape}), 2)]\n"
        f"        {text}\n"
    )
    result = (
        ("f(4), 2", "f(5), [1, 3]", "f(2, 4), 2, 1")
        if axis is None
        else ("f(4, 4, 4), 2", "f(4, 4, 4), (1, 3)")
    )
    _array(
        name,
        cast="never",
        samples=result,
        errors=(
            ("f(4, 4, 4), 2.0", TypeError, f"numpy.{name}"),
            ("f(4, 4, 4), [3, 1]", ValueError, f"numpy.{name}"),
            ("f(4, 4, 4), 0", ValueError, f"numpy.{name}"),
            ("f(), 2", ValueError, f"numpy.{name}"),
            ("[1], 1", TypeError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(x, indices_or_sections{', axis' if axis is None else ''})",
    )(impl)


_splitting(
    "split", None, "Cut a tensor into equal parts, or at given places", ("4", "[(2,), (2,)]")
)
_splitting(
    "array_split",
    None,
    "Cut a tensor into parts whose sizes differ by one at most, or at given places",
    ("5", "[(3,), (2,)]"),
)
_splitting("vsplit", 0, "Cut a tensor along the first dimension", ("(4, 2)", "[(2, 2), (2, 2)]"))
_splitting("hsplit", 1, "Cut a tensor along the second dimension", ("(2, 4)", "[(2, 2), (2, 2)]"))
_splitting(
    "dsplit",
    2,
    "Cut a tensor along the third dimension",
    ("(1, 2, 4)", "[(1, 2, 2), (1, 2, 2)]"),
)
