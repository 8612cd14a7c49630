"""Datasets of images in files of known layouts."""

from __future__ import annotations

import gzip
import json
import math
import os
import struct
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from agar._core import absent as _absent
from agar._core.file_reading import MAX_EXPANSION, reading
from agar.dataset.engine._annotated import CocoDataset, VOCDataset
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import file_bytes, image_of, listed_files
from agar.dataset.engine._images import COMMON, Images, refuse_decryption
from agar.dataset.engine._matlab import read_arrays
from agar.dataset.engine._pictures import CelebADataset, FakeImageDataset, USPSDataset
from agar.dataset.engine._values import Row

__all__ = [
    "CelebADataset",
    "Cifar10Dataset",
    "Cifar100Dataset",
    "CocoDataset",
    "EMnistDataset",
    "FakeImageDataset",
    "FashionMnistDataset",
    "ImageFolderDataset",
    "KMnistDataset",
    "ManifestDataset",
    "MnistDataset",
    "QMnistDataset",
    "STL10Dataset",
    "SVHNDataset",
    "SemeionDataset",
    "USPSDataset",
    "VOCDataset",
]

#: at this path in MindSpore too, and defined elsewhere
_ELSEWHERE = {
    **dict.fromkeys(
        [
            "Caltech256Dataset",
            "Food101Dataset",
            "LSUNDataset",
            "OmniglotDataset",
            "Places365Dataset",
            "RenderedSST2Dataset",
            "SUN397Dataset",
        ],
        "agar.dataset.engine.datasets_labeled",
    ),
    **dict.fromkeys(
        [
            "Caltech101Dataset",
            "CityscapesDataset",
            "DIV2KDataset",
            "FlickrDataset",
            "Flowers102Dataset",
            "KITTIDataset",
            "LFWDataset",
            "PhotoTourDataset",
            "SBUDataset",
            "WIDERFaceDataset",
        ],
        "agar.dataset.engine.datasets_annotated",
    ),
    "RandomDataset": "agar.dataset.engine.datasets_generated",
    "SBDataset": "agar.dataset.engine.datasets_boundaries",
}
_absent_name = _absent.finder(__name__, globals())


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    return _absent_name(name)


class ImageFolderDataset(Images):
    """Images in folders that are named after their classes; the columns are ``image``, ``label``.

    Args:
        dataset_dir (str): the folder of the classes' folders.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of processes that read and decode.
            Default: ``None``, the program itself.
        shuffle (bool, optional): whether samples come in random order. Default: ``None``, they do.
        sampler (Union[Sampler, Iterable], optional): yields the indices of the samples to read.
            Default: ``None``.
        extensions (list[str], optional): those of the files. Default: ``None``, all files.
        class_indexing (dict, optional): the numbers of the classes; others are left out.
            Default: ``None``, numbered in the order of their names.
        decode (bool, optional): whether images are decoded. Default: ``False``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
        decrypt (Callable, optional): must be None. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: (while iterating) no sample is found, or a file cannot be read.

    Difference from PyTorch: ``torchvision.datasets.ImageFolder``.

    Source: behavior observed in MindSpore 2.10.
    """

    _owner = "ImageFolderDataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        extensions: list[str] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ) -> None:
        check = Check(self._owner)
        self._folder = self._open_folder(dataset_dir)
        if extensions is not None:
            check.kind("extensions", extensions, list)
            for i, extension in enumerate(extensions):
                check.kind(f"extensions[{i}]", extension, str)
        if class_indexing is not None:
            check.kind("class_indexing", class_indexing, dict)
        self.extensions = extensions or []
        self.class_indexing = dict(class_indexing or {})
        self.decode = self._decode(decode)
        refuse_decryption(self._owner, decrypt)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def get_class_indexing(self) -> dict[str, Any]:
        """The indices of the classes by their names."""
        if not self.class_indexing:
            names = sorted(entry.name for entry in os.scandir(self._folder) if entry.is_dir())
            self.class_indexing = {name: number for number, name in enumerate(names)}
        return self.class_indexing

    def num_classes(self) -> int | None:
        """The number of classes."""
        return len(self.get_class_indexing())

    def _scan(self) -> list[Any]:
        entries = []
        for name, number in sorted(self.get_class_indexing().items()):
            folder = os.path.join(self._folder, name)
            if not os.path.isdir(folder):
                raise RuntimeError(
                    f"For '{self._owner}', there is no folder of the class '{name}' in "
                    f"{self.dataset_dir}."
                )
            entries += [(path, number) for path in listed_files(folder, self.extensions)]
        return entries

    def _read(self, record: Any) -> Row:
        path, number = record
        if not os.path.isfile(path):
            raise RuntimeError(f"{path} should be a file, but is a folder")
        return image_of(path, self.decode), np.array(number, np.int32)

    def _label(self, record: Any) -> int:
        return record[1]


class ManifestDataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Images that a manifest lists; the columns are ``image``, ``label``.

    Args:
        dataset_file (str): the manifest.
        usage (str, optional): train, eval or inference. Default: ``'train'``.
        class_indexing (dict, optional): the numbers of the classes; others are left out.
            Default: ``None``, numbered in the order of their names.
        decode (bool, optional): whether images are decoded. Default: ``False``.
        {COMMON.format(torch="no counterpart", how="observed in")}"""

    _owner = "ManifestDataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def __init__(
        self,
        dataset_file: str,
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_file = dataset_file
        self._file = check_readable(self._owner, "dataset_file", dataset_file, folder=False)
        self.usage = self._choose("usage", usage, ["train", "eval", "inference"], "train")
        if class_indexing is not None:
            Check(self._owner).kind("class_indexing", class_indexing, dict)
        self.class_indexing = dict(class_indexing or {})
        self.decode = self._decode(decode)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _listed(self) -> list[tuple[str, list[str]]]:
        entries = []
        with (
            reading(self._owner, self._file, advice="Each line must be a JSON object."),
            open(self._file, encoding="utf-8") as stream,
        ):
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    entry = json.loads(line)
                    if str(entry.get("usage", "")).lower() != self.usage:
                        continue
                    source = entry["source"].removeprefix("file://")
                    names = [a["name"] for a in entry.get("annotation", []) if "name" in a]
                    if not all(isinstance(name, str) for name in names):
                        raise TypeError(f"the names of classes are texts, not {names}")
                except (
                    ValueError,
                    LookupError,
                    AttributeError,
                    TypeError,
                    RecursionError,
                ) as error:
                    raise RuntimeError(
                        f"For '{self._owner}', line {number} of {self.dataset_file} is no JSON "
                        f"object with the key 'source' and classes by 'name': {error}."
                    ) from error
                entries.append((source, names))
        return entries

    def get_class_indexing(self) -> dict[str, Any]:
        """The indices of the classes by their names."""
        if not self.class_indexing:
            names = sorted({name for _, names in self._listed() for name in names})
            self.class_indexing = {name: number for number, name in enumerate(names)}
        return self.class_indexing

    def num_classes(self) -> int | None:
        """The number of classes."""
        return len(self.get_class_indexing())

    def _scan(self) -> list[Any]:
        numbers = self.get_class_indexing()
        entries = []
        for path, names in self._listed():
            labels = [numbers[name] for name in names if name in numbers]
            if labels or not names:
                entries.append((path, labels))
        return entries

    def _read(self, record: Any) -> Row:
        path, labels = record
        label = labels[0] if len(labels) == 1 else labels
        return image_of(path, self.decode), np.array(label, np.int32)

    def _label(self, record: Any) -> int | None:
        return record[1][0] if record[1] else None


# --- one file of many images -------------------------------------------------------------------


def _idx(path: str) -> np.ndarray:
    """The array of an IDX file, packed or not.

    Raises:
        RuntimeError: it is no such file.
    """
    with reading("IDX", path):
        data = _unpacked(path)
        kinds = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
        if len(data) < 4 or data[:2] != b"\0\0" or data[2] not in kinds:
            raise RuntimeError(f"The file {path} is no IDX file, as MNIST has: its magic is wrong")
        rank = data[3]
        shape = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
        dtype = np.dtype(kinds[data[2]])
        # numpy's product of sizes wraps around
        if math.prod(shape) * dtype.itemsize != len(data) - 4 - 4 * rank:
            raise RuntimeError(
                f"The file {path} is cut off or damaged: it says that it has {list(shape)} values "
                f"of {dtype.itemsize} bytes, but {len(data) - 4 - 4 * rank} bytes follow"
            )
        return np.frombuffer(data, dtype, offset=4 + 4 * rank).reshape(shape)


def _unpacked(path: str) -> bytes:
    """The content of a file, unpacked if its name ends with ``.gz``."""
    if not path.endswith(".gz"):
        with open(path, "rb") as stream:
            return stream.read()
    limit = MAX_EXPANSION * os.path.getsize(path)
    with gzip.open(path, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"it holds more than {MAX_EXPANSION} times its size")
    return data


class _Arrays(Images):
    """Base of datasets whose images are held in memory, one array for each column."""

    def _load(self) -> list[np.ndarray]:
        """The columns, a sample a row."""
        raise NotImplementedError(f"'{type(self).__name__}' must load its files.")

    def _scan(self) -> Any:
        columns = self._load()
        sizes = {len(column) for column in columns}
        if len(sizes) > 1:
            raise RuntimeError(
                f"For '{self._owner}', the files of {self.dataset_dir} have different numbers of "
                f"samples: {sorted(sizes)}."
            )
        return _Columns(columns)

    def _read(self, record: Any) -> Row:
        return tuple([np.array(value) for value in record])

    def _label(self, record: Any) -> int | None:
        label = record[-1]
        return int(label) if np.ndim(label) == 0 else None


class _Columns(list[Any]):
    """Arrays as a list of their rows."""

    def __init__(self, columns: list[np.ndarray]) -> None:
        super().__init__(columns)

    def __len__(self) -> int:
        return len(super().__getitem__(0))

    def __getitem__(self, index: Any) -> Any:
        return tuple([column[index] for column in list.__iter__(self)])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


class MnistDataset(_Arrays):  # noqa: D101 (its text is made below)
    __doc__ = f"""Digits (MNIST); the columns are ``image`` of shape (28, 28, 1) and ``label``.

    Args:
        dataset_dir (str): the folder of ``train-images-idx3-ubyte`` and the others.
        usage (str, optional): train, test or all, which may lack one of both.
            Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.MNIST``", how="observed in")}"""

    _owner = "MnistDataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    # the test files come first, as their names are sorted
    _files: ClassVar[dict[str, Any]] = {
        "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
        "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    }

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
        self._folder = self._open_folder(dataset_dir)
        self.usage = self._choose("usage", usage, self._choices(), "all")
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _choices(self) -> list[str]:
        return ["train", "test", "all"]

    def _pairs(self) -> list[tuple[str, str]]:
        return [pair for usage, pair in self._files.items() if self.usage in (usage, "all")]

    def _present(self) -> list[tuple[str, str]]:
        """The pairs of files to read: of all of them, those of which at least one file is there."""
        pairs = self._pairs()
        present = [pair for pair in pairs if any(map(self._find, pair))]
        return present or pairs

    def _load(self) -> list[np.ndarray]:
        images, labels = [], []
        for image_file, label_file in self._present():
            images.append(_idx(self._path(image_file))[..., None])
            labels.append(self._labels_of(_idx(self._path(label_file))))
        return [np.concatenate(images), np.concatenate(labels)]

    def _labels_of(self, value: np.ndarray) -> np.ndarray:
        return value.astype(np.uint32)

    def _find(self, name: str) -> str | None:
        for path in (os.path.join(self._folder, name), os.path.join(self._folder, f"{name}.gz")):
            if os.path.isfile(path):
                return path
        return None

    def _path(self, name: str) -> str:
        path = self._find(name)
        if path is not None:
            return path
        raise RuntimeError(
            f"For '{self._owner}', the file {name} (or {name}.gz) is missing in {self.dataset_dir}."
        )


class FashionMnistDataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = str(MnistDataset.__doc__).replace("Digits (MNIST)", "Clothes (Fashion-MNIST)")
    _owner = "FashionMnistDataset"


class KMnistDataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = str(MnistDataset.__doc__).replace("Digits (MNIST)", "Japanese characters (KMNIST)")
    _owner = "KMnistDataset"


class QMnistDataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""Digits (QMNIST); the columns are ``image`` of shape (28, 28, 1) and ``label``.

    Args:
        dataset_dir (str): the folder of ``qmnist-train-images-idx3-ubyte`` and the others.
        usage (str, optional): train, test, test10k, test50k, nist or all. Default: ``None``, all.
        compat (bool, optional): whether the label is the digit alone. Default: ``True``.
        {COMMON.format(torch="``torchvision.datasets.QMNIST``", how="observed in")}"""

    _owner = "QMnistDataset"
    _stems: ClassVar[dict[str, Any]] = {
        "train": ("qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int"),
        "test": ("qmnist-test-images-idx3-ubyte", "qmnist-test-labels-idx2-int"),
        "nist": ("xnist-images-idx3-ubyte", "xnist-labels-idx2-int"),
    }

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        compat: bool = True,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.compat = True if compat is None else Check(self._owner).flag("compat", compat)
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _choices(self) -> list[str]:
        return ["train", "test", "test10k", "test50k", "nist", "all"]

    def _load(self) -> list[np.ndarray]:
        expected = list(self._stems) if self.usage == "all" else [self.usage]
        images, labels = [], []
        for usage in expected:
            # the test files hold 10000 images of MNIST's test and 50000 others
            part = {"test10k": slice(10000), "test50k": slice(10000, None)}.get(usage, slice(None))
            image_file, label_file = self._stems["test" if usage.startswith("test") else usage]
            images.append(_idx(self._path(image_file))[part][..., None])
            labels.append(self._labels_of(_idx(self._path(label_file))[part]))
        return [np.concatenate(images), np.concatenate(labels)]

    def _labels_of(self, value: np.ndarray) -> np.ndarray:
        return (value[:, 0] if self.compat else value).astype(np.uint32)


class EMnistDataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""Letters and digits (EMNIST); the columns are ``image`` and ``label``.

    Args:
        dataset_dir (str): the folder of ``emnist-mnist-train-images-idx3-ubyte`` and the others.
        name (str): byclass, bymerge, balanced, letters, digits or mnist.
        usage (str, optional): train, test or all. Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.EMNIST``", how="observed in")}"""

    _owner = "EMnistDataset"

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        kinds = ["byclass", "bymerge", "balanced", "letters", "digits", "mnist"]
        self.name = Check(self._owner).choice("name", name, kinds)
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _pairs(self) -> list[tuple[str, str]]:
        usages = ["test", "train"] if self.usage == "all" else [self.usage]
        stems = [f"emnist-{self.name}-{usage}" for usage in usages]
        return [(f"{stem}-images-idx3-ubyte", f"{stem}-labels-idx1-ubyte") for stem in stems]


class Cifar10Dataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""Small pictures of 10 classes (CIFAR-10); the columns are ``image``, ``label``.

    Args:
        dataset_dir (str): the folder of the binary version, ``data_batch_1.bin`` and the others.
        usage (str, optional): train, test or all. Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.CIFAR10``", how="observed in")}"""

    _owner = "Cifar10Dataset"
    _parts: ClassVar[dict[str, Any]] = {
        "train": [f"data_batch_{i}.bin" for i in range(1, 6)],
        "test": ["test_batch.bin"],
    }
    _label_bytes = 1

    def _load(self) -> list[np.ndarray]:
        records = []
        size = self._label_bytes + 3072
        for usage, names in self._parts.items():
            for name in names if self.usage in (usage, "all") else ():
                data = file_bytes(self._path(name))
                if not data.size or data.size % size:
                    raise RuntimeError(
                        f"For '{self._owner}', the file {name} of {self.dataset_dir} must consist "
                        f"of records of {size} bytes, but has {data.size}; use the binary version."
                    )
                records.append(data.reshape(-1, size))
        joined = np.concatenate(records)
        images = joined[:, self._label_bytes :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        labels = joined[:, : self._label_bytes].astype(np.uint32)
        return [np.ascontiguousarray(images), *labels.T]


class Cifar100Dataset(Cifar10Dataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""Small pictures of 100 classes (CIFAR-100).

    The columns are ``image``, ``coarse_label``, ``fine_label``.

    Args:
        dataset_dir (str): the folder of the binary version, ``train.bin`` and ``test.bin``.
        usage (str, optional): train, test or all. Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.CIFAR100``", how="observed in")}"""

    _owner = "Cifar100Dataset"
    _names: ClassVar[list[str]] = ["image", "coarse_label", "fine_label"]
    _parts: ClassVar[dict[str, Any]] = {"test": ["test.bin"], "train": ["train.bin"]}
    _label_bytes = 2


class STL10Dataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 10 classes (STL-10); the columns are ``image``, ``label``.

    Args:
        dataset_dir (str): the folder of ``train_X.bin``, ``train_y.bin`` and the others.
        usage (str, optional): train, test, unlabeled, train+unlabeled or all.
            Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.STL10``", how="observed in")}"""

    _owner = "STL10Dataset"

    def _choices(self) -> list[str]:
        return ["train", "test", "unlabeled", "train+unlabeled", "all"]

    def _load(self) -> list[np.ndarray]:
        expected = ["test", "train", "unlabeled"] if self.usage == "all" else self.usage.split("+")
        images, labels = [], []
        for usage in expected:
            path = self._path(f"{usage}_X.bin")
            value = file_bytes(path)
            if not value.size or value.size % (3 * 96 * 96):
                raise RuntimeError(
                    f"For '{self._owner}', the file {path} must consist of images of "
                    f"{3 * 96 * 96} bytes, but has {value.size}."
                )
            value = value.reshape(-1, 3, 96, 96)
            images.append(value.transpose(0, 3, 2, 1))
            if usage == "unlabeled":
                labels.append(np.full(len(value), -1, np.int32))
            else:
                labels.append(file_bytes(self._path(f"{usage}_y.bin")).astype(np.int32) - 1)
        return [np.concatenate(images), np.concatenate(labels)]


class SemeionDataset(_Arrays):  # noqa: D101 (its text is made below)
    __doc__ = f"""Digits (Semeion); the columns are ``image`` of shape (16, 16) and ``label``.

    Args:
        dataset_dir (str): the folder of ``semeion.data``.
        {COMMON.format(torch="``torchvision.datasets.SEMEION``", how="observed in")}"""

    _owner = "SemeionDataset"
    _names: ClassVar[list[str]] = ["image", "label"]

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
        self._folder = self._open_folder(dataset_dir)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _load(self) -> list[np.ndarray]:
        path = os.path.join(self._folder, "semeion.data")
        check_readable(self._owner, "dataset_dir", path, folder=False)
        with reading(self._owner, path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy warns of an empty file
            value = np.loadtxt(path, ndmin=2)
        if value.shape[1] != 266:
            raise RuntimeError(
                f"For '{self._owner}', every line of {path} must have 266 numbers, but the first "
                f"has {value.shape[1]}."
            )
        if not np.isin(value, (0, 1)).all():
            raise RuntimeError(
                f"For '{self._owner}', {path} must consist of the numbers 0 and 1; it is damaged."
            )
        images = value[:, :256].reshape(-1, 16, 16).astype(np.uint8)
        return [images, value[:, 256:].argmax(1).astype(np.uint32)]


class SVHNDataset(MnistDataset):  # noqa: D101 (its text is made below)
    __doc__ = f"""House numbers (SVHN); the columns are ``image``, ``label``.

    The files are MATLAB's, of level 5, and are read without SciPy.

    Args:
        dataset_dir (str): the folder of ``train_32x32.mat`` and the others.
        usage (str, optional): train, test, extra or all. Default: ``None``, all.
        {COMMON.format(torch="``torchvision.datasets.SVHN``", how="described for")}"""

    _owner = "SVHNDataset"

    def _choices(self) -> list[str]:
        return ["train", "test", "extra", "all"]

    def _load(self) -> list[np.ndarray]:
        images, labels = [], []
        for usage in ["train", "test", "extra"] if self.usage == "all" else [self.usage]:
            path = self._path(f"{usage}_32x32.mat")
            with reading(self._owner, path):
                value = read_arrays(path, ("X", "y"))
                image, label = value["X"], value["y"].reshape(-1)
                if image.dtype != np.uint8 or image.ndim != 4:
                    raise ValueError(
                        "X must be bytes of 4 dimensions, but it is "
                        f"{image.dtype} of shape {image.shape}"
                    )
                if image.shape[3] != len(label):
                    raise ValueError(f"X has {image.shape[3]} images, but y {len(label)} labels")
                if ((label < 0) | (label > 10) | (label != np.floor(label))).any():
                    raise ValueError("y must be digits, 0 to 10")
            images.append(image.transpose(3, 0, 1, 2))
            labels.append(np.where(label == 10, 0, label).astype(np.uint32))
        return [np.concatenate(images), np.concatenate(labels)]
