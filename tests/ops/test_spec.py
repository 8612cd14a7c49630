"""What `agar.ops.spec` derives from one declaration: bindings, checks, samples, documentation."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from torch import Tensor

import agar as ms
from agar._core import optable
from agar.ops.spec import Flag, Float, Form, Integer, Number, Operator, family


def _declaration() -> Any:
    def scaled(
        input: Float,
        by: Number = 2.0,
        *,
        times: Integer = 1,
        up: Flag = True,
        _op_name: str = "scaled",
    ) -> Tensor:
        """Multiply by a number, some times.

        Args:
            input (Tensor): floating point.
            by (float): the number. Default: 2.0.
            times (int): how often. Default: 1.
            up (bool): False divides. Default: True.

        Raises ValueError: `times` is
            negative.

        >>> print(ms.ops.scaled(ms.Tensor([1.0, 2.0]), 3.0))
        [3. 6.]
        """
        if times < 0:
            raise ValueError(f"For '{_op_name}', 'times' must not be negative, but got {times}.")
        return input * by**times if up else input / by**times

    return scaled


def _operator() -> Operator:
    operator = Operator("scaled", _declaration())
    operator.names, operator.samples = ("scaled",), ("f(2)", "f(2), 3.0, times=2")
    operator.errors = (("f(2), times=-1", ValueError, "times"),)
    return operator


FUNCTION = optable.binding(_operator(), "scaled", module="agar.ops.function")
CLASS = Form(_operator(), "Scaled(by, up=False)", is_class=True)
X = ms.Tensor([1.0, 2.0])


def _class() -> type[optable.Primitive]:
    return optable.primitive_class(CLASS, "Scaled", module="agar.ops.operations")


def test_signature_shows_plain_types():
    shown = str(inspect.signature(FUNCTION)).replace("'", "")
    assert shown == "(input: Tensor, by: float = 2.0, *, times: int = 1, up: bool = True) -> Tensor"


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "words"),
    [
        ((ms.Tensor([1]),), {}, TypeError, "'scaled', the input must be a floating-point Tensor"),
        ((X, "a"), {}, TypeError, "'scaled', the type of 'by' must be float or int"),
        ((X, True), {}, TypeError, "'scaled', the type of 'by' must be float or int"),
        ((X,), {"times": 1.0}, TypeError, "'scaled', the type of 'times' must be int"),
        ((X,), {"times": True}, TypeError, "'scaled', the type of 'times' must be int"),
        ((X,), {"up": 1}, TypeError, "'scaled', the type of 'up' must be bool"),
        ((X,), {"times": -1}, ValueError, "must not be negative"),
        (([1.0],), {}, TypeError, "must be Tensor"),
    ],
)
def test_checks(args, kwargs, error, words):
    with pytest.raises(error, match=words):
        FUNCTION(*args, **kwargs)


def test_an_int_is_a_number():
    torch.testing.assert_close(FUNCTION(X, 3).to_torch(), torch.tensor([3.0, 6.0]))


def test_class_takes_some_arguments_and_another_default():
    cls = _class()
    assert list(inspect.signature(cls).parameters) == ["by", "up"]
    assert repr(cls(4.0)) == "Prim[Scaled]<by=4.0, up=False>"
    torch.testing.assert_close(cls(4.0)(X).to_torch(), torch.tensor([0.25, 0.5]))
    torch.testing.assert_close(cls(up=True)(X).to_torch(), torch.tensor([2.0, 4.0]))
    with pytest.raises(TypeError, match="For 'Scaled', the type of 'by' must be float"):
        cls("a")(X)


def test_samples_and_refusals_of_the_class():
    assert CLASS.samples == ("f(2)",)  # the class has no argument `times`
    assert [words for _, _, words in CLASS.errors] == ["floating-point", "by", "up"]
    entry = Form(_operator(), "Often(times)", is_class=True)
    often = optable.primitive_class(entry, "Often", module="agar.ops.operations")(-1)
    with pytest.raises(ValueError, match="For 'Often', 'times' must not be negative"):
        often(X)
    positional = Form(_operator(), "Scaled(by, times)", is_class=True)
    assert positional.samples == ("f(2)", "f(2), by=3.0, times=2")
    wrong = [text for text, error, _ in _operator().errors if error is TypeError]
    assert len(wrong) == 4  # one for each check


def test_documentation():
    assert (FUNCTION.__doc__ or "").partition("Returns:")[2] == (
        """
    Tensor of the input's shape and dtype.

Raises:
    TypeError: `input` is not a floating-point Tensor, or `by` is not a number, or `times`
        is not an int, or `up` is not a bool.
    ValueError: `times` is
        negative.

Difference from PyTorch: none.

Source: behavior observed in MindSpore 2.10.

Examples:
    >>> import agar as ms
    >>> print(ms.ops.scaled(ms.Tensor([1.0, 2.0]), 3.0))
    [3. 6.]"""
    )


def test_what_a_declaration_leaves_to_another_is_described_under_its_own_names():
    def other(
        tensor: Tensor, dim: int = 0, keepdim: bool = False, *, axis: Any = None, kind: Any = 1
    ) -> Tensor:
        """The mean; see :func:`ops.mean`.

        Own Args:
            kind (int): which.
        """
        return tensor

    assert Operator("other", other).doc.split("\n\n")[1].splitlines() == [
        "Args:",
        "    tensor (Tensor): any shape.",
        "    dim (Union[None, int, tuple, list]): the axes. Default: 0.",
        "    keepdim (bool): whether the axes stay, with size 1. Default: False.",
        "    axis: another name of `dim`.",
        "    kind (int): which.",
    ]


def test_documentation_of_the_class():
    text = _class().__doc__ or ""
    assert "``ops.scaled`` as a class: made with `by`, `up`, called with `input`." in text
    assert "Difference from PyTorch: functions only." in text
    assert ">>> print(ms.ops.Scaled(by=3.0, up=True)(ms.Tensor([1.0, 2.0])))" in text


def test_documentation_of_a_class_has_arguments_inputs_and_outputs():
    text = _class().__doc__ or ""
    assert "Args:\n    by (float): the number. Default: 2.0.\n    up (bool): False" in text
    assert "Inputs:\n    - **input** (Tensor) - floating point.\n\nOutputs:\n" in text
    assert "Returns:" not in text


def test_a_class_is_described_by_what_it_refers_to(monkeypatch):
    def compute(input: Float, *, by: Number = 3.0, times: Integer = 1) -> Tensor:
        """Scaled; see :func:`ops.scaled`.

        Attributes:
            times (int): how often. Default: 1.
        """
        return input

    monkeypatch.setitem(optable.table.functions, "scaled", _operator())
    operator = Operator("Scaling", compute)
    operator.primitives = ("Scaling",)
    assert operator.doc.partition("Args:")[2] == (
        """
    by (float): the number. Default: 3.0.
    times (int): how often. Default: 1.

Inputs:
    - **input** (Tensor) - floating point.

Outputs:
    Tensor of the input's shape and dtype."""
    )


def test_documentation_of_other_keywords():
    operator = _operator()
    operator.keywords = {"factor": "by", "absent": "axis"}
    made = optable.binding(operator, "scaled", module="agar.ops.function")
    arguments = made.__doc__.partition("Args:\n")[2].partition("\n\n")[0]
    assert arguments.endswith("    factor: another name of `by`.")
    assert "factor" not in FUNCTION.__doc__


def test_a_check_needs_names():
    def several(*inputs: Float) -> Tensor:
        return inputs[0]

    with pytest.raises(TypeError, match="needs parameters with names"):
        Operator("several", several).impl


def test_family():
    before = list(optable.table.entries)
    try:

        @family(
            "spread_over<#>d",
            dims=(1, 3),
            samples=("f(<2, ...>), (<a|b>)",),
            mint=("<|nn.functional.spread3d>",),
        )
        def spread(input: Tensor, *, _dims: int, _op_name: str = "") -> Tensor:
            """Look over <one dimension|three dimensions>.

            Args:
                input (Tensor): shape :math:`(<L|D, H, W>)`.
            """
            raise ValueError(f"For '{_op_name}': {_dims}.")

        one, three = optable.table.entries[len(before) :]
        assert [one.name, three.name] == ["spread_over1d", "spread_over3d"]
        assert three.samples == ("f(2, 2, 2), (b)",)
        assert (one.mints, three.mints) == ((), ("nn.functional.spread3d",))
        assert ":math:`(D, H, W)`" in (three.doc or "")
        assert [p.name for p in three.params] == ["input"]
        result = optable.binding(three, "spread_over3d", module="agar.ops.function")
        with pytest.raises(ValueError, match="For 'spread_over3d': 3"):
            result(X)
    finally:
        for entry in optable.table.entries[len(before) :]:
            for names in (optable.table.functions, optable.table.mints):
                for name in [name for name, owner in names.items() if owner is entry]:
                    del names[name]
        optable.table.entries[:] = before
