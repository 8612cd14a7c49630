"""Cells around networks: losses, gradients, steps, scales and parts of a batch."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agar as ms
from agar import nn, ops

X = [[1.0, 2.0]]
Y = [[0.0]]


def dense():
    return nn.Dense(2, 1, "ones", "zeros")


def data():
    return ms.Tensor(X), ms.Tensor(Y)


class Counted(nn.Cell):
    """A network that counts its runs."""

    def __init__(self):
        super().__init__()
        self.fc = dense()
        self.runs = 0

    def construct(self, x):
        self.runs += 1
        return self.fc(x)


# ------------------------------------------------------------------------------------ one step


def test_the_figures_of_the_specification():
    net = dense()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt)
    assert float(step(*data()).asnumpy()) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-6)
    assert repr(step) == (
        "TrainOneStepCell(\n  (network): WithLossCell(\n    (_backbone): Dense(input_channels=2, "
        "output_channels=1, has_bias=True)\n    (_loss_fn): MSELoss()\n  )\n  (optimizer): "
        "Momentum()\n  (grad_reducer): Identity()\n)"
    )
    assert [p.name for p in step.get_parameters()] == [
        "weight",
        "bias",
        "global_step",
        "learning_rate",
        "momentum",
        "moments.weight",
        "moments.bias",
    ]


def test_the_network_runs_once_in_a_step():
    net = Counted()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)
    )
    for i in range(3):
        step(*data())
        assert net.runs == i + 1
    scaled = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), sens=2.0
    )
    scaled(*data())
    assert net.runs == 4


@pytest.mark.parametrize("sens", [2, 2.0, ms.Tensor(2.0)], ids=["int", "float", "tensor"])
def test_sens_scales_gradients_and_not_the_loss(sens):
    net = dense()
    opt = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt, sens)
    assert float(step(*data()).asnumpy()) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[-0.2, -1.4]], rtol=1e-6)


def test_gradients_can_be_returned():
    net = dense()
    opt = nn.SGD(net.trainable_params(), 0.1)
    loss, grads = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt, return_grad=True)(
        *data()
    )
    assert float(loss.asnumpy()) == 9.0
    assert list(grads) == ["weight", "bias"]
    np.testing.assert_allclose(grads["weight"].asnumpy(), [[6.0, 12.0]])


@pytest.mark.parametrize("sens", [None, 3.0])
def test_several_outputs_all_count(sens):
    class Two(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = dense()

        def construct(self, x):
            out = self.fc(x)
            return out.sum(), out * 2

    net = Two()
    loss, other = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1), sens)(data()[0])
    assert (float(loss.asnumpy()), other.shape) == (3.0, (1, 1))
    factor = 3.0 if sens is None else 9.0
    np.testing.assert_allclose(
        net.fc.weight.asnumpy(), [[1 - 0.1 * factor, 1 - 0.2 * factor]], rtol=1e-5
    )


def test_a_step_of_ones_own_as_programs_write_it():
    class Step(nn.TrainOneStepCell):
        def __init__(self, network, optimizer, sens=1.0):
            super().__init__(network, optimizer, sens)
            self.network.set_grad()
            self.fill = ops.Fill()

        def construct(self, x, label):
            loss = self.network(x, label)
            sens = self.fill(ops.DType()(loss), ops.Shape()(loss), self.sens)
            grads = self.grad(self.network, self.weights)(x, label, sens)
            grads = self.grad_reducer(grads)
            return ops.depend(loss, self.optimizer(grads))

    net = Counted()
    step = Step(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    step.set_train()
    assert float(step(*data()).asnumpy()) == 9.0
    assert net.runs == 1
    np.testing.assert_allclose(net.fc.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-6)


def test_a_step_from_scratch_as_programs_write_it():
    class Step(nn.Cell):
        def __init__(self, network, optimizer):
            super().__init__(auto_prefix=False)
            self.network = network
            self.network.set_grad()
            self.optimizer = optimizer
            self.weights = self.optimizer.parameters
            self.grad = ops.GradOperation(get_by_list=True)

        def construct(self, *inputs):
            loss = self.network(*inputs)
            grads = self.grad(self.network, self.weights)(*inputs)
            self.optimizer(grads)
            return loss

    net = Counted()
    step = Step(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1))
    step(*data())
    step(*data())
    assert net.runs == 2
    assert step.optimizer.global_step.asnumpy().tolist() == [2]


def test_copies_train_by_themselves():
    net = dense()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1)
    )
    step(*data())
    twin = copy.deepcopy(step)
    before = net.weight.asnumpy().copy()
    twin(*data())
    np.testing.assert_array_equal(net.weight.asnumpy(), before)
    step(*data())
    np.testing.assert_array_equal(
        twin.network.backbone_network.weight.asnumpy(), net.weight.asnumpy()
    )


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("nn.TrainOneStepCell(1, o)", AttributeError, "'network'.*1"),
        ("nn.TrainOneStepCell(n, None)", AttributeError, "'optimizer'.*None"),
        ("nn.TrainOneStepCell(n, o, 'a')", TypeError, "'sens'"),
        ("nn.WithEvalCell(n, n, 1)", TypeError, "add_cast_fp32"),
        ("nn.ForwardValueAndGrad(1)", TypeError, "'network'"),
        ("nn.ForwardValueAndGrad(n, get_all=1)", TypeError, "get_all"),
        ("nn.ForwardValueAndGrad(n, get_by_list=True)", TypeError, "'weights'"),
        ("nn.ParameterUpdate(1)", TypeError, "'param'"),
        ("nn.ParameterUpdate(n.bias)(x)", ValueError, r"\(1,\).*'bias'.*\(1, 2\)"),
        ("nn.MicroBatchInterleaved(n, 2.0)", TypeError, "interleave_num"),
        ("nn.GradAccumulationCell(n, 0)", ValueError, "micro_size"),
        ("nn.GradAccumulationCell(1, 2)", TypeError, "'network'"),
        ("nn.PipelineCell(n, 3)(x)", ValueError, r"must be divided by micro size \(3\)"),
        ("nn.GetNextSingleOp([], [], 'q')()", NotImplementedError, "create_tuple_iterator"),
        ("nn.DistributedGradReducer([], True, 0)", ValueError, "degree"),
        ("nn.TrainOneStepWithLossScaleCell(n, o, 8.0)", TypeError, "scale_sense"),
        ("nn.TrainOneStepWithLossScaleCell(n, o, ms.Tensor([8.0, 1.0]))", ValueError, r"\(2,\)"),
    ],
)
def test_errors(call, kind, words):
    net = dense()
    names = {"n": net, "o": nn.SGD(net.trainable_params()), "x": ms.Tensor(X), "nn": nn, "ms": ms}
    with pytest.raises(kind, match=words):
        eval(call, names)


# ------------------------------------------------------------------------- values and gradients


def test_with_eval_and_grad_cells():
    net = dense()
    loss, out, label = nn.WithEvalCell(net, nn.MSELoss())(*data())
    assert (float(loss.asnumpy()), out.shape, label.shape) == (9.0, (1, 1), (1, 1))
    half = nn.WithEvalCell(dense().to_float(ms.float16), nn.MSELoss(), True)(*data())
    assert half[1].dtype == ms.float32
    grads = nn.WithGradCell(net, nn.MSELoss())
    assert net.training
    np.testing.assert_allclose(grads(*data())[0].asnumpy(), [[6.0, 12.0]])
    twice = nn.WithGradCell(nn.WithLossCell(net, nn.MSELoss()), sens=2.0)
    np.testing.assert_allclose(twice(*data())[0].asnumpy(), [[12.0, 24.0]])


def test_forward_value_and_grad():
    net = nn.WithLossCell(dense(), nn.MSELoss())
    weights = net.trainable_params()
    value, first = nn.ForwardValueAndGrad(net)(*data())
    assert float(value.asnumpy()) == 9.0
    np.testing.assert_allclose(first.asnumpy(), [[6.0, 6.0]])
    _, both = nn.ForwardValueAndGrad(net, get_all=True)(*data())
    np.testing.assert_allclose(both[1].asnumpy(), [[-6.0]])
    _, by_weight = nn.ForwardValueAndGrad(net, weights, get_by_list=True)(*data())
    np.testing.assert_allclose(by_weight[0].asnumpy(), [[6.0, 12.0]])
    _, (inputs, params) = nn.ForwardValueAndGrad(net, weights, True, True, True)(*data(), 2.0)
    np.testing.assert_allclose(inputs[0].asnumpy(), [[12.0, 12.0]])
    np.testing.assert_allclose(params[1].asnumpy(), [12.0])
    _, single = nn.ForwardValueAndGrad(lambda x: x * x, get_all=True)(ms.Tensor([3.0]))
    assert isinstance(single, tuple)
    np.testing.assert_allclose(single[0].asnumpy(), [6.0])


def test_parameter_update():
    net = dense()
    out = nn.ParameterUpdate(net.weight)(ms.Tensor([[3.0, 4.0]]))
    np.testing.assert_array_equal(out.asnumpy(), [[3.0, 4.0]])
    np.testing.assert_array_equal(net.weight.asnumpy(), [[3.0, 4.0]])


@pytest.mark.parametrize(
    "make", [nn.MicroBatchInterleaved, nn.GradAccumulationCell, nn.PipelineCell]
)
def test_parts_of_a_batch_are_added(make):
    x = ms.Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))
    y = ms.Tensor(np.zeros((4, 1), np.float32))
    net = dense()
    whole = nn.WithLossCell(net, nn.MSELoss())
    parts = make(whole, 2)
    assert float(parts(x, y).asnumpy()) == 2 * float(whole(x, y).asnumpy())
    one = ms.grad(whole, None, net.trainable_params())(x, y)
    two = ms.grad(parts, None, net.trainable_params())(x, y)
    np.testing.assert_allclose(two[0].asnumpy(), 2 * one[0].asnumpy())
    assert [p.name for p in parts.get_parameters()] == ["weight", "bias"]


def test_reducers_on_one_device():
    grads = (ms.Tensor([1.0, 2.0]),)
    assert nn.DistributedGradReducer([])(grads) is grads
    mean = nn.DistributedGradReducer([], True, 4)(grads)
    np.testing.assert_allclose(mean[0].asnumpy(), [0.25, 0.5])
    np.testing.assert_allclose(nn.PipelineGradReducer([], 2.0)(grads)[0].asnumpy(), [0.5, 1.0])


# ------------------------------------------------------------------------------------ loss scale


def test_the_scale_follows_the_recorded_course():
    scale = ms.Parameter(ms.Tensor(4096.0), name="scale")
    update = nn.DynamicLossScaleUpdateCell(2**12, 2, 3)
    course = []
    for overflow in (0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1):
        out = update(scale, ms.Tensor(bool(overflow)))
        assert bool(out) == bool(overflow)
        course.append(float(scale.asnumpy()))
    assert course == [4096, 4096, 8192, 8192, 4096, 4096, 4096, 8192, 4096, 2048, 1024]
    assert int(update.cur_iter.asnumpy()) == 12
    assert int(update.last_overflow_iter.asnumpy()) == 11
    low = ms.Parameter(ms.Tensor(2.0), name="scale")
    for _ in range(3):
        update(low, True)
    assert float(low.asnumpy()) == 1.0


@pytest.mark.parametrize(
    "scale",
    [ms.Tensor(64.0), ms.Tensor([64.0]), "dynamic", "fixed"],
    ids=["0-d", "1-d", "dynamic", "fixed"],
)
def test_a_scaled_step_is_the_plain_step(scale):
    if scale == "dynamic":
        scale = nn.DynamicLossScaleUpdateCell(64, 2, 100)
    elif scale == "fixed":
        scale = nn.FixedLossScaleUpdateCell(64.0)
    net = dense()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, scale)
    loss, overflow, used = step(*data())
    assert float(loss.asnumpy()) == 9.0
    assert not bool(overflow)
    assert float(used.asnumpy().reshape(())) == 64.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-6)


def test_a_step_that_overflows_is_left_out():
    net = dense()
    opt = nn.Adam(net.trainable_params(), 0.1)
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), opt, nn.DynamicLossScaleUpdateCell(64, 2, 100)
    )
    step(*data())
    before = [p.asnumpy().copy() for p in opt.get_parameters()]
    loss, overflow, used = step(ms.Tensor([[float("inf"), 1.0]]), ms.Tensor(Y))
    assert bool(overflow)
    assert float(used.asnumpy()) == 64.0
    assert float(step.scale_sense.asnumpy()) == 32.0
    assert not np.isfinite(float(loss.asnumpy()))
    for old, p in zip(before, opt.get_parameters(), strict=True):
        np.testing.assert_array_equal(old, p.asnumpy())


def test_small_gradients_survive_float16_by_the_scale():
    def trained(scale):
        net = dense().to_float(ms.float16)
        opt = nn.SGD(net.trainable_params(), 1.0)
        tiny = ms.Tensor([[1e-6, 1e-6]])
        cell = nn.WithLossCell(net, lambda out, label: (out * label).sum())
        step = nn.TrainOneStepWithLossScaleCell(cell, opt, ms.Tensor(scale))
        step(tiny, ms.Tensor([[1e-4]]))
        return 1.0 - net.weight.asnumpy()[0, 0]

    assert trained(1.0) == 0.0  # 1e-10 is below float16
    assert trained(2.0**14) == pytest.approx(1e-10, abs=1e-7)


def test_the_tools_for_a_scaled_step_of_ones_own():
    class Step(nn.TrainOneStepWithLossScaleCell):
        def construct(self, x, label):
            loss = self.network(x, label)
            scale = self.scale_sense.value()
            status, scale = self.start_overflow_check(loss, scale)
            filled = ops.ones_like(loss) * scale.astype(loss.dtype)
            grads = self.grad(self.network, self.weights)(x, label, filled)
            grads = tuple(g / scale for g in grads)
            overflow = self.get_overflow_status(status, self.grad_reducer(grads))
            if not self.process_loss_scale(overflow):
                self.optimizer(grads)
            return loss, overflow, scale

    net = dense()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = Step(nn.WithLossCell(net, nn.MSELoss()), opt, nn.DynamicLossScaleUpdateCell(64, 2, 100))
    step(*data())
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-6)
    step.set_sense_scale(ms.Tensor(16.0))
    assert float(step.scale_sense.asnumpy()) == 16.0
    with pytest.raises(TypeError, match="'sens' must be Tensor"):
        step.set_sense_scale(3.0)
    with pytest.raises(ValueError, match="shape"):
        step.set_sense_scale(ms.Tensor([3.0, 4.0]))
