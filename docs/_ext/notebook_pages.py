"""A Sphinx extension that executes the tutorials and writes their pages.

The files `tutorials/NAME.py` are the sources. Each runs in a process of its own while Sphinx and
the API pages are at work. Its page `NAME.md` and the notebook `NAME.ipynb`, which the page offers,
lie beside it, and git ignores both. A tutorial that fails fails the build. One is executed again
only if it, or the package, has changed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import notebook

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_running: dict[Path, Future[dict[str, Any]]] = {}


def fingerprint(root: Path) -> str:
    """What the results of all programs of the site depend on, beside their own text."""
    files = [*sorted((root / "src").rglob("*.py")), Path(notebook.__file__)]
    state = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return repr(state)


def _execute(source: Path, root: Path, key: str) -> dict[str, Any]:
    """The notebook of a file, from the last build where nothing has changed."""
    target = source.with_suffix(".ipynb")
    if target.exists():
        last = json.loads(target.read_text(encoding="utf-8"))
        if last["metadata"].get("agar") == key:
            return last
    env = dict(os.environ, PYTHONPATH=str(root / "src"), OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.ipynb"
        done = subprocess.run(
            [sys.executable, notebook.__file__, str(source), str(made)],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise notebook.NotebookError(f"{source.name} failed:\n{done.stdout[-4000:]}")
        result = json.loads(made.read_text(encoding="utf-8"))
    result["metadata"]["agar"] = key
    write(target, json.dumps(result, indent=1) + "\n")
    return result


def write(path: Path, text: str) -> None:
    """Write a file, unless it has this text already."""
    # an unchanged page keeps its date, so that Sphinx need not read it again
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


@functools.cache
def pool() -> ThreadPoolExecutor:
    """What runs programs while Sphinx is at work, one process a core."""
    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1)


def start(app: Sphinx, config: Any) -> None:
    """Begin to execute the tutorials, one process a core."""
    folder = Path(app.srcdir) / "tutorials"
    root = Path(app.srcdir).parent
    shared = fingerprint(root)
    for source in sorted(folder.glob("*.py")):
        text = source.read_text(encoding="utf-8")
        key = hashlib.sha256((shared + text).encode()).hexdigest()
        _running[source] = pool().submit(_execute, source, root, key)


def finish(app: Sphinx) -> None:
    """Wait for the results, and write the pages.

    Raises:
        NotebookError: a tutorial failed.
    """
    for source, future in _running.items():
        page = notebook.to_markdown(future.result(), source.with_suffix(".ipynb").name)
        write(source.with_suffix(".md"), page)
    for page in (Path(app.srcdir) / "tutorials").glob("*.md"):
        if page.name != "index.md" and page.with_suffix(".py") not in _running:
            page.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("config-inited", start)
    # after the API pages, which are written meanwhile
    app.connect("builder-inited", finish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
