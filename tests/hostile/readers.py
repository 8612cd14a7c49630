"""Every reader of a file that a program is given: a small good file, how it is read, what may come.

A reader's ``kinds`` are those that its documentation names for a damaged file.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import pathlib
import pickle
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image

import agar as ms
import agar.dataset as ds
from agar.dataset import text, vision
from agar.migrate import convert_weights, read_torch_file
from agar.migrate.report import saved
from agar.migrate.result import Report
from agar.mindrecord import FileReader, FileWriter
from agar.mindrecord.common.exceptions import MRMOpenForAppendError
from agar.mindrecord.tools._convert import pickled
from agar.mindrecord.tools.mnist_to_mr import _idx
from agar.train import (
    load_by_structure,
    load_pretrained,
    load_training_state,
    save_training_state,
)
from dataset.matlab_files import mat_array, mat_file, mat_packed
from dataset.source_files import CASES, LAYOUTS, write
from hostile.mutations import Change, changed_json, changed_text, json_bytes, json_file, json_lines


@dataclass
class Reader:
    """How a reader is tried.

    Attributes:
        make: writes the good files into a folder and gives the names of those that are damaged.
        read: reads them; what it returns is thrown away.
        kinds: what the documentation names for damaged files.
        change: a change that knows the format.
        mode: read in GRAPH_MODE and PYNATIVE_MODE alike.
    """

    make: Callable[[str], list[str]]
    read: Callable[[str], Any]
    kinds: tuple[type[Exception], ...]
    change: Change | None = None
    check: Callable[[], Any] | None = None


READERS: dict[str, Reader] = {}
D = RuntimeError  # what sources of datasets raise while they are read
V = ValueError


def put(folder: str, name: str, data: bytes | str) -> str:
    path = os.path.join(folder, name)
    try:
        file = open(path, "wb")  # noqa: SIM115
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path))
        file = open(path, "wb")  # noqa: SIM115
    with file:
        file.write(data.encode() if isinstance(data, str) else data)
    return name


def files(**content: bytes | str) -> Callable[[str], list[str]]:
    def make(folder: str) -> list[str]:
        return [put(folder, name, data) for name, data in content.items()]

    return make


def named(content: dict[str, bytes | str], damaged: list[str]) -> Callable[[str], list[str]]:
    def make(folder: str) -> list[str]:
        for name, data in content.items():
            put(folder, name, data)
        return damaged

    return make


def drained(dataset: Any) -> int:
    dataset.get_dataset_size()
    dataset.get_col_names()
    return sum(1 for _ in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))


def source(kind: Any, *args: Any, **kwargs: Any) -> Callable[[str], Any]:
    """Reads a dataset of a folder; an argument that begins with @ is a file in it."""

    def read(folder: str) -> Any:
        given = [_in(folder, a) for a in args]
        options = {k: _in(folder, v) for k, v in kwargs.items()}
        return drained(kind(*given, shuffle=False, **options))

    return read


def _in(folder: str, value: Any) -> Any:
    if isinstance(value, str) and value.startswith("@"):
        return os.path.join(folder, value[1:]) if value != "@" else folder
    return value


def pixels(kind: str, size: tuple[int, int] = (6, 5), **options: Any) -> bytes:
    out = io.BytesIO()
    drawn = np.random.RandomState(0).randint(0, 255, (size[1], size[0], 3), np.uint8)
    Image.fromarray(drawn).save(out, kind, **options)
    return out.getvalue()


JPEG, PNG = pixels("JPEG"), pixels("PNG")

# --- MindRecord ----------------------------------------------------------------------------------

_SCHEMA = {
    "label": {"type": "int32"},
    "score": {"type": "float32"},
    "name": {"type": "string"},
    "data": {"type": "bytes"},
    "mask": {"type": "int64", "shape": [-1]},
}


def _mindrecord(folder: str) -> str:
    file = os.path.join(folder, "a.mindrecord")
    writer = FileWriter(file)
    writer.set_header_size(16 << 10)
    writer.set_page_size(32 << 10)
    writer.add_schema(_SCHEMA)
    writer.add_index(["label"])
    rows = [
        {
            "label": i,
            "score": i / 2,
            "name": f"row {i}",
            "data": bytes([i] * 9),
            "mask": np.array([i, -300, 1 << 40]),
        }
        for i in range(5)
    ]
    writer.write_raw_data(rows)
    writer.commit()
    return file


def _mindrecord_change(data: bytes, rng: random.Random) -> bytes:
    (length,) = struct.unpack("<Q", data[:8])
    if rng.random() < 0.5:  # the first rows of the two pages
        place = rng.choice(((16 << 10), (48 << 10))) + rng.randrange(120)
        value = rng.choice((b"\xff" * 8, bytes(8), rng.randbytes(1), rng.randbytes(8)))
        return data[:place] + value + data[place + len(value) :]
    header = json_bytes(changed_json(json.loads(data[8 : 8 + length]), rng))
    result = struct.pack("<Q", len(header)) + header
    return result.ljust(16 << 10, b"\0") + data[16 << 10 :]


def _read_mindrecord(folder: str) -> None:
    reader = FileReader(os.path.join(folder, "a.mindrecord"))
    try:
        reader.len()
        list(reader.get_next())
    finally:
        reader.close()


def _make_mindrecord(*names: str) -> Callable[[str], list[str]]:
    def make(folder: str) -> list[str]:
        _mindrecord(folder)
        if "a.mindrecord.db" not in names and "keep" not in names:
            os.remove(os.path.join(folder, "a.mindrecord.db"))
        return [name for name in names if name != "keep"]

    return make


READERS["FileReader"] = Reader(
    _make_mindrecord("a.mindrecord", "keep"), _read_mindrecord, (V,), _mindrecord_change
)
READERS["FileReader without index"] = Reader(
    _make_mindrecord("a.mindrecord"), _read_mindrecord, (V,), _mindrecord_change
)
READERS["FileReader's index"] = Reader(_make_mindrecord("a.mindrecord.db"), _read_mindrecord, (V,))
READERS["MindDataset"] = Reader(
    _make_mindrecord("a.mindrecord", "keep"),
    source(ds.MindDataset, "@a.mindrecord"),
    (V, RuntimeError),
    _mindrecord_change,
)


def _append(folder: str) -> None:
    FileWriter.open_for_append(os.path.join(folder, "a.mindrecord"))


READERS["FileWriter.open_for_append"] = Reader(
    _make_mindrecord("a.mindrecord", "keep"),
    _append,
    (MRMOpenForAppendError,),
    _mindrecord_change,
)


def _batch(folder: str) -> list[str]:
    content = {
        "batch_label": "one",
        "labels": [1, 2, 3],
        "filenames": ["a.png", "b.png", "c.png"],
        "data": np.arange(3 * 3072, dtype=np.uint64).astype(np.uint8).reshape(3, 3072),
    }
    return [put(folder, "batch", pickle.dumps(content, protocol=2))]


READERS["Cifar10ToMR"] = Reader(_batch, lambda f: pickled(os.path.join(f, "batch")), (V,))

_IMAGES = bytes([0, 0, 8, 3]) + struct.pack(">3I", 2, 3, 3) + bytes(range(18))
_LABELS = bytes([0, 0, 8, 1]) + struct.pack(">I", 2) + b"\1\2"
READERS["MnistToMR"] = Reader(
    files(**{"x.gz": gzip.compress(_IMAGES)}), lambda f: _idx(os.path.join(f, "x.gz"), 3), (V,)
)

# --- sources of images ---------------------------------------------------------------------------

_MNIST = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"]
READERS["MnistDataset"] = Reader(
    files(**dict(zip(_MNIST, (_IMAGES, _LABELS), strict=True))),
    source(ds.MnistDataset, "@", "train"),
    (D,),
)
READERS["MnistDataset, gzip"] = Reader(
    files(**{f"{n}.gz": gzip.compress(d) for n, d in zip(_MNIST, (_IMAGES, _LABELS), strict=True)}),
    source(ds.MnistDataset, "@", "train"),
    (D,),
)
READERS["QMnistDataset"] = Reader(
    files(
        **{
            "qmnist-train-images-idx3-ubyte": _IMAGES,
            "qmnist-train-labels-idx2-int": bytes([0, 0, 12, 2])
            + struct.pack(">2I", 2, 8)
            + bytes(64),
        }
    ),
    source(ds.QMnistDataset, "@", "train"),
    (D,),
)
READERS["Cifar10Dataset"] = Reader(
    named({"test_batch.bin": bytes(3073) * 2}, ["test_batch.bin"]),
    source(ds.Cifar10Dataset, "@", "test"),
    (D,),
)
READERS["Cifar100Dataset"] = Reader(
    files(**{"test.bin": bytes(3074) * 2}), source(ds.Cifar100Dataset, "@", "test"), (D,)
)
READERS["STL10Dataset"] = Reader(
    files(**{"train_X.bin": bytes(3 * 96 * 96), "train_y.bin": b"\3"}),
    source(ds.STL10Dataset, "@", "train"),
    (D,),
)
READERS["SemeionDataset"] = Reader(
    files(**{"semeion.data": (" ".join(["1.0000"] * 256) + " 0 0 1 0 0 0 0 0 0 0 \n") * 2}),
    source(ds.SemeionDataset, "@"),
    (D,),
    changed_text,
)
READERS["USPSDataset"] = Reader(
    files(usps="4 " + " ".join(f"{i}:{-1 + i / 128:.4f}" for i in range(1, 257)) + " \n"),
    source(ds.USPSDataset, "@", "train"),
    (D,),
    changed_text,
)


_MAT = [
    mat_array("<", b"X", np.arange(48, dtype=np.uint8).reshape(2, 2, 3, 4), 2, 9),
    mat_array("<", b"y", np.array([[10], [1], [2], [3]], np.uint8), 2, 9),
]


def _mat_change(data: bytes, rng: random.Random) -> bytes:
    """A compressed file whose content is damaged."""
    content = bytearray(b"".join(_MAT))
    for _ in range(rng.choice((1, 2, 8))):
        content[rng.randrange(len(content))] = rng.choice((0, 1, 14, 15, 255, rng.randrange(256)))
    cut = len(_MAT[0])
    return mat_file("<", *(mat_packed("<", bytes(c)) for c in (content[:cut], content[cut:])))


READERS["SVHNDataset"] = Reader(
    files(**{"test_32x32.mat": mat_file("<", *_MAT)}), source(ds.SVHNDataset, "@", "test"), (D,)
)
READERS["SVHNDataset, compressed"] = Reader(
    files(**{"test_32x32.mat": mat_file("<", *(mat_packed("<", e) for e in _MAT))}),
    source(ds.SVHNDataset, "@", "test"),
    (D,),
    _mat_change,
)


READERS["ImageFolderDataset"] = Reader(
    named({"a/1.jpg": JPEG}, ["a/1.jpg"]), source(ds.ImageFolderDataset, "@", decode=True), (D,)
)


def _manifest(folder: str) -> list[str]:
    put(folder, "1.jpg", JPEG)
    lines = [
        {"source": f"file://{folder}/1.jpg", "usage": "train", "annotation": [{"name": name}]}
        for name in ("cat", "dog")
    ]
    return [put(folder, "a.manifest", "\n".join(map(json.dumps, lines)))]


def _read_manifest(folder: str) -> None:
    dataset = ds.ManifestDataset(os.path.join(folder, "a.manifest"), shuffle=False)
    dataset.get_class_indexing()
    drained(dataset)


READERS["ManifestDataset"] = Reader(_manifest, _read_manifest, (D,), json_lines)
READERS["CelebADataset"] = Reader(
    named(
        {
            "1.jpg": JPEG,
            "list_attr_celeba.txt": "1\nnames\n1.jpg " + " ".join(["1", "-1"] * 20) + "\n",
            "list_eval_partition.txt": "1.jpg 0\n",
        },
        ["list_attr_celeba.txt", "list_eval_partition.txt"],
    ),
    source(ds.CelebADataset, "@", usage="train"),
    (D,),
    changed_text,
)
_XML = (
    "<annotation><object><name>cat</name><truncated>0</truncated><difficult>1</difficult><bndbox>"
    "<xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>"
)
_VOC = {
    "JPEGImages/x1.jpg": JPEG,
    "SegmentationClass/x1.png": PNG,
    "Annotations/x1.xml": _XML,
    "ImageSets/Main/train.txt": "x1\n",
    "ImageSets/Segmentation/train.txt": "x1\n",
}


def _read_voc(folder: str) -> None:
    dataset = ds.VOCDataset(folder, "Detection", shuffle=False)
    dataset.get_class_indexing()
    drained(dataset)


READERS["VOCDataset, boxes"] = Reader(
    named(_VOC, ["Annotations/x1.xml", "ImageSets/Main/train.txt"]), _read_voc, (D,), changed_text
)
READERS["VOCDataset, masks"] = Reader(
    named(_VOC, ["SegmentationClass/x1.png", "ImageSets/Segmentation/train.txt"]),
    source(ds.VOCDataset, "@", decode=True),
    (D,),
)
_COCO = {
    "images": [{"id": 1, "file_name": "1.jpg"}],
    "annotations": [
        {
            "image_id": 1,
            "category_id": kind,
            "bbox": [1, 2, 3.5, 2],
            "iscrowd": 0,
            "area": 5,
            "segmentation": [[1, 1, 2, 2, 3, 3]],
            "keypoints": [1, 2, 2] * 3,
            "num_keypoints": 3,
            "caption": f"caption {kind}",
            "segments_info": [{"category_id": 2, "bbox": [1, 2, 3, 4], "iscrowd": 0, "area": 5}],
        }
        for kind in (2, 3)
    ],
    "categories": [{"id": 2, "name": "car", "isthing": 1}, {"id": 3, "name": "dog", "isthing": 0}],
}


def _read_coco(task: str) -> Callable[[str], None]:
    def read(folder: str) -> None:
        dataset = ds.CocoDataset(folder, os.path.join(folder, "a.json"), task, shuffle=False)
        if task in ("Detection", "Panoptic"):
            dataset.get_class_indexing()
        drained(dataset)

    return read


for _task in ("Detection", "Stuff", "Keypoint", "Panoptic", "Captioning"):
    READERS[f"CocoDataset, {_task}"] = Reader(
        named({"1.jpg": JPEG, "a.json": json.dumps(_COCO)}, ["a.json"]),
        _read_coco(_task),
        (D,),
        json_file,
    )

# --- encoded images ------------------------------------------------------------------------------

for _kind in ("JPEG", "PNG", "BMP", "GIF", "TIFF", "WEBP"):
    READERS[f"vision.Decode, {_kind}"] = Reader(
        files(image=pixels(_kind)),
        lambda folder: vision.Decode()(np.fromfile(os.path.join(folder, "image"), np.uint8)),
        (D,),
    )
READERS["vision.Decode(to_pil=True)"] = Reader(
    files(image=PNG),
    lambda folder: vision.Decode(True)(np.fromfile(os.path.join(folder, "image"), np.uint8)),
    (V,),
)
READERS["vision.read_image"] = Reader(
    files(image=PNG), lambda folder: vision.read_image(os.path.join(folder, "image")), (D,)
)

# --- sources of text -----------------------------------------------------------------------------

_CSV = "x,name,f\n1,one,0.5\n2,two,1.5\n"
READERS["CSVDataset"] = Reader(
    files(**{"a.csv": _CSV}),
    source(ds.CSVDataset, "@a.csv", column_defaults=[0, "", 0.0]),
    (D,),
    changed_text,
)
READERS["TextFileDataset"] = Reader(
    files(**{"a.txt": "one two\nthree\n\nfour"}),
    source(ds.TextFileDataset, "@a.txt"),
    (D,),
    changed_text,
)
READERS["AGNewsDataset"] = Reader(
    files(**{"train.csv": '"1","a title","a text"\n"2","x ""y""","z"\n'}),
    source(ds.AGNewsDataset, "@", "train"),
    (D,),
    changed_text,
)
READERS["SST2Dataset"] = Reader(
    files(**{"train.tsv": "sentence\tlabel\ngood\t1\nbad\t0\n"}),
    source(ds.SST2Dataset, "@", "train"),
    (D,),
    changed_text,
)
READERS["EnWik9Dataset"] = Reader(
    files(enwik9="<page>\none\n\n"), source(ds.EnWik9Dataset, "@"), (D,), changed_text
)
_TARGET = {"span1_index": 1, "span1_text": "a", "span2_index": 2, "span2_text": "b"}
_WSC = {"idx": 1, "label": "true", "target": _TARGET, "text": "t"}
READERS["CLUEDataset"] = Reader(
    files(**{"a.json": "\n".join([json.dumps(_WSC)] * 2)}),
    source(ds.CLUEDataset, "@a.json", "WSC"),
    (D,),
    json_lines,
)
READERS["CoNLL2000Dataset"] = Reader(
    files(**{"train.txt": "He PRP B-NP\nruns VBZ B-VP\n\nYes UH O\n"}),
    source(ds.CoNLL2000Dataset, "@", "train"),
    (D,),
    changed_text,
)
READERS["Multi30kDataset"] = Reader(
    files(**{"training/train.en": "one\ntwo\n", "training/train.de": "eins\nzwei\n"}),
    source(ds.Multi30kDataset, "@", "train"),
    (D,),
    changed_text,
)
READERS["IMDBDataset"] = Reader(
    named({"train/pos/1.txt": "good", "train/neg/1.txt": "bad film"}, ["train/neg/1.txt"]),
    source(ds.IMDBDataset, "@", "train"),
    (D,),
    changed_text,
)
READERS["Vocab.from_file"] = Reader(
    files(vocab="one\ntwo\nthree\n"),
    lambda folder: text.Vocab.from_file(os.path.join(folder, "vocab"), ","),
    (V, D),
    changed_text,
)
READERS["Vectors.from_file"] = Reader(
    files(vectors="2 3\none 1 2 3\ntwo 4 5 6\n"),
    lambda folder: text.Vectors.from_file(os.path.join(folder, "vectors")),
    (D,),
    changed_text,
)


def _lines(folder: str) -> None:
    reader = ds.utils.LineReader(os.path.join(folder, "lines"))
    try:
        for i in range(len(reader)):
            reader[i + 1]
    finally:
        reader.close()


READERS["LineReader"] = Reader(
    files(lines="one\ntwo\nthree\n"), _lines, (RuntimeError,), changed_text
)

# --- TFRecord, schemas, pipelines, configuration -------------------------------------------------


def _message(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


def _crc(data: bytes) -> bytes:
    """The masked CRC-32C of a TFRecord file, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def tfrecord(checksums: bool = True, count: int = 2) -> bytes:
    out = b""
    for i in range(count):
        features = {
            "n": (3, [bytes([i, 0xFF, 0x01])]),
            "f": (2, [struct.pack("<2f", 0.5, i)]),
            "s": (1, [f"text{i}".encode()]),
        }
        entries = b""
        for name, (kind, values) in features.items():
            listed = _message(kind, b"".join(_message(1, v) for v in values))
            entries += _message(1, _message(1, name.encode()) + _message(2, listed))
        data = _message(1, entries)
        size = struct.pack("<Q", len(data))
        ends = (_crc(size), _crc(data)) if checksums else (bytes(4), bytes(4))
        out += size + ends[0] + data + ends[1]
    return out


READERS["TFRecordDataset"] = Reader(
    files(**{"a.tfrecord": tfrecord()}), source(ds.TFRecordDataset, "@a.tfrecord"), (D,)
)
READERS["TFRecordDataset without checksums"] = Reader(
    files(**{"a.tfrecord": tfrecord(False)}), source(ds.TFRecordDataset, "@a.tfrecord"), (D,)
)
for _name, _packed in (("GZIP", gzip.compress(tfrecord())), ("ZLIB", zlib.compress(tfrecord()))):
    READERS[f"TFRecordDataset, {_name}"] = Reader(
        files(**{"a.tfrecord": _packed}),
        source(ds.TFRecordDataset, "@a.tfrecord", compression_type=_name),
        (D,),
    )
_COLUMNS = {
    "datasetType": "TF",
    "numRows": 2,
    "columns": {"n": {"type": "int64", "shape": [2]}, "s": {"type": "string", "rank": 1}},
}
READERS["Schema"] = Reader(
    files(**{"schema.json": json.dumps(_COLUMNS)}),
    lambda folder: ds.Schema(os.path.join(folder, "schema.json")),
    (V, RuntimeError),
    json_file,
)


def _pipeline(folder: str) -> list[str]:
    data = ds.FakeImageDataset(4, (4, 4, 3), 3, sampler=ds.SequentialSampler(0, 2)).batch(2)
    return [put(folder, "pipeline.json", json.dumps(ds.serialize(data.repeat(2))))]


READERS["dataset.deserialize"] = Reader(
    _pipeline,
    lambda folder: ds.deserialize(json_filepath=os.path.join(folder, "pipeline.json")),
    (V, NotImplementedError),
    json_file,
)


def _settings(folder: str) -> list[str]:
    content = {"seed": 3, "numParallelWorkers": 2, "monitorSamplingInterval": 10}
    return [put(folder, "config.json", json.dumps(content))]


def _state_of_config() -> tuple[Any, ...]:
    config = ds.config
    return (
        config.get_seed(),
        config.get_num_parallel_workers(),
        config.get_monitor_sampling_interval(),
        config.get_prefetch_size(),
    )


READERS["dataset.config.load"] = Reader(
    _settings,
    lambda folder: ds.config.load(os.path.join(folder, "config.json")),
    (RuntimeError,),
    json_file,
    _state_of_config,
)
_DUMP = {
    "common_dump_settings": {
        "dump_mode": 2,
        "path": "dumped",
        "net_name": "net",
        "iteration": "0|5-8",
        "saved_data": "tensor",
        "input_output": 0,
    }
}


def _dump(folder: str) -> None:
    from agar.tools.data_dump import _read_config

    _read_config(os.path.join(folder, "dump.json"))


READERS["set_dump"] = Reader(files(**{"dump.json": json.dumps(_DUMP)}), _dump, (V,), json_file)

# --- checkpoints ---------------------------------------------------------------------------------


_NET = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.BatchNorm1d(3))


def _held() -> Any:
    random_state = json.dumps(ms._core.random.get_all_state(), default=str)
    values = [(n, p.asnumpy().tobytes()) for n, p in _NET.parameters_and_names()]
    return values, random_state, torch.get_rng_state().numpy().tobytes()


def _checkpoint(name: str, **options: Any) -> Callable[[str], list[str]]:
    def make(folder: str) -> list[str]:
        ms.save_checkpoint(
            _NET, os.path.join(folder, name), format=name.rpartition(".")[2], **options
        )
        return [name]

    return make


def _load(name: str, **options: Any) -> Callable[[str], Any]:
    def read(folder: str) -> Any:
        return ms.load_checkpoint(
            os.path.join(folder, name), format=name.rpartition(".")[2], **options
        )

    return read


def safetensors_change(data: bytes, rng: random.Random) -> bytes:
    (length,) = struct.unpack("<Q", data[:8])
    header = json_bytes(changed_json(json.loads(data[8 : 8 + length]), rng))
    return struct.pack("<Q", len(header)) + header + data[8 + length :]


READERS["load_checkpoint, ckpt"] = Reader(_checkpoint("a.ckpt"), _load("a.ckpt"), (V,), check=_held)
READERS["load_checkpoint(crc_check=True), ckpt"] = Reader(
    _checkpoint("a.ckpt", crc_check=True), _load("a.ckpt", crc_check=True), (V,), check=_held
)
READERS["load_checkpoint, safetensors"] = Reader(
    _checkpoint("a.safetensors"), _load("a.safetensors"), (V,), safetensors_change, _held
)
READERS["load_checkpoint(crc_check=True), safetensors"] = Reader(
    _checkpoint("a.safetensors", crc_check=True),
    _load("a.safetensors", crc_check=True),
    (V,),
    safetensors_change,
    _held,
)


class Counter:
    """An object with a state in a training's file."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"best": 0.5, "seen": (1, "x"), "table": np.arange(3)}

    def state_dict(self) -> dict[str, Any]:
        return dict(self.state)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        if not isinstance(state, dict):  # what the program's own code raises passes as it is
            raise ValueError(f"For 'Counter', the state is {state!r}")
        self.state = dict(state)


class Plain:
    """An object whose attributes are kept."""

    def __init__(self) -> None:
        self.best = 0.5
        self.values = [1, 2]


_COUNTER, _PLAIN = Counter(), Plain()


def _training(folder: str) -> list[str]:
    save_training_state(
        os.path.join(folder, "a.ckpt"),
        _NET,
        {"epoch": 1, "outputs": (ms.Tensor([1.0]), [np.float32(2)])},
        counter=_COUNTER,
        plain=_PLAIN,
    )
    return ["a.ckpt"]


def _state_text_change(data: bytes, rng: random.Random) -> bytes:
    """Another JSON text in the file, which is whole again: with its lengths and checksum."""
    from agar.train import _ckpt_codec
    from agar.train.resume import _TEXT

    with_text = _FOLDERS.setdefault("training", None)
    assert with_text is not None
    put(with_text, "change.ckpt", data)
    path = os.path.join(with_text, "change.ckpt")
    entries = dict(_ckpt_codec.read(path, copy=True))
    state = changed_json(json.loads(entries[_TEXT]), rng)
    entries[_TEXT] = json.dumps(state)
    _ckpt_codec.write(path, entries.items(), crc=True)
    with open(path, "rb") as file:
        return file.read()


_FOLDERS: dict[str, Any] = {}


def _make_training(folder: str) -> list[str]:
    _FOLDERS["training"] = os.path.join(folder, "change")
    os.makedirs(_FOLDERS["training"])
    return _training(folder)


def _held_by_training() -> Any:
    return _held(), repr(_COUNTER.state), repr(vars(_PLAIN))


READERS["load_training_state"] = Reader(
    _make_training,
    lambda folder: load_training_state(
        os.path.join(folder, "a.ckpt"), _NET, counter=_COUNTER, plain=_PLAIN
    ),
    (V,),
    _state_text_change,
    _held_by_training,
)

# --- files of PyTorch ----------------------------------------------------------------------------

_MODULE = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))


def _torch_file(folder: str) -> list[str]:
    torch.save({"model": _MODULE.state_dict(), "epoch": 3}, os.path.join(folder, "a.pth"))
    return ["a.pth"]


def _old_torch_file(folder: str) -> list[str]:
    path = os.path.join(folder, "a.pth")
    torch.save(_MODULE.state_dict(), path, _use_new_zipfile_serialization=False)
    return ["a.pth"]


def zip_change(data: bytes, rng: random.Random) -> bytes:
    """One entry of the archive changed, in an archive that is whole."""
    entries = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            entries[name] = archive.read(name)
    chosen = rng.choice([n for n in entries if n.endswith("data.pkl")] * 3 + list(entries))
    content = entries[chosen]
    if content:
        out = bytearray(content)
        for _ in range(rng.choice((1, 2, 4))):
            out[rng.randrange(len(out))] = rng.randrange(256)
        entries[chosen] = bytes(out)
    if rng.random() < 0.2:
        other = rng.choice(list(entries))
        del entries[other]
    out_file = io.BytesIO()
    with zipfile.ZipFile(out_file, "w") as archive:
        for name, value in entries.items():
            name = name if rng.random() > 0.03 else f"../{name}"
            archive.writestr(name, value)
    return out_file.getvalue()


READERS["read_torch_file"] = Reader(
    _torch_file, lambda folder: read_torch_file(os.path.join(folder, "a.pth")), (V,), zip_change
)
READERS["read_torch_file, old format"] = Reader(
    _old_torch_file, lambda folder: read_torch_file(os.path.join(folder, "a.pth")), (V,)
)
READERS["read_torch_file, safetensors"] = Reader(
    _checkpoint("a.safetensors"),
    lambda folder: read_torch_file(os.path.join(folder, "a.safetensors")),
    (V,),
    safetensors_change,
)


def _sharded(folder: str) -> list[str]:
    ms.save_checkpoint(_NET, os.path.join(folder, "a.safetensors"), format="safetensors")
    names = [p.name for p in _NET.get_parameters()]
    content = {"metadata": {}, "weight_map": dict.fromkeys(names, "a.safetensors")}
    return [put(folder, "model.safetensors.index.json", json.dumps(content))]


READERS["read_torch_file, index"] = Reader(
    _sharded, lambda folder: read_torch_file(folder), (V, FileNotFoundError), json_file
)
READERS["load_pretrained"] = Reader(
    lambda folder: [*_sharded(folder), put(folder, "config.json", json.dumps({"a": 1}))],
    lambda folder: load_pretrained(lambda config: _NET, folder),
    (V, RuntimeError, FileNotFoundError),
    json_file,
    _held,
)
READERS["load_checkpoint, pth"] = Reader(
    _checkpoint("a.pth"),
    lambda folder: ms.load_checkpoint(os.path.join(folder, "a.pth")),
    (V,),
    zip_change,
)
READERS["load_by_structure"] = Reader(
    _torch_file,
    lambda folder: load_by_structure(_NET, os.path.join(folder, "a.pth"), strict=True),
    (V, RuntimeError),
    zip_change,
    _held,
)
READERS["load_by_structure, old format"] = Reader(
    _old_torch_file,
    lambda folder: load_by_structure(_NET, os.path.join(folder, "a.pth"), dry_run=True),
    (V,),
    None,
    _held,
)


def _convert(name: str) -> Callable[[str], Any]:
    def read(folder: str) -> Any:
        target = "b.ckpt" if name.endswith("pth") else "b.pth"
        out = os.path.join(folder, target)
        if os.path.exists(out):
            os.remove(out)
        try:
            return convert_weights(os.path.join(folder, name), out)
        except Exception:
            assert not os.path.exists(out), "a conversion that failed left its target"
            raise

    return read


READERS["convert_weights, pth"] = Reader(_torch_file, _convert("a.pth"), (V,), zip_change)
READERS["convert_weights, ckpt"] = Reader(_checkpoint("a.ckpt"), _convert("a.ckpt"), (V,))
READERS["convert_weights, safetensors"] = Reader(
    _checkpoint("a.safetensors"), _convert("a.safetensors"), (V,), safetensors_change
)

# --- the layouts of `source_files`


def _layout(name: str) -> Callable[[str], list[str]]:
    def make(folder: str) -> list[str]:
        write(folder, name)
        # images have readers of their own
        return sorted(f for f in LAYOUTS[name]() if not f.endswith((".jpg", ".png", ".bmp")))

    return make


def _case(case: str) -> Callable[[str], Any]:
    kind, _, options = CASES[case]

    def read(folder: str) -> Any:
        given = {key: _in(folder, value) for key, value in options.items()}
        given.setdefault("dataset_dir", folder)
        return drained(getattr(ds, kind)(**given, shuffle=False))

    return read


for _name in (
    "YesNo", "CMUArctic", "LJSpeech", "LibriTTS", "SpeechCommands train", "Tedlium", "IWSLT2016",
    "SQuAD", "Cityscapes polygon", "Flickr", "Food101", "KITTI", "LFW", "LFW pairs all",
    "PhotoTour test", "Places365", "SBU", "SUN397", "WIDERFace",
):  # fmt: skip
    READERS[f"dataset.{_name}"] = Reader(
        _layout(CASES[_name][1]), _case(_name), (D,), None if _name == "Tedlium" else changed_text
    )

# --- exported networks and reports ---------------------------------------------------------------


def _mindir(folder: str) -> list[str]:
    ms.export(
        ms.nn.Dense(2, 1), ms.Tensor([[1.0, 2.0]]),
        file_name=os.path.join(folder, "a.mindir"), file_format="MINDIR",
    )  # fmt: skip
    return ["a.mindir"]


def mindir_change(data: bytes, rng: random.Random) -> bytes:
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    notes = header["__metadata__"]
    (key,) = (k for k in notes if k != "format")
    notes[key] = json.dumps(changed_json(json.loads(notes[key]), rng))
    result = json_bytes(header)
    return struct.pack("<Q", len(result)) + result + data[8 + length :]


READERS["agar.load"] = Reader(
    _mindir, lambda folder: ms.load(os.path.join(folder, "a.mindir")), (V,), mindir_change
)


_OF_MINDSPORE = pathlib.Path(__file__).parents[1] / "train" / "data" / "loop.mindir"
READERS["agar.load of MindSpore's"] = Reader(
    lambda folder: [put(folder, "a.mindir", _OF_MINDSPORE.read_bytes())],
    lambda folder: ms.load(os.path.join(folder, "a.mindir")),
    (V,),
)


def _report(folder: str) -> list[str]:
    Report("Net", "PYNATIVE_MODE").to_json(os.path.join(folder, "report.json"))
    return ["report.json"]


READERS["migrate.report.saved.read"] = Reader(
    _report, lambda folder: saved.read(os.path.join(folder, "report.json")), (V,), json_file
)
