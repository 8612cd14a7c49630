"""Steps that keep sums of squares as Primitives: Adadelta, Adagrad, Ftrl and relatives."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops.optim.common import SQUARES, STEP, agree, numbers, shrunk, step_errors, store, wide
from agar.ops.spec import Scalar, primitive

__all__: list[str] = ["adadelta", "adagrad_da", "ftrl", "proximal_adagrad"]

# ------------------------------------------------------------------------- sums of squares


@primitive(
    "ApplyAdadelta",
    samples=("f(2, 3), p(2, 3), p(2, 3), 0.1, 0.3, 1e-6, f(2, 3)",),
    errors=step_errors("f(2, 3), p(2, 3), p(2, 3), 0.1, 0.3, 1e-6", ""),
    **STEP,
)
def _apply_adadelta(
    var: Tensor,
    accum: Tensor,
    accum_update: Tensor,
    lr: Tensor | Scalar,
    rho: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    grad: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""One step of Adadelta.

    .. math::
        a = \rho a + (1 - \rho) g^2, \quad
        u = \sqrt{b + \epsilon} \frac{g}{\sqrt{a + \epsilon}}, \quad
        b = \rho b + (1 - \rho) u^2, \quad
        w = w - lr \cdot u

    Inputs:
        - **var** (Parameter) - the variable, w.
        - **accum**, **accum_update** (Parameter) - the averages of squares, a and b.
        - **lr**, **rho**, **epsilon** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs: Tuple of `var`, `accum` and `accum_update`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: one step of ``torch.optim.Adadelta``.
    Source: behavior observed in MindSpore 2.10.

    >>> w, a, b = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.6, 0.5, 0.9))
    >>> out = ms.ops.ApplyAdadelta()(w, a, b, 0.001, 0.0, 1e-6, ms.Tensor([0.3]))
    >>> print(*(p.asnumpy().round(4) for p in (w, a, b)))
    [0.5991] [0.09] [0.9]
    """
    op_name = "ApplyAdadelta"
    agree(op_name, {"var": var, "accum": accum, "accum_update": accum_update}, {"grad": grad})
    rate, keep, eps = numbers(op_name, var, lr=lr, rho=rho, epsilon=epsilon)
    old, square, moved, g = wide(var, accum, accum_update, grad)
    new = adadelta(old, square, moved, g, rate, keep, eps)
    return store(*zip((var, accum, accum_update), new, strict=True))


def adadelta(
    old: Tensor, square: Tensor, moved: Tensor, grad: Tensor, rate: Any, keep: Any, eps: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The variable and the two averages after a step of Adadelta."""
    square = keep * square + (1 - keep) * grad * grad
    step = (moved + eps).sqrt() * grad / (square + eps).sqrt()
    return old - rate * step, square, keep * moved + (1 - keep) * step * step


@primitive(
    "ApplyAdagrad",
    samples=(
        "f(2, 3), p(2, 3), 0.1, f(2, 3)",
        "f(2, 3), p(2, 3), 0.1, f(2, 3), update_slots=False",
        "c(2), c(2), 0.1, c(2)",
    ),
    errors=step_errors("f(2, 3), p(2, 3), 0.1", ""),
    **STEP,
)
def _apply_adagrad(
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    grad: Tensor,
    *,
    update_slots: bool = True,
) -> tuple[Tensor, Tensor]:
    r"""One step of Adagrad: :math:`a = a + g^2`, :math:`w = w - lr \cdot g / \sqrt a`.

    Attributes:
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs: Tuple of `var` and `accum`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adagrad`` adds an epsilon.
    Source: behavior observed in MindSpore 2.10; its CPU kernel ignores `update_slots`.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyAdagrad()(w, a, 0.001, ms.Tensor([0.3]))
    >>> print(w.value(), a.value())
    [0.5996389] [0.69]
    """
    return _adagrad("ApplyAdagrad", var, accum, lr, 0.0, grad, update_slots)


def _adagrad(
    op_name: str,
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    epsilon: float,
    grad: Tensor,
    update_slots: bool,
) -> tuple[Tensor, Tensor]:
    agree(op_name, {"var": var, "accum": accum}, {"grad": grad})
    rate, eps = numbers(op_name, var, lr=lr, epsilon=epsilon)
    old, square, g = wide(var, accum, grad)
    if update_slots:
        square = square + g * g
    return store((var, old - rate * g / (square.sqrt() + eps)), (accum, square))


@primitive(
    "ApplyAdagradV2",
    samples=(
        "f(2, 3), p(2, 3), 0.1, f(2, 3), epsilon=1e-6",
        "f(2, 3), p(2, 3), 0.1, f(2, 3), epsilon=1e-6, update_slots=False",
    ),
    errors=step_errors("f(2, 3), p(2, 3), 0.1", ", epsilon=1e-6"),
    **STEP,
)
def _apply_adagrad_v2(
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    grad: Tensor,
    *,
    epsilon: float,
    update_slots: bool = True,
) -> tuple[Tensor, Tensor]:
    r"""One step of Adagrad: :math:`a = a + g^2`, :math:`w = w - lr \cdot g / (\sqrt a + \epsilon)`.

    Attributes:
        epsilon (float): added to the denominator.
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs: Tuple of `var` and `accum`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: one step of ``torch.optim.Adagrad``.
    Source: behavior observed in MindSpore 2.10.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyAdagradV2(1e-6)(w, a, 0.001, ms.Tensor([0.3]))
    >>> print(w.value(), a.value())
    [0.5996389] [0.69]
    """
    return _adagrad("ApplyAdagradV2", var, accum, lr, epsilon, grad, update_slots)


@primitive(
    "ApplyAdagradDA",
    samples=(
        f"{SQUARES}, f(2, 3), 0.1, 0.2, 0.3, 2",
        f"{SQUARES}, f(2, 3), 0.1, 0.0, 0.3, torch.tensor(2)",
    ),
    errors=step_errors(SQUARES, ", 0.1, 0.2, 0.3, 2"),
    **STEP,
)
def _apply_adagrad_da(
    var: Tensor,
    gradient_accumulator: Tensor,
    gradient_squared_accumulator: Tensor,
    grad: Tensor,
    lr: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    global_step: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> Tensor:
    r"""One step of Adagrad with dual averaging.

    .. math::
        a = a + g, \quad
        b = b + g^2, \quad
        w = \frac{-lr \cdot sign(a) \max(|a| - l_1 t, 0)}{l_2 t \cdot lr + \sqrt b}

    where an `l1` below zero counts as zero.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var** (Parameter) - the variable, w.
        - **gradient_accumulator**, **gradient_squared_accumulator** (Parameter) - the sums a, b.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **lr**, **l1**, **l2**, **global_step** (Union[float, Tensor]) - numbers; the last is t.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10, where its CPU kernel agrees with the documented
        formula: for a above zero.

    >>> w, a, b = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.6, 0.1, 0.2))
    >>> print(ms.ops.ApplyAdagradDA()(w, a, b, ms.Tensor([0.3]), 0.001, 0.001, 0.001, 2))
    [-0.00073906]
    """
    op_name = "ApplyAdagradDA"
    states = {
        "var": var,
        "gradient_accumulator": gradient_accumulator,
        "gradient_squared_accumulator": gradient_squared_accumulator,
    }
    agree(op_name, states, {"grad": grad})
    rate, lasso, ridge, step = numbers(op_name, var, lr=lr, l1=l1, l2=l2, global_step=global_step)
    total, square, g = wide(gradient_accumulator, gradient_squared_accumulator, grad)
    new, total, square = adagrad_da(total, square, g, rate, lasso, ridge, step)
    store((gradient_accumulator, total), (gradient_squared_accumulator, square))
    return store((var, new))


def adagrad_da(
    total: Tensor, square: Tensor, grad: Tensor, rate: Any, lasso: Any, ridge: Any, step: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The variable and both sums after a step of Adagrad with dual averaging."""
    total, square = total + grad, square + grad * grad
    by = torch.as_tensor(lasso * step, dtype=total.dtype, device=total.device).clamp(min=0)
    return -rate * shrunk(total, by) / (ridge * step * rate + square.sqrt()), total, square


@primitive(
    "ApplyProximalAdagrad",
    samples=(
        "f(2, 3), p(2, 3), 0.1, 0.2, 0.3, f(2, 3)",
        "f(2, 3), p(2, 3), 0.1, 0.0, 0.0, f(2, 3)",
    ),
    errors=step_errors("f(2, 3), p(2, 3), 0.1, 0.2, 0.3", ""),
    **STEP,
)
def _apply_proximal_adagrad(
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    grad: Tensor,
    *,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""One step of Adagrad followed by shrinking.

    .. math::
        a = a + g^2, \quad
        r = \frac{lr}{\sqrt a}, \quad
        p = w - r g, \quad
        w = \frac{sign(p)}{1 + r l_2} \max(|p| - r l_1, 0)

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs: Tuple of `var` and `accum`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyProximalAdagrad()(w, a, 0.01, 0.0, 0.0, ms.Tensor([0.3]))
    >>> print(w.value())
    [0.59638846]
    """
    op_name = "ApplyProximalAdagrad"
    agree(op_name, {"var": var, "accum": accum}, {"grad": grad})
    rate, lasso, ridge = numbers(op_name, var, lr=lr, l1=l1, l2=l2)
    old, square, g = wide(var, accum, grad)
    new, square = proximal_adagrad(old, square, g, rate, lasso, ridge)
    return store((var, new), (accum, square))


def proximal_adagrad(
    old: Tensor, square: Tensor, grad: Tensor, rate: Any, lasso: Any, ridge: Any
) -> tuple[Tensor, Tensor]:
    """The variable and the sum of squares after a step of proximal Adagrad."""
    square = square + grad * grad
    own = rate * square.rsqrt()  # each element's rate, also for what shrinks it
    return shrunk(old - own * grad, own * lasso) / (1 + own * ridge), square


@primitive(
    "ApplyFtrl",
    samples=(
        "f(2, 3), p(2, 3), f(2, 3), f(2, 3), 0.1, 0.2, 0.3, -0.5",
        "f(2, 3), p(2, 3), f(2, 3), f(2, 3), 0.1, 0.2, 0.3, -0.3",
        "f(2, 3), p(2, 3), f(2, 3), f(2, 3), 0.1, 0.2, 0.3, 0.0",
    ),
    errors=step_errors("f(2, 3), p(2, 3), f(2, 3)", ", 0.1, 0.2, 0.3, -0.5"),
    **STEP,
)
def _apply_ftrl(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    lr: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    lr_power: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> Tensor:
    r"""One step of FTRL-proximal.

    .. math::
        n' = n + g^2, \quad
        z = z + g - \frac{n'^{-p} - n^{-p}}{lr} w, \quad
        w = \begin{cases}
            \frac{sign(z) l_1 - z}{n'^{-p} / lr + 2 l_2} & |z| > l_1 \\
            0 & \text{otherwise}
        \end{cases}

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - w, the sum of squares n, and z.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **lr**, **l1**, **l2**, **lr_power** (Union[float, Tensor]) - numbers; the last is p, at
          most 0.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10, where its CPU kernel agrees with the formula: for
        z above zero, or without l1.

    >>> w, n, z = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wnz")
    >>> print(ms.ops.ApplyFtrl()(w, n, z, ms.Tensor([0.3]), 0.001, 0.0, 0.0, -0.5))
    [0.03941365]
    """
    op_name = "ApplyFtrl"
    agree(op_name, {"var": var, "accum": accum, "linear": linear}, {"grad": grad})
    values = numbers(op_name, var, lr=lr, l1=l1, l2=l2, lr_power=lr_power)
    new, square, slope = ftrl(*wide(var, accum, linear, grad), *values)
    store((accum, square), (linear, slope))
    return store((var, new))


def ftrl(
    old: Tensor,
    square: Tensor,
    slope: Tensor,
    grad: Tensor,
    rate: Any,
    lasso: Any,
    ridge: Any,
    power: Any,
    shrinkage: Any = 0.0,
) -> tuple[Tensor, Tensor, Tensor]:
    """The variable, the sum of squares and the linear term after a step of FTRL-proximal."""
    after = square + grad * grad
    before_root, root = square.pow(-power), after.pow(-power)
    slope = slope + grad + 2 * shrinkage * old - (root - before_root) / rate * old
    new = -shrunk(slope, lasso) / (root / rate + 2 * ridge)
    return new, after, slope
