"""Train steps rewritten to channels_last give the results of O0, in the layouts of O0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops
from agar._core.graph.autotune import tuner
from agar._core.graph.autotune.verify import observed
from agar._core.graph.backends import o0
from agar._core.graph.ir.graph import Subgraph, outputs_of
from agar._core.graph.passes.layout import as_observed, in_channels_last

pytestmark = pytest.mark.usefixtures("_graph_mode")


@pytest.fixture
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def steps(value: Any) -> list[int]:
    """The strides of a tensor, without those of dimensions of one element."""
    return [s for n, s in zip(value.shape, value.stride(), strict=True) if n > 1]


def disagreements(autotuner: tuner.Autotuner, other: Subgraph, args: Any) -> list[str]:
    """Looks that the subgraph for the compiler does not have when it runs; the state stays."""
    state = {v: t.clone() for v, t in autotuner.bound.items()}

    def env() -> dict[int, Any]:
        for v, t in state.items():
            autotuner.bound[v].copy_(t)
        return {v: t for v, t in autotuner._env(args).items() if v in other.ins}

    first, metas = observed(other, env())
    first = [t.clone() for t in first[1]]
    seen = as_observed(other, metas)
    second, again = observed(seen, env())
    second = [t.clone() for t in second[1]]
    env()
    wrong = [
        f"{metas[v]!r} {metas[v].stride} is {again[v].stride}"
        for op in seen.ops
        for v in outputs_of(op)
        if not metas[v].like(again[v])
    ]
    if any(op.name == "contiguous" for op in seen.ops):
        wrong.append("an operator is left that the compiler does not know")
    if not any(m.stride != other.metas[v].stride for v, m in metas.items()):
        wrong.append("no layout has changed")
    same = all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    return wrong if same else [*wrong, "results differ"]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Each call of a subgraph is compared with the rewritten one; what was found."""
    items: list[Any] = []

    def begin(self: tuner.Autotuner) -> None:
        other = in_channels_last(self.subgraph)
        if other is None:
            items.append("not rewritten")
            return
        candidate = tuner.Candidate("channels_last")
        bound = {v: t for v, t in self.bound.items() if v in other.ins}
        candidate.run = o0.generate(other, bound=bound, name="channels_last")

        def run(*args: Any) -> Any:
            for careful in (False, True):
                before = {v: t.clone() for v, t in self.bound.items()}
                problem, result = self._compare_restoring(candidate.run, args, careful)
                items.append(problem)
                for v, t in before.items():  # the next comparison, and the call, start there
                    self.bound[v].copy_(t)
            items.extend(disagreements(self, other, args))
            mine = candidate.run(*args)  # type: ignore[misc]
            for a, b in zip(result[1], mine[1], strict=True):
                if steps(a) != steps(b):
                    items.append(f"strides {steps(b)} instead of {steps(a)}")
            return mine

        self.install(run)

    monkeypatch.setattr(tuner.Autotuner, "begin", begin)
    return items


class Classifier(nn.Cell):
    """Convolutions, a flattened end, an input that is scaled first."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = nn.BatchNorm2d(8)
        self.depth = nn.Conv2d(8, 8, 3, group=8)
        self.pool = nn.MaxPool2d(2, 2)
        self.end = nn.Dense(8 * 4 * 4, 5)

    def construct(self, x: ms.Tensor) -> tuple[ms.Tensor, ms.Tensor]:
        x = ops.relu(self.norm(self.first(x * 2.0 - 1.0)))
        x = self.pool(self.depth(x))
        return self.end(x.view(x.shape[0], -1)), x


class Pixels(nn.Cell):
    """Down, up again, joined; two inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(3, 6, 3, stride=2, pad_mode="same")
        self.other = nn.Conv2d(2, 6, 1)
        self.up = nn.Conv2dTranspose(6, 4, 2, stride=2)
        self.norm = nn.GroupNorm(7, 7)
        self.end = nn.Conv2d(7, 3, 1, has_bias=True)

    def construct(self, x: ms.Tensor) -> tuple[ms.Tensor, ms.Tensor]:
        low = ops.relu(self.down(x)) + self.other(x[:, :2, ::2, ::2])
        joined = ops.cat((self.up(low), x), 1)
        out = self.end(self.norm(joined))
        return out.flatten(start_dim=2).swapaxes(1, 2).mean(1), out


@pytest.mark.parametrize("network", [Classifier, Pixels])
def test_train_steps_are_equal(network: type[nn.Cell], tried: list[Any]) -> None:
    ms.set_seed(1)
    net = network()
    net.set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)

    def loss(x: ms.Tensor, y: ms.Tensor) -> tuple[ms.Tensor, ms.Tensor]:
        logits, image = net(x)
        return ops.cross_entropy(logits, y), image

    compute = ms.value_and_grad(loss, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def step(x: ms.Tensor, y: ms.Tensor) -> tuple[Any, Any]:
        out, grads = compute(x, y)
        optimizer(grads)
        return out, grads

    draw = np.random.RandomState(0)
    for _ in range(5):
        x = ms.Tensor(draw.randn(4, 3, 8, 8).astype(np.float32))
        y = ms.Tensor(draw.randint(0, 3, 4).astype(np.int32))
        step(x, y)
    assert tried
    assert set(tried) == {None}, tried


def test_what_cannot_be_rewritten_is_left(tried: list[Any]) -> None:
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.Dropout(p=0.5))
    net.set_train()
    lines = nn.Conv1d(3, 4, 3)
    for cell, shape in ((net, (2, 3, 6, 6)), (lines, (2, 3, 6))):
        step = ms.value_and_grad(lambda x, c=cell: c(x).sum(), None, cell.trainable_params())
        for _ in range(4):
            step(ms.Tensor(np.ones(shape, np.float32)))
    assert tried
    assert set(tried) == {"not rewritten"}


def test_a_view_that_is_changed_later_is_left(tried: list[Any]) -> None:
    conv = nn.Conv2d(3, 4, 3)

    def loss(x: ms.Tensor) -> ms.Tensor:
        y = conv(x)
        flat = y.view(2, -1)
        y.add_(1.0)
        return (flat * y.view(2, -1)).sum()

    step = ms.value_and_grad(loss, None, conv.trainable_params())
    for _ in range(4):
        step(ms.Tensor(np.ones((2, 3, 6, 6), np.float32)))
    assert "not rewritten" in tried
    assert not set(tried) - {None, "not rewritten"}
