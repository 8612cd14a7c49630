"""What a check saves: bytes are compared, numbers and sources come late, parts have one note."""

from __future__ import annotations

import copy
import importlib.util
import os
import pickle
import sys
from typing import Any

import pytest
import torch

import agar as ms
from agar.migrate import check
from agar.migrate.class_sources import source_later
from agar.migrate.compare import numbers_when_read, same_values, stats
from agar.migrate.run_results import original_result
from agar.migrate.sandbox import CellBaseline, keep_module, modules_of, named_modules

NAN = float("nan")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN]), True),
        (torch.tensor([0.0]), torch.tensor([-0.0]), True),
        (torch.ones(3), torch.ones(4), False),
        (torch.ones(3), torch.tensor([1.0, 1.0, 1.0 + 1e-7]), False),
        (torch.arange(6.0).reshape(2, 3).T, torch.arange(6.0).reshape(2, 3).T.contiguous(), True),
        (torch.arange(6.0).reshape(2, 3).T, torch.arange(6.0).reshape(3, 2), False),
        (torch.tensor([True, False]), torch.tensor([True, False]), True),
        (torch.tensor([1 + 2j]), torch.tensor([1 - 2j]).conj(), True),
        (torch.tensor([1 + 2j]), torch.tensor([1 + 2j]).conj(), False),
        (torch.zeros(0), torch.zeros(0), True),
    ],
)
def test_tensors_are_equal_as_torch_says_or_byte_for_byte(one, other, same):
    assert same_values(one, other) is same


def test_a_negative_view_has_the_bytes_of_its_opposite():
    view = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert view.is_neg()
    assert not same_values(view, -view.resolve_neg())
    assert same_values(view, view.resolve_neg())


def test_bytes_of_subclasses_are_not_read():
    class Wrapper(torch.Tensor):
        """Without memory; torch.equal is its own."""

        @staticmethod
        def __new__(cls, value):
            return torch.Tensor._make_wrapper_subclass(cls, value.shape, dtype=value.dtype)

        def __init__(self, value):
            self.value = value

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return func(*[a.value if isinstance(a, cls) else a for a in args])

    one, other, third = torch.ones(5), torch.ones(5), torch.zeros(5)
    assert same_values(Wrapper(one), Wrapper(other))
    assert not same_values(Wrapper(one), Wrapper(third))


def test_numbers_are_those_of_the_moment_at_which_they_were_asked_for():
    value = torch.randn(100)
    expected = stats(value)
    with numbers_when_read():
        later = [stats(value) for _ in range(5)]
    value.zero_()
    assert "low" not in vars(later[0])
    assert later[0].low == expected.low
    assert vars(later[0]) == vars(expected)
    assert later[1] == expected
    assert repr(later[2]) == repr(expected)
    assert pickle.loads(pickle.dumps(later[3])) == expected
    assert copy.deepcopy(later[4]) == expected
    with pytest.raises(AttributeError, match="no attribute 'lowest'"):
        _ = later[0].lowest


def test_of_large_tensors_numbers_are_not_put_off():
    with numbers_when_read(16_000):
        few, many = stats(torch.ones(200)), stats(torch.ones(251))
        rest = [stats(torch.ones(200)) for _ in range(20)]
    assert "low" not in vars(few)
    assert "low" in vars(many)
    assert "low" not in vars(rest[0])
    assert "low" in vars(rest[-1])
    assert "low" in vars(stats(torch.ones(2)))


def test_a_source_is_read_late_and_only_from_the_same_file(tmp_path, monkeypatch):
    file = tmp_path / "written_for_a_test.py"
    file.write_text("class One:\n    pass\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, file.stem, module)
    spec.loader.exec_module(module)
    later, again = source_later(module.One), source_later(module.One)
    assert later().text == "class One:\n    pass\n"
    file.write_text("class Other:\n    pass\n\n\nclass One:\n    x = 1\n")
    os.utime(file, ns=(1, 1))
    assert again() is None


class _Busy(torch.nn.Module):
    """Changes whatever can be changed about itself."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
        self.seen: list[int] = [1, 2]
        self.names = {"a", "b"}
        self.table = {"x": 1}
        self.empty: dict[str, Any] = {}
        self.count = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        self.seen[0] = 5
        self.seen.append(3)
        self.names.add("c")
        self.names.discard("a")
        self.table["x"] = 2
        self.empty["new"] = x
        self.later = True
        del self.inner.in_features
        self.inner.bias.requires_grad_(False)
        self.inner.weight.grad = torch.ones(2, 2)
        self.inner.register_forward_hook(lambda *_: None)
        self.extra = torch.nn.ReLU()
        return torch.nn.functional.linear(x, self.inner.weight, self.inner.bias)


def test_a_module_is_put_back_whatever_changed():
    module = _Busy()
    inner = vars(module.inner).copy()
    for _ in range(2):
        with keep_module(module):
            module(torch.ones(1, 2))
    assert module.seen == [1, 2]
    assert module.names == {"a", "b"}
    assert module.table == {"x": 1}
    assert module.empty == {}
    assert module.count == 0
    assert not hasattr(module, "later")
    assert list(vars(module.inner)) == list(inner)
    assert module.inner.in_features == 2
    assert module.inner.bias.requires_grad
    assert module.inner.weight.grad is None
    assert not module.inner._forward_hooks
    assert not hasattr(module, "extra")


def test_keys_in_another_order_are_put_back():
    module = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh())
    with keep_module(module):
        first = module._modules.pop("0")
        module._modules["0"] = first
    assert list(module._modules) == ["0", "1"]


def test_a_cell_is_put_back_each_time_it_is_asked_for():
    cell = ms.nn.Dense(2, 2)
    weight, names = cell.weight._value, vars(cell.weight).copy()
    baseline = CellBaseline(cell)
    for _ in range(2):
        with baseline.put_back():
            cell.set_train()
            cell.mark = 1
            cell.weight.layerwise = "changed"
            cell.weight.requires_grad = False
            cell.weight._value = torch.zeros(2, 2)
            with baseline.put_back():
                cell.mark = 2
            assert not hasattr(cell, "mark")
        assert not cell.training
        assert cell.weight._value is weight
        assert cell.weight.requires_grad
        assert vars(cell.weight) == names


def test_walks_are_torchs():
    shared = torch.nn.Linear(2, 2)
    module = torch.nn.Sequential(shared, torch.nn.Sequential(shared, torch.nn.ReLU()), shared)
    module.register_module("absent", None)
    assert named_modules(module) == dict(module.named_modules())
    assert list(named_modules(module)) == [n for n, _ in module.named_modules()]
    assert {id(m) for m in modules_of(module)} == {id(m) for m in module.modules()}
    assert len(modules_of(module)) == 4


def test_the_mode_of_a_module_with_its_own_train_is_as_before():
    class Frozen(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(2)

        def train(self, mode: bool = True) -> torch.nn.Module:
            super().train(mode)
            self.norm.eval()
            return self

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.norm(x)

    module = Frozen().train()
    before = module.norm.running_mean.clone()
    cell = ms.migrate.from_torch(module)
    assert check(module, cell, torch.randn(4, 2), train=True).problems == []
    assert module.training
    assert not module.norm.training
    assert torch.equal(module.norm.running_mean, before)


def test_gradients_of_the_original_are_those_that_torch_takes_with_given_ones():
    real = torch.randn(3, requires_grad=True)
    complicated = torch.randn(2, dtype=torch.complex64, requires_grad=True)
    half = torch.full((2,), 60_000.0, dtype=torch.float16, requires_grad=True)
    out = [torch.exp(real), complicated * (1 + 2j), half * 1, real * 2]
    sens = {f"output[{i}]": torch.randn_like(v) for i, v in enumerate(out)}
    leaves = {"a": real, "b": complicated, "c": half}
    expected = torch.autograd.grad(out, leaves.values(), list(sens.values()), retain_graph=True)
    result = original_result(out, leaves, {}, sens)
    for place, gradient in zip(leaves, expected, strict=True):
        assert torch.equal(result.input_grads[place], gradient)
