"""What five training programs of other authors needed: each in its shortest form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agar.migrate.conversion import convert_text
from agar.migrate.script_runs import check_script

HEAD = """import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


"""


def converted(code: str, target: str = "agar") -> str:
    made = convert_text(HEAD + code, Path("program.py"), target=target)
    assert not made.by_hand, made.by_hand
    return made.code


def test_parts_of_several_results_have_places_in_place_of_names() -> None:
    code = converted(
        "def f(x: torch.Tensor):\n"
        "    top = x.topk(2)\n"
        "    table = {'values': x}\n"
        "    return top.indices, x.max(dim=1).values, torch.sort(x).indices, table.values()\n"
    )
    assert "return top[1], x.max(dim=1)[0], ops.sort(x, -1)[1], table.values()" in code


def test_arrays_that_index_tensors_become_tensors() -> None:
    code = converted(
        "x = torch.zeros(8, 2)\n"
        "order = np.arange(8)\n"
        "part = order[2:4]\n"
        "print(x[part], x[order, 0], x[order[0]], x[1:3], order[part])\n",
        "mindspore",
    )
    assert "x[ms.Tensor(part)], x[ms.Tensor(order), 0], x[order[0]], x[1:3], order[part]" in code


def test_what_is_used_twice_is_a_function() -> None:
    code = converted("def f(x: torch.Tensor):\n    return F.normalize(x.relu(), dim=-1)\n")
    assert "return _normalize(ops.relu(x), dim=-1)" in code
    assert "lambda" not in code


def test_a_new_tensor_need_not_be_changed_in_place() -> None:
    code = converted("def f(x: torch.Tensor):\n    return x.sum(0).mul_(2.0), x.mul_(3.0)\n")
    assert "x.sum(dim=0).mul(2.0)" in code or "x.sum(0).mul(2.0)" in code
    assert "x.copy_(" in code


LOOP = """class World:
    def __init__(self, n):
        self.at = np.zeros(n, np.float32)

    def reset(self):
        return self.at

    def step(self, action):
        {step}
        return self.at, -self.at


world = World(4)
torch.manual_seed(0)
policy = nn.Linear(1, 1)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
seen = torch.zeros(3, 4)
losses = []
observed = torch.Tensor(world.reset())
for update in range(2):
    for step in range(3):
        {acting}
        observed, reward = world.step(action.{numbers})
        observed = torch.tensor(observed).to("cpu").view(-1)
        seen[step] = {kept}
        seen[step] += action
    target = seen.reshape(-1)
    for start in range(0, 12, 6):
        out = policy(target[start : start + 6, None]) - 1
        losses += [out.shape[0]]
        loss = out.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
        print(f"loss {{loss.item():.6f}} {{losses}}")
"""
ACTING = "with torch.no_grad():\n            action = policy(observed[:, None]).flatten()"
STEP = "self.at = self.at + action + 1"


def test_a_loop_over_what_was_played_before_converts(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        HEAD
        + LOOP.format(
            step=STEP, acting=ACTING, numbers="cpu().numpy()", kept="torch.tensor(reward)"
        )
    )
    found = check_script(program)
    assert found.passed, found
    assert "value_and_grad(" in found.code
    # MindSpore lets no list be changed that is an argument
    assert "losses.extend([out.shape[0]])" in found.code
    assert "def forward_fn(start):" in found.code


@pytest.mark.parametrize(
    "changed",
    [
        # the action keeps its gradient
        {"acting": "action = policy(observed[:, None]).flatten()"},
        # the world has tensors, which may have come from a network
        {"step": "self.at = torch.as_tensor(self.at) + action", "kept": "reward"},
        {"step": "self.at = self.at + action", "numbers": "cpu()", "kept": "policy(reward)"},
    ],
)
def test_what_was_played_with_gradients_leaves_the_loop_whole(changed: dict[str, str]) -> None:
    parts = {"step": STEP, "acting": ACTING, "numbers": "numpy()", "kept": "torch.tensor(reward)"}
    made = convert_text(HEAD + LOOP.format(**parts | changed), Path("program.py"))
    assert "value_and_grad(" not in made.code
    assert made.by_hand


def test_programs_draw_from_numpy_what_the_original_draws(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        HEAD + "np.random.seed(3)\ntorch.manual_seed(0)\n"
        "net = nn.Linear(3, 2)  # whose seed MindSpore draws from NumPy\n"
        "order = np.arange(9)\nnp.random.shuffle(order)\n"
        "print('order', *order, np.random.rand(), np.random.permutation(5)[0])\n"
    )
    before = np.random.get_state()
    found = check_script(program)
    assert found.passed, found
    assert all(np.array_equal(a, b) for a, b in zip(before, np.random.get_state(), strict=True))
    assert np.random.shuffle.__module__ is None or "script_replay" not in repr(np.random.shuffle)


def test_sequences_are_padded(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        HEAD + "from torch.nn.utils.rnn import pad_sequence\n"
        "rows = [torch.arange(n) for n in (3, 1, 2)]\n"
        "print(pad_sequence(rows, batch_first=True, padding_value=7).tolist())\n"
        "print(pad_sequence([torch.ones(2, 2), torch.ones(1, 2)]).sum().item())\n"
    )
    found = check_script(program)
    assert found.passed, found


def test_operands_of_einsum_in_a_list() -> None:
    code = converted("def f(a, b):\n    return torch.einsum('nc,ck->nk', [a, b])\n")
    assert "return ops.matmul(a, b)" in code


UNKNOWN = """class Net(nn.Module):
    def __init__(self, pad, affine, mode):
        super().__init__()
        self.embed = nn.Embedding(5, 4, padding_idx=pad)
        self.norm = nn.LayerNorm(4, elementwise_affine=affine)
        self.conv = nn.Conv1d(4, 4, 3, padding=1, padding_mode=mode)

    def forward(self, ids):
        x = self.norm(self.embed(ids))
        return self.conv(x.transpose(1, 2))


torch.manual_seed(0)
for pad, affine, mode in ((2, True, "zeros"), (None, False, "circular"), (0, True, "reflect")):
    net = Net(pad, affine, mode)
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    ids = torch.tensor([[0, 1, 2, 3], [2, 2, 0, 4]])
    for step in range(3):
        loss = net(ids).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("loss", loss.item())
"""


def test_arguments_that_the_source_does_not_tell_decide_when_it_runs(tmp_path: Path) -> None:
    # the row of padding was trained, and the other two were left out, without a word
    program = tmp_path / "program.py"
    program.write_text(HEAD + UNKNOWN)
    found = check_script(program)
    assert not found.by_hand
    assert found.passed, found


def test_arguments_without_a_place_are_marked() -> None:
    made = convert_text(
        HEAD + "def f(x: torch.Tensor, kind):\n    return x.cumsum(0, dtype=kind)\n", Path("p.py")
    )
    assert "dtype=kind is left out, as if it were None" in made.code
    assert len(made.by_hand) == 1


def test_one_rate_of_a_scheduler() -> None:
    code = converted(
        "net = nn.Linear(3, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)\n"
        "print(scheduler.get_last_lr()[0], scheduler.get_last_lr())\n"
    )
    rates = "[float(lr) for lr in scheduler.get_last_lr()]"
    assert f"print(float(scheduler.get_last_lr()[0]), {rates})" in code


METERS = """class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, value, count):
        self.total += value * count


def accuracy(out, target):
    return (out.argmax(1) == target).float().mean().item()


torch.manual_seed(0)
net = nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
meter = Meter()
for step in range(2):
    x, target = torch.rand(4, 3), torch.tensor([0, 1, 1, 0])
    out = net(x)
    loss = F.cross_entropy(out, target)
    share = accuracy(out, target)
    meter.update(loss.item(), x.size(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{meter.total:.5f} {share:.3f}")
"""


def test_meters_stay_out_of_what_is_differentiated(tmp_path: Path) -> None:
    # MindSpore takes no number as the only other result
    program = tmp_path / "program.py"
    program.write_text(HEAD + METERS)
    found = check_script(program)
    assert found.passed, found
    forward = found.code.partition("def forward_fn")[2].partition("grad_fn =")[0]
    assert forward
    assert "accuracy" not in forward
    assert "meter" not in forward


NUMBERS = """import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
correct, seen = 0, 0
model.train()
for step in range(6):
    optimizer.zero_grad()
    logits = model(x)
    share = (logits.argmax(dim=1) == y).float().mean().item()
    correct += (logits.argmax(dim=1) == y).sum().item()
    seen += len(y)
    loss = criterion(logits, y) * (1 + 0 * share * correct / seen)
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.6f} share {share:.4f} of {correct / seen:.4f}")
"""


def test_numbers_beside_the_loss_come_back_in_a_tuple(tmp_path: Path) -> None:
    # MindSpore takes a function without another tensor for one of a single result
    path = tmp_path / "numbers.py"
    path.write_text(NUMBERS)
    check = check_script(path)
    assert check.passed, str(check)
    assert "    return loss, (share, correct, seen)\n" in check.code
    assert "(loss, (share, correct, seen)), grads = grad_fn(" in check.code


def test_a_tensor_beside_the_loss_needs_no_tuple() -> None:
    code = converted(
        NUMBERS.split("import torch.nn as nn\n")[1].replace("(y)\n", "(y) + logits.sum()\n")
    )
    assert "return loss, share, correct, seen\n" in code


def test_names_of_comprehensions_are_their_own(tmp_path: Path) -> None:
    path = tmp_path / "comprehension.py"
    path.write_text(
        NUMBERS.replace("    logits = model(x)\n", "    xs = [x, x]\n    "
                        "sizes = [len(part) for part in xs for n in part.shape if n > 1]\n    "
                        "part = max(xs, key=lambda n: n.sum().item())\n    logits = model(part)\n")
    )  # fmt: skip
    check = check_script(path)
    assert check.passed, str(check)
    assert "def forward_fn(correct, seen):" in check.code


def test_sums_of_what_was_reshaped_and_cast_are_tensors() -> None:
    code = converted(
        "def accuracy(output, target, k):\n"
        "    correct = output.topk(k, 1, True, True)[1].t().eq(target.view(1, -1))\n"
        "    return correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0)\n",
        "mindspore",
    )
    assert ".float().sum(dim=0, keepdim=True).mul(100.0)" in code
