"""MindSpore's private Primitives among processes (DistComm..., InnerComm...) over gloo."""

from __future__ import annotations

import pytest

from communication import several

# of each process; those that differ
EXPECTED = {
    "AllGather": [[[1, 2], [10, 20]]] * 2,
    "AllGatherIntoTensor": [[1, 2, 10, 20]] * 2,
    "AllGatherIntoTensorUneven": [[1, 10, 20]] * 2,
    "AllReduce": [[11, 22]] * 2,
    "AllToAllV": [[[1], [10, 20]], [[2, 3], [30]]],
    "AllToAllVC": [[1, 10, 20], [2, 3, 30]],
    "AllToAllVSingle": [[1, 10, 20], [2, 3, 30]],
    "AllToAllVSingle even": [[1, 10], [2, 20]],
    "Broadcast": [[10, 20]] * 2,
    "Gather": [[[0, 0], [0, 0]], [[1, 2], [10, 20]]],
    "GatherIntoTensor": [[1, 2, 10, 20], [0, 0, 0, 0]],
    "Reduce": [[10, 20], [10, 20]],
    "ReduceScatter": [[11, 22], [13, 24]],
    "ReduceScatterTensor": [[11], [22]],
    "ReduceScatterTensorUneven": [[11], [22, 33]],
    "Scatter": [[10, 20], [11, 21]],
    "ScatterTensor": [[1], [2]],
    "Inner AllGather": [[1, 2, 10, 20]] * 2,
    "Inner AllReduce": [[10, 40]] * 2,
    "Inner ReduceScatter": [[11], [22]],
    "Inner AllToAllV": [[1, 10], [2, 20]],
    "Inner AllToAllV even": [[1, 10], [2, 20]],
    "batch": [[[0], [1]], [[1], [0]]],
    "slope": [[2, 6]] * 2,
}


@pytest.mark.slow
def test_two_processes(tmp_path):
    results = several.run("primitives.py", 2, tmp_path)
    for name, expected in EXPECTED.items():
        assert [result[name] for result in results] == expected, name
    first, second = results
    assert (first["Isend"], second["Irecv"]) == ([5, 6], [5, 6])
    assert (first["Inner Irecv"], second["Inner Isend"]) == ([7, 8], [7, 8])
    for result in results:
        assert result["size"].endswith("that of the group 'hccl_world_group', 2, but got 3.")
        assert "the 'rank_id' must be" in result["rank"]
        assert "'send_numel_list' must have one number for each of the 2" in result["counts"]
        assert "the kinds [2]" in result["kinds"]
