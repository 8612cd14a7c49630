"""Costs of ways to spread a network; see test_split for what processes have and send."""

from __future__ import annotations

from typing import Any

import pytest

import agar as ms
from agar import nn

WRONG: Any = 3

ROWS, WIDTH, LAYERS = 64, 256, 8
MATRICES = LAYERS * WIDTH * WIDTH * 4
BIASES = LAYERS * WIDTH * 4


def network():
    return nn.SequentialCell(*(nn.Dense(WIDTH, WIDTH) for _ in range(LAYERS)))


def planned(**options):
    return ms.parallel.plan(network(), ms.ops.ones((ROWS, WIDTH)), **options)


def way(found, *sizes):
    return next(c for c in found.candidates if (c.dp, c.tp, c.pp) == sizes)


def test_costs_are_those_of_the_formulas():
    found = planned(devices=8, memory=1e12, states=2, micro_batches=4)
    outputs = LAYERS * ROWS * WIDTH * 4
    both = way(found, 2, 2, 2)
    own = MATRICES / 4 + BIASES / 2
    assert both.memory == 4 * own + outputs * 2 / (2 * 2 * 2 * 4)
    assert both.gradients == own
    assert both.activations == outputs / (2 * 2)
    assert both.boundary == 2 * outputs / LAYERS / 2
    assert both.bubble == 1 / 5
    alone = way(found, 8, 1, 1)
    assert (alone.activations, alone.boundary, alone.bubble) == (0, 0, 0)
    assert alone.memory == 4 * (MATRICES + BIASES) + outputs / 8


def test_all_ways_are_priced_and_the_fastest_comes_first():
    found = planned(devices=8, memory=1e12)
    ways = {(c.dp, c.tp, c.pp) for c in found.candidates}
    assert len(ways) == len(found.candidates) == found.tried == 10
    assert all(dp * tp * pp == 8 for dp, tp, pp in ways)
    seconds = [c.seconds for c in found.candidates]
    assert seconds == sorted(seconds)


def test_what_does_not_fit_is_left_out():
    found = planned(devices=8, memory=2e6)
    assert 0 < len(found.candidates) < found.tried
    assert all(c.memory <= 2e6 for c in found.candidates)
    none = planned(devices=2, memory=1e3)
    assert "None of 3 ways fits into 1e+03 bytes a device" in str(none)


def test_a_thousand_devices():
    found = planned(devices=1024, memory=80e9)
    assert all(c.dp * c.tp * c.pp == 1024 and c.tp <= 8 for c in found.candidates)
    text = str(found)
    assert text.splitlines()[0].split()[:3] == ["dp", "tp", "pp"]
    assert "ways over 1024 devices fit into 8e+10 bytes" in text


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: ms.parallel.plan(WRONG), TypeError, "must be a Cell"),
        (lambda: ms.parallel.plan(network()), ValueError, "give it inputs"),
        (lambda: planned(devices=0), ValueError, "'devices' must be positive"),
        (lambda: planned(memory=-1.0), ValueError, "'memory' must be positive"),
    ],
)
def test_wrong_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_one_process_explains_whole_parameters():
    found = ms.parallel.explain(nn.Dense(2, 3))
    assert [row.parts for row in found.parameters] == [(1, 1), (1,)]
    assert found.bytes == sum(row.total for row in found.parameters) == 36
    assert found.messages is None
    assert "No call was seen" in str(found)
