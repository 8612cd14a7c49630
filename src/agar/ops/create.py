"""Tensors made from shapes, ranges, constants and patterns.

NOTE Devices. A new tensor is put on the context's device; one made like another is put beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar.ops._checks import choice, integer
from agar.ops.math import as_tensor, check_integers
from agar.ops.spec import Scalar, op, primitive

__all__ = ["sizes"]


def sizes(who: str, value: Any, name: str = "shape") -> tuple[int, ...]:
    """A shape from an int, or from a tuple or list of ints.

    Raises:
        TypeError: it is something else.
        ValueError: a size is negative.
    """
    if isinstance(value, (int, torch.SymInt)) and not isinstance(value, bool):
        value = (value,)
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"For '{who}', the type of '{name}' must be int, tuple or list, but got "
            f"'{type(value).__name__}'."
        )
    return tuple(integer(who, name, n, 0) for n in value)


def _type_or(who: str, dtype: Any, default: torch.dtype) -> torch.dtype:
    if dtype is None:
        return default
    if isinstance(dtype, str):
        raise TypeError(
            f"For '{who}', 'dtype' must be a type such as ms.float32, but got the str {dtype!r}."
        )
    return to_torch_dtype(dtype, who=who)


@op(
    primitive="Zeros",
    cast="never",
    samples=("(2, 3)", "3, ms.int32", "[2], ms.float64"),
    errors=(("2.5", TypeError, "zeros"), ("(-1,)", ValueError, "zeros")),
    differentiable=False,
)
def zeros(size: Any, dtype: Any = None) -> Tensor:
    """A tensor of zeros.

    Args:
        size (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is no shape or `dtype` no type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the shape is one argument; the default type is always float32.

    >>> print(ms.ops.zeros((2, 2), ms.int32))
    [[0 0]
     [0 0]]
    """
    shape = sizes("zeros", size, "size")
    return torch.zeros(
        shape, dtype=_type_or("zeros", dtype, torch.float32), device=context.torch_device()
    )


@op(
    primitive="Ones",
    cast="never",
    samples=("(2, 3)", "3, ms.int32", "[2], ms.float64"),
    errors=(("2.5", TypeError, "ones"), ("(-1,)", ValueError, "ones")),
    differentiable=False,
)
def ones(shape: Any, dtype: Any = None) -> Tensor:
    """A tensor of ones.

    Args:
        shape (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of that shape.
    Raises TypeError: `shape` is no shape or `dtype` no type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the shape is one argument; the default type is always float32.

    >>> print(ms.ops.ones(3))
    [1. 1. 1.]
    """
    shape = sizes("ones", shape)
    return torch.ones(
        shape, dtype=_type_or("ones", dtype, torch.float32), device=context.torch_device()
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
    Raises TypeError: a size is no int.
    Raises ValueError: a size is negative.
    Difference from PyTorch: `device` has no effect.

    >>> ms.mint.empty(2, 3).shape
    (2, 3)
    """
    shape = sizes("empty", size[0] if len(size) == 1 else size)
    # the values are open: zeros make programs repeatable
    return torch.zeros(
        shape, dtype=_type_or("empty", dtype, torch.float32), device=context.torch_device()
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
        input (Tensor): whose shape to take.
        dtype (Type): the type. Default None: that of `input`.
        device (str): accepted for compatibility; the tensor is on the device of `input`.
        pin_memory (bool): accepted for compatibility. Default: False.

    Returns: Tensor.
    Raises TypeError: `input` is no Tensor or `dtype` no type.
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
    spelled={"deepcopy": {"input": "input_x"}},
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


def _one_value(who: str, name: str, value: Tensor) -> Tensor:
    """The only element of a tensor, 0-d."""
    if value.numel() != 1:
        raise ValueError(
            f"For '{who}', '{name}' must have one element, but got shape {list(value.shape)}."
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
)
def full(size: Any, fill_value: Tensor | Scalar, *, dtype: Any = None) -> Tensor:
    """A tensor of one value.

    Args:
        size (Union[int, tuple, list]): the shape.
        fill_value (Union[number, Tensor]): the value.
        dtype (Type): the type. Default None: that of the value; a Python float is float32, an int
            or bool int64.

    Returns: Tensor of shape `size`.
    Raises TypeError: `size` is no shape, `fill_value` no number or `dtype` no type.
    Raises ValueError: a size is negative, or `fill_value` has several elements.
    Difference from PyTorch: a bool gives int64. (MindSpore 2.10 gives int64 for floats as well,
        truncating them, which is not copied.)

    >>> print(ms.ops.full((2, 2), 1.5))
    [[1.5 1.5]
     [1.5 1.5]]
    """
    shape = sizes("full", size, "size")
    if isinstance(fill_value, Tensor):
        made = fill_value if dtype is None else fill_value.to(to_torch_dtype(dtype, who="full"))
        return _one_value("full", "fill_value", made).expand(shape).clone()
    if not isinstance(fill_value, (bool, int, float, complex)):
        raise TypeError(
            f"For 'full', the type of 'fill_value' must be a number, but got "
            f"'{type(fill_value).__name__}'."
        )
    default = torch.int64 if isinstance(fill_value, int) else as_tensor(fill_value).dtype
    return torch.full(
        shape, fill_value, dtype=_type_or("full", dtype, default), device=context.torch_device()
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
    Raises TypeError: `type` is no type or `shape` no shape.
    Raises ValueError: a size is negative.
    Difference from PyTorch: ``torch.full(shape, value, dtype=type)``.

    >>> print(ms.ops.fill(ms.float32, (2,), 1))
    [1. 1.]
    """
    made = torch.tensor(value).to(to_torch_dtype(type, who="fill"))
    return made.to(context.torch_device()).expand(sizes("fill", shape)).clone()


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
    Raises TypeError: `value` is no Tensor or `shape` no shape.
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
    Raises TypeError: `x` is no Tensor or `value` no number.
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


def _like(who: str, input: Tensor, dtype: Any) -> dict[str, Any]:
    return {"dtype": _type_or(who, dtype, input.dtype), "device": input.device}


@op(
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f(2), dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"), ("f(2), dtype='x'", TypeError, "dtype")),
)
def zeros_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Zeros in the shape of another tensor.

    Args:
        input (Tensor): whose shape to take.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is no Tensor or `dtype` no type.

    >>> print(ms.ops.zeros_like(ms.Tensor([1.5, 2.5])))
    [0. 0.]
    """
    return torch.zeros(input.shape, **_like("zeros_like", input, dtype))


@op(
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f(2), dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"), ("f(2), dtype='x'", TypeError, "dtype")),
)
def ones_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Ones in the shape of another tensor.

    Args:
        input (Tensor): whose shape to take.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is no Tensor or `dtype` no type.

    >>> print(ms.ops.ones_like(ms.Tensor([1.5, 2.5])))
    [1. 1.]
    """
    return torch.ones(input.shape, **_like("ones_like", input, dtype))


@op(
    mint=True,
    samples=("f(2, 3), 2", "f(2), 1.5, dtype=ms.int32"),
    differentiable=False,
    errors=(("[1.0], 1", TypeError, "must be Tensor"), ("f(2), 'x'", TypeError, "fill_value")),
)
def full_like(input: Tensor, fill_value: Scalar, *, dtype: Any = None) -> Tensor:
    """One value in the shape of another tensor.

    Args:
        input (Tensor): whose shape to take.
        fill_value (number): the value.
        dtype (Type): the type. Default None: that of `input`.

    Returns: Tensor.
    Raises TypeError: `input` is no Tensor or `dtype` no type.

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
        "    Raises TypeError: `size` is no shape or `dtype` no type.\n"
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
    Raises TypeError: `size` is no shape or `dtype` no type.
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
    Raises TypeError: `size` is no shape or `dtype` no type.
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
    Raises TypeError: `data` holds no numbers or `dtype` is no type.
    Difference from PyTorch: the type is that of this tensor, not that of the data. (MindSpore lacks
        this method.)
    Source: agar's own, for programs that come from PyTorch.

    >>> print(ms.Tensor([1.0]).new_tensor([1, 2]))
    [1. 2.]
    """
    return torch.tensor(data, **_like("new_tensor", input, dtype))


# ------------------------------------------------------------------------------------- ranges


@op(
    mint=True,
    cast="never",
    samples=("5", "1, 5, 2", "0.0, 1.0, 0.25", "5, dtype=ms.float32", "5, 1, -2"),
    errors=(("'a'", TypeError, "arange"), ("1, 5, 0", ValueError, "arange")),
    differentiable=False,
)
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    r"""Numbers at equal distances: :math:`start, start + step, \dots` below `end`.

    Args:
        start (Union[number, Tensor]): the first number; the end if `end` is None. Default: 0.
        end (Union[number, Tensor]): the bound, not included. Default: None.
        step (Union[number, Tensor]): the distance. Default: 1.
        dtype (Type): the type. Default None: int64 for ints, float32 otherwise.

    Returns: Tensor with one axis.
    Raises TypeError: an argument is no number.
    Raises ValueError: `step` is 0 or leads away from `end`.

    >>> print(ms.ops.arange(5), ms.ops.arange(0, 1, 0.25))
    [0 1 2 3 4] [0.   0.25 0.5  0.75]
    """
    return _arange("arange", start, end, step, dtype)


def _arange(who: str, start: Any, end: Any, step: Any, dtype: Any = None) -> Tensor:
    if end is None:
        start, end = 0, start
    for name, value in (("start", start), ("end", end), ("step", step)):
        if isinstance(value, bool) or not isinstance(value, (int, float, torch.SymInt)):
            raise TypeError(
                f"For '{who}', the type of '{name}' must be int, float or a 0-d Tensor, but got "
                f"'{type(value).__name__}'."
            )
    if step == 0 or (end - start) * step < 0:
        raise ValueError(
            f"For '{who}', 'step' must lead from 'start' to 'end', but got start {start}, end "
            f"{end}, step {step}."
        )
    return torch.arange(
        start,
        end,
        step,
        dtype=None if dtype is None else to_torch_dtype(dtype, who=who),
        device=context.torch_device(),
    )


@op(
    primitive="Range(maxlen)",
    function=("range", "tensor_range"),
    cast="never",
    samples=("0, 5, 1", "0, 5, 1, 5"),
    errors=(
        ("0, 5, 1, 4", ValueError, "maxlen"),
        ("0, 5, -1", ValueError, "'range'"),
        ("0, 5, 'x'", TypeError, "'range'"),
    ),
    differentiable=False,
)
def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Numbers at equal distances, see :func:`ops.arange`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the bound, not included.
        step (Union[number, Tensor]): the distance.
        maxlen (int): the largest length that is accepted. Default: 1000000.

    Returns: Tensor with one axis, int64 or float32.
    Raises TypeError: an argument is no number.
    Raises ValueError: there are more than `maxlen` numbers, or `step` does not lead to `end`.
    Difference from PyTorch: ``torch.range`` includes the end; this is ``torch.arange``.

    >>> print(ms.ops.range(0, 6, 2))
    [0 2 4]
    """
    made = _arange("range", start, end, step)
    if made.numel() > maxlen:
        raise ValueError(
            f"For 'range', there are {made.numel()} numbers, more than 'maxlen' {maxlen}; raise it."
        )
    return made


@op(
    primitive="LinSpace",
    cast="never",
    samples=("0, 1, 5", "0.0, 2.0, 3", "torch.tensor(0.0), torch.tensor(1.0), 5"),
    errors=(("0, 1, -1", ValueError, "linspace"), ("0, 1, 2.5", TypeError, "linspace")),
    differentiable=False,
)
def linspace(start: Tensor | Any, end: Tensor | Any, steps: Any) -> Tensor:
    r"""Numbers that divide an interval evenly: :math:`start + i (end - start) / (steps - 1)`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the last.
        steps (int): how many.

    Returns: Tensor of shape (steps,), float32 (float64 if an end is a float64 Tensor).
    Raises TypeError: `steps` is no int.
    Raises ValueError: `steps` is not positive.
    Difference from PyTorch: `steps` 0 is refused.

    >>> print(ms.ops.linspace(0, 1, 5))
    [0.   0.25 0.5  0.75 1.  ]
    """
    count = integer("linspace", "steps", steps, 1)
    ends = {t.dtype for t in (start, end) if isinstance(t, Tensor)}
    kind = torch.float64 if torch.float64 in ends else torch.float32
    return torch.linspace(start, end, count, dtype=kind, device=context.torch_device())


@op(
    "linspace",
    function=False,
    mint="linspace",
    cast="never",
    samples=("0, 1, 5", "0, 1, 5, dtype=ms.float64"),
    differentiable=False,
    errors=(("0, 1, -1", ValueError, "steps"), ("0, 1, 2.5", TypeError, "steps")),
)
def _linspace_mint(start: Any, end: Any, steps: Any, *, dtype: Any = None) -> Tensor:
    """Numbers that divide an interval evenly; see :func:`ops.linspace`, with a choice of type.

    >>> print(ms.mint.linspace(0, 1, 3, dtype=ms.float64))
    [0.  0.5 1. ]
    """
    count = integer("linspace", "steps", steps, 0)
    kind = _type_or("linspace", dtype, torch.float32)
    return torch.linspace(start, end, count, dtype=kind, device=context.torch_device())


@op(
    cast="never",
    samples=("0, 2, 3", "0.0, 2.0, 3, 2", "0, 2, 3, dtype=ms.float64"),
    errors=(
        ("0, 1, -1", ValueError, "logspace"),
        ("0, 1, 2, -2", ValueError, "base"),
        ("0, 1, 2, 2.5", TypeError, "base"),
    ),
    differentiable=False,
)
def logspace(start: Any, end: Any, steps: Any, base: int = 10, *, dtype: Any = None) -> Tensor:
    r"""Powers whose exponents divide an interval evenly: :math:`base^{linspace(start, end)}`.

    Args:
        start (Union[number, Tensor]): the first exponent.
        end (Union[number, Tensor]): the last.
        steps (int): how many.
        base (int): the base, not negative. Default: 10.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape (steps,).
    Raises TypeError: `steps` or `base` is no int.
    Raises ValueError: `steps` or `base` is negative.
    Difference from PyTorch: `base` may be a float there, and negative.

    >>> print(ms.ops.logspace(0, 2, 3))
    [  1.  10. 100.]
    """
    return torch.logspace(
        start,
        end,
        integer("logspace", "steps", steps, 0),
        integer("logspace", "base", base, 0),
        dtype=_type_or("logspace", dtype, torch.float32),
        device=context.torch_device(),
    )


@op(
    primitive="Eye()(n, m=..., dtype=...)",
    mint=True,
    cast="never",
    samples=("3", "2, 3", "2, 3, ms.int32"),
    errors=(
        ("-1", ValueError, "eye"),
        ("2.5", TypeError, "eye"),
        ("2, 2, 'x'", TypeError, "dtype"),
    ),
    differentiable=False,
)
def eye(n: Any, m: Any = None, dtype: Any = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n (int): rows.
        m (int): columns. Default None: `n`.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape (n, m).
    Raises TypeError: `n` or `m` is no int.
    Raises ValueError: one is negative.

    >>> print(ms.ops.eye(2, 3))
    [[1. 0. 0.]
     [0. 1. 0.]]
    """
    rows = integer("eye", "n", n, 0)
    return torch.eye(
        rows,
        rows if m is None else integer("eye", "m", m, 0),
        dtype=_type_or("eye", dtype, torch.float32),
        device=context.torch_device(),
    )


def _triangle_indices(name: str, make: Any, words: str, example: str, primitive_name: str) -> None:
    """Declare the function and the Primitive that give the places of a triangle."""

    def impl(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
        kind = _type_or(name, dtype, torch.int64)
        rows, cols = integer(name, "row", row, 0), integer(name, "col", col, 0)
        where = context.torch_device()
        return make(
            rows, cols, integer(name, "offset", offset), dtype=torch.int64, device=where
        ).to(kind)

    impl.__name__ = name
    impl.__doc__ = (
        f"Places of the {words} triangle of a matrix.\n\n"
        "    Args:\n"
        "        row (int): rows of the matrix.\n"
        "        col (int): columns of the matrix.\n"
        "        offset (int): the diagonal that bounds the triangle. Default: 0.\n"
        "        dtype (Type): the type. Default None: int64.\n\n"
        "    Returns: Tensor of shape (2, N): row indices, then column indices.\n"
        "    Raises TypeError: a size is no int.\n"
        "    Raises ValueError: a size is negative.\n\n"
        f"    >>> print(ms.ops.{name}(2, 2))\n"
        f"    {example}\n"
    )
    op(
        name,
        cast="never",
        samples=("3, 3", "3, 2, 1"),
        differentiable=False,
        errors=(("-1, 2", ValueError, name), ("1.5, 2", TypeError, name)),
    )(impl)

    def made(*, row: int, col: int, offset: int = 0, dtype: Any = None) -> Tensor:
        return impl(row, col, offset, dtype=_type_or(name, dtype, torch.int32))

    made.__doc__ = (
        f"Places of the {words} triangle of a matrix, by default int32; see :func:`ops.{name}`.\n"
    )
    primitive(
        primitive_name,
        cast="never",
        samples=("row=3, col=2, offset=1", "row=2, col=4, offset=-1"),
        differentiable=False,
        errors=(("row=-1, col=2", ValueError, "row"), ("row=1, col=2.5", TypeError, "col")),
    )(made)


_triangle_indices(
    "tril_indices", torch.tril_indices, "lower", "[[0 1 1]\n         [0 0 1]]", "TrilIndices"
)
_triangle_indices(
    "triu_indices", torch.triu_indices, "upper", "[[0 0 1]\n         [0 1 1]]", "TriuIndices"
)


# ------------------------------------------------------------------------------------ patterns


def _one_hot(who: str, indices: Tensor, depth: int, on: Tensor, off: Tensor, axis: int) -> Tensor:
    check_integers(who, "indices", indices)
    if not -1 <= integer(who, "axis", axis) <= indices.ndim:
        raise ValueError(f"For '{who}', 'axis' must be in [-1, {indices.ndim}], but got {axis}.")
    places = torch.arange(integer(who, "depth", depth, 0), device=indices.device)
    hot = indices.unsqueeze(-1) == places
    made = torch.where(hot, on, off)
    return made if axis in (-1, indices.ndim) else made.movedim(-1, axis)


@op(
    primitive="OneHot(axis)(indices, depth, on_value=..., off_value=...)",
    samples=("i(2, 3), 4", "i(2, 3), 4, f(), f()", "i(3), 3, 1.0, 0.0", "i(3), 3, axis=0"),
    errors=(
        ("f(2), 3", TypeError, "one_hot"),
        ("i(2), -1", ValueError, "depth"),
        ("i(2), 3, axis=3", ValueError, "axis"),
        ("i(2), 3, 1, 0.5", TypeError, "same type"),
    ),
)
def one_hot(
    indices: Tensor,
    depth: Any,
    on_value: Tensor | Scalar = 1,
    off_value: Tensor | Scalar = 0,
    axis: int = -1,
) -> Tensor:
    r"""Vectors with one value at the place that an index names and another elsewhere.

    Args:
        indices (Tensor): integers, shape :math:`(X_0, \dots, X_n)`. One outside of
            :math:`[0, depth)` gives a vector without `on_value`.
        depth (int): length of the new axis.
        on_value (Union[Tensor, number]): the value at the place. Default: 1.
        off_value (Union[Tensor, number]): the value elsewhere, of the same type. Default: 0.
        axis (int): where the new axis goes, -1 for the end. Default: -1.

    Returns: Tensor with one axis more, of the type of the values: int64 for ints, float32 for
        floats.
    Raises TypeError: `indices` are no integers, or the values' types differ.
    Raises ValueError: `axis` is out of range or `depth` negative.
    Difference from PyTorch: ``torch.nn.functional.one_hot`` has no values and no axis.

    >>> print(ms.ops.one_hot(ms.Tensor([0, 2]), 3))
    [[1 0 0]
     [0 0 1]]
    """
    on, off = (as_tensor(v).to(indices.device) for v in (on_value, off_value))
    if on.dtype is not off.dtype:
        raise TypeError(
            f"For 'one_hot', 'on_value' and 'off_value' must have the same type, but got "
            f"{FROM_TORCH[on.dtype]} and {FROM_TORCH[off.dtype]}."
        )
    return _one_hot("one_hot", indices, depth, on, off, axis)


@op(
    samples=("f(3), f(2)", "f(2), f(3), f(2), indexing='ij'", "f(), f(2)"),
    cast="never",
    errors=(
        ("f(2), f(2), indexing='xx'", ValueError, "indexing"),
        ("f(2), f(2, 2)", ValueError, "1-D"),
        ("f(2), 1.0", TypeError, "must be Tensor"),
    ),
)
def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid from those of its axes.

    Args:
        inputs (Tensor): the coordinates along each axis, 1-D; or one of them, 0-d.
        indexing (str): ``"xy"``: the first two axes of the grid are swapped; ``"ij"``: in order.
            Default: ``"xy"``.

    Returns: Tuple of Tensors of the grid's shape, one for each input.
    Raises ValueError: `indexing` is another word, or an input has several axes.
    Difference from PyTorch: the default of `indexing` is ``"ij"`` there.

    >>> x, y = ms.ops.meshgrid(ms.Tensor([1, 2]), ms.Tensor([3, 4, 5]))
    >>> print(x)
    [[1 2]
     [1 2]
     [1 2]]
    >>> print(y)
    [[3 3]
     [4 4]
     [5 5]]
    """
    choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    for i, value in enumerate(inputs):
        if value.ndim > 1:
            raise ValueError(
                f"For 'meshgrid', every input must be 1-D or 0-d, but input {i} has shape "
                f"{list(value.shape)}."
            )
    return torch.meshgrid(*inputs, indexing=indexing)


@op(
    "meshgrid",
    function=False,
    mint="meshgrid",
    samples=("f(3), f(2)",),
    cast="never",
    errors=(
        ("f(2), f(2), indexing='xx'", ValueError, "indexing"),
        ("f(2), f(2, 2)", ValueError, "1-D"),
    ),
)
def _meshgrid_mint(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of a grid, its axes in order unless told; see :func:`ops.meshgrid`.

    >>> ms.mint.meshgrid(ms.Tensor([1, 2]), ms.Tensor([3, 4, 5]))[0].shape
    (2, 3)
    """
    return meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


@primitive(
    "Meshgrid",
    samples=("(f(3), f(2))", "(f(2), f(3)), indexing='ij'"),
    cast="never",
    errors=(
        ("(f(2), f(2)), indexing='xx'", ValueError, "indexing"),
        ("(f(2), f(2, 2))", ValueError, "1-D"),
        ("(f(2), 1.0)", TypeError, "must be Tensor"),
    ),
)
def _meshgrid(inputs: Sequence[Tensor], *, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid from those of its axes; see :func:`ops.meshgrid`.

    >>> print(ms.ops.Meshgrid("ij")((ms.Tensor([1, 2]), ms.Tensor([3, 4])))[0])
    [[1 1]
     [2 2]]
    """
    return meshgrid(*inputs, indexing=indexing)


@op(
    samples=("f(4)", "i(3), 2", "f(3), 0"),
    cast="never",
    errors=(("f(2, 2)", ValueError, "1-D"), ("f(3), -1", ValueError, "N")),
)
def vander(x: Tensor, N: int | None = None) -> Tensor:
    r"""Vandermonde matrix: the powers of the elements, :math:`out_{ij} = x_i^{N - 1 - j}`.

    Args:
        x (Tensor): a vector.
        N (int): how many powers. Default None: as many as elements.

    Returns: Tensor of shape (x.size, N); int64 for integers.
    Raises TypeError: `N` is no int.
    Raises ValueError: `x` is no vector or `N` negative.

    >>> print(ms.ops.vander(ms.Tensor([1.0, 2.0, 3.0])))
    [[1. 1. 1.]
     [4. 2. 1.]
     [9. 3. 1.]]
    """
    if x.ndim != 1:
        raise ValueError(f"For 'vander', 'x' must be 1-D, but got shape {list(x.shape)}.")
    count = x.numel() if N is None else integer("vander", "N", N, 0)
    powers = torch.arange(count - 1, -1, -1, device=x.device)
    wide = x if x.is_floating_point() or x.is_complex() else x.to(torch.int64)
    return wide.unsqueeze(-1) ** powers
