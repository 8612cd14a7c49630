"""What the programs share that look for ways around the guards."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import agar as ms
from agar import Tensor, nn
from graph.soundness.harness import Run, attempt, program


class Programs(list[Any]):
    """The programs of a module."""

    def replayed(self) -> Callable[[Any], Any]:
        """Add a program whose calls are replayed."""
        return program(self)

    def ordinary(self) -> Callable[[Any], Any]:
        """Add a program whose calls may be Python."""
        return program(self, python=True)

    def change(self, name: str, make: Any, read: Any, mutate: Any, python: bool = False) -> None:
        """Add a program whose state, which a function encloses, changes after four calls and seven.

        Args:
            name: of the program.
            make: makes the state.
            read: a number from the state.
            mutate: changes it.
            python: whether calls may be Python. Default: False, they are replayed.
        """

        def run_it(run: Run) -> Iterator[Any]:
            held = make()
            call = run(lambda x: x * read(held))
            for i in range(10):
                if i in (4, 7):
                    mutate(held)
                yield attempt(call, t(1, 2, 3))

        run_it.__name__ = name
        program(self, "", python)(run_it)


def t(*values: float) -> Tensor:
    return Tensor(list(values or (1, -2, 3)), ms.float32)


class Net(nn.Cell):
    """A cell of a function and attributes."""

    def __init__(self, step: Any = None, **values: Any) -> None:
        super().__init__()
        self.step = step
        for name, value in values.items():
            setattr(self, name, value)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self.step(self, *args, **kwargs)


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 0


@dataclasses.dataclass(slots=True)
class Slotted:
    x: Any
    y: Any = 0.0


class Plain:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class Marked(np.ndarray):
    factor = 1.0


def marked() -> Any:
    result = np.ones(3).view(Marked)
    result.factor = 2.0
    return result


def network() -> nn.SequentialCell:
    ms.set_seed(5)
    return nn.SequentialCell(nn.Dense(4, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Dense(5, 1))


def data(i: int = 0) -> tuple[Tensor, Tensor]:
    draw = np.random.RandomState(i)
    return Tensor(draw.randn(6, 4).astype(np.float32)), Tensor(draw.randn(6, 1).astype(np.float32))


def weights(net: nn.Cell) -> list[Any]:
    return list(net.get_parameters())
