"""AdaFactor."""

from __future__ import annotations

import math
from typing import Any

# Parameters and state are updated in place over torch tensors.
import torch

from agar._core.errors import missing_feature
from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["AdaFactor"]


def _rms(value: torch.Tensor) -> torch.Tensor:
    return value.norm() / math.sqrt(max(value.numel(), 1))


class AdaFactor(Optimizer):
    r"""Adam with the average squares of a matrix kept as one value per row and per column.

    .. math::
        \beta_t = 1 - t^{-d}, \quad
        R_t = \beta_t R_{t-1} + (1 - \beta_t) \mathrm{mean}_{col}(g_t^2 + eps_0), \quad
        C_t = \beta_t C_{t-1} + (1 - \beta_t) \mathrm{mean}_{row}(g_t^2 + eps_0)

        u_t = g_t \sqrt{\frac{\mathrm{mean}(R_t)}{R_t C_t}}, \quad
        u_t \leftarrow \frac{u_t}{\max(1, RMS(u_t) / clip)}, \quad
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) \alpha_t u_t, \quad
        w_t = (1 - decay \cdot \alpha_t) w_{t-1} - m_t

    Vectors keep one value per element. The rate :math:`\alpha_t` is `learning_rate`, or with
    `relative_step` :math:`\min(10^{-2}, 1/\sqrt t)` (:math:`10^{-6} t` in place of
    :math:`10^{-2}` with `warmup_init`); with `scale_parameter` it is multiplied by
    :math:`\max(eps_1, RMS(w))`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`; None with `relative_step`. Default: ``None``.
        eps (tuple[float, float]): added to the squares, and the lowest scale of a parameter.
            Default: ``(1e-30, 1e-3)``.
        clip_threshold (float): the largest root mean square of a step. Default: ``1.0``.
        decay_rate (float): d, the power of the decay. Default: ``0.8``.
        beta1 (float): decay of the average step; 0 for none. Default: ``0.9``.
        weight_decay (float): decay of the parameters. Default: ``0.0``.
        scale_parameter (bool): whether steps are in proportion to the parameter.
            Default: ``True``.
        relative_step (bool): whether the rate follows from the number of steps.
            Default: ``True``.
        warmup_init (bool): whether that rate grows at first. Default: ``False``.
        compression (bool): must be False: the state has the type of its parameter.
            Default: ``False``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `learning_rate`, `relative_step` and
            `warmup_init` do not fit together.
        NotImplementedError: `compression` is True.

    Difference from PyTorch: ``torch.optim.Adafactor`` has no average step, and its defaults
    differ.

    Source: Shazeer and Stern (2018), Adafactor; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="w")
        >>> opt = nn.AdaFactor([w], 0.5, beta1=0.0, scale_parameter=False, relative_step=False)
        >>> opt((ms.Tensor([[1.0, 1.0], [1.0, 1.0]]),))
        (True,)
        >>> print(w.value())
        [[0.5 1.5]
         [2.5 3.5]]
    """

    _decay_goes = "never"
    _by_element = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        if learning_rate is not None and relative_step:
            raise ValueError(
                "For 'AdaFactor', 'learning_rate' and 'relative_step' exclude each other, but got "
                f"{learning_rate} and True; pass relative_step=False."
            )
        if warmup_init and not relative_step:
            raise ValueError("For 'AdaFactor', 'warmup_init' requires relative_step=True.")
        if check.boolean("AdaFactor", "compression", compression):
            raise missing_feature(
                "AdaFactor(compression=True)",
                "its state has the type of the parameters",
                "leave it False; matrices already keep one value per row and column",
            )
        super().__init__(
            0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale
        )
        if not isinstance(eps, (tuple, list)) or len(eps) != 2:
            raise TypeError(f"For 'AdaFactor', 'eps' must be a tuple of two floats, got {eps!r}.")
        self.eps = tuple(check.not_negative("AdaFactor", "eps", e) for e in eps)
        self.clip_threshold = check.positive("AdaFactor", "clip_threshold", clip_threshold)
        self.decay_rate = check.positive("AdaFactor", "decay_rate", decay_rate)
        if not 0.0 <= check.float_only("AdaFactor", "beta1", beta1) < 1.0:
            raise ValueError(f"For 'AdaFactor', the 'beta1' must be in [0.0, 1.0), got {beta1}.")
        self.beta1 = beta1
        self.scale_lr = check.boolean("AdaFactor", "scale_parameter", scale_parameter)
        self.relative_step = check.boolean("AdaFactor", "relative_step", relative_step)
        self.warmup_init = check.boolean("AdaFactor", "warmup_init", warmup_init)
        if beta1 > 0.0:
            self.exp_avg = self._state("exp_avg.")
        rows, columns, whole = [], [], []
        for p in self.parameters:
            shape = p.shape
            factored = len(shape) >= 2
            rows.append(self._part("row_", p, shape[:-1] if factored else (1,)))
            columns.append(self._part("col_", p, (*shape[:-2], shape[-1]) if factored else (1,)))
            whole.append(self._part("", p, (1,) if factored else shape))
        self.exp_avg_sq_row = ParameterTuple(rows)
        self.exp_avg_sq_col = ParameterTuple(columns)
        self.exp_avg_sq = ParameterTuple(whole)
        self.step = self._scalar("afactor_step", 0.0, (1,))

    @staticmethod
    def _part(kind: str, p: Parameter, shape: tuple[int, ...]) -> Parameter:
        return parameter_over(p._value.new_zeros(shape), f"exp_avg_sq_{kind}{p.name}")

    def _states(self) -> tuple[ParameterTuple, ...]:
        kinds = (self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq)
        return (*kinds, self.exp_avg) if self.beta1 > 0.0 else kinds

    def _before(self, rates: list[Rate]) -> float:
        return float(self.step._value.add_(1.0))

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: float
    ) -> None:
        if self.relative_step:
            rate = min(1e-6 * shared if self.warmup_init else 1e-2, 1.0 / math.sqrt(shared))
        keep = 1.0 - shared**-self.decay_rate
        rows, columns, whole, *averages = bucket.states
        for i, (p, g) in enumerate(zip(bucket.params, grads, strict=True)):
            own: Any = rate
            if self.scale_lr:
                own = torch.clamp(_rms(p), min=self.eps[1]) * rate
            squares = g * g + self.eps[0]
            if p.ndim >= 2:
                row = rows[i].mul_(keep).add_(squares.mean(-1), alpha=1.0 - keep)
                column = columns[i].mul_(keep).add_(squares.mean(-2), alpha=1.0 - keep)
                by_row = (row / row.mean(-1, keepdim=True)).rsqrt().unsqueeze(-1)
                step = by_row * column.rsqrt().unsqueeze(-2) * g
            else:
                step = whole[i].mul_(keep).add_(squares, alpha=1.0 - keep).rsqrt() * g
            step = step / torch.clamp(_rms(step) / self.clip_threshold, min=1.0) * own
            if averages:
                step = averages[0][i].mul_(self.beta1).add_(step, alpha=1.0 - self.beta1)
            if isinstance(decay, torch.Tensor) or decay:
                p.mul_(1.0 - decay * own)
            p.sub_(step)
