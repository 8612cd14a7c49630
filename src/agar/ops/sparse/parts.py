"""The parts of sparse tensors: indices, values, shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import torch

from agar._core.errors import missing_feature
from agar._core.sparse import COOTensor, CSRTensor, RowTensorInner
from agar._core.tensor import Tensor as AgarTensor
from agar._core.tensor import wrap
from agar.ops.sparse.elementwise import expect

__all__: list[str] = ["make_map_parameter", "row_tensor_add"]

# --------------------------------------------------------------------------- the parts

_PART_DOC = """{what} of a {cls}, as its attribute ``{part}``.

Args:
    x ({cls}): the sparse tensor.

Returns:
    {kind}.

Raises:
    TypeError: `x` is not a {cls}.

Difference from PyTorch: a method of the sparse tensor there.

Source: documentation of MindSpore 2.10.

Examples:
    >>> import agar as ms
    >>> x = {example}
    >>> bool(ms.ops.{name}(x) is x.{part})
    True
"""
_PARTS = {
    "indptr": "Where each row begins among the values",
    "indices": "The places of the values",
    "values": "The values",
    "dense_shape": "The sizes of the dense tensor",
}
_OF_FORMATS = {
    "coo": (COOTensor, "ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))"),
    "csr": (
        CSRTensor,
        "ms.CSRTensor(ms.Tensor([0, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (1, 2))",
    ),
    "row": (RowTensorInner, "ms.RowTensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))"),
}


def _part_of(prefix: str, part: str) -> Callable[[Any], Any]:
    cls, example = _OF_FORMATS[prefix]
    full = f"{prefix}_tensor_get_{part}"
    attribute = "shape" if part == "dense_shape" and prefix != "row" else part

    def read(x: Any) -> Any:
        return getattr(expect(full, "x", x, cls), attribute)

    read.__name__ = read.__qualname__ = full
    read.__module__ = "agar.ops.function"
    read.__doc__ = _PART_DOC.format(
        what=_PARTS[part],
        cls=cls.__name__.removesuffix("Inner"),
        part=attribute,
        kind="tuple of int" if part == "dense_shape" else "Tensor",
        example=example,
        name=full,
    )
    return read


for _prefix in _OF_FORMATS:
    for _part in _PARTS:
        if _prefix == "csr" or _part != "indptr":
            _name = f"{_prefix}_tensor_get_{_part}"
            globals()[_name] = _part_of(_prefix, _part)
            __all__ += [_name]


def row_tensor_add(x: RowTensorInner, y: AgarTensor) -> RowTensorInner:
    """The sum of a RowTensor and a dense tensor of its ``dense_shape``, as a RowTensor.

    Args:
        x (RowTensor): some rows.
        y (Tensor): the dense summand.

    Returns:
        RowTensor of all rows.

    Raises:
        TypeError: `x` is not a RowTensor, or `y` is not a Tensor.
        ValueError: the shapes differ.

    Difference from PyTorch: ``Tensor.index_add`` gives a tensor.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.RowTensor(ms.Tensor([1]), ms.Tensor([[1.0, 2.0]]), (2, 2))
        >>> print(ms.ops.row_tensor_add(x, ms.ops.ones((2, 2))).values)
        [[1. 1.]
         [2. 3.]]
    """
    expect("row_tensor_add", "x", x, RowTensorInner)
    expect("row_tensor_add", "y", y, AgarTensor)
    if y.shape != tuple(x.dense_shape):
        raise ValueError(
            f"For 'row_tensor_add', 'y' must have the shape {x.dense_shape}, but got {y.shape}."
        )
    places = x.indices._value
    rows = torch.arange(y.shape[0], dtype=places.dtype, device=places.device)
    return x._make((wrap(rows), y + x.to_dense(), x.dense_shape))


def make_map_parameter(*args: Any) -> NoReturn:
    """Not available: a parameter that is a table of rows by keys; see ``experimental``.

    Args:
        *args (Any): not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> try:
        ...     ms.ops.make_map_parameter()
        ... except NotImplementedError:
        ...     print("use nn.Embedding")
        use nn.Embedding
    """
    raise missing_feature(
        "ops.make_map_parameter",
        "tables of parameters that grow belong to MindSpore's parameter servers",
        "use nn.Embedding, with enough rows from the start",
    )
