"""Boost: figures of MindSpore 2.10 on a CPU, and what it cannot run there against its formulas."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import boost, nn, ops
from agar.boost.less_batch_normalization import CommonHeadLastFN

X = np.linspace(-1, 2, 12).reshape(4, 3).astype(np.float32)
Y = np.linspace(0, 1, 8).reshape(4, 2).astype(np.float32)


class Net(nn.Cell):
    def __init__(self, manager=None):
        super().__init__()
        first = np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)
        second = np.linspace(-0.5, 1, 8).reshape(2, 4).astype(np.float32)
        self.fc1 = nn.Dense(3, 4, ms.Tensor(first), "zeros")
        self.fc2 = nn.Dense(4, 2, ms.Tensor(second), "zeros")
        self.mark = manager or (lambda x, before, after: x)

    def construct(self, x):
        x = ops.tanh(self.fc1(self.mark(x, 0, 1)))
        return self.mark(self.fc2(self.mark(x, 1, 2)), 2, 3)


@pytest.fixture
def net():
    return Net()


@pytest.fixture
def data():
    return ms.Tensor(X), ms.Tensor(Y)


@pytest.fixture(autouse=True)
def _as_before():
    yield
    boost.AutoBoost("O0")


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE if request.param == "pynative" else ms.GRAPH_MODE)
    yield
    ms.set_context(mode=before)


def momentum(net, rate=0.1):
    return nn.Momentum(net.trainable_params(), rate, 0.9)


def with_loss(net):
    return nn.WithLossCell(net, nn.MSELoss())


def close(found, expected):
    # MindSpore's tanh on a CPU is an approximation: its figures are off in the fifth digit
    np.testing.assert_allclose(np.asarray(found, np.float64), expected, rtol=3e-4, atol=3e-6)


# ------------------------------------------------------------------------- accumulation


def test_gradients_of_two_steps_make_one_update(net, data, mode):
    x, y = data
    loss_of = with_loss(net)
    add = boost.GradientAccumulation(2, momentum(net))
    assert [p.name for p in add.get_parameters()][:5] == [
        "optimizer.fc1.weight",
        "optimizer.fc1.bias",
        "optimizer.fc2.weight",
        "optimizer.fc2.bias",
        "grad_accumulation.optimizer.fc1.weight",
    ]
    take = ms.value_and_grad(loss_of, None, add.weights)
    items = []
    for i in range(1, 5):
        loss, grads = take(x * i, y)
        items.append([float(add(loss, grads)), *net.fc2.weight.asnumpy()[0].tolist()])
    close(
        items,
        [
            [0.154394612, -0.5, -0.2857143, -0.0714286, 0.1428571],
            [0.214416504, -0.47650519, -0.26718152, -0.08672067, 0.12051542],
            [0.217498824, -0.47650519, -0.26718152, -0.08672067, 0.12051542],
            [0.255617082, -0.43278989, -0.22794074, -0.1214018, 0.07824029],
        ],
    )


@pytest.mark.parametrize("steps", [0, 2.5])
def test_the_number_of_steps_is_checked(net, steps):
    with pytest.raises((ValueError, TypeError), match="max_accumulation_step"):
        boost.GradientAccumulation(steps, momentum(net))


def test_a_step_accumulates_where_the_settings_say(net, data):
    config = {
        "boost": {"mode": "manual", "grad_accumulation": True},
        "grad_accumulation": {"grad_accumulation_step": 2},
    }
    boost.AutoBoost("O0", config)
    step = boost.BoostTrainOneStepCell(with_loss(net), momentum(net), 1.0).set_train()
    losses = [float(step(*data)) for _ in range(3)]
    assert losses[0] == losses[1] > losses[2]
    boost.AutoBoost("O0")
    alone = Net()
    plain = nn.TrainOneStepCell(with_loss(alone), momentum(alone)).set_train()
    plain(*data)
    np.testing.assert_allclose(net.fc2.weight.asnumpy(), alone.fc2.weight.asnumpy(), rtol=1e-6)


# ------------------------------------------------------------------------------ freezing


def test_which_group_trains():
    freeze = boost.GradientFreeze(4, 0, 0.5, 20)
    assert freeze.generate_freeze_index_sequence(4, 0, 0.5, 20) == [0, 0, 0, 1, 2, 3] * 4
    np.random.seed(3)
    drawn = [0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    assert freeze.generate_freeze_index_sequence(4, 1, 0.7, 20) == drawn
    assert freeze.generate_freeze_index_sequence(1, 1, 0.7, 20) == [0] * 20
    with pytest.raises(ValueError, match="strategy '2'"):
        freeze.generate_freeze_index_sequence(4, 2, 0.5, 20)
    with pytest.raises(ValueError, match="less than 1"):
        freeze.generate_freeze_index_sequence(4, 0, 1.0, 20)


def test_groups_are_ends_of_the_network():
    dense = [nn.Dense(2, 2, has_bias=i != 3) for i in range(6)]
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), *dense)
    groups = boost.GradientFreeze(2, 0, 0.5, 20).split_parameters_groups(net, 2)
    assert len(groups[0]) == 14
    ends = ["4.weight", "4.bias", "5.weight", "6.weight", "6.bias", "7.weight", "7.bias"]
    assert [p.name for p in groups[1]] == ends


def test_a_frozen_group_rests(net, data, mode):
    """A group that rests keeps its momentum: each has an optimizer of its own."""
    every = net.trainable_params()
    opt = boost.FreezeOpt(momentum(net), [every, every[2:]], [0, 1, 1])
    assert [p.name for p in opt.opts[1].get_parameters()][:2] == [
        "boost_1global_step",
        "boost_1learning_rate",
    ]
    step = boost.BoostTrainOneStepCell(with_loss(net), opt).set_train()
    items = []
    for _ in range(5):
        loss = float(step(*data))
        first, second = (c.weight.asnumpy()[0, 0] for c in (net.fc1, net.fc2))
        items.append([loss, first, second])
    close(
        items,
        [
            [0.154394612, -0.99930775, -0.47943538],
            [0.126726404, -0.99930775, -0.4621985],
            [0.108418003, -0.99930775, -0.4321731],
            [0.080948211, -0.99829459, -0.40377966],
            [0.058529608, -0.99829459, -0.37101704],
        ],
    )


def test_a_list_of_rates_goes_with_the_steps(net, data):
    every = net.trainable_params()
    rates = momentum(net, [0.1, 0.2, 0.3, 0.4, 0.5])
    opt = boost.FreezeOpt(rates, [every, every[2:]], [0, 1, 1, 0, 1])
    assert opt.dynamic_learning_rate == [[0.1, 0.4], [0.2, 0.3, 0.5]]
    step = boost.BoostTrainOneStepCell(with_loss(net), opt).set_train()
    losses = [0.154394612, 0.126726404, 0.092311464, 0.041267417, 0.036360938]
    close([float(step(*data)) for _ in range(5)], losses)


def test_freezing_as_a_whole(net, data):
    np.random.seed(1)
    network, opt = boost.GradientFreeze(2, 1, 0.5, 6).freeze_generate(with_loss(net), momentum(net))
    assert opt.train_strategy.asnumpy().tolist() == [0, 1, 0, 1, 0, 1]
    step = boost.BoostTrainOneStepCell(network, opt).set_train()
    losses = [0.154394612, 0.126726404, 0.106167495, 0.074933223, 0.056065399, 0.039446160]
    close([float(step(*data)) for _ in range(6)], losses)


def test_steps_of_the_groups(net, data):
    opt = boost.FreezeOpt(momentum(net))
    grad = ops.GradOperation(get_by_list=True, sens_param=True)
    (step,) = boost.freeze_cell(False, with_loss(net), opt, 2.0, grad, False)
    close([float(step(*data)) for _ in range(3)], [0.154394612, 0.103381738, 0.053814102])


def test_steps_of_the_groups_accumulate(net, data):
    opt = boost.FreezeOpt(momentum(net))
    grad = ops.GradOperation(get_by_list=True, sens_param=True)
    network = with_loss(net)
    (step,) = boost.freeze_cell(False, network, opt, 1.0, grad, True, max_accumulation_step=2)
    first, second, third = (float(step(*data)) for _ in range(3))
    assert first == second > third


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (lambda o: (3,), TypeError, "'opt' must be an Optimizer"),
        (lambda o: (o, None, [1]), ValueError, "must be given as well"),
        (lambda o: (o, 3), TypeError, "must be a tuple or list"),
        (lambda o: (o, [3]), TypeError, "number 0"),
        (lambda o: (o, [o.parameters], [1.0]), ValueError, "must be ints"),
        (lambda o: (o, [o.parameters], "a"), TypeError, "must be None, a tuple"),
        (lambda o: (o, [o.parameters], ms.Tensor([1.0])), ValueError, "of type int32"),
        (lambda o: (o, [o.parameters], [1]), ValueError, "from 0 to 0"),
    ],
)
def test_what_a_freezing_optimizer_takes(net, arguments, error, text):
    with pytest.raises(error, match=text):
        boost.FreezeOpt(*arguments(nn.SGD(net.trainable_params(), 0.1)))


# -------------------------------------------------------------------------------- LessBN


def test_the_last_dense_layer_is_normalized(net, data):
    whole = boost.LessBN(with_loss(net), fn_flag=True)
    close(float(whole(*data)), 0.20129)
    assert isinstance(net.fc2, CommonHeadLastFN)
    assert [p.name for p in whole.trainable_params()] == [
        "network._backbone.fc1.weight",
        "network._backbone.fc1.bias",
        "_backbone.fc2.weight",
        "_backbone.fc2.multiplier",
    ]
    close(net.fc2(ops.ones((2, 4))).asnumpy(), [[-0.597614348, 0.942954242]] * 2)
    head = net.fc2
    boost.LessBN(whole.network, fn_flag=True)
    assert net.fc2 is head


def test_batch_normalizations_stay_with_a_warning(monkeypatch):
    said = []
    monkeypatch.setattr(ms.log, "warning", lambda text, *args: said.append(text % args))
    net = boost.LessBN(nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)))
    assert len(said) == 1
    assert "batch normalizations of SequentialCell" in said[0]
    assert net(ops.ones((1, 1, 3, 3))).shape == (1, 2, 3, 3)


def test_an_activation_is_not_dropped():
    with pytest.raises(ValueError, match="has an activation"):
        boost.LessBN(nn.SequentialCell(nn.Dense(2, 2, activation="relu")), fn_flag=True)


# ----------------------------------------------------------------------------- DimReduce


def test_steps_in_four_dimensions(net, data, mode):
    x, y = data
    network, every = with_loss(net), net.trainable_params()
    opt = nn.SGD(every, 1.0)
    count = sum(p.size for p in every)
    components = np.linalg.qr(np.random.RandomState(0).randn(count, 4))[0].T
    reduce = boost.DimReduce(
        network, opt, opt.parameters, components, 4, 0.55, 0.9, 0.001, 0.4, 0, 1
    )
    copies = ms.ParameterTuple(every).clone("weights_clone", init="same")
    take = ms.value_and_grad(network, None, opt.parameters)
    items = []
    for _ in range(5):
        loss, grads = take(x, y)
        out = reduce(loss, grads, ms.Tensor(1.0), opt.parameters, copies, x, y)
        items.append([float(out), net.fc2.weight.asnumpy()[0, 0], reduce.bk.asnumpy()[0, 0]])
    expected = [
        [0.154394612, -0.451530784, 1.0],
        [0.126273304, -0.078131974, 1.003880501],
        [0.038271926, -0.106075168, 1.013958573],
        [0.036362354, -0.112187617, 1.607235193],
        [0.035226196, -0.108824454, 3.405670404],
    ]
    np.testing.assert_allclose(items, expected, rtol=2e-2, atol=3e-4)


def test_components_are_checked(net):
    every = net.trainable_params()
    with pytest.raises(ValueError, match=r"shape \(4, 26\)"):
        boost.DimReduce(
            net, nn.SGD(every, 1.0), every, np.ones((4, 3)), 4, 0.55, 0.9, 0.001, 0.4, 0, 1
        )


def test_components_of_checkpoints(net, data, tmp_path):
    rng = np.random.RandomState(0)
    rows = []
    for i in range(4):
        other = Net()
        for p in other.trainable_params():
            p.set_data(ms.Tensor(rng.randn(*p.shape).astype(np.float32)))
        rows.append(np.concatenate([p.asnumpy().ravel() for p in other.trainable_params()]))
        ms.save_checkpoint(other, str(tmp_path / f"{i}.ckpt"))
    config = {
        "boost": {"mode": "manual", "dim_reduce": True},
        "dim_reduce": {"n_components": 2, "weight_load_dir": str(tmp_path)},
    }
    settings = boost.AutoBoost("O1", config)
    network, opt = settings.network_auto_process_train(net, momentum(net))
    assert network is net
    step = boost.BoostTrainOneStepCell(with_loss(net), opt, 1.0).set_train()
    assert step.check_dim_reduce_enable()
    stored = np.load(settings.local_pca_mat_path)
    centered = np.stack(rows) - np.mean(rows, axis=0)
    expected = np.linalg.svd(centered, full_matrices=False)[2][:2]
    np.testing.assert_allclose(np.abs(stored @ expected.T), np.eye(2), atol=1e-5)
    losses = [float(step(*data)) for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]


# ------------------------------------------------------------------------- scales of groups


def test_scales_of_groups():
    manager = boost.GroupLossScaleManager(4096, [])
    assert manager.get_update_cell() is manager
    with pytest.raises(RuntimeError, match="set_loss_scale_status"):
        manager(ms.Tensor([1.0]), 0, 1)
    manager.set_loss_scale_status(2, manager.get_loss_scale())
    assert [float(p) for p in manager.dynamic_loss_scale] == [1, 4096, 4096, 1]
    assert [p.name for p in manager.dynamic_loss_scale][1] == "layer_loss_scale_1"
    assert float(manager.update_loss_scale_status(0, 0.5)) == 2048
    assert float(manager.dynamic_loss_scale[1]) == 2048
    assert ms.grad(lambda x: manager(x, 0, 1))(ms.Tensor(3.0)) == 1 / 2048
    assert manager(ms.Tensor(3.0), 0, 1) == 3


def grouped(rate=0.1):
    manager = boost.GroupLossScaleManager(4096, [])
    net = Net(manager)
    every = net.trainable_params()
    manager.loss_scale_groups = [every[:2], every[2:]]
    boost.AutoBoost("O0", {"boost": {"mode": "manual", "loss_scale_group": True}})
    opt = nn.Momentum(every, rate, 0.9)
    step = boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), opt, manager)
    return net, manager, step.set_train()


def test_groups_grow_and_train_as_without(data):
    net, manager, step = grouped()
    plain = Net()
    other = nn.TrainOneStepCell(with_loss(plain), momentum(plain)).set_train()
    for _ in range(3):
        loss, overflow, _ = step(*data)
        assert not overflow
        np.testing.assert_allclose(float(loss), float(other(*data)), rtol=1e-5)
    # the scale after three steps in MindSpore
    close([float(p) for p in manager.dynamic_loss_scale], [1, 4104.52685547, 4104.52685547, 1])
    np.testing.assert_allclose(net.fc2.weight.asnumpy(), plain.fc2.weight.asnumpy(), rtol=1e-5)


def test_a_group_that_overflows_is_scaled_down():
    net, manager, step = grouped()
    before = net.fc2.weight.asnumpy()
    _, overflow, scale = step(ms.Tensor(X), ms.Tensor(np.full_like(Y, np.inf)))
    assert overflow
    assert float(scale) == 4096
    np.testing.assert_allclose(float(manager.dynamic_loss_scale[2]), 4096 / np.sqrt(2), rtol=1e-6)
    assert (net.fc2.weight.asnumpy() == before).all()


def test_every_parameter_needs_a_group(net):
    boost.AutoBoost("O0", {"boost": {"mode": "manual", "loss_scale_group": True}})
    manager = boost.GroupLossScaleManager(8, [net.trainable_params()[:2]])
    with pytest.raises(ValueError, match=r"fc2\.weight"):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), momentum(net), manager)


# ------------------------------------------------------------------------------- steps


def test_a_plain_step_is_that_of_nn(net, data, mode):
    step = boost.BoostTrainOneStepCell(with_loss(net), momentum(net), 2.0).set_train()
    close([float(step(*data)) for _ in range(3)], [0.154394612, 0.103381738, 0.053814102])
    close(net.fc2.weight.asnumpy()[0], [-0.32733032, -0.17820641, -0.13991283, -0.01660371])


def test_a_scaled_step(net, data):
    scale = nn.DynamicLossScaleUpdateCell(1024, 2, 1)
    step = boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), momentum(net), scale)
    loss, overflow, used = step.set_train()(*data)
    close([float(loss), float(overflow), float(used)], [0.154394612, 0, 1024])
    assert float(step.scale_sense) == 2048
    with pytest.raises(TypeError, match="scale_sense"):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), momentum(net), 3.0)
    manager = boost.GroupLossScaleManager(8, [])
    with pytest.raises(TypeError, match="loss_scale_group"):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), momentum(net), manager)


# --------------------------------------------------------------------------- the settings


def test_levels():
    assert boost.AutoBoost("O2").boost_config == {
        "less_bn": True,
        "grad_freeze": True,
        "adasum": True,
        "grad_accumulation": False,
        "dim_reduce": False,
        "loss_scale_group": False,
    }
    assert not any(boost.AutoBoost("O1", {"boost": {"mode": "disable_all"}}).boost_config.values())
    assert all(boost.AutoBoost("O1", {"boost": {"mode": "enable_all"}}).boost_config.values())
    assert not boost.AutoBoost("O1").boost_config["adasum"]


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ({"boost": {"mode": "some"}}, "mode must be in"),
        ({"boost": {"less": True}}, "switches"),
        ({"les_bn": {}}, "parts"),
        ({"less_bn": {"fn": True}}, "settings are"),
        ({"common": {"gradient_split_groups": 2.5}}, "list of ints"),
    ],
)
def test_unknown_settings(config, text):
    with pytest.raises(ValueError, match=text):
        boost.AutoBoost("O1", config)


def test_an_optimizer_is_made_anew():
    net = nn.Dense(16, 2)
    opt = nn.Momentum([{"params": net.trainable_params()}], 0.1, 0.9, weight_decay=0.01)
    assert opt.init_args == {
        "momentum": 0.9,
        "weight_decay": 0.01,
        "loss_scale": 1.0,
        "use_nesterov": False,
    }
    process = boost.OptimizerProcess(opt)
    process.add_grad_centralization(net)
    result = process.generate_new_optimizer()
    assert type(result) is nn.Momentum
    assert [p.name for p in result.parameters] == ["weight", "bias"]
    assert result.grad_centralization_flags == (True, False)


def test_groups_keep_their_settings(net):
    every = net.trainable_params()
    groups = [{"params": every[:1], "lr": 0.5}, {"params": every[1:2], "weight_decay": 0.1}]
    result = boost.ParameterProcess.generate_group_params(every[1:], groups)
    assert [[p.name for p in g["params"]] for g in result] == [
        ["fc1.bias"],
        ["fc2.weight", "fc2.bias"],
    ]
    assert result[0]["weight_decay"] == 0.1
    assert result[1]["lr"] == 0.5
    with pytest.raises(ValueError, match="empty"):
        boost.ParameterProcess.generate_group_params(every, [])


# ------------------------------------------------------------------------------- Model


def test_a_model_trains_with_boost(data):
    net = Net()
    config = {"grad_freeze": {"param_groups": 1, "total_steps": 8}}
    model = ms.Model(
        net,
        nn.MSELoss(),
        momentum(net),
        metrics={"mae"},
        boost_level="O1",
        boost_config_dict=config,
    )
    assert type(model.train_network) is boost.BoostTrainOneStepCell
    assert isinstance(model.train_network.optimizer, boost.FreezeOpt)
    assert isinstance(net.fc2, CommonHeadLastFN)
    before = model.eval([data])["mae"]
    model.train(8, [data])
    assert model.eval([data])["mae"] < before


def test_a_model_without_metrics_says_that_nothing_is_changed(data, monkeypatch):
    said = []
    monkeypatch.setattr(ms.log, "warning", lambda text, *args: said.append(text % args))
    net = Net()
    ms.Model(net, nn.MSELoss(), momentum(net), boost_level="O1")
    assert said == ["Boost needs metrics or an eval_network: the network is trained as it is."]
    assert isinstance(net.fc2, nn.Dense)


# ------------------------------------------------------------------------------- AdaSum


def test_adasum_needs_processes_that_joined(monkeypatch):
    from agar._core.distributed.process_groups import groups

    monkeypatch.setattr(groups, "inited", False)
    with pytest.raises(RuntimeError, match="init"):
        boost.AdaSum(0, 8, 1, Net().trainable_params())


def test_the_number_of_servers_is_a_power_of_two():
    with pytest.raises(ValueError, match="power of two"):
        boost.AdaSum(0, 1, 3, ())


def test_two_updates_combined():
    """Orthogonal updates are added, equal ones averaged."""
    from agar.boost.adasum import combined, combined_all

    a, b = ms.Tensor([3.0, 0.0]), ms.Tensor([0.0, 2.0])
    np.testing.assert_allclose(combined(a, b).asnumpy(), [3, 2], rtol=1e-6)
    np.testing.assert_allclose(combined(a, a).asnumpy(), [3, 0], rtol=1e-6)
    np.testing.assert_allclose(combined_all([a, b, a, b]).asnumpy(), [3, 2], rtol=1e-6)
    single = [ms.Tensor([1.0]), ms.Tensor([3.0])]
    assert combined_all(single).asnumpy().tolist() == [2]
