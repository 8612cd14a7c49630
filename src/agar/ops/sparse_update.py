"""Steps of optimizers whose gradient is given for some rows of the variable only.

NOTE Rows. ``indices`` are places on the first axis, ``grad`` has one slice for each. Other rows
keep their values, and so does their state. As observed, the steps of some operators add the slices
of equal indices first, while others take one step after another; some leave out indices that are
negative or too large, others raise a RuntimeError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import between
from agar.ops.math import check_integers
from agar.ops.optimizer_primitives import (
    STEP,
    adadelta,
    adagrad_da,
    agree,
    centered_rms_prop,
    check_attributes,
    ftrl,
    numbers,
    proximal_adagrad,
    rms_prop,
    shrunk,
    store,
    wide,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []


def _rows(
    who: str, states: Mapping[str, Tensor], grad: Tensor, indices: Tensor, *, skip: bool
) -> tuple[Tensor, Tensor]:
    """The checked places and their gradients, in the type of the arithmetic.

    With `skip`, those outside of the variable are left out, else they are an error.
    """
    agree(who, states, {"grad": grad}, shapes=False)
    variable = next(iter(states.values()))
    check_integers(who, "indices", indices)
    if indices.ndim != 1:
        raise ValueError(f"For '{who}', 'indices' must be 1-D, but got {list(indices.shape)}.")
    expected = [len(indices), *variable.shape[1:]]
    if variable.ndim == 0 or list(grad.shape) != expected:
        raise ValueError(
            f"For '{who}', the shape of 'grad' must be {expected}: one slice of 'var' for each "
            f"index, but got {list(grad.shape)}."
        )
    size = variable.shape[0]
    places = indices.to(torch.int64)
    (source,) = wide(grad.to(variable.dtype))
    inside = (places >= 0) & (places < size)
    if skip:
        return places[inside], source[inside]
    if not bool(inside.all()):
        raise RuntimeError(
            f"For '{who}', each element in 'indices' must be in range [0, {size}), but got "
            f"{int(places[~inside][0])}."
        )
    return places, source


def _whole(places: Tensor, source: Tensor, variable: Tensor) -> Tensor:
    """The gradient of all rows, with those of equal places added."""
    return source.new_zeros(variable.shape).index_add(0, places, source)


Change = Callable[..., tuple[Tensor, ...]]


def _step_added(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    """Step once in each row, by the sum of its gradients; `change` takes the gradient first."""
    # equal places get equal gradients, so that it does not matter which one is written last
    return _step(places, _whole(places, source, targets[0])[places], targets, change)


def _step_in_turn(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    """Step for each index, one after another where they are equal."""
    order = torch.argsort(places, stable=True)
    ascending = places[order]
    turns = torch.empty_like(order)
    turns[order] = torch.arange(len(order), device=order.device) - torch.searchsorted(
        ascending, ascending
    )
    for turn in range(int(turns.max()) + 1 if len(turns) else 0):
        now = turns == turn
        _step(places[now], source[now], targets, change)
    return targets


def _step(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    rows = change(source, *wide(*(t[places] for t in targets)))
    for target, row in zip(targets, rows, strict=True):
        target.data.index_copy_(0, places, row.to(target.dtype))
    return targets


_ROWS = "f(3, 2), torch.tensor([2, 0, 2])"


def _errors(
    before: str, after: str = "", *, skip: bool = True
) -> tuple[tuple[str, type[Exception], str], ...]:
    """Wrong calls of a step: `before` are its arguments up to the gradient."""
    outside = (f"{before}, f(1, 2), torch.tensor([5]){after}", RuntimeError, "range")
    return (
        (f"{before}, f(3, 3), torch.tensor([2, 0, 2]){after}", ValueError, "shape"),
        (f"{before}, f(1, 2), f(1){after}", TypeError, "integer"),
        (f"{before}, f(1, 2), torch.tensor([[0]]){after}", ValueError, "1-D"),
        *(() if skip else (outside,)),
    )


_TAIL = """

    Outputs:
        Tuple of {returned}.

    Raises:
        TypeError: a type does not fit.
        ValueError: a shape does not fit.{outside}

    Difference from PyTorch: {difference}.

    Source: {source}.

    Examples:
        >>> import agar as ms
{example}
"""


def _ending(impl: Callable[..., Any], returned: str, example: str, **words: str) -> None:
    """Complete the docstring of a step with what all of them share."""
    lines = "".join(f"        {line}\n" for line in example.strip().splitlines())
    impl.__doc__ = (impl.__doc__ or "").rstrip() + _TAIL.format(
        returned=returned,
        example=lines.rstrip("\n"),
        outside="\n        RuntimeError: an index is out of range." if "outside" in words else "",
        difference=words.get("difference", "no counterpart"),
        source=words.get("source", "behaviour observed in MindSpore 2.10"),
    )


# --------------------------------------------------------------------------------------- Adam

_STATE = "f(4, 2), f(4, 2), p(4, 2)"
_RATES = "0.9, 0.99, 0.1, 0.9, 0.99, 1e-8"


def _adam_rates(who: str, var: Tensor, **values: Tensor | Scalar) -> list[Any]:
    """The decays, epsilon and the corrected rate."""
    power1, power2, rate, keep1, keep2, eps = numbers(who, var, **values)
    correction = (1 - power2) ** 0.5 / (1 - power1)
    return [keep1, keep2, eps, rate * correction]


@primitive(
    "FusedSparseAdam",
    samples=(f"{_STATE}, {_RATES}, {_ROWS}", f"{_STATE}, {_RATES}, {_ROWS}, use_nesterov=True"),
    errors=_errors(f"{_STATE}, {_RATES}"),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "FusedSparseAdam"
    places, source = _rows(who, {"var": var, "m": m, "v": v}, gradient, indices, skip=True)
    grad = _whole(places, source, var)
    keep1, keep2, eps, rate = _adam_rates(
        who,
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


_ending(
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
    samples=(f"{_STATE}, {_RATES}, {_ROWS}", f"{_STATE}, {_RATES}, {_ROWS}, use_nesterov=True"),
    errors=_errors(f"{_STATE}, {_RATES}"),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "FusedSparseLazyAdam"
    places, source = _rows(who, {"var": var, "m": m, "v": v}, gradient, indices, skip=True)
    keep1, keep2, eps, rate = _adam_rates(
        who,
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

    return _step_added(places, source, (var, m, v), change)


_ending(
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


def _check_ftrl(made: Primitive) -> None:
    check_attributes(made)
    if made.lr <= 0:
        raise ValueError(
            f"For '{made.name}', the 'lr' must be float and must > 0, but got '{made.lr}'."
        )
    for name in ("l1", "l2"):
        if made.attrs[name] < 0:
            raise ValueError(
                f"For '{made.name}', the '{name}' must be float and must >= 0, but got "
                f"'{made.attrs[name]}'."
            )
    if made.lr_power > 0:
        raise ValueError(
            f"For '{made.name}', the argument 'lr_power' must <= 0, but got {made.lr_power}."
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
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
    who: str,
    var: Tensor,
    accum: Tensor,
    linear: Tensor,
    grad: Tensor,
    indices: Tensor,
    **rates: float,
) -> tuple[Tensor, ...]:
    states = {"var": var, "accum": accum, "linear": linear}
    places, source = _rows(who, states, grad, indices, skip=True)
    values = numbers(who, var, **rates)
    step = _step_added if who == "FusedSparseFtrl" else _step_in_turn
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
    _ending(impl, "`var`, `accum` and `linear`", example, source=source)
    rates = "lr=0.1, l1=0.2, l2=0.3"
    primitive(
        name,
        samples=(
            f"{_FTRL_STATE}, {_ROWS}, {rates}, lr_power=-0.5",
            f"{_FTRL_STATE}, {_ROWS}, {rates}, lr_power=-0.3",
        ),
        errors=(
            *_errors(_FTRL_STATE, f", {rates}, lr_power=-0.5"),
            (f"{_FTRL_STATE}, {_ROWS}, {rates}, lr_power=0.5", ValueError, "lr_power"),
            (f"{_FTRL_STATE}, {_ROWS}, lr=1, l1=0.2, l2=0.3, lr_power=0.5", TypeError, "lr"),
            (f"{_FTRL_STATE}, {_ROWS}, lr=0.0, l1=0.2, l2=0.3, lr_power=0.5", ValueError, "lr"),
            (f"{_FTRL_STATE}, {_ROWS}, lr=0.1, l1=-0.2, l2=0.3, lr_power=0.5", ValueError, "l1"),
        ),
        **{**STEP, "setup": _check_ftrl},
    )(impl)


_declare_ftrl("FusedSparseFtrl", "behaviour observed in MindSpore 2.10")
_declare_ftrl("SparseApplyFtrl", "behaviour observed in MindSpore 2.10")


@primitive(
    "SparseApplyFtrlV2",
    samples=(f"{_FTRL_STATE}, {_ROWS}, lr=0.1, l1=0.2, l2=0.3, l2_shrinkage=0.4, lr_power=-0.5",),
    errors=_errors(_FTRL_STATE, ", lr=0.1, l1=0.2, l2=0.3, l2_shrinkage=0.4, lr_power=-0.5"),
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
_ending(
    _sparse_apply_ftrl_v2,
    "`var`, `accum` and `linear`",
    _FTRL_EXAMPLE.format(name="SparseApplyFtrlV2", rates="0.01, 0.0, 0.0, 0.0, -0.5"),
    source="TensorFlow's operator of this name; MindSpore 2.10 has no CPU kernel",
)


# -------------------------------------------------------------------------- sums of squares

_SUM = "f(4, 2), p(4, 2)"


def _adagrad_rows(
    who: str,
    var: Tensor,
    accum: Tensor,
    grad: Tensor,
    indices: Tensor,
    update_slots: bool,
    second: bool,
    **rates: float,
) -> tuple[Tensor, ...]:
    places, source = _rows(who, {"var": var, "accum": accum}, grad, indices, skip=not second)
    rate, eps = numbers(who, var, **rates)

    def change(g: Tensor, old: Tensor, square: Tensor) -> tuple[Tensor, ...]:
        if update_slots:
            square = square + g * g
        return old - rate * g / (square + eps).sqrt(), square

    return (_step_in_turn if second else _step_added)(places, source, (var, accum), change)


@primitive(
    "SparseApplyAdagrad",
    samples=(f"{_SUM}, {_ROWS}, lr=0.1", f"{_SUM}, {_ROWS}, lr=0.1, update_slots=False"),
    errors=_errors(_SUM, ", lr=0.1"),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
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
_ending(
    _sparse_apply_adagrad,
    "`var` and `accum`",
    _ADAGRAD_EXAMPLE.format(name="SparseApplyAdagrad", rates="1.0"),
)


@primitive(
    "SparseApplyAdagradV2",
    samples=(
        f"{_SUM}, {_ROWS}, lr=0.1, epsilon=1e-3",
        f"{_SUM}, {_ROWS}, lr=0.1, epsilon=1e-3, update_slots=False",
    ),
    errors=_errors(_SUM, ", lr=0.1, epsilon=1e-3", skip=False),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
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


_ending(
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
            - **indices** (Tensor) - integers, 1-D: places on the first axis.
        """
        places, rows = _rows(name, {"var": var, "accum": accum}, grad, indices, skip=True)
        rates = numbers(name, var, lr=lr, l1=l1, l2=l2)
        return _step_added(
            places,
            rows,
            (var, accum),
            lambda g, old, square: proximal_adagrad(old, square, g, *rates),
        )

    impl.__doc__ = (impl.__doc__ or "").replace("\n    ", "\n")
    _ending(
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
        samples=(f"{_SUM}, 0.1, 0.2, 0.3, {_ROWS}", f"{_SUM}, torch.tensor(0.1), 0, 0, {_ROWS}"),
        errors=_errors(f"{_SUM}, 0.1, 0.2, 0.3"),
        **STEP,
    )(impl)


_declare_proximal("FusedSparseProximalAdagrad", "behaviour observed in MindSpore 2.10")
_declare_proximal(
    "SparseApplyProximalAdagrad", "MindSpore 2.10's documentation; it has no CPU kernel"
)


def _check_adadelta(made: Primitive) -> None:
    check_attributes(made)
    if made.epsilon < 0:
        raise ValueError(
            f"For 'SparseApplyAdadelta', the argument 'epsilon' must >= 0.0, but got "
            f"{made.epsilon}."
        )


@primitive(
    "SparseApplyAdadelta",
    samples=(f"f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3, {_ROWS}, epsilon=1e-6",),
    errors=(
        *_errors("f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3", ", epsilon=1e-6", skip=False),
        (f"f(4, 2), p(4, 2), p(4, 2), 0.1, 0.3, {_ROWS}, epsilon=-1.0", ValueError, "epsilon"),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "SparseApplyAdadelta"
    states = {"var": var, "accum": accum, "accum_update": accum_update}
    places, source = _rows(who, states, grad, indices, skip=False)
    rate, keep, eps = numbers(who, var, lr=lr, rho=rho, epsilon=epsilon)
    return _step_in_turn(
        places,
        source,
        (var, accum, accum_update),
        lambda g, old, square, moved: adadelta(old, square, moved, g, rate, keep, eps),
    )


_ending(
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


def _check_rms_prop(made: Primitive) -> None:
    check_attributes(made)
    between("SparseApplyRMSProp", "rho", made.rho, 0.0, 1.0)
    if made.momentum < 0:
        raise ValueError(
            f"For 'SparseApplyRMSProp', the argument 'momentum' must >= 0.0, but got "
            f"{made.momentum}."
        )
    if made.epsilon <= 0:
        raise ValueError(
            f"For 'SparseApplyRMSProp', the argument 'epsilon' must > 0.0, but got {made.epsilon}."
        )


_RMS = "rho=0.2, momentum=0.3, epsilon=1e-3"


@primitive(
    "SparseApplyRMSProp",
    samples=(f"f(3, 2), p(3, 2), f(3, 2), 0.1, {_ROWS}, {_RMS}",),
    errors=(
        *_errors("f(3, 2), p(3, 2), f(3, 2), 0.1", f", {_RMS}", skip=False),
        (
            f"f(3, 2), p(3, 2), f(3, 2), 0.1, {_ROWS}, rho=1.2, momentum=0.3, epsilon=1e-3",
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "SparseApplyRMSProp"
    states = {"var": var, "ms": ms, "mom": mom}
    places, source = _rows(who, states, grad, indices, skip=False)
    rates = numbers(who, var, lr=lr, rho=rho, momentum=momentum, epsilon=epsilon)
    return _step_in_turn(
        places,
        source,
        (var, ms, mom),
        lambda g, old, square, moved: rms_prop(old, square, moved, g, *rates),
    )


_ending(
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


# ------------------------------------------------------------------------- further steps


@primitive(
    "SparseApplyCenteredRMSProp",
    samples=(f"f(3, 2), f(3, 2), p(3, 2) + 3, f(3, 2), 0.1, 0.9, 0.8, 0.01, {_ROWS}",),
    errors=_errors("f(3, 2), f(3, 2), p(3, 2), f(3, 2), 0.1, 0.9, 0.8, 0.01", skip=False),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "SparseApplyCenteredRMSProp"
    states = {"var": var, "mg": mg, "ms": ms, "mom": mom}
    places, source = _rows(who, states, grad, indices, skip=False)
    rate, keep, drag, eps = numbers(who, var, lr=lr, rho=rho, momentum=momentum, epsilon=epsilon)

    def change(
        g: Tensor, old: Tensor, mean: Tensor, square: Tensor, moved: Tensor
    ) -> tuple[Tensor, ...]:
        return centered_rms_prop(old, mean, square, moved, g, rate, keep, drag, eps)

    return _step_in_turn(places, source, (var, mg, ms, mom), change)[0]


_ending(
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
        f"f(3, 2), f(3, 2), 0.1, {_ROWS}, 0.9",
        f"f(3, 2), f(3, 2), 0.1, {_ROWS}, 0.9, use_nesterov=True",
    ),
    errors=_errors("f(3, 2), f(3, 2), 0.1", ", 0.9", skip=False),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
        - **momentum** (Union[float, Tensor]) - a number.
    """
    who = "SparseApplyMomentum"
    places, source = _rows(who, {"var": var, "accum": accum}, grad, indices, skip=False)
    rate, drag = numbers(who, var, lr=lr, momentum=momentum)

    def change(g: Tensor, old: Tensor, moved: Tensor) -> tuple[Tensor, ...]:
        moved = drag * moved + g
        return old - rate * (g + drag * moved if use_nesterov else moved), moved

    return _step_in_turn(places, source, (var, accum), change)[0]


_ending(
    _sparse_apply_momentum,
    "`var` alone",
    """
>>> w, v = (ms.Parameter(ms.Tensor([[x], [x]]), name=str(x)) for x in (4.1, 2.2))
>>> step = ms.ops.operations.SparseApplyMomentum()
>>> print(step(w, v, 0.01, ms.Tensor([[0.3]]), ms.Tensor([0]), 0.99))
[[4.07522]
 [4.1    ]]
""",
    source="behaviour observed in MindSpore 2.10; its CPU kernel ignores `use_nesterov`",
    outside="raises",
)


@primitive(
    "SparseApplyProximalGradientDescent",
    samples=(f"f(3, 2), 0.1, 1.2, 0.3, {_ROWS}",),
    errors=_errors("f(3, 2), 0.1, 1.2, 0.3", skip=False),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
    """
    who = "SparseApplyProximalGradientDescent"
    places, source = _rows(who, {"var": var}, grad, indices, skip=False)
    rate, lasso, ridge = numbers(who, var, alpha=alpha, l1=l1, l2=l2)

    def change(g: Tensor, old: Tensor) -> tuple[Tensor, ...]:
        return (shrunk(old - rate * g, rate * lasso) / (1 + rate * ridge),)

    return _step_in_turn(places, source, (var,), change)[0]


_ending(
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
    samples=(f"f(3, 2), f(3, 2), p(3, 2), {_ROWS}, 0.1, 0.2, 0.3, 2",),
    errors=_errors("f(3, 2), f(3, 2), p(3, 2)", ", 0.1, 0.2, 0.3, 2", skip=False),
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
        - **indices** (Tensor) - integers, 1-D: places on the first axis.
        - **lr**, **l1**, **l2**, **global_step** (Union[float, Tensor]) - numbers.
    """
    who = "SparseApplyAdagradDA"
    states = {"var": var, "grad_accum": grad_accum, "grad_square_accum": grad_square_accum}
    places, source = _rows(who, states, grad, indices, skip=False)
    rates = numbers(who, var, lr=lr, l1=l1, l2=l2, global_step=global_step)

    def change(g: Tensor, old: Tensor, total: Tensor, square: Tensor) -> tuple[Tensor, ...]:
        return adagrad_da(total, square, g, *rates)

    return _step_in_turn(places, source, (var, grad_accum, grad_square_accum), change)[0]


_ending(
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
