"""Engines: jumping ahead equals stepping, parts equal the whole, positions survive a save."""

from __future__ import annotations

import copy
import json
import pickle
import threading

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from agar._core.random import draws
from agar._core.random.engines import (
    BLOCK,
    Mersenne,
    MinStd,
    Philox,
    engine_seed,
    pack_mt,
    philox_block,
    philox_lanes,
    philox_words,
    unpack_mt,
)

pytestmark = pytest.mark.smoke

M = 2**31 - 1
seeds = st.integers(0, 2**64 - 1)
# Sizes about the block, where an off-by-one would sit.
sizes = st.one_of(st.integers(0, 40), st.integers(2 * BLOCK - 3, 2 * BLOCK + 3))
limits = st.floats(0, 1, width=32)


def stepwise(state: int, count: int) -> list[int]:
    """The definition of the minimal-standard generator, one step at a time."""
    words = []
    for _ in range(count):
        state = 16807 * state % M
        words.append(state)
    return words


def test_philox_known_answers() -> None:
    # The all-zeros, all-ones and pi vectors published with Random123 for philox4x32-10.
    ones = 2**64 - 1
    assert philox_block((0, 0), (0, 0)) == (
        _join("6627e8d5 e169c58d"),
        _join("bc57ac4c 9b00dbd8"),
    )
    assert philox_block((ones, ones), (2**32 - 1, 2**32 - 1)) == (
        _join("408f276d 41c83b0e"),
        _join("a20bc7c6 6d5451fd"),
    )
    counter = _join("243f6a88 85a308d3"), _join("13198a2e 03707344")
    assert philox_block(counter, (0xA4093822, 0x299F31D0)) == (
        _join("d16cfe09 94fdcceb"),
        _join("5001e420 24126ea1"),
    )


def _join(words: str) -> int:
    low, high = (int(word, 16) for word in words.split())
    return low | high << 32


@given(key=seeds, high=seeds, count=st.integers(0, 150))  # few blocks, and many
@settings(max_examples=30, deadline=None)
def test_philox_stream_is_made_of_blocks(key: int, high: int, count: int) -> None:
    expected: list[int] = []
    for block in range(-(-count // 4)):
        for half in philox_block((block, high), (key & 0xFFFFFFFF, key >> 32)):
            expected += [half & 0xFFFFFFFF, half >> 32]
    assert philox_words(key, high, count).tolist() == expected[:count]


def test_philox_parts_continue_over_the_block_size() -> None:
    parts = [(first, lanes.copy()) for first, lanes in philox_lanes(7, 9, BLOCK + 2)]
    assert [first for first, _ in parts] == [0, BLOCK]
    expected = philox_block((BLOCK + 1, 9), (7, 0))
    low = parts[1][1][:, 1].tolist()
    assert (low[0] | low[1] << 32, low[2] | low[3] << 32) == expected


@given(seed=seeds, count=sizes)
@settings(max_examples=25, deadline=None)
def test_lcg_draws_equal_stepping(seed: int, count: int) -> None:
    engine = MinStd(seed)
    words = stepwise(seed % M or 1, count)
    assert engine.draws(count).tolist() == [word - 1 for word in words]
    assert engine.state == (words[-1] if words else seed % M or 1)


@given(seed=seeds, first=sizes, second=sizes)
@settings(max_examples=25, deadline=None)
def test_lcg_parts_equal_the_whole(seed: int, first: int, second: int) -> None:
    whole, parts = MinStd(seed), MinStd(seed)
    joined = np.concatenate([parts.draws(first), parts.draws(second)])
    np.testing.assert_array_equal(joined, whole.draws(first + second))
    assert parts.state == whole.state


@given(seed=seeds, count=st.integers(0, 10**12))
@settings(max_examples=25, deadline=None)
def test_lcg_skip_is_a_power(seed: int, count: int) -> None:
    engine = MinStd(seed)
    before = engine.skip(count)
    assert engine.state == before * pow(16807, count, M) % M


@pytest.mark.parametrize("state", [1, 2, M - 1, M - 2, 2**30, 16807])
def test_lcg_reads_words_exactly_at_the_edges_of_its_range(state: int) -> None:
    engine = MinStd(state)
    assert engine.draws(2000).tolist() == [word - 1 for word in stepwise(state, 2000)]


@given(seed=seeds, count=sizes, limit=limits)
@settings(max_examples=40, deadline=None)
def test_lcg_below_equals_comparing_floats(seed: int, count: int, limit: float) -> None:
    compared, direct, device = MinStd(seed), MinStd(seed), MinStd(seed)
    expected = compared.floats(count) < np.float32(limit)
    np.testing.assert_array_equal(direct.below(count, limit), expected)
    on_device = device.below_on(torch.device("cpu"), count, limit)
    np.testing.assert_array_equal(on_device.numpy(), expected)
    assert direct.state == device.state == compared.state


def test_lcg_below_is_exact_beside_its_limit() -> None:
    # The limit is put at, just below and just above a float that the stream does produce.
    value = MinStd(5).floats(100)[99]
    for limit in (np.nextafter(value, np.float32(0)), value, np.nextafter(value, np.float32(1))):
        assert MinStd(5).below(100, float(limit))[99] == (value < limit)


def test_lcg_floats_stay_below_one() -> None:
    # The inverse step leads to the state whose next word is the largest.
    state = (M - 1) * pow(16807, -1, M) % M
    assert MinStd(state).draws(1).tolist() == [M - 2]
    assert MinStd(state).floats(1)[0] == np.float32(1 - 2.0**-24)
    assert MinStd(state).below(1, 1.0).all()
    assert not MinStd(state).below(1, 1 - 2.0**-24).any()


def test_lcg_peek_does_not_move() -> None:
    engine = MinStd(3)
    peeked = engine.peek(10)
    np.testing.assert_array_equal(peeked, engine.draws(10))


def test_mersenne_is_numpys() -> None:
    engine = Mersenne(2**40 + 12)
    source = np.random.RandomState(12)
    assert engine.draws(1000).tolist() == source.randint(0, 2**32, 1000, np.uint32).tolist()


def test_mersenne_doubles_take_the_low_word_first() -> None:
    low, high = Mersenne(4).draws(2).tolist()
    assert Mersenne(4).doubles(1)[0] == (low + high * 2.0**32) / 2.0**64


def test_a_recycled_mersenne_starts_afresh() -> None:
    first = Mersenne(8)
    first.draws(3)
    expected = Mersenne(9).draws(5).tolist()
    del first
    assert Mersenne(9).draws(5).tolist() == expected


@pytest.mark.parametrize("make", [MinStd, Mersenne, Philox])
def test_positions_survive_json_pickle_and_copies(make: type) -> None:
    engine = make(21)
    engine.draws(700)
    other = make(0)
    other.state = json.loads(json.dumps(engine.state))
    twins = [other, pickle.loads(pickle.dumps(engine)), copy.deepcopy(engine)]
    expected = engine.draws(700).tolist()
    assert all(twin.draws(700).tolist() == expected for twin in twins)


def test_numpys_spare_variate_is_part_of_a_packed_state() -> None:
    source = np.random.RandomState(3)
    source.standard_normal()
    full = source.get_state(legacy=False)
    assert full["has_gauss"] == 1
    twin = np.random.RandomState(4)
    twin.set_state(unpack_mt(json.loads(json.dumps(pack_mt(full)))))
    assert twin.standard_normal(3).tolist() == source.standard_normal(3).tolist()


@given(key=st.integers(0, 2**64 - 1), parts=st.lists(st.integers(0, 9), max_size=5))
def test_philox_draws_continue_inside_a_block(key: int, parts: list[int]) -> None:
    engine = Philox(key, 7)
    got = [word for count in parts for word in engine.draws(count).tolist()]
    assert got == philox_words(key, 7, sum(parts)).tolist()
    assert engine.state == (key, 7, sum(parts))


def test_philox_blocks_lie_anywhere_in_the_stream() -> None:
    engine = Philox(5, 2**40)
    index = np.array([3, 0, 2**33], np.uint64)
    words = engine.blocks(index)
    assert words[:, 0].tolist() == philox_words(5, 2**40, 4, 12).tolist()
    assert words[:, 2].tolist() == philox_words(5, 2**40, 4, 2**35).tolist()
    assert engine.state == (5, 2**40, 0)


@pytest.mark.parametrize("bad", [None, (1, 2), (1, 2, -1), (1, 2, 1 << 64), (1, 2, True), "abc"])
def test_a_bad_philox_state_is_refused(bad: object) -> None:
    engine = Philox(5)
    with pytest.raises(ValueError, match="Philox"):
        engine.state = bad
    assert engine.state == (5, 0, 0)


@pytest.mark.parametrize("bad", [0, M, -1, 1.5, "5", None, True])
def test_a_bad_lcg_state_is_refused(bad: object) -> None:
    engine = MinStd(5)
    with pytest.raises(ValueError, match="31-bit LCG"):
        engine.state = bad
    assert engine.state == 5


@pytest.mark.parametrize(
    "bad",
    [None, 3, ("00", 0, 0, 0.0), ("zz" * 2496, 0, 0, 0.0), ("00" * 2496, 625, 0, 0.0), ("", 1)],
)
def test_a_bad_mersenne_state_is_refused(bad: object) -> None:
    engine = Mersenne(5)
    before = engine.state
    with pytest.raises(ValueError, match="MT19937"):
        engine.state = bad
    assert engine.state == before


def test_threads_share_a_stream_without_loss() -> None:
    engine = MinStd(77)
    read: list[np.ndarray] = []

    def work() -> None:
        read.extend(draws.standard_normal((3,), engine) for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = MinStd(77)
    expected = [draws.standard_normal((3,), alone) for _ in range(600)]
    assert sorted(r.tolist() for r in read) == sorted(e.tolist() for e in expected)
    assert engine.state == alone.state


def test_engine_seed_reads_all_64_bits_of_each_number() -> None:
    seeds = [engine_seed(a, b) for a, b in ((1, 0), (1 << 32, 0), (0, 1), (0, 1 << 32), (1, 1))]
    assert len(set(seeds)) == 5
