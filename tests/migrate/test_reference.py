"""What ``file.py:function`` names."""

from __future__ import annotations

import sys

import pytest

from agar.migrate.reference import PairError, load_pair

GOOD = """
import numpy as np, torch, agar as ms

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)

def pair():
    return Net(), ms.nn.ReLU(), np.ones((2, 3), np.float32)

def more():
    return {"module": Net(), "cell": ms.nn.ReLU(), "inputs": torch.ones(2), "train": True}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in list(sys.modules):
        if name in ("pairs", "helper_of_pairs"):
            monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_files_and_modules(folder):
    (folder / "pairs.py").write_text(GOOD)
    for reference in ("pairs.py", "pairs.py:pair", "pairs:pair", str(folder / "pairs.py")):
        assert list(load_pair(reference)) == ["module", "cell", "inputs"]
    assert load_pair("pairs.py:more")["train"] is True
    assert load_pair("pairs.py:more", folder.parent / folder.name)["train"] is True


def test_a_file_imports_its_neighbours(folder):
    below = folder / "below"
    below.mkdir()
    (below / "helper_of_pairs.py").write_text(GOOD)
    (below / "pairs.py").write_text("from helper_of_pairs import pair\n")
    assert set(load_pair("below/pairs.py")) == {"module", "cell", "inputs"}


def test_two_files_of_one_name_are_two_modules(folder):
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "pairs.py").write_text(
            f"def pair():\n    return {{'module': 1, 'cell': 2, 'inputs': {name!r}}}\n"
        )
    assert load_pair("a/pairs.py")["inputs"] == "a"
    assert load_pair("b/pairs.py")["inputs"] == "b"
    assert load_pair("a/pairs.py")["inputs"] == "a"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("folder.py", "it is a folder"),
        (":pair", "names no file"),
        ("nowhere:pair", "importing 'nowhere' raised ModuleNotFoundError"),
        ("pairs3:pair", r"Did you mean 'pairs3\.py'\?"),
        ("broken.py", "SyntaxError"),
        ("raises.py", r"running 'raises.py' raised ValueError: no data \(.*raises.py:1\)"),
        ("pairs.py:other", "there is no function 'other'; it has pair, more"),
        ("odd.py:number", "'number' is of type int, not a function"),
        ("odd.py:asks", "callable without arguments, but it asks for x"),
        ("odd.py:two", r"two\(\) returns a tuple of 2, but it must return \(module, cell, inputs"),
        ("odd.py:nothing", r"nothing\(\) returns NoneType"),
        ("odd.py:poor", "lacks 'cell', 'inputs'"),
        ("odd.py:fails", r"fails\(\) raised KeyError: 'x' \(.*odd.py:12\)"),
    ],
)
def test_what_is_wrong_is_said(folder, reference, words):
    (folder / "folder.py").mkdir()
    (folder / "pairs.py").write_text(GOOD)
    (folder / "broken.py").write_text("def pair(:\n")
    (folder / "raises.py").write_text("raise ValueError('no data')\n")
    (folder / "odd.py").write_text(
        "number = 1\n"
        "def asks(x):\n    ...\n"
        "def two():\n    return 1, 2\n"
        "def nothing():\n    ...\n"
        "def poor():\n    return {'module': 1}\n"
        "def fails():\n    table = {}\n    return table['x']\n"
    )
    (folder / "pairs3.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(PairError, match=words) as caught:
        load_pair(reference)
    assert repr(reference) in str(caught.value)
