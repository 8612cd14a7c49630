"""The body of a folded subgraph in one memory layout, with oneDNN's kernels where they take it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.autotune.benchmark import Benchmark, winner
from agar._core.graph.ir.graph import Meta, Op, Ref, map_refs, used_by
from agar._core.graph.passes.as_product import ProductForm, product_forms
from agar._core.graph.passes.memory import (
    ALWAYS_CONTIGUOUS,
    KEEP_FORMAT,
    VIEWS,
    format_of,
    is_channels_last,
    is_writable,
    named_arguments,
    operator_name,
    shared_sources,
    strides_of,
    takes_any_strides,
)
from agar._core.graph.passes.prologue import Division, Kernel

__all__ = ["LayoutLowering", "UnfitError"]

aten = torch.ops.aten

#: Convolutions of fewer multiplications are timed; larger ones always gained from oneDNN.
_SMALL_CONVOLUTION = 4 << 20

#: Max pooling of larger pictures is done by slices.
_SMALL_POOLING = 1 << 14

#: Larger products are timed with smaller stand-ins.
_TIMED_PRODUCT = 1 << 26
_TIMED_SIDE = 2048


# ---------------------------------------------------------------------------------------- kernels


class UnfitError(Exception):
    """A layout would change what the subgraph gives back."""


class LayoutLowering:
    """The body of a subgraph, written in one layout."""

    def __init__(self, work: Division, channels_last: bool) -> None:
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
            if isinstance(item, Kernel):
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

    def _activate(self, kernel: Kernel, out: int) -> None:
        """The activation as a call of its own."""
        act = kernel.act
        assert act is not None
        result = act.replaced(lambda _: Ref(out))
        result.outs = (kernel.out,)
        self.ops.append(result)

    def _convolution(self, kernel: Kernel) -> None:
        work, op = self.work, kernel.op
        a = named_arguments(op)
        rank = len(work.metas[kernel.x].shape)
        converts = self.converts and rank in (4, 5)
        forms = self._product_forms(kernel, a) if converts else {}
        way = self._way_of_convolution(kernel, converts, forms)
        x, weight = kernel.x, kernel.weight
        bias = None if kernel.bias is None else Ref(kernel.bias)
        if converts:
            x = self._to_channels_last(x)
            self._count("channels_last")
        if way in forms:
            self._as_product(kernel, forms[way], x)
            return
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
            if not is_channels_last(self.work.metas[out]):
                self.loose.add(out)

    def _product_forms(self, kernel: Kernel, a: dict[str, Any]) -> dict[str, ProductForm]:
        """The matrix products that may stand for a convolution in channels-last memory."""
        work = self.work
        if not work.timed or not work.runs_onednn(kernel):
            return {}
        x, weight, out = (work.metas[v] for v in (kernel.x, kernel.weight, kernel.out))
        wide = {n: _wide(a[n], len(x.shape) - 2) for n in ("padding", "stride", "dilation")}
        return product_forms(a | wide, x, weight, out)

    def _as_product(self, kernel: Kernel, form: ProductForm, x: int) -> None:
        """Write a convolution as the matrix product of a form."""
        work, op = self.work, kernel.op
        example = torch.empty(work.metas[x].shape, dtype=work.metas[x].dtype)
        now, seen = x, example.contiguous(memory_format=torch.channels_last)
        for func, args in form.before:
            given, seen = seen, func(seen, *args)
            shares = seen.untyped_storage().data_ptr() == given.untyped_storage().data_ptr()
            now = self._added(op, func, (Ref(now), *args), seen, now if shares else None)
        weight = Ref(form.weight(work, kernel.weight))
        bias = None if kernel.bias is None else Ref(form.bias(work, kernel.bias))
        seen = seen.new_empty((form.rows, form.columns))
        linear = torch.ops.mkldnn._linear_pointwise.default
        args = (Ref(now), weight, bias, *work.attribute(kernel))
        now = self._added(op, linear, args, seen, kernel.out)
        for func, args in form.after:
            seen = func(seen, *args)
            now = self._added(op, func, (Ref(now), *args), seen, kernel.out)
        self.ops[-1].outs = (kernel.out,)
        self.channels_last.add(kernel.out)
        if seen.stride() != tuple(work.metas[kernel.out].stride):
            self.loose.add(kernel.out)
        self._count("convolution")
        self._count("as a product")
        self._count("activation", kernel.act is not None)

    def _added(
        self, op: Op, func: Any, args: tuple[Any, ...], seen: torch.Tensor, shares: int | None
    ) -> int:
        """The result of one more call, in the memory of another variable if one is named."""
        like = self.work.metas[op.args[0].i]
        result = self.work.new(like, None if shares is None else self.work.metas[shares].storage)
        meta = self.work.metas[result]
        meta.shape, meta.stride = tuple(seen.shape), seen.stride()
        self._emit(func, args, result, op)
        return result

    def _way_of_convolution(
        self, kernel: Kernel, converts: bool, forms: dict[str, ProductForm]
    ) -> str:
        work = self.work
        if not work.runs_onednn(kernel) or not (converts or kernel.act is not None):
            return "torch"
        a = named_arguments(kernel.op)
        x, weight, out = (work.metas[v] for v in (kernel.x, kernel.weight, kernel.out))
        grid = x if a["transposed"] else out
        cost = math.prod(weight.shape) * grid.shape[0] * math.prod(grid.shape[2:])
        if not work.timed or (cost >= _SMALL_CONVOLUTION and not forms):
            return "onednn"
        func, pack, geometry = _onednn_convolution(a, len(x.shape))
        attribute = work.attribute(kernel)
        rest = kernel.op.args[3:]

        def enter() -> dict[str, Callable[[], Any]]:
            form = format_of(len(x.shape)) if converts else torch.contiguous_format
            x_, w = (
                torch.ones(m.shape, dtype=m.dtype).contiguous(memory_format=form)
                for m in (x, weight)
            )
            bias = None if kernel.bias is None else torch.ones(out.shape[1], dtype=x.dtype)
            packed = pack(w, *geometry, list(x.shape)) if converts else w
            act = _runner(kernel.act)
            entrants: dict[str, Callable[[], Any]] = {
                "torch": lambda: act(aten.convolution.default(x_, w, bias, *rest)),
                "onednn": lambda: func(x_, packed, bias, *geometry, *attribute),
            }
            for name, form in forms.items():
                run = form.runner(x, bias is not None, attribute)
                entrants[name] = lambda run=run: run(x_)
            return entrants

        biased = kernel.bias is not None
        key = (x.shape, weight.shape, x.dtype, biased, converts, repr((rest, attribute)))
        usual = "onednn" if cost > _SMALL_CONVOLUTION >> 4 else "torch"
        return winner(Benchmark(("convolution", *key), usual, enter))

    def _product(self, kernel: Kernel) -> None:
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

    def _way_of_product(self, kernel: Kernel) -> str:
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
        return winner(Benchmark(("product", *key), usual, enter))

    def _pools(self, op: Op) -> bool:
        """Max pooling as maxima of slices, several times faster than the kernel with indices.

        With padding that holds in plain memory only.
        """
        work = self.work
        if op.func is not aten.max_pool2d_with_indices.default or not work.fuse:
            return False
        a = named_arguments(op)
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
        result: int = op.outs[0]  # type: ignore[assignment]
        self.ops[-1].outs = (result,)
        self.loose.add(result)
        if now in self.channels_last:
            self.channels_last.add(result)
        self._count("pooling")
        return True

    def _step(
        self, shape: Sequence[int], like: Meta, func: Any, *args: Any, storage: int | None = None
    ) -> int:
        """The result of a call that a rewriting adds."""
        result = self.work.new(like, storage)
        meta = self.work.metas[result]
        meta.shape, meta.stride = tuple(shape), strides_of(shape, range(len(shape))[::-1])
        self._call(Op(func, args, {}, (result,)))
        return result

    # ------------------------------------------------------------------------------------- layouts

    def _is_converted(self, v: int) -> bool:
        return v in self.channels_last or (
            v not in self.loose and is_channels_last(self.work.metas[v])
        )

    def _to_channels_last(self, v: int) -> int:
        if self._is_converted(v):
            return v
        known = self._converted.get(v)
        if known is not None:
            return known
        form = format_of(len(self.work.metas[v].shape))
        if v in self.work.constant:
            result = self.work.derive(aten.contiguous.default, Ref(v), memory_format=form)
        else:
            meta = self.work.metas[v]
            if v in self.loose:  # it may have the layout already, and is the same memory then
                func, result = aten.contiguous.default, self.work.new(meta, meta.storage)
            else:
                func, result = aten.clone.default, self.work.new(meta)
            self.ops.append(Op(func, (Ref(v),), {"memory_format": form}, (result,)))
        self.channels_last.add(result)
        self.loose.add(result)
        self._converted[v] = result
        return result

    def _call(self, op: Op) -> None:
        """A call that is no kernel, in the layout that its operands have by now."""
        used = used_by(op)
        outs = [o for o in op.outs if o is not None]
        if shared_sources(op):
            self._views.update(outs)
        if not any(u in self.loose for u in used):
            self.ops.append(op)
            return
        if not takes_any_strides(op.func) or self.work.is_frozen(op):
            is_aten = isinstance(op.func, torch._ops.OpOverload)
            if (
                is_aten
                and operator_name(op.func).startswith("as_strided")
                and used[0] in self._views
            ):
                raise UnfitError  # it reaches into memory that a copy would leave behind
            self.ops.append(op.replaced(lambda ref: Ref(self._as_recorded(ref.i))))
            return
        metas = self.work.metas
        name = operator_name(op.func)
        if op.func in VIEWS:
            op = Op(aten.reshape.default, op.args, op.kwargs, op.outs, op.metas, op.site, op.at)
        elif name in KEEP_FORMAT and all(len(metas[o].shape) in (4, 5) for o in outs):
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
        elif name not in ALWAYS_CONTIGUOUS:
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
        if not is_writable(meta):
            raise UnfitError
        shape, strides = list(meta.shape), list(meta.stride)
        return [
            Op(aten.new_empty_strided.default, (Ref(v), shape, strides), {}, (to,)),
            Op(aten.copy_.default, (Ref(to), Ref(v)), {}, (to,)),
        ]

    def _give_back(self) -> None:
        """Outputs in the strides that were recorded."""
        work = self.work
        outs = dict.fromkeys(work.subgraph.outs)
        moved = [o for o in outs if o in self.loose]
        if not moved:
            return
        family = work.family
        for o in moved:
            if sum(family.get(v, v) == family.get(o, o) for v in outs) > 1:
                raise UnfitError  # two outputs share memory, and copies would not
        inner = {o: work.new(work.metas[o], work.metas[o].storage) for o in moved}
        ops = []
        for op in self.ops:
            result = op.replaced(lambda ref: Ref(inner.get(ref.i, ref.i)))
            outs_ = tuple(None if o is None else inner.get(o, o) for o in op.outs)
            if outs_ != result.outs:
                result = Op(
                    result.func,
                    result.args,
                    result.kwargs,
                    outs_,
                    result.metas,
                    result.site,
                    result.at,
                )
            ops.append(result)
        last = [ops.pop()] if work.subgraph.read else []
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
