"""Where a class is written: what `inspect` says, without parsing the whole file."""

from __future__ import annotations

import dataclasses
import inspect

import pytest
import torch

from agar.migrate.class_sources import _lines_of, source_of


# a comment above
@dataclasses.dataclass
class Decorated:
    value: int = 0

    # a comment at its end


@dataclasses.dataclass(
    frozen=True,
)
class DecoratedOverLines:
    value: int = 0


class Text:
    """A text that is not indented
    as its class is:
    """

    table = (
        1,
)  # fmt: skip

    def last(self) -> int:
        return 1


AFTER = 1


class Outer:
    class Inner:
        def f(self) -> int:
            return 2

    x = 3


class OneLine: ...


CLASSES = [
    Decorated, DecoratedOverLines, Text, Outer, Outer.Inner, OneLine, torch.nn.Linear,
    torch.nn.ModuleList, torch.nn.Transformer,
]  # fmt: skip


@pytest.mark.parametrize("kind", CLASSES, ids=lambda k: k.__qualname__)
def test_lines_are_those_of_inspect(kind: type) -> None:
    lines, first = _lines_of(kind)
    expected, number = inspect.getsourcelines(kind)
    assert first == number
    assert "".join(lines).rstrip() == "".join(expected).rstrip()


def test_what_has_no_source_has_none() -> None:
    assert source_of(int) is None
    assert source_of(type("Made", (), {})) is None
