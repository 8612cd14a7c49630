"""Image layers: pixel shuffles, crops, gradients and measures of similarity."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.conv import Conv2d
from agar.ops._checks import integer, number

__all__ = [
    "MSSSIM",
    "PSNR",
    "SSIM",
    "CentralCrop",
    "ImageGradients",
    "PixelShuffle",
    "PixelUnshuffle",
]


class PixelShuffle(Cell):
    r"""Rearrange channels into space: :math:`(*, C r^2, H, W) \to (*, C, H r, W r)`.

    Args:
        upscale_factor (int): :math:`r`.

    Inputs:
        - **input** (Tensor) - rank 3 or more; the channels are a multiple of :math:`r^2`.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `upscale_factor` is not an int.
        ValueError: `upscale_factor` is not positive, or does not fit the input.

    Difference from PyTorch: none.

    Source: Shi et al. 2016, "Real-Time Single Image and Video Super-Resolution".

    Examples:
        >>> import agar as ms
        >>> ms.nn.PixelShuffle(2)(ms.ops.ones((1, 8, 2, 3))).shape
        (1, 2, 4, 6)
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = integer("PixelShuffle", "upscale_factor", upscale_factor, 1)

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    r"""Rearrange space into channels: :math:`(*, C, H r, W r) \to (*, C r^2, H, W)`.

    Args:
        downscale_factor (int): :math:`r`.

    Inputs:
        - **input** (Tensor) - rank 3 or more; the last two sizes are multiples of :math:`r`.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `downscale_factor` is not an int.
        ValueError: `downscale_factor` is not positive, or does not fit the input.

    Difference from PyTorch: none.

    Source: Shi et al. 2016, "Real-Time Single Image and Video Super-Resolution".

    Examples:
        >>> import agar as ms
        >>> ms.nn.PixelUnshuffle(2)(ms.ops.ones((1, 2, 4, 6))).shape
        (1, 8, 2, 3)
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = integer("PixelUnshuffle", "downscale_factor", downscale_factor, 1)

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_unshuffle(input, self.downscale_factor)


class CentralCrop(Cell):
    r"""Crop the center of images.

    Args:
        central_fraction (float): fraction of the height and of the width that is kept, in (0, 1].

    Inputs:
        - **image** (Tensor) - shape :math:`(C, H, W)` or :math:`(N, C, H, W)`.

    Outputs: Tensor of the cropped images.

    Raises:
        TypeError: `central_fraction` is not a float.
        ValueError: `central_fraction` is out of range, or the input has the wrong rank.

    Difference from PyTorch: ``torchvision.transforms.CenterCrop`` takes a size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.CentralCrop(0.5)(ms.ops.ones((3, 4, 8))).shape
        (3, 2, 4)
    """

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        if not isinstance(central_fraction, float):
            raise TypeError(
                "For 'CentralCrop', the type of 'central_fraction' should be 'float', but got type "
                f"'{type(central_fraction).__name__}'."
            )
        if not 0.0 < central_fraction <= 1.0:
            raise ValueError(
                "For 'CentralCrop', the 'central_fraction' must be in range of (0.0, 1.0], but got "
                f"{central_fraction}."
            )
        self.central_fraction = central_fraction

    def construct(self, image: Tensor) -> Tensor:
        if image.ndim not in (3, 4):
            raise ValueError(
                f"For 'CentralCrop', the dimension of 'image' must be 3 or 4, but got {image.ndim}."
            )
        if self.central_fraction == 1.0:
            return image
        height, width = image.shape[-2:]
        top = int((height - height * self.central_fraction) / 2)
        left = int((width - width * self.central_fraction) / 2)
        return image[..., top : height - top, left : width - left]


class ImageGradients(Cell):
    r"""Differences between neighboring pixels: downwards and to the right.

    .. math:: dy_{h,w} = x_{h+1,w} - x_{h,w}, \quad dx_{h,w} = x_{h,w+1} - x_{h,w}

    The last row of dy and the last column of dx are zero.

    Inputs:
        - **images** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: a pair of Tensors (dy, dx) of the input's shape.

    Raises:
        ValueError: the input's rank is not 4.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> dy, dx = ms.nn.ImageGradients()(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))
        >>> print(dy[0, 0], dx[0, 0])
        [[2. 2.]
         [0. 0.]] [[1. 0.]
         [1. 0.]]
    """

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor]:
        if images.ndim != 4:
            raise ValueError(
                "For 'ImageGradients', the dimension of 'images' must be 4d, but got "
                f"{images.ndim}."
            )
        down = images[:, :, 1:, :] - images[:, :, :-1, :]
        right = images[:, :, :, 1:] - images[:, :, :, :-1]
        return ops.pad(down, (0, 0, 0, 1)), ops.pad(right, (0, 1))


def _top_value(op_name: str, max_val: Any) -> float:
    if number(op_name, "max_val", max_val) <= 0:
        raise ValueError(f"For '{op_name}', the argument 'max_val' must > 0.0, but got {max_val}.")
    return max_val


def _check_images(op_name: str, img1: Tensor, img2: Tensor) -> None:
    for name, image in (("img1", img1), ("img2", img2)):
        if image.ndim != 4:
            raise ValueError(
                f"For '{op_name}', the dimension of '{name}' must be 4d, but got {image.ndim}."
            )
    if img1.shape != img2.shape:
        raise ValueError(
            f"For '{op_name}', the images must have one shape, but got {img1.shape} and "
            f"{img2.shape}."
        )
    if img1.dtype != img2.dtype:
        raise TypeError(
            f"For '{op_name}', the images must have one dtype, but got {img1.dtype} and "
            f"{img2.dtype}."
        )


class PSNR(Cell):
    r"""Peak signal-to-noise ratio of images, in decibels.

    .. math:: out = 10 \log_{10} \frac{max^2}{\mathrm{mean}((x - y)^2)}

    Args:
        max_val (Union[int, float]): the largest value a pixel can have. Default: 1.0.

    Inputs:
        - **img1** (Tensor) - shape :math:`(N, C, H, W)`.
        - **img2** (Tensor) - of the same shape and dtype.

    Outputs: Tensor of shape :math:`(N,)`.

    Raises:
        TypeError: `max_val` is not a number, or the dtypes differ.
        ValueError: `max_val` is not positive, or the shapes are wrong.

    Difference from PyTorch: no counterpart.

    Source: agar's own; MindSpore 2.10 fails in eager mode on CPU.

    Examples:
        >>> import agar as ms
        >>> x = ms.ops.zeros((1, 1, 2, 2))
        >>> print(ms.nn.PSNR()(x, x + 0.1))
        [20.]
    """

    def __init__(self, max_val: float = 1.0) -> None:
        super().__init__()
        self.max_val = _top_value("PSNR", max_val)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_images("PSNR", img1, img2)
        error = ops.mean(ops.square(img1 - img2), (-3, -2, -1))
        return 10 * ops.log(self.max_val**2 / error) / float(np.log(10.0))


def _gaussian(size: int, sigma: float) -> np.ndarray:
    """A kernel of shape (1, 1, size, size) whose elements sum to one."""
    offsets = np.arange(size, dtype=np.float64) - (size - 1) / 2
    line = np.exp(-0.5 * (offsets / sigma) ** 2)
    kernel = np.outer(line, line)
    return (kernel / kernel.sum())[None, None].astype(np.float32)


class _Similarity(Cell):
    """What the similarity measures share: checked options and local means by a Gaussian."""

    def __init__(
        self, max_val: float, filter_size: int, filter_sigma: float, k1: float, k2: float
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.max_val = _top_value(op_name, max_val)
        self.filter_size = integer(op_name, "filter_size", filter_size)
        if filter_size < 1:
            raise ValueError(
                f"For '{op_name}', the 'filter_size' must be int and must >= 1, but got "
                f"'{filter_size}'."
            )
        for name, value in (("filter_sigma", filter_sigma), ("k1", k1), ("k2", k2)):
            if number(op_name, name, value) <= 0:
                raise ValueError(
                    f"For '{op_name}', the argument '{name}' must > 0.0, but got {value}."
                )
        self.filter_sigma = filter_sigma
        self.k1 = k1
        self.k2 = k2

    def _averaging(self) -> Conv2d:
        return Conv2d(
            1,
            1,
            self.filter_size,
            pad_mode="valid",
            weight_init=Tensor(_gaussian(self.filter_size, self.filter_sigma)),
        )

    def _parts(self, averaging: Conv2d, img1: Tensor, img2: Tensor) -> tuple[Tensor, Tensor]:
        """Similarity of each image, and its part from contrast and structure, shape (N,)."""
        n, c, h, w = img1.shape
        if min(h, w) < self.filter_size:
            raise ValueError(
                f"For '{self.cls_name}', the images must be at least as large as the filter of "
                f"size {self.filter_size}, but got shape {img1.shape}."
            )
        flat1, flat2 = (image.reshape((n * c, 1, h, w)) for image in (img1, img2))
        mean1, mean2 = averaging(flat1), averaging(flat2)
        c1 = (self.k1 * self.max_val) ** 2
        c2 = (self.k2 * self.max_val) ** 2
        product, squares = mean1 * mean2, mean1 * mean1 + mean2 * mean2
        covariance = averaging(flat1 * flat2) - product
        variances = averaging(flat1 * flat1 + flat2 * flat2) - squares
        structure = (2 * covariance + c2) / (variances + c2)
        similarity = (2 * product + c1) / (squares + c1) * structure
        similarity, structure = (part.reshape((n, -1)) for part in (similarity, structure))
        return ops.mean(similarity, 1), ops.mean(structure, 1)


class SSIM(_Similarity):
    r"""Structural similarity of images.

    .. math:: out = \mathrm{mean} \frac{(2 \mu_x \mu_y + c_1)(2 \sigma_{xy} + c_2)}
        {(\mu_x^2 + \mu_y^2 + c_1)(\sigma_x^2 + \sigma_y^2 + c_2)},
        \quad c_i = (k_i \cdot max)^2

    Args:
        max_val (Union[int, float]): the largest value a pixel can have. Default: 1.0.
        filter_size (int): size of the Gaussian by which local means are taken. Default: 11.
        filter_sigma (float): its standard deviation. Default: 1.5.
        k1 (float): :math:`k_1`. Default: 0.01.
        k2 (float): :math:`k_2`. Default: 0.03.

    Inputs:
        - **img1** (Tensor) - float32, shape :math:`(N, C, H, W)`.
        - **img2** (Tensor) - of the same shape and dtype.

    Outputs: Tensor of shape :math:`(N,)`.

    Raises:
        TypeError: an argument has the wrong type, or the dtypes differ.
        ValueError: an argument is out of range, or the shapes are wrong.

    Difference from PyTorch: no counterpart.

    Source: Wang et al. 2004, "Image Quality Assessment: From Error Visibility to Structural
    Similarity".

    Examples:
        >>> import agar as ms
        >>> x = ms.ops.ones((1, 3, 16, 16))
        >>> print(ms.nn.SSIM()(x, x))
        [1.]
    """

    def __init__(
        self,
        max_val: float = 1.0,
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = self._averaging()
        self.conv.weight.requires_grad = False

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_images("SSIM", img1, img2)
        return self._parts(self.conv, img1, img2)[0]


class MSSSIM(_Similarity):
    r"""Structural similarity of images over several scales.

    .. math:: out = l_M^{w_M} \prod_{s=1}^{M} cs_s^{w_s}

    Contrast and structure cs are compared at every scale, each half as large as the one before;
    luminance l at the last.

    Args:
        max_val (Union[int, float]): the largest value a pixel can have. Default: 1.0.
        power_factors (Union[tuple, list]): the weights w of the scales. Default: (0.0448, 0.2856,
            0.3001, 0.2363, 0.1333).
        filter_size (int): size of the Gaussian by which local means are taken. Default: 11.
        filter_sigma (float): its standard deviation. Default: 1.5.
        k1 (float): :math:`k_1`. Default: 0.01.
        k2 (float): :math:`k_2`. Default: 0.03.

    Inputs:
        - **img1** (Tensor) - float32, shape :math:`(N, C, H, W)`.
        - **img2** (Tensor) - of the same shape and dtype.

    Outputs: Tensor of shape :math:`(N,)`.

    Raises:
        TypeError: an argument has the wrong type, or the dtypes differ.
        ValueError: an argument is out of range, or the shapes are wrong.

    Difference from PyTorch: no counterpart.

    Source: Wang et al. 2003, "Multiscale Structural Similarity for Image Quality Assessment".

    Examples:
        >>> import agar as ms
        >>> x = ms.ops.ones((1, 3, 32, 32))
        >>> print(ms.nn.MSSSIM(power_factors=(0.5, 0.5))(x, x))
        [1.]
    """

    def __init__(
        self,
        max_val: float = 1.0,
        power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        if not isinstance(power_factors, (tuple, list)) or not power_factors:
            raise TypeError(
                "For 'MSSSIM', the type of 'power_factors' must be tuple or list that is not "
                f"empty, but got {power_factors!r}."
            )
        self.power_factors = tuple(
            number("MSSSIM", "power_factors", factor) for factor in power_factors
        )
        self.conv = self._averaging()
        self.conv.weight.requires_grad = False

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _check_images("MSSSIM", img1, img2)
        result: Any = 1.0
        last = len(self.power_factors) - 1
        for scale, power in enumerate(self.power_factors):
            similarity, structure = self._parts(self.conv, img1, img2)
            part = similarity if scale == last else structure
            result = result * ops.relu(part) ** power
            if scale < last:
                img1, img2 = (ops.avg_pool2d(image, 2, 2) for image in (img1, img2))
        return result
