"""SentencePiece: models that are trained, saved and used in pipelines."""

from __future__ import annotations

import importlib
import pickle

import numpy as np
import pytest

import agar.dataset as ds
from agar.dataset import text
from agar.dataset.text import utils

BPE, WORD = text.SentencePieceModel.BPE, text.SentencePieceModel.WORD
STRING, INT = text.SPieceTokenizerOutType.STRING, text.SPieceTokenizerOutType.INT
WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "sleeps"]


@pytest.fixture(autouse=True)
def _needs_the_package():
    pytest.importorskip("sentencepiece")


@pytest.fixture
def corpus(tmp_path):
    draw = np.random.RandomState(0)
    path = tmp_path / "corpus.txt"
    path.write_text("".join(" ".join(draw.choice(WORDS, 12)) + "\n" for _ in range(200)))
    return str(path)


@pytest.fixture
def words(corpus):
    return text.SentencePieceVocab.from_file([corpus], 13, 1.0, WORD, {})


def test_pieces_and_numbers(words):
    pieces = text.SentencePieceTokenizer(words, STRING)("the lazy zebra")
    assert pieces.tolist() == ["▁the", "▁lazy", "▁zebra"]
    numbers = text.SentencePieceTokenizer(words, INT)("the lazy zebra")
    assert numbers.dtype == np.int32
    assert numbers[2] == 0  # unknown
    assert len(set(numbers.tolist())) == 3
    assert text.SentencePieceTokenizer(words, INT)("").shape == (0,)


def test_saved_models_are_sentencepieces(tmp_path, words):
    import sentencepiece

    text.SentencePieceVocab.save_model(words, str(tmp_path), "m.model")
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "m.model"))
    ours = text.SentencePieceTokenizer(str(tmp_path / "m.model"), INT)
    assert ours("a brown fox").tolist() == theirs.encode("a brown fox")


@pytest.mark.parametrize("model", list(text.SentencePieceModel))
def test_datasets_train_what_their_files_train(corpus, model):
    size = {WORD: 13, text.SentencePieceModel.CHAR: 30}.get(model, 31)
    settings = (size, 1.0, model, {})
    data = ds.TextFileDataset(corpus, shuffle=False)
    first = text.SentencePieceVocab.from_dataset(data, ["text"], *settings)
    second = text.SentencePieceVocab.from_file([corpus], *settings)
    cut = [text.SentencePieceTokenizer(vocab, STRING)("the dog jumps") for vocab in (first, second)]
    assert cut[0].tolist() == cut[1].tolist()
    assert data.build_sentencepiece_vocab(["text"], *settings)._model == first._model


def test_in_a_pipeline_and_in_workers(words):
    cut = text.SentencePieceTokenizer(words, INT)
    data = ds.NumpySlicesDataset({"text": ["the fox", "a dog"]}, shuffle=False).map(cut, "text")
    rows = [row["text"].tolist() for row in data.create_dict_iterator(output_numpy=True)]
    assert rows == [cut("the fox").tolist(), cut("a dog").tolist()]
    assert pickle.loads(pickle.dumps(cut))("the fox").tolist() == rows[0]


def test_further_options(corpus):
    options = {"user_defined_symbols": "zebra"}
    vocab = text.SentencePieceVocab.from_file([corpus], 40, 1.0, BPE, options)
    assert "zebra" in text.SentencePieceTokenizer(vocab, STRING)("the zebra").tolist()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda c, v: v.from_file(c, 13, 1.0, WORD, {}), TypeError, "file_path"),
        (lambda c, v: v.from_file([], 13, 1.0, WORD, {}), ValueError, "at least one"),
        (lambda c, v: v.from_file([c + "x"], 13, 1.0, WORD, {}), RuntimeError, "no file"),
        (lambda c, v: v.from_file([c], 0, 1.0, WORD, {}), ValueError, "vocab_size"),
        (lambda c, v: v.from_file([c], 9999, 1.0, WORD, {}), RuntimeError, "too high"),
        (lambda c, v: v.from_file([c], 13, 1.0, "word", {}), TypeError, "model_type"),
        (lambda c, v: v.from_file([c], 13, 1.0, WORD, {"no": "1"}), RuntimeError, "unknown field"),
        (lambda c, v: v.from_file([c], 13, 1.0, WORD, {"input": "x"}), ValueError, "params"),
        (lambda c, v: v.from_file([c], 13, 1.0, WORD, {"a": 1}), TypeError, "params"),
        (lambda c, v: v.save_model(v(), ".", "x"), ValueError, "from_file"),
        (lambda c, v: v.save_model(3, ".", "x"), TypeError, "vocab"),
        (lambda c, v: text.SentencePieceTokenizer(v(), INT), ValueError, "from_file"),
        (lambda c, v: text.SentencePieceTokenizer(c, INT), RuntimeError, "not a model"),
        (lambda c, v: text.SentencePieceTokenizer("none", INT), RuntimeError, "no file"),
    ],
)
def test_refusals(corpus, call, error, words):
    with pytest.raises(error, match=words):
        call(corpus, text.SentencePieceVocab)


def test_numbers_are_no_text(words):
    numbers = ds.NumpySlicesDataset([1, 2], ["x"])
    with pytest.raises(RuntimeError, match="not strings"):
        text.SentencePieceVocab.from_dataset(numbers, ["x"], 13, 1.0, WORD, {})
    with pytest.raises(RuntimeError, match="strings"):
        text.SentencePieceTokenizer(words, INT)(np.array([1]))


def test_without_the_package(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match="pip install sentencepiece"):
        utils.sentencepiece("text.SentencePieceTokenizer")
