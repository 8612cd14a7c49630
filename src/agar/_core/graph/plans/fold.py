"""Inference: what depends on parameters alone is computed once, and kernels take it prepared.

A segment is divided into a prologue, which runs over the lifted tensors whenever they changed, and
a body, which runs at every call over the inputs and the prologue's results. Nothing of a parameter
is written into code, so new weights need no new plan.

The prologue folds batch normalization into the weights before it, transposes and casts weights,
and orders them as a kernel reads them. The body runs convolutions in channels-last memory and, on
CPU, through oneDNN's kernels, with the activation behind them where that was measured to gain.

NOTE What stays outside of kernels. oneDNN's ReLU, ReLU6 and hard sigmoid turn NaN into 0, which
would hide a network that has diverged; O0 runs them in place, and whole networks were not faster
with them inside. Nor did a residual sum, SiLU and MKL's packed matrix product pay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from agar._core.graph.plans.races import Race, winner
from agar._core.graph.tape import (
    Meta,
    Op,
    Ref,
    Segment,
    is_pure,
    made_by,
    map_refs,
    mutates,
    near_their_use,
    used_by,
    without_dead_code,
)

__all__ = ["Folded", "fold"]

aten = torch.ops.aten

#: A constant may take this much memory, or twice that of what it is made from.
_SMALL_CONSTANT = 1 << 22

#: Convolutions of fewer multiplications are timed; larger ones always gained from oneDNN.
_SMALL_CONVOLUTION = 4 << 20

#: Max pooling of larger pictures is done by slices.
_SMALL_POOLING = 1 << 14

#: Larger products are timed with smaller stand-ins.
_TIMED_PRODUCT = 1 << 26
_TIMED_SIDE = 2048

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


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: In-place operators that become plain ones where nothing else sees the memory.
_IN_PLACE = {
    getattr(aten, name + "_").default: getattr(aten, name).default
    for name in _names(
        "relu silu gelu sigmoid tanh hardtanh hardswish hardsigmoid leaky_relu elu mish clamp"
    )
} | {aten.add_.Tensor: aten.add.Tensor}

_VIEWS = frozenset({aten.view.default, aten._unsafe_view.default, aten.reshape.default})

#: Operators whose names begin with an underscore, and which take tensors of any strides.
_ANY_STRIDES = _names(
    "_to_copy _softmax _log_softmax _prelu_kernel _adaptive_avg_pool2d _adaptive_avg_pool3d "
    "_native_batch_norm_legit_no_training _batch_norm_no_update _upsample_nearest_exact2d "
    "_upsample_bilinear2d_aa _upsample_bicubic2d_aa _unsafe_index"
)
#: Operators without one, whose meaning or kernel depends on strides.
_GIVEN_STRIDES = _names(
    "as_strided as_strided_copy view_as_real view_as_complex mkldnn_rnn_layer miopen_rnn"
)
#: Operators that keep the memory format of their operands.
_KEEP_FORMAT = _names(
    "relu sigmoid tanh silu gelu leaky_relu elu hardtanh hardswish hardsigmoid mish softplus clamp "
    "clamp_min clamp_max abs neg exp log sqrt rsqrt erf pow add sub mul div rsub maximum minimum "
    "where lerp _prelu_kernel threshold _to_copy clone addcmul addcdiv masked_fill "
    "max_pool2d_with_indices avg_pool2d adaptive_max_pool2d _adaptive_avg_pool2d "
    "max_pool3d_with_indices avg_pool3d _adaptive_avg_pool3d native_batch_norm cudnn_batch_norm "
    "_native_batch_norm_legit_no_training _batch_norm_no_update cat constant_pad_nd slice "
    "upsample_nearest2d upsample_bilinear2d upsample_bicubic2d _upsample_nearest_exact2d "
    "upsample_nearest3d upsample_trilinear3d native_group_norm reflection_pad2d replication_pad2d "
    "pixel_shuffle"
)
#: Operators whose results are contiguous whatever they are given.
_ALWAYS_CONTIGUOUS = _names("mm addmm bmm baddbmm")


class Folded:
    """A segment divided for inference.

    Attributes:
        prologue: from lifted tensors (its ``ins``) to constants (its ``outs``).
        body: from the ordinary inputs, the lifted tensors that it still takes and the constants, in
            this order, to the outputs of the segment, in their order.
        constants: the variables that the prologue computes, in order.
        layout: ``"channels_last"`` or ``"plain"``; plain also where no convolution was there to
            profit.
        counts: how often each rewriting was applied, for people and tests.
    """

    __slots__ = ("body", "constants", "counts", "layout", "prologue")

    def __init__(
        self, prologue: Segment, body: Segment, layout: str, counts: dict[str, int]
    ) -> None:
        self.prologue = prologue
        self.body = body
        self.constants = prologue.outs
        self.layout = layout
        self.counts = counts


def fold(
    segment: Segment,
    *,
    layout: str = "channels_last",
    fuse: bool = True,
    timed: bool = True,
) -> Folded | None:
    """Divide a segment into a prologue over its parameters and a body over its inputs.

    Args:
        segment: what was recorded. It is not changed.
        layout: the memory of two- and three-dimensional convolutions in the body,
            ``"channels_last"`` or ``"plain"``. Outputs have the strides that were recorded.
        fuse: whether other kernels may stand in for torch's on CPU: oneDNN's with prepared weights,
            and slices for max pooling. Such weights are copies in an order of their own: opaque
            tensors, which O0 can pass on and TorchInductor cannot. Default: True.
        timed: whether oneDNN's must first win a short race on the sizes of the segment, which is
            run once in a process for each size. Default: True. Without, they always stand in.

    Returns:
        The two parts, or None where nothing is gained, or where the segment trains: it changes an
        input or a parameter, or has a backward pass.
    """
    if layout not in ("channels_last", "plain"):
        raise ValueError(f"layout must be 'channels_last' or 'plain', but it is {layout!r}.")
    if not segment.lifted or any(mark < len(segment.ops) for mark in segment.marks):
        return None
    if any(type(n) is not int for meta in segment.metas.values() for n in meta.shape):
        return None  # weights are prepared, and kernels are timed, for fixed sizes
    family = _families(segment.ops, segment.metas)
    changed = _changed_families(segment.ops, family)
    if any(family.get(i, i) in changed for i in segment.ins):
        return None
    work = _Work(segment, fuse, timed)
    work.make_functional(family)
    work.divide()
    work.join()
    for channels_last in (layout == "channels_last", False):
        lowering = _Lowering(work, channels_last)
        try:
            lowering.run()
        except _UnfitError:
            continue
        return work.finish(lowering)
    return None


# ---------------------------------------------------------------------------------- memory and size


def _families(ops: Iterable[Op], metas: dict[int, Meta]) -> dict[int, int]:
    """One variable that stands for all that may share memory with it."""
    parent: dict[int, int] = {}

    def find(v: int) -> int:
        while (up := parent.setdefault(v, v)) != v:
            v = up
        return v

    by_storage: dict[int, int] = {}
    for v, meta in metas.items():
        if meta.storage >= 0:
            parent[find(v)] = find(by_storage.setdefault(meta.storage, v))
    for op in ops:
        for source in _shared_sources(op):
            for out in op.outs:
                if out is not None:
                    parent[find(out)] = find(source)
    return {v: find(v) for v in list(parent)}


def _shared_sources(op: Op) -> list[int]:
    """The variables whose memory the results of a call may share."""
    func = op.func
    if not isinstance(func, torch._ops.OpOverload):
        return used_by(op)
    if func is aten._unsafe_view.default:
        return used_by(op)
    if all(r.alias_info is None for r in func._schema.returns):
        return []
    names = {a.name for a in func._schema.arguments if a.alias_info is not None}
    found: list[int] = []
    for name, value in _arguments(op).items():
        if name in names:
            map_refs(value, lambda ref: found.append(ref.i))
    return found


def _changed_families(ops: Iterable[Op], family: dict[int, int]) -> set[int]:
    """The families that a call writes to."""
    changed: set[int] = set()
    for op in ops:
        changed.update(family.get(v, v) for v in mutates(op))
    return changed


def _arguments(op: Op) -> dict[str, Any]:
    """The arguments of an operator by name, defaults included."""
    arguments = op.func._schema.arguments
    values = {a.name: a.default_value for a in arguments if a.has_default_value()}
    values.update(zip((a.name for a in arguments), op.args, strict=False))
    values.update(op.kwargs)
    return values


def _bytes(meta: Meta) -> int:
    """The memory behind a tensor; a dimension of stride 0 takes none."""
    sizes = [n for n, s in zip(meta.shape, meta.stride, strict=False) if s or n == 0]
    return math.prod(sizes) * meta.dtype.itemsize


def _is_writable(meta: Meta) -> bool:
    """Whether no two elements of a tensor of these strides share memory."""
    reach = 0
    for s, n in sorted((s, n) for n, s in zip(meta.shape, meta.stride, strict=True) if n > 1):
        if s <= reach:
            return False
        reach += s * (n - 1)
    return True


def _format_of(rank: int) -> torch.memory_format:
    return torch.channels_last if rank == 4 else torch.channels_last_3d


def _strides(shape: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
    """The strides of a block of memory whose dimensions come in this order, innermost first."""
    strides = [0] * len(shape)
    step = 1
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    return tuple(strides)


def _channels_last_strides(shape: Sequence[int]) -> tuple[int, ...]:
    return _strides(shape, (1, *range(len(shape) - 1, 1, -1), 0))


def _is_channels_last(meta: Meta) -> bool:
    """Whether a tensor is channels-last; sizes of 1 fit any strides."""
    if len(meta.shape) not in (4, 5):
        return False
    wanted = _channels_last_strides(meta.shape)
    return all(n == 1 or s == w for n, s, w in zip(meta.shape, meta.stride, wanted, strict=True))


def _is_aten(func: Any) -> bool:
    return func.namespace == "aten"


def _takes_any_strides(func: Any) -> bool:
    """Whether an operator means and does the same for operands of other strides."""
    if not isinstance(func, torch._ops.OpOverload) or not _is_aten(func):
        return False
    if func._schema.is_mutable or func is aten.view.dtype:
        return False
    name = _name(func)
    # public operators take what users give them; others are called with what they were chosen for
    return name in _ANY_STRIDES if name.startswith("_") else name not in _GIVEN_STRIDES


def _name(func: Any) -> str:
    return func._schema.name.partition("::")[2]


# ---------------------------------------------------------------------------------------- kernels


def _onednn_takes(*metas: Meta) -> bool:
    """Whether oneDNN has fast kernels for these tensors here."""
    first = metas[0]
    if any(m.dtype != first.dtype or m.device.type != "cpu" or 0 in m.shape for m in metas):
        return False
    if not (torch.backends.mkldnn.is_available() and torch.backends.mkldnn.enabled):
        return False
    mkldnn = torch.ops.mkldnn
    if mkldnn._is_mkldnn_acl_supported():  # other kernels, not measured
        return False
    if first.dtype is torch.bfloat16:
        return mkldnn._is_mkldnn_bf16_supported()
    if first.dtype is torch.float16:
        return mkldnn._is_mkldnn_fp16_supported()
    return first.dtype is torch.float32


class _Kernel:
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


class _Work:
    """A segment on its way to a prologue and a body."""

    def __init__(self, segment: Segment, fuse: bool, timed: bool) -> None:
        self.segment = segment
        self.fuse = fuse
        self.timed = timed
        self.metas = {v: meta.but() for v, meta in segment.metas.items()}
        self.prologue: list[Op] = []
        self.ops = list(segment.ops)
        self.items: list[Op | _Kernel | None] = []
        self.constant: set[int] = set(segment.lifted)
        self.counts: dict[str, int] = {}
        self.family: dict[int, int] = {}
        self.frozen: set[int] = set()
        self.sliced: set[int] = set()  # results that were blocks and are views of larger ones now
        self.uses: dict[int, int] = {}
        self._derived: dict[Any, int] = {}
        seen = [*self.metas, *segment.ins, *segment.outs]
        seen += [o for op in segment.ops for o in op.outs if o is not None]
        self._next = max(seen, default=-1) + 1
        self._storage = max((m.storage for m in self.metas.values()), default=0) + 1

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def new(self, look: Meta, storage: int | None = None) -> int:
        """A new variable of this look, in memory of its own unless a storage is given."""
        if storage is None:
            storage = self._storage
            self._storage += 1
        made = look.but()
        made.storage = storage
        number = self._next
        self._next += 1
        self.metas[number] = made
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
        inputs = set(self.segment.ins)
        makers = {o: op for op in self.ops for o in made_by(op)}
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
        self.family = _families(ops, self.metas)
        self.frozen = _changed_families(ops, self.family)

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
        """Move what depends on lifted tensors alone to the prologue."""
        movable = self._movable()
        # what escapes, or is seen by Python, must be made anew at each call: it may be written to
        escaping = set(self.segment.outs)
        for op in self.ops:
            if not isinstance(op.func, torch._ops.OpOverload) or not _is_aten(op.func):
                escaping.update(used_by(op))
        kept = {self.family.get(v, v) for v in escaping}
        body: list[Op] = []
        for op in self.ops:
            if (
                id(op) in movable
                and all(u in self.constant for u in used_by(op))
                and not any(self.family.get(o, o) in kept for o in op.outs if o is not None)
            ):
                self.prologue.append(op)
                self.constant.update(o for o in op.outs if o is not None)
                self.count("moved")
            else:
                body.append(op)
        self.ops = body

    def _movable(self) -> set[int]:
        known = set(self.segment.lifted)
        found: set[int] = set()
        for op in self.ops:
            if (
                isinstance(op.func, torch._ops.OpOverload)
                and is_pure(op)
                and _is_aten(op.func)
                and torch.Tag.dynamic_output_shape not in op.func.tags
                and not op.func._schema.name.startswith(("aten::empty", "aten::new_empty"))
                and all(u in known for u in used_by(op))
                and not self.is_frozen(op)
                and self._is_worth_keeping(op)
            ):
                found.add(id(op))
                known.update(o for o in op.outs if o is not None)
        return found

    def _is_worth_keeping(self, op: Op) -> bool:
        if _shared_sources(op):
            return True  # a view takes no memory
        made = [self.metas[o] for o in op.outs if o in self.metas]
        taken = sum(_bytes(self.metas[u]) for u in set(used_by(op)))
        return sum(map(_bytes, made)) <= max(_SMALL_CONSTANT, 2 * taken)

    def derive(self, func: Any, *args: Any, shape: Sequence[int] = (), **kwargs: Any) -> int:
        """A constant of the prologue: an operator over constants; the same call gives the same.

        It looks like the first of them unless a shape is given, which is then contiguous.
        """
        key = (func, repr(args), repr(kwargs))
        known = self._derived.get(key)
        if known is not None:
            return known
        op = Op(func, args, kwargs, ())
        source = self.metas[used_by(op)[0]]
        number = self.new(source, source.storage if _shared_sources(op) else None)
        meta = self.metas[number]
        if shape:
            meta.shape, meta.stride = tuple(shape), _strides(shape, range(len(shape))[::-1])
        if "memory_format" in kwargs:
            meta.stride = _channels_last_strides(meta.shape)
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
        for o in self.segment.outs:
            uses[o] = uses.get(o, 0) + 2  # an output is never swallowed
        behind: dict[int, _Kernel] = {}
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

    def _as_kernel(self, op: Op) -> _Kernel | None:
        """A convolution or product with a constant weight, as a kernel."""
        if op.func is aten.convolution.default:
            x, weight, bias = op.args[:3] if len(op.args) >= 3 else (None, None, None)
        elif op.func is aten.addmm.default:
            a = _arguments(op)
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
        return _Kernel(op, x.i, weight.i, number, len(self.items))

    def _is_tail(self, op: Op, kernel: _Kernel) -> bool:
        """Whether a call only selects or views, so that element-wise calls may go before it."""
        if len(used_by(op)) != 1:
            return False
        if kernel.is_convolution:  # a slice of the picture keeps the channels
            return op.func is aten.slice.Tensor and _arguments(op)["dim"] >= 2
        return op.func in _VIEWS

    def _swallows(self, kernel: _Kernel, op: Op, source: int) -> bool:
        """Fold a call into the kernel's weights, or make it its activation, if that is sound."""
        if op.func in _BATCH_NORMS:
            return self._swallows_norm(kernel, op, source)
        if op.func is aten.add.Tensor:
            return self._swallows_bias(kernel, op, source)
        if op.func in _ACTIVATIONS and self.runs_onednn(kernel):
            a = _arguments(op)
            if any(type(v) is Ref for name, v in a.items() if name != "self"):
                return False
            kernel.act = op
            return True
        return False

    def _swallows_norm(self, kernel: _Kernel, op: Op, source: int) -> bool:
        a = _arguments(op)
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
        self, kernel: _Kernel, gamma: Ref | None, beta: Ref | None, mean: Ref, var: Ref, eps: Any
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

    def _scaled_weight(self, kernel: _Kernel, scale: int, exact: torch.dtype) -> int:
        weight = Ref(self.cast(kernel.weight, exact))
        shape = self.metas[kernel.weight].shape
        if not kernel.is_convolution:  # (in, out)
            return self.derive(aten.mul.Tensor, weight, Ref(scale))
        a = _arguments(kernel.op)
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

    def _swallows_bias(self, kernel: _Kernel, op: Op, source: int) -> bool:
        """A constant vector over the channels, added."""
        a = _arguments(op)
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
        wanted = (*(1 for _ in range(len(out.shape) - after - 1)), channels, *(1,) * after)
        if (
            len(meta.shape) > len(out.shape)
            or shape != wanted
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

    def _move(self, kernel: _Kernel, op: Op) -> None:
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
            made = step.replaced(lambda ref, now=now: Ref(now))
            made.outs = (to,)
            if last:
                self.metas[out].storage = self.metas[now].storage
                if kernel.is_convolution:
                    self.sliced.add(out)
            kernel.tail.append(len(self.items))
            self.items.append(made)
            now = to

    # ------------------------------------------------------------------------------------- lowering

    def runs_onednn(self, kernel: _Kernel) -> bool:
        """Whether oneDNN's kernel may stand in for torch's."""
        taken = [kernel.x, kernel.weight, kernel.out]
        if not self.fuse or not _onednn_takes(*(self.metas[v] for v in taken)):
            return False
        if kernel.bias is not None and self.metas[kernel.bias].dtype != self.metas[kernel.x].dtype:
            return False
        if not kernel.is_convolution:
            return True
        a = _arguments(kernel.op)
        shape = self.metas[kernel.x].shape
        if len(shape) not in (4, 5):
            return False
        return not a["transposed"] or (
            not a["groups"] == shape[1] > 1
            and all(p < s for p, s in zip(a["output_padding"], a["stride"], strict=True))
        )

    def attribute(self, kernel: _Kernel) -> tuple[str, list[Any], str]:
        """The activation of a kernel in oneDNN's words."""
        if kernel.act is None:
            return ("none", [], "")
        return _ACTIVATIONS[kernel.act.func](_arguments(kernel.act))

    def finish(self, lowering: _Lowering) -> Folded | None:
        """The parts, or None where they gain nothing."""
        segment = self.segment
        ops = without_dead_code(lowering.ops, segment.outs)
        used = {u for op in ops for u in used_by(op)} | set(segment.outs)
        made = [o for op in self.prologue for o in made_by(op)]
        constants = [o for o in made if o in used]
        prologue = near_their_use(self.prologue, constants)
        counts = self.counts | lowering.counts
        if not counts:
            return None
        for v in lowering.channels_last - self.constant - set(segment.ins):
            self.metas[v].stride = _channels_last_strides(self.metas[v].shape)
        sources = {u for op in prologue for u in used_by(op)}
        head = Segment(
            self._described(prologue),
            [i for i in segment.ins if i in sources],
            constants,
            self._metas_of(prologue, []),
            False,
            {i: t for i, t in segment.lifted.items() if i in sources},
        )
        ins = [i for i in segment.ins if i not in segment.lifted]
        rest = [i for i in segment.ins if i in segment.lifted and i in used]
        body = Segment(
            self._described(ops),
            [*ins, *rest, *constants],
            list(segment.outs),
            self._metas_of(ops, [*ins, *rest, *constants]),
            segment.read,
            {i: segment.lifted[i] for i in rest},
        )
        layout = "channels_last" if "channels_last" in counts else "plain"
        return Folded(head, body, layout, counts)

    def _described(self, ops: list[Op]) -> list[Op]:
        """The calls with what their results look like now."""
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

    def _metas_of(self, ops: list[Op], ins: Sequence[int]) -> dict[int, Meta]:
        found = {v for op in ops for v in (*used_by(op), *op.outs)} | set(ins)
        return {v: self.metas[v] for v in found if v in self.metas}


class _UnfitError(Exception):
    """A layout would change what the segment gives back."""


class _Lowering:
    """The body of a segment, written in one layout."""

    def __init__(self, work: _Work, channels_last: bool) -> None:
        self.work = work
        self.converts = channels_last
        self.ops: list[Op] = []
        self.channels_last: set[int] = set()
        # variables whose strides may differ from the recorded ones
        self.loose: set[int] = set(work.sliced)
        self._views: set[int] = set()
        self.counts: dict[str, int] = {}
        self._converted: dict[int, int] = {}
        self._restored: dict[int, int] = {}

    def run(self) -> None:
        for item in self.work.items:
            if isinstance(item, _Kernel):
                if item.is_convolution:
                    self._convolution(item)
                else:
                    self._product(item)
            elif item is not None and not self._pools(item):
                self._call(item)
        self._give_back()

    def _count(self, what: str, n: int = 1) -> None:
        if n:
            self.counts[what] = self.counts.get(what, 0) + n

    def _emit(self, func: Any, args: tuple[Any, ...], out: int, op: Op, **kwargs: Any) -> None:
        self.ops.append(Op(func, args, kwargs, (out,), (), op.site, op.at))

    # ------------------------------------------------------------------------------------- kernels

    def _activate(self, kernel: _Kernel, out: int) -> None:
        """The activation as a call of its own."""
        act = kernel.act
        assert act is not None
        made = act.replaced(lambda _: Ref(out))
        made.outs = (kernel.out,)
        self.ops.append(made)

    def _convolution(self, kernel: _Kernel) -> None:
        work, op = self.work, kernel.op
        a = _arguments(op)
        rank = len(work.metas[kernel.x].shape)
        converts = self.converts and rank in (4, 5)
        way = self._way_of_convolution(kernel, converts)
        x, weight = kernel.x, kernel.weight
        bias = None if kernel.bias is None else Ref(kernel.bias)
        if converts:
            x = self._to_channels_last(x)
            self._count("channels_last")
        if way == "onednn":
            func, pack, geometry = _onednn_convolution(a, rank)
            if converts:
                weight = work.derive(pack, Ref(weight), *geometry, list(work.metas[x].shape))
            args = (Ref(x), Ref(weight), bias, *geometry, *work.attribute(kernel))
            self._emit(func, args, kernel.out, op)
            self._count("convolution")
            self._count("activation", kernel.act is not None)
        else:
            if converts:
                weight = self._to_channels_last(weight)
            out = kernel.out if kernel.act is None else work.new(work.metas[kernel.out])
            self._emit(op.func, (Ref(x), Ref(weight), bias, *op.args[3:]), out, op, **op.kwargs)
            if kernel.act is not None:
                self._settle(out, converts)
                self._activate(kernel, out)
        self._settle(kernel.out, converts)

    def _settle(self, out: int, converts: bool) -> None:
        if converts:
            self.channels_last.add(out)
            if not _is_channels_last(self.work.metas[out]):
                self.loose.add(out)

    def _way_of_convolution(self, kernel: _Kernel, converts: bool) -> str:
        work = self.work
        if not work.runs_onednn(kernel) or not (converts or kernel.act is not None):
            return "torch"
        a = _arguments(kernel.op)
        x, weight, out = (work.metas[v] for v in (kernel.x, kernel.weight, kernel.out))
        grid = x if a["transposed"] else out
        cost = math.prod(weight.shape) * grid.shape[0] * math.prod(grid.shape[2:])
        if not work.timed or cost >= _SMALL_CONVOLUTION:
            return "onednn"
        func, pack, geometry = _onednn_convolution(a, len(x.shape))
        attribute = work.attribute(kernel)
        rest = kernel.op.args[3:]

        def enter() -> dict[str, Callable[[], Any]]:
            form = _format_of(len(x.shape)) if converts else torch.contiguous_format
            x_, w = (
                torch.ones(m.shape, dtype=m.dtype).contiguous(memory_format=form)
                for m in (x, weight)
            )
            bias = None if kernel.bias is None else torch.ones(out.shape[1], dtype=x.dtype)
            packed = pack(w, *geometry, list(x.shape)) if converts else w
            act = _runner(kernel.act)
            return {
                "torch": lambda: act(aten.convolution.default(x_, w, bias, *rest)),
                "onednn": lambda: func(x_, packed, bias, *geometry, *attribute),
            }

        biased = kernel.bias is not None
        key = (x.shape, weight.shape, x.dtype, biased, converts, repr((rest, attribute)))
        usual = "onednn" if cost > _SMALL_CONVOLUTION >> 4 else "torch"
        return winner(Race(("convolution", *key), usual, enter))

    def _product(self, kernel: _Kernel) -> None:
        work, op = self.work, kernel.op
        way = self._way_of_product(kernel)
        x, bias = Ref(kernel.x), None if kernel.bias is None else Ref(kernel.bias)
        if way in ("onednn", "packed"):
            shape = work.metas[kernel.weight].shape[::-1]
            weight = work.derive(aten.t.default, Ref(kernel.weight), shape=shape)
            weight = work.derive(aten.contiguous.default, Ref(weight))
            if way == "packed":
                rows = work.metas[kernel.x].shape[0]
                pack = torch.ops.mkldnn._reorder_linear_weight.default
                weight = work.derive(pack, Ref(weight), rows)
            args = (x, Ref(weight), bias, *work.attribute(kernel))
            self._emit(torch.ops.mkldnn._linear_pointwise.default, args, kernel.out, op)
            self._count("product")
            self._count("activation", kernel.act is not None)
            return
        weight = Ref(kernel.weight)
        if way == "turned":
            shape = work.metas[kernel.weight].shape
            weight = Ref(work.derive(aten.contiguous.default, weight, shape=shape))
            self._count("turned")
        out = kernel.out if kernel.act is None else work.new(work.metas[kernel.out])
        if bias is None:
            self._emit(aten.mm.default, (x, weight), out, op)
        else:
            self._emit(aten.addmm.default, (bias, x, weight), out, op)
        if kernel.act is not None:
            self._activate(kernel, out)

    def _way_of_product(self, kernel: _Kernel) -> str:
        work = self.work
        if not work.runs_onednn(kernel):
            return "torch"
        if not work.timed:
            return "packed"
        x, weight = (work.metas[v] for v in (kernel.x, kernel.weight))
        inner, columns = (min(n, _TIMED_SIDE) for n in weight.shape)
        rows = min(x.shape[0], max(_TIMED_PRODUCT // (inner * columns), 16))
        attribute = work.attribute(kernel)
        turned = weight.is_contiguous()

        def enter() -> dict[str, Callable[[], Any]]:
            left = torch.ones(rows, inner, dtype=x.dtype)
            right = torch.ones(columns, inner, dtype=x.dtype)
            right_turned = right.t().contiguous()
            bias = None if kernel.bias is None else torch.ones(columns, dtype=x.dtype)
            packed = torch.ops.mkldnn._reorder_linear_weight(right, rows)
            linear = torch.ops.mkldnn._linear_pointwise.default
            act = _runner(kernel.act)

            def plain(w: torch.Tensor) -> Callable[[], Any]:
                if bias is None:
                    return lambda: act(torch.mm(left, w))
                return lambda: act(aten.addmm.default(bias, left, w))

            entrants = {"torch": plain(right_turned if turned else right.t())}
            if not turned:
                entrants["turned"] = plain(right_turned)
            entrants["onednn"] = lambda: linear(left, right, bias, *attribute)
            entrants["packed"] = lambda: linear(left, packed, bias, *attribute)
            return entrants

        key = (rows, inner, columns, x.dtype, kernel.bias is not None, turned, repr(attribute))
        usual = "onednn" if rows >= 8 and rows * inner * columns >= 1 << 20 else "torch"
        return winner(Race(("product", *key), usual, enter))

    def _pools(self, op: Op) -> bool:
        """Max pooling as maxima of slices, several times faster than the kernel with indices.

        With padding that holds in plain memory only.
        """
        work = self.work
        if op.func is not aten.max_pool2d_with_indices.default or not work.fuse:
            return False
        a = _arguments(op)
        x, out = work.metas[a["self"].i], work.metas[op.outs[0]]  # type: ignore[index]
        kernel, padding = (_wide(a[name], 2) for name in ("kernel_size", "padding"))
        stride = _wide(a["stride"], 2) or kernel
        if (
            len(x.shape) != 4
            or x.device.type != "cpu"
            or not x.dtype.is_floating_point
            or math.prod(x.shape) < _SMALL_POOLING
            or not 2 <= min(kernel) <= max(kernel) <= 3
            or a["dilation"] not in ([1, 1], [1], 1)
            or a["ceil_mode"]
            or work.uses.get(op.outs[1])  # type: ignore[arg-type]
            or work.is_frozen(op)
            or (any(padding) and self._is_converted(a["self"].i))
        ):
            return False
        now = a["self"].i
        if any(padding):
            border = [padding[1], padding[1], padding[0], padding[0]]
            args = (aten.constant_pad_nd.default, Ref(now), border, -math.inf)
            shape = [n + 2 * p for n, p in zip(x.shape[2:], padding, strict=True)]
            now = self._step([*x.shape[:2], *shape], x, *args)
        for d in (2, 3):
            size, step = out.shape[d], stride[d - 2]
            shape = [*work.metas[now].shape]
            shape[d] = size
            storage = work.metas[now].storage
            parts = []
            for n in range(kernel[d - 2]):
                args = (aten.slice.Tensor, Ref(now), d, n, n + (size - 1) * step + 1, step)
                parts.append(self._step(shape, x, *args, storage=storage))
            now = parts[0]
            for part in parts[1:]:
                now = self._step(shape, x, aten.maximum.default, Ref(now), Ref(part))
        made: int = op.outs[0]  # type: ignore[assignment]
        self.ops[-1].outs = (made,)
        self.loose.add(made)
        if now in self.channels_last:
            self.channels_last.add(made)
        self._count("pooling")
        return True

    def _step(
        self, shape: Sequence[int], like: Meta, func: Any, *args: Any, storage: int | None = None
    ) -> int:
        """The result of a call that a rewriting adds."""
        made = self.work.new(like, storage)
        meta = self.work.metas[made]
        meta.shape, meta.stride = tuple(shape), _strides(shape, range(len(shape))[::-1])
        self._call(Op(func, args, {}, (made,)))
        return made

    # ------------------------------------------------------------------------------------- layouts

    def _is_converted(self, v: int) -> bool:
        return v in self.channels_last or (
            v not in self.loose and _is_channels_last(self.work.metas[v])
        )

    def _to_channels_last(self, v: int) -> int:
        if self._is_converted(v):
            return v
        known = self._converted.get(v)
        if known is not None:
            return known
        form = _format_of(len(self.work.metas[v].shape))
        if v in self.work.constant:
            made = self.work.derive(aten.contiguous.default, Ref(v), memory_format=form)
        else:
            meta = self.work.metas[v]
            if v in self.loose:  # it may have the layout already, and is the same memory then
                func, made = aten.contiguous.default, self.work.new(meta, meta.storage)
            else:
                func, made = aten.clone.default, self.work.new(meta)
            self.ops.append(Op(func, (Ref(v),), {"memory_format": form}, (made,)))
        self.channels_last.add(made)
        self.loose.add(made)
        self._converted[v] = made
        return made

    def _call(self, op: Op) -> None:
        """A call that is no kernel, in the layout that its operands have by now."""
        used = used_by(op)
        outs = [o for o in op.outs if o is not None]
        if _shared_sources(op):
            self._views.update(outs)
        if not any(u in self.loose for u in used):
            self.ops.append(op)
            return
        if not _takes_any_strides(op.func) or self.work.is_frozen(op):
            is_aten = isinstance(op.func, torch._ops.OpOverload)
            if is_aten and _name(op.func).startswith("as_strided") and used[0] in self._views:
                raise _UnfitError  # it reaches into memory that a copy would leave behind
            self.ops.append(op.replaced(lambda ref: Ref(self._as_recorded(ref.i))))
            return
        metas = self.work.metas
        name = _name(op.func)
        if op.func in _VIEWS:
            op = Op(aten.reshape.default, op.args, op.kwargs, op.outs, op.metas, op.site, op.at)
        elif name in _KEEP_FORMAT and all(len(metas[o].shape) in (4, 5) for o in outs):
            rank = len(metas[outs[0]].shape)
            wide = {u for u in used if u in metas and len(metas[u].shape) == rank}
            wide = {u for u in wide if math.prod(metas[u].shape[2:]) > 1}
            swap = {
                u: self._to_channels_last(u)
                for u in wide
                if u in self._converted or u in self.work.constant
            }
            op = op.replaced(lambda ref: Ref(swap.get(ref.i, ref.i)))
            if all(self._is_converted(swap.get(u, u)) for u in wide):
                self.channels_last.update(outs)
        self.ops.append(op)
        form = op.kwargs.get("memory_format")
        if form is torch.contiguous_format:
            self.channels_last.difference_update(outs)
        elif name not in _ALWAYS_CONTIGUOUS:
            self.loose.update(outs)

    def _as_recorded(self, v: int) -> int:
        """The variable with the strides that were recorded."""
        if v not in self.loose:
            return v
        known = self._restored.get(v)
        if known is None:
            meta = self.work.metas[v]
            known = self._restored[v] = self.work.new(meta, meta.storage)
            self.ops += self._restoring(v, known)
        return known

    def _restoring(self, v: int, to: int) -> list[Op]:
        meta = self.work.metas[v]
        if meta.is_contiguous():
            return [Op(aten.contiguous.default, (Ref(v),), {}, (to,))]
        if not _is_writable(meta):
            raise _UnfitError
        shape, strides = list(meta.shape), list(meta.stride)
        return [
            Op(aten.new_empty_strided.default, (Ref(v), shape, strides), {}, (to,)),
            Op(aten.copy_.default, (Ref(to), Ref(v)), {}, (to,)),
        ]

    def _give_back(self) -> None:
        """Outputs in the strides that were recorded."""
        work = self.work
        outs = dict.fromkeys(work.segment.outs)
        moved = [o for o in outs if o in self.loose]
        if not moved:
            return
        family = work.family
        for o in moved:
            if sum(family.get(v, v) == family.get(o, o) for v in outs) > 1:
                raise _UnfitError  # two outputs share memory, and copies would not
        inner = {o: work.new(work.metas[o], work.metas[o].storage) for o in moved}
        ops = []
        for op in self.ops:
            made = op.replaced(lambda ref: Ref(inner.get(ref.i, ref.i)))
            outs_ = tuple(None if o is None else inner.get(o, o) for o in op.outs)
            if outs_ != made.outs:
                made = Op(made.func, made.args, made.kwargs, outs_, made.metas, made.site, made.at)
            ops.append(made)
        last = [ops.pop()] if work.segment.read else []
        for o, v in inner.items():
            self.loose.add(v)
            if o in self.channels_last:
                self.channels_last.remove(o)
                self.channels_last.add(v)
            ops += self._restoring(v, o)
        self.ops = ops + last


def _wide(value: Any, rank: int) -> list[int]:
    """One number for each dimension, of which torch allows one for all."""
    value = [value] if isinstance(value, int) else list(value)
    return value * rank if len(value) == 1 else value


def _onednn_convolution(a: dict[str, Any], rank: int) -> tuple[Any, Any, tuple[Any, ...]]:
    """oneDNN's kernel for a convolution, the order of its weights, and what both take."""
    mkldnn = torch.ops.mkldnn
    padding, stride, dilation, output_padding = (
        _wide(a[name], rank - 2) for name in ("padding", "stride", "dilation", "output_padding")
    )
    if a["transposed"]:
        geometry = (padding, output_padding, stride, dilation, a["groups"])
        return (
            mkldnn._convolution_transpose_pointwise.default,
            mkldnn._reorder_convolution_transpose_weight.default,
            geometry,
        )
    return (
        mkldnn._convolution_pointwise.default,
        mkldnn._reorder_convolution_weight.default,
        (padding, stride, dilation, a["groups"]),
    )


def _runner(act: Op | None) -> Callable[[torch.Tensor], torch.Tensor]:
    """An activation as a function, for timing."""
    if act is None:
        return lambda t: t
    func = act.func

    def run(t: torch.Tensor) -> torch.Tensor:
        return func(*map_refs(act.args, lambda _: t), **map_refs(act.kwargs, lambda _: t))

    return run
