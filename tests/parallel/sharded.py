"""Programs split over devices, made by hand: strategy files, and the checkpoints of their ranks."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import agar as ms
from agar.train.node_strategy_pb2 import ParallelStrategyMap


def layout(matrix, tensor_map, step=0, size=0, **more) -> dict[str, Any]:
    """How a parameter lies on a device matrix."""
    return {"dev": matrix, "map": tensor_map, "step": step, "size": size, **more}


def message(layouts: Mapping[str, Mapping[str, Any]], stage: int = 0) -> Any:
    """The content of a strategy file, as MindSpore writes it."""
    result = ParallelStrategyMap(current_stage=1)
    item = result.parallel_strategy_item.add(node_name="op")
    item.parallel_strategys.stage = stage
    item.parallel_strategys.parallel_strategy.add().dim.append(1)
    for name, entry in layouts.items():
        parts = result.parallel_layout_item.add(param_name=name).parallel_layouts
        parts.field = entry.get("field", 0)
        parts.opt_weight_shard_step = entry.get("step", 0)
        parts.opt_weight_shard_size = entry.get("size", 0)
        parts.dev_matrix.add().dim.extend(entry["dev"])
        nested = any(isinstance(e, list) for e in entry["map"])
        for part in entry["map"] if nested else [entry["map"]]:
            parts.tensor_map.add().dim.extend(part if isinstance(part, list) else [part])
        parts.param_split_shape.add().dim.extend(entry.get("lengths", []))
        parts.indices_offset.add()
    return result


def write_strategy(path: Path, layouts: Mapping[str, Any], stage: int = 0) -> str:
    """Write a strategy file, JSON where its name says so; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".json":
        path.write_bytes(message(layouts, stage).SerializeToString())
        return str(path)
    items = {
        name: {
            "dev_matrix": entry["dev"],
            "tensor_map": entry["map"],
            "field": entry.get("field", 0),
            "opt_weight_shard_step": entry.get("step", 0),
            "opt_weight_shard_size": entry.get("size", 0),
            "param_split_shape": entry.get("lengths", []),
        }
        for name, entry in layouts.items()
    }
    content = {
        "current_stage": stage,
        "parallel_strategy_item": {"op": {"stage": stage, "parallel_strategy": [[1]]}},
        "parallel_layout_item": items,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def part(full: np.ndarray, entry: Mapping[str, Any], rank: int) -> np.ndarray:
    """What a rank has of a tensor, by the definition: coordinates of the rank, axis by axis."""
    matrix = entry["dev"]
    coordinates = list(np.unravel_index(rank, matrix))
    maps = [e if isinstance(e, list) else [e] for e in entry["map"]]
    used: set[int] = set()
    for dim, axes in enumerate(maps):
        for axis in axes:
            if axis != -1:
                place = len(matrix) - 1 - axis
                used.add(place)
                full = np.split(full, matrix[place], axis=dim)[coordinates[place]]
    if entry.get("size", 0) > 1:
        same = [
            range(size) if place not in used else [coordinates[place]]
            for place, size in enumerate(matrix)
        ]
        copies = [int(np.ravel_multi_index(c, matrix)) for c in itertools.product(*same)]
        full = np.split(full, entry["size"])[copies.index(rank) % entry["size"]]
    return full.copy()


def write_ranks(
    folder: Path,
    values: Mapping[str, Any],
    layouts: Mapping[str, Mapping[str, Any]],
    format: str = "ckpt",
    first: int = 0,
    name: str = "net-1_10",
    extra: Any = None,
) -> str:
    """Write the checkpoint of each rank of a stage; returns the folder."""
    count = max(math.prod(entry["dev"]) for entry in layouts.values())
    for rank in range(count):
        entries = [
            {"name": n, "data": ms.Tensor(part(values[n], entry, rank))}
            for n, entry in layouts.items()
        ]
        if extra is not None:
            entries += [{"name": n, "data": ms.Tensor(v)} for n, v in extra(first + rank).items()]
        path = folder / f"rank_{first + rank}" / f"{name}.{format}"
        path.parent.mkdir(parents=True, exist_ok=True)
        ms.save_checkpoint(entries, str(path), format=format)
    return str(folder)


def load(path: Path | str) -> dict[str, np.ndarray]:
    """The values of a checkpoint."""
    format = Path(path).suffix[1:]
    return {n: v.asnumpy() for n, v in ms.load_checkpoint(str(path), format=format).items()}


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are equal to the bit."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder: the content of files, None for folders."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
