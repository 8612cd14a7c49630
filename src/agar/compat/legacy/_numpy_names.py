"""Names of numpy that programs take from ``mindspore.numpy``, which never had them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import mtrand

import agar as ms
from agar import numpy as mnp
from agar import ops
from agar.common import dtype as mstype

__all__ = [
    "astype",
    "complexfloating",
    "dtype",
    "finfo",
    "flatnonzero",
    "floating",
    "issubdtype",
    "mtrand",
    "sliding_window_view",
    "solve",
    "svd",
]

dtype = np.dtype
floating = np.floating
complexfloating = np.complexfloating


def _numpys(dtype: Any) -> Any:
    return mstype.dtype_to_nptype(dtype) if isinstance(dtype, mstype.Type) else dtype


def astype(x: Any, dtype: Any) -> Any:
    """A Tensor of another dtype."""
    return x.astype(dtype)


def finfo(dtype: Any) -> Any:
    """numpy's limits of a floating-point dtype."""
    return np.finfo(_numpys(dtype))


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a dtype is of a kind, as numpy's function says."""
    return bool(np.issubdtype(_numpys(arg1), _numpys(arg2)))


def flatnonzero(a: Any) -> Any:
    """Places of what is not 0 in the flattened Tensor."""
    return ops.nonzero(mnp.ravel(a)).reshape((-1,))


def solve(a: Any, b: Any) -> Any:
    """The solution of ``a @ x = b``."""
    column = b.ndim == 1
    x = ops.matmul(ops.inverse(a), ops.expand_dims(b, -1) if column else b)
    return ops.squeeze(x, -1) if column else x


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """numpy's order of the parts: u, the singular values, and v transposed."""
    if not compute_uv:
        return ops.svd(a, full_matrices=full_matrices, compute_uv=False)
    values, u, v = ops.svd(a, full_matrices=full_matrices)
    return u, values, ops.swapaxes(v, -1, -2)


def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> Any:
    """The windows of a Tensor along axes, which come last."""
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if len(sizes) != len(axes):
        raise ValueError(
            "For 'sliding_window_view', there must be a window size for each of the axes, but got "
            f"{sizes} for {axes}."
        )
    for place, size in zip(axes, sizes, strict=True):
        starts = np.arange(x.shape[place] - size + 1)[:, None] + np.arange(size)
        rows = ops.gather(x, ms.Tensor(starts, mstype.int64), place)
        x = ops.moveaxis(rows, place % x.ndim + 1, -1)
    return x
