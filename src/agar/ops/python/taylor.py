"""Higher derivatives along a curve, and linear approximations: jet, derivative, linearize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.autodiff import map_tensors
from agar._core.errors import describe
from agar._core.tensor import Tensor, wrap
from agar._core.transforms import jvp

__all__ = ["derivative", "jet", "linearize"]

_WIDE = (torch.float32, torch.float64)
_INTEGERS = (torch.int32, torch.int64)


def _floating(op_name: str, name: str, value: Any) -> torch.Tensor:
    """A tensor's values in a type that can be differentiated: integers become float32."""
    if not isinstance(value, Tensor):
        raise TypeError(f"For '{op_name}', '{name}' must be Tensors, but got {describe(value)}.")
    t = value._value
    if t.dtype in _INTEGERS:
        return t.float()
    if t.dtype not in _WIDE:
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be int32, int64, float32 or float64, but "
            f"got {value.dtype}."
        )
    return t


def _derivatives(
    fn: Callable[..., Any], primals: Sequence[torch.Tensor], series: Sequence[torch.Tensor]
) -> tuple[list[list[torch.Tensor]], bool]:
    r"""The derivatives of :math:`f(x(t))` at 0 for each output, from order 0 on.

    The curve is :math:`x(t) = x + \sum_k s_k t^k / k!`. Forward mode runs once for each order,
    each run around the one before. The second result says whether there are several outputs.
    """
    order = series[0].shape[0]
    several = False

    def along(t: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], ...]:
        nonlocal several
        points = []
        for x, s in zip(primals, series, strict=True):
            offset, power = torch.zeros_like(x), torch.ones_like(t)
            for k in range(order):
                power = power * t / (k + 1)
                offset = offset + s[k] * power
            points.append(wrap(x + offset))
        out = fn(*points)
        several = isinstance(out, (tuple, list))
        return (tuple(o._value for o in (out if several else (out,))),)

    def one_more(lower: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor], Any]:
        def higher(t: torch.Tensor) -> Any:
            result = torch.func.jvp(lower, (t,), (torch.ones_like(t),))
            return (*result[0], result[1][-1])

        return higher

    run = along
    for _ in range(order):
        run = one_more(run)
    start = torch.zeros((), dtype=primals[0].dtype, device=primals[0].device)
    return [list(values) for values in zip(*run(start), strict=True)], several


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    r"""The value of a function along a curve, and its derivatives by the curve's parameter.

    .. math::
        y(t) = f(x(t)), \quad x(t) = x + \sum_{k=1}^{n} s_k t^k / k!

    Args:
        fn (Union[Cell, Callable]): the function :math:`f`.
        primals (Union[Tensor, tuple[Tensor]]): where the curve starts: the inputs of `fn`.
        series (Union[Tensor, tuple[Tensor]]): for each input the derivatives :math:`s_1 \dots s_n`
            of the curve, along a new first axis. Of the input's shape itself for n = 1.

    Returns:
        tuple of the output and its derivatives :math:`y^{(1)}(0) \dots y^{(n)}(0)` along a new
        first axis; lists of such if `fn` has several outputs. Integers count as float32.

    Raises:
        TypeError: an argument is not a Tensor or tuple of Tensors, or of a type without
            derivatives.
        ValueError: the shapes or numbers of `primals` and `series` differ.

    Difference from PyTorch: no counterpart; nested ``torch.func.jvp``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x, s = ms.Tensor([2.0]), ms.Tensor([[1.0], [0.0]])
        >>> value, derivatives = ms.ops.jet(lambda x: x**3, x, s)
        >>> print(value, derivatives[:, 0])
        [8.] [12. 12.]
    """
    single = isinstance(primals, Tensor) and isinstance(series, Tensor)
    if not single and not (isinstance(primals, tuple) and isinstance(series, tuple)):
        raise TypeError(
            "For 'jet', 'primals' and 'series' must be both Tensor or both tuple, but got "
            f"{describe(primals)} and {describe(series)}."
        )
    starts: Any = (primals,) if single else primals
    curves: Any = (series,) if single else series
    if len(starts) != len(curves) or not starts:
        raise ValueError(
            "For 'jet', the lengths of 'primals' and 'series' must be the same and not 0, but got "
            f"{len(starts)} and {len(curves)}."
        )
    xs, ss = [], []
    for x, s in zip(starts, curves, strict=True):
        start, curve = _floating("jet", "primals", x), _floating("jet", "series", s)
        if start.shape == curve.shape:
            curve = curve.unsqueeze(0)
        if curve.shape[1:] != start.shape:
            raise ValueError(
                "For 'jet', the shape of each element of 'series' must be that of 'primals', but "
                f"got {tuple(curve.shape[1:])} and {tuple(start.shape)}."
            )
        if x.dtype != s.dtype:
            raise TypeError(
                "For 'jet', 'primals' and 'series' must be of the same type, but got "
                f"{x.dtype} and {s.dtype}."
            )
        xs.append(start)
        ss.append(curve)
    if len({s.shape[0] for s in ss}) > 1:
        raise ValueError(
            "For 'jet', every element of 'series' must go to the same order, but got "
            f"{[s.shape[0] for s in ss]}."
        )
    result, several = _derivatives(fn, xs, ss)
    values = [wrap(v[0]) for v in result]
    higher = [wrap(torch.stack(v[1:])) for v in result]
    return (values, higher) if several else (values[0], higher[0])


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    r"""The value of a function and one of its higher derivatives along all inputs at once.

    .. math::
        \frac{d^n}{dt^n} f(x + t) \Big|_{t=0}

    For a function that works element by element this is the n-th derivative of each element.

    Args:
        fn (Union[Cell, Callable]): the function :math:`f`.
        primals (Union[Tensor, tuple[Tensor]]): its inputs.
        order (int): the order n, at least 1.

    Returns:
        tuple of the output and its derivative of that order; lists of such if `fn` has several
        outputs. Integers count as float32.

    Raises:
        TypeError: `order` is not an int, or an input is not a Tensor of a type with derivatives.
        ValueError: `order` is less than 1.

    Difference from PyTorch: no counterpart; nested ``torch.func.jvp``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> value, second = ms.ops.derivative(lambda x: x**3, ms.Tensor([1.0, 2.0]), 2)
        >>> print(value, second)
        [1. 8.] [ 6. 12.]
    """
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"For 'derivative', the type of 'order' must be int, but got {order!r}.")
    if order < 1:
        raise ValueError(f"For 'derivative', 'order' must not be less than 1, but got {order}.")
    inputs = primals if isinstance(primals, (tuple, list)) else (primals,)
    xs = [_floating("derivative", "primals", x) for x in inputs]
    if not xs:
        raise ValueError("For 'derivative', 'primals' must not be empty.")
    ss = []
    for x in xs:
        s = torch.zeros((order, *x.shape), dtype=x.dtype, device=x.device)
        s[0] = 1
        ss.append(s)
    result, several = _derivatives(fn, xs, ss)
    values, last = [wrap(v[0]) for v in result], [wrap(v[-1]) for v in result]
    return (values, last) if several else (values[0], last[0])


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[..., Any]]:
    r"""The value of a function and its linear approximation there.

    Args:
        fn (Union[Cell, Callable]): the function :math:`f`.
        inputs (Union[Tensor, tuple[Tensor], list[Tensor]]): its inputs :math:`x`.

    Returns:
        tuple of :math:`f(x)` and a function that takes a direction :math:`v`, a Tensor or tuple of
        Tensors like `inputs`, and returns :math:`J_f(x) v`.

    Raises:
        TypeError: an input is not a Tensor.
        ValueError: a direction does not fit the inputs.

    Difference from PyTorch: ``torch.func.linearize`` takes the inputs one by one.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> out, along = ms.ops.linearize(lambda x: x**3, ms.Tensor([1.0, 2.0]))
        >>> print(out, along(ms.Tensor([1.0, 0.0])))
        [1. 8.] [3. 0.]
    """
    xs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    for x in xs:
        if not isinstance(x, Tensor):
            raise TypeError(
                f"For 'linearize', 'inputs' must be a Tensor or a tuple or list of Tensors, but "
                f"got {describe(inputs)}."
            )
    # later changes of the inputs must not move the point
    fixed = map_tensors(xs, lambda t: wrap(t._value.clone()))
    return fn(*xs), lambda v: jvp(fn, fixed, v)[1]
