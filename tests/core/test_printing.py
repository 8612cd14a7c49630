"""Texts of tensors against what MindSpore printed (tests/data/printing.json)."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest
import torch

from agar._core import printing

DATA = json.loads(
    (pathlib.Path(__file__).parent.parent / "data" / "printing.json").read_text("utf-8")
)


def tensor(case: dict) -> torch.Tensor:
    """The tensor of a recorded case; the file's ``cases_made_by`` says how the oracle made it."""
    dtype, shape = case["dtype"], case["shape"]
    if "values" in case:
        read = complex if dtype.startswith("Complex") else float if "Float" in dtype else int
        array = np.array([read(v) for v in case["values"]], dtype=object if read is int else None)
    else:
        array = np.arange(int(np.prod(shape))) * case["step"] + case["start"]
    is_bfloat = dtype == "BFloat16"
    with np.errstate(all="ignore"):
        array = array.reshape(shape).astype(np.float32 if is_bfloat else dtype.lower())
    value = torch.from_numpy(array)
    return value.bfloat16() if is_bfloat else value


def name(case: dict) -> str:
    what = ",".join(case["values"]) if "values" in case else f"{case['start']}+{case['step']}i"
    return f"{case['dtype']}-{case['shape']}-{what}-{case.get('options', '')}"


@pytest.mark.parametrize("case", DATA["cases"], ids=name)
def test_str_and_repr_are_the_recorded_ones(case: dict) -> None:
    t = tensor(case)
    with np.printoptions(**case.get("options", {})):
        assert printing.tensor_str(t) == case["str"]
        assert printing.tensor_repr(t, case["dtype"]) == case["repr"]


@pytest.mark.parametrize("case", DATA["graph"], ids=name)
def test_graph_text_is_the_recorded_one(case: dict) -> None:
    assert printing.graph_text(tensor(case), case["dtype"]) == case["print"]


def test_bfloat16_hides_the_sign_of_nan() -> None:
    # torch's cast gives nans a sign or not, depending on the processor; the text must not.
    bits = torch.tensor([0xFFC0 - 0x10000, 0x7FC0, 0x7F80, 0xFF80 - 0x10000], dtype=torch.int16)
    t = bits.view(torch.bfloat16)
    assert printing.tensor_str(t) == "[nan nan inf -inf]"
    assert printing.tensor_repr(t, "BFloat16") == (
        "Tensor(shape=[4], dtype=BFloat16, value= [ nan,  nan,  inf, -inf])"
    )
    assert printing.tensor_repr(t[0], "BFloat16").endswith("value= nan)")


def test_a_formatter_of_the_user_is_used() -> None:
    with np.printoptions(formatter={"float_kind": lambda x: f"F{x}"}):
        assert printing.tensor_str(torch.tensor([1.5, 2.0])) == "[F1.5 F2.0]"


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_float8_prints_as_bfloat16_does(dtype: torch.dtype) -> None:
    t = torch.tensor([[1.0, -2.5]]).to(dtype)
    assert printing.tensor_str(t) == "[[1.000000 -2.500000]]"
    assert printing.tensor_repr(t, "F8") == "Tensor(shape=[1, 2], dtype=F8, value=\n[[   1, -2.5]])"
    assert printing.tensor_repr(t[0, 1], "F8") == "Tensor(shape=[], dtype=F8, value= -2.5)"


def test_dynamic_and_uninitialized_texts() -> None:
    dynamic, raw = printing.dynamic_repr, printing.uninitialized_text
    assert dynamic((-1, 2), "Float32") == "Tensor(shape=[-1, 2], dtype=Float32, value=\n)"
    assert dynamic((None,), "Int32") == "Tensor(shape=[-1], dtype=Int32, value= )"
    assert dynamic(None, "Float32") == "Tensor(shape=[-2], dtype=Float32, value= )"
    assert raw((), "Float32") == "Tensor(shape=[], dtype=Float32, value=<uninitialized>)"
    assert raw((2,), "Float32") == "Tensor(shape=[2], dtype=Float32, value=<uninitialized>)"
    assert raw((1, 2), "Float32") == "Tensor(shape=[1, 2], dtype=Float32, value=\n<uninitialized>)"


def test_views_print_their_values() -> None:
    z = torch.tensor([1 + 2j, 3 - 1j])
    assert printing.tensor_str(z.conj()) == "[1.-2.j 3.+1.j]"
    assert printing.tensor_repr(z.conj(), "C") == "Tensor(shape=[2], dtype=C, value= [1-2j, 3+1j])"
    assert printing.tensor_str(z.conj().imag) == "[-2.  1.]"
    assert printing.tensor_str(torch.arange(6).reshape(2, 3).T) == "[[0 3]\n [1 4]\n [2 5]]"
    leaf = torch.ones(2, requires_grad=True)
    assert printing.tensor_str(leaf) == "[1. 1.]"
    assert "1.00000000e+00,  1.00000000e+00" in printing.tensor_repr(leaf, "Float32")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.bool])
def test_a_huge_tensor_is_cut_before_it_is_converted(dtype: torch.dtype) -> None:
    # 16 TiB of shape over one element of memory: converting it whole could not succeed.
    t = torch.ones(1, dtype=dtype).expand(1 << 20, 4, 1 << 20)
    for text in (printing.tensor_str(t), printing.tensor_repr(t, "D"), printing.graph_text(t, "D")):
        assert text.count("...") == 1 + 6 * 4  # one row of dots, then one in each shown row
        assert len(text) < 5000
    line = torch.ones(1, dtype=dtype).expand(1 << 42)
    assert printing.tensor_repr(line, "D").count("...") == 1
    assert printing.tensor_str(line).count("...") == 1
