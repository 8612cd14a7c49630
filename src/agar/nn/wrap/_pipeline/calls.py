"""Calls of marked cells, which a run of a network meets one by one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

# stages exchange the engine's tensors
import torch

from agar._core.autodiff import map_tensors, tensors_in
from agar._core.errors import describe
from agar._core.tensor import Structure, Tensor
from agar.nn.cell import Cell

__all__ = ["Leaf", "Meeting", "Metadata", "intercepting", "rebuilt", "skeleton_of"]


class Meeting(Protocol):
    """A run of a network; it decides what becomes of each call of a marked cell."""

    def meet(
        self, cell: Cell, call: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """What the call of a cell gives; `call` runs the cell."""


class Leaf(NamedTuple):
    """The place of a tensor in what a cell returned."""

    number: int


class Metadata(NamedTuple):
    """What is known of a tensor of another stage."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    device: str

    @classmethod
    def of(cls, value: torch.Tensor) -> Metadata:
        """That of a tensor."""
        return cls(tuple(value.shape), value.dtype, value.device.type)

    @property
    def differentiable(self) -> bool:
        """Whether a gradient may come back for it."""
        return self.dtype.is_floating_point or self.dtype.is_complex

    def empty(self) -> torch.Tensor:
        """A tensor like it, whose values are undefined."""
        return torch.empty(self.shape, dtype=self.dtype, device=self.device)


def skeleton_of(path: str, value: Any) -> tuple[Any, list[Tensor]]:
    """What a cell returned with a `Leaf` in the place of each tensor, and the tensors.

    Raises:
        TypeError: it holds sparse tensors.
    """
    tensors = tensors_in(value)
    if _holds_structure(value) or any(t._value.layout != torch.strided for t in tensors):
        raise TypeError(
            f"The cell '{path}' at the end of a pipeline stage returned {describe(value)}. Between "
            "stages go dense Tensors, numbers, and tuples, lists and dicts of them."
        )
    numbers = iter(range(len(tensors)))
    return map_tensors(value, lambda _: Leaf(next(numbers))), tensors


def _holds_structure(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds_structure, value))
    if isinstance(value, dict):
        return any(map(_holds_structure, value.values()))
    return isinstance(value, Structure)


def rebuilt(skeleton: Any, tensors: Sequence[Tensor]) -> Any:
    """What a cell returned, with other tensors."""
    if isinstance(skeleton, Leaf):
        return tensors[skeleton.number]
    if isinstance(skeleton, tuple):
        items = [rebuilt(v, tensors) for v in skeleton]
        return type(skeleton)(*items) if hasattr(skeleton, "_fields") else tuple(items)
    if isinstance(skeleton, list):
        return [rebuilt(v, tensors) for v in skeleton]
    if isinstance(skeleton, dict):
        return {k: rebuilt(v, tensors) for k, v in skeleton.items()}
    return skeleton


class _Current(threading.local):
    run: Meeting | None = None


_current = _Current()
_watched: dict[type, type] = {}


def _watched_class(kind: type) -> type:
    """A class of cells whose calls come to the run of this thread first."""
    known = _watched.get(kind)
    if known is None:

        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            def call() -> Any:
                return kind.__call__(self, *args, **kwargs)

            run = _current.run
            return call() if run is None else run.meet(self, call, args, kwargs)

        names = {key: getattr(kind, key) for key in ("__module__", "__qualname__", "__doc__")}
        known = _watched[kind] = type(kind.__name__, (kind,), {"__call__": __call__, **names})
    return known


@contextlib.contextmanager
def intercepting(cells: Iterable[Cell], run: Meeting) -> Iterator[None]:
    """Let a run meet the calls of cells in this thread.

    The class of each cell is replaced for the time, because hooks, precision and recomputation
    stand around `construct`, and a call that is left out must leave them out too.
    """
    changed: list[tuple[Cell, type]] = []
    before = _current.run
    try:
        for cell in cells:
            kind = type(cell)
            if kind not in _watched.values():
                object.__setattr__(cell, "__class__", _watched_class(kind))
                changed.append((cell, kind))
        _current.run = run
        yield
    finally:
        _current.run = before
        for cell, kind in changed:
            object.__setattr__(cell, "__class__", kind)


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """Let calls in this thread pass, inside of one that a run has met."""
    before, _current.run = _current.run, None
    try:
        yield
    finally:
        _current.run = before
