"""Random numbers of Python and numpy, drawn anew at every replay.

``if random.random() < p`` decides which layers run (LayerDrop, stochastic depth, scheduled
sampling). While a call is recorded, the usual functions of ``random`` and ``numpy.random`` are
replaced: each draw becomes a host operation, which draws from the same generator at every replay,
and what Python decides by it becomes a branch of the recording. Nothing of a drawn number is
written into code, and generators are afterwards in the state that Python would have left.

NOTE What is repeated. A whole number of a small range is a branch for each value. Of a fraction
only comparisons are: it is drawn this way where the calling function's bytecode shows that the
number goes into comparisons and nowhere else. All other draws make the call ordinary Python, as
do names bound elsewhere (``from random import random``).
"""

from __future__ import annotations

import bisect
import dis
import functools
import inspect
import operator
import random
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from agar._core.graph.record.monitor import USER, kind_of_code
from agar._core.runtime import thread

__all__ = ["replacements"]

_MOST_BRANCHES = 16  # values of a whole number
#: Names by which a function can reach its own variables.
_UNBOUNDED = frozenset(
    {"_getframe", "currentframe", "dir", "eval", "exec", "f_locals", "globals", "locals", "vars"}
)

#: Instructions that may stand between a draw and the comparison that takes it.
_PASSING = frozenset(
    {
        "CALL",
        "CALL_FUNCTION",
        "CALL_METHOD",
        "BINARY_ADD",
        "BINARY_MULTIPLY",
        "BINARY_OP",
        "BINARY_SUBSCR",
        "BINARY_SUBTRACT",
        "BINARY_TRUE_DIVIDE",
        "CACHE",
        "EXTENDED_ARG",
        "KW_NAMES",
        "LOAD_ATTR",
        "LOAD_CONST",
        "LOAD_DEREF",
        "LOAD_FAST",
        "LOAD_FAST_BORROW",
        "LOAD_GLOBAL",
        "LOAD_METHOD",
        "LOAD_NAME",
        "LOAD_SMALL_INT",
        "NOP",
        "PRECALL",
        "PUSH_NULL",
        "RESUME",
        "UNARY_NEGATIVE",
    }
)
#: How many values the instructions among these take that do not only add some.
_TAKES: dict[str, Callable[[int], int]] = {
    "CALL": lambda n: n + 2,
    "CALL_FUNCTION": lambda n: n + 1,
    "CALL_METHOD": lambda n: n + 2,
    "BINARY_ADD": lambda n: 2,
    "BINARY_MULTIPLY": lambda n: 2,
    "BINARY_OP": lambda n: 2,
    "BINARY_SUBSCR": lambda n: 2,
    "BINARY_SUBTRACT": lambda n: 2,
    "BINARY_TRUE_DIVIDE": lambda n: 2,
    "LOAD_ATTR": lambda n: 1,
    "LOAD_METHOD": lambda n: 1,
    "UNARY_NEGATIVE": lambda n: 1,
}


class _Flow:
    """Where the results of calls in one code object go."""

    def __init__(self, code: types.CodeType) -> None:
        self.instructions = list(dis.get_instructions(code))
        self.offsets = [i.offset for i in self.instructions]
        self.simple = not (
            code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE)
            or _UNBOUNDED & {*code.co_names}
        )
        self._known: dict[int, bool] = {}

    def only_compared(self, offset: int) -> bool:
        """Whether the result of the call at an offset goes into comparisons alone."""
        known = self._known.get(offset)
        if known is None:
            # a frame may stand on the inline caches behind the instruction of the call
            n = bisect.bisect_right(self.offsets, offset)
            known = self._known[offset] = self.simple and self._follow(n, set())
        return known

    def _follow(self, n: int, variables: set[str]) -> bool:
        above = 0  # values on the stack that lie on the one followed
        for instruction in self.instructions[n:]:
            name, argument = instruction.opname, instruction.arg
            if instruction.is_jump_target and above:
                return False
            if name == "COMPARE_OP":
                if above < 2:
                    return True
                above -= 1
                continue
            if above == 0 and name == "POP_TOP":
                return True
            if above == 0 and name == "STORE_FAST":
                return self._variable(instruction.argval, variables)
            if name not in _PASSING:
                return False
            takes = _TAKES.get(name)
            if takes is not None and takes(argument or 0) > above:
                return False
            above += dis.stack_effect(instruction.opcode, argument)
            if above < 0:
                return False
        return False

    def _variable(self, name: str, variables: set[str]) -> bool:
        if name in variables:
            return True
        variables.add(name)
        for n, instruction in enumerate(self.instructions):
            names = instruction.argval
            if name not in (names if isinstance(names, tuple) else (names,)):
                continue
            if instruction.opname in ("STORE_FAST", "DELETE_FAST"):
                continue
            if instruction.opname not in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"):
                if instruction.opname in ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD"):
                    continue  # the same text, another thing
                return False
            if not self._follow(n + 1, variables):
                return False
        return True


@functools.lru_cache(maxsize=1024)
def _flow(code: types.CodeType) -> _Flow:
    return _Flow(code)


class _Drawn(float):
    """A fraction that was drawn; what a comparison with it gives is a branch."""

    __slots__ = ()
    __hash__ = float.__hash__

    def _compare(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        recorder = thread.recorder
        if recorder is None or recorder.aborted is not None:
            return compare(float(self), other)
        if type(other) not in (int, float, bool):
            recorder.abort(f"a random number is compared with a {type(other).__name__}")
            return compare(float(self), other)
        return recorder.decide(_compared, (compare, self, other), "a random number compared")

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compare(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compare(other, operator.ne)


# ----------------------------------------------------------------- what runs at every replay


def _fraction(draw: Callable[..., Any], *args: Any) -> _Drawn:
    return _Drawn(draw(*args))


def _compared(compare: Callable[[Any, Any], Any], drawn: float, other: Any) -> Any:
    return compare(float(drawn), other)


# ------------------------------------------------------------------------- what is replaced


#: What a function says of a draw that cannot be repeated.
_NOT_REPEATED = object()

#: Draws so that every replay draws anew: given recorder, caller, original, label and arguments.
_Repeat = Callable[[Any, types.FrameType, Callable[..., Any], str, tuple[Any, ...]], Any]


def _replacement(original: Callable[..., Any], label: str, repeat: _Repeat) -> Callable[..., Any]:
    @functools.wraps(original, updated=())
    def draw(*args: Any, **kwargs: Any) -> Any:
        recorder = thread.recorder
        if recorder is None or recorder.monitor is None:
            return original(*args, **kwargs)
        caller = sys._getframe(1)
        if recorder.aborted is None and not kwargs and kind_of_code(caller.f_code) == USER:
            value = repeat(recorder, caller, original, label, args)
            if value is not _NOT_REPEATED:
                return value
        recorder.monitor.refuse(f"it calls {label}()", caller)  # it saw no builtin called
        return original(*args, **kwargs)

    return draw


def _fractions(takes: Callable[..., bool]) -> _Repeat:
    """Fractions that are only compared, for arguments that `takes` accepts."""

    def repeat(
        recorder: Any, caller: types.FrameType, original: Any, label: str, args: tuple[Any, ...]
    ) -> Any:
        if not takes(*args) or not _flow(caller.f_code).only_compared(caller.f_lasti):
            return _NOT_REPEATED
        return recorder.host(_fraction, (original, *args), label, "object")

    return repeat


def _whole_numbers(count: Callable[..., int]) -> _Repeat:
    """Whole numbers; `count` tells of the arguments how many values there are, 0 if unknown."""

    def repeat(
        recorder: Any, caller: types.FrameType, original: Any, label: str, args: tuple[Any, ...]
    ) -> Any:
        if not 0 < count(*args) <= _MOST_BRANCHES:
            return _NOT_REPEATED
        return recorder.decide(original, args, label)

    return repeat


_below: Callable[[int], int] = getattr(random, "_inst")._randbelow  # noqa: B009


def _choice(
    recorder: Any, caller: types.FrameType, original: Any, label: str, args: tuple[Any, ...]
) -> Any:
    plain = len(args) == 1 and type(args[0]) in (list, tuple, str, range)
    if not plain or not 0 < len(args[0]) <= _MOST_BRANCHES:
        return _NOT_REPEATED
    return args[0][recorder.decide(_below, (len(args[0]),), label)]


def _no_arguments(*args: Any) -> bool:
    return not args


def _bounds(*args: Any) -> bool:
    return len(args) <= 2 and all(type(a) in (int, float) for a in args)


def _two_bounds(*args: Any) -> bool:
    return len(args) == 2 and _bounds(*args)


def _inclusive(*args: Any) -> int:
    return args[1] - args[0] + 1 if len(args) == 2 and _are_whole(args) else 0


def _range(*args: Any) -> int:
    return len(range(*args)) if 1 <= len(args) <= 3 and _are_whole(args) and args[-1] else 0


def _half_open(*args: Any) -> int:
    return len(range(*args)) if 1 <= len(args) <= 2 and _are_whole(args) else 0


def _are_whole(args: tuple[Any, ...]) -> bool:
    return all(type(a) is int for a in args)


@functools.lru_cache(maxsize=1)
def replacements() -> list[tuple[Any, str, Any, Any]]:
    """Module, name, original and replacement of each function."""
    results: list[tuple[Any, str, Any, Any]] = []

    def add(module: Any, name: str, repeat: _Repeat) -> None:
        original = getattr(module, name)
        label = f"{module.__name__}.{name}"
        results.append((module, name, original, _replacement(original, label, repeat)))

    add(random, "random", _fractions(_no_arguments))
    add(random, "uniform", _fractions(_two_bounds))
    add(random, "randint", _whole_numbers(_inclusive))
    add(random, "randrange", _whole_numbers(_range))
    add(random, "choice", _choice)
    for name in ("rand", "random", "random_sample", "sample"):
        add(np.random, name, _fractions(_no_arguments))
    add(np.random, "uniform", _fractions(_bounds))
    add(np.random, "randint", _whole_numbers(_half_open))
    return results
