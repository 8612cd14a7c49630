"""Programs of MindSpore's tutorials on four processes communicate, and are those of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from communication import several

PROGRAM = str(Path(__file__).parent / "tutorials.py")
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor", "torch.distributed.pipelining")
PROGRAMS = (
    "data_parallel",
    "model_data_parallel",
    "operator_parallel",
    "operator_parallel_by_layouts",
    "sharding_propagation",
    "optimizer_parallel",
    "optimizer_parallel_level_3",
    "recompute",
    "gradient_accumulation",
    "semi_auto_of_the_context",
    "pipeline_parallel",
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return several.run(PROGRAM, 1, tmp_path_factory.mktemp("one"), preload=MODULES)[0]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    where = tmp_path_factory.mktemp("four")
    return several.run(PROGRAM, 4, where, timeout=240, preload=MODULES, finalizes=True)


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("program", PROGRAMS)
def test_processes_are_one(one, four, program, mode):
    key = f"{program} {mode}"
    assert one[key]["messages"] == 0
    for found in (parts[key] for parts in four):
        assert found["messages"] > 0
        np.testing.assert_allclose(found["losses"], one[key]["losses"], rtol=0, atol=1e-5)
        for name, values in found["parameters"].items():
            np.testing.assert_allclose(values, one[key]["parameters"][name], rtol=0, atol=1e-5)
    names = set().union(*(parts[key]["parameters"] for parts in four))
    assert names == set(one[key]["parameters"])
