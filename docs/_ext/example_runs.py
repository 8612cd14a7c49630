"""A Sphinx extension that runs the examples of the gallery, and draws the losses that they print.

The page of the gallery includes `runs/NAME.txt`, what `examples/NAME.py` printed, and shows
`runs/NAME.svg`, if it printed losses; git ignores both. An example that fails fails the build. One
is run again only if it, or the package, has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import notebook_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_INCLUDED = re.compile(r"\} runs/(\w+)\.txt$", re.MULTILINE)
#: A line such as ``epoch: 2 step: 25, loss is 0.03`` or ``epoch 10: loss 0.36``.
_LOSS = re.compile(
    r"\b(?:epoch|step):? (?P<at>\d+)\b.*?\bloss(?: is)?:? (?P<loss>\d+\.\d+)", re.MULTILINE
)
_running: list[Future[None]] = []


class ExampleError(Exception):
    """An example failed."""


def losses_in(text: str) -> tuple[list[int], list[float]]:
    """The epochs or steps in a text, and their losses."""
    found = [(int(m["at"]), float(m["loss"])) for m in _LOSS.finditer(text)]
    return [at for at, _ in found], [loss for _, loss in found]


def _run(source: Path, target: Path, root: Path, key: str) -> None:
    """Note what an example prints, unless the last build has and nothing has changed."""
    stamp = target.with_suffix(".key")
    if target.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    env = dict(os.environ, PYTHONPATH=str(root / "src"), OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "agar", "run", str(source)],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise ExampleError(f"{source.name} failed:\n{(done.stdout + done.stderr)[-4000:]}")
    target.parent.mkdir(exist_ok=True)
    notebook_pages.write(target, done.stdout)
    _draw(done.stdout, target.with_suffix(".svg"))
    notebook_pages.write(stamp, key)


def _draw(text: str, target: Path) -> None:
    """The losses in a text over epochs or steps, in colors that both themes of the site show."""
    from matplotlib.figure import Figure  # takes half a second, for runs that are not known yet

    at, losses = losses_in(text)
    if not losses:
        return
    gray = "#888888"
    figure = Figure(figsize=(6, 2.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(at, losses, marker="o", color="#2f8f6b")
    axes.set_ylim(bottom=0)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("epoch" if "epoch" in text else "step", color=gray)
    axes.set_ylabel("loss", color=gray)
    axes.tick_params(which="both", colors=gray)
    axes.grid(color=gray, alpha=0.3)
    for side in axes.spines.values():
        side.set_color(gray)
    figure.savefig(target, transparent=True, metadata={"Date": None})


def start(app: Sphinx, config: Any) -> None:
    """Begin to run the examples of the gallery, behind the tutorials."""
    docs = Path(app.srcdir)
    root = docs.parent
    shared = notebook_pages.fingerprint(root)
    gallery = (docs / "gallery.md").read_text(encoding="utf-8")
    for name in _INCLUDED.findall(gallery):
        source = root / "examples" / f"{name}.py"
        files = [source, root / "examples" / "example_data.py", Path(__file__)]
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        key = hashlib.sha256((shared + text).encode()).hexdigest()
        target = docs / "runs" / f"{name}.txt"
        _running.append(notebook_pages.pool().submit(_run, source, target, root, key))


def finish(app: Sphinx) -> None:
    """Wait for the results.

    Raises:
        ExampleError: an example failed.
    """
    for future in _running:
        future.result()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("config-inited", start)
    app.connect("builder-inited", finish, priority=901)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
