"""What holds for every test and every doctest: threads, warnings, seeds and the state put back.

It stands at the root because the doctests under src/ need it as much as tests/ does.
"""

from __future__ import annotations

import os

# One thread for each worker: two workers with two threads each would fight for the cores, and the
# order of sums would depend on the machine. Set before anything imports a BLAS or OpenMP.
for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

# What a plan that another test left had won would decide which plans are tried.
os.environ.setdefault("AGAR_PLAN_HINTS", "0")

#: AGAR_TEST_MODE=graph runs the tests in GRAPH_MODE: the same programs, the same figures.
GRAPH_MODE = os.environ.get("AGAR_TEST_MODE") == "graph"
if GRAPH_MODE:  # every so many replayed calls are compared with a run as Python
    os.environ.setdefault("AGAR_AUDIT", "5")

#: AGAR_TEST_DEVICE=GPU runs the tests with new tensors on that device.
DEVICE = os.environ.get("AGAR_TEST_DEVICE", "CPU")

import gc

# What is collected lives as long as the tests: to look through it again and again costs seconds.
gc.disable()

import logging
import random
import sys
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import torch

import agar
from agar import alias
from agar._core.context import reset_context, set_context
from agar._core.random import (
    _parse_snapshot,
    _restore,
    get_all_state,
    set_unseeded_channel_dropout,
)
from agar._core.runtime import thread
from agar.context import reset_auto_parallel_context

torch.set_num_threads(1)

# pytest puts its handlers on every logger that does not propagate, at three points of each test,
# and torch has fifty of them. What they say reaches the handlers at the root as well.
for _logger in list(logging.root.manager.loggerDict.values()):
    if isinstance(_logger, logging.Logger) and _logger.name.startswith("torch"):
        _logger.propagate = True

hypothesis.settings.register_profile(
    "agar",
    derandomize=True,  # the same examples in every run
    database=None,
    deadline=None,  # no test depends on the clock
    max_examples=25,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
# for a search that CI has no time for: HYPOTHESIS_PROFILE=thorough
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "agar"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave helpers out: to look for doctests in a program that tests start would be to run it."""
    if collection_path.suffix != ".py" or collection_path.name.startswith(("test_", "conftest")):
        return None
    return collection_path.is_relative_to(config.rootpath / "tests") or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a CUDA device where there is none, and leave out what asks about a mode."""
    if GRAPH_MODE:
        left_out = [item for item in items if item.get_closest_marker("pynative")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("pynative")]
        quiet = pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
        for item in items:  # that a call stays eager is no failure of what these tests are about
            item.add_marker(quiet)
    if torch.cuda.is_available():
        return
    skip = pytest.mark.skip(reason="needs a CUDA device, and torch sees none here")
    for item in items:
        if item.get_closest_marker("gpu"):  # keywords hold the names of folders too
            item.add_marker(skip)


class _Sight:
    """What the garbage collector need not look at.

    With forty thousand tests and all their modules alive, one gc.collect() took half a second, and
    many tests call it.
    """

    modules = tests = 0

    def free(self) -> None:
        """Take what is alive out of the collector's sight."""
        gc.collect()
        gc.freeze()
        self.modules, self.tests = len(sys.modules), 0

    def test_ended(self) -> None:
        """The compiler alone brings two thousand modules, and each test leaves reports."""
        self.tests += 1
        if self.tests == 1000 or len(sys.modules) > self.modules + 50:
            self.free()


_sight = _Sight()


def pytest_collection_finish() -> None:
    """Take what was collected out of the garbage collector's sight."""
    _sight.free()
    gc.enable()


def pytest_runtest_logfinish() -> None:
    """Take there what tests have loaded and left."""
    _sight.test_ended()


def _is_news(name: str, data: dict[str, Any] | None = None) -> bool:
    """Whether the process that counts the results of pytest-xdist's workers does anything with it.

    Each test sends it six messages, and it has to read them on the cores that the tests run on: one
    in three is a test's result, the others say that it begins, that its fixtures were made, and so
    on, a thirtieth of the time of all tests.
    """
    if name in ("logstart", "logfinish"):
        return False
    if name == "testreport" and data is not None:
        return data["when"] == "call" or data["outcome"] != "passed" or bool(data["sections"])
    return True


def pytest_configure(config: pytest.Config) -> None:
    """Send from a worker of pytest-xdist what is news."""
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            send = plugin.sendevent
            plugin.sendevent = lambda name, send=send, **values: (
                send(name, **values) if _is_news(name, values.get("data")) else None
            )


#: Fresh seeds, as in a new process; read once, as each test goes back to them twice.
FRESH = _parse_snapshot(get_all_state())
#: The seed of pipelines that have none.
UNSEEDED = 5489


def _undo_alias() -> None:
    """Undo `agar.alias_mindspore`, which renames classes and is meant to last for a process."""
    if alias._finder not in sys.meta_path and not alias._renamed and "mindspore" not in sys.modules:
        return  # the list of modules is long, and this runs twice for each test
    if alias._finder in sys.meta_path:
        sys.meta_path.remove(alias._finder)
    for name in list(sys.modules):  # a copy: a thread may import something meanwhile
        if name.split(".")[0] == "mindspore":
            del sys.modules[name]
    for name in alias._renamed:
        for value in vars(sys.modules[name]).values():
            if isinstance(value, type) and value.__module__.split(".")[0] == "mindspore":
                value.__module__ = "agar" + value.__module__.removeprefix("mindspore")
    alias._renamed.clear()


def _seed_torch() -> None:
    """Do what torch.manual_seed(0) does, a hundred times as fast on a machine without a device.

    There, torch.manual_seed formats the call stack for each kind of device that may come, and keeps
    it: that was a third of the time of all tests.
    """
    torch.default_generator.manual_seed(0)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(0)


def _reset() -> None:
    """Give process-wide state the values of a fresh process."""
    _undo_alias()
    reset_context()
    reset_auto_parallel_context()
    set_unseeded_channel_dropout(False)
    pipelines = sys.modules.get("agar.dataset.core.config")
    if pipelines is not None and pipelines.get_seed() != UNSEEDED:
        pipelines._take_seed(UNSEEDED)
    random.seed(0)  # not entropy, as those of a new process are
    np.random.seed(0)
    _restore(FRESH, ())
    _seed_torch()
    torch.set_num_threads(1)
    torch.set_grad_enabled(True)
    if DEVICE != "CPU":
        set_context(device_target=DEVICE)
        torch.backends.cudnn.allow_tf32 = False  # the tests' tolerances are those of float32
    if GRAPH_MODE:
        set_context(mode=0)


@pytest.fixture(autouse=True)
def examples_of_declarations(doctest_namespace):
    """Examples in operators' declarations leave their import out, see `agar.ops.spec`."""
    doctest_namespace["ms"] = agar


@pytest.fixture(autouse=True)
def fresh_state():
    """Every test begins with a fresh context and fresh seeds, and leaves no trace for the next."""
    _reset()
    yield
    left = [name for name in ("grad_depth", "grad_scopes", "precision") if getattr(thread, name)]
    thread.__init__()
    _reset()
    for part in ("arguments", "settings"):
        if f"agar.compat.legacy.{part}" in sys.modules:  # an alias was made, for the whole process
            sys.modules[f"agar.compat.legacy.{part}"].uninstall()
    assert not left, f"the test left scopes open: {left}"
