"""Steps of Adafactor as Primitives."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from agar.ops.optim.common import STEP, agree, numbers, store, wide
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# ---------------------------------------------------------------------------------- AdaFactor

_FACTORED = "f(2, 3), f(2, 3), f(2, 3), p(2), p(3), p(1)"
_ADA_RATES = "(1e-3, 1e-2), 0.5, 0.9, 0.8, 0.1, 0.03"
_ADA_FLAGS = "enable_scale_parameter=True, enable_first_moment=True, enable_weight_decay=True"


def _root_mean_square(value: Tensor) -> Tensor:
    return value.square().mean().sqrt()


def _ada_factor(
    op_name: str,
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
    agree(op_name, {"param": param}, {"gradient": grad})
    small, least = epsilon
    small, least, clip, keep1, keep2, decay, rate, norm = numbers(
        op_name,
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
    Source: behavior observed in MindSpore 2.10.

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
        - **global_norm** (Union[float, Tensor]) - the divisor of the gradient.

    Outputs: `param`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.optim.Adafactor`` has no average step.
    Source: behavior observed in MindSpore 2.10.

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
