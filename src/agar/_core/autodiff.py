"""Gradients: torch.autograd computes them, MindSpore's rules say what they mean.

NOTE Identity. A gradient is taken with respect to a tensor object. A tensor that is passed twice,
or reached through a closure as well, has one gradient: the sum (as observed in MindSpore 2.10).
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.custom_bprop import call_with_bprop as call_with_bprop
from agar._core.distributed.sharding import like_parameter, settle
from agar._core.distributed.state_sharding import gradients_like
from agar._core.errors import describe, stack_level
from agar._core.gradient_recording import GradScope as GradScope
from agar._core.gradient_recording import (
    Record,
    all_detached,
    backward_from,
    functorch_level,
    gradients_of,
    is_differentiable,
    map_tensors,
    record_call,
    run_recorded,
    switch_off,
    tensors_in,
    to_differentiate,
)
from agar._core.gradient_recording import detached as detached
from agar._core.gradient_recording import keep as keep
from agar._core.gradient_recording import scope_is_open as scope_is_open
from agar._core.parameter import Parameter
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor, wrap

__all__ = [
    "GradOperation",
    "get_grad",
    "grad",
    "record_call",
    "value_and_grad",
    "value_and_grad_with",
]

# ------------------------------------------------------------------------------ recording


# --------------------------------------------------------------------- records kept by cells


# -------------------------------------------------------------------------------- the family


#: Is given the way to take a gradient and its arguments, where networks lie on several processes.
around: Callable[..., Any] | None = None


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
                f"For '{name}', `grad_position` and `weight` can not be None at the same time: "
                "give positions of inputs, counted from 0, or weights=optimizer.parameters."
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
) -> tuple[Record, bool]:
    recorder = thread.recorder
    result = (
        getattr(fn, "_gradient_records", None)
        if recorder is None
        else recorder.gradient_records.get(id(fn))
    )
    if result is not None and not kwargs:
        record = result.take(args, weights)
        if record is not None:
            return record, bool(thread.grad_scopes)
    return run_recorded(fn, args, kwargs, inputs, weights, hold=True)


def _cotangents(name: str, outputs: list[Tensor], sens: Any) -> list[torch.Tensor]:
    """The gradients of the outputs, which must be of their shapes and types.

    For an output without axes any single element will do, a number too.
    """
    given: list[Any] = tensors_in(sens)
    if name == "vjp" and outputs and not given:
        raise TypeError(f"For '{name}', the gradients must be Tensors, but got {describe(sens)}.")
    if isinstance(sens, (int, float)):
        given = [sens]
    if len(given) != len(outputs):
        raise RuntimeError(
            f"For '{name}', the gradient of the output (sens) must have one Tensor for each of "
            f"the {len(outputs)} outputs, but got {describe(sens)}."
        )
    return [_cotangent(name, i, s, t) for i, (s, t) in enumerate(zip(given, outputs, strict=True))]


def _cotangent(name: str, i: int, sens: Any, output: Tensor) -> torch.Tensor:
    value = output._value
    if not isinstance(sens, Tensor):
        sens = wrap(torch.tensor(sens, dtype=value.dtype, device=value.device))
    if not output.shape and sens.size == 1:
        return sens._value.to(value.dtype).reshape(())
    if sens.shape != output.shape:
        kind = ValueError if sens.shape else RuntimeError
        raise kind(
            f"For '{name}', the gradient of output {i} (sens) must have its shape "
            f"{output.shape}, but got {sens.shape}. Use ops.ones_like(output) * factor for the "
            "same gradient everywhere."
        )
    if sens.dtype != output.dtype:
        raise TypeError(
            f"For '{name}', the gradient of output {i} (sens) must have its type "
            f"{output.dtype}, but got {sens.dtype}. Convert it with sens.astype(output.dtype)."
        )
    return sens._value


def _zeros_or(grad: torch.Tensor | None, like: Tensor) -> Tensor:
    value = like._value
    if grad is None:
        grad = torch.zeros_like(value)
    return wrap(like_parameter(grad, value))


def _of_weights(grads: list[Any], weights: Sequence[Tensor]) -> list[Any]:
    """The gradients of weights as these lie; those of parameters in parts come together."""
    places = [
        i
        for i, w in enumerate(weights)
        if w._value.__class__ is not torch.Tensor and isinstance(w, Parameter)
    ]
    if not places:
        return [_zeros_or(g, w) for g, w in zip(grads, weights, strict=True)]
    together = [weights[i] for i in places]
    values = [
        torch.zeros_like(w._value) if grads[i] is None else grads[i]
        for i, w in zip(places, together, strict=True)
    ]
    done = dict(zip(places, gradients_like(values, together), strict=True))
    return [
        wrap(done[i]) if i in done else _zeros_or(g, w)
        for i, (g, w) in enumerate(zip(grads, weights, strict=True))
    ]


def _solve(
    request: _Request,
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    attach: Callable[[list[torch.Tensor | None]], list[Any]] | None = None,
) -> tuple[Any, Any]:
    """(value of fn, gradients in the structure of the request).

    `attach` puts hooks on the leaves of the weights for the backward pass.
    """
    if around is not None:
        return around(functools.partial(_solve_here, attach=attach), request, fn, args, kwargs)
    return _solve_here(request, fn, args, kwargs, attach)


def _solve_here(
    request: _Request,
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    attach: Callable[[list[torch.Tensor | None]], list[Any]] | None = None,
) -> tuple[Any, Any]:
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
                f"For '{request.name}', Position index {i} is exceed input size {len(given)}: "
                "positions count the arguments of the call from 0."
            )
    structures = [(i, to_differentiate(given[i])) for i in positions if i < len(given)]
    structures = [(i, value) for i, value in structures if value is not None]
    chosen = [t for _, value in structures for t in tensors_in(value)]
    weights = request.weights or ()
    if functorch_level():
        record, grads = _solve_functional(request, fn, args, kwargs, chosen, weights, sens)
        value = record.out
        by_input, by_weight = grads[: len(chosen)], grads[len(chosen) :]
    else:
        record, nested = _take_record(fn, args, kwargs, chosen, weights)
        try:
            value = record.out
            outputs = _outputs(request, value)
            cots = _cotangents(request.name, outputs, sens) if request.sens_param else None
            leaves = [record.inputs.get(id(t)) for t in chosen]
            leaves += [record.leaves.get(id(w._value)) for w in weights]
            create = nested or any(t._value.requires_grad for t in chosen)
            owners = (*chosen, *weights)
            more = None
            if attach is not None and not create:
                more = lambda: attach(leaves[len(chosen) :])  # noqa: E731
            grads = backward_from(record, outputs, cots, leaves, create, owners=owners, more=more)
        finally:
            switch_off(record.held)
        if not create:
            value = all_detached(value)
        by_input, by_weight = grads[: len(chosen)], grads[len(chosen) :]
    answer = _answer(request, structures, by_input, weights, by_weight)
    # of inputs alone it may be meant: second derivatives of what is linear, ops.stop_gradient
    if by_weight and all(g is None for g in grads):
        _warn_of_zeros(request, value, weights)
    settle()
    return value, answer


def _warn_of_zeros(request: _Request, value: Any, weights: Sequence[Tensor]) -> None:
    """Say that a result depends on none of the weights that gradients are taken of."""
    names = ", ".join([repr(getattr(w, "name", "")) for w in weights[:3]])
    warnings.warn(
        f"For '{request.name}', the result ({describe(value)}) does not depend on the weights "
        f"({names}{', ...' if weights[3:] else ''}): all gradients are zero. What goes through "
        "asnumpy(), item(), float() or ops.stop_gradient() has no gradient; weights must be those "
        "that the function uses.",
        stacklevel=stack_level(),
    )


def _outputs(request: _Request, value: Any) -> list[Tensor]:
    if request.has_aux:
        if not isinstance(value, (tuple, list)) or len(value) < 2:
            raise ValueError(
                f"For '{request.name}' with has_aux=True, the function requires more than one "
                f"outputs, but returned {describe(value)}."
            )
        return [t for t in tensors_in(value[0]) if is_differentiable(t)]
    return [t for t in tensors_in(value) if is_differentiable(t)]


def _answer(
    request: _Request,
    structures: list[tuple[int, Any]],
    by_input: list[torch.Tensor | None],
    weights: Sequence[Tensor],
    by_weight: list[torch.Tensor | None],
) -> Any:
    gradients = iter(by_input)
    inputs: list[Any] = [
        gradients_of(value, lambda t: _zeros_or(next(gradients), t)) for _, value in structures
    ]
    params: list[Any] = _of_weights(by_weight, weights)
    if request.return_ids:
        inputs = [(i, g) for g, (i, _) in zip(inputs, structures, strict=True)]
        params = [(getattr(w, "name", None), g) for g, w in zip(params, weights, strict=True)]
    left: Any = inputs[0] if len(inputs) == 1 else tuple(inputs)
    right: Any = params[0] if request.single_weight else tuple(params)
    if request.weights is None:
        return left
    if request.positions is None:
        return right
    return left, right


def _solve_functional(
    request: _Request,
    fn: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    chosen: list[Tensor],
    weights: Sequence[Tensor],
    sens: Any,
) -> tuple[Record, list[torch.Tensor | None]]:
    """The same under functorch, where tensors cannot be switched: through torch.func.vjp."""
    targets = [t for t in chosen if is_differentiable(t)]
    targets += [w for w in weights if getattr(w, "requires_grad", True) and is_differentiable(w)]
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

    result = torch.func.vjp(call, *(t._value for t in unique))
    outs, pull = result[0], result[1]
    primal = iter(outs)
    swap = {id(t): wrap(next(primal)) for t in holder["outputs"]}
    value = map_tensors(holder["value"], lambda t: swap.get(id(t), t))
    if request.sens_param:
        cots = tuple(_cotangents(request.name, [wrap(o) for o in outs], sens))
    else:
        cots = tuple(torch.ones_like(o) for o in outs)
    by_id = dict(zip((id(t) for t in unique), pull(cots), strict=True)) if outs else {}
    grads = [by_id.get(id(t)) for t in (*chosen, *weights)]
    return Record({}, {}, value), grads


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
        sens_param (bool): whether the last argument of the call is the gradient of the output,
            of its shape and type; for several outputs a tuple. An output without axes may have a
            number or any Tensor of one element. Default: False.

    Returns:
        Function. It returns one Tensor for a single position or Parameter, a tuple for several,
        and ``(inputs, weights)`` for both. Inputs that do not matter get zeros. With `has_aux`:
        ``(gradients, (output 2, ...))``.

    Raises:
        ValueError: positions are negative or repeated, or both `grad_position` and `weights` are
            None; with `has_aux`, `fn` has one output; the gradient of the output is of another
            shape.
        TypeError: an argument is of the wrong type, or the gradient of the output of another one.
        RuntimeError: a position is beyond the inputs; the gradient of an output with axes has
            none, or there is not one for each output.

    Difference from PyTorch: functional; like ``torch.func.grad``, for any output, and by
    Parameters in place of a dictionary. Non-scalar outputs are summed. The gradient of an integer
    input is zero.

    Source: behavior observed in MindSpore 2.10, whose forward pass may run twice; here it runs
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

    Source: behavior observed in MindSpore 2.10.

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


def value_and_grad_with(
    attach: Callable[[list[torch.Tensor | None]], list[Any]],
    fn: Callable[..., Any],
    weights: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    has_aux: bool,
) -> tuple[Any, tuple[Tensor, ...]]:
    """Value and gradients by weights, with hooks on their leaves while the backward pass runs.

    `attach` is given the leaves and gives the handles of the hooks. The call is not compiled by
    itself: its hooks belong to this call.
    """
    request = _Request("value_and_grad", None, weights, has_aux, False, False)
    return _solve(request, fn, args, kwargs, attach)


def _compiled(
    request: _Request, fn: Callable[..., Any], solve: Callable[..., Any]
) -> Callable[..., Any]:
    """The gradient function that users get: in GRAPH_MODE it is compiled as a whole."""
    return_ids = request.return_ids

    def gradient(*args: Any, **kwargs: Any) -> Any:
        if runtime.mode == PYNATIVE_MODE or thread.inside or thread.grad_scopes:
            return solve(*args, **kwargs)
        value = getattr(fn, "_gradient_records", None)
        if value is not None and value.has(args):
            return solve(*args, **kwargs)  # the forward pass has run already
        key = request.key
        if return_ids:  # the names of weights are a part of the answer
            key = (*key, *[getattr(w, "name", None) for w in request.weights or ()])
        return runtime.graph_gradient(fn, key, solve, args, kwargs)

    gradient.__dict__["_gradient_of"] = (fn, request.key, solve)
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
        TypeError: `gradients` is not a tuple, or `identifier` is neither int nor Parameter.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

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
            match = search(child)
            if match is not None:
                return match
        return None

    match = search(gradients)
    if match is None:
        raise RuntimeError(
            f"For 'get_grad', there is no gradient for {key!r}; was return_ids=True given, and is "
            "it among the positions or weights?"
        )
    return match


class GradOperation:
    """Makes functions that compute gradients; the older form of :func:`grad`.

    Args:
        get_all (bool): whether to differentiate by all tensor inputs instead of the first.
            Default: False.
        get_by_list (bool): whether to differentiate by parameters, given as the second argument
            of the call. Default: False.
        sens_param (bool): whether the last argument of the gradient function is the gradient of
            the output, see :func:`grad`. Default: False.

    Inputs:
        - **fn** (Union[Cell, Callable]) - the function to differentiate.
        - **weights** (Union[ParameterTuple, Parameter, list]) - with `get_by_list`; by default
          the trainable parameters of the cell.

    Outputs:
        Function. It returns the gradient of the first input, with `get_all` a tuple over all
        tensor inputs, with `get_by_list` a tuple over the parameters, with both a pair.

    Raises:
        TypeError: a flag is not a bool; the gradient of the output is missing or of another type.
        ValueError: the gradient of the output is of another shape.
        RuntimeError: the gradient of an output with axes has none.

    Difference from PyTorch: see :func:`grad`.

    Source: behavior observed in MindSpore 2.10.

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
                positions = tuple(i for i, a in enumerate(given) if to_differentiate(a) is not None)
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


def _takes_sens(fn: Any) -> bool:
    """Whether an argument named `sens` is the network's own."""
    run = getattr(fn, "construct", fn)
    try:
        return "sens" in inspect.signature(run).parameters
    except (TypeError, ValueError):
        return False
