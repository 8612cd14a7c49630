"""Learning-rate schedules: cells and lists agree, and follow their formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agar as ms
from agar import nn

positive = st.floats(0.01, 2.0)
counts = st.integers(1, 12)
steps = st.integers(0, 60)


def at(cell, step):
    value = cell(ms.Tensor(step, ms.int32))
    assert value.shape == ()
    assert cell(ms.Tensor([step], ms.int32)).shape == (1,)
    return float(value.asnumpy())


@given(positive, positive, counts, steps, st.booleans())
def test_cells_of_decays_agree_with_the_lists(lr, rate, decay, step, stair):
    pairs = (
        (nn.ExponentialDecayLR, nn.exponential_decay_lr),
        (nn.NaturalExpDecayLR, nn.natural_exp_decay_lr),
        (nn.InverseDecayLR, nn.inverse_decay_lr),
    )
    for cell, function in pairs:
        listed = function(lr, rate, step + 1, 1, decay, stair)
        assert len(listed) == step + 1
        assert at(cell(lr, rate, decay, stair), step) == pytest.approx(
            listed[-1], rel=1e-4, abs=1e-7
        )


@given(positive, counts, steps, st.floats(0.5, 3.0), st.booleans())
def test_cells_that_end_agree_with_the_lists(lr, decay, step, power, update):
    low = lr / 4
    cosine = nn.cosine_decay_lr(low, lr, step + 1, 1, decay)[-1]
    assert at(nn.CosineDecayLR(low, lr, decay), step) == pytest.approx(cosine, rel=1e-5)
    poly = nn.polynomial_decay_lr(lr, low, step + 1, 1, decay, power, update)[-1]
    result = at(nn.PolynomialDecayLR(lr, low, decay, power, update), step)
    assert result == pytest.approx(poly, rel=1e-3)
    warm = nn.warmup_lr(lr, step + 1, 1, decay)[-1]
    assert at(nn.WarmUpLR(lr, decay), step) == pytest.approx(warm, rel=1e-5, abs=1e-9)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_piecewise_constant(lengths):
    ends = np.cumsum(lengths).tolist()
    rates = [0.5 / (i + 1) for i in range(len(ends))]
    result = nn.piecewise_constant_lr(ends, rates)
    assert len(result) == ends[-1]
    for i, rate in enumerate(rates):
        assert set(result[ends[i] - lengths[i] : ends[i]]) == {rate}


def test_lists_count_epochs_and_cells_steps():
    assert nn.exponential_decay_lr(0.5, 0.5, 5, 2, 1) == [0.5, 0.5, 0.25, 0.25, 0.125]
    assert at(nn.ExponentialDecayLR(0.5, 0.5, 1), 2) == 0.125


def test_natural_decay_looks_at_decay_steps_in_stairs_only():
    plain, stair = nn.NaturalExpDecayLR(0.1, 0.9, 4), nn.NaturalExpDecayLR(0.1, 0.9, 4, True)
    assert at(plain, 3) == pytest.approx(0.1 * math.exp(-2.7), rel=1e-5)
    assert at(stair, 3) == pytest.approx(0.1)
    assert at(stair, 5) == pytest.approx(0.1 * math.exp(-3.6), rel=1e-5)


def test_a_schedule_without_construct():
    with pytest.raises(NotImplementedError, match="global_step"):
        nn.learning_rate_schedule.LearningRateSchedule()(ms.Tensor(0))
