"""AdaSum over processes, against its formula in float64."""

from __future__ import annotations

import numpy as np
import pytest

from communication import several


def updates(rank):
    rng = np.random.RandomState(rank)
    return rng.randn(2, 3).astype(np.float32), rng.randn(1).astype(np.float32)


def combined(a, b):
    dot = (a * b).sum()
    return (1 - dot / (2 * (a * a).sum())) * a + (1 - dot / (2 * (b * b).sum())) * b


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 4])
def test_updates_are_combined(size, tmp_path):
    result = several.run("adasum.py", size, tmp_path, timeout=240)
    level = [updates(rank)[0].astype(np.float64) for rank in range(size)]
    while len(level) > 1:
        level = [combined(a, b) for a, b in zip(level[::2], level[1::2], strict=True)]
    mean = np.mean([updates(rank)[1] for rank in range(size)], axis=0)
    for results in result:
        np.testing.assert_allclose(results["combined"][0], 1 - level[0], rtol=1e-5)
        np.testing.assert_allclose(results["combined"][1], 1 - mean, rtol=1e-5)


@pytest.mark.slow
def test_a_step_of_two_servers(tmp_path):
    result = several.run("adasum.py", 2, tmp_path, timeout=240)
    inputs = [np.array([[1.0, 2.0 * rank]]) for rank in range(2)]
    # the gradient of (w x)^2 at w = (1, 1), times the rate
    moves = [0.1 * 2 * x.sum() * x for x in inputs]
    for rank, results in enumerate(result):
        assert results["enabled"]
        np.testing.assert_allclose(results["loss"], inputs[rank].sum() ** 2)
        np.testing.assert_allclose(results["trained"], 1 - combined(*moves), rtol=1e-5)
