"""Functions of Python and torch that are replaced while anybody records."""

from __future__ import annotations

import builtins
import functools
import threading
import types
from collections.abc import Callable, Mapping
from typing import Any

import torch

from agar._core.graph.record.draws import replacements
from agar._core.runtime import thread

__all__ = ["is_replaced", "is_replacement", "patches", "settled", "text_of", "write_text"]

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
_NAMES = frozenset({"sep", "end", "file", "flush"})


def _print(*values: Any, **named: Any) -> None:
    recorder = thread.recorder
    if recorder is None or recorder.aborted is not None:
        _plain_print(*values, **named)
        return
    sep, end = named.get("sep"), named.get("end")
    if not (
        _NAMES.issuperset(named)
        and (sep is None or isinstance(sep, str))
        and (end is None or isinstance(end, str))
    ):
        recorder.abort("print is called with arguments that it does not take")
        _plain_print(*values, **named)
        return
    sep = " " if sep is None else sep
    end = "\n" if end is None else end
    file, flush = named.get("file"), named.get("flush", False)
    # a text is made when those before it are written: it may fail, or print itself
    for value in values[:-1]:
        recorder.printed(write_text, str(value), sep, file, False)
    recorder.printed(write_text, str(values[-1]) if values else "", end, file, flush)


def _method(name: str) -> Callable[..., Any]:
    """A method of torch's tensors, or what a program has put in its place."""
    return patches.methods.get(name) or getattr(_C.TensorBase, name)


def _numpy(self: torch.Tensor, **kwargs: Any) -> Any:
    recorder = thread.recorder
    if recorder is not None and recorder.aborted is None and not recorder.is_constant(self):
        recorder.abort(
            "a tensor becomes a numpy array; agar.numpy_function keeps numpy in the graph"
        )
    return _method("numpy")(self, **kwargs)


def _dlpack(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    recorder = thread.recorder
    if recorder is not None and recorder.aborted is None and not recorder.is_constant(self):
        recorder.abort("a tensor becomes a numpy array or another library's, which is not recorded")
    return _method("__dlpack__")(self, *args, **kwargs)


def _tolist(self: torch.Tensor) -> Any:
    recorder = thread.recorder
    plain = _method("tolist")
    if recorder is None or recorder.aborted is not None or recorder.is_constant(self):
        return plain(self)
    if self.numel() > _LIST_LIMIT or plain is not _C.TensorBase.tolist:
        recorder.abort(f"{self.numel()} elements of a tensor become a list")
        return plain(self)
    if self.dim() == 0:
        return self.item()
    return [_tolist(row) for row in self.unbind(0)]


def _start(self: threading.Thread) -> None:
    recorder = thread.recorder
    if recorder is not None and recorder.aborted is None:
        recorder.abort("a thread is started")
    _plain_start(self)


_plain_start = threading.Thread.start


@functools.lru_cache(maxsize=1)
def _originals() -> dict[int, tuple[Any, Any]]:
    """What stands for what while anybody records, by the id of both."""
    results: list[tuple[Any, Any]] = [
        (_print, _plain_print),
        (_start, _plain_start),
    ]
    results += [(replacement, original) for _, _, original, replacement in replacements()]
    return {id(v): (v, pair[1]) for pair in results for v in pair}


def is_replaced(value: Any) -> bool:
    """Whether recordings, of other threads too, replace a function, or have put it there."""
    return id(value) in _originals()


def is_replacement(value: Any) -> bool:
    """Whether a method of tensors is there only while anybody records."""
    return any(value is method for method in _METHODS.values())


def settled(home: Mapping[str, Any], name: str) -> int:
    """What stands under a name while nobody records, by its id."""
    value = home.get(name)
    return id(_originals().get(id(value), (value, value))[1])


_METHODS = {"__dlpack__": _dlpack, "numpy": _numpy, "tolist": _tolist}


class _Patches:
    """Replaced functions of Python and torch, in place while anybody records."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        #: What a program has put in the place of methods of torch's tensors.
        self.methods: dict[str, Any] = {}

    def acquire(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                # what a program has put in their place is its own
                if builtins.print is _plain_print and isinstance(print, types.BuiltinFunctionType):
                    builtins.print = _print
                if threading.Thread.start is _plain_start:
                    threading.Thread.start = _start
                for name, method in _METHODS.items():
                    self.methods[name] = vars(torch.Tensor).get(name)
                    setattr(torch.Tensor, name, method)
                for module, name, original, replacement in replacements():
                    if getattr(module, name) is original or getattr(module, name) == original:
                        setattr(module, name, replacement)

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                if builtins.print is _print:
                    builtins.print = _plain_print
                if threading.Thread.start is _start:
                    threading.Thread.start = _plain_start
                for name, method in _METHODS.items():
                    if vars(torch.Tensor).get(name) is not method:
                        continue  # the call has put another one there
                    if self.methods[name] is None:
                        delattr(torch.Tensor, name)
                    else:
                        setattr(torch.Tensor, name, self.methods[name])
                self.methods.clear()
                for module, name, original, replacement in replacements():
                    if getattr(module, name) is replacement:
                        setattr(module, name, original)


patches = _Patches()
