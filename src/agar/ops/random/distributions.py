"""Random numbers from seed pairs: uniform, normal, Laplace, gamma, Poisson and their relatives.

Each call takes the next seed pair of its own name (`agar._core.random.next_pair`) and starts a
fresh engine from it. Numbers are those of MindSpore 2.10 on CPU, bit for bit, on every device,
unless a docstring says there are none to match.

NOTE Draws. Numbers are made by numpy and are constants for gradients; what a function computes
from them and its tensors (mean, deviation, bounds) is differentiable. Every one of them enters
torch through :func:`drawn`, so that a recorder of graphs can take a draw as one node.

NOTE Entropy. Some functions of MindSpore take entropy whatever the global seed is. Here they too
take a seed pair, so that they repeat after ``ms.set_seed``, and entropy only without one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import context
from agar._core import dtype as mstype
from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar._core.errors import describe
from agar._core.random import draws as random_draws
from agar._core.random import make_engine, next_pair
from agar._core.runtime import thread
from agar.ops._checks import number
from agar.ops.math.elementwise import promoted
from agar.ops.spec import Scalar, op
from agar.ops.tensor.creation import sizes

__all__ = [
    "FLOAT_TYPES",
    "INT_TYPES",
    "cauchy_draw",
    "drawn",
    "int_bounds",
    "kind_of",
    "log_normal_draw",
    "meeting",
    "own_pair",
    "random_type",
    "size_of",
]

FLOAT_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INT_TYPES = (
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.uint16,
    torch.uint32,
    torch.uint64,
)


# ------------------------------------------------------------------------------- shared by classes


def drawn(rule: Callable[..., Any], *args: Any, device: torch.device | None = None) -> Any:
    """What a rule of `random_draws` draws, as a tensor or a tuple of tensors (NOTE Draws).

    Args:
        rule: the function of `random_draws`.
        args: its arguments, the engine among them; tensors reach it as numpy arrays.
        device: where the numbers are to be. Default: None, the context's device.
    """
    where = context.torch_device() if device is None else device
    recorder = thread.recorder
    if recorder is None:
        return _draw(rule, where, *args)
    return recorder.host(_draw, (rule, where, *args), rule.__name__, "auto")


def _draw(rule: Callable[..., Any], where: torch.device, *args: Any) -> Any:
    result = rule(*[a.detach().cpu().numpy() if isinstance(a, Tensor) else a for a in args])
    if isinstance(result, tuple):
        return tuple(torch.from_numpy(part).to(where) for part in result)
    values = torch.from_numpy(np.asarray(result))  # numpy makes scalars of shape ()
    return values if where.type == "cpu" else values.to(where)


def own_pair(seed: int, seed2: int, name: str) -> tuple[int, int]:
    """The pair that was given, or the next one of the name for (0, 0) (NOTE Entropy)."""
    return (seed, seed2) if seed or seed2 else next_pair(None, name)


def random_type(
    op_name: str, dtype: Any, allowed: tuple[torch.dtype, ...], default: torch.dtype | None = None
) -> torch.dtype:
    """A dtype argument as torch's type.

    Raises:
        TypeError: it is not a type, or not one of those allowed.
    """
    if dtype is None and default is not None:
        return default
    torch_dtype = to_torch_dtype(dtype, op_name=op_name)
    if torch_dtype not in allowed:
        names = ", ".join(repr(FROM_TORCH[t]) for t in allowed)
        raise TypeError(
            f"For '{op_name}', the 'dtype' should be one of [{names}], but got "
            f"'{FROM_TORCH[torch_dtype]!r}'."
        )
    return torch_dtype


def kind_of(
    op_name: str, dtype: Any, allowed: tuple[torch.dtype, ...], word: str, default: torch.dtype
) -> torch.dtype:
    """As `random_type`, for functions that raise ValueError for a type of the wrong kind."""
    result = default if dtype is None else to_torch_dtype(dtype, op_name=op_name)
    if result not in allowed:
        raise ValueError(
            f"For '{op_name}', the 'dtype' must be {word} type, but got {FROM_TORCH[result]}; draw "
            "with another type and convert with .astype(...)."
        )
    return result


def size_of(op_name: str, size: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape in a call like ``rand(2, 3)``, ``rand((2, 3))`` or ``rand()``, which is (1,)."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        return sizes(op_name, size[0], "size")
    return sizes(op_name, size, "size") if size else (1,)


def meeting(op_name: str, shape: tuple[int, ...], *values: Tensor | Scalar) -> tuple[int, ...]:
    """The shape in which numbers of a shape meet tensors; called before anything is drawn.

    Raises:
        TypeError: one is neither tensor nor number, which the binding then converts or refuses.
        ValueError: the shapes do not broadcast.
    """
    for value in values:
        if not isinstance(value, (Tensor, bool, int, float, np.generic)):
            raise TypeError(
                f"For '{op_name}', a Tensor or number is needed, got {describe(value)}."
            )
    shapes = [shape, *(tuple(v.shape) for v in values if isinstance(v, Tensor))]
    try:
        known = all(type(n) is int for s in shapes for n in s)  # sizes may be left open
        return tuple((np if known else torch).broadcast_shapes(*shapes))  # torch's imports sympy
    except (ValueError, RuntimeError) as error:
        raise ValueError(
            f"For '{op_name}', the shapes {' and '.join(map(str, shapes))} do not broadcast: "
            "sizes, counted from the last, must be equal or 1."
        ) from error


def _same_type(op_name: str, expected: torch.dtype, *tensors: Tensor) -> None:
    for tensor in tensors:
        if tensor.dtype is not expected:
            raise TypeError(
                f"For '{op_name}', the value data type '{FROM_TORCH[expected]}' is not consistent "
                f"with assigned tensor data type {FROM_TORCH[tensor.dtype]}; convert the tensors "
                "with .astype(...) or pass the matching 'dtype'."
            )


# ----------------------------------------------------------------------------------------- uniform


@op(
    cast="never",
    samples=(
        "(2, 3), torch.tensor(1.0), torch.tensor(2.0), 5",
        "(4,), torch.tensor(1, dtype=torch.int32), torch.tensor(9, dtype=torch.int32), 5, ms.int32",
    ),
    errors=(
        ("(2,), 1.0, 2.0", TypeError, "must be a Tensor"),
        ("(2,), i(), i()", TypeError, "not consistent"),
        ("(2,), f().float(), f().float(), -1", ValueError, ">= 0"),
        ("(2,), f().float(), f().float(), 1, ms.float16", TypeError, "float32"),
    ),
    differentiable=False,
    tags=("random",),
)
def uniform(
    shape: Any, minval: Tensor, maxval: Tensor, seed: Any = None, dtype: Any = mstype.float32
) -> Tensor:
    r"""Draw from a uniform distribution.

    Floating: :math:`out = u \cdot (maxval - minval) + minval` with u uniform in [0, 1], which is
    differentiable in the bounds. Integers: uniform in minval .. maxval - 1.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        minval (Tensor): lower bound, of type `dtype`; for integers of shape ().
        maxval (Tensor): upper bound, not among the integers that are drawn.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): ``mindspore.float32`` or ``mindspore.int32``. Default: float32.

    Returns: Tensor of the shape in which `shape` and those of the bounds meet, of type `dtype`.
    Raises TypeError: a bound is not a Tensor or not of type `dtype`; `dtype` is another type;
        `seed` is not an int.
    Raises ValueError: `seed` is negative; shapes do not broadcast; bounds of integers are not
        scalars.
    Raises RuntimeError: `minval` is not below `maxval`, for integers.
    Difference from PyTorch: ``torch.empty(shape).uniform_(low, high)``; seeds are arguments, and
        the same call with the same seed continues from call to call.

    >>> ms.set_seed(1)
    >>> print(ms.ops.uniform((1, 4), ms.Tensor(1.0), ms.Tensor(2.0), seed=1))
    [[1.5108306 1.7556617 1.5683985 1.8572192]]
    """
    kind = to_torch_dtype(dtype, op_name="uniform")
    if kind not in (torch.float32, torch.int32):
        raise TypeError(
            f"The 'uniform' doesn't support '{FROM_TORCH[kind]}' and expect to receive "
            "[mindspore.int32, mindspore.float32]; convert the result with .astype(...)."
        )
    _same_type("uniform", kind, minval, maxval)
    size = sizes("uniform", shape)
    if kind is torch.int32:
        low, high = int_bounds("uniform", minval, maxval)
        engine = make_engine("mt", next_pair(seed, "uniform"))
        return drawn(random_draws.uniform_int, size, low, high, engine, device=minval.device)
    meeting("uniform", size, minval, maxval)
    engine = make_engine("mt", next_pair(seed, "uniform"))
    unit = drawn(random_draws.uniform_real, size, engine, device=minval.device)
    return unit * (maxval - minval) + minval


def int_bounds(op_name: str, minval: Tensor, maxval: Tensor) -> tuple[int, int]:
    """The bounds of integers as numbers.

    Raises:
        ValueError: they are not scalars.
        RuntimeError: nothing lies between them.
    """
    for name, value in (("minval", minval), ("maxval", maxval)):
        if value.ndim:
            raise ValueError(
                f"For '{op_name}', '{name}' of integers must be a scalar Tensor, but got shape "
                f"{tuple(value.shape)}; draw floats and round them for bounds of other shapes."
            )
    low, high = int(minval), int(maxval)
    random_draws.check_int_range(low, high)
    return low, high


@op(
    cast="never",
    samples=("2, 3", "(2, 3), dtype=ms.float16", "seed=3"),
    errors=(
        ("2.5", TypeError, "rand"),
        ("-1", ValueError, "rand"),
        ("2, dtype=ms.int32", ValueError, "float type"),
        ("2, seed=-1", ValueError, ">= 0"),
    ),
    differentiable=False,
    tags=("random",),
)
def rand(*size: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1].

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): a floating type, to which the float32 numbers are converted. Default None:
            float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of that shape and type.
    Raises TypeError: a size is not an int.
    Raises ValueError: a size or `seed` is negative; `dtype` is not a floating type.
    Difference from PyTorch: the numbers may round to 1; ``rand()`` has shape (1,); no `generator`
        (see ``mint.rand``).

    >>> ms.set_seed(11)
    >>> print(ms.ops.rand(2, 2))
    [[0.87701    0.8809195 ]
     [0.9272151  0.84809804]]
    """
    shape = size_of("rand", size)
    kind = kind_of("rand", dtype, FLOAT_TYPES, "a float", torch.float32)
    engine = make_engine("mt", next_pair(seed, "rand"))
    return drawn(random_draws.uniform_real, shape, engine).to(kind)


@op(
    cast="never",
    samples=("f(2, 3)", "i(4), dtype=ms.float32", "f(2), 3"),
    errors=(("i(2)", ValueError, "float type"), ("[1.0]", TypeError, "rand_like")),
    differentiable=False,
    tags=("random",),
)
def rand_like(input: Tensor, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1] in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): a floating type. Default None: that of `input`.

    Returns: Tensor of the shape of `input`.
    Raises ValueError: the type is not a floating type; `seed` is negative.
    Difference from PyTorch: the numbers may round to 1.

    >>> ms.set_seed(11)
    >>> print(ms.ops.rand_like(ms.Tensor([1.0, 2.0])))
    [0.87701   0.8809195]
    """
    kind = kind_of("rand_like", dtype, FLOAT_TYPES, "a float", input.dtype)
    engine = make_engine("mt", next_pair(seed, "rand_like"))
    return drawn(random_draws.uniform_real, input.shape, engine, device=input.device).to(kind)


def _integers(
    op_name: str, low: Any, high: Any, size: Any, seed: Any, kind: torch.dtype, device: Any = None
) -> Tensor:
    for name, value in (("low", low), ("high", high)):
        if type(value) is bool or not isinstance(value, int):
            raise TypeError(
                f"For '{op_name}', '{name}' must be an int, but got '{type(value).__name__}'."
            )
    random_draws.check_int_range(low, high)
    engine = make_engine("mt", next_pair(seed, op_name))
    return drawn(random_draws.uniform_int, size, low, high, engine, device=device).to(kind)


@op(
    cast="never",
    samples=("0, 10, (2, 3)", "-5, 5, (4,), 3, dtype=ms.int32"),
    errors=(
        ("0, 10, 3", ValueError, "tuple"),
        ("0, 10.5, (3,)", TypeError, "must be an int"),
        ("5, 5, (3,)", RuntimeError, "minval < maxval"),
        ("0, 5, (3,), dtype=ms.float32", ValueError, "int type"),
    ),
    differentiable=False,
    tags=("random",),
)
def randint(low: Any, high: Any, size: Any, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw integers, uniform in low .. high - 1.

    Args:
        low (int): the smallest value.
        high (int): one more than the largest value; both within int32.
        size (tuple): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): an integer type, to which the int32 numbers are converted. Default None:
            int64.

    Returns: Tensor of that shape and type.
    Raises TypeError: `low` or `high` is not an int.
    Raises ValueError: `size` is not a tuple or has a negative size; `seed` is negative; `dtype` is
        not an integer type.
    Raises RuntimeError: `high` is not above `low`, or they do not fit int32.
    Difference from PyTorch: `low` is required; bounds must fit int32.

    >>> ms.set_seed(11)
    >>> print(ms.ops.randint(0, 10, (3,)))
    [9 8 4]
    """
    if not isinstance(size, tuple):
        raise ValueError(
            f"For 'randint', the input 'size' must be a tuple, but got {size!r}; write (n,)."
        )
    shape = sizes("randint", size, "size")
    kind = kind_of("randint", dtype, INT_TYPES, "an int", torch.int64)
    return _integers("randint", low, high, shape, seed, kind)


@op(
    cast="never",
    samples=("i(2, 3), 0, 10", "f(4), 0, 5, dtype=ms.int32"),
    errors=(
        ("f(2), 0, 5", ValueError, "int type"),
        ("[1], 0, 5", TypeError, "randint_like"),
        ("i(2), 0.5, 5", TypeError, "must be an int"),
    ),
    differentiable=False,
    tags=("random",),
)
def randint_like(
    input: Tensor, low: Any, high: Any, seed: Any = None, *, dtype: Any = None
) -> Tensor:
    """Draw integers, uniform in low .. high - 1, in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        low (int): the smallest value.
        high (int): one more than the largest value; both within int32.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): an integer type. Default None: that of `input`.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `input` is not a Tensor; `low` or `high` is not an int.
    Raises ValueError: the type is not an integer type; `seed` is negative.
    Raises RuntimeError: `high` is not above `low`, or they do not fit int32.
    Difference from PyTorch: `low` is required; bounds must fit int32.

    >>> ms.set_seed(11)
    >>> print(ms.ops.randint_like(ms.Tensor([1, 2, 3]), 0, 10))
    [9 8 4]
    """
    kind = kind_of("randint_like", dtype, INT_TYPES, "an int", input.dtype)
    return _integers("randint_like", low, high, input.shape, seed, kind, input.device)


# ------------------------------------------------------------------------------------------ normal


@op(
    cast="never",
    samples=(
        "(2, 3), 0.0, 1.0",
        "(2, 3), f(3).float(), p(3).float(), 5",
        "(2, 1), f(3), p(3)",
    ),
    errors=(
        ("[2], 0.0, 1.0", TypeError, "tuple"),
        ("(2,), 'a', 1.0", TypeError, "normal"),
        ("(3,), f(2), 1.0", ValueError, "normal"),
        ("(2,), 0.0, 1.0, -1", ValueError, ">= 0"),
    ),
    differentiable=False,
    tags=("random",),
)
def normal(shape: Any, mean: Tensor | Scalar, stddev: Tensor | Scalar, seed: Any = None) -> Tensor:
    r"""Draw from a normal distribution: :math:`out = z \cdot stddev + mean`, z standard normal.

    Differentiable in `mean` and `stddev`.

    Args:
        shape (tuple): the shape of the result.
        mean (Union[Tensor, int, float]): the mean.
        stddev (Union[Tensor, int, float]): the standard deviation.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of the shape in which `shape` and those of `mean` and `stddev` meet; float32, or
        float64 if one of them is.
    Raises TypeError: `shape` is not a tuple; `mean` or `stddev` is neither Tensor nor number.
    Raises ValueError: the shapes do not broadcast; `seed` is negative.
    Difference from PyTorch: ``torch.normal(mean, std, size)``, whose gradient is zero.

    >>> ms.set_seed(11)
    >>> print(ms.ops.normal((3,), 2.0, 0.5))
    [2.1409512 2.0466826 1.9740863]
    """
    if not isinstance(shape, tuple):
        raise TypeError(
            f"For 'normal', the type of 'shape' must be tuple, but got '{type(shape).__name__}'; "
            "write (n,)."
        )
    size = sizes("normal", shape)
    meeting("normal", size, mean, stddev)
    device = next((v.device for v in (mean, stddev) if isinstance(v, Tensor)), None)
    engine = make_engine("lcg", next_pair(seed, "normal"))
    scaled = drawn(random_draws.standard_normal, size, engine, device=device) * stddev
    scaled, mean = promoted(scaled, mean)
    return scaled + mean


@op(
    cast="never",
    samples=("(2, 3)", "[4], 3"),
    errors=(("(-1,)", ValueError, "standard_normal"), ("'a'", TypeError, "standard_normal")),
    differentiable=False,
    tags=("random",),
)
def standard_normal(shape: Any, seed: Any = None) -> Tensor:
    """Draw standard normal numbers, by Marsaglia's polar method in float32.

    Args:
        shape (Union[tuple, list, Tensor]): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of that shape, float32.
    Raises TypeError: `shape` is not a shape; `seed` is not an int.
    Raises ValueError: a size or `seed` is negative.
    Difference from PyTorch: ``torch.randn``.
    Source: behavior observed in MindSpore 2.10; Marsaglia and Bray 1964.

    >>> ms.set_seed(11)
    >>> print(ms.ops.standard_normal((2,)))
    [0.28190222 0.09336509]
    """
    size = sizes("standard_normal", shape)
    engine = make_engine("lcg", next_pair(seed, "standard_normal"))
    return drawn(random_draws.standard_normal, size, engine)


@op(
    cast="never",
    samples=("2, 3", "(2, 3), dtype=ms.float16", "seed=3"),
    errors=(
        ("2.5", TypeError, "randn"),
        ("-1", ValueError, "randn"),
        ("2, dtype=ms.int32", ValueError, "float type"),
    ),
    differentiable=False,
    tags=("random",),
)
def randn(*size: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draw standard normal numbers.

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): a floating type, to which the float32 numbers are converted. Default None:
            float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of that shape and type.
    Raises TypeError: a size is not an int.
    Raises ValueError: a size or `seed` is negative; `dtype` is not a floating type.
    Difference from PyTorch: ``randn()`` has shape (1,); no `generator` (see ``mint.randn``).

    >>> ms.set_seed(11)
    >>> print(ms.ops.randn(2))
    [0.28190222 0.09336509]
    """
    shape = size_of("randn", size)
    kind = kind_of("randn", dtype, FLOAT_TYPES, "a float", torch.float32)
    engine = make_engine("lcg", next_pair(seed, "randn"))
    return drawn(random_draws.standard_normal, shape, engine).to(kind)


@op(
    cast="never",
    samples=("f(2, 3)", "i(4), dtype=ms.float16", "f(2), 3"),
    errors=(("f(2), dtype=ms.int32", ValueError, "float type"), ("[1.0]", TypeError, "randn_like")),
    differentiable=False,
    tags=("random",),
)
def randn_like(input: Tensor, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw standard normal numbers in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): a floating type. Default None: float32, whatever the type of `input`.

    Returns: Tensor of the shape of `input`.
    Raises ValueError: `dtype` is not a floating type; `seed` is negative.
    Difference from PyTorch: the type of `input` is not taken over.

    >>> ms.set_seed(11)
    >>> print(ms.ops.randn_like(ms.Tensor([1, 2])))
    [0.28190222 0.09336509]
    """
    kind = kind_of("randn_like", dtype, FLOAT_TYPES, "a float", torch.float32)
    engine = make_engine("lcg", next_pair(seed, "randn_like"))
    return drawn(random_draws.standard_normal, input.shape, engine, device=input.device).to(kind)


# ----------------------------------------------------------------------------------------- laplace


@op(
    cast="never",
    samples=("(2, 3)", "[4], 3"),
    errors=(("(-1,)", ValueError, "standard_laplace"), ("2.5", TypeError, "standard_laplace")),
    differentiable=False,
    tags=("random",),
)
def standard_laplace(shape: Any, seed: Any = None) -> Tensor:
    r"""Draw from the Laplace distribution of location 0 and scale 1.

    :math:`out = -sign(u) \log(1 - |u|)` with u uniform in (-1, 1).

    Args:
        shape (Union[tuple, list, Tensor]): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of that shape, float32.
    Raises TypeError: `shape` is not a shape; `seed` is not an int.
    Raises ValueError: a size or `seed` is negative.
    Difference from PyTorch: ``torch.distributions.Laplace(0, 1).sample(shape)``.

    >>> ms.set_seed(11)
    >>> print(ms.ops.standard_laplace((2,)))
    [0.36751375 2.6393256 ]
    """
    size = sizes("standard_laplace", shape)
    engine = make_engine("lcg", next_pair(seed, "standard_laplace"))
    return drawn(random_draws.standard_laplace, size, engine)


@op(
    cast="never",
    samples=("(2, 3), f(3).float(), p(3).float(), 5",),
    errors=(
        ("(2,), 1.0, 2.0", TypeError, "must be a Tensor"),
        ("(2,), i(), i()", TypeError, "not consistent"),
        ("(3,), f(2).float(), f(2).float()", ValueError, "laplace"),
    ),
    differentiable=False,
    tags=("random",),
)
def laplace(shape: Any, mean: Tensor, lambda_param: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from a Laplace distribution: :math:`out = l \cdot lambda\_param + mean`.

    l follows the Laplace distribution of location 0 and scale 1. Differentiable in the tensors.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        mean (Tensor): the location, float32.
        lambda_param (Tensor): the scale, float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of the shape in which the three shapes meet, float32.
    Raises TypeError: `mean` or `lambda_param` is not a Tensor of float32.
    Raises ValueError: the shapes do not broadcast; `seed` is negative.
    Difference from PyTorch: ``torch.distributions.Laplace(mean, scale).rsample(shape)``.

    >>> ms.set_seed(11)
    >>> print(ms.ops.laplace((2,), ms.Tensor(1.0), ms.Tensor(2.0)))
    [1.7350276 6.278651 ]
    """
    _same_type("laplace", torch.float32, mean, lambda_param)
    size = sizes("laplace", shape)
    meeting("laplace", size, mean, lambda_param)
    engine = make_engine("lcg", next_pair(seed, "laplace"))
    return (
        drawn(random_draws.standard_laplace, size, engine, device=mean.device) * (lambda_param)
        + mean
    )


# --------------------------------------------------------------------- methods that have no seed


@op(
    "cauchy",
    function=False,
    method="cauchy",
    cast="never",
    samples=("f(2, 3)", "f(4), 1.0, 2.0"),
    errors=(("f(3), 'a'", TypeError, "median"),),
    differentiable=False,
    tags=("random",),
)
def cauchy(input: Tensor, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
    r"""Draw from a Cauchy distribution, in the shape of a tensor.

    Density :math:`\frac{1}{\pi} \frac{\sigma}{(x - median)^2 + \sigma^2}`.

    Args:
        input (Tensor): gives shape, type and device.
        median (float): the location. Default: 0.0.
        sigma (float): the half-width at half maximum. Default: 1.0.

    Returns: Tensor like `input`.
    Raises TypeError: `median` or `sigma` is not a number.
    Difference from PyTorch: ``torch.empty_like(x).cauchy_(median, sigma)``.
    Source: behavior observed in MindSpore 2.10, which takes entropy whatever the seed; see NOTE
        Entropy.

    >>> ms.Tensor([[1.0, 2.0]]).cauchy().shape
    (1, 2)
    """
    return cauchy_draw("cauchy", input.shape, median, sigma, input.device).to(input.dtype)


def cauchy_draw(
    op_name: str,
    shape: tuple[int, ...],
    median: Any,
    sigma: Any,
    device: torch.device | None = None,
) -> Tensor:
    """Float32 Cauchy numbers of the next seed pair of ``cauchy``.

    Raises:
        TypeError: `median` or `sigma` is not a number.
    """
    number(op_name, "median", median)
    number(op_name, "sigma", sigma)
    engine = make_engine("lcg", next_pair(None, "cauchy"))
    return drawn(random_draws.cauchy, shape, engine, device=device) * sigma + median


@op(
    "log_normal",
    function=False,
    method="log_normal",
    cast="never",
    samples=("f(2, 3)", "f(4), 1.0, 2.0"),
    errors=(("f(3), 'a'", TypeError, "mean"), ("i(3)", TypeError, "float")),
    differentiable=False,
    tags=("random",),
)
def log_normal(input: Tensor, mean: Any = 1.0, std: Any = 2.0) -> Tensor:
    r"""Draw from a log-normal distribution, in the shape of a tensor.

    :math:`out = e^{z \cdot std + mean}` with z standard normal.

    Args:
        input (Tensor): gives shape, type and device; floating.
        mean (float): the mean of the logarithm. Default: 1.0.
        std (float): the standard deviation of the logarithm. Default: 2.0.

    Returns: Tensor like `input`.
    Raises TypeError: `mean` or `std` is not a number; `input` is not floating.
    Difference from PyTorch: ``torch.empty_like(x).log_normal_(mean, std)``.
    Source: behavior observed in MindSpore 2.10, which takes entropy whatever the seed; see NOTE
        Entropy.

    >>> bool((ms.Tensor([[1.0, 2.0]]).log_normal() > 0).all())
    True
    """
    return log_normal_draw("log_normal", input, mean, std)


def log_normal_draw(op_name: str, like: Tensor, mean: Any, std: Any) -> Tensor:
    """Log-normal numbers like a tensor, of the next seed pair of ``log_normal``.

    Raises:
        TypeError: `mean` or `std` is not a number, or the tensor is not floating.
    """
    number(op_name, "mean", mean)
    number(op_name, "std", std)
    if not like.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the tensor must be a float Tensor, but got "
            f"{FROM_TORCH[like.dtype]}; convert it with .astype(ms.float32)."
        )
    engine = make_engine("lcg", next_pair(None, "log_normal"))
    values = drawn(random_draws.standard_normal, like.shape, engine, device=like.device)
    return (values * std + mean).exp().to(like.dtype)
