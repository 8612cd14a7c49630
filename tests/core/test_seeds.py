"""The public rules of seeds: what ms.set_seed and ms.manual_seed reach, and what they do not.

Figures were observed in MindSpore 2.10. (tests/random/test_seeds.py has the mechanism underneath.)
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable

import numpy as np
import pytest

import agar as ms
from agar import mint, nn, ops
from agar.common.initializer import Normal, initializer

pytestmark = pytest.mark.smoke

T = ms.Tensor


def guide_row() -> list[float]:
    return ops.uniform((1, 4), T(1.0), T(2.0), seed=1).asnumpy()[0].tolist()


# the four rows that the guide prints, in a process that never set a global seed
GUIDE = [
    [1.4519546, 1.242295, 1.9052019, 1.7309945],
    [1.269552, 1.6567562, 1.9240322, 1.7505953],
    [1.8540323, 1.3442079, 1.074909, 1.0930715],
    [1.9383929, 1.8798318, 1.178043, 1.8124416],
]
SEEDED = [
    [1.5108306, 1.7556617, 1.5683985, 1.8572192],
    [1.7407384, 1.1011323, 1.6430053, 1.1294014],
]


def single(rows: list[list[float]]) -> list[list[float]]:
    return np.array(rows, np.float32).tolist()


def test_the_guides_four_rows_without_a_global_seed() -> None:
    assert [guide_row() for _ in range(4)] == single(GUIDE)


def test_the_guides_rows_after_a_global_seed() -> None:
    ms.set_seed(1)
    assert [guide_row() for _ in range(2)] == single(SEEDED)


def test_set_seed_starts_every_counter_again() -> None:
    guide_row()
    ms.set_seed(1)
    guide_row()
    ops.normal((2,), 0.0, 1.0, seed=1)
    ms.set_seed(1)
    assert [guide_row() for _ in range(2)] == single(SEEDED)


def test_get_seed_is_what_was_set() -> None:
    assert ms.get_seed() is None
    ms.set_seed(2**32 - 1)
    assert ms.get_seed() == 2**32 - 1
    with pytest.raises(ValueError, match="2\\*\\*32"):
        ms.set_seed(2**32)
    assert ms.get_seed() == 2**32 - 1


def test_set_seed_reaches_numpy_and_python() -> None:
    ms.set_seed(3)
    assert random.random() == random.Random(3).random()
    assert np.random.rand() == np.random.RandomState(3).rand()


def test_functions_of_one_seed_start_alike_and_count_apart() -> None:
    ms.set_seed(4)
    first = ops.rand(5, seed=2).tolist()
    assert ops.rand_like(ops.zeros(5), 2).tolist() == first
    second = ops.rand(5, seed=2).tolist()
    assert second != first
    assert ops.rand_like(ops.zeros(5), 2).tolist() == second
    assert ops.rand(5, seed=3).tolist() not in (first, second)
    assert ops.randn(5, seed=2).tolist() == ops.standard_normal((5,), 2).tolist()


def test_seed_zero_is_a_seed_of_its_own() -> None:
    ms.set_seed(0)
    first = ops.rand(4).tolist()
    ms.set_seed(0)
    assert ops.rand(4).tolist() == first
    ms.set_seed(1)
    assert ops.rand(4).tolist() != first


def test_an_operators_seed_alone_repeats_in_another_process() -> None:
    # with no global seed, seed=5 is the pair (0, 5): the same numbers in each process
    assert ops.standard_normal((3,), 5).tolist() == ops.StandardNormal(0, 5)((3,)).tolist()


def test_layers_take_their_seeds_when_they_are_made() -> None:
    x = ops.ones(64)
    ms.set_seed(11)
    a, b = nn.Dropout(p=0.5).set_train(), nn.Dropout(p=0.5).set_train()
    masks = [a(x).tolist(), b(x).tolist(), a(x).tolist()]
    assert len({str(m) for m in masks}) == 3
    ms.set_seed(11)
    c = nn.Dropout(p=0.5).set_train()
    ms.set_seed(7)
    assert [c(x).tolist(), c(x).tolist()] == [masks[0], masks[2]]


def test_weights_follow_the_global_seed_and_numpys_draws() -> None:
    def weights() -> list[float]:
        return nn.Dense(4, 3).weight.asnumpy().tolist()

    ms.set_seed(1)
    first, second = weights(), weights()
    ms.set_seed(1)
    assert [weights(), weights()] == [first, second]
    ms.set_seed(1)
    np.random.rand()
    assert weights() != first
    ms.set_seed(1)
    ops.rand(100)  # operators have streams of their own
    assert weights() == first


def test_a_lazy_tensor_draws_when_it_is_used() -> None:
    ms.set_seed(1)
    lazy = initializer(Normal(), (3,))
    other = initializer(Normal(), (3,)).asnumpy().tolist()
    ms.set_seed(1)
    assert lazy.asnumpy().tolist() == other


@pytest.mark.parametrize(
    "draw",
    [lambda: mint.rand(4), lambda: ops.zeros(4).normal_(), lambda: ops.zeros(4).uniform()],
)
def test_the_default_generator_has_its_own_seed(draw: Callable[[], ms.Tensor]) -> None:
    ms.manual_seed(5)
    ms.set_seed(1)
    first = draw().tolist()
    ms.set_seed(2)
    second = draw().tolist()
    assert first != second
    ms.manual_seed(5)
    assert [draw().tolist(), draw().tolist()] == [first, second]


def test_manual_seed_leaves_operators_alone() -> None:
    ms.set_seed(1)
    guide_row()
    ms.manual_seed(5)
    assert guide_row() == single(SEEDED)[1]


def test_module_paths_name_the_same_things() -> None:
    for module, names in (
        ("seed", ("set_seed", "get_seed")),
        ("generator", ("Generator", "manual_seed", "seed", "get_rng_state", "set_rng_state")),
    ):
        result = importlib.import_module(f"agar.common.{module}")
        assert all(getattr(result, name) is getattr(ms, name) for name in names)
