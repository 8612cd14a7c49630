"""Collectives of several processes: values, gradients of any order, groups, and differences."""

from __future__ import annotations

import numpy as np
import pytest

from communication import several


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return several.run("collectives.py", 2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return several.run("collectives.py", 4, tmp_path_factory.mktemp("four"), timeout=240)


@pytest.fixture(params=["two", "four"])
def found(request):
    return request.getfixturevalue(request.param)


def inputs(size):
    """What the program reduces, and its weights of the sum that it differentiates."""
    x = np.array([[2.0, 3.0 * (-1) ** r, 1.0 + r] for r in range(size)])
    weight = np.array([[1.0, 10.0, 100.0]]) * (np.arange(size)[:, None] + 1)
    return x, weight.sum(0)


REDUCTIONS = {
    "sum": lambda x: x.sum(0),
    "max": lambda x: x.max(0),
    "min": lambda x: x.min(0),
    "prod": lambda x: x.prod(0),
    "avg": lambda x: x.mean(0),
}


@pytest.mark.slow
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions_and_their_gradients(found, op):
    """Of max and min the summed gradient goes wherever x is the result, as in MindSpore."""
    x, total = inputs(len(found))
    out = REDUCTIONS[op](x)
    for rank, results in enumerate(found):
        slope = {
            "sum": np.ones(3),
            "avg": np.ones(3) / len(found),
            "prod": np.delete(x, rank, 0).prod(0),
        }.get(op, x[rank] == out)
        np.testing.assert_allclose(results[op], out, rtol=1e-6)
        np.testing.assert_allclose(results[f"{op} slope"], total * slope, rtol=1e-6)


@pytest.mark.slow
def test_a_product_with_a_zero_has_a_gradient(found):
    """The product of the others; out / x would be nan."""
    size = len(found)
    assert found[0]["prod of zero"] == [size * 5.0 ** (size - 1)]
    assert all(results["prod of zero"] == [0.0] for results in found[1:])
    assert all(results["integers"] == [np.prod(np.arange(size) + 2)] for results in found)


@pytest.mark.slow
def test_second_gradients_pass_through_collectives(found):
    """The first gradient of s ** 3 in n processes is 3 n s ** 2, in each; its own is 6 n ** 2 s."""
    x, _ = inputs(len(found))
    for results in found:
        expected = 6 * len(found) ** 2 * x.sum(0)
        np.testing.assert_allclose(results["second slope"], expected, rtol=1e-6)


@pytest.mark.slow
def test_other_collectives_and_their_gradients(found):
    size = len(found)
    rows = np.arange(1, 5) * (np.arange(size)[:, None] + 1.0)
    factors = np.arange(size) + 1.0  # what each process multiplies its result by
    width = 4 // size
    for rank, results in enumerate(found):
        part = slice(rank * width, (rank + 1) * width)
        first = rank == 0
        expected = {
            "Reduce": (rows.sum(0) if first else [0.0], np.ones(4)),
            "CollectiveGather": (rows.reshape(-1) if first else [0.0], np.ones(4)),
            "CollectiveScatter": (rows[0][part], factors.repeat(width) * first),
            "ReduceScatter": (rows.sum(0)[part], factors.repeat(width)),
            "ReduceScatter avg": (rows.mean(0)[part], factors.repeat(width) / size),
            "AllGather": (rows.reshape(-1), np.full(4, factors.sum())),
            "Broadcast": (rows[0], np.full(4, factors[rank])),
        }
        for name, (value, slope) in expected.items():
            np.testing.assert_allclose(results[name], value, rtol=1e-6, err_msg=name)
            np.testing.assert_allclose(results[f"{name} slope"], slope, rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(results["ReduceScatter max"], rows.max(0)[part])
        assert results["ReduceScatter max slope"].startswith("RuntimeError")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shapes", ["all_reduce sum torch.float32 (2,)", "all_reduce sum torch.float32 (5,)"]),
        ("operations", ["all_reduce sum", "all_reduce max"]),
        ("kinds", ["all_gather torch.float32", "all_reduce sum"]),
        ("types", ["torch.float32", "torch.int32"]),
        ("broadcast", ["(5,)", "(2,)"]),
        ("roots", ["broadcast 0", "broadcast 1"]),
        ("barrier", ["all_reduce", "barrier"]),
        ("written", ["(2,)", "(3,)"]),
        ("counts", ["expects [2, 2", "expects [3, 3"]),
    ],
)
def test_processes_that_differ_raise_everywhere(found, name, words):
    """gloo would end one of them with SIGABRT, or add other bytes without a word."""
    for results in found:
        assert results[name].startswith("ValueError")
        assert all(word in results[name] for word in ("process 0", "process 1", *words))
        assert results["afterwards"] == [float(len(found))] * 2


@pytest.mark.slow
def test_messages(found):
    first, second = found[:2]
    for length in (2, 5):
        text = first[f"receive {length}"]
        assert text.startswith("ValueError: For 'receive' from the process 1")
        assert f"({7 - length},) was expected, but torch.float32 ({length},) came" in text
        assert second[f"send {length}"] is None
    assert "torch.int32 (2,) was expected" in first["receive type"]
    assert first["received"] == [[7.0] * 3] * 4
    assert (first["exchanged"], second["exchanged"]) == ([2.0] * 3, [1.0] * 3)
    assert first["tags"] == second["tags"] == [[3.0], [4.0]]


@pytest.mark.slow
def test_collectives_that_are_begun(found):
    """Process 1 waits for a message that process 0 sends when it has begun all of them."""
    size = len(found)
    rows = np.arange(1.0, size + 1) * (np.arange(size)[:, None] + 1.0)
    for rank, results in enumerate(found):
        assert results["not written yet"]
        assert results["between"] == [float(size)]
        total = rows.sum(0)
        expected = {
            "reduced": total,
            "sent": rows[-1],
            "gathered": rows,
            "joined": rows.reshape(-1),
            "scattered": [total[rank]],
            "portion": [rows[0][rank]],
            "reduced parts": [total[rank]],
            "exchanged": rows[:, rank],
            "rooted": total if rank == 1 else rows[rank],
            "collected": rows if rank == 0 else np.zeros((size, size)),
        }
        for name, value in expected.items():
            np.testing.assert_array_equal(results["begun"][name], value, err_msg=name)
        for name in ("begun wrong", "begun wrong and left", "left at the end"):
            assert results[name].startswith("ValueError: The processes of the group")
        both = 2.0 * sum(range(1, size + 1)) + 3.0 * (rank + 1)
        assert results["overlapping 0"] == results["overlapping 1"] == [both, both]
        assert results["overlapping runs"] < 4  # of four calls in GRAPH_MODE


@pytest.mark.slow
def test_exchanges_with_neighbors(found):
    """What goes to a neighbor comes there, and its gradient comes back; no neighbor gives 0."""
    size = len(found)
    for rank, results in enumerate(found):
        before, after = (rank - 1) % size, (rank + 1) % size
        assert results["ring"] == [1.0 * (before + 1), 2.0 * (before + 1)]
        assert results["ring slope"] == [after + 1.0] * 2
        assert results["ring of other shapes"].startswith("ValueError: For 'all_to_all'")
        edge = [10.0 * (rank - 1) + 1, 10.0 * (rank - 1) + 3] if rank else [0.0, 0.0]
        own = 10.0 * rank + np.arange(4.0).reshape(2, 2)
        np.testing.assert_array_equal(results["edges"], np.column_stack([edge, own]))
        second = rank + 1.0 + (rank + 2 if rank + 1 < size else 0)
        assert results["edges slope"] == [[rank + 1.0, second]] * 2


@pytest.mark.slow
def test_the_comparison_can_be_left_out(found):
    for results in found:
        assert results["unchecked"] == [float(len(found))] * 2
        assert results["checked again"].startswith("ValueError")
    assert found[0]["unchecked message"] == [9.0, 9.0]


@pytest.mark.slow
def test_gradients_that_would_be_lost_raise(found):
    for results in found:
        for name in ("in place", "comm_func"):
            assert results[name].startswith("NotImplementedError: For 'all_reduce', the 'tensor'")
    for results in found[:2]:
        for name in ("gradient of a message", "gradient of a receipt"):
            assert "gradients do not go back" in results[name]


@pytest.mark.slow
def test_groups_of_unequal_numbers(found):
    """Members alone make them; before, they waited for each other for ever."""
    if len(found) == 4:
        assert sorted(len(results["groups"]) for results in found) == [3, 3, 3, 4]
    for rank, results in enumerate(found):
        for name, value in results["groups"].items():
            ranks = [1, 2, 3] if name == "most" else [int(r) for r in name.split("-")]
            assert value == [sum(ranks) + len(ranks)]
        if rank < 2:
            assert results["called by all"] == results["again"] == results["new group"] == [2.0]
        else:
            assert "by the process" in results["called by all"]
            assert "which is not in it" in results["called by all"]
        alone = results["alone"]
        assert alone == [1.0] if rank == 0 else alone.startswith("ValueError")


@pytest.mark.slow
def test_no_recording_is_replayed_without_its_collectives(found):
    """In GRAPH_MODE and under jit, at every call."""
    size = len(found)
    ranks = np.arange(size)
    for results in found:
        forward = [[2.0 * (ranks + step).sum() + 1] * 2 for step in range(5)]
        assert results["recordings"] == [*forward, *[[2.0 * size] * 2] * 3]
        assert results["jit"] == [[2.0 * (ranks + step).max()] for step in range(4)]
