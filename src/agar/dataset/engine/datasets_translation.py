"""Datasets of texts that belong together: translations, and questions with their answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._line_files import LineFiles, text
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import TextBaseDataset
from agar.dataset.engine.samplers import Shuffle

__all__ = ["IWSLT2016Dataset", "IWSLT2017Dataset", "SQuADDataset"]

_COMMON = """num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there is no such folder or file, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not a text in UTF-8.

    Difference from PyTorch: no counterpart, other than ``torchtext.datasets``.

    Source: behavior observed in MindSpore 2.10.
"""


class _Translations(LineFiles, TextBaseDataset):
    """Base of datasets of a text and its translation, in two files of the same number of lines."""

    _names: ClassVar[list[str]] = ["text", "translation"]

    def _start(
        self, dataset_dir: Any, usage: str | None, stems: dict[str, str], pair: Sequence[str]
    ) -> list[str]:
        """The files of the first language for a usage; both must be there."""
        check = Check(self._owner)
        folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        if usage is not None:
            check.choice("usage", usage, [*stems, "all"])
        self.dataset_dir = dataset_dir
        self.usage = usage or "all"
        self._ends = tuple(pair)
        chosen = list(stems) if self.usage == "all" else [self.usage]
        files = []
        for name in chosen:
            first, second = (stems[name].format(side) for side in self._ends)
            files.append(os.path.join(folder, first))
            for path in (first, second):
                check_readable(self._owner, "dataset_dir", os.path.join(folder, path), folder=False)
        return files

    def _check_pair(self, value: Any, pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
        check = Check(self._owner)
        if value is None:
            return "de", "en"
        check.kind("language_pair", value, list, tuple)
        pair = tuple(value)
        if pair not in pairs:
            check.wrong_value("language_pair", value, f"one of {list(pairs)}")
        return pair

    def _sentences(self, file: str) -> list[str]:
        if file.endswith(".xml"):
            from xml.etree import ElementTree

            try:
                root = ElementTree.parse(file).getroot()
            except ElementTree.ParseError as error:
                raise RuntimeError(f"The file {file} is not XML: {error}") from error
            return [(segment.text or "").strip() for segment in root.iter("seg")]
        with open(file, encoding="utf-8") as stream:
            lines = [line.strip() for line in stream]
        return [line for line in lines if line and not line.startswith("<")]

    def _rows_of(self, file: str) -> Iterator[Row]:
        first, second = self._ends
        ending = ".xml" if file.endswith(".xml") else ""
        other = f"{file.removesuffix(f'.{first}{ending}')}.{second}{ending}"
        sides = self._sentences(file), self._sentences(other)
        if len(sides[0]) != len(sides[1]):
            raise RuntimeError(
                f"For '{self._owner}', {file} has {len(sides[0])} sentences, but {other} has "
                f"{len(sides[1])}."
            )
        return ((text(a), text(b)) for a, b in zip(*sides, strict=True))


_SETS = ["dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014"]
_PAIRS_2016 = [
    *(("en", other) for other in ("fr", "de", "cs", "ar")),
    *((other, "en") for other in ("fr", "de", "cs", "ar")),
]
_TONGUES = ["en", "nl", "de", "it", "ro"]
_PAIRS_2017 = [(a, b) for a in _TONGUES for b in _TONGUES if a != b]


class IWSLT2016Dataset(_Translations):  # noqa: D101 (its text is made below)
    __doc__ = f"""Translated talks (IWSLT 2016); the columns are ``text`` and ``translation``.

    Args:
        dataset_dir (str): the folder of ``texts``, whose archives are unpacked.
        usage (str, optional): train, valid, test or all. Default: ``None``, all.
        language_pair (sequence, optional): source and target, en and one of fr, de, cs, ar, or the
            other way round. Default: ``None``, ``('de', 'en')``.
        valid_set (str, optional): {", ".join(_SETS[:-1])} or tst2014. Default: ``None``, tst2013.
        test_set (str, optional): one of these. Default: ``None``, tst2014.
        {_COMMON}"""

    _owner = "IWSLT2016Dataset"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Sequence[str] | None = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        source, target = self._check_pair(language_pair, _PAIRS_2016)
        for name, value in (("valid_set", valid_set), ("test_set", test_set)):
            if value is not None:
                check.choice(name, value, _SETS)
        self.language_pair = [source, target]
        self.valid_set = valid_set or "tst2013"
        self.test_set = test_set or "tst2014"
        folder = f"texts/{source}/{target}/{source}-{target}"
        pair = f"{source}-{target}"
        stems = {
            "train": f"{folder}/train.tags.{pair}.{{}}",
            "valid": f"{folder}/IWSLT16.TED.{self.valid_set}.{pair}.{{}}.xml",
            "test": f"{folder}/IWSLT16.TED.{self.test_set}.{pair}.{{}}.xml",
        }
        super().__init__(
            self._start(dataset_dir, usage, stems, (source, target)),
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )


class IWSLT2017Dataset(_Translations):  # noqa: D101 (its text is made below)
    __doc__ = f"""Translated talks (IWSLT 2017); the columns are ``text`` and ``translation``.

    Args:
        dataset_dir (str): the folder of ``texts``, whose archive is unpacked.
        usage (str, optional): train, valid (of 2010), test (of 2010) or all.
            Default: ``None``, all.
        language_pair (sequence, optional): source and target, two of {", ".join(_TONGUES)}.
            Default: ``None``, ``('de', 'en')``.
        {_COMMON}"""

    _owner = "IWSLT2017Dataset"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Sequence[str] | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        source, target = self._check_pair(language_pair, _PAIRS_2017)
        self.language_pair = [source, target]
        folder = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
        pair = f"{source}-{target}"
        stems = {
            "train": f"{folder}/train.tags.{pair}.{{}}",
            "valid": f"{folder}/IWSLT17.TED.dev2010.{pair}.{{}}.xml",
            "test": f"{folder}/IWSLT17.TED.tst2010.{pair}.{{}}.xml",
        }
        super().__init__(
            self._start(dataset_dir, usage, stems, (source, target)),
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )


_NO_ANSWER = 0xFFFFFFFF


class SQuADDataset(LineFiles, TextBaseDataset):
    """Questions about paragraphs of Wikipedia (SQuAD 1.1 and 2.0).

    The columns are ``context``, ``question``, ``text`` (the answers) and ``answer_start``; of a
    question without an answer they are ``['']`` and ``[4294967295]``.

    Args:
        dataset_dir (str): the folder of ``train-v1.1.json`` and ``dev-v1.1.json``, or v2.0.
        usage (str, optional): train, dev or all. Default: ``None``, all.
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
        ValueError: the folder or a file does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is damaged, or not of SQuAD.

    Difference from PyTorch: ``torchtext.datasets.SQuAD1``.

    Source: behavior observed in MindSpore 2.10.
    """

    _owner = "SQuADDataset"
    _names: ClassVar[list[str]] = ["context", "question", "text", "answer_start"]

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
        if usage is not None:
            Check(self._owner).choice("usage", usage, ["train", "dev", "all"])
        self.dataset_dir = dataset_dir
        self.usage = usage or "all"
        parts = ["train", "dev"] if self.usage == "all" else [self.usage]
        files = []
        for part in parts:
            old = os.path.join(folder, f"{part}-v1.1.json")
            new = os.path.join(folder, f"{part}-v2.0.json")
            path = old if os.path.isfile(old) else new
            files.append(check_readable(self._owner, "dataset_dir", path, folder=False))
        super().__init__(
            files,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _rows_of(self, file: str) -> Iterator[Row]:
        with open(file, encoding="utf-8") as stream:
            content = json.load(stream)
        for article in content["data"]:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    answers = question["answers"] or [{"text": "", "answer_start": _NO_ANSWER}]
                    yield (
                        text(_word(paragraph["context"])),
                        text(_word(question["question"])),
                        np.array([_word(answer["text"]) for answer in answers]),
                        np.array([answer["answer_start"] for answer in answers], np.uint32),
                    )


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is expected, but got {value!r}")
    return value
