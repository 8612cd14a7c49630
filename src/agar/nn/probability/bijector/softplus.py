"""Softplus."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.probability._tools import where
from agar.nn.probability.bijector.bijector import Bijector

__all__ = ["Softplus"]


class Softplus(Bijector):
    r"""A smooth form of max(x, 0): :math:`g(x) = \frac{1}{k} \log(1 + e^{k x})`.

    Args:
        sharpness (Union[float, list, numpy.ndarray, Tensor]): k. Default: ``1.0``.
        name (str): the name. Default: ``"Softplus"``.

    Raises:
        TypeError: `sharpness` is not of a float type.

    Difference from PyTorch: ``torch.distributions.SoftplusTransform`` has no sharpness.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> print(bijector.Softplus(2.0).forward(ms.Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.3466 1.0635]
    """

    _shown = (("sharpness", "sharpness"),)

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus") -> None:
        numbers = {"sharpness": sharpness}
        super().__init__(name=name, param={**numbers, "param_dict": numbers})
        self._sharpness = self._add_parameter(sharpness, "sharpness")

    @property
    def sharpness(self) -> Tensor:
        """The sharpness."""
        return self._sharpness

    def _scaled(self, value: Any) -> tuple[Tensor, Tensor]:
        """The value times the sharpness, and the sharpness."""
        value = self._check_value_dtype(value)
        sharpness = self.cast_param_by_value(value, self.sharpness)
        return sharpness * value, sharpness

    def _forward(self, x: Any) -> Tensor:
        x, sharpness = self._scaled(x)
        return -ops.logsigmoid(-x) / sharpness

    def _inverse(self, y: Any) -> Tensor:
        y, sharpness = self._scaled(y)
        return inverse_softplus(y) / sharpness

    def _forward_log_jacobian(self, x: Any) -> Tensor:
        return ops.logsigmoid(self._scaled(x)[0])

    def _inverse_log_jacobian(self, y: Any) -> Tensor:
        y, _ = self._scaled(y)
        return y - inverse_softplus(y)


def inverse_softplus(value: Tensor) -> Tensor:
    """``log(exp(value) - 1)`` that neither overflows nor cancels."""
    far = value > 30.0
    near = where(far, 1.0, value)
    return where(far, value, near + ops.log(-ops.expm1(-near)))
