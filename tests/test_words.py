"""The words of the field: a PyTorch or compiler engineer knows every name, comment and message.

`REPLACED` has the words that were ours alone. Names (also parts of names, between underscores) and
texts must do without them.
"""

from __future__ import annotations

import functools
import io
import re
import tokenize
from pathlib import Path

import pytest

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "agar"

#: In names: the word and what stands in its place.
REPLACED = {
    "face": "binding, wrapper or alias",
    "faces": "bindings, wrappers or aliases",
    "found": "the noun of what it is: entry, match, result",
    "kept": "the noun of what it is: stored, cached, saved",
    "made": "the noun of what it is: tensor, function, result",
    "nudge": "perturb",
    "nudged": "perturbed",
    "rival": "candidate",
    "rivals": "candidates",
    "spelled": "renamed",
    "tape": "graph",
    "tapes": "graphs",
    "unlucky": "falls back",
    "wanted": "expected or requested",
    "who": "op_name",
}
#: In comments, docstrings and messages.
TEXTS = {
    r"\b(?<!there )(?:is|are) no (?:Tensor|Parameter|Cell|Primitive|Callback|Dataset|int|str|bool|"
    r"float|dict|list|tuple|number|callable|type|class|function)s?\b": "is not a ...",
    r"\bnudged?\b": "perturb",
    r"\brivals?\b": "candidate",
    r"\btapes?\b": "graph",
    r"\bunlucky\b": "falls back to eager",
    r"\bfaces?\b(?! of )": "binding, wrapper or alias",
}
#: Where a word means something else, with the reason.
OTHER_MEANING = {
    "dataset/engine/_pictures.py": "faces of persons",
    "dataset/engine/datasets_annotated.py": "faces of persons",
    "ops/image/suppression.py": "found_boxes, found_scores: what a detector finds",
    "ops/attention/sparse.py": "number_found: how many a search found",
    "train/serialization.py": "kept_buffers: those that a checkpoint leaves alone",
    "train/_sharded/conversion.py": "first_found: the first file of a search",
}


@functools.cache
def _files() -> tuple[tuple[str, list[tokenize.TokenInfo]], ...]:
    """The tokens that can hold words, by file."""
    kinds = {tokenize.NAME, tokenize.STRING, tokenize.COMMENT}
    files = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        text = path.read_text(encoding="utf-8")
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        files.append((name, [t for t in tokens if t.type in kinds]))
    return tuple(files)


def _replaced_parts(identifier: str) -> set[str]:
    return set(identifier.lower().split("_")) & REPLACED.keys()


def names() -> dict[str, list[str]]:
    """The names with a replaced word in them, by file."""
    listed = {
        file: sorted(
            {t.string for t in tokens if t.type == tokenize.NAME and _replaced_parts(t.string)}
        )
        for file, tokens in _files()
        if file not in OTHER_MEANING
    }
    return {file: identifiers for file, identifiers in listed.items() if identifiers}


def texts_with(pattern: str) -> list[str]:
    """The lines of comments, docstrings and messages that match."""
    lines = []
    for file, tokens in _files():
        if file in OTHER_MEANING:
            continue
        for token in tokens:
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                for match in re.finditer(pattern, token.string):
                    line = token.start[0] + token.string.count("\n", 0, match.start())
                    lines.append(f"{file}:{line}: {match[0]}")
    return lines


def test_names_are_those_of_the_field() -> None:
    new = [
        f"{file}: {identifier} (say {', '.join(REPLACED[p] for p in _replaced_parts(identifier))})"
        for file, identifiers in names().items()
        for identifier in identifiers
    ]
    assert not new, "\n".join(new)


@pytest.mark.parametrize(("pattern", "instead"), TEXTS.items())
def test_texts_are_plain(pattern: str, instead: str) -> None:
    assert texts_with(pattern) == [], f"say {instead!r}"


def test_a_replaced_word_is_seen() -> None:
    assert _replaced_parts("_made_of") == {"made"}
    assert _replaced_parts("maker") == set()
    pattern = next(iter(TEXTS))
    assert re.search(pattern, "`x` is no Tensor")
    assert not re.search(pattern, "there is no Tensor")
