"""Converted networks run: the same weights give the same outputs and gradients."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar.migrate import check, load_torch_state
from agar.migrate.conversion import convert_text
from migrate.convert_samples import HEAD, SAMPLES, Sample


def run(name: str, code: str, folder: Path) -> types.ModuleType:
    """The text as a module, which lies in a file so that errors show its lines."""
    path = folder / f"{name}.py"
    path.write_text(code)
    spec = importlib.util.spec_from_file_location(f"converted_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    yield
    for name in [n for n in sys.modules if n.startswith("converted_")]:
        del sys.modules[name]


def tensors(sample: Sample) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    out = []
    for shape in sample.inputs:
        if shape[0] == "int":
            out.append(torch.randint(0, shape[1], shape[2], generator=generator))
        else:
            out.append(torch.randn(shape, generator=generator))
    return out


def flat(value: Any) -> list[Any]:
    return [v for part in value for v in flat(part)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_outputs_and_gradients(sample: Sample, tmp_path: Path) -> None:
    result = convert_text(HEAD + sample.code, target="agar")
    assert not result.by_hand, result.by_hand
    assert "import torch" not in result.code
    torch.manual_seed(1)
    original = run(f"{sample.name}_torch", HEAD + sample.code, tmp_path)
    there = run(sample.name, result.code, tmp_path)
    module = eval(sample.build, vars(original)).eval()
    build = sample.build.replace("nn.Sequential", "nn.SequentialCell")
    cell = eval(build, vars(there)).set_train(False)
    load_torch_state(cell, module.state_dict(), module=module)
    inputs = tensors(sample)
    with torch.no_grad():
        expected = flat(module(*inputs))
    found = flat(cell(*[ms.from_torch(x) for x in inputs]))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.numpy(), rtol=1e-4, atol=1e-5)
    report = check(module, cell, tuple(inputs))
    assert report.passed, report.first_divergence
    names = [p.name for p in cell.trainable_params()]
    assert len(set(names)) == len(names)


def test_text_of_all_samples_is_stable() -> None:
    for sample in SAMPLES:
        once = convert_text(HEAD + sample.code).code
        assert convert_text(once).code == once


def test_a_converted_training_script_learns_the_same(tmp_path: Path) -> None:
    code = """\
import torch
import torch.nn as nn


def train(model, batches):
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    model.train()
    for x, y in batches:
        optimizer.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def build():
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
"""
    here = run("script_torch", code, tmp_path)
    result = convert_text(code, target="agar")
    assert not result.by_hand
    there = run("script", result.code, tmp_path)
    torch.manual_seed(0)
    module = here.build()
    cell = there.build()
    load_torch_state(cell, module.state_dict())
    generator = torch.Generator().manual_seed(0)
    batches = [
        (torch.randn(4, 3, generator=generator), torch.randn(4, 1, generator=generator))
        for _ in range(5)
    ]
    expected = here.train(module, batches)
    found = there.train(cell, [(ms.from_torch(x), ms.from_torch(y)) for x, y in batches])
    np.testing.assert_allclose(found, expected, rtol=1e-4)
