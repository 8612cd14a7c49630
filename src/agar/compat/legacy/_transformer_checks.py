"""The checks of arguments of MindSpore 1's ``nn.transformer.layers``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

__all__ = [
    "_LayerInputCheck",
    "_args_type_validator_check",
    "_check_input_dtype",
    "_check_input_shape",
    "_check_past_none_input_none",
    "_valid_type_checks",
    "_valid_value_checks",
]


def _args_type_validator_check(*checks: Any, **by_name: Any) -> Callable[..., Any]:
    """Decorator that calls ``check(value)`` for each given argument that has a check."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        bound_checks = signature.bind_partial(*checks, **by_name).arguments

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                check = bound_checks.get(name)
                if check is not None:
                    check(value, name)
            return function(*args, **kwargs)

        return checked

    return decorate


def _valid_type_checks(types: Any, class_name: str) -> Callable[..., None]:
    """A check that a value is an instance of, or is, one of some types."""
    allowed = tuple(types) if isinstance(types, (list, tuple)) else (types,)
    classes = tuple(kind for kind in allowed if isinstance(kind, type))

    def check(value: Any, name: str) -> None:
        if isinstance(value, classes) or any(value is kind for kind in allowed):
            return
        raise TypeError(
            f"For '{class_name}', '{name}' must be one of {list(allowed)}, but got {value!r}."
        )

    return check


def _valid_value_checks(values: Any, class_name: str) -> Callable[..., None]:
    """A check that a value is one of some."""
    allowed = list(values) if isinstance(values, (list, tuple)) else [values]

    def check(value: Any, name: str) -> None:
        if value not in allowed:
            raise ValueError(
                f"For '{class_name}', '{name}' must be one of {allowed}, but got {value!r}."
            )

    return check


def _check_input_dtype(input_dtype: Any, param_name: str, allow_dtypes: Any, cls_name: str) -> None:
    """Raise a TypeError where a dtype is none of some."""
    if input_dtype not in tuple(allow_dtypes):
        raise TypeError(
            f"For '{cls_name}', '{param_name}' must be of {list(allow_dtypes)}, but got "
            f"{input_dtype}."
        )


def _check_input_shape(input_shape: Any, param_name: str, func_name: str, target_len: int) -> None:
    """Raise a ValueError where a shape has another number of axes."""
    if len(input_shape) != target_len:
        raise ValueError(
            f"For '{func_name}', '{param_name}' must have {target_len} axes, but got {input_shape}."
        )


def _check_past_none_input_none(
    use_past: bool,
    param_name: str,
    func_name: str,
    default_value: Any,
    is_tensor: bool,
    is_default: bool,
) -> None:
    """Raise where an input of generation with a cache is given without it, or the reverse."""
    if not use_past:
        if is_tensor:
            raise TypeError(
                f"For '{func_name}', '{param_name}' must be {default_value} where 'use_past' is "
                "False, but got a Tensor."
            )
        if not is_default:
            raise ValueError(
                f"For '{func_name}', '{param_name}' must be {default_value} where 'use_past' is "
                "False."
            )
    elif not is_tensor:
        raise TypeError(
            f"For '{func_name}', '{param_name}' must be a Tensor where 'use_past' is True."
        )


class _LayerInputCheck:
    """Checks of what layers are called with; each returns True or raises."""

    @staticmethod
    def check_shape_length(
        input_shape: Any, param_name: str, func_name: str, target_len: Any
    ) -> bool:
        """The number of axes is one of `target_len`.

        Raises:
            ValueError: it is not.
        """
        lengths = target_len if isinstance(target_len, (list, tuple)) else [target_len]
        if len(input_shape) not in lengths:
            raise ValueError(
                f"For '{func_name}', '{param_name}' must have {list(lengths)} axes, but got shape "
                f"{input_shape}."
            )
        return True

    @staticmethod
    def check_shape_equal(
        input_shape: Any, param_name: str, func_name: str, target_shape: Any
    ) -> bool:
        """The shape is `target_shape`, or one of a list of shapes.

        Raises:
            ValueError: it is not.
        """
        shapes = (
            target_shape if target_shape and isinstance(target_shape[0], list) else [target_shape]
        )
        if list(input_shape) not in [list(shape) for shape in shapes]:
            raise ValueError(
                f"For '{func_name}', '{param_name}' must have the shape "
                f"{' or '.join(str(list(s)) for s in shapes)}, but got {list(input_shape)}."
            )
        return True
