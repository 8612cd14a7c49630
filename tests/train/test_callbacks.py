"""Callbacks: courses recorded from MindSpore 2.10, files, times and bad arguments."""

from __future__ import annotations

import os
import re
import shutil

import numpy as np
import pytest

import agar as ms
from agar import nn, train
from agar.train import Model, RunContext
from agar.train.callback import InternalCallbackParam

VALUES = [1.0, 0.9, 0.95, 0.85, 0.86, 0.87, 0.88, 0.3, 0.1]


def rows(count=2):
    return [(ms.Tensor([[1.0, 1.0]]), ms.Tensor([[0.0]])) for _ in range(count)]


def model(metrics=None):
    ms.set_seed(1)
    net = nn.Dense(2, 1)
    return Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics)


def course(callback, values, monitor="mse"):
    """Feed a callback one value per epoch; the rates, the epoch of the stop, the weights."""
    net = nn.Dense(2, 1, "zeros", "zeros")
    opt = nn.SGD(net.trainable_params(), 0.1)
    params = InternalCallbackParam(
        train_network=net, network=net, optimizer=opt, epoch_num=len(values), eval_results={}
    )
    context = RunContext(params)
    callback.on_train_begin(context)
    rates, stop = [], None
    for i, value in enumerate(values):
        params.cur_epoch_num = params.cur_step_num = i + 1
        params.net_outputs = ms.Tensor(value)
        if monitor != "loss":
            params.eval_results = {monitor: value}
        net.weight.set_data(ms.Tensor(np.full((1, 2), i + 1, np.float32)))
        callback.on_train_epoch_end(context)
        rates.append(round(float(opt.learning_rate.asnumpy()), 6))
        if context.get_stop_requested():
            stop = i + 1
            break
    callback.on_train_end(context)
    return rates, stop, float(net.weight.asnumpy()[0, 0])


@pytest.mark.parametrize(
    ("options", "stop"),
    [
        ({"patience": 2}, 6),
        ({"patience": 2, "mode": "max"}, 3),
        ({"patience": 2, "baseline": 0.2}, 2),
        ({"patience": 1, "baseline": 0.2}, 1),
        ({"patience": 2, "min_delta": 0.2}, 3),
        ({"patience": 2, "min_delta": -0.2}, 3),
        ({"patience": 0}, 3),  # MindSpore stops after the first epoch, improvement or not
        ({"patience": 9}, None),
    ],
)
def test_early_stopping(options, stop):
    assert course(train.EarlyStopping(monitor="mse", **options), VALUES)[1] == stop


def test_early_stopping_puts_the_best_epoch_back(capsys):
    best = train.EarlyStopping("mse", patience=2, verbose=True, restore_best_weights=True)
    _, stop, weight = course(best, VALUES)
    assert (stop, weight) == (6, 4.0)
    assert capsys.readouterr().out == (
        "Restoring model weights from the end of the best epoch.\nEpoch 00006: early stopping\n"
    )


def test_what_is_watched():
    grows = train.EarlyStopping("acc", patience=2)
    assert course(grows, [0.1, 0.2, 0.3, 0.1, 0.1, 0.1], "acc")[1] == 5
    loss = train.EarlyStopping("loss", patience=2)
    assert course(loss, [1.0, 0.9, 0.95, 0.96, 0.97], "loss")[1] == 4
    other = train.EarlyStopping("zzz", patience=2)
    with pytest.warns(UserWarning, match="'zzz'.*'mse'"):
        assert course(other, VALUES[:3])[1] is None
    m = model({"loss"})
    stop = train.EarlyStopping(patience=1, min_delta=1e9)  # eval_loss: the loss among the metrics
    m.fit(9, rows(), rows(), callbacks=stop)
    assert stop.stopped_epoch == 2


PLATEAU = [1.0, 0.9, 0.95, 0.96, 0.97, 0.98, 0.99, 0.95, 0.94, 0.3, 0.31, 0.32, 0.33]


@pytest.mark.parametrize(
    ("options", "rates"),
    [
        ({"patience": 2}, [0.1] * 3 + [0.01] * 2 + [0.001] * 2 + [1e-4] * 4 + [1e-5] * 2),
        (
            {"patience": 1, "cooldown": 2, "factor": 0.5},
            [0.1] * 2
            + [0.05] * 2
            + [0.025] * 2
            + [0.0125] * 2
            + [0.00625] * 2
            + [0.003125] * 2
            + [0.001563],
        ),
        ({"patience": 1, "factor": 0.5, "min_lr": 0.04}, [0.1, 0.1, 0.05] + [0.04] * 10),
        ({"patience": 2, "min_delta": 0.2}, [0.1] * 2 + [0.01] * 2 + [0.001] * 2),
    ],
)
def test_reduce_on_plateau(options, rates):
    entry = course(train.ReduceLROnPlateau(monitor="mse", **options), PLATEAU)[0]
    assert entry[: len(rates)] == rates


def test_reduce_on_plateau_announces(capsys):
    course(train.ReduceLROnPlateau("mse", 0.5, 1, True, min_lr=0.04), PLATEAU)
    assert capsys.readouterr().out == (
        "Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.05.\n"
        "Epoch 00004: ReduceLROnPlateau reducing learning rate to 0.04.\n"
    )


def test_a_rate_that_changes_by_itself_is_not_touched():
    net = nn.Dense(2, 1)
    opt = nn.SGD(net.trainable_params(), [0.1] * 9)
    m = Model(net, nn.MSELoss(), opt)
    for callback in (
        train.LearningRateScheduler(lambda lr, step: lr / 2),
        train.ReduceLROnPlateau("loss", patience=0, min_delta=1e9),
    ):
        with pytest.raises(ValueError, match="constant learning rate"):
            m.train(3, rows(), callbacks=callback)


def test_learning_rate_scheduler():
    m = model()
    seen = []

    def halve(rate, step):
        seen.append((rate, step))
        return rate * 0.5

    m.train(2, rows(), callbacks=train.LearningRateScheduler(halve))
    assert seen == [(0.1, 1), (0.05, 2), (0.025, 3), (0.0125, 4)]
    assert float(m._optimizer.learning_rate.asnumpy()) == pytest.approx(0.00625)


def test_history():
    history = train.History()
    m = model({"mse"})
    m.fit(2, rows(), rows(), callbacks=history)
    assert history.epoch == {"epoch": [1, 2]}
    assert set(history.history) == {"net_output", "mse"}
    assert [float(v) for v in history.history["net_output"]] == pytest.approx(
        [0.008614262, 0.039265733]
    )
    m.train(1, rows(), callbacks=history)
    assert history.epoch == {"epoch": [1]}


def test_loss_monitor(capsys):
    m = model({"mse"})
    monitor = train.LossMonitor(3)
    m.train(3, rows(), callbacks=monitor)
    first = capsys.readouterr().out
    assert [line[:17] for line in first.splitlines()] == ["epoch: 2 step: 1,", "epoch: 3 step: 2,"]
    m.train(3, rows(), callbacks=monitor)
    assert len(capsys.readouterr().out.splitlines()) == 2
    m.eval(rows(3), callbacks=train.LossMonitor())
    assert len(capsys.readouterr().out.splitlines()) == 3
    m.fit(1, rows(), rows(3), callbacks=train.LossMonitor())
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("Eval result: epoch 1, metrics: {'mse': ")
    m.train(1, rows(), callbacks=train.LossMonitor(0))
    assert capsys.readouterr().out == ""


def test_a_loss_that_is_no_number_ends_the_training():
    net = nn.Dense(2, 1, "ones", "zeros")
    m = Model(net, lambda out, label: (out * float("nan")).sum(), nn.SGD(net.trainable_params()))
    with pytest.raises(ValueError, match="epoch: 1 step: 1, loss is NAN or INF"):
        m.train(1, rows(), callbacks=train.LossMonitor())


def test_time_monitor(capsys):
    model({"mse"}).fit(1, rows(), rows(), callbacks=[train.TimeMonitor(data_time=True)])
    times = r"epoch time: +[\d.]+ ms, per step time: +[\d.]+ ms \(data time: +[\d.]+ ms\)"
    assert re.fullmatch(f"Eval {times}\nTrain {times}\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({}, ["x-1_1", "x-1_2", "x-2_1", "x-2_2"]),
        ({"save_checkpoint_steps": 1, "keep_checkpoint_max": 2}, ["x-2_1", "x-2_2"]),
        ({"save_checkpoint_steps": 3}, ["x-2_1", "x-2_2"]),
        ({"save_checkpoint_steps": 2}, ["x-1_2", "x-2_2"]),
        ({"save_checkpoint_seconds": 1000}, ["x-1_1", "x-1_2", "x-2_1", "x-2_2"]),
        ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 1000}, ["x-2_2"]),
        ({"save_checkpoint_steps": 0}, []),
        ({"keep_checkpoint_max": 0}, ["x-2_2"]),
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 5}, ["x-1_1", "x-2_2"]),
        ({"keep_checkpoint_max": 1, "async_save": True}, ["x-2_2"]),
        (
            {"keep_checkpoint_max": 3, "keep_checkpoint_per_n_minutes": 5, "async_save": "thread"},
            ["x-1_2", "x-2_1", "x-2_2"],
        ),
    ],
)
def test_model_checkpoint_names_and_keeps(options, files, tmp_path, monkeypatch):
    saved = _record_saves(monkeypatch)
    config = train.CheckpointConfig(**options)
    save = train.ModelCheckpoint("x", str(tmp_path / "deep" / "er"), config)
    m = model()
    m.train(2, rows(), callbacks=save)
    folder = tmp_path / "deep" / "er"
    assert sorted(os.listdir(folder)) == [f"{name}.ckpt" for name in files]
    assert save.latest_ckpt_file_name == (str(folder / f"{files[-1]}.ckpt") if files else "")
    assert not saved or saved[-1][0] is m.train_network
    m.train(1, rows(1), callbacks=train.ModelCheckpoint("x", str(folder)))
    assert (folder / f"x{'_1' if files else ''}-1_1.ckpt").exists()


def test_model_checkpoint_appends_and_saves_failures(tmp_path, monkeypatch):
    saved = _record_saves(monkeypatch)
    net = nn.Dense(1, 1)
    config = train.CheckpointConfig(
        saved_network=net,
        append_info=["epoch_num", "step_num", {"lr": 0.1}],
        exception_save=True,
        format="safetensors",
    )
    save = train.ModelCheckpoint(lambda params: "made", str(tmp_path), config)
    with pytest.raises(ValueError, match="two elements"):
        model().train(1, [*rows(1), (1, 2, 3)], callbacks=save)
    assert sorted(os.listdir(tmp_path)) == [
        "made-1_1_breakpoint.safetensors",
        "made.safetensors",
    ]
    network, appended = saved[0]
    assert network is net
    assert appended == {"epoch_num": 1, "step_num": 1, "lr": 0.1}


def _record_saves(monkeypatch):
    """Replace the writing of files: note what is saved, and make the file."""
    saved = []

    def save_checkpoint(network, path, integrated, later, append, *args, **kwargs):
        saved.append((network, append))
        with open(path, "w") as file:
            file.write("values")

    monkeypatch.setattr("agar.train.serialization.save_checkpoint", save_checkpoint)
    return saved


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("LossMonitor('a')", TypeError),
        ("LossMonitor(-1)", ValueError),
        ("TimeMonitor('a')", TypeError),
        ("TimeMonitor(data_time=1)", TypeError),
        ("EarlyStopping(monitor=5)", TypeError),
        ("EarlyStopping(mode='x')", ValueError),
        ("EarlyStopping(mode=5)", TypeError),
        ("EarlyStopping(patience=-1)", ValueError),
        ("EarlyStopping(patience=1.5)", TypeError),
        ("EarlyStopping(min_delta='a')", TypeError),
        ("EarlyStopping(restore_best_weights=1)", TypeError),
        ("ReduceLROnPlateau(factor=1.5)", ValueError),
        ("ReduceLROnPlateau(factor=0)", TypeError),
        ("ReduceLROnPlateau(cooldown=-1)", ValueError),
        ("LearningRateScheduler(5)", TypeError),
        ("LambdaCallback(on_train_begin=5)", TypeError),
        ("RunContext(5)", TypeError),
        ("ModelCheckpoint(5)", ValueError),
        ("ModelCheckpoint('a/b')", ValueError),
        ("ModelCheckpoint('x', None, 5)", TypeError),
        ("CheckpointConfig(1.5)", TypeError),
        ("CheckpointConfig(keep_checkpoint_max=-1)", ValueError),
        ("CheckpointConfig(saved_network=5)", TypeError),
        ("CheckpointConfig(append_info=5)", TypeError),
        ("CheckpointConfig(append_info=[5])", TypeError),
        ("CheckpointConfig(format='x')", ValueError),
    ],
)
def test_errors(call, kind):
    name = call.split("(")[0]
    with pytest.raises(kind, match=rf"{name}|original_args"):
        eval(call, vars(train))


def test_parameters_of_a_run():
    params = InternalCallbackParam(a=1)
    params.b = 2
    assert (params.a, params["b"], params.get("c")) == (1, 2, None)
    with pytest.raises(KeyError):
        params.c


def _trained(folder, epochs=2, prefix="x", keep=2, directory=None):
    config = train.CheckpointConfig(keep_checkpoint_max=keep)
    save = train.ModelCheckpoint(prefix, directory or str(folder), config)
    return save, lambda: model().train(epochs, rows(), callbacks=save)


def test_a_copied_folder_goes_on_without_the_first(tmp_path):
    """States name files and no folders, those of earlier versions too."""
    first, go = _trained(tmp_path / "a")
    go()
    state = first.state_dict()
    assert [name for name, _ in state["files"]] == ["x-2_1.ckpt", "x-2_2.ckpt"]
    assert os.sep not in state["latest"]
    before = sorted(os.listdir(tmp_path / "a"))
    old = {**state, "files": [(str(tmp_path / "a" / n), age) for n, age in state["files"]]}
    for number, item in enumerate((state, old)):
        other = tmp_path / f"b{number}"
        shutil.copytree(tmp_path / "a", other)
        second, go = _trained(other, 3)
        second.load_state_dict(item)
        assert second.latest_ckpt_file_name == str(other / "x-2_2.ckpt")
        go()
        assert sorted(os.listdir(other)) == ["x-3_1.ckpt", "x-3_2.ckpt"]  # and counted
    assert sorted(os.listdir(tmp_path / "a")) == before


@pytest.mark.parametrize(
    "name", ["../secret-1_1.ckpt", "{}/secret", "x-1_1.ckpt.txt", "net-1_1.ckpt", "..", "", "x"]
)
def test_a_hostile_state_removes_nothing(tmp_path, name, caplog):
    secret, inside = tmp_path / "secret", tmp_path / "files"
    secret.write_text("mine")
    inside.mkdir()
    (tmp_path / "secret-1_1.ckpt").write_text("mine")
    for base in ("net-1_1.ckpt", "x-1_1.ckpt.txt", "x", "secret"):
        (inside / base).write_text("mine")
    (inside / "x-9_9.ckpt").symlink_to(secret)
    before = sorted(os.listdir(inside))
    save, go = _trained(inside, 1, keep=1)
    state = save.state_dict()
    files = [(name.format(tmp_path), 1.0), ("x-9_9.ckpt", 1.0)]
    for prefix in ("x", "net", "../x", 5):
        save.load_state_dict({**state, "name": prefix, "files": files})
    assert "neither counted nor removed" in caplog.text
    go()
    assert {*before, "secret"} <= {*os.listdir(inside), "secret"}
    assert secret.read_text() == "mine"
    assert (inside / "x-9_9.ckpt").is_symlink()
    assert (tmp_path / "secret-1_1.ckpt").exists()


def test_checkpoints_stay_in_their_folder_when_the_program_changes_its(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x-1_1.ckpt").write_text("mine")
    _, go = _trained(None, directory="files", keep=1)
    os.chdir("other")
    go()
    assert os.listdir(tmp_path / "files") == ["x-2_2.ckpt"]
    assert os.listdir() == ["x-1_1.ckpt"]


def test_a_folder_of_a_function_goes_on(tmp_path):
    first, go = _trained(None, directory=lambda params: str(tmp_path / "f"), keep=1)
    go()
    second, go = _trained(None, 3, directory=lambda params: str(tmp_path / "f"), keep=1)
    second.load_state_dict(first.state_dict())
    go()
    assert os.listdir(tmp_path / "f") == ["x-3_2.ckpt"]


def test_a_backup_that_is_not_ones_own_stays(tmp_path):
    backup = train.BackupAndRestore(str(tmp_path), save_freq=5)
    m = model()
    m.train(1, rows(), callbacks=backup)
    (tmp_path / "backup.ckpt").write_text("somebody's")
    backup.on_train_end(None)
    assert os.listdir(tmp_path) == ["backup.ckpt"]


def test_settings_of_monitoring_callbacks_are_attributes_that_take_effect():
    stop = train.EarlyStopping("loss", patience=3, baseline=2.0)
    result = stop.monitor, stop.patience, stop.baseline, stop.mode, stop.min_delta, stop.verbose
    assert result == ("loss", 3, 2.0, "auto", 0, False)
    assert stop.is_improvement(1.0, 2.0)
    stop.min_delta = 1.5
    assert not stop.is_improvement(1.0, 2.0)
    stop.mode = "max"
    assert stop.is_improvement(4.0, 2.0)
    assert stop.best_weights_param_dict is None
    stop.best_weights_param_dict = {"w": ms.Tensor([1.0])}
    weights = stop.best_weights_param_dict
    assert weights is not None
    assert weights["w"].name == "w"
    reduce = train.ReduceLROnPlateau("loss", factor=0.5, cooldown=1, min_lr=0.1)
    assert (reduce.factor, reduce.cooldown, reduce.min_lr) == (0.5, 1, 0.1)


def test_ratios_of_a_loss_scale_take_effect():
    manager = ms.amp.DynamicLossScaleManager(2.0**10, 2, 10)
    assert (manager.increase_ratio, manager.decrease_ratio, manager.bad_step_max) == (2, 0.5, 1000)
    manager.decrease_ratio = 0.25
    manager.bad_step_max = 1
    manager.update_loss_scale(True)
    assert manager.get_loss_scale() == 2.0**8
    with pytest.raises(RuntimeError, match="more than 1 steps"):
        manager.update_loss_scale(True)
