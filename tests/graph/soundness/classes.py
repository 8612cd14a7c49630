"""Classes of all kinds of which programs make objects from two values and a number."""

from __future__ import annotations

import abc
import argparse
import collections
import dataclasses
import types
from collections.abc import Callable
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")


@dataclasses.dataclass
class Record:
    x: Any
    y: Any
    n: Any = 2


@dataclasses.dataclass(slots=True)
class SlottedRecord:
    x: Any
    y: Any
    n: Any = 2


@dataclasses.dataclass(frozen=True, eq=False)
class FrozenRecord:
    x: Any
    y: Any
    n: Any = 2


@dataclasses.dataclass
class Computed:
    x: Any
    y: Any
    n: Any = 2
    total: Any = dataclasses.field(init=False, repr=False)
    notes: list[Any] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self.total = self.x + self.y
        self.notes.append(self.n)


class Ordinary:
    scale: ClassVar[float] = 1.0

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n


class Derived(Ordinary):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self._n = n
        super().__init__(x, y, n)

    @property
    def n(self) -> Any:
        return self._n

    @n.setter
    def n(self, n: Any) -> None:
        self.__dict__["n"] = self._n = n


class BySlots:
    __slots__ = ("n", "unset", "x", "y")

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n


class SlotsAndMore(BySlots):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x, y, n)
        self.z = x


class Private(Ordinary):
    __slots__ = ("__z",)

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x, y, n)
        self.__hidden = self.__z = [x]


class Output(collections.OrderedDict[str, Any]):
    """Has its items as attributes, and checks what is set."""

    x: Any
    y: Any
    n: Any

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(y=y, x=x)
        self.x, self.y, self.n = x, y, n
        self.move_to_end("y")

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self:
            super().__setitem__(name, value)
        super().__setattr__(name, value)


@dataclasses.dataclass
class ModelOutput(collections.OrderedDict[str, Any]):
    """As outputs of networks in other libraries: fields that are not None are items."""

    x: Any = None
    y: Any = None
    n: Any = None
    missing: Any = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is not None:
                self[field.name] = value

    def __getitem__(self, key: Any) -> Any:
        return tuple(self.values())[key] if isinstance(key, int) else super().__getitem__(key)

    __hash__ = object.__hash__


class Table(dict[str, Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x=x, y=y)
        self["n"] = n

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Items(list[Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__([x, y])
        self.n = n

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])

    def extend(self, *args: Any) -> None:
        raise TypeError("it is full")


class Row(NamedTuple):
    x: Any
    y: Any
    n: Any = 2

    def mixed(self) -> Any:
        return self.x + self.y * self.n


class LooseRow(Row):
    def __new__(cls, x: Any, y: Any, n: Any = 2) -> LooseRow:
        made = super().__new__(cls, x, y, n + 1)
        made.extra = n + 1
        return made


class DoublingRow(Row):
    __slots__ = ()

    def __new__(cls, x: Any, y: Any, n: Any = 2) -> DoublingRow:
        return super().__new__(cls, x * 2, y, n)


class Encoding(collections.UserDict[str, Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__({"x": x, "y": y})
        self.n = n

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(name) from None


class Typed(Generic[T]):
    def __init__(self, x: T, y: T, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n


class HasX(Protocol):
    x: Any


class Explicit(HasX):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n


class Abstract(abc.ABC):
    @abc.abstractmethod
    def total(self) -> Any: ...


class Concrete(Abstract):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n

    def total(self) -> Any:
        return self.x + self.y


class Checked:
    """Sets attributes in a way of its own."""

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "n" and isinstance(value, int):
            value = value + 1
        self.__dict__[name] = value


class Meta(type):
    def __call__(cls, x: Any, y: Any, n: Any = 2) -> Any:
        made = super().__call__(x, y, n)
        made.by = cls.__name__
        return made


class ByMeta(metaclass=Meta):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n


class Inner:
    def __init__(self, y: Any, n: Any) -> None:
        self.y, self.numbers = y, {"n": [n]}


class Nested:
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.inner = x, Inner(y, n)
        self.all = [self.inner, {"again": self.inner}, (self.inner, self)]
        self.inner.parent = self  # type: ignore[attr-defined]

    y = property(lambda self: self.inner.y)
    n = property(lambda self: self.inner.numbers["n"][0])


def namespace(x: Any, y: Any, n: Any = 2) -> Any:
    return types.SimpleNamespace(x=x, y=y, n=n)


def options(x: Any, y: Any, n: Any = 2) -> Any:
    return argparse.Namespace(x=x, y=y, n=n)


MAKERS: dict[str, Callable[..., Any]] = {
    "record": Record,
    "slotted_record": SlottedRecord,
    "frozen_record": FrozenRecord,
    "computed": Computed,
    "ordinary": Ordinary,
    "derived": Derived,
    "slots": BySlots,
    "slots_and_more": SlotsAndMore,
    "private": Private,
    "output": Output,
    "model_output": ModelOutput,
    "table": Table,
    "items": Items,
    "row": Row,
    "loose_row": LooseRow,
    "doubling_row": DoublingRow,
    "encoding": Encoding,
    "typed": Typed,
    "explicit": Explicit,
    "concrete": Concrete,
    "checked": Checked,
    "by_meta": ByMeta,
    "nested": Nested,
    "namespace": namespace,
    "options": options,
}
