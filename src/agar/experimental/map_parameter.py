"""MapParameter, which agar refuses."""

from __future__ import annotations

from typing import Any

__all__ = ["MapParameter"]


class MapParameter:
    """A table from keys to rows that grows while it is used. Not supported.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always; the message says what to use instead.

    Difference from PyTorch: none (no counterpart).

    Source: in MindSpore 2.10 it belongs to training with parameter servers.

    Examples:
        >>> from agar.experimental import MapParameter
        >>> try:
        ...     MapParameter()
        ... except NotImplementedError as error:
        ...     print(str(error)[:18])
        For 'MapParameter'
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            "For 'MapParameter', a table that grows with its keys needs MindSpore's parameter "
            "servers, which agar does not have; map the keys to rows yourself and use "
            "nn.Embedding, or an agar.Parameter of a fixed number of rows."
        )
