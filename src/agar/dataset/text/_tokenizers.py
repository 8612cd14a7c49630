"""Transforms that cut strings into tokens."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.text._unicode import CJK, SPACE, compiled, is_space, script
from agar.dataset.text._words import Words, words_of
from agar.dataset.text.utils import (
    JiebaMode,
    NormalizeForm,
    SentencePieceVocab,
    SPieceTokenizerOutType,
    Vocab,
    sentencepiece,
    to_str,
)
from agar.dataset.transforms._checks import Check
from agar.dataset.transforms.py_transforms_util import Implementation
from agar.dataset.transforms.transforms import TensorOperation

__all__ = [
    "BasicTokenizer",
    "BertTokenizer",
    "JiebaTokenizer",
    "PythonTokenizer",
    "RegexTokenizer",
    "SentencePieceTokenizer",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]

# a token, and where it starts and ends, in characters
Token = tuple[str, int, int]
UINT32 = 2**32 - 1


class TextTensorOperation(TensorOperation):
    """Base of transforms of strings."""

    implementation = Implementation.C

    def _strings(self, arrays: tuple[np.ndarray, ...]) -> np.ndarray:
        """The one input, which must hold strings; bytes are read as UTF-8."""
        array = self._single(arrays)
        if array.dtype.kind == "S":
            array = np.char.decode(array, "utf8")
        if array.dtype.kind != "U":
            raise self._failed(f"the input must hold strings, but got {array.dtype}")
        return array

    def _string(self, arrays: tuple[np.ndarray, ...]) -> str:
        array = self._strings(arrays)
        if array.ndim:
            raise self._failed(
                f"the input must be one string, but got an array of shape {list(array.shape)}"
            )
        return array.item()


class _Tokenizer(TextTensorOperation):
    """The part that tokenizers of one string share."""

    with_offsets = False

    def _cut(self, text: str) -> Iterator[Token]:
        raise NotImplementedError(f"{type(self).__name__} must define _cut(text).")

    def _execute(self, *arrays: np.ndarray) -> Any:
        text = self._string(arrays)
        text = self._prepared(text)
        return packed(list(self._cut(text)), text, self.with_offsets)

    def _prepared(self, text: str) -> str:
        return text


def packed(tokens: list[Token], text: str, with_offsets: bool) -> Any:
    """Tokens as an array, with their offsets in bytes of UTF-8 if asked for."""
    tokens = tokens or [("", 0, 0)]
    words = np.array([token for token, _, _ in tokens])
    if not with_offsets:
        return words
    starts, ends, place, size = [], [], 0, 0
    for _, start, end in tokens:
        size += len(text[place:start].encode())
        starts.append(size)
        size += len(text[start:end].encode())
        ends.append(size)
        place = end
    return words, np.array(starts, np.uint32), np.array(ends, np.uint32)


class UnicodeCharTokenizer(_Tokenizer):
    """Split a string into its characters.

    Args:
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in the string's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: `with_offsets` is not a bool.
        RuntimeError: the input is not one string.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.UnicodeCharTokenizer()("abc")
        array(['a', 'b', 'c'], dtype='<U1')
    """

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = Check(self._name).flag("with_offsets", with_offsets)

    def _cut(self, text: str) -> Iterator[Token]:
        for i, char in enumerate(text):
            yield char, i, i + 1


def _runs(text: str, key: Callable[[str], Any]) -> Iterator[tuple[Any, int, int]]:
    """Runs of characters of one key."""
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or key(text[i]) != key(text[start]):
            yield key(text[start]), start, i
            start = i


class WhitespaceTokenizer(_Tokenizer):
    """Split a string at white space.

    Args:
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in the string's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: `with_offsets` is not a bool.
        RuntimeError: the input is not one string.

    Difference from PyTorch: ``str.split``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.WhitespaceTokenizer()("to be  or not")
        array(['to', 'be', 'or', 'not'], dtype='<U3')
    """

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = Check(self._name).flag("with_offsets", with_offsets)

    def _cut(self, text: str) -> Iterator[Token]:
        for space, start, end in _runs(text, is_space):
            if not space:
                yield text[start:end], start, end


class UnicodeScriptTokenizer(_Tokenizer):
    """Split a string at white space and where the script changes, such as from Latin to Han.

    Args:
        keep_whitespace (bool, optional): whether white space is kept as tokens. Default: ``False``.
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in the string's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: an argument is not a bool.
        RuntimeError: the input is not one string.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; scripts are found by the names of characters.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.UnicodeScriptTokenizer()("abc 123")
        array(['abc', '123'], dtype='<U3')
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False) -> None:
        check = Check(self._name)
        self.keep_whitespace = check.flag("keep_whitespace", keep_whitespace)
        self.with_offsets = check.flag("with_offsets", with_offsets)

    def _cut(self, text: str) -> Iterator[Token]:
        for kind, start, end in _runs(text, lambda c: "" if is_space(c) else script(c)):
            if kind or self.keep_whitespace:
                yield text[start:end], start, end


def cut_by_pattern(text: str, delimiter: Any, retained: Any) -> Iterator[Token]:
    """The parts of a text between delimiters, and the delimiters that match `retained`."""
    place = 0
    for match in delimiter.finditer(text):
        if match.end() == match.start():
            continue
        if match.start() > place:
            yield text[place : match.start()], place, match.start()
        if retained is not None and retained.fullmatch(match[0]):
            yield match[0], match.start(), match.end()
        place = match.end()
    if place < len(text):
        yield text[place:], place, len(text)


class RegexTokenizer(_Tokenizer):
    r"""Split a string at the matches of a regular expression.

    Args:
        delim_pattern (str): the pattern; ``\p{...}`` of categories and scripts is understood.
        keep_delim_pattern (str, optional): delimiters that match this one too are tokens.
            Default: ``''``, none.
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in the string's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `delim_pattern` is None.
        RuntimeError: a pattern is wrong, or the input is not one string.

    Difference from PyTorch: ``torchtext.transforms.RegexTokenizer`` replaces.

    Source: behavior observed in MindSpore 2.10, which takes patterns of ICU.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.RegexTokenizer("[ ,]+")("a, b c")
        array(['a', 'b', 'c'], dtype='<U1')
    """

    def __init__(
        self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False
    ) -> None:
        check = Check(self._name)
        if delim_pattern is None:
            check.wrong_value("delim_pattern", delim_pattern, "a pattern")
        self.delim_pattern = check.kind("delim_pattern", delim_pattern, str)
        self.keep_delim_pattern = check.kind("keep_delim_pattern", keep_delim_pattern, str)
        self.with_offsets = check.flag("with_offsets", with_offsets)

    def _pattern(self, pattern: str) -> Any:
        try:
            return compiled(pattern)
        except ValueError as error:
            raise self._failed(f"the pattern {pattern!r} is wrong: {error}") from error

    def _cut(self, text: str) -> Iterator[Token]:
        retained = self._pattern(self.keep_delim_pattern) if self.keep_delim_pattern else None
        return cut_by_pattern(text, self._pattern(self.delim_pattern), retained)


_UNUSED = r"\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\]"
_SIGNS = rf"[!-/:-@\[-`{{-~\p{{P}}{CJK}]"


def normalized(text: str, form: NormalizeForm) -> str:
    """A text in a form of Unicode."""
    return text if form is NormalizeForm.NONE else unicodedata.normalize(form.name, text)


class BasicTokenizer(_Tokenizer):
    """Split a string at white space, punctuation and Chinese characters, the first step of BERT.

    Args:
        lower_case (bool, optional): whether letters are made lower case and lose their accents.
            Default: ``False``.
        keep_whitespace (bool, optional): whether white space is kept as tokens. Default: ``False``.
        normalization_form (NormalizeForm, optional): the form of Unicode, without `lower_case`.
            Default: ``NormalizeForm.NONE``.
        preserve_unused_token (bool, optional): whether [CLS], [SEP], [UNK], [PAD] and [MASK] stay
            whole. Default: ``True``.
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in the changed string's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not one string.

    Difference from PyTorch: ``torchtext.transforms.BERTTokenizer`` does so first.

    Source: behavior observed in MindSpore 2.10; with `lower_case` MindSpore repeats text around
    preserved tokens, agar does not.

    Examples:
        >>> import agar.dataset.text as text
        >>> text.BasicTokenizer(lower_case=True)("Hello, World!").tolist()
        ['hello', ',', 'world', '!']
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        check = Check(self._name)
        self.lower_case = check.flag("lower_case", lower_case)
        self.keep_whitespace = check.flag("keep_whitespace", keep_whitespace)
        check.kind("normalization_form", normalization_form, NormalizeForm)
        self.normalization_form = normalization_form
        self.preserve_unused_token = check.flag("preserve_unused_token", preserve_unused_token)
        self.with_offsets = check.flag("with_offsets", with_offsets)

    def _prepared(self, text: str) -> str:
        if not self.lower_case:
            text = normalized(text, self.normalization_form)
        elif self.preserve_unused_token:
            parts, place = [], 0
            for match in compiled(_UNUSED).finditer(text):
                parts += [self._lower(text[place : match.start()]), match[0]]
                place = match.end()
            text = "".join([*parts, self._lower(text[place:])])
        else:
            text = self._lower(text)
        return compiled(r"[\p{Cc}\p{Cf}]").sub(" ", text)

    def _lower(self, text: str) -> str:
        text = normalized(text, self.normalization_form).casefold()
        text = unicodedata.normalize("NFD", text)
        return "".join(char for char in text if unicodedata.category(char) != "Mn")

    def _cut(self, text: str) -> Iterator[Token]:
        retained = f"{_UNUSED}|{_SIGNS}" if self.preserve_unused_token else _SIGNS
        spaces = f"[{SPACE}]+"
        delimiter = compiled(f"{retained}|{spaces}")
        return cut_by_pattern(
            text, delimiter, delimiter if self.keep_whitespace else compiled(retained)
        )


class _Pieces:
    """How words are cut into pieces of a vocabulary."""

    def __init__(self, check: Check, vocab: Any, suffix: Any, longest: Any, unknown: Any) -> None:
        if vocab is None:
            check.wrong_value("vocab", vocab, "a text.Vocab")
        check.kind("vocab", vocab, Vocab)
        self.words = vocab._known()
        self.suffix = check.kind("suffix_indicator", suffix, str)
        self.longest = check.whole("max_bytes_per_token", longest, 0, UINT32)
        self.unknown = check.kind("unknown_token", unknown, str)

    def cut(self, word: str) -> list[Token]:
        """The longest pieces from left to right; the unknown token where there are none."""
        none = [(self.unknown or word, 0, len(word))]
        if len(word.encode()) > self.longest:
            return none
        pieces: list[Token] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else self.suffix + word[start:end]
                if piece in self.words:
                    break
            else:
                return none
            pieces.append((piece, start, end))
            start = end
        return pieces


class WordpieceTokenizer(TextTensorOperation):
    """Split words into the longest pieces that are in a vocabulary.

    Args:
        vocab (Vocab): the vocabulary.
        suffix_indicator (str, optional): the prefix of a piece inside a word. Default: ``'##'``.
        max_bytes_per_token (int, optional): longer words are not split. Default: ``100``.
        unknown_token (str, optional): the token for words without pieces; the empty string keeps
            the word. Default: ``'[UNK]'``.
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends in its word's bytes, uint32. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `vocab` is None or `max_bytes_per_token` negative.
        RuntimeError: the input is not a string or 1-D array of strings, or the vocabulary is not
            built.

    Difference from PyTorch: ``torchtext.transforms.BERTTokenizer`` does so second.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> vocab = text.Vocab.from_list(["mak", "##ing"])
        >>> text.WordpieceTokenizer(vocab)(["making", "do"]).tolist()
        ['mak', '##ing', '[UNK]']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:
        check = Check(self._name)
        self._pieces = _Pieces(check, vocab, suffix_indicator, max_bytes_per_token, unknown_token)
        self.vocab = vocab
        self.with_offsets = check.flag("with_offsets", with_offsets)

    def _execute(self, *arrays: np.ndarray) -> Any:
        array = self._strings(arrays)
        if array.ndim > 1:
            raise self._failed(f"the input must be 1-D, but has shape {list(array.shape)}")
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for word in array.ravel().tolist():
            for piece, start, end in self._pieces.cut(word):
                words.append(piece)
                starts.append(len(word[:start].encode()))
                ends.append(len(word[:end].encode()))
        result = np.array(words or [""])
        if not self.with_offsets:
            return result
        return result, np.array(starts or [0], np.uint32), np.array(ends or [0], np.uint32)


class BertTokenizer(BasicTokenizer):
    """Split a string as BERT does: `BasicTokenizer`, then `WordpieceTokenizer`.

    Args:
        vocab (Vocab): the vocabulary.
        suffix_indicator (str, optional): the prefix of a piece inside a word. Default: ``'##'``.
        max_bytes_per_token (int, optional): longer words are not split. Default: ``100``.
        unknown_token (str, optional): the token for words without pieces; the empty string keeps
            the word. Default: ``'[UNK]'``.
        lower_case (bool, optional): as in `BasicTokenizer`. Default: ``False``.
        keep_whitespace (bool, optional): as in `BasicTokenizer`. Default: ``False``.
        normalization_form (NormalizeForm, optional): as in `BasicTokenizer`.
            Default: ``NormalizeForm.NONE``.
        preserve_unused_token (bool, optional): as in `BasicTokenizer`. Default: ``True``.
        with_offsets (bool, optional): as in `BasicTokenizer`. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `vocab` is None or `max_bytes_per_token` negative.
        RuntimeError: the input is not one string, or the vocabulary not built.

    Difference from PyTorch: ``torchtext.transforms.BERTTokenizer``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> vocab = text.Vocab.from_list(["mak", "##ing", "!"])
        >>> text.BertTokenizer(vocab)("making do!").tolist()
        ['mak', '##ing', '[UNK]', '!']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        check = Check(self._name)
        self._pieces = _Pieces(check, vocab, suffix_indicator, max_bytes_per_token, unknown_token)
        self.vocab = vocab
        super().__init__(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token, with_offsets
        )

    def _cut(self, text: str) -> Iterator[Token]:
        for word, start, _ in super()._cut(text):
            for piece, low, high in self._pieces.cut(word):
                yield piece, start + low, start + high


class PythonTokenizer:
    """Use a Python function as a tokenizer.

    Args:
        tokenizer (callable): it is given a string and returns a list of strings.

    Raises:
        TypeError: `tokenizer` is not callable, or the input no numpy array.
        RuntimeError: the function raised an error.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.text as text
        >>> text.PythonTokenizer(str.split)(np.array("a b"))
        array(['a', 'b'], dtype='<U1')
    """

    random = False
    implementation: Implementation | None = None

    def __init__(self, tokenizer: Callable[[str], Any]) -> None:
        if not callable(tokenizer):
            Check("text.PythonTokenizer").wrong_type("tokenizer", tokenizer, "callable")
        self.pyfunc = tokenizer

    def __call__(self, in_array: np.ndarray) -> np.ndarray:
        """Cut one string, or the strings of an array into equally many tokens."""
        if not isinstance(in_array, np.ndarray):
            raise TypeError(
                f"For 'text.PythonTokenizer', the input must be a numpy array, but got "
                f"{describe(in_array)}."
            )
        texts = to_str(in_array) if in_array.dtype.kind == "S" else in_array
        try:
            result = [np.array(self.pyfunc(text), dtype="U") for text in texts.ravel().tolist()]
            return np.stack(result).reshape(*texts.shape, *result[0].shape)
        except Exception as error:
            name = getattr(self.pyfunc, "__name__", type(self.pyfunc).__name__)
            raise RuntimeError(
                f"For 'text.PythonTokenizer', the function {name} failed: {error}"
            ) from error


class SentencePieceTokenizer(TextTensorOperation):
    """Split a string with a model of SentencePiece, by the package sentencepiece.

    Args:
        mode (Union[str, SentencePieceVocab]): the model, or its file.
        out_type (SPieceTokenizerOutType): STRING gives pieces, INT their numbers, int32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the vocabulary is empty.
        RuntimeError: the file does not exist or holds no model, or the input is not one string.
        ImportError: the package sentencepiece is not installed.

    Difference from PyTorch: ``torchtext.transforms.SentencePieceTokenizer``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> cut = text.SentencePieceTokenizer(
        ...     "m.model", text.SPieceTokenizerOutType.STRING
        ... )  # doctest: +SKIP
    """

    def __init__(self, mode: Any, out_type: SPieceTokenizerOutType) -> None:
        check = Check(self._name)
        check.kind("mode", mode, str, SentencePieceVocab)
        self.mode = mode
        self.out_type = check.kind("out_type", out_type, SPieceTokenizerOutType)
        if isinstance(mode, str):
            if not os.path.isfile(mode):
                raise RuntimeError(f"For '{self._name}', there is no file {mode!r}.")
            model = Path(mode).read_bytes()
        elif mode._model is None:
            check.wrong_value("mode", mode, "a vocabulary that from_file or from_dataset gave")
        else:
            model = mode._model
        self._processor = sentencepiece(self._name).SentencePieceProcessor()
        try:
            self._processor.LoadFromSerializedProto(model)
        except RuntimeError as error:
            raise RuntimeError(
                f"For '{self._name}', {mode!r} is not a model of SentencePiece: {error}"
            ) from error

    def _execute(self, *arrays: np.ndarray) -> Any:
        text = self._string(arrays)
        if self.out_type is SPieceTokenizerOutType.INT:
            return np.array(self._processor.encode(text, out_type=int), np.int32)
        return np.array(self._processor.encode(text, out_type=str), "U")


class JiebaTokenizer(_Tokenizer):
    """Cut Chinese text into words, with the files of cppjieba.

    Args:
        hmm_path (str): the file of the hidden Markov model, ``hmm_model.utf8``.
        mp_path (str): the file of the dictionary, ``jieba.dict.utf8``: a word, its frequency and a
            tag on each line.
        mode (JiebaMode, optional): MP takes the likeliest words of the dictionary, HMM those of the
            model, MIX those of the dictionary and, for the characters that are left, those of the
            model. Default: ``JiebaMode.MIX``.
        with_offsets (bool, optional): whether two arrays are added: where each token starts and
            ends, in bytes of UTF-8. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a path is None, the file does not exist or holds something else.
        RuntimeError: the input is not one string.

    Difference from PyTorch: no counterpart; the package jieba has a dictionary of its own.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> cut = text.JiebaTokenizer("hmm_model.utf8", "jieba.dict.utf8")  # doctest: +SKIP
    """

    def __init__(
        self,
        hmm_path: str,
        mp_path: str,
        mode: JiebaMode = JiebaMode.MIX,
        with_offsets: bool = False,
    ) -> None:
        check = Check(self._name)
        self.mode = check.kind("mode", mode, JiebaMode)
        self.with_offsets = check.flag("with_offsets", with_offsets)
        for name, path in (("hmm_path", hmm_path), ("mp_path", mp_path)):
            if path is None or (isinstance(path, str) and not os.path.exists(path)):
                check.wrong_value(name, path, "a file that exists")
            check.kind(name, path, str)
        self.hmm_path = hmm_path
        self.mp_path = mp_path
        self.words: list[tuple[str, int]] = []
        self._words = Words(hmm_path, mp_path)

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Add a word to the dictionary.

        Args:
            word (str): the word.
            freq (int, optional): its frequency, which makes it more likely as a token.
                Default: ``None``, that of the median word.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: the word is None or empty, or `freq` is not within [0, 2**32 - 1].
        """
        check = Check(self._name)
        if word is None or word == "":
            check.wrong_value("word", word, "a word")
        check.kind("word", word, str)
        if freq is not None:
            check.whole("freq", freq, 0, UINT32)
        self.words.append((word, freq or 0))
        self._words.add(word, freq or 0)

    def add_dict(self, user_dict: Any) -> None:
        """Add words to the dictionary.

        Args:
            user_dict (Union[str, dict[str, int]]): the frequencies of the words, or a file with a
                word and its frequency on each line; lines of another form are left out.

        Raises:
            TypeError: `user_dict` is neither.
            ValueError: the file does not exist or is not UTF-8, or as for `add_word`.
        """
        for word, freq in words_of(user_dict):
            self.add_word(word, freq)

    def _execute(self, *arrays: np.ndarray) -> Any:
        result = super()._execute(*arrays)
        if self.with_offsets and not self._string(arrays):
            return result[0], *(offsets[:0] for offsets in result[1:])  # as in MindSpore
        return result

    def _cut(self, text: str) -> Iterator[Token]:
        start = 0
        words = self._words.cut(text, self.mode is not JiebaMode.HMM, self.mode is not JiebaMode.MP)
        for word in words:
            yield word, start, start + len(word)
            start += len(word)
