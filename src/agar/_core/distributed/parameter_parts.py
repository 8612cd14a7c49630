"""Optimizer parallel: processes that each have a part of states, gradients and parameters.

NOTE Levels. A parameter is cut along its first axis, one part for each process of a group. At
level 1 the states of the optimizer are parts, and each process updates its rows of the parameter,
which then go to all. At level 2 gradients are parts as well. At level 3 the parameter itself is
one: the cell that owns it collects it for the time of a call, autograd keeps no copy of it but
collects it again for the backward pass, and the gradient goes back as a sum of which each process
takes its part.

NOTE Replicas. With fewer parts than processes, groups of neighbors have the parts, and the
processes at the same place of all groups have the same part.

NOTE Elsewhere. While the network runs, a parameter of level 3 is a tensor without memory in all
cells but those that have collected it. So who reads it elsewhere gets an error, and not the sum of
a part.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from agar._core.distributed.process_groups import WORLD, collective, groups
from agar._core.gradient_recording import tensors_in
from agar._core.multi_device import world
from agar._core.runtime import thread
from agar._core.settings import auto_parallel

__all__ = [
    "CellParts",
    "Part",
    "Parts",
    "cut_of",
    "is_part",
    "loaded",
    "runs_again",
    "spread",
    "stored",
    "wholes",
]

_C: Any = torch._C  # its stubs do not list all that is used here
_LEVELS = {"level1": 1, "level2": 2, "level3": 3}
#: The bytes of the messages in which updated parameters go to all.
_MESSAGE = 25 << 20


class Parts:
    """How one optimizer's parameters are cut.

    Args:
        level: 1, 2 or 3, see NOTE Levels.
        size: the number of parts; -1 for one in each process.
        threshold: parameters of fewer KiB stay whole.
        mean: whether gradients are averaged over the processes.

    Raises:
        ValueError: the number of processes is not a multiple of `size`.
    """

    def __init__(self, level: int, size: int, threshold: int, mean: bool) -> None:
        total, rank = world.size, world.rank
        size = total if size == -1 else size
        if total % size:
            raise ValueError(
                f"For the parallel optimizer, the {total} processes cannot be divided into groups "
                f"of 'optimizer_weight_shard_size' {size}; it must divide their number."
            )
        self.level = level
        self.size = size
        self.threshold = threshold
        self.mean = mean
        #: Whether the parameters themselves are parts (level 3).
        self.applied = False
        self.index = rank % size
        self.group, self.replicas = WORLD, ""
        if size < total:
            first = rank - self.index
            self.group = f"parts {first} to {first + size - 1}"
            self.replicas = f"replicas of part {self.index} of {size}"
            self._meet(self.group, range(first, first + size))
            self._meet(self.replicas, range(self.index, total, size))

    @staticmethod
    def _meet(name: str, ranks: range) -> None:
        if name not in groups.ranks:
            groups.create(name, list(ranks))

    @classmethod
    def of_context(cls) -> Parts | None:
        """What `set_auto_parallel_context` asks for; None without it, or in one process.

        Raises:
            RuntimeError: the mode is none in which gradients are reduced.
        """
        if world.size == 1 or not auto_parallel.get("enable_parallel_optimizer"):
            return None
        mode = auto_parallel.get("parallel_mode")
        if mode in ("semi_auto_parallel", "auto_parallel"):
            return None  # see `agar._core.distributed.state_sharding`
        if mode not in ("data_parallel", "hybrid_parallel"):
            raise RuntimeError(
                "The parallel optimizer is for the modes 'data_parallel' and 'semi_auto_parallel', "
                f"but the mode is '{mode}'. "
                "Call set_auto_parallel_context(parallel_mode='data_parallel', ...) before the "
                "optimizer is made."
            )
        config: dict[str, Any] = auto_parallel.held().get("parallel_optimizer_config", {})
        size = auto_parallel.get("optimizer_weight_shard_size")
        return cls(
            _LEVELS[config.get("optimizer_level", "level1")],
            config.get("optimizer_weight_shard_size", size),
            config.get("parallel_optimizer_threshold", 64),
            auto_parallel.get("gradients_mean"),
        )

    def fits(self, parameter: Any) -> bool:
        """Whether a parameter is cut."""
        value = parameter._value
        return (
            self.size > 1
            and type(value) is torch.Tensor
            and value.dim() > 0
            and value.shape[0] > 0
            and value.shape[0] % self.size == 0
            and value.numel() * value.element_size() >= self.threshold << 10
            and not parameter.layerwise_parallel
            and parameter.parallel_optimizer
            and vars(parameter).get("_part") is None
        )

    def rows(self, value: torch.Tensor) -> torch.Tensor:
        """This process's part of a whole tensor, a view of it."""
        count = value.shape[0] // self.size
        return value.narrow(0, self.index * count, count)

    def collected(self, part: torch.Tensor) -> torch.Tensor:
        """The parts of all processes along the first axis; the gradient goes back to the parts."""
        return collective(
            part,
            lambda value: groups._gathered(value, self.group, "all_gather of parameters"),
            self._returned,
        )

    def _returned(self, grad: torch.Tensor) -> torch.Tensor:
        """This process's part of the sum, or the mean, of gradients of whole tensors."""
        wide = grad.float() if grad.dtype in (torch.float16, torch.bfloat16) else grad
        total = groups.reduce_scatter(wide, "sum", self.group)
        if self.replicas:
            total = groups.all_reduce(total, "sum", self.replicas)
        return (total / world.size if self.mean else total).to(grad.dtype)


class Part:
    """What is known of a parameter, or of a state of an optimizer, that is cut.

    Attributes:
        of: how it is cut.
        shape: the shape of the whole.
        held: whether its tensor is this process's part; else it is the whole.
        collected: whether it is whole for the time of a call.
        value: the part while the network runs, else None.
        absent: what stands for it then where it is not collected.
    """

    __slots__ = ("absent", "collected", "held", "of", "shape", "value")

    def __init__(self, of: Parts, shape: Sequence[int], held: bool = False) -> None:
        self.of = of
        self.shape = torch.Size(shape)
        self.held = held
        self.collected = False
        self.value: torch.Tensor | None = None
        self.absent: Any = None

    def whole(self, value: torch.Tensor) -> torch.Tensor:
        """The whole of which a tensor is this process's part; all processes have to ask."""
        with torch.no_grad():
            return self.of.collected(value.detach()) if self.held else value


def cut_of(parameter: Any) -> Part | None:
    """What is known of a parameter that is cut; None for others."""
    return vars(parameter).get("_part")


def is_part(parameter: Any) -> bool:
    """Whether a parameter's tensor is this process's part of it."""
    part = vars(parameter).get("_part")
    return part is not None and part.held


def stored(parameter: Any, integrated: bool) -> torch.Tensor:
    """What is saved of a parameter: the whole, for which all processes have to ask, or its part."""
    part = vars(parameter).get("_part")
    return parameter._value if part is None or not integrated else part.whole(parameter._value)


def loaded(parameter: Any, value: torch.Tensor) -> torch.Tensor:
    """What a parameter takes of a value that was saved: of a whole one its part."""
    part = vars(parameter).get("_part")
    if part is None or not part.held or value.shape != part.shape:
        return value
    return part.of.rows(value)


def spread(values: Sequence[torch.Tensor], of: Parts) -> None:
    """Send this process's rows of whole tensors to all, which write them into theirs."""
    with torch.no_grad():
        for joined in _messages(values):
            own = torch.cat([of.rows(v).reshape(1, -1) for v in joined], 1)
            rows = groups._gather_now(own, of.group, "all_gather of parameters")
            sizes = [v.numel() // of.size for v in joined]
            for value, part in zip(joined, rows.split(sizes, 1), strict=True):
                value.copy_(part.reshape(value.shape))


def _messages(values: Sequence[torch.Tensor]) -> Iterator[list[torch.Tensor]]:
    """Tensors of one type, as many as fit into a message."""
    waiting: dict[Any, list[torch.Tensor]] = {}
    for value in values:
        key = (value.dtype, value.device)
        joined = waiting.setdefault(key, [])
        if joined and sum(v.numel() for v in (*joined, value)) * value.element_size() > _MESSAGE:
            yield waiting.pop(key)
            joined = waiting.setdefault(key, [])
        joined.append(value)
    yield from waiting.values()


def wholes(parts: Sequence[torch.Tensor], of: Parts) -> list[torch.Tensor]:
    """The whole tensors of some parts, by one message for those of each type."""
    whole: list[Any] = [None] * len(parts)
    kinds: dict[torch.dtype, list[int]] = {}
    for i, part in enumerate(parts):
        kinds.setdefault(part.dtype, []).append(i)
    for members in kinds.values():
        if len(members) == 1:
            whole[members[0]] = of.collected(parts[members[0]])
            continue
        own = torch.cat([parts[i].reshape(1, -1) for i in members], 1)
        rows = of.collected(own).split([parts[i].numel() for i in members], 1)
        for i, row in zip(members, rows, strict=True):
            shape = parts[i].shape
            whole[i] = row.reshape(of.size * shape[0], *shape[1:])
    return whole


def runs_again(pack: Any) -> bool:
    """Whether hooks are those of a recomputed cell, which counts what is saved."""
    return thread.recomputing or getattr(getattr(pack, "__self__", None), "recomputes", False)


class _Saved:
    """A view of a whole parameter that autograd asked to be kept."""

    __slots__ = ("number", "view")

    def __init__(self, number: int, value: torch.Tensor) -> None:
        self.number = number
        self.view = value.shape, value.stride(), value.storage_offset()


class CellParts:
    """The parameters of one cell that are parts outside of its calls (level 3).

    Args:
        name: of the cell, for messages.
        parameters: those that are cut.
        of: how they are cut.
    """

    def __init__(self, name: str, parameters: Sequence[Any], of: Parts) -> None:
        self.name = name
        self.parameters = list(parameters)
        self.of = of
        #: All parameters that are cut, if the cell is the whole network.
        self.all: list[Any] = []

    def run(self, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Make a call for which the cell's parameters are whole.

        Raises:
            RuntimeError: a parameter is read where it is not collected, or a whole one is written.
        """
        with self._hidden(), self._collected():
            out = call(args, kwargs)
        if self.all and any(t._value.is_meta for t in tensors_in(out)):
            raise self._misread("the result has no memory")
        return out

    def _misread(self, why: object) -> RuntimeError:
        return RuntimeError(
            f"For '{self.name}', a parameter is read outside of the cell that owns it, where the "
            "parallel optimizer of level 3 has not collected it. Use level 2, or set "
            f"parallel_optimizer=False of that parameter ({why})."
        )

    @contextlib.contextmanager
    def _hidden(self) -> Iterator[None]:
        """Let parameters have no memory but in the cells that collect them (NOTE Elsewhere)."""
        if not self.all or self.all[0]._value.is_meta:
            yield
            return
        held = [p._value for p in self.all]
        for p, value in zip(self.all, held, strict=True):
            part = vars(p)["_part"]
            part.value = value
            p._value = part.absent
        try:
            yield
        except RuntimeError as error:
            if "meta" not in str(error):
                raise
            raise self._misread(error) from error
        finally:
            for p, value in zip(self.all, held, strict=True):
                p._value = value
                vars(p)["_part"].value = None

    @contextlib.contextmanager
    def _collected(self) -> Iterator[None]:
        mine = [p for p in self.parameters if not vars(p)["_part"].collected]
        if not mine:  # a call inside another one of this cell
            yield
            return
        before = [p._value for p in mine]
        known = [vars(p)["_part"] for p in mine]
        parts = [b if k.value is None else k.value for b, k in zip(before, known, strict=True)]
        whole = wholes(parts, self.of)
        for p, part, value in zip(mine, known, whole, strict=True):
            p._value = value
            part.collected = True
        versions = [value._version for value in whole]
        try:
            with self._saved_as_parts(parts, whole):
                yield
            written = [
                p.name
                for p, v, n in zip(mine, whole, versions, strict=True)
                if p._value is not v or v._version != n
            ]
            if written:
                raise RuntimeError(
                    f"For '{self.name}', construct writes into {written}, which the parallel "
                    "optimizer of level 3 has collected for this call alone: the change would be "
                    "lost. Use level 2, or set parallel_optimizer=False of these parameters."
                )
        finally:
            for p, part, value in zip(mine, known, before, strict=True):
                p._value = value
                part.collected = False

    def _saved_as_parts(
        self, parts: list[torch.Tensor], whole: list[torch.Tensor]
    ) -> contextlib.AbstractContextManager[Any]:
        """Let autograd keep no whole parameters; what it needs of them is collected again."""
        outer = _C._autograd._top_saved_tensors_default_hooks(False)
        if outer is not None and runs_again(outer[0]):
            return contextlib.nullcontext()
        numbers = {value.untyped_storage()._cdata: i for i, value in enumerate(whole)}
        of = self.of

        def pack(value: torch.Tensor) -> Any:
            number = numbers.get(value.untyped_storage()._cdata)
            if number is not None:
                return _Saved(number, value)
            return value if outer is None else outer[0](value)

        def unpack(saved: Any) -> torch.Tensor:
            if type(saved) is _Saved:
                again = of.collected(parts[saved.number].detach())
                return again.as_strided(*saved.view)
            return saved if outer is None else outer[1](saved)

        return torch.autograd.graph.saved_tensors_hooks(pack, unpack)
