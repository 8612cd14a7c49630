"""ATen operators as nodes of an engine's model, with how large their results can become.

NOTE Bounds. Engines' kernels hide NaN (OpenVINO's ReLU makes 0 of it), so a network that has
diverged would look healthy. They are exact but for rounding where every number is finite. So each
value has a bound of its absolute value, worked out from bounds of the inputs and from the weights:
1e9 for inputs, at most 1e36 anywhere. A call with an input beyond its bound is not the engine's
(see engine_model.py). In deep networks bounds grow beyond all numbers that arise; there a value is
witnessed: its largest absolute value is one more result of the model, and a call where that is
beyond 1e6 is run again without the model.

NOTE What is not here. Operators that raise for some contents (indices out of range), whole numbers
(OpenVINO computes int64 in int32), random numbers, divisions by what may be 0; erf and ELU, which
lose the last half of a small number's digits in OpenVINO. They stay torch's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.autotune.verify import largest
from agar._core.graph.backends.engine import Nodes, Untranslatable, Window
from agar._core.graph.ir.graph import Meta, Op, map_refs
from agar._core.graph.passes.memory import named_arguments

__all__ = ["ASSUMED", "HEAVY", "TABLE", "WITNESSED", "Builder", "Value"]

aten = torch.ops.aten

#: The bound of inputs, that of witnessed values, and that of everything else.
ASSUMED, WITNESSED, LARGEST = 1e9, 1e6, 1e36
#: Beyond this the square of a value is not far from infinity.
_SQUARED = 1e15
_EXPONENT = 60.0
#: Engines add numbers one after the other, torch in halves: of more than these, digits are lost.
_SUMMED = 1 << 14


class Value:
    """A float32 tensor inside of the model.

    Attributes:
        node: the output of a node.
        bound: no absolute value in it is larger.
        positive: whether nothing in it is negative.
        computed: whether it comes from a convolution or product. Others may be the memory of an
            input for an engine, which writes there where they are results.
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
    """A model that is being made, with bounds of its values.

    Args:
        nodes: the model, without nodes.

    Attributes:
        nodes: it.
        parameters: its inputs.
        witnessed: the largest absolute values that the model tells besides its results.
        lines: the operations that were translated, for people.
    """

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.parameters: list[Any] = []
        self.witnessed: list[Any] = []
        self.lines: list[str] = []
        self._bounds: dict[int, tuple[torch.Tensor, float]] = {}

    def parameter(self, shape: Sequence[int], order: Sequence[int] | None) -> Value:
        """An input, whose dimensions come in another order in memory unless that is None."""
        node = self.nodes.parameter([shape[d] for d in order or range(len(shape))])
        self.parameters.append(node)
        if order is not None:
            node = self.nodes.permute(node, _inverse(order))
        return Value(node, ASSUMED)

    def result(self, value: Value, order: Sequence[int] | None) -> Any:
        """The node of an output, whose dimensions go into memory in that order."""
        return value.node if order is None else self.nodes.permute(value.node, order)

    def finite(self, value: Any) -> float:
        if type(value) not in (int, float, bool) or not abs(value) <= LARGEST:
            raise Untranslatable(f"the number {value!r} is not fixed, or too large")
        return float(value)

    def scalar(self, value: Any) -> Any:
        """A constant number, of float32 as torch takes it beside such a tensor."""
        return self.nodes.scalar(self.finite(value))

    def node(self, x: Any) -> Any:
        """The node of a value or constant."""
        return x.node if isinstance(x, Value) else self.nodes.constant(tensor_of(x))

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
            node: it.
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
        return Value(node, size, positive, any(x.computed for x in values))

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
        size = x.node if x.positive else self.nodes.elementwise("abs", x.node)
        dims = list(range(len(x.shape)))
        self.witnessed.append(self.nodes.reduce("amax", size, dims, False) if dims else size)
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
HEAVY = frozenset(
    {
        aten.convolution.default,
        aten.addmm.default,
        aten.mm.default,
        aten.bmm.default,
        aten.mkldnn_rnn_layer.default,
    }
)


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
    bias = None if a["bias"] is None else _weight(a["bias"])
    window = Window(list(weight.shape[2:]), stride, padding, dilation)
    more = extra if a["transposed"] else None
    node = b.nodes.convolution(x.node, weight, bias, window, groups, more)
    shift = 0.0 if bias is None else b.bound(bias)
    result = b.value(node, lambda: x.bound * reach + shift, x)
    result.computed = True
    return result


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
    shape = (1, -1, *(1,) * (len(x.shape) - 2))
    return [_affine(b, x, factor.float().reshape(shape), shift.float().reshape(shape))]


def _product(b: Builder, left: Any, right: Any, bias: Any = None) -> Value:
    """A matrix product of values, or of a value and a constant, and what is added to it."""

    def shift() -> float:
        return 0.0 if bias is None else b.bound(bias)

    if isinstance(right, torch.Tensor):
        weight = _weight(right)
        reach = float(weight.abs().sum(-2).max())
        x = _value(left)
        transpose = not weight.is_contiguous() and weight.mT.is_contiguous()
        other = b.nodes.constant(weight.mT if transpose else weight)
        node = b.nodes.matmul(x.node, other, transpose, None if bias is None else b.node(bias))
        result = b.value(node, lambda: x.bound * reach + shift(), x, bias)
    else:
        y = _value(right)
        count = y.shape[-2]
        node = b.nodes.matmul(b.node(left), y.node, bias=None if bias is None else b.node(bias))
        result = b.value(node, lambda: b.bound(left) * y.bound * count + shift(), left, y, bias)
    result.computed = True
    return result


@_rule("mm", "bmm")
def _mm(b: Builder, a: dict[str, Any]) -> Value:
    return _product(b, a["self"], a["mat2"])


@_rule("addmm")
def _addmm(b: Builder, a: dict[str, Any]) -> Value:
    _want(a["beta"] == 1 and a["alpha"] == 1, "a product with factors")
    return _product(b, a["mat1"], a["mat2"], a["self"])


@_rule("mkldnn_rnn_layer")
def _lstm(b: Builder, a: dict[str, Any]) -> list[Value]:
    _want(a["mode"] == 2 and not a["batch_sizes"] and not a["train"], "another recurrent layer")
    x, h, c = _value(a["input"]), a["hx_"], a["cx_"]
    weights = [_weight(a[f"weight{i}"]) for i in range(4)]
    steps = x.shape[0]
    reach = [float(w.abs().sum(1).max()) for w in weights[:2]]
    shift = b.bound(weights[2]) + b.bound(weights[3])
    every, *states = b.nodes.lstm(x.node, weights, b.node(h), b.node(c), bool(a["reverse"]))
    # the numbers inside, before they become shares; a state of the layer's own is at most 1
    result = b.value(
        every, lambda: x.bound * reach[0] + max(b.bound(h), 1.0) * reach[1] + shift, x, h
    )
    result.bound = 1.0
    result.computed = True
    cell = b.value(states[1], lambda: b.bound(c) + steps, c)
    cell.computed = True
    return [result, Value(states[0], 1.0, computed=True), cell]


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
    scores = b.nodes.matmul(query.node, key.node, True)
    if scale != 1.0:
        scores = b.nodes.elementwise("mul", scores, b.scalar(scale))
    if mask is not None:
        scores = b.nodes.elementwise("add", scores, _mask(b, mask))
    shares = b.nodes.softmax(scores, len(scores.shape) - 1)
    node = b.nodes.matmul(shares, value.node)
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
    return b.nodes.constant(mask)


# ------------------------------------------------------------------------------- element by element


def _sum(b: Builder, x: Any, y: Any) -> Value:
    node = b.nodes.elementwise("add", b.node(x), b.node(y))
    positive = all(isinstance(v, Value) and v.positive for v in (x, y))
    return b.value(node, lambda: b.bound(x) + b.bound(y), x, y, positive=positive)


def _scaled(b: Builder, x: Any, factor: Any) -> Any:
    if factor == 1:
        return x
    size = abs(b.finite(factor))
    node = b.nodes.elementwise("mul", b.node(x), b.scalar(factor))
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
    node = b.nodes.elementwise("sub", b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) + b.bound(y), x, y)


@_rule("rsub.Scalar")
def _rsub(b: Builder, a: dict[str, Any]) -> Value:
    return _sub(b, {"self": _operand(b, a["other"]), "other": a["self"], "alpha": a["alpha"]})


@_rule("mul.Tensor", "mul.Scalar")
def _mul(b: Builder, a: dict[str, Any]) -> Value:
    x, y = a["self"], _operand(b, a["other"])
    node = b.nodes.elementwise("mul", b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) * b.bound(y), x, y)


@_rule("div.Tensor", "div.Scalar")
def _div(b: Builder, a: dict[str, Any]) -> Value:
    x, y = a["self"], _operand(b, a["other"])
    least = float(_weight(y).abs().min())
    _want(least > 1e-30, "a division by what may be 0")
    node = b.nodes.elementwise("div", b.node(x), b.node(y))
    return b.value(node, lambda: b.bound(x) / least, x)


@_rule("neg")
def _neg(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return b.value(b.nodes.elementwise("neg", x.node), lambda: x.bound, x)


@_rule("abs")
def _abs(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    return b.value(b.nodes.elementwise("abs", x.node), lambda: x.bound, x, positive=True)


@_rule("exp")
def _exp(b: Builder, a: dict[str, Any]) -> Value:
    x = b.within(_value(a["self"]), _EXPONENT)
    return b.value(b.nodes.elementwise("exp", x.node), lambda: math.exp(x.bound), x, positive=True)


def _activation(name: str, most: float = math.inf, positive: bool = False) -> Any:
    def rule(b: Builder, a: dict[str, Any]) -> Value:
        x = _value(a["self"])
        node = b.nodes.elementwise(name, x.node)
        return b.value(node, lambda: min(x.bound, most), x, positive=positive)

    return rule


for _name, _most, _positive in (
    ("relu", math.inf, True),
    ("sigmoid", 1.0, True),
    ("tanh", 1.0, False),
    ("silu", math.inf, False),
    ("hardswish", math.inf, False),
    ("hardsigmoid", 1.0, True),
    ("mish", math.inf, False),
):
    _rule(_name)(_activation(_name, _most, _positive))


@_rule("gelu")
def _gelu(b: Builder, a: dict[str, Any]) -> Value:
    name = {"none": "gelu", "tanh": "gelu_tanh"}.get(a["approximate"])
    _want(name, "another approximation")
    return _activation(str(name))(b, a)


@_rule("leaky_relu")
def _leaky_relu(b: Builder, a: dict[str, Any]) -> Value:
    x, slope = _value(a["self"]), b.finite(a["negative_slope"])
    node = b.nodes.leaky_relu(x.node, slope)
    return b.value(node, lambda: x.bound * max(1.0, abs(slope)), x)


@_rule("hardtanh", "clamp")
def _clamp(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    low, high = (a.get(f"{end}_val", a.get(end)) for end in ("min", "max"))
    low = -LARGEST if low is None else b.finite(low)
    high = LARGEST if high is None else b.finite(high)
    _want(low <= high, "an empty range")
    node = b.nodes.clamp(x.node, low, high)
    size = max(abs(low), abs(high))
    return b.value(node, lambda: min(max(x.bound, -high, low), size), x, positive=low >= 0)


# --------------------------------------------------------------- normalization, pooling, reductions


@_rule("native_layer_norm")
def _layer_norm(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = b.within(_value(a["input"]), _SQUARED)
    _want(a["eps"] > 0, "a normalization without eps")
    rank = len(x.shape)
    dims = list(range(rank - len(a["normalized_shape"]), rank))
    weight, bias = (None if a[n] is None else _weight(a[n]) for n in ("weight", "bias"))
    node = b.nodes.layer_norm(x.node, dims, weight, bias, float(a["eps"]))
    most = _normalized(b, math.prod(a["normalized_shape"]), weight, bias)
    return [b.value(node, lambda: most, x)]


def _normalized(b: Builder, count: int, weight: Any, bias: Any) -> float:
    """How large the numbers of a normalization over so many can be."""
    factor = 1.0 if weight is None else b.bound(weight)
    return 2 * math.sqrt(count) * factor + (0.0 if bias is None else b.bound(bias))


def _affine(b: Builder, x: Value, weight: Any, bias: Any) -> Value:
    if weight is not None:
        x = _mul(b, {"self": x, "other": _weight(weight)})
    return x if bias is None else _sum(b, x, _weight(bias))


@_rule("native_group_norm")
def _group_norm(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = b.within(_value(a["input"]), _SQUARED)
    _want(a["eps"] > 0, "a normalization without eps")
    weight, bias = (None if a[n] is None else _weight(a[n]) for n in ("weight", "bias"))
    node = b.nodes.group_norm(x.node, a["group"], weight, bias, float(a["eps"]))
    most = _normalized(b, a["C"] // a["group"] * a["HxW"], weight, bias)
    return [b.value(node, lambda: most, x)]


@_rule("_softmax")
def _softmax(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(not a["half_to_float"], "another dtype")
    return b.value(b.nodes.softmax(x.node, a["dim"] % len(x.shape)), lambda: 1.0, x, positive=True)


@_rule("_log_softmax")
def _log_softmax(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(not a["half_to_float"], "another dtype")
    node = b.nodes.softmax(x.node, a["dim"] % len(x.shape), log=True)
    return b.value(node, lambda: 2 * x.bound + 100.0, x)


@_rule("max_pool2d_with_indices", "max_pool3d_with_indices")
def _max_pool(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = _value(a["self"])
    rank = len(a["metas"][0].shape) - 2 if len(x.shape) > 3 else 0
    _want(rank in (2, 3) and len(x.shape) == rank + 2, "a pooling without a batch")
    kernel = _spread(a["kernel_size"], rank)
    stride = _spread(a["stride"], rank) if a["stride"] else kernel
    padding, dilation = (_spread(a[name], rank) for name in ("padding", "dilation"))
    window = Window(kernel, stride, padding, dilation)
    node = b.nodes.max_pool(x.node, window, bool(a["ceil_mode"]))
    return [b.value(node, lambda: x.bound, x, positive=x.positive)]


@_rule("avg_pool2d", "avg_pool3d")
def _avg_pool(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    rank = len(x.shape) - 2
    _want(rank in (2, 3), "a pooling without a batch")
    _want(not a["ceil_mode"] and a["divisor_override"] is None, "a pooling with options")
    kernel = _spread(a["kernel_size"], rank)
    stride = _spread(a["stride"], rank) if a["stride"] else kernel
    window = Window(kernel, stride, _spread(a["padding"], rank), [1] * rank)
    node = b.nodes.avg_pool(x.node, window, bool(a["count_include_pad"]))
    return b.value(node, lambda: x.bound, x, positive=x.positive)


@_rule("mean.dim")
def _mean(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, "mean", lambda count: 1)


@_rule("sum.dim_IntList")
def _total(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, "sum", lambda count: count)


@_rule("amax")
def _amax(b: Builder, a: dict[str, Any]) -> Value:
    return _reduced(b, a, "amax", lambda count: 1)


def _reduced(b: Builder, a: dict[str, Any], name: str, growth: Callable[[int], float]) -> Value:
    x = _value(a["self"])
    _want(a.get("dtype") in (None, torch.float32), "another dtype")
    dims = [d % len(x.shape) for d in a["dim"] or range(len(x.shape))]
    count = math.prod(x.shape[d] for d in dims)
    _want(name == "amax" or count <= _SUMMED, "a sum of very many numbers")
    node = b.nodes.reduce(name, x.node, dims, bool(a["keepdim"]))
    return b.value(node, lambda: x.bound * growth(count), x, positive=x.positive)


@_rule("_adaptive_avg_pool2d")
def _adaptive_avg_pool(b: Builder, a: dict[str, Any]) -> Value:
    _want(list(a["output_size"]) == [1, 1], "windows of several sizes")
    return _mean(b, {"self": a["self"], "dim": [-2, -1], "keepdim": True})


# ------------------------------------------------------------------------------------------- shapes


def _moved(x: Value, node: Any) -> Value:
    """The same numbers at other places."""
    return Value(node, x.bound, x.positive, x.computed)


@_rule(
    *("view", "_unsafe_view", "reshape", "unsqueeze"),
    *("squeeze", "squeeze.dim", "squeeze.dims"),
)
def _reshaped(b: Builder, a: dict[str, Any]) -> Value:
    x, meta = _value(a["self"]), a["metas"][0]
    if x.shape == meta.shape:
        return x
    return _moved(x, b.nodes.reshape(x.node, meta.shape))


@_rule("clone", "_to_copy", "contiguous")
def _same(b: Builder, a: dict[str, Any]) -> Value:
    return _value(a["self"])


def _transposed(b: Builder, x: Value, order: Sequence[int]) -> Value:
    if list(order) == list(range(len(order))):
        return x
    return _moved(x, b.nodes.permute(x.node, order))


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
    return _moved(x, b.nodes.expand(x.node, meta.shape))


@_rule("cat")
def _cat(b: Builder, a: dict[str, Any]) -> Value:
    parts = a["tensors"]
    rank = len(a["metas"][0].shape)
    _want(all(len(p.shape) == rank for p in parts), "tensors of several ranks")
    node = b.nodes.cat([b.node(p) for p in parts], a["dim"] % rank)
    positive = all(isinstance(p, Value) and p.positive for p in parts)
    return b.value(node, lambda: max(map(b.bound, parts)), *parts, positive=positive)


@_rule("stack")
def _stack(b: Builder, a: dict[str, Any]) -> Value:
    shape = list(a["metas"][0].shape)
    dim = a["dim"] % len(shape)
    shape[dim] = 1
    nodes = [b.nodes.reshape(b.node(p), shape) for p in a["tensors"]]
    return b.value(b.nodes.cat(nodes, dim), lambda: max(map(b.bound, a["tensors"])), *a["tensors"])


@_rule("split.Tensor", "split_with_sizes")
def _split(b: Builder, a: dict[str, Any]) -> list[Value]:
    x = _value(a["self"])
    dim = a["dim"] % len(x.shape)
    sizes = [meta.shape[dim] for meta in a["metas"] if meta is not None]
    _want(sum(sizes) == x.shape[dim], "pieces without a name")
    if len(sizes) == 1:
        return [x]
    return [_moved(x, node) for node in b.nodes.split(x.node, dim, sizes)]


def _sliced(b: Builder, x: Value, dim: int, start: int, end: int, step: int) -> Value:
    return _moved(x, b.nodes.slice(x.node, dim, start, end, step))


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
    node = b.nodes.pad(x.node, begin, end, value)
    return b.value(node, lambda: max(x.bound, abs(value)), x)


@_rule("pixel_shuffle")
def _pixel_shuffle(b: Builder, a: dict[str, Any]) -> Value:
    x = _value(a["self"])
    _want(len(x.shape) == 4, "a picture without a batch")
    return _moved(x, b.nodes.pixel_shuffle(x.node, a["upscale_factor"]))
