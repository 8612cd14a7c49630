"""Primitives over tuples and lists, at MindSpore's path ``ops.operations._sequence_ops``."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

# Zeros are made of torch tensors here.
import torch

from agar._core.dtype import Type, to_torch_dtype
from agar._core.optable import Primitive
from agar._core.tensor import Tensor, wrap
from agar.ops import _paths
from agar.ops._checks import integer
from agar.ops._private import Register
from agar.ops.python.values import TensorToTuple as TensorToTuple
from agar.ops.tensor.axes import axis_of

_register = Register(__name__)


def _sequence(op_name: str, value: Any, kinds: tuple[type, ...] = (tuple, list)) -> Any:
    """A tuple or list.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"For '{op_name}', the input must be {expected}, but got {type(value).__name__}."
        )
    return value


def _append(data: Any, target: Any) -> Any:
    return [*_sequence("ListAppend", data), target]


def _insert(data: Any, index: int, target: Any) -> Any:
    items = list(_sequence("ListInsert", data))
    items.insert(index, target)
    return items


def _pop(data: Any, index: int) -> tuple[Any, Any]:
    items = list(_sequence("ListAppendAndInsertGrad", data))
    return items, items.pop(index)


def _slice(data: Any, start: int, stop: int, step: int) -> Any:
    return _sequence("SequenceSlice", data)[start:stop:step]


def _slice_set(data: Any, target: Any, start: int, stop: int, step: int) -> Any:
    items = list(_sequence("SequenceSliceSetItem", data))
    items[start:stop:step] = target
    return type(data)(items)


def _slice_grad(dout: Any, data: Any, start: int, stop: int, step: int) -> Any:
    items = list(_zeros_like(_sequence("SequenceSliceGrad", data)))
    items[start:stop:step] = dout
    return type(data)(items)


def _zeros_like(value: Any) -> Any:
    if isinstance(value, Tensor):
        return wrap(torch.zeros_like(value._value))
    if isinstance(value, (tuple, list)):
        return type(value)(_zeros_like(v) for v in value)
    return type(value)(0)


def _offsets(first: Any, second: Any) -> tuple[int, int]:
    _sequence("SequenceAddOffset", second)
    return 0, len(_sequence("SequenceAddOffset", first))


def _index(data: Any, target: Any, start: int = 0, end: int | None = None) -> int:
    where = _sequence("SequenceIndex", data)
    return where.index(target, start, len(where) if end is None else end)


def _shape_mul_grad(data: Any, dout: int) -> Any:
    data = _sequence("ShapeMulGrad", data)
    return tuple(dout * math.prod(data[:i] + data[i + 1 :]) for i in range(len(data)))


def _to_tensor(op_name: str, kind: type) -> Any:
    def call(data: Any, dtype: Type | None = None) -> Tensor:
        _sequence(op_name, data, (kind,))
        if dtype is not None:
            return wrap(torch.tensor(data, dtype=to_torch_dtype(dtype, op_name=op_name)))
        whole = bool(data) and all(isinstance(v, int) for v in data)
        return wrap(torch.tensor(data, dtype=torch.int64 if whole else torch.float32))

    return call


def _tensor(op_name: str, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{op_name}', the input must be a Tensor, but got {type(value).__name__}."
        )
    return value


def _to_scalar(value: Any) -> Any:
    if _tensor("TensorToScalar", value).ndim:
        raise ValueError(
            f"For 'TensorToScalar', the input must have no axes, but got shape {value.shape}."
        )
    return value.item()


def _all(compare: Any, op_name: str, kind: type) -> Any:
    def call(first: Any, second: Any) -> bool:
        return compare(_sequence(op_name, first, (kind,)), _sequence(op_name, second, (kind,)))

    return call


for _name, _call, _words in (
    ("ListAppend", _append, "A list with one more element."),
    ("ListInsert", _insert, "A list with an element before an index."),
    ("ListAppendAndInsertGrad", _pop, "A list without the element at an index, and that element."),
    ("ShapeMulGrad", _shape_mul_grad, "The derivatives of a product of ints."),
    ("shape_mul", lambda x: math.prod(_sequence("shape_mul", x)), "The product of ints."),
    ("SequenceSlice", _slice, "The elements from one index to another."),
    ("SequenceSliceSetItem", _slice_set, "A copy with the elements of a slice replaced."),
    ("SequenceSliceGrad", _slice_grad, "Zeros with the gradients of a slice put in."),
    ("InSequence", lambda x, y: x in _sequence("InSequence", y), "Whether an element is there."),
    ("SequenceAdd", lambda x, y: _sequence("SequenceAdd", x) + y, "Two sequences joined."),
    ("SequenceAddOffset", _offsets, "Where two sequences begin when they are joined."),
    ("TupleToTensor", _to_tensor("TupleToTensor", tuple), "A tuple of numbers as a tensor."),
    ("ListToTensor", _to_tensor("ListToTensor", list), "A list of numbers as a tensor."),
    ("TensorToList", lambda x: _tensor("TensorToList", x).tolist(), "The elements as a list."),
    ("TensorToScalar", _to_scalar, "The only element as a number."),
    ("SequenceCount", lambda x, y: _sequence("SequenceCount", x).count(y), "How often it occurs."),
    ("SequenceIndex", _index, "The first index of an element."),
    ("SequenceMul", lambda x, y: _sequence("SequenceMul", x) * y, "A sequence repeated."),
    ("SequenceZerosLike", lambda x: _zeros_like(_sequence("SequenceZerosLike", x)), "Zeros."),
    ("make_range", lambda *x: tuple(range(*x)), "The numbers of a range."),
    ("sequence_len", lambda x: len(_sequence("sequence_len", x)), "The number of elements."),
    ("SequenceMax", lambda x: max(_sequence("SequenceMax", x)), "The largest element."),
    ("SequenceMin", lambda x: min(_sequence("SequenceMin", x)), "The smallest element."),
    (
        "SequenceAddN",
        lambda x: functools.reduce(operator.add, _sequence("SequenceAddN", x)),
        "The sum of the elements.",
    ),
):
    _register.value(_name, _call, _words)
for _kind in (tuple, list):
    for _word, _compare, _what in (
        ("equal", operator.eq, "are equal"),
        ("greater_than", operator.gt, "come in falling order"),
        ("greater_equal", operator.ge, "are equal or come in falling order"),
        ("lt", operator.lt, "come in rising order"),
        ("le", operator.le, "are equal or come in rising order"),
    ):
        _full = f"{_kind.__name__}_{_word}"
        _register.value(
            _full, _all(_compare, _full, _kind), f"Whether two {_kind.__name__}s {_what}."
        )


class SequenceStack(Primitive):
    """Several tensors stacked along a new axis.

    Args:
        axis (int): the new axis. Default: 0.

    Difference from PyTorch: ``torch.stack``.

    Source: MindSpore 2.10's documentation.

    Examples:
        >>> import agar as ms
        >>> from agar.ops.operations._sequence_ops import SequenceStack
        >>> print(SequenceStack()((ms.Tensor(1), ms.Tensor(2))))
        [1 2]
    """

    def __init__(self, axis: int = 0) -> None:
        super().__init__("SequenceStack")
        self.axis = integer("SequenceStack", "axis", axis)

    def __call__(self, input_x: Any) -> Tensor:
        parts = [_tensor("SequenceStack", v)._value for v in _sequence("SequenceStack", input_x)]
        axis_of("SequenceStack", self.axis, parts[0].ndim + 1 if parts else 1)
        return wrap(torch.stack(parts, self.axis))


class SequenceUnstack(Primitive):
    """A tensor taken apart along an axis.

    Args:
        axis (int): the axis. Default: 0.
        num (int): how many parts there must be. Default: None.

    Difference from PyTorch: ``torch.unbind``.

    Source: MindSpore 2.10's documentation.

    Examples:
        >>> import agar as ms
        >>> from agar.ops.operations._sequence_ops import SequenceUnstack
        >>> print(SequenceUnstack()(ms.Tensor([1, 2]))[1])
        2
    """

    def __init__(self, axis: int = 0, num: int | None = None) -> None:
        super().__init__("SequenceUnstack")
        self.axis = integer("SequenceUnstack", "axis", axis)
        self.num = num if num is None else integer("SequenceUnstack", "num", num, 0)

    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]:
        value = _tensor("SequenceUnstack", input_x)._value
        place = axis_of("SequenceUnstack", self.axis, value.ndim)
        if self.num is not None and value.shape[place] != self.num:
            raise ValueError(
                f"For 'SequenceUnstack', 'num' must be the size of the axis, {value.shape[place]}, "
                f"but got {self.num}."
            )
        return tuple(wrap(part) for part in value.unbind(place))


def __getattr__(name: str) -> Any:
    return _register.find(name) if name in _register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return sorted((*_register.names(), "SequenceStack", "SequenceUnstack", "TensorToTuple"))
