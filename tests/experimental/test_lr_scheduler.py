"""Schedulers: the rates recorded from MindSpore 2.10, PyTorch's, and errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar.experimental import optim
from agar.experimental.optim import lr_scheduler as S

FILE = Path(__file__).resolve().parent.parent / "data" / "oracle" / "lr_scheduler.json"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def _optimizer():
    own = [ms.Parameter(ms.Tensor([1.0]), name=name) for name in "ab"]
    return optim.SGD([{"params": [own[0]], "lr": 0.2}, {"params": [own[1]]}], lr=0.05)


@pytest.mark.parametrize("name", RECORDED["cases"])
def test_rates_are_those_recorded(name):
    case = RECORDED["cases"][name]
    scheduler = eval(case["make"], {"S": S, "o": _optimizer()})
    rates = [scheduler.get_last_lr()]
    for i in range(10):
        if "Plateau" in name:
            scheduler.step(RECORDED["metrics"][i])
        elif name.startswith("epoch-"):
            scheduler.step((i * 3) % 7)
        else:
            scheduler.step()
        rates.append(scheduler.get_last_lr())
    items = [[float(rate) for rate in row] for row in rates]
    # a product of ten float32 numbers, and cosines near their zero
    np.testing.assert_allclose(items, case["rates"], rtol=2e-6, atol=2e-7)


TWINS = {
    "StepLR": {"step_size": 3, "gamma": 0.5},
    "MultiStepLR": {"milestones": [2, 5, 5], "gamma": 0.5},
    "CosineAnnealingLR": {"T_max": 3, "eta_min": 0.01},
    "CosineAnnealingWarmRestarts": {"T_0": 2, "T_mult": 2, "eta_min": 0.01},
    "PolynomialLR": {"total_iters": 6, "power": 2.0},
    "ReduceLROnPlateau": {"factor": 0.5, "patience": 1, "cooldown": 1},
}


@pytest.mark.filterwarnings("ignore:.*lr_scheduler.step.*:UserWarning")
@pytest.mark.parametrize("name", TWINS)
def test_rates_are_those_of_pytorch(name):
    own = optim.SGD([ms.Parameter(ms.Tensor([1.0]), name="w")], lr=0.2)
    other = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.2)
    scheduler = getattr(S, name)(own, **TWINS[name])
    twin = getattr(torch.optim.lr_scheduler, name)(other, **TWINS[name])
    for i in range(12):
        metric = (RECORDED["metrics"][i % 10],) if "Plateau" in name else ()
        scheduler.step(*metric)
        twin.step(*metric)
        number = float(scheduler.get_last_lr()[0])
        np.testing.assert_allclose(number, other.param_groups[0]["lr"], rtol=2e-5, atol=2e-7)


def test_warm_restarts_go_to_any_step():
    scheduler = S.CosineAnnealingWarmRestarts(_optimizer(), 2, T_mult=2)
    for epoch, rate in ((0, 0.2), (1, 0.1), (2, 0.2), (4, 0.1), (6, 0.2), (10, 0.1)):
        scheduler.step(epoch)
        np.testing.assert_allclose(float(scheduler.get_last_lr()[0]), rate, rtol=1e-6)
    with pytest.raises(ValueError, match="non-negative"):
        scheduler.step(-1)


def test_milestones_can_be_jumped_to():
    scheduler = S.MultiStepLR(_optimizer(), [2, 5], gamma=0.5)
    for epoch, rate in ((6, 0.05), (2, 0.1), (0, 0.2)):
        scheduler.step(epoch)
        np.testing.assert_allclose(float(scheduler.get_last_lr()[0]), rate, rtol=1e-6)


def test_a_scheduler_of_ones_own():
    class Constant(S.LRScheduler):
        def get_lr(self):
            return [self.last_epoch * 0.5 + base for base in self.base_lrs]

    opt = _optimizer()
    scheduler = Constant(opt)
    scheduler.step()
    assert [round(float(group["lr"]), 5) for group in opt.param_groups] == [0.7, 0.55]
    later = Constant(opt, last_epoch=3)
    assert float(later.last_epoch) == 4.0


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda o: S.LRScheduler(o.parameters), TypeError, "not an Optimizer"),
        (lambda o: S.LRScheduler(o), NotImplementedError, "get_lr"),
        (lambda o: S.StepLR(o, 2, last_epoch=-2), ValueError, "last_epoch"),
        (lambda o: S.StepLR(o, 2, last_epoch=1), KeyError, "initial_lr"),
        (lambda o: S.StepLR(o, 2.0), TypeError, "step_size"),
        (lambda o: S.StepLR(o, 2, gamma=1), TypeError, "gamma"),
        (lambda o: S.LinearLR(o, start_factor=0.0), ValueError, "Starting"),
        (lambda o: S.LinearLR(o, end_factor=2.0), ValueError, "Ending"),
        (lambda o: S.PolynomialLR(o, power=-1.0), ValueError, "power"),
        (lambda o: S.LambdaLR(o, [abs]), ValueError, "lr_lambdas"),
        (lambda o: S.MultiplicativeLR(o, [abs]), ValueError, "lr_lambdas"),
        (lambda o: S.MultiStepLR(o, (1, 2)), TypeError, "milestones"),
        (lambda o: S.ConstantLR(o, factor=2.0), ValueError, "Constant"),
        (lambda o: S.SequentialLR(o, [S.ConstantLR(o)], [1]), ValueError, "milestone"),
        (lambda o: S.SequentialLR(o, [S.ConstantLR(_optimizer())], []), ValueError, "same"),
        (lambda o: S.ReduceLROnPlateau(o, factor=1.0), ValueError, "factor"),
        (lambda o: S.ReduceLROnPlateau(o, mode="least"), ValueError, "mode"),
        (lambda o: S.ReduceLROnPlateau(o, min_lr=[0.1]), ValueError, "min_lrs"),
        (lambda o: S.CyclicLR(o, 0.1, 0.2, mode="square"), ValueError, "mode"),
        (lambda o: S.CyclicLR(o, [0.1], 0.2), ValueError, "base_lr"),
        (lambda o: S.CosineAnnealingWarmRestarts(o, 0), ValueError, "T_0"),
        (lambda o: S.CosineAnnealingLR(o, 2.5), TypeError, "T_max"),
    ],
)
def test_what_cannot_be_is_refused(make, kind, message):
    with pytest.raises(kind, match=message):
        make(_optimizer())
