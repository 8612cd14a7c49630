"""Models of functions, compiled by the engine of the test that runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from agar._core.graph.backends.engine import Engine
from agar._core.graph.backends.engine_model import Model
from agar._core.graph.backends.engine_rules import ASSUMED
from agar._core.graph.ir.graph import Subgraph
from graph.folding import eval_net, record

aten = torch.ops.aten


class Current:
    """The engine of the test that runs."""

    engine: Engine


def tensor(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def parts(subgraph: Subgraph) -> tuple[list[int], dict[int, torch.Tensor]]:
    takes = [v for v in subgraph.ins if v not in subgraph.captured]
    return takes, dict(subgraph.captured)


def model_of(fn: Callable[..., Any], *inputs: torch.Tensor) -> Model:
    subgraph = record(fn, *inputs)
    with torch.no_grad():
        return Model(Current.engine, subgraph, *parts(subgraph))


def check(fn: Callable[..., Any], *inputs: torch.Tensor, model: Model | None = None) -> Model:
    """The model of a function, after its results have been compared with the function's."""
    model = model or model_of(fn, *inputs)
    before = [t.clone() for t in inputs]
    with torch.no_grad():
        expected = fn(*inputs)
        result = model(*inputs)
    assert result is not None
    for a, b in zip(
        result[1], expected if isinstance(expected, tuple) else [expected], strict=True
    ):
        scale = float(b.abs().max()) if b.is_floating_point() and b.numel() else 0.0
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5 * max(scale, 1e-30))
        assert a.stride() == b.stride()
    for t, old in zip(inputs, before, strict=True):
        torch.testing.assert_close(t, old, rtol=0, atol=0, equal_nan=True)
    return model


def of_model(model: Model) -> set[str]:
    """The operators that are the model's, not torch's."""
    lines = [line for line in model.source.split("\n") if line.startswith("v") and ": [" in line]
    return {line.split(" = ")[1].split(":")[0] for line in lines}


VECTOR = tensor(4, seed=1)
WIDE = tensor(8, seed=2)
FILTER = tensor(6, 4, 3, 3, seed=3) / 6
SQUARE = tensor(8, 8, seed=6) / 3


def product(x: torch.Tensor) -> torch.Tensor:
    """The same numbers as the result of a matrix product."""
    return (x.reshape(-1, x.shape[-1]) @ torch.eye(x.shape[-1])).view(x.shape)


def network() -> Any:
    return eval_net(
        torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3),
            torch.nn.BatchNorm2d(8),
            torch.nn.ReLU(),
            torch.nn.Conv2d(8, 4, 3),
            torch.nn.Hardtanh(),
        )
    )


ODD = (math.nan, math.inf, -math.inf, 2 * ASSUMED, -3e38)
