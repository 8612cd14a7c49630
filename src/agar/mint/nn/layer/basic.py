"""Layers that rearrange or resize, with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.ops import UpsampleBilinear2D, UpsampleNearest2D
from agar.ops._checks import integer

__all__ = [
    "Flatten",
    "Fold",
    "PixelShuffle",
    "UnfoldExt",
    "UpsampleExt",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
]


class Flatten(Cell):
    """Flatten consecutive dimensions into one.

    Args:
        start_dim (int): the first dimension to flatten. Default: 1.
        end_dim (int): the last dimension to flatten. Default: -1.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs: Tensor that shares the input's memory where it can.

    Raises:
        TypeError: a dimension is not an int.
        ValueError: a dimension is out of range.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Flatten()(ms.ops.ones((2, 3, 4))).shape
        (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = integer("Flatten", "start_dim", start_dim)
        self.end_dim = integer("Flatten", "end_dim", end_dim)

    def construct(self, input: Tensor) -> Tensor:
        return F.flatten(input, self.start_dim, self.end_dim)


class Fold(Cell):
    r"""Sum patches into images: the inverse of ``Unfold``, except for overlaps.

    Args:
        output_size (Union[int, tuple[int], list[int]]): (height, width) of the images.
        kernel_size (Union[int, tuple[int], list[int]]): size of the patches.
        dilation (Union[int, tuple[int], list[int]]): spacing between the elements of a patch.
            Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides of the images. Default: 0.
        stride (Union[int, tuple[int], list[int]]): stride between patches. Default: 1.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C \cdot K_h K_w, L)` or without N.

    Outputs: Tensor of shape :math:`(N, C, H, W)` or without N.

    Raises:
        TypeError: a size is not an int.
        ValueError: shapes and sizes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Fold((4, 5), 2, stride=2)(ms.ops.ones((1, 12, 4))).shape
        (1, 3, 4, 5)
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )


class UnfoldExt(Cell):
    r"""Extract patches of images, as columns.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the patches.
        dilation (Union[int, tuple[int], list[int]]): spacing between the elements of a patch.
            Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides of the images. Default: 0.
        stride (Union[int, tuple[int], list[int]]): stride between patches. Default: 1.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of shape :math:`(N, C \cdot K_h K_w, L)`, L the number of patches.

    Raises:
        TypeError: a size is not an int.
        ValueError: shapes and sizes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Unfold(2, stride=2)(ms.ops.ones((1, 3, 4, 4))).shape
        (1, 12, 4)
    """

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class PixelShuffle(Cell):
    r"""Rearrange channels into pixels: shape :math:`(*, C r^2, H, W)` to :math:`(*, C, H r, W r)`.

    Args:
        upscale_factor (int): r.

    Inputs:
        - **input** (Tensor) - shape :math:`(*, C r^2, H, W)`.

    Outputs: Tensor of shape :math:`(*, C, H r, W r)`.

    Raises:
        TypeError: `upscale_factor` is not an int.
        ValueError: it is not positive, or its square does not divide the number of channels.

    Difference from PyTorch: none.

    Source: Shi et al. 2016, "Real-Time Single Image and Video Super-Resolution".

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.PixelShuffle(2)(ms.ops.ones((1, 4, 2, 3))).shape
        (1, 1, 4, 6)
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = integer("PixelShuffle", "upscale_factor", upscale_factor, 1)

    def construct(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class UpsampleExt(Cell):
    r"""Resize sequences, images or volumes.

    Args:
        size (Union[int, tuple[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float]]): multiples of the input's sizes. Default: None.
            One of the two must be given.
        mode (str): ``nearest``, ``linear``, ``bilinear``, ``bicubic``, ``trilinear``, ``area`` or
            ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the centers of the corner pixels are aligned. Default: None.
        recompute_scale_factor (bool): whether the scale is recomputed from the output size.
            Default: None.

    Inputs:
        - **input** (Tensor) - floating point, shape :math:`(N, C, *)`.

    Outputs: Tensor of the new size.

    Raises:
        ValueError: an argument does not fit the mode or the input.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Upsample(scale_factor=1.5)(ms.ops.ones((1, 1, 2, 2))).shape
        (1, 1, 3, 3)
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )


class _Upsampling(Cell):
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__()
        if (size is None) == (scale_factor is None):
            raise ValueError(
                f"For '{self.cls_name}', exactly one of 'size' and 'scale_factor' must be given, "
                f"but got {size!r} and {scale_factor!r}."
            )
        self.size = size
        self.scale_factor = scale_factor


class UpsamplingNearest2d(_Upsampling):
    """Resize images: every output pixel is the nearest input pixel.

    Args:
        size (Union[int, tuple[int], list[int]]): (height, width) of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): factors of the input's sizes.
            Default: None. One of the two must be given.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the new size.

    Raises:
        ValueError: not exactly one of the two is given, a number is not positive, or the input's
            rank is not 4.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.UpsamplingNearest2d((1, 4))(ms.Tensor([[[[1.0, 2.0]]]])))
        [[[[1. 1. 2. 2.]]]]
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor)
        self._resize = UpsampleNearest2D()

    def construct(self, input: Tensor) -> Tensor:
        return self._resize(input, self.size, self.scale_factor)


class UpsamplingBilinear2d(_Upsampling):
    """Resize images by bilinear interpolation; the centers of the corner pixels are aligned.

    Args:
        size (Union[int, tuple[int], list[int]]): (height, width) of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): factors of the input's sizes.
            Default: None. One of the two must be given.

    Inputs:
        - **input** (Tensor) - floating point, shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the new size.

    Raises:
        ValueError: not exactly one of the two is given, a number is not positive, or the input's
            rank is not 4.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.UpsamplingBilinear2d((1, 3))(ms.Tensor([[[[0.0, 2.0]]]])))
        [[[[0. 1. 2.]]]]
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor)
        self._resize = UpsampleBilinear2D()

    def construct(self, input: Tensor) -> Tensor:
        return self._resize(input, self.size, self.scale_factor, True)
