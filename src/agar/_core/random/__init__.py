"""Where randomness comes from: seeds, counters, streams, generators, and a snapshot of it all.

Three sources, kept apart as MindSpore keeps them:

* numpy's global state, which the initializers draw from; seeded by :func:`set_seed`;
* seed pairs for the random operators, from :func:`next_pair`; seeded by :func:`set_seed`;
* the default generator of ``mint`` and the in-place random methods; seeded by :func:`manual_seed`.

NOTE: how long a stream lives
A functional operator takes a pair per call and starts a fresh engine from it. A layer or primitive
takes its pair once and keeps a :class:`Stream`: one engine for each input signature, each of which
starts at the beginning and continues from call to call. Seeding later does not rewind it.

Source: behavior observed in MindSpore 2.10.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
import weakref
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
import torch

from agar._core.random.draws import poisson_seed
from agar._core.random.engines import (
    Engine,
    Entropy,
    Mersenne,
    MinStd,
    Philox,
    engine_seed,
    entropy,
    pack_mt,
    philox_block,
    unpack_mt,
)
from agar._core.runtime import host_node, runtime

__all__ = [
    "GeneratorState",
    "Stream",
    "channel_dropout_engine",
    "default_generator",
    "get_all_state",
    "get_rng_state",
    "get_seed",
    "initial_seed",
    "make_engine",
    "manual_seed",
    "next_engine_seed",
    "next_pair",
    "seed",
    "seed_hooks",
    "set_all_state",
    "set_rng_state",
    "set_seed",
    "set_unseeded_channel_dropout",
    "stepped_generator",
    "torch_generator",
]

Pair = tuple[int, int]


# ------------------------------------------------------------------------------------- seed pairs

_COUNTER_STEP = 3528531795 ^ 3449720151
_PAIR_MODULUS = 2**31 - 1
# What the operators see after set_seed(0), which otherwise would look like "no seed".
_SEED_FOR_ZERO = 87654321

seed_hooks: list[Callable[[int], None]] = []
"""Called with the seed by :func:`set_seed`, for parts that keep random state of their own."""


class _SeedTable:
    """The global seed and, per (operator name, operator seed), the counter of pairs given out."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.seed: int | None = None
        self.counters: dict[tuple[str, int], int] = {}


_table = _SeedTable()


def _check_seed(value: Any, owner: str) -> None:
    if type(value) is bool or not isinstance(value, int):
        raise TypeError(
            f"For '{owner}', the 'seed' must be int and must >= 0, but got '{value}' with type "
            f"'{type(value).__name__}'; write int(seed) for other number types."
        )
    if value < 0:
        raise ValueError(f"For '{owner}', the 'seed' must be int and must >= 0, but got '{value}'.")


def set_seed(seed: int) -> None:
    """Seed numpy, Python's ``random`` and the counters of the random operators.

    Layers and primitives that exist keep their streams; the default generator is not touched.

    Args:
        seed (int): 0 to 2^32 - 1.

    Raises:
        TypeError: ``seed`` is not an int.
        ValueError: ``seed`` is out of range.

    Difference from PyTorch: ``torch.manual_seed`` seeds torch's generators only.
    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar._core.random import get_seed, next_pair, set_seed
        >>> set_seed(11)
        >>> get_seed()
        11
        >>> next_pair(5, "uniform"), next_pair(5, "uniform")
        ((11, 5), (11, 533697033))
    """
    _check_seed(seed, "set_seed")
    if seed >= 1 << 32:
        raise ValueError(f"For 'set_seed', the 'seed' must be between 0 and 2**32 - 1, got {seed}.")
    with _table.lock:
        np.random.seed(seed)
        random.seed(seed)
        for hook in seed_hooks:
            hook(seed)
        _table.seed = seed
        for name, op_seed in _table.counters:
            _table.counters[name, op_seed] = op_seed


def get_seed() -> int | None:
    """The seed given to :func:`set_seed` last; None before the first call."""
    return _table.seed


@host_node
def next_pair(op_seed: int | None, name: str) -> Pair:
    """The pair (seed, seed2) for the next use of a random operator.

    Args:
        op_seed (int | None): the operator's ``seed=`` argument; None counts as 0.
        name (str): the operator's function name; each (name, op_seed) has its own counter.

    Returns:
        Two ints below 2^31 - 1; (0, 0), which takes entropy, when no seed was ever given.

    Raises:
        TypeError: ``op_seed`` is not an int.
        ValueError: ``op_seed`` is negative.
    """
    if op_seed is None:
        op_seed = 0
    elif type(op_seed) is not int or op_seed < 0:
        _check_seed(op_seed, name)
    key = (name, op_seed)
    with _table.lock:
        graph_seed = _table.seed
        if graph_seed is None:
            if op_seed == 0:
                return 0, 0
            graph_seed = 0
        elif graph_seed == 0:
            graph_seed = _SEED_FOR_ZERO
        counter = _table.counters.get(key, op_seed)
        _table.counters[key] = counter + _COUNTER_STEP
    return graph_seed % _PAIR_MODULUS, counter % _PAIR_MODULUS


@host_node
def next_engine_seed(name: str) -> int:
    """The engine seed of the next pair of a name."""
    return engine_seed(*next_pair(None, name))


# ----------------------------------------------------------------------------------------- streams


def _philox(pair: Pair) -> Philox:
    """The primitives on this engine take the pair as key and counter, without scrambling it."""
    return Philox(*pair) if any(pair) else Philox(engine_seed(0, 0))


_MAKERS: dict[str, Callable[[Pair], Engine]] = {
    "lcg": lambda pair: MinStd(engine_seed(*pair)),
    "mt": lambda pair: Mersenne(engine_seed(*pair)),
    "mt_poisson": lambda pair: Mersenne(poisson_seed(engine_seed(*pair))),
    "philox": _philox,
}


@host_node
def make_engine(kind: str, pair: Pair) -> Any:
    """A fresh engine for a seed pair; the pair (0, 0) takes entropy.

    Args:
        kind (str): ``"lcg"``, ``"mt"``, ``"mt_poisson"`` or ``"philox"``, as the primitive asks
            for.
        pair (tuple[int, int]): from :func:`next_pair`, or given by the user to a primitive.

    Examples:
        >>> from agar._core.random import make_engine
        >>> from agar._core.random.draws import uniform_real
        >>> uniform_real((2,), make_engine("mt", (1, 2)))
        array([0.2787379 , 0.49353698], dtype=float32)
    """
    return _MAKERS[kind](pair)


# A snapshot must go into JSON, so signatures, which are hashable, are written with lists for tuples
# and {"dtype": name} for torch's dtypes.
def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(
        "The signature of a random stream must be made of tuples, numbers, strings, None and "
        f"torch dtypes, so that it can be saved; got {value!r} of type {type(value).__name__}."
    )


def _hashable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, dict):
        return getattr(torch, value["dtype"])
    return value


_live: weakref.WeakValueDictionary[int, Stream] = weakref.WeakValueDictionary()
_serial = itertools.count()


class Stream:
    """The random numbers of one layer or primitive: one continuing engine per input signature.

    Pickling and deep copies carry the positions along; :func:`get_all_state` sees every live one.

    Args:
        seed (int): first number of the pair.
        seed2 (int): second number of the pair.
        name (str): the operator's name, by which snapshots find the stream again.

    Examples:
        >>> from agar._core.random import Stream
        >>> from agar._core.random.draws import uniform_real
        >>> stream = Stream(1, 2, "UniformReal")
        >>> uniform_real((2,), stream.engine("mt", (2,)))
        array([0.2787379 , 0.49353698], dtype=float32)
        >>> uniform_real((2,), stream.engine("mt", (2,)))
        array([0.3562354 , 0.73168355], dtype=float32)
    """

    __slots__ = ("__weakref__", "_engines", "_lock", "_starts", "_unseeded", "name", "pair")

    def __init__(self, seed: int, seed2: int, name: str) -> None:
        self.name = name
        self.pair: Pair = (seed, seed2)
        self._engines: dict[tuple[str, Hashable], Engine] = {}
        self._starts: dict[tuple[str, Hashable], Pair] = {}
        #: engines that a snapshot does not know and nobody seeded: they take entropy when used
        self._unseeded: set[tuple[str, Hashable]] = set()
        self._lock = threading.Lock()
        _live[next(_serial)] = self

    def engine(self, kind: str, signature: Hashable = (), start: Pair | None = None) -> Any:
        """The engine that serves an input signature; made at the first request.

        Args:
            kind (str): as for :func:`make_engine`.
            signature (Hashable): shapes, dtypes and, for shape arguments, values: nested tuples of
                numbers, strings and torch dtypes. Default: ``()``.
            start (tuple[int, int] | None): the pair to start from, where the call gives seeds,
                which then belong into the signature. Default: ``None``, the stream's pair.
        """
        key = (kind, signature)
        engine = self._engines.get(key)
        if engine is None:
            with self._lock:
                if start is not None:
                    self._starts[key] = start
                engine = self._engines.setdefault(key, _MAKERS[kind](start or self.pair))
        elif self._unseeded and key in self._unseeded:
            with self._lock:
                self._unseeded.discard(key)
                engine.state = _MAKERS[kind](self._starts.get(key, self.pair)).state
        return engine

    def restart(self, pair: Pair) -> None:
        """Take another pair; all engines return to its beginning."""
        self._apply(self.name, pair, {})

    @property
    def state(self) -> dict[str, Any]:
        """Name, pair and the positions of all engines, in JSON's types."""
        with self._lock:
            engines = list(self._engines.items())
        return {
            "name": self.name,
            "pair": list(self.pair),
            "engines": [
                [kind, _plain(signature), _plain(engine.state)]
                for (kind, signature), engine in engines
                if (kind, signature) not in self._unseeded
            ],
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        self._apply(*_parse_stream(value))

    def _apply(self, name: str, pair: Pair, engines: dict[tuple[str, Hashable], Engine]) -> None:
        with self._lock:
            self.name, self.pair = name, pair
            # Engines stay the same objects, because a compiled graph may hold them.
            self._unseeded.clear()
            for key, engine in engines.items():
                if key in self._engines:
                    self._engines[key].state = engine.state
                else:
                    self._engines[key] = engine
            for key in self._engines.keys() - engines.keys():
                start = self._starts.get(key, pair)
                if any(start):
                    self._engines[key].state = _MAKERS[key[0]](start).state
                else:
                    self._unseeded.add(key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_stream, (self.state,)


def _rebuild_stream(state: dict[str, Any]) -> Stream:
    stream = Stream(0, 0, "")
    stream.state = state
    return stream


def _parse_stream(state: dict[str, Any]) -> tuple[str, Pair, dict[tuple[str, Hashable], Engine]]:
    try:
        first, second = state["pair"]
        engines: dict[tuple[str, Hashable], Engine] = {}
        for kind, signature, position in state["engines"]:
            engine = _MAKERS[kind]((1, 0))
            engine.state = position
            engines[kind, _hashable(signature)] = engine
        return str(state["name"]), (int(first), int(second)), engines
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(
            "The state of a random stream must be a dict with 'name', 'pair' and 'engines' as "
            f"Stream.state gives it, got {str(state)[:80]!r}."
        ) from error


# --------------------------------------------------------------------------------- channel dropout

_channel_engines: dict[Hashable, MinStd] = {}
_channel_lock = threading.Lock()
_channel_unseeded = False


def set_unseeded_channel_dropout(enabled: bool) -> bool:
    """Choose which stream Dropout1d, Dropout2d and Dropout3d use.

    MindSpore never seeds it on CPU: every process draws the same masks whatever the seed. agar
    treats them as any other dropout, unless this switch asks for MindSpore's stream.

    Args:
        enabled (bool): whether to use the stream that no seed reaches.

    Returns:
        The previous setting.
    """
    global _channel_unseeded
    if not isinstance(enabled, bool):
        raise TypeError(f"set_unseeded_channel_dropout needs a bool, got {enabled!r}.")
    previous, _channel_unseeded = _channel_unseeded, enabled
    if previous is not enabled:  # recordings of before hold the other stream
        runtime.processes += 1
        runtime.epoch += 1
    return previous


def channel_dropout_engine(
    name: str, keep_prob: float, signature: Hashable, source: Stream | None = None
) -> MinStd:
    """The engine for one call of a channel dropout.

    Args:
        name (str): ``"Dropout2D"`` (which one dimension uses too) or ``"Dropout3D"``.
        keep_prob (float): the share of channels that is kept.
        signature (Hashable): shape and dtype of the input.
        source (Stream | None): the layer's stream; None takes the next pair of ``name``.
            Default: ``None``.
    """
    if _channel_unseeded:
        with _channel_lock:
            return _channel_engines.setdefault((name, float(keep_prob), signature), MinStd(1))
    if source is not None:
        return source.engine("lcg", signature)
    return make_engine("lcg", next_pair(None, name))


# --------------------------------------------------------------------------------------- generators

_GENERATOR_KEY = (0x61676172, 0x2E67656E)


class GeneratorState:
    """A seed and an offset: the position of a generator, 16 bytes in all.

    Every use takes :meth:`step`, which gives the position and moves the offset on; the numbers are
    a function of the position alone, so saving 16 bytes saves the generator.

    Examples:
        >>> from agar._core.random import GeneratorState
        >>> generator = GeneratorState().manual_seed(5)
        >>> generator.step(3), generator.step(4)
        ((5, 0), (5, 3))
        >>> generator.get_state()
        array([5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0], dtype=uint8)
    """

    __slots__ = ("_lock", "_offset", "_seed")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seed = 0
        self._offset = 0

    def manual_seed(self, seed: int) -> GeneratorState:
        """Set the seed and return to offset 0; returns the generator itself."""
        if not isinstance(seed, int):
            raise TypeError(
                "Generator.manual_seed: seed must be an integer, got "
                f"{seed!r} of type {type(seed).__name__}."
            )
        if not -(1 << 63) <= seed < 1 << 63:
            raise RuntimeError(f"Generator.manual_seed: seed must fit 64 bits, got {seed}.")
        with self._lock:
            self._seed, self._offset = int(seed), 0
        return self

    def initial_seed(self) -> int:
        """The seed in use."""
        return self._seed

    def seed(self) -> int:
        """Take 32 bits of the operating system's entropy as seed, at offset 0; returns the seed."""
        self.manual_seed(int.from_bytes(os.urandom(4), "little"))
        return self._seed

    def get_state(self) -> np.ndarray:
        """Seed, then offset, as 16 bytes of little-endian int64 (uint8)."""
        with self._lock:
            return np.array([self._seed, self._offset], "<i8").view(np.uint8)

    def set_state(self, state: Any) -> None:
        """Return to a position that :meth:`get_state` gave.

        Args:
            state (bytes | np.ndarray | torch.Tensor): 16 bytes.

        Raises:
            RuntimeError: ``state`` is not 16 bytes of uint8.
        """
        self._apply(_parse_generator(state))

    def _apply(self, position: Pair) -> None:
        with self._lock:
            self._seed, self._offset = position

    def step(self, count: int) -> Pair:
        """``(seed, offset)`` for a use of ``count`` numbers; the offset moves on by ``count``."""
        if type(count) is not int or count < 0:
            raise ValueError(f"Generator: a step must be an int of at least 0, got {count!r}.")
        with self._lock:
            offset = self._offset
            # The state has 64 bits for the offset; it wraps as such an integer does.
            self._offset = (offset + count + (1 << 63)) % (1 << 64) - (1 << 63)
            return self._seed, offset

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_generator, (self.get_state().tobytes(),)


def _rebuild_generator(state: bytes) -> GeneratorState:
    generator = GeneratorState()
    generator.set_state(state)
    return generator


def _parse_generator(state: Any) -> Pair:
    if isinstance(state, torch.Tensor):
        state = state.detach().cpu().numpy()
    elif isinstance(state, (bytes, bytearray)):
        state = np.frombuffer(state, np.uint8)
    if not isinstance(state, np.ndarray):
        raise RuntimeError(
            "Generator.set_state: state must be a uint8 tensor of 16 elements as get_state gives "
            f"it, got {type(state).__name__}."
        )
    if state.dtype != np.uint8 or state.size != 16:
        raise RuntimeError(
            "Generator.set_state: state must be a uint8 tensor of 16 elements as get_state gives "
            f"it, got {state.size} elements of {state.dtype}."
        )
    first, offset = np.frombuffer(state.tobytes(), "<i8").tolist()
    return first, offset


@host_node
def stepped_generator(
    state: GeneratorState, step: int, device: torch.device | str = "cpu"
) -> torch.Generator:
    """A torch generator at the position of `state`, which moves on by `step`."""
    return torch_generator(*state.step(step), device)


def torch_generator(seed: int, offset: int, device: torch.device | str = "cpu") -> torch.Generator:
    """A torch generator whose numbers depend on (seed, offset) alone.

    Args:
        seed (int): the generator's seed.
        offset (int): its offset, as :meth:`GeneratorState.step` gives them.
        device (torch.device | str): where it draws. Default: ``"cpu"``.
    """
    # Mixed, because torch seeds its engines with one number, and neighbors must not be related.
    mixed, _ = philox_block((seed, offset), _GENERATOR_KEY)
    return torch.Generator(device).manual_seed(mixed)


default_generator = GeneratorState()
"""The generator that ``mint`` and the in-place random methods use when none is given."""


def manual_seed(seed: int) -> GeneratorState:
    """Seed the default generator and return it."""
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def seed() -> int:
    """Give the default generator a seed from the operating system, and return it."""
    return default_generator.seed()


def get_rng_state() -> np.ndarray:
    """The position of the default generator, 16 bytes."""
    return default_generator.get_state()


def set_rng_state(state: Any) -> None:
    """Return the default generator to a position that :func:`get_rng_state` gave."""
    default_generator.set_state(state)


# ---------------------------------------------------------------------------------------- snapshot

_SNAPSHOT_VERSION = 1


def get_all_state() -> dict[str, Any]:
    """All random state of the process, so that training resumes with the numbers it would have had.

    numpy's global state, Python's ``random``, the seed and the operators' counters, every live
    :class:`Stream` in the order of construction, the never-seeded channel dropout, the default
    generator, and what seeds everything that nobody seeded. The dict holds JSON's types only.
    """
    full = np.random.get_state(legacy=False)
    if full["bit_generator"] != "MT19937":
        raise RuntimeError(
            "numpy's global generator was replaced by "
            f"{full['bit_generator']}; agar saves and restores MT19937 only. Undo the "
            "numpy.random.set_bit_generator call."
        )
    version, words, spare = random.getstate()
    with _table.lock:
        global_seed = _table.seed
        counters = [[name, op_seed, n] for (name, op_seed), n in _table.counters.items()]
    with _channel_lock:
        channels = list(_channel_engines.items())
    return {
        "version": _SNAPSHOT_VERSION,
        "numpy": list(pack_mt(full)),
        "python": [version, list(words), spare],
        "seed": global_seed,
        "counters": counters,
        "streams": [stream.state for stream in list(_live.values())],
        "channel_dropout": [[_plain(key), engine.state] for key, engine in channels],
        "generator": get_rng_state().tobytes().hex(),
        "entropy": list(entropy.state),
    }


def set_all_state(state: dict[str, Any], strict: bool = True) -> list[str]:
    """Return to a snapshot of :func:`get_all_state`, in this process or in another.

    Build the network first. A saved stream goes to the live one of the same name and pair, the last
    to the last that was constructed (older ones may belong to a network of before); then, pairs
    being part of the state, to those of the same name. Nothing is changed when anything is wrong.

    Args:
        state (dict): the snapshot; it may have been through JSON.
        strict (bool): raise when a saved stream finds no live one. Default: ``True``.

    Returns:
        The names of the saved streams that found no live one (empty when ``strict``).

    Raises:
        ValueError: ``state`` is not a snapshot.
        RuntimeError: ``strict`` and a saved stream finds no live one.
    """
    snapshot = _parse_snapshot(state)
    saved = snapshot.streams
    homes, homeless = _match_streams(saved, list(_live.values()))
    if strict and homeless:
        raise RuntimeError(
            f"set_all_state: {len(homeless)} of {len(saved)} saved random streams find no layer or "
            f"primitive of their name in this process: {', '.join(homeless)}. Build the network "
            "that was saved before restoring, or pass strict=False to leave these out."
        )

    np.random.set_state(snapshot.numpy)
    random.setstate(snapshot.python)
    _restore(snapshot, homes)
    return homeless


Parsed = tuple[str, Pair, dict[tuple[str, Hashable], Engine]]


class _Snapshot(NamedTuple):
    """What a snapshot says, checked."""

    numpy: Any
    python: Any
    seed: int | None
    counters: dict[tuple[str, int], int]
    streams: list[Parsed]
    channels: dict[Hashable, int]
    generator: Pair
    entropy: tuple[int, int]


def _parse_snapshot(state: dict[str, Any]) -> _Snapshot:
    try:
        if state["version"] != _SNAPSHOT_VERSION:
            raise ValueError(f"its version is {state['version']}, not {_SNAPSHOT_VERSION}")
        version, words, spare = state["python"]
        python_state = (version, tuple(words), spare)
        random.Random().setstate(python_state)
        if state["seed"] is not None:
            _check_seed(state["seed"], "set_all_state")
        channels: dict[Hashable, int] = {}
        for key, position in state["channel_dropout"]:
            MinStd().state = position
            channels[_hashable(key)] = position
        unseeded = Entropy()
        if "entropy" in state:  # snapshots of older versions lack it
            unseeded.state = state["entropy"]
        return _Snapshot(
            numpy=unpack_mt(state["numpy"]),
            python=python_state,
            seed=state["seed"],
            counters={(str(name), int(op_seed)): int(n) for name, op_seed, n in state["counters"]},
            streams=[_parse_stream(item) for item in state["streams"]],
            channels=channels,
            generator=_parse_generator(bytes.fromhex(state["generator"])),
            entropy=unseeded.state,
        )
    except (KeyError, TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise ValueError(
            f"set_all_state: this is not a snapshot of get_all_state: {type(error).__name__}: "
            f"{error}"
        ) from error


def _restore(snapshot: _Snapshot, homes: Iterable[tuple[Stream, Parsed]]) -> None:
    """Return to it with all generators but numpy's and Python's."""
    with _table.lock:
        _table.seed = snapshot.seed
        _table.counters.clear()
        _table.counters.update(snapshot.counters)
    for stream, parsed in homes:
        stream._apply(*parsed)
    channels = snapshot.channels
    with _channel_lock:
        # Streams that the snapshot does not know start over, as they would have then.
        for key in _channel_engines.keys() - channels.keys():
            _channel_engines[key].state = 1
        for key, position in channels.items():
            _channel_engines.setdefault(key, MinStd(1)).state = position
    default_generator._apply(snapshot.generator)
    entropy.state = snapshot.entropy


def _match_streams(
    saved: list[Parsed], live: Iterable[Stream]
) -> tuple[list[tuple[Stream, Parsed]], list[str]]:
    """Pairs of (live stream, saved state), and the names of the saved ones left over."""
    homes: list[tuple[Stream, Parsed]] = []
    free = list(live)
    rest = saved
    for same in (
        lambda stream, parsed: (stream.name, stream.pair) == parsed[:2],
        lambda stream, parsed: stream.name == parsed[0],
    ):
        unmatched: list[Parsed] = []
        for parsed in reversed(rest):
            places = range(len(free) - 1, -1, -1)
            at = next((i for i in places if same(free[i], parsed)), None)
            if at is None:
                unmatched.append(parsed)
            else:
                homes.append((free.pop(at), parsed))
        rest = unmatched[::-1]
    return homes, [parsed[0] for parsed in rest]
