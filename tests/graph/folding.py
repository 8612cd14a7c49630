"""Recording a function as a subgraph, folding it, comparing both: for tests of inference plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from agar._core.graph.ir.graph import Host, Meta, Op, Ref, Subgraph, map_refs, without_dead_code
from agar._core.graph.passes.fold import Folded, fold

onednn = pytest.mark.skipif(
    not torch.backends.mkldnn.is_available() or torch.ops.mkldnn._is_mkldnn_acl_supported(),
    reason="this torch has no oneDNN kernels that agar uses",
)


class _Recorder(TorchDispatchMode):
    """A minimal recorder: what is met and was not made is captured."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False

    def __init__(self, inputs: Sequence[torch.Tensor]) -> None:
        super().__init__()
        self.ops: list[Op] = []
        self.metas: dict[int, Meta] = {}
        self.captured: dict[int, torch.Tensor] = {}
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []
        self.storages: dict[int, int] = {}
        for t in inputs:
            self.number(t)

    def number(self, t: torch.Tensor) -> int:
        if id(t) not in self.numbers:
            self.alive.append(t)
            self.numbers[id(t)] = len(self.numbers)
            storage = self.storages.setdefault(t.untyped_storage()._cdata, len(self.storages))
            self.metas[self.numbers[id(t)]] = Meta(t, storage)
        return self.numbers[id(t)]

    def ref(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            if id(value) not in self.numbers:
                self.captured[self.number(value)] = value
            return Ref(self.number(value))
        if type(value) in (tuple, list):
            return type(value)(self.ref(v) for v in value)
        return value

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        taken = self.ref(args), {k: self.ref(v) for k, v in kwargs.items()}
        out = func(*args, **kwargs)
        several = type(out) in (tuple, list)
        items = [t if isinstance(t, torch.Tensor) else None for t in (out if several else [out])]
        self.alive.append(out)
        outs = tuple(None if t is None else self.number(t) for t in items)
        metas = tuple(None if o is None else self.metas[o] for o in outs)
        self.ops.append(Op(func, *taken, outs, metas))
        return out

    def host(self, fn: Callable[..., None], *args: torch.Tensor) -> None:
        """Note Python that takes tensors and returns nothing."""
        self.ops.append(Op(Host(fn, "host", "nothing"), self.ref(args), {}, ()))


def record(
    fn: Callable[..., Any], *inputs: torch.Tensor, host: list[Any] | None = None
) -> Subgraph:
    """The subgraph of one run of a function over tensors, without gradients."""
    recorder = _Recorder(inputs)
    with torch.no_grad(), recorder:
        if host is not None:
            host.append(recorder)
        out = fn(*inputs)
    tensors = list(out) if isinstance(out, (tuple, list)) else [out]
    outs = [recorder.number(t) for t in tensors]
    return Subgraph(
        without_dead_code(recorder.ops, outs),
        [*range(len(inputs)), *recorder.captured],
        outs,
        recorder.metas,
        False,
        recorder.captured,
    )


def run(subgraph: Subgraph, *values: Any) -> list[Any]:
    """The outputs of a subgraph, one operation after another."""
    env = dict(zip(subgraph.ins, values, strict=True))
    with torch.no_grad():
        for op in subgraph.ops:
            fn = op.func.fn if isinstance(op.func, Host) else op.func
            args, kwargs = map_refs((op.args, op.kwargs), lambda ref: env[ref.i])
            out = fn(*args, **kwargs)
            results = out if type(out) in (tuple, list) else [out]
            env.update((o, t) for o, t in zip(op.outs, results, strict=False) if o is not None)
    return [env[o] for o in subgraph.outs]


def run_folded(folded: Folded, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    constants = run(folded.prologue, *folded.prologue.captured.values())
    captured = [folded.body.captured[i] for i in folded.body.ins if i in folded.body.captured]
    return run(folded.body, *inputs, *captured, *constants)


def names(subgraph: Subgraph) -> list[str]:
    return [op.name for op in subgraph.ops]


#: Rounding of the folded weights and of kernels that add in another order.
TOLERANCE = {
    torch.float32: (1e-4, 1e-4),
    torch.float64: (1e-10, 1e-10),
    torch.bfloat16: (6e-2, 6e-2),
}


def compare(folded: Folded, subgraph: Subgraph, inputs: Sequence[torch.Tensor]) -> None:
    """Assert that the parts give what the subgraph gives, with its shapes, dtypes and strides."""
    before = [t.clone() for t in inputs]
    captured = [subgraph.captured[i] for i in subgraph.ins if i in subgraph.captured]
    expected = run(subgraph, *inputs, *captured)
    got = run_folded(folded, inputs)
    assert len(got) == len(expected)
    for a, b in zip(got, expected, strict=True):
        rtol, atol = TOLERANCE.get(b.dtype, (0, 0))
        torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)
        assert a.stride() == b.stride()
    for a, b in zip(inputs, before, strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)


MODES = [
    pytest.param(dict(layout=layout, **how), id=f"{layout}-{name}")
    for layout in ("channels_last", "plain")
    for name, how in {
        "aten": {"fuse": False},
        "onednn": {"timed": False},
        "timed": {},
    }.items()
]


def written(subgraph: Subgraph) -> tuple[Any, ...]:
    metadata = {v: (m.shape, m.stride, m.dtype, m.storage) for v, m in subgraph.metas.items()}
    metas = [[m and (m.shape, m.stride) for m in op.metas] for op in subgraph.ops]
    return repr(subgraph.ops), list(subgraph.outs), metadata, metas


def check(fn: Callable[..., Any], *inputs: torch.Tensor, **how: Any) -> Folded:
    """Fold what a function records, and assert that nothing changed but rounding."""
    subgraph = record(fn, *inputs)
    text = written(subgraph)
    folded = fold(subgraph, **how)
    assert folded is not None
    compare(folded, subgraph, inputs)
    assert written(subgraph) == text  # the recording is another plan's as well
    for part in (folded.prologue, folded.body):
        for op in part.ops:
            assert op.metas == tuple(None if o is None else part.metas.get(o) for o in op.outs)
    inside = {o for op in folded.body.ops for o in op.outs}
    assert inside.isdisjoint(folded.constants)
    assert set(folded.constants) <= set(folded.body.ins)
    assert not set(folded.constants) & set(subgraph.metas) - {
        o for op in subgraph.ops for o in op.outs
    }
    return folded


def eval_net(net: nn.Module, dtype: torch.dtype = torch.float32) -> Any:
    """The network in evaluation, with running statistics and biases that matter."""
    generator = torch.Generator().manual_seed(3)
    for module in net.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            for t, low, high in (
                (module.running_mean, -1, 1),
                (module.running_var, 0.5, 2),
                (module.weight, 0.5, 1.5),
                (module.bias, -1, 1),
            ):
                if t is not None:
                    t.data = torch.rand(t.shape, generator=generator) * (high - low) + low
    return net.eval().to(dtype).requires_grad_(False)
