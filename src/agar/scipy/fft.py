"""Cosine transforms."""

from __future__ import annotations

import math
from typing import Any

# These are implementations on the engine's tensors, as the operators' are.
import torch
from torch import Tensor  # what annotations of a binding mean

from agar._core.dtype import FROM_TORCH
from agar.scipy._declare import binding

__all__ = ["dct", "dctn", "idct", "idctn"]

_KINDS = {
    torch.int16: torch.float32,
    torch.int32: torch.float32,
    torch.int64: torch.float32,
    torch.float16: torch.float32,
    torch.float32: torch.float32,
    torch.float64: torch.float64,
    torch.complex64: torch.complex64,
    torch.complex128: torch.complex128,
}


@binding("fft")
def dct(x: Tensor, type: int = 2, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    r"""The cosine transform of a signal.

    .. math::
        out_k = s_k \sum_{i=0}^{n-1} x_i \cos\left(\frac{\pi k (2 i + 1)}{2 n}\right), \quad
        s_0 = \sqrt{1 / n}, \; s_k = \sqrt{2 / n}

    Args:
        x (Tensor): the signal: int16, int32, int64, float16, float32, float64, complex64 or
            complex128.
        type (int): the kind of the transform; 2 is the one there is. Default: ``2``.
        n (int): the length along `axis`, which is cut or filled up with zeros; None leaves it.
            Default: ``None``.
        axis (int): the axis. Default: ``-1``.
        norm (str): ``"ortho"`` or None, which is the same. Default: ``None``.

    Returns:
        Tensor of the shape of `x` with `n` along `axis`; float32 for integers and float16.

    Raises:
        TypeError: `x` is of another type, or `n` or `axis` is not an int.
        ValueError: `type`, `norm`, `axis` or `n` is none of those.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10; Makhoul (1980), A fast cosine transform in one
    and two dimensions.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.fft.dct(ms.Tensor([1.0, 2.0, 4.0, 1.0])).asnumpy().round(4))
        [ 4.     -0.5412 -2.      1.3066]
    """
    _check_mode("dct", type, norm)
    return _along("dct", _forward, _number("dct", x), (axis,), None if n is None else (n,))


@binding("fft")
def idct(x: Tensor, type: int = 2, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    """The inverse of :func:`dct`.

    Args:
        x (Tensor): the transform, of the types that `dct` takes.
        type (int): the kind of the transform; 2 is the one there is. Default: ``2``.
        n (int): the length along `axis`, which is cut or filled up with zeros; None leaves it.
            Default: ``None``.
        axis (int): the axis. Default: ``-1``.
        norm (str): ``"ortho"`` or None, which is the same. Default: ``None``.

    Returns:
        Tensor of the shape of `x` with `n` along `axis`; float32 for integers and float16.

    Raises:
        TypeError: `x` is of another type, or `n` or `axis` is not an int.
        ValueError: `type`, `norm`, `axis` or `n` is none of those.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([1.0, 2.0, 4.0])
        >>> print(ms.scipy.fft.idct(ms.scipy.fft.dct(x)).asnumpy().round(4))
        [1. 2. 4.]
    """
    _check_mode("idct", type, norm)
    return _along("idct", _backward, _number("idct", x), (axis,), None if n is None else (n,))


@binding("fft")
def dctn(x: Tensor, type: int = 2, s: Any = None, axes: Any = None, norm: Any = None) -> Tensor:
    """:func:`dct` along several axes.

    Args:
        x (Tensor): the signal, of the types that `dct` takes.
        type (int): the kind of the transform; 2 is the one there is. Default: ``2``.
        s (tuple[int]): the lengths along the axes; None leaves them. Default: ``None``.
        axes (tuple[int]): the axes; None takes the last ``len(s)``, or all. Default: ``None``.
        norm (str): ``"ortho"`` or None, which is the same. Default: ``None``.

    Returns:
        Tensor of the shape of `x` with `s` along `axes`; float32 for integers and float16.

    Raises:
        TypeError: `x` is of another type, or `s` or `axes` is not a tuple of ints.
        ValueError: `type`, `norm`, `axes` or `s` is none of those, or an axis stands twice.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.fft.dctn(ms.Tensor([[1.0, 1.0], [1.0, 1.0]])).asnumpy().round(4) + 0.0)
        [[2. 0.]
         [0. 0.]]
    """
    _check_mode("dctn", type, norm)
    return _along("dctn", _forward, _number("dctn", x), *_axes(x, s, axes))


@binding("fft")
def idctn(x: Tensor, type: int = 2, s: Any = None, axes: Any = None, norm: Any = None) -> Tensor:
    """The inverse of :func:`dctn`.

    Args:
        x (Tensor): the transform, of the types that `dct` takes.
        type (int): the kind of the transform; 2 is the one there is. Default: ``2``.
        s (tuple[int]): the lengths along the axes; None leaves them. Default: ``None``.
        axes (tuple[int]): the axes; None takes the last ``len(s)``, or all. Default: ``None``.
        norm (str): ``"ortho"`` or None, which is the same. Default: ``None``.

    Returns:
        Tensor of the shape of `x` with `s` along `axes`; float32 for integers and float16.

    Raises:
        TypeError: `x` is of another type, or `s` or `axes` is not a tuple of ints.
        ValueError: `type`, `norm`, `axes` or `s` is none of those, or an axis stands twice.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.fft.idctn(ms.Tensor([[2.0, 0.0], [0.0, 0.0]])).asnumpy().round(4))
        [[1. 1.]
         [1. 1.]]
    """
    _check_mode("idctn", type, norm)
    return _along("idctn", _backward, _number("idctn", x), *_axes(x, s, axes))


def _check_mode(op_name: str, kind: Any, norm: Any) -> None:
    if kind != 2:
        raise ValueError(f"For '{op_name}', only type 2 is supported, but got {kind!r}.")
    if norm not in (None, "ortho"):
        raise ValueError(f"For '{op_name}', only norm \"ortho\" is supported, but got {norm!r}.")


def _number(op_name: str, x: Tensor) -> Tensor:
    """The signal in the type of the result."""
    kind = _KINDS.get(x.dtype)
    if kind is None:
        raise TypeError(
            f"For '{op_name}', the type of 'x' must be one of int16, int32, int64, float16, "
            f"float32, float64, complex64 and complex128, but got {FROM_TORCH[x.dtype]}."
        )
    return x.to(kind)


def _axes(x: Tensor, s: Any, axes: Any) -> tuple[Any, Any]:
    """The axes and the lengths of a transform along several."""
    if axes is None:
        count = x.ndim if s is None else len(s)
        axes = tuple(range(-count, 0))
    return tuple(axes), None if s is None else tuple(s)


def _along(op_name: str, transform: Any, x: Tensor, axes: Any, lengths: Any) -> Tensor:
    """Transform along the axes in turn, each cut or filled up to its length."""
    for value in (*axes, *(lengths or ())):
        if type(value) is not int:
            raise TypeError(f"For '{op_name}', axes and lengths must be int, but got {value!r}.")
    if lengths is not None and len(lengths) != len(axes):
        raise ValueError(
            f"For '{op_name}', there must be one length for each axis, but got {lengths} for "
            f"{axes}."
        )
    if x.ndim == 0:
        raise ValueError(f"For '{op_name}', 'x' must have at least one axis, but got a 0-d tensor.")
    for axis in axes:
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(
                f"For '{op_name}', an axis must be in [{-x.ndim},{x.ndim}), but got {axis}."
            )
    places = [axis % x.ndim for axis in axes]
    if len(set(places)) != len(places):
        raise ValueError(f"For '{op_name}', the axes must differ, but got {axes}.")
    for i, axis in enumerate(places):
        length = x.shape[axis] if lengths is None else lengths[i]
        if length < 1:
            raise ValueError(f"For '{op_name}', a length must be greater than 0, but got {length}.")
        moved = x.movedim(axis, -1)
        moved = moved[..., :length]
        moved = torch.nn.functional.pad(moved, (0, length - moved.shape[-1]))
        if moved.is_complex():
            result = torch.complex(transform(moved.real), transform(moved.imag))
        else:
            result = transform(moved)
        x = result.movedim(-1, axis)
    return x


def _turns(n: int, x: Tensor) -> Tensor:
    """The rotations by a quarter of a step, with the factors that make the transform orthogonal."""
    angle = torch.arange(n, dtype=x.dtype, device=x.device) * (math.pi / (2 * n))
    size = torch.full_like(angle, math.sqrt(2.0 / n))
    size[:1] = math.sqrt(1.0 / n)
    return torch.polar(size, -angle)


def _forward(x: Tensor) -> Tensor:
    """The transform along the last axis, by one Fourier transform of the same length.

    Samples are taken from both ends: the even ones forwards, then the odd ones backwards.
    """
    order = torch.cat([x[..., ::2], x[..., 1::2].flip(-1)], -1)
    return (torch.fft.fft(order) * _turns(x.shape[-1], x)).real


def _backward(x: Tensor) -> Tensor:
    """The inverse of `_forward`."""
    n = x.shape[-1]
    behind = torch.cat([torch.zeros_like(x[..., :1]), x[..., 1:].flip(-1)], -1)
    turns = _turns(n, x)
    spectrum = torch.complex(x, -behind) * (turns.conj() / turns.abs().square())
    order = torch.fft.ifft(spectrum).real
    half = (n + 1) // 2
    out = torch.empty_like(order)
    out[..., ::2] = order[..., :half]
    out[..., 1::2] = order[..., half:].flip(-1)
    return out
