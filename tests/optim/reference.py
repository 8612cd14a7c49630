"""The formulas of MindSpore's optimizers in float64 numpy, one parameter at a time."""

from __future__ import annotations

import numpy as np


def run(rule, w, grads, **options):
    """The parameter after each gradient."""
    w = np.array(w, np.float64)
    state: dict = {}
    for step, g in enumerate(grads):
        w = rule(w, np.array(g, np.float64), state, step, **options)
    return w


def momentum(w, g, s, step, lr, u, nesterov=False, decay=0.0):
    g = g + decay * w
    s["m"] = u * s.get("m", 0.0) + g
    return w - lr * (g + u * s["m"] if nesterov else s["m"])


def sgd(w, g, s, step, lr, u=0.0, damping=0.0, nesterov=False):
    s["m"] = g if step == 0 else u * s["m"] + (1 - damping) * g
    if u == 0.0:
        return w - lr * g
    return w - lr * (g + u * s["m"] if nesterov else s["m"])


def _moments(s, g, b1, b2):
    s["m"] = b1 * s.get("m", 0.0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0.0) + (1 - b2) * g * g


def adam(w, g, s, step, lr, b1=0.9, b2=0.999, eps=1e-8, nesterov=False, amsgrad=False):
    _moments(s, g, b1, b2)
    v = s["v"]
    if amsgrad:
        v = s["h"] = np.maximum(s.get("h", 0.0), v)
    t = step + 1
    rate = lr * np.sqrt(1 - b2**t) / (1 - b1**t)
    m = b1 * s["m"] + (1 - b1) * g if nesterov else s["m"]
    return w - rate * m / (np.sqrt(v) + eps)


def adam_weight_decay(w, g, s, step, lr, b1=0.9, b2=0.999, eps=1e-6, decay=0.0):
    _moments(s, g, b1, b2)
    return w - lr * (s["m"] / (np.sqrt(s["v"]) + eps) + decay * w)


def rmsprop(w, g, s, step, lr, d=0.9, u=0.0, eps=1e-10, centered=False):
    s["v"] = d * s.get("v", 1.0) + (1 - d) * g * g
    s["a"] = d * s.get("a", 0.0) + (1 - d) * g
    under = s["v"] - s["a"] ** 2 if centered else s["v"]
    s["m"] = u * s.get("m", 0.0) + lr * g / np.sqrt(under + eps)
    return w - s["m"]


def adagrad(w, g, s, step, lr, start=0.1, grow=True):
    s["h"] = s.get("h", start) + (g * g if grow else 0.0)
    return w - lr * g / np.sqrt(s["h"])


def proximal(w, g, s, step, lr, start=0.1, l1=0.0, l2=0.0):
    s["h"] = s.get("h", start) + g * g
    rate = lr / np.sqrt(s["h"])
    p = w - rate * g
    return np.sign(p) / (1 + l2 * rate) * np.maximum(np.abs(p) - l1 * rate, 0)


def adadelta(w, g, s, step, lr, rho=0.9, eps=1e-6):
    s["v"] = rho * s.get("v", 0.0) + (1 - rho) * g * g
    d = np.sqrt(s.get("u", 0.0) + eps) / np.sqrt(s["v"] + eps) * g
    s["u"] = rho * s.get("u", 0.0) + (1 - rho) * d * d
    return w - lr * d


def adamax(w, g, s, step, lr, b1=0.9, b2=0.999, eps=1e-8):
    s["m"] = b1 * s.get("m", 0.0) + (1 - b1) * g
    s["v"] = np.maximum(b2 * s.get("v", 0.0), np.abs(g))
    return w - lr / (1 - b1 ** (step + 1)) * s["m"] / (s["v"] + eps)


def ftrl(w, g, s, step, lr, start=0.1, power=-0.5, l1=0.0, l2=0.0):
    old = s.get("n", np.full_like(w, start))
    s["n"] = old + g * g
    s["u"] = s.get("u", 0.0) + g - (s["n"] ** -power - old**-power) / lr * w
    over = np.sign(s["u"]) * l1 - s["u"]
    return np.where(np.abs(s["u"]) > l1, over / (s["n"] ** -power / lr + 2 * l2), 0.0)


def lamb(w, g, s, step, lr, b1=0.9, b2=0.999, eps=1e-6, decay=0.0):
    _moments(s, g, b1, b2)
    t = step + 1
    r = s["m"] / (1 - b1**t) / (np.sqrt(s["v"] / (1 - b2**t)) + eps) + decay * w
    return w - lr * np.linalg.norm(w) / np.linalg.norm(r) * r
