"""Checks of arguments, at MindSpore's private path, which programs import nevertheless.

Each returns the value or raises TypeError or ValueError. `Validator` and `Rel` are the spellings of
MindSpore 1.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import operator
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import numpy as np

from agar._core.dtype import Type
from agar._core.tensor import Tensor

EQ, NE, LT, LE, GT, GE = 1, 2, 3, 4, 5, 6
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = 7, 8, 9, 10
IN, NOT_IN = 11, 12

#: MindSpore 1's class of these constants.
Rel = SimpleNamespace(
    EQ=EQ,
    NE=NE,
    LT=LT,
    LE=LE,
    GT=GT,
    GE=GE,
    INC_NEITHER=INC_NEITHER,
    INC_LEFT=INC_LEFT,
    INC_RIGHT=INC_RIGHT,
    INC_BOTH=INC_BOTH,
    IN=IN,
    NOT_IN=NOT_IN,
)

#: MindSpore 1's class of these functions.
Validator = sys.modules[__name__]

_RELATIONS: dict[int, tuple[Callable[[Any, Any], bool], str]] = {
    EQ: (operator.eq, "="),
    NE: (operator.ne, "!="),
    LT: (operator.lt, "<"),
    LE: (operator.le, "<="),
    GT: (operator.gt, ">"),
    GE: (operator.ge, ">="),
    IN: (lambda a, b: a in b, "in"),
    NOT_IN: (lambda a, b: a not in b, "not in"),
}
_ENDS = {INC_NEITHER: "()", INC_LEFT: "[)", INC_RIGHT: "(]", INC_BOTH: "[]"}


def _subject(arg_name: str | None, prim_name: str | None, default: str = "input value") -> str:
    owner = f"For '{prim_name}', the" if prim_name else "The"
    return f"{owner} '{arg_name}'" if arg_name else f"{owner} {default}"


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


def _finite(op_name: str, value: Any) -> None:
    if math.isinf(value) or math.isnan(value):
        raise ValueError(f"{op_name} must be a legal value, but got '{value}'.")


def _compared(
    value: Any, bound: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None
) -> Any:
    op_name = _subject(arg_name, prim_name)
    compare, sign = _RELATIONS[rel]
    if not _is(value, kind):
        raise TypeError(
            f"{op_name} must be {kind.__name__} and must {sign} {bound}, but got '{value}' with "
            f"type '{type(value).__name__}'."
        )
    _finite(op_name, value)
    if not compare(value, bound):
        raise ValueError(
            f"{op_name} must be {kind.__name__} and must {sign} {bound}, but got '{value}' with "
            f"type '{type(value).__name__}'."
        )
    return value


def check_is_number(
    arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None
) -> Any:
    """A finite number of the type."""
    op_name = _subject(arg_name, prim_name)
    if not _is(arg_value, arg_type):
        raise TypeError(
            f"{op_name.replace(' the ', ' the type of ', 1)} must be '{arg_type.__name__}', but "
            f"got '{type(arg_value).__name__}'."
        )
    _finite(op_name, arg_value)
    return arg_value


def check_number_range(
    arg_value: Any,
    lower_limit: Any,
    upper_limit: Any,
    rel: int,
    value_type: type,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:
    """A number within limits; `rel` says which of them belong to the range."""
    op_name = _subject(arg_name, prim_name)
    if isinstance(arg_value, bool) or not isinstance(
        arg_value, (np.ndarray, np.generic, value_type)
    ):
        raise TypeError(
            f"{op_name} must be '{value_type.__name__}', but got '{type(arg_value).__name__}'."
        )
    left, right = _ENDS[rel]
    above = arg_value >= lower_limit if left == "[" else arg_value > lower_limit
    below = arg_value <= upper_limit if right == "]" else arg_value < upper_limit
    if not (above and below):
        raise ValueError(
            f"{op_name} must be in range of {left}{lower_limit}, {upper_limit}{right}, but got "
            f"{arg_value} with type '{type(arg_value).__name__}'."
        )
    return arg_value


def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = EQ,
    prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:
    """A value that stands in a relation to another."""
    compare, sign = _RELATIONS[rel]
    if not compare(arg_value, value):
        raise excp_cls(
            f"{_subject(arg_name, prim_name)} should be {sign} {value_name}: {value}, but got "
            f"{arg_value}."
        )
    return arg_value


def check_int(
    arg_value: Any, value: Any, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """An int that stands in a relation to another."""
    return _compared(arg_value, value, rel, int, arg_name, prim_name)


def check_float(
    arg_value: Any, value: Any, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> float:
    """A float that stands in a relation to a number."""
    return _compared(arg_value, value, rel, float, arg_name, prim_name)


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None) -> Any:
    """A number that stands in a relation to another."""
    compare, sign = _RELATIONS[rel]
    if not compare(arg_value, value):
        raise ValueError(
            f"{_subject(arg_name, prim_name)} must be {sign} {value}, but got {arg_value}."
        )
    return arg_value


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int."""
    return check_is_number(arg_value, int, arg_name, prim_name)


def check_is_float(
    arg_value: Any, arg_name: str | None = None, prim_name: str | None = None
) -> float:
    """A finite float."""
    return check_is_number(arg_value, float, arg_name, prim_name)


def check_equal_int(
    arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None
) -> int:
    """An int equal to another."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def _sign(kind: type, rel: int, words: str) -> Callable[..., Any]:
    def one(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
        return _compared(arg_value, 0, rel, kind, arg_name, prim_name)

    one.__doc__ = f"{words} {kind.__name__}."
    return one


check_positive_int = _sign(int, GT, "A positive")
check_negative_int = _sign(int, LT, "A negative")
check_non_positive_int = _sign(int, LE, "A not positive")
check_non_negative_int = _sign(int, GE, "A not negative")
check_positive_float = _sign(float, GT, "A positive")
check_negative_float = _sign(float, LT, "A negative")
check_non_positive_float = _sign(float, LE, "A not positive")
check_non_negative_float = _sign(float, GE, "A not negative")


def _each(one: Callable[..., Any], words: str) -> Callable[..., Any]:
    def every(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
        for index, element in enumerate(sequence):
            one(element, f"{arg_name or 'arg_name'}[{index}]", prim_name)
        return sequence

    every.__doc__ = f"A sequence of {words}."
    return every


check_positive_int_sequence = _each(check_positive_int, "positive ints")
check_non_negative_int_sequence = _each(check_non_negative_int, "ints that are not negative")
check_positive_float_sequence = _each(check_positive_float, "positive floats")


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """A value of one of the classes."""
    if not isinstance(arg_value, classes):
        raise ValueError(
            f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}."
        )
    return arg_value


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> bool:
    """A bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(
            f"{_subject(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}."
        )
    return arg_value


def check_int_range(
    arg_value: Any,
    lower_limit: int,
    upper_limit: int,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> int:
    """An int within limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(
    arg_value: Any,
    lower_limit: float,
    upper_limit: float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> float:
    """A float within limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def check_string(
    arg_value: Any,
    valid_values: Sequence[str],
    arg_name: str | None = None,
    prim_name: str | None = None,
) -> str:
    """A str among those given."""
    if isinstance(arg_value, str) and arg_value in valid_values:
        return arg_value
    raise ValueError(
        f"{_subject(arg_name, prim_name, 'parameter')} must be str and must be in "
        f"'{valid_values}', but got '{arg_value}'."
    )


def check_str_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """Whether a str matches a pattern, by default of letters, digits and some signs."""
    pattern = reg if reg is not None else r"^\w+[0-9a-zA-Z\_\.]*$"
    if re.match(pattern, target, flag) is None:
        raise ValueError(
            f"{_subject(None, prim_name, '')}'{target}' is illegal, it must be match "
            f"regular'{pattern}' by flags'{flag}.'"
        )
    return True


def check_file_name_by_regular(
    target: str, reg: str | None = None, prim_name: str | None = None
) -> bool:
    """Whether a str can be the name of a file."""
    if not isinstance(target, str) or not target or target.isspace():
        raise ValueError(f"The argument 'file name' must be str and not empty, but got {target!r}.")
    return check_str_by_regular(target, reg or r"^[0-9a-zA-Z\_\-\.\:\/\\]+$", prim_name=prim_name)


def _kinds(valid_types: Any) -> tuple[type, ...]:
    return tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)


def check_value_type(
    arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None
) -> Any:
    """A value of one of the types; a bool counts as an int only if bool is among them."""
    kinds = _kinds(valid_types)
    refused = isinstance(arg_value, bool) and bool not in kinds
    fits = arg_value in kinds if arg_value is None else False
    fits = fits or isinstance(arg_value, tuple(k for k in kinds if isinstance(k, type)))
    if fits and not refused:
        return arg_value
    names = [k.__name__ if isinstance(k, type) else str(k) for k in kinds]
    expected = names[0] if len(names) == 1 else f"one of {names}"
    owner = f"For '{prim_name}', the" if prim_name else "The"
    raise TypeError(
        f"{owner} type of '{arg_name}' must be {expected}, but got '{arg_value}' with type "
        f"'{type(arg_value).__name__}'."
    )


def check_subclass(
    arg_name: str,
    type_: Any,
    template_types: Any,
    prim_name: str | None,
    addition_error_info: str | None = None,
) -> None:
    """Whether a type is, or derives from, one of the others."""
    others = _kinds(template_types)
    fits = any(
        type_ == t
        or (isinstance(type_, type) and isinstance(t, type) and issubclass(type_, t))
        or (isinstance(t, type) and isinstance(type_, t))
        for t in others
    )
    if not fits:
        more = f" {addition_error_info}" if addition_error_info else ""
        raise TypeError(
            f"{_subject(arg_name, prim_name)} must be one of {[str(t) for t in others]}, but got "
            f"{type_}.{more}"
        )


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None) -> Any:
    """A type among those given."""
    others = _kinds(valid_types)
    if arg_type not in others:
        raise TypeError(
            f"{_subject(arg_name, prim_name)} must be one of {[str(t) for t in others]}, but got "
            f"{arg_type}."
        )
    return arg_type


check_tensor_dtype_valid = check_type_name


def check_types_same_and_valid(
    args: Mapping[str, Any], valid_values: Any, prim_name: str | None
) -> None:
    """Types that are among those given, and all the same."""
    for name, kind in args.items():
        check_type_name(name, kind, valid_values, prim_name)
    if len({str(kind) for kind in args.values()}) > 1:
        raise TypeError(
            f"{_subject(', '.join(args), prim_name)} must have the same type, but got "
            f"{ {name: str(kind) for name, kind in args.items()} }."
        )


check_tensors_dtypes_same_and_valid = check_types_same_and_valid


def check_scalar_or_tensor_types_same(
    args: Mapping[str, Any], valid_values: Any, prim_name: str | None, allow_mix: bool = False
) -> None:
    """Types that are among those given, and all the same."""
    check_types_same_and_valid(args, valid_values, prim_name)


def check_valid_input(arg_name: str, arg_value: Any, prim_name: str | None) -> Any:
    """A value that is not None."""
    if arg_value is None:
        raise ValueError(f"{_subject(arg_name, prim_name)} can not be None.")
    return arg_value


def check_element_type_of_iterable(
    arg_name: str, arg_value: Iterable[Any], valid_types: Any, prim_name: str | None = None
) -> Any:
    """An iterable of values of the types."""
    for element in arg_value:
        check_value_type(f"element of {arg_name}", element, valid_types, prim_name)
    return arg_value


def check_element_type_of_dict(
    arg_name: str,
    arg_value: Mapping[Any, Any],
    key_types: Any,
    value_types: Any,
    prim_name: str | None = None,
) -> Any:
    """A dict with keys and values of the types."""
    check_value_type(arg_name, arg_value, [dict], prim_name)
    check_element_type_of_iterable(f"keys of {arg_name}", arg_value.keys(), key_types, prim_name)
    check_element_type_of_iterable(
        f"values of {arg_name}", arg_value.values(), value_types, prim_name
    )
    return arg_value


def check_pad_value_by_mode(pad_mode: str, padding: Any, prim_name: str | None) -> Any:
    """A padding, which is 0 unless the mode is ``"pad"``."""
    if pad_mode != "pad" and padding != 0:
        raise ValueError(
            f"For '{prim_name}', padding must be zero when pad_mode is '{pad_mode}', but got "
            f"{padding}."
        )
    return padding


def check_axis_in_range(axis: int, ndim: int) -> int:
    """An axis, counted from the front."""
    check_is_int(axis, "axis")
    if not -ndim <= axis < ndim:
        raise ValueError(f"The 'axis' must be in range of [{-ndim}, {ndim}), but got {axis}.")
    return axis % ndim if ndim else axis


def check_axis_valid(axes: Any, ndim: int) -> tuple[int, ...]:
    """Axes, counted from the front, without duplicates; None means all."""
    if axes is None:
        return tuple(range(ndim))
    items = tuple(
        check_axis_in_range(a, ndim) for a in (axes if isinstance(axes, (tuple, list)) else (axes,))
    )
    if len(set(items)) < len(items):
        raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {axes}.")
    return items


check_and_canonicalize_axes = check_axis_valid


def infer_out_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape to which shapes are broadcast."""
    return tuple(np.broadcast_shapes(*(tuple(s) for s in shapes)))


def check_input_data(*data: Any, data_class: Any) -> None:
    """Tensors, numpy arrays, numbers, or lists and dicts of them, of the class."""
    for item in data:
        if isinstance(item, (list, tuple)):
            check_input_data(*item, data_class=data_class)
        elif isinstance(item, dict):
            check_input_data(*item.values(), data_class=data_class)
        elif not isinstance(item, data_class):
            raise TypeError(
                f"The types of input data must be in the Union({data_class}), but got type "
                f"{type(item).__name__}."
            )


def check_hook_fn(hook_fn: Any) -> bool:
    """Whether something is a function that can be a hook."""
    if not inspect.isfunction(hook_fn) and not inspect.ismethod(hook_fn):
        raise TypeError(
            "When using 'hook_type(hook_fn)', the type of 'hook_fn' must be python function, but "
            f"got {type(hook_fn)}."
        )
    return True


def is_stub_tensor(tensor: Any) -> bool:
    """Whether a tensor stands for one that is still computed: never, in agar."""
    return False


def _expanded(count: int) -> Callable[[Any], tuple[Any, ...]]:
    def expand(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Iterable):
            return tuple(repeat(value, count))
        items = tuple(value)
        if len(items) != count:
            raise TypeError(f"Input tuple {items} must have {count} elements.")
        return items

    expand.__doc__ = f"A tuple of {count}: the value {count} times, or the values given."
    return expand


once, twice, triple = _expanded(1), _expanded(2), _expanded(3)


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[..., Any]:
    """Decorator: arguments must be of the types given for them, or None."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(func)
        expected = signature.bind_partial(*type_args, **type_kwargs).arguments

        @functools.wraps(func)
        def checked(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            many = given.get("kwargs", {}) if "kwargs" in given else {}
            kinds = {**expected, **expected.get("kwargs", {})}
            for name, value in {**given, **many}.items():
                kind = kinds.get(name)
                if value is None or not isinstance(kind, (type, tuple)):
                    continue
                if not isinstance(value, kind):
                    raise TypeError(f"The parameter '{name}' must be {kind}, but got {type(value)}")
            return func(*args, **kwargs)

        return checked

    return decorate


def check_type_support(dtype: Type, device: str, supported_dtypes: Sequence[Type]) -> bool:
    """Whether a type is among those of a device; all are elsewhere."""
    return dtype in supported_dtypes


def check_output_data(data: Any) -> None:
    """Data that is not None."""
    if data is None:
        raise RuntimeError("The output data can not be None.")


# spellings of MindSpore 1
check_integer = check_int
check_type = check_value_type
check_string_in = check_string


def check_tensor_type_same(args: Mapping[str, Any], valid_values: Any, prim_name: str) -> None:
    """MindSpore 1's spelling of `check_tensors_dtypes_same_and_valid`."""
    check_types_same_and_valid(args, valid_values, prim_name)


def check_tensor(name: str, value: Any, prim_name: str | None = None) -> Tensor:
    """A Tensor."""
    return check_value_type(name, value, Tensor, prim_name)


def check_real(name: str, value: Any, prim_name: str | None = None) -> Any:
    """A number that is not complex."""
    return check_value_type(name, value, numbers.Real, prim_name)


check_int_positive = check_positive_int
