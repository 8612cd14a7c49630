"""The file cache MindIO of Ascend clusters."""

from __future__ import annotations

__all__ = ["mindio_preload", "set_mindio_server_info"]


def set_mindio_server_info(data_block_pool_capacity_in_gb: int = 100) -> None:
    """Accepted: agar reads and writes files directly.

    Args:
        data_block_pool_capacity_in_gb (int): the size of the cache; positive. Default: ``100``.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_mindio_server_info(10)
    """
    name = "data_block_pool_capacity_in_gb"
    if not isinstance(data_block_pool_capacity_in_gb, int):
        raise TypeError(
            f"For 'set_mindio_server_info', the '{name}' must be int, but got "
            f"{type(data_block_pool_capacity_in_gb).__name__}."
        )
    if data_block_pool_capacity_in_gb < 1:
        raise ValueError(
            f"For 'set_mindio_server_info', the '{name}' must be positive, but got "
            f"{data_block_pool_capacity_in_gb}."
        )


def mindio_preload(ckpt_file_name: str) -> bool:
    """Whether MindIO loads a file ahead: never, as agar reads files directly.

    Args:
        ckpt_file_name (str): the file.

    Raises:
        TypeError: it is not a str.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10 without MindIO.

    Examples:
        >>> import agar as ms
        >>> ms.mindio_preload("net.ckpt")
        False
    """
    if not isinstance(ckpt_file_name, str):
        raise TypeError(
            "For 'mindio_preload', the 'ckpt_file_name' must be str, but got "
            f"{type(ckpt_file_name).__name__}."
        )
    return False
