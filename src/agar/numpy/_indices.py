"""Places in a tensor of several dimensions and in the flat one."""

from __future__ import annotations

import math
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import Tensor, array, home, promoted_type
from agar.ops._checks import integer
from agar.ops.math.elementwise import any_outside
from agar.ops.tensor.creation import sizes

_math = home("math_ops")
_array = home("array_ops")


@_math(
    "ravel_multi_index",
    cast="never",
    samples=(
        "torch.tensor([[3, 6, 6], [4, 5, 1]]), (7, 6)",
        "[[3, 9], [8, 6]], (7, 6), 'wrap'",
        "[[3, 9], [8, 6]], (7, 6), 'clip', 'F'",
        "(3, 1, 4, 1), (6, 7, 8, 9)",
    ),
    errors=(
        ("[[9], [6]], (7, 6), 'raise'", ValueError, "numpy.ravel_multi_index"),
        ("f(2), (7, 6)", TypeError, "numpy.ravel_multi_index"),
        ("[1, 2], (7, 6, 5)", ValueError, "numpy.ravel_multi_index"),
        ("[1, 2], (7, 6), 'x'", ValueError, "mode"),
        ("[1, 2], (7, 6), 'clip', 'A'", ValueError, "order"),
        ("[1, 2], (7.0, 6.0)", TypeError, "dims"),
    ),
    reference="np.ravel_multi_index(tuple(np.asarray(multi_index)), dims, mode, order)",
    differentiable=False,
)
def _ravel_multi_index(
    multi_index: Tensor | Any, dims: Any, mode: str = "clip", order: str = "C"
) -> Tensor:
    """The places in a flat tensor from the indices in each dimension.

    Args:
        multi_index (Union[Tensor, list, tuple]): the indices, dimension by dimension.
        dims (Union[int, tuple(int)]): the shape of the tensor.
        mode (str): what to do with indices out of range: ``"clip"`` takes the nearest, ``"wrap"``
            counts on from the start, ``"raise"`` raises. Default: ``"clip"``.
        order (str): ``"C"`` if the last index changes fastest, ``"F"`` if the first does. Default:
            ``"C"``.

    Returns: Tensor of float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the number of dimensions does not fit, `mode` or `order` is another word, or
        an index is out of range and `mode` is ``"raise"``.
    Difference from PyTorch: torch has no such function. MindSpore has no ``"raise"``.

    >>> import agar.numpy as mnp
    >>> print(mnp.ravel_multi_index([[3, 6, 6], [4, 5, 1]], (7, 6)))
    [22. 41. 37.]
    """
    lengths = [dims] if isinstance(dims, int) else list(dims)
    for length in lengths:
        integer("numpy.ravel_multi_index", "dims", length, 1)
    if order not in ("C", "F"):
        raise ValueError(
            f"For 'numpy.ravel_multi_index', 'order' must be 'C' or 'F', but got {order!r}."
        )
    if mode not in ("clip", "wrap", "raise"):
        raise ValueError(
            "For 'numpy.ravel_multi_index', 'mode' must be 'clip', 'wrap' or 'raise', but got "
            f"{mode!r}."
        )
    places = array("ravel_multi_index", "multi_index", multi_index)
    if places.is_floating_point() or places.is_complex():
        raise TypeError("For 'numpy.ravel_multi_index', 'multi_index' must have integers.")
    if places.ndim == 0 or len(places) != len(lengths):
        raise ValueError(
            f"For 'numpy.ravel_multi_index', 'multi_index' must have {len(lengths)} entries, one "
            f"for each dimension, but got shape {list(places.shape)}."
        )
    parts = list(zip(places.to(torch.int64).unbind(0), lengths, strict=True))
    result = torch.zeros_like(parts[0][0])
    for index, length in reversed(parts) if order == "F" else parts:
        if mode == "raise" and any_outside(index, 0, length):
            raise ValueError(
                f"For 'numpy.ravel_multi_index', an index is out of range of a dimension with "
                f"{length} elements."
            )
        index = index.remainder(length) if mode == "wrap" else index.clamp(0, length - 1)
        result = result * length + index
    return result.to(torch.float32)


@_array(
    "unravel_index",
    cast="never",
    samples=("torch.tensor([22, 41]), (7, 6)", "torch.tensor([31, 13]), (7, 6), 'F'", "5, (2, 3)"),
    errors=(
        ("5, (2, 3), 'A'", ValueError, "order"),
        ("'a', (2, 3)", TypeError, "numpy.unravel_index"),
    ),
    reference="np.unravel_index(indices, shape, order)",
    differentiable=False,
)
def _unravel_index(indices: Tensor | Any, shape: Any, order: str = "C") -> Any:
    """The indices in each dimension from the places in a flat tensor.

    Args:
        indices (Union[Tensor, int, list, tuple]): the places; those out of range are moved to its
            ends.
        shape (Union[int, tuple(int)]): the shape of the tensor.
        order (str): ``"C"`` if the last index changes fastest, ``"F"`` if the first does. Default:
            ``"C"``.

    Returns: tuple of Tensors, one for each dimension; a Tensor for a number in one dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `order` is another word.
    Difference from PyTorch: places out of range are no error; `order` may be given.

    >>> import agar.numpy as mnp
    >>> rows, columns = mnp.unravel_index(mnp.array([22, 41]), (7, 6))
    >>> print(rows, columns)
    [3 6] [4 5]
    """
    places = array("unravel_index", "indices", indices)
    if order not in ("C", "F"):
        raise ValueError(f"For 'numpy.unravel_index', 'order' must be 'C' or 'F', not {order!r}.")
    lengths = sizes("numpy.unravel_index", shape)
    total = math.prod(lengths)
    if total == 0:
        raise ValueError(
            f"For 'numpy.unravel_index', 'shape' must have no zero, but got {shape!r}."
        )
    kind = promoted_type(places.dtype, torch.int32)
    rest = places.to(torch.int64).clamp(-total, total - 1).remainder(total)
    items = []
    for length in lengths if order == "F" else reversed(lengths):
        items.append(rest.remainder(length).to(kind))
        rest = torch.div(rest, length, rounding_mode="floor")
    if places.ndim == 0 and len(lengths) == 1:
        return items[0].reshape(1)
    return tuple(items if order == "F" else reversed(items))
