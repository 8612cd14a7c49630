"""The forms in which torch.nn's modules are called: from_torch takes them, check judges them."""

from __future__ import annotations

import math
import warnings

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import agar as ms
from agar._core.tensor import wrap
from agar.migrate import check, from_torch
from agar.migrate.live_conversion import foreign
from agar.migrate.trees import Call

N = torch.nn
D = torch.float64


def r(*sizes, seed=0):
    return torch.randn(*sizes, dtype=D, generator=torch.Generator().manual_seed(seed + sum(sizes)))


class Around(N.Module):
    """A network of the user's own, which calls one layer."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, *args, **kwargs):
        return self.layer(*args, **kwargs)


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for v in value for leaf in leaves(v)]
    return [value._value if isinstance(value, ms.Tensor) else value]


def mapped(value, fn):
    if isinstance(value, torch.Tensor):
        return fn(value)
    return tuple(mapped(v, fn) for v in value) if type(value) is tuple else value


def assert_same(module, cell, args, kwargs):
    """Outputs of both, and gradients by all inputs, in float64."""
    results = []
    for run, convert in ((module, lambda v: v), (cell, wrap)):
        inputs = []

        def copy(v, inputs=inputs, convert=convert):
            v = v.detach().clone()
            if v.is_floating_point() and not v.isinf().any():
                inputs.append(v.requires_grad_())
            return convert(v)

        given = mapped(tuple(args), copy)
        named = {k: mapped(v, copy) for k, v in kwargs.items()}
        outs = leaves(run(*given, **named))
        total = sum((o * o).sum() for o in outs if o.requires_grad)
        results.append((outs, torch.autograd.grad(total, inputs, allow_unused=True)))
    (outs, grads), (others, other_grads) = results
    for one, two in zip((*outs, *grads), (*others, *other_grads), strict=True):
        if one is None or two is None:
            assert one is two
        else:
            torch.testing.assert_close(two, one, rtol=1e-9, atol=1e-10)


STATE = (r(2, 4), r(2, 4, seed=1))


@pytest.mark.parametrize(
    ("make", "args", "kwargs"),
    [
        (lambda: N.LSTMCell(3, 4), (r(2, 3),), {}),
        (lambda: N.LSTMCell(3, 4), (r(3),), {}),
        (lambda: N.LSTMCell(3, 4), (r(2, 3), None), {}),
        (lambda: N.LSTMCell(3, 4), (r(2, 3), STATE), {}),
        (lambda: N.GRUCell(3, 4), (r(2, 3),), {}),
        (lambda: N.GRUCell(3, 4), (r(3),), {}),
        (lambda: N.RNNCell(3, 4), (r(2, 3),), {}),
        (lambda: N.RNNCell(3, 4, nonlinearity="relu"), (r(3),), {}),
        (lambda: N.InstanceNorm2d(4), (r(2, 4, 3, 5),), {}),
        (lambda: N.L1Loss(), (r(3, 4), r(3, 4, seed=2)), {}),
    ],
    ids=lambda v: "" if callable(v) else None,
)
def test_cells_take_the_form_themselves(make, args, kwargs):
    module = make().double()
    cell = from_torch(module)
    assert_same(module, cell, args, kwargs)
    assert foreign(cell) == []
    float32 = Call(tuple(mapped(a, torch.Tensor.float) for a in args), kwargs)
    report = check(module.float(), from_torch(module), float32)
    assert report.passed, report.problems


LATER = torch.ones(5, 5, dtype=torch.bool).triu(1)
CAUSAL = torch.zeros(5, 5, dtype=D).masked_fill(LATER, -math.inf)
PADDED = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "args", "kwargs"),
    [
        (lambda: N.Conv2d(4, 6, 3), (r(4, 9, 8),), {}),
        (lambda: N.Conv1d(4, 6, 3), (), {"input": r(2, 4, 9)}),
        (lambda: N.ConvTranspose2d(4, 6, 3, 2, 1), (r(2, 4, 5, 6), [10, 12]), {}),
        (
            lambda: N.ConvTranspose1d(4, 6, 3, 2, 1),
            (r(2, 4, 5),),
            {"output_size": [10]},
        ),
        (lambda: N.LSTM(3, 4), (r(5, 3),), {}),
        (lambda: N.GRU(3, 4, bidirectional=True), (), {"input": r(5, 2, 3), "hx": r(2, 2, 4)}),
        (lambda: N.InstanceNorm1d(4, affine=True), (r(4, 9),), {}),
        (lambda: N.LocalResponseNorm(3), (r(2, 4, 5),), {}),
        (lambda: N.Unfold(2), (r(4, 6, 5),), {}),
        (lambda: N.GaussianNLLLoss(), (r(3, 4), r(3, 4, seed=1), 0.5), {}),
        (
            lambda: N.CTCLoss(),
            (
                r(6, 2, 5).log_softmax(2),
                torch.tensor([1, 2, 3, 4, 1]),
                torch.tensor([6, 5]),
                torch.tensor([3, 2]),
            ),
            {},
        ),
        (lambda: N.Upsample(scale_factor=2.3, mode="nearest-exact"), (r(2, 4, 6, 5),), {}),
        (
            lambda: N.Transformer(8, 2, 1, 1, 16, 0.0),
            (r(5, 2, 8), r(5, 2, 8, seed=1)),
            {"tgt_mask": CAUSAL, "tgt_is_causal": True, "src_key_padding_mask": PADDED},
        ),
        (
            lambda: N.Transformer(8, 2, 1, 1, 16, 0.0, batch_first=True),
            (r(2, 5, 8), r(2, 5, 8, seed=1), None, CAUSAL, None, PADDED, PADDED, PADDED),
            {},
        ),
        (
            lambda: N.TransformerEncoder(N.TransformerEncoderLayer(8, 2, 16, 0.0), 2),
            (r(5, 2, 8),),
            {"mask": CAUSAL, "is_causal": True},
        ),
    ],
    ids=lambda v: "" if callable(v) else None,
)
def test_inside_a_network_every_form_is_computed(make, args, kwargs):
    module = Around(make().double())
    cell = from_torch(module)
    assert_same(module, cell, args, kwargs)


def test_a_form_that_a_cell_does_not_take_is_marked():
    module = Around(N.Conv2d(4, 6, 3)).double()
    cell = from_torch(module)
    with pytest.warns(UserWarning, match=r"Conv2d was computed by PyTorch.*batch dimension"):
        cell(wrap(r(4, 9, 8)))
    assert [f.path for f in foreign(cell)] == ["", "layer"]
    with pytest.raises(RuntimeError, match="channels"):
        cell(wrap(r(5, 9, 8)))
    # what the cell does take it goes on computing
    assert_same(module, cell, (r(2, 4, 9, 8),), {})


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular", "zeros"])
@pytest.mark.parametrize("padding", ["same", "valid", 1])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_convolutions_of_all_paddings(dims, padding, mode):
    x = r(2, 4, *(9, 8, 7)[:dims])
    kind = getattr(N, f"Conv{dims}d")
    for kernel in (3, 4):  # an even one pads one side more
        module = kind(4, 6, kernel, padding=padding, padding_mode=mode, dilation=2, groups=2)
        cell = from_torch(module.double())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of torch, about even kernels
            assert_same(module, cell, (x,), {})
            if dims == 2:
                report = check(module.float(), from_torch(module), x.float())
                assert report.passed, report.problems


PACKED = pack_padded_sequence(r(5, 3, 3).float(), [5, 3, 2])


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_packed_sequences_are_not_compared_and_the_check_says_so(kind):
    module = getattr(N, kind)(3, 4)
    report = check(module, from_torch(module), PACKED)
    assert not report.passed
    assert [c.status for c in report.cells] == ["not compared"]
    assert "PackedSequence" in report.problems[0]
    assert not any("raised" in p for p in report.problems)


def test_a_network_that_packs_inside():
    class Packing(N.Module):
        def __init__(self):
            super().__init__()
            self.rnn = N.GRU(3, 4)
            self.out = N.Linear(4, 2)

        def forward(self, x):
            packed = pack_padded_sequence(x, [5, 3, 2])
            return self.out(pad_packed_sequence(self.rnn(packed)[0])[0])

    module = Packing()
    report = check(module, from_torch(module), r(5, 3, 3).float())
    by_path = {c.path: c for c in report.cells}
    assert all(c.equal for c in report.network)
    assert by_path["out"].status == "equal"
    assert by_path["rnn"].status == "not compared"
    assert "PackedSequence" in by_path["rnn"].reason


def test_a_network_over_packed_sequences_is_compared_by_what_it_returns():
    module = Around(N.LSTM(3, 4))
    report = check(module, from_torch(module), Call((PACKED,), {}))
    assert {c.what for c in report.network} >= {"output[0].data", "output[0].batch_sizes"}
    assert all(c.equal for c in report.network)


@pytest.mark.parametrize(
    ("make", "call"),
    [
        (
            lambda: N.Transformer(8, 2, 1, 1, 16, 0.0),
            Call(
                (r(5, 2, 8).float(), r(5, 2, 8, seed=1).float()),
                {"tgt_mask": CAUSAL.float(), "tgt_is_causal": True},
            ),
        ),
        (
            lambda: N.TransformerEncoder(N.TransformerEncoderLayer(8, 2, 16, 0.0), 2),
            Call((r(5, 2, 8).float(),), {"mask": CAUSAL.float(), "is_causal": True}),
        ),
        (
            lambda: N.TransformerDecoderLayer(8, 2, 16, 0.0),
            Call((r(5, 2, 8).float(), r(5, 2, 8, seed=1).float()), {"tgt_mask": LATER}),
        ),
        (lambda: N.Conv2d(4, 6, 3), Call((), {"input": r(2, 4, 9, 8).float()})),
        (lambda: N.BatchNorm3d(4), Call((r(2, 4, 3, 3, 3).float(),), {})),
        (lambda: N.ConvTranspose1d(4, 6, 3, 2, 1, 1), Call((r(2, 4, 5).float(),), {})),
        (
            lambda: N.AdaptiveLogSoftmaxWithLoss(6, 20, [5, 10]),
            Call((r(3, 6).float(), torch.tensor([1, 7, 15])), {}),
        ),
        (lambda: N.Embedding(6, 4, sparse=True), Call((torch.tensor([[1, 2, 1]]),), {})),
    ],
    ids=lambda v: "" if callable(v) else None,
)
@pytest.mark.filterwarnings("ignore:enable_nested_tensor", "ignore:Initializing zero-element")
def test_check_knows_the_forms(make, call):
    module = make()
    report = check(module, from_torch(module), call, train=True)
    assert report.passed, (report.problems, [(c.path, c.status, c.reason) for c in report.cells])


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_a_hint_that_lies_is_no_hint():
    module = N.TransformerEncoder(N.TransformerEncoderLayer(8, 2, 16, 0.0), 1)
    wrong = Call((r(5, 2, 8).float(),), {"mask": torch.zeros(5, 5), "is_causal": True})
    assert not check(module, from_torch(module), wrong).passed


def test_no_gradient_by_a_mask_is_compared_and_that_is_said():
    module = N.TransformerDecoderLayer(8, 2, 16, 0.0)
    x = r(5, 2, 8).float()
    report = check(module, from_torch(module), Call((x, x, CAUSAL.float()), {}))
    assert report.passed, report.problems
    assert any("No gradient by input[2]" in n for n in report.notes)


def test_complex_differences_keep_their_imaginary_parts():
    x, y = torch.complex(r(3, 4), r(3, 4, seed=1)), torch.complex(r(3, 4, seed=2), r(3, 4, seed=3))
    out = ms.ops.l1_loss(wrap(x), wrap(y))
    torch.testing.assert_close(out._value, (x - y).abs().mean())
    with pytest.raises((RuntimeError, TypeError)):
        ms.ops.mse_loss(wrap(x), wrap(y))
