"""Steps of RMSProp, momentum and plain descent as Primitives, and LARS."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import boolean, number
from agar.ops.optim.adam import moving_averages
from agar.ops.optim.common import (
    ONE,
    STEP,
    agree,
    check_attributes,
    numbers,
    shrunk,
    step_errors,
    store,
    wide,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = ["centered_rms_prop", "rms_prop"]

# -------------------------------------------------------------------- RMSProp and descent


@primitive(
    "ApplyRMSProp",
    samples=("f(2, 3), p(2, 3), f(2, 3), 0.1, f(2, 3), 0.9, 0.8, 0.01",),
    errors=step_errors("f(2, 3), p(2, 3), f(2, 3), 0.1", ", 0.9, 0.8, 0.01"),
    **STEP,
)
def _apply_rms_prop(
    var: Tensor,
    mean_square: Tensor,
    moment: Tensor,
    learning_rate: Tensor | Scalar,
    grad: Tensor,
    decay: Tensor | Scalar,
    momentum: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> Tensor:
    r"""One step of RMSProp.

    .. math::
        s = \rho s + (1 - \rho) g^2, \quad
        m = \beta m + \frac{lr}{\sqrt{s + \epsilon}} g, \quad
        w = w - m

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mean_square**, **moment** (Parameter) - w, s and m.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **decay**, **momentum**, **epsilon** (Union[float, Tensor]) - rho, beta and a small
          number.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.RMSprop`` adds epsilon behind the root.
    Source: behavior observed in MindSpore 2.10.

    >>> w, s, m = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wsm")
    >>> print(ms.ops.ApplyRMSProp()(w, s, m, 0.01, ms.ops.ones(2), 0.0, 1e-10, 0.001))
    [0.990005 0.990005]
    """
    op_name = "ApplyRMSProp"
    agree(op_name, {"var": var, "mean_square": mean_square, "moment": moment}, {"grad": grad})
    rate, keep, drag, eps = numbers(
        op_name, var, learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon
    )
    old, square, moved, g = wide(var, mean_square, moment, grad)
    new = rms_prop(old, square, moved, g, rate, keep, drag, eps)
    store((mean_square, new[1]), (moment, new[2]))
    return store((var, new[0]))


def rms_prop(
    old: Tensor,
    square: Tensor,
    moved: Tensor,
    grad: Tensor,
    rate: Any,
    keep: Any,
    drag: Any,
    eps: Any,
) -> tuple[Tensor, Tensor, Tensor]:
    """The variable, the average of squares and the moment after a step of RMSProp."""
    square = square + (grad * grad - square) * (1 - keep)
    moved = drag * moved + rate * grad / (square + eps).sqrt()
    return old - moved, square, moved


@primitive(
    "ApplyCenteredRMSProp",
    samples=("f(2, 3), f(2, 3), p(2, 3) + 3, f(2, 3), f(2, 3), 0.1, 0.9, 0.8, 0.01",),
    errors=step_errors("f(2, 3), f(2, 3), p(2, 3), f(2, 3)", ", 0.1, 0.9, 0.8, 0.01"),
    **STEP,
)
def _apply_centered_rms_prop(
    var: Tensor,
    mean_gradient: Tensor,
    mean_square: Tensor,
    moment: Tensor,
    grad: Tensor,
    learning_rate: Tensor | Scalar,
    decay: Tensor | Scalar,
    momentum: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> Tensor:
    r"""One step of RMSProp with the variance in place of the average of squares.

    .. math::
        a = \rho a + (1 - \rho) g, \quad
        s = \rho s + (1 - \rho) g^2, \quad
        m = \beta m + \frac{lr}{\sqrt{s - a^2 + \epsilon}} g, \quad
        w = w - m

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mean_gradient**, **mean_square**, **moment** (Parameter) - w, a, s and m.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **learning_rate**, **decay**, **momentum**, **epsilon** (Union[float, Tensor]) - numbers.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.RMSprop(centered=True)`` adds epsilon behind the root.
    Source: behavior observed in MindSpore 2.10.

    >>> w, a, s, m = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wasm")
    >>> step = ms.ops.ApplyCenteredRMSProp()
    >>> print(step(w, a, s, m, ms.ops.ones(2), 0.01, 0.0, 1e-10, 0.001))
    [0.68377227 0.68377227]
    """
    op_name = "ApplyCenteredRMSProp"
    states = {
        "var": var,
        "mean_gradient": mean_gradient,
        "mean_square": mean_square,
        "moment": moment,
    }
    agree(op_name, states, {"grad": grad})
    rate, keep, drag, eps = numbers(
        op_name, var, learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon
    )
    old, mean, square, moved, g = wide(var, mean_gradient, mean_square, moment, grad)
    new = centered_rms_prop(old, mean, square, moved, g, rate, keep, drag, eps)
    store((mean_gradient, new[1]), (mean_square, new[2]), (moment, new[3]))
    return store((var, new[0]))


def centered_rms_prop(
    old: Tensor,
    mean: Tensor,
    square: Tensor,
    moved: Tensor,
    grad: Tensor,
    rate: Any,
    keep: Any,
    drag: Any,
    eps: Any,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The variable, both averages and the moment after a step of centered RMSProp."""
    mean, square = moving_averages(mean, square, grad, keep, keep)
    moved = drag * moved + rate * grad / (square - mean * mean + eps).sqrt()
    return old - moved, mean, square, moved


@primitive(
    "ApplyMomentum",
    samples=(
        f"{ONE}, 0.1, f(2, 3), 0.9",
        f"{ONE}, 0.1, f(2, 3), 0.9, use_nesterov=True, gradient_scale=0.5",
    ),
    errors=(
        *step_errors(f"{ONE}, 0.1", ", 0.9"),
        (f"{ONE}, 0.1, f(2, 3), 0.9, gradient_scale=1", TypeError, "gradient_scale"),
    ),
    **STEP,
)
def _apply_momentum(
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Tensor | Scalar,
    gradient: Tensor,
    momentum: Tensor | Scalar,
    *,
    use_nesterov: bool = False,
    use_locking: bool = False,
    gradient_scale: float = 1.0,
) -> Tensor:
    r"""One step of descent with momentum.

    .. math::
        v = u v + g, \quad
        w = w - lr \cdot v

    With `use_nesterov`, :math:`w = w - lr (g + u v)`.

    Attributes:
        use_nesterov (bool): whether to look ahead. Default: False.
        use_locking (bool): accepted for compatibility. Default: False.
        gradient_scale (float): multiplies the gradient. Default: 1.0.

    Inputs:
        - **variable**, **accumulation** (Parameter) - w and v, of one shape.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **gradient** (Tensor) - of that shape.
        - **momentum** (Union[float, Tensor]) - u.

    Outputs: `variable`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: one step of ``torch.optim.SGD`` with momentum.
    Source: behavior observed in MindSpore 2.10; its CPU kernel ignores `use_nesterov` and
        `gradient_scale`.

    >>> w, v = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wv")
    >>> print(ms.ops.ApplyMomentum()(w, v, 0.1, ms.Tensor([0.3]), 0.9))
    [0.51600003]
    """
    agree(
        "ApplyMomentum",
        {"variable": variable, "accumulation": accumulation},
        {"gradient": gradient},
    )
    (scale,) = numbers("ApplyMomentum", variable, gradient_scale=gradient_scale)
    return _momentum(
        "ApplyMomentum",
        variable,
        accumulation,
        learning_rate,
        wide(gradient)[0] * scale,
        momentum,
        use_nesterov,
    )


def _momentum(
    op_name: str,
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Tensor | Scalar,
    grad: Tensor,
    momentum: Tensor | Scalar,
    use_nesterov: bool,
) -> Tensor:
    rate, drag = numbers(op_name, variable, learning_rate=learning_rate, momentum=momentum)
    old, moved = wide(variable, accumulation)
    moved = drag * moved + grad
    step = grad + drag * moved if use_nesterov else moved
    store((accumulation, moved))
    return store((variable, old - rate * step))


@primitive(
    "FusedWeightScaleApplyMomentum",
    samples=(f"0.1, 2.0, {ONE}, 0.1, f(2, 3), 0.9", f"u(1), 2.0, {ONE}, 0.1, f(2, 3), 0.9"),
    errors=((f"0.1, 2.0, {ONE}, 0.1, f(3), 0.9", ValueError, "shape"),),
    **STEP,
)
def _fused_weight_scale_apply_momentum(
    weight_decay: Tensor | Scalar,
    loss_scale: Tensor | Scalar,
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Tensor | Scalar,
    gradient: Tensor,
    momentum: Tensor | Scalar,
) -> Tensor:
    r"""One step of :class:`ops.ApplyMomentum` with decay and scaling of the gradient.

    The gradient counts as :math:`(g + decay \cdot w) \cdot scale`.

    Inputs:
        - **weight_decay**, **loss_scale** (Union[float, Tensor]) - decay and scale; the scale is
          the reciprocal of what the loss was multiplied by.
        - **variable**, **accumulation** (Parameter) - the variable and the momentum's sum.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **gradient** (Tensor) - of the variable's shape.
        - **momentum** (Union[float, Tensor]) - a number.

    Outputs: `variable`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has a kernel for GPU only.

    >>> w, v = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wv")
    >>> step = ms.ops.FusedWeightScaleApplyMomentum()
    >>> print(step(0.0, 1.0, w, v, 0.1, ms.Tensor([0.3]), 0.9))
    [0.51600003]
    """
    op_name = "FusedWeightScaleApplyMomentum"
    agree(op_name, {"variable": variable, "accumulation": accumulation}, {"gradient": gradient})
    decay, scale = numbers(op_name, variable, weight_decay=weight_decay, loss_scale=loss_scale)
    old, grad = wide(variable, gradient)
    grad = (grad + decay * old) * scale
    return _momentum(op_name, variable, accumulation, learning_rate, grad, momentum, False)


@primitive(
    "ApplyKerasMomentum",
    samples=(
        f"{ONE}, 0.1, f(2, 3), 0.9",
        f"{ONE}, 0.1, f(2, 3), 0.9, use_nesterov=True",
    ),
    errors=step_errors(f"{ONE}, 0.1", ", 0.9"),
    **STEP,
)
def _apply_keras_momentum(
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    grad: Tensor,
    momentum: Tensor | Scalar,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""One step of momentum as Keras has it, with the rate inside the sum.

    .. math::
        v = u v - lr \cdot g, \quad
        w = w + v

    With `use_nesterov`, :math:`w = w + u v - lr \cdot g`.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - w and v, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of that shape.
        - **momentum** (Union[float, Tensor]) - u.

    Outputs: Tuple of `var` and `accum`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.SGD`` multiplies the sum by the rate.
    Source: MindSpore 2.10's documentation.

    >>> w, v = (ms.Parameter(ms.Tensor([0.2]), name=n) for n in "wv")
    >>> out = ms.ops.ApplyKerasMomentum()(w, v, 0.001, ms.Tensor([0.3]), 0.99)
    >>> print(w.value(), v.value())
    [0.3977] [0.1977]
    """
    op_name = "ApplyKerasMomentum"
    agree(op_name, {"var": var, "accum": accum}, {"grad": grad})
    rate, drag = numbers(op_name, var, lr=lr, momentum=momentum)
    old, moved, g = wide(var, accum, grad)
    moved = drag * moved - rate * g
    step = drag * moved - rate * g if use_nesterov else moved
    return store((var, old + step), (accum, moved))


@primitive(
    "ApplyGradientDescent",
    samples=("f(2, 3), 0.1, f(2, 3)", "f(2, 3), torch.tensor(0.5), f(2, 3)"),
    errors=step_errors("f(2, 3), 0.1", ""),
    **STEP,
)
def _apply_gradient_descent(var: Tensor, alpha: Tensor | Scalar, delta: Tensor) -> Tensor:
    r"""One step of gradient descent: :math:`w = w - \alpha \delta`.

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha** (Union[float, Tensor]) - a number.
        - **delta** (Tensor) - of the same shape.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``p.data.sub_(delta, alpha=alpha)``.
    Source: behavior observed in MindSpore 2.10.

    >>> w = ms.Parameter(ms.ops.ones(2), name="w")
    >>> print(ms.ops.ApplyGradientDescent()(w, 0.001, ms.Tensor([0.1, 0.2])))
    [0.9999 0.9998]
    """
    agree("ApplyGradientDescent", {"var": var}, {"delta": delta})
    (rate,) = numbers("ApplyGradientDescent", var, alpha=alpha)
    old, change = wide(var, delta)
    return store((var, old - rate * change))


@primitive(
    "ApplyProximalGradientDescent",
    samples=("f(2, 3), 0.1, 1.2, 0.3, f(2, 3)", "f(2, 3), 0.1, 0.0, 0.3, f(2, 3)"),
    errors=step_errors("f(2, 3), 0.1, 1.2, 0.3", ""),
    **STEP,
)
def _apply_proximal_gradient_descent(
    var: Tensor,
    alpha: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    delta: Tensor,
) -> Tensor:
    r"""One step of gradient descent followed by shrinking.

    .. math::
        p = w - \alpha \delta, \quad
        w = \frac{sign(p)}{1 + \alpha l_2} \max(|p| - \alpha l_1, 0)

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **delta** (Tensor) - of the same shape.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> w = ms.Parameter(ms.ops.ones(2), name="w")
    >>> print(ms.ops.ApplyProximalGradientDescent()(w, 0.001, 0.1, 0.1, ms.Tensor([0.1, 0.2])))
    [0.9997     0.99960005]
    """
    op_name = "ApplyProximalGradientDescent"
    agree(op_name, {"var": var}, {"delta": delta})
    rate, lasso, ridge = numbers(op_name, var, alpha=alpha, l1=l1, l2=l2)
    old, change = wide(var, delta)
    return store((var, shrunk(old - rate * change, rate * lasso) / (1 + rate * ridge)))


@primitive(
    "ApplyAddSign",
    samples=(f"{ONE}, 0.1, 1.0, 0.99, 0.9, f(2, 3)",),
    errors=step_errors(f"{ONE}, 0.1, 1.0, 0.99, 0.9", ""),
    **STEP,
)
def _apply_add_sign(
    var: Tensor,
    m: Tensor,
    lr: Tensor | Scalar,
    alpha: Tensor | Scalar,
    sign_decay: Tensor | Scalar,
    beta: Tensor | Scalar,
    grad: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One step of AddSign.

    .. math::
        m = \beta m + (1 - \beta) g, \quad
        w = w - lr (\alpha + d \cdot sign(g) sign(m)) g

    Inputs:
        - **var**, **m** (Parameter) - the variable and the average, of one shape.
        - **lr**, **alpha**, **sign_decay**, **beta** (Union[float, Tensor]) - numbers;
          `sign_decay` is d.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs: Tuple of `var` and `m`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wm")
    >>> out = ms.ops.ApplyAddSign()(w, m, 0.001, 1.0, 0.99, 0.9, ms.Tensor([0.3]))
    >>> print(w.value(), m.value())
    [0.599403] [0.57]
    """
    op_name = "ApplyAddSign"
    agree(op_name, {"var": var, "m": m}, {"grad": grad})
    rate, base, decay, keep = numbers(
        op_name, var, lr=lr, alpha=alpha, sign_decay=sign_decay, beta=beta
    )
    old, mean, g = wide(var, m, grad)
    mean = mean + (g - mean) * (1 - keep)
    step = (base + decay * g.sign() * mean.sign()) * g
    return store((var, old - rate * step), (m, mean))


@primitive(
    "ApplyPowerSign",
    samples=(f"{ONE}, 0.1, 2.0, 0.99, 0.9, f(2, 3)",),
    errors=step_errors(f"{ONE}, 0.1, 2.0, 0.99, 0.9", ""),
    **STEP,
)
def _apply_power_sign(
    var: Tensor,
    m: Tensor,
    lr: Tensor | Scalar,
    logbase: Tensor | Scalar,
    sign_decay: Tensor | Scalar,
    beta: Tensor | Scalar,
    grad: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One step of PowerSign.

    .. math::
        m = \beta m + (1 - \beta) g, \quad
        w = w - lr \exp(b \cdot d \cdot sign(g) sign(m)) g

    Inputs:
        - **var**, **m** (Parameter) - the variable and the average, of one shape.
        - **lr**, **logbase**, **sign_decay**, **beta** (Union[float, Tensor]) - numbers; `logbase`
          is b and `sign_decay` d.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs: Tuple of `var` and `m`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wm")
    >>> out = ms.ops.ApplyPowerSign()(w, m, 0.001, 2.7182818, 0.99, 0.9, ms.Tensor([0.3]))
    >>> print(w.value())
    [0.5955757]
    """
    op_name = "ApplyPowerSign"
    agree(op_name, {"var": var, "m": m}, {"grad": grad})
    rate, base, decay, keep = numbers(
        op_name, var, lr=lr, logbase=logbase, sign_decay=sign_decay, beta=beta
    )
    old, mean, g = wide(var, m, grad)
    mean = mean + (g - mean) * (1 - keep)
    step = (base * decay * g.sign() * mean.sign()).exp() * g
    return store((var, old - rate * step), (m, mean))


def _check_sgd(instance: Primitive) -> None:
    if instance.nesterov is True and instance.dampening != 0:
        raise ValueError(
            f"For 'SGD', the 'dampening' must be 0 when 'nesterov' is True, but got "
            f"'dampening' is {instance.dampening} and 'nesterov' is {instance.nesterov}."
        )
    boolean("SGD", "nesterov", instance.nesterov)
    number("SGD", "dampening", instance.dampening)
    number("SGD", "weight_decay", instance.weight_decay)


@primitive(
    "SGD",
    samples=(
        "f(2, 3), f(2, 3), 0.1, f(2, 3), 0.9, f(2, 3)",
        "f(2, 3), f(2, 3), 0.1, f(2, 3), 0.9, f(2, 3), dampening=0.2, weight_decay=0.1",
        "f(2, 3), f(2, 3), 0.1, f(2, 3), torch.tensor(0.9), f(2, 3), nesterov=True",
    ),
    errors=(
        ("f(2, 3), f(3), 0.1, f(2, 3), 0.9, f(2, 3)", ValueError, "gradient"),
        (
            "f(2), f(2), 0.1, f(2), 0.9, f(2), nesterov=True, dampening=0.1",
            ValueError,
            "dampening",
        ),
    ),
    **{**STEP, "setup": _check_sgd},
)
def _sgd(
    parameters: Tensor,
    gradient: Tensor,
    learning_rate: Tensor | Scalar,
    accum: Tensor,
    momentum: Tensor | Scalar,
    stat: Tensor,
    *,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
) -> Tensor:
    r"""One step of descent with momentum, dampening and decay.

    .. math::
        g = g + decay \cdot w, \quad
        v = u v + (1 - dampening) g, \quad
        w = w - lr \cdot v

    With `nesterov`, :math:`w = w - lr (g + u v)`. Where `stat` is above zero, the step is the
    first: v becomes g, and `stat` zero.

    Attributes:
        dampening (float): takes from the gradient. Default: 0.0.
        weight_decay (float): decay of the parameters. Default: 0.0.
        nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **parameters** (Parameter) - the variable.
        - **gradient** (Tensor) - of the same shape.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **accum** (Parameter) - the momentum's sum, v.
        - **momentum** (Union[float, Tensor]) - u.
        - **stat** (Parameter) - which elements take their first step.

    Outputs: `parameters`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit, or `nesterov` is given with `dampening`.
    Difference from PyTorch: one step of ``torch.optim.SGD``, which knows its first step.
    Source: behavior observed in MindSpore 2.10.

    >>> w, v = (ms.Parameter(ms.Tensor(x), name=str(x)) for x in ([2, -0.5], [0.1, 0.3]))
    >>> stat = ms.Tensor([1.5, -0.3])
    >>> print(ms.ops.SGD()(w, ms.Tensor([1.0, -1.0]), ms.Tensor(0.01), v, ms.Tensor(0.1), stat))
    [ 1.99   -0.4903]
    """
    states = {"parameters": parameters, "accum": accum, "stat": stat}
    agree("SGD", states, {"gradient": gradient}, free=("accum", "stat"))
    rate, drag, less, decay = numbers(
        "SGD",
        parameters,
        learning_rate=learning_rate,
        momentum=momentum,
        dampening=dampening,
        weight_decay=weight_decay,
    )
    old, grad, moved = wide(parameters, gradient, accum)
    grad = grad + decay * old
    first = stat > 0
    moved = torch.where(first, grad, drag * moved + (1 - less) * grad)
    step = grad + drag * moved if nesterov else moved
    store((accum, moved), (stat, torch.where(first, torch.zeros_like(stat), stat)))
    return store((parameters, old - rate * step))


@primitive(
    "LARSUpdate",
    cast="never",
    differentiable=False,
    setup=check_attributes,
    samples=(
        "f(2, 3), f(2, 3), torch.tensor(0.8), torch.tensor(1.2), 0.1, 0.5",
        "f(2, 3), f(2, 3), torch.tensor(0.8), torch.tensor(1.2), 0.1, 0.001, use_clip=True",
        "f(2, 3), f(2, 3), torch.tensor(0.0), torch.tensor(1.2), 0.1, 0.5",
    ),
    errors=(("f(2, 3), f(3), f(1), f(1), 0.1, 0.5", ValueError, "shape"),),
)
def _lars_update(
    weight: Tensor,
    gradient: Tensor,
    norm_weight: Tensor,
    norm_gradient: Tensor,
    weight_decay: Tensor | Scalar,
    learning_rate: Tensor | Scalar,
    *,
    epsilon: float = 1e-05,
    hyperpara: float = 0.001,
    use_clip: bool = False,
) -> Tensor:
    r"""The gradient scaled by LARS.

    .. math::
        \lambda = \theta \frac{\|w\|}{\|g\| + decay \|w\| + \epsilon}, \quad
        g' = \lambda (g + decay \cdot w)

    Where a norm is zero, :math:`\lambda` is 1. With `use_clip`, :math:`\min(\lambda / lr, 1)`
    takes its place.

    Attributes:
        epsilon (float): added to the denominator. Default: 1e-5.
        hyperpara (float): the trust coefficient, theta. Default: 0.001.
        use_clip (bool): whether the rate may not grow. Default: False.

    Inputs:
        - **weight**, **gradient** (Tensor) - w and g, of one shape.
        - **norm_weight**, **norm_gradient** (Tensor) - the sums of their squares, one element.
        - **weight_decay**, **learning_rate** (Union[float, Tensor]) - numbers.

    Outputs: Tensor, the new gradient. Nothing is written.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation and its example; it has no CPU kernel.

    >>> w, g = ms.Tensor([0.6, 0.8]), ms.Tensor([0.3, 0.4])
    >>> print(ms.ops.LARSUpdate()(w, g, ms.Tensor(1.0), ms.Tensor(0.25), 0.0, 1.0))
    [0.00059999 0.00079998]
    """
    op_name = "LARSUpdate"
    agree(op_name, {"weight": weight}, {"gradient": gradient})
    squares_w, squares_g, decay, rate, eps, trust = numbers(
        op_name,
        weight,
        norm_weight=norm_weight,
        norm_gradient=norm_gradient,
        weight_decay=weight_decay,
        learning_rate=learning_rate,
        epsilon=epsilon,
        hyperpara=hyperpara,
    )
    w, g = wide(weight, gradient)
    norm_w, norm_g = squares_w.sqrt(), squares_g.sqrt()
    scale = trust * norm_w / (norm_g + decay * norm_w + eps)
    scale = torch.where((norm_w > 0) & (norm_g > 0), scale, torch.ones_like(scale))
    if use_clip:
        scale = (scale / rate).clamp(max=1)
    return (scale.to(w.device) * (g + decay * w)).to(gradient.dtype)
