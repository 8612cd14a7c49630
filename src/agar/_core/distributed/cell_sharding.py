"""Parameters that cells have as operators use them, for the time of a call.

NOTE Groups. Cells that are not large have the parameters of all cells in them, and collect them in
one message (`nn.wrap._split_network` says which); a cell in such a cell finds its own there. What
is called by itself collects its own. Gradients of all of them go back in one message, which is sent
when the last of them is there, while the backward pass goes on with other cells.

NOTE Ahead. When a cell has its parameters, collecting those of the next one is begun: in the
forward pass the one that came next in the call before, in the backward pass the one that was called
before it. The cell that is called last is the first of the backward pass, and keeps them until
then. All processes run the same program, so that they send the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from agar._core.distributed.joined_messages import Joined, rings_of, sums_of, with_placements
from agar._core.distributed.parameter_parts import runs_again
from agar._core.distributed.sharding import distribute, in_parts, is_split, local, onto
from agar._core.distributed.state_sharding import ParameterSharding, notes, sharding_of
from agar._core.runtime import thread

__all__ = ["CallOrder", "CellSharding"]

_C: Any = torch._C  # its stubs do not list all that is used here


class CallOrder:
    """The cells of a network in the order of their calls, in this call and in the one before."""

    def __init__(self) -> None:
        self._last: list[_Entry] = []
        self._now: list[_Entry] = []
        self._latest: _Use | None = None

    @property
    def count(self) -> int:
        """How many cells were called in this call."""
        return len(self._now)

    def enter(self, cell: CellSharding) -> _Entry:
        """A cell is called."""
        entry = _Entry(cell, len(self._now))
        self._now.append(entry)
        return entry

    def leave(self, entry: _Entry) -> None:
        """Its call has ended."""
        entry.left = len(self._now)

    def expects(self, entry: _Entry) -> bool:
        """Whether calls went as in the call before up to here."""
        return entry.place < len(self._last) and self._last[entry.place].cell is entry.cell

    def next(self, entry: _Entry) -> CellSharding | None:
        """The cell whose parameters will be wanted next."""
        following = self._last[entry.place + 1 : entry.place + 2]
        return following[0].cell if following and self.expects(entry) else None

    def ends(self, entry: _Entry) -> bool:
        """Whether no other cell will be called after this one."""
        return self.expects(entry) and self._last[entry.place].left == len(self._last)

    def used(self, use: _Use) -> None:
        """A cell has its parameters for the call and for its backward pass."""
        use.before, self._latest = self._latest, use

    def close(self, waits: bool) -> None:
        """The call of the network has ended."""
        for entry in (*self._now, *self._last):
            entry.cell.forget(waits)
        self._last, self._now = self._now, []
        self._latest = None


class _Entry:
    __slots__ = ("cell", "left", "place")

    def __init__(self, cell: CellSharding, place: int) -> None:
        self.cell, self.place, self.left = cell, place, 0


class _Members:
    """Parameters that a cell has for a call, and the messages in which they go.

    Attributes:
        entries: the parameters and how they are cut.
        gathers: whether they are collected; else they are whole, and only gradients become parts.
        used: their specifications as operators use them.
        joined: the messages, and the places of their tensors.
    """

    __slots__ = ("entries", "gathers", "joined", "key", "used")

    def __init__(self, entries: list[tuple[Any, ParameterSharding]], gathers: bool) -> None:
        self.entries, self.gathers = entries, gathers
        self.used = [with_placements(p._value._spec, s.base) for p, s in entries]
        groups: dict[Any, list[int]] = {}
        for i, (p, s) in enumerate(entries):
            value = local(p._value)
            groups.setdefault((s.mesh, tuple(s.cut()[1]), value.dtype, value.device), []).append(i)
        self.joined = [
            (self._message(mesh, axes, places), places)
            for (mesh, axes, _, _), places in groups.items()
        ]

    def _message(self, mesh: Any, axes: tuple[int, ...], places: list[int]) -> Joined:
        taken = [self.entries[i] for i in places]
        return Joined(
            mesh, axes, [s.updated(p).shape for p, s in taken], [s.cut()[0] for _, s in taken]
        )


class _Use:
    """The parameters of a cell in one call of it, and in the backward pass of that call."""

    __slots__ = ("_flats", "before", "members", "packs", "parts", "values", "versions", "wholes")

    def __init__(self, members: _Members, values: list[Any]) -> None:
        self._flats: list[torch.Tensor] | None = None
        self.members = members
        self.values = values
        self.parts = [local(v.detach()) for v in values]
        self.versions = [p._version for p in self.parts]
        self.wholes: list[torch.Tensor] | None = None
        #: The use of the cell that was called before; its parameters will be wanted next.
        self.before: _Use | None = None
        #: Whether the backward pass will collect them again.
        self.packs = False

    def begin(self) -> None:
        """Begin to collect them."""
        if self.wholes is None and self._flats is None:
            self._flats = [
                joined.begin_collecting([self.parts[i] for i in places])
                for joined, places in self.members.joined
            ]

    def collect(self) -> list[torch.Tensor]:
        """The whole tensors."""
        if self.wholes is None:
            self.begin()
            assert self._flats is not None
            wholes: list[Any] = [None] * len(self.parts)
            for (joined, places), flat in zip(self.members.joined, self._flats, strict=True):
                for i, whole in zip(places, joined.collected(flat), strict=True):
                    wholes[i] = whole
            self._flats, self.wholes = None, wholes
        return self.wholes

    def collect_again(self) -> list[torch.Tensor]:
        """The whole tensors for the backward pass, in which those of the cell before come next."""
        if self.wholes is None:
            self.collect()
            if self.before is not None and self.before.packs:
                self.before.begin()
        assert self.wholes is not None
        return self.wholes

    def drop(self, waits: bool = True) -> None:
        """Let the whole tensors go; what was begun is awaited."""
        self.wholes = None
        flats, self._flats = self._flats, None
        for flat in flats or ():
            if waits:
                torch.ops._c10d_functional.wait_tensor(flat)

    def still_holds(self, values: list[Any]) -> bool:
        """Whether these are the tensors of which it has begun to collect the parts."""
        return all(
            a is b and p._version == v
            for a, b, p, v in zip(values, self.values, self.parts, self.versions, strict=True)
        )

    def __del__(self) -> None:
        if self._flats is not None:  # of a backward pass that was not made to its end
            with contextlib.suppress(RuntimeError):
                self.drop()


class _Used(torch.autograd.Function):
    """Parameters as operators use them, whose gradients become parts."""

    @staticmethod
    def forward(ctx: Any, use: _Use, *values: Any) -> Any:
        ctx.use = use
        ctx.set_materialize_grads(False)
        if use.members.gathers:
            results = [in_parts(w, s) for w, s in zip(use.collect(), use.members.used, strict=True)]
        else:
            results = [v.view_as(v) for v in values]
        whole = [r for r, needs in zip(results, ctx.needs_input_grad[1:], strict=True) if not needs]
        ctx.mark_non_differentiable(*whole)
        return tuple(results)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        use: _Use = ctx.use
        use.drop()
        return (None, *_parts_of_gradients(use.members, list(grads)))


def _parts_of_gradients(members: _Members, grads: list[Any]) -> list[Any]:
    """Whole gradients as parts, in one message where that can be."""
    result: list[Any] = [None] * len(grads)
    for joined, places in members.joined:
        together: dict[tuple[int, ...], list[int]] = {}
        for i in places:
            if grads[i] is None:
                continue
            more = _also_summed(grads[i], members.entries[i][1])
            if more is None:  # replicated already, say, or to be differentiated again
                sharding = members.entries[i][1]
                result[i] = distribute(
                    onto(grads[i], sharding.mesh), sharding.mesh, sharding.states()
                )
            else:
                together.setdefault(more, []).append(i)
        for more, chosen in together.items():
            _sum_together(members, joined, places, more, chosen, grads, result)
    return result


def _sum_together(
    members: _Members,
    joined: Joined,
    places: list[int],
    more: tuple[int, ...],
    chosen: list[int],
    grads: list[Any],
    result: list[Any],
) -> None:
    sharding = members.entries[chosen[0]][1]
    if len(chosen) < len(places):
        at = [places.index(i) for i in chosen]
        axes = tuple(sharding.cut()[1])
        shapes, dims = [joined.shapes[k] for k in at], [joined.dims[k] for k in at]
        joined = Joined(sharding.mesh, axes, shapes, dims)
    rings = rings_of(sharding.mesh, more) if more else ()
    sums = sums_of(joined, [local(grads[i]) for i in chosen], rings)
    for i, part in zip(chosen, sums, strict=True):
        spec = with_placements(members.used[i], members.entries[i][1].states())
        result[i] = in_parts(part, spec)


def _also_summed(grad: Any, sharding: ParameterSharding) -> tuple[int, ...] | None:
    """Along which more axes addends of a gradient lie; None if they do not lie as expected."""
    if torch.is_grad_enabled() or not is_split(grad) or grad.device_mesh != sharding.mesh:
        return None
    cut, more = sharding.cut()[1], []
    for i, (now, base) in enumerate(zip(grad.placements, sharding.base, strict=True)):
        if i in cut:
            if not now.is_partial("sum"):
                return None
        elif now != base:
            if not (base.is_replicate() and now.is_partial("sum")):
                return None
            more.append(i)
    return tuple(more)


class _Saved:
    """A view of a collected parameter that autograd asked to be saved."""

    __slots__ = ("number", "spec", "use", "view")

    def __init__(self, use: _Use, number: int, value: Any) -> None:
        part = local(value)
        self.use = use
        self.number = number
        self.spec = value._spec
        self.view = part.shape, part.stride(), part.storage_offset()

    def again(self) -> torch.Tensor:
        """The view, of the parameter collected again."""
        whole = self.use.collect_again()[self.number]
        return in_parts(whole.as_strided(*self.view), self.spec)


class CellSharding:
    """The parameters that one cell has as operators use them, for the time of its calls.

    Args:
        name: of the cell, for messages.
        parameters: those that it reads, or those of all cells in it.
        order: the order of calls of the network, None for a cell that collects nothing ahead.
    """

    def __init__(
        self, name: str, parameters: Sequence[Any], order: CallOrder | None = None
    ) -> None:
        self.name = name
        self.parameters = list(parameters)
        self._order = order
        self._ahead: _Use | None = None
        self._sorted: dict[Any, list[_Members]] = {}
        self._noted = -1

    def run(self, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Make a call for which the cell's parameters lie as operators use them.

        Raises:
            RuntimeError: a collected parameter is written.
        """
        mine = self._to_enter()
        if not mine:
            return call(args, kwargs)
        order = None if thread.recomputing else self._order
        entry = None if order is None else order.enter(self)
        with self._entered(mine, order, entry):
            return call(args, kwargs)

    def _to_enter(self) -> list[tuple[Any, ParameterSharding]]:
        """The parameters that lie otherwise than operators use them, and no outer cell has."""
        pairs = [(p, s) for p in self.parameters if (s := sharding_of(p)) is not None]
        return [
            (p, s) for p, s in pairs if s.sharded is not None and not s.entered and s.of.level != 1
        ]

    def forget(self, waits: bool) -> None:
        """Let go what was collected ahead and not used."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.drop(waits)

    def _members(self, mine: list[tuple[Any, ParameterSharding]]) -> list[_Members]:
        """The parameters of a call by messages."""
        if self._noted != notes.count:
            self._sorted.clear()
            self._noted = notes.count
        differentiates = torch.is_grad_enabled()
        key = differentiates, *[(id(p), p._value.requires_grad) for p, _ in mine]
        result = self._sorted.get(key)
        if result is None:
            collected = [(p, s) for p, s in mine if not s.spreads()]
            whole = [
                (p, s)
                for p, s in mine
                if s.spreads() and s.of.level > 1 and p._value.requires_grad and differentiates
            ]
            result = [_Members(m, g) for m, g in ((collected, True), (whole, False)) if m]
            self._sorted[key] = result
        return result

    def _use(self, members: _Members) -> _Use:
        values = [p._value for p, _ in members.entries]
        ahead = self._ahead
        if ahead is not None and members.gathers:
            self._ahead = None
            if ahead.members is members and ahead.still_holds(values):
                return ahead
            ahead.drop()
        return _Use(members, values)

    def _begin_ahead(self) -> None:
        """Begin to collect what the next call of the cell will want."""
        mine = self._to_enter()
        if self._ahead is None and mine:
            for members in self._members(mine):
                if members.gathers:
                    self._ahead = _Use(members, [p._value for p, _ in members.entries])
                    self._ahead.begin()

    @contextlib.contextmanager
    def _entered(
        self,
        mine: list[tuple[Any, ParameterSharding]],
        order: CallOrder | None,
        entry: _Entry | None,
    ) -> Iterator[None]:
        before = [p._value for p, _ in mine]
        now = {id(p): p._value for p, _ in mine}
        use: _Use | None = None
        for members in self._members(mine):
            one = self._use(members)
            if members.gathers:
                use = one
            for (p, _), value in zip(members.entries, _as_used(one), strict=True):
                now[id(p)] = value
        for p, sharding in mine:
            p._value = now[id(p)]
            sharding.entered = True
        hooks: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
        if order is not None and entry is not None:
            following = order.next(entry)
            if following is not None:
                following._begin_ahead()
        if use is not None and thread.grad_scopes:
            hooks = self._saves(use, order is not None and entry is not None and order.ends(entry))
            if order is not None:
                order.used(use)
        versions = [local(now[id(p)])._version for p, _ in mine]
        try:
            with hooks:
                yield
            written = [
                p.name
                for (p, s), n in zip(mine, versions, strict=True)
                if not s.spreads() and (p._value is not now[id(p)] or local(p._value)._version != n)
            ]
            if written:
                raise RuntimeError(
                    f"For '{self.name}', construct writes into {written}, which were collected for "
                    "this call alone, so that the change would be lost. Set "
                    "parallel_optimizer=False of these parameters, with which they stay whole."
                )
        finally:
            if use is not None:
                use.wholes = None
            for (p, sharding), old in zip(mine, before, strict=True):
                if p._value is now[id(p)] or not sharding.spreads():
                    p._value = old
                sharding.entered = False
            if order is not None and entry is not None:
                order.leave(entry)

    def _saves(self, use: _Use, last: bool) -> contextlib.AbstractContextManager[Any]:
        """Let autograd keep no collected parameters; what it needs of them is collected again."""
        outer = _C._autograd._top_saved_tensors_default_hooks(False)
        if last or (outer is not None and runs_again(outer[0])):
            return contextlib.nullcontext()
        assert use.wholes is not None
        numbers = {w.untyped_storage()._cdata: i for i, w in enumerate(use.wholes)}
        use.packs = True

        def pack(value: Any) -> Any:
            if is_split(value):
                number = numbers.get(local(value).untyped_storage()._cdata)
                if number is not None:
                    return _Saved(use, number, value)
            return value if outer is None else outer[0](value)

        def unpack(saved: Any) -> torch.Tensor:
            if type(saved) is _Saved:
                return saved.again()
            return saved if outer is None else outer[1](saved)

        return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def _as_used(use: _Use) -> list[Any]:
    if torch.is_grad_enabled() and any(v.requires_grad for v in use.values):
        return list(_Used.apply(use, *use.values))
    if not use.members.gathers:
        return use.values
    return [in_parts(w, s) for w, s in zip(use.collect(), use.members.used, strict=True)]
