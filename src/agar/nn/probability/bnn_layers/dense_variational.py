"""Dense layers with drawn weights."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.activation import get_activation
from agar.nn.probability.bnn_layers.layer_distribution import (
    NormalPrior,
    Variational,
    normal_post_fn,
)
from agar.nn.probability.distribution import Normal
from agar.ops._checks import boolean, integer

__all__ = ["DenseLocalReparam", "DenseReparam"]


class _DenseVariational(Variational, Cell):
    """The arguments, the bias and the activation, which both layers share."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: Any = None,
        has_bias: bool = True,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = normal_post_fn,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = normal_post_fn,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.in_channels = integer(op_name, "in_channels", in_channels, 1)
        self.out_channels = integer(op_name, "out_channels", out_channels, 1)
        self.has_bias = boolean(op_name, "has_bias", has_bias)
        functions = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        self._make([out_channels, in_channels], functions)
        if isinstance(activation, str) and activation:
            activation = get_activation(activation, op_name)
        elif activation is not None and not isinstance(activation, Cell):
            raise ValueError(
                f"For '{op_name}', the type of `activation` must be str or Cell, but got "
                f"{type(activation).__name__}."
            )
        self.activation = activation
        self.activation_flag = activation is not None

    def _apply_variational_weight(self, inputs: Tensor) -> Tensor:
        raise NotImplementedError("A variational layer must define _apply_variational_weight.")

    def construct(self, x: Tensor) -> Tensor:
        outputs = self._apply_variational_weight(x)
        if self.has_bias:
            outputs = outputs + self.bias_posterior("sample")
        return outputs if self.activation is None else self.activation(outputs)

    def extend_repr(self) -> str:
        """The options and the parameters, by MindSpore's names."""
        text = (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, "
            f"{self._parameters_text()}"
        )
        return f"{text}, activation={self.activation}" if self.activation_flag else text


class DenseReparam(_DenseVariational):
    r"""A dense layer whose weights are sampled for every batch.

    Args:
        in_channels (int): size of the inputs.
        out_channels (int): size of the outputs.
        activation (Union[str, Cell]): the activation. Default: None.
        has_bias (bool): whether there is a bias. Default: True.
        weight_prior_fn (Union[Cell, Callable]): the prior distribution of the weights, or a
            function that makes it. Default: :class:`NormalPrior`.
        weight_posterior_fn (Callable): makes the posterior distribution of the weights from
            ``name`` and ``shape``. Default: one that makes a :class:`NormalPosterior`.
        bias_prior_fn (Union[Cell, Callable]): the prior distribution of the bias. Default:
            :class:`NormalPrior`.
        bias_posterior_fn (Callable): makes the posterior distribution of the bias. Default: one
            that makes a :class:`NormalPosterior`.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, in\_channels)`.

    Outputs: Tensor of shape :math:`(N, out\_channels)`.

    Raises:
        TypeError: an argument has the wrong type, or a distribution is not normal.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: Kingma and Welling (2013), Auto-Encoding Variational Bayes; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bnn_layers
        >>> net = bnn_layers.DenseReparam(3, 2)
        >>> net(ms.ops.ones((4, 3))).shape, net.compute_kl_loss().shape
        ((4, 2), ())
    """

    def _apply_variational_weight(self, inputs: Tensor) -> Tensor:
        return ops.matmul(inputs, self.weight_posterior("sample").swapaxes(0, 1))


class DenseLocalReparam(_DenseVariational):
    r"""A dense layer whose outputs are sampled, each from the distribution that its weights give.

    Args:
        in_channels (int): size of the inputs.
        out_channels (int): size of the outputs.
        activation (Union[str, Cell]): the activation. Default: None.
        has_bias (bool): whether there is a bias. Default: True.
        weight_prior_fn (Union[Cell, Callable]): the prior distribution of the weights, or a
            function that makes it. Default: :class:`NormalPrior`.
        weight_posterior_fn (Callable): makes the posterior distribution of the weights from
            ``name`` and ``shape``. Default: one that makes a :class:`NormalPosterior`.
        bias_prior_fn (Union[Cell, Callable]): the prior distribution of the bias. Default:
            :class:`NormalPrior`.
        bias_posterior_fn (Callable): makes the posterior distribution of the bias. Default: one
            that makes a :class:`NormalPosterior`.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, in\_channels)`.

    Outputs: Tensor of shape :math:`(N, out\_channels)`.

    Raises:
        TypeError: an argument has the wrong type, or a distribution is not normal.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: Kingma et al. (2015), Variational Dropout and the Local Reparameterization Trick;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bnn_layers
        >>> net = bnn_layers.DenseLocalReparam(3, 2)
        >>> net(ms.ops.ones((4, 3))).shape, net.compute_kl_loss().shape
        ((4, 2), ())
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: Any = None,
        has_bias: bool = True,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = normal_post_fn,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = normal_post_fn,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            activation,
            has_bias,
            weight_prior_fn,
            weight_posterior_fn,
            bias_prior_fn,
            bias_posterior_fn,
        )
        self.normal = Normal()

    def _apply_variational_weight(self, inputs: Tensor) -> Tensor:
        mean = ops.matmul(inputs, self.weight_posterior("mean").swapaxes(0, 1))
        variance = ops.square(self.weight_posterior("sd")).swapaxes(0, 1)
        sd = ops.sqrt(ops.matmul(ops.square(inputs), variance))
        return self.normal("sample", mean=mean, sd=sd)
