"""What the base classes of datasets make though it derives from them.

``Dataset.batch`` makes a BatchDataset, which is a Dataset: so the base asks for it by name here,
and the modules above it enter what they define. Imports point one way, from the operations to the
base.
"""

from __future__ import annotations

from typing import Any

__all__ = ["provide", "provided"]

_entries: dict[str, Any] = {}


def provide(*definitions: Any) -> None:
    """Enter classes and functions under their names."""
    _entries.update((definition.__name__, definition) for definition in definitions)


def provided(name: str) -> Any:
    """A class or function that a module above has entered."""
    return _entries[name]
