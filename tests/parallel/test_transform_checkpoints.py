"""Checkpoints rewritten for another number of devices: every bit, every error, all or nothing."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar.parallel import convert_checkpoint_by_rank, convert_checkpoints, rank_list_for_convert
from agar.parallel.transform_safetensors import transform_safetensors_by_rank
from agar.train import _formats
from parallel.sharded import layout, load, message, part, same, tree, write_ranks, write_strategy

W = np.arange(64, dtype=np.float32).reshape(8, 8)
B = np.arange(8, dtype=np.float16)
#: tensor parallel 2 x data parallel 2, optimizer shards among the copies
FOUR = {
    "w": layout([2, 2], [-1, 0]),
    "b": layout([2, 2], [0], 2, 2),
    "adam_m.w": layout([2, 2], [-1, 0], 2, 2),
}
TWO = {"w": layout([2], [0, -1]), "b": layout([2], [-1]), "adam_m.w": layout([2], [0, -1])}
VALUES = {"w": W, "b": B, "adam_m.w": W + 100}


def hyper(rank):
    return {"global_step": np.array(7, np.int32), "lr": np.array([0.5], np.float32)}


@pytest.fixture
def four(tmp_path):
    """Strategy files of four and of two ranks."""
    return (
        write_strategy(tmp_path / "four.ckpt", FOUR),
        write_strategy(tmp_path / "two.ckpt", TWO),
    )


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_four_ranks_to_two_to_one_and_back_to_the_bit(format, four, tmp_path):
    write_ranks(tmp_path / "4", VALUES, FOUR, format, extra=hyper)
    steps = [
        ("4", "2", four[0], four[1]),
        ("2", "1", four[1], None),
        ("1", "4b", None, four[0]),
        ("4b", "1b", four[0], None),
    ]
    for old, new, src, dst in steps:
        ms.transform_checkpoints(
            str(tmp_path / old), str(tmp_path / new), "net_", src, dst, output_format=format
        )
    for folder, layouts, count in (("2", TWO, 2), ("4b", FOUR, 4)):
        assert len(list((tmp_path / folder).iterdir())) == count
        for rank in range(count):
            loaded = load(tmp_path / folder / f"rank_{rank}" / f"net_{rank}.{format}")
            assert set(loaded) == {*VALUES, "global_step", "lr"}
            for name, entry in layouts.items():
                assert same(loaded[name], part(VALUES[name], entry, rank))
    for folder in ("1", "1b"):
        loaded = load(tmp_path / folder / f"rank_0/net_0.{format}")
        assert all(same(loaded[name], value) for name, value in {**VALUES, **hyper(0)}.items())


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_no_bit_changes_in_types_that_numpy_lacks(format, four, tmp_path):
    """bfloat16, and nan of every payload, also through threads."""
    bits = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).reshape(256, 256)
    for rank in range(4):
        path = tmp_path / f"4/rank_{rank}/a.{format}"
        path.parent.mkdir(parents=True)
        parts = {"w": bits.view(torch.bfloat16)[:, rank % 2 * 128 :][:, :128]}
        _formats.codec_of(format).write(path, parts.items())
    ms.transform_checkpoints(
        str(tmp_path / "4"), str(tmp_path / "2"), "n", *four, process_num=4, output_format=format
    )
    for rank in range(2):
        entries = dict(_formats.read(str(tmp_path / f"2/rank_{rank}/n{rank}.{format}"), format))
        assert entries["w"].dtype is torch.bfloat16
        assert torch.equal(entries["w"].view(torch.int16), bits[128 * rank :][:128])


def test_safetensors_become_ckpt_files(four, tmp_path):
    write_ranks(tmp_path / "4", VALUES, FOUR, "safetensors")
    ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "1"), "n", four[0])
    assert same(load(tmp_path / "1/rank_0/n0.ckpt")["w"], W)


def test_one_rank_at_a_time(four, tmp_path):
    src, dst = four
    folder = Path(write_ranks(tmp_path / "4", VALUES, FOUR, extra=hyper))
    for rank in range(2):
        files = {
            r: str(folder / f"rank_{r}/net-1_10.ckpt")
            for r in ms.rank_list_for_transform(rank, src, dst)
        }
        target = tmp_path / f"new/{rank}/x.ckpt"
        ms.transform_checkpoint_by_rank(rank, files, str(target), src, dst)
        loaded = load(target)
        assert all(same(loaded[n], part(VALUES[n], entry, rank)) for n, entry in TWO.items())
    # a strategy that is read already, and the newer names
    strategy = ms.build_searched_strategy(src)
    assert rank_list_for_convert(1, strategy) == [3, 2, 1, 0]
    files = {r: str(folder / f"rank_{r}/net-1_10.ckpt") for r in range(4)}
    convert_checkpoint_by_rank(0, files, str(tmp_path / "whole.ckpt"), strategy)
    assert same(load(tmp_path / "whole.ckpt")["adam_m.w"], W + 100)
    convert_checkpoints(str(folder), str(tmp_path / "1"), "n", src)
    assert same(load(tmp_path / "1/rank_0/n0.ckpt")["b"], B)


def test_one_safetensors_file_at_a_time(four, tmp_path):
    folder = Path(write_ranks(tmp_path / "4", VALUES, FOUR, "safetensors"))
    files = {r: str(folder / f"rank_{r}/net-1_10.safetensors") for r in range(4)}
    transform_safetensors_by_rank(1, files, str(tmp_path / "a.safetensors"), *four)
    assert same(load(tmp_path / "a.safetensors")["w"], W[4:])


def test_any_rank_that_holds_a_copy_will_do(four, tmp_path):
    """Of a whole that rank 2 asks for, the files of its own row of the matrix are given."""
    layouts = {"w": FOUR["w"]}
    src = write_strategy(tmp_path / "src.ckpt", layouts)
    folder = Path(write_ranks(tmp_path / "4", VALUES, layouts))
    assert ms.rank_list_for_transform(2, src) == [3, 2]
    files = {r: str(folder / f"rank_{r}/net-1_10.ckpt") for r in (2, 3)}
    ms.transform_checkpoint_by_rank(2, files, str(tmp_path / "a.ckpt"), src)
    assert same(load(tmp_path / "a.ckpt")["w"], W)


# -------------------------------------------------------------------------------------- pipelines

STAGES = (
    {"emb": layout([1, 2], [0, -1]), "w0": layout([1, 2], [-1, 0])},
    {"emb": layout([1, 2], [-1, 0]), "w1": layout([1, 2], [0, -1])},
)
PIPELINE = {"emb": W, "w0": W + 100, "w1": W + 200}


@pytest.fixture
def pipeline(tmp_path):
    """The merged strategy of two stages of two ranks, that of two ranks, and the former's name."""
    for stage, layouts in enumerate(STAGES):
        write_strategy(tmp_path / f"stages/{stage}.ckpt", layouts, stage)
    merged = str(tmp_path / "merged.ckpt")
    ms.merge_pipeline_strategys(str(tmp_path / "stages"), merged)
    flat = {name: layout([2], [0, -1]) for name in PIPELINE}
    return merged, write_strategy(tmp_path / "flat.ckpt", flat), flat


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_pipelines_to_one_stage_and_back(format, pipeline, tmp_path):
    merged, flat_file, flat = pipeline
    for stage, layouts in enumerate(STAGES):
        write_ranks(tmp_path / "pp", PIPELINE, layouts, format, first=2 * stage)
    lists = [ms.rank_list_for_transform(r, merged, merged) for r in range(4)]
    assert lists == [[2, 0], [3, 1], [3, 2, 1, 0], [3, 2, 1, 0]]  # MindSpore's
    for old, new, src, dst in (
        ("pp", "flat", merged, flat_file),
        ("flat", "pp2", flat_file, merged),
        ("pp2", "whole", merged, None),
    ):
        ms.transform_checkpoints(
            str(tmp_path / old), str(tmp_path / new), "n", src, dst, output_format=format
        )
    for rank in range(2):
        loaded = load(tmp_path / f"flat/rank_{rank}/n{rank}.{format}")
        assert all(same(loaded[n], part(PIPELINE[n], entry, rank)) for n, entry in flat.items())
    for rank in range(4):
        loaded = load(tmp_path / f"pp2/rank_{rank}/n{rank}.{format}")
        layouts = STAGES[rank // 2]
        assert set(loaded) == set(layouts)
        for name, entry in layouts.items():
            assert same(loaded[name], part(PIPELINE[name], entry, rank % 2))
    loaded = load(tmp_path / f"whole/rank_0/n0.{format}")
    assert all(same(loaded[name], value) for name, value in PIPELINE.items())


def test_of_a_shared_parameter_the_first_stage_counts(pipeline, tmp_path):
    write_ranks(tmp_path / "pp", PIPELINE, STAGES[0])
    write_ranks(tmp_path / "pp", {**PIPELINE, "emb": W + 1000}, STAGES[1], first=2)
    ms.transform_checkpoints(str(tmp_path / "pp"), str(tmp_path / "1"), "n", pipeline[0])
    assert same(load(tmp_path / "1/rank_0/n0.ckpt")["emb"], W)


def test_stages_converted_one_by_one(pipeline, tmp_path):
    """Names of files as MindSpore's; the parts make one checkpoint."""
    _, flat_file, flat = pipeline
    for stage, layouts in enumerate(STAGES):
        own = tmp_path / f"stage{stage}"
        write_ranks(own, PIPELINE, layouts, first=2 * stage, extra=hyper)
        source = write_strategy(tmp_path / f"s{stage}.ckpt", layouts, stage)
        ms.transform_checkpoints(str(own), str(tmp_path / "new"), "n", source, flat_file)
    assert sorted(p.name for p in (tmp_path / "new/rank_1").iterdir()) == [
        "n1_part0.ckpt",
        "n1_part1.ckpt",
    ]
    result = ms.load_segmented_checkpoints(str(tmp_path / "new/rank_1"))
    assert all(same(result[n].asnumpy(), part(PIPELINE[n], e, 1)) for n, e in flat.items())
    assert result["global_step"].asnumpy() == 7


def test_a_stage_alone_is_not_taken_for_the_first(pipeline, tmp_path):
    source = write_strategy(tmp_path / "s1.ckpt", STAGES[1], 1)
    write_ranks(tmp_path / "pp", PIPELINE, STAGES[1], first=2)
    with pytest.raises(ValueError, match=r"s1\.ckpt' describes pipeline stage 1 alone"):
        ms.transform_checkpoints(str(tmp_path / "pp"), str(tmp_path / "new"), "n", source)


# ----------------------------------------------------------------------- what no strategy describes


def test_the_state_of_an_optimizer_is_left_out_for_prediction(four, tmp_path, caplog):
    """MindSpore copies a part of it under the name of the whole."""
    predict = write_strategy(tmp_path / "predict.ckpt", {n: TWO[n] for n in ("w", "b")})
    write_ranks(tmp_path / "4", VALUES, FOUR, extra=hyper)
    with caplog.at_level(logging.WARNING, "agar"):
        ms.transform_checkpoints(
            str(tmp_path / "4"), str(tmp_path / "2"), "n", four[0], predict, process_num=2
        )
    assert set(load(tmp_path / "2/rank_1/n1.ckpt")) == {"w", "b", "global_step", "lr"}
    said = [r.getMessage() for r in caplog.records if "adam_m.w" in r.getMessage()]
    assert len(said) == 1
    assert f"'{predict}' does not say how it shall be split: it is left out." in said[0]


def test_values_of_their_own_rank(four, tmp_path, caplog):
    """Each rank gets the value of the rank at its place, as in MindSpore; a warning names it."""
    write_ranks(tmp_path / "4", VALUES, FOUR, extra=lambda rank: {"seed": np.array([rank])})
    with caplog.at_level(logging.WARNING, "agar"):
        ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "2"), "n", *four)
    assert [load(tmp_path / f"2/rank_{r}/n{r}.ckpt")["seed"] for r in (0, 1)] == [[0], [1]]
    assert sum("'seed', and its value differs" in r.getMessage() for r in caplog.records) == 1


def test_texts_are_carried_over(four, tmp_path):
    for rank in range(4):
        path = tmp_path / f"4/rank_{rank}/a.ckpt"
        path.parent.mkdir(parents=True)
        ms.save_checkpoint(
            [{"name": n, "data": ms.Tensor(part(VALUES[n], e, rank))} for n, e in FOUR.items()],
            str(path),
            append_dict={"note": "first run"},
        )
    ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "1"), "n", four[0])
    assert ms.load_checkpoint(str(tmp_path / "1/rank_0/n0.ckpt"))["note"] == "first run"


def test_a_parameter_that_only_the_target_splits_raises(four, tmp_path):
    source = write_strategy(tmp_path / "src.ckpt", {"b": FOUR["b"]})
    write_ranks(tmp_path / "4", VALUES, FOUR)
    with pytest.raises(ValueError, match=r"'w' is split by the strategy file .*two\.ckpt'"):
        ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "2"), "n", source, four[1])


# ------------------------------------------------------------------------------ files in folders


def test_of_several_files_the_last_is_taken(four, tmp_path):
    """.ckpt by their names, .safetensors by the last two numbers, as in MindSpore."""
    for format, last in (("ckpt", "a-9_1"), ("safetensors", "a-10_1")):
        folder = tmp_path / format
        for name, offset in (("a-9_1", 9), ("a-10_1", 10)):
            values = {name_: v + v.dtype.type(offset) for name_, v in VALUES.items()}
            write_ranks(folder, values, FOUR, format, name=name)
        new = tmp_path / f"new_{format}"
        ms.transform_checkpoints(str(folder), str(new), "n", four[0], output_format=format)
        expected = W + (9 if last == "a-9_1" else 10)
        assert same(load(new / f"rank_0/n0.{format}")["w"], expected)


def test_parts_of_different_steps_make_no_checkpoint(four, tmp_path):
    """A run that was killed while it saved leaves one more file in some folders."""
    write_ranks(tmp_path / "4", VALUES, FOUR, name="a-1_10")
    shutil.copy(tmp_path / "4/rank_2/a-1_10.ckpt", tmp_path / "4/rank_2/a-1_20.ckpt")
    with pytest.raises(ValueError, match=r"different epochs or steps: .*a-1_10.*rank 0.*a-1_20"):
        ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "1"), "n", four[0])


def test_names_with_the_rank_in_the_place_of_the_epoch(four, tmp_path):
    write_ranks(tmp_path / "4", VALUES, FOUR)
    for rank in range(4):
        folder = tmp_path / f"4/rank_{rank}"
        (folder / "net-1_10.ckpt").rename(folder / f"net-{rank}_4.ckpt")
    ms.transform_checkpoints(str(tmp_path / "4"), str(tmp_path / "1"), "n", four[0])
    assert same(load(tmp_path / "1/rank_0/n0.ckpt")["w"], W)


# -------------------------------------------------------------------------- errors, and atomicity


class Case:
    """A conversion from four ranks to two into a folder that has files already."""

    def __init__(self, tmp_path, four):
        self.src, self.dst = four
        self.tmp = tmp_path
        self.source = Path(write_ranks(tmp_path / "4", VALUES, FOUR, extra=hyper))
        self.target = tmp_path / "2"
        (self.target / "rank_0").mkdir(parents=True)
        (self.target / "rank_0/n0.ckpt").write_bytes(b"before")
        self.before = tree(self.target)

    def file(self, rank):
        return self.source / f"rank_{rank}/net-1_10.ckpt"

    def refused(self, match, error=ValueError, **changed):
        arguments = {
            "src_checkpoints_dir": str(self.source),
            "dst_checkpoints_dir": str(self.target),
            "ckpt_prefix": "n",
            "src_strategy_file": self.src,
            "dst_strategy_file": self.dst,
            **changed,
        }
        with pytest.raises(error, match=match):
            ms.transform_checkpoints(**arguments)
        assert tree(self.target) == self.before


@pytest.fixture
def case(tmp_path, four):
    return Case(tmp_path, four)


def rewrite(path, **changed):
    values = {n: ms.Tensor(v) for n, v in {**load(path), **changed}.items() if v is not None}
    ms.save_checkpoint([{"name": n, "data": v} for n, v in values.items()], str(path))


def test_a_missing_file_raises_and_changes_nothing(case):
    shutil.rmtree(case.source / "rank_1")
    case.refused("the checkpoint file of rank 1 is needed for converting rank 0's checkpoint")


@pytest.mark.parametrize("process_num", [1, 4])
def test_a_missing_parameter_names_file_rank_and_parameter(case, process_num):
    # rank 3 has a part that only rank 1 of the target needs, so rank 0 is written before
    for rank in (1, 3):
        rewrite(case.file(rank), w=None)
    case.refused(
        rf"'{case.file(1)}' of rank 1 has no 'w', which is needed for converting rank \d's",
        process_num=process_num,
    )


def test_a_part_of_another_shape_or_type_names_both_files(case):
    rewrite(case.file(1), w=np.zeros((8, 3), np.float32))
    case.refused(
        rf"parts of 'w' differ: torch.float32 of shape \(8, 4\) in '{case.file(0)}' of rank 0, but "
        rf"torch.float32 of shape \(8, 3\) in '{case.file(1)}' of rank 1"
    )
    rewrite(case.file(1), w=np.zeros((8, 4), np.float16))
    case.refused(r"torch.float16 of shape \(8, 4\) in .* of rank 1")


def test_a_shape_that_does_not_fit_names_file_and_parameter(case):
    for rank in range(4):
        rewrite(case.file(rank), w=np.zeros((3, 4), np.float32))
    case.refused(rf"'w' in '{case.file(0)}' of rank 0 does not fit .* 0 of shape \(3, 8\) cannot")
    for rank in range(4):
        rewrite(case.file(rank), w=np.zeros(4, np.float32))
    case.refused("tensor map has 2 dimensions, but the tensor has the shape")


def test_a_damaged_file_names_file_and_rank(case):
    content = case.file(2).read_bytes()
    case.file(2).write_bytes(content[:-5])
    case.refused(rf"'{case.file(2)}' of rank 2 cannot be read")


def test_a_text_in_place_of_a_part_raises(case):
    path = case.file(1)
    values = {n: ms.Tensor(v) for n, v in load(path).items() if n != "w"}
    ms.save_checkpoint(
        [{"name": n, "data": v} for n, v in values.items()], str(path), append_dict={"w": "text"}
    )
    case.refused("'w' is a text in")


def test_strategies_that_do_not_belong_to_the_files(case, tmp_path):
    other = write_strategy(tmp_path / "other.ckpt", {"x": layout([4], [0])})
    case.refused("none of the parameters", src_strategy_file=other, dst_strategy_file=None)
    flat = write_strategy(tmp_path / "flat.ckpt", {"w": layout([2], [0])})
    case.refused("'w' has 2 dimensions in .* but 1 in", dst_strategy_file=flat)
    case.refused("there is nothing to transform", src_strategy_file=None, dst_strategy_file=None)


def test_wrong_arguments(case, tmp_path):
    case.refused("should be a string", TypeError, src_checkpoints_dir=3)
    case.refused("should be a string", TypeError, dst_checkpoints_dir=3)
    case.refused("should be string", TypeError, dst_strategy_file=3)
    case.refused("one of build_searched_strategy", TypeError, src_strategy_file={"w": [1]})
    case.refused("should be a str", TypeError, ckpt_prefix=3)
    for prefix in ("../n", "a/b", "a\\b", ".."):
        case.refused("is not safe", ckpt_prefix=prefix)
    case.refused("'process_num' must be at least 1", process_num=0)
    case.refused("'process_num' must be an int", TypeError, process_num=1.0)
    case.refused("output_format must be", output_format="foo")
    case.refused("only contains ckpt file", output_format="safetensors")
    case.refused("can not be empty", src_checkpoints_dir=str(tmp_path / "none"))
    case.refused("no such strategy file", src_strategy_file=str(tmp_path / "none.ckpt"))
    case.refused("not a directory", NotADirectoryError, src_checkpoints_dir=case.src)
    case.refused("is a file path", NotADirectoryError, dst_checkpoints_dir=case.src)
    (case.source / "rank_01").mkdir()
    shutil.copy(case.file(1), case.source / "rank_01")
    case.refused("are both of rank 1")
    shutil.rmtree(case.source / "rank_01")
    (case.source / "rank_0/a.safetensors").write_bytes(b"")
    case.refused("both ckpt file and safetensors file")


def test_a_full_disk_leaves_everything_as_it_was(case, monkeypatch):
    codec = _formats.codec_of("ckpt")
    write, calls = codec.write, []

    def fail_on_the_second(path, entries, **options):
        calls.append(path)
        write(path, entries, **options)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(codec, "write", fail_on_the_second)
    case.refused("No space left", OSError)
    assert len(calls) == 2


def test_an_error_of_the_disk_names_the_file_that_was_to_be(case, monkeypatch):
    import agar._core.files as files

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    case.refused(r"The file '.*2.rank_0.n0\.ckpt' could not be written: No space", OSError)


def test_replaced_files_and_new_folders(case):
    (case.target / "rank_0/other.txt").write_text("stays")
    ms.transform_checkpoints(str(case.source), str(case.target), "n", case.src, case.dst)
    assert same(load(case.target / "rank_0/n0.ckpt")["w"], W[:4])
    assert sorted(tree(case.target)) == [
        "rank_0", "rank_0/n0.ckpt", "rank_0/other.txt", "rank_1", "rank_1/n1.ckpt",
    ]  # fmt: skip


def test_the_source_may_be_the_target(case):
    """The new files lie beside the old ones, which stay."""
    ms.transform_checkpoints(str(case.source), str(case.source), "z", case.src, case.dst)
    assert same(load(case.source / "rank_1/z1.ckpt")["w"], W[4:])
    assert same(load(case.file(3))["w"], part(W, FOUR["w"], 3))


def test_one_rank_refuses(four, tmp_path):
    src, dst = four
    folder = Path(write_ranks(tmp_path / "4", VALUES, FOUR))
    files = {r: str(folder / f"rank_{r}/net-1_10.ckpt") for r in range(4)}
    target = tmp_path / "a.ckpt"

    def refused(match, error=ValueError, rank=0, files=files, file=str(target), dst=dst):
        with pytest.raises(error, match=match):
            ms.transform_checkpoint_by_rank(rank, files, file, src, dst)
        assert not target.exists()

    refused("rank_id should be a int", TypeError, rank="0")
    refused("rank_id is 2, but there are 2 ranks", rank=2)
    refused("rank_id is -1", rank=-1)
    refused("should be a dict", TypeError, files=[files[0]])
    refused("should be a rank", TypeError, files={"0": files[0]})
    refused("should not be empty", files={})
    refused("of rank 1 does not exist", files={**files, 1: str(tmp_path / "none.ckpt")})
    refused("should end with .ckpt", file=str(tmp_path / "a.safetensors"))
    refused("should be a string", TypeError, file=3)
    refused("rank 1 is needed for converting rank 0's", files={0: files[0]})
    with pytest.raises(TypeError, match="rank_id should be a int"):
        ms.rank_list_for_transform(True)
    with pytest.raises(ValueError, match="rank_id is 4, but there are 4 ranks"):
        ms.rank_list_for_transform(4, src)
    assert ms.rank_list_for_transform(7) == [0]


def test_files_without_copies_are_refused(four, tmp_path):
    """They may lack a parameter in every file that is needed, which nobody would notice."""
    from safetensors.torch import save_file

    write_ranks(tmp_path / "4", VALUES, FOUR, "safetensors")
    path = tmp_path / "4/rank_1/net-1_10.safetensors"
    values = {"b": torch.zeros(2, dtype=torch.float16)}
    save_file(values, path, metadata={"format": "ms", "remove_redundancy": "True"})
    with pytest.raises(ValueError, match="of rank 1 was saved with remove_redundancy"):
        ms.transform_checkpoints(
            str(tmp_path / "4"), str(tmp_path / "1"), "n", four[0], output_format="safetensors"
        )


def test_a_pipeline_of_single_devices(tmp_path):
    """MindSpore writes no device matrices then, and does not convert such files."""
    strategy = tmp_path / "pp.ckpt"
    strategy.write_bytes(
        message({"0-w": layout([], []), "1-b": layout([], [])}).SerializeToString()
    )
    write_ranks(tmp_path / "pp", VALUES, {"w": layout([1], [-1, -1])})
    write_ranks(tmp_path / "pp", VALUES, {"b": layout([1], [-1])}, first=1)
    ms.transform_checkpoints(str(tmp_path / "pp"), str(tmp_path / "1"), "n", str(strategy))
    loaded = load(tmp_path / "1/rank_0/n0.ckpt")
    assert same(loaded["w"], W)
    assert same(loaded["b"], B)
