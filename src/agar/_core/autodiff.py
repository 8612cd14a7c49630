"""Gradients: torch.autograd computes them, MindSpore's rules say what they mean.

NOTE Recording. Outside a gradient nothing is recorded: no agar tensor requires a gradient. A
transform opens a scope, makes the chosen inputs and parameters differentiable, runs the function
once, asks torch for the gradients, and restores everything whatever happens. Inputs get a
differentiable leaf over the same memory in their slot; parameters are switched in place, counted,
so that nested and concurrent transforms do not switch each other off.

NOTE Identity. A gradient is taken with respect to a tensor object. A tensor that is passed twice,
or reached through a closure as well, has one gradient: the sum (as observed in MindSpore 2.10).

NOTE Kept records. After ``cell.set_grad()``, calling the cell records. A transform of the same cell
over the same input objects then takes its gradient from that record, which is used once.
"""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch._C import _autograd, _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core.errors import describe
from agar._core.hooks import attach
from agar._core.parameter import Parameter
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["GradOperation", "get_grad", "grad", "record_call", "value_and_grad"]

_lock = threading.Lock()
_active: dict[int, list[Any]] = {}  # id(torch tensor) -> [tensor, count, torch's own flag]


# ------------------------------------------------------------------------------ recording


class _Alias(torch.autograd.Function):
    """The identity onto a tensor over the same memory that in-place operators may change."""

    @staticmethod
    def forward(ctx: Any, leaf: torch.Tensor) -> torch.Tensor:
        alias = torch.empty(0, dtype=leaf.dtype, device=leaf.device)
        return alias.set_(leaf.untyped_storage(), leaf.storage_offset(), leaf.shape, leaf.stride())

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return grad


def _switch_on(values: Iterable[torch.Tensor]) -> None:
    """Make parameters' tensors differentiable; each call needs its `_switch_off`."""
    with _lock:
        for value in values:
            entry = _active.get(id(value))
            if entry is None:
                entry = _active[id(value)] = [value, 0, value.requires_grad]
                if not value.requires_grad:
                    value.requires_grad_(True)
            entry[1] += 1


def _switch_off(values: Iterable[torch.Tensor]) -> None:
    with _lock:
        for value in values:
            entry = _active[id(value)]
            entry[1] -= 1
            if entry[1] == 0:
                del _active[id(value)]
                if not entry[2] and value.is_leaf:
                    value.requires_grad_(False)


class GradScope:
    """One recording: which tensors were made differentiable, and what to undo at its end."""

    def __init__(self) -> None:
        self._swapped: list[tuple[Tensor, torch.Tensor, torch.Tensor]] = []
        self._switched: list[torch.Tensor] = []
        self._touched: list[Any] = []

    @classmethod
    def over(cls, inputs: Iterable[Tensor]) -> GradScope:
        """A scope whose inputs are differentiable already; it is not closed."""
        scope = cls()
        for tensor in inputs:
            if tensor._value.requires_grad:
                scope._swapped.append((tensor, tensor._value, tensor._value))
        return scope

    def open_input(self, tensor: Tensor) -> torch.Tensor:
        """Make an input differentiable; returns the leaf to differentiate by."""
        for seen, _, leaf in self._swapped:
            if seen is tensor:
                return leaf
        value = tensor._value
        # .data: a later in-place change of the input must not disturb a kept record
        leaf = value if value.requires_grad else value.data.requires_grad_()
        self._swapped.append((tensor, value, leaf))
        tensor._value = leaf
        return leaf

    def open_parameters(self, parameters: Iterable[Tensor]) -> dict[int, torch.Tensor]:
        """Make parameters differentiable; returns the leaves to differentiate by, by identity."""
        leaves = {
            id(p._value): p._value
            for p in parameters
            if getattr(p, "requires_grad", True) and _differentiable(p)
        }
        self._switched = list(leaves.values())
        _switch_on(self._switched)
        return leaves

    def hand_over(self) -> list[torch.Tensor]:
        """Leave the parameters switched on; the caller puts them back with `_switch_off`."""
        switched, self._switched = self._switched, []
        return switched

    def touch(self, tensor: Tensor) -> bool:
        """Note a tensor that is about to be changed in place; True if this scope made it.

        torch forbids to change a leaf or a view of one. An input becomes its leaf's alias, and a
        view of an input the same view of that alias, so both may be changed.
        """
        value = tensor._value
        base = value._base
        for seen, _, leaf in self._swapped:
            if seen is tensor:
                if value is leaf:
                    tensor._value = _Alias.apply(leaf)
                return True
            if base is not None and base is (leaf if leaf._base is None else leaf._base):
                if seen._value is leaf:
                    seen._value = _Alias.apply(leaf)
                tensor._value = seen._value.as_strided(
                    value.shape, value.stride(), value.storage_offset()
                )
                return True
        self._touched.append(weakref.ref(tensor))
        return False

    def close(self, nested: bool) -> None:
        """Undo what the scope did. Unless nested, stored tensors lose their history."""
        for tensor, value, leaf in reversed(self._swapped):
            now = tensor._value
            if now is leaf or (now.data_ptr() == value.data_ptr() and now.shape == value.shape):
                tensor._value = value
            elif not nested:
                tensor._value = now.detach()
        _switch_off(self._switched)
        if not nested:
            for ref in self._touched:
                tensor = ref()
                if tensor is not None and tensor._value.requires_grad:
                    tensor._value = tensor._value.detach()
        elif thread.grad_scopes:
            thread.grad_scopes[-1]._touched += self._touched


def scope_is_open() -> bool:
    """Whether a gradient is being recorded in this thread."""
    return bool(thread.grad_scopes)


def keep(value: Any) -> None:
    """Note tensors that outlive the call (stored on a cell) while a scope is open."""
    scopes = thread.grad_scopes
    if scopes and isinstance(value, Tensor) and not isinstance(value, Parameter):
        scopes[-1]._touched.append(weakref.ref(value))


def tensors_in(value: Any, found: list[Tensor] | None = None) -> list[Tensor]:
    """All tensors in nested tuples, lists and dicts, in order."""
    found = [] if found is None else found
    if isinstance(value, Tensor):
        found.append(value)
    elif isinstance(value, (tuple, list)):
        for v in value:
            tensors_in(v, found)
    elif isinstance(value, dict):
        for v in value.values():
            tensors_in(v, found)
    elif isinstance(value, Structure):
        tensors_in(value._held, found)
    return found


def map_tensors(value: Any, fn: Callable[[Tensor], Any]) -> Any:
    """The same structure with `fn` applied to each tensor."""
    if isinstance(value, Tensor):
        return fn(value)
    if isinstance(value, tuple):
        items = [map_tensors(v, fn) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [map_tensors(v, fn) for v in value]
    if isinstance(value, dict):
        return {k: map_tensors(v, fn) for k, v in value.items()}
    if isinstance(value, Structure):
        return value._make(map_tensors(value._held, fn))
    return value


def _target(value: Any) -> Tensor | None:
    """The tensor by which a gradient with respect to an input is taken."""
    if isinstance(value, Tensor):
        return value
    return value._differentiated if isinstance(value, Structure) else None


def _differentiable(value: Any) -> bool:
    if not isinstance(value, Tensor):
        return False
    kind = value._value.dtype
    return kind.is_floating_point or kind.is_complex


class _Record:
    """A run of a function whose gradients can still be asked for, once."""

    __slots__ = ("held", "inputs", "leaves", "out")

    def __init__(
        self, inputs: dict[int, torch.Tensor], leaves: dict[int, torch.Tensor], out: Any
    ) -> None:
        self.inputs = inputs  # id(Tensor) -> leaf
        self.leaves = leaves  # id(torch tensor of a parameter) -> itself
        self.out = out
        self.held: list[torch.Tensor] = []  # parameters that are still switched on


def _run(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    inputs: Iterable[Tensor],
    parameters: Iterable[Tensor],
    hold: bool = False,
) -> tuple[_Record, bool]:
    """Run a function once while recording; the bool says whether an outer scope is open.

    With `hold` the parameters stay differentiable until the caller switches `held` off.
    """
    scope = GradScope()
    nested = bool(thread.grad_scopes)
    thread.open_gradient(scope)
    try:
        by_input = {id(t): scope.open_input(t) for t in inputs if _differentiable(t)}
        by_param = scope.open_parameters(parameters)
        with torch.enable_grad():
            # an input or parameter that is returned as it is must still be there to differentiate
            # when the scope has put its plain value back
            out = map_tensors(fn(*args, **kwargs), _not_leaf)
        record = _Record(by_input, by_param, out)
        if hold:
            record.held = scope.hand_over()
        return record, nested
    finally:
        thread.close_gradient()
        scope.close(nested)


def _not_leaf(t: Tensor) -> Tensor:
    value = t._value
    return wrap(value.view_as(value)) if value.requires_grad and value.is_leaf else t


def _backward(
    record: _Record,
    outputs: list[Tensor],
    cotangents: list[torch.Tensor] | None,
    leaves: list[torch.Tensor | None],
    create_graph: bool,
    keep: bool = False,
    owners: Sequence[Tensor] = (),
) -> list[torch.Tensor | None]:
    """Gradients of the outputs with respect to the leaves; None where there is none.

    With `keep` the recording can be used again. `owners` are the tensors that the leaves stand
    for; their hooks see the gradients.
    """
    pairs = [
        (t._value, None if cotangents is None else cotangents[i])
        for i, t in enumerate(outputs)
        if t._value.requires_grad
    ]
    expected = list({id(leaf): leaf for leaf in leaves if leaf is not None}.values())
    if not pairs or not expected:
        return [None] * len(leaves)
    # None where torch may put a one itself: given gradients make it import its symbolic shapes
    cots = [
        torch.ones_like(v) if c is None and (v.dim() or v.is_complex()) else c for v, c in pairs
    ]
    # torch asks for the parameters' switches again, and so does a recomputed cell, which runs now
    switched = [] if record.held else list(record.leaves.values())
    _switch_on(switched)
    handles = [
        handle
        for owner, leaf in zip(owners, leaves, strict=False)
        if leaf is not None and leaf.is_leaf
        for handle in attach(owner, leaf)
    ]
    if thread.recorder is not None:
        thread.recorder.mark()
    try:
        grads = torch.autograd.grad(
            [v for v, _ in pairs],
            expected,
            grad_outputs=cots,
            create_graph=create_graph,
            retain_graph=create_graph or keep,
            allow_unused=True,
        )
    finally:
        for handle in handles:
            handle.remove()
        _switch_off(switched)
    found = {id(w): g for w, g in zip(expected, grads, strict=True)}
    return [None if leaf is None else found[id(leaf)] for leaf in leaves]


# --------------------------------------------------------------------- records kept by cells


class _Kept:
    """Records of one cell by the identity of its inputs; a record dies with its inputs."""

    def __init__(self) -> None:
        self._records: dict[tuple[int, ...], tuple[_Record, list[Any], list[int]]] = {}

    def put(self, args: tuple[Any, ...], record: _Record) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        key = tuple(id(t) for t in tensors)
        refs = [weakref.ref(t, lambda _, key=key: self._records.pop(key, None)) for t in tensors]
        versions = [t._version for t in record.leaves.values()]
        self._records.pop(key, None)
        while len(self._records) >= 8:
            self._records.pop(next(iter(self._records)))
        self._records[key] = (record, refs, versions)

    def has(self, args: tuple[Any, ...]) -> bool:
        """Whether there is a record for these inputs."""
        return tuple(id(a) for a in args if isinstance(a, Tensor)) in self._records

    def take(self, args: tuple[Any, ...], parameters: Sequence[Tensor]) -> _Record | None:
        key = tuple(id(a) for a in args if isinstance(a, Tensor))
        found = self._records.get(key)
        if found is None:
            return None
        record, _, versions = found
        for p in parameters:
            known = id(p._value) in record.leaves
            if not known and getattr(p, "requires_grad", True) and _differentiable(p):
                return None  # a parameter that was not differentiable when the cell ran
        del self._records[key]
        # An in-place update between the call and the gradient is legal: the gradient uses the
        # new values (observed in MindSpore 2.10), so torch's version check is satisfied.
        moved = [
            (leaf, version)
            for leaf, version in zip(record.leaves.values(), versions, strict=True)
            if leaf._version != version
        ]
        if moved:
            _autograd._unsafe_set_version_counter(
                tuple(leaf for leaf, _ in moved), tuple(v for _, v in moved)
            )
        return record


def record_call(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Any) -> Any:
    """Run a cell on which ``set_grad()`` was called, and keep the record of it."""
    record, _ = _run(
        run,
        args,
        kwargs,
        [a for a in args if isinstance(a, Tensor)],
        [p for p in cell.get_parameters() if p.requires_grad],
    )
    # what a recorded run keeps ends with it
    home, key = (
        (cell.__dict__, "_kept_records")
        if thread.recorder is None
        else (thread.recorder.kept, id(cell))
    )
    kept = home.get(key)
    if kept is None:
        kept = home[key] = _Kept()
    if tensors_in(list(args)):
        kept.put(args, record)
    return map_tensors(record.out, _detached)


def _detached(t: Tensor) -> Tensor:
    if isinstance(t, Parameter) or not t._value.requires_grad:
        return t
    return wrap(t._value.detach())


# -------------------------------------------------------------------------------- the family


class _Request:
    """What a transform is asked for: positions, weights, and the shape of the answer."""

    def __init__(
        self,
        name: str,
        grad_position: Any,
        weights: Any,
        has_aux: Any,
        return_ids: Any,
        sens_param: Any,
    ) -> None:
        for label, flag in (
            ("has_aux", has_aux),
            ("return_ids", return_ids),
            ("sens_param", sens_param),
        ):
            if not isinstance(flag, bool):
                raise TypeError(
                    f"For '{name}', the argument '{label}' must be bool, but got {flag!r}."
                )
        if grad_position is None and weights is None:
            raise ValueError(
                f"For '{name}', `grad_position` and `weight` can not be None at the same time."
            )
        self.name = name
        self.positions = _positions(name, grad_position)
        self.single_position = isinstance(grad_position, int) or (
            self.positions is not None and len(self.positions) == 1
        )
        self.single_weight = isinstance(weights, Tensor)
        self.weights = _weights(name, weights)
        self.has_aux = has_aux
        self.return_ids = return_ids
        self.sens_param = sens_param
        #: What tells requests apart, for the graph engine; `weights` are kept alive by it.
        self.key = (
            name,
            grad_position if self.positions is None else self.positions,
            self.single_weight,
            self.weights,
            has_aux,
            return_ids,
            sens_param,
        )


def _positions(name: str, grad_position: Any) -> tuple[int, ...] | None:
    if grad_position is None:
        return None
    if isinstance(grad_position, int):
        positions: tuple[int, ...] = (int(grad_position),)
    elif isinstance(grad_position, tuple) and all(isinstance(i, int) for i in grad_position):
        positions = tuple(int(i) for i in grad_position)
    else:
        raise TypeError(
            f"For '{name}', the argument 'grad_position' must be int or tuple of int, but got "
            f"{grad_position!r}."
        )
    if any(i < 0 for i in positions):
        raise ValueError(
            f"For '{name}', every element of 'grad_position' must be >= 0, but got "
            f"{grad_position!r}."
        )
    if len(set(positions)) != len(positions):
        raise ValueError(
            f"For '{name}', the elements of 'grad_position' must differ, but got {grad_position!r}."
        )
    if not positions:
        raise RuntimeError(f"For '{name}', 'grad_position' must not be an empty tuple.")
    return positions


def _weights(name: str, weights: Any) -> tuple[Tensor, ...] | None:
    if weights is None:
        return None
    if isinstance(weights, Tensor):
        return (weights,)
    if isinstance(weights, (list, tuple)):
        for i, w in enumerate(weights):
            if not isinstance(w, Tensor):
                raise TypeError(
                    f"For '{name}', every element of 'weights' must be a Parameter, but element "
                    f"{i} is {describe(w)}."
                )
        return tuple(weights)
    raise TypeError(
        f"For '{name}', the argument 'weights' is expected to be a tensor, or a list or tuple of "
        f"tensors, but got {weights!r}."
    )


def _take_record(
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    inputs: list[Tensor],
    weights: Sequence[Tensor],
) -> tuple[_Record, bool]:
    recorder = thread.recorder
    kept = getattr(fn, "_kept_records", None) if recorder is None else recorder.kept.get(id(fn))
    if kept is not None and not kwargs:
        record = kept.take(args, weights)
        if record is not None:
            return record, bool(thread.grad_scopes)
    return _run(fn, args, kwargs, inputs, weights, hold=True)


def _cotangents(name: str, outputs: list[Tensor], sens: Any) -> list[torch.Tensor]:
    given = tensors_in(sens)
    if len(given) != len(outputs):
        raise RuntimeError(
            f"For '{name}', the gradient of the output (sens) must have one Tensor for each of "
            f"the {len(outputs)} outputs, but got {describe(sens)}."
        )
    result = []
    for i, (s, t) in enumerate(zip(given, outputs, strict=True)):
        try:
            result.append(s._value.to(t._value.dtype).expand_as(t._value))
        except RuntimeError as error:
            raise ValueError(
                f"For '{name}', the gradient of output {i} (sens) must have its shape "
                f"{t.shape}, but got {s.shape}."
            ) from error
    return result


def _zeros_or(grad: torch.Tensor | None, like: Tensor) -> Tensor:
    return wrap(torch.zeros_like(like._value) if grad is None else grad)


def _solve(
    request: _Request, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    """(value of fn, gradients in the structure of the request)."""
    if not callable(fn):
        raise TypeError(
            f"For '{request.name}', the argument 'fn' must be a function or a Cell, but got {fn!r}."
        )
    sens = None
    if request.sens_param:
        if not args:
            raise TypeError(
                f"For '{request.name}' with sens_param=True, the last argument of the call must be "
                "the gradient of the output."
            )
        args, sens = args[:-1], args[-1]
    given = (*args, *kwargs.values()) if kwargs else args
    positions = request.positions or ()
    for i in positions:
        if i >= len(given) and given:
            raise RuntimeError(
                f"For '{request.name}', Position index {i} is exceed input size {len(given)}."
            )
    targets = [(i, _target(given[i])) for i in positions if i < len(given)]
    chosen = [(i, t) for i, t in targets if t is not None]
    weights = request.weights or ()
    if functorch_level():
        record, grads = _solve_functional(request, fn, args, kwargs, chosen, weights, sens)
        value = record.out
        by_input, by_weight = grads[: len(chosen)], grads[len(chosen) :]
    else:
        record, nested = _take_record(fn, args, kwargs, [t for _, t in chosen], weights)
        try:
            value = record.out
            outputs = _outputs(request, value)
            cots = None if sens is None else _cotangents(request.name, outputs, sens)
            leaves = [record.inputs.get(id(t)) for _, t in chosen]
            leaves += [record.leaves.get(id(w._value)) for w in weights]
            create = nested or any(t._value.requires_grad for _, t in chosen)
            owners = (*(t for _, t in chosen), *weights)
            grads = _backward(record, outputs, cots, leaves, create, owners=owners)
        finally:
            _switch_off(record.held)
        if not create:
            value = map_tensors(value, _detached)
        by_input, by_weight = grads[: len(chosen)], grads[len(chosen) :]
    return value, _answer(request, chosen, by_input, weights, by_weight)


def _outputs(request: _Request, value: Any) -> list[Tensor]:
    if request.has_aux:
        if not isinstance(value, (tuple, list)) or len(value) < 2:
            raise ValueError(
                f"For '{request.name}' with has_aux=True, the function requires more than one "
                f"outputs, but returned {describe(value)}."
            )
        return [t for t in tensors_in(value[0]) if _differentiable(t)]
    return [t for t in tensors_in(value) if _differentiable(t)]


def _answer(
    request: _Request,
    chosen: list[tuple[int, Tensor]],
    by_input: list[torch.Tensor | None],
    weights: Sequence[Tensor],
    by_weight: list[torch.Tensor | None],
) -> Any:
    inputs: list[Any] = [_zeros_or(g, t) for g, (_, t) in zip(by_input, chosen, strict=True)]
    params: list[Any] = [_zeros_or(g, w) for g, w in zip(by_weight, weights, strict=True)]
    if request.return_ids:
        inputs = [(i, g) for g, (i, _) in zip(inputs, chosen, strict=True)]
        params = [(getattr(w, "name", None), g) for g, w in zip(params, weights, strict=True)]
    left: Any = inputs[0] if len(inputs) == 1 else tuple(inputs)
    right: Any = params[0] if request.single_weight else tuple(params)
    if request.weights is None:
        return left
    if request.positions is None:
        return right
    return left, right


def functorch_level() -> bool:
    """Whether the code runs inside vmap, jvp or another functorch transform."""
    return _functorch.peek_interpreter_stack() is not None


def _solve_functional(
    request: _Request,
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    chosen: list[tuple[int, Tensor]],
    weights: Sequence[Tensor],
    sens: Any,
) -> tuple[_Record, list[torch.Tensor | None]]:
    """The same under functorch, where tensors cannot be switched: through torch.func.vjp."""
    targets = [t for _, t in chosen if _differentiable(t)]
    targets += [w for w in weights if getattr(w, "requires_grad", True) and _differentiable(w)]
    unique = list({id(t): t for t in targets}.values())
    holder: dict[str, Any] = {}

    def call(*values: torch.Tensor) -> tuple[torch.Tensor, ...]:
        olds = [t._value for t in unique]
        for t, v in zip(unique, values, strict=True):
            t._value = v
        try:
            value = fn(*args, **kwargs)
        finally:
            for t, v in zip(unique, olds, strict=True):
                t._value = v
        holder["value"] = value
        outputs = _outputs(request, value)
        holder["outputs"] = outputs
        return tuple(t._value for t in outputs)

    found = torch.func.vjp(call, *(t._value for t in unique))
    outs, pull = found[0], found[1]
    primal = iter(outs)
    swap = {id(t): wrap(next(primal)) for t in holder["outputs"]}
    value = map_tensors(holder["value"], lambda t: swap.get(id(t), t))
    if sens is None:
        cots = tuple(torch.ones_like(o) for o in outs)
    else:
        cots = tuple(_cotangents(request.name, [wrap(o) for o in outs], sens))
    by_id = dict(zip((id(t) for t in unique), pull(cots), strict=True)) if outs else {}
    grads = [by_id.get(id(t)) for t in (*(t for _, t in chosen), *weights)]
    return _Record({}, {}, value), grads


def grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    r"""A function that computes the gradient of `fn`.

    All outputs of `fn` are summed: for outputs :math:`y_k` and an input :math:`x` the result is
    :math:`\sum_k \sum_i \partial y_{k,i} / \partial x`.

    Args:
        fn (Union[Cell, Callable]): the function to differentiate.
        grad_position (Union[int, tuple[int], None]): positions of the inputs by which to
            differentiate; keyword arguments count after the others, in the order of the call.
            Default: 0.
        weights (Union[ParameterTuple, Parameter, list[Parameter], None]): parameters by which to
            differentiate. Default: None.
        has_aux (bool): whether only the first output is differentiated and the others are
            returned beside the gradient. Default: False.
        return_ids (bool): whether each gradient becomes a pair with its position or parameter
            name, see :func:`get_grad`. Default: False.
        sens_param (bool): whether the last argument of the call is the gradient of the output.
            Default: False.

    Returns:
        Function. It returns one Tensor for a single position or Parameter, a tuple for several,
        and ``(inputs, weights)`` for both. Inputs that do not matter get zeros. With `has_aux`:
        ``(gradients, (output 2, ...))``.

    Raises:
        ValueError: positions are negative or repeated, or both `grad_position` and `weights` are
            None; with `has_aux`, `fn` has one output.
        TypeError: an argument is of the wrong type.
        RuntimeError: a position is beyond the inputs.

    Difference from PyTorch: functional; like ``torch.func.grad``, for any output, and by
    Parameters in place of a dictionary. Non-scalar outputs are summed. The gradient of an integer
    input is zero.

    Source: behaviour observed in MindSpore 2.10, whose forward pass may run twice; here it runs
    once.

    Examples:
        >>> import agar as ms
        >>> f = lambda x, y: x * x * y
        >>> print(ms.grad(f)(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
        [ 6. 16.]
    """
    request = _Request("grad", grad_position, weights, has_aux, return_ids, sens_param)

    def solve(*args: Any, **kwargs: Any) -> Any:
        value, grads = _solve(request, fn, args, kwargs)
        return (grads, tuple(value[1:])) if has_aux else grads

    return _compiled(request, fn, solve)


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """A function that computes the value of `fn` and its gradient in one run.

    Args:
        fn (Union[Cell, Callable]): the function to differentiate.
        grad_position (Union[int, tuple[int], None]): see :func:`grad`. Default: 0.
        weights (Union[ParameterTuple, Parameter, list[Parameter], None]): see :func:`grad`.
            Default: None.
        has_aux (bool): whether only the first output is differentiated. Default: False.
        return_ids (bool): see :func:`grad`. Default: False.
        sens_param (bool): see :func:`grad`. Default: False.

    Returns:
        Function that returns ``(value, gradients)``; the value is the whole output of `fn`.

    Raises:
        ValueError: see :func:`grad`.
        TypeError: see :func:`grad`.
        RuntimeError: see :func:`grad`.

    Difference from PyTorch: like ``torch.func.grad_and_value`` with the results the other way
    round, and by Parameters.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> value, gradient = ms.value_and_grad(lambda x: (x * x).sum())(ms.Tensor([1.0, 2.0]))
        >>> print(value, gradient)
        5.0 [2. 4.]
    """
    request = _Request("value_and_grad", grad_position, weights, has_aux, return_ids, sens_param)

    def solve(*args: Any, **kwargs: Any) -> Any:
        return _solve(request, fn, args, kwargs)

    return _compiled(request, fn, solve)


def _compiled(
    request: _Request, fn: Callable[..., Any], solve: Callable[..., Any]
) -> Callable[..., Any]:
    """The gradient function that users get: in GRAPH_MODE it is compiled as a whole."""

    def gradient(*args: Any, **kwargs: Any) -> Any:
        if runtime.mode == PYNATIVE_MODE or thread.inside or thread.grad_scopes:
            return solve(*args, **kwargs)
        kept = getattr(fn, "_kept_records", None)
        if kept is not None and kept.has(args):
            return solve(*args, **kwargs)  # the forward pass has run already
        return runtime.graph_gradient(fn, request.key, solve, args, kwargs)

    gradient.__dict__["_gradient_of"] = (fn, request.key)
    return gradient


def get_grad(gradients: Any, identifier: Any) -> Any:
    """Pick one gradient from the result of a transform with ``return_ids=True``.

    Args:
        gradients (tuple): what ``ms.grad(..., return_ids=True)`` returned.
        identifier (Union[int, Parameter]): the position of the input, or the parameter.

    Returns:
        Tensor, the gradient.

    Raises:
        RuntimeError: there is no such gradient.
        TypeError: `gradients` is no tuple, or `identifier` is neither int nor Parameter.

    Difference from PyTorch: none (no counterpart).

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> g = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(ms.Tensor(2.0), ms.Tensor(3.0))
        >>> print(ms.get_grad(g, 1))
        2.0
    """
    if not isinstance(gradients, tuple):
        raise TypeError(
            f"For 'get_grad', 'gradients' must be a tuple, but got {type(gradients).__name__}."
        )
    if isinstance(identifier, Parameter):
        key: Any = identifier.name
    elif isinstance(identifier, int):
        key = identifier
    else:
        raise TypeError(
            f"For 'get_grad', 'identifier' must be int or Parameter, but got {identifier!r}."
        )

    def search(node: Any) -> Any:
        if not isinstance(node, tuple):
            return None
        if len(node) == 2 and isinstance(node[0], (int, str)) and isinstance(node[1], Tensor):
            return node[1] if node[0] == key and type(node[0]) is type(key) else None
        for child in node:
            found = search(child)
            if found is not None:
                return found
        return None

    found = search(gradients)
    if found is None:
        raise RuntimeError(
            f"For 'get_grad', there is no gradient for {key!r}; was return_ids=True given, and is "
            "it among the positions or weights?"
        )
    return found


class GradOperation:
    """Makes functions that compute gradients; the older form of :func:`grad`.

    Args:
        get_all (bool): whether to differentiate by all tensor inputs instead of the first.
            Default: False.
        get_by_list (bool): whether to differentiate by parameters, given as the second argument
            of the call. Default: False.
        sens_param (bool): whether the last argument of the gradient function is the gradient of
            the output. Default: False.

    Inputs:
        - **fn** (Union[Cell, Callable]) - the function to differentiate.
        - **weights** (Union[ParameterTuple, Parameter, list]) - with `get_by_list`; by default
          the trainable parameters of the cell.

    Outputs:
        Function. It returns the gradient of the first input, with `get_all` a tuple over all
        tensor inputs, with `get_by_list` a tuple over the parameters, with both a pair.

    Raises:
        TypeError: a flag is no bool; the gradient of the output is missing.

    Difference from PyTorch: see :func:`grad`.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> f = lambda x, y: x * x * y
        >>> g = ms.ops.GradOperation(get_all=True)(f)
        >>> dx, dy = g(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0]))
        >>> print(dx, dy)
        [ 6. 16.] [1. 4.]
    """

    def __init__(
        self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False
    ) -> None:
        for label, flag in (
            ("get_all", get_all),
            ("get_by_list", get_by_list),
            ("sens_param", sens_param),
        ):
            if not isinstance(flag, bool):
                raise TypeError(
                    f"For 'GradOperation', the argument '{label}' must be bool, but got {flag!r}."
                )
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        def gradient(*args: Any, **kwargs: Any) -> Any:
            if self.sens_param and "sens" in kwargs and not _takes_sens(fn):
                args = (*args, kwargs.pop("sens"))
            if self.sens_param and not args:
                raise TypeError(
                    "For 'GradOperation' with sens_param=True, the last argument of the call must "
                    "be the gradient of the output."
                )
            given = (*(args[:-1] if self.sens_param else args), *kwargs.values())
            by = weights
            if self.get_by_list and by is None:
                if not hasattr(fn, "trainable_params"):
                    raise TypeError(
                        "For 'GradOperation' with get_by_list=True over a function, the parameters "
                        "must be given: GradOperation(get_by_list=True)(fn, weights)."
                    )
                by = fn.trainable_params()  # pyright: ignore[reportFunctionMemberAccess]
            if self.get_all:
                positions = tuple(i for i, a in enumerate(given) if _target(a) is not None)
            elif self.get_by_list:
                positions = ()
            else:
                positions = (0,) if given else ()
            request = _Request(
                "GradOperation",
                positions or None,
                by if self.get_by_list else (None if positions else ()),
                False,
                False,
                self.sens_param,
            )
            _, grads = _solve(request, fn, args, kwargs)
            if not self.get_all:
                return grads
            if not positions:
                return ((), grads) if self.get_by_list else ()
            if self.get_by_list:
                inputs, params = grads
                return (inputs,) if len(positions) == 1 else inputs, params
            return (grads,) if len(positions) == 1 else grads

        return gradient


# ---------------------------------------------------------------------------- custom bprop


class _Bprop(torch.autograd.Function):
    """A cell with its own ``bprop``: construct runs unrecorded, bprop gives the gradients."""

    generate_vmap_rule = True

    @staticmethod
    def forward(call: _BpropCall, *tensors: torch.Tensor) -> Any:
        return tuple(call.forward(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.call, *tensors = inputs
        ctx.save_for_backward(*tensors, *output)
        ctx.count = len(tensors)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        saved = ctx.saved_tensors
        return None, *ctx.call.backward(saved[: ctx.count], saved[ctx.count :], grads)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        raise RuntimeError(
            "Forward-mode differentiation (jvp, jacfwd) reached a Cell with a custom bprop, which "
            "defines reverse mode only; use vjp, jacrev or grad."
        )


class _BpropCall:
    """One call of a cell with ``bprop``: the structure of its inputs and outputs."""

    def __init__(
        self, cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Callable[..., Any]
    ) -> None:
        self.cell = cell
        self.args = args
        self.kwargs = kwargs
        self.run = run
        self.out: Any = None
        self.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]

    def forward(self, tensors: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
        args = list(self.args)
        for i, value in zip(self.places, tensors, strict=True):
            args[i] = wrap(value)
        out = self.run(*args, **self.kwargs)
        # the structure only: holding the results would tie them to their own history
        self.out = map_tensors(out, lambda _: object.__new__(Tensor))
        inputs = {id(value) for value in tensors}
        # torch forbids to return an input as it is
        return [
            t._value.clone() if id(t._value) in inputs or t._value.requires_grad else t._value
            for t in tensors_in(out)
        ]

    def rebuild(self, values: Iterable[torch.Tensor]) -> Any:
        queue = iter(values)
        return map_tensors(self.out, lambda _: wrap(next(queue)))

    def backward(
        self,
        inputs: tuple[torch.Tensor, ...],
        outputs: tuple[torch.Tensor, ...],
        grads: tuple[torch.Tensor | None, ...],
    ) -> list[torch.Tensor | None]:
        name = f"{type(self.cell).__name__}.bprop"
        args = list(self.args)
        for i, value in zip(self.places, inputs, strict=True):
            args[i] = wrap(value)
        filled = [
            torch.zeros_like(o) if g is None else g for o, g in zip(outputs, grads, strict=True)
        ]
        out, dout = self.rebuild(outputs), self.rebuild(filled)
        result = self.cell.bprop(*args, *self.kwargs.values(), out, dout)
        if isinstance(result, Tensor) or result is None:
            result = (result,)
        if not isinstance(result, (tuple, list)):
            raise TypeError(
                f"'{name}' must return one gradient per input, as a tuple, but returned "
                f"{type(result).__name__}."
            )
        if len(result) < len(args):
            raise RuntimeError(
                f"Grad size should lager than forward inputs: '{name}' returned {len(result)} "
                f"gradients for {len(args)} inputs; return one per input, None for zeros."
            )
        found: list[torch.Tensor | None] = []
        for i, value in zip(self.places, inputs, strict=True):
            g = result[i]
            if g is None or not (value.is_floating_point() or value.is_complex()):
                found.append(None)
                continue
            if not isinstance(g, Tensor):
                raise TypeError(f"'{name}' must return Tensors, but gradient {i} is {describe(g)}.")
            found.append(_reduced(name, i, g._value.to(value.dtype), value.shape))
        return found


def _takes_sens(fn: Any) -> bool:
    """Whether an argument named `sens` is the network's own."""
    run = getattr(fn, "construct", fn)
    try:
        return "sens" in inspect.signature(run).parameters
    except (TypeError, ValueError):
        return False


def _reduced(name: str, i: int, grad: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """A gradient that `bprop` returned; one for more elements is summed, as of a broadcast."""
    if grad.shape == shape:
        return grad
    try:
        if torch.broadcast_shapes(grad.shape, shape) == grad.shape:
            return grad.sum_to_size(shape)
    except RuntimeError:
        pass
    raise RuntimeError(
        f"Gradient {i} returned by '{name}' has shape {tuple(grad.shape)}, which should be "
        f"broadcast to expected shape {tuple(shape)}."
    )


def call_with_bprop(
    cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Callable[..., Any]
) -> Any:
    """Run a cell that defines ``bprop``; while recording, its gradient is what bprop returns."""
    if not (
        thread.grad_scopes
        or functorch_level()
        or any(t._value.requires_grad for t in args if isinstance(t, Tensor))
    ):
        return run(*args, **kwargs)
    call = _BpropCall(cell, args, kwargs, run)
    values = _Bprop.apply(call, *(args[i]._value for i in call.places))
    return call.rebuild(values)
