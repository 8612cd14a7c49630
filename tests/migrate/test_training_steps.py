"""Steps of several networks, in mixed precision, and with random numbers of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar.migrate.conversion import ConvertedFile, convert_text
from agar.migrate.script_runs import check_script

HEAD = """import torch
import torch.nn as nn
from torch.utils.data import DataLoader, random_split

"""


def made(code: str) -> ConvertedFile:
    return convert_text(HEAD + code, target="agar")


def equal(code: str, tmp_path: Path, lines: int) -> str:
    """The converted text of a program that prints what the original prints."""
    path = tmp_path / "train.py"
    path.write_text(HEAD + code)
    found = check_script(path)
    assert not found.by_hand
    assert found.passed, str(found)
    assert not found.missing
    assert found.lines >= lines
    return found.code


def left_whole(found: ConvertedFile) -> bool:
    return (
        ".backward()" in found.code and "value_and_grad(" not in found.code and bool(found.by_hand)
    )


# ------------------------------------------------------------------------------- two networks

GAN = """
class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(3, 8, bias=False), {layer}, nn.Linear(8, 2))

    def forward(self, z):
        return self.main(z)


torch.manual_seed(0)
netG = {make}
netD = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
criterion = nn.BCELoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=0.01)
optimizerG = torch.optim.Adam(netG.parameters(), lr=0.01)
points = torch.rand(8, 2)
for step in range(8):
    netD.zero_grad()
    label = torch.full((8,), 1.0)
    output = netD(points).view(-1)
    errD_real = criterion(output, label)
    errD_real.backward()
    D_x = output.mean().item()
    noise = torch.randn(8, 3)
    fake = netG(noise)
    {between}
    label.fill_(0.0)
    output = netD(fake{cut}).view(-1)
    errD_fake = criterion(output, label)
    errD_fake.backward({given})
    optimizerD.step()
    netG.zero_grad()
    label.fill_(1.0)
    errG = criterion(netD(fake).view(-1), label)
    errG.backward()
    optimizerG.step()
    print(errD_real.item(), errD_fake.item(), errG.item(), D_x)
netG.eval()
print(netG(torch.ones(2, 3)).sum().item())
"""
PLAIN = {
    "layer": "nn.BatchNorm1d(8)",
    "make": "Generator()",
    "between": "pass",
    "cut": ".detach()",
    "given": "",
}


@pytest.mark.parametrize("layer", ["nn.BatchNorm1d(8)", "nn.Tanh()"])
def test_a_generator_runs_again_in_its_own_step(layer: str, tmp_path: Path) -> None:
    code = equal(GAN.format(**{**PLAIN, "layer": layer}), tmp_path, 9)
    assert ("with _kept_statistics(netG):" in code) == ("Batch" in layer)
    assert "grads = tuple(a + b for a, b in zip(grads, more_grads))" in code
    assert code.count("netD.set_train()") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"layer": "nn.Dropout(0.5)"},
        {"layer": "nn.utils.spectral_norm(nn.Linear(8, 8))"},
        {"make": "make_generator()"},
        {"between": "noise.mul_(2)"},
        {"between": "fake = fake.clamp(0, 1)"},
        {"given": "torch.ones(())"},
    ],
    ids=lambda change: "".join(change.values())[:20],
)
def test_a_generator_that_may_give_something_else_leaves_the_loop_whole(
    change: dict[str, str],
) -> None:
    code = GAN.format(**{**PLAIN, **change}).replace("= make_generator()", "= models.make()")
    assert left_whole(made(f"import models\n{code}"))


def test_the_discriminator_takes_what_the_generator_gave(tmp_path: Path) -> None:
    code = """
torch.manual_seed(0)
G = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
optimizer_G = torch.optim.SGD(G.parameters(), lr=0.1)
optimizer_D = torch.optim.SGD(D.parameters(), lr=0.1)
real = torch.rand(8, 2)
for step in range(6):
    optimizer_G.zero_grad()
    z = torch.randn(8, 3)
    images = G(z)
    g_loss = -D(images).mean()
    g_loss.backward()
    optimizer_G.step()
    optimizer_D.zero_grad()
    d_loss = (D(images.detach()).mean() - D(real).mean()) / 2
    d_loss.backward()
    optimizer_D.step()
    print(g_loss.item(), d_loss.item())
"""
    assert "_kept_statistics" not in equal(code, tmp_path, 6)


@pytest.mark.parametrize(
    "steps",
    [
        # each step would need the gradients of both losses
        "one.backward()\n    two.backward()\n    opt_a.step()\n    opt_b.step()",
        "one.backward()\n    penalty = torch.autograd.grad(two, x)\n    opt_a.step()",
        "one.backward()\n    opt_a.zero_grad()\n    two.backward()\n    opt_a.step()",
    ],
)
def test_steps_that_share_gradients_stay_whole(steps: str) -> None:
    found = made(f"""
a, b = nn.Linear(2, 2), nn.Linear(2, 2)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1)
opt_b = torch.optim.SGD(b.parameters(), lr=0.1)
for x in data:
    opt_a.zero_grad()
    opt_b.zero_grad()
    one, two = a(x).sum(), b(x).sum()
    {steps}
""")
    assert left_whole(found)


# ------------------------------------------------------------------------------- mixed precision

AMP = """
torch.manual_seed(0)
use_amp = torch.cuda.is_available()
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler({scaler})
data = [torch.randn(4, 3) for _ in range(4)]
for step, x in enumerate(data):
    opt.zero_grad()
    with torch.autocast({cast}):
        loss = net(x).pow(2).mean()
    scaler.scale(loss).backward()
    {unscale}
    nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    {step}
    {update}
    print(loss.item())
"""
AS_WRITTEN = {
    "scaler": '"cuda", enabled=use_amp',
    "cast": '"cuda", enabled=use_amp',
    "unscale": "scaler.unscale_(opt)",
    "step": "scaler.step(opt)",
    "update": "scaler.update()",
}


@pytest.mark.parametrize(
    ("change", "scaler", "condition"),
    [
        (
            {},
            "ms.amp.DynamicLossScaler(65536, 2, 2000) if use_amp else ms.amp.StaticLossScaler(1)",
            "is_finite or isinstance(scaler, ms.amp.StaticLossScaler)",
        ),
        (
            {"scaler": '"cpu", init_scale=256.0, growth_interval=3'},
            "ms.amp.DynamicLossScaler(256.0, 2, 3)",
            "is_finite",
        ),
    ],
)
def test_mixed_precision(
    change: dict[str, str], scaler: str, condition: str, tmp_path: Path
) -> None:
    code = equal(AMP.format(**{**AS_WRITTEN, **change}), tmp_path, 4)
    assert f"scaler = {scaler}\n" in code
    assert f"if {condition}:" in code
    assert "net = _mixed_precision(net, use_amp and " in code


@pytest.mark.parametrize(
    "change",
    [
        # clipped while they are scaled
        {"unscale": "pass"},
        {"step": "opt.step()"},
        {"update": "if step % 2:\n        scaler.step(opt)\n        scaler.update()"},
        {"update": "scaler.update(); print(scaler.get_scale())"},
    ],
    ids=lambda change: "".join(change.values())[:20],
)
def test_mixed_precision_that_is_not_plain_stays_whole(change: dict[str, str]) -> None:
    found = made(AMP.format(**{**AS_WRITTEN, **change}))
    assert left_whole(found)
    assert "scaler.scale(loss).backward()" in found.code


TRAIN = """
def train(model, loader, criterion, optimizer, scaler, device):
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.amp.autocast():
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


@torch.no_grad()
def evaluate(model, loader):
    for x, y in loader:
        with torch.cuda.amp.autocast():
            out = model(x)
        print(out.mean().item())


model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""


def test_mixed_precision_in_a_function() -> None:
    found = made(TRAIN)
    assert not found.by_hand
    cast = "    model = _mixed_precision(model, ms.get_context('device_target') != 'CPU')"
    assert cast in found.code.splitlines()
    assert "autocast(" not in found.code


def test_a_network_of_the_module_is_not_bound_in_a_function() -> None:
    assert left_whole(made(TRAIN.replace("def train(model, ", "def train(")))


def test_an_autocast_without_a_step_stays_where_it_is() -> None:
    found = made(TRAIN[TRAIN.index("@torch") :])
    assert "with torch.cuda.amp.autocast():" in found.code
    assert found.by_hand


def test_a_cell_is_cast_once() -> None:
    scope: dict[str, Any] = {}
    exec(made(AMP.format(**AS_WRITTEN)).code.partition("ms.set_seed")[0], scope)
    net = ms.nn.SequentialCell(ms.nn.Dense(2, 2))
    assert scope["_mixed_precision"](net, False) is net
    cast = scope["_mixed_precision"](net)
    assert scope["_mixed_precision"](cast) is cast
    assert cast(ms.Tensor(np.ones((1, 2), np.float32))).dtype in (ms.float16, ms.float32)


# ------------------------------------------------------------------------------- random numbers


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("g = torch.Generator().manual_seed(3)", "g = np.random.default_rng(3)"),
        ("g = torch.Generator(device='cpu')", "g = np.random.default_rng()"),
        ("torch.rand(2, 3, generator=g)", "ms.Tensor(g.random((2, 3), np.float32))"),
        ("torch.rand((2, 3), generator=g)", "ms.Tensor(g.random((2, 3), np.float32))"),
        ("torch.randn(n, generator=g)", "ms.Tensor(g.standard_normal(n, np.float32))"),
        ("torch.randint(5, (n,), generator=g)", "ms.Tensor(g.integers(0, 5, (n,)))"),
        ("torch.randint(1, 5, size=s, generator=g)", "ms.Tensor(g.integers(1, 5, s))"),
        ("torch.randperm(n, generator=g)", "ms.Tensor(g.permutation(n))"),
        (
            "a, b = random_split(rows, [2, 3], generator=g)",
            "a, b = _random_split(rows, [2, 3], rng=g)",
        ),
        (
            "loader = DataLoader(rows, 4, True, generator=g)",
            "loader = _DataLoader(rows, batch_size=4, shuffle=True, rng=g)",
        ),
    ],
)
def test_generators(code: str, expected: str) -> None:
    found = made(f"def f(g, n, s, rows):\n    {code}\n")
    assert not found.by_hand
    assert found.code.rstrip().splitlines()[-1].strip() == expected


def test_a_seed_begins_a_generator_anew() -> None:
    code = "g = torch.Generator()\ng.manual_seed(7)\nx = torch.randn(3, generator=g)\n"
    scope: dict[str, Any] = {}
    exec(made(code).code, scope)
    expected = np.random.default_rng(7).standard_normal(3, np.float32)
    np.testing.assert_array_equal(scope["x"].asnumpy(), expected)


@pytest.mark.parametrize(
    "code",
    [
        "g = torch.Generator()\n    s = g.get_state()",
        "torch.rand(2, generator=g, dtype=torch.float64)",
        "torch.bernoulli(x, generator=g)",
    ],
)
def test_generators_without_a_counterpart_are_marked(code: str) -> None:
    assert made(f"def f(g, x):\n    {code}\n").by_hand


@pytest.mark.parametrize("argument", ["probs", "logits"])
def test_categorical(argument: str) -> None:
    code = "from torch.distributions import Categorical\n\nmake = lambda p: Categorical(probs=p)\n"
    scope: dict[str, Any] = {}
    exec(made(code).code, scope)
    given = np.random.default_rng(0).random((4, 3)).astype(np.float32)
    ours = scope["_Categorical"](**{argument: ms.Tensor(given)})
    tensor = torch.from_numpy(given)
    if argument == "probs":
        theirs = torch.distributions.Categorical(probs=tensor)
    else:
        theirs = torch.distributions.Categorical(logits=tensor)
    value = np.array([0, 2, 1, 1])
    for one, other in (
        (ours.log_prob(ms.Tensor(value)), theirs.log_prob(torch.from_numpy(value))),
        (ours.entropy(), theirs.entropy()),
        (ours.probs, theirs.probs),
        (ours.logits, theirs.logits),
    ):
        np.testing.assert_allclose(one.asnumpy(), other.numpy(), rtol=1e-5)
    ms.set_seed(1)
    drawn = ours.sample((2000,))
    assert drawn.shape == (2000, 4)
    assert drawn.dtype == ms.int64
    shares = np.stack([(drawn.asnumpy() == k).mean(0) for k in range(3)], 1)
    np.testing.assert_allclose(shares, theirs.probs.numpy(), atol=0.05)
    assert ours.log_prob(drawn).shape == (2000, 4)
    with pytest.raises(ValueError, match="either probs or logits"):
        scope["_Categorical"]()
