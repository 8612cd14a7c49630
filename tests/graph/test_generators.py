"""Draws from Python's and numpy's global generators are seen, whatever tells of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from agar._core.graph.record import generators
from agar._core.graph.record.generators import random_states

PYTHON = {
    "random": random.random,
    "gauss": lambda: random.gauss(0.0, 1.0),
    "bits": lambda: random.getrandbits(1),
    "seed": lambda: random.seed(5),
}
NUMPY = {
    "rand": lambda: np.random.rand(),
    "randn": lambda: np.random.randn(),
    "flag": lambda: np.random.randint(0, 2, dtype=np.bool_),
    "bytes": lambda: np.random.bytes(1),
    "seed": lambda: np.random.seed(5),
}


@pytest.fixture(params=["memory", "states"], autouse=True)
def _way(request, monkeypatch):
    kept = random.getstate(), np.random.get_state()
    if request.param == "states":
        monkeypatch.setattr(generators, "_shows_numpys", lambda: False)
        monkeypatch.setattr(generators, "_shows_pythons", lambda: False)
    yield
    random.setstate(kept[0])
    np.random.set_state(kept[1])


@pytest.mark.parametrize("name", [*PYTHON, *NUMPY])
def test_each_draw_shows_in_its_generator(name):
    place = 1 if name in PYTHON and name not in NUMPY else 0

    for _ in range(3):  # of two normal numbers, the second leaves the words as they are
        before = random_states()
        assert random_states() == before
        (PYTHON if place else NUMPY)[name]()
        after = random_states()
        if name != "seed" or before != after:
            assert after[place] != before[place]
        assert after[1 - place] == before[1 - place]


def test_a_state_that_was_put_back_is_the_same():
    np.random.randn()
    random.gauss(0.0, 1.0)
    before, kept = random_states(), (random.getstate(), np.random.get_state())
    np.random.randn()
    random.gauss(0.0, 1.0)
    assert all(now != then for now, then in zip(random_states(), before, strict=True))
    random.setstate(kept[0])
    np.random.set_state(kept[1])
    assert random_states() == before


def test_another_generator_behind_numpys_functions():
    if not hasattr(np.random, "set_bit_generator"):
        pytest.skip("this numpy has one generator")
    own = np.random.get_bit_generator()
    try:
        for kind in (np.random.PCG64, np.random.MT19937):
            before = random_states()
            np.random.set_bit_generator(kind(3))
            after = random_states()
            assert after[0] != before[0]
            np.random.rand()
            assert random_states()[0] != after[0]
    finally:
        np.random.set_bit_generator(own)


def test_the_memory_of_the_usual_generators_is_known(request):
    if request.node.callspec.params["_way"] == "memory":
        assert generators._shows_pythons()
        assert generators._shows_numpys()
