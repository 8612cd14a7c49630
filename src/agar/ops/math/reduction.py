"""Sums, means, products, any and all along axes, and what reductions share.

NOTE Axes. `axis` is None (all axes), an int, or a tuple or list of ints; an empty one means all.
Methods of Tensor take MindSpore's older and newer argument names: ``axis``/``dim`` and
``keepdims``/``keep_dims``/``keepdim``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer, number
from agar.ops.spec import Call, Fast, op, primitive
from agar.ops.tensor.axes import axes_of, spread

__all__ = ["either", "in_type", "reduced", "reduction"]


def in_type(op_name: str, input: Tensor, dtype: Any) -> Tensor:
    """The input in the type of an optional `dtype` argument."""
    return input if dtype is None else input.to(to_torch_dtype(dtype, op_name=op_name))


def either(op_name: str, axis: Any, dim: Any) -> Any:
    """The one of the synonymous arguments `axis` and `dim` that was given.

    Raises:
        TypeError: both were given.
    """
    if dim is None:
        return axis
    if axis is not None:
        raise TypeError(f"For '{op_name}', 'axis' and 'dim' mean the same; give one of them.")
    return dim


def reduced(
    op_name: str, compute: Callable[..., Tensor], input: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    """A torch reduction over axes; all of them for None or an empty tuple (NOTE Axes)."""
    if axis is None and not keepdims:
        return compute(input)
    axes = axes_of(op_name, axis, input.ndim)
    if not axes:  # a 0-d tensor
        return compute(input)
    return compute(input, axes, keepdims)


# ------------------------------------------------------------------------------------- sums

AXIS_ERRORS = (
    ("f(2, 3), 2", ValueError, "must be in the range"),
    ("f(2, 3), 'x'", TypeError, "int"),
    ("f(2, 3), (0, 0)", ValueError, "twice"),
)


@op(
    mint=True,
    fast=Call(
        "torch.sum(input) if dim is None else torch.sum(input, dim, keepdim)",
        "dtype is None and (keepdim is False if dim is None else type(dim) is int)",
    ),
    samples=(
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), (0, 1), True",
        "i(3)",
        "b(3)",
        "f(2, 3), ()",
        "f(3), dtype=ms.float32",
    ),
    errors=AXIS_ERRORS,
)
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Sum over axes: :math:`out = \sum_{dim} input`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to sum in and to return. Default None: that of `input`; int64 for
            integers and bool.

    Returns: Tensor.
    Raises TypeError: `dim` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.

    >>> print(ms.ops.sum(ms.Tensor([[1, 2], [3, 4]]), 1))
    [3 7]
    """
    if dtype is not None:
        input = input.to(to_torch_dtype(dtype, op_name="sum"))
        kind = input.dtype
        return reduced("sum", lambda x, *a: torch.sum(x, *a, dtype=kind), input, dim, keepdim)
    return reduced("sum", torch.sum, input, dim, keepdim)


@op(
    "sum",
    function=False,
    method="sum",
    fast=Call(
        "torch.sum(input) if axis is None else torch.sum(input, axis, keepdims)",
        "second is None and initial is None and dtype is None and dim is None and keepdim is False"
        " and (keepdims is False if axis is None else type(axis) is int)",
    ),
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, ms.float32",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keepdims=True",
        "f(2, 3), dim=1, keepdim=True",
        "f(2, 3), 1, initial=5",
    ),
    errors=(*AXIS_ERRORS, ("f(2, 3), 1, dim=0", TypeError, "axis")),
)
def _sum(
    input: Tensor,
    axis: Any = None,
    second: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    *,
    dtype: Any = None,
    dim: Any = None,
    keepdim: bool = False,
) -> Tensor:
    """Sum over axes.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes; `dim` means the same. Default None: all.
        second (Union[Type, bool]): in the second place, `dtype` or `keepdim`. Default: None.
        keepdims (bool): whether the axes stay, with size 1; `keepdim` means the same.
            Default: False.
        initial (number): what is added to the sum. Default: None.
        dtype (Type): the type of the result. Default: None.
        dim (Union[None, int, tuple, list]): see `axis`. Default: None.
        keepdim (bool): see `keepdims`. Default: False.

    Returns: Tensor.
    Raises TypeError: an argument has the wrong type, or given under both names.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: ``axis``, ``keepdims`` and ``initial`` are numpy's.

    >>> print(ms.Tensor([[1, 2], [3, 4]]).sum(axis=0, keepdims=True))
    [[4 6]]
    """
    if isinstance(second, bool):
        keepdim = second
    elif second is not None:
        if dtype is not None:
            raise TypeError("For 'sum', the argument 'dtype' was given twice.")
        dtype = second
    axis = either("sum", axis, dim)
    total = sum(input, axis, keepdims or keepdim, dtype=dtype)
    return total if initial is None else total + number("sum", "initial", initial)


@op(
    function=False,
    method="sum_to_size",
    samples=("f(2, 3), 3", "f(4, 2, 3), (2, 1)", "f(2, 3)"),
    errors=(("f(2, 3), 2, 2", ValueError, "size"), ("f(3), 1, 3", ValueError, "size")),
    keywords={"size": "sizes"},
)
def sum_to_size(input: Tensor, *sizes: Any) -> Tensor:
    """Sum over the axes along which a tensor of the given size would be broadcast.

    Args:
        input (Tensor): this tensor.
        sizes (Union[int, tuple[int]]): the shape, as numbers or as one tuple; also as `size`.

    Returns: Tensor of that shape.
    Raises TypeError: a size is not an int.
    Raises ValueError: a tensor of that size does not broadcast to this one.

    >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(2))
    [4. 6.]
    """
    shape = [integer("sum_to_size", "size", n) for n in spread(sizes)]
    lead = input.ndim - len(shape)
    fits = lead >= 0 and all(n in (1, m) for n, m in zip(shape, input.shape[lead:], strict=True))
    if not fits:
        raise ValueError(
            f"For 'sum_to_size', a tensor of size {tuple(shape)} does not broadcast to the shape "
            f"{tuple(input.shape)}."
        )
    return input.sum_to_size(shape)


@op(
    fast=Call(
        "torch.mean(x) if axis is None else torch.mean(x, axis, keep_dims)",
        "keep_dims is False if axis is None else type(axis) is int",
    ),
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), True", "i(3)"),
    errors=(*AXIS_ERRORS, ("b(2)", TypeError, "bool")),
)
def mean(x: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    r"""Mean over axes: :math:`out = \frac{1}{N} \sum_{axis} x`.

    Args:
        x (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Returns: Tensor of the type of `x`; the mean of integers is truncated.
    Raises TypeError: `axis` has the wrong type, or `x` is bool.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: integers are accepted and stay integers; `keep_dims` is called
        ``keepdim`` there.

    >>> print(ms.ops.mean(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
    [1.5 3.5]
    """
    return _mean("mean", x, axis, keep_dims)


def _mean(op_name: str, x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        if x.dtype is torch.bool:
            raise TypeError(
                f"For '{op_name}', the mean of bool is not defined; convert with "
                ".astype(ms.float32)."
            )
        total = reduced(op_name, torch.sum, x, axis, keepdims)
        count = x.numel() // (total.numel() or 1)
        return torch.div(total, count, rounding_mode="trunc").to(x.dtype)
    return reduced(op_name, torch.mean, x, axis, keepdims)


@op(
    "mean",
    function=False,
    mint="mean",
    fast=Call(
        "torch.mean(input) if dim is None else torch.mean(input, dim, keepdim)",
        "dtype is None and (keepdim is False if dim is None else type(dim) is int)",
    ),
    samples=("f(2, 3)", "f(2, 3), 1, True", "i(3)"),
    errors=(*AXIS_ERRORS, ("b(2)", TypeError, "bool")),
)
def _mean_mint(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean over axes; see :func:`ops.mean`.

    Own Args:
        dtype (Type): the type to compute in and to return. Default None: that of `input`.

    >>> print(ms.mint.mean(ms.Tensor([1.0, 2.0])))
    1.5
    """
    return _mean("mean", in_type("mean", input, dtype), dim, keepdim)


@op(
    "mean",
    function=False,
    method="mean",
    fast=Call(
        "torch.mean(input) if axis is None else torch.mean(input, axis, keep_dims)",
        "dim is None and keepdim is False and dtype is None"
        " and (keep_dims is False if axis is None else type(axis) is int)",
    ),
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keep_dims=True",
        "f(2, 3), dim=1, keepdim=True",
        "f(3), dtype=ms.float32",
    ),
    errors=AXIS_ERRORS,
)
def _mean_method(
    input: Tensor,
    axis: Any = None,
    keep_dims: bool = False,
    *,
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """Mean over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.mean`.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        dim (Union[None, int, tuple, list]): see `axis`. Default: None.
        keepdim (bool): see `keep_dims`. Default: False.
        dtype (Type): the type to compute in and to return. Default: None.

    Returns: Tensor.
    Raises TypeError: an argument has the wrong type, or given under both names.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: integers are accepted and stay integers.

    >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).mean(axis=0))
    [2. 3.]
    """
    axis = either("mean", axis, dim)
    return _mean("mean", in_type("mean", input, dtype), axis, keep_dims or keepdim)


def _product(input: Tensor, axes: tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    if axes is None:
        return torch.prod(input)
    for axis in sorted(axes, reverse=True):
        input = torch.prod(input, axis, keepdims)
    return input


@op(
    mint=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), True", "i(3)", "b(3)"),
    errors=AXIS_ERRORS,
)
def prod(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    r"""Product over axes: :math:`out = \prod_{axis} input`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default None: that of `input`; int64
            for integers and bool.

    Returns: Tensor.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: several axes are accepted.

    >>> print(ms.ops.prod(ms.Tensor([[1, 2], [3, 4]]), 1))
    [ 2 12]
    """
    result = reduced("prod", _product, in_type("prod", input, dtype), axis, keep_dims)
    return in_type("prod", result, dtype)


@op(
    "prod",
    function=False,
    mint="prod",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS,
)
def _prod_mint(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Product over axes; see :func:`ops.prod`.

    >>> print(ms.mint.prod(ms.Tensor([2.0, 3.0])))
    6.0
    """
    return prod(input, dim, keepdim, dtype)


@op(
    "prod",
    function=False,
    method="prod",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keep_dims=True",
        "f(2, 3), dim=1, keepdim=True",
    ),
    errors=AXIS_ERRORS,
)
def _prod_method(
    input: Tensor,
    axis: Any = None,
    keep_dims: bool = False,
    dtype: Any = None,
    *,
    dim: Any = None,
    keepdim: bool = False,
) -> Tensor:
    """Product over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.prod`.

    >>> print(ms.Tensor([2.0, 3.0]).prod())
    6.0
    """
    axis = either("prod", axis, dim)
    return prod(input, axis, keep_dims or keepdim, dtype)


# -------------------------------------------------------------------------------- any and all


def _truth(name: str, compute: Callable[..., Tensor], words: str, shown: str) -> None:
    """Declare any or all: function, method and Primitive."""

    def with_axes(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
        if axes is None:
            return compute(input).bool()  # torch keeps uint8
        for axis in sorted(axes, reverse=True):
            input = compute(input, axis, keepdims)
        return input.bool()

    def impl(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
        return reduced(name, with_axes, input, axis, keep_dims)

    doc = (
        f"Whether {words} along axes are true (not zero).\n\n"
        "    Args:\n"
        "        input (Tensor): any shape and type.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        keep_dims (bool): whether the axes stay, with size 1. Default: False.\n\n"
        "    Returns: Tensor of bool.\n"
        "    Raises TypeError: `axis` is of another type.\n"
        "    Raises ValueError: an axis is out of range or given twice.\n"
        "    Difference from PyTorch: `keep_dims` is called ``keepdim`` there.\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([[True, False], [True, True]]), 1))\n"
        f"    {shown}\n"
    )
    impl.__name__ = name
    impl.__doc__ = doc
    options: dict[str, Any] = {"cast": "never", "differentiable": False}

    def fast(axis: str, keep: str, more: str = "") -> Call:
        return Call(
            f"torch.{name}(input) if {axis} is None else torch.{name}(input, {axis}, {keep})",
            f"{more}({keep} is False if {axis} is None else type({axis}) is int)"
            " and input._value.dtype is not torch.uint8",  # which torch keeps
        )

    op(
        name,
        fast=fast("axis", "keep_dims"),
        samples=("b(2, 3)", "b(2, 3), 1, True", "f(2, 3), (0, 1)", "i(3)"),
        errors=AXIS_ERRORS,
        **options,
    )(impl)

    def method(
        input: Tensor,
        axis: Any = None,
        keep_dims: bool = False,
        *,
        dim: Any = None,
        keepdim: bool = False,
    ) -> Tensor:
        axis = either(name, axis, dim)
        return reduced(name, with_axes, input, axis, keep_dims or keepdim)

    method.__doc__ = (
        f"Whether {words} along axes are true; `dim` and `keepdim` mean `axis` and `keep_dims`.\n"
        f"    See :func:`ops.{name}`.\n"
    )
    op(
        name,
        function=False,
        method=name,
        fast=fast("axis", "keep_dims", "dim is None and keepdim is False and "),
        samples=("b(2, 3)", "b(2, 3), dim=1, keepdim=True"),
        errors=(*AXIS_ERRORS, ("b(2, 3), 1, dim=0", TypeError, "axis")),
        **options,
    )(method)

    def in_mint(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        return reduced(name, with_axes, input, dim, keepdim)

    in_mint.__doc__ = f"Whether {words} along axes are true; see :func:`ops.{name}`.\n"
    op(
        name,
        function=False,
        mint=name,
        fast=fast("dim", "keepdim"),
        samples=("b(2, 3)", "b(2, 3), 1, True"),
        errors=AXIS_ERRORS,
        **options,
    )(in_mint)

    class_name = f"Reduce{name.capitalize()}"

    def rule(x: Tensor, axis: Any = None, *, keep_dims: bool = False) -> Tensor:
        return reduced(class_name, with_axes, x, axis, keep_dims)

    rule.__doc__ = f"Whether {words} along axes are true; see :func:`ops.{name}`.\n"
    primitive(
        class_name,
        samples=("b(2, 3)", "b(2, 3), 1, keep_dims=True"),
        errors=AXIS_ERRORS,
        **options,
    )(rule)


_truth("all", torch.all, "all elements", "[False  True]")
_truth("any", torch.any, "some elements", "[ True  True]")


# ----------------------------------------------------------------------- Reduce* primitives


def reduction(
    name: str,
    compute: Callable[..., Tensor],
    words: str,
    shown: str,
    *,
    function: str = "",
    fast: Fast | None = None,
) -> None:
    """Declare the Primitive of a reduction, and its old function without keep_dims."""

    def rule(x: Tensor, axis: Any = (), *, keep_dims: bool = False) -> Tensor:
        return reduced(name, compute, x, axis, keep_dims)

    doc = (
        f"{words} along axes.\n\n"
        "    Args:\n"
        "        keep_dims (bool): whether the axes stay, with size 1. Default: False.\n"
        "        x (Tensor): any shape.\n"
        "        axis (Union[int, tuple, list]): the axes. Default (): all.\n\n"
        "    Returns: Tensor of the type of `x`.\n"
        "    Raises TypeError: `axis` is of another type.\n"
        "    Raises ValueError: an axis is out of range or given twice.\n"
        "    Difference from PyTorch: integers keep their type.\n\n"
        "    >>> x = ms.Tensor([[1, 2], [3, 4]])\n"
    )
    rule.__doc__ = f"{doc}        >>> print(ms.ops.{name}()(x, 1))\n        {shown}\n"
    samples = ("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1)", "i(3)")
    primitive(
        name, samples=(*samples, "f(2, 3), 1, keep_dims=True"), errors=AXIS_ERRORS, fast=fast
    )(rule)
    if function:

        def impl(x: Tensor, axis: Any = ()) -> Tensor:
            return reduced(name, compute, x, axis, False)

        impl.__name__ = function
        shorter = doc.replace(
            "        keep_dims (bool): whether the axes stay, with size 1. Default: False.\n", ""
        )
        impl.__doc__ = f"{shorter}        >>> print(ms.ops.{function}(x, 1))\n        {shown}\n"
        op(function, samples=samples, errors=AXIS_ERRORS)(impl)


def _sum_in_type(x: Tensor, *axes: Any) -> Tensor:
    return torch.sum(x, *axes, dtype=x.dtype)


def _product_in_type(x: Tensor, *axes: Any) -> Tensor:
    return _product(x, *axes).to(x.dtype)


def _mean_in_type(x: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    return _mean("ReduceMean", x, axes, keepdims)


reduction(
    "ReduceMean",
    _mean_in_type,
    "Mean",
    "[1 3]",
    function="reduce_mean",
    fast=Call("torch.mean(x, axis, keep_dims)", "type(axis) is int"),
)
reduction("ReduceProd", _product_in_type, "Product", "[ 2 12]")


@primitive(
    "ReduceSum",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), (0, 1), keep_dims=True",
        "i(3)",
        "f(2, 3), (), skip_mode=True",
    ),
    errors=AXIS_ERRORS,
    fast=Call(
        "torch.sum(x, axis, keep_dims) if type(axis) is int else torch.sum(x)",
        "x._value.dtype in _floats and (type(axis) is int or (type(axis) is tuple and not axis"
        " and keep_dims is False and skip_mode is False))",
    ),
)
def _reduce_sum(
    x: Tensor, axis: Any = (), *, keep_dims: bool = False, skip_mode: bool = False
) -> Tensor:
    """Sum along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        skip_mode (bool): whether an empty `axis` means that nothing is summed. Default: False.
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all, see `skip_mode`.

    Returns: Tensor of the type of `x`.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: integers keep their type.
    Source: behavior observed in MindSpore 2.10; `skip_mode` as documented there.

    >>> print(ms.ops.ReduceSum(keep_dims=True)(ms.Tensor([[1, 2], [3, 4]]), 1))
    [[3]
     [7]]
    """
    if skip_mode and isinstance(axis, (tuple, list)) and not axis:
        return x
    return reduced("ReduceSum", _sum_in_type, x, axis, keep_dims)


@op(samples=("f(2, 3)", "f(2, 3), 1"), errors=AXIS_ERRORS)
def reduce_sum(x: Tensor, axis: Any = ()) -> Tensor:
    """Sum along axes in the type of the input; see `ReduceSum`.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns: Tensor of the type of `x`.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: integers keep their type.

    >>> print(ms.ops.reduce_sum(ms.Tensor([[1, 2], [3, 4]]), 1))
    [3 7]
    """
    return reduced("reduce_sum", _sum_in_type, x, axis, False)
