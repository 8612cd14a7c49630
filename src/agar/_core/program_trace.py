"""Running a network under torch.export, for files (`agar._core.program_export`).

The network runs as ordinary Python on tensors without data (torch.export with ``strict=False``), so
nothing of it is parsed.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch.overrides import TorchFunctionMode

from agar._core import context
from agar._core.dtype import to_torch_dtype
from agar._core.errors import describe, missing_feature
from agar._core.program import GraphError
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import SymbolicTensor, Tensor, wrap

__all__ = [
    "RECURRENT",
    "SIZE",
    "TRAIN",
    "Inputs",
    "Subject",
    "TooComplicated",
    "Trace",
    "explained",
    "hushed",
    "trace",
]

# How many terms a condition on sizes may have: torch's time for one grows faster than its terms.
_MOST_TERMS = 1000

#: torch's name of a size of an input, in conditions and messages.
SIZE = re.compile(r"L\['leaves'\]\[(\d+)\]\.size\(\)\[(\d+)\]")


class Subject(NamedTuple):
    """What is recorded: a function, and the tensors of which it is made."""

    run: Callable[..., Any]
    parameters: list[tuple[str, Tensor, bool]]
    buffers: list[tuple[str, Tensor]]

    @property
    def tensors(self) -> list[Tensor]:
        """The parameters and the buffers."""
        return [p for _, p, _ in self.parameters] + [b for _, b in self.buffers]


# -------------------------------------------------------------------------------- inputs


class _Leaf(NamedTuple):
    """One tensor among the inputs; sizes of None are not known."""

    dtype: torch.dtype
    shape: tuple[int | None, ...]
    device: torch.device
    strides: tuple[int, ...] | None

    def example(self, sizes: tuple[int, ...]) -> torch.Tensor:
        """A tensor like it, whose memory is never touched."""
        if self.strides is not None:
            return torch.empty_strided(sizes, self.strides, dtype=self.dtype, device=self.device)
        return torch.empty(sizes, dtype=self.dtype, device=self.device)


class Inputs:
    """The inputs of an export: their structure, and the tensors among them.

    Args:
        given: Tensors, numbers, bool and None, also in tuples and lists.

    Raises:
        TypeError: there is something else among them.
    """

    def __init__(self, given: Sequence[Any]) -> None:
        self.leaves: list[_Leaf] = []
        self.trees = [self._tree(value, f"input {i}") for i, value in enumerate(given)]
        self.unknown = [
            (i, axis)
            for i, leaf in enumerate(self.leaves)
            for axis, size in enumerate(leaf.shape)
            if size is None
        ]

    def _tree(self, value: Any, where: str) -> Any:
        if isinstance(value, Tensor):
            self.leaves.append(_leaf(value))
            return {"slot": len(self.leaves) - 1}
        if isinstance(value, (tuple, list)):
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self._tree(v, f"element {i} of {where}") for i, v in enumerate(value)]}
        if value is None or isinstance(value, (bool, int, float)):
            return {"value": value}
        hint = " Wrap it: ms.Tensor(array)." if type(value).__module__ == "numpy" else ""
        raise TypeError(
            f"For 'export', {where} must be a Tensor, a number, bool or None, or a tuple or list "
            f"of these, but got {describe(value)} of type {type(value).__name__}.{hint}"
        )

    def sizes(self, unknown: Mapping[tuple[int, int], int]) -> list[tuple[int, ...]]:
        """The sizes of all tensors, with the given ones where they are not known."""
        return [
            tuple(
                unknown[i, axis] if size is None else size for axis, size in enumerate(leaf.shape)
            )
            for i, leaf in enumerate(self.leaves)
        ]


def _leaf(value: Tensor) -> _Leaf:
    if isinstance(value, SymbolicTensor):
        shape = tuple(None if n is None or n < 0 else n for n in value.shape)
        return _Leaf(to_torch_dtype(value.dtype), shape, context.torch_device(), None)
    t = value._value
    return _Leaf(t.dtype, tuple(t.shape), t.device, t.stride())


def _built(tree: Any, tensors: Sequence[torch.Tensor]) -> Any:
    ((kind, inside),) = tree.items()
    if kind == "slot":
        return wrap(tensors[inside])
    if kind == "list":
        return [_built(t, tensors) for t in inside]
    if kind == "tuple":
        return tuple(_built(t, tensors) for t in inside)
    return inside


def _taken_apart(value: Any, leaves: list[Any]) -> Any:
    """The structure of an output; its tensors and sizes are collected."""
    if isinstance(value, (Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)):
        leaves.append(value._value if isinstance(value, Tensor) else value)
        return {"slot": len(leaves) - 1}
    if isinstance(value, (tuple, list)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [_taken_apart(v, leaves) for v in value]}
    if isinstance(value, dict) and all(isinstance(key, (str, int, float)) for key in value):
        return {"dict": [[key, _taken_apart(v, leaves)] for key, v in value.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value}
    raise TypeError(
        "For 'export', a network must return Tensors, numbers, texts or None, or tuples, lists or "
        f"dicts of these, but returned {describe(value)} of type {type(value).__name__}."
    )


# ------------------------------------------------------------------------------- tracing


class _NoGradients(list):
    """The stack of gradient scopes while a network is recorded: none may be opened."""

    def append(self, scope: Any) -> None:
        raise missing_feature(
            "ms.export of a network that takes gradients in construct",
            "an exported graph holds the forward computation",
            "export the network itself; nn.GraphCell is differentiable where it is loaded",
        )


class _Recorder:
    """What agar tells of its own Python while a network is recorded (`runtime.thread.recorder`).

    The methods are those of `agar._core.graph.record.recorder.Recorder` that are called from
    outside of the graph engine.
    """

    def __init__(self) -> None:
        self.cells: dict[int, Any] = {}
        self.gradient_records: dict[int, Any] = {}  # records of cells with set_grad: there are none

    def created(self, t: torch.Tensor) -> None:
        """A tensor was made of Python's numbers: torch sees it as well."""

    def unseen(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Run what makes such a tensor."""
        return fn(*args)

    def retried(self) -> None:
        """An operator that failed is tried in another way: torch keeps what succeeds."""

    def mark(self) -> None:
        """A backward pass begins, which `_NoGradients` does not let happen."""

    def host(
        self, fn: Callable[..., Any], args: tuple[Any, ...], label: str, gives: str, *rest: Any
    ) -> Any:
        """Something is to be computed outside of torch: a seed may be, values may not."""
        if gives == "object":
            result = fn(*args)
            if not isinstance(result, torch.Generator):
                return result
        raise missing_feature(
            f"ms.export of a network that draws random numbers or computes with numpy ({label})",
            "these are computed outside of PyTorch, and a file holds PyTorch's operators",
            "switch to evaluation with net.set_train(False), or export the parts before and after",
        )

    def text(self, t: torch.Tensor, form: Callable[[torch.Tensor], str]) -> str:
        """A tensor is printed, which an exported network does not do."""
        return describe(wrap(t))


@contextlib.contextmanager
def _eagerly() -> Iterator[None]:
    """Eager Python without gradients, whatever the context says."""
    before = runtime.mode, thread.inside, thread.recorder, thread.grad_scopes
    runtime.mode, thread.inside = PYNATIVE_MODE, True
    thread.recorder, thread.grad_scopes = _Recorder(), _NoGradients()
    try:
        with torch.no_grad():
            yield
    finally:
        runtime.mode, thread.inside, thread.recorder, thread.grad_scopes = before


@contextlib.contextmanager
def hushed(name: str) -> Iterator[None]:
    """Without what a part of torch logs beside the errors that it raises."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


class TooComplicated(RuntimeError):
    """Unknown sizes lead to conditions that would take torch minutes and hours."""


class _Redirect(TorchFunctionMode):
    """Calls other functions in place of those that a trace cannot follow."""

    def __init__(self, recurrent: bool, shapes: Any) -> None:
        super().__init__()
        self._guards: Sequence[Any] = getattr(shapes, "guards", ())
        self._looked_at = 0
        plain: Any = torch.Tensor
        self._others: dict[Any, Callable[..., Any]] = {
            plain.data.__get__: torch.detach,  # a trace does not know what `.data` makes
            plain.is_meta.__get__: lambda t: True,  # without values, so none is to be checked
        }
        if recurrent:
            self._others |= _stand_ins()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        while self._looked_at < len(self._guards):
            if self._guards[self._looked_at].expr.count_ops() > _MOST_TERMS:
                raise TooComplicated(
                    "For 'export', the sizes that are not known are rounded again and again "
                    "(pad_mode='same' with strides does so), and what torch has to prove about "
                    "them grows beyond measure. Give these sizes as numbers, or use pad_mode='pad'."
                )
            self._looked_at += 1
        call: Any = self._others.get(func, func)
        return call(*args, **(kwargs or {}))


# Recurrent layers under names of our own: torch takes its own ones apart while it traces, step by
# step, and so fixes the number of steps. In a document they have torch's names again. The argument
# `train` (the seventh) says whether a gradient will be wanted, which only a run can know.
RECURRENT = {
    f"agar_export.{name}.default": f"aten.{name}.input"
    for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")
}
TRAIN = 6
_libraries: list[torch.library.Library] = []


def _stand_ins() -> dict[Any, Callable[..., Any]]:
    """The operators that stand in for recurrent layers; made at the first call."""
    if not _libraries:
        library = torch.library.Library("agar_export", "FRAGMENT")
        for name in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
            states, more = ("Tensor[]", ", Tensor") if name == "lstm" else ("Tensor", "")
            library.define(
                f"{name}(Tensor x, {states} hx, Tensor[] params, bool has_biases, int num_layers, "
                "float dropout, bool train, bool bidirectional, bool batch_first) -> "
                f"(Tensor, Tensor{more})"
            )
            library.impl(name, _recurrent_result, "Meta")
        _libraries.append(library)

    def stand_in(original: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            if isinstance(args[2], torch.Tensor) or isinstance(args[1], torch.Tensor) is (
                name == "lstm"
            ):
                raise missing_feature(
                    "ms.export of a recurrent layer that is given 'seq_length'",
                    "the packed computation depends on the values of the lengths",
                    "export the layer without seq_length, and cut or mask its outputs outside",
                )
            return getattr(torch.ops.agar_export, name)(*args)

        return call

    return {
        getattr(torch, name): stand_in(getattr(torch, name), name)
        for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")
    }


def _recurrent_result(
    x: torch.Tensor,
    hx: Any,
    params: list[torch.Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[torch.Tensor, ...]:
    """Tensors like the results of a recurrent layer."""
    states = list(hx) if isinstance(hx, (list, tuple)) else [hx]
    first, second, _ = x.transpose(0, 1).shape if batch_first else x.shape
    out = x.new_empty(first, second, states[0].shape[-1] * (2 if bidirectional else 1))
    return out.transpose(0, 1) if batch_first else out, *(torch.empty_like(s) for s in states)


class _Run:
    """What a traced module runs, and the structure that it returned.

    It stands apart from the module because torch watches the attributes of modules.
    """

    def __init__(self, subject: Subject, inputs: Inputs, recurrent: bool) -> None:
        self.subject = subject
        self.inputs = inputs
        self.recurrent = recurrent
        self.structure: Any = None
        self.shapes: Any = None

    def __call__(self, state: Sequence[torch.Tensor], leaves: Sequence[torch.Tensor]) -> Any:
        tensors = self.subject.tensors
        old = [t._value for t in tensors]
        mode = next((getattr(t, "fake_mode", None) for t in leaves), None)
        self.shapes = getattr(mode, "shape_env", None)
        try:
            for t, value in zip(tensors, state, strict=True):
                t._value = value
            with _Redirect(self.recurrent, self.shapes):
                out = self.subject.run(*[_built(tree, leaves) for tree in self.inputs.trees])
        finally:
            for t, value in zip(tensors, old, strict=True):
                t._value = value
        items: list[Any] = []
        self.structure = _taken_apart(out, items)
        return tuple(items)

    def place(self, error: Exception) -> None:
        """Tell an error where unknown sizes became constants, if torch knows."""
        value = getattr(self.shapes, "replacements_slocs", {})
        error._agar_places = [str(place) for place in value.values()]  # type: ignore[attr-defined]


class _Module(torch.nn.Module):
    """A run as a module, with the tensors of the subject as its buffers."""

    def __init__(self, run: _Run) -> None:
        super().__init__()
        self.run = run
        for i, t in enumerate(run.subject.tensors):
            self.register_buffer(f"t{i}", t._value)

    def forward(self, *leaves: torch.Tensor) -> Any:
        """Run the subject on torch tensors."""
        count = len(self.run.subject.tensors)
        return self.run([getattr(self, f"t{i}") for i in range(count)], leaves)


class Trace(NamedTuple):
    """What torch.export found."""

    program: Any
    structure: Any


def trace(
    subject: Subject,
    inputs: Inputs,
    *,
    sizes: Mapping[tuple[int, int], int],
    fixed: bool = False,
    recurrent: bool = True,
) -> Trace:
    """Run a subject under torch.export.

    Args:
        subject: what to record.
        inputs: its inputs.
        sizes: what stands in for each size that is not known.
        fixed: take these sizes as known.
        recurrent: keep recurrent layers in one piece.
    """
    run = _Run(subject, inputs, recurrent)
    examples = [
        leaf.example(item) for leaf, item in zip(inputs.leaves, inputs.sizes(sizes), strict=True)
    ]
    dynamic = None
    if inputs.unknown and not fixed:
        axes: list[dict[int, Any]] = [{} for _ in examples]
        for i, axis in inputs.unknown:
            axes[i][axis] = torch.export.Dim.DYNAMIC
        dynamic = (tuple(axes),)
    said = io.StringIO()
    graph = None
    quiet = hushed("torch._subclasses.fake_tensor")
    try:
        with _eagerly(), quiet, contextlib.redirect_stderr(said):
            program = torch.export.export(
                _Module(run), tuple(examples), dynamic_shapes=dynamic, strict=False
            )
    except Exception as error:
        run.place(error)
        graph = getattr(error, "partial_fx_graph", None)
        raise
    finally:
        # torch prints the graph so far beside its error; what the network printed is passed on
        text = said.getvalue().replace(f"{graph}\n", "")
        if text:
            sys.stderr.write(text)
    return Trace(program, run.structure)


# ------------------------------------------------------------------------------- errors


def explained(error: Exception) -> Exception:
    """torch's error about what cannot be traced in our words; others as they are."""
    from torch._dynamo.exc import UserError
    from torch._subclasses import fake_tensor
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

    text = str(error)
    where = _where(error)
    if isinstance(error, GraphError):
        reason = text[:1].lower() + text[1:].rstrip(".")
        remedy = "Export the parts before and after"
    elif ".numpy() is not supported" in text:
        reason = f"its values leave torch{where}: they are drawn at random or computed by numpy"
        remedy = "Switch to evaluation (net.set_train(False)), or compute this part with operators"
    elif isinstance(
        error,
        (
            GuardOnDataDependentSymNode,
            fake_tensor.DataDependentOutputException,
            fake_tensor.DynamicOutputShapeException,
            fake_tensor.UnsupportedOperatorException,
        ),
    ):
        reason = (
            f"it reads the value of a tensor in Python{where}, and a file holds one way through "
            "the network"
        )
        remedy = (
            "Choose with operators (ops.where, ops.select), or export the parts before and after"
        )
    elif isinstance(error, UserError) and SIZE.search(text):
        axes = ", ".join(
            dict.fromkeys(
                f"size {axis} of tensor {i} of the inputs" for i, axis in SIZE.findall(text)
            )
        )
        places = ", ".join(dict.fromkeys(getattr(error, "_agar_places", ())))
        reason = f"{axes} cannot stay unknown, since a constant is made of it {places}".rstrip()
        remedy = (
            "Give the size as a number, or compute with x.shape without int(), len() and range()"
        )
    elif "fake tensor in the exported program constant" in text:
        reason = "it keeps a tensor of the run in a way that torch.export does not see"
        remedy = "Return the tensor, or write it into a Parameter with ops.assign"
    else:
        return error
    result = RuntimeError(f"For 'export', the network cannot be recorded: {reason}. {remedy}.")
    return result


def _where(error: Exception) -> str:
    """The line of the program's own Python, or of agar's, at which an error arose."""
    result = None
    trace_back = error.__traceback__
    while trace_back is not None:
        name = trace_back.tb_frame.f_code.co_filename
        if f"{os.sep}torch{os.sep}" not in name and name != __file__ and name[:1] != "<":
            inside = os.path.dirname(os.path.dirname(__file__)) in name
            if not inside or result is None or result[0]:
                result = (inside, name, trace_back.tb_lineno)
        trace_back = trace_back.tb_next
    cells = [note for note in getattr(error, "__notes__", ()) if note.startswith("In cell: ")]
    path = f" in cell {cells[0][9:]}" if cells else ""
    return path if result is None else f"{path} at {os.path.basename(result[1])}:{result[2]}"
