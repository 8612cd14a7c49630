"""How many operations a step takes, and which share of the device's peak that is."""

from __future__ import annotations

import pytest
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

import agar as ms
from agar import nn
from agar.train import FlopsUtilizationCollector


class Failing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(10, 5)

    def construct(self, x):
        raise OSError("no step")


def _trained(net, collector, steps=4):
    rows = [(ms.ops.ones((32, 10)), ms.ops.zeros((32, 5)))] * steps
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(1, rows, callbacks=[collector])


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_operations_of_a_dense_layer(mode, capsys):
    ms.set_context(mode=mode)
    collector = FlopsUtilizationCollector(2, computility=1e12)
    _trained(nn.Dense(10, 5), collector)
    assert collector.flops == 2 * (2 * 32 * 10 * 5)  # forward, and by the weight
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("Full model flops is 6400, Full hardware flops is 6400, Shard")
    assert len(others) == 2
    assert all(line.startswith("Train per step time: ") and "% hfu:" in line for line in others)


def test_numbers_of_this_process(capsys):
    _trained(nn.Dense(10, 5), FlopsUtilizationCollector(9, full_flops=False), 1)
    expected = "Shard model flops is 6400, Shard hardware flops is 6400.\n"
    assert capsys.readouterr().out == expected


def test_a_step_that_fails_leaves_no_counter_behind():
    with pytest.raises(OSError, match="no step"):
        _trained(Failing(), FlopsUtilizationCollector(1))
    assert not _get_current_dispatch_mode_stack()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"data_size": 0}, ValueError),
        ({"data_size": 1.5}, TypeError),
        ({"computility": 0}, ValueError),
        ({"computility": "1"}, TypeError),
        ({"full_flops": 1}, TypeError),
        ({"enable_ma_collector": True}, NotImplementedError),
    ],
)
def test_arguments_that_do_not_fit(options, error):
    with pytest.raises(error, match=next(iter(options))):
        FlopsUtilizationCollector(**{"data_size": 1, **options})
