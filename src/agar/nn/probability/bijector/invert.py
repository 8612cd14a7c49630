"""Invert."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe
from agar.nn.probability.bijector.bijector import Bijector

__all__ = ["Invert"]


class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector (Bijector): the bijector.
        name (str): the name; empty joins ``"Invert"`` and the name of `bijector`. Default: ``""``.

    Raises:
        TypeError: `bijector` is not a Bijector.

    Difference from PyTorch: ``transform.inv``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> log = bijector.Invert(bijector.Exp())
        >>> print(log.name, log.forward(ms.Tensor([1.0])))
        InvertExp [0.]
    """

    def __init__(self, bijector: Bijector, name: str = "") -> None:
        if not isinstance(bijector, Bijector):
            raise TypeError(
                f"For 'Invert', the 'bijector' must be a Bijector, but got {describe(bijector)}."
            )
        super().__init__(
            bijector.is_constant_jacobian,
            bijector.is_injective,
            name or f"Invert{bijector.name}",
            bijector.dtype,
            {"bijector": bijector},
        )
        self._bijector = bijector
        self._batch_shape = bijector.batch_shape
        self._is_scalar_batch = bijector.is_scalar_batch

    @property
    def bijector(self) -> Bijector:
        """The bijector whose inverse it is."""
        return self._bijector

    def forward(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The inverse of the bijector, see :meth:`Bijector.inverse`.

        Args:
            value (Tensor): what is mapped.
            *args (Any): the further arguments of the method.
            **kwargs (Any): those given by name.
        """
        return self.bijector.inverse(value, *args, **kwargs)

    def inverse(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The bijector, see :meth:`Bijector.forward`.

        Args:
            value (Tensor): what is mapped.
            *args (Any): the further arguments of the method.
            **kwargs (Any): those given by name.
        """
        return self.bijector.forward(value, *args, **kwargs)

    def forward_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the derivative of :meth:`forward`: :meth:`Bijector.inverse_log_jacobian`.

        Args:
            value (Tensor): where the derivative is taken.
            *args (Any): the further arguments of the method.
            **kwargs (Any): those given by name.
        """
        return self.bijector.inverse_log_jacobian(value, *args, **kwargs)

    def inverse_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the derivative of :meth:`inverse`: :meth:`Bijector.forward_log_jacobian`.

        Args:
            value (Tensor): where the derivative is taken.
            *args (Any): the further arguments of the method.
            **kwargs (Any): those given by name.
        """
        return self.bijector.forward_log_jacobian(value, *args, **kwargs)

    def extend_repr(self) -> str:
        """Nothing: the bijector shows itself."""
        return ""
