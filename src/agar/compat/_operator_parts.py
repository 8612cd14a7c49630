"""What the expressions of `operators.txt` use beside agar's public functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch  # least squares by a given LAPACK driver, which no public function has

import agar as ms
from agar import mint as _mint
from agar import ops
from agar._core.random import GeneratorState

__all__ = [
    "adam_w",
    "as_strided",
    "axes",
    "batch_norm_ext",
    "convolution",
    "dropout",
    "dropout_channels",
    "fft_ortho",
    "fft_shape_copy",
    "group_norm",
    "irfft_double",
    "layer_norm_ext",
    "layer_norm_v3",
    "least_squares",
    "nll_loss_2d",
    "one_hot",
    "pulled",
    "scattered",
    "searchsorted",
    "seeded",
    "sliced",
    "tensor_copy_slices",
    "triangular",
    "unique",
    "unique_consecutive",
]

# its operators are made when they are asked for, which a type checker does not see
mint: Any = _mint


def axes(axis: Any) -> Any:
    """The axes of a reduction; None is all of them."""
    return () if axis is None else axis


def pulled(function: Any, x: Any, gradient: Any) -> Any:
    """The gradient of `x` from that of a function's result."""
    return ms.vjp(function, x)[1](gradient)[0]


def convolution(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Any:
    """Convolution over as many axes as the weight has behind its channels, or its transpose.

    Raises:
        ValueError: the transpose is asked for with a padding given as a word.
    """
    dims = weight.ndim - 2
    if not transposed:
        run = getattr(mint.nn.functional, f"conv{dims}d")
        return run(input, weight, bias, stride, padding, dilation, groups)
    if isinstance(padding, str):
        raise ValueError(
            f"For 'Convolution', 'padding' must be numbers where 'transposed' is True, but got "
            f"{padding!r}."
        )
    run = getattr(mint.nn.functional, f"conv_transpose{dims}d")
    return run(input, weight, bias, stride, padding, output_padding, groups, dilation)


def one_hot(tensor: Any, num_classes: int, on_value: Any, off_value: Any, axis: int) -> Any:
    """OneHotExt: -1 classes are as many as the largest index asks for."""
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return ops.one_hot(tensor, num_classes, on_value, off_value, axis)


def scattered(input: Any, dim: int, index: Any, src: Any, reduce: str) -> Any:
    """Scatter: elements of `src` put to places of a copy of `input`, or combined with them."""
    if reduce == "none":
        return mint.scatter(input, dim, index, src)
    result = mint.clone(input)
    return result.scatter_(dim, index, src, reduce=reduce)


def sliced(input: Any, dim: int, start: int, end: int, step: int) -> Any:
    """SliceExt: the places start, start + step, ... below end along an axis."""
    if not -input.ndim <= dim < input.ndim:
        raise ValueError(
            f"For 'SliceExt', 'dim' must lie in [{-input.ndim}, {input.ndim - 1}] for a Tensor of "
            f"shape {tuple(input.shape)}, but got {dim}."
        )
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


def unique(input: Any, sorted: bool, return_inverse: bool, return_counts: bool) -> tuple[Any, ...]:
    """Unique2: always three tensors; what is not asked for is empty."""
    none = ms.Tensor([], ms.int64)
    values, inverse, counts = mint.unique(input, sorted, True, True)
    return values, inverse if return_inverse else none, counts if return_counts else none


def unique_consecutive(
    input: Any, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Any, ...]:
    """UniqueConsecutive: always three tensors; what is not asked for is 0."""
    none = ms.Tensor(0, ms.int64)
    values, inverse, counts = mint.unique_consecutive(input, True, True, dim)
    return values, inverse if return_inverse else none, counts if return_counts else none


def searchsorted(sorted_sequence: Any, values: Any, sorter: Any, dtype: Any, right: bool) -> Any:
    """SearchSorted: the places as int32 or int64."""
    value = mint.searchsorted(sorted_sequence, values, right=right, sorter=sorter)
    return value.astype(dtype) if isinstance(dtype, ms.Type) else value


def triangular(a: Any, b: Any, trans: int, lower: bool, unit_diagonal: bool) -> Any:
    """SolveTriangular: the solution of a system whose matrix is a triangle."""
    from agar.scipy import linalg

    return linalg.solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit_diagonal)


def as_strided(input: Any, size: Any, stride: Any, storage_offset: int) -> Any:
    """AsStrided: elements of a tensor at steps of its storage, as a tensor of its own."""
    place = np.array(storage_offset)
    for count, step in zip(size, stride, strict=True):
        place = place[..., None] + np.arange(count) * step
    if place.size and not 0 <= place.min() <= place.max() < input.size:
        raise ValueError(
            f"For 'AsStrided', 'size' {tuple(size)}, 'stride' {tuple(stride)} and 'storage_offset' "
            f"{storage_offset} reach beyond the {input.size} elements of the input."
        )
    return input.reshape(-1)[ms.Tensor(place)]


def _moments(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """Mean, and one over the standard deviation, along axes that stay with size 1."""
    mean = mint.mean(x, axes, True)
    return mean, mint.rsqrt(mint.mean((x - mean) * (x - mean), axes, True) + eps)


def batch_norm_ext(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Any, Any, Any]:
    """BatchNormExt: the result, and the mean and one over the deviation that it was made with."""
    norm = mint.nn.functional.batch_norm
    normed = norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    if not training:
        return normed, mint.clone(running_mean), mint.rsqrt(running_var + eps)
    mean, scale = _moments(input, (0, *range(2, input.ndim)), eps)
    return normed, mean.reshape(-1), scale.reshape(-1)


def nll_loss_2d(
    input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> tuple[Any, Any]:
    """NLLLoss2d: the loss, and the sum of the weights of the targets that count."""
    loss = mint.nn.functional.nll_loss(input, target, weight, ignore_index, reduction)
    counted = target != ignore_index
    each = ops.gather(weight, mint.where(counted, target, 0), 0)
    return loss, mint.sum(each * counted.astype(weight.dtype))


def tensor_copy_slices(x: Any, value: Any, begin: Any, end: Any, strides: Any) -> Any:
    """TensorCopySlices: a copy with other values in one part."""
    out = x.copy()
    out[tuple(map(slice, begin, end, strides))] = value
    return out


def layer_norm_ext(
    input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float
) -> tuple[Any, Any, Any]:
    """LayerNormExt: the result, the mean, and one over the standard deviation."""
    normed = mint.nn.functional.layer_norm(input, normalized_shape, weight, bias, eps)
    axes = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    return normed, *_moments(input, axes, eps)


def group_norm(
    input: Any, num_groups: int, weight: Any, bias: Any, eps: float
) -> tuple[Any, Any, Any]:
    """GroupNorm: the result, and of each group the mean and one over the standard deviation."""
    normed = mint.nn.functional.group_norm(input, num_groups, weight, bias, eps)
    rows = input.reshape(input.shape[0], num_groups, -1)
    mean, scale = _moments(rows, (2,), eps)
    return normed, mean.reshape(mean.shape[:2]), scale.reshape(mean.shape[:2])


def layer_norm_v3(
    x: Any, gamma: Any, beta: Any, begin_norm_axis: int, begin_params_axis: int, epsilon: float
) -> tuple[Any, Any, Any]:
    """LayerNormV3: the third result is one over the standard deviation."""
    normed, mean, variance = ops.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)(
        x, gamma, beta
    )
    return normed, mean, ops.rsqrt(variance + epsilon)


def least_squares(a: Any, b: Any, driver: str | None) -> tuple[Any, ...]:
    """The solution, residuals, rank and singular values that LAPACK's driver gives."""
    return tuple(torch.linalg.lstsq(a, b, driver=driver))


def seeded(seed: Any, offset: Any) -> ms.Generator:
    """A generator at a seed and an offset, which ``Generator._step`` gave."""
    state = GeneratorState()
    state.manual_seed(int(seed))
    state.step(int(offset))
    return ms.Generator(state)


def dropout(input: Any, p: float, seed: Any, offset: Any) -> tuple[Any, Any]:
    """DropoutExt: the scaled elements that stay, and the mask of those."""
    keep = mint.rand(*input.shape, generator=seeded(seed, offset), dtype=ms.float32) >= p
    scale = 1.0 / (1.0 - p) if p < 1 else 0.0
    return input * keep.astype(input.dtype) * scale, keep


def dropout_channels(
    input: Any, p: float, training: bool, inplace: bool, seed: Any, offset: Any
) -> Any:
    """Dropout2dExt: whole channels are dropped, the others scaled."""
    if not training or p == 0:
        return input
    shape = (*input.shape[:2], *(1,) * (input.ndim - 2))
    retained, _ = dropout(mint.ones(shape, dtype=input.dtype), p, seed, offset)
    return input.mul_(retained) if inplace else input * retained


def adam_w(
    var: Any,
    m: Any,
    v: Any,
    max_v: Any,
    gradient: Any,
    step: Any,
    lr: float,
    beta1: float,
    beta2: float,
    decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
) -> tuple[Any, Any, Any]:
    """AdamW: one step of decoupled weight decay, written into the parameters."""
    count = float(step)
    if maximize:
        gradient = -gradient
    first = m * beta1 + gradient * (1 - beta1)
    second = v * beta2 + gradient * gradient * (1 - beta2)
    largest = ops.maximum(max_v, second) if amsgrad else second
    rate = lr / (1 - beta1**count)
    scale = ops.sqrt(largest) / (1 - beta2**count) ** 0.5 + eps
    new = var * (1 - lr * decay) - rate * first / scale
    ops.assign(var, new)
    ops.assign(m, first)
    ops.assign(v, second)
    if amsgrad:
        ops.assign(max_v, largest)
    return var, m, v


def _floating(op_name: str, name: str, value: Any, kind: str) -> None:
    """Refuse a tensor of another kind of numbers.

    Raises:
        TypeError: it is not a Tensor of that kind.
    """
    holds = isinstance(value, ms.Tensor) and getattr(value._value, f"is_{kind}")()
    if not holds:
        words = kind.replace("_", " ")
        came = value.dtype if isinstance(value, ms.Tensor) else type(value).__name__
        raise TypeError(
            f"For '{op_name}', the '{name}' must be a Tensor of {words} numbers, but got {came}."
        )


def fft_ortho(input: Any, axes: Any, forward: bool) -> Any:
    """FFTOrtho: the factors of an orthonormal cosine transform along some axes, or their inverse.

    Raises:
        TypeError: the input is not floating point.
    """
    _floating("FFTOrtho", "input", input, "floating_point")
    for axis in axes or ():
        count = input.shape[axis]
        factors = np.full(count, (2 * count) ** 0.5)
        factors[:1] = 2 * count**0.5
        shape = [1] * input.ndim
        shape[axis] = count
        scale = ms.Tensor((1 / factors if forward else factors).reshape(shape), input.dtype)
        input = input * scale
    return input


def irfft_double(input: Any, n: int, dim: int) -> Any:
    """IRFFTDouble: twice the frequencies that stand for two of the `n` of a whole transform.

    Raises:
        TypeError: the input is not complex.
    """
    _floating("IRFFTDouble", "input", input, "complex")
    factors = np.ones(input.shape[dim])
    factors[1 : (n - 1) // 2 + 1] = 2
    shape = [1] * input.ndim
    shape[dim] = len(factors)
    return input * ms.Tensor(factors.reshape(shape), input.dtype)


def fft_shape_copy(dout: Any, shape: Any) -> Any:
    """FFTShapeCopy: cut, or continued with zeros, to another shape of as many axes.

    Raises:
        ValueError: `shape` has another number of axes.
    """
    if len(shape) != dout.ndim:
        raise ValueError(
            f"For 'FFTShapeCopy', 'shape' must have {dout.ndim} numbers, but got {tuple(shape)}."
        )
    part = dout[tuple(map(slice, shape))]
    missing = [(0, count - have) for count, have in zip(shape, part.shape, strict=True)]
    return mint.nn.functional.pad(part, [n for pair in reversed(missing) for n in pair])
