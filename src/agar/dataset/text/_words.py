"""Chinese text cut into words by a dictionary and a hidden Markov model, in cppjieba's files.

The dictionary gives the likeliest sequence of its words. What is left as single characters is cut
by the model, in which each character begins, continues or ends a word, or is one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from agar._core.errors import describe

__all__ = ["Words", "words_of"]

_LEAST = -3.14e100
#: each of these is a word of its own
_SEPARATORS = frozenset(" \t\n，。")  # noqa: RUF001 - full width, as in Chinese text
_BEGINS, _ENDS, _INSIDE, _SINGLE = range(4)
#: a line of a program's own words: a word, and its frequency
_ADDED = re.compile(r"([^\s*]+?)\s*([0-9]+)?")


class Dictionary:
    """Words with the logarithms of their frequencies.

    Args:
        path (str): a file with a word, its frequency and a tag on each line.

    Raises:
        ValueError: the file holds something else.
    """

    def __init__(self, path: str) -> None:
        counts: dict[str, float] = {}
        total = 0.0
        numbers = []
        for place, line in enumerate(_lines(path), 1):
            fields = line.split(" ")
            try:
                count = float(fields[1])
            except (IndexError, ValueError):
                raise ValueError(
                    f"For 'JiebaTokenizer', line {place} of 'mp_path' {path!r} must hold a word, "
                    f"its frequency and a tag, but got {line!r}."
                ) from None
            counts[fields[0]] = count
            numbers.append(count)
            total += count
        if not counts or min(numbers) <= 0:
            raise ValueError(
                f"For 'JiebaTokenizer', 'mp_path' {path!r} must hold words with frequencies above "
                "zero."
            )
        self.total = total
        self.weights = {word: math.log(count / total) for word, count in counts.items()}
        ordered = sorted(math.log(number / total) for number in numbers)
        self.least, self.median = ordered[0], ordered[len(ordered) // 2]
        self._begun = {word[:size] for word in counts for size in range(1, len(word) + 1)}
        #: words of one character that the program added: the model leaves them alone
        self.own_single: set[str] = set()

    def add(self, word: str, count: int) -> None:
        """Add a word; without a count it is as frequent as the median."""
        self.weights[word] = math.log(count / self.total) if count else self.median
        self._begun.update(word[:size] for size in range(1, len(word) + 1))
        if len(word) == 1:
            self.own_single.add(word)

    def cut(self, text: str) -> list[str]:
        """The likeliest words of a text; a character that begins none is one by itself."""
        size = len(text)
        best = [0.0] * (size + 1)
        ends = [0] * size
        weights, begun = self.weights, self._begun
        for start in range(size - 1, -1, -1):
            end = ends[start] = start + 1
            most = max(_LEAST, weights.get(text[start], self.least) + best[end])
            while end < size and text[start:end] in begun:
                end += 1
                weight = weights.get(text[start:end])
                if weight is not None and weight + best[end] > most:
                    most, ends[start] = weight + best[end], end
            best[start] = most
        words = []
        start = 0
        while start < size:
            words.append(text[start : ends[start]])
            start = ends[start]
        return words


class Model:
    """Where characters stand in words.

    Args:
        path (str): a file with the logarithms of probabilities: of the first state, of one state
            after another, and of characters in each state, in the order begin, end, inside, single.

    Raises:
        ValueError: the file holds something else.
    """

    def __init__(self, path: str) -> None:
        lines = [line for line in _lines(path) if not line.startswith("#")]
        try:
            self.start, *self.change = ([float(v) for v in line.split()] for line in lines[:5])
            self.characters = [
                {pair[0]: float(pair[2:]) for pair in line.split(",") if pair}
                for line in lines[5:9]
            ]
            fits = len(lines) == 9 and {*map(len, (self.start, *self.change))} == {4}
        except (ValueError, IndexError):
            fits = False
        if not fits:
            raise ValueError(
                f"For 'JiebaTokenizer', 'hmm_path' {path!r} must hold nine lines of logarithms of "
                "probabilities, beside those that begin with '#': of the first state, four of the "
                "next states, and four of 'character:number'."
            )

    def cut(self, text: str) -> Iterator[str]:
        """The words of a text; runs of Latin letters and of digits are words."""
        start = place = 0
        while place < len(text):
            if ord(text[place]) >= 0x80:
                place += 1
                continue
            yield from self._likeliest(text[start:place])
            start, place = place, _latin_end(text, place)
            yield text[start:place]
            start = place
        yield from self._likeliest(text[start:])

    def _likeliest(self, text: str) -> Iterator[str]:
        """The words of a text by the likeliest sequence of states."""
        start = 0
        for place, state in enumerate(self._states(text), 1):
            if state in (_ENDS, _SINGLE):
                yield text[start:place]
                start = place

    def _states(self, text: str) -> list[int]:
        if not text:
            return []
        given = [table.get(text[0], _LEAST) for table in self.characters]
        weights = [start + own for start, own in zip(self.start, given, strict=True)]
        before: list[list[int]] = []
        for character in text[1:]:
            nexts, origins = [], []
            for state in range(4):
                own = self.characters[state].get(character, _LEAST)
                most, origin = _LEAST, _ENDS
                for last in range(4):
                    weight = weights[last] + self.change[last][state] + own
                    if weight > most:
                        most, origin = weight, last
                nexts.append(most)
                origins.append(origin)
            weights = nexts
            before.append(origins)
        state = _ENDS if weights[_ENDS] >= weights[_SINGLE] else _SINGLE
        states = [state]
        for origins in reversed(before):
            state = origins[state]
            states.append(state)
        return states[::-1]


def _lines(path: str) -> list[str]:
    text = Path(path).read_text(encoding="utf-8-sig")
    return [line for line in map(str.strip, text.split("\n")) if line]


def _latin_end(text: str, start: int) -> int:
    """Where a run of letters and digits that begins with a letter ends, or one of a number."""
    first = text[start]
    if first.isascii() and first.isalpha():
        also = str.isalnum
    elif "0" <= first <= "9":
        also = ".0123456789".__contains__
    else:
        return start + 1
    end = start + 1
    while end < len(text) and text[end].isascii() and also(text[end]):
        end += 1
    return end


class Words:
    """Cuts text into words.

    Args:
        hmm_path (str): the file of the model.
        mp_path (str): the file of the dictionary.

    Raises:
        ValueError: a file holds something else.
    """

    def __init__(self, hmm_path: str, mp_path: str) -> None:
        self._model = Model(hmm_path)
        self._dictionary = Dictionary(mp_path)

    def add(self, word: str, count: int = 0) -> None:
        """Add a word to the dictionary."""
        if not word:
            raise ValueError("For 'JiebaTokenizer', a word must not be empty.")
        self._dictionary.add(word, count)

    def cut(self, text: str, by_dictionary: bool, by_model: bool) -> Iterator[str]:
        """The words of a text, by one of both, or by the model where the dictionary has none."""
        for part in _parts(text):
            if not by_dictionary:
                yield from self._model.cut(part)
            elif not by_model:
                yield from self._dictionary.cut(part)
            else:
                yield from self._mixed(part)

    def _mixed(self, text: str) -> Iterator[str]:
        left = ""  # characters that are no word of several
        for word in self._dictionary.cut(text):
            if len(word) == 1 and word not in self._dictionary.own_single:
                left += word
                continue
            yield from self._model.cut(left)
            left = ""
            yield word
        yield from self._model.cut(left)


def _parts(text: str) -> Iterator[str]:
    """Separators one by one, and what is between them."""
    start = 0
    for place, character in enumerate(text):
        if character in _SEPARATORS:
            if start < place:
                yield text[start:place]
            yield character
            start = place + 1
    if start < len(text):
        yield text[start:]


def words_of(user_dict: str | Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The words of a dict, or of a file with a word and its frequency on each line.

    Lines of another form are left out, as in MindSpore.

    Raises:
        TypeError: it is neither.
        ValueError: the file does not exist or is not UTF-8.
    """
    if isinstance(user_dict, Mapping):
        yield from user_dict.items()
        return
    if not isinstance(user_dict, str):
        raise TypeError(
            f"For 'JiebaTokenizer', 'user_dict' must be a str or a dict, but got "
            f"{describe(user_dict)}."
        )
    if not Path(user_dict).is_file():
        raise ValueError(f"user dict file {user_dict} is not exist.")
    try:
        lines = _lines(user_dict)
    except UnicodeDecodeError as error:
        raise ValueError(f"The file {user_dict} must be UTF-8: {error}.") from error
    for match in filter(None, map(_ADDED.fullmatch, lines)):
        yield match[1], int(match[2] or 0)
