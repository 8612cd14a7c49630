"""Run in three processes: rows of datasets go from one to the others and back."""

from __future__ import annotations

import json
import sys

import numpy as np

import agar as ms
from agar import dataset as ds
from agar.mint import distributed


def values(row):
    if isinstance(row, list):
        return [values(value) for value in row]
    return [str(row.dtype), row.asnumpy().astype(float).tolist()]


def main(file: str) -> None:
    distributed.init_process_group(backend="gloo")
    rank = distributed.get_rank()
    rows = [(np.float32([rank, n]), np.array(n > 0)) for n in range(2)]
    data = ds.GeneratorDataset(rows, ["x", "y"], shuffle=False)
    got = []
    if rank == 0:
        data.send(dst=[1, 2])
        got.append(values(data.recv([1, 2])))
        got.append(values(data.recv(2)))
    else:
        got.append(values(data.recv()))
        data.send()
        if rank == 2:
            data.send(ms.Tensor([[1, 2]], ms.int32))
        got.append(values(data.recv(rank)))
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(got, stream)


if __name__ == "__main__":
    main(sys.argv[1])
