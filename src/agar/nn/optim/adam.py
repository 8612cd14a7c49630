"""Adam, AdamWeightDecay and AdamOffload."""

from __future__ import annotations

import inspect
import math
from functools import cache
from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.hints import about_keyword
from agar._core.parameter import ParameterTuple
from agar._core.runtime import thread
from agar.nn import _checks as check
from agar.nn.optim._update import (
    Rate,
    Tensors,
    mix,
    mix_squares,
    scaled,
    single,
    subtract_quotient,
)
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Adam", "AdamOffload", "AdamWeightDecay"]


@cache
def _late(device: torch.device) -> torch.Tensor:
    """A step count so high that torch's kernel corrects no bias: ``1 - beta ** step`` is 1."""
    return torch.tensor(1e18, device=device)


def follow(
    bucket: Bucket,
    grads: Tensors,
    states: list[Tensors],
    rate: Rate,
    betas: tuple[float, float],
    eps: float,
    decay: Rate,
    decoupled: bool = False,
) -> None:
    """One step along the averages of gradients: ``w -= rate * m / (sqrt(v) + eps)``.

    A third state keeps the largest v and takes its place (AMSGrad). `decay` is added to the
    gradients, or, `decoupled`, to the step.
    """
    moment1, moment2, *largest = states
    if decoupled and isinstance(decay, torch.Tensor):
        torch._foreach_mul_(bucket.params, 1.0 - rate * decay)
        decay = 0.0
    if bucket.fused:
        kernel: Any = torch._fused_adamw_ if decoupled else torch._fused_adam_
        kernel(
            bucket.params,
            grads,
            moment1,
            moment2,
            largest[0] if largest else [],
            [_late(grads[0].device)] * len(grads),
            lr=rate,
            beta1=betas[0],
            beta2=betas[1],
            weight_decay=decay,
            eps=eps,
            amsgrad=bool(largest),
            maximize=False,
        )
        return
    if decay and decoupled:
        torch._foreach_mul_(bucket.params, 1.0 - rate * decay)
    elif decay:
        grads = scaled(grads, bucket.params, decay)
    mix(moment1, grads, betas[0])
    mix_squares(moment2, grads, betas[1])
    squares = moment2
    if largest:
        torch._foreach_maximum_(largest[0], moment2)
        squares = largest[0]
    subtract_quotient(bucket.params, moment1, _roots(squares, eps), rate)


def look_ahead(
    bucket: Bucket, grads: Tensors, rate: Rate, betas: tuple[float, float], eps: float
) -> None:
    """The step of `follow` with Nesterov momentum: the gradient counts once more."""
    moment1, moment2 = bucket.states
    mix(moment1, grads, betas[0])
    mix_squares(moment2, grads, betas[1])
    ahead = list(torch._foreach_mul(moment1, betas[0]))
    torch._foreach_add_(ahead, grads, alpha=1.0 - betas[0])
    subtract_quotient(bucket.params, ahead, _roots(moment2, eps), rate)


def _roots(squares: Tensors, eps: float) -> Tensors:
    roots = list(torch._foreach_sqrt(squares))
    torch._foreach_add_(roots, eps)
    return roots


class BiasCorrected(Optimizer):
    """What Adam and its relatives share: the averages and the powers of their betas."""

    _decay_goes = "kernel"
    #: Shape of the parameters ``beta1_power`` and ``beta2_power``, part of MindSpore's checkpoints.
    _power_shape: tuple[int, ...] = ()
    use_nesterov: bool

    def _prepare(
        self, beta1: float, beta2: float, eps: float, use_locking: bool, use_nesterov: bool
    ) -> None:
        owner = type(self).__name__
        self.beta1 = check.open_unit(owner, "beta1", beta1)
        self.beta2 = check.open_unit(owner, "beta2", beta2)
        self._betas = single(beta1), single(beta2)
        self.eps = check.positive(owner, "eps", eps)
        self.use_locking = check.boolean(owner, "use_locking", use_locking)
        self.use_nesterov = check.boolean(owner, "use_nesterov", use_nesterov)
        self.beta1_power = self._scalar("beta1_power", 1.0, self._power_shape)
        self.beta2_power = self._scalar("beta2_power", 1.0, self._power_shape)
        self.moment1 = self._state("moment1.")
        self.moment2 = self._state("moment2.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.moment1, self.moment2

    def _before(self, rates: list[Rate]) -> Rate:
        """The factor that corrects the bias of both averages."""
        power1 = self.beta1_power._value.mul_(self.beta1)
        power2 = self.beta2_power._value.mul_(self.beta2)
        if thread.in_graph or power1.device.type != "cpu":
            return (torch.sqrt(1.0 - power2) / (1.0 - power1)).reshape(())
        return math.sqrt(1.0 - float(power2)) / (1.0 - float(power1))

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Rate) -> None:
        betas = self._betas
        if self.use_nesterov:
            if decay:
                grads = scaled(grads, bucket.params, decay)
            look_ahead(bucket, grads, rate * shared, betas, self.eps)
        else:
            follow(bucket, grads, bucket.states, rate * shared, betas, self.eps, decay)


class Adam(BiasCorrected):
    r"""Adam: steps along the mean gradient, divided by the root of the mean squared gradient.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = w_{t-1} - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \cdot
        \frac{m_t}{\sqrt{v_t} + eps}

    With `use_nesterov`, :math:`\beta_1 m_t + (1 - \beta_1) g_t` takes the place of :math:`m_t`;
    with `use_amsgrad`, the largest v so far that of :math:`v_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``1e-3``.
        beta1 (float): decay rate of the mean gradient, in (0, 1). Default: ``0.9``.
        beta2 (float): decay rate of the mean squared gradient, in (0, 1). Default: ``0.999``.
        eps (float): added to the root. Default: ``1e-8``.
        use_locking (bool): accepted; updates are never concurrent. Default: ``False``.
        use_nesterov (bool): whether to use Nesterov momentum. Default: ``False``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        use_amsgrad (bool): whether the largest v so far is used (AMSGrad). Default: ``False``.
        **kwargs (bool): ``use_lazy`` and ``use_offload``, which change nothing for dense
            gradients. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a beta is not in (0, 1), `eps` is not positive, or `use_lazy`, `use_offload`
            and `use_amsgrad` are combined.
        KeyError: an unknown keyword.

    Difference from PyTorch: ``torch.optim.Adam`` adds eps after the correction of v, so that it
    counts more in the first steps; Nesterov momentum is not that of ``torch.optim.NAdam``.

    Source: Kingma and Ba, Adam (2014), section 2, efficient version; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.Adam([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **kwargs: bool,
    ) -> None:
        unknown = [k for k in kwargs if k not in ("use_lazy", "use_offload")]
        if unknown:
            raise KeyError(
                f"For 'Adam', the keyword must be one of ['use_lazy', 'use_offload'], but got "
                f"{unknown}{about_keyword(unknown[0], inspect.signature(type(self)).parameters)}"
            )
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.use_lazy = check.boolean("Adam", "use_lazy", kwargs.get("use_lazy", False))
        self.use_offload = check.boolean("Adam", "use_offload", kwargs.get("use_offload", False))
        self.use_amsgrad = check.boolean("Adam", "use_amsgrad", use_amsgrad)
        chosen = [n for n in ("use_lazy", "use_offload", "use_amsgrad") if getattr(self, n)]
        if len(chosen) > 1:
            raise ValueError(
                f"For 'Adam', only one of 'use_lazy', 'use_offload' and 'use_amsgrad' may be True, "
                f"but got {chosen}."
            )
        self._prepare(beta1, beta2, eps, use_locking, use_nesterov)
        if use_amsgrad:
            if use_nesterov:
                raise ValueError(
                    "For 'Adam', 'use_amsgrad' and 'use_nesterov' have no common formula; set one."
                )
            self.vhat = self._state("vhat.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        if self.use_amsgrad:
            return self.moment1, self.moment2, self.vhat
        return self.moment1, self.moment2


class AdamOffload(BiasCorrected):
    r"""Adam under the name by which MindSpore keeps its state on the host.

    In agar the state lies beside the parameters; the numbers are those of :class:`Adam`.

    Args:
        params (Union[list[Parameter], list[dict]]): see :class:`Adam`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Adam`. Default: ``1e-3``.
        beta1 (float): see :class:`Adam`. Default: ``0.9``.
        beta2 (float): see :class:`Adam`. Default: ``0.999``.
        eps (float): see :class:`Adam`. Default: ``1e-8``.
        use_locking (bool): accepted. Default: ``False``.
        use_nesterov (bool): see :class:`Adam`. Default: ``False``.
        weight_decay (Union[float, int, Cell]): see :class:`Adam`. Default: ``0.0``.
        loss_scale (float): see :class:`Adam`. Default: ``1.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: see :class:`Adam`.

    Source: Kingma and Ba, Adam (2014); behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.AdamOffload([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _power_shape = (1,)

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._prepare(beta1, beta2, eps, use_locking, use_nesterov)


class AdamWeightDecay(Optimizer):
    r"""Adam with decoupled weight decay and without correction of bias, as in BERT.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = w_{t-1} - lr \left( \frac{m_t}{\sqrt{v_t} + eps} + decay \cdot w_{t-1} \right)

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``1e-3``.
        beta1 (float): decay rate of the mean gradient, in (0, 1). Default: ``0.9``.
        beta2 (float): decay rate of the mean squared gradient, in (0, 1). Default: ``0.999``.
        eps (float): added to the root. Default: ``1e-6``.
        weight_decay (Union[float, int, Cell]): decay of the parameters. Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter; they may be of a wider type.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a beta is not in (0, 1), or `eps` is not positive.

    Difference from PyTorch: ``torch.optim.AdamW`` corrects the bias.

    Source: Devlin et al., BERT (2018), appendix; Loshchilov and Hutter, Decoupled Weight Decay
    Regularization (2017); behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.AdamWeightDecay([w], learning_rate=0.5, beta2=0.75)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [0.9 2.1]
    """

    _decay_goes = "never"
    _narrows_gradients = True

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.beta1 = check.open_unit("AdamWeightDecay", "beta1", beta1)
        self.beta2 = check.open_unit("AdamWeightDecay", "beta2", beta2)
        self._betas = single(beta1), single(beta2)
        self.eps = check.positive("AdamWeightDecay", "eps", eps)
        self.moments1 = self._state("adam_m.")
        self.moments2 = self._state("adam_v.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.moments1, self.moments2

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        betas = self._betas
        follow(bucket, grads, bucket.states, rate, betas, self.eps, decay, decoupled=True)
