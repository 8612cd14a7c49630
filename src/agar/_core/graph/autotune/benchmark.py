"""Benchmarks of kernels: the fastest for the sizes of a subgraph is found once in a process.

NOTE Whose time. A thread that raced kernels beside the calls would take their cores: OpenMP's
threads wait for each other, and two pools of them on the same cores are several times slower than
one. Who prepares a plan beside the calls therefore puts its benchmarks off, the calls run them step
by step when time has been saved for that (choose.py), and the plan is prepared again.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from agar._core import malloc

__all__ = [
    "Benchmark",
    "clear_winner",
    "middle",
    "noted",
    "put_off",
    "remember",
    "winner",
]

_LEAST, _MOST = 3, 15  # trials of each kernel
_COSTLY = 0.005  # seconds after which one trial must do where it is plain who wins
_LONG = 0.02  # seconds after which a benchmark ends with the least number of trials
_PLAINLY = 0.8  # share of the others' best time that a kernel may need to end a benchmark
_CLEARLY = 0.93  # share of an earlier kernel's time that a later one may need

_winners: dict[Any, str] = {}
#: What earlier processes have found out, by the text of a key.
_earlier: dict[str, str] = {}
_here = threading.local()


def middle(values: list[float]) -> float:
    """The median; the module `statistics` costs 10 ms to import."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def clear_winner(times: dict[str, list[float]], usual: str) -> str:
    """The fastest; a later one must win clearly.

    Where the best and the median time disagree, because the machine is busy, it is the usual one.
    """

    def first(score: Callable[[list[float]], float]) -> str:
        chosen, *others = times
        for name in others:
            if score(times[name]) < _CLEARLY * score(times[chosen]):
                chosen = name
        return chosen

    best, typical = first(min), first(middle)
    return best if best == typical else usual


class Benchmark:
    """Some kernels for the same operation.

    Args:
        key: what the result depends on, besides the number of threads.
        usual: the kernel to take while nothing is known.
        enter: makes the kernels; those that give wrong results are left out.
        judge: the winner's name, from each kernel's seconds and the usual one's name.
        warm: whether `enter` has called the kernels, whose first call prepares things, and has left
            out those that give wrong results. What an earlier process has noted is then entered as
            well, and not believed if it is left out. Default: False.
    """

    def __init__(
        self,
        key: tuple[Any, ...],
        usual: str,
        enter: Callable[[], dict[str, Callable[[], Any]]],
        judge: Callable[[dict[str, list[float]], str], str] = clear_winner,
        warm: bool = False,
    ) -> None:
        threads = torch.get_num_threads()
        self.key = (*key, threads)
        self.usual = usual
        self._enter = enter
        self._judge = judge
        self._warm = warm
        self._entrants: dict[str, Callable[[], Any]] = {}
        self._times: dict[str, list[float]] = {}
        self._spent = 0.0
        # what other processes take does not count, where the clock can tell
        own = threads == 1 and time.get_clock_info("thread_time").resolution < 1e-6
        self._clock = time.thread_time if own else time.perf_counter

    @property
    def winner(self) -> str | None:
        """The winner's name, if the benchmark has been run."""
        known = _winners.get(self.key)
        if known is None and (known := _earlier.get(repr(self.key))) is not None:
            if self._warm and known not in self._enter():
                known = self.usual
            _winners[self.key] = known
        return known

    def step(self) -> bool:
        """Run each kernel once more; True when the benchmark is over."""
        if self.winner is not None:
            return True
        try:
            with torch.no_grad():
                self._run()
        except Exception:  # a kernel that is not there; who takes it all the same hears of it
            return self._end(self.usual)
        trials = min(map(len, self._times.values()))
        least = 1 if self._spent > _COSTLY else _LEAST
        enough = trials >= _LEAST and self._spent > _LONG
        enough = enough or (trials >= least and self._is_plain())
        if len(self._times) > 1 and trials < _MOST and not enough:
            return False
        alone = len(self._times) == 1
        return self._end(next(iter(self._times)) if alone else self._judge(self._times, self.usual))

    def _end(self, winner: str) -> bool:
        _winners[self.key] = winner
        self._entrants = {}
        return True

    def _is_plain(self) -> bool:
        """Whether one kernel was faster than all others in every trial, by far."""
        least, *others = sorted(self._times.values(), key=min)
        return max(least) < _PLAINLY * min(map(min, others))

    def _run(self) -> None:
        if not self._entrants:
            with malloc.mapped_one_by_one():  # inputs and weights of this benchmark alone
                self._entrants = self._enter()
            for run in () if self._warm else self._entrants.values():
                run()
            self._times = {name: [] for name in self._entrants}
            return
        for name, run in self._entrants.items():
            start = self._clock()
            run()
            self._times[name].append(self._clock() - start)
            self._spent += self._times[name][-1]


def winner(benchmark: Benchmark) -> str:
    """The winner of a benchmark, which is run now unless it has been or is put off."""
    known = benchmark.winner
    if known is not None:
        return _note(benchmark, known)
    later: list[Benchmark] | None = getattr(_here, "later", None)
    if later is not None:
        if all(other.key != benchmark.key for other in later):
            later.append(benchmark)
        return benchmark.usual
    while not benchmark.step():
        continue
    known = benchmark.winner
    assert known is not None
    return _note(benchmark, known)


def _note(benchmark: Benchmark, known: str) -> str:
    notes: dict[str, str] | None = getattr(_here, "notes", None)
    if notes is not None:
        notes[repr(benchmark.key)] = known
    return known


@contextlib.contextmanager
def noted() -> Iterator[dict[str, str]]:
    """The winners that are asked for in this thread, by the text of what they depend on."""
    _here.notes = notes = {}
    try:
        yield notes
    finally:
        _here.notes = None


def remember(winners: dict[str, str]) -> None:
    """Take over what an earlier process has noted; what is known here counts more."""
    _earlier.update(winners)


@contextlib.contextmanager
def put_off() -> Iterator[list[Benchmark]]:
    """In this thread, benchmarks are not run but collected; meanwhile the usual kernels win."""
    _here.later = later = []
    try:
        yield later
    finally:
        _here.later = None
