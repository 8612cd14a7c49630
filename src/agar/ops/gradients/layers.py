"""Gradients as primitives: of normalization, images, slices and padding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.optable import lookup
from agar.ops._private import NEEDED
from agar.ops.gradients.elementwise import declare, forward, pull_back
from agar.ops.gradients.windows import ints, of_first, with_forward
from agar.ops.image.windows import (
    dilate,
    dilation_plan,
    offset_plan,
    sample_offsets,
    scale_weights,
)

__all__: list[str] = ["batch_norm", "layer_norm"]

# ----------------------------------------------------------------------------- normalization


def batch_norm(
    dout: Tensor,
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    reserve: Tensor | None,
    is_training: bool,
    epsilon: float,
    data_format: str,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of BatchNorm for its input, scale and bias."""
    channel = x.ndim - 1 if data_format == "NHWC" else 1
    axes = [i for i in range(x.ndim) if i != channel]
    shape = [1] * x.ndim
    shape[channel] = -1
    kind = torch.promote_types(x.dtype, torch.float32)
    x_, d_ = x.to(kind), dout.to(kind)
    inverse = torch.rsqrt(variance.to(kind) + epsilon)
    centered = (x_ - mean.to(kind).reshape(shape)) * inverse.reshape(shape)
    by_scale, by_bias = (d_ * centered).sum(axes), d_.sum(axes)
    factor = (scale.to(kind) * inverse).reshape(shape)
    if is_training:
        count = x.numel() / x.shape[channel]
        spread = centered * (by_scale / count).reshape(shape)
        d_ = d_ - (by_bias / count).reshape(shape) - spread
    return (d_ * factor).to(x.dtype), by_scale.to(scale.dtype), by_bias.to(scale.dtype)


declare(
    "BatchNormGrad",
    "dout x scale saved_mean saved_variance reserve?",
    batch_norm,
    is_training=False,
    epsilon=1e-5,
    data_format="NCHW",
)


def _batch_norm_ext(
    dout: Tensor,
    x: Tensor,
    weight: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    saved_mean: Tensor | None,
    saved_rstd: Tensor | None,
    output_mask: Any,
    training: bool,
    eps: float,
) -> tuple[Tensor, ...]:
    return torch.ops.aten.native_batch_norm_backward(
        dout,
        x,
        weight,
        running_mean,
        running_var,
        saved_mean,
        saved_rstd,
        training,
        eps,
        [bool(v) for v in output_mask],
    )


declare(
    "BatchNormGradExt",
    "dout input weight? running_mean? running_var? saved_mean? saved_rstd? output_mask=(1,1,1)",
    _batch_norm_ext,
    training=False,
    eps=1e-5,
)


def layer_norm(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    begin_norm_axis: int,
    begin_params_axis: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of LayerNorm for its input, gamma and beta."""
    norm = begin_norm_axis % x.ndim
    params = begin_params_axis % x.ndim
    axes, lead = list(range(norm, x.ndim)), list(range(params))
    kind = torch.promote_types(x.dtype, torch.float32)
    x_, d_, gamma_ = (v.to(kind) for v in (x, dy, gamma))
    shape = [*x.shape[:norm], *(1,) * (x.ndim - norm)]
    inverse = torch.rsqrt(variance.to(kind).reshape(shape) + 1e-12)
    centered = (x_ - mean.to(kind).reshape(shape)) * inverse
    by_gamma = (d_ * centered).sum(lead).reshape(gamma.shape) if lead else d_ * centered
    by_beta = d_.sum(lead).reshape(gamma.shape) if lead else d_
    inner = d_ * gamma_
    result = inner - inner.mean(axes, keepdim=True)
    result = (result - centered * (inner * centered).mean(axes, keepdim=True)) * inverse
    return result.to(x.dtype), by_gamma.to(gamma.dtype), by_beta.to(gamma.dtype)


for _name in ("LayerNormGrad", "LayerNormGradV3"):
    declare(
        _name,
        "x dy variance mean gamma",
        (
            layer_norm
            if _name == "LayerNormGrad"
            else lambda x, dy, rstd, mean, gamma, **axes: layer_norm(
                x, dy, rstd.float().pow(-2), mean, gamma, **axes
            )
        ),
        begin_norm_axis=1,
        begin_params_axis=1,
    )
declare(
    "LayerNormGradExt",
    "dy x normalized_shape! mean variance gamma~ beta~ output_mask=(1,1,1)",
    lambda dy, x, shape, mean, rstd, gamma, beta, mask: torch.ops.aten.native_layer_norm_backward(
        dy, x, list(shape), mean, rstd, gamma, beta, [bool(v) for v in mask]
    ),
)


def _rms_norm(dy: Tensor, x: Tensor, rstd: Tensor, gamma: Tensor) -> tuple[Tensor, Tensor]:
    kind = torch.promote_types(x.dtype, torch.float32)
    x_, d_, r = x.to(kind), dy.to(kind), rstd.to(kind)
    scaled = x_ * r
    lead = list(range(x.ndim - gamma.ndim))
    axes = list(range(x.ndim - gamma.ndim, x.ndim))
    inner = d_ * gamma.to(kind)
    result = (inner - scaled * (inner * scaled).mean(axes, keepdim=True)) * r
    by_gamma = (d_ * scaled).sum(lead) if lead else d_ * scaled
    return result.to(x.dtype), by_gamma.float()


declare("RmsNormGrad", "dy x rstd gamma", _rms_norm)


def _group_norm(
    dy: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    gamma: Tensor | None,
    num_groups: int,
    by_x: bool,
    by_gamma: bool,
    by_beta: bool,
) -> tuple[Tensor, ...]:
    batch, channels = x.shape[:2]
    return torch.ops.aten.native_group_norm_backward(
        dy,
        x,
        mean,
        rstd,
        gamma,
        batch,
        channels,
        x.shape[2:].numel(),
        num_groups,
        [by_x, by_gamma, by_beta],
    )


declare(
    "GroupNormGrad",
    "dy x mean rstd gamma_opt~ num_groups! dx_is_require=True dgamma_is_require=True"
    " dbeta_is_require=True",
    _group_norm,
)
declare(
    "L2NormalizeGrad",
    "x out dout",
    of_first,
    setup=with_forward("L2Normalize", "axis", "epsilon"),
    axis=0,
    epsilon=1e-4,
)
declare(
    "LRNGrad",
    "grads x y",
    lambda dout, x, y, **options: pull_back(
        lambda v: lookup("primitive", "LRN").impl(v, **options), (x,), dout
    ),
    depth_radius=5,
    bias=1.0,
    alpha=1.0,
    beta=0.5,
)


# ------------------------------------------------------------------------------------ images


def _resize(name: str) -> Callable[..., Tensor]:
    """From the gradient and the image, or the sizes of the image."""

    def compute(dout: Tensor, image: Any, **options: Any) -> Tensor:
        if isinstance(image, Tensor):
            x, kind = image, image.dtype
        else:
            count = 2 if name != "ResizeLinear1D" else 1
            x = dout.new_zeros((*dout.shape[:2], *ints(image)[-count:]))
            kind = dout.dtype
        sizes = tuple(dout.shape[2:])
        run = lookup("primitive", name).impl
        return pull_back(lambda v: run(v, sizes, **options), (x,), dout).to(kind)

    return compute


for _name, _inputs, _forward in (
    ("ResizeBilinearGrad", "grads image", "ResizeBilinearV2"),
    ("ResizeBicubicGrad", "grads image", "ResizeBicubic"),
    ("ResizeNearestNeighborGrad", "grads size!", "ResizeNearestNeighborV2"),
    ("ResizeNearestNeighborV2Grad", "grads size!", "ResizeNearestNeighborV2"),
):
    declare(_name, _inputs, _resize(_forward), align_corners=False, half_pixel_centers=False)
declare(
    "ResizeLinear1DGrad",
    "grads x",
    _resize("ResizeLinear1D"),
    coordinate_transformation_mode="align_corners",
)


def _upsample(mode: str) -> Callable[..., Tensor]:
    def compute(
        dy: Tensor, size: Any, output_size: Any, scales: Any, align_corners: bool | None = None
    ) -> Tensor:
        x = dy.new_zeros(ints(size))
        options: dict[str, Any] = {"mode": mode}
        if mode != "nearest":
            options["align_corners"] = bool(align_corners)
        if output_size is None:
            options["scale_factor"] = tuple(float(v) for v in scales)
        else:
            options["size"] = ints(output_size)
        return pull_back(lambda v: F.interpolate(v, **options), (x,), dy)

    return compute


_SIZES = "dy input_size! output_size=None scales=None"
for _name, _mode in (
    ("UpsampleNearest1DGrad", "nearest"),
    ("UpsampleNearest2DGrad", "nearest"),
    ("UpsampleNearest3DGrad", "nearest"),
):
    declare(_name, _SIZES, _upsample(_mode))
for _name, _mode in (
    ("UpsampleLinear1DGrad", "linear"),
    ("UpsampleBilinear2DGrad", "bilinear"),
    ("UpsampleBicubic2DGrad", "bicubic"),
):
    declare(_name, f"{_SIZES} align_corners=False", _upsample(_mode))
declare("UpsampleTrilinear3DGrad", _SIZES, _upsample("trilinear"), align_corners=False)


def _grid(name: str) -> Callable[..., Any]:
    def compute(dout: Tensor, x: Tensor, grid: Tensor, output_mask: Any, **options: Any) -> Any:
        run = lookup("primitive", name).impl
        return pull_back(lambda *v: run(*v, **options), (x, grid), dout)

    return compute


for _name in ("GridSampler2DGrad", "GridSampler3DGrad"):
    declare(
        _name,
        "grad input_x grid",
        _grid(_name.removesuffix("Grad")),
        interpolation_mode="bilinear",
        padding_mode="zeros",
        align_corners=False,
        output_mask=(1, 1),
    )
declare(
    "AffineGridGrad",
    "y_grad x_size!",
    lambda dout, size, align_corners: pull_back(
        lambda v: F.affine_grid(v, list(ints(size)), align_corners),
        (dout.new_zeros(int(size[0]), len(size) - 2, len(size) - 1),),
        dout,
    ),
    align_corners=False,
)


def _roi_align(dout: Tensor, rois: Tensor, shape: Any, _state: Any, **_: Any) -> Tensor:
    return pull_back(lambda v: _state(v, rois), (dout.new_zeros(ints(shape)),), dout)


declare(
    "ROIAlignGrad",
    "dy rois xdiff_shape!",
    _roi_align,
    setup=with_forward("ROIAlign", "pooled_height", "pooled_width", "spatial_scale", "sample_num"),
    pooled_height=NEEDED,
    pooled_width=NEEDED,
    spatial_scale=NEEDED,
    sample_num=2,
)


def _deformable(dout: Tensor, x: Tensor, offsets: Tensor, _state: Any, **_: Any) -> Any:
    return pull_back(
        lambda v, places: sample_offsets("DeformableOffsetsGrad", v, places, _state),
        (x, offsets),
        dout,
    )


declare(
    "DeformableOffsetsGrad",
    "out_backprop input offsets",
    _deformable,
    setup=offset_plan,
    strides=NEEDED,
    pads=NEEDED,
    kernel_size=NEEDED,
    dilations=(1, 1, 1, 1),
    data_format="NCHW",
    deformable_groups=1,
    modulated=True,
)
for _name, _which in (("Dilation2DBackpropInput", 0), ("Dilation2DBackpropFilter", 1)):
    declare(
        _name,
        "x filter out_backprop",
        lambda x, filter, dout, _state, _which=_which, _name=_name, **_: pull_back(
            lambda v, kernel: dilate(_name, v, kernel, _state), (x, filter), dout
        )[_which],
        setup=dilation_plan,
        words=f"Gradient of Dilation2D for its {'filter' if _which else 'input'}",
        stride=NEEDED,
        dilation=NEEDED,
        pad_mode="SAME",
        data_format="NCHW",
    )


def _scale_and_translate(
    dout: Tensor, image: Tensor, scale: Any, shift: Any, kernel_type: str, antialias: bool
) -> Tensor:
    result = dout
    for axis in (0, 1):
        weights = scale_weights(
            kernel_type,
            antialias,
            image.shape[axis + 1],
            dout.shape[axis + 1],
            float(scale[axis]),
            float(shift[axis]),
            dout,
        )
        result = torch.einsum("oi,nohc->nihc" if axis == 0 else "oi,nhoc->nhic", weights, result)
    return result.to(image.dtype)


declare(
    "ScaleAndTranslateGrad",
    "grads original_image scale! translation!",
    _scale_and_translate,
    kernel_type="lanczos3",
    antialias=True,
)


# -------------------------------------------------------------------- slices, padding, places

declare("FlattenGrad", "x shape!", lambda dy, shape: dy.reshape(ints(shape)))
declare(
    "SliceGrad",
    "dy x begin! size!",
    lambda dy, x, begin, size: pull_back(
        lambda v: lookup("primitive", "Slice").impl(v, begin, size), (x,), dy
    ),
)
declare(
    "StridedSliceGrad",
    "dy shapex! begin! end! strides!",
    lambda dy, shape, begin, end, strides, **masks: pull_back(
        lambda v: lookup("primitive", "StridedSlice").impl(v, begin, end, strides, **masks),
        (dy.new_zeros(ints(shape)),),
        dy,
    ),
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
)


def _mirror_pad(dy: Tensor, paddings: Any, mode: str) -> Tensor:
    shape = [
        size - sum(int(v) for v in pair) for size, pair in zip(dy.shape, paddings, strict=True)
    ]
    pairs = tuple(tuple(int(v) for v in pair) for pair in paddings)
    run = forward("MirrorPad", mode=mode)
    return pull_back(lambda v: run(v, pairs), (dy.new_zeros(shape),), dy)


declare("MirrorPadGrad", "dy paddings!", _mirror_pad, mode="REFLECT")


def _pad_v3(dy: Tensor, paddings: Any, mode: str, paddings_contiguous: bool) -> Tensor:
    flat = ints(paddings)
    half = len(flat) // 2
    if not paddings_contiguous:
        flat = tuple(v for pair in zip(flat[:half], flat[half:], strict=True) for v in pair)
    shape = list(dy.shape)
    for i in range(half):
        shape[-1 - i] -= flat[2 * i] + flat[2 * i + 1]
    word = "replicate" if mode == "edge" else mode
    return pull_back(lambda v: F.pad(v, flat, mode=word), (dy.new_zeros(shape),), dy)


declare("PadV3Grad", "x paddings!", _pad_v3, mode="reflect", paddings_contiguous=True)
for _count in (1, 2, 3):
    for _word, _mode in (("Reflection", "reflect"), ("Replication", "replicate")):
        declare(
            f"{_word}Pad{_count}DGrad",
            "grad_output input padding!",
            lambda dy, x, padding, _mode=_mode: pull_back(
                lambda v: F.pad(v, ints(padding), mode=_mode), (x,), dy
            ),
        )
declare(
    "LuUnpackGrad",
    "L_grad U_grad LU_data",
    lambda by_l, by_u, data, **_: (by_l.tril(-1), by_u.triu()),
    L_grad_flag=NEEDED,
    U_grad_flag=NEEDED,
)
declare(
    "ConcatOffset",
    "input_x+",
    lambda parts, N, axis: _offsets(parts, axis),
    words="Where each of several tensors begins in their concatenation",
    N=2,
    axis=0,
)
declare(
    "MaskedSelectGrad",
    "input mask grad",
    lambda x, mask, dout: pull_back(lambda v: v.masked_select(mask), (x,), dout),
)
declare(
    "GatherDGradV2",
    "x dim! index dout",
    lambda x, dim, index, dout: torch.zeros_like(x).scatter_add(
        int(dim), torch.where(index < 0, index + x.shape[int(dim)], index).long(), dout
    ),
)
declare(
    "TraceGrad",
    "y_grad x_shape!",
    lambda dout, shape: dout * torch.eye(*ints(shape), dtype=dout.dtype, device=dout.device),
)
declare(
    "TraceV2Grad",
    "dout shape! offset=0 axis1=1 axis2=0",
    lambda dout, shape, offset, axis1, axis2: pull_back(
        lambda v: v.diagonal(offset, axis1, axis2).sum(-1), (dout.new_zeros(ints(shape)),), dout
    ),
)
declare(
    "Col2ImGrad",
    "input kernel_size! dilation=1 padding=0 stride=1",
    lambda dout, kernel, dilation, padding, stride: F.unfold(
        dout, kernel, dilation, padding, stride
    ),
)
declare(
    "UniqueGrad",
    "dy+ y+",
    lambda dy, y: dy[0].index_select(0, y[1].reshape(-1).long()).reshape(y[1].shape),
)


def _offsets(parts: list[Tensor], axis: int) -> Tensor:
    place = axis % parts[0].ndim
    result = torch.zeros(len(parts), parts[0].ndim, dtype=torch.int64, device=parts[0].device)
    sizes = torch.tensor([0, *(p.shape[place] for p in parts[:-1])], device=result.device)
    result[:, place] = sizes.cumsum(0)
    return result


def _repeat_interleave(dout: Tensor, repeats: Any, dim: int) -> Tensor:
    size = dout.shape[dim]
    counts = [int(v) for v in repeats] if isinstance(repeats, (list, tuple)) else [int(repeats)]
    if len(counts) == 1:
        counts = counts * (size // counts[0])
    at = torch.repeat_interleave(torch.tensor(counts, device=dout.device))
    shape = list(dout.shape)
    shape[dim] = len(counts)
    return dout.new_zeros(shape).index_add(dim, at, dout)


declare("RepeatInterleaveGrad", "input repeats! dim!", _repeat_interleave)


def _sparse_segment(power: float) -> Callable[..., Tensor]:
    """Rows of the gradient given back to where they were taken, divided by counts ** power."""

    def compute(dout: Tensor, indices: Tensor, segments: Tensor, rows: Any) -> Tensor:
        count = int(rows if isinstance(rows, int) else rows[0])
        ids = segments.long()
        many = torch.bincount(ids, minlength=len(dout)).to(dout.dtype)
        shares = many[ids].pow(-power).reshape(-1, *(1,) * (dout.ndim - 1))
        target = dout.new_zeros((count, *dout.shape[1:]))
        return target.index_add(0, indices.long(), dout[ids] * shares)

    return compute


for _word, _power in (("Sum", 0.0), ("Mean", 1.0), ("SqrtN", 0.5)):
    declare(
        f"SparseSegment{_word}Grad",
        "x indices segment_ids output_dim0!",
        _sparse_segment(_power),
    )


# ---------------------------------------------------------------------------------- one step


def _cell_state(
    c: Tensor,
    dh: Tensor,
    dc: Tensor,
    i: Tensor,
    j: Tensor,
    f: Tensor,
    o: Tensor,
    tanh_c: Tensor,
    forget_bias: float,
    activation: str,
) -> tuple[Tensor, Tensor]:
    """The gradients of the gates before their functions, in the order i, j, f, o, and of c."""
    whole = dc + dh * o * (1 - tanh_c * tanh_c)
    gates = (
        whole * j * i * (1 - i),
        whole * i * (1 - j * j),
        whole * c * f * (1 - f),
        dh * tanh_c * o * (1 - o),
    )
    return torch.cat(gates, -1), whole * f


declare(
    "BasicLSTMCellCStateGrad",
    "c dht dct it jt ft ot tanhct",
    _cell_state,
    words="Gradients of BasicLSTMCell for its gates and its cell state",
    forget_bias=NEEDED,
    activation=NEEDED,
)
declare(
    "BasicLSTMCellWeightGrad",
    "x h dgate",
    lambda x, h, dgate: (torch.cat((x, h), 1).mT @ dgate, dgate.sum(0)),
    words="Gradients of BasicLSTMCell for its weights and bias",
)
declare(
    "BasicLSTMCellInputGrad",
    "dgate w",
    lambda dgate, w, keep_prob: tuple(
        (dgate @ w.mT).split((w.shape[0] - w.shape[1] // 4, w.shape[1] // 4), 1)
    ),
    words="Gradients of BasicLSTMCell for its input and hidden state",
    keep_prob=NEEDED,
)
