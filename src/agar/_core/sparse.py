"""Sparse tensors: the places and the values of a tensor that is zero elsewhere.

A sparse tensor holds agar tensors, never one of torch's sparse layouts: every computation is made
of ordinary operators over its parts, so gradients, graphs and devices need nothing of their own.
As a `Structure` it is taken apart and put together wherever tuples of tensors are.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.sparse_parts import (
    check_index_type,
    check_sizes,
    check_tensor,
    coalesced,
    dense_of,
    gathered,
    merged,
    multiplied,
    pointers_of,
    rows_of,
    text_of_type,
    transposed,
)
from agar._core.tensor import Structure, Tensor, wrap

__all__ = [
    "COOTensor",
    "CSRTensor",
    "RowTensor",
    "RowTensorInner",
    "SparseTensor",
    "dense_to_coo",
    "dense_to_csr",
]


def matrix_product(
    a: CSRTensor,
    b: CSRTensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    conjugate_a: bool = False,
    conjugate_b: bool = False,
) -> CSRTensor:
    """The product of two CSR matrices, as one."""
    (left, shape_a), (right, shape_b) = (
        _parts_for_product(m, t, c)
        for m, t, c in ((a, transpose_a, conjugate_a), (b, transpose_b, conjugate_b))
    )
    if shape_a[1] != shape_b[0]:
        raise ValueError(
            "For 'csr_mm', the columns of 'a' must be as many as the rows of 'b', but got shapes "
            f"{shape_a} and {shape_b}."
        )
    starts, inner, weights = left
    rows = rows_of(starts, inner.shape[0]).long()
    lengths = right[0].diff().long()[inner.long()]  # how many of b's values each of a's meets
    total = int(lengths.sum())
    source = torch.repeat_interleave(
        torch.arange(inner.shape[0], device=inner.device), lengths, output_size=total
    )
    begins = lengths.cumsum(0) - lengths
    within = torch.arange(total, device=inner.device) - begins[source]
    places = right[0].long()[inner.long()][source] + within
    products = weights[source] * right[2][places]
    keys = rows[source] * shape_b[1] + right[1].long()[places]
    result, sums, _ = merged(keys, products)
    kind = inner.dtype
    return CSRTensor(
        wrap(pointers_of((result // shape_b[1]).to(kind), shape_a[0])),
        wrap((result % shape_b[1]).to(kind)),
        wrap(sums),
        (shape_a[0], shape_b[1]),
    )


def _parts_for_product(m: CSRTensor, transpose: bool, conjugate: bool) -> Any:
    if m.ndim != 2:
        raise ValueError(f"For 'csr_mm', the CSRTensors must be 2-D, but got shape {m.shape}.")
    parts = m.indptr._value, m.indices._value, m.values._value
    shape = m.shape
    if transpose or conjugate:
        parts, shape = transposed(*parts, shape[1]), (shape[1], shape[0])
    if conjugate:
        parts = (*parts[:2], parts[2].conj())
    return parts, shape


class _Sparse(Structure):
    """What sparse tensors share: named parts, and the text that shows them."""

    _shown: ClassVar[str]

    def __repr__(self) -> str:
        names = [n for n in self._fields if n not in ("shape", "dense_shape")]
        parts = ", ".join(f"{n}={text_of_type(getattr(self, n))}" for n in names)
        sizes = list(self._held[-1])
        return f"{self._shown}(shape={sizes}, dtype={self.dtype}, {parts})"

    @property
    def values(self) -> Tensor:
        """The values that are not zero."""
        return self._held[-2]

    @property
    def _differentiated(self) -> Tensor:
        return self.values

    @property
    def dtype(self) -> mstype.Number:
        """The type of the values."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of values."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        """Bytes of one value."""
        return self.values.itemsize

    @property
    def ndim(self) -> int:
        """The number of axes of the dense tensor."""
        return len(self._held[-1])

    @property
    def _places(self) -> Any:
        """The places of the values: a row, a column, ... for each."""
        raise NotImplementedError

    def _with(self, values: Any) -> Any:
        """The same places with other values."""
        return self._make((*self._held[:-2], values, self._held[-1]))

    def astype(self, dtype: Any) -> Any:
        """The same places, with the values in another type.

        Args:
            dtype (Union[Type, numpy.dtype, str]): the type.

        Returns:
            A sparse tensor of the same format.
        """
        return self._with(self.values.astype(dtype))

    def abs(self) -> Any:
        """The same places, with the values' absolutes."""
        return self._with(self.values.abs())

    def __neg__(self) -> Any:
        return self._with(-self.values)

    def to_tuple(self) -> tuple[Any, ...]:
        """The parts as a tuple; the shape comes last."""
        return self._held

    def to_dense(self) -> Tensor:
        """A dense tensor of the same values; values of one place are summed."""
        return wrap(dense_of(self._places, self.values._value, self._held[-1]))

    def _at(self, dense: Tensor) -> Tensor:
        """The elements of a dense tensor at the places of the values."""
        try:
            return wrap(gathered(dense._value, self._places, self._held[-1]))
        except RuntimeError as error:
            raise ValueError(
                f"dense tensor cannot broadcast to the sparse tensor: got shapes {dense.shape} "
                f"and {self._held[-1]}."
            ) from error

    def _same_shape(self, other: Any, what: str) -> None:
        if not isinstance(other, (_Sparse, Tensor)):
            raise TypeError(f"{self._shown} {what} with {describe(other)} is not supported.")
        sizes = other.shape if isinstance(other, Tensor) else other._held[-1]
        if sizes != self._held[-1]:
            raise ValueError(
                f"Input tensors should have the same shape, but got {self._held[-1]} and {sizes}."
            )


class _COO(_Sparse):
    """Sparse tensors with a row of `indices` for each value."""

    _fields = ("indices", "values", "shape")
    _shown = "COOTensor"

    @property
    def indices(self) -> Tensor:
        """The places of the values, one in each row."""
        return self._held[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dense tensor."""
        return self._held[2]

    @property
    def _places(self) -> Any:
        return self._held[0]._value.unbind(1)


class SparseTensor(_COO):
    """A sparse tensor in coordinate format; the former name of :class:`COOTensor`.

    Args:
        indices (Tensor): the places, of shape :math:`(N, ndims)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        shape (tuple[int]): the sizes of the dense tensor.

    Raises:
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.SparseTensor(ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0]), (3, 4))
        >>> print(x.values, x.shape)
        [1. 2.] (3, 4)
    """

    def __init__(self, indices: Tensor, values: Tensor, shape: tuple[int, ...]) -> None:
        for name, value in (("indices", indices), ("values", values)):
            check_tensor("SparseTensor", name, value)
        if not isinstance(shape, tuple):
            raise TypeError(f"For 'SparseTensor', 'shape' must be tuple, but got {type(shape)}.")
        self._held = (indices, values, shape)


class COOTensor(_COO):
    """A sparse matrix in coordinate format: ``dense[indices[i]] = values[i]``, and zero elsewhere.

    ``+``, ``-``, ``*`` and ``/`` take a dense tensor of the same shape; ``+`` and ``-`` take
    another COOTensor as well. Gradients flow through the values.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`, integers.
        values (Tensor): the values, of shape :math:`(N,)`.
        shape (tuple[int]): the sizes of the dense matrix.
        coo_tensor (COOTensor): in place of the others: a COOTensor whose parts are shared.
            Default: None.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed, is a tensor
    itself, and takes any number of axes.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0]), (2, 3))
        >>> print(x.to_dense())
        [[0. 1. 0.]
         [0. 0. 2.]]
    """

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        coo_tensor: COOTensor | None = None,
    ) -> None:
        if coo_tensor is not None:
            self._held = _shared(
                "COOTensor", "coo_tensor", coo_tensor, _COO, indices, values, shape
            )
            return
        for name, value in (("indices", indices), ("values", values)):
            check_tensor("COOTensor", name, value)
        assert indices is not None
        assert values is not None
        _check_coo(indices, values, shape)
        self._held = (indices, values, shape)

    def _operand(self, dense: Tensor, operator: str) -> Any:
        """What a dense tensor gives with this one to its right."""
        if operator == "__add__":
            return self + dense
        if operator == "__mul__":
            return self * dense
        return -self + dense if operator == "__sub__" else NotImplemented

    def __add__(self, other: Any) -> Any:
        self._same_shape(other, "add")
        if isinstance(other, COOTensor):
            return self.add(other, wrap(torch.zeros((), device=self.values._value.device)))
        if not isinstance(other, Tensor):
            raise TypeError(f"COOTensor add with {describe(other)} is not supported.")
        return other + self.to_dense()

    def __sub__(self, other: Any) -> Any:
        self._same_shape(other, "subtract")
        return self + -other

    def __mul__(self, other: Any) -> COOTensor:
        self._same_shape(other, "multiply")
        if not isinstance(other, Tensor):
            raise TypeError(f"COOTensor multiply with {describe(other)} is not supported.")
        return self._with(self.values * self._at(other))

    def __truediv__(self, other: Any) -> COOTensor:
        self._same_shape(other, "divide")
        if not isinstance(other, Tensor):
            raise TypeError(f"COOTensor divide with {describe(other)} is not supported.")
        return self._with(self.values / self._at(other))

    def _keys(self) -> torch.Tensor:
        rows, columns = self._places
        return rows.long() * self.shape[1] + columns.long()

    def add(self, other: COOTensor, thresh: Tensor) -> COOTensor:
        """The sum with another COOTensor of the same shape.

        Args:
            other (COOTensor): the other summand.
            thresh (Tensor): a number; where both have a value and the sum's absolute is smaller,
                the sum has none.

        Returns:
            COOTensor, its places in order.

        Raises:
            TypeError: `other` is not a COOTensor, or `thresh` is not a Tensor.
            ValueError: the shapes differ.
        """
        if not isinstance(other, COOTensor):
            raise TypeError(f"For 'coo_add', 'x2' must be a COOTensor, but got {describe(other)}.")
        check_tensor("coo_add", "thresh", thresh)
        self._same_shape(other, "add")
        kinds = [
            torch.promote_types(a._value.dtype, b._value.dtype)
            for a, b in ((self.indices, other.indices), (self.values, other.values))
        ]
        both = torch.cat([self.values._value.to(kinds[1]), other.values._value.to(kinds[1])])
        keys, sums, counts = merged(torch.cat([self._keys(), other._keys()]), both)
        limit = thresh._value.to(sums.abs().dtype)
        result = torch.logical_or(counts < 2, sums.abs() >= limit)
        keys = keys[result]
        places = torch.stack([keys // self.shape[1], keys % self.shape[1]], 1).to(kinds[0])
        return self._make((wrap(places), wrap(sums[result]), self.shape))

    def coalesce(self) -> COOTensor:
        """The same tensor with its places in order, and values of one place summed."""
        sizes = torch.tensor(self.shape, device=self.indices._value.device)
        places, sums = coalesced(self.indices._value.t(), self.values._value, sizes)
        return self._make((wrap(places.t().contiguous()), wrap(sums), self.shape))

    def to_csr(self) -> CSRTensor:
        """The same tensor in row format; values of a row keep their order."""
        rows, columns = self._places
        order = torch.argsort(rows, stable=True)
        return CSRTensor._make(
            (
                wrap(pointers_of(rows, self.shape[0])),
                wrap(columns[order]),
                wrap(self.values._value[order]),
                self.shape,
            )
        )


def _check_coo(indices: Tensor, values: Tensor, shape: Any) -> None:
    if not isinstance(shape, tuple):
        raise TypeError(f"For 'COOTensor', 'shape' must be tuple, but got {type(shape)}.")
    if len(shape) != 2:
        raise ValueError(f"For 'COOTensor', the length of 'shape' must be 2, but got {shape}.")
    if indices.shape == (0,) and values.shape == (0,):
        check_index_type("COOTensor", "indices", indices)
        return
    check_sizes("COOTensor", shape)
    if indices.ndim != 2 or indices.shape[1] != 2:
        raise ValueError(
            "For 'COOTensor', 'indices' must be a 2-dimensional tensor of shape (N, 2), but got "
            f"{indices.shape}."
        )
    if values.ndim != 1:
        raise ValueError(
            "For 'COOTensor', 'values' must be a 1-dimensional tensor, but got a "
            f"{values.ndim}-dimensional tensor."
        )
    if indices.shape[0] != values.shape[0]:
        raise ValueError(
            "For 'COOTensor', 'indices.shape[0]' must be equal to 'values.shape[0]', but got "
            f"{indices.shape[0]} and {values.shape[0]}."
        )
    if shape[0] * shape[1] < values.shape[0]:
        raise ValueError(
            f"For 'COOTensor', shape {shape} is too small to hold all values ({values.shape[0]})."
        )
    check_index_type("COOTensor", "indices", indices)


def _shared(cls: str, name: str, given: Any, kind: type, *others: Any) -> tuple[Any, ...]:
    """The parts of the sparse tensor that a constructor got in place of parts."""
    if not isinstance(given, kind):
        raise TypeError(f"For '{cls}', '{name}' must be a {cls}, but got {type(given)}.")
    if any(v is not None for v in others):
        raise TypeError(f"For '{cls}', if '{name}' is given, all other arguments must be None.")
    return given._held


class CSRTensor(_Sparse):
    """A sparse tensor in row format: row ``i`` has ``values[indptr[i]:indptr[i + 1]]``.

    ``indices`` holds the column of each value. ``+`` and ``-`` take another CSRTensor; ``*`` and
    ``/`` take a dense tensor that broadcasts, and with a number give the values alone. Gradients
    flow through the values.

    Args:
        indptr (Tensor): where each row begins, of shape :math:`(shape_0 + 1,)`, integers.
        indices (Tensor): the columns, of shape :math:`(N,)`, integers.
        values (Tensor): the values, of shape :math:`(N, *shape_{2:})`.
        shape (tuple[int]): the sizes of the dense tensor.
        csr_tensor (CSRTensor): in place of the others: a CSRTensor whose parts are shared.
            Default: None.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_csr_tensor`` is a tensor itself.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([0, 1]), ms.Tensor([1.0, 2.0]), (2, 3))
        >>> print(x.to_dense())
        [[1. 0. 0.]
         [0. 2. 0.]]
    """

    _fields = ("indptr", "indices", "values", "shape")
    _shown = "CSRTensor"

    def __init__(
        self,
        indptr: Tensor | None = None,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        csr_tensor: CSRTensor | None = None,
    ) -> None:
        if csr_tensor is not None:
            self._held = _shared(
                "CSRTensor", "csr_tensor", csr_tensor, CSRTensor, indptr, indices, values, shape
            )
            return
        for name, value in (("indptr", indptr), ("indices", indices), ("values", values)):
            check_tensor("CSRTensor", name, value)
        assert indptr is not None
        assert indices is not None
        assert values is not None
        _check_csr(indptr, indices, values, shape)
        self._held = (indptr, indices, values, shape)

    @property
    def indptr(self) -> Tensor:
        """Where each row begins among the values, and where the last ends."""
        return self._held[0]

    @property
    def indices(self) -> Tensor:
        """The column of each value."""
        return self._held[1]

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dense tensor."""
        return self._held[3]

    @property
    def _places(self) -> Any:
        return rows_of(self.indptr._value, self.indices.shape[0]), self.indices._value

    def _operand(self, dense: Tensor, operator: str) -> Any:
        """What a dense tensor gives with this one to its right."""
        return self * dense if operator == "__mul__" else NotImplemented

    def _scaled(self, other: Any, divide: bool) -> Any:
        if isinstance(other, (bool, int, float)):
            other = Tensor(other)
        if not isinstance(other, Tensor):
            what = "divide" if divide else "multiply"
            raise TypeError(f"CSRTensor {what} with {describe(other)} is not supported.")
        if other.size == 1 and other.ndim <= 2:
            if other.ndim > self.ndim:
                raise ValueError("dense tensor cannot broadcast to the sparse tensor.")
            result = self.values / other if divide else self.values * other
            return result.reshape(self.values.shape)
        dense = self._at(other)
        return self._with(self.values / dense if divide else self.values * dense)

    def __mul__(self, other: Any) -> Any:
        return self._scaled(other, divide=False)

    def __truediv__(self, other: Any) -> Any:
        return self._scaled(other, divide=True)

    def __add__(self, other: Any) -> CSRTensor:
        return self._plus(other, 1, "add")

    def __sub__(self, other: Any) -> CSRTensor:
        return self._plus(other, -1, "subtract")

    def _plus(self, other: Any, sign: int, what: str) -> CSRTensor:
        if not isinstance(other, CSRTensor):
            raise TypeError(f"CSRTensor {what} with {describe(other)} is not supported.")
        self._same_shape(other, what)
        kind = self.values._value
        one, second = (wrap(torch.full_like(kind.new_ones(()), n)) for n in (1, sign))
        return self.add(other, one, second)

    def add(self, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
        """``alpha * self + beta * b``, for another CSRTensor of the same shape.

        Args:
            b (CSRTensor): the other summand.
            alpha (Tensor): a number that multiplies this tensor.
            beta (Tensor): a number that multiplies `b`.

        Returns:
            CSRTensor, with the places of both, in order.

        Raises:
            TypeError: `b` is not a CSRTensor, or a factor is not a Tensor.
            ValueError: the shapes differ.
        """
        if not isinstance(b, CSRTensor):
            raise TypeError(f"For 'csr_add', 'b' must be a CSRTensor, but got {describe(b)}.")
        for name, value in (("alpha", alpha), ("beta", beta)):
            check_tensor("csr_add", name, value)
        self._same_shape(b, "add")
        pairs = ((self.indptr, b.indptr), (self.indices, b.indices), (self.values, b.values))
        starts, columns, kind = (
            torch.promote_types(x._value.dtype, y._value.dtype) for x, y in pairs
        )
        parts = [
            m.values._value.to(kind) * f._value.to(kind) for m, f in ((self, alpha), (b, beta))
        ]
        width = self.shape[1]
        keys = [rows.long() * width + cols.long() for rows, cols in (self._places, b._places)]
        result, sums, _ = merged(torch.cat(keys), torch.cat(parts))
        return self._make(
            (
                wrap(pointers_of((result // width).to(starts), self.shape[0])),
                wrap((result % width).to(columns)),
                wrap(sums),
                self.shape,
            )
        )

    def mv(self, dense_vector: Tensor) -> Tensor:
        """The product with a dense column.

        Args:
            dense_vector (Tensor): of shape :math:`(shape_1, 1)`.

        Returns:
            Tensor of shape :math:`(shape_0, 1)`.

        Raises:
            TypeError: `dense_vector` is not a Tensor.
            ValueError: its shape does not fit.
        """
        check_tensor("CSRTensor.mv", "dense_vector", dense_vector)
        return self._times(dense_vector, "mv")

    def mm(self, matrix: Tensor | CSRTensor) -> Any:
        """The product with a matrix.

        Args:
            matrix (Union[Tensor, CSRTensor]): of shape :math:`(shape_1, K)`.

        Returns:
            Tensor, or CSRTensor for a CSRTensor, of shape :math:`(shape_0, K)`.

        Raises:
            TypeError: `matrix` is neither Tensor nor CSRTensor.
            ValueError: its shape does not fit.
        """
        if isinstance(matrix, CSRTensor):
            return matrix_product(self, matrix)
        check_tensor("CSRTensor.mm", "matrix", matrix)
        return self._times(matrix, "mm")

    def _times(self, dense: Tensor, what: str) -> Tensor:
        if self.ndim != 2 or dense.ndim != 2 or dense.shape[0] != self.shape[1]:
            raise ValueError(
                f"For 'CSRTensor.{what}', the dense tensor must have shape ({self.shape[1]}, K) "
                f"for a CSRTensor of shape {self.shape}, but got {dense.shape}."
            )
        kind = torch.promote_types(self.values._value.dtype, dense._value.dtype)
        values = self.values._value.to(kind)
        rows, columns = self._places
        return wrap(multiplied(rows, columns, values, dense._value.to(kind), self.shape[0]))

    def sum(self, axis: int) -> Tensor:
        """The sum over the columns.

        Args:
            axis (int): 1, or -1 for a matrix.

        Returns:
            Tensor of shape :math:`(shape_0, 1, *shape_{2:})`.

        Raises:
            TypeError: `axis` is not an int.
            ValueError: it is another axis.
        """
        if not isinstance(axis, int):
            raise TypeError(f"For 'csr_reduce_sum', 'axis' must be int, but got {describe(axis)}.")
        if axis not in (1, 1 - self.ndim):
            raise ValueError(
                f"For 'csr_reduce_sum', 'axis' must be 1 or {1 - self.ndim}, but got {axis}; use "
                ".to_dense() for other axes."
            )
        values = self.values._value
        zeros = values.new_zeros((self.shape[0], *values.shape[1:]))
        return wrap(zeros.index_add(0, self._places[0].long(), values).unsqueeze(1))

    def to_coo(self) -> COOTensor:
        """The same matrix in coordinate format.

        Raises:
            ValueError: the tensor is not 2-D.
        """
        if self.ndim != 2:
            raise ValueError(
                "Currently only support 2-D CSRTensor when converting to COOTensor, but got shape "
                f"{self.shape}."
            )
        rows, columns = self._places
        kind = torch.promote_types(rows.dtype, columns.dtype)
        places = torch.stack([rows.to(kind), columns.to(kind)], 1)
        return COOTensor._make((wrap(places), self.values, self.shape))


def _check_csr(indptr: Tensor, indices: Tensor, values: Tensor, shape: Any) -> None:
    if not isinstance(shape, tuple):
        raise TypeError(f"For 'CSRTensor', 'shape' must be tuple, but got {type(shape)}.")
    check_index_type("CSRTensor", "indptr", indptr)
    check_index_type("CSRTensor", "indices", indices)
    if indptr.shape == indices.shape == values.shape == (0,):
        return
    check_sizes("CSRTensor", shape)
    for name, value in (("indptr", indptr), ("indices", indices)):
        if value.ndim != 1:
            raise ValueError(
                f"For 'CSRTensor', '{name}' must be a 1-dimensional tensor, but got a "
                f"{value.ndim}-dimensional tensor."
            )
    if shape[0] + 1 != indptr.shape[0]:
        raise ValueError(
            f"For 'CSRTensor', 'indptr' must have length (1 + shape[0]) = {shape[0] + 1}, but got "
            f"{indptr.shape[0]}."
        )
    if indices.shape[0] != values.shape[0]:
        raise ValueError(
            "For 'CSRTensor', 'indices' and 'values' must be equal in their first size, but got "
            f"{indices.shape[0]} and {values.shape[0]}."
        )
    if values.shape[1:] != shape[2:] or len(shape) < 2:
        raise ValueError(
            "For 'CSRTensor', 'values' must have the shape (N, *shape[2:]), but got "
            f"{values.shape} for shape {shape}."
        )
    held = 1
    for n in shape[:2]:
        held *= n
    if held < values.shape[0]:
        raise ValueError(
            f"For 'CSRTensor', shape {shape} is too small to hold {values.shape[0]} values."
        )


class RowTensorInner(_Sparse):
    """Some rows of a larger tensor: ``dense[indices[i]] = values[i]``.

    Args:
        indices (Tensor): the rows, of shape :math:`(N,)`.
        values (Tensor): their contents, of shape :math:`(N, *shape_{1:})`.
        shape (tuple[int]): the sizes of the larger tensor.
        row_tensor (RowTensor): in place of the others: a RowTensor whose parts are shared.
            Default: None.

    Raises:
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: no counterpart; a hybrid ``torch.sparse_coo_tensor`` is close.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.RowTensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
        >>> print(x.values, x.indices, x.dense_shape)
        [[1. 2.]] [0] (3, 2)
    """

    _fields = ("indices", "values", "dense_shape")
    _shown = "RowTensor"

    def __init__(
        self,
        indices: Tensor | None = None,
        values: Tensor | None = None,
        shape: tuple[int, ...] | None = None,
        row_tensor: RowTensorInner | None = None,
    ) -> None:
        if row_tensor is not None:
            self._held = _shared(
                "RowTensor", "row_tensor", row_tensor, RowTensorInner, indices, values, shape
            )
            return
        for name, value in (("indices", indices), ("values", values)):
            check_tensor("RowTensor", name, value)
        if not isinstance(shape, tuple):
            raise TypeError(f"For 'RowTensor', 'shape' must be tuple, but got {type(shape)}.")
        self._held = (indices, values, shape)

    @property
    def indices(self) -> Tensor:
        """The rows of the larger tensor."""
        return self._held[0]

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The sizes of the larger tensor."""
        return self._held[2]

    @property
    def _places(self) -> Any:
        return (self._held[0]._value,)


class RowTensor(RowTensorInner):
    __doc__ = RowTensorInner.__doc__


for _cls in (COOTensor, CSRTensor, RowTensor, RowTensorInner, SparseTensor):
    _cls.__module__ = "agar.common.sparse_tensor"


# -------------------------------------------------------------------------- conversions


def dense_to_coo(tensor: Tensor) -> COOTensor:
    """The places of a matrix that are not zero, in coordinate format."""
    places = _nonzero("COOTensor", tensor)
    rows, columns = places.unbind(1)
    values = tensor._value[rows, columns]
    return COOTensor._make((wrap(places.to(torch.int32)), wrap(values), tensor.shape))


def dense_to_csr(tensor: Tensor) -> CSRTensor:
    """The places of a matrix that are not zero, in row format."""
    rows, columns = _nonzero("CSRTensor", tensor).unbind(1)
    return CSRTensor._make(
        (
            wrap(pointers_of(rows.to(torch.int32), tensor.shape[0])),
            wrap(columns.to(torch.int32)),
            wrap(tensor._value[rows, columns]),
            tensor.shape,
        )
    )


def _nonzero(what: str, tensor: Any) -> torch.Tensor:
    name = f"dense_to_sparse_{what[:3].lower()}"
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"For functional operator {name}, input argument must be a Tensor, but got "
            f"{describe(tensor)}."
        )
    if tensor.ndim != 2:
        raise ValueError(
            f"For '{name}': currently only support 2-D Tensor when converting to {what}, but got "
            f"shape {tensor.shape}."
        )
    return tensor._value.detach().nonzero()
