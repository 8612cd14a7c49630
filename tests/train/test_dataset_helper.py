"""Rows in loops of one's own, backups, and the end that a signal asks for."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import agar as ms
from agar import nn
from agar.train import BackupAndRestore, Callback, OnRequestExit

ROWS = [(np.full((2, 3), i, np.float32), np.zeros((2, 1), np.float32)) for i in range(4)]


def make_model(seed=0):
    ms.set_seed(seed)
    net = nn.Dense(3, 1)
    return net, ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))


def test_rows_of_a_helper():
    helper = ms.DatasetHelper(ROWS, dataset_sink_mode=False)
    assert [float(np.asarray(x).mean()) for x, _ in helper] == [0, 1, 2, 3]
    assert len(list(helper)) == 4  # again from the start
    assert len(list(ms.DatasetHelper(ROWS, sink_size=3))) == 3
    assert helper.sink_size() == 4
    types, shapes = helper.types_shapes()
    assert types == [ms.float32, ms.float32]
    assert shapes == [[2, 3], [2, 1]]
    for nothing in (helper.stop_send, helper.release, helper.continue_send):
        nothing()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ms.DatasetHelper(3), TypeError, "iterable by rows"),
        (lambda: ms.DatasetHelper(ROWS, dataset_sink_mode=1), TypeError, "dataset_sink_mode"),
        (lambda: ms.DatasetHelper(ROWS, sink_size=0), ValueError, "-1 or positive"),
        (lambda: ms.data_sink(abs, ROWS, sink_size=0), ValueError, "sink_size"),
        (lambda: ms.connect_network_with_dataset(3, None), TypeError, "must be a Cell"),
    ],
)
def test_wrong_arguments(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_network_fed_by_its_dataset():
    rows = [(ms.Tensor([-1.0, float(i)]),) for i in range(2)]
    net = ms.connect_network_with_dataset(nn.ReLU(), ms.DatasetHelper(rows))
    assert [net().asnumpy().tolist() for _ in range(3)] == [[0, 0], [0, 1], [0, 0]]
    step = ms.data_sink(lambda x: x * 2, rows, sink_size=2, jit_config=ms.JitConfig())
    assert step().asnumpy().tolist() == [-2, 2]


class Stop(Callback):
    """Ends in the middle, as an error would."""

    def on_train_epoch_end(self, run_context):
        if run_context.original_args().cur_epoch_num == 2:
            raise KeyboardInterrupt


def test_a_backup_goes_on_where_training_was_cut_off(tmp_path):
    net, model = make_model()
    with pytest.raises(KeyboardInterrupt):
        model.train(5, ROWS, callbacks=[BackupAndRestore(str(tmp_path)), Stop()])
    assert os.listdir(tmp_path) == ["backup.ckpt"]
    copied = net.weight.asnumpy().copy()
    other, again = make_model(seed=1)
    seen = []

    class Look(Callback):
        def on_train_step_begin(self, run_context):
            seen.append(other.weight.asnumpy().copy())

    again.train(1, ROWS, callbacks=[BackupAndRestore(str(tmp_path)), Look()])
    np.testing.assert_array_equal(seen[0], copied)
    assert os.listdir(tmp_path) == []  # the end removes it
    with pytest.raises(ValueError, match="save_freq"):
        BackupAndRestore(str(tmp_path), save_freq=0)


def test_a_signal_ends_training_and_saves(tmp_path):
    net, model = make_model()
    before = signal.getsignal(signal.SIGUSR1)

    class Ask(Callback):
        def on_train_step_begin(self, run_context):
            if run_context.original_args().cur_step_num == 2:
                os.kill(os.getpid(), signal.SIGUSR1)

    stop = OnRequestExit(
        save_mindir=False, file_name="net", directory=str(tmp_path), sig=signal.SIGUSR1
    )
    history = ms.train.History()
    model.train(3, ROWS, callbacks=[Ask(), stop, history])
    assert stop.exit
    assert os.listdir(tmp_path) == ["net_train.ckpt"]
    assert signal.getsignal(signal.SIGUSR1) is before
    copied = net.weight.asnumpy().copy()
    other, again = make_model(seed=1)
    resumed = OnRequestExit(
        save_mindir=False, file_name="net", directory=str(tmp_path), sig=signal.SIGUSR1
    )
    seen = []

    class Look(Callback):
        def on_train_step_begin(self, run_context):
            seen.append(other.weight.asnumpy().copy())

    again.train(1, ROWS, callbacks=[resumed, Look()])
    np.testing.assert_array_equal(seen[0], copied)
    assert not resumed.exit


def test_a_file_ends_training(tmp_path):
    asked = tmp_path / "config.json"
    asked.write_text('{"GracefulExit": 1}')
    _, model = make_model()
    stop = OnRequestExit(
        save_ckpt=False,
        save_mindir=True,
        directory=str(tmp_path / "out"),
        config_file=str(asked),
        sig=signal.SIGUSR1,
    )
    model.train(3, ROWS, callbacks=stop)
    assert stop.exit
    assert os.listdir(tmp_path / "out") == ["Net_train.mindir"]
    with pytest.raises(ValueError, match="SIGKILL"):
        OnRequestExit(directory=str(tmp_path), sig=signal.SIGKILL)


def test_layouts_are_refused():
    _, model = make_model()
    with pytest.raises(NotImplementedError, match=r"infer_train_layout' is not available"):
        model.infer_train_layout(ROWS)
    with pytest.raises(NotImplementedError, match=r"infer_predict_layout' is not available"):
        model.infer_predict_layout(ms.Tensor([1.0]))
