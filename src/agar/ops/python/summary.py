"""Summaries: values that a program collects under a name, until a writer takes them.

NOTE Collecting. A summary primitive keeps the values it is called with in this module; it writes
nothing itself. A writer of summaries calls `take` and gets what came since the last time, in
order. Without a writer the newest `LIMIT` values are kept, and older ones are dropped.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, NamedTuple

# Values are torch tensors, without their gradients.
import torch

from agar._core.errors import describe
from agar._core.optable import Primitive
from agar._core.runtime import host_node
from agar._core.tensor import Tensor

__all__ = ["HistogramSummary", "ImageSummary", "ScalarSummary", "TensorSummary"]

#: How many values wait for a writer.
LIMIT = 4096


class Summary(NamedTuple):
    """One value that a summary primitive was called with."""

    kind: str  #: the name of the primitive, such as "ScalarSummary"
    name: str
    value: torch.Tensor


_waiting: deque[Summary] = deque(maxlen=LIMIT)
_lock = threading.Lock()


def _keep_now(value: torch.Tensor, kind: str, name: str) -> None:
    with _lock:
        _waiting.append(Summary(kind, name, value.detach().clone()))


_keep = host_node(_keep_now, "nothing")  # a recording keeps a value at every replay


def take() -> list[Summary]:
    """The values that came since the last call, in order (NOTE Collecting)."""
    with _lock:
        items = list(_waiting)
        _waiting.clear()
    return items


class _Summary(Primitive):
    """What the summary primitives share: their checks, and that they keep the value."""

    _channel = ""
    _axes: tuple[int, int | None] = (0, None)  # the least and the largest number of axes

    def __init__(self) -> None:
        super().__init__(type(self).__name__)
        self.add_prim_attr("side_effect_io", True)
        self.add_prim_attr("channel_name", self._channel)

    def __call__(self, name: str, value: Tensor) -> None:
        op_name = self.name
        if not isinstance(name, str):
            raise TypeError(
                f"For '{op_name}', the type of 'name' must be str, but got '{type(name).__name__}'."
            )
        if not name:
            raise ValueError(f"For '{op_name}', the name must be valid string, but got '{name}'.")
        if not isinstance(value, Tensor):
            raise TypeError(
                f"For '{op_name}', 'value' must be a Tensor, but got {describe(value)}."
            )
        least, most = self._axes
        if value.ndim < least or (most is not None and value.ndim > most):
            expected = f"at least {least}" if most is None else f"{least} to {most}"
            raise ValueError(
                f"For '{op_name}', 'value' must have {expected} axes, but got shape {value.shape}."
            )
        _keep(value._value, op_name, name)


def _declare(kind: str, axes: tuple[int, int | None], what: str, example: str) -> type[_Summary]:
    name = f"{kind}Summary"
    least, most = axes
    expected = f"at least {least} axes" if most is None else f"{least} to {most} axes"
    if least == most:
        expected = f"{least} axes"
    doc = f"""Keep {what} under a name, for a writer of summaries (see the note on collecting).

    Inputs:
        - **name** (str) - the name, not empty.
        - **value** (Tensor) - {expected}.

    Outputs:
        None.

    Raises:
        TypeError: `name` is not a str or `value` is not a Tensor.
        ValueError: `name` is empty, or `value` has another number of axes.

    Difference from PyTorch: ``torch.utils.tensorboard.SummaryWriter`` writes at once.

    Source: MindSpore 2.10's documentation.

    Examples:
        >>> import agar as ms
        >>> ms.ops.{name}()("x", {example})
    """
    body: dict[str, Any] = {
        "__doc__": doc,
        "__module__": __name__,
        "_axes": axes,
        "_channel": f"ms_{kind.lower()}_summary",
    }
    return type(name, (_Summary,), body)


ScalarSummary = _declare("Scalar", (0, 1), "a number", "ms.Tensor(3.0)")
ImageSummary = _declare("Image", (4, 4), "an image", "ms.ops.zeros((1, 3, 4, 4))")
TensorSummary = _declare("Tensor", (1, None), "a tensor", "ms.Tensor([1.0, 2.0])")
HistogramSummary = _declare("Histogram", (1, None), "a distribution", "ms.Tensor([1.0, 2.0])")
