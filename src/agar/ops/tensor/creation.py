"""Tensors made from shapes and constants, or like others.

NOTE Devices. A new tensor is put on the context's device; one made like another is put beside it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer
from agar.ops.math.elementwise import as_tensor
from agar.ops.spec import Call, Scalar, op, primitive

__all__: list[str] = ["sizes", "type_or"]


def sizes(op_name: str, value: Any, name: str = "shape") -> tuple[int, ...]:
    """A shape from an int, or from a tuple or list of ints.

    Raises:
        TypeError: it is something else.
        ValueError: a size is negative.
    """
    if isinstance(value, (int, torch.SymInt)) and not isinstance(value, bool):
        value = (value,)
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be int, tuple or list, but got "
            f"'{type(value).__name__}'."
        )
    return tuple(integer(op_name, name, n, 0) for n in value)


def type_or(op_name: str, dtype: Any, default: torch.dtype) -> torch.dtype:
    """The torch type of an argument, or the default where it is None."""
    if dtype is None:
        return default
    if isinstance(dtype, str):
        raise TypeError(
            f"For '{op_name}', 'dtype' must be a type such as ms.float32, but got the str "
            f"{dtype!r}."
        )
    return to_torch_dtype(dtype, op_name=op_name)


_PLAIN_SIZE = "(type(size) is tuple and _all_int(map(type, size)) or type(size) is int)"


def _filled(function: str, shape: str, value: str = "") -> Call:
    """What is tried first for a tensor of one value: a plain shape, and a type or none."""
    return Call(
        f"torch.{function}({shape}{value}, device=_device(),"
        " dtype=torch.float32 if dtype is None else _types[dtype])",
        f"type({shape}) is tuple and _all_int(map(type, {shape})) or type({shape}) is int",
    )


@op(
    primitive="Zeros",
    cast="never",
    samples=("(2, 3)", "3, ms.int32", "[2], ms.float64"),
    errors=(("2.5", TypeError, "zeros"), ("(-1,)", ValueError, "zeros")),
    differentiable=False,
    fast=_filled("zeros", "size"),
)
def zeros(size: Any, dtype: Any = None) -> Tensor:
    """A tensor of zeros.

    Args:
        size (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is not a shape or `dtype` is not a type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the shape is one argument; the default type is always float32.

    >>> print(ms.ops.zeros((2, 2), ms.int32))
    [[0 0]
     [0 0]]
    """
    shape = sizes("zeros", size, "size")
    return torch.zeros(
        shape, dtype=type_or("zeros", dtype, torch.float32), device=context.torch_device()
    )


@op(
    primitive="Ones",
    cast="never",
    samples=("(2, 3)", "3, ms.int32", "[2], ms.float64"),
    errors=(("2.5", TypeError, "ones"), ("(-1,)", ValueError, "ones")),
    differentiable=False,
    fast=_filled("ones", "shape"),
)
def ones(shape: Any, dtype: Any = None) -> Tensor:
    """A tensor of ones.

    Args:
        shape (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of that shape.
    Raises TypeError: `shape` is not a shape or `dtype` is not a type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the shape is one argument; the default type is always float32.

    >>> print(ms.ops.ones(3))
    [1. 1. 1.]
    """
    shape = sizes("ones", shape)
    return torch.ones(
        shape, dtype=type_or("ones", dtype, torch.float32), device=context.torch_device()
    )


@op(
    "zeros",
    function=False,
    mint="zeros",
    cast="never",
    samples=("(2, 3)", "2, dtype=ms.int32"),
    differentiable=False,
    errors=(
        ("2.5", TypeError, "must be int"),
        ("(-1,)", ValueError, ">= 0"),
        ("2, dtype='float32'", TypeError, "dtype"),
    ),
    fast=_filled("zeros", "size"),
)
def _zeros_mint(size: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of zeros; see :func:`ops.zeros`.

    >>> print(ms.mint.zeros(2))
    [0. 0.]
    """
    return zeros(size, dtype)


@op(
    "ones",
    function=False,
    mint="ones",
    cast="never",
    samples=("(2, 3)", "2, dtype=ms.int32"),
    differentiable=False,
    errors=(
        ("2.5", TypeError, "must be int"),
        ("(-1,)", ValueError, ">= 0"),
        ("2, dtype='float32'", TypeError, "dtype"),
    ),
    fast=_filled("ones", "size"),
)
def _ones_mint(size: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of ones; see :func:`ops.ones`.

    >>> print(ms.mint.ones(2))
    [1. 1.]
    """
    return ones(size, dtype)


@op(
    function=False,
    mint="empty",
    cast="never",
    samples=("2, 0", "(0, 3), dtype=ms.int32"),
    differentiable=False,
    errors=(("2.5", TypeError, "must be int"), ("-1", ValueError, ">= 0")),
)
def empty(*size: Any, dtype: Any = None, device: Any = None, pin_memory: bool = False) -> Tensor:
    """A tensor whose values are not set.

    Args:
        size (Union[int, tuple[int]]): the shape, as numbers or as one tuple.
        dtype (Type): the type. Default None: float32.
        device (str): accepted for compatibility; the tensor is on the device in use.
        pin_memory (bool): accepted for compatibility. Default: False.

    Returns: Tensor.
    Raises TypeError: a size is not an int.
    Raises ValueError: a size is negative.
    Difference from PyTorch: `device` has no effect.

    >>> ms.mint.empty(2, 3).shape
    (2, 3)
    """
    shape = sizes("empty", size[0] if len(size) == 1 else size)
    # the values are open: zeros make programs repeatable
    return torch.zeros(
        shape, dtype=type_or("empty", dtype, torch.float32), device=context.torch_device()
    )


@op(
    function=False,
    mint="empty_like",
    cast="never",
    samples=("f(2, 0)", "f(0), dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"), ("f(2), dtype='x'", TypeError, "dtype")),
)
def empty_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, pin_memory: bool = False
) -> Tensor:
    """A tensor in the shape of another one whose values are not set.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.
        device (str): accepted for compatibility; the tensor is on the device of `input`.
        pin_memory (bool): accepted for compatibility. Default: False.

    Returns: Tensor.
    Raises TypeError: `input` is not a Tensor or `dtype` is not a type.
    Difference from PyTorch: `device` has no effect; the values happen to be zeros.

    >>> ms.mint.empty_like(ms.Tensor([1.5, 2.5])).shape
    (2,)
    """
    # the values are open: zeros make programs repeatable
    return torch.zeros(input.shape, **_like("empty_like", input, dtype))


@op(
    function="deepcopy",
    method="clone",
    mint="clone",
    cast="never",
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be Tensor"),),
    renamed={"deepcopy": {"input": "input_x"}},
)
def clone(input: Tensor) -> Tensor:
    """A copy over its own memory; gradients flow to the original.

    Args:
        input (Tensor): any shape and type.

    Returns: Tensor.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> x = ms.Tensor([1.0, 2.0])
    >>> y = x.clone()
    >>> y[0] = 5
    >>> print(x, y)
    [1. 2.] [5. 2.]
    """
    return input.clone()


def _one_value(op_name: str, name: str, value: Tensor) -> Tensor:
    """The only element of a tensor, 0-d."""
    if value.numel() != 1:
        raise ValueError(
            f"For '{op_name}', '{name}' must have one element, but got shape {list(value.shape)}."
        )
    return value.reshape(())


@op(
    cast="never",
    mint=True,
    samples=("(2, 3), 1.5", "2, 3", "(2,), True", "(2,), 3, dtype=ms.float64", "(2,), f()"),
    errors=(
        ("(2,), 'x'", TypeError, "full"),
        ("(-1,), 1", ValueError, ">= 0"),
        ("(2,), f(2)", ValueError, "one element"),
    ),
    differentiable=False,
    fast=(
        Call(
            "torch.full(size, fill_value, device=_device(), dtype=torch.float32 if dtype is None"
            " else _types[dtype])",
            "type(fill_value) is float and " + _PLAIN_SIZE,
        ),
        Call(
            "torch.full(size, fill_value, device=_device(), dtype=torch.int64 if dtype is None"
            " else _types[dtype])",
            "type(fill_value) is int and " + _PLAIN_SIZE,
        ),
    ),
)
def full(size: Any, fill_value: Tensor | Scalar, *, dtype: Any = None) -> Tensor:
    """A tensor of one value.

    Args:
        size (Union[int, tuple, list]): the shape.
        fill_value (Union[number, Tensor]): the value.
        dtype (Type): the type. Default None: that of the value; a Python float is float32, an int
            or bool int64.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is not a shape, `fill_value` is not a number or `dtype` is not a type.
    Raises ValueError: a size is negative, or `fill_value` has several elements.
    Difference from PyTorch: a bool gives int64. (MindSpore 2.10 gives int64 for floats as well,
        truncating them, which is not copied.)

    >>> print(ms.ops.full((2, 2), 1.5))
    [[1.5 1.5]
     [1.5 1.5]]
    """
    shape = sizes("full", size, "size")
    if isinstance(fill_value, Tensor):
        result = (
            fill_value if dtype is None else fill_value.to(to_torch_dtype(dtype, op_name="full"))
        )
        return _one_value("full", "fill_value", result).expand(shape).clone()
    if not isinstance(fill_value, (bool, int, float, complex)):
        raise TypeError(
            f"For 'full', the type of 'fill_value' must be a number, but got "
            f"'{type(fill_value).__name__}'."
        )
    default = torch.int64 if isinstance(fill_value, int) else as_tensor(fill_value).dtype
    return torch.full(
        shape, fill_value, dtype=type_or("full", dtype, default), device=context.torch_device()
    )


@op(
    primitive="Fill",
    cast="never",
    samples=("ms.float32, (2, 3), 1.5", "ms.int32, (2,), 1"),
    errors=(
        ("'x', (2,), 1", TypeError, "fill"),
        ("ms.int32, (-2,), 1", ValueError, ">= 0"),
        ("ms.int32, (2,), 'x'", TypeError, "type"),
    ),
    differentiable=False,
)
def fill(type: Any, shape: Any, value: Any) -> Tensor:
    """A tensor of one value and a given type.

    Args:
        type (Type): the type.
        shape (Union[tuple, list]): the shape.
        value (Union[number, Tensor]): the value.

    Returns: Tensor of that shape and type.
    Raises TypeError: `type` is not a type or `shape` no shape.
    Raises ValueError: a size is negative.
    Difference from PyTorch: ``torch.full(shape, value, dtype=type)``.

    >>> print(ms.ops.fill(ms.float32, (2,), 1))
    [1. 1.]
    """
    result = torch.tensor(value).to(to_torch_dtype(type, op_name="fill"))
    return result.to(context.torch_device()).expand(sizes("fill", shape)).clone()


@primitive(
    "FillV2",
    cast="never",
    samples=("(2, 3), f()", "(2,), f(1)"),
    errors=(
        ("(2,), 1.0", TypeError, "must be a Tensor"),
        ("(2,), f(2)", ValueError, "one element"),
        ("2.5, f()", TypeError, "shape"),
    ),
)
def _fill_v2(shape: Any, value: Tensor) -> Tensor:
    """A tensor of one value and that value's type.

    Args:
        shape (Union[tuple, Tensor]): the shape.
        value (Tensor): the value, one element.

    Returns: Tensor of that shape.
    Raises TypeError: `value` is not a Tensor or `shape` no shape.
    Raises ValueError: `value` has several elements, or a size is negative.
    Difference from PyTorch: ``torch.full``.

    >>> print(ms.ops.FillV2()((2,), ms.Tensor(1.5)))
    [1.5 1.5]
    """
    return _one_value("FillV2", "value", value).expand(sizes("FillV2", shape)).clone()


@op(
    primitive="Fills",
    method=("fill", "fills"),
    cast="never",
    samples=("f(2, 3), 1.5", "i(3), 2", "f(2), f()"),
    errors=(("f(3), 'x'", TypeError, "value"), ("f(3), f(3)", ValueError, "0-d")),
    differentiable=False,
)
def fills(x: Tensor, value: Tensor | Scalar) -> Tensor:
    """A tensor like another, filled with one value.

    Args:
        x (Tensor): whose shape and type to take.
        value (Union[number, Tensor]): the value; a Tensor must be 0-d.

    Returns: A new Tensor.
    Raises TypeError: `x` is not a Tensor or `value` is not a number.
    Raises ValueError: `value` is a Tensor with axes.
    Difference from PyTorch: ``torch.full_like``; the method ``fill`` does not write in place,
        ``fill_`` does.

    >>> print(ms.ops.fills(ms.Tensor([1.0, 2.0]), 3))
    [3. 3.]
    """
    if isinstance(value, Tensor):
        if value.ndim:
            raise ValueError(
                f"For 'fills', 'value' must be a number or 0-d, but got shape {list(value.shape)}."
            )
        return value.to(x.dtype).expand(x.shape).clone()
    return torch.full_like(x, value)


def _like(op_name: str, input: Tensor, dtype: Any) -> dict[str, Any]:
    return {"dtype": type_or(op_name, dtype, input.dtype), "device": input.device}


@op(
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f(2), dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"), ("f(2), dtype='x'", TypeError, "dtype")),
    fast=Call("torch.zeros_like(input)", "dtype is None and input._value.is_contiguous()"),
)
def zeros_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Zeros in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is not a Tensor or `dtype` is not a type.

    >>> print(ms.ops.zeros_like(ms.Tensor([1.5, 2.5])))
    [0. 0.]
    """
    kind = None if dtype is None else type_or("zeros_like", dtype, input.dtype)
    if input.is_contiguous():
        return torch.zeros_like(input, dtype=kind)
    return torch.zeros_like(input, dtype=kind, memory_format=torch.contiguous_format)


@op(
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f(2), dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"), ("f(2), dtype='x'", TypeError, "dtype")),
    fast=Call("torch.ones_like(input)", "dtype is None and input._value.is_contiguous()"),
)
def ones_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Ones in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is not a Tensor or `dtype` is not a type.

    >>> print(ms.ops.ones_like(ms.Tensor([1.5, 2.5])))
    [1. 1.]
    """
    kind = None if dtype is None else type_or("ones_like", dtype, input.dtype)
    if input.is_contiguous():
        return torch.ones_like(input, dtype=kind)
    return torch.ones_like(input, dtype=kind, memory_format=torch.contiguous_format)


@op(
    mint=True,
    samples=("f(2, 3), 2", "f(2), 1.5, dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0], 1", TypeError, "must be Tensor"), ("f(2), 'x'", TypeError, "fill_value")),
    fast=Call(
        "torch.full(input.shape, fill_value, dtype=input.dtype, device=input.device)",
        "dtype is None and (type(fill_value) is float or type(fill_value) is int)",
    ),
)
def full_like(input: Tensor, fill_value: Scalar, *, dtype: Any = None) -> Tensor:
    """One value in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        fill_value (number): the value.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is not a Tensor or `dtype` is not a type.

    >>> print(ms.ops.full_like(ms.Tensor([1.5, 2.5]), 3))
    [3. 3.]
    """
    return torch.full(input.shape, fill_value, **_like("full_like", input, dtype))


@primitive(
    "ZerosLike",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _zeros_like(x: Tensor) -> Tensor:
    """Zeros in the shape and type of another tensor; see :func:`ops.zeros_like`.

    >>> print(ms.ops.ZerosLike()(ms.Tensor([1.5])))
    [0.]
    """
    return torch.zeros_like(x)


@primitive(
    "OnesLike",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _ones_like(x: Tensor) -> Tensor:
    """Ones in the shape and type of another tensor; see :func:`ops.ones_like`.

    >>> print(ms.ops.OnesLike()(ms.Tensor([1.5])))
    [1.]
    """
    return torch.ones_like(x)


def _new(name: str, make: Any, words: str, shown: str) -> None:
    """Declare a method that makes a tensor beside another one."""

    def impl(input: Tensor, size: Any, dtype: Any = None) -> Tensor:
        return make(sizes(name, size, "size"), **_like(name, input, dtype))

    impl.__name__ = name
    impl.__doc__ = (
        f"A tensor {words}, of this tensor's type and on its device.\n\n"
        "    Args:\n"
        "        size (Union[int, tuple, list]): the shape.\n"
        "        dtype (Type): the type. Default None: that of this tensor.\n\n"
        "    Returns: Tensor of shape `size`.\n"
        "    Raises TypeError: `size` is not a shape or `dtype` is not a type.\n"
        "    Raises ValueError: a size is negative.\n"
        "    Difference from PyTorch: the shape is one argument.\n\n"
        f"    >>> ms.Tensor([1]).{name}((2,)){shown}\n"
    )
    op(
        name,
        function=False,
        method=True,
        differentiable=False,
        samples=("f(2), (2, 3)", "f(2), 3, ms.int32"),
        errors=(("f(2), 1.5", TypeError, name), ("f(2), (-1,)", ValueError, name)),
    )(impl)


_new(
    "new_zeros", torch.zeros, "of zeros", "\n        Tensor(shape=[2], dtype=Int64, value= [0, 0])"
)
_new("new_ones", torch.ones, "of ones", "\n        Tensor(shape=[2], dtype=Int64, value= [1, 1])")


@op(
    function=False,
    method=True,
    samples=("f(2), (2, 3)",),
    differentiable=False,
    errors=(("f(2), 1.5", TypeError, "size"), ("f(2), (-1,)", ValueError, ">= 0")),
    tags=("random",),
)
def new_empty(input: Tensor, size: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor whose values are not specified (zeros at present), of this tensor's type.

    Args:
        input (Tensor): this tensor.
        size (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default None: that of this tensor.
        device (str): where to put it. Default None: beside this tensor.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is not a shape or `dtype` is not a type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the shape is one argument.

    >>> ms.Tensor([1.0]).new_empty((2, 3)).shape
    (2, 3)
    """
    options = _like("new_empty", input, dtype)
    if device is not None:
        options["device"] = context.parse_device(device)
    # MindSpore hands out cleared memory, on which programs have come to rely
    return torch.zeros(sizes("new_empty", size, "size"), **options)


@op(
    function=False,
    method=True,
    samples=("f(2), (2, 3), 1.5",),
    differentiable=False,
    errors=(
        ("f(2), 1.5, 1", TypeError, "size"),
        ("f(2), (-1,), 1", ValueError, ">= 0"),
        ("f(2), 2, 'x'", TypeError, "fill_value"),
    ),
)
def new_full(input: Tensor, size: Any, fill_value: Scalar, *, dtype: Any = None) -> Tensor:
    """A tensor of one value, of this tensor's type and on its device.

    Args:
        input (Tensor): this tensor.
        size (Union[int, tuple, list]): the shape.
        fill_value (number): the value.
        dtype (Type): the type. Default None: that of this tensor.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is not a shape or `dtype` is not a type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: none. (MindSpore has a kernel on Ascend only.)

    >>> print(ms.Tensor([1]).new_full((2,), 3))
    [3 3]
    """
    options = _like("new_full", input, dtype)
    return torch.full(sizes("new_full", size, "size"), fill_value, **options)


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2), [1, 2]",),
    differentiable=False,
    errors=(
        ("f(2), 'x'", TypeError, "type"),
        ("f(2), [[1], [1, 2]]", ValueError, "length"),
        ("f(2), [1], dtype='x'", TypeError, "dtype"),
    ),
)
def new_tensor(input: Tensor, data: Any, *, dtype: Any = None) -> Tensor:
    """A tensor with given values, of this tensor's type and on its device.

    Args:
        input (Tensor): this tensor.
        data (Union[number, list, tuple, ndarray, Tensor]): the values, copied.
        dtype (Type): the type. Default None: that of this tensor.

    Returns: Tensor.
    Raises TypeError: `data` holds no numbers or `dtype` is not a type.
    Difference from PyTorch: the type is that of this tensor, not that of the data. (MindSpore lacks
        this method.)
    Source: agar's own, for programs that come from PyTorch.

    >>> print(ms.Tensor([1.0]).new_tensor([1, 2]))
    [1. 2.]
    """
    return torch.tensor(data, **_like("new_tensor", input, dtype))
