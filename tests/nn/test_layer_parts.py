"""The operators that layers hold as attributes: what subclasses written with them compute."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import agar as ms
from agar import nn


class Line(nn.Dense):
    def construct(self, x):
        return self.bias_add(self.matmul(x, self.weight), self.bias)


class Picture(nn.Conv2d):
    def construct(self, x):
        return self.bias_add(self.conv2d(x, self.weight), self.bias)


class Row(nn.Conv1d):
    def construct(self, x):
        return self.squeeze(
            self.bias_add(self.conv2d(self.expand_dims(x, 2), self.weight), self.bias)
        )


class Volume(nn.Conv3d):
    def construct(self, x):
        return self.bias_add(self.conv3d(x, self.weight), self.bias)


class Normed(nn.LayerNorm):
    def construct(self, x):
        return self.layer_norm(x, self.gamma, self.beta)[0]


class Batch(nn.BatchNorm2d):
    def construct(self, x):
        part = self.bn_train if self.training else self.bn_infer
        return part(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


BIAS = {"has_bias": True}
CASES = [
    (Line, (3, 4), {}, (2, 3)),
    (Picture, (2, 4, 3, 2), BIAS, (1, 2, 7, 6)),
    (Picture, (2, 4, 3, 1, "pad", (1, 0, 2, 1)), BIAS, (1, 2, 7, 6)),
    (Row, (2, 4, 3, 2), BIAS, (1, 2, 7)),
    (Volume, (2, 4, 3, 2), BIAS, (1, 2, 5, 5, 4)),
    (Normed, ((3,),), {}, (2, 3)),
    (Batch, (3,), {}, (2, 3, 2, 2)),
]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(("kind", "args", "options", "shape"), CASES)
def test_a_construct_of_parts_gives_the_result_of_the_layer(kind, args, options, shape, mode):
    ms.set_context(mode=mode)
    written = kind(*args, **options)
    plain = kind.__base__(*args, **options)
    for ours, theirs in zip(written.get_parameters(), plain.get_parameters(), strict=True):
        theirs.set_data(ours)
    x = ms.Tensor(np.random.default_rng(0).normal(size=shape).astype(np.float32))
    for train in (False, True):
        written.set_train(train)
        plain.set_train(train)
        np.testing.assert_allclose(written(x).asnumpy(), plain(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_parts_are_stored_nowhere_and_survive_copies():
    layer = nn.Dense(3, 4)
    before = set(vars(layer))
    assert layer.matmul.transpose_b is True
    assert set(vars(layer)) == before
    assert "matmul" in dir(layer)
    assert not list(layer.cells())
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert other.matmul.transpose_b is True


def test_another_part_raises_where_the_layer_would_not_use_it():
    with pytest.raises(NotImplementedError, match="Another 'matmul' of Dense"):
        nn.Dense(3, 4).matmul = ms.ops.MatMul()
    nn.Dense(3, 4).matmul = ms.ops.MatMul(transpose_b=True)  # the same part


def test_another_reduction_of_a_loss_raises_where_get_loss_would_not_use_it():
    class Fourth(nn.LossBase):
        def __init__(self, keep_dims):
            super().__init__()
            self.reduce_mean = ms.ops.ReduceMean(keep_dims)

        def construct(self, x):
            return self.get_loss(x**4)

    assert float(Fourth(False)(ms.Tensor([1.0, 2.0]))) == 8.5
    with pytest.raises(NotImplementedError, match="Another 'reduce_mean' of Fourth"):
        Fourth(True)


def test_another_part_takes_effect_in_a_construct_of_parts():
    layer = Line(3, 4)
    layer.bias_add = lambda x, bias: x * 0
    assert not layer(ms.ops.ones((2, 3))).asnumpy().any()


def test_parts_follow_the_options_of_the_layer():
    layer = nn.BatchNorm2d(3)
    layer.momentum = 0.25
    assert layer.bn_train.momentum == 0.25


def test_cells_tell_whether_they_have_a_gradient_of_their_own():
    class Own(nn.Cell):
        def bprop(self, x, out, dout):
            return (dout,)

    assert Own().has_bprop
    assert not nn.ReLU().has_bprop
    assert nn.ReLU().cell_type is None
