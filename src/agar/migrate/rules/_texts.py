"""Conditions, remarks and forms of templates which many rows of functions share."""

from __future__ import annotations

import re

__all__ = ["FILL", "LEGACY", "LIKE", "OUT", "SCALE_DOUBT", "SELU", "WHOLE_SCALE", "changed"]

#: selu by its definition
SELU = (
    "1.0507009873554805 * (ops.relu({input}) + 1.6732632423543772 * "
    "ops.expm1(ops.clamp({input}, max=0)))"
)


#: `size_average` and `reduce` of the losses.
LEGACY = {
    "size_average is not None or reduce is not None": "both are deprecated; give reduction instead"
}

#: `out=` of most functions.
OUT = {"out is not None": "assign the result instead, or write it there with out.copy_(result)"}

#: Whether a scale of an image is of whole numbers.
WHOLE_SCALE = (
    "all(float(s).is_integer() for s in (scale_factor if isinstance(scale_factor, (tuple, list)) "
    "else (scale_factor,)))"
)

#: What is marked where the source does not say so.
SCALE_DOUBT = (
    "if scale_factor is not whole, PyTorch computes the coordinates with it, and this with output "
    "size / input size: give the size, or see that it is whole"
)

#: Parameters of functions that create tensors and that change no number.
FILL = "layout device requires_grad pin_memory out memory_format generator"

#: The same of those which take their form from another tensor.
LIKE = "layout device requires_grad memory_format"


def changed(expression: str, name: str = "self") -> str:
    """A template that writes the value of an expression in `name` into that tensor.

    The expression reads a copy: MindSpore cannot differentiate an operator whose input is
    changed later.

    Args:
        expression (str): in ``{name}``.
        name (str): the parameter. Default: ``"self"``.
    """
    hole = re.escape(f"{{{name}}}")
    text = re.sub(rf"{hole}(?!\.(shape|dtype|ndim)\b)", f"{{{name}}}.copy()", expression)
    return f"{{{name}}}.copy_({text})"
