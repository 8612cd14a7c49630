"""Steps of Adagrad, Adadelta and RMSProp over some rows of a variable."""

from __future__ import annotations

from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import between
from agar.ops.optim.adagrad import adadelta, proximal_adagrad
from agar.ops.optim.common import STEP, check_attributes, numbers
from agar.ops.optim.descent import rms_prop
from agar.ops.optim.sparse_rows import (
    ROW_SAMPLES,
    checked_rows,
    documentation_ending,
    row_errors,
    step_added,
    step_in_turn,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# -------------------------------------------------------------------------- sums of squares

_SUM = "f(4, 2), p(4, 2)"


def _adagrad_rows(
    op_name: str,
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    update_slots: bool,
    second: bool,
    **rates: float,
) -> tuple[Tensor, ...]:
    places, source = checked_rows(
        op_name, {"var": var, "accum": accum}, grad, indices, skip=not second
    )
    rate, eps = numbers(op_name, var, **rates)

    def change(g: Tensor, old: Tensor, square: Tensor) -> tuple[Tensor, ...]:
        if update_slots:
            square = square + g * g
        return old - rate * g / (square + eps).sqrt(), square

    return (step_in_turn if second else step_added)(places, source, (var, accum), change)


@primitive(
    "SparseApplyAdagrad",
    samples=(
        f"{_SUM}, {ROW_SAMPLES}, lr=0.1",
        f"{_SUM}, {ROW_SAMPLES}, lr=0.1, update_slots=False",
    ),
    errors=row_errors(_SUM, ", lr=0.1"),
    **STEP,
)
def _sparse_apply_adagrad(
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    *,
    lr: float,
    update_slots: bool = True,
    use_locking: bool = False,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.ApplyAdagrad` in some rows; the others and their state stay.

    Attributes:
        lr (float): the learning rate.
        update_slots (bool): whether `accum` changes. Default: True.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    return _adagrad_rows(
        "SparseApplyAdagrad", var, accum, grad, indices, update_slots, False, lr=lr, epsilon=0.0
    )


_ADAGRAD_EXAMPLE = """
>>> w, a = (ms.Parameter(ms.ops.ones((2, 1)), name=n) for n in "wa")
>>> step = ms.ops.{name}({rates})
>>> out = step(w, a, ms.Tensor([[0.75]]), ms.Tensor([1]))
>>> print(w.value()[1], a.value()[1])
[0.4] [1.5625]
"""
documentation_ending(
    _sparse_apply_adagrad,
    "`var` and `accum`",
    _ADAGRAD_EXAMPLE.format(name="SparseApplyAdagrad", rates="1.0"),
)


@primitive(
    "SparseApplyAdagradV2",
    samples=(
        f"{_SUM}, {ROW_SAMPLES}, lr=0.1, epsilon=1e-3",
        f"{_SUM}, {ROW_SAMPLES}, lr=0.1, epsilon=1e-3, update_slots=False",
    ),
    errors=row_errors(_SUM, ", lr=0.1, epsilon=1e-3", skip=False),
    **STEP,
)
def _sparse_apply_adagrad_v2(
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    *,
    lr: float,
    epsilon: float,
    use_locking: bool = False,
    update_slots: bool = True,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.ApplyAdagrad` in some rows, with an epsilon under the root.

    Attributes:
        lr (float): the learning rate.
        epsilon (float): added to `accum` before the root, as observed.
        use_locking (bool): accepted for compatibility. Default: False.
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    return _adagrad_rows(
        "SparseApplyAdagradV2",
        var,
        accum,
        grad,
        indices,
        update_slots,
        True,
        lr=lr,
        epsilon=epsilon,
    )


documentation_ending(
    _sparse_apply_adagrad_v2,
    "`var` and `accum`",
    _ADAGRAD_EXAMPLE.format(name="SparseApplyAdagradV2", rates="1.0, 1e-9"),
    outside="raises",
)


def _declare_proximal(name: str, source: str) -> None:
    def impl(
        var: Tensor,
        accum: Tensor,
        lr: Tensor | Scalar,
        l1: Tensor | Scalar,
        l2: Tensor | Scalar,
        grad: Tensor,
        indices: Tensor,
        *,
        use_locking: bool = False,
    ) -> tuple[Tensor, ...]:
        """One step of :class:`ops.ApplyProximalAdagrad` in some rows; the others stay.

        Attributes:
            use_locking (bool): accepted for compatibility. Default: False.

        Inputs:
            - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
            - **lr**, **l1**, **l2** (Union[float, Tensor]) - numbers.
            - **grad** (Tensor) - one slice for each index.
            - **indices** (Tensor) - integers, 1-D: indices of the first axis.
        """
        places, rows = checked_rows(name, {"var": var, "accum": accum}, grad, indices, skip=True)
        rates = numbers(name, var, lr=lr, l1=l1, l2=l2)
        return step_added(
            places,
            rows,
            (var, accum),
            lambda g, old, square: proximal_adagrad(old, square, g, *rates),
        )

    documentation_ending(
        impl,
        "`var` and `accum`",
        f"""
>>> w = ms.Parameter(ms.Tensor([[4.1, 7.2], [1.1, 3.0]]), name="w")
>>> a = ms.Parameter(ms.ops.zeros((2, 2)), name="a")
>>> step = ms.ops.{name}()
>>> out = step(w, a, 1.0, 1.0, 0.0, ms.ops.ones((2, 2)), ms.Tensor([0, 1]))
>>> print(w.value())
[[2.1 5.2]
 [0.  1. ]]
""",
        source=source,
    )
    primitive(
        name,
        samples=(
            f"{_SUM}, 0.1, 0.2, 0.3, {ROW_SAMPLES}",
            f"{_SUM}, torch.tensor(0.1), 0, 0, {ROW_SAMPLES}",
        ),
        errors=row_errors(f"{_SUM}, 0.1, 0.2, 0.3"),
        **STEP,
    )(impl)


_declare_proximal("FusedSparseProximalAdagrad", "behavior observed in MindSpore 2.10")
_declare_proximal(
    "SparseApplyProximalAdagrad", "MindSpore 2.10's documentation; it has no CPU kernel"
)


def _check_adadelta(instance: Primitive) -> None:
    check_attributes(instance)
    if instance.epsilon < 0:
        raise ValueError(
            f"For 'SparseApplyAdadelta', the argument 'epsilon' must >= 0.0, but got "
            f"{instance.epsilon}."
        )


@primitive(
    "SparseApplyAdadelta",
    samples=(f"f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3, {ROW_SAMPLES}, epsilon=1e-6",),
    errors=(
        *row_errors("f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3", ", epsilon=1e-6", skip=False),
        (
            f"f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3, {ROW_SAMPLES}, epsilon=-1.0",
            ValueError,
            "epsilon",
        ),
    ),
    **{**STEP, "setup": _check_adadelta},
)
def _sparse_apply_adadelta(
    var: Tensor,
    accum: Tensor,
    accum_update: Tensor,
    lr: Tensor | Scalar,
    rho: Tensor | Scalar,
    grad: Tensor,
    indices: Tensor,
    *,
    epsilon: float,
    use_locking: bool = False,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.ApplyAdadelta` in some rows; the others and their state stay.

    Attributes:
        epsilon (float): added under the roots, at least 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **accum_update** (Parameter) - the variable and its state, of one
          shape.
        - **lr**, **rho** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "SparseApplyAdadelta"
    states = {"var": var, "accum": accum, "accum_update": accum_update}
    places, source = checked_rows(op_name, states, grad, indices, skip=False)
    rate, keep, eps = numbers(op_name, var, lr=lr, rho=rho, epsilon=epsilon)
    return step_in_turn(
        places,
        source,
        (var, accum, accum_update),
        lambda g, old, square, moved: adadelta(old, square, moved, g, rate, keep, eps),
    )


documentation_ending(
    _sparse_apply_adadelta,
    "`var`, `accum` and `accum_update`",
    """
>>> w, a, b = (ms.Parameter(ms.Tensor([[x]]), name=str(x)) for x in (1.0, 1.5, 1.2))
>>> step = ms.ops.SparseApplyAdadelta(1e-6)
>>> out = step(w, a, b, 0.01, 0.2, ms.Tensor([[0.3]]), ms.Tensor([0]))
>>> print(w.value(), a.value(), b.value())
[[0.99461186]] [[0.372]] [[0.4722576]]
""",
    source="MindSpore 2.10's documentation and its example; it has no CPU kernel",
    outside="raises",
)


def _check_rms_prop(instance: Primitive) -> None:
    check_attributes(instance)
    between("SparseApplyRMSProp", "rho", instance.rho, 0.0, 1.0)
    if instance.momentum < 0:
        raise ValueError(
            f"For 'SparseApplyRMSProp', the argument 'momentum' must >= 0.0, but got "
            f"{instance.momentum}."
        )
    if instance.epsilon <= 0:
        raise ValueError(
            "For 'SparseApplyRMSProp', the argument 'epsilon' must > 0.0, but got "
            f"{instance.epsilon}."
        )


_RMS = "rho=0.2, momentum=0.3, epsilon=1e-3"


@primitive(
    "SparseApplyRMSProp",
    samples=(f"f(3, 2), p(3, 2), f(3, 2), 0.1, {ROW_SAMPLES}, {_RMS}",),
    errors=(
        *row_errors("f(3, 2), p(3, 2), f(3, 2), 0.1", f", {_RMS}", skip=False),
        (
            f"f(3, 2), p(3, 2), f(3, 2), 0.1, {ROW_SAMPLES}, rho=1.2, momentum=0.3, epsilon=1e-3",
            ValueError,
            "rho",
        ),
    ),
    **{**STEP, "setup": _check_rms_prop},
)
def _sparse_apply_rms_prop(
    var: Tensor,
    ms: Tensor,
    mom: Tensor,
    lr: Tensor | Scalar,
    grad: Tensor,
    indices: Tensor,
    *,
    rho: float,
    momentum: float,
    epsilon: float,
    use_locking: bool = False,
) -> tuple[Tensor, ...]:
    """One step of :class:`ops.ApplyRMSProp` in some rows; the others and their state stay.

    Attributes:
        rho (float): decay of the average of squares, from 0 to 1.
        momentum (float): decay of the moment, at least 0.
        epsilon (float): added under the root, above 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **ms**, **mom** (Parameter) - the variable, the average of squares and the
          moment, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
    """
    op_name = "SparseApplyRMSProp"
    states = {"var": var, "ms": ms, "mom": mom}
    places, source = checked_rows(op_name, states, grad, indices, skip=False)
    rates = numbers(op_name, var, lr=lr, rho=rho, momentum=momentum, epsilon=epsilon)
    return step_in_turn(
        places,
        source,
        (var, ms, mom),
        lambda g, old, square, moved: rms_prop(old, square, moved, g, *rates),
    )


documentation_ending(
    _sparse_apply_rms_prop,
    "`var`, `ms` and `mom`",
    """
>>> w, s, m = (ms.Parameter(ms.Tensor([[x]]), name=str(x)) for x in (0.6, 0.2, 0.3))
>>> step = ms.ops.SparseApplyRMSProp(0.2, 0.01, 1e-6)
>>> out = step(w, s, m, 0.01, ms.Tensor([[0.3]]), ms.Tensor([0]))
>>> print(w.value(), s.value(), m.value())
[[0.5880358]] [[0.112]] [[0.01196417]]
""",
    outside="raises",
)
