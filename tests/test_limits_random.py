"""Two limits that agar lifts: in-place random numbers (L12), generators to save and share (L20)."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import mint, nn, ops

pytestmark = pytest.mark.smoke

T = ms.Tensor

IN_PLACE: dict[str, Callable[..., ms.Tensor]] = {
    "random_": lambda x, **k: x.random_(0, 200, **k),
    "normal_": lambda x, **k: x.normal_(1.0, 2.0, **k),
    "uniform_": lambda x, **k: x.uniform_(-1.0, 1.0, **k),
    "exponential_": lambda x, **k: x.exponential_(2.0, **k),
    "bernoulli_": lambda x, **k: x.bernoulli_(0.5, **k),
}
FUNCTIONS: dict[str, Callable[..., ms.Tensor]] = {
    "rand": lambda **k: mint.rand(40, **k),
    "randn": lambda **k: mint.randn(40, **k),
    "randint": lambda **k: mint.randint(1000, (40,), **k),
    "randperm": lambda **k: mint.randperm(40, **k),
    "normal": lambda **k: mint.normal(0.0, 1.0, (40,), **k),
    "bernoulli": lambda **k: mint.bernoulli(ops.zeros(40) + 0.5, **k),
    "multinomial": lambda **k: mint.multinomial(ops.ones(40), 40, **k),
    **{name: lambda fill=fill, **k: fill(ops.zeros(40), **k) for name, fill in IN_PLACE.items()},
}


def state_of(generator: ms.Generator) -> list[int]:
    return generator.get_state().asnumpy().view(np.int64).tolist()


@pytest.mark.parametrize("name", IN_PLACE)
def test_L12_in_place_random(name: str) -> None:
    fill = IN_PLACE[name]
    x = ops.zeros(200)
    view, address = x[100:], x.to_torch().data_ptr()
    assert fill(x) is x
    assert x.to_torch().data_ptr() == address
    assert len(set(x.tolist())) > 1
    assert view.tolist() == x.tolist()[100:]
    # the function of the same name does the same
    ms.manual_seed(3)
    by_method = fill(ops.zeros(200)).tolist()
    ms.manual_seed(3)
    arguments = {
        "random_": (0, 200),
        "normal_": (1.0, 2.0),
        "uniform_": (-1.0, 1.0),
        "exponential_": (2.0,),
        "bernoulli_": (0.5,),
    }[name]
    assert getattr(ops, name)(ops.zeros(200), *arguments).tolist() == by_method


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32, ms.float64])
def test_L12_in_place_random_keeps_the_type(name: str, dtype: Any) -> None:
    x = ops.zeros(8, dtype)
    assert IN_PLACE[name](x).dtype == dtype


def test_L12_in_place_random_of_integers() -> None:
    x = ops.zeros(1000, ms.int8)
    assert x.random_().asnumpy().max() > 100
    assert set(x.random_(-1, 2).tolist()) == {-1, 0, 1}
    assert set(x.bernoulli_(T(0.5)).tolist()) == {0, 1}
    assert set((x > 5).bernoulli_(1.0).tolist()) == {True}
    for fill in (T.normal_, T.uniform_, T.exponential_):
        with pytest.raises(TypeError, match="float"):
            fill(x)


def test_L12_in_place_random_of_parameters_and_parts() -> None:
    layer = nn.Dense(3, 2)
    before = layer.bias.asnumpy().copy()
    layer.weight.normal_(0.0, 0.02, generator=ms.Generator().manual_seed(1))
    assert abs(layer.weight.asnumpy()).max() < 0.2
    assert layer.bias.asnumpy().tolist() == before.tolist()
    x = ops.zeros((4, 3))
    x[1].normal_()
    assert (x.asnumpy() != 0).any(1).tolist() == [False, True, False, False]


def test_L12_in_place_random_cuts_the_gradient_of_what_it_overwrites() -> None:
    def f(x: ms.Tensor) -> ms.Tensor:
        y = x * 2
        y.normal_()
        return (y + x).sum()

    assert ms.grad(f)(T([1.0, 2.0])).tolist() == [1, 1]
    assert ms.grad(lambda x: x.uniform_().sum())(T([1.0, 2.0])).tolist() == [0, 0]
    weight = ms.Parameter(T([1.0, 2.0]), name="w")
    with pytest.raises(RuntimeError, match="normal_ changes"):
        ms.grad(lambda x: (weight.normal_() * x).sum(), None, [weight])(T([1.0, 1.0]))
    assert weight.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("dtype", "bounds"),
    [
        (ms.int8, (0, 129)),
        (ms.int8, (-129, 0)),
        (ms.uint8, (-1, 5)),
        (ms.bool_, (0, 3)),
        (ms.bfloat16, (0, 258)),
        (ms.float16, (-2049, 0)),
        (ms.float32, (0, 2**24 + 2)),
    ],
)
def test_L12_in_place_random_refuses_what_the_type_cannot_hold(
    dtype: Any, bounds: tuple[int, int]
) -> None:
    x = ops.zeros(4, dtype)
    with pytest.raises(ValueError, match="random_"):
        x.random_(*bounds)
    assert not x.asnumpy().any()
    assert state_of(ms.default_generator)[1] == 0


@pytest.mark.gpu
@pytest.mark.parametrize("name", IN_PLACE)
def test_L12_in_place_random_on_a_gpu(name: str) -> None:
    generator = ms.Generator().manual_seed(3)
    x = IN_PLACE[name](ms.Tensor(np.zeros(50, np.float32), device="GPU"), generator=generator)
    assert x.device.startswith("GPU")
    assert len(set(x.tolist())) > 1
    assert state_of(generator) == [3, 12]
    again = ms.Tensor(np.zeros(50, np.float32), device="GPU")
    assert IN_PLACE[name](again, generator=generator.manual_seed(3)).tolist() == x.tolist()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_L20_generators_can_be_saved_set_and_shared(name: str) -> None:
    draw = FUNCTIONS[name]
    generator = ms.Generator().manual_seed(8)
    draw(generator=generator)
    saved = generator.get_state()
    assert saved.dtype == ms.uint8
    assert saved.shape == (16,)
    assert state_of(generator) == [8, 12]
    expected = [draw(generator=generator).tolist() for _ in range(3)]
    assert len({str(e) for e in expected}) == 3

    # set: the same generator, another one, one through bytes, one that was pickled or copied
    generator.set_state(saved)
    twin = ms.Generator()
    twin.set_state(saved)
    through_json = ms.Generator()
    through_json.set_state(T(np.array(json.loads(json.dumps(saved.tolist())), np.uint8)))
    for other in (
        generator,
        twin,
        through_json,
        pickle.loads(pickle.dumps(_at(saved))),
        copy.deepcopy(_at(saved)),
    ):
        assert [draw(generator=other).tolist() for _ in range(3)] == expected

    # shared: two users of one generator never draw the same numbers
    shared = _at(saved)
    assert [draw(generator=shared).tolist(), draw(generator=shared).tolist()] == expected[:2]


def _at(state: ms.Tensor) -> ms.Generator:
    generator = ms.Generator()
    generator.set_state(state)
    return generator


@pytest.mark.parametrize("name", FUNCTIONS)
def test_L20_the_default_generator_is_one_of_them(name: str) -> None:
    draw = FUNCTIONS[name]
    ms.manual_seed(6)
    saved = ms.get_rng_state()
    expected = draw().tolist()
    assert draw(generator=_at(saved)).tolist() == expected
    ms.set_rng_state(saved)
    assert draw(generator=ms.default_generator).tolist() == expected
    assert state_of(ms.default_generator) == [6, 12]


def test_L20_a_generator_is_shared_between_threads_without_loss() -> None:
    generator = ms.Generator().manual_seed(2)
    items: list[float] = []

    def work() -> None:
        for _ in range(50):
            items.extend(mint.rand(1, generator=generator).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state_of(generator) == [2, 12 * 200]
    assert len(set(items)) == 200
    alone = ms.Generator().manual_seed(2)
    expected = [mint.rand(1, generator=alone).item() for _ in range(200)]
    assert sorted(items) == sorted(expected)


def test_L20_torchs_own_generators_are_not_touched() -> None:
    torch.manual_seed(9)
    before = torch.get_rng_state()
    for draw in FUNCTIONS.values():
        draw()
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("bad", [3, torch.Generator(), "default"])
def test_L20_other_generators_are_refused_and_nothing_moves(bad: Any) -> None:
    for name, draw in FUNCTIONS.items():
        with pytest.raises(TypeError, match="must be an agar Generator"):
            draw(generator=bad)
        assert state_of(ms.default_generator)[1] == 0, name
