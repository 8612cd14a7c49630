"""Comparisons, tests and logic, element by element, and sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import context
from agar.numpy._arrangement import sorted_set
from agar.numpy._declare import (
    Tensor,
    array,
    axes_of,
    home,
    promoted_type,
    typed,
    value_type,
)
from agar.ops._checks import boolean
from agar.ops.math.elementwise import promoted

_logic = home("logic_ops")

_PAIR_DOC = """{words}, element by element.

    Args:
        x1 ({kind}): the first operand.
        x2 ({kind}): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.

    Raises:
        TypeError: an operand is of another type.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: operands are compared in their common type, a number counts as a tensor
    of int32, float32 or bool.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array({example[0]}), mnp.array({example[1]})))
        {shown}
"""


def _pair(
    name: str,
    compute: Callable[[Any, Any], Tensor],
    words: str,
    example: tuple[str, str],
    shown: str,
    *,
    convert: bool = True,
) -> None:
    """Declare a comparison; with `convert`, numbers and lists are taken too."""

    def converting(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
        pair = promoted(array(name, "x1", x1), array(name, "x2", x2))
        return typed(name, compute(*pair), dtype)

    def strict(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
        return typed(name, compute(*promoted(x1, x2)), dtype)

    impl = converting if convert else strict
    impl.__name__ = name
    impl.__doc__ = _PAIR_DOC.format(
        words=words,
        kind="Union[Tensor, number, list, tuple]" if convert else "Tensor",
        name=name,
        example=example,
        shown=shown,
    )
    _logic(
        name,
        samples=("f(2, 3), f(3)", "i(2, 3), i(3)", "b(3), b(3)", "i(3), f(3)"),
        errors=(
            ("f(2), 'a'" if convert else "f(2), 2", TypeError, f"numpy.{name}"),
            ("f(2, 3), f(2)", ValueError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(x1, x2)",
        differentiable=False,
    )(impl)


_NUMBERS = ("[1, 2, 3]", "[2, 2, 2]")
_pair(
    "not_equal",
    torch.ne,
    "Whether two numbers differ",
    _NUMBERS,
    "[ True False  True]",
    convert=False,
)
_pair(
    "less_equal",
    torch.le,
    "Whether the first number is at most the second",
    _NUMBERS,
    "[ True  True False]",
    convert=False,
)
_pair(
    "less",
    torch.lt,
    "Whether the first number is less than the second",
    _NUMBERS,
    "[ True False False]",
)
_pair(
    "greater_equal",
    torch.ge,
    "Whether the first number is at least the second",
    _NUMBERS,
    "[False  True  True]",
)
_pair(
    "greater",
    torch.gt,
    "Whether the first number is greater than the second",
    _NUMBERS,
    "[False False  True]",
)
_pair("equal", torch.eq, "Whether two numbers are equal", _NUMBERS, "[False  True False]")

_TRUTHS = ("[True, False, False]", "[True, True, False]")
_pair(
    "logical_or",
    torch.logical_or,
    "Whether one of two values is not zero",
    _TRUTHS,
    "[ True  True False]",
)
_pair(
    "logical_and",
    torch.logical_and,
    "Whether neither of two values is zero",
    _TRUTHS,
    "[ True False False]",
)
_pair(
    "logical_xor",
    torch.logical_xor,
    "Whether exactly one of two values is not zero",
    _TRUTHS,
    "[False  True False]",
    convert=False,
)


@_logic(
    "logical_not",
    samples=("f(2, 3)", "i(3)", "b(3)"),
    errors=(("'a'", TypeError, "numpy.logical_not"),),
    reference="np.logical_not(a)",
    differentiable=False,
)
def _logical_not(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a value is zero, element by element.

    Args:
        a (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: bool.

    Returns: Tensor of the input's shape.
    Raises TypeError: `a` is of another type.

    >>> import agar.numpy as mnp
    >>> print(mnp.logical_not(mnp.array([True, False])))
    [False  True]
    """
    return typed("logical_not", torch.logical_not(array("logical_not", "a", a)), dtype)


_TEST_DOC = """{words}, element by element.

    Args:
        x ({kind}): the input, of any shape.{dtype}

    Returns:
        Tensor of the input's shape{result}.

    Raises:
        TypeError: `x` is of another type.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array([1.0, mnp.inf, -mnp.inf, mnp.nan])))
        {shown}
"""
_DTYPE_LINE = """
        dtype (Type): the type of the result. Default None: bool."""


def _test(
    name: str,
    compute: Callable[[Tensor], Tensor],
    words: str,
    shown: str,
    *,
    typed_too: bool = True,
) -> None:
    """Declare a test of numbers; those with `typed_too` take numbers and lists and a type."""

    def with_type(x: Tensor | Any, dtype: Any = None) -> Tensor:
        return typed(name, compute(array(name, "x", x)), dtype)

    def strict(x: Tensor) -> Tensor:
        return compute(x)

    impl = with_type if typed_too else strict
    impl.__name__ = name
    impl.__doc__ = _TEST_DOC.format(
        words=words,
        kind="Union[Tensor, number, list, tuple]" if typed_too else "Tensor",
        dtype=_DTYPE_LINE if typed_too else "",
        result="" if typed_too else ", of bool",
        name=name,
        shown=shown,
    )
    _logic(
        name,
        samples=("f(2, 3) / torch.tensor([0, 1, float('nan')])", "i(3)"),
        errors=(("'a'" if typed_too else "1.0", TypeError, f"numpy.{name}"),),
        reference=f"np.{name}(x)",
        differentiable=False,
    )(impl)


_test("isfinite", torch.isfinite, "Whether a number is finite", "[ True False False False]")
_test("isnan", torch.isnan, "Whether a number is nan", "[False False False  True]")
_test("isinf", torch.isinf, "Whether a number is infinite", "[False  True  True False]")
_test(
    "isposinf",
    torch.isposinf,
    "Whether a number is positive infinity",
    "[False  True False False]",
    typed_too=False,
)
_test(
    "isneginf",
    torch.isneginf,
    "Whether a number is negative infinity",
    "[False False  True False]",
    typed_too=False,
)


@_logic(
    "isscalar",
    samples=("3", "f(2)", "'a'", "[1]"),
    reference="isinstance(element, (int, float, bool, str))",
    differentiable=False,
    cast="never",
    tags=("value",),
)
def _isscalar(element: Tensor | Any) -> bool:
    """Whether a value is a Python number or a string.

    Args:
        element (any): the value.

    Returns: bool: True for int, float, bool and str; False for tensors, also those without
        dimensions.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> mnp.isscalar(3.1), mnp.isscalar([3.1])
    (True, False)
    """
    return isinstance(element, (bool, int, float, str))


@_logic(
    "isclose",
    samples=("f(3), f(3)", "f(2, 3), f(3), 0.5, 0.1", "i(3), i(3)"),
    errors=(
        ("f(2), 'a'", TypeError, "numpy.isclose"),
        ("f(2, 3), f(2)", ValueError, "numpy.isclose"),
    ),
    reference="np.isclose(a, b, rtol, atol, equal_nan)",
    differentiable=False,
)
def _isclose(
    a: Tensor | Any,
    b: Tensor | Any,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    r"""Whether numbers agree, element by element: :math:`|a - b| \\le atol + rtol |b|`.

    Args:
        a (Union[Tensor, number, list, tuple]): the first operand.
        b (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        rtol (float): the relative tolerance. Default: 1e-5.
        atol (float): the absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Returns: Tensor of bool, of the broadcast shape.
    Raises TypeError: an operand is of another type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: types may differ.

    >>> import agar.numpy as mnp
    >>> print(mnp.isclose([1.0, 2.0], [1.000001, 3.0]))
    [ True False]
    """
    pair = promoted(array("isclose", "a", a), array("isclose", "b", b))
    return torch.isclose(*pair, rtol, atol, equal_nan)


def _membership(op_name: str, values: Tensor, expected: Tensor, invert: bool) -> Tensor:
    kind = promoted_type(values.dtype, expected.dtype)
    return torch.isin(values.to(kind), expected.to(kind), invert=boolean(op_name, "invert", invert))


@_logic(
    "in1d",
    samples=("i(2, 3), i(2)", "f(3), f(2), True", "i(3), [1, 2]"),
    errors=(("'a', [1]", TypeError, "numpy.in1d"), ("i(3), 'a'", TypeError, "numpy.in1d")),
    reference="np.isin(np.ravel(ar1), ar2, invert=invert)",
    differentiable=False,
)
def _in1d(ar1: Tensor | Any, ar2: Tensor | Any, invert: bool = False) -> Tensor:
    """Whether each element of one tensor occurs in another, as a flat tensor.

    Args:
        ar1 (Union[Tensor, number, list, tuple]): the elements to look for, of any shape.
        ar2 (Union[Tensor, number, list, tuple]): where to look, of any shape.
        invert (bool): whether to return the opposite. Default: False.

    Returns: Tensor of bool with as many elements as `ar1`, in one dimension.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: ``torch.isin`` keeps the shape.

    >>> import agar.numpy as mnp
    >>> print(mnp.in1d(mnp.array([0, 1, 2, 5]), [0, 2]))
    [ True False  True False]
    """
    values, expected = array("in1d", "ar1", ar1), array("in1d", "ar2", ar2)
    return _membership("numpy.in1d", values.reshape(-1), expected, invert)


@_logic(
    "isin",
    samples=("i(2, 3), i(2)", "f(3), f(2), True", "i(3), [1, 2]"),
    errors=(("'a', [1]", TypeError, "numpy.isin"), ("i(3), 'a'", TypeError, "numpy.isin")),
    reference="np.isin(element, test_elements, invert=invert)",
    differentiable=False,
)
def _isin(element: Tensor | Any, test_elements: Tensor | Any, invert: bool = False) -> Tensor:
    """Whether each element of one tensor occurs in another.

    Args:
        element (Union[Tensor, number, list, tuple]): the elements to look for, of any shape.
        test_elements (Union[Tensor, number, list, tuple]): where to look, of any shape.
        invert (bool): whether to return the opposite. Default: False.

    Returns: Tensor of bool, of the shape of `element`.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: numbers and lists are accepted, and types may differ.

    >>> import agar.numpy as mnp
    >>> print(mnp.isin(mnp.array([[0, 1], [2, 5]]), [0, 2]))
    [[ True False]
     [ True False]]
    """
    values = array("isin", "element", element)
    return _membership("numpy.isin", values, array("isin", "test_elements", test_elements), invert)


def _truth(value: bool) -> Tensor:
    return torch.scalar_tensor(value, dtype=torch.bool, device=context.torch_device())


@_logic(
    "array_equal",
    samples=("f(3), f(3)", "f(3), f(2)", "i(3), i(3)", "[1, 2], [1, 2]"),
    errors=(("[1], [1], 1", TypeError, "equal_nan"), ("'a', [1]", TypeError, "array_equal")),
    reference="np.array_equal(a1, a2, equal_nan)",
    differentiable=False,
)
def _array_equal(a1: Tensor | Any, a2: Tensor | Any, equal_nan: bool = False) -> Tensor:
    """Whether two tensors have the same shape and equal elements.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the first tensor.
        a2 (Union[Tensor, number, list, tuple]): the second.
        equal_nan (bool): whether two nans are equal. Default: False.

    Returns: Tensor of bool without dimensions.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: ``torch.equal`` returns a Python bool.

    >>> import agar.numpy as mnp
    >>> print(mnp.array_equal([0, 1, 2], [0, 1, 2]))
    True
    """
    boolean("numpy.array_equal", "equal_nan", equal_nan)
    a1, a2 = array("array_equal", "a1", a1), array("array_equal", "a2", a2)
    if a1.shape != a2.shape:
        return _truth(False)
    a1, a2 = promoted(a1, a2)
    same = a1 == a2
    if equal_nan:
        same = same | (torch.isnan(a1) & torch.isnan(a2))
    return same.all()


@_logic(
    "array_equiv",
    samples=("f(3), f(3)", "f(3), f(2)", "torch.ones(2, 3), torch.ones(3)"),
    errors=(("'a', [1]", TypeError, "array_equiv"),),
    reference="np.array_equiv(a1, a2)",
    differentiable=False,
)
def _array_equiv(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
    """Whether two tensors have equal elements after broadcasting.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the first tensor.
        a2 (Union[Tensor, number, list, tuple]): the second.

    Returns: Tensor of bool without dimensions; False if the shapes do not broadcast.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.array_equiv([0, 1], [[0, 1], [0, 1]]))
    True
    """
    a1, a2 = array("array_equiv", "a1", a1), array("array_equiv", "a2", a2)
    pairs = zip(reversed(a1.shape), reversed(a2.shape), strict=False)
    if any(m != n and m != 1 and n != 1 for m, n in pairs):
        return _truth(False)
    return torch.eq(*promoted(a1, a2)).all()


@_logic(
    "signbit",
    samples=("f(2, 3)", "i(3) - 1"),
    errors=(
        ("'a'", TypeError, "numpy.signbit"),
        ("f(2), ms.int32", TypeError, "numpy.signbit"),
    ),
    reference="np.signbit(x)",
    differentiable=False,
)
def _signbit(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a number is negative, element by element; negative zero is not.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): None or bool. Default: None.

    Returns: Tensor of bool, of the input's shape.
    Raises TypeError: `dtype` is another type, or `x` of another type.
    Difference from PyTorch: negative zero is not negative.

    >>> import agar.numpy as mnp
    >>> print(mnp.signbit(mnp.array([1, -2])))
    [False  True]
    """
    if dtype is not None and value_type("signbit", dtype) is not torch.bool:
        raise TypeError(f"For 'numpy.signbit', 'dtype' must be None or bool, but got {dtype}.")
    return array("signbit", "x", x) < 0


@_logic(
    "sometrue",
    samples=("f(2, 3)", "i(2, 3), 0", "b(2, 3), 1, True", "i(2, 3), (0, 1)"),
    errors=(
        ("f(2), 1", ValueError, "numpy.sometrue"),
        ("f(2), 0, 1.0", TypeError, "keepdims"),
        ("'a'", TypeError, "numpy.sometrue"),
    ),
    reference="np.any(a, axis, keepdims=keepdims)",
    differentiable=False,
)
def _sometrue(a: Tensor | Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether an element is not zero, along axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with length 1. Default: False.

    Returns: Tensor of bool.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: called ``torch.any``.

    >>> import agar.numpy as mnp
    >>> print(mnp.sometrue(mnp.array([[0, 1], [0, 0]]), 1))
    [ True False]
    """
    if not isinstance(keepdims, int):
        raise TypeError(
            "For 'numpy.sometrue', 'keepdims' must be bool or int, but got "
            f"'{type(keepdims).__name__}'."
        )
    result = array("sometrue", "a", a) != 0
    axes = axes_of("numpy.sometrue", axis, result.ndim)
    return torch.any(result, axes, bool(keepdims)) if axes else result


@_logic(
    "setdiff1d",
    samples=("i(5), i(2)", "i(5), i(2), True", "f(3), f(2)"),
    errors=(
        ("[1], [1], 1", TypeError, "assume_unique"),
        ("'a', [1]", TypeError, "numpy.setdiff1d"),
    ),
    reference="np.setdiff1d(ar1, ar2, assume_unique)",
)
def _setdiff1d(ar1: Tensor | Any, ar2: Tensor | Any, assume_unique: bool = False) -> Tensor:
    """The elements of one tensor that do not occur in another.

    Args:
        ar1 (Union[Tensor, list, tuple]): the elements, of any shape.
        ar2 (Union[Tensor, list, tuple]): those to leave out, of any shape.
        assume_unique (bool): whether the elements are known to be distinct; then their order is
            kept. Default: False.

    Returns: Tensor in one dimension, sorted and without repetition unless `assume_unique`.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.setdiff1d([1, 2, 3, 2, 4, 1], [3, 4, 5, 6]))
    [1 2]
    """
    boolean("numpy.setdiff1d", "assume_unique", assume_unique)
    first, second = array("setdiff1d", "ar1", ar1), array("setdiff1d", "ar2", ar2)
    first = first.reshape(-1)
    if not assume_unique:
        first, _ = sorted_set(first, False)
    return first[_membership("numpy.setdiff1d", first, second, True)]
