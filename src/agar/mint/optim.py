"""``mint.optim``: optimizers with PyTorch's formulas, on the groups of ``experimental.optim``."""

from __future__ import annotations

from typing import Any

# State is filled, and parameters are updated in place, by torch's multi-tensor kernels.
import torch

from agar._core.tensor import Tensor
from agar.experimental.optim.adamw import corrected_step
from agar.experimental.optim.optimizer import Group, Optimizer, choose, valid_adam
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, scaled
from agar.nn.optim.momentum import descend
from agar.nn.optim.optimizer import Bucket

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]

# a package for imports: MindSpore's paths below it have no files
__path__: list[str] = []


class _Averages(Optimizer):
    """What Adam and AdamW share: options, states and the step."""

    _step_count = "state_step"
    _step_count_type = torch.float32
    _step_count_shape = (1,)
    _decays_itself = True
    #: Whether weight decay shrinks the parameters instead of being added to the gradients.
    _decoupled = True
    #: The types in which the pair of betas may come.
    _pairs: tuple[type, ...] = (tuple,)

    def _prepare(
        self,
        params: Any,
        lr: float,
        betas: Any,
        eps: float,
        weight_decay: float,
        amsgrad: bool,
        maximize: bool,
    ) -> None:
        owner = type(self).__name__
        if not isinstance(betas, self._pairs):
            names = " or ".join(kind.__name__ for kind in self._pairs)
            raise TypeError(f"For '{owner}', the 'betas' must be {names}, but got {betas!r}.")
        if len(betas) != 2:
            raise ValueError(f"For '{owner}', the 'betas' must have two elements, but got {betas}.")
        for name, value in (
            ("betas[0]", betas[0]),
            ("betas[1]", betas[1]),
            ("eps", eps),
            ("weight_decay", weight_decay),
            ("lr", lr),
        ):
            check.float_only(owner, name, value)
        check.boolean(owner, "amsgrad", amsgrad)
        check.boolean(owner, "maximize", maximize)
        valid_adam(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
        }
        Optimizer.__init__(self, params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        kinds = {"exp_avg": 0.0, "exp_avg_sq": 0.0}
        if hasattr(self, "max_exp_avg_sq") or any(g["amsgrad"] for g in self.param_groups):
            kinds["max_exp_avg_sq"] = 0.0
        return kinds

    def _grow(self, members: Any) -> None:
        if self.param_groups[-1]["amsgrad"] and not hasattr(self, "max_exp_avg_sq"):
            # the groups so far had no use for it; the new one is among the parameters already
            self._extend(members, {"exp_avg": 0.0, "exp_avg_sq": 0.0})
            self.max_exp_avg_sq = self._state("max_exp_avg_sq.", 0.0)
        else:
            self._extend(members, self._kinds())

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        corrected_step(bucket, grads, rate, group, count, decoupled=self._decoupled)


class AdamW(_Averages):
    r"""Adam with decoupled weight decay.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = (1 - lr \cdot decay) w_{t-1} - \frac{lr}{1 - \beta_1^t} \cdot
        \frac{m_t}{\sqrt{v_t} / \sqrt{1 - \beta_2^t} + eps}

    With `amsgrad`, the largest v so far takes the place of :math:`v_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own.
        lr (float): the learning rate. Default: ``1e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): decay of the parameters. Default: ``1e-2``.
        amsgrad (bool): whether the largest v so far is used (AMSGrad). Default: ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.AdamW``); gradients are passed to
    the call.

    Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization (2017); documented in
    MindSpore 2.10, where it runs on Ascend alone.

    Examples:
        >>> import agar as ms
        >>> from agar import mint
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> mint.optim.AdamW([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.495 2.49 ]
    """

    _start = -1  # MindSpore counts from 0 here; it is what checkpoints hold

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        self._prepare(params, lr, betas, eps, weight_decay, amsgrad, maximize)


class FusedAdamW(AdamW):
    """:class:`AdamW` whose groups are updated by one kernel each, as agar's AdamW does, too.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own; ``"amsgrad"`` must be the same in all.
        lr (float): the learning rate. Default: ``1e-3``.
        betas (Union[tuple[float, float], list[float]]): see :class:`AdamW`. Default:
            ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): decay of the parameters. Default: ``1e-2``.
        amsgrad (bool): whether the largest v so far is used (AMSGrad). Default: ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range, or groups differ in ``"amsgrad"``.

    Difference from PyTorch: ``torch.optim.AdamW(fused=True)``; gradients are passed to the call.

    Source: documented in MindSpore 2.10, where it runs on Ascend alone and joins the parameters'
    memory; in agar parameters keep theirs.

    Examples:
        >>> import agar as ms
        >>> from agar import mint
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> mint.optim.FusedAdamW([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.495 2.49 ]
    """

    _pairs = (tuple, list)

    def add_param_group(self, param_group: Group) -> None:
        """Add a group of parameters, see ``Optimizer.add_param_group``.

        Args:
            param_group (dict): ``"params"`` and the options that differ from the defaults.

        Raises:
            ValueError: its ``"amsgrad"`` differs from that of the other groups.
        """
        if self.param_groups and isinstance(param_group, dict):
            own = bool(self.param_groups[0]["amsgrad"])
            given = bool(param_group.get("amsgrad", self.defaults["amsgrad"]))
            if own != given:
                raise ValueError(
                    "FusedAdamW does not support mixed amsgrad across param_groups, but got "
                    f"{own} and {given}. Please keep amsgrad consistent."
                )
        super().add_param_group(param_group)


class Adam(_Averages):
    r"""Adam: steps along the mean gradient, divided by the root of the mean squared gradient.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = w_{t-1} - \frac{lr}{1 - \beta_1^t} \cdot
        \frac{m_t}{\sqrt{v_t} / \sqrt{1 - \beta_2^t} + eps}

    With `amsgrad`, the largest v so far takes the place of :math:`v_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own.
        lr (float): the learning rate. Default: ``1e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        amsgrad (bool): whether the largest v so far is used (AMSGrad). Default: ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.Adam``); gradients are passed to the
    call.

    Source: Kingma and Ba, Adam (2014); behavior observed in MindSpore 2.10, which forgets the
    largest v between steps.

    Examples:
        >>> import agar as ms
        >>> from agar import mint
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> mint.optim.Adam([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        self._prepare(params, lr, betas, eps, weight_decay, amsgrad, maximize)


class SGD(Optimizer):
    r"""Gradient descent, with momentum and dampening.

    .. math::
        v_t = u v_{t-1} + (1 - d) g_t, \quad w_t = w_{t-1} - lr \cdot v_t

    where u is `momentum` and d is `dampening`; the first step takes :math:`v_1 = g_1`. With
    `nesterov` :math:`w_t = w_{t-1} - lr (g_t + u v_t)`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own.
        lr (Union[bool, int, float, Tensor]): the learning rate.
        momentum (Union[bool, int, float]): the momentum, the fraction of the last step that is
            kept. Default: ``0``.
        dampening (Union[bool, int, float]): the fraction of the gradient that is left out. Default:
            ``0``.
        weight_decay (Union[bool, int, float]): factor of the parameters added to their gradients.
            Default: ``0``.
        nesterov (bool): whether to use Nesterov momentum; needs momentum and no dampening. Default:
            ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is negative, or `nesterov` does not fit the others.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.SGD``); `lr` has no default.

    Source: Sutskever et al. (2013), On the importance of initialization and momentum; documented in
    MindSpore 2.10, which does not follow a scheduler here. agar does.

    Examples:
        >>> import agar as ms
        >>> from agar import mint
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> mint.optim.SGD([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.value())
        [0.5 2.5]
    """

    _step_count = "step_t"
    _decays_itself = True

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if not isinstance(lr, Tensor):
            check.number("SGD", "lr", lr)
        for name, value in (("momentum", momentum), ("weight_decay", weight_decay)):
            if check.number("SGD", name, value) < 0.0:
                raise ValueError(f"Invalid {name} value: {value}")
        check.number("SGD", "dampening", dampening)
        check.boolean("SGD", "nesterov", nesterov)
        check.boolean("SGD", "maximize", maximize)
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "weight_decay": weight_decay,
            "dampening": dampening,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"momentum_buf": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        moments = bucket.states[0]
        decay, momentum, dampening = group["weight_decay"], group["momentum"], group["dampening"]
        if momentum == 0.0:
            descend(bucket, grads, [], rate, decay, 0.0, False)
        elif dampening == 0.0:
            # the first step needs no case of its own: the moments are zero
            descend(bucket, grads, moments, rate, decay, momentum, group["nesterov"])
        else:
            if decay:
                grads = scaled(grads, bucket.params, decay)
            if isinstance(count, torch.Tensor):
                taken = choose(count == 1.0, 1.0, 1.0 - dampening, bucket)
            else:
                taken = 1.0 if count == 1.0 else 1.0 - dampening
            torch._foreach_mul_(moments, momentum)
            add_scaled(moments, grads, taken)
            add_scaled(bucket.params, moments, -rate)
