"""The operations of a model as ONNX, with their shapes.

Kernels of ONNX Runtime that lose digits are gone round, or their operations left to torch.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from agar._core.graph.backends.engine import Nodes, Untranslatable, Window, in_order
from agar._core.lent import numpy_of

__all__ = ["OnnxNodes"]

_OPSET, _IR_VERSION = 20, 10
#: Elements up to which a constant stands in the model itself.
_SMALL = 64


class Output(NamedTuple):
    """An output of a node, or an input of the model, or a constant."""

    name: str
    shape: tuple[int, ...]


#: Operations on each element that are one node.
_ELEMENTWISE = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "neg": "Neg",
    "abs": "Abs",
    "exp": "Exp",
    "relu": "Relu",
    "tanh": "Tanh",
    "hardswish": "HardSwish",
    "mish": "Mish",
}


class OnnxNodes(Nodes):
    """See :class:`agar._core.graph.backends.engine.Nodes`.

    Args:
        centered: whether what is normalized must have a mean of about 0.
    """

    def __init__(self, centered: bool = False) -> None:
        super().__init__()
        self._centered = centered
        self._onnx = importlib.import_module("onnx")
        self._nodes: list[Any] = []
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._tensors: dict[str, torch.Tensor] = {}
        self._numbers: dict[tuple[int, ...], Output] = {}
        self._parameters = 0

    def model(
        self, parameters: list[Output], results: list[Output]
    ) -> tuple[bytes, dict[str, torch.Tensor]]:
        """The model as a file, and the constants that are not in it, by name."""
        outputs = self._distinct(results)
        needed = {output.name for output in outputs}
        nodes: list[Any] = []
        for node in reversed(self._nodes):
            if not needed.isdisjoint(node.output):
                nodes.append(node)
                needed.update(node.input)
        weights = {n: t for n, t in self._tensors.items() if n in needed and t.numel() > _SMALL}
        inner = needed - {p.name for p in parameters} - {o.name for o in outputs}
        graph = self._onnx.helper.make_graph(
            nodes[::-1],
            "agar",
            [self._info(p) for p in parameters],
            [self._info(o) for o in outputs],
            [self._initializer(n, t) for n, t in self._tensors.items() if n in needed],
            value_info=[
                self._info(Output(name, self._shapes[name]))
                for name in sorted(inner)
                if name in self._shapes
            ],
        )
        opset = self._onnx.helper.make_opsetid("", _OPSET)
        model = self._onnx.helper.make_model(
            graph, opset_imports=[opset], ir_version=_IR_VERSION, producer_name="agar"
        )
        return model.SerializeToString(), weights

    def _distinct(self, results: list[Output]) -> list[Output]:
        """Outputs of nodes, each of them once."""
        outputs: list[Output] = []
        for result in results:
            if result.name not in self._shapes or result in outputs:
                result = self._add("Identity", [result], result.shape)
            outputs.append(result)
        return outputs

    def _info(self, output: Output) -> Any:
        kind = self._onnx.TensorProto.FLOAT
        return self._onnx.helper.make_tensor_value_info(output.name, kind, output.shape)

    def _initializer(self, name: str, t: torch.Tensor) -> Any:
        numbers = self._onnx.TensorProto
        kind = numbers.INT64 if t.dtype is torch.int64 else numbers.FLOAT
        result = numbers(name=name, dims=list(t.shape), data_type=kind)
        if t.numel() <= _SMALL:
            result.raw_data = numpy_of(t).tobytes()
        else:
            result.data_location = numbers.EXTERNAL
            result.external_data.add(key="location", value="memory")
        return result

    def _add(
        self, kind: str, taken: Sequence[Output | None], shape: Sequence[int], **attributes: Any
    ) -> Output:
        return self._add_all(kind, taken, [shape], **attributes)[0]

    def _add_all(
        self,
        kind: str,
        taken: Sequence[Output | None],
        shapes: Sequence[Sequence[int]],
        **attributes: Any,
    ) -> list[Output]:
        outputs = [Output(f"v{len(self._shapes) + i}", tuple(s)) for i, s in enumerate(shapes)]
        names = ["" if x is None else x.name for x in taken]
        targets = [output.name for output in outputs]
        self._nodes.append(self._onnx.helper.make_node(kind, names, targets, **attributes))
        self._shapes.update(outputs)
        return outputs

    def _held(self, t: torch.Tensor) -> Output:
        output = Output(f"w{len(self._tensors)}", tuple(t.shape))
        self._tensors[output.name] = t
        return output

    def _constant(self, block: torch.Tensor) -> Output:
        return self._held(block)

    def _integers(self, values: Sequence[int]) -> Output:
        key = tuple(values)
        if key not in self._numbers:
            self._numbers[key] = self._held(torch.tensor(key, dtype=torch.int64))
        return self._numbers[key]

    def scalar(self, value: float) -> Output:
        return self._held(torch.tensor(value, dtype=torch.float32))

    def parameter(self, shape: Sequence[int]) -> Output:
        output = Output(f"x{self._parameters}", tuple(shape))
        self._parameters += 1
        return output

    # --------------------------------------------------------------------------- element by element

    def elementwise(self, name: str, *taken: Output) -> Output:
        shape = np.broadcast_shapes(*[x.shape for x in taken])
        if name in ("sigmoid", "silu"):
            # its own Sigmoid is never less than 1e-8
            below = self._add("Exp", [self._add("Neg", taken, shape)], shape)
            below = self._add("Add", [below, self.scalar(1.0)], shape)
            if name == "sigmoid":
                return self._add("Reciprocal", [below], shape)
            return self._add("Div", [*taken, below], shape)
        if name == "hardsigmoid":
            return self._add("HardSigmoid", taken, shape, alpha=1 / 6, beta=0.5)
        if name in ("gelu", "gelu_tanh"):
            mode = "tanh" if name == "gelu_tanh" else "none"
            return self._add("Gelu", taken, shape, approximate=mode)
        return self._add(_ELEMENTWISE[name], taken, shape)

    def leaky_relu(self, x: Output, slope: float) -> Output:
        return self._add("LeakyRelu", [x], x.shape, alpha=slope)

    def clamp(self, x: Output, low: float, high: float) -> Output:
        return self._add("Clip", [x, self.scalar(low), self.scalar(high)], x.shape)

    # ------------------------------------------------------------------ convolutions and products

    def convolution(
        self,
        x: Output,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        window: Window,
        groups: int,
        output_padding: list[int] | None = None,
    ) -> Output:
        taken = [x, self.constant(weight)] + ([] if bias is None else [self.constant(bias)])
        settings: dict[str, Any] = {
            "kernel_shape": window.kernel,
            "strides": window.stride,
            "dilations": window.dilation,
            "pads": [*window.padding, *window.padding],
            "group": groups,
        }
        sizes = x.shape[2:]
        if output_padding is None:
            shape = (x.shape[0], weight.shape[0], *_windows(sizes, window))
            return self._add("Conv", taken, shape, **settings)
        transposed = [
            (n - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1 + extra
            for n, kernel, stride, padding, dilation, extra in zip(
                sizes, *window, output_padding, strict=True
            )
        ]
        if any(e >= s for e, s in zip(output_padding, window.stride, strict=True)):
            raise Untranslatable("padding of the output beyond the stride")
        channels = weight.shape[1] * groups
        settings["output_padding"] = output_padding
        return self._add("ConvTranspose", taken, (x.shape[0], channels, *transposed), **settings)

    def matmul(
        self, x: Output, y: Output, transpose: bool = False, bias: Output | None = None
    ) -> Output:
        columns = y.shape[-2 if transpose else -1]
        if len(x.shape) == len(y.shape) == 2:
            taken = [x, y] + ([] if bias is None else [bias])
            return self._add("Gemm", taken, (x.shape[0], columns), transB=int(transpose))
        if transpose:
            last = len(y.shape) - 1
            y = self.permute(y, [*range(last - 1), last, last - 1])
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        node = self._add("MatMul", [x, y], (*batch, x.shape[-2], columns))
        return node if bias is None else self.elementwise("add", node, bias)

    def lstm(
        self, x: Output, weights: Sequence[torch.Tensor], h: Output, c: Output, reverse: bool
    ) -> list[Output]:
        steps, batch, _ = x.shape
        one, two, *biases = (in_order(t, (0, 3, 1, 2))[None] for t in weights)
        units = two.shape[-1]
        constants = [self.constant(t) for t in (one, two, torch.cat(biases, 1))]
        every, *states = self._add_all(
            "LSTM",
            [x, *constants, None, *(self.reshape(state, (1, batch, units)) for state in (h, c))],
            [(steps, 1, batch, units), (1, batch, units), (1, batch, units)],
            hidden_size=units,
            direction="reverse" if reverse else "forward",
        )
        results = [self.reshape(state, (batch, units)) for state in states]
        return [self.reshape(every, (steps, batch, units)), *results]

    # ----------------------------------------------------------- normalization, pooling, reductions

    def layer_norm(
        self,
        x: Output,
        dims: list[int],
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Output:
        if self._centered:
            x = self.elementwise("sub", x, self.reduce("mean", x, dims, True))
        shape = [x.shape[d] for d in dims]
        taken = [x, self.constant(torch.ones(shape) if weight is None else weight)]
        taken += [] if bias is None else [self.constant(bias)]
        return self._add("LayerNormalization", taken, x.shape, axis=dims[0], epsilon=eps)

    def group_norm(
        self,
        x: Output,
        groups: int,
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Output:
        # more exact than InstanceNormalization
        parts = self.reshape(x, (x.shape[0], groups, math.prod(x.shape[1:]) // groups))
        node = self.reshape(self.layer_norm(parts, [2], None, None, eps), x.shape)
        wide = (1, -1, *(1,) * (len(x.shape) - 2))
        if weight is not None:
            node = self.elementwise("mul", node, self.constant(weight.reshape(wide)))
        if bias is not None:
            node = self.elementwise("add", node, self.constant(bias.reshape(wide)))
        return node

    def softmax(self, x: Output, dim: int, log: bool = False) -> Output:
        return self._add("LogSoftmax" if log else "Softmax", [x], x.shape, axis=dim)

    def max_pool(self, x: Output, window: Window, ceil: bool) -> Output:
        """Torch's windows, by as much padding behind as they need."""
        shape = _windows(x.shape[2:], window, ceil)
        ends = [
            max((count - 1) * stride + dilation * (kernel - 1) + 1 - n - padding, 0)
            for n, count, kernel, stride, padding, dilation in zip(
                x.shape[2:], shape, *window, strict=True
            )
        ]
        pads = [*window.padding, *ends]
        if any(p >= k for p, k in zip(pads, window.kernel * 2, strict=True)):
            raise Untranslatable("a pooling with more padding than a window has")
        return self._add(
            "MaxPool",
            [x],
            (*x.shape[:2], *shape),
            kernel_shape=window.kernel,
            strides=window.stride,
            dilations=window.dilation,
            pads=pads,
        )

    def avg_pool(self, x: Output, window: Window, count_padding: bool) -> Output:
        return self._add(
            "AveragePool",
            [x],
            (*x.shape[:2], *_windows(x.shape[2:], window)),
            kernel_shape=window.kernel,
            strides=window.stride,
            pads=[*window.padding, *window.padding],
            count_include_pad=int(count_padding),
        )

    def reduce(self, name: str, x: Output, dims: list[int], keep: bool) -> Output:
        kind = {"mean": "ReduceMean", "sum": "ReduceSum", "amax": "ReduceMax"}[name]
        shape = [1 if d in dims else n for d, n in enumerate(x.shape) if keep or d not in dims]
        return self._add(kind, [x, self._integers(dims)], shape, keepdims=int(keep))

    # --------------------------------------------------------------------------------------- shapes

    def reshape(self, x: Output, shape: Sequence[int]) -> Output:
        return self._add("Reshape", [x, self._integers(shape)], shape)

    def permute(self, x: Output, order: Sequence[int]) -> Output:
        return self._add("Transpose", [x], [x.shape[d] for d in order], perm=list(order))

    def expand(self, x: Output, shape: Sequence[int]) -> Output:
        return self._add("Expand", [x, self._integers(shape)], shape)

    def cat(self, parts: list[Output], dim: int) -> Output:
        shape = list(parts[0].shape)
        shape[dim] = sum(part.shape[dim] for part in parts)
        return self._add("Concat", parts, shape, axis=dim)

    def split(self, x: Output, dim: int, sizes: list[int]) -> list[Output]:
        shapes = [(*x.shape[:dim], n, *x.shape[dim + 1 :]) for n in sizes]
        return self._add_all("Split", [x, self._integers(sizes)], shapes, axis=dim)

    def slice(self, x: Output, dim: int, start: int, end: int, step: int) -> Output:
        ends = [self._integers([n]) for n in (start, end, dim, step)]
        shape = list(x.shape)
        shape[dim] = len(range(start, end, step))
        return self._add("Slice", [x, *ends], shape)

    def pad(self, x: Output, begin: list[int], end: list[int], value: float) -> Output:
        shape = [b + n + e for b, n, e in zip(begin, x.shape, end, strict=True)]
        return self._add("Pad", [x, self._integers([*begin, *end]), self.scalar(value)], shape)

    def pixel_shuffle(self, x: Output, factor: int) -> Output:
        n, channels, height, width = x.shape
        shape = (n, channels // factor**2, height * factor, width * factor)
        return self._add("DepthToSpace", [x], shape, blocksize=factor, mode="CRD")


def _windows(sizes: Sequence[int], window: Window, ceil: bool = False) -> list[int]:
    """How many windows torch has along each dimension of a picture of these sizes."""
    counts: list[int] = []
    for n, kernel, stride, padding, dilation in zip(sizes, *window, strict=True):
        room = n + 2 * padding - dilation * (kernel - 1) - 1
        count = (room + (stride - 1 if ceil else 0)) // stride + 1
        # the last one begins inside of the picture
        counts.append(count - 1 if ceil and (count - 1) * stride >= n + padding else count)
    return counts
