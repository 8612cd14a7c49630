"""mint.nn.functional's interpolate and its older names."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.nn import functional as F

from agar.ops.spec import op

__all__: list[str] = []


@op(
    "interpolate",
    function=False,
    mint="nn.functional.interpolate",
    samples=(
        "f(1, 1, 2, 2), (3, 4)",
        "f(1, 1, 3, 3), None, 1.5, 'bilinear', False",
        "f(1, 1, 4, 4), (6, 6), mode='bicubic'",
    ),
    errors=(
        ("f(1, 1, 2, 2)", ValueError, "size"),
        ("f(1, 1, 2, 2), (3, 3), mode='foo'", ValueError, "mode"),
    ),
)
def _interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    r"""Resize sequences, images or volumes as PyTorch does.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        size (Union[int, tuple[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float]]): multiples of the input's sizes. Default: None.
            One of the two must be given.
        mode (str): ``nearest``, ``linear``, ``bilinear``, ``bicubic``, ``trilinear``, ``area`` or
            ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide. Default: None.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None.

    Returns: Tensor of the new size.
    Raises ValueError: an argument does not fit the mode or the input.

    >>> from agar.mint.nn import functional as F
    >>> F.interpolate(ms.ops.ones((1, 1, 2, 2)), scale_factor=1.5).shape
    (1, 1, 3, 3)
    """
    return _resize(
        "interpolate", input, size, scale_factor, mode, align_corners, recompute_scale_factor
    )


@op(
    "upsample",
    function=False,
    mint="nn.functional.upsample",
    samples=("f(1, 1, 2, 2), (3, 4)",),
    errors=(("f(1, 1, 2, 2)", ValueError, "size"),),
)
def _upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    r"""Resize sequences, images or volumes as PyTorch does.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        size (Union[int, tuple[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float]]): multiples of the input's sizes. Default: None.
            One of the two must be given.
        mode (str): as for ``interpolate``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide. Default: None.

    Returns: Tensor of the new size.
    Raises ValueError: an argument does not fit the mode or the input.

    >>> from agar.mint.nn import functional as F
    >>> F.upsample(ms.ops.ones((1, 1, 2, 2)), scale_factor=2.0).shape
    (1, 1, 4, 4)
    """
    return _resize("upsample", input, size, scale_factor, mode, align_corners, None)


def _resize(
    op_name: str,
    x: Tensor,
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute_scale_factor: bool | None,
) -> Tensor:
    try:
        return F.interpolate(
            x,
            size,
            scale_factor,
            mode,
            align_corners,
            recompute_scale_factor=recompute_scale_factor,
        )
    except NotImplementedError as error:
        raise ValueError(
            f"For '{op_name}', the mode {mode!r} does not take inputs of rank {x.dim()}, or is "
            "unknown."
        ) from error
