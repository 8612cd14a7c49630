"""Writing slices and elements into copies of tensors, at places given by indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import choice, integer, number
from agar.ops.math.elementwise import input_is_integer, integer_quotient
from agar.ops.spec import Scalar, op, primitive
from agar.ops.tensor.axes import axis_of
from agar.ops.tensor.indexing import nd_index, places_on_axis

__all__ = ["add_at", "combine_at", "multiple", "put_index", "scatter_slices"]

_REDUCTIONS = {"add": "sum", "sub": "sum", "mul": "prod", "max": "amax", "min": "amin"}


def combine_at(
    op_name: str, mode: str, base: Tensor, axis: int, index: Tensor, source: Tensor
) -> Tensor:
    """`base` with `source` written, added, ... at the places of one axis that `index` names."""
    source = source.to(base.dtype)
    if mode in ("none", "update"):
        return base.scatter(axis, index, source)
    if mode in ("add", "sub"):
        return base.scatter_add(axis, index, -source if mode == "sub" else source)
    if mode == "div":
        # one division after the other is one by the product, up to rounding
        divisor = torch.ones_like(base).scatter_reduce(axis, index, source, "prod")
        if input_is_integer(base):
            return integer_quotient(op_name, base, divisor, "trunc")
        return base / divisor
    return base.scatter_reduce(axis, index, source, _REDUCTIONS[mode])


@op(
    "index",
    function=False,
    method="index",
    samples=(
        "f(3, 2), [torch.tensor([2, 0])]",
        "f(3, 2), (i(2), i(2) // 2)",
        "f(3, 2), [torch.tensor([True, False, True])]",
    ),
    errors=(
        ("f(3, 2), [f(2)]", TypeError, "indices"),
        ("f(3, 2), [torch.tensor([5])]", ValueError, "range"),
        ("f(3), [i(2), i(2)]", IndexError, "axes"),
    ),
)
def _index(input: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Elements at positions given by one tensor of indices, or one mask, for each leading axis.

    Args:
        input (Tensor): this tensor.
        indices (Union[tuple[Tensor], list[Tensor]]): integers whose shapes broadcast, or masks.

    Returns: Tensor, as ``x[indices]``.
    Raises TypeError: an index is neither integer nor bool.
    Raises IndexError: there are more indices than axes.
    Raises ValueError: an index is out of range, or shapes do not fit.
    Difference from PyTorch: ``x[indices]``.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.Tensor([1.0, 2.0, 3.0]).index([ms.Tensor([2, 0])]))
    [3. 1.]
    """
    return input[put_index("index", input, indices)]


@op(
    samples=("f(3, 4), 1, i(2, 3), f(2, 3)", "f(3), 0, torch.tensor([2, 0]), 1.5"),
    errors=(
        ("f(2, 2), 1, torch.tensor([[5]]), f(1, 1)", RuntimeError, "range"),
        ("f(2, 2), 2, i(1, 1), f(1, 1)", ValueError, "axis"),
        ("f(2, 2), 1, i(2, 2) // 2, f(1, 1)", ValueError, "src"),
    ),
    differentiable=False,  # equal indices make the written value arbitrary
)
def scatter(input: Tensor, axis: int, index: Tensor, src: Tensor | Scalar) -> Tensor:
    r"""Write elements along an axis: for axis 0, :math:`out_{index_{ij}, j} = src_{ij}`.

    Args:
        input (Tensor): the tensor to start from; not changed.
        axis (int): the axis.
        index (Tensor): integers, of the rank of `input`.
        src (Union[Tensor, number]): what to write, at least as large as `index`.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `axis` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there; negative indices are accepted.

    >>> x, index = ms.ops.zeros((2, 2)), ms.Tensor([[0], [1]])
    >>> print(ms.ops.scatter(x, 1, index, ms.Tensor([[5.0], [6.0]])))
    [[5. 0.]
     [0. 6.]]
    """
    return _scatter("scatter", input, axis, index, src, "none")


def _scatter(
    op_name: str,
    input: Tensor,
    axis: Any,
    index: Tensor,
    src: Tensor | Scalar,
    mode: str,
    name: str = "axis",
) -> Tensor:
    place = axis_of(op_name, axis, input.ndim, name)
    index = places_on_axis(op_name, index, input.shape[place] if input.ndim else 1, "index")
    if not isinstance(src, Tensor):
        src = torch.full((), src, dtype=input.dtype, device=input.device).expand(index.shape)
    if src.ndim != index.ndim or any(n < m for n, m in zip(src.shape, index.shape, strict=True)):
        raise ValueError(
            f"For '{op_name}', 'src' must be at least as large as 'index' along every axis, but "
            f"got shapes {list(src.shape)} and {list(index.shape)}."
        )
    return combine_at(op_name, mode, input, place, index, src)


@op(
    "scatter",
    function=False,
    method="scatter",
    mint="scatter",
    samples=(
        "f(3, 4), 1, torch.tensor([[0, 1]]), f(1, 2)",
        "f(3), dim=0, index=i(1), src=1.5",
        "f(3), axis=0, index=i(1), src=f(1)",
        "f(3, 4), 1, torch.tensor([[0, 1]]), f(1, 2), 'add'",
        "f(3), 0, i(2), 2.0, reduce='multiply'",
    ),
    errors=(("f(3), 0, i(2), f(2), reduce='x'", ValueError, "reduce"),),
)
def _scatter_method(
    input: Tensor,
    dim: int | None = None,
    index: Tensor | None = None,
    src: Tensor | Scalar = None,  # type: ignore[assignment]
    reduce: str = "none",
    *,
    axis: int | None = None,
) -> Tensor:
    """Write elements along an axis; `axis` means `dim`. See :func:`ops.scatter`.

    With `reduce` ``"add"`` or ``"multiply"`` they are added or multiplied instead.

    Own Args:
        dim (int): the axis. Default: None, which is an error unless `axis` is given.
        reduce (str): ``"none"`` replaces elements, ``"add"`` adds to them and ``"multiply"``
            multiplies them. Default: ``"none"``.

    >>> print(ms.Tensor([1, 2, 3]).scatter(0, ms.Tensor([2]), ms.Tensor([9])))
    [1 2 9]
    """
    if index is None:
        raise TypeError("For 'Tensor.scatter', the argument 'index' is missing.")
    choice("scatter", "reduce", reduce, ("none", "add", "multiply"))
    mode = "mul" if reduce == "multiply" else reduce
    return _scatter("scatter", input, axis if dim is None else dim, index, src, mode, "dim")


@op(
    "scatter_add",
    function=False,
    method="scatter_add",
    mint="scatter_add",
    samples=("f(3, 4), 1, i(2, 3), f(2, 3)", "f(3, 2), i(2, 1), f(2, 2)"),
    errors=(("f(2, 2), 1, torch.tensor([[5]]), f(1, 1)", RuntimeError, "range"),),
    keywords={"indices": "dim", "updates": "index"},
)
def _scatter_add_method(
    input: Tensor,
    dim: Tensor | Scalar,
    index: Tensor,
    src: Tensor | None = None,
) -> Tensor:
    """Add elements along an axis, ``scatter_add(dim, index, src)``, or slices.

    Args:
        input (Tensor): this tensor; not changed.
        dim (Union[int, Tensor]): the axis; or the places of slices, as in
            :func:`ops.tensor_scatter_add`.
        index (Tensor): the indices; or the slices.
        src (Tensor): what to add, in the first form. Default: None.

    Returns: Tensor.
    Raises TypeError: indices are not integers.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: the form with slices.

    >>> print(ms.Tensor([1, 2]).scatter_add(0, ms.Tensor([0, 0]), ms.Tensor([5, 5])))
    [11  2]
    """
    if isinstance(dim, Tensor):
        return scatter_slices("scatter_add", input, dim, index, "add")
    if src is None:
        raise TypeError("For 'scatter_add', 'src' must be given with an axis.")
    return _scatter("scatter_add", input, dim, index, src, "add", "dim")


@op(
    primitive="TensorScatterElements(axis, reduction)(data: input_x, indices, updates)",
    samples=("f(3, 4), i(2, 3), f(2, 3), 1", "f(3, 4), i(2, 3), f(2, 3), 1, 'add'"),
    errors=(
        ("f(2, 2), i(1, 1), f(1, 1), 1, 'x'", ValueError, "reduction"),
        ("f(2, 2), torch.tensor([[5]]), f(1, 1)", RuntimeError, "range"),
    ),
    differentiable=False,
)
def tensor_scatter_elements(
    input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "none"
) -> Tensor:
    """Write or add elements along an axis; see :func:`ops.scatter`.

    Args:
        input_x (Tensor): the tensor to start from; not changed.
        indices (Tensor): integers, of the rank of `input_x`.
        updates (Tensor): what to write, of the shape of `indices`.
        axis (int): the axis. Default: 0.
        reduction (str): ``"none"`` writes, ``"add"`` adds. Default: ``"none"``.

    Returns: Tensor.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `reduction` is unknown or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.scatter`` and ``torch.scatter_add``.

    >>> x, index = ms.ops.zeros(3), ms.Tensor([2, 0])
    >>> print(ms.ops.tensor_scatter_elements(x, index, ms.Tensor([5.0, 6.0])))
    [6. 0. 5.]
    """
    choice("tensor_scatter_elements", "reduction", reduction, ("none", "add"))
    return _scatter("tensor_scatter_elements", input_x, axis, indices, updates, reduction)


def scatter_slices(
    op_name: str,
    input: Tensor,
    indices: Tensor,
    updates: Tensor,
    mode: str,
    error: type[Exception] = RuntimeError,
) -> Tensor:
    """`input` with slices written or combined at places given by vectors of indices."""
    index = nd_index(op_name, input, indices, error)
    depth = indices.shape[-1]
    expected = (*indices.shape[:-1], *input.shape[depth:])
    if tuple(updates.shape) != expected:
        raise ValueError(
            f"For '{op_name}', the shape of 'updates' must be {list(expected)} (that of 'indices' "
            f"without its last axis, then the rest of the input's), but got {list(updates.shape)}."
        )
    # the leading axes become one, so that a place is one number
    flat = torch.zeros(indices.shape[:-1], dtype=torch.int64, device=input.device)
    for place, size in zip(index, input.shape, strict=False):
        flat = flat * size + place
    rows = 1
    for size in input.shape[:depth]:
        rows *= size
    base = input.reshape(rows, -1)
    source = updates.reshape(flat.numel(), -1)
    where = flat.reshape(-1, 1).expand(source.shape)
    return combine_at(op_name, mode, base, 0, where, source).reshape(input.shape)


_ND_SAMPLES = (
    "f(3, 2), torch.tensor([[0], [2]]), f(2, 2)",
    "f(3, 2), torch.tensor([[0, 1], [2, 0]]), f(2)",
)
_ND_ERRORS = (
    ("f(3, 2), torch.tensor([[5]]), f(1, 2)", ValueError, "range"),
    ("f(3, 2), torch.tensor([[0]]), f(1, 3)", ValueError, "updates"),
    ("f(3, 2), f(1, 1), f(1, 2)", TypeError, "integer"),
)


def _tensor_scatter(
    mode: str, words: str, shown: str, function: str | bool, primitive: str, method: str | bool
) -> None:
    """Declare tensor_scatter_add and its relatives."""
    name = f"tensor_scatter_{mode}"

    def impl(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return scatter_slices(name, input_x, indices, updates, mode, ValueError)

    impl.__name__ = name
    impl.__doc__ = (
        f"A copy of a tensor in which slices are {words}.\n\n"
        "    Args:\n"
        "        input_x (Tensor): what to start from; it stays as it is.\n"
        "        indices (Tensor): integers; the last axis holds the indices of the leading axes\n"
        "            of `input_x`.\n"
        "        updates (Tensor): the slices, of shape\n"
        "            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.\n\n"
        "    Returns:\n"
        "        Tensor of the shape and type of `input_x`. Of equal indices all count"
        + (" except that one is written" if mode == "update" else "")
        + ".\n\n"
        "    Raises:\n"
        "        TypeError: `indices` are not integers.\n"
        "        ValueError: the shapes do not fit, or an index is out of range.\n\n"
        "    Difference from PyTorch: no counterpart.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        "        >>> x, index = ms.Tensor([1.0, 2.0, 4.0]), ms.Tensor([[0], [2]])\n"
        f"        >>> print(ms.ops.{primitive}()(x, index, ms.Tensor([3.0, 2.0])))\n"
        f"        {shown}\n"
    )
    op(
        name,
        function=function,
        method=method,
        primitive=primitive,
        samples=_ND_SAMPLES,
        errors=_ND_ERRORS,
    )(impl)


_tensor_scatter("update", "replaced", "[3. 2. 2.]", True, "TensorScatterUpdate", False)
_tensor_scatter("add", "added to", "[4. 2. 6.]", True, "TensorScatterAdd", False)
_tensor_scatter("sub", "subtracted from", "[-2.  2.  2.]", True, "TensorScatterSub", "scatter_sub")
_tensor_scatter("mul", "multiplied", "[3. 2. 8.]", True, "TensorScatterMul", "scatter_mul")
_tensor_scatter(
    "div", "divided", "[0.33333334 2.         2.        ]", True, "TensorScatterDiv", "scatter_div"
)
_tensor_scatter(
    "max",
    "replaced where the update is larger",
    "[3. 2. 4.]",
    True,
    "TensorScatterMax",
    "scatter_max",
)
_tensor_scatter(
    "min",
    "replaced where the update is smaller",
    "[1. 2. 2.]",
    True,
    "TensorScatterMin",
    "scatter_min",
)


@op(
    primitive="ScatterNd",
    samples=("torch.tensor([[0], [2]]), f(2, 2), (3, 2)",),
    errors=(("torch.tensor([[5]]), f(1), (3,)", RuntimeError, "range"),),
)
def scatter_nd(indices: Tensor, updates: Tensor, shape: Any) -> Tensor:
    """A tensor of zeros to which slices are added.

    Args:
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): the slices, of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
        shape (tuple): the shape of the result.

    Returns: Tensor of the type of `updates`; slices of equal indices are summed.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.scatter_nd(ms.Tensor([[0], [2]]), ms.Tensor([1, 2]), (4,)))
    [1 0 2 0]
    """
    base = torch.zeros(tuple(shape), dtype=updates.dtype, device=updates.device)
    return scatter_slices("scatter_nd", base, indices, updates, "add")


def add_at(op_name: str, x: Tensor, axis: Any, index: Tensor, y: Tensor, name: str) -> Tensor:
    """`x` with the slices `y` added along an axis at `index`.

    Raises:
        TypeError: the indices are not integers.
        ValueError: the axis is out of range or the shapes do not fit.
        RuntimeError: an index is out of range.
    """
    place = axis_of(op_name, axis, x.ndim, name)
    where = places_on_axis(op_name, index, x.shape[place], "indices")
    expected = list(x.shape)
    expected[place] = index.numel()
    if where.ndim > 1 or list(y.shape) != expected:
        raise ValueError(
            f"For '{op_name}', the indices must be 1-D and the values of shape {expected}, but got "
            f"shapes {list(index.shape)} and {list(y.shape)}."
        )
    return x.index_add(place, where.reshape(-1), y.to(x.dtype))


def multiple(source: Tensor, alpha: Any) -> Tensor:
    """Slices times their factor, which is checked."""
    return source if number("index_add", "alpha", alpha) == 1 else source * alpha


@op(
    "index_add",
    function=False,
    method="index_add",
    samples=(
        "f(3, 2), 0, i(4), f(4, 2)",
        "f(3, 2), 0, i(4), f(4, 2), alpha=2",
        "f(2, 3), i(2), f(2, 2), 1",
        "f(2, 3), indices=i(2), y=f(2, 2), axis=1",
        "f(2, 3), i(2), f(2, 2), 1, True, False",
    ),
    errors=(
        ("f(2, 3), 0, torch.tensor([5]), f(1, 3)", RuntimeError, "range"),
        ("f(2, 3), 0, i(1)", TypeError, "source"),
        ("f(2, 3), 0, i(2) // 2, f(2, 3), alpha='x'", TypeError, "alpha"),
    ),
)
def _index_add_method(
    input: Tensor,
    dim: Tensor | Scalar = None,  # type: ignore[assignment]
    index: Tensor | None = None,
    source: Tensor | Scalar = None,  # type: ignore[assignment]
    use_lock: bool = True,
    check_index_bound: bool = True,
    *,
    alpha: float = 1,
    indices: Tensor | None = None,
    y: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """Add slices along an axis: ``index_add(dim, index, source)`` or ``(indices, y, axis)``.

    Args:
        input (Tensor): this tensor; not changed.
        dim (Union[int, Tensor]): the axis; or the indices.
        index (Tensor): the indices; or the slices.
        source (Union[Tensor, int]): the slices; or the axis.
        use_lock (bool): accepted for compatibility. Default: True.
        check_index_bound (bool): accepted for compatibility: indices are checked. Default: True.
        alpha (number): a factor of the slices. Default: 1.
        indices (Tensor): the indices, in the second form. Default: None.
        y (Tensor): the slices, in the second form. Default: None.
        axis (int): the axis, in the second form. Default: None.

    Returns: Tensor.
    Raises TypeError: the indices are not integers.
    Raises ValueError: the axis is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: the second form.

    >>> print(ms.ops.zeros(3).index_add(0, ms.Tensor([0, 2]), ms.Tensor([5.0, 6.0])))
    [5. 0. 6.]
    """
    place: Any = dim
    where: Any = index
    added: Any = source
    if isinstance(dim, Tensor):
        place, where, added = source, dim, index
    place = axis if place is None else place
    where = indices if where is None else where
    added = y if added is None else added
    for name, value in (("index", where), ("source", added)):
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'index_add', '{name}' must be a Tensor, but got {value!r}.")
    return add_at("index_add", input, place, where, multiple(added, alpha), "dim")


@op(
    method=True,
    primitive="IndexFill",
    samples=("f(3, 2), 0, torch.tensor([0, 2]), 1.5", "f(3, 2), 1, torch.tensor(1), f()"),
    errors=(
        ("f(2, 2), 0, torch.tensor([5]), 1.0", RuntimeError, "range"),
        ("f(2, 2), 2, i(1), 1.0", ValueError, "axis"),
        ("f(2, 2), 0, i(1) // 2, f(2)", ValueError, "0-d"),
    ),
)
def index_fill(x: Tensor, axis: Any, index: Tensor, value: Tensor | Scalar) -> Tensor:
    """A copy in which slices along an axis are filled with one value.

    Args:
        x (Tensor): the tensor to start from.
        axis (int): the axis.
        index (Tensor): integers, 1-D or 0-d.
        value (Union[number, Tensor]): the value, 0-d if a Tensor.

    Returns: Tensor of the shape and type of `x`.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `axis` is out of range or `value` not 0-d.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there; negative indices are accepted.

    >>> print(ms.ops.index_fill(ms.ops.zeros((2, 2)), 1, ms.Tensor([0]), 5))
    [[5. 0.]
     [5. 0.]]
    """
    place = axis_of("index_fill", axis, x.ndim)
    where = places_on_axis("index_fill", index, x.shape[place], "index")
    if isinstance(value, Tensor):
        if value.ndim:
            raise ValueError(
                f"For 'index_fill', 'value' must be a number or 0-d, but got shape "
                f"{list(value.shape)}."
            )
        value = value.to(x.dtype)
    return x.index_fill(place, where.reshape(-1), value)


@op(
    function=False,
    method="index_put",
    samples=(
        "f(3, 2), (torch.tensor([0, 2]), torch.tensor([1, 0])), f(2)",
        "f(3, 2), (torch.tensor([0, 0]),), f(2, 2), True",
        "f(3, 2), (b(3, 2),), f(1)",
    ),
    errors=(("f(2, 2), (torch.tensor([5]),), f(1)", ValueError, "index"),),
    differentiable=False,
)
def index_put(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: Any = False
) -> Tensor:
    """A copy in which the elements at an index are replaced or added to.

    Args:
        input (Tensor): this tensor; not changed.
        indices (Union[tuple, list]): one index tensor for each leading axis.
        values (Tensor): what to write; it broadcasts to the places.
        accumulate (bool): whether to add. Default: False.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: an index is of a floating type.
    Raises ValueError: the shapes do not broadcast, or an index is out of range.

    >>> x = ms.ops.zeros(3)
    >>> print(x.index_put((ms.Tensor([0, 2]),), ms.Tensor([5.0, 6.0])))
    [5. 0. 6.]
    """
    where = put_index("index_put", input, indices)
    return input.index_put(where, values.to(input.dtype), bool(accumulate))


def put_index(op_name: str, input: Tensor, indices: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Index tensors for the leading axes, checked; masks as they are."""
    if not isinstance(indices, (tuple, list)):
        raise TypeError(f"For '{op_name}', 'indices' must be a tuple or list of tensors.")
    if len(indices) > input.ndim:
        raise IndexError(
            f"For '{op_name}', there are {len(indices)} index tensors for a tensor with "
            f"{input.ndim} axes."
        )
    return tuple(
        index
        if index.dtype is torch.bool
        else places_on_axis(op_name, index, size, "indices", ValueError)
        for index, size in zip(indices, input.shape, strict=False)
    )


@op(
    method=True,
    samples=("f(3, 2), f(2), 0, 1", "f(2, 3), f(2), -1, -1"),
    errors=(
        ("f(2, 2), f(3), 0, 0", ValueError, "src"),
        ("f(2, 2), f(2), 0, 2", IndexError, "index"),
    ),
)
def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """A copy in which one slice along an axis is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the slice.
        axis (int): the axis.
        index (int): which slice.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: `axis` or `index` is not an int.
    Raises ValueError: `axis` is out of range or `src` of another shape.
    Raises IndexError: `index` is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.select_scatter(ms.ops.zeros((2, 2)), ms.ops.ones(2), 0, 1))
    [[0. 0.]
     [1. 1.]]
    """
    place = axis_of("select_scatter", axis, input.ndim)
    size = input.shape[place]
    at = integer("select_scatter", "index", index)
    if not -size <= at < size:
        raise IndexError(
            f"For 'select_scatter', 'index' must be in the range [{-size}, {size}), but got {at}."
        )
    expected = [*input.shape[:place], *input.shape[place + 1 :]]
    if list(src.shape) != expected:
        raise ValueError(
            f"For 'select_scatter', the shape of 'src' must be {expected}, but got "
            f"{list(src.shape)}."
        )
    return torch.select_scatter(input, src.to(input.dtype), place, at)


@op(
    method=True,
    samples=("f(4, 2), f(2, 2), 0, 1, 3", "f(2, 4), f(2, 2), 1, step=2", "f(4), f(4)"),
    errors=(("f(4), f(3), 0, 0, 2", ValueError, "slice_scatter"),),
)
def slice_scatter(
    input: Tensor,
    src: Tensor,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """A copy in which a range along an axis is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the range.
        axis (int): the axis. Default: 0.
        start (int): where the range begins. Default None: 0.
        end (int): where it ends. Default None: the end.
        step (int): its steps. Default: 1.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: an argument is not an int.
    Raises ValueError: `axis` is out of range or `src` of another shape.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.slice_scatter(ms.ops.zeros(4), ms.ops.ones(2), 0, 1, 3))
    [0. 1. 1. 0.]
    """
    place = axis_of("slice_scatter", axis, input.ndim)
    try:
        return torch.slice_scatter(
            input, src.to(input.dtype), place, start, end, integer("slice_scatter", "step", step, 1)
        )
    except RuntimeError as error:
        raise ValueError(
            f"For 'slice_scatter', 'src' of shape {list(src.shape)} does not fit the range "
            f"[{start}:{end}:{step}] of axis {place} of shape {list(input.shape)}."
        ) from error


@op(
    method=True,
    samples=("f(3, 3), f(3)", "f(2, 3, 4), f(2, 3), 1, 1, 2"),
    errors=(("f(3, 3), f(2)", ValueError, "diagonal_scatter"),),
)
def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """A copy in which a diagonal is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the diagonal, its last axis.
        offset (int): which diagonal. Default: 0.
        dim1 (int): the first axis of the plane. Default: 0.
        dim2 (int): the second. Default: 1.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: an argument is not an int.
    Raises ValueError: an axis is out of range or `src` of another shape.

    >>> print(ms.ops.diagonal_scatter(ms.ops.zeros((2, 2)), ms.ops.ones(2)))
    [[1. 0.]
     [0. 1.]]
    """
    a = axis_of("diagonal_scatter", dim1, input.ndim, "dim1")
    b = axis_of("diagonal_scatter", dim2, input.ndim, "dim2")
    expected = input.diagonal(offset, a, b).shape
    if src.shape != expected:
        raise ValueError(
            f"For 'diagonal_scatter', the shape of 'src' must be {list(expected)}, but got "
            f"{list(src.shape)}."
        )
    return torch.diagonal_scatter(input, src.to(input.dtype), offset, a, b)


def _rows(
    op_name: str, x: Tensor, v: Tensor, indices: Any, mode: str, *, from_end: bool = False
) -> Tensor:
    """A copy of `x` with rows written, added or subtracted.

    As observed, ``inplace_update`` counts negative indices from the end, its relatives do not and
    raise another error.
    """
    several = isinstance(indices, (tuple, list))
    rows = [integer(op_name, "indices", row) for row in (indices if several else (indices,))]
    outside = [row for row in rows if not 0 <= row < x.shape[0]]
    if outside and not from_end:
        raise ValueError(
            f"For '{op_name}', 'indices' must be in the range [0, {x.shape[0]}), but got "
            f"{outside[0]}."
        )
    index = places_on_axis(
        op_name, torch.tensor(rows, dtype=torch.int64, device=x.device), x.shape[0], "indices"
    )
    expected = [len(rows), *x.shape[1:]]
    if list(v.shape) != expected:
        raise ValueError(
            f"For '{op_name}', the shape of 'v' must be {expected}, but got {list(v.shape)}."
        )
    where = index.reshape(-1, *(1,) * (x.ndim - 1)).expand(v.shape)
    return combine_at(op_name, mode, x, 0, where, v)


def _row_change(mode: str, words: str, shown: str) -> None:
    """Declare inplace_update, inplace_add or inplace_sub, and the Primitive."""
    name = f"inplace_{mode}"
    from_end = mode == "update"
    samples = ("f(3, 2), f(2, 2), (0, 2)", "f(3, 2), f(1, 2), 1")

    def impl(x: Tensor, v: Tensor, indices: Any) -> Tensor:
        return _rows(name, x, v, indices, mode, from_end=from_end)

    impl.__name__ = name
    impl.__doc__ = (
        f"A copy of a tensor in which rows are {words}.\n\n"
        "    Args:\n"
        "        x (Tensor): what to start from; it stays as it is, in spite of the name.\n"
        "        v (Tensor): the rows.\n"
        "        indices (Union[int, tuple, Tensor]): which rows.\n\n"
        "    Returns:\n"
        "        Tensor of the shape and type of `x`.\n\n"
        "    Raises:\n"
        "        TypeError: an index is not an int.\n"
        + (
            "        ValueError: `v` is of another shape.\n"
            "        RuntimeError: an index is out of range; negative ones count from the end.\n\n"
            if from_end
            else "        ValueError: `v` is of another shape, or an index negative or too "
            "large.\n\n"
        )
        + "    Difference from PyTorch: no counterpart.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        "        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])\n"
        f"        >>> print(ms.ops.{name}(x, ms.Tensor([[5.0, 5.0]]), 0))\n"
        + "".join(f"        {line}\n" for line in shown.splitlines())
    )
    op(
        name,
        samples=(*samples, "f(3, 2), f(1, 2), (-1,)") if from_end else samples,
        errors=(
            ("f(3, 2), f(2, 3), (0, 1)", ValueError, "v"),
            ("f(3, 2), f(1, 2), 5", RuntimeError if from_end else ValueError, "range"),
            ("f(3, 2), f(1, 2), (0.5,)", TypeError, "indices"),
        ),
        method="inplace_update" if mode == "update" else False,
    )(impl)

    def rule(x: Tensor, v: Tensor, *, indices: Any) -> Tensor:
        return _rows(class_name, x, v, indices, mode)

    class_name = f"Inplace{mode.capitalize()}"
    rule.__doc__ = f"A copy of a tensor in which rows are {words}; see :func:`ops.{name}`.\n"
    primitive(
        class_name,
        samples=("f(3, 2), f(2, 2), indices=(0, 2)",),
        errors=(
            ("f(3, 2), f(2, 3), indices=(0, 1)", ValueError, "v"),
            ("f(3, 2), f(1, 2), indices=(-1,)", ValueError, "range"),
            ("f(3, 2), f(1, 2), indices=0.5", TypeError, "indices"),
        ),
    )(rule)


_row_change("update", "replaced", "[[5. 5.]\n [3. 4.]]")
_row_change("add", "added to", "[[6. 7.]\n [3. 4.]]")
_row_change("sub", "subtracted from", "[[-4. -3.]\n [ 3.  4.]]")
