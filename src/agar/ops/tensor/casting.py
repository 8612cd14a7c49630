"""Types and devices of tensors, what a tensor is, and the identities."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import CONVERSIONS, FROM_TORCH, as_torch_dtype, to_torch_dtype
from agar._core.dtype import Type as MsType
from agar.ops.math.elementwise import as_tensor
from agar.ops.spec import Call, Scalar, op

__all__ = ["to_type"]

_NAMED = {
    "float": torch.float64,
    "intc": torch.int32,
    "intp": torch.int64,
    "long": torch.int64,
    "int": torch.int64,
    "byte": torch.int8,
    "short": torch.int16,
    "double": torch.float64,
}


def to_type(op_name: str, value: Any) -> torch.dtype:
    """The type for the name, MindSpore, numpy or Python type that `op_name` was given.

    Python's and numpy's ``float`` mean float64 here, as in MindSpore's ``astype``.
    """
    if value is float:
        return torch.float64
    if isinstance(value, str):
        entry = _NAMED.get(value.lower())
        if entry is not None:
            return entry
    return to_torch_dtype(value, op_name=op_name)


@op(
    primitive="Cast",
    cast="never",
    samples=("f(2, 3), ms.float32", "i(3), ms.bool_", "2, ms.float64"),
    errors=(("f(2), 'int32'", TypeError, "cast"), ("[1.0], None", TypeError, "cast")),
)
def cast(input: Tensor | Scalar, dtype: Any) -> Tensor:
    """Convert to another type.

    Floating to integer types truncates; values that do not fit wrap around.

    Args:
        input (Union[Tensor, number]): what to convert.
        dtype (Type): the new type.

    Returns: Tensor of the same shape; over the same memory if the type is the same.
    Raises TypeError: `input` is neither Tensor nor number, or `dtype` no MindSpore type.
    Difference from PyTorch: ``Tensor.to(dtype)``.

    >>> print(ms.ops.cast(ms.Tensor([1.6, -1.6]), ms.int32))
    [ 1 -1]
    """
    if not isinstance(dtype, MsType):
        raise TypeError(
            f"For 'cast', 'dtype' must be a MindSpore type such as ms.float32, but got {dtype!r}."
        )
    return as_torch_dtype(as_tensor(input), to_torch_dtype(dtype, op_name="cast"))


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3), ms.float32", "f(3), 'int32'", "f(3), float"),
    errors=(("f(2), 'foo'", TypeError, "astype"), ("f(2), None", TypeError, "astype")),
)
def astype(input: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """Convert to another type.

    Args:
        input (Tensor): this tensor.
        dtype (Union[Type, str, type]): a MindSpore type, its name, or a Python or numpy type;
            ``float`` is float64.
        copy (bool): accepted for compatibility; a tensor of the same type shares its memory
            either way. Default: True.

    Returns: Tensor of the same shape.
    Raises TypeError: `dtype` names no type.
    Difference from PyTorch: ``Tensor.to(dtype)``; names and numpy types are accepted.

    >>> print(ms.Tensor([1.6, -1.6]).astype("int32"))
    [ 1 -1]
    """
    return as_torch_dtype(input, to_type("astype", dtype))


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3), ms.float32", "f(3), 'CPU'", "f(3), i(2)", "f(3), dtype=ms.float16"),
    errors=(("f(2), 'int32'", ValueError, "device"),),
    fast=Call(
        "_as_type(input, _types[first])",
        "first in _types and second is None and not flags and device is None and dtype is None"
        " and other is None and non_blocking is False and copy is False",
    ),
)
def to(
    input: Tensor,
    first: Tensor | Any = None,
    second: Any = None,
    *flags: bool,
    device: Any = None,
    dtype: Any = None,
    other: Tensor | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:
    """Convert to another type, or move to another device, or both.

    ``to(dtype)``, ``to(device)``, ``to(device, dtype)`` and ``to(other)`` are the forms.

    Args:
        input (Tensor): this tensor.
        first (Union[Type, str, Tensor]): a type, a device or another tensor. Default: None.
        second (Type): the type behind a device. Default: None.
        flags (bool): `non_blocking` and `copy` by position.
        device (str): for example ``"CPU"``, ``"GPU"`` or ``"GPU:1"``. Default: None.
        dtype (Type): the new type. Default: None.
        other (Tensor): a tensor whose type and device to take. Default: None.
        non_blocking (bool): whether a copy between devices may run beside the program.
            Default: False.
        copy (bool): whether to copy where nothing changes. Default: False.

    Returns: Tensor; over the same memory if nothing changes and `copy` is False.
    Raises TypeError: an argument is neither a type, a device nor a Tensor.
    Raises ValueError: a string names no device.
    Difference from PyTorch: devices have MindSpore's names too; strings are devices, never types.

    >>> print(ms.Tensor([1.6]).to(ms.int32), ms.Tensor([1.6]).to("CPU", ms.float16).dtype)
    [1] Float16
    """
    rest = iter(("non_blocking", "copy"))
    options: dict[str, Any] = {"non_blocking": non_blocking, "copy": copy}
    for value in (first, second, *flags):
        if isinstance(value, bool):
            name = next(rest, None)
            if name is None:
                raise TypeError("For 'to', too many positional arguments were given.")
            options[name] = value
        elif isinstance(value, Tensor):
            other = value
        elif isinstance(value, (MsType, torch.dtype)):
            dtype = value
        elif isinstance(value, (str, torch.device)):
            device = value
        elif value is not None:
            raise TypeError(
                "For 'to', an argument must be a type such as ms.float16, a device such as 'GPU', "
                f"or a Tensor, but got {value!r}."
            )
    return input.to(
        device=_device("to", device) if device is not None else getattr(other, "device", None),
        dtype=to_torch_dtype(dtype, op_name="to")
        if dtype is not None
        else getattr(other, "dtype", None),
        **options,
    )


def _device(op_name: str, device: Any) -> torch.device:
    if isinstance(device, str):
        try:
            return context.parse_device(device)
        except Exception as error:
            raise ValueError(
                f"For '{op_name}', '{device}' names no device: use 'CPU', 'GPU', 'GPU:1', ...; to "
                "convert the type give a type such as ms.float16."
            ) from error
    return context.parse_device(device)


@op(
    function=False,
    method="type",
    cast="never",
    samples=("f(3), ms.int32", "f(3)", "f(3), 'int32'"),
    errors=(("f(2), 'foo'", TypeError, "type"),),
)
def _type(input: Tensor, dtype: Any = None) -> Any:
    """Convert to another type, or return the name of the type.

    Args:
        input (Tensor): this tensor.
        dtype (Union[Type, str]): the new type. Default: None.

    Returns: Tensor of the new type; without `dtype` the type's name as a str, such as
        ``"Float32"``.
    Raises TypeError: `dtype` names no type.
    Difference from PyTorch: the name is ``"Float32"``, not ``"torch.FloatTensor"``.

    >>> ms.Tensor([1.6]).type(), ms.Tensor([1.6]).type(ms.int32).dtype
    ('Float32', mindspore.int32)
    """
    return str(FROM_TORCH[input.dtype]) if dtype is None else input.to(to_type("type", dtype))


@op(
    method=True,
    cast="never",
    samples=("f(3), i(2)",),
    errors=(("f(2), [1.0]", TypeError, "other"),),
)
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the type of another tensor.

    Args:
        input (Tensor): what to convert.
        other (Tensor): whose type to take.

    Returns: Tensor of the shape of `input`.

    >>> print(ms.Tensor([1.6]).type_as(ms.Tensor([1])))
    [1]
    """
    return input.to(other.dtype)


def _conversion(name: str, dtype: torch.dtype, difference: str = "none") -> None:
    """Declare a method that converts to one type."""

    def impl(input: Tensor) -> Tensor:
        return as_torch_dtype(input, dtype)

    entry = FROM_TORCH[dtype]
    impl.__name__ = name
    impl.__doc__ = (
        f"The tensor converted to {str(entry).lower()}.\n\n"
        "    Returns:\n"
        "        Tensor of the same shape; over the same memory if it has that type already.\n\n"
        f"    Difference from PyTorch: {difference}.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> ms.Tensor([1]).{name}().dtype\n"
        f"        {entry!r}\n"
    )
    op(
        name,
        function=False,
        method=True,
        cast="never",
        fast=CONVERSIONS[dtype],
        samples=("f(2, 3)", "i(3)"),
        errors=(("f(2), 1", TypeError, "takes 1 positional argument"),),
    )(impl)


for _name, _dtype in (
    ("half", torch.float16),
    ("float", torch.float32),
    ("double", torch.float64),
    ("bfloat16", torch.bfloat16),
    ("bool", torch.bool),
    ("byte", torch.uint8),
    ("short", torch.int16),
    ("int", torch.int32),
    ("long", torch.int64),
):
    _conversion(_name, _dtype)
_conversion("char", torch.int8, "none; MindSpore lacks this method")
