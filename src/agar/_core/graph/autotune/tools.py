"""What prepares plans, loaded beside the calls, and the word for people where it is missing."""

from __future__ import annotations

import importlib
import time
import warnings

from agar._core.gc_pause import collector_at_rest
from agar._core.graph import background
from agar._core.graph.diagnostics import GraphWarning

__all__ = ["Tools", "warn_once"]


class Tools:
    """The modules that prepare plans, imported beside the calls and with pauses."""

    _NAMES = (
        "backends.lowering",
        "backends.inductor",
        "passes.fold",
        "passes.onednn",
        "passes.layout",
        "backends.engine_model",
    )
    _PAUSE = 0.1  # seconds: who waits for the interpreter notices nothing
    _here = False
    _asked = False

    @classmethod
    def are_here(cls) -> bool:
        """Whether all are imported; the first to ask has them imported in the background."""
        if not cls._here and not cls._asked:
            cls._asked = True
            background.start(cls._load, "agar plans")
        return cls._here

    @classmethod
    def load(cls) -> None:
        """Import them now, without pauses: 16 ms."""
        cls._asked = True
        cls._load(0.0)

    @classmethod
    def _load(cls, pause: float = _PAUSE) -> None:
        try:
            for name in cls._NAMES:
                with collector_at_rest():
                    importlib.import_module(f"agar._core.graph.{name}")
                time.sleep(pause)
        finally:
            cls._here = True  # where one cannot be imported, its plans say so


_said: set[str] = set()


def warn_once(reason: str) -> None:
    """Say once why nothing is compiled, unless the program has wished so."""
    if reason not in _said and "AGAR_COMPILE" not in reason:
        _said.add(reason)
        warnings.warn(f"Graphs are not compiled beyond O0: {reason}.", GraphWarning, stacklevel=2)
