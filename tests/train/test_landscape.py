"""The loss around a training: figures of MindSpore 2.10 on a CPU."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import agar as ms
from agar import dataset, nn, ops
from agar.train import Loss, Model, SummaryCollector, SummaryLandscape

X = np.random.RandomState(0).randn(16, 3).astype(np.float32)
Y = X @ np.array([[1.0], [2.0], [-1.0]], np.float32)
SETTINGS = {
    "landscape_size": 4,
    "unit": "epoch",
    "create_landscape": {"train": True, "result": True},
    "num_samples": 16,
    "intervals": [[1, 2, 3, 4]],
}


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        first = np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)
        second = np.linspace(-0.5, 1, 4).reshape(1, 4).astype(np.float32)
        self.fc1 = nn.Dense(3, 4, ms.Tensor(first), "zeros")
        self.fc2 = nn.Dense(4, 1, ms.Tensor(second), "zeros")

    def construct(self, x):
        return self.fc2(ops.relu(self.fc1(x)))


def rows():
    return dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(4)


def evaluated():
    net, metrics = Net(), {"Loss": Loss()}
    return Model(net, nn.MSELoss(), metrics=metrics), net, rows(), metrics


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a training; tests take copies of it."""
    folder = tmp_path_factory.mktemp("summary")
    net = Net()
    model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9))
    collector = SummaryCollector(
        str(folder),
        collect_specified_data={"collect_landscape": SETTINGS},
        keep_default_action=False,
    )
    model.train(4, rows(), callbacks=[collector])
    return folder


@pytest.fixture
def folder(trained, tmp_path):
    return shutil.copytree(trained, tmp_path / "summary")


def test_over_the_way_of_the_training(folder):
    landscape, _ = SummaryLandscape(str(folder))._list_landscapes(evaluated)
    assert (landscape.name, landscape.decomposition) == ("landscape_[1, 4]", "PCA")
    expected = [
        ([-0.71362567, -0.43610458, -0.15858348, 0.11893761], landscape.x),
        ([-0.4034929, -0.1710989, 0.0612951, 0.2936891], landscape.y),
        ([3.64750940, 1.63042107, 1.20046983, 3.93430981], landscape.z[0]),
        ([3.42477280, 3.47685272, 4.58311668, 6.38662440], landscape.z[3]),
        ([-0.59468806, -0.4407427, -0.25322196, 0.0], landscape.path[0]),
        ([2.47936252, 0.80868486, 0.96053638, 3.94371036], landscape.path[2]),
        ([0, 0, 3.94371036], landscape.center),
    ]
    for figures, item in expected:
        np.testing.assert_allclose(item, figures, rtol=1e-4, atol=2e-6)


def test_around_the_end(folder):
    np.random.seed(0)
    only = {"create_landscape": {"train": False, "result": True}}
    (landscape,) = SummaryLandscape(str(folder))._list_landscapes(evaluated, only)
    assert (landscape.name, landscape.decomposition) == ("landscape_[4]", "Random")
    np.testing.assert_allclose(landscape.x, [-1, -1 / 3, 1 / 3, 1])
    assert landscape.path is None
    assert landscape.z.shape == (4, 4)
    # each parameter moves by its own length: far out the loss is higher than in the middle
    assert landscape.z[0].max() > landscape.z[1:3, 1:3].min()


def test_what_is_written(folder, tmp_path):
    from_tool = SummaryLandscape(str(folder))
    from_tool.gen_landscapes_with_multi_process(
        evaluated, {"landscape_size": 3}, [0], str(tmp_path / "out")
    )
    (file,) = (tmp_path / "out").iterdir()
    written = file.read_bytes()
    for name in (b"landscape_[1, 4]/path", b"landscape_[1, 4]/z", b"landscape_[4]/z", b"PNG"):
        assert name in written
    assert b"landscape_[4]/path" not in written


def test_only_own_files_are_deleted(folder):
    result = folder / "ckpt_dir" / "mine.ckpt"
    result.write_bytes(b"")
    SummaryLandscape(str(folder)).clean_ckpt()
    assert [file.name for file in (folder / "ckpt_dir").iterdir()] == ["mine.ckpt"]


def test_the_folder_may_be_moved(folder, tmp_path):
    moved = shutil.move(folder, tmp_path / "elsewhere")
    data = json.loads((moved / "ckpt_dir" / "train_metadata.json").read_text())
    assert not data["model_params_file_map"]["1"].startswith(str(moved))
    assert list(SummaryLandscape(str(moved))._list_landscapes(evaluated, {"landscape_size": 3}))


def _with_optimizer():
    model, net, data, metrics = evaluated()
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    return model, net, data, metrics


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((evaluated, {"intervals": [[1, 2, 9]]}), ValueError, r"epochs \[9\]"),
        ((evaluated, {"intervals": [[1, 2]]}), ValueError, "intervals"),
        ((evaluated, {"landscape_size": 2}), ValueError, "landscape_size"),
        ((evaluated, {"size": 2}), ValueError, "size"),
        ((evaluated, 3), TypeError, "must be a dict"),
        ((evaluated, {"num_samples": 3}), ValueError, "at least the batch size"),
        ((evaluated, None, [8]), ValueError, "from 0 to 7"),
        ((evaluated, None, "0"), TypeError, "list of ints"),
        ((_with_optimizer,), ValueError, "no optimizer"),
        ((lambda: (*evaluated()[:3], {"mae"}),), ValueError, "under 'Loss'"),
    ],
)
def test_errors(folder, arguments, error, text):
    with pytest.raises(error, match=text):
        SummaryLandscape(str(folder)).gen_landscapes_with_multi_process(*arguments)


def test_nothing_was_collected(tmp_path):
    with pytest.raises(FileNotFoundError, match="collect_landscape"):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(evaluated)
    with pytest.raises(TypeError, match="summary_dir"):
        SummaryLandscape(3)
