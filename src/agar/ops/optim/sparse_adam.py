"""Steps of Adam and Ftrl over some rows of a variable."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops.optim.adagrad import ftrl
from agar.ops.optim.common import STEP, check_attributes, numbers, store, wide
from agar.ops.optim.sparse_rows import (
    ROW_SAMPLES,
    checked_rows,
    documentation_ending,
    row_errors,
    step_added,
    step_in_turn,
    whole_variable,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# --------------------------------------------------------------------------------------- Adam

_STATE = "f(4, 2), f(4, 2), p(4, 2)"
_RATES = "0.9, 0.99, 0.1, 0.9, 0.99, 1e-8"


def _adam_rates(op_name: str, var: Tensor, **values: Tensor | Scalar) -> list[Any]:
    """The decays, epsilon and the corrected rate."""
    power1, power2, rate, keep1, keep2, eps = numbers(op_name, var, **values)
    correction = (1 - power2) ** 0.5 / (1 - power1)
    return [keep1, keep2, eps, rate * correction]


@primitive(
    "FusedSparseAdam",
    samples=(
        f"{_STATE}, {_RATES}, {ROW_SAMPLES}",
        f"{_STATE}, {_RATES}, {ROW_SAMPLES}, use_nesterov=True",
    ),
    errors=row_errors(f"{_STATE}, {_RATES}"),
    **STEP,
)
def _fused_sparse_adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    gradient: Tensor,
    indices: Tensor,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.Adam` with a gradient that is zero outside of some rows.

    The averages of all rows decay. With `use_nesterov`, the variable changes in the given rows
    only, as observed.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "FusedSparseAdam"
    places, source = checked_rows(
        op_name, {"var": var, "m": m, "v": v}, gradient, indices, skip=True
    )
    grad = whole_variable(places, source, var)
    keep1, keep2, eps, rate = _adam_rates(
        op_name,
        var,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )
    old, mean, square = wide(var, m, v)
    mean = keep1 * mean + (1 - keep1) * grad
    square = keep2 * square + (1 - keep2) * grad * grad
    ahead = mean
    if use_nesterov:
        given = torch.zeros_like(mean).index_fill(0, places, 1.0)
        ahead = given * (keep1 * mean + (1 - keep1) * grad)
    new = old - rate * ahead / (square.sqrt() + eps)
    return store((var, new), (m, mean), (v, square))


documentation_ending(
    _fused_sparse_adam,
    "`var`, `m` and `v`",
    """
>>> w, m, v = (ms.Parameter(ms.ops.ones((3, 1)), name=n) for n in "wmv")
>>> grad, rows = ms.Tensor([[0.1], [0.1]]), ms.Tensor([0, 1])
>>> step = ms.ops.FusedSparseAdam()
>>> out = step(w, m, v, 0.9, 0.999, 0.001, 0.9, 0.999, 1e-8, grad, rows)
>>> print(w.value())
[[0.9997121 ]
 [0.9997121 ]
 [0.99971527]]
""",
)


@primitive(
    "FusedSparseLazyAdam",
    samples=(
        f"{_STATE}, {_RATES}, {ROW_SAMPLES}",
        f"{_STATE}, {_RATES}, {ROW_SAMPLES}, use_nesterov=True",
    ),
    errors=row_errors(f"{_STATE}, {_RATES}"),
    **STEP,
)
def _fused_sparse_lazy_adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor | Scalar,
    beta2_power: Tensor | Scalar,
    lr: Tensor | Scalar,
    beta1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    gradient: Tensor,
    indices: Tensor,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.Adam` in some rows; the others and their averages stay.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "FusedSparseLazyAdam"
    places, source = checked_rows(
        op_name, {"var": var, "m": m, "v": v}, gradient, indices, skip=True
    )
    keep1, keep2, eps, rate = _adam_rates(
        op_name,
        var,
        beta1_power=beta1_power,
        beta2_power=beta2_power,
        lr=lr,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
    )

    def change(grad: Tensor, old: Tensor, mean: Tensor, square: Tensor) -> tuple[Tensor, ...]:
        mean = keep1 * mean + (1 - keep1) * grad
        square = keep2 * square + (1 - keep2) * grad * grad
        ahead = keep1 * mean + (1 - keep1) * grad if use_nesterov else mean
        return old - rate * ahead / (square.sqrt() + eps), mean, square

    return step_added(places, source, (var, m, v), change)


documentation_ending(
    _fused_sparse_lazy_adam,
    "`var`, `m` and `v`",
    """
>>> w, m, v = (ms.Parameter(ms.ops.ones((3, 1)), name=n) for n in "wmv")
>>> grad, rows = ms.Tensor([[0.1], [0.1]]), ms.Tensor([0, 1])
>>> step = ms.ops.FusedSparseLazyAdam()
>>> out = step(w, m, v, 0.9, 0.999, 0.001, 0.9, 0.999, 1e-8, grad, rows)
>>> print(w.value())
[[0.9997121]
 [0.9997121]
 [1.       ]]
""",
    difference="``torch.optim.SparseAdam`` is the optimizer",
)


# --------------------------------------------------------------------------------------- FTRL


def _check_ftrl(instance: Primitive) -> None:
    check_attributes(instance)
    if instance.lr <= 0:
        raise ValueError(
            f"For '{instance.name}', the 'lr' must be float and must > 0, but got '{instance.lr}'."
        )
    for name in ("l1", "l2"):
        if instance.attrs[name] < 0:
            raise ValueError(
                f"For '{instance.name}', the '{name}' must be float and must >= 0, but got "
                f"'{instance.attrs[name]}'."
            )
    if instance.lr_power > 0:
        raise ValueError(
            f"For '{instance.name}', the argument 'lr_power' must <= 0, but got "
            f"{instance.lr_power}."
        )


_FTRL_DOC = r"""One step of :class:`ops.ApplyFtrl` in some rows; the others and their state stay.

    Attributes:
        lr (float): the learning rate, above 0.
        l1 (float): strength of the l1 term, at least 0.
        l2 (float): strength of the l2 term, at least 0.
{shrinkage}        lr_power (float): at most 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - the variable and its state, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
"""
_FTRL_EXAMPLE = """
>>> w, n, z = (ms.Parameter(ms.ops.ones((2, 1)), name=n) for n in "wnz")
>>> step = ms.ops.{name}({rates})
>>> out = step(w, n, z, ms.Tensor([[0.1]]), ms.Tensor([1]))
>>> print(w.value())
[[ 1.        ]
 [-0.00598256]]
"""
_FTRL_STATE = "f(4, 2), p(4, 2), f(4, 2)"


def _ftrl_rows(
    op_name: str,
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    **rates: float,
) -> tuple[Tensor, ...]:
    states = {"var": var, "accum": accum, "linear": linear}
    places, source = checked_rows(op_name, states, grad, indices, skip=True)
    values = numbers(op_name, var, **rates)
    step = step_added if op_name == "FusedSparseFtrl" else step_in_turn
    return step(
        places,
        source,
        (var, accum, linear),
        lambda g, old, square, slope: ftrl(old, square, slope, g, *values),
    )


def _declare_ftrl(name: str, source: str) -> None:
    def impl(
        var: Tensor,
        accum: Tensor,
        linear: Tensor,
        grad: Tensor,
        indices: Tensor,
        *,
        lr: float,
        l1: float,
        l2: float,
        lr_power: float,
        use_locking: bool = False,
    ) -> tuple[Tensor, ...]:
        return _ftrl_rows(
            name, var, accum, linear, grad, indices, lr=lr, l1=l1, l2=l2, lr_power=lr_power
        )

    impl.__doc__ = _FTRL_DOC.format(shrinkage="")
    example = _FTRL_EXAMPLE.format(name=name, rates="0.01, 0.0, 0.0, -0.5")
    documentation_ending(impl, "`var`, `accum` and `linear`", example, source=source)
    rates = "lr=0.1, l1=0.2, l2=0.3"
    primitive(
        name,
        samples=(
            f"{_FTRL_STATE}, {ROW_SAMPLES}, {rates}, lr_power=-0.5",
            f"{_FTRL_STATE}, {ROW_SAMPLES}, {rates}, lr_power=-0.3",
        ),
        errors=(
            *row_errors(_FTRL_STATE, f", {rates}, lr_power=-0.5"),
            (f"{_FTRL_STATE}, {ROW_SAMPLES}, {rates}, lr_power=0.5", ValueError, "lr_power"),
            (f"{_FTRL_STATE}, {ROW_SAMPLES}, lr=1, l1=0.2, l2=0.3, lr_power=0.5", TypeError, "lr"),
            (
                f"{_FTRL_STATE}, {ROW_SAMPLES}, lr=0.0, l1=0.2, l2=0.3, lr_power=0.5",
                ValueError,
                "lr",
            ),
            (
                f"{_FTRL_STATE}, {ROW_SAMPLES}, lr=0.1, l1=-0.2, l2=0.3, lr_power=0.5",
                ValueError,
                "l1",
            ),
        ),
        **{**STEP, "setup": _check_ftrl},
    )(impl)


_declare_ftrl("FusedSparseFtrl", "behavior observed in MindSpore 2.10")
_declare_ftrl("SparseApplyFtrl", "behavior observed in MindSpore 2.10")


@primitive(
    "SparseApplyFtrlV2",
    samples=(
        f"{_FTRL_STATE}, {ROW_SAMPLES}, lr=0.1, l1=0.2, l2=0.3, l2_shrinkage=0.4, lr_power=-0.5",
    ),
    errors=row_errors(_FTRL_STATE, ", lr=0.1, l1=0.2, l2=0.3, l2_shrinkage=0.4, lr_power=-0.5"),
    **{**STEP, "setup": _check_ftrl},
)
def _sparse_apply_ftrl_v2(
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    *,
    lr: float,
    l1: float,
    l2: float,
    l2_shrinkage: float,
    lr_power: float,
    use_locking: bool = False,
) -> tuple[Tensor, ...]:
    return _ftrl_rows(
        "SparseApplyFtrlV2",
        var,
        accum,
        linear,
        grad,
        indices,
        lr=lr,
        l1=l1,
        l2=l2,
        lr_power=lr_power,
        shrinkage=l2_shrinkage,
    )


_sparse_apply_ftrl_v2.__doc__ = _FTRL_DOC.format(
    shrinkage="        l2_shrinkage (float): times 2 w, it is added to the gradient, though not\n"
    "            to its square.\n"
)
documentation_ending(
    _sparse_apply_ftrl_v2,
    "`var`, `accum` and `linear`",
    _FTRL_EXAMPLE.format(name="SparseApplyFtrlV2", rates="0.01, 0.0, 0.0, 0.0, -0.5"),
    source="TensorFlow's operator of this name; MindSpore 2.10 has no CPU kernel",
)
