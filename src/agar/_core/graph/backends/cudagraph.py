"""CUDA graphs: all kernels of a plan launched as one.

A subgraph on a GPU is a fixed sequence of kernels over fixed memory, if its inputs are first copied
to fixed places. It is captured once, without running, and replayed at each call.

NOTE State. Parameters and optimizer states are bound by reference in a plan's code, so the captured
kernels read and write the real tensors; code that holds what depends on them sees
`runtime.weights`. What a replay gives back lies in memory of the graph that the next replay
overwrites; so outputs are copied: a loss or a batch of predictions can afford it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import Host, Op, Subgraph
from agar._core.runtime import runtime

__all__ = ["CudaGraphPlan", "may_capture"]


def may_capture(subgraph: Subgraph) -> str | None:
    """Why a subgraph cannot become a CUDA graph, or None.

    Args:
        subgraph: the subgraph; what the host does is taken out (see `passes.by_device`).
    """
    devices = {subgraph.metas[v].device for v in subgraph.ins if v in subgraph.metas}
    if {d.type for d in devices} != {"cuda"} or len(devices) != 1:
        return "not all of its tensors are on one GPU"
    if subgraph.read:
        return "Python reads a value behind it"
    for op in subgraph.ops:
        if isinstance(op.func, Host):
            return f"{op.name} runs on the host"
        if torch.Tag.nondeterministic_seeded in op.func.tags and not _without_draws(op):
            return f"{op.name} draws random numbers"
        if torch.Tag.dynamic_output_shape in op.func.tags:
            return f"the shape of {op.name}'s result depends on values"
        if any(m is not None and m.device.type != "cuda" for m in op.metas):
            return f"{op.name} gives a tensor on the CPU"
    return None


def _without_draws(op: Op) -> bool:
    """Whether an operator that may draw random numbers does not: attention without dropout."""
    if not op.name.startswith("_scaled_dot_product_"):
        return False
    names = [a.name for a in op.func._schema.arguments]
    given = dict(zip(names, op.args, strict=False)) | op.kwargs
    return not given.get("dropout_p", 0.0)


class CudaGraphPlan:
    """A plan's function as one CUDA graph.

    Args:
        code: ``code(*inputs) -> (None, outputs)``, which has run before on this device, so that
            libraries have set up what they keep.
        writes: whether it writes to captured tensors.
    """

    def __init__(self, code: Callable[..., Any], writes: bool) -> None:
        self._code = code
        self._writes = writes
        self._graph: Any = None
        self._places: list[torch.Tensor] = []
        self._outputs: tuple[torch.Tensor, ...] = ()

    def __call__(self, *args: torch.Tensor) -> Any:
        if self._graph is None:
            self._capture(args)
        for place, value in zip(self._places, args, strict=True):
            place.copy_(value)
        assert self._graph is not None
        self._graph.replay()
        if self._writes:  # a replay raises the version of no tensor
            runtime.weights += 1
        return None, tuple([t.clone() for t in self._outputs])

    def _capture(self, args: Sequence[torch.Tensor]) -> None:
        device = args[0].device if args else torch.device("cuda", torch.cuda.current_device())
        with torch.cuda.device(device), torch.no_grad():
            self._places = [torch.empty_like(t).copy_(t) for t in args]
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            # thread-local: another thread may go on using the device while this one captures
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                _, outputs = self._code(*self._places)
            self._outputs = outputs
            self._graph = graph
