"""Docstrings as the site shows them (docs/_ext/docstrings.py)."""

from __future__ import annotations

import re

import pytest

import agar.dataset
import agar.ops
from agar import nn
from file_modules import ROOT, load

pytest.importorskip("griffe", reason="the site's packages are not installed")
docstrings = load("docs/_ext/docstrings.py")


def test_inputs_are_a_table_and_outputs_a_line():
    page = "\n".join(docstrings.markdown(nn.MaxUnpool1d.__doc__))
    assert "**Inputs**" in page
    assert (
        "| `indices` | `Tensor` | their positions, integers of the same shape, counted within each "
        "row. |" in page
    )
    assert "**Outputs:** Tensor with the maxima at their indices." in page


def test_several_inputs_of_one_meaning_share_a_row():
    lines = docstrings.markdown("Head.\n\nInputs:\n    - **a**, **b** (Tensor) - of one shape.\n")
    assert "| `a`, `b` | `Tensor` | of one shape. |" in "\n".join(lines)


def test_constructors_are_shown_without_self_and_result():
    assert docstrings.signature("Tanh", nn.Tanh) == (
        "Tanh(auto_prefix: bool = True, flags: dict[str, Any] | None = None)"
    )
    # its __new__ takes anything
    assert docstrings.signature("Optimizer", nn.Optimizer).startswith(
        "Optimizer(\n    learning_rate: "
    )


def test_long_signatures_have_a_parameter_on_each_line():
    def short(x: int, y: str = "it's", /) -> nn.Cell | None: ...

    assert docstrings.signature("f", short) == 'f(x: int, y: str = "it\'s", /) -> nn.Cell | None'

    def long(first_argument: int, second_argument: str = "valid", /, *, third: bool = True): ...

    assert docstrings.signature("long", long) == (
        "long(\n    first_argument: int,\n    second_argument: str = 'valid',\n    /,\n    *,\n"
        "    third: bool = True,\n)"
    )

    def bare(the_first_argument_of_all, /, *the_rest_of_them, and_one_more_keyword=1, **others): ...

    assert docstrings.signature("f", bare).splitlines()[1:-1] == [
        "    the_first_argument_of_all,",
        "    /,",
        "    *the_rest_of_them,",
        "    and_one_more_keyword=1,",
        "    **others,",
    ]


def test_formulas_in_what_is_returned():
    page = "\n".join(docstrings.markdown("Head.\n\nReturns:\n    Tensor of shape :math:`(N,)`.\n"))
    assert page.endswith("Tensor of shape {math}`(N,)`.")


def test_methods_of_bases_without_a_page_are_on_the_pages_of_their_classes(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    api_pages = load("docs/_ext/api_pages.py")
    pages = api_pages.Pages({"agar.nn": nn, "agar.dataset": agar.dataset, "agar.ops": agar.ops})
    assert {"batch", "map", "shuffle"} <= dict(pages.methods(agar.dataset.Dataset)).keys()
    assert {"add_prim_attr", "recompute"} <= dict(pages.methods(agar.ops.Primitive)).keys()
    assert "trainable_params" in dict(pages.methods(nn.Cell))
    assert "trainable_params" not in dict(pages.methods(nn.Dense))


def test_defaults_are_shown_as_they_are_written():
    def made(kind=nn.Dense, how=len, rule=load, mode=re.IGNORECASE, other=lambda x: x): ...

    assert docstrings.signature("made", made) == (
        "made(\n    kind=Dense,\n    how=<built-in function len>,\n    rule=load,\n"
        "    mode=re.IGNORECASE,\n    other=lambda,\n)"
    )
    from agar.dataset.vision import Resize

    assert "= Inter.BILINEAR" in docstrings.signature("Resize", Resize)
