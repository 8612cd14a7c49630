"""One step of an optimizer as a Primitive: ``ops.Adam``, ``ops.ApplyMomentum`` and relatives.

NOTE Steps. A step writes into its variable and its states, which keep their memory, and returns
them. No gradient flows through it. Variable, state and gradient have one shape; a gradient may be
of a narrower type than the variable, not of a wider one. Of float16 and bfloat16 variables the
arithmetic is float32. Rates and decays are numbers or tensors of one element; a number counts as
float32 has it, as in MindSpore's kernels, where 1 - 0.999 is 0.0010000467.

NOTE Results. MindSpore 2.10's CPU kernels of some steps leave what they return unwritten, ignore
`use_nesterov`, `gradient_scale` and `update_slots`, or take a sign wrong; agar follows the
documentation there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from agar._core import tensor as core
from agar._core.dtype import FROM_TORCH
from agar._core.optable import Primitive
from agar._core.runtime import runtime
from agar.ops._checks import boolean, number
from agar.ops.spec import Scalar, primitive

__all__ = [
    "STEP",
    "adadelta",
    "adagrad_da",
    "agree",
    "centered_rms_prop",
    "check_attributes",
    "ftrl",
    "numbers",
    "proximal_adagrad",
    "rms_prop",
    "shrunk",
    "store",
    "wide",
]


def _take(who: str, first: Any, change: Callable[[Any], Any]) -> Any:
    """Run a step outside the gradient and wrap what it returns (NOTE Steps)."""
    with torch.no_grad():
        found = change(first._value if isinstance(first, core.Tensor) else first)
    runtime.weights += 1
    return core.wrap(found)


def check_attributes(made: Primitive) -> None:
    """Check that the constructor's arguments are of the annotated types, bool or float.

    Raises:
        TypeError: one is of another type.
    """
    assert made._entry is not None
    for p in made._entry.params:
        if p.name not in made.attrs:
            continue
        value = made.attrs[p.name]
        if p.annotation == "bool":
            boolean(made.name, p.name, value)
        elif p.annotation == "float" and not isinstance(value, float):
            raise TypeError(
                f"For '{made.name}', the type of '{p.name}' should be 'float', but got type "
                f"'{type(value).__name__}'."
            )


#: How every step is declared.
STEP: dict[str, Any] = {
    "cast": "never",
    "inplace": _take,
    "differentiable": False,
    "setup": check_attributes,
}


def agree(
    who: str,
    states: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    *,
    free: tuple[str, ...] = (),
    shapes: bool = True,
) -> None:
    """Check the tensors of a step against the first state, which is the variable.

    Args:
        who: the operator.
        states: what is written, by name.
        inputs: what is read, by name.
        free: names of states that may have a type of their own.
        shapes: whether the inputs must have the variable's shape.

    Raises:
        TypeError: a state is of no floating type, or of a narrower one than the others.
        ValueError: the shapes differ.
    """
    (first, variable), *_ = states.items()
    one = [t.dtype for n, t in (*states.items(), *inputs.items()) if n not in free]
    common = one[0]
    for dtype in one[1:]:
        common = torch.promote_types(common, dtype)
    for name, value in states.items():
        if not (value.is_floating_point() or value.is_complex()):
            raise TypeError(
                f"For '{who}', '{name}' must be of a floating type, but got "
                f"{FROM_TORCH[value.dtype]}."
            )
        if value.dtype is not common and name not in free:
            raise TypeError(
                f"For '{who}', data type conversion is not supported for a 'Parameter': '{name}' "
                f"of type {FROM_TORCH[value.dtype]} cannot become {FROM_TORCH[common]}, the type "
                "of another argument; convert that one with .astype(...)."
            )
    for name, value in (*states.items(), *(inputs.items() if shapes else ())):
        if value.shape != variable.shape:
            raise ValueError(
                f"For '{who}', the shape of '{name}' must be that of '{first}', "
                f"{list(variable.shape)}, but got {list(value.shape)}."
            )


def wide(*values: Tensor) -> list[Tensor]:
    """The values in the type that a step computes in."""
    return [v.to(_arithmetic(v.dtype)) for v in values]


def _arithmetic(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def numbers(who: str, variable: Tensor, **values: Tensor | Scalar) -> list[Any]:
    """Rates and decays as the arithmetic takes them (NOTE Steps): 0-d tensors or floats.

    Raises:
        TypeError: one is no number.
        ValueError: a tensor has more than one element.
    """
    found: list[Any] = []
    for name, value in values.items():
        if isinstance(value, Tensor):
            if value.numel() != 1:
                raise ValueError(
                    f"For '{who}', '{name}' must be a number or a tensor of one element, but got "
                    f"a tensor of shape {list(value.shape)}."
                )
            found.append(value.reshape(()).to(_arithmetic(variable.dtype)))
        elif variable.dtype is torch.float64:
            found.append(float(number(who, name, value)))
        else:
            found.append(struct.unpack("f", struct.pack("f", number(who, name, value)))[0])
    return found


def store(*pairs: tuple[Tensor, Tensor]) -> Any:
    """Write each new value into its target; the targets, or the only one."""
    for target, value in pairs:
        target.data.copy_(value)  # .data: no version bump, a recorded graph stays usable
    return pairs[0][0] if len(pairs) == 1 else tuple(target for target, _ in pairs)


def _sqrt(value: Any) -> Any:
    return value.sqrt() if isinstance(value, Tensor) else value**0.5


def shrunk(value: Tensor, by: Any) -> Tensor:
    """Values moved towards zero by a distance, at most to zero."""
    return value.sign() * (value.abs() - by).clamp(min=0)


_ONE = "f(2, 3), f(2, 3)"  # a variable and one state
_SQUARES = "f(2, 3), f(2, 3), p(2, 3)"  # a variable, an average and an average of squares


def _errors(before: str, after: str) -> tuple[tuple[str, type[Exception], str], ...]:
    """Wrong calls of a step: `before` are its arguments up to the gradient, `after` those behind.

    The first tensor of `before` is the variable.
    """
    return (
        (f"{before}, f(3){after}", ValueError, "shape"),
        (f"{before.replace('(2, 3)', '(2, 3).half()')}, f(2, 3){after}", TypeError, "conversion"),
        (f"i(2, 3){before[7:]}, f(2, 3){after}", TypeError, "floating"),
    )


# --------------------------------------------------------------------------------------- Adam


def _averages(m: Tensor, v: Tensor, grad: Tensor, beta1: Any, beta2: Any) -> tuple[Tensor, Tensor]:
    return m + (grad - m) * (1 - beta1), v + (grad * grad - v) * (1 - beta2)


_ADAM = "0.9, 0.99, 0.1, 0.9, 0.99, 1e-8"


@primitive(
    "Adam",
    samples=(
        f"{_SQUARES}, {_ADAM}, f(2, 3)",
        f"{_SQUARES}, {_ADAM}, f(2, 3), use_nesterov=True",
        f"{_SQUARES}, torch.tensor(0.9), 0.99, torch.tensor([0.1]), 0.9, 0.99, 1e-8, f(2, 3)",
        f"f(0), f(0), p(0), {_ADAM}, f(0)",
    ),
    errors=(
        *_errors(f"{_SQUARES}, {_ADAM}", ""),
        (f"{_SQUARES}, 0.9, 0.9, f(2), 0.9, 0.9, 0.1, f(2, 3)", ValueError, "lr"),
        (f"{_SQUARES}, {_ADAM}, f(2, 3), use_locking=1", TypeError, "use_locking"),
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
    Source: behaviour observed in MindSpore 2.10.

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
    who: str,
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
        who,
        m,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )
    mean, square, grad = wide(m, v, gradient)
    mean, square = _averages(mean, square, grad, keep1, keep2)
    scale = rate * _sqrt(1 - power2) / (1 - power1)
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
    Source: behaviour observed in MindSpore 2.10.

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
    who: str,
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
        who, var, lr=lr, beta1=beta1, beta2=beta2, epsilon=epsilon, decay=decay
    )
    old, mean, square, grad = wide(var, m, v, gradient)
    mean, square = _averages(mean, square, grad, keep1, keep2)
    step = mean / (square.sqrt() + eps) + shrink * old
    return store((var, old - rate * step), (m, mean), (v, square))


@primitive(
    "AdamWeightDecay",
    samples=(f"{_SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(2, 3)",),
    errors=_errors(f"{_SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02", ""),
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
    Source: behaviour observed in MindSpore 2.10.

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
    samples=(f"{_SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(2, 3), 2.0",),
    errors=((f"{_SQUARES}, 0.1, 0.9, 0.99, 1e-8, 0.02, f(3), 2.0", ValueError, "shape"),),
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
        - **global_norm** (Union[float, Tensor]) - what the gradient is divided by.

    Outputs: Tuple of `var`, `m` and `v`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> step = ms.ops.FusedCastAdamWeightDecay()
    >>> out = step(w, m, v, 0.001, 0.9, 0.999, 1e-8, 0.0, ms.ops.ones(2).half(), 1.0)
    >>> print(w.value())
    [0.999 0.999]
    """
    who = "FusedCastAdamWeightDecay"
    agree(who, {"var": var, "m": m, "v": v, "gradient": gradient}, {}, free=("m", "v", "gradient"))
    (norm,) = numbers(who, m, global_norm=global_norm)
    scaled = gradient.to(_arithmetic(m.dtype)) / norm
    return _decayed_step(who, var, m, v, lr, beta1, beta2, epsilon, decay, scaled)


@primitive(
    "ApplyAdaMax",
    samples=(f"{_SQUARES}, 0.9, 0.1, 0.9, 0.99, 1e-8, f(2, 3)",),
    errors=_errors(f"{_SQUARES}, 0.9, 0.1, 0.9, 0.99, 1e-8", ""),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.5, 0.6, 0.9))
    >>> out = ms.ops.ApplyAdaMax()(w, m, v, 0.9, 0.001, 0.9, 0.99, 1e-10, ms.Tensor([0.3]))
    >>> print(w.value(), m.value(), v.value())
    [0.4936027] [0.57] [0.891]
    """
    who = "ApplyAdaMax"
    agree(who, {"var": var, "m": m, "v": v}, {"grad": grad})
    power, rate, keep1, keep2, eps = numbers(
        who, var, beta1_power=beta1_power, lr=lr, beta1=beta1, beta2=beta2, epsilon=epsilon
    )
    old, mean, peak, g = wide(var, m, v, grad)
    mean = mean + (g - mean) * (1 - keep1)
    peak = torch.maximum(keep2 * peak, g.abs())
    return store((var, old - rate / (1 - power) * mean / (peak + eps)), (m, mean), (v, peak))


def _amsgrad(
    who: str,
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
    agree(who, {"var": var, "m": m, "v": v, "vhat": vhat}, {"grad": grad})
    power1, power2, rate, keep1, keep2, eps = numbers(
        who,
        var,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )
    old, mean, square, peak, g = wide(var, m, v, vhat, grad)
    mean, square = _averages(mean, square, g, keep1, keep2)
    peak = torch.maximum(peak, square)
    scale = rate * _sqrt(1 - power2) / (1 - power1)
    new = old - scale * mean / (peak.sqrt() + eps)
    return store((var, new), (m, mean), (v, square), (vhat, peak))


@primitive(
    "ApplyAdamWithAmsgrad",
    samples=(f"{_SQUARES}, p(2, 3), 0.9, 0.99, 0.1, f(2, 3), beta1=0.8",),
    errors=_errors(f"{_SQUARES}, p(2, 3), 0.9, 0.99, 0.1", ""),
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
    samples=(f"{_SQUARES}, p(2, 3), {_ADAM}, f(2, 3)",),
    errors=_errors(f"{_SQUARES}, p(2, 3), {_ADAM}", ""),
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
    Source: behaviour observed in MindSpore 2.10.

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


# ------------------------------------------------------------------------- sums of squares


@primitive(
    "ApplyAdadelta",
    samples=("f(2, 3), p(2, 3), p(2, 3), 0.1, 0.3, 1e-6, f(2, 3)",),
    errors=_errors("f(2, 3), p(2, 3), p(2, 3), 0.1, 0.3, 1e-6", ""),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, a, b = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.6, 0.5, 0.9))
    >>> out = ms.ops.ApplyAdadelta()(w, a, b, 0.001, 0.0, 1e-6, ms.Tensor([0.3]))
    >>> print(w.value(), a.value(), b.value())
    [0.59905136] [0.09] [0.8999911]
    """
    who = "ApplyAdadelta"
    agree(who, {"var": var, "accum": accum, "accum_update": accum_update}, {"grad": grad})
    rate, keep, eps = numbers(who, var, lr=lr, rho=rho, epsilon=epsilon)
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
    errors=_errors("f(2, 3), p(2, 3), 0.1", ""),
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
    Source: behaviour observed in MindSpore 2.10; its CPU kernel ignores `update_slots`.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyAdagrad()(w, a, 0.001, ms.Tensor([0.3]))
    >>> print(w.value(), a.value())
    [0.5996389] [0.69]
    """
    return _adagrad("ApplyAdagrad", var, accum, lr, 0.0, grad, update_slots)


def _adagrad(
    who: str,
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    epsilon: float,
    grad: Tensor,
    update_slots: bool,
) -> tuple[Tensor, Tensor]:
    agree(who, {"var": var, "accum": accum}, {"grad": grad})
    rate, eps = numbers(who, var, lr=lr, epsilon=epsilon)
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
    errors=_errors("f(2, 3), p(2, 3), 0.1", ", epsilon=1e-6"),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyAdagradV2(1e-6)(w, a, 0.001, ms.Tensor([0.3]))
    >>> print(w.value(), a.value())
    [0.5996389] [0.69]
    """
    return _adagrad("ApplyAdagradV2", var, accum, lr, epsilon, grad, update_slots)


@primitive(
    "ApplyAdagradDA",
    samples=(
        f"{_SQUARES}, f(2, 3), 0.1, 0.2, 0.3, 2",
        f"{_SQUARES}, f(2, 3), 0.1, 0.0, 0.3, torch.tensor(2)",
    ),
    errors=_errors(_SQUARES, ", 0.1, 0.2, 0.3, 2"),
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
    Source: behaviour observed in MindSpore 2.10, where its CPU kernel agrees with the documented
        formula: for a above zero.

    >>> w, a, b = (ms.Parameter(ms.Tensor([x]), name=str(x)) for x in (0.6, 0.1, 0.2))
    >>> print(ms.ops.ApplyAdagradDA()(w, a, b, ms.Tensor([0.3]), 0.001, 0.001, 0.001, 2))
    [-0.00073906]
    """
    who = "ApplyAdagradDA"
    states = {
        "var": var,
        "gradient_accumulator": gradient_accumulator,
        "gradient_squared_accumulator": gradient_squared_accumulator,
    }
    agree(who, states, {"grad": grad})
    rate, lasso, ridge, step = numbers(who, var, lr=lr, l1=l1, l2=l2, global_step=global_step)
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
    errors=_errors("f(2, 3), p(2, 3), 0.1, 0.2, 0.3", ""),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, a = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wa")
    >>> out = ms.ops.ApplyProximalAdagrad()(w, a, 0.01, 0.0, 0.0, ms.Tensor([0.3]))
    >>> print(w.value())
    [0.59638846]
    """
    who = "ApplyProximalAdagrad"
    agree(who, {"var": var, "accum": accum}, {"grad": grad})
    rate, lasso, ridge = numbers(who, var, lr=lr, l1=l1, l2=l2)
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
    errors=_errors("f(2, 3), p(2, 3), f(2, 3)", ", 0.1, 0.2, 0.3, -0.5"),
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
    Source: behaviour observed in MindSpore 2.10, where its CPU kernel agrees with the formula: for
        z above zero, or without l1.

    >>> w, n, z = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wnz")
    >>> print(ms.ops.ApplyFtrl()(w, n, z, ms.Tensor([0.3]), 0.001, 0.0, 0.0, -0.5))
    [0.03941365]
    """
    who = "ApplyFtrl"
    agree(who, {"var": var, "accum": accum, "linear": linear}, {"grad": grad})
    values = numbers(who, var, lr=lr, l1=l1, l2=l2, lr_power=lr_power)
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


# -------------------------------------------------------------------- RMSProp and descent


@primitive(
    "ApplyRMSProp",
    samples=("f(2, 3), p(2, 3), f(2, 3), 0.1, f(2, 3), 0.9, 0.8, 0.01",),
    errors=_errors("f(2, 3), p(2, 3), f(2, 3), 0.1", ", 0.9, 0.8, 0.01"),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, s, m = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wsm")
    >>> print(ms.ops.ApplyRMSProp()(w, s, m, 0.01, ms.ops.ones(2), 0.0, 1e-10, 0.001))
    [0.990005 0.990005]
    """
    who = "ApplyRMSProp"
    agree(who, {"var": var, "mean_square": mean_square, "moment": moment}, {"grad": grad})
    rate, keep, drag, eps = numbers(
        who, var, learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon
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
    errors=_errors("f(2, 3), f(2, 3), p(2, 3), f(2, 3)", ", 0.1, 0.9, 0.8, 0.01"),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, a, s, m = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wasm")
    >>> step = ms.ops.ApplyCenteredRMSProp()
    >>> print(step(w, a, s, m, ms.ops.ones(2), 0.01, 0.0, 1e-10, 0.001))
    [0.68377227 0.68377227]
    """
    who = "ApplyCenteredRMSProp"
    states = {
        "var": var,
        "mean_gradient": mean_gradient,
        "mean_square": mean_square,
        "moment": moment,
    }
    agree(who, states, {"grad": grad})
    rate, keep, drag, eps = numbers(
        who, var, learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon
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
    """The variable, both averages and the moment after a step of centred RMSProp."""
    mean, square = _averages(mean, square, grad, keep, keep)
    moved = drag * moved + rate * grad / (square - mean * mean + eps).sqrt()
    return old - moved, mean, square, moved


@primitive(
    "ApplyMomentum",
    samples=(
        f"{_ONE}, 0.1, f(2, 3), 0.9",
        f"{_ONE}, 0.1, f(2, 3), 0.9, use_nesterov=True, gradient_scale=0.5",
    ),
    errors=(
        *_errors(f"{_ONE}, 0.1", ", 0.9"),
        (f"{_ONE}, 0.1, f(2, 3), 0.9, gradient_scale=1", TypeError, "gradient_scale"),
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
    Source: behaviour observed in MindSpore 2.10; its CPU kernel ignores `use_nesterov` and
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
    who: str,
    variable: Tensor,
    accumulation: Tensor,
    learning_rate: Tensor | Scalar,
    grad: Tensor,
    momentum: Tensor | Scalar,
    use_nesterov: bool,
) -> Tensor:
    rate, drag = numbers(who, variable, learning_rate=learning_rate, momentum=momentum)
    old, moved = wide(variable, accumulation)
    moved = drag * moved + grad
    step = grad + drag * moved if use_nesterov else moved
    store((accumulation, moved))
    return store((variable, old - rate * step))


@primitive(
    "FusedWeightScaleApplyMomentum",
    samples=(f"0.1, 2.0, {_ONE}, 0.1, f(2, 3), 0.9", f"u(1), 2.0, {_ONE}, 0.1, f(2, 3), 0.9"),
    errors=((f"0.1, 2.0, {_ONE}, 0.1, f(3), 0.9", ValueError, "shape"),),
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
    who = "FusedWeightScaleApplyMomentum"
    agree(who, {"variable": variable, "accumulation": accumulation}, {"gradient": gradient})
    decay, scale = numbers(who, variable, weight_decay=weight_decay, loss_scale=loss_scale)
    old, grad = wide(variable, gradient)
    grad = (grad + decay * old) * scale
    return _momentum(who, variable, accumulation, learning_rate, grad, momentum, False)


@primitive(
    "ApplyKerasMomentum",
    samples=(
        f"{_ONE}, 0.1, f(2, 3), 0.9",
        f"{_ONE}, 0.1, f(2, 3), 0.9, use_nesterov=True",
    ),
    errors=_errors(f"{_ONE}, 0.1", ", 0.9"),
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
    who = "ApplyKerasMomentum"
    agree(who, {"var": var, "accum": accum}, {"grad": grad})
    rate, drag = numbers(who, var, lr=lr, momentum=momentum)
    old, moved, g = wide(var, accum, grad)
    moved = drag * moved - rate * g
    step = drag * moved - rate * g if use_nesterov else moved
    return store((var, old + step), (accum, moved))


@primitive(
    "ApplyGradientDescent",
    samples=("f(2, 3), 0.1, f(2, 3)", "f(2, 3), torch.tensor(0.5), f(2, 3)"),
    errors=_errors("f(2, 3), 0.1", ""),
    **STEP,
)
def _apply_gradient_descent(var: Tensor, alpha: Tensor | Scalar, delta: Tensor) -> Tensor:
    r"""A step down: :math:`w = w - \alpha \delta`.

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha** (Union[float, Tensor]) - a number.
        - **delta** (Tensor) - of the same shape.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``p.data.sub_(delta, alpha=alpha)``.
    Source: behaviour observed in MindSpore 2.10.

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
    errors=_errors("f(2, 3), 0.1, 1.2, 0.3", ""),
    **STEP,
)
def _apply_proximal_gradient_descent(
    var: Tensor,
    alpha: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    delta: Tensor,
) -> Tensor:
    r"""A step down followed by shrinking.

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
    Source: behaviour observed in MindSpore 2.10.

    >>> w = ms.Parameter(ms.ops.ones(2), name="w")
    >>> print(ms.ops.ApplyProximalGradientDescent()(w, 0.001, 0.1, 0.1, ms.Tensor([0.1, 0.2])))
    [0.9997     0.99960005]
    """
    who = "ApplyProximalGradientDescent"
    agree(who, {"var": var}, {"delta": delta})
    rate, lasso, ridge = numbers(who, var, alpha=alpha, l1=l1, l2=l2)
    old, change = wide(var, delta)
    return store((var, shrunk(old - rate * change, rate * lasso) / (1 + rate * ridge)))


@primitive(
    "ApplyAddSign",
    samples=(f"{_ONE}, 0.1, 1.0, 0.99, 0.9, f(2, 3)",),
    errors=_errors(f"{_ONE}, 0.1, 1.0, 0.99, 0.9", ""),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wm")
    >>> out = ms.ops.ApplyAddSign()(w, m, 0.001, 1.0, 0.99, 0.9, ms.Tensor([0.3]))
    >>> print(w.value(), m.value())
    [0.599403] [0.57]
    """
    who = "ApplyAddSign"
    agree(who, {"var": var, "m": m}, {"grad": grad})
    rate, base, decay, keep = numbers(
        who, var, lr=lr, alpha=alpha, sign_decay=sign_decay, beta=beta
    )
    old, mean, g = wide(var, m, grad)
    mean = mean + (g - mean) * (1 - keep)
    step = (base + decay * g.sign() * mean.sign()) * g
    return store((var, old - rate * step), (m, mean))


@primitive(
    "ApplyPowerSign",
    samples=(f"{_ONE}, 0.1, 2.0, 0.99, 0.9, f(2, 3)",),
    errors=_errors(f"{_ONE}, 0.1, 2.0, 0.99, 0.9", ""),
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
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m = (ms.Parameter(ms.Tensor([0.6]), name=n) for n in "wm")
    >>> out = ms.ops.ApplyPowerSign()(w, m, 0.001, 2.7182818, 0.99, 0.9, ms.Tensor([0.3]))
    >>> print(w.value())
    [0.5955757]
    """
    who = "ApplyPowerSign"
    agree(who, {"var": var, "m": m}, {"grad": grad})
    rate, base, decay, keep = numbers(
        who, var, lr=lr, logbase=logbase, sign_decay=sign_decay, beta=beta
    )
    old, mean, g = wide(var, m, grad)
    mean = mean + (g - mean) * (1 - keep)
    step = (base * decay * g.sign() * mean.sign()).exp() * g
    return store((var, old - rate * step), (m, mean))


def _check_sgd(made: Primitive) -> None:
    if made.nesterov is True and made.dampening != 0:
        raise ValueError(
            f"For 'SGD', the 'dampening' must be 0 when 'nesterov' is True, but got "
            f"'dampening' is {made.dampening} and 'nesterov' is {made.nesterov}."
        )
    boolean("SGD", "nesterov", made.nesterov)
    number("SGD", "dampening", made.dampening)
    number("SGD", "weight_decay", made.weight_decay)


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
    Source: behaviour observed in MindSpore 2.10.

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
    r"""The gradient scaled as LARS wants it.

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
    who = "LARSUpdate"
    agree(who, {"weight": weight}, {"gradient": gradient})
    squares_w, squares_g, decay, rate, eps, trust = numbers(
        who,
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


# --------------------------------------------------------------------------------------- LAMB


@primitive(
    "LambApplyOptimizerAssign",
    samples=("f(2, 3), p(2, 3), f(2, 3), f(2, 3), 0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.1",),
    errors=(
        (
            "f(3), p(2, 3), f(2, 3), f(2, 3), 0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.1",
            ValueError,
            "shape",
        ),
    ),
    **STEP,
)
def _lamb_apply_optimizer_assign(
    gradient: Tensor,
    v: Tensor,
    m: Tensor,
    var: Tensor,
    beta1: Tensor | Scalar,
    sub1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    sub2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    steps: Tensor | Scalar,
    decay_flag: Tensor | Scalar,
    weight_decay: Tensor | Scalar,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The averages of LAMB, and the direction of its step.

    .. math::
        m = \beta_1 m + s_1 g, \quad
        v = \beta_2 v + s_2 g^2, \quad
        update = \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}
            + flag \cdot decay \cdot w

    Inputs:
        - **gradient** (Tensor) - the gradient.
        - **v**, **m** (Parameter) - the averages, which are written.
        - **var** (Tensor) - the variable w, of the same shape.
        - **beta1**, **sub1**, **beta2**, **sub2**, **epsilon**, **steps**, **decay_flag**,
          **weight_decay** (Union[float, Tensor]) - numbers; `sub1` and `sub2` are 1 less the
          decays, `steps` is t.

    Outputs: Tuple of the update, `v` and `m`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> v, m = (ms.Parameter(ms.ops.zeros(1), name=n) for n in "vm")
    >>> step = ms.ops.operations.LambApplyOptimizerAssign()
    >>> one = ms.ops.ones(1)
    >>> print(step(one, v, m, one, 0.9, 0.1, 0.99, 0.01, 0.0, 1.0, 1.0, 0.5)[0])
    [1.4999993]
    """
    who = "LambApplyOptimizerAssign"
    agree(who, {"v": v, "m": m}, {"gradient": gradient, "var": var})
    keep1, rest1, keep2, rest2, eps, count, flag, decay = numbers(
        who,
        m,
        beta1=beta1,
        sub1=sub1,
        beta2=beta2,
        sub2=sub2,
        epsilon=epsilon,
        steps=steps,
        decay_flag=decay_flag,
        weight_decay=weight_decay,
    )
    g, square, mean, old = wide(gradient, v, m, var)
    mean, square = keep1 * mean + rest1 * g, keep2 * square + rest2 * g * g
    corrected = square / (1 - keep2**count)
    update = mean / (1 - keep1**count) / (corrected.sqrt() + eps) + flag * decay * old
    store((m, mean), (v, square))
    return update.to(m.dtype), v, m


@primitive(
    "LambApplyWeightAssign",
    samples=("u(1), p(1), 0.1, f(2, 3), f(2, 3)", "torch.zeros(1), p(1), 0.1, f(2, 3), f(2, 3)"),
    errors=(("u(1), p(1), 0.1, f(3), f(2, 3)", ValueError, "shape"),),
    **STEP,
)
def _lamb_apply_weight_assign(
    w_norm: Tensor | Scalar,
    g_norm: Tensor | Scalar,
    lr: Tensor | Scalar,
    update: Tensor,
    var: Tensor,
) -> Tensor:
    r"""The step of LAMB: :math:`w = w - lr \frac{\|w\|}{\|u\|} u`.

    Where a norm is zero, the quotient is 1.

    Inputs:
        - **w_norm**, **g_norm**, **lr** (Union[float, Tensor]) - both norms and the rate.
        - **update** (Tensor) - u, the direction.
        - **var** (Parameter) - the variable w, of the same shape, which is written.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
    >>> step = ms.ops.operations.LambApplyWeightAssign()
    >>> print(step(5.0, 2.0, 0.1, ms.Tensor([2.0, 0.0]), w))
    [2.5 4. ]
    """
    who = "LambApplyWeightAssign"
    agree(who, {"var": var}, {"update": update})
    size_w, size_u, rate = numbers(who, var, w_norm=w_norm, g_norm=g_norm, lr=lr)
    old, direction = wide(var, update)
    size_w, size_u = (
        torch.as_tensor(size, dtype=old.dtype, device=old.device) for size in (size_w, size_u)
    )
    share = torch.where((size_w > 0) & (size_u > 0), size_w / size_u, torch.ones_like(size_w))
    return store((var, old - rate * share * direction))


# ---------------------------------------------------------------------------------- AdaFactor

_FACTORED = "f(2, 3), f(2, 3), f(2, 3), p(2), p(3), p(1)"
_ADA_RATES = "(1e-3, 1e-2), 0.5, 0.9, 0.8, 0.1, 0.03"
_ADA_FLAGS = "enable_scale_parameter=True, enable_first_moment=True, enable_weight_decay=True"


def _root_mean_square(value: Tensor) -> Tensor:
    return value.square().mean().sqrt()


def _ada_factor(
    who: str,
    epsilon: Any,
    clip_threshold: Any,
    beta1: Any,
    beta2t: Any,
    weight_decay: Any,
    learning_rate: Any,
    grad: Tensor,
    param: Tensor,
    exp_avg: Tensor,
    rows: Tensor,
    columns: Tensor,
    squares: Tensor,
    global_norm: Any,
    flags: tuple[bool, bool, bool],
) -> Tensor:
    scale_parameter, first_moment, decays = flags
    agree(who, {"param": param}, {"gradient": grad})
    small, least = epsilon
    small, least, clip, keep1, keep2, decay, rate, norm = numbers(
        who,
        param,
        epsilon=small,
        epsilon_of_scale=least,
        clip_threshold=clip_threshold,
        beta1=beta1,
        beta2=beta2t,
        weight_decay=weight_decay,
        learning_rate=learning_rate,
        global_norm=global_norm,
    )
    old, g = wide(param, grad)
    g = g / norm
    if scale_parameter:
        rate = _root_mean_square(old).clamp(min=least) * rate
    new = g * g + small
    if param.ndim > 1:
        row, column = wide(rows, columns)
        row = row + (new.mean(-1) - row) * (1 - keep2)
        column = column + (new.mean(-2) - column) * (1 - keep2)
        share = row / row.mean(-1, keepdim=True)
        step = g * (share.unsqueeze(-1) * column.unsqueeze(-2)).rsqrt()
        store((rows, row), (columns, column))
    else:
        (square,) = wide(squares)
        square = square + (new - square) * (1 - keep2)
        step = g * square.rsqrt()
        store((squares, square))
    step = step / (_root_mean_square(step) / clip).clamp(min=1) * rate
    if first_moment:
        (mean,) = wide(exp_avg)
        step = mean + (step - mean) * (1 - keep1)
        store((exp_avg, step))
    if decays:
        old = old * (1 - decay * rate)
    return store((param, old - step))


@primitive(
    "FusedAdaFactor",
    samples=(
        f"{_ADA_RATES}, {_FACTORED}",
        f"{_ADA_RATES}, {_FACTORED}, {_ADA_FLAGS}",
        f"{_ADA_RATES}, f(3), f(3), f(3), p(1), p(1), p(3)",
    ),
    errors=((f"{_ADA_RATES}, f(3), f(2, 3), f(2, 3), p(2), p(3), p(1)", ValueError, "shape"),),
    **STEP,
)
def _fused_ada_factor(
    epsilon: Any,
    clip_threshold: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    weight_decay: Tensor | Scalar,
    learning_rate: Tensor | Scalar,
    gradient: Tensor,
    param: Tensor,
    exp_avg: Tensor,
    exp_avg_sq_row: Tensor,
    exp_avg_sq_col: Tensor,
    exp_avg_sq: Tensor,
    *,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
) -> Tensor:
    r"""One step of AdaFactor.

    .. math::
        R = \beta_2 R + (1 - \beta_2) \mathrm{mean}_{col}(g^2 + \epsilon_1), \quad
        C = \beta_2 C + (1 - \beta_2) \mathrm{mean}_{row}(g^2 + \epsilon_1)

        u = \frac{g}{\sqrt{R C / \mathrm{mean}(R)}}, \quad
        u = \frac{lr \cdot u}{\max(1, RMS(u) / clip)}, \quad
        m = \beta_1 m + (1 - \beta_1) u, \quad
        w = (1 - decay \cdot lr) w - m

    Vectors have one average for each element. Without `enable_first_moment`, u takes the place of
    m; without `enable_weight_decay`, w does not decay. With `enable_scale_parameter` the rate is
    multiplied by :math:`\max(\epsilon_2, RMS(w))`.

    Attributes:
        enable_scale_parameter (bool): whether steps are in proportion to w. Default: False.
        enable_first_moment (bool): whether steps are averaged. Default: False.
        enable_weight_decay (bool): whether w decays. Default: False.

    Inputs:
        - **epsilon** (tuple) - the two small numbers.
        - **clip_threshold**, **beta1**, **beta2**, **weight_decay**, **learning_rate**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of the parameter's shape.
        - **param**, **exp_avg** (Parameter) - w and m.
        - **exp_avg_sq_row**, **exp_avg_sq_col** (Parameter) - R and C of matrices, without the
          last axis and without the last but one.
        - **exp_avg_sq** (Parameter) - the averages of a vector.

    Outputs: `param`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adafactor`` has no average step.
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> row, column = (ms.Parameter(ms.ops.zeros(1), name=n) for n in "rc")
    >>> rates = ((1e-30, 1e-3), 1.0, 0.9, 0.8, 0.01, 0.03)
    >>> out = ms.ops.FusedAdaFactor()(*rates, ms.ops.ones(2), w, m, row, column, v)
    >>> print(w.value())
    [0.97 0.97]
    """
    flags = (enable_scale_parameter, enable_first_moment, enable_weight_decay)
    return _ada_factor(
        "FusedAdaFactor",
        epsilon,
        clip_threshold,
        beta1,
        beta2,
        weight_decay,
        learning_rate,
        gradient,
        param,
        exp_avg,
        exp_avg_sq_row,
        exp_avg_sq_col,
        exp_avg_sq,
        1.0,
        flags,
    )


@primitive(
    "FusedAdaFactorWithGlobalNorm",
    samples=(
        f"{_ADA_RATES}, {_FACTORED}, torch.tensor(2.0)",
        f"{_ADA_RATES}, {_FACTORED}, 2.0, {_ADA_FLAGS}",
    ),
    errors=((f"{_ADA_RATES}, f(3), f(2, 3), f(2, 3), p(2), p(3), p(1), 2.0", ValueError, "shape"),),
    **STEP,
)
def _fused_ada_factor_with_global_norm(
    epsilon: Any,
    clip_threshold: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    weight_decay: Tensor | Scalar,
    learning_rate: Tensor | Scalar,
    gradient: Tensor,
    param: Tensor,
    exp_avg: Tensor,
    exp_avg_sq_row: Tensor,
    exp_avg_sq_col: Tensor,
    exp_avg_sq: Tensor,
    global_norm: Tensor | Scalar,
    *,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
) -> Tensor:
    """One step of :class:`ops.FusedAdaFactor` with the gradient divided by a norm first.

    Inputs:
        - as of :class:`ops.FusedAdaFactor`, then
        - **global_norm** (Union[float, Tensor]) - what the gradient is divided by.

    Outputs: `param`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adafactor`` has no average step.
    Source: behaviour observed in MindSpore 2.10.

    >>> w, m, v = (ms.Parameter(ms.ops.ones(2), name=n) for n in "wmv")
    >>> row, column = (ms.Parameter(ms.ops.zeros(1), name=n) for n in "rc")
    >>> rates = ((1e-30, 1e-3), 1.0, 0.9, 0.8, 0.01, 0.03)
    >>> step = ms.ops.FusedAdaFactorWithGlobalNorm()
    >>> out = step(*rates, 2 * ms.ops.ones(2), w, m, row, column, v, 2.0)
    >>> print(w.value())
    [0.97 0.97]
    """
    flags = (enable_scale_parameter, enable_first_moment, enable_weight_decay)
    return _ada_factor(
        "FusedAdaFactorWithGlobalNorm",
        epsilon,
        clip_threshold,
        beta1,
        beta2,
        weight_decay,
        learning_rate,
        gradient,
        param,
        exp_avg,
        exp_avg_sq_row,
        exp_avg_sq_col,
        exp_avg_sq,
        global_norm,
        flags,
    )
