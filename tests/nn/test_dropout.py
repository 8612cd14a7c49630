"""Dropout: MindSpore's numbers, streams, modes, errors."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import agar as ms
from agar import nn, ops


def ones(*shape: int) -> ms.Tensor:
    return ms.ops.ones(shape)


def kept(x: ms.Tensor) -> list:
    return (x.asnumpy() > 0).astype(int).tolist()


class TestNumbersOfMindSpore:
    """Masks recorded from MindSpore 2.10 after ``set_seed(11)``."""

    def test_a_layer_draws_from_one_stream(self):
        ms.set_seed(11)
        drop = nn.Dropout(p=0.5).set_train()
        assert [drop(ones(8)).asnumpy().tolist() for _ in range(3)] == [
            [0.0, 0.0, 0.0, 2.0, 2.0, 0.0, 2.0, 2.0],
            [0.0, 0.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0],
            [0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0],
        ]

    def test_layers_have_streams_of_their_own_one_for_each_shape(self):
        ms.set_seed(11)
        first, second = (nn.Dropout(p=0.3).set_train() for _ in range(2))
        assert kept(first(ones(6))) == [1, 0, 0, 1, 1, 1]
        assert kept(second(ones(6))) == [1, 1, 1, 1, 1, 0]
        assert kept(first(ones(2, 3))) == [[1, 0, 0], [1, 1, 1]]
        assert kept(first(ones(6))) == [1, 1, 0, 0, 0, 1]

    def test_the_function_takes_a_pair_for_every_call(self):
        ms.set_seed(11)
        assert kept(ops.dropout(ones(6), 0.3)) == [1, 0, 0, 1, 1, 1]
        assert kept(ops.dropout(ones(6), 0.3)) == [1, 1, 1, 1, 1, 0]

    def test_seeding_later_does_not_rewind_a_layer(self):
        ms.set_seed(11)
        drop = nn.Dropout(p=0.5).set_train()
        drop(ones(8))
        ms.set_seed(11)
        assert kept(drop(ones(8))) == [0, 0, 0, 1, 0, 1, 0, 1]

    def test_the_primitive_has_the_pair_of_its_constructor(self):
        # recorded: ops.Dropout(0.5, 1, 2) three times on four elements
        drop = ops.Dropout(0.5, 1, 2)
        masks = [kept(drop(ones(4))[1]) for _ in range(3)]
        assert masks == [[0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1]]


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: nn.Dropout(p=0.4), (3, 4)),
        (lambda: nn.Dropout1d(0.4), (2, 5, 3)),
        (lambda: nn.Dropout2d(0.4), (2, 5, 3, 3)),
        (lambda: nn.Dropout3d(0.4), (2, 5, 2, 2, 2)),
        (lambda: nn.DropoutExt(0.4), (3, 4)),
        (lambda: nn.Dropout2dExt(0.4), (2, 5, 3, 3)),
    ],
)
class TestEveryLayer:
    def test_only_training_drops(self, make, shape):
        x = ones(*shape)
        assert make()(x) is x

    def test_kept_elements_are_scaled(self, make, shape):
        ms.set_seed(1)
        out = make().set_train()(ones(*shape)).asnumpy()
        assert set(np.unique(out).tolist()) == {0.0, float(np.float32(1) / np.float32(0.6))}

    def test_the_seed_fixes_the_numbers(self, make, shape):
        outs = []
        for _ in range(2):
            ms.set_seed(5)
            outs.append(make().set_train()(ones(*shape)).asnumpy())
        np.testing.assert_array_equal(*outs)

    def test_a_copy_continues_where_the_layer_stands(self, make, shape):
        ms.set_seed(5)
        drop = make().set_train()
        drop(ones(*shape))
        twins = [copy.deepcopy(drop), pickle.loads(pickle.dumps(drop))]
        expected = drop(ones(*shape)).asnumpy()
        for twin in twins:
            np.testing.assert_array_equal(twin(ones(*shape)).asnumpy(), expected)

    def test_the_gradient_goes_through_what_is_kept(self, make, shape):
        ms.set_seed(6)
        drop = make().set_train()
        ms.set_seed(6)
        twin = make().set_train()
        slope = ms.grad(lambda x: drop(x).sum())(ones(*shape))
        np.testing.assert_array_equal(slope.asnumpy(), twin(ones(*shape)).asnumpy())


@pytest.mark.parametrize("layer", [nn.Dropout1d, nn.Dropout2d, nn.Dropout3d])
def test_channels_are_dropped_as_a_whole(layer):
    ms.set_seed(2)
    count = {nn.Dropout1d: 1, nn.Dropout2d: 2, nn.Dropout3d: 3}[layer]
    out = layer(0.5).set_train()(ones(3, 6, *[2] * count)).asnumpy().reshape(3, 6, -1)
    assert (out == out[:, :, :1]).all()
    assert 0 < (out[:, :, 0] > 0).sum() < 18


def test_one_dimension_without_a_batch():
    out = nn.Dropout1d(0.5).set_train()(ones(6, 4)).asnumpy()
    assert (out == out[:, :1]).all()


def test_probabilities_at_the_ends():
    x = ones(2, 3)
    assert nn.Dropout(p=0.0).set_train()(x) is x
    assert nn.Dropout(p=0).set_train()(x) is x
    with pytest.warns(DeprecationWarning, match="keep_prob"):
        assert nn.Dropout(1.0).set_train()(x) is x
    assert kept(nn.DropoutExt(1.0).set_train()(x)) == [[0] * 3] * 2
    assert kept(nn.Dropout2d(1.0).set_train()(ones(1, 1, 1, 2))) == [[[[0, 0]]]]
    assert kept(ops.dropout2d(ones(1, 1, 1, 2), 1.0)) == [[[[0, 0]]]]
    np.testing.assert_array_equal(ops.dropout(x, 0.0).asnumpy(), x.asnumpy())


def test_text_and_the_meaning_of_the_first_argument():
    with pytest.warns(DeprecationWarning, match=r"write p=0\.7|Write p=0\.7"):
        drop = nn.Dropout(0.3)
    assert repr(drop) == "Dropout(keep_prob=0.3)"
    assert drop.keep_prob == 0.3
    assert repr(nn.Dropout(p=0.3)) == "Dropout(p=0.3)"
    assert repr(nn.Dropout2d(p=0.25)) == "Dropout2d(p=0.75)"
    assert repr(nn.Dropout3d(p=0.25)) == "Dropout3d(p=0.75)"
    assert repr(nn.Dropout1d(p=0.25)) == "Dropout1d()"


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (lambda: nn.Dropout(p=1.0), ValueError, r"range \[0, 1\)"),
        (lambda: nn.Dropout(p=-0.1), ValueError, r"range \[0, 1\)"),
        (lambda: nn.Dropout(p="a"), TypeError, "'p'"),
        (lambda: nn.Dropout(p=True), TypeError, "'p'"),
        (lambda: nn.Dropout(keep_prob=1.5), ValueError, r"range \(0, 1\]"),
        (lambda: nn.Dropout(keep_prob=1), TypeError, "'keep_prob' should be 'float'"),
        (lambda: nn.Dropout2d(1), TypeError, "'p' should be 'float'"),
        (lambda: nn.Dropout2d(1.5), ValueError, r"range \[0, 1\]"),
        (lambda: nn.DropoutExt(0.5, 1), TypeError, "inplace"),
        (lambda: nn.Dropout(p=0.5).set_train()(ms.Tensor([1, 2])), TypeError, "floating-point"),
        (lambda: nn.Dropout2d(0.5).set_train()(ones(2, 2, 2)), ValueError, "must be equal to 4"),
        (lambda: nn.Dropout1d(0.5).set_train()(ones(2)), ValueError, "2D or 3D"),
        (lambda: ops.dropout(ones(2), 1.0), RuntimeError, r"must be in \[0, 1\)"),
        (lambda: ops.dropout(ones(2), 0.5, "yes"), TypeError, "'training'"),
        (lambda: ops.dropout(ones(2), 0.5, True, -1), ValueError, "seed"),
        (lambda: ops.Dropout2D(1.5), ValueError, "keep_prob"),
    ],
)
def test_errors(bad, error, words):
    with pytest.raises(error, match=words):
        bad()
