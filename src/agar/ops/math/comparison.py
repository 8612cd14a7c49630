"""Comparison, logic and bits, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops._checks import number
from agar.ops.math.elementwise import as_tensor, check_integers, pointwise, promoted
from agar.ops.spec import Pair, Scalar, op

__all__: list[str] = []

# numbers that the generators of samples do not make
_ODD = "torch.tensor([1.0, -0.0, float('inf'), float('-inf'), float('nan')])"

pointwise(
    "isnan",
    torch.isnan,
    "Whether an element is not a number",
    r"x \text{ is nan}",
    ("[1.0, float('nan')]", "[False  True]"),
    primitive="IsNan",
    result="bool",
    renamed={"mint.isnan": {"input": "tensor"}},
    samples=("f(2, 3)", "i(3)", _ODD),
    differentiable=False,
)
pointwise(
    "isfinite",
    torch.isfinite,
    "Whether an element is neither infinite nor nan",
    r"|x| < \infty",
    ("[1.0, float('inf')]", "[ True False]"),
    primitive="IsFinite",
    result="bool",
    samples=("f(2, 3)", "i(3)", _ODD),
    differentiable=False,
)
pointwise(
    "isinf",
    torch.isinf,
    "Whether an element is infinite",
    r"|x| = \infty",
    ("[1.0, float('-inf')]", "[False  True]"),
    primitive="IsInf",
    result="bool",
    samples=("f(2, 3)", "i(3)", _ODD),
    differentiable=False,
)
pointwise(
    "isposinf",
    torch.isposinf,
    "Whether an element is positive infinity",
    r"x = \infty",
    ("[1.0, float('inf')]", "[False  True]"),
    mint=False,
    result="bool",
    samples=("f(2, 3)", "f()", _ODD),
    differentiable=False,
)
pointwise(
    "isneginf",
    torch.isneginf,
    "Whether an element is negative infinity",
    r"x = -\infty",
    ("[1.0, float('-inf')]", "[False  True]"),
    result="bool",
    samples=("f(2, 3)", "f()", _ODD),
    differentiable=False,
)
pointwise(
    "isreal",
    torch.isreal,
    "Whether an element has no imaginary part",
    r"\Im x = 0",
    ("[1 + 1j, 2 + 0j]", "[False  True]"),
    mint=False,
    result="bool",
    samples=("c(2, 3)", "f(2)"),
    differentiable=False,
)
pointwise(
    "signbit",
    torch.signbit,
    "Whether the sign of an element is minus",
    r"x < 0",
    ("[-1.0, 2.0]", "[ True False]"),
    mint=False,
    result="bool",
    samples=("f(2, 3)", "i(3)", _ODD),
    difference="none; the sign of -0.0 counts, which MindSpore's kernel overlooks",
    differentiable=False,
)
pointwise(
    "logical_not",
    torch.logical_not,
    "Logical negation",
    r"\lnot x",
    ("[True, False]", "[False  True]"),
    primitive="LogicalNot",
    result="bool",
    samples=("b(2, 3)", "f(3)", "i(3)"),
    differentiable=False,
)


def _comparison(
    name: str,
    compute: Callable[[Any, Any], Tensor],
    sign: str,
    words: str,
    *,
    function: Iterable[str],
    method: Iterable[str],
    primitive: str,
    mint: Iterable[str],
    example: str,
    difference: str = "a 0-d tensor takes part in type promotion like any other",
) -> None:
    """Declare a comparison of two tensors.

    Args:
        name: the public name.
        compute: the torch function.
        sign: the relation in TeX.
        words: the relation in words.
        function: all names under `ops`.
        method: all names as methods.
        primitive: the Primitive class.
        mint: all names under `mint`.
        example: what the example prints.
        difference: from PyTorch.
    """

    def impl(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
        return compute(*promoted(input, other))

    impl.__name__ = name
    impl.__doc__ = (
        f"Whether one operand {words} the other, element by element: "
        f":math:`out_i = input_i {sign} other_i`.\n\n"
        "    Args:\n"
        "        input (Union[Tensor, number, bool]): the left operand.\n"
        "        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A\n"
        "            number takes the tensor's type; a float beside integers stays a float.\n\n"
        "    Returns: Tensor of bool, of the broadcast shape.\n"
        "    Raises TypeError: an argument is neither Tensor nor number.\n"
        "    Raises ValueError: the shapes do not broadcast.\n"
        f"    Difference from PyTorch: {difference}.\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([1, 2, 3]), ms.Tensor([1, 3, 2])))\n"
        f"    {example}\n"
    )
    op(
        name,
        function=function,
        method=method,
        primitive=primitive,
        mint=mint,
        fast=Pair(getattr(torch.Tensor, compute.__name__), numbers=True),  # sooner than torch.eq
        samples=("f(2, 3), f(3)", "i(2, 3), 1", "b(3), b(3)", "i(3), 0.5"),
        errors=(
            ("f(2, 3), f(2)", ValueError, "broadcast"),
            ("f(2), 'x'", TypeError, name),
            ("f(2), np.ones(2)", TypeError, "ms.Tensor(array)"),
        ),
        differentiable=False,
    )(impl)


_comparison(
    "equal",
    torch.eq,
    "=",
    "equals",
    function=("equal", "eq"),
    method=("equal", "eq"),
    primitive="Equal",
    mint=("eq",),
    example="[ True False False]",
    difference="``torch.equal`` compares whole tensors; this is ``torch.eq``, in which a "
    "0-d tensor takes part in type promotion like any other",
)
_comparison(
    "not_equal",
    torch.ne,
    r"\ne",
    "differs from",
    function=("not_equal", "ne"),
    method=("not_equal", "ne"),
    primitive="NotEqual",
    mint=("ne", "not_equal"),
    example="[False  True  True]",
)
_comparison(
    "less",
    torch.lt,
    "<",
    "is less than",
    function=("less", "lt", "tensor_lt"),
    method=("less", "lt", "__lt__"),
    primitive="Less",
    mint=("less", "lt"),
    example="[False  True False]",
)
_comparison(
    "less_equal",
    torch.le,
    r"\le",
    "is at most",
    function=("less_equal", "le", "tensor_le"),
    method=("less_equal", "le", "__le__"),
    primitive="LessEqual",
    mint=("less_equal", "le"),
    example="[ True  True False]",
)
_comparison(
    "greater",
    torch.gt,
    ">",
    "is greater than",
    function=("greater", "gt", "tensor_gt"),
    method=("greater", "gt", "__gt__"),
    primitive="Greater",
    mint=("greater", "gt"),
    example="[False False  True]",
)
_comparison(
    "greater_equal",
    torch.ge,
    r"\ge",
    "is at least",
    function=("greater_equal", "ge", "tensor_ge"),
    method=("greater_equal", "ge", "__ge__"),
    primitive="GreaterEqual",
    mint=("greater_equal", "ge"),
    example="[ True False  True]",
)


@op(
    primitive="IsClose(rtol, atol, equal_nan)",
    method=True,
    mint=True,
    samples=(
        "f(3), f(3)",
        "i(3), i(3)",
        "b(3), b(3)",
        "f(3), f(3), 0.1, 0.1, True",
        "torch.tensor([1.0, float('nan')]), torch.tensor([1.05, float('nan')]), 0.1",
        "torch.tensor([1.0, float('nan')]), torch.tensor([1.05, float('nan')]), 0.1, 0.0, True",
    ),
    errors=(("f(2, 3), f(2)", ValueError, "broadcast"), ("f(2), 1.0", TypeError, "isclose")),
    differentiable=False,
    keywords={"x2": "other"},
)
def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    r"""Whether elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; shapes broadcast.
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Returns: Tensor of bool, of the broadcast shape.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: tensors of different types are accepted.

    >>> print(ms.ops.isclose(ms.Tensor([1.0, 2.0]), ms.Tensor([1.000001, 3.0])))
    [ True False]
    """
    input, other = promoted(input, other)
    return torch.isclose(input, other, rtol, atol, equal_nan)


@op(
    function=False,
    method=True,
    mint=True,
    samples=(
        "f(3), f(3)",
        "i(3), i(3), 0.1",
        "f(3), 0 - f(3), 0.5, 9.0",
        "p(3), p(3) * 0 + 1, 2.0",
    ),
    errors=(
        ("f(2), [1.0]", TypeError, "other"),
        ("f(2), f(3)", ValueError, "broadcast"),
        ("f(2), f(2), 'x'", TypeError, "rtol"),
    ),
    differentiable=False,
)
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    r"""Whether all elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; shapes broadcast.
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Returns: bool.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: tensors of different types are accepted.

    >>> ms.Tensor([1.0]).allclose(ms.Tensor([1.000001]))
    True
    """
    input, other = promoted(input, other)
    return torch.allclose(input, other, rtol, atol, equal_nan)


@op(
    primitive="ApproximateEqual(tolerance)",
    method=True,
    samples=("f(3), f(3)", "f(3), f(3), 0.5", "i(3), f(3)"),
    errors=(
        ("i(2), i(2)", TypeError, "floating"),
        ("f(2), f(3)", ValueError, "same shape"),
        ("f(2), f(2), 'x'", TypeError, "tolerance"),
    ),
    differentiable=False,
    keywords={"other": "y"},
)
def approximate_equal(x: Tensor, y: Tensor, tolerance: float = 1e-05) -> Tensor:
    r"""Whether elements differ by less than a tolerance: :math:`|x_i - y_i| < tolerance`.

    Args:
        x (Tensor): the first tensor.
        y (Tensor): the second, of the same shape.
        tolerance (float): the bound. Default: 1e-5.

    Returns: Tensor of bool.
    Raises TypeError: neither is of a floating type, or `tolerance` is not a number.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart; ``torch.isclose`` has a relative tolerance.

    >>> print(ms.ops.approximate_equal(ms.Tensor([1.0, 2.0]), ms.Tensor([1.1, 2.0]), 0.2))
    [ True  True]
    """
    if not torch.promote_types(x.dtype, y.dtype).is_floating_point:
        raise TypeError(
            "For 'approximate_equal', 'x' or 'y' must be of a floating type, but got "
            f"{FROM_TORCH[x.dtype]} and {FROM_TORCH[y.dtype]}; convert one with .astype(...)."
        )
    if x.shape != y.shape:
        raise ValueError(
            "For 'approximate_equal', 'x' and 'y' must have the same shape, but got "
            f"{list(x.shape)} and {list(y.shape)}."
        )
    return torch.abs(x - y) < number("approximate_equal", "tolerance", tolerance)


# --------------------------------------------------------------------------------------- logic


def _logical(
    name: str,
    compute: Callable[[Any, Any], Tensor],
    words: str,
    sign: str,
    example: str,
    primitive: str,
) -> None:
    """Declare a logical function of two operands, each taken as true where it is not zero."""

    def impl(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
        if not isinstance(input, Tensor):
            input, other = other, input  # the three functions are symmetric
        return compute(as_tensor(input), as_tensor(other, as_tensor(input)))

    impl.__name__ = name
    impl.__doc__ = (
        f"Logical {words}, element by element: :math:`out_i = input_i {sign} other_i`.\n\n"
        "    Args:\n"
        "        input (Union[Tensor, number, bool]): true where it is not zero.\n"
        "        other (Union[Tensor, number, bool]): likewise; shapes broadcast.\n\n"
        "    Returns: Tensor of bool, of the broadcast shape.\n"
        "    Raises TypeError: an argument is neither Tensor nor number.\n"
        "    Raises ValueError: the shapes do not broadcast.\n"
        "    Difference from PyTorch: a number or bool is accepted.\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([True, True, False]), ms.Tensor([1, 0, 0])))\n"
        f"    {example}\n"
    )
    op(
        name,
        method=True,
        primitive=primitive,
        mint=True,
        fast=compute,
        samples=("b(2, 3), b(3)", "f(3), i(3)", "b(3), True"),
        errors=(("b(2), b(3)", ValueError, "broadcast"), ("b(2), 'x'", TypeError, name)),
        differentiable=False,
        keywords={"y": "other"},
    )(impl)


_logical("logical_and", torch.logical_and, "and", r"\land", "[ True False False]", "LogicalAnd")
_logical("logical_or", torch.logical_or, "or", r"\lor", "[ True  True False]", "LogicalOr")
_logical(
    "logical_xor", torch.logical_xor, "exclusive or", r"\oplus", "[False  True False]", "LogicalXor"
)


@op(
    "logical_not",
    function=False,
    method="__invert__",
    fast=torch.logical_not,
    cast="never",
    samples=("b(3)", "i(3)", "f(3)"),
    errors=(("f(2), 1", TypeError, "takes 1 positional argument"),),
    differentiable=False,
)
def _invert(input: Tensor) -> Tensor:
    """Logical negation, whatever the type: true where the element is zero.

    Args:
        input (Tensor): any shape and type.

    Returns: Tensor of bool.
    Difference from PyTorch: ``~x`` negates the bits of integers there, which is
        :func:`ops.bitwise_not` here.

    >>> print(~ms.Tensor([6, 0]))
    [False  True]
    """
    return torch.logical_not(input)


# ---------------------------------------------------------------------------------------- bits


def _bitwise(
    name: str,
    compute: Callable[[Any, Any], Tensor],
    words: str,
    sign: str,
    example: str,
    dunder: str,
    primitive: str,
) -> None:
    """Declare a function of the bits of two operands."""

    def impl(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
        return compute(*promoted(input, other))

    impl.__name__ = name
    impl.__doc__ = (
        f"Bitwise {words}, element by element: :math:`out_i = input_i {sign} other_i`.\n\n"
        "    Args:\n"
        "        input (Union[Tensor, int, bool]): bool or an integer type.\n"
        "        other (Union[Tensor, int, bool]): likewise; shapes broadcast.\n\n"
        "    Returns: Tensor of the broadcast shape and the common type.\n"
        "    Raises TypeError: an operand is of a floating type, or no Tensor or number.\n"
        "    Raises ValueError: the shapes do not broadcast.\n"
        "    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([6, 5]), ms.Tensor([3, 3])))\n"
        f"    {example}\n"
    )
    op(
        name,
        method=(name, dunder),
        primitive=primitive,
        mint=True,
        fast=compute,
        samples=("i(2, 3), i(3)", "b(3), b(3)", "i(3), 1", "b(3), i(3)"),
        errors=(("i(2), i(3)", ValueError, "broadcast"), ("f(2), 1", TypeError, name)),
        differentiable=False,
    )(impl)


_bitwise("bitwise_and", torch.bitwise_and, "and", r"\land", "[2 1]", "__and__", "BitwiseAnd")
_bitwise("bitwise_or", torch.bitwise_or, "or", r"\lor", "[7 7]", "__or__", "BitwiseOr")
_bitwise(
    "bitwise_xor", torch.bitwise_xor, "exclusive or", r"\oplus", "[5 6]", "__xor__", "BitwiseXor"
)


def _shift(
    name: str,
    compute: Callable[[Any, Any], Tensor],
    words: str,
    formula: str,
    example: str,
    primitive: str,
) -> None:
    """Declare a shift of bits."""

    def impl(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
        return compute(*promoted(input, other))

    impl.__name__ = name
    impl.__doc__ = (
        f"Shift bits to the {words}, element by element: :math:`out = {formula}`.\n\n"
        "    Args:\n"
        "        input (Union[Tensor, int]): an integer type.\n"
        "        other (Union[Tensor, int]): the number of places; shapes broadcast.\n\n"
        "    Returns: Tensor of the broadcast shape and the common type.\n"
        "    Raises TypeError: an operand is of a floating type, or no Tensor or number.\n"
        "    Raises ValueError: the shapes do not broadcast.\n"
        "    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other;\n"
        "    there are no operators ``<<`` and ``>>``.\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([8, 4]), 1))\n"
        f"    {example}\n"
    )
    op(
        name,
        method=True,
        primitive=primitive,
        samples=("i(2, 3), i(3)", "i(3), 1", "torch.tensor([-3, 3]), 1"),
        errors=(("i(2), i(3)", ValueError, "broadcast"), ("f(2), 'x'", TypeError, name)),
        differentiable=False,
    )(impl)


_shift(
    "bitwise_left_shift",
    torch.bitwise_left_shift,
    "left",
    r"input \cdot 2^{other}",
    "[16  8]",
    "LeftShift",
)
_shift(
    "bitwise_right_shift",
    torch.bitwise_right_shift,
    "right",
    r"\lfloor input / 2^{other} \rfloor",
    "[4 2]",
    "RightShift",
)


@op(
    function="invert",
    method=("invert", "bitwise_not"),
    primitive="Invert",
    mint="bitwise_not",
    renamed={"mint.bitwise_not": {"x": "input"}},
    fast=torch.bitwise_not,
    samples=("i(2, 3)", "b(3)"),
    errors=(("f(2)", TypeError, "invert"),),
    differentiable=False,
)
def invert(x: Tensor) -> Tensor:
    r"""Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

    Args:
        x (Tensor): an integer type or bool.

    Returns: Tensor of the same shape and type.
    Raises TypeError: `x` is not a Tensor or of a floating type.
    Difference from PyTorch: ``torch.bitwise_not``; the operator ``~`` is logical here.

    >>> print(ms.ops.invert(ms.Tensor([1, 2])))
    [-2 -3]
    """
    return torch.bitwise_not(x)


@op(
    primitive="PopulationCount",
    samples=("i(2, 3)",),
    errors=(("f(2)", TypeError, "population_count"),),
    differentiable=False,
    reference="np.vectorize(lambda v: bin(int(v) % 2**64).count('1'))(np.asarray(input_x))",
)
def population_count(input_x: Tensor) -> Tensor:
    """Number of bits that are set, element by element.

    Args:
        input_x (Tensor): an integer type.

    Returns: Tensor of uint8.
    Raises TypeError: `input_x` is not a Tensor or of no integer type.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.population_count(ms.Tensor([7, 8])))
    [3 1]
    """
    check_integers("population_count", "input_x", input_x)
    bits = torch.arange(input_x.dtype.itemsize * 8, device=input_x.device)
    wide = input_x.long().unsqueeze(-1)  # the shift is arithmetic: the sign bit repeats
    return (wide.bitwise_right_shift(bits) & 1).sum(-1).byte()


@op(
    method=True,
    samples=("f(2)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    differentiable=False,
)
def is_floating_point(input: Tensor) -> bool:
    """Whether a tensor's type is a (real) floating-point one.

    Args:
        input (Tensor): any tensor.

    Returns: bool.

    >>> ms.ops.is_floating_point(ms.Tensor([1.0]))
    True
    """
    return input.is_floating_point()


@op(
    method=True,
    samples=("f(2)", "c(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    differentiable=False,
)
def is_complex(input: Tensor) -> bool:
    """Whether a tensor's type is complex.

    Args:
        input (Tensor): any tensor.

    Returns: bool.

    >>> ms.ops.is_complex(ms.Tensor([1.0]))
    False
    """
    return input.is_complex()


@op(samples=("f(1)", "i()"), errors=(("f(2)", ValueError, "one element"),), differentiable=False)
def is_nonzero(input: Tensor) -> bool:
    """Whether the only element of a tensor is not zero.

    Args:
        input (Tensor): a tensor with one element.

    Returns: bool.
    Raises ValueError: it does not have exactly one element.
    Difference from PyTorch: a RuntimeError there.

    >>> ms.ops.is_nonzero(ms.Tensor([1.0]))
    True
    """
    if input.numel() != 1:
        raise ValueError(
            f"For 'is_nonzero', 'input' must have exactly one element, but got shape "
            f"{list(input.shape)}."
        )
    return bool(input != 0)


@op(
    function=False,
    method=True,
    samples=("f(2)", "b(2)", "i(2)"),
    errors=(("f(2), 1", TypeError, "takes 1 positional argument"),),
    differentiable=False,
)
def is_signed(input: Tensor) -> bool:
    """Whether a tensor's type has negative numbers.

    Returns: bool.
    Difference from PyTorch: none.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.Tensor([1.0]).is_signed()
    True
    """
    return input.is_signed()
