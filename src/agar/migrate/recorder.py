"""The original's real run: what each module received, and what gradient came back to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

import torch

from agar.migrate.cell_matching import Pair, Pairing
from agar.migrate.random_replay import Draw, DrawRecorder, drawing_nothing
from agar.migrate.run_results import Result, original_result
from agar.migrate.sandbox import keep_module, module_state, named_modules, run_module, seeded
from agar.migrate.trees import Call, flatten, is_simple

__all__ = [
    "Recording",
    "RunCall",
    "cotangents",
    "differentiable",
    "is_mask",
    "record",
    "survey",
]

#: The arguments of calls that are not kept.
_NOTHING = Call()
#: Results of calls are copied up to this number of elements: what follows may change them.
_COPIED = 1 << 22


@dataclass(eq=False)
class RunCall:
    """One call of one module.

    Attributes:
        pair: the pair of the module.
        call: the arguments, as they were before the module ran.
        number: which call of this module it was.
        order: which call of all it was, by its beginning.
        outputs: place, shape and type of what it returned and can have gradients.
        grads: by the place of an output, the gradient that came back to it.
        draws: what was drawn in it.
        simple: the arguments are tensors and numbers in Python's containers.
        parent: the call in which it was made, or None.
        children: calls that were made in it, in order.
        versions: the tensors among its arguments, with their version counters before the call.
        copied: the arguments are copies.
        captured: `call` holds the arguments.
        results: what it returned, as it was then; None where it was not kept.
        received: by the place of an input, the gradient that this call alone gave it.
        in_place: it changes its input, and `received` is the gradient of all that use it.
    """

    pair: Pair
    call: Call
    number: int
    order: int
    outputs: list[tuple[str, torch.Size, torch.dtype]] = field(default_factory=list)
    grads: dict[str, torch.Tensor] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    simple: bool = True
    parent: RunCall | None = None
    children: list[RunCall] = field(default_factory=list)
    versions: list[tuple[torch.Tensor, int]] = field(default_factory=list)
    copied: bool = False
    captured: bool = True
    results: list[tuple[str, Any]] | None = None
    received: dict[str, torch.Tensor] = field(default_factory=dict)
    in_place: bool = False

    @property
    def usable(self) -> bool:
        """Whether `call` holds the arguments as they were, so that the call can be repeated."""
        return self.captured and (self.copied or not self.changed)

    @property
    def changed(self) -> bool:
        """Whether an argument was changed in place since."""
        return any(t._version != v for t, v in self.versions)


@dataclass
class Recording:
    """A run of the whole original.

    Attributes:
        calls: of all paired modules, in order of their beginnings.
        output: leaves of the network's result.
        draws: all random numbers.
        changed: calls whose inputs were changed in place afterwards.
        writes: a parameter was changed in place.
        result: the network's own result with all gradients; None where it ran forward only.
        watched: what it drew was looked at.
        unseen: it was not, and torch's generator was drawn from.
    """

    calls: list[RunCall] = field(default_factory=list)
    output: list[tuple[str, Any]] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    changed: set[tuple[str, int]] = field(default_factory=set)
    writes: bool = False
    result: Result | None = None
    watched: bool = True
    unseen: bool = False


class _Watch:
    """Hooks on the modules of a network, which note the calls, the draws and the gradients.

    Args:
        pairing (Pairing): the pairs whose calls are kept.
    """

    def __init__(self, pairing: Pairing) -> None:
        self.by_module = pairing.of_module()
        self.calls: list[RunCall] = []
        self.counts: dict[int, int] = {}
        #: the calls in which this code runs, and the innermost of those that are kept
        self.stack: list[RunCall | None] = []
        self.around: list[RunCall | None] = [None]
        self.paths: list[str] = []

    def where(self) -> str:
        return self.paths[-1] if self.paths else ""

    def note(self, draw: Draw) -> None:
        """Give a draw to all calls in which it happens."""
        for call in self.stack:
            if call is not None:
                call.draws.append(draw)

    def hook(self, module: torch.nn.Module) -> None:
        """Put hooks on a module and what is in it; `keep_module` takes them off."""
        for path, m in named_modules(module).items():
            if self.watches(m):
                m.register_forward_pre_hook(self._before(path), with_kwargs=True)
                m.register_forward_hook(self._after, with_kwargs=True, always_call=True)

    def watches(self, module: torch.nn.Module) -> bool:
        """Whether a module gets hooks."""
        return True

    def begins(self, run_call: RunCall, module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
        """Keep what is needed of a call; gives the arguments to make it with, or None."""
        raise NotImplementedError

    def ends(self, run_call: RunCall, leaves: list[tuple[str, Any]]) -> None:
        """Keep what is needed of a call's result."""

    def finish(self) -> None:
        """The network has run forward."""

    def changed(self) -> set[tuple[str, int]]:
        """The calls whose arguments were changed in place."""
        return {(c.pair.module_path, c.number) for c in self.calls if c.changed}

    def _before(self, path: str) -> Any:
        def hook(module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
            self.paths.append(path)
            pair = self.by_module.get(id(module))
            if pair is None:
                self.stack.append(None)
                return None
            number = self.counts.get(id(module), 0)
            self.counts[id(module)] = number + 1
            parent = self.around[-1]
            run_call = RunCall(pair, _NOTHING, number, len(self.calls), parent=parent)
            if parent is not None:
                parent.children.append(run_call)
            self.calls.append(run_call)
            self.stack.append(run_call)
            self.around.append(run_call)
            with drawing_nothing():
                return self.begins(run_call, module, args, kwargs)

        return hook

    def _after(self, module: torch.nn.Module, args: Any, kwargs: Any, out: Any) -> None:
        self.paths.pop()
        run_call = self.stack.pop()
        if run_call is None:
            return
        self.around.pop()
        if not (run_call.captured or run_call.parent is None):
            return
        with drawing_nothing():
            leaves = [("output", out)] if type(out) is torch.Tensor else list(flatten(out))
            run_call.outputs = signatures(leaves)
            self.ends(run_call, leaves)
            for place, value in leaves:
                if isinstance(value, torch.Tensor) and value.requires_grad:
                    value.register_hook(lambda g, c=run_call, p=place: _note_grad(c, p, g))


def _capture(run_call: RunCall, call: Call, copied: bool) -> list[tuple[str, torch.Tensor]]:
    """Keep the arguments of a call; gives the tensors among them."""
    run_call.in_place = getattr(run_call.pair.module, "inplace", False) is True
    run_call.copied = copied
    keep = (lambda t: t.detach().clone()) if copied else torch.Tensor.detach
    if len(call.args) == 1 and not call.kwargs and type(call.args[0]) is torch.Tensor:
        given = call.args[0]  # as most layers are called
        run_call.versions = [(given, given._version)]
        run_call.call = Call((keep(given),), {})
        return [("input[0]", given)]
    run_call.simple = is_simple(call.args) and is_simple(call.kwargs)
    inputs = call.tensors()
    run_call.versions = [(t, t._version) for _, t in inputs]
    run_call.call = call.map(keep)
    return inputs


class _Arguments(_Watch):
    """Keeps the arguments of every call, for runs of each call by itself.

    Args:
        pairing (Pairing): the pairs whose calls are kept.
        copied (set): calls whose arguments are kept as copies: they are changed in place later.
    """

    def __init__(self, pairing: Pairing, copied: Set[tuple[str, int]] = frozenset()) -> None:
        super().__init__(pairing)
        self.copied = copied

    def begins(self, run_call: RunCall, module: torch.nn.Module, args: Any, kwargs: Any) -> None:
        key = run_call.pair.module_path, run_call.number
        _capture(run_call, Call(tuple(args), dict(kwargs)), key in self.copied)


class _Inside(_Watch):
    """Keeps what is needed to compare calls inside of the network's run.

    Args:
        pairing (Pairing): the pairs whose calls are kept.
        chosen (Callable): takes a pair and returns whether its calls are to be compared. Of the
            others' calls nothing but that they happened is kept.
        others (bool): whether the others' calls are noted at all.
    """

    def __init__(self, pairing: Pairing, chosen: Callable[[Pair], bool], others: bool) -> None:
        super().__init__(pairing)
        self.chosen = {id(p) for p in pairing.pairs if chosen(p)}
        self.others = others
        #: results that are kept as they are, with their version counters
        self._returned: list[tuple[torch.Tensor, int, RunCall]] = []
        #: the network has run forward; calls in its backward pass are a checkpoint's second ones
        self._finished = False

    def watches(self, module: torch.nn.Module) -> bool:
        return self.others or id(self.by_module.get(id(module))) in self.chosen

    def begins(self, run_call: RunCall, module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
        if id(run_call.pair) not in self.chosen:
            run_call.captured = False
            return None
        in_place = getattr(module, "inplace", False) is True
        inputs = _capture(run_call, Call(tuple(args), dict(kwargs)), in_place)
        if run_call.simple and torch.is_grad_enabled():
            return self._follow(run_call, inputs, args, kwargs)
        return None

    def _follow(
        self, run_call: RunCall, inputs: list[tuple[str, torch.Tensor]], args: Any, kwargs: Any
    ) -> Any:
        """Note the gradients that a call gives its inputs; gives the arguments to call it with.

        Views of the inputs tell what this call gives from what others do that use the same. Where
        it works in place there can be no view, and what all give is noted.
        """
        views: dict[int, torch.Tensor] = {}
        for place, value in inputs:
            if not value.requires_grad or id(value) in views:
                continue
            view = value if run_call.in_place else value.view_as(value)
            views[id(value)] = view
            view.register_hook(lambda g, c=run_call, p=place: _note_received(c, p, g))
        if run_call.in_place or not views:
            return None
        if len(inputs) == len(args) == 1 and not kwargs and args[0] is inputs[0][1]:
            return (views[id(args[0])],), {}
        call = Call(tuple(args), dict(kwargs)).map(lambda t: views.get(id(t), t))
        return call.args, call.kwargs

    def ends(self, run_call: RunCall, leaves: list[tuple[str, Any]]) -> None:
        if run_call.captured and not self._finished:
            run_call.results = [
                (n, self._as_returned(v, run_call) if isinstance(v, torch.Tensor) else v)
                for n, v in leaves
            ]

    def _as_returned(self, value: torch.Tensor, call: RunCall) -> torch.Tensor:
        """A result as it is now; large ones are no copies, and forgotten if they change."""
        if value.numel() <= _COPIED:
            return value.detach().clone()
        self._returned.append((value, value._version, call))
        return value.detach()

    def finish(self) -> None:
        """Forget the results that were changed in place after they were returned."""
        for value, version, call in self._returned:
            if value._version != version:
                call.results = None
        self._returned.clear()
        self._finished = True


def _note_grad(call: RunCall, place: str, grad: torch.Tensor) -> None:
    earlier = call.grads.get(place)
    call.grads[place] = grad.detach() if earlier is None else earlier + grad.detach()


def _note_received(call: RunCall, place: str, grad: torch.Tensor) -> None:
    earlier = call.received.get(place)
    call.received[place] = grad.detach() if earlier is None else earlier + grad.detach()


def survey(
    module: torch.nn.Module, pairing: Pairing, call: Call, seed: int, watched: bool = True
) -> Recording:
    """A run forward alone: what comes out?

    Args:
        module (torch.nn.Module): the original network.
        pairing (Pairing): its modules and their cells.
        call (Call): the arguments.
        seed (int): the seed for what is drawn.
        watched (bool): whether draws and changes in place are noted; else there is the output
            alone. Default: ``True``.
    """
    watch = _Arguments(pairing) if watched else None
    state = module_state(module)
    with _running(module, watch, seed) as recorder, torch.no_grad():
        given = call.map(lambda t: t.detach().clone())
        with recorder if watched else contextlib.nullcontext():
            out = run_module(module, state, given)
    recording = Recording(output=_settled(out), draws=recorder.draws)
    recording.changed = watch.changed() if watch is not None else set()
    recording.writes = any(v.requires_grad and v._version for v in state.values())
    return recording


@contextlib.contextmanager
def _running(module: torch.nn.Module, watch: _Watch | None, seed: int) -> Iterator[DrawRecorder]:
    """A module that is watched, and left as it was; gives what notes its draws when entered."""
    seeded(seed)
    with keep_module(module):
        if watch is not None:
            watch.hook(module)
        yield DrawRecorder(watch.where, watch.note) if watch else DrawRecorder()


def _settled(out: Any) -> list[tuple[str, Any]]:
    return [(n, v.detach().clone() if isinstance(v, torch.Tensor) else v) for n, v in flatten(out)]


def cotangents(
    outputs: list[tuple[str, torch.Size, torch.dtype]], seed: int, given: Container[str] = ()
) -> dict[str, torch.Tensor]:
    """Random gradients, one for every output that can have one and is not `given` any.

    Args:
        outputs (list): place, shape and type of each output.
        seed (int): the seed of the random numbers.
        given (Container[str]): the places of outputs that get none. Default: ``()``.
    """
    source = torch.Generator().manual_seed(seed)
    out = {}
    for place, shape, dtype in outputs:
        if place not in given:
            noise = torch.randn(shape, generator=source, dtype=torch.float64)
            out[place] = noise.to(dtype)
    return out


def signatures(output: list[tuple[str, Any]]) -> list[tuple[str, torch.Size, torch.dtype]]:
    """Place, shape and type of all values of a result that can have gradients."""
    return [
        (place, value.shape, value.dtype)
        for place, value in output
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())
    ]


def is_mask(value: torch.Tensor) -> bool:
    """Whether a tensor has infinities, as masks have: no gradient by it says anything.

    Args:
        value (torch.Tensor): the tensor.
    """
    strided = value.layout is torch.strided
    return value.is_floating_point() and strided and bool(value.isinf().any())


def differentiable(call: Call) -> tuple[Call, dict[str, torch.Tensor]]:
    """A copy of a call whose float tensors are followed, and the leaves by their places.

    Args:
        call (Call): the call.
    """
    copies: dict[int, torch.Tensor] = {}
    followed: dict[int, torch.Tensor] = {}

    def follow(value: torch.Tensor) -> torch.Tensor:
        key = id(value)
        if key not in copies:
            # PyTorch drops a mask where it knows a kernel for it, so that its gradient is none
            if (value.is_floating_point() or value.is_complex()) and not is_mask(value):
                followed[key] = value.detach().requires_grad_()
                # modules may work in place, which a leaf does not allow
                copies[key] = followed[key].clone()
            else:
                copies[key] = value.detach().clone()
        return copies[key]

    copied = call.map(follow)
    leaves: dict[str, torch.Tensor] = {}
    for place, value in call.tensors():
        leaf = followed.pop(id(value), None)  # the first place of a tensor that is given twice
        if leaf is not None:
            leaves[place] = leaf
    return copied, leaves


def record(
    module: torch.nn.Module,
    pairing: Pairing,
    call: Call,
    seed: int,
    copied: set[tuple[str, int]],
    *,
    sens: dict[str, torch.Tensor] | None = None,
    writes: bool = True,
    draws: bool | None = True,
    inside: Callable[[Pair], bool] | None = None,
    others: bool = True,
) -> Recording:
    """Run the original forward and backward, with what its modules received.

    Args:
        module (torch.nn.Module): the original, in the mode in which it is to run.
        pairing (Pairing): its pairs.
        call (Call): the inputs.
        seed (int): of the random numbers.
        copied (set): calls whose inputs are changed later, from an earlier run.
        sens (dict, optional): gradients of the outputs, by place. Default: ``None``, random ones.
        writes (bool): it changes its parameters, and gets copies. Default: ``True``.
        draws (bool, optional): it draws random numbers. Default: ``True``; ``None`` for not known:
            the recording's `unseen` says whether it did.
        inside (Callable, optional): takes a pair and returns whether its calls are to be compared
            inside of the network's run; the arguments of others are not kept. Default: ``None``,
            all arguments are kept, for runs of each call by itself.
        others (bool): whether the calls of pairs that are not compared inside are noted, where
            that is not needed to say which of them draws. Default: ``True``.
    """
    watch = (
        _Inside(pairing, inside, others or bool(draws)) if inside else _Arguments(pairing, copied)
    )
    state = module_state(module, copy=writes)
    with _running(module, watch, seed) as recorder, torch.enable_grad():
        given, leaves = differentiable(call)
        before = torch.get_rng_state()
        with recorder if draws else contextlib.nullcontext():
            out = run_module(module, state, given)
        unseen = draws is None and not torch.equal(before, torch.get_rng_state())
        settled = _settled(out)
        watch.finish()
        if sens is None:
            sens = cotangents(signatures(settled), seed)
        # the hooks see the gradients on their way
        result = original_result(out, leaves, state, sens)
    changed = watch.changed()
    written = any(v.requires_grad and v._version for v in state.values())
    return Recording(
        watch.calls, settled, recorder.draws, changed, written, result, draws is not None, unseen
    )
