"""Dense layers, dropout, and layers that move, select or measure elements."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer._dropout import (
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout2dExt,
    Dropout3d,
    DropoutExt,
)
from agar.nn.layer._linear import Dense, Linear
from agar.ops._checks import boolean, choice, int_tuple, integer, number

__all__ = [
    "ClipByNorm",
    "Dense",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout2dExt",
    "Dropout3d",
    "DropoutExt",
    "Flatten",
    "Identity",
    "L1Regularizer",
    "Linear",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixSetDiag",
    "Norm",
    "OneHot",
    "Pad",
    "Roll",
    "Tril",
    "Triu",
    "Unflatten",
    "Unfold",
    "Upsample",
]


# -------------------------------------------------------------------------------- dropout


# ---------------------------------------------------------------------------------- dense


# ---------------------------------------------------------------------------------- shape


class Flatten(Cell):
    r"""Flatten consecutive axes into one.

    Args:
        start_dim (int): the first axis to flatten. Default: 1.
        end_dim (int): the last axis to flatten. Default: -1.

    Inputs:
        - **x** (Tensor) - any dtype.

    Outputs: Tensor that shares the input's memory where it can.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an axis is out of the input's range, or `start_dim` comes after `end_dim`.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Flatten()(ms.ops.ones((2, 3, 4))).shape
        (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = integer("Flatten", "start_dim", start_dim)
        self.end_dim = integer("Flatten", "end_dim", end_dim)

    def construct(self, x: Tensor) -> Tensor:
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    r"""Split an axis into several.

    Args:
        axis (int): the axis that is split.
        unflattened_size (Union[tuple[int], list[int]]): the sizes in its place; one may be -1.

    Inputs:
        - **x** (Tensor) - any dtype.

    Outputs: Tensor that shares the input's memory where it can.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the sizes do not fit the axis.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Unflatten(1, (2, 3))(ms.ops.ones((4, 6))).shape
        (4, 2, 3)
    """

    def __init__(self, axis: int, unflattened_size: Any) -> None:
        super().__init__()
        self.axis = integer("Unflatten", "axis", axis)
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "For 'Unflatten', the type of 'unflattened_size' should be one of '['list', "
                f"'tuple']', but got type '{type(unflattened_size).__name__}'."
            )
        for size in unflattened_size:
            integer("Unflatten", "unflattened_size", size)
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, x: Tensor) -> Tensor:
        shape = x.shape
        if not -len(shape) <= self.axis < len(shape):
            raise ValueError(
                f"For 'Unflatten', the axis must be in [{-len(shape)}, {len(shape)}) for an input "
                f"of shape {shape}, but got {self.axis}."
            )
        axis = self.axis % len(shape)
        return ops.reshape(x, (*shape[:axis], *self.unflattened_size, *shape[axis + 1 :]))


class Identity(Cell):
    r"""Return the input.

    Args:
        args: anything, not used.
        kwargs: anything, not used.

    Inputs:
        - **input** (Any) - returned as it is.

    Outputs: the input.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Identity(54, unused=True)(ms.Tensor([1.0])))
        [1.]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return input


class Roll(Cell):
    r"""Roll elements along axes; those shifted past the end reappear at the beginning.

    Args:
        shift (Union[int, tuple[int], list[int]]): the number of positions, one for each axis.
        axis (Union[int, tuple[int], list[int]]): the axes.

    Inputs:
        - **input_x** (Tensor) - any dtype.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the numbers of shifts and axes differ, or an axis is out of range.

    Difference from PyTorch: ``torch.roll`` is a function.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Roll(1, 0)(ms.Tensor([1, 2, 3])))
        [3 1 2]
    """

    def __init__(self, shift: Any, axis: Any) -> None:
        super().__init__()
        for name, value in (("shift", shift), ("axis", axis)):
            if type(value) is bool or not isinstance(value, (int, tuple, list)):
                raise TypeError(
                    f"For 'Roll', the type of '{name}' should be one of '['int', 'tuple', 'list']',"
                    f" but got type '{type(value).__name__}'."
                )
        self.shift = (shift,) if isinstance(shift, int) else tuple(shift)
        self.axis = (axis,) if isinstance(axis, int) else tuple(axis)
        if len(self.shift) != len(self.axis):
            raise ValueError(
                f"For 'Roll', there must be as many shifts as axes, but got {shift} and {axis}."
            )

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    r"""Keep the lower triangle of matrices; the elements above it become zero.

    Inputs:
        - **x** (Tensor) - shape :math:`(*, M, N)`.
        - **k** (int) - the last diagonal that is kept; 0 is the main one. Default: 0.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `k` is not an int.
        ValueError: the input has fewer than two dimensions.

    Difference from PyTorch: ``torch.tril`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tril()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        return ops.tril(x, k)


class Triu(Cell):
    r"""Keep the upper triangle of matrices; the elements below it become zero.

    Inputs:
        - **x** (Tensor) - shape :math:`(*, M, N)`.
        - **k** (int) - the first diagonal that is kept; 0 is the main one. Default: 0.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `k` is not an int.
        ValueError: the input has fewer than two dimensions.

    Difference from PyTorch: ``torch.triu`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Triu()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        return ops.triu(x, k)


class MatrixDiag(Cell):
    r"""Matrices with the input's last axis as their diagonals.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(*, N)`.

    Outputs: Tensor of shape :math:`(*, N, N)`.

    Difference from PyTorch: ``torch.diag_embed`` is a function.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MatrixDiag()(ms.Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.matrix_diag(input_x)


class MatrixDiagPart(Cell):
    r"""The diagonals of matrices.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(*, M, N)`.

    Outputs: Tensor of shape :math:`(*, \min(M, N))`.

    Difference from PyTorch: ``torch.diagonal`` is a function.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MatrixDiagPart()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.matrix_diag_part(input_x, 0, ops.zeros((), input_x.dtype))


class MatrixSetDiag(Cell):
    r"""Replace the diagonals of matrices.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(*, M, N)`.
        - **diagonal** (Tensor) - shape :math:`(*, \min(M, N))`.

    Outputs: Tensor of the shape of x.

    Difference from PyTorch: ``torch.diagonal_scatter`` is a function.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MatrixSetDiag()(ms.ops.ones((2, 2)), ms.Tensor([5.0, 6.0])))
        [[5. 1.]
         [1. 6.]]
    """

    def construct(self, input_x: Tensor, diagonal: Tensor) -> Tensor:
        return ops.matrix_set_diag(input_x, diagonal)


# ----------------------------------------------------------------------------- measures


class ClipByNorm(Cell):
    r"""Scale the input down so that its norm does not exceed a bound.

    .. math:: out = x \cdot clip / \max(\|x\|_2, clip)

    Args:
        axis (Union[int, tuple[int], list[int]]): the axes over which norms are taken. Default:
            None, all.

    Inputs:
        - **x** (Tensor) - floating point, any shape.
        - **clip_norm** (Tensor) - the bound, of shape :math:`()` or one that broadcasts with that
          of `x`.

    Outputs: Tensor of the input's shape.

    Raises:
        TypeError: `axis` has the wrong type, or an input is not a Tensor.
        ValueError: an axis is out of range.

    Difference from PyTorch: no counterpart.

    Source: Pascanu et al. 2013, "On the Difficulty of Training Recurrent Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ClipByNorm()(ms.Tensor([3.0, 4.0]), ms.Tensor(1.0)))
        [0.6 0.8]
    """

    def __init__(self, axis: Any = None) -> None:
        super().__init__()
        if axis is not None and (type(axis) is bool or not isinstance(axis, (int, tuple, list))):
            raise TypeError(
                "For 'ClipByNorm', the type of 'axis' should be one of '['int', 'tuple', 'list']', "
                f"but got type '{type(axis).__name__}'."
            )
        self.axis = tuple(axis) if isinstance(axis, list) else axis

    def construct(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        if not isinstance(x, Tensor) or not isinstance(clip_norm, Tensor):
            raise TypeError(
                "For 'ClipByNorm', the input args must be tensor, but got "
                f"{type(x).__name__} and {type(clip_norm).__name__}."
            )
        square = ops.square(x)
        axis = tuple(range(x.ndim)) if self.axis is None else self.axis
        total = ops.sum(square, axis, keepdim=True) if x.ndim else square
        # zeros have no direction: their root is replaced, so that its gradient is not infinite
        positive = total > 0
        norm = ops.where(positive, ops.sqrt(ops.where(positive, total, 1.0)), total)
        return x * clip_norm / ops.maximum(norm, clip_norm)


class Norm(Cell):
    r"""Euclidean norm: :math:`out = \sqrt{\sum x^2}`.

    Args:
        axis (Union[int, tuple[int]]): the axes. Default: (), all.
        keep_dims (bool): whether the reduced axes are kept, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - floating point.

    Outputs: Tensor of the norms.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an axis is out of range.

    Difference from PyTorch: ``torch.linalg.vector_norm`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Norm(axis=0)(ms.Tensor([3.0, 4.0])))
        5.0
    """

    def __init__(self, axis: Any = (), keep_dims: bool = False) -> None:
        super().__init__()
        if type(axis) is bool or not isinstance(axis, (int, tuple, list)):
            raise TypeError(
                "For 'Norm', the type of 'axis' should be one of '[list of int, int, tuple of "
                f"int]', but got {type(axis).__name__}."
            )
        self.axis = axis
        self.keep_dims = boolean("Norm", "keep_dims", keep_dims)

    def construct(self, x: Tensor) -> Tensor:
        axis = tuple(range(x.ndim)) if self.axis == () or self.axis == [] else self.axis
        return ops.sqrt(ops.sum(ops.square(x), axis, keepdim=self.keep_dims))

    def extend_repr(self) -> str:
        """The options."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class L1Regularizer(Cell):
    r"""Sum of absolute values, scaled: :math:`out = scale \cdot \sum |w|`.

    Args:
        scale (Union[int, float]): the factor, positive.

    Inputs:
        - **weights** (Tensor) - floating point.

    Outputs: Tensor without dimensions.

    Raises:
        TypeError: `scale` is not a number.
        ValueError: `scale` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.L1Regularizer(0.5)(ms.Tensor([1.0, -2.0])))
        1.5
    """

    def __init__(self, scale: float) -> None:
        super().__init__()
        if number("L1Regularizer", "scale", scale) <= 0 or math.isinf(scale):
            raise ValueError(
                f"For 'L1Regularizer', the 'scale' must be greater than 0, but got {scale}."
            )
        self.scale = scale

    def construct(self, weights: Tensor) -> Tensor:
        return ops.sum(ops.abs(weights)) * self.scale


class OneHot(Cell):
    r"""One-hot vectors: :math:`out_{i,k} = on` where :math:`k = x_i`, else `off`.

    Args:
        axis (int): where the new axis is put. Default: -1, at the end.
        depth (int): the size of the new axis. Default: 1.
        on_value (float): the value at the index. Default: 1.0.
        off_value (float): the value everywhere else. Default: 0.0.
        dtype (mindspore.dtype): type of the output. Default: ``float32``.

    Inputs:
        - **indices** (Tensor) - int32 or int64; indices out of range give rows of `off_value`.

    Outputs: Tensor with one more axis.

    Raises:
        TypeError: an argument has the wrong type, or the indices are not integers.
        ValueError: `axis` is out of range.

    Difference from PyTorch: ``torch.nn.functional.one_hot`` returns int64 and infers the depth.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.OneHot(depth=3)(ms.Tensor([0, 2])))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """

    def __init__(
        self,
        axis: int = -1,
        depth: int = 1,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.axis = integer("OneHot", "axis", axis)
        self.depth = integer("OneHot", "depth", depth, 0)
        self.dtype = dtype
        self.on_value = on_value
        self.off_value = off_value

    def construct(self, indices: Tensor) -> Tensor:
        kind = self.dtype
        on, off = Tensor(self.on_value, kind), Tensor(self.off_value, kind)
        return ops.one_hot(indices, self.depth, on, off, self.axis)


# -------------------------------------------------------------------------------- images


class Pad(Cell):
    r"""Pad the input.

    Args:
        paddings (tuple): a pair (before, after) for every axis.
        mode (str): ``CONSTANT`` (zeros), ``REFLECT`` (mirrored, the border once) or ``SYMMETRIC``
            (mirrored, the border twice). Default: ``"CONSTANT"``.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs: Tensor of the padded shape.

    Raises:
        TypeError: `paddings` is not a tuple.
        ValueError: `paddings` is not of shape (n, 2), does not fit the input, or the mode is
            unknown.

    Difference from PyTorch: ``torch.nn.functional.pad`` takes the last dimension first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Pad(((0, 0), (1, 2)), "SYMMETRIC")(ms.Tensor([[1.0, 2.0]])))
        [[1. 1. 2. 2. 1.]]
    """

    def __init__(self, paddings: Any, mode: str = "CONSTANT") -> None:
        super().__init__()
        if not isinstance(paddings, tuple):
            raise TypeError(
                "For 'Pad', the type of 'paddings' must be tuple, but got "
                f"{type(paddings).__name__}."
            )
        if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in paddings):
            raise ValueError(
                f"For 'Pad', the dimension of 'paddings' must be (n, 2), but got {paddings}."
            )
        self.mode = choice("Pad", "mode", mode, ("CONSTANT", "REFLECT", "SYMMETRIC"))
        self.paddings = paddings
        self.pad: Any
        self.pad = ops.Pad(paddings=paddings) if mode == "CONSTANT" else ops.MirrorPad(mode=mode)

    def construct(self, x: Tensor) -> Tensor:
        return self.pad(x) if self.mode == "CONSTANT" else self.pad(x, self.paddings)


class Unfold(Cell):
    r"""Extract patches of images into channels.

    Args:
        ksizes (Union[tuple[int], list[int]]): size of a patch, [1, rows, columns, 1].
        strides (Union[tuple[int], list[int]]): stride between patches, [1, rows, columns, 1].
        rates (Union[tuple[int], list[int]]): spacing between the elements of a patch, [1, rows,
            columns, 1].
        padding (str): ``valid`` or ``same``, case-insensitive. Default: ``"valid"``.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of shape :math:`(N, rows \cdot columns \cdot C, H_{out}, W_{out})`; channel
    (i, j, c) has the element (i, j) of the patches of channel c.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a list has the wrong form, or the padding is unknown.

    Difference from PyTorch: ``torch.nn.Unfold`` puts the channel first and flattens the positions.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> unfold = ms.nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])
        >>> unfold(ms.ops.ones((1, 3, 4, 4))).shape
        (1, 12, 3, 3)
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> None:
        super().__init__()
        inner = []
        for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            if not isinstance(value, (tuple, list)):
                raise TypeError(
                    f"For 'Unfold', the type of '{name}' must be tuple or list, but got "
                    f"{type(value).__name__}."
                )
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                word = name.rstrip("s").rstrip("e") if name == "ksizes" else name.rstrip("s")
                raise ValueError(
                    f"For 'Unfold' the format of '{name}' must be [1, {word}_row, {word}_col, 1], "
                    f"but got {value}."
                )
            inner.append(int_tuple("Unfold", name, tuple(value[1:3]), 2))
        if not isinstance(padding, str):
            raise TypeError(
                f"For 'Unfold', 'padding' must be str, but got {type(padding).__name__}."
            )
        mode = choice("Unfold", "padding", padding.upper(), ("VALID", "SAME"))
        k, s, r = ((1, 1, *pair) for pair in inner)
        self.extract_image_patches = ops.ExtractImagePatches(k, s, r, mode)

    def construct(self, input_x: Tensor) -> Tensor:
        return self.extract_image_patches(input_x)


class Upsample(Cell):
    r"""Resize sequences, images or volumes; see ``ops.interpolate``.

    Args:
        size (Union[int, tuple[int], list[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): sizes of the output as multiples of
            the input's. Default: None. One of the two must be given.
        mode (str): ``nearest``, ``linear``, ``bilinear``, ``bicubic``, ``trilinear``, ``area`` or
            ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the centers of the corner pixels are aligned; for the linear
            and cubic modes. Default: None, False.
        recompute_scale_factor (bool): whether the scale is recomputed from the output size.
            Default: None, False.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs: Tensor of the new size.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit the mode or the input.

    Difference from PyTorch: `scale_factor` needs ``recompute_scale_factor=True`` for inputs of rank
    3 and 4, except in mode ``area``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Upsample(size=(4, 6), mode="bilinear")(ms.ops.ones((1, 2, 2, 3))).shape
        (1, 2, 4, 6)
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, x: Tensor) -> Tensor:
        return ops.interpolate(
            x,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )


# the path under which users and pickles know them
for _public in (
    Dense,
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout2dExt,
    Dropout3d,
    DropoutExt,
    Linear,
):
    _public.__module__ = __name__
