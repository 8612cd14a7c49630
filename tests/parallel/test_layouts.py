"""Which part of a tensor each device has, and whose parts another layout needs."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar.parallel.shard import Layout, _DistributedTensorInfo
from agar.train._sharded.layout import LayoutError, Sharding, pieces, ranks_to_gather
from parallel.sharded import layout, load, part, same, write_ranks, write_strategy

#: Layouts, the rank lists of MindSpore 2.10, and the shapes and SHA-256 of what it made of a tensor
#: that counts from 0, in int32.
CASES = json.loads((Path(__file__).parent / "oracle_layouts.json").read_text(encoding="utf-8"))


def sharding(entry):
    return Sharding(entry["dev"], entry["map"], entry.get("step", 0), entry.get("size", 0))


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['src']}-{c['dst']}".replace(" ", ""))
def test_rank_lists_and_parts_are_those_of_mindspore(case, tmp_path):
    full = np.arange(math.prod(case["shape"]), dtype=np.int32).reshape(case["shape"])
    src = write_strategy(tmp_path / "src.ckpt", {"w": case["src"]})
    dst = write_strategy(tmp_path / "dst.ckpt", {"w": case["dst"]})
    folder = write_ranks(tmp_path / "src", {"w": full}, {"w": case["src"]})
    lists = [ms.rank_list_for_transform(rank, src, dst) for rank in range(len(case["lists"]))]
    assert lists == case["lists"]
    ms.transform_checkpoints(folder, str(tmp_path / "dst"), "o", src, dst)
    for rank, (shape, digest) in enumerate(case["parts"]):
        entry = load(tmp_path / f"dst/rank_{rank}/o{rank}.ckpt")["w"]
        assert list(entry.shape) == shape
        assert hashlib.sha256(entry.tobytes()).hexdigest()[:12] == digest


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        # the tensor map is transposed: MindSpore takes the parts in another order
        (layout([2, 2, 2], [0, 1], 4, 2), layout([1], [-1, -1])),
        (layout([2], [0, -1]), layout([2, 2, 2], [0, 1], 4, 2)),
        # numbers of devices that MindSpore does not convert
        (layout([4], [0, -1]), layout([3], [-1, 0])),
        (layout([3], [0, -1]), layout([2, 2], [1, 0])),
        (layout([6], [0, -1]), layout([4], [0, -1])),
        # shards among copies along two axes of which one is not divided evenly
        (layout([3, 2], [-1, -1], 1, 3), layout([2], [0, -1])),
    ],
)
def test_what_mindspore_does_not_convert(src, dst, tmp_path):
    full = np.arange(24 * 24, dtype=np.int16).reshape(24, 24)
    old, new = sharding(src), sharding(dst)
    sources = [part(full, src, rank) for rank in range(old.devices)]
    for rank in range(new.devices):
        shape, needed = pieces(old, new, rank, sources[0].shape)
        result = np.zeros(shape, np.int16)
        listed = ranks_to_gather(old, new, rank)
        for piece in needed:
            holder = old.holder(piece.position, old.replica(rank % old.devices))
            assert holder in listed
            result[piece.target] = sources[holder][piece.source]
        assert same(result, part(full, dst, rank))


def test_all_copies_share_shards_where_the_size_is_minus_one():
    every = Sharding([2, 2, 2], [1, -1], 1, -1)
    assert every == Sharding([2, 2, 2], [1, -1], 1, 4)
    assert every.parts == (8, 1)
    assert Sharding([2, 2], [-1, -1], 0, -1).is_whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([2, 2], [2, -1]), "names the axis 2"),
        (([2, 2], [-2, -1]), "names the axis -2"),
        (([2, 2], [0, 0]), "axis 0 twice"),
        (([2, 2], [[1, 0], [0]]), "axis 0 twice"),
        (([0, 2], [0]), "impossible"),
        (([1 << 12] * 8, [0]), "impossible"),
        (([1] * 65, [-1]), "more than 64 axes"),
        (([2], [-1] * 65), "more than 64 axes"),
        (([2, 2], [-1, 0], 1, 2), "devices that hold copies are 2 apart"),
        (([2, 2], [-1, 0], 2, 4), "cannot share optimizer shards of size 4"),
        (([2, 2], [1, 0], 1, 2), "1 devices hold copies"),
        (([4, 1, 3], [-1], 1, 5), "12 devices hold copies"),
        (([2, 2], [-1, 0], 0, 2), "have the step 0"),
        (([2, 2], [-1, 0], 2, -2), "impossible"),
        (([2], [], 1, 2), "there is none"),
    ],
)
def test_layouts_that_contradict_themselves_raise(arguments, message):
    with pytest.raises(LayoutError, match=message):
        Sharding(*arguments)


def test_a_layout_must_fit_the_tensor():
    halves = Sharding([2], [0, -1])
    with pytest.raises(LayoutError, match="tensor map has 2 dimensions"):
        halves.full_shape((4,))
    with pytest.raises(LayoutError, match="cannot be split into 2 equal parts"):
        halves.slice_shape((3, 3))


def test_empty_and_zero_dimensional_tensors():
    shape, needed = pieces(Sharding([2], [0]), Sharding([1], [-1]), 0, (0,))
    assert (shape, needed) == ((0,), [])
    shape, needed = pieces(Sharding([2], []), Sharding([1], []), 0, ())
    assert shape == ()
    assert [piece.position for piece in needed] == [()]


@pytest.mark.parametrize(
    ("axes", "parts"),
    [
        (("dp", "mp"), [2, 4]),
        ((("dp", "mp"), "None"), [8, 1]),
        (("None", "dp"), [1, 2]),
        (("None", "None", "mp"), [1, 1, 4]),
    ],
)
def test_how_a_tensor_lies(axes, parts):
    """Figures of MindSpore 2.10."""
    layout = Layout((2, 4), ("dp", "mp"))(*axes)
    info = _DistributedTensorInfo(layout)
    assert info.sharding_strategy == parts
    assert info.layout is info.distributed_info is layout
    with pytest.raises(TypeError, match="only supports Layout"):
        _DistributedTensorInfo(3)


def test_a_coefficient_of_the_search():
    """What MindSpore 2.10 reads back, and raises."""
    held = importlib.import_module("agar.parallel._cost_model_context")
    assert held._get_rp_matmul_mem_coef() == 0.10000000149011612
    try:
        held._set_rp_matmul_mem_coef(3)
        assert held._get_rp_matmul_mem_coef() == 3.0
        with pytest.raises(RuntimeError, match="'coef' must be positive"):
            held._set_rp_matmul_mem_coef(-1.0)
        with pytest.raises(TypeError, match="a number is needed"):
            held._set_rp_matmul_mem_coef("a")
        assert held._get_rp_matmul_mem_coef() == 3.0
    finally:
        held._search.reset()
