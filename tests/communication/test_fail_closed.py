"""With several processes nothing that is accepted is left undone: it is executed, or it raises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar import communication as comm
from agar import nn, parallel
from agar._core.multi_device import EXECUTED, HINTS, REFUSED, world
from agar._core.settings import auto_parallel
from agar.communication.management import GroupOptions
from agar.parallel._auto_parallel_context import auto_parallel_context
from agar.parallel.auto_parallel import AutoParallel
from communication import several


@pytest.fixture(autouse=True)
def back(monkeypatch):
    """One process again afterwards, of which nothing is remembered."""
    monkeypatch.setattr(world, "_noted", {})
    yield
    monkeypatch.undo()
    comm.release()
    ms.reset_auto_parallel_context()
    ms.context.reset_ps_context()


@pytest.fixture
def two(monkeypatch):
    """As if two processes had joined, and this one were the first."""
    monkeypatch.setattr(world, "size", 2)


#: One value of each setting that asks for what several processes do not do.
ASKED = {
    "parallel_mode": ["auto_parallel"],
    "auto_pipeline": [True],
    "pipeline_scheduler": ["seqpipe"],
    "pipeline_segments": [2],
    "parallel_optimizer_config": [{"gradient_accumulation_shard": True}],
    "optimizer_weight_shard_aggregated_save": [True],
    "strategy_ckpt_load_file": ["a.ckpt"],
    "strategy_ckpt_save_file": ["a.ckpt"],
    "strategy_ckpt_config": [{"load_file": "a.ckpt"}],
    "group_ckpt_save_file": ["a.ckpt"],
    "force_fp32_communication": [True],
    "grad_accumulation_step": [2],
    "dump_local_norm": [True],
    "dump_local_norm_path": ["folder"],
    "dump_device_local_norm": [True],
}
#: Values of the others that are executed or change no result.
TAKEN = {
    "parallel_mode": ["stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel"],
    "full_batch": [True],
    "dataset_strategy": ["full_batch", ((2, 1),)],
    "gradients_mean": [True, False],
    "parameter_broadcast": [True, False],
    "pipeline_stages": [2],
    "pipeline_interleave": [True],
    "pipeline_scheduler": ["1f1b", "gpipe", "zero_bubble_v"],
    "pipeline_config": [{"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}],
    "pipeline_result_broadcast": [True],
    "device_num": [2],
    "global_rank": [0],
    "enable_parallel_optimizer": [True],
    "parallel_optimizer_config": [{"optimizer_level": "level2"}],
    "optimizer_weight_shard_size": [2],
    "all_reduce_fusion_config": [[1, 2]],
    "comm_fusion": [{"openstate": False}],
    "communi_parallel_mode": ["no_group_parallel"],
    "gradient_fp32_sync": [False],
    "loss_repeated_mean": [False],
    "search_mode": ["dynamic_programming"],
    "auto_parallel_search_mode": ["dynamic_programming"],
    "sharding_propagation": [True],
    "enable_alltoall": [True],
    "full_batch_is_set": [True],
    "auto_parallel_new_interface": [True],
    "init_param_in_compile": [False],
}
REFUSALS = [(name, value) for name, values in ASKED.items() for value in values]


def test_every_setting_is_classified():
    """A new setting must say whether it is executed, a hint with its reason, or refused."""
    known = {*auto_parallel.defaults, *auto_parallel._hidden}
    assert {*EXECUTED, *HINTS, *REFUSED} == known
    assert not {*EXECUTED} & {*HINTS}
    both = {"pipeline_scheduler", "parallel_optimizer_config"}
    assert {*EXECUTED} & {*REFUSED} == both
    assert not {*HINTS} & {*REFUSED}
    assert {*ASKED} == {*REFUSED, "parallel_mode"}  # of which one value is refused
    assert {*TAKEN} == {*EXECUTED, *HINTS}
    assert all(HINTS.values())


@pytest.mark.parametrize(("name", "value"), REFUSALS, ids=str)
def test_settings_that_are_not_executed_raise(two, name, value):
    before = ms.get_auto_parallel_context("gradients_mean")
    with pytest.raises(NotImplementedError, match=name) as error:
        ms.set_auto_parallel_context(gradients_mean=True, **{name: value})
    assert "With 2 processes" in str(error.value)
    assert "Instead: " in str(error.value)
    assert ms.get_auto_parallel_context("gradients_mean") == before  # nothing was set
    assert name not in auto_parallel


@pytest.mark.parametrize(("name", "value"), REFUSALS, ids=str)
def test_one_process_takes_them_and_joining_raises(name, value):
    ms.set_auto_parallel_context(**{name: value})
    world.check_join(1, 0)
    with pytest.raises(NotImplementedError, match=name):
        world.check_join(2, 0)
    ms.reset_auto_parallel_context()
    world.check_join(2, 0)


@pytest.mark.parametrize(("name", "values"), TAKEN.items(), ids=str)
def test_settings_that_are_executed_or_hints(two, name, values):
    for value in values:
        ms.set_auto_parallel_context(**{name: value})
        world.check_join(2, 0)


@pytest.mark.parametrize(("name", "value"), [("device_num", 4), ("global_rank", 1)])
def test_settings_that_contradict_the_launcher_raise(two, name, value):
    with pytest.raises(ValueError, match=f"'{name}' is {value}, but it is .* by the launcher"):
        ms.set_auto_parallel_context(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("device_num", 4), ("global_rank", 1)])
def test_joining_compares_them(name, value):
    ms.set_auto_parallel_context(**{name: value})
    world.check_join(1, 0)
    with pytest.raises(ValueError, match=name):
        world.check_join(2, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("parallel_mode", "semi_auto_parallel"),
        ("parallel_mode", "auto_parallel"),
        ("full_batch", True),
        ("dataset_strategy", "full_batch"),
    ],
)
def test_what_pipelines_execute(two, name, value):
    ms.set_auto_parallel_context(pipeline_stages=2, **{name: value})
    world.check_join(2, 0)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"parallel_mode": "data_parallel", "full_batch": True}, "full_batch=True"),
        ({"parallel_mode": "data_parallel", "dataset_strategy": ((2, 1),)}, "dataset_strategy"),
        ({"pipeline_stages": 2, "dataset_strategy": ((2, 1),)}, "dataset_strategy"),
        ({"parallel_mode": "auto_parallel", "search_mode": "dynamic_programming"}, "no plan is"),
    ],
)
def test_settings_that_only_other_modes_execute_raise(two, settings, text):
    with pytest.raises(NotImplementedError, match=text):
        ms.set_auto_parallel_context(**settings)
    ms.set_auto_parallel_context(
        parallel_mode="auto_parallel", search_mode="sharding_propagation", full_batch=True
    )


STAGES = {"parallel_mode": "semi_auto_parallel", "pipeline_stages": 2}


def test_a_network_that_is_not_cut_is_refused(two):
    """Stages were asked for: no process trains, or runs, a network of its own."""
    net, other = dense(), dense()
    other.pipeline_stage = 1
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params()))
    x = ms.Tensor([[1.0, 2.0]])
    other(x)
    ms.set_auto_parallel_context(**STAGES)
    with pytest.raises(RuntimeError, match=r"its network is not cut.*nn\.PipelineCell"):
        step(x)
    late = dense()
    late.pipeline_stage = 0
    for cell in (other, late):
        with pytest.raises(RuntimeError, match=r"outside of a pipeline.*nn\.PipelineCell"):
            cell(x)
    ms.reset_auto_parallel_context()
    late(x)


def test_a_pipeline_without_stages_is_refused(two):
    with pytest.raises(RuntimeError, match=r"2 processes, but no pipeline stages.*AutoParallel"):
        nn.PipelineCell(dense(), 2)(ms.Tensor(np.ones((2, 2), np.float32)))
    ms.set_auto_parallel_context(pipeline_stages=2)
    with pytest.raises(RuntimeError, match=r"the parallel mode 'stand_alone'.*semi_auto_parallel"):
        nn.PipelineCell(dense(), 2)


def marked(*stages):
    net = nn.SequentialCell(dense(), nn.Dense(1, 1))
    for cell, stage in zip(net, stages, strict=False):
        cell.pipeline_stage = stage
    return net


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: nn.PipelineCell(marked(0, 1), 1), ValueError, "2 stages needs at least as many"),
        (lambda: nn.PipelineCell(marked(0, 2), 2), ValueError, "'1' has the pipeline_stage 2"),
        (lambda: nn.PipelineCell(marked(0, 0), 2), ValueError, "marked with stage 1"),
        (lambda: nn.PipelineCell(marked(0), 2), RuntimeError, "'1.weight'.* no pipeline stage"),
        (lambda: nn.PipelineCell(marked(), 2, {"2": 1}), KeyError, "is not found in 'network'"),
    ],
)
def test_marks_that_cannot_be_cut(two, call, error, words):
    ms.set_auto_parallel_context(**STAGES)
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("config", "error", "words"),
    [
        ({"pipeline_interleave": False, "pipeline_scheduler": "gpipe"}, TypeError, "only '1f1b'"),
        ({"pipeline_interleave": True}, KeyError, "pipeline_scheduler"),
        ({"pipeline_interleave": 1, "pipeline_scheduler": "1f1b"}, TypeError, "must be a bool"),
        ({"pipeline_interleave": True, "pipeline_scheduler": "x"}, ValueError, "must be in"),
        ({"x": 1}, ValueError, "Unknown config"),
    ],
)
def test_wrong_pipeline_configs(config, error, words):
    """Observed in MindSpore 2.10."""
    with pytest.raises(error, match=words):
        ms.set_auto_parallel_context(pipeline_config=config)


def test_pipeline_config_is_read_back():
    config = {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}
    ms.set_auto_parallel_context(pipeline_config=config)
    for name, value in config.items():
        assert ms.get_auto_parallel_context(name) == value


def test_a_wrong_type_is_a_wrong_type(two):
    with pytest.raises(TypeError, match="pipeline_stages"):
        ms.set_auto_parallel_context(pipeline_stages="2")


def dense():
    return nn.Dense(2, 1)


def primitive(name, *arguments):
    return getattr(ms.ops.MatMul(), name)(*arguments)


def setting(name, value):
    setattr(dense(), name, value)


#: What is called or made, with a part of its name in the error.
CALLS = {
    "the method set_stage of 'MatMul'": lambda: primitive("set_stage", 1),
    "the method place of 'MatMul'": lambda: primitive("place", "MS_WORKER", 1),
    "AutoParallel(parallel_mode='recursive_programming')": lambda: AutoParallel(
        dense(), "recursive_programming"
    ),
    "nn.PipelineGradReducer(opt_shard=True)": lambda: nn.PipelineGradReducer([], opt_shard=True),
    "AdaSumByGradWrapCell": lambda: nn.AdaSumByGradWrapCell(
        nn.SGD(dense().trainable_params(), 0.1)
    ),
    "AdaSumByDeltaWeightWrapCell": lambda: nn.AdaSumByDeltaWeightWrapCell(
        nn.SGD(dense().trainable_params(), 0.1)
    ),
    "nn.thor": lambda: nn.thor(dense(), ms.Tensor(0.1), ms.Tensor(0.1), 0.9),
    "Optimizer.broadcast_params": lambda: nn.SGD(dense().trainable_params(), 0.1).broadcast_params(
        True
    ),
    "load_param_into_net(remove_redundancy=True)": lambda: ms.load_param_into_net(
        dense(), {}, remove_redundancy=True
    ),
    "set_ps_context(enable_ps=True)": lambda: ms.context.set_ps_context(enable_ps=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_are_not_executed_raise(two, name):
    with pytest.raises(NotImplementedError) as error:
        CALLS[name]()
    assert name.removeprefix("parallel.") in str(error.value)
    assert str(error.value).startswith("With several processes, ")


@pytest.mark.parametrize("name", CALLS)
def test_one_process_makes_them_and_joining_raises(name):
    CALLS[name]()
    world.check_join(1, 0)
    with pytest.raises(NotImplementedError, match="With several processes, "):
        world.check_join(2, 0)


#: What cannot change a result, and why.
ACCEPTED = {
    "how messages are joined": lambda: dense().set_comm_fusion(2),
    "the setting parameter_broadcast decides": lambda: dense().set_broadcast_flag(),
    "concerns auto_parallel, which raises": lambda: dense().set_data_parallel(),
    "memory of split parameters, of which there are none": lambda: (
        dense().remove_redundant_parameters()
    ),
    "marks, for cells of a pipeline": lambda: (
        setting("pipeline_stage", 1),
        setting("pipeline_segment", 1),
        dense().weight.add_pipeline_stage(1),
    ),
    "a pipeline raises when it is called": lambda: nn.PipelineCell(dense(), 2),
    "gradients of a pipeline are reduced": lambda: nn.PipelineGradReducer([]),
    "what to compute again, not its results": lambda: dense().recompute(mp_comm_recompute=False),
    "how gradients are joined": lambda: nn.DistributedGradReducer([], fusion_type=3),
    "a search for a way to split, which raises": lambda: ms.parallel.set_algo_parameters(
        fully_use_devices=True
    ),
    "a description": lambda: parallel.Layout((2,), ("dp",))("dp"),
    "tuning of a library": lambda: GroupOptions(),
    "how messages are joined, by the private object": lambda: (
        auto_parallel_context().set_enable_all_reduce_fusion(True)
    ),
    "each process runs the parts": lambda: (
        nn.GradAccumulationCell(dense(), 2),
        nn.MicroBatchInterleaved(dense(), 2),
    ),
    "asks a parallel optimizer, which raises": lambda: ms.Parameter(
        ms.Tensor(1.0), parallel_optimizer=False
    ),
}


@pytest.mark.parametrize("reason", ACCEPTED)
def test_what_cannot_change_a_result_is_accepted(two, reason):
    ACCEPTED[reason]()
    world.check_join(2, 0)
    ms.parallel.reset_algo_parameters()


def test_what_splits_a_program_while_it_runs_raises_in_several_processes(two):
    with pytest.raises(NotImplementedError, match="set_op_strategy_config"):
        parallel.set_op_strategy_config("SAVE", str(Path("plan.json").absolute()))
    net = AutoParallel.__new__(AutoParallel)
    nn.Cell.__init__(net)
    parallel.sync_pipeline_shared_parameters(net)  # one stage: nothing to send
    net._plan = {"pipeline_stages": 2}
    with pytest.raises(RuntimeError, match="was not cut into its pipeline stages yet"):
        parallel.sync_pipeline_shared_parameters(net)


def test_every_public_name_of_parallel_is_classified():
    raising = {name for name in parallel.__all__ if "_absent" in vars(getattr(parallel, name))}
    assert not raising


def test_a_training_cell_wants_the_processes_to_join(monkeypatch):
    """Under a launcher of two, a program that forgot `init` does not train two networks."""
    monkeypatch.setenv("WORLD_SIZE", "2")
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    with pytest.raises(RuntimeError, match=r"Call communication.init\(\)"):
        nn.TrainOneStepCell(dense(), nn.SGD(dense().trainable_params(), 0.1))


def test_one_process_trains_as_before():
    """Settings of eight devices, held: the figures of a program for one."""
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel", gradients_mean=True, device_num=8, parameter_broadcast=True
    )
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
    step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-6)
    assert isinstance(step.grad_reducer, nn.Identity)


def test_a_recording_holds_for_the_groups_that_there_were():
    """In GRAPH_MODE a collective of one process is left out of what is replayed."""
    reduce = ms.ops.AllReduce()

    class Net(nn.Cell):
        def construct(self, x):
            return reduce(x) + 1

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    for _ in range(3):
        net(ms.Tensor([1.0]))
    runs = net._compiled.runs
    net(ms.Tensor([1.0]))
    assert net._compiled.runs == runs
    comm.create_group("of one", [0])
    net(ms.Tensor([1.0]))
    assert net._compiled.runs == runs + 1
    comm.destroy_group("of one")


def test_calls_of_several_processes_are_not_run_twice(monkeypatch):
    """One process alone would send twice; audits do not compare, and refuse a target."""
    f = ms.jit(lambda x: x * 2)
    found = ms.graph.audit(every=1)
    try:
        monkeypatch.setattr(world, "size", 2)
        for _ in range(8):
            f(ms.Tensor([1.0]))
        assert found.compared == 0
        with pytest.raises(NotImplementedError, match="audit with several processes"):
            ms.graph.audit(f)
        monkeypatch.setattr(world, "size", 1)
        for _ in range(8):
            f(ms.Tensor([1.0]))
        assert found.compared > 0
    finally:
        ms.graph.audit(every=0)


@pytest.mark.slow
def test_two_processes_refuse(tmp_path):
    """The same with processes that really meet: before they join, and afterwards."""
    found = several.run("refusals.py", 2, tmp_path)
    for rank, texts in enumerate(found):
        assert "NotImplementedError: With several processes, the method place" in texts["before"]
        assert texts["after a failed init"] == [False, 1]
        assert "NotImplementedError" in texts["setting"]
        assert f"'global_rank' is 7, but it is {rank}" in texts["rank"]
        assert "'device_num' is 8, but it is 2" in texts["number"]
        assert texts["sum"] == [3.0]
