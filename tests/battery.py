"""What batteries over the operator table share: arguments from samples, bindings, comparisons.

The samples of an entry are argument lists as text. They are evaluated over torch tensors with
`_names`: ``f(*shape)`` normal, ``p`` positive, ``u`` in (0, 1), ``i`` integers 0 to 2, ``b`` bool,
``c`` complex; floating ones in float64. Numbers depend on the text alone.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import ops
from agar._core import optable
from agar._core.tensor import Tensor, wrap

ENTRIES = optable.table.entries
RANDOM = "random"
REFUSALS = (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, ZeroDivisionError)


def _names(seed: int) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(seed)

    def f(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    def u(*shape: int) -> torch.Tensor:
        return torch.rand(shape, generator=generator, dtype=torch.float64) * 0.9 + 0.05

    def p(*shape: int) -> torch.Tensor:
        return u(*shape) * 2 + 0.1

    def i(*shape: int) -> torch.Tensor:
        return torch.randint(0, 3, shape, generator=generator)

    def b(*shape: int) -> torch.Tensor:
        return torch.rand(shape, generator=generator) > 0.5

    def c(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.complex128)

    functions = torch.nn.functional
    return {
        "F": functions,
        "T": ms.Tensor,
        "f": f,
        "u": u,
        "p": p,
        "i": i,
        "b": b,
        "c": c,
        "np": np,
        "torch": torch,
        "ms": ms,
    }


def arguments(text: str) -> tuple[tuple, dict]:
    """The arguments that a sample stands for, over torch tensors."""
    known = _names(zlib.crc32(text.encode()))
    known["_call"] = lambda *args, **kwargs: (args, kwargs)
    args, kwargs = eval(f"_call({text})", known)
    return mapped(args, unwrapped), mapped(kwargs, unwrapped)


def unwrapped(value: Any) -> Any:
    return value._value if isinstance(value, Tensor) else value


def mapped(value: Any, change: Any) -> Any:
    """`value` with every leaf changed, through tuples, lists and dicts."""
    if isinstance(value, tuple):
        return tuple(mapped(v, change) for v in value)
    if isinstance(value, list):
        return [mapped(v, change) for v in value]
    if isinstance(value, dict):
        return {k: mapped(v, change) for k, v in value.items()}
    return change(value)


def wrapped(value: Any) -> Any:
    return mapped(value, lambda v: wrap(v.clone()) if isinstance(v, torch.Tensor) else v)


def wrapped_view(value: Any) -> Any:
    return wrap(value) if isinstance(value, torch.Tensor) else value


def in_type(value: Any, dtype: torch.dtype) -> Any:
    def change(v: Any) -> Any:
        return v.to(dtype) if isinstance(v, torch.Tensor) and v.is_floating_point() else v

    return mapped(value, change)


def tensors(value: Any) -> list[torch.Tensor]:
    """The torch tensors in a result or in arguments, left to right."""
    items: list[torch.Tensor] = []

    def collect(v: Any) -> None:
        v = unwrapped(v)
        if isinstance(v, torch.Tensor):
            items.append(v)

    mapped(value, collect)
    return items


def bindings(entry: optable.Op, args: tuple, kwargs: dict) -> dict[str, Any]:
    """What calls the operator under each of its names, ready for agar tensors."""
    entries: dict[str, Any] = {}
    for name in entry.names:
        entries[f"ops.{name}"] = getattr(ops, name)
    if args and isinstance(args[0], torch.Tensor):
        for name in entry.methods:
            entries[f"Tensor.{name}"] = lambda x, *a, _n=name, **k: getattr(x, _n)(*a, **k)
        for name in entry.properties:
            entries[f"Tensor.{name}"] = lambda x, _n=name: getattr(x, _n)
    constructor = {p.name for p in entry.params if p.kind is p.KEYWORD_ONLY}
    for name in entry.primitives:

        def call(*a: Any, _n: str = name, **k: Any) -> Any:
            result = getattr(ops, _n)(**{x: v for x, v in k.items() if x in constructor})
            return result(*a, **{x: v for x, v in k.items() if x not in constructor})

        entries[f"ops.{name}()"] = call
    for name in entry.mints:
        entries[f"mint.{name}"] = optable.binding(entry, name.split(".")[-1], module="agar.mint")
    return entries


def kind(dtype: torch.dtype) -> str:
    if dtype is torch.bool:
        return "bool"
    if dtype.is_complex:
        return "complex"
    return "floating" if dtype.is_floating_point else "integer"


def name_of(entry: optable.Op) -> str:
    bindings = ["ops." + n for n in entry.names[:1]]
    bindings += ["Tensor." + n for n in (*entry.methods, *entry.properties)[:1]]
    bindings += [*entry.primitives[:1]] + ["mint." + n for n in entry.mints[:1]]
    return "+".join(bindings)


def over(entries: list[optable.Op]) -> Any:
    """Run a test for each of `entries`."""
    return pytest.mark.parametrize("entry", entries, ids=name_of)


REPEATABLE = [e for e in ENTRIES if RANDOM not in e.tags]  # draws differ from call to call
every_entry = over(ENTRIES)
