"""Dense layers, dropout, and layers that move, select or measure elements."""

from __future__ import annotations

import math
import warnings
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core import random
from agar._core.optable import Primitive
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import HeUniform, Uniform, initializer
from agar.nn.cell import Cell
from agar.nn.layer.activation import get_activation
from agar.nn.layer.dense import checked_init
from agar.ops import dense
from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops.nn.dropout import channel_dropout_layer, dropout_layer

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


class _StreamLayer(Cell):
    """A layer with random numbers of its own: one stream, from the seeds at its construction."""

    def _open_stream(self, operator: str) -> None:
        self._stream = random.Stream(*random.next_pair(0, operator), operator)


class Dropout(_StreamLayer):
    r"""Set elements to zero at random while training, and scale the others by 1/(keep share).

    The layer takes its seeds when it is made (``ms.set_seed`` before fixes them) and draws from one
    continuing stream for every shape and type of input.

    Args:
        keep_prob (float): share of elements that is kept, in (0, 1]. Deprecated. Default: 0.5.
        p (Union[float, int]): probability that an element is dropped, in [0, 1). Default: None,
            `keep_prob` counts.
        dtype (mindspore.dtype): kept for compatibility. Default: ``float32``.

    Inputs: x (Tensor), floating point while training.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training, or when
    nothing would be dropped.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: **the first argument is the share that is kept**, use ``p=``; a new
    layer is in evaluation; other random numbers; p = 1 is an error.

    Source: Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
    Overfitting".

    Examples:
        >>> import agar as ms
        >>> drop = ms.nn.Dropout(p=0.5)
        >>> print(drop(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(
        self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = mstype.float32
    ) -> None:
        super().__init__()
        self.p = p
        if p is None:
            if not isinstance(keep_prob, float):
                raise TypeError(
                    "For 'Dropout', the type of 'keep_prob' should be 'float', but got type "
                    f"'{type(keep_prob).__name__}'."
                )
            if not 0 < keep_prob <= 1:
                raise ValueError(
                    "For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got "
                    f"{keep_prob}."
                )
            warnings.warn(
                "For Dropout, the argument 'keep_prob', the share that is kept, is deprecated. "
                f"Write p={round(1 - keep_prob, 12)!r}, the probability of dropping.",
                DeprecationWarning,
                stacklevel=2,
            )
            self.keep_prob = keep_prob
        else:
            if not 0 <= number("Dropout", "p", p) < 1:
                raise ValueError(
                    f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}."
                )
            self.keep_prob = 1.0 - p
        self._open_stream("dropout")

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        if not self.training or self.keep_prob == 1:
            return x
        return dropout_layer(x, self.keep_prob, self._stream)

    def extend_repr(self) -> str:
        """The probability, by the name it was given."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class _ChannelDropout(_StreamLayer):
    count = 0

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        who = self.cls_name
        if not isinstance(p, float):
            raise TypeError(
                f"For '{who}', the type of 'p' should be 'float', but got type "
                f"'{type(p).__name__}'."
            )
        if not 0 <= p <= 1:
            raise ValueError(f"For '{who}', the 'p' must be a number in range [0, 1], but got {p}.")
        self.prob = p
        self.keep_prob = 1.0 - p
        self._open_stream("Dropout3D" if self.count == 3 else "Dropout2D")

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        if not self.training or self.prob == 0:
            return x
        return channel_dropout_layer(x, self.count, self.keep_prob, self._stream)


class Dropout1d(_ChannelDropout):
    r"""Set whole channels of sequences to zero at random while training, and scale the others.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is no float.
        ValueError: `p` is out of range, or the input has another rank.

    Difference from PyTorch: a new layer is in evaluation; other random numbers.

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Dropout1d(p=1.0).set_train()(ms.ops.ones((1, 2, 2))))
        [[[0. 0.]
          [0. 0.]]]
    """

    count = 1


class Dropout2d(_ChannelDropout):
    r"""Set whole channels of images to zero at random while training, and scale the others.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is no float.
        ValueError: `p` is out of range, or the input has another rank.

    Difference from PyTorch: a new layer is in evaluation; other random numbers; prints the share
    that is kept. (MindSpore 2.10 never seeds these numbers; here ``ms.set_seed`` does.)

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> ms.nn.Dropout2d(p=0.25)
        Dropout2d(p=0.75)
    """

    count = 2

    def extend_repr(self) -> str:
        """The share that is kept, which MindSpore prints as p."""
        return f"p={self.keep_prob}"


class Dropout3d(_ChannelDropout):
    r"""Set whole channels of volumes to zero at random while training, and scale the others.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is no float.
        ValueError: `p` is out of range, or the input has another rank.

    Difference from PyTorch: a new layer is in evaluation; other random numbers; prints the share
    that is kept. (MindSpore 2.10 never seeds these numbers; here ``ms.set_seed`` does.)

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> ms.nn.Dropout3d(p=0.25)
        Dropout3d(p=0.75)
    """

    count = 3

    def extend_repr(self) -> str:
        """The share that is kept, which MindSpore prints as p."""
        return f"p={self.keep_prob}"


class DropoutExt(_StreamLayer):
    r"""Set elements to zero at random while training, with PyTorch's arguments.

    Args:
        p (float): probability that an element is dropped, in [0, 1]. Default: 0.5.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs: x (Tensor), floating point while training.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `p` is out of range.

    Difference from PyTorch: a new layer is in evaluation; other random numbers.

    Source: Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
    Overfitting".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.DropoutExt(1.0).set_train()(ms.Tensor([1.0, 2.0])))
        [0. 0.]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= number("DropoutExt", "p", p) <= 1:
            raise ValueError(
                f"For 'DropoutExt', the 'p' must be a number in range [0, 1], but got {p}."
            )
        self.p = p
        self.inplace = boolean("DropoutExt", "inplace", inplace)
        self._open_stream("dropout")

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        if not self.training or self.p == 0:
            return input
        if self.p == 1:
            out = input * 0.0
        else:
            out = dropout_layer(input, 1.0 - self.p, self._stream)
        return input.copy_(out) if self.inplace else out


class Dropout2dExt(_StreamLayer):
    r"""Set whole channels of images to zero at random while training, with PyTorch's arguments.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `p` is out of range, or the input has another rank.

    Difference from PyTorch: a new layer is in evaluation; other random numbers.

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Dropout2dExt(1.0).set_train()(ms.ops.ones((1, 1, 1, 2))))
        [[[[0. 0.]]]]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= number("Dropout2dExt", "p", p) <= 1:
            raise ValueError(
                f"For 'Dropout2dExt', the 'p' must be a number in range [0, 1], but got {p}."
            )
        self.p = p
        self.inplace = boolean("Dropout2dExt", "inplace", inplace)
        self._open_stream("Dropout2D")

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        if not self.training or self.p == 0:
            return input
        out = channel_dropout_layer(input, 2, 1.0 - self.p, self._stream)
        return input.copy_(out) if self.inplace else out


# ---------------------------------------------------------------------------------- dense


class Dense(Cell):
    r"""Fully connected layer: :math:`out = activation(x \cdot W^T + b)`.

    Args:
        in_channels (int): size of the input's last dimension.
        out_channels (int): size of the output's last dimension.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(in_channels).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(in_channels).
        has_bias (bool): whether there is a bias. Default: True.
        activation (Union[str, Cell, Primitive]): what follows; a name as for
            ``nn.get_activation``. Default: None.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs: x (Tensor), shape :math:`(*, C_{in})`.

    Outputs: Tensor of shape :math:`(*, C_{out})`. The parameter `weight` has shape
    :math:`(C_{out}, C_{in})`.

    Raises:
        TypeError: an argument is of a wrong type, or the input's dtype is not the weight's.
        ValueError: an argument is out of range, or a Tensor as initial value of another shape.
        KeyError: there is no activation of that name.

    Difference from PyTorch: ``torch.nn.Linear`` under another name, with `has_bias` and
    `activation`; initial values come before `has_bias`.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.Dense(3, 4, activation="relu")
        >>> layer(ms.ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.in_channels = integer("Dense", "in_channels", in_channels, 1)
        self.out_channels = integer("Dense", "out_channels", out_channels, 1)
        self.has_bias = boolean("Dense", "has_bias", has_bias)
        self.weight, self.bias = _dense_parameters(
            "Dense", in_channels, out_channels, weight_init, bias_init, has_bias, dtype
        )
        if isinstance(activation, str):
            activation = get_activation(activation, "Dense")
        elif activation is not None and not isinstance(activation, (Cell, Primitive)):
            raise TypeError(
                "For 'Dense', the 'activation' must be str or Cell or Primitive, but got "
                f"{type(activation).__name__}."
            )
        self.activation = activation
        self.activation_flag = activation is not None

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        x = dense(x, self.weight, self.bias)
        return x if self.activation is None else self.activation(x)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation_flag:
            text += f", activation={self.activation}"
        return text


def _dense_parameters(
    who: str,
    in_channels: int,
    out_channels: int,
    weight_init: Any,
    bias_init: Any,
    has_bias: bool,
    dtype: Any,
) -> tuple[Parameter, Parameter | None]:
    shape = (out_channels, in_channels)
    checked_init(who, "weight", weight_init, shape)
    if has_bias:
        checked_init(who, "bias", bias_init, (out_channels,))
    init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
    weight = Parameter(initializer(init, shape, dtype), name="weight")
    if not has_bias:
        return weight, None
    init = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
    return weight, Parameter(initializer(init, (out_channels,), dtype), name="bias")


class Linear(Cell):
    r"""Fully connected layer with PyTorch's argument names; see ``nn.Dense``.

    Args:
        in_features (int): size of the input's last dimension.
        out_features (int): size of the output's last dimension.
        bias (bool): whether there is a bias. Default: True.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, as
            for ``nn.Dense``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, as for
            ``nn.Dense``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs: x (Tensor), shape :math:`(*, C_{in})`.

    Outputs: Tensor of shape :math:`(*, C_{out})`.

    Raises:
        TypeError: an argument is of a wrong type, or the input's dtype is not the weight's.
        ValueError: an argument is out of range, or a Tensor as initial value of another shape.

    Difference from PyTorch: none, but for the initial values' arguments.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Linear(3, 4)(ms.ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = integer("Linear", "in_features", in_features, 1)
        self.out_features = integer("Linear", "out_features", out_features, 1)
        self.has_bias = boolean("Linear", "bias", bias)
        self.weight, self.bias = _dense_parameters(
            "Linear",
            in_features,
            out_features,
            weight_init,
            bias_init,
            bias,
            dtype or mstype.float32,
        )

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


# ---------------------------------------------------------------------------------- shape


class Flatten(Cell):
    r"""Join consecutive axes into one.

    Args:
        start_dim (int): the first axis that is joined. Default: 1.
        end_dim (int): the last axis that is joined. Default: -1.

    Inputs: x (Tensor), any dtype.

    Outputs: Tensor that shares the input's memory where it can.

    Raises:
        TypeError: an argument is no int.
        ValueError: an axis is out of the input's range, or `start_dim` is behind `end_dim`.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    r"""Split an axis into several.

    Args:
        axis (int): the axis that is split.
        unflattened_size (Union[tuple[int], list[int]]): the sizes in its place; one may be -1.

    Inputs: x (Tensor), any dtype.

    Outputs: Tensor that shares the input's memory where it can.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: the sizes do not fit the axis.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
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

    Inputs: input, anything.

    Outputs: the input.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Identity(54, unused=True)(ms.Tensor([1.0])))
        [1.]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        return input


class Roll(Cell):
    r"""Move elements along axes; what leaves at the end comes in at the beginning.

    Args:
        shift (Union[int, tuple[int], list[int]]): by how many places, one for each axis.
        axis (Union[int, tuple[int], list[int]]): the axes.

    Inputs: x (Tensor), any dtype.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument is of a wrong type.
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
        """The output; see the class."""
        return ops.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    r"""Keep the lower triangle of matrices; the elements above it become zero.

    Inputs: x (Tensor), shape :math:`(*, M, N)`; k (int), the last diagonal that is kept, by default
    0, the main one.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `k` is no int.
        ValueError: the input has fewer than two dimensions.

    Difference from PyTorch: ``torch.tril`` is a function.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tril()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """The output; see the class."""
        return ops.tril(x, k)


class Triu(Cell):
    r"""Keep the upper triangle of matrices; the elements below it become zero.

    Inputs: x (Tensor), shape :math:`(*, M, N)`; k (int), the first diagonal that is kept, by
    default 0, the main one.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `k` is no int.
        ValueError: the input has fewer than two dimensions.

    Difference from PyTorch: ``torch.triu`` is a function.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Triu()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """The output; see the class."""
        return ops.triu(x, k)


class MatrixDiag(Cell):
    r"""Matrices with the input's last axis as their diagonals.

    Inputs: x (Tensor), shape :math:`(*, N)`.

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
        """The output; see the class."""
        return ops.matrix_diag(input_x)


class MatrixDiagPart(Cell):
    r"""The diagonals of matrices.

    Inputs: x (Tensor), shape :math:`(*, M, N)`.

    Outputs: Tensor of shape :math:`(*, \min(M, N))`.

    Difference from PyTorch: ``torch.diagonal`` is a function.

    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MatrixDiagPart()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return ops.matrix_diag_part(input_x, 0, ops.zeros((), input_x.dtype))


class MatrixSetDiag(Cell):
    r"""Matrices with other diagonals.

    Inputs: x (Tensor), shape :math:`(*, M, N)`; diagonal (Tensor), shape :math:`(*, \min(M, N))`.

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
        """The output; see the class."""
        return ops.matrix_set_diag(input_x, diagonal)


# ----------------------------------------------------------------------------- measures


class ClipByNorm(Cell):
    r"""Scale the input down so that its norm does not exceed a bound.

    .. math:: out = x \cdot clip / \max(\|x\|_2, clip)

    Args:
        axis (Union[int, tuple[int], list[int]]): the axes over which norms are taken. Default:
            None, all.

    Inputs: x (Tensor), floating point; clip_norm (Tensor), the bound, without dimensions or
    broadcastable.

    Outputs: Tensor of the input's shape.

    Raises:
        TypeError: `axis` is of a wrong type, or an input no Tensor.
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
        """The output; see the class."""
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
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs: x (Tensor), floating point.

    Outputs: Tensor of the norms.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an axis is out of range.

    Difference from PyTorch: ``torch.linalg.vector_norm`` is a function.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        axis = tuple(range(x.ndim)) if self.axis == () or self.axis == [] else self.axis
        return ops.sqrt(ops.sum(ops.square(x), axis, keepdim=self.keep_dims))

    def extend_repr(self) -> str:
        """The options."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class L1Regularizer(Cell):
    r"""Sum of absolute values, scaled: :math:`out = scale \cdot \sum |w|`.

    Args:
        scale (Union[int, float]): the factor, positive.

    Inputs: weights (Tensor), floating point.

    Outputs: Tensor without dimensions.

    Raises:
        TypeError: `scale` is no number.
        ValueError: `scale` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        return ops.sum(ops.abs(weights)) * self.scale


class OneHot(Cell):
    r"""Vectors with one element on: :math:`out_{i,k} = on` where :math:`k = x_i`, else `off`.

    Args:
        axis (int): where the new axis is put. Default: -1, at the end.
        depth (int): its size. Default: 1.
        on_value (float): Default: 1.0.
        off_value (float): Default: 0.0.
        dtype (mindspore.dtype): type of the output. Default: ``float32``.

    Inputs: indices (Tensor), int32 or int64; indices out of range give rows that are off.

    Outputs: Tensor with one axis more.

    Raises:
        TypeError: an argument is of a wrong type, or the indices are no integers.
        ValueError: `axis` is out of range.

    Difference from PyTorch: ``torch.nn.functional.one_hot`` gives int64 and finds its depth.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        kind = self.dtype
        on, off = Tensor(self.on_value, kind), Tensor(self.off_value, kind)
        return ops.one_hot(indices, self.depth, on, off, self.axis)


# -------------------------------------------------------------------------------- images


class Pad(Cell):
    r"""Put elements around the input.

    Args:
        paddings (tuple): a pair (before, after) for every axis.
        mode (str): ``CONSTANT`` (zeros), ``REFLECT`` (mirrored, the border once) or ``SYMMETRIC``
            (mirrored, the border twice). Default: ``"CONSTANT"``.

    Inputs: x (Tensor).

    Outputs: Tensor of the larger shape.

    Raises:
        TypeError: `paddings` is no tuple.
        ValueError: `paddings` is not of shape (n, 2), does not fit the input, or an unknown mode.

    Difference from PyTorch: ``torch.nn.functional.pad`` takes the last dimension first.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        return self.pad(x) if self.mode == "CONSTANT" else self.pad(x, self.paddings)


class Unfold(Cell):
    r"""Patches of images as channels.

    Args:
        ksizes (Union[tuple[int], list[int]]): size of a patch, [1, rows, columns, 1].
        strides (Union[tuple[int], list[int]]): step from patch to patch, [1, rows, columns, 1].
        rates (Union[tuple[int], list[int]]): distance between the elements of a patch,
            [1, rows, columns, 1].
        padding (str): ``valid`` or ``same``, in any case of letters. Default: ``"valid"``.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)`.

    Outputs: Tensor of shape :math:`(N, rows \cdot columns \cdot C, H_{out}, W_{out})`; channel
    (i, j, c) has the element (i, j) of the patches of channel c.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a list has another form, or an unknown padding.

    Difference from PyTorch: ``torch.nn.Unfold`` puts the channel first and joins the places.

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
        """The output; see the class."""
        return self.extract_image_patches(input_x)


class Upsample(Cell):
    r"""Resize sequences, images or volumes; see ``ops.interpolate``.

    Args:
        size (Union[int, tuple[int], list[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): sizes of the output as multiples of
            the input's. Default: None. One of the two must be given.
        mode (str): ``nearest``, ``linear``, ``bilinear``, ``bicubic``, ``trilinear``, ``area`` or
            ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centres coincide; for the linear and cubic modes.
            Default: None, False.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None, False.

    Inputs: x (Tensor), shape :math:`(N, C, *)`.

    Outputs: Tensor of the new size.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument does not fit the mode or the input.

    Difference from PyTorch: `scale_factor` needs ``recompute_scale_factor=True`` for inputs of rank
    3 and 4, except in mode ``area``.

    Source: behaviour observed in MindSpore 2.10.

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
        """The output; see the class."""
        return ops.interpolate(
            x,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )
