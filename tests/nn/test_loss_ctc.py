"""CTC: the loss in its three forms, and greedy decoding."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops


def draw(*shape, seed=0):
    """Numbers that MindSpore's figures below were computed from as well."""
    return (np.random.RandomState(seed).rand(*shape) * 2 - 1).astype(np.float32)


def log_probs(*shape, kind=np.float64):
    values = draw(*shape).astype(kind)
    return values - np.log(np.exp(values).sum(-1, keepdims=True))


TARGETS = np.array([[1, 2], [2, 1]])


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("blank", [0, 2])
@pytest.mark.parametrize("lengths", [((5, 4), (2, 1)), ((3, 5), (0, 2))])
def test_value_and_gradient_are_torchs(reduction, blank, lengths):
    inputs, targets = lengths
    x = log_probs(5, 2, 3)
    labels = np.where(blank == TARGETS, 0, TARGETS)
    leaf = torch.tensor(x, requires_grad=True)
    want = torch.nn.functional.ctc_loss(
        leaf, torch.tensor(labels), inputs, targets, blank, reduction
    )
    loss = nn.CTCLoss(blank, reduction)
    rest = Tensor(labels), Tensor(list(inputs)), Tensor(list(targets))
    np.testing.assert_allclose(loss(Tensor(x), *rest).asnumpy(), want.detach().numpy(), rtol=1e-10)
    (gradient,) = torch.autograd.grad(want.sum(), leaf)
    array = ms.grad(lambda v: loss(v, *rest))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(array, gradient.numpy(), rtol=1e-8, atol=1e-12)


def test_forward_variables_of_mindspore():
    loss, alpha = ops.ctc_loss(
        Tensor(log_probs(5, 2, 3, kind=np.float32)),
        Tensor(TARGETS),
        Tensor([2, 4]),
        Tensor([0, 1]),
        reduction="none",
    )
    inf = np.inf
    expected = np.full((2, 5, 5), -inf)
    expected[0, :2, 0] = [-1.2552589, -3.1027822]
    expected[1, :4, :3] = [
        [-1.1014665, -0.8994446, -inf],
        [-2.6275992, -1.5374414, -2.4255774],
        [-4.4707193, -1.5997779, -3.0359638],
        [-5.37591, -2.4871278, -2.291606],
    ]
    assert alpha.shape == (2, 5, 5)
    np.testing.assert_allclose(alpha.asnumpy(), expected, rtol=2e-5)
    np.testing.assert_allclose(loss.asnumpy()[1], 1.6914487, rtol=1e-5)


def test_zero_infinity_zeroes_loss_and_gradient_of_what_cannot_be_aligned():
    x = Tensor(log_probs(5, 2, 3))
    rest = Tensor([[1, 1], [2, 1]]), Tensor([2, 4]), Tensor([2, 1])
    ctc_loss = nn.CTCLoss(reduction="none")
    assert math.isinf(ctc_loss(x, *rest).asnumpy()[0])
    zeroed = nn.CTCLoss(reduction="none", zero_infinity=True)
    assert zeroed(x, *rest).asnumpy()[0] == 0
    gradient = ms.grad(lambda v: zeroed(v, *rest))(x).asnumpy()
    assert np.isfinite(gradient).all()
    assert (gradient[:, 0] == 0).all()
    assert (gradient[:4, 1] != 0).any()


def test_one_sample_needs_no_batch_axis():
    x = log_probs(5, 1, 3)
    batched = nn.CTCLoss(reduction="none")(Tensor(x), Tensor([[1, 2]]), [5], [2]).asnumpy()
    single = nn.CTCLoss(reduction="none")(Tensor(x[:, 0]), Tensor([1, 2]), Tensor(5), Tensor(2))
    assert single.shape == ()
    np.testing.assert_array_equal(single.asnumpy(), batched[0])


def test_half_types_are_computed_in_float32():
    x = Tensor(log_probs(5, 2, 3).astype(np.float16))
    loss, alpha = ops.ctc_loss(x, Tensor(TARGETS), [5, 4], [2, 1])
    assert (loss.dtype, alpha.dtype) == (ms.float16, ms.float16)
    np.testing.assert_allclose(loss.asnumpy(), 1.4374406, rtol=2e-3)


# ------------------------------------------------------------------ sparse labels

INDICES = Tensor([[0, 0], [0, 1], [1, 0]])
VALUES = Tensor(np.array([0, 0, 1], np.int32))
# MindSpore's losses for the inputs below
SPARSE = [
    ({}, [4.729429, 1.6177515]),
    ({"preprocess_collapse_repeated": True}, [3.0334587, 1.6177515]),
    ({"ctc_merge_repeated": False}, [3.7035873, 2.6278589]),
]


@pytest.mark.parametrize(("options", "expected"), SPARSE)
def test_sparse_labels(options, expected):
    loss, gradient = ops.CTCLoss(**options)(Tensor(draw(4, 2, 4)), INDICES, VALUES, Tensor([4, 3]))
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-5)
    assert gradient.shape == (4, 2, 4)


def test_the_second_result_is_the_gradient():
    prim = ops.CTCLoss()
    x = Tensor(draw(4, 2, 4).astype(np.float64))
    _, beside = prim(x, INDICES, VALUES, Tensor([4, 3]))
    result = ms.grad(lambda v: prim(v, INDICES, VALUES, Tensor([4, 3]))[0])(x)
    np.testing.assert_allclose(result.asnumpy(), beside.asnumpy(), rtol=1e-12)
    # two rows that MindSpore gives
    np.testing.assert_allclose(
        beside.asnumpy()[0],
        [
            [-0.4342618, 0.3098933, 0.2474914, -0.1231231],
            [0.1629116, -0.1246405, 0.167515, -0.205786],
        ],
        rtol=1e-5,
    )


def test_unmerged_loss_is_the_sum_over_all_placements():
    """Without merging, each label takes one time step and blanks take the others."""
    x = draw(4, 1, 3).astype(np.float64)
    labels = [1, 1]
    probs = np.exp(log_probs(4, 1, 3))[:, 0]
    total = 0.0
    for places in itertools.combinations(range(4), len(labels)):
        path = [2] * 4
        for place, label in zip(places, labels, strict=True):
            path[place] = label
        total += math.prod(probs[t, k] for t, k in enumerate(path))
    loss, gradient = ops.CTCLoss(ctc_merge_repeated=False)(
        Tensor(x), Tensor([[0, 0], [0, 1]]), Tensor(labels), Tensor([4])
    )
    np.testing.assert_allclose(loss.asnumpy(), [-math.log(total)], rtol=1e-10)
    assert np.isfinite(gradient.asnumpy()).all()


def test_samples_with_too_many_labels_are_left_out_on_demand():
    x = Tensor(draw(2, 2, 3))
    indices, values = Tensor([[0, 0], [1, 0], [1, 1], [1, 2]]), Tensor([0, 1, 0, 1])
    with pytest.raises(RuntimeError, match="ignore_longer_outputs_than_inputs=True"):
        ops.CTCLoss()(x, indices, values, Tensor([2, 2]))
    loss, gradient = ops.CTCLoss(ignore_longer_outputs_than_inputs=True)(
        x, indices, values, Tensor([2, 2])
    )
    assert loss.asnumpy()[0] > 0
    assert loss.asnumpy()[1] == 0
    assert (gradient.asnumpy()[:, 1] == 0).all()


# ----------------------------------------------------------------------- decoding


@pytest.mark.parametrize("binding", ["function", "primitive"])
def test_greedy_decoding(binding):
    def decode(x, lengths, merge=True):
        if binding == "function":
            return ops.ctc_greedy_decoder(x, lengths, merge)
        return ops.CTCGreedyDecoder(merge)(x, lengths)

    # MindSpore's results
    indices, values, shape, scores = decode(Tensor(draw(4, 3, 4)), Tensor([4, 0, 2]))
    assert indices.asnumpy().tolist() == [[0, 0], [0, 1], [2, 0]]
    assert values.asnumpy().tolist() == [1, 2, 0]
    assert shape.asnumpy().tolist() == [3, 2]
    np.testing.assert_allclose(
        scores.asnumpy(), [[-3.058406], [0.0], [-1.8845623]], rtol=1e-6, atol=1e-7
    )
    best = np.zeros((4, 1, 3), np.float32)
    best[[0, 1, 2, 3], 0, [1, 1, 2, 1]] = 1  # the last class is the blank
    assert decode(Tensor(best), [4])[1].asnumpy().tolist() == [1, 1]
    assert decode(Tensor(best), [4], False)[1].asnumpy().tolist() == [1, 1, 1]


def test_wrong_lengths_are_named():
    x = Tensor(log_probs(5, 2, 3))
    with pytest.raises(RuntimeError, match=r"'input_lengths' must be in \[0, 5\], but got 6"):
        ops.ctc_loss(x, Tensor(TARGETS), Tensor([6, 4]), Tensor([2, 1]))
    with pytest.raises(ValueError, match="one length for each of the 2 samples"):
        ops.ctc_loss(x, Tensor(TARGETS), [5], [2, 1])
