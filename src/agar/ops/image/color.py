"""Colors of images: hue and saturation, and the way from RGB to HSV and back.

NOTE Hue. Colors lie along the last axis. With the largest and smallest of the three numbers,
:math:`V` and :math:`m`, and :math:`C = V - m`, the hue counts sixths of the circle from red over
green to blue: :math:`(G - B) / C` where red is largest, else :math:`2 + (B - R) / C` where green is
largest, else :math:`4 + (R - G) / C`; it is 0 for grays. The saturation is :math:`C / V`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

_FLOATS = (torch.float16, torch.float32, torch.float64, torch.bfloat16)


def _check_image(op_name: str, name: str, image: Tensor, rank: int, exact: bool = False) -> None:
    """Check that an image has three colors.

    Raises:
        TypeError: it is of no floating type.
        ValueError: it has too few axes, or its last one another size than 3.
    """
    if image.dtype not in _FLOATS:
        raise TypeError(
            f"For '{op_name}', '{name}' must be of a floating type, but got "
            f"{FROM_TORCH[image.dtype]}."
        )
    if image.ndim < rank or (exact and image.ndim != rank):
        expected = f"{rank} axes" if exact else f"at least {rank} axes"
        raise ValueError(
            f"For '{op_name}', '{name}' must have {expected}, but got shape {list(image.shape)}."
        )
    if image.shape[-1] != 3:
        raise ValueError(
            f"For '{op_name}', the last axis of '{name}' must have size 3 (red, green, blue), but "
            f"got shape {list(image.shape)}."
        )


def _scalar(op_name: str, name: str, value: Tensor | Scalar) -> Tensor | Scalar:
    if isinstance(value, Tensor) and value.ndim:
        raise ValueError(
            f"For '{op_name}', '{name}' must have no axes, but got shape {list(value.shape)}."
        )
    return value


def _hue(image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Hue in sixths of the circle, the largest color, and how far it is from the smallest."""
    red, green, blue = image.unbind(-1)
    largest = torch.maximum(torch.maximum(red, green), blue)
    span = largest - torch.minimum(torch.minimum(red, green), blue)
    gray = span == 0
    divisor = torch.where(gray, torch.ones_like(span), span)
    hue = torch.where(
        red == largest,
        (green - blue) / divisor,
        torch.where(green == largest, 2 + (blue - red) / divisor, 4 + (red - green) / divisor),
    )
    hue = torch.where(hue < 0, hue + 6, hue)
    return torch.where(gray, torch.zeros_like(hue), hue), largest, span


def _from_hue(hue: Tensor, largest: Tensor, span: Tensor) -> Tensor:
    """The image of a hue in sixths of the circle, the inverse of `_hue`."""
    shares = ((hue - 3).abs() - 1, 2 - (hue - 2).abs(), 2 - (hue - 4).abs())
    smallest = largest - span
    return torch.stack([smallest + span * share.clamp(0, 1) for share in shares], -1)


def _wide(image: Tensor) -> Tensor:
    """Half precision is computed in single precision."""
    return image.float() if image.dtype in (torch.float16, torch.bfloat16) else image


@primitive(
    "AdjustHue",
    samples=("u(2, 4, 3), 0.2", "u(1, 2, 2, 3), torch.tensor(-0.6).double()"),
    errors=(
        ("u(2, 3), 0.1", ValueError, "at least 3 axes"),
        ("u(2, 3, 4), 0.1", ValueError, "last axis"),
        ("i(2, 2, 3), 0.1", TypeError, "floating"),
        ("u(2, 2, 3), u(2)", ValueError, "delta"),
    ),
    cast="never",
)
def _adjust_hue(image: Tensor, delta: Tensor | Scalar) -> Tensor:
    """RGB images with the hue shifted.

    Inputs:
        - **image** (Tensor) - at least 3 axes, colors along the last one, floating (see the note
          on hue).
        - **delta** (Union[Tensor, float]) - how far, 1 being the whole circle; no axes.

    Outputs: Tensor like `image`; largest and smallest number of each pixel stay.
    Raises TypeError: `image` is of no floating type.
    Raises ValueError: `image` has too few axes, or not three colors; `delta` has axes.
    Difference from PyTorch: ``torchvision.transforms.functional.adjust_hue`` has the colors along
        the third axis from the end.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.AdjustHue()(ms.Tensor([[[1.0, 2.0, 3.0]]]), ms.Tensor(0.5)))
    [[[3. 2. 1.]]]
    """
    _check_image("AdjustHue", "image", image, 3)
    hue, largest, span = _hue(_wide(image))
    turned = torch.remainder(hue + _scalar("AdjustHue", "delta", delta) * 6, 6)
    return _from_hue(turned, largest, span).to(image.dtype)


@primitive(
    "AdjustSaturation",
    samples=("u(2, 4, 3), 0.5", "u(1, 2, 2, 3), torch.tensor(0.9).double()"),
    errors=(
        ("u(2, 3), 0.1", ValueError, "at least 3 axes"),
        ("u(2, 3, 4), 0.1", ValueError, "last axis"),
        ("i(2, 2, 3), 0.1", TypeError, "floating"),
        ("u(2, 2, 3), u(2)", ValueError, "scale"),
    ),
    cast="never",
)
def _adjust_saturation(image: Tensor, scale: Tensor | Scalar) -> Tensor:
    """RGB images with the saturation multiplied; it stays between 0 and 1.

    Inputs:
        - **image** (Tensor) - at least 3 axes, colors along the last one, floating (see the note
          on hue).
        - **scale** (Union[Tensor, float]) - the factor; no axes.

    Outputs: Tensor like `image`; hue and largest number of each pixel stay.
    Raises TypeError: `image` is of no floating type.
    Raises ValueError: `image` has too few axes, or not three colors; `scale` has axes.
    Difference from PyTorch: ``torchvision.transforms.functional.adjust_saturation`` mixes with the
        gray image.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.AdjustSaturation()(ms.Tensor([[[1.0, 2.0, 3.0]]]), ms.Tensor(0.5)))
    [[[2.  2.5 3. ]]]
    """
    _check_image("AdjustSaturation", "image", image, 3)
    hue, largest, span = _hue(_wide(image))
    scaled = span * _scalar("AdjustSaturation", "scale", scale)
    bound = torch.where(largest > 0, largest, torch.zeros_like(largest))
    result = torch.minimum(scaled.clamp(min=0), bound)
    return _from_hue(hue, largest, result).to(image.dtype)


@primitive(
    "RGBToHSV",
    samples=("u(2, 3)", "u(2, 4, 3)"),
    errors=(
        ("u(2, 4)", ValueError, "last axis"),
        ("i(3)", TypeError, "floating"),
        ("u()", ValueError, "at least 1 axes"),
    ),
    cast="never",
)
def _rgb_to_hsv(images: Tensor) -> Tensor:
    """Hue, saturation and value of RGB colors, each between 0 and 1.

    Inputs:
        - **images** (Tensor) - colors in [0, 1] along the last axis, floating (see the note on
          hue).

    Outputs: Tensor like `images`.
    Raises TypeError: `images` is of no floating type.
    Raises ValueError: `images` has no axes, or not three colors.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> print(ms.ops.RGBToHSV()(ms.Tensor([[0.25, 0.5, 0.5]])))
    [[0.5 0.5 0.5]]
    """
    _check_image("RGBToHSV", "images", images, 1)
    hue, largest, span = _hue(_wide(images))
    black = largest <= 0
    divisor = torch.where(black, torch.ones_like(largest), largest)
    saturation = torch.where(black, torch.zeros_like(span), span / divisor)
    return torch.stack((hue / 6, saturation, largest), -1).to(images.dtype)


@primitive(
    "HSVToRGB",
    samples=("u(1, 2, 4, 3)",),
    errors=(
        ("u(2, 4, 3)", ValueError, "4 axes"),
        ("u(1, 2, 4, 4)", ValueError, "last axis"),
        ("i(1, 1, 1, 3)", TypeError, "floating"),
    ),
    cast="never",
)
def _hsv_to_rgb(x: Tensor) -> Tensor:
    """RGB colors of hue, saturation and value.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, H, W, 3)`, floating, numbers in [0, 1] (see the note on
          hue).

    Outputs: Tensor like `x`.
    Raises TypeError: `x` is of no floating type.
    Raises ValueError: `x` has another number of axes, or not three numbers for a pixel.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.HSVToRGB()(ms.Tensor([[[[0.5, 0.5, 0.5]]]])))
    [[[[0.25 0.5  0.5 ]]]]
    """
    _check_image("HSVToRGB", "x", x, 4, exact=True)
    hue, saturation, value = _wide(x).unbind(-1)
    return _from_hue(hue * 6, value, saturation * value).to(x.dtype)
