"""Functions of sparse tensors, element by element.

Most take and return sparse tensors, which are not tensors of the operator table: these are plain
functions. Those over ordinary tensors are entries of the table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agar._core import optable
from agar._core.errors import describe
from agar._core.sparse import COOTensor, CSRTensor

__all__: list[str] = []


def expect(op_name: str, name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(
            f"For functional operator {op_name}, '{name}' must be a {kind.__name__}, but got "
            f"{describe(value)}."
        )
    return value


# ---------------------------------------------------------------- element by element

#: The operators that exist for both formats: name and what it computes.
_ELEMENTWISE = {
    "abs": "the absolute value",
    "acos": "the inverse cosine",
    "acosh": "the inverse hyperbolic cosine",
    "asin": "the inverse sine",
    "asinh": "the inverse hyperbolic sine",
    "atan": "the inverse tangent",
    "atanh": "the inverse hyperbolic tangent",
    "ceil": "the smallest whole number that is not smaller",
    "cos": "the cosine",
    "cosh": "the hyperbolic cosine",
    "exp": "the exponential",
    "expm1": "the exponential minus one",
    "floor": "the largest whole number that is not larger",
    "inv": "one divided by it",
    "isfinite": "whether it is finite",
    "isinf": "whether it is infinite",
    "isnan": "whether it is not a number",
    "log": "the natural logarithm",
    "log1p": "the natural logarithm of one plus it",
    "neg": "its negative",
    "relu": "it if positive, else zero",
    "relu6": "it, limited to 0 to 6",
    "round": "the nearest whole number, the even one of two",
    "sigmoid": "the logistic function",
    "sin": "the sine",
    "sinh": "the hyperbolic sine",
    "softsign": "it divided by one plus its absolute",
    "sqrt": "the square root",
    "square": "its square",
    "tan": "the tangent",
    "tanh": "the hyperbolic tangent",
}

_DOC = """Of each value of a {cls}, {what}; the places stay.

Places without a value stay without one, whatever the function of zero is.

Args:
    x ({cls}): the sparse tensor.

Returns:
    {cls} with the same places; its values are what ``ops.{name}`` gives.

Raises:
    TypeError: `x` is not a {cls}, or ``ops.{name}`` does not take the values' type.

Difference from PyTorch: ``torch.{torch_name}`` over a sparse tensor, where PyTorch has it.

Source: behavior observed in MindSpore 2.10.

Examples:
    >>> import agar as ms
    >>> places, values = {places}, ms.Tensor([1.0])
    >>> x = ms.{cls}({arguments}, (2, 2))
    >>> ms.ops.{prefix}_{name}(x).shape
    (2, 2)
"""
_EXAMPLES = {
    "coo": (COOTensor, "ms.Tensor([[0, 1]])", "places, values"),
    "csr": (CSRTensor, "ms.Tensor([1])", "ms.Tensor([0, 1, 1]), places, values"),
}


@functools.cache
def _function(name: str) -> Callable[[Any], Any]:
    """``ops.name``."""
    return optable.binding(optable.lookup("function", name), name, module="agar.ops.function")


def _elementwise(prefix: str, name: str) -> Callable[[Any], Any]:
    cls, places, arguments = _EXAMPLES[prefix]
    full = f"{prefix}_{name}"

    def apply(x: Any) -> Any:
        if not isinstance(x, cls):
            raise TypeError(f"Expects {cls.__name__} for {full}, but got {describe(x)}.")
        return x._with(_function(name)(x.values))

    apply.__name__ = apply.__qualname__ = full
    apply.__module__ = "agar.ops.function"
    apply.__doc__ = _DOC.format(
        cls=cls.__name__,
        what=_ELEMENTWISE[name],
        name=name,
        torch_name={"inv": "reciprocal"}.get(name, name),
        places=places,
        arguments=arguments,
        prefix=prefix,
    )
    return apply


for _prefix in _EXAMPLES:
    for _name in _ELEMENTWISE:
        globals()[f"{_prefix}_{_name}"] = _elementwise(_prefix, _name)
        __all__ += [f"{_prefix}_{_name}"]
