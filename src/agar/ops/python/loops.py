"""Loops as operators: WhileLoop, ForiLoop and Scan."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe
from agar._core.optable import Primitive
from agar._core.tensor import Tensor
from agar.ops._checks import function

__all__ = ["ForiLoop", "Scan", "WhileLoop"]


# ------------------------------------------------------------------------------- loops


class WhileLoop(Primitive):
    """Repeat a function while a condition holds.

    Inputs:
        - **cond_func** (Callable) - takes the value, returns a bool or a Tensor of one element.
        - **loop_func** (Callable) - takes the value, returns the next one.
        - **init_val** - the first value: a Tensor, number, tuple, ...

    Outputs:
        The value for which the condition no longer holds.

    Raises:
        TypeError: `cond_func` or `loop_func` is not callable.

    Difference from PyTorch: Python's ``while``; any Python runs inside, gradients flow through.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.WhileLoop()(lambda x: x < 5, lambda x: x + 1, ms.Tensor(0)))
        5
    """

    def __init__(self) -> None:
        super().__init__("WhileLoop")

    def __call__(self, cond_func: Any, loop_func: Any, init_val: Any) -> Any:
        function("WhileLoop", "cond_func", cond_func)
        function("WhileLoop", "loop_func", loop_func)
        value = init_val
        while cond_func(value):
            value = loop_func(value)
        return value


def _loop_bound(name: str, value: Any) -> int:
    if isinstance(value, Tensor):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"For 'ForiLoop', the type of '{name}' should be one of '['int', 'Tensor']', but got "
            f"type '{type(value).__name__}'."
        )
    return value


class ForiLoop(Primitive):
    """Repeat a function over a range of indices.

    Inputs:
        - **lower** (Union[int, Tensor]) - the first index.
        - **upper** (Union[int, Tensor]) - the first index that is left out.
        - **loop_func** (Callable) - takes an index and the value, returns the next value.
        - **init_val** - the first value.
        - **unroll** (bool) - accepted for compatibility. Default: True.

    Outputs:
        The value after the last index; `init_val` if the range is empty.

    Raises:
        TypeError: a bound is neither int nor Tensor, or `loop_func` is not callable.

    Difference from PyTorch: Python's ``for``; any Python runs inside, gradients flow through.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ForiLoop()(0, 4, lambda i, x: x + i, ms.Tensor(0)))
        6
    """

    def __init__(self) -> None:
        super().__init__("ForiLoop")

    def __call__(
        self, lower: Any, upper: Any, loop_func: Any, init_val: Any, unroll: bool = True
    ) -> Any:
        first, end = _loop_bound("lower", lower), _loop_bound("upper", upper)
        function("ForiLoop", "loop_func", loop_func)
        value = init_val
        for i in range(first, end):
            value = loop_func(i, value)
        return value


class Scan(Primitive):
    """Carry a value through a sequence and collect an output at each element.

    Inputs:
        - **loop_func** (Callable) - takes the carried value and an element, returns the next
          carried value and an output.
        - **init** - the first carried value.
        - **xs** (Union[tuple, list, Tensor, None]) - the elements; a Tensor is taken apart along
          its first axis, None stands for `length` times None.
        - **length** (int) - the number of elements; needed only without `xs`. Default: None.
        - **unroll** (bool) - accepted for compatibility. Default: True.

    Outputs:
        tuple of the last carried value and the list of outputs.

    Raises:
        TypeError: `loop_func` is not callable, `xs` is not a sequence, or it does not return a
            pair.
        ValueError: `length` differs from the number of elements.

    Difference from PyTorch: Python's ``for``; any Python runs inside, gradients flow through.

    Source: behavior observed in MindSpore 2.10, which ignores a wrong `length`.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Scan()(lambda total, x: (total + x, total * x), 1, [2, 3])
        (6, [2, 9])
    """

    def __init__(self) -> None:
        super().__init__("Scan")

    def __call__(
        self, loop_func: Any, init: Any, xs: Any, length: int | None = None, unroll: bool = True
    ) -> tuple[Any, list[Any]]:
        function("Scan", "loop_func", loop_func)
        if xs is None and isinstance(length, int):
            xs = [None] * length
        elif isinstance(xs, Tensor):
            xs = list(xs)
        if not isinstance(xs, (tuple, list)):
            raise TypeError(
                "For 'Scan', 'xs' must be a tuple, list or Tensor, or None with 'length' an int, "
                f"but got xs={describe(xs)} and length={length!r}."
            )
        if length is not None and length != len(xs):
            raise ValueError(
                f"For 'Scan', 'length' must be the number of elements {len(xs)}, but got {length}."
            )
        carry, outputs = init, []
        for x in xs:
            result = loop_func(carry, x)
            if not isinstance(result, tuple) or len(result) != 2:
                raise TypeError(
                    "For 'Scan', loop_func must return a pair (carried value, output), but "
                    f"returned {describe(result)}."
                )
            carry, out = result
            outputs.append(out)
        return carry, outputs
