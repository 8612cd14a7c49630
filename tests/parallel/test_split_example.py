"""The example of tensor parallel: processes communicate, and have the losses of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from communication import several

PROGRAM = str(Path(__file__).parents[2] / "examples" / "tensor_parallel.py")
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")


@pytest.mark.slow
def test_losses_of_one_process(tmp_path):
    (one,) = several.run(PROGRAM, 1, tmp_path, preload=MODULES)
    assert one["sent"] == 0
    assert one["losses"][-1] < 0.5 * one["losses"][0]
    for found in several.run(PROGRAM, 2, tmp_path, preload=MODULES):
        assert found["sent"] > 0
        assert found["bytes"] < 0.52 * one["bytes"]  # the norm is whole
        np.testing.assert_allclose(found["losses"], one["losses"], rtol=0, atol=1e-5)
