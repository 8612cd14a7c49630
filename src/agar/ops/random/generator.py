"""Random numbers from generators: the functions of ``mint``; methods of tensors are in `in_place`.

NOTE Positions. Every use takes the position (seed and offset) of the generator, given or default,
and moves it on by 12, as MindSpore does. The numbers are a function of the position, the shape,
the type and the device. MindSpore 2.10 has no CPU kernels for these functions, so there are no
numbers of its own to match; where it runs, the numbers are torch's of that device.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import context, random
from agar._core.dtype import FROM_TORCH
from agar._core.errors import describe
from agar._core.random.generator import Generator
from agar.ops._checks import boolean, integer
from agar.ops.random.choice import check_multinomial
from agar.ops.random.distributions import FLOAT_TYPES, INT_TYPES, meeting, random_type
from agar.ops.spec import Scalar, op
from agar.ops.tensor.creation import sizes

__all__: list[str] = []
_STEP = 12
OPTIONS = {"cast": "never", "differentiable": False, "tags": ("random",)}


def source_of(op_name: str, generator: Any, device: torch.device) -> torch.Generator:
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


def need_float(op_name: str, tensor: Tensor) -> None:
    if not tensor.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the tensor must be a float Tensor, but got "
            f"{FROM_TORCH[tensor.dtype]}; convert it with .astype(ms.float32)."
        )


def check_probabilities(op_name: str, p: Tensor | Scalar) -> None:
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
    **OPTIONS,
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
    source = source_of("rand", generator, where)
    return torch.rand(shape, generator=source, dtype=kind, device=where)


@op(
    "rand_like",
    function=False,
    mint="rand_like",
    samples=("f(2, 3)", "i(4), dtype=ms.float32"),
    errors=(("i(2)", TypeError, "dtype"), ("[1.0]", TypeError, "rand_like")),
    **OPTIONS,
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
    source = source_of("rand_like", None, where)
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
    **OPTIONS,
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
    source = source_of("randn", generator, where)
    return torch.randn(shape, generator=source, dtype=kind, device=where)


@op(
    "randn_like",
    function=False,
    mint="randn_like",
    samples=("f(2, 3)", "i(4), dtype=ms.float32"),
    errors=(("i(2)", TypeError, "dtype"),),
    **OPTIONS,
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
    source = source_of("randn_like", None, where)
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
    **OPTIONS,
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
    source = source_of("randint", generator, where)
    return torch.randint(low, high, shape, generator=source, device=where).to(kind)


@op(
    "randint_like",
    function=False,
    mint="randint_like",
    samples=("i(2, 3), 5", "f(4), -2, 5, dtype=ms.int32"),
    errors=(("i(2)", TypeError, "arguments"), ("i(2), 5, 2", ValueError, "below")),
    **OPTIONS,
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
    source = source_of("randint_like", None, where)
    return torch.randint(low, high, input.shape, generator=source, device=where).to(kind)


@op(
    "randperm",
    function=False,
    mint="randperm",
    samples=("5", "4, dtype=ms.int32"),
    errors=(("-1", ValueError, "'n'"), ("2.5", TypeError, "'n'")),
    **OPTIONS,
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
    source = source_of("randperm", generator, where)
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
    **OPTIONS,
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
        need_float("normal", tensor)
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
    source = source_of("normal", generator, where)
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
    **OPTIONS,
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
    need_float("bernoulli", input)
    check_probabilities("bernoulli", input)
    return torch.bernoulli(
        input.detach(), generator=source_of("bernoulli", generator, input.device)
    )


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
    **OPTIONS,
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
    source = source_of("multinomial", generator, input.device)
    return torch.multinomial(weights, count, replacement, generator=source)
