"""Convolutions: the figures of padding, the rule of shapes, errors."""

from __future__ import annotations

import math

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import agar as ms
from agar import nn, ops


def ones_kernel(size: int, **options: object) -> nn.Conv2d:
    return nn.Conv2d(1, 1, size, weight_init="ones", **options)


def image(*values: float, side: int) -> ms.Tensor:
    return ms.Tensor(np.array(values, np.float32).reshape(1, 1, side, side))


class TestSamePadding:
    """What is odd goes to the bottom and the right."""

    def test_even_kernel(self):
        out = ones_kernel(2)(image(*range(9), side=3))
        assert out[0, 0].asnumpy().tolist() == [[8, 12, 7], [20, 24, 13], [13, 15, 8]]

    def test_stride(self):
        out = ones_kernel(3, stride=2)(image(*range(16), side=4))
        assert out[0, 0].asnumpy().tolist() == [[45, 39], [66, 50]]

    def test_kernel_of_four(self):
        out = ones_kernel(4)(ms.ops.ones((1, 1, 4, 4)))
        assert out[0, 0, 0].asnumpy().tolist() == [9, 12, 9, 6]

    def test_four_sides(self):
        conv = nn.Conv2d(1, 1, 3, pad_mode="pad", padding=(1, 0, 2, 0))
        assert conv(ms.ops.ones((1, 1, 3, 3))).shape == (1, 1, 2, 3)


@st.composite
def options(draw):
    count = draw(st.integers(1, 3))
    sizes = [draw(st.integers(3, 7)) for _ in range(count)]
    kernel = [draw(st.integers(1, 3)) for _ in range(count)]
    stride = [draw(st.integers(1, 3)) for _ in range(count)]
    dilation = [draw(st.integers(1, 2)) for _ in range(count)]
    mode = draw(st.sampled_from(["same", "valid", "pad"]))
    sides = (
        [draw(st.integers(0, 2)) for _ in range(2 * count)] if mode == "pad" else [0] * 2 * count
    )
    groups = draw(st.sampled_from([1, 2]))
    return count, sizes, kernel, stride, dilation, mode, sides, groups


def expected_padding(mode, size, kernel, stride, dilation, sides):
    if mode != "same":
        return sides
    reach = dilation * (kernel - 1) + 1
    total = max((math.ceil(size / stride) - 1) * stride + reach - size, 0)
    return (total // 2, total - total // 2)


@hypothesis.given(options())
def test_convolution_is_torchs_on_the_padded_input(drawn):
    count, sizes, kernel, stride, dilation, mode, sides, groups = drawn
    pairs = [
        expected_padding(mode, n, k, s, d, sides[2 * i : 2 * i + 2])
        for i, (n, k, s, d) in enumerate(zip(sizes, kernel, stride, dilation, strict=True))
    ]
    fits = all(
        n + sum(p) >= d * (k - 1) + 1
        for n, k, d, p in zip(sizes, kernel, dilation, pairs, strict=True)
    )
    hypothesis.assume(fits)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 4, *sizes))
    w = rng.standard_normal((2, 4 // groups, *kernel))
    function = (ops.conv1d, ops.conv2d, ops.conv3d)[count - 1]
    twin = (F.conv1d, F.conv2d, F.conv3d)[count - 1]
    got = function(
        ms.Tensor(x), ms.Tensor(w), None, tuple(stride), mode, tuple(sides), tuple(dilation), groups
    )
    flat = [n for pair in reversed(pairs) for n in pair]
    expected = twin(
        F.pad(torch.tensor(x), flat), torch.tensor(w), None, stride, 0, dilation, groups
    )
    np.testing.assert_allclose(got.asnumpy(), expected.numpy(), rtol=1e-10, atol=1e-12)
    if mode == "same":
        rule = tuple(math.ceil(n / s) for n, s in zip(sizes, stride, strict=True))
        assert got.shape[2:] == rule


@hypothesis.given(
    size=st.integers(1, 5),
    kernel=st.integers(1, 4),
    stride=st.integers(1, 4),
    dilation=st.integers(1, 2),
    mode=st.sampled_from(["same", "valid", "pad"]),
    sides=st.tuples(st.integers(0, 2), st.integers(0, 2)),
)
def test_transposed_output_sizes_and_values(size, kernel, stride, dilation, mode, sides):
    reach = dilation * (kernel - 1) + 1
    full = (size - 1) * stride + reach
    if mode == "same":
        start, length = max(reach - stride, 0) // 2, size * stride
    elif mode == "valid":
        start, length = 0, size * stride + max(reach - stride, 0)
    else:
        start, length = sides[0], full - sum(sides)
    hypothesis.assume(length > 0)
    padding = (*sides, *sides) if mode == "pad" else 0
    layer = nn.Conv2dTranspose(2, 3, kernel, stride, mode, padding, 0, dilation).to(ms.float64)
    x = np.random.default_rng(0).standard_normal((1, 2, size, size))
    out = layer(ms.Tensor(x))
    assert out.shape == (1, 3, length, length)
    whole = F.conv_transpose2d(
        torch.tensor(x), torch.tensor(layer.weight.asnumpy()), stride=stride, dilation=dilation
    )
    more = max(start + length - full, 0)
    expected = F.pad(whole, (0, more, 0, more))[:, :, start:, start:][:, :, :length, :length]
    np.testing.assert_allclose(out.asnumpy(), expected.numpy(), rtol=1e-10, atol=1e-12)


def test_a_transposed_convolution_is_the_gradient_of_the_convolution():
    for mode, stride in (("same", 1), ("same", 2), ("valid", 2)):
        conv = nn.Conv2d(2, 3, 3, stride, mode).to(ms.float64)
        back = nn.Conv2dTranspose(3, 2, 3, stride, mode).to(ms.float64)
        back.weight.set_data(conv.weight)
        size = 6 if mode == "same" else 7
        x = ms.Tensor(np.random.default_rng(0).standard_normal((1, 2, size, size)))
        y = ms.Tensor(np.random.default_rng(1).standard_normal(conv(x).shape))
        slope = ms.grad(lambda v, conv=conv, y=y: (conv(v) * y).sum())(x)
        np.testing.assert_allclose(back(y).asnumpy(), slope.asnumpy(), rtol=1e-10, atol=1e-12)


def test_the_direct_way_is_taken_where_padding_is_even(monkeypatch):
    """Symmetric padding goes into torch's convolution; nothing is copied before it."""

    def no_pad(*args, **kwargs):
        raise RuntimeError("the input was padded beforehand")

    monkeypatch.setattr("agar.ops.nn.convolution.F.pad", no_pad)
    x = ms.ops.ones((1, 1, 7, 7))
    assert ones_kernel(3)(x).shape == (1, 1, 7, 7)
    assert ones_kernel(3, stride=2)(x).shape == (1, 1, 4, 4)
    assert ones_kernel(1, stride=2)(x).shape == (1, 1, 4, 4)
    assert ones_kernel(5, pad_mode="pad", padding=2)(x).shape == (1, 1, 7, 7)
    with pytest.raises(RuntimeError, match="padded beforehand"):
        ones_kernel(2)(x)


ERRORS = [
    (lambda: nn.Conv2d(0, 1, 3), ValueError, "'in_channels' must be int and must > 0"),
    (lambda: nn.Conv2d(1, 1.0, 3), TypeError, "'out_channels' must be int, but got 'float'"),
    (lambda: nn.Conv2d(1, 1, 0), ValueError, "'kernel_size'"),
    (lambda: nn.Conv2d(1, 1, 3.0), TypeError, "'kernel_size'"),
    (lambda: nn.Conv2d(1, 1, (3, 3, 3)), TypeError, "input tuple dimension must be 2"),
    (lambda: nn.Conv2d(1, 1, [3, 3]), TypeError, "'kernel_size'"),
    (lambda: nn.Conv2d(1, 1, 3, stride=0), ValueError, "'stride'"),
    (lambda: nn.Conv2d(1, 1, 3, dilation=0), ValueError, "'dilation'"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="full"), ValueError, r"\['valid', 'same', 'pad'\]"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="SAME"), ValueError, r"\['valid', 'same', 'pad'\]"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode=5), TypeError, "'pad_mode'"),
    (
        lambda: nn.Conv2d(1, 1, 3, padding=1),
        ValueError,
        "must be zero when 'pad_mode' is not 'pad'",
    ),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="pad", padding=-1), ValueError, "'padding'"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="pad", padding=(1, 1)), ValueError, "must be 4"),
    (lambda: nn.Conv2d(1, 1, 3, pad_mode="pad", padding=1.5), TypeError, "'padding'"),
    (lambda: nn.Conv2d(3, 4, 3, group=2), ValueError, "should be divisible by 'group'"),
    (lambda: nn.Conv2d(4, 3, 3, group=2), ValueError, "should be divisible by 'group'"),
    (lambda: nn.Conv2d(1, 1, 3, has_bias=1), TypeError, "'has_bias' must be bool"),
    (lambda: nn.Conv2d(1, 1, 3, data_format="NCWH"), ValueError, "'data_format'"),
    (lambda: nn.Conv2d(1, 1, 3, weight_init="foo"), ValueError, "'foo' was not found"),
    (lambda: nn.Conv2d(1, 1, 3, weight_init=ms.ops.ones((1, 1, 2, 2))), ValueError, "shape"),
    (lambda: nn.Conv1d(1, 1, (3,)), TypeError, "'kernel_size' should be 'int'"),
    (lambda: nn.Conv1d(1, 1, 3, pad_mode="pad", padding=(1, 1)), TypeError, "'padding'"),
    (lambda: nn.Conv3d(1, 1, 3, pad_mode="pad", padding=(1, 1, 1)), ValueError, "must be 6"),
    (
        lambda: nn.Conv2dTranspose(1, 1, 3, 2, "pad", output_padding=2),
        ValueError,
        "output_padding must be in range",
    ),
    (lambda: nn.Conv2d(1, 1, 3)(ms.ops.ones((1, 3, 3))), ValueError, "must be equal to 4"),
    (lambda: nn.Conv2d(2, 1, 3)(ms.ops.ones((1, 1, 3, 3))), RuntimeError, "'C_in' of input 'x'"),
    (lambda: nn.Conv1d(2, 1, 3)(ms.ops.ones((1, 1, 3))), RuntimeError, "'C_in' of input 'x'"),
    (lambda: nn.Conv2dTranspose(2, 1, 3)(ms.ops.ones((1, 1, 3, 3))), RuntimeError, "'C_in'"),
    (
        lambda: nn.Conv2d(1, 1, 3, pad_mode="valid")(ms.ops.ones((1, 1, 2, 2))),
        ValueError,
        "at least as large as the kernel",
    ),
    (
        lambda: nn.Conv2d(1, 1, 3)(ms.ops.ones((1, 1, 3, 3), ms.float16)),
        TypeError,
        "input type must be same",
    ),
    (lambda: nn.Conv2d(1, 1, 3)(np.ones((1, 1, 3, 3))), TypeError, "must be Tensor"),
]


@pytest.mark.parametrize(("bad", "error", "words"), ERRORS)
def test_errors(bad, error, words):
    with pytest.raises(error, match=words):
        bad()


def test_an_error_names_the_path_of_cells():
    net = nn.SequentialCell(nn.SequentialCell(nn.Conv2d(2, 1, 3)))
    with pytest.raises(RuntimeError) as caught:
        net(ms.ops.ones((1, 1, 3, 3)))
    notes = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert "In cell: 0.0 (Conv2d)" in notes
