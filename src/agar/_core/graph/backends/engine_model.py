"""The plans OpenVINO and ONNX Runtime: the float32 part of an inference compiled by an engine.

The operations are translated one by one (engine_rules.py), in the process, without an exporter;
what cannot be translated stays torch's, before and behind the model (engine_regions.py).

NOTE What is whose. Inputs are read where they are if they are blocks of memory, and results are
written into new tensors, so calls share nothing. Weights are constants of the model, which engines
order as their kernels like: a second copy. A stamp of the weights is compared at every call; where
it differs, O0 serves until they have been at rest, and a new model is compiled beside the calls.

NOTE Which calls. Those whose inputs are finite and below 1e9, see engine_rules.py. O0 serves the
others, and every call in a forked child: the engine's threads are the parent's.
"""

from __future__ import annotations

from typing import Any

import torch

from agar._core.graph.backends import o0
from agar._core.graph.backends.engine import Engine, Untranslatable
from agar._core.graph.backends.engine_regions import Regions, order_of
from agar._core.graph.backends.engine_rules import ASSUMED, HEAVY, WITNESSED, Value
from agar._core.graph.backends.onnxruntime import ONNX_RUNTIME
from agar._core.graph.backends.openvino import OPENVINO
from agar._core.graph.ir.graph import Host, Meta, Subgraph
from agar._core.lent import numpy_of

__all__ = ["ENGINES", "Model", "may_gain"]

#: The engines there may be, in the order in which they are tried.
ENGINES: tuple[Engine, ...] = (OPENVINO, ONNX_RUNTIME)

#: Bytes that an address must be a multiple of: what arrays of numpy are, which engines take.
_ALIGNMENT = 16


def may_gain(subgraph: Subgraph) -> bool:
    """Whether a subgraph has what an engine may compute sooner, and is not seen to have more."""
    if subgraph.read or any(isinstance(op.func, Host) for op in subgraph.ops):
        return False
    products = [op.outs[0] for op in subgraph.ops if op.func in HEAVY]
    metas = [subgraph.metas[o] for o in products if o in subgraph.metas]
    return any(m.dtype is torch.float32 and m.device.type == "cpu" for m in metas)


class Model:
    """A compiled model with what torch runs before and behind it.

    Args:
        engine: compiles it.
        subgraph: what it runs.
        takes: the variables that a call gives.
        bound: captured tensors by variable; their values are the model's constants.

    Attributes:
        weights: the captured tensors that it depends on.
        source: its operations, for people.

    Raises:
        Untranslatable: the engine cannot do exactly the same, or has nothing to do.
    """

    def __init__(
        self,
        engine: Engine,
        subgraph: Subgraph,
        takes: list[int],
        bound: dict[int, torch.Tensor],
    ) -> None:
        reason = engine.available()
        if reason is not None:
            raise Untranslatable(reason)
        engine.used = True
        regions = Regions(subgraph, takes, bound, engine.nodes)
        builder = regions.builder
        results = [
            _Result(regions.metas[v], value, builder) for v, value in regions.results.items()
        ]
        witnesses = builder.witnessed
        outputs = [*(r.node for r in results), *witnesses]
        self._compiled = engine.compile(builder.nodes, builder.parameters, outputs)
        self._results = results
        for result in results:
            del result.node
        self._witnesses = len(witnesses)
        self._orders = [order_of(regions.metas[v]) for v in regions.inputs]
        self._is_proved = self._is_broken = False
        self._head = o0.generate(regions.head, bound=regions.head.captured, name="head")
        self._tail = o0.generate(regions.tail, bound=regions.tail.captured, name="tail")
        self.weights = regions.weights
        lines = builder.lines + [f"# {len(witnesses)} results are witnessed"] * bool(witnesses)
        self.source = "\n".join([o0.source_of(self._head), *lines, o0.source_of(self._tail)])

    def __call__(self, *args: Any) -> Any:
        """The result of a call; None where its numbers are not those that the model is for."""
        if self._is_broken:
            return None
        _, given = self._head(*args)
        count = len(self._orders)
        inputs: list[torch.Tensor] = []
        for t, order in zip(given, self._orders, strict=False):
            block = self._input(t, order)
            if block is None:
                return None
            inputs.append(block)
        copies = [] if self._is_proved else [t.clone() for t in inputs]
        results = [r.empty() for r in self._results]
        witnesses = [torch.empty(()) for _ in range(self._witnesses)]
        written = [*(block for _, block in results), *witnesses]
        try:
            self._compiled.infer(inputs, written)
        except Exception:  # it would in each call
            if copies:
                self._leaves(inputs, copies)
            self._is_broken = True
            return None
        if not self._is_proved and not self._leaves(inputs, copies):
            return None
        if any(not float(w) <= WITNESSED for w in witnesses):
            return None
        return self._tail(*given[count:], *[t for t, _ in results])

    def _leaves(self, inputs: list[torch.Tensor], copies: list[torch.Tensor]) -> bool:
        """Whether the first call has left its inputs as they were; they are put back if not."""
        same = all(map(torch.equal, inputs, copies))
        if same:
            self._is_proved = True
        else:
            for t, copy in zip(inputs, copies, strict=True):
                t.copy_(copy)
            self._is_broken = True
        return same

    def _input(self, t: torch.Tensor, order: list[int] | None) -> torch.Tensor | None:
        """An input as a block of memory; None where it is not finite, or too large.

        numpy copies it and looks at it, in this thread: threads of torch's that have done a part of
        that would spin for milliseconds on the cores that the engine's are to have.
        """
        t = t.detach()
        if order is not None:
            t = t.permute(order)
        t = t.resolve_neg()
        block = numpy_of(t)
        if not block.flags.c_contiguous or block.ctypes.data % _ALIGNMENT:
            block = block.copy()
            t = torch.from_numpy(block)
        flat = block.reshape(-1)
        return t if flat.min() >= -ASSUMED and flat.max() <= ASSUMED else None


class _Result:
    """A result of a model: a tensor of the recorded strides."""

    def __init__(self, meta: Meta, value: Value, builder: Any) -> None:
        self._order = order_of(meta)
        self._shape, self._stride = meta.shape, meta.stride
        self._in_order = meta.is_contiguous()
        self.node: Any = builder.result(value, self._order)
        if not self._in_order and self._order is None:
            raise Untranslatable("a result has gaps in its memory")

    def empty(self) -> tuple[torch.Tensor, torch.Tensor]:
        """A new tensor, and its memory as a block."""
        if self._in_order:
            t = torch.empty(self._shape)
            return t, t
        t = torch.empty_strided(self._shape, self._stride)
        assert self._order is not None
        return t, t.permute(self._order)
