"""Random programs are run in all ways; one that differs is made smaller.

NOTE Legal programs are not the aim. A statement may raise; then it must raise in each way.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import dataclasses
import io
import linecache
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from agar import Tensor
from agar._core.graph.cache import function
from agar._core.graph.inspect.explain import functions_of
from graph.soundness.generator import Writer
from graph.soundness.harness import WAYS, Run, observe

# --------------------------------------------------------------------------- what programs call


def t(*values: float) -> Tensor:
    """A Tensor of one dimension."""
    return Tensor(np.array(values, np.float32))


def tamper(value: Any) -> None:
    """Change a result, as its owner may."""
    with contextlib.suppress(Exception):
        if isinstance(value, Tensor):
            value.add_(1.0)
        elif isinstance(value, list):
            tamper(value[0]) if value else value.append(7.0)
            value.append(7.0)
        elif isinstance(value, dict):
            value["a"] = 7.0
        elif isinstance(value, set):
            value.add(7)
        elif isinstance(value, np.ndarray):
            value += 1
        elif isinstance(value, tuple):
            for v in value:
                tamper(v)


def _flat(value: Any, found: list[Any]) -> list[Any]:
    """The objects that make up a value, in order."""
    if len(found) < 200 and not any(v is value for v in found):
        if isinstance(value, (Tensor, list, dict, set, tuple, collections.deque, np.ndarray)):
            found.append(value)
        if isinstance(value, dict):
            for v in list(value.values()):
                _flat(v, found)
        elif isinstance(value, (list, tuple, collections.deque)):
            for v in list(value):
                _flat(v, found)
        elif hasattr(value, "u") and hasattr(value, "w"):
            found.append(value)
            for name in ("u", "w"):
                _flat(getattr(value, name), found)
    return found


def _origins(result: Any, known: list[Any]) -> list[Any]:
    """For each object of a result, which object outside it is, and whose memory it has."""
    mine = _flat(result, [])
    everything = [*known, *mine]
    rows = []
    for value in mine:
        if type(value) is tuple:
            continue  # Python may share equal ones
        same = next(i for i, v in enumerate(everything) if v is value)
        memory = None
        if isinstance(value, Tensor) and value._value is not None:
            store = value._value.untyped_storage()
            memory = next(
                i
                for i, v in enumerate(everything)
                if isinstance(v, Tensor)
                and v._value is not None
                and v._value.untyped_storage()._cdata == store._cdata
            )
        rows.append((type(value).__name__, same, memory))
    return rows


class Show:
    """Calls what may be compiled, and shows all that can be seen afterwards.

    Args:
        call: what is called.
        state: functions that give the contents of a place each.

    Attributes:
        last: the result of the last call.
        calls: how many calls there were.
        replayed: how many of these ran none of the program's Python.
    """

    made: list[Show] = []  # noqa: RUF012 - those of the run that is observed

    def __init__(self, call: Any, *state: Callable[[], Any]) -> None:
        self.call = call
        self.state = state
        self.last: Any = None
        self.calls = self.replayed = 0
        self.made.append(self)

    def look(self) -> list[Any]:
        """The contents of all places."""
        items: list[Any] = []
        for ask in self.state:
            try:
                items.append(ask())
            except Exception as error:
                items.append((type(error).__name__,))
        return items

    def runs(self) -> int:
        """How often the Python has run."""
        try:
            return sum(f.runs for f in functions_of(self.call))
        except TypeError:
            return -1

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result, what was printed, the arguments and the state, and what is what."""
        printed = io.StringIO()
        runs = self.runs()
        self.last = None
        with contextlib.redirect_stdout(printed):
            try:
                result = self.last = self.call(*args, **kwargs)
            except Exception as error:
                words = re.sub(r"line \d+", "line", str(error).split(". ")[0])[:60]
                result = "raised", type(error).__name__, words
        self.calls += 1
        now = self.runs()
        self.replayed += now == runs and now > 0
        state = self.look()
        known: list[Any] = []
        for value in (*args, *kwargs.values(), *state):
            _flat(value, known)
        return result, printed.getvalue(), args, kwargs, state, _origins(result, known)


# ------------------------------------------------------------------------------ running programs


@dataclasses.dataclass
class Told:
    """What became of a program.

    Attributes:
        difference: what is not the same; "" if nothing is.
        calls: of compiled functions.
        replayed: those that ran no Python.
        raised: whether the last row of the program is an exception of the program itself.
    """

    difference: str = ""
    calls: int = 0
    replayed: int = 0
    words: list[str] = dataclasses.field(default_factory=list)
    raised: str = ""


def program_of(text: str, name: str) -> Callable[[Run], Iterator[Any]]:
    """A program from its text; its module is new at every run."""
    code = compile(text, f"/programs/{name}.py", "exec")
    linecache.cache[f"/programs/{name}.py"] = len(text), None, text.splitlines(True), name

    def run_it(run: Run) -> Iterator[Any]:
        module = types.ModuleType(f"soundness_{name}")
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
        steps = module.__dict__["program"](run)
        while True:
            try:
                value = next(steps)
            except StopIteration:
                return
            except Exception as error:
                yield "the program raised", type(error).__name__, str(error)[:80]
                return
            yield value

    return run_it


def compare(text: str, name: str = "fuzz") -> Told:
    """Run a program in all ways."""
    while not function.loaded(function._FOR_SHAPES):
        time.sleep(0.01)  # what opens sizes comes in the background
    told = Told()
    run_it = program_of(text, name)
    plain, _ = observe(run_it, "pynative")
    last = plain[-1][0] if plain else ()
    if "the program raised" in repr(last)[:60]:
        told.raised = repr(last)
    for way in WAYS[1:]:
        Show.made = []
        rows, words = observe(run_it, way)
        told.words += words
        told.calls += sum(s.calls for s in Show.made)
        told.replayed += sum(s.replayed for s in Show.made)
        Show.made = []
        for i, (then, now) in enumerate(zip(plain, rows, strict=False)):
            if then[0] != now[0] or not _same_draws(then[1], now[1]):
                what = _first(then[0], now[0]) if then[0] != now[0] else "random states"
                told.difference = f"{way}, step {i + 1}: {what}"
                return told
        if len(rows) != len(plain):
            told.difference = f"{way}: {len(rows)} steps instead of {len(plain)}"
            return told
    return told


def _same_draws(then: Any, now: Any) -> bool:
    """Whether generators are in the same states; a recording may keep some alive for longer."""
    mine, its = dict(then[3]), dict(now[3])
    return (*then[:3], then[4]) == (*now[:3], now[4]) and all(
        its[serial] == state for serial, state in mine.items() if serial in its
    )


def _first(then: Any, now: Any, path: str = "") -> str:
    """The first part that differs."""
    if isinstance(then, (tuple, list)) and isinstance(now, (tuple, list)) and len(then) == len(now):
        for i, (a, b) in enumerate(zip(then, now, strict=True)):
            if a != b:
                return _first(a, b, f"{path}.{i}")
    return f"at {path}: expected {then!r:.200}, got {now!r:.200}"


def write(seed: int) -> str:
    """The text of a program: the first one from a seed in which most calls do not raise."""
    text = ""
    for attempt in range(_ATTEMPTS):
        text = Writer(seed * _ATTEMPTS + attempt).program()
        rows, _ = observe(program_of(text, "fuzz"), "pynative")
        failed = sum(1 for row, _ in rows if row[0] == "tuple" and _is_error(row[1][0]))
        if 10 * failed <= 4 * len(rows):
            break
    return text


_ATTEMPTS = 8


def _is_error(result: Any) -> bool:
    return result[0] == "tuple" and bool(result[1]) and result[1][0] == ("str", "'raised'")


# -------------------------------------------------------------------------------------- shrinking


def _smaller(tree: ast.Module) -> Iterator[Callable[[], Callable[[], None]]]:
    """Ways to make a program smaller: each does it, and gives what takes it back."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(node, field, None)
            if not isinstance(block, list) or not block:
                continue
            for size in (8, 4, 2, 1):
                for start in range(len(block) - size, -1, -1):
                    yield _without(block, start, size, isinstance(node, ast.Module))
            for i, inner in enumerate(block):
                if isinstance(inner, (ast.If, ast.For, ast.With, ast.Try)):
                    yield _replaced(block, i, inner.body)
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.BinOp):
                yield _set(node, field, value.left)
                yield _set(node, field, value.right)
            elif isinstance(value, ast.Call) and value.args:
                yield _set(node, field, value.args[0])
            elif isinstance(value, ast.Subscript):
                yield _set(node, field, value.value)
            elif isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) > 0:
                for element in value.elts:
                    if not isinstance(node, ast.ClassDef):
                        yield _set(node, field, element)
        if isinstance(node, (ast.Call, ast.Tuple, ast.List)):
            held = node.args if isinstance(node, ast.Call) else node.elts
            for i in range(len(held) - 1, -1, -1):
                yield _without(held, i, 1, True)


def _without(block: list[Any], start: int, size: int, empty: bool) -> Callable[[], Any]:
    def do() -> Callable[[], None]:
        items = list(block)
        del block[start : start + size]
        if not block and not empty:
            block.append(ast.Pass())

        def undo() -> None:
            block[:] = items

        return undo

    return do


def _replaced(block: list[Any], i: int, body: list[Any]) -> Callable[[], Any]:
    def do() -> Callable[[], None]:
        items = list(block)
        block[i : i + 1] = body

        def undo() -> None:
            block[:] = items

        return undo

    return do


def _set(node: Any, field: str, value: Any) -> Callable[[], Any]:
    def do() -> Callable[[], None]:
        result = getattr(node, field)
        setattr(node, field, value)

        def undo() -> None:
            setattr(node, field, result)

        return undo

    return do


def shrink(text: str, name: str = "fuzz", tries: int = 1500) -> str:
    """The smallest program found that still differs."""
    tree = ast.parse(text)
    again = True
    while again and tries > 0:
        again = False
        for do in list(_smaller(tree)):
            before = ast.unparse(tree)
            undo = do()
            try:
                now = ast.unparse(ast.fix_missing_locations(tree))
                tries -= 1
                if now == before:
                    undo()
                    continue
                good = _differs(now, name)
            except Exception:
                good = False
            if good:
                again = True
            else:
                undo()
            if tries <= 0:
                break
    return ast.unparse(tree)


def _differs(text: str, name: str) -> bool:
    told = compare(text, name)
    return bool(told.difference) and not told.raised
