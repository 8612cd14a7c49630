"""Strategy files: reading, merging, and files that are damaged or hostile."""

from __future__ import annotations

import base64
import json

import pytest

import agar as ms
from agar.train._sharded.strategy import StrategyFileError
from agar.train.node_strategy_pb2 import ParallelGroupMap, ParallelLayouts, ParallelStrategyMap
from parallel.sharded import layout, message, tree, write_strategy

#: Files of two stages, and what MindSpore 2.10's merge_pipeline_strategys made of them.
STAGE_0 = base64.b64decode(
    "CAESDAoCb3ASBggAEgIIARomCgNlbWISHwoECAEIAhINCAAI////////////ARoAIgAoADAAOAAaJQoCdzASHwoECAEIAhIN"
    "CP///////////wEIABoAIgAoADAAOAA="
)
STAGE_1 = base64.b64decode(
    "CAESDAoCb3ASBggBEgIIARomCgNlbWISHwoECAEIAhINCP///////////wEIABoAIgAoADAAOAAaLgoCdzESKAoECAIIARIW"
    "CP///////////wEI////////////ARoAIgAoADABOAI="
)
MERGED = base64.b64decode(
    "CAESDAoCb3ASBggAEgIIARIMCgJvcBIGCAESAggBGigKBTAtZW1iEh8KBAgBCAISDQgACP///////////wEaACIAKAAwADgA"
    "GicKBDAtdzASHwoECAEIAhINCP///////////wEIABoAIgAoADAAOAAaKAoFMS1lbWISHwoECAEIAhINCP///////////wEI"
    "ABoAIgAoADAAOAAaMAoEMS13MRIoCgQIAggBEhYI////////////AQj///////////8BGgAiACgAMAE4Ag=="
)


@pytest.fixture
def stages(tmp_path):
    """A folder with the files of two stages; each rank of the second has written one."""
    folder = tmp_path / "stages"
    folder.mkdir()
    for name, content in (("0", STAGE_0), ("1", STAGE_1), ("1_again", STAGE_1)):
        (folder / f"{name}.ckpt").write_bytes(content)
    return folder


def test_reading_a_file_of_mindspore(stages):
    result = ms.build_searched_strategy(str(stages / "1.ckpt"))
    assert list(result) == ["emb", "w1"]
    assert isinstance(result["w1"], ParallelLayouts)
    assert list(result["w1"].dev_matrix[0].dim) == [2, 1]
    assert list(result["w1"].tensor_map[0].dim) == [-1, -1]
    assert (result["w1"].opt_weight_shard_step, result["w1"].opt_weight_shard_size) == (1, 2)
    assert ms.build_searched_strategy(None) is None


def test_the_messages_are_mindspores_to_the_byte():
    result = message({"emb": layout([1, 2], [0, -1]), "w0": layout([1, 2], [-1, 0])})
    assert result.SerializeToString() == STAGE_0


@pytest.mark.parametrize("tensor_map", [[0, -1], [[1, 0], [-1]], [[1, 0], -1]])
def test_json_and_protobuf_say_the_same(tensor_map, tmp_path):
    entry = {"w": layout([2, 2], tensor_map), "b": layout([2, 2], [-1], 1, 2)}
    paths = [write_strategy(tmp_path / name, entry) for name in ("a.json", "a.ckpt")]
    one, other = map(ms.build_searched_strategy, paths)
    assert one == other
    assert ms.rank_list_for_transform(3, paths[0]) == ms.rank_list_for_transform(3, paths[1])


def test_merging_the_stages_of_a_pipeline(stages, tmp_path):
    target = tmp_path / "new" / "merged.ckpt"
    ms.merge_pipeline_strategys(str(stages), str(target))
    assert target.read_bytes() == MERGED
    assert list(ms.build_searched_strategy(str(target))) == ["0-emb", "0-w0", "1-emb", "1-w1"]


def test_merging_json(tmp_path):
    for stage in (0, 1):
        write_strategy(tmp_path / f"in/{stage}.json", {f"w{stage}": layout([2], [0])}, stage)
    target = tmp_path / "out.json"
    ms.merge_pipeline_strategys(str(tmp_path / "in"), str(target))
    content = json.loads(target.read_text(encoding="utf-8"))
    assert content["current_stage"] == 1
    assert content["parallel_strategy_item"]["op"]["stage"] == 1
    assert list(content["parallel_layout_item"]) == ["0-w0", "1-w1"]
    assert content["parallel_layout_item"]["1-w1"]["dev_matrix"] == [2]
    assert ms.rank_list_for_transform(0, str(target)) == [3, 2, 1, 0]


def test_merging_refuses_and_leaves_the_target(stages, tmp_path):
    target = tmp_path / "merged.ckpt"
    target.write_bytes(b"before")
    before = tree(tmp_path)

    def refused(match, error=ValueError, folder=stages, file=target):
        with pytest.raises(error, match=match):
            ms.merge_pipeline_strategys(str(folder), str(file))
        assert tree(tmp_path) == before

    refused("is not a directory", NotADirectoryError, tmp_path / "none")
    refused("not end with '.json'", file=tmp_path / "merged.json")
    with pytest.raises(TypeError, match="src_strategy_dirs"):
        ms.merge_pipeline_strategys(3, str(target))
    (stages / "2.json").write_text("{}")
    before = tree(tmp_path)
    refused("all '.ckpt' or all '.json'")
    (stages / "2.json").unlink()
    write_strategy(stages / "9.ckpt", {"emb": layout([1, 2], [-1, -1])}, 1)
    before = tree(tmp_path)
    refused(r"9\.ckpt' cannot be used: it is of pipeline stage 1.* has other layouts")
    (stages / "9.ckpt").write_bytes(ParallelStrategyMap(current_stage=1).SerializeToString())
    before = tree(tmp_path)
    refused("9.ckpt' cannot be used: it is empty")
    for file in stages.iterdir():
        file.unlink()
    before = tree(tmp_path)
    refused("no strategy file in")


# ------------------------------------------------------------------------------------- damaged


def test_what_is_no_strategy_file_raises(tmp_path):
    with pytest.raises(TypeError, match="should be string, but got 3"):
        ms.build_searched_strategy(3)
    with pytest.raises(ValueError, match="no such strategy file"):
        ms.build_searched_strategy(str(tmp_path / "none.ckpt"))
    path = tmp_path / "a.ckpt"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="should not be empty"):
        ms.build_searched_strategy(str(path))
    ms.save_checkpoint([{"name": "w", "data": ms.Tensor([1.0])}], str(path))
    with pytest.raises(
        StrategyFileError, match=r"a\.ckpt' cannot be used: it has no 'current_stage'"
    ):
        ms.build_searched_strategy(str(path))
    path.write_bytes(b"garbage!!")
    for error in (ValueError, TypeError):  # MindSpore's documentation, and what it raises
        with pytest.raises(error, match="not a message of protobuf"):
            ms.build_searched_strategy(str(path))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "it is not JSON"),
        ("[1]", "does not hold a JSON object"),
        ('{"parallel_layout_item": 3}', "'parallel_layout_item' does not hold objects"),
        ('{"parallel_layout_item": {"w": 3}}', "'parallel_layout_item' does not hold objects"),
        ("[" * 100_000, "it is not JSON"),
        ('{"parallel_layout_item": {}, "parallel_layout_item": {}}', "a name occurs twice"),
        ({"dev_matrix": [2], "tensor_map": [0]}, "'field' of 'w'"),
        ({"dev_matrix": [2.5]}, "'dev_matrix' of 'w' is not an int32 number"),
        ({"dev_matrix": [True]}, "'dev_matrix' of 'w' is not an int32 number"),
        ({"dev_matrix": [-2]}, "'dev_matrix' of 'w' has a negative number"),
        ({"dev_matrix": "2"}, "'dev_matrix' of 'w' is not a list"),
        ({"tensor_map": [1 << 40]}, "'tensor_map' of 'w' is not an int32 number"),
        ({"tensor_map": None}, "'tensor_map' of 'w' is not a list"),
        ({"opt_weight_shard_size": "2"}, "'opt_weight_shard_size' of 'w' is not an int32 number"),
    ],
)
def test_hostile_json_raises(content, reason, tmp_path):
    path = tmp_path / "a.json"
    if isinstance(content, dict):
        good = {
            "dev_matrix": [2],
            "tensor_map": [0],
            "field": 0,
            "opt_weight_shard_step": 0,
            "opt_weight_shard_size": 0,
        }
        entry = content if "field" in reason else {**good, **content}
        content = json.dumps({"parallel_layout_item": {"w": entry}})
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StrategyFileError, match=reason):
        ms.build_searched_strategy(str(path))


def refused(made, match, tmp_path):
    path = tmp_path / "a.ckpt"
    path.write_bytes(made.SerializeToString())
    with pytest.raises(StrategyFileError, match=match):
        ms.rank_list_for_transform(0, str(path))


def test_hostile_messages_raise(tmp_path):
    refused(message({}), "no layout of any parameter", tmp_path)
    refused(message({"a": layout([2], [0]), "b": layout([4], [0])}), "numbers of devices", tmp_path)
    refused(message({"a": layout([1 << 30] * 3, [0])}), "the layout of 'a'.*impossible", tmp_path)
    refused(message({"a": layout([2], [5])}), "the layout of 'a'.*names the axis 5", tmp_path)
    refused(message({"a": layout([2], [0], field=2)}), "split by fields", tmp_path)
    refused(message({"a": layout([2], [0], lengths=[1, 2])}), "unequal parts", tmp_path)
    refused(message({"0-a": layout([2], [0]), "2-a": layout([2], [0])}), "all stages", tmp_path)
    refused(message({"999999999-a": layout([2], [0])}), "all stages", tmp_path)
    result = message({"a": layout([2], [0])})
    result.parallel_layout_item.add().CopyFrom(result.parallel_layout_item[0])
    refused(result, "'a' occurs twice", tmp_path)
    result = message({"a": layout([2], [0])})
    result.parallel_layout_item[0].parallel_layouts.dev_matrix.add().dim.append(2)
    refused(result, "several device matrices", tmp_path)
    result = message({"a": layout([2], [0])})
    result.parallel_layout_item[0].ClearField("param_name")
    refused(result, "place 0 has no name", tmp_path)
    result = message({"a": layout([2], [0])})
    result.parallel_layout_item[0].parallel_layouts.ClearField("field")
    refused(result, "'a' has no 'field'", tmp_path)


def test_a_damaged_file_is_refused_or_understood_and_never_crashes(tmp_path):
    path = tmp_path / "a.ckpt"
    damaged = [MERGED[:end] for end in range(len(MERGED))]
    damaged += [
        MERGED[:place] + bytes([value]) + MERGED[place + 1 :]
        for place in range(len(MERGED))
        for value in (0, 0x7F, 0xFF, MERGED[place] ^ 1)
    ]
    answers = []
    for content in damaged:
        path.write_bytes(content)
        try:
            answers.append(ms.rank_list_for_transform(0, str(path)))
        except (ValueError, TypeError) as error:
            answers.append(str(error))
    assert all("a.ckpt" in answer for answer in answers if isinstance(answer, str))
    assert 0 < sum(isinstance(answer, list) for answer in answers) < len(damaged) / 2


def test_layouts_without_a_split_may_be_of_any_number_of_devices(tmp_path):
    """MindSpore writes none where a stage has one device."""
    entry = {"w": layout([4], [0, -1]), "scale": layout([], []), "b": layout([1], [-1])}
    path = write_strategy(tmp_path / "a.ckpt", entry)
    assert ms.rank_list_for_transform(0, path) == [3, 2, 1, 0]


# --------------------------------------------------------------------------------------- groups


def test_the_ranks_that_hold_the_same_parameters(tmp_path):
    path = tmp_path / "group.pb"
    groups = ParallelGroupMap()
    groups.parallel_group_item.add(group_name="dp").parallel_group_ranks.dim.extend([0, 1])
    path.write_bytes(groups.SerializeToString())
    with pytest.raises(ValueError, match="has no restore rank list"):
        ms.restore_group_info_list(str(path))
    groups.ckpt_restore_rank_list.dim.extend([0, 2])
    path.write_bytes(groups.SerializeToString())
    assert ms.restore_group_info_list(str(path)) == [0, 2]
    path.write_bytes(b"garbage!!")
    with pytest.raises(ValueError, match=r"group\.pb is damaged"):
        ms.restore_group_info_list(str(path))
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="should not be empty"):
        ms.restore_group_info_list(str(path))
    with pytest.raises(ValueError, match="no such group information file"):
        ms.restore_group_info_list(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="should be str"):
        ms.restore_group_info_list(3)


def test_settings_of_the_search_are_checked(tmp_path):
    from agar.parallel import set_op_strategy_config, sync_pipeline_shared_parameters

    good = str(tmp_path / "plan.json")
    set_op_strategy_config("LOAD", good)
    for mode, path, match in (
        ("SAVE", "plan.json", "absolute"),
        ("SAVE", str(tmp_path / "plan.ckpt"), r"must be \.json"),
        ("KEEP", good, "'SAVE' or 'LOAD'"),
    ):
        with pytest.raises(KeyError, match=match):
            set_op_strategy_config(mode, path)
    sync_pipeline_shared_parameters(ms.nn.ReLU())
    with pytest.raises(TypeError, match="should be a Cell"):
        sync_pipeline_shared_parameters(3)
