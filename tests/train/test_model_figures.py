"""Model and callbacks over agar's datasets: what MindSpore 2.10 printed, called and wrote."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

import agar as ms
import agar.dataset as ds
from agar import nn, train
from agar.train import Callback, CheckpointConfig, Model, RunContext
from agar.train.callback import InternalCallbackParam

X = (np.arange(36).reshape(12, 3) % 7).astype(np.float32) / 7
Y = X.sum(1, keepdims=True).astype(np.float32) - 1
# losses of the first six steps, of the evaluations after two epochs
LOSSES = [
    0.2538264989852905,
    0.18396367132663727,
    0.022455591708421707,
    0.07322607934474945,
    0.18588614463806152,
    0.1178823709487915,
    0.06907179951667786,
    0.09272150695323944,
    0.008709932677447796,
]
MAES = [0.2516607791185379, 0.25620361665884656, 0.19140206774075827]


def data(rows=12, shuffle=False):
    return ds.NumpySlicesDataset((X[:rows], Y[:rows]), ["x", "y"], shuffle=shuffle).batch(4)


def network():
    return nn.Dense(3, 1, ms.Tensor(np.full((1, 3), 0.5, np.float32)), "zeros")


def model(metrics=None, rate=0.1, **options):
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9)
    return Model(net, nn.MSELoss(), optimizer, metrics, **options)


class Events(Callback):
    """What happened, and what the parameters of the run were."""

    fields = ("mode", "cur_epoch_num", "cur_step_num", "batch_num", "epoch_num")

    def __init__(self, *more):
        self.seen = []
        self.more = more

    def note(self, event, context):
        params = context.original_args()
        row = [params.get(name) for name in self.fields]
        self.seen.append((event, *row, *(params.get(name) for name in self.more)))


for _mode in ("train", "eval"):
    for _event in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):

        def _note(self, context, event=f"{_mode} {_event}"):
            self.note(event, context)

        setattr(Events, f"on_{_mode}_{_event}", _note)


def lines(capsys):
    """The lines printed, with times left out, and the numbers in them."""
    text = re.sub(r"time: +[\d.]+ ms", "time: #", capsys.readouterr().out)
    number = r"-?\d+\.\d+(?:e-?\d+)?"
    return re.sub(number, "%", text).splitlines(), [float(v) for v in re.findall(number, text)]


def test_the_events_of_fit_and_their_parameters():
    events = Events()
    model({"mae"}).fit(2, data(), data(8), callbacks=events)
    want = [("train begin", "train", None, 0, 3, 2)]
    for epoch in (1, 2):
        done = 3 * (epoch - 1)
        want.append(("train epoch_begin", "train", epoch, done, 3, 2))
        for step in range(done + 1, done + 4):
            want.append(("train step_begin", "train", epoch, step, 3, 2))
            want.append(("train step_end", "train", epoch, step, 3, 2))
        want.append(("eval begin", "eval", epoch, 0, 2, 2))
        want.append(("eval epoch_begin", "eval", epoch, 0, 2, 2))
        for step in (1, 2):
            want.append(("eval step_begin", "eval", epoch, step, 2, 2))
            want.append(("eval step_end", "eval", epoch, step, 2, 2))
        want.append(("eval epoch_end", "eval", epoch, 2, 2, 2))
        want.append(("eval end", "eval", epoch, 2, 2, 2))
        want.append(("train epoch_end", "train", epoch, done + 3, 3, 2))
    want.append(("train end", "train", 2, 6, 3, 2))
    assert events.seen == want


def test_where_the_results_of_an_evaluation_are():
    events = Events("metrics", "eval_results")
    model({"mae"}).fit(1, data(), data(), callbacks=events)
    entries = {event: results for event, *_, results, _ in events.seen}
    assert all(
        (results is not None) == (event in ("eval end", "train epoch_end"))
        for event, results in entries.items()
    )
    assert entries["eval end"] == {"mae": pytest.approx(MAES[0], 1e-6)}
    results = next(row[-1] for row in events.seen if row[0] == "train epoch_end")
    # the mean over batches; MindSpore has the loss of the last batch there
    assert results == {
        "mae": pytest.approx(MAES[0], 1e-6),
        "eval_loss": pytest.approx(0.08838523924350739, 1e-6),
    }
    events = Events("epoch_num", "metrics")
    model({"mae"}).eval(data(8), callbacks=events)
    assert [row[0] for row in events.seen][-1] == "eval end"
    assert events.seen[0] == ("eval begin", "eval", None, 0, 2, None, None, None)


def test_the_rest_of_an_epoch_count_and_where_it_begins(capsys):
    events = Events()
    model().train(4, data(), callbacks=[events, train.LossMonitor()], initial_epoch=2)
    texts, numbers = lines(capsys)
    assert texts == [f"epoch: {e} step: {s}, loss is %" for e in (3, 4) for s in (1, 2, 3)]
    np.testing.assert_allclose(numbers, LOSSES[:6], rtol=1e-6)
    assert {row[5] for row in events.seen} == {2}
    assert events.seen[-1][:3] == ("train end", "train", 4)


@pytest.mark.parametrize(
    ("size", "places"),
    [
        (2, ["1 step: 1", "1 step: 2", "1 step: 1", "2 step: 2", "2 step: 1", "2 step: 2"]),
        (-1, ["1 step: 1", "1 step: 2", "1 step: 3", "2 step: 1", "2 step: 2", "2 step: 3"]),
    ],
)
def test_sinks(capsys, size, places, tmp_path):
    events = Events("dataset_sink_mode")
    callbacks = [events, train.LossMonitor()]
    model().train(2, data(), callbacks=callbacks, dataset_sink_mode=True, sink_size=size)
    texts, numbers = lines(capsys)
    assert texts == [f"epoch: {place}, loss is %" for place in places]
    np.testing.assert_allclose(numbers, LOSSES[:6], rtol=1e-6)
    assert {row[4] for row in events.seen} == {3 if size == -1 else size}
    assert {row[-1] for row in events.seen[1:]} == {False}
    save = train.ModelCheckpoint("net", str(tmp_path), CheckpointConfig(2))
    model().train(3, data(), callbacks=save, dataset_sink_mode=True, sink_size=size)
    assert sorted(os.listdir(tmp_path)) == (
        ["net-1_2.ckpt", "net-2_1.ckpt", "net-2_3.ckpt", "net-3_2.ckpt", "net-3_3.ckpt"]
        if size == -1
        else ["net-1_2.ckpt", "net-2_2.ckpt", "net-3_1.ckpt", "net-3_2.ckpt"]
    )


def test_printed_lines(capsys):
    callbacks = [train.LossMonitor(2), train.TimeMonitor(), train.TimeMonitor(2, True)]
    model({"mae"}).fit(3, data(), data(), callbacks=callbacks)
    texts, numbers = lines(capsys)
    plain = "epoch time: #, per step time: #"
    rest = [
        f"Eval {plain}",
        f"Eval {plain} (data time: #)",
        "Eval result: epoch {}, metrics: {{'mae': %}}",
        f"Train {plain}",
        f"Train {plain} (data time: #)",
    ]
    want = []
    for epoch, steps in ((1, [2]), (2, [1, 3]), (3, [2])):
        want += [f"epoch: {epoch} step: {step}, loss is %" for step in steps]
        want += [line.format(epoch) for line in rest]
    assert texts == want
    figures = [LOSSES[1], MAES[0], LOSSES[3], LOSSES[5], MAES[1], LOSSES[7], MAES[2]]
    np.testing.assert_allclose(numbers, figures, rtol=1e-6)


@pytest.mark.parametrize(
    ("frequency", "want"),
    [
        ([1, 4], {1: (0.08838523924350739, MAES[0]), 4: (0.029245329710344475, 0.1435492585)}),
        (2, {2: (0.09338868161042531, MAES[1]), 4: (0.029245329710344475, 0.1435492585)}),
    ],
)
def test_how_often_is_evaluated(capsys, frequency, want):
    model({"mae", "loss"}).fit(4, data(), data(), frequency, callbacks=train.LossMonitor(0))
    texts, numbers = lines(capsys)
    metrics = "{'loss': %, 'mae': %}"
    assert texts == [f"Eval result: epoch {epoch}, metrics: {metrics}" for epoch in want]
    np.testing.assert_allclose(np.reshape(numbers, (2, 2)), list(want.values()), rtol=1e-6)


def test_an_evaluation_by_itself(capsys):
    m = model({"mae"})
    result = m.eval(data(), callbacks=[train.LossMonitor(), train.TimeMonitor()])
    assert result == {"mae": pytest.approx(0.3869, 1e-4)}
    texts, numbers = lines(capsys)
    assert texts == [
        *(f"epoch: 1 step: {i}, loss is %" for i in (1, 2, 3)),
        "Eval epoch time: #, per step time: #",
    ]
    np.testing.assert_allclose(numbers, [0.2538265, 0.24872448, 0.11096938], rtol=1e-6)


def test_history_goes_on():
    history, m = train.History(), model({"mae", "loss"})
    m.fit(3, data(), data(), 2, callbacks=history)
    assert history.epoch == {"epoch": [1, 2, 3]}
    assert history.history["mae"] == [pytest.approx(MAES[1], 1e-6)]
    m.train(1, data(), callbacks=history)
    assert history.epoch == {"epoch": [1]}
    outputs = history.history["net_output"]
    np.testing.assert_allclose(outputs, [*LOSSES[2:9:3], 0.03136894], rtol=1e-6)
    assert {type(v) for v in outputs} == {np.float32}
    m.eval(data(), callbacks=history)
    assert outputs[4:] == [pytest.approx(0.01314, 1e-3)]


@pytest.mark.parametrize(
    ("options", "epochs", "best", "weights"),
    [
        ({"patience": 2, "monitor": "mae"}, 8, 0.07238, [1.16053, 0.86717, 1.20732]),
        ({"patience": 2, "monitor": "loss", "mode": "max"}, 3, 0.14629, [0.84335, 1.18012, 0.7343]),
        (
            {"patience": 1, "monitor": "loss", "baseline": 1e-4},
            1,
            0.14629,
            [0.47532, 0.5824, 0.39707],
        ),
        (
            {"patience": 2, "restore_best_weights": True, "min_delta": 1.0},
            3,
            None,
            [0.47532, 0.5824, 0.39707],
        ),
    ],
)
def test_early_stopping(options, epochs, best, weights):
    stop, history = train.EarlyStopping(**options), train.History()
    m = model({"mae"}, rate=0.3)
    m.fit(8, data(), data(), callbacks=[stop, history])
    assert history.epoch["epoch"] == list(range(1, epochs + 1))
    assert stop.stopped_epoch == (0 if epochs == 8 else epochs)
    if best is not None:
        assert stop.best == pytest.approx(best, 1e-3)
    np.testing.assert_allclose(m.predict_network.weight.asnumpy()[0], weights, rtol=1e-4)


def test_a_name_that_is_not_known_to_fall_rises():
    assert train.EarlyStopping("roc_auc").best == -np.inf
    for name in ("mae", "perplexity", "eval_loss", "hausdorff_distance"):
        assert train.ReduceLROnPlateau(name).best == np.inf


@pytest.mark.parametrize(
    ("options", "said", "counted"),
    [
        ({"monitor": "loss"}, {}, 0),
        ({"cooldown": 2}, {2: "0.030000001", 4: "0.0030000003", 6: "0.00030000004"}, 2),
        ({"min_lr": 0.05}, {2: "0.05"}, 0),
        (
            {"patience": 0, "factor": 0.5},
            {2: "0.15", 3: "0.075", 4: "0.0375", 5: "0.01875", 6: "0.009375"},
            0,
        ),
    ],
)
def test_plateaus(capsys, options, said, counted):
    if "monitor" not in options:
        options = {"monitor": "mae", "mode": "max", **options}
    reduce = train.ReduceLROnPlateau(verbose=True, **{"patience": 1, **options})
    model({"mae"}, rate=0.3).fit(6, data(), data(), callbacks=reduce)
    assert capsys.readouterr().out.splitlines() == [
        f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate}."
        for epoch, rate in said.items()
    ]
    assert (reduce.wait, reduce.cooldown_counter) == (0, counted)


def test_stops():
    events = Events()
    stop = train.LambdaCallback(
        on_train_step_end=lambda c: c.original_args().cur_step_num == 2 and c.request_stop()
    )
    model({"mae"}).fit(3, data(), data(), callbacks=[stop, events])
    # the epoch is ended, evaluated too, as in MindSpore
    names = [row[0] for row in events.seen]
    assert names.count("train step_end") == 2
    assert names.count("eval step_end") == 3
    assert names[-2:] == ["train epoch_end", "train end"]
    events = Events()

    class StopEvaluation(Callback):
        def on_eval_step_end(self, run_context):
            run_context.request_stop()

    model({"mae"}).fit(2, data(), data(), callbacks=[StopEvaluation(), events])
    assert [row[0] for row in events.seen].count("eval step_end") == 2
    assert events.seen[-1] == ("train end", "train", 2, 6, 3, 2)


def test_the_shuffles_of_trainings_and_evaluations():
    ds.config.set_seed(5)
    try:
        rows = data(shuffle=True)
        seen = []

        class Firsts(Callback):
            def on_train_step_begin(self, run_context):
                element = run_context.original_args().train_dataset_element
                seen.append([round(float(v), 1) for v in element[0].asnumpy()[:, 0] * 7])

        m = model({"mae"})
        m.train(2, rows, callbacks=Firsts())
        first = seen[:]
        seen.clear()
        m.train(1, rows, callbacks=Firsts())
        assert first[:3] != first[3:]
        assert seen == first[:3]  # each training begins with the first epoch
    finally:
        ds.config.set_seed(5489)


def test_a_loop_of_ones_own_calls_callbacks(tmp_path, capsys):
    params = InternalCallbackParam(
        train_network=network(), epoch_num=3, batch_num=2, mode="train", cur_step_num=0
    )
    context = RunContext(params)
    save = train.ModelCheckpoint("own", str(tmp_path), CheckpointConfig(2, keep_checkpoint_max=2))
    monitor, clock = train.LossMonitor(), train.TimeMonitor(2)
    for callback in (save, monitor):
        callback.begin(context)
    for epoch in (1, 2, 3):
        params.cur_epoch_num = epoch
        clock.epoch_begin(context)
        for _ in range(2):
            params.cur_step_num += 1
            params.net_outputs = ms.Tensor(1.5 / params.cur_step_num)
            save.step_end(context)
            monitor.step_end(context)
        clock.epoch_end(context)
    save.end(context)
    assert sorted(os.listdir(tmp_path)) == ["own-2_2.ckpt", "own-3_2.ckpt"]
    texts, _ = lines(capsys)
    assert texts[-3:-1] == [f"epoch: 3 step: {i}, loss is %" for i in (1, 2)]


def test_monitors_of_ones_own_watch_evaluations(capsys):
    class Mine(train.LossMonitor):
        pass

    model({"mae"}).fit(2, data(), data(), callbacks=Mine())
    texts, numbers = lines(capsys)
    steps = [f"step: {i}, loss is %" for i in (1, 2, 3)] * 2
    assert texts == [
        text
        for epoch in (1, 2)
        for text in (
            *(f"epoch: {epoch} {step}" for step in steps),
            f"Eval result: epoch {epoch}, metrics: {{'mae': %}}",
        )
    ]
    np.testing.assert_allclose(numbers[:3], LOSSES[:3], rtol=1e-6)
    np.testing.assert_allclose(numbers[3:5], [0.0732261, 0.147061], rtol=1e-5)


def test_files_of_checkpoints(tmp_path):
    def trained(name, epochs, config, prefix="net"):
        folder = tmp_path / name
        save = train.ModelCheckpoint(prefix, str(folder), config)
        model().train(epochs, data(), callbacks=save)
        return sorted(os.listdir(folder))

    two = CheckpointConfig(2, keep_checkpoint_max=2)
    assert trained("a", 3, two) == ["net-3_2.ckpt", "net-3_3.ckpt"]
    again = ["net_1-3_2.ckpt", "net_1-3_3.ckpt"]
    assert trained("a", 3, two) == ["net-3_2.ckpt", "net-3_3.ckpt", *again]
    same, m = train.ModelCheckpoint("net", str(tmp_path / "b"), two), model()
    for _ in range(2):
        m.train(3, data(), callbacks=same)
    assert sorted(os.listdir(tmp_path / "b")) == ["net-3_2.ckpt", "net-3_3.ckpt"]
    later = CheckpointConfig(2, async_save=True)
    assert trained("c", 2, later) == ["net-1_2.ckpt", "net-2_1.ckpt", "net-2_3.ckpt"]
    save = train.ModelCheckpoint(
        lambda p: f"e{p.cur_epoch_num}", lambda p: str(tmp_path / f"d{p.cur_epoch_num}"), two
    )
    model().train(2, data(), callbacks=save)
    assert [os.listdir(tmp_path / f"d{i}") for i in (1, 2)] == [["e1.ckpt"], ["e2.ckpt"]]
    info = CheckpointConfig(3, append_info=["epoch_num", "step_num", {"lr": 0.5, "s": "abc"}])
    trained("f", 2, info)
    parameters = ms.load_checkpoint(str(tmp_path / "f" / "net-2_3.ckpt"))
    assert (int(parameters["epoch_num"]), int(parameters["step_num"]), float(parameters["lr"])) == (
        2,
        6,
        0.5,
    )
    assert parameters["s"] == "abc"


@pytest.mark.parametrize(
    ("options", "saves", "keeps"),
    [
        ({}, (1, None), (5, None)),
        ({"save_checkpoint_seconds": 5}, (1, None), (5, None)),
        ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 5}, (0, 5), (5, None)),
        ({"save_checkpoint_steps": None}, (None, 0), (5, None)),
        ({"keep_checkpoint_max": 0}, (1, None), (1, 0)),
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 3}, (1, None), (0, 3)),
        ({"keep_checkpoint_per_n_minutes": 3}, (1, None), (5, None)),
    ],
)
def test_policies_of_checkpoints(options, saves, keeps):
    policy = CheckpointConfig(**options).get_checkpoint_policy()
    assert list(policy.values()) == [*saves, *keeps, None]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"save_checkpoint_steps": 0, "keep_checkpoint_max": 0}, ValueError),
        ({"append_info": ["x"]}, ValueError),
        ({"append_info": [{1: 2}]}, TypeError),
        ({"append_info": [{"a": [1]}]}, TypeError),
        ({"append_info": [{"a": 1}, {"b": 2}]}, TypeError),
        ({"async_save": "x"}, ValueError),
        ({"async_save": 1}, TypeError),
        ({"integrated_save": 1}, TypeError),
        ({"exception_save": 1}, TypeError),
        ({"enc_key": 1}, ValueError),
        ({"crc_check": 1}, ValueError),
        ({"remove_redundancy": 1}, ValueError),
        ({"format": "safetensors", "crc_check": True}, ValueError),
    ],
)
def test_policies_are_checked(options, kind):
    with pytest.raises(kind, match="CheckpointConfig"):
        CheckpointConfig(**options)


def test_rows_that_do_not_fit_a_loss_function():
    for columns, count in (((X,), 1), ((X, Y, Y), 3)):
        rows = ds.NumpySlicesDataset(columns, shuffle=False).batch(4)
        with pytest.raises(ValueError, match=rf"Model\.train.*two elements.*got {count}"):
            model().train(1, rows)
