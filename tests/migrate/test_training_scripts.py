"""Whole training programs: converted, they print the losses that the originals print."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agar.migrate.conversion import convert_text
from agar.migrate.script_files import Program, neighbors
from agar.migrate.script_runs import ScriptCheck, _compare, check_script

FOLDER = Path(__file__).parent / "scripts"
#: programs that convert whole and whose curves are equal
EQUAL = (
    "accumulation",
    "amp",
    "classification",
    "contrastive",
    "detection",
    "diffusion",
    "distillation",
    "ema",
    "gan",
    "gnn",
    "gpt",
    "lstm_lm",
    "metrics",
    "resume",
    "scheduler",
    "segmentation",
    "super_resolution",
    "vae",
    "vit",
)
#: the others are covered by these in everyday runs
QUICK = ("classification", "metrics")


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in EQUAL]
)
def test_curves_are_equal(name: str) -> None:
    found = check_script(FOLDER / f"{name}.py")
    assert not found.by_hand
    assert found.passed, str(found)
    assert not found.missing
    assert found.lines >= 30
    assert "import torch" not in found.code


def test_a_program_that_cannot_be_converted_is_left_whole() -> None:
    # gradients of values that an episode computed before
    found = check_script(FOLDER / "policy_gradient.py")
    assert "value_and_grad(" not in found.code
    assert len(found.by_hand) == 1
    assert "NotImplementedError" in found.error


# ------------------------------------------------------------------------------- comparing


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("loss 1.0\n", "loss 1.00005\n", True),
        ("loss 1.0\n", "loss 1.001\n", False),
        ("loss 1e4\n", "loss 10000.5\n", True),
        ("loss 1.0\n", "cost 1.0\n", False),
        ("loss 1.0\nloss 2.0\n", "loss 1.0\n", False),
        ("loss nan\n", "loss 1.0\n", False),
        ("loss 1.0\n", "loss nan\n", False),
        ("done\n", "done\n", False),
    ],
)
def test_what_is_printed_is_compared(one: str, other: str, equal: bool) -> None:
    result = ScriptCheck("script.py", printed=(one, other))
    _compare(result, 1e-4)
    assert result.passed == equal


def test_a_wrong_curve_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    convert = Program.convert

    def spoiled(path: Path, target: str) -> Program:
        made = convert(path, target)
        made.code = made.code.replace("lr=0.1", "lr=0.2")
        return made

    monkeypatch.setattr(Program, "convert", spoiled)
    found = check_script(FOLDER / "classification.py")
    assert not found.passed
    assert found.first is not None
    # the first step does not know of the rate
    assert found.first[0] == 2


# ------------------------------------------------------------------------------- files

BESIDE = {
    "train.py": """import argparse

import torch
from layers import Head
from models.net import Net
from settings import rate

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=2)
args = parser.parse_args()
torch.manual_seed(0)
net = Net(Head(4))
optimizer = torch.optim.SGD(net.parameters(), lr=rate)
for step in range(args.steps):
    x = torch.rand(5, 3)
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print("step", step, loss.item())
""",
    "layers.py": """import torch.nn as nn


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x)
""",
    "models/__init__.py": "",
    "models/net.py": """import torch.nn as nn
from .parts import Body


class Net(nn.Module):
    def __init__(self, head):
        super().__init__()
        self.body, self.head = Body(), head

    def forward(self, x):
        return self.head(self.body(x))
""",
    "models/parts.py": """import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x + 0.1 * torch.randn_like(x))
""",
    "settings.py": "rate = 0.1\n",
    "unused.py": "raise RuntimeError\n",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    for name, code in BESIDE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    return tmp_path / "train.py"


def test_files_beside_a_program(program: Path) -> None:
    names = {"layers", "models", "models.net", "models.parts", "settings"}
    assert set(neighbors(program)) == names
    found = check_script(program, arguments=["--steps", "4"])
    assert found.passed, str(found)
    assert found.lines == 4
    assert not found.missing
    assert not names & set(sys.modules)
    assert str(program.parent) not in sys.path


def test_the_text_for_mindspore_runs_in_another_process(program: Path) -> None:
    said: list[str] = []
    found = check_script(program, target="mindspore", progress=said.append)
    assert found.passed, str(found)
    assert "import mindspore as ms" in found.code
    assert found.lines == 2
    assert not found.missing
    kinds = list(dict.fromkeys(text.partition(":")[0] for text in said))
    assert kinds == [
        "converting",
        "the original runs",
        "the conversion runs",
        "the conversion for MindSpore runs",
    ]
    assert any(text.startswith("the original runs: 2 lines, step 1 ") for text in said)


def test_marks_of_files_beside_a_program(program: Path) -> None:
    path = program.parent / "models" / "parts.py"
    path.write_text(path.read_text() + "\n\ndef later(x):\n    return torch.hub.load(x)\n")
    found = check_script(program)
    assert found.passed
    assert found.files == ["models/parts.py"]
    assert found.to_dict()["by_hand"][0]["file"] == "models/parts.py"


def test_what_is_asked_for_is_checked(program: Path) -> None:
    with pytest.raises(ValueError, match="'target' must be"):
        check_script(program, target="jax")
    with pytest.raises(ValueError, match="give target='mindspore'"):
        check_script(program, python="python")
    with pytest.raises(FileNotFoundError):
        check_script(program.parent / "gone.py")
    found = check_script(program, arguments=["--nonsense"])
    assert "the original raised" in found.error


# ------------------------------------------------------------------------------- data


def converted(code: str) -> str:
    made = convert_text(
        "import torch\nfrom torch.utils.data import DataLoader, Dataset, Subset, TensorDataset\n"
        "from torch.utils.data import IterableDataset, random_split\n" + code
    )
    return made.code.split("\n\n\n")[-1].strip().splitlines()[-1]


ROWS = "class Rows(Dataset):\n    def __getitem__(self, i):\n        return {}\n\n\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "loader = DataLoader(TensorDataset(x, y), 8, True)",
            'loader = GeneratorDataset(_TensorDataset(x, y), ["x", "y"], shuffle=True).batch(8)',
        ),
        (
            "loader = DataLoader(TensorDataset(x[:3], y), shuffle=s, drop_last=True, timeout=4)",
            'loader = GeneratorDataset(_TensorDataset(x[:3], y), ["x", "y"], shuffle=s)'
            ".batch(1, drop_remainder=True)",
        ),
        (
            ROWS.format("self.x[i], 3") + "loader = DataLoader(Rows(), batch_size=4)",
            'loader = GeneratorDataset(Rows(), ["x", "column_1"], shuffle=False).batch(4)',
        ),
        (
            ROWS.format('{"x": 3}') + "loader = DataLoader(Rows(), batch_size=4, pin_memory=True)",
            "loader = _DataLoader(Rows(), batch_size=4)",
        ),
        (
            "def load(dataset):\n    return DataLoader(dataset, shuffle=True)",
            "return _DataLoader(dataset, shuffle=True)",
        ),
        (
            "loader = DataLoader(TensorDataset(x, y), collate_fn=join, sampler=None)",
            "loader = _DataLoader(_TensorDataset(x, y), collate_fn=join)",
        ),
    ],
)
def test_loaders(code: str, expected: str) -> None:
    assert converted(code).strip() == expected


@pytest.mark.parametrize(
    "code",
    [
        "loader = DataLoader(*given)",
        "loader = DataLoader(x, worker_init_fn=seed)",
        "class Stream(IterableDataset):\n    def __iter__(self):\n        yield 1\n\n\n"
        "loader = DataLoader(Stream())",
    ],
)
def test_loaders_without_a_counterpart_are_marked(code: str) -> None:
    assert "_Unconverted('torch.utils.data.DataLoader: " in converted(code)


def test_a_class_with_the_name_of_its_base() -> None:
    code = "class Dataset(Dataset):\n    def __getitem__(self, i):\n        return {'x': i}\n\n\n"
    made = convert_text(f"from torch.utils.data import Dataset\n{code}rows = Dataset()\n")
    assert not made.by_hand
    assert "class Dataset:\n" in made.code
    assert made.code.endswith("rows = Dataset()\n")


def test_the_dataset_of_a_loader() -> None:
    code = "def show(train_loader):\n    return len(train_loader.dataset)"
    assert converted(code).strip() == "return len(_dataset_of(train_loader))"
    # another object's attribute is left alone
    assert converted("def show(args):\n    return args.dataset").strip() == "return args.dataset"


# ------------------------------------------------------------------------------- steps

LOOP = """import torch
import torch.nn as nn

model = nn.LSTM(3, 4)
optimizer = torch.optim.Adam({given})


def repackage_hidden(h):
    return {returned}


def train(data):
    model.train()
    hidden = start()
    for x in data:
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        y, hidden = model(x, hidden)
        loss = y.mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        print(loss.item())
"""


@pytest.mark.parametrize("returned", ["tuple(v.detach() for v in h)", "[v.detach() for v in h]"])
def test_a_hidden_state_that_is_detached_first_enters_a_step(returned: str) -> None:
    made = convert_text(LOOP.format(given="model.parameters()", returned=returned))
    assert not made.by_hand
    assert "(loss, hidden), grads = grad_fn(x, hidden)" in made.code


@pytest.mark.parametrize("returned", ["h", "tuple(v.detach() for v in h[:1]) + h[1:]"])
def test_a_hidden_state_with_gradients_leaves_the_loop_whole(returned: str) -> None:
    made = convert_text(LOOP.format(given="model.parameters()", returned=returned))
    assert "loss.backward()" in made.code
    assert len(made.by_hand) == 1


def test_what_is_clipped_is_compared_with_what_groups_train() -> None:
    groups = '[{"params": decay}, {"params": rest, "weight_decay": 0.0}]'
    made = convert_text(LOOP.format(given=groups, returned="[v.detach() for v in h]"))
    assert not made.by_hand
    assert "_check_clipped(model, optimizer)" in made.code


GROUPED = """import torch
import torch.nn as nn

model = nn.Linear(3, 4)
optimizer = torch.optim.Adam(model.parameters())


def train(data):
    model.train()
    {first}
    for epoch in range(3):
        for i, x in enumerate(data):
            loss = model(x).mean() / 4
            loss.backward()
            if (i + 1) % 4 == 0:
                {inner}
            print(loss.item())
"""


@pytest.mark.parametrize("zero", ["optimizer.zero_grad()", "model.zero_grad()"])
def test_gradients_of_several_batches_are_summed(zero: str) -> None:
    inner = "optimizer.step(); ".replace("; ", "\n                ") + zero
    made = convert_text(GROUPED.format(first=zero, inner=inner))
    assert not made.by_hand
    lines = [line.strip() for line in made.code.splitlines()]
    assert lines.count("accumulated = None") == 2
    at = lines.index("if (i + 1) % 4 == 0:")
    assert lines[at + 1 : at + 3] == ["optimizer(accumulated)", "accumulated = None"]
    assert "zero_grad" not in made.code


@pytest.mark.parametrize(
    ("first", "inner"),
    [
        # nothing clears the gradients at first, or after the step
        ("pass", "optimizer.step()\n                optimizer.zero_grad()"),
        ("optimizer.zero_grad()", "optimizer.step()"),
        # cleared before they are used, changed by hand
        ("optimizer.zero_grad()", "optimizer.zero_grad()\n                optimizer.step()"),
        (
            "optimizer.zero_grad()",
            "model.weight.grad.mul_(2)\n                optimizer.step()\n"
            "                optimizer.zero_grad()",
        ),
    ],
)
def test_unclear_sums_of_gradients_leave_the_loop_whole(first: str, inner: str) -> None:
    made = convert_text(GROUPED.format(first=first, inner=inner))
    assert "loss.backward()" in made.code
    assert "value_and_grad(" not in made.code
    assert "accumulated" not in made.code
    assert made.by_hand
