"""Inference: what depends on parameters alone is computed once, and kernels take it prepared.

A subgraph is divided into a prologue, which runs over the captured tensors whenever they changed,
and a body, which runs at every call over the inputs and the prologue's results. Nothing of a
parameter is written into code, so new weights need no new plan.

The prologue folds batch normalization into the weights before it, transposes and casts weights,
and orders them as a kernel reads them. The body runs convolutions in channels-last memory and, on
CPU, through oneDNN's kernels, with the activation behind them where that was measured to gain.
Convolutions over a few points may become matrix products (as_product.py), and sums of two branches
go into the convolution of one of them (sums.py).

NOTE What stays outside of kernels. oneDNN's ReLU, ReLU6 and hard sigmoid turn NaN into 0, which
would hide a network that has diverged; O0 runs them in place, and whole networks were not faster
with them inside. A small slope instead of 0 keeps NaN, but lets -inf through, and gained nothing in
networks either. Nor did SiLU and MKL's packed matrix product pay.
"""

from __future__ import annotations

import torch

from agar._core.graph.ir.graph import (
    Subgraph,
    near_their_use,
    outputs_of,
    used_by,
    without_dead_code,
)
from agar._core.graph.passes.channels_last import LayoutLowering, UnfitError
from agar._core.graph.passes.memory import changed_families, channels_last_strides, memory_families
from agar._core.graph.passes.prologue import Division
from agar._core.graph.passes.sums import sums_inside

__all__ = ["Folded", "fold"]

aten = torch.ops.aten


class Folded:
    """A subgraph divided for inference.

    Attributes:
        prologue: from captured tensors (its ``ins``) to constants (its ``outs``).
        body: from the ordinary inputs, the captured tensors that it still takes and the constants,
        in
            this order, to the outputs of the subgraph, in their order.
        constants: the variables that the prologue computes, in order.
        layout: ``"channels_last"`` or ``"plain"``; plain also where no convolution was there to
            profit.
        counts: how often each rewriting was applied, for people and tests.
    """

    __slots__ = ("body", "constants", "counts", "layout", "prologue")

    def __init__(
        self, prologue: Subgraph, body: Subgraph, layout: str, counts: dict[str, int]
    ) -> None:
        self.prologue = prologue
        self.body = body
        self.constants = prologue.outs
        self.layout = layout
        self.counts = counts


def fold(
    subgraph: Subgraph,
    *,
    layout: str = "channels_last",
    fuse: bool = True,
    timed: bool = True,
) -> Folded | None:
    """Divide a subgraph into a prologue over its parameters and a body over its inputs.

    Args:
        subgraph: what was recorded. It is not changed.
        layout: the memory of two- and three-dimensional convolutions in the body,
            ``"channels_last"`` or ``"plain"``. Outputs have the strides that were recorded.
        fuse: whether other kernels may stand in for torch's on CPU: oneDNN's with prepared weights,
            and slices for max pooling. Such weights are copies in an order of their own: opaque
            tensors, which O0 can pass on and TorchInductor cannot. Default: True.
        timed: whether oneDNN's must first win a short benchmark on the sizes of the subgraph, which
        is
            run once in a process for each size. Default: True. Without, they always stand in.

    Returns:
        The two parts, or None where nothing is gained, or where the subgraph trains: it changes an
        input or a parameter, or has a backward pass.
    """
    if layout not in ("channels_last", "plain"):
        raise ValueError(f"layout must be 'channels_last' or 'plain', but it is {layout!r}.")
    if not subgraph.captured or any(mark < len(subgraph.ops) for mark in subgraph.marks):
        return None
    if any(type(n) is not int for meta in subgraph.metas.values() for n in meta.shape):
        return None  # weights are prepared, and kernels are timed, for fixed sizes
    family = memory_families(subgraph.ops, subgraph.metas)
    changed = changed_families(subgraph.ops, family)
    if any(family.get(i, i) in changed for i in subgraph.ins):
        return None
    work = Division(subgraph, fuse, timed)
    work.make_functional(family)
    work.divide()
    work.join()
    for channels_last in (layout == "channels_last", False):
        lowering = LayoutLowering(work, channels_last)
        try:
            lowering.run()
        except UnfitError:
            continue
        return _parts(work, lowering)
    return None


def _parts(division: Division, lowering: LayoutLowering) -> Folded | None:
    """The parts, or None where they gain nothing."""
    subgraph = division.subgraph
    ops = without_dead_code(lowering.ops, subgraph.outs)
    used = {u for op in ops for u in used_by(op)} | set(subgraph.outs)
    result = [o for op in division.prologue for o in outputs_of(op)]
    constants = [o for o in result if o in used]
    prologue = near_their_use(division.prologue, constants)
    counts = division.counts | lowering.counts
    if not counts:
        return None
    if division.fuse:
        ops, sums = sums_inside(ops, subgraph.outs, division.metas)
        counts |= {"sum": sums} if sums else {}
    for v in lowering.channels_last - division.constant - set(subgraph.ins):
        division.metas[v].stride = channels_last_strides(division.metas[v].shape)
    sources = {u for op in prologue for u in used_by(op)}
    head = Subgraph(
        division.described(prologue),
        [i for i in subgraph.ins if i in sources],
        constants,
        division.metas_of(prologue, []),
        False,
        {i: t for i, t in subgraph.captured.items() if i in sources},
    )
    ins = [i for i in subgraph.ins if i not in subgraph.captured]
    rest = [i for i in subgraph.ins if i in subgraph.captured and i in used]
    body = Subgraph(
        division.described(ops),
        [*ins, *rest, *constants],
        list(subgraph.outs),
        division.metas_of(ops, [*ins, *rest, *constants]),
        subgraph.read,
        {i: subgraph.captured[i] for i in rest},
    )
    layout = "channels_last" if "channels_last" in counts else "plain"
    return Folded(head, body, layout, counts)
