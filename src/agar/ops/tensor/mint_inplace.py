"""Functions of mint that overwrite their input. Gradients flow through them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import number
from agar.ops.nn.activation import needs_float
from agar.ops.spec import op
from agar.ops.tensor.inplace import _write

__all__: list[str] = []


@op(
    "relu_",
    function=False,
    mint="nn.functional.relu_",
    cast="never",
    inplace=_write,
    samples=("f(2, 3)", "i(4)"),
    errors=(("[1.0]", TypeError, "Tensor"),),
    reference="np.maximum(input, 0)",
)
def _relu(input: Tensor) -> None:
    r"""Rectifier in place: :math:`input_i = \max(input_i, 0)`.

    Args:
        input (Tensor): real, any shape; it is overwritten.

    Returns: Tensor, `input` itself.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.

    >>> x = ms.Tensor([-1.0, 2.0])
    >>> _ = ms.mint.nn.functional.relu_(x)
    >>> print(x)
    [0. 2.]
    """
    torch.relu_(input)


@op(
    "sigmoid_",
    function="inplace_sigmoid",
    mint="nn.functional.sigmoid_",
    cast="never",
    inplace=_write,
    samples=("f(2, 3)",),
    errors=(("i(3)", TypeError, "floating-point"),),
    reference="1 / (1 + np.exp(-input))",
)
def _sigmoid(input: Tensor) -> None:
    r"""Logistic function in place: :math:`input_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point, any shape; it is overwritten.

    Returns: Tensor, `input` itself.
    Raises TypeError: `input` is not a floating-point Tensor.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.

    >>> x = ms.Tensor([0.0])
    >>> _ = ms.mint.nn.functional.sigmoid_(x)
    >>> print(x)
    [0.5]
    """
    needs_float("sigmoid_", input)
    torch.sigmoid_(input)


@op(
    "silu_",
    function=False,
    mint="nn.functional.inplace_silu",
    cast="never",
    inplace=_write,
    samples=("f(2, 3)",),
    errors=(("i(3)", TypeError, "floating-point"),),
    reference="input / (1 + np.exp(-input))",
)
def _silu(input: Tensor) -> None:
    r"""Sigmoid linear unit in place: :math:`input_i = input_i / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point, any shape; it is overwritten.

    Returns: Tensor, `input` itself.
    Raises TypeError: `input` is not a floating-point Tensor.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: ``torch.nn.functional.silu(input, inplace=True)``.

    >>> x = ms.Tensor([0.0, 1.0])
    >>> _ = ms.mint.nn.functional.inplace_silu(x)
    >>> print(x.asnumpy().round(3))
    [0.    0.731]
    """
    needs_float("inplace_silu", input)
    F.silu(input, inplace=True)


@op(
    "elu_",
    function=False,
    mint=("nn.functional.elu_", "nn.functional.inplace_elu"),
    cast="never",
    inplace=_write,
    samples=("f(2, 3)", "f(2, 3), 0.5"),
    errors=(
        ("i(3)", TypeError, "floating-point"),
        ("f(3), 'a'", TypeError, "alpha"),
    ),
    reference="np.where(input > 0, input, alpha * np.expm1(np.minimum(input, 0)))",
)
def _elu(input: Tensor, alpha: float = 1.0) -> None:
    r"""Exponential linear unit in place.

    .. math:: input_i = input_i \text{ if } input_i > 0, \text{ else } \alpha (e^{input_i} - 1)

    Args:
        input (Tensor): floating point, any shape; it is overwritten.
        alpha (float): :math:`\alpha`. Default: 1.0.

    Returns: Tensor, `input` itself.
    Raises TypeError: `input` is not a floating-point Tensor, or `alpha` is not a number.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.

    >>> x = ms.Tensor([-1.0, 2.0])
    >>> _ = ms.mint.nn.functional.elu_(x)
    >>> print(x)
    [-0.63212055  2.        ]
    """
    needs_float("elu_", input)
    F.elu_(input, number("elu_", "alpha", alpha))


@op(
    "elu_ext",
    function=False,
    mint="nn.functional.elu_ext",
    samples=("f(2, 3)", "f(2, 3), 2.0"),
    errors=(
        ("f(2), 'a'", TypeError, "alpha"),
        ("i(3)", TypeError, "floating-point"),
    ),
    reference="np.where(input > 0, input, alpha * np.expm1(np.minimum(input, 0)))",
)
def _elu_ext(input: Tensor, alpha: float = 1.0) -> Tensor:
    r"""Exponential linear unit, the form of ``mint.nn.functional.elu`` without `inplace`.

    Args:
        input (Tensor): floating point, any shape.
        alpha (float): factor of the negative part. Default: 1.0.

    Raises TypeError: `input` is not a floating-point Tensor, or `alpha` is not a number.
    Difference from PyTorch: ``torch.nn.functional.elu``.

    >>> print(ms.mint.nn.functional.elu_ext(ms.Tensor([-1.0, 2.0])))
    [-0.63212055  2.        ]
    """
    needs_float("elu_ext", input)
    return F.elu(input, number("elu_ext", "alpha", alpha))


@op(
    "hardtanh_",
    function=False,
    mint="nn.functional.hardtanh_",
    cast="never",
    inplace=_write,
    samples=("f(2, 3)", "f(2, 3), -0.5, 0.7", "i(4)", "f(3), 1.0, 0.5"),
    errors=(("f(3), 'a'", TypeError, "min_val"), ("f(3), 0, 'a'", TypeError, "max_val")),
    reference="np.minimum(np.maximum(input, min_val), max_val)",
)
def _hardtanh(input: Tensor, min_val: float = -1, max_val: float = 1) -> None:
    r"""Bound the elements in place: :math:`input_i = \min(\max(input_i, min), max)`.

    Args:
        input (Tensor): real, any shape; it is overwritten.
        min_val (Union[int, float]): lower bound. Default: -1.
        max_val (Union[int, float]): upper bound. Default: 1.

    Returns: Tensor, `input` itself.
    Raises TypeError: `input` is not a Tensor, or a bound is not a number.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: a lower bound above the upper one is no error; the upper one counts.

    >>> x = ms.Tensor([-2.0, 0.5, 3.0])
    >>> _ = ms.mint.nn.functional.hardtanh_(x)
    >>> print(x)
    [-1.   0.5  1. ]
    """
    number("hardtanh_", "min_val", min_val)
    if min_val > number("hardtanh_", "max_val", max_val):
        input.fill_(max_val)
    else:
        F.hardtanh_(input, min_val, max_val)


@op(
    "threshold_",
    function=False,
    mint="nn.functional.threshold_",
    cast="never",
    inplace=_write,
    samples=("f(2, 3), 0.1, 2.0", "i(4), 1, 20"),
    errors=(
        ("f(2), 'a', 1", TypeError, "threshold"),
        ("f(2), 1, 'a'", TypeError, "value"),
    ),
    reference="np.where(input > threshold, input, value)",
)
def _threshold(input: Tensor, threshold: float, value: float) -> None:
    r"""Replace in place the elements that do not exceed a threshold.

    Args:
        input (Tensor): real, any shape; it is overwritten.
        threshold (Union[int, float]): what an element must exceed to stay.
        value (Union[int, float]): what replaces the others.

    Returns: Tensor, `input` itself.
    Raises TypeError: `input` is not a Tensor, or another argument is not a number.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.

    >>> x = ms.Tensor([0.0, 2.0])
    >>> _ = ms.mint.nn.functional.threshold_(x, 1, 100)
    >>> print(x)
    [100.   2.]
    """
    number("threshold_", "threshold", threshold)
    F.threshold(input, threshold, number("threshold_", "value", value), inplace=True)


@op(
    "addr_",
    function=False,
    mint="addr_",
    cast="never",
    inplace=_write,
    samples=("f(2, 3), f(2), f(3)", "f(2, 3), f(2), f(3), 0.5, alpha=2.0", "i(2, 3), i(2), i(3)"),
    errors=(
        ("f(2, 3), f(3), f(3)", ValueError, ""),
        ("f(2, 3), f(2, 1), f(3)", ValueError, "1-D"),
        ("f(2, 3), f(2), f(3), 'a'", TypeError, "beta"),
    ),
    reference="beta * input + alpha * np.outer(vec1, vec2)",
)
def _addr(input: Tensor, vec1: Tensor, vec2: Tensor, beta: float = 1, alpha: float = 1) -> None:
    r"""Add an outer product in place.

    .. math:: input = \beta \cdot input + \alpha \cdot vec_1 \otimes vec_2

    Args:
        input (Tensor): shape :math:`(N, M)`; it is overwritten.
        vec1 (Tensor): shape :math:`(N,)`.
        vec2 (Tensor): shape :math:`(M,)`.
        beta (Union[int, float]): :math:`\beta`. Default: 1.
        alpha (Union[int, float]): :math:`\alpha`. Default: 1.

    Returns: Tensor, `input` itself.
    Raises TypeError: `beta` or `alpha` is not a number.
    Raises ValueError: the vectors are not 1-D, or do not fit the input's shape.
    Raises RuntimeError: `input` is a parameter whose gradient is being taken.
    Difference from PyTorch: ``beta`` and ``alpha`` may be positional.

    >>> x = ms.Tensor([[1.0, 1.0]])
    >>> print(ms.mint.addr_(x, ms.Tensor([2.0]), ms.Tensor([3.0, 4.0])))
    [[7. 9.]]
    """
    number("addr_", "beta", beta)
    number("addr_", "alpha", alpha)
    if vec1.dim() != 1 or vec2.dim() != 1:
        raise ValueError(
            f"For 'addr_', 'vec1' and 'vec2' must be 1-D, but got shapes {tuple(vec1.shape)} and "
            f"{tuple(vec2.shape)}."
        )
    input.addr_(vec1, vec2, beta=beta, alpha=alpha)
