"""A symbolic recording as an FX graph over symbolic sizes, as a compiler takes it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx.proxy import GraphAppendingTracer, Proxy

from agar._core.graph.cache.symbolic import SymbolicSpecialization
from agar._core.graph.guard.dynamic import Unsupported
from agar._core.graph.ir.graph import Meta, Op, map_refs, outputs_of, returns_one_tensor
from agar._core.graph.ir.sizes import NAMES, Size, map_sizes, text_of_size
from agar._core.graph.record.symbolic import aten

__all__ = ["SymbolicGraph"]


# ------------------------------------------------------------------------------------ FX graphs


class SymbolicGraph:
    """A recording, or a part of it, as TorchInductor takes it.

    Compile it with ``torch._inductor.standalone_compile(graph.module, graph.inputs,
    dynamic_shapes="from_graph")``. The compiler may assume more about sizes than the recording
    does, so ask for :meth:`check` when it is done.

    Attributes:
        module: the FX graph; its placeholders are the variables `ins`, in order.
        ins: the variables that it takes, parameters among them.
        outs: the variables that it gives.
        inputs: tensors without data for the placeholders.
        bound: the tensors of those `ins` that are no arguments of the call.
    """

    def __init__(self, specialization: SymbolicSpecialization, part: Any = None) -> None:
        trace = specialization._trace
        if trace is None or trace.subgraph is None:
            raise RuntimeError("Record first.")
        part = trace.subgraph if part is None else part
        self.ins: list[int] = list(part.ins)
        self.outs: list[int] = list(part.outs)
        self._trace = trace
        self._subgraph = trace.subgraph
        self._nodes: dict[int, torch.fx.Node] = {}
        self._sizes: dict[Any, Proxy] = {}
        shape_env = trace.mode.shape_env
        assert shape_env is not None
        self._shape_env = shape_env
        graph = torch.fx.Graph()
        self._tracer = GraphAppendingTracer(graph)
        self.inputs: list[Any] = [self._like(self._subgraph.metas[v]) for v in self.ins]
        self.bound = {v: t for v, t in self._subgraph.captured.items() if v in self.ins}
        for v, fake in zip(self.ins, self.inputs, strict=True):
            node = self._nodes[v] = graph.placeholder(f"v{v}")
            node.meta["val"] = fake
        for v in self.ins:
            for d, size in enumerate(self._subgraph.metas[v].shape):
                self._read_size(graph, v, d, size)
        for op in part.ops:
            self._call(graph, op)
        graph.output(tuple([self._nodes[v] for v in self.outs]))
        self.module = torch.fx.GraphModule(torch.nn.Module(), graph)
        self._known = len(shape_env.guards)

    def check(self) -> tuple[list[str], Callable[..., bool] | None]:
        """What the compiler has assumed about sizes since then.

        Returns:
            The conditions, and a function that says of torch's tensors in the arguments of a call
            (all of them, in order) whether they hold; None without conditions.
        """
        conditions = [g.expr for g in self._shape_env.guards[self._known :]]
        if not conditions:
            return [], None
        symbols = sorted({s for e in conditions for s in e.free_symbols}, key=str)
        places = [self._trace.symbols[s] for s in symbols]
        names: dict[str, Any] = dict(NAMES)
        lines = [f"{s} = r[{leaf}].size({d})" for s, (leaf, d) in zip(symbols, places, strict=True)]
        lines.append(f"return {' and '.join([f'({text_of_size(e)})' for e in conditions])}")
        source = "def check(*r):\n  " + "\n  ".join(lines) + "\n"
        exec(compile(source, "<agar sizes>", "exec"), names)
        return [text_of_size(e) for e in conditions], names["check"]

    def _number(self, size: Any) -> Any:
        if type(size) is not Size:
            return size
        return self._shape_env.create_symintnode(size.expr, hint=None)

    def _like(self, meta: Meta) -> torch.Tensor:
        shape, stride = (list(map(self._number, part)) for part in (meta.shape, meta.stride))
        with self._trace.mode:
            return torch.empty_strided(shape, stride, dtype=meta.dtype, device=meta.device)

    def _read_size(self, graph: torch.fx.Graph, v: int, d: int, size: Any) -> None:
        if type(size) is not Size or not size.expr.is_Symbol or size.expr in self._sizes:
            return
        node = graph.call_function(aten.sym_size.int, (self._nodes[v], d))
        node.meta["val"] = self._number(size)
        self._sizes[size.expr] = Proxy(node, self._tracer)

    def _size_node(self, size: Size) -> Any:
        from torch.utils._sympy.interp import sympy_interp
        from torch.utils._sympy.reference import PythonReferenceAnalysis

        missing = size.expr.free_symbols - self._sizes.keys()
        if missing:
            raise Unsupported(f"no input of the part has the size {missing}")
        result = sympy_interp(PythonReferenceAnalysis, self._sizes, size.expr)
        return result.node if isinstance(result, Proxy) else result

    def _call(self, graph: torch.fx.Graph, op: Op) -> None:
        if not isinstance(op.func, torch._ops.OpOverload):
            raise Unsupported(f"{op.name} is Python", op.site)

        def filled(value: Any) -> Any:
            return map_sizes(map_refs(value, lambda ref: self._nodes[ref.i]), self._size_node)

        node = graph.call_function(op.func, filled(op.args), filled(op.kwargs))
        fresh = set(outputs_of(op))
        single = returns_one_tensor(op.func)
        for i, o in enumerate(op.outs):
            if o is not None and o in fresh:
                result = node if single else graph.call_function(operator.getitem, (node, i))
                self._nodes[o] = result
