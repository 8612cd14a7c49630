"""Products with weights: dense, bilinear, bias, embeddings."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import choice
from agar.ops._layers import layer_binding
from agar.ops.spec import Call, op, primitive

__all__ = ["embedding_layer", "embedding_one_hot_layer"]


@op(
    primitive="Dense",
    mint="nn.functional.linear",
    samples=("f(2, 3), f(4, 3)", "f(2, 5, 3), f(4, 3), f(4)", "f(3), f(4, 3), f(4)"),
    errors=(
        ("f(2, 3), f(4, 5)", ValueError, "sizes"),
        ("[1.0, 2.0], f(4, 2)", TypeError, "must be Tensor"),
    ),
    reference="input @ weight.T + (0 if bias is None else bias)",
)
def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    r"""Product with a weight matrix: :math:`out = input \cdot weight^T + bias`.

    Args:
        input (Tensor): shape :math:`(*, C_{in})`.
        weight (Tensor): shape :math:`(C_{out}, C_{in})`, of the input's dtype.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.

    Returns: Tensor of shape :math:`(*, C_{out})`.
    Raises TypeError: the dtypes differ, there is no promotion.
    Raises ValueError: the sizes do not fit.
    Difference from PyTorch: ``torch.nn.functional.linear`` under another name.

    >>> x, w = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 4.0], [5.0, 6.0]])
    >>> print(ms.ops.dense(x, w))
    [[11. 17.]]
    """
    return F.linear(input, weight, bias)


@op(
    samples=("f(2, 3), f(2, 4), f(5, 3, 4)", "f(2, 3), f(2, 4), f(5, 3, 4), f(5)"),
    errors=(
        ("f(2, 3), f(2, 4), f(5, 4, 3)", ValueError, "weight"),
        ("f(2, 3), f(3, 4), f(5, 3, 4)", ValueError, "leading"),
    ),
    reference=(
        "np.einsum('...i,oij,...j->...o', input1, weight, input2) + (0 if bias is None else bias)"
    ),
)
def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    r"""Bilinear product: :math:`out_o = input_1^T \cdot weight_o \cdot input_2 + bias_o`.

    Args:
        input1 (Tensor): shape :math:`(*, C_1)`.
        input2 (Tensor): shape :math:`(*, C_2)`.
        weight (Tensor): shape :math:`(C_{out}, C_1, C_2)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.

    Returns: Tensor of shape :math:`(*, C_{out})`.
    Raises ValueError: the sizes do not fit.
    Difference from PyTorch: ``torch.nn.functional.bilinear`` under another name.

    >>> x, y, w = ms.ops.ones((2, 3)), ms.ops.ones((2, 4)), ms.ops.ones((5, 3, 4))
    >>> ms.ops.bidense(x, y, w).shape
    (2, 5)
    """
    if input1.shape[:-1] != input2.shape[:-1]:
        raise ValueError(
            f"For 'bidense', the leading sizes of the inputs must be equal, but got shapes "
            f"{tuple(input1.shape)} and {tuple(input2.shape)}."
        )
    if weight.dim() != 3 or weight.shape[1:] != (input1.shape[-1], input2.shape[-1]):
        raise ValueError(
            f"For 'bidense', the weight must have shape (C_out, {input1.shape[-1]}, "
            f"{input2.shape[-1]}), but got {tuple(weight.shape)}."
        )
    return F.bilinear(input1, input2, weight, bias)


def _with_bias(op_name: str, x: Tensor, bias: Tensor, axis: int) -> Tensor:
    if x.dim() < 2 or bias.dim() != 1 or bias.shape[0] != x.shape[axis]:
        raise ValueError(
            f"For '{op_name}', the bias must have one element for each channel of an input of rank "
            f"2 or more, but got shapes {tuple(x.shape)} and {tuple(bias.shape)}."
        )
    return x + bias.view((-1,) + (1,) * ((x.dim() - 2) if axis == 1 else 0))


@op(
    samples=("f(2, 3), f(3)", "f(2, 3, 4, 5), f(3)"),
    errors=(("f(2, 3), f(2)", ValueError, "each channel"),),
    reference="input_x + bias.reshape((-1,) + (1,) * (input_x.ndim - 2))",
)
def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    r"""Add a bias to every channel: :math:`out_{n,c,\dots} = input_{n,c,\dots} + bias_c`.

    Args:
        input_x (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        bias (Tensor): shape :math:`(C,)`.

    Returns: Tensor of the input's shape.
    Raises ValueError: the bias has another size, or the input is of rank below 2.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.bias_add(ms.Tensor([[1.0, 2.0]]), ms.Tensor([10.0, 20.0])))
    [[11. 22.]]
    """
    return _with_bias("bias_add", input_x, bias, 1)


@primitive(
    "BiasAdd",
    samples=("f(2, 3, 4), f(3)", "f(2, 4, 4, 3), f(3), data_format='NHWC'"),
    errors=(
        ("f(2, 3), f(2)", ValueError, "each channel"),
        ("f(2, 3), f(3), data_format='CHWN'", ValueError, "data_format"),
    ),
)
def _bias_add_primitive(input_x: Tensor, bias: Tensor, *, data_format: str = "NCHW") -> Tensor:
    """Add a bias to every channel.

    Args:
        input_x (Tensor): rank 2 or more.
        bias (Tensor): one element for each channel.
        data_format (str): ``NCHW``, ``NCDHW`` (channels on axis 1) or ``NHWC`` (last axis).
            Default: ``"NCHW"``.

    Returns: Tensor of the input's shape.
    Raises ValueError: the bias has another size, or the format is unknown.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.BiasAdd()(ms.Tensor([[1.0, 2.0]]), ms.Tensor([10.0, 20.0])))
    [[11. 22.]]
    """
    choice("BiasAdd", "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    return _with_bias("BiasAdd", input_x, bias, -1 if data_format == "NHWC" else 1)


# ------------------------------------------------------------------------------ embeddings


def _check_indices(op_name: str, indices: Tensor) -> Tensor:
    if indices.is_floating_point() or indices.dtype is torch.bool or indices.is_complex():
        raise TypeError(
            f"For '{op_name}', the indices must be integers, but got dtype "
            f"{str(indices.dtype).removeprefix('torch.')}; convert with .astype(ms.int32)."
        )
    return indices if indices.dtype in (torch.int32, torch.int64) else indices.long()


def _out_of_range(op_name: str, indices: Tensor, rows: int) -> RuntimeError:
    return RuntimeError(
        f"For '{op_name}', the indices must lie in [0, {rows}), the rows of the table, but got "
        f"values from {int(indices.min())} to {int(indices.max())}."
    )


def _embedding_of(indices: Tensor, weight: Tensor) -> Tensor:
    indices = _check_indices("Embedding", indices)
    try:
        return F.embedding(indices, weight)
    except IndexError as error:
        raise _out_of_range("Embedding", indices, weight.shape[0]) from error


#: ``embedding_layer(indices, table)``.
embedding_layer = layer_binding("Embedding", _embedding_of, "Gather")


@op(
    mint="nn.functional.embedding",
    samples=("i(2, 3) % 4, f(4, 3)", "i(2, 3) % 4, f(4, 3), 1", "i(3) % 4, f(4, 3), None, 0.5"),
    errors=(
        ("i(2, 3) * 0 + 9, f(4, 3)", RuntimeError, "must lie in [0, 4)"),
        ("f(2, 3), f(4, 3)", TypeError, "integers"),
        ("i(2) % 4, f(4, 3), 7", ValueError, "padding_idx"),
    ),
    differentiable=False,  # max_norm rescales the table in place
    fast=Call(
        "torch.embedding(weight, input)",
        "padding_idx is None and max_norm is None and scale_grad_by_freq is False"
        " and weight._value.is_cpu",
    ),
)
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    r"""Rows of a table: :math:`out_{i,\dots} = weight_{input_{i},\dots}`.

    Args:
        input (Tensor): indices of any shape, integers in [0, rows).
        weight (Tensor): the table, shape :math:`(rows, size)`.
        padding_idx (int): a row that receives no gradient; may be negative. Default: None.
        max_norm (float): rows that are looked up and have a larger norm are first scaled to it,
            in `weight` itself. Default: None.
        norm_type (float): the order of that norm. Default: 2.0.
        scale_grad_by_freq (bool): whether a row's gradient is divided by how often the row occurs
            in `input`. Default: False.

    Returns: Tensor of shape :math:`(*, size)`.
    Raises TypeError: the indices are not integers.
    Raises RuntimeError: an index is out of range.
    Raises ValueError: `padding_idx` is out of range.
    Difference from PyTorch: an index out of range is a RuntimeError.

    >>> table = ms.Tensor([[0.0, 1.0], [2.0, 3.0]])
    >>> print(ms.ops.embedding(ms.Tensor([1, 0]), table))
    [[2. 3.]
     [0. 1.]]
    """
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise ValueError(
            f"For 'embedding', 'padding_idx' must be in [{-rows}, {rows}), but got {padding_idx}."
        )
    input = _check_indices("embedding", input)
    try:
        if max_norm is not None:
            with torch.no_grad():
                # the rows are scaled where the parameter keeps them, outside the recorded graph
                torch.embedding_renorm_(weight.data, input.contiguous(), max_norm, norm_type)
        return F.embedding(input, weight, padding_idx, scale_grad_by_freq=scale_grad_by_freq)
    except IndexError as error:
        raise _out_of_range("embedding", input, rows) from error


@primitive(
    "EmbeddingLookup",
    samples=("f(4, 3), i(2, 3) % 4, 0", "f(4, 3), i(2, 3) % 8, 2"),
    errors=(("f(4, 3), f(2), 0", TypeError, "integers"),),
)
def _embedding_lookup(input_params: Tensor, input_indices: Tensor, offset: int) -> Tensor:
    r"""Rows of one part of a table; indices that belong to other parts give zeros.

    .. math:: out_i = params_{indices_i - offset}, \text{or } 0 \text{ outside the part}

    Args:
        input_params (Tensor): the part of the table, shape :math:`(rows, *)`.
        input_indices (Tensor): integers of any shape.
        offset (int): the index of the part's first row.

    Returns: Tensor of shape `input_indices.shape + input_params.shape[1:]`.
    Raises TypeError: the indices are not integers.
    Difference from PyTorch: no counterpart.

    >>> table = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ms.ops.EmbeddingLookup()(table, ms.Tensor([5, 6]), 5))
    [[1. 2.]
     [3. 4.]]
    """
    return _rows_or_zeros(input_params, input_indices, offset)


def _rows_or_zeros(input_params: Tensor, input_indices: Tensor, offset: int) -> Tensor:
    places = _check_indices("EmbeddingLookup", input_indices).long() - offset
    rows = input_params.shape[0]
    inside = (places >= 0) & (places < rows)
    entry = input_params[torch.where(inside, places, 0)]
    outside = ~inside.view(inside.shape + (1,) * (input_params.dim() - 1))
    return entry.masked_fill(outside, 0)


def _embedding_one_hot_of(table: Tensor, indices: Tensor) -> Tensor:
    return _rows_or_zeros(table, indices, 0)


#: ``embedding_one_hot_layer(table, indices)``: zeros where an index is out of range.
embedding_one_hot_layer = layer_binding("Embedding", _embedding_one_hot_of, "EmbeddingLookup")
