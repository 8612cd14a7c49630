"""Errors that speak to the person: which operator or cell, what came, what was expected.

torch's exceptions are translated at one place, :func:`translate`: the type becomes the one that
MindSpore raises in the same situation, so that ported ``except`` clauses still work, and the
message names the public operator and describes the tensors it was given.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["describe", "describe_call", "missing_feature", "stack_level", "translate", "type_name"]

_CONVERT = "; convert with .astype(...) first"
_WRONG_TYPE = "an argument is of a type that the operator does not take"

# pattern, type, sentence
_Rule = tuple[str, type[Exception], str]

# What torch says, MindSpore's type for it, and what is said instead; {0} is the first group. The
# first match decides. torch reports nearly everything as RuntimeError.
_RULES: tuple[_Rule, ...] = (
    (r"einsum\(\)", ValueError, "the equation does not fit the shapes of the operands"),
    (
        r"must match the size of tensor|not broadcastable|doesn't match the broadcast shape"
        r"|shape mismatch: (?:value|indexing)|be broadcast|output with shape"
        r"|Attempting to broadcast|does not broadcast",
        ValueError,
        "the shapes do not broadcast: trailing sizes need to be equal or 1",
    ),
    (
        r"shape '(\[.*?\])' is invalid for input of size (\d+)",
        ValueError,
        "the shape {0} does not hold the {1} elements of the tensor",
    ),
    (r"only one dimension", ValueError, "only one size of the new shape may be -1"),
    (
        r"invalid shape dimension|unflatten: Provided sizes",
        ValueError,
        "the new shape does not hold as many elements as the tensor has",
    ),
    (
        r"expanded size of the tensor|number of sizes provided",
        ValueError,
        "the tensor does not expand to this shape: each size must be equal or 1 before",
    ),
    (
        r"except in dimension \d+\. Expected size (\d+) but got size (\d+) for tensor "
        r"number (\d+)",
        ValueError,
        "tensors are joined along one axis, so all their other sizes must match: tensor {2} "
        "has {1} elements along an axis where {0} are needed",
    ),
    (
        r"must match except in dimension|stack expects each tensor|cannot be concatenated"
        r"|must have same number of dimensions: got",
        ValueError,
        "tensors are joined along one axis, so all their other sizes must match",
    ),
    (
        r"Index tensor must have the same number|Expected index .* to be (?:no larger|smaller)"
        r"|Size does not match at dimension|Number of indices|index_copy_\(\)"
        r"|src to have a size equal|same slice shapes|elements of source <",
        ValueError,
        "the shapes of the tensor, the indices and the source must match",
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        ValueError,
        "the sizes of the tensors do not match: the last axis of the first has {1} elements "
        "where {2} are needed",
    ),
    (
        r"mat1 and mat2 shapes|same reduction dim|size mismatch|inconsistent tensor size"
        r"|Expected size for first|expected to be in range \[|same number of (?:elements|dimen)"
        r"|must be equal to (?:input|min\(|source)|must be greater or equal to other"
        r"|shape\[-?\d\] must be greater|Bad in-place call",
        ValueError,
        "the sizes of the tensors do not match",
    ),
    (
        r"Dimension out of range \(expected to be in range of (\[.*?\]), but got (-?\d+)",
        ValueError,
        "axis {1} is out of range, it must lie in {0}",
    ),
    (
        r"but tensor has no dimensions|cannot be applied to a 0-dim",
        ValueError,
        "a tensor without axes has none to compute along",
    ),
    (
        r"Expected reduction dim|non-empty|Invalid number of data points"
        r"|must transform at least one axis",
        ValueError,
        "an empty tensor cannot be dealt with: the result is not defined",
    ),
    (
        r"Expected (?:[345]D|2D|[0-9]D or)|dimensional input|Expected \d-dim|must be a matrix"
        r"|should have at least|have at least \w+ dimensions|one dimension less than"
        r"|too many indices",
        ValueError,
        "a tensor has another number of axes than is needed",
    ),
    (
        r"range of (\[.*?\]) is not finite",
        ValueError,
        "the range {0} of the values must be finite",
    ),
    (
        r"singular|positive-definite|failed to converge|contain infs or nans|non-finite"
        r"|is not finite",
        RuntimeError,
        "the matrix is singular, not positive definite or not finite, so there is no result",
    ),
    (
        r"\" not implemented for '(\w+)'|not implemented for type (\w+)",
        TypeError,
        "tensors of {0} are not supported" + _CONVERT,
    ),
    (
        r"(?:support|supported|implemented)(?: for)? complex|(?:expects?|expected) a real"
        r"|torch\.sgn|input is complex|sort does not support complex",
        TypeError,
        "complex tensors are not supported" + _CONVERT,
    ),
    (
        r"the `-` operator|bool(?:ean)? (?:inputs?|dtypes?|is) (?:is )?not|bool input"
        r"|bool dtypes?|boolean inputs",
        TypeError,
        "bool tensors are not supported" + _CONVERT,
    ),
    (
        r"result type (.+?) can't be cast to the desired output type (.+)",
        TypeError,
        "a result of {0} cannot be kept in a tensor of {1}" + _CONVERT,
    ),
    (
        r"expected (?:scalar type|m1 and m2)|(?:same|common) dtype|to have the same dtype"
        r"|Input type .* and (?:bias|weight) type|does not match input dtype",
        TypeError,
        "the tensors must have one type" + _CONVERT,
    ),
    (
        r"floating[- ]point|expected .* dtype|input dtype should be|unsupported for .* dtype"
        r"|dtype must be|integer division|integral inputs?|elements in indices should"
        r"|can require gradients|Integer.* not supported|be of type (?:Long|Int|Float)",
        TypeError,
        "the type of a tensor is not supported" + _CONVERT,
    ),
    (r"ZeroDivisionError", ZeroDivisionError, "integers cannot be divided by zero"),
    (
        r"to have \d+ channels|Given groups=|Given transposed=",
        RuntimeError,
        "the channels of the input do not match those of the weight",
    ),
    (
        r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)",
        IndexError,
        "index {0} is out of range for axis {1}, whose size is {2}",
    ),
    (r"is out of bounds|out of range", IndexError, "an index is out of range"),
    (
        r"a view of a leaf Variable|leaf Variable that requires grad",
        RuntimeError,
        "a tensor whose gradient is being computed cannot be written into; copy it first",
    ),
    (
        r"cannot be converted to type",
        ValueError,
        "a number does not fit into the type of the tensor",
    ),
    (
        r"negative dimension|must be non-negative|overflow",
        ValueError,
        "a size is negative or too large",
    ),
    (
        r"to be a single integer value",
        ValueError,
        "an option must be one int, or one for each spatial axis",
    ),
    (
        r"Number of pivots|pivots passed to|Pivots given to|LU\.shape",
        ValueError,
        "the pivots do not belong to this decomposition",
    ),
    (
        r"all elements of \w+ should be between 0 and 1",
        RuntimeError,
        "the elements must lie between 0 and 1",
    ),
    (r"negative integer powers", ValueError, "integers have no negative powers"),
    (
        r"mixed dtype|boolean tensor",
        TypeError,
        "the types of the tensors are not supported together" + _CONVERT,
    ),
    (
        r"allocated size does not match|cannot reshape tensor of|shape of the mask"
        r"|should contain \d+ elements|D tensor expected|must be \d-D|need to be at least"
        r"|expects at least|positive dimension|expects a tensor with|to \d dimensions"
        r"|source tensor shape must match|Kernel size can't be|greater than 0|non-positive"
        r"|`shifts` required|dim should be positive|inconsistent with step|^stft\(",
        ValueError,
        "the sizes, or the number of axes, of the tensors do not match",
    ),
    (
        r"INTERNAL ASSERT FAILED|could not create a primitive|undefined Tensor",
        RuntimeError,
        "there is no result: a tensor is empty or missing, or it is not finite",
    ),
    (
        r"Could not infer dtype|invalid combination of arguments",
        TypeError,
        _WRONG_TYPE,
    ),
)

_ARGUMENT = (
    r"argument '\w+' (?:\(position \d+\) )?must be (.+?), "
    r"(?:not|but found element of type) (\w+)"
)

# The same for the exceptions of Python that wrong arguments cause inside an implementation.
_PYTHON_RULES: tuple[_Rule, ...] = (
    (_ARGUMENT, TypeError, "an argument must be {0}, but got {1}"),
    (
        r"invalid combination of arguments|failed to unpack the object|invalid data type"
        r"|^can't assign a|object is not (?:iterable|subscriptable)|not supported between"
        r"|unsupported operand|^len\(\) of|^iteration over|^float\(\) argument"
        r"|indices must be integers|can't multiply|cannot unpack|can only concatenate"
        r"|^only integer tensors|^int\(\) argument|object has no attribute"
        r"|object cannot be interpreted|missing \d+ required positional|torch\.iinfo"
        r"|^expected np\.ndarray|^expected '\w+' to be|sequence to only contain"
        r"|^expected size to be",
        TypeError,
        _WRONG_TYPE,
    ),
    (
        r"^zip\(\) argument|values to unpack|could not convert string|invalid literal for"
        r"|only one element tensors|spatial dimensions|cannot have negative values",
        ValueError,
        "an argument does not have the number of elements or axes that is needed",
    ),
    (
        r"^(?:tuple|list) index out of range|^pop from empty",
        ValueError,
        "a tensor has fewer axes, or a list fewer elements, than are needed",
    ),
)


@functools.cache
def _compiled(rules: tuple[_Rule, ...], flags: int) -> list[tuple[re.Pattern[str], _Rule]]:
    """Patterns are compiled at the first error: that would be a twentieth of `import agar`."""
    return [(re.compile(rule[0], flags), rule) for rule in rules]


# torch's words for types, and MindSpore's.
_TYPE_NAMES = {
    "Half": "Float16",
    "c10::Half": "Float16",
    "c10::BFloat16": "BFloat16",
    "Float": "Float32",
    "float": "Float32",
    "Double": "Float64",
    "double": "Float64",
    "Byte": "UInt8",
    "unsigned char": "UInt8",
    "Char": "Int8",
    "signed char": "Int8",
    "Short": "Int16",
    "short": "Int16",
    "Int": "Int32",
    "int": "Int32",
    "Long": "Int64",
    "long": "Int64",
    "long int": "Int64",
    "bool": "Bool",
    "ComplexFloat": "Complex64",
    "ComplexDouble": "Complex128",
}


def type_name(value: Any) -> str:
    """The name of a value's type; a tensor of torch is not called as agar's are."""
    name, module = type(value).__name__, type(value).__module__
    return f"torch.{name}" if module == "torch" or module.startswith("torch.") else name


def describe(value: Any) -> str:
    """A short word for a value in a message: tensors by shape and dtype, others by their text."""
    dtype = getattr(value, "dtype", None)
    shape = getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, (tuple, list)):
        kind = "Parameter" if type(value).__name__ == "Parameter" else type(value).__name__
        name = getattr(value, "name", None)
        label = f" '{name}'" if kind == "Parameter" and name else ""
        return f"{kind}{label}(shape={list(shape)}, dtype={dtype})"
    if isinstance(value, (list, tuple)):
        items = ", ".join(describe(v) for v in value[:4])
        more = ", ..." if len(value) > 4 else ""
        return f"[{items}{more}]" if isinstance(value, list) else f"({items}{more})"
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


def translate(error: Exception, op_name: str, given: str) -> Exception:
    """torch's exception as MindSpore's type, naming the operator and what it was given.

    Args:
        error: what was raised.
        op_name: the operator's public name.
        given: the description of the arguments (:func:`describe_call`).
    """
    if getattr(error, "_agar_named", False):
        return error
    text = str(error).strip().split("\n", 1)[0]
    kind, sentence = _reworded(error, text)
    # the implementations' own sentences name the operator themselves
    message = sentence if sentence.startswith("For '") else f"For '{op_name}', {sentence}"
    message = message.rstrip(".") + (f". Given: {given}." if given else ".")
    new = kind(message)
    new._agar_named = True  # type: ignore[attr-defined]
    return new


def _reworded(error: Exception, text: str) -> tuple[type[Exception], str]:
    """The exception's type and sentence for the person."""
    kind: type[Exception] = type(error)
    sentence = _on_processes(text)
    if sentence is not None:
        return RuntimeError, sentence
    if not text.startswith("For '"):
        rules: list[tuple[re.Pattern[str], _Rule]] = []
        if isinstance(error, (TypeError, ValueError, IndexError, AttributeError)):
            rules += _compiled(_PYTHON_RULES, 0)
        if isinstance(error, (RuntimeError, IndexError)):
            rules += _compiled(_RULES, re.IGNORECASE)
        for pattern, (source, rule, sentence) in rules:
            match = pattern.search(text)
            if match is not None:
                own = source is not _ARGUMENT
                words = [_TYPE_NAMES.get(g, g) if own else g for g in match.groups() if g]
                return rule, sentence.format(*words)
    if isinstance(error, NotImplementedError):
        hint = " (convert with .astype(...) to a type the operator supports)"
        return TypeError, text.rstrip(".") + hint
    if not issubclass(kind, (TypeError, ValueError, IndexError, KeyError, ArithmeticError)):
        kind = RuntimeError
    return kind, text


def _on_processes(text: str) -> str | None:
    """The sentence for an operator that torch does not run on tensors of several processes."""
    if "got mixed torch.Tensor and DTensor" in text:
        return (
            "some of its tensors lie on several processes, and others are plain tensors of this "
            "process, which may differ from process to process. Call it inside "
            "AutoParallel(...), where plain tensors count as equal in all processes, or place them "
            "with ops.reshard(x, layout)"
        )
    if "does not have a sharding strategy registered" in text:
        return (
            f"its tensors lie on several processes, and torch cannot run it on parts of them: "
            f"{text.rstrip('.')}. Collect them first: ops.reshard(x, layout('None', ...))"
        )
    return None


def missing_feature(what: str, why: str, instead: str) -> NotImplementedError:
    """The error for what agar does not do: what, why, and what to do instead."""
    error = NotImplementedError(f"{what} is not available in agar: {why}. Instead: {instead}.")
    error._agar_named = True  # type: ignore[attr-defined]
    return error


#: Where agar's own files are.
_ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "")


def stack_level() -> int:
    """The `stacklevel` of `warnings.warn`, called by the caller, of the first line outside agar.

    Python does not count the frames of its import machinery.
    """
    frame, level = sys._getframe(1), 0
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<frozen importlib"):
            level += 1
            if not file.startswith(_ROOT):
                break
        frame = frame.f_back
    return level
