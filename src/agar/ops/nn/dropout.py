"""Dropout of elements and of channels.

NOTE Which numbers. A function takes a fresh seed pair at every call; a layer or Primitive keeps a
stream per shape and type of its input (see ``agar._core.random``).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import precision, random
from agar._core.optable import lookup
from agar._core.random import draws as random_draws
from agar.ops._checks import boolean, number
from agar.ops._layers import layer_binding
from agar.ops.spec import op, primitive

__all__ = ["channel_dropout_layer", "dropout_layer"]


def _needs_float(op_name: str, x: Tensor) -> None:
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input must be a floating-point Tensor, but got dtype "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
        )


def _needs_number(op_name: str, x: Tensor) -> None:
    """Channel dropouts take integers too: they round toward zero what is scaled."""
    if x.dtype is torch.bool or x.is_complex():
        raise TypeError(
            f"For '{op_name}', the input must be a real Tensor of numbers, but got dtype "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
        )


def _in_scope(name: str, x: Tensor) -> Tensor:
    """The input in the type of the precision scope, for functions that may return it as it is."""
    scope = precision.current()
    dtype = None if scope is None else scope.target(lookup("function", name), [x])
    return x if dtype is None or not x.is_floating_point() else x.to(dtype)


def signature(x: Tensor) -> tuple[Any, ...]:
    """What a stream tells inputs apart by."""
    return tuple(x.shape), x.dtype


@op(
    samples=("f(3, 4)", "f(3, 4), 0.3, True, 5", "f(3, 4), 0.3, False", "f(3, 4), 0.0"),
    errors=(
        ("i(3)", TypeError, "floating-point"),
        ("f(3), 1.0", RuntimeError, "'p' must be in [0, 1)"),
        ("f(3), -0.1", RuntimeError, "'p' must be in [0, 1)"),
        ("f(3), 'a'", TypeError, "'p'"),
        ("f(3), 0.5, 'a'", TypeError, "training"),
        ("f(3), 0.5, True, -1", ValueError, "seed"),
    ),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    cast="never",  # what is not dropped is returned as it is
)
def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None
) -> Tensor:
    r"""Set elements to zero with probability p and scale the others by :math:`1 / (1 - p)`.

    Args:
        input (Tensor): floating point, any shape.
        p (float): probability of zero, in [0, 1). Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.
        seed (int): fixes the numbers, with ``set_seed``. Default: None.

    Raises TypeError: the input is not a floating-point Tensor, or an argument of a wrong type.
    Raises RuntimeError: `p` is out of range.
    Raises ValueError: `seed` is negative.
    Difference from PyTorch: other random numbers; `seed`; p = 1 is an error.
    Source: Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
        Overfitting".

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.dropout(x, 0.5, training=False))
    [1. 2.]
    """
    if not boolean("dropout", "training", training):
        return input
    input = _in_scope("dropout", input)
    if not 0 <= number("dropout", "p", p) < 1:
        raise RuntimeError(f"For 'dropout', 'p' must be in [0, 1), but got {p}.")
    _needs_float("dropout", input)
    engine = random.make_engine("lcg", random.next_pair(seed, "dropout"))
    return random_draws.dropout(input, 1.0 - p, engine)[0]


def _dropout_of(x: Tensor, keep_prob: float, stream: random.Stream) -> Tensor:
    if not x.is_floating_point():
        _needs_float("Dropout", x)
    return random_draws.dropout(x, keep_prob, stream.engine("lcg", signature(x)))[0]


#: ``dropout_layer(x, keep_prob, stream)``.
dropout_layer = layer_binding("Dropout", _dropout_of, "Dropout")


def _channels(
    op_name: str, primitive: str, x: Tensor, keep_prob: float, source: random.Stream | None
) -> Tensor:
    _needs_number(op_name, x)
    engine = random.channel_dropout_engine(primitive, keep_prob, signature(x), source)
    return random_draws.dropout_channels(x, keep_prob, engine)[0]


def _one_dimension(
    op_name: str, x: Tensor, keep_prob: float, source: random.Stream | None
) -> Tensor:
    if x.dim() not in (2, 3):
        raise ValueError(
            f"For '{op_name}', input shape should be 2D or 3D, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    planes = x.unsqueeze(-1) if x.dim() == 3 else x[None, :, :, None]
    return _channels(op_name, "Dropout2D", planes, keep_prob, source).view(x.shape)


def _several_dimensions(
    op_name: str, count: int, x: Tensor, keep_prob: float, source: random.Stream | None
) -> Tensor:
    if x.dim() != count + 2:
        raise ValueError(
            f"For '{op_name}', the rank of input must be equal to {count + 2}, but got {x.dim()} "
            f"(shape {tuple(x.shape)})."
        )
    return _channels(op_name, f"Dropout{count}D", x, keep_prob, source)


def _checked_probability(op_name: str, p: Any) -> float:
    if not 0 <= number(op_name, "p", p) <= 1:
        raise ValueError(f"For '{op_name}', the 'p' must be a number in range [0, 1], but got {p}.")
    return 1.0 - p


def _by_channel(x: Tensor, count: int, keep_prob: float, stream: random.Stream) -> Tensor:
    op_name = f"Dropout{count}d"
    if count == 1:
        return _one_dimension(op_name, x, keep_prob, stream)
    return _several_dimensions(op_name, count, x, keep_prob, stream)


#: ``channel_dropout_layer(x, count of dimensions, keep_prob, stream)``.
channel_dropout_layer = layer_binding("Dropout2d", _by_channel, "Dropout2D")


@op(
    samples=("f(2, 3, 4)", "f(3, 4), 0.3", "f(2, 3, 4), 0.3, False"),
    errors=(
        ("f(2, 3, 4, 5)", ValueError, "2D or 3D"),
        ("f(2, 3), 1.5", ValueError, "[0, 1]"),
        ("b(2, 3)", TypeError, "real"),
    ),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    cast="never",  # what is not dropped is returned as it is
)
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    r"""Set whole channels of sequences to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, L)` or :math:`(C, L)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Raises TypeError: the input is not a Tensor of real numbers, or `p` is not a number.
    Raises ValueError: the rank is wrong, or `p` is out of range.
    Difference from PyTorch: other random numbers.
    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    >>> print(ms.ops.dropout1d(ms.Tensor([[1.0, 2.0]]), 1.0))
    [[0. 0.]]
    """
    keep_prob = _checked_probability("dropout1d", p)
    if not training:
        return input
    return _one_dimension("dropout1d", _in_scope("dropout1d", input), keep_prob, None)


@op(
    samples=("f(2, 3, 4, 4)", "f(2, 3, 4, 4), 0.3", "f(2, 3, 4, 4), 0.3, False"),
    errors=(
        ("f(2, 3, 4)", ValueError, "rank of input must be equal to 4"),
        ("f(2, 3, 4, 4), 1.5", ValueError, "[0, 1]"),
        ("f(2, 3, 4, 4), 'a'", TypeError, "'p'"),
    ),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    cast="never",  # what is not dropped is returned as it is
)
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    r"""Set whole channels of images to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, H, W)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Raises TypeError: the input is not a Tensor of real numbers, or `p` is not a number.
    Raises ValueError: the rank is wrong, or `p` is out of range.
    Difference from PyTorch: other random numbers; the input has a batch dimension.
    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    >>> print(ms.ops.dropout2d(ms.ops.ones((1, 1, 1, 2)), 1.0))
    [[[[0. 0.]]]]
    """
    keep_prob = _checked_probability("dropout2d", p)
    if not training:
        return input
    return _several_dimensions("dropout2d", 2, _in_scope("dropout2d", input), keep_prob, None)


@op(
    samples=("f(2, 3, 2, 2, 2)", "f(2, 3, 2, 2, 2), 0.3, False"),
    errors=(("f(2, 3, 4, 4)", ValueError, "rank of input must be equal to 5"),),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    cast="never",  # what is not dropped is returned as it is
)
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    r"""Set whole channels of volumes to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, D, H, W)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Raises TypeError: the input is not a Tensor of real numbers, or `p` is not a number.
    Raises ValueError: the rank is wrong, or `p` is out of range.
    Difference from PyTorch: other random numbers; the input has a batch dimension.
    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    >>> print(ms.ops.dropout3d(ms.ops.ones((1, 1, 1, 1, 2)), 1.0))
    [[[[[0. 0.]]]]]
    """
    keep_prob = _checked_probability("dropout3d", p)
    if not training:
        return input
    return _several_dimensions("dropout3d", 3, _in_scope("dropout3d", input), keep_prob, None)


# ------------------------------------------------------------------------------ primitives


def _open_stream(prim: Any) -> random.Stream:
    number("Dropout", "keep_prob", prim.keep_prob)
    return random.Stream(prim.Seed0, prim.Seed1, "Dropout")


@primitive(
    "Dropout",
    samples=("f(3, 4), keep_prob=0.5, Seed0=1, Seed1=2", "f(3, 4), keep_prob=1.0"),
    errors=(
        ("i(3), keep_prob=0.5", TypeError, "floating-point"),
        ("f(3), keep_prob=1.5", RuntimeError, "keep_prob"),
    ),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    setup=_open_stream,
)
def _dropout_primitive(
    x: Tensor, *, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0, _state: Any = None
) -> tuple[Tensor, Tensor]:
    """Set elements to zero at random, scale the others, and return the mask too.

    Args:
        x (Tensor): floating point, any shape.
        keep_prob (float): share of elements that is kept, in (0, 1]. Default: 0.5.
        Seed0 (int): first number of the seed pair. Default: 0; with two zeros the numbers are not
            reproducible.
        Seed1 (int): second number of the seed pair. Default: 0.

    Returns: Pair of the output and the mask of ones and zeros, in the input's dtype.
    Raises TypeError: the input is not a floating-point Tensor.
    Raises RuntimeError: `keep_prob` is out of range.
    Difference from PyTorch: ``torch.nn.functional.dropout`` is a function of the share that is
        dropped, with other random numbers.

    >>> out, mask = ms.ops.Dropout(keep_prob=1.0)(ms.Tensor([1.0, 2.0]))
    >>> print(out, mask)
    [1. 2.] [1. 1.]
    """
    _needs_float("Dropout", x)
    out, keep = random_draws.dropout(x, keep_prob, _state.engine("lcg", signature(x)))
    return out, keep.to(x.dtype)


def _check_channel_keep(prim: Any) -> None:
    if not 0 <= number(prim.name, "keep_prob", prim.keep_prob) <= 1:
        raise ValueError(
            f"For '{prim.name}', the 'keep_prob' must be in range of [0.0, 1.0], but got "
            f"{prim.keep_prob}."
        )


def _channel_stream(prim: Any) -> random.Stream:
    _check_channel_keep(prim)
    return random.Stream(*random.next_pair(0, prim.name), prim.name)


def _channel_primitive(
    op_name: str, count: int, x: Tensor, keep_prob: float, stream: Any
) -> tuple[Tensor, Tensor]:
    if x.dim() != count + 2:
        raise ValueError(
            f"For '{op_name}', the rank of input must be equal to {count + 2}, but got {x.dim()} "
            f"(shape {tuple(x.shape)})."
        )
    _needs_number(op_name, x)
    engine = random.channel_dropout_engine(op_name, keep_prob, signature(x), stream)
    return random_draws.dropout_channels(x, keep_prob, engine)


@primitive(
    "Dropout2D",
    samples=("f(2, 3, 4, 4), keep_prob=0.5",),
    errors=(
        ("f(2, 3, 4), keep_prob=0.5", ValueError, "rank"),
        ("f(2, 3, 4, 4), keep_prob=1.5", ValueError, "keep_prob"),
    ),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    setup=_channel_stream,
)
def _dropout2d_primitive(
    x: Tensor, *, keep_prob: float = 0.5, _state: Any = None
) -> tuple[Tensor, Tensor]:
    """Set channels of images to zero at random, scale the others, and return the mask too.

    Args:
        x (Tensor): floating point, shape (N, C, H, W).
        keep_prob (float): share of channels that is kept, in [0, 1]. Default: 0.5.

    Returns: Pair of the output and the bool mask, both of the input's shape.
    Raises ValueError: a wrong rank, or `keep_prob` out of range.
    Raises TypeError: the input is not a Tensor of real numbers.
    Difference from PyTorch: ``torch.nn.functional.dropout2d`` is a function of the share that is
        dropped, with other random numbers.
    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    >>> ms.ops.Dropout2D(1.0)(ms.ops.ones((1, 2, 3, 3)))[1].shape
    (1, 2, 3, 3)
    """
    return _channel_primitive("Dropout2D", 2, x, keep_prob, _state)


@primitive(
    "Dropout3D",
    samples=("f(2, 3, 2, 2, 2), keep_prob=0.5",),
    errors=(("f(2, 3, 4, 4), keep_prob=0.5", ValueError, "rank"),),
    differentiable=False,  # every call draws another mask
    tags=("random",),
    setup=_channel_stream,
)
def _dropout3d_primitive(
    x: Tensor, *, keep_prob: float = 0.5, _state: Any = None
) -> tuple[Tensor, Tensor]:
    """Set channels of volumes to zero at random, scale the others, and return the mask too.

    Args:
        x (Tensor): floating point, shape (N, C, D, H, W).
        keep_prob (float): share of channels that is kept, in [0, 1]. Default: 0.5.

    Returns: Pair of the output and the bool mask, both of the input's shape.
    Raises ValueError: a wrong rank, or `keep_prob` out of range.
    Raises TypeError: the input is not a Tensor of real numbers.
    Difference from PyTorch: ``torch.nn.functional.dropout3d`` is a function of the share that is
        dropped, with other random numbers.
    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    >>> ms.ops.Dropout3D(1.0)(ms.ops.ones((1, 2, 3, 3, 3)))[1].shape
    (1, 2, 3, 3, 3)
    """
    return _channel_primitive("Dropout3D", 3, x, keep_prob, _state)
