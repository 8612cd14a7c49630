"""The original's real run: what each module received, and what gradient came back to it."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from agar.migrate.cell_matching import Pair, Pairing
from agar.migrate.random_replay import Draw, DrawRecorder
from agar.migrate.run_results import Result, original_result
from agar.migrate.sandbox import keep_module, module_state, run_module, seeded
from agar.migrate.trees import Call, flatten, is_simple, tensors

__all__ = [
    "Recording",
    "RunCall",
    "cotangents",
    "differentiable",
    "is_mask",
    "record",
    "survey",
]


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
    """

    calls: list[RunCall] = field(default_factory=list)
    output: list[tuple[str, Any]] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    changed: set[tuple[str, int]] = field(default_factory=set)
    writes: bool = False
    result: Result | None = None


class _Watch:
    """Hooks on all paired modules of a network."""

    def __init__(self, pairing: Pairing, copied: set[tuple[str, int]] | None, grads: bool) -> None:
        self.by_module = pairing.of_module()
        self.copied = copied
        self.grads = grads
        self.calls: list[RunCall] = []
        self.counts: dict[int, int] = {}
        self.stack: list[RunCall | None] = []
        self.paths: list[str] = []

    def where(self) -> str:
        return self.paths[-1] if self.paths else ""

    def note(self, draw: Draw) -> None:
        """Give a draw to all calls in which it happens."""
        for call in self.stack:
            if call is not None:
                call.draws.append(draw)

    @contextlib.contextmanager
    def hooked(self, module: torch.nn.Module) -> Iterator[None]:
        handles = []
        for path, m in module.named_modules():
            before = self._before(path)
            handles.append(m.register_forward_pre_hook(before, with_kwargs=True))
            handles.append(m.register_forward_hook(self._after, with_kwargs=True, always_call=True))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def _before(self, path: str) -> Any:
        def hook(module: torch.nn.Module, args: Any, kwargs: Any) -> None:
            self.paths.append(path)
            pair = self.by_module.get(id(module))
            if pair is None:
                self.stack.append(None)
                return
            number = self.counts.get(id(module), 0)
            self.counts[id(module)] = number + 1
            call = Call(tuple(args), dict(kwargs))
            simple = is_simple(call.args) and is_simple(call.kwargs)
            inputs = [t for _, t in call.tensors()]
            if self.copied is not None and (pair.module_path, number) in self.copied:
                call = call.map(lambda t: t.detach().clone())
            else:
                call = call.map(lambda t: t.detach())
            run_call = RunCall(pair, call, number, len(self.calls), simple=simple)
            if self.copied is None:
                run_call.versions = [(t, t._version) for t in inputs]
            run_call.parent = next((c for c in reversed(self.stack) if c is not None), None)
            if run_call.parent is not None:
                run_call.parent.children.append(run_call)
            self.calls.append(run_call)
            self.stack.append(run_call)

        return hook

    def _after(self, module: torch.nn.Module, args: Any, kwargs: Any, out: Any) -> None:
        self.paths.pop()
        run_call = self.stack.pop()
        if run_call is None:
            return
        leaves = list(flatten(out))
        run_call.outputs = signatures(leaves)
        if not self.grads:
            return
        for place, value in tensors(out):
            if value.requires_grad:
                value.register_hook(lambda g, c=run_call, p=place: _note_grad(c, p, g))


def _note_grad(call: RunCall, place: str, grad: torch.Tensor) -> None:
    earlier = call.grads.get(place)
    call.grads[place] = grad.detach() if earlier is None else earlier + grad.detach()


def survey(
    module: torch.nn.Module, pairing: Pairing, call: Call, seed: int, backward: bool = False
) -> Recording:
    """A run of its own: which inputs are changed in place later, and what comes out.

    Args:
        module (torch.nn.Module): the original network.
        pairing (Pairing): its modules and their cells.
        call (Call): the arguments.
        seed (int): the seed for what is drawn.
        backward (bool): whether all gradients are taken too, for the recording's result. Default:
            ``False``.
    """
    watch = _Watch(pairing, None, grads=False)
    state = module_state(module)
    seeded(seed)
    with keep_module(module), watch.hooked(module), torch.set_grad_enabled(backward):
        if backward:
            given, leaves = differentiable(call)
        else:
            given, leaves = call.map(lambda t: t.detach().clone()), {}
        with DrawRecorder(watch.where, watch.note) as recorder:
            out = run_module(module, state, given)
        recording = Recording(output=_settled(out), draws=recorder.draws)
        recording.changed = {
            (c.pair.module_path, c.number)
            for c in watch.calls
            if any(t._version != v for t, v in c.versions)
        }
        recording.writes = any(v.requires_grad and v._version for v in state.values())
        if backward:
            sens = cotangents(signatures(recording.output), seed)
            recording.result = original_result(out, leaves, state, sens)
    return recording


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
    sens: dict[str, torch.Tensor],
    writes: bool = True,
    draws: bool = True,
) -> Recording:
    """Run the original forward and backward, with everything that its modules received.

    Args:
        module (torch.nn.Module): the original, in the mode in which it is to run.
        pairing (Pairing): its pairs.
        call (Call): the inputs.
        seed (int): of the random numbers.
        copied (set): calls whose inputs are changed later, from `survey`.
        sens (dict): gradients of the outputs, by place.
        writes (bool): it changes its parameters, and gets copies. Default: ``True``.
        draws (bool): it draws random numbers. Default: ``True``.
    """
    watch = _Watch(pairing, copied, grads=True)
    state = module_state(module, copy=writes)
    seeded(seed)
    with keep_module(module), watch.hooked(module), torch.enable_grad():
        given, leaves = differentiable(call)
        recorder = DrawRecorder(watch.where, watch.note)
        with recorder if draws else contextlib.nullcontext():
            out = run_module(module, state, given)
        settled = _settled(out)
        # the hooks see the gradients on their way
        result = original_result(out, leaves, state, sens)
    return Recording(watch.calls, settled, recorder.draws, result=result)
