"""The operations on several datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.engine._batches import BatchDataset
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import Dataset, MappableDataset, UnionBaseDataset
from agar.dataset.engine.samplers import DistributedSampler, RandomSampler, SequentialSampler
from agar.dataset.transforms._random import Engine

__all__ = ["ConcatDataset", "ZipDataset"]


def _all_advance(flows: Sequence[Flow]) -> Callable[[], None]:
    def advance() -> None:
        for flow in flows:
            flow.advance()

    return advance


class ZipDataset(UnionBaseDataset):
    """The columns of several datasets side by side: the result of :meth:`Dataset.zip`.

    Args:
        datasets (Iterable[Dataset]): the datasets, in the order of their columns. No two may have a
            column of the same name.
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        super().__init__(children=list(datasets))

    def _columns(self) -> list[str]:
        names = [name for child in self.children for name in child._columns()]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise RuntimeError(
                f"For 'zip', the column '{twice}' exists in two datasets; give one of them another "
                "name with rename."
            )
        return names

    def _size(self) -> int:
        return min(child.get_dataset_size() for child in self.children)

    def is_sync(self) -> bool:
        """Whether the pipeline has a :meth:`Dataset.sync_wait`."""
        return any(child.is_sync() for child in self.children)

    def _flow(self, run: Run) -> Flow:
        self._columns()
        flows = [child._supply(run) for child in self.children]

        def rows() -> Iterator[Row]:
            sources = [flow.rows() for flow in flows]
            return (tuple(chain.from_iterable(parts)) for parts in zip(*sources, strict=False))

        counts = [flow.count for flow in flows]
        known = [n for n in counts if n is not None]
        return Flow(
            run,
            rows,
            advance=_all_advance(flows),
            fresh=all(flow.fresh for flow in flows),
            count=min(known) if len(known) == len(counts) else None,
        )


class ConcatDataset(UnionBaseDataset):
    """The rows of several datasets one after the other: the result of :meth:`Dataset.concat`.

    Args:
        datasets (list[Dataset]): the datasets, in the order of their rows, with the same columns.
    """

    def __init__(self, datasets: list[Dataset]) -> None:
        for i, dataset in enumerate(datasets):
            if not isinstance(dataset, Dataset):
                raise TypeError(
                    f"Invalid dataset, expected Dataset object, but got {describe(dataset)}!"
                )
            if dataset.get_dataset_size() == 0:
                raise ValueError(
                    f"There are no samples in the dataset number {i}. Please make sure there are "
                    "valid samples in the dataset."
                )
        super().__init__(children=datasets)
        self.datasets = datasets
        self._sampler: Any = SequentialSampler()

    def use_sampler(self, sampler: Any) -> None:
        """Interleave the rows of the datasets, or select those of one shard.

        Args:
            sampler (Union[RandomSampler, DistributedSampler]): a RandomSampler without replacement
                interleaves the datasets at random and keeps the order within each; a
                DistributedSampler selects the rows of its shard and must not shuffle. `num_samples`
                must not be set.

        Raises:
            TypeError: `sampler` is of another class.
            ValueError: an argument of the sampler is not allowed here.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.
        """
        owner = "ConcatDataset.use_sampler"
        if not isinstance(sampler, (DistributedSampler, RandomSampler)):
            raise TypeError(
                f"For '{owner}', the sampler must be a DistributedSampler or a RandomSampler, but "
                f"got {describe(sampler)}."
            )
        if sampler.get_num_samples() is not None:
            raise ValueError(f"For '{owner}', num_samples of the sampler cannot be set.")
        if isinstance(sampler, RandomSampler):
            if sampler.replacement:
                raise ValueError(f"For '{owner}', replacement of the RandomSampler must be False.")
            nodes: list[Dataset] = list(self.children)
            for node in nodes:
                if isinstance(node, ConcatDataset):
                    node._sampler = sampler
                nodes.extend(node.children)
        else:
            if sampler.is_shuffled():
                raise ValueError(f"For '{owner}', shuffle of the DistributedSampler must be False.")
            if sampler.num_shards <= 0:
                raise ValueError(f"For '{owner}', num_shards must be positive.")
            for child in self.children:
                if isinstance(child, BatchDataset):
                    raise TypeError(f"For '{owner}', the datasets must not be batched.")
                own = getattr(child, "sampler", None)
                if isinstance(child, MappableDataset) and own is not None:
                    if own.get_num_samples() is not None:
                        raise ValueError(f"For '{owner}', no dataset may have num_samples.")
                    child.use_sampler(SequentialSampler())
        self.dataset_size = None
        self._sampler = sampler

    def _columns(self) -> list[str]:
        names = self.children[0]._columns()
        for child in self.children[1:]:
            if list(child._columns()) != list(names):
                raise RuntimeError(
                    "For 'concat', 'column name' or 'column order' of concat datasets should be "
                    f"the same, but got {list(names)} and {list(child._columns())}; use rename or "
                    "project."
                )
        return names

    def _size(self) -> int:
        total = sum(child.get_dataset_size() for child in self.children)
        if isinstance(self._sampler, DistributedSampler):
            return len(range(self._sampler.shard_id, total, self._sampler.num_shards))
        return total

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        return self._sampler.is_sharded() or super().is_sharded()

    def _flow(self, run: Run) -> Flow:
        self._columns()
        flows = [child._supply(run) for child in self.children]
        sampler = self._sampler

        def rows() -> Iterator[Row]:
            if isinstance(sampler, RandomSampler):
                return mixed()
            joined = chain.from_iterable(flow.rows() for flow in flows)
            if isinstance(sampler, DistributedSampler):
                return islice(joined, sampler.shard_id, None, sampler.num_shards)
            return joined

        def mixed() -> Iterator[Row]:
            left = [child.get_dataset_size() for child in self.children]
            sources = [flow.rows() for flow in flows]
            engine = Engine(run.seed & 0xFFFFFFFF)
            while any(left):
                # std::discrete_distribution with the rows that are left as weights
                bounds = np.cumsum(np.array(left) / sum(left))
                bounds[-1] = 1.0
                place = int(np.searchsorted(bounds, engine.unit_double()))
                left[place] -= 1
                yield next(sources[place])

        counts = [flow.count for flow in flows]
        known = [n for n in counts if n is not None]
        count = sum(known) if len(known) == len(counts) else None
        if isinstance(sampler, DistributedSampler) and count is not None:
            count = len(range(sampler.shard_id, count, sampler.num_shards))
        return Flow(
            run,
            rows,
            advance=_all_advance(flows),
            fresh=all(flow.fresh for flow in flows),
            count=count,
        )
