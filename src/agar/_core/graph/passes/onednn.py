"""Matrix products on oneDNN's kernels, where they are faster than those torch takes on the CPU.

torch's float32 products run on the BLAS library it was built with. On some processors oneDNN's
kernels need half the time, forward and backward. Which is faster is not known beforehand, so each
kind of product in a subgraph is raced once in a process.

NOTE Rounding. Sums are taken in another order, so results differ from O0's in the last digits. A
benchmark also compares results, and a kernel whose results differ by more than rounding does not
run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from agar._core.graph.autotune.benchmark import Benchmark, middle, winner
from agar._core.graph.autotune.verify import largest
from agar._core.graph.ir.graph import Meta, Op, Ref, Subgraph, rewritten, without_dead_code

__all__ = ["on_onednn"]

aten = torch.ops.aten

_SMALL = 1 << 15  # multiplications below which no product is replaced
_WINS = 0.85  # share of torch's time that oneDNN may need


def on_onednn(subgraph: Subgraph) -> Subgraph | None:
    """The subgraph with its products on oneDNN where that wins, or None where it never does."""
    mkldnn: Any = torch.backends.mkldnn
    if not mkldnn.is_available():
        return None
    kernel = torch.ops.mkldnn._linear_pointwise.default
    metas = dict(subgraph.metas)
    fresh = 1 + max(
        [0, *subgraph.ins, *metas, *(o for op in subgraph.ops for o in op.outs if o is not None)]
    )
    turned: dict[int, int] = {}  # variable -> the one it is the transposed view of
    ops: list[Op] = []
    count = 0
    for op in subgraph.ops:
        if op.func is aten.t.default and op.outs[0] is not None:
            turned[op.outs[0]] = op.args[0].i
        product = _operands(op)
        if product is None or not _wins(metas, product):
            ops.append(op)
            continue
        bias, a, b = product
        weight = turned.get(b)
        if weight is None:
            weight, fresh = fresh, fresh + 1
            meta = metas[b]
            metas[weight] = meta.but(shape=meta.shape[::-1], stride=meta.stride[::-1])
            ops.append(Op(aten.t.default, (Ref(b),), {}, (weight,), (metas[weight],), None, op.at))
        args = (Ref(a), Ref(weight), None if bias is None else Ref(bias), "none", [], "")
        ops.append(Op(kernel, args, {}, op.outs, op.metas, op.site, op.at))
        count += 1
    if not count:
        return None
    body = without_dead_code(ops, subgraph.outs)
    return rewritten(subgraph, body, subgraph.outs, metas)


def _operands(op: Op) -> tuple[int | None, int, int] | None:
    """Bias and factors of a plain product, as variables."""
    if op.func is aten.mm.default:
        a, b = op.args
        return None, a.i, b.i
    if op.func is aten.addmm.default and not op.kwargs and len(op.args) == 3:
        bias, a, b = op.args
        return bias.i, a.i, b.i
    return None


# ------------------------------------------------------------------------------------- benchmarks


def _wins(metas: dict[int, Meta], product: tuple[int | None, int, int]) -> bool:
    bias, a, b = product
    first, second = metas.get(a), metas.get(b)
    if first is None or second is None or first.device.type != "cpu":
        return False
    if first.dtype != torch.float32 or second.dtype != torch.float32:
        return False
    rows, inner = first.shape
    if type(rows) is not int or rows * inner * second.shape[1] < _SMALL:
        return False
    if bias is not None and len(metas[bias].shape) != 1:
        return False
    if not all(s > 0 for meta in (first, second) for s in meta.stride):
        return False
    key = (first.shape, first.stride, second.shape, second.stride, bias is None)

    def enter() -> dict[str, Callable[[], Any]]:
        return _entrants(first, second, bias is not None)

    return winner(Benchmark(("mm", *key), "torch", enter, _judge, warm=True)) == "onednn"


def _entrants(first: Meta, second: Meta, biased: bool) -> dict[str, Callable[[], Any]]:
    """The kernels for factors with these metadata; torch's alone where oneDNN's result is wrong."""
    kernel = torch.ops.mkldnn._linear_pointwise.default
    a, b = map(_filled, (first, second))
    bias = torch.ones(second.shape[1]) if biased else None

    def torchs() -> torch.Tensor:
        return torch.mm(a, b) if bias is None else torch.addmm(bias, a, b)

    def onednns() -> torch.Tensor:
        return kernel(a, b.t(), bias, "none", [], "")

    expected, result = torchs(), onednns()
    if largest(expected - result) > 1e-4 * largest(expected) + 1e-5:
        return {"torch": torchs}
    return {"torch": torchs, "onednn": onednns}


def _filled(meta: Meta) -> torch.Tensor:
    """Numbers between -1 and 1; torch's random ones take longer than the product."""
    rows, columns = (torch.linspace(-0.5, 0.5, n, dtype=meta.dtype) for n in meta.shape)
    return meta.empty().copy_(rows[:, None]).add_(columns)


def _judge(times: dict[str, list[float]], usual: str) -> str:
    """oneDNN's if it is much faster in neighboring trials; results change in the last digits."""
    pairs = zip(times["onednn"], times["torch"], strict=True)
    return "onednn" if middle([mine / its for mine, its in pairs]) < _WINS else usual
