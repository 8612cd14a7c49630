"""A subgraph on its way to a prologue over its parameters and a body over its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import (
    Meta,
    Op,
    Ref,
    Subgraph,
    is_pure,
    mutates,
    outputs_of,
    used_by,
)
from agar._core.graph.passes.memory import (
    VIEWS,
    changed_families,
    channels_last_strides,
    is_aten,
    memory_families,
    named_arguments,
    onednn_takes,
    operator_names,
    shared_sources,
    size_in_bytes,
    strides_of,
)

__all__ = ["Division", "Kernel"]

aten = torch.ops.aten

_BATCH_NORMS = frozenset(
    {
        aten.native_batch_norm.default,
        aten._native_batch_norm_legit_no_training.default,
        aten._batch_norm_no_update.default,
        aten.cudnn_batch_norm.default,
        aten.miopen_batch_norm.default,
    }
)

#: Activations inside a kernel: the operator, and oneDNN's name, numbers and algorithm for it.
_ACTIVATIONS: dict[Any, Callable[[dict[str, Any]], tuple[str, list[Any], str]]] = {
    aten.gelu.default: lambda a: ("gelu", [], a["approximate"]),
    aten.tanh.default: lambda a: ("tanh", [], ""),
    aten.sigmoid.default: lambda a: ("sigmoid", [], ""),
    aten.hardswish.default: lambda a: ("hardswish", [], ""),
    aten.leaky_relu.default: lambda a: ("leaky_relu", [a["negative_slope"]], ""),
}


#: In-place operators that become plain ones where nothing else sees the memory.
_IN_PLACE = {
    getattr(aten, name + "_").default: getattr(aten, name).default
    for name in operator_names(
        "relu silu gelu sigmoid tanh hardtanh hardswish hardsigmoid leaky_relu elu mish clamp"
    )
} | {aten.add_.Tensor: aten.add.Tensor}

#: A constant may take this much memory, or twice that of what it is made from.
_SMALL_CONSTANT = 1 << 22


class Kernel:
    """A convolution or matrix product with constant weights, and what was joined with it.

    Attributes:
        op: the recorded call.
        x, weight, bias: its variables; weight and bias are replaced as layers are folded into them.
        tail: places of calls behind it that select or view its result.
        act: the activation behind it, or None.
        place: where it stands among the items of the body.
    """

    __slots__ = ("act", "bias", "op", "out", "place", "tail", "weight", "x")

    def __init__(self, op: Op, x: int, weight: int, bias: int | None, place: int) -> None:
        self.op = op
        self.x = x
        self.weight = weight
        self.bias = bias
        self.out: int = op.outs[0]  # type: ignore[assignment]
        self.tail: list[int] = []
        self.act: Op | None = None
        self.place = place

    @property
    def is_convolution(self) -> bool:
        return self.op.func is aten.convolution.default


# -------------------------------------------------------------------------------------- rewriting


class Division:
    """A subgraph on its way to a prologue and a body."""

    def __init__(self, subgraph: Subgraph, fuse: bool, timed: bool) -> None:
        self.subgraph = subgraph
        self.fuse = fuse
        self.timed = timed
        self.metas = {v: meta.but() for v, meta in subgraph.metas.items()}
        self.prologue: list[Op] = []
        self.ops = list(subgraph.ops)
        self.items: list[Op | Kernel | None] = []
        self.constant: set[int] = set(subgraph.captured)
        self.counts: dict[str, int] = {}
        self.family: dict[int, int] = {}
        self.frozen: set[int] = set()
        self.sliced: set[int] = set()  # results that were blocks and are views of larger ones now
        self.uses: dict[int, int] = {}
        self._derived: dict[Any, int] = {}
        seen = [*self.metas, *subgraph.ins, *subgraph.outs]
        seen += [o for op in subgraph.ops for o in op.outs if o is not None]
        self._next = max(seen, default=-1) + 1
        self._storage = max((m.storage for m in self.metas.values()), default=0) + 1

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def new(self, meta: Meta, storage: int | None = None) -> int:
        """A new variable with these metadata, in memory of its own unless a storage is given."""
        if storage is None:
            storage = self._storage
            self._storage += 1
        result = meta.but()
        result.storage = storage
        number = self._next
        self._next += 1
        self.metas[number] = result
        return number

    def is_frozen(self, op: Op) -> bool:
        """Whether a call touches memory that something writes to."""
        return any(
            self.family.get(v, v) in self.frozen
            for v in (*used_by(op), *(o for o in op.outs if o is not None))
        )

    # ------------------------------------------------------------------------- in-place operators

    def make_functional(self, family: dict[int, int]) -> None:
        """Rewrite in-place operators on memory that only one variable sees."""
        members: dict[int, int] = {}
        for head in family.values():
            members[head] = members.get(head, 0) + 1
        inputs = set(self.subgraph.ins)
        makers = {o: op for op in self.ops for o in outputs_of(op)}
        written: dict[int, list[Op]] = {}
        for op in self.ops:
            for v in mutates(op):
                written.setdefault(v, []).append(op)

        def rewritable(v: int, calls: list[Op]) -> bool:
            maker = makers.get(v)
            return (
                v not in inputs
                and members.get(family.get(v, v), 1) == 1
                and maker is not None
                and isinstance(maker.func, torch._ops.OpOverload)
                and all(self._has_plain_form(op, v) for op in calls)
            )

        todo = {v: len(calls) for v, calls in written.items() if rewritable(v, calls)}
        name = {v: self.new(self.metas[v]) for v in todo}  # the last value keeps the number
        ops: list[Op] = []
        for op in self.ops:
            taken = op.replaced(lambda ref: Ref(name.get(ref.i, ref.i))) if name else op
            outs = tuple(None if o is None else name.get(o, o) for o in op.outs)
            target = next((v for v in mutates(op) if v in todo), None)
            if target is not None:
                todo[target] -= 1
                name[target] = self.new(self.metas[target]) if todo[target] else target
                taken.func, outs = _IN_PLACE[op.func], (name[target],)
            if outs != taken.outs:
                taken.outs = outs
            ops.append(taken)
        self.ops = ops
        self.family = memory_families(ops, self.metas)
        self.frozen = changed_families(ops, self.family)

    def _has_plain_form(self, op: Op, v: int) -> bool:
        if op.func not in _IN_PLACE or used_by(op).count(v) != 1:
            return False
        meta = self.metas[v]
        return all(
            u in self.metas
            and self.metas[u].dtype == meta.dtype
            and self.metas[u].shape == meta.shape
            and self.metas[u].stride == meta.stride
            for u in used_by(op)
        )

    # ------------------------------------------------------------------------ prologue and body

    def divide(self) -> None:
        """Move what depends on captured tensors alone to the prologue."""
        movable = self._movable()
        # what escapes, or is seen by Python, must be made anew at each call: it may be written to
        escaping = set(self.subgraph.outs)
        for op in self.ops:
            if not isinstance(op.func, torch._ops.OpOverload) or not is_aten(op.func):
                escaping.update(used_by(op))
        retained = {self.family.get(v, v) for v in escaping}
        body: list[Op] = []
        for op in self.ops:
            if (
                id(op) in movable
                and all(u in self.constant for u in used_by(op))
                and not any(self.family.get(o, o) in retained for o in op.outs if o is not None)
            ):
                self.prologue.append(op)
                self.constant.update(o for o in op.outs if o is not None)
                self.count("moved")
            else:
                body.append(op)
        self.ops = body

    def _movable(self) -> set[int]:
        known = set(self.subgraph.captured)
        results: set[int] = set()
        for op in self.ops:
            if (
                isinstance(op.func, torch._ops.OpOverload)
                and is_pure(op)
                and is_aten(op.func)
                and torch.Tag.dynamic_output_shape not in op.func.tags
                and not op.func._schema.name.startswith(("aten::empty", "aten::new_empty"))
                and all(u in known for u in used_by(op))
                and not self.is_frozen(op)
                and self._is_worth_keeping(op)
            ):
                results.add(id(op))
                known.update(o for o in op.outs if o is not None)
        return results

    def _is_worth_keeping(self, op: Op) -> bool:
        if shared_sources(op):
            return True  # a view takes no memory
        result = [self.metas[o] for o in op.outs if o in self.metas]
        taken = sum(size_in_bytes(self.metas[u]) for u in set(used_by(op)))
        return sum(map(size_in_bytes, result)) <= max(_SMALL_CONSTANT, 2 * taken)

    def derive(self, func: Any, *args: Any, shape: Sequence[int] = (), **kwargs: Any) -> int:
        """A constant of the prologue: an operator over constants; the same call gives the same.

        It has the metadata of the first of them unless a shape is given, which is then contiguous.
        """
        key = (func, repr(args), repr(kwargs))
        known = self._derived.get(key)
        if known is not None:
            return known
        op = Op(func, args, kwargs, ())
        source = self.metas[used_by(op)[0]]
        number = self.new(source, source.storage if shared_sources(op) else None)
        meta = self.metas[number]
        if shape:
            meta.shape, meta.stride = tuple(shape), strides_of(shape, range(len(shape))[::-1])
        if "memory_format" in kwargs:
            meta.stride = channels_last_strides(meta.shape)
        if "dtype" in kwargs:
            meta.dtype = kwargs["dtype"]
        if func.namespace == "mkldnn":
            meta.stride = ()  # opaque
        op.outs = (number,)
        self.prologue.append(op)
        self.constant.add(number)
        self._derived[key] = number
        return number

    def cast(self, v: int, dtype: torch.dtype) -> int:
        """A constant in another dtype."""
        if self.metas[v].dtype == dtype:
            return v
        return self.derive(aten._to_copy.default, Ref(v), dtype=dtype)

    # ------------------------------------------------------------------------- joining into kernels

    def join(self) -> None:
        """Join batch norms, biases and activations with the convolution or product before them."""
        uses = self.uses
        for op in self.ops:
            for u in used_by(op):
                uses[u] = uses.get(u, 0) + 1
        for o in self.subgraph.outs:
            uses[o] = uses.get(o, 0) + 2  # an output is never swallowed
        behind: dict[int, Kernel] = {}
        for op in self.ops:
            if self._is_frozen_or_python(op):
                self.items.append(op)
                continue
            kernel = self._as_kernel(op)
            if kernel is not None:
                self.items.append(kernel)
                behind[kernel.out] = kernel
                continue
            source = next((u for u in used_by(op) if u in behind and uses[u] == 1), None)
            if source is None or behind[source].act is not None:
                self.items.append(op)
                continue
            kernel = behind[source]
            if self._is_tail(op, kernel):
                kernel.tail.append(len(self.items))
                behind[op.outs[0]] = kernel  # type: ignore[index]
                self.items.append(op)
            elif self._swallows(kernel, op, source):
                self._move(kernel, op)
                behind[op.outs[0]] = kernel  # type: ignore[index]
            else:
                self.items.append(op)

    def _is_frozen_or_python(self, op: Op) -> bool:
        return not isinstance(op.func, torch._ops.OpOverload) or self.is_frozen(op)

    def _as_kernel(self, op: Op) -> Kernel | None:
        """A convolution or product with a constant weight, as a kernel."""
        if op.func is aten.convolution.default:
            x, weight, bias = op.args[:3] if len(op.args) >= 3 else (None, None, None)
        elif op.func is aten.addmm.default:
            a = named_arguments(op)
            if a["beta"] != 1 or a["alpha"] != 1:
                return None
            bias, x, weight = a["self"], a["mat1"], a["mat2"]
        elif op.func is aten.mm.default:
            (x, weight), bias = op.args, None
        else:
            return None
        if type(x) is not Ref or type(weight) is not Ref or weight.i not in self.constant:
            return None
        if self.metas[x.i].dtype != self.metas[weight.i].dtype:
            return None
        if len(used_by(op)) != 2 + (type(bias) is Ref):
            return None  # a number comes from Python
        number = None
        if type(bias) is Ref:
            number = bias.i
            meta = self.metas[number]
            channels = self.metas[op.outs[0]].shape[1]  # type: ignore[index]
            if number not in self.constant or meta.shape != (channels,):
                return None
        return Kernel(op, x.i, weight.i, number, len(self.items))

    def _is_tail(self, op: Op, kernel: Kernel) -> bool:
        """Whether a call only selects or views, so that element-wise calls may go before it."""
        if len(used_by(op)) != 1:
            return False
        if kernel.is_convolution:  # a slice of the picture keeps the channels
            return op.func is aten.slice.Tensor and named_arguments(op)["dim"] >= 2
        return op.func in VIEWS

    def _swallows(self, kernel: Kernel, op: Op, source: int) -> bool:
        """Fold a call into the kernel's weights, or make it its activation, if that is sound."""
        if op.func in _BATCH_NORMS:
            return self._swallows_norm(kernel, op, source)
        if op.func is aten.add.Tensor:
            return self._swallows_bias(kernel, op, source)
        if op.func in _ACTIVATIONS and self.runs_onednn(kernel):
            a = named_arguments(op)
            if any(type(v) is Ref for name, v in a.items() if name != "self"):
                return False
            kernel.act = op
            return True
        return False

    def _swallows_norm(self, kernel: Kernel, op: Op, source: int) -> bool:
        a = named_arguments(op)
        eps = a.get("eps", a.get("epsilon"))
        if (
            not isinstance(eps, (int, float))
            or a.get("training")
            or any(self.uses.get(o) for o in op.outs[1:] if o is not None)
        ):
            return False
        given = (a["weight"], a["bias"], a["running_mean"], a["running_var"])
        if any(type(v) is not Ref for v in given[2:]):
            return False
        meta = self.metas[source]
        channels = self.metas[kernel.out].shape[1]
        if not kernel.is_convolution and (kernel.tail or len(meta.shape) != 2):
            return False  # behind a view the channels are another dimension
        for v in given:
            if type(v) is Ref and (
                v.i not in self.constant or self.metas[v.i].shape != (channels,)
            ):
                return False
        if self.metas[op.outs[0]].dtype != meta.dtype or not meta.dtype.is_floating_point:  # type: ignore[index]
            return False
        self._scale(kernel, *given, eps)
        self.count("batch_norm")
        return True

    def _scale(
        self, kernel: Kernel, gamma: Ref | None, beta: Ref | None, mean: Ref, var: Ref, eps: Any
    ) -> None:
        """Fold ``(y - mean) / sqrt(var + eps) * gamma + beta`` into weight and bias."""
        dtype = self.metas[kernel.weight].dtype
        exact = torch.float64 if dtype is torch.float64 else torch.float32
        with_eps = self.derive(aten.add.Scalar, Ref(self.cast(var.i, exact)), eps)
        scale = self.derive(aten.rsqrt.default, Ref(with_eps))
        if gamma is not None:
            scale = self.derive(aten.mul.Tensor, Ref(scale), Ref(self.cast(gamma.i, exact)))
        shift = Ref(self.cast(mean.i, exact))
        if kernel.bias is None:
            shift = Ref(self.derive(aten.neg.default, shift))
        else:
            bias = Ref(self.cast(kernel.bias, exact))
            shift = Ref(self.derive(aten.sub.Tensor, bias, shift))
        shift = Ref(self.derive(aten.mul.Tensor, shift, Ref(scale)))
        if beta is not None:
            shift = Ref(self.derive(aten.add.Tensor, shift, Ref(self.cast(beta.i, exact))))
        kernel.bias = self.cast(shift.i, dtype)
        kernel.weight = self.cast(self._scaled_weight(kernel, scale, exact), dtype)

    def _scaled_weight(self, kernel: Kernel, scale: int, exact: torch.dtype) -> int:
        weight = Ref(self.cast(kernel.weight, exact))
        shape = self.metas[kernel.weight].shape
        if not kernel.is_convolution:  # (in, out)
            return self.derive(aten.mul.Tensor, weight, Ref(scale))
        a = named_arguments(kernel.op)
        ones = [1] * (len(shape) - 2)
        view = aten.reshape.default
        if not a["transposed"]:  # (out, in of a group, ...)
            wide = [shape[0], 1, *ones]
            return self.derive(
                aten.mul.Tensor, weight, Ref(self.derive(view, Ref(scale), wide, shape=wide))
            )
        # (in, out of a group, ...): the inputs of one group after those of another
        split = [a["groups"], shape[0] // a["groups"], *shape[1:]]
        wide = [a["groups"], 1, shape[1], *ones]
        scaled = self.derive(
            aten.mul.Tensor,
            Ref(self.derive(view, weight, split, shape=split)),
            Ref(self.derive(view, Ref(scale), wide, shape=wide)),
        )
        return self.derive(view, Ref(scaled), list(shape), shape=shape)

    def _swallows_bias(self, kernel: Kernel, op: Op, source: int) -> bool:
        """A constant vector over the channels, added."""
        a = named_arguments(op)
        operands = [a["self"], a["other"]]
        if a["alpha"] != 1 or any(type(v) is not Ref for v in operands):
            return False
        (vector,) = (v.i for v in operands if v.i != source)
        if vector not in self.constant:
            return False
        meta, out = self.metas[vector], self.metas[source]
        channels = self.metas[kernel.out].shape[1]
        after = len(out.shape) - 2 if kernel.is_convolution else 0  # dimensions behind the channels
        shape = (1,) * (len(out.shape) - len(meta.shape)) + meta.shape
        expected = (*(1 for _ in range(len(out.shape) - after - 1)), channels, *(1,) * after)
        if (
            len(meta.shape) > len(out.shape)
            or shape != expected
            or meta.dtype != out.dtype
            or not meta.dtype.is_floating_point
        ):
            return False
        flat = self.derive(aten.reshape.default, Ref(vector), [channels], shape=(channels,))
        if kernel.bias is not None:
            flat = self.derive(aten.add.Tensor, Ref(kernel.bias), Ref(flat))
        kernel.bias = flat
        self.count("bias")
        return True

    def _move(self, kernel: Kernel, op: Op) -> None:
        """Put a kernel and its tail where the call that it swallowed stood."""
        out: int = op.outs[0]  # type: ignore[assignment]
        tail = [self.items[place] for place in kernel.tail]
        for place in (kernel.place, *kernel.tail):
            self.items[place] = None
        kernel.place = len(self.items)
        kernel.tail = []
        self.items.append(kernel)
        before = kernel.out
        kernel.out = self.new(self.metas[before]) if tail else out
        now = kernel.out
        for n, step in enumerate(tail):
            assert isinstance(step, Op)
            last = n == len(tail) - 1
            to = out if last else self.new(self.metas[step.outs[0]], self.metas[now].storage)  # type: ignore[index]
            result = step.replaced(lambda ref, now=now: Ref(now))
            result.outs = (to,)
            if last:
                self.metas[out].storage = self.metas[now].storage
                if kernel.is_convolution:
                    self.sliced.add(out)
            kernel.tail.append(len(self.items))
            self.items.append(result)
            now = to

    # ------------------------------------------------------------------------------------- lowering

    def runs_onednn(self, kernel: Kernel) -> bool:
        """Whether oneDNN's kernel may stand in for torch's."""
        taken = [kernel.x, kernel.weight, kernel.out]
        if not self.fuse or not onednn_takes(*(self.metas[v] for v in taken)):
            return False
        if kernel.bias is not None and self.metas[kernel.bias].dtype != self.metas[kernel.x].dtype:
            return False
        if not kernel.is_convolution:
            return True
        a = named_arguments(kernel.op)
        shape = self.metas[kernel.x].shape
        if len(shape) not in (4, 5):
            return False
        return not a["transposed"] or (
            not a["groups"] == shape[1] > 1
            and all(p < s for p, s in zip(a["output_padding"], a["stride"], strict=True))
        )

    def attribute(self, kernel: Kernel) -> tuple[str, list[Any], str]:
        """The activation of a kernel in oneDNN's words."""
        if kernel.act is None:
            return ("none", [], "")
        return _ACTIVATIONS[kernel.act.func](named_arguments(kernel.act))

    def described(self, ops: list[Op]) -> list[Op]:
        """The calls with the metadata that their results have now."""
        return [
            Op(
                op.func,
                op.args,
                op.kwargs,
                op.outs,
                tuple(None if o is None else self.metas.get(o) for o in op.outs),
                op.site,
                op.at,
            )
            for op in ops
        ]

    def metas_of(self, ops: list[Op], ins: Sequence[int]) -> dict[int, Meta]:
        result = {v for op in ops for v in (*used_by(op), *op.outs)} | set(ins)
        return {v: self.metas[v] for v in result if v in self.metas}
