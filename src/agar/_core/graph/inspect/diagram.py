"""Pictures of recorded graphs: ``set_context(save_graphs=..., save_graphs_path=...)``.

Three files for each recording, more of them at higher levels: ``NAME_0.txt`` lists the operations,
``NAME_0.dot`` is for Graphviz, ``NAME_0.html`` is a drawing that a browser shows without a network.
"""

from __future__ import annotations

import itertools
import os
import re
import warnings
import weakref
from collections.abc import Sequence
from typing import Any

import torch

from agar._core.context import get_context
from agar._core.graph.ir.graph import (
    READS,
    Chunk,
    Host,
    Meta,
    Op,
    Ref,
    Subgraph,
    mutates,
    reads_value,
    used_by,
)

__all__ = ["FAMILIES", "Graph", "Part", "Row", "as_dot", "as_text", "family", "save", "shortened"]

Site = tuple[str, int]

_PARTS = ("forward", "backward", "optimizer")

# ----------------------------------------------------------------------------------- saving

_bases: weakref.WeakKeyDictionary[Any, dict[str, str]] = weakref.WeakKeyDictionary()
_warned: set[str] = set()


def save(name: str, number: int, nodes: Sequence[Any], owner: Any = None) -> list[str]:
    """Write the files that the context asks for; returns their paths.

    A later call for the same owner overwrites them: a recording grows with its branches.

    Args:
        name: of the compiled function.
        number: of its specialization.
        nodes: its subgraphs (`tree.Node`, or `graph.Subgraph` alone), parents first.
        owner: the specialization, from which the names of parameters and arguments come; two owners
        never
            share a file. Default: None, the first node stands for it.
    """
    level = get_context("save_graphs")
    level = 3 if level is True else int(level or 0)
    if level <= 0 or not nodes:
        return []
    graph = Graph(name, number, nodes, owner)
    folder = os.path.abspath(get_context("save_graphs_path") or ".")
    base = _base(folder, f"{_file_name(name)}_{number}", nodes[0] if owner is None else owner)
    expected = [("txt", as_text)]
    if level >= 2:
        expected.append(("dot", as_dot))
    if level >= 3:
        from agar._core.graph.inspect.svg import as_html

        expected.append(("html", as_html))
    paths = []
    try:
        os.makedirs(folder, exist_ok=True)
        for kind, make in expected:
            path = f"{base}.{kind}"
            with open(path, "w", encoding="utf-8") as file:
                file.write(make(graph))
            paths.append(path)
    except OSError as error:
        # the call that was recorded has run: it must not fail for its picture
        if folder not in _warned:
            _warned.add(folder)
            warnings.warn(
                f"The graph of '{name}' is not saved: {error}. Set save_graphs_path to a folder "
                "that can be written to, or save_graphs=0.",
                stacklevel=2,
            )
    return paths


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "_", name).strip("_.") or "graph"


def _base(folder: str, stem: str, owner: Any) -> str:
    """The path without its ending: the owner's own, which no other living owner has."""
    mine = _bases.setdefault(owner, {})
    if folder not in mine:
        taken = {known.get(folder) for known in _bases.values()}
        names = itertools.chain((stem,), (f"{stem}_{i}" for i in itertools.count(2)))
        mine[folder] = next(p for n in names if (p := os.path.join(folder, n)) not in taken)
    return mine[folder]


# ---------------------------------------------------------------------------- what is shown

#: Kinds of operations: what they are called, and the colors of box and frame.
FAMILIES: dict[str, tuple[str, str, str]] = {
    "matrix": ("matrix products, convolutions", "#dbeafe", "#2563eb"),
    "elementwise": ("element by element", "#dcfce7", "#15803d"),
    "reduction": ("reductions", "#fef3c7", "#b45309"),
    "normal": ("softmax, normalization, loss", "#ede9fe", "#6d28d9"),
    "view": ("shapes and views", "#f1f5f9", "#64748b"),
    "change": ("changes in place, optimizer", "#fee2e2", "#b91c1c"),
    "random": ("random numbers", "#fce7f3", "#be185d"),
    "constant": ("constants", "#f5f5f4", "#78716c"),
    "host": ("Python at every call", "#cffafe", "#0e7490"),
    "read": ("value read by Python", "#ffedd5", "#c2410c"),
    "chunk": ("compiled part", "#e0e7ff", "#4338ca"),
    "other": ("other", "#ffffff", "#475569"),
    "input": ("inputs and results", "#ffffff", "#94a3b8"),
    "repeat": ("equal blocks, drawn once", "#e2e8f0", "#334155"),
}

_MATRIX = re.compile(
    r"(^|_)(mm|bmm|addmm|baddbmm|linear|matmul|dot|mv|addmv|conv\w*|convolution\w*|einsum"
    r"|rnn|lstm|gru|attention|embedding_bag)(_|\.|$)|rnn_layer|scaled_dot_product"
)
_NORMAL = re.compile(r"norm|softmax|loss|cross_entropy")
_REDUCTION = re.compile(
    r"^(sum|mean|amax|amin|max|min|prod|std|var|arg\w+|any|all|pool|\w*pool\w*)"
)


def family(op: Op) -> str:
    """The kind of an operation, a key of :data:`FAMILIES`."""
    func = op.func
    if isinstance(func, Chunk):
        return "chunk"
    if isinstance(func, Host):
        if func.writes:
            return "change"
        seeded = re.search(r"keep|draw|random|normal|uniform|factors", func.label)
        return "random" if seeded else "host"
    if func in READS:
        return "read"
    if not isinstance(func, torch._ops.OpOverload):
        return "other"
    if torch.Tag.nondeterministic_seeded in func.tags:
        return "random"
    schema = func._schema
    if schema.is_mutable:
        return "change"
    name = schema.name.split("::", 1)[1]
    if _MATRIX.search(name):
        return "matrix"
    if any(r.alias_info is not None for r in schema.returns) or name in _SHAPES:
        return "view"
    if _NORMAL.search(name):
        return "normal"
    if _REDUCTION.search(name):
        return "reduction"
    if torch.Tag.pointwise in func.tags or name.endswith("_backward"):
        return "elementwise"
    return "other" if used_by(op) and not name.endswith("_like") else "constant"


_SHAPES = frozenset(
    {
        *("cat", "stack", "clone", "index", "gather", "index_select", "repeat", "roll", "flip"),
        *("constant_pad_nd", "masked_select", "nonzero", "embedding", "tril", "triu"),
        *("_unsafe_view", "slice_backward", "select_backward", "_to_copy"),
    }
)


class Row:
    """One operation, as it is shown."""

    __slots__ = (
        "family",
        "label",
        "makes",
        "metas",
        "needs",
        "op",
        "params",
        "short",
        "site",
        "text",
    )

    def __init__(self, op: Op, params: dict[int, str]) -> None:
        self.op = op
        self.label = op.name.split("::")[-1]
        #: Without the overload, and a word for what torch calls otherwise.
        self.short = "value read" if reads_value(op) else self.label.split(".")[0].strip("_")
        self.family = family(op)
        self.site = op.site
        self.metas = [m for m in op.metas if m is not None]
        self.needs = list(dict.fromkeys(used_by(op)))
        changed = mutates(op)
        self.makes = list(dict.fromkeys([*(o for o in op.outs if o is not None), *changed]))
        self.params = [params[v] for v in self.needs if v in params]
        args = [_literal(a) for a in op.args]
        args += [f"{k}={_literal(v)}" for k, v in op.kwargs.items()]
        outs = ", ".join("_" if o is None else f"v{o}" for o in op.outs)
        self.text = f"{f'{outs} = ' if outs else ''}{op.name}({', '.join(args)})"

    @property
    def shapes(self) -> str:
        """The metadata of what it makes."""
        return shortened([repr(m) for m in self.metas], 2)

    @property
    def place(self) -> str:
        """Its source line."""
        return "" if self.site is None else f"{self.site[0]}:{self.site[1]}"

    @property
    def line(self) -> str:
        """Its source line without the folder."""
        return "" if self.site is None else f"{os.path.basename(self.site[0])}:{self.site[1]}"

    @property
    def token(self) -> tuple[Any, ...]:
        """Equal for operations that do the same to other tensors."""
        constants = re.sub(r"\bv\d+\b", "v", self.text)
        return constants, tuple(map(repr, self.metas))


def _literal(value: Any) -> str:
    kind = type(value)
    if kind is Ref:
        return f"v{value.i}"
    if kind is tuple or kind is list:
        inner = ", ".join(map(_literal, value))
        return f"[{inner}]" if kind is list else f"({inner}{',' if len(value) == 1 else ''})"
    if kind is dict:
        return f"{{{', '.join(f'{k!r}: {_literal(v)}' for k, v in value.items())}}}"
    if value is None or kind in (bool, int, float, complex, str):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        return str(value).removeprefix("torch.")
    return getattr(value, "__name__", None) or f"<{kind.__name__}>"


def shortened(parts: Sequence[str], most: int) -> str:
    """The first of some texts, and how many more there are."""
    rest = len(parts) - most
    return ", ".join(parts[:most]) + (f", {rest} more" if rest > 0 else "")


class Part:
    """A subgraph, as it is shown."""

    def __init__(self, number: int, subgraph: Subgraph, names: dict[int, str]) -> None:
        self.number = number
        self.subgraph = subgraph
        self.names = names  # of variables
        held = {v: name for v, name in names.items() if v in subgraph.captured}
        self.rows = [Row(op, held) for op in subgraph.ops]
        self.inputs = [v for v in subgraph.ins if v not in subgraph.captured]
        self.cut = ""
        self.site: Site | None = None  # of the cut
        self.children: list[tuple[Any, Part]] = []
        self.is_child = False

    @property
    def groups(self) -> list[tuple[str, int, int]]:
        """``(forward, backward or optimizer, start, stop)``; one without a name if not marked."""
        count = len(self.rows)
        marks = [min(m, count) for m in self.subgraph.marks]
        if not any(0 < m < count for m in marks):
            return [("", 0, count)]
        spans = itertools.pairwise([0, *sorted(marks), count])
        named = zip(itertools.cycle(_PARTS), spans, strict=False)  # steps may follow each other
        return [(name, a, b) for name, (a, b) in named if a < b]

    def meta(self, v: int) -> str:
        """A variable with its shape."""
        meta: Meta | None = self.subgraph.metas.get(v)
        shown = f"v{v}" if meta is None else f"v{v}: {meta!r}"
        return f"{shown} {self.names[v]}" if v in self.names else shown

    @property
    def held(self) -> str:
        """How much it holds by reference."""
        tensors = {id(t): t for t in self.subgraph.captured.values()}
        size = sum(t.numel() * t.element_size() for t in tensors.values())
        count = "1 tensor" if len(tensors) == 1 else f"{len(tensors)} tensors"
        return f"{count} held, {size} bytes" if tensors else "nothing held"

    @property
    def heading(self) -> str:
        """Its number and size."""
        count = len(self.rows)
        return f"subgraph {self.number}: {count} operation{'' if count == 1 else 's'}"

    def ending(self, short: bool = True) -> str:
        """Why it ends, "" at the function's end; `short` leaves the folder of the file out."""
        if not self.cut or self.site is None:
            return self.cut
        name = os.path.basename(self.site[0]) if short else self.site[0]
        return f"{self.cut} at {name}:{self.site[1]}"


class Graph:
    """All subgraphs of a recording, as they are shown."""

    def __init__(self, name: str, number: int, nodes: Sequence[Any], owner: Any = None) -> None:
        self.name = name
        self.number = number
        named, arguments = _names(owner)
        self.parts: list[Part] = []
        results: dict[int, Part] = {}
        for node in nodes:
            subgraph = node if isinstance(node, Subgraph) else node.subgraph
            if subgraph is None:
                continue  # recorded once so far
            names = {v: named[id(t)] for v, t in subgraph.captured.items() if id(t) in named}
            names.update({v: arguments[v] for v in subgraph.ins if v < len(arguments)})
            part = results[id(node)] = Part(len(self.parts) + 1, subgraph, names)
            self.parts.append(part)
        for node in nodes:
            part = results.get(id(node))
            cut = getattr(node, "cut", None)
            if part is None or cut is None:
                continue
            verb = "Python reads" if cut.kind == "read" else "the shape depends on values:"
            what = part.meta(cut.var) if cut.var >= 0 else part.subgraph.ops[-1].name
            part.cut = f"{verb} {what}"
            part.site = cut.site
            for key, child in node.children.items():
                if id(child) in results:
                    part.children.append((_branch(key, cut.kind), results[id(child)]))
                    results[id(child)].is_child = True

    @property
    def title(self) -> str:
        """What the files begin with."""
        count = sum(len(p.rows) for p in self.parts)
        subgraphs = "1 subgraph" if len(self.parts) == 1 else f"{len(self.parts)} subgraphs"
        return f"{self.name}, specialization {self.number}: {subgraphs}, {count} operations"


def _branch(key: Any, kind: str) -> str:
    from agar._core.graph.inspect.names import shown_value

    return repr(shown_value(key, kind))


def _names(owner: Any) -> tuple[dict[int, str], list[str]]:
    """Names of parameters by ``id`` of their tensors, and of the tensors among the arguments."""
    function = getattr(owner, "function", None)
    if function is None:
        return {}, []
    from agar._core.graph.inspect.names import parameter_names, tensor_arguments

    return parameter_names(function), tensor_arguments(function, owner.key)


# ------------------------------------------------------------------------------------- text


def as_text(graph: Graph) -> str:
    """A listing: operations with shapes, types and source lines."""
    lines = [f"# {graph.title}"]
    for part in graph.parts:
        lines += ["", f"{part.heading}, {part.held}"]
        lines += [f"  input   {part.meta(v)}" for v in part.inputs]
        lines += [f"  held    {part.meta(v)}" for v in part.subgraph.captured]
        for name, start, stop in part.groups:
            if name:
                lines.append(f"  -- {name} --")
            rows = part.rows[start:stop]
            wide = min(64, max((len(r.text) for r in rows), default=0))
            wider = min(36, max((len(r.shapes) for r in rows), default=0))
            lines += [f"  {r.text:<{wide}}  {r.shapes:<{wider}}  {r.place}".rstrip() for r in rows]
        if part.subgraph.outs:
            lines += [f"  output  {part.meta(v)}" for v in part.subgraph.outs]
        if part.cut:
            lines.append(f"  cut: {part.ending(short=False)}")
            lines += [f"    {value} -> subgraph {c.number}" for value, c in part.children]
    return "\n".join(lines) + "\n"


# -------------------------------------------------------------------------------------- dot


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def as_dot(graph: Graph) -> str:
    """For Graphviz: subgraphs and passes as clusters."""
    lines = [
        "digraph graph_of_operations {",
        f"  label={_quoted(graph.title)}; labelloc=t; compound=true;",
        '  graph [fontname="sans-serif", fontsize=12]; edge [fontname="sans-serif", fontsize=10];',
        '  node [shape=box, style="filled,rounded", fontname="sans-serif", fontsize=10];',
    ]
    links: list[str] = []
    for part in graph.parts:
        lines += [f"  subgraph cluster_{part.number} {{", f'    label="subgraph {part.number}";']
        owner: dict[int, str] = {}
        for v in part.inputs:
            name = owner[v] = f"s{part.number}_v{v}"
            lines.append(f"    {name} [label={_quoted(part.meta(v))}, shape=ellipse, style=solid];")
        for group, (title, start, stop) in enumerate(part.groups):
            if title:
                lines.append(
                    f"    subgraph cluster_{part.number}_{group} {{ label={_quoted(title)};"
                )
            for i in range(start, stop):
                row = part.rows[i]
                name = f"s{part.number}_{i}"
                words = [row.short, row.shapes, shortened(row.params, 3), row.line]
                text = "\n".join(w for w in words if w)
                _, color, frame = FAMILIES[row.family]
                lines.append(
                    f"    {name} [label={_quoted(text)}, tooltip={_quoted(row.text[:700])}, "
                    f"fillcolor={_quoted(color)}, color={_quoted(frame)}];"
                )
                links += [f"  {owner[v]} -> {name};" for v in row.needs if v in owner]
                owner.update(dict.fromkeys(row.makes, name))
            if title:
                lines.append("    }")
        if part.cut or part.subgraph.outs:
            text = part.cut or "results: " + shortened(
                [part.meta(v) for v in part.subgraph.outs], 4
            )
            lines.append(f"    s{part.number}_end [label={_quoted(text)}, style=dashed];")
            ends = dict.fromkeys(owner[v] for v in part.subgraph.outs if v in owner)
            links += [f"  {name} -> s{part.number}_end;" for name in ends]
        lines.append("  }")
        for value, child in part.children:
            first = next(iter(child.inputs), None)
            target = f"s{child.number}_v{first}" if first is not None else f"s{child.number}_0"
            if child.rows or first is not None:
                links.append(
                    f"  s{part.number}_end -> {target} [label={_quoted(value)}, style=bold, "
                    f"lhead=cluster_{child.number}];"
                )
    return "\n".join([*lines, *dict.fromkeys(links), "}"]) + "\n"
