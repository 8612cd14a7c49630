"""What the engine says to people in passing."""

from __future__ import annotations

__all__ = ["GraphWarning", "at_site"]


class GraphWarning(UserWarning):
    """A call stays outside of the graph engine, for the reason given."""


def at_site(site: tuple[str, int] | None) -> str:
    """The end of a sentence that names file and line, or nothing."""
    return "" if site is None else f", at {site[0]}:{site[1]}"
