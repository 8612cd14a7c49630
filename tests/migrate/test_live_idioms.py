"""agar.migrate.from_torch: one idiom of PyTorch after the other, call by call as the original."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

import agar as ms
from agar._core.tensor import wrap
from agar.migrate import from_torch, to_torch_state
from agar.migrate.live_conversion import ForeignCell
from migrate import live_idioms_calls, live_idioms_changes
from migrate.live_idioms import IDIOMS, One, Pair

Shifted = live_idioms_calls.Shifted
assert live_idioms_changes.IDIOMS is IDIOMS

#: torch itself cannot copy them; a copy shares what their class or a closure keeps
UNCOPIED = {
    *("class_level", "compiled_child", "hook_returns_none_and_counts"),
    *("old_weight_norm", "pruned"),
}
MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]


@pytest.fixture(autouse=True)
def _seed():
    # the graph engine collects garbage where a recording keeps tensors: not pytest's and torch's
    gc.freeze()
    torch.manual_seed(0)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def rebuilt(value, fn):
    """The same structure with `fn` applied to each tensor."""
    if isinstance(value, torch.Tensor):
        return fn(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(rebuilt(v, fn) for v in value))
    if isinstance(value, (tuple, list)):
        return type(value)(rebuilt(v, fn) for v in value)
    if isinstance(value, dict):
        return type(value)((k, rebuilt(v, fn)) for k, v in value.items())
    if dataclasses.is_dataclass(value) or isinstance(value, SimpleNamespace):
        return type(value)(**{k: rebuilt(v, fn) for k, v in vars(value).items()})
    return value


def form(value, leaves):
    """What a value is apart from its tensors, which are added to `leaves`."""
    if isinstance(value, (torch.Tensor, ms.Tensor)):
        leaves.append(value)
        return "tensor"
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [form(v, leaves) for v in value]
    if isinstance(value, dict):
        return type(value).__name__, [(k, form(v, leaves)) for k, v in value.items()]
    if dataclasses.is_dataclass(value) or isinstance(value, SimpleNamespace):
        return type(value).__name__, form(dict(vars(value)), leaves)
    return value


def loss_of(leaves):
    return sum((v.abs() ** 2).sum() for v in leaves if v.is_floating_point())


def floats(args, kwargs):
    found = []
    rebuilt((args, kwargs), found.append)
    return [v for v in found if v.is_floating_point()]


def run_module(module, args, kwargs, recorded):
    module.zero_grad()
    queue = [v.detach().clone().requires_grad_(recorded) for v in floats(args, kwargs)]
    it = iter(queue)
    given, named = rebuilt(
        (args, kwargs), lambda v: next(it).clone() if v.is_floating_point() else v.clone()
    )
    leaves = []
    if not recorded:
        with torch.no_grad():
            shape = form(module(*given, **named), leaves)
        return (shape, form((given, named), leaves)), leaves, [], {}
    shape = form(module(*given, **named), leaves)
    loss = loss_of(leaves)
    if isinstance(loss, torch.Tensor) and loss.requires_grad:
        loss.backward()
    grads = [torch.zeros_like(v) if v.grad is None else v.grad for v in queue]
    weights = {
        n: torch.zeros_like(p) if p.grad is None else p.grad.clone()
        for n, p in module.named_parameters()
        if p.requires_grad
    }
    return shape, leaves, grads, weights


def run_cell(cell, args, kwargs, recorded):
    leaves, shapes = [], []
    queue = [wrap(v.detach().clone()) for v in floats(args, kwargs)]

    def forward(*values):
        it = iter(values)
        given, named = rebuilt(
            (args, kwargs),
            lambda v: next(it) * 1 if v.is_floating_point() else wrap(v.clone()),
        )
        return cell(*given, **named)

    if not recorded:
        it = iter(queue)
        given, named = rebuilt(
            (args, kwargs), lambda v: next(it) if v.is_floating_point() else wrap(v.clone())
        )
        shape = form(cell(*given, **named), leaves)
        shape = shape, form((given, named), leaves)
        return shape, [v._value for v in leaves], [], {}

    def loss(*values):
        leaves.clear()
        out = forward(*values)
        shapes.append(form(out, leaves))
        total = [(v.abs() ** 2).sum() for v in leaves if v._value.is_floating_point()]
        return sum(total) if total else values[0].sum() * 0

    weights = cell.trainable_params()
    positions = tuple(range(len(queue))) if queue else None
    _, grads = ms.value_and_grad(loss, positions, weights or None)(*queue)
    mine, theirs = grads if weights and queue else (grads, ()) if queue else ((), grads)
    mine = [mine] if isinstance(mine, ms.Tensor) else mine
    by_memory = {p._value.data_ptr(): g._value for p, g in zip(weights, theirs, strict=True)}
    return shapes[-1], [v._value.detach() for v in leaves], [g._value for g in mine], by_memory


def close(found, expected, what):
    assert found.dtype == expected.dtype, what
    tolerance = 1e-2 if expected.dtype == torch.bfloat16 else 1e-4
    torch.testing.assert_close(
        found.detach(),
        expected.detach(),
        rtol=tolerance,
        atol=tolerance,
        msg=lambda m: f"{what}: {m}",
    )


def state_of(cell):
    return {n: v for n, v in to_torch_state(cell).items() if not n.endswith("batches_tracked")}


def attributes(module):
    """What a module's parts keep that is neither a tensor nor of torch."""
    return {
        f"{path}.{name}": form(value, [])
        for path, part in module.named_modules()
        for name, value in vars(part).items()
        if not name.startswith("_")
        and name != "training"
        and isinstance(value, (int, float, str, list, dict, type(None)))
        and not callable(value)
        and "object at" not in repr(form(value, []))
        and "Linear" not in repr(value)
    }


def agree(idiom, mode, copied=False):
    torch.manual_seed(0)
    module = idiom.make()
    torch.manual_seed(0)
    cell = from_torch(idiom.make())
    if copied:
        cell = copy.deepcopy(cell)
    ms.set_context(mode=mode)
    generator = torch.random.get_rng_state()
    # calls and gradients; enough for the graph engine to record, to compare and to replay
    kinds = "CCCGGGC" if mode == ms.GRAPH_MODE else "CCCGG"
    for step, kind in enumerate(kinds + "ccg" * idiom.evaluates):
        train, recorded = kind.isupper(), kind in "Gg"
        if step == 0 or kind == "c":
            module.train(train)
            cell.set_train(train)
        if step == 3 and idiom.later is not None:
            idiom.later(module)
            idiom.later(cell)
        torch.random.set_rng_state(generator)
        torch.manual_seed(step)
        args, kwargs = idiom.args(), idiom.kwargs()
        torch.manual_seed(step)
        expected = run_module(module, args, kwargs, recorded)
        torch.manual_seed(step)
        found = run_cell(cell, args, kwargs, recorded)
        what = f"call {step}"
        assert found[0] == expected[0], what
        for i, (a, b) in enumerate(zip(found[1], expected[1], strict=True)):
            close(a, b, f"{what} output {i}")
        for i, (a, b) in enumerate(zip(found[2], expected[2], strict=True)):
            close(a, b, f"{what} gradient of input {i}")
        for name, grad in expected[3].items():
            state = state_of(cell)
            if name not in state:
                continue
            mine = found[3].get(state[name].data_ptr())
            assert mine is not None or not grad.any(), f"{what} gradient of {name} is missing"
            if mine is not None:
                if mine.shape != grad.shape:
                    mine = mine.reshape(grad.shape)
                close(mine, grad, f"{what} gradient of {name}")
        wanted = module.state_dict()
        have = state_of(cell)
        wanted = {n: v for n, v in wanted.items() if not n.endswith("batches_tracked")}
        assert set(have) == set(wanted), what
        for name, value in have.items():
            close(value, wanted[name], f"{what} state {name}")
        if isinstance(cell, ForeignCell):
            have, wanted = attributes(cell.module), attributes(module)
            for name in have.keys() & wanted.keys():
                assert have[name] == wanted[name], (what, name)
            assert have.keys() == wanted.keys() or idiom.later is not None, what


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("mode", MODES, ids=["pynative", "graph"])
@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_is_computed_as_by_pytorch(name, mode):
    if name == "compiled_child" and mode == ms.GRAPH_MODE:
        pytest.skip("torch's compiler takes 10 s here, and what it makes is one call to the engine")
    agree(IDIOMS[name], mode)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", sorted(IDIOMS.keys() - UNCOPIED))
def test_a_copy_of_an_idiom_computes_the_same(name):
    agree(IDIOMS[name], ms.PYNATIVE_MODE, copied=True)


@pytest.mark.parametrize("make", [One, Pair, Shifted, lambda: IDIOMS["lazy"].make()])
def test_a_pickled_idiom_computes_the_same(make):
    cell = from_torch(make())
    x = ms.Tensor(torch.randn(2, 3).numpy())
    before = cell(x).asnumpy()
    copied = pickle.loads(pickle.dumps(cell))
    np.testing.assert_array_equal(copied(x).asnumpy(), before)
    for p in copied.trainable_params():
        p.set_data(p * 0)
    assert not copied(x).asnumpy().any() or make is Shifted
    np.testing.assert_array_equal(cell(x).asnumpy(), before)


class Reading(nn.Module):
    """Reads weights that its cells keep in another form, beside the calls of these."""

    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv1d(3, 3, 1), nn.BatchNorm1d(3)
        self.register_buffer("shift", torch.ones(4))

    def forward(self, x):
        return self.bn(self.conv(x)) * self.shift + self.conv.weight.sum()


def test_weights_written_by_the_forward_are_the_cells_afterwards():
    cell = from_torch(
        Act(lambda m: setattr(m.fc.weight, "data", m.fc.weight * 2), nn.Conv1d(3, 3, 1))
    )
    x = ms.Tensor(torch.ones(2, 3, 4).numpy())
    cell(x)
    cell.module.act = type
    cell.fc.weight.set_data(cell.fc.weight * 0)
    cell.fc.bias.set_data(cell.fc.bias * 0)
    for _ in range(2):
        assert not cell(x).asnumpy().any()


def test_threads_may_call_one_network():
    module = nn.Sequential(*[Reading() for _ in range(3)]).eval()
    cell, wrong = from_torch(Act(lambda m: None, module)).set_train(False), []

    def call(i):
        x = torch.full((2, 3, 4), float(i))
        with torch.no_grad():
            expected = module(x).numpy()
        for _ in range(40):
            try:
                found = cell(ms.Tensor(x.numpy())).asnumpy()
                np.testing.assert_allclose(found, expected, 1e-4, 1e-4)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --------------------------------------------------------------- what is an error, and says so


class Act(One):
    """Does something to its child, and then calls it."""

    def __init__(self, act, layer=None):
        super().__init__(layer)
        self.act = act

    def forward(self, x):
        self.act(self)
        return self.fc(x)


def another_parameter(m):
    m.fc.weight = nn.Parameter(m.fc.weight.detach() * 2)


def no_parameter(m):
    m.fc.bias = None


def parameter_deleted(m):
    del m.fc.weight
    m.fc.weight = torch.ones(3, 3)


def parametrized_late(m):
    if not parametrize.is_parametrized(m.fc):
        parametrize.register_parametrization(m.fc, "weight", nn.Identity())


def statistics_deleted(m):
    m.fc.running_mean = None
    m.fc.running_var = None


def part_switched(m):
    m.fc.dropout1.eval()


ERRORS = [
    (another_parameter, None, r"fc: .* put another tensor .* parameter 'weight' of a Linear"),
    (no_parameter, None, r"fc: .* put nothing .* parameter 'bias' of a Linear"),
    (parameter_deleted, None, r"fc: .* put nothing .* parameter 'weight' of a Linear"),
    (parametrized_late, None, r"fc: .* other parts to a Linear .* a ParametrizedLinear now"),
    (statistics_deleted, lambda: nn.BatchNorm1d(3), r"fc: .* the buffer 'running_mean' of a Batch"),
    (
        part_switched,
        lambda: nn.TransformerEncoderLayer(3, 1, 4),
        r"fc: .* switched a Dropout inside of a TransformerEncoderLayer",
    ),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("mode", MODES, ids=["pynative", "graph"])
@pytest.mark.parametrize(
    ("act", "layer", "words"), ERRORS, ids=lambda v: getattr(v, "__name__", "")
)
def test_what_a_cell_cannot_follow_is_an_error(act, layer, words, mode):
    module = Act(act, layer and layer())
    cell = from_torch(module).set_train()
    x = ms.Tensor(torch.randn(2, 3).numpy())
    ms.set_context(mode=mode)
    for _ in range(3):
        with pytest.raises(NotImplementedError, match=words):
            cell(x)
    if act is not parametrized_late:  # nothing is broken
        cell.module.act = type
        assert cell(x).shape == (2, 3)
