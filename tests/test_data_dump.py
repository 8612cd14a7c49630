"""`set_dump` writes what cells and primitives compute, in both modes, at every run."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar.tools import set_dump


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def _mode(request: pytest.FixtureRequest) -> Iterator[None]:
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def configured(folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Path:
    """Let the environment name a file with these settings; the folder that is written to."""
    known = {"dump_mode": 2, "path": str(folder), "net_name": "net", **settings}
    file = folder / "dump.json"
    file.write_text(json.dumps({"common_dump_settings": known}))
    monkeypatch.setenv("MINDSPORE_DUMP_CONFIG", str(file))
    return folder / "rank_0" / "net"


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 3)
        self.act = nn.ReLU()

    def construct(self, x: ms.Tensor, scale: ms.Tensor) -> tuple[ms.Tensor, dict[str, ms.Tensor]]:
        y = self.act(self.fc(x))
        return self.act(y * scale), {"half": y.astype(ms.bfloat16)}


@pytest.mark.usefixtures("_mode")
def test_every_run_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = configured(tmp_path, monkeypatch, iteration="0|3-4", saved_data="full")
    net = Net()
    set_dump(net)
    set_dump(net)  # once is enough
    step = ms.value_and_grad(lambda x, s: net(x, s)[0].sum(), None, net.trainable_params())
    for k in range(6):
        step(ms.Tensor(np.full((1, 2), float(k), np.float32)), ms.Tensor(2.0))
    assert sorted(f.name for f in home.iterdir()) == ["0", "3", "4"]
    last = {f.name[:-4]: np.load(f) for f in (home / "4").glob("*.npy")}
    assert last["Net.target.0.input.0"].tolist() == [[4.0, 4.0]]
    assert last["Net.target.0.input.1"].tolist() == 2.0
    np.testing.assert_array_equal(last["ReLU.act.0.input.0"], last["Dense.fc.0.output.0"])
    np.testing.assert_array_equal(last["ReLU.act.1.output.0"], last["Net.target.0.output.0"])
    half = last["Net.target.0.output.1.half"]
    assert half.dtype == np.float32  # numpy has no bfloat16
    np.testing.assert_allclose(half, last["ReLU.act.0.output.0"], rtol=1e-2)
    np.testing.assert_array_equal(last["Net.target.0.gradient.0"], np.ones((1, 3)))
    expected = 2.0 * (last["Dense.fc.0.output.0"] > 0)
    np.testing.assert_array_equal(last["Dense.fc.0.gradient.0"], expected)
    rows = list(csv.DictReader((home / "4" / "statistic.csv").read_text().splitlines()))
    assert len(rows) == len(last)
    row = next(r for r in rows if r["Op Name"] == "fc" and r["IO"] == "input")
    assert (row["Shape"], row["Data Type"], row["Max Value"]) == ("(1, 2)", "float32", "4.0")
    set_dump(net, False)
    before = len(list(home.rglob("*")))
    step(ms.Tensor(np.ones((1, 2), np.float32)), ms.Tensor(2.0))
    assert len(list(home.rglob("*"))) == before


@pytest.mark.usefixtures("_mode")
def test_a_primitive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = configured(tmp_path, monkeypatch)
    relu, other = ops.ReLU(), ops.ReLU()
    set_dump(relu)
    compute = ms.grad(lambda x: relu(other(x) * 3))
    for _ in range(3):
        assert compute(ms.Tensor([1.0, -1.0])).asnumpy().tolist() == [3.0, 0.0]
    assert isinstance(relu, ops.ReLU)
    names = sorted(f.name for f in (home / "2").iterdir())
    assert names == [f"ReLU.ReLU.0.{io}.0.npy" for io in ("gradient", "input", "output")]
    set_dump(relu, False)
    assert type(relu) is type(other)
    compute(ms.Tensor([1.0, -1.0]))
    assert sorted(f.name for f in home.iterdir()) == ["0", "1", "2"]


def test_inputs_or_outputs_or_statistics_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, settings, expected in (
        ("in", {"input_output": 1}, ["ReLU.target.0.input.0.npy"]),
        ("out", {"input_output": 2}, ["ReLU.target.0.output.0.npy"]),
        ("few", {"saved_data": "statistic"}, ["statistic.csv"]),
    ):
        home = configured(tmp_path, monkeypatch, net_name=name, **settings).parent
        cell = nn.ReLU()
        set_dump(cell)
        cell(ms.Tensor([1.0]))
        assert [f.name for f in (home / name / "0").iterdir()] == expected


def test_what_is_wrong_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = nn.ReLU()
    monkeypatch.delenv("MINDSPORE_DUMP_CONFIG", raising=False)
    with pytest.warns(UserWarning, match="writes nothing.*MINDSPORE_DUMP_CONFIG"):
        set_dump(cell)
    with pytest.raises(ValueError, match="instance of Cell or Primitive"):
        set_dump(3)
    with pytest.raises(ValueError, match="must be bool"):
        set_dump(cell, 1)  # type: ignore[arg-type]
    for settings, words in (
        ({"dump_mode": 0}, "'dump_mode' in .* must be one of 2, but got 0"),
        ({"iteration": "1-"}, "'iteration' in .*'0|5-8', but got '1-'"),
        ({"iteration": 3}, "'iteration' in"),
        ({"saved_data": "all"}, "'saved_data' in .* 'tensor', 'statistic', 'full'"),
        ({"path": ""}, "'path' in .* not empty"),
        ({"input_output": 3}, "'input_output' in"),
    ):
        configured(tmp_path, monkeypatch, **settings)
        with pytest.raises(ValueError, match=words):
            set_dump(cell)
    (tmp_path / "dump.json").write_text("{")
    with pytest.raises(ValueError, match="cannot be read as JSON"):
        set_dump(cell)
    monkeypatch.setenv("MINDSPORE_DUMP_CONFIG", str(tmp_path / "nothing.json"))
    with pytest.raises(ValueError, match=r"nothing\.json"):
        set_dump(cell)
    assert not (tmp_path / "rank_0").exists()
