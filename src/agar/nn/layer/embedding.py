"""Embedding layers: rows of a learned table."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import Normal, initializer
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, integer, number
from agar.ops.nn.dense import embedding_layer, embedding_one_hot_layer

__all__ = ["Embedding", "EmbeddingExt", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]


def _table(
    op_name: str, init: Any, rows: int, size: int, dtype: Any, padding_idx: int | None = None
) -> Tensor:
    """Initial values of a table; the padding row is zero."""
    values = initializer(init, (rows, size), dtype)
    if padding_idx is not None:
        values._value[padding_idx] = 0
    return values


class Embedding(Cell):
    r"""Look up rows of a learned table: :math:`out_{i,\dots} = table_{x_i,\dots}`.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): size of a row.
        use_one_hot (bool): whether indices out of range give zeros, as the product of one-hot
            vectors with the table does, in place of an error. Default: False.
        embedding_table (Union[Tensor, str, Initializer, Number]): initial values. Default:
            ``"normal"``, with standard deviation 0.01.
        dtype (mindspore.dtype): type of the table. Default: ``float32``.
        padding_idx (int): a row that is initialized to zero. Default: None.

    Inputs:
        - **ids** (Tensor) - int32 or int64 indices of any shape.

    Outputs: Tensor of the shape of the indices and one more dimension. The parameter is called
    `embedding_table`.

    Raises:
        TypeError: an argument has the wrong type, or the indices are not integers.
        ValueError: an argument is out of range.
        RuntimeError: an index is out of range.

    Difference from PyTorch: initial values have standard deviation 0.01, in PyTorch 1; the padding
    row is trained like any other.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Embedding(5, 3)(ms.Tensor([[0, 4]])).shape
        (1, 2, 3)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = mstype.float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        self.vocab_size = integer("Embedding", "vocab_size", vocab_size, 1)
        self.embedding_size = integer("Embedding", "embedding_size", embedding_size, 1)
        self.use_one_hot = boolean("Embedding", "use_one_hot", use_one_hot)
        self.dtype = dtype
        self.padding_idx = padding_idx
        if padding_idx is not None and not (
            0 <= integer("Embedding", "padding_idx", padding_idx) < vocab_size
        ):
            raise ValueError(
                f"For 'Embedding', 'padding_idx' must be in the range [0, {vocab_size}), but got "
                f"{padding_idx}."
            )
        self.embedding_table = Parameter(
            _table("Embedding", embedding_table, vocab_size, embedding_size, dtype, padding_idx),
            name="embedding_table",
        )

    def construct(self, ids: Tensor) -> Tensor:
        if self.use_one_hot:
            return embedding_one_hot_layer(self.embedding_table, ids)
        return embedding_layer(ids, self.embedding_table)

    def extend_repr(self) -> str:
        """The options and the table, by MindSpore's names."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, "
            f"use_one_hot={self.use_one_hot}, embedding_table={self.embedding_table}, "
            f"dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    r"""Look up rows of a learned table, with PyTorch's arguments.

    Args:
        num_embeddings (int): number of rows.
        embedding_dim (int): size of a row.
        padding_idx (int): a row that is initialized to zero and gets no gradient. Default: None.
        max_norm (float): rows that are looked up and have a larger norm are scaled to it. Default:
            None.
        norm_type (float): the order of that norm. Default: 2.0.
        scale_grad_by_freq (bool): whether a row's gradient is divided by how often it was looked
            up. Default: False.
        sparse (bool): must be False. Default: False.
        _weight (Tensor): the table. Default: None, drawn from N(0, 1).
        _freeze (bool): whether the table is not trained. Default: False.
        dtype (mindspore.dtype): type of the table. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - integer indices of any shape.

    Outputs: Tensor of the shape of the indices and one more dimension. The parameter is called
    `weight`.

    Raises:
        TypeError: an argument has the wrong type, or the indices are not integers.
        ValueError: an argument is out of range.
        RuntimeError: an index is out of range.
        NotImplementedError: `sparse` is True.

    Difference from PyTorch: no sparse gradients.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.EmbeddingExt(5, 3)(ms.Tensor([[0, 4]])).shape
        (1, 2, 3)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        op_name = "EmbeddingExt"
        if boolean(op_name, "sparse", sparse):
            raise NotImplementedError(
                "EmbeddingExt(sparse=True) is not available in agar: optimizers take dense "
                "gradients. Leave sparse out."
            )
        self.num_embeddings = integer(op_name, "num_embeddings", num_embeddings, 1)
        self.embedding_dim = integer(op_name, "embedding_dim", embedding_dim, 1)
        if padding_idx is not None:
            integer(op_name, "padding_idx", padding_idx)
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise ValueError(
                    f"For '{op_name}', 'padding_idx' must be in [{-num_embeddings}, "
                    f"{num_embeddings}), but got {padding_idx}."
                )
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        kind = dtype or mstype.float32
        if _weight is None:
            values = _table(op_name, Normal(1.0), num_embeddings, embedding_dim, kind, padding_idx)
        else:
            values = initializer(_weight, (num_embeddings, embedding_dim), kind)
        self.weight = Parameter(values, name="weight", requires_grad=not _freeze)

    def construct(self, input: Tensor) -> Tensor:
        return ops.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
        )

    def extend_repr(self) -> str:
        """The options."""
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, "
            f"norm_type={self.norm_type}, scale_grad_by_freq={self.scale_grad_by_freq}, "
            f"dtype={self.weight.dtype}"
        )


_SLICE_MODES = (
    "batch_slice",
    "field_slice",
    "table_row_slice",
    "table_column_slice",
)


class EmbeddingLookup(Cell):
    r"""Look up rows of a learned table, on one device; see ``nn.Embedding``.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): size of a row.
        param_init (Union[Tensor, str, Initializer, Number]): initial values. Default:
            ``"normal"``, with standard deviation 0.01.
        target (str): ``CPU`` or ``DEVICE``, kept for compatibility. Default: ``"CPU"``.
        slice_mode (str): how the table is split in (semi-)automatic parallel modes, which several
            processes refuse. Default: ``"batch_slice"``.
        manual_shapes (tuple): kept for compatibility. Default: None.
        max_norm (float): rows of a larger norm are scaled down to it in the output. Default: None.
        sparse (bool): kept for compatibility; gradients are dense. Default: True.
        dtype (mindspore.dtype): type of the table. Default: ``float32``.

    Inputs:
        - **indices** (Tensor) - integers of any shape; those out of range give zeros.

    Outputs: Tensor of the shape of the indices and one more dimension. The parameter is called
    `embedding_table`.

    Raises:
        TypeError: an argument has the wrong type, or the indices are not integers.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.EmbeddingLookup(5, 3)(ms.Tensor([[0, 4]])).shape
        (1, 2, 3)
    """

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"
    TABLE_ROW_SLICE = "table_row_slice"

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.vocab_size = integer(op_name, "vocab_size", vocab_size, 1)
        self.embedding_size = integer(op_name, "embedding_size", embedding_size, 1)
        self.target = choice(op_name, "target", target, ("CPU", "DEVICE"))
        self.slice_mode = choice(op_name, "slice_mode", slice_mode, _SLICE_MODES)
        self.sparse = boolean(op_name, "sparse", sparse)
        self.manual_shapes = manual_shapes
        if max_norm is not None and number(op_name, "max_norm", max_norm) <= 0:
            raise ValueError(
                f"For '{op_name}', the 'max_norm' must be positive, but got {max_norm}."
            )
        self.max_norm = max_norm
        self.embedding_table = Parameter(
            _table(op_name, param_init, vocab_size, embedding_size, dtype), name="embedding_table"
        )

    def construct(self, indices: Tensor) -> Tensor:
        rows = embedding_one_hot_layer(self.embedding_table, indices)
        return rows if self.max_norm is None else _limited(rows, self.max_norm)


def _limited(rows: Any, max_norm: float) -> Any:
    norm = ops.sqrt(ops.sum(ops.square(rows), -1, keepdim=True))
    return rows * max_norm / ops.maximum(norm, Tensor(max_norm, rows.dtype))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    r"""One vector for each field of a sample, from weighted rows of a learned table.

    .. math:: out_{n,f} = op_{\,k : field_{n,k} = f} \; value_{n,k} \cdot table_{index_{n,k}}

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): size of a row.
        field_size (int): number of fields.
        param_init (Union[Tensor, str, Initializer, Number]): initial values. Default:
            ``"normal"``, with standard deviation 0.01.
        target (str): ``CPU`` or ``DEVICE``, kept for compatibility. Default: ``"CPU"``.
        slice_mode (str): kept for compatibility. Default: ``"batch_slice"``.
        feature_num_list (tuple): kept for compatibility. Default: None.
        max_norm (float): rows of a larger norm are scaled down to it. Default: None.
        sparse (bool): kept for compatibility; gradients are dense. Default: True.
        operator (str): how the rows of a field are joined: ``SUM``, ``MAX`` or ``MEAN``. Default:
            ``"SUM"``.
        dtype (mindspore.dtype): type of the table. Default: ``float32``.

    Inputs:
        - **input_indices** (Tensor) - rows of the table, shape :math:`(N, K)`, int32 or int64.
        - **input_values** (Tensor) - their weights, of the same shape.
        - **field_ids** (Tensor) - the field of each index, of the same shape, in [0, field_size).

    Outputs: Tensor of shape :math:`(N, field\_size, embedding\_size)`; fields without an index are
    zero.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the inputs differ in shape.

    Difference from PyTorch: ``torch.nn.EmbeddingBag`` has one field.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> lookup = ms.nn.MultiFieldEmbeddingLookup(10, 2, field_size=3)
        >>> index, field = ms.Tensor([[1, 2, 5]]), ms.Tensor([[0, 0, 2]])
        >>> lookup(index, ms.ops.ones((1, 3)), field).shape
        (1, 3, 2)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            vocab_size,
            embedding_size,
            param_init,
            target,
            slice_mode,
            feature_num_list,
            max_norm,
            sparse,
            dtype,
        )
        self.field_size = integer(self.cls_name, "field_size", field_size, 1)
        self.operator = choice(self.cls_name, "operator", operator, ("SUM", "MAX", "MEAN"))

    def construct(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor
    ) -> Tensor:
        if not input_indices.shape == input_values.shape == field_ids.shape:
            raise ValueError(
                "For 'MultiFieldEmbeddingLookup', the indices, values and fields must have one "
                f"shape, but got {input_indices.shape}, {input_values.shape}, {field_ids.shape}."
            )
        rows = super().construct(input_indices) * ops.expand_dims(input_values, -1)
        fields = ops.arange(self.field_size).reshape((1, 1, -1, 1))
        chosen = ops.expand_dims(ops.expand_dims(field_ids, -1), -1) == fields
        spread = ops.expand_dims(rows, 2)
        if self.operator == "MAX":
            largest = ops.amax(ops.where(chosen, spread, float("-inf")), 1)
            return ops.where(ops.amax(chosen.astype(rows.dtype), 1) > 0, largest, 0.0)
        total = ops.sum(ops.where(chosen, spread, 0.0), 1)
        if self.operator == "SUM":
            return total
        count = ops.sum(chosen.astype(rows.dtype), 1)
        return total / ops.clamp(count, 1.0)
