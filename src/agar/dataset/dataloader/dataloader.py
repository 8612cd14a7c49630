"""A loader: batches of a dataset's rows, read by this process or by workers.

PyTorch's loader does the work. Rows become Tensors, random numbers are numpy's, and workers start
with MindSpore's seeds.
"""

from __future__ import annotations

import enum
import multiprocessing.context
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, Generic, TypeVar, cast

import numpy as np
import torch  # the loader, its generator, and whether memory can be pinned
import torch.utils.data as torch_data  # likewise

from agar import log
from agar.dataset.dataloader._utils import (
    check_exclusive_args,
    check_non_negative,
    check_positive,
    check_type,
)
from agar.dataset.dataloader._utils.collate import default_collate, default_convert
from agar.dataset.dataloader._utils.worker import Start
from agar.dataset.dataloader.dataset import IterableDataset
from agar.dataset.dataloader.sampler import (
    BatchSampler,
    InfiniteSampler,
    RandomSampler,
    SequentialSampler,
)

__all__ = ["DataLoader", "DatasetType"]

_Row = TypeVar("_Row", covariant=True)


class DatasetType(str, enum.Enum):
    """How the rows of a dataset are taken."""

    MapDataset = "MapDataset"
    IterableDataset = "IterableDataset"


class DataLoader(Generic[_Row]):
    """Batches of a dataset's rows, each time it is iterated.

    Args:
        dataset (Dataset): rows by index (anything with ``__getitem__``) or in order
            (:class:`IterableDataset`).
        batch_size (int, optional): how many rows make a batch; None gives single rows.
            Default: ``1``.
        shuffle (bool, optional): whether rows come in random order. Default: ``None``, in order.
        sampler (Union[Sampler, Iterable], optional): gives the indices of the rows.
            Default: ``None``, by `shuffle`.
        batch_sampler (Union[Sampler, Iterable], optional): gives lists of indices.
            Default: ``None``, by `sampler` and `batch_size`.
        num_workers (int): how many processes read rows; 0 is this one. Default: ``0``.
        collate_fn (Callable, optional): makes a batch of a list of rows, without batches one row
            of one. Default: ``None``, :func:`default_collate`, without batches
            :func:`default_convert`.
        pin_memory (bool): whether batches are put where a GPU copies them faster; without a GPU
            there is a warning. Default: ``False``.
        drop_last (bool): whether a last batch with fewer rows is left out. Default: ``False``.
        timeout (float): how many seconds a batch of a worker may take; 0 for any.
            Default: ``0.0``.
        worker_init_fn (Callable, optional): called in each worker with its number.
            Default: ``None``.
        multiprocessing_context (Union[str, multiprocessing.context.BaseContext], optional): how
            workers are started. Default: ``None``, as Python does.
        generator (numpy.random.Generator, optional): draws the order of rows, and the seeds of
            workers. Default: ``None``, a new one.
        prefetch_factor (int, optional): how many batches each worker reads ahead.
            Default: ``None``, 2 with workers.
        persistent_workers (bool): whether workers stay for the next iteration.
            Default: ``False``.
        in_order (bool): whether batches of several workers come in the order of their indices.
            Default: ``True``.

    Raises:
        NotImplementedError: the dataset has neither ``__getitem__`` nor is an IterableDataset.
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, or two arguments exclude each other.

    Difference from PyTorch: ``torch.utils.data.DataLoader`` gives its own tensors and takes a
    ``torch.Generator``. Errors in workers keep their type, where MindSpore raises RuntimeError.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> from agar.dataset.dataloader import DataLoader
        >>> loader = DataLoader(range(10, 15), 2, shuffle=True, generator=np.random.default_rng(0))
        >>> print([batch.asnumpy().tolist() for batch in loader], len(loader))
        [[12, 14], [13, 10], [11]] 3
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0.0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: multiprocessing.context.BaseContext | str | None = None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        self._check_args({k: v for k, v in locals().items() if k not in ("self", "__class__")})
        in_sequence = isinstance(dataset, IterableDataset)
        self.dataset = dataset
        self.dataset_type = DatasetType.IterableDataset if in_sequence else DatasetType.MapDataset
        self.num_workers = num_workers
        self.collate_fn = collate_fn
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.generator = np.random.default_rng() if generator is None else generator
        self.persistent_workers = persistent_workers
        self.in_order = in_order
        self.prefetch_factor = 2 if prefetch_factor is None and num_workers else prefetch_factor
        if sampler is None:
            if in_sequence:
                sampler = InfiniteSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=self.generator)
            else:
                sampler = SequentialSampler(dataset)
        self.sampler = sampler
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.batch_sampler = batch_sampler
        self.auto_collation = batch_sampler is not None
        self.index_sampler = sampler if batch_sampler is None else batch_sampler
        self._engine: torch_data.DataLoader[Any] | None = None

    def _check_args(self, params: dict[str, Any]) -> None:
        """Refuse arguments of a wrong type, out of range, and those that exclude each other."""
        dataset = params["dataset"]
        if isinstance(dataset, IterableDataset):
            for name in ("shuffle", "sampler", "batch_sampler"):
                given = params[name] if name == "shuffle" else params[name] is not None
                check_exclusive_args(given, name, "when the dataset is iterable style")
        elif not hasattr(dataset, "__getitem__"):
            raise NotImplementedError(
                f"{type(dataset).__name__} should implement the method __getitem__, or derive from "
                "dataset.dataloader.IterableDataset if its rows come in order."
            )
        check_type(params["batch_size"], "batch_size", int, bool, allow_none=True)
        check_positive(params["batch_size"], "batch_size", allow_none=True)
        check_type(params["shuffle"], "shuffle", bool, allow_none=True)
        if params["sampler"] is not None and params["shuffle"]:
            raise ValueError("'sampler' cannot be specified with 'shuffle': leave one of them out.")
        if params["batch_sampler"] is not None:
            for name, given in (
                ("batch_size", params["batch_size"] != 1),
                ("shuffle", params["shuffle"]),
                ("sampler", params["sampler"] is not None),
                ("drop_last", params["drop_last"]),
            ):
                check_exclusive_args(given, name, "with 'batch_sampler'")
        check_type(params["pin_memory"], "pin_memory", bool)
        check_type(params["drop_last"], "drop_last", bool)
        check_type(params["timeout"], "timeout", (int, float), bool)
        check_non_negative(params["timeout"], "timeout")
        check_type(params["generator"], "generator", np.random.Generator, allow_none=True)
        check_type(params["in_order"], "in_order", bool)
        self._check_workers(params)

    @staticmethod
    def _check_workers(params: dict[str, Any]) -> None:
        """Refuse arguments of workers that do not fit, or are given without workers."""
        workers = params["num_workers"]
        check_type(workers, "num_workers", int, bool)
        check_non_negative(workers, "num_workers")
        context = params["multiprocessing_context"]
        kinds = (str, multiprocessing.context.BaseContext)
        check_type(context, "multiprocessing_context", kinds, allow_none=True)
        check_type(params["prefetch_factor"], "prefetch_factor", int, bool, allow_none=True)
        check_positive(params["prefetch_factor"], "prefetch_factor", allow_none=True)
        check_type(params["persistent_workers"], "persistent_workers", bool)
        if not workers:
            for name in ("multiprocessing_context", "prefetch_factor", "persistent_workers"):
                if params[name]:
                    raise ValueError(
                        f"'{name}' must only be specified when 'num_workers' is greater than 0, "
                        f"but got num_workers={workers}: give workers or leave '{name}' out."
                    )

    def _loader(self) -> torch_data.DataLoader[Any]:
        """PyTorch's loader with this one's settings."""
        pinned = self.pin_memory and torch.accelerator.is_available()
        if self.pin_memory and not pinned:
            log.warning("For 'DataLoader', 'pin_memory' has no effect: there is no accelerator.")
        # PyTorch's own seed of workers, which `Start` replaces, is not to be drawn from its stream
        private = torch.Generator()
        options: dict[str, Any] = {"batch_size": None, "generator": private}
        if self.dataset_type is DatasetType.IterableDataset:
            options |= {"batch_size": self.batch_size, "drop_last": self.drop_last}
        elif self.auto_collation:
            del options["batch_size"]
            options["batch_sampler"] = self.batch_sampler
        else:
            options["sampler"] = self.sampler
        if self.num_workers:
            # as MindSpore draws it: one number for all workers
            limit = int(np.iinfo(np.int64).max) + 1
            seed = int(self.generator.integers(0, limit, dtype=np.int64))
            options |= {
                "worker_init_fn": Start(seed, self.worker_init_fn),
                "prefetch_factor": self.prefetch_factor,
                "persistent_workers": self.persistent_workers,
                "multiprocessing_context": self.multiprocessing_context,
                "in_order": self.in_order,
                "timeout": self.timeout,
            }
        collate = default_collate if self.auto_collation else default_convert
        return torch_data.DataLoader(
            self.dataset,
            num_workers=self.num_workers,
            collate_fn=self.collate_fn or collate,
            pin_memory=pinned,
            **options,
        )

    def __iter__(self) -> Iterator[Any]:
        if not self.persistent_workers:
            return iter(self._loader())
        if self._engine is None:
            self._engine = self._loader()
        return iter(self._engine)

    def __len__(self) -> int:
        if self.dataset_type is DatasetType.IterableDataset:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return (count if self.drop_last else count + self.batch_size - 1) // self.batch_size
        return len(cast("Sized", self.index_sampler))
