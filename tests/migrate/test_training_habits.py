"""What training programs by other habits have: packed sequences, one initialization for all, ..."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agar.migrate.conversion import convert_text
from agar.migrate.script_runs import check_script

HEAD = """import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


"""
LOOP = """

torch.manual_seed(0)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    loss = model(torch.randn(3, 5, 4), torch.tensor([2, 5, 3]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
"""


def converted(code: str):
    return convert_text(HEAD + code, Path("program.py"))


def equal(tmp_path: Path, code: str) -> str:
    """The text of a program that prints the same numbers after conversion."""
    script = tmp_path / "program.py"
    script.write_text(HEAD + code)
    result = check_script(script)
    assert not result.by_hand, result.by_hand
    assert result.passed, str(result)
    return result.code


@pytest.mark.parametrize(
    ("made", "forward", "text"),
    [
        (
            "nn.LSTM(4, 3, batch_first=True, bidirectional=True)",
            """e = x * 2
        packed = pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, (h, c) = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out.pow(2).mean() + h.sum() + c.mean()""",
            "out, (h, c) = self.rnn(e, seq_length=seq_length)\n"
            "        out, _ = _unpacked(out, seq_length, batch_first=True)",
        ),
        (
            "nn.GRU(4, 3, 2)",
            """x = x.transpose(0, 1)
        packed = pack_padded_sequence(x, lengths, enforce_sorted=False)
        many, hidden = self.rnn(packed, torch.zeros(2, 3, 3))
        out, count = pad_packed_sequence(many, total_length=7)
        return out.pow(2).sum() + hidden[-1].sum() + count.float().mean()""",
            "_unpacked(many, seq_length, total_length=7)",
        ),
        (
            "nn.RNN(4, 3, batch_first=True)",
            """one = pack_padded_sequence(x, lengths, True, False)
        other = pack_padded_sequence(x + 1, lengths.flip(0), True, False)
        _, h = self.rnn(one)
        out, _ = self.rnn(other)
        out = pad_packed_sequence(out, batch_first=True)[0]
        return h.sum() + out.pow(2).mean()""",
            "_, h = self.rnn(x, seq_length=seq_length)\n"
            "        out, _ = self.rnn(x + 1, seq_length=seq_length_2)",
        ),
    ],
)
def test_packed_sequences_become_lengths(tmp_path, made, forward, text):
    code = equal(
        tmp_path,
        f"""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = {made}

    def forward(self, x, lengths):
        {forward}
{LOOP}""",
    )
    assert text in code


@pytest.mark.parametrize(
    "forward",
    [
        # the layer takes steps first, and the batch comes first
        "packed = pack_padded_sequence(x, lengths, batch_first=True)\n"
        "        out, h = self.rnn(packed)\n"
        "        return h",
        # what is packed is looked into
        "packed = pack_padded_sequence(x, lengths)\n"
        "        out, h = self.rnn(packed)\n"
        "        return out.data, h",
        "packed = pack_padded_sequence(x, lengths)\n"
        "        sizes = packed.batch_sizes\n"
        "        out, h = self.rnn(packed)\n"
        "        return h, sizes",
        # another value stands behind the name in between
        "packed = pack_padded_sequence(x, lengths)\n"
        "        x = x * 2\n"
        "        out, h = self.rnn(packed)\n"
        "        return h, x",
        "packed = pack_padded_sequence(x, lengths)\n"
        "        out, h = self.rnn(packed)\n"
        "        out, _ = pad_packed_sequence(out, padding_value=-1)\n"
        "        return h, out",
        "packed = pack_padded_sequence(x, lengths)\n"
        "        out, h = self.other(packed)\n"
        "        return h",
    ],
)
def test_other_uses_of_packed_sequences_are_marked(forward):
    made = converted(
        f"""class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = nn.GRU(4, 3)
        self.other = getattr(nn, kind)(4, 3)

    def forward(self, x, lengths):
        {forward}
"""
    )
    assert any("there are no packed sequences" in n.text for n in made.by_hand)
    assert "seq_length=seq" not in made.code


def test_one_initialization_fills_layers_of_several_classes(tmp_path):
    code = equal(
        tmp_path,
        """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(6, 4)
        self.fc = nn.Linear(4, 1)
        self.norm = nn.LayerNorm(4)
        self.apply(self.begin)
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.LayerNorm, nn.Embedding)):
                m.weight.data.mul_(0.5)

    def begin(self, m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.constant_(m.weight, 0.25)
            if isinstance(m, nn.Linear) and m.bias is not None:
                m.bias.data.zero_()

    def forward(self, x, lengths):
        return self.fc(self.norm(self.table(lengths)) + self.table(lengths)).pow(2).sum()
"""
        + LOOP,
    )
    assert "_weight_of(m, 'embedding_table', 'weight')" in code


@pytest.mark.parametrize(
    ("optimizer", "arguments"),
    [
        ("SGD(model.parameters(), lr=0.1, momentum=0.9)", "max_lr=0.2, total_steps=13"),
        ("AdamW(model.parameters(), lr=0.1)", "0.05, epochs=2, steps_per_epoch=6, pct_start=0.4"),
        (
            "Adam(model.parameters(), lr=0.1)",
            "[0.05], 13, three_phase=True, anneal_strategy='linear', div_factor=10",
        ),
        (
            "SGD(model.parameters(), lr=0.1, momentum=0.5)",
            "max_lr=0.2, total_steps=13, cycle_momentum=False",
        ),
    ],
)
def test_one_cycle_moves_rates_and_momenta_as_in_torch(tmp_path, optimizer, arguments):
    equal(
        tmp_path,
        f"""torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.{optimizer}
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, {arguments})
for step in range(12):
    loss = model(torch.ones(2, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(loss.item(), scheduler.get_last_lr()[0])
""",
    )


def test_one_cycle_ends_after_its_steps():
    from agar import Parameter, Tensor
    from agar.experimental import optim
    from agar.migrate.rules.emitted_cells import _OneCycleLR

    optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], lr=0.1)
    schedule = _OneCycleLR(optimizer, 0.1, total_steps=2)
    schedule.step()
    schedule.step()
    with pytest.raises(ValueError, match="step 3 of a schedule of 2 steps"):
        schedule.step()


def test_an_autocast_that_is_switched_off_casts_nothing(tmp_path):
    code = equal(
        tmp_path,
        """def train_step(model, x, optimizer, scaler):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", enabled=False):
        loss = model(x).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for step in range(4):
    print(train_step(model, torch.ones(2, 3), optimizer, scaler))
""",
    )
    assert "_mixed_precision" not in code


def test_an_autocast_switched_off_inside_of_another_is_marked():
    made = converted(
        """def train_step(model, x, optimizer):
    optimizer.zero_grad()
    with torch.autocast("cpu"):
        out = model(x)
        with torch.autocast("cpu", enabled=False):
            loss = out.float().pow(2).mean()
    loss.backward()
    optimizer.step()
"""
    )
    assert made.by_hand
    assert "value_and_grad(" not in made.code


def test_a_kaggle_script_has_no_marks(tmp_path):
    code = equal(
        tmp_path,
        """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(dict(table=nn.Embedding(6, 4), out=nn.Linear(4, 6, bias=False)))
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention")
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(4)) for _ in range(2)])
        self.count = self.parts.table.weight.numel()
        self.parts.table.weight = self.parts.out.weight

    def forward(self, x, lengths):
        h = self.parts.table(lengths) * self.scales[0] + self.scales[1]
        return self.parts.out(h).pow(2).sum() + self.count + int(self.flash)


torch.backends.cudnn.deterministic = True
if torch.cuda.is_available():
    torch.backends.cudnn.benchmark = False
"""
        + LOOP,
    )
    assert "self.flash = True" in code
    assert "backends" not in code


def test_weights_that_a_program_changes_in_its_state_are_compared_as_it_changes_them(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        HEAD
        + """torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
given = {k: v * 0.5 for k, v in model.state_dict().items() if k.startswith("0.")}
print(model.load_state_dict(given, strict=False).unexpected_keys)
print(model(torch.ones(2, 3)).sum().item())
"""
    )
    result = check_script(script)
    assert result.passed, str(result)


def test_unnamed_parameters_are_given_by_their_order():
    import agar as ms
    from agar.migrate.script_replay import _load_arrays

    cell = ms.nn.Cell()
    cell.scales = ms.ParameterTuple([ms.Parameter(ms.ops.ones(2)) for _ in range(2)])
    cell.bias = ms.Parameter(ms.ops.ones(1), name="bias")
    values = {"Parameter$7": 2.0, "bias": 3.0, "Parameter$8": 4.0}
    _load_arrays(ms)(
        cell,
        {
            name: np.full((2,), v, np.float32) if v != 3.0 else np.full((1,), v, np.float32)
            for name, v in values.items()
        },
    )
    assert [float(p.sum()) for p in (*cell.scales, cell.bias)] == [4.0, 8.0, 3.0]


@pytest.mark.parametrize(
    ("row", "loader"),
    [
        ("self.x[i], self.y[i]", "GeneratorDataset(Rows()"),
        ("torch.tensor(self.a[i]).float(), self.y[i].long()", "GeneratorDataset(Rows()"),
        ("torch.from_numpy(self.a)[i], self.a[i] + 1", "GeneratorDataset(Rows()"),
        ("self.x[i] * 2, self.y[i]", "_DataLoader(Rows()"),
        ("F.relu(self.x[i]), self.y[i]", "_DataLoader(Rows()"),
        ("self.x[i].abs(), (self.y[i] == 1).float()", "_DataLoader(Rows()"),
        ("self.x[i], torch.rand(2)", "_DataLoader(Rows()"),
    ],
)
def test_datasets_that_compute_with_tensors_are_read_in_the_same_thread(row, loader):
    made = converted(
        f"""import numpy as np
from torch.utils.data import DataLoader, Dataset, Subset


class Rows(Dataset):
    def __init__(self):
        self.x, self.y = torch.ones(4, 2), torch.arange(4)
        self.a = np.ones((4, 2))

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {row}


loader = DataLoader(Rows(), batch_size=2)
other = DataLoader(Subset(Rows(), [0, 1]), batch_size=2)
"""
    )
    assert loader in made.code
    assert ("_DataLoader(_Subset(" in made.code) is loader.startswith("_Data")


def test_tensors_that_are_formatted_as_numbers_become_numbers(tmp_path):
    code = equal(
        tmp_path,
        """torch.manual_seed(0)
model = nn.Linear(3, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 3)
for epoch in range(3):
    out = model(x)
    loss = criterion(out, x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    right = (out > 0).float().mean()
    print(f"{epoch:3d} {loss:.5f} {right:>{8}.3f} {loss * 2:e} {loss.item():.3f}")
    print("{:.5f} {} {:d} {}".format(loss, epoch, len(x), "{:>3}"))
""",
    )
    assert 'f"{epoch:3d} {loss.item():.5f} {right.item():>{8}.3f} {(loss * 2).item():e}' in code
    assert '.format(loss.item(), epoch, len(x), "{:>3}")' in code
