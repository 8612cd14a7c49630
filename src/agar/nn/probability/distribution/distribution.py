"""Distribution: the base of all distributions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.probability._tools import (
    as_tensor,
    common_type,
    need_tensor,
    only_numbers,
    same_name,
    shape_of_all,
    shape_tuple,
)
from agar.ops._checks import integer

__all__ = ["Distribution"]


def _rest(value: Any) -> Any:
    return 1.0 - value


def _log_of_rest(value: Any) -> Any:
    return ops.log1p(-value)


def _rest_of_exp(value: Any) -> Any:
    return -ops.expm1(value)


def _log_of_rest_of_exp(value: Any) -> Any:
    return ops.log(-ops.expm1(value))


def _itself(value: Any) -> Any:
    return value


#: How a method is computed from the first of these hooks that a subclass defines.
_WAYS: dict[str, tuple[tuple[str, Callable[[Any], Any]], ...]] = {
    "prob": (("_prob", _itself), ("_log_prob", ops.exp)),
    "log_prob": (("_log_prob", _itself), ("_prob", ops.log)),
    "cdf": (
        ("_cdf", _itself),
        ("_log_cdf", ops.exp),
        ("_survival_function", _rest),
        ("_log_survival", _rest_of_exp),
    ),
    "log_cdf": (
        ("_log_cdf", _itself),
        ("_cdf", ops.log),
        ("_survival_function", _log_of_rest),
        ("_log_survival", _log_of_rest_of_exp),
    ),
    "survival_function": (
        ("_survival_function", _itself),
        ("_log_survival", ops.exp),
        ("_cdf", _rest),
        ("_log_cdf", _rest_of_exp),
    ),
    "log_survival": (
        ("_log_survival", _itself),
        ("_survival_function", ops.log),
        ("_cdf", _log_of_rest),
        ("_log_cdf", _log_of_rest_of_exp),
    ),
    "sd": (("_sd", _itself), ("_var", ops.sqrt)),
    "var": (("_var", _itself), ("_sd", ops.square)),
    "mean": (("_mean", _itself),),
    "mode": (("_mode", _itself),),
    "entropy": (("_entropy", _itself),),
    "kl_loss": (("_kl_loss", _itself),),
    "sample": (("_sample", _itself),),
}


class Distribution(Cell):
    """The base of all distributions.

    Each method may be given the parameters of another distribution of the same kind, as tensors, in
    the order of the constructor or by name; without them it takes those of the constructor. A
    distribution may also be called with the name of a method and its arguments, which works inside
    other Cells.

    A custom subclass defines hooks, named as the methods with an underscore before: what it does
    not define is computed from the others where that is possible.

    Args:
        seed (int): the seed of samples; None is 0.
        dtype (Type): the type of samples.
        name (str): the name.
        param (dict): the arguments of the subclass, with ``"param_dict"`` for the parameters among
            them.

    Raises:
        TypeError: `name` is not a string, `seed` is not an int, or the parameters are of different
            types.
        ValueError: `seed` is negative.

    Difference from PyTorch: parameters may be given to each call; ``prob`` beside ``log_prob``,
    ``sd`` for ``stddev``, ``var`` for ``variance``; there are survival functions, and
    ``kl_loss`` and ``cross_entropy`` are methods.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> class Coin(distribution.Distribution):
        ...     def __init__(self):
        ...         super().__init__(None, ms.float32, "Coin", {"param_dict": {}})
        ...
        ...     def _prob(self, value):
        ...         return ms.ops.where((value == 0) | (value == 1), 0.5, 0.0)
        >>> print(Coin().log_prob(ms.Tensor([0.0, 1.0])).asnumpy().round(4))
        [-0.6931 -0.6931]
    """

    #: The kind, by which ``kl_loss`` and ``cross_entropy`` know the other distribution.
    _kind = ""
    #: The names under which calls are given parameters, if they are not those of the constructor.
    _call_names: tuple[str, ...] | None = None
    #: What `extend_repr` shows: a label and an attribute for each parameter.
    _shown: tuple[tuple[str, str], ...] = ()

    def __init__(self, seed: Any, dtype: Any, name: Any, param: dict[str, Any]) -> None:
        super().__init__()
        owner = type(self).__name__
        if not isinstance(name, str):
            raise TypeError(f"For '{owner}', the 'name' must be str, but got {describe(name)}.")
        seed = 0 if seed is None else integer(name, "seed", seed)
        if seed < 0:
            raise ValueError(f"For '{name}', the 'seed' must be int and must >= 0, but got {seed}.")
        self._name = name
        self._seed = seed
        self._dtype = dtype
        self._arguments = {k: v for k, v in param.items() if k != "self" and not k.startswith("_")}
        self._reset_parameters()
        self.parameter_type: Any = None
        self._batch_shape: tuple[int, ...] | None = None
        self._is_scalar_batch = False
        if "distribution" not in self._arguments:
            numbers: dict[str, Any] = self._arguments.get("param_dict", {})
            self.parameter_type = common_type(numbers, dtype)
            self._batch_shape = shape_of_all(numbers.values())
            self._is_scalar_batch = only_numbers(numbers.values())
        self._broadcast_shape = self._batch_shape

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The type of samples."""
        return self._dtype

    @property
    def seed(self) -> int:
        """The seed of samples."""
        return self._seed

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that it was made with."""
        return self._arguments

    @property
    def is_scalar_batch(self) -> bool:
        """Whether all its parameters are scalars."""
        return self._is_scalar_batch

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The broadcast shape of its parameters; None if one was not given."""
        return self._batch_shape

    @property
    def broadcast_shape(self) -> tuple[int, ...] | None:
        """The shape of one sample; None if a parameter was not given."""
        return self._broadcast_shape

    # ------------------------------------------------------------- what subclasses are made with

    def _reset_parameters(self) -> None:
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []

    def _add_parameter(self, value: Any, name: str) -> Any:
        """Note a parameter of the distribution, and give it as a tensor, or None."""
        result = None if value is None else as_tensor(value, self.parameter_type)
        self.default_parameters.append(result)
        self.parameter_names.append(name)
        return result

    def _check_param_type(self, *args: Any) -> Any:
        """The parameters of a call: those given, else those of the constructor, in one shape.

        Raises:
            TypeError: one is not a tensor, or is not given in either place.
        """
        items = []
        for given, name, default in zip(
            args, self.parameter_names, self.default_parameters, strict=False
        ):
            if given is not None:
                value = need_tensor(given, name)
            elif default is not None:
                value = default
            else:
                raise TypeError(
                    f"the type {name} must be subclass of Tensor. It can not be None since it is "
                    f"not specified during initialization of {self.name}."
                )
            items.append(value.astype(self.parameter_type))
        if len(items) == 1:
            return items[0]
        shape = shape_of_all(items)
        return tuple(v if v.shape == shape else ops.broadcast_to(v, shape) for v in items)

    def _check_value(self, value: Any, name: str) -> Tensor:
        """A value, checked to be a tensor."""
        return need_tensor(value, name)

    def _value(self, value: Any) -> Tensor:
        """A value in the type of samples."""
        return need_tensor(value, "value").astype(self.dtype)

    def _others(self, dist: Any, *args: Any) -> Any:
        """The parameters of the other distribution of a divergence."""
        same_name(dist, self._kind)
        names = self.parameter_names
        items = [
            need_tensor(value, f"{name}_b").astype(self.parameter_type)
            for value, name in zip(args, names, strict=True)
        ]
        return items[0] if len(items) == 1 else tuple(items)

    def _draw(
        self, shape: Any, batch: tuple[int, ...], draw: Callable[[tuple[int, ...]], Any]
    ) -> Tensor:
        """Samples of ``shape + batch`` in the type of samples."""
        whole = (*shape_tuple(shape), *batch)
        # the random operators take no empty shape
        return draw(whole or (1,)).astype(self.dtype).reshape(whole)

    def _uniform(self, shape: tuple[int, ...], low: float = 0.0) -> Tensor:
        """Numbers between `low` and 1."""
        least, end = (ops.full((), bound, dtype=mstype.float32) for bound in (low, 1.0))
        return ops.uniform(shape, least, end, self.seed)

    # ----------------------------------------------------------------------------------- calls

    def _compute(self, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Compute a method from the first hook that there is."""
        for hook, after in _WAYS[method]:
            value = getattr(self, hook, None)
            if value is not None:
                return after(value(*args, **kwargs))
        raise NotImplementedError(f"{method} is not implemented for {self.name} distribution.")

    def prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of a value; for continuous distributions its density.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("prob", (value, *args), kwargs)

    def log_prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of :meth:`prob`.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("log_prob", (value, *args), kwargs)

    def cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The cumulative distribution: the probability of values up to a value.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("cdf", (value, *args), kwargs)

    def log_cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of :meth:`cdf`.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("log_cdf", (value, *args), kwargs)

    def survival_function(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of values above a value.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("survival_function", (value, *args), kwargs)

    def log_survival(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of :meth:`survival_function`.

        Args:
            value (Tensor): the value.
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("log_survival", (value, *args), kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """The mean.

        Args:
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("mean", args, kwargs)

    def mode(self, *args: Any, **kwargs: Any) -> Any:
        """The most probable value.

        Args:
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("mode", args, kwargs)

    def sd(self, *args: Any, **kwargs: Any) -> Any:
        """The standard deviation.

        Args:
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("sd", args, kwargs)

    def var(self, *args: Any, **kwargs: Any) -> Any:
        """The variance.

        Args:
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("var", args, kwargs)

    def entropy(self, *args: Any, **kwargs: Any) -> Any:
        """The entropy, in nats.

        Args:
            *args (Tensor): the parameters of another distribution, in order.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("entropy", args, kwargs)

    def kl_loss(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The Kullback-Leibler divergence from this distribution to another, KL(a || b).

        Args:
            dist (str): the kind of the other distribution, which is that of this one.
            *args (Tensor): the parameters of b, in order; then those of a, if they are
                not those of the constructor.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        return self._compute("kl_loss", (dist, *args), kwargs)

    def cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The cross entropy of this distribution and another: H(a) + KL(a || b).

        Args:
            dist (str): the kind of the other distribution, which is that of this one.
            *args (Tensor): the parameters of b, in order; then those of a, if they are
                not those of the constructor.
            **kwargs (Tensor): the same by name.

        Returns:
            Tensor.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: an argument is not a Tensor, or a parameter is not given.
        """
        own = getattr(self, "_cross_entropy", None)
        if own is not None:
            return own(dist, *args, **kwargs)
        hooks = getattr(self, "_kl_loss", None), getattr(self, "_entropy", None)
        if hooks[0] is None or hooks[1] is None:
            raise NotImplementedError(
                f"cross_entropy is not implemented for {self.name} distribution."
            )
        divergence = hooks[0](dist, *args, **kwargs)
        given = inspect.signature(hooks[0]).bind(dist, *args, **kwargs)
        given.apply_defaults()
        # its arguments are the kind, the parameters of b and then those of a
        return hooks[1](*given.args[1 + len(self.parameter_names) :]) + divergence

    def sample(self, *args: Any, **kwargs: Any) -> Any:
        """Draw samples.

        Args:
            *args (Any): ``shape``, a tuple, default ``()``; then the parameters of another
                distribution, in order.
            **kwargs (Any): the same by name.

        Returns:
            Tensor of shape ``shape + broadcast_shape``, of type ``dtype``.

        Raises:
            NotImplementedError: this distribution has none.
            TypeError: `shape` is not a tuple, or a parameter is not a Tensor or is not given.
        """
        return self._compute("sample", args, kwargs)

    def get_dist_args(self, *args: Any, **kwargs: Any) -> Any:
        """The parameters of a call: those given, else those of the constructor.

        Args:
            *args (Tensor): parameters, in order; None takes that of the constructor.
            **kwargs (Tensor): the same by name.

        Returns:
            tuple[Tensor].

        Raises:
            TypeError: one is not a Tensor.
        """
        return self._get_dist_args(*args, **kwargs)

    def _get_dist_args(self, *args: Any, **kwargs: Any) -> Any:
        names = self._call_names or tuple(self.parameter_names)
        given = dict(zip(names, args, strict=False)) | kwargs
        unknown = [name for name in kwargs if name not in names]
        if unknown or len(args) > len(names):
            raise TypeError(
                f"For '{self.name}', get_dist_args takes {names}, but got {len(args)} arguments "
                f"and the names {sorted(kwargs)}."
            )
        items = []
        for name, default in zip(names, self.default_parameters, strict=True):
            value = given.get(name)
            items.append(default if value is None else need_tensor(value, name))
        return tuple(items)

    def get_dist_type(self) -> str:
        """The kind of the distribution.

        Returns:
            str.

        Raises:
            NotImplementedError: it has none.
        """
        return self._get_dist_type()

    def _get_dist_type(self) -> str:
        if not self._kind:
            raise NotImplementedError(
                f"get_dist_type is not implemented for {self.name} distribution."
            )
        return self._kind

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method by its name.

        Args:
            name (str): the name of the method.
            *args (Any): its arguments.
            **kwargs (Any): the same by name.

        Returns:
            What the method returns.

        Raises:
            NotImplementedError: there is no such method.
        """
        if name not in (*_WAYS, "cross_entropy", "get_dist_args", "get_dist_type"):
            raise NotImplementedError(f"{name} is not implemented for {self.name} distribution.")
        if name == "get_dist_type":  # the same whatever the parameters are
            return self._get_dist_type()
        return getattr(self, name)(*args, **kwargs)

    def extend_repr(self) -> str:
        """The parameters, or their shape."""
        if not self._shown:
            return ""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.broadcast_shape}"
        return ", ".join(f"{label} = {getattr(self, name)}" for label, name in self._shown)
