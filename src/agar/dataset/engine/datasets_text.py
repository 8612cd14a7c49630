"""Datasets of text files.

Most of them are lines, or rows of comma-separated values, in files of known names: tables below say
which.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from agar._core import absent as _absent
from agar.dataset.engine._checks import Check, check_readable, check_source
from agar.dataset.engine._files import FileDataset
from agar.dataset.engine._line_files import LineFiles, find_files, text
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import TextBaseDataset
from agar.dataset.engine.samplers import Shuffle

__all__ = [
    "AGNewsDataset",
    "AmazonReviewDataset",
    "CLUEDataset",
    "CoNLL2000Dataset",
    "DBpediaDataset",
    "EnWik9Dataset",
    "IMDBDataset",
    "Multi30kDataset",
    "PennTreebankDataset",
    "SST2Dataset",
    "SogouNewsDataset",
    "TextFileDataset",
    "UDPOSDataset",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
]

#: at this path in MindSpore too, and defined elsewhere
_ELSEWHERE = {
    **dict.fromkeys(
        ["IWSLT2016Dataset", "IWSLT2017Dataset", "SQuADDataset"],
        "agar.dataset.engine.datasets_translation",
    ),
}
_absent_name = _absent.finder(__name__, globals())


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    return _absent_name(name)


def _lines(file: str) -> Iterator[str]:
    with open(file, encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield line.removesuffix("\n")


class TextFileDataset(LineFiles, TextBaseDataset):
    r"""The non-empty lines of text files; one column ``text``.

    Args:
        dataset_files (Union[str, list[str]]): paths of files, or glob patterns.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and lines,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the lines. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the file does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> import agar.dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "text.txt")
        ...     with open(path, "w") as file:
        ...         _ = file.write("one\n\ntwo\n")
        ...     [str(line) for (line,) in ds.TextFileDataset(path, shuffle=False)]
        ['one', 'two']
    """

    _owner = "TextFileDataset"
    _names: ClassVar[list[str]] = ["text"]

    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        files = find_files(self._owner, "dataset_files", dataset_files)
        super().__init__(
            sorted(files),
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.dataset_files = files

    def _rows_of(self, file: str) -> Iterator[Row]:
        return ((text(line),) for line in _lines(file) if line)


class _Folder(LineFiles, TextBaseDataset):
    """Base of datasets whose files have known names in one folder."""

    #: the files of each usage, in the order of all of them
    _usages: ClassVar[dict[str, Any]]
    _default = "all"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        names = [*self._usages, *([] if "all" in self._usages else ["all"])]
        if usage is not None:
            Check(self._owner).choice("usage", usage, names)
        self.dataset_dir = dataset_dir
        self.usage = usage or self._default
        chosen = self._usages.get(self.usage)
        if chosen is None:
            chosen = [name for files in self._usages.values() for name in files]
        files = [os.path.join(folder, name) for name in chosen]
        for file in files:
            check_readable(self._owner, "dataset_dir", file, folder=False)
        super().__init__(
            files,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )


class _Values(_Folder):
    """Base of datasets of comma-separated values."""

    def _rows_of(self, file: str) -> Iterator[Row]:
        with open(file, encoding="utf-8", newline="") as stream:
            for number, values in enumerate(csv.reader(stream), 1):
                if len(values) != len(self._names):
                    raise RuntimeError(
                        f"For '{self._owner}', line {number} of {file} has {len(values)} values, "
                        f"but the columns are {self._names}."
                    )
                yield tuple([text(value) for value in values])


class _Text(_Folder):
    """Base of datasets of lines."""

    _names: ClassVar[list[str]] = ["text"]

    def _rows_of(self, file: str) -> Iterator[Row]:
        return ((text(line),) for line in _lines(file) if line)


_DOC = """{what}; the columns are {columns}.

    Args:
        dataset_dir (str): the folder of {files}.
        usage (str, optional): {usages}. Default: ``None``, {default}.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there is no such folder or file, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart, other than ``torchtext.datasets``.

    Source: behavior observed in MindSpore 2.10.
"""

_TRAIN_TEST = {"test": ["test.csv"], "train": ["train.csv"]}
_TRAIN_FIRST = {"train": ["train.csv"], "test": ["test.csv"]}
_TOKENS = {name: [f"wiki.{name}.tokens"] for name in ("test", "train", "valid")}
_PTB = {name: [f"ptb.{name}.txt"] for name in ("test", "train", "valid")}

# class: (what, columns, files by usage, base)
_TABLE: dict[str, tuple[str, list[str], dict[str, list[str]], type]] = {
    "AGNewsDataset": (
        "News articles in four classes (AG News)",
        ["index", "title", "description"],
        _TRAIN_TEST,
        _Values,
    ),
    "AmazonReviewDataset": (
        "Product reviews (Amazon)",
        ["label", "title", "content"],
        _TRAIN_TEST,
        _Values,
    ),
    "DBpediaDataset": (
        "Wikipedia articles by class (DBpedia)",
        ["class", "title", "content"],
        _TRAIN_TEST,
        _Values,
    ),
    "SogouNewsDataset": (
        "News of five kinds (Sogou)",
        ["index", "title", "content"],
        _TRAIN_FIRST,
        _Values,
    ),
    "YahooAnswersDataset": (
        "Questions and answers (Yahoo)",
        ["class", "title", "content", "answer"],
        _TRAIN_TEST,
        _Values,
    ),
    "YelpReviewDataset": ("Reviews of businesses (Yelp)", ["label", "text"], _TRAIN_FIRST, _Values),
    "WikiTextDataset": ("Text of Wikipedia (WikiText)", ["text"], _TOKENS, _Text),
    "PennTreebankDataset": ("Text of the Penn Treebank", ["text"], _PTB, _Text),
}


def _class(name: str) -> type:
    what, columns, usages, base = _TABLE[name]
    doc = _DOC.format(
        what=what,
        columns=", ".join(f"``{c}``" for c in columns),
        files=", ".join(f"``{f}``" for files in usages.values() for f in files),
        usages=", ".join(f"``'{u}'``" for u in [*usages, "all"]),
        default="``'all'``",
    )
    body = {
        "__doc__": doc,
        "__module__": __name__,
        "_owner": name,
        "_names": columns,
        "_usages": usages,
    }
    return type(name, (base,), body)


AGNewsDataset = _class("AGNewsDataset")
AmazonReviewDataset = _class("AmazonReviewDataset")
DBpediaDataset = _class("DBpediaDataset")
SogouNewsDataset = _class("SogouNewsDataset")
YahooAnswersDataset = _class("YahooAnswersDataset")
YelpReviewDataset = _class("YelpReviewDataset")
WikiTextDataset = _class("WikiTextDataset")
PennTreebankDataset = _class("PennTreebankDataset")


class SST2Dataset(_Folder):  # noqa: D101 (its text is made below)
    __doc__ = _DOC.format(
        what="Positive and negative sentences (SST2)",
        columns="``sentence`` and, but for the test, ``label``",
        files="``train.tsv``, ``dev.tsv``, ``test.tsv``",
        usages="``'train'``, ``'dev'``, ``'test'``",
        default="``'train'``",
    )
    _owner = "SST2Dataset"
    _usages: ClassVar[dict[str, Any]] = {
        "train": ["train.tsv"],
        "dev": ["dev.tsv"],
        "test": ["test.tsv"],
    }
    _default = "train"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        if usage == "all":
            Check(self._owner).choice("usage", usage, list(self._usages))
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )

    def _columns(self) -> list[str]:
        return ["sentence"] if self.usage == "test" else ["sentence", "label"]

    def _rows_of(self, file: str) -> Iterator[Row]:
        for line in islice(_lines(file), 1, None):
            values = line.removesuffix("\r").split("\t")
            if len(values) != 2:
                raise RuntimeError(
                    f"For '{self._owner}', a line of {file} must have two values with a tab "
                    f"between them, but is {line!r}."
                )
            yield (text(values[1]),) if self.usage == "test" else tuple(map(text, values))


class EnWik9Dataset(LineFiles, TextBaseDataset):  # noqa: D101 (its text is made below)
    __doc__ = "\n".join(
        line
        for line in _DOC.format(
            what="The lines of a part of Wikipedia (EnWik9), empty ones too",
            columns="``text``",
            files="``enwik9``",
            usages="",
            default="",
        ).split("\n")
        if "usage (str" not in line
    )
    _owner = "EnWik9Dataset"
    _names: ClassVar[list[str]] = ["text"]

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        file = check_readable(
            self._owner, "dataset_dir", os.path.join(folder, "enwik9"), folder=False
        )
        super().__init__(
            [file],
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.dataset_dir = dataset_dir

    def _rows_of(self, file: str) -> Iterator[Row]:
        return ((text(line),) for line in _lines(file))


_PAIR = {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"}
_PAIR_TEST = {"id": "id", "sentence1": "sentence1", "sentence2": "sentence2"}
# task: usage: column: key of the file; "/" goes into an object
_CLUE: dict[str, dict[str, dict[str, str]]] = {
    "AFQMC": {"train": _PAIR, "eval": _PAIR, "test": _PAIR_TEST},
    "CMNLI": {"train": _PAIR, "eval": _PAIR, "test": _PAIR_TEST},
    "TNEWS": {
        "train": dict.fromkeys(["keywords", "label", "label_desc", "sentence"]),
        "eval": dict.fromkeys(["keywords", "label", "label_desc", "sentence"]),
        "test": dict.fromkeys(["id", "keywords", "sentence"]),
    },
    "IFLYTEK": {
        "train": dict.fromkeys(["label", "label_des", "sentence"]),
        "eval": dict.fromkeys(["label", "label_des", "sentence"]),
        "test": dict.fromkeys(["id", "sentence"]),
    },
    "CSL": {
        "train": {"abst": "abst", "id": "id", "keyword": "keyword", "label": "label"},
        "eval": {"abst": "abst", "id": "id", "keyword": "keyword", "label": "label"},
        "test": {"abst": "abst", "id": "id", "keyword": "keyword"},
    },
    "WSC": {
        "train": {
            "idx": "idx",
            "label": "label",
            "span1_index": "target/span1_index",
            "span1_text": "target/span1_text",
            "span2_index": "target/span2_index",
            "span2_text": "target/span2_text",
            "text": "text",
        },
        "eval": {
            "idx": "idx",
            "label": "label",
            "span1_index": "target/span1_index",
            "span1_text": "target/span1_text",
            "span2_index": "target/span2_index",
            "span2_text": "target/span2_text",
            "text": "text",
        },
        "test": {
            "idx": "idx",
            "span1_index": "target/span1_index",
            "span1_text": "target/span1_text",
            "span2_index": "target/span2_index",
            "span2_text": "target/span2_text",
            "text": "text",
        },
    },
}  # type: ignore[dict-item]


class CLUEDataset(LineFiles, TextBaseDataset):
    """Language understanding tasks (CLUE), one JSON object per line; columns depend on the task.

    Args:
        dataset_files (Union[str, list[str]]): paths of files, or glob patterns.
        task (str, optional): AFQMC, TNEWS, IFLYTEK, CMNLI, WSC or CSL. Default: ``'AFQMC'``.
        usage (str, optional): train, test or eval. Default: ``'train'``.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the file or the task does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """

    _owner = "CLUEDataset"

    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        check.choice("task", task, list(_CLUE))
        check.choice("usage", usage, ["train", "test", "eval"])
        files = find_files(self._owner, "dataset_files", dataset_files)
        super().__init__(
            sorted(files),
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.dataset_files, self.task, self.usage = files, task, usage
        self._keys = _CLUE[task][usage]

    def _columns(self) -> list[str]:
        return list(self._keys)

    def _rows_of(self, file: str) -> Iterator[Row]:
        for number, line in enumerate(_lines(file), 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
                yield tuple([self._value(value, key or name) for name, key in self._keys.items()])
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
                raise RuntimeError(
                    f"For 'CLUEDataset', line {number} of {file} is no JSON object with the keys "
                    f"of {self.task}, {[key or name for name, key in self._keys.items()]}: {error}."
                ) from error

    @staticmethod
    def _value(value: Any, key: str) -> np.ndarray:
        for part in key.split("/"):
            value = value[part]
        if isinstance(value, bool):
            return text(str(value).lower())
        if isinstance(value, int):
            return np.array(value, np.uint32)
        return np.array(value)


class _Tagged(_Folder):
    """Base of datasets of words with tags: a word a line, an empty line between sentences."""

    _separator = " "

    def _rows_of(self, file: str) -> Iterator[Row]:
        words: list[list[str]] = []
        for line in _lines(file):
            line = line.removesuffix("\r")
            if line.strip():
                words.append(line.split(self._separator))
            elif words:
                yield self._sentence(words, file)
                words = []
        if words:
            yield self._sentence(words, file)

    def _sentence(self, words: list[list[str]], file: str) -> Row:
        if any(len(word) != len(self._names) for word in words):
            raise RuntimeError(
                f"For '{self._owner}', every line of {file} must have {len(self._names)} values: "
                f"{', '.join(self._names)}."
            )
        return tuple([np.array(values) for values in zip(*words, strict=True)])


class CoNLL2000Dataset(_Tagged):  # noqa: D101 (its text is made below)
    __doc__ = _DOC.format(
        what="Words with tags of speech and chunks (CoNLL-2000)",
        columns="``word``, ``pos_tag``, ``chunk_tag``",
        files="``train.txt``, ``test.txt``",
        usages="``'train'``, ``'test'``, ``'all'``",
        default="``'all'``",
    )
    _owner = "CoNLL2000Dataset"
    _names: ClassVar[list[str]] = ["word", "pos_tag", "chunk_tag"]
    _usages: ClassVar[dict[str, Any]] = {"train": ["train.txt"], "test": ["test.txt"]}

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )


class UDPOSDataset(_Tagged):  # noqa: D101 (its text is made below)
    __doc__ = _DOC.format(
        what="Words with tags of speech (Universal Dependencies)",
        columns="``word``, ``universal``, ``stanford``",
        files="``en-ud-tag.v2.train.txt`` and others",
        usages="``'train'``, ``'test'``, ``'valid'``, ``'all'``",
        default="``'all'``",
    )
    _owner = "UDPOSDataset"
    _names: ClassVar[list[str]] = ["word", "universal", "stanford"]
    _separator = "\t"
    _usages: ClassVar[dict[str, Any]] = {
        "train": ["en-ud-tag.v2.train.txt"],
        "test": ["en-ud-tag.v2.test.txt"],
        "valid": ["en-ud-tag.v2.dev.txt"],
    }

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )


class Multi30kDataset(LineFiles, TextBaseDataset):
    """Sentences and their translations (Multi30k); the columns are ``text``, ``translation``.

    Args:
        dataset_dir (str): the folder of ``training``, ``validation`` and ``mmt16_task1_test``.
        usage (str, optional): train, test, valid or all. Default: ``None``, all.
        language_pair (Sequence[str, str], optional): ``['en', 'de']`` or ``['de', 'en']``.
            Default: ``None``, the first.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``None``, Shuffle.GLOBAL.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the folder or a file does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart, other than ``torchtext.datasets``.

    Source: behavior described for MindSpore 2.10.
    """

    _owner = "Multi30kDataset"
    _names: ClassVar[list[str]] = ["text", "translation"]
    _folders: ClassVar[dict[str, Any]] = {
        "train": ("training", "train"),
        "valid": ("validation", "val"),
        "test": ("mmt16_task1_test", "test"),
    }

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        if usage is not None:
            check.choice("usage", usage, [*self._folders, "all"])
        pair = list(check.sequence("language_pair", language_pair or ["en", "de"], 2))
        if pair not in (["en", "de"], ["de", "en"]):
            check.wrong_value("language_pair", language_pair, "['en', 'de'] or ['de', 'en']")
        self.dataset_dir, self.usage, self.language_pair = dataset_dir, usage or "all", pair
        chosen = self._folders if self.usage == "all" else {self.usage: self._folders[self.usage]}
        stems = [os.path.join(folder, a, b) for a, b in chosen.values()]
        for stem in stems:
            for language in pair:
                check_readable(self._owner, "dataset_dir", f"{stem}.{language}", folder=False)
        super().__init__(
            stems,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _rows_of(self, file: str) -> Iterator[Row]:
        first, second = (_lines(f"{file}.{language}") for language in self.language_pair)
        for left, right in zip(first, second, strict=True):
            if left and right:
                yield text(left), text(right)


class IMDBDataset(FileDataset, TextBaseDataset):
    """Positive and negative film reviews (IMDB); the columns are ``text`` and ``label``.

    Args:
        dataset_dir (str): the folder of ``train`` and ``test``, with ``pos`` and ``neg`` in them.
        usage (str, optional): train, test or all. Default: ``None``, all.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): accepted. Default: ``None``.
        shuffle (bool, optional): whether samples come in random order. Default: ``None``, they do.
        sampler (Union[Sampler, Iterable], optional): yields the indices of the samples to read.
            Default: ``None``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart, other than ``torchtext.datasets``.

    Source: behavior observed in MindSpore 2.10.
    """

    _owner = "IMDBDataset"
    _names: ClassVar[list[str]] = ["text", "label"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self._folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        if usage is not None:
            Check(self._owner).choice("usage", usage, ["train", "test", "all"])
        self.dataset_dir, self.usage = dataset_dir, usage or "all"
        check_source(self._owner)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _scan(self) -> list[Any]:
        entries = []
        for usage in ("train", "test") if self.usage == "all" else (self.usage,):
            for name, label in (("pos", 1), ("neg", 0)):
                folder = os.path.join(self._folder, usage, name)
                check_readable(self._owner, "dataset_dir", folder, folder=True)
                entries += [(entry, label) for entry in sorted(e.path for e in os.scandir(folder))]
        return entries

    def _read(self, record: Any) -> Row:
        with open(record[0], encoding="utf-8") as stream:
            return text(stream.read()), np.array(record[1], np.int32)

    def _label(self, record: Any) -> int:
        return record[1]

    def num_classes(self) -> int | None:
        """The number of classes."""
        return len({label for _, label in self._records()})
