"""Bijector: the base of all bijectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.probability._tools import float_type, need_tensor, only_numbers, shape_of_all
from agar.ops._checks import boolean

__all__ = ["Bijector"]


class Bijector(Cell):
    r"""The base of all bijectors: maps g with their inverse and their logarithmic derivative.

    A bijector is called with the name of a method and its arguments, or with a distribution, which
    gives the distribution of what it maps. A custom subclass defines ``_forward``, ``_inverse``,
    ``_forward_log_jacobian`` and ``_inverse_log_jacobian``.

    Args:
        is_constant_jacobian (bool): whether the derivative is the same everywhere. Default:
            ``False``.
        is_injective (bool): whether no two values are mapped to one. Default: ``True``.
        name (str): the name. Default: ``None``, which is refused.
        dtype (Type): the type of values; None takes any float type. Default: ``None``.
        param (dict): the arguments of the subclass, with ``"param_dict"`` for the numbers among
            them. Default: ``None``.

    Raises:
        TypeError: `name` is not a string, a flag is not a bool, or `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Transform`` is called with the value alone.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> class Double(bijector.Bijector):
        ...     def __init__(self):
        ...         super().__init__(True, name="Double", param={})
        ...
        ...     def _forward(self, value):
        ...         return value * 2.0
        >>> print(Double()("forward", ms.Tensor([1.5])))
        [3.]
    """

    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: Any = None,
        dtype: Any = None,
        param: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        if not isinstance(name, str):
            raise TypeError(f"For '{owner}', the 'name' must be str, but got {describe(name)}.")
        self._name = name
        self._dtype = None if dtype is None else float_type(owner, dtype)
        given = param or {}
        self._arguments = {
            k: v for k, v in given.items() if k not in ("param", "self") and not k.startswith("_")
        }
        numbers = self._arguments.get("param_dict")
        self._batch_shape = None if numbers is None else shape_of_all(numbers.values())
        self._is_scalar_batch = numbers is not None and only_numbers(numbers.values())
        self._is_constant_jacobian = boolean(owner, "is_constant_jacobian", is_constant_jacobian)
        self._is_injective = boolean(owner, "is_injective", is_injective)
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []
        self.common_dtype: Any = None

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The type of values, or None for any float type."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that it was made with."""
        return self._arguments

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the derivative is the same everywhere."""
        return self._is_constant_jacobian

    @property
    def is_injective(self) -> bool:
        """Whether no two values are mapped to one."""
        return self._is_injective

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The broadcast shape of its numbers."""
        return self._batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether all its numbers are scalars."""
        return self._is_scalar_batch

    def _add_parameter(self, value: Any, name: str) -> Tensor:
        """Note a number of the bijector, and give it as a tensor."""
        if isinstance(value, bool) or value is None:
            raise TypeError(f"{name} cannot be type {type(value)}")
        result = value if isinstance(value, Tensor) else Tensor(value)
        if self.dtype is not None and result.dtype != self.dtype:
            raise TypeError(f"{name} should have the same dtype as the bijector's dtype.")
        if self.common_dtype is not None and result.dtype != self.common_dtype:
            raise TypeError(f"{name} should have the same dtype as other arguments.")
        self.common_dtype = float_type(type(self).__name__, result.dtype)
        self.default_parameters.append(value)
        self.parameter_names.append(name)
        return result

    def _check_value_dtype(self, value: Any) -> Tensor:
        """A value, checked to be a tensor of a type that the bijector takes."""
        need_tensor(value, "input value of bijector")
        if self.dtype is None:
            wrong = value.dtype not in mstype.float_type
        else:
            wrong = value.dtype != self.dtype
        if wrong:
            expected = "a float type" if self.dtype is None else str(self.dtype)
            raise TypeError(
                f"For input value of bijector , the type must be {expected}, but got {value.dtype}"
            )
        return value

    def _check_value(self, value: Any, name: str) -> Tensor:
        """A value, checked to be a tensor."""
        return need_tensor(value, name)

    def cast_param_by_value(self, value: Tensor, para: Tensor) -> Tensor:
        """A number of the bijector in the type of a value.

        Args:
            value (Tensor): the value.
            para (Tensor): the number.

        Returns:
            Tensor.
        """
        return para.astype(value.dtype)

    def shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the result for values of a shape.

        Args:
            shape (tuple): the shape of values.

        Returns:
            tuple.
        """
        return tuple(np.broadcast_shapes(shape, self.batch_shape or ()))

    def _hook(self, name: str) -> Any:
        value = getattr(self, name, None)
        if value is None:
            raise NotImplementedError(
                f"For '{type(self).__name__}', the method {name} is not defined, which "
                f"'{name[1:]}' calls."
            )
        return value

    def forward(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Map a value: g(x).

        Args:
            value (Tensor): x.
            *args (Any): more arguments of the subclass.
            **kwargs (Any): the same by name.

        Returns:
            Tensor.
        """
        return self._hook("_forward")(value, *args, **kwargs)

    def inverse(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Map a value back.

        Args:
            value (Tensor): y = g(x).
            *args (Any): more arguments of the subclass.
            **kwargs (Any): the same by name.

        Returns:
            Tensor, x.
        """
        return self._hook("_inverse")(value, *args, **kwargs)

    def forward_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of the derivative of g.

        Args:
            value (Tensor): x.
            *args (Any): more arguments of the subclass.
            **kwargs (Any): the same by name.

        Returns:
            Tensor.
        """
        return self._hook("_forward_log_jacobian")(value, *args, **kwargs)

    def inverse_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of the derivative of the inverse.

        Args:
            value (Tensor): y = g(x).
            *args (Any): more arguments of the subclass.
            **kwargs (Any): the same by name.

        Returns:
            Tensor.
        """
        return self._hook("_inverse_log_jacobian")(value, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from agar.nn.probability.distribution import Distribution, TransformedDistribution

        if args and isinstance(args[0], Distribution):
            return TransformedDistribution(self, args[0])
        return super().__call__(*args, **kwargs)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method by its name.

        Args:
            name (str): ``"forward"``, ``"inverse"``, ``"forward_log_jacobian"`` or
                ``"inverse_log_jacobian"``.
            *args (Any): the method's arguments.
            **kwargs (Any): the same by name.

        Returns:
            Tensor.

        Raises:
            ValueError: the name is unknown.
        """
        if name not in ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian"):
            raise ValueError(
                f"For '{type(self).__name__}', the name must be 'forward', 'inverse', "
                f"'forward_log_jacobian' or 'inverse_log_jacobian', but got {name!r}."
            )
        return getattr(self, name)(*args, **kwargs)

    #: What `extend_repr` shows: a label and an attribute for each number.
    _shown: tuple[tuple[str, str], ...] = ()

    def extend_repr(self) -> str:
        """The numbers, or their shape."""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{label} = {getattr(self, name)}" for label, name in self._shown)
