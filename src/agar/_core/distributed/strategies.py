"""Strategies: how the tensors of an operator, a cell or a function lie on several processes.

A strategy is a tuple with an entry for each tensor: a Layout, or into how many parts each dimension
is cut. Numbers become axes of one grid: dimensions that belong together, such as the columns of a
matrix and the rows of the one that it is multiplied with, share an axis. A wrong guess of what
belongs together costs messages and changes no result, since operators compute with whole values.

NOTE Parameters. A parameter is laid out as its first use with a strategy has it. While a gradient
is taken its tensor cannot be replaced, so that it takes the layout when the region ends.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from agar._core.distributed.sharding import (
    Split,
    check_divides,
    current_region,
    distribute,
    is_split,
    mesh_of,
    placements_of,
    processes,
    region,
    split_of,
    summed_in_gradient,
)
from agar._core.multi_device import world
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap

__all__ = ["Strategy", "check_strategy", "given_strategy", "sharded_class"]


def check_strategy(what: str, name: str, value: Any) -> None:
    """Refuse what is not a strategy.

    Raises:
        TypeError: it is not a tuple of Layouts and tuples of int.
        ValueError: a number of parts is not positive.
    """
    if not isinstance(value, tuple):
        raise TypeError(
            f"For {what}, the '{name}' must be a tuple with one entry for each tensor, but got "
            f"{type(value).__name__}: {value!r}."
        )
    for i, entry in enumerate(value):
        if entry is None or hasattr(entry, "to_dict"):
            continue
        if not isinstance(entry, tuple) or not all(type(n) is int for n in entry):
            raise TypeError(
                f"For {what}, entry {i} of '{name}' must be a Layout or a tuple of int, into how "
                f"many parts each dimension is cut, but got {entry!r}."
            )
        if any(n < 1 for n in entry):
            raise ValueError(
                f"For {what}, the numbers of parts in entry {i} of '{name}' must be positive, but "
                f"got {entry!r}."
            )


# --------------------------------------------------------------- from numbers to a grid


def _matmul_names(first: Sequence[int], second: Sequence[int], options: Any) -> list[list[Any]]:
    """Names of the dimensions of the factors of a matrix product: rows, columns, batches."""
    a: list[Any] = ["m", "k"] if len(first) > 1 else ["k"]
    b: list[Any] = ["k", "n"] if len(second) > 1 else ["k"]
    first_a, first_b, second_a, second_b = (getattr(options, n, False) for n in _TRANSPOSES)
    if first_a or second_a:
        a.reverse()
    if first_b or second_b:
        b.reverse()
    return [
        [("batch", len(entry) - 2 - i) for i in range(len(entry) - len(names))] + names
        for entry, names in ((first, a), (second, b))
    ]


def _names(what: str, entries: Sequence[Any], options: Any) -> list[list[Any]]:
    """A name for each dimension of each entry; dimensions of one name share an axis."""
    numbers = [() if e is None else e for e in entries]
    if what in _PRODUCTS and len(numbers) > 1:
        factors = _matmul_names(numbers[0], numbers[1], options)
        bias = [
            [("n" if i == len(e) - 1 else (what, i)) for i in range(len(e))] for e in numbers[2:]
        ]
        return [*factors, *bias]
    if what in _LOOKUPS:
        return [[(place, i) for i in range(len(e))] for place, e in enumerate(numbers)]
    # numbers are aligned at the right, as those of shapes are that are broadcast
    return [[i - len(e) for i in range(len(e))] for e in numbers]


#: The options of a matrix product that say which dimension of a factor is which.
_TRANSPOSES = ("transpose_a", "transpose_b", "transpose_x1", "transpose_x2")
_PRODUCTS = ("MatMul", "BatchMatMul", "MatMulExt", "BatchMatMulExt", "Dense")
_LOOKUPS = ("Gather", "GatherV2", "EmbeddingLookup", "SparseGatherV2", "Embedding")


def _check_shared(label: str, entries: Sequence[Any], names: list[list[Any]]) -> None:
    """Refuse a product whose factors cut the dimension that they share differently."""
    numbers = {
        number
        for entry, own in zip(entries, names, strict=True)
        if entry  # not a Layout, which has names of its own
        for number, name in zip(entry, own, strict=True)
        if name == "k"
    }
    if len(numbers) > 1:
        raise ValueError(
            f"For {label}, {tuple(entries)} cuts the dimension that the two factors share into "
            f"{' and '.join(map(str, sorted(numbers)))} parts. Give both the same number."
        )


def _names_of_outputs(what: str, entries: Sequence[Any]) -> list[list[Any]]:
    """The same for outputs: dimensions of the inputs where these go on."""
    if what not in _PRODUCTS:
        return _names("", entries, None)
    return [
        [("batch", len(e) - 3 - i) for i in range(len(e) - 2)] + ["m", "n"][-len(e) :] if e else []
        for e in entries
    ]


def _unpacked(entry: Any) -> Any:
    """The Layout that stands alone in a tuple."""
    if isinstance(entry, tuple) and len(entry) == 1 and hasattr(entry[0], "to_dict"):
        return entry[0]
    return entry


class _Axes:
    """The axes of a grid, found one after the other.

    Args:
        most: how many processes there are.
    """

    def __init__(self, most: int) -> None:
        self.sizes: list[int] = []
        self._most = most
        self._known: dict[Any, int] = {}

    def of(self, name: Any, number: int, taken: list[int]) -> int:
        """The axis that cuts a dimension of this name, in an entry that has taken others."""
        axis = self._known.get((name, number))
        if axis is not None and axis not in taken:
            return axis
        if math.prod(self.sizes) * number > self._most:  # no room for one more: share one
            for other, size in reversed(list(enumerate(self.sizes))):
                if size == number and other not in taken:
                    return other
        self.sizes.append(number)
        self._known[name, number] = len(self.sizes) - 1
        return len(self.sizes) - 1


def grid_of(
    label: str, entries: Sequence[Any], names: list[list[Any]] | None = None
) -> list[Split | None]:
    """The splits on one grid that tuples of numbers mean; None for what is not a tuple."""
    names = _names("", entries, None) if names is None else names
    ranks = processes()
    axes = _Axes(len(ranks))
    dims: list[tuple[tuple[int, ...], ...] | None] = []
    for entry, own in zip(entries, names, strict=True):
        if entry is None:
            dims.append(None)
            continue
        taken: list[int] = []
        cuts: list[tuple[int, ...]] = []
        for number, name in zip(entry, own, strict=True):
            if number > 1:
                taken.append(axes.of(name, number, taken))
            cuts.append(() if number == 1 else (taken[-1],))
        dims.append(tuple(cuts))
    sizes = axes.sizes
    used = math.prod(sizes)
    if len(ranks) % used:
        raise ValueError(
            f"For {label}, {tuple(entries)} is a strategy for {used} processes "
            f"({' x '.join(map(str, sizes))}), but there are {len(ranks)}, which is not a multiple "
            f"of it. Use numbers of parts whose product divides {len(ranks)}."
        )
    if len(ranks) > used:
        sizes.append(len(ranks) // used)  # these processes compute the same
    return [None if d is None else Split(tuple(sizes), d, ranks) for d in dims]


class Strategy:
    """How the tensors of one call lie; see `Primitive.shard`, `Cell.shard` and `agar.shard`.

    Args:
        label: what has the strategy, for errors.
        name: the operator's name, or ``""``.
        ins: the strategy of the inputs.
        outs: that of the outputs, or None.
        parameters: that of parameters by name.
    """

    def __init__(
        self, label: str, name: str, ins: Any, outs: Any = None, parameters: Any = None
    ) -> None:
        self.label, self.name = label, name
        self.ins, self.outs = ins, outs
        self.parameters = dict(parameters or {})
        self._known: dict[Any, tuple[list[Any], list[Any], dict[str, Any]]] = {}

    def splits(self, options: Any = None) -> tuple[list[Any], list[Any], dict[str, Any]]:
        """The splits of inputs, outputs and parameters, whose numbers are axes of one grid."""
        plans = {key: _unpacked(entry) for key, entry in self.parameters.items()}
        given = [*(self.ins or ()), *plans.values(), *(self.outs or ())]
        numbers = [entry if isinstance(entry, tuple) else None for entry in given]
        count = len(self.ins or ())
        names = _names(self.name, numbers[:count], options)
        _check_shared(f"{self.label}, 'in_strategy'", numbers[:count], names)
        for key, entry in plans.items():
            names.append([(key, i) for i in range(len(entry) if isinstance(entry, tuple) else 0)])
        names += _names_of_outputs(self.name, numbers[count + len(plans) :])
        splits = self._on_grids(numbers, names, count, len(plans))
        for i, entry in enumerate(given):
            if hasattr(entry, "to_dict"):
                splits[i] = split_of(entry, self.label)
        rest = iter(splits)
        ins = [next(rest) for _ in range(count)]
        parameters = {key: next(rest) for key in plans}
        return ins, list(rest), parameters

    def _known_splits(self, owner: Any) -> tuple[list[Any], list[Any], dict[str, Any]]:
        """The same, worked out once."""
        key = processes(), *[getattr(owner, name, False) for name in _TRANSPOSES]
        result = self._known.get(key)
        if result is None:
            result = self._known[key] = self.splits(owner)
        return result

    def _on_grids(
        self, numbers: list[Any], names: list[list[Any]], inputs: int, parameters: int
    ) -> list[Any]:
        """The splits on one grid, or where they do not fit on one, on a grid for each group."""
        try:
            return list(grid_of(self.label, numbers, names))
        except ValueError:
            starts = [0, *range(inputs, inputs + parameters + 1), len(numbers)]
            splits: list[Any] = []
            for start, end in pairwise(starts):
                splits += grid_of(self.label, numbers[start:end], names[start:end])
            return splits

    def every_split(self, options: Any = None) -> list[Split]:
        """All splits, from which a mesh is made."""
        ins, outs, parameters = self.splits(options)
        return [s for s in (*ins, *outs, *parameters.values()) if s is not None]

    # ------------------------------------------------------------------------- calls

    def call(
        self, run: Callable[..., Any], owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call `run` with the inputs laid out, and lay out what it gives."""
        if world.size == 1:
            return run(*args, **kwargs)
        ins, outs, parameters = self._known_splits(owner)
        here = current_region()
        mesh = here.mesh if here is not None else _mesh_of_inputs(args)
        if mesh is None:
            mesh = mesh_of(self.every_split(owner))
        with region(mesh) as opened:
            self._lay_out_parameters(owner, opened, parameters)
            if self.ins is not None:
                args = self._each("in_strategy", args, ins, opened)
            result = run(*args, **kwargs)
            if self.outs is not None:
                result = self._each("out_strategy", (result,), outs, opened)[0]
            for tensor in _tensors(result):
                value: Any = tensor._value
                if is_split(value) and value.requires_grad and not value.is_leaf:
                    summed_in_gradient(value)
            return result

    def _each(self, argument: str, values: Any, splits: list[Any], opened: Any) -> Any:
        count = len(_tensors(values))
        if count != len(splits):
            raise ValueError(
                f"For {self.label}, the '{argument}' has {len(splits)} entries, but there are "
                f"{count} tensors. Give one entry for each, or None for one that stays as it is."
            )
        rest = iter(enumerate(splits))

        def place(tensor: Tensor) -> Tensor:
            i, split = next(rest)
            if split is None:
                return tensor
            what = f"For {self.label}, entry {i} of '{argument}'"
            return placed(tensor, split, opened, what)

        return _mapped(values, place)

    def _lay_out_parameters(self, owner: Any, opened: Any, splits: dict[str, Any]) -> None:
        if not splits:
            return
        own = dict(owner.parameters_and_names())
        for key, split in splits.items():
            parameter = own.get(key.removeprefix("self."))
            if parameter is None:
                parameter = _named(own.values(), key)
            if parameter is None:
                raise ValueError(
                    f"For {self.label}, the 'parameter_plan' names '{key}', but the parameters are "
                    f"{list(own)}."
                )
            check_divides(
                f"For {self.label}, the 'parameter_plan' of '{key}'", parameter.shape, split
            )
            opened.plan(parameter, placements_of(split, opened.mesh))


def _named(parameters: Iterable[Any], name: str) -> Any:
    return next((p for p in parameters if p.name == name), None)


def placed(tensor: Tensor, split: Split, opened: Any, what: str) -> Tensor:
    """A tensor as a split has it; a parameter keeps that from then on."""
    check_divides(what, tensor.shape, split)
    placements = placements_of(split, opened.mesh)
    if isinstance(tensor, Parameter):
        opened.plan(tensor, placements)
    value = tensor._value
    laid = distribute(value, opened.mesh, placements)
    return tensor if laid is value else wrap(laid)


def _mesh_of_inputs(args: Any) -> Any:
    for tensor in _tensors(args):
        if is_split(tensor._value):
            return tensor._value.device_mesh  # type: ignore[attr-defined]
    return None


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _tensors(v)]
    return []


def _mapped(value: Any, change: Callable[[Tensor], Any]) -> Any:
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, (tuple, list)):
        items = [_mapped(v, change) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


# ------------------------------------------------------------------ objects with a strategy


def given_strategy(owner: Any) -> Strategy | None:
    """The strategy that a Primitive or Cell was given."""
    return vars(owner).get("_strategy")


@functools.cache
def sharded_class(cls: type, method: str) -> type:
    """The class of objects of `cls` with a strategy: `method` is called with tensors laid out."""
    plain = getattr(cls, method)

    @functools.wraps(plain)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        run = functools.partial(plain, self)
        return vars(self)["_strategy"].call(run, self, args, kwargs)

    subclass = type(cls)(cls.__name__, (cls,), {method: call, "__module__": cls.__module__})
    subclass.__qualname__ = cls.__qualname__
    return subclass


def give_strategy(owner: Any, strategy: Any, method: str) -> None:
    """Let an object compute with tensors that are laid out, by ``strategy.call``."""
    if vars(owner).get("_strategy") is None:
        object.__setattr__(owner, "__class__", sharded_class(type(owner), method))
    vars(owner)["_strategy"] = strategy
