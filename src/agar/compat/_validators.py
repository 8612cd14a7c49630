"""``dataset.core.validator_helpers``: the checks of arguments that dataset programs reuse."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = [
    "check_2tuple",
    "check_columns",
    "check_dataset_num_shards_shard_id",
    "check_dict",
    "check_dir",
    "check_file",
    "check_filename",
    "check_float32",
    "check_float32_not_zero",
    "check_float64",
    "check_int32",
    "check_int32_not_zero",
    "check_list_same_size",
    "check_non_negative_float32",
    "check_non_negative_float64",
    "check_non_negative_int32",
    "check_num_parallel_workers",
    "check_num_samples",
    "check_odd",
    "check_padding_options",
    "check_pos_float32",
    "check_pos_float64",
    "check_pos_int32",
    "check_pos_int64",
    "check_pos_uint32",
    "check_positive",
    "check_range",
    "check_sampler_shuffle_shard_options",
    "check_tensor_op",
    "check_uint8",
    "check_uint32",
    "check_uint64",
    "check_valid_detype",
    "check_valid_list_tuple",
    "check_valid_str",
    "check_value",
    "check_value_cutoff",
    "check_value_normalize_std",
    "check_value_ratio",
    "is_iterable",
    "pad_arg_name",
    "parse_user_args",
    "replace_none",
    "type_check",
    "type_check_list",
    "validate_dataset_param_value",
]

_INT32, _INT64 = 2**31 - 1, 2**63 - 1
_FLOAT, _DOUBLE = 2**24, 2**53
_DETYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 string"


def is_iterable(obj: Any) -> bool:
    """Whether an object can be iterated over."""
    try:
        iter(obj)
    except TypeError:
        return False
    return True


def pad_arg_name(arg_name: str) -> str:
    """An argument's name with a space behind it, for messages."""
    return f"{arg_name} " if arg_name else ""


def replace_none(value: Any, default: Any) -> Any:
    """`value`, or `default` where it is None."""
    return default if value is None else value


def type_check(arg: Any, types: Any, arg_name: str) -> None:
    """An argument of one of some types; True and False are not ints.

    Raises:
        TypeError: it is of another type.
    """
    allowed = tuple(types) if isinstance(types, (list, tuple)) else (types,)
    number_for_bool = isinstance(arg, bool) and bool not in allowed
    if number_for_bool or not isinstance(arg, allowed):
        names = ", ".join(t.__name__ for t in allowed)
        raise TypeError(
            f"Argument {arg_name} must be of type {names}, but got {arg!r} of type "
            f"{type(arg).__name__}."
        )


def type_check_list(args: Sequence[Any], types: Any, arg_names: Any) -> None:
    """Arguments of one of some types each, with a name for each or one for all.

    Raises:
        TypeError: one is of another type.
        ValueError: there are not as many names as arguments.
    """
    names = arg_names
    if not isinstance(names, (list, tuple)):
        names = [f"{arg_names}[{i}]" for i in range(len(args))]
    if len(names) != len(args):
        raise ValueError(f"There are {len(args)} arguments, but {len(names)} names for them.")
    for arg, name in zip(args, names, strict=True):
        type_check(arg, types, name)


def check_value(
    value: Any,
    valid_range: Sequence[Any],
    arg_name: str = "",
    left_open_interval: bool = False,
    right_open_interval: bool = False,
) -> None:
    """A value within an interval, whose ends belong to it unless they are open.

    Raises:
        ValueError: it lies outside.
    """
    low, high = valid_range[0], valid_range[1]
    above = value > low if left_open_interval else value >= low
    below = value < high if right_open_interval else value <= high
    if not (above and below):
        ends = f"{'(' if left_open_interval else '['}{low}, {high}"
        ends += ")" if right_open_interval else "]"
        raise ValueError(
            f"Input {pad_arg_name(arg_name)}is not within the required interval of {ends}: got "
            f"{value}."
        )


def check_value_cutoff(value: Any, valid_range: Sequence[Any], arg_name: str = "") -> None:
    """A value within an interval without its upper end."""
    check_value(value, valid_range, arg_name, right_open_interval=True)


def check_value_ratio(value: Any, valid_range: Sequence[Any], arg_name: str = "") -> None:
    """A value within an interval without its lower end."""
    check_value(value, valid_range, arg_name, left_open_interval=True)


check_value_normalize_std = check_value_ratio


def check_range(values: Sequence[Any], valid_range: Sequence[Any], arg_name: str = "") -> None:
    """Two values in order within an interval.

    Raises:
        ValueError: they are not in order, or one lies outside.
    """
    check_value(values[0], (valid_range[0], values[1]), arg_name)
    check_value(values[1], (values[0], valid_range[1]), arg_name)


def check_positive(value: Any, arg_name: str = "") -> None:
    """A value above 0.

    Raises:
        ValueError: it is not.
    """
    if value <= 0:
        raise ValueError(f"Input {pad_arg_name(arg_name)}must be greater than 0: got {value}.")


def check_odd(value: Any, arg_name: str = "") -> None:
    """An odd number.

    Raises:
        ValueError: it is even.
    """
    if value % 2 != 1:
        raise ValueError(f"Input {pad_arg_name(arg_name)}is not an odd value: got {value}.")


def check_2tuple(value: Any, arg_name: str = "") -> None:
    """A tuple of two.

    Raises:
        ValueError: it is something else.
    """
    if not (isinstance(value, tuple) and len(value) == 2):
        raise ValueError(f"Value {pad_arg_name(arg_name)}needs to be a 2-tuple: got {value!r}.")


def _whole(low: int, high: int) -> Callable[..., None]:
    def check(value: Any, arg_name: str = "") -> None:
        type_check(value, (int,), arg_name)
        check_value(value, (low, high), arg_name)

    check.__doc__ = f"An int within [{low}, {high}]."
    return check


def _real(low: int, high: int, open_below: bool = False) -> Callable[..., None]:
    def check(value: Any, arg_name: str = "") -> None:
        type_check(value, (float, int), arg_name)
        check_value(value, (low, high), arg_name, left_open_interval=open_below)

    check.__doc__ = f"A number from {low} to {high}" + (
        ", the first left out." if open_below else "."
    )
    return check


check_int32 = _whole(-(2**31), _INT32)
check_uint8 = _whole(0, 255)
check_uint32 = _whole(0, 2**32 - 1)
check_pos_uint32 = _whole(1, 2**32 - 1)
check_pos_int32 = _whole(1, _INT32)
check_uint64 = _whole(0, 2**64 - 1)
check_pos_int64 = _whole(1, _INT64)
check_non_negative_int32 = _whole(0, _INT32)
check_float32 = _real(-_FLOAT, _FLOAT)
check_float64 = _real(-_DOUBLE, _DOUBLE)
check_pos_float32 = _real(0, _FLOAT, open_below=True)
check_pos_float64 = _real(0, _DOUBLE, open_below=True)
check_non_negative_float32 = _real(0, _FLOAT)
check_non_negative_float64 = _real(0, _DOUBLE)


def _not_zero(value: Any, bound: tuple[int, int], arg_name: str) -> None:
    if value == 0 or not bound[0] <= value <= bound[1]:
        raise ValueError(
            f"Input {pad_arg_name(arg_name)}is not within the required interval of [{bound[0]}, 0) "
            f"and (0, {bound[1]}]: got {value}."
        )


def check_int32_not_zero(value: Any, arg_name: str = "") -> None:
    """An int of 32 bits that is not 0."""
    type_check(value, (int,), arg_name)
    _not_zero(value, (-(2**31), _INT32), arg_name)


def check_float32_not_zero(value: Any, arg_name: str = "") -> None:
    """A number that is not 0."""
    type_check(value, (float, int), arg_name)
    _not_zero(value, (-_FLOAT, _FLOAT), arg_name)


def check_valid_detype(type_: Any) -> bool:
    """Whether columns can have a type, which is given by its name or as a dtype.

    Raises:
        TypeError: there is no such type.
    """
    name = type_ if isinstance(type_, str) else str(type_).lower()
    if name not in _DETYPES.split():
        raise TypeError(f"Unknown column type: {type_!r}; it must be one of {_DETYPES}.")
    return True


def check_valid_str(value: Any, valid_strings: Sequence[str], arg_name: str = "") -> None:
    """A text that is one of several.

    Raises:
        TypeError: it is not a str.
        ValueError: it is another one.
    """
    type_check(value, (str,), arg_name)
    if value not in valid_strings:
        raise ValueError(
            f"Input {pad_arg_name(arg_name)}is not within the valid set of {list(valid_strings)}: "
            f"got {value!r}."
        )


def check_valid_list_tuple(
    value: Any, valid_list_tuple: Any, data_type: Any, arg_name: str = ""
) -> None:
    """A sequence of elements of some types, each one of the allowed sequences."""
    type_check(value, (list, tuple), arg_name)
    type_check_list(value, data_type, arg_name)
    if value not in valid_list_tuple:
        raise ValueError(
            f"Input {pad_arg_name(arg_name)}is not within the valid set of {valid_list_tuple}: "
            f"got {value!r}."
        )


def check_columns(columns: Any, name: str) -> None:
    """Names of columns: a text or a list of texts, each once.

    Raises:
        TypeError: they are something else.
        ValueError: there are none, one is empty, or one comes twice.
    """
    type_check(columns, (str, list), name)
    if not columns:
        raise ValueError(f"{name} should not be empty{' str' if columns == '' else ''}.")
    names = [columns] if isinstance(columns, str) else columns
    type_check_list(names, (str,), name)
    for index, column in enumerate(names):
        if not column:
            raise ValueError(f"{name}[{index}] should not be empty.")
    if len(set(names)) != len(names):
        raise ValueError(f"Every name in {name} must be there once, but got {names}.")


def parse_user_args(method: Any, *args: Any, **kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a method's call, as a list and by name with ``self``.

    Raises:
        TypeError: the call does not fit the method.
    """
    bound = inspect.signature(method).bind(method, *args, **kwargs)
    bound.apply_defaults()
    values = dict(bound.arguments)
    return list(values.values())[1:], values


def check_filename(path: str) -> None:
    """A file's name without characters that file systems or shells treat specially.

    Raises:
        TypeError: it is not a str.
        ValueError: it is empty, too long, or has such a character.
    """
    type_check(path, (str,), "path")
    name = os.path.basename(path)
    forbidden = set(r"\/:*?\"<>|`&;'")
    entries = sorted(forbidden & set(name))
    if not name or len(name) > 255 or entries or name.strip() != name:
        raise ValueError(
            f"filename should not contain {sorted(forbidden)}, nor be empty, longer than 255 "
            f"characters, or begin or end with a space: got {name!r}."
        )


def check_dir(dataset_dir: Any) -> None:
    """A folder that can be read.

    Raises:
        ValueError: it is not there, not a folder, or cannot be read.
    """
    if not os.path.isdir(dataset_dir) or not os.access(dataset_dir, os.R_OK):
        raise ValueError(
            f"The folder {dataset_dir} does not exist or is not a directory or permission denied!"
        )


def check_file(dataset_file: Any) -> None:
    """A file that can be read.

    Raises:
        ValueError: it is not there or cannot be read.
    """
    if not os.path.isfile(dataset_file) or not os.access(dataset_file, os.R_OK):
        raise ValueError(f"The file {dataset_file} does not exist or permission denied!")


def check_list_same_size(
    list1: Sequence[Any], list2: Sequence[Any], list1_name: str = "", list2_name: str = ""
) -> None:
    """Two sequences of one length.

    Raises:
        ValueError: their lengths differ.
    """
    if len(list1) != len(list2):
        raise ValueError(
            f"The size of {list1_name} ({len(list1)}) should be the same as that of {list2_name} "
            f"({len(list2)})."
        )


def check_sampler_shuffle_shard_options(param_dict: dict[str, Any]) -> None:
    """Options of a dataset that exclude or need each other.

    Raises:
        RuntimeError: a sampler beside shuffle or shards, or one of the two numbers of shards.
        ValueError: the shard is not one of that many.
    """
    sampler, shuffle = param_dict.get("sampler"), param_dict.get("shuffle")
    count, own = param_dict.get("num_shards"), param_dict.get("shard_id")
    if sampler is not None:
        if shuffle is not None:
            raise RuntimeError("sampler and shuffle cannot be specified at the same time.")
        if count is not None:
            raise RuntimeError("sampler and sharding cannot be specified at the same time.")
    if (count is None) != (own is None):
        given, other = ("num_shards", "shard_id") if own is None else ("shard_id", "num_shards")
        raise RuntimeError(f"{given} is specified and requires {other} as well.")
    if count is not None:
        check_pos_int32(count, "num_shards")
        check_value(own, (0, count - 1), "shard_id")


def check_dataset_num_shards_shard_id(num_shards: int | None, shard_id: int | None) -> None:
    """The two numbers of shards: both or none.

    Raises:
        ValueError: one alone, or the shard is not one of that many.
    """
    if (num_shards is None) != (shard_id is None):
        raise ValueError("num_shards and shard_id need to be passed in together.")
    if num_shards is not None and shard_id is not None:
        check_pos_int32(num_shards, "num_shards")
        check_non_negative_int32(shard_id, "shard_id")
        if shard_id >= num_shards:
            raise ValueError(f"shard_id {shard_id} should be less than num_shards {num_shards}.")


def check_padding_options(param_dict: dict[str, Any]) -> None:
    """Options of padding that need each other.

    Raises:
        RuntimeError: one without the other, or without names of columns.
    """
    sample, count = param_dict.get("padded_sample"), param_dict.get("num_padded")
    if sample is None:
        if count is not None:
            raise RuntimeError("num_padded is specified and requires padded_sample as well.")
        return
    if count is None:
        raise RuntimeError("padded_sample is specified and requires num_padded as well.")
    if param_dict.get("columns_list") is None:
        raise RuntimeError("padded_sample is specified and requires columns_list as well.")
    type_check(sample, (dict,), "padded_sample")


def check_num_parallel_workers(value: Any) -> None:
    """A number of workers that the machine has.

    Raises:
        TypeError: it is not an int.
        ValueError: there are not that many.
    """
    type_check(value, (int,), "num_parallel_workers")
    most = os.cpu_count() or 1
    if not 1 <= value <= most:
        raise ValueError(
            f"num_parallel_workers exceeds the boundary between 1 and {most}: got {value}."
        )


def check_num_samples(value: Any) -> None:
    """A number of samples.

    Raises:
        TypeError: it is not an int.
        ValueError: it is negative.
    """
    type_check(value, (int,), "num_samples")
    if not 0 <= value <= _INT64:
        raise ValueError(
            f"num_samples exceeds the boundary between 0 and {_INT64}(INT64_MAX): got {value}."
        )


def validate_dataset_param_value(
    param_list: Iterable[str], param_dict: dict[str, Any], param_type: Any
) -> None:
    """Arguments of one type each, where they are given."""
    for name in param_list:
        if param_dict.get(name) is not None:
            if name == "num_parallel_workers":
                check_num_parallel_workers(param_dict[name])
            elif name == "num_samples":
                check_num_samples(param_dict[name])
            else:
                type_check(param_dict[name], (param_type,), name)


def check_tensor_op(param: Any, param_name: str) -> None:
    """A transform or a function.

    Raises:
        TypeError: it cannot be called.
    """
    if not callable(param):
        raise TypeError(
            f"{param_name} is neither a transforms op (TensorOperation) nor a callable pyfunc: got "
            f"{param!r}."
        )


def check_dict(data: Any, key_type: Any, value_type: Any, param_name: str) -> None:
    """A dict with keys and values of some types."""
    type_check(data, (dict,), param_name)
    for key, value in data.items():
        type_check(key, key_type, f"key in {param_name}")
        type_check(value, value_type, f"value in {param_name}")
