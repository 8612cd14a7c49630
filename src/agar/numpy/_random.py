"""Random tensors."""

from __future__ import annotations

from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core.dtype import float32, int32
from agar._core.random import draws as random_draws
from agar._core.random import get_seed, make_engine, next_pair
from agar.numpy._declare import Tensor, home, public_type, value_type
from agar.ops._checks import integer
from agar.ops.random.distributions import drawn
from agar.ops.tensor.creation import sizes

_create = home("array_creations")
_FLOATS = (torch.float16, torch.float32, torch.float64)


def _random_size(op_name: str, shape: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape of a call ``rand(2, 3)``, ``rand((2, 3))`` or ``rand()``, which is (1,)."""
    if not shape:
        return (1,)
    return sizes(f"numpy.{op_name}", shape[0] if len(shape) == 1 else shape)


def _random_type(op_name: str, dtype: Any, allowed: tuple[torch.dtype, ...]) -> torch.dtype:
    result = value_type(op_name, dtype)
    if result not in allowed:
        names = ", ".join(str(public_type(kind)).lower() for kind in allowed)
        raise ValueError(f"For 'numpy.{op_name}', 'dtype' must be one of {names}, but got {dtype}.")
    return result


def _draws(name: str, words: str, engine: str, operator: str, rule: Any) -> None:
    """Declare rand or randn."""

    def impl(*shape: Any, dtype: Any = float32) -> Tensor:
        kind = _random_type(name, dtype, _FLOATS)
        size = _random_size(name, shape)
        result = make_engine(engine, next_pair(get_seed(), operator))
        return drawn(rule, size, result).to(kind)

    impl.__name__ = name
    impl.__doc__ = f"""Draw {words}.

    Args:
        shape (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): float16, float32 or float64. Default: float32.

    Returns:
        Tensor of that shape and type.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is negative, or `dtype` another type.

    Difference from PyTorch: ``{name}()`` has the shape (1,); the numbers are those of
    ``ms.set_seed``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> mnp.{name}(2, 3).shape
        (2, 3)
    """
    _create(
        name,
        cast="never",
        samples=("2, 3", "(2, 3)", "dtype=ms.float16"),
        errors=(
            ("2.0", TypeError, f"numpy.{name}"),
            ("-1", ValueError, f"numpy.{name}"),
            ("2, dtype=ms.int32", ValueError, f"numpy.{name}"),
        ),
        differentiable=False,
        tags=("random",),
    )(impl)


_draws("rand", "uniform numbers in [0, 1]", "mt", "UniformReal", random_draws.uniform_real)
_draws("randn", "standard normal numbers", "lcg", "StandardNormal", random_draws.standard_normal)

_INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8)


@_create(
    "randint",
    cast="never",
    samples=("10", "1, 5, (2, 3)", "5, shape=3, dtype=ms.int64"),
    errors=(
        ("2.0", TypeError, "numpy.randint"),
        ("0", ValueError, "numpy.randint"),
        ("3, 2", ValueError, "numpy.randint"),
        ("3, dtype=ms.float32", ValueError, "numpy.randint"),
    ),
    differentiable=False,
    tags=("random",),
)
def _randint(minval: int, maxval: Any = None, shape: Any = None, dtype: Any = int32) -> Tensor:
    """Draw integers, uniform in minval .. maxval - 1, or in 0 .. minval - 1.

    Args:
        minval (int): the smallest value; one more than the largest if `maxval` is None.
        maxval (int): one more than the largest value. Default: None.
        shape (Union[int, tuple, list]): the shape. Default None: (1,).
        dtype (Type): int8, int16, int32 or int64. Default: int32.

    Returns: Tensor of that shape and type.
    Raises TypeError: a bound or a size is not an int.
    Raises ValueError: the range is empty, a size negative, or `dtype` another type.
    Difference from PyTorch: `shape` may be left out; the numbers are those of ``ms.set_seed``.

    >>> import agar.numpy as mnp
    >>> mnp.randint(1, 10, (2, 3)).shape
    (2, 3)
    """
    low, high = integer("numpy.randint", "minval", minval), maxval
    if high is None:
        low, high = 0, low
        if high <= 0:
            raise ValueError(
                "For 'numpy.randint', 'minval' must be above 0 where 'maxval' is None, but got "
                f"{high}."
            )
    integer("numpy.randint", "maxval", high)
    if low >= high:
        raise ValueError(
            f"For 'numpy.randint', 'minval' must be less than 'maxval', but got {low} and {high}."
        )
    kind = _random_type("randint", dtype, _INTEGERS)
    size = (1,) if shape is None else sizes("numpy.randint", shape)
    engine = make_engine("mt", next_pair(get_seed(), "UniformInt"))
    return drawn(random_draws.uniform_int, size, low, high, engine).to(kind)
