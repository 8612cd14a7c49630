"""PowerTransform."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.probability._tools import in_domain, where
from agar.nn.probability.bijector.bijector import Bijector

__all__ = ["PowerTransform"]


class PowerTransform(Bijector):
    r"""A power of a linear function: :math:`g(x) = (1 + x c)^{1/c}`, and :math:`e^x` for c = 0.

    Args:
        power (Union[int, float, list, numpy.ndarray, Tensor]): c, at least 0. Default: ``0.0``.
        name (str): the name. Default: ``"PowerTransform"``.

    Raises:
        ValueError: `power` is negative.
        TypeError: `power` is not of a float type.

    Difference from PyTorch: ``torch.distributions.PowerTransform`` is :math:`x^c`.

    Source: Box and Cox (1964), An Analysis of Transformations; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> half = bijector.PowerTransform(power=0.5)
        >>> print(half.forward(ms.Tensor([2.0, 4.0], ms.float32)).asnumpy().round(4))
        [4. 9.]
    """

    _shown = (("power", "power"),)

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform") -> None:
        super().__init__(name=name, param={"power": power, "param_dict": {"power": power}})
        self._power = self._add_parameter(power, "power")
        in_domain(self._power, lambda v: v >= 0, "Power must be greater than or equal to zero.")

    @property
    def power(self) -> Tensor:
        """The power."""
        return self._power

    def _split(self, value: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The value, the power, where that is zero, and the power with 1 in its place."""
        value = self._check_value_dtype(value)
        power = self.cast_param_by_value(value, self.power)
        none = power == 0.0
        return value, power, none, where(none, 1.0, power)

    def _forward(self, x: Any) -> Tensor:
        x, _, none, safe = self._split(x)
        return where(none, ops.exp(x), ops.exp(ops.log1p(x * safe) / safe))

    def _inverse(self, y: Any) -> Tensor:
        y, _, none, safe = self._split(y)
        return where(none, ops.log(y), ops.expm1(ops.log(y) * safe) / safe)

    def _forward_log_jacobian(self, x: Any) -> Tensor:
        x, power, none, safe = self._split(x)
        return where(none, x, (1.0 / safe - 1.0) * ops.log1p(x * power))

    def _inverse_log_jacobian(self, y: Any) -> Tensor:
        y, power, _, _ = self._split(y)
        return (power - 1.0) * ops.log(y)
