"""What torch's DTensor lacks: operators that it has no rule for, or one that gathers too much.

NOTE Softmax along a cut dimension. torch would collect the whole dimension in every process. Here
each process computes its part, and maxima and sums go round: what makes a loss over a vocabulary,
or attention over a sequence, cheap when these are cut.

NOTE Operators without a rule. They compute with whole values in every process, and the result is
replicated. Views and operators that write into their inputs are left out: a view of a collected
copy would not be a view, and what is written into it would be lost. Random ones are left out, since
processes draw different numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

from agar._core.distributed import redistribution_search
from agar._core.runtime import thread

__all__ = ["install"]

aten = torch.ops.aten
_RANDOM = ("bernoulli", "poisson", "rand", "normal", "_standard_gamma", "philox", "dropout")


def install() -> None:
    """Give DTensor's dispatcher these operators, once."""
    from torch.distributed.tensor import DTensor

    handlers = DTensor._op_dispatcher._custom_op_handlers
    if aten._softmax.default in handlers:
        return
    _propagate_unrecorded(DTensor._op_dispatcher.sharding_propagator)
    redistribution_search.install()
    # a tensor of one element is the same in all processes, or the program is wrong anyway
    warnings.filterwarnings("ignore", "Found a non-scalar tensor with numel=1")
    handlers[aten._softmax.default] = _softmax
    handlers[aten._log_softmax.default] = _log_softmax
    handlers[aten._softmax_backward_data.default] = _softmax_backward
    handlers[aten._log_softmax_backward_data.default] = _log_softmax_backward
    for op in (aten.nll_loss_forward.default, aten.nll_loss2d_forward.default):
        handlers[op] = _nll_forward
    for op in (aten.nll_loss_backward.default, aten.nll_loss2d_backward.default):
        handlers[op] = _nll_backward
    for op in (aten.masked_fill_.Scalar, aten.masked_fill_.Tensor):
        handlers[op] = _masked_fill
    handlers[aten.embedding.default] = _embedding
    handlers[aten.gather.default] = _gather
    for op in _without_rule(DTensor._op_dispatcher.sharding_propagator):
        handlers.setdefault(op, _on_whole_values)
    _register_attention()


class _Unrecorded:
    """A method that works out placements on tensors without data, which no recording sees."""

    def __init__(self, method: Any) -> None:
        self._method = method

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if thread.recorder is None:
            return self._method(*args, **kwargs)
        with _disable_current_modes():
            return self._method(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)


def _propagate_unrecorded(propagator: Any) -> None:
    for name in ("propagate_op_sharding", "propagate_op_sharding_non_cached"):
        setattr(propagator, name, _Unrecorded(getattr(propagator, name)))


# ------------------------------------------------------------------------- whole values


def _without_rule(propagator: Any) -> Iterator[Any]:
    from torch.distributed.tensor._sharding_prop import DecompShardingStrategy

    known = {
        *propagator.op_to_rules,
        *propagator.op_strategy_funcs,
        *propagator.op_single_dim_strategy_funcs,
    }
    incomplete = {aten.im2col.default, aten.col2im.default}  # whose decomposition has no rule
    for name in dir(aten):
        packet = getattr(aten, name)
        if any(word in name for word in _RANDOM) or not hasattr(packet, "overloads"):
            continue
        for overload in packet.overloads():
            op = getattr(packet, overload)
            if op in known or not _is_plain_function(op):
                continue
            if op in incomplete or not DecompShardingStrategy.has_decomp(op):
                yield op


def _is_plain_function(op: Any) -> bool:
    schema = op._schema
    if schema.is_mutable or not schema.returns:
        return False
    if any(a.alias_info is not None for a in schema.arguments):
        return False
    takes = any("Tensor" in str(a.type) for a in schema.arguments)
    gives = all(str(r.type) in ("Tensor", "List[Tensor]") for r in schema.returns)
    try:
        composite = torch._C._dispatch_has_kernel_for_dispatch_key(
            op.name(), torch._C.DispatchKey.CompositeImplicitAutograd
        )
    except RuntimeError:  # an operator of TorchScript
        return False
    return takes and gives and not composite


def _map(value: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_map(v, change) for v in value)
    return value


def _on_whole_values(op: Any, args: Any, kwargs: Any) -> Any:
    """Run an operator on collected values; the result is replicated."""
    from torch.distributed.tensor import DTensor, Replicate

    mesh: Any = None

    def collect(value: torch.Tensor) -> torch.Tensor:
        nonlocal mesh
        if not isinstance(value, DTensor):
            return value
        mesh = value.device_mesh
        return value.redistribute(placements=[Replicate()] * mesh.ndim).to_local()

    result = op(*_map(tuple(args), collect), **{k: _map(v, collect) for k, v in kwargs.items()})
    return _map(result, lambda v: _wrapped(v, mesh, [Replicate()] * mesh.ndim))


def _wrapped(part: torch.Tensor, mesh: Any, placements: Any, shape: Any = None) -> Any:
    from torch.distributed.tensor import DTensor

    more = {}
    if shape is not None:
        more = {"shape": torch.Size(shape), "stride": torch.empty(shape, device="meta").stride()}
    return DTensor.from_local(part, mesh, placements, run_check=False, **more)


def _masked_fill(op: Any, args: Any, kwargs: Any) -> Any:
    """Fill in place, as gradients do: sums spread over the processes are added up first."""
    target, mask, value = args
    mask = _as_dtensor(mask, target)
    if any(p.is_partial() for p in target.placements):
        added = _without_partial(target)
        target._local_tensor, target._spec = added._local_tensor, added._spec
    mesh = target.device_mesh
    cut = [_of_broadcast(p, target, mask) for p in target.placements]
    part = mask.redistribute(placements=cut).to_local()
    if isinstance(value, torch.Tensor):
        value = _as_dtensor(value, target).redistribute(placements=_whole_on(mesh)).to_local()
    op(target._local_tensor, part, value)
    return target


def _whole_on(mesh: Any) -> list[Any]:
    from torch.distributed.tensor import Replicate

    return [Replicate()] * mesh.ndim


def _of_broadcast(placement: Any, target: Any, other: Any) -> Any:
    """How a tensor that is broadcast to `target` lies beside it."""
    from torch.distributed.tensor import Replicate, Shard

    if type(placement) is not Shard:
        return placement if other.shape == target.shape else Replicate()
    dim = placement.dim - (target.ndim - other.ndim)
    return Shard(dim) if dim >= 0 and other.shape[dim] > 1 else Replicate()


# ------------------------------------------------------------------------------- softmax


def _without_partial(x: Any) -> Any:
    from torch.distributed.tensor import Partial, Replicate

    if any(isinstance(p, Partial) for p in x.placements):
        return x.redistribute(
            placements=[Replicate() if isinstance(p, Partial) else p for p in x.placements]
        )
    return x


def _prepared(x: Any, dim: int) -> tuple[Any, list[int]]:
    """A DTensor whose parts can be computed with, and the axes of the mesh that cut `dim`.

    Uneven and strided cuts of that dimension are collected.
    """
    from torch.distributed.tensor import Replicate, Shard

    x = _without_partial(x)
    dim %= max(x.ndim, 1)
    mesh = x.device_mesh
    cuts = [i for i, p in enumerate(x.placements) if _cuts(p, dim)]
    parts = 1
    for i in cuts:
        parts *= mesh.shape[i]
    if cuts and (x.shape[dim] % parts or not all(type(x.placements[i]) is Shard for i in cuts)):
        keep = [Replicate() if i in cuts else p for i, p in enumerate(x.placements)]
        return x.redistribute(placements=keep), []
    return x, cuts


def _cuts(placement: Any, dim: int) -> bool:
    return getattr(placement, "dim", None) == dim and not placement.is_partial()


def _reduce(part: torch.Tensor, op: str, mesh: Any, axes: list[int]) -> torch.Tensor:
    from torch.distributed import _functional_collectives as functional

    for i in axes:
        part = functional.wait_tensor(functional.all_reduce(part, op, (mesh, i)))
    return part


def _softmax(op: Any, args: Any, kwargs: Any) -> Any:
    return _any_softmax(False, *args, **kwargs)


def _log_softmax(op: Any, args: Any, kwargs: Any) -> Any:
    return _any_softmax(True, *args, **kwargs)


def _any_softmax(log: bool, x: Any, dim: int, half_to_float: bool) -> Any:
    x, cuts = _prepared(x, dim)
    part = x.to_local()
    if not cuts:
        op = aten._log_softmax.default if log else aten._softmax.default
        return _wrapped(op(part, dim, half_to_float), x.device_mesh, x.placements, x.shape)
    kind = torch.float32 if half_to_float else part.dtype
    wide = part.to(torch.float32) if part.dtype.itemsize < 4 else part
    top = _reduce(wide.amax(dim, keepdim=True), "max", x.device_mesh, cuts)
    shifted = wide - top
    powers = shifted.exp()
    total = _reduce(powers.sum(dim, keepdim=True), "sum", x.device_mesh, cuts)
    out = shifted - total.log() if log else powers / total
    return _wrapped(out.to(kind), x.device_mesh, x.placements, x.shape)


def _softmax_backward(op: Any, args: Any, kwargs: Any) -> Any:
    return _any_backward(False, *args, **kwargs)


def _log_softmax_backward(op: Any, args: Any, kwargs: Any) -> Any:
    return _any_backward(True, *args, **kwargs)


def _any_backward(log: bool, grad: Any, out: Any, dim: int, dtype: torch.dtype) -> Any:
    out, cuts = _prepared(_as_dtensor(out, grad), dim)
    grad = _as_dtensor(grad, out).redistribute(placements=out.placements)
    g, y = grad.to_local(), out.to_local()
    inner = g if log else g * y
    total = _reduce(inner.sum(dim, keepdim=True), "sum", out.device_mesh, cuts)
    result = g - y.exp() * total if log else inner - y * total
    return _wrapped(result.to(dtype), out.device_mesh, out.placements, out.shape)


def _as_dtensor(value: Any, other: Any) -> Any:
    from torch.distributed.tensor import DTensor, Replicate

    if isinstance(value, DTensor):
        return value
    mesh = other.device_mesh
    return DTensor.from_local(value, mesh, [Replicate()] * mesh.ndim, run_check=False)


# ------------------------------------------------------------- negative log likelihood


def _class_dim(x: Any) -> int:
    return 0 if x.ndim == 1 else 1


def _first(x: Any, dim: int, cuts: list[int]) -> int:
    """The place along a dimension of the first element that this process has."""
    place, parts = 0, 1
    coordinate = x.device_mesh.get_coordinate()
    for i in cuts:  # from the major to the minor
        size = x.device_mesh.shape[i]
        place, parts = place * size + coordinate[i], parts * size
    return place * (x.shape[dim] // parts)


def _nll_parts(x: Any, target: Any, weight: Any) -> tuple[Any, ...]:
    """The local log-probabilities, targets and weights; and which targets this process has."""
    from torch.distributed.tensor import Replicate, Shard

    dim = _class_dim(x)
    x, cuts = _prepared(_as_dtensor(x, target), dim)
    mesh = x.device_mesh
    beside = []
    for p in x.placements:  # a target lies as the rows do
        if type(p) is Shard and p.dim != dim:
            beside.append(Shard(p.dim - 1 if p.dim > dim else p.dim))
        else:
            beside.append(Replicate())
    rows = [i for i, p in enumerate(beside) if type(p) is Shard]
    strange = any(
        p.is_shard() and i not in rows and i not in cuts for i, p in enumerate(x.placements)
    )
    if strange or any(type(p) is not Shard and not p.is_replicate() for p in x.placements):
        x = x.redistribute(placements=[Replicate()] * mesh.ndim)
        cuts, rows, beside = [], [], [Replicate()] * mesh.ndim
    t = _as_dtensor(target, x).redistribute(placements=beside).to_local()
    w = None
    if weight is not None:
        w = _as_dtensor(weight, x).redistribute(placements=[Replicate()] * mesh.ndim).to_local()
    part = x.to_local()
    first = _first(x, dim, cuts)
    mine = (t >= first) & (t < first + part.shape[dim])
    place = torch.where(mine, t - first, 0)
    return x, part, t, w, mine, place, cuts, rows, beside


def _factors(t: torch.Tensor, w: torch.Tensor | None, ignored: int, kind: Any) -> torch.Tensor:
    """What each row counts."""
    counted = (t != ignored).to(kind)
    if w is None:
        return counted
    return counted * w.to(kind)[torch.where(t == ignored, 0, t)]


def _nll_forward(op: Any, args: Any, kwargs: Any) -> Any:
    return _nll_value(*args, **kwargs)


def _nll_value(x: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    from torch.distributed.tensor import Replicate

    x, part, t, w, mine, place, cuts, rows, beside = _nll_parts(x, target, weight)
    mesh, dim = x.device_mesh, _class_dim(x)
    result = -part.gather(dim, place.unsqueeze(dim)).squeeze(dim)
    result = torch.where(mine & (t != ignore_index), result, 0)
    factors = _factors(t, w, ignore_index, part.dtype)
    losses = _reduce(result, "sum", mesh, cuts) * factors
    everywhere = [Replicate()] * mesh.ndim
    if reduction == 0:
        shape = (*x.shape[:dim], *x.shape[dim + 1 :])
        zero = torch.zeros((), dtype=part.dtype, device=part.device)
        return _wrapped(losses, mesh, beside, shape), _wrapped(zero, mesh, everywhere)
    total = _reduce(factors.sum(), "sum", mesh, rows)
    loss = _reduce(losses.sum(), "sum", mesh, rows)
    if reduction == 1:
        loss = loss / total
    return _wrapped(loss, mesh, everywhere), _wrapped(total, mesh, everywhere)


def _nll_backward(op: Any, args: Any, kwargs: Any) -> Any:
    return _nll_gradient(*args, **kwargs)


def _nll_gradient(
    grad: Any, x: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total: Any
) -> Any:
    from torch.distributed.tensor import Replicate

    x, part, t, w, mine, place, _, _, beside = _nll_parts(x, target, weight)
    mesh, dim = x.device_mesh, _class_dim(x)
    everywhere = [Replicate()] * mesh.ndim
    kind = beside if reduction == 0 else everywhere
    g = _as_dtensor(grad, x).redistribute(placements=kind).to_local()
    factors = _factors(t, w, ignore_index, part.dtype) * g
    if reduction == 1:
        factors = factors / _as_dtensor(total, x).redistribute(placements=everywhere).to_local()
    factors = torch.where(mine & (t != ignore_index), -factors, 0)
    result = torch.zeros_like(part).scatter_(dim, place.unsqueeze(dim), factors.unsqueeze(dim))
    return _wrapped(result, mesh, x.placements, x.shape)


# -------------------------------------------------------------------------------- lookups
#
# torch's own rules give sums that are spread over the processes together with a mask, which can be
# added up once only, while such a result may be needed again for a gradient.


def _embedding(op: Any, args: Any, kwargs: Any) -> Any:
    return _rows(*args, **kwargs)


def _rows(
    table: Any, places: Any, padding_idx: int = -1, scale: bool = False, sparse: bool = False
) -> Any:
    """Rows of a table, of which each process may have some."""
    from torch.distributed.tensor import Replicate, Shard

    places = _as_dtensor(places, table)
    table, cuts = _prepared(_as_dtensor(table, places), 0)
    mesh = table.device_mesh
    placements: list[Any] = []
    beside: list[Any] = []
    for i, p in enumerate(table.placements):
        own = places.placements[i]
        if i in cuts or not p.is_replicate() or type(own) is not Shard:
            own = Replicate()
        beside.append(own)
        column = i not in cuts and type(p) is Shard
        placements.append(Shard(places.ndim) if column else own)
    if any(not p.is_replicate() and type(p) is not Shard for p in table.placements):
        table = table.redistribute(placements=_whole_on(mesh))
        cuts, placements = [], beside
    part, index = table.to_local(), places.redistribute(placements=beside).to_local()
    first = _first(table, 0, cuts)
    mine = (index >= first) & (index < first + part.shape[0])
    if cuts:
        result = aten.embedding.default(part, torch.where(mine, index - first, 0))
        result = _reduce(torch.where(mine.unsqueeze(-1), result, 0), "sum", mesh, cuts)
    else:
        result = aten.embedding.default(part, index, padding_idx, scale, sparse)
    return _wrapped(result, mesh, placements, (*places.shape, table.shape[1]))


def _gather(op: Any, args: Any, kwargs: Any) -> Any:
    return _gathered(*args, **kwargs)


def _gathered(x: Any, dim: int, places: Any, *, sparse_grad: bool = False) -> Any:
    """Elements along a dimension, which is collected; rows stay where they are."""
    from torch.distributed.tensor import Replicate, Shard

    x, places = _as_dtensor(x, places), _as_dtensor(places, x)
    mesh, dim = x.device_mesh, dim % max(x.ndim, 1)
    items: list[Any] = []
    for p, q in zip(x.placements, places.placements, strict=True):
        at = next((r.dim for r in (p, q) if type(r) is Shard and r.dim != dim), None)
        even = at is not None and x.shape[at] == places.shape[at]
        items.append(Shard(at) if at is not None and even else Replicate())
    part = x.redistribute(placements=items).to_local()
    index = places.redistribute(placements=items).to_local()
    return _wrapped(aten.gather.default(part, dim, index), mesh, items, places.shape)


# ------------------------------------------------------------------------------ attention


def _register_attention() -> None:
    """Attention of the CPU with its batch or its heads cut, which torch has for CUDA only."""
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.experimental import register_sharding

    forward = aten._scaled_dot_product_flash_attention_for_cpu.default
    backward = aten._scaled_dot_product_flash_attention_for_cpu_backward.default

    @register_sharding(forward)
    def _(
        query: Any, key: Any, value: Any, dropout_p: Any = 0.0, is_causal: Any = False,
        attn_mask: Any = None, scale: Any = None,
    ) -> Any:  # fmt: skip
        items: list[Any] = []
        equal = key.shape[1] == query.shape[1]
        for placement in (Replicate(), Shard(0), *([Shard(1)] if equal else [])):
            # the second result has the shape (batch, rows, heads) or (batch, heads, rows)
            second: Any = placement
            ins: list[Any] = [placement] * 3 + [None, None]
            ins = _with_mask(ins, attn_mask, placement, query)
            items.append(([placement, second], ins))
        return items

    @register_sharding(backward)
    def _(
        grad_out: Any, query: Any, key: Any, value: Any, out: Any, logsumexp: Any,
        dropout_p: Any, is_causal: Any, attn_mask: Any = None, scale: Any = None,
    ) -> Any:  # fmt: skip
        items: list[Any] = []
        equal = key.shape[1] == query.shape[1]
        for placement in (Replicate(), Shard(0), *([Shard(1)] if equal else [])):
            ins: list[Any] = [placement] * 6 + [None, None]
            ins = _with_mask(ins, attn_mask, placement, query)
            items.append(([placement] * 3, ins))
        return items


def _with_mask(ins: list[Any], mask: Any, placement: Any, query: Any) -> list[Any]:
    from torch.distributed.tensor import Replicate

    if mask is None:
        return ins
    dim = getattr(placement, "dim", None)
    own = dim is not None and mask.ndim == len(query.shape) and mask.shape[dim] > 1
    return [*ins, placement if own else Replicate()]
