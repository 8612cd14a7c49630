"""Recurrent networks as single primitives with all gates as results, and the transducer loss."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.errors import missing_feature
from agar.ops._checks import between, boolean, choice, integer
from agar.ops.spec import primitive

__all__: list[str] = []


def _number(op_name: str, name: str, value: Any) -> float:
    if not isinstance(value, float):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be float, but got "
            f"'{type(value).__name__}'."
        )
    return value


def _shaped(op_name: str, name: str, value: Tensor, expected: tuple[int, ...]) -> None:
    if tuple(value.shape) != expected:
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape {expected}, but got {tuple(value.shape)}."
        )


def _sequence(op_name: str, x: Tensor) -> tuple[int, int, int]:
    if x.ndim != 3:
        raise ValueError(
            f"For '{op_name}', 'x' must have shape (steps, batch, input_size), but got "
            f"{list(x.shape)}."
        )
    return x.shape[0], x.shape[1], x.shape[2]


def _no_lengths(op_name: str, seq_length: Any) -> None:
    if seq_length is not None:
        raise ValueError(
            f"For '{op_name}', 'seq_length' must be None; all sequences have the length of 'x'."
        )


# ------------------------------------------------------------------------------------- LSTM


def _lstm_step(
    gates: Tensor, c: Tensor, forget_bias: float, clip: float
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Next cell state, its tanh, and the four gates; they lie in the order i, j, f, o."""
    i, j, f, o = gates.chunk(4, -1)
    i, j, f, o = i.sigmoid(), j.tanh(), (f + forget_bias).sigmoid(), o.sigmoid()
    c = c * f + i * j
    if clip > 0:
        c = c.clamp(-clip, clip)
    return c, c.tanh(), i, j, f, o


def _check_cell(instance: Any) -> None:
    op_name = instance.name
    between(op_name, "keep_prob", _number(op_name, "keep_prob", instance.keep_prob), 0.0, 1.0)
    _number(op_name, "forget_bias", instance.forget_bias)
    boolean(op_name, "state_is_tuple", instance.state_is_tuple)
    choice(op_name, "activation", instance.activation, ("tanh",))
    if instance.keep_prob != 1.0:
        raise missing_feature(
            "BasicLSTMCell with keep_prob < 1",
            "MindSpore does not say where the elements are dropped",
            "apply nn.Dropout to the result",
        )


@primitive(
    "BasicLSTMCell",
    samples=("f(2, 3), f(2, 4), f(2, 4), f(7, 16), f(16)",),
    errors=(
        ("f(2, 3), f(2, 4), f(2, 4), f(7, 15), f(16)", ValueError, "'w'"),
        ("f(2, 3, 1), f(2, 4), f(2, 4), f(7, 16), f(16)", ValueError, "'x'"),
        ("f(2, 3), f(2, 4), f(3, 4), f(7, 16), f(16)", ValueError, "'c'"),
        ("f(2, 3), f(2, 4), f(2, 4), f(7, 16), f(16), keep_prob=1", TypeError, "keep_prob"),
    ),
    setup=_check_cell,
)
def _basic_lstm_cell(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    b: Tensor,
    *,
    keep_prob: float = 1.0,
    forget_bias: float = 1.0,
    state_is_tuple: bool = True,
    activation: str = "tanh",
    _state: None = None,
) -> tuple[Tensor, ...]:
    r"""One step of an LSTM: the next states and the gates.

    With :math:`(i, j, f, o) = [x, h] w + b`: :math:`c' = c \sigma(f + forget\_bias) + \sigma(i)
    \tanh(j)` and :math:`h' = \sigma(o) \tanh(c')`.

    Args:
        keep_prob (float): only 1.0 is available. Default: 1.0.
        forget_bias (float): added to the forget gate. Default: 1.0.
        state_is_tuple (bool): accepted for compatibility. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.
        x (Tensor): shape :math:`(B, input)`.
        h (Tensor): hidden state, shape :math:`(B, hidden)`.
        c (Tensor): cell state, shape :math:`(B, hidden)`.
        w (Tensor): weights, shape :math:`(input + hidden, 4 hidden)`.
        b (Tensor): bias, shape :math:`(4 hidden,)`.

    Outputs: Tuple of c', h', the gates i, j, f and o after their functions, and tanh(c').
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument of the constructor does not fit.
    Raises NotImplementedError: `keep_prob` is less than 1.
    Difference from PyTorch: ``torch.nn.LSTMCell`` has no `forget_bias`, two biases and returns the
        states only.
    Source: MindSpore 2.10's documentation.

    >>> zeros = ms.ops.zeros((1, 2))
    >>> cell = ms.ops.BasicLSTMCell()
    >>> found = cell(zeros, zeros, zeros + 1, ms.ops.zeros((4, 8)), ms.ops.zeros(8))
    >>> print(found[0])
    [[0.7310586 0.7310586]]
    """
    op_name = "BasicLSTMCell"
    if x.ndim != 2 or h.ndim != 2:
        raise ValueError(
            f"For '{op_name}', 'x' and 'h' must have two axes, but got {list(x.shape)} and "
            f"{list(h.shape)}."
        )
    batch, hidden = len(x), h.shape[1]
    _shaped(op_name, "h", h, (batch, hidden))
    _shaped(op_name, "c", c, (batch, hidden))
    _shaped(op_name, "w", w, (x.shape[1] + hidden, 4 * hidden))
    _shaped(op_name, "b", b, (4 * hidden,))
    gates = torch.cat((x, h), 1) @ w + b
    c, tanh_c, i, j, f, o = _lstm_step(gates, c, forget_bias, 0)
    return c, (o * tanh_c).to(h.dtype), i, j, f, o, tanh_c


def _check_dynamic(instance: Any) -> None:
    op_name = instance.name
    for name in ("keep_prob", "cell_clip"):
        _number(op_name, name, getattr(instance, name))
    between(op_name, "keep_prob", instance.keep_prob, 0.0, 1.0)
    integer(op_name, "cell_depth", instance.cell_depth)
    integer(op_name, "num_proj", instance.num_proj, 0)
    boolean(op_name, "time_major", instance.time_major)
    boolean(op_name, "is_training", instance.is_training)
    choice(op_name, "direction", instance.direction, ("UNIDIRECTIONAL",))
    choice(op_name, "activation", instance.activation, ("tanh",))
    if not instance.time_major:
        raise ValueError(f"For '{op_name}', 'time_major' must be True, but got False.")
    for name, unset in (("keep_prob", 1.0), ("num_proj", 0), ("cell_depth", 1)):
        if getattr(instance, name) != unset:
            raise missing_feature(
                f"{op_name} with {name}={getattr(instance, name)!r}",
                "MindSpore documents no formula for it",
                f"leave {name}={unset!r}; nn.LSTM and nn.GRU stack layers and drop elements",
            )


def _check_rnn(instance: Any) -> None:
    choice(instance.name, "cell_type", instance.cell_type, ("LSTM",))
    boolean(instance.name, "use_peephole", instance.use_peephole)
    _number(instance.name, "forget_bias", instance.forget_bias)
    _check_dynamic(instance)
    if instance.use_peephole:
        raise missing_feature(
            "DynamicRNN with use_peephole=True",
            "the operator takes no weights for it",
            "leave use_peephole=False",
        )


@primitive(
    "DynamicRNN",
    samples=(
        "f(2, 3, 4), f(6, 8), f(8), None, f(1, 3, 2), f(1, 3, 2)",
        "f(2, 3, 4), f(6, 8), f(8), None, f(1, 3, 2), f(1, 3, 2), forget_bias=1.0, cell_clip=0.5",
    ),
    errors=(
        ("f(2, 3), f(6, 8), f(8), None, f(1, 3, 2), f(1, 3, 2)", ValueError, "'x'"),
        ("f(2, 3, 4), f(5, 8), f(8), None, f(1, 3, 2), f(1, 3, 2)", ValueError, "'w'"),
        ("f(2, 3, 4), f(6, 8), f(8), i(3), f(1, 3, 2), f(1, 3, 2)", ValueError, "seq_length"),
        (
            "f(2, 3, 4), f(6, 8), f(8), None, f(1, 3, 2), f(1, 3, 2), time_major=False",
            ValueError,
            "time_major",
        ),
    ),
    setup=_check_rnn,
)
def _dynamic_rnn(
    x: Tensor,
    w: Tensor,
    b: Tensor,
    seq_length: Tensor | None,
    init_h: Tensor,
    init_c: Tensor,
    *,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: float = 0.0,
    is_training: bool = True,
    _state: None = None,
) -> tuple[Tensor, ...]:
    r"""An LSTM over sequences: outputs, states and gates at all times.

    With :math:`(i, j, f, o) = [x_t, h_{t-1}] w + b`: :math:`c_t = \sigma(f + forget\_bias) c_{t-1}
    + \sigma(i) \tanh(j)` and :math:`h_t = \sigma(o) \tanh(c_t)`.

    Args:
        cell_type (str): only ``"LSTM"``. Default: ``"LSTM"``.
        direction (str): only ``"UNIDIRECTIONAL"``. Default: ``"UNIDIRECTIONAL"``.
        cell_depth (int): only 1. Default: 1.
        use_peephole (bool): only False. Default: False.
        keep_prob (float): only 1.0. Default: 1.0.
        cell_clip (float): if positive, cell states are cut to [-cell_clip, cell_clip].
            Default: -1.0.
        num_proj (int): only 0. Default: 0.
        time_major (bool): only True. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.
        forget_bias (float): added to the forget gate. Default: 0.0.
        is_training (bool): accepted for compatibility. Default: True.
        x (Tensor): shape :math:`(T, B, input)`.
        w (Tensor): weights, shape :math:`(input + hidden, 4 hidden)`.
        b (Tensor): bias, shape :math:`(4 hidden,)`.
        seq_length (None): only None.
        init_h (Tensor): first hidden state, shape :math:`(1, B, hidden)`.
        init_c (Tensor): first cell state, shape :math:`(1, B, hidden)`.

    Outputs: Tuple of eight Tensors of shape :math:`(T, B, hidden)`: the outputs y, the hidden
        states, the cell states, the gates i, j, f and o after their functions, and the tanh of the
        cell states; the hidden states in the type of `x`, the others in that of `b`.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument does not fit.
    Raises NotImplementedError: an argument of the constructor asks for what is not available.
    Difference from PyTorch: ``torch.nn.LSTM`` orders the gates i, f, g, o and returns outputs and
        last states only.
    Source: MindSpore 2.10's documentation.

    >>> x, state = ms.ops.ones((2, 3, 4)), ms.ops.zeros((1, 3, 5))
    >>> w, b = ms.ops.zeros((9, 20)), ms.ops.zeros(20)
    >>> ms.ops.DynamicRNN()(x, w, b, None, state, state)[0].shape
    (2, 3, 5)
    """
    op_name = "DynamicRNN"
    steps, batch, size = _sequence(op_name, x)
    hidden = init_h.shape[-1] if init_h.ndim else 0
    _no_lengths(op_name, seq_length)
    _shaped(op_name, "init_h", init_h, (1, batch, hidden))
    _shaped(op_name, "init_c", init_c, (1, batch, hidden))
    _shaped(op_name, "w", w, (size + hidden, 4 * hidden))
    _shaped(op_name, "b", b, (4 * hidden,))
    from_x = x @ w[:size] + b.to(x.dtype)
    h, c = init_h[0].to(x.dtype), init_c[0].to(x.dtype)
    rows: list[tuple[Tensor, ...]] = []
    for t in range(steps):
        gates = from_x[t] + h @ w[size:]
        c, tanh_c, i, j, f, o = _lstm_step(gates, c, forget_bias, cell_clip)
        h = o * tanh_c
        rows.append((h, h, c, i, j, f, o, tanh_c))
    result = [torch.stack(column) for column in zip(*rows, strict=True)] or [
        x.new_zeros(0, batch, hidden) for _ in range(8)
    ]
    return tuple(v if k == 1 else v.to(b.dtype) for k, v in enumerate(result))


# -------------------------------------------------------------------------------------- GRU


def _check_gru(instance: Any) -> None:
    choice(instance.name, "gate_order", instance.gate_order, ("zrh", "rzh"))
    boolean(instance.name, "reset_after", instance.reset_after)
    _check_dynamic(instance)
    if instance.cell_clip > 0:
        raise missing_feature(
            "DynamicGRUV2 with cell_clip > 0",
            "a GRU has no cell state that could be cut",
            "leave cell_clip=-1.0",
        )


@primitive(
    "DynamicGRUV2",
    samples=(
        "f(2, 3, 4), f(4, 6), f(2, 6), f(6), f(6), None, f(3, 2)",
        "f(2, 3, 4), f(4, 6), f(2, 6), None, None, None, f(3, 2), gate_order='zrh',"
        " reset_after=False",
    ),
    errors=(
        ("f(2, 3), f(4, 6), f(2, 6), None, None, None, f(3, 2)", ValueError, "'x'"),
        ("f(2, 3, 4), f(4, 5), f(2, 6), None, None, None, f(3, 2)", ValueError, "weight_input"),
        ("f(2, 3, 4), f(4, 6), f(2, 6), f(5), None, None, f(3, 2)", ValueError, "bias_input"),
        ("f(2, 3, 4), f(4, 6), f(2, 6), None, None, i(3), f(3, 2)", ValueError, "seq_length"),
    ),
    setup=_check_gru,
)
def _dynamic_gru_v2(
    x: Tensor,
    weight_input: Tensor,
    weight_hidden: Tensor,
    bias_input: Tensor | None,
    bias_hidden: Tensor | None,
    seq_length: Tensor | None,
    init_h: Tensor,
    *,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: str = "rzh",
    reset_after: bool = True,
    is_training: bool = True,
    _state: None = None,
) -> tuple[Tensor, ...]:
    r"""A GRU over sequences: outputs, states and gates at all times.

    :math:`r = \sigma(W_r x_t + b_r + V_r h + c_r)`, :math:`z = \sigma(W_z x_t + b_z + V_z h +
    c_z)`, :math:`n = \tanh(W_n x_t + b_n + r (V_n h + c_n))`, :math:`h_t = (1 - z) n + z h`, where
    h is the state before and W, b, V, c are weights and biases of input and hidden state.

    Args:
        direction (str): only ``"UNIDIRECTIONAL"``. Default: ``"UNIDIRECTIONAL"``.
        cell_depth (int): only 1. Default: 1.
        keep_prob (float): only 1.0. Default: 1.0.
        cell_clip (float): only negative. Default: -1.0.
        num_proj (int): only 0. Default: 0.
        time_major (bool): only True. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.
        gate_order (str): the order of the gates in weights and biases, ``"rzh"`` or ``"zrh"``, h
            being n. Default: ``"rzh"``.
        reset_after (bool): whether r multiplies after the product with the weights; otherwise n is
            :math:`\tanh(W_n x_t + b_n + V_n (r h) + c_n)`. Default: True.
        is_training (bool): accepted for compatibility. Default: True.
        x (Tensor): shape :math:`(T, B, input)`.
        weight_input (Tensor): shape :math:`(input, 3 hidden)`.
        weight_hidden (Tensor): shape :math:`(hidden, 3 hidden)`.
        bias_input (Tensor): shape :math:`(3 hidden,)`, or None.
        bias_hidden (Tensor): shape :math:`(3 hidden,)`, or None.
        seq_length (None): only None.
        init_h (Tensor): first hidden state, shape :math:`(B, hidden)`.

    Outputs: Tuple of six Tensors of shape :math:`(T, B, hidden)`: the outputs y, the hidden states,
        z, r, n, and what r multiplies in n (with `reset_after`, :math:`V_n h + c_n`); in the type
        of the biases, without them in that of `init_h`.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument does not fit.
    Raises NotImplementedError: an argument of the constructor asks for what is not available.
    Difference from PyTorch: ``torch.nn.GRU`` has transposed weights and returns outputs and last
        states only.
    Source: MindSpore 2.10's documentation.

    >>> x, h = ms.ops.ones((2, 3, 4)), ms.ops.zeros((3, 5))
    >>> w, v = ms.ops.zeros((4, 15)), ms.ops.zeros((5, 15))
    >>> ms.ops.DynamicGRUV2()(x, w, v, None, None, None, h)[0].shape
    (2, 3, 5)
    """
    op_name = "DynamicGRUV2"
    steps, batch, size = _sequence(op_name, x)
    hidden = init_h.shape[-1] if init_h.ndim else 0
    _no_lengths(op_name, seq_length)
    _shaped(op_name, "init_h", init_h, (batch, hidden))
    _shaped(op_name, "weight_input", weight_input, (size, 3 * hidden))
    _shaped(op_name, "weight_hidden", weight_hidden, (hidden, 3 * hidden))
    for name, bias in (("bias_input", bias_input), ("bias_hidden", bias_hidden)):
        if bias is not None:
            _shaped(op_name, name, bias, (3 * hidden,))
    given = bias_input if bias_input is not None else bias_hidden
    out_type = (init_h if given is None else given).dtype
    h = init_h.to(x.dtype)
    from_x = x @ weight_input
    if bias_input is not None:
        from_x = from_x + bias_input.to(x.dtype)
    zero = weight_hidden.new_zeros(3 * hidden)
    added = (zero if bias_hidden is None else bias_hidden.to(x.dtype)).chunk(3)
    columns = weight_hidden.chunk(3, 1)
    r_at, z_at = (0, 1) if gate_order == "rzh" else (1, 0)
    rows: list[tuple[Tensor, ...]] = []
    for t in range(steps):
        parts = from_x[t].chunk(3, -1)
        r = (parts[r_at] + h @ columns[r_at] + added[r_at]).sigmoid()
        z = (parts[z_at] + h @ columns[z_at] + added[z_at]).sigmoid()
        if reset_after:
            hidden_new = h @ columns[2] + added[2]
            n = (parts[2] + r * hidden_new).tanh()
        else:
            hidden_new = (r * h) @ columns[2] + added[2]
            n = (parts[2] + hidden_new).tanh()
        h = (1 - z) * n + z * h
        rows.append((h, h, z, r, n, hidden_new))
    result = [torch.stack(column) for column in zip(*rows, strict=True)] or [
        x.new_zeros(0, batch, hidden) for _ in range(6)
    ]
    return tuple(v.to(out_type) for v in result)


# --------------------------------------------------------------------------- transducer loss


def _transducer_costs(logits: Tensor, labels: Tensor, times: Tensor, lengths: Tensor, blank: int):
    r"""Costs :math:`-\ln p(labels)` of shape (B,).

    :math:`\alpha_{t, u} = \ln(e^{\alpha_{t-1, u} + blank_{t-1, u}} + e^{\alpha_{t, u-1} +
    label_{t, u-1}})`, summed along diagonals: all cells with equal t + u follow from those before.
    """
    logs = logits.log_softmax(-1)
    batch, steps, width = logs.shape[:3]
    blanks = logs[..., blank]
    index = labels.long()[:, None, :, None].expand(batch, steps, width - 1, 1)
    emits = logs[:, :, : width - 1].gather(-1, index)[..., 0]
    never = -1e30  # finite, so that sums of two such have a gradient
    alpha = torch.nn.functional.pad(logs.new_zeros(batch, 1), (0, width - 1), value=never)
    items = [alpha]
    for diagonal in range(1, steps + width - 1):
        # row u of `alpha` is the cell (diagonal - 1 - u, u)
        at = torch.arange(width, device=logs.device)
        time = diagonal - 1 - at
        safe = time.clamp(0, steps - 1)
        stay = alpha + blanks[:, safe, at]
        stay = torch.where((time >= 0) & (time < steps - 1), stay, never)
        go = alpha[:, :-1] + emits[:, safe[:-1], at[:-1]]
        inside = (time[:-1] >= 0) & (time[:-1] < steps)
        go = torch.nn.functional.pad(torch.where(inside, go, never), (1, 0), value=never)
        alpha = torch.logaddexp(stay, go)
        items.append(alpha)
    last, count = times.long() - 1, lengths.long()
    rows = torch.arange(batch, device=logs.device)
    ends = torch.stack(items)[last + count, rows, count]
    return -(ends + blanks[rows, last, count])


@primitive(
    "RNNTLoss",
    samples=("f(2, 3, 3, 4), torch.tensor([[1, 2], [3, 1]]), i(2) * 0 + 3, torch.tensor([2, 1])",),
    errors=(
        ("f(1, 2, 3), i(1, 2), i(1), i(1)", ValueError, "acts"),
        ("f(1, 2, 3, 5), i(1, 3), i(1), i(1)", ValueError, "labels"),
        ("f(1, 2, 3, 5), i(1, 2), i(2), i(1)", ValueError, "input_lengths"),
        ("i(1, 2, 3, 5), i(1, 2), i(1), i(1)", TypeError, "acts"),
    ),
    differentiable=False,
)
def _rnnt_loss(
    acts: Tensor,
    labels: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    *,
    blank_label: int = 0,
) -> tuple[Tensor, Tensor]:
    r"""Transducer loss: the negative log probability of the labels.

    The probability is summed over all ways through the grid of T times and U places, each step
    being a blank (one time on) or the next label (one place on), after a softmax over the last
    axis. `acts` that are logarithms of probabilities already are not changed by that.

    Args:
        blank_label (int): the number of the blank. Default: 0.
        acts (Tensor): shape :math:`(B, T, U, V)`, floating.
        labels (Tensor): shape :math:`(B, U - 1)`, integers.
        input_lengths (Tensor): how many times count, shape :math:`(B,)`.
        label_lengths (Tensor): how many labels count, shape :math:`(B,)`.

    Outputs: Tuple of the costs, shape :math:`(B,)`, and the gradient of their sum for `acts`; both
        in the type of `acts`. They are not part of a gradient.
    Raises TypeError: `blank_label` is not an int or `acts` is of no floating type.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torchaudio.functional.rnnt_loss`` returns the costs, differentiable.
    Source: MindSpore 2.10's documentation.

    >>> acts, label = ms.ops.zeros((1, 1, 2, 2)), ms.Tensor([[1]], ms.int32)
    >>> one = ms.Tensor([1], ms.int32)
    >>> print(ms.ops.RNNTLoss()(acts, label, one, one)[0])
    [1.3862944]
    """
    op_name = "RNNTLoss"
    integer(op_name, "blank_label", blank_label)
    if not acts.is_floating_point():
        raise TypeError(
            f"For '{op_name}', 'acts' must be of a floating type, but got {FROM_TORCH[acts.dtype]}."
        )
    if acts.ndim != 4:
        raise ValueError(
            f"For '{op_name}', 'acts' must have shape (B, T, U, V), but got {list(acts.shape)}."
        )
    batch, _, width, _ = acts.shape
    _shaped(op_name, "labels", labels, (batch, width - 1))
    _shaped(op_name, "input_lengths", input_lengths, (batch,))
    _shaped(op_name, "label_lengths", label_lengths, (batch,))
    with torch.enable_grad():
        leaf = acts.detach().to(torch.promote_types(acts.dtype, torch.float32)).requires_grad_()
        costs = _transducer_costs(leaf, labels, input_lengths, label_lengths, blank_label)
        (grads,) = torch.autograd.grad(costs.sum(), leaf)
    return costs.detach().to(acts.dtype), grads.to(acts.dtype)
