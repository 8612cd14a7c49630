"""parameter_broadcast: each part comes from the process that has it."""

from __future__ import annotations

import importlib
import re

import pytest

import agar as ms
from agar import nn
from agar.parallel import parameter_broadcast
from communication import several


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    program = several.HERE.parent / "parallel" / "broadcast_parameters.py"
    return several.run(program, 4, tmp_path_factory.mktemp("four"), timeout=240)


@pytest.mark.slow
def test_the_first_process_has_the_parameters(four):
    for rank, item in enumerate(four):
        assert item["all"] == [0, 1, 2, 3]
        # a, c and d of the processes 0, 1 and 2; b stays
        assert item["dealt out"] == [0, 10 * rank + 1, 12, 23]
        assert item["unchanged"] == [10 * rank + n for n in range(4)]
        assert item["stages"] == [20 * (rank // 2) + n for n in range(4)]


@pytest.mark.slow
def test_parts_come_from_processes_with_the_same_part(four):
    # the first part is with the processes 0 and 2, the second with 1 and 3
    assert [item["split"] for item in four] == [0, 1, 0, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("not as it lies", "ValueError: .* splits it into \\(1, 1\\) parts, but .* \\(2, 2\\)"),
        ("without a layout", "ValueError: .*'a' is split over processes, and 'layout' does not"),
        ("split in the layout alone", "ValueError: .*splits it into \\(2, 1\\) parts, but"),
        ("unknown", "ValueError: .*the network has no parameter 'z'"),
        ("devices", "ValueError: .*over 2 devices, but the stage has 4 processes"),
        ("entry", "ValueError: .*the layout of 'a': it must begin with a device matrix"),
        ("group", "ValueError: .*the layout of 'a': an optimizer's group splits it"),
        ("rank", "ValueError: .*'cur_rank' must be the rank of this process"),
        ("first", "ValueError: .*'initial_rank' must be the first rank"),
    ],
)
def test_what_would_be_wrong_raises(four, name, error):
    for item in four:
        assert re.match(error, item[name])


def test_one_process_sends_nothing():
    net = nn.Dense(2, 1)
    parameter_broadcast(net, {"nobody": [[1], [-1]]}, 3)
    for wrong in ((3, {}), (net, [1]), (net, {}, 0.5)):
        with pytest.raises(TypeError, match="parameter_broadcast"):
            parameter_broadcast(*wrong)


def test_paths():
    module = importlib.import_module("agar.parallel.parameter_broadcast")
    assert module.parameter_broadcast is ms.parallel.parameter_broadcast is ms.parameter_broadcast
    module = importlib.import_module("agar.parallel.function.reshard_func")
    assert module.reshard is ms.ops.reshard is ms.parallel.function.reshard
