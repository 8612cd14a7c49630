"""Random numbers from generators: the in-place methods of tensors, and the functions of ``mint``.

NOTE Positions. Every use takes the position (seed and offset) of the generator, given or default,
and moves it on by 12, as MindSpore does. The numbers are a function of the position, the shape,
the type and the device. MindSpore 2.10 has no CPU kernels for these functions, so there are no
numbers of its own to match; where it runs, the numbers are torch's of that device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor

from agar._core import context, random
from agar._core import tensor as core
from agar._core.dtype import FROM_TORCH
from agar._core.errors import describe
from agar._core.random.generator import Generator
from agar.ops._checks import boolean, integer, number
from agar.ops.random.choice import check_multinomial
from agar.ops.random.distributions import FLOAT_TYPES, INT_TYPES, meeting, random_type
from agar.ops.spec import Scalar, op
from agar.ops.tensor.creation import sizes

__all__: list[str] = []

_STEP = 12
_OPTIONS = {"cast": "never", "differentiable": False, "tags": ("random",)}


def _write(op_name: str, tensor: core.Tensor, change: Callable[[Tensor], Any]) -> core.Tensor:
    """Fill a tensor, as part of a gradient if one is being taken, and return it."""
    change(tensor._writable(op_name))
    return tensor


_INPLACE = {**_OPTIONS, "inplace": _write}


def _source(op_name: str, generator: Any, device: torch.device) -> torch.Generator:
    """The torch generator of a use; all checks must be passed, since the position moves on.

    Raises:
        TypeError: `generator` is not a Generator.
    """
    if generator is None:
        state = random.default_generator
    elif isinstance(generator, Generator):
        state = generator._state
    else:
        raise TypeError(
            f"For '{op_name}', 'generator' must be an agar Generator or None, but got "
            f"'{type(generator).__name__}'; make one with ms.Generator().manual_seed(seed)."
        )
    return random.stepped_generator(state, _STEP, device)


def _needs_float(op_name: str, tensor: Tensor) -> None:
    if not tensor.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the tensor must be a float Tensor, but got "
            f"{FROM_TORCH[tensor.dtype]}; convert it with .astype(ms.float32)."
        )


def _probabilities(op_name: str, p: Tensor | Scalar) -> None:
    """Refuse what is not a probability.

    Raises:
        TypeError: neither tensor nor number.
        ValueError: not between 0 and 1.
    """
    meeting(op_name, (), p)
    good = bool(((p >= 0) & (p <= 1)).all()) if isinstance(p, Tensor) else 0 <= float(p.real) <= 1
    if not good:
        raise ValueError(
            f"For '{op_name}', every probability must be between 0 and 1, but got {describe(p)}."
        )


# --------------------------------------------------------------------------------------- in place


def _integers_of(dtype: torch.dtype) -> tuple[int, int]:
    """The smallest and the largest of the integers that a type holds without a gap."""
    if dtype is torch.bool:
        return 0, 1
    if not dtype.is_floating_point:
        limits = torch.iinfo(dtype)
        return limits.min, min(limits.max, 2**63 - 1)
    most = round(2 / torch.finfo(dtype).eps)
    return -most, most


@op(
    "random_",
    function="random_",
    method="random_",
    samples=("f(2, 3)", "i(4), 5", "i(4), -2, 9"),
    errors=(
        ("f(3), 5, 2", ValueError, "below"),
        ("f(3), 'a'", TypeError, "from_"),
        ("f(3), generator=3", TypeError, "Generator"),
    ),
    **_INPLACE,
)
def random_(input: Tensor, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Tensor:
    """Fill a tensor with integers, uniform in from_ .. to - 1.

    Args:
        input (Tensor): what is filled, of any real type.
        from_ (Union[int, Tensor]): the smallest value. Default: 0.
        to (Union[int, Tensor]): one more than the largest value. Default None: up to the largest
            value of an integer type, or to which a floating type holds all integers.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor, `input` itself.
    Raises TypeError: a bound is not an int; `generator` is not a Generator.
    Raises ValueError: `from_` is not below `to`; the type cannot hold a bound.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> x = ms.ops.zeros(1000, ms.int32)
    >>> _ = x.random_(2, 5)
    >>> sorted(set(x.tolist()))
    [2, 3, 4]
    """
    integer("random_", "from_", from_)
    least, most = _integers_of(input.dtype)
    if to is None:
        to = most + 1
    integer("random_", "to", to)
    if from_ >= to:
        raise ValueError(f"For 'random_', 'from_' {from_} must be below 'to' {to}.")
    if from_ < least or to - 1 > most:
        raise ValueError(
            f"For 'random_', a tensor of {FROM_TORCH[input.dtype]} holds integers from {least} to "
            f"{most}, but got 'from_' {from_} and 'to' {to}."
        )
    source = _source("random_", generator, input.device)
    # 2^63, one above the largest int64, is not an int64: torch's name for it is None.
    return input.random_(from_, to if to < 2**63 else None, generator=source)


@op(
    "uniform_",
    function="uniform_",
    method="uniform_",
    samples=("f(2, 3)", "f(4).float(), -1.0, 2.5"),
    errors=(
        ("f(3), 5, 2", ValueError, "above"),
        ("f(3), 'a'", TypeError, "from_"),
        ("i(3)", TypeError, "float"),
        ("f(3), generator=3", TypeError, "Generator"),
    ),
    **_INPLACE,
)
def uniform_(input: Tensor, from_: Any = 0, to: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with uniform numbers in [from_, to).

    Args:
        input (Tensor): what is filled, of a floating type.
        from_ (Union[number, Tensor]): lower bound. Default: 0.
        to (Union[number, Tensor]): upper bound. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor, `input` itself.
    Raises TypeError: a bound is not a number; `input` is not floating; `generator` is not a
        Generator.
    Raises ValueError: `from_` is above `to`.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> x = ms.ops.zeros(1000)
    >>> _ = x.uniform_(2, 3)
    >>> bool((x >= 2).all()), bool((x < 3).all())
    (True, True)
    """
    _fill_uniform("uniform_", input, from_, to, generator)
    return input


def _fill_uniform(op_name: str, target: Tensor, from_: Any, to: Any, generator: Any) -> None:
    number(op_name, "from_", from_)
    number(op_name, "to", to)
    _needs_float(op_name, target)
    if not from_ <= to:
        raise ValueError(
            f"For '{op_name}', 'from_' must not be above 'to', but got {from_} and {to}."
        )
    target.uniform_(from_, to, generator=_source(op_name, generator, target.device))


@op(
    "uniform",
    function=False,
    method="uniform",
    samples=("f(2, 3)", "f(4).float(), -1.0, 2.5"),
    errors=(("f(3), 5, 2", ValueError, "above"), ("i(3)", TypeError, "float")),
    **_OPTIONS,
)
def _uniform(input: Tensor, from_: Any = 0.0, to: Any = 1.0, generator: Any = None) -> Tensor:
    """Draw uniform numbers in [from_, to) in the shape of a tensor, which keeps its values.

    Args:
        input (Tensor): gives shape, type and device; of a floating type.
        from_ (number): lower bound. Default: 0.0.
        to (number): upper bound. Default: 1.0.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor like `input`.
    Raises TypeError: a bound is not a number; `input` is not floating; `generator` is not a
        Generator.
    Raises ValueError: `from_` is above `to`.
    Difference from PyTorch: ``torch.empty_like(x).uniform_(from_, to)``.
    Source: names and arguments observed in MindSpore 2.10.

    >>> x = ms.Tensor([5.0, 6.0])
    >>> y = x.uniform(2.0, 3.0)
    >>> print(x, bool((y < 3).all()))
    [5. 6.] True
    """
    result = torch.empty_like(input, requires_grad=False)
    _fill_uniform("uniform", result, from_, to, generator)
    return result


@op(
    "normal_",
    function="normal_",
    method="normal_",
    samples=("f(2, 3)", "f(4).float(), -1.0, 2.5"),
    errors=(
        ("f(3), 0, -1", ValueError, "std"),
        ("f(3), 'a'", TypeError, "mean"),
        ("i(3)", TypeError, "float"),
        ("f(3), generator=3", TypeError, "Generator"),
    ),
    **_INPLACE,
)
def normal_(input: Tensor, mean: Any = 0, std: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with normal numbers.

    Args:
        input (Tensor): what is filled, of a floating type.
        mean (Union[number, Tensor]): the mean. Default: 0.
        std (Union[number, Tensor]): the standard deviation, at least 0. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor, `input` itself.
    Raises TypeError: `mean` or `std` is not a number; `input` is not floating; `generator` is not a
        Generator.
    Raises ValueError: `std` is negative.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> x = ms.ops.zeros(3)
    >>> x.normal_(generator=ms.Generator().manual_seed(1)) is x
    True
    """
    number("normal_", "mean", mean)
    number("normal_", "std", std)
    _needs_float("normal_", input)
    if not std >= 0:
        raise ValueError(f"For 'normal_', 'std' must be at least 0, but got {std}.")
    return input.normal_(mean, std, generator=_source("normal_", generator, input.device))


@op(
    "exponential_",
    function="exponential_",
    method="exponential_",
    samples=("f(2, 3)", "f(4).float(), 2.5"),
    errors=(
        ("f(3), 0", ValueError, "lambd"),
        ("f(3), 'a'", TypeError, "lambd"),
        ("i(3)", TypeError, "float"),
    ),
    **_INPLACE,
)
def exponential_(input: Tensor, lambd: Any = 1, *, generator: Any = None) -> Tensor:
    r"""Fill a tensor with numbers of density :math:`\lambda e^{-\lambda x}`.

    Args:
        input (Tensor): what is filled, of a floating type.
        lambd (float): the rate, above 0. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor, `input` itself.
    Raises TypeError: `lambd` is not a number; `input` is not floating; `generator` is not a
        Generator.
    Raises ValueError: `lambd` is not above 0.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> x = ms.ops.zeros(1000).exponential_(2.0)
    >>> bool((x > 0).all())
    True
    """
    number("exponential_", "lambd", lambd)
    _needs_float("exponential_", input)
    if not lambd > 0:
        raise ValueError(f"For 'exponential_', 'lambd' must be above 0, but got {lambd}.")
    source = _source("exponential_", generator, input.device)
    return input.exponential_(lambd, generator=source)


@op(
    "bernoulli_",
    function="bernoulli_",
    method="bernoulli_",
    samples=("f(2, 3)", "i(4), 0.25", "f(3), u(3)"),
    errors=(
        ("f(3), 1.5", ValueError, "between 0 and 1"),
        ("f(3), 'a'", TypeError, "number"),
        ("f(3), u(4)", ValueError, "broadcast"),
    ),
    **_INPLACE,
)
def bernoulli_(input: Tensor, p: Tensor | Scalar = 0.5, *, generator: Any = None) -> Tensor:
    """Fill a tensor with ones, with probability p, and zeros.

    Args:
        input (Tensor): what is filled, of any type.
        p (Union[float, Tensor]): probabilities, which broadcast to `input`. Default: 0.5.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor, `input` itself.
    Raises TypeError: `p` is neither Tensor nor number; `generator` is not a Generator.
    Raises ValueError: a probability is not between 0 and 1; `p` does not broadcast to `input`.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> print(ms.ops.zeros(4).bernoulli_(1.0))
    [1. 1. 1. 1.]
    """
    _probabilities("bernoulli_", p)
    if isinstance(p, Tensor):
        if meeting("bernoulli_", tuple(input.shape), p) != tuple(input.shape):
            raise ValueError(
                f"For 'bernoulli_', 'p' must broadcast to the shape {tuple(input.shape)}, but got "
                f"{tuple(p.shape)}."
            )
        p = p.detach().expand(input.shape)
    return input.bernoulli_(
        cast("float", p), generator=_source("bernoulli_", generator, input.device)
    )


# ------------------------------------------------------------------------------------------- mint


def _place(device: Any, like: Tensor | None = None) -> torch.device:
    if device is not None:
        return context.parse_device(device)
    return context.torch_device() if like is None else like.device


def _sizes(op_name: str, size: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape in a call like ``rand(2, 3)`` or ``rand((2, 3))``."""
    one = len(size) == 1 and isinstance(size[0], (tuple, list))
    return sizes(op_name, size[0] if one else size, "size")


@op(
    "rand",
    function=False,
    mint="rand",
    samples=("2, 3", "(2, 3), dtype=ms.float16"),
    errors=(
        ("2.5", TypeError, "size"),
        ("2, dtype=ms.int32", TypeError, "dtype"),
        ("2, generator=3", TypeError, "Generator"),
    ),
    **_OPTIONS,
)
def _rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1).

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): a floating type. Default None: float32.
        device (str): where the result is to be, for example ``"CPU"``. Default None: the
            context's device.

    Returns: Tensor of that shape and type.
    Raises TypeError: a size is not an int; `dtype` is not a floating type; `generator` is not a
        Generator.
    Raises ValueError: a size is negative.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    Examples:
        >>> from agar import mint
        >>> mint.rand(2, 3).shape
        (2, 3)
    """
    shape = _sizes("rand", size)
    kind = random_type("rand", dtype, FLOAT_TYPES, torch.float32)
    where = _place(device)
    source = _source("rand", generator, where)
    return torch.rand(shape, generator=source, dtype=kind, device=where)


@op(
    "rand_like",
    function=False,
    mint="rand_like",
    samples=("f(2, 3)", "i(4), dtype=ms.float32"),
    errors=(("i(2)", TypeError, "dtype"), ("[1.0]", TypeError, "rand_like")),
    **_OPTIONS,
)
def _rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1) in the shape of a tensor, from the default generator.

    Args:
        input (Tensor): gives the shape.
        dtype (Type): a floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `input` is not a Tensor; the type is not a floating type.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> from agar import mint
    >>> mint.rand_like(ms.Tensor([1.0, 2.0])).shape
    (2,)
    """
    kind, where = _like("rand_like", input, dtype, device, FLOAT_TYPES)
    source = _source("rand_like", None, where)
    return torch.rand(input.shape, generator=source, dtype=kind, device=where)


def _like(
    op_name: str, input: Tensor, dtype: Any, device: Any, allowed: tuple[torch.dtype, ...]
) -> tuple[torch.dtype, torch.device]:
    if dtype is None:
        dtype = FROM_TORCH[input.dtype]
    return random_type(op_name, dtype, allowed), _place(device, input)


@op(
    "randn",
    function=False,
    mint="randn",
    samples=("2, 3", "(2, 3), dtype=ms.float16", "(2, 3), ms.float64"),
    errors=(("2.5", TypeError, "size"), ("2, dtype=ms.int32", TypeError, "dtype")),
    **_OPTIONS,
)
def _randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw standard normal numbers.

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple;
            after a tuple, the type may follow.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): a floating type. Default None: float32.
        device (str): where the result is to be. Default None: the context's device.

    Returns: Tensor of that shape and type.
    Raises TypeError: a size is not an int; `dtype` is not a floating type; `generator` is not a
        Generator.
    Raises ValueError: a size is negative.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    Examples:
        >>> from agar import mint
        >>> mint.randn(2, 3).shape
        (2, 3)
    """
    if len(size) == 2 and isinstance(size[0], (tuple, list)) and dtype is None:
        size, dtype = size[:1], size[1]  # MindSpore's own examples write randn(shape, type)
    shape = _sizes("randn", size)
    kind = random_type("randn", dtype, FLOAT_TYPES, torch.float32)
    where = _place(device)
    source = _source("randn", generator, where)
    return torch.randn(shape, generator=source, dtype=kind, device=where)


@op(
    "randn_like",
    function=False,
    mint="randn_like",
    samples=("f(2, 3)", "i(4), dtype=ms.float32"),
    errors=(("i(2)", TypeError, "dtype"),),
    **_OPTIONS,
)
def _randn_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw standard normal numbers in the shape of a tensor, from the default generator.

    Args:
        input (Tensor): gives the shape.
        dtype (Type): a floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `input` is not a Tensor; the type is not a floating type.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> from agar import mint
    >>> mint.randn_like(ms.Tensor([1.0, 2.0])).dtype
    mindspore.float32
    """
    kind, where = _like("randn_like", input, dtype, device, FLOAT_TYPES)
    source = _source("randn_like", None, where)
    return torch.randn(input.shape, generator=source, dtype=kind, device=where)


def _bounds(op_name: str, given: tuple[Any, ...], form: str) -> tuple[int, int]:
    """``(high,)`` or ``(low, high)`` as two ints.

    Raises:
        TypeError: another number of values, or no ints.
        ValueError: nothing lies between.
    """
    if len(given) not in (1, 2):
        raise TypeError(f"For '{op_name}', the arguments must be {form}.")
    low, high = (0, *given) if len(given) == 1 else given
    integer(op_name, "low", low)
    integer(op_name, "high", high)
    if low >= high:
        raise ValueError(f"For '{op_name}', 'low' {low} must be below 'high' {high}.")
    return low, high


@op(
    "randint",
    function=False,
    mint="randint",
    samples=("5, (2, 3)", "-2, 5, (4,), dtype=ms.int32"),
    errors=(
        ("5", TypeError, "arguments"),
        ("5, 2, (3,)", ValueError, "below"),
        ("0.5, (3,)", TypeError, "high"),
    ),
    **_OPTIONS,
)
def _randint(*args: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw integers, uniform in low .. high - 1: ``randint(high, size)``.

    Also ``randint(low, high, size)``.

    Args:
        args: the bounds (int; `low` is 0 by default) and the shape (Union[tuple, list, int]).
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): an integer or floating type. Default None: int64.
        device (str): where the result is to be. Default None: the context's device.

    Returns: Tensor of that shape and type.
    Raises TypeError: a bound or a size is not an int; `generator` is not a Generator.
    Raises ValueError: `low` is not below `high`; a size is negative.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    Examples:
        >>> from agar import mint
        >>> x = mint.randint(2, 5, (1000,))
        >>> sorted(set(x.tolist()))
        [2, 3, 4]
    """
    form = "(high, size) or (low, high, size)"
    if len(args) not in (2, 3):
        raise TypeError(f"For 'randint', the arguments must be {form}, but got {len(args)}.")
    low, high = _bounds("randint", args[:-1], form)
    shape = sizes("randint", args[-1], "size")
    kind = random_type("randint", dtype, INT_TYPES + FLOAT_TYPES, torch.int64)
    where = _place(device)
    source = _source("randint", generator, where)
    return torch.randint(low, high, shape, generator=source, device=where).to(kind)


@op(
    "randint_like",
    function=False,
    mint="randint_like",
    samples=("i(2, 3), 5", "f(4), -2, 5, dtype=ms.int32"),
    errors=(("i(2)", TypeError, "arguments"), ("i(2), 5, 2", ValueError, "below")),
    **_OPTIONS,
)
def _randint_like(input: Tensor, *bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw integers in the shape of a tensor: ``randint_like(input, high)``.

    Also ``randint_like(input, low, high)``; uniform in low .. high - 1, from the default generator.

    Args:
        input (Tensor): gives the shape.
        bounds (int): `high`, or `low` and `high`.
        dtype (Type): an integer or floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `input` is not a Tensor; a bound is not an int.
    Raises ValueError: `low` is not below `high`.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> from agar import mint
    >>> mint.randint_like(ms.Tensor([1, 2, 3]), 1).tolist()
    [0, 0, 0]
    """
    low, high = _bounds("randint_like", bounds, "(input, high) or (input, low, high)")
    kind, where = _like("randint_like", input, dtype, device, INT_TYPES + FLOAT_TYPES)
    source = _source("randint_like", None, where)
    return torch.randint(low, high, input.shape, generator=source, device=where).to(kind)


@op(
    "randperm",
    function=False,
    mint="randperm",
    samples=("5", "4, dtype=ms.int32"),
    errors=(("-1", ValueError, "'n'"), ("2.5", TypeError, "'n'")),
    **_OPTIONS,
)
def _randperm(n: Any, *, generator: Any = None, dtype: Any = None) -> Tensor:
    """Draw a permutation of 0 .. n - 1.

    Args:
        n (int): how many numbers, at least 0.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): an integer or floating type. Default None: int64.

    Returns: Tensor of shape (n,).
    Raises TypeError: `n` is not an int; `generator` is not a Generator.
    Raises ValueError: `n` is negative.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    Examples:
        >>> from agar import mint
        >>> sorted(mint.randperm(4).tolist())
        [0, 1, 2, 3]
    """
    count = integer("randperm", "n", n, 0)
    kind = random_type("randperm", dtype, INT_TYPES + FLOAT_TYPES, torch.int64)
    where = _place(None)
    source = _source("randperm", generator, where)
    return torch.randperm(count, generator=source, device=where).to(kind)


@op(
    "normal",
    function=False,
    mint="normal",
    samples=("0.0, 1.0, (2, 3)", "f(2, 3), p(3)", "f(3)", "0.0, p(4)"),
    errors=(
        ("0.0, 1.0", TypeError, "size"),
        ("f(3), 1.0, (3,)", TypeError, "size"),
        ("f(3), -p(3)", ValueError, "std"),
        ("f(3), p(2)", ValueError, "broadcast"),
        ("i(3), 1.0", TypeError, "float"),
    ),
    **_OPTIONS,
)
def _normal(
    mean: Tensor | Scalar = 0.0,
    std: Tensor | Scalar = 1.0,
    size: Any = None,
    generator: Any = None,
) -> Tensor:
    """Draw normal numbers of a mean and standard deviation, or of one for each element.

    The result is a constant for gradients; ``ops.normal`` is differentiable.

    Args:
        mean (Union[float, Tensor]): the mean. Default: 0.0.
        std (Union[float, Tensor]): the standard deviation, at least 0. Default: 1.0.
        size (tuple): the shape; needed for two numbers, and not allowed with a Tensor. Default:
            None.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor of shape `size`, or of the shape in which `mean` and `std` meet.
    Raises TypeError: `size` is missing or too much; a Tensor is not floating; `generator` is not a
        Generator.
    Raises ValueError: a deviation is negative; the shapes do not broadcast.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    Examples:
        >>> from agar import mint
        >>> mint.normal(0.0, 1.0, (2, 3)).shape
        (2, 3)
    """
    tensors = [v for v in (mean, std) if isinstance(v, Tensor)]
    if (size is None) != bool(tensors):
        raise TypeError(
            "For 'normal', 'size' must be given with two numbers and left out with a Tensor, but "
            f"got mean {describe(mean)}, std {describe(std)}, size {size!r}."
        )
    shape = meeting("normal", () if size is None else sizes("normal", size, "size"), mean, std)
    for tensor in tensors:
        _needs_float("normal", tensor)
    if isinstance(std, Tensor):
        good = bool((std >= 0).all())
    else:
        good = isinstance(std, complex) or std >= 0
    if not good:
        least = float(std.min()) if isinstance(std, Tensor) else std
        raise ValueError(f"For 'normal', every element of 'std' must be at least 0, got {least}.")
    kind = torch.float32
    for i, tensor in enumerate(tensors):
        kind = torch.promote_types(kind, tensor.dtype) if i else tensor.dtype
    where = _place(None, tensors[0] if tensors else None)
    source = _source("normal", generator, where)
    unit = torch.randn(shape, generator=source, dtype=kind, device=where)
    mean, std = (v.detach() if isinstance(v, Tensor) else v for v in (mean, std))
    return unit * std + mean


@op(
    "bernoulli",
    function="bernoulli_ext",
    method="bernoulli",
    mint="bernoulli",
    samples=("u(2, 3)", "u(4).float()"),
    errors=(
        ("f(3) + 5", ValueError, "between 0 and 1"),
        ("i(3)", TypeError, "float"),
        ("u(3), generator=3", TypeError, "Generator"),
    ),
    **_OPTIONS,
)
def bernoulli_ext(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw zeros and ones; each element of a tensor is the probability of a one.

    Args:
        input (Tensor): probabilities, of a floating type.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor like `input`.
    Raises TypeError: `input` is not floating; `generator` is not a Generator.
    Raises ValueError: an element is not between 0 and 1.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> print(ms.Tensor([0.0, 1.0, 1.0]).bernoulli())
    [0. 1. 1.]
    """
    _needs_float("bernoulli", input)
    _probabilities("bernoulli", input)
    return torch.bernoulli(input.detach(), generator=_source("bernoulli", generator, input.device))


@op(
    "multinomial",
    function=False,
    mint="multinomial",
    samples=("p(4), 3", "p(2, 4), 9, True"),
    errors=(
        ("p(4), 5", ValueError, "replacement"),
        ("-p(4), 3", ValueError, "at least 0"),
        ("p(4) * 0, 3", ValueError, "sum"),
        ("p(4), 0", ValueError, "num_samples"),
        ("p(4), 2, 1", TypeError, "replacement"),
    ),
    **_OPTIONS,
)
def _multinomial(
    input: Tensor, num_samples: Any, replacement: Any = False, *, generator: Any = None
) -> Tensor:
    """Draw indices in proportion to weights.

    Args:
        input (Tensor): weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes).
        num_samples (int): draws for each row, at least 1; without `replacement` at most the
            classes.
        replacement (bool): whether an index may be drawn again. Default: False.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns: Tensor of shape (num_samples,) or (rows, num_samples), int64.
    Raises TypeError: `num_samples` is not an int; `replacement` is not a bool; `generator` is not a
        Generator.
    Raises ValueError: `input` has another rank or a weight that is negative, infinite or nan, or a
        row of zeros; `num_samples` is too small or too large.
    Difference from PyTorch: none; other numbers.
    Source: names and arguments observed in MindSpore 2.10.

    >>> from agar import mint
    >>> mint.multinomial(ms.Tensor([0.0, 1.0]), 3, True).tolist()
    [1, 1, 1]
    """
    boolean("multinomial", "replacement", replacement)
    integer("multinomial", "num_samples", num_samples, 1)
    count = check_multinomial("multinomial", input, num_samples, replacement)
    if not bool((input.sum(-1) > 0).all()):
        raise ValueError("For 'multinomial', the sum of each row of 'input' must be above 0.")
    weights = input.detach() if input.is_floating_point() else input.float()
    source = _source("multinomial", generator, input.device)
    return torch.multinomial(weights, count, replacement, generator=source)
