"""Datasets, samplers and a loader as PyTorch has them, with MindSpore's Tensors."""

from __future__ import annotations

from agar.dataset.dataloader._utils.collate import default_collate as default_collate
from agar.dataset.dataloader._utils.collate import default_convert as default_convert
from agar.dataset.dataloader._utils.worker import get_worker_info as get_worker_info
from agar.dataset.dataloader.dataloader import DataLoader as DataLoader
from agar.dataset.dataloader.dataset import Dataset as Dataset
from agar.dataset.dataloader.dataset import IterableDataset as IterableDataset
from agar.dataset.dataloader.dataset import TensorDataset as TensorDataset
from agar.dataset.dataloader.distributed import DistributedSampler as DistributedSampler
from agar.dataset.dataloader.sampler import BatchSampler as BatchSampler
from agar.dataset.dataloader.sampler import RandomSampler as RandomSampler
from agar.dataset.dataloader.sampler import Sampler as Sampler
from agar.dataset.dataloader.sampler import SequentialSampler as SequentialSampler

__all__ = [
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "TensorDataset",
    "default_collate",
    "default_convert",
    "get_worker_info",
]
