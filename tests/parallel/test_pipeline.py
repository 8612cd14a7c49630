"""Processes that hold the stages of a network are one process with the whole of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from communication import several

PROGRAM = Path(__file__).parent / "pipelines.py"
run = partial(several.run, PROGRAM, timeout=400, preload=("torch.distributed.pipelining",))
MODES = ("pynative", "graph")
SCHEDULES = ("1f1b", "gpipe", "interleaved 1f1b", "interleaved gpipe", "zero bubble")


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(1, tmp_path_factory.mktemp("one"))[0]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return run(4, tmp_path_factory.mktemp("four"))


def joined(parts, key, what):
    """What the stages have, by name; what several have is the same in all."""
    found = {}
    for part in parts:
        for name, values in part[key][what].items():
            assert found.setdefault(name, values) == values, name
    return found


def compare(whole, parts, key, reference, what, limit=1e-6):
    found, expected = joined(parts, key, what), whole[reference][what]
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=0, atol=limit, err_msg=name)


def check_gradients(one, several_, mode, kind, schedule, stages):
    key, reference = f"{mode} {kind} {schedule} {stages}", f"one {kind} 1f1b"
    compare(one, several_, key, reference, "gradients")
    compare(one, several_, key, reference, "statistics")
    for part in several_:
        assert part[key]["loss"] == pytest.approx(one[reference]["loss"], abs=1e-6)
    compiled = sum(part[key]["compiled"] for part in several_)
    cells = 6 if kind == "encoder" else 10
    expected = cells if mode == "graph" and schedule != "zero bubble" else 0
    assert compiled == expected * len(several_) // stages


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_gradients_of_two_stages(one, two, mode, schedule):
    check_gradients(one, two, mode, "residual", schedule, 2)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_gradients_of_four_stages(one, four, mode, schedule):
    check_gradients(one, four, mode, "residual", schedule, 4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["norm", "encoder"])
def test_statistics_and_shared_parameters(one, two, four, mode, kind):
    """Statistics are those of one process; a parameter that all stages hold has one gradient."""
    check_gradients(one, two, mode, kind, "1f1b", 2)
    check_gradients(one, four, mode, kind, "1f1b", 4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["residual", "encoder"])
def test_stages_that_are_data_parallel(one, four, mode, kind):
    """Two stages of two processes each, of which each has half of the rows."""
    check_gradients(one, four, mode, kind, "1f1b", 2)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "way", ["one_step_cell", "loss_scale_cell", "model", "auto_parallel", "auto_model"]
)
def test_training(one, two, four, mode, way):
    key, reference = f"{mode} {way}", f"one {way}"
    for parts in (two, four):
        compare(one, parts, key, reference, "parameters", 1e-5)
        for part in parts:
            np.testing.assert_allclose(part[key]["losses"], one[reference]["losses"], atol=1e-5)


#: The bytes of three elements, last.bias, of which two processes cannot have equal parts.
WHOLE = 12
CUT = {
    **{
        f"{level} {way}": way for level in (1, 2, 3) for way in ("1f1b", "one_step_cell", "encoder")
    },
    **{f"3 {schedule}": "1f1b" for schedule in SCHEDULES},
    **{f"3 {way}": way for way in ("loss_scale_cell", "model", "auto_parallel", "auto_model")},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "case"),
    [
        *(("pynative", case) for case in CUT),
        *(
            ("graph", case)
            for case in (*(f"3 {s}" for s in SCHEDULES), "3 one_step_cell", "3 encoder")
        ),
    ],
)
def test_stages_whose_processes_cut_what_they_have(one, four, mode, case):
    """hsdp in two stages of two processes: each has half of the states, at level 3 of all."""
    key, reference = f"{mode} cut {case}", CUT[case]
    if reference in ("1f1b", "encoder"):
        whole = f"one {'encoder' if reference == 'encoder' else 'residual'} 1f1b"
        compare(one, four, key, whole, "gradients")
    if reference == "encoder":
        share = 2 if case.startswith("3") else 1
        compiled = 3 if mode == "graph" else 0
        plain = [part[f"{mode} encoder 1f1b 2"]["bytes"] for part in four]
        assert [p[key]["bytes"] for p in four] == [size / share for size in plain]
        assert [p[key]["compiled"] for p in four] == [compiled] * 4
        return
    if reference == "1f1b":
        if case.startswith("3"):
            assert sum(p[key]["bytes"] for p in four) == one["one residual 1f1b"]["bytes"] + WHOLE
        return
    compare(one, four, key, f"one {reference}", "parameters", 1e-5)
    for part in four:
        np.testing.assert_allclose(
            part[key]["losses"], one[f"one {reference}"]["losses"], atol=1e-5
        )
    if "state" in four[0][key]:
        kinds = 1 if "auto" in reference else 2
        expected = one[f"one {reference}"]["state"] + kinds * WHOLE
        assert sum(p[key]["state"] for p in four) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "late",
            "RuntimeError: For 'AutoParallel', the network was cut for PipelineConfig(stages=2",
        ),
        ("differs", "a number that differs between the processes of the stage"),
    ],
)
def test_what_stages_in_parts_refuse(four, name, expected):
    for part in four:
        assert expected in part[f"pynative cut {name}"]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "level"), [("pynative", 1), ("pynative", 3), ("graph", 3)])
def test_inference_of_stages_in_parts(one, four, mode, level):
    """Without PipelineCell: of a whole batch, and of each process's own rows."""
    share = 0.5 if level == 3 else 1.0
    for way in range(2):
        found = [part[f"{mode} cut {level} inference"][way] for part in four]
        assert all(f["difference"] <= 1e-6 for f in found)
        held = sum(f["bytes"] for f in found) - (WHOLE if level == 3 else 0)
        assert held == 2 * share * one["one residual 1f1b"]["bytes"]


@pytest.mark.slow
def test_stages_that_lay_one_parameter_out_otherwise(one, four):
    """By columns and by rows: whole gradients are added, and each stage keeps its part."""
    for stage, shape in ((four[:2], [6, 3]), (four[2:], [3, 6])):
        for part in stage:
            assert part["two layouts"]["part"] == shape
            np.testing.assert_allclose(
                part["two layouts"]["weight"], one["two layouts"]["weight"], atol=1e-5
            )
        assert stage[0]["two layouts"] == stage[1]["two layouts"]


@pytest.mark.slow
def test_a_process_holds_its_stage(one, two, four):
    whole, state = one["one residual 1f1b"]["bytes"], one["one one_step_cell"]["state"]
    for parts in (two, four):
        sizes = [part[f"pynative residual 1f1b {len(parts)}"]["bytes"] for part in parts]
        assert sum(sizes) == whole
        assert max(sizes) < 1.5 * whole / len(parts)  # stages of 2 and of 3 blocks
        states = [part["pynative one_step_cell"]["state"] for part in parts]
        assert sum(states) == state
        assert states == [2 * size for size in sizes]  # both moments


@pytest.mark.slow
def test_training_moves_the_parameters(one):
    first = one["one one_step_cell"]
    assert first["losses"][0] != first["losses"][-1]
    assert max(map(abs, first["parameters"]["last.bias"])) > 0.01


@pytest.mark.slow
def test_an_optimizer_of_the_whole_network_is_cut_with_it(one, two):
    """The parameters of other stages, and the state for them, are freed when the network is cut."""
    states = [part["pynative auto_parallel"]["state"] for part in two]
    assert sum(states) == one["one auto_parallel"]["state"]
    assert max(states) < 0.6 * sum(states)


@pytest.mark.slow
def test_inference(one, two, four):
    """In AutoParallel, a loop over parts of the batch; in PipelineCell, results may be sent."""
    whole = one["inference"]["relay"]
    for parts in (two, four):
        for part in parts:
            found = part["inference"]
            np.testing.assert_allclose(found["relay"], whole, atol=1e-6)
            np.testing.assert_allclose(found["broadcast"], whole[:1], atol=1e-6)
            assert found["gradient"].startswith("RuntimeError: A network that is cut into pipeline")
            assert "are not in this process, which holds stage" in found["direct"]
        *others, last = (part["inference"]["alone"] for part in parts)
        assert others == [None] * len(others)
        np.testing.assert_allclose(last, whole[:1], atol=1e-6)


@pytest.mark.slow
def test_shared_values_are_sent(two, four):
    for parts in (two, four):
        assert parts[0]["shared"] > 0
        assert all(part["shared"] == parts[0]["shared"] for part in parts)
    assert four[0]["shared in parts"] > 0
    assert len({part["shared in parts"] for part in four}) == 1


@pytest.mark.slow
def test_stages_that_lay_a_parameter_out_differently_keep_it_equal(four):
    """An update rounds otherwise in parts of other shapes, so the first stage's counts."""
    steps = [part["pynative cut unlike"] for part in four]
    assert [numbers[0][0] for numbers in steps] == [42, 42, 21, 21]
    draw = np.random.RandomState(1)
    table = torch.from_numpy(draw.randn(14, 3).astype("float32")).requires_grad_()
    optimizer = torch.optim.SGD([table], 0.05, 0.9)
    for first, *others in zip(*steps, strict=True):
        assert all(other[1] == first[1] for other in others)
        np.testing.assert_allclose(first[1], table.detach(), atol=1e-6)
        optimizer.zero_grad()
        rows = torch.from_numpy(draw.randint(0, 14, 8))
        (4 * (table[rows] @ table.T).mean()).backward()  # the sum over four micro-batches
        optimizer.step()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["mint.optim.AdamW", "mint.optim.SGD", "nn.Lamb", "nn.AdaFactor", "nn.FTRL"]
)
def test_optimizers(one, two, name):
    compare(one, two, name, name, "parameters", 1e-5)


@pytest.mark.slow
def test_processes_of_a_stage_begin_with_the_same(four):
    found = [part["different"] for part in four]
    for part in found:
        assert part["raises"].startswith("RuntimeError: For 'PipelineCell', the processes begin")
        assert part["sent"] == "nothing was raised"
    for first, second in (found[:2], found[2:]):
        assert first["parameters"] == second["parameters"]


@pytest.mark.slow
def test_draws_are_those_of_the_seed(two, four):
    for parts in (two, four):
        for part in parts:
            first, again, other = part["dropout"]
            assert first == again
            assert first[0] != first[1]
            assert first != other
            assert part["dropout"] == parts[0]["dropout"]


WRONG = {
    "order": "RuntimeError: The cell 'c' of the pipeline stage 0, segment 0, runs after 'b' of st",
    "parameter": "RuntimeError: For 'add', the parameter 'c.bias' is used outside of the cells tha",
    "argument": "RuntimeError: The parameter 'a.weight' of the pipeline stage 0 is an argument of",
    "end": "RuntimeError: The network ends with the cell 'a' of stage 0, after 1 parts, but 2 sta",
    "loss": "ValueError: A network that is trained in a pipeline must return its loss, one number",
    "input": "NotImplementedError: The gradient of an input of a pipeline was asked for, which",
    "rows": "ValueError: For micro batch initialization, the 0th dimension shape of input ((6, 6))",
    "number": "TypeError: The inputs of a pipeline must be Tensors, whose rows are cut into micro",
    "another": "RuntimeError: For 'PipelineCell', the network was cut for PipelineConfig(stages=2",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_cut(two, name):
    """All stages raise the same, and go on."""
    for part in two:
        assert part["wrong"][name].startswith(WRONG[name])


@pytest.mark.slow
def test_an_error_in_the_first_run_is_told_to_all(two):
    first, second = (part["wrong"]["sparse"] for part in two)
    assert first.startswith("RuntimeError: The cell 'b' failed in the pipeline stage 1: TypeError")
    assert second.startswith("TypeError: ")
