"""The garbage collector rests in blocks that may overlap, and comes back as it was."""

from __future__ import annotations

import gc
import os
import threading

import pytest

from agar._core.gc_pause import Pause, collector_at_rest


@pytest.fixture(autouse=True)
def _as_it_was():
    was_on = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_on else gc.disable)()


def test_blocks_overlap() -> None:
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with collector_at_rest():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=other)
    with collector_at_rest():
        assert not gc.isenabled()
        thread.start()
        entered.wait()
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    with collector_at_rest():
        pass
    assert not gc.isenabled()


def test_errors_end_a_block() -> None:
    with pytest.raises(ValueError, match="no"), collector_at_rest():
        raise ValueError("no")
    assert gc.isenabled()


def test_an_object_holds_it_as_long_as_it_lives() -> None:
    pause = Pause()
    assert not gc.isenabled()
    del pause
    assert gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_collects_again() -> None:
    with collector_at_rest():
        child = os.fork()
        if child == 0:
            on = gc.isenabled()
            with collector_at_rest():
                off = not gc.isenabled()
            os._exit(0 if on and off and gc.isenabled() else 1)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
