"""What cells and primitives receive, give, and get as gradients, written to files at every run."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

# files are written below the tensors of programs
import torch

from agar._core.dtype import FROM_TORCH
from agar._core.optable import Primitive
from agar._core.runtime import host_node
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops.python.control import InsertGradientOf

__all__ = ["set_dump"]

_VARIABLE = "MINDSPORE_DUMP_CONFIG"
_HEAD = (
    "Op Type", "Op Name", "Call", "IO", "Slot", "Data Size", "Data Type", "Shape", "Max Value",
    "Min Value", "Avg Value", "L2Norm Value",
)  # fmt: skip


@dataclass(frozen=True)
class _Config:
    """What the file of MINDSPORE_DUMP_CONFIG asks for."""

    folder: Path
    iterations: tuple[range, ...] | None
    data: str
    inputs: bool
    outputs: bool

    def wants(self, iteration: int) -> bool:
        return self.iterations is None or any(iteration in r for r in self.iterations)


def _read_config(file: str) -> _Config:
    try:
        read = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(
            f"For 'set_dump', {_VARIABLE} names {file!r}, which cannot be read as JSON: {error}"
        ) from error
    common = read.get("common_dump_settings") if isinstance(read, dict) else None
    if not isinstance(common, dict):
        raise ValueError(f"For 'set_dump', {file} lacks the object 'common_dump_settings'.")

    def given(key: str, default: Any, choices: tuple[Any, ...]) -> Any:
        value = common.get(key, default)
        if value not in choices:
            listed = ", ".join(map(repr, choices))
            raise ValueError(
                f"For 'set_dump', '{key}' in {file} must be one of {listed}, but got {value!r}."
            )
        return value

    for key in ("path", "net_name"):
        if not isinstance(common.get(key), str) or not common[key]:
            raise ValueError(
                f"For 'set_dump', '{key}' in {file} must be a text that is not empty, but got "
                f"{common.get(key)!r}."
            )
    given("dump_mode", 0, (2,))
    which = given("input_output", 0, (0, 1, 2))
    return _Config(
        Path(common["path"]) / "rank_0" / common["net_name"],
        _iterations(common.get("iteration", "all"), file),
        given("saved_data", "tensor", ("tensor", "statistic", "full")),
        which in (0, 1),
        which in (0, 2),
    )


def _iterations(text: Any, file: str) -> tuple[range, ...] | None:
    """``"all"``, ``"0|5-8"``."""
    if text == "all":
        return None
    if not isinstance(text, str) or not re.fullmatch(r"\d+(-\d+)?(\|\d+(-\d+)?)*", text):
        raise ValueError(
            f"For 'set_dump', 'iteration' in {file} must be 'all', or numbers and ranges such as "
            f"'0|5-8', but got {text!r}."
        )
    parts = [part.split("-") for part in text.split("|")]
    return tuple(range(int(part[0]), int(part[-1]) + 1) for part in parts)


@dataclass
class _Writer:
    """The files of one target.

    Attributes:
        config: what is written, and where.
        iteration: how often the target ran, less one.
        calls: in this run, how often each value was written.
        open: graphs that were compiled before the end of it still come here.
    """

    config: _Config
    iteration: int = -1
    calls: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    open: bool = True

    def begin(self) -> None:
        self.iteration += 1
        self.calls.clear()

    def write(self, value: torch.Tensor, kind: str, name: str, io: str, slot: str) -> None:
        if not self.open or not self.config.wants(self.iteration):
            return
        call = self.calls[name, io, slot]
        self.calls[name, io, slot] += 1
        folder = self.config.folder / str(self.iteration)
        folder.mkdir(parents=True, exist_ok=True)
        # numpy has no bfloat16
        plain = value.detach().float() if value.dtype is torch.bfloat16 else value.detach()
        array = plain.cpu().numpy()
        if self.config.data != "statistic":
            np.save(folder / f"{kind}.{name}.{call}.{io}.{slot}.npy", array)
        if self.config.data != "tensor":
            dtype = str(FROM_TORCH[value.dtype]).lower()
            row = (kind, name, call, io, slot, value.nbytes, dtype, tuple(value.shape))
            file = folder / "statistic.csv"
            fresh = not file.exists()
            with file.open("a", newline="", encoding="utf-8") as out:
                lines = csv.writer(out)
                if fresh:
                    lines.writerow(_HEAD)
                lines.writerow((*row, *_statistics(array)))


def _statistics(array: np.ndarray) -> tuple[Any, ...]:
    if not array.size or array.dtype.kind not in "fiu":
        return ("", "", "", "")
    wide = array.astype(np.float64)
    return (array.max(), array.min(), wide.mean(), float(np.sqrt((wide * wide).sum())))


_writers: dict[int, _Writer] = {}
_numbers = itertools.count()
_undo: weakref.WeakKeyDictionary[Any, Callable[[], None]] = weakref.WeakKeyDictionary()


def _begin_now(value: torch.Tensor, number: int) -> None:
    _writers[number].begin()


def _write_now(value: torch.Tensor, number: int, kind: str, name: str, io: str, slot: str) -> None:
    _writers[number].write(value, kind, name, io, slot)


# compiled calls come here at every run, too
_begin = host_node(_begin_now, "nothing")
_write = host_node(_write_now, "nothing")


@dataclass(frozen=True)
class _Tap:
    """What one cell or primitive below a target writes."""

    number: int
    kind: str
    name: str
    outermost: bool

    def before(self, values: Any) -> None:
        items = list(_slots(values))
        if self.outermost:
            _begin(items[0][1] if items else torch.zeros(()), self.number)
        if _writers[self.number].config.inputs:
            for slot, value in items:
                _write(value, self.number, self.kind, self.name, "input", slot)

    def after(self, values: Any, io: str = "output") -> None:
        if _writers[self.number].config.outputs:
            for slot, value in _slots(values):
                _write(value, self.number, self.kind, self.name, io, slot)


def _slots(values: Any, place: str = "") -> Iterator[tuple[str, torch.Tensor]]:
    """Tensors with their places: ``0``, ``1.mask``."""
    if isinstance(values, Tensor):
        yield place or "0", values._value
        return
    items = values.items() if isinstance(values, dict) else ()
    if isinstance(values, (tuple, list)):
        items = enumerate(values)
    for key, value in items:
        yield from _slots(value, f"{place}.{key}" if place else str(key))


def _hook_cells(target: Cell, number: int) -> Callable[[], None]:
    handles = []
    for path, cell in target.cells_and_names():
        tap = _Tap(number, type(cell).__name__, path or "target", cell is target)

        def before(cell: Cell, args: Any, kwargs: Any, tap: _Tap = tap) -> None:
            tap.before((*args, *kwargs.values()))

        def after(cell: Cell, args: Any, out: Any, tap: _Tap = tap) -> None:
            tap.after(out)

        def gradients(cell: Cell, grads: Any, tap: _Tap = tap) -> None:
            tap.after(grads, "gradient")

        handles += [
            cell.register_forward_pre_hook(before, with_kwargs=True),
            cell.register_forward_hook(after),
            cell.register_backward_pre_hook(gradients),
        ]

    def undo() -> None:
        for handle in handles:
            handle.remove()

    return undo


def _hook_primitive(target: Primitive, number: int) -> Callable[[], None]:
    own = type(target)
    tap = _Tap(number, own.__name__, target.name, True)

    def seen(gradient: Tensor) -> Tensor:
        tap.after(gradient, "gradient")
        return gradient

    def __call__(self: Primitive, *args: Any, **kwargs: Any) -> Any:
        tap.before((*args, *kwargs.values()))
        out = own.__call__(self, *args, **kwargs)
        tap.after(out)
        return InsertGradientOf(seen)(out) if isinstance(out, Tensor) else out

    # calls look up __call__ in the class
    target.__class__ = type(own.__name__, (own,), {"__call__": __call__, "__doc__": own.__doc__})

    def undo() -> None:
        target.__class__ = own

    return undo


def set_dump(target: Any, enabled: bool = True) -> None:
    """Write what a Cell, with all cells inside, or a Primitive computes to files, at every run.

    The environment variable ``MINDSPORE_DUMP_CONFIG`` names a JSON file, as in MindSpore, with the
    object ``common_dump_settings``: ``dump_mode`` (2), ``path``, ``net_name``, ``iteration``
    (``"all"``, or ``"0|5-8"``; the runs of the target are counted from 0), ``saved_data``
    (``"tensor"``, ``"statistic"``, ``"full"``) and ``input_output`` (0 both, 1 inputs, 2 outputs).
    Tensors go to ``path/rank_0/net_name/iteration/Type.name.call.io.slot.npy``, where ``io`` is
    ``input``, ``output`` or ``gradient`` (of the output), and statistics to ``statistic.csv``
    beside them; bfloat16 is written as float32. It works in both modes and on every device.

    Args:
        target (Union[Cell, Primitive]): what is looked at.
        enabled (bool): whether it is. Default: ``True``.

    Raises:
        ValueError: `target` is neither a Cell nor a Primitive, `enabled` is not a bool, or the file
            cannot be used.

    Difference from PyTorch: register a forward hook that saves its arguments.

    Source: MindSpore 2.10's documentation; there it is for Ascend, and names files by kernels.

    Examples:
        >>> import json, os, tempfile
        >>> from pathlib import Path
        >>> import agar as ms
        >>> folder = Path(tempfile.mkdtemp())
        >>> settings = {"dump_mode": 2, "path": str(folder), "net_name": "net"}
        >>> file = folder / "dump.json"
        >>> _ = file.write_text(json.dumps({"common_dump_settings": settings}))
        >>> os.environ["MINDSPORE_DUMP_CONFIG"] = str(file)
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.ReLU())
        >>> ms.set_dump(net)
        >>> _ = net(ms.ops.ones((1, 2)))
        >>> sorted(f.name for f in folder.glob("rank_0/net/0/*.npy"))[:2]
        ['Dense.0.0.input.0.npy', 'Dense.0.0.output.0.npy']
        >>> ms.set_dump(net, False)
        >>> del os.environ["MINDSPORE_DUMP_CONFIG"]
    """
    if not isinstance(target, (Cell, Primitive)):
        raise ValueError(
            'The "target" parameter must be an instance of Cell or Primitive, but got an instance '
            f"of {type(target)}."
        )
    if not isinstance(enabled, bool):
        raise ValueError('The "enabled" parameter must be bool.')
    if not enabled:
        before = _undo.pop(target, None)
        if before is not None:
            before()
        return
    file = os.environ.get(_VARIABLE)
    if not file:
        warnings.warn(
            f"set_dump writes nothing: the environment variable {_VARIABLE} names no file. Let it "
            'name a JSON file such as {"common_dump_settings": {"dump_mode": 2, "path": "dump", '
            '"net_name": "net"}} before this call.',
            stacklevel=2,
        )
        return
    config = _read_config(file)
    if target in _undo:
        return
    number = next(_numbers)
    _writers[number] = _Writer(config)
    if isinstance(target, Cell):
        remove = _hook_cells(target, number)
    else:
        remove = _hook_primitive(target, number)

    def undo() -> None:
        _writers[number].open = False
        remove()

    _undo[target] = undo
