"""Steps of Adam and its relatives as Primitives; see the notes of `agar.ops.optim.common`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops.optim.common import (
    SQUARES,
    STEP,
    agree,
    arithmetic_dtype,
    numbers,
    square_root,
    step_errors,
    store,
    wide,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = ["moving_averages"]

# --------------------------------------------------------------------------------------- Adam


def moving_averages(
    m: Tensor, v: Tensor, grad: Tensor, beta1: Any, beta2: Any
) -> tuple[Tensor, Tensor]:
    """The moving averages of the gradient and of its square, one step on."""
    return m + (grad - m) * (1 - beta1), v + (grad * grad - v) * (1 - beta2)


_ADAM = "0.9, 0.99, 0.1, 0.9, 0.99, 1e-8"


@primitive(
    "Adam",
    samples=(
        f"{SQUARES}, {_ADAM}, f(2, 3)",
        f"{SQUARES}, {_ADAM}, f(2, 3), use_nesterov=True",
        f"{SQUARES}, torch.tensor(0.9), 0.99, torch.tensor([0.1]), 0.9, 0.99, 1e-8, f(2, 3)",
        f"f(0), f(0), p(0), {_ADAM}, f(0)",
    ),
    errors=(
        *step_errors(f"{SQUARES}, {_ADAM}", ""),
        (f"{SQUARES}, 0.9, 0.9, f(2), 0.9, 0.9, 0.1, f(2, 3)", ValueError, "lr"),
        (f"{SQUARES}, {_ADAM}, f(2, 3), use_locking=1", TypeError, "use_locking"),
    ),
    **STEP,
)
def _adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    gradient: Tensor,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""One step of Adam.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        w = w - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \frac{m}{\sqrt v + \epsilon}

    With `use_nesterov`, :math:`\beta_1 m + (1 - \beta_1) g` takes the place of m in the last one.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power** - the decays to the power of the step's number.
        - **lr**, **beta1**, **beta2**, **epsilon** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape.

    Outputs: Tuple of `var`, `m` and `v`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adam`` holds its state; this is one step of it.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> out = ms.ops.Adam()(w, m, v, 0.9, 0.999, 0.001, 0.9, 0.999, 1e-8, ms.ops.ones(2))
    >>> print(w.value())
    [0.9996838 0.9996838]
    """
    agree("Adam", {"var": var, "m": m, "v": v}, {"gradient": gradient}, free=("m", "v"))
    moved, squares, step = _adam_step(
        "Adam", m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov
    )
    return store((var, wide(var)[0] - step), (m, moved), (v, squares))


def _adam_step(
    op_name: str,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    gradient: Tensor,
    use_nesterov: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """The new averages and what to subtract from the variable."""
    power1, power2, rate, keep1, keep2, eps = numbers(
        op_name,
        m,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )
    mean, square, grad = wide(m, v, gradient)
    mean, square = moving_averages(mean, square, grad, keep1, keep2)
    scale = rate * square_root(1 - power2) / (1 - power1)
    ahead = keep1 * mean + (1 - keep1) * grad if use_nesterov else mean
    return mean, square, scale * ahead / (square.sqrt() + eps)


@primitive(
    "AdamNoUpdateParam",
    samples=(f"f(2, 3), p(2, 3), {_ADAM}, f(2, 3)",),
    errors=((f"f(2, 3), p(2, 3), {_ADAM}, f(3)", ValueError, "shape"),),
    **STEP,
)
def _adam_no_update_param(
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    gradient: Tensor,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Tensor:
    r"""One step of Adam, except that the variable's change is returned: see :class:`ops.Adam`.

    Inputs:
        - **m**, **v** (Parameter) - the averages, which are written.
        - the others as of :class:`ops.Adam`.

    Outputs: Tensor, what to add to the variable.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> m, v = (ms.Parameter(ms.Tensor([0.1, 0.2]), name=n) for n in "mv")
    >>> step = ms.ops.AdamNoUpdateParam()
    >>> print(step(m, v, 0.9, 0.999, 0.001, 0.9, 0.999, 1e-8, ms.Tensor([0.1, 0.1])))
    [-0.00010004 -0.00013441]
    """
    agree("AdamNoUpdateParam", {"m": m, "v": v}, {"gradient": gradient})
    mean, square, step = _adam_step(
        "AdamNoUpdateParam",
        m,
        v,
        beta1_power,
        beta2_power,
        lr,
        beta1,
        beta2,
        epsilon,
        gradient,
        use_nesterov,
    )
    store((m, mean), (v, square))
    return (-step).to(gradient.dtype)


def _decayed_step(
    op_name: str,
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    decay: Tensor | Scalar,
    gradient: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    rate, keep1, keep2, eps, shrink = numbers(
        op_name, var, lr=lr, beta1=beta1, beta2=beta2, epsilon=epsilon, decay=decay
    )
    old, mean, square, grad = wide(var, m, v, gradient)
    mean, square = moving_averages(mean, square, grad, keep1, keep2)
    step = mean / (square.sqrt() + eps) + shrink * old
    return store((var, old - rate * step), (m, mean), (v, square))


@primitive(
    "AdamWeightDecay",
    samples=(f"{SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(2, 3)",),
    errors=step_errors(f"{SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02", ""),
    **STEP,
)
def _adam_weight_decay(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    decay: Tensor | Scalar,
    gradient: Tensor,
    *,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""One step of Adam without correction of the averages, and with decay of the variable.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        w = w - lr \left(\frac{m}{\sqrt v + \epsilon} + decay \cdot w\right)

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **lr**, **beta1**, **beta2**, **epsilon**, **decay** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape.

    Outputs: Tuple of `var`, `m` and `v`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.AdamW`` corrects the averages.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> step = ms.ops.AdamWeightDecay()
    >>> out = step(w, m, v, 0.001, 0.9, 0.999, 1e-8, 0.0, ms.ops.ones(2))
    >>> print(w.value())
    [0.999 0.999]
    """
    states = {"var": var, "m": m, "v": v}
    agree("AdamWeightDecay", states, {"gradient": gradient}, free=("m", "v"))
    return _decayed_step("AdamWeightDecay", var, m, v, lr, beta1, beta2, epsilon, decay, gradient)


@primitive(
    "FusedCastAdamWeightDecay",
    samples=(f"{SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(2, 3), 2.0",),
    errors=((f"{SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(3), 2.0", ValueError, "shape"),),
    **STEP,
)
def _fused_cast_adam_weight_decay(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    decay: Tensor | Scalar,
    gradient: Tensor,
    global_norm: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """One step of :class:`ops.AdamWeightDecay` with the gradient divided by a norm first.

    Inputs:
        - **var** (Parameter) - the variable, float16 or float32.
        - **m**, **v** (Parameter) - the averages, of the same shape and any floating type.
        - **lr**, **beta1**, **beta2**, **epsilon**, **decay** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape and any floating type.
        - **global_norm** (Union[float, Tensor]) - the divisor of the gradient.

    Outputs: Tuple of `var`, `m` and `v`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> step = ms.ops.FusedCastAdamWeightDecay()
    >>> out = step(w, m, v, 0.001, 0.9, 0.999, 1e-8, 0.0, ms.ops.ones(2).half(), 1.0)
    >>> print(w.value())
    [0.999 0.999]
    """
    op_name = "FusedCastAdamWeightDecay"
    agree(
        op_name, {"var": var, "m": m, "v": v, "gradient": gradient}, {}, free=("m", "v", "gradient")
    )
    (norm,) = numbers(op_name, m, global_norm=global_norm)
    scaled = gradient.to(arithmetic_dtype(m.dtype)) / norm
    return _decayed_step(op_name, var, m, v, lr, beta1, beta2, epsilon, decay, scaled)


@primitive(
    "ApplyAdaMax",
    samples=(f"{SQUARES}, 0.9, 0.1, 0.9, 0.99, 1e-8, f(2, 3)",),
    errors=step_errors(f"{SQUARES}, 0.9, 0.1, 0.9, 0.99, 1e-8", ""),
    **STEP,
)
def _apply_ada_max(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    grad: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""One step of AdaMax.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \max(\beta_2 v, |g|), \quad
        w = w - \frac{lr}{1 - \beta_1^t} \frac{m}{v + \epsilon}

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable, the average and the largest gradient.
        - **beta1_power**, **lr**, **beta1**, **beta2**, **epsilon** (Union[float, Tensor]) -
          numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs: Tuple of `var`, `m` and `v`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adamax`` adds epsilon to the gradient.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.5, 0.6, 0.9))
    >>> out = ms.ops.ApplyAdaMax()(w, m, v, 0.9, 0.001, 0.9, 0.99, 1e-10, ms.Tensor([0.3]))
    >>> print(w.value(), m.value(), v.value())
    [0.4936027] [0.57] [0.891]
    """
    op_name = "ApplyAdaMax"
    agree(op_name, {"var": var, "m": m, "v": v}, {"grad": grad})
    power, rate, keep1, keep2, eps = numbers(
        op_name, var, beta1_power=beta1_power, lr=lr, beta1=beta1, beta2=beta2, epsilon=epsilon
    )
    old, mean, peak, g = wide(var, m, v, grad)
    mean = mean + (g - mean) * (1 - keep1)
    peak = torch.maximum(keep2 * peak, g.abs())
    return store((var, old - rate / (1 - power) * mean / (peak + eps)), (m, mean), (v, peak))


def _amsgrad(
    op_name: str,
    var: Tensor,
    m: Tensor,
    v: Tensor,
    vhat: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    grad: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    agree(op_name, {"var": var, "m": m, "v": v, "vhat": vhat}, {"grad": grad})
    power1, power2, rate, keep1, keep2, eps = numbers(
        op_name,
        var,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )
    old, mean, square, peak, g = wide(var, m, v, vhat, grad)
    mean, square = moving_averages(mean, square, g, keep1, keep2)
    peak = torch.maximum(peak, square)
    scale = rate * square_root(1 - power2) / (1 - power1)
    new = old - scale * mean / (peak.sqrt() + eps)
    return store((var, new), (m, mean), (v, square), (vhat, peak))


@primitive(
    "ApplyAdamWithAmsgrad",
    samples=(f"{SQUARES}, p(2, 3), 0.9, 0.99, 0.1, f(2, 3), beta1=0.8",),
    errors=step_errors(f"{SQUARES}, p(2, 3), 0.9, 0.99, 0.1", ""),
    **STEP,
)
def _apply_adam_with_amsgrad(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    vhat: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    grad: Tensor,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""One step of AMSGrad: Adam divided by the largest average of squares so far.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        \hat v = \max(\hat v, v), \quad
        w = w - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \frac{m}{\sqrt{\hat v} + \epsilon}

    Attributes:
        beta1 (float): decay of the average. Default: 0.9.
        beta2 (float): decay of the average of squares. Default: 0.999.
        epsilon (float): added to the denominator. Default: 1e-8.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v**, **vhat** (Parameter) - the variable and its state, of one shape.
        - **beta1_power**, **beta2_power**, **lr** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs: Tuple of `var`, `m`, `v` and `vhat`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adam(amsgrad=True)`` corrects v before the maximum.
    Source: MindSpore 2.10's documentation.

    >>> w, m, v, h = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.2, 0.1, 0.3, 0.4))
    >>> out = ms.ops.ApplyAdamWithAmsgrad()(w, m, v, h, 0.9, 0.999, 0.01, ms.Tensor([0.4]))
    >>> print(w.value(), h.value())
    [0.19935001] [0.4]
    """
    return _amsgrad(
        "ApplyAdamWithAmsgrad",
        var,
        m,
        v,
        vhat,
        beta1_power,
        beta2_power,
        lr,
        beta1,
        beta2,
        epsilon,
        grad,
    )


@primitive(
    "ApplyAdamWithAmsgradV2",
    samples=(f"{SQUARES}, p(2, 3), {_ADAM}, f(2, 3)",),
    errors=step_errors(f"{SQUARES}, p(2, 3), {_ADAM}", ""),
    **STEP,
)
def _apply_adam_with_amsgrad_v2(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    vhat: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    grad: Tensor,
    *,
    use_locking: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """One step of AMSGrad with its decays as inputs: see :class:`ops.ApplyAdamWithAmsgrad`.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v**, **vhat** (Parameter) - the variable and its state, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs: Tuple of `var`, `m`, `v` and `vhat`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adam(amsgrad=True)`` corrects v before the maximum.
    Source: behavior observed in MindSpore 2.10.

    >>> w, m, v, h = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.2, 0.1, 0.2, 0.1))
    >>> step = ms.ops.ApplyAdamWithAmsgradV2()
    >>> out = step(w, m, v, h, 0.9, 0.999, 0.01, 0.8, 0.999, 1e-8, ms.Tensor([0.4]))
    >>> print(w.value())
    [0.19886853]
    """
    return _amsgrad(
        "ApplyAdamWithAmsgradV2",
        var,
        m,
        v,
        vhat,
        beta1_power,
        beta2_power,
        lr,
        beta1,
        beta2,
        epsilon,
        grad,
    )
