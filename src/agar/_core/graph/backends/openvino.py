"""The plan OpenVINO: the float32 part of an inference compiled by OpenVINO, where it is installed.

The operations are translated one by one (openvino_nodes.py), in the process, without an exporter;
what cannot be translated stays torch's, before and behind the model (openvino_regions.py).

NOTE What is whose. Inputs are read where they are if they are blocks of memory, and results are
written into new tensors, so calls share nothing. Weights are constants of the model, which OpenVINO
orders as its kernels like: a second copy. A stamp of the weights is compared at every call; where
it differs, O0 serves until they have been at rest, and a new model is compiled beside the calls.

NOTE Which calls. Those whose inputs are finite and below 1e9, see openvino_nodes.py. O0 serves the
others, and every call in a forked child: OpenVINO's threads are the parent's.

NOTE Costs. Compiling takes 50 ms for a small network and 1 s for a large one, without the
interpreter's lock; importing OpenVINO holds that for 30 ms at a time. A call costs 50 us.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
from typing import Any

import torch

from agar._core.graph.backends import o0
from agar._core.graph.backends.openvino_nodes import (
    ASSUMED,
    HEAVY,
    WITNESSED,
    Untranslatable,
    Value,
)
from agar._core.graph.backends.openvino_regions import Regions, order_of
from agar._core.graph.ir.graph import Host, Meta, Subgraph

__all__ = ["Model", "Process", "Untranslatable", "available", "may_gain", "version"]

#: Of numbers of this square sum none is larger than the bound.
_SQUARES = ASSUMED * ASSUMED
#: Bytes that the kernels may expect an address to be a multiple of.
_ALIGNMENT = 64


class Process:
    """What this process has of OpenVINO."""

    used = False
    forked = False


def _forget() -> None:
    """In a forked child: threads of OpenVINO are the parent's, and waiting for them is forever."""
    Process.forked = Process.used


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def available() -> str | None:
    """None if there may be models here, else the reason why not, for people."""
    if os.environ.get("AGAR_OPENVINO", "1") == "0":
        return "the environment variable AGAR_OPENVINO is 0"
    if Process.forked:
        return "the process was forked after its parent had used OpenVINO"
    if "openvino" not in sys.modules and importlib.util.find_spec("openvino") is None:
        return "OpenVINO is not installed"
    return None


def may_gain(subgraph: Subgraph) -> bool:
    """Whether a subgraph has what OpenVINO may compute sooner, and is not seen to have more."""
    if subgraph.read or any(isinstance(op.func, Host) for op in subgraph.ops):
        return False
    products = [op.outs[0] for op in subgraph.ops if op.func in HEAVY]
    metas = [subgraph.metas[o] for o in products if o in subgraph.metas]
    return any(m.dtype is torch.float32 and m.device.type == "cpu" for m in metas)


@functools.cache
def version() -> str:
    """The version that is installed, without importing it; "" for none."""
    metadata = importlib.import_module("importlib.metadata")
    try:
        return metadata.version("openvino")
    except metadata.PackageNotFoundError:
        return ""


@functools.cache
def _core() -> Any:
    return importlib.import_module("openvino").Core()


def _settings() -> dict[str, Any]:
    return {
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
        "NUM_STREAMS": "1",
        "INFERENCE_NUM_THREADS": torch.get_num_threads(),
        # the caller's thread computes as well, and must stay free to move
        "ENABLE_CPU_PINNING": False,
        # nothing is rounded to 8 bits
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
    }


class Model:
    """A compiled model with what torch runs before and behind it.

    Args:
        subgraph: what it runs.
        takes: the variables that a call gives.
        bound: captured tensors by variable; their values are the model's constants.

    Attributes:
        weights: the captured tensors that it depends on.
        source: its operations, for people.

    Raises:
        Untranslatable: OpenVINO cannot do exactly the same, or has nothing to do.
    """

    def __init__(
        self, subgraph: Subgraph, takes: list[int], bound: dict[int, torch.Tensor]
    ) -> None:
        reason = available()
        if reason is not None:
            raise Untranslatable(reason)
        Process.used = True
        regions = Regions(subgraph, takes, bound)
        builder = regions.builder
        results = [
            _Result(regions.metas[v], value, builder) for v, value in regions.results.items()
        ]
        openvino = importlib.import_module("openvino")
        witnesses = [builder.opset.result(w) for w in builder.witnessed]
        model = openvino.Model([*(r.node for r in results), *witnesses], builder.parameters, "agar")
        self._compiled = _core().compile_model(model, "CPU", _settings())
        self._tensor = openvino.Tensor
        self._results = results
        for result in results:
            del result.node
        self._witnesses = [torch.empty(()) for _ in witnesses]
        self._orders = [order_of(regions.metas[v]) for v in regions.inputs]
        self._requests: list[Any] = []
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
        inputs = [self._input(t, order) for t, order in zip(given, self._orders, strict=False)]
        if any(t is None for t in inputs):
            return None
        copies = [t.clone() for t in inputs if t is not None] if not self._is_proved else []
        results = [r.empty() for r in self._results]
        written = [*(block for _, block in results), *(torch.empty(()) for _ in self._witnesses)]
        self._infer(inputs, written)
        if not self._is_proved and not self._leaves(inputs, copies):
            return None
        if any(not float(w) <= WITNESSED for w in written[len(results) :]):
            return None
        return self._tail(*given[count:], *[t for t, _ in results])

    def _leaves(self, inputs: list[Any], copies: list[Any]) -> bool:
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
        """An input as a block of memory; None where it is not finite, or too large."""
        t = t.detach()
        if order is not None:
            t = t.permute(order)
        if t.is_neg() or not t.is_contiguous() or t.data_ptr() % _ALIGNMENT:
            t = t.clone(memory_format=torch.contiguous_format).resolve_neg()
        flat = t.view(-1)
        return t if float(torch.dot(flat, flat)) <= _SQUARES else None

    def _infer(self, inputs: list[Any], outputs: list[torch.Tensor]) -> None:
        """Run the model on one of its requests: each thread that is in here has its own."""
        try:
            request = self._requests.pop()
        except IndexError:
            request = self._compiled.create_infer_request()
        tensor = self._tensor
        for i, t in enumerate(inputs):
            request.set_input_tensor(i, tensor(t.numpy(), True))
        for i, t in enumerate(outputs):
            request.set_output_tensor(i, tensor(t.numpy(), True))
        request.infer(share_outputs=True)
        self._requests.append(request)


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
