"""One run of a module, and one of a cell, over the same inputs: results and all gradients."""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from agar._core.autodiff import value_and_grad
from agar._core.parameter import Parameter
from agar._core.runtime import GRAPH_MODE, PYNATIVE_MODE, runtime
from agar._core.tensor import Tensor, wrap
from agar.migrate.cell_matching import Pair
from agar.migrate.random_replay import Mode, Replay, Served
from agar.migrate.recorder import differentiable
from agar.migrate.run_results import Result, original_result
from agar.migrate.sandbox import (
    CellBaseline,
    CellValues,
    keep_module,
    modules_of,
    run_module,
)
from agar.migrate.trees import Call, flatten

__all__ = ["REPLAYS", "run_cell", "run_original"]

#: Calls in GRAPH_MODE; two are recorded, so later ones are replays.
REPLAYS = 4


class Narrowing(Mode):
    """Notes whether floats are converted to narrower ones than a type.

    Constants of a narrower type are no matter: what meets them is computed in the wider one.
    """

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self.bits = torch.finfo(dtype).bits
        self.seen = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if not self.seen and func.overloadpacket in _CONVERSIONS:
            source = args[0] if func.overloadpacket is not torch.ops.aten.copy_ else args[1]
            self.seen = _bits(source) >= self.bits > _bits(out) > 0 and out.dim() > 0
        return out


_CONVERSIONS = (torch.ops.aten._to_copy, torch.ops.aten.copy_)


def _bits(value: Any) -> int:
    floats = isinstance(value, torch.Tensor) and value.is_floating_point()
    return torch.finfo(value.dtype).bits if floats else 0


@contextlib.contextmanager
def _narrowing(dtype: torch.dtype | None, result: Result) -> Iterator[None]:
    if dtype is None or dtype is not torch.float64:
        yield
        return
    watch = Narrowing(dtype)
    with watch:
        yield
    result.narrow = watch.seen


def cast(call: Call, dtype: torch.dtype | None) -> Call:
    """The call with its floats in another type; a tensor given twice stays one."""
    if dtype is None:
        return call
    casts: dict[int, torch.Tensor] = {}

    def change(value: torch.Tensor) -> torch.Tensor:
        if id(value) not in casts:
            casts[id(value)] = value.to(dtype) if value.is_floating_point() else value
        return casts[id(value)]

    return call.map(change)


def run_original(
    module: torch.nn.Module,
    state: dict[str, torch.Tensor],
    call: Call,
    sens: dict[str, torch.Tensor],
    draws: list[Any],
    *,
    dtype: torch.dtype | None = None,
) -> Result:
    """Run a module forward and backward, its random numbers given.

    Args:
        module (torch.nn.Module): it is left as it was.
        state (dict): what stands for its parameters and buffers; statistics in it are updated.
        call (Call): the inputs.
        sens (dict): by place, the gradients of the outputs; outputs without one get none.
        draws (list): the random numbers.
        dtype (torch.dtype, optional): the type to compute in. Default: ``None``.
    """
    result = Result()
    queue = list(draws)

    def take(kind: str, count: int) -> Any:
        for i, draw in enumerate(queue):
            if draw.kind == kind and draw.value.numel() == count:
                return queue.pop(i)
        return None

    with contextlib.ExitStack() as stack:
        stack.enter_context(keep_module(module))
        stack.enter_context(torch.enable_grad())
        stack.enter_context(_narrowing(dtype, result))
        if draws:
            stack.enter_context(Replay(take))
        given, leaves = differentiable(cast(call, dtype))
        out = run_module(module, state, given)
        whole = original_result(out, leaves, state, sens)
    whole.narrow = result.narrow
    return whole


class _Function:
    """A cell as a function from tensors to tensors, as gradients and recordings want it."""

    def __init__(self, cell: Any, module: Any, call: Call, sens: list[torch.Tensor | None]) -> None:
        self.cell = cell
        self.call = _as_called(cell, module, call)
        self.sens = sens
        self.shape: list[tuple[str, Any]] = []
        self.places: dict[int, int] = {}
        self.inputs: list[Tensor] = []
        self.names: list[str] = []
        self.runs = 0
        for place, value in call.tensors():
            if id(value) not in self.places:
                self.places[id(value)] = len(self.inputs)
                self.inputs.append(wrap(value))
                self.names.append(place)

    def arguments(self) -> list[Tensor]:
        """Fresh copies of the inputs; a cell may work in place."""
        return [wrap(t._value.detach().clone()) for t in self.inputs]

    def __call__(self, *given: Tensor) -> tuple[Any, ...]:
        """Run in Python; replays do not come here."""
        self.runs += 1
        call = self.call.map(lambda v: given[self.places[id(v)]])
        out = self.cell(*call.args, **call.kwargs)
        leaves = list(flatten(out))
        self.shape = [(n, None if isinstance(v, torch.Tensor) else v) for n, v in leaves]
        self.tensor_at = [isinstance(v, torch.Tensor) for _, v in leaves]
        outs = [wrap(v) for _, v in leaves if isinstance(v, torch.Tensor)]
        total: Any = None
        floats = [t for t in outs if t._value.is_floating_point() or t._value.is_complex()]
        for t, s in zip(floats, self.sens, strict=False):
            if s is None or s.shape != t._value.shape:
                continue
            weight = s.to(t._value.dtype)
            # its gradient by the output is the weight itself, whatever rounding the sum has
            product = t._value * (weight.conj() if weight.is_complex() else weight)
            part = (product.real if product.is_complex() else product).sum()
            total = part if total is None else total + part
        head = wrap(torch.zeros((), dtype=torch.float32) if total is None else total)
        return (head, *outs)

    def output(self, outs: tuple[Tensor, ...]) -> list[tuple[str, Any]]:
        """The leaves of the result, numbers and texts among them."""
        values = iter(outs)
        return [
            (n, next(values)._value.detach() if is_tensor else v)
            for (n, v), is_tensor in zip(self.shape, self.tensor_at, strict=True)
        ]


def run_cell(
    pair: Pair,
    values: dict[int, torch.Tensor],
    call: Call,
    sens: dict[str, torch.Tensor],
    served: Served,
    *,
    dtype: torch.dtype | None = None,
    graph: bool = False,
    train: bool = False,
    watched: Any = None,
    baseline: CellBaseline | None = None,
) -> Result:
    """Run a pair's cell forward and backward, its random numbers given.

    Args:
        pair (Pair): its cell is left as it was.
        values (dict): by identity, what stands in the place of parameters and buffers.
        call (Call): the inputs, as torch tensors.
        sens (dict): by place in the original's result, the gradients of the outputs.
        served (Served): the random numbers.
        dtype (torch.dtype, optional): the type to compute in. Default: ``None``.
        graph (bool): run compiled, several times, and give what a replay gave. Default: ``False``.
        train (bool): whether the cell trains. Default: ``False``.
        watched: a context to enter around the first run. Default: ``None``.
        baseline (CellBaseline, optional): what the cell is to be afterwards. Default: ``None``,
            as it is.
    """
    cell = pair.cell
    result = Result()
    baseline = CellBaseline(cell) if baseline is None else baseline
    with baseline.put_back(), CellValues(cell, values, dtype) as own:
        cell.set_train(train)
        parameters = [t for t, _ in own.copies if isinstance(t, Parameter) and _trained(t)]
        fn = _Function(cell, pair.module, cast(call, dtype), list(sens.values()))
        positions = tuple(
            i
            for i, t in enumerate(fn.inputs)
            if t._value.is_floating_point() or t._value.is_complex()
        )
        # one for all runs: what is compiled of it lives as long
        requested = (positions or None, parameters or None)
        gradient = value_and_grad(fn, *requested, has_aux=True) if any(requested) else None
        outs, grads = None, []
        eager_first = graph and (bool(served.draws) or watched is not None)
        modes = [False] * eager_first + (
            [True] * REPLAYS if graph else [] if eager_first else [False]
        )
        with served.serving(), _narrowing(dtype, result):
            for i, compiled in enumerate(modes):
                runtime.mode = GRAPH_MODE if compiled else PYNATIVE_MODE
                own.rewind()
                served.begin()
                before = fn.runs
                with watched if watched is not None and not i else contextlib.nullcontext():
                    outs, grads = _solve(fn, gradient, positions, parameters)
                result.replayed = fn.runs == before
        assert outs is not None
        result.output = fn.output(outs[1:])
        result.input_grads = {
            fn.names[i]: g._value.detach() for i, g in zip(positions, grads, strict=False)
        }
        for p, g in zip(parameters, grads[len(positions) :], strict=True):
            result.weight_grads[id(p)] = g._value.detach()
        trained = {id(p) for p in parameters}
        result.state = {id(t): v.detach() for t, v in own.copies if id(t) not in trained}
    return result


def _as_called(cell: Any, module: Any, call: Call) -> Call:
    """A call of the module as one of its cell, whose arguments have other names.

    Hints that only say what the module does by itself are left out: PyTorch's layers give them to
    each other, and a cell has no argument for them.
    """
    mine = inspect.signature(cell.construct)
    if any(p.kind is p.VAR_KEYWORD for p in mine.parameters.values()):
        return call
    its = inspect.signature(module.forward)
    kwargs = {
        n: v
        for n, v in call.kwargs.items()
        if n in mine.parameters or not (_by_itself(its, n, v) or _is_causal_hint(its, call, n))
    }
    as_called = Call(call.args, kwargs)
    if all(n in mine.parameters for n in kwargs):
        return as_called
    try:
        bound = its.bind(*call.args, **kwargs)
    except TypeError:
        return as_called
    bound.apply_defaults()
    if bound.kwargs or len(bound.args) != len(bound.arguments):
        return as_called
    values = list(bound.arguments.items())
    while len(values) > len(call.args) and _by_itself(its, *values[-1]):
        values.pop()
    positional = tuple(v for _, v in values)
    try:
        mine.bind(*positional)
    except TypeError:
        return as_called
    return Call(positional, {})


def _by_itself(its: inspect.Signature, name: str, value: Any) -> bool:
    plain = value is None or isinstance(value, (bool, int, float, str))
    return plain and name in its.parameters and its.parameters[name].default == value


_HINTS = {
    "is_causal": ("mask", "src_mask", "attn_mask"),
    "src_is_causal": ("src_mask",),
    "tgt_is_causal": ("tgt_mask",),
    "memory_is_causal": ("memory_mask",),
}


def _is_causal_hint(its: inspect.Signature, call: Call, name: str) -> bool:
    """Whether a keyword only says of a mask, which the cell is given too, that it is causal."""
    if name not in _HINTS or name not in its.parameters:
        return False
    if not call.kwargs[name]:
        return True
    try:
        given = its.bind(*call.args, **call.kwargs).arguments
    except TypeError:
        return False
    masks = [given[n] for n in _HINTS[name] if isinstance(given.get(n), torch.Tensor)]
    return len(masks) == 1 and _is_causal(masks[0])


def _is_causal(mask: torch.Tensor) -> bool:
    if mask.dim() != 2 or mask.shape[0] != mask.shape[1]:
        return False
    later = torch.ones(mask.shape, dtype=torch.bool, device=mask.device).triu(1)
    if mask.dtype is torch.bool:
        return torch.equal(mask, later)
    return torch.equal(mask, torch.zeros_like(mask).masked_fill(later, -math.inf))


def _trained(p: Parameter) -> bool:
    value = p._value
    return p.requires_grad and (value.is_floating_point() or value.is_complex())


def _solve(
    fn: _Function,
    gradient: Callable[..., Any] | None,
    positions: tuple[int, ...],
    parameters: list[Parameter],
) -> tuple[tuple[Tensor, ...], list[Tensor]]:
    """The results, and the gradients by the inputs and then by the parameters."""
    arguments = fn.arguments()
    if gradient is None:
        return fn(*arguments), []
    outs, grads = gradient(*arguments)
    if positions and parameters:
        left, right = grads
    else:
        left, right = (grads, ()) if positions else ((), grads)
    inputs = [left] if isinstance(left, Tensor) else list(left)
    return outs, [*inputs, *right]


def may_drop(module: torch.nn.Module) -> bool:
    """Whether a network in training draws random numbers, by the names of its parts."""
    return any(
        "drop" in type(m).__name__.lower() and getattr(m, "p", None) != 0
        for m in modules_of(module)
    )


def mode_matters(module: torch.nn.Module) -> bool:
    """Whether a layer does something else in evaluation."""
    kinds = (
        torch.nn.modules.batchnorm._NormBase,
        torch.nn.modules.dropout._DropoutNd,
        torch.nn.RReLU,
        torch.nn.RNNBase,
        torch.nn.MultiheadAttention,
    )
    known = type(module).__module__.startswith("torch.nn.modules")
    return isinstance(module, kinds) or (not known and not any(True for _ in module.children()))
