"""OpenVINO as an engine.

NOTE Memory. Weights are constants of the model, whose memory it shares; its kernels have them again
in their own order. Inputs are read and results written where they are.

NOTE Costs. Compiling takes 50 ms for a small network and 1 s for a large one, without the
interpreter's lock; importing OpenVINO holds that for 30 ms at a time. A call costs 50 us.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from agar._core.graph.backends import engine
from agar._core.lent import numpy_of

__all__ = ["OPENVINO", "OpenVINO"]


class OpenVINO(engine.Engine):
    """See the module."""

    name = "OpenVINO"
    switch = "AGAR_OPENVINO"
    modules: dict[str, tuple[str, ...]] = {"openvino": ("openvino",)}  # noqa: RUF012

    def nodes(self) -> _Nodes:
        return _Nodes()

    def compile(
        self, nodes: engine.Nodes, parameters: list[Any], results: list[Any]
    ) -> engine.Compiled:
        assert isinstance(nodes, _Nodes)
        openvino = importlib.import_module("openvino")
        outputs = [nodes.opset.result(node) for node in results]
        inputs = [node.get_node() for node in parameters]
        model = openvino.Model(outputs, inputs, "agar")
        return _Compiled(_core().compile_model(model, "CPU", _settings()), openvino.Tensor)


#: The one of this process.
OPENVINO = OpenVINO()


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


#: Operations on each element whose name, or mode, is another here.
_ELEMENTWISE = {
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "neg": "negative",
    "abs": "absolute",
    "silu": "swish",
    "hardswish": "hswish",
    "hardsigmoid": "hsigmoid",
    "gelu": "erf",
    "gelu_tanh": "tanh",
}


class _Compiled(engine.Compiled):
    def __init__(self, model: Any, tensor: Any) -> None:
        super().__init__()
        self.model = model
        self._tensor = tensor

    def _request(self) -> Any:
        return self.model.create_infer_request()

    def _run(self, request: Any, inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        tensor = self._tensor
        for i, t in enumerate(inputs):
            request.set_input_tensor(i, tensor(numpy_of(t), True))
        for i, t in enumerate(outputs):
            request.set_output_tensor(i, tensor(numpy_of(t), True))
        request.infer(share_outputs=True)


class _Nodes(engine.Nodes):
    def __init__(self) -> None:
        super().__init__()
        self.opset = importlib.import_module("openvino.opset15")
        self._addresses: set[int] = set()

    def _constant(self, block: torch.Tensor) -> Any:
        if block.data_ptr() in self._addresses:
            block = block.clone()  # OpenVINO takes weights at one address for the same
        self._addresses.add(block.data_ptr())
        return self.opset.constant(numpy_of(block), shared_memory=True).output(0)

    def _numbers(self, values: Sequence[int]) -> Any:
        """A constant vector of whole numbers."""
        return self.opset.constant(list(values), np.int64)

    def scalar(self, value: float) -> Any:
        return self.opset.constant(value, np.float32).output(0)

    def parameter(self, shape: Sequence[int]) -> Any:
        return self.opset.parameter(list(shape), np.float32).output(0)

    def elementwise(self, name: str, *taken: Any) -> Any:
        if name in ("gelu", "gelu_tanh"):
            return self.opset.gelu(*taken, _ELEMENTWISE[name]).output(0)
        return getattr(self.opset, _ELEMENTWISE.get(name, name))(*taken).output(0)

    def leaky_relu(self, x: Any, slope: float) -> Any:
        return self.opset.prelu(x, self.opset.constant([slope], np.float32)).output(0)

    def clamp(self, x: Any, low: float, high: float) -> Any:
        return self.opset.clamp(x, low, high).output(0)

    def convolution(
        self,
        x: Any,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        window: engine.Window,
        groups: int,
        output_padding: list[int] | None = None,
    ) -> Any:
        if groups != 1:
            weight = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
        kind = "convolution" if output_padding is None else "convolution_backprop_data"
        more = {} if output_padding is None else {"output_padding": output_padding}
        node = getattr(self.opset, kind if groups == 1 else f"group_{kind}")(
            x,
            self.constant(weight),
            strides=window.stride,
            pads_begin=window.padding,
            pads_end=window.padding,
            dilations=window.dilation,
            **more,
        ).output(0)
        if bias is None:
            return node
        wide = bias.reshape(1, -1, *(1,) * len(window.stride))
        return self.elementwise("add", node, self.constant(wide))

    def matmul(self, x: Any, y: Any, transpose: bool = False, bias: Any = None) -> Any:
        node = self.opset.matmul(x, y, False, transpose).output(0)
        return node if bias is None else self.elementwise("add", node, bias)

    def lstm(
        self, x: Any, weights: Sequence[torch.Tensor], h: Any, c: Any, reverse: bool
    ) -> list[Any]:
        steps, batch, _ = x.shape
        one, two, *biases = (engine.in_order(t, (1, 0, 2, 3))[None] for t in weights)
        node = self.opset.lstm_sequence(
            self.permute(x, (1, 0, 2)),
            *(self.reshape(state, (batch, 1, -1)) for state in (h, c)),
            self._numbers([steps] * batch),
            *(self.constant(t) for t in (one, two, biases[0] + biases[1])),
            two.shape[-1],
            "REVERSE" if reverse else "FORWARD",
        )
        every = self.reshape(self.permute(node.output(0), (2, 0, 1, 3)), (steps, batch, -1))
        return [every, *(self.reshape(node.output(i), (batch, -1)) for i in (1, 2))]

    def layer_norm(
        self,
        x: Any,
        dims: list[int],
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Any:
        node = self.opset.mvn(x, self._numbers(dims), True, eps, "INSIDE_SQRT").output(0)
        if weight is not None:
            node = self.elementwise("mul", node, self.constant(weight))
        return node if bias is None else self.elementwise("add", node, self.constant(bias))

    def group_norm(
        self,
        x: Any,
        groups: int,
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Any:
        factor = self.constant(torch.ones(x.shape[1]) if weight is None else weight)
        shift = self.constant(torch.zeros(x.shape[1]) if bias is None else bias)
        return self.opset.group_normalization(x, factor, shift, groups, eps).output(0)

    def softmax(self, x: Any, dim: int, log: bool = False) -> Any:
        return (self.opset.log_softmax if log else self.opset.softmax)(x, dim).output(0)

    def max_pool(self, x: Any, window: engine.Window, ceil: bool) -> Any:
        kernel, stride, padding, dilation = window
        rounding = "ceil_torch" if ceil else "floor"
        node = self.opset.max_pool(x, stride, dilation, padding, padding, kernel, rounding)
        return node.output(0)

    def avg_pool(self, x: Any, window: engine.Window, count_padding: bool) -> Any:
        kernel, stride, padding, _ = window
        node = self.opset.avg_pool(x, stride, padding, padding, kernel, not count_padding, "floor")
        return node.output(0)

    def reduce(self, name: str, x: Any, dims: list[int], keep: bool) -> Any:
        make = {"mean": "reduce_mean", "sum": "reduce_sum", "amax": "reduce_max"}[name]
        return getattr(self.opset, make)(x, self._numbers(dims), keep).output(0)

    def reshape(self, x: Any, shape: Sequence[int]) -> Any:
        return self.opset.reshape(x, self._numbers(shape), False).output(0)

    def permute(self, x: Any, order: Sequence[int]) -> Any:
        return self.opset.transpose(x, self._numbers(order)).output(0)

    def expand(self, x: Any, shape: Sequence[int]) -> Any:
        return self.opset.broadcast(x, self._numbers(shape)).output(0)

    def cat(self, parts: list[Any], dim: int) -> Any:
        return self.opset.concat(parts, dim).output(0)

    def split(self, x: Any, dim: int, sizes: list[int]) -> list[Any]:
        dimension = self.opset.constant(dim, np.int64)
        return list(self.opset.variadic_split(x, dimension, self._numbers(sizes)).outputs())

    def slice(self, x: Any, dim: int, start: int, end: int, step: int) -> Any:
        return self.opset.slice(x, *(self._numbers([n]) for n in (start, end, step, dim))).output(0)

    def pad(self, x: Any, begin: list[int], end: list[int], value: float) -> Any:
        ends = (self._numbers(begin), self._numbers(end))
        return self.opset.pad(x, *ends, "constant", self.scalar(value)).output(0)

    def pixel_shuffle(self, x: Any, factor: int) -> Any:
        return self.opset.depth_to_space(x, "depth_first", factor).output(0)
