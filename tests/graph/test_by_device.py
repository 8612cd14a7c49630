"""What the host does in a subgraph for a GPU runs first, once, and the rest is the GPU's.

No GPU is needed: the parts are told by metadata, and their code runs on any tensors.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch

from agar._core.graph.backends import o0
from agar._core.graph.ir.graph import Host, Meta, Op, Ref, Subgraph
from agar._core.graph.passes.by_device import ByDevice, by_device, joined

aten = torch.ops.aten


def meta(device: str, like: torch.Tensor | None = None) -> Meta:
    return Meta(torch.empty(2) if like is None else like, -1).but(device=torch.device(device))


class Step:
    """x * weight * rate * mask, where the rate lies on the host, and a counter that goes up."""

    def __init__(self) -> None:
        self.draws = 0
        self.weight, self.count = torch.tensor([2.0, 3.0]), torch.tensor(0.0)
        self.rate = torch.tensor(0.5)
        cpu, cuda = meta("cpu", self.rate), meta("cuda:0")
        moved = meta("cuda:0", self.rate)
        metas: dict[int, Meta] = dict.fromkeys((0, 1, 4, 6, 7, 8), cuda)
        metas |= {2: cpu, 3: cpu, 9: cpu, 5: moved}
        ops = [
            Op(aten.mul.Tensor, (Ref(0), Ref(1)), {}, (4,), (cuda,)),
            Op(aten.add_.Tensor, (Ref(2), 1), {}, (2,), (cpu,)),
            Op(aten._to_copy.default, (Ref(3),), {}, (5,), (moved,)),
            Op(aten.mul.Tensor, (Ref(4), Ref(5)), {}, (6,), (cuda,)),
            Op(Host(self.draw, "draw"), (2,), {}, (7,), (cuda,)),
            Op(aten.mul.Tensor, (Ref(6), Ref(7)), {}, (8,), (cuda,)),
            Op(aten.mul.Tensor, (Ref(2), 10), {}, (9,), (cpu,)),
        ]
        captured = {1: self.weight, 2: self.count, 3: self.rate}
        self.graph = Subgraph(ops, [0, 1, 2, 3], [9, 8], metas, False, captured, (3,))

    def draw(self, size: int) -> torch.Tensor:
        self.draws += 1
        return torch.full((size,), float(self.draws))

    def parts(self) -> ByDevice:
        parts = by_device(self.graph)
        assert isinstance(parts, ByDevice)
        return parts

    def function(self, parts: ByDevice) -> Any:
        bound = self.graph.captured

        def code(part: Subgraph) -> Any:
            return o0.generate(part, bound={v: bound[v] for v in part.ins if v in bound})

        return joined(parts, [0], bound, code(parts.host), code(parts.device))


def test_what_the_host_does_comes_first_and_the_rest_lies_on_one_device():
    parts = Step().parts()
    assert [op.name for op in parts.host.ops] == ["add_.Tensor", "_to_copy", "draw", "mul.Tensor"]
    assert [op.name for op in parts.device.ops] == ["mul.Tensor"] * 3
    assert parts.moved == [5, 7]
    assert parts.device.ins == [0, 1, 5, 7]
    assert parts.device.marks == (1,)  # the operations of the host do not count


def test_the_parts_give_what_the_whole_gives():
    whole, divided = Step(), Step()
    bound = whole.graph.captured
    code = o0.generate(whole.graph, bound=bound)
    run = divided.function(divided.parts())
    for value in (1.0, 2.0, 3.0):
        x = torch.full((2,), value)
        read, expected = code(x)
        found_read, result = run(x)
        assert read is found_read is None
        for a, b in zip(expected, result, strict=True):
            torch.testing.assert_close(b, a, rtol=0, atol=0)
    assert divided.draws == whole.draws == 3
    assert float(divided.count) == float(whole.count) == 3


def test_a_value_read_on_the_host_is_read_before_the_kernels_run():
    step = Step()
    graph = step.graph
    read = Op(aten._local_scalar_dense.default, (Ref(3),), {}, (None,))
    ops = [*graph.ops, read]
    step.graph = Subgraph(ops, graph.ins, graph.outs, graph.metas, True, graph.captured)
    assert step.function(step.parts())(torch.ones(2))[0] == 0.5


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        (Op(aten.mul.Tensor, (Ref(0), Ref(3)), {}, (9,), (meta("cuda:0"),)), "on the host and on"),
        (Op(aten._to_copy.default, (Ref(0),), {}, (9,), (meta("cpu"),)), "on the host and on"),
        (Op(Host(print, "print", "nothing"), (Ref(0),), {}, ()), "print runs on the host"),
    ],
    ids=["a scalar of the host beside tensors", "a result that comes back", "Python sees it"],
)
def test_what_needs_both_sides_is_not_divided(op: Op, reason: str):
    graph = Step().graph
    ops = [*graph.ops[:-1], op]
    outs = [o for o in op.outs if o is not None] or [8]
    assert reason in str(by_device(Subgraph(ops, graph.ins, outs, graph.metas, False, {})))


def test_a_value_of_the_gpu_that_python_reads_is_not_divided():
    graph = Step().graph
    read = Op(aten._local_scalar_dense.default, (Ref(8),), {}, (None,))
    whole = Subgraph([*graph.ops, read], graph.ins, graph.outs, graph.metas, True, {})
    assert isinstance(by_device(whole), str)
