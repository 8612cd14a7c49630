"""A loop over a dataset that is left before its end."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np

import agar.dataset as ds


class _SlowAfterTheFirst:
    """All rows but the first take half a second, and leave a file."""

    def __init__(self, folder):
        self.folder = folder

    def __len__(self):
        return 6

    def __getitem__(self, index):
        if index:
            time.sleep(0.5)
            (self.folder / str(index)).touch()
        return np.float32(index)


def test_leaving_a_loop_waits_for_no_busy_worker(tmp_path):
    before = set(multiprocessing.active_children())
    data = ds.GeneratorDataset(
        _SlowAfterTheFirst(tmp_path), ["x"], num_parallel_workers=2, shuffle=False
    )
    for _ in data.create_tuple_iterator():
        break
    assert set(multiprocessing.active_children()) <= before
    # the rows that were begun are neither finished nor waited for
    assert list(tmp_path.iterdir()) == []
