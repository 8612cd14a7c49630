"""What every tensor is, below its methods: the slot of the torch tensor, and how results wrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from agar._core import dtype as mstype
    from agar._core.tensor.tensor_class import Tensor

__all__ = ["TensorBase", "bind", "wrap"]

_new = object.__new__
_Tensor: Any = None


class TensorBase:
    """The slot that holds the torch tensor; the base of Tensor and of the parts of its methods."""

    __slots__ = ("__dict__", "__weakref__", "_value")

    _value: torch.Tensor

    if TYPE_CHECKING:

        @property
        def dtype(self) -> mstype.Number: ...


def bind(cls: type[Tensor]) -> None:
    """Say which class :func:`wrap` makes objects of."""
    global _Tensor
    _Tensor = cls


def wrap(value: Any) -> Any:
    """Agar tensors for torch tensors, also inside tuples, lists and dicts."""
    if value.__class__ is torch.Tensor or isinstance(value, torch.Tensor):
        tensor = _new(_Tensor)
        tensor._value = value
        return tensor
    if isinstance(value, (tuple, list)):
        items = []
        for item in value:  # the results of an operator, nearly always tensors
            if item.__class__ is torch.Tensor:
                tensor = _new(_Tensor)
                tensor._value = item
                items.append(tensor)
            else:
                items.append(wrap(item))
        return items if type(value) is list else tuple(items)
    if isinstance(value, dict):
        return {k: wrap(v) for k, v in value.items()}
    return value
