"""What agar registers with PyTorch, so that its tools take Tensors and Parameters.

* ``torch.load`` reads what ``torch.save`` wrote of them by its default rules
  (``weights_only=True``): the functions below build tensors and run no code of a file.
* ``default_collate``, which DataLoader uses, makes a batch of rows that hold Tensors.
* ``torch.func`` and ``torch.export`` look into Tensors as into containers of one tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch.utils._pytree import GetAttrKey, register_pytree_node
from torch.utils.data._utils.collate import default_collate_fn_map

from agar._core import parameter, tensor
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap

__all__ = ["collate_tensors"]


def collate_tensors(batch: list[Tensor], *, collate_fn_map: Any = None) -> Tensor:
    """A batch of rows: the Tensors along a new first axis.

    Args:
        batch: Tensors of one shape and type.
        collate_fn_map: what PyTorch hands on for nested values; not needed here.
    """
    return wrap(torch.stack([row._value.detach() for row in batch]))


def _flattened(value: Tensor) -> tuple[list[torch.Tensor], None]:
    return [value._value], None


def _flattened_with_keys(value: Tensor) -> tuple[list[tuple[Any, torch.Tensor]], None]:
    return [(GetAttrKey("_value"), value._value)], None


def _rebuilt(parts: Iterable[Any], _: Any) -> Any:
    """A Tensor, also of a Parameter's part; what stands for a tensor in a tree stays as it is."""
    (part,) = parts
    return wrap(part)


def _register() -> None:
    for kind in (Tensor, Parameter):
        register_pytree_node(
            kind,
            _flattened,
            _rebuilt,
            serialized_type_name=f"agar.{kind.__name__}",
            flatten_with_keys_fn=_flattened_with_keys,
        )
    torch.serialization.add_safe_globals([tensor._rebuild, parameter._rebuild])
    # pickles name the class by the path that it shows, which is MindSpore's under the alias
    paths = [f"{root}.common.tensor.Tensor" for root in ("agar", "mindspore")]
    torch.serialization.add_safe_globals([(Tensor, path) for path in paths])
    default_collate_fn_map[Tensor] = collate_tensors


_register()
