"""Convolutions with drawn weights."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.layer.conv import Conv2d
from agar.nn.probability.bnn_layers.layer_distribution import (
    NormalPrior,
    Variational,
    normal_post_fn,
)

__all__ = ["ConvReparam"]


class ConvReparam(Variational, Conv2d):
    r"""A convolution over two dimensions whose weights are sampled for every batch.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``, see ``nn.Conv2d``. Default: ``"same"``.
        padding (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_prior_fn (Union[Cell, Callable]): the prior distribution of the weights, or a
            function that makes it. Default: :class:`NormalPrior`.
        weight_posterior_fn (Callable): makes the posterior distribution of the weights from
            ``name`` and ``shape``. Default: one that makes a :class:`NormalPosterior`.
        bias_prior_fn (Union[Cell, Callable]): the prior distribution of the bias. Default:
            :class:`NormalPrior`.
        bias_posterior_fn (Callable): makes the posterior distribution of the bias. Default: one
            that makes a :class:`NormalPosterior`.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`. The parameters `weight` and
    `bias` of ``nn.Conv2d`` are there and not trained.

    Raises:
        TypeError: an argument has the wrong type, or a distribution is not normal.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: Kingma and Welling (2013), Auto-Encoding Variational Bayes; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bnn_layers
        >>> net = bnn_layers.ConvReparam(3, 2, 3)
        >>> net(ms.ops.ones((4, 3, 5, 5))).shape, net.compute_kl_loss().shape
        ((4, 2, 5, 5), ())
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = normal_post_fn,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = normal_post_fn,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            "normal",
            "zeros",
        )
        for unused in (self.weight, self.bias):
            if unused is not None:
                unused.requires_grad = False
        functions = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        self._make([*self.weight.shape], functions)

    def construct(self, x: Tensor) -> Tensor:
        return ops.conv2d(
            x,
            self.weight_posterior("sample"),
            self.bias_posterior("sample") if self.has_bias else None,
            self.stride,
            self._mode,
            self._both,
            self.dilation,
            self.group,
        )

    def extend_repr(self) -> str:
        """The options and the parameters, by MindSpore's names."""
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, "
            f"{self._parameters_text()}"
        )
