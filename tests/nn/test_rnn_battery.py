"""The battery on every recurrent layer and cell, with torch's modules as twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from agar import nn
from nn.battery import arrays, battery

# Recurrent layers return their input's type whatever they compute in; the states' first axis
# counts layers, so that an empty batch is a matter of test_rnn.py.
RECURRENT: dict[str, Any] = {"half": "refuses", "empty": False}


def sequences(kind: str, **options: Any) -> Callable[..., Any]:
    """torch's layer, with the weights of ours."""
    options = {"bias" if k == "has_bias" else k: v for k, v in options.items()}

    def twin(weights: dict[str, torch.Tensor], x: torch.Tensor) -> list[torch.Tensor]:
        module = getattr(torch.nn, kind)(3, 4, dtype=torch.float64, **options)
        out, last = torch.func.functional_call(module, weights, (x,))
        return [out, *(last if isinstance(last, tuple) else (last,))]

    return twin


def steps(kind: str, **options: Any) -> Callable[..., Any]:
    """torch's cell, with the weights of ours."""

    def twin(weights: dict[str, torch.Tensor], x: torch.Tensor, *state: torch.Tensor) -> Any:
        module = getattr(torch.nn, kind)(3, 4, dtype=torch.float64, **options)
        return torch.func.functional_call(module, weights, (x, *state))

    return twin


SIMPLE = ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
BOTH = [
    f"{name}{end}"
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    for end in ("_l0", "_l0_reverse", "_l1", "_l1_reverse")
]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, SIMPLE),
        ({"num_layers": 2, "bidirectional": True}, BOTH),
        ({"has_bias": False}, SIMPLE[:2]),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_layers(kind, options, names):
    battery(
        lambda: getattr(nn, kind)(3, 4, batch_first=True, **options),
        arrays((2, 5, 3)),
        sequences(kind, batch_first=True, **options),
        names=names,
        **RECURRENT,
    )


@pytest.mark.parametrize("kind", ["GRUCell", "RNNCell"])
def test_cells(kind):
    battery(
        lambda: getattr(nn, kind)(3, 4),
        arrays((2, 3), (2, 4)),
        steps(kind),
        names=["weight_ih", "weight_hh", "bias_ih", "bias_hh"],
    )


class Step(nn.Cell):
    """An LSTMCell whose state is two arguments."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)

    def construct(self, x, h, c):
        return self.cell(x, (h, c))


def test_the_lstms_cell():
    def twin(weights, x, h, c):
        inner = {name.removeprefix("cell."): value for name, value in weights.items()}
        return steps("LSTMCell")(inner, x, (h, c))

    battery(Step, arrays((2, 3), (2, 4), (2, 4)), twin)
