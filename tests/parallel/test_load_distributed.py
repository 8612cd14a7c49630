"""Checkpoints of split programs put into a network, and into the files of another layout."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar import nn
from agar.parallel.auto_parallel import AutoParallel
from agar.train._sharded import loading
from parallel.sharded import layout, load, message, part, same, tree, write_ranks, write_strategy

W = np.arange(64, dtype=np.float32).reshape(8, 8)
B = np.arange(8, dtype=np.float16)
FOUR = {"w": layout([2, 2], [-1, 0], 2, 2), "b": layout([2, 2], [0])}
VALUES = {"w": W, "b": B}


class Net(nn.Cell):
    def __init__(self, w=(8, 8), b=(8,)):
        super().__init__()
        self.w = ms.Parameter(ms.Tensor(np.zeros(w, np.float32)), name="w")
        self.b = ms.Parameter(ms.Tensor(np.zeros(b, np.float16)), name="b")

    def holds(self, w, b):
        return same(self.w.asnumpy(), w) and same(self.b.asnumpy(), b)


@pytest.fixture
def parts(tmp_path):
    """The files of four ranks, and their strategy."""
    folder = Path(write_ranks(tmp_path / "4", VALUES, FOUR))
    files = [str(folder / f"rank_{rank}/net-1_10.ckpt") for rank in range(4)]
    return files, write_strategy(tmp_path / "four.ckpt", FOUR)


@pytest.fixture
def whole(tmp_path, parts):
    """A folder of unified_safetensors."""
    folder = write_ranks(
        tmp_path / "s", VALUES, FOUR, "safetensors", extra=lambda rank: {"step": np.array([3])}
    )
    ms.unified_safetensors(folder, parts[1], str(tmp_path / "u"))
    return str(tmp_path / "u")


# ------------------------------------------------------------------------------------- .ckpt files


def test_the_parts_of_all_ranks_fill_a_network(parts):
    net = Net()
    assert ms.load_distributed_checkpoint(net, parts[0], None, parts[1]) is True
    assert net.holds(W, B)


@pytest.mark.parametrize("rank", [0, 1])
def test_each_process_takes_its_part(rank, parts, monkeypatch):
    monkeypatch.setattr(loading, "get_rank", lambda group="": rank)
    predict = {"w": [[2], [0, -1], [], 0, True, ""], "b": ([1], [-1], [], 0)}
    net = Net((4, 8))
    assert ms.load_distributed_checkpoint(net, parts[0], predict, parts[1])
    assert net.holds(W[4 * rank :][:4], B)


def test_a_group_shares_optimizer_shards(parts, monkeypatch):
    monkeypatch.setattr(loading, "get_rank", lambda group="": 1)
    monkeypatch.setattr(loading, "get_group_size", lambda group: 4)
    predict = {"w": [[4], [-1, -1], [], 0, True, "dp"], "b": [[4], [-1], [], 0, True, ""]}
    net = Net((2, 8))
    ms.load_distributed_checkpoint(net, parts[0], predict, parts[1])
    assert net.holds(W[2:4], B)
    monkeypatch.setattr(loading, "get_group_size", lambda group: 3)
    with pytest.raises(ValueError, match=r"'w' has the shape \(8, 8\), which the 3 processes"):
        ms.load_distributed_checkpoint(net, parts[0], predict, parts[1])


def test_the_strategy_file_that_the_program_has_set(parts):
    net = Net()
    ms.set_auto_parallel_context(strategy_ckpt_load_file=parts[1])
    ms.load_distributed_checkpoint(net, parts[0])
    assert net.holds(W, B)
    ms.reset_auto_parallel_context()
    net = AutoParallel(Net())
    net.save_param_strategy_file(parts[1])
    ms.load_distributed_checkpoint(net, parts[0])
    assert net.network.holds(W, B)
    with pytest.raises(ValueError, match="no such strategy file"):
        ms.load_distributed_checkpoint(Net(), parts[0])


def test_what_is_not_in_the_files_is_said(parts, tmp_path, caplog):
    class More(Net):
        def __init__(self):
            super().__init__()
            self.c = ms.Parameter(ms.Tensor([1.0]), name="c")
            self.d = ms.Parameter(ms.Tensor([1.0]), name="d")

    strategy = write_strategy(tmp_path / "more.ckpt", {**FOUR, "d": layout([2, 2], [-1])})
    net = More()
    with caplog.at_level(logging.WARNING, "agar"):
        ms.load_distributed_checkpoint(net, parts[0], None, strategy)
    assert net.holds(W, B)
    assert "not in the strategies, and are not loaded: ['c']" in caplog.text
    assert "not in the checkpoint files, and are not loaded: ['d']" in caplog.text


def test_wrong_ckpt_arguments_fill_nothing(parts, tmp_path):
    files, strategy = parts
    net = Net()

    def refused(match, *arguments, **more):
        with pytest.raises(ValueError, match=match):
            ms.load_distributed_checkpoint(*arguments, **more)
        assert net.holds(np.zeros_like(W), np.zeros_like(B))

    refused("length of 'checkpoint_filenames' is 2 and", net, files[:2], None, strategy)
    refused("'network' must be a Cell", None, files, None, strategy)
    refused("'network' must be a Cell", 3, files, None, strategy)
    refused("at index 1 is a valid", net, [files[0], "x", *files[2:]], None, strategy)
    refused("must be a list of files", net, files[0], None, strategy)
    refused("must be 'ckpt' or 'safetensors'", net, files, format="x")
    for wrong in ({"w": [1]}, {"w": [[2], [5], [], 0]}, {"w": [[2], [0], [1], 0]}, {3: [[2], [0]]}):
        refused("'predict_strategy' is dict, the key", net, files, wrong, strategy)
    refused("must be a dict when format is 'ckpt'", net, files, "a.ckpt", strategy)
    refused("'rank_id' must be left out", net, files, None, strategy, rank_id=1)
    flat = {"w": [[2], [0], [], 0], "b": [[1], [-1], [], 0]}
    refused("'w' in .* does not fit", net, files, flat, strategy)
    Path(files[3]).write_bytes(b"damaged")
    refused(r"rank_3.net-1_10\.ckpt' of rank 3 cannot be read", net, files, None, strategy)


# ------------------------------------------------------------------------------------- safetensors


def test_unified_files_fill_a_network(whole):
    net = Net()
    loaded = ms.load_distributed_checkpoint(
        net, format="safetensors", unified_safetensors_dir=whole
    )
    assert loaded == ([], ["step"])
    assert net.holds(W, B)
    values = ms.load_distributed_checkpoint(
        Net(), format="safetensors", unified_safetensors_dir=whole, return_param_dict=True
    )
    assert {name: value.shape for name, value in values.items()} == {
        "w": (8, 8),
        "b": (8,),
        "step": (1,),
    }


@pytest.mark.parametrize("rank", [0, 1])
def test_each_process_takes_its_part_of_unified_files(rank, whole, tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "get_rank", lambda group="": rank)
    two = {"w": layout([2], [0, -1]), "b": layout([2], [0])}
    strategy = write_strategy(tmp_path / "two.ckpt", two)
    given = {"format": "safetensors", "unified_safetensors_dir": whole}
    net = Net((4, 8), (4,))
    ms.load_distributed_checkpoint(net, predict_strategy=strategy, **given)
    assert net.holds(part(W, two["w"], rank), part(B, two["b"], rank))
    ms.load_distributed_checkpoint(net, predict_strategy=strategy, rank_id=rank, **given)
    with pytest.raises(ValueError, match="'rank_id' is 5, but with a network"):
        ms.load_distributed_checkpoint(net, predict_strategy=strategy, rank_id=5, **given)
    monkeypatch.setattr(loading, "get_rank", lambda group="": 2)
    with pytest.raises(ValueError, match="rank 2, but the 'predict_strategy' describes 2 ranks"):
        ms.load_distributed_checkpoint(net, predict_strategy=strategy, **given)


@pytest.mark.parametrize("format", ["safetensors", "ckpt"])
def test_files_of_every_rank(format, whole, tmp_path):
    two = {"w": layout([2], [0, -1]), "b": layout([2], [0])}
    given = {
        "predict_strategy": write_strategy(tmp_path / "two.json", two),
        "format": "safetensors",
        "unified_safetensors_dir": whole,
        "output_format": format,
    }
    all_, one = tmp_path / "all", tmp_path / "one"
    assert ms.load_distributed_checkpoint(None, dst_safetensors_dir=str(all_), **given) is True
    for rank in range(2):
        loaded = load(all_ / f"rank_{rank}/net.{format}")
        assert set(loaded) == {"w", "b", "step"}
        assert all(same(loaded[n], part(VALUES[n], e, rank)) for n, e in two.items())
    ms.load_distributed_checkpoint(None, dst_safetensors_dir=str(one), rank_id=1, **given)
    assert sorted(tree(one)) == ["rank_1", f"rank_1/net.{format}"]
    with pytest.raises(ValueError, match="'rank_id' is 2, but"):
        ms.load_distributed_checkpoint(None, dst_safetensors_dir=str(one), rank_id=2, **given)
    with pytest.raises(TypeError, match="'rank_id' must be an int"):
        ms.load_distributed_checkpoint(None, dst_safetensors_dir=str(one), rank_id="2", **given)
    with pytest.raises(ValueError, match="'dst_safetensors_dir' can not be None"):
        ms.load_distributed_checkpoint(None, **given)


def test_the_whole_for_one_rank(whole, tmp_path):
    ms.load_distributed_checkpoint(
        None,
        format="safetensors",
        unified_safetensors_dir=whole,
        dst_safetensors_dir=str(tmp_path / "new"),
        rank_id=0,
    )
    assert same(load(tmp_path / "new/rank_0/net.safetensors")["w"], W)


def test_names_that_differ(whole):
    given = {
        "format": "safetensors",
        "unified_safetensors_dir": whole,
        "return_param_dict": True,
    }
    values = ms.load_distributed_checkpoint(Net(), name_map={"head": "w", "tail": "w"}, **given)
    assert set(values) == {"head", "tail", "b", "step"}
    assert same(values["tail"].asnumpy(), W)
    with pytest.raises(ValueError, match=r"names that no file has: \['x'\]"):
        ms.load_distributed_checkpoint(Net(), name_map={"w": "x"}, **given)
    with pytest.raises(ValueError, match=r"parameters of their own of these names.*\['b'\]"):
        ms.load_distributed_checkpoint(Net(), name_map={"b": "w"}, **given)
    with pytest.raises(TypeError, match="'name_map' must be a dict"):
        ms.load_distributed_checkpoint(Net(), name_map=["w"], **given)


def test_wrong_safetensors_arguments(whole, tmp_path):
    def refused(match, **changed):
        given = {"format": "safetensors", "unified_safetensors_dir": whole, **changed}
        with pytest.raises(ValueError, match=match):
            ms.load_distributed_checkpoint(Net(), **given)

    refused("can not be None", unified_safetensors_dir=None)
    refused("is not a directory", unified_safetensors_dir=str(tmp_path / "none"))
    refused("'checkpoint_filenames' must be left out", checkpoint_filenames=["a"])
    refused("'strict_load' must be left out", strict_load=True)
    refused("'dec_mode' must be left out", dec_mode="AES-CBC")
    refused("'max_process_num' must be at least 1", max_process_num=0)
    flat = write_strategy(tmp_path / "flat.ckpt", {"w": layout([2], [0])})
    refused("'w' in .* does not fit", predict_strategy=flat)
    splits = write_strategy(tmp_path / "step.ckpt", {"step": layout([2], [0])})
    refused("'step' is in 'hyper_param.safetensors'", predict_strategy=splits)
    (tmp_path / "empty").mkdir()
    refused("must be included", unified_safetensors_dir=str(tmp_path / "empty"))


def test_a_hostile_map_of_names_raises(whole, tmp_path):
    path = Path(whole) / "param_name_map.json"

    def refused(content, match):
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        with pytest.raises(ValueError, match=match):
            ms.load_distributed_checkpoint(
                Net(), format="safetensors", unified_safetensors_dir=whole
            )

    refused("{", "param_name_map.json' cannot be used")
    refused("[" * 100_000, "param_name_map.json' cannot be used")
    refused("[1]", "param_name_map.json' cannot be used")
    refused({"weight_map": {"w": 3}}, "names of files by name")
    refused({"weight_map": {"w": "../s/rank_0/net-1_10.safetensors"}}, "files that are not there")
    refused({"weight_map": {"x": "part0.safetensors"}}, r"part0\.safetensors' has no 'x'")
    path.unlink()
    with pytest.raises(ValueError, match="there must be a JSON file named"):
        ms.load_distributed_checkpoint(Net(), format="safetensors", unified_safetensors_dir=whole)


# ------------------------------------------------------------------------ one parameter, one rank


def merged(parts, entry):
    parts = [ms.Parameter(ms.Tensor(np.array(p, np.float32)), name="w") for p in parts]
    strategy = {"w": message({"w": entry}).parallel_layout_item[0].parallel_layouts}
    return ms.merge_sliced_parameter(parts, strategy).asnumpy().tolist()


def test_parts_of_one_parameter():
    """The figures of MindSpore 2.10."""
    table = np.arange(16).reshape(4, 4)[:2, :2]
    assert merged([table + 100 * i for i in range(4)], layout([2, 2], [0, 1])) == [
        [0, 1, 200, 201],
        [4, 5, 204, 205],
        [100, 101, 300, 301],
        [104, 105, 304, 305],
    ]
    copies = [[i, i + 0.5] for i in range(4)]
    assert merged(copies, layout([2, 2], [0])) == [2.0, 2.5, 3.0, 3.5]
    assert merged([[[1]], [[2], [3]]], layout([2], [0, -1], lengths=[1, 2])) == [[1], [2], [3]]
    unequal = [[[1]], [[10]], [[2], [3]], [[20], [30]]]
    assert merged(unequal, layout([2, 2], [1, 0], lengths=[1, 1, 2, 2])) == [
        [1, 10],
        [2, 20],
        [3, 30],
    ]
    fields = [[[1], [2], [3], [4]], [[5], [6], [7], [8]]]
    expected = [[1], [2], [5], [6], [3], [4], [7], [8]]
    assert merged(fields, layout([2], [0, -1], field=2)) == expected


def test_parts_that_mindspore_does_not_merge():
    for entry in (layout([2, 2], [-1, 0], 2, 2), layout([2, 2], [[1, 0], [-1]])):
        assert merged([part(W, entry, rank) for rank in range(4)], entry) == W.tolist()


@pytest.mark.parametrize(
    ("parts", "entry", "match"),
    [
        ([[1], [2]], layout([4], [0]), "'sliced_parameters' is 2, but device_count is 4"),
        ([[1], [2, 3]], layout([2], [0]), "shapes of the parts should be the same"),
        ([[1], [2]], layout([2], [0], lengths=[1, 2]), "slice 1 should be 2 in 0 axis, but got 1"),
        ([[1], [2]], layout([2], [0], lengths=[1]), "length should be 2, but got 1"),
        ([[1], [2]], layout([2], [0, -1]), "tensor map has 2 dimensions"),
        ([[1], [2]], layout([2], [0], field=2), "should have two axes"),
        ([[1], [2]], layout([2], [3]), "names the axis 3"),
    ],
)
def test_parts_that_do_not_fit(parts, entry, match):
    with pytest.raises(ValueError, match=match):
        merged(parts, entry)


def test_other_errors_of_parts():
    one = ms.Parameter(ms.Tensor([1.0]), name="w")
    with pytest.raises(KeyError, match="should be a key in the 'strategy'"):
        ms.merge_sliced_parameter([one], {"x": 3})
    with pytest.raises(ValueError, match="make sure that 'strategy' is correct"):
        ms.merge_sliced_parameter([one], {"w": 3})
    with pytest.raises(TypeError, match="should be dict"):
        ms.merge_sliced_parameter([one], [1])
    with pytest.raises(TypeError, match="at index 0"):
        ms.merge_sliced_parameter([ms.Tensor([1.0])])


def save(path, **values):
    ms.save_checkpoint([{"name": n, "data": ms.Tensor(v)} for n, v in values.items()], str(path))


def test_the_files_of_a_folder_are_one_checkpoint(tmp_path, caplog):
    save(tmp_path / "n_part0.ckpt", w=W, step=[1])
    save(tmp_path / "n_part1.ckpt", b=B, step=[1])
    (tmp_path / "other.txt").write_text("not read")
    with caplog.at_level(logging.WARNING, "agar"):
        result = ms.load_segmented_checkpoints(str(tmp_path))
    assert set(result) == {"w", "b", "step"}
    assert caplog.text == ""
    net = Net()
    chosen = ms.load_segmented_checkpoints(str(tmp_path), net, choice_func=lambda n: n != "step")
    assert set(chosen) == {"w", "b"}
    assert net.holds(W, B)
    save(tmp_path / "n_part2.ckpt", step=[2])
    with caplog.at_level(logging.WARNING, "agar"):
        assert ms.load_segmented_checkpoints(str(tmp_path))["step"].asnumpy() == [2]
    assert "'step' has another value in" in caplog.text


def test_wrong_folders_of_files(tmp_path):
    with pytest.raises(TypeError, match="'ckpt_file_dir' should be a string"):
        ms.load_segmented_checkpoints(3)
    with pytest.raises(ValueError, match="doesn't exist"):
        ms.load_segmented_checkpoints(str(tmp_path / "none"))
    with pytest.raises(ValueError, match=r"no \.ckpt file"):
        ms.load_segmented_checkpoints(str(tmp_path))
    save(tmp_path / "a.ckpt", w=W)
    with pytest.raises(ValueError, match="nothing of the files"):
        ms.load_segmented_checkpoints(str(tmp_path), choice_func=lambda name: False)
    (tmp_path / "b.ckpt").write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"b\.ckpt'"):
        ms.load_segmented_checkpoints(str(tmp_path))
