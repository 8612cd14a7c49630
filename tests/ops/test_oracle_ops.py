"""Operators replay what MindSpore 2.10 was recorded to return: values, types and gradients.

The cases and how they run are described in tests/oracle/README.md. Those in `DIFFERENCES` must
differ, all others agree.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import pytest

import agar
from oracle import encoding, replay

CASES = replay.load("ops")


class Difference(NamedTuple):
    """Cases that differ for one reason."""

    reason: str
    cases: tuple[str, ...]


DIFFERENCES = (
    Difference(
        "MindSpore returns zero as the gradient of these inputs; the true one is returned here.",
        (
            "indexing: ops.one_hot | i32(0,2) | 3 | Tensor(1.0,ms.float32) | "
            "Tensor(0.0,ms.float32) | 0",
            "primitive: ops.OneHot() | i32(0,2) | 3 | Tensor(1.0,ms.float32) | "
            "Tensor(0.0,ms.float32)",
            "primitive: ops.OneHot(axis=0) | i32(0,2) | 3 | Tensor(1.0,ms.float32) | "
            "Tensor(0.0,ms.float32)",
            "neural: ops.iou | f32(0,0,2,2,1,1,3,3).reshape(2,4) | f32(0,0,2,2).reshape(1,4)",
            "primitive: ops.IOU() | f32(0,0,2,2,1,1,3,3).reshape(2,4) | f32(0,0,2,2).reshape(1,4)",
            "neural: ops.binary_cross_entropy_with_logits | t((2,3),1) | t((2,3),2,0,1) | "
            "t((3,),3,0.5,2) | t((3,),4,0.5,2) | 'sum'",
            "neural: ops.kl_div | t((2,3),1,-3,-0.1) | t((2,3),2,0.1,0.9)",
            "neural: ops.kl_div | t((2,3),1,-3,-0.1) | t((2,3),2,0.1,0.9) | 'batchmean'",
            "primitive: ops.SigmoidCrossEntropyWithLogits() | t((2,3),1) | t((2,3),2,0,1)",
            "primitive: ops.BCEWithLogitsLoss() | t((2,3),1) | t((2,3),2,0,1) | t((3,),3,0.5,1) | "
            "t((3,),4,0.5,1)",
            "primitive: ops.BinaryCrossEntropy() | t((2,3),1,0.1,0.9) | t((2,3),2,0,1) | "
            "t((2,3),3,0.5,1)",
            "primitive: ops.SoftmaxCrossEntropyWithLogits() | t((2,3),1) | "
            "f32(0,0,1,1,0,0).reshape(2,3)",
            "primitive: ops.NLLLoss() | t((2,3),1,-3,-0.1) | i32(1,2) | f32(1,1,1)",
            "primitive: ops.KLDivLoss() | t((2,3),1,-3,-0.1) | t((2,3),2,0.1,0.9)",
        ),
    ),
    Difference(
        "A defect of MindSpore's gradient: masks of StridedSlice are ignored, that of the "
        "truncated remainder rounds down, that of selu is small for positive numbers, that of "
        "cholesky_inverse counts the other triangle.",
        (
            "primitive: ops.StridedSlice(begin_mask=1,shrink_axis_mask=2) | ar(3,4) | (1,1) | "
            "(3,2) | (1,1)",
            "primitive: ops.Mod() | f32(7,-7) | f32(3,3)",
            "activation: ops.selu | t((2,3),1)",
            "linear algebra: ops.cholesky_inverse | f32(2,0,1,3).reshape(2,2)",
        ),
    ),
    Difference(
        "A tie: MindSpore gives each of the equal columns the whole gradient, here they share it.",
        (
            "reduction: ops.norm | t((2,3),1) | 1",
            "reduction: ops.matrix_norm | t((2,3),1) | 1",
        ),
    ),
    Difference(
        "The matrix is singular up to rounding, and so are its determinant's digits.",
        (
            "linear algebra: ops.det | t((3,3),4)",
            "linear algebra: ops.slogdet | t((3,3),4)",
            "method: @det | t((3,3),4)",
        ),
    ),
    Difference(
        "A defect of MindSpore: whether nan wins depends on which side it stands.",
        ("binary: ops.maximum | f32(np.nan,1) | f32(2,np.nan)",),
    ),
    Difference(
        "A defect of MindSpore: the gradient through a slice with a negative step.",
        ("numpy face: ms.numpy.flip | ar(3)",),
    ),
    Difference(
        "A type object of a tensor is not modeled: the type of its elements is returned.",
        ("creation: ops.typeof | f32(1)",),
    ),
)
KNOWN = {case: d.reason for d in DIFFERENCES for case in d.cases}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_agrees_with_the_recorded_figures(case):
    if case.get("defect"):
        pytest.skip(f"what is recorded is a fault of MindSpore: {case['defect']}")
    if case["family"] == "numpy face" and not hasattr(agar, "numpy"):
        pytest.skip("there is no agar.numpy")
    expected = dict(case["result"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record holds values and exceptions, no warnings
        got = replay.operator(agar, case)
    if expected.pop("no_grad_on_cpu", None):
        got.pop("grad", None)
    result = encoding.differences(expected, got, case["id"])
    if case["id"] in KNOWN:
        assert result, f"agrees now, so it is not a known difference: {KNOWN[case['id']]}"
    else:
        assert not result, "\n".join(result)


def test_every_known_difference_is_a_recorded_case():
    assert not sorted(set(KNOWN) - {case["id"] for case in CASES})
    assert len(KNOWN) == sum(len(d.cases) for d in DIFFERENCES), "a case is listed twice"
