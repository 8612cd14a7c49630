"""Recurrent networks over sequences: RNN, GRU, LSTM.

NOTE Where the work is done. The child ``rnn`` runs all layers and directions in one call of torch's
fused kernel. Only dropout between layers, while training, needs the layers one by one, because its
random numbers are MindSpore's.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.basic import Dropout
from agar.ops._checks import boolean, integer
from agar.ops.nn.recurrent import GATES, recurrent

__all__ = ["GRU", "LSTM", "RNN"]


class _Dynamic(Cell):
    """Runs a recurrent network of one kind over sequences."""

    mode = ""

    def construct(
        self,
        x: Tensor,
        h: Tensor | None,
        c: Tensor | None,
        seq_length: Tensor | None,
        weights: Sequence[Tensor],
        has_bias: bool,
        num_layers: int,
        bidirectional: bool,
        batch_first: bool,
    ) -> tuple[Tensor, ...]:
        mode = self.mode
        return recurrent[mode](
            mode,
            x,
            h,
            c,
            seq_length,
            weights,
            has_bias,
            num_layers,
            bidirectional,
            batch_first,
        )


class _DynamicLSTMCPUGPU(_Dynamic):
    mode = "LSTM"


class _DynamicGRUCPUGPU(_Dynamic):
    mode = "GRU"


class _DynamicRNNTanh(_Dynamic):
    mode = "RNN_TANH"


class _DynamicRNNRelu(_Dynamic):
    mode = "RNN_RELU"


_WORKERS = {
    c.mode: c for c in (_DynamicLSTMCPUGPU, _DynamicGRUCPUGPU, _DynamicRNNTanh, _DynamicRNNRelu)
}
_KINDS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class _RNNBase(Cell):
    """What the three kinds share: weights, layers, directions and dropout between layers."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = type(self).__name__
        self.input_size = integer(op_name, "input_size", input_size, 1)
        self.hidden_size = integer(op_name, "hidden_size", hidden_size, 1)
        self.num_layers = integer(op_name, "num_layers", num_layers, 1)
        self.has_bias = boolean(op_name, "has_bias", has_bias)
        self.batch_first = boolean(op_name, "batch_first", batch_first)
        self.bidirectional = boolean(op_name, "bidirectional", bidirectional)
        if not isinstance(dropout, float):
            raise TypeError(
                f"For '{op_name}', the type of 'dropout' must be 'float', but got "
                f"'{type(dropout).__name__}'."
            )
        if not 0 <= dropout < 1:
            raise ValueError(
                f"For '{op_name}', the 'dropout' must be a number in range [0, 1) representing the "
                f"probability of an element being zeroed, but got {dropout}."
            )
        self.dropout = dropout
        self.is_lstm = mode == "LSTM"
        self.rnn = _WORKERS[mode]()
        self.dropout_op = Dropout(p=dropout)
        self._make_weights(GATES[mode] * hidden_size, dtype)

    def _make_weights(self, rows: int, dtype: mstype.Type) -> None:
        """Draw the weights in MindSpore's order, and list them in the other order it has."""
        directions = ("", "_reverse") if self.bidirectional else ("",)
        kinds = _KINDS if self.has_bias else _KINDS[:2]
        bound = 1 / self.hidden_size**0.5
        entries: dict[str, Parameter] = {}
        sequence = []
        for layer in range(self.num_layers):
            width = self.input_size if layer == 0 else self.hidden_size * len(directions)
            shapes = ((rows, width), (rows, self.hidden_size), (rows,), (rows,))
            for direction in directions:
                for kind, shape in zip(kinds, shapes, strict=False):
                    name = f"{kind}_l{layer}{direction}"
                    values = np.random.uniform(-bound, bound, shape).astype(np.float32)
                    entries[name] = Parameter(Tensor(values, dtype=dtype), name=name)
                    sequence.append(name)
        for kind in kinds:
            for name in sequence:
                if name.startswith(f"{kind}_l"):
                    setattr(self, name, entries[name])
        #: all weights in the order of the kernels: per layer and direction
        self.__dict__["_weights"] = attrgetter(*sequence)
        self.__dict__["_per_layer"] = len(sequence) // self.num_layers

    def _listed(self, kind: str) -> ParameterTuple:
        return ParameterTuple(
            p for name, p in self._params.items() if p is not None and name.startswith(f"{kind}_l")
        )

    @property
    def w_ih_list(self) -> ParameterTuple:
        """The weights of the inputs, by layer and direction."""
        return self._listed("weight_ih")

    @property
    def w_hh_list(self) -> ParameterTuple:
        """The weights of the hidden states, by layer and direction."""
        return self._listed("weight_hh")

    @property
    def b_ih_list(self) -> ParameterTuple:
        """The biases of the inputs, by layer and direction."""
        return self._listed("bias_ih")

    @property
    def b_hh_list(self) -> ParameterTuple:
        """The biases of the hidden states, by layer and direction."""
        return self._listed("bias_hh")

    def construct(self, x: Tensor, hx: Any = None, seq_length: Tensor | None = None) -> Any:
        if hx is None:
            h = c = None
        elif self.is_lstm:
            h, c = self._pair(hx)
        else:
            h, c = self._single(hx), None
        if self.dropout and self.num_layers > 1 and self.training:
            out, *last = self._layer_by_layer(x, h, c, seq_length)
        else:
            out, *last = self.rnn(
                x,
                h,
                c,
                seq_length,
                self._weights(self),
                self.has_bias,
                self.num_layers,
                self.bidirectional,
                self.batch_first,
            )
        kind = x.dtype
        if out.dtype is not kind:  # computed in the type of to_float, returned in that of the input
            out, last = out.astype(kind), [s.astype(kind) for s in last]
        return (out, tuple(last)) if self.is_lstm else (out, last[0])

    def _layer_by_layer(
        self, x: Tensor, h: Tensor | None, c: Tensor | None, seq_length: Tensor | None
    ) -> tuple[Any, ...]:
        weights = self._weights(self)
        step = self._per_layer
        rows = 2 if self.bidirectional else 1
        if self.batch_first:
            x = x.swapaxes(0, 1)
        states: list[list[Tensor]] = []
        for layer in range(self.num_layers):
            if layer:
                x = self.dropout_op(x)
            part = slice(layer * rows, (layer + 1) * rows)
            x, *last = self.rnn(
                x,
                None if h is None else h[part],
                None if c is None else c[part],
                seq_length,
                weights[layer * step : (layer + 1) * step],
                self.has_bias,
                1,
                self.bidirectional,
                False,
            )
            states.append(last)
        if self.batch_first:
            x = x.swapaxes(0, 1)
        return x, *(ops.cat(parts, 0) for parts in zip(*states, strict=True))

    def _single(self, hx: Any) -> Tensor:
        if not isinstance(hx, Tensor):
            raise TypeError(
                f"For '{type(self).__name__}', the 'hx' must be a Tensor, but got "
                f"{type(hx).__name__}."
            )
        return hx

    def _pair(self, hx: Any) -> tuple[Tensor, Tensor]:
        op_name = type(self).__name__
        if not isinstance(hx, (tuple, list)):
            raise TypeError(
                f"For '{op_name}', the 'hx' must be a tuple of two Tensors (h_0, c_0), but got "
                f"{type(hx).__name__}."
            )
        if len(hx) != 2:
            raise TypeError(
                f"For '{op_name}', the length of 'hx' must be '2', but got '{len(hx)}'."
            )
        return self._single(hx[0]), self._single(hx[1])


class RNN(_RNNBase):
    r"""Elman recurrent network.

    .. math::
        h_t = f(W_{ih} x_t + b_{ih} + W_{hh} h_{t-1} + b_{hh})

    Weights start as :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the inputs.
        hidden_size (int): the number H of features of the states.
        num_layers (int): the number of stacked layers. Default: 1.
        has_bias (bool): whether there are biases. Default: True.
        batch_first (bool): whether the first axis of inputs and outputs is the batch.
            Default: False.
        dropout (float): dropout probability of the inputs of all layers but the first, while
            training. Default: 0.0.
        bidirectional (bool): whether a second network reads the sequences in reverse. Default:
            False.
        dtype (Type): type of the weights. Default: ``ms.float32``.
        nonlinearity (str): the function f, ``"tanh"`` or ``"relu"``; by name. Default: ``"tanh"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(T, N, input\_size)`, or with `batch_first`
          :math:`(N, T, input\_size)`.
        - **hx** (Tensor) - initial states, shape :math:`(layers \cdot directions, N, H)`.
          Default: None, zeros.
        - **seq_length** (Tensor) - the lengths of the sequences, int32 or int64, shape
          :math:`(N,)`; outputs past the end are zero, and the last states are those at the end of
          each sequence. Default: None, all T.

    Outputs: tuple of the outputs of the last layer, shape :math:`(T, N, directions \cdot H)`, and
    the last states, in the type of `x`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``; `seq_length` in place of packed sequences; parameters are
    listed by kind; inputs of any floating type (the weights are cast to it); `nonlinearity` is
    given by name.

    Source: Elman 1990, "Finding Structure in Time"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.RNN(3, 4)
        >>> out, h = net(ms.ops.ones((5, 2, 3), ms.float32))
        >>> out.shape, h.shape
        ((5, 2, 4), (1, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: mstype.Type = mstype.float32,
        *,
        nonlinearity: str = "tanh",
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                "For 'RNN', the 'nonlinearity' must be in ['tanh', 'relu'], but got "
                f"{nonlinearity}."
            )
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            has_bias,
            batch_first,
            dropout,
            bidirectional,
            dtype,
        )


class GRU(_RNNBase):
    r"""Recurrent network of gated recurrent units (GRU).

    .. math::
        r_t &= \sigma(W_{ir} x_t + b_{ir} + W_{hr} h_{t-1} + b_{hr}) \\
        z_t &= \sigma(W_{iz} x_t + b_{iz} + W_{hz} h_{t-1} + b_{hz}) \\
        n_t &= \tanh(W_{in} x_t + b_{in} + r_t * (W_{hn} h_{t-1} + b_{hn})) \\
        h_t &= (1 - z_t) * n_t + z_t * h_{t-1}

    The rows of the weights are those of r, z and n. They start as
    :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the inputs.
        hidden_size (int): the number H of features of the states.
        num_layers (int): the number of stacked layers. Default: 1.
        has_bias (bool): whether there are biases. Default: True.
        batch_first (bool): whether the first axis of inputs and outputs is the batch.
            Default: False.
        dropout (float): dropout probability of the inputs of all layers but the first, while
            training. Default: 0.0.
        bidirectional (bool): whether a second network reads the sequences in reverse. Default:
            False.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(T, N, input\_size)`, or with `batch_first`
          :math:`(N, T, input\_size)`.
        - **hx** (Tensor) - initial states, shape :math:`(layers \cdot directions, N, H)`.
          Default: None, zeros.
        - **seq_length** (Tensor) - the lengths of the sequences, int32 or int64, shape
          :math:`(N,)`; outputs past the end are zero, and the last states are those at the end of
          each sequence. Default: None, all T.

    Outputs: tuple of the outputs of the last layer, shape :math:`(T, N, directions \cdot H)`, and
    the last states, in the type of `x`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``; `seq_length` in place of packed sequences; parameters are
    listed by kind; inputs of any floating type (the weights are cast to it).

    Source: Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder for
    Statistical Machine Translation"; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.GRU(3, 4, num_layers=2, bidirectional=True)
        >>> out, h = net(ms.ops.ones((5, 2, 3), ms.float32))
        >>> out.shape, h.shape
        ((5, 2, 8), (4, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(
            "GRU",
            input_size,
            hidden_size,
            num_layers,
            has_bias,
            batch_first,
            dropout,
            bidirectional,
            dtype,
        )


class LSTM(_RNNBase):
    r"""Recurrent network with long short-term memory (LSTM).

    .. math::
        i_t &= \sigma(W_{ii} x_t + b_{ii} + W_{hi} h_{t-1} + b_{hi}) \\
        f_t &= \sigma(W_{if} x_t + b_{if} + W_{hf} h_{t-1} + b_{hf}) \\
        g_t &= \tanh(W_{ig} x_t + b_{ig} + W_{hg} h_{t-1} + b_{hg}) \\
        o_t &= \sigma(W_{io} x_t + b_{io} + W_{ho} h_{t-1} + b_{ho}) \\
        c_t &= f_t * c_{t-1} + i_t * g_t \\
        h_t &= o_t * \tanh(c_t)

    The rows of the weights are those of i, f, g and o. They start as
    :math:`U(-1/\sqrt{H}, 1/\sqrt{H})`.

    Args:
        input_size (int): the number of features of the inputs.
        hidden_size (int): the number H of features of the states.
        num_layers (int): the number of stacked layers. Default: 1.
        has_bias (bool): whether there are biases. Default: True.
        batch_first (bool): whether the first axis of inputs and outputs is the batch.
            Default: False.
        dropout (float): dropout probability of the inputs of all layers but the first, while
            training. Default: 0.0.
        bidirectional (bool): whether a second network reads the sequences in reverse. Default:
            False.
        dtype (Type): type of the weights. Default: ``ms.float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(T, N, input\_size)`, or with `batch_first`
          :math:`(N, T, input\_size)`.
        - **hx** (tuple[Tensor]) - initial states h and c, each of shape
          :math:`(layers \cdot directions, N, H)`. Default: None, zeros.
        - **seq_length** (Tensor) - the lengths of the sequences, int32 or int64, shape
          :math:`(N,)`; outputs past the end are zero, and the last states are those at the end of
          each sequence. Default: None, all T.

    Outputs: tuple of the outputs of the last layer, shape :math:`(T, N, directions \cdot H)`, and
    the pair of last states, in the type of `x`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a shape does not fit.

    Difference from PyTorch: ``has_bias``; `seq_length` in place of packed sequences; parameters are
    listed by kind; inputs of any floating type (the weights are cast to it); no ``proj_size``.

    Source: Hochreiter and Schmidhuber 1997, "Long Short-Term Memory"; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.LSTM(3, 4)
        >>> lengths = ms.Tensor([5, 2], ms.int32)
        >>> out, (h, c) = net(ms.ops.ones((5, 2, 3), ms.float32), None, lengths)
        >>> out.shape, h.shape, c.shape
        ((5, 2, 4), (1, 2, 4), (1, 2, 4))
        >>> print(out[2:, 1].sum())
        0.0
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: mstype.Type = mstype.float32,
    ) -> None:
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            has_bias,
            batch_first,
            dropout,
            bidirectional,
            dtype,
        )
