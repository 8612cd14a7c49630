"""Rows of torch.nn.functional that resize, sample and pad images."""

from __future__ import annotations

from dataclasses import replace

from agar.migrate.rules._declare import rule
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import SCALE_DOUBT, WHOLE_SCALE

_HEAD = "torch.nn.functional."

_RESIZE = "mode={mode}, align_corners={align_corners}"
_SCALED = (
    f"ops.interpolate({{input}}, scale_factor=float({{scale_factor}}), {_RESIZE}, "
    "recompute_scale_factor=True)"
)
_SCALED_EACH = Case(
    "ops.interpolate({input}, scale_factor=tuple(float(s) for s in {scale_factor}), "
    f"{_RESIZE}, recompute_scale_factor=True)",
    when="isinstance(scale_factor, (tuple, list))",
)
_SIZED = f"ops.interpolate({{input}}, {{size}}, {_RESIZE})"
#: where the corners are aligned, the sizes alone give the coordinates
_FRACTION = "scale_factor is not None and not (" + WHOLE_SCALE + ")"
_FRACTION_NOTE = (
    "MindSpore's ops.interpolate computes a scale that is not whole again from the sizes; mint's "
    "takes it as PyTorch does, and has no kernel for the CPU."
)
_FRACTIONAL = Case(
    "mint.nn.functional.interpolate({input}, scale_factor={scale_factor?}, mode={mode}, "
    "align_corners={align_corners})",
    when="size is None and mode in ('nearest', 'linear', 'bilinear') and not align_corners and "
    f"{_FRACTION}",
    note=_FRACTION_NOTE,
    doubt=SCALE_DOUBT,
)
rule(
    f"{_HEAD}interpolate(input, size=None, scale_factor=None, mode='nearest', "
    "align_corners=None, recompute_scale_factor=None, antialias=False)",
    Case(
        "mint.nn.functional.interpolate({input}, size={size?}, scale_factor={scale_factor?}, "
        "mode={mode}, align_corners={align_corners})",
        when="mode == 'bicubic'",
        note="MindSpore's ops.interpolate has other bicubic numbers; mint's has PyTorch's, and no "
        "kernel for the CPU.",
    ),
    replace(_FRACTIONAL, when=f"not recompute_scale_factor and {_FRACTIONAL.when}"),
    Case(_SIZED, when="size is not None", likely=True),
    Case(
        "ops.interpolate({input}, tuple(int(n * {scale_factor}) for n in {input}.shape[2:]), "
        "mode={mode})",
        when="mode == 'area'",
    ),
    _SCALED_EACH,
    _SCALED,
    refuse={"antialias": "blur the input first"},
    ignore="recompute_scale_factor",
    differs={"scale_factor": "MindSpore wants floats and recompute_scale_factor=True."},
    samples=[
        "(f(2, 3, 4, 5), (8, 6))",
        "(f(2, 3, 4, 5), scale_factor=2)",
        "(f(2, 3, 4, 5), size=(7, 6), mode='bilinear', align_corners=False)",
        "(f(2, 3, 4, 5), size=(7, 6), mode='bilinear', align_corners=True)",
        "(f(2, 3, 4, 5), scale_factor=(2, 3), mode='bilinear')",
        "(f(2, 3, 5, 7), scale_factor=(1.7, 2), mode='bilinear', align_corners=True)",
        "(f(2, 3, 5, 7), scale_factor=1.7, mode='bilinear', recompute_scale_factor=True)",
        "(f(2, 3, 5, 7), scale_factor=1.7)",
        "(f(2, 3, 4, 5), (8, 6), mode='bicubic')",
        "(f(2, 3, 4), size=8, mode='linear')",
        "(f(2, 3, 4, 6), size=(2, 3), mode='area')",
    ],
)
rule(
    f"{_HEAD}upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None)",
    _FRACTIONAL,
    Case(_SIZED, when="size is not None", likely=True),
    _SCALED_EACH,
    _SCALED,
    samples=[
        "(f(2, 3, 4, 5), (8, 6))",
        "(f(2, 3, 4, 5), scale_factor=2)",
        "(f(2, 3, 5, 7), scale_factor=1.7, mode='bilinear')",
        "(f(2, 3, 5, 7), scale_factor=(1, 2))",
    ],
)
rule(
    f"{_HEAD}upsample_nearest(input, size=None, scale_factor=None)",
    Case(
        "mint.nn.functional.interpolate({input}, scale_factor={scale_factor?}, mode='nearest')",
        when=f"size is None and {_FRACTION}",
        note=_FRACTION_NOTE,
        doubt=SCALE_DOUBT,
    ),
    Case("ops.interpolate({input}, {size}, mode='nearest')", when="size is not None", likely=True),
    replace(_SCALED_EACH, template=_SCALED_EACH.template.replace(_RESIZE, "mode='nearest'")),
    _SCALED.replace(_RESIZE, "mode='nearest'"),
    samples=[
        "(f(2, 3, 4, 5), (8, 6))",
        "(f(2, 3, 4, 5), scale_factor=2)",
        "(f(2, 3, 5, 7), scale_factor=1.7)",
        "(f(2, 3, 5, 7), scale_factor=(3, 2))",
    ],
)
_ALIGNED = "mode='bilinear', align_corners=True"
rule(
    f"{_HEAD}upsample_bilinear(input, size=None, scale_factor=None)",
    Case(f"ops.interpolate({{input}}, {{size}}, {_ALIGNED})", when="size is not None", likely=True),
    replace(_SCALED_EACH, template=_SCALED_EACH.template.replace(_RESIZE, _ALIGNED)),
    _SCALED.replace(_RESIZE, _ALIGNED),
    samples=[
        "(f(2, 3, 4, 5), (8, 6))",
        "(f(2, 3, 4, 5), scale_factor=2)",
        "(f(2, 3, 5, 7), scale_factor=1.7)",
        "(f(2, 3, 5, 7), scale_factor=(1.7, 2))",
    ],
)
rule(
    f"{_HEAD}grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)",
    "ops.grid_sample({input}, {grid}, mode={mode}, padding_mode={padding_mode}, "
    "align_corners={align_corners})",
    refuse={"mode == 'bicubic'": "MindSpore has bilinear and nearest"},
    samples=[
        "(f(2, 3, 4, 5), f(2, 3, 2, 2), align_corners=False)",
        "(f(2, 3, 4, 5), f(2, 3, 2, 2), padding_mode='border', align_corners=True)",
        "(f(2, 3, 4, 5), f(2, 3, 2, 2).detach(), 'nearest')",
    ],
)
rule(
    f"{_HEAD}affine_grid(theta, size, align_corners=None)",
    "ops.affine_grid({theta}, tuple({size}), align_corners={align_corners} or False)",
    samples=["(f(2, 2, 3), (2, 3, 4, 5))", "(f(2, 2, 3), (2, 3, 4, 5), align_corners=True)"],
)
for _name, _argument, _shape in (
    ("pixel_shuffle", "upscale_factor", "2, 8, 3, 3"),
    ("pixel_unshuffle", "downscale_factor", "2, 2, 4, 6"),
):
    rule(
        f"{_HEAD}{_name}(input, {_argument})",
        f"ops.{_name}({{input}}, {{{_argument}}})",
        samples=[f"(f({_shape}), 2)"],
    )
for _name, _cut in (("channel_shuffle", ""), ("native_channel_shuffle", ".detach()")):
    rule(
        f"{_HEAD}{_name}(input, groups)",
        "{input}.reshape(({input}.shape[0], {groups}, -1) + {input}.shape[2:])"
        ".swapaxes(1, 2).reshape({input}.shape)",
        samples=[f"(f(2, 4, 3, 3){_cut}, 2)"],
        differs={"name": "MindSpore's own ops.channel_shuffle has no gradient."},
    )
rule(
    f"{_HEAD}pad(input, pad, mode='constant', value=None)",
    Case(
        "ops.pad({input}, {pad}, value={value})",
        when="mode == 'constant' and value is not None",
    ),
    "ops.pad({input}, {pad}, mode={mode})",
    samples=[
        "(f(3, 4), (1, 2))",
        "(f(2, 3, 4, 5), (1, 2, 0, 1), value=0.5)",
        "(f(2, 3, 4, 5), (1, 2, 0, 1), 'reflect')",
        "(f(2, 3, 4, 5), [1, 2, 3, 1], mode='replicate')",
        "(f(2, 3, 4, 5), (1, 2, 0, 1), mode='circular')",
        "(f(3, 5), (-1, 2))",
    ],
)
