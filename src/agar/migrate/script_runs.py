"""A training program and its conversion, run side by side: do they print the same losses?

The original runs first. Its draws of random numbers, the order of its loaders and the weights that
its networks begin with are noted and given to the converted program (`script_replay`), so that both
compute the same. What is compared is what both print: the numbers of each line, and the text around
them.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agar.migrate.conversion._result import Note
from agar.migrate.random_replay import DrawRecorder
from agar.migrate.sandbox import keep_random_states
from agar.migrate.script_files import MARK, Program, beside
from agar.migrate.script_replay import Record, Roots, after, before, replaced, replayed, run_program

__all__ = ["ScriptCheck", "check_script"]

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b")


@dataclass
class ScriptCheck:
    """What two runs of a training program printed.

    Attributes:
        script: the original's path.
        code: the converted text.
        target: the package that the converted text imports.
        python: the interpreter whose MindSpore ran it; empty for agar.
        by_hand: what needs a hand in it.
        files: for each of `by_hand`, the file beside the program that it is in; empty for the
            program itself.
        error: why one of them did not run to its end; empty where both did.
        lines: count of lines with numbers that were compared.
        largest: the largest difference of two numbers, relative to 1 or the number itself.
        first: the first pair of lines that differ; None where all are equal.
        missing: what the converted program drew and the original did not.
        printed: what the original and the converted program printed.
        seconds: how long the two took.
    """

    script: str
    code: str = ""
    target: str = "agar"
    python: str = ""
    by_hand: list[Note] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    error: str = ""
    lines: int = 0
    largest: float = 0.0
    first: tuple[int, str, str] | None = None
    missing: list[str] = field(default_factory=list)
    printed: tuple[str, str] = ("", "")
    seconds: tuple[float, float] = (0.0, 0.0)

    @property
    def passed(self) -> bool:
        """Whether both ran to the end and printed the same."""
        return not self.error and self.first is None and self.lines > 0

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON."""
        return {
            "script": self.script,
            "passed": self.passed,
            "target": self.target,
            "python": self.python,
            "error": self.error,
            "lines": self.lines,
            "largest": self.largest,
            "first": self.first,
            "missing": self.missing,
            "seconds": self.seconds,
            "by_hand": [
                {"file": file, "line": n.line, "text": n.text}
                for file, n in zip(self.files, self.by_hand, strict=True)
            ],
        }

    def __str__(self) -> str:
        if self.error:
            return f"{self.script}: {self.error}"
        if self.first is not None:
            number, one, other = self.first
            return (
                f"{self.script}: line {number} of what is printed differs\n"
                f"  original:  {one}\n  converted: {other}"
            )
        if not self.lines:
            return f"{self.script}: nothing with numbers is printed, so nothing was compared"
        return f"{self.script}: equal in {self.lines} lines, largest difference {self.largest:.1e}"

    def _repr_html_(self) -> str:
        from agar.migrate.report import _notebook

        return _notebook.script_html(self)


def check_script(
    script: str | os.PathLike[str],
    *,
    target: str = "agar",
    python: str | None = None,
    arguments: Sequence[str] = (),
    tolerance: float = 1e-4,
    record: str | os.PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> ScriptCheck:
    r"""Run a training program of PyTorch and its conversion, and compare what they print.

    Both begin with the original's weights, draw its random numbers and shuffle in its order. Files
    beside the program that it imports are converted as well. The programs run as ``__main__``, the
    original and the conversion for agar in this process, and a conversion for MindSpore in another.

    Args:
        script (str, path): the program.
        target (str): ``"agar"``, or ``"mindspore"``: the text for MindSpore is compared too, once
            the text for agar gives the same. Default: ``"agar"``.
        python (str, optional): an interpreter that has MindSpore, to run that text; without, agar
            runs it under MindSpore's name. Default: ``None``.
        arguments (sequence[str]): the program's arguments. Default: ``()``.
        tolerance (float): the largest difference of two printed numbers that is equal, relative to
            the number or, below one, absolute. Default: ``1e-4``.
        record (str, path, optional): an ``.npz`` file to write for ``script_replay.py``, which
            runs the converted program again beside another package. Default: ``None``.
        progress (callable, optional): called with what is done at the moment. Default: ``None``.

    Returns:
        ScriptCheck, whose ``passed`` says whether both ran and printed the same.

    Raises:
        FileNotFoundError: there is no such script.
        SyntaxError: the script, or a file beside it, is not Python.
        ValueError: there is no such target, or `python` is given for agar.

    Examples:
        >>> import pathlib, tempfile
        >>> from agar.migrate.script_runs import check_script
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "train.py"
        >>> _ = path.write_text("import torch\nprint(torch.randn(3).sum().item())\n")
        >>> check_script(path).passed
        True
    """
    if target not in ("agar", "mindspore"):
        raise ValueError(f"'target' must be 'agar' or 'mindspore', but got {target!r}.")
    if python is not None and target != "mindspore":
        raise ValueError("'python' is an interpreter with MindSpore: give target='mindspore' too.")
    tell = progress or (lambda text: None)
    path = Path(script)
    tell("converting")
    program = Program.convert(path, "agar")
    result = _result(script, program, "agar")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(record) if record is not None else Path(folder, "record.npz")
        saved = target == "mindspore" or record is not None
        _run_here(result, path, program, arguments, tell, place if saved else None)
        if not result.error:
            _compare(result, tolerance)
        if target == "agar" or not result.passed:
            return result
        other = Program.convert(path, "mindspore")
        check = _result(script, other, "mindspore")
        check.python = python or ""
        tell("the conversion for MindSpore runs")
        begun = time.perf_counter()
        printed = _run_there(check, path, other.write(Path(folder, "code")), place, arguments)
        check.seconds = (result.seconds[0], time.perf_counter() - begun)
        check.printed = (result.printed[0], printed)
        if not check.error:
            _compare(check, tolerance)
    return check


def _result(script: str | os.PathLike[str], program: Program, target: str) -> ScriptCheck:
    result = ScriptCheck(str(script), program.code, target)
    result.by_hand = [note for _, note in program.by_hand]
    result.files = [file for file, _ in program.by_hand]
    return result


def _run_here(
    result: ScriptCheck,
    path: Path,
    program: Program,
    arguments: Sequence[str],
    tell: Callable[[str], None],
    record: Path | None,
) -> None:
    """The original and its conversion for agar, in this process."""
    with keep_random_states(), _context_restored():
        noted = _Noted()
        begun = time.perf_counter()
        try:
            with noted.recording(), beside(path):
                one = run_program(
                    str(path), program.original, arguments, _following(tell, "the original runs")
                )
        except Exception as error:
            result.error = f"the original raised {_described(error)}"
            return
        between = time.perf_counter()
        result.printed = (one, "")
        served = Record(noted.draws, noted.modules)
        states: list[dict[str, np.ndarray]] = []
        follow = _following(tell, "the conversion runs")
        try:
            with program.imported(), _replay(served, states):
                other = run_program(program.file, program.code, arguments, follow)
        except Exception as error:
            result.error = f"the converted program raised {_described(error)}"
            return
        finally:
            result.seconds = (between - begun, time.perf_counter() - between)
    result.printed, result.missing = (one, other), list(dict.fromkeys(served.missing))
    if record is not None:
        _save(record, noted.draws, states)


def _run_there(
    result: ScriptCheck, path: Path, file: Path, record: Path, arguments: Sequence[str]
) -> str:
    """What a converted program prints in another process."""
    import agar
    import agar.migrate.script_replay as replay

    package = "mindspore" if result.python else "agar"
    environment = dict(os.environ)
    if not result.python:
        home = str(Path(agar.__file__).parents[1])
        paths = [home, environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    done = subprocess.run(
        [
            *(result.python or sys.executable, "-W", "ignore", str(replay.__file__), package),
            *(str(file.resolve()), str(record.resolve()), *arguments),
        ],
        capture_output=True,
        text=True,
        env=environment,
        cwd=path.resolve().parent if not arguments else None,
        check=False,
    )
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        raised = next((n for n in reversed(lines) if re.match(r"\w+(Error|Exception)\b", n)), "")
        result.error = f"the converted program ended: {raised or ' '.join(lines[-3:])}"[:600]
    missing = [n for n in done.stderr.splitlines() if n.startswith("missing in the record: ")]
    result.missing = [line.partition(": ")[2] for line in missing]
    return done.stdout


def _following(tell: Callable[[str], None], what: str) -> Callable[[int, str], None]:
    return lambda count, line: tell(f"{what}: {count} lines, {line.strip()[:60]}")


class _Noted:
    """What a run of the original draws, and the networks it begins with."""

    def __init__(self) -> None:
        self.draws: list[tuple[str, np.ndarray]] = []
        self.modules: list[torch.nn.Module] = []

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Note what happens inside."""
        module, copied = torch.nn.Module, copy.deepcopy
        roots = Roots(
            lambda one: list(one.children()),
            lambda one: list(one.parameters()),
            lambda one: self.modules.append(copied(one)),
        )

        def use(one: Any) -> None:
            if isinstance(one, module):
                roots.use(one)

        def optimize(optimizer: Any) -> None:
            roots.train([p for group in optimizer.param_groups for p in group["params"]])

        recorder = DrawRecorder(note=self._note)
        sampler = torch.utils.data.RandomSampler
        with contextlib.ExitStack() as stack:
            stack.enter_context(replaced(module, "__init__", after(roots.add)))
            stack.enter_context(replaced(module, "__call__", before(use)))
            stack.enter_context(replaced(module, "state_dict", before(use)))
            stack.enter_context(replaced(copy, "deepcopy", before(use)))
            stack.enter_context(replaced(torch.optim.Optimizer, "__init__", after(optimize)))
            stack.enter_context(replaced(sampler, "__iter__", self._ordered))
            stack.enter_context(recorder)
            yield

    def _ordered(self, old: Any) -> Any:
        def iterate(sampler: Any) -> Iterator[int]:
            count = len(self.draws)
            order = list(old(sampler))
            # how the sampler came to its order does not matter
            self.draws[count:] = [("permutation", np.array(order))]
            yield from order

        return iterate

    def _note(self, draw: Any) -> None:
        if not _initializes():
            self.draws.append((draw.kind, draw.raw.numpy().copy()))


def _initializes() -> bool:
    """Whether one of PyTorch's layers fills its weights: they are given as they are."""
    frame = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_filename.endswith(("torch/nn/init.py", "torch\\nn\\init.py")):
            return True
        if code.co_name in ("reset_parameters", "_reset_parameters"):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def _replay(record: Record, states: list[dict[str, np.ndarray]]) -> Iterator[None]:
    import agar
    import agar.dataset
    import agar.mint
    from agar.migrate.weights import load_torch_state

    def load(cell: Any, module: torch.nn.Module) -> None:
        load_torch_state(cell, module.state_dict(), module=module)
        states.append({p.name: p.asnumpy().copy() for p in cell.get_parameters()})

    with replayed(agar, MARK, record, load):
        yield


@contextlib.contextmanager
def _context_restored() -> Iterator[None]:
    """Put back the switches that programs set."""
    from agar._core.runtime import runtime

    mode, threads, grad = runtime.mode, torch.get_num_threads(), torch.is_grad_enabled()
    dtype = torch.get_default_dtype()
    try:
        yield
    finally:
        runtime.mode = mode
        torch.set_num_threads(threads)
        torch.set_grad_enabled(grad)
        torch.set_default_dtype(dtype)


def _described(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(MARK)]
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {str(error).strip()[:500]}{where}"


def _compare(result: ScriptCheck, tolerance: float) -> None:
    ones, others = (text.splitlines() for text in result.printed)
    for i in range(max(len(ones), len(others))):
        one = ones[i] if i < len(ones) else "(nothing)"
        other = others[i] if i < len(others) else "(nothing)"
        difference = _difference(one, other)
        if difference is None or not difference <= tolerance:
            result.first = result.first or (i + 1, one, other)
        if difference is not None and _NUMBER.search(one):
            result.lines += 1
            result.largest = max(result.largest, difference)


def _difference(one: str, other: str) -> float | None:
    """The largest difference of the numbers of two lines; None where the text differs."""
    if one == other:
        return 0.0
    if _NUMBER.sub("#", one).split() != _NUMBER.sub("#", other).split():
        return None
    largest = 0.0
    for a, b in zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True):
        x, y = float(a), float(b)
        if a != b:
            gap = abs(x - y) / max(1.0, abs(x))
            largest = max(largest, gap if gap == gap else float("inf"))
    return largest


def _save(path: Path, draws: list[tuple[str, np.ndarray]], states: list[Any]) -> None:
    index = json.dumps([[kind for kind, _ in draws], [list(state) for state in states]])
    arrays = {f"draw{i}": value for i, (_, value) in enumerate(draws)}
    arrays["index"] = np.array(index)
    arrays |= {f"w{i}.{n}": v for i, state in enumerate(states) for n, v in state.items()}
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]
