"""What a worker of a loader knows, and how its random numbers begin."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import torch.utils.data as torch_data  # its workers

from agar._core.random import manual_seed, set_seed

__all__ = ["Start", "WorkerInfo", "get_worker_info"]


class WorkerInfo:
    """Which worker this process is.

    Args:
        id (int): its number.
        num_workers (int): how many there are.
        seed (int): of its random numbers.
        dataset (Dataset): its copy of the dataset.
    """

    _initialized = False

    def __init__(self, id: int, num_workers: int, seed: int, dataset: Any) -> None:
        self.id = id
        self.num_workers = num_workers
        self.seed = seed
        self.dataset = dataset
        self._initialized = True

    def __setattr__(self, key: str, value: Any) -> None:
        if self._initialized:
            raise RuntimeError(f"The attribute '{key}' of a WorkerInfo cannot be changed.")
        super().__setattr__(key, value)

    def __repr__(self) -> str:
        return (
            f"WorkerInfo: {{id: {self.id}, num_workers: {self.num_workers}, seed: {self.seed}, "
            f"dataset: {self.dataset}}}"
        )


_own: WorkerInfo | None = None


class Start:
    """Begins a worker: its random numbers, and the program's own function.

    Args:
        seed (int): of the loader.
        function (Callable): the program's. Default: None.
    """

    def __init__(self, seed: int, function: Callable[[int], None] | None) -> None:
        self.seed = seed
        self.function = function

    def __call__(self, worker_id: int) -> None:
        global _own
        info = torch_data.get_worker_info()
        assert info is not None
        seed = self.seed + worker_id
        random.seed(seed)
        set_seed(seed & 0xFFFFFFFF)
        manual_seed(seed)
        words = [worker_id, self.seed & 0xFFFFFFFF, self.seed >> 32, 0]
        np.random.seed(np.random.SeedSequence(words).generate_state(4))
        _own = WorkerInfo(worker_id, info.num_workers, seed, info.dataset)
        if self.function is not None:
            self.function(worker_id)


def get_worker_info() -> WorkerInfo | None:
    """Say which worker of a loader this process is.

    Returns:
        WorkerInfo with ``id``, ``num_workers``, ``seed`` and ``dataset``; None in the program
        itself.

    Difference from PyTorch: none, ``torch.utils.data.get_worker_info``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import get_worker_info
        >>> print(get_worker_info())
        None
    """
    return _own
