"""Streams, events and memory of one device."""

from __future__ import annotations

import pytest

import agar as ms
from agar import runtime

MEMORY = ("memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved")


def test_memory_is_counted():
    values = {name: getattr(runtime, name)() for name in MEMORY}
    assert all(type(v) is int and v >= 0 for v in values.values())
    stats = runtime.memory_stats()
    assert stats["total_allocated_memory"] == values["memory_allocated"]
    assert stats["max_reserved_memory"] == values["max_memory_reserved"]
    assert values["memory_allocated"] <= values["max_memory_allocated"]
    assert "Memory summary" in runtime.memory_summary()
    for reset in (
        runtime.reset_peak_memory_stats,
        runtime.reset_max_memory_allocated,
        runtime.reset_max_memory_reserved,
        runtime.empty_cache,
    ):
        assert reset() is None
    assert {name: getattr(ms.hal, name)() for name in MEMORY} == {
        name: getattr(runtime, name)() for name in MEMORY
    }


def test_streams_nest_and_are_compared():
    first = runtime.current_stream()
    assert first == runtime.default_stream()
    assert hash(first) == hash(runtime.default_stream())
    stream = runtime.Stream()
    with runtime.StreamCtx(stream):
        assert runtime.current_stream() == stream
        with runtime.StreamCtx(None):
            assert runtime.current_stream() == stream
        value = ms.ops.ones(2) + 1
    assert runtime.current_stream() == first
    runtime.set_cur_stream(stream)
    assert runtime.current_stream() == stream
    runtime.set_cur_stream(first)
    runtime.synchronize()
    stream.synchronize()
    assert stream.query()
    assert value.asnumpy().tolist() == [2.0, 2.0]
    for bad in (5, "x"):
        with pytest.raises(TypeError):
            runtime.set_cur_stream(bad)


def test_an_error_leaves_the_stream_as_it_was():
    first = runtime.current_stream()
    with pytest.raises(KeyError), runtime.StreamCtx(runtime.Stream()):
        raise KeyError
    assert runtime.current_stream() == first


def test_events_tell_times():
    start, end = runtime.Event(enable_timing=True), runtime.Event(enable_timing=True)
    start.record()
    for _ in range(20):
        ms.ops.matmul(ms.ops.ones((64, 64)), ms.ops.ones((64, 64)))
    end.record()
    end.synchronize()
    assert start.query()
    assert start.elapsed_time(end) > 0
    stream = runtime.Stream()
    noted = stream.record_event()
    stream.wait_event(noted)
    stream.wait_stream(runtime.current_stream())
    assert noted.query()
    plain = runtime.Event()
    plain.record()
    assert plain.elapsed_time(end) == 0.0  # it was made without times
    for bad in ({"enable_timing": 1}, {"blocking": "x"}):
        with pytest.raises(TypeError):
            runtime.Event(**bad)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("dispatch_threads_num('a')", TypeError),
        ("dispatch_threads_num(0)", ValueError),
        ("set_memory(init_size=5)", TypeError),
        ("set_memory(optimize_level='O5')", ValueError),
        ("set_kernel_launch_group('a')", TypeError),
        ("StreamCtx(5)", TypeError),
    ],
)
def test_arguments_are_checked(call, kind):
    with pytest.raises(kind):
        eval(call, vars(runtime))


def test_what_a_device_is_limited_to():
    limits = runtime.get_device_limit(0)
    assert set(limits) == set(runtime.get_stream_limit(runtime.current_stream()))
