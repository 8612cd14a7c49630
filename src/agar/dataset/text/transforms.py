"""Transforms of strings and of sequences of words (``dataset.text.transforms``)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar.dataset.text._tokenizers import BasicTokenizer as BasicTokenizer
from agar.dataset.text._tokenizers import BertTokenizer as BertTokenizer
from agar.dataset.text._tokenizers import JiebaTokenizer as JiebaTokenizer
from agar.dataset.text._tokenizers import PythonTokenizer as PythonTokenizer
from agar.dataset.text._tokenizers import RegexTokenizer as RegexTokenizer
from agar.dataset.text._tokenizers import SentencePieceTokenizer as SentencePieceTokenizer
from agar.dataset.text._tokenizers import TextTensorOperation as TextTensorOperation
from agar.dataset.text._tokenizers import UnicodeCharTokenizer as UnicodeCharTokenizer
from agar.dataset.text._tokenizers import UnicodeScriptTokenizer as UnicodeScriptTokenizer
from agar.dataset.text._tokenizers import WhitespaceTokenizer as WhitespaceTokenizer
from agar.dataset.text._tokenizers import WordpieceTokenizer as WordpieceTokenizer
from agar.dataset.text._tokenizers import normalized
from agar.dataset.text._unicode import compiled
from agar.dataset.text.utils import NormalizeForm, Vectors, Vocab
from agar.dataset.transforms._checks import INT32, Check
from agar.dataset.transforms.transforms import cast

_CUTTING = [
    "BasicTokenizer",
    "BertTokenizer",
    "JiebaTokenizer",
    "PythonTokenizer",
    "RegexTokenizer",
    "SentencePieceTokenizer",
    "TextTensorOperation",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]
# they are at home here, as in MindSpore
for _name in _CUTTING:
    globals()[_name].__module__ = __name__

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "FilterWikipediaXML",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SentencePieceTokenizer",
    "SlidingWindow",
    "TextTensorOperation",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]


class _EachString(TextTensorOperation):
    """The part that transforms of single strings share; arrays are changed string by string."""

    def _changed(self, text: str) -> str:
        raise NotImplementedError(f"{type(self).__name__} must define _changed(text).")

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        result = np.array([self._changed(text) for text in array.ravel().tolist()], dtype="U")
        return result.reshape(array.shape)


class CaseFold(_EachString):
    """Convert strings to lower case by Unicode case folding.

    Raises:
        RuntimeError: the input holds no strings.

    Difference from PyTorch: ``str.casefold``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.CaseFold()("Straße").item()
        'strasse'
    """

    def _changed(self, text: str) -> str:
        return text.casefold()


class NormalizeUTF8(_EachString):
    r"""Convert strings to a Unicode normalization form.

    Args:
        normalize_form (NormalizeForm, optional): the form. Default: ``NormalizeForm.NFKC``.

    Raises:
        TypeError: `normalize_form` has the wrong type.
        RuntimeError: the input holds no strings.

    Difference from PyTorch: ``unicodedata.normalize``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.NormalizeUTF8()(["\ufb01", "2\u2075"]).tolist()
        ['fi', '25']
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC) -> None:
        check = Check(self._name)
        self.normalize_form = check.kind("normalize_form", normalize_form, NormalizeForm)

    def _changed(self, text: str) -> str:
        return normalized(text, self.normalize_form)


class RegexReplace(_EachString):
    r"""Replace the matches of a regular expression.

    Args:
        pattern (str): the pattern; ``\p{...}`` of categories and scripts is understood.
        replace (str): what stands there instead; ``$1`` is the first group.
        replace_all (bool, optional): whether all matches are replaced, or the first.
            Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the pattern is wrong, or the input holds no strings.

    Difference from PyTorch: ``re.sub``.

    Source: behavior observed in MindSpore 2.10, which takes patterns of ICU.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.RegexReplace("(a)(b)", "$2$1")("abab").item()
        'baba'
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        check = Check(self._name)
        self.pattern = check.kind("pattern", pattern, str)
        self.replace = check.kind("replace", replace, str)
        self.replace_all = check.flag("replace_all", replace_all)

    def _changed(self, text: str) -> str:
        def written(match: re.Match[str]) -> str:
            return re.sub(r"\\(.)|\$(\d+)", lambda m: m[1] or match[int(m[2])] or "", self.replace)

        try:
            return compiled(self.pattern).sub(written, text, count=0 if self.replace_all else 1)
        except (ValueError, IndexError) as error:
            raise self._failed(
                f"the pattern {self.pattern!r} or its replacement is wrong: {error}"
            ) from error


_DIGITS = {
    str(i): word
    for i, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    )
}


class FilterWikipediaXML(_EachString):
    """Reduce a Wikipedia dump to lower-case words separated by single spaces.

    Tags and lines that redirect are left out, digits are written as words.

    Raises:
        RuntimeError: the input holds no strings.

    Difference from PyTorch: ``torchtext.data.utils`` has such a filter.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.FilterWikipediaXML()("Welcome    to [[Rome]] 2").item()
        'welcome to rome two'
    """

    def _changed(self, text: str) -> str:
        if "#redirect" in text.lower():
            return ""
        text = re.sub(r"<[^>]*>", " ", text)
        text = re.sub(r"&[^;\s]*;", " ", text).lower()
        text = re.sub(r"\d", lambda match: f" {_DIGITS.get(match[0], '')} ", text)
        return re.sub(r"[^a-z]+", " ", text).strip()


class Lookup(TextTensorOperation):
    """Look up the indices of words in a vocabulary.

    Args:
        vocab (Vocab): the vocabulary.
        unknown_token (str, optional): the word whose number others get. Default: ``None``, others
            are an error.
        data_type (mindspore.dtype, optional): the type of the numbers. Default: ``mstype.int32``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: a word, or `unknown_token`, is not in the vocabulary, or the input holds no
            strings.

    Difference from PyTorch: ``torchtext.transforms.VocabTransform``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> vocab = text.Vocab.from_list(["<unk>", "deep"])
        >>> text.Lookup(vocab, "<unk>")(["deep", "blue"])
        array([1, 0], dtype=int32)
    """

    def __init__(
        self,
        vocab: Vocab,
        unknown_token: str | None = None,
        data_type: mstype.Type = mstype.int32,
    ) -> None:
        check = Check(self._name)
        self.vocab = check.kind("vocab", vocab, Vocab)
        if unknown_token is not None:
            check.kind("unknown_token", unknown_token, str)
        self.unknown_token = unknown_token
        self.data_type = check.kind("data_type", data_type, mstype.Type)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        ids = self.vocab._known()
        other: int | None = None
        if self.unknown_token is not None:
            other = ids.get(self.unknown_token)
            if other is None:
                raise self._failed(f"unknown_token {self.unknown_token!r} is not in the vocabulary")
        entries = []
        for word in array.ravel().tolist():
            place = ids.get(word, other)
            if place is None:
                raise self._failed(
                    f"the word {word!r} is not in the vocabulary; give an unknown_token for such"
                )
            entries.append(place)
        return np.array(entries).astype(mstype.to_numpy_dtype(self.data_type)).reshape(array.shape)


class Ngram(TextTensorOperation):
    """Join adjacent words into n-grams.

    Args:
        n (Union[int, list[int]]): the number of words, or several, one after the other.
        left_pad (tuple, optional): a word and how often it stands in front, at most n - 1 times.
            Default: ``("", 0)``.
        right_pad (tuple, optional): likewise at the end. Default: ``("", 0)``.
        separator (str, optional): what stands between words. Default: ``" "``.

    Raises:
        TypeError: a number is not an int, or `separator` is not a str.
        ValueError: an argument is out of range.
        RuntimeError: the input is no 1-D array of strings.

    Difference from PyTorch: ``torchtext.data.utils.ngrams_iterator``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.Ngram(2)(["to", "be", "or"]).tolist()
        ['to be', 'be or']
    """

    def __init__(
        self,
        n: Any,
        left_pad: tuple[str, int] = ("", 0),
        right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ) -> None:
        check = Check(self._name)
        sizes = [n] if isinstance(n, int) else n
        if not isinstance(sizes, list) or not sizes:
            check.wrong_value("n", n, "an int or a list of ints")
        self.ngrams = [check.whole("n", size, 1) for size in sizes]
        for name, pad in (("left_pad", left_pad), ("right_pad", right_pad)):
            right = isinstance(pad, tuple) and len(pad) == 2 and isinstance(pad[0], str)
            if not right or type(pad[1]) is not int or pad[1] < 0:
                check.wrong_value(name, pad, "a tuple (word, how often)")
        self.left_pad = left_pad
        self.right_pad = right_pad
        self.separator = check.kind("separator", separator, str)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        if array.ndim != 1:
            raise self._failed(f"the input must be 1-D, but has shape {list(array.shape)}")
        result = []
        for n in self.ngrams:
            left = [self.left_pad[0]] * min(self.left_pad[1], n - 1)
            right = [self.right_pad[0]] * min(self.right_pad[1], n - 1)
            words = [*left, *array.tolist(), *right]
            grams = [self.separator.join(words[i : i + n]) for i in range(len(words) - n + 1)]
            result += grams or [""]
        return np.array(result)


class SlidingWindow(TextTensorOperation):
    """The windows of a 1-D array, one after the other.

    Args:
        width (int): the length of a window.
        axis (int, optional): 0 or -1. Default: ``0``.

    Raises:
        TypeError: an argument is not an int.
        ValueError: `width` is not positive.
        RuntimeError: the input is not 1-D, or `axis` neither 0 nor -1.

    Difference from PyTorch: ``Tensor.unfold``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.SlidingWindow(2)([1, 2, 3])
        array([[1, 2],
               [2, 3]])
    """

    def __init__(self, width: int, axis: int = 0) -> None:
        check = Check(self._name)
        self.width = check.whole("width", width, 1)
        self.axis = check.kind("axis", axis, int)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._single(arrays)
        if array.ndim != 1 or self.axis not in (0, -1):
            raise self._failed(
                f"the input must be 1-D and axis 0 or -1, but got shape {list(array.shape)} and "
                f"axis {self.axis}"
            )
        if self.width > len(array):
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


class ToNumber(TextTensorOperation):
    """Convert strings to numbers.

    Args:
        data_type (mindspore.dtype): the type of the numbers.

    Raises:
        TypeError: `data_type` is not a type of numbers.
        RuntimeError: a string is not a number, or out of the type's range.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; what follows a whole number is left out.

    Examples:
        >>> import agar as ms
        >>> import agar.dataset.text as text
        >>> text.ToNumber(ms.int8)(["1", "-2"])
        array([ 1, -2], dtype=int8)
    """

    def __init__(self, data_type: mstype.Type) -> None:
        check = Check(self._name)
        check.kind("data_type", data_type, mstype.Type)
        if not isinstance(data_type, (mstype.Int, mstype.UInt, mstype.Float)):
            check.wrong_type("data_type", data_type, "a type of numbers")
        self.data_type = data_type

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        dtype = np.dtype(mstype.to_numpy_dtype(self.data_type))
        whole = dtype.kind in "iu"
        limits: Any = np.iinfo(dtype) if whole else np.finfo(dtype)
        kind = int if whole else float
        low, high = kind(limits.min), kind(limits.max)
        entries = []
        for text in array.ravel().tolist():
            match = re.match(r"\s*[+-]?\d+", text) if whole else None
            try:
                value: Any = int(match[0]) if match else None if whole else float(text)
            except ValueError:
                value = None
            if value is None:
                raise self._failed(f"the string {text!r} is not a number")
            if not low <= value <= high:
                raise self._failed(f"the number {text} is out of the range of {dtype}")
            entries.append(value)
        return cast(np.array(entries, dtype if whole else np.float64), dtype).reshape(array.shape)


class ToVectors(TextTensorOperation):
    """Look up the vectors of words.

    Args:
        vectors (Vectors): the vectors.
        unk_init (Sequence, optional): the vector of other words. Default: ``None``, zeros.
        lower_case_backup (bool, optional): whether a word that has no vector is looked for in lower
            case. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `unk_init` is of another length, or the input holds no strings.

    Difference from PyTorch: ``torchtext.vocab.Vectors.get_vecs_by_tokens``.

    Source: behavior described for MindSpore 2.10, which takes the lower case first.

    Examples:
        >>> import os, tempfile
        >>> import agar.dataset.text as text
        >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        ...     _ = file.write("the 1 2")
        >>> text.ToVectors(text.Vectors.from_file(file.name))(["the", "other"])
        array([[1., 2.],
               [0., 0.]], dtype=float32)
        >>> os.remove(file.name)
    """

    def __init__(
        self, vectors: Vectors, unk_init: Any = None, lower_case_backup: bool = False
    ) -> None:
        check = Check(self._name)
        self.vectors = check.kind("vectors", vectors, Vectors)
        if unk_init is not None:
            for i, part in enumerate(check.sequence("unk_init", unk_init)):
                check.number(f"unk_init[{i}]", part, -np.inf, np.inf)
        self.unk_init = unk_init
        self.lower_case_backup = check.flag("lower_case_backup", lower_case_backup)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        size = self.vectors.dim
        other = np.zeros(size) if not self.unk_init else np.asarray(self.unk_init)
        if len(other) != size:
            raise self._failed(f"unk_init has {len(other)} values, but the vectors have {size}")
        entries = []
        for word in array.ravel().tolist():
            vector = self.vectors._vector(word, self.lower_case_backup)
            entries.append(other if vector is None else vector)
        result = np.array(entries, np.float32).reshape(-1, size)
        return result[0] if len(result) == 1 else result


class Truncate(TextTensorOperation):
    """Truncate a sequence to a length; of a 2-D array, each row.

    Args:
        max_seq_len (int): the length.

    Raises:
        TypeError: `max_seq_len` is not an int.
        ValueError: it is not positive.
        RuntimeError: the input is neither 1-D nor 2-D.

    Difference from PyTorch: ``torchtext.transforms.Truncate``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.Truncate(2)([1, 2, 3])
        array([1, 2])
    """

    def __init__(self, max_seq_len: int) -> None:
        self.max_seq_len = Check(self._name).whole("max_seq_len", max_seq_len, 1)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._single(arrays)
        if array.ndim not in (1, 2):
            raise self._failed(f"the input must be 1-D or 2-D, but has shape {list(array.shape)}")
        return array[..., : self.max_seq_len].copy()


class TruncateSequencePair(TextTensorOperation):
    """Truncate two sequences to a total length, always the longer one first.

    Args:
        max_length (int): the sum of their lengths.

    Raises:
        TypeError: `max_length` is not an int.
        ValueError: it is negative.
        RuntimeError: the inputs are not two 1-D arrays.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.TruncateSequencePair(4)([1, 2, 3], [4, 5])
        (array([1, 2]), array([4, 5]))
    """

    def __init__(self, max_length: int) -> None:
        self.max_length = Check(self._name).whole("max_length", max_length, 0, INT32)

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(arrays) != 2 or any(array.ndim != 1 for array in arrays):
            raise self._failed("the inputs must be two 1-D arrays")
        first, second = map(len, arrays)
        while first + second > self.max_length:
            if first > second:
                first -= 1
            else:
                second -= 1
        return arrays[0][:first].copy(), arrays[1][:second].copy()


class AddToken(TextTensorOperation):
    """Add a word at the start or end of a sequence; of a 2-D array, to each row.

    Args:
        token (str): the word.
        begin (bool, optional): whether it stands in front. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is no 1-D or 2-D array of strings.

    Difference from PyTorch: ``torchtext.transforms.AddToken``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.AddToken("<s>")(["a", "b"]).tolist()
        ['<s>', 'a', 'b']
    """

    def __init__(self, token: str, begin: bool = True) -> None:
        check = Check(self._name)
        self.token = check.kind("token", token, str)
        self.begin = check.flag("begin", begin)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._strings(arrays)
        if array.ndim not in (1, 2):
            raise self._failed(f"the input must be 1-D or 2-D, but has shape {list(array.shape)}")
        more = np.full((*array.shape[:-1], 1), self.token)
        return np.concatenate([more, array] if self.begin else [array, more], axis=-1)
