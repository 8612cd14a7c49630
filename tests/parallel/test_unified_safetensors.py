"""Safetensors files of all ranks merged into files of whole parameters."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

import agar as ms
from agar.train._sharded import unified
from parallel.sharded import layout, load, part, same, tree, write_ranks, write_strategy

W = np.arange(64, dtype=np.float32).reshape(8, 8)
LAYOUTS = {
    "w": layout([2, 2], [-1, 0]),
    "b": layout([2, 2], [0]),
    "adam_m.w": layout([2, 2], [-1, 0], 2, 2),
    "accu_grads.w": layout([2, 2], [-1, 0]),
}
VALUES = {
    "w": W,
    "b": np.arange(8, dtype=np.float16),
    "adam_m.w": W + 100,
    "accu_grads.w": W + 200,
}
WHOLE = ("w", "b", "adam_m.w")


def hyper(rank):
    return {"global_step": np.array(7, np.int32)}


@pytest.fixture
def strategy(tmp_path):
    return write_strategy(tmp_path / "strategy.ckpt", LAYOUTS)


@pytest.fixture
def source(tmp_path):
    return write_ranks(tmp_path / "src", VALUES, LAYOUTS, "safetensors", extra=hyper)


def test_files_are_those_of_mindspore(source, strategy, tmp_path):
    ms.unified_safetensors(source, strategy, str(tmp_path / "new"))
    assert sorted(tree(tmp_path / "new")) == [
        "hyper_param.safetensors", "param_name_map.json", "part0.safetensors",
    ]  # fmt: skip
    content = json.loads((tmp_path / "new/param_name_map.json").read_text())
    assert content["metadata"] == {"total_size": 528}  # MindSpore's figure
    assert content["weight_map"] == dict.fromkeys(WHOLE, "part0.safetensors")
    loaded = load(tmp_path / "new/part0.safetensors")
    assert set(loaded) == set(WHOLE)
    assert all(same(loaded[name], VALUES[name]) for name in WHOLE)
    assert load(tmp_path / "new/hyper_param.safetensors") == {"global_step": 7}


def test_names_are_chosen_and_changed(source, strategy, tmp_path):
    def choose(name):
        return "W" if name == "w" else name != "b"

    ms.unified_safetensors(source, strategy, str(tmp_path / "new"), choice_func=choose)
    content = json.loads((tmp_path / "new/param_name_map.json").read_text())
    assert content["metadata"] == {"total_size": 512}
    assert set(content["weight_map"]) == {"W", "adam_m.w"}
    loaded = load(tmp_path / "new/part0.safetensors")
    assert same(loaded["W"], W)
    assert "b" not in {*loaded, *load(tmp_path / "new/hyper_param.safetensors")}


def test_large_programs_make_several_files(source, strategy, tmp_path, monkeypatch):
    monkeypatch.setattr(unified, "_PART_BYTES", 260)
    ms.unified_safetensors(source, strategy, str(tmp_path / "new"), max_process_num=3)
    where = json.loads((tmp_path / "new/param_name_map.json").read_text())["weight_map"]
    # the largest first, each to the smallest file
    assert where == {
        "adam_m.w": "part0.safetensors",
        "w": "part1.safetensors",
        "b": "part2.safetensors",
    }
    for name, file in where.items():
        loaded = load(tmp_path / "new" / file)
        assert list(loaded) == [name]
        assert same(loaded[name], VALUES[name])
    for number in (1, 2):
        ms.unified_safetensors(source, strategy, str(tmp_path / "new2"), split_dst_file=(number, 2))
        names = [name for name in tree(tmp_path / "new2") if name.startswith("part")]
        assert len(names) == (2, 3)[number - 1]
    assert tree(tmp_path / "new2") == tree(tmp_path / "new")


def deduplicated(tmp_path, marked=True):
    """Files of which each copy is in one file alone: w in that of rank 2 and 1, b in 0 and 3."""
    for rank, names in enumerate((["b"], ["w"], ["w"], ["b"])):
        values = {n: torch.from_numpy(part(VALUES[n], LAYOUTS[n], rank)) for n in names}
        values["adam_m.w"] = torch.from_numpy(part(VALUES["adam_m.w"], LAYOUTS["adam_m.w"], rank))
        path = tmp_path / f"d/rank_{rank}/a.safetensors"
        path.parent.mkdir(parents=True)
        metadata = {"format": "ms", "remove_redundancy": "True"} if marked else {"format": "ms"}
        save_file(values, path, metadata=metadata)
    return str(tmp_path / "d")


def test_copies_that_were_removed_are_found_in_other_files(strategy, tmp_path, caplog):
    folder = deduplicated(tmp_path)
    new = str(tmp_path / "new")
    ms.unified_safetensors(folder, strategy, new, merge_with_redundancy=False)
    with caplog.at_level(logging.WARNING, "agar"):
        ms.unified_safetensors(folder, strategy, new)  # the files say it themselves
    assert "was saved with remove_redundancy" in caplog.text
    loaded = load(tmp_path / "new/part0.safetensors")
    assert all(same(loaded[name], VALUES[name]) for name in WHOLE)


def test_without_the_mark_a_lacking_part_raises(strategy, tmp_path):
    folder = deduplicated(tmp_path, marked=False)
    with pytest.raises(ValueError, match=r"rank_0.a\.safetensors' of rank 0 has no 'w'"):
        ms.unified_safetensors(folder, strategy, str(tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_stages_of_a_pipeline(tmp_path):
    """The values of later stages that no strategy describes are there too."""
    layouts = ({"a": layout([2], [0, -1])}, {"b": layout([2], [-1, 0])})
    for stage, entry in enumerate(layouts):
        write_strategy(tmp_path / f"s/{stage}.ckpt", entry, stage)
        write_ranks(
            tmp_path / "src", {"a": W, "b": W + 1}, entry, "safetensors", 2 * stage,
            extra=lambda rank, stage=stage: {f"mean{stage}": np.array([1.0 + stage])},
        )  # fmt: skip
    merged = str(tmp_path / "merged.ckpt")
    ms.merge_pipeline_strategys(str(tmp_path / "s"), merged)
    ms.unified_safetensors(str(tmp_path / "src"), merged, str(tmp_path / "new"))
    loaded = load(tmp_path / "new/part0.safetensors")
    assert same(loaded["a"], W)
    assert same(loaded["b"], W + 1)
    assert load(tmp_path / "new/hyper_param.safetensors") == {"mean0": 1.0, "mean1": 2.0}


@pytest.mark.parametrize(
    ("suffix", "names", "chosen"),
    [
        (None, ["a-2_9", "a-10_9", "a-9_9"], "a-10_9"),
        ("9", ["a_9", "a_19"], "a_9"),
        ("_9", ["a_9", "b_19"], "a_9"),
        ("10_9", ["a-10_9", "a-110_9"], "a-10_9"),
        ("1-10_9", ["rank0_1-10_9", "rank_1-10_9"], "rank0_1-10_9"),
        ("_1-10_9", ["net_1-10_9", "rank_1-10_9"], "net_1-10_9"),
        ("10_9", ["net-10_9", "networks-10_9"], "net-10_9"),
        ("step", ["a_step", "b"], "a_step"),
        ("step", ["a_step", "b_step"], ValueError),
        ("9", ["a_9", "b_9"], ValueError),
        ("7", ["a_9"], ValueError),
    ],
)
def test_the_end_of_a_name_chooses_the_file(suffix, names, chosen, strategy, tmp_path):
    for offset, name in enumerate(names):
        values = {n: v + v.dtype.type(offset) for n, v in VALUES.items()}
        write_ranks(tmp_path / "src", values, LAYOUTS, "safetensors", name=name)
    arguments = (str(tmp_path / "src"), strategy, str(tmp_path / "new"))
    if chosen is ValueError:
        with pytest.raises(ValueError, match="longest common suffix"):
            ms.unified_safetensors(*arguments, file_suffix=suffix)
        return
    ms.unified_safetensors(*arguments, file_suffix=suffix)
    loaded = load(tmp_path / "new/part0.safetensors")
    assert same(loaded["w"], W + np.float32(names.index(chosen)))


def test_wrong_arguments_change_nothing(source, strategy, tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new/part0.safetensors").write_bytes(b"before")
    before = tree(tmp_path / "new")

    def refused(match, error=ValueError, **changed):
        given = {
            "src_dir": source,
            "src_strategy_file": strategy,
            "dst_dir": str(tmp_path / "new"),
            **changed,
        }
        with pytest.raises(error, match=match):
            ms.unified_safetensors(**given)
        assert tree(tmp_path / "new") == before

    refused("can not be a file", src_dir=strategy)
    refused("file of rank 0 is needed", src_dir=str(tmp_path / "none"))
    refused("should be a string", TypeError, src_dir=3)
    refused("is a file path", NotADirectoryError, dst_dir=strategy)
    refused("'src_strategy_file' must be given", src_strategy_file=None)
    refused("must be a bool", TypeError, merge_with_redundancy=1)
    refused("must be a str", TypeError, file_suffix=3)
    refused("must be callable", TypeError, choice_func=3)
    refused("must be bool or str, but got <class 'int'> for", choice_func=lambda name: 3)
    refused("the same name 'x'", choice_func=lambda name: "x")
    refused("chose none", choice_func=lambda name: False)
    refused("'max_process_num' must be at least 1", max_process_num=0)
    for wrong in ((1,), (0, 2), (3, 2), (1.0, 2), 3, (True, 2)):
        refused(r"must be \(i, n\)", split_dst_file=wrong)
    other = write_strategy(tmp_path / "other.ckpt", {"x": layout([2, 2], [0])})
    refused("no parameter of the strategy file", src_strategy_file=other)
    alone = write_strategy(tmp_path / "alone.ckpt", LAYOUTS, stage=1)
    refused("describes pipeline stage 1 alone", src_strategy_file=alone)
    two = write_strategy(tmp_path / "two.ckpt", {"w": layout([2], [0, -1])})
    refused(r"rank_2.*describes 2 ranks", src_strategy_file=two)
    (tmp_path / "src/rank_0/a.ckpt").write_bytes(b"")
    refused("both ckpt file and safetensors file")
    (tmp_path / "src/rank_0/a.ckpt").unlink()
    (tmp_path / "src/rank_1/net-1_10.safetensors").write_bytes(b"damaged")
    refused(r"rank_1.net-1_10\.safetensors'")
