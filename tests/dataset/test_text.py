"""Transforms of text give what MindSpore 2.10 gives (recorded by `oracle.record_text`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agar.dataset.text as text
from oracle import record_text as cases

RECORD = Path(__file__).resolve().parents[1] / "data" / "oracle" / "text.json"


@cache
def _recorded() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    return cases.namespace("agar", str(tmp_path_factory.mktemp("text")))


@pytest.mark.parametrize("expression", cases.lines())
def test_results(expression, names):
    result, recorded = cases.evaluate(expression, names), _recorded()[expression]
    if isinstance(recorded, dict) and str(recorded.get("type")).startswith("float"):
        assert result["type"] == recorded["type"]
        assert np.asarray(result["values"]) == pytest.approx(np.asarray(recorded["values"]))
    else:
        assert result == recorded


# --- where agar does not follow MindSpore ---------------------------------------------------------


def test_lower_case_keeps_text_around_preserved_tokens():
    result, starts, ends = text.BasicTokenizer(True, with_offsets=True)("ÀB [CLS] [cls]")
    assert result.tolist() == ["ab", "[CLS]", "[", "cls", "]"]
    assert starts.tolist() == [0, 3, 9, 10, 13]
    assert ends.tolist() == [2, 8, 10, 13, 14]


def test_arrays_are_replaced_string_by_string():
    assert text.RegexReplace("a", "b")([["a", "x"], ["ba", ""]]).tolist() == [
        ["b", "x"],
        ["bb", ""],
    ]


def test_words_with_vectors_keep_their_case(names):
    result = text.ToVectors(names["vec"], lower_case_backup=True)(["THE", "The"])
    assert result.tolist() == [[1, 2, 3], [7, 8, 9]]


def test_vector_files(tmp_path):
    path = tmp_path / "small.vec"
    path.write_text("2 3\nthe 1 2 3\nof 4 5 6\n", encoding="utf-8")
    assert text.FastText.from_file(str(path)).dim == 3
    assert len(text.Vectors.from_file(str(path), max_vectors=1)._table) == 1
    glove = tmp_path / "glove.6B.3d.txt"
    glove.write_text("the 1 2 3\n", encoding="utf-8")
    assert text.GloVe.from_file(str(glove)).dim == 3
    glove.write_text("", encoding="utf-8")
    with pytest.raises(RuntimeError, match="holds no vectors"):
        text.GloVe.from_file(str(glove))


def test_properties_in_patterns():
    assert text.RegexReplace(r"[\p{P}\p{Nd}]", "")("a.1, ٣b").item() == "a b"
    assert text.RegexReplace(r"\P{L}", "_")("a1é").item() == "a_é"
    with pytest.raises(RuntimeError, match="Nope"):
        text.RegexReplace(r"\p{Nope}", "")("a")
