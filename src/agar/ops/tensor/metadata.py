"""What a tensor is like: shape, strides, type, memory."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, Number
from agar.ops.spec import op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []

# -------------------------------------------------------------------- what a tensor is like


@op(
    function=("shape", "shape_"),
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
    renamed={"shape_": {"input_x": "x"}},
)
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes.

    Args:
        input_x (Tensor): any tensor.

    Returns: Tuple of ints.
    Difference from PyTorch: ``Tensor.shape`` is a ``torch.Size`` there.

    >>> ms.ops.shape(ms.ops.zeros((2, 3)))
    (2, 3)
    """
    return tuple(input_x.shape)


@primitive(
    "Shape",
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _shape_primitive(x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes; see :func:`ops.shape`.

    >>> ms.ops.Shape()(ms.ops.zeros((2, 3)))
    (2, 3)
    """
    return tuple(x.shape)


@op(
    function="dyn_shape",
    primitive=("TensorShape", "DynamicShape"),
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def dyn_shape(input_x: Tensor) -> Tensor:
    """The sizes of a tensor's axes, as a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns: Tensor of int64.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.dyn_shape(ms.ops.zeros((2, 3))))
    [2 3]
    """
    return torch.tensor(input_x.shape, dtype=torch.int64)


def _count(name: str, value: Any, words: str, parameter: str, shown: str, **bindings: Any) -> None:
    """Declare a function that tells a number about a tensor."""

    def of_input(input: Tensor) -> int:
        return value(input)

    def of_input_x(input_x: Tensor) -> int:
        return value(input_x)

    impl = of_input if parameter == "input" else of_input_x
    impl.__name__ = name
    impl.__doc__ = (
        f"The {words} of a tensor.\n\n"
        "    Args:\n"
        f"        {parameter} (Tensor): any tensor.\n\n"
        "    Returns: int.\n"
        f"    Raises TypeError: `{parameter}` is not a Tensor.\n\n"
        f"    >>> ms.{shown}\n"
    )
    only_method = bindings.get("function", True) is False
    op(
        name,
        cast="never",
        samples=("f(2, 3)", "f()"),
        differentiable=False,
        errors=(
            ("f(2), 1", TypeError, "positional argument")
            if only_method
            else ("[1.0]", TypeError, "must be Tensor"),
        ),
        **bindings,
    )(impl)


_count(
    "numel",
    Tensor.numel,
    "number of elements",
    "input",
    "ops.numel(ms.ops.zeros((2, 3)))\n        6",
    method=("numel", "nelement"),
)
_count(
    "size",
    Tensor.numel,
    "number of elements",
    "input_x",
    "ops.size(ms.ops.zeros((2, 3)))\n        6",
    primitive="Size",
)
_count(
    "rank",
    Tensor.dim,
    "number of axes",
    "input_x",
    "ops.rank(ms.ops.zeros((2, 3)))\n        2",
    primitive="Rank",
)
_count(
    "dim",
    Tensor.dim,
    "number of axes",
    "input",
    "ops.zeros((2, 3)).dim()\n        2",
    function=False,
    method=("dim", "ndimension"),
)
_count(
    "element_size",
    Tensor.element_size,
    "bytes of one element",
    "input",
    "Tensor([1.0]).element_size()\n        4",
    function=False,
    method=True,
)
_count(
    "storage_offset",
    Tensor.storage_offset,
    "place in its memory, in elements,",
    "input",
    "Tensor([1, 2])[1:].storage_offset()\n        1",
    function=False,
    method=True,
)
_count(
    "data_ptr",
    Tensor.data_ptr,
    "address of the first element",
    "input",
    "Tensor([1.0]).data_ptr() > 0\n        True",
    function=False,
    method=True,
)


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 0"),
    differentiable=False,
    errors=(("f(2), 1", ValueError, "dim"),),
)
def stride(input: Tensor, dim: int | None = None) -> Any:
    """The strides: the number of elements to step over along each axis, or along one.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis. Default None: all.

    Returns: List of ints, or an int.
    Raises ValueError: `dim` is out of range.
    Difference from PyTorch: a list, not a tuple; ``Tensor.strides`` counts bytes.

    >>> ms.ops.zeros((2, 3)).stride()
    [3, 1]
    """
    if dim is None:
        return list(input.stride())
    return input.stride(axis_of("stride", dim, input.ndim, "dim"))


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3).T"),
    differentiable=False,
    errors=(("f(2), 1", TypeError, "positional argument"),),
)
def is_contiguous(input: Tensor) -> bool:
    """Whether the elements lie in memory in the order of the axes.

    Difference from PyTorch: none.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3)).T.is_contiguous()
    False
    """
    return input.is_contiguous()


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3).T"),
    errors=(("f(2), 1", TypeError, "positional argument"),),
)
def contiguous(input: Tensor) -> Tensor:
    """The tensor with its elements in memory in the order of the axes, copied if necessary.

    Difference from PyTorch: none.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3)).T.contiguous().stride()
    [2, 1]
    """
    return input.contiguous()


@op(
    cast="never",
    samples=("f(2, 3)", "i(2)"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def dtype(x: Tensor) -> Number:
    """The type of a tensor's elements.

    Args:
        x (Tensor): any tensor.

    Returns: Type, such as ``ms.float32``.
    Difference from PyTorch: ``Tensor.dtype``.

    >>> ms.ops.dtype(ms.Tensor([1.0]))
    mindspore.float32
    """
    return FROM_TORCH[x.dtype]


@primitive(
    "DType",
    cast="never",
    samples=("f(2, 3)", "i(2)"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _dtype_primitive(x: Tensor) -> Number:
    """The type of a tensor's elements; see :func:`ops.dtype`.

    >>> ms.ops.DType()(ms.Tensor([1.0]))
    mindspore.float32
    """
    return FROM_TORCH[x.dtype]
