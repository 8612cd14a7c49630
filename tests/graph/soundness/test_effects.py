# ruff: noqa: B007
"""Programs whose calls change something in an unusual way; the caller puts it back each time."""

from __future__ import annotations

import array
import bisect
import builtins
import collections
import contextvars
import copy
import ctypes
import decimal
import functools
import heapq
import logging
import operator
import os
import random
import re
import sys
import threading
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Plain, Programs, Slotted, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


def effect(name: str, make: Any, act: Any, reset: Any, show: Any) -> None:
    """A program whose call changes what a closure holds; the caller undoes it after each call."""

    def run_it(run: Run) -> Iterator[Any]:
        held = make()

        def step(x: Any) -> Any:
            act(held)
            return x * 2

        call = run(step)
        for i in range(8):
            result = attempt(call, t())
            seen = show(held)
            reset(held)
            yield result, seen, show(held)

    run_it.__name__ = name
    ROWS.ordinary()(run_it)


def on_object(name: str, act: Any) -> None:
    """The same for an attribute `n` of an object that is 1 before each call."""
    effect(name, lambda: Plain(n=1), act, lambda h: h.__dict__.update(n=1), lambda h: h.n)


def on_list(name: str, act: Any) -> None:
    """The same for a list that is [3, 1, 2] before each call."""

    def reset(held: list[int]) -> None:
        held[:] = [3, 1, 2]

    effect(name, lambda: [3, 1, 2], act, reset, list)


def on_array(name: str, act: Any) -> None:
    """The same for an array that is [3, 1, 2] before each call."""

    def reset(held: Any) -> None:
        held.flags.writeable = True
        held.shape, held.dtype = (3,), np.float64
        held[:] = [3, 1, 2]

    def show(held: Any) -> Any:
        return held.tobytes(), held.shape, held.dtype.str, held.flags.writeable

    effect(name, lambda: np.array([3.0, 1.0, 2.0]), act, reset, show)


def on_table(name: str, act: Any, make: Any = dict) -> None:
    """The same for a dictionary that is {"a": 1, "b": 2} before each call."""

    def reset(held: Any) -> None:
        held.clear()
        held.update(a=1, b=2)

    effect(name, lambda: make(a=1, b=2), act, reset, lambda h: list(h.items()))


on_object("by_objects_setattr", lambda h: object.__setattr__(h, "n", 5))
on_object("by_its_setattr", lambda h: h.__setattr__("n", 5))
on_object("by_types_setattr", lambda h: type(h).__setattr__(h, "n", 5))
on_object("by_setattr_and_a_made_name", lambda h: setattr(h, chr(110), 5))
on_object("by_its_dictionary", lambda h: h.__dict__.__setitem__("n", 5))
on_object("by_vars", lambda h: vars(h).update({chr(110): 5}))
on_object("by_a_merged_dictionary", lambda h: operator.ior(h.__dict__, {"n": 5}))
on_object("by_its_init", lambda h: h.__init__(n=5))
on_object("by_setstate", lambda h: copy.copy(h).__dict__.update(n=7) or h.__dict__.update(n=5))
on_object("by_exec", lambda h: exec("h.n = 5", {"h": h}))
on_object("by_a_comprehension", lambda h: [setattr(h, k, v) for k, v in [("n", 5)]])
on_object("by_a_walrus", lambda h: (k := h, setattr(k, "n", 5)))
on_object("by_an_attribute_of_a_loop", lambda h: _loop_over(h))
on_object("by_with_as", lambda h: _with_as(h))
on_object("by_a_method_of_another_class", lambda h: Named.rename(h))
on_object("by_functools_update_wrapper", lambda h: functools.update_wrapper(h, _five, ("n",), ()))
on_object("by_a_lambda_in_a_map", lambda h: list(map(functools.partial(setattr, h, "n"), [5])))
on_object("by_a_thread_that_ran", lambda h: _in_a_thread(h))
on_object("by_a_context_run", lambda h: contextvars.copy_context().run(setattr, h, "n", 5))


def _five() -> None: ...


_five.n = 5  # type: ignore[attr-defined]


class Named:
    n: int

    def rename(self) -> None:
        self.n = 5


def _loop_over(h: Any) -> None:
    for h.n in (4, 5):
        pass


class _Five:
    def __enter__(self) -> int:
        return 5

    def __exit__(self, *exc: object) -> None: ...


def _with_as(h: Any) -> None:
    with _Five() as h.n:
        pass


def _in_a_thread(h: Any) -> None:
    worker = threading.Thread(target=setattr, args=(h, "n", 5))
    worker.start()
    worker.join()


on_list("sorted_in_place", lambda h: h.sort())
on_list("reversed_by_slices", lambda h: operator.setitem(h, slice(None), h[::-1]))
on_list("initialized_anew", lambda h: h.__init__([7]))
on_list("initialized_by_its_class", lambda h: list.__init__(h, [7]))
on_list("heap_made", lambda h: heapq.heapify(h))
on_list("inserted_by_bisection", lambda h: bisect.insort(h, 9))
on_list("shuffled", lambda h: random.shuffle(h))
on_list("shuffled_by_numpy", lambda h: np.random.shuffle(h))
on_list("deleted_by_slices", lambda h: operator.delitem(h, slice(1, None)))
on_list("extended_in_place", lambda h: operator.iadd(h, [9]))
on_list("repeated_in_place", lambda h: operator.imul(h, 2))
on_list("cleared", lambda h: h.clear())
on_list("unpacked_into", lambda h: _unpacked(h))
on_list("appended_by_a_method_caller", lambda h: operator.methodcaller("append", 5)(h))
on_list("appended_by_reduce", lambda h: functools.reduce(lambda a, v: a.append(v) or a, [5], h))
on_list("appended_by_a_deque", lambda h: collections.deque(map(h.append, [5]), maxlen=0))
on_list("appended_by_sorted", lambda h: sorted([1, 2], key=lambda v: h.append(v) or v))
on_list("appended_by_a_filter", lambda h: list(filter(h.append, [5])))
on_list("appended_by_a_generator", lambda h: sum(h.append(v) or 1 for v in [5]))
on_list("appended_by_min", lambda h: min([5, 6], key=h.append, default=0) if not h else h.pop())
on_list("appended_by_a_format", lambda h: f"{_Format(h):x}")
on_list("appended_by_a_text", lambda h: str(_Format(h)))
on_list("appended_by_a_comparison", lambda h: _Format(h) == 3)
on_list("appended_by_a_truth", lambda h: 1 if _Format(h) else 2)
on_list("appended_by_a_subscript", lambda h: _Format(h)[3])
on_list("appended_by_a_call", lambda h: _Format(h)())
on_list("appended_by_a_hash", lambda h: {_Format(h): 1})
on_list("appended_by_a_length", lambda h: len(_Format(h)))
on_list("appended_by_a_deletion", lambda h: _deletes(h))
on_list("appended_by_a_class_definition", lambda h: _defines(h))
on_list("appended_by_an_import", lambda h: h.append(__import__("math").floor(5.5)))


def _unpacked(h: list[int]) -> None:
    h[0], *h[1:] = [8, 9]


class _Format:
    def __init__(self, h: list[Any]) -> None:
        self.h = h

    def _note(self, *given: Any) -> Any:
        self.h.append(5)
        return 5

    def __format__(self, form: str) -> str:
        return str(self._note())

    def __str__(self) -> str:
        return str(self._note())

    def __eq__(self, other: object) -> bool:
        return bool(self._note())

    def __hash__(self) -> int:
        return int(self._note())

    __bool__ = __eq__ if False else lambda self: bool(self._note())
    __getitem__ = __call__ = _note
    __len__ = _note


class _Dies:
    def __init__(self, h: list[int]) -> None:
        self.h = h

    def __del__(self) -> None:
        self.h.append(5)


def _deletes(h: list[int]) -> None:
    dying = _Dies(h)
    del dying


def _defines(h: list[int]) -> None:
    class Here:
        h.append(5)


on_array("copied_to", lambda h: np.copyto(h, 5.0))
on_array("put", lambda h: np.put(h, [0], 5.0))
on_array("placed", lambda h: np.place(h, h > 1, 5.0))
on_array("filled", lambda h: h.fill(5.0))
on_array("sorted_array", lambda h: h.sort())
on_array("partitioned", lambda h: h.partition(1))
on_array("added_out", lambda h: np.add(h, 1, out=h))
on_array("added_at", lambda h: np.add.at(h, [0], 5.0))
on_array("reshaped_in_place", lambda h: setattr(h, "shape", (3, 1)))
on_array("seen_as_another_type", lambda h: setattr(h, "dtype", np.int64))
on_array("made_read_only", lambda h: setattr(h.flags, "writeable", False))
on_array("made_read_only_by_a_method", lambda h: h.setflags(write=False))
on_array("written_through_a_view", lambda h: h[1:].__setitem__(0, 5.0))
on_array("written_through_the_flat", lambda h: operator.setitem(h.flat, 0, 5.0))
on_array("written_through_a_memory_view", lambda h: memoryview(h).__setitem__(0, 5.0))
on_array("written_through_ctypes", lambda h: ctypes.memset(h.ctypes.data, 0, 8))
on_array("written_through_torch", lambda h: torch.from_numpy(h).fill_(5.0))
on_array("written_through_a_tensor", lambda h: Tensor.from_numpy(h).fill_(5.0))
on_array("byte_swapped", lambda h: h.byteswap(inplace=True))
on_array("written_by_an_iterator", lambda h: _by_nditer(h))
on_array(
    "written_by_a_ufunc_of_the_users",
    lambda h: h.__setitem__(0, np.frompyfunc(_five_of, 1, 1)(h)[0]),
)
on_array("written_by_einsum", lambda h: np.einsum("i->i", h * 2, out=h))
on_array("shuffled_array", lambda h: np.random.shuffle(h))
on_array("in_place_operator", lambda h: operator.iadd(h, 1.0))
on_array("set_field", lambda h: h.setfield(5.0, np.float64))


def _five_of(v: Any) -> float:
    return 5.0


def _by_nditer(h: Any) -> None:
    with np.nditer(h, op_flags=[["readwrite"]]) as steps:
        for v in steps:
            v[...] = 5.0


on_table("set_default", lambda h: h.setdefault("c", 3))
on_table("popped_item", lambda h: h.popitem())
on_table("merged_in_place", lambda h: operator.ior(h, {"c": 3}))
on_table("merged_with_pairs", lambda h: h.update([("c", 3)]))
on_table("deleted_item", lambda h: operator.delitem(h, "a"))
on_table("initialized_table", lambda h: dict.__init__(h, c=3))
on_table("set_by_its_class", lambda h: dict.__setitem__(h, "c", 3))
on_table("unpacked_into_a_table", lambda h: _into_table(h))
on_table("moved_to_the_end", lambda h: h.move_to_end("a"), collections.OrderedDict)
on_table("counted", lambda h: h.update("aab"), collections.Counter)
on_table("subtracted", lambda h: h.subtract(a=1), collections.Counter)
on_table("read_by_default", lambda h: h["zzz"], lambda **v: collections.defaultdict(int, **v))
on_table("user_dictionary", lambda h: h.data.update(c=3), collections.UserDict)


def _into_table(h: dict[str, int]) -> None:
    h["a"], h["b"] = h["b"], h["a"]


effect("set_grown", set, lambda h: h.add(1), lambda h: h.clear(), sorted)
effect(
    "set_changed",
    lambda: {1},
    lambda h: operator.ixor(h, {1, 2}),
    lambda h: (h.clear(), h.add(1)),
    sorted,
)
effect(
    "deque_rotated",
    lambda: collections.deque([1, 2, 3]),
    lambda h: h.rotate(1),
    lambda h: h.rotate(-1),
    list,
)
effect("bytes_grown", bytearray, lambda h: h.extend(b"ab"), lambda h: h.clear(), bytes)
effect(
    "array_grown",
    lambda: array.array("i"),
    lambda h: h.append(1),
    lambda h: h.__delitem__(slice(None)),
    list,
)
effect(
    "slot_set",
    lambda: Slotted(1),
    lambda h: Slotted.x.__set__(h, 5),
    lambda h: setattr(h, "x", 1),
    lambda h: h.x,
)
effect(
    "closure_set",
    lambda: (lambda n: [lambda: n, lambda v: _cell_of(first := (lambda: n), v) or first])(1)[0],
    lambda h: setattr(h.__closure__[0], "cell_contents", 5),
    lambda h: setattr(h.__closure__[0], "cell_contents", 1),
    lambda h: h(),
)
effect(
    "defaults_set",
    lambda: lambda a=1: a,
    lambda h: setattr(h, "__defaults__", (5,)),
    lambda h: setattr(h, "__defaults__", (1,)),
    lambda h: h(),
)
effect(
    "keyword_defaults_set",
    lambda: lambda *, a=1: a,
    lambda h: h.__kwdefaults__.update(a=5),
    lambda h: h.__kwdefaults__.update(a=1),
    lambda h: h(),
)
effect(
    "code_set",
    lambda: lambda: 1,
    lambda h: setattr(h, "__code__", (lambda: 5).__code__),
    lambda h: setattr(h, "__code__", (lambda: 1).__code__),
    lambda h: h(),
)
effect(
    "annotation_set",
    lambda: lambda: 1,
    lambda h: h.__annotations__.update(a=int),
    lambda h: h.__annotations__.clear(),
    lambda h: len(h.__annotations__),
)
effect(
    "class_attribute_set",
    lambda: type("C", (), {"n": 1}),
    lambda h: setattr(h, "n", 5),
    lambda h: setattr(h, "n", 1),
    lambda h: h.n,
)
effect(
    "class_attribute_set_by_type",
    lambda: type("C", (), {"n": 1}),
    lambda h: type.__setattr__(h, "n", 5),
    lambda h: setattr(h, "n", 1),
    lambda h: h.n,
)
effect(
    "class_of_an_object_set",
    lambda: Plain(n=1),
    lambda h: setattr(h, "__class__", Named),
    lambda h: setattr(h, "__class__", Plain),
    lambda h: type(h).__name__,
)
effect(
    "module_attribute_set",
    lambda: types.ModuleType("soundness_effect"),
    lambda h: setattr(h, "n", 5),
    lambda h: h.__dict__.pop("n", None),
    lambda h: getattr(h, "n", 1),
)
effect(
    "cell_attribute_set_past_setattr",
    lambda: Net(n=1),
    lambda h: object.__setattr__(h, "n", 5),
    lambda h: setattr(h, "n", 1),
    lambda h: h.n,
)
effect(
    "cell_flag_set",
    lambda: Net(n=1),
    lambda h: h.set_train(True),
    lambda h: h.set_train(False),
    lambda h: h.training,
)
effect(
    "parameter_renamed_inside",
    lambda: Parameter(t(), name="p"),
    lambda h: setattr(h, "name", "q"),
    lambda h: setattr(h, "name", "p"),
    lambda h: h.name,
)
effect(
    "parameter_frozen_inside",
    lambda: Parameter(t(), name="p"),
    lambda h: setattr(h, "requires_grad", False),
    lambda h: setattr(h, "requires_grad", True),
    lambda h: h.requires_grad,
)
effect(
    "parameter_marked_inside",
    lambda: Parameter(t(), name="p"),
    lambda h: setattr(h, "note", 5),
    lambda h: delattr(h, "note") if hasattr(h, "note") else None,
    lambda h: getattr(h, "note", 1),
)
effect(
    "tensor_written_inside",
    lambda: t(1, 1),
    lambda h: h.fill_(5.0),
    lambda h: h.fill_(1.0),
    lambda h: h.tolist(),
)
effect(
    "tensor_given_other_data_inside",
    lambda: t(1, 1),
    lambda h: h.assign_value(t(5, 5)),
    lambda h: h.assign_value(t(1, 1)),
    lambda h: h.tolist(),
)
effect(
    "torch_tensor_resized_inside",
    lambda: torch.ones(2),
    lambda h: h.resize_(1),
    lambda h: h.resize_(2),
    lambda h: tuple(h.shape),
)
effect(
    "torch_tensor_marked_inside",
    lambda: torch.ones(2),
    lambda h: setattr(h, "note", 5),
    lambda h: h.__dict__.clear(),
    lambda h: getattr(h, "note", 1),
)
effect(
    "hook_added_inside",
    lambda: nn.Tanh(),
    lambda h: h.register_forward_hook(_no_hook),
    lambda h: h._forward_hook.clear() if hasattr(h, "_forward_hook") else None,
    lambda h: len(getattr(h, "_forward_hook", ())),
)
effect(
    "cache_filled",
    lambda: functools.lru_cache(lambda v: v),
    lambda h: h(3),
    lambda h: h.cache_clear(),
    lambda h: h.cache_info().currsize,
)
effect(
    "cache_cleared",
    lambda: functools.lru_cache(lambda v: v),
    lambda h: h.cache_clear(),
    lambda h: h(3),
    lambda h: h.cache_info().currsize,
)
effect(
    "generator_of_python_seeded",
    lambda: random.Random(1),
    lambda h: h.seed(5),
    lambda h: h.seed(1),
    lambda h: h.getstate()[1][0],
)
effect(
    "generator_of_numpy_seeded",
    lambda: np.random.RandomState(1),
    lambda h: h.seed(5),
    lambda h: h.seed(1),
    lambda h: int(h.get_state()[1][0]),
)
effect(
    "context_variable_set",
    lambda: contextvars.ContextVar("soundness", default=1),
    lambda h: h.set(5),
    lambda h: h.set(1),
    lambda h: h.get(),
)
effect(
    "local_of_a_thread_set",
    threading.local,
    lambda h: setattr(h, "n", 5),
    lambda h: h.__dict__.clear(),
    lambda h: getattr(h, "n", 1),
)
effect(
    "precision_of_decimals_set",
    decimal.getcontext,
    lambda h: setattr(decimal.getcontext(), "prec", 5),
    lambda h: setattr(decimal.getcontext(), "prec", 28),
    lambda h: decimal.getcontext().prec,
)
effect(
    "environment_set",
    lambda: os.environ,
    lambda h: h.__setitem__("SOUNDNESS_EFFECT", "5"),
    lambda h: h.pop("SOUNDNESS_EFFECT", None),
    lambda h: h.get("SOUNDNESS_EFFECT"),
)
effect(
    "environment_put",
    lambda: os.environ,
    lambda h: os.environ.update(SOUNDNESS_EFFECT="5"),
    lambda h: h.pop("SOUNDNESS_EFFECT", None),
    lambda h: h.get("SOUNDNESS_EFFECT"),
)
effect(
    "filters_of_warnings_set",
    lambda: warnings,
    lambda h: warnings.filterwarnings("ignore", "soundness effect"),
    lambda h: [h.filters.remove(f) for f in list(h.filters) if "soundness effect" in str(f[1])],
    lambda h: sum("soundness effect" in str(f[1]) for f in h.filters),
)
effect(
    "level_of_a_logger_set",
    lambda: logging.getLogger("soundness.effect"),
    lambda h: h.setLevel(5),
    lambda h: h.setLevel(1),
    lambda h: h.level,
)
effect(
    "level_of_a_logger_written",
    lambda: logging.getLogger("soundness.effect2"),
    lambda h: setattr(h, "level", 5),
    lambda h: setattr(h, "level", 1),
    lambda h: h.level,
)
effect(
    "hook_of_the_interpreter_set",
    lambda: sys,
    lambda h: setattr(sys, "displayhook", _no_hook),
    lambda h: setattr(sys, "displayhook", sys.__displayhook__),
    lambda h: sys.displayhook is _no_hook,
)
effect(
    "builtin_set",
    lambda: builtins,
    lambda h: setattr(builtins, "soundness_name", 5),
    lambda h: h.__dict__.pop("soundness_name", None),
    lambda h: getattr(h, "soundness_name", 1),
)
effect(
    "module_loaded",
    lambda: sys.modules,
    lambda h: h.__setitem__("soundness_loaded", types.ModuleType("soundness_loaded")),
    lambda h: h.pop("soundness_loaded", None),
    lambda h: "soundness_loaded" in h,
)
effect(
    "path_grown",
    lambda: sys.path,
    lambda h: h.append("/soundness"),
    lambda h: h.remove("/soundness") if "/soundness" in h else None,
    lambda h: "/soundness" in h,
)
effect(
    "patterns_forgotten",
    lambda: re,
    lambda h: re.purge(),
    lambda h: re.compile("soundness"),
    lambda h: len(re._cache),
)
effect(
    "method_of_a_library_patched",
    lambda: nn.Tanh,
    lambda h: setattr(nn.Tanh, "soundness", 5),
    lambda h: delattr(h, "soundness") if "soundness" in vars(h) else None,
    lambda h: getattr(h, "soundness", 1),
)
effect(
    "context_of_agar_set",
    lambda: ms,
    lambda h: ms.set_context(max_call_depth=700),
    lambda h: ms.set_context(max_call_depth=1000),
    lambda h: ms.get_context("max_call_depth"),
)
effect(
    "seed_of_agar_set",
    lambda: ms,
    lambda h: ms.set_seed(5),
    lambda h: ms.set_seed(1),
    lambda h: ms.get_seed(),
)
effect(
    "seed_of_torch_set",
    lambda: torch,
    lambda h: torch.manual_seed(5),
    lambda h: torch.manual_seed(1),
    lambda h: torch.initial_seed(),
)
effect(
    "default_type_of_torch_set",
    lambda: torch,
    lambda h: torch.set_default_dtype(torch.float64),
    lambda h: torch.set_default_dtype(torch.float32),
    lambda h: str(torch.get_default_dtype()),
)
effect(
    "determinism_of_torch_set",
    lambda: torch,
    lambda h: torch.use_deterministic_algorithms(True),
    lambda h: torch.use_deterministic_algorithms(False),
    lambda h: torch.are_deterministic_algorithms_enabled(),
)
effect(
    "backend_of_torch_set",
    lambda: torch.backends.cudnn,
    lambda h: setattr(torch.backends.cudnn, "benchmark", True),
    lambda h: setattr(torch.backends.cudnn, "benchmark", False),
    lambda h: torch.backends.cudnn.benchmark,
)
effect(
    "errors_of_numpy_set",
    lambda: np,
    lambda h: np.seterr(divide="ignore"),
    lambda h: np.seterr(divide="warn"),
    lambda h: np.geterr()["divide"],
)
effect(
    "seed_of_numpy_set",
    lambda: np,
    lambda h: np.random.seed(5),
    lambda h: np.random.seed(1),
    lambda h: int(np.random.get_state()[1][0]),
)


def _no_hook(*given: Any) -> None: ...


def _cell_of(function: Any, value: Any) -> None: ...


@ROWS.ordinary()
def global_deleted_inside(run: Run) -> Iterator[Any]:
    home: dict[str, Any] = {"__name__": "soundness_globals", "n": 1}
    exec("def step(x):\n    global n\n    del n\n    return x * 2", home)
    call = run(home["step"])
    for i in range(8):
        yield attempt(call, t()), "n" in home
        home["n"] = 1


@ROWS.ordinary()
def global_set_inside_by_text(run: Run) -> Iterator[Any]:
    home: dict[str, Any] = {"__name__": "soundness_globals", "n": 1}
    exec("def step(x):\n    global n\n    n = 5\n    return x * 2", home)
    call = run(home["step"])
    for i in range(8):
        yield attempt(call, t()), home["n"]
        home["n"] = 1


@ROWS.replayed()
def state_of_a_random_cell_inside(run: Run) -> Iterator[Any]:
    ms.set_seed(3)
    drop = nn.Dropout(p=0.5)
    drop.set_train(True)
    call = run(lambda x: drop(x) + ops.standard_normal((3,)))
    for i in range(8):
        if i == 4:
            ms.set_seed(3)
        yield attempt(call, t())


@ROWS.replayed()
def channels_dropped_by_another_stream(run: Run) -> Iterator[Any]:
    from agar._core.random import set_unseeded_channel_dropout

    drop = nn.Dropout2d(p=0.5)
    drop.set_train(True)
    call = run(drop)
    before = set_unseeded_channel_dropout(False)
    try:
        for i in range(10):
            if i == 5:
                set_unseeded_channel_dropout(True)
            yield attempt(call, ops.ones((1, 6, 2, 2), ms.float32)).shape
    finally:
        set_unseeded_channel_dropout(before)


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_effects(program: Any, quiet: bool) -> None:
    check(program, quiet)
