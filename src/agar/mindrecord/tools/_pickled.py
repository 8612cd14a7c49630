"""Lists, dictionaries, numbers, texts and arrays of a pickle, read by a reader of agar's own.

NOTE Python's unpickler, even with a short list of allowed names, reserves what the file claims: one
changed byte of a batch of CIFAR takes gigabytes. Here opcodes are walked over bytes that are there,
nothing is imported or called, and an array is made only of bytes that the file holds.
"""

from __future__ import annotations

import math
import pickletools
from typing import Any

import numpy as np

__all__ = ["plain_values"]

_NAMES = frozenset(
    {
        "numpy.core.multiarray _reconstruct",
        "numpy._core.multiarray _reconstruct",
        "numpy ndarray",
        "numpy dtype",
        "_codecs encode",
    }
)
_KINDS = "biuf"
#: opcodes whose argument is the value
_VALUES = frozenset(
    [
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
        *("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
    ]
)
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_MARK = object()


class _Name:
    """A name that a pickle would import; here a word alone."""

    def __init__(self, text: str) -> None:
        if text not in _NAMES:
            raise ValueError(
                f"the file wants to make a {'.'.join(text.split())}; only arrays, numbers and "
                "texts are read"
            )
        self.last = text.rpartition(" ")[2]


class _Array:
    """An array that gets its content later."""

    def __init__(self) -> None:
        self.value: np.ndarray | None = None


class _Type:
    """The type of an array, whose order of bytes comes later."""

    def __init__(self, name: Any) -> None:
        result = np.dtype(_text(name))
        if result.kind not in _KINDS:
            raise ValueError(f"an array has elements of type {result}")
        self.value = result


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a text is expected, but {type(value).__name__} is there")
    return value


def plain_values(data: bytes) -> Any:
    """The value of a pickle that holds nothing but plain values and arrays of numbers.

    Raises:
        ValueError: it is damaged, or holds something else.
    """
    stack: list[Any] = []
    memo: dict[int, Any] = {}

    def above_mark() -> list[Any]:
        for place in range(len(stack) - 1, -1, -1):
            if stack[place] is _MARK:
                entry = stack[place + 1 :]
                del stack[place:]
                return entry
        raise ValueError("a mark is missing")

    argument: Any
    for opcode, argument, _ in pickletools.genops(data):
        name = opcode.name
        if name in _VALUES:
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in ("PROTO", "FRAME"):
            continue
        elif name == "MARK":
            stack.append(_MARK)
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[argument] = stack[-1]
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        elif name in ("EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE"):
            stack.append({"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}[name]())
        elif name in ("LIST", "TUPLE"):
            entry = above_mark()
            stack.append(entry if name == "LIST" else tuple(entry))
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            entry = tuple(stack[-count:])
            del stack[-count:]
            stack.append(entry)
        elif name in ("DICT", "SETITEMS"):
            entry = above_mark()
            if name == "DICT":
                stack.append({})
            _fill(stack[-1], entry)
        elif name == "SETITEM":
            entry = stack[-2:]
            del stack[-2:]
            _fill(stack[-1], entry)
        elif name in ("APPEND", "APPENDS"):
            entry = above_mark() if name == "APPENDS" else [stack.pop()]
            if not isinstance(stack[-1], list):
                raise ValueError("something is appended to what is not a list")
            stack[-1].extend(entry)
        elif name == "GLOBAL":
            stack.append(_Name(argument))
        elif name == "STACK_GLOBAL":
            module, word = stack[-2:]
            del stack[-2:]
            stack.append(_Name(f"{_text(module)} {_text(word)}"))
        elif name == "REDUCE":
            given = stack.pop()
            stack.append(_built(stack.pop(), given))
        elif name == "BUILD":
            state = stack.pop()
            _build(stack[-1], state)
        elif name == "STOP":
            break
        else:
            raise ValueError(f"it holds more than arrays, numbers and texts ({name})")
    (value,) = stack
    return _finished(value, 0)


def _fill(target: Any, items: list[Any]) -> None:
    if type(target) is not dict or len(items) % 2:
        raise ValueError("items are put into what is not a dictionary")
    for key, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(key, (str, bytes, int)):
            raise ValueError(f"a key is a {type(key).__name__}")
        target[key.decode("latin1") if isinstance(key, bytes) else key] = value


def _built(name: Any, given: Any) -> Any:
    """What a call in the pickle stands for; nothing is called."""
    if not isinstance(name, _Name) or not isinstance(given, tuple):
        raise ValueError("it calls what is not a function of numpy")
    if name.last == "_reconstruct":
        return _Array()
    if name.last == "dtype":
        return _Type(given[0])
    if name.last == "encode" and len(given) == 2 and given[1] == "latin1":
        return _text(given[0]).encode("latin1")
    raise ValueError(f"it calls {name.last}")


def _build(target: Any, state: Any) -> None:
    if isinstance(target, _Type):
        order = _text(state[1])
        if order not in "<>|=":
            raise ValueError(f"the order of bytes is {order!r}")
        target.value = target.value.newbyteorder(order)  # type: ignore[arg-type]
        return
    if not isinstance(target, _Array):
        raise ValueError(f"it sets the state of a {type(target).__name__}")
    _, shape, kind, fortran, content = state
    if isinstance(content, str):  # Python 2's bytes
        content = content.encode("latin1")
    if not isinstance(kind, _Type) or not isinstance(content, bytes):
        raise ValueError("an array has another content than bytes")
    if not isinstance(shape, tuple) or any(type(n) is not int or n < 0 for n in shape):
        raise ValueError(f"an array has the shape {shape!r}")
    # compared before numpy reserves anything; its own product of sizes wraps around
    if math.prod(shape) * kind.value.itemsize != len(content):
        raise ValueError(f"an array of shape {shape} has {len(content)} bytes")
    result = np.frombuffer(content, kind.value).reshape(shape, order="F" if fortran else "C")
    target.value = result


def _finished(value: Any, depth: int) -> Any:
    """A value with its arrays in place of what stood for them, in dictionaries and lists."""
    if isinstance(value, _Array):
        if value.value is None:
            raise ValueError("an array has no content")
        return value.value
    if isinstance(value, (_Name, _Type)) or value is _MARK or depth > 2:
        raise ValueError("it holds more than a dictionary of lists, arrays, numbers and texts")
    if type(value) is dict:
        return {key: _finished(inside, depth + 1) for key, inside in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_finished(inside, depth + 1) for inside in value)
    return value
