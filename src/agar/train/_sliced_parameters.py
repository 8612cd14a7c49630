"""Parameters that were split over devices."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core.dtype import bfloat16
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

__all__ = ["merge_sliced_parameter"]


def merge_sliced_parameter(
    sliced_parameters: list[Parameter], strategy: dict[str, Any] | None = None
) -> Parameter:
    """Put the parts of a parameter, split along the first axis, together.

    Args:
        sliced_parameters (list[Parameter]): the parts in order of their devices, of one name.
        strategy (dict): how they were split otherwise, not supported. Default: ``None``.

    Returns:
        Parameter.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: there is no part, or their names or shapes do not fit.
        NotImplementedError: a `strategy` is given.

    Difference from PyTorch: ``torch.cat``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> parts = [ms.Parameter(ms.Tensor([1.0]), "w"), ms.Parameter(ms.Tensor([2.0]), "w")]
        >>> print(ms.merge_sliced_parameter(parts).asnumpy())
        [1. 2.]
    """
    who = "merge_sliced_parameter"
    if not isinstance(sliced_parameters, list):
        raise TypeError(
            f"For '{who}', the argument 'sliced_parameters' should be list, but got "
            f"{type(sliced_parameters)}."
        )
    if not sliced_parameters:
        raise ValueError(f"For '{who}', the argument 'sliced_parameters' should not be empty.")
    if strategy and not isinstance(strategy, dict):
        raise TypeError(
            f"For '{who}', the argument 'strategy' should be dict, but got {type(strategy)}."
        )
    if strategy:
        raise NotImplementedError(
            f"'{who}' with a 'strategy' is not available in agar: strategies describe models that "
            "MindSpore split over devices. Put the parts together with ops.cat."
        )
    for index, part in enumerate(sliced_parameters):
        if not isinstance(part, Parameter):
            raise TypeError(
                f"For '{who}', the element in 'sliced_parameters' should be 'Parameter', but got "
                f"{type(part)} at index {index}."
            )
    first = sliced_parameters[0]
    for index, part in enumerate(sliced_parameters):
        fits = len(part.shape) == len(first.shape) and part.shape[1:] == first.shape[1:]
        if part.name != first.name or not fits:
            raise ValueError(
                f"For '{who}', the elements in 'sliced_parameters' must have the same name and "
                f"shape except axis 0: {first.name} {tuple(first.shape)}, but got {part.name} "
                f"{tuple(part.shape)} at index {index}."
            )
    data = np.concatenate(
        [p.float().asnumpy() if p.dtype is bfloat16 else p.asnumpy() for p in sliced_parameters]
    )
    return Parameter(Tensor(data), first.name, first.requires_grad, first.layerwise_parallel)
