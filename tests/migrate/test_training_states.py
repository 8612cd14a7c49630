"""Checkpoints, frozen parameters, buffers and labels of converted programs."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar.migrate.conversion import ConvertedFile, convert_text

HEAD = """import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

"""


def made(code: str, target: str = "agar") -> ConvertedFile:
    return convert_text(HEAD + code, target=target)


def last_line(code: str, target: str = "agar") -> str:
    return made(code, target).code.rstrip().splitlines()[-1].strip()


def run(code: str) -> dict[str, Any]:
    found = made(code)
    assert not found.by_hand
    scope: dict[str, Any] = {"__name__": "converted"}
    exec(compile(found.code, "<converted states>", "exec"), scope)
    return scope


# ------------------------------------------------------------------------------- files

TWO = """
def build(lr=0.1):
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    net.register_buffer("seen", torch.zeros(2))
    return net, torch.optim.Adam(net.parameters(), lr=lr)


def step(net, optimizer, x):
    net.train()
    optimizer.zero_grad()
    loss = net(x).pow(2).mean() + net(x).sum()
    loss.backward()
    optimizer.step()


def save(path, net, optimizer, scheduler, **more):
    torch.save(
        {
            "net": net.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "more": more,
        },
        path,
    )


def load(path, net, optimizer, scheduler):
    checkpoint = torch.load(path, map_location="cpu", weights_only=False)
    net.load_state_dict(checkpoint["net"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    return checkpoint["more"]


def schedule(optimizer):
    return torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
"""


def values(*cells: Any) -> dict[str, np.ndarray]:
    return {
        f"{i}.{n}": v.asnumpy().copy()
        for i, c in enumerate(cells)
        for n, v in c.state_dict().items()
    }


def test_a_checkpoint_of_several_parts_is_read_as_it_was_written(tmp_path: Path) -> None:
    scope = run(TWO)
    net, optimizer = scope["build"]()
    scheduler = scope["schedule"](optimizer)
    x = ms.Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))
    scope["step"](net, optimizer, x)
    scheduler.step()
    net.seen.copy_(ms.Tensor([1.0, 2.0]))
    given = {"epoch": 3, "best": float("inf"), "names": ["a", ("b", None)], "t": ms.Tensor([1, 2])}
    path = tmp_path / "checkpoint.pt"
    scope["save"](path, net, optimizer, scheduler, **given)
    assert [p.name for p in tmp_path.iterdir()] == ["checkpoint.pt"]

    other, again = scope["build"](0.3)
    later = scope["schedule"](again)
    more = scope["load"](path, other, again, later)
    assert more["t"].asnumpy().tolist() == [1, 2]
    assert not isinstance(more["t"], ms.Parameter)
    assert {k: v for k, v in more.items() if k != "t"} == {
        k: v for k, v in given.items() if k != "t"
    }
    assert float(again.param_groups[0]["lr"]) == pytest.approx(0.05)
    for one, two in ((net, optimizer), (other, again)):
        scope["step"](one, two, x)
    scheduler.step()
    later.step()
    assert float(again.param_groups[0]["lr"]) == float(optimizer.param_groups[0]["lr"])
    first, second = values(net, optimizer), values(other, again)
    assert first.keys() == second.keys()
    for name, value in first.items():
        np.testing.assert_array_equal(value, second[name], err_msg=name)


def test_what_a_checkpoint_cannot_hold_raises(tmp_path: Path) -> None:
    scope = run(
        "def save(x, f):\n    torch.save(x, f)\n\n\ndef load(f):\n    return torch.load(f)\n"
    )
    with pytest.raises(TypeError, match="not JSON serializable"):
        scope["save"]({"args": object()}, tmp_path / "a.pt")
    with pytest.raises(TypeError, match="BytesIO"):
        scope["save"]({"epoch": 1}, io.BytesIO())
    assert not list(tmp_path.iterdir())
    ms.save_checkpoint(ms.nn.Dense(2, 1), str(tmp_path / "b.ckpt"))
    assert list(scope["load"](tmp_path / "b.ckpt")) == ["weight", "bias"]


def test_the_state_of_another_optimizer_is_refused(tmp_path: Path) -> None:
    scope = run(TWO)
    _, optimizer = scope["build"]()
    wrong = ms.experimental.optim.SGD(ms.nn.Dense(2, 3).trainable_params(), lr=0.1)
    with pytest.raises(ValueError, match="other parameters"):
        scope["_load_optimizer_state"](wrong, scope["_optimizer_state"](optimizer))


def test_a_module_is_not_saved_whole() -> None:
    found = made("net = nn.Linear(2, 3)\ntorch.save(net, 'net.pt')\n")
    assert [n.text for n in found.by_hand] == [
        "torch.save: a checkpoint holds no class: save the cell's state_dict()"
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.save(model.state_dict(), path)", "_save(model.state_dict(), path)"),
        ("torch.save(obj=a, f=path)", "_save(a, path)"),
        ("model.load_state_dict(torch.load(f, map_location=d))", "model.load_state_dict(_load(f))"),
        ("best = copy.deepcopy(model.state_dict())", "best = copy.deepcopy(model.state_dict())"),
        ("model.load_state_dict(best, strict=False)", "model.load_state_dict(best, False)"),
        ("state = {'opt': opt.state_dict()}", "state = {'opt': _optimizer_state(opt)}"),
        ("self.optimizer.load_state_dict(s)", "_load_optimizer_state(self.optimizer, s)"),
        ("lr_scheduler.load_state_dict(s)", "_load_counters(lr_scheduler, s)"),
    ],
)
def test_states(code: str, expected: str) -> None:
    found = made(f"def f(self, model, opt, lr_scheduler, path, best, a, s, d):\n    {code}\n")
    assert not found.by_hand
    assert found.code.rstrip().splitlines()[-1].strip() == expected


@pytest.mark.parametrize(
    "code",
    [
        "for name, value in model.state_dict().items():\n        print(name)",
        "state = model.state_dict()\n    print(state['fc.weight'])",
        "return model.state_dict()",
    ],
)
def test_names_of_a_state_that_are_read_are_marked(code: str) -> None:
    found = made(f"def f(model):\n    {code}\n")
    assert [n.text for n in found.by_hand if n.text.startswith("the names are the cell's")]


# ------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for p in model.parameters():\n    p.requires_grad_(False)", "p.requires_grad = False"),
        ("for n, p in model.named_parameters():\n    p.requires_grad_()", "p.requires_grad = True"),
        ("model.fc.weight.requires_grad_(False)", "model.fc.weight.requires_grad = False"),
        ("model.requires_grad_(False)", "_requires_grad(model, False)"),
        ("t = model.eval().requires_grad_()", "t = _requires_grad(model.set_train(False))"),
    ],
)
def test_frozen_parameters(code: str, expected: str) -> None:
    head = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    head += "        self.fc = nn.Linear(2, 3)\n\n\nmodel = Net()\n"
    found = made(head + code)
    assert not found.by_hand
    assert found.code.rstrip().splitlines()[-1].strip() == expected


def test_a_tensor_that_asks_for_gradients_is_marked() -> None:
    assert made("def f(x):\n    x = torch.relu(x)\n    x.requires_grad_()\n").by_hand
    assert made("def f(part):\n    part.requires_grad_(False)\n").by_hand


def test_running_statistics_are_buffers() -> None:
    scope = run(
        "net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))\n"
        "net.register_buffer('steps', torch.zeros(1))\n"
        "twin = copy.deepcopy(net)\n"
        "with torch.no_grad():\n"
        "    for b in net.buffers():\n        b.add_(2.0)\n"
        "    for one, other in zip(twin.buffers(), net.buffers()):\n        one.copy_(other)\n"
        "names = [name for name, _ in net.named_buffers()]\n"
    )
    assert scope["names"] == ["steps", "1.moving_mean", "1.moving_variance"]
    state = {n: v.asnumpy().tolist() for n, v in scope["twin"].state_dict().items()}
    assert state["1.moving_mean"] == [2.0] * 3
    assert state["1.moving_variance"] == [3.0] * 3
    assert state["steps"] == [2.0]


# ------------------------------------------------------------------------------- inputs


def test_labels_are_int32_for_mindspore() -> None:
    code = "criterion = nn.CrossEntropyLoss(label_smoothing=0.1)\n"
    assert last_line(code) == "criterion = nn.CrossEntropyLoss(label_smoothing=0.1)"
    found = made(code, "mindspore")
    expected = "criterion = _CrossEntropyLoss(label_smoothing=0.1)"
    assert found.code.rstrip().splitlines()[-1] == expected
    scope: dict[str, Any] = {}
    exec(found.code.replace("mindspore", "agar"), scope)
    seen = []
    old = ms.nn.CrossEntropyLoss.construct

    def construct(self: Any, logits: Any, labels: Any) -> Any:
        seen.append(labels.dtype)
        return old(self, logits, labels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ms.nn.CrossEntropyLoss, "construct", construct)
        logits = ms.Tensor(np.eye(3, dtype=np.float32))
        scope["criterion"](logits, ms.Tensor([0, 1, 2], ms.int64))
        scope["criterion"](logits, logits)
    assert seen == [ms.int32, ms.float32]


POOL = "    def {}(self, x):\n        return F.max_pool2d({}, 2)\n"


@pytest.mark.parametrize(
    ("head", "given", "expected"),
    [
        ("class Rows:\n" + POOL, "x", "return _with_batch(ops.max_pool2d, 4, x, 2)"),
        ("class Rows:\n" + POOL, "x[None]", "return ops.max_pool2d(x[None], 2)"),
        ("class Rows(nn.Module):\n" + POOL, "x", "return ops.max_pool2d(x, 2)"),
    ],
)
def test_pooling_of_one_sample(head: str, given: str, expected: str) -> None:
    code = head.format("forward", given)
    assert last_line(code, "mindspore") == expected
    assert "_with_batch" not in last_line(code)
    if "Module" in head:
        notes = [n.text for n in made(code, "mindspore").notes]
        assert any("has a batch dimension, 4 in all" in text for text in notes)


def test_one_sample_is_pooled_as_a_batch_of_one() -> None:
    found = made(
        "def f(x, *more):\n    return F.max_pool2d(x, 2, return_indices=True)\n", "mindspore"
    )
    scope: dict[str, Any] = {}
    exec(found.code.replace("mindspore", "agar"), scope)
    x = ms.Tensor(np.arange(32, dtype=np.float32).reshape(2, 4, 4))
    one, batch = scope["f"](x), scope["f"](x.expand_dims(0))
    for a, b in zip(one, batch, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy()[0])


# ------------------------------------------------------------------------------- kept values

EPISODE = """
model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
saved = {made}


def act(x):
    saved.append(model(x).max())


def finish(x):
    model.train()
    optimizer.zero_grad()
    loss = {loss}
    loss.backward()
    optimizer.step()
    del saved[:]
"""


@pytest.mark.parametrize("loss", ["sum(saved)", "sum(saved) + model(x).sum()", "saved[0] * 2"])
def test_gradients_of_values_that_were_computed_before_leave_a_step_whole(loss: str) -> None:
    found = made(EPISODE.format(made="[]", loss=loss))
    assert "loss.backward()" in found.code
    assert "value_and_grad(" not in found.code
    assert len(found.by_hand) == 1


def test_numbers_that_were_kept_do_not() -> None:
    code = EPISODE.format(made="[]", loss="model(x).sum() * len(saved)")
    found = made(code.replace(".max())", ".max().item())"))
    assert not found.by_hand
    assert "value_and_grad(" in found.code
