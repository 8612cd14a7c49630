"""Datasets of files, on tiny files; the expected rows are MindSpore 2.10's for the same files."""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

import agar.dataset as ds
from dataset.matlab_files import mat_array, mat_file, mat_packed


@pytest.fixture(autouse=True)
def _seed():
    held = ds.config.get_seed(), ds.config.get_num_parallel_workers()
    ds.config.set_seed(1)
    ds.config.set_num_parallel_workers(2)
    yield
    ds.config.set_seed(held[0])
    ds.config.set_num_parallel_workers(held[1])


def rows(data):
    result = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{k: v.tolist() for k, v in row.items()} for row in result]


def texts(data, epochs=1):
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    items = [[str(row[0]) for row in iterator] for _ in range(epochs)]
    return items[0] if epochs == 1 else items


def image(path, seed=0, size=(6, 5)):
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.RandomState(seed).randint(0, 255, (size[1], size[0], 3), np.uint8)
    Image.fromarray(pixels).save(path)
    return pixels


# --- text ----------------------------------------------------------------------------------------


@pytest.fixture
def lines(tmp_path):
    files = []
    for name, count in (("a", 8), ("b", 6), ("c", 4)):
        file = tmp_path / f"{name}.txt"
        file.write_text("\n".join(f"{name}{i}" for i in range(count)))
        files.append(str(file))
    return files


def test_lines_of_files_come_by_turns(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one two\n\nthree\r\nfour")
    (tmp_path / "b.txt").write_text("x\ny\nz\n")
    pattern = str(tmp_path / "*.txt")
    expected = ["one two", "x", "three\r", "y", "four", "z"]
    assert texts(ds.TextFileDataset(pattern, shuffle=False)) == expected
    assert texts(ds.TextFileDataset(pattern, shuffle=False, num_samples=4)) == expected[:4]
    one = ds.TextFileDataset(pattern, shuffle=False, num_parallel_workers=1)
    assert texts(one) == ["one two", "three\r", "four", "x", "y", "z"]
    for shard, part in enumerate((expected[::2], expected[1::2])):
        data = ds.TextFileDataset(pattern, shuffle=False, num_shards=2, shard_id=shard)
        assert (texts(data), data.get_dataset_size()) == (part, 3)
    last = ds.TextFileDataset(pattern, shuffle=False, num_shards=4, shard_id=3)
    assert texts(last) == ["one two", "three\r"]


def test_files_and_lines_are_shuffled(lines):
    assert " ".join(texts(ds.TextFileDataset(lines))) == (
        "c1 a7 b5 b3 b1 a1 b4 b2 a5 c2 b0 a0 a2 a6 a3 c0 c3 a4"
    )
    assert " ".join(texts(ds.TextFileDataset(lines), 3)[2]) == (
        "b3 c1 a2 b5 c3 b1 b4 c2 a4 a5 a3 a1 c0 a7 a6 b0 b2 a0"
    )
    by_file = texts(ds.TextFileDataset(lines, shuffle=ds.Shuffle.FILES), 2)
    assert " ".join(by_file[0]) == "b0 a0 b1 a1 b2 a2 b3 a3 b4 a4 b5 a5 c0 a6 c1 a7 c2 c3"
    assert by_file[1][:4] == ["a0", "b0", "a1", "b1"]
    shard = ds.TextFileDataset(lines, shuffle=ds.Shuffle.FILES, num_shards=2, shard_id=1)
    assert [" ".join(epoch) for epoch in texts(shard, 3)] == [
        "a3 c0 a4 c1 a5 c2 a6 c3 a7",
        "b1 c0 b2 c1 b3 c2 b4 c3 b5",
        "b5 a0 a1 a2 a3 a4 a5 a6 a7",
    ]
    assert texts(ds.TextFileDataset(lines, num_samples=5)) == ["a1", "b1", "b0", "b2", "a0"]
    with pytest.raises(ValueError, match="did not match"):
        ds.TextFileDataset("nothing*.txt")
    with pytest.raises(TypeError, match="shuffle"):
        ds.TextFileDataset(lines, shuffle="x")


def test_an_iterator_of_lines_goes_on(lines):
    data = ds.TextFileDataset(lines).batch(5)
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    list(iterator)
    next(iterator)
    state = iterator.state()
    rest = [row[0].tolist() for _ in range(2) for row in iterator]
    again = data.create_tuple_iterator(num_epochs=3, output_numpy=True, state=state)
    assert [row[0].tolist() for _ in range(2) for row in again] == rest


def test_comma_separated_values(tmp_path):
    file = tmp_path / "c.csv"
    file.write_text('c1,c2,c3\n1,2.5,"a,b"\n3,4,x\n5,6.25,"q""r"\n')
    assert rows(ds.CSVDataset(str(file), shuffle=False))[0] == {"c1": "1", "c2": "2.5", "c3": "a,b"}
    data = ds.CSVDataset(str(file), column_defaults=[0, 1.0, ""], shuffle=False)
    assert rows(data)[2] == {"c1": 5, "c2": 6.25, "c3": 'q"r'}
    assert [str(kind) for kind in data.output_types()[:2]] == ["int32", "float32"]
    plain = tmp_path / "d.csv"
    plain.write_text("1,2.5,ab\n3,4,x\n")
    some = ds.CSVDataset(
        str(plain), column_names=["a", "b", "c"], column_defaults=[0, 1], shuffle=False
    )
    assert rows(some)[0] == {"a": 1, "b": 2, "c": "ab"}
    with pytest.raises(RuntimeError, match=r"line 1.*3 values.*2 columns"):
        rows(ds.CSVDataset(str(plain), column_names=["a", "b"]))
    with pytest.raises(RuntimeError, match="type of a value"):
        rows(ds.CSVDataset(str(plain), column_names=["a", "b", "c"], column_defaults=[0, 1, 2]))


@pytest.mark.parametrize(
    ("name", "columns", "first"),
    [
        ("AGNewsDataset", ["index", "title", "description"], "test"),
        ("AmazonReviewDataset", ["label", "title", "content"], "test"),
        ("DBpediaDataset", ["class", "title", "content"], "test"),
        ("SogouNewsDataset", ["index", "title", "content"], "train"),
        ("YahooAnswersDataset", ["class", "title", "content", "answer"], "test"),
        ("YelpReviewDataset", ["label", "text"], "train"),
    ],
)
def test_tables_of_text(tmp_path, name, columns, first):
    for usage in ("train", "test"):
        values = [f'"{i}"' + f',"{usage} ""q"""' * (len(columns) - 1) for i in range(2)]
        (tmp_path / f"{usage}.csv").write_text("\n".join(values) + "\n")
    kind = getattr(ds, name)
    result = rows(kind(str(tmp_path), "train", shuffle=False))
    assert list(result[0].values()) == ["0", *['train "q"'] * (len(columns) - 1)]
    data = kind(str(tmp_path), shuffle=False)
    assert (data.get_col_names(), data.get_dataset_size()) == (columns, 4)
    assert rows(data)[0][columns[1]] == f'{first} "q"'
    with pytest.raises(ValueError, match="usage"):
        kind(str(tmp_path), "valid")


def test_running_text(tmp_path):
    for usage in ("train", "valid", "test"):
        (tmp_path / f"wiki.{usage}.tokens").write_text(f" \n = {usage} = \n\n here \n")
        (tmp_path / f"ptb.{usage}.txt").write_text(f" {usage} a \n b c \n")
    folder = str(tmp_path)
    assert texts(ds.WikiTextDataset(folder, "train", shuffle=False)) == [
        " ",
        " = train = ",
        " here ",
    ]
    assert texts(ds.PennTreebankDataset(folder, shuffle=False)) == [
        " test a ",
        " train a ",
        " b c ",
        " b c ",
        " valid a ",
        " b c ",
    ]
    (tmp_path / "enwik9").write_text("<a>\n  b\n\nc\n")
    assert texts(ds.EnWik9Dataset(folder, shuffle=False)) == ["<a>", "  b", "", "c"]


def test_labelled_text(tmp_path):
    for usage in ("train", "test"):
        for kind in ("pos", "neg"):
            folder = tmp_path / usage / kind
            folder.mkdir(parents=True)
            (folder / "0_1.txt").write_text(f"{usage} {kind}")
    data = ds.IMDBDataset(str(tmp_path), "train", shuffle=False)
    assert rows(data) == [{"text": "train pos", "label": 1}, {"text": "train neg", "label": 0}]
    assert data.num_classes() == 2
    (tmp_path / "train.tsv").write_text("sentence\tlabel\nhide new \t0\n")
    (tmp_path / "test.tsv").write_text("index\tsentence\n0\tuneasy\n")
    assert rows(ds.SST2Dataset(str(tmp_path))) == [{"sentence": "hide new ", "label": "0"}]
    assert rows(ds.SST2Dataset(str(tmp_path), "test")) == [{"sentence": "uneasy"}]
    pairs = tmp_path / "clue.json"
    pairs.write_text(json.dumps({"sentence1": "s", "sentence2": "t", "label": "1"}))
    assert rows(ds.CLUEDataset(str(pairs), "AFQMC", "train")) == [
        {"label": "1", "sentence1": "s", "sentence2": "t"}
    ]
    with pytest.raises(RuntimeError, match=r"line 1.*keys"):
        rows(ds.CLUEDataset(str(pairs), "TNEWS", "train"))


def test_tagged_text(tmp_path):
    (tmp_path / "train.txt").write_text("We PRP B-NP\nare VBP B-VP\n\nNo DT B-NP\n")
    result = rows(ds.CoNLL2000Dataset(str(tmp_path), "train", shuffle=False))
    assert result[0] == {
        "word": ["We", "are"],
        "pos_tag": ["PRP", "VBP"],
        "chunk_tag": ["B-NP", "B-VP"],
    }
    assert len(result) == 2
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "train.en").write_text("A man.\n")
    (tmp_path / "training" / "train.de").write_text("Ein Mann.\n")
    data = ds.Multi30kDataset(str(tmp_path), "train", ["de", "en"])
    assert rows(data) == [{"text": "Ein Mann.", "translation": "A man."}]


# --- tables of numbers ---------------------------------------------------------------------------


def _message(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def _record(features):
    entries = b""
    for name, (kind, values) in features.items():
        listed = _message(kind, b"".join(_message(1, v) for v in values))
        entries += _message(1, _message(1, name.encode()) + _message(2, listed))
    data = _message(1, entries)
    return struct.pack("<Q", len(data)) + bytes(4) + data + bytes(4)


def test_tfrecord(tmp_path):
    content = b"".join(
        _record(
            {
                "n": (3, [bytes([i, 0xFF, 0x01])]),
                "f": (2, [struct.pack("<2f", 0.5, i)]),
                "s": (1, [f"text{i}".encode()]),
            }
        )
        for i in range(2)
    )
    file = tmp_path / "x.tfrecord"
    file.write_bytes(content)
    result = rows(ds.TFRecordDataset(str(file), shuffle=False))
    assert result[1] == {"f": [0.5, 1.0], "n": [1, 255], "s": ["text1"]}
    schema = ds.Schema()
    schema.add_column("f", "float32", [2, 1])
    schema.add_column("n", "int32", [2])
    packed = tmp_path / "y.tfrecord"
    packed.write_bytes(zlib.compress(content))
    data = ds.TFRecordDataset(str(packed), schema, shuffle=False, compression_type="ZLIB")
    assert rows(data)[0] == {"f": [[0.5], [0.0]], "n": [0, 255]}
    with pytest.raises(RuntimeError, match="cut off, or is compressed"):
        rows(ds.TFRecordDataset(str(packed)))
    with pytest.raises(RuntimeError, match=r"no features \['z'\]"):
        rows(ds.TFRecordDataset(str(file), columns_list=["z"]))


# --- images --------------------------------------------------------------------------------------


def idx(path, array, kind=8):
    header = bytes([0, 0, kind, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    path.write_bytes(header + array.astype({8: ">u1", 12: ">i4"}[kind]).tobytes())


@pytest.fixture
def mnist(tmp_path):
    draw = np.random.RandomState(0)
    held = {}
    for usage, stem, count in (("train", "train", 4), ("test", "t10k", 3)):
        held[usage] = draw.randint(0, 255, (count, 28, 28)), draw.randint(0, 10, count)
        idx(tmp_path / f"{stem}-images-idx3-ubyte", held[usage][0])
        idx(tmp_path / f"{stem}-labels-idx1-ubyte", held[usage][1])
    return str(tmp_path), held


@pytest.mark.parametrize("kind", [ds.MnistDataset, ds.FashionMnistDataset, ds.KMnistDataset])
def test_mnist(mnist, kind):
    folder, held = mnist
    data = kind(folder, "train", shuffle=False)
    items = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert np.array_equal([row[0][..., 0] for row in items], held["train"][0])
    assert [row[1].item() for row in items] == held["train"][1].tolist()
    assert data.output_types() == [np.dtype("uint8"), np.dtype("uint32")]
    whole = kind(folder, shuffle=False)
    assert whole.get_dataset_size() == 7
    first = next(whole.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert np.array_equal(first[0][..., 0], held["test"][0][0])
    with pytest.raises(ValueError, match="usage"):
        kind(folder, "valid")


@pytest.mark.parametrize("kind", [ds.MnistDataset, ds.FashionMnistDataset, ds.KMnistDataset])
def test_mnist_of_one_half(mnist, tmp_path, kind):
    folder, held = mnist
    for file in tmp_path.glob("t10k*"):
        file.unlink()
    for usage in (None, "all", "train"):
        data = kind(folder, usage, shuffle=False)
        assert [row["label"] for row in rows(data)] == held["train"][1].tolist()
    with pytest.raises(RuntimeError, match=r"t10k.*missing"):
        rows(kind(folder, "test"))
    (tmp_path / "train-labels-idx1-ubyte").unlink()
    with pytest.raises(RuntimeError, match=r"train-labels.*missing"):
        rows(kind(folder))


def test_samples_of_each_class(mnist):
    folder, held = mnist
    labels = held["train"][1]
    data = ds.MnistDataset(folder, "train", sampler=ds.PKSampler(2))
    expected = [label for label in sorted(set(labels.tolist())) for _ in range(2)]
    assert [row["label"] for row in rows(data)] == expected
    assert data.get_dataset_size() == 2 * len(set(labels.tolist()))


def test_missing_and_broken_files(tmp_path, mnist):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError, match=r"train-images-idx3-ubyte.*missing"):
        rows(ds.MnistDataset(str(tmp_path / "empty"), "train"))
    with pytest.raises(ValueError, match="does not exist"):
        ds.MnistDataset(str(tmp_path / "nowhere"))
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"nonsense")
    with pytest.raises(RuntimeError, match="no IDX file"):
        rows(ds.MnistDataset(mnist[0], "train"))


def test_other_mnists(tmp_path):
    draw = np.random.RandomState(0)
    labels = draw.randint(0, 10, (4, 8))
    idx(tmp_path / "qmnist-train-images-idx3-ubyte", draw.randint(0, 255, (4, 28, 28)))
    idx(tmp_path / "qmnist-train-labels-idx2-int", labels, 12)
    data = ds.QMnistDataset(str(tmp_path), "train", shuffle=False)
    assert [row["label"] for row in rows(data)] == labels[:, 0].tolist()
    data = ds.QMnistDataset(str(tmp_path), "train", compat=False, shuffle=False)
    assert [row["label"] for row in rows(data)] == labels.tolist()
    idx(tmp_path / "emnist-mnist-train-images-idx3-ubyte", draw.randint(0, 255, (2, 28, 28)))
    idx(tmp_path / "emnist-mnist-train-labels-idx1-ubyte", np.array([3, 4]))
    data = ds.EMnistDataset(str(tmp_path), "mnist", "train", shuffle=False)
    assert [row["label"] for row in rows(data)] == [3, 4]


def test_cifar(tmp_path):
    draw = np.random.RandomState(0)
    for i in range(1, 6):
        (tmp_path / f"data_batch_{i}.bin").write_bytes(bytes([i]) + draw.bytes(3072))
    (tmp_path / "test_batch.bin").write_bytes(bytes([9]) + bytes(range(256)) * 12)
    data = ds.Cifar10Dataset(str(tmp_path), "train", shuffle=False)
    assert [row["label"] for row in rows(data)] == [1, 2, 3, 4, 5]
    (result,) = ds.Cifar10Dataset(str(tmp_path), "test").create_dict_iterator(output_numpy=True)
    assert result["image"].shape == (32, 32, 3)
    assert result["image"][0, 5].tolist() == [5, 5, 5]  # planes of 1024 bytes
    (tmp_path / "train.bin").write_bytes(bytes([17, 34]) + draw.bytes(3072))
    (result,) = rows(ds.Cifar100Dataset(str(tmp_path), "train"))
    assert (result["coarse_label"], result["fine_label"]) == (17, 34)
    (tmp_path / "test_batch.bin").write_bytes(b"xx")
    with pytest.raises(RuntimeError, match="records of 3073 bytes"):
        rows(ds.Cifar10Dataset(str(tmp_path), "test"))


def test_other_arrays_of_images(tmp_path):
    draw = np.random.RandomState(0)
    for usage, count in (("train", 2), ("test", 2), ("unlabeled", 1)):
        (tmp_path / f"{usage}_X.bin").write_bytes(draw.bytes(3 * 96 * 96 * count))
        if usage != "unlabeled":
            (tmp_path / f"{usage}_y.bin").write_bytes(bytes([3, 10]))
    folder = str(tmp_path)
    data = ds.STL10Dataset(folder, "train+unlabeled", shuffle=False)
    assert [row["label"] for row in rows(data)] == [2, 9, -1]
    pixels = " ".join(["1.0000"] * 256)
    (tmp_path / "semeion.data").write_text(f"{pixels} 0 0 1 0 0 0 0 0 0 0 \n")
    (result,) = rows(ds.SemeionDataset(folder))
    assert (result["label"], np.shape(result["image"])) == (2, (16, 16))
    values = " ".join(f"{i}:{-1 + i / 128:.4f}" for i in range(1, 257))
    (tmp_path / "usps").write_text(f"4 {values} \n")
    (result,) = rows(ds.USPSDataset(folder, "train"))
    assert (result["label"], np.shape(result["image"])) == (3, (16, 16, 1))
    fake = ds.FakeImageDataset(3, (4, 4, 3), 10, 5, shuffle=False)
    assert [row["label"] for row in rows(fake)] == [2, 8, 0]


HOUSES = np.random.RandomState(0).randint(0, 255, (32, 32, 3, 4)).astype(np.uint8)
NUMBERS = np.array([[10], [1], [9], [10]], np.uint8)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("compressed", [False, True])
def test_house_numbers(order, compressed, tmp_path):
    # MATLAB keeps numbers of class double (6) as bytes (2) where they fit
    elements = [
        mat_array(order, b"X", HOUSES, 2, 9),
        mat_array(order, b"z", NUMBERS, 2, 8),
        mat_array(order, b"y", NUMBERS, 2, 6),
    ]
    if compressed:
        elements = [mat_packed(order, e) for e in elements]
    (tmp_path / "test_32x32.mat").write_bytes(mat_file(order, *elements))
    items = list(
        ds.SVHNDataset(str(tmp_path), "test", shuffle=False).create_tuple_iterator(
            num_epochs=1, output_numpy=True
        )
    )
    assert [int(label) for _, label in items] == [0, 1, 9, 0]
    for i, (one, _) in enumerate(items):
        assert np.array_equal(one, HOUSES[..., i])


def test_house_numbers_of_scipy(tmp_path):
    io = pytest.importorskip("scipy.io")
    for usage, count in (("train", 3), ("test", 2), ("extra", 1)):
        entries = {"note": "a text", "X": HOUSES[..., :count], "y": NUMBERS[:count].astype(float)}
        io.savemat(tmp_path / f"{usage}_32x32.mat", entries, do_compression=usage == "test")
    data = ds.SVHNDataset(str(tmp_path), shuffle=False)
    assert [row["label"] for row in rows(data)] == [0, 1, 9, 0, 1, 0]


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ([(b"X", HOUSES, 2, 9)], "no array with the name y"),
        ([(b"X", HOUSES, 2, 9), (b"X", HOUSES, 2, 9)], "two arrays with the name X"),
        ([(b"X", HOUSES, 2, 4)], "X is not an array of real numbers"),
        ([(b"X", HOUSES, 2, 9, 8)], "X is not an array of real numbers"),
        ([(b"X", HOUSES, 4, 9)], r"X has \[32, 32, 3, 4\] values of 2 bytes"),
        ([(b"X", HOUSES, 99, 9)], "unknown type 99"),
        ([(b"X", HOUSES, 1, 8), (b"y", NUMBERS, 2, 6)], "but it is int8 of shape"),
        ([(b"X", HOUSES[0], 2, 9), (b"y", NUMBERS, 2, 6)], r"uint8 of shape \(32, 3, 4\)"),
        ([(b"X", HOUSES, 2, 9), (b"y", NUMBERS[1:], 2, 6)], "4 images, but y 3 labels"),
        ([(b"X", HOUSES, 2, 9), (b"y", NUMBERS + 1, 2, 6)], "y must be digits"),
        ([(b"X", HOUSES, 2, 9), (b"y", NUMBERS / 2, 9, 6)], "y must be digits"),
    ],
)
def test_house_numbers_that_are_none(elements, said, tmp_path):
    arrays = [mat_array("<", *element) for element in elements]
    (tmp_path / "test_32x32.mat").write_bytes(mat_file("<", *arrays))
    with pytest.raises(RuntimeError, match=f"SVHNDataset.*test_32x32.mat.*{said}"):
        rows(ds.SVHNDataset(str(tmp_path), "test"))


def test_a_matlab_file_of_another_level_is_refused(tmp_path):
    path = tmp_path / "test_32x32.mat"
    for content, said in (
        (bytes(200), "not a MATLAB file of level 5"),
        (b"\x89HDF\r\n\x1a\n" + bytes(200), "not a MATLAB file of level 5"),
        (b"MATLAB 5.0", "a header of 128 bytes"),
    ):
        path.write_bytes(content)
        with pytest.raises(RuntimeError, match=said):
            rows(ds.SVHNDataset(str(tmp_path), "test"))


def test_folders_of_images(tmp_path):
    held = {}
    for number, name in enumerate(("b1", "cat", "dog")):
        for i in range(2):
            held[name, i] = image(tmp_path / name / f"{i}.png", 10 * number + i)
    (tmp_path / "empty").mkdir()
    (tmp_path / "cat" / "note.txt").write_text("x")
    data = ds.ImageFolderDataset(str(tmp_path), shuffle=False, decode=True, extensions=[".png"])
    items = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert [row["label"].item() for row in items] == [0, 0, 1, 1, 2, 2]
    assert np.array_equal(items[3]["image"], held["cat", 1])
    assert data.get_class_indexing() == {"b1": 0, "cat": 1, "dog": 2, "empty": 3}
    assert data.num_classes() == 4
    some = ds.ImageFolderDataset(
        str(tmp_path), shuffle=False, extensions=[".png"], class_indexing={"dog": 5, "cat": 7}
    )
    assert [row["label"] for row in rows(some)] == [7, 7, 5, 5]
    with pytest.raises(RuntimeError, match=r"sample 4.*cannot be decoded"):
        list(ds.ImageFolderDataset(str(tmp_path), shuffle=False, decode=True))
    with pytest.raises(RuntimeError, match="no sample was found"):
        list(ds.ImageFolderDataset(str(tmp_path / "empty")))
    workers = ds.ImageFolderDataset(
        str(tmp_path), 6, 2, decode=True, shuffle=False, extensions=[".png"]
    )
    assert rows(workers.batch(2)) == rows(data.batch(2))


def test_manifest(tmp_path):
    entries = []
    for name, usage in (("cat", "TRAIN"), ("dog", "train"), ("cat", "eval")):
        image(tmp_path / f"{name}.png")
        entries.append(
            json.dumps(
                {
                    "source": str(tmp_path / f"{name}.png"),
                    "usage": usage,
                    "annotation": [{"name": name}],
                }
            )
        )
    file = tmp_path / "m.json"
    file.write_text("\n".join(entries))
    data = ds.ManifestDataset(str(file), shuffle=False)
    assert [row["label"] for row in rows(data)] == [0, 1]
    assert (data.num_classes(), data.get_class_indexing()) == (2, {"cat": 0, "dog": 1})
    assert ds.ManifestDataset(str(file), "eval").get_dataset_size() == 1


def test_celeba(tmp_path):
    flags = []
    for i in range(1, 4):
        image(tmp_path / f"{i}.jpg", i)
        flags.append(f"{i}.jpg " + " ".join(["1", "-1"] * 20))
    names = " ".join(f"a{i}" for i in range(40))
    (tmp_path / "list_attr_celeba.txt").write_text("\n".join(["3", names, *flags]) + "\n")
    (tmp_path / "list_eval_partition.txt").write_text("1.jpg 0\n2.jpg 2\n3.jpg 0\n")
    data = ds.CelebADataset(str(tmp_path), usage="train", shuffle=False, decode=True)
    result = rows(data)
    assert [len(result), result[0]["attr"][:3], np.shape(result[0]["image"])] == [
        2,
        [1, 0, 1],
        (5, 6, 3),
    ]


def test_voc(tmp_path):
    things = "".join(
        f"<object><name>{name}</name><truncated>{cut}</truncated><difficult>{hard}</difficult>"
        f"<bndbox><xmin>{x}</xmin><ymin>{y}</ymin><xmax>{x + 3}</xmax><ymax>{y + 2}</ymax></bndbox>"
        "</object>"
        for name, cut, hard, x, y in (("person", 0, 1, 1, 2), ("car", 1, 0, 2, 1))
    )
    image(tmp_path / "JPEGImages" / "x1.jpg")
    image(tmp_path / "SegmentationClass" / "x1.png")
    for folder in ("Annotations", "ImageSets/Main", "ImageSets/Segmentation"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "Annotations" / "x1.xml").write_text(f"<annotation>{things}</annotation>")
    (tmp_path / "ImageSets" / "Main" / "train.txt").write_text("x1\n")
    (tmp_path / "ImageSets" / "Segmentation" / "train.txt").write_text("x1\n")
    data = ds.VOCDataset(str(tmp_path), "Detection", decode=True, extra_metadata=True)
    (result,) = rows(data)
    del result["image"]
    assert result == {
        "bbox": [[1.0, 2.0, 3.0, 2.0], [2.0, 1.0, 3.0, 2.0]],
        "label": [[1], [0]],
        "difficult": [[1], [0]],
        "truncate": [[0], [1]],
    }
    assert data.get_class_indexing() == {"car": 0, "person": 1}
    assert data.get_col_names()[-1] == "_meta-filename"
    (named,) = rows(data.rename("_meta-filename", "filename"))
    assert named["filename"] == "x1"
    masks = ds.VOCDataset(str(tmp_path))
    assert masks.get_col_names() == ["image", "target"]
    assert masks.get_dataset_size() == 1
    with pytest.raises(NotImplementedError, match="Detection"):
        masks.get_class_indexing()


def test_coco(tmp_path):
    for name in ("1.jpg", "2.jpg"):
        image(tmp_path / name)
    content = {
        "images": [{"id": 1, "file_name": "1.jpg"}, {"id": 2, "file_name": "2.jpg"}],
        "annotations": [
            {
                "image_id": number,
                "category_id": kind,
                "bbox": [1, 2, 3.5, 2],
                "iscrowd": 0,
                "area": 5,
                "segmentation": [[1, 1, 2, 2, 3, 3][: 2 * kind]],
                "keypoints": [1, 2, 2] * 17,
                "num_keypoints": 17,
                "caption": f"caption {kind}",
            }
            for number, kind in ((1, 3), (2, 2), (2, 3))
        ],
        "categories": [{"id": 2, "name": "car"}, {"id": 3, "name": "dog"}],
    }
    file = tmp_path / "a.json"
    file.write_text(json.dumps(content))

    def second(task):
        data = ds.CocoDataset(str(tmp_path), str(file), task, shuffle=False)
        entry = rows(data)[1]
        del entry["image"]
        return entry

    assert second("Detection") == {
        "bbox": [[1.0, 2.0, 3.5, 2.0]] * 2,
        "category_id": [[2], [3]],
        "iscrowd": [[0], [0]],
    }
    assert second("Stuff")["segmentation"] == [
        [1.0, 1.0, 2.0, 2.0, -1.0, -1.0],
        [1.0, 1.0, 2.0, 2.0, 3.0, 3.0],
    ]
    assert second("Keypoint")["num_keypoints"] == [[17], [17]]
    assert second("Captioning") == {"captions": [["caption 2"], ["caption 3"]]}
    data = ds.CocoDataset(str(tmp_path), str(file))
    assert data.get_class_indexing() == {"car": [2], "dog": [3]}
    with pytest.raises(RuntimeError, match="segments_info"):
        second("Panoptic")
