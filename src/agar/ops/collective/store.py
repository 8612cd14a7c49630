"""A store of keys and values that processes share (``mint.distributed.TCPStore``)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

__all__: list[str] = ["TCPStore"]


class TCPStore:
    """Text that processes leave for each other at an address.

    Args:
        host_name (str): the address.
        port (int): the port, in [0, 65535].
        world_size (int): how many processes use it. Default: ``None``: 1.
        is_master (bool): whether this process keeps it. Default: ``False``.
        timeout (timedelta): how long to wait. Default: 300 seconds.
        wait_for_workers (bool): whether to wait for all of them. Default: ``True``.
        multi_tenant (bool): accepted. Default: ``False``.
        master_listen_fd (int): accepted. Default: ``None``.
        use_libuv (bool): accepted. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.TCPStore``; `get` of an absent key does not wait.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> store = ms.ops.TCPStore("127.0.0.1", 0, is_master=True)
        >>> store.set("key", "value")
        >>> store.get("key")
        b'value'
        >>> store.add("count", 2), store.add("count", 3)
        (2, 5)
        >>> store.delete_key("key")
        True
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = timedelta(seconds=300),
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        size = 1 if world_size is None else world_size
        for name, value, kind in (
            ("host_name", host_name, str),
            ("port", port, int),
            ("is_master", is_master, bool),
            ("timeout", timeout, timedelta),
            ("wait_for_workers", wait_for_workers, bool),
            ("world_size", size, int),
        ):
            if not isinstance(value, kind):
                raise TypeError(
                    f"For 'TCPStore', the argument '{name}' must be type of {kind.__name__}, but "
                    f"got '{name}' type : {type(value)}."
                )
        if not 0 <= port <= 65535:
            raise ValueError(f"For 'TCPStore', the argument 'port' must be legal, but got {port}.")
        if size <= 0:
            raise ValueError(
                f"For 'TCPStore', the argument 'world_size' must be legal, but got {size}."
            )
        import torch.distributed as dist

        self._store = dist.TCPStore(
            host_name, port, size, is_master, timeout, wait_for_workers, multi_tenant=True
        )
        self.host, self.port = host_name, self._store.port

    @staticmethod
    def _key(owner: str, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                f"For 'TCPStore.{owner}', the argument 'key' must be type of string, but got 'key' "
                f"type : {type(key)}."
            )
        return key

    def add(self, key: str, amount: int) -> int:
        """Add to the number of a key, 0 at first, and return it.

        Args:
            key (str): the key.
            amount (int): what is added.

        Returns:
            int, the new number.

        Raises:
            TypeError: an argument has the wrong type.
        """
        if not isinstance(amount, int):
            raise TypeError(
                "For 'TCPStore.add', the argument 'amount' must be type of int, but got 'amount' "
                f"type : {type(amount)}."
            )
        return self._store.add(self._key("add", key), amount)

    def set(self, key: str, value: str | bytes) -> None:
        """Leave a text under a key.

        Args:
            key (str): the key.
            value (Union[str, bytes]): the text; bytes are decoded as UTF-8.

        Raises:
            TypeError: an argument has the wrong type.
        """
        if not isinstance(value, (str, bytes)):
            raise TypeError(
                "For 'TCPStore.set', the argument 'value' must be type of string or bytes, but got "
                f"'value' type : {type(value)}."
            )
        text = value.decode() if isinstance(value, bytes) else value
        self._store.set(self._key("set", key), text)

    def get(self, key: str) -> bytes:
        """The text of a key; empty if there is none.

        Args:
            key (str): the key.

        Raises:
            TypeError: `key` is not a str.
        """
        return self._store.get(key) if self._store.check([self._key("get", key)]) else b""

    def delete_key(self, key: str) -> bool:
        """Remove a key; whether it was there.

        Args:
            key (str): the key.

        Raises:
            TypeError: `key` is not a str.
        """
        return self._store.delete_key(self._key("delete_key", key))
