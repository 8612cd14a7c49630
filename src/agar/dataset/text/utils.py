"""Vocabularies, word vectors and choices of text transforms (``dataset.text.utils``)."""

from __future__ import annotations

import enum
import importlib
import io
import itertools
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from agar._core.errors import describe
from agar._core.file_reading import reading
from agar._core.files import replacing
from agar.dataset.transforms._checks import INT32, Check

__all__ = [
    "CharNGram",
    "FastText",
    "GloVe",
    "JiebaMode",
    "NormalizeForm",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceVocab",
    "Vectors",
    "Vocab",
    "to_bytes",
    "to_str",
]


class JiebaMode(enum.IntEnum):
    """How `JiebaTokenizer` cuts: MP by probability, HMM by a Markov model, MIX both ways."""

    MIX = 0
    MP = 1
    HMM = 2


class NormalizeForm(enum.IntEnum):
    """Forms of Unicode text: NONE changes nothing, the others are Unicode's."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class SentencePieceModel(enum.IntEnum):
    """Models of SentencePiece."""

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerLoadType(enum.IntEnum):
    """Where `SentencePieceTokenizer` loads its model from."""

    FILE = 0
    MODEL = 1


class SPieceTokenizerOutType(enum.IntEnum):
    """What `SentencePieceTokenizer` returns."""

    STRING = 0
    INT = 1


def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Convert an array of strings to bytes.

    Args:
        array (numpy.ndarray): the strings.
        encoding (str, optional): the encoding. Default: ``"utf8"``.

    Raises:
        ValueError: `array` is not an array.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.text as text
        >>> text.to_bytes(np.array(["a"]))
        array([b'a'], dtype='|S1')
    """
    if not isinstance(array, np.ndarray):
        raise ValueError(
            f"For 'text.to_bytes', argument 'array' must be a numpy array, but got "
            f"{describe(array)}."
        )
    return np.char.encode(array, encoding)


def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Convert an array of bytes to strings.

    Args:
        array (numpy.ndarray): the bytes.
        encoding (str, optional): the encoding. Default: ``"utf8"``.

    Raises:
        TypeError: `array` is not an array.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.text as text
        >>> text.to_str(np.array([b"a"]))
        array(['a'], dtype='<U1')
    """
    Check("text.to_str").kind("array", array, np.ndarray)
    return np.char.decode(array, encoding)


def _words(check: Check, name: str, words: Any) -> list[str]:
    """A list of different strings."""
    check.kind(name, words, list)
    for word in words:
        check.kind(name, word, str)
    twice = [word for word, count in Counter(words).items() if count > 1]
    if twice:
        raise ValueError(f"For '{check.owner}', {name} has {twice[0]!r} more than once.")
    return words


def _with_special(
    check: Check, words: Iterable[str], special: Any, special_first: Any
) -> dict[str, int]:
    check.flag("special_first", special_first)
    tokens = [] if special is None else _words(check, "special_tokens", special)
    words = list(words)
    both = sorted(set(words) & set(tokens))
    if both:
        raise ValueError(
            f"For '{check.owner}', special_tokens and the words both have {both[0]!r}."
        )
    order = [*tokens, *words] if special_first else [*words, *tokens]
    return {word: place for place, word in enumerate(order)}


def _lines(owner: str, path: Any) -> Iterator[str]:
    Check(owner).kind("file_path", path, str)
    if not os.path.isfile(path):
        raise RuntimeError(f"For '{owner}', the file {path!r} does not exist or is not a file.")
    with (
        reading(owner, path, RuntimeError, "It must be a text in UTF-8."),
        open(path, encoding="utf-8", newline="") as stream,
    ):
        for line in stream:
            yield line.rstrip("\r\n")


class Vocab:
    """A mapping of words to indices; the class methods build it.

    Difference from PyTorch: ``torchtext.vocab.Vocab``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.text as text
        >>> vocab = text.Vocab.from_list(["deep", "learning"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["learning", "<unk>", "other"])
        [2, 0, -1]
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] | None = None
        self._tokens: dict[int, str] = {}

    @property
    def c_vocab(self) -> Vocab | None:
        """The vocabulary of MindSpore's data engine, which is this one; None before it is built."""
        return None if self._ids is None else self

    @classmethod
    def _of_ids(cls, ids: dict[str, int]) -> Vocab:
        vocab = cls()
        vocab._ids = ids
        vocab._tokens = {place: word for word, place in ids.items()}
        return vocab

    def _known(self) -> dict[str, int]:
        if self._ids is None:
            raise RuntimeError(
                "For 'text.Vocab', the vocabulary is not built yet; use Vocab.from_dataset(), "
                "from_list(), from_file() or from_dict()."
            )
        return self._ids

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: Any = None,
        freq_range: Any = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a dataset, the most frequent first, equally frequent ones in their order.

        Args:
            dataset (Dataset): the dataset.
            columns (Union[str, list[str]], optional): the columns of strings. Default: ``None``,
                all.
            freq_range (tuple, optional): the least and largest frequency of words that are taken;
                None leaves an end open. Default: ``None``.
            top_k (int, optional): the number of words to take. Default: ``None``, all.
            special_tokens (list[str], optional): words to add. Default: ``None``.
            special_first (bool, optional): whether these come first. Default: ``True``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range.
            RuntimeError: there is no such column, or it holds no strings.
        """
        check = Check("text.Vocab.from_dataset")
        low, high = cls._frequencies(check, freq_range)
        if top_k is not None:
            check.whole("top_k", top_k, 1)
        names = dataset.get_col_names()
        expected = names if columns is None else [columns] if isinstance(columns, str) else columns
        for name in check.kind("columns", expected, list):
            if check.kind("columns", name, str) not in names:
                raise RuntimeError(
                    f"For '{check.owner}', there is no column {name!r}; the columns are "
                    f"{', '.join(names)}."
                )
        counts: Counter[str] = Counter()
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            for name in expected:
                values = np.asarray(row[name])
                if values.dtype.kind != "U":
                    raise RuntimeError(
                        f"For '{check.owner}', column {name!r} must hold strings, but has type "
                        f"{values.dtype}."
                    )
                counts.update(values.ravel().tolist())
        taken = [(word, n) for word, n in counts.items() if low <= n <= high]
        taken.sort(key=lambda pair: (-pair[1], pair[0]))
        words = [word for word, _ in taken[:top_k]]
        return cls._of_ids(_with_special(check, words, special_tokens, special_first))

    @staticmethod
    def _frequencies(check: Check, freq_range: Any) -> tuple[float, float]:
        if freq_range is None:
            return 0, float("inf")
        check.kind("freq_range", freq_range, tuple)
        ends = [part for part in freq_range if part is not None]
        right = len(freq_range) == 2 and all(type(part) is int and part >= 0 for part in ends)
        if not right or ends != sorted(ends):
            check.wrong_value("freq_range", freq_range, "two ints (least, largest) or None")
        low, high = freq_range
        return low or 0, float("inf") if high is None else high

    @classmethod
    def from_list(
        cls,
        word_list: list[str],
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a list, in its order.

        Args:
            word_list (list[str]): the words, all different.
            special_tokens (list[str], optional): words to add. Default: ``None``.
            special_first (bool, optional): whether these come first. Default: ``True``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a word is there twice.
        """
        check = Check("text.Vocab.from_list")
        words = _words(check, "word_list", word_list)
        return cls._of_ids(_with_special(check, words, special_tokens, special_first))

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a file, one a line.

        Args:
            file_path (str): the file.
            delimiter (str, optional): what ends the word in a line. Default: ``""``, the line's
                end.
            vocab_size (int, optional): the number of words to read. Default: ``None``, all.
            special_tokens (list[str], optional): words to add. Default: ``None``.
            special_first (bool, optional): whether these come first. Default: ``True``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a word is there twice, or `vocab_size` is not positive.
            RuntimeError: the file does not exist, or it is not a text.
        """
        check = Check("text.Vocab.from_file")
        check.kind("delimiter", delimiter, str)
        if vocab_size is not None:
            check.whole("vocab_size", vocab_size, 1)
        lines = itertools.islice(_lines(check.owner, file_path), vocab_size)
        words = [line.split(delimiter)[0] if delimiter else line for line in lines]
        _words(check, f"the file {file_path!r}", words)
        return cls._of_ids(_with_special(check, words, special_tokens, special_first))

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """Words with given numbers.

        Args:
            word_dict (dict[str, int]): the number of each word, not negative.

        Raises:
            TypeError: it is not a dict of strings and ints.
            ValueError: a number is negative.
        """
        check = Check("text.Vocab.from_dict")
        for word, place in check.kind("word_dict", word_dict, dict).items():
            check.kind("word_dict", word, str)
            check.whole(f"word_dict[{word!r}]", place, 0)
        return cls._of_ids(dict(word_dict))

    def vocab(self) -> dict[str, int]:
        """The number of each word.

        Raises:
            RuntimeError: the vocabulary is not built.
        """
        return dict(self._known())

    def tokens_to_ids(self, tokens: Any) -> Any:
        """The numbers of words; -1 for one that is not there.

        Args:
            tokens (Union[str, list[str], numpy.ndarray]): the words.

        Raises:
            TypeError: they are not strings.
            RuntimeError: the vocabulary is not built.
        """
        check = Check("text.Vocab.tokens_to_ids")
        check.kind("tokens", tokens, str, list, np.ndarray)
        ids = self._known()
        if isinstance(tokens, str):
            return ids.get(tokens, -1)
        words = np.ravel(tokens).tolist() if isinstance(tokens, np.ndarray) else tokens
        entries = [ids.get(check.kind("tokens", word, str), -1) for word in words]
        return entries if len(entries) != 1 else entries[0]

    def ids_to_tokens(self, ids: Any) -> Any:
        """The words of numbers; the empty string for one that is not there.

        Args:
            ids (Union[int, list[int], numpy.ndarray]): the numbers.

        Raises:
            TypeError: they are not ints.
            ValueError: a number is negative.
            RuntimeError: the vocabulary is not built.
        """
        check = Check("text.Vocab.ids_to_tokens")
        check.kind("ids", ids, int, list, np.ndarray)
        self._known()
        if isinstance(ids, int):
            return self._tokens.get(check.whole("ids", ids, 0, INT32), "")
        places = np.ravel(ids).tolist() if isinstance(ids, np.ndarray) else ids
        entries = [
            self._tokens.get(check.whole(f"ids[{i}]", int(place), 0, INT32), "")
            for i, place in enumerate(places)
        ]
        return entries if len(entries) != 1 else entries[0]


class Vectors:
    """Words and their vectors, read from a file of lines ``word number number ...``.

    Difference from PyTorch: ``torchtext.vocab.Vectors``.

    Source: behavior observed in MindSpore 2.10.
    """

    #: what a file's name has to match, and how errors show it
    _file: ClassVar[tuple[str, str] | None] = None

    def __init__(self) -> None:
        self._table: dict[str, np.ndarray] = {}
        self.dim = 0

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> Vectors:
        """The vectors of a file; a first line of two numbers is skipped.

        Args:
            file_path (str): the file.
            max_vectors (int, optional): the number of vectors to read. Default: ``None``, all.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `max_vectors` is negative.
            RuntimeError: the file does not exist, its name is not the usual one, or its lines are
                not of one length.
        """
        owner = f"text.{cls.__name__}.from_file"
        if max_vectors is not None:
            Check(owner).whole("max_vectors", max_vectors, 0)
        result = cls()
        lines = _lines(owner, file_path)
        if cls._file and not re.fullmatch(cls._file[0], os.path.basename(file_path)):
            raise RuntimeError(
                f"For '{owner}', the file must be named {cls._file[1]}, but is {file_path!r}."
            )
        for number, line in enumerate(lines, 1):
            word, *parts = line.rstrip(" ").split(" ")
            if number == 1 and len(parts) == 1:
                continue
            if max_vectors and len(result._table) >= max_vectors:
                break
            try:
                vector = np.array(parts, np.float32)
            except ValueError:
                vector = np.zeros(0, np.float32)
            result.dim = result.dim or len(vector)
            if len(vector) != result.dim or not result.dim:
                raise RuntimeError(
                    f"For '{owner}', line {number} of {file_path!r} must have a word and "
                    f"{result.dim or 'some'} numbers, but is {line[:60]!r}."
                )
            result._table.setdefault(word, vector)
        if not result._table:
            raise RuntimeError(f"For '{owner}', the file {file_path!r} holds no vectors.")
        return result

    def _vector(self, token: str, lower_case_backup: bool) -> np.ndarray | None:
        value = self._table.get(token)
        if value is None and lower_case_backup:
            value = self._table.get(token.lower())
        return value


class FastText(Vectors):
    """Vectors from a file of FastText, ``*.vec``.

    Difference from PyTorch: ``torchtext.vocab.FastText``.

    Source: behavior observed in MindSpore 2.10.
    """

    _file = (r".*\.vec", "*.vec")


class GloVe(Vectors):
    """Vectors from a file of GloVe, ``glove.6B.*.txt``.

    Difference from PyTorch: ``torchtext.vocab.GloVe``.

    Source: behavior observed in MindSpore 2.10.
    """

    _file = (r"glove\.6B.*\.txt", "glove.6B.*.txt")


class CharNGram(Vectors):
    """Vectors of character n-grams; the vector of a word is the mean of those of its n-grams.

    Difference from PyTorch: ``torchtext.vocab.CharNGram``.

    Source: behavior observed in MindSpore 2.10.
    """

    def _vector(self, token: str, lower_case_backup: bool) -> np.ndarray | None:
        value = self._mean(token)
        return self._mean(token.lower()) if value is None and lower_case_backup else value

    def _mean(self, token: str) -> np.ndarray | None:
        chars = ["#BEGIN#", *token, "#END#"]
        parts = [
            self._table.get(f"{n}gram-{''.join(chars[i : i + n])}")
            for n in (2, 3, 4)
            for i in range(len(chars) - n + 1)
        ]
        entries = [part for part in parts if part is not None]
        return np.sum(entries, axis=0) / np.float32(len(entries)) if entries else None


# --- SentencePiece --------------------------------------------------------------------------------


def sentencepiece(owner: str) -> Any:
    """The package sentencepiece.

    Raises:
        ImportError: it is not installed.
    """
    try:
        return importlib.import_module("sentencepiece")
    except ImportError as error:
        raise ImportError(
            f"For '{owner}', the package sentencepiece is needed: pip install sentencepiece, or "
            '"agar-ms[sentencepiece]".'
        ) from error


class SentencePieceVocab:
    """A vocabulary of SentencePiece, trained by the package sentencepiece.

    Difference from PyTorch: ``torchtext.transforms.SentencePieceTokenizer`` reads a trained one.

    Source: behavior observed in MindSpore 2.10. With the same text and settings BPE, CHAR and WORD
    give its pieces.

    Examples:
        >>> import agar.dataset.text as text
        >>> vocab = text.SentencePieceVocab.from_file(
        ...     ["corpus.txt"], 5000, 0.9995, text.SentencePieceModel.BPE, {}
        ... )  # doctest: +SKIP
    """

    #: The trained model as bytes; None of an empty one.
    _model: bytes | None = None

    @classmethod
    def _trained(cls, check: Check, settings: dict[str, Any], params: Any) -> SentencePieceVocab:
        options = check.kind("params", params, dict)
        own = {*settings, "input", "model_prefix", "model_writer", "sentence_iterator"}
        for key, value in options.items():
            check.kind("params", key, str)
            check.kind(f"params[{key!r}]", value, str)
            if key in own:
                check.wrong_value("params", key, f"another option than {', '.join(sorted(own))}")
        model = io.BytesIO()
        train = sentencepiece(check.owner).SentencePieceTrainer.train
        try:
            # its progress, on stderr, is left out but for errors; params may ask for it
            train(model_writer=model, **{"minloglevel": 2, **settings, **options})
        except (RuntimeError, OSError) as error:
            raise RuntimeError(
                f"For '{check.owner}', SentencePiece could not train: {error}"
            ) from error
        result = cls()
        result._model = model.getvalue()
        return result

    @staticmethod
    def _settings(check: Check, size: Any, coverage: Any, model_type: Any) -> dict[str, Any]:
        return {
            "vocab_size": check.whole("vocab_size", size, 1),
            "character_coverage": check.number("character_coverage", coverage, 0, 1),
            "model_type": check.kind("model_type", model_type, SentencePieceModel).name.lower(),
        }

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Train a vocabulary with the strings of a dataset.

        Args:
            dataset (Dataset): the dataset of text.
            col_names (list[str]): the columns to read.
            vocab_size (int): the number of pieces.
            character_coverage (float): the share of characters that the pieces cover, in (0, 1].
            model_type (SentencePieceModel): the algorithm.
            params (dict[str, str]): further options of SentencePiece's trainer.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, or `params` has what another argument says.
            RuntimeError: there is no such column, or SentencePiece cannot train with the text.
            ImportError: the package sentencepiece is not installed.
        """
        check = Check("text.SentencePieceVocab.from_dataset")
        settings = cls._settings(check, vocab_size, character_coverage, model_type)
        names = dataset.get_col_names()
        for name in check.kind("col_names", col_names, list):
            if check.kind("col_names", name, str) not in names:
                raise RuntimeError(
                    f"For '{check.owner}', there is no column {name!r}; the columns are "
                    f"{', '.join(names)}."
                )

        def texts() -> Iterator[str]:
            for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
                for name in col_names or names:
                    column = to_str(row[name]) if row[name].dtype.kind == "S" else row[name]
                    if column.dtype.kind != "U":
                        raise RuntimeError(
                            f"For '{check.owner}', the column {name!r} holds {column.dtype}, "
                            "not strings."
                        )
                    yield from column.ravel().tolist()

        return cls._trained(check, {**settings, "sentence_iterator": texts()}, params)

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Train a vocabulary with the lines of text files.

        Args:
            file_path (list[str]): the paths of the files.
            vocab_size (int): the number of pieces.
            character_coverage (float): the share of characters that the pieces cover, in (0, 1].
            model_type (SentencePieceModel): the algorithm.
            params (dict[str, str]): further options of SentencePiece's trainer.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, or `params` has what another argument says.
            RuntimeError: a file cannot be read, or SentencePiece cannot train with the text.
            ImportError: the package sentencepiece is not installed.
        """
        check = Check("text.SentencePieceVocab.from_file")
        settings = cls._settings(check, vocab_size, character_coverage, model_type)
        paths = [
            check.kind("file_path", path, str) for path in check.kind("file_path", file_path, list)
        ]
        for path in paths:
            if not os.path.isfile(path):
                raise RuntimeError(f"For '{check.owner}', there is no file {path!r}.")
        if not paths:
            check.wrong_value("file_path", file_path, "at least one file")
        return cls._trained(check, {**settings, "input": paths}, params)

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Save a model for `SentencePieceTokenizer`, and for every program with SentencePiece.

        Args:
            vocab (SentencePieceVocab): the vocabulary.
            path (str): the folder.
            filename (str): the name of the file.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: the vocabulary is empty.
            RuntimeError: there is no such folder.
        """
        check = Check("text.SentencePieceVocab.save_model")
        model = check.kind("vocab", vocab, SentencePieceVocab)._model
        folder = check.kind("path", path, str)
        name = check.kind("filename", filename, str)
        if model is None:
            check.wrong_value("vocab", vocab, "one that from_file or from_dataset gave")
        if not os.path.isdir(folder):
            raise RuntimeError(f"For '{check.owner}', there is no folder {folder!r}.")
        with replacing(os.path.join(folder, name)) as file:
            Path(file).write_bytes(model)
