"""The client of MindSpore's cache server, which agar does not have."""

from __future__ import annotations

from typing import Any, NoReturn

from agar._core.errors import missing_feature

__all__ = ["DatasetCache"]


def refuse_cache(owner: str) -> NoReturn:
    """Raise the error of a dataset that is to be cached.

    Raises:
        NotImplementedError: always.
    """
    raise missing_feature(
        f"'{owner}' with a cache",
        "there is no cache server",
        "leave out 'cache'; samples that are read often are best held by the source itself",
    )


class DatasetCache:
    """A client of a cache server; making one raises an error.

    Args:
        session_id (int): the session.
        size (int, optional): the memory in MB. Default: ``0``.
        spilling (bool, optional): whether the disk is used too. Default: ``False``.
        hostname (str, optional): the server. Default: ``None``.
        port (int, optional): its port. Default: ``None``.
        num_connections (int, optional): how many connections. Default: ``None``.
        prefetch_size (int, optional): the queue's size. Default: ``None``.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: none (not available).

    Source: the name of MindSpore 2.10.
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        refuse_cache("dataset.DatasetCache")

    def get_stat(self) -> Any:
        """The statistics of the server.

        Raises:
            NotImplementedError: always.
        """
        refuse_cache("dataset.DatasetCache.get_stat")
