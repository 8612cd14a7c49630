"""Operators on Python values: scalars, tuples, lists, dictionaries.

MindSpore needs them as operators because its compiler sees nothing else; here they are plain
Python. The small ones are made from a table at the end.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from agar._core import dtype as mstype
from agar._core.autodiff import map_tensors
from agar._core.context import torch_device
from agar._core.errors import describe
from agar._core.optable import Primitive
from agar._core.tensor import Tensor, wrap
from agar.ops.primitive import primitive_of

__all__ = [
    "ScalarCast",
    "ScalarToArray",
    "ScalarToTensor",
    "TensorToTuple",
    "TupleToArray",
    "array_to_scalar",
    "mixed_precision_cast",
    "reduced_shape",
    "scalar_cast",
    "scalar_to_array",
    "scalar_to_tensor",
    "tuple_to_array",
    "typeof",
]


def _checked_scalar(op_name: str, name: str, value: Any) -> bool | int | float:
    if not isinstance(value, (bool, int, float)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' should be one of '['bool', 'int', 'float']', "
            f"but got type '{type(value).__name__}'."
        )
    return value


def scalar_to_tensor(input_x: bool | int | float, dtype: mstype.Type = mstype.float32) -> Tensor:
    """A 0-d tensor of a Python number.

    Args:
        input_x (Union[bool, int, float]): the number.
        dtype (Type): the tensor's type. Default: ``ms.float32``.

    Returns:
        Tensor without axes.

    Raises:
        TypeError: `input_x` is not a number, or `dtype` is not a type.

    Difference from PyTorch: ``torch.tensor`` keeps integers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.scalar_to_tensor(3, ms.int32)
        Tensor(shape=[], dtype=Int32, value= 3)
    """
    _checked_scalar("ScalarToTensor", "x", input_x)
    kind = mstype.to_torch_dtype(dtype, op_name="ScalarToTensor")
    return wrap(torch.tensor(input_x, dtype=kind, device=torch_device()))


ScalarToTensor = primitive_of("ScalarToTensor", scalar_to_tensor)


def scalar_to_array(input_x: bool | int | float) -> Tensor:
    """A 0-d tensor of a Python number, in the number's own type.

    Args:
        input_x (Union[bool, int, float]): the number.

    Returns:
        Tensor without axes: int64, float32 or bool.

    Raises:
        TypeError: `input_x` is not a number.

    Difference from PyTorch: ``torch.tensor`` under another name.

    Source: the name exists in MindSpore 2.10, where it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> ms.ops.scalar_to_array(3)
        Tensor(shape=[], dtype=Int64, value= 3)
    """
    return Tensor(_checked_scalar("ScalarToArray", "input_x", input_x))


ScalarToArray = primitive_of("ScalarToArray", scalar_to_array)


def array_to_scalar(input_x: Tensor) -> bool | int | float:
    """The Python number in a tensor of one element.

    Args:
        input_x (Tensor): a tensor of one element.

    Returns:
        bool, int or float.

    Raises:
        TypeError: `input_x` is not a Tensor.
        ValueError: it has more than one element.

    Difference from PyTorch: ``Tensor.item()``.

    Source: the name exists in MindSpore 2.10, where it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> ms.ops.array_to_scalar(ms.Tensor(3))
        3
    """
    if not isinstance(input_x, Tensor):
        raise TypeError(f"For 'array_to_scalar', the input must be Tensor, but got {input_x!r}.")
    return input_x.item()


_SCALAR_TYPES: dict[Any, Callable[[Any], Any]] = {
    mstype.bool_: bool,
    mstype.int64: int,
    mstype.int32: int,
    mstype.float64: float,
    mstype.float32: float,
}


def scalar_cast(input_x: bool | int | float, input_y: mstype.Type) -> bool | int | float:
    """A Python number as bool, int or float.

    Args:
        input_x (Union[bool, int, float]): the number.
        input_y (Type): ``ms.bool_``, ``ms.int64`` or ``ms.float64``; the 32-bit types mean the
            same Python types.

    Returns:
        bool, int or float; digits after the point are cut off.

    Raises:
        TypeError: `input_x` is not a number.
        ValueError: `input_y` is another type.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.scalar_cast(3.7, ms.int64)
        3
    """
    _checked_scalar("ScalarCast", "x", input_x)
    convert = _SCALAR_TYPES.get(input_y)
    if convert is None:
        raise ValueError(
            "For 'ScalarCast', the supported type is in the list: [ms.int64, ms.float64, "
            f"ms.bool_], but got {input_y!r}."
        )
    return convert(input_x)


ScalarCast = primitive_of("ScalarCast", scalar_cast)


def tuple_to_array(input_x: tuple[Any, ...] | list[Any] | range) -> Tensor:
    """A tensor of the numbers in a tuple.

    Args:
        input_x (Union[tuple, list, range]): numbers, or tuples of numbers. The first one decides
            the type: int32 for int and bool, else float32.

    Returns:
        Tensor.

    Raises:
        TypeError: `input_x` is not a tuple, list or range.
        ValueError: it is empty.

    Difference from PyTorch: ``torch.tensor`` gives int64.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.tuple_to_array((1, 2, 3))
        Tensor(shape=[3], dtype=Int32, value= [1, 2, 3])
    """
    if not isinstance(input_x, (tuple, list, range)):
        raise TypeError(
            f"For 'TupleToArray', the input must be tuple, but got {describe(input_x)}."
        )
    if not input_x:
        raise ValueError("For 'TupleToArray', the input tuple must not be empty.")
    kind = np.int32 if isinstance(input_x[0], int) else np.float32
    return Tensor(np.asarray(input_x).astype(kind))


TupleToArray = primitive_of("TupleToArray", tuple_to_array)


class TensorToTuple(Primitive):
    """The elements of a 1-d tensor as a tuple of Python numbers.

    Inputs:
        - **input_x** (Tensor) - a 1-d tensor.

    Outputs:
        tuple of numbers.

    Raises:
        ValueError: the tensor has another rank.

    Difference from PyTorch: ``tuple(t.tolist())``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.TensorToTuple()(ms.Tensor([1, 2]))
        (1, 2)
    """

    def __init__(self) -> None:
        super().__init__("TensorToTuple")

    def __call__(self, input_x: Any) -> tuple[Any, ...]:
        if not isinstance(input_x, Tensor) or input_x.ndim != 1:
            raise ValueError(
                f"For 'TensorToTuple', the input must be a 1-d Tensor, but got {describe(input_x)}."
            )
        return tuple(input_x._value.tolist())


def mixed_precision_cast(dst_dtype: mstype.Type, x: Any) -> Any:
    """Floating tensors in a nest cast to a type; everything else as it is.

    Args:
        dst_dtype (Type): the floating type.
        x: a Tensor, or a nest of tuples, lists and dicts with tensors in it.

    Returns:
        The same structure; lists become tuples.

    Raises:
        TypeError: `dst_dtype` is not a type of tensors.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.mixed_precision_cast(ms.float16, (ms.Tensor(1.0), ms.Tensor(1)))[0].dtype
        mindspore.float16
    """
    kind = mstype.to_torch_dtype(dst_dtype, op_name="mixed_precision_cast")

    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, (tuple, list)) else value

    def cast(t: Tensor) -> Tensor:
        return wrap(t._value.to(kind)) if t._value.is_floating_point() else t

    return map_tensors(tuples(x), cast)


def typeof(x: Any) -> Any:
    """The type of a value.

    Args:
        x: a Tensor or Python value.

    Returns:
        Type: for a Tensor that of its elements, for a float float32, for other Python values as in
        ``ms.get_py_obj_dtype``.

    Raises:
        TypeError: the value is of no known type.

    Difference from PyTorch: Python's ``type`` and ``Tensor.dtype``.

    Source: behavior observed in MindSpore 2.10, which gives a type for tensors of a dtype.

    Examples:
        >>> import agar as ms
        >>> ms.ops.typeof(1.5), ms.ops.typeof("a")
        (mindspore.float32, mindspore.string_)
    """
    if isinstance(x, Tensor):
        return x.dtype
    if isinstance(x, float):
        return mstype.float32
    return mstype.get_py_obj_dtype(x)


def reduced_shape(input_shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """A shape with ones in place of some sizes.

    Args:
        input_shape (tuple[int]): the shape.
        axis (Union[int, tuple[int]]): the axes that become 1; an empty tuple means all.

    Returns:
        tuple of int.

    Raises:
        ValueError: an axis does not exist.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.reduced_shape((2, 3), (1,))
        (2, 1)
    """
    rank = len(input_shape)
    axes = (axis,) if isinstance(axis, int) else tuple(axis) or tuple(range(rank))
    for a in axes:
        if not -rank <= a < rank:
            raise ValueError(
                f"For 'reduced_shape', 'axis' must be in [-{rank}, {rank}), but got {a}."
            )
    ones = {a % rank for a in axes}
    return tuple(1 if i in ones else n for i, n in enumerate(input_shape))


# ------------------------------------------------------------------ the table of small ones


def _divided(x: Any, y: Any) -> Any:
    if isinstance(y, (int, float)) and y == 0:
        raise ValueError("The divisor could not be zero. But the divisor is zero now.")
    return x / y


def _item(values: Any, key: Any) -> Any:
    return values[key]


def _with_item(values: Any, key: Any, value: Any) -> Any:
    changed = dict(values) if isinstance(values, dict) else list(values)
    changed[key] = value
    return tuple(changed) if isinstance(values, tuple) else changed


_SMALL: tuple[tuple[str, Callable[..., Any], str, str, str], ...] = (
    ("scalar_add", lambda x, y: x + y, "The sum of two values.", "1, 2", "3"),
    ("scalar_sub", lambda x, y: x - y, "The difference of two values.", "1, 2", "-1"),
    ("scalar_mul", lambda x, y: x * y, "The product of two values.", "2, 3", "6"),
    ("scalar_div", _divided, "The quotient of two values.", "7, 2", "3.5"),
    (
        "scalar_floordiv",
        lambda x, y: x // y,
        "The quotient of two values, rounded down.",
        "-7, 2",
        "-4",
    ),
    (
        "scalar_mod",
        lambda x, y: x % y,
        "The remainder, with the sign of the divisor.",
        "-7, 2",
        "1",
    ),
    ("scalar_pow", lambda x, y: x**y, "The first value to the power of the second.", "2, 3", "8"),
    ("scalar_max", lambda x, y: max(x, y), "The larger of two values.", "1, 2", "2"),
    ("scalar_min", lambda x, y: min(x, y), "The smaller of two values.", "1, 2", "1"),
    ("scalar_eq", lambda x, y: x == y, "Whether two values are equal.", "1, 1", "True"),
    ("scalar_ne", lambda x, y: x != y, "Whether two values differ.", "1, 1", "False"),
    ("scalar_gt", lambda x, y: x > y, "Whether the first value is greater.", "1, 2", "False"),
    (
        "scalar_ge",
        lambda x, y: x >= y,
        "Whether the first value is greater or equal.",
        "1, 2",
        "False",
    ),
    ("scalar_lt", lambda x, y: x < y, "Whether the first value is less.", "1, 2", "True"),
    ("scalar_le", lambda x, y: x <= y, "Whether the first value is less or equal.", "1, 2", "True"),
    ("scalar_uadd", lambda x: +x, "The value itself.", "3", "3"),
    ("scalar_usub", lambda x: -x, "The value with the opposite sign.", "3", "-3"),
    ("scalar_log", lambda x: math.log(x), "The natural logarithm.", "1", "0.0"),
    ("bool_not", lambda x: not x, "The negation of a bool.", "True", "False"),
    ("bool_and", lambda x, y: x and y, "Whether both are true.", "True, False", "False"),
    ("bool_or", lambda x, y: x or y, "Whether at least one is true.", "True, False", "True"),
    ("bool_eq", lambda x, y: x == y, "Whether both are equal.", "True, False", "False"),
    ("string_eq", lambda x, y: x == y, "Whether two strings are equal.", "'a', 'b'", "False"),
    ("string_concat", lambda x, y: x + y, "Two strings joined.", "'a', 'b'", "'ab'"),
    ("is_", lambda x, y: x is y, "Whether both are the same object.", "None, None", "True"),
    (
        "is_not",
        lambda x, y: x is not y,
        "Whether both are different objects.",
        "None, None",
        "False",
    ),
    ("in_dict", lambda x, y: x in y, "Whether a key is in a dict.", "'a', {'a': 1}", "True"),
    (
        "not_in_dict",
        lambda x, y: x not in y,
        "Whether a key is not in a dict.",
        "'a', {'a': 1}",
        "False",
    ),
    ("dict_getitem", _item, "The value of a key.", "{'a': 1}, 'a'", "1"),
    ("dict_setitem", _with_item, "A copy with one value set.", "{}, 'a', 1", "{'a': 1}"),
    ("tuple_getitem", _item, "The element at an index.", "(4, 5), 1", "5"),
    ("tuple_setitem", _with_item, "A copy with one element set.", "(4, 5), 1, 6", "(4, 6)"),
    ("tuple_len", lambda x: len(x), "The number of elements.", "(4, 5)", "2"),
    ("tuple_reversed", lambda x: x[::-1], "The elements in reverse order.", "(4, 5)", "(5, 4)"),
    ("tuple_equal", lambda x, y: x == y, "Whether two tuples are equal.", "(1,), (1,)", "True"),
    (
        "tuple_div",
        lambda x, y: tuple(a // b for a, b in zip(x, y, strict=True)),
        "The quotients of the elements, rounded down.",
        "(4, 6), (2, 3)",
        "(2, 2)",
    ),
    ("list_getitem", _item, "The element at an index.", "[4, 5], 1", "5"),
    ("list_setitem", _with_item, "A copy with one element set.", "[4, 5], 1, 6", "[4, 6]"),
    ("list_len", lambda x: len(x), "The number of elements.", "[4, 5]", "2"),
    ("list_equal", lambda x, y: x == y, "Whether two lists are equal.", "[1], [1]", "True"),
    ("make_tuple", lambda *x: x, "A tuple of the arguments.", "1, 2", "(1, 2)"),
    ("make_list", lambda *x: list(x), "A list of the arguments.", "1, 2", "[1, 2]"),
    (
        "make_dict",
        lambda keys, values: dict(zip(keys, values, strict=True)),
        "A dict of keys and values.",
        "('a',), (1,)",
        "{'a': 1}",
    ),
    (
        "make_range",
        lambda *x: tuple(range(*x)),
        "A tuple of the numbers of a range.",
        "3",
        "(0, 1, 2)",
    ),
    (
        "make_slice",
        lambda a, b, c: slice(a, b, c),
        "A slice object.",
        "1, 2, None",
        "slice(1, 2, None)",
    ),
    (
        "shape_mul",
        lambda input_data: math.prod(input_data),
        "The number of elements of a tensor of a shape.",
        "(2, 3)",
        "6",
    ),
    ("isconstant", lambda x: True, "Whether a value is a constant: always True here.", "3", "True"),
    (
        "is_tensor_bool_cond",
        lambda x: isinstance(x, Tensor) and x.size == 1,
        "Whether a value is a Tensor of one element, which can be a condition.",
        "ms.Tensor([True])",
        "True",
    ),
    (
        "hastype",
        lambda x, t: typeof(x) is t,
        "Whether a value is of a type.",
        "3, ms.int64",
        "True",
    ),
    ("augassign_add", operator.iadd, "The result of ``a += b``.", "1, 2", "3"),
    ("augassign_sub", operator.isub, "The result of ``a -= b``.", "1, 2", "-1"),
    ("augassign_mul", operator.imul, "The result of ``a *= b``.", "2, 3", "6"),
    ("augassign_div", operator.itruediv, "The result of ``a /= b``.", "7, 2", "3.5"),
    ("augassign_mod", operator.imod, "The result of ``a %= b``.", "7, 2", "1"),
    ("augassign_floordiv", operator.ifloordiv, "The result of ``a //= b``.", "7, 2", "3"),
)


# The types and meanings of arguments, by the beginning of the functions' names.
_TYPES = {
    "scalar": "Union[bool, int, float]",
    **{kind: kind for kind in ("bool", "dict", "list", "tuple")},
    "string": "str",
}
_MEANINGS = {
    "x": "the first value",
    "y": "the second value",
    "a": "the left operand; changed in place if it is mutable",
    "b": "the right operand",
    "values": "the values to take from",
    "key": "the index or key",
    "value": "the new value",
    "input_data": "the shape",
    "t": "the type, such as ``ms.int64``",
}
_OWN_MEANINGS = {
    "in_dict": {"x": "the key", "y": "the dict"},
    "not_in_dict": {"x": "the key", "y": "the dict"},
    "make_dict": {"keys": "the keys", "values": "the values, as many"},
    "make_list": {"x": "the elements"},
    "make_range": {"x": "start, stop and step, as those of ``range``"},
    "make_slice": {"a": "the start", "b": "the stop", "c": "the step"},
    "make_tuple": {"x": "the elements"},
}


def _argument(function: str, parameter: inspect.Parameter, alone: bool) -> str:
    """The description of an argument."""
    name = parameter.name
    meaning = "the value" if alone and name == "x" else _MEANINGS.get(name, "")
    meaning = _OWN_MEANINGS.get(function, {}).get(name, meaning)
    kind = _TYPES.get(function.partition("_")[0], "Any")
    kind = "Any" if name in ("key", "value") else kind
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    return f"    {star}{name} ({kind}): {meaning}.\n"


def _publish(name: str, call: Callable[..., Any], purpose: str, example: str, shown: str) -> None:
    def function(*args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs)

    signature = inspect.signature(call)
    parameters = signature.parameters.values()
    described = "".join(_argument(name, p, len(parameters) == 1) for p in parameters)
    function.__signature__ = signature
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{purpose}\n\nArgs:\n{described}\n"
        "Difference from PyTorch: plain Python (no counterpart).\n\n"
        "Source: behavior observed in MindSpore 2.10.\n\n"
        f"Examples:\n    >>> import agar as ms\n    >>> ms.ops.{name}({example})\n    {shown}\n"
    )
    globals()[name] = function
    __all__.append(name)


for _row in _SMALL:
    _publish(*_row)
