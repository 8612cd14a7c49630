"""ScalarAffine."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.probability.bijector.bijector import Bijector

__all__ = ["ScalarAffine"]


class ScalarAffine(Bijector):
    r"""A linear function: :math:`g(x) = scale \cdot x + shift`.

    Args:
        scale (Union[float, list, numpy.ndarray, Tensor]): the factor. Default: ``1.0``.
        shift (Union[float, list, numpy.ndarray, Tensor]): what is added. Default: ``0.0``.
        name (str): the name. Default: ``"ScalarAffine"``.

    Raises:
        TypeError: `scale` and `shift` are of different types, or not of a float type.

    Difference from PyTorch: ``torch.distributions.AffineTransform(loc, scale)``; the factor comes
    first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> print(bijector.ScalarAffine(2.0, 1.0).forward(ms.Tensor([1.0, 2.0])))
        [3. 5.]
    """

    _shown = (("scale", "scale"), ("shift", "shift"))

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine") -> None:
        numbers = {"scale": scale, "shift": shift}
        super().__init__(True, True, name, None, {**numbers, "param_dict": numbers})
        self._scale = self._add_parameter(scale, "scale")
        self._shift = self._add_parameter(shift, "shift")

    @property
    def scale(self) -> Tensor:
        """The factor."""
        return self._scale

    @property
    def shift(self) -> Tensor:
        """What is added."""
        return self._shift

    def _split(self, value: Any) -> tuple[Tensor, Tensor, Tensor]:
        """The value, the factor and the shift, all of one type."""
        value = self._check_value_dtype(value)
        first = self.cast_param_by_value(value, self.scale)
        return value, first, self.cast_param_by_value(value, self.shift)

    def _forward(self, x: Any) -> Tensor:
        x, scale, shift = self._split(x)
        return scale * x + shift

    def _inverse(self, y: Any) -> Tensor:
        y, scale, shift = self._split(y)
        return (y - shift) / scale

    def _forward_log_jacobian(self, x: Any) -> Tensor:
        return ops.log(ops.abs(self._split(x)[1]))

    def _inverse_log_jacobian(self, y: Any) -> Tensor:
        return -ops.log(ops.abs(self._split(y)[1]))
