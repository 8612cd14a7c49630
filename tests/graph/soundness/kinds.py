"""Kinds of Python state, and what random programs do with them."""

from __future__ import annotations

import dataclasses

# ------------------------------------------------------------------------------- kinds of state


@dataclasses.dataclass(frozen=True)
class Kind:
    """What can be written about one kind of state.

    In the texts, ``<p>`` is the place; ``<f>`` a number, ``<i>`` a small integer, ``<b>`` a flag,
    ``<k>`` a key, ``<v>`` values of a tensor, ``<t>`` and ``<s>`` a tensor and a number of the
    code around.

    Attributes:
        makes: values.
        numbers: expressions that give a number.
        tensors: expressions that give a tensor.
        tests: conditions.
        loops: iterables of numbers.
        changes: statements that change the contents, with code around them or without.
        effects: statements that only the code of a call can have.
    """

    makes: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()


_SEQUENCE = {
    "numbers": ("<p>[0]", "<p>[-1]", "len(<p>)", "sum(<p>)", "max(<p>, default=1)"),
    "tests": ("<p>", "len(<p>) > <i>", "<i> in <p>"),
    "loops": ("<p>", "reversed(<p>)", "sorted(<p>)", "[v * 2 for v in <p>]"),
}
_TABLE = {
    "numbers": ("<p>[<k>]", "<p>.get(<k>, 1.5)", "len(<p>)", "sum(<p>.values())"),
    "tests": ("<k> in <p>", "<p>", "<p>.get(<k>)"),
    "loops": ("<p>.values()", "[v for k, v in <p>.items() if k != <k>]"),
    "changes": ("<p>[<k>] = <f>", "<p>.pop(<k>, None)", "<p>.update({<k>: <f>})", "<p>.clear()"),
}
KINDS = {
    "number": Kind(
        ("<f>", "<i>", "<b>", "np.float32(<f>)", "Real(<f>)"),
        ("<p>",),
        tests=("<p> > <f>", "<p> == <i>", "<p>"),
        changes=("<p> += 1", "<p> *= 2", "<p> = -<p>"),
        effects=("<p> = <s>", "<p> += <s>"),
    ),
    "text": Kind(
        ("'relu'", "'tanh'", "'sin'"),
        ("len(<p>)",),
        ("getattr(ops, <p>)(<t>)",),
        ("<p> == 'relu'", "'a' in <p>", "hasattr(ops, <p>)"),
        changes=("<p> = 'cos'",),
    ),
    "nothing": Kind(
        ("None",),
        tests=("<p> is None",),
        tensors=("(<t> if <p> is None else <p>)",),
        changes=("<p> = t(<v>)", "<p> = None"),
        effects=("<p> = <t> if <p> is None else <p>", "<p> = <t>"),
    ),
    "list": Kind(
        ("[<f>, <f>]", "[]", "[1, 2.5, True]", "Bag([<f>, <f>])"),
        changes=(
            *("<p>.append(<f>)", "<p>[0] = <f>", "<p>.pop()", "<p> += [<f>]", "<p>.reverse()"),
            *("<p>.insert(0, <f>)", "<p>.sort()", "<p>.clear()", "del <p>[-1:]", "<p>[:1] = [<f>]"),
        ),
        effects=("<p>.append(<s>)", "<p>[0] = <p>[0] + 1", "<p>.append(x.shape[0])"),
        **_SEQUENCE,
    ),
    "deque": Kind(
        ("collections.deque([<f>, <f>], maxlen=3)", "collections.deque([<f>])"),
        changes=("<p>.append(<f>)", "<p>.rotate(1)", "<p>.appendleft(<f>)", "<p>[0] = <f>"),
        effects=("<p>.append(<s>)", "<p>.popleft()"),
        **_SEQUENCE,
    ),
    "tuple": Kind(("(<f>, <f>)", "Pair(<f>, <i>)", "()"), **_SEQUENCE),
    "tensors": Kind(
        ("[t(<v>), t(<v>)]", "(t(<v>),)"),
        ("len(<p>)", "float(<p>[0].sum())"),
        ("<p>[0]", "<p>[-1]", "sum(<p>)", "ops.stack(list(<p>)).sum(0)", "<t> + <p>[0]"),
        ("<p>", "<p>[0] is <p>[-1]", "x is <p>[0]", "(<p>[0] > 0).all()"),
        changes=(
            *("<p>[0] = t(<v>)", "<p>.append(t(<v>))", "<p>.pop()", "<p>[0].add_(1.0)"),
            *("<p>[0][0] = <f>", "<p>[-1] = <p>[0]"),
        ),
        effects=("<p>.append(<t>)", "<p>[0] = <t>", "<p>[0].mul_(<t>)"),
    ),
    "dict": Kind(("{'a': <f>, 'b': <i>}", "{}", "Table(a=<f>)"), **_TABLE),
    "ordered": Kind(
        ("collections.OrderedDict(a=<f>, b=<f>)", "collections.Counter('aab')"),
        ("next(iter(<p>.values()))", "list(<p>.values())[-1]", *_TABLE["numbers"]),
        tests=_TABLE["tests"],
        loops=_TABLE["loops"],
        changes=("<p>[<k>] = <f>", "<p>.move_to_end('a')", "<p>['b'] = <p>.pop('a', 2)"),
        effects=("<p>[<k>] += 1", "<p>.update({<k>: <s>})"),
    ),
    "default": Kind(
        ("collections.defaultdict(float)", "collections.defaultdict(lambda: 2.0, a=<f>)"),
        ("<p>.get(<k>, 1.5)", "len(<p>)"),
        tests=("<k> in <p>",),
        loops=("<p>.values()",),
        changes=("<p>[<k>] = <f>", "<p>[<k>] += 1", "<p>.default_factory = lambda: <f>"),
        effects=("<p>[<k>] += <s>", "k = <p>[<k>]"),
    ),
    "named": Kind(
        ("{'a': t(<v>)}", "{'a': t(<v>), 'b': t(<v>)}", "{'a': [t(<v>)], 'b': t(<v>)}"),
        ("len(<p>)",),
        ("<p>['b']", "<p>.get(<k>, <t>)", "sum(<p>.values())", "<t> * <p>['a']"),
        ("<k> in <p>", "<p>.get('a') is x"),
        changes=("<p>['a'] = t(<v>)", "<p>.pop('b', None)", "<p>['b'] = t(<v>)"),
        effects=("<p>['a'] = <t>", "<p>[<k>] = <t>", "<p>['b'].add_(<t>)"),
    ),
    "set": Kind(
        ("{1, 2}", "set()", "frozenset({1, 3})"),
        ("len(<p>)", "sum(<p>)", "max(<p>, default=0)"),
        tests=("<i> in <p>", "<p>", "<p> >= {1}"),
        loops=("sorted(<p>)",),
        changes=("<p>.add(<i>)", "<p>.discard(<i>)", "<p> |= {<i>}", "<p> -= {<i>}"),
        effects=("<p>.add(len(<p>))", "<p>.add(x.shape[0])"),
    ),
    "array": Kind(
        ("np.array([<f>, <f>, <f>])", "np.array([<i>, 2])", "np.array([<f>, [1]], dtype=object)"),
        ("float(<p>[0])", "<p>.shape[0]", "len(<p>)", "int(<p>.argmax())", "<p>.mean()"),
        ("Tensor(<p>.astype(np.float32)).sum()", "<t> * Tensor(<p>, ms.float32)[0]"),
        ("<p>[0] > <f>", "(<p> > 0).any()", "<p>.dtype == np.int64"),
        ("<p>", "<p>.tolist()"),
        ("<p>[0] = <f>", "<p> += 1", "<p>[:] = <i>", "<p> = <p>[::-1]", "<p>.sort()"),
        ("<p>[0] += <s>", "np.add(<p>, 1, out=<p>)"),
    ),
    "tensor": Kind(
        ("t(<v>)", "Tensor(<f>, ms.float32)", "Parameter(t(<v>), name='p<i>')", "t(<v>)[1:]"),
        ("<p>.shape[0]", "float(<p>.max())", "<p>.ndim"),
        ("<p>", "<t> * <p>", "<p> + <t>", "ops.relu(<p>)", "<p>.sum()", "<p>[0] * <t>"),
        ("<p> is x", "<p>.shape == x.shape", "(<p> > 0).any()", "isinstance(<p>, Parameter)"),
        changes=(
            *("<p>.add_(1.0)", "<p>[0] = <f>", "<p> += 1", "<p> = <p> * 2", "<p>.fill_(<f>)"),
            *("ops.assign(<p>, t(<v>))", "<p>.set_data(t(<v>))", "<p> = <p>[:2]"),
        ),
        effects=("<p> += <t>", "<p>.mul_(<t>)", "ops.assign(<p>, <t>)", "<p>[0] = <t>.sum()"),
    ),
    "object": Kind(
        ("Box(<f>, [<f>])", "Point(<f>, [<f>, <i>])", "Slotted(<f>, [<f>])", "Node(<f>, [<f>])"),
        ("<p>.u", "sum(<p>.w)", "<p>.w[0]", "len(<p>.w)", "<p>.twice()", "getattr(<p>, 'u')"),
        ("<p>.scaled(<t>)", "<t> * <p>.u"),
        ("<p>.u > <f>", "<p>.w", "isinstance(<p>, Box)", "hasattr(<p>, 'z')"),
        ("<p>.w",),
        ("<p>.u = <f>", "<p>.u += 1", "<p>.w.append(<f>)", "<p>.w = [<f>]", "<p>.w[0] = <f>"),
        ("<p>.u = <s>", "<p>.w = <p>.w + [<s>]", "<p>.u = <t>.sum().item()", "<p>.z = 1"),
    ),
    "custom": Kind(
        ("Ring([<f>, <f>])", "Ring([<i>])", "Ring([])"),
        ("<p>[0]", "len(<p>)", "sum(<p>)", "<p>(<i>)", "<p>.first", "<p> + <f>", "<p>.seen"),
        ("<t> * <p>[0]", "<p> * <t>"),
        ("<p>", "<i> in <p>", "<p> == Ring([<f>, <f>])", "<p> < <f>"),
        ("<p>", "iter(<p>)"),
        ("<p>[0] = <f>", "<p>.values.append(<f>)", "<p>.values = [<f>]", "<p>.seen = <i>"),
        ("<p>[0] = <s>", "<p>.count()", "<p> += <f>", "del <p>[0]"),
    ),
    "iterator": Kind(
        (
            # with an end: a program may take the sum of what stood for a set
            "itertools.islice(itertools.count(<i>), 99)",
            "iter([<f>, <f>, <f>])",
            "(v * 2 for v in [<f>, <f>])",
            "zip([1], [2])",
        ),
        ("next(<p>, 2.0)",),
        tests=("<p> is None", "<p>"),
        changes=("next(<p>, 0)", "<p> = itertools.islice(itertools.cycle([<f>, <f>]), 99)"),
    ),
    "mixed": Kind(
        ("{1: <f>, 'x': <f>}", "{True: <f>, 2: <i>}", "{None: <f>, (1, 2): <i>, 1.5: 2}"),
        ("<p>.get(1, 2.0)", "<p>.get((1, 2), <f>)", "sum(<p>.values())", "len(<p>)"),
        tests=("1 in <p>", "None in <p>", "any(k is True for k in <p>)"),
        loops=("list(<p>.values())",),
        changes=("<p>[1] = <f>", "<p>[None] = <f>", "<p>.pop(1, 0)", "<p>[True] = <f>"),
        effects=("<p>[len(<p>)] = <s>",),
    ),
    "words": Kind(
        ("{'relu', 'tanh'}", "['relu', 'sin']", "('tanh',)", "{'relu': 'tanh'}"),
        ("len(<p>)", "len(min(<p>))"),
        ("getattr(ops, sorted(<p>)[0])(<t>)",),
        ("'relu' in <p>", "'cos' in <p>"),
        changes=("<p>.add('cos')", "<p>.append('cos')", "<p>.clear()", "<p>['cos'] = 'sin'"),
    ),
    "special": Kind(
        *(
            (
                "float('nan')",
                "-0.0",
                "0.0",
                "10**20",
                "float('inf')",
                "np.float64(0.5)",
                "1",
                "True",
                "1.0",
            ),
        ),
        ("<p>",),
        tests=("<p> != <p>", "str(<p>) == '-0.0'", "type(<p>) is int", "<p> is True"),
        changes=("<p> = -0.0", "<p> = 0.0", "<p> = True", "<p> = 1", "<p> = 1.0", "<p> = -<p>"),
        effects=("<p> = -<p>",),
    ),
    "dispatch": Kind(
        ("{'a': ops.relu, 'b': lambda v: v * <f>}", "{'a': nn.Tanh(), 'b': Inner(<f>)}"),
        ("len(<p>)",),
        ("<p>['a'](<t>)", "<p>['b'](<t>)", "<p>.get(<k>, ops.sin)(<t>)"),
        ("<k> in <p>",),
        changes=("<p>['a'] = lambda v: v - <f>", "<p>['b'] = ops.tanh", "<p>.pop('b', None)"),
    ),
    "recorder": Kind(
        ("Lazy(<f>)",),
        ("<p>.size", "<p>.table[<k>]", "memo(<i>)", "<p>.kept(<i>)"),
        ("<p>.grown(<t>)", "<t> * <p>.size"),
        ("<p>.size > <f>", "'size' in <p>.__dict__"),
        changes=(
            "<p>.f = <f>",
            "<p>.__dict__.pop('size', None)",
            "memo.cache_clear()",
            "<p>.table['a'] = <f>",
        ),
        effects=("<p>.f = <s>", "<p>.size"),
    ),
    "norm": Kind(
        (
            "nn.BatchNorm1d(3)",
            "Scaled(<f>)",
            "nn.SequentialCell(nn.Dense(3, 3), nn.Dropout(p=0.5))",
        ),
        (),
        ("<p>(ops.stack([<t>, <t>]))[0]", "<p>(<t>)"),
        ("<p>.training",),
        changes=("<p>.set_train(<b>)", "<p>.requires_grad = False", "<p>.k = <f>"),
    ),
    "nested": Kind(
        ("{'a': [<f>, <f>], 'b': {'c': <f>}}", "{'a': [<f>], 'b': {}, 'o': Box(<f>, [<i>])}"),
        ("<p>['a'][0]", "sum(<p>['a'])", "<p>['b'].get('c', 2)", "len(<p>)"),
        ("<t> * <p>['a'][-1]",),
        ("'o' in <p>", "<p>['b']"),
        ("<p>['a']", "<p>['b'].values()"),
        ("<p>['a'].append(<f>)", "<p>['b']['c'] = <f>", "<p>['a'] = [<f>]", "<p>['a'][0] = <f>"),
        ("<p>['a'][0] += 1", "<p>['b']['c'] = <s>"),
    ),
    "function": Kind(
        (
            "lambda v: v * <f>",
            "functools.partial(operator.mul, <f>)",
            "Box(<f>, []).scaled",
            "ops.tanh",
        ),
        (),
        ("<p>(<t>)", "<p>(<p>(<t>))"),
        changes=("<p> = lambda v: v + <f>", "<p> = ops.relu"),
    ),
    "layer": Kind(
        ("nn.ReLU()", "nn.Dense(3, 3)", "nn.Dropout(p=0.5)", "nn.LayerNorm((3,))", "Inner(<f>)"),
        (),
        ("<p>(<t>)", "<p>(<t>)", "<p>(<p>(<t>))"),
        ("<p>.training", "isinstance(<p>, Inner)"),
        changes=("<p>.set_train(<b>)", "<p> = nn.Tanh()", "<p>.f = <f>", "<p>.log = [<f>]"),
    ),
    "layers": Kind(
        ("nn.CellList([nn.ReLU(), Inner(<f>)])", "[nn.Tanh(), Inner(<f>)]"),
        ("len(<p>)",),
        ("<p>[0](<t>)", "<p>[-1](<t>)", "chained(<p>, <t>)"),
        changes=("<p>.append(nn.Sigmoid())", "<p>[0] = Inner(<f>)", "<p>[-1].f = <f>"),
    ),
}

HEAD = """\
import collections, contextlib, copy, dataclasses, functools, itertools, math, operator, random
import numpy as np
import agar as ms
from agar import Parameter, Tensor, mint, nn, ops
from graph.soundness.fuzzing import Show, t, tamper

Pair = collections.namedtuple("Pair", "u w")


class Real(float):
    pass


class Bag(list):
    pass


class Table(dict):
    pass


class Box:
    unit = 2.0

    def __init__(self, u, w):
        self.u = u
        self.w = w

    def scaled(self, v):
        return v * self.u

    def twice(self):
        return self.u * self.unit


@dataclasses.dataclass
class Point(Box):
    u: object
    w: object


@dataclasses.dataclass(slots=True)
class Slotted:
    u: object
    w: object

    def scaled(self, v):
        return v + self.u

    def twice(self):
        return self.u * 2


class Node(Box):
    @property
    def u(self):
        return self._u

    @u.setter
    def u(self, value):
        self._u = value

    def __getattr__(self, name):
        if name == "z":
            return len(self.w)
        raise AttributeError(name)


class Inner(nn.Cell):
    unit = 1.5

    def __init__(self, f):
        super().__init__()
        self.f = f
        self.log = [1.0]
        self.weight = Parameter(Tensor(f, ms.float32), name="weight")

    def construct(self, v):
        if self.training:
            v = v + 1
        return ops.tanh(v * self.weight) * self.f + sum(self.log) * self.unit


class Keep:
    def __init__(self, box):
        self.box = box

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return exc[0] is ZeroDivisionError


class Ring:
    unit = 0.5

    def __init__(self, values):
        self.values = values
        self.seen = 0

    def __getitem__(self, i):
        return self.values[i % len(self.values)] * self.unit

    def __setitem__(self, i, value):
        self.values[i] = value

    def __delitem__(self, i):
        del self.values[i]

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values[:])  # a loop that adds to it comes to an end

    def __call__(self, n):
        return sum(self.values[:n])

    def __contains__(self, n):
        return n in self.values

    def __eq__(self, other):
        return self.values == other.values

    def __lt__(self, n):
        return len(self.values) < n

    def __add__(self, n):
        return sum(self.values) + n

    def __iadd__(self, n):
        self.values.append(n)
        return self

    def __mul__(self, v):
        return v * len(self.values)

    @property
    def first(self):
        return next(iter(self.values), 0.0)

    def count(self):
        self.seen += 1
        return self.seen


class Lazy:
    table = {"a": 1.0, "b": 2.0}

    def __init__(self, f):
        self.f = f
        self.parts = {}

    @functools.cached_property
    def size(self):
        return self.f * 2

    def grown(self, v):
        if v.shape not in self.parts:
            self.parts[v.shape] = self.f
        return v * self.parts[v.shape]

    @functools.lru_cache(maxsize=None)
    def kept(self, n):
        return n * self.f


@functools.lru_cache(maxsize=4)
def memo(n):
    return n + 1.0


class Scaled(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def construct(self, v):
        return v * self.k

    def bprop(self, v, out, dout):
        return (dout * self.k + 1.0,)


@ms.jit
def jitted(v, k=2.0):
    return ops.tanh(v) * k


def chained(layers, v):
    for layer in layers:
        v = layer(v)
    return v


def total(value):
    if isinstance(value, Tensor):
        return value.sum()
    if isinstance(value, (list, tuple)):
        return sum([total(v) for v in value], Tensor(0.0))
    if isinstance(value, dict):
        return sum([total(v) for v in value.values()], Tensor(0.0))
    return Tensor(0.0)

"""
