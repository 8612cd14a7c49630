"""What the steps of optimizers share: checks, arithmetic, and how states are written.

NOTE Steps. A step writes into its variable and its states, which keep their memory, and returns
them. No gradient flows through it. Variable, state and gradient have one shape; a gradient may be
of a narrower type than the variable, not of a wider one. Of float16 and bfloat16 variables the
arithmetic is float32. Rates and decays are numbers or tensors of one element; a number counts as
float32 has it, as in MindSpore's kernels, where 1 - 0.999 is 0.0010000467.

NOTE Results. MindSpore 2.10's CPU kernels of some steps leave what they return unwritten, ignore
`use_nesterov`, `gradient_scale` and `update_slots`, or take a sign wrong; agar follows the
documentation there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from agar._core import tensor as core
from agar._core.dtype import FROM_TORCH
from agar._core.optable import Primitive
from agar._core.runtime import runtime
from agar.ops._checks import boolean, number
from agar.ops.spec import Scalar

__all__: list[str] = [
    "ONE",
    "SQUARES",
    "STEP",
    "agree",
    "arithmetic_dtype",
    "check_attributes",
    "numbers",
    "shrunk",
    "square_root",
    "step_errors",
    "store",
    "wide",
]


def _take(op_name: str, first: Any, change: Callable[[Any], Any]) -> Any:
    """Run a step outside the gradient and wrap what it returns (NOTE Steps)."""
    with torch.no_grad():
        result = change(first._value if isinstance(first, core.Tensor) else first)
    runtime.weights += 1
    return core.wrap(result)


def check_attributes(instance: Primitive) -> None:
    """Check that the constructor's arguments are of the annotated types, bool or float.

    Raises:
        TypeError: one is of another type.
    """
    assert instance._entry is not None
    for p in instance._entry.params:
        if p.name not in instance.attrs:
            continue
        value = instance.attrs[p.name]
        if p.annotation == "bool":
            boolean(instance.name, p.name, value)
        elif p.annotation == "float" and not isinstance(value, float):
            raise TypeError(
                f"For '{instance.name}', the type of '{p.name}' should be 'float', but got type "
                f"'{type(value).__name__}'."
            )


#: How every step is declared.
STEP: dict[str, Any] = {
    "cast": "never",
    "inplace": _take,
    "differentiable": False,
    "setup": check_attributes,
}


def agree(
    op_name: str,
    states: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    *,
    free: tuple[str, ...] = (),
    shapes: bool = True,
) -> None:
    """Check the tensors of a step against the first state, which is the variable.

    Args:
        op_name: the operator.
        states: what is written, by name.
        inputs: what is read, by name.
        free: names of states that may have a type of their own.
        shapes: whether the inputs must have the variable's shape.

    Raises:
        TypeError: a state is of no floating type, or of a narrower one than the others.
        ValueError: the shapes differ.
    """
    (first, variable), *_ = states.items()
    one = [t.dtype for n, t in (*states.items(), *inputs.items()) if n not in free]
    common = one[0]
    for dtype in one[1:]:
        common = torch.promote_types(common, dtype)
    for name, value in states.items():
        if not (value.is_floating_point() or value.is_complex()):
            raise TypeError(
                f"For '{op_name}', '{name}' must be of a floating type, but got "
                f"{FROM_TORCH[value.dtype]}."
            )
        if value.dtype is not common and name not in free:
            raise TypeError(
                f"For '{op_name}', data type conversion is not supported for a 'Parameter': "
                f"'{name}' of type {FROM_TORCH[value.dtype]} cannot become {FROM_TORCH[common]}, "
                "the type of another argument; convert that one with .astype(...)."
            )
    for name, value in (*states.items(), *(inputs.items() if shapes else ())):
        if value.shape != variable.shape:
            raise ValueError(
                f"For '{op_name}', the shape of '{name}' must be that of '{first}', "
                f"{list(variable.shape)}, but got {list(value.shape)}."
            )


def wide(*values: Tensor) -> list[Tensor]:
    """The values in the type that a step computes in."""
    return [v.to(arithmetic_dtype(v.dtype)) for v in values]


def arithmetic_dtype(dtype: torch.dtype) -> torch.dtype:
    """The type in which a step of a variable of that type is computed."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def numbers(op_name: str, variable: Tensor, **values: Tensor | Scalar) -> list[Any]:
    """Rates and decays as the arithmetic takes them (NOTE Steps): 0-d tensors or floats.

    Raises:
        TypeError: one is not a number.
        ValueError: a tensor has more than one element.
    """
    items: list[Any] = []
    for name, value in values.items():
        if isinstance(value, Tensor):
            if value.numel() != 1:
                raise ValueError(
                    f"For '{op_name}', '{name}' must be a number or a tensor of one element, but "
                    f"got a tensor of shape {list(value.shape)}."
                )
            items.append(value.reshape(()).to(arithmetic_dtype(variable.dtype)))
        elif variable.dtype is torch.float64:
            items.append(float(number(op_name, name, value)))
        else:
            items.append(struct.unpack("f", struct.pack("f", number(op_name, name, value)))[0])
    return items


def store(*pairs: tuple[Tensor, Tensor]) -> Any:
    """Write each new value into its target; the targets, or the only one."""
    for target, value in pairs:
        target.data.copy_(value)  # .data: no version bump, a recorded graph stays usable
    return pairs[0][0] if len(pairs) == 1 else tuple(target for target, _ in pairs)


def square_root(value: Any) -> Any:
    """The square root of a tensor or a number."""
    return value.sqrt() if isinstance(value, Tensor) else value**0.5


def shrunk(value: Tensor, by: Any) -> Tensor:
    """Values moved toward zero by a distance, at most to zero."""
    return value.sign() * (value.abs() - by).clamp(min=0)


ONE = "f(2, 3), f(2, 3)"  # a variable and one state
SQUARES = "f(2, 3), f(2, 3), p(2, 3)"  # a variable, an average and an average of squares


def step_errors(before: str, after: str) -> tuple[tuple[str, type[Exception], str], ...]:
    """Wrong calls of a step: `before` are its arguments up to the gradient, `after` those behind.

    The first tensor of `before` is the variable.
    """
    return (
        (f"{before}, f(3){after}", ValueError, "shape"),
        (f"{before.replace('(2, 3)', '(2, 3).half()')}, f(2, 3){after}", TypeError, "conversion"),
        (f"i(2, 3){before[7:]}, f(2, 3){after}", TypeError, "floating"),
    )
