"""ATen operators as nodes of an OpenVINO model, with how large their results can become.

NOTE Bounds. OpenVINO's kernels hide NaN (its ReLU makes 0 of it), so a network that has diverged
would look healthy. They are exact but for rounding where every number is finite. So each value has
a bound of its absolute value, worked out from bounds of the inputs and from the weights: 1e9 for
inputs, at most 1e36 anywhere. A call with an input beyond its bound is not OpenVINO's (see
openvino.py). In deep networks bounds grow beyond all numbers that arise; there a value is
witnessed: its largest absolute value is one more result of the model, and a call where that is
beyond 1e6 is run again without OpenVINO.

NOTE What is not here. Operators that raise for some contents (indices out of range), whole numbers
(OpenVINO computes int64 in int32), random numbers, divisions by what may be 0; erf and ELU, which
lose the last half of a small number's digits there. They stay torch's.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from agar._core.graph.autotune.verify import largest
from agar._core.graph.ir.graph import Meta, Op, map_refs
from agar._core.graph.passes.memory import named_arguments

__all__ = ["ASSUMED", "HEAVY", "TABLE", "WITNESSED", "Builder", "Untranslatable", "Value"]

aten = torch.ops.aten

#: The bound of inputs, that of witnessed values, and that of everything else.
ASSUMED, WITNESSED, LARGEST = 1e9, 1e6, 1e36
#: Beyond this the square of a value is not far from infinity.
_SQUARED = 1e15
_EXPONENT = 60.0


class Untranslatable(Exception):
    """An operation that the model cannot have; the text says why, for people."""


class Value:
    """A float32 tensor inside of the model.

    Attributes:
        node: the output of a node.
        bound: no absolute value in it is larger.
        positive: whether nothing in it is negative.
        computed: whether it comes from a convolution or product. Others may be the memory of an
            input for OpenVINO, which writes there where they are results.
    """

    __slots__ = ("bound", "computed", "node", "positive")

    def __init__(
        self, node: Any, bound: float, positive: bool = False, computed: bool = False
    ) -> None:
        self.node = node
        self.bound = bound
        self.positive = positive
        self.computed = computed

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.node.shape)


class Builder:
    """Nodes of a model that is being made.

    Attributes:
        parameters: its inputs.
        witnessed: the largest absolute values that the model tells besides its results.
        lines: the operations that were translated, for people.
    """

    def __init__(self) -> None:
        self.opset = importlib.import_module("openvino.opset15")
        self.parameters: list[Any] = []
        self.witnessed: list[Any] = []
        self.lines: list[str] = []
        self._constants: dict[int, tuple[torch.Tensor, Any]] = {}
        self._addresses: set[int] = set()
        self._bounds: dict[int, tuple[torch.Tensor, float]] = {}

    def parameter(self, shape: Sequence[int], order: Sequence[int] | None) -> Value:
        """An input, whose dimensions come in another order in memory unless that is None."""
        parameter = self.opset.parameter([shape[d] for d in order or range(len(shape))], np.float32)
        self.parameters.append(parameter)
        node = parameter.output(0)
        if order is not None:
            node = self.opset.transpose(node, self.numbers(_inverse(order))).output(0)
        return Value(node, ASSUMED)

    def result(self, value: Value, order: Sequence[int] | None) -> Any:
        """A node for an output."""
        node = value.node
        if order is not None:
            node = self.opset.transpose(node, self.numbers(order)).output(0)
        return self.opset.result(node)

    def numbers(self, values: Sequence[int]) -> Any:
        """A constant vector of whole numbers."""
        return self.opset.constant(list(values), np.int64)

    def scalar(self, value: Any) -> Any:
        """A constant number, of float32 as torch takes it beside such a tensor."""
        return self.opset.constant(self.finite(value), np.float32)

    def finite(self, value: Any) -> float:
        if type(value) not in (int, float, bool) or not abs(value) <= LARGEST:
            raise Untranslatable(f"the number {value!r} is not fixed, or too large")
        return float(value)

    def constant(self, t: torch.Tensor) -> Any:
        """A node for a tensor that does not change, whose memory it shares where it can."""
        known = self._constants.get(id(t))
        if known is None:
            if t.dtype is not torch.float32:
                raise Untranslatable(f"a constant is of {t.dtype}")
            block = t.detach().contiguous()
            if block.data_ptr() in self._addresses:
                block = block.clone()  # OpenVINO takes weights at one address for the same
            self._addresses.add(block.data_ptr())
            constant = self.opset.constant(block.numpy(), shared_memory=True)
            known = self._constants[id(t)] = (t, constant.output(0))
        return known[1]

    def node(self, x: Any) -> Any:
        """The node of a value or constant."""
        return x.node if isinstance(x, Value) else self.constant(tensor_of(x))

    def bound(self, x: Any) -> float:
        """No absolute value of `x` is larger."""
        if isinstance(x, Value):
            return x.bound
        t = tensor_of(x)
        known = self._bounds.get(id(t))
        if known is None:
            if not t.is_floating_point():
                raise Untranslatable(f"a constant is of {t.dtype}")
            known = self._bounds[id(t)] = (t, largest(t))
        return known[1]

    def value(
        self, node: Any, bound: Callable[[], float], *taken: Any, positive: bool = False
    ) -> Value:
        """The value of a new node.

        Args:
            node: it, with one output.
            bound: how large it can become, by the bounds of what it takes.
            taken: what that is; where the bound is too large they are witnessed.
            positive: whether nothing in it is negative. Default: False.
        """
        size = bound()
        values = [x for x in taken if isinstance(x, Value)]
        for x in sorted(values, key=lambda x: x.bound, reverse=True):
            if size <= LARGEST:
                break
            self.witness(x)
            size = bound()
        if not size <= LARGEST:
            raise Untranslatable(f"numbers may grow to {size:.2g}, or a weight is not finite")
        return Value(_output(node), size, positive, any(x.computed for x in values))

    def within(self, x: Value, limit: float) -> Value:
        """The value, which must not be larger than a number; witnessed if that helps."""
        if x.bound > limit:
            self.witness(x)
        if x.bound > limit:
            raise Untranslatable(f"numbers may grow to {x.bound:.2g}")
        return x

    def witness(self, x: Any) -> None:
        """Have the model tell how large a value was."""
        if not isinstance(x, Value) or x.bound <= WITNESSED:
            return
        size = x.node if x.positive else self.opset.absolute(x.node).output(0)
        axes = self.numbers(range(len(x.shape)))
        self.witnessed.append(self.opset.reduce_max(size, axes, False) if x.shape else size)
        x.bound = WITNESSED

    def translate(self, op: Op, env: dict[int, Any], metas: dict[int, Meta]) -> dict[int, Value]:
        """The values of an operation.

        Args:
            op: what is translated.
            env: values and constant tensors by variable.
            metas: metadata by variable.

        Raises:
            Untranslatable: there is no node that does the same.
        """
        rule = TABLE.get(op.func)
        if rule is None:
            raise Untranslatable(f"{op.name} is not translated")
        named = {k: map_refs(v, lambda ref: env[ref.i]) for k, v in named_arguments(op).items()}
        named["metas"] = [None if o is None else metas.get(o) for o in op.outs]
        outputs = rule(self, named)
        results: dict[int, Value] = {}
        for o, value in zip(
            op.outs, outputs if isinstance(outputs, list) else [outputs], strict=False
        ):
            if o is None:
                continue
            if value.shape != metas[o].shape:
                raise Untranslatable(f"{op.name} gives {list(value.shape)}, not {metas[o]}")
            results[o] = value
        self.lines.append(f"v{op.outs[0]} = {op.name}: {list(metas[op.outs[0] or 0].shape)}")
        return results


def _output(node: Any) -> Any:
    """The first output of a node; an output as it is."""
    return node.output(0) if hasattr(node, "output") else node


def tensor_of(x: Any) -> torch.Tensor:
    if not isinstance(x, torch.Tensor):
        raise Untranslatable("an operand is not a tensor")
    return x


def _value(x: Any) -> Value:
    if not isinstance(x, Value):
        raise Untranslatable("an operand is a constant")
    return x


def _weight(x: Any) -> torch.Tensor:
    if not isinstance(x, torch.Tensor) or x.dtype is not torch.float32:
        raise Untranslatable("a weight is not a constant of float32")
    return x.detach()


def _want(condition: Any, reason: str) -> None:
    if not condition:
        raise Untranslatable(reason)


def _inverse(order: Sequence[int]) -> list[int]:
    return [list(order).index(d) for d in range(len(order))]


def _spread(numbers: Any, count: int) -> list[int]:
    """A number for each dimension."""
    values = [int(n) for n in ([numbers] if isinstance(numbers, int) else numbers)]
    return values * count if len(values) == 1 else values


#: The rule of each operator: ``rule(builder, arguments by name) -> Value or list of them``.
TABLE: dict[Any, Callable[[Builder, dict[str, Any]], Any]] = {}
#: Operators for whose sake a model is worth it.
HEAVY = frozenset({aten.convolution.default, aten.addmm.default, aten.mm.default, aten.bmm.default})


def _rule(*names: str) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        for entry in names:
            name, _, overload = entry.partition(".")
            func = getattr(getattr(aten, name, None), overload or "default", None)
            if func is not None:
                TABLE[func] = function
        return function

    return add


# --------------------------------------------------------------------- convolutions and products


def _per_channel(b: Builder, x: Value, factor: Any, shift: Any) -> Value:
    """``x * factor + shift``, vectors over the channels, either of them None."""
    shape = (1, -1, *(1,) * (len(x.shape) - 2))
    if factor is not None:
        wide = factor.reshape(shape)
        node = b.opset.multiply(x.node, b.constant(wide))
        before = x
        x = b.value(node, lambda: before.bound * b.bound(wide), before)
    if shift is not None:
        added = shift.reshape(shape)
        node = b.opset.add(x.node, b.constant(added))
        source = x
        x = b.value(node, lambda: source.bound + b.bound(added), source)
    return x


def _reach(weight: torch.Tensor, groups: int, transposed: bool) -> float:
    """How much larger than its input a convolution's result can be."""
    if not transposed:
        return float(weight.abs().flatten(1).sum(1).max())
    shape = (groups, weight.shape[0] // groups, weight.shape[1], -1)
    return float(weight.abs().reshape(shape).sum((1, 3)).max())


@_rule("convolution")
def _convolution(b: Builder, a: dict[str, Any]) -> Value:
    x, weight, groups = _value(a["input"]), _weight(a["weight"]), a["groups"]
    rank = weight.dim() - 2
    _want(1 <= rank <= 3 and len(x.shape) == rank + 2, "a convolution without a batch")
    stride, padding, dilation, extra = (
        _spread(a[name], rank) for name in ("stride", "padding", "dilation", "output_padding")
    )
    reach = _reach(weight, groups, a["transposed"])
    if groups != 1:
        shape = (groups, weight.shape[0] // groups, *weight.shape[1:])
        weight = weight.reshape(shape)
    w = b.constant(weight)
    if a["transposed"]:
        make = b.opset.convolution_backprop_data
        if groups != 1:
            make = b.opset.group_convolution_backprop_data
        node = make(
            x.node,
            w,
            strides=stride,
            pads_begin=padding,
            pads_end=padding,
            dilations=dilation,
            output_padding=extra,
        )
    else:
        make = b.opset.convolution if groups == 1 else b.opset.group_convolution
        node = make(x.node, w, stride, padding, padding, dilation)
    result = b.value(node, lambda: x.bound * reach, x)
    result.computed = True
    return result if a["bias"] is None else _per_channel(b, result, None, _weight(a["bias"]))


@_rule("native_batch_norm", "_native_batch_norm_legit_no_training")
def _batch_norm(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = _value(a["input"])
    _want(not a.get("training") and len(x.shape) >= 2, "batch statistics")
    mean, var = (_weight(a[name]).double() for name in ("running_mean", "running_var"))
    factor = torch.rsqrt(var + a["eps"])
    if a["weight"] is not None:
        factor = factor * _weight(a["weight"]).double()
    shift = -mean * factor
    if a["bias"] is not None:
        shift = shift + _weight(a["bias"]).double()
    return [_per_channel(b, x, factor.float(), shift.float())]


def _product(b: Builder, left: Any, right: Any) -> Value:
    """A matrix product of values, or of a value and a constant."""
    turned = False
    if isinstance(right, torch.Tensor):
        weight = _weight(right)
        reach = float(weight.abs().sum(-2).max())
        turned = not weight.is_contiguous() and weight.mT.is_contiguous()
        other = b.constant(weight.mT if turned else weight)
        x = _value(left)
        node = b.opset.matmul(x.node, other, False, turned)
        result = b.value(node, lambda: x.bound * reach, x)
    else:
        y = _value(right)
        count = y.shape[-2]
        node = b.opset.matmul(b.node(left), y.node, False, False)
        result = b.value(node, lambda: b.bound(left) * y.bound * count, left, y)
    result.computed = True
    return result


@_rule("mm", "bmm")
def _mm(b: Builder, a: dict[str, Any]) -> Value:
    return _product(b, a["self"], a["mat2"])


@_rule("addmm")
def _addmm(b: Builder, a: dict[str, Any]) -> Value:
    _want(a["beta"] == 1 and a["alpha"] == 1, "a product with factors")
    return _sum(b, _product(b, a["mat1"], a["mat2"]), a["self"])


@_rule("_scaled_dot_product_flash_attention_for_cpu")
def _attention(b: Builder, a: dict[str, Any]) -> list[Value]:
    query, key, value = (_value(a[name]) for name in ("query", "key", "value"))
    _want(a["dropout_p"] == 0.0, "dropout")
    width = query.shape[-1]
    scale = 1 / math.sqrt(width) if a["scale"] is None else b.finite(a["scale"])
    mask = a["attn_mask"]
    if a["is_causal"]:
        _want(mask is None, "two masks")
        mask = torch.full((query.shape[-2], key.shape[-2]), -math.inf).triu(1)
    for x in (query, key):
        b.within(x, 1e12)
    scores = b.opset.matmul(query.node, key.node, False, True).output(0)
    if scale != 1.0:
        scores = b.opset.multiply(scores, b.scalar(scale)).output(0)
    if mask is not None:
        scores = b.opset.add(scores, _mask(b, mask)).output(0)
    shares = b.opset.softmax(scores, -1).output(0)
    node = b.opset.matmul(shares, value.node, False, False)
    # shares may add up to a little more than 1
    result = b.value(node, lambda: 2 * value.bound, value)
    result.computed = True
    return [result]


def _mask(b: Builder, mask: Any) -> Any:
    """What is added to scores: minus infinity leaves an element out, but never a whole row."""
    if isinstance(mask, Value):
        return mask.node
    _want(mask.dtype is torch.float32, f"a mask of {mask.dtype}")
    finite = mask.isfinite()
    _want((finite | (mask == -math.inf)).all() and finite.any(-1).all(), "a row without a score")
    _want(largest(mask[finite]) <= LARGEST, "a mask with large numbers")
    return b.constant(mask)


# ------------------------------------------------------------------------------- element by element


def _sum(b: Builder, x: Any, y: Any) -> Value:
    node = b.opset.add(b.node(x), b.node(y))
    positive = all(isinstance(v, Value) and v.positive for v in (x, y))
    return b.value(node, lambda: b.bound(x) + b.bound(y), x, y, positive=positive)


def _scaled(b: Builder, x: Any, factor: Any) -> Any:
    if factor == 1:
        return x
    size = abs(b.finite(factor))
    node = b.opset.multiply(b.node(x), b.scalar(factor))
    return b.value(node, lambda: b.bound(x) * size, x)


def _operand(b: Builder, x: Any) -> Any:
    """A tensor operand, or a number as a constant."""
    if isinstance(x, (Value, torch.Tensor)):
        return x
    return torch.tensor(b.finite(x), dtype=torch.float32)


@_rule("add.Tensor", "add.Scalar")
def _add(b: Builder, a: dict[str, Any]) -> Value:
    return _sum(b, a["self"], _operand(b, _scaled_operand(b, a["other"], a["alpha"])))


def _scaled_operand(b: Builder, x: Any, factor: Any) -> Any:
    if isinstance(x, (Value, torch.Tensor)):
        return _scaled(b, x, factor)
    return b.finite(x) * b.finite(factor)


@_rule("sub.Tensor", "sub.Scalar")
def _sub(b: Builder, a: dict[str, Any]) -> Value:
    x, y = a["self"], _operand(b, _scaled_operand(b, a["other"], a["alpha"]))
    node = b.opset.subtract(b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) + b.bound(y), x, y)


@_rule("rsub.Scalar")
def _rsub(b: Builder, a: dict[str, Any]) -> Value:
    return _sub(b, {"self": _operand(b, a["other"]), "other": a["self"], "alpha": a["alpha"]})


@_rule("mul.Tensor", "mul.Scalar")
def _mul(b: Builder, a: dict[str, Any]) -> Value:
    x, y = a["self"], _operand(b, a["other"])
    node = b.opset.multiply(b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) * b.bound(y), x, y)


@_rule("div.Tensor", "div.Scalar")
def _div(b: Builder, a: dict[str, Any]) -> Value:
    x, y = a["self"], _operand(b, a["other"])
    least = float(_weight(y).abs().min())
    _want(least > 1e-30, "a division by what may be 0")
    node = b.opset.divide(b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) / least, x)


@_rule("neg")
def _neg(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return b.value(b.opset.negative(x.node), lambda: x.bound, x)


@_rule("abs")
def _abs(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return b.value(b.opset.absolute(x.node), lambda: x.bound, x, positive=True)


@_rule("exp")
def _exp(b: Builder, a: dict[str, Any]) -> Value:
    x = b.within(_value(a["self"]), _EXPONENT)
    return b.value(b.opset.exp(x.node), lambda: math.exp(x.bound), x, positive=True)


def _activation(name: str, most: float = math.inf, positive: bool = False) -> Any:
    def rule(b: Builder, a: dict[str, Any]) -> Value:
        x = _value(a["self"])
        node = getattr(b.opset, name)(x.node)
        return b.value(node, lambda: min(x.bound, most), x, positive=positive)

    return rule


for _name, _node, _most, _positive in (
    ("relu", "relu", math.inf, True),
    ("sigmoid", "sigmoid", 1.0, True),
    ("tanh", "tanh", 1.0, False),
    ("silu", "swish", math.inf, False),
    ("hardswish", "hswish", math.inf, False),
    ("hardsigmoid", "hsigmoid", 1.0, True),
    ("mish", "mish", math.inf, False),
):
    _rule(_name)(_activation(_node, _most, _positive))


@_rule("gelu")
def _gelu(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    mode = {"none": "erf", "tanh": "tanh"}.get(a["approximate"])
    _want(mode, "another approximation")
    return b.value(b.opset.gelu(x.node, mode), lambda: x.bound, x)


@_rule("leaky_relu")
def _leaky_relu(b: Builder, a: dict[str, Any]) -> Value:
    x, slope = _value(a["self"]), b.finite(a["negative_slope"])
    node = b.opset.prelu(x.node, b.opset.constant([slope], np.float32))
    return b.value(node, lambda: x.bound * max(1.0, abs(slope)), x)


@_rule("hardtanh", "clamp")
def _clamp(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    low, high = (a.get(f"{end}_val", a.get(end)) for end in ("min", "max"))
    low = -LARGEST if low is None else b.finite(low)
    high = LARGEST if high is None else b.finite(high)
    _want(low <= high, "an empty range")
    node = b.opset.clamp(x.node, low, high)
    size = max(abs(low), abs(high))
    return b.value(node, lambda: min(max(x.bound, -high, low), size), x, positive=low >= 0)


# --------------------------------------------------------------- normalization, pooling, reductions


@_rule("native_layer_norm")
def _layer_norm(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = b.within(_value(a["input"]), _SQUARED)
    _want(a["eps"] > 0, "a normalization without eps")
    rank = len(a["normalized_shape"])
    count = math.prod(a["normalized_shape"])
    axes = b.numbers(range(-rank, 0))
    node = b.opset.mvn(x.node, axes, True, float(a["eps"]), "INSIDE_SQRT")
    result = b.value(node, lambda: 2 * math.sqrt(count), x)
    return [_affine(b, result, a["weight"], a["bias"])]


def _affine(b: Builder, x: Value, weight: Any, bias: Any) -> Value:
    if weight is not None:
        x = _mul(b, {"self": x, "other": _weight(weight)})
    return x if bias is None else _sum(b, x, _weight(bias))


@_rule("native_group_norm")
def _group_norm(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = b.within(_value(a["input"]), _SQUARED)
    _want(a["eps"] > 0, "a normalization without eps")
    channels, groups = a["C"], a["group"]
    count = channels // groups * a["HxW"]
    weight = torch.ones(channels) if a["weight"] is None else _weight(a["weight"])
    bias = torch.zeros(channels) if a["bias"] is None else _weight(a["bias"])
    node = b.opset.group_normalization(
        x.node, b.constant(weight), b.constant(bias), groups, float(a["eps"])
    )
    most = 2 * math.sqrt(count) * largest(weight) + largest(bias)
    return [b.value(node, lambda: most, x)]


@_rule("_softmax")
def _softmax(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(not a["half_to_float"], "another dtype")
    return b.value(b.opset.softmax(x.node, a["dim"]), lambda: 1.0, x, positive=True)


@_rule("_log_softmax")
def _log_softmax(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(not a["half_to_float"], "another dtype")
    return b.value(b.opset.log_softmax(x.node, a["dim"]), lambda: 2 * x.bound + 100.0, x)


@_rule("max_pool2d_with_indices", "max_pool3d_with_indices")
def _max_pool(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = _value(a["self"])
    rank = len(a["metas"][0].shape) - 2 if len(x.shape) > 3 else 0
    _want(rank in (2, 3) and len(x.shape) == rank + 2, "a pooling without a batch")
    kernel = _spread(a["kernel_size"], rank)
    stride = _spread(a["stride"], rank) if a["stride"] else kernel
    padding, dilation = (_spread(a[name], rank) for name in ("padding", "dilation"))
    rounding = "ceil_torch" if a["ceil_mode"] else "floor"
    node = b.opset.max_pool(x.node, stride, dilation, padding, padding, kernel, rounding)
    return [b.value(node.output(0), lambda: x.bound, x, positive=x.positive)]


@_rule("avg_pool2d", "avg_pool3d")
def _avg_pool(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    rank = len(x.shape) - 2
    _want(rank in (2, 3), "a pooling without a batch")
    _want(not a["ceil_mode"] and a["divisor_override"] is None, "a pooling with options")
    kernel = _spread(a["kernel_size"], rank)
    stride = _spread(a["stride"], rank) if a["stride"] else kernel
    padding = _spread(a["padding"], rank)
    node = b.opset.avg_pool(
        x.node, stride, padding, padding, kernel, not a["count_include_pad"], "floor"
    )
    return b.value(node, lambda: x.bound, x, positive=x.positive)


@_rule("mean.dim")
def _mean(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, b.opset.reduce_mean, lambda count: 1)


@_rule("sum.dim_IntList")
def _total(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, b.opset.reduce_sum, lambda count: count)


@_rule("amax")
def _amax(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, b.opset.reduce_max, lambda count: 1)


def _reduced(b: Builder, a: dict[str, Any], make: Any, growth: Callable[[int], float]) -> Value:
    x = _value(a["self"])
    _want(a.get("dtype") in (None, torch.float32), "another dtype")
    dims = [d % len(x.shape) for d in a["dim"] or range(len(x.shape))]
    count = math.prod(x.shape[d] for d in dims)
    node = make(x.node, b.numbers(dims), bool(a["keepdim"]))
    return b.value(node, lambda: x.bound * growth(count), x, positive=x.positive)


@_rule("_adaptive_avg_pool2d")
def _adaptive_avg_pool(b: Builder, a: dict[str, Any]) -> Value:
    _want(list(a["output_size"]) == [1, 1], "windows of several sizes")
    return _mean(b, {"self": a["self"], "dim": [-2, -1], "keepdim": True})


# ------------------------------------------------------------------------------------------- shapes


def _moved(x: Value, node: Any) -> Value:
    """The same numbers at other places."""
    return Value(_output(node), x.bound, x.positive, x.computed)


@_rule(
    *("view", "_unsafe_view", "reshape", "unsqueeze"),
    *("squeeze", "squeeze.dim", "squeeze.dims"),
)
def _reshaped(b: Builder, a: dict[str, Any]) -> Value:
    x, meta = _value(a["self"]), a["metas"][0]
    if x.shape == meta.shape:
        return x
    return _moved(x, b.opset.reshape(x.node, b.numbers(meta.shape), False))


@_rule("clone", "_to_copy", "contiguous")
def _same(b: Builder, a: dict[str, Any]) -> Value:
    return _value(a["self"])


def _transposed(b: Builder, x: Value, order: Sequence[int]) -> Value:
    if list(order) == list(range(len(order))):
        return x
    return _moved(x, b.opset.transpose(x.node, b.numbers(order)))


@_rule("permute")
def _permute(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return _transposed(b, x, [d % len(x.shape) for d in a["dims"]])


@_rule("transpose.int")
def _transpose(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    order = list(range(len(x.shape)))
    if order:
        i, j = a["dim0"] % len(order), a["dim1"] % len(order)
        order[i], order[j] = order[j], order[i]
    return _transposed(b, x, order)


@_rule("t")
def _t(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return _transposed(b, x, list(range(len(x.shape)))[::-1])


@_rule("expand")
def _expand(b: Builder, a: dict[str, Any]) -> Value:
    x, meta = _value(a["self"]), a["metas"][0]
    return _moved(x, b.opset.broadcast(x.node, b.numbers(meta.shape)))


@_rule("cat")
def _cat(b: Builder, a: dict[str, Any]) -> Value:
    parts = a["tensors"]
    rank = len(a["metas"][0].shape)
    _want(all(len(p.shape) == rank for p in parts), "tensors of several ranks")
    node = b.opset.concat([b.node(p) for p in parts], a["dim"] % rank)
    positive = all(isinstance(p, Value) and p.positive for p in parts)
    return b.value(node, lambda: max(map(b.bound, parts)), *parts, positive=positive)


@_rule("split.Tensor", "split_with_sizes")
def _split(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = _value(a["self"])
    dim = a["dim"] % len(x.shape)
    sizes = [meta.shape[dim] for meta in a["metas"] if meta is not None]
    _want(sum(sizes) == x.shape[dim], "pieces without a name")
    if len(sizes) == 1:
        return [x]
    node = b.opset.variadic_split(x.node, b.opset.constant(dim, np.int64), b.numbers(sizes))
    return [_moved(x, node.output(i)) for i in range(len(sizes))]


def _sliced(b: Builder, x: Value, dim: int, start: int, end: int, step: int) -> Value:
    ends = [b.numbers([n]) for n in (start, end, step, dim)]
    return _moved(x, b.opset.slice(x.node, *ends))


@_rule("slice.Tensor")
def _slice(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(all(type(a[n]) in (int, type(None)) for n in ("start", "end", "step")), "other bounds")
    dim = a["dim"] % len(x.shape)
    start, end, step = slice(a["start"], a["end"], a["step"]).indices(x.shape[dim])
    if (start, end, step) == (0, x.shape[dim], 1):
        return x
    return _sliced(b, x, dim, start, end, step)


@_rule("select.int")
def _select(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(type(a["index"]) is int, "an index that is not fixed")
    dim = a["dim"] % len(x.shape)
    index = a["index"] % x.shape[dim]
    return _reshaped(b, {**a, "self": _sliced(b, x, dim, index, index + 1, 1)})


@_rule("constant_pad_nd")
def _pad(b: Builder, a: dict[str, Any]) -> Value:
    x, pads, value = _value(a["self"]), [int(p) for p in a["pad"]], b.finite(a["value"])
    _want(all(p >= 0 for p in pads), "padding that cuts")
    begin, end = [0] * len(x.shape), [0] * len(x.shape)
    for n in range(len(pads) // 2):
        begin[-1 - n], end[-1 - n] = pads[2 * n], pads[2 * n + 1]
    node = b.opset.pad(x.node, b.numbers(begin), b.numbers(end), "constant", b.scalar(value))
    return b.value(node, lambda: max(x.bound, abs(value)), x)


@_rule("pixel_shuffle")
def _pixel_shuffle(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(len(x.shape) == 4, "a picture without a batch")
    return _moved(x, b.opset.depth_to_space(x.node, "depth_first", a["upscale_factor"]))
