"""Function transforms: jvp, vjp, jacfwd, jacrev and vmap.

Reverse mode runs on the recordings of `autodiff` (so custom ``bprop`` takes part); forward mode
and vmap run on torch.func. Any callable is accepted, lambdas and Cells included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._C import _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core import autodiff
from agar._core.autodiff import map_tensors, tensors_in
from agar._core.errors import describe
from agar._core.gradient_recording import all_detached, all_released
from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["jacfwd", "jacrev", "jvp", "vjp", "vmap"]


def _split_aux(op_name: str, value: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return value, None
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        raise ValueError(
            f"For '{op_name}' with has_aux=True, the function requires more than one outputs, but "
            f"returned {describe(value)}."
        )
    return value[0], value[1] if len(value) == 2 else tuple(value[1:])


def _check_call(op_name: str, fn: Any, has_aux: Any) -> None:
    if not callable(fn):
        raise TypeError(f"For '{op_name}', 'fn' must be a function or a Cell, but got {fn!r}.")
    if not isinstance(has_aux, bool):
        raise TypeError(f"For '{op_name}', 'has_aux' must be bool, but got {has_aux!r}.")


def _axes(op_name: str, grad_position: Any) -> tuple[int, ...]:
    if grad_position is None:
        raise TypeError(f"For '{op_name}', 'grad_position' must be int or tuple of int, not None.")
    result = autodiff._positions(op_name, grad_position)
    assert result is not None
    return result


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _inside(call: Callable[..., Any]) -> Callable[..., Any]:
    """`call` over torch tensors, for torch.func, with torch's transforms allowed to see it."""

    def run(*values: torch.Tensor) -> Any:
        return map_tensors(call(*(wrap(v) for v in values)), lambda t: t._value)

    return run


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> Any:
    r"""The value of a function and its derivative along a direction, in forward mode.

    Computes :math:`(f(x), J_f(x) v)`.

    Args:
        fn (Union[Cell, Callable]): the function.
        inputs (Union[Tensor, tuple[Tensor], list[Tensor]]): where to differentiate.
        v (Union[Tensor, tuple[Tensor], list[Tensor]]): the direction, of the inputs' shapes.
        has_aux (bool): whether only the first output is differentiated. Default: False.

    Returns:
        ``(output, tangent)``, with `has_aux` ``(output, tangent, aux)``.

    Raises:
        TypeError: inputs or direction are not Tensors.
        ValueError: their number or shapes differ.

    Difference from PyTorch: ``torch.func.jvp`` takes the inputs as a tuple only.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> out, tangent = ms.jvp(lambda x: x**3, ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 0.0]))
        >>> print(out, tangent)
        [1. 8.] [3. 0.]
    """
    _check_call("jvp", fn, has_aux)
    xs, vs = _as_tuple(inputs), _as_tuple(v)
    for label, items in (("inputs", xs), ("v", vs)):
        for item in items:
            if not isinstance(item, Tensor):
                raise TypeError(f"For 'jvp', '{label}' must be Tensors, but got {describe(item)}.")
    if len(xs) != len(vs) or any(a.shape != b.shape for a, b in zip(xs, vs, strict=False)):
        raise ValueError(
            f"For 'jvp', 'v' must match 'inputs' in number and shapes, but got {describe(xs)} and "
            f"{describe(vs)}."
        )
    holder: dict[str, Any] = {}

    def call(*args: Tensor) -> Any:
        out, aux = _split_aux("jvp", fn(*args), has_aux)
        holder["aux"] = aux
        return out

    result = torch.func.jvp(_inside(call), tuple(x._value for x in xs), tuple(t._value for t in vs))
    out, tangent = result[0], result[1]
    if has_aux:
        return wrap(out), wrap(tangent), all_released(holder["aux"], _plain)
    return wrap(out), wrap(tangent)


def _plain(t: Tensor) -> Tensor:
    """A tensor that left a torch.func transform, without the transform's wrapper."""
    value = t._value
    while not autodiff.functorch_level() and _functorch.is_functorch_wrapped_tensor(value):
        value = _functorch.get_unwrapped(value)
    return t if value is t._value else wrap(value)


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> Any:
    r"""The value of a function and a function that pulls gradients back through it.

    Args:
        fn (Union[Cell, Callable]): the function.
        inputs (Union[Tensor, tuple, list, dict]): its arguments; containers count where
            :func:`agar.mutable` marks them.
        weights (Union[ParameterTuple, Parameter, list[Parameter]]): parameters to differentiate
            by as well. Default: None.
        has_aux (bool): whether only the first output is differentiated. Default: False.

    Returns:
        ``(output, fn_vjp)``, with `has_aux` ``(output, fn_vjp, aux)``. ``fn_vjp(*cotangents)``
        takes one gradient per output and returns the tuple of the inputs' gradients, with
        `weights` ``(inputs, weights)``. It may be called any number of times.

    Raises:
        TypeError: `fn` is not callable.
        RuntimeError: the number of cotangents is wrong.

    Difference from PyTorch: ``torch.func.vjp`` returns the same, with weights as inputs.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> out, pull = ms.vjp(lambda x: x**3, ms.Tensor([1.0, 2.0]))
        >>> print(pull(ms.Tensor([1.0, 1.0]))[0])
        [ 3. 12.]
    """
    _check_call("vjp", fn, has_aux)
    params = autodiff._weights("vjp", weights)
    structures = [
        v
        for v in inputs
        if not isinstance(v, Structure) and autodiff.to_differentiate(v) is not None
    ]
    targets = tensors_in(structures)
    record, nested = autodiff.run_recorded(fn, inputs, {}, targets, params or ())
    out, aux = _split_aux("vjp", record.out, has_aux)
    outputs = [wrap(t._value) for t in tensors_in(out)]  # objects in `aux` may hold the others

    def pull(*cotangents: Any) -> Any:
        sens = cotangents[0] if len(cotangents) == 1 else cotangents
        cots = autodiff._cotangents("vjp", outputs, sens)
        leaves = [record.inputs.get(id(t)) for t in targets]
        leaves += [record.leaves.get(id(p._value)) for p in params or ()]
        grads = autodiff.backward_from(
            record, outputs, cots, leaves, nested or bool(autodiff.scope_is_open()), keep=True
        )
        wrapped = [
            autodiff._zeros_or(g, t)
            for g, t in zip(grads, [*targets, *(params or ())], strict=True)
        ]
        gradients = iter(wrapped)
        by_input = tuple(autodiff.gradients_of(v, lambda _: next(gradients)) for v in structures)
        if params is None:
            return by_input
        by_weight = wrapped[len(targets) :]
        return by_input, by_weight[0] if isinstance(weights, Tensor) else tuple(by_weight)

    result = out if nested else map_tensors(out, autodiff.detached)
    if has_aux:
        return result, pull, aux if nested else all_detached(aux)
    return result, pull


def jacrev(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    r"""A function that computes the Jacobian in reverse mode.

    For an output of shape S and an input of shape T the Jacobian has the shape S + T:
    :math:`J_{st} = \partial y_s / \partial x_t`.

    Args:
        fn (Union[Cell, Callable]): the function.
        grad_position (Union[int, tuple[int]]): positions of the inputs by which to differentiate.
            Default: 0.
        has_aux (bool): whether only the first output is differentiated. Default: False.

    Returns:
        Function. One Tensor for one output and one position, tuples over positions and outputs
        otherwise; with `has_aux` ``(jacobian, aux)``.

    Raises:
        TypeError: `grad_position` is None or has the wrong type.

    Difference from PyTorch: none except the names.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.jacrev(lambda x: x**3)(ms.Tensor([1.0, 2.0])))
        [[ 3.  0.]
         [ 0. 12.]]
    """
    _check_call("jacrev", fn, has_aux)
    positions = _axes("jacrev", grad_position)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        targets = _targets("jacrev", args, positions)
        if autodiff.functorch_level():
            return _functional_jacobian(
                torch.func.jacrev, "jacrev", fn, args, kwargs, positions, grad_position, has_aux
            )
        record, nested = autodiff.run_recorded(fn, args, kwargs, targets, ())
        out, aux = _split_aux("jacrev", record.out, has_aux)
        leaves = [record.inputs.get(id(t)) for t in targets]
        rows = [
            _rows(record, t, targets, leaves, nested) for t in tensors_in(out)
        ]  # [output][position]
        result = _arrange(rows, isinstance(grad_position, int), isinstance(out, (tuple, list)))
        if not has_aux:
            return result
        return result, aux if nested else all_detached(aux)

    return jacobian


def _targets(op_name: str, args: tuple[Any, ...], positions: tuple[int, ...]) -> list[Tensor]:
    items = []
    for i in positions:
        if i >= len(args):
            raise RuntimeError(
                f"For '{op_name}', Position index {i} is exceed input size {len(args)}: "
                "positions count the arguments of the call from 0."
            )
        if not isinstance(args[i], Tensor):
            raise TypeError(
                f"For '{op_name}', the input at position {i} must be a Tensor, but got "
                f"{describe(args[i])}."
            )
        items.append(args[i])
    return items


def _rows(
    record: Any,
    output: Tensor,
    targets: Sequence[Tensor],
    leaves: list[torch.Tensor | None],
    nested: bool,
) -> list[Tensor]:
    """The Jacobian of one output by each target: all rows in one batched backward pass."""
    value = output._value
    count = value.numel()
    known = [leaf for leaf in leaves if leaf is not None]
    grads: list[torch.Tensor | None] = [None] * len(known)
    if value.requires_grad and known and count:
        basis = torch.eye(count, dtype=value.dtype, device=value.device)
        basis = basis.reshape(count, *value.shape)
        options = {"retain_graph": True, "create_graph": nested, "allow_unused": True}
        try:
            grads = list(torch.autograd.grad(value, known, basis, is_grads_batched=True, **options))
        except RuntimeError as error:
            # an operator or a custom bprop without a batching rule: one row at a time
            if "vmap" not in str(error) and "batch" not in str(error).lower():
                raise
            each = [torch.autograd.grad(value, known, row, **options) for row in basis]
            grads = [
                None
                if all(r[i] is None for r in each)
                else torch.stack([torch.zeros_like(k) if r[i] is None else r[i] for r in each])
                for i, k in enumerate(known)
            ]
    queue = iter(grads)
    items = []
    for t, leaf in zip(targets, leaves, strict=True):
        g = None if leaf is None else next(queue)
        shape = (*value.shape, *t._value.shape)
        items.append(wrap(t._value.new_zeros(shape) if g is None else g.reshape(shape)))
    return items


def _arrange(rows: list[list[Tensor]], single_position: bool, several_outputs: bool) -> Any:
    per_output = [r[0] if single_position else tuple(r) for r in rows]
    return tuple(per_output) if several_outputs else per_output[0]


def jacfwd(
    fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that computes the Jacobian in forward mode; suitable for few inputs.

    Args:
        fn (Union[Cell, Callable]): the function.
        grad_position (Union[int, tuple[int]]): positions of the inputs by which to differentiate.
            Default: 0.
        has_aux (bool): whether only the first output is differentiated. Default: False.

    Returns:
        Function, as that of :func:`jacrev`.

    Raises:
        TypeError: `grad_position` is None or has the wrong type.

    Difference from PyTorch: none except the names.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.jacfwd(lambda x: x**3)(ms.Tensor([1.0, 2.0])))
        [[ 3.  0.]
         [ 0. 12.]]
    """
    _check_call("jacfwd", fn, has_aux)
    positions = _axes("jacfwd", grad_position)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        _targets("jacfwd", args, positions)
        return _functional_jacobian(
            torch.func.jacfwd, "jacfwd", fn, args, kwargs, positions, grad_position, has_aux
        )

    return jacobian


def _functional_jacobian(
    transform: Callable[..., Any],
    op_name: str,
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    positions: tuple[int, ...],
    grad_position: Any,
    has_aux: bool,
) -> Any:
    def call(*values: torch.Tensor) -> Any:
        fresh = list(args)
        for i, v in zip(positions, values, strict=True):
            fresh[i] = wrap(v)
        out, aux = _split_aux(op_name, fn(*fresh, **kwargs), has_aux)
        plain = map_tensors(out, lambda t: t._value)
        return (plain, map_tensors(aux, lambda t: t._value)) if has_aux else plain

    argnums = 0 if isinstance(grad_position, int) else tuple(range(len(positions)))
    result = transform(call, argnums=argnums, has_aux=has_aux)(*(args[i]._value for i in positions))
    return wrap(result)


def vmap(fn: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that runs `fn` over slices of its inputs and stacks the results.

    Args:
        fn (Union[Cell, Callable]): the function for one slice.
        in_axes (Union[int, list, tuple]): the axis of each input that is mapped over; None for an
            input that every slice sees whole. Default: 0.
        out_axes (Union[int, list, tuple]): the position of the mapped axis in the outputs. Default:
            0.

    Returns:
        Function.

    Raises:
        RuntimeError: no input is mapped over, an axis is out of bounds, or the sizes of the mapped
            axes (axis_size) differ.

    Difference from PyTorch: none except the names and the type of errors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ms.vmap(lambda row: row.sum())(x))
        [3. 7.]
    """
    if not callable(fn):
        raise TypeError(f"For 'vmap', 'fn' must be a function or a Cell, but got {fn!r}.")
    if in_axes is None:
        raise RuntimeError(
            "For 'vmap', 'in_axes' is None, so no input is mapped over; give an axis for at least "
            "one input."
        )

    def axes(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return tuple(axes(v) for v in value)
        if value is None or isinstance(value, int):
            return value
        raise TypeError(f"For 'vmap', axes must be int, None, list or tuple, but got {value!r}.")

    in_dims, out_dims = axes(in_axes), axes(out_axes)

    def mapped(*args: Any, **kwargs: Any) -> Any:
        def call(*values: Any, **options: Any) -> Any:
            out = fn(*(_wrap_deep(v) for v in values), **options)
            return map_tensors(out, lambda t: t._value)

        plain = tuple(map_tensors(a, lambda t: t._value) for a in args)
        dims = in_dims
        if isinstance(dims, int):  # numbers and other values are not mapped over
            dims = tuple(dims if tensors_in(a) else None for a in args)
        try:
            return wrap(
                torch.func.vmap(call, in_dims=dims, out_dims=out_dims, randomness="different")(
                    *plain, **kwargs
                )
            )
        except (ValueError, IndexError) as error:
            text = str(error)
            if getattr(error, "_agar_named", False) or "vmap" not in text:
                raise
            if "same size in the mapped dimension" in text:
                text = f"the mapped axes differ in size (axis_size): {text}"
            elif "in_dim" in text:
                text = f"an axis is out of bounds: {text}"
            raise RuntimeError(f"For 'vmap', {text}") from error

    return mapped


def _wrap_deep(value: Any) -> Any:
    return wrap(value) if isinstance(value, (torch.Tensor, tuple, list, dict)) else value
