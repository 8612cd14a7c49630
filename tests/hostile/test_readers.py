"""Every reader on damaged variants of a small file: a value, or the documented error.

2,000 variants of each file format; 500 of the data sets, which share a few ways to read.

Beside the error's kind, each is held to: a message that names the file or the reader; no memory
beyond a small allowance (the process may not grow by more); no endless loop; nothing half changed.
"""

from __future__ import annotations

import logging
import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
import agar.dataset as ds
from agar.mindrecord import FileReader
from agar.train import load_by_structure, load_training_state, save_training_state
from hostile.mutations import mutated
from hostile.readers import READERS, Reader, put, source, tfrecord

#: of each reader; `AGAR_MUTATIONS=20000` searches longer
COUNT = int(os.environ.get("AGAR_MUTATIONS", "2000"))
#: of the readers of one data set: lists, images and tables as others have them
SET_COUNT = max(COUNT // 4, 1)
#: Address space that a reader may take beyond what the process has: base files have some KB, and
#: Pillow opens plugins, torch its threads.
ALLOWANCE = 192 << 20
SECONDS = 20
#: after how many files the state of the process is compared
EACH = 10


class Hang(BaseException):
    """A reader does not come back."""


def _ring(*_: Any) -> None:
    raise Hang


SOFT, HARD = resource.getrlimit(resource.RLIMIT_AS)


def taken() -> int:
    """The address space of the process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


@contextmanager
def limits(size: int) -> Iterator[None]:
    """Little more memory than what was taken, and little time."""
    resource.setrlimit(resource.RLIMIT_AS, (size + ALLOWANCE, HARD))
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (SOFT, HARD))


def out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out somewhere below an error."""
    while error is not None:
        if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    # Pillow's limit is the bound of images; its own, 179 million pixels, is beyond ALLOWANCE
    monkeypatch.setattr("PIL.Image.MAX_IMAGE_PIXELS", 1 << 21)
    place = "/dev/shm" if os.path.isdir("/dev/shm") else None
    logging.disable(logging.CRITICAL)
    before = signal.signal(signal.SIGALRM, _ring)
    with tempfile.TemporaryDirectory(dir=place) as name:
        yield name
    signal.signal(signal.SIGALRM, before)
    logging.disable(logging.NOTSET)


def problem(reader: Reader, folder: str, names: list[str], size: int) -> str | None:
    """What is wrong with how a damaged file is taken, or None."""
    try:
        with limits(size):
            reader.read(folder)
    except reader.kinds as error:
        if out_of_memory(error):
            return "takes memory that the file does not have"
        text = str(error)
        if not any(word in text for word in [*names, folder, "For '", "["]):
            return f"says nothing of the file: {text[:200]}"
    except Hang:
        return "does not come back"
    except Exception as error:
        return f"raises {type(error).__name__}: {str(error)[:200]}"
    return None


@pytest.mark.slow
@pytest.mark.pynative  # files are read in the same way in both modes
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name, folder):
    reader = READERS[name]
    names = reader.make(folder)
    reader.read(folder)
    good = {}
    for file in names:
        with open(os.path.join(folder, file), "rb") as stream:
            good[file] = stream.read()
    items, size = [], 0
    count = SET_COUNT if name.startswith("dataset.") else COUNT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(count):
            file = names[seed // 2 % len(names)]
            path = os.path.join(folder, file)
            put(folder, file, mutated(good[file], seed, reader.change))
            if seed % EACH == 0:
                size = taken()
            compared = reader.check is not None and seed % EACH == 0
            before = reader.check() if compared and reader.check else None
            wrong = problem(reader, folder, names, size)
            if wrong is not None:
                items.append(f"{seed}: {wrong}")
            elif compared and reader.check and not _read_well(reader, folder):
                changed = reader.check() != before
                items += [f"{seed}: something is changed"] if changed else []
            os.remove(path)  # views of a mapped file keep the old one
            if len(names) > 1:  # the next variant may be another file's
                put(folder, file, good[file])
    assert not items, f"{len(items)} of {count}:\n" + "\n".join(items[:10])


def _read_well(reader: Reader, folder: str) -> bool:
    """Whether the file that lies there is read without an error."""
    try:
        reader.read(folder)
    except Exception:
        return False
    return True


# --- single cases, which damage at random finds seldom --------------------------------------------


def test_names_in_a_file_do_not_lead_out_of_its_folder(folder):
    READERS["FileReader"].make(folder)
    path = os.path.join(folder, "a.mindrecord")
    with open(path, "rb") as file:
        data = file.read()
    for name in (b"../mindrecord", b"/a.mindrecord", b"aa/mindrecord"):
        put(folder, "a.mindrecord", data.replace(b'["a.mindrecord"]', b'["' + name[:12] + b'"]'))
        with pytest.raises(ValueError, match="same folder"):
            FileReader(path)


def test_an_index_cannot_run_a_query_without_end(folder):
    READERS["FileReader"].make(folder)
    path = os.path.join(folder, "a.mindrecord")
    os.remove(path + ".db")
    base = sqlite3.connect(path + ".db")
    names = "ROW_ID PAGE_ID_RAW PAGE_OFFSET_RAW PAGE_OFFSET_RAW_END ROW_GROUP_ID PAGE_ID_BLOB"
    columns = ", ".join([*names.split(), "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END"])
    base.execute(
        f"CREATE VIEW INDEXES({columns}) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT "
        "x + 1 FROM c) SELECT x, x, x, x, x, x, x, x FROM c"
    )
    base.commit()
    base.close()
    with pytest.raises(ValueError, match="INDEXES"):
        FileReader(path)


def test_an_index_and_its_file_tell_the_same(folder):
    READERS["FileReader"].make(folder)
    path = os.path.join(folder, "a.mindrecord")
    base = sqlite3.connect(path + ".db")
    base.execute("UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = PAGE_OFFSET_BLOB_END + 1")
    base.commit()
    base.close()
    reader = FileReader(path)
    with pytest.raises(ValueError, match=r"a\.mindrecord is damaged in row 0.*another length"):
        list(reader.get_next())
    reader.close()
    os.remove(path + ".db")
    assert len(list(FileReader(path).get_next())) == 5  # the rows are found without it


def test_checksums_of_tfrecords(folder):
    data = tfrecord(count=3)
    put(folder, "a.tfrecord", data)
    read = source(ds.TFRecordDataset, "@a.tfrecord")
    assert read(folder) == 3
    put(folder, "a.tfrecord", data.replace(b"text1", b"texts"))
    with pytest.raises(RuntimeError, match=r"a\.tfrecord is damaged.*checksum"):
        read(folder)
    put(folder, "a.tfrecord", tfrecord(False).replace(b"text1", b"texts"))
    assert read(folder) == 2  # small writers leave both checksums zero


@pytest.mark.parametrize("size", [0, 1, 4, 63, 64, 2047, 2048, 2049, 4096, 70001])
def test_crc32c(size):
    from agar._core.tfrecord import _masked, crc32c
    from hostile.readers import _crc

    data = random.Random(size).randbytes(size)
    assert crc32c(b"123456789") == 0xE3069283  # the figure of RFC 3720
    assert _masked(crc32c(data)).to_bytes(4, "little") == _crc(data)


def test_compressed_files_do_not_grow_without_end(folder):
    import zlib

    packed = zlib.compress(bytes(1 << 22))  # zeros: below the limit, and no record
    put(folder, "a.tfrecord", packed[:-4])
    read = source(ds.TFRecordDataset, "@a.tfrecord", compression_type="ZLIB")
    with pytest.raises(RuntimeError, match=r"a\.tfrecord.*cut off"):
        read(folder)


def test_a_state_that_does_not_load_changes_nothing(tmp_path):
    class Stubborn:
        def __init__(self):
            self.value = 1

        def state_dict(self):
            return {"value": self.value}

        def load_state_dict(self, state):
            self.value = state["value"]
            if self.value == 7:
                raise KeyError("mine")

    class First(Stubborn):
        def load_state_dict(self, state):
            self.value = state["value"]

    net = ms.nn.Dense(2, 1)
    first, last = First(), Stubborn()
    file = str(tmp_path / "a.ckpt")
    last.value = 7
    save_training_state(file, net, {"step": 1}, first=first, last=last)
    first.value, last.value = 2, 3
    net.weight.set_data(ms.Tensor([[5.0, 6.0]]))
    held = torch.get_rng_state()
    with pytest.raises(KeyError, match="mine"):  # the error of the program's own code passes
        load_training_state(file, net, first=first, last=last)
    assert (first.value, last.value) == (2, 3)
    assert net.weight.asnumpy().tolist() == [[5.0, 6.0]]
    assert torch.equal(held, torch.get_rng_state())


def test_a_training_state_with_one_other_bit_is_refused(tmp_path):
    net = ms.nn.Dense(2, 1)
    net.weight.set_data(ms.Tensor([[5.0, 6.0]]))
    file = tmp_path / "a.ckpt"
    save_training_state(str(file), net, {"step": 1})
    data = file.read_bytes()
    place = data.index(np.float32(5).tobytes() + np.float32(6).tobytes())
    file.write_bytes(data[:place] + b"\1" + data[place + 1 :])
    with pytest.raises(ValueError, match=r"a\.ckpt.*CRC"):
        load_training_state(str(file), net)


def test_a_tensor_of_pytorch_cannot_claim_more_than_its_file(tmp_path):
    import io
    import zipfile

    file = tmp_path / "a.pth"
    torch.save({"w": torch.zeros(3)}, file)
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("data.pkl"):  # the shape (3,), not the number of elements
                assert b"K\x03\x85" in content
                content = content.replace(b"K\x03\x85", b"J\xff\xff\xff\x03\x85")
            new.writestr(name, content)
    file.write_bytes(out.getvalue())
    with pytest.raises(ValueError, match=r"a\.pth"):
        load_by_structure(ms.nn.Dense(2, 1), str(file))
