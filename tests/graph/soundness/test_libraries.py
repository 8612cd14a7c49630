"""Programs of objects that agar, torch and numpy make or read, and that the program changes."""

from __future__ import annotations

import collections
import copy
import string
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops
from agar.common import initializer
from agar.dataset import transforms, vision
from graph.soundness.attacks import Net, Plain, Programs, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
IMAGE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


def library(name: str, make: Any, read: Any, *changes: Any) -> None:
    """A program that changes an object of a library, by one change after four calls each."""

    def held(run: Run) -> Iterator[Any]:
        value = make()
        call = run(lambda x: x * float(np.asarray(read(value)).sum()))
        for i in range(4 * (len(changes) + 1)):
            if i and i % 4 == 0:
                changes[i // 4 - 1](value)
            yield attempt(call, t())

    def passed(run: Run) -> Iterator[Any]:
        value = make()
        call = run(lambda x, v: x * float(np.asarray(read(v)).sum()))
        for i in range(4 * (len(changes) + 1)):
            if i and i % 4 == 0:
                changes[i // 4 - 1](value)
            yield attempt(call, t(), value)

    def attribute(run: Run) -> Iterator[Any]:
        value = make()
        net = Net(lambda s, x: x * float(np.asarray(read(s.value)).sum()), value=value)
        call = run(net)
        for i in range(4 * (len(changes) + 1)):
            if i and i % 4 == 0:
                changes[i // 4 - 1](value)
            yield attempt(call, t())

    for function in (held, passed, attribute):
        function.__name__ = f"{name}_{function.__name__}"
        ROWS.ordinary()(function)


def put(name: str, value: Any) -> Any:
    return lambda held: setattr(held, name, value)


class OwnCrop(vision.CenterCrop):
    """A transform of the program's."""


class OwnMetric(ms.train.Accuracy):
    """A metric of the program's."""


class OwnDistribution(torch.distributions.Normal):
    """A distribution of the program's."""


class OwnModule(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.k = 2.0
        self.table = {"a": [1.0]}

    def forward(self) -> float:
        return self.k + self.table["a"][0]


class OwnTemplate(string.Template):
    """A template of the program's."""


class OwnList(collections.UserList):
    """A list of the program's."""


class OwnParameter(ms.Parameter):
    """A parameter of the program's."""

    k = 2.0


class OwnTensor(Tensor):
    k = 2.0


class OwnArray(np.ndarray):
    k = 2.0


class OwnSchedule(nn.learning_rate_schedule.LearningRateSchedule):
    def __init__(self) -> None:
        super().__init__()
        self.rates = [0.5, 0.25]

    def construct(self, step: Any) -> Any:
        return self.rates[0]


library("crop_of_agar", lambda: vision.CenterCrop((2, 2)), lambda c: c(IMAGE), put("size", (1, 1)))
library("crop_of_the_program", lambda: OwnCrop((2, 2)), lambda c: c(IMAGE), put("size", (1, 1)))
library(
    "transforms_in_a_list",
    lambda: transforms.Compose([vision.Invert()]),
    lambda c: c(IMAGE),
    lambda c: c.transforms.append(vision.Invert()),
    lambda c: c.transforms.clear(),
)
library(
    "type_of_a_transform",
    lambda: transforms.TypeCast(np.float32),
    lambda c: c(IMAGE).itemsize,
    put("data_type", np.dtype(np.float64)),
)
library(
    "initializer_of_agar",
    lambda: initializer.Constant(2.0),
    lambda c: c.value,
    put("value", 3.0),
)
library(
    "distribution_of_torch",
    lambda: torch.distributions.Normal(torch.tensor(1.0), torch.tensor(2.0)),
    lambda d: d.mean + d.log_prob(torch.tensor(1.0)),
    put("loc", torch.tensor(3.0)),
    lambda d: d.scale.fill_(7.0),
)
library(
    "distribution_of_the_program",
    lambda: OwnDistribution(1.0, 2.0),
    lambda d: d.mean + d.variance,
    put("loc", torch.tensor(3.0)),
    put("scale", torch.tensor(5.0)),
)
library(
    "module_of_the_program",
    OwnModule,
    lambda m: m(),
    put("k", 3.0),
    lambda m: m.table["a"].append(1.0) or m.table["a"].__setitem__(0, 4.0),
)
library(
    "metric_of_the_program",
    lambda: _cleared(OwnMetric("classification")),
    lambda m: m._total_num + 1,
    put("_total_num", 3),
)
library(
    "template_of_the_program",
    lambda: OwnTemplate("a$b"),
    lambda s: len(s.substitute(b="cd")),
    put("template", "longer$b"),
)
library(
    "list_of_the_program",
    lambda: OwnList([1.0, 2.0]),
    sum,
    lambda v: v.append(3.0),
    put("data", [9.0]),
)
library(
    "parameter_of_the_program",
    lambda: OwnParameter(t(1, 2), name="own"),
    lambda p: p.k,
    put("k", 3.0),
    lambda p: setattr(OwnParameter, "k", 2.0) or delattr(p, "k"),
)
library(
    "tensor_of_the_program",
    lambda: OwnTensor([1.0]),
    lambda v: v.k,
    put("k", 3.0),
)
library(
    "array_of_the_program",
    lambda: np.ones(2).view(OwnArray),
    lambda a: a.k + a.sum(),
    put("k", 3.0),
    lambda a: a.fill(4.0),
)
library(
    "array_by_an_object",
    lambda: Plain(__array_interface__=np.ones(2).__array_interface__, kept=np.ones(2)),
    lambda o: 1.0 if o is None else 2.0,
    put("other", 3.0),
)
library(
    "primitive_with_settings",
    lambda: ops.ReduceSum(keep_dims=False),
    lambda p: p(Tensor([[1.0, 2.0]]), 1).ndim,
    put("keep_dims", True),
)
library(
    "number_format_of_numpy",
    lambda: np.poly1d([1.0, 2.0]),
    lambda p: p(2.0),
    lambda p: p.coeffs.__setitem__(0, 5.0),
)
library(
    "polynomial_of_numpy",
    lambda: np.polynomial.Polynomial([1.0, 2.0]),
    lambda p: p(2.0),
    lambda p: p.coef.__setitem__(0, 5.0),
    put("coef", np.array([7.0])),
)
library(
    "vectorized_function_of_numpy",
    lambda: np.vectorize(lambda v: v * 2),
    lambda f: f(np.ones(2)),
    put("pyfunc", lambda v: v * 3),
)
library(
    "limits_of_a_type",
    lambda: types.SimpleNamespace(info=np.finfo(np.float32)),
    lambda h: h.info.bits,
    lambda h: setattr(h, "info", np.finfo(np.float64)),
)


def _cleared(metric: Any) -> Any:
    metric.clear()
    return metric


@ROWS.replayed()
def schedule_of_the_program(run: Run) -> Iterator[Any]:
    schedule = OwnSchedule()
    net = nn.Dense(2, 1, weight_init="ones")
    optimizer = nn.SGD(net.trainable_params(), schedule)
    solve = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)

    def step(x: Any) -> Any:
        loss, grads = solve(x)
        optimizer(grads)
        return loss

    call = run(step)
    for i in range(10):
        if i == 5:
            schedule.rates[0] = 0.125
        yield attempt(call, t(1, 2).reshape(1, 2)), net.weight


def named(name: str) -> None:
    """A program whose numpy function bears the name of one of the engine's."""

    def run_it(run: Run) -> Iterator[Any]:
        def host(*given: Any) -> Any:
            return np.asarray(given[0]) * 2

        host.__name__ = name
        twice = ms.numpy_function(host)
        call = run(lambda x: twice(x) + 1)
        for i in range(60):
            yield attempt(call, Tensor(np.arange(2 + i * 7 % 23, dtype=np.float32)))

    run_it.__name__ = f"numpy_function_named{name}"
    ROWS.ordinary()(run_it)


for _name in ("_draw", "_rate_at", "packed_forward", "_keep_and_factors_of"):
    named(_name)


@ROWS.replayed()
def warnings_of_numpy_become_errors(run: Run) -> Iterator[Any]:
    import warnings

    zero = np.float64(0.0)
    call = run(lambda x: x * float(np.float64(1.0) / (zero + 1)))
    for i in range(8):
        with warnings.catch_warnings():
            warnings.simplefilter("error" if i >= 4 else "ignore")
            yield attempt(call, t())


@ROWS.replayed()
def settings_of_an_optimizer_of_agar(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 1, weight_init="ones")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=0.1)
    solve = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)

    def step(x: Any) -> Any:
        loss, grads = solve(x)
        optimizer(grads)
        return loss

    call = run(step)
    for i in range(16):
        if i == 4:
            ops.assign(optimizer.momentum, 0.5)
        if i == 8:
            optimizer.learning_rate.set_data(Tensor(0.5))
        if i == 12:
            optimizer.use_nesterov = True
        yield attempt(call, t(1, 2).reshape(1, 2)), net.weight


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_libraries(program: Any, quiet: bool) -> None:
    check(program, quiet)


def copies_of_a_list(run: Run) -> Iterator[Any]:
    held = [1.0, 2.0]
    call = run(lambda x: x * copy.deepcopy(held)[1])
    for i in range(8):
        held[1] = float(2 + i // 4)
        yield attempt(call, t())


def test_copies_beside_classes_of_c_that_can_be_pickled():
    pytest.importorskip("scipy.fft")  # its uarray writes into copyreg.dispatch_table
    check(copies_of_a_list, quiet=True)
