"""``dict.has_key`` in compiled code, and what stays as it is."""

from __future__ import annotations

import traceback
from collections import OrderedDict

import pytest

import agar as ms
from agar import nn
from agar._core.dict_methods import give_has_key

X = ms.Tensor([1.0])


class Own:
    """Has a method of this name that means something else."""

    def has_key(self, key):
        return f"own {key}"


class OwnDict(dict):
    def has_key(self, key):
        return f"own {key}"


def calls(run, *args):
    """The results of some calls: recorded, compared, replayed."""
    return [run(*args) for _ in range(4)]


@ms.jit
def answers(x, own, own_dict):
    d = {"a": x, "q": {"b": 1}}
    return (
        d.has_key("a"),
        d.has_key("b"),
        d["q"].has_key("b" if d.has_key("a") else "c"),
        OrderedDict(c=1).has_key("c"),
        [e.has_key("b") for e in (d, d["q"])],
        (lambda e: e.has_key("q"))(d),
        own.has_key(1),
        own_dict.has_key(2),
    )


def test_answers_of_dicts_and_of_others():
    expected = (True, False, True, True, [False, True], True, "own 1", "own 2")
    for result in calls(answers, X, Own(), OwnDict(a=1)):
        assert result == expected


@ms.jit
def added(d, x, key="a"):
    y = x * 2
    if d.has_key(key):
        y = y + d[key]
    return y


def test_branches_on_arguments():
    for result in calls(lambda: (added({"a": X}, X), added({"b": X}, X), added({"b": X}, X, "b"))):
        assert [float(r) for r in result] == [3.0, 2.0, 3.0]


def test_lambdas_and_closures():
    assert calls(ms.jit(lambda x: {"a": x}.has_key("a")), X) == [True] * 4

    def make(added_value):
        @ms.jit
        def inner(x):
            known = {"k": x}
            return x + added_value if known.has_key("k") else x

        return inner

    assert [float(make(n)(X)) for n in (5, 7)] == [6.0, 8.0]


class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = {"a": 1}

    def construct(self, x):
        return x * 3 if self.table.has_key("a") else x


class Net(Base):
    def construct(self, x):
        y = super().construct(x)
        return y + 1 if self.table.has_key("b") else y - 1


def test_constructs_in_graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(Net())
    assert [float(r) for r in calls(net, X)] == [2.0] * 4
    net[0].table["b"] = 1
    assert [float(r) for r in calls(net, X)] == [4.0] * 4


@ms.jit
def misses(d):
    d.has_key("a")
    return d["missing"]


def test_lines_stay():
    with pytest.raises(KeyError) as caught:
        misses({"a": 1})
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == 'return d["missing"]'


def _helper(d):
    return d.has_key("a")


def shadowed(d):
    isinstance = len
    return isinstance(d) and d.has_key("a")


def two():
    return (lambda d: d.has_key("a")), (lambda d: d.has_key("b"))


class Mangled:
    def run(self, d):
        self.__d = d
        return self.__d.has_key("a")


def test_what_is_not_certain_stays():
    exec(compile("def unseen(d):\n    return d.has_key('a')\n", "<nowhere>", "exec"), globals())
    for function in (shadowed, *two(), Mangled.run, globals()["unseen"], len, Own()):
        before = getattr(function, "__code__", None)
        give_has_key(function)
        assert getattr(function, "__code__", None) is before
    with pytest.raises(AttributeError, match=r"not what they call. Write 'key in d'"):
        ms.jit(lambda d: _helper(d))({"a": 1})
    before = _helper.__code__
    changed = before.replace(co_consts=(*before.co_consts, 3), co_code=before.co_code + b"\x09\x00")
    _helper.__code__ = changed
    give_has_key(_helper)
    assert _helper.__code__ is changed  # not that of its source
    _helper.__code__ = before
