"""The layers of MindSpore 1's ``nn.transformer``, over agar's: for programs that still use them.

As in MindSpore, products are computed in float16 unless `compute_dtype` says otherwise, and scores
in `softmax_compute_type`. Generation with a cache (`use_past`), several experts and several devices
raise an error.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from agar import nn, ops
from agar._core.parameter import Parameter
from agar.common import dtype as mstype
from agar.common.initializer import initializer
from agar.compat.legacy._transformer_config import (
    EmbeddingOpParallelConfig,
    default_dpmp_config,
    default_moe_config,
    on_one_device,
)

__all__ = [
    "AttentionMask",
    "CrossEntropyLoss",
    "FeedForward",
    "MultiHeadAttention",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "VocabEmbedding",
]


def _no_cache(name: str, use_past: bool) -> None:
    if use_past:
        raise NotImplementedError(
            f"'{name}' keeps no keys and values of earlier steps: leave out 'use_past', and pass "
            "the whole sequence."
        )


def _divides(name: str, hidden_size: int, num_heads: int) -> None:
    if hidden_size % num_heads:
        raise ValueError(
            f"For '{name}', 'hidden_size' must be a multiple of 'num_heads', but got "
            f"{hidden_size} and {num_heads}."
        )


class _Dropout(nn.Dropout):
    """Dropout by the share that stays, or by `p`, the share that does not."""

    def __init__(self, keep_prob: float = 0.5, dtype: Any = mstype.float32, p: Any = None) -> None:
        super().__init__(p=1.0 - keep_prob if p is None else p)


class _LayerNorm(nn.Cell):
    """Normalization over the last axis, with `gamma` and `beta`."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        param_init_type: Any = mstype.float32,
        is_self_defined: bool = False,
    ) -> None:
        super().__init__()
        shape = tuple(normalized_shape)
        self.gamma = Parameter(initializer("ones", shape, param_init_type), name="gamma")
        self.beta = Parameter(initializer("zeros", shape, param_init_type), name="beta")
        self.eps = eps

    def construct(self, x: Any) -> Any:
        mean = ops.mean(x, -1, keep_dims=True)
        centered = x - mean
        variance = ops.mean(ops.square(centered), -1, keep_dims=True)
        return centered / ops.sqrt(variance + self.eps) * self.gamma + self.beta


class _Linear(nn.Cell):
    """``x @ weight + bias`` in `compute_dtype`, with the input's dtype as result."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        transpose_b: bool = True,
        expert_num: int = 1,
        outer_batch: int = 1,
        expert_group_size: Any = None,
        param_init_type: Any = mstype.float32,
        compute_dtype: Any = mstype.float16,
    ) -> None:
        super().__init__()
        if expert_num > 1:
            raise NotImplementedError("'_Linear' has one expert; leave out 'expert_num'.")
        shape = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        self.weight = Parameter(initializer(weight_init, shape, param_init_type), name="weight")
        self.bias = None
        if has_bias:
            bias = initializer(bias_init, (out_channels,), param_init_type)
            self.bias = Parameter(bias, name="bias")
        self.out_channels = out_channels
        self.transpose_b = transpose_b
        self.dtype = compute_dtype
        activation = activation() if isinstance(activation, type) else activation
        self.activation = (
            nn.get_activation(activation) if isinstance(activation, str) else activation
        )

    def construct(self, x: Any) -> Any:
        weight = ops.cast(self.weight, self.dtype)
        weight = ops.swapaxes(weight, 0, 1) if self.transpose_b else weight
        out = ops.matmul(ops.cast(x, self.dtype), weight)
        if self.bias is not None:
            out = out + ops.cast(self.bias, self.dtype)
        if self.activation is not None:
            out = self.activation(out)
        return ops.cast(out, x.dtype)


class AttentionMask(nn.Cell):
    """Which positions each position of a sequence may see: those before it that are not padding.

    Args:
        seq_length (int): length of the sequences.
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **input_mask** (Tensor) - shape :math:`(batch, seq)`, 0 at padding.

    Outputs: Tensor of float32, of shape :math:`(batch, seq, seq)`, 1 where a position is seen.
    """

    def __init__(self, seq_length: int, parallel_config: Any = default_dpmp_config) -> None:
        super().__init__()
        on_one_device(parallel_config)
        self.seq_length = seq_length

    def construct(self, input_mask: Any) -> Any:
        if input_mask.shape[-1] != self.seq_length:
            raise ValueError(
                f"For 'AttentionMask', 'input_mask' must have 'seq_length' {self.seq_length} as "
                f"its last size, but got shape {input_mask.shape}."
            )
        seen = ops.cast(ops.not_equal(input_mask, 0), mstype.float32)
        both = ops.expand_dims(seen, 2) * ops.expand_dims(seen, 1)
        return both * ops.tril(ops.ones((self.seq_length, self.seq_length), mstype.float32))


class VocabEmbedding(nn.Cell):
    r"""Rows of a table by index; the table is returned too.

    Args:
        vocab_size (int): rows of the table.
        embedding_size (int): length of a row.
        parallel_config (EmbeddingOpParallelConfig): one device.
        param_init (Union[Tensor, str, Initializer, numbers.Number]): the table. Default:
            ``'normal'``.

    Inputs:
        - **input_ids** (Tensor) - int32, any shape.

    Outputs: the rows, of shape :math:`(..., embedding\_size)`, and the table.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        parallel_config: Any = None,
        param_init: Any = "normal",
    ) -> None:
        super().__init__()
        on_one_device(parallel_config or EmbeddingOpParallelConfig())
        table = initializer(param_init, (vocab_size, embedding_size), mstype.float32)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, input_ids: Any) -> tuple[Any, Any]:
        table = self.embedding_table
        return ops.gather(table, input_ids, 0), ops.identity(table)


class FeedForward(nn.Cell):
    r"""Two products with an activation between them, in float16.

    Args:
        hidden_size (int): length of the input's and the result's rows.
        ffn_hidden_size (int): length between the products.
        dropout_rate (float): the share of results that is dropped.
        hidden_act (Union[str, Cell]): the activation. Default: ``'gelu'``.
        expert_num (int): 1.
        param_init_type (mindspore.dtype): dtype of the parameters. Default: float32.
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **x** (Tensor) - shape :math:`(..., hidden\_size)`.

    Outputs: Tensor of float16, of the same shape.
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Any = "gelu",
        expert_num: int = 1,
        expert_group_size: Any = None,
        param_init_type: Any = mstype.float32,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config)
        wide = {"transpose_b": False, "expert_num": expert_num, "param_init_type": param_init_type}
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **wide)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **wide)
        self.dropout = _Dropout(1 - dropout_rate)

    def construct(self, x: Any) -> Any:
        return self.dropout(self.projection(self.mapping(ops.cast(x, mstype.float16))))


class MultiHeadAttention(nn.Cell):
    r"""Attention with several heads.

    Args:
        batch_size (int): sequences in a batch.
        src_seq_length (int): length of the queries' sequences.
        tgt_seq_length (int): length of the keys' and values' sequences.
        hidden_size (int): length of a row; a multiple of `num_heads`.
        num_heads (int): number of heads.
        hidden_dropout_rate (float): of the result. Default: 0.1.
        attention_dropout_rate (float): of the weights of the values. Default: 0.1.
        compute_dtype (mindspore.dtype): of the products. Default: float16.
        softmax_compute_type (mindspore.dtype): of the weights. Default: float32.
        param_init_type (mindspore.dtype): of the parameters. Default: float32.
        use_past (bool): False.
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **query_tensor** (Tensor) - shape :math:`(batch, seq, hidden)` or
          :math:`(batch \cdot seq, hidden)`.
        - **key_tensor** (Tensor) - likewise.
        - **value_tensor** (Tensor) - likewise.
        - **attention_mask** (Tensor) - shape :math:`(batch, src, tgt)`, 0 at what is hidden, or
          None.
        - **key_past** (Tensor) - None: there is no cache. Default: None.
        - **value_past** (Tensor) - None, likewise. Default: None.
        - **batch_valid_length** (Tensor) - has no effect without a cache. Default: None.

    Outputs: the result in the queries' shape and dtype, and the pair of the keys
        :math:`(batch, heads, size, tgt)` and the values :math:`(batch, heads, tgt, size)`.
    """

    def __init__(
        self,
        batch_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        hidden_size: int,
        num_heads: int,
        hidden_dropout_rate: float = 0.1,
        attention_dropout_rate: float = 0.1,
        compute_dtype: Any = mstype.float16,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        use_past: bool = False,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config)
        _no_cache("MultiHeadAttention", use_past)
        _divides("MultiHeadAttention", hidden_size, num_heads)
        self.lengths = (src_seq_length, tgt_seq_length)
        self.n_head = num_heads
        self.size_per_head = hidden_size // num_heads
        self.dtype = compute_dtype
        self.softmax_dtype = softmax_compute_type
        kinds = {"compute_dtype": compute_dtype, "param_init_type": param_init_type}
        self.projection = _Linear(hidden_size, hidden_size, transpose_b=False, **kinds)
        self.dropout = _Dropout(1 - hidden_dropout_rate)
        self.prob_dropout = _Dropout(1 - attention_dropout_rate)
        self.dense1 = _Linear(hidden_size, hidden_size, **kinds)
        self.dense2 = _Linear(hidden_size, hidden_size, **kinds)
        self.dense3 = _Linear(hidden_size, hidden_size, **kinds)

    def _heads(self, rows: Any, length: int, order: tuple[int, ...]) -> Any:
        return ops.transpose(
            ops.reshape(rows, (-1, length, self.n_head, self.size_per_head)), order
        )

    def construct(
        self,
        query_tensor: Any,
        key_tensor: Any,
        value_tensor: Any,
        attention_mask: Any,
        key_past: Any = None,
        value_past: Any = None,
        batch_valid_length: Any = None,
    ) -> tuple[Any, tuple[Any, Any]]:
        _no_cache("MultiHeadAttention", key_past is not None or value_past is not None)
        src, tgt = self.lengths
        query = self._heads(self.dense1(ops.cast(query_tensor, self.dtype)), src, (0, 2, 1, 3))
        key = self._heads(self.dense2(ops.cast(key_tensor, self.dtype)), tgt, (0, 2, 3, 1))
        value = self._heads(self.dense3(ops.cast(value_tensor, self.dtype)), tgt, (0, 2, 1, 3))
        scale = math.sqrt(math.sqrt(self.size_per_head))  # of both, for float16's range
        score = ops.cast(ops.matmul(query / scale, key / scale), self.softmax_dtype)
        if attention_mask is not None:
            hidden = 1.0 - ops.cast(ops.expand_dims(attention_mask, 1), self.softmax_dtype)
            score = score + hidden * -10000.0
        weights = self.prob_dropout(ops.cast(ops.softmax(score, -1), value.dtype))
        merged = ops.transpose(ops.matmul(weights, value), (0, 2, 1, 3))
        rows = ops.reshape(merged, query_tensor.shape)
        out = self.dropout(self.projection(rows))
        return ops.cast(out, query_tensor.dtype), (key, value)


class _Layer(nn.Cell):
    """What layers of encoders and decoders share: parts with a normalization before each."""

    layernorm_dtype: Any
    post_layernorm_residual: bool

    def _normalized(self, norm: Any, x: Any) -> Any:
        return ops.cast(norm(ops.cast(x, self.layernorm_dtype)), mstype.float16)

    def _added(self, x: Any, rows: Any, out: Any) -> Any:
        """The result of a part, with its input or with the normalized input added."""
        return (rows if self.post_layernorm_residual else x) + out


def _stack(count: int, make: Any, lambda_func: Any, offset: int, config: Any) -> nn.CellList:
    """Layers, of each of which a function is told."""
    layers = nn.CellList()
    for index in range(count):
        layer = make()
        if lambda_func is not None:
            lambda_func(layer, layer_id=index, layers=count, offset=offset, parallel_config=config)
        layers.append(layer)
    return layers


class TransformerEncoderLayer(_Layer):
    """Attention and `FeedForward`, each with a normalization before it.

    Args:
        batch_size (int): sequences in a batch.
        hidden_size (int): length of a row.
        ffn_hidden_size (int): of `FeedForward`.
        num_heads (int): heads of the attention.
        seq_length (int): length of the sequences.
        attention_dropout_rate (float): of the weights of the values. Default: 0.1.
        hidden_dropout_rate (float): of the results of both parts. Default: 0.1.
        post_layernorm_residual (bool): whether what is added to a part's result is the normalized
            input, not the input. Default: False.
        layernorm_compute_type (mindspore.dtype): of the normalizations. Default: float32.
        softmax_compute_type (mindspore.dtype): of the weights of the values. Default: float32.
        param_init_type (mindspore.dtype): of the parameters. Default: float32.
        hidden_act (Union[str, Cell]): the activation of `FeedForward`. Default: ``'gelu'``.
        use_past (bool): False.
        moe_config (MoEConfig): one expert.
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **x** (Tensor) - shape :math:`(batch, seq, hidden)`.
        - **input_mask** (Tensor) - shape :math:`(batch, seq, seq)`, 0 at what is hidden. Default:
          None.
        - **init_reset** (bool) - belongs to generation with a cache, which is not supported; has
          no effect. Default: True.
        - **batch_valid_length** (Tensor) - likewise. Default: None.

    Outputs: Tensor of the input's shape, and the pair of keys and values.
    """

    def __init__(
        self,
        batch_size: int,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config, moe_config)
        _no_cache("TransformerEncoderLayer", use_past)
        self.layernorm1 = _LayerNorm((hidden_size,))
        self.layernorm2 = _LayerNorm((hidden_size,))
        self.layernorm_dtype = layernorm_compute_type
        self.attention = MultiHeadAttention(
            *(batch_size, seq_length, seq_length, hidden_size, num_heads),
            *(hidden_dropout_rate, attention_dropout_rate),
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
        )
        self.output = FeedForward(
            *(hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act),
            param_init_type=param_init_type,
        )
        self.post_layernorm_residual = post_layernorm_residual

    def construct(
        self, x: Any, input_mask: Any = None, init_reset: Any = True, batch_valid_length: Any = None
    ) -> tuple[Any, Any]:
        rows = self._normalized(self.layernorm1, x)
        attention, present = self.attention(rows, rows, rows, input_mask)
        x = self._added(x, rows, attention)
        rows = self._normalized(self.layernorm2, x)
        return self._added(x, rows, self.output(rows)), present


class TransformerEncoder(nn.Cell):
    """Several `TransformerEncoderLayer`, one after the other.

    Args:
        batch_size (int): sequences in a batch.
        num_layers (int): number of layers.
        hidden_size (int): length of a row.
        ffn_hidden_size (int): of `FeedForward`.
        seq_length (int): length of the sequences.
        num_heads (int): heads of the attention.
        parallel_config (TransformerOpParallelConfig): one device.
        moe_config (MoEConfig): one expert.
        lambda_func (Callable): called with each layer, its index, the number of layers and the
            configuration. Default: None.
        **kwargs: the other arguments of `TransformerEncoderLayer`.

    Inputs:
        - **hidden_states** (Tensor) - shape :math:`(batch, seq, hidden)`.
        - **attention_mask** (Tensor) - shape :math:`(batch, seq, seq)`, 0 at what is hidden, or
          None.
        - **init_reset** (bool) - belongs to generation with a cache, which is not supported; has
          no effect. Default: True.
        - **batch_valid_length** (Tensor) - likewise. Default: None.

    Outputs: the last layer's Tensor, and the layers' pairs of keys and values.
    """

    def __init__(
        self,
        batch_size: int,
        num_layers: int,
        hidden_size: int,
        ffn_hidden_size: int,
        seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Any = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        lambda_func: Any = None,
        offset: int = 0,
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config, moe_config)
        _no_cache("TransformerEncoder", use_past)
        arguments = (
            *(batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length),
            *(attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual),
            *(layernorm_compute_type, softmax_compute_type, param_init_type, hidden_act),
        )
        make = functools.partial(TransformerEncoderLayer, *arguments)
        self.blocks = _stack(num_layers, make, lambda_func, offset, parallel_config)

    def construct(
        self,
        hidden_states: Any,
        attention_mask: Any,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Any, tuple[Any, ...]]:
        present = ()
        for block in self.blocks:
            hidden_states, pair = block(hidden_states, attention_mask)
            present = (*present, pair)
        return hidden_states, present


class CrossEntropyLoss(nn.Cell):
    """The mean cross entropy of rows that a mask counts.

    Args:
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **logits** (Tensor) - shape :math:`(N, C)`.
        - **label** (Tensor) - N class indices.
        - **input_mask** (Tensor) - N weights.

    Outputs: a Tensor of float32 without axes.
    """

    def __init__(self, parallel_config: Any = default_dpmp_config, **kwargs: Any) -> None:
        super().__init__()
        on_one_device(parallel_config)

    def construct(self, logits: Any, label: Any, input_mask: Any) -> Any:
        logs = ops.log_softmax(ops.cast(logits, mstype.float32), -1)
        index = ops.expand_dims(ops.cast(ops.reshape(label, (-1,)), mstype.int32), 1)
        losses = -ops.reshape(ops.gather_elements(logs, 1, index), (-1,))
        mask = ops.cast(ops.reshape(input_mask, (-1,)), mstype.float32)
        return (losses * mask).sum() / (mask.sum() + 1e-8)
