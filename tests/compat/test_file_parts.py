"""Private parts of ``train`` that read files, and the protobuf messages at MindSpore's paths."""

from __future__ import annotations

import importlib
import json
import os

import numpy as np
import pytest

import agar as ms
from agar.compat import _file_parts, find
from agar.train._utils import _to_tensor
from agar.train.node_strategy_pb2 import ParallelStrategyMap

# name: device matrix, tensor map, step and size of the optimizer's split, and what MindSpore 2.10's
# get_parameter_redundancy gives
LAYOUTS = {
    "o": ([2, 2, 2], [0, -1], 4, 2, ((0, 4), (2, 6), (1, 5), (3, 7))),
    "u": ([4, 2], [0, 1], 0, 0, ((0,), (2,), (4,), (6,), (1,), (3,), (5,), (7,))),
    "v": ([2, 2, 2], [-1, 1], 0, 0, ((0, 1, 4, 5), (2, 3, 6, 7))),
    "w": ([2, 2, 2], [0, -1], 0, 0, ((0, 2, 4, 6), (1, 3, 5, 7))),
    "z": ([2, 2, 2], [-1, -1], 0, 0, ((0, 1, 2, 3, 4, 5, 6, 7),)),
}


def _strategy(folder, names):
    message = ParallelStrategyMap(current_stage=0)
    for name in names:
        matrix, places, step, size, _ = LAYOUTS[name]
        layouts = message.parallel_layout_item.add(param_name=name).parallel_layouts
        layouts.dev_matrix.add().dim.extend(matrix)
        layouts.tensor_map.add().dim.extend(places)
        layouts.field = 0
        layouts.opt_weight_shard_step, layouts.opt_weight_shard_size = step, size
    path = str(folder / "strategy.ckpt")
    with open(path, "wb") as file:
        file.write(message.SerializeToString())
    return path


# ----------------------------------------------------------------------------------- strategies


def test_which_ranks_hold_the_same_part(tmp_path):
    path = _strategy(tmp_path, LAYOUTS)
    found = find("train._utils", "get_parameter_redundancy")(path, 0)
    assert found == {name: layout[-1] for name, layout in LAYOUTS.items()}
    moved = find("train._utils", "get_parameter_redundancy")(path, 8)
    assert moved["v"] == ((8, 9, 12, 13), (10, 11, 14, 15))
    assert find("train._utils", "parse_strategy_ckpt")(path)["o"] == [[2, 2, 2], [0, -1], 4, 2]


def test_parts_are_dealt_out_to_the_ranks_that_hold_them():
    parts = {"a": ((0, 2), (1, 3)), "b": ((0, 2), (1, 3)), "c": ((0, 1, 2, 3),)}
    remove = find("train._utils", "remove_param_redundancy")
    # both as MindSpore 2.10 gives them
    assert remove(parts) == {0: {"a", "c"}, 1: {"a"}, 2: {"b"}, 3: {"b"}}
    assert remove(parts, 2) == {
        0: {"a", "b", "c"},
        1: {"a", "b", "c"},
        2: {"a", "b"},
        3: {"a", "b"},
    }


def test_redundancy_of_a_network_and_of_layouts_of_a_compiler(monkeypatch):
    redundancy = find("train._utils", "get_parameter_redundancy")
    monkeypatch.setattr(_file_parts, "get_process_group_ranks", lambda: [0, 1])
    assert redundancy(ms.nn.Dense(2, 3)) == {"bias": ((0, 1),), "weight": ((0, 1),)}
    with pytest.raises(TypeError, match="path of a strategy file"):
        redundancy({"w": [[2], [0]]})


def test_the_checkpoint_of_a_copy(tmp_path):
    strategy = _strategy(tmp_path, "vw")  # rank 0 shares all its parts with rank 4
    own = tmp_path / "rank_0" / "net.ckpt"
    assert ms.get_ckpt_path_with_strategy(str(own), strategy) is None
    for rank in (2, 4):
        (tmp_path / f"rank_{rank}").mkdir()
        (tmp_path / f"rank_{rank}" / "net.ckpt").touch()
    copy = ms.train.get_ckpt_path_with_strategy(str(own), strategy)
    assert copy == str(tmp_path / "rank_4" / "net.ckpt")
    assert find("train.serialization", "_get_cur_rank_dp")(strategy) == (0, 4)
    own.parent.mkdir()
    own.touch()
    assert ms.get_ckpt_path_with_strategy(str(own), strategy) == str(own)


def test_the_checkpoint_of_a_path_without_a_rank(tmp_path):
    strategy = _strategy(tmp_path, "w")
    (tmp_path / "net.ckpt").touch()
    assert ms.get_ckpt_path_with_strategy(str(tmp_path / "net.ckpt"), strategy).endswith("net.ckpt")
    assert ms.get_ckpt_path_with_strategy(str(tmp_path / "other.ckpt"), strategy) is None
    with pytest.raises(TypeError, match="cur_ckpt_path"):
        ms.get_ckpt_path_with_strategy(3, strategy)
    with pytest.raises(ValueError, match="strategy file"):
        ms.get_ckpt_path_with_strategy(str(tmp_path / "rank_0.ckpt"), str(tmp_path / "none.ckpt"))


# ------------------------------------------------------------------------------------- messages


def test_messages_know_their_fields_and_numbers():
    checkpoint = importlib.import_module("agar.train.checkpoint_pb2")
    message = checkpoint.Checkpoint()
    entry = message.value.add(tag="w")
    entry.tensor.dims.append(2)
    entry.tensor.tensor_type, entry.tensor.tensor_content = "Float32", bytes(8)
    # the bytes that protobuf's compiler's module of MindSpore 2.10 writes
    assert message.SerializeToString() == (
        b"\n\x1a\n\x01w\x12\x15" + b"\x08\x02\x12\x07Float32\x1a\x08" + bytes(8)
    )
    graph = importlib.import_module("agar.train.anf_ir_pb2")
    assert graph.DT_FLOAT32 == graph.DataType.Value("DT_FLOAT32") == 11
    assert graph._INPUTPROTO_EDGETYPE.values_by_name["CONTROL_EDGE"].number == 1
    assert graph.DESCRIPTOR.package == "mindspore.irpb"


def test_messages_use_those_of_other_files_and_choose_one_of_several_fields():
    summary = importlib.import_module("agar.train.summary_pb2")
    event = summary.Event(wall_time=1.5)
    event.summary.value.add(tag="loss").scalar_value = 0.25
    assert event.WhichOneof("what") == "summary"
    event.graph_def.name = "net"
    assert event.WhichOneof("what") == "graph_def"
    assert summary.Event.FromString(event.SerializeToString()).graph_def.name == "net"
    lineage = importlib.import_module("agar.train.lineage_pb2")
    info = lineage.UserDefinedInfo()
    info.user_info.add().map_int32["epochs"] = 3
    again = lineage.UserDefinedInfo.FromString(info.SerializeToString())
    assert again.user_info[0].map_int32["epochs"] == 3


@pytest.mark.parametrize("key", [None, b"0123456789abcdef"])
def test_the_message_of_a_checkpoint_file(tmp_path, key):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(
        [{"name": "w", "data": ms.Tensor([1.0, 2.0])}], path, enc_key=key, crc_check=key is None
    )
    parse = find("train.serialization", "_parse_ckpt_proto")
    (entry,) = parse(path, key, "AES-GCM", key is None).value
    assert (entry.tag, list(entry.tensor.dims), entry.tensor.tensor_type) == ("w", [2], "Float32")
    np.testing.assert_array_equal(np.frombuffer(entry.tensor.tensor_content, "<f4"), [1.0, 2.0])
    with pytest.raises(ValueError, match=r"net\.ckpt"):
        parse(path, b"another key 1234", "AES-GCM", False)


def test_read_proto_hides_numbers_unless_they_are_asked_for(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint([{"name": "w", "data": ms.Tensor([1.0, 2.0])}], path)
    read = find("train._utils", "read_proto")
    assert read(path, "CKPT").value[0].tensor.tensor_content == b"\0"
    assert len(read(path, "CKPT", True).value[0].tensor.tensor_content) == 8
    assert read(_strategy(tmp_path, "w"), "CKPT_STRATEGY").current_stage == 0
    with pytest.raises(ValueError, match="proto_format"):
        read(path, "ONNX")


def test_kinds_of_lineage():
    check = find("train._utils", "_check_lineage_value")
    check("train_lineage", importlib.import_module("agar.train.lineage_pb2").TrainLineage())
    with pytest.raises(TypeError, match="train_lineage"):
        check("train_lineage", 1)


# --------------------------------------------------------------------------------------- others


def test_addresses_of_ascend_devices(tmp_path):
    path = tmp_path / "hccl.json"
    device = {"rank_id": "1", "device_ip": "10.0.0.1"}
    path.write_text(json.dumps({"server_list": [{"device": [device]}]}))
    assert find("train._utils", "parse_hccl_file")(os.fspath(path)) == {1: "10.0.0.1"}


def test_rows_as_tensors():
    one = _to_tensor(np.ones(2, np.float32))
    assert isinstance(one, ms.Tensor)
    pair = _to_tensor([np.ones(2), np.zeros(2)], 2.0)
    assert [float(t.sum()) for t in pair] == [2.0, 0.0, 2.0]
    assert _to_tensor(("text", 1)) == ("text", 1)


def test_rows_of_thor():
    helper = find("train.train_thor.dataset_helper", "DatasetHelper")
    rows = [(ms.Tensor([1.0]),), (ms.Tensor([2.0]),)]
    assert [float(x) for (x,) in helper(rows, False, iter_first_order=3)] == [1.0, 2.0]
    with pytest.raises((TypeError, ValueError), match="iter_first_order"):
        helper(rows, iter_first_order="3")


def test_messages_of_networks_are_read_and_written(tmp_path):
    model = importlib.import_module("agar.train.mind_ir_pb2").ModelProto()
    model.graph.name = "net"
    model.user_info["version"] = "1"
    ms.save_mindir(model, str(tmp_path / "folder" / "net"))
    path = str(tmp_path / "folder" / "net.mindir")
    again = ms.load_mindir(path)
    assert (again.graph.name, dict(again.user_info)) == ("net", {"version": "1"})
    again.user_info["version"] = "2"
    ms.train.save_mindir(again, path)
    assert ms.load_mindir(path).user_info["version"] == "2"
    with pytest.raises(TypeError, match="must be ModelProto"):
        ms.save_mindir({}, path)
    with pytest.raises(ValueError, match="cannot be read"):
        ms.load_mindir(str(tmp_path / "none.mindir"))
    (tmp_path / "other.mindir").write_bytes(b"\xff" * 9)
    with pytest.raises(ValueError, match="not a network of MindSpore"):
        ms.load_mindir(str(tmp_path / "other.mindir"))


def test_checkpoints_of_a_training(tmp_path):
    manager = find("train.callback._checkpoint", "CheckpointManager")()
    for place, name in enumerate(("net-1_1.ckpt", "net-2_1.ckpt", "net-3_1.ckpt", "net-x.ckpt")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 + place, 1000 + place))
    (tmp_path / "other-1_1.ckpt").touch()
    manager.update_ckpoint_filelist(str(tmp_path), "net")
    assert manager.ckpoint_num == 3
    manager.remove_oldest_ckpoint_file()
    manager.keep_one_ckpoint_per_minutes(1, 1010)
    assert [os.path.basename(file) for file in manager.ckpoint_filelist] == ["net-2_1.ckpt"]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["net-2_1.ckpt", "net-x.ckpt", "other-1_1.ckpt"]


def test_the_iterator_of_a_training_goes_on():
    path = "dataset.engine.datasets"
    data = ms.dataset.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    find(path, "_set_training_dataset")(iterator)
    assert find(path, "_get_training_dataset")() is iterator
    next(iterator)
    find(path, "_reset_training_dataset")(6, 4)
    assert [int(row[0]) for row in iterator] == [3, 4]
    find(path, "_set_training_dataset")(None)
    with pytest.raises(RuntimeError, match="not set"):
        find(path, "_reset_training_dataset")(0, 4)
