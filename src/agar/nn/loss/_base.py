"""The base class of losses, and the precision in which they compute.

NOTE Precision. A loss of half-precision inputs, or called while a precision scope of an outer cell
is open, computes in float32 and returns float32 (MindSpore computes it in the half type). A loss
that was given a type itself, with ``to_float``, computes in that type.
"""

from __future__ import annotations

from typing import Any

from agar._core import dtype as mstype
from agar._core import precision
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops.nn.loss import REDUCTIONS

__all__ = ["LossBase"]

_AS_THEY_ARE = precision.CastScope(None)


def _is_half(value: Any) -> bool:
    held = getattr(value, "_value", None)
    return held is not None and held.dtype.itemsize == 2 and held.is_floating_point()


def _full(value: Any) -> Any:
    return Tensor.astype(value, mstype.float32) if _is_half(value) else value


def _any_half(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    for value in args:  # a loop: this stands on the way of every call
        if _is_half(value):
            return True
    return bool(kwargs) and any(_is_half(v) for v in kwargs.values())


class LossBase(Cell):
    """Base class of losses: a subclass computes values in ``construct`` and reduces them.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Raises:
        ValueError: the reduction is unknown.

    Difference from PyTorch: losses compute in float32 under mixed precision (see the module's
    NOTE Precision).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Fourth(ms.nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels) ** 4)
        >>> print(Fourth("sum")(ms.Tensor([1.0, 3.0]), ms.Tensor([0.0, 1.0])))
        17.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self._set_reduction(reduction, REDUCTIONS)

    def _set_reduction(self, reduction: Any, options: tuple[str, ...]) -> None:
        if reduction not in options:
            raise ValueError(
                f"For '{type(self).__name__}', the 'reduction' must be in {list(options)}, but got "
                f"{reduction!r}."
            )
        self.reduction = reduction
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def _keep(self, name: str, value: Any) -> None:
        """Store a Tensor of constants so that it moves between devices with the cell."""
        if value is None or isinstance(value, Parameter):
            setattr(self, name, value)
        elif isinstance(value, Tensor):
            self.register_buffer(name, value, persistent=False)
        else:
            raise TypeError(
                f"For '{type(self).__name__}', the type of '{name}' should be 'Tensor', but got "
                f"type '{type(value).__name__}'."
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``construct``, in float32 where the inputs are half types (NOTE Precision)."""
        if self._float_type is None and (precision.current() or _any_half(args, kwargs)):
            args = tuple(_full(a) for a in args)
            kwargs = {key: _full(a) for key, a in kwargs.items()}
            with precision.scope(_AS_THEY_ARE):
                return super().__call__(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """All axes of a tensor.

        Args:
            x (Tensor): any tensor.

        Returns:
            tuple of int.
        """
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Tensor | float = 1.0) -> Tensor:
        """Multiply values by weights and reduce them.

        Args:
            x (Tensor): a value per element or sample.
            weights (Union[float, Tensor]): factors of a shape that broadcasts. Default: 1.0.

        Returns:
            Tensor of the type of `x`; half-precision types are reduced in float32.

        Raises:
            ValueError: the shapes do not broadcast.
        """
        kind = x.dtype
        loss = _full(x) * _full(weights)
        if self.reduce:
            loss = loss.mean() if self.average else loss.sum()
        return loss if loss.dtype is kind else loss.astype(kind)
