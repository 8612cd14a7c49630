"""Checks of axes, shapes and sequences at MindSpore's path ``_checkparam``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import agar as ms
from agar.common import dtype as mstype

__all__ = [
    "_check_binary_rel",
    "_check_dup",
    "_check_inc_rel",
    "_check_int_sequence_len",
    "_expand_sequence_to_tuple",
    "_expand_tuple",
    "check_astype_dtype",
    "check_axis_type",
    "check_flatten_order",
    "check_input_dataset",
    "check_input_format",
    "check_reduce_shape",
    "check_reshape_shp",
    "check_sparse_tensor_input",
    "check_str_and_none_by_regular",
    "check_swapaxes_axis",
    "check_transpose_axis",
    "expanded_shape",
    "max_",
    "min_",
    "once_sequence",
    "prepare_shape_for_squeeze",
    "triple_sequence",
    "tuple_slice",
    "twice_sequence",
]


# --------------------------------------------------------------------------------- relations

#: the numbers of relations in MindSpore: ==, !=, <, <=, >, >=, then ranges, then in, not in
_RELATIONS: dict[int, Callable[[Any, Any], bool]] = {
    1: operator.eq,
    2: operator.ne,
    3: operator.lt,
    4: operator.le,
    5: operator.gt,
    6: operator.ge,
    11: lambda value, values: value in values,
    12: lambda value, values: value not in values,
}
_RANGES = {7: (False, False), 8: (True, False), 9: (False, True), 10: (True, True)}


def _check_binary_rel(val1: Any, val2: Any, rel: int) -> bool:
    """Whether two values are in a relation, by its number."""
    return rel in _RELATIONS and bool(_RELATIONS[rel](val1, val2))


def _check_inc_rel(val: Any, lower: Any, upper: Any, rel: int) -> bool:
    """Whether a value is in a range, by the number that says which of its ends belong to it."""
    if rel not in _RANGES:
        return False
    low, high = _RANGES[rel]
    return bool((val >= lower if low else val > lower) and (val <= upper if high else val < upper))


# --------------------------------------------------------------------------------- sequences


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_int_sequence_len(sequence: Sequence[Any], valid_len: int) -> None:
    """Raise TypeError unless a sequence has so many elements, all int."""
    if len(sequence) != valid_len or not all(map(_whole, sequence)):
        raise TypeError(
            f"When expanding a sequence to tuple, it must have {valid_len} elements of type int, "
            f"but got {sequence}."
        )


def _expand_sequence_to_tuple(n_dimensions: int) -> Callable[[Any], tuple[int, ...]]:
    """A function that gives an int so many times, or a sequence of that length as a tuple."""

    def convert(m: Any) -> tuple[int, ...]:
        if _whole(m):
            return (m,) * n_dimensions
        if not isinstance(m, (tuple, list)):
            raise TypeError(
                "When expanding an input to tuple, input type must be integer or "
                f"tuple[int]/list[int], but got {type(m)}"
            )
        _check_int_sequence_len(m, n_dimensions)
        return tuple(m)

    return convert


def _expand_tuple(n_dimensions: int) -> Callable[[Any], tuple[int, ...]]:
    """The same of tuples alone."""

    def convert(m: Any) -> tuple[int, ...]:
        if isinstance(m, list):
            raise TypeError(
                "When expanding an int number to tuple, input type must be integer or tuple[int], "
                f"but got {type(m)}"
            )
        return expand(m)

    expand = _expand_sequence_to_tuple(n_dimensions)
    return convert


once_sequence, twice_sequence, triple_sequence = map(_expand_sequence_to_tuple, (1, 2, 3))


def tuple_slice(tup: tuple[Any, ...], start: int, end: int) -> tuple[Any, ...]:
    """``tup[start:end]``."""
    return tup[start:end]


def max_(*args: Any) -> Any:
    """Python's ``max``."""
    return max(*args)


def min_(*args: Any) -> Any:
    """Python's ``min``."""
    return min(*args)


# ------------------------------------------------------------------------------ axes and shapes


def _check_dup(axes: Sequence[int]) -> None:
    """Raise ValueError where an axis occurs twice."""
    if len(set(axes)) < len(axes):
        raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {axes}.")


def check_axis_type(
    axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True
) -> bool:
    """True for an axis, or several, of the types that are taken; TypeError for others."""
    kinds = [kind for kind, taken in ((tuple, type_tuple), (list, type_list)) if taken]
    if type_int and isinstance(axis, int):
        return True
    if isinstance(axis, tuple(kinds)) and all(isinstance(one, int) for one in axis):
        return True
    names = ["int"] * type_int + [f"{kind.__name__} of int" for kind in kinds]
    raise TypeError(f"For Tensor.ptp, the axis should be {', '.join(names)}, but got {axis!r}.")


def _in_range(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise ValueError(f"The axis must be in the range of [-{ndim}, {ndim}), but got {axis}.")
    return axis % ndim


def check_swapaxes_axis(axes: Any, ndim: int) -> Any:
    """An axis, or several, counted from the front.

    Raises:
        TypeError: an axis is not an int.
        ValueError: it is out of range.
    """
    each = axes if isinstance(axes, (tuple, list)) else (axes,)
    if not all(isinstance(axis, int) for axis in each):
        raise TypeError(
            f"For ops.swapaxes, the axes must be an integer, or a list or tuple of them, but got "
            f"{axes!r}."
        )
    counted = tuple(_in_range(axis, ndim) for axis in each)
    return counted[0] if isinstance(axes, int) else counted


def check_transpose_axis(axes: Any, ndim: int) -> tuple[int, ...]:
    """The order of the axes that arguments of Tensor.transpose give.

    Raises:
        TypeError: they are of another type.
        ValueError: there are too few or too many.
    """
    if not axes or (len(axes) == 1 and axes[0] is None):
        return tuple(range(ndim - 1, -1, -1))
    if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
        return tuple(axes[0])  # MindSpore's does not look at these
    order = axes
    if not all(isinstance(axis, int) for axis in order):
        raise TypeError(
            "For Tensor.transpose, the parameter 'axes' must be a tuple/list, or series of "
            f"integer, but got {axes!r}."
        )
    if len(order) != ndim:
        raise ValueError(
            "For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, "
            f"{ndim}, but got {len(order)} in the number of axes."
        )
    return tuple(order)


def check_reshape_shp(shp: Sequence[Any]) -> Any:
    """The shape that arguments of Tensor.reshape give.

    Raises:
        TypeError: it is neither ints nor one tuple or list.
    """
    if len(shp) != 1 or isinstance(shp[0], int):
        return shp
    if not isinstance(shp[0], (tuple, list)):
        raise TypeError(
            "For Tensor.reshape, the parameter 'shape' must be an integer, or tuple/list, or "
            f"series of integer, but got {type(shp[0])}"
        )
    return tuple(shp[0])


def check_flatten_order(order: Any) -> None:
    """Raise TypeError or ValueError unless an order is ``'C'`` or ``'F'``."""
    if not isinstance(order, str):
        raise TypeError(
            f"For Tensor.flatten, the parameter 'order' must be a string, but got {type(order)}"
        )
    if order not in ("C", "F"):
        raise ValueError(
            f"For Tensor.flatten, the parameter 'order' must be 'C' or 'F', but got '{order}'"
        )


def check_reduce_shape(
    ori_shape: Sequence[int],
    shape: Sequence[int],
    axis: Any,
    prim_name: str,
    arg_name1: str,
    arg_name2: str,
) -> None:
    """Raise ValueError unless a shape is another without some of its axes."""
    axes = axis if isinstance(axis, Iterable) else (axis,)
    left = [size for place, size in enumerate(ori_shape) if place not in axes]
    if list(shape) != left:
        raise ValueError(
            f"For '{prim_name}', the shape of parameter '{arg_name1}' reduce on 'axis': {axis} "
            f"must be equal to the shape of '{arg_name2}': {shape}, but got {ori_shape}."
        )


def expanded_shape(ndim: int, axis_size: int, axis: int) -> tuple[int, ...]:
    """A shape of ones, but for one axis."""
    return tuple(axis_size if place == axis else 1 for place in range(ndim))


def prepare_shape_for_squeeze(shape: Sequence[int], axes: Any) -> tuple[int, ...]:
    """A shape without those of the axes that have size 1.

    Raises:
        TypeError: the axes are neither an int nor a list or tuple.
        ValueError: an axis is out of range.
    """
    if not isinstance(axes, (int, tuple, list)):
        raise TypeError(
            "For Tensor.squeeze, the parameter 'axes' must be one of [int, tuple, list], but got "
            f"{type(axes)}"
        )
    each = (axes,) if isinstance(axes, int) else axes
    chosen = {_in_range(axis, len(shape)) for axis in each}
    wrong = [shape[axis] for axis in chosen if shape[axis] != 1]
    if wrong:
        raise ValueError(
            f"For Tensor.squeeze, the size of the axes {axes} must be 1, but got {wrong[0]}."
        )
    return tuple(size for place, size in enumerate(shape) if place not in chosen)


# ---------------------------------------------------------------------------------------- others


def check_astype_dtype(dtype: Any) -> Any:
    """MindSpore's type of what Tensor.astype takes.

    Raises:
        TypeError: there is no such type.
    """
    name = dtype.lower() if isinstance(dtype, str) else dtype
    plain = {"int": int, "float": float, "bool": bool}
    kind = plain.get(name, name) if isinstance(name, str) else name
    if isinstance(kind, str):
        kind = getattr(mstype, f"{kind}_" if kind == "bool" else kind, None)
    elif isinstance(kind, type):
        kind = mstype.pytype_to_dtype(kind)
    if kind not in (*mstype.number_type, mstype.bool_):
        raise TypeError(
            f"For Tensor.astype, the input type must be one of {mstype.number_type}, or bool, but "
            f"got {dtype!r}."
        )
    return kind


def check_input_dataset(*dataset: Any, dataset_type: Any) -> bool:
    """Whether there are datasets, all of a type."""
    return bool(dataset) and all(isinstance(one, dataset_type) for one in dataset)


def check_input_format(input_param: Any) -> Any:
    """The order of axes, which must be NCHW."""
    if input_param != "NCHW":
        raise ValueError(f"The data format must be NCHW, but got {input_param}.")
    return input_param


def check_sparse_tensor_input(indices: Any, values: Any, shape: Any) -> None:
    """Raise TypeError unless parts of a sparse tensor are two Tensors and a tuple."""
    for name, value, kind in (
        ("indices", indices, ms.Tensor),
        ("values", values, ms.Tensor),
        ("shape", shape, tuple),
    ):
        if not isinstance(value, kind):
            raise TypeError(
                f"For SparseTensors, '{name}' must be {kind.__name__}, but got {type(value)}."
            )


def check_str_and_none_by_regular(
    target: str, reg: str | None = None, flag: Any = re.ASCII, prim_name: str | None = None
) -> bool:
    """True for a text of a pattern, by default one of letters, digits, '_', '.' and '-'."""
    pattern = r"^\w*[0-9a-zA-Z\_\.\-]*$" if reg is None else reg
    if re.match(pattern, target, flag) is None:
        what = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{what} '{target}' is illegal, it must match '{pattern}' by {flag}.")
    return True
