"""Whether converted files can be imported: in a process of its own, with a limit of time.

What a file does at its top level happens there too, so a script that would work when it is imported
is compiled only. Run as a program, this module imports files that lie in a folder::

    python -m agar.migrate.conversion._importing FOLDER

where ``FOLDER/request.json`` says which, and ``FOLDER/answers`` gets a line for each.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["check_imports", "works_at_import"]

#: seconds for importing one file, and for the process that does it to start
_LIMIT = 60
_START = 120
#: calls at the top level that prepare a file and are no work
_PREPARING = frozenset(
    [
        "_by_hand", "add", "append", "basicConfig", "extend", "filterwarnings", "getLogger",
        "insert", "manual_seed", "register", "seed", "setLevel", "set_context",
        "set_printoptions", "set_seed", "setdefault", "simplefilter", "update", "use",
    ]
)  # fmt: skip
#: functions that a mark raises from
_MARKS = ("_by_hand", "_raise", "__getattr__")
#: calls whose values a script asks for
_WORKING = frozenset(["parse_args", "parse_known_args", "open", "input", "load", "load_checkpoint"])


def works_at_import(text: str) -> str:
    """The first line at the top level of a text that works when it is imported; empty without."""
    for node in ast.parse(text).body:
        statement = _work_of(node)
        if statement is not None:
            return f"line {statement.lineno}: {ast.unparse(statement).splitlines()[0][:80]}"
    return ""


def _work_of(node: ast.stmt) -> ast.stmt | None:
    if isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.With, ast.AsyncWith)):
        return node
    if isinstance(node, (ast.If, ast.Try)):
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            inner: list[ast.stmt] = node.orelse
        else:
            inner = [*node.body, *node.orelse, *getattr(node, "finalbody", [])]
            inner += [s for h in getattr(node, "handlers", []) for s in h.body]
        return next((statement for s in inner if (statement := _work_of(s)) is not None), None)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return None if _last(node.value.func) in _PREPARING else node
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        calls = [c for c in ast.walk(node.value) if isinstance(c, ast.Call)]
        return node if any(_last(c.func) in _WORKING for c in calls) else None
    return None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def check_imports(
    texts: Mapping[str, str], names: Mapping[str, str], target: str
) -> dict[str, tuple[str, str]]:
    """Import files in another process.

    Args:
        texts (mapping): what lies in the folder: place, relative to its top: text.
        names (mapping): what is imported of it: place: the module's name.
        target (str): ``mindspore`` or ``agar``, the package that they import.

    Returns:
        dict, place: a word and a text. ``imported``; ``marked``, where a mark is reached;
        ``missing``, where it needs what is not here; ``failed``, with the reason.
    """
    if not names:
        return {}
    with tempfile.TemporaryDirectory(prefix="agar-convert-") as name:
        folder = Path(name)
        for place, text in texts.items():
            path = folder / "files" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        request = {"names": dict(names), "target": target, "limit": _LIMIT}
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        said = _run(folder, _START + _LIMIT * len(names))
        answers = folder / "answers"
        lines = answers.read_text("utf-8").splitlines() if answers.exists() else []
        outcomes = {place: (word, text) for place, word, text in map(json.loads, lines)}
    return {place: outcomes.get(place, ("failed", said)) for place in names}


def _run(folder: Path, limit: float) -> str:
    """Run the importing process, and say how it ended where it did not answer."""
    here = str(Path(__file__).resolve().parents[3])
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(p for p in (here, os.environ.get("PYTHONPATH")) if p),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLBACKEND": "Agg",
    }
    # the end of this pipe tells the other process that this one was killed
    alive, held = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "agar.migrate.conversion._importing", str(folder)],
        cwd=folder,
        env=env,
        stdin=alive,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        _end(process.pid)
        process.communicate()
        return f"importing did not end within {limit:.0f} seconds"
    except BaseException:
        _end(process.pid)
        process.communicate()
        raise
    finally:
        os.close(alive)
        os.close(held)
    last = errors.decode("utf-8", "replace").strip().splitlines()
    return f"the importing process ended ({process.returncode}): {last[-1] if last else ''}"


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


# ------------------------------------------------------------------ the other process


#: the process that imports a file now
_importer: list[int] = []


def _leave_nothing(folder: Path) -> None:
    """Wait for the end of the process that asks, and take away what it would have."""
    from agar._core.files import remove, remove_empty_folder

    while os.read(0, 1):
        pass
    for where, _, names in os.walk(folder, topdown=False):
        for name in names:
            remove(os.path.join(where, name))
        remove_empty_folder(where)
    for pid in [*_importer, os.getpid()]:
        _end(pid)


def _serve(folder: Path) -> None:
    threading.Thread(target=_leave_nothing, args=(folder,), daemon=True).start()
    request = json.loads((folder / "request.json").read_text("utf-8"))
    import agar

    if request["target"] == "mindspore":
        agar.alias_mindspore()
    files = folder / "files"
    sys.path.insert(0, str(files))
    own = {place.split("/")[0].removesuffix(".py") for place in request["names"]}
    for place, name in request["names"].items():
        word, text = _in_a_fork(files / place, name, own, request["limit"])
        with open(folder / "answers", "a", encoding="utf-8") as answers:
            answers.write(json.dumps([place, word, text]) + "\n")


def _in_a_fork(path: Path, name: str, own: set[str], limit: float) -> tuple[str, str]:
    """Import one file in a process that has agar already, and nothing of the other files."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.setpgid(0, 0)
        answer = ("failed", "the file ended the process that imported it")
        try:
            answer = _import(path, name, own)
        finally:
            # whatever the file does: it comes back here, and not into the loop of the others
            os.write(writing, json.dumps(answer).encode())
            os._exit(0)
    os.close(writing)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    _importer[:] = [child]
    try:
        return _read(reading, limit)
    finally:
        _importer.clear()
        _end(child)
        os.waitpid(child, 0)
        os.close(reading)


def _read(reading: int, limit: float) -> tuple[str, str]:
    import select

    ready, _, _ = select.select([reading], [], [], limit)
    if not ready:
        return "failed", f"it did not end within {limit:.0f} seconds"
    data = b""
    while part := os.read(reading, 65536):
        data += part
        if data.endswith(b"]"):
            break
    if not data:
        return "failed", "the process that imported it ended"
    word, text = json.loads(data)
    return word, text


def _import(path: Path, name: str, own: set[str]) -> tuple[str, str]:
    import importlib

    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing and missing not in own and missing not in ("agar", "mindspore"):
            return "missing", f"it needs {error.name}, which is not here"
        return "failed", _told(error, path)
    except ImportError as error:
        if "relative import" in str(error):
            return "missing", f"it needs files that were not converted with it ({error})"
        return "failed", _told(error, path)
    except NotImplementedError as error:
        frames = _frames(error)
        if frames and frames[-1][1] in _MARKS:
            return "marked", f"line {_line(error, path)} is marked, and importing ends there"
        return "failed", _told(error, path)
    except BaseException as error:
        return "failed", _told(error, path)
    return "imported", ""


def _frames(error: BaseException) -> list[tuple[str, str, int]]:
    out, at = [], error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        out.append((code.co_filename, code.co_name, at.tb_lineno))
        at = at.tb_next
    return out


def _line(error: BaseException, path: Path) -> int:
    """The last line of the file that was reached; 0 where none was."""
    own = [f for f in _frames(error) if Path(f[0]).name == path.name and f[1] not in _MARKS]
    return own[-1][2] if own else getattr(error, "lineno", None) or 0


def _told(error: BaseException, path: Path) -> str:
    said = " ".join(str(error).split())[:300]
    line = _line(error, path)
    place = f" (line {line})" if line else ""
    return f"{type(error).__name__}: {said}{place}"


def main(arguments: list[str]) -> Any:
    """Import what a folder asks for."""
    _serve(Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
