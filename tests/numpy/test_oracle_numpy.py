"""agar.numpy replays what MindSpore 2.10 was recorded to return: values, types and gradients.

The cases and how they run are described in tests/oracle/README.md. Those in `DIFFERENCES` must
differ, all others agree.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import pytest

import agar
from oracle import encoding, replay

CASES = replay.load("numpy")


class Difference(NamedTuple):
    """Cases that differ for one reason."""

    reason: str
    cases: tuple[str, ...]


DIFFERENCES = (
    Difference(
        "Defects of MindSpore's gradients: slices with a negative step, and of one element.",
        (
            "creation: pad | f32(1,2,3) | (2,1) | 'reflect'",
            "creation: pad | f32(1,2,3) | (5,4) | 'reflect'",
            "creation: pad | f32(1,2,3) | (2,1) | 'reflect' | reflect_type='odd'",
            "creation: pad | f32(1,2,3) | (5,4) | 'symmetric'",
            "creation: pad | f32(1,2,3) | (2,1) | 'symmetric' | reflect_type='odd'",
            "shape: flip | ar(3)",
            "shape: flip | ar(2,3) | 1",
            "shape: fliplr | ar(2,3)",
            "shape: rot90 | ar(2,3) | -1",
            "statistics: convolve | f32(1,2,3) | f32(0,1,0.5)",
            "statistics: convolve | f32(1,2,3) | f32(0,1,0.5) | 'same'",
            "statistics: convolve | f32(1,2,3) | f32(0,1,0.5) | 'valid'",
            "statistics: convolve | f32(1,2) | f32(1,2,3) | 'same'",
            "statistics: convolve | f32(1,2,3,4) | f32(1,2) | 'same'",
            "polynomials: polymul | f32(3,1,2) | f32(2,5)",
            "narrow and wide types: flip | f64(1,2,3)",
            "narrow and wide types: flip | f16(1,2,3)",
            "narrow and wide types: convolve | f64(1,2,3) | f64(0,1)",
            "narrow and wide types: convolve | f16(1,2,3) | f32(0,1)",
            "narrow and wide types: polymul | f64(1,2) | f64(1,2)",
            "further: pad | ar(2,2) | [[1,1],[0,2]] | 'edge'",
            "further: pad | ar(1,2) | 1 | 'reflect'",
        ),
    ),
    Difference(
        "Defects of MindSpore: 0 divided by 0, and infinity less infinity, in gradients or values.",
        (
            "elementwise: logaddexp | f32(0,100) | f32(1,100)",
            "elementwise: cbrt | f32(0,8)",
            "elementwise: sign | f32(-1.5,0,2)",
            "elementwise: sign | f64(-1.5,0,2)",
            "elementwise: sign | f32(np.nan,1)",
            "reductions: nanvar | f32(1,np.nan,3,5)",
            "reductions: nanvar | f32(1,np.nan,3,4).reshape(2,2) | 0",
            "reductions: nanvar | f32(1,np.nan,3,5) | ddof=1",
            "reductions: nanstd | f32(1,np.nan,3,5)",
            "reductions: nanstd | f32(1,np.nan,3,4).reshape(2,2) | 1",
            "reductions: cumprod | ar(2,3) | 1",
            "statistics: interp | f32(0,4) | f32(1,2,3) | f32(3,2,0) | -1 | 9.0",
            "polynomials: polyval | f32(3,0,1) | ar(2,2)",
            "further: cumprod | ar(2,3) | -1",
            "further: interp | ar(2,2) | [0,1,2] | [3,4,5]",
            "further: remainder | f32(-1,1) | f32(0,2)",
            "further: fmod | f32(-1,1) | f32(0,2)",
        ),
    ),
    Difference(
        "MindSpore rounds to float32 on the way, agar does not.",
        (
            "elementwise: divide | f64(1,2) | f64(3,4)",
            "elementwise: cbrt | f64(8,-27)",
            "fourier: fft.fftfreq | 5 | 0.5 | ms.float64",
            "narrow and wide types: nanmean | f32(1,2) | dtype=ms.float16",
            "narrow and wide types: deg2rad | f64(90,45)",
            "narrow and wide types: unwrap | f64(0,1,7)",
            "narrow and wide types: cross | f64(1,2,3) | f32(4,5,6)",
            "narrow and wide types: polyint | f64(1,2,3)",
            "narrow and wide types: arange | 16777217 | 16777220",
        ),
    ),
    Difference(
        "MindSpore cuts the gradient where an element is nan; here both operands have half of it.",
        (
            "elementwise: minimum | f32(1,np.nan) | f32(np.nan,3)",
            "elementwise: maximum | f32(1,np.nan) | f32(np.nan,3)",
            "further: clip | f32(1,np.nan) | 2 | 3",
        ),
    ),
    Difference(
        "A defect of MindSpore: the spread of integers is divided by n - 1, that of floats by n.",
        (
            "reductions: std | i32(1,2,4)",
            "reductions: std | [1,2,4]",
            "reductions: var | i32(1,2,4)",
        ),
    ),
    Difference(
        "agar computes what MindSpore refuses.",
        (
            "creation: pad | f32(1,2,4) | 1 | 'median'",
            "shape: lambda: ms.numpy.piecewise(f32(-2,1,3),[f32(-2,1,3)<0],[2,5])",
            "elementwise: exp | i32(0,1)",
            "elementwise: rint | i32(1,2)",
            "elementwise: divmod | [1,2,3] | 2",
            "products: cross | f32(1,2) | f32(4,5)",
            "products: norm | ar(2,3) | 2",
            "products: norm | ar(2,3) | 'nuc'",
            "narrow and wide types: repeat | b1(1,0) | 2",
            "narrow and wide types: bincount | u8(0,1,1)",
            "narrow and wide types: correlate | f32(1,2,3) | i32(0,1)",
            "narrow and wide types: dot | f32(1,2) | i32(3,4)",
            "narrow and wide types: outer | f32(1,2) | i32(3,4)",
            "further: amax | 3",
            "further: array_split | ar(2) | 3",
            "further: repeat | ar(2) | 0",
            "further: choose | 1 | [[1,2],[3,4]]",
            "further: unique | Tensor(3)",
            "further: searchsorted | [3,1,2] | 2 | sorter=[1,2,0]",
            "further: pad | f32(1,2,3) | i32(1,2)",
        ),
    ),
    Difference(
        "The mode 'raise' raises for an index out of range, where MindSpore has no such mode.",
        (
            "shape: take | ar(4) | i32(-1,5) | mode='raise'",
            "shape: choose | i32(-1,3) | [[1,2],[3,4]] | 'raise'",
            "types: ravel_multi_index | [[3,9],[8,6]] | (7,6) | 'raise'",
        ),
    ),
    Difference(
        "A Tensor as a bound of arange counts as the number it holds, which may be an int.",
        ("further: arange | Tensor(4)",),
    ),
    Difference(
        "An axis out of range is an error, where MindSpore takes the remainder of it.",
        ("further: stack | [f32(1,2),f32(3,4)] | 2",),
    ),
    Difference(
        "A number of indices that does not fit is an error of the value.",
        ("further: ravel_multi_index | 5 | 6",),
    ),
    Difference(
        "A fault of the type is a TypeError.",
        (
            "shape: stack | 3",
            "elementwise: abs | [1,-2]",
            "reductions: mean | b1(1,0)",
        ),
    ),
)
KNOWN = {case: d.reason for d in DIFFERENCES for case in d.cases}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_agrees_with_the_recorded_figures(case):
    if case.get("defect"):
        pytest.skip(f"what is recorded is a fault of MindSpore: {case['defect']}")
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
