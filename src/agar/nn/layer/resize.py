"""ResizeBilinear of MindSpore 1, which programs still use."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer

__all__ = ["ResizeBilinear"]


class ResizeBilinear(Cell):
    """Resize images by bilinear interpolation; MindSpore 2 has ``ops.interpolate``.

    Args:
        half_pixel_centers (bool): whether pixel centers have half-integer coordinates. Default:
            ``False``.

    Inputs:
        - **x** (Tensor) - (N, C, H, W).
        - **size** (Union[int, tuple[int]]) - (height, width). Default: ``None``.
        - **scale_factor** (int) - the factor of height and width, in place of `size`. Default:
          ``None``.
        - **align_corners** (bool) - whether the corner pixels are aligned. Default: ``False``.

    Outputs: Tensor, (N, C, height, width).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: none or both of `size` and `scale_factor` are given, or `x` does not have four
            axes.

    Difference from PyTorch: ``nn.Upsample(mode="bilinear")``; `size` is given at the call.

    Source: the documentation of MindSpore 1.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[[[1.0, 2.0]]]])
        >>> print(ms.nn.ResizeBilinear()(x, size=(1, 4), align_corners=True))
        [[[[1.        1.3333334 1.6666667 2.       ]]]]
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = boolean(
            "ResizeBilinear", "half_pixel_centers", half_pixel_centers
        )

    def construct(
        self,
        x: Tensor,
        size: Any = None,
        scale_factor: int | None = None,
        align_corners: bool = False,
    ) -> Tensor:
        """The images in the new size."""
        if (size is None) == (scale_factor is None):
            raise ValueError(
                "For 'ResizeBilinear', give either 'size' or 'scale_factor', but got "
                f"{size!r} and {scale_factor!r}."
            )
        if len(x.shape) != 4:
            raise ValueError(
                f"For 'ResizeBilinear', 'x' must have four axes, but got shape {tuple(x.shape)}."
            )
        if scale_factor is not None:
            factor = integer("ResizeBilinear", "scale_factor", scale_factor, 1)
            size = (x.shape[2] * factor, x.shape[3] * factor)
        elif isinstance(size, int):
            size = (size, size)
        corners = boolean("ResizeBilinear", "align_corners", align_corners)
        return ops.ResizeBilinearV2(corners, self.half_pixel_centers)(x, tuple(size))
