"""The support module for einops: its operations on MindSpore's tensors.

einops finds a backend by the subclasses of its AbstractBackend, which is its documented way to
support another library. The text goes beside the converted files.
"""

from __future__ import annotations

__all__ = ["TEXT"]

TEXT = '''"""einops on tensors of {package}: a backend, and its layers as Cells."""

import {package} as ms
from einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops._backends import AbstractBackend
from einops.layers import RearrangeMixin, ReduceMixin
from {package} import Tensor, nn, ops

__all__ = [
    "Rearrange", "Reduce", "einsum", "pack", "parse_shape", "rearrange", "reduce", "repeat",
    "unpack",
]


class _Backend(AbstractBackend):
    framework_name = "{package}"

    def is_appropriate_type(self, tensor):
        return isinstance(tensor, Tensor)

    def from_numpy(self, x):
        return Tensor(x)

    def to_numpy(self, x):
        return x.asnumpy()

    def arange(self, start, stop):
        return ops.arange(start, stop)

    def shape(self, x):
        return tuple(x.shape)

    def reshape(self, x, shape):
        return ops.reshape(x, tuple(int(n) for n in shape))

    def transpose(self, x, axes):
        return ops.permute(x, tuple(axes))

    def reduce(self, x, operation, axes):
        for axis in sorted(axes, reverse=True):
            if operation == "sum":
                x = ops.sum(x, axis)
            elif operation == "mean":
                x = ops.mean(x, axis)
            elif operation == "max":
                x = ops.amax(x, axis)
            elif operation == "min":
                x = ops.amin(x, axis)
            elif operation == "prod":
                x = ops.prod(x, axis)
            elif operation == "any":
                x = ops.any(x, axis)
            elif operation == "all":
                x = ops.all(x, axis)
            else:
                raise NotImplementedError(f"einops asks for the reduction {{operation!r}}")
        return x

    def stack_on_zeroth_dimension(self, tensors):
        return ops.stack(list(tensors), 0)

    def tile(self, x, repeats):
        return ops.tile(x, tuple(repeats))

    def add_axes(self, x, n_axes, pos2len):
        repeats = [1] * n_axes
        for position, length in pos2len.items():
            x = ops.expand_dims(x, position)
            repeats[position] = int(length)
        return ops.tile(x, tuple(repeats))

    def add_axis(self, x, new_position):
        return ops.expand_dims(x, new_position)

    def concat(self, tensors, axis):
        return ops.cat(list(tensors), axis)

    def is_float_type(self, x):
        return x.dtype in (ms.float16, ms.float32, ms.float64, ms.bfloat16)

    def einsum(self, pattern, *x):
        return ops.einsum(pattern, *x)


class Rearrange(RearrangeMixin, nn.Cell):
    """einops' Rearrange as a Cell."""

    def construct(self, x):
        return self._apply_recipe(x)


class Reduce(ReduceMixin, nn.Cell):
    """einops' Reduce as a Cell."""

    def construct(self, x):
        return self._apply_recipe(x)
'''
