"""Files that a parser cannot take: they are reported, and the others are scanned and converted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agar.migrate import convert, scan
from agar.migrate.parsing import LARGEST, unparsable, unreadable

GOOD = "from torch import nn\nlayer = nn.Linear(3, 4)\n"
DEEP = "import torch\nx = " + "(" * 100_000 + "1" + ")" * 100_000 + "\n"
LISTS = "import torch\nx = " + "[" * 100_000 + "]" * 100_000 + "\n"
CHAIN = "import torch\nx = " + "+".join("a" * 600) + "\n"


def _tree(folder: Path) -> None:
    (folder / "a.py").write_text(GOOD)
    (folder / "deep.py").write_text(DEEP)
    (folder / "lists.py").write_text(LISTS)
    (folder / "chain.py").write_text(CHAIN)
    (folder / "null.py").write_bytes(b"import torch\n\0")
    (folder / "coding.py").write_bytes(b"# coding: latin-99\nimport torch\n")
    (folder / "bytes.py").write_bytes(b"\xff\xfe\x00")
    os.mkfifo(folder / "fifo.py")
    (folder / "loop.py").symlink_to(folder / "loop.py")
    (folder / "device.py").symlink_to("/dev/zero")
    (folder / "again").symlink_to(folder)
    with (folder / "huge.py").open("wb") as file:
        file.truncate(LARGEST + 1)
    (folder / "z.py").write_text("import deep, fifo\n" + GOOD)


BAD = ["bytes", "chain", "coding", "deep", "device", "fifo", "huge", "lists", "loop", "null"]


def test_scan_reports_what_it_cannot_take_and_scans_the_rest(tmp_path: Path) -> None:
    _tree(tmp_path)
    result = scan(tmp_path)
    assert [Path(c.file).name for c in result.calls] == ["a.py", "z.py"]
    errors = {Path(file).stem: reason for file, reason in result.errors}
    assert sorted(errors) == BAD
    assert "ends the parser" in errors["deep"]
    assert "nested too deeply" in errors["chain"]
    assert "not a regular file" in errors["fifo"]
    assert "not a regular file" in errors["device"]
    assert "bytes" in errors["huge"]


def test_convert_reports_the_same_files(tmp_path: Path) -> None:
    _tree(tmp_path)
    result = convert(tmp_path, dry_run=True)
    assert sorted(Path(f.path).stem for f in result.files if f.error) == BAD
    assert sum("nn.Dense(3, 4)" in f.code for f in result.files) == 2


def test_a_file_beside_the_one_that_is_scanned_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "net.py").write_text("from pipe import *\n" + GOOD)
    assert len(scan(tmp_path / "net.py").calls) == 1


def test_every_text_that_ends_the_parser_is_named_and_no_other() -> None:
    texts = {Path(f"{i}.py"): DEEP if i % 2 else GOOD * 100 for i in range(4)}
    assert sorted(unparsable(texts)) == [Path("1.py"), Path("3.py")]


def test_a_text_that_takes_too_long_is_given_up() -> None:
    slow = "x = " + "+".join("a" * 2500) + "\n"  # quadratic in libcst
    reasons = unparsable({Path("slow.py"): slow}, seconds=1.0)
    assert reasons == {Path("slow.py"): "parsing it takes longer than 1 s"}


def test_a_syntax_error_is_none_of_its_business() -> None:
    assert unparsable({Path("x.py"): "def f(:\n" * 500}) == {}


def test_a_parser_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with pytest.raises(RuntimeError, match="cannot be started"):
        unparsable({Path("x.py"): GOOD * 100})


def test_a_regular_file_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(GOOD)
    assert unreadable(tmp_path / "x.py") == ""
    assert "No such file" in unreadable(tmp_path / "y.py")
