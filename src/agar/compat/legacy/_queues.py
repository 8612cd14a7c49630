"""Arrays and queues of tensors, and steps of reinforcement learning, as older MindSpores had them.

A handle is a Tensor of int64 that stands for the array or queue until it is closed.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import agar as ms
from agar import ops
from agar._core.optable import Primitive
from agar.common import dtype as mstype

__all__ = [
    "BatchAssign",
    "BufferAppend",
    "BufferGetItem",
    "BufferSample",
    "DiscountedReturn",
    "TensorArray",
    "TensorArrayClear",
    "TensorArrayClose",
    "TensorArrayRead",
    "TensorArraySize",
    "TensorArrayStack",
    "TensorArrayWrite",
    "TensorsQueueClear",
    "TensorsQueueClose",
    "TensorsQueueCreate",
    "TensorsQueueGet",
    "TensorsQueuePop",
    "TensorsQueuePut",
    "TensorsQueueSize",
]

_handles = itertools.count(1)
_open: dict[int, _Store] = {}


class _Store:
    """What a handle stands for: elements, and what they must be."""

    def __init__(self, size: int, dynamic: bool, dtype: Any, shape: Any) -> None:
        self.items: list[Any] = []
        self.size, self.dynamic, self.dtype, self.shape = size, dynamic, dtype, shape


class _Creates(Primitive):
    def _create(self, store: _Store) -> Any:
        number = next(_handles)
        _open[number] = store
        return ms.Tensor(number, mstype.int64)


def _store(name: str, handle: Any) -> _Store:
    try:
        return _open[int(handle)]
    except KeyError:
        raise ValueError(
            f"For '{name}', the handle {handle} is of nothing that is open; create another."
        ) from None


# ------------------------------------------------------------------------------------ arrays


class TensorArray(_Creates):
    """An array of tensors of one dtype and shape; a call returns its handle.

    Args:
        dtype (mindspore.dtype): of the elements.
        element_shape (tuple[int]): of the elements.
        dynamic_size (bool): whether it grows. Default: True.
        size (int): the number of elements if it does not. Default: 0.
        name (str): the name. Default: ``'TA'``.
    """

    def __init__(
        self,
        dtype: Any,
        element_shape: Any,
        dynamic_size: bool = True,
        size: int = 0,
        name: str = "TA",
    ) -> None:
        super().__init__("TensorArray")
        self._given = (size, dynamic_size, dtype, tuple(element_shape))

    def __call__(self) -> Any:
        store = _Store(*self._given)
        if not store.dynamic:
            store.items = [self._zero(store) for _ in range(store.size)]
        return self._create(store)

    @staticmethod
    def _zero(store: _Store) -> Any:
        return ops.zeros(store.shape, store.dtype)


class TensorArrayWrite(Primitive):
    """Write an element; a growing array is filled with zeros up to the index."""

    def __init__(self) -> None:
        super().__init__("TensorArrayWrite")

    def __call__(self, handle: Any, index: Any, value: Any) -> Any:
        store, index = _store(self.name, handle), int(index)
        if tuple(value.shape) != store.shape or value.dtype != store.dtype:
            raise ValueError(
                f"For '{self.name}', the element must be of {store.dtype} and shape {store.shape}, "
                f"but got {value.dtype} and {tuple(value.shape)}."
            )
        if index < 0 or (index >= len(store.items) and not store.dynamic):
            raise ValueError(f"For '{self.name}', there is no index {index}.")
        while len(store.items) <= index:
            store.items.append(TensorArray._zero(store))
        store.items[index] = value.copy()
        return handle


class TensorArrayRead(Primitive):
    """The element at an index."""

    def __init__(self, dtype: Any, element_shape: Any) -> None:
        super().__init__("TensorArrayRead")

    def __call__(self, handle: Any, index: Any) -> Any:
        items, index = _store(self.name, handle).items, int(index)
        if not 0 <= index < len(items):
            raise ValueError(
                f"For '{self.name}', the index must be below {len(items)}, but got {index}."
            )
        return items[index].copy()


class TensorArrayStack(Primitive):
    """All elements in one Tensor, along a new first axis."""

    def __init__(
        self, dtype: Any, element_shape: Any, dynamic_size: bool = True, size: int = 0
    ) -> None:
        super().__init__("TensorArrayStack")

    def __call__(self, handle: Any) -> Any:
        store = _store(self.name, handle)
        if not store.items:
            return ms.Tensor(shape=(0, *store.shape), dtype=store.dtype, init="zeros").init_data()
        return ops.stack(store.items)


class _Ends(Primitive):
    def __init__(self) -> None:
        super().__init__(type(self).__name__)


class TensorArraySize(_Ends):
    """The number of elements, a Tensor of int64."""

    def __call__(self, handle: Any) -> Any:
        return ms.Tensor(len(_store(self.name, handle).items), mstype.int64)


class TensorArrayClear(_Ends):
    """Remove all elements."""

    def __call__(self, handle: Any) -> Any:
        _store(self.name, handle).items.clear()
        return handle


class TensorArrayClose(_Ends):
    """End the array; its handle is of no use any more."""

    def __call__(self, handle: Any) -> Any:
        _store(self.name, handle)
        del _open[int(handle)]
        return handle


# ------------------------------------------------------------------------------------ queues


class TensorsQueueCreate(_Creates):
    """A queue of tuples of tensors; a call returns its handle.

    Args:
        dtype (mindspore.dtype): of the tensors.
        shapes (tuple[tuple[int]]): of the tensors of an element.
        size (int): how many elements fit; 0 for any number. Default: 0.
        name (str): the name. Default: ``'TQ'``.
    """

    def __init__(self, dtype: Any, shapes: Any, size: int = 0, name: str = "TQ") -> None:
        super().__init__("TensorsQueueCreate")
        self._given = (size, size == 0, dtype, tuple(tuple(shape) for shape in shapes))

    def __call__(self) -> Any:
        return self._create(_Store(*self._given))


class _Typed(Primitive):
    def __init__(self, dtype: Any, shapes: Any) -> None:
        super().__init__(type(self).__name__)

    def _first(self, handle: Any) -> tuple[_Store, Any]:
        store = _store(self.name, handle)
        if not store.items:
            raise RuntimeError(f"For '{self.name}', the queue is empty; put an element first.")
        return store, store.items[0]


class TensorsQueuePut(_Typed):
    """Put an element at the end of a queue."""

    def __call__(self, handle: Any, element: Any) -> Any:
        store = _store(self.name, handle)
        shapes = tuple(tuple(one.shape) for one in element)
        if shapes != store.shape or any(one.dtype != store.dtype for one in element):
            raise ValueError(
                f"For '{self.name}', the element must be of {store.dtype} and the shapes "
                f"{store.shape}, but got {[one.dtype for one in element]} and {shapes}."
            )
        if store.size and len(store.items) >= store.size:
            raise RuntimeError(f"For '{self.name}', the queue is full: {store.size} elements.")
        store.items.append(tuple(one.copy() for one in element))
        return handle


class TensorsQueueGet(_Typed):
    """The first element of a queue, which stays there."""

    def __call__(self, handle: Any) -> Any:
        return self._first(handle)[1]


class TensorsQueuePop(_Typed):
    """The first element of a queue, which is removed."""

    def __call__(self, handle: Any) -> Any:
        store, first = self._first(handle)
        del store.items[0]
        return first


class TensorsQueueSize(TensorArraySize):
    """The number of elements, a Tensor of int64."""


class TensorsQueueClear(TensorArrayClear):
    """Remove all elements."""


class TensorsQueueClose(TensorArrayClose):
    """End the queue; its handle is of no use any more."""


# ----------------------------------------------------------------------- reinforcement learning


class DiscountedReturn(Primitive):
    r"""Returns of steps, from the last: :math:`R_t = r_t + \gamma (1 - d_t) R_{t+1}`.

    Args:
        gamma (float): between 0 and 1.
    """

    def __init__(self, gamma: float) -> None:
        super().__init__("DiscountedReturn")
        if not 0 <= gamma <= 1:
            raise ValueError(
                f"For 'DiscountedReturn', 'gamma' must be from 0 to 1, but got {gamma}."
            )
        self.gamma = gamma

    def __call__(self, reward: Any, done: Any, last_value: Any) -> Any:
        after, rows = last_value, []
        for step in range(reward.shape[0] - 1, -1, -1):
            goes_on = ops.cast(ops.logical_not(ops.cast(done[step], mstype.bool_)), reward.dtype)
            goes_on = ops.reshape(goes_on, goes_on.shape + (1,) * (after.ndim - goes_on.ndim))
            after = reward[step] + self.gamma * goes_on * after
            rows.append(after)
        return ops.stack(rows[::-1])


class BatchAssign(Primitive):
    """Assign several parameters at once.

    Args:
        lock (bool): whether nothing reads them meanwhile. Default: True.
    """

    def __init__(self, lock: bool = True) -> None:
        super().__init__("BatchAssign")

    def __call__(self, dst_model: Any, source_model: Any) -> Any:
        if len(dst_model) != len(source_model):
            raise ValueError(
                f"For 'BatchAssign', there are {len(dst_model)} parameters and "
                f"{len(source_model)} values."
            )
        for target, value in zip(dst_model, source_model, strict=True):
            ops.assign(target, value)
        return ms.Tensor(0, mstype.int64)


class _Buffer(Primitive):
    def __init__(self, capacity: int, buffer_shape: Any, buffer_dtype: Any) -> None:
        super().__init__(type(self).__name__)
        self.capacity = capacity
        self.shapes = tuple(tuple(shape) for shape in buffer_shape)


class BufferAppend(_Buffer):
    """Write an element, or a batch of them, behind the last of a buffer that runs round.

    Args:
        capacity (int): how many elements fit.
        buffer_shape (tuple[tuple[int]]): of an element's tensors.
        buffer_dtype (tuple[mindspore.dtype]): of an element's tensors.
    """

    def __call__(self, data: Any, exp: Any, count: Any, head: Any) -> Any:
        batch = math.prod(exp[0].shape) // max(1, math.prod(self.shapes[0]))
        if batch > self.capacity:
            raise ValueError(
                f"For 'BufferAppend', {batch} elements do not fit into {self.capacity}."
            )
        filled, first = int(count), int(head)
        for buffer, new, shape in zip(data, exp, self.shapes, strict=True):
            places = [(first + filled + i) % self.capacity for i in range(batch)]
            buffer[ms.Tensor(places, mstype.int64)] = ops.reshape(new, (batch, *shape))
        over = max(0, filled + batch - self.capacity)
        ops.assign(count, ops.cast(ops.full_like(count, filled + batch - over), count.dtype))
        ops.assign(head, ops.cast(ops.full_like(head, (first + over) % self.capacity), head.dtype))
        return count


class BufferGetItem(_Buffer):
    """The element of a buffer at an index, counted from the oldest.

    Args:
        capacity (int): how many elements fit.
        buffer_shape (tuple[tuple[int]]): of an element's tensors.
        buffer_dtype (tuple[mindspore.dtype]): of an element's tensors.
    """

    def __call__(self, data: Any, count: Any, head: Any, index: Any) -> tuple[Any, ...]:
        filled, place = int(count), int(index)
        if not -filled <= place < filled:
            raise ValueError(
                f"For 'BufferGetItem', the index must be from {-filled} to {filled - 1}, but got "
                f"{place}."
            )
        place = (int(head) + place % filled) % self.capacity
        return tuple(buffer[place] for buffer in data)


class BufferSample(_Buffer):
    """Elements of a buffer drawn at random; MindSpore drew with its C++ library's generator.

    Args:
        capacity (int): how many elements fit.
        batch_size (int): how many are drawn.
        buffer_shape (tuple[tuple[int]]): of an element's tensors.
        buffer_dtype (tuple[mindspore.dtype]): of an element's tensors.
        seed (int): the seed of the order. Default: 0, another order in every program.
        unique (bool): whether an element is drawn once at most. Default: False.
    """

    def __init__(
        self,
        capacity: int,
        batch_size: int,
        buffer_shape: Any,
        buffer_dtype: Any,
        seed: int = 0,
        unique: bool = False,
    ) -> None:
        super().__init__(capacity, buffer_shape, buffer_dtype)
        self.batch_size, self.unique = batch_size, unique
        self._draw = np.random.default_rng(seed or None)

    def __call__(self, data: Any, indexes: Any, count: Any, head: Any) -> tuple[Any, ...]:
        filled = int(count)
        if filled < (self.batch_size if self.unique else 1):
            raise ValueError(
                f"For 'BufferSample', {self.batch_size} elements cannot be drawn from {filled}."
            )
        places = self._draw.choice(filled, self.batch_size, replace=not self.unique)
        index = ms.Tensor((int(head) + places) % self.capacity, mstype.int64)
        return tuple(ops.gather(buffer, index, 0) for buffer in data)
