"""SummaryRecord and SummaryCollector: their files, read back by a reader of its own."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import agar as ms
from agar import nn, ops


def _crc(data: bytes) -> int:
    """CRC-32C bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def _masked(data: bytes) -> int:
    crc = _crc(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _fields(data: bytes) -> dict[int, list]:
    """The fields of a message, by number; those of a length as bytes."""
    entries: dict[int, list] = {}
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
            if kind != 2:
                value = struct.unpack("<d" if kind == 1 else "<f", value)[0]
        entries.setdefault(key >> 3, []).append(value)
    return entries


def _read(path: str | Path) -> list[dict[int, list]]:
    data = Path(path).read_bytes()
    events = []
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        assert struct.unpack_from("<I", data, at + 8) == (_masked(data[at : at + 8]),)
        message = data[at + 12 : at + 12 + length]
        assert struct.unpack_from("<I", data, at + 12 + length) == (_masked(message),)
        events.append(_fields(message))
        at += length + 16
    return events


def _values(path: str | Path) -> dict[tuple[int, str], dict[int, list]]:
    """What a file holds, by step and tag."""
    first, *others = _read(path)
    assert first[3] == [b"brain.Event:2"]
    entries = {}
    for event in others:
        for value in _fields(event[5][0])[1]:
            fields = _fields(value)
            entries[event[2][0], fields[1][0].decode()] = fields
    return entries


def _pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png), formats=["PNG"]) as picture:
        return np.asarray(picture)


class Noting(nn.Cell):
    """A network that summarizes what it computes."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(12, 1)
        self.scalar = ops.ScalarSummary()
        self.tensor = ops.TensorSummary()

    def construct(self, x):
        y = self.dense(x.reshape(x.shape[0], -1))
        self.scalar("mean", y.mean())
        self.tensor("out", y)
        return y


def _train(folder, epochs=1, **options):
    net = Noting()
    model = ms.Model(
        net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), metrics={"mae": nn.MAE()}
    )
    rng = np.random.default_rng(0)
    rows = [(ms.Tensor(rng.random((2, 3, 2, 2), np.float32)), ops.ones((2, 1)))] * 6
    collector = ms.SummaryCollector(str(folder), **options)
    model.fit(epochs, rows, rows, callbacks=[collector], dataset_sink_mode=False)
    return {path.name.rpartition("_")[2]: _values(path) for path in folder.glob("*.tfevents_*")}


def test_values_can_be_read_back(tmp_path):
    with ms.SummaryRecord(str(tmp_path), file_prefix="run", file_suffix="_x") as summary:
        path = Path(summary.log_dir)
        assert path.name.startswith("run.out.events.summary.")
        assert path.name.endswith("_x")
        assert "tfevents" in path.name
        assert not path.exists()
        summary.add_value("scalar", "loss", ms.Tensor(0.5))
        summary.add_value("tensor", "t", ms.Tensor([[1, 2], [3, -4]], ms.int64))
        summary.add_value("histogram", "h", ms.Tensor([0.0, 1.0, 2.0, np.inf, np.nan]))
        summary.add_value("image", "i", ms.Tensor(np.full((2, 1, 2, 3), 0.5, np.float32)))
        summary.add_value("graph", "g", nn.Dense(2, 1))
        assert summary.record(7) is True
        assert summary.record(8) is True  # nothing is left
    result = _values(path)
    assert {step for step, _ in result} == {7}
    assert result[7, "loss"][2] == [0.5]
    tensor = _fields(result[7, "t"][8][0])
    assert tensor[1] == [9]
    assert np.frombuffer(tensor[4][0], "<i8").tolist() == [1, 2, 3, -4]
    assert [_fields(d)[1] for d in _fields(tensor[2][0])[2]] == [[2], [2]]
    histogram = _fields(result[7, "h"][5][0])
    assert [histogram[i][0] for i in range(1, 6)] == [0.0, 2.0, 3.0, 3.0, 5.0]
    assert np.frombuffer(histogram[6][0]).tolist() == [1.0, 2.0]
    assert np.frombuffer(histogram[7][0]).tolist() == [1.0, 2.0]
    image = _fields(result[7, "i"][4][0])
    assert [image[i][0] for i in (1, 2, 3)] == [2, 6, 3]
    assert (_pixels(image[4][0]) == 127).all()
    text = result[7, "g"]
    assert b"Dense" in _fields(text[8][0])[8][0]
    assert _fields(_fields(text[9][0])[1][0])[1] == [b"text"]
    assert path.stat().st_mode & 0o777 == 0o400


def test_images_stand_in_rows_of_eight_and_are_stretched(tmp_path):
    images = np.arange(9, dtype=np.float32).reshape(9, 1, 1, 1) - 1
    with ms.SummaryRecord(str(tmp_path)) as summary:
        summary.add_value("image", "i", ms.Tensor(images))
        summary.add_value("image", "bytes", ms.Tensor(images[1:].astype(np.uint8)))
        summary.record(1)
        path = summary.log_dir
    result = _values(path)
    pixels = _pixels(_fields(result[1, "i"][4][0])[4][0])
    scale = 255 / 9
    assert pixels[0, :, 0].tolist() == [int(i * scale) for i in range(8)]
    # what no image covers is zero, which is one above the least
    assert pixels[1, :, 0].tolist() == [int(8 * scale)] + [int(scale)] * 7
    assert _pixels(_fields(result[1, "bytes"][4][0])[4][0])[0, :, 0].tolist() == list(range(8))


def test_filter_mode_and_export(tmp_path):
    with ms.SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as summary:
        ops.ScalarSummary()("a", ms.Tensor(1.0))
        ops.ScalarSummary()("a", ms.Tensor(2.0))
        ops.TensorSummary()("b/c", ms.Tensor([1.0]))
        summary.record(1)
        ops.ScalarSummary()("a", ms.Tensor(3.0))
        ops.TensorSummary()("b/c", ms.Tensor([1.0]))
        summary.record(2, plugin_filter=lambda plugin: plugin == "scalar")
        summary.set_mode("eval")
        ops.ScalarSummary()("a", ms.Tensor(4.0))
        summary.record(3)
        path = summary.log_dir
    result = _values(path)
    assert set(result) == {(1, "a"), (1, "b/c"), (2, "a")}
    assert result[1, "a"][2] == [2.0]
    (file,) = tmp_path.glob("export_*/tensor/*.npy")
    assert file.name == "b%2Fc_1.npy"
    assert np.load(file).tolist() == [1.0]


def test_a_file_grows_no_further_than_its_limit(tmp_path):
    with ms.SummaryRecord(str(tmp_path), max_file_size=150) as summary:
        for step in range(5):
            summary.add_value("scalar", "a", ms.Tensor(1.0))
            summary.record(step)
        path = summary.log_dir
    assert Path(path).stat().st_size <= 150
    assert {step for step, _ in _values(path)} == {0, 1}


def test_wrong_arguments(tmp_path):
    folder = str(tmp_path)
    with pytest.raises(TypeError, match="max_file_size"):
        ms.SummaryRecord(folder, max_file_size="1")
    with pytest.raises(ValueError, match="regular"):
        ms.SummaryRecord(folder, file_prefix="/")
    with pytest.raises(ValueError, match="tensor_format"):
        ms.SummaryRecord(folder, export_options={"other": "npy"})
    with ms.SummaryRecord(folder) as summary:
        with pytest.raises(RuntimeError, match="only one instance"):
            ms.SummaryRecord(folder)
        with pytest.raises(ValueError, match="recognized mode"):
            summary.set_mode("predict")
        with pytest.raises(ValueError, match="plugin"):
            summary.add_value("sound", "a", ms.Tensor(1.0))
        with pytest.raises(ValueError, match="name"):
            summary.add_value("scalar", "", ms.Tensor(1.0))
        with pytest.raises(TypeError, match="Tensor"):
            summary.add_value("scalar", "a", 1.0)
        with pytest.raises(ValueError, match="one element"):
            summary.add_value("scalar", "a", ms.Tensor([1.0, 2.0]))
        with pytest.raises(NotImplementedError, match="landscape"):
            summary.add_value("landscape", "a", None)
        with pytest.raises(TypeError, match="step"):
            summary.record("1")
    assert summary.record(1) is False
    with pytest.raises(ValueError, match="closed"), summary:
        pass


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_collector_collects_a_training(tmp_path, mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        options = {"collect_freq": 4, "custom_lineage_data": {"seed": 3}}
        files = _train(tmp_path, 2, **options)
    finally:
        ms.set_context(mode=before)
    result, lineage = files["MS"], files["lineage"]
    steps = {step for step, tag in result if tag == "loss/auto"}
    assert steps == {1, 4, 8, 12}
    for tag in ("mean", "out", "dense.weight/auto", "dense.bias/auto", "input_data/auto"):
        assert {step for step, own in result if own == tag} == steps
    graph = _fields(result[1, "train_network/auto"][8][0])[8][0]
    assert b"Noting" in graph
    assert {tag for _, tag in lineage} == {
        "train_dataset",
        "custom_lineage_data",
        "train_lineage",
        "eval_lineage",
    }
    train = json.loads(_fields(lineage[0, "train_lineage"][8][0])[8][0])
    assert train["optimizer"] == "SGD"
    assert train["network"] == "Noting"
    assert train["epoch"] == 2
    saved = {path.name for path in (tmp_path / "ckpt_dir").glob("*.ckpt")}
    assert saved == {f"Noting_{i}_step.ckpt" for i in range(1, 13)}
    assert json.loads((tmp_path / "ckpt_dir" / "train_metadata.json").read_text())["unit"] == "step"


def test_collector_collects_what_it_is_asked_for(tmp_path):
    files = _train(
        tmp_path,
        collect_freq=3,
        collect_tensor_freq=2,
        collect_specified_data={"histogram_regular": ".*bias"},
        keep_default_action=False,
    )
    assert set(files) == {"MS"}
    assert not (tmp_path / "ckpt_dir").exists()
    steps: dict[str, set[int]] = {}
    for step, tag in files["MS"]:
        steps.setdefault(tag, set()).add(step)
    assert steps == {"mean": {1, 3, 6}, "dense.bias/auto": {1, 3, 6}, "out": {1, 2, 4, 6}}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"collect_freq": 0}, ValueError, "collect_freq"),
        ({"collect_freq": True}, TypeError, "collect_freq"),
        ({"collect_specified_data": {"other": True}}, ValueError, "other"),
        ({"collect_specified_data": {"histogram_regular": "("}}, ValueError, "regular expression"),
        ({"collect_specified_data": {"collect_landscape": {"unit": "row"}}}, ValueError, "unit"),
        ({"custom_lineage_data": {"a": None}}, TypeError, "custom_lineage_data -> a"),
    ],
)
def test_collector_refuses(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        ms.SummaryCollector(str(tmp_path), **options)


def test_a_run_has_one_collector(tmp_path):
    net = nn.Dense(1, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    rows = [(ops.ones((1, 1)), ops.ones((1, 1)))]
    first = ms.SummaryCollector(str(tmp_path))
    with pytest.raises(ValueError, match="more than one SummaryCollector"):
        model.train(1, rows, callbacks=[first, _Silent(str(tmp_path))])


class _Silent(ms.SummaryCollector):
    """A second collector, which opens no record of its own."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def test_tensorboard_reads_the_file(tmp_path):
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    with ms.SummaryRecord(str(tmp_path)) as summary:
        summary.add_value("scalar", "loss", ms.Tensor(0.5))
        summary.record(3)
        path = summary.log_dir
    events = list(loader.LegacyEventFileLoader(path).Load())
    assert events[-1].step == 3
    assert events[-1].summary.value[0].tag == "loss"
