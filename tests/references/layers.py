"""Layers: convolutions, norms, activations and recurrent networks, from their formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import images
from .pooling import adaptive_largest, each, largest, mean, pairs, same_pads

# -------------------------------------------------------------------------------- convolution


def _dense(w: np.ndarray, groups: int) -> np.ndarray:
    """The weight of a convolution without groups, with zeros between different groups."""
    out, part = w.shape[:2]
    full = np.zeros((out, part * groups, *w.shape[2:]))
    for o in range(out):
        first = o // (out // groups) * part
        full[o, first : first + part] = w[o]
    return full


def _slide(
    x: np.ndarray, w: np.ndarray, stride: Any, pads: Sequence[Any], dilation: Any
) -> np.ndarray:
    rank = w.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *pads])
    steps, gaps, kernel = each(stride, rank), each(dilation, rank), w.shape[2:]
    shape = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(x.shape[2:], kernel, steps, gaps, strict=True)
    ]
    out = np.zeros((x.shape[0], w.shape[0], *shape))
    for place in np.ndindex(*shape):
        first = [i * s for i, s in zip(place, steps, strict=True)]
        box = tuple(
            slice(f, f + d * (k - 1) + 1, d) for f, k, d in zip(first, kernel, gaps, strict=True)
        )
        seen = x[(slice(None), slice(None), *box)]
        out[(..., *place)] = seen.reshape(len(x), -1) @ w.reshape(len(w), -1).T
    return out


def _conv(
    rank: int,
    x: Any,
    w: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> np.ndarray:
    """As mint has it."""
    x, w = np.asarray(x), np.asarray(w)
    alone = x.ndim == rank + 1
    x = x[None] if alone else x
    if padding == "same":
        sizes = [d * (k - 1) for k, d in zip(w.shape[2:], each(dilation, rank), strict=True)]
        pads = [(t // 2, t - t // 2) for t in sizes]
    else:
        pads = pairs(padding, rank)
    out = _slide(x, _dense(w, groups), stride, pads, dilation)
    if bias is not None:
        out = out + np.asarray(bias).reshape(-1, *[1] * rank)
    return out[0] if alone else out


def _moded(
    rank: int,
    x: Any,
    w: Any,
    bias: Any = None,
    stride: Any = 1,
    pad_mode: str = "valid",
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> np.ndarray:
    """As ops has it; padding for both sides of one dimension are two numbers."""
    sizes, kernel = np.asarray(x).shape[2:], np.asarray(w).shape[2:]
    pads: Any = 0 if pad_mode == "valid" else padding
    if pad_mode == "same":
        pads = [p for pair in same_pads(sizes, kernel, stride, dilation) for p in pair]
    return _conv(rank, x, w, bias, stride, pads, dilation, groups)


def _conv_primitive(
    rank: int,
    x: Any,
    w: Any,
    *,
    out_channel: int,
    kernel_size: Any,
    stride: Any = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    group: int = 1,
    data_format: str = "",
) -> np.ndarray:
    x, w = np.asarray(x), np.asarray(w)
    last = data_format == "NHWC"
    x, w = (np.moveaxis(t, -1, 1) if last else t for t in (x, w))
    out = _moded(rank, x, w, None, stride, pad_mode, pad, 1, group)
    return np.moveaxis(out, 1, -1) if last else out


def _depthwise(x: Any, w: Any, **options: Any) -> np.ndarray:
    """Every channel by itself with every kernel; the kernels vary slowest."""
    x, w = np.asarray(x), np.asarray(w)
    parts = [
        _conv(2, x[:, c : c + 1], w[m, c][None, None])
        for m in range(w.shape[0])
        for c in range(w.shape[1])
    ]
    return np.concatenate(parts, 1)


def _spread(x: np.ndarray, w: np.ndarray, stride: Any, dilation: Any) -> np.ndarray:
    """Every element of the input adds its multiple of the kernel; nothing is cut off."""
    rank = w.ndim - 2
    steps, gaps, kernel = each(stride, rank), each(dilation, rank), w.shape[2:]
    shape = [
        (n - 1) * s + d * (k - 1) + 1
        for n, k, s, d in zip(x.shape[2:], kernel, steps, gaps, strict=True)
    ]
    out = np.zeros((x.shape[0], w.shape[1], *shape))
    for place in np.ndindex(*x.shape[2:]):
        box = tuple(
            slice(i * s, i * s + d * (k - 1) + 1, d)
            for i, s, k, d in zip(place, steps, kernel, gaps, strict=True)
        )
        value = x[(..., *place)]
        out[(slice(None), slice(None), *box)] += np.einsum("ni,io...->no...", value, w)
    return out


def _cut(full: np.ndarray, pads: Sequence[Any], extra: Sequence[int]) -> np.ndarray:
    rank = len(pads)
    full = np.pad(full, [(0, 0), (0, 0), *((0, max(e, 0)) for e in extra)])
    box = tuple(slice(b, full.shape[2 + a] - after) for a, (b, after) in enumerate(pads[:rank]))
    return full[(slice(None), slice(None), *box)]


def _dense_transposed(w: np.ndarray, groups: int) -> np.ndarray:
    inputs, part = w.shape[:2]
    full = np.zeros((inputs, part * groups, *w.shape[2:]))
    for i in range(inputs):
        first = i // (inputs // groups) * part
        full[i, first : first + part] = w[i]
    return full


def _transposed(
    rank: int,
    x: Any,
    w: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> np.ndarray:
    x, w = np.asarray(x), np.asarray(w)
    alone = x.ndim == rank + 1
    full = _spread(x[None] if alone else x, _dense_transposed(w, groups), stride, dilation)
    out = _cut(full, pairs(padding, rank), each(output_padding, rank))
    if bias is not None:
        out = out + np.asarray(bias).reshape(-1, *[1] * rank)
    return out[0] if alone else out


def _conv3d_transpose(
    x: Any,
    w: Any,
    pad_mode: str = "valid",
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    output_padding: Any = 0,
) -> np.ndarray:
    if pad_mode == "same":  # size times stride; here kernel and stride are equal
        assert set(np.asarray(w).shape[2:]) == {stride}
    return _transposed(
        3, x, w, None, stride, padding if pad_mode == "pad" else 0, output_padding, group, dilation
    )


def _conv3d_transpose_primitive(
    x: Any,
    w: Any,
    *,
    in_channel: int,
    out_channel: int,
    kernel_size: Any,
    pad_mode: str = "valid",
    pad: Any = 0,
    stride: Any = 1,
    output_padding: Any = 0,
) -> np.ndarray:
    return _conv3d_transpose(x, w, pad_mode, pad, stride, 1, 1, output_padding)


def _conv2d_transpose(
    dout: Any,
    w: Any,
    input_size: Sequence[int],
    *,
    out_channel: int,
    kernel_size: Any,
    pad_mode: str = "valid",
    pad: Any = 0,
    stride: Any = 1,
) -> np.ndarray:
    """What the convolution never saw has no gradient."""
    full = _spread(np.asarray(dout), np.asarray(w), stride, 1)
    sizes = input_size[2:]
    pads = pairs(pad if pad_mode == "pad" else 0, 2)
    if pad_mode == "same":
        pads = same_pads(sizes, kernel_size, stride)
    out = np.zeros((*full.shape[:2], *sizes))
    for i, j in np.ndindex(*sizes):
        row, column = i + pads[0][0], j + pads[1][0]
        if row < full.shape[2] and column < full.shape[3]:
            out[:, :, i, j] = full[:, :, row, column]
    return out


# -------------------------------------------------------------------------------- activations


def sigmoid(x: Any) -> np.ndarray:
    return 1 / (1 + np.exp(-np.asarray(x)))


def softmax(x: Any, axis: Any) -> np.ndarray:
    powers = np.exp(np.asarray(x))
    return powers / powers.sum(axis, keepdims=True)


def log_softmax(x: Any, axis: Any) -> np.ndarray:
    x = np.asarray(x)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


def _axis(x: Any) -> int:
    """Which dimension a softmax without one takes."""
    return 0 if np.asarray(x).ndim in (0, 1, 3) else 1


def _softmax(x: Any, dim: Any = None, **_: Any) -> np.ndarray:
    return softmax(x, _axis(x) if dim is None else dim)


def _log_softmax(x: Any, dim: Any = None) -> np.ndarray:
    return log_softmax(x, _axis(x) if dim is None else dim)


def _gelu(x: Any, approximate: str = "none") -> np.ndarray:
    x = np.asarray(x)
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x * 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2))


def _elu(x: Any, alpha: float = 1.0) -> np.ndarray:
    x = np.asarray(x)
    return np.where(x > 0, x, alpha * (np.exp(x) - 1))


def _celu(x: Any, *, alpha: float = 1.0) -> np.ndarray:
    x = np.asarray(x)
    return np.maximum(x, 0) + np.minimum(alpha * (np.exp(x / alpha) - 1), 0)


def _selu(x: Any) -> np.ndarray:
    return 1.0507009873554805 * _elu(x, 1.6732632423543772)


def _hard_shrink(x: Any, *, lambd: float = 0.5) -> np.ndarray:
    x = np.asarray(x)
    return x * (abs(x) > lambd)


def _soft_shrink(x: Any, *, lambd: float = 0.5) -> np.ndarray:
    x = np.asarray(x)
    return np.sign(x) * np.maximum(abs(x) - lambd, 0)


def _prelu(x: Any, weight: Any) -> np.ndarray:
    x, weight = np.asarray(x), np.asarray(weight)
    slopes = weight.reshape(-1, *[1] * (x.ndim - 2)) if x.ndim > 1 else weight
    return np.maximum(x, 0) + slopes * np.minimum(x, 0)


def _glu(x: Any, axis: int = -1) -> np.ndarray:
    a, b = np.split(np.asarray(x), 2, axis)
    return a * sigmoid(b)


def _swiglu(x: Any, axis: int = -1) -> np.ndarray:
    a, b = np.split(np.asarray(x), 2, axis)
    return a * sigmoid(a) * b


def _mish(x: Any) -> np.ndarray:
    x = np.asarray(x)
    return x * np.tanh(np.log(1 + np.exp(x)))


# -------------------------------------------------------------------------------------- norms


def _channels(v: Any, x: np.ndarray) -> np.ndarray:
    return np.asarray(v).reshape(-1, *[1] * (x.ndim - 2))


def _affine(y: np.ndarray, weight: Any, bias: Any) -> np.ndarray:
    y = y if weight is None else y * _channels(weight, y)
    return y if bias is None else y + _channels(bias, y)


def _batch_norm(
    x: Any, mean: Any, variance: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> np.ndarray:
    x = np.asarray(x)
    return _affine((x - _channels(mean, x)) / np.sqrt(_channels(variance, x) + eps), weight, bias)


def _batch_norm_primitive(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    *,
    is_training: bool = False,
    data_format: str = "NCHW",
) -> tuple[np.ndarray, ...]:
    x = np.asarray(x)
    x = np.moveaxis(x, -1, 1) if data_format == "NHWC" else x
    if is_training:
        rows = np.moveaxis(x, 1, 0).reshape(x.shape[1], -1)
        mean, variance = rows.mean(1), ((rows - rows.mean(1, keepdims=True)) ** 2).mean(1)
    out = _batch_norm(x, mean, variance, scale, bias)
    out = np.moveaxis(out, 1, -1) if data_format == "NHWC" else out
    mean, variance = np.asarray(mean), np.asarray(variance)
    return out, mean, variance, mean, variance


def _centered(x: np.ndarray, axes: Any, eps: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    mean = x.mean(axes, keepdims=True)
    variance = ((x - mean) ** 2).mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps), mean, variance


def _layer_norm_primitive(
    x: Any,
    gamma: Any,
    beta: Any,
    *,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
) -> tuple[np.ndarray, ...]:
    x = np.asarray(x)
    axes = tuple(range(begin_norm_axis % x.ndim, x.ndim))
    y, mean, variance = _centered(x, axes, epsilon)
    return y * np.asarray(gamma) + np.asarray(beta), mean, variance


def _layer_norm(
    x: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> np.ndarray:
    rank = 1 if isinstance(shape, int) else len(shape)
    y = _centered(np.asarray(x), tuple(range(-rank, 0)), eps)[0]
    y = y if weight is None else y * np.asarray(weight)
    return y if bias is None else y + np.asarray(bias)


def _rms_norm(x: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[np.ndarray, np.ndarray]:
    x, gamma = np.asarray(x), np.asarray(gamma)
    root = 1 / np.sqrt((x**2).mean(tuple(range(-gamma.ndim, 0)), keepdims=True) + epsilon)
    return x * root * gamma, root


def _add_rms_norm(x1: Any, x2: Any, *rest: Any) -> tuple[np.ndarray, ...]:
    total = np.asarray(x1) + np.asarray(x2)
    return *_rms_norm(total, *rest), total


def _add_layer_norm(
    x1: Any, x2: Any, gamma: Any, beta: Any, epsilon: float = 1e-5, *_: Any
) -> tuple[np.ndarray, ...]:
    total = np.asarray(x1) + np.asarray(x2)
    y, mean, variance = _centered(total, -1, epsilon)
    return y * np.asarray(gamma) + np.asarray(beta), mean, 1 / np.sqrt(variance + epsilon), total


def _group_norm(
    x: Any, groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> np.ndarray:
    x = np.asarray(x)
    parts = x.reshape(x.shape[0], groups, -1)
    return _affine(_centered(parts, -1, eps)[0].reshape(x.shape), weight, bias)


def _instance_norm(
    x: Any,
    mean: Any = None,
    variance: Any = None,
    weight: Any = None,
    bias: Any = None,
    own: bool = True,
) -> np.ndarray:
    x = np.asarray(x)
    if not own:
        return _batch_norm(x, mean, variance, weight, bias)
    return _affine(_centered(x, tuple(range(2, x.ndim)), 1e-5)[0], weight, bias)


def _instance_norm_primitive(
    x: Any, gamma: Any, beta: Any, mean: Any, variance: Any
) -> tuple[np.ndarray, ...]:
    x = np.asarray(x)
    y, own, spread = _centered(x, tuple(range(2, x.ndim)), 1e-5)
    count = math.prod(x.shape[2:])
    own, spread = own.reshape(x.shape[:2]), spread.reshape(x.shape[:2]) * count / (count - 1)
    running = 0.1 * np.asarray(mean) + 0.9 * own
    spread = 0.1 * np.asarray(variance) + 0.9 * spread
    return _affine(y, gamma, beta), running.ravel(), spread.ravel()


def _lrn(
    x: Any,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
) -> np.ndarray:
    x = np.asarray(x)
    out = np.zeros(x.shape)
    for c in range(x.shape[1]):
        near = x[:, max(c - depth_radius, 0) : c + depth_radius + 1]
        out[:, c] = x[:, c] / (bias + alpha * (near**2).sum(1)) ** beta
    return out


def _l2_normalize(x: Any, *, axis: Any = 0, epsilon: float = 1e-4) -> np.ndarray:
    x = np.asarray(x)
    axis = axis if isinstance(axis, int) else axis[0]
    return x / np.sqrt(np.maximum((x**2).sum(axis, keepdims=True), epsilon))


def _normalize(x: Any, p: float = 2.0, dim: int = 1) -> np.ndarray:
    x = np.asarray(x)
    return x / np.maximum((abs(x) ** p).sum(dim, keepdims=True) ** (1 / p), 1e-12)


def _merged(
    x: Any,
    mean: Any,
    invstd: Any,
    running_mean: Any = None,
    running_var: Any = None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    counts: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    x, mean, invstd = np.asarray(x), np.asarray(mean), np.asarray(invstd)
    own = x.size // x.shape[1]  # values of a channel in this share
    n = np.full(len(mean), own) if counts is None else np.asarray(counts)
    n = n[:, None]
    merged = (n * mean).sum(0) / n.sum()
    variance = (n * (invstd**-2.0 - eps + (mean - merged) ** 2)).sum(0) / n.sum()
    return merged, 1 / np.sqrt(variance + eps)


def _elements(x: Any, weight: Any, bias: Any, mean: Any, invstd: Any, *_: Any) -> np.ndarray:
    x = np.asarray(x)
    return _affine((x - _channels(mean, x)) * _channels(invstd, x), weight, bias)


# ----------------------------------------------------------------------------- tables, vectors


def _bias_add(x: Any, bias: Any, *, data_format: str = "NCHW") -> np.ndarray:
    x, bias = np.asarray(x), np.asarray(bias)
    return x + bias if data_format == "NHWC" else x + _channels(bias, x)


def _embedding(
    indices: Any, weight: Any, padding_idx: Any = None, max_norm: float | None = None
) -> np.ndarray:
    rows = [np.asarray(weight)[int(i)] for i in np.asarray(indices).ravel()]
    if max_norm is not None:
        sizes = [math.sqrt((r**2).sum()) for r in rows]
        rows = [r * min(1, max_norm / (s + 1e-7)) for r, s in zip(rows, sizes, strict=True)]
    return np.array(rows).reshape(*np.asarray(indices).shape, -1)


def _lookup(table: Any, indices: Any, offset: int) -> np.ndarray:
    table, indices = np.asarray(table), np.asarray(indices)
    rows = [
        table[i - offset] if 0 <= i - offset < len(table) else np.zeros(table.shape[1:])
        for i in indices.ravel()
    ]
    return np.array(rows).reshape(*indices.shape, *table.shape[1:])


def _one_hot(classes: Any, count: int = -1) -> np.ndarray:
    classes = np.asarray(classes)
    return np.eye(classes.max() + 1 if count < 0 else count, dtype=np.int64)[classes]


def _flatten(x: Any, start: int = 0, end: int = -1) -> np.ndarray:
    x = np.asarray(x)
    start, end = start % x.ndim, end % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :])


# ----------------------------------------------------------------------------------- recurrent


def _lstm(
    x: Any,
    h: Any,
    c: Any,
    w: Any,
    *,
    input_size: int,
    hidden_size: int,
    has_bias: bool,
    **_: Any,
) -> tuple[np.ndarray, ...]:
    """Gates in the order i, f, g, o; without elements what MindSpore reserves."""
    x, w = np.asarray(x), np.asarray(w).ravel()
    h, c = np.asarray(h)[0], np.asarray(c)[0]
    rows, size = 4 * hidden_size, hidden_size
    w_in, w = w[: rows * input_size].reshape(rows, -1), w[rows * input_size :]
    w_state, w = w[: rows * size].reshape(rows, -1), w[rows * size :]
    bias = w.reshape(-1, rows).sum(0) if has_bias else 0
    outputs = []
    for step in x:
        i, f, g, o = np.split(step @ w_in.T + h @ w_state.T + bias, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.array(outputs), h[None], c[None], np.zeros((0, 1)), np.zeros((0, 1))


def _lstm_gates(
    x: Any, h: Any, c: Any, w: Any, b: Any, forget_bias: float, clip: float = 0
) -> tuple[np.ndarray, ...]:
    x, h, c, w, b = (np.asarray(t) for t in (x, h, c, w, b))
    i, j, f, o = np.split(np.concatenate((x, h), -1) @ w + b, 4, -1)
    i, j, f, o = sigmoid(i), np.tanh(j), sigmoid(f + forget_bias), sigmoid(o)
    c = c * f + i * j
    c = c.clip(-clip, clip) if clip > 0 else c
    return c, o * np.tanh(c), i, j, f, o, np.tanh(c)


def _basic_lstm_cell(x: Any, h: Any, c: Any, w: Any, b: Any) -> tuple[np.ndarray, ...]:
    return _lstm_gates(x, h, c, w, b, 1.0)


def _dynamic_rnn(
    x: Any,
    w: Any,
    b: Any,
    lengths: Any,
    h: Any,
    c: Any,
    *,
    forget_bias: float = 0.0,
    cell_clip: float = -1.0,
) -> tuple[np.ndarray, ...]:
    h, c = np.asarray(h)[0], np.asarray(c)[0]
    items = []
    for step in np.asarray(x):
        c, h, *gates = _lstm_gates(step, h, c, w, b, forget_bias, cell_clip)
        items.append((h, h, c, *gates))
    return tuple(np.array(t) for t in zip(*items, strict=True))


def _dynamic_gru(
    x: Any,
    w: Any,
    v: Any,
    bias_input: Any,
    bias_hidden: Any,
    lengths: Any,
    h: Any,
    *,
    gate_order: str = "rzh",
    reset_after: bool = True,
) -> tuple[np.ndarray, ...]:
    w, v, h = np.asarray(w), np.asarray(v), np.asarray(h)
    b = np.zeros(w.shape[1]) if bias_input is None else np.asarray(bias_input)
    d = np.zeros(w.shape[1]) if bias_hidden is None else np.asarray(bias_hidden)

    def parts(t: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(gate_order, np.split(t, 3, -1), strict=True))

    items = []
    for step in np.asarray(x):
        a, s = parts(step @ w + b), parts(h @ v + d)
        r, z = sigmoid(a["r"] + s["r"]), sigmoid(a["z"] + s["z"])
        inner = s["h"] if reset_after else (r * h) @ parts(v)["h"] + parts(d)["h"]
        n = np.tanh(a["h"] + (r * inner if reset_after else inner))
        h = (1 - z) * n + z * h
        items.append((h, h, z, r, n, inner))
    return tuple(np.array(t) for t in zip(*items, strict=True))


def _paths(logs: np.ndarray, labels: Sequence[int], blank: int) -> float:
    """Minus the logarithm of the sum over all ways from the first time and place."""

    def ways(t: int, u: int) -> float:
        last_time, last_label = t == len(logs) - 1, u == len(labels)
        if last_time and last_label:
            return math.exp(logs[t, u, blank])
        total = 0.0
        if not last_time:
            total += math.exp(logs[t, u, blank]) * ways(t + 1, u)
        if not last_label:
            total += math.exp(logs[t, u, labels[u]]) * ways(t, u + 1)
        return total

    return -math.log(ways(0, 0))


def _rnnt_loss(acts: Any, labels: Any, times: Any, lengths: Any) -> tuple[np.ndarray, np.ndarray]:
    acts, labels = np.asarray(acts), np.asarray(labels)

    def costs(x: np.ndarray) -> np.ndarray:
        logs = log_softmax(x, -1)
        return np.array(
            [
                _paths(logs[b, : int(t), : int(n) + 1], labels[b, : int(n)].tolist(), 0)
                for b, (t, n) in enumerate(zip(times, lengths, strict=True))
            ]
        )

    slopes, step = np.zeros(acts.shape), 1e-4
    for place in np.ndindex(*acts.shape):  # differences of fourth order
        total = 0.0
        for times_step, factor in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
            moved = acts.copy()
            moved[place] += times_step * step
            total += factor * costs(moved)[place[0]]
        slopes[place] = total / (12 * step)
    return costs(acts), slopes


# -------------------------------------------------------------------------------------- others


def _pool_mint(rank: int) -> Callable[..., Any]:
    return lambda x, k, s=None, *rest: mean(x, rank, k, s, *rest)


def _equal(x: Any, y: Any) -> bool:
    x, y = np.asarray(x), np.asarray(y)
    return x.shape == y.shape and bool((x == y).all())


REFERENCES: dict[str, Callable[..., Any]] = {
    "mint.nn.functional.conv1d": lambda *a, **k: _conv(1, *a, **k),
    "mint.nn.functional.conv2d": lambda *a, **k: _conv(2, *a, **k),
    "mint.nn.functional.conv3d": lambda *a, **k: _conv(3, *a, **k),
    "mint.nn.functional.avg_pool1d": _pool_mint(1),
    "mint.nn.functional.avg_pool2d": _pool_mint(2),
    "mint.nn.functional.avg_pool3d": _pool_mint(3),
    "mint.nn.functional.max_pool2d": lambda x, *rest: largest(x, 2, *rest),
    "mint.nn.functional.adaptive_max_pool1d": lambda x, *rest: adaptive_largest(x, 1, *rest),
    "mint.nn.functional.batch_norm": _batch_norm,
    "mint.nn.functional.elu": _elu,
    "mint.nn.functional.hardtanh": lambda x: np.asarray(x).clip(-1, 1),
    "mint.nn.functional.relu6": lambda x: np.asarray(x).clip(0, 6),
    "mint.nn.functional.silu": lambda x: np.asarray(x) * sigmoid(x),
    "mint.nn.functional.threshold": lambda x, t, v: np.where(np.asarray(x) > t, x, v),
    "mint.nn.functional.leaky_relu": lambda x, slope=0.01: np.where(x > 0, x, slope * x),
    "mint.nn.functional.mish": _mish,
    "mint.nn.functional.logsigmoid": lambda x: np.log(sigmoid(x)),
    "mint.nn.functional.gelu": _gelu,
    "mint.nn.functional.glu": _glu,
    "mint.nn.functional.softmax": _softmax,
    "LogSoftmaxExt+mint.nn.functional.log_softmax": _log_softmax,
    "mint.nn.functional.normalize": _normalize,
    "mint.nn.functional.one_hot": _one_hot,
    "mint.nn.functional.pad": images.pad,
    "mint.nn.functional.flatten": _flatten,
    "mint.nn.functional.interpolate": images.interpolate,
    "mint.nn.functional.upsample": images.interpolate,
    "ops.prelu+PReLU+mint.nn.functional.prelu": _prelu,
    "HShrink": _hard_shrink,
    "SoftShrink": _soft_shrink,
    "Elu": _elu,
    "CeLU": _celu,
    "ops.selu+SeLU+mint.nn.functional.selu": _selu,
    "ops.gelu": _gelu,
    "GeLU": lambda x: _gelu(x, "tanh"),
    "Softplus": lambda x: np.log(1 + np.exp(np.asarray(x))),
    "ops.tanhshrink": lambda x: np.asarray(x) - np.tanh(np.asarray(x)),
    "ops.glu": _glu,
    "GLU": _glu,
    "ops.swiglu": _swiglu,
    "Tensor.softmax": lambda x, axis, *_: softmax(x, axis),
    "Softmax": lambda x, *, axis=-1: softmax(x, axis),
    "ops.log_softmax": lambda x, axis=-1: log_softmax(x, axis),
    "LogSoftmax": lambda x, *, axis=-1: log_softmax(x, axis),
    "ops.softmin": lambda x, axis=-1: softmax(-x, axis),
    "BatchNorm": _batch_norm_primitive,
    "LayerNorm": _layer_norm_primitive,
    "ops.layer_norm+mint.nn.functional.layer_norm": _layer_norm,
    "ops.rms_norm": _rms_norm,
    "ops.add_rms_norm": _add_rms_norm,
    "ops.add_layer_norm": _add_layer_norm,
    "RmsNorm": _rms_norm,
    "ops.group_norm+mint.nn.functional.group_norm": _group_norm,
    "ops.instance_norm": _instance_norm,
    "InstanceNorm": _instance_norm_primitive,
    "ops.lrn": _lrn,
    "LRN": _lrn,
    "L2Normalize": _l2_normalize,
    "ops.conv1d": lambda *a: _moded(1, *a),
    "ops.conv2d": lambda *a: _moded(2, *a),
    "ops.conv3d": lambda *a: _moded(3, *a),
    "ops.conv_transpose2d+mint.nn.functional.conv_transpose2d": lambda *a: _transposed(2, *a),
    "ops.conv3d_transpose": _conv3d_transpose,
    "Conv2D": lambda x, w, **k: _conv_primitive(2, x, w, **k),
    "DepthwiseConv2dNative": _depthwise,
    "Conv2DTranspose": _conv2d_transpose,
    "Conv3D": lambda x, w, **k: _conv_primitive(3, x, w, **k),
    "Conv3DTranspose": _conv3d_transpose_primitive,
    "BiasAdd": _bias_add,
    "ops.embedding+mint.nn.functional.embedding": _embedding,
    "EmbeddingLookup": _lookup,
    "LSTM": _lstm,
    "BasicLSTMCell": _basic_lstm_cell,
    "DynamicRNN": _dynamic_rnn,
    "DynamicGRUV2": _dynamic_gru,
    "RNNTLoss": _rnnt_loss,
    "mint.item": lambda x: np.asarray(x).ravel().tolist()[0],
    "mint.equal": _equal,
    "mint.softmax": _softmax,
    "mint.npu_gelu": _gelu,
    "UpsampleNearest2D+mint.nn.upsample_nearest2d_op": (
        lambda x, size=None, scales=None: images.interpolate(x, size, scales)
    ),
    "UpsampleBilinear2D+mint.nn.upsample_bilinear2d_op": (
        lambda x, size=None, scales=None, align=False: images.interpolate(
            x, size, scales, "bilinear", align
        )
    ),
    "mint.batch_norm_gather_stats_with_counts": _merged,
    "mint.batch_norm_elemt": _elements,
}
