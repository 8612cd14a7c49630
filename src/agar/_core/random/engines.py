"""The generators behind every random operator: Philox4x32-10, MT19937 and a 31-bit LCG.

Each yields the words that MindSpore 2.10 yields on CPU, and yields them in arrays. An engine object
is a position in a stream: it continues where the last read stopped, its ``state`` is made of plain
integers and strings (so it goes into JSON, a checkpoint or a recorded graph), and it pickles.

All arithmetic is single-threaded numpy over blocks that stay in the second-level cache. On two
cores that is faster than two threads of the same work (an operation on one block lasts about 5 us,
no longer than handing over the interpreter lock) and faster than torch's integer kernels.

Sources: Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3" (Philox); Matsumoto and
Nishimura 1998 (MT19937); Park and Miller 1988 (minimal standard). Seeding and the rules from words
to floating point: behavior observed in MindSpore 2.10.
"""

from __future__ import annotations

import bisect
import functools
import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

__all__ = [
    "BLOCK",
    "FEW_BLOCKS",
    "MASK32",
    "MASK64",
    "Engine",
    "Mersenne",
    "MinStd",
    "MtState",
    "Philox",
    "engine_seed",
    "pack_mt",
    "philox_at",
    "philox_block",
    "philox_lanes",
    "philox_words",
    "unpack_mt",
]

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF

BLOCK = 1 << 14
"""Elements handled at a time: the arrays of one block (128 KiB each) fit the second-level cache."""


# ------------------------------------------------------------------------------------------ Philox

_PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_PHILOX_WEYL = (0x9E3779B9, 0xBB67AE85)
_PHILOX_STEPS = [(r * _PHILOX_WEYL[0], r * _PHILOX_WEYL[1]) for r in range(10)]
# Words 0 and 2 are multiplied, words 1 and 3 only mixed in: two arrays of two rows.
_MULTIPLIERS = np.array(_PHILOX_MULTIPLIERS, np.uint64)[:, None]
# Up to here integers are faster than arrays.
FEW_BLOCKS = 16
# The key with which MindSpore scrambles the pair (seed, seed2) into one 64-bit engine seed.
_SEED_KEY = (0x3EC8F720, 0x02461E29)


@functools.lru_cache(maxsize=64)
def _round_keys(key0: int, key1: int) -> list[tuple[int, int]]:
    return [
        ((key0 + a) & MASK32, (key1 + b) & MASK32)
        for a, b in _PHILOX_STEPS  # 5 us less than a generator of products
    ]


def philox_block(counter: tuple[int, int], key: tuple[int, int]) -> tuple[int, int]:
    """One Philox4x32-10 block: a counter of two 64-bit halves gives two 64-bit halves.

    Plain integers beat numpy here: one block costs 3 us.
    """
    low, high = counter
    c0, c1, c2, c3 = low & MASK32, low >> 32 & MASK32, high & MASK32, high >> 32 & MASK32
    m0, m1 = _PHILOX_MULTIPLIERS
    for k0, k1 in _round_keys(*key):
        a = m0 * c0
        b = m1 * c2
        c0 = (b >> 32) ^ c1 ^ k0
        c1 = b & MASK32
        c2 = (a >> 32) ^ c3 ^ k1
        c3 = a & MASK32
    return c0 | c1 << 32, c2 | c3 << 32


def _philox_rounds(even: np.ndarray, odd: np.ndarray, product: np.ndarray, key: int) -> None:
    """All rounds in place: words 0 and 2 are in ``even``, words 1 and 3 in ``odd``, (2, m) each."""
    shift, mask = np.uint64(32), np.uint64(MASK32)
    keys = np.array(_round_keys(key & MASK32, key >> 32 & MASK32), np.uint64)[:, :, None]
    turned = product[::-1]
    for pair in keys:
        np.multiply(even, _MULTIPLIERS, out=product)
        np.right_shift(turned, shift, out=even)
        np.bitwise_xor(even, odd, out=even)
        np.bitwise_xor(even, pair, out=even)
        np.bitwise_and(turned, mask, out=odd)


def _set_counters(even: np.ndarray, odd: np.ndarray, index: np.ndarray, high: int) -> None:
    np.bitwise_and(index, np.uint64(MASK32), out=even[0])
    np.right_shift(index, np.uint64(32), out=odd[0])
    even[1], odd[1] = high & MASK32, high >> 32 & MASK32


def philox_lanes(
    key: int, high: int, blocks: int, start: int = 0
) -> Iterator[tuple[int, np.ndarray]]:
    """The Philox stream of a 64-bit key, counters ``(i, high)`` from ``start``, in parts.

    Yields ``(first, lanes)``: ``lanes`` is uint64 of shape (4, m), row j holding word j of the
    blocks start+first .. start+first+m-1 in its low half (the high half is zero). A part fits the
    cache. The array is reused: the caller must have read it before asking for the next part.
    """
    size = min(blocks, BLOCK)
    store = np.empty((2, 2, size), np.uint64)
    products = np.empty((2, size), np.uint64)
    lanes = np.empty((4, size), np.uint64)
    for first in range(0, blocks, BLOCK):
        m = min(BLOCK, blocks - first)
        even, odd = store[:, :, :m]
        index = np.arange(start + first, start + first + m, dtype=np.uint64)
        _set_counters(even, odd, index, high)
        _philox_rounds(even, odd, products[:, :m], key)
        part = lanes[:, :m]
        part[0::2], part[1::2] = even, odd
        yield first, part


def philox_at(key: int, high: int, index: np.ndarray) -> np.ndarray:
    """Single blocks of the same stream: words as uint64 (4, m) for the counters ``index``."""
    words = np.empty((4, index.size), np.uint64)
    even, odd = words[0::2], words[1::2]
    _set_counters(even, odd, index, high)
    _philox_rounds(even, odd, np.empty((2, index.size), np.uint64), key)
    return words


def philox_words(key: int, high: int, count: int, start: int = 0) -> np.ndarray:
    """``count`` 32-bit words of a Philox stream as a uint32 array, from word ``start`` on."""
    skipped, unused = divmod(start, 4)
    blocks = -(-(unused + count) // 4)
    if blocks <= FEW_BLOCKS:
        pair = key & MASK32, key >> 32 & MASK32
        halves = [philox_block((skipped + i & MASK64, high), pair) for i in range(blocks)]
        words = np.array(halves, "<u8").view("<u4")
    else:
        words = np.empty((blocks, 4), np.uint32)
        for first, lanes in philox_lanes(key, high, blocks, skipped):
            words[first : first + lanes.shape[1]] = lanes.T
    return words.reshape(-1)[unused : unused + count]


class Entropy:
    """Seeds for engines that nobody seeded: unpredictable, and still known to a snapshot.

    A recomputed cell must draw its numbers again, also where they were never seeded. Processes
    made by fork take entropy of their own.
    """

    __slots__ = ("_base", "_given", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.renew()

    def renew(self) -> None:
        """Begin anew, with entropy from the operating system."""
        self._base = int.from_bytes(os.urandom(8), "little")
        self._given = 0

    def seed(self) -> int:
        """The next seed, of 64 bits."""
        with self._lock:
            self._given += 1
            return philox_block((self._base, self._given), _SEED_KEY)[0]

    @property
    def state(self) -> tuple[int, int]:
        """What the seeds are made from, and how many were given."""
        return self._base, self._given

    @state.setter
    def state(self, value: tuple[int, int]) -> None:
        words = tuple(value) if isinstance(value, (tuple, list)) else ()
        if len(words) != 2 or not all(type(v) is int and 0 <= v <= MASK64 for v in words):
            raise ValueError(
                f"The state of the entropy must be two ints of 64 bits, got {str(value)[:60]!r}."
            )
        with self._lock:
            self._base, self._given = words


entropy = Entropy()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=entropy.renew)


def engine_seed(seed: int, seed2: int) -> int:
    """The 64-bit engine seed of a seed pair; the pair (0, 0) asks for entropy."""
    if not seed and not seed2:
        return entropy.seed()
    return philox_block((seed, seed2), _SEED_KEY)[0]


# ----------------------------------------------------------------------------------------- engines


class Engine(ABC):
    """A position in a stream of integer draws in 0 .. ``span``.

    ``lock`` guards reads that need several steps (rejection); single reads take it themselves.
    """

    __slots__ = ("lock",)

    span: int

    def __init__(self) -> None:
        self.lock = threading.RLock()

    @property
    @abstractmethod
    def state(self) -> Any:
        """The position, as plain integers, floats and strings."""

    @state.setter
    @abstractmethod
    def state(self, value: Any) -> None: ...

    @abstractmethod
    def draws(self, count: int) -> np.ndarray:
        """The next ``count`` draws as uint32."""

    def doubles(self, count: int) -> np.ndarray:
        """The next ``count`` doubles in [0, 1), two draws each, the low one first."""
        return self._unit_double(self.draws(2 * count))

    def _unit_double(self, draws: np.ndarray) -> np.ndarray:
        width = float(self.span + 1)
        unit = draws[1::2].astype(np.float64)
        unit *= width
        unit += draws[0::2]
        unit /= width * width
        return np.minimum(unit, 1 - 2.0**-53, out=unit)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.state)


def _rebuild(cls: type[Engine], state: Any) -> Engine:
    engine = cls()
    engine.state = state
    return engine


class Philox(Engine):
    """A Philox4x32-10 stream; draws are its 32-bit words.

    Args:
        key (int): 64 bits.
        high (int): upper half of the counter, 64 bits.
    """

    __slots__ = ("_high", "_key", "_position")

    span = MASK32

    def __init__(self, key: int = 0, high: int = 0) -> None:
        super().__init__()
        self._key = key & MASK64
        self._high = high & MASK64
        self._position = 0

    @property
    def state(self) -> tuple[int, int, int]:
        """Key, upper half of the counter, and the number of words taken."""
        return self._key, self._high, self._position

    @state.setter
    def state(self, value: tuple[int, int, int]) -> None:
        words = tuple(value) if isinstance(value, (tuple, list)) else ()
        if len(words) != 3 or not all(type(v) is int and 0 <= v <= MASK64 for v in words):
            raise ValueError(
                "The state of a Philox stream must be (key, upper half of the counter, words "
                f"taken), ints of 64 bits each, got {str(value)[:60]!r}."
            )
        self._key, self._high, self._position = words

    def skip(self, count: int) -> int:
        """Move ``count`` words on; return the number of words taken before."""
        with self.lock:
            position = self._position
            self._position = position + count & MASK64
        return position

    def draws(self, count: int) -> np.ndarray:
        """The next ``count`` words as uint32."""
        return philox_words(self._key, self._high, count, self.skip(count))

    def blocks(self, index: np.ndarray) -> np.ndarray:
        """The blocks of the stream with these numbers, wherever it stands, see `philox_at`."""
        return philox_at(self._key, self._high, index)


# --------------------------------------------------------------------------------- the 31-bit LCG
#
# NOTE: reading the LCG with one multiplication
# Word i after state x is w = x * A^i mod M, with M = 2^31 - 1. Let Q_i be 2^64 * (A^i mod M) / M
# rounded to an integer. Then, modulo 2^64, v = x * Q_i equals w * 2^64 / M up to x / 2 < 2^30,
# while neighboring words lie 2^33 apart: the wrap-around of the 64-bit product takes the
# remainder, and v determines w. So
#   * "w is at most c" is "v is below (2 c + 1) * 2^63 / M", one comparison;
#   * with h the upper half of v, h * M / 2^32 lies between w - 0.625 and w + 0.125, hence
#     w - 1 = (h * M - 2^30) >> 32.

_LCG_MODULUS = 2**31 - 1
_LCG_MULTIPLIER = 16807


def _powers(base: int, count: int) -> np.ndarray:
    """``base^1 .. base^count`` modulo M as uint64, by doubling."""
    out = np.empty(count, np.uint64)
    out[0] = base
    have = 1
    while have < count:
        more = min(have, count - have)
        np.multiply(out[:more], out[have - 1], out=out[have : have + more])
        out[have : have + more] %= np.uint64(_LCG_MODULUS)
        have += more
    return out


def _scale_to_64_bits(powers: np.ndarray) -> np.ndarray:
    """``2^64 * powers / M`` rounded, by long division in two 32-bit digits."""
    shift, modulus = np.uint64(32), np.uint64(_LCG_MODULUS)
    high, rest = np.divmod(powers << shift, modulus)
    low, rest = np.divmod(rest << shift, modulus)
    return (high << shift) + low + (rest + rest >= modulus)


_STEPS = _scale_to_64_bits(_powers(_LCG_MULTIPLIER, BLOCK))
_BLOCK_MULTIPLIER = pow(_LCG_MULTIPLIER, BLOCK, _LCG_MODULUS)


@functools.lru_cache(maxsize=32)
def _block_jumps(capacity: int) -> np.ndarray:
    """The factors that lead from a state to the starts of the blocks 1 .. capacity after it."""
    return _powers(_BLOCK_MULTIPLIER, capacity)


def _block_starts(state: int, blocks: int) -> np.ndarray:
    """The states at the starts of blocks 0 .. blocks-1."""
    starts = np.empty(blocks, np.uint64)
    starts[0] = state
    if blocks > 1:
        # Capacities are powers of two, so that few tables serve all sizes.
        jumps = _block_jumps(1 << (blocks - 2).bit_length())[: blocks - 1]
        np.multiply(jumps, np.uint64(state), out=starts[1:])
        starts[1:] %= np.uint64(_LCG_MODULUS)
    return starts


def _scaled(state: int, count: int) -> Iterator[tuple[int, int, np.ndarray]]:
    """``(begin, end, v)`` for the next ``count`` words, v as in the note above; v is reused."""
    if count <= BLOCK:
        yield 0, count, _STEPS[:count] * np.uint64(state)
        return
    buffer = np.empty(BLOCK, np.uint64)
    for index, start in enumerate(_block_starts(state, -(-count // BLOCK))):
        begin = index * BLOCK
        end = min(begin + BLOCK, count)
        values = buffer[: end - begin]
        np.multiply(_STEPS[: end - begin], start, out=values)
        yield begin, end, values


@functools.lru_cache(maxsize=16)
def _steps_on(device: torch.device) -> torch.Tensor:
    return torch.from_numpy(_STEPS.view(np.int64)).to(device)


def _unit_float(draws: np.ndarray) -> np.ndarray:
    """Float32 in [0, 1) from LCG draws: rounded to 24 bits, what would be 1 is the float below."""
    unit = draws.view(np.int32).astype(np.float32)
    unit *= np.float32(2.0**-31)
    return np.minimum(unit, np.float32(1 - 2.0**-24), out=unit)


@functools.lru_cache(maxsize=256)
def _words_below(limit: float) -> int:
    """How many of the words 1, 2, .. give a float32 below ``limit``."""
    draws = range(_LCG_MODULUS - 1)
    return bisect.bisect_left(draws, limit, key=lambda k: _unit_float(np.array([k], np.uint32))[0])


class MinStd(Engine):
    """The minimal-standard generator ``x <- 16807 x mod (2^31 - 1)``; draws are ``x - 1``.

    Args:
        seed (int): any 64-bit seed; the state starts at ``seed mod (2^31 - 1)``, or at 1 for 0.
    """

    __slots__ = ("_state",)

    span = _LCG_MODULUS - 2

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self._state = seed % _LCG_MODULUS or 1

    @property
    def state(self) -> int:
        """The last word, 1 .. 2^31 - 2."""
        return self._state

    @state.setter
    def state(self, value: int) -> None:
        if type(value) is not int or not 0 < value < _LCG_MODULUS:
            raise ValueError(
                f"The state of a 31-bit LCG stream must be an int in 1 .. 2^31 - 2, got {value!r}."
            )
        self._state = value

    def skip(self, count: int) -> int:
        """Move ``count`` words on; return the state before."""
        with self.lock:
            state = self._state
            self._state = state * pow(_LCG_MULTIPLIER, count, _LCG_MODULUS) % _LCG_MODULUS
        return state

    def _read(self, state: int, count: int) -> np.ndarray:
        draws = np.empty(count, np.uint32)
        shift, modulus, bias = np.uint64(32), np.uint64(_LCG_MODULUS), np.uint64(1 << 30)
        for begin, end, values in _scaled(state, count):
            np.right_shift(values, shift, out=values)
            np.multiply(values, modulus, out=values)
            np.subtract(values, bias, out=values)
            np.right_shift(values, shift, out=values)
            draws[begin:end] = values
        return draws

    def draws(self, count: int) -> np.ndarray:
        """The next ``count`` draws as uint32."""
        return self._read(self.skip(count), count)

    def peek(self, count: int) -> np.ndarray:
        """The next ``count`` draws, without moving."""
        return self._read(self._state, count)

    def floats(self, count: int) -> np.ndarray:
        """The next ``count`` float32 in [0, 1), one draw each."""
        return _unit_float(self.draws(count))

    def peek_floats(self, count: int) -> np.ndarray:
        """As :meth:`floats`, without moving."""
        return _unit_float(self.peek(count))

    def peek_doubles(self, count: int) -> np.ndarray:
        """As :meth:`doubles`, without moving."""
        return self._unit_double(self.peek(2 * count))

    def below(self, count: int, limit: float) -> np.ndarray:
        """``floats(count) < float32(limit)`` as a bool array, without making the floats."""
        bound = _scaled_bound(limit)
        state = self.skip(count)
        out = np.empty(count, np.bool_)
        for begin, end, values in _scaled(state, count):
            np.less(values, bound, out=out[begin:end])
        return out

    def below_on(self, device: torch.device, count: int, limit: float) -> torch.Tensor:
        """:meth:`below`, computed on ``device`` with torch's 64-bit integers."""
        # torch has no unsigned comparison everywhere: flipping the top bit maps the order of
        # unsigned numbers to that of signed ones.
        flip = -(1 << 63)
        bound = int(_scaled_bound(limit)) + flip
        state = self.skip(count)
        out = torch.empty(count, dtype=torch.bool, device=device)
        steps = _steps_on(device)
        whole, rest = divmod(count, BLOCK)
        starts = _block_starts(state, whole + 1).view(np.int64)
        factors = torch.from_numpy(starts[:whole]).to(device)
        rows = out[: whole * BLOCK].view(whole, BLOCK)
        # 2^24 words at a time bound the temporary memory by 128 MiB.
        for first in range(0, whole, 1024):
            part = slice(first, first + 1024)
            values = steps * factors[part, None]
            torch.lt(values.bitwise_xor_(flip), bound, out=rows[part])
        if rest:
            values = steps[:rest] * int(starts[whole])
            torch.lt(values.bitwise_xor_(flip), bound, out=out[whole * BLOCK :])
        return out


@functools.lru_cache(maxsize=256)
def _scaled_bound(limit: float) -> np.uint64:
    """The bound for v, of the note above, that keeps the words with a float32 below ``limit``."""
    count = _words_below(float(np.float32(limit)))
    return np.uint64(((2 * count + 1) << 63) // _LCG_MODULUS)


# ----------------------------------------------------------------------------------------- MT19937

MtState = tuple[str, int, int, float]


def pack_mt(full: dict[str, Any]) -> MtState:
    """A state of numpy as (words in hexadecimal, position, 0 or 1, spare normal variate)."""
    inner = full["state"]
    key = inner["key"].astype("<u4").tobytes().hex()
    return key, int(inner["pos"]), int(full["has_gauss"]), float(full["gauss"])


def unpack_mt(value: MtState) -> tuple[str, np.ndarray, int, int, float]:
    """What numpy's ``set_state`` takes, from what :func:`pack_mt` gave.

    Raises:
        ValueError: ``value`` is not such a state.
    """
    wrong = ValueError(
        "The state of an MT19937 stream must be (624 words in hexadecimal, position in 0 .. 624, "
        f"0 or 1, float) as it was saved, got {str(value)[:60]!r}."
    )
    try:
        text, position, has_spare, spare = value
        key = np.frombuffer(bytes.fromhex(text), "<u4").astype(np.uint32)
        full = "MT19937", key, int(position), int(has_spare), float(spare)
    except (TypeError, ValueError) as error:
        raise wrong from error
    if key.size != 624 or not 0 <= full[2] <= 624 or full[3] not in (0, 1):
        raise wrong
    return full


# Making a RandomState costs 120 us (it gathers entropy first), seeding one 2 us: keep a few.
_IDLE: deque[np.random.RandomState] = deque(maxlen=8)


class Mersenne(Engine):
    """MT19937 with the classic integer seeding; draws are its 32-bit words.

    Args:
        seed (int): any 64-bit seed, of which the low 32 bits are used.
    """

    __slots__ = ("_source",)

    span = MASK32

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        try:
            self._source = _IDLE.pop()
        except IndexError:
            self._source = np.random.RandomState(0)
        self._source.seed(seed & MASK32)

    def __del__(self, idle: deque[np.random.RandomState] = _IDLE) -> None:
        source = getattr(self, "_source", None)
        if source is not None:
            idle.append(source)

    @property
    def state(self) -> MtState:
        """Key, position and numpy's spare normal variate, as :func:`pack_mt` gives them."""
        return pack_mt(self._source.get_state(legacy=False))

    @state.setter
    def state(self, value: MtState) -> None:
        self._source.set_state(unpack_mt(value))

    def draws(self, count: int) -> np.ndarray:
        """The next ``count`` words as uint32."""
        return self._source.randint(0, 1 << 32, size=count, dtype=np.uint32)
