"""The battery on attention and the Transformer, with torch's modules as twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from agar import nn
from nn.battery import arrays, battery

SMALL: dict[str, Any] = {"dim_feedforward": 6, "dropout": 0.0, "batch_first": True}


def theirs(make: Callable[[], torch.nn.Module]) -> Callable[..., Any]:
    """torch's module, with the weights of ours under its own names."""

    def twin(weights: dict[str, torch.Tensor], *inputs: torch.Tensor) -> Any:
        named = {
            name.replace(".gamma", ".weight")
            .replace(".beta", ".bias")
            .replace("dense", "linear"): v
            for name, v in weights.items()
        }
        return torch.func.functional_call(make().double(), named, inputs)

    return twin


@pytest.mark.parametrize(
    ("options", "shapes"),
    [
        ({}, [(2, 3, 4), (2, 5, 4), (2, 5, 4)]),
        ({"kdim": 3, "vdim": 6}, [(2, 3, 4), (2, 5, 3), (2, 5, 6)]),
        ({"add_bias_kv": True, "add_zero_attn": True}, [(2, 3, 4), (2, 5, 4), (2, 5, 4)]),
        ({"has_bias": False}, [(2, 3, 4), (2, 5, 4), (2, 5, 4)]),
    ],
    ids=str,
)
def test_attention(options, shapes):
    renamed = {"bias" if k == "has_bias" else k: v for k, v in options.items()}
    battery(
        lambda: nn.MultiheadAttention(4, 2, batch_first=True, **options),
        arrays(*shapes),
        theirs(lambda: torch.nn.MultiheadAttention(4, 2, batch_first=True, **renamed)),
    )


@pytest.mark.parametrize("first", [False, True], ids=["norm last", "norm first"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layer(first, activation):
    options = {**SMALL, "norm_first": first, "activation": activation}
    battery(
        lambda: nn.TransformerEncoderLayer(4, 2, **options),
        arrays((2, 3, 4)),
        theirs(lambda: torch.nn.TransformerEncoderLayer(4, 2, **options)),
    )


@pytest.mark.parametrize("first", [False, True], ids=["norm last", "norm first"])
def test_decoder_layer(first):
    options = {**SMALL, "norm_first": first}
    battery(
        lambda: nn.TransformerDecoderLayer(4, 2, **options),
        arrays((2, 3, 4), (2, 5, 4)),
        theirs(lambda: torch.nn.TransformerDecoderLayer(4, 2, **options)),
    )


def test_encoder():
    def make():
        return nn.TransformerEncoder(
            nn.TransformerEncoderLayer(4, 2, **SMALL), 2, nn.LayerNorm((4,), epsilon=1e-5)
        )

    battery(
        make,
        arrays((2, 3, 4)),
        theirs(
            lambda: torch.nn.TransformerEncoder(
                torch.nn.TransformerEncoderLayer(4, 2, **SMALL),
                2,
                torch.nn.LayerNorm(4),
                enable_nested_tensor=False,
            )
        ),
    )


def test_decoder():
    battery(
        lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, **SMALL), 2),
        arrays((2, 3, 4), (2, 5, 4)),
        theirs(
            lambda: torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, **SMALL), 2)
        ),
    )


def test_transformer():
    options = {**SMALL, "d_model": 4, "nhead": 2, "num_encoder_layers": 1, "num_decoder_layers": 2}
    battery(
        lambda: nn.Transformer(**options),
        arrays((2, 5, 4), (2, 3, 4)),
        theirs(lambda: torch.nn.Transformer(**options)),
    )
