"""Pipelines over datasets with a cache."""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._random import SHUFFLED_ROWS, Engine64, mixed
from agar.dataset.engine._values import Row
from agar.dataset.engine.cache_client import KeptRows
from agar.dataset.engine.samplers import Shuffle

__all__ = ["cached"]

#: what may be below a cache, beside sources: one row for each row, in its order
_ROW_BY_ROW = ("MapDataset", "ProjectDataset", "RenameDataset")


def cached(dataset: Any, run: Run) -> Flow:
    """A dataset with a cache within a running pipeline.

    Raises:
        RuntimeError: what is cached would not be the same each time.
    """
    source = _source_below(dataset)
    kept = dataset._kept
    before = len(run.random_operations)
    alone, run.alone = run.alone, True  # one process reads what is kept
    try:
        in_order = source._flow(Run(alone=True)).work is None
        limit, shuffled = source.num_samples, in_order and source.is_shuffled()
        flow = (_as_in_files(dataset) if shuffled else dataset)._flow(run)
    finally:
        run.alone = alone
    if len(run.random_operations) > before:
        raise RuntimeError(
            f"For '{type(dataset).__name__}' with a cache, random operations are not supported as "
            "descendants of a cache: they would draw once for all epochs. Give the cache to a "
            "dataset below them."
        )
    if not in_order:
        return Flow(
            run,
            flow.tasks,
            functools.partial(_made, kept, flow.work),
            advance=flow.advance,
            fresh=True,
            count=flow.count,
        )
    engine = Engine64(run.seed)

    def rows() -> Iterator[Row]:
        if not shuffled:
            return _in_order(kept, flow)
        mixing = mixed(_in_order(kept, flow), engine, SHUFFLED_ROWS)
        return itertools.islice(mixing, limit or None)

    return Flow(run, rows, advance=flow.advance, fresh=True, count=flow.count)


def _made(kept: KeptRows, work: Callable[[Any], Row], task: Any) -> Row:
    """A row of a sample, which is read where it is not kept."""
    row = kept.get(task)
    if row is None:
        row = work(task)
        kept.put(int(task), row)
    return row


def _in_order(kept: KeptRows, flow: Flow) -> Iterator[Row]:
    """The rows of an epoch of files, from the cache once it holds them all."""
    if kept.whole:
        flow.advance()
        for place in range(len(kept)):
            row = kept.get(place)
            assert row is not None
            yield row
        return
    every = True
    for place, row in enumerate(flow.rows()):
        every = kept.put(place, row) and every
        yield row
    kept.whole = every  # a row without room would leave a hole


def _as_in_files(dataset: Any) -> Any:
    """A copy whose source gives every row in the order of its files."""
    result = copy.copy(dataset)
    if result.children:
        result.children = [_as_in_files(child) for child in result.children]
    else:
        result._shuffle = Shuffle.FALSE
        result.num_samples = 0
    return result


def _source_below(dataset: Any) -> Any:
    """The source of a dataset with a cache.

    Raises:
        RuntimeError: something below the cache cannot be cached.
    """
    one = dataset
    while True:
        name = type(one).__name__
        if one is not dataset and one.cache is not None:
            raise RuntimeError(
                "Nested cache operations are not supported: give a cache to one of "
                f"'{type(dataset).__name__}' and the '{name}' below it."
            )
        steps = (
            (bool(one.children) and name not in _ROW_BY_ROW, "it changes which rows there are"),
            (bool(getattr(one, "callbacks", None)), "its callbacks would miss later epochs"),
            (getattr(one, "has_batch_sampler", False), "it gives batches"),
        )
        for refused, why in steps:
            if refused:
                raise RuntimeError(
                    f"'{name}' is not supported as a descendant of the cache of "
                    f"'{type(dataset).__name__}': {why}. Give the cache to a dataset below it, or "
                    "leave it out."
                )
        if not one.children:
            return one
        one = one.children[0]
