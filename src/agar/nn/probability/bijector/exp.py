"""Exp."""

from __future__ import annotations

from agar.nn.probability.bijector.power_transform import PowerTransform

__all__ = ["Exp"]


class Exp(PowerTransform):
    r"""The exponential function: :math:`g(x) = e^x`.

    Args:
        name (str): the name. Default: ``"Exp"``.

    Raises:
        TypeError: `name` is not a string.

    Difference from PyTorch: ``torch.distributions.ExpTransform``; called with a method's name.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> print(bijector.Exp().forward(ms.Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     2.7183]
    """

    def __init__(self, name: str = "Exp") -> None:
        super().__init__(name=name)

    def extend_repr(self) -> str:
        """The function."""
        return "exp"
