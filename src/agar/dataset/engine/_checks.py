"""Checks that several datasets share; the kinds of errors are MindSpore's."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from agar._core.errors import describe
from agar.dataset.engine._values import listed
from agar.dataset.engine.cache_client import DatasetCache
from agar.dataset.engine.samplers import BuiltinSampler, Shuffle, gives_indices
from agar.dataset.transforms._checks import INT32, Check

__all__ = [
    "INT32",
    "Check",
    "check_callable",
    "check_columns",
    "check_names",
    "check_readable",
    "check_source",
    "check_workers",
]


def check_workers(owner: str, value: Any) -> int | None:
    """The number of workers: None, or an int from 1."""
    if value is not None:
        Check(owner).whole("num_parallel_workers", value, 1)
    return value


def check_names(owner: str, argument: str, value: Any) -> list[str]:
    """One column name or a list of different ones."""
    check = Check(owner)
    check.kind(argument, value, str, list, tuple)
    names = listed(value)
    if not names:
        check.wrong_value(argument, value, "at least one column name")
    for i, name in enumerate(names):
        check.kind(f"{argument}[{i}]", name, str)
        if not name:
            check.wrong_value(f"{argument}[{i}]", name, "a name that is not empty")
    if len(set(names)) < len(names):
        check.wrong_value(argument, value, "names that differ from each other")
    return names


def check_columns(owner: str, expected: Sequence[str], known: Sequence[str]) -> list[int]:
    """The positions of columns.

    Raises:
        RuntimeError: there is no column of a name.
    """
    places = []
    for name in expected:
        if name not in known:
            raise RuntimeError(
                f"For '{owner}', the column '{name}' does not exist in the dataset; its columns "
                f"are {list(known)}."
            )
        places.append(list(known).index(name))
    return places


def check_callable(owner: str, argument: str, value: Any) -> Callable[..., Any]:
    """A function or another callable."""
    if not callable(value):
        Check(owner).wrong_type(argument, value, "a Python function or a callable object")
    return value


def check_source(
    owner: str,
    *,
    num_samples: Any = None,
    num_parallel_workers: Any = None,
    shuffle: Any = None,
    sampler: Any = None,
    num_shards: Any = None,
    shard_id: Any = None,
    cache: Any = None,
    modes: tuple[type, ...] = (bool,),
) -> None:
    """The arguments that all sources of rows have in common."""
    check = Check(owner)
    if num_samples is not None:
        check.whole("num_samples", num_samples, 0, 2**63 - 1)
    check_workers(owner, num_parallel_workers)
    if shuffle is not None and not isinstance(shuffle, (*modes, Shuffle)):
        check.wrong_type("shuffle", shuffle, "a bool or a Shuffle")
    if (num_shards is None) != (shard_id is None):
        raise ValueError(
            f"For '{owner}', num_shards and shard_id need to be passed in together, but got "
            f"num_shards={num_shards}, shard_id={shard_id}."
        )
    if num_shards is not None:
        check.whole("num_shards", num_shards, 1)
        check.whole("shard_id", shard_id, 0)
        if shard_id >= num_shards:
            raise ValueError(
                f"For '{owner}', shard_id should be less than num_shards, but got "
                f"shard_id={shard_id}, num_shards={num_shards}."
            )
    if sampler is not None:
        # a list of indices keeps its order anyway, and MindSpore takes False beside it
        harmless = shuffle is False and not isinstance(sampler, BuiltinSampler)
        if shuffle is not None and not harmless:
            raise ValueError(
                f"For '{owner}', sampler and shuffle cannot be specified at the same time."
            )
        if num_shards is not None:
            raise ValueError(
                f"For '{owner}', sampler and sharding cannot be specified at the same time."
            )
        if not (isinstance(sampler, BuiltinSampler) or gives_indices(sampler)):
            raise TypeError(f"Unsupported sampler object of type ({type(sampler)})")
    check_cache(owner, cache)


def check_readable(owner: str, argument: str, value: Any, *, folder: bool) -> str:
    """The path of a file or folder that can be read."""
    check = Check(owner)
    check.kind(argument, value, str, os.PathLike)
    path = os.path.realpath(value)
    if not (os.path.isdir(path) if folder else os.path.isfile(path)):
        what = "folder" if folder else "file"
        raise ValueError(
            f"For '{owner}', the {what} '{argument}' does not exist or is no {what}: {value}."
        )
    if not os.access(path, os.R_OK):
        raise ValueError(f"For '{owner}', there is no permission to read '{argument}': {value}.")
    return str(value)


def check_cache(owner: str, cache: Any) -> Any:
    """A cache, or None.

    Raises:
        TypeError: it is something else.
    """
    if cache is not None and not isinstance(cache, DatasetCache):
        raise TypeError(
            f"For '{owner}', 'cache' must be a dataset.DatasetCache or None, but got "
            f"{describe(cache)}."
        )
    return cache
