"""Operators on sparse tensors (COOTensor, CSRTensor), and on the parts of sparse tensors.

Most take and return sparse tensors, which are no tensors of the operator table: these are plain
functions. Those over ordinary tensors are entries of the table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core import optable, sparse
from agar._core.errors import describe, missing_feature
from agar._core.optable import CAST_NEVER
from agar._core.sparse import COOTensor, CSRTensor, RowTensorInner
from agar._core.tensor import Tensor as AgarTensor
from agar._core.tensor import wrap
from agar.ops._checks import boolean, integer
from agar.ops.spec import op, primitive

__all__ = [
    "coo_add",
    "coo_concat",
    "csr_add",
    "csr_div",
    "csr_mm",
    "csr_mul",
    "csr_mv",
    "csr_reduce_sum",
    "csr_softmax",
    "csr_to_coo",
    "csr_to_dense",
    "dense_to_sparse_coo",
    "dense_to_sparse_csr",
    "make_coo_tensor",
    "make_csr_tensor",
    "make_map_parameter",
    "make_row_tensor",
    "make_row_tensor_inner",
    "make_sparse_tensor",
    "row_tensor_add",
]


def _expect(who: str, name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(
            f"For functional operator {who}, '{name}' must be a {kind.__name__}, but got "
            f"{describe(value)}."
        )
    return value


# ---------------------------------------------------------------- element by element

#: The operators that exist for both formats: name and what it computes.
_ELEMENTWISE = {
    "abs": "the absolute value",
    "acos": "the inverse cosine",
    "acosh": "the inverse hyperbolic cosine",
    "asin": "the inverse sine",
    "asinh": "the inverse hyperbolic sine",
    "atan": "the inverse tangent",
    "atanh": "the inverse hyperbolic tangent",
    "ceil": "the smallest whole number that is not smaller",
    "cos": "the cosine",
    "cosh": "the hyperbolic cosine",
    "exp": "the exponential",
    "expm1": "the exponential minus one",
    "floor": "the largest whole number that is not larger",
    "inv": "one divided by it",
    "isfinite": "whether it is finite",
    "isinf": "whether it is infinite",
    "isnan": "whether it is not a number",
    "log": "the natural logarithm",
    "log1p": "the natural logarithm of one plus it",
    "neg": "its negative",
    "relu": "it if positive, else zero",
    "relu6": "it, limited to 0 to 6",
    "round": "the nearest whole number, the even one of two",
    "sigmoid": "the logistic function",
    "sin": "the sine",
    "sinh": "the hyperbolic sine",
    "softsign": "it divided by one plus its absolute",
    "sqrt": "the square root",
    "square": "its square",
    "tan": "the tangent",
    "tanh": "the hyperbolic tangent",
}

_DOC = """Of each value of a {cls}, {what}; the places stay.

Places without a value stay without one, whatever the function of zero is.

Args:
    x ({cls}): the sparse tensor.

Returns:
    {cls} with the same places; its values are what ``ops.{name}`` gives.

Raises:
    TypeError: `x` is no {cls}, or ``ops.{name}`` does not take the values' type.

Difference from PyTorch: ``torch.{torch_name}`` over a sparse tensor, where PyTorch has it.

Source: behaviour observed in MindSpore 2.10.

Examples:
    >>> import agar as ms
    >>> places, values = {places}, ms.Tensor([1.0])
    >>> x = ms.{cls}({arguments}, (2, 2))
    >>> ms.ops.{prefix}_{name}(x).shape
    (2, 2)
"""
_EXAMPLES = {
    "coo": (COOTensor, "ms.Tensor([[0, 1]])", "places, values"),
    "csr": (CSRTensor, "ms.Tensor([1])", "ms.Tensor([0, 1, 1]), places, values"),
}


@functools.cache
def _function(name: str) -> Callable[[Any], Any]:
    """``ops.name``."""
    return optable.face(optable.lookup("function", name), name, module="agar.ops.function")


def _elementwise(prefix: str, name: str) -> Callable[[Any], Any]:
    cls, places, arguments = _EXAMPLES[prefix]
    full = f"{prefix}_{name}"

    def apply(x: Any) -> Any:
        if not isinstance(x, cls):
            raise TypeError(f"Expects {cls.__name__} for {full}, but got {describe(x)}.")
        return x._with(_function(name)(x.values))

    apply.__name__ = apply.__qualname__ = full
    apply.__module__ = "agar.ops.function"
    apply.__doc__ = _DOC.format(
        cls=cls.__name__,
        what=_ELEMENTWISE[name],
        name=name,
        torch_name={"inv": "reciprocal"}.get(name, name),
        places=places,
        arguments=arguments,
        prefix=prefix,
    )
    return apply


for _prefix in _EXAMPLES:
    for _name in _ELEMENTWISE:
        globals()[f"{_prefix}_{_name}"] = _elementwise(_prefix, _name)
        __all__ += [f"{_prefix}_{_name}"]


# ------------------------------------------------------------------ the coordinate format


def coo_add(x1: COOTensor, x2: COOTensor, thresh: AgarTensor) -> COOTensor:
    """The sum of two COOTensors of one shape.

    Args:
        x1 (COOTensor): the first summand.
        x2 (COOTensor): the second.
        thresh (Tensor): a number; where both have a value and the sum's absolute is smaller, the
            sum has none.

    Returns:
        COOTensor, with its places in order.

    Raises:
        TypeError: a summand is no COOTensor, or `thresh` no Tensor.
        ValueError: the shapes differ.

    Difference from PyTorch: ``torch.add`` of sparse tensors has no threshold.

    Source: behaviour observed in MindSpore 2.10, which takes indices of int64 only.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.coo_add(x, x, ms.Tensor(0.0)).values)
        [2.]
    """
    return _expect("coo_add", "x1", x1, COOTensor).add(x2, thresh)


def coo_concat(sp_input: Sequence[COOTensor], concat_dim: int = 0) -> COOTensor:
    """COOTensors joined along an axis.

    Args:
        sp_input (Union[list[COOTensor], tuple[COOTensor]]): at least two.
        concat_dim (int): the axis, 0 or 1, or counted from the end. Default: 0.

    Returns:
        COOTensor, with its places in order.

    Raises:
        TypeError: an element is no COOTensor, or `concat_dim` no int.
        ValueError: there are fewer than two, the axis is out of range, or other sizes differ.

    Difference from PyTorch: ``torch.cat`` of sparse tensors.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.coo_concat((x, x), 1).to_dense())
        [[0. 1. 0. 1.]
         [0. 0. 0. 0.]]
    """
    who = "coo_concat"
    if not isinstance(sp_input, (list, tuple)) or len(sp_input) < 2:
        raise ValueError(
            f"For '{who}', 'sp_input' must be a list or tuple of at least two COOTensors, but got "
            f"{describe(sp_input)}."
        )
    parts: list[COOTensor] = [_expect(who, "sp_input", x, COOTensor) for x in sp_input]
    axis = integer(who, "concat_dim", concat_dim)
    if not -2 <= axis < 2:
        raise ValueError(f"For '{who}', 'concat_dim' must be in [-2, 2), but got {axis}.")
    axis %= 2
    other = 1 - axis
    if len({x.shape[other] for x in parts}) > 1:
        raise ValueError(
            f"For '{who}', sizes other than of axis {axis} must be equal, but got shapes "
            f"{[x.shape for x in parts]}."
        )
    places, total = [], 0
    for x in parts:
        rows = x.indices._value.clone()
        rows[:, axis] += total
        places.append(rows)
        total += x.shape[axis]
    shape = (total, parts[0].shape[1]) if axis == 0 else (parts[0].shape[0], total)
    joined = torch.cat(places)
    order = torch.argsort(joined[:, 0].long() * shape[1] + joined[:, 1], stable=True)
    values = torch.cat([x.values._value for x in parts])
    return COOTensor._make((wrap(joined[order]), wrap(values[order]), shape))


def make_coo_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> COOTensor:
    """A COOTensor of its parts.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        dense_shape (tuple[int]): the sizes of the dense matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.make_coo_tensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2)).size
        1
    """
    return COOTensor(indices, values, dense_shape)


def make_sparse_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> COOTensor:
    """A COOTensor of its parts; the former name of making one.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        dense_shape (tuple[int]): the sizes of the dense matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.ops.make_sparse_tensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> type(x).__name__
        'COOTensor'
    """
    return COOTensor(indices, values, dense_shape)


def make_row_tensor_inner(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> RowTensorInner:
    r"""A RowTensor of its parts; the same as :func:`make_row_tensor`.

    Args:
        indices (Tensor): the rows, of shape :math:`(N,)`.
        values (Tensor): their contents, of shape :math:`(N, *dense\_shape_{1:})`.
        dense_shape (tuple[int]): the sizes of the larger tensor.

    Returns:
        RowTensor.

    Raises:
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> row = ms.ops.make_row_tensor_inner(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
        >>> row.dense_shape
        (3, 2)
    """
    return sparse.RowTensor(indices, values, dense_shape)


def make_row_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> RowTensorInner:
    r"""A RowTensor of its parts.

    Args:
        indices (Tensor): the rows, of shape :math:`(N,)`.
        values (Tensor): their contents, of shape :math:`(N, *dense\_shape_{1:})`.
        dense_shape (tuple[int]): the sizes of the larger tensor.

    Returns:
        RowTensor.

    Raises:
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.make_row_tensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2)).dense_shape
        (3, 2)
    """
    return make_row_tensor_inner(indices, values, dense_shape)


# ------------------------------------------------------------------------ the row format


def make_csr_tensor(
    indptr: AgarTensor, indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> CSRTensor:
    """A CSRTensor of its parts.

    Args:
        indptr (Tensor): where each row begins.
        indices (Tensor): the column of each value.
        values (Tensor): the values.
        dense_shape (tuple[int]): the sizes of the dense tensor.

    Returns:
        CSRTensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_csr_tensor``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> indptr, indices = ms.Tensor([0, 1, 1]), ms.Tensor([1])
        >>> ms.ops.make_csr_tensor(indptr, indices, ms.Tensor([1.0]), (2, 2)).size
        1
    """
    return CSRTensor(indptr, indices, values, dense_shape)


def csr_add(a: CSRTensor, b: CSRTensor, alpha: AgarTensor, beta: AgarTensor) -> CSRTensor:
    """``alpha * a + beta * b`` for CSRTensors of one shape.

    Args:
        a (CSRTensor): the first summand.
        b (CSRTensor): the second.
        alpha (Tensor): a number.
        beta (Tensor): a number.

    Returns:
        CSRTensor, with the places of both.

    Raises:
        TypeError: a summand is no CSRTensor, or a factor no Tensor.
        ValueError: the shapes differ.

    Difference from PyTorch: ``torch.add(a, b, alpha=...)``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_add(x, x, ms.Tensor(2.0), ms.Tensor(3.0)).values)
        [5.]
    """
    return _expect("csr_add", "a", a, CSRTensor).add(b, alpha, beta)


def csr_mul(x: CSRTensor, y: AgarTensor | float) -> Any:
    """A CSRTensor times a dense tensor that broadcasts to its shape.

    Args:
        x (CSRTensor): the sparse factor.
        y (Union[Tensor, number]): the dense one.

    Returns:
        CSRTensor; for a single number a Tensor, the values alone.

    Raises:
        TypeError: `x` is no CSRTensor, or `y` neither Tensor nor number.
        ValueError: `y` does not broadcast.

    Difference from PyTorch: ``torch.mul`` always gives a sparse tensor.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_mul(x, ms.Tensor([[3.0], [4.0]])).values)
        [3.]
    """
    return _expect("csr_mul", "x", x, CSRTensor) * y


def csr_div(x: CSRTensor, y: AgarTensor | float) -> Any:
    """A CSRTensor divided by a dense tensor that broadcasts to its shape.

    Args:
        x (CSRTensor): the dividend.
        y (Union[Tensor, number]): the divisor; only its elements at the places of `x` count.

    Returns:
        CSRTensor; for a single number a Tensor, the values alone.

    Raises:
        TypeError: `x` is no CSRTensor, or `y` neither Tensor nor number.
        ValueError: `y` does not broadcast.

    Difference from PyTorch: ``torch.div`` takes sparse tensors and numbers only.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_div(x, ms.Tensor([[2.0], [4.0]])).values)
        [0.5]
    """
    return _expect("csr_div", "x", x, CSRTensor) / y


def csr_mv(csr_tensor: CSRTensor, dense: AgarTensor) -> AgarTensor:
    """A CSRTensor times a dense column.

    Args:
        csr_tensor (CSRTensor): a matrix.
        dense (Tensor): of shape :math:`(N, 1)` for a matrix of :math:`N` columns.

    Returns:
        Tensor of shape :math:`(M, 1)`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.mv`` takes a vector.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([2.0]), (2, 2))
        >>> print(ms.ops.csr_mv(x, ms.Tensor([[1.0], [3.0]])))
        [[6.]
         [0.]]
    """
    return _expect("csr_mv", "csr_tensor", csr_tensor, CSRTensor).mv(dense)


def csr_mm(
    a: CSRTensor,
    b: CSRTensor,
    trans_a: bool = False,
    trans_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> CSRTensor:
    """The product of two CSRTensors.

    Args:
        a (CSRTensor): a matrix.
        b (CSRTensor): a matrix.
        trans_a (bool): whether `a` is transposed first. Default: False.
        trans_b (bool): whether `b` is transposed first. Default: False.
        adjoint_a (bool): whether `a` is transposed and conjugated first. Default: False.
        adjoint_b (bool): whether `b` is transposed and conjugated first. Default: False.

    Returns:
        CSRTensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit, or a matrix is transposed in two ways.

    Difference from PyTorch: ``torch.sparse.mm``.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([1, 0]), ms.Tensor([2.0, 3.0]), (2, 2))
        >>> print(ms.ops.csr_mm(x, x).to_dense())
        [[6. 0.]
         [0. 6.]]
    """
    who = "csr_mm"
    for name, value in (("a", a), ("b", b)):
        _expect(who, name, value, CSRTensor)
    for name, value in (
        ("trans_a", trans_a),
        ("trans_b", trans_b),
        ("adjoint_a", adjoint_a),
        ("adjoint_b", adjoint_b),
    ):
        boolean(who, name, value)
    if (trans_a and adjoint_a) or (trans_b and adjoint_b):
        raise ValueError(f"For '{who}', a matrix is either transposed or adjoint, not both.")
    return sparse.matrix_product(a, b, trans_a, trans_b, adjoint_a, adjoint_b)


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> AgarTensor:
    """The sum of a CSRTensor over its columns.

    Args:
        csr_tensor (CSRTensor): the tensor.
        axis (int): 1, or -1 for a matrix.

    Returns:
        Tensor of shape :math:`(M, 1)`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: `axis` is another one.

    Difference from PyTorch: ``torch.sparse.sum``.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 2, 2]), ms.Tensor([0, 1]), ms.Tensor([2.0, 3.0]), (2, 2))
        >>> print(ms.ops.csr_reduce_sum(x, 1))
        [[5.]
         [0.]]
    """
    return _expect("csr_reduce_sum", "csr_tensor", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The softmax over the values of each row of a CSRTensor.

    Args:
        logits (CSRTensor): a matrix.
        dtype (Type): the type in which to compute, and of the result.

    Returns:
        CSRTensor with the same places.

    Raises:
        TypeError: `logits` is no CSRTensor, or `dtype` no floating type.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``torch.sparse.softmax``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 2, 2]), ms.Tensor([0, 1]), ms.Tensor([2.0, 2.0]), (2, 2))
        >>> print(ms.ops.csr_softmax(x, ms.float32).values)
        [0.5 0.5]
    """
    _expect("csr_softmax", "logits", logits, CSRTensor)
    if logits.ndim != 2:
        raise ValueError(f"For 'csr_softmax', 'logits' must be 2-D, but got shape {logits.shape}.")
    kind = mstype.to_torch_dtype(dtype, who="csr_softmax")
    if not kind.is_floating_point:
        raise TypeError(f"For 'csr_softmax', 'dtype' must be a floating type, but got {dtype}.")
    rows = logits._places[0].long()
    values = logits.values._value.to(kind)
    lowest = values.new_full((logits.shape[0],), -torch.inf)
    largest = lowest.scatter_reduce(0, rows, values.detach(), "amax")
    weights = (values - largest[rows]).exp()
    sums = weights.new_zeros(logits.shape[0]).index_add(0, rows, weights)
    return logits._with(wrap(weights / sums[rows]))


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """A CSRTensor in coordinate format.

    Args:
        tensor (CSRTensor): a matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: `tensor` is no CSRTensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_coo``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_to_coo(x).indices)
        [[0 1]]
    """
    return _expect("csr_to_coo", "tensor", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> AgarTensor:
    """A CSRTensor as a dense matrix.

    Args:
        csr_tensor (CSRTensor): a matrix.

    Returns:
        Tensor.

    Raises:
        TypeError: `csr_tensor` is no CSRTensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_dense``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_to_dense(x))
        [[0. 1.]
         [0. 0.]]
    """
    if _expect("csr_to_dense", "csr_tensor", csr_tensor, CSRTensor).ndim != 2:
        raise ValueError(
            f"For 'csr_to_dense', 'csr_tensor' must be 2-D, but got shape {csr_tensor.shape}."
        )
    return csr_tensor.to_dense()


def dense_to_sparse_coo(tensor: AgarTensor) -> COOTensor:
    """The elements of a matrix that are not zero, as a COOTensor.

    Args:
        tensor (Tensor): a matrix.

    Returns:
        COOTensor with indices of int32.

    Raises:
        TypeError: `tensor` is no Tensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_coo`` takes any number of axes.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.dense_to_sparse_coo(ms.Tensor([[0.0, 2.0]])).indices)
        [[0 1]]
    """
    return sparse.dense_to_coo(tensor)


def dense_to_sparse_csr(tensor: AgarTensor) -> CSRTensor:
    """The elements of a matrix that are not zero, as a CSRTensor.

    Args:
        tensor (Tensor): a matrix.

    Returns:
        CSRTensor with indices of int32.

    Raises:
        TypeError: `tensor` is no Tensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_csr``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.dense_to_sparse_csr(ms.Tensor([[0.0, 2.0]])).indptr)
        [0 1]
    """
    return sparse.dense_to_csr(tensor)


# --------------------------------------------------------------------------- the parts

_PART_DOC = """{what} of a {cls}, as its attribute ``{part}``.

Args:
    x ({cls}): the sparse tensor.

Returns:
    {kind}.

Raises:
    TypeError: `x` is no {cls}.

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
        return getattr(_expect(full, "x", x, cls), attribute)

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
        TypeError: `x` is no RowTensor, or `y` no Tensor.
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
    _expect("row_tensor_add", "x", x, RowTensorInner)
    _expect("row_tensor_add", "y", y, AgarTensor)
    if y.shape != tuple(x.dense_shape):
        raise ValueError(
            f"For 'row_tensor_add', 'y' must have the shape {x.dense_shape}, but got {y.shape}."
        )
    places = x.indices._value
    rows = torch.arange(y.shape[0], dtype=places.dtype, device=places.device)
    return x._make((wrap(rows), y + x.to_dense(), x.dense_shape))


def make_map_parameter(*args: Any) -> NoReturn:
    """Not available: a parameter that is a table of rows by keys; see ``experimental``.

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


# -------------------------------------------------------------- over ordinary tensors


def _one_axis(who: str, name: str, value: Tensor) -> None:
    if value.ndim != 1:
        raise ValueError(
            f"For '{who}', '{name}' must be a 1-D tensor, but got shape {list(value.shape)}."
        )


def _whole(who: str, name: str, value: Tensor) -> None:
    if value.dtype not in (torch.int16, torch.int32, torch.int64):
        raise TypeError(
            f"For '{who}', '{name}' must be of an integer type, but got "
            f"{mstype.FROM_TORCH[value.dtype]}; convert it with .astype(ms.int64)."
        )


def _sizes(who: str, name: str, shape: Any, count: int) -> tuple[int, ...]:
    """A shape that came as a tuple, or as the values of a tensor."""
    if not isinstance(shape, (tuple, list)):  # a face reads a Tensor's values and asks again
        raise TypeError(
            f"For '{who}', '{name}' must be a tuple or a Tensor, but got {type(shape).__name__}."
        )
    if len(shape) != count:
        raise ValueError(f"For '{who}', '{name}' must have {count} sizes, but got {shape!r}.")
    for n in shape:
        integer(who, name, n, 1)
    return tuple(shape)


def _check_places(who: str, indices: Tensor, values: Tensor, names: tuple[str, str]) -> None:
    """Places of shape (N, rank), and a value for each."""
    _whole(who, names[0], indices)
    _one_axis(who, names[1], values)
    if indices.ndim != 2 or indices.shape[0] != values.shape[0]:
        raise ValueError(
            f"For '{who}', '{names[0]}' must be a 2-D tensor with a row for each of '{names[1]}', "
            f"but got shapes {list(indices.shape)} and {list(values.shape)}."
        )


@op(
    cast=CAST_NEVER,
    samples=("torch.tensor([0, 1, 1, 3]), 3", "torch.tensor([0, 2, 2], dtype=torch.int32), 2"),
    errors=(("f(3), 2", TypeError, "integer"), ("i(2, 2), 2", ValueError, "1-D")),
    reference="torch.repeat_interleave(torch.arange(len(indptr) - 1), indptr.diff())",
)
def csr2coo(indptr: Tensor, nnz: int) -> Tensor:
    """The row of each value of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        nnz (int): the number of values.

    Returns: Tensor of shape :math:`(nnz,)`, of the type of `indptr`.
    Raises TypeError: `indptr` are no integers.
    Raises ValueError: `indptr` is not 1-D.
    Difference from PyTorch: ``torch._convert_indices_from_csr_to_coo``.
    Source: documentation of MindSpore 2.10.

    >>> print(ms.ops.csr2coo(ms.Tensor([0, 2, 3]), 3))
    [0 0 1]
    """
    _whole("csr2coo", "indptr", indptr)
    _one_axis("csr2coo", "indptr", indptr)
    return sparse.rows_of(indptr, integer("csr2coo", "nnz", nnz, 0))


@op(
    cast=CAST_NEVER,
    samples=("torch.tensor([0, 1, 1]), 4", "torch.tensor([0, 2], dtype=torch.int32), 3"),
    errors=(("f(3), 2", TypeError, "integer"), ("i(2), 0", ValueError, "height")),
    reference="np.searchsorted(row_indices, np.arange(height + 1))",
)
def coo2csr(row_indices: Tensor, height: int) -> Tensor:
    """Where each row begins among values whose rows are given in order.

    Args:
        row_indices (Tensor): the row of each value.
        height (int): the number of rows.

    Returns: Tensor of shape :math:`(height + 1,)`, of the type of `row_indices`.
    Raises TypeError: `row_indices` are no integers.
    Raises ValueError: `row_indices` is not 1-D, or `height` not positive.
    Difference from PyTorch: ``torch._convert_indices_from_coo_to_csr``.
    Source: documentation of MindSpore 2.10.

    >>> print(ms.ops.coo2csr(ms.Tensor([0, 0, 1]), 2))
    [0 2 3]
    """
    _whole("coo2csr", "row_indices", row_indices)
    _one_axis("coo2csr", "row_indices", row_indices)
    return sparse.pointers_of(row_indices, integer("coo2csr", "height", height, 1))


@op(
    samples=(
        "torch.tensor([0, 1, 3]), torch.tensor([2, 0, 1]), f(2, 3), (2, 3)",
        "torch.tensor([0, 1, 2]), torch.tensor([2, 0]), f(3), (2, 3)",
    ),
    errors=(
        ("torch.tensor([0, 1, 2]), torch.tensor([2, 0]), f(4), (2, 3)", ValueError, "broadcast"),
    ),
)
def csr_gather(
    indptr: Tensor, indices: Tensor, dense: Tensor, sparse_shape: tuple[int, ...]
) -> Tensor:
    """The elements of a dense tensor at the places of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        indices (Tensor): the column of each value.
        dense (Tensor): a tensor that broadcasts to `sparse_shape`.
        sparse_shape (tuple[int]): the sizes of the CSRTensor.

    Returns: Tensor with an element for each of `indices`.
    Raises TypeError: `indptr` or `indices` are no integers.
    Raises ValueError: `dense` does not broadcast.
    Difference from PyTorch: ``Tensor.sparse_mask`` gives a sparse tensor.
    Source: documentation of MindSpore 2.10.

    >>> indptr, indices = ms.Tensor([0, 1, 2]), ms.Tensor([1, 0])
    >>> print(ms.ops.csr_gather(indptr, indices, ms.Tensor([[1.0, 2], [3, 4]]), (2, 2)))
    [2. 3.]
    """
    who = "csr_gather"
    for name, value in (("indptr", indptr), ("indices", indices)):
        _whole(who, name, value)
        _one_axis(who, name, value)
    try:
        wide = dense.expand(tuple(sparse_shape))
    except RuntimeError as error:
        raise ValueError(
            f"For '{who}', 'dense' must broadcast to the shape {sparse_shape}, but got shape "
            f"{list(dense.shape)}."
        ) from error
    return wide[sparse.rows_of(indptr, indices.shape[0]).long(), indices.long()]


_DUPLICATES = "torch.tensor([[0, 0, 1], [1, 1, 2]]), f(3), torch.tensor([3, 3])"


@op(
    primitive="Coalesce",
    samples=(_DUPLICATES, "torch.tensor([[2, 0, 2], [1, 1, 1]]), f(3), torch.tensor([3, 3])"),
    errors=(
        ("torch.tensor([[0, 5]]), f(2), torch.tensor([3])", ValueError, "x_indices"),
        ("i(2, 3), f(2), torch.tensor([3, 3])", ValueError, "shape"),
        ("f(2, 3), f(3), torch.tensor([3, 3])", TypeError, "x_indices"),
    ),
)
def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The places of a sparse tensor in order, with values of one place summed.

    Args:
        x_indices (Tensor): the places, one in each column: shape :math:`(rank, N)`.
        x_values (Tensor): the values, of shape :math:`(N,)`.
        x_shape (Tensor): the sizes of the dense tensor, of shape :math:`(rank,)`.

    Returns: Three Tensors: places, values, and `x_shape`.
    Raises TypeError: `x_indices` or `x_shape` are no integers.
    Raises ValueError: the shapes do not fit, or a place lies outside.
    Difference from PyTorch: ``Tensor.coalesce`` of a sparse tensor.
    Source: documentation of MindSpore 2.10, whose kernel merges neighbours only.

    >>> places = ms.Tensor([[0, 0, 1], [1, 1, 2]])
    >>> out = ms.ops.coalesce(places, ms.Tensor([1.0, 5.0, 4.0]), ms.Tensor([3, 3]))
    >>> print(out[1])
    [6. 4.]
    """
    who = "coalesce"
    _whole(who, "x_indices", x_indices)
    _whole(who, "x_shape", x_shape)
    _one_axis(who, "x_values", x_values)
    if x_indices.shape != (x_shape.shape[0], x_values.shape[0]):
        raise ValueError(
            f"For '{who}', 'x_indices' must have the shape (sizes in 'x_shape', 'x_values'), "
            f"but got {list(x_indices.shape)}, {list(x_shape.shape)} and {list(x_values.shape)}."
        )
    outside = torch.logical_or(x_indices < 0, x_indices >= x_shape[:, None])
    if outside.any():
        raise ValueError(f"For '{who}', 'x_indices' has places outside of the shape 'x_shape'.")
    places, sums = sparse.coalesced(x_indices, x_values, x_shape)
    return places, sums, x_shape.clone()


@primitive(
    "SparseToDense",
    samples=("torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4)",),
    errors=(
        ("torch.tensor([[0, 1], [1, 4]]), f(2), (3, 4)", ValueError, "bounds"),
        ("i(2, 2), f(3), (3, 4)", ValueError, "indices"),
        ("f(2, 2), f(2), (3, 4)", TypeError, "indices"),
    ),
)
def _sparse_to_dense(indices: Tensor, values: Tensor, sparse_shape: Any) -> Tensor:
    """A dense tensor of the values at their places, zero elsewhere.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`; of one place the last stays.
        - **sparse_shape** (tuple[int]) - the sizes of the dense tensor.

    Outputs: Tensor of the type of `values`.
    Raises TypeError: `indices` are no integers.
    Raises ValueError: the shapes do not fit, or a place lies outside.
    Difference from PyTorch: ``torch.sparse_coo_tensor(...).to_dense()`` sums values of one place.
    Source: behaviour observed in MindSpore 2.10.

    >>> print(ms.ops.SparseToDense()(ms.Tensor([[0, 1]]), ms.Tensor([2.0]), (2, 2)))
    [[0. 2.]
     [0. 0.]]
    """
    who = "SparseToDense"
    _check_places(who, indices, values, ("indices", "values"))
    sizes = _sizes(who, "sparse_shape", sparse_shape, indices.shape[1])
    zeros = values.new_zeros(sizes)
    try:
        return zeros.index_put([p.long() for p in indices.unbind(1)], values)
    except IndexError as error:
        raise ValueError(
            f"For '{who}', a place in 'indices' is out of bounds for the shape {sizes}."
        ) from error


def _check_matmul(prim: Any) -> None:
    for name in ("adjoint_st", "adjoint_dt"):
        boolean("SparseTensorDenseMatmul", name, getattr(prim, name))


@primitive(
    "SparseTensorDenseMatmul",
    setup=_check_matmul,
    samples=(
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(4, 2)",
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(3, 2), adjoint_st=True",
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(2, 4), adjoint_dt=True",
    ),
    errors=(
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(3, 2)", ValueError, "dense"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), i(4, 2)", TypeError, "dense"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(4, 2), adjoint_st=1", TypeError, "bool"),
    ),
)
def _sparse_dense_matmul(
    indices: Tensor,
    values: Tensor,
    sparse_shape: Any,
    dense: Tensor,
    *,
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
    _state: Any = None,
) -> Tensor:
    """A sparse matrix times a dense one.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        sparse_shape (Union[tuple[int], Tensor]): the two sizes of the sparse matrix.
        dense (Tensor): a matrix of the type of `values`.
        adjoint_st (bool): whether the sparse matrix is transposed (and conjugated). Default: False.
        adjoint_dt (bool): whether the dense matrix is transposed (and conjugated). Default: False.

    Outputs: Tensor, a matrix of the type of `values`.
    Raises TypeError: `indices` are no integers, the types of `values` and `dense` differ, or an
        attribute is no bool.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.sparse.mm`` takes a sparse tensor.
    Source: behaviour observed in MindSpore 2.10, which does not check the rows of `dense`.

    >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.SparseTensorDenseMatmul()(places, values, (2, 3), ms.ops.ones((3, 1))))
    [[1.]
     [2.]]
    """
    who = "SparseTensorDenseMatmul"
    _check_places(who, indices, values, ("indices", "values"))
    height, width = _sizes(who, "sparse_shape", sparse_shape, 2)
    if dense.dtype != values.dtype:
        raise TypeError(
            f"For '{who}', 'values' and 'dense' must be of one type, but got "
            f"{mstype.FROM_TORCH[values.dtype]} and {mstype.FROM_TORCH[dense.dtype]}."
        )
    rows, columns = indices.unbind(1)
    if adjoint_st:
        rows, columns, height, width = columns, rows, width, height
        values = values.conj()
    if adjoint_dt and dense.ndim == 2:
        dense = dense.mH
    if dense.ndim != 2 or dense.shape[0] != width:
        raise ValueError(
            f"For '{who}', 'dense' (transposed, if adjoint_dt) must be a matrix of {width} rows, "
            f"but got shape {list(dense.shape)}."
        )
    return sparse.multiplied(rows, columns, values, dense, height)


@primitive(
    "SparseTensorDenseAdd",
    samples=("torch.tensor([[0, 1], [1, 2], [0, 1]]), f(3), torch.tensor([3, 4]), f(3, 4)",),
    errors=(
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(4, 4)", ValueError, "x2"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), i(3, 4)", TypeError, "x2"),
    ),
)
def _sparse_dense_add(x1_indices: Tensor, x1_values: Tensor, x1_shape: Any, x2: Tensor) -> Tensor:
    """The sum of a sparse and a dense tensor.

    Inputs:
        - **x1_indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **x1_values** (Tensor) - the values, of shape :math:`(N,)`.
        - **x1_shape** (Union[tuple[int], Tensor]) - the sizes of the sparse tensor.
        - **x2** (Tensor) - a dense tensor of this shape, of the type of `x1_values`.

    Outputs: Tensor of the shape and type of `x2`.
    Raises TypeError: `x1_indices` are no integers, or the types of `x1_values` and `x2` differ.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.add`` of a dense and a sparse tensor.
    Source: behaviour observed in MindSpore 2.10.

    >>> places, values, x = ms.Tensor([[0, 1]]), ms.Tensor([2.0]), ms.ops.ones((2, 2))
    >>> print(ms.ops.SparseTensorDenseAdd()(places, values, ms.Tensor([2, 2]), x))
    [[1. 3.]
     [1. 1.]]
    """
    who = "SparseTensorDenseAdd"
    _check_places(who, x1_indices, x1_values, ("x1_indices", "x1_values"))
    sizes = _sizes(who, "x1_shape", x1_shape, x1_indices.shape[1])
    if x2.shape != sizes:
        raise ValueError(
            f"For '{who}', 'x2' must have the shape 'x1_shape', but got {list(x2.shape)} and "
            f"{sizes}."
        )
    if x2.dtype != x1_values.dtype:
        raise TypeError(
            f"For '{who}', 'x1_values' and 'x2' must be of one type, but got "
            f"{mstype.FROM_TORCH[x1_values.dtype]} and {mstype.FROM_TORCH[x2.dtype]}."
        )
    return x2.index_put([p.long() for p in x1_indices.unbind(1)], x1_values, accumulate=True)


@primitive(
    "SparseSlice",
    samples=(
        "torch.tensor([[0, 1], [1, 2], [1, 3], [2, 2]]), f(4), torch.tensor([3, 4]), "
        "torch.tensor([0, 1]), torch.tensor([2, 3])",
        "torch.tensor([[0, 1], [1, 2], [1, 3], [2, 2]]), f(4), torch.tensor([3, 4]), "
        "torch.tensor([1, 1]), torch.tensor([5, 5])",
    ),
    errors=(
        (
            "i(4, 2), f(4), torch.tensor([3, 4]), torch.tensor([0]), torch.tensor([2, 3])",
            ValueError,
            "start",
        ),
        (
            "f(4, 2), f(4), torch.tensor([3, 4]), torch.tensor([0, 1]), torch.tensor([2, 3])",
            TypeError,
            "indices",
        ),
    ),
)
def _sparse_slice(
    indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """A block of a sparse tensor.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`.
        - **shape** (Tensor) - the sizes of the sparse tensor, of shape :math:`(rank,)`.
        - **start** (Tensor) - where the block begins, of shape :math:`(rank,)`.
        - **size** (Tensor) - the sizes of the block, of shape :math:`(rank,)`; what reaches beyond
          the tensor is cut off.

    Outputs: Three Tensors: places inside of the block, values, and the block's sizes.
    Raises TypeError: `indices`, `shape`, `start` or `size` are no integers.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: no counterpart.
    Source: behaviour observed in MindSpore 2.10.

    >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1, 2])
    >>> sizes, start = ms.Tensor([3, 4]), ms.Tensor([1, 1])
    >>> out = ms.ops.SparseSlice()(places, values, sizes, start, ms.Tensor([1, 2]))
    >>> print(out[0], out[1], out[2])
    [[0 1]] [2] [1 2]
    """
    who = "SparseSlice"
    _check_places(who, indices, values, ("indices", "values"))
    for name, value in (("shape", shape), ("start", start), ("size", size)):
        _whole(who, name, value)
        if value.shape != (indices.shape[1],):
            raise ValueError(
                f"For '{who}', '{name}' must have a number for each of the {indices.shape[1]} "
                f"columns of 'indices', but got shape {list(value.shape)}."
            )
    sizes = torch.minimum(size, shape - start).clamp(min=0)
    moved = indices - start
    inside = torch.logical_and(moved >= 0, moved < sizes).all(1)
    return moved[inside], values[inside], sizes
