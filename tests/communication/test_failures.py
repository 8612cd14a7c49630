"""Processes that die, hang or never come are errors that name the rank, group and collective."""

from __future__ import annotations

from datetime import timedelta

import pytest
import torch.distributed as dist

import forked
from agar import communication as comm
from communication import several


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "size", "seconds", "reason"),
    [
        ("kill", 4, 5.0, "another process of the group has ended"),
        ("stop", 4, 7.0, "no answer came within the timeout of 2 s"),
        ("message", 2, 5.0, "another process of the group has ended"),
        ("steps", 4, 5.0, "another process of the group has ended"),
    ],
)
def test_every_process_hears_of_a_lost_one(tmp_path, kind, size, seconds, reason):
    """Also those that wait for a process that has not died; survivors keep running meanwhile."""
    result = several.run("failures.py", size, tmp_path, kind, killed=size - 1, timeout=60)
    what = {"message": "receive", "steps": "all_reduce of gradients"}.get(kind, "all_reduce")
    texts = []
    for rank, results in enumerate(result[:-1]):
        took, text = results["first"]
        assert took < seconds
        where = f"'{what}' in the process {rank}, in the group 'hccl_world_group' of "
        assert text.startswith(f"RuntimeError: {where}{list(range(size))}, failed: ")
        assert "Read what the other processes wrote" in text
        texts.append(text)
        took, text = results["again"]
        assert took < 0.5
        assert text.startswith(
            "RuntimeError: 'all_gather' cannot run, because the group was closed"
        )
        assert results["rank"] == [rank, size]  # not those of a program of one process
        if size > 2 and results["group"]:
            assert "'all_reduce' cannot run" in results["group"][1]
    assert any(reason in text for text in texts)


def test_a_program_that_fails_does_not_wait_for_its_collectives(tmp_path):
    """The other process waits for this one, which has begun a sum that the other never calls."""
    store = dist.TCPStore("127.0.0.1", 0, 3, True, timedelta(seconds=30), False)
    program = """
import agar as ms
import agar.mint.distributed as dist
from agar import communication as comm
comm.init(timeout=100)
x = ms.Tensor([1.0])
if comm.get_rank():
    dist.recv(x, 0)
handle = dist.all_reduce(x, async_op=True)
raise ZeroDivisionError("a mistake")
"""
    started = [
        forked.start(program, env=several.environment_of(rank, 2, store), cwd=tmp_path)
        for rank in range(2)
    ]
    try:
        assert [process.wait(60) for process in started] == [1, 1]
    finally:
        for process in started:
            process.kill()
    assert "ZeroDivisionError: a mistake" in started[0].texts[1]
    assert "another process of the group has ended" in started[1].texts[1]


@pytest.mark.slow
def test_processes_that_do_not_come():
    store = dist.TCPStore("127.0.0.1", 0, 2, True, timedelta(seconds=30), False)
    program = """
from agar import communication as comm
try:
    comm.init(timeout=1)
except RuntimeError as error:
    print(error)
"""
    ended = forked.run(program, env=several.environment_of(1, 2, store), timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert f"The process 1 of 2 did not meet the others at 127.0.0.1:{store.port}" in ended.stdout
    assert "within the timeout of 1 s" in ended.stdout


@pytest.mark.parametrize(
    ("timeout", "error"),
    [("5", TypeError), (True, TypeError), (0, ValueError), (timedelta(seconds=-1), ValueError)],
)
def test_wrong_timeouts(timeout, error):
    with pytest.raises(error, match="the 'timeout' must be"):
        comm.init(timeout=timeout)
