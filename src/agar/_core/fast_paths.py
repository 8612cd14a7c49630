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
``fast=Call("torch.squeeze(input)",     an expression over the operator's parameters (tensors stand
"axis is None")``                       for their torch tensors), wherever the condition holds; with
                                        `several` it gives a tuple of tensors
``fast=Joined(torch.stack)``            a list or tuple of tensors of one dtype, and an axis
======================================  ==========================================================

Besides their parameters, texts may name ``torch`` and what is in it, ``_Tensor``, ``_device()`` (of
new tensors), ``_types[dtype]`` (torch's type), ``_as_type(value, _types[dtype])``,
``value.dtype in _floats`` and ``_all_int(map(type, sizes))``. ``fast`` may be a tuple of calls,
which are tried in turn.

All of them must give what the implementation gives, or raise where it does anything else.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import torch

__all__ = ["Call", "Fast", "Joined", "Pair", "fast_lines"]


class Pair(NamedTuple):
    """A torch function of two operands.

    Attributes:
        function: what is called.
        numbers: whether it takes an int or a float as its second operand, as the operator does.
        mixed: whether it promotes tensors of different types as the operator does.
        when: what the operator's other arguments must be, as a condition.
    """

    function: Callable[..., Any]
    numbers: bool = False
    mixed: bool = False
    when: str = ""


class Call(NamedTuple):
    """A call of a torch function, as text over the operator's parameters.

    Attributes:
        text: the call; its result is one tensor.
        when: where it is right, as a condition over the arguments themselves.
        several: whether the result is a tuple of tensors.
    """

    text: str
    when: str = ""
    several: bool = False


class Joined(NamedTuple):
    """A torch function of several tensors, the operator's first parameter, and an axis, its second.

    Attributes:
        function: what is called where the tensors have one dtype.
        ranks: whether they must have one rank too, and the axis.
    """

    function: Callable[..., Any]
    ranks: bool = False


#: What a declaration may name; several calls are tried in turn.
Fast = Callable[..., Any] | Pair | Call | Joined | tuple[Call, ...]

_INDENT = " " * 12
_TORCH = re.compile(r"\btorch(?:\.\w+)+")


def _result(value: str, indent: str = _INDENT) -> str:
    return (
        f"{indent}_r = _new(_Tensor)\n"
        f"{indent}_r._value = {value}\n"
        f"{indent}return _r\n"
    )  # fmt: skip


def _results(value: str, indent: str = _INDENT) -> str:
    return (
        f"{indent}_results = []\n"
        f"{indent}for _v in {value}:\n"
        f"{indent}    _r = _new(_Tensor)\n"
        f"{indent}    _r._value = _v\n"
        f"{indent}    _results.append(_r)\n"
        f"{indent}return tuple(_results)\n"
    )


def _as_default(params: Sequence[inspect.Parameter], names: Mapping[str, str]) -> str:
    """The condition that arguments are their defaults, which are None, True or False."""
    for p in params:
        if not any(p.default is value for value in (None, True, False)):
            raise TypeError(f"'fast' must be a Call: its condition says what '{p.name}' may be.")
    return " and ".join(f"{names[p.name]} is {p.default}" for p in params if p.name in names)


def _pair_lines(pair: Pair, texts: Mapping[str, str], local: dict[str, Any]) -> str:
    a, b, *_ = texts.values()
    local["_fast"] = pair.function
    when = f"{_with_texts(pair.when, texts, local)} and " if pair.when else ""
    # The plain class is compared first: that is one pointer, a look into the set is a hash.
    lines = f"{_INDENT}if {when}(type({b}) is _Tensor or type({b}) in _classes):\n"
    if pair.mixed:
        lines += _result(f"_fast({a}._value, {b}._value)", f"{_INDENT}    ")
    else:
        lines += f"{_INDENT}    _a = {a}._value\n{_INDENT}    _b = {b}._value\n"
        lines += f"{_INDENT}    if _a.dtype is _b.dtype:\n"
        lines += _result("_fast(_a, _b)", f"{_INDENT}        ")
    if pair.numbers:
        lines += f"{_INDENT}elif {when}(type({b}) is float or type({b}) is int):\n"
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


def _with_texts(text: str, texts: Mapping[str, str], local: dict[str, Any]) -> str:
    """An expression over a binding's variables, from one over the operator's parameters."""
    return _with_torch(_pattern(tuple(texts)).sub(lambda match: texts[match[0]], text), local)


def _call_lines(
    call: Call, texts: Mapping[str, str], values: Mapping[str, str], local: dict[str, Any]
) -> str:
    text = _with_texts(call.text, values, local)
    result = _results if call.several else _result
    if not call.when:
        return result(text)
    when = _with_texts(call.when, texts, local)
    return f"{_INDENT}if {when}:\n{result(text, f'{_INDENT}    ')}"


# Two tensors, the commonest number, are compared without a list of them.
_JOINED = """\
if type({axis}) is int and (type({tensors}) is tuple or type({tensors}) is list):
    if len({tensors}) == 2:
        _a, _b = {tensors}
        _a = _a._value
        _b = _b._value
        _values = (_a, _b) if _a.dtype is _b.dtype{two} else ()
    else:
        _dtype = None
        _values = []
        for _t in {tensors}:
            _t = _t._value
            if _dtype is None:
                _dtype = _t.dtype{first}
            elif _t.dtype is not _dtype{other}:
                _values = ()
                break
            _values.append(_t)
    if _values{within}:
"""


def _joined_lines(joined: Joined, tensors: str, axis: str, local: dict[str, Any]) -> str:
    local["_fast"] = joined.function
    ranks = {
        "two": " and (_rank := _a.ndim) == _b.ndim",
        "first": "\n                _rank = _t.ndim",
        "other": " or _t.ndim != _rank",
        "within": f" and ({axis} == 0 or -_rank <= {axis} < _rank)",
    }
    more = ranks if joined.ranks else dict.fromkeys(ranks, "")
    lines = _JOINED.format(tensors=tensors, axis=axis, **more)
    call = f"_fast(_values) if {axis} == 0 else _fast(_values, {axis})"
    return textwrap.indent(lines, _INDENT) + _result(call, f"{_INDENT}        ")


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
    texts = {p.name: names.get(p.name, repr(p.default)) for p in params}
    if isinstance(fast, Call):
        values = {k: f"{v}._value" if is_tensor(k) else v for k, v in texts.items()}
        return _call_lines(fast, texts, values, local)
    first, *rest = params
    if isinstance(fast, Joined):
        tensors, axis, *_ = texts.values()
        return _joined_lines(fast, tensors, axis, local)
    if isinstance(fast, Pair):
        if rest[1:] and not fast.when:
            raise TypeError(f"'fast' must say when '{rest[1].name}' is as the function takes it.")
        return _pair_lines(fast, texts, local)
    if isinstance(fast, tuple):
        return "".join(fast_lines(one, params, names, is_tensor, local) for one in fast)
    if rest and rest[0].default is first.empty:
        (_second,) = rest
        return _pair_lines(Pair(fast), texts, local)
    local["_fast"] = fast
    value, when = f"_fast({names[first.name]}._value)", _as_default(rest, names)
    return f"{_INDENT}if {when}:\n{_result(value, f'{_INDENT}    ')}" if when else _result(value)
