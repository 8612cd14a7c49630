"""Functions of Python and torch that are replaced while anybody records."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable
from typing import Any

import torch

from agar._core.graph.record.draws import replacements
from agar._core.runtime import thread

__all__ = ["is_own_print", "patches", "text_of", "write_text"]

_C: Any = torch._C
#: How many elements ``tolist`` may have to be read one by one, each a cut.
_LIST_LIMIT = 64


def text_of(form: Callable[[torch.Tensor], str], t: torch.Tensor) -> str:
    """The text of a tensor, in a form that knows no gradient."""
    return form(t.detach())


def write_text(parts: tuple[Any, ...], end: str, file: Any, flush: bool) -> None:
    """Print parts: texts, and (form, tensor) pairs."""
    if thread.silent:
        return
    whole = "".join(p if isinstance(p, str) else p[0](p[1].detach()) for p in parts)
    _plain_print(whole, end=end, file=file, flush=flush)


_plain_print = builtins.print


def _print(
    *values: Any,
    sep: str | None = " ",
    end: str | None = "\n",
    file: Any = None,
    flush: bool = False,
) -> None:
    recorder = thread.recorder
    if recorder is None:
        patches.print(*values, sep=sep, end=end, file=file, flush=flush)
        return
    text = (" " if sep is None else sep).join([str(v) for v in values])
    recorder.printed(write_text, text, "\n" if end is None else end, file, flush)


def is_own_print(function: Any) -> bool:
    """Whether a function is Python's `print`, or what stands in its place while anybody records."""
    return function is _plain_print or function is _print


def _numpy(self: torch.Tensor, **kwargs: Any) -> Any:
    recorder = thread.recorder
    if recorder is not None and recorder.aborted is None and not recorder.is_constant(self):
        recorder.abort(
            "a tensor becomes a numpy array; agar.numpy_function keeps numpy in the graph"
        )
    return _C.TensorBase.numpy(self, **kwargs)


def _tolist(self: torch.Tensor) -> Any:
    recorder = thread.recorder
    plain = _C.TensorBase.tolist
    if recorder is None or recorder.aborted is not None or recorder.is_constant(self):
        return plain(self)
    if self.numel() > _LIST_LIMIT:
        recorder.abort(f"{self.numel()} elements of a tensor become a list")
        return plain(self)
    if self.dim() == 0:
        return self.item()
    return [_tolist(row) for row in self.unbind(0)]


def _start(self: threading.Thread) -> None:
    recorder = thread.recorder
    if recorder is not None and recorder.aborted is None:
        recorder.abort("a thread is started")
    patches.start(self)


class _Patches:
    """Replaced functions of Python and torch, in place while anybody records."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self.print: Callable[..., None] = builtins.print
        self.start: Callable[..., None] = threading.Thread.start

    def acquire(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self.print, builtins.print = builtins.print, _print
                self.start, threading.Thread.start = threading.Thread.start, _start
                torch.Tensor.numpy = _numpy
                torch.Tensor.tolist = _tolist
                for module, name, original, replacement in replacements():
                    if getattr(module, name) is original or getattr(module, name) == original:
                        setattr(module, name, replacement)

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                if builtins.print is _print:
                    builtins.print = self.print
                threading.Thread.start = self.start
                del torch.Tensor.numpy
                del torch.Tensor.tolist
                for module, name, original, replacement in replacements():
                    if getattr(module, name) is replacement:
                        setattr(module, name, original)


patches = _Patches()
