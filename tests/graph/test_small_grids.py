"""Convolutions as matrix products, and sums inside of convolutions, in inference plans."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from agar._core.graph.backends.o0 import generate
from agar._core.graph.passes import channels_last
from agar._core.graph.passes.fold import fold
from graph.folding import check, compare, eval_net, names, onednn, record, run

pytestmark = onednn


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


@pytest.fixture
def wins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets which kernel wins each benchmark in which it takes part."""

    def choose(name: str) -> list[Any]:
        seen: list[Any] = []

        def winner(benchmark: Any) -> str:
            entrants = benchmark._enter()
            seen.append(entrants)
            return name if name in entrants else "onednn"

        monkeypatch.setattr(channels_last, "winner", winner)
        return seen

    return choose


#: batch, channels, size, outputs, kernel, stride, padding; the forms that apply
CASES = [
    ((4, 8, 2, 2), (6, 8, 3, 3), 1, 1, {"dense", "gathered"}),
    ((4, 8, 2, 2), (6, 8, 3, 3), 2, 1, {"dense", "gathered"}),
    ((3, 8, 1, 1), (6, 8, 3, 3), 1, 1, {"dense", "gathered"}),
    ((3, 8, 1, 1), (6, 8, 1, 1), 1, 0, {"dense", "gathered"}),
    ((2, 5, 3, 4), (7, 5, 3, 4), 1, 0, {"dense", "gathered"}),
    ((2, 5, 2, 3), (7, 5, 5, 7), (1, 2), (2, 4), {"dense", "gathered"}),
    ((2, 8, 4, 4), (6, 8, 3, 3), 1, 1, {"gathered"}),
    ((2, 8, 7, 5), (6, 8, 3, 3), 2, 1, {"gathered"}),
    ((2, 8, 14, 14), (6, 8, 1, 1), 2, 0, {"gathered"}),
    ((2, 8, 5, 5), (6, 8, 3, 3), 1, 1, set()),
    ((2, 8, 32, 32), (6, 8, 3, 3), 2, 1, set()),
]


@pytest.mark.parametrize("form", ["dense", "gathered"])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_a_convolution_as_a_product(wins: Any, case: Any, biased: bool, form: str) -> None:
    size, shape, stride, padding, forms = case
    seen = wins(form)
    weight = torch.randn(shape)
    bias = torch.randn(shape[0]) if biased else None
    x = torch.randn(size)

    def convolve(x: torch.Tensor) -> torch.Tensor:
        return F.conv2d(x, weight, bias, stride, padding)

    folded = check(convolve, x)
    assert forms == {name for e in seen for name in e} - {"torch", "onednn"}
    assert folded.counts.get("as a product", 0) == (form in forms)
    outputs = [entrant() for entrants in seen for entrant in entrants.values()]
    for a in outputs[1:]:  # the benchmark compares what does the same
        torch.testing.assert_close(a, outputs[0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("form", ["dense", "gathered"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_network_of_products(wins: Any, form: str, dtype: torch.dtype) -> None:
    if dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        pytest.skip("this processor has no oneDNN kernels for bfloat16")
    wins(form)
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, 2, 1, bias=False),
        nn.BatchNorm2d(8),
        nn.GELU(),
        nn.Conv2d(8, 8, 3, 1, 1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Conv2d(8, 4, 1),
        nn.Flatten(),
    )
    folded = check(eval_net(net, dtype), torch.randn(2, 3, 4, 4, dtype=dtype))
    assert folded.counts["as a product"] == (3 if form == "gathered" else 2)
    assert folded.counts["activation"] == 1
    for given in (torch.randn(2, 3, 4, 4), torch.randn(2, 4, 4, 3).permute(0, 3, 1, 2)):
        given = given.to(dtype)
        subgraph = record(eval_net(net, dtype), given)
        other = fold(subgraph)
        assert other is not None
        compare(other, subgraph, [given])


@pytest.mark.parametrize("form", ["dense", "gathered"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_an_infinite_number_spreads_no_further(wins: Any, value: float, form: str) -> None:
    wins(form)
    x = torch.rand(2, 3, 2, 2)
    x[0, 1, 0, 1] = value
    check(eval_net(nn.Conv2d(3, 4, 3, padding=1)), x)
    x = torch.rand(2, 3, 4, 4)
    x[0, 1, 0, 1] = value
    check(eval_net(nn.Conv2d(3, 4, 3, padding=1)), x)


def test_other_convolutions_stay(wins: Any) -> None:
    wins("gathered")
    for conv in (
        nn.Conv2d(4, 4, 3, padding=1, groups=2),
        nn.Conv2d(4, 4, 3, padding=2, dilation=2),
        nn.ConvTranspose2d(4, 4, 3, padding=1),
    ):
        folded = check(eval_net(conv), torch.randn(2, 4, 3, 3))
        assert "as a product" not in folded.counts


def test_new_weights_of_a_product_need_the_prologue_only(wins: Any) -> None:
    for form in ("dense", "gathered"):
        wins(form)
        conv = eval_net(nn.Conv2d(3, 4, 3, padding=1))
        x = torch.randn(2, 3, 2, 2)
        subgraph = record(conv, x)
        folded = fold(subgraph)
        assert folded is not None
        conv.weight.mul_(2.0)
        conv.bias.add_(1.0)
        compare(folded, subgraph, [x])


# ------------------------------------------------------------------------------------------- sums


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 4, 3, 1, 1), nn.Conv2d(4, 4, 3, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.second(torch.relu(self.first(x))) + x)


def test_a_residual_sum_goes_into_its_convolution() -> None:
    x = torch.randn(2, 4, 6, 6)
    net = eval_net(nn.Sequential(Residual(), Residual(), Residual()))
    last = x.contiguous(memory_format=torch.channels_last)
    # the first sum would write into the argument, where that has the layout already
    assert check(net, last, timed=False).counts["sum"] == 2
    folded = check(net, x, timed=False)
    assert folded.counts["sum"] == 3
    subgraph = record(net, x)
    body = generate(folded.body)
    constants = generate(folded.prologue)(*folded.prologue.captured.values())[1]
    rest = [folded.body.captured[i] for i in folded.body.ins if i in folded.body.captured]
    (expected,) = run(subgraph, x, *subgraph.captured.values())
    for given in (x, last):
        before = given.clone()
        for _ in range(2):
            (got,) = body(given, *rest, *constants)[1]
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)
        assert torch.equal(given, before)
    assert not any(name.startswith("add") for name in names(folded.body))


def test_the_sum_of_two_convolutions() -> None:
    first, second = (eval_net(nn.Conv2d(4, 6, 3, padding=1)) for _ in range(2))
    x = torch.randn(2, 4, 6, 6)
    assert check(lambda x: first(x) + second(x), x, timed=False).counts["sum"] == 1
    assert check(lambda x: second(x) + first(x), x, timed=False).counts["sum"] == 1
    assert "sum" not in check(lambda x: torch.add(first(x), second(x), alpha=2), x).counts
    assert "sum" not in check(lambda x: first(x) + 1.5, x, timed=False).counts
    assert "sum" not in check(lambda x: (lambda y: y + y)(first(x)), x, timed=False).counts


@pytest.mark.parametrize("number", range(8))
def test_what_is_still_needed_is_not_written_to(number: int) -> None:
    conv, other = (eval_net(nn.Conv2d(4, 4, 3, padding=1)) for _ in range(2))
    shift = torch.randn(2, 4, 6, 6)

    def program(x: torch.Tensor) -> Any:
        y = torch.tanh(other(x))
        if number == 0:
            return conv(x) + y, y  # it is given back
        if number == 1:
            return (conv(x) + y) * y  # read again
        if number == 2:
            return (conv(x) + y).sum() + y.flatten()[3:5].sum()  # a view of it is read
        if number == 3:
            z = y[:, :, 1:2]  # each element several times
            return conv(x) + z.expand(2, 4, 6, 6)
        if number == 4:
            return conv(x) + shift  # a constant
        if number == 5:
            return conv(x) + x.contiguous(memory_format=torch.channels_last)  # an argument
        if number == 6:
            z = conv(x)
            return z + y, z  # the convolution's own result is given back
        return conv(x) + y.transpose(2, 3)

    last = torch.randn(2, 4, 6, 6).contiguous(memory_format=torch.channels_last)
    for x in (torch.randn(2, 4, 6, 6), last)[number == 5 :]:  # a conversion is memory of its own
        kept = shift.clone()
        folded = check(program, x, timed=False)
        assert "sum" not in folded.counts
        assert torch.equal(shift, kept)


def test_a_convolution_moves_behind_a_sum_that_it_shares_its_input_with() -> None:
    """Sums one after the other: each convolution reads what the sum before it has written."""
    a, b, c = (eval_net(nn.Conv2d(4, 4, 3, padding=1)) for _ in range(3))

    def program(x: torch.Tensor) -> torch.Tensor:
        y = torch.tanh(a(x))
        early = b(y)  # reads y, and is added after y is written to, if that were done
        y = c(x) + y
        return early + y

    folded = check(program, torch.randn(2, 4, 6, 6), timed=False)
    assert folded.counts["sum"] >= 1
