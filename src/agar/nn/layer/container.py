"""Containers of cells: in sequence, as a list, as a dictionary.

NOTE Names in containers. A child's parameters are named by its key, after the prefix that the
container's parameters have already. Removing and inserting renumbers the children behind, and so
their parameters. Slicing renames nothing, because the slice shares its cells with the container.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agar._core.errors import describe
from agar._core.runtime import runtime
from agar.nn.cell import Cell

__all__ = ["CellDict", "CellList", "SequentialCell"]


def _advice(value: Any) -> str:
    """What to write in the place of something that is not a cell."""
    if isinstance(value, type) and issubclass(value, Cell):
        return f"; that is a class, make a cell of it: {value.__name__}(...)"
    if callable(value):
        return (
            "; call functions in construct, or take the layer that does the same, such as "
            "nn.ReLU() for ops.relu"
        )
    return ""


def _checked(op_name: str, cell: Any) -> Cell:
    if not isinstance(cell, Cell):
        shown = getattr(cell, "__name__", None) or describe(cell)
        raise TypeError(
            f"For '{op_name}', each cell must be subclass of Cell, but got {type(cell).__name__}: "
            f"{shown}; its elements must be Cell objects{_advice(cell)}."
        )
    return cell


class _Container(Cell):
    """What the containers share: children under keys, and the names that follow from the keys."""

    def _prefix(self) -> str:
        """What stands before the children's keys in the parameters' names."""
        for path, p in self.parameters_and_names():
            if p.name.endswith(path):
                return p.name[: len(p.name) - len(path)]
        return ""

    def _place(self, cells: Iterable[tuple[str, Cell]], prefix: str) -> None:
        """Make these the children; a parameter keeps its name where its cell keeps its key."""
        before = self._cells
        placed = OrderedDict(cells)
        for key in before:
            self.__dict__.pop(key, None)
        self.__dict__["_cells"] = placed
        for key, cell in placed.items():
            self.__dict__[key] = cell
            if self._auto_prefix and before.get(key) is not cell:
                cell.update_parameters_name(f"{prefix}{key}.")
        runtime.epoch += 1

    def __len__(self) -> int:
        return len(self._cells)


class _Ordered(_Container):
    """Children in order; keys that are numbers follow the positions."""

    def _position(self, index: Any, count: int) -> int:
        op_name = type(self).__name__
        if type(index) is not int:
            raise TypeError(
                f"For '{op_name}', the type of 'index' must be int or slice, but got "
                f"{type(index).__name__}."
            )
        if not -len(self) <= index < count:
            end = ")" if count == len(self) else "]"
            raise IndexError(
                f"For '{op_name}', the value of 'index' must be a number in range [{-len(self)}, "
                f"{len(self)}{end}, but got {index}."
            )
        return index % len(self) if index < 0 else index

    def _renumbered(self, cells: list[tuple[str, Cell]]) -> Iterator[tuple[str, Cell]]:
        for i, (key, cell) in enumerate(cells):
            yield (str(i) if key.isdigit() else key), cell

    def __getitem__(self, index: int | slice) -> Any:
        items = list(self._cells.items())
        if isinstance(index, slice):
            return self._part(items[index])
        return items[self._position(index, len(items))][1]

    def _part(self, items: list[tuple[str, Cell]]) -> Cell:
        # not type(self): a subclass may take other arguments
        part = SequentialCell() if isinstance(self, SequentialCell) else CellList()
        part.__dict__["_auto_prefix"] = False
        part._place(items, "")
        part.__dict__["_auto_prefix"] = self._auto_prefix
        return part

    def __setitem__(self, index: int, cell: Cell) -> None:
        items = list(self._cells.items())
        place = self._position(index, len(items))
        key = items[place][0]
        prefix = self._prefix()
        items[place] = (key, _checked(type(self).__name__, cell))
        self._place(items, prefix)

    def __delitem__(self, index: int | slice) -> None:
        items = list(self._cells.items())
        prefix = self._prefix()
        if not isinstance(index, slice):
            index = self._position(index, len(items))
        del items[index]
        self._place(self._renumbered(items), prefix)

    def __iter__(self) -> Iterator[Cell]:
        return iter(list(self._cells.values()))

    def append(self, cell: Cell) -> Any:
        """Add a cell at the end, under its position as key."""
        items = list(self._cells.items())
        prefix = self._prefix()
        self._place([*items, (str(len(items)), _checked(type(self).__name__, cell))], prefix)


class SequentialCell(_Ordered):
    r"""Cells that run one after the other: :math:`out = f_n(\dots f_1(f_0(x)))`.

    Args:
        *args: the cells; or one list of them, with the positions as names; or one OrderedDict,
            with its keys as names.

    Inputs:
        - **input_data** (Any) - the one argument of the first cell.

    Outputs: what the last cell returns; the input itself if there is no cell.

    Raises:
        TypeError: an argument is none of these, or an element is not a Cell.
        IndexError: an index is out of range.

    A slice is a SequentialCell over the same cells. ``append``, assignment to and deletion of
    elements change the sequence; numbers as names follow the positions.

    Difference from PyTorch: ``torch.nn.Sequential``; a list is accepted. Slicing renames no
    parameters. (MindSpore 2.10 drops the parent's prefix from the parameters of a slice.)

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU(), nn.Dense(3, 1))
        >>> net(ms.ops.ones((4, 2))).shape
        (4, 1)
        >>> [p.name for p in net.trainable_params()]
        ['0.weight', '0.bias', '2.weight', '2.bias']
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        items: Iterable[tuple[str, Any]]
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            items = args[0].items()
        elif len(args) == 1 and isinstance(args[0], list):
            items = ((str(i), cell) for i, cell in enumerate(args[0]))
        elif len(args) == 1 and not isinstance(args[0], Cell):
            raise TypeError(
                "For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, but got "
                f"{type(args[0]).__name__}{_advice(args[0])}."
            )
        else:
            items = ((str(i), cell) for i, cell in enumerate(args))
        self._place([(key, _checked("SequentialCell", cell)) for key, cell in items], "")

    @property
    def cell_list(self) -> tuple[Cell, ...]:
        """The cells in order."""
        return tuple(self._cells.values())

    def construct(self, input_data: Any) -> Any:
        """Run the cells one after the other."""
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Ordered):
    """A list of cells, which are children of the cell that holds it.

    Args:
        *args (list, optional): one list of cells.
        **kwargs: ``auto_prefix`` (bool): whether parameters are named by the positions. Default:
            True.

    Raises:
        TypeError: the argument is not a list of cells.
        IndexError: an index is out of range.
        NotImplementedError: the list itself is called; call its cells.

    A slice is a CellList over the same cells.

    Difference from PyTorch: ``torch.nn.ModuleList``. Slicing renames no parameters, and has the
    keys of a new list.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> layers = nn.CellList([nn.Dense(2, 3)])
        >>> layers.append(nn.ReLU())
        >>> layers.insert(0, nn.Flatten())
        >>> [p.name for p in layers.get_parameters()]
        ['1.weight', '1.bias']
        >>> len(layers)
        3
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise TypeError(f"For 'CellList', unexpected keyword arguments {sorted(kwargs)}.")
        if len(args) > 1:
            raise TypeError(
                f"For 'CellList', the cells must be given as one list, but got {len(args)} "
                "arguments; write CellList([cell, ...])."
            )
        if args:
            self.extend(args[0])

    def _part(self, items: list[tuple[str, Cell]]) -> Cell:
        return super()._part([(str(i), cell) for i, (_, cell) in enumerate(items)])

    def extend(self, cells: Any) -> CellList:
        """Add the cells of a list at the end. Returns the CellList.

        Args:
            cells (Union[list, tuple, CellList]): the cells.
        """
        if not isinstance(cells, (list, tuple, CellList)):
            raise TypeError(
                "For 'CellList', the new cells wanted to append should be instance of list, but "
                f"got {type(cells).__name__}."
            )
        items = list(self._cells.items())
        prefix = self._prefix()
        items += [(str(i), _checked("CellList", cell)) for i, cell in enumerate(cells, len(items))]
        self._place(items, prefix)
        return self

    __iadd__ = extend

    def insert(self, index: int, cell: Cell) -> None:
        """Put a cell before the one at `index`; those after it move up by one.

        Args:
            index (int): the position; a negative one counts from the end.
            cell (Cell): the cell.
        """
        items = list(self._cells.items())
        place = self._position(index, len(items) + 1)
        prefix = self._prefix()
        items.insert(place, ("0", _checked("CellList", cell)))
        self._place(self._renumbered(items), prefix)

    def construct(self, *inputs: Any) -> Any:
        """A list is not called.

        Args:
            inputs: what it was called with.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "A CellList cannot be called: call its elements, as in `for cell in self.cells: x = "
            "cell(x)`, or use SequentialCell."
        )


class CellDict(_Container):
    """A dictionary of cells, which are children of the cell that holds it.

    Args:
        *args (Union[dict, list], optional): a mapping of str to Cell, or a list of pairs.
        **kwargs: ``auto_prefix`` (bool): whether parameters are named by the keys. Default: True.

    Raises:
        TypeError: the argument is neither, a key is not a str, or a value is not a Cell.
        KeyError: a key is empty, has a dot in it, or belongs to an attribute of Cell.
        NotImplementedError: it is called.

    Difference from PyTorch: ``torch.nn.ModuleDict``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> heads = nn.CellDict({"left": nn.Dense(2, 1), "right": nn.Dense(2, 1)})
        >>> [p.name for p in heads.get_parameters()]
        ['left.weight', 'left.bias', 'right.weight', 'right.bias']
        >>> heads.pop("left")
        Dense(input_channels=2, output_channels=1, has_bias=True)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise TypeError(f"For 'CellDict', unexpected keyword arguments {sorted(kwargs)}.")
        if len(args) > 1:
            raise TypeError(
                f"For 'CellDict', the cells must be given as one dict or list of pairs, but got "
                f"{len(args)} arguments."
            )
        if args:
            self.update(args[0])

    def _checked_pair(self, key: Any, cell: Any) -> tuple[str, Cell]:
        if not isinstance(key, str):
            raise TypeError(
                f"For 'CellDict', the type of key should be string but got {type(key).__name__}."
            )
        if key == "" or "." in key:
            raise KeyError(
                f"For 'CellDict', a key must not be empty nor have '.' in it, but got key {key!r}."
            )
        if key not in self._cells and hasattr(self, key):
            raise KeyError(
                "For 'CellDict', the key can not be same with the attributes of Cell, but got key "
                f"{key!r}; choose another one."
            )
        if not isinstance(cell, Cell):
            raise TypeError(
                f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__} "
                f"for key {key!r}."
            )
        return key, cell

    def __getitem__(self, key: str) -> Cell:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        self.update({key: cell})

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._cells))

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def clear(self) -> None:
        """Remove all cells."""
        self._place((), "")

    def pop(self, key: str) -> Cell:
        """Remove a cell and return it.

        Args:
            key (str): its key.

        Raises:
            KeyError: there is no such key.
        """
        entry = self._cells[key]
        self._place([(k, c) for k, c in self._cells.items() if k != key], self._prefix())
        return entry

    def keys(self) -> Any:
        """The keys, in order."""
        return self._cells.keys()

    def values(self) -> Any:
        """The cells, in order."""
        return self._cells.values()

    def items(self) -> Any:
        """Pairs of key and cell, in order."""
        return self._cells.items()

    def update(self, cells: Any) -> None:
        """Add or replace cells from a mapping or a list of pairs; all are checked first.

        Args:
            cells (Union[dict, CellDict, Iterable]): the cells by key, or pairs of key and cell.

        Raises:
            TypeError: it is neither, a key is not a str, or a value is not a Cell.
            KeyError: a key may not be used.
        """
        if isinstance(cells, (Mapping, CellDict)):
            pairs: list[Any] = list(cells.items())
        elif isinstance(cells, Iterable) and not isinstance(cells, (str, Cell)):
            pairs = list(cells)
        else:
            raise TypeError(
                "CellDict.update() should be called with an iterable of key-value pairs, but got "
                f"{type(cells).__name__}."
            )
        merged = OrderedDict(self._cells)
        for i, pair in enumerate(pairs):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise TypeError(
                    f"CellDict update sequence element #{i} should be a pair of key and cell, but "
                    f"got {describe(pair)}."
                )
            key, cell = self._checked_pair(*pair)
            merged[key] = cell
        self._place(merged.items(), self._prefix())

    def construct(self, *inputs: Any) -> Any:
        """A dictionary is not called.

        Args:
            inputs: what it was called with.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "A CellDict cannot be called: call its values, as in self.cells['name'](x)."
        )
