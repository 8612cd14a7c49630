"""Calls of gradient primitives, and what MindSpore 2.10 returns for them.

A case is text over `ms`, `ops`, `G` (``ops.operations._grad_ops``), ``r(seed, *shape, lo, hi)``
(float32, uniform) and ``i(*values)`` (int32). Of each result its shape and two weighted sums are
kept. Run this file with a Python that has MindSpore to record them again.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).resolve().parent.parent / "data" / "gradient_primitives.json"

_X, _Y, _P = "r(1, 2, 3)", "r(2, 2, 3)", "r(3, 2, 3, lo=0.2, hi=0.9)"
_IMAGE = "r(4, 2, 4, 5, 6)"

CASES = [
    *(f"G.{name}()({_X} * 0.9, {_Y})" for name in ("AbsGrad", "ACosGrad", "AsinGrad", "AtanGrad")),
    *(f"G.{name}()({_P}, {_Y})" for name in ("AsinhGrad", "ReciprocalGrad", "InvGrad")),
    *(f"G.{name}()({_P}, {_Y})" for name in ("SigmoidGrad", "TanhGrad", "RsqrtGrad", "SqrtGrad")),
    f"G.AcoshGrad()({_P} + 1, {_Y})",
    f"G.LogitGrad()({_Y}, {_P})",
    f"G.LogitGrad(eps=0.3)({_Y}, {_P})",
    f"G.MvlgammaGrad(2)({_Y}, {_P} + 3)",
    "G.IgammaGradA()(r(5, 4, lo=0.5, hi=9), r(6, 4, lo=0.5, hi=12))",
    "G.MaximumGrad()(i(1, 2, 3).float(), i(1, 3, 2).float(), i(1, 2, 3).float())",
    "G.MinimumGrad()(i(1, 2, 3).float(), i(1, 3, 2).float(), i(1, 2, 3).float())",
    f"G.MaximumGrad()({_X}, r(7, 3), {_Y})",
    "G.ReluGrad()(i(1, 2, 3).float(), i(-1, 0, 1).float())",
    "G.ReLU6Grad()(i(1, 2, 3, 4).float(), i(0, 6, 1, 7).float())",
    *(
        f"G.{name}()({_Y}, {_X} * 4)"
        for name in ("SiLUGrad", "HSwishGrad", "HSigmoidGrad", "SoftplusGrad", "FastGeLUGrad")
    ),
    *(f"G.{name}(0.3)({_Y}, {_X})" for name in ("HShrinkGrad", "SoftShrinkGrad")),
    f"G.EluGrad()({_Y}, {_X})",
    f"G.GeLUGrad()({_Y}, {_X}, {_X})",
    "G.PReLUGrad()(r(8, 2, 3, 2), r(9, 2, 3, 2), r(10, 3))",
    f"G.GluGrad(1)({_Y}, r(11, 2, 6))",
    f"G.LogSoftmaxGrad()(-{_P}, {_Y})",
    f"G.LogSoftmaxGrad(0)(-{_P}, {_Y})",
    *(
        case
        for reduction, dout in (("none", _Y), ("mean", "r(12, 1)[0]"), ("sum", "r(12, 1)[0]"))
        for case in (
            f"G.SmoothL1LossGrad(0.5, '{reduction}')({_X}, {_P}, {dout})",
            f"G.KLDivLossGrad('{reduction}')({dout}, {_X}, {_P})",
            f"G.BinaryCrossEntropyGrad('{reduction}')({_P}, {_P}.round(), {dout}, {_P} + 1)",
        )
    ),
    *(
        case
        for reduction, dout in (("none", "r(13, 2)"), ("mean", "r(13, 1)[0]"))
        for case in (
            f"G.NLLLossGrad('{reduction}')({_X}, {dout}, i(1, 2), r(14, 3) + 2, r(15, 1)[0] + 3)",
            f"G.MultiMarginLossGrad(1, 1.0, '{reduction}')({dout}, {_X}, i(1, 2).long(), "
            "r(14, 3) + 2)",
        )
    ),
    f"G.SigmoidCrossEntropyWithLogitsGrad()({_X}, {_P}, {_Y})",
    f"G.DropoutGrad(0.6)({_Y}, {_P}.round())",
    "(lambda x: G.PdistGrad(3.0)(r(16, 3), x, ops.pdist(x, 3.0)))(r(17, 3, 2))",
    f"G.MedianGrad(True)(r(12, 1)[0], {_X}, ops.Median(True)({_X})[0], i(0).long())",
    f"G.MedianGrad(False, 1, False)(r(13, 2), {_X}, *ops.Median(False, 1, False)({_X}))",
    f"G.Conv2DBackpropFilter(4, 3, group=2)(r(18, 2, 4, 3, 4), {_IMAGE}, (4, 2, 3, 3))",
    f"G.Conv2DBackpropFilter(4, 3, 'same', stride=(2, 2))(r(19, 2, 4, 3, 3), {_IMAGE}, "
    "(4, 4, 3, 3))",
    "G.Conv3DBackpropFilter(2, (2, 2, 2))(r(20, 1, 3, 4, 4, 4), r(21, 1, 2, 3, 3, 3), "
    "(2, 3, 2, 2, 2))",
    "G.BiasAddGrad()(r(22, 2, 3, 2, 2))",
    *(
        f"(lambda x, y: G.{name}Grad(3, 2, '{mode}')(x, y, y * 2))"
        f"({_IMAGE}, ops.{name}(3, 2, '{mode}')({_IMAGE}))"
        for name in ("MaxPool", "AvgPool")
        for mode in ("VALID", "SAME")
    ),
    "(lambda x, y: G.MaxPool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2))(x, y, y * 2))"
    "(r(23, 1, 2, 4, 4, 4), ops.MaxPool3D(2, 2)(r(23, 1, 2, 4, 4, 4)))",
    "G.AvgPool3DGrad(2, 2, 1)((1, 2, 4, 4, 4), r(24, 1, 2, 3, 3, 3))",
    "G.AdaptiveAvgPool2DGrad()(r(25, 2, 4, 2, 3), i(2, 4, 5, 6).long())",
    "G.AdaptiveAvgPool3DGrad()(r(26, 1, 2, 2, 3, 2), i(1, 2, 4, 4, 4))",
    f"(lambda y, at: G.AdaptiveMaxPool2DGrad()(y, {_IMAGE}, at))"
    f"(*ops.AdaptiveMaxPool2D((2, 3))({_IMAGE}))",
    f"(lambda y, at: G.MaxPoolGradWithArgmax(2, 2)({_IMAGE}, y, at))"
    f"(*ops.MaxPoolWithArgmax(2, 2)({_IMAGE}))",
    f"(lambda y, at: G.MaxPoolGradWithArgmaxV2(3, 2, 1)({_IMAGE}, y, at))"
    f"(*ops.MaxPoolWithArgmaxV2(3, 2, 1)({_IMAGE}))",
    "G.FractionalAvgPoolGrad(True)(i(1, 6, 6, 1).long(), r(27, 1, 3, 4, 1), "
    "i(0, 2, 4, 6).long(), i(0, 1, 2, 4, 6).long())",
    "G.FractionalMaxPoolGrad(True)(r(28, 1, 6, 6, 1), r(29, 1, 3, 4, 1), r(27, 1, 3, 4, 1), "
    "i(0, 2, 4, 6).long(), i(0, 1, 2, 4, 6).long())",
    f"(lambda x, y: G.BatchNormGrad(True)(x * x, x, r(30, 4) + 2, y[3], y[4], y[4]))"
    f"({_IMAGE}, ops.BatchNorm(True)({_IMAGE}, r(30, 4) + 2, r(31, 4), ops.zeros(4), "
    "ops.ones(4)))",
    f"G.BatchNormGrad()({_IMAGE}, {_IMAGE} * 2, r(30, 4) + 2, r(31, 4), r(32, 4) + 2, r(31, 4))",
    f"(lambda x, y: G.LayerNormGrad(2, 3)(x, x * x, y[2], y[1], r(33, 6)))"
    f"({_IMAGE}, ops.LayerNorm(2, 3)({_IMAGE}, r(33, 6), r(34, 6)))",
    f"(lambda x, y: G.LayerNormGrad(-1, -1)(x, x * x, y[2], y[1], r(33, 6)))"
    f"({_IMAGE}, ops.LayerNorm(-1, -1)({_IMAGE}, r(33, 6), r(34, 6)))",
    f"G.L2NormalizeGrad(1)({_X}, ops.L2Normalize(1)({_X}), {_Y})",
    f"(lambda x: G.LRNGrad(1)(x * 2, x, ops.LRN(1)(x)))({_IMAGE})",
    *(
        case
        for options in ("", "True", "False, True")
        for case in (
            f"G.ResizeBilinearGrad({options})(r(35, 1, 2, 5, 7), r(36, 1, 2, 3, 4))",
            f"G.ResizeBicubicGrad({options})(r(35, 1, 2, 5, 7), r(36, 1, 2, 3, 4))",
            f"G.ResizeNearestNeighborV2Grad({options})(r(35, 1, 2, 5, 7), i(3, 4))",
        )
    ),
    "G.ResizeNearestNeighborGrad()(r(35, 1, 2, 5, 7), (3, 4))",
    "G.ResizeLinear1DGrad()(r(37, 1, 2, 7), r(38, 1, 2, 4))",
    *(
        f"G.GridSampler2DGrad('{mode}', '{pad}', True)"
        "(r(39, 1, 2, 3, 3), r(40, 1, 2, 4, 4), r(41, 1, 3, 3, 2) * 1.3)"
        for mode, pad in (("bilinear", "zeros"), ("bilinear", "reflection"), ("nearest", "border"))
    ),
    "G.GridSampler3DGrad()(r(42, 1, 1, 2, 2, 2), r(43, 1, 1, 3, 3, 3), r(44, 1, 2, 2, 2, 3))",
    "G.UpsampleNearest3DGrad()(r(45, 1, 1, 4, 4, 4), (1, 1, 2, 2, 2), (4, 4, 4), None)",
    "G.UpsampleTrilinear3DGrad()(r(45, 1, 1, 4, 4, 4), (1, 1, 2, 2, 2), (4, 4, 4), None)",
    "G.AffineGridGrad(True)(r(46, 2, 3, 4, 2), (2, 1, 3, 4))",
    "G.ROIAlignGrad(2, 2, 0.5, 2)(r(47, 1, 4, 2, 2), i(0, 1, 1, 6, 7).float().reshape(1, 5), "
    "(2, 4, 5, 6))",
    "G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 3))"
    "(r(48, 1, 2, 6, 9), r(49, 1, 2, 4, 5), r(50, 1, 18, 3, 3))",
    "G.ScaleAndTranslateGrad()(r(51, 1, 4, 3, 1), r(52, 1, 3, 4, 1), r(53, 2) + 2, r(54, 2))",
    "G.FlattenGrad()(r(55, 2, 6), (2, 2, 3))",
    f"G.SliceGrad()(r(56, 1, 2), {_X}, (1, 0), (1, 2))",
    "G.StridedSliceGrad()(r(57, 1, 2), (2, 3), (0, 0), (1, 3), (1, 2))",
    *(
        f"G.MirrorPadGrad('{mode}')(r(58, 4, 5), i(1, 1, 1, 1).long().reshape(2, 2))"
        for mode in ("REFLECT", "SYMMETRIC")
    ),
    "G.PadV3Grad()(r(59, 1, 4, 7), i(1, 2).long())",
    "G.PadV3Grad('edge')(r(60, 1, 1, 4, 7), i(1, 2, 1, 1).long())",
    f"G.GatherDGradV2()({_X}, 1, i(0, 0, -1, 1).long().reshape(2, 2), r(61, 2, 2))",
    "G.TraceGrad()(r(12, 1)[0], i(2, 3).long())",
    *(
        f"G.SparseSegment{w}Grad()(r(62, 2, 3), i(0, 2, 1), i(0, 0, 1), i(4)[0])"
        for w in ("Mean", "SqrtN")
    ),
    *(
        f"(lambda x, dy, d, b: G.BatchNormGradGrad({training})(x, dy, b + 2, x.mean((0, 2, 3)), "
        "(x * x).mean((0, 2, 3)) - x.mean((0, 2, 3)) ** 2, d, b, b * 2))"
        "(r(66, 2, 3, 2, 2), r(67, 2, 3, 2, 2), r(68, 2, 3, 2, 2), r(69, 3))"
        for training in (True, False)
    ),
    "(lambda x, d, b: G.LayerNormGradGrad()(x, x * x, (x * x).mean(1, True) - x.mean(1, True) ** 2, "
    "x.mean(1, True), b, d, b * 2, b * 3))(r(70, 4, 5), r(71, 4, 5), r(72, 5))",
    "G.SparseFillEmptyRowsGrad()(i(2, 1, 0, 3).long(), r(73, 5))",
    "G.SparseSliceGrad()(r(74, 2), i(0, 0, 0, 1, 1, 2, 2, 0).long().reshape(4, 2), "
    "i(0, 1).long(), i(0, 0, 1, 1).long().reshape(2, 2))",
    "G.LuUnpackGrad(True, True)(r(63, 3, 3), r(64, 3, 3), r(65, 3, 3))",
    f"G.ConcatOffset(2, 1)(({_X}, {_Y}))",
]


def names(ms: Any) -> dict[str, Any]:
    """What the text of a case refers to, over a framework."""

    def r(seed: int, *shape: int, lo: float = -1.0, hi: float = 1.0) -> Any:
        drawn = np.random.RandomState(seed).uniform(lo, hi, shape)
        return ms.Tensor(drawn.astype(np.float32))

    def i(*values: int) -> Any:
        return ms.Tensor(np.array(values, np.int32))

    primitives = import_module(f"{ms.__name__}.ops.operations._grad_ops")
    return {"ms": ms, "ops": ms.ops, "G": primitives, "r": r, "i": i}


def digest(result: Any) -> list[list[Any]]:
    """The shape and two sums of each tensor of a result."""
    items = []
    for part in result if isinstance(result, (tuple, list)) else (result,):
        values = part.asnumpy().astype(np.float64)
        weights = np.cos(np.arange(values.size)).reshape(values.shape)
        items.append([list(values.shape), float(values.sum()), float((values * weights).sum())])
    return items


def record() -> None:
    """Write what MindSpore returns."""
    scope = names(import_module("mindspore"))
    entries = {case: digest(eval(case, scope)) for case in CASES}
    lines = ",\n".join(
        f"{json.dumps(case)}: {json.dumps(value)}" for case, value in entries.items()
    )
    DATA.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    record()
