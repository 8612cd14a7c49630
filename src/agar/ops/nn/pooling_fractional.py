"""Fractional pooling over sequences of boundaries, channels last.

NOTE Boundaries. An axis of n pixels gets m = floor(n / ratio) windows, of k or k + 1 pixels where k
= floor(n / m), in random order; or pseudo-random ones, that begin at the ceilings of
:math:`(n / m)(i + u)`, u being random. Windows that overlap share the pixel at their boundary.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.random import Stream, make_engine
from agar._core.random import draws as random_draws
from agar.ops._checks import boolean, integer
from agar.ops.random.distributions import drawn, own_pair
from agar.ops.spec import primitive

__all__ = ["pooled"]

_TYPES = (torch.float32, torch.float64, torch.int32, torch.int64)


def _stream(instance: Any) -> Stream:
    op_name, ratio = instance.name, instance.pooling_ratio
    if not isinstance(ratio, list):
        raise TypeError(
            f"For '{op_name}', the type of 'pooling_ratio' must be list, but got "
            f"'{type(ratio).__name__}'."
        )
    for item in ratio:
        if not isinstance(item, float):
            raise TypeError(
                f"For '{op_name}', the elements of 'pooling_ratio' must be float, but got {item!r}."
            )
    if len(ratio) != 4 or ratio[0] != 1.0 or ratio[3] != 1.0 or min(ratio) < 1:
        raise ValueError(
            f"For '{op_name}', 'pooling_ratio' must be [1.0, rows, columns, 1.0] with numbers >= "
            f"1.0, but got {ratio}."
        )
    for name in ("pseudo_random", "overlapping", "deterministic"):
        boolean(op_name, name, getattr(instance, name))
    for name in ("seed", "seed2"):
        integer(op_name, name, getattr(instance, name))
    # a deterministic object without seeds must not take the next pair of its name
    pair = (1, 1) if instance.deterministic and not (instance.seed or instance.seed2) else None
    return Stream(*(pair or own_pair(instance.seed, instance.seed2, op_name)), op_name)


def _boundaries(size: int, count: int, pseudo: bool, engine: Any) -> np.ndarray:
    """Where the windows of an axis begin, and its end (NOTE Boundaries)."""
    width = size // count
    if size == width * count:
        return np.arange(count + 1, dtype=np.int64) * width
    if pseudo:
        alpha = size / count
        most = min((width + 2) / alpha - 1, (size + 1 - width) / alpha - (count - 1))
        shift = float(random_draws.uniform_real((1,), engine)[0]) * most
        inner = [math.ceil(alpha * (i + shift)) - 1 for i in range(1, count)]
        return np.array([0, *inner, size], dtype=np.int64)
    widths = np.full(count, width, dtype=np.int64)
    # the order of random numbers is a random order
    order = np.argsort(random_draws.uniform_real((count,), engine), kind="stable")
    widths[order[: size - width * count]] += 1
    return np.concatenate(([0], np.cumsum(widths)))


def _same_boundaries(size: int, count: int, pseudo: bool, pair: tuple[int, int]) -> np.ndarray:
    """As `_boundaries`, equal at every call, also at the replays of a recording."""
    return _boundaries(size, count, pseudo, make_engine("mt", pair))


def _windows(bounds: Tensor, size: int, overlapping: bool) -> tuple[Tensor, Tensor]:
    """The pixels of each window, padded with its first one, and which of them count."""
    starts, ends = bounds[:-1], bounds[1:]
    if overlapping:
        ends = (ends + 1).clamp(max=size)
    longest = int((ends - starts).max())
    places = starts[:, None] + torch.arange(longest, device=bounds.device)
    inside = places < ends[:, None]
    return torch.where(inside, places, starts[:, None]), inside


def pooled(x: Tensor, rows: Tensor, columns: Tensor, overlapping: bool, kind: str) -> Tensor:
    """Maxima or means of windows between boundaries of rows and columns (NHWC)."""
    row, row_in = _windows(rows, x.shape[1], overlapping)
    column, column_in = _windows(columns, x.shape[2], overlapping)
    # axes: batch, window, pixel of the window, and the same for columns, channel
    seen = x[:, row[:, :, None, None], column]
    if kind == "max":  # padded places repeat a pixel of the window
        return seen.amax((2, 4))
    counts = (row_in[:, :, None, None] & column_in)[..., None]
    total = torch.where(counts, seen, torch.zeros_like(seen)).sum((2, 4))
    many = counts.sum((1, 3)).to(total.dtype)
    if x.is_floating_point():
        return total / many
    return torch.div(total, many, rounding_mode="trunc").to(x.dtype)


def _pool(kind: str, x: Tensor, options: dict[str, Any], stream: Stream) -> tuple[Tensor, ...]:
    op_name = f"Fractional{kind.capitalize()}Pool"
    if x.dtype not in _TYPES:
        raise TypeError(
            f"For '{op_name}', 'x' must be float32, float64, int32 or int64, but got "
            f"{FROM_TORCH[x.dtype]}."
        )
    if x.ndim != 4 or x.numel() == 0:
        raise ValueError(
            f"For '{op_name}', 'x' must have shape (N, H, W, C) and elements, but got "
            f"{list(x.shape)}."
        )
    bounds: list[Tensor] = []
    for axis in (1, 2):
        size = x.shape[axis]
        count = int(size / options["pooling_ratio"][axis])
        if count < 1:
            raise ValueError(
                f"For '{op_name}', an axis of {size} pixels is too short for the ratio "
                f"{options['pooling_ratio'][axis]}."
            )
        if options["deterministic"]:
            rule, source = _same_boundaries, stream.pair
        else:
            rule, source = _boundaries, stream.engine("mt", (axis, size, count))
        bounds.append(drawn(rule, size, count, options["pseudo_random"], source, device=x.device))
    rows, columns = bounds
    return pooled(x, rows, columns, options["overlapping"], kind), rows, columns


_DOC = """{what} of windows whose sizes are not all equal (see the note on boundaries).

    Args:
        pooling_ratio (list[float]): [1.0, rows, columns, 1.0], how many pixels a window has on
            average; at least 1.0.
        pseudo_random (bool): whether the boundaries are pseudo-random. Default: False.
        overlapping (bool): whether windows share the pixels at their boundaries. Default: False.
        deterministic (bool): whether every call takes the same boundaries. Default: False.
        seed (int): first number of the seed. Default: 0.
        seed2 (int): second number of the seed. Default: 0.
        x (Tensor): shape :math:`(N, H, W, C)`: float32, float64, int32 or int64.

    Outputs:
        Tuple of the {words}, shape :math:`(N, H_{{out}}, W_{{out}}, C)`, and the boundaries of
        rows and columns, int64.

    Raises:
        TypeError: a type does not fit.
        ValueError: `x` or `pooling_ratio` does not fit.

    Difference from PyTorch: ``torch.nn.FractionalMaxPool2d`` has windows of one size at random
    places, and channels first.

    Source: behavior observed in MindSpore 2.10; the random numbers are agar's own.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0, 3.0, 4.0]]).reshape(1, 1, 4, 1)
        >>> y, rows, columns = ms.ops.{name}([1.0, 1.0, 1.5, 1.0])(x)
        >>> print(y.reshape(-1), rows, columns)
        {shown} [0 1] [0 2 4]
    """


def _declare(kind: str, what: str, words: str, shown: str) -> None:
    name = f"Fractional{kind.capitalize()}Pool"

    def impl(
        x: Tensor,
        *,
        pooling_ratio: Any,
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
        _state: Stream,
    ) -> tuple[Tensor, ...]:
        options = {
            "pooling_ratio": pooling_ratio,
            "pseudo_random": pseudo_random,
            "overlapping": overlapping,
            "deterministic": deterministic,
        }
        return _pool(kind, x, options, _state)

    impl.__name__ = f"_fractional_{kind}_pool"
    impl.__doc__ = _DOC.format(name=name, what=what, words=words, shown=shown)
    primitive(
        name,
        samples=(
            "f(1, 4, 6, 2), pooling_ratio=[1.0, 2.0, 1.5, 1.0], deterministic=True,"
            " overlapping=True",
            "f(2, 5, 7, 1), pooling_ratio=[1.0, 1.4, 1.6, 1.0], pseudo_random=True, seed=3",
        ),
        errors=(
            ("f(4, 4, 1), pooling_ratio=[1.0, 1.5, 1.5, 1.0]", ValueError, "'x'"),
            ("b(1, 4, 4, 1), pooling_ratio=[1.0, 1.5, 1.5, 1.0]", TypeError, "'x'"),
            ("f(1, 4, 4, 1), pooling_ratio=[2.0, 1.5, 1.5, 1.0]", ValueError, "pooling_ratio"),
            ("f(1, 4, 4, 1), pooling_ratio=(1.0, 1.5, 1.5, 1.0)", TypeError, "pooling_ratio"),
        ),
        tags=("random",),
        differentiable=False,
        cast="never",
        setup=_stream,
    )(impl)


_declare("max", "Maxima", "maxima", "[2. 4.]")
_declare("avg", "Means", "means", "[1.5 3.5]")
