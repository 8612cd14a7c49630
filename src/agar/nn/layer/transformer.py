"""Attention and the Transformer: layers, stacks of layers, and the whole."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import XavierNormal, XavierUniform, Zero, initializer
from agar.nn.cell import Cell
from agar.nn.layer.activation import GELU, ReLU
from agar.nn.layer.basic import Dense, Dropout
from agar.nn.layer.container import CellList
from agar.nn.layer.normalization import LayerNorm
from agar.ops._checks import boolean, integer
from agar.ops.attention.multi_head import multi_head_attention

__all__ = [
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


class MultiheadAttention(Cell):
    r"""Attention of several heads over queries, keys and values.

    .. math::
        \mathrm{out} &= [head_1, ..., head_h] W^O + b^O \\
        head_i &= \mathrm{softmax}\left(\frac{Q W_i^Q (K W_i^K)^T}{\sqrt{E / h}} + mask\right)
            V W_i^V

    The projections start as XavierUniform with zero biases, the output projection like a Dense
    layer.

    Args:
        embed_dim (int): the number E of features of queries and outputs.
        num_heads (int): the number h of heads, a divisor of E.
        dropout (float): dropout probability of the attention weights, while training. Default: 0.0.
        has_bias (bool): whether the projections have biases. Default: True.
        add_bias_kv (bool): whether a learned key and value are appended to the others. Default:
            False.
        add_zero_attn (bool): whether a key and value of zeros are appended. Default: False.
        kdim (int): the number of features of keys. Default: None, E.
        vdim (int): the number of features of values. Default: None, E.
        batch_first (bool): whether the first axis of inputs and output is the batch.
            Default: False.
        dtype (Type): type of the parameters. Default: ``ms.float32``.

    Inputs:
        - **query** (Tensor) - shape :math:`(L, E)` or :math:`(L, N, E)`, with `batch_first`
          :math:`(N, L, E)`.
        - **key** (Tensor) - shape :math:`(S, kdim)` or :math:`(S, N, kdim)`, likewise.
        - **value** (Tensor) - shape :math:`(S, vdim)` or :math:`(S, N, vdim)`, likewise.
        - **key_padding_mask** (Tensor) - shape :math:`(N, S)` or :math:`(S,)`: True masks a key
          out, numbers are added to its scores. Default: None.
        - **need_weights** (bool) - whether the attention weights are returned; without them a
          fused kernel is used. Default: True.
        - **attn_mask** (Tensor) - shape :math:`(L, S)` or :math:`(N \cdot h, L, S)`, likewise.
          Default: None.
        - **average_attn_weights** (bool) - whether the weights are averaged over the heads.
          Default: True.

    Outputs: tuple of the output, of the shape of `query`, and with `need_weights` the attention
    weights, shape :math:`(N, L, S)` or :math:`(N, h, L, S)`. A query whose keys are all masked out
    gets zeros.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: E is not divisible by h, an argument is out of range, or shapes do not fit.

    Difference from PyTorch: ``has_bias``; without weights a 1-tuple is returned; the output's bias
    does not start at zero.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> attention = ms.nn.MultiheadAttention(8, 2)
        >>> x = ms.ops.ones((5, 3, 8), ms.float32)
        >>> out, weights = attention(x, x, x)
        >>> out.shape, weights.shape
        ((5, 3, 8), (3, 5, 5))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = "MultiheadAttention"
        self.embed_dim = integer(op_name, "embed_dim", embed_dim, 1)
        self.num_heads = integer(op_name, "num_heads", num_heads, 1)
        if embed_dim % num_heads:
            raise ValueError(
                f"For '{op_name}', The init argument 'embed_dim' must be divisible by 'num_heads', "
                f"but got {embed_dim} and {num_heads}."
            )
        if not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise ValueError(f"For '{op_name}', 'dropout' must be in [0, 1), but got {dropout!r}.")
        self.dropout = float(dropout)
        self.has_bias = boolean(op_name, "has_bias", has_bias)
        self.add_zero_attn = boolean(op_name, "add_zero_attn", add_zero_attn)
        self.batch_first = boolean(op_name, "batch_first", batch_first)
        self.kdim = embed_dim if kdim is None else integer(op_name, "kdim", kdim, 1)
        self.vdim = embed_dim if vdim is None else integer(op_name, "vdim", vdim, 1)
        self.head_dim = embed_dim // num_heads
        self.dtype = dtype

        def weight(name: str, init: Any, *shape: int) -> None:
            setattr(self, name, Parameter(initializer(init, shape, dtype), name=name))

        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        if self._qkv_same_embed_dim:
            weight("in_proj_weight", XavierUniform(), 3 * embed_dim, embed_dim)
            self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        else:
            self.in_proj_weight = None
            weight("q_proj_weight", XavierUniform(), embed_dim, embed_dim)
            weight("k_proj_weight", XavierUniform(), embed_dim, self.kdim)
            weight("v_proj_weight", XavierUniform(), embed_dim, self.vdim)
        self.in_proj_bias = None
        if has_bias:
            weight("in_proj_bias", Zero(), 3 * embed_dim)
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)
        self.bias_k = self.bias_v = None
        if boolean(op_name, "add_bias_kv", add_bias_kv):
            weight("bias_k", XavierNormal(), 1, 1, embed_dim)
            weight("bias_v", XavierNormal(), 1, 1, embed_dim)

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ) -> tuple[Tensor | None, ...]:
        single = self._check(query, key, value)
        axis = 0 if self.batch_first else 1
        if single:
            batched = query.expand_dims(axis)
            key = batched if key is query else key.expand_dims(axis)
            value = batched if value is query else value.expand_dims(axis)
            query = batched
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.expand_dims(0)
        out_proj = self.out_proj
        result = multi_head_attention(
            query,
            key,
            value,
            self.in_proj_weight,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            out_proj.weight,
            out_proj.bias if self.has_bias else None,
            key_padding_mask,
            attn_mask,
            self.num_heads,
            self.add_zero_attn,
            self.dropout if self.training else 0.0,
            need_weights,
            average_attn_weights,
            self.batch_first,
        )
        if not need_weights:
            out = result.squeeze(axis) if single else result
            # as PyTorch's layer does, for torch code that calls a converted one
            return (out, None) if "_pair" in self.__dict__ else (out,)
        out, weights = result
        return (out.squeeze(axis), weights.squeeze(0)) if single else (out, weights)

    def _check(self, query: Tensor, key: Tensor, value: Tensor) -> bool:
        """Whether the inputs are a single sample.

        Raises:
            ValueError: their shapes do not fit.
        """
        shape, key_shape, value_shape = query.shape, key.shape, value.shape
        rank = len(shape)
        if rank not in (2, 3) or len(key_shape) != rank or len(value_shape) != rank:
            raise ValueError(
                "For 'MultiheadAttention', The `query`, `key` and `value` should be unbatched 2D "
                f"or batched 3D tensors of one rank, but got shapes {shape}, {key_shape} and "
                f"{value_shape}."
            )
        for name, item, expected in (
            ("query", shape[-1], self.embed_dim),
            ("key", key_shape[-1], self.kdim),
            ("value", value_shape[-1], self.vdim),
        ):
            if item != expected:
                raise ValueError(
                    f"For 'MultiheadAttention', The `embed_dim` should be {expected}: `{name}` "
                    f"must have {expected} features, but got {item}."
                )
        axis = 0 if self.batch_first else 1
        if key_shape[:-1] != value_shape[:-1] or (rank == 3 and key_shape[axis] != shape[axis]):
            raise ValueError(
                "For 'MultiheadAttention', `key` and `value` must have one length, and the batch "
                f"of `query`, but got shapes {key_shape}, {value_shape} and {shape}."
            )
        return rank == 2


def _activation(value: Any) -> Callable[..., Any]:
    """The function, or the cell, of a layer's argument."""
    named = {"relu": ops.relu, "gelu": ops.gelu}
    if isinstance(value, str):
        if value not in named:
            raise ValueError(f"The activation must be relu/gelu, but get {value!r}.")
        return named[value]
    if isinstance(value, Cell):
        if not isinstance(value, (ReLU, GELU)):
            raise ValueError(
                "The argument 'activation' must be nn.ReLU or nn.GELU instance, but get "
                f"{value!r}; pass a function for another one."
            )
        return value
    if callable(value):
        return value
    raise ValueError(
        f"The argument 'activation' must be str, callable or Cell instance, but get {value!r}."
    )


class _Layer(Cell):
    """What encoder and decoder layers share: the feed-forward block and the options."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.d_model = options["d_model"]
        self.nhead = options["nhead"]
        self.norm_first = boolean(type(self).__name__, "norm_first", options["norm_first"])
        self.batch_first = options["batch_first"]
        #: the arguments of the constructor, for stacks that make more such layers
        self.__dict__["_options"] = options

    def _attention(self) -> MultiheadAttention:
        options = self._options
        return MultiheadAttention(
            options["d_model"],
            options["nhead"],
            dropout=options["dropout"],
            batch_first=options["batch_first"],
            dtype=options["dtype"],
        )

    def _make_feed_forward(self, norms: int) -> None:
        options = self._options
        size, inner, dtype = options["d_model"], options["dim_feedforward"], options["dtype"]
        self.dense1 = Dense(size, inner, dtype=dtype)
        self.dropout = Dropout(p=options["dropout"])
        self.dense2 = Dense(inner, size, dtype=dtype)
        for i in range(1, norms + 1):
            norm = LayerNorm((size,), epsilon=options["layer_norm_eps"], dtype=dtype)
            setattr(self, f"norm{i}", norm)
        for i in range(1, norms + 1):
            setattr(self, f"dropout{i}", Dropout(p=options["dropout"]))
        self.activation = _activation(options["activation"])

    def _attend(
        self,
        attention: MultiheadAttention,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None,
        padding: Tensor | None,
    ) -> Tensor:
        return attention(
            x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False
        )[0]

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


class TransformerEncoderLayer(_Layer):
    r"""Self-attention and two dense layers, each with dropout, a residual and a normalization.

    .. math::
        y &= \mathrm{norm}_1(x + \mathrm{attention}(x)) \\
        out &= \mathrm{norm}_2(y + W_2 f(W_1 y + b_1) + b_2)

    With `norm_first` each normalization comes before its block instead of after the residual
    connection.

    Args:
        d_model (int): the number E of features.
        nhead (int): the number of heads, a divisor of E.
        dim_feedforward (int): the number of features between the dense layers. Default: 2048.
        dropout (float): dropout probability, while training. Default: 0.1.
        activation (Union[str, Cell, Callable]): the function f: ``"relu"``, ``"gelu"``, an
            nn.ReLU or nn.GELU, or a function. Default: ``"relu"``.
        layer_norm_eps (float): epsilon of the normalizations. Default: 1e-5.
        batch_first (bool): whether the first axis is the batch. Default: False.
        norm_first (bool): whether normalizations come before the blocks. Default: False.
        dtype (Type): type of the parameters. Default: ``ms.float32``.

    Inputs:
        - **src** (Tensor) - shape :math:`(S, E)` or :math:`(S, N, E)`, with `batch_first`
          :math:`(N, S, E)`.
        - **src_mask** (Tensor) - see `attn_mask` of :class:`MultiheadAttention`. Default: None.
        - **src_key_padding_mask** (Tensor) - see `key_padding_mask` there. Default: None.

    Outputs: Tensor of the shape of `src`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: the parts are called ``dense1`` and ``dense2``; no argument `bias`.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.TransformerEncoderLayer(8, 2, 16)
        >>> layer(ms.ops.ones((5, 3, 8), ms.float32)).shape
        (5, 3, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable[[Tensor], Tensor] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(
            {
                "d_model": d_model,
                "nhead": nhead,
                "dim_feedforward": dim_feedforward,
                "dropout": dropout,
                "activation": activation,
                "layer_norm_eps": layer_norm_eps,
                "batch_first": batch_first,
                "norm_first": norm_first,
                "dtype": dtype,
            }
        )
        self.self_attn = self._attention()
        self._make_feed_forward(2)

    def construct(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        if self.norm_first:
            x = self.norm1(src)
            x = self._attend(self.self_attn, x, x, src_mask, src_key_padding_mask)
            src = src + self.dropout1(x)
            return src + self.dropout2(self._feed_forward(self.norm2(src)))
        x = self._attend(self.self_attn, src, src, src_mask, src_key_padding_mask)
        src = self.norm1(src + self.dropout1(x))
        return self.norm2(src + self.dropout2(self._feed_forward(src)))


class TransformerDecoderLayer(_Layer):
    r"""Self-attention, attention to a memory, and two dense layers.

    .. math::
        y &= \mathrm{norm}_1(x + \mathrm{attention}_1(x)) \\
        z &= \mathrm{norm}_2(y + \mathrm{attention}_2(y, memory)) \\
        out &= \mathrm{norm}_3(z + W_2 f(W_1 z + b_1) + b_2)

    With `norm_first` each normalization comes before its block instead of after the residual
    connection.

    Args:
        d_model (int): the number E of features.
        nhead (int): the number of heads, a divisor of E.
        dim_feedforward (int): the number of features between the dense layers. Default: 2048.
        dropout (float): dropout probability, while training. Default: 0.1.
        activation (Union[str, Cell, Callable]): the function f: ``"relu"``, ``"gelu"``, an
            nn.ReLU or nn.GELU, or a function. Default: ``"relu"``.
        layer_norm_eps (float): epsilon of the normalizations. Default: 1e-5.
        batch_first (bool): whether the first axis is the batch. Default: False.
        norm_first (bool): whether normalizations come before the blocks. Default: False.
        dtype (Type): type of the parameters. Default: ``ms.float32``.

    Inputs:
        - **tgt** (Tensor) - shape :math:`(T, E)` or :math:`(T, N, E)`, with `batch_first`
          :math:`(N, T, E)`.
        - **memory** (Tensor) - the encoder's output, shape :math:`(S, N, E)`, likewise.
        - **tgt_mask** (Tensor) - see `attn_mask` of :class:`MultiheadAttention`. Default: None.
        - **memory_mask** (Tensor) - the same for the memory. Default: None.
        - **tgt_key_padding_mask** (Tensor) - see `key_padding_mask` there. Default: None.
        - **memory_key_padding_mask** (Tensor) - the same for the memory. Default: None.

    Outputs: Tensor of the shape of `tgt`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: the parts are called ``dense1`` and ``dense2``; no argument `bias`.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.TransformerDecoderLayer(8, 2, 16)
        >>> x, memory = ms.ops.ones((5, 3, 8), ms.float32), ms.ops.ones((4, 3, 8), ms.float32)
        >>> layer(x, memory).shape
        (5, 3, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable[[Tensor], Tensor] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(
            {
                "d_model": d_model,
                "nhead": nhead,
                "dim_feedforward": dim_feedforward,
                "dropout": dropout,
                "activation": activation,
                "layer_norm_eps": layer_norm_eps,
                "batch_first": batch_first,
                "norm_first": norm_first,
                "dtype": dtype,
            }
        )
        self.self_attn = self._attention()
        self.multihead_attn = self._attention()
        self._make_feed_forward(3)

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        first = self.norm_first
        x = self.norm1(tgt) if first else tgt
        x = self._attend(self.self_attn, x, x, tgt_mask, tgt_key_padding_mask)
        tgt = tgt + self.dropout1(x)
        if not first:
            tgt = self.norm1(tgt)
        x = self.norm2(tgt) if first else tgt
        x = self._attend(self.multihead_attn, x, memory, memory_mask, memory_key_padding_mask)
        tgt = tgt + self.dropout2(x)
        if not first:
            tgt = self.norm2(tgt)
        x = self.norm3(tgt) if first else tgt
        tgt = tgt + self.dropout3(self._feed_forward(x))
        return tgt if first else self.norm3(tgt)


def _clones(op_name: str, layer: Any, count: int) -> CellList:
    """Layers like the given one.

    MindSpore makes a new layer with the same arguments, whose weights are drawn anew, and copies
    it. A cell of another class is copied as it is.
    """
    integer(op_name, "num_layers", count, 0)
    if not isinstance(layer, Cell):
        raise TypeError(f"For '{op_name}', the layer must be a Cell, but got {layer!r}.")
    known = type(layer) in (TransformerEncoderLayer, TransformerDecoderLayer)
    model = type(layer)(**layer._options) if known else layer
    return CellList([copy.deepcopy(model) for _ in range(count)])


class TransformerEncoder(Cell):
    """A stack of encoder layers.

    Args:
        encoder_layer (Cell): the prototype of the layers: for a TransformerEncoderLayer, new ones
            are made with its arguments; another cell is copied with its weights.
        num_layers (int): the number of layers.
        norm (Cell): a normalization after the last layer. Default: None.

    Inputs:
        - **src** (Tensor) - the input of the first layer.
        - **src_mask** (Tensor) - passed to all layers. Default: None.
        - **src_key_padding_mask** (Tensor) - passed to all layers. Default: None.

    Outputs: Tensor, the output of the last layer.

    Raises:
        TypeError: `encoder_layer` is not a Cell, or `num_layers` is not an int.

    Difference from PyTorch: there the layer is copied with its weights; nested tensors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> encoder = ms.nn.TransformerEncoder(ms.nn.TransformerEncoderLayer(8, 2, 16), 2)
        >>> encoder(ms.ops.ones((5, 3, 8), ms.float32)).shape
        (5, 3, 8)
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.layers = _clones("TransformerEncoder", encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Cell):
    """A stack of decoder layers.

    Args:
        decoder_layer (Cell): the prototype of the layers: for a TransformerDecoderLayer, new ones
            are made with its arguments; another cell is copied with its weights.
        num_layers (int): the number of layers.
        norm (Cell): a normalization after the last layer. Default: None.

    Inputs:
        - **tgt** (Tensor) - the input of the first layer.
        - **memory** (Tensor) - the encoder's output, passed to all layers.
        - **tgt_mask** (Tensor) - passed to all layers. Default: None.
        - **memory_mask** (Tensor) - passed to all layers. Default: None.
        - **tgt_key_padding_mask** (Tensor) - passed to all layers. Default: None.
        - **memory_key_padding_mask** (Tensor) - passed to all layers. Default: None.

    Outputs: Tensor, the output of the last layer.

    Raises:
        TypeError: `decoder_layer` is not a Cell, or `num_layers` is not an int.

    Difference from PyTorch: there the layer is copied with its weights.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> decoder = ms.nn.TransformerDecoder(ms.nn.TransformerDecoderLayer(8, 2, 16), 2)
        >>> x, memory = ms.ops.ones((5, 3, 8), ms.float32), ms.ops.ones((4, 3, 8), ms.float32)
        >>> decoder(x, memory).shape
        (5, 3, 8)
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.layers = _clones("TransformerDecoder", decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """Encoder and decoder, each with a normalization at its end.

    Weights of two axes and more start as XavierUniform.

    Args:
        d_model (int): the number E of features. Default: 512.
        nhead (int): the number of heads, a divisor of E. Default: 8.
        num_encoder_layers (int): the number of encoder layers. Default: 6.
        num_decoder_layers (int): the number of decoder layers. Default: 6.
        dim_feedforward (int): the number of features between dense layers. Default: 2048.
        dropout (float): dropout probability, while training. Default: 0.1.
        activation (Union[str, Cell, Callable]): see :class:`TransformerEncoderLayer`.
            Default: ``"relu"``.
        custom_encoder (Cell): in place of the encoder. Default: None.
        custom_decoder (Cell): in place of the decoder. Default: None.
        layer_norm_eps (float): epsilon of the normalizations. Default: 1e-5.
        batch_first (bool): whether the first axis is the batch. Default: False.
        norm_first (bool): whether normalizations come before the blocks. Default: False.
        dtype (Type): type of the parameters. Default: ``ms.float32``.

    Inputs:
        - **src** (Tensor) - shape :math:`(S, E)` or :math:`(S, N, E)`, with `batch_first`
          :math:`(N, S, E)`.
        - **tgt** (Tensor) - shape :math:`(T, E)` or :math:`(T, N, E)`, with `batch_first`
          :math:`(N, T, E)`.
        - **src_mask** (Tensor) - see `attn_mask` of :class:`MultiheadAttention`. Default: None.
        - **tgt_mask** (Tensor) - the same for the target. Default: None.
        - **memory_mask** (Tensor) - the same for the encoder's output. Default: None.
        - **src_key_padding_mask** (Tensor) - see `key_padding_mask` of
          :class:`MultiheadAttention`. Default: None.
        - **tgt_key_padding_mask** (Tensor) - the same for the target. Default: None.
        - **memory_key_padding_mask** (Tensor) - the same for the encoder's output. Default: None.

    Outputs: Tensor of the shape of `tgt`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or shapes do not fit.

    Difference from PyTorch: no ``generate_square_subsequent_mask``; no argument `bias`.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.Transformer(8, 2, 1, 1, 16)
        >>> net(ms.ops.ones((5, 3, 8), ms.float32), ms.ops.ones((4, 3, 8), ms.float32)).shape
        (4, 3, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable[[Tensor], Tensor] = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__()
        options = (
            d_model,
            nhead,
            dim_feedforward,
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            dtype,
        )
        if custom_encoder is None:
            layer = TransformerEncoderLayer(*options)
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*options)
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self.decoder = custom_decoder
        for p in self.get_parameters():
            if p.ndim > 1:
                p.set_data(initializer(XavierUniform(), p.shape, p.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        shapes = src.shape, tgt.shape
        axis = 0 if self.batch_first else 1
        if len(shapes[0]) == len(shapes[1]) == 3 and shapes[0][axis] != shapes[1][axis]:
            raise ValueError(
                "For 'Transformer', The number of batch for 'src' and 'tgt' must be equal, but got "
                f"{shapes[0][axis]} and {shapes[1][axis]}."
            )
        if shapes[0][-1] != self.d_model or shapes[1][-1] != self.d_model:
            raise ValueError(
                "For 'Transformer', The number of features for 'src' and 'tgt' must be equal to "
                f"`d_model` {self.d_model}, but got {shapes[0][-1]} and {shapes[1][-1]}."
            )
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )
