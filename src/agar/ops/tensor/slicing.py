"""Taking tensors apart: ranges, parts, slices. The results are views."""

from __future__ import annotations

from builtins import slice as _python_slice
from typing import Any

from torch import Tensor

from agar.ops._checks import integer, ints
from agar.ops.spec import Call, op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


@op(
    "narrow",
    function="narrow",
    method="narrow",
    cast="never",
    samples=("f(4, 3), 0, 1, 2", "f(4, 3), -1, 0, 2"),
    errors=(("f(4), 0, 3, 2", ValueError, "length"), ("f(4), 1, 0, 1", ValueError, "axis")),
    keywords={"dim": "axis"},
)
def narrow(input: Tensor, axis: int, start: int, length: int) -> Tensor:
    """A range of one axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis.
        start (int): where the range begins.
        length (int): how long it is.

    Returns: Tensor, a view.
    Raises TypeError: an argument is not an int.
    Raises ValueError: `axis` or the range lies outside of the tensor.

    >>> print(ms.ops.narrow(ms.Tensor([1, 2, 3, 4]), 0, 1, 2))
    [2 3]
    """
    return _narrow(input, axis, start, length, "axis")


def _narrow(input: Tensor, axis: Any, start: Any, length: Any, name: str) -> Tensor:
    place = axis_of("narrow", axis, input.ndim, name)
    size = input.shape[place]
    first, count = integer("narrow", "start", start), integer("narrow", "length", length, 0)
    first += size if first < 0 else 0
    if not 0 <= first <= first + count <= size:
        raise ValueError(
            f"For 'narrow', 'start' {start} and 'length' {length} lie outside of axis {axis} with "
            f"size {size}."
        )
    return input.narrow(place, first, count)


@op(
    "narrow",
    function=False,
    mint="narrow",
    cast="never",
    samples=("f(4, 3), 0, 1, 2",),
    errors=(("f(4), 0, 3, 2", ValueError, "length"), ("f(4), 1, 0, 1", ValueError, "dim")),
)
def _narrow_mint(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of one axis; see :func:`ops.narrow`.

    >>> print(ms.mint.narrow(ms.Tensor([1, 2, 3, 4]), dim=0, start=1, length=2))
    [2 3]
    """
    return _narrow(input, dim, start, length, "dim")


def _split_calls(name: str, axis: str, more: str = "") -> tuple[Call, Call]:
    """What is tried first: torch's kernels for one size, and for a size of each part."""
    sizes = "split_size_or_sections"
    return (
        Call(
            f"torch._VF.split({name}, {sizes}, {axis})",
            f"type({sizes}) is int and {sizes} > 0 and type({axis}) is int{more}",
            several=True,
        ),
        Call(
            f"torch._VF.split_with_sizes({name}, {sizes}, {axis})",
            f"(type({sizes}) is list or type({sizes}) is tuple) and type({axis}) is int"
            f" and _all_int(map(type, {sizes})){more}",
            several=True,
        ),
    )


def _split(
    op_name: str, tensor: Tensor, sections: Any, axis: Any, name: str = "axis"
) -> tuple[Tensor, ...]:
    place = axis_of(op_name, axis, tensor.ndim, name)
    size = tensor.shape[place]
    if isinstance(sections, (tuple, list)):
        parts = [integer(op_name, "split_size_or_sections", n, 0) for n in sections]
        if sum(parts) != size:
            raise ValueError(
                f"For '{op_name}', the sections {list(parts)} must sum to the size {size} of axis "
                f"{axis}."
            )
        return tensor.split(parts, place)
    return tensor.split(integer(op_name, "split_size_or_sections", sections, 1), place)


@op(
    cast="never",
    samples=("f(5), 2", "f(5, 2), [2, 3]", "f(4, 6), 3, 1"),
    errors=(
        ("f(5), [2, 2]", ValueError, "sum"),
        ("f(5), 0", ValueError, "split_size"),
        ("f(5), 2.5", TypeError, "split_size"),
        ("f(5), 2, 1", ValueError, "axis"),
    ),
    fast=_split_calls("tensor", "axis"),
)
def split(tensor: Tensor, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis.

    Args:
        tensor (Tensor): any shape.
        split_size_or_sections (Union[int, tuple, list]): the size of each part, the last may be
            smaller; or the sizes of all parts.
        axis (int): the axis. Default: 0.

    Returns: Tuple of Tensors, views.
    Raises TypeError: a size is not an int.
    Raises ValueError: the sizes do not sum to the axis, or `axis` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> [part.tolist() for part in ms.ops.split(ms.Tensor([1, 2, 3, 4, 5]), 2)]
    [[1, 2], [3, 4], [5]]
    """
    return _split("split", tensor, split_size_or_sections, axis)


@op(
    "split",
    function=False,
    method="split",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1", "f(4), 2, dim=0", "f(4), split_size=2"),
    errors=(("f(5), [2, 2]", ValueError, "sum"),),
    fast=_split_calls("input", "axis", " and dim is None and split_size is None"),
)
def _split_method(
    input: Tensor,
    split_size_or_sections: Any = None,
    axis: int = 0,
    *,
    dim: int | None = None,
    split_size: Any = None,
) -> tuple[Tensor, ...]:
    """Cut into parts along an axis; `dim` and `split_size` mean the same. See :func:`ops.split`.

    Own Args:
        split_size (Union[int, tuple, list]): another name of `split_size_or_sections`.
            Default: None.

    >>> [part.tolist() for part in ms.Tensor([1, 2, 3]).split(2)]
    [[1, 2], [3]]
    """
    sections = split_size if split_size_or_sections is None else split_size_or_sections
    return _split("split", input, sections, axis if dim is None else dim)


@op(
    "split",
    function=False,
    mint="split",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1"),
    errors=(
        ("f(5), [2, 2]", ValueError, "sum"),
        ("f(5), 0", ValueError, "split_size"),
        ("f(5), 2, 1", ValueError, "dim"),
    ),
    fast=_split_calls("tensor", "dim"),
)
def _split_mint(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis; see :func:`ops.split`.

    >>> [part.tolist() for part in ms.mint.split(ms.Tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    return _split("split", tensor, split_size_or_sections, dim, "dim")


@primitive(
    "Split",
    cast="never",
    samples=("f(4), output_num=2", "f(2, 6), axis=1, output_num=3"),
    errors=(("f(4), output_num=3", ValueError, "divisible"),),
)
def _split_primitive(input_x: Tensor, *, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """Cut into equal parts along an axis.

    Args:
        axis (int): the axis. Default: 0.
        output_num (int): how many parts. Default: 1.
        input_x (Tensor): any shape.

    Returns: Tuple of Tensors, views.
    Raises TypeError: an argument is not an int.
    Raises ValueError: the size is not divisible by `output_num`, or `axis` is out of range.
    Difference from PyTorch: ``torch.chunk``, which accepts any number of parts.

    >>> [part.tolist() for part in ms.ops.Split(0, 2)(ms.Tensor([1, 2, 3, 4]))]
    [[1, 2], [3, 4]]
    """
    place = axis_of("Split", axis, input_x.ndim)
    count = integer("Split", "output_num", output_num, 1)
    size = input_x.shape[place]
    if size % count:
        raise ValueError(
            f"For 'Split', the size {size} of axis {axis} must be divisible by 'output_num' "
            f"{count}."
        )
    return input_x.split(size // count, place) if size else (input_x,) * count


@primitive(
    "SplitV",
    cast="never",
    samples=("f(5), size_splits=[2, -1], split_dim=0, num_split=2",),
    errors=(("f(5), size_splits=[2, 2], split_dim=0, num_split=2", ValueError, "sum"),),
)
def _split_v(
    input_x: Tensor, *, size_splits: Any, split_dim: int, num_split: int
) -> tuple[Tensor, ...]:
    """Cut into parts of given sizes along an axis.

    Args:
        size_splits (Union[tuple, list]): the sizes; one may be -1, which is what is left.
        split_dim (int): the axis.
        num_split (int): how many parts.
        input_x (Tensor): any shape.

    Returns: Tuple of Tensors, views.
    Raises TypeError: an argument is not an int.
    Raises ValueError: the sizes do not sum to the axis, or are not `num_split`.
    Difference from PyTorch: ``torch.split``.

    >>> parts = ms.ops.SplitV([1, -1], 0, 2)(ms.Tensor([1, 2, 3]))
    >>> [part.tolist() for part in parts]
    [[1], [2, 3]]
    """
    place = axis_of("SplitV", split_dim, input_x.ndim, "split_dim")
    parts = list(ints("SplitV", "size_splits", size_splits))
    if len(parts) != num_split:
        raise ValueError(
            f"For 'SplitV', 'size_splits' must have 'num_split' {num_split} sizes, but got "
            f"{len(parts)}."
        )
    if parts.count(-1) == 1:
        parts[parts.index(-1)] = input_x.shape[place] - sum(parts) - 1
    return _split("SplitV", input_x, parts, place)


@op(
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1"),
    errors=(("f(5), 0", ValueError, "chunks"), ("f(5), 2, 1", ValueError, "axis")),
    fast=Call(
        "torch.chunk(input, chunks, axis)",
        "type(chunks) is int and chunks > 0 and type(axis) is int",
        several=True,
    ),
)
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    r"""Cut into at most a given number of parts of size :math:`\lceil size / chunks \rceil`.

    Args:
        input (Tensor): any shape.
        chunks (int): how many parts at most.
        axis (int): the axis. Default: 0.

    Returns: Tuple of Tensors, views; the last may be smaller.
    Raises TypeError: an argument is not an int.
    Raises ValueError: `chunks` is not positive, or `axis` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> [part.tolist() for part in ms.ops.chunk(ms.Tensor([1, 2, 3, 4, 5]), 2)]
    [[1, 2, 3], [4, 5]]
    """
    return _chunk(input, chunks, axis, "axis")


def _chunk(input: Tensor, chunks: Any, axis: Any, name: str) -> tuple[Tensor, ...]:
    count = integer("chunk", "chunks", chunks, 1)
    return input.chunk(count, axis_of("chunk", axis, input.ndim, name))


@op(
    "chunk",
    function=False,
    method="chunk",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1", "f(4), 2, dim=0"),
    errors=(("f(5), 0", ValueError, "chunks"), ("f(5), 2, 1", ValueError, "axis")),
    fast=Call(
        "torch.chunk(input, chunks, axis)",
        "type(chunks) is int and chunks > 0 and type(axis) is int and dim is None",
        several=True,
    ),
)
def _chunk_method(
    input: Tensor, chunks: int, axis: int = 0, *, dim: int | None = None
) -> tuple[Tensor, ...]:
    """Cut into at most a given number of parts; `dim` means `axis`. See :func:`ops.chunk`.

    >>> [part.tolist() for part in ms.Tensor([1, 2, 3]).chunk(2)]
    [[1, 2], [3]]
    """
    return chunk(input, chunks, axis if dim is None else dim)


@op(
    "chunk",
    function=False,
    mint="chunk",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1"),
    errors=(("f(5), 0", ValueError, "chunks"), ("f(5), 2, 1", ValueError, "dim")),
    fast=Call(
        "torch.chunk(input, chunks, dim)",
        "type(chunks) is int and chunks > 0 and type(dim) is int",
        several=True,
    ),
)
def _chunk_mint(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into at most a given number of parts; see :func:`ops.chunk`.

    >>> [part.tolist() for part in ms.mint.chunk(ms.Tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    return _chunk(input, chunks, dim, "dim")


@op(
    method=True,
    cast="never",
    samples=("f(5), 2", "f(5), (1, 3)", "f(4, 6), 4, 1", "f(3), (2, 7)", "f(3), (2, 1)"),
    errors=(("f(5), 0", ValueError, "sections"), ("f(5), 2, 1", ValueError, "axis")),
)
def tensor_split(input: Tensor, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into a number of nearly equal parts, or at given indices.

    Args:
        input (Tensor): any shape.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the indices to cut
            at.
        axis (int): the axis. Default: 0.

    Returns: Tuple of Tensors, views.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: the number is not positive, or `axis` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> [part.tolist() for part in ms.ops.tensor_split(ms.Tensor([1, 2, 3, 4]), (1, 3))]
    [[1], [2, 3], [4]]
    """
    return _tensor_split("tensor_split", input, indices_or_sections, axis)


def _tensor_split(op_name: str, input: Tensor, where: Any, axis: Any) -> tuple[Tensor, ...]:
    place = axis_of(op_name, axis, input.ndim)
    if isinstance(where, (tuple, list)):
        return input.tensor_split(list(ints(op_name, "indices_or_sections", where)), place)
    return input.tensor_split(integer(op_name, "indices_or_sections", where, 1), place)


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"


def _axis_split(name: str, rank: int, words: str, samples: tuple[str, ...]) -> None:
    """Declare hsplit, vsplit or dsplit: tensor_split along one axis."""

    def impl(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
        if input.ndim < rank:
            raise ValueError(
                f"For '{name}', the input must have at least {_axes(rank)}, but got shape "
                f"{list(input.shape)}."
            )
        axis = {"hsplit": min(1, input.ndim - 1), "vsplit": 0, "dsplit": 2}[name]
        return _tensor_split(name, input, indices_or_sections, axis)

    more = ", and so are vectors" if name == "vsplit" else ""
    impl.__name__ = name
    impl.__doc__ = (
        f"Cut {words}; see :func:`ops.tensor_split`.\n\n"
        "    Args:\n"
        f"        input (Tensor): {_axes(rank)} or more.\n"
        "        indices_or_sections (Union[int, tuple, list]): the number of parts, or the\n"
        "            places to cut.\n\n"
        "    Returns: Tuple of Tensors, views.\n"
        "    Raises TypeError: an argument is of another type.\n"
        "    Raises ValueError: there are too few axes.\n"
        f"    Difference from PyTorch: a size that is not divisible is accepted{more}.\n\n"
        f"    >>> len(ms.ops.{name}(ms.ops.zeros((2, 2, 2)), 2))\n"
        "    2\n"
    )
    op(
        name,
        method=True,
        cast="never",
        samples=samples,
        errors=(
            ("f(), 2", ValueError, "at least"),
            ("f(2, 2, 2), 0", ValueError, "sections"),
            ("f(2, 2, 2), 1.5", TypeError, "sections"),
        ),
    )(impl)


_axis_split("hsplit", 1, "along the second axis (the first of vectors)", ("f(2, 4), 2", "f(5), 2"))
_axis_split("vsplit", 1, "along the first axis", ("f(4, 2), (1, 3)", "f(3), 2"))
_axis_split("dsplit", 3, "along the third axis", ("f(2, 2, 4), 2",))


@op(
    method=True,
    mint=True,
    samples=("f(2, 3)", "f(2, 3), 1"),
    errors=(("f(2), 1", ValueError, "dim"), ("f()", ValueError, "0-d")),
    fast=Call("torch.unbind(input, dim)", "type(dim) is int", several=True),
)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis. Default: 0.

    Returns: Tuple of Tensors, views.
    Raises TypeError: `dim` is not an int.
    Raises ValueError: `dim` is out of range or `input` 0-d.

    >>> [part.tolist() for part in ms.ops.unbind(ms.Tensor([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    return _unbind("unbind", input, dim, "dim")


def _unbind(op_name: str, input: Tensor, axis: Any, name: str = "axis") -> tuple[Tensor, ...]:
    if input.ndim == 0:
        raise ValueError(f"For '{op_name}', a 0-d tensor has no axis to take apart.")
    return input.unbind(axis_of(op_name, axis, input.ndim, name))


@op(
    samples=("f(2, 3)", "f(2, 3), 1"),
    errors=(("f(2), 1", ValueError, "axis"),),
    fast=Call("torch.unbind(input_x, axis)", "type(axis) is int", several=True),
)
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input_x (Tensor): one axis or more.
        axis (int): the axis. Default: 0.

    Returns: Tuple of Tensors, views.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range or `input_x` 0-d.
    Difference from PyTorch: ``torch.unbind``.

    >>> [part.tolist() for part in ms.ops.unstack(ms.Tensor([[1, 2], [3, 4]]), 1)]
    [[1, 3], [2, 4]]
    """
    return _unbind("unstack", input_x, axis)


@primitive(
    ("Unstack", "Unpack"),
    samples=("f(2, 3)", "f(2, 3), axis=1, num=3"),
    errors=(("f(2, 3), num=3", ValueError, "num"),),
)
def _unstack_primitive(input_x: Tensor, *, axis: int = 0, num: int | None = None) -> tuple:
    """The slices along an axis, which disappears; see :func:`ops.unstack`.

    Attributes:
        axis (int): the axis. Default: 0.
        num (int): the expected number of slices; an error if the axis has another size.
            Default: None, any.

    Inputs:
        - **input_x** (Tensor) - one axis or more.

    Outputs: Tuple of Tensors, views.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range, `input_x` is 0-d, or `num` is not the size of the
        axis.
    Difference from PyTorch: ``torch.unbind``.
    Source: behavior observed in MindSpore 2.10.

    >>> [part.tolist() for part in ms.ops.Unstack(1)(ms.Tensor([[1, 2], [3, 4]]))]
    [[1, 3], [2, 4]]
    """
    parts = _unbind("Unstack", input_x, axis)
    if num is not None and num != len(parts):
        raise ValueError(
            f"For 'Unstack', 'num' {num} must be the size {len(parts)} of axis {axis}."
        )
    return parts


@op(
    primitive="Slice",
    function=("slice", "tensor_slice"),
    renamed={"tensor_slice": {"input_x": "input"}},
    cast="never",
    samples=("f(4, 3), (0, 1), (2, 2)", "f(4, 3), (1, 1), (-1, 2)"),
    errors=(("f(4, 3), (0, 2), (2, 2)", ValueError, "size"), ("f(4), 1, 2", TypeError, "begin")),
)
def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """A block of a tensor.

    Args:
        input_x (Tensor): any shape.
        begin (Union[tuple, list, Tensor]): where the block begins, for each axis.
        size (Union[tuple, list, Tensor]): its sizes; -1 goes to the end.

    Returns: Tensor, a view.
    Raises TypeError: `begin` or `size` is not a tuple or list of ints.
    Raises ValueError: the block does not lie within the tensor.
    Difference from PyTorch: no counterpart; indexing with slices.

    >>> print(ms.ops.slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, 2)))
    [[2 3]
     [5 6]]
    """
    starts, counts = ints("slice", "begin", begin), ints("slice", "size", size)
    if not len(starts) == len(counts) == input_x.ndim:
        raise ValueError(
            f"For 'slice', 'begin' and 'size' must have one number for each of the {input_x.ndim} "
            f"axes, but got {list(starts)} and {list(counts)}."
        )
    out = input_x
    for axis, (start, count, full) in enumerate(zip(starts, counts, input_x.shape, strict=True)):
        end = full if count == -1 else start + count
        if not 0 <= start <= end <= full:
            raise ValueError(
                f"For 'slice', 'begin' {start} and 'size' {count} lie outside of axis {axis} with "
                f"size {full}."
            )
        out = out.narrow(axis, start, end - start)
    return out


def _strided_slice(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Tensor:
    if ellipsis_mask & (ellipsis_mask - 1):
        raise ValueError(
            f"For 'strided_slice', 'ellipsis_mask' must name one entry at most, but got "
            f"{ellipsis_mask:#b}."
        )
    starts, ends, steps = (
        ints("strided_slice", name, value)
        for name, value in (("begin", begin), ("end", end), ("strides", strides))
    )
    if not len(starts) == len(ends) == len(steps):
        raise ValueError(
            "For 'strided_slice', 'begin', 'end' and 'strides' must have equal length, but got "
            f"{len(starts)}, {len(ends)} and {len(steps)}."
        )
    index: list[Any] = []
    flips: list[int] = []
    axis = 0  # of the result
    source = 0  # of the input
    named = sum(1 for i in range(len(starts)) if not (ellipsis_mask | new_axis_mask) >> i & 1)
    for i, (start, stop, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
            axis += input_x.ndim - named
            source += input_x.ndim - named
            continue
        if new_axis_mask & bit:
            index.append(None)
            axis += 1
            continue
        if step == 0:
            raise ValueError("For 'StridedSlice', 'strides' cannot contain 0.")
        if source >= input_x.ndim:
            raise ValueError(
                f"For 'strided_slice', 'begin' has more entries than the input's "
                f"{input_x.ndim} axes."
            )
        size = input_x.shape[source]
        source += 1
        if shrink_axis_mask & bit:
            if not -size <= start < size:
                raise IndexError(
                    f"For 'strided_slice', index {start} is out of bounds for an axis of "
                    f"size {size}."
                )
            index.append(start)
            continue
        low = None if begin_mask & bit else start
        high = None if end_mask & bit else stop
        if step > 0:
            index.append(_python_slice(low, high, step))
        else:
            # torch has no negative steps: take the same places forwards, then turn them round
            places = range(*_python_slice(low, high, step).indices(size))
            first = places[-1] if len(places) else 0
            index.append(_python_slice(first, first + len(places) * -step, -step))
            flips.append(axis)
        axis += 1
    out = input_x[tuple(index)]
    return out.flip(flips) if flips else out


@op(
    samples=(
        "f(4, 3), (0, 1), (3, 3), (2, 1)",
        "f(4, 3), (3,), (0,), (-1,)",
        "f(2, 3, 4), (0, 1), (1, 3), (1, 1), ellipsis_mask=1",
        "f(4, 3), (1, 0), (2, 2), (1, 1), shrink_axis_mask=1",
        "f(4, 3), (0, 0), (0, 2), (1, 1), new_axis_mask=1",
        "f(4, 3), (9, 9), (3, 3), (1, 1), begin_mask=3",
    ),
    errors=(
        ("f(4), (0,), (2,), (0,)", ValueError, "strides"),
        ("f(4), (0,), (2, 3), (1,)", ValueError, "equal length"),
        ("f(4), 0, 2, 1", TypeError, "begin"),
        ("f(4), (0, 0), (2, 1), (1, 1), ellipsis_mask=3", ValueError, "ellipsis_mask"),
        ("f(4), (5,), (6,), (1,), shrink_axis_mask=1", IndexError, "out of bounds"),
    ),
)
def strided_slice(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Elements at equal steps along the axes: ``input_x[b0:e0:s0, b1:e1:s1, ...]``.

    Args:
        input_x (Tensor): any shape.
        begin (tuple): where each slice begins.
        end (tuple): where it ends.
        strides (tuple): its steps, not 0.
        begin_mask (int): bit i set: slice i begins at its end of the axis. Default: 0.
        end_mask (int): bit i set: slice i goes to its end of the axis. Default: 0.
        ellipsis_mask (int): bit i set: entry i stands for all axes that are not named. Default: 0.
        new_axis_mask (int): bit i set: entry i is a new axis of size 1. Default: 0.
        shrink_axis_mask (int): bit i set: entry i takes the one element at `begin` and its axis
            disappears. Default: 0.

    Returns: Tensor; a view if all steps are positive.
    Raises TypeError: `begin`, `end` or `strides` is not a tuple or list of ints.
    Raises ValueError: their lengths differ, a step is 0 or there are two ellipses.
    Raises IndexError: an entry of `shrink_axis_mask` is out of bounds.
    Difference from PyTorch: no counterpart; indexing with slices.

    >>> print(ms.ops.strided_slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
    [[1 3]
     [4 6]]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _strided_slice(input_x, begin, end, strides, *masks)


@primitive(
    "StridedSlice",
    samples=(
        "f(4, 3), (0, 1), (3, 3), (2, 1)",
        "f(4, 3), (1, 0), (2, 2), (1, 1), shrink_axis_mask=1",
    ),
    errors=(
        ("f(4), (0,), (2,), (0,)", ValueError, "strides"),
        ("f(4), (0, 0), (1, 1), (1, 1)", ValueError, "more entries"),
        ("f(4), 0, 2, 1", TypeError, "begin"),
    ),
)
def _strided_slice_primitive(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Elements at equal steps along the axes; see :func:`ops.strided_slice`.

    >>> print(ms.ops.StridedSlice()(ms.Tensor([1, 2, 3, 4]), (0,), (4,), (2,)))
    [1 3]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _strided_slice(input_x, begin, end, strides, *masks)
