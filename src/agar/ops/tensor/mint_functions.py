"""Functions of mint that no other module has: values, aliases with other arguments, resizing."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops.nn import mint_functional as nn_mint
from agar.ops.nn import softmax as nn_softmax
from agar.ops.nn.activation import needs_float
from agar.ops.spec import op
from agar.ops.tensor.scattering import add_at, multiple

__all__: list[str] = []


@op(
    function=False,
    mint="item",
    cast="never",
    samples=("f(1)", "i(1, 1)", "b()"),
    errors=(("f(2)", RuntimeError, "2 elements"), ("1.0", TypeError, "Tensor")),
    differentiable=False,
)
def item(input: Tensor) -> Any:
    """The value of a tensor with one element, as a Python number.

    Args:
        input (Tensor): one element, any shape.

    Returns: Number: bool, int, float or complex.
    Raises RuntimeError: it has not exactly one element.
    Difference from PyTorch: ``Tensor.item()``.

    >>> ms.mint.item(ms.Tensor([2.5]))
    2.5
    """
    if input.numel() != 1:
        raise RuntimeError(
            f"For 'item', a Tensor with {input.numel()} elements cannot be converted to a Python "
            f"number; it must have 1, but its shape is {tuple(input.shape)}."
        )
    return input.item()


@op(
    function=False,
    mint="equal",
    cast="never",
    samples=("f(3), f(3)", "i(3), i(3) * 1.0", "f(2), f(3)"),
    errors=(("f(2), 1", TypeError, "Tensor"),),
    differentiable=False,
)
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; types are promoted to a common one.

    Returns: bool. A nan equals nothing.
    Difference from PyTorch: tensors of different types are accepted.

    >>> ms.mint.equal(ms.Tensor([1, 2]), ms.Tensor([1, 3]))
    False
    """
    common = torch.promote_types(input.dtype, other.dtype)
    return torch.equal(input.to(common), other.to(common))


@op(
    "softmax",
    function=False,
    mint="softmax",
    samples=("f(2, 3), 1", "f(2, 3, 4), None", "f(2, 3), 0, dtype=ms.float32"),
    errors=(("f(2, 3), 2", ValueError, "axis"), ("i(3), 0", TypeError, "softmax")),
)
def _softmax(input: Tensor, dim: Any, *, dtype: Any = None) -> Tensor:
    r"""Softmax along a dimension: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension whose elements sum to one; None means 0 for inputs of rank 0, 1
            and 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is not a floating-point Tensor (without `dtype`).
    Raises ValueError: the dimension is out of range.
    Difference from PyTorch: `dim` may be None.

    >>> print(ms.mint.softmax(ms.Tensor([1.0, 1.0]), 0))
    [0.5 0.5]
    """
    axis = nn_mint._implied_dim("softmax", input, dim)
    return nn_softmax.softmax(input, axis, dtype=dtype)


@op(
    function=False,
    mint="npu_gelu",
    samples=("f(2, 3)", "f(2, 3), 'tanh'"),
    errors=(
        ("f(2), 'foo'", ValueError, "approximate"),
        ("i(3)", TypeError, "floating-point"),
    ),
)
def npu_gelu(input: Tensor, approximate: str = "none") -> Tensor:
    r"""Gaussian error linear unit; the same as ``mint.nn.functional.gelu``.

    Args:
        input (Tensor): floating point, any shape.
        approximate (str): ``none`` or ``tanh``. Default: ``"none"``.

    Raises TypeError: the input is not a floating-point Tensor.
    Raises ValueError: `approximate` is unknown.
    Difference from PyTorch: ``torch.nn.functional.gelu``.

    >>> print(ms.mint.npu_gelu(ms.Tensor([1.0])))
    [0.8413447]
    """
    needs_float("npu_gelu", input)
    return F.gelu(
        input, approximate=choice("npu_gelu", "approximate", approximate, ("none", "tanh"))
    )


@op(
    function=False,
    mint="conv_tbc",
    samples=("f(5, 2, 3), f(3, 3, 4), f(4)", "f(5, 2, 3), f(2, 3, 4), f(4), 1"),
    errors=(
        ("f(5, 2), f(3, 3, 4), f(4)", ValueError, "rank"),
        ("f(5, 2, 3), f(3, 2, 4), f(4)", ValueError, "channels"),
        ("f(5, 2, 3), f(3, 3, 4), f(3)", ValueError, "'bias'"),
        ("f(5, 2, 3), f(3, 3, 4), f(4), -1", ValueError, "pad"),
    ),
    reference="torch.conv_tbc(torch.as_tensor(input), torch.as_tensor(weight), bias, pad)",
)
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    r"""Convolution over sequences in the order (time, batch, channel).

    Args:
        input (Tensor): shape :math:`(T, B, C_{in})`.
        weight (Tensor): shape :math:`(K, C_{in}, C_{out})`.
        bias (Tensor): shape :math:`(C_{out},)`.
        pad (int): zeros before and after in time. Default: 0.

    Returns: Tensor of shape :math:`(T + 2 \cdot pad - K + 1, B, C_{out})`.
    Raises ValueError: a wrong rank, or shapes that do not fit.

    >>> ones = ms.ops.ones
    >>> ms.mint.conv_tbc(ones((5, 2, 3)), ones((3, 3, 4)), ones((4,))).shape
    (3, 2, 4)
    """
    if input.dim() != 3 or weight.dim() != 3:
        raise ValueError(
            "For 'conv_tbc', the rank of 'input' and of 'weight' must be 3, but got shapes "
            f"{tuple(input.shape)} and {tuple(weight.shape)}."
        )
    if input.shape[2] != weight.shape[1]:
        raise ValueError(
            "For 'conv_tbc', 'weight' must take as many channels as 'input' has, "
            f"{input.shape[2]}, but got {weight.shape[1]} (shape {tuple(weight.shape)})."
        )
    if tuple(bias.shape) != (weight.shape[2],):
        raise ValueError(
            f"For 'conv_tbc', 'bias' must have shape ({weight.shape[2]},), but got "
            f"{tuple(bias.shape)}."
        )
    integer("conv_tbc", "pad", pad, 0)
    # time and channel last is what torch convolves on every device
    out = F.conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad)
    return out.permute(2, 0, 1)


# -------------------------------------------------------------------------------- resizing


def _image_target(op_name: str, x: Tensor, size: Any, scales: Any) -> tuple[Any, Any]:
    """The size or the factors of an image's output, checked."""
    if x.dim() != 4:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be 4, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    if (size is None) == (scales is None):
        raise ValueError(
            f"For '{op_name}', exactly one of the output's size and the factors must be given, but "
            f"got {size!r} and {scales!r}."
        )
    if size is not None:
        return int_tuple(op_name, "output_size", size, 2), None
    factors = tuple(scales) if isinstance(scales, (tuple, list)) else (scales, scales)
    if len(factors) != 2 or min(number(op_name, "scales", s) for s in factors) <= 0:
        raise ValueError(
            f"For '{op_name}', 'scales' must be two positive numbers, but got {scales!r}."
        )
    return None, factors


_IMAGE_SAMPLES = (
    "f(1, 2, 2, 3), (4, 5)",
    "f(1, 2, 2, 3), None, (2.0, 1.5)",
    "f(1, 1, 3, 3), [2, 2]",
)
_IMAGE_ERRORS = (
    ("f(1, 2, 2), (4, 4)", ValueError, "rank"),
    ("f(1, 1, 2, 2)", ValueError, "exactly one"),
    ("f(1, 1, 2, 2), (4, 4), (2.0, 2.0)", ValueError, "exactly one"),
    ("f(1, 1, 2, 2), (4, 0)", ValueError, "output_size"),
    ("f(1, 1, 2, 2), None, (2.0, 0.0)", ValueError, "scales"),
)


@op(
    "UpsampleNearest2D",
    function=False,
    primitive="UpsampleNearest2D",
    mint="nn.upsample_nearest2d_op",
    samples=_IMAGE_SAMPLES,
    errors=_IMAGE_ERRORS,
)
def _upsample_nearest_2d(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """Resize images: every output pixel is the nearest input pixel.

    Args:
        x (Tensor): uint8 or floating point, shape (N, C, H, W).
        output_size (Union[tuple[int], list[int]]): (height, width) of the output. Default: None.
        scales (Union[tuple[float], list[float]]): factors of the sizes instead. Default: None.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: not exactly one of size and factors, one that is not positive, or the rank is
        not 4.
    Difference from PyTorch: ``interpolate(x, size, scale_factor, mode="nearest")``.

    >>> print(ms.mint.nn.upsample_nearest2d_op(ms.Tensor([[[[1.0, 2.0]]]]), (1, 4)))
    [[[[1. 1. 2. 2.]]]]
    """
    size, factors = _image_target("UpsampleNearest2D", x, output_size, scales)
    return F.interpolate(x, size, factors)


@op(
    "UpsampleBilinear2D",
    function=False,
    primitive="UpsampleBilinear2D",
    mint="nn.upsample_bilinear2d_op",
    samples=(*_IMAGE_SAMPLES, "f(1, 2, 2, 3), (4, 5), None, True"),
    errors=(*_IMAGE_ERRORS, ("f(1, 1, 2, 2), (4, 4), None, 1", TypeError, "align_corners")),
)
def _upsample_bilinear_2d(
    x: Tensor, output_size: Any = None, scales: Any = None, align_corners: bool = False
) -> Tensor:
    """Resize images by bilinear interpolation.

    Args:
        x (Tensor): floating point, shape (N, C, H, W).
        output_size (Union[tuple[int], list[int]]): (height, width) of the output. Default: None.
        scales (Union[tuple[float], list[float]]): factors of the sizes instead. Default: None.
        align_corners (bool): whether the centers of the corner pixels coincide. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises TypeError: `align_corners` is not a bool.
    Raises ValueError: not exactly one of size and factors, one that is not positive, or the rank is
        not 4.
    Difference from PyTorch: ``interpolate(x, size, scale_factor, mode="bilinear")``.

    >>> x = ms.Tensor([[[[0.0, 2.0]]]])
    >>> print(ms.mint.nn.upsample_bilinear2d_op(x, (1, 3), None, True))
    [[[[0. 1. 2.]]]]
    """
    boolean("UpsampleBilinear2D", "align_corners", align_corners)
    size, factors = _image_target("UpsampleBilinear2D", x, output_size, scales)
    return F.interpolate(x, size, factors, mode="bilinear", align_corners=align_corners)


@op(
    "index_add",
    function=False,
    mint="index_add",
    samples=("f(3, 2), 0, i(4), f(4, 2), alpha=2",),
    errors=(
        ("f(2, 3), 0, torch.tensor([5]), f(1, 3)", RuntimeError, "range"),
        ("f(2, 3), 2, i(2), f(2, 3)", ValueError, "dim"),
        ("f(2, 3), 0, i(2) // 2, f(3, 3)", ValueError, "shape"),
        ("f(2, 3), 0, i(2) // 2, f(2, 3), alpha='x'", TypeError, "alpha"),
    ),
)
def _index_add_mint(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1
) -> Tensor:
    """Add slices along an axis, see ``Tensor.index_add``.

    Args:
        input (Tensor): what to add to; it stays as it is.
        dim (int): the axis.
        index (Tensor): integers, 1-D: where along the axis each slice is added. Slices of equal
            indices are all added.
        source (Tensor): the slices, of the shape of `input` with the length of `index` in the axis.
        alpha (number): a factor of the slices. Default: 1.

    Returns: Tensor of the shape and type of `input`.
    Raises TypeError: `index` are not integers, or `alpha` is not a number.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.

    >>> x, index = ms.ops.zeros(3), ms.Tensor([0, 2])
    >>> print(ms.mint.index_add(x, 0, index, ms.Tensor([5.0, 6.0])))
    [5. 0. 6.]
    """
    return add_at("index_add", input, dim, index, multiple(source, alpha), "dim")
