"""Private parts of ``nn``: recurrent steps, and scaling of gradients."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar.common import dtype as mstype
from agar.ops import composite

__all__ = [
    "_grad_overflow",
    "_grad_scale",
    "_gru_cell",
    "_lstm_cell",
    "_rnn_relu_cell",
    "_rnn_tanh_cell",
    "_tensor_grad_overflow",
    "grad_scale",
    "tensor_grad_scale",
]


# ------------------------------------------------------------------- steps of nn.RNNCell and so on


def _linear(x: Any, weight: Any, bias: Any) -> Any:
    product = ops.matmul(x, ops.transpose(weight, (1, 0)))
    return product if bias is None else product + bias


def _rnn_tanh_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The next hidden state of a recurrent cell with tanh."""
    return ops.tanh(_linear(inputs, w_ih, b_ih) + _linear(hidden, w_hh, b_hh))


def _rnn_relu_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The next hidden state of a recurrent cell with ReLU."""
    return ops.relu(_linear(inputs, w_ih, b_ih) + _linear(hidden, w_hh, b_hh))


def _lstm_cell(
    inputs: Any, hidden: tuple[Any, Any], w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any
) -> tuple[Any, Any]:
    """The next hidden and cell state of an LSTM; the gates are input, forget, cell, output."""
    last, cell = hidden
    gates = _linear(inputs, w_ih, b_ih) + _linear(last, w_hh, b_hh)
    into, forget, new, out = ops.split(gates, gates.shape[1] // 4, 1)
    cell = ops.sigmoid(forget) * cell + ops.sigmoid(into) * ops.tanh(new)
    return ops.sigmoid(out) * ops.tanh(cell), cell


def _gru_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The next hidden state of a GRU; the gates are reset, update, new."""
    by_input, by_state = _linear(inputs, w_ih, b_ih), _linear(hidden, w_hh, b_hh)
    size = by_input.shape[1] // 3
    reset_i, update_i, new_i = ops.split(by_input, size, 1)
    reset_h, update_h, new_h = ops.split(by_state, size, 1)
    update = ops.sigmoid(update_i + update_h)
    new = ops.tanh(new_i + ops.sigmoid(reset_i + reset_h) * new_h)
    return new + update * (hidden - new)


# -------------------------------------------------------------------------------- gradients


def tensor_grad_scale(scale: Any, grad: Any) -> Any:
    """A gradient divided by the scale of the loss, in its own dtype."""
    return grad * ops.cast(ops.reciprocal(scale), grad.dtype)


def _tensor_grad_overflow(grad: Any) -> Any:
    """1 where a gradient holds an inf or NaN, else 0, as a Tensor of float32."""
    return ops.cast(ops.logical_not(ops.isfinite(grad).all()), mstype.float32)


def _graph(name: str, function: Any, *kinds: str) -> Any:
    result = composite.MultitypeFuncGraph(name)
    result.register(*kinds)(function)
    return result


grad_scale = _grad_scale = _graph("grad_scale", tensor_grad_scale, "Tensor", "Tensor")
_grad_overflow = _graph("_grad_overflow", _tensor_grad_overflow, "Tensor")
