"""Einstein sums written with permute, matmul and reshape.

MindSpore 2.10 has no kernel of einsum for the CPU, and a conversion is to run there too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from agar.migrate.rules._conditions import Unknown

__all__ = ["template_of_einsum"]


def template_of_einsum(given: Mapping[str, Any]) -> str | None:
    """The template for a call of ``torch.einsum``.

    Args:
        given (mapping): its arguments, ``equation`` and ``operands``.

    Returns:
        str, or None where the equation is not known, has an ellipsis or repeats a letter in one
        operand.
    """
    equation, operands = given.get("equation"), given.get("operands", ())
    if not isinstance(equation, str):
        return None
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    if not arrow:
        letters = left.replace(",", "")
        right = "".join(sorted({c for c in letters if letters.count(c) == 1}))
    usable = all(part.isalpha() and len(set(part)) == len(part) for part in parts)
    if not usable or len(parts) != len(operands) or len(parts) > 3 or "." in equation:
        return None
    names = ["a", "b", "c"][: len(parts)]
    text, have = names[0], parts[0]
    for n in range(1, len(parts)):
        later = set(right).union(*parts[n + 1 :])
        result = right if n == len(parts) - 1 else _letters_in(have + parts[n], later)
        if text != names[0]:
            text = f"(lambda a, b: {_pair(have, parts[n], result)})({text}, {names[n]})"
        else:
            text = _pair(have, parts[n], result)
        have = result
    if len(parts) == 1:
        text = _alone(text, have, right)
    known = {o.text: n for o, n in zip(operands, names, strict=True) if isinstance(o, Unknown)}
    if len(parts) < 3 and len(known) == len(parts) and all(t.isidentifier() for t in known):
        # a source text's operands take the places of the names
        by_name = {n: t for t, n in known.items()}
        return re.sub(r"\b[ab]\b", lambda match: by_name[match[0]], text)
    return f"(lambda {', '.join(names)}: {text})({{*operands}})"


def _letters_in(letters: str, later: set[str]) -> str:
    return "".join(c for c in dict.fromkeys(letters) if c in later)


def _alone(text: str, letters: str, result: str) -> str:
    """Sum over what is not wanted, and permute."""
    gone = [k for k, c in enumerate(letters) if c not in result]
    if gone:
        text = f"{text}.sum({gone[0] if len(gone) == 1 else tuple(gone)})"
    return _permuted(text, "".join(c for c in letters if c in result), result)


def _permuted(text: str, letters: str, result: str) -> str:
    if letters == result:
        return text
    return f"{text}.permute({', '.join(str(letters.index(c)) for c in result)})"


def _pair(one: str, other: str, result: str) -> str:
    """The product of ``a`` and ``b`` with these letters."""
    a = _summed("a", one, other + result)
    b = _summed("b", other, one + result)
    first = [c for c in one if c in other + result]
    second = [c for c in other if c in one + result]
    batch = [c for c in first if c in second and c in result]
    inner = [c for c in first if c in second and c not in result]
    rows = [c for c in first if c not in second]
    columns = [c for c in second if c not in first]
    sizes = {c: f"b.shape[{other.index(c)}]" for c in other}
    sizes.update({c: f"a.shape[{one.index(c)}]" for c in one})
    a = _grouped(a, first, batch, rows, inner, sizes)
    b = _grouped(b, second, batch, inner, columns, sizes)
    if inner:
        text = f"ops.matmul({a}, {b})"
    else:
        text = f"({a} * {b})"
    letters = [*batch, *rows, *columns]
    if len(rows) != 1 or len(columns) != 1:
        shape = ", ".join(sizes[c] for c in letters)
        text = f"{text}.reshape(({shape}{',' if len(letters) == 1 else ''}))"
    return _permuted(text, "".join(letters), result)


def _summed(text: str, letters: str, used: str) -> str:
    gone = tuple(k for k, c in enumerate(letters) if c not in used)
    return f"{text}.sum({gone[0] if len(gone) == 1 else gone})" if gone else text


def _grouped(
    text: str,
    letters: Sequence[str],
    batch: Sequence[str],
    rows: Sequence[str],
    columns: Sequence[str],
    sizes: Mapping[str, str],
) -> str:
    """The tensor as a batch of matrices."""
    text = _permuted(text, "".join(letters), "".join([*batch, *rows, *columns]))
    if len(rows) == len(columns) == 1:
        return text
    sides = ["1" if not side else " * ".join(sizes[c] for c in side) for side in (rows, columns)]
    return f"{text}.reshape(({', '.join([*(sizes[c] for c in batch), *sides])}))"
