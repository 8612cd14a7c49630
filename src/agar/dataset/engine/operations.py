"""The operations on datasets, each a dataset of its own."""

from __future__ import annotations

from agar.dataset.engine._batches import (
    BatchDataset,
    BatchInfo,
    BucketBatchByLengthDataset,
    PaddedBatchDataset,
)
from agar.dataset.engine._mapping import (
    FilterDataset,
    MapDataset,
    ProjectDataset,
    RenameDataset,
)
from agar.dataset.engine._order import (
    RepeatDataset,
    ShuffleDataset,
    SkipDataset,
    TakeDataset,
)
from agar.dataset.engine._registry import provide
from agar.dataset.engine._several import ConcatDataset, ZipDataset
from agar.dataset.engine._sync import BlockReleasePair, SyncWaitDataset, TransferDataset

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BlockReleasePair",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TransferDataset",
    "ZipDataset",
]

provide(*[globals()[name] for name in __all__])
