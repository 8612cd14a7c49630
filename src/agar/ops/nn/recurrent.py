"""Recurrent networks: whole sequences by torch's fused kernels, single steps, and ops.LSTM."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.backends.cudnn.rnn import get_cudnn_mode as cudnn_mode
from torch.nn import functional as F
from torch.nn.utils import rnn as packing

from agar._core.autodiff import functorch_level
from agar._core.errors import missing_feature
from agar._core.runtime import thread
from agar.ops._layers import layer_binding
from agar.ops.spec import primitive

__all__ = ["GATES", "recurrent", "step"]

_NAMES = {"LSTM": "LSTM", "GRU": "GRU", "RNN_TANH": "RNN", "RNN_RELU": "RNN"}

#: How many gates the weights of each kind of network hold, one below the other.
GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

_STACKS: dict[str, Callable[..., Any]] = {
    "LSTM": torch.lstm,
    "GRU": torch.gru,
    "RNN_TANH": torch.rnn_tanh,
    "RNN_RELU": torch.rnn_relu,
}
_STEPS: dict[str, Callable[..., Any]] = {
    "LSTM": torch.lstm_cell,
    "GRU": torch.gru_cell,
    "RNN_TANH": torch.rnn_tanh_cell,
    "RNN_RELU": torch.rnn_relu_cell,
}


class _Without:
    """Switches a library of kernels off for a while; the last thread to leave switches it on."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.lock = threading.Lock()
        self.depth = 0
        self.before = True

    def __enter__(self) -> None:
        with self.lock:
            if self.depth == 0:
                self.before = self.library.enabled
                self.library.enabled = False
            self.depth += 1

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.depth -= 1
            if self.depth == 0:
                self.library.enabled = self.before


def _compacting(weights: Sequence[Tensor]) -> Any:
    """cuDNN copies the weights of some layers out of the memory of all, and warns that it does."""
    whole = weights[0].untyped_storage().nbytes() // weights[0].element_size()
    if weights[0].device.type != "cuda" or sum(w.numel() for w in weights) == whole:
        return nullcontext()
    return _without_warning()


@contextmanager
def _without_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "RNN module weights are not part of single contiguous")
        yield


_WITHOUT = {"cpu": _Without(torch.backends.mkldnn), "cuda": _Without(torch.backends.cudnn)}


def _differentiable_kernels(device: torch.device) -> Any:
    """torch's fastest kernels have no second derivative; while one is taken, others do the work."""
    if len(thread.grad_scopes) < 2:
        return nullcontext()
    return _WITHOUT.get(device.type, nullcontext())


def _in_one_chunk(
    mode: str,
    weights: list[Tensor],
    has_bias: bool,
    num_layers: int,
    batch_first: bool,
    bidirectional: bool,
) -> None:
    """Let all weights share one piece of memory, as cuDNN wants them; the values stay."""
    first, last = weights[0], weights[-1]
    if first.untyped_storage().data_ptr() == last.untyped_storage().data_ptr():
        return
    shared = len({w.data_ptr() for w in weights}) < len(weights)
    if shared or not torch.backends.cudnn.is_acceptable(first):
        return
    with torch.cuda.device_of(first), torch.no_grad():
        torch._cudnn_rnn_flatten_weight(
            weights,
            4 if has_bias else 2,
            first.shape[1],
            cudnn_mode(mode),
            weights[1].shape[1],
            0,
            num_layers,
            batch_first,
            bidirectional,
        )


def _checked(
    op_name: str,
    x: Tensor,
    states: list[Tensor | None],
    weights: Sequence[Tensor],
    rows: int,
    axis: int,
) -> tuple[list[Tensor], list[Tensor]]:
    """States and weights in the type of the input; states that are missing are zeros."""
    if x.ndim != 3:
        raise ValueError(
            f"For '{op_name}', the input must have 3 axes, but has {x.ndim} (shape "
            f"{tuple(x.shape)})."
        )
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input must be of a float type, but got {str(x.dtype)[6:]}; "
            "convert it with .astype(ms.float32)."
        )
    size = weights[0].shape[1]
    if x.shape[2] != size:
        raise ValueError(
            f"For '{op_name}', the last axis of the input must have input_size={size} elements, "
            f"but got shape {tuple(x.shape)}."
        )
    expected = (rows, x.shape[axis], weights[1].shape[1])
    items: list[Tensor] = []
    for state in states:
        if state is None:
            items.append(x.new_zeros(expected))
        elif tuple(state.shape) != expected:
            raise ValueError(
                f"For '{op_name}', an initial state must have shape {expected} (layers * "
                f"directions, batch, hidden_size), but got {tuple(state.shape)}."
            )
        else:
            items.append(state if state.dtype is x.dtype else state.to(x.dtype))
    if weights[0].dtype is not x.dtype:
        weights = [w.to(x.dtype) for w in weights]
    return items, list(weights)


def _stack(
    mode: str,
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
    """A recurrent network over sequences.

    The weights of each layer and direction follow each other: input, hidden, and their biases.

    Returns:
        The outputs of the last layer at all times, and the last states (for LSTM two).
    """
    op_name = _NAMES[mode]
    given = [h, c] if mode == "LSTM" else [h]
    axis = 0 if batch_first else 1
    rows = num_layers * (2 if bidirectional else 1)
    states, weights = _checked(op_name, x, given, weights, rows, axis)
    if functorch_level():
        return _unrolled(mode, x, states, weights, seq_length, bidirectional, batch_first)
    options = (has_bias, num_layers, 0.0)
    # torch's `training`: whether to keep what a gradient needs
    train = torch.is_grad_enabled() and any(t.requires_grad for t in (x, *weights, *states))
    if x.device.type == "cuda":
        _in_one_chunk(mode, weights, has_bias, num_layers, batch_first, bidirectional)
    # in grad mode the kernels for the CPU keep it whatever `train` says
    with _differentiable_kernels(x.device), _compacting(weights), torch.set_grad_enabled(train):
        if seq_length is None:
            hx = states if mode == "LSTM" else states[0]
            return _STACKS[mode](x, hx, weights, *options, train, bidirectional, batch_first)
        return _packed(
            mode, op_name, x, states, seq_length, weights, (*options, train, bidirectional), axis
        )


def _packed(
    mode: str,
    op_name: str,
    x: Tensor,
    states: list[Tensor],
    lengths: Tensor,
    weights: list[Tensor],
    options: tuple[Any, ...],
    axis: int,
) -> tuple[Tensor, ...]:
    """The same where sequences end early: their outputs are zeros from there on."""
    batch = x.shape[axis]
    if lengths.shape != (batch,):
        raise ValueError(
            f"For '{op_name}', 'seq_length' must have one length for each of the {batch} "
            f"sequences, but got shape {tuple(lengths.shape)}."
        )
    if lengths.dtype not in (torch.int32, torch.int64):
        raise TypeError(
            f"For '{op_name}', the 'seq_length' should be one of [ms.int32, ms.int64], but got "
            f"{str(lengths.dtype)[6:]}."
        )
    if thread.in_graph and thread.recorder is not None and len(thread.grad_scopes) < 2:
        form = (mode, options, axis)
        return _PackedNode.apply(form, len(states), lengths, x, *states, *weights)
    return _packed_run(mode, options, axis, len(states), lengths, x, *states, *weights)


def _packed_run(
    mode: str,
    options: tuple[Any, ...],
    axis: int,
    count: int,
    lengths: Tensor,
    x: Tensor,
    *tensors: Tensor,
) -> tuple[Tensor, ...]:
    """Outputs and last states; `tensors` are `count` initial states and the weights."""
    states, weights = list(tensors[:count]), list(tensors[count:])
    time = x.shape[1 - axis]
    counts = lengths.clamp(0, time)
    # a packed sequence has at least one element; empty ones are put right below
    packed = packing.pack_padded_sequence(
        x, counts.clamp(min=1).cpu().long(), batch_first=axis == 0, enforce_sorted=False
    )
    order, back = packed.sorted_indices, packed.unsorted_indices
    assert order is not None
    assert back is not None
    inner = [s.index_select(1, order) for s in states]
    hx = inner if mode == "LSTM" else inner[0]
    data, *last = _STACKS[mode](packed.data, packed.batch_sizes, hx, weights, *options)
    out, _ = packing.pad_packed_sequence(
        packed._replace(data=data), batch_first=axis == 0, total_length=time
    )
    empty = (counts == 0)[:, None]
    out = out.masked_fill(empty[:, None] if axis == 0 else empty[None], 0)
    final = [
        torch.where(empty[None], first, s.index_select(1, back))
        for first, s in zip(states, last, strict=True)
    ]
    return out, *final


def packed_forward(
    mode: str, options: tuple[Any, ...], axis: int, count: int, *tensors: Tensor
) -> tuple[Tensor, ...]:
    """`_packed_run` without a gradient."""
    with torch.no_grad():
        return _packed_run(mode, options, axis, count, *tensors)


def packed_backward(
    mode: str,
    options: tuple[Any, ...],
    axis: int,
    count: int,
    needed: tuple[bool, ...],
    given: int,
    *tensors: Tensor,
) -> tuple[Tensor, ...]:
    """The gradients of the tensors of `packed_forward` that are needed.

    `tensors` are the gradients of its results, as many as `given`, then what it was given.
    """
    gradients, tensors = tensors[:given], tensors[given:]
    with torch.enable_grad():
        leaves = [t.detach().requires_grad_(need) for t, need in zip(tensors, needed, strict=True)]
        out = _packed_run(mode, options, axis, count, *leaves)
        targets = [t for t, need in zip(leaves, needed, strict=True) if need]
        result = torch.autograd.grad(out, targets, gradients, allow_unused=True)
    return tuple(
        [torch.zeros_like(t) if g is None else g for t, g in zip(targets, result, strict=True)]
    )


class _PackedNode(torch.autograd.Function):
    """Sequences of several lengths as one node of a recording.

    The lengths decide how many elements there are to compute: shapes that differ from call to call.
    So it runs at every replay; its backward pass computes the forward one again.
    """

    @staticmethod
    def forward(
        ctx: Any, form: tuple[Any, ...], count: int, *tensors: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.form = (*form, count)
        ctx.save_for_backward(*tensors)
        return tuple(thread.recorder.host(packed_forward, (*ctx.form, *tensors), "RNN", "tensors"))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:  # type: ignore[override]
        needed = ctx.needs_input_grad[2:]
        args: list[Any] = [*ctx.form, needed, len(grads), *grads, *ctx.saved_tensors]
        recorder = thread.recorder
        if recorder is None:
            result = packed_backward(*args)
        else:
            result = recorder.host(packed_backward, tuple(args), "RNN's gradient", "tensors")
        rest = iter(result)
        return None, None, *[next(rest) if need else None for need in needed]


def _next(
    mode: str, seen: Tensor, states: list[Tensor], w: Tensor, b: Tensor | None
) -> list[Tensor]:
    """The states after a step; `seen` is what the input gives to all gates."""
    h = states[0]
    if mode == "GRU":
        own = F.linear(h, w, b)
        (r, z, n), (hr, hz, hn) = seen.chunk(3, -1), own.chunk(3, -1)
        z = torch.sigmoid(z + hz)
        n = torch.tanh(n + torch.sigmoid(r + hr) * hn)
        return [n + z * (h - n)]
    gates = seen + F.linear(h, w, b)
    if mode == "LSTM":
        i, f, g, o = gates.chunk(4, -1)
        c = torch.sigmoid(f) * states[1] + torch.sigmoid(i) * torch.tanh(g)
        return [torch.sigmoid(o) * torch.tanh(c), c]
    return [torch.tanh(gates) if mode == "RNN_TANH" else torch.relu(gates)]


def _unrolled(
    mode: str,
    x: Tensor,
    states: list[Tensor],
    weights: list[Tensor],
    lengths: Tensor | None,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    """The same step by step, for vmap and forward mode, which no kernel of torch has."""
    if batch_first:
        x = x.transpose(0, 1)
    time = x.shape[0]
    rows = states[0].shape[0]
    count = len(weights) // rows
    last: list[list[Tensor]] = []
    for _ in range(rows // (2 if bidirectional else 1)):
        outputs = []
        for direction in range(2 if bidirectional else 1):
            row = len(last)
            w_ih, w_hh, *biases = weights[row * count : (row + 1) * count]
            b_ih, b_hh = biases or (None, None)
            seen = F.linear(x, w_ih, b_ih)
            now = [s[row] for s in states]
            steps: list[Any] = [None] * time
            for t in range(time) if direction == 0 else reversed(range(time)):
                new = _next(mode, seen[t], now, w_hh, b_hh)
                if lengths is None:
                    now, steps[t] = new, new[0]
                    continue
                goes_on = (t < lengths)[:, None]
                now = [torch.where(goes_on, a, b) for a, b in zip(new, now, strict=True)]
                steps[t] = torch.where(goes_on, new[0], 0)
            outputs.append(torch.stack(steps))
            last.append(now)
        x = torch.cat(outputs, -1)
    out = x.transpose(0, 1) if batch_first else x
    return out, *(torch.stack(parts) for parts in zip(*last, strict=True))


def _step(
    mode: str,
    x: Tensor,
    h: Tensor,
    c: Tensor | None,
    weights: Sequence[Tensor],
) -> Any:
    """One step of a recurrent network: the next state (for LSTM two)."""
    op_name = f"{_NAMES[mode]}Cell"
    states = [h] if c is None else [h, c]
    sizes = weights[0].shape[1], weights[1].shape[1]
    if x.ndim not in (1, 2) or x.shape[-1] != sizes[0]:
        raise ValueError(
            f"For '{op_name}', the input must have shape (batch, {sizes[0]}) or ({sizes[0]},), but "
            f"got {tuple(x.shape)}."
        )
    for state in states:
        if state.shape != (*x.shape[:-1], sizes[1]):
            raise ValueError(
                f"For '{op_name}', a state must have shape {(*x.shape[:-1], sizes[1])}, but got "
                f"{tuple(state.shape)}."
            )
        if not state.dtype == x.dtype == weights[0].dtype:
            raise TypeError(
                f"For '{op_name}', the type of the input, {str(x.dtype)[6:]}, should be same as "
                f"those of the state, {str(state.dtype)[6:]}, and of the weights, "
                f"{str(weights[0].dtype)[6:]}."
            )
    single = x.ndim == 1
    if single:
        x, states = x.unsqueeze(0), [s.unsqueeze(0) for s in states]
    if functorch_level() or len(thread.grad_scopes) > 1:
        w_ih, w_hh, *biases = weights
        b_ih, b_hh = biases or (None, None)
        result = _next(mode, F.linear(x, w_ih, b_ih), states, w_hh, b_hh)
    elif mode == "LSTM":
        result = _STEPS[mode](x, states, *weights)
    else:
        result = [_STEPS[mode](x, states[0], *weights)]
    if single:
        result = [s.squeeze(0) for s in result]
    return tuple(result) if mode == "LSTM" else result[0]


#: By mode: ``(mode, x, h, c, seq_length, weights, has_bias, num_layers, bidirectional,
#: batch_first)``.
recurrent = {mode: layer_binding(name, _stack, name) for mode, name in _NAMES.items()}
#: By mode: ``(mode, x, h, c, weights)``.
step = {mode: layer_binding(f"{name}Cell", _step, f"{name}Cell") for mode, name in _NAMES.items()}


@primitive(
    "LSTM",
    samples=(
        "f(3, 2, 4), f(1, 2, 5), f(1, 2, 5), f(180, 1, 1), input_size=4, hidden_size=5, "
        "num_layers=1, has_bias=False, bidirectional=False, dropout=0.0",
        "f(3, 2, 4), f(1, 2, 5), f(1, 2, 5), f(200, 1, 1), input_size=4, hidden_size=5, "
        "num_layers=1, has_bias=True, bidirectional=False, dropout=0.0",
    ),
    errors=(
        (
            "f(3, 2, 4), f(1, 2, 5), f(1, 2, 5), f(9, 1, 1), input_size=4, hidden_size=5, "
            "num_layers=1, has_bias=False, bidirectional=False, dropout=0.0",
            ValueError,
            "180",
        ),
        (
            "f(3, 2, 4), f(1, 2, 5), f(1, 2, 5), f(9, 1, 1), input_size=4, hidden_size=5, "
            "num_layers=2, has_bias=False, bidirectional=False, dropout=0.0",
            NotImplementedError,
            "nn.LSTM",
        ),
    ),
    differentiable=False,  # the last two results are empty
)
def _lstm(
    input: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    *,
    input_size: int,
    hidden_size: int,
    num_layers: int,
    has_bias: bool,
    bidirectional: bool,
    dropout: float,
    proj_size: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    r"""One layer of a long short-term memory, with all weights in one tensor.

    Args:
        input (Tensor): shape :math:`(T, N, input\_size)`.
        h (Tensor): the initial hidden state, shape :math:`(1, N, hidden\_size)`.
        c (Tensor): the initial cell state of the same shape.
        w (Tensor): the weights of the input, those of the hidden state, and with `has_bias` one
            bias, or the biases of both, row by row, in any shape.
        input_size (int): the number of features of the input.
        hidden_size (int): the number of features of the states.
        num_layers (int): must be 1.
        has_bias (bool): whether `w` has biases.
        bidirectional (bool): must be False.
        dropout (float): between layers, so without effect on one.
        proj_size (int): must be 0. Default: 0.

    Returns: tuple of the outputs, the last hidden state, the last cell state, and two tensors
        without elements in place of the kernel's memory.
    Raises ValueError: `w` has a wrong number of elements, or the shapes do not fit.
    Raises NotImplementedError: more than one layer or direction, or a projection.
    Difference from PyTorch: ``torch.nn.LSTM`` keeps its weights apart.
    Source: behavior observed in MindSpore 2.10, which ignores a second bias on CPU.
    """
    if num_layers != 1 or bidirectional or proj_size:
        raise missing_feature(
            "ops.LSTM with several layers or directions or a projection",
            "how MindSpore orders such weights in one tensor depends on its back end",
            "nn.LSTM(input_size, hidden_size, num_layers, bidirectional=...), which has a "
            "parameter for each weight",
        )
    gates = 4 * hidden_size
    plain = gates * (input_size + hidden_size)
    count = w.numel()
    allowed = (plain + gates, plain + 2 * gates) if has_bias else (plain,)
    if count not in allowed:
        raise ValueError(
            f"For 'LSTM', 'w' must have {' or '.join(map(str, allowed))} elements for "
            f"input_size={input_size}, hidden_size={hidden_size} and has_bias={has_bias}, but has "
            f"{count}."
        )
    flat = w.reshape(-1)
    weights = [
        flat[: gates * input_size].view(gates, input_size),
        flat[gates * input_size : plain].view(gates, hidden_size),
    ]
    if has_bias:
        weights.append(flat[plain : plain + gates])
        second = flat[plain + gates :]
        weights.append(second if second.numel() else torch.zeros_like(weights[2]))
    out, h_n, c_n = _stack("LSTM", input, h, c, None, weights, has_bias, 1, False, False)
    nothing = out.new_empty(0, 1)
    return out, h_n, c_n, nothing, nothing.clone()
