"""The modules that stand for einops and einx in converted files."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar.migrate import convert
from agar.migrate.conversion import convert_text
from agar.migrate.conversion._supports import SUPPORTS, support_text

RNG = np.random.default_rng(0)
A, B, C = (RNG.standard_normal(s).astype("f") for s in ((2, 3), (3,), (2, 3, 4)))
INDEX = RNG.integers(0, 4, (2, 3))


@pytest.fixture(scope="module")
def einx() -> Any:
    module = ModuleType("einx_cells")
    exec(support_text("einx_cells", "agar"), module.__dict__)
    return module


#: function, pattern, arguments, what it gives
CALLS = {
    "outer": ("subtract", "j, i -> i j", (B, A[:, 0]), B[None] - A[:, :1]),
    "broadcast": ("multiply", "b n, b n d -> b d n", (A, C), (A[..., None] * C).swapaxes(1, 2)),
    "result not said": ("multiply", "b n, n", (A, B), A * B),
    "three": ("add", "b n, n, b n d", (A, B, C), (A + B)[..., None] + C),
    "unit axes": ("less", "i, j -> 1 i j", (B, A[0]), (B[:, None] < A[0])[None]),
    "scalar": ("where", "b n, b, -> b n", (A > 0, A[:, 0], -1.0), np.where(A > 0, A[:, :1], -1)),
    "scalar, result not said": ("where", "b n, n,", (A > 0, B, 0.0), np.where(A > 0, B, 0)),
    "ellipsis": (
        "subtract", "... j, ... i -> ... i j", (A, A), A[:, None] - A[:, :, None],
    ),
    "empty ellipsis": ("subtract", "... j, ... i -> ... i j", (B, B), B[None] - B[:, None]),
    "joined": (
        "add", "b n d, s d -> (b s) n d", (C, C[0]),
        (C[:, None] + C[0][None, :, None]).reshape(6, 3, 4),
    ),
    "get_at": (
        "get_at", "b n [l], b n -> b n", (C, INDEX),
        np.take_along_axis(C, INDEX[..., None], 2)[..., 0],
    ),
    "get_at rows": ("get_at", "[n] d, b i -> b i d", (C[0], INDEX % 3), C[0][INDEX % 3]),
    "sum": ("sum", "... c -> ...", (C,), C.sum(-1)),
    "sum of brackets": ("sum", "[...] c", (C,), C.sum((0, 1))),
    "mean": ("mean", "a [b c]", (C,), C.mean((1, 2))),
    "max": ("max", "a b c -> c b", (C,), C.max(0).T),
    "any": ("any", "a [b]", (A > 0,), (A > 0).any(1)),
    "prod": ("prod", "[a] b", (A,), A.prod(0)),
    "rearrange": ("rearrange", "a b c -> c (a b)", (C,), C.transpose(2, 0, 1).reshape(4, 6)),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_einx_on_named_axes(einx: Any, case: str) -> None:
    name, pattern, given, expected = CALLS[case]
    values = [ms.Tensor(v) if isinstance(v, np.ndarray) else v for v in given]
    found = getattr(einx, name)(pattern, *values).asnumpy()
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "pattern", "given", "error", "text"),
    [
        ("add", "a a, a", (A, B), ValueError, "does not fit|not clear"),
        ("add", "a b", (A, B), ValueError, "has 1 inputs, not 2"),
        ("add", "a b, c", (A, B), ValueError, "is not clear"),
        ("add", "a b, b -> a", (A, B), ValueError, "not among the result's axes"),
        ("add", "a b c, b", (A, B), ValueError, "does not fit a tensor of 2 dimensions"),
        ("add", "a [b], [b] -> a", (A, B), NotImplementedError, "brackets"),
        ("add", "(a c) b, b", (A, B), NotImplementedError, "reshape it before"),
        ("add", "a + b, b", (A, B), NotImplementedError, "not known"),
        ("get_at", "[a b], c [2] -> c", (A, INDEX), NotImplementedError, "not known"),
    ],
)
def test_einx_refuses(
    einx: Any, name: str, pattern: str, given: Any, error: type, text: str
) -> None:
    with pytest.raises(error, match=text):
        getattr(einx, name)(pattern, *map(ms.Tensor, given))


def test_einx_says_what_it_lacks(einx: Any) -> None:
    with pytest.raises(NotImplementedError, match=r"einx\.softmax is not known here"):
        _ = einx.softmax


def test_gradients_flow_through_einx(einx: Any) -> None:
    grad = ms.grad(lambda x: einx.multiply("b n, n -> n b", x, ms.Tensor(B)).sum())(ms.Tensor(A))
    np.testing.assert_allclose(grad.asnumpy(), np.broadcast_to(B, A.shape), rtol=1e-6)


FILE = """import torch, einx
import einops
from einops import rearrange as order
import einx as ex


def f(x, y):
    return einx.add('i, j -> i j', x, y).view(-1) + ex.sum('i [j]', x[:, None])[0]
"""


def test_imports_lead_to_the_modules_that_stand_for_them(tmp_path: Path) -> None:
    code = convert_text(FILE).code
    assert "import einx_cells as einx" in code
    assert "import einx_cells as ex" in code
    assert "import einops_cells as einops" in code
    assert "from einops_cells import rearrange as order" in code
    assert "torch" not in code

    package = tmp_path / "named_axes"
    (package / "inner").mkdir(parents=True)
    text = FILE.replace("import einops\nfrom einops import rearrange as order\n", "")
    for place in ("__init__.py", "inner/__init__.py", "inner/net.py"):
        (package / place).write_text(text if place.endswith("net.py") else "")
    out = tmp_path / "out" / "named_axes"
    convert(package, out=out, target="agar")
    assert "from .. import einx_cells as einx" in (out / "inner/net.py").read_text()
    assert not (out / "einops_cells.py").exists()
    sys.path.insert(0, str(out.parent))
    try:
        from named_axes.inner import net  # type: ignore[import-not-found]  # written above
    finally:
        sys.path.remove(str(out.parent))
    found = net.f(ms.Tensor(B), ms.Tensor(B))
    np.testing.assert_allclose(found.asnumpy(), (B[:, None] + B).reshape(-1) + B[0], rtol=1e-6)


def test_every_module_compiles_for_both_targets() -> None:
    for module in SUPPORTS.values():
        for package in ("agar", "mindspore"):
            compile(support_text(module, package), module, "exec")
