# ruff: noqa: B023, PERF401
"""Programs of networks that are changed, and of calls of many kinds in one order and another."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import gc
import itertools
import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Plain, Programs, data, network, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


def rows(i: int = 0, n: int = 4) -> Tensor:
    return Tensor(np.random.RandomState(i).randn(n, 4).astype(np.float32))


def images(i: int = 0) -> Tensor:
    return Tensor(np.random.RandomState(i).randn(2, 2, 6, 6).astype(np.float32))


# ---------------------------------------------------------------------------- settings of layers


def layer(name: str, make: Any, given: Any, *changes: Any, train: bool = False) -> None:
    """A program that changes settings of a layer, one after the other, four calls each."""

    def alone(run: Run) -> Iterator[Any]:
        ms.set_seed(3)
        made = make()
        made.set_train(train)
        call = run(made)
        for i in range(4 * (len(changes) + 1)):
            if i and i % 4 == 0:
                changes[i // 4 - 1](made)
            yield attempt(call, given(i)), list(made.get_parameters())

    def inside(run: Run) -> Iterator[Any]:
        ms.set_seed(3)
        made = make()
        net = Net(lambda s, x: s.layer(x) * 2, layer=made)
        net.set_train(train)
        solve = ms.value_and_grad(lambda x: net(x).sum(), 0, net.trainable_params())
        call = run(solve if net.trainable_params() else net)
        for i in range(4 * (len(changes) + 1)):
            if i and i % 4 == 0:
                changes[i // 4 - 1](made)
            yield attempt(call, given(i))

    for function in (alone, inside):
        function.__name__ = f"{name}_{function.__name__}"
        ROWS.ordinary()(function)


def put(attribute: str, value: Any) -> Any:
    return lambda made: setattr(made, attribute, value)


layer(
    "dense",
    lambda: nn.Dense(4, 3, weight_init="ones", activation="relu"),
    rows,
    put("activation", nn.Tanh()),
    put("activation", None),
    put("has_bias", False),
    lambda made: made.weight.set_data(made.weight * 2),
)
layer(
    "convolution",
    lambda: nn.Conv2d(2, 2, 3, weight_init="ones"),
    images,
    put("stride", (2, 2)),
    put("dilation", (2, 2)),
    put("pad_mode", "valid"),
    put("padding", 1),
)
layer(
    "batch_norm_trained",
    lambda: nn.BatchNorm2d(2),
    images,
    put("momentum", 0.5),
    put("eps", 0.5),
    put("use_batch_statistics", False),
    put("use_batch_statistics", True),
    train=True,
)
layer(
    "batch_norm_frozen",
    lambda: nn.BatchNorm2d(2),
    images,
    lambda made: made.moving_mean.set_data(t(1, 2)),
    lambda made: made.set_train(True),
    lambda made: made.set_train(False),
    put("eps", 0.5),
)
layer(
    "layer_norm",
    lambda: nn.LayerNorm((4,)),
    rows,
    put("epsilon", 0.5),
    lambda made: made.gamma.set_data(t(1, 2, 3, 4)),
    lambda made: setattr(made.beta, "requires_grad", False),
)
layer(
    "dropout",
    lambda: nn.Dropout(p=0.5),
    rows,
    lambda made: made.set_train(False),
    lambda made: made.set_train(True),
    put("keep_prob", 0.9),
    train=True,
)
layer("pool", lambda: nn.MaxPool2d(2, 2), images, put("kernel_size", 3), put("stride", 1))
layer("activation", lambda: nn.LeakyReLU(0.1), rows, put("alpha", 0.5), put("negative_slope", 0.9))
layer("softmax", lambda: nn.Softmax(-1), rows, put("axis", 0), put("dim", 0))
layer("flatten", lambda: nn.Flatten(), images, put("start_dim", 2), put("end_dim", 2))
layer(
    "embedding",
    lambda: nn.Embedding(5, 3, embedding_table="ones"),
    lambda i: Tensor([i % 5, 1]),
    lambda made: made.embedding_table.set_data(made.embedding_table * 2),
)
layer(
    "recurrent",
    lambda: nn.GRU(4, 3, batch_first=True),
    lambda i: rows(i).reshape(1, 4, 4),
    put("batch_first", False),
    put("bidirectional", False),
    put("dropout", 0.5),
)
layer(
    "sequence",
    lambda: nn.SequentialCell(nn.Dense(4, 4, weight_init="ones"), nn.Tanh()),
    rows,
    lambda made: made.append(nn.ReLU()),
    lambda made: made.__setitem__(1, nn.Sigmoid()),
    lambda made: made.__delitem__(2),
    lambda made: made.insert_child_to_cell("more", nn.Tanh()),
)
layer(
    "attention",
    lambda: nn.MultiheadAttention(4, 2, batch_first=True),
    lambda i: rows(i).reshape(1, 4, 4),
    put("num_heads", 1),
    put("dropout", 0.5),
)


class Stack(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(4, 4, weight_init="ones"), nn.Tanh(), nn.ReLU()])
        self.named = nn.CellDict({"a": nn.Tanh(), "b": nn.Sigmoid()})

    def construct(self, x: Any) -> Any:
        for part in self.layers:
            x = part(x)
        for name, part in self.named.items():
            x = part(x) * len(name)
        return x


@ROWS.replayed()
def list_of_cells_changes(run: Run) -> Iterator[Any]:
    net = Stack()
    call = run(net)
    changes = [
        lambda: net.layers.append(nn.Tanh()),
        lambda: net.layers.insert(0, nn.ReLU()),
        lambda: net.layers.__delitem__(1),
        lambda: net.named.update({"ccc": nn.Tanh()}),
        lambda: net.named.pop("a"),
        lambda: setattr(net, "layers", net.layers[::-1]),
        lambda: net.layers.extend([nn.Sigmoid()]),
        lambda: net.named.clear(),
    ]
    for i in range(4 * len(changes) + 4):
        if i and i % 4 == 0:
            changes[i // 4 - 1]()
        yield attempt(call, rows(i))


@ROWS.replayed()
def cells_walked_in_the_call(run: Run) -> Iterator[Any]:
    net = network()

    def step(x: Any) -> Any:
        return (
            x * len(list(net.cells_and_names()))
            + len(net.trainable_params())
            + len(net.name_cells())
            + sum(len(n) for n, _ in net.parameters_and_names())
        )

    call = run(step)
    for i in range(14):
        if i == 4:
            net.append(nn.Dense(1, 2))
        if i == 8:
            net[0].weight.requires_grad = False
        if i == 11:
            net[0].weight.name = "quite_another"
        yield attempt(call, t())


@ROWS.replayed()
def construct_replaced_on_the_object(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * 2)
    call = run(net)
    for i in range(12):
        if i == 4:
            net.construct = types.MethodType(lambda self, x: x * 3, net)
        if i == 8:
            del net.construct
        yield attempt(call, t())


@ROWS.replayed()
def construct_of_a_child_replaced_on_the_object(run: Run) -> Iterator[Any]:
    child = nn.Tanh()
    net = Net(lambda s, x: s.child(x), child=child)
    call = run(net)
    for i in range(12):
        if i == 4:
            child.construct = lambda x: x * 3
        if i == 8:
            del child.construct
        yield attempt(call, t())


@ROWS.replayed()
def call_of_the_class_replaced(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

    net = Own()
    outer = Net(lambda s, x: s.inner(x) + 1, inner=net)
    call = run(outer)
    for i in range(12):
        if i == 4:
            Own.__call__ = lambda self, x: x * 7
        if i == 8:
            del Own.__call__
        yield attempt(call, t())


@ROWS.replayed()
def mixed_precision_in_turns(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train(False)
    call = run(net)
    for i in range(12):
        if i == 4:
            ms.amp.auto_mixed_precision(net, "O3")
        if i == 8:
            net.to_float(ms.float32)
        yield attempt(call, rows(i))


@ROWS.ordinary()
def hooks_of_tensors_between_calls(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (s.p * x).sum(), p=Parameter(t(), name="p"))
    held = [2.0]
    solve = ms.grad(lambda x: net(x), None, net.trainable_params())
    call = run(solve)
    handle = None
    for i in range(14):
        if i == 4:
            handle = net.p.register_hook(lambda g: g * held[0])
        if i == 8:
            held[0] = 5.0
        if i == 11 and handle is not None:
            handle.remove()
        yield attempt(call, t())


@ROWS.replayed()
def hook_on_a_tensor_of_the_call(run: Run) -> Iterator[Any]:
    held = [2.0]

    def f(x: Any) -> Any:
        y = x * 3
        y.register_hook(lambda g: g * held[0])
        return (y * y).sum()

    call = run(ms.grad(f))
    for i in range(10):
        if i == 5:
            held[0] = 5.0
        yield attempt(call, t())


@ROWS.ordinary()
def gradient_looked_at_by_an_operator(run: Run) -> Iterator[Any]:
    held = [2.0]
    seen: list[Any] = []

    def look(g: Any) -> Any:
        seen.append(1)
        return g * held[0]

    insert = ops.InsertGradientOf(look)
    call = run(ms.grad(lambda x: (insert(x) * x).sum()))
    for i in range(10):
        if i == 5:
            held[0] = 5.0
        yield attempt(call, t()), len(seen)


@ROWS.replayed()
def recomputed_function_with_state(run: Run) -> Iterator[Any]:
    held = [2.0]
    net = Net(lambda s, x: ms.recompute(s.a, x) * held[0], a=nn.Dense(4, 4, weight_init="ones"))
    solve = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    call = run(solve)
    for i in range(10):
        if i == 5:
            held[0] = 5.0
        yield attempt(call, rows(i))


@ROWS.replayed()
def numpy_function_with_state(run: Run) -> Iterator[Any]:
    table = np.ones(3, np.float32)

    def host(a: Any) -> Any:
        table[0] += 1
        return a * table

    twice = ms.numpy_function(host)
    call = run(lambda x: twice(x) + 1)
    for i in range(9):
        if i == 4:
            table[1] = 7.0
        yield attempt(call, t(i, 1, 2)), table.copy()


@ROWS.replayed()
def numpy_function_that_raises(run: Run) -> Iterator[Any]:
    def host(a: Any) -> Any:
        if a[0] > 4:
            raise ValueError("too large")
        return a * 2

    guarded = ms.numpy_function(host)
    p = Parameter(t(0, 0, 0), name="p")

    def step(x: Any) -> Any:
        ops.assign_add(p, x)
        return guarded(x) + 1

    call = run(step)
    for i in range(10):
        yield attempt(call, t(i, 1, 2)), p


@ROWS.replayed()
def numpy_function_that_writes_its_argument(run: Run) -> Iterator[Any]:
    def host(a: Any) -> Any:
        made = np.array(a)
        made[0] = 9.0
        return made

    write = ms.numpy_function(host)
    call = run(lambda x: (write(x), x * 2))
    for i in range(8):
        x = t(i, 1, 2)
        yield attempt(call, x), x


@ROWS.replayed()
def numpy_function_exchanged(run: Run) -> Iterator[Any]:
    held = {"f": ms.numpy_function(lambda a: a * 2)}
    call = run(lambda x: held["f"](x))
    for i in range(10):
        if i == 5:
            held["f"] = ms.numpy_function(lambda a: a * 3)
        yield attempt(call, t(i, 1, 2))


# -------------------------------------------------------------------- many signatures and states


@ROWS.replayed()
def many_words_and_a_changing_state(run: Run) -> Iterator[Any]:
    held = {"k": 1.0}
    call = run(lambda x, word: x * len(word) * held["k"])
    for i in range(240):
        if i % 80 == 79:
            held["k"] += 1.0
        yield call(t(), "w" * (i * 7 % 40 + 1))


@ROWS.ordinary()
def many_states_and_back(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k, k=0)
    call = run(net)
    for i in range(160):
        net.k = (i * 3) % 50 if i < 100 else i % 2
        yield call(t())


@ROWS.replayed()
def many_objects_as_arguments(run: Run) -> Iterator[Any]:
    objects = [Plain(n=float(i)) for i in range(40)]
    call = run(lambda x, o: x * o.n)
    for i in range(120):
        o = objects[i * 7 % 40]
        if i == 90:
            objects[3].n = 99.0
        yield call(t(), o)


@ROWS.replayed()
def many_functions_as_arguments(run: Run) -> Iterator[Any]:
    def scaled(k: float) -> Any:
        return lambda x: x * k

    call = run(lambda x, f: f(x))
    for i in range(80):
        yield call(t(), scaled(float(i % 5)))


@ROWS.replayed()
def many_functions_with_one_name(run: Run) -> Iterator[Any]:
    calls = []
    for k in range(6):
        calls.append(run(lambda x: x * k))
    for i in range(30):
        yield calls[i % 6](t())


@ROWS.replayed()
def new_closures_in_a_loop(run: Run) -> Iterator[Any]:
    for i in range(12):
        held = [float(i)]
        call = run(lambda x: x * held[0])
        for _ in range(4):
            held[0] += 1
            yield call(t())
        del call
        gc.collect()


@ROWS.replayed()
def shapes_types_and_states_in_turns(run: Run) -> Iterator[Any]:
    held = {"k": 2}
    call = run(lambda x, y=None: (x * held["k"], x.shape, None if y is None else x + y))
    inputs = [
        (t(1, 2),),
        (t(1, 2, 3),),
        (Tensor([1, 2]),),
        (t(1, 2), t(3, 4)),
        (t(1, 2), 3),
        (t(1, 2), 3.0),
        (t(1, 2), True),
        (t(1, 2).reshape(1, 2),),
        (t(1, 2), None),
    ]
    for i in range(80):
        if i in (30, 55):
            held["k"] += 1
        yield attempt(call, *inputs[(i * 5) % len(inputs)])


@ROWS.replayed()
def positions_and_names_of_arguments(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any = 2.0, *more: Any, z: Any = 1.0, **named: Any) -> Any:
        return x * y + z + len(more) + sum(named.values())

    call = run(step)
    for i in range(40):
        kind = i % 8
        if kind == 0:
            yield call(t())
        elif kind == 1:
            yield call(t(), 3.0)
        elif kind == 2:
            yield call(t(), y=3.0)
        elif kind == 3:
            yield call(x=t(), y=3.0)
        elif kind == 4:
            yield call(t(), 2.0, 5, 6)
        elif kind == 5:
            yield call(t(), z=4.0)
        elif kind == 6:
            yield call(t(), a=1.0, b=2.0)
        else:
            yield call(y=t(1, 1, 1), x=t())


@ROWS.replayed()
def calls_with_wrong_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: x + y)
    for i in range(16):
        kind = i % 4
        if kind == 0:
            yield attempt(call, t(), t(1, 1, 1))
        elif kind == 1:
            yield attempt(call, t())
        elif kind == 2:
            yield attempt(call, t(), t(1, 2))
        else:
            yield attempt(call, t(), "a")


class Color(enum.Flag):
    RED = 1
    BLUE = 2
    BOTH = 3


ARGUMENTS: list[tuple[str, Any, list[Any]]] = [
    ("flags", lambda v: v.value, [Color.RED, Color.BLUE, Color.RED | Color.BLUE, Color.BOTH]),
    (
        "dates",
        lambda v: v.day,
        [datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2), datetime.date(2020, 1, 3)],
    ),
    ("decimals", float, [decimal.Decimal("1.5"), decimal.Decimal("1.50"), decimal.Decimal("2")]),
    ("fractions", float, [fractions.Fraction(1, 2), fractions.Fraction(2, 4), 0.5]),
    ("ranges", sum, [range(3), range(3), range(0, 5, 2), range(0, 6, 2)]),
    ("slices", lambda v: v.stop, [slice(0, 2), slice(2), slice(0, 3, None)]),
    ("sets", len, [{1, 2}, frozenset({1, 2}), {1}, frozenset()]),
    ("bytes", len, [b"ab", bytearray(b"ab"), memoryview(b"abc"), b""]),
    ("complexes", abs, [1 + 2j, complex(1, 2), np.complex64(1 + 2j), 3]),
    ("types", lambda v: len(str(v)), [ms.float32, ms.float16, torch.float32, np.float32, float]),
    ("numpy_numbers", float, [np.float32(0.1), np.float64(0.1), 0.1, np.float16(0.1), np.int8(1)]),
    (
        "arrays",
        np.sum,
        [np.ones(2), np.ones(2, np.float32), np.ones((2, 1)), np.zeros(0), np.ones(())],
    ),
    (
        "arrays_in_orders",
        lambda v: v.strides[0],
        [np.ones((2, 2)), np.asfortranarray(np.ones((2, 2)))],
    ),
    ("arrays_of_texts", len, [np.array(["a", "b"]), np.array(["a", "bb"]), np.array([b"a"])]),
    (
        "arrays_of_dates",
        lambda v: v.astype(int).sum(),
        [np.array(["2020"], "M8[Y]"), np.array([50], "M8[Y]")],
    ),
    (
        "arrays_of_nan",
        lambda v: np.isnan(v).sum(),
        [np.array([np.nan]), np.array([1.0]), np.array([-0.0])],
    ),
    (
        "arrays_read_only",
        lambda v: v.flags.writeable + 1,
        [np.ones(2), np.broadcast_to(np.ones(1), (2,))],
    ),
    ("large_arrays", lambda v: v[-1], [np.ones(70000), np.arange(70000.0), np.ones(70000)]),
    ("nested", lambda v: v["a"][0]["b"][1], [{"a": [{"b": (1, 2)}]}, {"a": [{"b": (1, 3)}]}]),
    ("nested_tensors", lambda v: v["a"][0], [{"a": [t(1, 1, 1)]}, {"a": (t(1, 1, 1),)}]),
    ("nothing_and_all", lambda v: 1 if v is None else 2, [None, ..., NotImplemented, 0, False, ""]),
    ("texts", len, ["a", "b", "ab", "", "é", "e\u0301"]),
    ("zeros", lambda v: 1 if str(v)[0] == "-" else 2, [0.0, -0.0, 0, np.float32(-0.0), False]),
    ("iterators", lambda v: sum(v), [iter([1, 2]), iter([1, 2]), (k for k in (1, 2)), zip()]),
    ("maps", lambda v: v["a"], [types.MappingProxyType({"a": 1}), collections.ChainMap({"a": 2})]),
    ("deques", lambda v: v[0], [collections.deque([1, 2]), collections.deque([2], 5)]),
    ("classes", lambda v: v().n, [type("A", (), {"n": 1}), type("A", (), {"n": 2})]),
    ("modules", lambda v: len(v.__name__), [itertools, functools, collections]),
]


def as_argument(name: str, read: Any, values: list[Any]) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(lambda x, v: x * read(v))
        for i in range(4 * len(values)):
            value = values[(i * 3 + i // len(values)) % len(values)]
            yield attempt(call, t(), value)

    run_it.__name__ = f"arguments_{name}"
    ROWS.ordinary()(run_it)


for _name, _read, _values in ARGUMENTS:
    if _name != "iterators":
        as_argument(_name, _read, _values)


@ROWS.replayed()
def ranks_before_many_sizes(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: x * 2 + y.sum())
    for x in (Tensor(1.0), t(1, 2), Tensor(2.0), t(2, 3).reshape(1, 2)):
        yield call(x, t(1))
    for i in range(40):
        yield call(ops.ones((3 + i % 20,), ms.float32) * i, t(1))


@ROWS.replayed()
def closed_sizes_before_many_sizes(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: x.sum(0) + y.sum() * x.shape[1])
    for i in range(60):
        yield call(ops.ones((3 + i % 20, 2 if i < 4 else 3), ms.float32) * i, t(*range(i % 3 + 2)))


# --------------------------------------------------------------------------------------- results


@dataclasses.dataclass
class Out:
    a: Any
    b: Any = 1


Pair = collections.namedtuple("Pair", "a b")
RESULTS: list[tuple[str, Any]] = [
    ("data_class", lambda x: Out(x * 2, [x])),
    ("named_tuple_of_lists", lambda x: Pair([x * 2], {"k": x + 1})),
    ("dictionary_of_dictionaries", lambda x: {"a": {"b": {"c": x * 2}}, 1: None, (1, 2): "t"}),
    ("keys_of_numpy", lambda x: {np.int64(1): x * 2, 2.5: x, True: 3}),
    ("sets_of_numbers", lambda x: (x * 2, {1, 2, 3}, frozenset("ab"))),
    ("ranges_and_slices", lambda x: (x * 2, range(3), slice(1, 2))),
    ("nested_lists_of_one", lambda x: [[[[x * 2]]]]),
    ("the_same_tensor_twice", lambda x: (lambda y: [y, (y, {"y": y})])(x * 2)),
    ("the_argument_in_containers", lambda x: [x, {"x": x}, (x,)]),
    ("numbers_read_from_tensors", lambda x: (float(x.sum()), int(x[0]), bool(x[1] > 0))),
    ("numpy_arrays_of_shapes", lambda x: (x * 2, np.zeros(x.shape), np.float32(3.5))),
    ("functions_of_the_call", lambda x: (x * 2, lambda: 3)),
    ("generators_of_the_call", lambda x: (k for k in (x, x * 2))),
    ("exceptions_of_the_call", lambda x: (x * 2, ValueError("no"))),
    ("types_and_modules", lambda x: (x * 2, type(x), np, ms.float32, torch.float32)),
    ("texts_of_shapes", lambda x: (x * 2, f"{x.shape}", str(x.dtype), x.shape)),
    ("bytes_of_the_call", lambda x: (x * 2, bytearray(b"ab"), b"cd")),
    ("counters_of_the_call", lambda x: (x * 2, collections.Counter("aab"))),
    ("deques_of_the_call", lambda x: collections.deque([x * 2], 3)),
    ("torch_tensors", lambda x: (x.to_torch() * 2, x)),
    ("no_result", lambda x: None),
    ("arguments_written_and_returned", lambda x: x.add_(1.0)),
    ("complex_numbers", lambda x: (x * (1 + 2j), 3j, complex(1, -0.0))),
    ("special_numbers", lambda x: (float("nan"), -0.0, float("inf"), x * 2)),
    ("huge_numbers", lambda x: (2**70, -(3**50), x * 2)),
    ("partials_of_the_call", lambda x: functools.partial(max, 1)),
    ("objects_of_the_call", lambda x: Plain(a=x)),
    ("views_of_dictionaries", lambda x: ({"a": x}.keys(), {"a": 1}.items())),
    ("iterators_of_the_call", lambda x: (zip([1], [2], strict=True), map(str, [1]), x * 2)),
    ("strings_of_tensors", lambda x: [str(v) for v in x]),
    ("tensors_without_data", lambda x: (x[:0], ops.zeros((0, 3), ms.float32), x[0])),
    ("tensors_of_many_types", lambda x: [x.astype(k) for k in (ms.int8, ms.bool_, ms.float16)]),
]


def as_result(name: str, step: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(step)
        kept: list[Any] = []
        for i in range(9):
            made = attempt(call, t(i % 4, 2, -1))
            if isinstance(made, (types.GeneratorType, map, zip)):
                made = list(made)
            kept.append(made)
            if isinstance(made, list) and made:
                made.append(7)
            elif isinstance(made, dict):
                made["new"] = 7
            elif isinstance(made, (Out, Plain)):
                made.a = 7
            elif isinstance(made, tuple) and made and isinstance(made[-1], (np.ndarray, set)):
                made[-1].clear() if isinstance(made[-1], set) else made[-1].fill(7)
            yield [v for v in kept if not callable(v)]

    run_it.__name__ = f"results_{name}"
    ROWS.ordinary()(run_it)


for _name, _step in RESULTS:
    as_result(_name, _step)


# ----------------------------------------------------------------------------- calls inside calls


@ROWS.replayed()
def compiled_function_that_calls_itself(run: Run) -> Iterator[Any]:
    def step(x: Any, n: int) -> Any:
        return x if n == 0 else call(x * 2, n - 1) + n

    call = run(step)
    for i in range(12):
        yield call(t(), i % 4)


@ROWS.replayed()
def generator_that_calls_between_steps(run: Run) -> Iterator[Any]:
    held = [1.0]
    call = run(lambda x: x * held[0])

    def steps() -> Iterator[Any]:
        for i in range(9):
            held[0] = float(i // 3)
            yield call(t())

    yield from steps()


@ROWS.ordinary()
def call_in_a_hook_of_another(run: Run) -> Iterator[Any]:
    inner = Net(lambda s, x: x * s.k, k=2.0)
    inner_call = run(inner)
    net = nn.Tanh()
    out: list[Any] = []
    net.register_forward_hook(lambda c, a, o: out.append(inner_call(o)))
    call = run(net)
    for i in range(9):
        if i == 5:
            inner.k = 3.0
        yield attempt(call, t()), list(out)


@ROWS.replayed()
def calls_of_two_networks_by_turns_of_threads(run: Run) -> Iterator[Any]:
    a, b = network(), network()
    first, second = run(a), run(b)
    out: dict[int, Any] = {}

    def work(n: int) -> None:
        call = (first, second)[n % 2]
        out[n] = [call(data(n)[0]) for _ in range(4)]

    a.set_train(False)
    b.set_train(False)
    for _ in range(3):
        workers = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
        yield [out[n] for n in range(4)]
        a[0].weight.add_(1.0)


@ROWS.replayed()
def error_in_the_middle_of_an_update(run: Run) -> Iterator[Any]:
    net = Net(None, p=Parameter(t(0, 0, 0), name="p"), q=Parameter(t(0, 0, 0), name="q"))

    def step(x: Any, fail: bool) -> Any:
        ops.assign_add(net.p, x)
        if fail:
            raise ValueError("half way")
        ops.assign_add(net.q, x)
        return net.p + net.q

    call = run(step)
    for i in range(14):
        yield attempt(call, t(), i % 5 == 3), net.p, net.q


@ROWS.replayed()
def error_of_an_operator_in_the_middle(run: Run) -> Iterator[Any]:
    p = Parameter(t(0, 0), name="p")

    def step(x: Any, i: Any) -> Any:
        ops.assign_add(p, x)
        y = ops.gather(x, i, 0)
        ops.assign_add(p, x)
        return y

    call = run(step)
    for i in range(12):
        at = Tensor([0, 9 if i % 5 == 4 else 1])
        found = attempt(call, t(1, 2), at)
        yield found[:2] if isinstance(found, tuple) else found, p


@ROWS.ordinary()
def error_that_the_call_catches(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        try:
            return x + y
        except (ValueError, RuntimeError, TypeError):
            return x * 7
        finally:
            x.add_(1.0)

    call = run(step)
    for i in range(12):
        x = t(1, 2, 3)
        yield attempt(call, x, t(1, 2) if i % 3 == 2 else t(1, 1, 1)), x


@ROWS.replayed()
def asserts_on_values(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        assert x.sum() < 10, f"too large: {float(x.sum())}"
        return x * 2

    call = run(step)
    for i in range(14):
        yield attempt(call, t(i, 1))


@ROWS.replayed()
def loops_until_a_value(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        n = 0
        while x.sum() < 20:
            x = x * 2
            n += 1
            if n > 6:
                break
        return x, n

    call = run(step)
    for i in range(20):
        yield call(t(1 + i % 7, 2))


@ROWS.replayed()
def searches_in_a_tensor(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        for i in range(x.shape[0]):
            if x[i] > 2:
                return x * i
        return -x

    call = run(step)
    for i in range(16):
        yield call(t(i % 4, (i + 1) % 4, (i + 2) % 4))


@ROWS.replayed()
def sorted_by_values_of_tensors(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        order = sorted(range(3), key=lambda i: float(x[i]))
        return ops.stack([x[i] for i in order]), order, max(x, key=float)

    call = run(step)
    for i in range(16):
        yield call(t(i % 3, (i * 2) % 5, 1))


@ROWS.ordinary()
def decisions_kept_outside(run: Run) -> Iterator[Any]:
    held = {"best": 0.0}

    def step(x: Any) -> Any:
        score = float(x.max())
        if score > held["best"]:
            held["best"] = score
        return x * held["best"]

    call = run(step)
    for i in range(16):
        yield call(t(i % 5, 1)), held["best"]


@ROWS.ordinary()
def early_stop_by_a_counter(run: Run) -> Iterator[Any]:
    net = Net(None, bad=0, best=100.0)

    def step(x: Any) -> Any:
        loss = (x * x).mean()
        if float(loss) < net.best:
            net.best, net.bad = float(loss), 0
        else:
            net.bad += 1
        return loss, net.bad > 3

    call = run(step)
    for i in range(16):
        yield call(t(abs(5 - i), 1)), net.bad, net.best


@ROWS.replayed()
def beam_that_grows(run: Run) -> Iterator[Any]:
    def step(x: Any, beam: Any) -> Any:
        beam.append(x * len(beam))
        return ops.stack(beam).sum(0)

    call = run(step)
    beam: list[Any] = []
    for i in range(9):
        yield call(t(i, 1), beam), len(beam)


@ROWS.replayed()
def cache_of_keys_and_values(run: Run) -> Iterator[Any]:
    def step(x: Any, cache: Any) -> Any:
        cache["k"] = x if cache["k"] is None else ops.cat([cache["k"], x])
        return cache["k"].sum(), cache

    call = run(step)
    cache: Any = {"k": None}
    for i in range(9):
        found, again = call(rows(i, 1), cache)
        yield found, again is cache, cache["k"].shape


@ROWS.replayed()
def cache_in_a_buffer_by_position(run: Run) -> Iterator[Any]:
    cache = Parameter(ops.zeros((8, 4), ms.float32), name="cache")

    def step(x: Any, at: Any) -> Any:
        cache[at] = x
        return (cache * x).sum(-1)

    call = run(step)
    for i in range(12):
        at: Any = i % 8 if i < 6 else Tensor(i % 8)
        yield attempt(call, rows(i, 1)[0], at), cache


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_networks(program: Any, quiet: bool) -> None:
    check(program, quiet)
