"""The two halves of a LAMB step as Primitives."""

from __future__ import annotations

import torch
from torch import Tensor

from agar.ops.optim.common import STEP, agree, numbers, store, wide
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# --------------------------------------------------------------------------------------- LAMB


@primitive(
    "LambApplyOptimizerAssign",
    samples=("f(2, 3), p(2, 3), f(2, 3), f(2, 3), 0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.1",),
    errors=(
        (
            "f(3), p(2, 3), f(2, 3), f(2, 3), 0.9, 0.1, 0.99, 0.01, 1e-6, 2.0, 1.0, 0.1",
            ValueError,
            "shape",
        ),
    ),
    **STEP,
)
def _lamb_apply_optimizer_assign(
    gradient: Tensor,
    v: Tensor,
    m: Tensor,
    var: Tensor,
    beta1: Tensor | Scalar,
    sub1: Tensor | Scalar,
    beta2: Tensor | Scalar,
    sub2: Tensor | Scalar,
    epsilon: Tensor | Scalar,
    steps: Tensor | Scalar,
    decay_flag: Tensor | Scalar,
    weight_decay: Tensor | Scalar,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The averages of LAMB, and the direction of its step.

    .. math::
        m = \beta_1 m + s_1 g, \quad
        v = \beta_2 v + s_2 g^2, \quad
        update = \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}
            + flag \cdot decay \cdot w

    Inputs:
        - **gradient** (Tensor) - the gradient.
        - **v**, **m** (Parameter) - the averages, which are written.
        - **var** (Tensor) - the variable w, of the same shape.
        - **beta1**, **sub1**, **beta2**, **sub2**, **epsilon**, **steps**, **decay_flag**,
          **weight_decay** (Union[float, Tensor]) - numbers; `sub1` and `sub2` are 1 less the
          decays, `steps` is t.

    Outputs: Tuple of the update, `v` and `m`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> v, m = (ms.Parameter(ms.ops.zeros(1), name=n) for n in "vm")
    >>> step = ms.ops.operations.LambApplyOptimizerAssign()
    >>> one = ms.ops.ones(1)
    >>> print(step(one, v, m, one, 0.9, 0.1, 0.99, 0.01, 0.0, 1.0, 1.0, 0.5)[0])
    [1.4999993]
    """
    op_name = "LambApplyOptimizerAssign"
    agree(op_name, {"v": v, "m": m}, {"gradient": gradient, "var": var})
    keep1, rest1, keep2, rest2, eps, count, flag, decay = numbers(
        op_name,
        m,
        beta1=beta1,
        sub1=sub1,
        beta2=beta2,
        sub2=sub2,
        epsilon=epsilon,
        steps=steps,
        decay_flag=decay_flag,
        weight_decay=weight_decay,
    )
    g, square, mean, old = wide(gradient, v, m, var)
    mean, square = keep1 * mean + rest1 * g, keep2 * square + rest2 * g * g
    corrected = square / (1 - keep2**count)
    update = mean / (1 - keep1**count) / (corrected.sqrt() + eps) + flag * decay * old
    store((m, mean), (v, square))
    return update.to(m.dtype), v, m


@primitive(
    "LambApplyWeightAssign",
    samples=("u(1), p(1), 0.1, f(2, 3), f(2, 3)", "torch.zeros(1), p(1), 0.1, f(2, 3), f(2, 3)"),
    errors=(("u(1), p(1), 0.1, f(3), f(2, 3)", ValueError, "shape"),),
    **STEP,
)
def _lamb_apply_weight_assign(
    w_norm: Tensor | Scalar,
    g_norm: Tensor | Scalar,
    lr: Tensor | Scalar,
    update: Tensor,
    var: Tensor,
) -> Tensor:
    r"""The step of LAMB: :math:`w = w - lr \frac{\|w\|}{\|u\|} u`.

    Where a norm is zero, the quotient is 1.

    Inputs:
        - **w_norm**, **g_norm**, **lr** (Union[float, Tensor]) - both norms and the rate.
        - **update** (Tensor) - u, the direction.
        - **var** (Parameter) - the variable w, of the same shape, which is written.

    Outputs: `var`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
    >>> step = ms.ops.operations.LambApplyWeightAssign()
    >>> print(step(5.0, 2.0, 0.1, ms.Tensor([2.0, 0.0]), w))
    [2.5 4. ]
    """
    op_name = "LambApplyWeightAssign"
    agree(op_name, {"var": var}, {"update": update})
    size_w, size_u, rate = numbers(op_name, var, w_norm=w_norm, g_norm=g_norm, lr=lr)
    old, direction = wide(var, update)
    size_w, size_u = (
        torch.as_tensor(size, dtype=old.dtype, device=old.device) for size in (size_w, size_u)
    )
    share = torch.where((size_w > 0) & (size_u > 0), size_w / size_u, torch.ones_like(size_w))
    return store((var, old - rate * share * direction))
