"""Errors that speak to the person: which operator or cell, what came, what was expected.

torch's exceptions are translated at one place, :func:`translate`: the type becomes the one that
MindSpore raises in the same situation, so that ported ``except`` clauses still work, and the
message names the public operator and describes the tensors it was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["describe", "describe_call", "missing_feature", "translate"]

# First match decides. torch reports nearly everything as RuntimeError.
_RULES: tuple[tuple[re.Pattern[str], type[Exception], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, hint)
    for pattern, kind, hint in (
        (
            r"must match the size of tensor|not broadcastable|doesn't match the broadcast shape"
            r"|shape mismatch: (?:value|indexing)|cannot be broadcast|output with shape",
            ValueError,
            "the shapes need to broadcast: trailing sizes must be equal or 1",
        ),
        (
            r"mat1 and mat2 shapes|same reduction dim|size mismatch|inconsistent tensor size"
            r"|Expected size for first|must match except in dimension"
            r"|expected to be in range|stack expects each tensor"
            r"|expanded size of the tensor|elements of source <|to be no larger than self"
            r"|Number of indices .* equal to source|same number of (?:elements|dimensions)",
            ValueError,
            "",
        ),
        (
            r"is invalid for input of size|invalid shape dimension|only one dimension",
            ValueError,
            "",
        ),
        (r"Expected (?:[34]D|2D|5D|[0-9]D or)|dimensional input|Expected \d-dim", ValueError, ""),
        (r"Dimension out of range", ValueError, "axis must lie within the tensor's rank"),
        (
            r"not implemented for|expected (?:scalar type|m1 and m2|a floating)|same dtype"
            r"|result type .* can't be cast|must have the same dtype|unsupported for .* dtype"
            r"|Input type .* and (?:bias|weight) type|expected .* dtype|input dtype should be",
            TypeError,
            "convert with .astype(...) first",
        ),
        (r"ZeroDivisionError", ZeroDivisionError, "integers cannot be divided by zero"),
        (r"to have \d+ channels|Given groups=", RuntimeError, ""),
        (r"index .* is out of bounds|out of range", IndexError, ""),
        (r"a view of a leaf Variable|leaf Variable that requires grad", RuntimeError, ""),
    )
)


def describe(value: Any) -> str:
    """A short word for a value in a message: tensors by shape and dtype, others by their text."""
    dtype = getattr(value, "dtype", None)
    shape = getattr(value, "shape", None)
    if dtype is not None and shape is not None:
        kind = "Parameter" if type(value).__name__ == "Parameter" else type(value).__name__
        name = getattr(value, "name", None)
        label = f" '{name}'" if kind == "Parameter" and name else ""
        return f"{kind}{label}(shape={list(shape)}, dtype={dtype})"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(describe(v) for v in value[:4])
        more = ", ..." if len(value) > 4 else ""
        return f"[{shown}{more}]" if isinstance(value, list) else f"({shown}{more})"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def describe_call(names: Iterable[str], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """``name = description`` for each argument, with parameter names where they are known."""
    known = list(names)
    parts = []
    for i, value in enumerate(args):
        label = f"{known[i]}=" if i < len(known) else ""
        parts.append(f"{label}{describe(value)}")
    parts += [f"{key}={describe(value)}" for key, value in kwargs.items() if value is not None]
    return ", ".join(parts)


def translate(error: Exception, who: str, given: str) -> Exception:
    """torch's exception as MindSpore's type, naming the operator and what it was given.

    Args:
        error: what was raised.
        who: the operator's public name.
        given: the description of the arguments (:func:`describe_call`).
    """
    if getattr(error, "_agar_named", False):
        return error
    text = str(error).strip().split("\n", 1)[0]
    text = re.sub(r"\s*\(Triggered internally.*", "", text)
    kind: type[Exception] = type(error)
    hint = ""
    for pattern, found, words in _RULES:
        if isinstance(error, (RuntimeError, IndexError)) and pattern.search(text):
            kind, hint = found, words
            break
    if not issubclass(kind, (TypeError, ValueError, IndexError, KeyError, ArithmeticError)):
        kind = NotImplementedError if isinstance(error, NotImplementedError) else RuntimeError
    if isinstance(error, NotImplementedError) and kind is NotImplementedError:
        kind, hint = TypeError, "convert with .astype(...) to a type the operator supports"
    # the implementations' own sentences name the operator themselves
    message = text.rstrip(".") if text.startswith("For '") else f"For '{who}', {text.rstrip('.')}"
    if hint:
        message += f" ({hint})"
    message += f". Given: {given}." if given else "."
    new = kind(message)
    new._agar_named = True  # type: ignore[attr-defined]
    return new


def missing_feature(what: str, why: str, instead: str) -> NotImplementedError:
    """The error for what agar does not do: what, why, and what to do instead."""
    error = NotImplementedError(f"{what} is not available in agar: {why}. Instead: {instead}.")
    error._agar_named = True  # type: ignore[attr-defined]
    return error
