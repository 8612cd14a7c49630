"""Converted idioms beside the originals: equal, marked, or loud; nothing else without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar.migrate import load_torch_state
from agar.migrate.conversion import ConvertedFile, convert_text
from migrate.convert_idioms import FUNCTIONS, HEAD, LEFT, LOOPS, MARKED, NET, NETWORKS, Idiom
from migrate.test_convert_run import run

pytestmark = [
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
STATISTICS = ("moving_mean", "moving_variance")


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [w for key in sorted(value) for w in flat(value[key])]
    if isinstance(value, (tuple, list)):
        return [w for part in value for w in flat(part)]
    return [value]


def number(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().numpy()
    return value.asnumpy() if isinstance(value, ms.Tensor) else value


def assert_same(found: Any, expected: Any, tolerance: float = 2e-4) -> None:
    ones, others = flat(found), flat(expected)
    assert len(ones) == len(others)
    for one, other in zip(map(number, ones), map(number, others), strict=True):
        if isinstance(other, (np.ndarray, float, int)):
            assert np.asarray(one).dtype.kind == np.asarray(other).dtype.kind
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
        else:
            assert (one is None) == (other is None)


def tensors(idiom: Idiom) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    out = []
    for spec in idiom.inputs:
        if spec[0] == "value":
            out.append(torch.tensor(spec[1]))
        elif spec[0] == "int":
            out.append(torch.randint(0, spec[1], spec[2], generator=generator))
        elif spec[0] == "bool":
            out.append(torch.rand(spec[1], generator=generator) > 0.5)
        else:
            out.append(torch.randn(spec, generator=generator))
    return out


def both(idiom: Idiom, code: str, folder: Path) -> tuple[Any, Any, ConvertedFile]:
    result = convert_text(HEAD + code, target="agar")
    assert not result.error
    return (
        run(f"{idiom.name}_torch", HEAD + code, folder),
        run(idiom.name, result.code, folder),
        result,
    )


def of_names(idioms: list[Idiom]) -> Any:
    return pytest.mark.parametrize("idiom", idioms, ids=lambda i: i.name)


@of_names(FUNCTIONS)
def test_values_gradients_and_what_is_changed(idiom: Idiom, tmp_path: Path) -> None:
    there, here, result = both(idiom, idiom.code, tmp_path)
    assert all("left out: read data" in note.text for note in result.by_hand)
    given = tensors(idiom)
    real = [i for i, x in enumerate(given) if x.is_floating_point()]
    leaves = [x.clone().requires_grad_(x.is_floating_point()) for x in given]
    used = [x * 1 if i in real else x.clone() for i, x in enumerate(leaves)]
    expected = there.f(*used)
    values = [ms.Tensor(x.numpy().copy()) for x in given]
    mine = [x * 1 if i in real else x.copy() for i, x in enumerate(values)]
    assert_same(here.f(*mine), expected)
    assert_same(mine, used)
    outs = flat(expected)
    traced = [i for i, o in enumerate(outs) if isinstance(o, torch.Tensor) and o.requires_grad]
    if not traced:
        return
    generator = torch.Generator().manual_seed(9)
    weights = [torch.randn(outs[i].shape, generator=generator) for i in traced]
    total: Any = sum((outs[i].float() * w).sum() for i, w in zip(traced, weights, strict=True))
    wanted_grads = torch.autograd.grad(
        total, [leaves[i] for i in real], allow_unused=True, materialize_grads=True
    )

    def scalar(*xs: Any) -> Any:
        made = flat(here.f(*[x * 1 if i in real else x for i, x in enumerate(xs)]))
        parts = zip(traced, weights, strict=True)
        return sum((made[i].astype(ms.float32) * ms.Tensor(w.numpy())).sum() for i, w in parts)

    grads = ms.grad(scalar, tuple(real))(*values)
    assert_same(grads, wanted_grads, 1e-3)


@of_names(NETWORKS)
def test_outputs_and_gradients_of_networks(idiom: Idiom, tmp_path: Path) -> None:
    there, here, result = both(idiom, idiom.code, tmp_path)
    assert not result.by_hand
    torch.manual_seed(1)
    module, cell = there.build().eval(), here.build().set_train(False)
    load_torch_state(cell, module.state_dict(), module=module)
    given = tensors(idiom)
    mine = [ms.from_torch(x) for x in given]
    with torch.no_grad():
        expected = module(*given)
    assert_same(cell(*mine), expected)
    module.train()
    cell.set_train()
    outs = [o for o in flat(module(*given)) if isinstance(o, torch.Tensor) and o.requires_grad]
    weights = [
        torch.randn(o.shape, generator=torch.Generator().manual_seed(i)) for i, o in enumerate(outs)
    ]
    sum((o * w).sum() for o, w in zip(outs, weights, strict=True)).backward()

    def scalar() -> Any:
        made = [o for o in flat(cell(*mine)) if isinstance(o, ms.Tensor)]
        made = [o for o in made if o.dtype == ms.float32]
        return sum((o * ms.Tensor(w.numpy())).sum() for o, w in zip(made, weights, strict=False))

    parameters = ms.ParameterTuple(list(cell.trainable_params()))
    _, grads = ms.value_and_grad(scalar, None, parameters)()
    norms = [float(p.grad.norm()) for p in module.parameters() if p.grad is not None]
    found = [float(np.linalg.norm(g.asnumpy())) for g in grads]
    assert_same(sorted(n for n in found if n > 1e-5), sorted(n for n in norms if n > 1e-5), 2e-3)


@of_names(LOOPS)
def test_what_loops_learn(idiom: Idiom, tmp_path: Path) -> None:
    code = idiom.code if "def build" in idiom.code else NET + idiom.code
    there, here, result = both(idiom, code, tmp_path)
    assert "this keeps its text" not in result.code
    torch.manual_seed(0)
    module, cell = there.build(), here.build()
    load_torch_state(cell, module.state_dict(), module=module)
    generator = torch.Generator().manual_seed(5)
    batches = [tuple(torch.randn(s, generator=generator) for s in idiom.inputs) for _ in range(5)]
    expected = there.train(module, batches)
    found = here.train(cell, [tuple(ms.from_torch(x) for x in batch) for batch in batches])
    assert_same(found, expected, 1e-3)
    named = cell.parameters_and_names()
    weights = [p.asnumpy() for n, p in named if n.rpartition(".")[2] not in STATISTICS]
    assert_same(
        [float(np.linalg.norm(w)) for w in weights],
        [float(p.detach().norm()) for p in module.parameters()],
        1e-3,
    )


@of_names(LEFT)
def test_a_loop_that_is_not_clear_stays_whole(idiom: Idiom, tmp_path: Path) -> None:
    code = idiom.code if "def build" in idiom.code else NET + idiom.code
    result = convert_text(HEAD + code, target="agar")
    assert any("this keeps its text" in note.text for note in result.by_hand)
    assert "value_and_grad(" not in result.code
    at = code.index("    for ") if "    for " in code else code.index("    loss = ")
    loop = code[at : code.index("\n    return", at)] if "\n    return" in code[at:] else code[at:]
    assert loop.strip() in result.code
    here = run(idiom.name, result.code, tmp_path)
    batch = tuple(ms.ops.ones(s) for s in idiom.inputs)
    with pytest.raises(NotImplementedError):
        here.train(here.build(), [batch])


@of_names(MARKED)
def test_what_differs_is_marked(idiom: Idiom) -> None:
    assert convert_text(HEAD + idiom.code).by_hand


SCALED = """
class Net(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s = s
        self.up = {layer}

    def forward(self, x):
        return {call}
"""
KNOWN = "nn.Upsample(scale_factor=2)"


@pytest.mark.parametrize(
    ("layer", "call", "marked"),
    [
        (KNOWN, "F.interpolate(x, scale_factor=self.s)", True),
        (KNOWN, "F.interpolate(x, None, self.s, 'bilinear', align_corners=False)", True),
        (KNOWN, "F.interpolate(x, scale_factor=(2, self.s), mode='bilinear')", True),
        (KNOWN, "F.interpolate(x, scale_factor=1.5, mode=self.s)", True),
        (KNOWN, "F.upsample(x, scale_factor=self.s)", True),
        (KNOWN, "F.upsample_nearest(x, scale_factor=self.s)", True),
        ("nn.Upsample(scale_factor=s, mode='bilinear')", "self.up(x)", True),
        ("nn.Upsample(None, s)", "self.up(x)", True),
        ("nn.UpsamplingNearest2d(scale_factor=s)", "self.up(x)", True),
        # the values are the same whatever the scale is
        (KNOWN, "F.interpolate(x, scale_factor=2)", False),
        (KNOWN, "F.interpolate(x, scale_factor=2.0, mode=self.s)", False),
        (KNOWN, "F.interpolate(x, scale_factor=1.5)", False),
        (KNOWN, "F.interpolate(x, scale_factor=self.s, recompute_scale_factor=True)", False),
        (KNOWN, "F.interpolate(x, scale_factor=self.s, mode='area')", False),
        (KNOWN, "F.interpolate(x, None, self.s, 'bilinear', align_corners=True)", False),
        (KNOWN, "F.interpolate(x, self.s)", False),
        (KNOWN, "F.upsample_bilinear(x, scale_factor=self.s)", False),
        ("nn.Upsample(size=s)", "self.up(x)", False),
        ("nn.Upsample(scale_factor=s, mode='bilinear', align_corners=True)", "self.up(x)", False),
        ("nn.UpsamplingBilinear2d(scale_factor=s)", "self.up(x)", False),
    ],
)
def test_a_scale_that_may_be_a_fraction_is_marked(layer: str, call: str, marked: bool) -> None:
    result = convert_text(HEAD + SCALED.format(layer=layer, call=call), target="agar")
    assert not result.error
    lines = result.code.splitlines()
    places = [i for i, line in enumerate(lines) if "# agar: by hand:" in line]
    assert len(places) == len(result.by_hand) == marked
    for place in places:
        assert "if scale_factor is not whole" in lines[place]
        # the mark stands above the statement, which is written all the same
        assert "recompute_scale_factor=True" in lines[place + 1]


@pytest.mark.parametrize("scale", [2, 1.7, (2, 1.7)])
def test_a_marked_scale_has_pytorchs_values_where_it_is_whole(scale: Any, tmp_path: Path) -> None:
    code = SCALED.format(layer=KNOWN, call="F.interpolate(x, None, self.s, 'bilinear')")
    aligned = code.replace("'bilinear'", "'bilinear', True")
    torch.manual_seed(0)
    x = torch.randn(1, 2, 5, 7)
    for text, same in ((code, scale == 2), (aligned, True)):
        if isinstance(scale, tuple):  # a tuple has to be seen
            text = text.replace("self.s, 'bil", "(self.s, 1.7), 'bil")
        given = scale[0] if isinstance(scale, tuple) else scale
        name = f"scale{same}"
        there, here, _ = both(Idiom(name, text, ()), text, tmp_path)
        expected = there.Net(given)(x).numpy()
        found = here.Net(given)(ms.from_torch(x)).asnumpy()
        assert found.shape == expected.shape
        assert np.allclose(found, expected, atol=1e-5) == same


@of_names([*LOOPS, *LEFT])
def test_converting_loops_again_changes_nothing(idiom: Idiom) -> None:
    once = convert_text(HEAD + idiom.code).code
    assert convert_text(once).code == once


@pytest.mark.parametrize(
    ("code", "written"),
    [
        (
            "def f(x):\n    import torch.nn.functional as F\n    return F.relu(x)\n\n"
            "def g(x):\n    import mine as F\n    return F.relu(x)\n",
            ["return ops.relu(x)", "return F.relu(x)"],
        ),
        (
            "try:\n    from torch import nn\nexcept ImportError:\n    from mine import nn\n\n"
            "class A(nn.Module):\n    def forward(self, x):\n        return x\n",
            ["class A(nn.Cell)", "def construct"],
        ),
        (
            "import torchvision.ops as t\n\ndef f(x):\n    return t.nms(x, x, 0.5)\n\n"
            "def g(x):\n    import mine as t\n    return t.nms(x)\n",
            ["# agar: by hand: t.nms(x, x, 0.5)", "return t.nms(x)"],
        ),
        # the class derives from what the top level imports
        (
            "from mine import Module\nimport torch\n\nclass A(Module):\n"
            "    def forward(self, x):\n        return torch.relu(x)\n\n"
            "def g():\n    from torch.nn import Module\n    return Module()\n",
            ["class A(Module)", "def forward", "ops.relu(x)"],
        ),
    ],
)
def test_two_imports_of_one_name(code: str, written: list[str]) -> None:
    result = convert_text(code, target="agar")
    assert not result.error
    for text in written:
        assert text in result.code
