"""Datasets of speech and sound in files of known layouts."""

from __future__ import annotations

import os
import re
import wave
from typing import Any, ClassVar

import numpy as np

from agar._core import absent as _absent
from agar._core.file_reading import checked_name
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import FileDataset
from agar.dataset.engine._line_files import text
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import AudioBaseDataset

__all__ = [
    "CMUArcticDataset",
    "GTZANDataset",
    "LJSpeechDataset",
    "LibriTTSDataset",
    "SpeechCommandsDataset",
    "TedliumDataset",
    "YesNoDataset",
]

__getattr__ = _absent.finder(__name__, globals())

_COMMON = """num_samples (int, optional): the maximum number of samples in an epoch.
            Default: ``None``.
        num_parallel_workers (int, optional): accepted: reading needs no processes.
            Default: ``None``.
        shuffle (bool, optional): whether samples come in random order. Default: ``None``, they do.
        sampler (Union[Sampler, Iterable], optional): gives the order. Default: ``None``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there is no such folder, or an argument is out of range.
        RuntimeError: (while iterating) no sample is found, or a file cannot be read.

    Difference from PyTorch: {torch}.

    Source: behavior observed in MindSpore 2.10; files of several channels, or of other samples
    than 16 bits, raise an error (there, their bytes are read as if they had).
"""


def _sound(path: str, expected_rate: int | None = None) -> tuple[np.ndarray, int]:
    """The samples of a file of one channel and 16 bits, of shape (1, n), and their rate.

    Raises:
        RuntimeError: it is none, or has another rate than expected.
    """
    try:
        with wave.open(path, "rb") as stream:
            channels, width, rate = (
                stream.getnchannels(), stream.getsampwidth(), stream.getframerate()
            )  # fmt: skip
            data = stream.readframes(stream.getnframes())
    except (wave.Error, EOFError) as error:
        raise RuntimeError(f"The file {path} is not a WAV file of PCM samples: {error}") from error
    if channels != 1 or width != 2:
        raise RuntimeError(
            f"The file {path} must have one channel and samples of 16 bits, but has {channels} and "
            f"{8 * width}; convert it first"
        )
    if expected_rate is not None and rate != expected_rate:
        raise RuntimeError(
            f"The file {path} must have a sampling rate of {expected_rate}, but has {rate}"
        )
    return _scaled(data, "<i2"), rate


def _scaled(data: bytes, kind: str) -> np.ndarray:
    value = np.frombuffer(data[: len(data) // 2 * 2], kind)
    return (value.astype(np.float32) / np.float32(32767))[None]


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in stream if line.strip()]


def _names(folder: str, ending: str = "") -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(ending))


def _folders(folder: str) -> list[str]:
    return [name for name in _names(folder) if os.path.isdir(os.path.join(folder, name))]


class _Sounds(FileDataset, AudioBaseDataset):
    """Base of datasets of sounds in a folder."""

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_dir = dataset_dir
        self._folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _beside(self, *parts: str) -> str:
        """The path of a file or folder that the layout has."""
        path = os.path.join(self._folder, *parts)
        if not os.path.exists(path):
            raise RuntimeError(
                f"For '{self._owner}', '{os.path.join(*parts)}' is missing in {self.dataset_dir}."
            )
        return path


class _SoundsOfUsage(_Sounds):
    """Base of datasets of sounds of which a part can be chosen."""

    _usages: ClassVar[list[str]]

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
        if usage is not None:
            Check(self._owner).choice("usage", usage, self._usages)
        self.usage = usage or "all"
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            sampler,
            num_shards,
            shard_id,
            cache,
        )


class YesNoDataset(_Sounds):  # noqa: D101 (its text is made below)
    __doc__ = f"""Recordings of eight words, each yes or no (YesNo).

    The columns are ``waveform`` of shape (1, n) and float32, ``sample_rate`` and ``label``, eight
    numbers of int32.

    Args:
        dataset_dir (str): the folder of files such as ``1_0_0_0_1_1_0_0.wav``.
        {_COMMON.format(torch="``torchaudio.datasets.YESNO``")}"""

    _owner = "YesNoDataset"
    _names: ClassVar[list[str]] = ["waveform", "sample_rate", "label"]

    def _scan(self) -> list[Any]:
        return [
            name for name in _names(self._folder, ".wav") if re.match(r"[01](_[01]){7}\.", name)
        ]

    def _read(self, record: Any) -> Row:
        sound, rate = _sound(os.path.join(self._folder, record))
        label = [int(digit) for digit in record.removesuffix(".wav").split("_")]
        return sound, np.array(rate, np.int32), np.array(label, np.int32)


_SPEAKERS = ["aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp",
             "ljm", "lnh", "rms", "rxr", "slp", "slt"]  # fmt: skip


class CMUArcticDataset(_Sounds):  # noqa: D101 (its text is made below)
    __doc__ = f"""Sentences of one speaker (CMU Arctic).

    The columns are ``waveform``, ``sample_rate``, ``transcript`` and ``utterance_id``.

    Args:
        dataset_dir (str): the folder of ``cmu_us_aew_arctic`` and the others.
        name (str, optional): the speaker, {", ".join(_SPEAKERS[:-1])} or slt.
            Default: ``None``, aew.
        {_COMMON.format(torch="``torchaudio.datasets.CMUARCTIC``")}"""

    _owner = "CMUArcticDataset"
    _names: ClassVar[list[str]] = ["waveform", "sample_rate", "transcript", "utterance_id"]

    def __init__(
        self,
        dataset_dir: str,
        name: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        if name is not None:
            Check(self._owner).choice("name", name, _SPEAKERS)
        self.name = name or "aew"
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _scan(self) -> list[Any]:
        part = f"cmu_us_{self.name}_arctic"
        entries = []
        for line in _lines(self._beside(part, "etc", "txt.done.data")):
            match = re.match(r'\(\s*(\S+)\s+"(.*)"\s*\)\s*$', line)
            if match is None:
                raise RuntimeError(f"For '{self._owner}', txt.done.data has the line {line!r}.")
            name = checked_name(f"{match[1]}.wav")
            entries.append((os.path.join(self._folder, part, "wav", name), match[2], match[1]))
        return entries

    def _read(self, record: Any) -> Row:
        path, words, name = record
        sound, rate = _sound(path, 16000)
        identity = name.partition("_")[2]
        return sound, np.array(rate, np.uint32), text(words), text(identity)


# genre: the numbers of the files that belong to a usage
_GTZAN = {
    "train": (
        "blues 29-49 73-97; classical 30-33 43-48 50-67 80-99; country 19-26 28-29 65-99; "
        "disco 5 15-20 22-37 39-45 47 49 53-54 56-57 59 61 70 73-74 89; "
        "hiphop 2-25 28-29 31-38 41-42 55-61 77-80; jazz 0-1 11-24 41 47-72; "
        "metal 2-3 5 21 24 35 46-57 59-66 69 71-72 79-80 84 86 89-99; "
        "pop 2-9 11-12 16-20 23-29 31-36 38-42 44 46 49-50 80 97-99; "
        "reggae 0-2 4 6 9 11-12 14-32 42-45 49-51 54-60 63 69; rock 0-9 16-26 57-70 91-99"
    ),
    "valid": (
        "blues 0-11 50-60; classical 0-10 68-76; country 0-7 9-18 27 41-42 45 49; "
        "disco 0 2-4 6-14 46 48 52 67-68 72 75 90 95; hiphop 81-98; jazz 2-10 25-32; "
        "metal 0-1 6-11 16-20 36-37 68 76-77 81-82; pop 10 53 55 58-62 81 83-86; "
        "reggae 61-62 70 72 74 76-78 85 92-99; rock 38 49-56 71-85"
    ),
    "test": (
        "blues 12-28 61-72 98-99; classical 11-29 34-41 49 77-79; "
        "country 30-40 43-44 46-48 50-51 53-64; disco 1 21 58 62-66 69 76-88 91-94 96-97 99; "
        "hiphop 0 26-27 30 40 43-45 51-54 62-75 99; jazz 73-99; "
        "metal 12-15 22-23 25-33 38-39 67 70 73-75 78 83 85 87-88; "
        "pop 0-1 13-14 43 63-66 69-79 82 88-96; "
        "reggae 34-40 46-48 52-53 64-68 71 79 82-84 87-90; rock 10-15 27-37 39-48 86-90"
    ),
}


def _genre_files(usage: str) -> set[str]:
    entries = set()
    for part in _GTZAN[usage].split("; "):
        genre, *ranges = part.split()
        for span in ranges:
            first, _, last = span.partition("-")
            entries |= {f"{genre}.{i:05d}.wav" for i in range(int(first), int(last or first) + 1)}
    return entries


class GTZANDataset(_SoundsOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Music of ten genres (GTZAN).

    The columns are ``waveform``, ``sample_rate`` and ``label``, the genre.

    Args:
        dataset_dir (str): the folder of the genres' folders.
        usage (str, optional): train, valid, test or all. Default: ``None``, all.
        {_COMMON.format(torch="``torchaudio.datasets.GTZAN``, whose parts these are")}"""

    _owner = "GTZANDataset"
    _names: ClassVar[list[str]] = ["waveform", "sample_rate", "label"]
    _usages: ClassVar[list[str]] = ["train", "valid", "test", "all"]

    def _scan(self) -> list[Any]:
        chosen = None if self.usage == "all" else _genre_files(self.usage)
        return [
            (os.path.join(self._folder, genre, name), genre)
            for genre in _folders(self._folder)
            for name in _names(os.path.join(self._folder, genre), ".wav")
            if chosen is None or name in chosen
        ]

    def _read(self, record: Any) -> Row:
        sound, rate = _sound(record[0], 22050)
        return sound, np.array(rate, np.uint32), text(record[1])


class LJSpeechDataset(_Sounds):  # noqa: D101 (its text is made below)
    __doc__ = f"""Passages of books, read by one speaker (LJ Speech).

    The columns are ``waveform``, ``sample_rate``, ``transcription``, ``normalized_transcription``.

    Args:
        dataset_dir (str): the folder of ``metadata.csv`` and ``wavs``.
        {_COMMON.format(torch="``torchaudio.datasets.LJSPEECH``")}"""

    _owner = "LJSpeechDataset"
    _names: ClassVar[list[str]] = [
        "waveform",
        "sample_rate",
        "transcription",
        "normalized_transcription",
    ]

    def _scan(self) -> list[Any]:
        entries = []
        for line in _lines(self._beside("metadata.csv")):
            parts = line.split("|")
            if len(parts) != 3:
                raise RuntimeError(
                    f"For '{self._owner}', a line of metadata.csv must have three parts with | "
                    f"between them, but is {line!r}."
                )
            name = checked_name(f"{parts[0]}.wav")
            entries.append((os.path.join(self._folder, "wavs", name), parts[1], parts[2]))
        return entries

    def _read(self, record: Any) -> Row:
        sound, rate = _sound(record[0])
        return sound, np.array(rate, np.int32), text(record[1]), text(record[2])


_LIBRI = ["dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100",
          "train-clean-360", "train-other-500"]  # fmt: skip


class LibriTTSDataset(_SoundsOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Sentences of audio books by many speakers (LibriTTS).

    The columns are ``waveform``, ``sample_rate``, ``original_text``, ``normalized_text``,
    ``speaker_id``, ``chapter_id`` and ``utterance_id``.

    Args:
        dataset_dir (str): the folder of ``dev-clean`` and the others.
        usage (str, optional): {", ".join(_LIBRI)} or all. Default: ``None``, all that are there.
        {_COMMON.format(torch="``torchaudio.datasets.LIBRITTS``")}"""

    _owner = "LibriTTSDataset"
    _names: ClassVar[list[str]] = [
        "waveform",
        "sample_rate",
        "original_text",
        "normalized_text",
        "speaker_id",
        "chapter_id",
        "utterance_id",
    ]
    _usages: ClassVar[list[str]] = [*_LIBRI, "all"]

    def _scan(self) -> list[Any]:
        entries = []
        parts = _LIBRI if self.usage == "all" else [self.usage]
        for part in parts:
            root = os.path.join(self._folder, part)
            if self.usage == "all" and not os.path.isdir(root):
                continue
            for speaker in _folders(self._beside(part)):
                for chapter in _folders(os.path.join(root, speaker)):
                    entries += self._chapter(os.path.join(root, speaker, chapter), speaker, chapter)
        return entries

    def _chapter(self, folder: str, speaker: str, chapter: str) -> list[Any]:
        path = os.path.join(folder, f"{speaker}_{chapter}.trans.tsv")
        entries = []
        for line in _lines(path):
            parts = line.split("\t")
            if len(parts) < 3:
                raise RuntimeError(
                    f"For '{self._owner}', a line of {path} must have three parts with tabs "
                    f"between them, but is {line!r}."
                )
            checked_name(parts[0])
            entries.append((folder, parts[1], parts[2], int(speaker), int(chapter), parts[0]))
        return entries

    def _read(self, record: Any) -> Row:
        folder, original, normalized, speaker, chapter, name = record
        sound, rate = _sound(os.path.join(folder, f"{name}.wav"), 24000)
        return (
            sound,
            np.array(rate, np.uint32),
            text(original),
            text(normalized),
            np.array(speaker, np.uint32),
            np.array(chapter, np.uint32),
            text(name),
        )


class SpeechCommandsDataset(_SoundsOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Single words by many speakers (Speech Commands).

    The columns are ``waveform``, ``sample_rate``, ``label``, ``speaker_id`` and
    ``utterance_number``.

    Args:
        dataset_dir (str): the folder of the words' folders, ``testing_list.txt`` and
            ``validation_list.txt``.
        usage (str, optional): train (what no list has), valid, test or all.
            Default: ``None``, all.
        {_COMMON.format(torch="``torchaudio.datasets.SPEECHCOMMANDS``")}"""

    _owner = "SpeechCommandsDataset"
    _names: ClassVar[list[str]] = [
        "waveform",
        "sample_rate",
        "label",
        "speaker_id",
        "utterance_number",
    ]
    _usages: ClassVar[list[str]] = ["train", "valid", "test", "all"]

    def _listed(self, name: str) -> list[str]:
        return [line.strip() for line in _lines(self._beside(name))]

    def _scan(self) -> list[Any]:
        every = [
            f"{word}/{name}"
            for word in _folders(self._folder)
            for name in _names(os.path.join(self._folder, word), ".wav")
            if re.match(r"[^_]+_nohash_\d+\.wav", name)  # what has none is noise
        ]
        if self.usage == "all":
            return every
        tested, validated = set[str](), set[str]()
        if self.usage in ("test", "train"):
            tested = set(self._listed("testing_list.txt"))
        if self.usage in ("valid", "train"):
            validated = set(self._listed("validation_list.txt"))
        if self.usage == "train":
            return [name for name in every if name not in tested and name not in validated]
        return [name for name in every if name in tested or name in validated]

    def _read(self, record: Any) -> Row:
        sound, rate = _sound(os.path.join(self._folder, record))
        word, _, name = record.partition("/")
        speaker, _, number = name.removesuffix(".wav").partition("_nohash_")
        return (
            sound,
            np.array(rate, np.int32),
            text(word),
            text(speaker),
            np.array(int(number), np.int32),
        )


_SPHERE_HEAD = 1024


def _sphere(path: str) -> tuple[bytes, int, str]:
    """The samples of a SPHERE file, their rate, and how their bytes stand.

    Raises:
        RuntimeError: it is no such file, or its samples are packed or of another kind.
    """
    with open(path, "rb") as stream:
        head = stream.read(_SPHERE_HEAD)
        data = stream.read()
    lines = head.decode("ascii", "replace").split("\n")
    if lines[0] != "NIST_1A" or len(head) < _SPHERE_HEAD or lines[1].strip() != "1024":
        raise RuntimeError(f"The file {path} is not a SPHERE file with a head of 1024 bytes")
    fields = {}
    for line in lines[2:]:
        if line.startswith("end_head"):
            break
        parts = line.split(" ", 2)
        if len(parts) == 3:
            fields[parts[0]] = parts[2].strip()
    expected = {"channel_count": "1", "sample_n_bytes": "2", "sample_coding": "pcm"}
    for name, value in expected.items():
        if fields.get(name, value) != value:
            raise RuntimeError(
                f"The file {path} must have {name} {value}, but has {fields[name]}; convert it "
                "first, for instance with sph2pipe"
            )
    rate = int(fields["sample_rate"])
    if rate <= 0:
        raise RuntimeError(f"The file {path} has a sampling rate of {rate}")
    return data, rate, ">i2" if fields.get("sample_byte_format") == "10" else "<i2"


class TedliumDataset(_Sounds):  # noqa: D101 (its text is made below)
    __doc__ = f"""Sentences of TED talks (TED-LIUM).

    The columns are ``waveform``, ``sample_rate``, ``transcript``, ``talk_id``, ``speaker_id`` and
    ``identifier``.

    Args:
        dataset_dir (str): the folder of ``train`` and the others, of release 3 that of ``data``.
        release (str): release1, release2 or release3.
        usage (str, optional): train, test, dev or all; of release 3 only all.
            Default: ``None``, all.
        extensions (str, optional): the ending of the sounds, ``.sph``. Default: ``None``.
        {_COMMON.format(torch="``torchaudio.datasets.TEDLIUM``")}"""

    _owner = "TedliumDataset"
    _names: ClassVar[list[str]] = [
        "waveform",
        "sample_rate",
        "transcript",
        "talk_id",
        "speaker_id",
        "identifier",
    ]

    def __init__(
        self,
        dataset_dir: str,
        release: str,
        usage: str | None = None,
        extensions: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        self.release = check.choice("release", release, ["release1", "release2", "release3"])
        usages = ["all"] if release == "release3" else ["train", "test", "dev", "all"]
        if usage is not None:
            check.choice("usage", usage, usages)
        if extensions is not None:
            check.choice("extensions", extensions, [".sph"])
        self.usage = usage or "all"
        self.extensions = extensions or ".sph"
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _scan(self) -> list[Any]:
        if self.release == "release3":
            parts = ["data"]
        else:
            parts = ["train", "test", "dev"] if self.usage == "all" else [self.usage]
        entries = []
        for part in parts:
            if self.usage == "all" and not os.path.isdir(os.path.join(self._folder, part)):
                continue
            folder = self._beside(part, "stm")
            for name in _names(folder, ".stm"):
                sounds = os.path.join(self._folder, part, "sph", name[:-4] + self.extensions)
                for number, line in enumerate(_lines(os.path.join(folder, name))):
                    fields = line.split(" ", 6)
                    if len(fields) != 7:
                        raise RuntimeError(
                            f"For '{self._owner}', a line of {name} must have seven parts, but is "
                            f"{line!r}."
                        )
                    entries.append((number, sounds, fields))
        # the first lines of all talks come first
        entries.sort(key=lambda entry: entry[:2])
        return [entry[1:] for entry in entries]

    def _read(self, record: Any) -> Row:
        path, (talk, _, speaker, start, end, identifier, words) = record
        data, rate, kind = _sphere(path)
        first, last = (int(float(value) * rate) for value in (start, end))
        if not 0 <= first <= last:
            raise RuntimeError(f"The time from {start} to {end} of {path} is none")
        if 2 * last > len(data):
            raise RuntimeError(f"The file {path} ends before the time {end}")
        return (
            _scaled(data[2 * first : 2 * last], kind),
            np.array(rate, np.int32),
            text(words),
            text(talk),
            text(speaker),
            text(identifier),
        )
