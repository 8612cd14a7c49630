"""Networks that nobody here wrote, through from_torch: equal, trained, and mostly native.

They need the packages of requirements/networks.txt; benchmarks/migrate.py measures more of them.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar.migrate import from_torch, load_torch_state, to_torch_state
from agar.migrate.live_conversion import ForeignCell, foreign, native_fraction
from agar.migrate.trees import tensors

pytestmark = [
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None
            for name in ("transformers", "pytorchcv", "vit_pytorch")
        ),
        reason="the networks are not installed: pip install --no-deps -r requirements/networks.txt",
    ),
    # of the packages themselves
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

CHOSEN = {"BERT": 0.9, "resnet20_cifar10": 1.0, "CCT": 0.9, "ResNet": 1.0}


@pytest.fixture
def network(request, monkeypatch):
    """A network of the benchmark, without the randomness of its dropouts."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    from migrate_networks import networks

    torch.manual_seed(0)
    found = next(n for n in networks() if n.name == request.param)
    module, inputs = found.make()
    for part in module.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
        if isinstance(getattr(part, "dropout_prob", None), float):
            part.dropout_prob = 0.0
    yield request.param, module, inputs if isinstance(inputs, dict) else {"": inputs}
    sys.modules.pop("migrate_networks", None)
    ms.set_context(mode=ms.PYNATIVE_MODE)


def call(net, inputs, change=lambda v: v):
    if "" in inputs:
        return net(*[change(v.clone()) for v in inputs[""]])
    return net(**{k: change(v.clone()) if hasattr(v, "clone") else v for k, v in inputs.items()})


def to_agar(value):
    return ms.Tensor(value.numpy())


def floats(out):
    return [v for _, v in tensors(out) if v.is_floating_point()]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("network", CHOSEN, indirect=True)
def test_outputs_and_gradients_are_the_originals(network, mode):
    name, module, inputs = network
    ms.set_context(mode=mode)
    statistics = {n: v.clone() for n, v in module.state_dict().items()}
    module.train()
    expected = floats(call(module, inputs))
    module.zero_grad()
    sum((v**2).mean() for v in expected).backward()
    wanted = {p.data_ptr(): p.grad.clone() for p in module.parameters() if p.grad is not None}
    module.load_state_dict(statistics)

    cell = from_torch(module)
    assert native_fraction(cell) >= CHOSEN[name]
    weights = cell.trainable_params()

    def loss():
        out = call(cell, inputs, to_agar)
        values = list(out.values()) if isinstance(out, dict) else [out]
        return sum((v**2).mean() for v in values if isinstance(v, ms.Tensor))

    value, grads = ms.value_and_grad(loss, None, weights)()
    total = float(sum((v.detach() ** 2).mean() for v in expected))
    assert float(value.asnumpy()) == pytest.approx(total, rel=1e-4)
    for p, grad in zip(weights, grads, strict=True):
        theirs = wanted.get(p._value.data_ptr())
        mine = grad.asnumpy()
        if theirs is None:
            assert not mine.any(), p.name
            continue
        scale = float(theirs.abs().max()) + 1e-6
        np.testing.assert_allclose(
            mine, theirs.reshape(mine.shape).numpy(), 1e-3, 1e-3 * scale, err_msg=p.name
        )


@pytest.mark.parametrize("network", CHOSEN, indirect=True)
def test_evaluation_keeps_the_form_of_the_output(network):
    _, module, inputs = network
    expected = call(module.eval(), inputs)
    cell = from_torch(module)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        for _ in range(3):
            out = call(cell, inputs, to_agar)
        if not isinstance(expected, torch.Tensor):
            assert type(out) is type(expected)
        for mine, theirs in zip(floats(out), floats(expected), strict=True):
            torch.testing.assert_close(mine, theirs.detach(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("network", ["BERT"], indirect=True)
def test_the_tree_and_the_state_of_a_transformer(network):
    _, module, _ = network
    cell = from_torch(module)
    attention = cell.bert.encoder.layer[0].attention
    assert isinstance(attention, ForeignCell)
    assert type(attention.self.query) is ms.nn.Dense
    assert all(f.reason for f in foreign(cell))
    state = module.state_dict()
    assert list(to_torch_state(cell)) == list(state)
    assert load_torch_state(cell, state).complete
