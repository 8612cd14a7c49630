"""Single steps of recurrent networks: RNNCell, GRUCell, LSTMCell."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap
from agar.common.initializer import Uniform, initializer
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, integer
from agar.ops.nn.recurrent import GATES, step

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(Cell):
    """What the three kinds of cells share: weights and their initial values.

    Args:
        input_size (int): the number of features of the inputs.
        hidden_size (int): the number of features of the states.
        has_bias (bool): whether there are biases.
        num_chunks (int): how many gates the weights hold.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a size is not above 0.

    Difference from PyTorch: ``has_bias``.

    Source: behavior observed in MindSpore 2.10.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool,
        num_chunks: int,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = type(self).__name__
        self.input_size = integer(op_name, "input_size", input_size, 1)
        self.hidden_size = integer(op_name, "hidden_size", hidden_size, 1)
        self.has_bias = boolean(op_name, "has_bias", has_bias)
        rows = num_chunks * hidden_size
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (rows, input_size),
            "weight_hh": (rows, hidden_size),
        }
        if has_bias:
            shapes.update(bias_ih=(rows,), bias_hh=(rows,))
        else:
            self.bias_ih = self.bias_hh = None
        for name, shape in shapes.items():
            # MindSpore draws normal numbers first and then overwrites them; the next layer's
            # weights depend on how far numpy's generator has moved
            np.random.randn(*shape)
            zeros = Tensor(np.zeros(shape, np.float32), dtype=dtype)
            setattr(self, name, Parameter(zeros, name=name))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r"""Draw all weights anew from :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`."""
        bound = Uniform(1 / self.hidden_size**0.5)
        for p in self.get_parameters():
            p.set_data(initializer(bound, p.shape, p.dtype))

    def _zeros(self, x: Tensor) -> Tensor:
        """The state that stands for none."""
        if not isinstance(x, Tensor):
            raise TypeError(
                f"For '{type(self).__name__}', 'x' must be a Tensor, but got {describe(x)}."
            )
        zeros = x._value.new_zeros((*x._value.shape[:-1], self.hidden_size))
        return wrap(zeros)

    def _run(self, mode: str, x: Tensor, h: Tensor, c: Tensor | None) -> Any:
        weights = [self.weight_ih, self.weight_hh]
        if self.has_bias:
            weights += [self.bias_ih, self.bias_hh]
        return step[mode](mode, x, h, c, weights)


class RNNCell(RNNCellBase):
    r"""One step of an Elman recurrent network.

    .. math::
        h' = f(W_{ih} x + b_{ih} + W_{hh} h + b_{hh})

    Weights start as :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): the number H of features of the state.
        has_bias (bool): whether there are biases. Default: True.
        nonlinearity (str): the function f, ``"tanh"`` or ``"relu"``. Default: ``"tanh"``.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, input\_size)` or :math:`(input\_size,)`.
        - **hx** (Tensor) - the state, shape :math:`(N, H)` or :math:`(H,)`. Default: None, zeros,
          which MindSpore does not take.

    Outputs: Tensor, the next state, of the shape of `hx`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> cell = ms.nn.RNNCell(3, 4)
        >>> cell(ms.ops.ones((2, 3), ms.float32), ms.ops.zeros((2, 4), ms.float32)).shape
        (2, 4)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        choice("RNNCell", "nonlinearity", nonlinearity, ("tanh", "relu"))
        super().__init__(input_size, hidden_size, has_bias, 1, dtype)
        self.nonlinearity = nonlinearity

    def construct(self, x: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._zeros(x) if hx is None else hx
        return self._run("RNN_TANH" if self.nonlinearity == "tanh" else "RNN_RELU", x, h, None)


class GRUCell(RNNCellBase):
    r"""One step of a gated recurrent unit (GRU).

    .. math::
        r &= \sigma(W_{ir} x + b_{ir} + W_{hr} h + b_{hr}) \\
        z &= \sigma(W_{iz} x + b_{iz} + W_{hz} h + b_{hz}) \\
        n &= \tanh(W_{in} x + b_{in} + r * (W_{hn} h + b_{hn})) \\
        h' &= (1 - z) * n + z * h

    Weights start as :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): the number H of features of the state.
        has_bias (bool): whether there are biases. Default: True.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, input\_size)` or :math:`(input\_size,)`.
        - **hx** (Tensor) - the state, shape :math:`(N, H)` or :math:`(H,)`. Default: None, zeros,
          which MindSpore does not take.

    Outputs: Tensor, the next state, of the shape of `hx`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> cell = ms.nn.GRUCell(3, 4)
        >>> cell(ms.ops.ones((2, 3), ms.float32), ms.ops.zeros((2, 4), ms.float32)).shape
        (2, 4)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(input_size, hidden_size, has_bias, GATES["GRU"], dtype)

    def construct(self, x: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._run("GRU", x, self._zeros(x) if hx is None else hx, None)


class LSTMCell(RNNCellBase):
    r"""One step of a long short-term memory (LSTM) network.

    .. math::
        i &= \sigma(W_{ii} x + b_{ii} + W_{hi} h + b_{hi}) \\
        f &= \sigma(W_{if} x + b_{if} + W_{hf} h + b_{hf}) \\
        g &= \tanh(W_{ig} x + b_{ig} + W_{hg} h + b_{hg}) \\
        o &= \sigma(W_{io} x + b_{io} + W_{ho} h + b_{ho}) \\
        c' &= f * c + i * g \\
        h' &= o * \tanh(c')

    Weights start as :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): the number H of features of the states.
        has_bias (bool): whether there are biases. Default: True.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, input\_size)` or :math:`(input\_size,)`.
        - **hx** (tuple[Tensor]) - the states h and c, each of shape :math:`(N, H)` or
          :math:`(H,)`. Default: None, zeros, which MindSpore does not take.

    Outputs: tuple of the next states h' and c'.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> cell = ms.nn.LSTMCell(3, 4)
        >>> state = ms.ops.zeros((2, 4), ms.float32)
        >>> h, c = cell(ms.ops.ones((2, 3), ms.float32), (state, state))
        >>> h.shape, c.shape
        ((2, 4), (2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(input_size, hidden_size, has_bias, GATES["LSTM"], dtype)

    def construct(
        self, x: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        if hx is None:
            zeros = self._zeros(x)
            return self._run("LSTM", x, zeros, zeros)
        if not isinstance(hx, (tuple, list)):
            raise TypeError(
                "For 'LSTMCell', the 'hx' must be a tuple of two Tensors (h, c), but got "
                f"{type(hx).__name__}."
            )
        if len(hx) != 2:
            raise TypeError(f"For 'LSTMCell', the length of 'hx' must be '2', but got '{len(hx)}'.")
        return self._run("LSTM", x, hx[0], hx[1])
