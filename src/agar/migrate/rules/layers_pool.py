"""Rules of pooling, padding, resizing and rearranging."""

from __future__ import annotations

from agar.migrate.rules._declare import case, missing, rule
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import SCALE_DOUBT, WHOLE_SCALE

_POOL = {
    "stride": "it is 1 by default, PyTorch's the kernel size; write stride=",
    "pad_mode": "padding, dilation, ceil_mode and return_indices count only with pad_mode='pad'",
    "padding": "it counts only with pad_mode='pad'",
    "ceil_mode": "it counts only with pad_mode='pad'",
}
_WHOLE_WINDOWS = {
    "output_size": "MindSpore's 1d layer wants a length that output_size divides; agar takes any"
}
_SHAPES = {1: "2, 3, 9", 2: "2, 3, 9, 8", 3: "1, 2, 6, 7, 8"}


def _by_stride(usual: str, when: str | None) -> list[Case]:
    """Two forms: the stride is the kernel's size where none is given."""
    without = case(
        usual.replace("{stride}", "{kernel_size}"),
        f"stride is None and {when}" if when else "stride is None",
    )
    return [without, case(usual, when)]


for _d in (1, 2, 3):
    _simple = f"nn.MaxPool{_d}d({{kernel_size}}, {{stride}})"
    _full = (
        f"nn.MaxPool{_d}d({{kernel_size}}, {{stride}}, pad_mode='pad', padding={{padding}}, "
        "dilation={dilation}, return_indices={return_indices}, ceil_mode={ceil_mode})"
    )
    rule(
        f"torch.nn.MaxPool{_d}d(kernel_size, stride=None, padding=0, dilation=1, "
        "return_indices=False, ceil_mode=False)",
        *_by_stride(
            _simple, "padding == 0 and dilation == 1 and not return_indices and not ceil_mode"
        ),
        *_by_stride(_full, None),
        differs=_POOL,
        samples=[
            f"(2)(f({_SHAPES[_d]}))",
            f"(3, 2, 1)(f({_SHAPES[_d]}))",
            f"(3, stride=2, padding=1, ceil_mode=True)(f({_SHAPES[_d]}))",
            f"(2, return_indices=True)(f({_SHAPES[_d]}))",
            f"(2, 1, dilation=2)(f({_SHAPES[_d]}))",
        ],
    )
    _divisor = "" if _d == 1 else ", divisor_override={divisor_override}"
    _simple = f"nn.AvgPool{_d}d({{kernel_size}}, {{stride}})"
    _full = (
        f"nn.AvgPool{_d}d({{kernel_size}}, {{stride}}, pad_mode='pad', padding={{padding}}, "
        f"ceil_mode={{ceil_mode}}, count_include_pad={{count_include_pad}}{_divisor})"
    )
    _plain = "padding == 0 and not ceil_mode" + ("" if _d == 1 else " and divisor_override is None")
    rule(
        f"torch.nn.AvgPool{_d}d(kernel_size, stride=None, padding=0, ceil_mode=False, "
        "count_include_pad=True" + ("" if _d == 1 else ", divisor_override=None") + ")",
        *_by_stride(_simple, _plain),
        *_by_stride(_full, None),
        differs=_POOL,
        samples=[
            f"(2)(f({_SHAPES[_d]}))",
            f"(3, 2, 1)(f({_SHAPES[_d]}))",
            f"(3, stride=2, padding=1, count_include_pad=False)(f({_SHAPES[_d]}))",
            f"(3, 2, ceil_mode=True)(f({_SHAPES[_d]}))",
            *([] if _d == 1 else [f"(2, divisor_override=3)(f({_SHAPES[_d]}))"]),
        ],
    )
    rule(
        f"torch.nn.AdaptiveAvgPool{_d}d(output_size)",
        f"nn.AdaptiveAvgPool{_d}d({{output_size}})",
        differs=_WHOLE_WINDOWS if _d == 1 else {},
        samples=[
            f"(1)(f({_SHAPES[_d]}))",
            f"(4)(f({_SHAPES[_d]}))",
            *(["((5, None))(f(2, 3, 9, 8))", "((3, 4))(f(2, 3, 9, 8))"] if _d == 2 else []),
        ],
    )
    _indices = ", return_indices={return_indices}" if _d > 1 else ""
    rule(
        f"torch.nn.AdaptiveMaxPool{_d}d(output_size, return_indices=False)",
        *(
            [
                case(
                    "mint.nn.AdaptiveMaxPool1d({output_size}, return_indices=True)",
                    "return_indices",
                    note="MindSpore's kernel needs an Ascend device",
                )
            ]
            if _d == 1
            else []
        ),
        f"nn.AdaptiveMaxPool{_d}d({{output_size}}{_indices})",
        differs=_WHOLE_WINDOWS
        if _d == 1
        else {"dtype": "indices are int32, PyTorch's int64"}
        if _d == 3
        else {},
        samples=[
            f"(1)(f({_SHAPES[_d]}))",
            f"(4)(f({_SHAPES[_d]}))",
            f"(4, return_indices=True)(f({_SHAPES[_d]}))",
        ],
    )
    rule(
        f"torch.nn.MaxUnpool{_d}d(kernel_size, stride=None, padding=0)",
        f"nn.MaxUnpool{_d}d({{kernel_size}}, stride={{stride}}, padding={{padding}})",
        samples=[
            f"(2)(*[t.detach() for t in torch.nn.MaxPool{_d}d(2, return_indices=True)"
            f"(f(2, 3{', 6' * _d}))])",
        ],
    )
    if _d < 3:
        rule(
            f"torch.nn.LPPool{_d}d(norm_type, kernel_size, stride=None, ceil_mode=False)",
            f"nn.LPPool{_d}d({{norm_type}}, {{kernel_size}}, stride={{stride}}, "
            "ceil_mode={ceil_mode})",
            samples=[
                f"(2, 3)(f({_SHAPES[_d]}))",
                f"(1, 2, stride=1)(p({_SHAPES[_d]}))",
                f"(2.0, 3, 2, ceil_mode=True)(f({_SHAPES[_d]}))",
            ],
        )
missing(
    "torch.nn.LPPool3d(norm_type, kernel_size, stride=None, ceil_mode=False)",
    "MindSpore has nn.LPPool1d and nn.LPPool2d. Compute it as (nn.AvgPool3d(k, s)(x ** p) * "
    "k ** 3) ** (1 / p) for inputs that are not negative.",
)
for _d, _shape in ((2, "2, 3, 9, 8"), (3, "1, 2, 6, 7, 8")):
    rule(
        f"torch.nn.FractionalMaxPool{_d}d(kernel_size, output_size=None, output_ratio=None, "
        "return_indices=False, _random_samples=None)",
        f"nn.FractionalMaxPool{_d}d({{kernel_size}}, output_size={{output_size}}, "
        "output_ratio={output_ratio}, return_indices={return_indices}, "
        "_random_samples={_random_samples})",
        differs={"seed": "the regions are drawn from MindSpore's generators"},
        weights="_random_samples=",
        samples=[
            f"(2, output_size=3, _random_samples=torch.full(({_shape[0]}, {_shape[3]}, {_d}), "
            f"0.4, dtype=torch.float64))(f({_shape}))",
        ],
    )

# ----------------------------------------------------------------- padding

for _d in (1, 2, 3):
    _sides = ", ".join(str(n % 2 + 1) for n in range(2 * _d))
    for _kind in ("Reflection", "Replication"):
        rule(
            f"torch.nn.{_kind}Pad{_d}d(padding)",
            f"nn.{_kind}Pad{_d}d({{padding}})",
            samples=[f"(1)(f({_SHAPES[_d]}))", f"(({_sides}))(f({_SHAPES[_d]}))"],
        )
    rule(
        f"torch.nn.ConstantPad{_d}d(padding, value)",
        f"nn.ConstantPad{_d}d({{padding}}, {{value}})",
        samples=[f"(1, 2.5)(f({_SHAPES[_d]}))", f"(({_sides}), -1.0)(f({_SHAPES[_d]}))"],
    )
    rule(
        f"torch.nn.ZeroPad{_d}d(padding)",
        "nn.ZeroPad2d({padding})" if _d == 2 else f"nn.ConstantPad{_d}d({{padding}}, 0.0)",
        samples=[f"(1)(f({_SHAPES[_d]}))", f"(({_sides}))(f({_SHAPES[_d]}))"],
    )
    _all = ", ".join(["{padding}"] * 2 * _d)
    rule(
        f"torch.nn.CircularPad{_d}d(padding)",
        case(f"_CircularPad(({_all}))", "isinstance(padding, int)"),
        "_CircularPad({padding})",
        samples=[f"(1)(f({_SHAPES[_d]}))", f"(({_sides}))(f({_SHAPES[_d]}))"],
        note="MindSpore has the function only.",
    )

# ---------------------------------------------------------------- resizing

_SCALE = {
    "scale_factor": "in MindSpore, nearest, linear and bilinear take a scale only together with "
    "recompute_scale_factor=True",
    "recompute_scale_factor": "PyTorch computes with the given scale; for a whole number both "
    "are the same",
    "align_corners": "None means False in both",
    "mode": "bicubic has other coefficients than PyTorch's; mint.nn.Upsample has the same",
}
_WHOLE = f"size is None and scale_factor is not None and {WHOLE_SCALE}"
_FLOATS = (
    "nn.Upsample(scale_factor=(tuple(float(s) for s in {scale_factor}) if "
    "isinstance({scale_factor}, (tuple, list)) else float({scale_factor})), "
)
rule(
    "torch.nn.Upsample(size=None, scale_factor=None, mode='nearest', align_corners=None, "
    "recompute_scale_factor=None)",
    case(  # with aligned corners the sizes alone give the coordinates, whatever the scale
        f"{_FLOATS}mode={{mode}}, align_corners={{align_corners}}, recompute_scale_factor=True)",
        "size is None and mode in ('linear', 'bilinear') and align_corners",
    ),
    case(
        f"{_FLOATS}mode={{mode}}, align_corners={{align_corners}}, recompute_scale_factor=True)",
        "mode in ('nearest', 'linear', 'bilinear') and recompute_scale_factor is None and "
        f"{_WHOLE}",
        likely=True,  # fractions are rare, and nn.Upsample takes no whole numbers
        doubt=SCALE_DOUBT,
    ),
    case(
        "mint.nn.Upsample(size={size}, scale_factor={scale_factor}, mode={mode}, "
        "align_corners={align_corners}, recompute_scale_factor={recompute_scale_factor})",
        "mode == 'bicubic' or mode == 'nearest' and scale_factor is not None "
        "or mode in ('linear', 'bilinear') and scale_factor is not None "
        "and not recompute_scale_factor",
        note="nn.Upsample has other coefficients for bicubic, and takes no scale for others; "
        "where MindSpore has no kernel for mint.nn.Upsample (CPU), give the size",
    ),
    "nn.Upsample(size={size}, scale_factor={scale_factor}, mode={mode}, "
    "align_corners={align_corners}, recompute_scale_factor={recompute_scale_factor})",
    differs=_SCALE,
    samples=[
        "(scale_factor=2)(f(2, 3, 4, 5))",
        "(scale_factor=2.0, mode='nearest')(f(2, 3, 4, 5))",
        "(scale_factor=2, mode='bilinear', align_corners=True)(f(2, 3, 4, 5))",
        "(scale_factor=(2, 3), mode='bilinear')(f(2, 3, 4, 5))",
        "(size=(7, 9), mode='bilinear', align_corners=False)(f(2, 3, 4, 5))",
        "(size=9, mode='linear')(f(2, 3, 5))",
        "((7, 9), mode='bicubic')(f(2, 3, 4, 5))",
        "(scale_factor=1.5, mode='bilinear')(f(2, 3, 5, 7))",
        "((3, 4, 5), mode='trilinear')(f(1, 2, 4, 4, 4))",
        "((3, 8))(f(2, 3, 4, 5))",
        "(scale_factor=2, mode='linear')(f(2, 3, 5))",
        "(scale_factor=2, mode='trilinear', align_corners=True)(f(1, 2, 3, 4, 4))",
        "(scale_factor=2.5)(f(2, 3, 4, 5))",
        "(scale_factor=3)(f(2, 3, 5))",
        "(scale_factor=2)(f(1, 2, 3, 4, 4))",
    ],
)
rule(
    "torch.nn.UpsamplingNearest2d(size=None, scale_factor=None)",
    case(
        f"{_FLOATS}recompute_scale_factor=True)",
        _WHOLE,
        likely=True,
        doubt=SCALE_DOUBT,
    ),
    case(
        "mint.nn.Upsample(scale_factor={scale_factor})",
        "scale_factor is not None",
        note="nn.Upsample takes no scale that is not whole; where MindSpore has no kernel for "
        "mint.nn.Upsample (CPU), give the size",
    ),
    "nn.Upsample(size={size}, scale_factor={scale_factor})",
    differs=_SCALE,
    samples=[
        "(scale_factor=2)(f(2, 3, 4, 5))",
        "(scale_factor=1.7)(f(2, 3, 5, 7))",
        "((7, 9))(f(2, 3, 4, 5))",
    ],
)
rule(
    "torch.nn.UpsamplingBilinear2d(size=None, scale_factor=None)",
    case(
        f"{_FLOATS}mode='bilinear', align_corners=True, recompute_scale_factor=True)",
        "size is None",
    ),
    "nn.Upsample(size={size}, scale_factor={scale_factor}, mode='bilinear', align_corners=True)",
    differs=_SCALE,
    samples=[
        "(scale_factor=2)(f(2, 3, 4, 5))",
        "(scale_factor=(1.7, 2))(f(2, 3, 5, 7))",
        "((7, 9))(f(2, 3, 4, 5))",
    ],
)
rule(
    "torch.nn.PixelShuffle(upscale_factor)",
    "nn.PixelShuffle({upscale_factor})",
    samples=["(2)(f(2, 8, 3, 4))"],
)
rule(
    "torch.nn.PixelUnshuffle(downscale_factor)",
    "nn.PixelUnshuffle({downscale_factor})",
    samples=["(2)(f(2, 2, 6, 4))"],
)
rule(
    "torch.nn.ChannelShuffle(groups)",
    "nn.ChannelShuffle({groups})",
    samples=["(2)(f(2, 6, 3, 4))"],
)

# ------------------------------------------------------------- rearranging

rule(
    "torch.nn.Flatten(start_dim=1, end_dim=-1)",
    "nn.Flatten(start_dim={start_dim}, end_dim={end_dim})",
    samples=["()(f(2, 3, 4))", "(0, 1)(f(2, 3, 4))"],
)
rule(
    "torch.nn.Unflatten(dim, unflattened_size)",
    "nn.Unflatten({dim}, tuple({unflattened_size}))",
    refuse={"isinstance(dim, str)": "MindSpore has no named dimensions; give the number"},
    samples=["(1, (2, 3))(f(4, 6))", "(0, [2, -1])(f(4, 6))"],
)
rule(
    "torch.nn.Unfold(kernel_size, dilation=1, padding=0, stride=1)",
    "mint.nn.Unfold({kernel_size}, dilation={dilation}, padding={padding}, stride={stride})",
    differs={
        "ksizes": "nn.Unfold is another layer: it takes ksizes, strides and rates of four numbers "
        "and keeps two dimensions; mint.nn.Unfold and ops.unfold are PyTorch's"
    },
    samples=["(2)(f(2, 3, 5, 6))", "((2, 3), 1, 1, 2)(f(2, 3, 5, 6))"],
    note="on MindSpore's CPU use ops.unfold",
)
rule(
    "torch.nn.Fold(output_size, kernel_size, dilation=1, padding=0, stride=1)",
    "mint.nn.Fold({output_size}, {kernel_size}, dilation={dilation}, padding={padding}, "
    "stride={stride})",
    samples=["((4, 5), 2)(f(2, 12, 12))", "((4, 5), (2, 2), 1, 1, 2)(f(2, 12, 9))"],
    note="on MindSpore's CPU use ops.fold",
)
