"""The tree of a pipeline at MindSpore's private names, and rows that a dataset gives itself."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import dataset as ds


def _numbers(*values):
    return ds.NumpySlicesDataset(list(values), ["x"], shuffle=False)


def test_rows_from_this_process_as_in_mindspore():
    """Behind the last row comes the first of another epoch; lists of one are taken out."""
    data = _numbers(1, 2, 3)
    assert (int(data.recv(0)), int(data.recv([0]))) == (1, 2)
    rows = data.recv([0, 0])
    assert [[int(value) for value in row] for row in rows] == [[3], [1]]
    assert data.recv([]) == []
    pairs = ds.NumpySlicesDataset(([1], [2]), ["a", "b"], shuffle=False)
    assert [int(value) for value in pairs.recv()] == [1, 2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda d: d.recv("a"), TypeError, "'src' must be int or list"),
        (lambda d: d.recv([-1]), ValueError, "'element of src' must be within"),
        (lambda d: d.recv(0, 5), TypeError, "'group' must be str"),
        (lambda d: d.send(1), TypeError, "'tensor' must be Tensor or list"),
        (lambda d: d.send([1]), TypeError, "'element of tensor' must be Tensor"),
        (lambda d: d.send(dst=0), ValueError, "'dst' must be ranks of other processes"),
        (lambda d: d.send(dst=1, group=5), TypeError, "'group' must be str"),
        (lambda d: d.filter(lambda x: x > 9).recv(), RuntimeError, "has no row"),
    ],
)
def test_errors_of_messages(call, error, message):
    with pytest.raises(error, match=message):
        call(_numbers(1, 2))


def test_columns_of_text_cannot_be_sent():
    with pytest.raises(RuntimeError, match="column 0 must be a Tensor"):
        ds.NumpySlicesDataset(["a"], ["x"]).send(dst=1)


def test_trees():
    data = _numbers(1, 2).batch(2)
    node, copied = data.create_ir_tree()
    assert node.to_json() == data.to_json()
    assert node.dataset is copied is not data
    assert node.children[0].dataset is copied.children[0]
    assert data.runtime_context is data.process_pool is None


def test_a_subclass_sees_its_tree_made():
    class Mine(type(_numbers(1))):
        seen = ()

        def parse(self, children=None):
            self.seen = (*self.seen, children)
            return super().parse(children)

    data = Mine([1, 2], ["x"])
    data.parse_tree()
    assert data.seen == ([],)


def test_a_dataset_with_two_readers_has_no_tree():
    data = _numbers(1, 2)
    readers = data.batch(1), data.batch(2)
    with pytest.raises(ValueError, match="not a tree"):
        readers[0].parse_tree()


@pytest.mark.parametrize(
    ("shuffle", "flag"),
    [(True, 2), (False, 0), (ds.Shuffle.FILES, 1), (ds.Shuffle.GLOBAL, 2)],
)
def test_numbers_of_ways_to_shuffle(tmp_path, shuffle, flag):
    (tmp_path / "a.txt").write_text("one")
    assert ds.TextFileDataset(str(tmp_path / "a.txt"), shuffle=shuffle).shuffle_flag == flag


def test_vocabularies_at_their_older_names():
    words = ds.NumpySlicesDataset(np.array(["b", "a", "b"]), ["w"])
    assert words.build_vocab("w", None, None, ["<pad>"], True).vocab() == {
        "<pad>": 0,
        "b": 1,
        "a": 2,
    }
    with pytest.raises(RuntimeError, match="no column 'x'"):
        words.build_sentencepiece_vocab(["x"], 10, 0.99, ms.dataset.text.SentencePieceModel.BPE, {})
