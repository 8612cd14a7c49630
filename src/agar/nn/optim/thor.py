"""THOR: gradient descent with an estimate of the Fisher information of each layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Factors are inverted, and parameters updated in place, with the engine's tensors.
import torch

from agar._core.errors import describe
from agar._core.multi_device import world
from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.layer.normalization import LayerNorm
from agar.nn.layer.thor_layer import (
    Conv2dThor,
    DenseThor,
    EmbeddingLookupThor,
    EmbeddingThor,
    convert_to_thor_net,
)
from agar.nn.optim._update import Tensors
from agar.nn.optim.momentum import descend
from agar.nn.optim.optimizer import Optimizer

__all__ = ["thor"]

#: Factors are inverted in blocks along their diagonal, no larger than this.
_BLOCK = 128


def _every_parameter(parameter: Parameter) -> bool:
    return True


def thor(
    net: Cell,
    learning_rate: Tensor,
    damping: Any,
    momentum: float,
    weight_decay: float = 0.0,
    loss_scale: float = 1.0,
    batch_size: int = 32,
    use_nesterov: bool = False,
    decay_filter: Callable[[Parameter], bool] = _every_parameter,
    split_indices: Any = None,
    enable_clip_grad: bool = False,
    frequency: int = 100,
) -> ThorGpu:
    r"""THOR: momentum along gradients that are divided by the Fisher information of their layer.

    .. math::
        G_t = \left(G + \sqrt{\lambda} I\right)^{-1} g_t \left(A + \sqrt{\lambda} I\right)^{-1},
        \quad v_t = u v_{t-1} + G_t, \quad w_t = w_{t-1} - lr \cdot v_t

    where A and G are the statistics of the layer's inputs and gradients, :math:`\lambda` the
    damping and u the momentum. The network is changed: its layers become those of
    ``nn.DenseThor``, ``nn.Conv2dThor``, ``nn.EmbeddingThor`` and ``nn.EmbeddingLookupThor``. The
    weights of layer norms are divided by the squares of their gradients; all other parameters take
    plain gradients.

    Args:
        net (Cell): the network.
        learning_rate (Tensor): the learning rate, or one for each step.
        damping (Tensor): :math:`\lambda`, or one for each step; the last one goes on.
        momentum (float): the momentum, at least 0.
        weight_decay (float): factor of the parameters, added to the divided gradients. Default:
            ``0.0``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        batch_size (int): the size of a batch. Default: ``32``.
        use_nesterov (bool): whether to use Nesterov momentum. Default: ``False``.
        decay_filter (Callable): called with each parameter, says whether it decays. Default: all.
        split_indices (list): accepted; one process sends nothing. Default: ``None``.
        enable_clip_grad (bool): whether gradients of a norm above 1 are scaled to it. Default:
            ``False``.
        frequency (int): after how many steps the factors are inverted again, at least 2. Default:
            ``100``.

    Returns:
        The optimizer.

    Raises:
        TypeError: `learning_rate` is not a Tensor, `momentum` is not a float or `frequency` is not
            an int.
        ValueError: `momentum` is negative or `frequency` below 2.
        NotImplementedError: there are several processes.

    Difference from PyTorch: no counterpart.

    Source: Chen et al. (2021), THOR, Trace-based Hardware-driven Layer-Oriented Natural Gradient;
    documented in MindSpore 2.10, which runs it on other devices. The numbers are those of its form
    for GPU, but the inputs of a dense layer are averaged over the batch, and `frequency` counts
    without ``ConvertModelUtils``.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> opt = nn.thor(net, ms.Tensor(0.5), ms.Tensor(0.01), 0.0, batch_size=1)
        >>> grads = ms.grad(lambda x: net(x).sum(), None, opt.parameters)(ms.Tensor([[1.0, 0.0]]))
        >>> opt(grads)
        (True,)
        >>> print(net.weight.asnumpy().round(3))
        [[0.587 1.   ]]
    """
    world.refuse(
        "nn.thor",
        "its second moments are those of one process's rows",
        "use another optimizer, such as nn.Momentum or nn.Lamb",
    )
    convert_to_thor_net(net)
    return ThorGpu(
        net,
        learning_rate,
        damping,
        momentum,
        weight_decay,
        loss_scale,
        batch_size,
        use_nesterov,
        decay_filter,
        split_indices,
        enable_clip_grad,
        frequency,
    )


class ThorGpu(Optimizer):
    """The optimizer that :func:`thor` returns, under the name that it has in MindSpore on GPU."""

    _by_element = False

    def __init__(
        self,
        net: Cell,
        learning_rate: Any,
        damping: Any,
        momentum: float,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        batch_size: int = 32,
        use_nesterov: bool = False,
        decay_filter: Callable[[Parameter], bool] = _every_parameter,
        split_indices: Any = None,
        enable_clip_grad: bool = False,
        frequency: int = 100,
    ) -> None:
        if not isinstance(learning_rate, Tensor):
            raise TypeError(
                "For 'thor', the 'learning_rate' must be a Tensor, but got "
                f"{describe(learning_rate)}; write ms.Tensor([...], ms.float32)."
            )
        super().__init__(learning_rate, net.trainable_params(), 0.0, loss_scale)
        check.not_negative("thor", "momentum", momentum)
        if check.integer("thor", "frequency", frequency) < 2:
            raise ValueError(
                f"For 'thor', the argument 'frequency' must be at least 2, but got {frequency}."
            )
        self.momentum = self._scalar("momentum", momentum)
        self.use_nesterov = check.boolean("thor", "use_nesterov", use_nesterov)
        self.enable_clip_grad = check.boolean("thor", "enable_clip_grad", enable_clip_grad)
        self.frequency = frequency
        self.batch_size = float(batch_size)
        self.split_indices = split_indices
        self.thor = True
        self.moments = self._state("moments.")
        self.cov_step = parameter_over(torch.zeros(1, dtype=torch.int32), "cov_step", False)
        values = damping._value if isinstance(damping, Tensor) else torch.tensor(damping)
        self._dampings = values.detach().float().reshape(-1).tolist()
        self._weight_decay = check.number("thor", "weight_decay", weight_decay)
        self._decaying = [bool(decay_filter(p)) for p in self.parameters]
        self._layers = self._find_layers(net)
        self._make_inverses()

    def _find_layers(self, net: Cell) -> dict[int, Any]:
        """The layer that belongs to each parameter with an estimate, by position."""
        places = {id(p): i for i, p in enumerate(self.parameters)}
        entries: dict[int, Any] = {}
        for _, cell in net.cells_and_names():
            if isinstance(cell, LayerNorm):
                owned = [cell.gamma, cell.beta]
            elif isinstance(cell, (DenseThor, Conv2dThor)):
                owned = [cell.weight] if cell.thor else []
            elif isinstance(cell, (EmbeddingThor, EmbeddingLookupThor)):
                owned = [cell.embedding_table]
            else:
                continue
            entries.update({places[id(p)]: cell for p in owned if id(p) in places})
        return entries

    def _make_inverses(self) -> None:
        """Make the states that hold the inverted factors."""
        inputs, outputs = [], []
        self._inverse_of: dict[int, int] = {}
        for place, cell in self._layers.items():
            if isinstance(cell, LayerNorm):
                continue
            a, g = _factors(cell)
            number = self._inverse_of[place] = len(inputs)
            for name, factor, item in (("a", a, inputs), ("g", g, outputs)):
                value = torch.zeros_like(factor._value)
                item.append(parameter_over(value, f"matrix_{name}_inv_{number}", False))
        self.matrix_a = ParameterTuple(inputs)
        self.matrix_g = ParameterTuple(outputs)

    def get_frequency(self) -> int:
        """After how many steps the factors are inverted again.

        Returns:
            int.
        """
        return self.frequency

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.moments,)

    def construct(self, gradients: Any) -> Any:
        """Update the parameters; see :meth:`Optimizer.construct`."""
        grads = self._checked(gradients)
        if thread.recorder is None:
            self._step(grads)
        else:
            # which steps invert is known on the host alone, so a step is one piece of Python
            changed = [p._value for p in self.get_parameters()]
            unique = list({id(t): t for t in changed}.values())
            # the statistics are read: the step must come after the run that writes them
            read = [p._value for cell in self._layers.values() for p in _statistics(cell)]
            thread.recorder.host(self._step, (grads, unique, read), "ThorGpu", "nothing", (1,))
        return self._done

    def _step(self, grads: Tensors, changed: Any = None, read: Any = None) -> None:
        with torch.no_grad():
            rate = self._current(self._rates[0])
            count = int(self.cov_step._value)
            damping = self._dampings[min(count, len(self._dampings) - 1)]
            if self.thor and count % self.frequency == 0:
                self._invert(damping)
            if self.need_scale:
                grads = list(torch._foreach_mul(grads, 1.0 / self.loss_scale))
            grads = [self._divided(i, g, damping) for i, g in enumerate(grads)]
            if self._weight_decay > 0.0:
                for i, p in enumerate(self.parameters):
                    if self._decaying[i]:
                        grads[i] = grads[i] + self._weight_decay * p._value
            if self.enable_clip_grad:
                grads = [g / torch.clamp(g.norm(), min=1.0) for g in grads]
            momentum = float(self.momentum._value)
            for bucket in self._buckets():
                own = [grads[i].contiguous() for i in bucket.places]
                own = [
                    torch.empty_like(p).copy_(g) for p, g in zip(bucket.params, own, strict=True)
                ]
                moments = bucket.states[0] if momentum else []
                near = bucket.beside(rate)
                descend(bucket, own, moments, near, 0.0, momentum, self.use_nesterov)
            self.cov_step._value.add_(1)
            self.global_step._value.add_(1)
        runtime.weights += 1  # fused kernels do not raise the version of what they change

    def _invert(self, damping: float) -> None:
        """Invert the factors of all layers."""
        scale = (self.batch_size / self.loss_scale) ** 2  # of gradients of a mean, and scaled
        for place, number in self._inverse_of.items():
            cell = self._layers[place]
            a, g = (factor._value.float() for factor in _factors(cell))
            damping_a = damping_g = damping
            share = 1.0
            if isinstance(cell, Conv2dThor):
                places = float(cell.a_normalizer._value)
                damping_a, damping_g = damping / places, damping / float(cell.g_normalizer._value)
                share = places**-0.5
            if a.ndim == 1:  # of an embedding: how often each row was looked up
                inverse = 1.0 / (a / self.batch_size + damping_a**0.5)
                block = g.shape[0]
            else:
                inverse = _inverted(a, damping_a**0.5, _BLOCK)
                block = _BLOCK
            self.matrix_a[number]._value.copy_(inverse * share)
            self.matrix_g[number]._value.copy_(_inverted(g * scale, damping_g**0.5, block) * share)

    def _divided(self, place: int, gradient: torch.Tensor, damping: float) -> torch.Tensor:
        """A gradient, divided by the estimate of its layer."""
        cell = self._layers.get(place)
        if cell is None:
            return gradient
        if isinstance(cell, LayerNorm):
            return gradient / (gradient.square() / self.batch_size + damping**0.5)
        number = self._inverse_of[place]
        a, g = self.matrix_a[number]._value, self.matrix_g[number]._value
        if a.ndim == 1:
            return (a.unsqueeze(1) * gradient.float() @ g).to(gradient.dtype)
        rows = gradient
        if isinstance(cell, Conv2dThor) and cell._channels_last:
            rows = gradient.permute(0, 3, 1, 2)
        result = g @ rows.reshape(rows.shape[0], -1).float() @ a
        result = result.reshape(rows.shape)
        if rows is not gradient:
            result = result.permute(0, 2, 3, 1)
        return result.to(gradient.dtype)


def _factors(cell: Any) -> tuple[Parameter, Parameter]:
    """The statistics of inputs and gradients."""
    if isinstance(cell, Conv2dThor):
        return cell.matrix_a_cov, cell.matrix_g_cov
    return cell.matrix_a, cell.matrix_g


def _statistics(cell: Any) -> list[Parameter]:
    """All that a step reads of a layer."""
    if isinstance(cell, LayerNorm):
        return []
    items = [*_factors(cell)]
    if isinstance(cell, Conv2dThor):
        items += [cell.a_normalizer, cell.g_normalizer]
    return items


def _inverted(matrix: torch.Tensor, damping: float, block: int) -> torch.Tensor:
    """The inverse of ``matrix + damping * I``, of which only blocks along the diagonal count."""
    out = torch.zeros_like(matrix)
    for start in range(0, matrix.shape[0], block):
        own = slice(start, min(start + block, matrix.shape[0]))
        part = matrix[own, own].clone()
        part.diagonal().add_(damping)
        out[own, own] = torch.cholesky_inverse(torch.linalg.cholesky(part))
    return out
