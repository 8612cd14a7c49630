"""Decoders of MindSpore 1's ``nn.transformer``, and the network of encoder and decoder."""

from __future__ import annotations

import functools
from typing import Any

from agar import nn, ops
from agar.common import dtype as mstype
from agar.compat.legacy._transformer import (
    FeedForward,
    MultiHeadAttention,
    TransformerEncoder,
    _Layer,
    _LayerNorm,
    _no_cache,
    _stack,
)
from agar.compat.legacy._transformer_config import (
    default_dpmp_config,
    default_moe_config,
    on_one_device,
)

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer"]


class TransformerDecoderLayer(_Layer):
    """Attention to the decoder's rows and to the encoder's, and `FeedForward`.

    Each has a normalization before it.

    Args:
        hidden_size (int): length of a row.
        ffn_hidden_size (int): of `FeedForward`.
        num_heads (int): heads of both attentions.
        batch_size (int): sequences in a batch.
        src_seq_length (int): length of the encoder's sequences.
        tgt_seq_length (int): length of the decoder's sequences.
        attention_dropout_rate (float): of the weights of the values. Default: 0.1.
        hidden_dropout_rate (float): of the results of the parts. Default: 0.1.
        post_layernorm_residual (bool): whether what is added to a part's result is the normalized
            input, not the input. Default: False.
        use_past (bool): False.
        layernorm_compute_type (mindspore.dtype): of the normalizations. Default: float32.
        softmax_compute_type (mindspore.dtype): of the weights of the values. Default: float32.
        param_init_type (mindspore.dtype): of the parameters. Default: float32.
        hidden_act (Union[str, Cell]): the activation of `FeedForward`. Default: ``'gelu'``.
        moe_config (MoEConfig): one expert.
        parallel_config (OpParallelConfig): one device.

    Inputs:
        - **hidden_stats** (Tensor) - shape :math:`(batch, tgt, hidden)`.
        - **decoder_mask** (Tensor) - shape :math:`(batch, tgt, tgt)`, 0 at what is hidden.
        - **encoder_output** (Tensor) - shape :math:`(batch, src, hidden)`, or None: then the layer
          attends to its own rows alone. Default: None.
        - **memory_mask** (Tensor) - shape :math:`(batch, tgt, src)`, or None. Default: None.
        - **init_reset** (bool) - belongs to generation with a cache, which is not supported; has
          no effect. Default: True.
        - **batch_valid_length** (Tensor) - likewise. Default: None.

    Outputs: Tensor of the decoder's shape; the keys and values of the first attention, and behind
        them those of the second if there was an `encoder_output`.
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        batch_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        use_past: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config, moe_config)
        _no_cache("TransformerDecoderLayer", use_past)
        kinds = {"softmax_compute_type": softmax_compute_type, "param_init_type": param_init_type}
        rates = (hidden_dropout_rate, attention_dropout_rate)

        def attention(length: int) -> MultiHeadAttention:
            sizes = (batch_size, tgt_seq_length, length, hidden_size, num_heads)
            return MultiHeadAttention(*sizes, *rates, **kinds)

        self.layernorm1 = _LayerNorm((hidden_size,))
        self.layernorm2 = _LayerNorm((hidden_size,))
        self.layernorm_dtype = layernorm_compute_type
        self.attention = attention(tgt_seq_length)
        self.cross_attention = attention(src_seq_length)
        self.cross_attention_layernorm = _LayerNorm((hidden_size,))
        self.output = FeedForward(
            *(hidden_size, ffn_hidden_size, hidden_dropout_rate, hidden_act),
            param_init_type=param_init_type,
        )
        self.post_layernorm_residual = post_layernorm_residual

    def construct(
        self,
        hidden_stats: Any,
        decoder_mask: Any,
        encoder_output: Any = None,
        memory_mask: Any = None,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Any, tuple[Any, ...]]:
        rows = self._normalized(self.layernorm1, hidden_stats)
        attention, present = self.attention(rows, rows, rows, decoder_mask)
        x = self._added(hidden_stats, rows, attention)
        if encoder_output is not None:
            rows = self._normalized(self.cross_attention_layernorm, x)
            memory = ops.cast(encoder_output, mstype.float16)
            attention, further = self.cross_attention(rows, memory, memory, memory_mask)
            present = (*present, *further)
            x = self._added(x, rows, attention)
        rows = self._normalized(self.layernorm2, x)
        return self._added(x, rows, self.output(rows)), present


class TransformerDecoder(nn.Cell):
    """Several `TransformerDecoderLayer`, one after the other.

    Args:
        num_layers (int): number of layers.
        batch_size (int): sequences in a batch.
        hidden_size (int): length of a row.
        ffn_hidden_size (int): of `FeedForward`.
        src_seq_length (int): length of the encoder's sequences.
        tgt_seq_length (int): length of the decoder's sequences.
        num_heads (int): heads of the attentions.
        parallel_config (TransformerOpParallelConfig): one device.
        moe_config (MoEConfig): one expert.
        lambda_func (Callable): called with each layer, its index, the number of layers and the
            configuration. Default: None.
        **kwargs: the other arguments of `TransformerDecoderLayer`.

    Inputs:
        - **hidden_states** (Tensor) - shape :math:`(batch, tgt, hidden)`.
        - **attention_mask** (Tensor) - shape :math:`(batch, tgt, tgt)`, 0 at what is hidden.
        - **encoder_output** (Tensor) - shape :math:`(batch, src, hidden)`, or None. Default: None.
        - **memory_mask** (Tensor) - shape :math:`(batch, tgt, src)`, or None. Default: None.
        - **init_reset** (bool) - belongs to generation with a cache, which is not supported; has
          no effect. Default: True.
        - **batch_valid_length** (Tensor) - likewise. Default: None.

    Outputs: the last layer's Tensor, and what each layer gives of keys and values.
    """

    def __init__(
        self,
        num_layers: int,
        batch_size: int,
        hidden_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        lambda_func: Any = None,
        use_past: bool = False,
        offset: int = 0,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config, moe_config)
        _no_cache("TransformerDecoder", use_past)
        arguments = (
            *(hidden_size, ffn_hidden_size, num_heads, batch_size),
            *(src_seq_length, tgt_seq_length, attention_dropout_rate, hidden_dropout_rate),
            *(post_layernorm_residual, False, layernorm_compute_type, softmax_compute_type),
            *(param_init_type, hidden_act),
        )
        make = functools.partial(TransformerDecoderLayer, *arguments)
        self.blocks = _stack(num_layers, make, lambda_func, offset, parallel_config)

    def construct(
        self,
        hidden_states: Any,
        attention_mask: Any,
        encoder_output: Any = None,
        memory_mask: Any = None,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Any, tuple[Any, ...]]:
        present = ()
        for block in self.blocks:
            hidden_states, own = block(hidden_states, attention_mask, encoder_output, memory_mask)
            present = (*present, own)
        return hidden_states, present


class Transformer(nn.Cell):
    """An encoder, and a decoder that attends to what it gives.

    Args:
        hidden_size (int): length of a row.
        batch_size (int): sequences in a batch.
        ffn_hidden_size (int): of `FeedForward`.
        src_seq_length (int): length of the encoder's sequences.
        tgt_seq_length (int): length of the decoder's sequences.
        encoder_layers (int): layers of the encoder, at least one if there is a decoder. Default: 3.
        decoder_layers (int): layers of the decoder; 0 for none. Default: 3.
        num_heads (int): heads of the attentions. Default: 2.
        parallel_config (TransformerOpParallelConfig): one device.
        moe_config (MoEConfig): one expert.
        **kwargs: the other arguments of `TransformerEncoder` and `TransformerDecoder`.

    Inputs:
        - **encoder_inputs** (Tensor) - shape :math:`(batch, src, hidden)`.
        - **encoder_masks** (Tensor) - shape :math:`(batch, src, src)`, 0 at what is hidden.
        - **decoder_inputs** (Tensor) - shape :math:`(batch, tgt, hidden)`. Default: None.
        - **decoder_masks** (Tensor) - shape :math:`(batch, tgt, tgt)`. Default: None.
        - **memory_mask** (Tensor) - shape :math:`(batch, tgt, src)`, or None. Default: None.
        - **init_reset** (bool) - belongs to generation with a cache, which is not supported; has
          no effect. Default: True.
        - **batch_valid_length** (Tensor) - likewise. Default: None.

    Outputs: the decoder's Tensor, or the encoder's if there is no decoder, and what the layers of
        both give of keys and values; None for a part that is not there.

    Raises:
        ValueError: there is a decoder and no encoder, or no layer at all.
    """

    def __init__(
        self,
        hidden_size: int,
        batch_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        encoder_layers: int = 3,
        decoder_layers: int = 3,
        num_heads: int = 2,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Any = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        lambda_func: Any = None,
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ) -> None:
        super().__init__()
        on_one_device(parallel_config, moe_config)
        _no_cache("Transformer", use_past)
        if encoder_layers <= 0:
            raise ValueError(
                "For 'Transformer', 'encoder_layers' must be positive, but got "
                f"{encoder_layers}. Use TransformerDecoder for a decoder alone."
            )
        if decoder_layers < 0:
            raise ValueError(
                f"For 'Transformer', 'decoder_layers' must not be negative, but got "
                f"{decoder_layers}."
            )
        kinds = {
            "hidden_act": hidden_act,
            "post_layernorm_residual": post_layernorm_residual,
            "layernorm_compute_type": layernorm_compute_type,
            "softmax_compute_type": softmax_compute_type,
            "param_init_type": param_init_type,
            "lambda_func": lambda_func,
            "parallel_config": parallel_config,
        }
        rates = (attention_dropout_rate, hidden_dropout_rate)
        self.encoder = TransformerEncoder(
            *(batch_size, encoder_layers, hidden_size, ffn_hidden_size, src_seq_length, num_heads),
            *rates,
            **kinds,
        )
        self.decoder = None
        if decoder_layers:
            self.decoder = TransformerDecoder(
                *(decoder_layers, batch_size, hidden_size, ffn_hidden_size),
                *(src_seq_length, tgt_seq_length, num_heads),
                *rates,
                **kinds,
                offset=encoder_layers,
            )

    def construct(
        self,
        encoder_inputs: Any,
        encoder_masks: Any,
        decoder_inputs: Any = None,
        decoder_masks: Any = None,
        memory_mask: Any = None,
        init_reset: Any = True,
        batch_valid_length: Any = None,
    ) -> tuple[Any, Any, Any]:
        out, encoder_present = self.encoder(encoder_inputs, encoder_masks)
        if self.decoder is None:
            return out, encoder_present, None
        out, present = self.decoder(decoder_inputs, decoder_masks, out, memory_mask)
        return out, encoder_present, present
