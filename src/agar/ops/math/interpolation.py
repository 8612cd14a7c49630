"""Bounds, interpolation, sums of several tensors, and limits to the norms of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.torch_version import TorchVersion

from agar._core.dtype import FROM_TORCH
from agar.ops._checks import number
from agar.ops.math.elementwise import as_tensor, common_dtype, promoted
from agar.ops.spec import Call, Scalar, op

__all__: list[str] = []


# --------------------------------------------------------------------------------- bounds

#: Whether torch's clamp has the gradient zero at its bounds, where MindSpore's has one.
_EDGES_STOP_GRADIENTS = TorchVersion(torch.__version__) >= "2.14"


def _clamp(op_name: str, input: Tensor, low: Any, high: Any) -> Tensor:
    if isinstance(low, (Tensor, type(None))) and isinstance(high, (Tensor, type(None))):
        kind = input.dtype
        for bound in (low, high):
            if bound is not None:
                kind = common_dtype(kind, bound.dtype)
        result = input.to(kind)
        if low is not None:
            result = torch.maximum(result, low.to(kind))
        return result if high is None else torch.minimum(result, high.to(kind))
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        like = input if not input.is_floating_point() else None
        low = low if low is None else as_tensor(low, like if like is not None else input)
        high = high if high is None else as_tensor(high, like if like is not None else input)
        return _clamp(op_name, input, low, high)
    result = torch.clamp(input, low, high)
    if not (_EDGES_STOP_GRADIENTS and input.requires_grad):
        return result
    return torch.where(result == input, input, result)


def _clamp_call(name: str, value: str, low: str, high: str, more: str = "") -> Call:
    """What is tried first: two numbers."""
    return Call(
        f"torch.clamp({value}, {low}, {high})",
        f"(type({low}) is float or type({low}) is int)"
        f" and (type({high}) is float or type({high}) is int){more}"
        + (f" and not {name}._value.requires_grad" if _EDGES_STOP_GRADIENTS else ""),
    )


def _some_bound(op_name: str, low: Any, high: Any, names: str) -> None:
    if low is None and high is None:
        raise ValueError(f"For '{op_name}', at least one of {names} must not be None.")


_CLAMP_SAMPLES = (
    "f(2, 3), -0.5, 0.5",
    "f(2, 3), 0.0",
    "f(2, 3), None, 0.0",
    "f(2, 3), -p(3), p(2, 3)",
    "i(3), 1, 2",
    "i(3), 0.5, 1.5",
    "f(3), f(), 2.0",
)
_CLAMP_ERRORS = (
    ("f(2)", ValueError, "at least one"),
    ("f(2), 'x'", TypeError, "min"),
    ("f(2), f(3)", ValueError, "broadcast"),
)


@op(
    function=("clamp", "clip"),
    method=("clamp", "clip"),
    mint=("clamp", "clip"),
    samples=_CLAMP_SAMPLES,
    errors=_CLAMP_ERRORS,
    fast=_clamp_call("input", "input", "min", "max"),
)
def clamp(
    input: Tensor, min: Tensor | Scalar | None = None, max: Tensor | Scalar | None = None
) -> Tensor:
    r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

    Args:
        input (Tensor): any shape.
        min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
        max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
            Default None: none.

    Returns: Tensor of the common type; a float bound makes float32 of integers.
    Raises TypeError: a bound is of another type.
    Raises ValueError: there is no bound, or the shapes do not broadcast.
    Difference from PyTorch: a number and a Tensor may be mixed; a 0-d tensor takes part in type
        promotion like any other.

    >>> print(ms.ops.clamp(ms.Tensor([1.0, 5.0]), 2, 3))
    [2. 3.]
    """
    _some_bound("clamp", min, max, "'min' and 'max'")
    return _clamp("clamp", input, min, max)


@op(
    samples=("f(2, 3), -0.5, 0.5", "f(2, 3), clip_value_max=0.0", "i(3), f(), f() + 1"),
    errors=(("f(2)", ValueError, "at least one"), ("f(2), 'x'", TypeError, "clip_value_min")),
    fast=_clamp_call(
        "x", "x._value", "clip_value_min", "clip_value_max", " and x._value.dtype in _floats"
    ),
)
def clip_by_value(
    x: Tensor | Sequence[Tensor],
    clip_value_min: Tensor | Scalar | None = None,
    clip_value_max: Tensor | Scalar | None = None,
) -> Any:
    r"""Clamp every element, keeping the type: :math:`\min(\max(x_i, min_i), max_i)`.

    Args:
        x (Union[Tensor, list[Tensor], tuple[Tensor]]): what to bound, or several.
        clip_value_min (Union[Tensor, number]): the lower bound. Default None: none.
        clip_value_max (Union[Tensor, number]): the upper bound. Default None: none.

    Returns: Tensor of the shape and type of `x`; a tuple for several.
    Raises TypeError: a bound is of another type.
    Raises ValueError: there is no bound, or the shapes do not broadcast.
    Difference from PyTorch: ``torch.clamp``, which may change the type.

    >>> print(ms.ops.clip_by_value(ms.Tensor([1, 5]), 2.5, 3.5))
    [2 3]
    """
    _some_bound(
        "clip_by_value", clip_value_min, clip_value_max, "'clip_value_min' and 'clip_value_max'"
    )
    if isinstance(x, Tensor):
        return _clamp("clip_by_value", x, clip_value_min, clip_value_max).to(x.dtype)
    return tuple(_clamp("clip_by_value", t, clip_value_min, clip_value_max).to(t.dtype) for t in x)


@op(
    primitive="NanToNum(nan, posinf, neginf)",
    method=True,
    mint=True,
    samples=("torch.tensor([1.0, float('nan'), float('inf')])", "f(3), 1.0, 2.0, 3.0", "i(3)"),
    errors=(("f(3), 'x'", TypeError, "nan"),),
)
def nan_to_num(input: Tensor, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace nan and infinite elements.

    Args:
        input (Tensor): any shape.
        nan (number): in place of nan. Default None: 0.
        posinf (number): in place of infinity. Default None: the largest number of the type.
        neginf (number): in place of minus infinity. Default None: the smallest number.

    Returns: Tensor of the same shape and type.
    Raises TypeError: a replacement is not a number.

    >>> print(ms.ops.nan_to_num(ms.Tensor([1.0, float("nan")]), nan=5.0))
    [1. 5.]
    """
    values = [
        None if v is None else number("nan_to_num", name, v)
        for name, v in (("nan", nan), ("posinf", posinf), ("neginf", neginf))
    ]
    return torch.nan_to_num(input, *values)


# ---------------------------------------------------------------------- several tensors


@op(
    method=True,
    mint=True,
    primitive=("Lerp", "LerpScalar"),
    samples=("f(2, 3), f(2, 3), 0.5", "f(2, 3), f(3), u(2, 3)"),
    errors=(("i(2), i(2), 0.5", TypeError, "lerp"), ("f(2), f(3), 0.5", ValueError, "broadcast")),
)
def lerp(input: Tensor, end: Tensor, weight: Tensor | Scalar) -> Tensor:
    r"""Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

    Args:
        input (Tensor): the values at weight 0, of a floating type.
        end (Tensor): the values at weight 1.
        weight (Union[Tensor, float]): the weight; shapes broadcast.

    Returns: Tensor of the common type.
    Raises TypeError: an input is of no floating type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: tensors of different types are accepted.

    >>> print(ms.ops.lerp(ms.Tensor([0.0, 0.0]), ms.Tensor([2.0, 4.0]), 0.5))
    [1. 2.]
    """
    input, end = promoted(input, end)
    if not (input.is_floating_point() or input.is_complex()):
        raise TypeError(
            f"For 'lerp', the inputs must be of a floating type, but got "
            f"{FROM_TORCH[input.dtype]}; convert with .astype(ms.float32)."
        )
    return torch.lerp(input, end, weight.to(input.dtype) if isinstance(weight, Tensor) else weight)


def _fused(
    op_name: str, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Any, divide: bool
) -> Tensor:
    kind = common_dtype(common_dtype(input.dtype, tensor1.dtype), tensor2.dtype)
    first, second = tensor1.to(kind), tensor2.to(kind)
    if isinstance(value, Tensor):
        first = first * value.to(kind)
        value = 1
    compute = torch.addcdiv if divide else torch.addcmul
    return compute(input.to(kind), first, second, value=number(op_name, "value", value))


_FUSED_SAMPLES = (
    "f(2, 3), f(2, 3), p(2, 3)",
    "f(2, 3), f(3), p(2, 1), 0.5",
    "f(3), f(3), p(3), f()",
)
_FUSED_ERRORS = (
    ("f(2), f(3), p(2)", ValueError, "broadcast"),
    ("f(2), f(2), p(2), 'x'", TypeError, ""),
)


@op(method=True, primitive="Addcmul", samples=_FUSED_SAMPLES, errors=_FUSED_ERRORS)
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Scalar = 1) -> Tensor:
    r"""Add a product: :math:`out_i = input_i + value \cdot tensor1_i \cdot tensor2_i`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the first factor.
        tensor2 (Tensor): the second; shapes broadcast.
        value (Union[number, Tensor]): a factor of the product. Default: 1.

    Returns: Tensor of the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: `value` may be a Tensor and positional.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.addcmul(x, x, x, 0.5))
    [1.5 4. ]
    """
    return _fused("addcmul", input, tensor1, tensor2, value, divide=False)


@op(method=True, primitive="Addcdiv", samples=_FUSED_SAMPLES, errors=_FUSED_ERRORS)
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Scalar = 1) -> Tensor:
    r"""Add a quotient: :math:`out_i = input_i + value \cdot tensor1_i / tensor2_i`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the dividend.
        tensor2 (Tensor): the divisor; shapes broadcast.
        value (Union[number, Tensor]): a factor of the quotient. Default: 1.

    Returns: Tensor of the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: `value` may be a Tensor and positional.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.addcdiv(x, x, x, 0.5))
    [1.5 2.5]
    """
    return _fused("addcdiv", input, tensor1, tensor2, value, divide=True)


@op(
    "addcmul",
    function=False,
    mint="addcmul",
    samples=("f(3), f(3), p(3), value=0.5",),
    errors=(
        ("f(2), f(3), p(2)", ValueError, "broadcast"),
        ("f(2), f(2), p(2), value='x'", TypeError, "value"),
    ),
)
def _addcmul_mint(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add a product; see :func:`ops.addcmul`.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.mint.addcmul(x, x, x))
    [2. 6.]
    """
    return _fused("addcmul", input, tensor1, tensor2, value, divide=False)


@op(
    "addcdiv",
    function=False,
    mint="addcdiv",
    samples=("f(3), f(3), p(3), value=0.5",),
    errors=(
        ("f(2), f(3), p(2)", ValueError, "broadcast"),
        ("f(2), f(2), p(2), value='x'", TypeError, "value"),
    ),
)
def _addcdiv_mint(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add a quotient; see :func:`ops.addcdiv`.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.mint.addcdiv(x, x, x))
    [2. 3.]
    """
    return _fused("addcdiv", input, tensor1, tensor2, value, divide=True)


def _sum_of(op_name: str, tensors: Sequence[Tensor]) -> Tensor:
    if not tensors:
        raise ValueError(f"For '{op_name}', at least one tensor must be given, but got none.")
    first = tensors[0]
    for other in tensors[1:]:
        if other.dtype is not first.dtype:
            raise TypeError(
                f"For '{op_name}', all inputs must have the same type, but got "
                f"{FROM_TORCH[first.dtype]} and {FROM_TORCH[other.dtype]}."
            )
        if other.shape != first.shape:
            raise ValueError(
                f"For '{op_name}', all inputs must have the same shape, but got "
                f"{list(first.shape)} and {list(other.shape)}."
            )
    total = first.clone() if len(tensors) == 1 else first
    for other in tensors[1:]:
        total = total + other
    return total


@op(
    function=("addn", "accumulate_n"),
    primitive=("AddN", "AccumulateNV2"),
    samples=("[f(2, 3), f(2, 3)]", "(f(2), f(2), f(2))", "[i(2), i(2)]"),
    errors=(
        ("[f(2), i(2)]", TypeError, "same type"),
        ("[f(2), f(3)]", ValueError, "same shape"),
        ("[]", ValueError, "at least one"),
    ),
)
def addn(x: Sequence[Tensor]) -> Tensor:
    r"""Sum of tensors: :math:`out = x_1 + \dots + x_n`.

    Args:
        x (Union[tuple, list]): tensors of one shape and type.

    Returns: Tensor of that shape and type.
    Raises TypeError: an element is not a Tensor, or the types differ.
    Raises ValueError: there is no tensor, or the shapes differ.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.addn([ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])]))
    [4. 6.]
    """
    return _sum_of("addn", x)


# -------------------------------------------------------------------- norms of gradients


def _positive(op_name: str, name: str, value: Any) -> Any:
    if isinstance(value, Tensor):
        return value
    if number(op_name, name, value) <= 0:
        raise ValueError(f"For '{op_name}', '{name}' must be positive, but got {value}.")
    return value


def _several(op_name: str, x: Tensor | Sequence[Tensor]) -> Sequence[Tensor]:
    tensors = [x] if isinstance(x, Tensor) else x
    if not tensors:
        raise ValueError(f"For '{op_name}', at least one tensor must be given, but got none.")
    return tensors


def _scaled(x: Tensor | Sequence[Tensor], tensors: Sequence[Tensor], scale: Tensor) -> Any:
    items = tuple((t * scale).to(t.dtype) for t in tensors)
    return items[0] if isinstance(x, Tensor) else items


def _total_norm(tensors: Sequence[Tensor], p: float) -> Tensor:
    """The norm of all elements of several tensors, in float32 at least."""
    wide = [t if t.dtype is torch.float64 else t.float() for t in tensors]
    return torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(t, p) for t in wide]), p)


@op(
    cast="never",  # the norm is taken in float32 anyway
    samples=("[f(2, 3), f(4)], 0.5", "(f(2),), 100.0"),
    errors=(("[f(2)], 0.0", ValueError, "clip_norm"), ("[f(2)], 1.0, 2.0", ValueError, "use_norm")),
)
def clip_by_global_norm(
    x: Tensor | Sequence[Tensor], clip_norm: Tensor | Scalar = 1.0, use_norm: Any = None
) -> Any:
    r"""Scale tensors down together: :math:`x_i \cdot clip / \max(\|x\|_2, clip)`.

    Args:
        x (Union[Tensor, tuple[Tensor], list[Tensor]]): the tensors, such as gradients.
        clip_norm (Union[float, int, Tensor]): the largest norm of all their elements, positive.
            Default: 1.0.
        use_norm (None): MindSpore has None only. Default: None.

    Returns: Tuple of Tensors; a Tensor for a single one.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `clip_norm` is not positive, `use_norm` given or there is no tensor.
    Difference from PyTorch: ``torch.nn.utils.clip_grad_norm_``, which writes into the gradients.

    >>> print(ms.ops.clip_by_global_norm([ms.Tensor([3.0, 4.0])], 1.0)[0])
    [0.6 0.8]
    """
    if use_norm is not None:
        raise ValueError(
            f"For 'clip_by_global_norm', 'use_norm' only supports None, but got {use_norm!r}."
        )
    bound = _positive("clip_by_global_norm", "clip_norm", clip_norm)
    tensors = _several("clip_by_global_norm", x)
    total = _total_norm(tensors, 2)
    return _scaled(x, tensors, bound / torch.clamp(total, min=bound))


@op(
    samples=("f(2, 3), 0.5", "[f(2, 3), f(4)], 0.5, 1.0", "f(2), 100.0"),
    errors=(
        ("f(2), -1.0", ValueError, "max_norm"),
        ("[torch.tensor([float('nan')])], 1.0, 2.0, True", RuntimeError, "finite"),
    ),
)
def clip_by_norm(
    x: Tensor | Sequence[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Any:
    r"""Scale tensors whose common norm is too large: :math:`x \cdot max / (\|x\|_p + 10^{-6})`.

    Args:
        x (Union[Tensor, list[Tensor], tuple[Tensor]]): the tensors, such as gradients.
        max_norm (Union[float, int]): the largest norm of all their elements.
        norm_type (Union[float, int]): the norm p. Default: 2.0.
        error_if_nonfinite (bool): whether an infinite or nan norm raises. Default: False.

    Returns: Tensor, or a tuple of Tensors for several.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `max_norm` is negative.
    Raises RuntimeError: the norm is not finite and `error_if_nonfinite` is True.
    Difference from PyTorch: ``torch.nn.utils.clip_grad_norm_``, which writes into the gradients.

    >>> print(ms.ops.clip_by_norm(ms.Tensor([3.0, 4.0]), 1.0))
    [0.5999999  0.79999983]
    """
    if number("clip_by_norm", "max_norm", max_norm) < 0:
        raise ValueError(
            f"For 'clip_by_norm', 'max_norm' must not be negative, but got {max_norm}."
        )
    tensors = _several("clip_by_norm", x)
    # a norm that is cut is not an integer
    tensors = [t if t.is_floating_point() or t.is_complex() else t.float() for t in tensors]
    total = _total_norm(tensors, number("clip_by_norm", "norm_type", norm_type))
    if error_if_nonfinite and not bool(torch.isfinite(total)):
        raise RuntimeError(
            f"For 'clip_by_norm', the norm of the tensors is not finite: {total.item()}."
        )
    return _scaled(x, tensors, torch.clamp(max_norm / (total + 1e-6), max=1.0))
