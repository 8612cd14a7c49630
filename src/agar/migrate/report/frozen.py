"""The report as a test file: what was equal must stay equal."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

# what is frozen are torch modules and their inputs
import torch

from agar._core.files import replacing
from agar._core.tensor import Tensor
from agar.migrate.reference import load_pair
from agar.migrate.result import CellResult, Comparison, Report, Subject
from agar.nn.cell import Cell

__all__ = ["render", "write"]

_SEED = 0
_ROOM = 4
_GOOD = ("equal", "foreign")


class _Arrays:
    """Arrays that are written beside the test, and the expressions that read them."""

    def __init__(self, module: str) -> None:
        #: the expression of the original, for its optimizer
        self.module = module
        self.values: dict[str, np.ndarray] = {}

    def code(self, value: Any, where: str, refused: list[str]) -> str:
        """An expression for a value of the inputs or options.

        Args:
            value: the value.
            where (str): what it is, for the messages.
            refused (list): gets a sentence for what cannot be written.
        """
        if isinstance(value, (torch.Tensor, Tensor, np.ndarray)):
            return self._tensor(value)
        if isinstance(value, dict):
            parts = [f"{k!r}: {self.code(v, f'{where}[{k!r}]', refused)}" for k, v in value.items()]
            return "{" + ", ".join(parts) + "}"
        if type(value) in (tuple, list):
            parts = [self.code(v, f"{where}[{i}]", refused) for i, v in enumerate(value)]
            if type(value) is list:
                return f"[{', '.join(parts)}]"
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        if isinstance(value, float):
            return repr(value) if np.isfinite(value) else f"float({str(value)!r})"
        if value is None or isinstance(value, (bool, int, str, bytes)):
            return repr(value)
        if isinstance(value, torch.dtype):
            return str(value)
        if isinstance(value, torch.optim.Optimizer):
            return self._optimizer(value, where, refused)
        if isinstance(value, type) or callable(value):
            reason = _not_importable(value)
            if reason is None:
                return f"imported({value.__module__!r}, {value.__qualname__!r})"
            refused.append(f"{where}: {reason}")
            return "None"
        refused.append(f"{where}: a {type(value).__name__} cannot be written into a file")
        return "None"

    def _optimizer(self, value: torch.optim.Optimizer, where: str, refused: list[str]) -> str:
        kind = type(value)
        reason = _not_importable(kind)
        if len(value.param_groups) != 1:
            reason = f"a {kind.__name__} with {len(value.param_groups)} groups of parameters"
        if reason is not None:
            refused.append(f"{where}: {reason}")
            return "None"
        taken = inspect.signature(kind).parameters
        group = value.param_groups[0]
        parts = [
            f"{name}={self.code(group[name], f'{where}, {name}', refused)}"
            for name in value.defaults
            if name in taken and name in group
        ]
        expression = f"imported({kind.__module__!r}, {kind.__qualname__!r})"
        return f"{expression}({self.module}.parameters(), {', '.join(parts)})"

    def _tensor(self, value: Any) -> str:
        key = f"input_{len(self.values)}"
        if isinstance(value, np.ndarray):
            self.values[key] = value
            return f"array({key!r})"
        kind = "torch" if isinstance(value, torch.Tensor) else "agar"
        tensor = value if isinstance(value, torch.Tensor) else value._value
        tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
        if tensor.is_sparse:
            tensor = tensor.to_dense()
        call = f"{kind}_tensor({key!r})"
        if tensor.dtype is torch.bfloat16:  # numpy does not know it; float32 holds all its values
            tensor = tensor.float()
            call = f"{kind}_tensor({key!r}, torch.bfloat16)"
        self.values[key] = tensor.numpy()
        return call


def write(report: Report, path: Path, pair: str | None = None) -> Path:
    """Write the test file, and the inputs beside it where no reference builds them.

    Args:
        report (Report): the report.
        path (Path): the file; its arrays lie in ``NAME.npz``.
        pair (str, optional): what builds module, cell and inputs. Default: ``None``, the one that
            was checked, or the classes.

    Returns:
        Path, the file.

    Raises:
        ValueError: something cannot be written into a file; the message lists all of it.
    """
    text, arrays = render(report, path, pair)
    path.parent.mkdir(parents=True, exist_ok=True)
    if arrays:
        with replacing(path.with_suffix(".npz")) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
    with replacing(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")
    return path


def render(report: Report, path: Path, pair: str | None = None) -> tuple[str, dict[str, Any]]:
    """The text of the test file, and the arrays that must lie beside it.

    Args:
        report (Report): the report.
        path (Path): where it will be.
        pair (str, optional): see `write`.
    """
    if not report.cells or not report.network:
        raise ValueError(
            "This report cannot be frozen: nothing was compared. Its problems: "
            + ("; ".join(report.problems) or "none")
        )
    subject = report.subject
    pair = pair or (subject.pair if subject else None)
    if pair is None and subject is None:
        raise ValueError(
            "This report was read from a file and does not know the networks any more. Name what "
            "builds them: to_pytest(path, pair='file.py:function')."
        )
    if pair is not None:
        setup, arrays = _from_pair(pair, path, subject)
    else:
        setup, arrays = _from_classes(subject, path)  # type: ignore[arg-type]
    return _text(report, setup, path, bool(arrays), pair), arrays


# ------------------------------------------------------------------- how the pair is built


def _from_pair(
    pair: str, path: Path, subject: Subject | None
) -> tuple[list[str], dict[str, np.ndarray]]:
    where, _, function = pair.rpartition(":")
    if not where:
        where, function = pair, "pair"
    arrays = _Arrays('arguments["module"]')
    refused: list[str] = []
    given: dict[str, Any] = {}
    if subject is not None:
        # the function's own arguments are not written twice, unless others were put over them
        own = {} if subject.pair else load_pair(pair)
        given = {k: v for k, v in subject.options.items() if k not in own}
    if where.endswith(".py"):
        where = Path(os.path.relpath(where, path.parent)).as_posix()
    options = {k: arrays.code(v, f"the argument {k!r}", refused) for k, v in given.items()}
    _raise_refused(refused, pair=False)
    lines = [f"PAIR = {_quoted(f'{where}:{function}')}  # relative to this file"]
    if options:
        lines += ["", "", *_helpers(arrays)]
    lines += [
        "",
        "",
        "def build():",
        *_seeding(),
        "    arguments = load_pair(PAIR, HERE)",
        *(f"    arguments[{_quoted(k)}] = {v}" for k, v in options.items()),
        "    return arguments",
    ]
    return lines, arrays.values


def _from_classes(subject: Subject, path: Path) -> tuple[list[str], dict[str, np.ndarray]]:
    arrays = _Arrays("module")
    refused = _classes(subject)
    inputs = arrays.code(subject.inputs, "the inputs", refused)
    options = {
        k: arrays.code(v, f"the argument {k!r}", refused)
        for k, v in subject.options.items()
        if k != "sync_weights"
    }
    _raise_refused(refused, pair=True)
    module, cell = type(subject.module), type(subject.cell)
    converted = "torch_class" in subject.cell.__dict__
    build_cell = (
        "agar.migrate.from_torch(module)"
        if converted
        else f"imported({_quoted(cell.__module__)}, {_quoted(cell.__qualname__)})()"
    )
    return [
        *_helpers(arrays),
        "",
        "",
        "def build():",
        "    # the weights are drawn anew, and given to the cell",
        *_seeding(),
        f"    module = imported({_quoted(module.__module__)}, {_quoted(module.__qualname__)})()",
        f"    module.train({subject.module.training})",
        f"    cell = {build_cell}",
        "    return {",
        '        "module": module,',
        '        "cell": cell,',
        f'        "inputs": {inputs},',
        f'        "sync_weights": {not converted},',
        *(f"        {_quoted(k)}: {v}," for k, v in options.items()),
        "    }",
    ], arrays.values


def _seeding() -> list[str]:
    return [f"    torch.manual_seed({_SEED})", f"    agar.set_seed({_SEED})"]


def _helpers(arrays: _Arrays) -> list[str]:
    """Functions that the expressions use."""
    lines = [
        "def imported(module, name):",
        "    value = importlib.import_module(module)",
        '    for part in name.split("."):',
        "        value = getattr(value, part)",
        "    return value",
    ]
    if arrays.values:
        lines += [
            "",
            "",
            "def array(key):",
            "    with np.load(ARRAYS) as saved:",
            "        return saved[key]",
            "",
            "",
            "def torch_tensor(key, dtype=None):",
            "    tensor = torch.from_numpy(array(key))",
            "    return tensor if dtype is None else tensor.to(dtype)",
            "",
            "",
            "def agar_tensor(key, dtype=None):",
            "    return agar.from_torch(torch_tensor(key, dtype))",
        ]
    return lines


def _classes(subject: Subject) -> list[str]:
    """Why the classes do not give the two networks again."""
    refused = []
    for what, network in (("module", subject.module), ("cell", subject.cell)):
        if what == "cell" and "torch_class" in network.__dict__:
            continue  # from_torch makes it again
        kind = type(network)
        reason = _not_importable(kind)
        if reason is not None:
            refused.append(f"the {what}: {reason}")
            continue
        # to build it must not disturb the user's own random numbers
        state = torch.get_rng_state()
        try:
            again = kind()
        except Exception as error:
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            refused.append(
                f"the {what}: {kind.__qualname__}() cannot be built without arguments ({first})"
            )
            continue
        finally:
            torch.set_rng_state(state)
        if _shapes(again) != _shapes(network):
            refused.append(
                f"the {what}: {kind.__qualname__}() without arguments has other weights than the "
                "one that was checked"
            )
    return refused


def _shapes(network: Any) -> dict[str, tuple[int, ...]]:
    if isinstance(network, Cell):
        return {name: tuple(p.shape) for name, p in network.parameters_and_names()}
    return {name: tuple(v.shape) for name, v in network.state_dict().items() if torch.is_tensor(v)}


def _not_importable(value: Any) -> str | None:
    """Why a test file cannot import a class or function, or None."""
    name = getattr(value, "__qualname__", None)
    module = getattr(value, "__module__", None)
    if not name or not module:
        return f"{value!r:.80} has no name to import it by"
    if "<lambda>" in name:
        return "a lambda has no name to import it by"
    if "<locals>" in name:
        return f"{name} is defined inside a function, where a file cannot import it"
    if module == "__main__":
        return f"{name} is defined in the program that ran (__main__)"
    target: Any = sys.modules.get(module)
    for part in name.split("."):
        target = getattr(target, part, None)
    if target is not value:
        return f"'{module}.{name}' is another object now"
    return None


def _raise_refused(refused: list[str], pair: bool) -> None:
    if not refused:
        return
    fix = (
        "Write a function in a file that returns (module, cell, inputs), and name it: "
        "to_pytest(path, pair='file.py:function'). A dict of check's arguments may hold lambdas "
        "and local classes too."
        if pair
        else "Let the function of the pair return a dict that holds these arguments itself."
    )
    raise ValueError(
        "This report cannot be frozen as it stands:\n"
        + "\n".join(f"- {line}" for line in refused)
        + f"\n{fix}"
    )


# ----------------------------------------------------------------------- the text of the file


def _text(report: Report, setup: list[str], path: Path, arrays: bool, pair: str | None) -> str:
    from agar import __version__

    good = [c for c in report.cells if c.status in _GOOD]
    rest = [c for c in report.cells if c.status not in _GOOD]
    whole = [c for c in report.network if c.equal]
    lines = [
        f'"""The migration of {_comment(report.name)}, kept by agar {__version__}.',
        "",
        "What was equal when this file was written must be equal still.",
    ]
    if pair is not None:
        lines += [
            "After a change that is wanted, write it anew, with the same options:",
            "",
            f"    agar migrate check {_comment(pair)} --pytest {_comment(path.name)}",
        ]
    lines += ['"""', "", "from __future__ import annotations", ""]
    body = "\n".join(setup)
    if "importlib" in body:
        lines.append("import importlib")
    lines += ["from pathlib import Path", ""]
    if "np." in body:
        lines.append("import numpy as np")
    lines += ["import pytest", "import torch", "", "import agar", "import agar.migrate"]
    if pair is not None:
        lines.append("from agar.migrate.reference import load_pair")
    lines += ["", "HERE = Path(__file__).resolve().parent"]
    if arrays:
        lines.append(f"ARRAYS = HERE / {_quoted(path.with_suffix('.npz').name)}")
    lines += [
        "",
        "# path: (class of the cell, its status, how much was compared, the largest error allowed)",
        "CELLS = {",
        *(f"    {_quoted(c.path)}: {_frozen(c)}," for c in good),
        "}",
    ]
    if rest:
        lines += ["", "# What was not equal then; these may become equal, and no others may join."]
    lines += [
        "NOT_EQUAL = {",
        *(f"    {_quoted(c.path)}: {_quoted(_reason(c))}," for c in rest),
        "}",
        "",
        "# (stage, what) of the whole network: the largest error allowed",
        "NETWORK = {",
        *(f"    ({_quoted(c.stage)}, {_quoted(c.what)}): {_limit(c.tolerance)}," for c in whole),
        "}",
        "# the share of leaf cells that agar computes",
        f"NATIVE = {int(report.native * 1e6) / 1e6!r}",
        f"PASSED = {report.passed}",
        f"TRAINED = {report.curve is not None and report.curve.inside}",
        "",
    ]
    return "\n".join([*lines, *setup, "", "", _TESTS])


_TESTS = '''\
@pytest.fixture(scope="module")
def report():
    return agar.migrate.check(**build())


@pytest.fixture(scope="module")
def cells(report):
    return {cell.path: cell for cell in report.cells}


def explain(report):
    """What the first divergence says, for the message of a failed test."""
    first = report.first_divergence
    if first is None:
        return "; ".join(report.problems)
    return f"first divergence at {first.path!r}: {first.cause} {first.line or ''}"


@pytest.mark.parametrize("path", CELLS)
def test_cell(report, cells, path):
    kind, status, compared, tolerance = CELLS[path]
    assert path in cells, f"the cell {path!r} is gone"
    cell = cells[path]
    assert cell.cell_type == kind
    # a foreign cell may become a native one
    assert cell.status in (status, "equal"), f"{cell.status}: {cell.reason}. {explain(report)}"
    assert len(cell.comparisons) >= compared, "less was compared than before"
    worst = max(cell.comparisons, key=lambda c: c.error or 0.0, default=None)
    assert worst is None or (worst.error or 0.0) <= tolerance, f"{worst.what}: {worst.reason}"


@pytest.mark.parametrize(("stage", "what"), NETWORK)
def test_network(report, stage, what):
    comparisons = [c for c in report.network if (c.stage, c.what) == (stage, what)]
    assert comparisons, "this is not compared any more"
    assert all(c.equal for c in comparisons), explain(report)
    assert all((c.error or 0.0) <= NETWORK[stage, what] for c in comparisons)


def test_no_other_cell_differs(cells):
    wrong = {p for p, c in cells.items() if c.status not in ("equal", "foreign")}
    assert wrong - set(NOT_EQUAL) == set()


def test_native(report):
    assert report.native >= NATIVE, "fewer cells are computed by agar than before"


def test_passed(report):
    assert report.passed or not PASSED, explain(report)
    if TRAINED:
        assert report.curve.inside, "the training leaves the noise of rounding"
'''


def _frozen(cell: CellResult) -> str:
    tolerance = max((_bound(c) for c in cell.comparisons), default=0.0)
    count = len(cell.comparisons)
    return f"({_quoted(cell.cell_type)}, {_quoted(cell.status)}, {count}, {_limit(tolerance)})"


def _bound(c: Comparison) -> float:
    """The tolerance; a foreign cell's comparison may be over it."""
    return max(c.tolerance, c.error or 0.0)


def _limit(value: float) -> str:
    """The tolerance of that day, with room: kernels differ between CPUs, and so do errors."""
    return f"{_ROOM * value:.3g}" if np.isfinite(value) else f"float({str(value)!r})"


def _reason(cell: CellResult) -> str:
    return f"{cell.status}: {cell.reason}" if cell.reason else cell.status


def _quoted(text: str) -> str:
    """A string literal in ASCII: any name may stand in the file."""
    return ascii(text)


def _comment(text: str) -> str:
    return text.encode("unicode_escape").decode().replace('"', "'")
