"""save_checkpoint, load_checkpoint, load_param_into_net and the conversions, as observed."""

from __future__ import annotations

import logging
import os
import pathlib
import threading

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import agar as ms
import forked
from agar import Parameter, Tensor, nn
from agar.train import (
    _background,
    _checkpoint_file,
    async_ckpt_thread_status,
    ckpt_to_safetensors,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
    safetensors_to_ckpt,
    save_checkpoint,
)
from train.checkpoint_files import FILES, LARGE, assert_same, kill_while_writing, types

FORMATS = ("ckpt", "safetensors")


class Net(nn.Cell):
    def __init__(self, n_in: int = 2):
        super().__init__()
        self.fc = nn.Dense(n_in, 1)


class One(nn.Cell):
    """One parameter, of any shape and type."""

    def __init__(self, shape: tuple[int, ...] = (2,), dtype=ms.float32):
        super().__init__()
        self.w = Parameter(Tensor(torch.zeros(shape), dtype))


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    _background.background.finish()


@pytest.fixture
def warnings_of(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING, "agar")
    return lambda: [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]


def parameter(value, name: str = "p", dtype=None) -> Parameter:
    return Parameter(Tensor(value, dtype), name=name)


def values(net: nn.Cell) -> dict[str, list]:
    return {p.name: p.asnumpy().tolist() for p in net.get_parameters()}


def raw(loaded: dict) -> dict:
    """The torch tensors of what `load_checkpoint` gave."""
    return {k: v if isinstance(v, str) else v._value for k, v in loaded.items()}


# --- MindSpore's files --------------------------------------------------------------------------


def test_mindspores_file_goes_into_a_network_and_back(folder: pathlib.Path) -> None:
    (folder / "theirs.ckpt").write_bytes(FILES["dense.ckpt"])
    net = nn.Dense(2, 1)
    loaded = load_checkpoint("theirs.ckpt", net)
    assert repr(loaded) == (
        "{'weight': Parameter (name=weight, shape=(1, 2), dtype=Float32, requires_grad=True), "
        "'bias': Parameter (name=bias, shape=(1,), dtype=Float32, requires_grad=True)}"
    )
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4122728, -0.36132878]])
    assert save_checkpoint(net, "ours.ckpt") is None
    assert (folder / "ours.ckpt").read_bytes() == FILES["dense.ckpt"]
    save_checkpoint(net, "crc.ckpt", crc_check=True)
    assert (folder / "crc.ckpt").read_bytes() == FILES["dense_crc.ckpt"]
    save_checkpoint(net, "ours.safetensors", format="safetensors")
    assert (folder / "ours.safetensors").read_bytes() == FILES["dense.safetensors"]


def test_every_type_of_mindspores_file(folder: pathlib.Path) -> None:
    (folder / "a.ckpt").write_bytes(FILES["types.ckpt"])
    loaded = load_checkpoint("a.ckpt")
    expected: dict = {**types(), "text": "héé€😀", "empty": "", "int": torch.tensor(-3)}
    expected |= {"float": torch.tensor(2.5), "true": torch.tensor(True)}
    assert_same(raw(loaded), expected)
    assert all(p.name == k and p.requires_grad for k, p in loaded.items() if not isinstance(p, str))
    save_checkpoint(loaded, "b.ckpt")
    assert (folder / "b.ckpt").read_bytes() == FILES["types.ckpt"]
    (folder / "a.safetensors").write_bytes(FILES["types.safetensors"])
    loaded = load_checkpoint("a.safetensors", format="safetensors")
    assert {k: p.name for k, p in loaded.items()} == {k: k for k in sorted(loaded)}
    save_checkpoint(loaded, "b.safetensors", format="safetensors")
    assert (folder / "b.safetensors").read_bytes() == FILES["types.safetensors"]


def test_an_encrypted_file_of_mindspore(folder: pathlib.Path) -> None:
    (folder / "a.ckpt").write_bytes(FILES["encrypted.ckpt"])
    with pytest.raises(ValueError, match=r"may be corrupted.*encrypted"):
        load_checkpoint("a.ckpt")
    with pytest.raises(ValueError, match=r"cannot be decrypted: the key is another"):
        load_checkpoint("a.ckpt", dec_key=b"?" * 16)


# --- the forms of save_obj ----------------------------------------------------------------------


def saved(save_obj, **options) -> dict:
    save_checkpoint(save_obj, "form.ckpt", **options)
    return load_checkpoint("form.ckpt")


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (Net, ["fc.weight", "fc.bias"]),
        (lambda: list(Net().get_parameters()), ["fc.weight", "fc.bias"]),
        (lambda: ms.ParameterTuple(Net().trainable_params()), ["fc.weight", "fc.bias"]),
        (lambda: [{"name": "a", "data": parameter([1.0])}], ["a"]),
        (lambda: [{"name": "a", "data": Tensor([1.0]), "more": 1}], ["a"]),
        (lambda: {"key": parameter([1.0], "name")}, ["key"]),
        (lambda: {"key": Tensor([1.0]), "text": "x"}, ["key", "text"]),
    ],
)
def test_forms_of_save_obj(folder: pathlib.Path, make, names: list[str]) -> None:
    assert list(saved(make())) == names


@pytest.mark.parametrize(
    ("save_obj", "words"),
    [
        (3, "must be nn.Cell, list or dict.*3 of type int"),
        ((), "must be nn.Cell, list or dict"),
        ([1, 2], "must have Parameters"),
        ([{"name": "a"}], "'name' and 'data'.*it has"),
        ([{"name": "a", "data": np.ones(1)}], "ms.Tensor"),
        ([{"name": 1, "data": Tensor([1.0])}], "'name' must be a str"),
        ({1: Tensor([1.0])}, "keys of type str.*the key 1"),
        ({"a": 3}, "Numbers go into append_dict"),
        ({"a": Tensor([1.0]), "b": np.ones(1)}, "'b'.*ms.Tensor"),
    ],
)
def test_what_save_obj_cannot_be(folder: pathlib.Path, save_obj, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        save_checkpoint(save_obj, "a.ckpt")
    assert os.listdir() == []


def test_the_last_of_equal_names_is_saved_with_a_warning(folder, warnings_of) -> None:
    twice = [{"name": "a", "data": Tensor([1.0])}, {"name": "a", "data": Tensor([2.0])}]
    assert saved(twice)["a"].asnumpy() == [2.0]
    assert "the last is saved: ['a']" in warnings_of()[0]


def test_choice_func(folder, warnings_of) -> None:
    assert list(saved(Net(), choice_func=lambda name: name.endswith("bias"))) == ["fc.bias"]
    with pytest.raises(TypeError, match=r"choice_func.*callable"):
        save_checkpoint(Net(), "a.ckpt", choice_func=3)
    save_checkpoint(Net(), "a.ckpt", choice_func=lambda name: False)
    assert warnings_of() == ["For 'save_checkpoint', 'a.ckpt' will be empty and cannot be loaded."]
    with pytest.raises(ValueError, match="loaded parameter dict is empty after filter or specify"):
        load_checkpoint("a.ckpt")


def test_order_of_batch_norm_and_of_optimizers(folder: pathlib.Path) -> None:
    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm2d(3)
            self.fc = nn.Dense(2, 1)

    net = Block()
    own = [*(f"bn.{n}" for n in ("moving_mean", "moving_variance", "gamma", "beta"))]
    own += ["fc.weight", "fc.bias"]
    assert list(saved(net)) == own
    trained = ["bn.gamma", "bn.beta", "fc.weight", "fc.bias"]
    adam = nn.Adam(net.trainable_params())
    assert list(saved(adam)) == [
        *("global_step", "learning_rate", *trained, "beta1_power", "beta2_power"),
        *(f"moment1.{n}" for n in trained),
        *(f"moment2.{n}" for n in trained),
    ]
    assert saved(adam)["global_step"].shape == (1,)
    momentum = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), momentum)
    assert list(saved(step)) == [
        *(*trained, "bn.moving_mean", "bn.moving_variance"),  # the optimizer's list stands first
        *("global_step", "learning_rate", "momentum"),
        *(f"moments.{n}" for n in trained),
    ]


def test_buffers_are_saved_and_filled(folder: pathlib.Path, warnings_of) -> None:
    module = torch.nn.BatchNorm1d(2)
    module.running_mean += 3
    cell = ms.TorchCell(module)
    loaded = saved(cell)
    assert list(loaded) == ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]
    other = torch.nn.BatchNorm1d(2)
    assert load_param_into_net(ms.TorchCell(other), loaded) == ([], [])
    assert other.running_mean.tolist() == [3, 3]
    assert warnings_of() == []
    del loaded["running_var"]
    assert load_param_into_net(ms.TorchCell(other), loaded) == ([], [])
    assert "1 buffers of the 'net' keep their values" in warnings_of()[0]
    temporary = nn.Cell()
    temporary.register_buffer("mask", Tensor([1.0]), persistent=False)
    temporary.register_buffer("kept", Tensor([1.0]))
    assert list(saved(temporary)) == ["kept"]


# --- append_dict --------------------------------------------------------------------------------


def test_append_dict(folder: pathlib.Path, warnings_of) -> None:
    extra = {"i": -3, "f": 0.1, "b": True, "s": "x", "t": Tensor([1]), "": 1}
    extra |= {"g": ms.Generator().manual_seed(5), "p": parameter([1.0], "other name")}
    result = saved(Net(), append_dict=extra, choice_func=lambda name: False)
    assert list(result) == list(extra)
    described = {k: (v.dtype, v.shape) for k, v in result.items() if not isinstance(v, str)}
    assert described == {
        "i": (ms.int64, ()),
        "f": (ms.float32, ()),
        "b": (ms.bool_, ()),
        "t": (ms.int64, (1,)),
        "": (ms.int64, ()),
        "g": (ms.uint8, (16,)),
        "p": (ms.float32, (1,)),
    }
    assert result["s"] == "x"
    assert result["f"].asnumpy() == np.float32(0.1)
    restored = ms.Generator()
    restored.set_state(result["g"])
    assert restored.initial_seed() == 5
    assert warnings_of() == []
    result = saved(Net(), append_dict={"fc.weight": 1, "huge": 1e300})
    assert list(result) == ["fc.weight", "fc.bias", "huge"]
    assert result["fc.weight"].shape == ()
    assert np.isinf(result["huge"].asnumpy())
    assert [m.split("'")[1] for m in warnings_of()] == ["save_checkpoint"] * 2


@pytest.mark.parametrize(
    ("extra", "error", "words"),
    [
        ([1], TypeError, "must be a dict, but got list"),
        ({1: 1}, TypeError, "the key 1"),
        ({"a": [1]}, TypeError, "of type list"),
        ({"a": None}, TypeError, "NoneType"),
        ({"a": np.float32(1)}, TypeError, "ms.Tensor"),
        ({"a": 1 << 63}, RuntimeError, "int64 cannot hold"),
    ],
)
def test_what_append_dict_cannot_hold(folder, extra, error, words: str) -> None:
    with pytest.raises(error, match=words):
        save_checkpoint(Net(), "a.ckpt", append_dict=extra)
    assert os.listdir() == []


def test_a_text_has_no_place_in_safetensors(folder: pathlib.Path) -> None:
    with pytest.raises(TypeError, match=r"'s'.*format='ckpt'"):
        save_checkpoint(Net(), "a", format="safetensors", append_dict={"s": "x"})
    assert os.listdir() == []


# --- names and options of save_checkpoint -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "format", "file"),
    [
        ("a.ckpt", "ckpt", "a.ckpt"),
        ("noext", "ckpt", "noext.ckpt"),
        ("c.CKPT", "ckpt", "c.CKPT.ckpt"),
        ("e.safetensors", "ckpt", "e.safetensors.ckpt"),
        ("c", "safetensors", "c.safetensors"),
        ("d.ckpt", "safetensors", "d.ckpt.safetensors"),
        ("net.pth", "ckpt", "net.pth.ckpt"),
        ("net", "pth", "net.pth"),
        ("net.pt", "pth", "net.pt"),
        ("a.ckpt", None, "a.ckpt"),
        ("noext", None, "noext.ckpt"),
        ("e.safetensors", None, "e.safetensors"),
        ("net.pth", None, "net.pth"),
        ("net.pt", None, "net.pt"),
        ("net.bin", None, "net.bin.ckpt"),
        (pathlib.Path("p.ckpt"), "ckpt", "p.ckpt"),
    ],
)
def test_file_names(folder: pathlib.Path, name, format: str | None, file: str) -> None:
    save_checkpoint(Net(), name, format=format)
    assert os.listdir() == [file]
    assert os.access(file, os.W_OK)  # MindSpore leaves it read-only


@pytest.mark.parametrize(
    ("name", "options", "error", "words"),
    [
        (3, {}, TypeError, "'ckpt_file_name' must be a string, but got int"),
        (b"a", {}, TypeError, "must be a string, but got bytes"),
        ("", {}, IsADirectoryError, "directory"),
        (".", {}, IsADirectoryError, "directory"),
        ("no/x.ckpt", {}, FileNotFoundError, "create it first"),
        ("no/x.ckpt", {"async_save": True}, FileNotFoundError, "create it first"),
        ("a", {"format": "npz"}, ValueError, "'ckpt', 'safetensors' or 'pth'.*but got 'npz'"),
        ("a.pth", {"enc_key": b"0" * 16}, ValueError, "format='pth', which has no encryption"),
        ("a", {"integrated_save": 3}, TypeError, "integrated_save"),
        ("a", {"async_save": 3}, TypeError, "must be bool or str, but got int"),
        ("a", {"async_save": "fork"}, ValueError, "'thread' or 'process', but got 'fork'"),
        ("a", {"crc_check": 1}, ValueError, "crc_check"),
        ("a", {"enc_key": "text"}, ValueError, "enc_key.*bytes or None, but got str"),
        ("a", {"enc_key": b"0" * 15}, ValueError, "must have 16 or 24 or 32 bytes"),
        ("a", {"enc_key": b"0" * 16, "format": "safetensors"}, ValueError, "must be None"),
        ("a", {"enc_mode": 3}, ValueError, "enc_mode"),
        ("a", {"crc_chek": True}, TypeError, "no argument 'crc_chek'; did you mean 'crc_check'"),
        ("a", {"incremental": True}, NotImplementedError, "hash-table"),
    ],
)
def test_wrong_options_of_save_checkpoint(folder, name, options, error, words: str) -> None:
    with pytest.raises(error, match=words):
        save_checkpoint(Net(), name, **options)
    assert os.listdir() == []


def test_options_without_effect_are_accepted(folder: pathlib.Path) -> None:
    save_checkpoint(Net(), "a", integrated_save=False, enc_mode="AES-CBC", incremental=False)
    save_checkpoint(Net(), "b", global_step_num=3, remove_redundancy=True)
    assert sorted(os.listdir()) == ["a.ckpt", "b.ckpt"]
    load_checkpoint("a.ckpt", remove_redundancy=True, dec_mode="AES-CBC")


# --- writing in a thread ------------------------------------------------------------------------


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch):
    """Writers wait before their file takes its name, until the gate is set."""
    opened, replace = threading.Event(), os.replace

    def wait_and_replace(a, b):
        assert opened.wait(60)
        replace(a, b)

    monkeypatch.setattr(_checkpoint_file.os, "replace", wait_and_replace)
    yield opened
    opened.set()
    _background.background.finish()


@pytest.mark.parametrize("how", [True, "thread", "process"])
def test_async_save_writes_the_values_of_the_call(folder, gate, how) -> None:
    p = parameter(torch.zeros(LARGE), "w")
    assert save_checkpoint([p], "a.ckpt", async_save=how) is None
    p.set_data(Tensor(torch.ones(LARGE)))
    assert async_ckpt_thread_status()
    assert not os.path.exists("a.ckpt")
    gate.set()
    # loading the file that is being written waits for it
    assert load_checkpoint("a.ckpt")["w"].asnumpy().max() == 0
    assert not async_ckpt_thread_status()


def test_the_next_save_waits_for_the_one_before(folder, gate) -> None:
    save_checkpoint(Net(), "a.ckpt", async_save=True)
    threading.Timer(0.05, gate.set).start()
    save_checkpoint(Net(), "b.ckpt")
    assert sorted(os.listdir()) == ["a.ckpt", "b.ckpt"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: save_checkpoint(Net(), "b.ckpt"),
        lambda: save_checkpoint(Net(), "b.ckpt", async_save=True),
        lambda: load_checkpoint("a.ckpt"),
    ],
)
def test_errors_of_the_thread_are_logged_and_raised_once(folder, monkeypatch, caplog, call) -> None:
    save_checkpoint(Net(), "a.ckpt")
    old = pathlib.Path("a.ckpt").read_bytes()

    def fail(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr(_checkpoint_file.os, "fsync", fail)
        save_checkpoint(Net(), "a.ckpt", async_save=True)
        _background.background._thread.join()
    (record,) = [r for r in caplog.records if r.levelno == logging.CRITICAL]
    assert "Failed to save the checkpoint file" in record.getMessage()
    with pytest.raises(RuntimeError, match=r"a.ckpt.*No space left.*unchanged") as caught:
        call()
    assert isinstance(caught.value.__cause__, OSError)
    call()
    _background.background.finish()
    assert pathlib.Path("a.ckpt").read_bytes() == old
    assert set(os.listdir()) <= {"a.ckpt", "b.ckpt"}


def test_values_that_cannot_be_saved_are_refused_before_the_thread(folder) -> None:
    complex_ = {"c": Tensor(torch.ones(1, dtype=torch.complex64))}
    save_checkpoint(complex_, "a.ckpt", async_save=True)
    sparse = {"s": ms.from_torch(torch.ones(2).to_sparse())}
    with pytest.raises(TypeError, match="sparse"):
        save_checkpoint(sparse, "b.ckpt", async_save=True)


WRITER = """
import sys, torch
import agar as ms
from agar.train import _checkpoint_file, save_checkpoint

def stop(fd):
    print("writing", flush=True)
    sys.stdin.read()

_checkpoint_file.os.fsync = stop
new = {"new": ms.Tensor(torch.zeros(1 << 20))}
save_checkpoint(new, sys.argv[1], async_save="thread" in sys.argv[1])
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
@pytest.mark.parametrize("name", ["direct.ckpt", "thread.ckpt"])
def test_a_killed_process_leaves_the_old_file(folder, name: str) -> None:
    save_checkpoint(Net(), name, crc_check=True)
    old = (folder / name).read_bytes()
    kill_while_writing(folder / name, WRITER)
    assert (folder / name).read_bytes() == old
    assert list(load_checkpoint(str(folder / name), crc_check=True)) == ["fc.weight", "fc.bias"]


def test_the_program_waits_for_the_thread_before_it_ends(folder) -> None:
    code = (
        "import agar as ms, torch; from agar.train import save_checkpoint;"
        "save_checkpoint({'a': ms.Tensor(torch.ones(1 << 20))}, 'end.ckpt', async_save=True)"
    )
    done = forked.run(code)
    assert done.returncode == 0, done.stderr
    assert load_checkpoint("end.ckpt")["a"].asnumpy().sum() == 1 << 20


# --- load_checkpoint ----------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("options", "names", "warns"),
    [
        ({}, ["fc.bias", "fc.weight"], 0),
        ({"filter_prefix": "fc.w"}, ["fc.bias"], 1),
        ({"filter_prefix": ["x", "fc.b"]}, ["fc.weight"], 1),
        ({"specify_prefix": ("fc.w",)}, ["fc.weight"], 1),
        ({"specify_prefix": "f"}, ["fc.bias", "fc.weight"], 1),
        ({"specify_prefix": "fc", "filter_prefix": "fc.w"}, ["fc.bias"], 2),
        ({"choice_func": lambda name: "w" in name}, ["fc.weight"], 0),
        ({"specify_prefix": "fc", "choice_func": lambda n: False}, ["fc.bias", "fc.weight"], 1),
    ],
)
def test_what_is_loaded(folder, warnings_of, format, options, names, warns: int) -> None:
    save_checkpoint(Net(), "a", format=format)
    assert sorted(load_checkpoint(f"a.{format}", format=format, **options)) == names
    assert len(warnings_of()) == warns
    assert all("will be deprecated, please use 'choice_func'" in m for m in warnings_of())


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"filter_prefix": 3}, TypeError, "'filter_prefix' must be string.*but got int"),
        ({"specify_prefix": [3]}, TypeError, "3 at index 0"),
        ({"filter_prefix": ""}, ValueError, "can't include ''"),
        ({"specify_prefix": ["fc", ""]}, ValueError, "can't include ''"),
        ({"filter_prefix": []}, ValueError, "can't be empty"),
        ({"filter_prefix": "fc"}, ValueError, "is empty after filter or specify"),
        ({"specify_prefix": "zz"}, ValueError, "is empty after filter or specify"),
        ({"choice_func": lambda n: False}, ValueError, "is empty after filter or specify"),
        ({"choice_func": 3}, TypeError, "callable"),
        ({"crc_check": 3}, ValueError, "crc_check"),
        ({"remove_redundancy": 3}, ValueError, "remove_redundancy"),
        ({"dec_key": "a"}, ValueError, "dec_key.*bytes or None"),
        ({"dec_mode": 3}, ValueError, "dec_mode"),
        ({"format": "zz"}, ValueError, "must be 'ckpt', 'safetensors' or 'pth'"),
        ({"net": 3}, TypeError, "'net' should be a Cell, but got int"),
        ({"net": Net(), "strict_load": 3}, TypeError, "strict_load"),
        ({"prefix": "fc"}, TypeError, "prefix"),
    ],
)
def test_wrong_options_of_load_checkpoint(folder, options, error, words: str) -> None:
    save_checkpoint(Net(), "a.ckpt")
    with pytest.raises(error, match=words):
        load_checkpoint("a.ckpt", **options)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        (3, TypeError, "must be a string, but got int"),
        ("modle.ckpt", ValueError, "does not exist.*'model.ckpt'"),
        ("no/model.ckpt", ValueError, "does not exist.*no directory"),
        ("model", ValueError, "must be the same as 'format'.*Rename"),
        ("", ValueError, "must be the same as 'format'"),
        ("model.safetensors", ValueError, "does not exist"),
        ("model.pth", ValueError, "'model.pth' holds more than tensors"),
        ("damaged.ckpt", ValueError, "content cannot be parsed"),
        ("torch.ckpt", ValueError, "content cannot be parsed.*PyTorch"),
        ("folder.ckpt", ValueError, "does not exist"),
    ],
)
def test_files_that_cannot_be_loaded(folder, name, error, words: str) -> None:
    save_checkpoint(Net(), "model.ckpt")
    pathlib.Path("model.pth").write_bytes(pathlib.Path("model.ckpt").read_bytes())
    pathlib.Path("damaged.ckpt").write_bytes(b"\n\xffnonsense")
    torch.save({"a": torch.ones(1)}, "torch.ckpt")
    os.mkdir("folder.ckpt")
    with pytest.raises(error, match=words):
        load_checkpoint(name)


def test_the_given_format_must_be_that_of_the_file(folder) -> None:
    save_checkpoint(Net(), "a.safetensors")
    with pytest.raises(ValueError, match=r"Pass format='safetensors', or leave it out"):
        load_checkpoint("a.safetensors", format="ckpt")


def test_a_file_that_may_not_be_read(folder, monkeypatch) -> None:
    save_checkpoint(Net(), "a.ckpt")

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("agar.train._ckpt_codec.open", refuse, raising=False)
    with pytest.raises(ValueError, match=r"Failed to read the checkpoint file.*Permission denied"):
        load_checkpoint("a.ckpt")


@pytest.mark.parametrize("format", FORMATS)
def test_crc_check(folder, format: str) -> None:
    save_checkpoint(Net(), "a", format=format, crc_check=True)
    file = pathlib.Path(f"a.{format}")
    assert len(load_checkpoint(str(file), crc_check=True, format=format)) == 2
    data = file.read_bytes()
    at = data.index(load_checkpoint(str(file), format=format)["fc.bias"].asnumpy().tobytes())
    file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    assert len(load_checkpoint(str(file), format=format)) == 2
    with pytest.raises(ValueError, match="Failed to read the checkpoint file"):
        load_checkpoint(str(file), crc_check=True, format=format)


@pytest.mark.parametrize("format", FORMATS)
def test_training_loaded_parameters_does_not_reach_the_file(folder, format: str) -> None:
    save_checkpoint({"w": Tensor(torch.ones(LARGE))}, "a", format=format)
    file = pathlib.Path(f"a.{format}")
    before = file.read_bytes()
    loaded = load_checkpoint(str(file), format=format)["w"]
    loaded.set_data(Tensor(torch.zeros(LARGE)))
    assert file.read_bytes() == before
    save_checkpoint({"w": loaded}, "a", format=format)  # over the file in use
    assert loaded.asnumpy().max() == 0
    assert load_checkpoint(str(file), format=format)["w"].asnumpy().max() == 0


def test_load_checkpoint_async(folder) -> None:
    net, other = Net(), Net()
    save_checkpoint(net, "a.ckpt")
    save_checkpoint(net, "a", format="safetensors")
    result = load_checkpoint_async("a.ckpt", other, choice_func=lambda name: "w" in name).result()
    assert list(result) == ["fc.weight"]
    assert values(other)["fc.weight"] == values(net)["fc.weight"]
    assert list(load_checkpoint_async("a.safetensors").result()) == ["fc.bias", "fc.weight"]
    missing = load_checkpoint_async("zz.ckpt")
    with pytest.raises(ValueError, match="does not exist"):
        missing.result()
    with pytest.raises(TypeError, match="must be a string"):
        load_checkpoint_async(3)


# --- load_param_into_net ------------------------------------------------------------------------


def full() -> dict[str, Parameter]:
    return {"fc.weight": parameter([[1.0, 2.0]]), "fc.bias": parameter([3.0])}


def prefixed(prefix: str) -> dict[str, Parameter]:
    return {prefix + name: value for name, value in full().items()}


FILLED = {"fc.weight": [[1, 2]], "fc.bias": [3]}


def test_full_match_copies_into_the_same_memory(warnings_of) -> None:
    net = Net()
    net.fc.weight.requires_grad = False
    memory = [p._value.data_ptr() for p in net.get_parameters()]
    given = full()
    assert load_param_into_net(net, given) == ([], [])
    assert values(net) == FILLED
    assert [p._value.data_ptr() for p in net.get_parameters()] == memory
    assert not net.fc.weight.requires_grad
    given["fc.bias"].set_data(Tensor([9.0]))
    assert values(net) == FILLED
    assert warnings_of() == []


def test_an_optimizer_sees_loaded_values() -> None:
    net = Net()
    optimizer = nn.SGD(net.trainable_params(), 1.0)
    load_param_into_net(net, full())
    optimizer((Tensor([[1.0, 1.0]]), Tensor([1.0])))
    assert values(net) == {"fc.weight": [[0, 1]], "fc.bias": [2]}


@pytest.mark.parametrize("strict", [False, True])
def test_parameters_without_a_value(warnings_of, strict: bool) -> None:
    net = Net()
    before = values(net)
    assert load_param_into_net(net, {}, strict) == (["fc.weight", "fc.bias"], [])
    assert values(net) == before
    first, second = warnings_of()
    assert "2 parameters in the 'net' are not loaded" in first
    assert second.startswith("['fc.weight', 'fc.bias'] are not loaded.")


def test_similar_names_are_shown(warnings_of) -> None:
    given = {"fb.weight": parameter([[1.0, 2.0]]), "fc.bias": parameter([3.0])}
    assert load_param_into_net(Net(), given) == (["fc.weight"], ["fb.weight"])
    assert "'fc.weight': ['fb.weight']" in warnings_of()[1]


def test_names_that_are_not_used_are_returned_in_silence(warnings_of) -> None:
    given = {**full(), "zzz": parameter([1.0]), "text": "x"}
    assert load_param_into_net(Net(), given) == ([], ["zzz", "text"])
    assert warnings_of() == []


def test_a_text_is_no_value(warnings_of) -> None:
    given = {**full(), "fc.bias": "x"}
    assert load_param_into_net(Net(), given) == (["fc.bias"], ["fc.bias"])
    assert len(warnings_of()) == 2


class TestPrefix:
    """Beginnings of names that are taken off."""

    def test_is_guessed(self, warnings_of):
        net, given = Net(), prefixed("backbone.")
        assert load_param_into_net(net, given) == ([], list(given))
        assert values(net) == FILLED
        (message,) = warnings_of()
        assert "remove parameter prefix name: backbone., continue to load" in message

    def test_is_not_guessed_in_strict_mode(self):
        net, given = Net(), prefixed("backbone.")
        before = values(net)
        assert load_param_into_net(net, given, True) == (["fc.weight", "fc.bias"], list(given))
        assert values(net) == before

    def test_without_a_dot(self):
        net = Net()
        load_param_into_net(net, prefixed("x"))
        assert values(net) == FILLED

    def test_a_part_of_a_network(self, warnings_of):
        part = nn.Dense(2, 1)
        assert load_param_into_net(part, full()) == ([], ["fc.weight", "fc.bias"])
        assert values(part) == {"weight": [[1, 2]], "bias": [3]}
        assert "fc." in warnings_of()[0]

    def test_not_put_before(self):
        class Whole(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net = Net()

        assert load_param_into_net(Whole(), full())[0] == ["net.fc.weight", "net.fc.bias"]

    def test_only_for_what_lacks_a_value(self):
        net = Net()
        given = {"x.fc.weight": parameter([[1.0, 2.0]]), "fc.bias": parameter([3.0])}
        given["x.fc.bias"] = parameter([9.0])
        assert load_param_into_net(net, given) == ([], ["x.fc.weight", "x.fc.bias"])
        assert values(net) == FILLED

    def test_several(self, warnings_of):
        net = Net()
        given = {"a.fc.weight": parameter([[1.0, 2.0]]), "b.fc.bias": parameter([3.0])}
        assert load_param_into_net(net, given)[0] == []
        assert values(net) == FILLED
        assert len(warnings_of()) == 2

    def test_the_first_in_the_file_wins_and_the_others_are_named(self, warnings_of):
        net = Net()
        other = {name: parameter(np.full(p.shape, 9.0, "f4")) for name, p in full().items()}
        given = prefixed("a.") | {f"b.{name}": p for name, p in other.items()}
        assert load_param_into_net(net, given) == ([], list(given))
        assert values(net) == FILLED
        assert "would have done as well: ['b.fc.weight']" in warnings_of()[0]

    def test_an_optimizers_state_is_no_weight(self, warnings_of):
        class Two(nn.Cell):
            def __init__(self):
                super().__init__()
                self.fc = nn.Dense(2, 1)
                self.head = nn.Dense(1, 1)

        net = Two()
        given = full()
        given |= {f"moments.{name}": p for name, p in given.items()}
        given["moments.head.bias"] = parameter([9.0])
        lacking, _ = load_param_into_net(net, given)
        assert lacking == ["head.weight", "head.bias"]
        assert not any("remove parameter prefix" in m for m in warnings_of())


SHAPES = [
    ((1, 2), (1, 2, 1, 1), True),
    ((2, 3), (2, 3, 1), True),
    ((), (1,), True),
    ((0,), (0, 1), True),
    ((2,), (1, 2), False),
    ((1, 2), (2,), False),
    ((1, 2, 1, 1), (1, 2), False),
    ((1,), (), False),
    ((2, 1), (2,), False),
    ((2,), (2, 1, 3), False),
    ((2, 3), (3, 2), False),
]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("mine", "given", "fits"), SHAPES)
def test_shapes(mine, given, fits: bool, strict: bool) -> None:
    net = One(mine)
    value = {"w": parameter(torch.ones(given))}
    if fits:
        assert load_param_into_net(net, value, strict) == ([], [])
        assert net.w.shape == mine  # MindSpore's network takes over the file's
        assert bool(np.all(net.w.asnumpy() == 1))
    else:
        with pytest.raises(RuntimeError, match="same shape") as caught:
            load_param_into_net(net, value, strict)
        assert str(mine) in str(caught.value)
        assert str(given) in str(caught.value)


FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTS = ["int8", "int16", "int32", "int64"]
OTHERS = ["bool", "uint8", "uint16", "uint32", "uint64", "complex64", "complex128"]


@pytest.mark.parametrize("given", FLOATS + INTS + OTHERS)
@pytest.mark.parametrize("mine", FLOATS + INTS + OTHERS)
def test_types(mine: str, given: str, warnings_of) -> None:
    value = {"w": parameter(torch.ones(2).to(getattr(torch, given)), "w")}
    net = One((2,), getattr(ms, mine))
    if mine == given or any({mine, given} <= set(f) for f in (FLOATS, INTS)):
        assert load_param_into_net(net, value) == ([], [])
        assert net.w.dtype == getattr(ms, mine)
        assert bool((net.w._value == 1).all())
        casts = [m for m in warnings_of() if "were converted" in m]
        assert len(casts) == (mine != given)
    else:
        with pytest.raises(RuntimeError, match="same type"):
            load_param_into_net(net, value)
    if mine != given:
        with pytest.raises(RuntimeError, match="same type"):
            load_param_into_net(net, value, True)


def test_integers_that_do_not_fit() -> None:
    net = One((2,), ms.int8)
    load_param_into_net(net, {"w": parameter([127, -128])})
    with pytest.raises(RuntimeError, match="from 0 to 200, which w of type Int8 cannot hold"):
        load_param_into_net(net, {"w": parameter([0, 200])})
    assert net.w.asnumpy().tolist() == [127, -128]


def test_all_problems_are_listed_and_nothing_is_changed() -> None:
    class Many(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor([0.0]))
            self.b = Parameter(Tensor([0.0]))
            self.c = Parameter(Tensor([0.0]))
            self.d = Parameter(Tensor([0]))

    net = Many()
    given = {"a": parameter([1.0]), "b": parameter([1.0, 2.0]), "d": parameter([1.0])}
    given["x.c"] = parameter([[1.0]])
    with pytest.raises(RuntimeError) as caught:
        load_param_into_net(net, given)
    message = str(caught.value)
    assert "b in the argument 'net' should have the same shape as b " in message
    assert "d in the argument 'net' should have the same type as d " in message
    assert "choice_func" in message
    assert values(net) == {"a": [0], "b": [0], "c": [0], "d": [0]}
    with pytest.raises(RuntimeError, match=r"c in the argument 'net'.*same shape as x.c "):
        load_param_into_net(net, {"x.c": parameter([[1.0, 2.0]])})


def test_strict_load_names_the_way_out() -> None:
    half = {"w": parameter(torch.ones(2, dtype=torch.float16))}
    with pytest.raises(RuntimeError, match="strict_load=False casts them"):
        load_param_into_net(One(), half, True)


def test_a_tensor_without_memory() -> None:
    net = Net()
    net.to(torch.device("meta"))
    with pytest.raises(RuntimeError, match="to_empty"):
        load_param_into_net(net, full())


@pytest.mark.parametrize(
    ("net", "given", "options", "error", "words"),
    [
        (3, {}, {}, TypeError, "'net' should be a Cell, but got int"),
        (Net(), [1], {}, TypeError, "'parameter_dict' should be a dict, but got list"),
        (Net(), {"fc.weight": Tensor([[1.0, 2.0]])}, {}, TypeError, "'str' and 'Parameter'"),
        (Net(), {"z": np.ones(1)}, {}, TypeError, "'str' and 'Parameter'.*'z'"),
        (Net(), {1: parameter([1.0])}, {}, TypeError, "'str' and 'Parameter'.*1:"),
        (Net(), {}, {"strict_load": 3}, TypeError, "strict_load"),
        (Net(), {}, {"remove_redundancy": 3}, ValueError, "remove_redundancy"),
    ],
)
def test_wrong_arguments_of_load_param_into_net(net, given, options, error, words) -> None:
    with pytest.raises(error, match=words):
        load_param_into_net(net, given, **options)


def test_equal_names_in_a_network_are_all_filled() -> None:
    class Shared(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.a = nn.Dense(1, 1)
            self.b = nn.Dense(1, 1)

    net = Shared()
    given = {"weight": parameter([[1.0]]), "bias": parameter([2.0])}
    assert load_param_into_net(net, given) == ([], [])
    assert [p.asnumpy().item() for p in net.get_parameters()] == [1, 2, 1, 2]
    assert load_param_into_net(net, {}) == (["weight", "bias"], [])


def test_a_run_continues_from_its_checkpoint(folder) -> None:
    def run(steps: int, net: nn.Cell, optimizer: nn.Cell) -> None:
        for i in range(steps):
            optimizer((Tensor([[1.0 + i, 2.0]]), Tensor([0.5])))

    ms.set_seed(1)
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    run(2, net, optimizer)
    save_checkpoint(optimizer, "a.ckpt")
    run(2, net, optimizer)
    other = Net()
    resumed = nn.Adam(other.trainable_params(), 0.1)
    assert load_param_into_net(resumed, load_checkpoint("a.ckpt")) == ([], [])
    run(2, other, resumed)
    assert values(other) == values(net)


# --- conversions --------------------------------------------------------------------------------


def test_conversion_of_one_file(folder) -> None:
    save_checkpoint(Net(), "a.ckpt")
    original = raw(load_checkpoint("a.ckpt"))
    assert ckpt_to_safetensors("a.ckpt", "out", {"fc.bias": "zz"}) is None
    converted = raw(load_checkpoint("out/a.safetensors", format="safetensors"))
    assert_same(converted, {"fc.weight": original["fc.weight"], "zz": original["fc.bias"]})
    safetensors_to_ckpt("out/a.safetensors", name_map={"zz": "fc.bias"})
    assert sorted(os.listdir("out")) == ["a.ckpt", "a.safetensors"]
    assert_same(raw(load_checkpoint("out/a.ckpt")), original)


@pytest.mark.parametrize("processes", [1, 3])
def test_conversion_of_a_directory(folder, processes: int) -> None:
    for rank in "01":
        os.makedirs(f"d/rank_{rank}")
        for name in ("to", "stop", "a"):
            save_checkpoint(Net(), f"d/rank_{rank}/{name}.ckpt")
    ckpt_to_safetensors("d", "all", processes_num=processes)
    names = ["a.safetensors", "stop.safetensors", "to.safetensors"]
    assert [sorted(os.listdir(f"all/rank_{rank}")) for rank in "01"] == [names, names]
    ckpt_to_safetensors("d", "some", file_name_regex="to.*ck")
    assert [sorted(os.listdir(f"some/rank_{rank}")) for rank in "01"] == [names[1:], names[1:]]
    ckpt_to_safetensors("d")
    assert len(os.listdir("d/rank_0")) == 6


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"file_path": "zz.ckpt"}, ValueError, "existing file or directory"),
        ({"file_path": 3}, ValueError, "existing file or directory"),
        ({"file_path": "text.txt"}, ValueError, "must be a .ckpt file"),
        ({"file_path": "empty"}, ValueError, "no .ckpt file"),
        ({"save_path": "o.safetensors"}, ValueError, "must be a directory"),
        ({"save_path": "text.txt"}, ValueError, "must be a directory"),
        ({"name_map": 3}, ValueError, "dict of old to new names"),
        ({"name_map": {"fc.bias": "fc.weight"}}, ValueError, "named 'fc.weight'"),
        ({"file_name_regex": "zzz"}, ValueError, "no file name matches"),
        ({"processes_num": 0}, ValueError, "at least 1"),
        ({"processes_num": "2"}, TypeError, "must be an int"),
        ({"file_path": "with_text.ckpt"}, TypeError, "'s'.*must be a tensor"),
    ],
)
def test_what_cannot_be_converted(folder, arguments, error, words: str) -> None:
    save_checkpoint(Net(), "a.ckpt")
    save_checkpoint(Net(), "with_text.ckpt", append_dict={"s": "x"})
    pathlib.Path("text.txt").touch()
    os.mkdir("empty")
    present = sorted(os.listdir())
    with pytest.raises(error, match=words):
        ckpt_to_safetensors(**{"file_path": "a.ckpt"} | arguments)
    assert sorted(os.listdir()) == present


# --- everything that can be saved comes back ----------------------------------------------------

DTYPES = [t for t in ms.all_types if t.torch_dtype is not None]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("format", FORMATS)
def test_round_trip_of_every_type(folder, dtype, format: str) -> None:
    if format == "safetensors" and dtype in (ms.complex64, ms.complex128):
        with pytest.raises(TypeError, match="format='ckpt'"):
            save_checkpoint({"a": Tensor([1, 0], dtype)}, "a", format=format)
        return
    value = torch.tensor([[1, 0, 1]]).to(dtype.torch_dtype)
    expected = {"a": value, "b": value[0, 0], "c": value.T}
    given = {name: ms.from_torch(part) for name, part in expected.items()}
    save_checkpoint(given, "a", format=format, crc_check=True)
    parameters = load_checkpoint(f"a.{format}", format=format, crc_check=True)
    assert_same(raw(parameters), expected)
    assert {p.dtype for p in parameters.values()} == {dtype}


ARRAYS = st.builds(
    lambda dtype, shape, seed: torch.randint(
        0, 2, shape, generator=torch.Generator().manual_seed(seed)
    ).to(dtype.torch_dtype),
    st.sampled_from([t for t in DTYPES if t not in (ms.complex64, ms.complex128)]),
    st.lists(st.integers(0, 4), max_size=4),
    st.integers(0, 99),
)
NAMES = st.text(st.characters(codec="utf-8"), max_size=8)


@given(st.dictionaries(NAMES, ARRAYS, min_size=1, max_size=6), st.booleans())
def test_random_dicts_come_back(tmp_path_factory, tensors: dict, crc: bool) -> None:
    base = tmp_path_factory.getbasetemp()
    for format in FORMATS:
        path = str(base / f"random.{format}")
        given = {name: ms.from_torch(value) for name, value in tensors.items()}
        save_checkpoint(given, path, format=format, crc_check=crc)
        result = raw(load_checkpoint(path, format=format, crc_check=crc))
        order = list(tensors) if format == "ckpt" else sorted(tensors)
        assert_same(result, {name: tensors[name] for name in order})
