"""Transforms that give an operation of the data engine, as MindSpore's own do."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import agar as ms
import agar.dataset as ds
from agar.dataset import text, vision
from agar.dataset.text.transforms import TextTensorOperation

engine = importlib.import_module("agar.compat")
cde = {
    name: engine.find("_c_dataengine", name) for name in ("Vocab", "LookupOperation", "DataType")
}
to_engine = engine.find("dataset.core.datatypes", "mstype_to_detype")


class Numbers(TextTensorOperation):
    def __init__(self, words, dtype=ms.int32):
        super().__init__()
        self.made = cde["Vocab"].from_dict(words)
        self.dtype = dtype

    def parse(self):
        return cde["LookupOperation"](self.made, "<unk>", str(to_engine(self.dtype)))


@pytest.mark.parametrize("dtype", [ms.int32, ms.int64])
def test_alone_and_in_a_pipeline(dtype):
    numbers = Numbers({"<unk>": 0, "a": 1, "b": 2}, dtype)
    result = numbers("a")
    assert result == 1
    assert result.dtype.name == str(dtype).rpartition(".")[2].lower()
    assert numbers(["b", "z"]).tolist() == [2, 0]
    rows = ds.GeneratorDataset([("a",), ("c",), ("b",)], ["word"], shuffle=False)
    assert [int(r[0]) for r in rows.map(numbers, "word").create_tuple_iterator()] == [1, 0, 2]


def test_the_vocabulary_of_the_engine():
    assert text.Vocab().c_vocab is None
    vocab = text.Vocab.from_list(["a", "b"])
    assert isinstance(vocab.c_vocab, cde["Vocab"])
    assert vocab.c_vocab.vocab() == {"a": 0, "b": 1}
    assert vocab.c_vocab.tokens_to_ids(["b", "z"]) == [1, -1]


def test_names_of_types():
    names = [str(to_engine(t)) for t in (ms.int32, ms.bool_, ms.float16, ms.uint8, ms.string)]
    assert names == ["int32", "bool", "float16", "uint8", "string"]
    assert to_engine(ms.int32) == cde["DataType"]("int32")
    assert str(cde["DataType"]("foo")) == "unknown"
    of_numpy = engine.find("dataset.core.datatypes", "nptype_to_detype")
    assert str(of_numpy(np.float32)) == "float32"
    assert of_numpy(np.dtype("U3")) is None
    with pytest.raises(KeyError):
        to_engine(ms.bfloat16)
    with pytest.raises(NotImplementedError):
        to_engine(None)


def test_a_wrong_parse():
    class Wrong(TextTensorOperation):
        def parse(self):
            return 3

    with pytest.raises(TypeError, match=r"'Wrong.parse' must return an operation .* returned 3"):
        Wrong()("a")
    with pytest.raises(NotImplementedError, match="parse"):
        TextTensorOperation()("a")
    assert not hasattr(vision.HWC2CHW(), "parse")
