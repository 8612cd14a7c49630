"""Steps of momentum, descent and dual averaging over some rows of a variable."""

from __future__ import annotations

from torch import Tensor

from agar.ops.optim.adagrad import adagrad_da
from agar.ops.optim.common import STEP, numbers, shrunk
from agar.ops.optim.descent import centered_rms_prop
from agar.ops.optim.sparse_rows import (
    ROW_SAMPLES,
    checked_rows,
    documentation_ending,
    row_errors,
    step_in_turn,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# ------------------------------------------------------------------------- further steps


@primitive(
    "SparseApplyCenteredRMSProp",
    samples=(f"f(3, 2), f(3, 2), p(3, 2) + 3, f(3, 2), 0.1, 0.9, 0.8, 0.01, {ROW_SAMPLES}",),
    errors=row_errors("f(3, 2), f(3, 2), p(3, 2), f(3, 2), 0.1, 0.9, 0.8, 0.01", skip=False),
    **STEP,
)
def _sparse_apply_centered_rms_prop(
    var: Tensor,
    mg: Tensor,
    ms: Tensor,
    mom: Tensor,
    lr: Tensor | Scalar,
    rho: Tensor | Scalar,
    momentum: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    grad: Tensor,
    indices: Tensor,
    *,
    use_locking: bool = False,
) -> Tensor:
    """One step of :class:`ops.ApplyCenteredRMSProp` in some rows; the others stay.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mg**, **ms**, **mom** (Parameter) - the variable, the averages of gradients
          and squares, and the moment, of one shape.
        - **lr**, **rho**, **momentum**, **epsilon** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "SparseApplyCenteredRMSProp"
    states = {"var": var, "mg": mg, "ms": ms, "mom": mom}
    places, source = checked_rows(op_name, states, grad, indices, skip=False)
    rate, keep, drag, eps = numbers(
        op_name, var, lr=lr, rho=rho, momentum=momentum, epsilon=epsilon
    )

    def change(
        g: Tensor, old: Tensor, mean: Tensor, square: Tensor, moved: Tensor
    ) -> tuple[Tensor, ...]:
        return centered_rms_prop(old, mean, square, moved, g, rate, keep, drag, eps)

    return step_in_turn(places, source, (var, mg, ms, mom), change)[0]


documentation_ending(
    _sparse_apply_centered_rms_prop,
    "`var` alone",
    """
>>> start = (0.6, 0.1, 0.2, 0.2)
>>> w, g, s, m = (ms.Parameter(ms.Tensor([[x]]), name=str(x)) for x in start)
>>> step = ms.ops.operations.SparseApplyCenteredRMSProp()
>>> rows = ms.Tensor([0])
>>> print(step(w, g, s, m, 0.001, 1e-10, 0.001, 0.01, ms.Tensor([[0.3]]), rows))
[[0.5968]]
""",
    outside="raises",
)


@primitive(
    "SparseApplyMomentum",
    samples=(
        f"f(3, 2), f(3, 2), 0.1, {ROW_SAMPLES}, 0.9",
        f"f(3, 2), f(3, 2), 0.1, {ROW_SAMPLES}, 0.9, use_nesterov=True",
    ),
    errors=row_errors("f(3, 2), f(3, 2), 0.1", ", 0.9", skip=False),
    **STEP,
)
def _sparse_apply_momentum(
    var: Tensor,
    accum: Tensor,
    lr: Tensor | Scalar,
    grad: Tensor,
    indices: Tensor,
    momentum: Tensor | Scalar,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Tensor:
    """One step of :class:`ops.ApplyMomentum` in some rows; the others and their sum stay.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the momentum's sum, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
        - **momentum** (Union[float, Tensor]) - a number.
    """
    op_name = "SparseApplyMomentum"
    places, source = checked_rows(op_name, {"var": var, "accum": accum}, grad, indices, skip=False)
    rate, drag = numbers(op_name, var, lr=lr, momentum=momentum)

    def change(g: Tensor, old: Tensor, moved: Tensor) -> tuple[Tensor, ...]:
        moved = drag * moved + g
        return old - rate * (g + drag * moved if use_nesterov else moved), moved

    return step_in_turn(places, source, (var, accum), change)[0]


documentation_ending(
    _sparse_apply_momentum,
    "`var` alone",
    """
>>> w, v = (ms.Parameter(ms.Tensor([[x], [x]]), name=str(x)) for x in (4.1, 2.2))
>>> step = ms.ops.operations.SparseApplyMomentum()
>>> print(step(w, v, 0.01, ms.Tensor([[0.3]]), ms.Tensor([0]), 0.99))
[[4.07522]
 [4.1    ]]
""",
    source="behavior observed in MindSpore 2.10; its CPU kernel ignores `use_nesterov`",
    outside="raises",
)


@primitive(
    "SparseApplyProximalGradientDescent",
    samples=(f"f(3, 2), 0.1, 1.2, 0.3, {ROW_SAMPLES}",),
    errors=row_errors("f(3, 2), 0.1, 1.2, 0.3", skip=False),
    **STEP,
)
def _sparse_apply_proximal_gradient_descent(
    var: Tensor,
    alpha: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    grad: Tensor,
    indices: Tensor,
    *,
    use_locking: bool = False,
) -> Tensor:
    """One step of :class:`ops.ApplyProximalGradientDescent` in some rows; the others stay.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "SparseApplyProximalGradientDescent"
    places, source = checked_rows(op_name, {"var": var}, grad, indices, skip=False)
    rate, lasso, ridge = numbers(op_name, var, alpha=alpha, l1=l1, l2=l2)

    def change(g: Tensor, old: Tensor) -> tuple[Tensor, ...]:
        return (shrunk(old - rate * g, rate * lasso) / (1 + rate * ridge),)

    return step_in_turn(places, source, (var,), change)[0]


documentation_ending(
    _sparse_apply_proximal_gradient_descent,
    "`var` alone",
    """
>>> w = ms.Parameter(ms.Tensor([[4.1, 7.2], [1.1, 3.0]]), name="w")
>>> step = ms.ops.operations.SparseApplyProximalGradientDescent()
>>> print(step(w, 1.0, 1.0, 0.0, ms.ops.ones((2, 2)), ms.Tensor([0, 1])))
[[2.1 5.2]
 [0.  1. ]]
""",
    outside="raises",
)


@primitive(
    "SparseApplyAdagradDA",
    samples=(f"f(3, 2), f(3, 2), p(3, 2), {ROW_SAMPLES}, 0.1, 0.2, 0.3, 2",),
    errors=row_errors("f(3, 2), f(3, 2), p(3, 2)", ", 0.1, 0.2, 0.3, 2", skip=False),
    **STEP,
)
def _sparse_apply_adagrad_da(
    var: Tensor,
    grad_accum: Tensor,
    grad_square_accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    lr: Tensor | Scalar,
    l1: Tensor | Scalar,
    l2: Tensor | Scalar,
    global_step: Tensor | Scalar,
    *,
    use_locking: bool = False,
) -> Tensor:
    """One step of :class:`ops.ApplyAdagradDA` in some rows; the others and their sums stay.

    Attributes:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **grad_accum**, **grad_square_accum** (Parameter) - the variable and the sums of
          gradients and of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
        - **lr**, **l1**, **l2**, **global_step** (Union[float, Tensor]) - numbers.
    """
    op_name = "SparseApplyAdagradDA"
    states = {"var": var, "grad_accum": grad_accum, "grad_square_accum": grad_square_accum}
    places, source = checked_rows(op_name, states, grad, indices, skip=False)
    rates = numbers(op_name, var, lr=lr, l1=l1, l2=l2, global_step=global_step)

    def change(g: Tensor, old: Tensor, total: Tensor, square: Tensor) -> tuple[Tensor, ...]:
        return adagrad_da(total, square, g, *rates)

    return step_in_turn(places, source, (var, grad_accum, grad_square_accum), change)[0]


documentation_ending(
    _sparse_apply_adagrad_da,
    "`var` alone",
    """
>>> w, a, b = (ms.Parameter(ms.Tensor([[x]]), name=str(x)) for x in (1.0, 2.0, 4.0))
>>> step = ms.ops.operations.SparseApplyAdagradDA()
>>> print(step(w, a, b, ms.Tensor([[5.0]]), ms.Tensor([0]), 2.0, -1.0, 1.0, 1))
[[-1.8956923]]
""",
    outside="raises",
)
