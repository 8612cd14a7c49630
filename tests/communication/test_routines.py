"""Steps that repeat are not compared before, and what is none of them is an error as before."""

from __future__ import annotations

import pytest

from communication import several

MODES = ("pynative", "graph")
SIZE = 3
MEAN = 2.0  # of the gradients 1, 2 and 3
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    return several.run("routines.py", SIZE, tmp_path_factory.mktemp("three"))


def after(steps):
    return [1 - 0.5 * MEAN * steps] * 2


@pytest.mark.parametrize("mode", MODES)
def test_steps_that_repeat_are_compared_by_their_gradients(three, mode):
    """Two equal steps after the first; twice as many after an expectation that soon was wrong."""
    for found in three:
        counts = found[f"{mode} counts"]
        assert counts == [1, 1, 1, *[0] * 5, 1, 1, 1, 1, 0, 0]
        total, before, then = found[f"{mode} everyone"]
        assert total == [[6.0, 6.0]]
        assert (before, then) == (after(8), after(9))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "order",
            "ValueError: The processes of the group 'hccl_world_group' do not call the same "
            "collective on tensors of the same type and shape: process 0: all_reduce of gradients",
        ),
        ("rows", "ValueError: The processes train with different numbers of rows in one step: "),
        ("network", "process 2: comparison of parameters"),
    ],
)
def test_a_process_that_does_something_else(three, mode, name, words):
    """All raise the same as without an expectation, keep their parameters, and go on together."""
    for found in three:
        text, before, then = found[f"{mode} {name}"]
        assert words in text
        assert (before, then) == (after(6), after(7))


@pytest.mark.parametrize("mode", MODES)
def test_an_error_in_an_expected_step(three, mode):
    for rank, found in enumerate(three):
        text, before, then = found[f"{mode} error"]
        own = "ZeroDivisionError: a mistake"
        assert (own if rank == SIZE - 1 else "the step failed in another process") in text
        assert (before, then) == (after(6), after(7))
        text, before, then = found[f"{mode} both"]
        assert (own if rank == SIZE - 1 else "do not call the same collective") in text
        assert (before, then) == (after(6), after(7))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["inside pair", "inside world"])
def test_other_collectives_while_a_step_is_expected(three, mode, name):
    """Gradients that other processes have sent already are sent again."""
    for found in three:
        result, before, then = found[f"{mode} {name}"]
        assert not isinstance(result, str)
        assert (before, then) == (after(7), after(8))


@pytest.mark.parametrize("mode", MODES)
def test_what_stands_between_steps(three, mode):
    for found in three:
        assert found[f"{mode} begun"] == [after(7), after(8)]
        assert found[f"{mode} by turns"] == [after(9), after(10)]
        assert found[f"{mode} groups"] == [after(6), after(7)]
