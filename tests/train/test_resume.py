"""Trainings that were stopped and go on end as those that were not, bit by bit."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
import agar.dataset as ds
import forked
from agar import nn
from agar.dataset import vision
from agar.train import Resume, load_training_state, save_training_state

HERE = Path(__file__).parent
ROWS = 5


class Stop(Exception):
    """Somebody pulled the plug."""


class Unplug(ms.train.Callback):
    def __init__(self, step):
        self._step = step

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self._step:
            raise Stop


class Counter(ms.train.Callback):
    """A user's callback, with state of its own."""

    def __init__(self):
        self.seen = []
        self.total = np.zeros(2)
        self.function = len  # no state

    def on_train_step_end(self, run_context):
        params = run_context.original_args()
        self.seen.append((params.cur_epoch_num, params.cur_step_in_epoch))
        self.total += float(params.net_outputs)


def rows():
    data = np.random.default_rng(0).standard_normal((ROWS * 4, 3)).astype(np.float32)
    for i in np.random.permutation(ROWS):
        part = data[i * 4 : i * 4 + 4]
        yield part, part.sum(1, keepdims=True)


def train(folder, stop=None, *, epochs=3, every=1, data=rows, extra=(), width=4, rate=None):
    ms.set_seed(3)
    np.random.seed(5)
    torch.manual_seed(7)
    net = nn.SequentialCell(
        nn.Dense(3, width), nn.BatchNorm1d(width), nn.Dropout(p=0.3), nn.Dense(width, 1)
    )
    rates = rate or nn.cosine_decay_lr(0.0, 0.1, 30, 6, 5)
    optimizer = nn.Adam(net.trainable_params(), rates)
    model = ms.Model(net, nn.MSELoss(), optimizer, {"mae"})
    counter, history = Counter(), ms.train.History()
    callbacks = [counter, history, *(make() for make in extra)]
    if folder is not None:
        callbacks.insert(1, Resume(str(folder), every))
    if stop is not None:
        callbacks.append(Unplug(stop))
    try:
        model.fit(epochs, data, data, callbacks=callbacks)
    except Stop:
        return None
    weights = [p.asnumpy().tobytes() for p in model.train_network.get_parameters()]
    return weights, str(history.history), counter.seen, counter.total.tolist(), np.random.rand()


@pytest.fixture(params=["pynative", pytest.param("graph", marks=pytest.mark.pynative)])
def mode(request):
    if request.param == "graph":
        ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"})
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_config={})


@pytest.mark.parametrize("every", [0, 1, 4])
def test_a_stopped_training_ends_as_one_that_was_left_alone(mode, tmp_path, every):
    whole = train(None)
    for stop in (2, 5, 6, 9, 10, 14):
        assert train(tmp_path, stop, every=every) in (None, whole)
    assert train(tmp_path, every=every) == whole


def test_a_training_that_ended_is_not_made_again_but_may_be_longer(tmp_path):
    first = train(tmp_path, epochs=2)
    again = train(tmp_path, epochs=2)
    assert again[:4] == first[:4]
    assert train(tmp_path, epochs=4) == train(None, epochs=4)


class Loader:
    """A dataset that remembers how often it was asked."""

    def __init__(self):
        self.epoch = 0

    def __iter__(self):
        self.epoch += 1
        order = np.random.default_rng(self.epoch).permutation(ROWS)
        data = np.random.default_rng(0).standard_normal((ROWS * 4, 3)).astype(np.float32)
        return iter([(data[i * 4 : i * 4 + 4], data[i * 4 : i * 4 + 4, :1]) for i in order])

    def state_dict(self):
        return {"epoch": self.epoch}

    def load_state_dict(self, state):
        self.epoch = state["epoch"]


class Slices(torch.utils.data.Dataset):
    def __len__(self):
        return ROWS * 4

    def __getitem__(self, i):
        x = torch.arange(3.0) + i
        return x, x[:1] / 7


def shuffled():
    return torch.utils.data.DataLoader(Slices(), batch_size=4, shuffle=True)


@pytest.mark.parametrize("make", [Loader, shuffled])
def test_the_place_in_a_dataset(tmp_path, make):
    whole = train(None, data=make())
    for stop in (3, 5, 8):
        train(tmp_path, stop, data=make())
    assert train(tmp_path, data=make()) == whole


IMAGES = np.random.default_rng(0).standard_normal((ROWS * 4, 3, 1, 1)).astype(np.float32)


class Images:
    """A source that GeneratorDataset samples from."""

    def __getitem__(self, i):
        return IMAGES[i], IMAGES[i, :1, 0, 0]

    def __len__(self):
        return len(IMAGES)


def blurred(image):
    """Draw from numpy's global stream, as functions of users do."""
    return image + np.float32(np.random.rand() * 0.1)


def flat(image):
    return image.reshape(3)


def sliced(workers=1):
    columns = (IMAGES, IMAGES[:, :1, 0, 0])
    data = ds.NumpySlicesDataset(columns, ["x", "y"], shuffle=True, num_parallel_workers=workers)
    return data.map([vision.RandomVerticalFlip(0.5), blurred, flat], "x").batch(4)


def generated(workers=1):
    data = ds.GeneratorDataset(Images(), ["x", "y"], shuffle=True, num_parallel_workers=workers)
    data = data.map([vision.RandomVerticalFlip(0.5), blurred, flat], "x")
    return data.shuffle(7).batch(4)


def worked():
    data = ds.GeneratorDataset(Images(), ["x", "y"], shuffle=True, num_parallel_workers=2)
    data = data.map(
        [vision.RandomVerticalFlip(0.5), blurred, flat],
        "x",
        num_parallel_workers=2,
        python_multiprocessing=True,
    )
    return data.batch(4)


def repeated():
    return sliced().repeat(2)


@pytest.mark.parametrize("make", [sliced, generated, repeated, worked])
def test_the_place_in_a_pipeline(tmp_path, make):
    whole = train(None, data=make())
    steps = whole[2]
    assert len(steps) == 3 * (ROWS if make is not repeated else 2 * ROWS)
    for stop in (3, 8) if make is worked else (3, 5, 8):  # worker processes take their time
        assert train(tmp_path, stop, data=make()) is None
    assert train(tmp_path, data=make()) == whole


def test_callbacks_that_watch_go_on(tmp_path):
    def early():
        return ms.train.EarlyStopping("mae", patience=2, restore_best_weights=True, mode="min")

    def plateau():
        return ms.train.ReduceLROnPlateau("mae", 0.5, patience=1, mode="min")

    extra = [early, plateau]
    whole = train(None, epochs=12, rate=0.2, extra=extra)
    assert len(whole[2]) < 12 * ROWS  # it did stop early
    for stop in (4, 9, 13, 16):
        train(tmp_path, stop, epochs=12, rate=0.2, extra=extra)
    assert train(tmp_path, epochs=12, rate=0.2, extra=extra) == whole
    assert train(tmp_path, epochs=12, rate=0.2, extra=extra)[:4] == whole[:4]


def test_checkpoints_keep_their_names_and_number(tmp_path):
    def files(folder):
        config = ms.train.CheckpointConfig(2, keep_checkpoint_max=3)
        return lambda: ms.train.ModelCheckpoint("net", str(folder), config)

    whole = train(None, extra=[files(tmp_path / "whole")])
    for stop in (3, 4, 11):
        train(tmp_path / "state", stop, extra=[files(tmp_path / "parts")])
    assert train(tmp_path / "state", extra=[files(tmp_path / "parts")]) == whole
    names = sorted(os.listdir(tmp_path / "whole"))
    assert sorted(os.listdir(tmp_path / "parts")) == names
    for name in names:
        mine, other = (tmp_path / part / name for part in ("parts", "whole"))
        assert mine.read_bytes() == other.read_bytes()


def test_another_network_is_refused_with_all_that_differs(tmp_path):
    train(tmp_path, 3)
    with pytest.raises(ValueError, match=r"another training") as error:
        train(tmp_path, width=6)
    text = str(error.value)
    assert "0.weight" in text
    assert "3.weight" in text
    assert "(4, 3)" in text


def test_a_plain_checkpoint_is_no_state(tmp_path):
    net = nn.Dense(2, 1)
    file = tmp_path / "net.ckpt"
    ms.save_checkpoint(net, str(file))
    with pytest.raises(ValueError, match="not the state of a training"):
        load_training_state(file, net)


def test_a_damaged_file_changes_nothing(tmp_path):
    net = nn.Dense(2, 1)
    file = tmp_path / "state.ckpt"
    save_training_state(file, net, {"step": 1})
    file.write_bytes(file.read_bytes()[:-20])
    before = net.weight.asnumpy().copy()
    with pytest.raises(ValueError, match=r"state\.ckpt"):
        load_training_state(file, net)
    assert np.array_equal(net.weight.asnumpy(), before)


def test_a_loop_of_ones_own(tmp_path):
    ms.set_seed(11)
    file = tmp_path / "state.ckpt"
    scaler = ms.amp.DynamicLossScaleManager(64, 2, 2)
    net, other = nn.Dense(2, 1), nn.Dense(3, 3)
    net.register_buffer("total", ms.Tensor([1.5]))
    position = {
        "epoch": 3,
        "best": float("-inf"),
        "names": ("a", ["b", None, True]),
        "curve": np.arange(3.0),
        "one": np.float32(0.1),
        "mean": ms.Tensor([1, 2], ms.float16),
        "torch": torch.ones(2, dtype=torch.bfloat16),
        7: {"x": 1},
    }
    save_training_state(file, net, position, scale=scaler, other=other)
    numbers = np.random.rand(), torch.rand(1), ms.ops.rand(2).asnumpy()
    items = [p.asnumpy().copy() for p in (*net.get_parameters(), *other.get_parameters())]
    for p in (*net.get_parameters(), *other.get_parameters()):
        p.set_data(p * 2)
    net.total.copy_(ms.Tensor([9.0]))
    scaler.update_loss_scale(True)
    result = load_training_state(file, net, scale=scaler, other=other)
    assert list(result) == list(position)
    assert str({k: result[k] for k in list(result)[:3]}) == str(
        {k: position[k] for k in list(result)[:3]}
    )
    assert result["curve"].tolist() == [0.0, 1.0, 2.0]
    assert result["one"] == np.float32(0.1)
    assert type(result["one"]) is np.float32
    assert result["mean"].dtype == ms.float16
    assert result["torch"].dtype == torch.bfloat16
    assert result[7] == {"x": 1}
    assert net.total.asnumpy().tolist() == [1.5]
    assert vars(scaler) == vars(ms.amp.DynamicLossScaleManager(64, 2, 2))
    mine = [p.asnumpy() for p in (*net.get_parameters(), *other.get_parameters())]
    assert all(np.array_equal(a, b) for a, b in zip(mine, items, strict=True))
    assert np.random.rand() == numbers[0]
    assert torch.equal(torch.rand(1), numbers[1])
    assert np.array_equal(ms.ops.rand(2).asnumpy(), numbers[2])


def test_what_cannot_be_kept_is_named(tmp_path):
    file = tmp_path / "state.ckpt"
    net = nn.Dense(2, 1)
    with pytest.raises(TypeError, match="numbers, texts"):
        save_training_state(file, net, {"f": len})
    with pytest.raises(TypeError, match="state_dict"):
        save_training_state(file, net, clock=7)
    with pytest.raises(TypeError, match="must be a Cell"):
        save_training_state(file, [net])
    assert not file.exists()
    save_training_state(file, net, scale=ms.train.DynamicLossScaleManager())
    with pytest.raises(ValueError, match="only the file has a 'scale'"):
        load_training_state(file, net)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"every_steps": -1}, ValueError),
        ({"every_steps": 1.5}, TypeError),
        ({"every_seconds": "1"}, TypeError),
        ({"every_seconds": -1}, ValueError),
        ({"delete_at_end": 1}, TypeError),
    ],
)
def test_arguments(tmp_path, arguments, error):
    with pytest.raises(error, match="Resume"):
        Resume(str(tmp_path), **arguments)


def test_the_file_goes_if_that_is_asked_for(tmp_path):
    net = nn.Dense(2, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    keeper = Resume(str(tmp_path), delete_at_end=True)
    model.train(1, [(np.ones((1, 2), np.float32), np.ones((1, 1), np.float32))], callbacks=keeper)
    assert os.listdir(tmp_path) == []


def killed(kills, mode):
    done = forked.run(HERE / "killed_training.py", str(kills), mode, timeout=600)
    assert done.returncode == 0, done.stderr
    assert f"{kills} kills" in done.stdout


@pytest.mark.pynative  # both modes are asked for
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_sigkill(mode):
    killed(6, mode)


@pytest.mark.slow
@pytest.mark.pynative  # both modes are asked for
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_sigkill_at_100_moments():
    killed(100, "pynative")
