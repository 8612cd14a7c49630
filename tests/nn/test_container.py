"""SequentialCell, CellList, CellDict: names, positions, slices, errors."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import agar as ms
from agar import nn


def dense() -> nn.Dense:
    return nn.Dense(1, 1, has_bias=False)


def names(cell: nn.Cell) -> list[str]:
    return [p.name for p in cell.get_parameters()]


def inside(attribute: str, cell: nn.Cell) -> nn.Cell:
    parent = nn.Cell()
    setattr(parent, attribute, cell)
    return parent


class TestSequentialCell:
    def test_cells_one_by_one_a_list_and_a_dictionary(self):
        assert names(nn.SequentialCell(dense(), nn.ReLU(), dense())) == ["0.weight", "2.weight"]
        assert names(nn.SequentialCell([dense(), dense()])) == ["0.weight", "1.weight"]
        named = nn.SequentialCell(OrderedDict([("a", dense()), ("b", nn.ReLU())]))
        assert names(named) == ["a.weight"]
        assert named.a is named[0]
        assert repr(named) == (
            "SequentialCell(\n  (a): Dense(input_channels=1, output_channels=1)\n  (b): ReLU()\n)"
        )
        assert repr(nn.SequentialCell()) == "SequentialCell()"

    def test_runs_in_order(self):
        net = nn.SequentialCell(nn.Dense(1, 1, "ones", has_bias=False), nn.ReLU(), nn.Identity())
        assert net(ms.Tensor([[-2.0], [3.0]])).asnumpy().tolist() == [[0.0], [3.0]]
        x = ms.Tensor([1.0])
        assert nn.SequentialCell()(x) is x
        with pytest.raises(TypeError, match="positional argument"):
            net(x, x)

    @pytest.mark.parametrize(
        "bad",
        [
            lambda: nn.SequentialCell(5),
            lambda: nn.SequentialCell((dense(),)),
            lambda: nn.SequentialCell({"a": dense()}),
        ],
    )
    def test_other_arguments_are_refused(self, bad):
        with pytest.raises(TypeError, match="must be Cell, list or orderedDict"):
            bad()

    @pytest.mark.parametrize(
        "bad",
        [
            lambda: nn.SequentialCell([5]),
            lambda: nn.SequentialCell(dense(), None),
            lambda: nn.SequentialCell(dense()).append(5),
            lambda: nn.SequentialCell(dense()).__setitem__(0, 5),
        ],
    )
    def test_elements_must_be_cells(self, bad):
        with pytest.raises(TypeError, match="must be subclass of Cell"):
            bad()

    def test_positions(self):
        net = nn.SequentialCell(dense(), nn.ReLU())
        assert isinstance(net[-1], nn.ReLU)
        assert len(net) == 2
        assert list(net) == [net[0], net[1]]
        assert net.cell_list == (net[0], net[1])
        for bad in (2, -3):
            with pytest.raises(IndexError, match=r"range \[-2, 2\)"):
                net[bad]
        for bad in ("0", 1.5, True):
            with pytest.raises(TypeError, match="index"):
                net[bad]

    def test_slices_are_sequences_over_the_same_cells_and_rename_nothing(self):
        net = nn.SequentialCell(dense(), nn.ReLU(), dense())
        tail = net[1:]
        assert type(tail) is nn.SequentialCell
        assert list(tail) == [net[1], net[2]]
        assert list(tail.name_cells()) == ["1", "2"]
        assert names(tail) == ["2.weight"]
        parent = inside("m", net)
        assert names(net[::2]) == ["m.0.weight", "m.2.weight"]
        assert names(parent) == ["m.0.weight", "m.2.weight"]

    def test_a_subclass_with_other_arguments_can_be_sliced(self):
        class Block(nn.SequentialCell):
            def __init__(self, width: int) -> None:
                super().__init__(nn.Dense(width, width), nn.ReLU())

        assert type(Block(3)[:1]) is nn.SequentialCell

    def test_append_and_assignment_keep_the_prefix(self):
        net = nn.SequentialCell(dense())
        parent = inside("m", net)
        assert net.append(dense()) is None
        net[0] = dense()
        assert names(parent) == ["m.0.weight", "m.1.weight"]
        named = nn.SequentialCell(OrderedDict([("a", dense()), ("b", dense())]))
        named[0] = dense()
        named.append(dense())
        assert names(named) == ["a.weight", "b.weight", "2.weight"]

    def test_deletion_renumbers_positions_and_keeps_given_names(self):
        net = nn.SequentialCell(dense(), nn.ReLU(), dense())
        parent = inside("m", net)
        del net[0]
        assert names(parent) == ["m.1.weight"]
        assert list(net.name_cells()) == ["0", "1"]
        assert getattr(net, "0") is net[0]
        assert not hasattr(net, "2")
        del net[0:1]
        assert names(parent) == ["m.0.weight"]
        named = nn.SequentialCell(OrderedDict([("a", dense()), ("b", dense())]))
        del named[-2]
        assert names(named) == ["b.weight"]
        with pytest.raises(IndexError, match="range"):
            del named[1]

    def test_one_cell_twice_runs_twice(self):
        layer = nn.Dense(1, 1, weight_init=2.0, has_bias=False)
        net = nn.SequentialCell(layer, layer)
        assert len(net) == 2
        assert names(net) == ["1.weight"]
        assert net(ms.Tensor([[1.0]])).asnumpy().tolist() == [[4.0]]


class TestCellList:
    def test_names_and_positions(self):
        cells = nn.CellList([dense(), nn.ReLU(), dense()])
        assert names(cells) == ["0.weight", "2.weight"]
        assert len(cells) == 3
        assert cells[-1] is cells[2]
        assert list(cells)[1] is cells[1]
        assert cells[1] in cells
        assert names(nn.CellList([dense(), dense()], auto_prefix=False)) == ["weight", "weight"]
        assert repr(nn.CellList([nn.ReLU()])) == "CellList(\n  (0): ReLU()\n)"

    def test_append_extend_insert_keep_the_prefix_and_renumber(self):
        cells = nn.CellList([dense()])
        parent = inside("l", cells)
        assert cells.append(dense()) is None
        assert names(parent) == ["l.0.weight", "l.1.weight"]
        assert cells.extend([nn.ReLU(), dense()]) is cells
        assert names(parent) == ["l.0.weight", "l.1.weight", "l.3.weight"]
        cells.insert(1, dense())
        assert names(parent) == ["l.0.weight", "l.1.weight", "l.2.weight", "l.4.weight"]
        cells.insert(-1, nn.Tanh())
        assert isinstance(cells[-2], nn.Tanh)
        assert names(parent)[-1] == "l.5.weight"
        cells += [dense()]
        assert names(parent)[-1] == "l.6.weight"
        del cells[0]
        assert names(parent)[0] == "l.0.weight"
        assert list(cells.name_cells()) == [str(i) for i in range(6)]

    def test_an_empty_child_has_no_prefix_to_keep(self):
        parent = inside("l", nn.CellList())
        parent.l.append(dense())
        assert names(parent) == ["0.weight"]

    def test_slices(self):
        cells = nn.CellList([dense(), nn.ReLU(), dense()])
        tail = cells[1:]
        assert type(tail) is nn.CellList
        assert list(tail.name_cells()) == ["0", "1"]
        assert tail[1] is cells[2]
        assert names(cells) == ["0.weight", "2.weight"]

    def test_a_list_is_not_called(self):
        with pytest.raises(NotImplementedError, match="cannot be called"):
            nn.CellList([dense()])(ms.Tensor([1.0]))

    @pytest.mark.parametrize(
        ("bad", "error", "words"),
        [
            (lambda: nn.CellList(5), TypeError, "instance of list"),
            (lambda: nn.CellList(dense()), TypeError, "instance of list"),
            (lambda: nn.CellList([5]), TypeError, "subclass of Cell"),
            (lambda: nn.CellList([dense()], [dense()]), TypeError, "one list"),
            (lambda: nn.CellList([], prefix=1), TypeError, "prefix"),
            (lambda: nn.CellList([]).append(None), TypeError, "subclass of Cell"),
            (lambda: nn.CellList([]).extend(5), TypeError, "instance of list"),
            (lambda: nn.CellList([dense()]).insert(3, dense()), IndexError, r"\[-1, 1\]"),
            (lambda: nn.CellList([dense()])[1], IndexError, r"\[-1, 1\)"),
            (lambda: nn.CellList([dense()])["0"], TypeError, "int or slice"),
            (lambda: nn.CellList([dense()]).__setitem__(0, 5), TypeError, "subclass of Cell"),
        ],
    )
    def test_errors(self, bad, error, words):
        with pytest.raises(error, match=words):
            bad()

    def test_a_failed_change_changes_nothing(self):
        cells = nn.CellList([dense()])
        before = list(cells)
        with pytest.raises(TypeError):
            cells.extend([dense(), 5])
        assert list(cells) == before
        assert names(cells) == ["0.weight"]


class TestCellDict:
    def test_names_and_lookups(self):
        cells = nn.CellDict({"a": dense(), "b": nn.ReLU()})
        assert names(cells) == ["a.weight"]
        assert list(cells) == ["a", "b"] == list(cells.keys())
        assert list(cells.items()) == [("a", cells["a"]), ("b", cells.b)]
        assert list(cells.values()) == [cells["a"], cells["b"]]
        assert len(cells) == 2
        assert "a" in cells
        assert "z" not in cells
        assert list(nn.CellDict([("x", dense()), ["y", dense()]])) == ["x", "y"]
        assert list(nn.CellDict(cells)) == ["a", "b"]
        assert names(nn.CellDict({"a": dense()}, auto_prefix=False)) == ["weight"]

    def test_changes_keep_the_prefix(self):
        cells = nn.CellDict({"a": dense()})
        parent = inside("d", cells)
        cells["b"] = dense()
        cells.update({"a": dense(), "c": dense()})
        assert names(parent) == ["d.a.weight", "d.b.weight", "d.c.weight"]
        taken = cells.pop("b")
        assert names(taken) == ["d.b.weight"]
        assert names(parent) == ["d.a.weight", "d.c.weight"]
        del cells["a"]
        cells.clear()
        assert len(cells) == 0
        assert not hasattr(cells, "c")

    @pytest.mark.parametrize(
        ("bad", "error", "words"),
        [
            (lambda: nn.CellDict(5), TypeError, "iterable of key-value pairs"),
            (lambda: nn.CellDict([1, 2]), TypeError, "element #0"),
            (lambda: nn.CellDict({"a": 5}), TypeError, "type of cell should be Cell"),
            (lambda: nn.CellDict({"a": None}), TypeError, "type of cell should be Cell"),
            (lambda: nn.CellDict({5: dense()}), TypeError, "key should be string"),
            (lambda: nn.CellDict({"a.b": dense()}), KeyError, "must not be empty"),
            (lambda: nn.CellDict({"": dense()}), KeyError, "must not be empty"),
            (lambda: nn.CellDict({"keys": dense()}), KeyError, "attributes of Cell"),
            (lambda: nn.CellDict({"a": dense()})["z"], KeyError, "z"),
            (lambda: nn.CellDict({"a": dense()}).pop("z"), KeyError, "z"),
            (lambda: nn.CellDict({"a": dense()})(1), NotImplementedError, "cannot be called"),
        ],
    )
    def test_errors(self, bad, error, words):
        with pytest.raises(error, match=words):
            bad()

    def test_a_failed_update_changes_nothing(self):
        cells = nn.CellDict({"a": dense()})
        with pytest.raises(TypeError):
            cells.update({"b": dense(), "c": 5})
        assert list(cells) == ["a"]
