"""What an operator's binding tries before all else: torch's function, called in the binding's code.

Most calls give tensors and the plainest arguments. For them an operator names torch's function (the
option `fast` of a declaration), and its binding calls that at once; torch's own checks refuse what
is wrong. Whatever it raises leaves for the slow way, which says it in our words or computes what
torch does not.

======================================  ==========================================================
``fast=torch.relu``                     one tensor, or two tensors of one dtype; all other arguments
                                        as they are by default
``fast=Pair(torch.add, numbers=True)``  two operands: tensors of one dtype, and with `numbers` a
                                        tensor and a Python number; with `mixed` any two tensors
``fast=Call("input.squeeze()",          an expression over the operator's parameters (tensors stand
"axis is None")``                       for their torch tensors), wherever the condition holds
======================================  ==========================================================

All of them must give what the implementation gives, or raise where it does anything else.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import torch

__all__ = ["Call", "Fast", "Pair", "fast_lines"]


class Pair(NamedTuple):
    """A torch function of two operands.

    Attributes:
        function: what is called.
        numbers: whether it takes an int or a float as its second operand, as the operator does.
        mixed: whether it promotes tensors of different types as the operator does.
    """

    function: Callable[..., Any]
    numbers: bool = False
    mixed: bool = False


class Call(NamedTuple):
    """A call of a torch function, as text over the operator's parameters.

    Attributes:
        text: the call; its result is one tensor.
        when: where it is right, as a condition over the arguments themselves.
    """

    text: str
    when: str = ""


#: What a declaration may name.
Fast = Callable[..., Any] | Pair | Call

_INDENT = " " * 12
_TORCH = re.compile(r"\btorch(?:\.\w+)+")


def _result(value: str, indent: str = _INDENT) -> str:
    return (
        f"{indent}_r = _new(_Tensor)\n"
        f"{indent}_r._value = {value}\n"
        f"{indent}return _r\n"
    )  # fmt: skip


def _as_default(params: Sequence[inspect.Parameter], names: Mapping[str, str]) -> str:
    """The condition that arguments are their defaults, which are None, True or False."""
    for p in params:
        if not any(p.default is value for value in (None, True, False)):
            raise TypeError(f"'fast' must be a Call: its condition says what '{p.name}' may be.")
    return " and ".join(f"{names[p.name]} is {p.default}" for p in params if p.name in names)


def _pair_lines(pair: Pair, a: str, b: str, local: dict[str, Any]) -> str:
    local["_fast"] = pair.function
    # The plain class is compared first: that is one pointer, a look into the set is a hash.
    lines = f"{_INDENT}if type({b}) is _Tensor or type({b}) in _classes:\n"
    if pair.mixed:
        lines += _result(f"_fast({a}._value, {b}._value)", f"{_INDENT}    ")
    else:
        lines += f"{_INDENT}    _a = {a}._value\n{_INDENT}    _b = {b}._value\n"
        lines += f"{_INDENT}    if _a.dtype is _b.dtype:\n"
        lines += _result("_fast(_a, _b)", f"{_INDENT}        ")
    if pair.numbers:
        lines += f"{_INDENT}elif type({b}) is float or type({b}) is int:\n"
        lines += _result(f"_fast({a}._value, {b})", f"{_INDENT}    ")
    return lines


@functools.cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Parameters in an expression, but not attributes and keywords of that name."""
    return re.compile(rf"(?<![\w.])(?:{'|'.join(names)})\b(?!\s*=[^=])")


def _with_torch(text: str, local: dict[str, Any]) -> str:
    """An expression in which what it names of torch is a variable of the binding."""

    def variable(match: re.Match[str]) -> str:
        path, name = match[0], match[0].replace(".", "_")
        local[name] = attrgetter(path.partition(".")[2])(torch)
        return name

    return _TORCH.sub(variable, text)


def _call_lines(
    call: Call, texts: Mapping[str, str], values: Mapping[str, str], local: dict[str, Any]
) -> str:
    pattern = _pattern(tuple(texts))
    text = _with_torch(pattern.sub(lambda match: values[match[0]], call.text), local)
    if not call.when:
        return _result(text)
    when = _with_torch(pattern.sub(lambda match: texts[match[0]], call.when), local)
    return f"{_INDENT}if {when}:\n{_result(text, f'{_INDENT}    ')}"


def fast_lines(
    fast: Fast,
    params: Sequence[inspect.Parameter],
    names: Mapping[str, str],
    is_tensor: Callable[[str], bool],
    local: dict[str, Any],
) -> str:
    """The lines of a binding that call torch and leave; empty where they do not apply.

    Args:
        fast: what the operator names.
        params: the operator's parameters.
        names: what they are in the binding's code; those that the binding lacks are left out.
        is_tensor: whether a parameter, by its name, is a Tensor.
        local: receives what the lines refer to.
    """
    if isinstance(fast, Call):
        texts = {p.name: names.get(p.name, repr(p.default)) for p in params}
        values = {k: f"{v}._value" if is_tensor(k) else v for k, v in texts.items()}
        return _call_lines(fast, texts, values, local)
    first, *rest = params
    if isinstance(fast, Pair) or (rest and rest[0].default is first.empty):
        (second,) = rest
        pair = fast if isinstance(fast, Pair) else Pair(fast)
        return _pair_lines(pair, names[first.name], names[second.name], local)
    local["_fast"] = fast
    value, when = f"_fast({names[first.name]}._value)", _as_default(rest, names)
    return f"{_INDENT}if {when}:\n{_result(value, f'{_INDENT}    ')}" if when else _result(value)
