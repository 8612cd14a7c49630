"""Convolutions of small pictures as matrix products.

oneDNN's kernels for convolutions work along the rows of a picture. On a grid of a few points most
of that is empty: 512 channels on 2x2 points run at a quarter of the speed of a matrix product. Two
products do the same work:

- ``"gathered"``: what each output sees is copied into a row, and one product serves all outputs.
- ``"dense"``: where every output sees the whole picture, the convolution is a layer over all of it.
  There are no zeros in its weight, so an infinite number spreads no further than before.

Both are series of operators that stand for one, so a benchmark decides where they gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import Meta, Ref
from agar._core.graph.passes.prologue import Division

__all__ = ["ProductForm", "product_forms"]

aten = torch.ops.aten

#: Points of an output's grid up to which gathering may gain; with strides, kernels waste more.
_SMALL_GRID, _SMALL_GRID_STRIDED = 16, 64

#: An operator over the value before it: the operator, and its arguments behind that value.
Step = tuple[Any, tuple[Any, ...]]


class ProductForm:
    """A convolution as a matrix product.

    Attributes:
        before: from the picture, in channels-last memory, to the rows of the product.
        rows: how many there are.
        inner: the length of a row.
        columns: of the product.
        after: from the product to the convolution's result, in channels-last memory.
    """

    def __init__(
        self,
        before: list[Step],
        rows: int,
        inner: int,
        columns: int,
        after: list[Step],
        derive: Callable[[Division, int], int],
        repeats: int,
    ) -> None:
        self.before = before
        self.rows = rows
        self.inner = inner
        self.columns = columns
        self.after = after
        self._derive = derive
        self._repeats = repeats

    def weight(self, work: Division, weight: int) -> int:
        """The weight of the product in oneDNN's order, made in the prologue."""
        plain = self._derive(work, weight)
        return work.derive(torch.ops.mkldnn._reorder_linear_weight.default, Ref(plain), self.rows)

    def bias(self, work: Division, bias: int) -> int:
        """The bias of the product, made in the prologue."""
        if self._repeats == 1:
            return bias
        return work.derive(aten.repeat.default, Ref(bias), [self._repeats], shape=(self.columns,))

    def runner(self, like: Meta, biased: bool, attribute: Sequence[Any]) -> Callable[..., Any]:
        """The whole as a function of the picture, over weights of ones, for timing."""
        weight = torch.ones(self.columns, self.inner, dtype=like.dtype)
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, self.rows)
        bias = torch.ones(self.columns, dtype=like.dtype) if biased else None
        linear = torch.ops.mkldnn._linear_pointwise.default

        def run(x: torch.Tensor) -> torch.Tensor:
            for func, args in self.before:
                x = func(x, *args)
            x = linear(x, packed, bias, *attribute)
            for func, args in self.after:
                x = func(x, *args)
            return x

        return run


def product_forms(arguments: dict[str, Any], x: Meta, weight: Meta, out: Meta) -> dict[str, Any]:
    """The forms by name that a convolution with these arguments has; usually none.

    Args:
        arguments: of ``aten.convolution`` by name, each number of geometry given for both
            dimensions.
        x: of the picture.
        weight: of the convolution's weight.
        out: of its result.
    """
    unfit = arguments["transposed"] or arguments["groups"] != 1 or len(x.shape) != 4
    if unfit or any(n != 1 for n in arguments["dilation"]):
        return {}
    geometry = _Geometry(arguments, x, weight, out)
    forms = {}
    if geometry.sees_everything():
        forms["dense"] = geometry.dense()
    strided = max(geometry.stride) > 1
    if geometry.points <= (_SMALL_GRID_STRIDED if strided else _SMALL_GRID):
        forms["gathered"] = geometry.gathered()
    return forms


class _Geometry:
    def __init__(self, arguments: dict[str, Any], x: Meta, weight: Meta, out: Meta) -> None:
        self.batch, self.channels, *self.size = x.shape
        self.outputs, _, *self.kernel = weight.shape
        self.grid = list(out.shape[2:])
        self.points = math.prod(self.grid)
        self.stride = list(arguments["stride"])
        self.padding = list(arguments["padding"])

    def sees_everything(self) -> bool:
        """Whether the kernel covers the picture wherever it stands."""
        return all(
            n - 1 + p < k and (g - 1) * s <= p
            for n, k, g, s, p in zip(
                self.size, self.kernel, self.grid, self.stride, self.padding, strict=True
            )
        )

    def _result(self) -> list[Step]:
        if self.points == 1:  # every layout is the same, and has the strides of a plain one
            return [(aten.view.default, ([self.batch, self.outputs, 1, 1],))]
        shape = [self.batch, *self.grid, self.outputs]
        return [(aten.view.default, (shape,)), (aten.permute.default, ([0, 3, 1, 2],))]

    def dense(self) -> ProductForm:
        inner = self.channels * math.prod(self.size)
        turned = (aten.permute.default, ([0, 2, 3, 1],))
        joined = (aten.reshape.default, ([self.batch, inner],))
        columns = self.points * self.outputs

        def derive(work: Division, weight: int) -> int:
            (height, width), o, c = self.size, self.outputs, self.channels
            last = _channels_behind(work, weight, (o, *self.kernel, c))
            parts = []
            for row in range(self.grid[0]):
                for column in range(self.grid[1]):
                    top = self.padding[0] - row * self.stride[0]
                    left = self.padding[1] - column * self.stride[1]
                    cut = work.derive(
                        aten.slice.Tensor,
                        *(Ref(last), 1, top, top + height),
                        shape=(o, height, self.kernel[1], c),
                    )
                    cut = work.derive(
                        aten.slice.Tensor,
                        *(Ref(cut), 2, left, left + width),
                        shape=(o, height, width, c),
                    )
                    parts.append(Ref(cut))
            whole = work.derive(aten.cat.default, parts, shape=(columns, height, width, c))
            return work.derive(
                aten.reshape.default, Ref(whole), [columns, inner], shape=(columns, inner)
            )

        rows = self.batch
        return ProductForm(
            [turned, joined], rows, inner, columns, self._result(), derive, self.points
        )

    def gathered(self) -> ProductForm:
        (high, wide), (down, right) = self.kernel, self.stride
        inner, rows = high * wide * self.channels, self.batch * self.points
        before: list[Step] = []
        if any(self.padding):
            p, q = self.padding
            before.append((aten.constant_pad_nd.default, ([q, q, p, p], 0.0)))
        before.append((aten.permute.default, ([0, 2, 3, 1],)))
        if (high, wide, down, right) != (1, 1, 1, 1):
            before.append((aten.unfold.default, (1, high, down)))
            before.append((aten.unfold.default, (2, wide, right)))
            before.append((aten.permute.default, ([0, 1, 2, 4, 5, 3],)))
        before.append((aten.reshape.default, ([rows, inner],)))

        def derive(work: Division, weight: int) -> int:
            o = self.outputs
            last = _channels_behind(work, weight, (o, high, wide, self.channels))
            return work.derive(aten.reshape.default, Ref(last), [o, inner], shape=(o, inner))

        return ProductForm(before, rows, inner, self.outputs, self._result(), derive, 1)


def _channels_behind(work: Division, weight: int, shape: tuple[int, ...]) -> int:
    """A weight with the channels of the picture as its last dimension."""
    turned = work.derive(aten.permute.default, Ref(weight), [0, 2, 3, 1], shape=shape)
    return work.derive(aten.contiguous.default, Ref(turned), shape=shape)
