"""Model: the figures of the specification, flags, callbacks, datasets and bad input."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, train
from agar.train import Model
from agar.train._progress import ProgressBar
from agar.train.callback import InternalCallbackParam

EVENTS = [
    f"on_{mode}_{event}"
    for mode in ("train", "eval")
    for event in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
]


def rows(count=2, batch=2):
    x, y = np.ones((batch, 2), np.float32), np.zeros((batch, 1), np.float32)
    return [(ms.Tensor(x), ms.Tensor(y)) for _ in range(count)]


class Dataset:
    """What MindSpore's datasets have."""

    def get_dataset_size(self):
        return 2

    def create_tuple_iterator(self, num_epochs=-1):
        return iter(rows())


class Log(train.Callback):
    """Notes every event."""

    def __init__(self):
        self.events = []


for _name in EVENTS:

    def _note(self, run_context, name=_name):
        params = run_context.original_args()
        self.events.append((name, params.get("cur_epoch_num"), params.cur_step_num, params.mode))

    setattr(Log, _name, _note)


def model(metrics=("mse", "mae"), **options):
    ms.set_seed(1)
    net = nn.Dense(2, 1)
    return Model(
        net,
        nn.MSELoss(),
        nn.Momentum(net.trainable_params(), 0.1, 0.9),
        metrics=set(metrics),
        **options,
    )


# ------------------------------------------------------------------------------------- training


@pytest.mark.smoke
def test_the_figures_of_the_specification(capsys):
    m = model()
    m.train(2, Dataset(), callbacks=train.LossMonitor())
    np.testing.assert_allclose(
        m.train_network.network.backbone_network.weight.asnumpy(), [[0.5490328, -0.22456878]]
    )
    assert capsys.readouterr().out.splitlines() == [
        "epoch: 1 step: 1, loss is 0.05383911356329918",
        "epoch: 1 step: 2, loss is 0.008614261634647846",
        "epoch: 2 step: 1, loss is 0.007774370722472668",
        "epoch: 2 step: 2, loss is 0.03926573321223259",
    ]
    assert m.eval(Dataset()) == {
        "mae": pytest.approx(0.17824740707874298),
        "mse": pytest.approx(0.03177213668823242),
    }


def test_flags():
    m = model()
    net = m.predict_network
    seen = []
    look = train.LambdaCallback(
        on_train_step_begin=lambda c: seen.append(("train", net.training)),
        on_eval_step_begin=lambda c: seen.append(("eval", net.training)),
    )
    m.fit(2, rows(1), rows(1), callbacks=look)
    assert seen == [("train", True), ("eval", False)] * 2
    m.train(1, rows(1))
    assert net.training
    m.predict(ms.Tensor([[1.0, 2.0]]))
    assert not net.training


def test_the_order_of_events():
    log = Log()
    model().fit(2, rows(), rows(1), callbacks=[log])
    epoch_1 = [
        ("on_train_epoch_begin", 1, 0, "train"),
        ("on_train_step_begin", 1, 1, "train"),
        ("on_train_step_end", 1, 1, "train"),
        ("on_train_step_begin", 1, 2, "train"),
        ("on_train_step_end", 1, 2, "train"),
        ("on_eval_begin", 1, 0, "eval"),
        ("on_eval_epoch_begin", 1, 0, "eval"),
        ("on_eval_step_begin", 1, 1, "eval"),
        ("on_eval_step_end", 1, 1, "eval"),
        ("on_eval_epoch_end", 1, 1, "eval"),
        ("on_eval_end", 1, 1, "eval"),
        ("on_train_epoch_end", 1, 2, "train"),
    ]
    assert log.events[:13] == [("on_train_begin", None, 0, "train"), *epoch_1]
    assert log.events[-1] == ("on_train_end", 2, 4, "train")
    log = Log()
    model().eval(rows(1), callbacks=log)
    assert [e[0] for e in log.events] == EVENTS[6:]


def test_older_methods_and_contexts():
    class Old(train.Callback):
        def __init__(self):
            self.calls = []

        def __enter__(self):
            self.calls.append("enter")
            return self

        def __exit__(self, *error):
            self.calls.append(f"exit {error[0].__name__ if error[0] else ''}".strip())

        def begin(self, c):
            self.calls.append("begin")

        def step_end(self, c):
            assert isinstance(c.original_args(), InternalCallbackParam)
            self.calls.append("step")

        def end(self, c):
            self.calls.append("end")

    old = Old()
    model().train(1, rows(), callbacks=[old])
    assert old.calls == ["enter", "begin", "step", "step", "end", "exit"]
    old = Old()
    with pytest.raises(ValueError, match="two elements"):
        model().train(1, [(ms.Tensor([1.0]), ms.Tensor([1.0]), ms.Tensor([1.0]))], callbacks=old)
    assert old.calls == ["enter", "begin", "exit ValueError"]


def test_a_request_to_stop():
    log = Log()
    stop = train.LambdaCallback(on_train_step_end=lambda c: c.request_stop())
    model().train(3, rows(), callbacks=[log, stop])
    assert [e[:3] for e in log.events][-3:] == [
        ("on_train_step_end", 1, 1),
        ("on_train_epoch_end", 1, 1),
        ("on_train_end", 1, 1),
    ]


def test_validation_at_chosen_epochs():
    for frequency, want in ((2, [2, 4]), ([1, 4], [1, 4]), (1, [1, 2, 3, 4])):
        log = Log()
        model().fit(4, rows(1), rows(1), valid_frequency=frequency, callbacks=log)
        assert [e[1] for e in log.events if e[0] == "on_eval_begin"] == want
    log = Log()
    model().train(4, rows(1), callbacks=log, initial_epoch=2)
    assert [e[1] for e in log.events if e[0] == "on_train_epoch_begin"] == [3, 4]


# ------------------------------------------------------------------------------------- datasets


class Pairs(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.ones(2), torch.zeros(1)


class Columns:
    def create_dict_iterator(self, num_epochs=1):
        for x, y in rows():
            yield {"data": x, "label": y}


def generator():
    for x, y in rows():
        yield x.asnumpy(), y.asnumpy()


@pytest.mark.parametrize(
    "dataset",
    [
        Dataset(),
        Columns(),
        generator,
        rows(),
        torch.utils.data.DataLoader(Pairs(), batch_size=2),
        [{"data": x, "label": y} for x, y in rows()],
    ],
    ids=["tuple iterator", "dict iterator", "function", "list", "DataLoader", "dicts"],
)
def test_any_iterable_of_rows(dataset):
    m = model()
    m.train(2, dataset)
    np.testing.assert_allclose(
        m.predict_network.weight.asnumpy(), [[0.5490328, -0.22456878]], rtol=1e-6
    )


def test_rows_with_several_tensors_nested():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(2, 1, "ones", "zeros")

        def construct(self, pair, factor):
            a, b = pair
            return (self.fc(a) * factor + b).sum()

    net = Net()
    m = Model(net, optimizer=nn.SGD(net.trainable_params(), 0.5))
    m.train(1, [((np.ones((1, 2), np.float32), torch.ones(1, 1)), 2.0)])
    np.testing.assert_allclose(net.fc.weight.asnumpy(), [[0.0, 0.0]])


def test_datasets_that_cannot_be_used():
    m = model()
    for bad in (5, None, "rows", {"a": 1}, ms.Tensor([1.0]), np.ones(3)):
        with pytest.raises(TypeError, match="iterable by rows"):
            m.train(1, bad)
    with pytest.raises(RuntimeError, match="gave no row in epoch 1"):
        m.train(1, [])
    with pytest.raises(RuntimeError, match="lasts for one epoch"):
        m.train(2, iter(rows()))
    with pytest.raises(RuntimeError, match="gave no row"):
        m.eval([])


# -------------------------------------------------------------------------- loss, optimizer, amp


def test_without_an_optimizer_nothing_is_trained():
    net = nn.Dense(2, 1, "ones", "zeros")
    Model(net, nn.MSELoss()).train(1, rows())
    np.testing.assert_array_equal(net.weight.asnumpy(), [[1.0, 1.0]])


def test_evaluation_networks_and_indexes():
    net = nn.Dense(2, 1, "ones", "zeros")
    cell = nn.WithEvalCell(net, nn.MSELoss())
    chosen = Model(net, metrics={"mse", "loss"}, eval_network=cell, eval_indexes=[0, 1, 2])
    assert chosen.eval(rows()) == {"mse": 4.0, "loss": 4.0}
    assert chosen.eval_network is cell
    with pytest.raises(ValueError, match="needs 2 inputs"):
        Model(net, metrics={"mse"}, eval_network=cell).eval(rows())
    own = {"mse": train.MSE().set_indexes([1, 2])}
    assert Model(net, metrics=own, eval_network=cell).eval(rows()) == {"mse": 4.0}


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
def test_levels_of_mixed_precision(level):
    m = model(amp_level=level, loss_scale_manager=None)
    m.train(2, rows())
    np.testing.assert_allclose(
        m.predict_network.weight.asnumpy(), [[0.5490328, -0.22456878]], atol=1e-3
    )
    assert m.predict_network.weight.dtype == ms.float32
    assert m.eval(rows())["mse"] == pytest.approx(0.03177, abs=1e-3)


@pytest.mark.parametrize(
    "manager",
    [train.FixedLossScaleManager(1024.0, True), train.DynamicLossScaleManager(1024)],
    ids=["fixed", "dynamic"],
)
def test_loss_scale_managers(manager, capsys):
    m = model(loss_scale_manager=manager)
    m.train(2, rows(), callbacks=train.LossMonitor(2))
    np.testing.assert_allclose(
        m.predict_network.weight.asnumpy(), [[0.5490328, -0.22456878]], rtol=1e-5
    )
    assert capsys.readouterr().out.startswith("epoch: 1 step: 2, loss is 0.008614262\n")


def test_the_manager_learns_of_overflows():
    manager = train.DynamicLossScaleManager(1024, 2, 100)
    m = model(loss_scale_manager=manager)
    bad = (ms.Tensor([[float("inf"), 1.0]]), ms.Tensor([[0.0]]))
    m.train(1, [bad, *rows(1)])
    assert manager.get_loss_scale() == 512
    assert float(m.train_network.scale_sense.asnumpy()) == 512
    assert np.isfinite(m.predict_network.weight.asnumpy()).all()


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("m.train(0, d)", ValueError, "'epoch'"),
        ("m.train(1.5, d)", TypeError, "'epoch'"),
        ("m.train(1, d, callbacks=5)", TypeError, "Callback.*5"),
        ("m.train(1, d, callbacks=[5])", TypeError, r"Callback.*\[5\]"),
        ("m.train(1, d, dataset_sink_mode=1)", TypeError, "dataset_sink_mode"),
        ("m.train(1, d, sink_size=0)", ValueError, "sink_size"),
        ("m.train(1, d, initial_epoch=1)", ValueError, "must bigger"),
        ("m.fit(1, d, d, valid_frequency='a')", TypeError, "valid_frequency"),
        ("m.fit(1, d, d, valid_frequency=0)", ValueError, "valid_frequency"),
        ("m.fit(1, d, 5)", TypeError, "iterable by rows"),
        ("Model(n).eval(d)", ValueError, "'metrics'"),
        ("Model(n, nn.MSELoss()).fit(1, d, d)", ValueError, "'metrics'"),
        ("Model(5)", TypeError, "'network'.*5"),
        ("Model(n, 5)", TypeError, "'loss_fn'.*5"),
        ("Model(n, nn.MSELoss(), 5)", TypeError, "'optimizer'.*5"),
        ("Model(n, eval_network=5)", TypeError, "'eval_network'.*5"),
        ("Model(n, nn.MSELoss(), metrics={'foo'})", KeyError, "foo"),
        ("Model(n, metrics={'mse'})", ValueError, "'eval_network'"),
        ("Model(n, amp_level='O5')", ValueError, "'O5'"),
        ("Model(n, amp_level='O2')", ValueError, "'optimizer' is None"),
        ("Model(n, foo=1)", ValueError, "foo"),
        ("Model(n, eval_indexes=[0, 1])", ValueError, r"\[0, 1\]"),
        ("m.build(5)", TypeError, "Model.build"),
    ],
)
def test_errors(call, kind, words):
    names = {"m": model(), "d": rows(), "n": nn.Dense(2, 1), "nn": nn, "Model": Model}
    with pytest.raises(kind, match=words):
        eval(call, names)


def test_the_progress_bar_of_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("agar.train.model.at_terminal", lambda: True)
    m = model()
    log = Log()
    m.fit(2, rows(), rows(1), callbacks=log)
    assert len(log.events) == 2 * (2 + 4 + 6) + 2
    assert "epoch 2/2" in capsys.readouterr().out
    bar = ProgressBar(1)
    with pytest.raises(ValueError, match="two elements, data and label, but got 3"):
        m.train(1, [(1, 2, 3)], callbacks=bar)
    assert bar._bar is None  # closed by the error
