"""Properties of characters that MindSpore asks of ICU: white space, scripts, classes."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

__all__ = ["CJK", "SPACE", "compiled", "is_space", "script"]

SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
CJK = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_SPACES = re.compile(f"[{SPACE}]")
# words in front of a letter's script in its name
_WIDTHS = {"FULLWIDTH", "HALFWIDTH"}
_COMMON_WORDS = {"MODIFIER", "MATHEMATICAL", "MICRO", "ARABIC-INDIC"}


def is_space(char: str) -> bool:
    """Whether a character is white space in Unicode's sense."""
    return _SPACES.match(char) is not None


@lru_cache(maxsize=4096)
def script(char: str) -> str:
    """The script of a character, from its name; signs and digits of all scripts are ``COMMON``."""
    kind = unicodedata.category(char)
    if kind in ("Mn", "Me"):
        return "INHERITED"
    if kind[0] not in "LMN" or (char.isascii() and not char.isalpha()):
        return "COMMON"
    words = unicodedata.name(char, "COMMON").split()
    if kind[0] == "N" and words[0] in _WIDTHS:
        return "COMMON"
    word = words[1] if words[0] in _WIDTHS and len(words) > 1 else words[0]
    if word in _COMMON_WORDS:
        return "COMMON"
    return {"CJK": "HAN", "FEMININE": "LATIN", "MASCULINE": "LATIN"}.get(word, word)


@lru_cache(maxsize=64)
def _members(name: str) -> str:
    """The characters of a category such as ``L`` or ``Nd``, or of a script, as ranges of a class.

    Raises:
        ValueError: there is neither.
    """
    if name.upper() == "HAN":
        return CJK
    ranges: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        hit = (
            unicodedata.category(char).startswith(name)
            if len(name) <= 2
            else (script(char) == name.upper())
        )
        if not hit:
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    if not ranges:
        raise ValueError(f"no characters have the property {name!r}")
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in ranges)


_PROPERTY = re.compile(r"\\([pP])\{\^?(?:script=|sc=)?(\w+)\}")
_CODE = re.compile(r"\\x\{([0-9A-Fa-f]+)\}")


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    r"""A pattern of ICU as one of Python, with ``\p{L}`` and ``\x{4E00}`` written out.

    Raises:
        ValueError: Python cannot compile it.
    """

    def written_out(match: re.Match[str]) -> str:
        inside = pattern[: match.start()].count("[") > pattern[: match.start()].count("]")
        members = _members(match[2])
        negative = match[1] == "P"
        if inside and not negative:
            return members
        return f"[{'^' if negative else ''}{members}]"

    try:
        text = _CODE.sub(lambda match: f"\\U{int(match[1], 16):08x}", pattern)
        return re.compile(_PROPERTY.sub(written_out, text))
    except re.error as error:
        raise ValueError(str(error)) from error
