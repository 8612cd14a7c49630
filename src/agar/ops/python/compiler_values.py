"""Steps of MindSpore's compiler on Python values, which its own code asks for by name."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from agar._core.errors import missing_feature
from agar._core.optable import Primitive, binding, lookup
from agar._core.tensor import Tensor
from agar.ops.primitives.debug import GeSwitch, Merge
from agar.ops.python.iteration import ref_to_embed

__all__ = [
    "SliceGetItem",
    "array_reduce",
    "broadcast_gradient_args",
    "distribute",
    "embed",
    "env_get",
    "environ_add",
    "environ_create",
    "environ_get",
    "environ_set",
    "geswitch",
    "is_dynamic_sequence_element_unknown",
    "is_sequence_shape_unknown",
    "is_sequence_value_unknown",
    "merge",
    "switch",
    "switch_layer",
]


def switch(cond: Any, x: Any, y: Any) -> Any:
    """One of two values.

    Args:
        cond (Union[bool, Tensor]): the condition.
        x: what is returned if it holds.
        y: what is returned otherwise.

    Returns:
        `x` or `y`.

    Difference from PyTorch: Python's ``x if cond else y`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.switch(ms.Tensor(False), 1, 2)
        2
    """
    return x if cond else y


def switch_layer(index: Any, layers: Any) -> Any:
    """One of several functions.

    Args:
        index (Union[int, Tensor]): which; negative ones count from the end.
        layers (Union[tuple, list]): the functions.

    Returns:
        The function.

    Raises:
        IndexError: there are fewer.

    Difference from PyTorch: Python's ``layers[index]`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.switch_layer(1, (min, max))(2, 3)
        3
    """
    return layers[int(index) if isinstance(index, Tensor) else index]


def environ_create() -> dict[Any, Any]:
    """An empty collection of values by key.

    Returns:
        dict.

    Difference from PyTorch: Python's ``dict`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.environ_create()
        {}
    """
    return {}


def environ_set(env: dict[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A collection with one value set.

    Args:
        env (dict): the collection; it stays as it is.
        key: the key, such as :func:`ops.ref_to_embed` of a parameter.
        value: the value.

    Returns:
        dict.

    Difference from PyTorch: Python's ``dict`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.environ_set({}, "weight", 1)
        {'weight': 1}
    """
    return {**env, key: value}


def environ_get(env: dict[Any, Any], key: Any, default: Any) -> Any:
    """A value of a collection.

    Args:
        env (dict): the collection.
        key: the key.
        default: what is returned if it is not there.

    Returns:
        The value, or `default`.

    Difference from PyTorch: Python's ``dict.get`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.environ_get({"weight": 1}, "bias", 0)
        0
    """
    return env.get(key, default)


def environ_add(x: dict[Any, Any], y: dict[Any, Any]) -> dict[Any, Any]:
    """Two collections in one; values of one key are added.

    Args:
        x (dict): the first collection.
        y (dict): the second.

    Returns:
        dict.

    Difference from PyTorch: Python's ``dict`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.environ_add({"a": 1, "b": 2}, {"b": 3})
        {'a': 1, 'b': 5}
    """
    both = {key: x[key] + y[key] for key in x if key in y}
    return {**x, **y, **both}


def broadcast_gradient_args(
    x: tuple[int, ...], y: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes over which the gradients of two operands are summed after they were broadcast.

    Args:
        x (tuple[int]): the shape of the first operand.
        y (tuple[int]): that of the second.

    Returns:
        tuple of two tuples of axes of the broadcast shape.

    Raises:
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: no counterpart; ``Tensor.sum_to_size`` sums.

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.broadcast_gradient_args((2, 3), (3,))
        ((), (0,))
    """
    pairs = list(zip_longest(reversed(x), reversed(y), fillvalue=1))[::-1]
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        raise ValueError(
            f"For 'broadcast_gradient_args', the shapes {tuple(x)} and {tuple(y)} do not broadcast."
        )
    rank = len(pairs)

    def summed(own: tuple[int, ...], mine: int) -> tuple[int, ...]:
        lead = rank - len(own)
        return tuple(
            i for i, pair in enumerate(pairs) if i < lead or (pair[mine] == 1 != pair[1 - mine])
        )

    return summed(tuple(x), 0), summed(tuple(y), 1)


def _known(name: str, what: str) -> Any:
    def unknown(x: Any) -> bool:
        return False

    unknown.__name__ = unknown.__qualname__ = name
    unknown.__doc__ = (
        f"Whether {what} is open while a program is compiled: here it never is.\n\n"
        "Args:\n    x: any value.\n\nReturns:\n    bool, False.\n\n"
        "Difference from PyTorch: none (no counterpart).\n\n"
        "Source: the name exists in MindSpore 2.10, for compiled code.\n\n"
        f"Examples:\n    >>> import agar as ms\n    >>> ms.ops.{name}((1, 2))\n    False\n"
    )
    return unknown


is_sequence_value_unknown = _known("is_sequence_value_unknown", "an element of a sequence")
is_sequence_shape_unknown = _known("is_sequence_shape_unknown", "the length of a sequence")
is_dynamic_sequence_element_unknown = _known(
    "is_dynamic_sequence_element_unknown", "the kind of a sequence's elements"
)


def env_get(env: dict[Any, Any], parameter: Any) -> Any:
    """The gradient of a parameter in a collection, zeros if there is none.

    Args:
        env (dict): gradients by :func:`ops.ref_to_embed` of parameters.
        parameter (Parameter): the parameter.

    Returns:
        Tensor.

    Raises:
        TypeError: `parameter` is not a Parameter.

    Difference from PyTorch: ``parameter.grad`` (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.env_get({}, ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")))
        [0. 0.]
    """
    key = ref_to_embed(parameter)
    return env[key] if key in env else _zeros_like(parameter)


_zeros_like = binding(lookup("function", "zeros_like"), "zeros_like", module="agar.ops.function")


class _SliceGetItem(Primitive):
    """One of the three numbers of a slice.

    Inputs:
        - **slice** (slice) - the slice.
        - **name** (str) - ``"start"``, ``"stop"`` or ``"step"``.

    Outputs:
        What the slice holds there.

    Raises:
        ValueError: `name` is unknown.

    Difference from PyTorch: plain Python (no counterpart).

    Source: the name exists in MindSpore 2.10, for compiled code.

    Examples:
        >>> import agar as ms
        >>> ms.ops.SliceGetItem(slice(1, 5), "stop")
        5
    """

    def __init__(self) -> None:
        super().__init__("SliceGetItem")

    def __call__(self, slice: slice, name: str) -> Any:
        if name not in ("start", "stop", "step"):
            raise ValueError(
                f"For 'SliceGetItem', 'name' must be 'start', 'stop' or 'step', but got {name!r}."
            )
        return getattr(slice, name)


#: See :class:`_SliceGetItem`.
SliceGetItem = _SliceGetItem()


class _Step(Primitive):
    """A step of MindSpore's compiler without a meaning of its own in a program."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise missing_feature(
            f"ops.{self.name}",
            "it is a step of MindSpore's compiler, which works in compiled code only",
            "what the program computes, written with agar.ops",
        )


array_reduce = _Step("array_reduce")
distribute = _Step("distribute")
embed = _Step("embed")
#: The nodes of branches; see :class:`ops.GeSwitch` and :class:`ops.Merge`.
geswitch = GeSwitch()
merge = Merge()
