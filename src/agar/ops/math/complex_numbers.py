"""Parts of complex numbers, and complex numbers of parts."""

from __future__ import annotations

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops.spec import op

__all__: list[str] = []


@op(
    method=True,
    mint=True,
    samples=("c(2, 3)", "f(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    primitive="Real",
    cast="never",
)
def real(input: Tensor) -> Tensor:
    r"""Real part: :math:`out_i = \Re(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns: Tensor of the same shape; a real tensor is returned as it is.

    >>> print(ms.ops.real(ms.Tensor([1 + 2j])))
    [1.]
    """
    return torch.real(input)


@op(
    method=True,
    mint=True,
    samples=("c(2, 3)", "f(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    primitive="Imag",
    cast="never",
)
def imag(input: Tensor) -> Tensor:
    r"""Imaginary part: :math:`out_i = \Im(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns: Tensor of the same shape; zeros for a real tensor.
    Difference from PyTorch: a real tensor is accepted.

    >>> print(ms.ops.imag(ms.Tensor([1 + 2j])))
    [2.]
    """
    return torch.imag(input) if input.is_complex() else torch.zeros_like(input)


@op(
    "complex",
    function=False,
    primitive="Complex",
    samples=("f(2, 3), f(2, 3)",),
    errors=(("f(2), i(2)", TypeError, "float32"), ("f(2), f(3)", ValueError, "broadcast")),
    cast="never",
)
def _complex(real: Tensor, imag: Tensor) -> Tensor:
    r"""Complex numbers from their parts: :math:`out_i = real_i + j\, imag_i`.

    Args:
        real (Tensor): float32 or float64, any shape.
        imag (Tensor): of the same type and a shape that broadcasts with `real`.

    Returns: Tensor of complex64 or complex128.
    Raises TypeError: the types differ or are not float32 or float64.

    >>> print(ms.ops.Complex()(ms.Tensor([1.0]), ms.Tensor([2.0])))
    [1.+2.j]
    """
    _parts("complex", real, imag)
    return torch.complex(real, imag)


def _parts(op_name: str, first: Tensor, second: Tensor) -> None:
    """Check that two tensors can be the parts of complex numbers."""
    if first.dtype is not second.dtype or first.dtype not in (torch.float32, torch.float64):
        raise TypeError(
            f"For '{op_name}', both inputs must be float32 or both float64, but got "
            f"{FROM_TORCH[first.dtype]} and {FROM_TORCH[second.dtype]}; convert with .astype(...)."
        )


@op(
    primitive="Polar",
    mint=True,
    samples=("p(2, 3), f(2, 3)",),
    errors=(("f(2), i(2)", TypeError, "float32"), ("f(2), f(3)", ValueError, "broadcast")),
    cast="never",
)
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    r"""Complex numbers from polar coordinates: :math:`out = abs (\cos angle + j \sin angle)`.

    Args:
        abs (Tensor): the absolute values, float32 or float64.
        angle (Tensor): the arguments in radians, of the same type.

    Returns: Tensor of complex64 or complex128.
    Raises TypeError: the types differ or are not float32 or float64.

    >>> print(ms.ops.polar(ms.Tensor([2.0]), ms.Tensor([0.0])))
    [2.+0.j]
    """
    _parts("polar", abs, angle)
    return torch.polar(abs, angle)
