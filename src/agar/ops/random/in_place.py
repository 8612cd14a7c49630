"""The methods that fill a tensor with random numbers (NOTE Positions of `generator`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor

from agar._core import tensor as core
from agar._core.dtype import FROM_TORCH
from agar.ops._checks import integer, number
from agar.ops.random.distributions import meeting
from agar.ops.spec import Scalar, op

__all__: list[str] = []
from agar.ops.random.generator import OPTIONS, check_probabilities, need_float, source_of


def _write(op_name: str, tensor: core.Tensor, change: Callable[[Tensor], Any]) -> core.Tensor:
    """Fill a tensor, as part of a gradient if one is being taken, and return it."""
    change(tensor._writable(op_name))
    return tensor


_INPLACE = {**OPTIONS, "inplace": _write}


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
    source = source_of("random_", generator, input.device)
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
    need_float(op_name, target)
    if not from_ <= to:
        raise ValueError(
            f"For '{op_name}', 'from_' must not be above 'to', but got {from_} and {to}."
        )
    target.uniform_(from_, to, generator=source_of(op_name, generator, target.device))


@op(
    "uniform",
    function=False,
    method="uniform",
    samples=("f(2, 3)", "f(4).float(), -1.0, 2.5"),
    errors=(("f(3), 5, 2", ValueError, "above"), ("i(3)", TypeError, "float")),
    **OPTIONS,
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
    need_float("normal_", input)
    if not std >= 0:
        raise ValueError(f"For 'normal_', 'std' must be at least 0, but got {std}.")
    return input.normal_(mean, std, generator=source_of("normal_", generator, input.device))


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
    need_float("exponential_", input)
    if not lambd > 0:
        raise ValueError(f"For 'exponential_', 'lambd' must be above 0, but got {lambd}.")
    source = source_of("exponential_", generator, input.device)
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
    check_probabilities("bernoulli_", p)
    if isinstance(p, Tensor):
        if meeting("bernoulli_", tuple(input.shape), p) != tuple(input.shape):
            raise ValueError(
                f"For 'bernoulli_', 'p' must broadcast to the shape {tuple(input.shape)}, but got "
                f"{tuple(p.shape)}."
            )
        p = p.detach().expand(input.shape)
    return input.bernoulli_(
        cast("float", p), generator=source_of("bernoulli_", generator, input.device)
    )
