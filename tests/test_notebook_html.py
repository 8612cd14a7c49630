"""What notebooks show of tensors, parameters, cells and reports: valid HTML, every text escaped."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, migrate, nn, ops
from agar.common.initializer import initializer
from agar.migrate.scanner import scan
from agar.migrate.script_runs import ScriptCheck
from agar.migrate.weight_matching import Row, Transfer

#: A text that would be an element, if it were not escaped.
EVIL = "<script>alert('x')</script>&"
ALLOWED = {"div", "b", "span", "pre", "details", "summary", "table", "thead", "tbody", "tr"} | {
    "th",
    "td",
}


class _Page(HTMLParser):
    """The text of a block; a wrong nesting or an element that has no place in it is an error."""

    def __init__(self, source):
        super().__init__()
        self.open = []
        self.words = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ALLOWED, tag
        assert {name for name, _ in attrs} <= {"style", "class", "open"}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def shown(value):
    return "".join(_Page(value._repr_html_()).words)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2), (50, 50)])
@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.int64, ms.bool_, ms.complex64])
def test_tensors(shape, dtype):
    value = ops.ones(shape, dtype)
    text = shown(value)
    assert f"shape {shape}" in text
    assert str(dtype) in text
    assert text.endswith(str(value))


def test_what_has_no_values_draws_none():
    later = initializer("normal", (2, 2), ms.float32)
    assert "no values yet" in shown(later)
    assert later.has_init  # nothing was drawn
    assert "no values yet" in shown(Tensor(shape=(2, None), dtype=ms.float32))
    assert "device meta" in shown(ms.from_torch(torch.empty(2, 3, device="meta")))


def test_parameters():
    weight = Parameter(ops.ones((2,)), name=EVIL, requires_grad=False)
    text = shown(weight)
    assert EVIL in text
    assert "frozen" in text
    assert "[1. 1.]" in text


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
        self.again = self.body[0]
        self.scale = Parameter(ops.ones((1,)), name="scale")
        self.later = None

    def extend_repr(self):
        return EVIL


def test_cells():
    text = shown(Net())
    # 9 of Dense, once, 6 of BatchNorm and the scale; two running statistics of 3 are not trained
    assert "16 trained parameters" in text
    assert "6 frozen" in text
    assert EVIL in text
    for part in ("body", "again", "BatchNorm1d", "moving_mean", "(3, 2)"):
        assert part in text


def test_large_cells_are_cut_with_a_word():
    text = shown(nn.CellList([nn.ReLU() for _ in range(450)]))
    assert "... 50 more here; print(net) shows all" in text
    assert "399" in text
    assert "449" not in text


def test_reports_of_checks():
    source = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU())
    x = torch.randn(1, 1, 5, 5)
    text = shown(migrate.check(source, migrate.from_torch(source), x))
    assert "verified 100 %" in text
    wrong = nn.SequentialCell(nn.Conv2d(1, 2, 3, has_bias=True), nn.ReLU())
    report = migrate.check(source, wrong, x, sync_weights=True)
    report.notes.append(EVIL)
    text = shown(report)
    assert "not equal" in text
    assert "this repairs it: nn.Conv2d(1, 2, 3, pad_mode='pad', has_bias=True)" in text
    assert EVIL in text


def test_other_reports(tmp_path):
    @ms.jit
    def double(x):
        return x * 2

    for _ in range(3):
        double(ops.ones((2,)))
    assert "recordings: 1" in shown(ms.graph.explain(double))

    file = tmp_path / "net.py"
    file.write_text("import torch\nx = torch.nn.Linear(2, 3)\ny = torch.unheard_of(x)\n")
    text = shown(scan(file))
    assert "torch.unheard_of" in text

    rows = [Row(EVIL, "b", (1,), "float32", "name")] * 450
    text = shown(Transfer(rows=rows, missing={EVIL: ["a"]}, left_out={"c": EVIL}))
    assert "not complete" in text
    assert "... 50 more" in text
    assert text.count(EVIL) == 402

    assert EVIL in shown(ScriptCheck("train.py", error=EVIL))


def test_values_are_those_of_the_moment():
    weight = Parameter(ops.zeros((2,)), name="w")
    before = shown(weight)
    weight.set_data(Tensor(np.array([3.0, 4.0], np.float32)))
    assert "[3. 4.]" in shown(weight)
    assert "[3. 4.]" not in before


def test_import_loads_none_of_it():
    program = "import agar, sys; print('agar._core.html' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
