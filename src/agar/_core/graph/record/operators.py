"""What the recorder must know of operators, worked out once for each."""

from __future__ import annotations

import functools
from typing import Any

import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.graph.ir.graph import HIDDEN_WRITES, READS

__all__ = [
    "FACTORIES",
    "Collective",
    "Kind",
    "collective_of",
    "depends_on_values",
    "end_collective",
    "kind_of",
    "paths_of_python_kernels",
]

aten = torch.ops.aten


def _questions() -> frozenset[Any]:
    """Operators that ask about a tensor's kind, not about its values."""
    results = {torch.ops.prim.device.default}
    for name in [
        "is_same_size",
        "is_pinned",
        "sym_size",
        "sym_stride",
        "sym_numel",
        "sym_storage_offset",
        "_use_cudnn_ctc_loss",
        "_has_same_storage_numel",
        "_has_compatible_shallow_copy_type",
        "dim",
        "is_contiguous",
        "is_strides_like_format",
        "is_non_overlapping_and_dense",
        "size",
        "stride",
        "numel",
        "storage_offset",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "result_type",
        "can_cast",
        "_version",
    ]:
        packet = getattr(aten, name, None)
        if packet is not None:
            results.update(getattr(packet, o) for o in packet.overloads() if o != "out")
    return frozenset(results)


_QUESTIONS = _questions()
_MOVES = frozenset({aten.set_.source_Storage_storage_offset, aten.set_.source_Storage})
#: Operators without tensor arguments that give the same at every run.
FACTORIES = frozenset(
    {
        aten.full.default,
        aten.zeros.default,
        aten.ones.default,
        aten.arange.default,
        aten.arange.start,
        aten.arange.start_step,
        aten.eye.default,
        aten.eye.m,
        aten.linspace.default,
        aten.scalar_tensor.default,
        aten.tril_indices.default,
        aten.triu_indices.default,
    }
)


def _returns_tensors(func: Any) -> bool:
    """Whether an operator gives tensors (or nothing) and no Python values."""
    for r in func._schema.returns:
        kind = r.type
        if isinstance(kind, (torch.TensorType, torch.ListType, torch.OptionalType)):
            continue
        if len(func._schema.returns) == 1:
            return False
    return True


def depends_on_values(func: Any, args: tuple[Any, ...]) -> bool:
    """Whether the output's shape does, for operators that are tagged so in general."""
    if func is aten.index.Tensor:
        return any(
            isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8) for i in args[1]
        )
    if func is aten.repeat_interleave.Tensor:
        return len(args) < 2 or args[1] is None
    return True


class Kind:
    """What the recorder must know of an operator, worked out once."""

    __slots__ = (
        *("answers", "dynamic", "factory", "fixed", "func", "lifts", "moves", "mutable", "path"),
        *("question", "sends"),
    )

    def __init__(self, func: Any) -> None:
        tags = func.tags
        self.func = func  # keeps its id
        self.moves = func in _MOVES
        self.lifts = func is aten.lift_fresh.default
        #: As torch.library writes it; "" for an operator that is not torch's own.
        self.path = ""
        if func.namespace == "aten":
            over = func._schema.overload_name
            self.path = func._schema.name.replace("::", "/") + (f".{over}" if over else "")
        self.question = func in _QUESTIONS
        #: A functional collective, or the wait for one.
        self.sends = func.namespace == "_c10d_functional"
        self.mutable = func._schema.is_mutable or func in HIDDEN_WRITES
        self.answers = func in READS or not _returns_tensors(func)
        self.dynamic = torch.Tag.dynamic_output_shape in tags
        self.factory = func in FACTORIES
        # gives the same whenever it gets the same
        self.fixed = not self.mutable and torch.Tag.nondeterministic_seeded not in tags


_kinds: dict[int, Kind] = {}  # by id: an operator's hash is made in Python


def kind_of(func: Any) -> Kind:
    kind = _kinds.get(id(func))
    if kind is None:
        kind = _kinds[id(func)] = Kind(func)
    return kind


class Collective:
    """A functional collective that has ended when it returns; one object for each."""

    def __init__(self, func: Any) -> None:
        self._func = func
        self._name = func._schema.name.rpartition("::")[2]

    def __call__(self, *args: Any) -> Any:
        return end_collective(self.begin(*args))

    def begin(self, *args: Any) -> tuple[str, Any]:
        """Begin it; what `end_collective` takes."""
        try:
            return self._name, self._func(*args)
        except RuntimeError as error:
            raise groups._close(WORLD, self._name, error) from error


def end_collective(begun: tuple[str, Any], *inputs: torch.Tensor) -> Any:
    """The result of a collective that was begun; its inputs stay as they are until here."""
    wait = torch.ops._c10d_functional.wait_tensor
    name, result = begun
    try:
        return [wait(t) for t in result] if isinstance(result, (list, tuple)) else wait(result)
    except RuntimeError as error:
        raise groups._close(WORLD, name, error) from error


@functools.cache
def collective_of(func: Any) -> Any:
    """What a node of a recording runs for a functional collective."""
    return Collective(func)


_python_kernels: tuple[int, frozenset[str]] = -1, frozenset()


def paths_of_python_kernels() -> frozenset[str]:
    """The paths of torch's own operators that Python may compute, and that of all other ones."""
    global _python_kernels
    known: Any = torch.library._impls
    count = len(known)
    if count != _python_kernels[0]:
        results = [k.rpartition("/") for k in list(known) if k.startswith("aten/")]
        paths = frozenset(["", *(path for path, _, key in results if key != "Meta")])
        _python_kernels = count, paths
    return _python_kernels[1]
