"""Recordings: their traces, schedules, notes and tables."""

from __future__ import annotations

import json

import numpy as np
import pytest

import agar as ms
from agar import nn, profiler
from agar.profiler.schedule import ProfilerAction


def work(times=1):
    for _ in range(times):
        ms.ops.matmul(ms.ops.ones((8, 8)), ms.ops.ones((8, 8)))


def names(path):
    """What happened, by the traces of a folder; one set for each."""
    traces = [json.loads(file.read_text()) for file in sorted(path.glob("*.json"))]
    return [{event.get("name") for event in trace["traceEvents"]} for trace in traces]


def test_a_block(tmp_path):
    ready = profiler.tensorboard_trace_handler(str(tmp_path))
    with profiler.profile(on_trace_ready=ready, record_shapes=True) as recording:
        recording.add_metadata("place", "here")
        recording.add_metadata_json("sizes", "[1, 2]")
        work()
        with pytest.raises(RuntimeError, match=r"Profile\.table.*after stop"):
            recording.table()
    (result,) = names(tmp_path)
    assert "aten::mm" in result
    (file,) = tmp_path.glob("*.json")
    trace = json.loads(file.read_text())
    assert (trace["place"], trace["sizes"]) == ("here", [1, 2])
    table = recording.table(row_limit=50)
    assert "aten::mm" in table
    assert "Self CPU" in table


def test_a_schedule_records_its_steps(tmp_path):
    plan = profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    ready = profiler.tensorboard_trace_handler(str(tmp_path))
    with profiler.profile(schedule=plan, on_trace_ready=ready) as recording:
        for i in range(11):
            if i in (3, 4, 7, 8):
                work()
            else:
                ms.ops.erf(ms.ops.ones(3))
            recording.step()
    result = names(tmp_path)
    assert len(result) == 2
    for events in result:
        assert "aten::mm" in events
        assert "aten::erf" not in events


def test_a_function_for_traces_that_fails(tmp_path):
    def fail(recording):
        raise OSError("the disk is full")

    def record():
        plan = profiler.schedule(wait=0, active=1)
        with profiler.profile(schedule=plan, on_trace_ready=fail) as recording:
            for _ in range(3):
                work()
                recording.step()

    with pytest.raises(OSError, match="disk is full"):
        record()
    recording = ms.Profiler(output_path=str(tmp_path))  # the next one works
    work()
    recording.analyse()
    assert len(names(tmp_path)) == 1


def test_schedules():
    plan = profiler.schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
    assert [plan(i) for i in range(7)] == [
        ProfilerAction.NONE,
        ProfilerAction.NONE,
        ProfilerAction.WARM_UP,
        ProfilerAction.RECORD,
        ProfilerAction.RECORD_AND_SAVE,
        ProfilerAction.NONE,
        ProfilerAction.NONE,
    ]
    assert plan.to_dict()["active"] == 2
    with pytest.raises(ValueError, match="step"):
        plan(-1)


class Between(ms.train.Callback):
    """Records some steps of a training, as MindSpore's guides do."""

    def __init__(self, folder):
        self.profiler = ms.Profiler(start_profile=False, output_path=str(folder))

    def on_train_step_begin(self, run_context):
        if run_context.original_args().cur_step_num == 2:
            self.profiler.start()

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == 3:
            self.profiler.stop()

    def on_train_end(self, run_context):
        self.profiler.analyse()


def trained(callback, steps=4):
    net = nn.Dense(2, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    rows = [(np.ones((1, 2), np.float32), np.ones((1, 1), np.float32))] * steps
    model.train(1, rows, callbacks=callback)


def test_steps_of_a_training(tmp_path):
    callback = Between(tmp_path)
    trained(callback)
    assert len(names(tmp_path)) == 1
    counts = json.loads(callback.profiler.op_analyse("all"))
    assert counts
    assert all(set(row) == {"count", "cpu_time"} for row in counts.values())
    some = json.loads(callback.profiler.op_analyse(["MSE_loss"]))
    assert some
    assert all("mse" in name.lower() for name in some)
    assert some["aten::mse_loss"]["count"] == 2


def test_steps_that_a_file_names(tmp_path):
    monitor = profiler.DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "traces"))
    file = tmp_path / "profiler_config.json"
    assert json.loads(file.read_text())["start_step"] == -1
    trained(monitor)
    assert not (tmp_path / "traces").exists()
    file.write_text(json.dumps({"start_step": 6, "stop_step": 7}))
    trained(monitor)
    assert len(names(tmp_path / "traces")) == 1


def test_marks_and_ranges_are_in_the_trace(tmp_path):
    recording = ms.Profiler(output_path=str(tmp_path))
    profiler.mstx.mark("a mark")
    number = profiler.mstx.range_start("a range")
    work()
    profiler.mstx.range_end(number)
    profiler.mstx.range_end(number)  # nothing happens
    recording.analyse()
    assert {"a mark", "a range", "aten::mm"} <= names(tmp_path)[0]
    for bad in ("", 5):
        with pytest.raises(TypeError, match="message"):
            profiler.mstx.mark(bad)


def test_what_is_not_there_says_so():
    with pytest.raises(NotImplementedError, match=r"chrome://tracing"):
        ms.Profiler.offline_analyse("folder")
