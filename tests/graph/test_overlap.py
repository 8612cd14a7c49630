"""Collectives of recordings are begun at their place and awaited where they are needed."""

from __future__ import annotations

import torch

from agar._core.graph.ir.graph import Host, Meta, Op, Ref
from agar._core.graph.passes.overlap import overlapped
from agar._core.graph.record.operators import collective_of

aten = torch.ops.aten
GATHER = collective_of(torch.ops._c10d_functional.all_gather_into_tensor.default)


def metas(count, shared=()):
    """Variables of one shape; those in `shared` have the memory of variable 0."""
    tensor = torch.empty(4)
    return {v: Meta(tensor, 0 if v in shared else v) for v in range(count)}


def op(func, args, out):
    return Op(func, tuple(Ref(a) for a in args), {}, () if out is None else (out,))


def gather(v, out):
    host = Host(GATHER, "all_gather")
    return Op(host, (Ref(v), 2, "0"), {}, (out,))


def order(ops, **given):
    """What is done, with the variables that come of it."""
    return [(o.name, *o.outs) for o in overlapped(ops, metas(20, **given))]


def test_what_others_compute_stands_before_the_wait():
    ops = [
        gather(0, 1),
        op(aten.view.default, [1], 2),  # prepares the result
        op(aten.relu.default, [3], 4),
        op(aten.add.Tensor, [2, 4], 5),
    ]
    assert order(ops) == [
        ("all_gather", 20),
        ("relu", 4),
        ("wait for all_gather", 1),
        ("view", 2),
        ("add.Tensor", 5),
    ]


def test_what_is_needed_at_once_stays_one_operation():
    ops = [gather(0, 1), op(aten.add.Tensor, [1, 3], 2)]
    assert overlapped(ops, metas(4)) == ops


def test_a_graph_that_sends_nothing_is_left_alone():
    ops = [op(aten.relu.default, [0], 1)]
    assert overlapped(ops, metas(4)) is ops


def test_results_that_leave_the_graph_are_awaited():
    ops = [gather(0, 1), op(aten.relu.default, [3], 4)]
    assert order(ops)[-1] == ("wait for all_gather", 1)


def test_memory_is_not_written_while_it_is_sent():
    """Variable 2 is a view of what is sent."""
    ops = [gather(0, 1), op(aten.relu.default, [3], 4), op(aten.add_.Tensor, [2, 4], 2)]
    ops += [op(aten.relu.default, [5], 6)]
    names = [name for name, *_ in order(ops, shared=(0, 2))]
    assert names == ["all_gather", "relu", "wait for all_gather", "add_.Tensor", "relu"]
    names = [name for name, *_ in order(ops)]
    assert names == ["all_gather", "relu", "add_.Tensor", "relu", "wait for all_gather"]


def test_the_wait_holds_what_is_sent():
    """So that no operator reuses its memory."""
    result = overlapped([gather(0, 1), op(aten.relu.default, [3], 4)], metas(5))
    assert Ref(0) in result[-1].args


def test_messages_begin_in_the_order_of_the_program_two_at_a_time():
    ops = [op(aten.relu.default, [0], 1)]
    for v in (2, 4, 6):
        ops += [gather(v, v + 1), op(aten.relu.default, [v + 8], v + 9)]
    waits = [(name, out) for name, out in order(ops) if name != "relu"]
    assert waits == [
        ("all_gather", 20),
        ("all_gather", 21),
        ("wait for all_gather", 3),
        ("all_gather", 22),
        ("wait for all_gather", 5),
        ("wait for all_gather", 7),
    ]


def test_a_message_of_a_result_waits_for_it():
    ops = [gather(0, 1), op(aten.relu.default, [3], 4), gather(1, 2)]
    names = [name for name, *_ in order(ops)]
    assert names == ["all_gather", "relu", "wait for all_gather", "all_gather"]
