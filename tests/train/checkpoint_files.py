"""What the tests of both checkpoint formats share: MindSpore's files and what is in them."""

from __future__ import annotations

import json
import math
import os
import pathlib

import numpy as np
import torch

import forked
from agar.train import _checkpoint_file

DATA = pathlib.Path(__file__).parent.parent / "data" / "checkpoints.json"
FILES = {k: bytes.fromhex(v) for k, v in json.loads(DATA.read_text("utf-8"))["files"].items()}

# Tensors of this many bytes are used where they lie in the file.
LARGE = _checkpoint_file.MAP_BYTES


def types() -> dict[str, torch.Tensor]:
    """What MindSpore put into the recorded files types.* (no complex ones into the safetensors)."""
    values = {}
    for name in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
        info = np.iinfo(name)
        values[name] = torch.from_numpy(np.array([[info.min, info.max], [1, 2]], name))
    for name in ["float16", "float32", "float64"]:
        array = np.array([[1.5, -0.0, np.inf], [np.nan, -2.25, 6e-8]], name)
        values[name] = torch.from_numpy(array)
    values["bool"] = torch.tensor([True, False, True])
    values["bfloat16"] = torch.tensor([1, 2.5, -math.inf], dtype=torch.bfloat16)
    values["scalar"] = torch.tensor(2.5)
    values["complex64"] = torch.tensor([1 + 2j, complex(-0.0, -0.5)])
    values["層.weight"] = torch.tensor([1.0])
    return values


def assert_same(found: dict, expected: dict) -> None:
    """The same names in the same order, and values equal in type, shape and every bit."""
    assert list(found) == list(expected)
    assert [name for name in expected if not _same(found[name], expected[name])] == []


def _same(a: torch.Tensor | str, b: torch.Tensor | str) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    flat = [x.clone(memory_format=torch.contiguous_format).reshape(-1) for x in (a, b)]
    bits = [x.view(torch.uint8) for x in flat]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(*bits)


def kill_while_writing(path: pathlib.Path, code: str) -> None:
    """Run ``code``, which writes to ``sys.argv[1]``, and kill it when it says that it does."""
    given, held = os.pipe()  # the program waits for what never comes
    read, written = os.pipe()
    program = forked.start(code, str(path), stdin=given, stdout=written)
    os.close(written)
    try:
        with open(read, "rb") as said:
            assert said.readline() == b"writing\n"
        assert len(os.listdir(path.parent)) == 2  # the old file and the unfinished one
    finally:
        program.kill()
        os.close(given)
        os.close(held)
