"""Settings of layers that are written later: PyTorch's read them at every call."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import agar as ms
from agar.migrate import load_torch_state
from agar.migrate.conversion import convert_text
from migrate.convert_idioms import HEAD
from migrate.test_convert_run import run

#: layers, and what is written into them
SETTINGS = {
    "attributes": """
        self.conv.stride = (1, 2)
        self.conv.dilation = 2
        self.conv.padding = (2, 1)
        self.norm.eps = 0.1
        self.norm.momentum = 0.4
        self.drop.p *= 0
""",
    "loop": """
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                kh, kw = m.kernel_size
                m.stride = 1
                m.dilation = (2, 2)
                m.padding = (kh // 2 * 2, kw // 2 * 2)
            elif isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d)):
                m.eps = 0.1
                m.momentum = 0.4
            elif isinstance(m, nn.Dropout):
                m.p = 0.0
""",
    "unknown class": """
        for m in self.children():
            if hasattr(m, "stride"):
                m.stride = 1
                m.padding = "same"
        self.drop.p = 0
""",
    "function": """
        widen(self.conv)
        self.drop.p = 0
""",
    "subclass": """
        self.own.dilation = (2, 2)
        self.drop.p = 0
""",
}
NET = """
def widen(layer):
    layer.stride = 1
    layer.padding = 3


class Own(nn.Conv2d):
    def __init__(self, i, o):
        super().__init__(i, o, 3)
        self.padding = 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)
        self.own = Own(4, 4)
        self.norm = nn.BatchNorm2d(4)
        self.drop = nn.Dropout(0.5)
{written}
    def forward(self, x):
        return self.drop(self.norm(self.own(self.conv(x))))
"""


@pytest.mark.parametrize("name", SETTINGS)
def test_layers_compute_with_what_is_written_into_them(name: str, tmp_path: Path) -> None:
    code = HEAD + NET.format(written=SETTINGS[name].strip("\n"))
    result = convert_text(code, target="agar")
    assert not result.by_hand
    there, here = run("original", code, tmp_path), run("converted", result.code, tmp_path)
    torch.manual_seed(1)
    net, cell = there.Net().train(), here.Net().set_train()
    load_torch_state(cell, net.state_dict(), module=net)
    x = torch.randn(2, 3, 9, 9)
    for train in (True, False):
        net.train(train)
        cell.set_train(train)
        torch.testing.assert_close(
            torch.from_numpy(cell(ms.Tensor(x.numpy())).asnumpy()), net(x), rtol=1e-5, atol=1e-5
        )


@pytest.mark.parametrize(
    "written", ["self.pool.kernel_size = 3", "self.norm.eps = 1e-3", "self.act.negative_slope = 1"]
)
def test_other_settings_are_marked(written: str) -> None:
    code = f"""{HEAD}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.act = nn.LeakyReLU()
        self.norm = nn.LayerNorm(4)
        {written}
"""
    (note,) = convert_text(code).by_hand
    assert "make the layer with the value" in note.text


def test_a_layer_without_a_class_in_the_source_refuses_when_it_is_built_with_it(
    tmp_path: Path,
) -> None:
    code = HEAD + "def f(layer):\n    layer.padding = 1\n    return layer\n"
    here = run("converted", convert_text(code, target="agar").code, tmp_path)
    with pytest.raises(NotImplementedError, match="MaxPool2d is built with padding"):
        here.f(ms.nn.MaxPool2d(2))
    options = here.f(type("Options", (), {})())
    assert options.padding == 1


def test_what_is_no_layer_stays_an_assignment() -> None:
    code = f"""{HEAD}
class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stride = 2
        self.eps = cfg.eps
        cfg.p = 3
        self.fc = nn.Linear(2, 2)
        self.fc.out_features = 4
"""
    converted = convert_text(code).code
    assert "_set_layer" not in converted
    assert "self.stride = 2" in converted
