"""Trainings that go on where they were stopped: everything that a step depends on, in one file.

NOTE What is kept. Parameters (the optimizer's too, with its step count and learning rate), buffers,
all random streams (agar's, numpy's, Python's, torch's), the loss scale, the state of callbacks, the
state of the dataset if it has one, the outputs of the last step, and the place: epoch and step.
Within an epoch the dataset is asked for its rows again under the random state that the epoch began
with, and the rows that were used are left out.

The file is written under another name, brought to the disk, and renamed. So whenever a process is
killed, the file is the one before or the one after, never half of one.

NOTE Several processes. Each keeps its own state: a stage of a pipeline has other parameters than
the next, and random streams differ. When one is killed, some have kept the last step, others have
not, so each keeps the state before as well, and all go on from the newest step that all have.
"""

from __future__ import annotations

import copy
import json
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

# Random state and values of any type are kept as torch tensors.
import torch

from agar import log
from agar._core import random as streams
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.errors import describe
from agar._core.file_reading import reading
from agar._core.files import remove, rename
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer
from agar.train._load_parameters import Filling, buffers_of
from agar.train._utils import _make_directory
from agar.train.callback._callback import Callback, RunContext
from agar.train.serialization import load_checkpoint, save_checkpoint

__all__ = ["Resume", "load_training_state", "save_training_state"]

_VERSION = 1
_TEXT = "agar_training_state"
#: what begins the names of values that are not parameters
_VALUE = "agar_value_"


def save_training_state(
    file: str | os.PathLike[str],
    network: Cell,
    position: Mapping[str, Any] | None = None,
    **objects: Any,
) -> None:
    """Keep all that the next steps of a training depend on.

    Args:
        file (Union[str, PathLike]): the file; an older one is replaced at once, or not at all.
        network (Cell): a train network, whose optimizer is one of its cells; or any cell.
        position (Mapping): where the training stands: names to numbers, texts, arrays, Tensors, and
            lists, tuples and dictionaries of them. Default: ``None``.
        **objects (Any): what else has state, by names of its own: anything with ``state_dict`` and
            ``load_state_dict`` (a scheduler, a callback, a dataset), a Cell, or a loss scale
            manager.

    Raises:
        TypeError: a value is of a type that cannot be kept.

    Difference from PyTorch: ``torch.save`` of many state dicts; random streams are in it by
    themselves.

    Source: agar's own.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> file = os.path.join(tempfile.mkdtemp(), "state.ckpt")
        >>> net = ms.nn.Dense(2, 1)
        >>> ms.train.save_training_state(file, net, {"step": 7})
        >>> ms.train.load_training_state(file, net)
        {'step': 7}
    """
    packer = _Packer()
    tensors = dict(_tensors_of(network))
    state = {
        "version": _VERSION,
        "names": list(tensors),
        "random": streams.get_all_state(),
        "torch": packer.pack(torch.get_rng_state().numpy()),
        "position": packer.pack(dict(position or {})),
        "objects": {name: packer.pack(_state_of(name, value)) for name, value in objects.items()},
    }
    entries = [{"name": f"{i}", "data": value} for i, value in enumerate(tensors.values())]
    entries += [{"name": f"{_VALUE}{i}", "data": value} for i, value in enumerate(packer.tensors)]
    save_checkpoint(
        entries, os.fspath(file), append_dict={_TEXT: json.dumps(state)}, crc_check=True
    )


def load_training_state(
    file: str | os.PathLike[str], network: Cell, **objects: Any
) -> dict[str, Any] | None:
    """Put a training back to where :func:`save_training_state` kept it.

    Args:
        file (Union[str, PathLike]): the file.
        network (Cell): built as the one that was saved.
        **objects (Any): the objects that were saved, by the same names.

    Returns:
        dict, the position; None if there is no file.

    Raises:
        ValueError: the file is damaged, or does not fit: it says all that differs. Nothing was
            changed then, nor if `load_state_dict` of an object raises, whose error passes.

    Difference from PyTorch: see :func:`save_training_state`.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> ms.train.load_training_state("no such file.ckpt", ms.nn.Dense(2, 1)) is None
        True
    """
    if not os.path.exists(file):
        return None
    return _Saved(os.fspath(file)).restore(network, objects)


class Resume(Callback):
    """Lets a training that was stopped, or killed, go on as if nothing had happened.

    Give it to ``Model.train`` or ``Model.fit`` and start the program again: the training continues
    after the last step that was kept, with the same numbers. A training that has ended is not made
    again: its parameters are loaded.

    Args:
        directory (str): the folder of ``resume.ckpt``, created if missing. With several processes
            it has a folder for each, ``rank_0`` and so on, also with the state before the last.
        every_steps (int): after how many steps the state is kept; 0 for ends of epochs only.
            Default: ``0``.
        every_seconds (float): keep it only if so many seconds have passed as well. Default: ``0``.
        delete_at_end (bool): whether the file is removed when the training has ended.
            Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is negative, or the file does not fit the network; or, of several
            processes, some have states and there is none of one step in all of them.

    Note:
        Compiled plans that round differently compete in GRAPH_MODE. For results that are equal bit
        by bit, set ``jit_level="O0"``, or use PYNATIVE_MODE.

    Difference from PyTorch: no counterpart.

    Source: agar's own; MindSpore's BackupAndRestore keeps parameters at ends of epochs.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> folder = tempfile.mkdtemp()
        >>> def train(epochs):
        ...     ms.set_seed(1)
        ...     net = ms.nn.Dense(2, 1)
        ...     model = ms.Model(net, ms.nn.MSELoss(), ms.nn.Adam(net.trainable_params(), 0.1))
        ...     data = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
        ...     model.train(
        ...         epochs, data, callbacks=[ms.train.Resume(folder), ms.train.LossMonitor()]
        ...     )
        >>> train(1)
        epoch: 1 step: 1, loss is ...
        >>> train(2)
        epoch: 2 step: 1, loss is ...
    """

    _state_names = ()  # it keeps the state of others

    def __init__(
        self,
        directory: str,
        every_steps: int = 0,
        every_seconds: float = 0,
        delete_at_end: bool = False,
    ) -> None:
        super().__init__()
        folder = _make_directory(directory)
        several = groups.expected_size > 1
        if several:
            folder = _make_directory(os.path.join(folder, f"rank_{groups.world_rank}"))
        self.file = os.path.join(folder, "resume.ckpt")
        self._before = os.path.join(folder, "resume_before.ckpt") if several else None
        self._every_steps = integer("Resume", "every_steps", every_steps, 0)
        if isinstance(every_seconds, bool) or not isinstance(every_seconds, (int, float)):
            raise TypeError(
                f"For 'Resume', 'every_seconds' must be a number, got {describe(every_seconds)}."
            )
        if every_seconds < 0:
            raise ValueError(
                f"For 'Resume', 'every_seconds' must not be negative: {every_seconds}."
            )
        self._every_seconds = every_seconds
        self._delete = boolean("Resume", "delete_at_end", delete_at_end)
        self._last = time.monotonic()
        self._saved: _Saved | None = None
        self._start: dict[str, Any] = {}
        self._objects: dict[str, Any] = {}
        self._dataset: Any = None

    # Model calls these at its own places, not in the order of the callbacks: what is kept must hold
    # what the other callbacks did.

    def open(self, params: Any, manager: Any, scale: Any) -> tuple[int, int, bool]:
        """Look for a state.

        Args:
            params (dict): the values of the run, as callbacks see them.
            manager (Any): runs the callbacks, whose states are kept as well.
            scale (Union[LossScaleManager, LossScaler]): the loss scale, None without one.

        Returns:
            tuple, the epoch to go on with, the steps of it that were made, and whether the training
            has ended.
        """
        self._objects = {}
        for callback in manager.callbacks:
            kind = type(callback).__name__
            if callback is not self and callback._state_names != ():
                number = sum(name.startswith(f"callback {kind} ") for name in self._objects)
                self._objects[f"callback {kind} {number}"] = callback
        if scale is not None:
            self._objects["loss scale"] = scale
        dataset = params.train_dataset
        self._dataset = dataset if hasattr(dataset, "load_state_dict") else None
        self._last = time.monotonic()
        self._saved = self._newest()
        if self._saved is None:
            return 0, 0, False
        self._saved.check(params.train_network, self._objects)
        place = self._saved.place()
        return place["epoch"], place["step"], place["ended"]

    def _newest(self) -> _Saved | None:
        """The last state; of several processes the last that all of them have."""
        files = [f for f in (self.file, self._before) if f is not None and os.path.exists(f)]
        states = [_Saved(file) for file in files]
        if self._before is None:
            return states[0] if states else None
        own = {state.number(): state for state in states}
        numbers = [*own, -1, -1][:2]
        table = [groups.numbers(n, WORLD, "comparison of states of a training") for n in numbers]
        known = [{first, second} - {-1} for first, second in zip(*table, strict=True)]
        common = set.intersection(*known)
        if common:
            return own[max(common)]
        if max(map(len, known)) > 1:
            raise ValueError(
                "The processes have no state of one step of the training in common: they have "
                f"{[sorted(k) for k in known]}, by rank. Restore {self.file} and the files of the "
                "other processes, or remove them all and begin anew."
            )
        return None  # killed before each had kept one

    def begin_rows(self, again: bool) -> None:
        """Note the random state with which an epoch asks for its rows, or return to it.

        Args:
            again (bool): whether a part of the epoch was made before the program was started again.
        """
        if again and self._saved is not None:
            self._start = self._saved.position["start"]
            _set_random(self._start)
            self._return_dataset()
        else:
            self._start = self._now()

    def restore(self, params: Any) -> None:
        """Put everything back, once the rows that were used are left out.

        Args:
            params (dict): the values of the run, as callbacks see them.
        """
        saved, self._saved = self._saved, None
        if saved is None:
            return
        place = saved.restore(params.train_network, self._objects)
        if not place["step"]:
            self._start = place["start"]
            self._return_dataset()
        params.cur_step_num = place["steps"]
        params.cur_step_in_epoch = place["step in epoch"]
        params.setdefault("cur_epoch_num", place["epoch"] - 1)
        params.net_outputs = place["outputs"]

    def step_done(self, params: Any) -> None:
        """Keep the state after a step, if it is time.

        Args:
            params (dict): the values of the run, as callbacks see them.
        """
        if self._every_steps and params.cur_step_num % self._every_steps == 0 and self._waited():
            self._keep(params, params.cur_epoch_num, params.cur_step_in_epoch, self._start, False)

    def epoch_done(self, params: Any, ended: bool, last: bool) -> None:
        """Keep the state after an epoch, if it is time; of the last one always.

        Args:
            params (dict): the values of the run, as callbacks see them.
            ended (bool): whether the training was asked to stop.
            last (bool): whether it was the last epoch.
        """
        if ended or last or self._waited():
            self._keep(params, params.cur_epoch_num + 1, 0, self._now(), ended)

    def on_train_end(self, run_context: RunContext) -> None:
        """Remove the file, if that was asked for.

        Args:
            run_context (RunContext): the run.
        """
        for file in (self.file, self._before):
            if self._delete and file is not None and os.path.exists(file):
                _Saved(file)  # raises unless it is a training's state
                remove(file)

    def _now(self) -> dict[str, Any]:
        """What the rows of an epoch depend on."""
        state = _random()
        if self._dataset is not None:
            state["dataset"] = self._dataset.state_dict()
        return state

    def _return_dataset(self) -> None:
        if self._dataset is not None:
            self._dataset.load_state_dict(self._start["dataset"])

    def _waited(self) -> bool:
        waited = time.monotonic() - self._last >= self._every_seconds
        if self._before is None or not self._every_seconds:
            return waited
        # all keep the same steps: the clock is that of the first process
        return bool(groups.numbers(int(waited), WORLD, "time to keep a training")[0])

    def _keep(self, params: Any, epoch: int, step: int, start: Any, ended: bool) -> None:
        position = {
            "epoch": epoch,
            "step": step,
            "step in epoch": params.cur_step_in_epoch,
            "steps": params.cur_step_num,
            "outputs": params.net_outputs,
            "start": start,
            "ended": ended,
        }
        if self._before is not None and os.path.exists(self.file):
            rename(self.file, self._before)
        save_training_state(self.file, params.train_network, position, **self._objects)
        self._last = time.monotonic()


# ------------------------------------------------------------------------------------ the file


class _Saved:
    """A file of a training's state."""

    def __init__(self, file: str) -> None:
        self.file = file
        with self._reading():
            entries: dict[str, Any] = load_checkpoint(file, crc_check=True)
            text = entries.pop(_TEXT, None)
            if text is None:
                raise ValueError(
                    f"The file {file} is a checkpoint, and not the state of a training that "
                    "save_training_state or Resume kept. Load it with load_checkpoint."
                )
            self._state = _of_kind(json.loads(str(text)), dict, "the state")
            if self._state["version"] != _VERSION:
                raise ValueError(
                    f"The training state {file} has version {self._state['version']}; this agar "
                    f"reads version {_VERSION}."
                )
            count = sum(n.startswith(_VALUE) for n in entries)
            self._values = [entries.pop(f"{_VALUE}{i}")._value for i in range(count)]
            names = _of_kind(self._state["names"], list, "the list of names")
            self._tensors = {
                _of_kind(n, str, "a name"): entries[f"{i}"]._value for i, n in enumerate(names)
            }
            if len(self._tensors) != len(names) or len(names) != len(entries):
                raise ValueError("it has other tensors than it names")
            # all of it is read before anything is changed
            _of_kind(self.position, dict, "the position")
            retained = _of_kind(self._state["objects"], dict, "the list of objects")
            for state in retained.values():
                _unpack(state, self._values)
            _checked_random(self._torch_state())

    def _reading(self) -> reading:
        advice = "Nothing was changed. Restore the file, or remove it and begin anew."
        return reading("load_training_state", self.file, ValueError, advice)

    @property
    def position(self) -> dict[str, Any]:
        return _unpack(self._state["position"], self._values)

    def _torch_state(self) -> Any:
        return _unpack(self._state["torch"], self._values)

    def place(self) -> dict[str, Any]:
        """The position that `Resume` has kept.

        Raises:
            ValueError: it is another's.
        """
        with self._reading():
            place = self.position
            for name in ("epoch", "step", "step in epoch", "steps"):
                if type(place[name]) is not int or place[name] < 0:
                    raise ValueError(f"its {name!r} is {place[name]!r}")
            _of_kind(place["ended"], bool, "'ended'")
            _checked_random(_of_kind(place["start"], dict, "'start'")["torch"])
            _ = place["start"]["agar"], place["outputs"]
            return place

    def number(self) -> int:
        """A number of the place, by which states of one training are in order."""
        place = self.place()
        return 4 * place["steps"] + 2 * (not place["step"]) + place["ended"]

    def check(self, network: Cell, objects: Mapping[str, Any]) -> list[Filling]:
        """The fillings of a network.

        Raises:
            ValueError: the file does not fit.
        """
        mine = dict(_tensors_of(network))
        problems = [f"the network has no {n}" for n in self._tensors if n not in mine]
        problems += [f"the file has no {n}" for n in mine if n not in self._tensors]
        fillings = [Filling(n, mine[n], n, v) for n, v in self._tensors.items() if n in mine]
        problems += [o for f in fillings if (o := f.obstacle(strict=True)) is not None]
        apart = sorted(self._state["objects"].keys() ^ objects.keys())
        for name in apart:
            there = "the file" if name in self._state["objects"] else "this training"
            problem = f"only {there} has a {name!r}"
            if name.startswith("callback "):  # to listen to another part of a training is no fault
                log.warning("For the training state %s: %s.", self.file, problem)
            else:
                problems.append(problem)
        if problems:
            raise ValueError(
                f"The training state {self.file} is that of another training: "
                + "; ".join(problems)
                + ". Build the network, its optimizer and the callbacks as then, or begin anew in "
                "another folder."
            )
        return fillings

    def restore(self, network: Cell, objects: Mapping[str, Any]) -> dict[str, Any]:
        fillings = self.check(network, objects)
        states = {
            name: _unpack(state, self._values)
            for name, state in self._state["objects"].items()
            if name in objects
        }
        random = {"agar": self._state["random"], "torch": self._torch_state()}
        # what can fail comes first; copying what was checked does not
        before = [(objects[n], _copy_of(n, objects[n])) for n in states]
        random_before = _random()
        try:
            with self._reading():
                _set_random(random)
                for name, state in states.items():
                    if not hasattr(objects[name], "load_state_dict"):
                        _load_state(objects[name], _named(state, f"the state of {name!r}"))
            for name, state in states.items():
                if hasattr(objects[name], "load_state_dict"):
                    _load_state(objects[name], state)
        except BaseException:
            for value, state in before:
                _put_back(value, state)
            _set_random(random_before)
            raise
        _set_random(random)  # objects may have drawn
        for filling in fillings:
            filling.fill()
        return self.position


def _tensors_of(network: Cell) -> Iterator[tuple[str, Tensor]]:
    """Parameters by their paths, and buffers."""
    if not isinstance(network, Cell):
        raise TypeError(
            f"The 'network' of a training's state must be a Cell, got {describe(network)}."
        )
    seen: set[int] = set()
    for path, p in network.parameters_and_names():
        if id(p) not in seen:
            seen.add(id(p))
            yield path, p
    yield from ((f"buffer {path}", value) for path, value in buffers_of(network).items())


def _random() -> dict[str, Any]:
    return {"agar": json.dumps(streams.get_all_state()), "torch": torch.get_rng_state().numpy()}


def _set_random(state: Mapping[str, Any]) -> None:
    retained = state["agar"]
    # streams of cells that are gone, such as those of a cell that was only evaluated, have no home
    streams.set_all_state(
        json.loads(retained) if isinstance(retained, str) else retained, strict=False
    )
    torch.set_rng_state(torch.from_numpy(np.array(state["torch"], np.uint8)))


def _state_of(name: str, value: Any) -> Any:
    if hasattr(value, "state_dict"):
        return value.state_dict()
    if isinstance(value, Cell):
        return dict(_tensors_of(value))
    if hasattr(value, "__dict__"):
        return {k: v for k, v in vars(value).items() if _is_plain(v)}
    raise TypeError(
        f"{name!r} has no state that can be kept: it needs 'state_dict' and 'load_state_dict', got "
        f"{describe(value)}."
    )


def _load_state(value: Any, state: Any) -> None:
    if hasattr(value, "load_state_dict"):
        value.load_state_dict(state)
    else:
        vars(value).update(state)


def _copy_of(name: str, value: Any) -> Any:
    """The state of an object, for :func:`_put_back`."""
    if hasattr(value, "load_state_dict"):
        return copy.deepcopy(_state_of(name, value))
    return dict(vars(value))


def _put_back(value: Any, state: Any) -> None:
    if hasattr(value, "load_state_dict"):
        value.load_state_dict(state)
    else:
        vars(value).clear()
        vars(value).update(state)


def _of_kind(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{what} is {describe(value)} and not of type {kind.__name__}")
    return value


def _named(value: Any, what: str) -> dict[str, Any]:
    """Attributes by their names."""
    if not all(isinstance(name, str) for name in _of_kind(value, dict, what)):
        raise ValueError(f"{what} has a name that is not a text")
    return value


def _checked_random(state: Any) -> None:
    """Whether an array is a state of torch's random numbers.

    Raises:
        ValueError: it is not.
    """
    array = _of_kind(state, np.ndarray, "the state of torch's random numbers")
    if array.dtype != np.uint8:
        raise ValueError(f"the state of torch's random numbers is of type {array.dtype}")
    try:
        torch.Generator().set_state(torch.from_numpy(np.array(array)))
    except RuntimeError as error:
        raise ValueError(f"the state of torch's random numbers is none: {error}") from error


# ------------------------------------------------------------------------------------ values


def _is_plain(value: Any) -> bool:
    """Whether a value can be kept."""
    if isinstance(value, (list, tuple)):
        return type(value) in (list, tuple) and all(map(_is_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(
            isinstance(k, (str, int)) and _is_plain(v) for k, v in value.items()
        )
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    return value is None or isinstance(
        value, (bool, int, float, str, np.generic, Tensor, torch.Tensor)
    )


class _Packer:
    """Values as JSON and a list of tensors."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []

    def pack(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, str)) or type(value) in (int, float):
            return value
        if type(value) in (list, tuple):
            kind = "list" if type(value) is list else "tuple"
            return {kind: [self.pack(v) for v in value]}
        if isinstance(value, dict):
            return {"dict": [[self.pack(k), self.pack(v)] for k, v in value.items()]}
        if isinstance(value, Tensor):
            return self._tensor("tensor", value)
        if isinstance(value, torch.Tensor):
            return self._tensor("torch", wrap(value.detach()))
        if isinstance(value, np.generic) and value.dtype.kind in "biuf":
            return self._tensor("scalar", Tensor(np.asarray(value)), value.dtype.name)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return self._tensor("array", Tensor(np.array(value, order="C")), value.dtype.name)
        raise TypeError(
            "The state of a training is made of numbers, texts, arrays, Tensors, and lists, tuples "
            f"and dictionaries of them, but it has {describe(value)}."
        )

    def _tensor(self, kind: str, value: Tensor, dtype: str = "") -> dict[str, Any]:
        self.tensors.append(value)
        return {kind: len(self.tensors) - 1, "dtype": dtype}


def _unpack(value: Any, tensors: list[torch.Tensor]) -> Any:
    if not isinstance(value, dict):
        return value
    kind, inside = next(iter(value.items()))
    if kind in ("list", "tuple", "dict"):
        _of_kind(inside, list, f"what stands for a {kind}")
    elif kind in ("tensor", "torch", "array", "scalar"):
        number: Any = inside
        if type(number) is not int or not 0 <= number < len(tensors):
            raise ValueError(f"there is no value of the number {number!r}")
    else:
        raise ValueError(f"there are no values of the kind {kind!r}")
    if kind in ("list", "tuple"):
        result = [_unpack(v, tensors) for v in inside]
        return result if kind == "list" else tuple(result)
    if kind == "dict":
        return {_unpack(k, tensors): _unpack(v, tensors) for k, v in inside}
    entry = tensors[inside].clone()
    if kind == "tensor":
        return wrap(entry)
    if kind == "torch":
        return entry
    dtype = np.dtype(_of_kind(value["dtype"], str, "the type of an array"))
    if dtype.kind not in "biuf":  # texts of a billion characters are types, too
        raise ValueError(f"an array is of the type {dtype}")
    array = entry.numpy().astype(dtype)
    return array[()] if kind == "scalar" else array
