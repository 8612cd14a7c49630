"""Joining and repeating tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import integer, ints
from agar.ops.math.elementwise import common_dtype
from agar.ops.spec import Joined, op
from agar.ops.tensor.axes import axis_of, spread

__all__: list[str] = []


# ----------------------------------------------------------------------------------- joining


# torch.cat leaves out what has the shape (0,), whatever the rank of the others and the axis.
_CAT = Joined(torch.cat, ranks=True)
_STACK = Joined(torch.stack)


def _common(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Tensors in their common type; nothing is done where the types agree already."""
    first = tensors[0].dtype
    for other in tensors:
        if other.dtype is not first:
            break
    else:
        return tensors if type(tensors) is list else list(tensors)
    for other in tensors:
        first = common_dtype(first, other.dtype)
    return [other.to(first) for other in tensors]


def _not_empty(op_name: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise ValueError(f"For '{op_name}', at least one tensor must be given, but got none.")


def _cat(op_name: str, tensors: Tensor | Sequence[Tensor], axis: Any, name: str = "axis") -> Tensor:
    if type(tensors) is not list and isinstance(tensors, Tensor):
        raise TypeError(
            f"For '{op_name}', 'tensors' must be a tuple or list of Tensors, but got one Tensor; "
            f"write {op_name}((x, y))."
        )
    if not tensors:
        _not_empty(op_name, tensors)
    rank = tensors[0].ndim
    if type(axis) is not int or not -rank <= axis < rank:
        axis = axis_of(op_name, axis, rank, name)
    if any(t.ndim != rank for t in tensors):
        shapes = ", ".join(str(tuple(t.shape)) for t in tensors)
        raise ValueError(f"For '{op_name}', all tensors must have one rank, but got {shapes}.")
    return torch.cat(_common(tensors), axis)


_CAT_ERRORS = (
    ("(f(1, 2), f(1, 3))", ValueError, "must match"),
    ("()", ValueError, "at least one"),
    ("(f(2), f(2)), 1", ValueError, "must be in the range"),
    ("(f(0), f(0)), 1", ValueError, "must be in the range"),
    ("(f(2, 2), f(0))", ValueError, "must have one rank"),
    ("f(2)", TypeError, "one Tensor"),
    ("(f(2), 1.0)", TypeError, "tensors[1]"),
)


@op(
    primitive="Concat(axis)",
    function=("cat", "concat"),
    samples=("(f(2), f(3))", "[f(1, 2), f(1, 3)], 1", "(f(2), i(3))"),
    errors=_CAT_ERRORS,
    fast=_CAT,
)
def cat(tensors: Tensor | Sequence[Tensor], axis: int = 0, *, _op_name: str = "cat") -> Tensor:
    """Join tensors along an existing axis.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        axis (int): the axis. Default: 0.

    Returns: Tensor of the common type.
    Raises TypeError: an element is not a Tensor, or the types cannot be combined.
    Raises ValueError: there is no tensor, the sizes differ or `axis` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.cat((ms.Tensor([1, 2]), ms.Tensor([3]))))
    [1 2 3]
    """
    return _cat(_op_name, tensors, axis)


@op(
    "cat",
    function=False,
    mint=("cat", "concat"),
    samples=("(f(2), f(3))", "[f(1, 2), f(1, 3)], 1"),
    errors=_CAT_ERRORS,
    fast=_CAT,
)
def _cat_mint(tensors: Tensor | Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along an existing axis; see :func:`ops.cat`.

    >>> print(ms.mint.cat((ms.Tensor([1, 2]), ms.Tensor([3]))))
    [1 2 3]
    """
    return _cat("cat", tensors, dim, "dim")


def _stack(
    op_name: str, tensors: Tensor | Sequence[Tensor], axis: Any, name: str = "axis"
) -> Tensor:
    if type(tensors) is not list and isinstance(tensors, Tensor):
        tensors = (tensors,)  # as MindSpore does
    if not tensors:
        _not_empty(op_name, tensors)
    if type(axis) is not int or axis:  # 0 is always right
        axis = axis_of(op_name, axis, tensors[0].ndim + 1, name)
    return torch.stack(_common(tensors), axis)


@op(
    primitive="Stack, Pack(axis)(input_x: tensors)",
    samples=("(f(2), f(2))", "[f(2, 3), f(2, 3)], -1"),
    errors=(
        ("(f(2), f(3))", ValueError, "stack"),
        ("()", ValueError, "at least one"),
        ("(f(2), f(2)), 2", ValueError, "axis"),
    ),
    fast=_STACK,
)
def stack(tensors: Tensor | Sequence[Tensor], axis: int = 0, *, _op_name: str = "stack") -> Tensor:
    """Join tensors along a new axis.

    Args:
        tensors (Union[tuple, list]): tensors of one shape.
        axis (int): where the new axis goes. Default: 0.

    Returns: Tensor with one axis more, of the common type.
    Raises TypeError: an element is not a Tensor, or the types cannot be combined.
    Raises ValueError: there is no tensor, the shapes differ or `axis` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4])), 1))
    [[1 3]
     [2 4]]
    """
    return _stack(_op_name, tensors, axis)


@op(
    "stack",
    function=False,
    mint="stack",
    samples=("(f(2), f(2))", "[f(2), f(2)], 1"),
    errors=(
        ("(f(2), f(3))", ValueError, "sizes must match"),
        ("()", ValueError, "at least one"),
        ("(f(2), f(2)), 2", ValueError, "dim"),
    ),
    fast=_STACK,
)
def _stack_mint(tensors: Tensor | Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along a new axis; see :func:`ops.stack`.

    >>> print(ms.mint.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
    [[1 2]
     [3 4]]
    """
    return _stack("stack", tensors, dim, "dim")


def _joined(
    name: str,
    make: Any,
    words: str,
    parameter: str,
    example: str,
    *,
    also: tuple[str, ...] = (),
    mint: bool = False,
    samples: tuple[str, ...] = ("(f(2, 3), f(2, 3))", "[f(2), f(2)]"),
) -> None:
    """Declare hstack and its relatives, which raise the rank of their inputs first."""

    def impl(tensors: Sequence[Tensor]) -> Tensor:
        _not_empty(name, tensors)
        return make(_common(tensors))

    # the parameter has MindSpore's name: `inputs` for vstack, `tensors` for the others
    def impl_inputs(inputs: Sequence[Tensor]) -> Tensor:
        return impl(inputs)

    result = impl_inputs if parameter == "inputs" else impl
    result.__name__ = name
    result.__doc__ = (
        f"Join tensors {words}.\n\n"
        "    Args:\n"
        f"        {parameter} (Union[tuple, list]): tensors whose other sizes agree.\n\n"
        "    Returns: Tensor of the common type.\n"
        "    Raises TypeError: an element is not a Tensor, or the types do not mix.\n"
        "    Raises ValueError: there is no tensor, or the sizes differ.\n\n"
        f"    >>> ms.ops.{name}((ms.ops.zeros(2), ms.ops.zeros(2))).shape\n"
        f"    {example}\n"
    )
    op(
        name,
        function=(name, *also),
        mint=mint,
        samples=samples,
        errors=(("()", ValueError, name), ("(f(2, 2), f(3, 3))", ValueError, name)),
    )(result)


_joined(
    "hstack",
    torch.hstack,
    "along the second axis (vectors along the first)",
    "tensors",
    "(4,)",
    mint=True,
)
_joined("vstack", torch.vstack, "along the first axis, vectors as rows", "inputs", "(2, 2)")
_joined("row_stack", torch.vstack, "along the first axis, vectors as rows", "tensors", "(2, 2)")
_joined(
    "dstack",
    torch.dstack,
    "along the third axis, adding axes as needed",
    "tensors",
    "(1, 2, 2)",
    mint=True,
)
_joined(
    "column_stack",
    torch.column_stack,
    "along the second axis, vectors as columns",
    "tensors",
    "(2, 2)",
)


def _at_least(name: str, make: Any, rank: int, shown: str) -> None:
    """Declare atleast_1d and its relatives, over one tensor or several."""

    def impl(*tensors: Tensor) -> Any:
        items = tuple(make(value) for value in tensors)
        return items[0] if len(items) == 1 else items

    impl.__name__ = name
    impl.__doc__ = (
        f"Tensors with axes of size 1 added so that they have at least {rank}.\n\n"
        "    Args:\n"
        "        tensors (Union[Tensor, list[Tensor], tuple[Tensor]]): any shapes; also as\n"
        "            `inputs`.\n\n"
        "    Returns: Tensor, a view; a tuple of them for several inputs.\n"
        "    Raises TypeError: an input is not a Tensor.\n\n"
        f"    >>> ms.ops.{name}(ms.Tensor(1.0)).shape\n"
        f"    {shown}\n"
    )
    op(
        name,
        cast="never",
        samples=("f()", "f(2)", "f(2, 3), f(2)"),
        errors=(("'x'", TypeError, "must be Tensor"), ("f(2), 1.0", TypeError, "must be Tensor")),
        keywords={"inputs": "tensors"},
    )(impl)


_at_least("atleast_1d", torch.atleast_1d, 1, "(1,)")
_at_least("atleast_2d", torch.atleast_2d, 2, "(1, 1)")
_at_least("atleast_3d", torch.atleast_3d, 3, "(1, 1, 1)")


# -------------------------------------------------------------------------------- repeating


def _tile(op_name: str, input: Tensor, dims: Any) -> Tensor:
    counts = ints(op_name, "dims", dims)
    for n in counts:
        integer(op_name, "dims", n, 0)
    return torch.tile(input, tuple(counts))


@op(
    mint=True,
    primitive="Tile",
    samples=("f(2), (2, 2)", "f(2, 3), (2,)"),
    errors=(("f(2), (-1,)", ValueError, "dims"), ("f(2), 2", TypeError, "dims")),
)
def tile(input: Tensor, dims: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        input (Tensor): any shape.
        dims (tuple): how often along each axis, counted from the last; more entries than axes add
            leading ones.

    Returns: Tensor.
    Raises TypeError: `dims` is not a tuple of ints.
    Raises ValueError: a count is negative.

    >>> print(ms.ops.tile(ms.Tensor([1, 2]), (2, 2)))
    [[1 2 1 2]
     [1 2 1 2]]
    """
    return _tile("tile", input, dims)


@op(
    "tile",
    function=False,
    method="tile",
    samples=("f(2), 2, 2", "f(2), (2, 2)"),
    errors=(("f(2), -1", ValueError, "dims"),),
    keywords={"dims": "counts", "reps": "counts"},
)
def _tile_method(input: Tensor, *counts: Any) -> Tensor:
    """Repeat the whole tensor along its axes, counts as ints or one tuple; see :func:`ops.tile`.

    Own Args:
        *counts (Union[int, tuple]): how often along each axis, counted from the last; or one tuple.

    >>> print(ms.Tensor([1, 2]).tile(2, 1))
    [[1 2]
     [1 2]]
    """
    return _tile("tile", input, spread(counts))


@op(
    function=False,
    method=True,
    samples=("f(2), 2", "f(2, 3), 2, 1, 2", "f(2), (2, 2)"),
    errors=(("f(2, 3), 2", ValueError, "repeat"), ("f(2), -1", ValueError, "repeat")),
    keywords={"repeats": "times"},
)
def repeat(input: Tensor, *times: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        input (Tensor): this tensor.
        times (Union[int, tuple, list]): how often along each axis; at least as many as there
            are axes, more add leading ones. Also as `repeats`.

    Returns: Tensor.
    Raises TypeError: a count is not an int.
    Raises ValueError: a count is negative, or there are fewer than axes.
    Difference from PyTorch: none. (MindSpore has no CPU kernel.)

    >>> print(ms.Tensor([1, 2]).repeat(2, 1))
    [[1 2]
     [1 2]]
    """
    counts = [integer("repeat", "repeats", n, 0) for n in spread(times)]
    if len(counts) < input.ndim:
        raise ValueError(
            f"For 'repeat', 'repeats' must have a count for each of the {input.ndim} axes, but got "
            f"{counts}. Elements are repeated by repeat_interleave."
        )
    return input.repeat(counts)


def _repeat_interleave(input: Tensor, repeats: Any, axis: Any, name: str) -> Tensor:
    if axis is None:
        input, place = input.reshape(-1), 0
    else:
        place = axis_of("repeat_interleave", axis, input.ndim, name)
    if isinstance(repeats, (tuple, list)):
        counts = [integer("repeat_interleave", "repeats", n, 0) for n in repeats]
        if len(counts) not in (1, input.shape[place]):
            raise ValueError(
                f"For 'repeat_interleave', 'repeats' must have 1 or {input.shape[place]} counts, "
                f"but got {len(counts)}."
            )
        return input.repeat_interleave(torch.tensor(counts, device=input.device), place)
    return input.repeat_interleave(integer("repeat_interleave", "repeats", repeats, 0), place)


@op(
    samples=("f(2, 3), 2", "f(2, 3), 2, 1", "f(2, 3), [1, 2], 0", "f(3), torch.tensor([1, 0, 2])"),
    errors=(
        ("f(2, 3), [1, 2, 3], 0", ValueError, "repeats"),
        ("f(2), -1", ValueError, "repeats"),
        ("f(2), 1.5", TypeError, "repeats"),
    ),
)
def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat every element, one after the other.

    Args:
        input (Tensor): any shape.
        repeats (Union[int, tuple, list, Tensor]): how often, for all elements or for each place
            of the axis.
        axis (int): the axis. Default None: `input` is flattened first.

    Returns: Tensor.
    Raises TypeError: a count is not an int.
    Raises ValueError: a count is negative, their number is wrong or `axis` out of range.
    Difference from PyTorch: `axis` is called ``dim`` there; lists are accepted.

    >>> print(ms.ops.repeat_interleave(ms.Tensor([[1, 2], [3, 4]]), 2, 1))
    [[1 1 2 2]
     [3 3 4 4]]
    """
    return _repeat_interleave(input, repeats, axis, "axis")


@op(
    "repeat_interleave",
    function=False,
    method="repeat_interleave",
    mint="repeat_interleave",
    samples=("f(2, 3), 2", "f(2, 3), 2, 1", "f(2, 3), [1, 2], dim=0"),
    errors=(
        ("f(2, 3), [1, 2, 3], 0", ValueError, "repeats"),
        ("f(2), -1", ValueError, "repeats"),
        ("f(2), 1.5", TypeError, "repeats"),
        ("f(2), 2, output_size=3", ValueError, "output_size"),
        ("f(2), 2, 1", ValueError, "dim"),
    ),
)
def _repeat_interleave_method(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat every element, one after the other; see :func:`ops.repeat_interleave`.

    Args:
        input (Tensor): this tensor.
        repeats (Union[int, tuple, list, Tensor]): how often.
        dim (int): the axis. Default None: the tensor is flattened first.
        output_size (int): the size of the axis afterwards, checked if given. Default: None.

    Returns: Tensor.
    Raises TypeError: a count is not an int.
    Raises ValueError: a count is negative, their number or `output_size` is wrong.
    Difference from PyTorch: lists are accepted.

    >>> print(ms.Tensor([1, 2]).repeat_interleave(2))
    [1 1 2 2]
    """
    result = _repeat_interleave(input, repeats, dim, "dim")
    size = result.shape[0 if dim is None else dim]
    if output_size is not None and output_size != size:
        raise ValueError(
            f"For 'repeat_interleave', 'output_size' {output_size} differs from the size {size} "
            "that 'repeats' gives."
        )
    return result


@op(samples=("f(2, 3), 2", "f(2, 3), 2, 1"), errors=(("f(2), 0", ValueError, "rep"),))
def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat every element along an axis.

    Args:
        x (Tensor): any shape.
        rep (int): how often, at least once.
        axis (int): the axis. Default: 0.

    Returns: Tensor.
    Raises TypeError: an argument is not an int.
    Raises ValueError: `rep` is not positive or `axis` out of range.
    Difference from PyTorch: ``torch.repeat_interleave``.

    >>> print(ms.ops.repeat_elements(ms.Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    count = integer("repeat_elements", "rep", rep, 1)
    return x.repeat_interleave(count, axis_of("repeat_elements", axis, x.ndim))


@op(
    samples=("f(1, 2), f(2, 1)", "f(2), f(), f(2, 2)"), errors=(("f(2, 2, 2)", ValueError, "axes"),)
)
def block_diag(*inputs: Tensor) -> Tensor:
    """A matrix with matrices along its diagonal, zeros elsewhere.

    Args:
        inputs (Tensor): matrices; vectors count as rows, 0-d tensors as matrices of one element.

    Returns: Tensor with two axes, of the common type.
    Raises ValueError: an input has more than two axes.

    >>> print(ms.ops.block_diag(ms.Tensor([[1, 2]]), ms.Tensor([[3]])))
    [[1 2 0]
     [0 0 3]]
    """
    for value in inputs:
        if value.ndim > 2:
            raise ValueError(
                f"For 'block_diag', an input must have at most two axes, but got shape "
                f"{list(value.shape)}."
            )
    return torch.block_diag(*_common(inputs))
