"""Searches for ways between layouts remember what they saw, and find the same ways."""

from __future__ import annotations

import forked

PROGRAM = """
import itertools
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Partial, Replicate, Shard, _collective_utils, _redistribute
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor.placement_types import _StridedShard
from torch.testing._internal.distributed.fake_pg import FakeStore

from agar._core.distributed import redistribution_search

dist.init_process_group("fake", rank=1, world_size=4, store=FakeStore())
mesh = init_device_mesh("cpu", (2, 2))
kinds = [Replicate(), Shard(0), Shard(1), _StridedShard(0, split_factor=2), Partial()]
specs = []
for shape in ((8, 4), (64, 16)):
    meta = TensorMeta(torch.Size(shape), (shape[1], 1), torch.float32)
    for placements in itertools.product(kinds, kinds):
        if not isinstance(placements[1], _StridedShard):
            specs.append(DTensorSpec(mesh, placements, tensor_meta=meta))

def searched():
    _redistribute._gen_transform_infos.cache_clear()
    _redistribute._planner_cache.clear()
    ways = []
    for a, b in itertools.product(specs, specs):
        if a.shape != b.shape:
            continue
        try:
            steps = _redistribute._gen_transform_infos_non_cached(a, b, True)
            ways.append([(s.mesh_dim, s.src_dst_placements, s.logical_shape) for s in steps])
            ways.append(_collective_utils.redistribute_cost(a, b))
        except (AssertionError, RuntimeError, ValueError) as error:  # there is no way
            ways.append(type(error).__name__)
    return ways

planner = _redistribute.DTensorRedistributePlanner
plain = planner.get_next_state
expected = searched()
calls = 0
def counted(*args):
    global calls
    calls += 1
    return plain(*args)
planner.get_next_state = counted
redistribution_search.install()
redistribution_search.install()  # does nothing
found = searched()
print(found == expected, sum(isinstance(way, list) and len(way) > 1 for way in found) > 100)
planner.get_next_state = counted
before, calls = calls, 0
searched()
print(before < calls / 10)
dist.destroy_process_group()
"""


def test_remembered_searches_find_the_same_ways():
    result = forked.run(PROGRAM)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["True", "True", "True"]
