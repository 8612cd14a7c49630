"""Padding by constants, by reflection and by repetition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, choice, integer, number
from agar.ops.spec import op, primitive

__all__: list[str] = []

# -------------------------------------------------------------------------------- padding


def _flat_pads(op_name: str, padding: Any, rank: int) -> list[int]:
    """Paddings, last dimension first, as a checked list of pairs."""
    if isinstance(padding, Tensor):
        padding = padding.tolist()
    if not isinstance(padding, (tuple, list)) or not all(type(n) is int for n in padding):
        raise TypeError(
            f"For '{op_name}', the paddings value must be tuple of int or list of int, but got "
            f"{padding!r}."
        )
    if len(padding) % 2:
        raise ValueError(
            f"For '{op_name}', the size of padding must be divisible by 2, but got {len(padding)}."
        )
    if len(padding) > 2 * rank:
        raise ValueError(
            f"For '{op_name}', the length of padding must be at most {2 * rank} for an input of "
            f"rank {rank}, but got {len(padding)}."
        )
    return list(padding)


def _check_sizes(op_name: str, x: Tensor, pads: Sequence[int]) -> None:
    for i in range(len(pads) // 2):
        size = x.shape[-1 - i] + pads[2 * i] + pads[2 * i + 1]
        if size < 0 or (size == 0 and x.shape[-1 - i]):
            raise ValueError(
                f"For '{op_name}', the output size must be greater than 0, but the padding "
                f"{tuple(pads)} leaves nothing of dimension {x.dim() - 1 - i} of shape "
                f"{tuple(x.shape)}."
            )


def _mirrored(op_name: str, x: Tensor, pads: Sequence[int], mode: str) -> Tensor:
    """Reflection, edge or wrap padding of any dimensions, one after the other.

    torch has these for the trailing dimensions only.
    """
    for i in range(len(pads) // 2):
        before, after = pads[2 * i], pads[2 * i + 1]
        if before == 0 == after:
            continue
        axis = x.dim() - 1 - i
        size = x.shape[axis]
        most = {"reflect": size - 1, "symmetric": size, "circular": size}.get(mode, math.inf)
        if max(before, after) > most or (size == 0 and max(before, after) > 0):
            raise ValueError(
                f"For '{op_name}' {mode} mode, Padding size must be at most {most} for dimension "
                f"{axis} of size {size}, but got ({before}, {after})."
            )
        x = x.index_select(axis, _sources(size, before, after, mode, x.device))
    return x


def _sources(size: int, before: int, after: int, mode: str, device: torch.device) -> Tensor:
    """Where each element of a padded dimension comes from."""
    places = torch.arange(-before, size + after, device=device)
    if mode == "replicate":
        return places.clamp(0, size - 1)
    if mode == "circular":
        return places.remainder(size)
    # one period of a mirrored dimension: there and back, the ends once or twice
    once = mode == "reflect"
    period = max(2 * size - 2 if once else 2 * size, 1)
    places = places.remainder(period)
    back = (period if once else period - 1) - places
    return torch.where(places < size, places, back)


def _pad(op_name: str, x: Tensor, padding: Any, mode: str, value: Any) -> Tensor:
    pads = _flat_pads(op_name, padding, x.dim())
    choice(op_name, "mode", mode, ("constant", "reflect", "replicate", "circular"))
    if not pads:
        return x
    _check_sizes(op_name, x, pads)
    if mode == "constant":
        if isinstance(value, Tensor):
            value = value.item()
        fill = 0 if value is None else number(op_name, "value", value)
        if not x.is_floating_point() and not x.is_complex():
            fill = int(fill)
        return F.pad(x, pads, value=fill)
    if value is not None:
        raise ValueError(
            f"For '{op_name}', the padding mode '{mode}' can not set value, but got value {value}."
        )
    if mode != "replicate" and min(pads) < 0:
        raise ValueError(
            f"For '{op_name}' {mode} mode, all paddings must be >= 0, but got {tuple(pads)}."
        )
    spatial = len(pads) // 2
    if spatial <= 3 and x.dim() in (spatial + 1, spatial + 2) and x.is_floating_point():
        try:
            return F.pad(x, pads, mode=mode)
        except (RuntimeError, NotImplementedError):
            return _mirrored(op_name, x, pads, mode)
    return _mirrored(op_name, x, pads, mode)


@op(
    samples=(
        "f(2, 3), (1, 2)",
        "f(2, 3), (1, 2, 0, 1), 'constant', 5.0",
        "f(2, 3), (-1, 0)",
        "f(1, 2, 3), (1, 2), 'reflect'",
        "f(2, 3), (1, 1), 'reflect'",
        "f(3, 3), (1, 1, 2, 0), 'reflect'",
        "f(1, 1, 2, 3), (2, 1, 1, 1), 'replicate'",
        "f(1, 2, 3), (1, 1), 'circular'",
        "i(4), (1, 1), 'constant', 7",
    ),
    errors=(
        ("f(2, 3), (1,)", ValueError, "divisible by 2"),
        ("f(2, 3), ((0, 0), (1, 2))", TypeError, "tuple of int or list of int"),
        ("f(2, 3), (1, 1, 1, 1, 1, 1)", ValueError, "at most 4"),
        ("f(2, 3), (1, 1), 'foo'", ValueError, "mode"),
        ("f(1, 2, 3), (1, 1), 'reflect', 2.0", ValueError, "can not set value"),
        ("f(1, 2, 3), (3, 1), 'reflect'", ValueError, "Padding size"),
        ("f(2, 3), (-3, 0)", ValueError, "output size"),
    ),
)
def pad(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Tensor:
    r"""Pad the input, or crop it.

    Args:
        input_x (Tensor): any shape.
        padding (Union[tuple[int], list[int], Tensor]): pairs (before, after), the last dimension
            first. Negative numbers take away, in modes ``constant`` and ``replicate``.
        mode (str): ``constant``; ``reflect`` (mirrored, the border once); ``replicate`` (the
            border's value); ``circular`` (from the other end). Default: ``"constant"``.
        value (Union[int, float]): for mode ``constant``. Default: None, 0.

    Returns: Tensor of the input's dtype.
    Raises TypeError: `padding` is not a sequence of ints.
    Raises ValueError: `padding` is odd or too long, or does not fit the input and mode; or `value`
        with another mode.
    Difference from PyTorch: all modes take any dimensions.

    >>> print(ms.ops.pad(ms.Tensor([[1.0, 2.0]]), (1, 2)))
    [[0. 1. 2. 0. 0.]]
    """
    return _pad("pad", input_x, padding, mode, value)


def _pairs(op_name: str, paddings: Any, rank: int) -> list[int]:
    """Pairs per axis, first axis first, as torch's flat list."""
    if isinstance(paddings, Tensor):
        paddings = paddings.tolist()
    if not isinstance(paddings, (tuple, list)) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in paddings
    ):
        raise ValueError(
            f"For '{op_name}', the shape of 'paddings' must be (n, 2), but got {paddings!r}."
        )
    if len(paddings) != rank:
        raise ValueError(
            f"For '{op_name}', the length of 'paddings' must be equal to the rank of 'input_x', "
            f"but got {len(paddings)} vs {rank}."
        )
    if any(n < 0 for pair in paddings for n in pair):
        raise ValueError(
            f"For '{op_name}', all elements of 'paddings' must be >= 0, but got {paddings}."
        )
    return [int(n) for pair in reversed(paddings) for n in pair]


@primitive(
    "Pad",
    samples=("f(2, 3), paddings=((1, 2), (0, 1))",),
    errors=(
        ("f(2, 3), paddings=((1, 2),)", ValueError, "equal to the rank"),
        ("f(2, 3), paddings=((1, 2), (-1, 0))", ValueError, ">= 0"),
    ),
    reference="np.pad(input_x, paddings)",
)
def _pad_primitive(input_x: Tensor, *, paddings: Any) -> Tensor:
    """Pad the input with zeros.

    Args:
        input_x (Tensor): any shape.
        paddings (tuple): a pair (before, after) for every axis, the first axis first.

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input.
    Difference from PyTorch: ``torch.nn.functional.pad`` takes the last dimension first.

    >>> print(ms.ops.Pad(((0, 0), (1, 0)))(ms.Tensor([[1.0, 2.0]])))
    [[0. 1. 2.]]
    """
    return F.pad(input_x, _pairs("Pad", paddings, input_x.dim()))


def _mirror_pad(op_name: str, input_x: Tensor, paddings: Any, mode: str) -> Tensor:
    choice(op_name, "mode", mode, ("REFLECT", "SYMMETRIC"))
    return _mirrored(op_name, input_x, _pairs(op_name, paddings, input_x.dim()), mode.lower())


def _check_mirror(prim: Any) -> None:
    choice("MirrorPad", "mode", prim.mode, ("REFLECT", "SYMMETRIC"))


@op(
    primitive="MirrorPad(mode='REFLECT')",
    setup=_check_mirror,
    samples=("f(2, 3), [[1, 1], [2, 1]], 'REFLECT'", "f(2, 3), [[1, 2], [3, 1]], 'SYMMETRIC'"),
    errors=(
        ("f(2, 3), [[2, 1], [2, 1]], 'REFLECT'", ValueError, "Padding size"),
        ("f(2, 3), [[1, 1], [2, 1]], 'foo'", ValueError, "mode"),
    ),
    reference="np.pad(input_x, paddings, mode.lower())",
)
def mirror_pad(
    input_x: Tensor, paddings: Any, mode: str, *, _op_name: str = "mirror_pad"
) -> Tensor:
    r"""Mirror the input at its borders.

    Args:
        input_x (Tensor): any shape.
        paddings (Tensor): a pair (before, after) for every axis, shape (rank, 2).
        mode (str): ``REFLECT`` (the border once) or ``SYMMETRIC`` (the border twice).

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input, or an unknown mode.
    Difference from PyTorch: ``pad(mode="reflect")`` takes the last dimensions only.

    >>> x, pads = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[2, 0]])
    >>> print(ms.ops.mirror_pad(x, pads, "REFLECT"), ms.ops.mirror_pad(x, pads, "SYMMETRIC"))
    [3. 2. 1. 2. 3.] [2. 1. 1. 2. 3.]
    """
    return _mirror_pad(_op_name, input_x, paddings, mode)


@primitive(
    "PadV3",
    samples=(
        "f(1, 1, 3), [1, 1], 5.0",
        "f(1, 1, 3), [1, 1], None, mode='reflect'",
        "f(1, 2, 3), [1, 1], None, mode='edge'",
        "f(2, 3), [1, 0, 2, 1], 0.0, paddings_contiguous=False",
    ),
    errors=(("f(1, 1, 3), [1, 1], None, mode='foo'", ValueError, "mode"),),
)
def _pad_v3(
    x: Tensor,
    paddings: Any,
    constant_value: Any = None,
    *,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> Tensor:
    """Pad the input; see ``ops.pad``.

    Args:
        x (Tensor): any shape.
        paddings (Union[Tensor, tuple[int]]): pairs (before, after), the last dimension first.
        constant_value (Union[Tensor, int, float]): for mode ``constant``. Default: None, 0.
        mode (str): ``constant``, ``reflect``, ``edge`` or ``circular``. Default: ``"constant"``.
        paddings_contiguous (bool): whether the two numbers of a pair are neighbors; otherwise all
            of the befores precede the afters. Default: True.

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input, or an unknown mode.
    Difference from PyTorch: see ``ops.pad``.

    >>> print(ms.ops.PadV3()(ms.Tensor([1.0]), ms.Tensor([1, 1]), ms.Tensor(5.0)))
    [5. 1. 5.]
    """
    choice("PadV3", "mode", mode, ("constant", "reflect", "edge", "circular"))
    pads = _flat_pads("PadV3", paddings, x.dim())
    if not boolean("PadV3", "paddings_contiguous", paddings_contiguous):
        half = len(pads) // 2
        pads = [n for pair in zip(pads[:half], pads[half:], strict=True) for n in pair]
    return _pad("PadV3", x, pads, "replicate" if mode == "edge" else mode, constant_value)


@op(
    primitive="Padding(pad_dim_size)",
    samples=("f(2, 1), 4", "f(2, 3, 1)"),
    errors=(
        ("f(2, 2), 4", ValueError, "last dimension"),
        ("f(2, 1), 0", ValueError, "pad_dim_size"),
    ),
)
def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    r"""Fill the last dimension, of size 1, with zeros up to a size.

    Args:
        x (Tensor): last dimension of size 1.
        pad_dim_size (int): the new size. Default: 8.

    Returns: Tensor of the input's dtype.
    Raises ValueError: the last dimension is not 1, or `pad_dim_size` not positive.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.padding(ms.Tensor([[5.0]]), 3))
    [[5. 0. 0.]]
    """
    integer("padding", "pad_dim_size", pad_dim_size, 1)
    if x.dim() < 2 or x.shape[-1] != 1:
        raise ValueError(
            "For 'padding', the input's rank must be at least 2 and its last dimension 1, but got "
            f"shape {tuple(x.shape)}."
        )
    return F.pad(x, (0, pad_dim_size - 1))
