"""Steps of optimizers: against formulas in float64, and against what MindSpore 2.10 computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn, ops

# ----------------------------------------------------------------------- formulas, in numpy


def averages(m, v, b1, b2, g):
    return b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g


def adam(w, m, v, p1, p2, lr, b1, b2, eps, g, ahead=False):
    m, v = averages(m, v, b1, b2, g)
    step = b1 * m + (1 - b1) * g if ahead else m
    return w - lr * np.sqrt(1 - p2) / (1 - p1) * step / (np.sqrt(v) + eps), m, v


def adam_weight_decay(w, m, v, lr, b1, b2, eps, decay, g, norm=1.0):
    m, v = averages(m, v, b1, b2, g / norm)
    return w - lr * (m / (np.sqrt(v) + eps) + decay * w), m, v


def ada_max(w, m, v, p1, lr, b1, b2, eps, g):
    m, v = b1 * m + (1 - b1) * g, np.maximum(b2 * v, abs(g))
    return w - lr / (1 - p1) * m / (v + eps), m, v


def amsgrad(w, m, v, h, p1, p2, lr, b1, b2, eps, g):
    m, v = averages(m, v, b1, b2, g)
    h = np.maximum(h, v)
    return w - lr * np.sqrt(1 - p2) / (1 - p1) * m / (np.sqrt(h) + eps), m, v, h


def adadelta(w, a, b, lr, rho, eps, g):
    a = rho * a + (1 - rho) * g * g
    u = np.sqrt(b + eps) * g / np.sqrt(a + eps)
    return w - lr * u, a, rho * b + (1 - rho) * u * u


def adagrad(w, a, lr, g, eps=0.0, update=True):
    a = a + g * g if update else a
    return w - lr * g / (np.sqrt(a) + eps), a


def adagrad_under_root(w, a, lr, g, eps, update=True):
    a = a + g * g if update else a
    return w - lr * g / np.sqrt(a + eps), a


def shrink(x, by):
    return np.sign(x) * np.maximum(abs(x) - by, 0)


def adagrad_da(w, a, b, g, lr, l1, l2, t):
    a, b = a + g, b + g * g
    return -lr * shrink(a, l1 * t) / (l2 * t * lr + np.sqrt(b)), a, b


def proximal_adagrad(w, a, lr, l1, l2, g):
    a = a + g * g
    r = lr / np.sqrt(a)
    return shrink(w - r * g, r * l1) / (1 + r * l2), a


def ftrl(w, n, z, g, lr, l1, l2, p, shrinkage=0.0):
    new = n + g * g
    z = z + g + 2 * shrinkage * w - (new**-p - n**-p) / lr * w
    small = abs(z) <= l1
    return np.where(small, 0, (np.sign(z) * l1 - z) / (new**-p / lr + 2 * l2)), new, z


def rms_prop(w, s, m, lr, g, rho, beta, eps):
    s = rho * s + (1 - rho) * g * g
    m = beta * m + lr * g / np.sqrt(s + eps)
    return w - m, s, m


def centered_rms_prop(w, a, s, m, g, lr, rho, beta, eps):
    a, s = averages(a, s, rho, rho, g)
    m = beta * m + lr * g / np.sqrt(s - a * a + eps)
    return w - m, a, s, m


def momentum(w, v, lr, g, u, ahead=False, scale=1.0):
    g = g * scale
    v = u * v + g
    return w - lr * (g + u * v if ahead else v), v


def keras_momentum(w, v, lr, g, u, ahead=False):
    v = u * v - lr * g
    return w + (u * v - lr * g if ahead else v), v


def scaled_momentum(w, v, decay, scale, lr, g, u):
    return momentum(w, v, lr, (g + decay * w) * scale, u)


def descent(w, alpha, g):
    return (w - alpha * g,)


def proximal_descent(w, alpha, l1, l2, g):
    return (shrink(w - alpha * g, alpha * l1) / (1 + alpha * l2),)


def add_sign(w, m, lr, alpha, decay, beta, g):
    m = beta * m + (1 - beta) * g
    return w - lr * (alpha + decay * np.sign(g) * np.sign(m)) * g, m


def power_sign(w, m, lr, base, decay, beta, g):
    m = beta * m + (1 - beta) * g
    return w - lr * np.exp(base * decay * np.sign(g) * np.sign(m)) * g, m


def sgd(w, v, stat, g, lr, u, less=0.0, decay=0.0, ahead=False):
    g = g + decay * w
    v = np.where(stat > 0, g, u * v + (1 - less) * g)
    return w - lr * (g + u * v if ahead else v), v, np.where(stat > 0, 0, stat)


def rms(x):
    return np.sqrt((x * x).mean())


def ada_factor(w, m, row, column, square, rates, g, flags, norm=1.0):
    (e1, e2), clip, b1, b2, decay, lr = rates
    g = g / norm
    if flags:
        lr = lr * max(e2, rms(w))
    new = g * g + e1
    if w.ndim > 1:
        row = b2 * row + (1 - b2) * new.mean(-1)
        column = b2 * column + (1 - b2) * new.mean(-2)
        share = row / row.mean(-1, keepdims=True)
        u = g / np.sqrt(share[..., None] * column[..., None, :])
    else:
        square = b2 * square + (1 - b2) * new
        u = g / np.sqrt(square)
    u = u / max(1, rms(u) / clip) * lr
    if flags:
        m = u = b1 * m + (1 - b1) * u
        w = w * (1 - decay * lr)
    return w - u, m, row, column, square


def lamb(v, m, g, w, b1, s1, b2, s2, eps, t, flag, decay):
    m, v = b1 * m + s1 * g, b2 * v + s2 * g * g
    update = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps) + flag * decay * w
    return update, v, m


def added(step):
    """The step in the rows of some indices, once in each, by the sum of its gradients."""

    def run(states, g, rows):
        states = [s.copy() for s in states]
        items = [r for r in sorted(set(rows)) if 0 <= r < len(states[0])]
        for r in items:
            new = step(*(s[r] for s in states), g[rows == r].sum(0))
            for s, value in zip(states, new, strict=True):
                s[r] = value
        return states

    return run


def in_turn(step):
    """The step for each index, one after another."""

    def run(states, g, rows):
        states = [s.copy() for s in states]
        for r, slice_ in zip(rows, g, strict=True):
            if 0 <= r < len(states[0]):
                new = step(*(s[r] for s in states), slice_)
                for s, value in zip(states, new, strict=True):
                    s[r] = value
        return states

    return run


def everywhere(w, m, v, g, rows, ahead=False):
    """Adam of all rows by a gradient that is zero outside of some."""
    whole = np.zeros_like(w)
    for r, slice_ in zip(rows, g, strict=True):
        if 0 <= r < len(w):
            whole[r] += slice_
    new, m, v = adam(w, m, v, *RATES, whole, ahead)
    given = np.isin(np.arange(len(w)), rows)[:, None]
    return np.where(given | (not ahead), new, w), m, v


# ------------------------------------------------------------------------------------ cases

SMALL = {
    "var": [[0.6, 0.4], [0.1, -0.5]],
    "m": [[0.6, 0.5], [-0.2, 0.6]],
    "v": [[0.9, 0.1], [0.7, 0.8]],
    "h": [[0.5, 0.2], [0.8, 0.3]],
    "stat": [[1.5, -0.3], [0.2, 0.0]],
}
TALL = {
    "var": [[1.0, 2.0], [0.5, -0.3], [0.2, 0.7]],
    "m": [[0.5, 1.0], [0.25, -0.15], [0.1, 0.35]],
    "v": [[0.3, 0.6], [0.15, 0.09], [0.06, 0.21]],
    "h": [[0.7, 1.4], [0.35, 0.21], [0.14, 0.49]],
    "mg": [[0.1, 0.2], [0.05, -0.03], [0.02, 0.07]],
    "ms": [[0.8, 1.3], [0.55, 0.45], [0.4, 0.65]],
    "mom": [[0.2, 0.4], [0.1, -0.06], [0.04, 0.14]],
}
G = np.array([[0.3, -0.7], [0.1, 0.8]])
G3 = np.array([[0.3, -0.7], [0.1, 0.8], [0.2, 0.5]])
TWICE, TWO, OUTSIDE = np.array([0, 2, 0]), np.array([2, 0]), np.array([0, -1])
ADAM = (0.9, 0.999, 0.001, 0.9, 0.999, 1e-8)
RATES = (0.9, 0.999, 0.1, 0.9, 0.99, 1e-8)
FTRL = (0.1, 0.2, 0.3)
FACTOR = ((1e-3, 1e-2), 0.5, 0.9, 0.8, 0.1, 0.03)
ALL = {
    "enable_scale_parameter": True,
    "enable_first_moment": True,
    "enable_weight_decay": True,
}


class Case(NamedTuple):
    """A step: what it writes, how it is called, and what it must compute.

    `call` takes the primitive, the states by name and a function that makes tensors; `formula`
    takes the states in order, and returns them in this order.
    """

    states: dict[str, Any]
    make: Callable[[], Any]
    call: Callable[..., Any]
    formula: Callable[..., Any]


def small(*names: str) -> dict[str, Any]:
    return {n: SMALL[n] for n in names}


def tall(*names: str) -> dict[str, Any]:
    return {n: TALL[n] for n in names}


def plain(name: str, states: tuple[str, ...], after: tuple, formula: Any, **options: Any) -> Case:
    """A step that takes its states, numbers, and the gradient where `after` has G."""

    def call(prim: Any, p: Any, t: Any) -> Any:
        return prim(*(p[n] for n in states), *(t(x) if x is G else x for x in after))

    return Case(
        small(*states),
        lambda: getattr(ops, name)(**options),
        call,
        lambda *values: formula(*values, *after),
    )


def sparse(
    name: str,
    states: tuple[str, ...],
    before: tuple,
    g: np.ndarray,
    rows: np.ndarray,
    formula: Any,
    *options: Any,
    **named: Any,
) -> Case:
    """A step that takes its states, numbers, a gradient of some rows, and the rows."""

    def call(prim: Any, p: Any, t: Any) -> Any:
        return prim(*(p[n] for n in states), *before, t(g), Tensor(rows, ms.int32))

    return Case(
        tall(*states),
        lambda: getattr(ops, name)(*options, **named),
        call,
        lambda *values: formula(values, g, rows),
    )


def factor(name: str, flags: bool, after: tuple = (), shape: tuple = (2, 3, 2)) -> Case:
    rng = np.random.RandomState(5)
    matrix = len(shape) > 1
    states = {
        "param": rng.uniform(-1, 1, shape),
        "avg": rng.uniform(-1, 1, shape),
        "row": rng.uniform(0.1, 1, shape[:-1] if matrix else (1,)),
        "col": rng.uniform(0.1, 1, (*shape[:-2], shape[-1]) if matrix else (1,)),
        "sq": rng.uniform(0.1, 1, shape),
    }
    g = np.linspace(-1, 1, int(np.prod(shape))).reshape(shape)

    def call(prim: Any, p: Any, t: Any) -> Any:
        return prim(*FACTOR, t(g), *p.values(), *after)

    return Case(
        states,
        lambda: getattr(ops, name)(**(ALL if flags else {})),
        call,
        lambda *values: ada_factor(*values, FACTOR, g, flags, *after),
    )


def _with(formula: Any, **named: Any) -> Any:
    return lambda *values: formula(*values, **named)


WM, WV, WMV, WMVH = ("var", "m"), ("var", "v"), ("var", "m", "v"), ("var", "m", "v", "h")
CASES = {
    "Adam": plain("Adam", WMV, (*ADAM, G), adam),
    "Adam ahead": plain("Adam", WMV, (*ADAM, G), _with(adam, ahead=True), use_nesterov=True),
    "AdamWeightDecay": plain(
        "AdamWeightDecay", WMV, (0.1, 0.9, 0.999, 1e-8, 0.02, G), adam_weight_decay
    ),
    "FusedCastAdamWeightDecay": plain(
        "FusedCastAdamWeightDecay", WMV, (0.1, 0.9, 0.99, 1e-8, 0.02, G, 2.0), adam_weight_decay
    ),
    "ApplyAdaMax": plain("ApplyAdaMax", WMV, (0.9, 0.1, 0.9, 0.99, 1e-10, G), ada_max),
    "ApplyAdadelta": plain("ApplyAdadelta", ("var", "v", "h"), (0.1, 0.3, 1e-6, G), adadelta),
    "ApplyAdagrad": plain("ApplyAdagrad", WV, (0.1, G), adagrad),
    "ApplyAdagrad kept": plain(
        "ApplyAdagrad", WV, (0.1, G), _with(adagrad, update=False), update_slots=False
    ),
    "ApplyAdagradV2": plain("ApplyAdagradV2", WV, (0.1, G), _with(adagrad, eps=1e-6), epsilon=1e-6),
    "ApplyAdagradV2 kept": plain(
        "ApplyAdagradV2",
        WV,
        (0.1, G),
        _with(adagrad, eps=1e-6, update=False),
        epsilon=1e-6,
        update_slots=False,
    ),
    "ApplyAdagradDA": plain("ApplyAdagradDA", WMV, (G, 0.1, 0.2, 0.3, 2), adagrad_da),
    "ApplyAdagradDA plain": plain("ApplyAdagradDA", WMV, (G, 0.1, 0.0, 0.3, 2), adagrad_da),
    "ApplyAdamWithAmsgrad": plain(
        "ApplyAdamWithAmsgrad",
        WMVH,
        (0.9, 0.999, 0.1, G),
        lambda w, m, v, h, p1, p2, lr, g: amsgrad(w, m, v, h, p1, p2, lr, 0.8, 0.99, 1e-8, g),
        beta1=0.8,
        beta2=0.99,
    ),
    "ApplyAdamWithAmsgradV2": plain(
        "ApplyAdamWithAmsgradV2", WMVH, (0.9, 0.999, 0.1, 0.8, 0.99, 1e-8, G), amsgrad
    ),
    "ApplyProximalAdagrad": plain("ApplyProximalAdagrad", WV, (0.1, 0.2, 0.3, G), proximal_adagrad),
    "ApplyFtrl": plain("ApplyFtrl", ("var", "v", "m"), (G, *FTRL, -0.5), ftrl),
    "ApplyFtrl power": plain("ApplyFtrl", ("var", "v", "m"), (G, *FTRL, -0.3), ftrl),
    "ApplyFtrl fixed": plain("ApplyFtrl", ("var", "v", "m"), (G, *FTRL, 0.0), ftrl),
    "ApplyRMSProp": plain("ApplyRMSProp", ("var", "v", "h"), (0.1, G, 0.9, 0.8, 0.01), rms_prop),
    "ApplyCenteredRMSProp": plain(
        "ApplyCenteredRMSProp", WMVH, (G, 0.1, 0.9, 0.8, 0.01), centered_rms_prop
    ),
    "ApplyMomentum": plain("ApplyMomentum", WM, (0.1, G, 0.9), momentum),
    "ApplyMomentum ahead": plain(
        "ApplyMomentum",
        WM,
        (0.1, G, 0.9),
        _with(momentum, ahead=True, scale=0.5),
        use_nesterov=True,
        gradient_scale=0.5,
    ),
    "ApplyKerasMomentum": plain("ApplyKerasMomentum", WM, (0.1, G, 0.9), keras_momentum),
    "ApplyKerasMomentum ahead": plain(
        "ApplyKerasMomentum",
        WM,
        (0.1, G, 0.9),
        _with(keras_momentum, ahead=True),
        use_nesterov=True,
    ),
    "FusedWeightScaleApplyMomentum": Case(
        small(*WM),
        ops.FusedWeightScaleApplyMomentum,
        lambda prim, p, t: prim(0.1, 2.0, p["var"], p["m"], 0.1, t(G), 0.9),
        lambda w, v: scaled_momentum(w, v, 0.1, 2.0, 0.1, G, 0.9),
    ),
    "ApplyGradientDescent": plain("ApplyGradientDescent", ("var",), (0.1, G), descent),
    "ApplyProximalGradientDescent": plain(
        "ApplyProximalGradientDescent", ("var",), (0.1, 1.2, 0.3, G), proximal_descent
    ),
    "ApplyAddSign": plain("ApplyAddSign", WM, (0.1, 1.0, 0.99, 0.9, G), add_sign),
    "ApplyPowerSign": plain("ApplyPowerSign", WM, (0.1, 2.0, 0.99, 0.9, G), power_sign),
    **{
        label: Case(
            small("var", "m", "stat"),
            lambda o=options: ops.SGD(*o),
            lambda prim, p, t: prim(p["var"], t(G), 0.1, p["m"], 0.9, p["stat"]),
            lambda w, v, stat, o=options: sgd(w, v, stat, G, 0.1, 0.9, *o),
        )
        for label, options in (
            ("SGD", (0.0, 0.0, False)),
            ("SGD damped", (0.2, 0.1, False)),
            ("SGD ahead", (0.0, 0.1, True)),
        )
    },
    "FusedAdaFactor": factor("FusedAdaFactor", False),
    "FusedAdaFactor all": factor("FusedAdaFactor", True),
    "FusedAdaFactor vector": factor("FusedAdaFactor", True, shape=(5,)),
    "FusedAdaFactorWithGlobalNorm": factor("FusedAdaFactorWithGlobalNorm", True, (2.0,)),
    "FusedSparseAdam": sparse(
        "FusedSparseAdam", WMV, RATES, G3, TWICE, lambda s, g, rows: everywhere(*s, g, rows)
    ),
    "FusedSparseAdam ahead": sparse(
        "FusedSparseAdam",
        WMV,
        RATES,
        G3,
        TWICE,
        lambda s, g, rows: everywhere(*s, g, rows, ahead=True),
        use_nesterov=True,
    ),
    **{
        f"FusedSparseLazyAdam{label}": sparse(
            "FusedSparseLazyAdam",
            WMV,
            RATES,
            G3,
            TWICE,
            added(lambda w, m, v, g, a=ahead: adam(w, m, v, *RATES, g, a)),
            use_nesterov=ahead,
        )
        for label, ahead in (("", False), (" ahead", True))
    },
    **{
        label: sparse(
            name,
            ("var", "v", "m"),
            (),
            g,
            rows,
            merge(lambda w, n, z, g, p=power: ftrl(w, n, z, g, *FTRL, p)),
            *FTRL,
            power,
        )
        for label, name, g, rows, merge, power in (
            ("FusedSparseFtrl", "FusedSparseFtrl", G3, TWICE, added, -0.5),
            ("FusedSparseFtrl power", "FusedSparseFtrl", G3, TWICE, added, -0.3),
            ("SparseApplyFtrl", "SparseApplyFtrl", G3, TWICE, in_turn, -0.5),
            ("SparseApplyFtrl outside", "SparseApplyFtrl", G, OUTSIDE, in_turn, -0.5),
        )
    },
    "SparseApplyFtrlV2": sparse(
        "SparseApplyFtrlV2",
        ("var", "v", "m"),
        (),
        G3,
        TWICE,
        in_turn(lambda w, n, z, g: ftrl(w, n, z, g, *FTRL, -0.5, 0.4)),
        *FTRL,
        0.4,
        -0.5,
    ),
    **{
        name: sparse(
            name,
            WV,
            (0.1, 0.2, 0.3),
            G3,
            TWICE,
            added(lambda w, a, g: proximal_adagrad(w, a, 0.1, 0.2, 0.3, g)),
        )
        for name in ("FusedSparseProximalAdagrad", "SparseApplyProximalAdagrad")
    },
    "SparseApplyAdagrad": sparse(
        "SparseApplyAdagrad", WV, (), G, TWO, added(lambda w, a, g: adagrad(w, a, 0.1, g)), 0.1
    ),
    "SparseApplyAdagrad twice": sparse(
        "SparseApplyAdagrad", WV, (), G3, TWICE, added(lambda w, a, g: adagrad(w, a, 0.1, g)), 0.1
    ),
    "SparseApplyAdagradV2": sparse(
        "SparseApplyAdagradV2",
        WV,
        (),
        G3,
        TWICE,
        in_turn(lambda w, a, g: adagrad_under_root(w, a, 0.1, g, 1e-3)),
        0.1,
        1e-3,
    ),
    "SparseApplyAdagradV2 kept": sparse(
        "SparseApplyAdagradV2",
        WV,
        (),
        G,
        TWO,
        in_turn(lambda w, a, g: adagrad_under_root(w, a, 0.1, g, 1e-3, False)),
        0.1,
        1e-3,
        update_slots=False,
    ),
    "SparseApplyCenteredRMSProp": sparse(
        "SparseApplyCenteredRMSProp",
        ("var", "mg", "ms", "mom"),
        (0.1, 0.9, 0.8, 0.01),
        G3,
        TWICE,
        in_turn(lambda w, a, s, m, g: centered_rms_prop(w, a, s, m, g, 0.1, 0.9, 0.8, 0.01)),
    ),
    **{
        f"SparseApplyMomentum{label}": Case(
            tall(*WM),
            lambda a=ahead: ops.SparseApplyMomentum(use_nesterov=a),
            lambda prim, p, t: prim(*p.values(), 0.1, t(G3), Tensor(TWICE, ms.int32), 0.9),
            lambda *s, a=ahead: in_turn(lambda w, v, g: momentum(w, v, 0.1, g, 0.9, a))(
                s, G3, TWICE
            ),
        )
        for label, ahead in (("", False), (" ahead", True))
    },
    "SparseApplyProximalGradientDescent": sparse(
        "SparseApplyProximalGradientDescent",
        ("var",),
        (0.1, 1.2, 0.3),
        G3,
        TWICE,
        in_turn(lambda w, g: proximal_descent(w, 0.1, 1.2, 0.3, g)),
    ),
    **{
        f"SparseApplyAdagradDA{label}": Case(
            tall(*WMV),
            ops.SparseApplyAdagradDA,
            lambda prim, p, t, n=l1: prim(
                *p.values(), t(G3), Tensor(TWICE, ms.int32), 0.1, n, 0.3, 2
            ),
            lambda *s, n=l1: in_turn(
                lambda w, a, b, g: adagrad_da(w, a, b, g, 0.1, max(n, 0), 0.3, 2)
            )(s, G3, TWICE),
        )
        for label, l1 in (("", 0.2), (" plain", 0.0), (" negative", -1.0))
    },
    "LambApplyWeightAssign": Case(
        small("var"),
        ops.LambApplyWeightAssign,
        lambda prim, p, t: prim(t(0.5), t([2.0]), 0.1, t(G), p["var"]),
        lambda w: (w - 0.1 * 0.25 * G,),
    ),
    "LambApplyWeightAssign zero": Case(
        small("var"),
        ops.LambApplyWeightAssign,
        lambda prim, p, t: prim(t(0.0), t([2.0]), 0.1, t(G), p["var"]),
        lambda w: (w - 0.1 * G,),
    ),
    "SparseApplyAdadelta": sparse(
        "SparseApplyAdadelta",
        ("var", "v", "h"),
        (0.1, 0.3),
        G3,
        TWICE,
        in_turn(lambda w, a, b, g: adadelta(w, a, b, 0.1, 0.3, 1e-3, g)),
        1e-3,
    ),
    "SparseApplyRMSProp": sparse(
        "SparseApplyRMSProp",
        ("var", "v", "h"),
        (0.1,),
        G3,
        np.array([2, 0, 1]),
        in_turn(lambda w, s, m, g: rms_prop(w, s, m, 0.1, g, 0.2, 0.3, 1e-3)),
        0.2,
        0.3,
        1e-3,
    ),
    "SparseApplyRMSProp twice": sparse(
        "SparseApplyRMSProp",
        ("var", "v", "h"),
        (0.1,),
        G3,
        TWICE,
        in_turn(lambda w, s, m, g: rms_prop(w, s, m, 0.1, g, 0.2, 0.3, 1e-3)),
        0.2,
        0.3,
        1e-3,
    ),
}

# What MindSpore 2.10 computes on CPU in float32. Steps whose CPU kernel ignores an option or takes
# a sign wrong are left out.
RECORDED = {
    "SparseApplyCenteredRMSProp": {
        "var": (0.6238263, 1.49076, 0.5, -0.3, 0.1515649, 0.4878866),
        "mg": (0.128, 0.149, 0.05, -0.03, 0.028, 0.143),
        "ms": (0.6601, 1.1221, 0.55, 0.45, 0.361, 0.649),
        "mom": (0.1809307, 0.2526955, 0.1, -0.06, 0.04843511, 0.2121134),
    },
    "SparseApplyMomentum": {
        "var": (0.8375, 1.912, 0.5, -0.3, 0.181, 0.5885),
        "m": (0.8749999, 0.6799999, 0.25, -0.15, 0.19, 1.115),
    },
    "SparseApplyProximalGradientDescent": {
        "var": (0.6652843, 1.673014, 0.5, -0.3, 0.06796116, 0.4854369),
    },
    "SparseApplyAdagradDA": {
        "var": (-0.08382888, -0.03285195, 0.5, -0.3, 0.0, -0.07637829),
        "m": (1.0, 0.8, 0.25, -0.15, 0.2, 1.15),
        "v": (0.43, 1.34, 0.15, 0.09, 0.07, 0.85),
    },
    "SparseApplyAdagradDA plain": {
        "var": (-0.1397148, -0.0657039, 0.5, -0.3, -0.06161901, -0.1171134),
        "m": (1.0, 0.8, 0.25, -0.15, 0.2, 1.15),
        "v": (0.43, 1.34, 0.15, 0.09, 0.07, 0.85),
    },
    "Adam": {
        "var": (0.5998099, 0.3996207, 0.1000643, -0.5002192),
        "m": (0.57, 0.38, -0.17, 0.62),
        "v": (0.89919, 0.10039, 0.69931, 0.79984),
    },
    "Adam ahead": {
        "var": (0.5998189, 0.3997285, 0.1000541, -0.5002256),
        "m": (0.57, 0.38, -0.17, 0.62),
        "v": (0.89919, 0.10039, 0.69931, 0.79984),
    },
    "AdamWeightDecay": {
        "var": (0.5386897, 0.2792671, 0.1201289, -0.568325),
        "m": (0.57, 0.38, -0.17, 0.62),
        "v": (0.89919, 0.10039, 0.69931, 0.79984),
    },
    "ApplyAdaMax": {
        "var": (-0.03973049, -0.142857, 0.3453102, -1.275),
        "m": (0.5700001, 0.38, -0.17, 0.6200001),
        "v": (0.891, 0.7, 0.693, 0.8),
    },
    "ApplyAdadelta": {
        "var": (0.5632393, 0.4512577, 0.08079942, -0.5528271),
        "v": (0.333, 0.373, 0.217, 0.688),
        "h": (0.2445945, 0.2439146, 0.2658064, 0.2853492),
    },
    "ApplyAdagrad": {
        "var": (0.5698489, 0.4911323, 0.08813219, -0.5666667),
        "v": (0.99, 0.59, 0.71, 1.44),
    },
    "ApplyAdagradV2": {
        "var": (0.5698489, 0.4911321, 0.0881322, -0.5666666),
        "v": (0.99, 0.59, 0.71, 1.44),
    },
    "ApplyAdagradV2 kept": {
        "var": (0.5683773, 0.6213588, 0.08804773, -0.5894426),
        "v": (0.9, 0.1, 0.7, 0.8),
    },
    "ApplyAdamWithAmsgradV2": {
        "var": (0.5819186, 0.3816153, 0.1049497, -0.5226499),
        "m": (0.54, 0.26, -0.14, 0.64),
        "v": (0.8919, 0.1039, 0.6931, 0.7984),
        "h": (0.8919, 0.2, 0.8, 0.7984),
    },
    "ApplyAddSign": {
        "var": (0.5403, 0.4007, 0.0999, -0.6592),
        "m": (0.5700001, 0.38, -0.17, 0.6200001),
    },
    "ApplyPowerSign": {
        "var": (0.3827177, 0.4096648, 0.09861931, -1.079419),
        "m": (0.5700001, 0.38, -0.17, 0.6200001),
    },
    "ApplyCenteredRMSProp": {
        "var": (0.1577465, 1.272089, -0.5527817, -0.865),
        "m": (0.57, 0.38, -0.17, 0.62),
        "v": (0.8189999, 0.139, 0.631, 0.784),
        "h": (0.4422535, -0.872089, 0.6527817, 0.365),
    },
    "ApplyRMSProp": {
        "var": (0.1670509, 0.4213447, -0.5524903, -0.82978),
        "v": (0.8189999, 0.139, 0.631, 0.784),
        "h": (0.4329492, -0.02134469, 0.6524903, 0.32978),
    },
    "ApplyFtrl fixed": {
        "var": (-0.06603774, 0.0, 0.0, -0.1132075),
        "v": (0.99, 0.59, 0.71, 1.44),
        "m": (0.9, -0.2, -0.1, 1.4),
    },
    "ApplyGradientDescent": {
        "var": (0.5700001, 0.47, 0.09, -0.58),
    },
    "ApplyProximalGradientDescent": {
        "var": (0.4368932, 0.3398058, 0.0, -0.4466019),
    },
    "ApplyMomentum": {
        "var": (0.516, 0.425, 0.108, -0.634),
        "m": (0.84, -0.25, -0.07999999, 1.34),
    },
    "ApplyProximalAdagrad": {
        "var": (0.5336577, 0.4476122, 0.06218263, -0.5365854),
        "v": (0.99, 0.59, 0.71, 1.44),
    },
    "ApplyAdagradDA plain": {
        "var": (-0.08530907, 0.02415125, 0.01107892, -0.1111111),
        "m": (0.9, -0.2, -0.1, 1.4),
        "v": (0.99, 0.59, 0.71, 1.44),
    },
    "SGD": {
        "var": (0.5700001, 0.425, 0.09, -0.634),
        "m": (0.3, -0.25, 0.1, 1.34),
        "stat": (0.0, -0.3, 0.0, 0.0),
    },
    "SGD damped": {
        "var": (0.564, 0.4078, 0.089, -0.614),
        "m": (0.36, -0.07800001, 0.11, 1.14),
        "stat": (0.0, -0.3, 0.0, 0.0),
    },
    "SGD ahead": {
        "var": (0.5316, 0.4849, 0.0791, -0.6911),
        "m": (0.36, -0.21, 0.11, 1.29),
        "stat": (0.0, -0.3, 0.0, 0.0),
    },
    "FusedSparseAdam": {
        "var": (0.9711086, 1.963906, 0.4815364, -0.2856982, 0.187036, 0.6730174),
        "m": (0.5, 0.88, 0.225, -0.135, 0.1, 0.395),
        "v": (0.2995, 0.5944, 0.1485, 0.0891, 0.05950001, 0.2143),
    },
    "FusedSparseAdam ahead": {
        "var": (0.9711086, 1.968335, 0.5, -0.3, 0.187036, 0.6702509),
        "m": (0.5, 0.88, 0.225, -0.135, 0.1, 0.395),
        "v": (0.2995, 0.5944, 0.1485, 0.0891, 0.05950001, 0.2143),
    },
    "FusedSparseLazyAdam": {
        "var": (0.9711086, 1.963906, 0.5, -0.3, 0.187036, 0.6730174),
        "m": (0.5, 0.88, 0.25, -0.15, 0.1, 0.395),
        "v": (0.2995, 0.5944, 0.15, 0.09, 0.05950001, 0.2143),
    },
    "FusedSparseLazyAdam ahead": {
        "var": (0.9711086, 1.968335, 0.5, -0.3, 0.187036, 0.6702509),
        "m": (0.5, 0.88, 0.25, -0.15, 0.1, 0.395),
        "v": (0.2995, 0.5944, 0.15, 0.09, 0.05950001, 0.2143),
    },
    "FusedSparseFtrl": {
        "var": (0.09218497, -0.01068995, 0.5, -0.3, 0.0, 0.1930719),
        "v": (0.55, 0.64, 0.15, 0.09, 0.07, 0.85),
        "m": (-0.9389731, 0.2919336, 0.25, -0.15, 0.1607477, -2.095878),
    },
    "FusedSparseFtrl power": {
        "var": (0.02117307, -0.02830349, 0.5, -0.3, 0.0, 0.09225217),
        "v": (0.55, 0.64, 0.15, 0.09, 0.07, 0.85),
        "m": (-0.389671, 0.4645498, 0.25, -0.15, 0.1592974, -1.133974),
    },
    "SparseApplyFtrl": {
        "var": (-0.004502703, 0.4017379, 0.5, -0.3, 0.0, 0.1930719),
        "v": (0.43, 1.34, 0.15, 0.09, 0.07, 0.85),
        "m": (0.2322278, -5.091496, 0.25, -0.15, 0.1607477, -2.095878),
    },
    "SparseApplyFtrl outside": {
        "var": (0.0, 0.4428028, 0.5, -0.3, 0.2, 0.7),
        "v": (0.39, 1.09, 0.15, 0.09, 0.06, 0.21),
        "m": (0.03222781, -5.088679, 0.25, -0.15, 0.1, 0.35),
    },
    "FusedSparseProximalAdagrad": {
        "var": (0.8704025, 1.927711, 0.5, -0.3, 0.07779008, 0.572893),
        "v": (0.55, 0.64, 0.15, 0.09, 0.07, 0.85),
    },
    "SparseApplyAdagrad": {
        "var": (0.9820395, 1.928158, 0.5, -0.3, 0.1225403, 0.783666),
        "v": (0.31, 1.24, 0.15, 0.09, 0.15, 0.7),
    },
    "SparseApplyAdagradV2": {
        "var": (0.9215587, 2.02384, 0.5, -0.3, 0.1624707, 0.6132788),
        "v": (0.43, 1.34, 0.15, 0.09, 0.07, 0.85),
    },
    "SparseApplyAdagradV2 kept": {
        "var": (0.981773, 1.896806, 0.5, -0.3, 0.07853355, 0.8523901),
        "v": (0.3, 0.6, 0.15, 0.09, 0.06, 0.21),
    },
    "SparseApplyRMSProp": {
        "var": (0.7519307, 1.479449, 0.3153181, -0.4698435, 0.05510084, 0.6591337),
        "v": (0.068, 0.632, 0.062, 0.218, 0.08400001, 0.434),
        "h": (0.2480694, 0.5205514, 0.1846819, 0.1698435, 0.1448992, 0.04086627),
    },
}


def parameters(case: Case, dtype: Any) -> dict[str, Parameter]:
    return {
        n: Parameter(Tensor(np.array(v, np.float64), dtype), name=n) for n, v in case.states.items()
    }


def run(case: Case, dtype: Any) -> tuple[dict[str, Parameter], Any]:
    p = parameters(case, dtype)
    return p, case.call(case.make(), p, lambda g: Tensor(g, dtype))


def tensors(result: Any) -> tuple[Tensor, ...]:
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("label", CASES)
def test_formula_in_float64(label):
    case = CASES[label]
    p, result = run(case, ms.float64)
    expected = case.formula(*(np.array(v, np.float64) for v in case.states.values()))
    for (name, value), item in zip(p.items(), expected, strict=True):
        np.testing.assert_allclose(value.asnumpy(), item, rtol=1e-12, atol=1e-14, err_msg=name)
    assert tensors(result)[0].dtype == ms.float64


@pytest.mark.parametrize("label", RECORDED)
def test_recorded_figures(label):
    p, _ = run(CASES[label], ms.float32)
    for name, item in RECORDED[label].items():
        np.testing.assert_allclose(
            p[name].asnumpy().ravel(), item, rtol=3e-6, atol=3e-7, err_msg=name
        )


@pytest.mark.parametrize("label", CASES)
def test_results_are_the_states_themselves(label):
    p, result = run(CASES[label], ms.float32)
    written = {n: v.asnumpy().copy() for n, v in p.items()}
    for tensor in tensors(result):
        assert any(np.array_equal(tensor.asnumpy(), v) for v in written.values())
    first = next(v for v in p.values() if np.array_equal(v.asnumpy(), tensors(result)[0].asnumpy()))
    first.set_data(ops.zeros_like(first))
    assert not tensors(result)[0].asnumpy().any()


def test_every_step_has_a_case():
    from agar._core.optable import table

    steps = [e for e in table.entries if e.impl.__module__.startswith("agar.ops.optim.")]
    names = {name for e in steps for name in e.primitives}
    apart = {"AdamNoUpdateParam", "LARSUpdate", "LambApplyOptimizerAssign"}  # return new values
    assert names - {label.split()[0] for label in CASES} == apart


def test_adam_that_returns_the_change():
    m, v = (Parameter(Tensor(SMALL[n], ms.float64), name=n) for n in "mv")
    change = ops.AdamNoUpdateParam()(m, v, *ADAM, Tensor(G))
    zero, *states = adam(np.zeros((2, 2)), np.array(SMALL["m"]), np.array(SMALL["v"]), *ADAM, G)
    np.testing.assert_allclose(change.asnumpy(), zero, rtol=1e-12)
    np.testing.assert_allclose(m.asnumpy(), states[0], rtol=1e-12)
    np.testing.assert_allclose(v.asnumpy(), states[1], rtol=1e-12)


def test_adam_that_returns_the_change_as_recorded():
    m, v = (Parameter(Tensor(SMALL[n], ms.float32), name=n) for n in "mv")
    rates = [Tensor(x, ms.float32) for x in ADAM]
    change = ops.AdamNoUpdateParam()(m, v, *rates, Tensor(G, ms.float32))
    expected = (-0.0001901, -0.0003793, 0.0000643, -0.0002192)
    np.testing.assert_allclose(change.asnumpy().ravel(), expected, atol=6e-8)


@pytest.mark.parametrize(("squares", "clip"), [(0.78, False), (0.78, True), (0.0, False)])
def test_lars(squares, clip):
    w, g = np.array(SMALL["var"]), G
    got = ops.LARSUpdate(use_clip=clip)(
        Tensor(w), Tensor(g), Tensor(squares, ms.float64), Tensor(1.23, ms.float64), 0.1, 1e-4
    )
    norm, trust = np.sqrt(squares), 1.0
    if squares:
        trust = 0.001 * norm / (np.sqrt(1.23) + 0.1 * norm + 1e-5)
    trust = min(trust / 1e-4, 1) if clip else trust
    np.testing.assert_allclose(got.asnumpy(), trust * (g + 0.1 * w), rtol=1e-12)


def test_lamb_returns_the_direction_of_its_step():
    v, m = (Parameter(Tensor(SMALL[n], ms.float64), name=n) for n in "vm")
    w, rates = np.array(SMALL["var"]), (0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.1)
    update, *_ = ops.LambApplyOptimizerAssign()(Tensor(G), v, m, Tensor(w), *rates)
    expected = lamb(np.array(SMALL["v"]), np.array(SMALL["m"]), G, w, *rates)
    for got, value in zip((update, v, m), expected, strict=True):
        np.testing.assert_allclose(got.asnumpy(), value, rtol=1e-12)


def test_float16_is_computed_in_float32():
    # MindSpore 2.10 on CPU
    case = CASES["ApplyMomentum"]
    p, result = run(case, ms.float16)
    expected = [0.51611328125, 0.4248046875, 0.10797119140625, -0.6337890625]
    assert p["var"].asnumpy().ravel().tolist() == expected
    assert result.dtype == ms.float16
    p = parameters(CASES["Adam"], ms.float16)
    rates = (0.9, 0.999, 0.1, 0.9, 0.999, 1e-8)
    ops.Adam()(*p.values(), *rates, Tensor(G, ms.float16))
    expected = [0.5810546875, 0.362060546875, 0.10638427734375, -0.52197265625]
    assert p["var"].asnumpy().ravel().tolist() == expected


def test_numbers_count_as_float32_has_them():
    # 1 - 0.999 is 0.0010000467 there
    p, _ = run(CASES["Adam"], ms.float32)
    exact, _ = run(CASES["Adam"], ms.float64)
    assert abs(p["v"].asnumpy()[0, 1] - 0.10039) > abs(exact["v"].asnumpy()[0, 1] - 0.10039)
    by_tensor = parameters(CASES["Adam"], ms.float32)
    rates = [Tensor(x, ms.float32) for x in ADAM]
    ops.Adam()(*by_tensor.values(), *rates, Tensor(G, ms.float32))
    np.testing.assert_array_equal(p["var"].asnumpy(), by_tensor["var"].asnumpy())


def test_a_narrower_gradient_is_widened():
    p = parameters(CASES["ApplyMomentum"], ms.float32)
    ops.ApplyMomentum()(p["var"], p["m"], 0.1, Tensor(G, ms.float16), 0.9)
    expected = momentum(
        np.array(SMALL["var"]), np.array(SMALL["m"]), 0.1, G.astype(np.float16), 0.9
    )
    np.testing.assert_allclose(p["var"].asnumpy(), expected[0], rtol=1e-6)


def test_failures_leave_the_states_alone():
    p = parameters(CASES["Adam"], ms.float32)
    with pytest.raises(ValueError, match="'gradient' must be that of 'var'"):
        ops.Adam()(*p.values(), *ADAM, Tensor([1.0]))
    half = parameters(CASES["Adam"], ms.float16)
    with pytest.raises(TypeError, match="cannot become Float32"):
        ops.Adam()(*half.values(), *ADAM, Tensor(G, ms.float32))
    with pytest.raises(TypeError, match="'var' must be a Tensor"):
        ops.Adam()([1.0], p["m"], p["v"], *ADAM, Tensor(G, ms.float32))
    for name, value in p.items():
        np.testing.assert_array_equal(value.asnumpy(), np.array(SMALL[name], np.float32))


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: ops.SGD(0.1, 0.0, True), ValueError, "dampening"),
        (lambda: ops.ApplyAdagradV2(1), TypeError, "epsilon"),
        (lambda: ops.FusedSparseFtrl(1, 0.2, 0.3, -0.5), TypeError, "lr"),
        (lambda: ops.FusedSparseFtrl(0.1, 0.2, 0.3, 0.5), ValueError, "lr_power"),
        (lambda: ops.SparseApplyRMSProp(0.2, 0.3, 0.0), ValueError, "epsilon"),
        (lambda: ops.SparseApplyRMSProp(0.2, -0.3, 0.1), ValueError, "momentum"),
        (lambda: ops.SparseApplyAdadelta(-1.0), ValueError, "epsilon"),
        (lambda: ops.LARSUpdate(use_clip=1), TypeError, "use_clip"),
    ],
)
def test_constructors_check_their_arguments(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


@pytest.mark.parametrize("name", ["SparseApplyAdagradV2", "SparseApplyRMSProp"])
def test_indices_outside_are_named(name):
    case = CASES[name]
    p = parameters(case, ms.float32)
    before = (0.1,) if name == "SparseApplyRMSProp" else ()
    with pytest.raises(RuntimeError, match=r"range \[0, 3\), but got 7"):
        case.make()(*p.values(), *before, Tensor(G, ms.float32), Tensor([0, 7], ms.int32))


class Steps(nn.Cell):
    """Several steps on the same parameters, and something of their results."""

    def __init__(self) -> None:
        super().__init__()
        self.var, self.m, self.v = (
            Parameter(Tensor(TALL[n], ms.float32), name=n) for n in ("var", "m", "v")
        )
        self.adam = ops.Adam()
        self.descend = ops.ApplyMomentum(use_nesterov=True)
        self.rows = ops.SparseApplyFtrl(*FTRL, -0.5)

    def construct(self, grad: Tensor, rows: Tensor) -> Tensor:
        first = self.adam(self.var, self.m, self.v, *RATES, self.var * 0.5)[0].sum()
        second = self.descend(self.var, self.m, 0.1, self.var * 0.3, 0.9).sum()
        return first + second + self.rows(self.var, self.v, self.m, grad, rows)[0].sum()


def test_graph_mode_agrees():
    entries = {}
    grad, rows = Tensor(G, ms.float32), Tensor([0, 2], ms.int32)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = Steps()
            entries[mode] = [float(net(grad, rows)) for _ in range(3)]
            entries[mode] += [p.asnumpy().tolist() for p in net.get_parameters()]
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    assert entries[ms.PYNATIVE_MODE] == entries[ms.GRAPH_MODE]


def test_no_gradient_flows_through_a_step():
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    def loss(x):
        out = (x * w).sum()
        ops.ApplyGradientDescent()(w, 0.5, ops.stop_gradient(x))
        return out

    value, grad = ms.value_and_grad(loss)(Tensor([3.0, 4.0]))
    assert float(value) == 11.0
    assert w.asnumpy().tolist() == [-0.5, 0.0]
    assert grad.shape == (2,)


def test_a_training_loop_by_hand():
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    x = Tensor(np.arange(6).reshape(2, 3), ms.float32)
    moments = [ops.zeros_like(p) for p in net.trainable_params()]
    forward = ms.value_and_grad(
        lambda x: (net(x) ** 2).mean(), None, net.trainable_params(), has_aux=False
    )
    step, losses = ops.ApplyMomentum(), []
    for _ in range(5):
        value, grads = forward(x)
        losses.append(float(value))
        for p, v, g in zip(net.trainable_params(), moments, grads, strict=True):
            step(p, v, 0.005, g, 0.5)
    assert losses == sorted(losses, reverse=True)
