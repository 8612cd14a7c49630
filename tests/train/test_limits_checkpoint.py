"""The limit L18 of the design: checkpoints whose names differ are matched by structure."""

from __future__ import annotations

import pathlib
import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn
from agar.train import load_by_structure, save_checkpoint


class Block(nn.Cell):
    """A residual block in MindSpore's manner."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.conv_a = nn.Conv2d(n_in, n_out, 3)
        self.norm_a = nn.BatchNorm2d(n_out)
        self.conv_b = nn.Conv2d(n_out, n_out, 3)
        self.norm_b = nn.BatchNorm2d(n_out)
        self.shortcut = nn.Conv2d(n_in, n_out, 1)

    def construct(self, x):
        y = ms.ops.relu(self.norm_a(self.conv_a(x)))
        return ms.ops.relu(self.norm_b(self.conv_b(y)) + self.shortcut(x))


class Residual(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3)
        self.stage = nn.SequentialCell(Block(4, 6), Block(6, 6), Block(6, 8))
        self.classifier = nn.Dense(8, 5)

    def construct(self, x):
        return self.classifier(ms.ops.mean(self.stage(self.stem(x)), (2, 3)))


class TorchBlock(torch.nn.Module):
    """The same block with names and an order of PyTorch's model zoo."""

    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(n_in, n_out, 3, padding=1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(n_out)
        self.conv2 = torch.nn.Conv2d(n_out, n_out, 3, padding=1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(n_out)
        self.downsample = torch.nn.Conv2d(n_in, n_out, 1, bias=False)

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class TorchResidual(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 4, 3, padding=1, bias=False)
        self.layers = torch.nn.Sequential(TorchBlock(4, 6), TorchBlock(6, 6), TorchBlock(6, 8))
        self.fc = torch.nn.Linear(8, 5)

    def forward(self, x):
        return self.fc(self.layers(self.conv1(x)).mean((2, 3)))


def with_statistics(module: torch.nn.Module) -> torch.nn.Module:
    torch.manual_seed(3)
    module.train()
    module(torch.randn(4, 3, 8, 8))
    return module.eval()


def how(report) -> dict[str, tuple[str, str]]:
    return {m.name: (m.source, m.how) for m in report.matched}


def pairs(report) -> dict[str, str]:
    return {m.name: m.source for m in report.matched}


def tensors(**shapes: tuple[int, ...]) -> dict[str, Tensor]:
    """Tensors by name, with __ for the dots; each filled with another number."""
    return {
        name.replace("__", "."): Tensor(np.full(shape, i + 1.0, np.float32))
        for i, (name, shape) in enumerate(shapes.items())
    }


class Layers(nn.Cell):
    """Dense layers under given attribute names."""

    def __init__(self, **sizes: tuple[int, int]):
        super().__init__()
        for name, (n_in, n_out) in sizes.items():
            setattr(self, name, nn.Dense(n_in, n_out, has_bias=False))


def test_L18_checkpoints_whose_names_differ_are_matched_by_structure(tmp_path: pathlib.Path):
    module = with_statistics(TorchResidual())
    file = tmp_path / "residual.pth"
    torch.save({"epoch": 3, "state_dict": module.state_dict()}, file)
    net = Residual()
    report = ms.load_by_structure(net, str(file), strict=True)
    assert report.complete
    assert len(report.matched) == len(list(net.get_parameters())) == 36
    # in the block of 6 to 6 channels both convolutions, and both norms, are of one shape
    assert {m.name.rpartition(".")[0] for m in report.uncertain} == {
        f"stage.1.{name}" for name in ("conv_a", "norm_a", "conv_b", "norm_b")
    }
    assert set(report.left_out.values()) == {"a count that the network does not have"}
    matched = pairs(report)
    assert matched["stem.weight"] == "conv1.weight"
    assert matched["stage.0.norm_b.moving_mean"] == "layers.0.bn2.running_mean"
    assert matched["stage.1.shortcut.weight"] == "layers.1.downsample.weight"
    x = np.random.RandomState(0).randn(2, 3, 8, 8).astype(np.float32)
    with torch.no_grad():
        expected = module(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_the_report_is_a_table_that_says_how():
    net = Layers(fc=(2, 3), head=(3, 4))
    given = tensors(fc__weight=(3, 2), top__weight=(4, 3), other=(7,)) | {"text": "x"}
    report = load_by_structure(net, given)
    assert str(report) == "\n".join(
        [
            "network      checkpoint  shape   matched by",
            "fc.weight    fc.weight   (3, 2)  equal name",
            "head.weight  top.weight  (4, 3)  the only layer of its kind and shape",
            "Not used from the checkpoint (1):",
            "  other",
            "Left out of the checkpoint (1):",
            "  text  (no tensor)",
        ]
    )
    assert not report.complete
    np.testing.assert_array_equal(net.head.weight.asnumpy(), np.full((4, 3), 2.0))
    empty = str(load_by_structure(net, {}))
    assert empty.startswith("Nothing was matched.\nWithout a value in the checkpoint (2):")


# --- the steps, from the certain to the uncertain -----------------------------------------------


def test_names_in_the_words_of_pytorch():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(5, 2)
            self.bn = nn.BatchNorm1d(2)

    names = ("weight", "bias", "running_mean", "running_var")
    given = tensors(embed__weight=(5, 2), **{f"bn__{n}": (2,) for n in names})
    report = load_by_structure(Net(), given, strict=True)
    assert pairs(report) == {
        "embed.embedding_table": "embed.weight",
        "bn.moving_mean": "bn.running_mean",
        "bn.moving_variance": "bn.running_var",
        "bn.gamma": "bn.weight",
        "bn.beta": "bn.bias",
    }
    assert {how for _, how in how(report).values()} == {"same name in other words"}


@pytest.mark.parametrize(
    ("prefix", "suffix", "words"),
    [
        ("module.", "", "without 'module.'"),
        ("a.b.", "", "without 'a.b.'"),
        ("", ":0", "same name in other words"),
        ("module.", ".value", "without 'module.'"),
    ],
)
def test_beginnings_and_endings_are_taken_off(prefix: str, suffix: str, words: str):
    net = Layers(a=(2, 2), b=(2, 2))  # equal shapes: only the names tell
    given = {
        f"{prefix}{name}{suffix}": value
        for name, value in tensors(b__weight=(2, 2), a__weight=(2, 2)).items()
    }
    report = load_by_structure(net, given, strict=True)
    assert how(report) == {
        f"{n}.weight": (f"{prefix}{n}.weight{suffix}", words) for n in ("a", "b")
    }
    assert net.b.weight.asnumpy().max() == 1


def test_beginnings_are_put_before_or_exchanged():
    class Whole(nn.Cell):
        def __init__(self):
            super().__init__()
            self.backbone = Layers(a=(2, 2), b=(2, 2))
            self.neck = Layers(c=(2, 2), d=(2, 2))

    given = tensors(b__weight=(2, 2), a__weight=(2, 2))
    given |= tensors(encoder__d__weight=(2, 2), encoder__c__weight=(2, 2))
    report = load_by_structure(Whole(), given, strict=True)
    assert how(report) == {
        "backbone.a.weight": ("a.weight", "with 'backbone.' before"),
        "backbone.b.weight": ("b.weight", "with 'backbone.' before"),
        "neck.c.weight": ("encoder.c.weight", "'encoder.' in place of 'neck.'"),
        "neck.d.weight": ("encoder.d.weight", "'encoder.' in place of 'neck.'"),
    }


def test_of_two_equally_good_beginnings_none_is_taken():
    net = Layers(a=(2, 2), b=(2, 2))
    given = tensors(x__a__weight=(2, 2), x__b__weight=(2, 2))
    given |= tensors(y__a__weight=(2, 2), y__b__weight=(2, 2))
    before = net.a.weight.asnumpy()
    report = load_by_structure(net, given)
    assert report.matched == []
    assert report.not_loaded["a.weight"] == [
        "x.a.weight (2, 2)",
        "x.b.weight (2, 2)",
        "y.a.weight (2, 2)",
    ]
    np.testing.assert_array_equal(net.a.weight.asnumpy(), before)


def test_layers_between_matched_layers():
    net = Layers(first=(2, 3), p=(4, 4), middle=(3, 4), q=(4, 4), last=(4, 5))
    given = tensors(
        u__weight=(3, 2), v__weight=(4, 4), w__weight=(4, 3), x__weight=(4, 4), y__weight=(5, 4)
    )
    result = how(load_by_structure(net, given, strict=True))
    assert result["p.weight"] == ("v.weight", "the only such layer at its place")
    assert result["q.weight"] == ("x.weight", "the only such layer at its place")
    assert result["middle.weight"] == ("w.weight", "the only layer of its kind and shape")


def test_order_alone_is_said_to_be_uncertain():
    net = Layers(a=(2, 2), b=(2, 2), c=(2, 3))
    report = load_by_structure(
        net, tensors(**{"0__weight": (2, 2), "2__weight": (2, 2), "4__weight": (3, 2)}), strict=True
    )
    assert pairs(report) == {"a.weight": "0.weight", "b.weight": "2.weight", "c.weight": "4.weight"}
    assert [m.name for m in report.uncertain] == ["a.weight", "b.weight"]
    assert "2 matches rest on order alone" in str(report)


def test_words_go_before_order():
    net = Layers(query=(2, 2), key=(2, 2), value=(2, 2))
    given = tensors(key_proj__weight=(2, 2), value_proj__weight=(2, 2), query_proj__weight=(2, 2))
    report = load_by_structure(net, given, strict=True)
    assert report.uncertain == []
    assert pairs(report) == {f"{n}.weight": f"{n}_proj.weight" for n in ("query", "key", "value")}


def test_words_that_contradict_the_order_leave_layers_unmatched():
    net = Layers(query=(2, 2), key=(2, 2), value=(2, 2))
    given = tensors(key__weight__x=(2, 2), q__weight=(2, 2), v__weight=(2, 2))
    report = load_by_structure(net, given)
    assert report.matched == []
    assert len(report.not_loaded) == len(report.not_used) == 3


def test_different_numbers_of_equal_layers_are_not_guessed():
    net = Layers(a=(2, 2), b=(2, 2))
    report = load_by_structure(net, tensors(x__weight=(2, 2)))
    assert report.matched == []
    assert report.not_used == {"x.weight": ["a.weight (2, 2)", "b.weight (2, 2)"]}


def test_a_step_or_a_rate_is_not_taken_for_a_parameter():
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(2, 1)
            self.scale = ms.Parameter(Tensor([1.0]))

    given = tensors(dense__weight=(1, 2), dense__bias=(1,), learning_rate=())
    report = load_by_structure(Scaled(), given)
    assert pairs(report) == {"fc.weight": "dense.weight", "fc.bias": "dense.bias"}
    assert list(report.not_loaded) == ["scale"]


def test_an_optimizers_state_is_left_out(tmp_path: pathlib.Path):
    source = Layers(a=(2, 3), b=(3, 4))
    optimizer = nn.Momentum(source.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(source, nn.MSELoss()), optimizer)
    file = str(tmp_path / "step.ckpt")
    save_checkpoint(step, file, append_dict={"note": "x"})
    net = Layers(one=(2, 3), two=(3, 4))
    report = load_by_structure(net, file)
    assert pairs(report) == {"one.weight": "a.weight", "two.weight": "b.weight"}
    assert list(report.left_out) == ["note", "moments.a.weight", "moments.b.weight"]
    again = nn.Momentum(Layers(a=(2, 3), b=(3, 4)).trainable_params(), 0.1, 0.9)
    assert not load_by_structure(again, file).not_loaded  # there, the state is wanted


def test_recurrent_layers_of_several_weights():
    module = torch.nn.Sequential(torch.nn.LSTM(2, 3, bidirectional=True))
    net = nn.SequentialCell(nn.LSTM(2, 3, bidirectional=True))
    report = load_by_structure(net, {f"rnn.{k}": v for k, v in module.state_dict().items()})
    assert report.complete
    assert all(m.name.split(".")[-1] == m.source.split(".")[-1] for m in report.matched)


def test_shapes_may_differ_in_units_and_types_within_a_family():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv1d(2, 3, 5)

    net = Net()
    weight = torch.randn(3, 2, 5, dtype=torch.float64)
    report = load_by_structure(net, {"conv.weight": weight}, strict=True)
    assert how(report)["conv.weight"][1] == "equal name, from shape (3, 2, 5)"
    np.testing.assert_allclose(net.conv.weight.asnumpy()[:, :, 0], weight.numpy(), rtol=1e-6)
    report = load_by_structure(net, {"conv.weight": torch.ones(3, 2, 5, dtype=torch.int32)})
    assert report.not_loaded == {"conv.weight": ["conv.weight (3, 2, 5)"]}


def test_buffers_of_a_torch_module_are_filled():
    module = torch.nn.BatchNorm1d(2)
    load_by_structure(ms.TorchCell(module), tensors(moving_mean=(2,), gamma=(2,)))
    assert module.running_mean.tolist() == [1, 1]
    assert module.weight.tolist() == [2, 2]


# --- nothing is changed before everything is known ----------------------------------------------


def test_strict_raises_before_loading():
    net = Layers(a=(2, 2), b=(2, 3))
    before = [p.asnumpy() for p in net.get_parameters()]
    with pytest.raises(RuntimeError, match=r"1 names of the network and 1 of the") as caught:
        load_by_structure(net, tensors(a__weight=(2, 2), b__weight=(9, 9)), strict=True)
    assert "b.weight  (closest: b.weight (9, 9))" in str(caught.value)
    for p, old in zip(net.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), old)


def test_a_value_that_does_not_fit_raises_before_loading():
    class Counters(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = ms.Parameter(Tensor([0, 0], ms.int8))
            self.b = ms.Parameter(Tensor([0, 0], ms.int8))

    net = Counters()
    with pytest.raises(RuntimeError, match=r"b of type Int8 cannot hold"):
        load_by_structure(net, {"a": np.array([1, 2]), "b": np.array([1, 200])})
    assert net.a.asnumpy().tolist() == [0, 0]


def test_a_dry_run_only_reports():
    net = Layers(a=(2, 2))
    before = net.a.weight.asnumpy()
    assert load_by_structure(net, tensors(x__weight=(2, 2)), dry_run=True).complete
    np.testing.assert_array_equal(net.a.weight.asnumpy(), before)


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_checkpoints_of_agar(tmp_path: pathlib.Path, format: str):
    file = tmp_path / f"a.{format}"
    source = Layers(a=(2, 3))
    save_checkpoint(source, str(file), format=format)
    net = Layers(b=(2, 3))
    assert load_by_structure(net, file, strict=True).complete
    np.testing.assert_array_equal(net.b.weight.asnumpy(), source.a.weight.asnumpy())


STATE = {"fc.weight": torch.ones(3, 2)}


@pytest.mark.parametrize(
    "content",
    [
        STATE,
        {"model": STATE, "optimizer": {"state": {0: STATE}, "param_groups": []}},
        {"state_dict": STATE, "ema": STATE, "epoch": 1},
        {"weights": STATE},
    ],
)
def test_where_pytorchs_files_hold_parameters(tmp_path: pathlib.Path, content: dict):
    torch.save(content, tmp_path / "a.pt")
    net = Layers(fc=(2, 3))
    assert not load_by_structure(net, tmp_path / "a.pt").not_loaded
    assert net.fc.weight.asnumpy().min() == 1


class Harmful:
    def __reduce__(self):
        return pathlib.Path.touch, (pathlib.Path("ran"),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (torch.nn.Linear(1, 1), "could run code.*state_dict"),
        ({"a": Harmful()}, "could run code"),
        ({"one": STATE, "two": STATE}, r"each of \['one', 'two'\]"),
        ([1], "no dict of names to tensors, but list"),
        ({"epoch": 3}, "no dict of names to tensors"),
    ],
)
def test_files_of_pytorch_that_are_refused(tmp_path, monkeypatch, content, words: str):
    monkeypatch.chdir(tmp_path)
    torch.save(content, "a.pth")
    with pytest.raises(ValueError, match=words):
        load_by_structure(Layers(fc=(2, 3)), "a.pth")
    assert not pathlib.Path("ran").exists()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\3\4nonsense", pickle.dumps(Harmful())])
def test_damaged_files_of_pytorch(tmp_path, monkeypatch, data: bytes):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("a.pth").write_bytes(data)
    with pytest.raises(ValueError, match=r"a.pth"):
        load_by_structure(Layers(fc=(2, 3)), "a.pth")
    assert not pathlib.Path("ran").exists()


@pytest.mark.parametrize(
    ("net", "given", "error", "words"),
    [
        (3, {}, TypeError, "'net' must be a Cell"),
        (Layers(), 3, TypeError, "must be a dict of names to tensors, or the name of a file"),
        (Layers(), {1: torch.ones(1)}, TypeError, "must be a str, not 1"),
        (Layers(), "a.npz", ValueError, "must end with .ckpt"),
        (Layers(), "missing.pth", ValueError, "does not exist"),
        (Layers(), "missing.ckpt", ValueError, "does not exist"),
    ],
)
def test_wrong_arguments(net, given, error, words: str):
    with pytest.raises(error, match=words):
        load_by_structure(net, given)
