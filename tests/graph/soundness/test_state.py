# ruff: noqa: C416
"""State of every kind, in every place where Python can read it, changed between the calls."""

from __future__ import annotations

import array
import collections
import contextvars
import dataclasses
import decimal
import enum
import fractions
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn
from graph.soundness.harness import Run, attempt, check, entry

# A state is what makes it, what changes it in place (given the step), and what reads it.
State = tuple[Callable[[], Any], Callable[[Any, int], Any], Callable[[Any, Any], Any]]
STATES: dict[str, State] = {}


def t(*values: float) -> Tensor:
    return Tensor(list(values), ms.float32)


class Slotted:
    __slots__ = ("inner", "scale")

    def __init__(self) -> None:
        self.scale = 1.0


class SlottedChild(Slotted):
    __slots__ = ("__hidden", "more")

    def __init__(self) -> None:
        super().__init__()
        self.more = 1.0
        self.__hidden = 1.0

    def set(self, value: float) -> None:
        self.__hidden = value

    def get(self) -> float:
        return self.__hidden * self.more


@dataclasses.dataclass
class Data:
    scale: float = 1.0
    parts: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class SlottedData:
    scale: float = 1.0
    parts: list[Any] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class FrozenData:
    parts: list[Any] = dataclasses.field(default_factory=list)


Named = collections.namedtuple("Named", "scale parts")


class ListChild(list):
    scale = 1.0


class DictChild(dict):
    scale = 1.0

    def __missing__(self, key: Any) -> float:
        return self.scale


class Plain:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def times(self, x: Any) -> Any:
        return x * self.scale


class WithProperty:
    def __init__(self) -> None:
        self._scale = 1.0

    @property
    def scale(self) -> float:
        return self._scale * 2


class WithGetattr:
    def __init__(self) -> None:
        self.__dict__["store"] = {"scale": 1.0}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.store[name]
        except KeyError:
            raise AttributeError(name) from None


class WithGetattribute:
    def __init__(self) -> None:
        self.secret = 1.0

    def __getattribute__(self, name: str) -> Any:
        if name == "scale":
            return object.__getattribute__(self, "secret") + 1
        return object.__getattribute__(self, name)


class Descriptor:
    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else instance.__dict__.get("_kept", 1.0)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__["_kept"] = value


class WithDescriptor:
    scale = Descriptor()


class Sequence:
    def __init__(self) -> None:
        self.values = [1.0, 2.0]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> float:
        return self.values[i]

    def __contains__(self, value: float) -> bool:
        return value in self.values

    def __bool__(self) -> bool:
        return sum(self.values) > 3

    def __eq__(self, other: object) -> bool:
        return len(self.values) == other

    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        return float(sum(self.values))

    def __index__(self) -> int:
        return len(self.values)

    def __format__(self, spec: str) -> str:
        return str(len(self.values))

    def __enter__(self) -> list[float]:
        return self.values

    def __exit__(self, *exc: Any) -> None:
        return None

    def __lt__(self, other: float) -> bool:
        return self.values[0] < other

    def __call__(self, x: Any) -> Any:
        return x * self.values[0]


class Color(enum.Enum):
    RED = 1.0
    BLUE = 2.0


class Meta(type):
    factor = 1.0

    def __call__(cls, *args: Any) -> Any:
        result = super().__call__(*args)
        result.factor = cls.factor
        return result


def deep(n: int) -> Any:
    value: Any = Plain(scale=1.0)
    for _ in range(n):
        value = Plain(inner=value)
    return value


def bottom(value: Any) -> Any:
    while "inner" in value.__dict__:
        value = value.inner
    return value


def nested(n: int) -> Any:
    value: Any = [1.0]
    for _ in range(n):
        value = [value]
    return value


def deepest(value: Any) -> Any:
    while isinstance(value[0], list):
        value = value[0]
    return value


def add(name: str, make: Any, change: Any, read: Any) -> None:
    assert name not in STATES
    STATES[name] = make, change, read


def setter(name: str) -> Any:
    return lambda v, i: setattr(v, name, float(i + 2))


def put(key: Any) -> Any:
    def change(v: Any, i: int) -> None:
        v[key] = float(i + 2)

    return change


total = lambda v, x: x * sum(v)  # noqa: E731
scaled = lambda v, x: x * v.scale  # noqa: E731

# lists
add("list_append", lambda: [1.0, 2.0], lambda v, i: v.append(i), total)
add("list_item", lambda: [1.0, 2.0], put(1), total)
add("list_grows_from_empty", list, lambda v, i: v.append(i), lambda v, x: x * len(v) + 1)
add(
    "list_truth",
    list,
    lambda v, i: v.append(i) if i % 2 else v.clear(),
    lambda v, x: x if v else -x,
)
add("list_reverse", lambda: [1.0, 2.0], lambda v, i: v.reverse(), lambda v, x: x * v[0] + v[1])
add("list_slice", lambda: [1.0, 2.0, 3.0], lambda v, i: v.__setitem__(slice(0, 2), [i, i]), total)
add("list_one_to_true", lambda: [1], put(0), lambda v, x: x * len(repr(v[0])))
add(
    "list_types",
    lambda: [1],
    lambda v, i: v.__setitem__(0, [1, 1.0, True, "1"][i % 4]),
    lambda v, x: x * len(repr(v[0])),
)
add(
    "list_zeros",
    lambda: [0.0],
    lambda v, i: v.__setitem__(0, [0.0, -0.0][i % 2]),
    lambda v, x: x * (1 if repr(v[0]) == "0.0" else 2),
)
add(
    "list_nan",
    lambda: [float("nan")],
    lambda v, i: v.__setitem__(0, [float("nan"), 1.0][i % 2]),
    lambda v, x: x * v[0],
)
add(
    "list_tensors_replaced",
    lambda: [t(1, 2, 3), t(4, 5, 6)],
    lambda v, i: v.__setitem__(1, t(i, i, i)),
    lambda v, x: x * v[0] + v[1],
)
add(
    "list_tensors_appended",
    lambda: [t(1, 2, 3)],
    lambda v, i: v.append(t(i, i, i)),
    lambda v, x: functools.reduce(lambda a, b: a * b, v, x),
)
add(
    "list_tensor_in_place",
    lambda: [t(1, 2, 3)],
    lambda v, i: v[0].__setitem__(1, i + 5.0),
    lambda v, x: x * v[0],
)
add(
    "list_tensor_assigned",
    lambda: [t(1, 2, 3)],
    lambda v, i: v[0].assign_value(t(i, 1, i)),
    lambda v, x: x * v[0],
)
add(
    "list_nested",
    lambda: nested(3),
    lambda v, i: deepest(v).append(float(i)),
    lambda v, x: x * sum(deepest(v)),
)
add(
    "list_nested_30",
    lambda: nested(30),
    lambda v, i: deepest(v).append(float(i)),
    lambda v, x: x * sum(deepest(v)),
)
add("list_1500", lambda: [1.0] * 1500, lambda v, i: v.__setitem__(1400 + i, 2.0), total)
add(
    "list_of_functions",
    lambda: [abs],
    lambda v, i: v.__setitem__(0, [lambda x: x * 2, lambda x: x * 3][i % 2]),
    lambda v, x: v[0](x),
)
add(
    "list_of_cells",
    lambda: [nn.ReLU()],
    lambda v, i: v.__setitem__(0, [nn.Sigmoid(), nn.Tanh()][i % 2]),
    lambda v, x: v[0](x),
)
add(
    "list_of_40_objects",
    lambda: [Plain(scale=1.0) for _ in range(40)],
    lambda v, i: setattr(v[35 + i % 5], "scale", i + 2.0),
    lambda v, x: x * sum([p.scale for p in v]),
)
add(
    "list_holds_itself",
    lambda: (lambda v: (v.append(v), v)[1])([1.0]),
    put(0),
    lambda v, x: x * v[1][0],
)
add("list_subclass", lambda: ListChild([1.0]), setter("scale"), scaled)
add("list_subclass_items", lambda: ListChild([1.0]), lambda v, i: v.append(i), total)
# dicts
add("dict_item", lambda: {"a": 1.0}, put("a"), lambda v, x: x * v["a"])
add(
    "dict_new_key",
    lambda: {"a": 1.0},
    lambda v, i: v.__setitem__(f"k{i}", 2.0),
    lambda v, x: x * sum(v.values()),
)
add("dict_grows_from_empty", dict, lambda v, i: v.__setitem__(i, 2.0), lambda v, x: x * len(v))
add("dict_get", dict, lambda v, i: v.__setitem__("a", i), lambda v, x: x * v.get("a", 7))
add(
    "dict_in",
    dict,
    lambda v, i: v.__setitem__("a", i) if i % 2 == 0 else v.clear(),
    lambda v, x: x if "a" in v else -x,
)
add(
    "dict_order",
    lambda: {"a": 1.0, "b": 2.0},
    lambda v, i: v.__setitem__(*(lambda k: (k, v.pop(k)))(next(iter(v)))),
    lambda v, x: x * next(iter(v.values())),
)
add(
    "dict_of_tensors",
    lambda: {"w": t(1, 2, 3)},
    lambda v, i: v.__setitem__("w", t(i, 2, 3)),
    lambda v, x: x * v["w"],
)
add(
    "dict_of_dicts",
    lambda: {"a": {"b": {"c": 1.0}}},
    lambda v, i: v["a"]["b"].__setitem__("c", i + 2),
    lambda v, x: x * v["a"]["b"]["c"],
)
add(
    "dict_key_type",
    lambda: {1: 1.0},
    lambda v, i: (v.clear(), v.__setitem__([1, True][i % 2], 1.0)),
    lambda v, x: x * len(repr(v)),
)
add("dict_tuple_key", lambda: {(1, (2, 3)): 1.0}, put((1, (2, 3))), lambda v, x: x * v[1, (2, 3)])
add("dict_subclass_missing", DictChild, setter("scale"), lambda v, x: x * v["none"])
add("dict_subclass_items", lambda: DictChild(a=1.0), put("a"), lambda v, x: x * v["a"])
add(
    "ordered_dict_moves",
    lambda: collections.OrderedDict(a=1.0, b=2.0),
    lambda v, i: v.move_to_end("ab"[i % 2]),
    lambda v, x: x * next(iter(v.values())),
)
add(
    "defaultdict_item",
    lambda: collections.defaultdict(float, a=1.0),
    put("a"),
    lambda v, x: x * v["a"],
)
add(
    "counter",
    lambda: collections.Counter("aab"),
    lambda v, i: v.update("a" * i),
    lambda v, x: x * v["a"] + v["zz"],
)
add("chain_map", lambda: collections.ChainMap({}, {"a": 1.0}), put("a"), lambda v, x: x * v["a"])
add("user_dict", lambda: collections.UserDict(a=1.0), put("a"), lambda v, x: x * v["a"])
add("user_list", lambda: collections.UserList([1.0]), lambda v, i: v.append(i), total)
add(
    "mapping_proxy",
    lambda: (lambda d: (d, types.MappingProxyType(d)))({"a": 1.0}),
    lambda v, i: v[0].__setitem__("a", i + 2),
    lambda v, x: x * v[1]["a"],
)
# sets, deques, bytes, arrays
add("set_add", set, lambda v, i: v.add(i), lambda v, x: x * len(v))
add(
    "set_in",
    set,
    lambda v, i: v.add("a") if i % 2 == 0 else v.discard("a"),
    lambda v, x: x if "a" in v else -x,
)
add(
    "set_of_objects",
    lambda: {Plain(scale=1.0)},
    lambda v, i: setattr(next(iter(v)), "scale", i),
    lambda v, x: x * next(iter(v)).scale,
)
add("deque_append", collections.deque, lambda v, i: v.append(i), total)
add(
    "deque_maxlen", lambda: collections.deque([1.0, 2.0], maxlen=2), lambda v, i: v.append(i), total
)
add(
    "deque_rotate",
    lambda: collections.deque([1.0, 2.0, 3.0]),
    lambda v, i: v.rotate(1),
    lambda v, x: x * v[0],
)
add(
    "deque_tensors",
    lambda: collections.deque([t(1, 2, 3)]),
    lambda v, i: v.appendleft(t(i, i, i)),
    lambda v, x: x * v[0],
)
add(
    "bytearray", lambda: bytearray(b"ab"), lambda v, i: v.append(i), lambda v, x: x * (sum(v) - 190)
)
add(
    "memoryview",
    lambda: memoryview(bytearray(b"ab")),
    lambda v, i: v.__setitem__(0, i),
    lambda v, x: x * v[0],
)
add("array", lambda: array.array("d", [1.0]), put(0), lambda v, x: x * v[0])
# numpy
add("numpy_item", lambda: np.ones(3), put(1), lambda v, x: x * float(v[1]))
add("numpy_to_tensor", lambda: np.ones(3, np.float32), put(1), lambda v, x: x * Tensor(v))
add("numpy_large", lambda: np.ones(70000), put(69999), lambda v, x: x * float(v.sum()))
add(
    "numpy_view",
    lambda: (lambda b: (b, b[1:]))(np.ones(3)),
    lambda v, i: v[0].__setitem__(2, i),
    lambda v, x: x * float(v[1].sum()),
)
add(
    "numpy_objects",
    lambda: np.array([[1.0], None], dtype=object),
    lambda v, i: v[0].append(1.0),
    lambda v, x: x * len(v[0]),
)
add(
    "numpy_record",
    lambda: np.zeros(2, [("a", "f4"), ("b", "i4")]),
    lambda v, i: v["b"].__setitem__(0, i),
    lambda v, x: x * int(v["b"].sum()),
)
add(
    "numpy_shape",
    lambda: np.ones(4),
    lambda v, i: setattr(v, "shape", [(4,), (2, 2), (4, 1)][i % 3]),
    lambda v, x: x * len(v.shape),
)
add(
    "numpy_masked",
    lambda: np.ma.array([1.0, 2.0], mask=[0, 0]),
    lambda v, i: v.__setitem__(0, np.ma.masked if i % 2 else i),
    lambda v, x: x * float(v.sum()),
)
add(
    "numpy_strings",
    lambda: np.array(["a", "b"]),
    lambda v, i: v.__setitem__(0, "xy"[i % 2]),
    lambda v, x: x if v[0] == "x" else -x,
)
# objects
add("slots", Slotted, setter("scale"), scaled)
add(
    "slots_late",
    Slotted,
    lambda v, i: setattr(v, "inner", [i]),
    lambda v, x: x * v.inner[0] if hasattr(v, "inner") else x,
)
add("slots_child", SlottedChild, setter("more"), lambda v, x: x * v.get())
add("slots_hidden", SlottedChild, lambda v, i: v.set(i), lambda v, x: x * v.get())
add("dataclass", Data, setter("scale"), scaled)
add("dataclass_list", Data, lambda v, i: v.parts.append(i), lambda v, x: x * sum(v.parts))
add("dataclass_slots", SlottedData, setter("scale"), scaled)
add(
    "dataclass_slots_list",
    SlottedData,
    lambda v, i: v.parts.append(i),
    lambda v, x: x * sum(v.parts),
)
add(
    "dataclass_frozen_list",
    FrozenData,
    lambda v, i: v.parts.append(i),
    lambda v, x: x * sum(v.parts),
)
add(
    "dataclass_asdict",
    lambda: Data(1.0, [1.0]),
    lambda v, i: v.parts.append(i),
    lambda v, x: x * sum(dataclasses.asdict(v)["parts"]),
)
add(
    "namedtuple_list",
    lambda: Named(1.0, []),
    lambda v, i: v.parts.append(i),
    lambda v, x: x * sum(v.parts) * v.scale,
)
add("namespace", lambda: types.SimpleNamespace(scale=1.0), setter("scale"), scaled)
add(
    "deep_12",
    lambda: deep(12),
    lambda v, i: setattr(bottom(v), "scale", i + 2.0),
    lambda v, x: x * bottom(v).scale,
)
add(
    "deep_40",
    lambda: deep(40),
    lambda v, i: setattr(bottom(v), "scale", i + 2.0),
    lambda v, x: x * bottom(v).scale,
)
add(
    "attribute_appears",
    Plain,
    setter("extra"),
    lambda v, x: x * v.extra if hasattr(v, "extra") else x,
)
add(
    "attribute_goes",
    lambda: Plain(extra=2.0),
    lambda v, i: v.__dict__.pop("extra", None),
    lambda v, x: x * getattr(v, "extra", 3.0),
)
add(
    "vars_of_object",
    lambda: Plain(a=1.0),
    lambda v, i: setattr(v, f"b{i}", 1.0),
    lambda v, x: x * len(vars(v)),
)
add(
    "dir_of_object",
    lambda: Plain(a=1.0),
    lambda v, i: setattr(v, f"b{i}", 1.0),
    lambda v, x: x * len(dir(v)),
)
add(
    "getattr_by_name",
    lambda: Plain(scale=1.0),
    setter("scale"),
    lambda v, x: x * getattr(v, "".join(["sc", "ale"])),
)
add("method_of_object", lambda: Plain(scale=1.0), setter("scale"), lambda v, x: v.times(x))
add(
    "method_on_instance",
    lambda: Plain(times=lambda x: x),
    lambda v, i: setattr(v, "times", [lambda x: x * 2, lambda x: x * 3][i % 2]),
    lambda v, x: v.times(x),
)
add(
    "class_changes",
    lambda: Plain(scale=1.0),
    lambda v, i: setattr(
        v, "__class__", type("Other", (Plain,), {"times": lambda self, x: x * 10 * i})
    ),
    lambda v, x: v.times(x),
)
add("property", WithProperty, setter("_scale"), scaled)
add("getattr", WithGetattr, lambda v, i: v.store.__setitem__("scale", i), scaled)
add("getattribute", WithGetattribute, setter("secret"), scaled)
add("descriptor", WithDescriptor, setter("scale"), scaled)
add("len", Sequence, lambda v, i: v.values.append(i), lambda v, x: x * len(v))
add("getitem_loop", Sequence, lambda v, i: v.values.append(i), lambda v, x: x * sum([k for k in v]))
add("contains", Sequence, lambda v, i: v.values.append(7), lambda v, x: x if 7 in v else -x)
add("bool", Sequence, lambda v, i: v.values.append(7), lambda v, x: x if v else -x)
add("eq", Sequence, lambda v, i: v.values.append(7), lambda v, x: x if v == 3 else -x)
add("float", Sequence, lambda v, i: v.values.append(7), lambda v, x: x * float(v))
add("index", Sequence, lambda v, i: v.values.append(7), lambda v, x: x * range(20)[v])
add("format", Sequence, lambda v, i: v.values.append(7), lambda v, x: x * len("a" * int(f"{v}")))
add("with", Sequence, lambda v, i: v.values.append(7), lambda v, x: _with(v, x))
add(
    "less",
    Sequence,
    put_first := (lambda v, i: v.values.__setitem__(0, float(i))),
    lambda v, x: x if v < 2 else -x,
)
add("called", Sequence, put_first, lambda v, x: v(x))
add(
    "sorted_key",
    lambda: [Plain(scale=1.0, y=1.0), Plain(scale=2.0, y=5.0)],
    lambda v, i: setattr(v[0], "scale", [3.0, 1.0][i % 2]),
    lambda v, x: x * sorted(v, key=lambda p: p.scale)[0].y,
)
add(
    "partial",
    lambda: functools.partial(Plain.times, Plain(scale=1.0)),
    lambda v, i: setattr(v.args[0], "scale", i),
    lambda v, x: v(x),
)
add(
    "partial_keywords",
    lambda: functools.partial(lambda x, k: x * k, k=1.0),
    lambda v, i: v.keywords.__setitem__("k", i),
    lambda v, x: v(x),
)
add(
    "partial_state",
    lambda: functools.partial(lambda x, k: x * k, k=1.0),
    lambda v, i: v.__setstate__((lambda x, k: x + k, (), {"k": i}, {})),
    lambda v, x: v(x),
)
add(
    "bound_method",
    lambda: Plain(scale=1.0).times,
    lambda v, i: setattr(v.__self__, "scale", i),
    lambda v, x: v(x),
)
add(
    "function_attribute",
    lambda: (lambda f: (setattr(f, "scale", 1.0), f)[1])(lambda x: x),
    setter("scale"),
    scaled,
)
add(
    "function_code",
    lambda: lambda x: x * 1,
    lambda v, i: setattr(v, "__code__", [(lambda x: x * 2), (lambda x: x * 3)][i % 2].__code__),
    lambda v, x: v(x),
)
add(
    "function_defaults",
    lambda: lambda x, k=1.0: x * k,
    lambda v, i: setattr(v, "__defaults__", (float(i),)),
    lambda v, x: v(x),
)
add(
    "function_default_list",
    lambda: lambda x, k=[1.0]: x * sum(k),
    lambda v, i: v.__defaults__[0].append(i),
    lambda v, x: v(x),
)
add(
    "function_kwdefaults",
    lambda: lambda x, *, k=1.0: x * k,
    lambda v, i: v.__kwdefaults__.__setitem__("k", i),
    lambda v, x: v(x),
)
add(
    "weakref",
    lambda: (lambda p: (p, weakref.ref(p)))(Plain(scale=1.0)),
    lambda v, i: setattr(v[0], "scale", i),
    lambda v, x: x * v[1]().scale,
)
add(
    "weakref_dies",
    lambda: (lambda p: [p, weakref.ref(p)])(Plain(scale=1.0)),
    lambda v, i: v.__setitem__(0, None),
    lambda v, x: x if v[1]() is not None else -x,
)
add(
    "weak_dictionary",
    lambda: (lambda p: (p, weakref.WeakKeyDictionary({p: 1.0})))(Plain()),
    lambda v, i: v[1].__setitem__(v[0], i),
    lambda v, x: x * v[1][v[0]],
)
add(
    "weak_method",
    lambda: (lambda p: [p, weakref.WeakMethod(p.times)])(Plain(scale=1.0)),
    lambda v, i: setattr(v[0], "scale", i) if i < 5 else v.__setitem__(0, None),
    lambda v, x: -x if v[1]() is None else v[1]()(x),
)
add(
    "weak_proxy",
    lambda: (lambda p: (p, weakref.proxy(p)))(Plain(scale=1.0)),
    lambda v, i: setattr(v[0], "scale", i),
    lambda v, x: x * v[1].scale,
)
add(
    "weak_proxy_dies",
    lambda: (lambda p: [p, weakref.proxy(p)])(Plain(scale=1.0)),
    lambda v, i: v.__setitem__(0, None),
    lambda v, x: x * v[1].scale,
)
add(
    "weak_proxy_of_tensor",
    lambda: (lambda p: [p, weakref.proxy(p)])(t(2)),
    lambda v, i: v.__setitem__(0, None),
    lambda v, x: x * v[1].sum(),
)
add(
    "weak_set",
    lambda: (lambda p: [p, weakref.WeakSet([p])])(Plain()),
    lambda v, i: v.__setitem__(0, None),
    lambda v, x: x * (1.0 + len(v[1])),
)
add(
    "weak_values",
    lambda: (lambda p: [p, weakref.WeakValueDictionary(k=p)])(Plain(scale=1.0)),
    lambda v, i: setattr(v[0], "scale", i) if i < 5 else v.__setitem__(0, None),
    lambda v, x: x * v[1]["k"].scale,
)
add(
    "finalizer",
    lambda: (lambda p: [p, weakref.finalize(p, int)])(Plain()),
    lambda v, i: v.__setitem__(0, None),
    lambda v, x: x if v[1].alive else -x,
)
add(
    "contextvar",
    lambda: contextvars.ContextVar("v", default=1.0),
    lambda v, i: v.set(float(i)),
    lambda v, x: x * v.get(),
)
add(
    "enum_member",
    lambda: [Color.RED],
    lambda v, i: v.__setitem__(0, list(Color)[i % 2]),
    lambda v, x: x * v[0].value,
)
add(
    "fraction",
    lambda: [fractions.Fraction(1, 2)],
    lambda v, i: v.__setitem__(0, fractions.Fraction(i, 3)),
    lambda v, x: x * float(v[0]),
)
add(
    "decimal",
    lambda: [decimal.Decimal(1)],
    lambda v, i: v.__setitem__(0, decimal.Decimal(i)),
    lambda v, x: x * float(v[0]),
)
add(
    "range", lambda: [range(2)], lambda v, i: v.__setitem__(0, range(i)), lambda v, x: x * len(v[0])
)
add(
    "string",
    lambda: ["relu"],
    lambda v, i: v.__setitem__(0, ["relu", "tanh"][i % 2]),
    lambda v, x: getattr(ms.ops, v[0])(x),
)
add(
    "module_attribute",
    lambda: types.ModuleType("made_here"),
    setter("scale"),
    lambda v, x: x * getattr(v, "scale", 1.0),
)
add("class_as_value", lambda: type("C", (), {"scale": 1.0}), setter("scale"), scaled)
add(
    "class_of_object",
    lambda: type("C", (Plain,), {"scale": 1.0})(),
    lambda v, i: setattr(type(v), "scale", i),
    scaled,
)
add(
    "class_of_object_base",
    lambda: type("D", (type("C", (Plain,), {"scale": 1.0}),), {})(),
    lambda v, i: setattr(type(v).__mro__[1], "scale", i),
    scaled,
)
add(
    "class_shadowed",
    lambda: type("D", (type("C", (Plain,), {"scale": 1.0}),), {})(),
    lambda v, i: setattr(type(v), "scale", i),
    scaled,
)
add(
    "class_instance_shadows", lambda: type("C", (Plain,), {"scale": 1.0})(), setter("scale"), scaled
)
add(
    "class_method_patched",
    lambda: type("C", (Plain,), {"scale": 1.0})(),
    lambda v, i: setattr(type(v), "times", [lambda s, x: x * 2, lambda s, x: x * 3][i % 2]),
    lambda v, x: v.times(x),
)
add(
    "class_list",
    lambda: type("C", (), {"parts": [1.0]})(),
    lambda v, i: v.parts.append(i),
    lambda v, x: x * sum(v.parts),
)
add(
    "class_bases",
    lambda: type("D", (type("C", (Plain,), {"scale": 1.0}),), {})(),
    lambda v, i: setattr(type(v), "__bases__", (type("E", (Plain,), {"scale": float(i)}),)),
    scaled,
)
add(
    "metaclass",
    lambda: (setattr(Meta, "factor", 1.0), Meta("M", (), {}))[1],
    lambda v, i: setattr(Meta, "factor", float(i)),
    lambda v, x: x * v().factor,
)
add(
    "static_method",
    lambda: type("C", (), {"f": staticmethod(lambda x: x)}),
    lambda v, i: setattr(v, "f", staticmethod([lambda x: x * 2, lambda x: x * 3][i % 2])),
    lambda v, x: v.f(x),
)
add(
    "class_method",
    lambda: type("C", (), {"s": 1.0, "f": classmethod(lambda c, x: x * c.s)}),
    setter("s"),
    lambda v, x: v.f(x),
)
add(
    "cached_property",
    lambda: type("C", (Plain,), {"c": _cached()})(scale=2.0),
    lambda v, i: (v.__dict__.pop("c", None), setattr(v, "scale", i)),
    lambda v, x: x * v.c,
)
# tensors, parameters, cells
add(
    "tensor_in_place",
    lambda: t(1, 2, 3),
    lambda v, i: v.__setitem__(0, i + 5.0),
    lambda v, x: x * v,
)
add(
    "tensor_assigned",
    lambda: t(1, 2, 3),
    lambda v, i: v.assign_value(t(i, 2, 3)),
    lambda v, x: x * v,
)
add(
    "tensor_attribute",
    lambda: t(1, 2, 3),
    setter("scale"),
    lambda v, x: x * getattr(v, "scale", 1.0),
)
add(
    "parameter_data",
    lambda: Parameter(t(1, 2, 3), name="p"),
    lambda v, i: v.set_data(t(i, 2, 3)),
    lambda v, x: x * v,
)
add(
    "parameter_name",
    lambda: Parameter(t(1, 2, 3), name="p"),
    lambda v, i: setattr(v, "name", "n" * i),
    lambda v, x: x * len(v.name),
)
add(
    "parameter_requires_grad",
    lambda: Parameter(t(1, 2, 3), name="p"),
    lambda v, i: setattr(v, "requires_grad", bool(i % 2)),
    lambda v, x: x * v * (2 if v.requires_grad else 1),
)
add(
    "parameter_tuple",
    lambda: ms.ParameterTuple([Parameter(t(1, 2, 3), name="p")]),
    lambda v, i: v[0].set_data(t(i, 2, 3)),
    lambda v, x: x * v[0],
)
add(
    "cell_weight",
    lambda: nn.Dense(3, 3, weight_init="ones"),
    lambda v, i: v.weight.set_data(v.weight + i),
    lambda v, x: v(x),
)
add(
    "cell_training",
    lambda: nn.Dropout(p=0.5),
    lambda v, i: v.set_train(bool(i % 2)),
    lambda v, x: v(x) if v.training else x * 3,
)
add(
    "cell_attribute",
    lambda: nn.LayerNorm((3,)),
    lambda v, i: setattr(v, "mark", i),
    lambda v, x: v(x) * getattr(v, "mark", 5),
)
add(
    "cell_dict",
    lambda: nn.ReLU(),
    lambda v, i: v.__dict__.__setitem__("mark", i),
    lambda v, x: v(x) * getattr(v, "mark", 5),
)
add(
    "cell_construct_patched",
    lambda: nn.ReLU(),
    lambda v, i: setattr(v, "construct", [lambda x: x * 2, lambda x: x * 3][i % 2]),
    lambda v, x: v(x),
)
add(
    "cell_list",
    lambda: nn.CellList([nn.ReLU()]),
    lambda v, i: v.append([nn.Sigmoid(), nn.Tanh()][i % 2]),
    lambda v, x: functools.reduce(lambda a, b: b(a), v, x),
)
add(
    "sequential",
    lambda: nn.SequentialCell(nn.ReLU()),
    lambda v, i: v.append([nn.Sigmoid(), nn.Tanh()][i % 2]),
    lambda v, x: v(x),
)
add(
    "sequential_swapped",
    lambda: nn.SequentialCell(nn.ReLU()),
    lambda v, i: v.__setitem__(0, [nn.Sigmoid(), nn.Tanh()][i % 2]),
    lambda v, x: v(x),
)
add(
    "cells_registry",
    lambda: nn.SequentialCell(nn.ReLU()),
    lambda v, i: v._cells.__setitem__("0", [nn.Sigmoid(), nn.Tanh()][i % 2]),
    lambda v, x: v(x),
)
add(
    "cell_hook",
    lambda: nn.ReLU(),
    lambda v, i: v.register_forward_hook(lambda c, a, o: o * 2),
    lambda v, x: v(x),
)
# The state's own change of type
add(
    "mixed_values",
    lambda: [1.0],
    lambda v, i: v.__setitem__(0, [t(1, 2, 3), 2, None, np.float32(3), "a"][i % 5]),
    lambda v, x: x if v[0] is None or v[0] == "a" else x * v[0],
)


def _with(v: Any, x: Any) -> Any:
    with v as values:
        return x * sum(values)


def _cached() -> Any:
    result = functools.cached_property(lambda self: self.scale * 2)
    result.__set_name__(None, "c")  # type: ignore[arg-type]
    return result


# --------------------------------------------------------------------------------------- places
# Where the state stands. Each gives a cell or function to run and says how to call it.


class Holder(nn.Cell):
    def __init__(self, value: Any, read: Any) -> None:
        super().__init__()
        self.value = value
        self.read = read

    def construct(self, x: Any) -> Any:
        return self.read(self.value, x)


class Outer(nn.Cell):
    def __init__(self, value: Any, read: Any) -> None:
        super().__init__()
        self.inner = Holder({"k": [Plain(value=value)]}, lambda v, x: read(v["k"][0].value, x))

    def construct(self, x: Any) -> Any:
        return self.inner(x + 1) - 1


def attribute(run: Run, value: Any, read: Any) -> Any:
    return run(Holder(value, read))


def buried(run: Run, value: Any, read: Any) -> Any:
    return run(Outer(value, read))


def closure(run: Run, value: Any, read: Any) -> Any:
    def step(x: Any) -> Any:
        return read(value, x)

    return run(step)


def default(run: Run, value: Any, read: Any) -> Any:
    def step(x: Any, held: Any = value) -> Any:
        return read(held, x)

    return run(step)


def global_name(run: Run, value: Any, read: Any) -> Any:
    home = types.ModuleType("soundness_made")
    home.__dict__.update(held=value, read=read)
    exec(
        compile("def step(x):\n    return read(held, x)\n", "soundness_made.py", "exec"), vars(home)
    )
    return run(home.step)


def imported(run: Run, value: Any, read: Any) -> Any:
    home = types.ModuleType("soundness_imported")
    home.held = value  # type: ignore[attr-defined]
    home.read = read  # type: ignore[attr-defined]
    sys.modules["soundness_imported"] = home

    def step(x: Any) -> Any:
        from soundness_imported import held, read  # type: ignore[import-not-found]

        return read(held, x)

    return run(step)


def class_attribute(run: Run, value: Any, read: Any) -> Any:
    cls = type("Made", (Holder,), {"shared": [value], "construct": _from_class})
    return run(cls(None, read))


def _from_class(self: Any, x: Any) -> Any:
    return self.read(self.shared[0], x)


def argument(run: Run, value: Any, read: Any) -> Any:
    def step(held: Any, x: Any) -> Any:
        return read(held, x)

    called = run(step)
    return lambda x: called(value, x)


def keyword(run: Run, value: Any, read: Any) -> Any:
    def step(x: Any, **options: Any) -> Any:
        return read(options["held"]["value"], x)

    called = run(step)
    return lambda x: called(x, held={"value": value})


def gradient(run: Run, value: Any, read: Any) -> Any:
    target = run(Holder(value, read))
    return ms.value_and_grad(lambda x: target(x).sum())


def gradient_inside(run: Run, value: Any, read: Any) -> Any:
    solve = ms.value_and_grad(lambda x: read(value, x).sum())

    def step(x: Any) -> Any:
        return solve(x)

    return run(step)


PLACES = (
    attribute, buried, closure, default, global_name, imported, class_attribute, argument, keyword,
    gradient, gradient_inside,
)  # fmt: skip
#: States whose calls may run as ordinary Python: in all places, or only among the arguments.
ORDINARY = {"cached_property", "finalizer", "getattribute"} | {
    name for name in STATES if name.startswith("weak")
}
ORDINARY_ARGUMENTS = {"dict_subclass_missing"}


def scenario(place: Any, state: State) -> Any:
    make, change, read = state

    def program(run: Run) -> Iterator[Any]:
        value = make()
        call = place(run, value, read)
        for i in range(7):
            yield attempt(call, t(1, -2, 3))
            if i in (2, 3, 5):
                change(value, i)
        sys.modules.pop("soundness_imported", None)

    return program


ROWS = [
    entry(
        scenario(place, state),
        f"{name}-{place.__name__}",
        python=name in ORDINARY or (name in ORDINARY_ARGUMENTS and place in (argument, keyword)),
    )
    for name, state in STATES.items()
    for place in PLACES
]


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_state(program: Any, quiet: bool) -> None:
    check(program, quiet)
