"""The distributions of weights before and after learning."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import Normal as NormalInit
from agar.common.initializer import initializer
from agar.nn.cell import Cell
from agar.nn.probability.distribution import Normal

__all__ = ["NormalPosterior", "NormalPrior"]


class NormalPrior(Cell):
    """A normal prior distribution of weights.

    Args:
        dtype (Type): the type of samples. Default: ``float32``.
        mean (Union[int, float]): the mean. Default: ``0``.
        std (Union[int, float]): the standard deviation. Default: ``0.1``.

    Inputs:
        - **inputs** (tuple) - the name of a method of ``distribution.Normal`` (str), and the
          arguments of that method.

    Outputs: what the method returns.

    Raises:
        ValueError: `std` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.nn.probability import bnn_layers
        >>> print(bnn_layers.NormalPrior()("sd"))
        0.1
    """

    def __init__(self, dtype: Any = mstype.float32, mean: float = 0, std: float = 0.1) -> None:
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        return self.normal(*inputs)


class NormalPosterior(Cell):
    r"""A normal distribution whose mean and spread are learned.

    .. math:: \sigma = 10^{-6} + \log(1 + e^{s})

    where s is the parameter ``untransformed_std``.

    Args:
        name (str): the prefix of the names of the parameters.
        shape (Union[list, tuple]): the shape of the weights.
        dtype (Type): the type of the parameters. Default: ``float32``.
        loc_mean (Union[int, float]): mean of the initial means. Default: ``0``.
        loc_std (Union[int, float]): their standard deviation. Default: ``0.1``.
        untransformed_scale_mean (Union[int, float]): mean of the initial s. Default: ``-5``.
        untransformed_scale_std (Union[int, float]): their standard deviation. Default: ``0.1``.

    Inputs:
        - **inputs** (tuple) - the name of a method of ``distribution.Normal`` (str), and the
          arguments of that method.

    Outputs: what the method returns.

    Raises:
        TypeError: an argument has the wrong type, or a standard deviation is negative.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, which draws the first values from numpy.

    Examples:
        >>> from agar.nn.probability import bnn_layers
        >>> bnn_layers.NormalPosterior("w", [2, 3])("sample").shape
        (2, 3)
    """

    def __init__(
        self,
        name: str,
        shape: Any,
        dtype: Any = mstype.float32,
        loc_mean: float = 0,
        loc_std: float = 0.1,
        untransformed_scale_mean: float = -5,
        untransformed_scale_std: float = 0.1,
    ) -> None:
        super().__init__()
        if not isinstance(name, str):
            raise TypeError(f"The type of `name` must be `str`, but got {describe(name)}")
        if not isinstance(shape, (tuple, list)):
            raise TypeError(
                f"The type of `shape` must be `tuple` or `list`, but got {describe(shape)}"
            )
        for what, value, least in (
            ("loc_mean", loc_mean, None),
            ("untransformed_scale_mean", untransformed_scale_mean, None),
            ("loc_std", loc_std, 0),
            ("untransformed_scale_std", untransformed_scale_std, 0),
        ):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or (least is not None and value < least):
                bound = "" if least is None else " and its value must be >= 0"
                raise TypeError(
                    f"The type of `{what}` must be `int` or `float`{bound}, but got {value!r}"
                )

        def drawn(deviation: float, mean: float) -> Tensor:
            return initializer(NormalInit(float(deviation), float(mean)), tuple(shape), dtype)

        self.mean = Parameter(drawn(loc_std, loc_mean), name=f"{name}_mean")
        self.untransformed_std = Parameter(
            drawn(untransformed_scale_std, untransformed_scale_mean),
            name=f"{name}_untransformed_std",
        )
        self.normal = Normal(dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        std = 1e-6 + ops.log(ops.exp(self.untransformed_std) + 1.0)
        return self.normal(*inputs, mean=self.mean, sd=std)


def normal_post_fn(name: str, shape: Any) -> NormalPosterior:
    """The posterior that layers take by default."""
    return NormalPosterior(name=name, shape=shape)


def checked_prior(prior_fn: Any, name: str) -> Cell:
    """A prior, made by a function or given.

    Raises:
        TypeError: it is not one of normal distributions with a mean and a deviation.
    """
    prior = prior_fn if isinstance(prior_fn, Cell) else prior_fn()
    for label, held in prior.name_cells().items():
        if label != "normal":
            raise TypeError(f"The type of distribution of `{name}` must be `normal`")
        known = (getattr(held, "_mean_value", None), getattr(held, "_sd_value", None))
        if not all(isinstance(value, Tensor) for value in known):
            raise TypeError(f"The input form of `{name}` is incorrect")
    return prior


def checked_posterior(posterior_fn: Any, shape: Any, parameter: str, name: str) -> Any:
    """A posterior for weights of a shape.

    Raises:
        TypeError: the function does not make one of normal distributions.
    """
    try:
        posterior = posterior_fn(shape=shape, name=parameter)
    except TypeError as error:
        raise TypeError(f"The type of `{name}` must be `NormalPosterior`") from error
    if any(label != "normal" for label in posterior.name_cells()):
        raise TypeError(f"The type of distribution of `{name}` must be `normal`")
    return posterior


class Variational:
    """What the layers share: drawn weights, and how far they are from their prior."""

    has_bias: bool
    weight_prior: Any
    weight_posterior: Any
    bias_prior: Any
    bias_posterior: Any

    def _make(self, shape: Any, functions: tuple[Any, Any, Any, Any]) -> None:
        self.weight_prior = checked_prior(functions[0], "weight_prior_fn")
        self.weight_posterior = checked_posterior(
            functions[1], shape, "bnn_weight", "weight_posterior_fn"
        )
        if self.has_bias:
            self.bias_prior = checked_prior(functions[2], "bias_prior_fn")
            self.bias_posterior = checked_posterior(
                functions[3], [shape[0]], "bnn_bias", "bias_posterior_fn"
            )

    def compute_kl_loss(self) -> Tensor:
        """The divergence of the prior from the distributions of the weights, summed.

        Returns:
            Tensor, 0-d.
        """
        pairs = [(self.weight_prior, self.weight_posterior)]
        if self.has_bias:
            pairs.append((self.bias_prior, self.bias_posterior))
        losses = [
            prior("kl_loss", posterior("get_dist_type"), *posterior("get_dist_args")).sum()
            for prior, posterior in pairs
        ]
        return losses[0] if len(losses) == 1 else losses[0] + losses[1]

    def _parameters_text(self) -> str:
        text = (
            f"weight_mean={self.weight_posterior.mean}, "
            f"weight_std={self.weight_posterior.untransformed_std}, has_bias={self.has_bias}"
        )
        if self.has_bias:
            text += (
                f", bias_mean={self.bias_posterior.mean}, "
                f"bias_std={self.bias_posterior.untransformed_std}"
            )
        return text
