"""Private functions behind layers, with MindSpore's figures."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar.compat import find

F = "ops.function.nn_func"


def _values(*shape, seed=0):
    return ms.Tensor(np.random.RandomState(seed + sum(shape)).randn(*shape).astype(np.float32))


QUERY, KEY, VALUE = _values(3, 2, 8), _values(5, 2, 8, seed=1), _values(5, 2, 8, seed=2)
WEIGHTS = (_values(24, 8), _values(24))
OUT = (_values(8, 8), _values(8))
PADDING = ms.Tensor(np.array([[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]], bool))
LATER = ms.Tensor(np.triu(np.ones((3, 5)), 3).astype(bool))
SEPARATE = {f"{n}_proj_weight": _values(8, 8, seed=i) for i, n in enumerate("qkv")}


def _attention(query=QUERY, key=KEY, value=VALUE, weights=WEIGHTS, biases=(None, None), **options):
    zeros = options.pop("add_zero_attn", False)
    call = find(F, "multi_head_attention_forward")
    return call(query, key, value, 8, 2, *weights, *biases, zeros, 0.0, *OUT, **options)


#: the sum of the output, its first two numbers, the shape and the first of the weights, of
#: MindSpore 2.10
CASES = {
    "plain": ({}, -23.077, [1.3627, -0.6171], (2, 3, 5), 0.0028),
    "by head": (
        {"average_attn_weights": False},
        -23.077,
        [1.3627, -0.6171],
        (2, 2, 3, 5),
        0.0056,
    ),
    "masks": (
        {"key_padding_mask": PADDING, "attn_mask": LATER},
        5.535,
        [-2.9714, -0.047],
        (2, 3, 5),
        0.4871,
    ),
    "a zero key": (
        {"key_padding_mask": PADDING, "attn_mask": LATER, "add_zero_attn": True},
        -25.588,
        [3.6764, -2.1119],
        (2, 3, 6),
        0.0008,
    ),
    "learned keys": (
        {"biases": (_values(1, 1, 8), _values(1, 1, 8, seed=4)), "attn_mask": LATER},
        -9.434,
        [3.6564, -3.494],
        (2, 3, 6),
        0.0,
    ),
    "numbers as a mask": (
        {"attn_mask": _values(3, 5)},
        -14.309,
        [1.2817, -0.6078],
        (2, 3, 5),
        0.012,
    ),
    "a mask by head": (
        {"attn_mask": _values(4, 3, 5)},
        -15.81,
        [1.177, -0.5927],
        (2, 3, 5),
        0.0235,
    ),
    "separate weights": (
        {"weights": (None, WEIGHTS[1]), "use_separate_proj_weight": True, **SEPARATE},
        -50.748,
        [-1.8006, -7.1926],
        (2, 3, 5),
        0.0131,
    ),
    "static": (
        {"static_k": _values(4, 5, 4), "static_v": _values(4, 5, 4, seed=3)},
        30.288,
        [1.9402, 2.6537],
        (2, 3, 5),
        0.0058,
    ),
    "causal": ({"is_causal": True}, -21.971, [1.3205, -0.6118], (2, 3, 5), 0.0075),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_attention(case):
    options, total, first, shape, weight = case
    out, weights = _attention(**options)
    assert (out.shape, weights.shape) == ((3, 2, 8), shape)
    np.testing.assert_allclose(float(out.sum()), total, atol=2e-3)
    np.testing.assert_allclose(out.asnumpy().ravel()[:2], first, atol=1e-4)
    np.testing.assert_allclose(weights.asnumpy().ravel()[0], weight, atol=1e-4)


def test_attention_without_a_batch():
    out, weights = _attention(QUERY[:, 0], KEY[:, 0], VALUE[:, 0], (WEIGHTS[0], None))
    assert (out.shape, weights.shape) == ((3, 8), (3, 5))
    np.testing.assert_allclose(float(out.sum()), 7.703, atol=2e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": (None, None)}, "in_proj_weight must be given"),
        ({"use_separate_proj_weight": True}, "q_proj_weight, k_proj_weight"),
        ({"attn_mask": _values(3, 4)}, "shape of the `attn_mask`"),
        ({"attn_mask": ms.Tensor(np.ones((3, 5), np.int64))}, "bool and floating"),
        ({"query": QUERY[:, 0]}, "of one rank"),
        ({"value": KEY[:4]}, "does not match"),
        ({"biases": (_values(1, 1, 8), None)}, "given together"),
        ({"static_k": _values(3, 5, 4)}, "`static_k` should have 4 rows of 4 features"),
        ({"query": _values(3, 2, 6)}, "should be 8"),
    ],
)
def test_attention_of_what_does_not_fit(options, words):
    with pytest.raises(ValueError, match=words):
        _attention(**options)


def test_logarithm_of_softmax():
    x = _values(2, 3, 4)
    result = find(F, "_innner_log_softmax")(x, 1)
    expected = torch.log_softmax(torch.tensor(x.asnumpy(), dtype=torch.float64), 1)
    np.testing.assert_allclose(result.asnumpy(), expected.numpy(), rtol=1e-5)


def test_lengths_and_axes_of_transposed_convolutions():
    length = find("nn.layer.conv", "_deconv_output_length")
    # kind, then input, kernel, stride, dilation, padding
    assert length(True, False, False, 5, 3, 2, 1, 0) == 11
    assert length(True, False, False, 5, 1, 2, 1, 0) == 10
    assert length(False, True, False, 5, 3, 2, 1, 0) == 10
    assert length(False, False, True, 5, 3, 2, 2, 2) == 11
    check = find("nn.layer.conv", "_check_input_3d")
    check((1, 2, 3), "Conv1d")
    with pytest.raises(ValueError, match="'Conv1d', the dimension of input must be 3d, but got 2"):
        check((1, 2), "Conv1d")
