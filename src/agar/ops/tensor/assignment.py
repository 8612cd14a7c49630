"""Operators that write into their first argument: assignment and scattering into parameters.

NOTE Writing. A Parameter keeps its memory; what is written is cut from the gradient of later uses
of the parameter. The returned Tensor takes part in a gradient: of ``assign`` it is the parameter
itself, of the others the change of the parameter (as observed in MindSpore 2.10). A gradient that
has already used the old values may see the new ones; do not assign to a parameter between its use
and the end of the function being differentiated. Into any other tensor the write is part of the
gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core import tensor as core
from agar._core.dtype import FROM_TORCH
from agar._core.lent import data_of
from agar._core.parameter import Parameter, refuse_collected
from agar._core.runtime import runtime, thread
from agar.ops.math.elementwise import as_tensor
from agar.ops.spec import Scalar, op, primitive
from agar.ops.tensor.indexing import places_on_axis
from agar.ops.tensor.scattering import add_at, combine_at, scatter_slices

__all__: list[str] = []


def _replace(op_name: str, variable: core.Tensor, change: Callable[[Tensor], Any]) -> core.Tensor:
    """Give a variable a new value and return it as a Tensor (NOTE Writing)."""
    if isinstance(variable, Parameter):
        refuse_collected(op_name, variable)
        with torch.no_grad():
            change(data_of(variable._value))
        runtime.weights += 1
        return core.wrap(variable._value)
    change(variable._writable(op_name))
    return variable


def _store(op_name: str, variable: core.Tensor, change: Callable[[Tensor], Any]) -> core.Tensor:
    """Change a variable's value and return it as a Tensor (NOTE Writing)."""
    if not isinstance(variable, Parameter):
        change(variable._writable(op_name))
        return variable
    if not thread.grad_scopes or not torch.is_grad_enabled():
        return _replace(op_name, variable, change)
    refuse_collected(op_name, variable)
    value = variable._value
    changed = value.clone()
    change(changed)
    with torch.no_grad():
        data_of(value).copy_(changed)
        runtime.weights += 1
    return core.wrap(changed)


# ------------------------------------------------------------------------------ assignment


def _of_shape(op_name: str, variable: Tensor, value: Tensor | Scalar) -> Tensor:
    tensor = as_tensor(value, variable)
    if tensor.ndim != variable.ndim:
        raise ValueError(
            f"For '{op_name}','value' must have the same rank as 'variable'. But got 'value' rank: "
            f"{tensor.ndim}, 'variable' rank: {variable.ndim}."
        )
    if tensor.shape != variable.shape:
        raise ValueError(
            f"For '{op_name}','value' must have the same shape as 'variable'. But got 'value' "
            f"shape: {list(tensor.shape)}, 'variable' shape: {list(variable.shape)}."
        )
    return tensor


_ASSIGN_SAMPLES = ("f(2, 3), f(2, 3)", "f(3), i(3)", "f(), 1.5")
_ASSIGN_ERRORS = (
    ("f(2), f(3)", ValueError, "same shape"),
    ("f(2), 1.0", ValueError, "same rank"),
    ("f(2), 'x'", TypeError, "value"),
)


@op(
    primitive="Assign",
    cast="never",
    inplace=_replace,
    samples=_ASSIGN_SAMPLES,
    errors=_ASSIGN_ERRORS,
    differentiable=False,
)
def assign(variable: Tensor, value: Tensor | Scalar) -> None:
    """Store a value in a parameter.

    Args:
        variable (Parameter): where to store it; its type stays.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns: Tensor, the new value, over the parameter's memory.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: ``p.data.copy_(value)``.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.assign(p, ms.Tensor([3.0, 4.0])), p.value())
    [3. 4.] [3. 4.]
    """
    variable.copy_(_of_shape("assign", variable, value))


def _checked_type(op_name: str, variable: Tensor, value: Tensor) -> Tensor:
    common = torch.promote_types(variable.dtype, value.dtype)
    if common is not variable.dtype and value.ndim:
        raise TypeError(
            f"Data type conversion is not supported for a 'Parameter': for '{op_name}', a value of "
            f"type {FROM_TORCH[value.dtype]} cannot be stored in one of type "
            f"{FROM_TORCH[variable.dtype]}; convert it with .astype(...)."
        )
    return value


@op(
    primitive="AssignAdd",
    cast="never",
    inplace=_store,
    samples=_ASSIGN_SAMPLES,
    errors=(*_ASSIGN_ERRORS, ("i(2), f(2)", TypeError, "conversion")),
    differentiable=False,
)
def assign_add(variable: Tensor, value: Tensor | Scalar) -> None:
    """Add a value to a parameter: :math:`variable = variable + value`.

    Args:
        variable (Parameter): the parameter, which is changed.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns: Tensor, the new value, over the parameter's memory.
    Raises TypeError: an argument has the wrong type, or the sum does not fit the parameter's.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: ``p.data.add_(value)``.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.assign_add(p, ms.Tensor([3.0, 4.0])))
    [4. 6.]
    """
    result = _of_shape("assign_add", variable, value)
    variable.add_(_checked_type("assign_add", variable, result))


@op(
    primitive="AssignSub",
    cast="never",
    inplace=_store,
    samples=_ASSIGN_SAMPLES,
    errors=(*_ASSIGN_ERRORS, ("i(2), f(2)", TypeError, "conversion")),
    differentiable=False,
)
def assign_sub(variable: Tensor, value: Tensor | Scalar) -> None:
    """Subtract a value from a parameter: :math:`variable = variable - value`.

    Args:
        variable (Parameter): the parameter, which is changed.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns: Tensor, the new value, over the parameter's memory.
    Raises TypeError: an argument has the wrong type, or the difference does not fit the
        parameter's.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: ``p.data.sub_(value)``.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.assign_sub(p, ms.Tensor([3.0, 4.0])))
    [-2. -2.]
    """
    result = _of_shape("assign_sub", variable, value)
    variable.sub_(_checked_type("assign_sub", variable, result))


# -------------------------------------------------------------- scattering into parameters

_SUMMARIES = {
    "update": "Replace slices of a parameter with updates",
    "add": "Add updates to slices of a parameter",
    "sub": "Subtract updates from slices of a parameter",
    "mul": "Multiply slices of a parameter by updates",
    "div": "Divide slices of a parameter by updates",
    "max": "Set slices of a parameter to the larger of their elements and updates",
    "min": "Set slices of a parameter to the smaller of their elements and updates",
}
_SCATTER_SAMPLES = (
    "f(3, 2), torch.tensor([0, 2]), f(2, 2)",
    "f(3, 2), torch.tensor([[0, 1]]), f(1, 2, 2)",
)
_SCATTER_ERRORS = (
    ("f(3, 2), torch.tensor([5]), f(1, 2)", RuntimeError, "range"),
    ("f(3, 2), torch.tensor([0]), f(1, 3)", ValueError, "updates"),
    ("f(3, 2), f(1), f(1, 2)", TypeError, "integer"),
)


_SCATTER_ND_ERRORS = (
    ("f(3, 2), torch.tensor([[5]]), f(1, 2)", RuntimeError, "range"),
    ("f(3, 2), torch.tensor([[0]]), f(1, 3)", ValueError, "updates"),
    ("f(3, 2), f(1, 1), f(1, 2)", TypeError, "integer"),
)


def _primitive_doc(mode: str, function: str) -> str:
    return (
        f"{_SUMMARIES[mode]}; see :func:`ops.{function}`.\n\n"
        "    Attributes:\n"
        f"        use_locking (bool): accepted, without effect. Default: {mode == 'update'}.\n\n"
        "    Outputs: Tensor, the new value, over the parameter's memory.\n"
        "    Raises TypeError: `indices` are not integers.\n"
        "    Raises ValueError: the shapes do not fit.\n"
        "    Raises RuntimeError: an index is out of range.\n"
        "    Difference from PyTorch: no counterpart; ``index_put_`` and ``index_reduce_``.\n"
    )


def _scatter_doc(mode: str, nd: bool, shown: str, call: str) -> str:
    where = (
        "integers; the last axis holds the indices of the leading axes."
        if nd
        else "integers, any shape: indices of the first axis."
    )
    locking = (
        "        use_locking (bool): accepted, without effect. Default: False.\n" if nd else ""
    )
    return (
        f"{_SUMMARIES[mode]}.\n\n"
        "    Args:\n"
        "        input_x (Parameter): the parameter, which is changed.\n"
        f"        indices (Tensor): {where}\n"
        f"        updates (Tensor): one slice for each index.\n{locking}\n"
        "    Returns:\n"
        "        Tensor, the new value, over the parameter's memory.\n\n"
        "    Raises:\n"
        "        TypeError: `indices` are not integers.\n"
        "        ValueError: the shapes do not fit.\n"
        "        RuntimeError: an index is out of range.\n\n"
        "    Difference from PyTorch: no counterpart; ``index_put_`` and ``index_reduce_``.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        '        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 4.0]), name="p")\n'
        f"        >>> print({call})\n"
        f"        {shown}\n"
    )


def _scatter(mode: str, shown: str) -> None:
    """Declare scatter_add and scatter_nd_add, or their relatives, and the Primitives."""
    flat, nd = f"scatter_{mode}", f"scatter_nd_{mode}"

    def on_first_axis(op_name: str, variable: Tensor, indices: Tensor, updates: Tensor) -> None:
        expected = [*indices.shape, *variable.shape[1:]]
        if list(updates.shape) != expected:
            raise ValueError(
                f"For '{op_name}', the shape of 'updates' must be {expected}, but got "
                f"{list(updates.shape)}."
            )
        index = places_on_axis(op_name, indices, variable.shape[0], "indices").reshape(-1)
        source = updates.reshape(index.numel(), *variable.shape[1:])
        where = index.reshape(-1, *(1,) * (variable.ndim - 1)).expand(source.shape)
        variable.copy_(combine_at(op_name, mode, variable.clone(), 0, where, source))

    def on_places(op_name: str, variable: Tensor, indices: Tensor, updates: Tensor) -> None:
        variable.copy_(scatter_slices(op_name, variable.clone(), indices, updates, mode))

    options: dict[str, Any] = {"cast": "never", "inplace": _store, "differentiable": False}

    def flat_function(input_x: Tensor, indices: Tensor, updates: Tensor) -> None:
        on_first_axis(flat, input_x, indices, updates)

    flat_function.__name__ = flat
    flat_function.__doc__ = _scatter_doc(
        mode,
        False,
        shown,
        f"ms.ops.{flat}(p, ms.Tensor([0, 2]), ms.Tensor([3.0, 2.0]))",
    )
    op(flat, samples=_SCATTER_SAMPLES, errors=_SCATTER_ERRORS, **options)(flat_function)

    def flat_primitive(
        input_x: Tensor, indices: Tensor, updates: Tensor, *, use_locking: bool = mode == "update"
    ) -> None:
        on_first_axis("Scatter" + mode.capitalize(), input_x, indices, updates)

    flat_primitive.__doc__ = _primitive_doc(mode, flat)
    primitive(
        "Scatter" + mode.capitalize(), samples=_SCATTER_SAMPLES, errors=_SCATTER_ERRORS, **options
    )(flat_primitive)

    nd_samples = ("f(3, 2), torch.tensor([[0], [2]]), f(2, 2)",)

    def nd_function(
        input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
    ) -> None:
        on_places(nd, input_x, indices, updates)

    nd_function.__name__ = nd
    nd_function.__doc__ = _scatter_doc(
        mode,
        True,
        shown,
        f"ms.ops.{nd}(p, ms.Tensor([[0], [2]]), ms.Tensor([3.0, 2.0]))",
    )
    op(nd, samples=nd_samples, errors=_SCATTER_ND_ERRORS, **options)(nd_function)

    def nd_primitive(
        input_x: Tensor, indices: Tensor, updates: Tensor, *, use_locking: bool = mode == "update"
    ) -> None:
        on_places("ScatterNd" + mode.capitalize(), input_x, indices, updates)

    nd_primitive.__doc__ = _primitive_doc(mode, nd)
    primitive(
        "ScatterNd" + mode.capitalize(), samples=nd_samples, errors=_SCATTER_ND_ERRORS, **options
    )(nd_primitive)


_scatter("update", "[3. 2. 2.]")
_scatter("add", "[4. 2. 6.]")
_scatter("sub", "[-2.  2.  2.]")
_scatter("mul", "[3. 2. 8.]")
_scatter("div", "[0.33333334 2.         2.        ]")
_scatter("max", "[3. 2. 4.]")
_scatter("min", "[1. 2. 2.]")


@op(
    cast="never",
    inplace=_store,
    differentiable=False,
    samples=("f(3, 2), i(4), f(4, 2), 0", "f(2, 3), i(2), f(2, 2), 1"),
    errors=(
        ("f(2, 3), torch.tensor([5]), f(1, 3), 0", RuntimeError, "range"),
        ("f(2, 3), i(2) // 2, f(3, 3), 0", ValueError, "shape"),
        ("f(2, 3), i(2), f(2, 3), 2", ValueError, "axis"),
    ),
)
def index_add(
    x: Tensor,
    indices: Tensor,
    y: Tensor,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> None:
    r"""Add slices to a parameter along an axis: for axis 0, :math:`x_{indices_i} += y_i`.

    Args:
        x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, 1-D; equal ones are all added.
        y (Tensor): the slices.
        axis (int): the axis.
        use_lock (bool): accepted for compatibility. Default: True.
        check_index_bound (bool): accepted for compatibility; indices are always checked.
            Default: True.

    Returns: Tensor, the new value, over the parameter's memory.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `axis` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``index_add_``; ``Tensor.index_add`` makes a copy.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.index_add(p, ms.Tensor([1, 1]), ms.Tensor([5.0, 6.0]), 0))
    [ 1. 13.]
    """
    x.copy_(add_at("index_add", x.clone(), axis, indices, y, "axis"))


@primitive(
    "IndexAdd",
    cast="never",
    inplace=_store,
    differentiable=False,
    samples=("f(3, 2), i(4), f(4, 2), axis=0",),
    errors=(
        ("f(2, 3), torch.tensor([5]), f(1, 3), axis=0", RuntimeError, "range"),
        ("f(2, 3), i(2) // 2, f(3, 3), axis=0", ValueError, "shape"),
        ("f(2, 3), i(2), f(2, 3), axis=2", ValueError, "axis"),
    ),
)
def _index_add_primitive(
    x: Tensor,
    indices: Tensor,
    y: Tensor,
    *,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> None:
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.IndexAdd(0)(p, ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 7.]
    """
    index_add(x, indices, y, axis)


@op(
    cast="never",
    inplace=_store,
    differentiable=False,
    samples=("f(3, 2), i(4), f(4, 2), 0",),
    errors=(("f(2, 3), i(2) // 2, f(3, 3), 0", ValueError, "shape"),),
)
def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> None:
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    Args:
        var (Parameter): the parameter, which is changed.
        indices (Tensor): integers, 1-D; equal ones are all added.
        updates (Tensor): the slices.
        axis (int): the axis.

    Returns: Tensor, the new value, over the parameter's memory.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `axis` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``index_add_``.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.inplace_index_add(p, ms.Tensor([1]), ms.Tensor([5.0]), 0))
    [1. 7.]
    """
    var.copy_(add_at("inplace_index_add", var.clone(), axis, indices, updates, "axis"))
