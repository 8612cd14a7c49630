"""A pipeline of which a process is killed goes on, and ends with the same bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agar as ms
import forked
from communication import several

COMMAND = "from agar import cli; cli.main()"
PROGRAM = Path(__file__).parent / "pipeline_training.py"


def left_in(folder):
    """What the stages have in the end."""
    return [ms.load_checkpoint(str(folder / f"stage_{rank}.ckpt")) for rank in range(2)]


def number(value):
    return value.asnumpy()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Of a run in which nothing happens."""
    folder = tmp_path_factory.mktemp("whole")
    _store, each = several.environments(2)
    first = {"TORCHELASTIC_RESTART_COUNT": "0"}
    started = [
        forked.start(
            PROGRAM, str(folder), "0", env=env | first, preload=("torch.distributed.pipelining",)
        )
        for env in each
    ]
    codes = [process.wait() for process in started]
    assert codes == [0, 0], [process.texts[1][-3000:] for process in started]
    return left_in(folder)


@pytest.mark.slow
def test_a_killed_stage_goes_on_with_the_same_bits(whole, tmp_path):
    ended = forked.run(
        COMMAND,
        *("msrun", "--worker_num=2", "--local_worker_num=2", "--master_port=0", "--join=True"),
        *(f"--log_dir={tmp_path}", "--max_restarts=1", "--tail_worker_log=0"),
        *(str(PROGRAM), str(tmp_path), "5"),
        timeout=200,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert (tmp_path / "worker_0.restart1.log").exists()
    killed = left_in(tmp_path)
    for expected, found in zip(whole, killed, strict=True):
        assert expected.keys() == found.keys()
        for name in expected:
            np.testing.assert_array_equal(number(found[name]), number(expected[name]))


@pytest.mark.slow
def test_checkpoints_of_stages_are_a_whole_one(whole):
    """Each has its own parameters, and one process loads them one after the other."""
    net = ms.nn.SequentialCell(
        ms.nn.SequentialCell(ms.nn.Dense(6, 8), ms.nn.BatchNorm1d(8), ms.nn.ReLU()),
        ms.nn.SequentialCell(ms.nn.Dropout(p=0.3), ms.nn.Dense(8, 1)),
    )
    inside = net.parameters_dict()
    names = [part.keys() & inside.keys() for part in whole]
    assert not names[0] & names[1]
    assert names[0] | names[1] == inside.keys()
    assert any("moment1" in name for name in whole[0])
    for part in whole:
        ms.load_param_into_net(net, part)
    for part, own in zip(whole, names, strict=True):
        for name in own:
            np.testing.assert_array_equal(number(inside[name]), number(part[name]))
