"""Dropout of elements and of whole channels."""

from __future__ import annotations

import warnings
from typing import Any

from agar._core import dtype as mstype
from agar._core import random
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, number
from agar.ops.nn.dropout import channel_dropout_layer, dropout_layer

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout2dExt", "Dropout3d", "DropoutExt"]


class _StreamLayer(Cell):
    """A layer with random numbers of its own: one stream, from the seeds at its construction."""

    def _open_stream(self, operator: str) -> None:
        self._stream = random.Stream(*random.next_pair(0, operator), operator)


class Dropout(_StreamLayer):
    r"""Set elements to zero at random while training, and scale the others by 1 / (1 - p).

    The layer takes its seeds when it is made (``ms.set_seed`` before fixes them) and draws from one
    continuing stream for every shape and type of input.

    Args:
        keep_prob (float): the probability that an element is kept, in (0, 1]. Deprecated. Default:
            0.5.
        p (Union[float, int]): probability that an element is dropped, in [0, 1). Default: None,
            `keep_prob` counts.
        dtype (mindspore.dtype): kept for compatibility. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - floating point while training.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training, or when
    nothing would be dropped.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: **the first argument is the probability of keeping an element**, use
    ``p=``; a new layer is in evaluation mode; other random numbers; p = 1 is an error.

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
        op_name = self.cls_name
        if not isinstance(p, float):
            raise TypeError(
                f"For '{op_name}', the type of 'p' should be 'float', but got type "
                f"'{type(p).__name__}'."
            )
        if not 0 <= p <= 1:
            raise ValueError(
                f"For '{op_name}', the 'p' must be a number in range [0, 1], but got {p}."
            )
        self.prob = p
        self.keep_prob = 1.0 - p
        self._open_stream("Dropout3D" if self.count == 3 else "Dropout2D")

    def construct(self, x: Tensor) -> Tensor:
        if not self.training or self.prob == 0:
            return x
        return channel_dropout_layer(x, self.count, self.keep_prob, self._stream)


class Dropout1d(_ChannelDropout):
    r"""Set whole channels of sequences to zero at random while training, and scale the others.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is not a float.
        ValueError: `p` is out of range, or the input has the wrong rank.

    Difference from PyTorch: a new layer is in evaluation mode; other random numbers.

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

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is not a float.
        ValueError: `p` is out of range, or the input has the wrong rank.

    Difference from PyTorch: a new layer is in evaluation mode; other random numbers; prints the
    probability of keeping a channel. (MindSpore 2.10 never seeds these numbers; here
    ``ms.set_seed`` does.)

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> ms.nn.Dropout2d(p=0.25)
        Dropout2d(p=0.75)
    """

    count = 2

    def extend_repr(self) -> str:
        """The probability of keeping a channel, which MindSpore prints as p."""
        return f"p={self.keep_prob}"


class Dropout3d(_ChannelDropout):
    r"""Set whole channels of volumes to zero at random while training, and scale the others.

    Args:
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: `p` is not a float.
        ValueError: `p` is out of range, or the input has the wrong rank.

    Difference from PyTorch: a new layer is in evaluation mode; other random numbers; prints the
    probability of keeping a channel. (MindSpore 2.10 never seeds these numbers; here
    ``ms.set_seed`` does.)

    Source: Tompson et al. 2015, "Efficient Object Localization Using Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> ms.nn.Dropout3d(p=0.25)
        Dropout3d(p=0.75)
    """

    count = 3

    def extend_repr(self) -> str:
        """The probability of keeping a channel, which MindSpore prints as p."""
        return f"p={self.keep_prob}"


class DropoutExt(_StreamLayer):
    r"""Set elements to zero at random while training, with PyTorch's arguments.

    Args:
        p (float): probability that an element is dropped, in [0, 1]. Default: 0.5.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **input** (Tensor) - floating point while training.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `p` is out of range.

    Difference from PyTorch: a new layer is in evaluation mode; other random numbers.

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

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the input itself when not training.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `p` is out of range, or the input has the wrong rank.

    Difference from PyTorch: a new layer is in evaluation mode; other random numbers.

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
        if not self.training or self.p == 0:
            return input
        out = channel_dropout_layer(input, 2, 1.0 - self.p, self._stream)
        return input.copy_(out) if self.inplace else out
