"""Holds Python's garbage collector still for a while."""

from __future__ import annotations

import gc

__all__ = ["Pause"]


class Pause:
    """The collector does not run while this object lives, also when the code between fails.

    For the import of the package: declarations make many objects that stay, and one full
    collection, which looks at all of torch's objects too, takes longer than the rest.
    """

    def __init__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __del__(self) -> None:
        if self.was_on:
            gc.enable()
