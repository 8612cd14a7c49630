"""agar.graph: explanations, generated code, waiting, forgetting; the pictures of save_graphs."""

from __future__ import annotations

import ast
import gc
import json
import os
import re
import time
import warnings
import weakref
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
import agar._core.graph
from agar import Parameter, Tensor, graph, nn, ops
from agar._core.graph.autotune.tuner import Candidate
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.inspect import diagram, svg
from agar._core.graph.inspect.report import advice
from agar._core.graph.ir.graph import Meta, Op, Ref, Subgraph

aten = torch.ops.aten
HERE = Path(__file__).resolve()


def line_of(text: str) -> int:
    """The number of the only line of this file that contains a text as a comment."""
    lines = HERE.read_text(encoding="utf-8").splitlines()
    items = [i for i, line in enumerate(lines, 1) if line.endswith(f"# {text}")]
    assert len(items) == 1
    return items[0]


def times(count, fn, *args):
    """Call a function several times; gives the last result."""
    result = None
    for _ in range(count):
        result = fn(*args)
    return result


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)


class Mlp(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 8)
        self.second = nn.Dense(8, 2)
        self.factor = 1.0

    def construct(self, x):
        return self.second(ops.relu(self.first(x))) * self.factor


X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


# ------------------------------------------------------------------------------------ explain


def test_mlp(graph_mode):
    net = Mlp()
    times(3, net, Tensor(X))
    report = graph.explain(net)
    (specialization,) = report.specializations
    assert report.called
    assert not report.fallbacks
    assert report.plain_calls == 0
    assert specialization.signature == "(x: float32[3, 4])"
    assert specialization.state == "compiled"
    assert (specialization.recordings, specialization.replays) == (2, 1)
    assert {t.name for t in specialization.captured} == {
        "first.weight",
        "first.bias",
        "second.weight",
        "second.bias",
    }
    assert specialization.nbytes == 4 * (32 + 8 + 16 + 2)
    assert "x is a Tensor float32[3, 4], on cpu" in specialization.guards
    (subgraph,) = report.subgraphs
    assert subgraph.cut == "end"
    assert subgraph.operations > 3
    assert [(p.name, p.in_use) for p in subgraph.plans] == [("O0", True)]
    text = str(report)
    assert text == repr(report)
    assert "Mlp: 1 specialization, 1 subgraph" in text
    assert "first.weight, first.bias" in text
    assert "plan O0" in text


def test_a_recording_that_is_not_confirmed(graph_mode):
    net = Mlp()
    net(Tensor(X))
    (specialization,) = graph.explain(net).specializations
    assert specialization.state == "recorded once"
    assert not specialization.subgraphs[0].confirmed
    assert specialization.subgraphs[0].operations > 3
    assert not graph.settled(net)


def test_branches():
    @ms.jit
    def branching(x):
        h = x * 2
        if h.sum() > 0:  # the cut
            return h + 1
        return h - 1

    for _ in range(3):
        branching(Tensor([1.0, 2.0]))
        branching(Tensor([-1.0, -2.0]))
    first, *ends = graph.explain(branching).subgraphs
    assert first.cut == "read"
    assert first.where == (str(HERE), line_of("the cut"))
    assert first.operator == "gt.Scalar"
    assert re.fullmatch(r"v\d+ bool\[\]", first.variable)
    assert dict(first.branches) == {True: 2, False: 3}
    assert [s.parent for s in ends] == [1, 1]
    assert [s.cut for s in ends] == ["end", "end"]
    text = str(graph.explain(branching))
    assert "if True: subgraph 2: 1 operation, to the end" in text
    assert "if False: subgraph 3" in text
    assert f"test_report.py:{line_of('the cut')}; 2 branches" in text


def test_a_shape_that_depends_on_values():
    @ms.jit
    def positive(x):
        return ops.masked_select(x, x > 0) * 2

    times(3, positive, Tensor([1.0, -1.0, 2.0]))
    first, second = graph.explain(positive).subgraphs
    assert first.cut == "shape"
    assert first.operator.startswith("masked_select")
    assert first.branches == (((2,), second.number),)
    assert "then a shape depends on values: v" in str(graph.explain(positive))


def test_values_of_branches_keep_their_kind():
    @ms.jit
    def scaled(x):
        return x * float(x[0])

    for value in (0.0, -0.0, float("nan"), 2.5):
        scaled(Tensor([value]))
    values = [v for v, _ in graph.explain(scaled).subgraphs[0].branches]
    assert list(map(repr, values)) == ["0.0", "-0.0", "nan", "2.5"]


def test_numpy_fallback():
    @ms.jit
    def through_numpy(x):
        return Tensor(np.sort(x.asnumpy()))  # leaves the graph

    x = Tensor([2.0, 1.0])
    through_numpy(x)
    (first,) = graph.explain(through_numpy).fallbacks
    assert not first.final
    with pytest.warns(GraphWarning):
        through_numpy(x)
    through_numpy(x)
    report = graph.explain(through_numpy)
    (fallback,) = report.fallbacks
    assert fallback.final
    assert "numpy array" in fallback.reason
    assert fallback.where == (str(HERE), line_of("leaves the graph"))
    assert "agar.numpy_function" in fallback.advice
    assert report.plain_calls == 1
    assert report.specializations[0].state == "plain"
    assert f"test_report.py:{line_of('leaves the graph')}" in str(report)
    assert graph.settled(through_numpy)


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 0

    def construct(self, x):
        self.count += 1
        return x + self.count


def test_attribute_changed_by_the_call(graph_mode):
    net = Counting()
    times(1, net, Tensor(X))
    report = graph.explain(net)
    assert len(report.fallbacks) == 1
    for fallback in report.fallbacks:
        assert not fallback.final
        assert "Counting.count" in fallback.reason
        assert "Parameter" in fallback.advice
    text = str(report)
    assert text.count("advice:") == 1
    assert "recording failed once" in text
    with pytest.warns(GraphWarning):
        times(10, net, Tensor(X))
    (fallback,) = [f for f in graph.explain(net).fallbacks if f.final]
    assert fallback.signature == "(x: float32[3, 4])"
    assert "Parameter" in fallback.advice


def test_attribute_changed_between_calls(graph_mode):
    net = Mlp()
    for factor in (1.0, 2.0, 3.0):
        net.factor = factor
        times(2, net, Tensor(X))
    report = graph.explain(net)
    assert len(report.specializations) == 3
    assert report.recaptures == ("Mlp.factor: 1.0 -> 2.0", "Mlp.factor: 2.0 -> 3.0")
    assert "Mlp.factor 2.0 -> 3.0 (2 changes)" in str(report)


class Dropping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x):
        return self.dropout(x)


def test_set_train_switches(graph_mode):
    net = Dropping()
    for mode in (False, True, False):
        net.set_train(mode)
        times(2, net, Tensor(X))
    report = graph.explain(net)
    assert len(report.specializations) == 2
    assert any(r.startswith("Dropping.training: False -> True") for r in report.recaptures)
    now = [any(g.endswith("as they are now") for g in v.guards) for v in report.specializations]
    assert sorted(now) == [False, True]
    evaluation = report.specializations[now.index(True)]
    assert evaluation.replays >= 1


def test_gradients_of_a_function(graph_mode):
    net = Mlp()

    def loss(x):
        return (net(x) ** 2).sum()

    step = ms.value_and_grad(loss, None, net.trainable_params())
    times(4, step, Tensor(X))
    report = graph.explain(loss)
    assert [c.name for c in report.compiled] == [f"the gradient of {loss.__qualname__}"]
    (specialization,) = report.specializations
    assert specialization.signature == "(x: float32[3, 4])"
    assert "first.weight" in [t.name for t in specialization.captured]
    assert not report.fallbacks


def test_a_compiled_function_inside_an_eager_gradient():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    cubed = ms.jit(lambda x: (x * x * x).sum())
    times(4, ms.grad(cubed), Tensor([1.0, 2.0]))
    (specialization,) = graph.explain(cubed).specializations
    assert specialization.kind == "gradient"
    assert [s.part for s in specialization.subgraphs] == ["forward", "backward"]
    assert specialization.replays == 2
    assert graph.settled(cubed)
    code = graph.code(cubed)
    assert "def forward(" in code
    assert "def backward(" in code


def test_signature_names_every_kind_of_argument():
    weight = Parameter(Tensor([1.0]), name="w")

    @ms.jit
    def many(x, pair, *rest, mode, scale=2.0, table=None, held=None):
        return x * scale + pair[0]

    x = Tensor([[1.0, 2.0]])
    times(2, lambda: many(x, (x, 3), x.T, mode="same", scale=0.5, table=np.eye(2), held=weight))
    (specialization,) = graph.explain(many).specializations
    assert specialization.signature == (
        "(x: float32[1, 2], pair[1]: 3, rest[0]: float32[2, 1], mode: 'same', scale: 0.5, "
        "table: an array float64[2, 2] of equal values, held: Parameter)"
    )
    assert "pair[0] is the same Tensor as x" in specialization.guards
    assert "held is the same object (Parameter)" in specialization.guards


def test_what_was_never_compiled(graph_mode):
    net = Mlp()
    report = graph.explain(net)
    assert not report.called
    assert "never called compiled" in str(report)
    assert not graph.settled(net)
    assert graph.wait(net)
    assert graph.code(net) == ""


@pytest.mark.parametrize("function", [graph.explain, graph.settled, graph.wait, graph.code])
def test_what_cannot_be_compiled(function):
    with pytest.raises(TypeError, match=r"a Cell, a function .* is needed, but got"):
        function(3)


def test_methods_and_cells_with_a_compiled_construct():
    ms.set_context(mode=ms.PYNATIVE_MODE)

    class Net(nn.Cell):
        @ms.jit
        def construct(self, x):
            return x + 1

        @ms.jit
        def other(self, x):
            return x - 1

    net = Net()
    times(2, net, Tensor(X))
    times(2, net.other, Tensor(X))
    assert [c.name.split(".")[-1] for c in graph.explain(net).compiled] == ["construct"]
    assert graph.explain(net.other).specializations[0].state == "compiled"


def test_hints_for_constants_and_shapes():
    @ms.jit
    def stepped(x, step):
        return x * step

    x = Tensor([1.0])
    for step in range(4):
        stepped(x, step)
    assert "argument step is a number" in str(graph.explain(stepped))

    @ms.jit
    def doubled(x):
        return x * 2

    for size in range(1, 8):
        doubled(Tensor(np.ones(size, np.float32)))
    report = graph.explain(doubled)
    assert report.compiled[0].seen_once == 5
    assert "the shape or dtype of x changes" in str(report)
    graph.clear(doubled)
    assert graph.explain(doubled).compiled[0].seen_once == 0


def test_times_can_be_left_out(graph_mode):
    net = Mlp()
    times(4, net, Tensor(X))
    report = graph.explain(net)
    assert re.search(r"plan O0, [\d.]+ ms, in use", report.text())
    assert "plan O0, in use\n" in report.text(times=False) + "\n"


def test_an_explanation_keeps_nothing_alive(graph_mode):
    net = Mlp()
    times(3, net, Tensor(X))
    report = graph.explain(net)
    weight = weakref.ref(net.first.weight._value)
    del net
    gc.collect()
    assert weight() is None
    assert "first.weight" in str(report)


def test_every_reason_of_the_engine_has_advice():
    """The words of `abort`, `_fail`, `_give_up` and `Untrusted` in the engine's source."""
    unknown = advice("nothing that anybody has heard of")
    silent = []
    for path in sorted(Path(agar._core.graph.__file__).parent.rglob("*.py")):
        if path.parent.name == "backends":
            continue  # what fails there is a plan, not a recording
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in ("abort", "_fail", "_give_up", "Untrusted"):
                continue
            reason = node.args[0]
            if isinstance(reason, ast.JoinedStr):
                text = "".join(
                    p.value if isinstance(p, ast.Constant) else "X" for p in reason.values
                )
            elif isinstance(reason, ast.Constant) and isinstance(reason.value, str):
                text = reason.value
            else:
                continue
            if advice(text) == unknown:
                silent.append(f"{path.name}:{node.lineno}: {text}")
    assert not silent, "\n".join(silent)


# -------------------------------------------------------------------- settled, wait, code, clear


class Job:
    """A compilation as the engine sees one."""

    def __init__(self):
        self.state = "waiting"
        self.asked = []

    def wait(self, timeout=None):
        self.asked.append(timeout)
        return self.state


def waiting_job(net):
    """Let a cell's subgraph wait for a compilation."""
    (specialization,) = net.__dict__["_compiled"].specializations.values()
    autotuner = specialization.root.autotuner
    candidate = Candidate("O1")
    candidate.job = Job()
    autotuner.candidates.append(candidate)
    autotuner.phase = "comparing"
    return autotuner, candidate


def test_background_compilations(graph_mode):
    net = Mlp()
    times(3, net, Tensor(X))
    autotuner, candidate = waiting_job(net)
    report = graph.explain(net)
    assert report.compiling == 1
    assert [(p.name, p.compiling) for p in report.plans] == [("O0", False), ("O1", True)]
    assert "compiling in the background: 1 plan" in str(report)
    assert not graph.settled(net)
    assert not graph.wait(net, timeout=0.01)
    assert candidate.job.asked[0] <= 0.01

    candidate.job.state = "ready"
    assert graph.wait(net)
    assert candidate.job.asked[-1] is None
    assert graph.explain(net).compiling == 0
    assert "the next calls try it" in str(graph.explain(net))
    assert not graph.settled(net)

    candidate.state, candidate.reason, autotuner.phase = "dropped", "slower", "settled"
    assert graph.settled(net)
    assert "plan O1, dropped (slower)" in str(graph.explain(net))


def test_settled_with_a_plan_that_was_asked_for():
    tripled = ms.jit(lambda x: x * 3, jit_level="O0")
    states = []
    for _ in range(3):
        tripled(Tensor([1.0]))
        states.append(graph.settled(tripled))
    assert states == [False, True, True]
    assert graph.explain(tripled).compiled[0].level == "O0"


def test_code_is_python(graph_mode):
    net = Mlp()
    times(4, net, Tensor(X))
    code = graph.code(net)
    assert "# Mlp, specialization 1, entry" in code
    assert "# Mlp, specialization 1, subgraph 1, O0" in code
    assert "linear" in code
    assert {n.name for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef)} == {
        "entry",
        "subgraph",
    }


SCALE = 2.0


@pytest.mark.parametrize("everything", [False, True])
def test_clear(monkeypatch, everything):
    @ms.jit  # made here: the collector no longer lists what this file's import made
    def scaled_by_a_global(x):
        return x * SCALE

    x = Tensor([1.0])
    graph.clear(scaled_by_a_global)
    times(3, scaled_by_a_global, x)
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert scaled_by_a_global(x).asnumpy() == 5.0
    graph.clear(None if everything else scaled_by_a_global)
    assert not graph.explain(scaled_by_a_global).called
    assert "nothing is recorded" in str(graph.explain(scaled_by_a_global))
    assert times(3, scaled_by_a_global, x).asnumpy() == 5.0


def test_clear_frees_what_recordings_hold(graph_mode):
    net = Mlp()
    times(3, net, Tensor(X))
    old = weakref.ref(net.first.weight._value)
    graph.clear(net)
    net.first.weight = Parameter(Tensor(np.ones((8, 4), np.float32)), name="first.weight")
    gc.collect()
    assert old() is None
    times(3, net, Tensor(X))
    assert graph.explain(net).specializations[0].recordings == 2


# ------------------------------------------------------------------------------------ pictures


class Page(HTMLParser):
    """Checks that elements close in order; collects boxes, edges and scripts."""

    EMPTY = ("meta", "input", "br")

    def __init__(self, text):
        super().__init__()
        self.open, self.boxes, self.edges, self.scripts, self.words = [], [], [], [], []
        self.links = []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        entries = dict(attrs)
        self.links += [v for k, v in attrs if k in ("src", "href")]
        if tag == "g" and entries.get("class", "").startswith("box"):
            self.boxes.append(entries)
        if tag == "path" and "data-a" in entries:
            self.edges.append((int(entries["data-a"]), int(entries["data-b"])))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open, f"{tag} closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts.append(data)
        elif data.strip():
            self.words.append(data)


def checked_dot(text):
    """The nodes and edges of a dot file: braces close, edges join declared nodes."""
    quoted = r'"(?:[^"\\]|\\.)*"'
    bare = re.sub(quoted, '""', text)
    assert '"' not in bare.replace('""', "")
    assert bare.count("{") == bare.count("}")
    assert text.startswith("digraph ")
    nodes = set(re.findall(r"^\s+(s\d+_\w+) \[", text, re.MULTILINE))
    edges = re.findall(r"^\s+(s\d+_\w+) -> (s\d+_\w+)", text, re.MULTILINE)
    assert edges
    assert {n for e in edges for n in e} <= nodes
    return nodes, edges


class Branching(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 3)

    def construct(self, x):
        h = self.dense(x)  # the product
        if h.sum() > 0:  # the question
            return ops.tanh(h)
        return ops.relu(h) * 2


def branching_net():
    net = Branching()
    net.dense.weight.set_data(Tensor(np.ones((3, 4), np.float32)))
    for _ in range(3):
        net(Tensor(np.ones((2, 4), np.float32)))
        net(Tensor(-np.ones((2, 4), np.float32)))
    (specialization,) = net.__dict__["_compiled"].specializations.values()
    return net, specialization


def drawn(specialization):
    nodes = [specialization.root, *specialization.root.children.values()]
    return diagram.save(specialization.function.name, 0, nodes, specialization)


@pytest.mark.parametrize(
    ("level", "endings"),
    [
        (0, set()),
        (1, {".txt"}),
        (2, {".txt", ".dot"}),
        (3, {".txt", ".dot", ".html"}),
        (True, {".txt", ".dot", ".html"}),
        (False, set()),
    ],
)
def test_levels(graph_mode, tmp_path, level, endings):
    _, specialization = branching_net()
    ms.set_context(save_graphs=level, save_graphs_path=str(tmp_path / "new" / "folder"))
    paths = [Path(p) for p in drawn(specialization)]
    assert {p.suffix for p in paths} == endings
    assert all(p.stat().st_size > 100 for p in paths)


def test_pictures_of_a_branching_cell(graph_mode, tmp_path):
    net, specialization = branching_net()
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    text, dot, page = [Path(p).read_text(encoding="utf-8") for p in drawn(specialization)]
    product, question = line_of("the product"), line_of("the question")

    assert "Branching, specialization 0: 3 subgraphs" in text
    assert "input   v0: float32[2, 4] x" in text
    assert re.search(r"held    v\d+: float32\[3, 4\] dense.weight", text)
    assert re.search(rf"= addmm\(.*\) +float32\[2, 3\] +\S*test_report.py:{product}\n", text)
    assert re.search(rf"cut: Python reads v\d+: bool\[\] at \S*test_report.py:{question}\n", text)
    assert "True -> subgraph 2" in text
    assert "False -> subgraph 3" in text

    nodes, edges = checked_dot(dot)
    assert len([n for n in nodes if n.startswith("s1_")]) >= 6
    assert (
        "s1_end",
        "s2_v" + re.search(r"input   v(\d+)", text.split("subgraph 2:")[1])[1],
    ) in edges
    assert f"test_report.py:{product}" in dot
    assert '[label="True"' in dot

    result = Page(page)
    tips = json.loads(result.scripts[0])
    assert [int(b["data-i"]) for b in result.boxes] == list(range(len(tips)))
    assert result.edges
    assert all(a < len(tips) and b < len(tips) for a, b in result.edges)
    assert any(f"test_report.py:{product}" in line for tip in tips for line in tip)
    assert {"True", "False", "addmm", "tanh", "relu", "dense.bias"} <= set(result.words)
    assert not result.links, "the page asks for something from elsewhere"
    assert net is not None


def test_the_engine_saves_by_itself(graph_mode, tmp_path):
    ms.set_context(save_graphs=1, save_graphs_path=str(tmp_path))
    net = Mlp()
    times(3, net, Tensor(X))
    (path,) = tmp_path.iterdir()
    assert path.name == "Mlp_0.txt"
    assert "relu" in path.read_text(encoding="utf-8")


def test_files_of_two_owners(graph_mode, tmp_path):
    ms.set_context(save_graphs=1, save_graphs_path=str(tmp_path))
    (_, one), (_, two) = branching_net(), branching_net()
    first, second = drawn(one), drawn(two)
    assert first != second
    assert drawn(one) == first
    assert drawn(two) == second


def test_a_folder_that_cannot_be_made(graph_mode, tmp_path):
    _, specialization = branching_net()
    (tmp_path / "file").write_text("in the way")
    ms.set_context(save_graphs=1, save_graphs_path=str(tmp_path / "file"))
    with pytest.warns(UserWarning, match="save_graphs_path"):
        assert drawn(specialization) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drawn(specialization) == []  # said once


def chain(blocks, marks=()):
    """A subgraph of blocks: a product, a sum with the input of the block, a relu."""
    meta = Meta(torch.empty(4, 4))
    ops_, metas, at = [], {0: meta, 1: meta}, 2
    x = 0
    for _ in range(blocks):
        calls = (
            (aten.mm.default, (Ref(x), Ref(1))),
            (aten.add.Tensor, (Ref(at), Ref(x))),
            (aten.relu.default, (Ref(at + 1),)),
        )
        for func, args in calls:
            ops_.append(Op(func, args, {}, (at,), (meta,), ("model.py", 7), len(ops_)))
            metas[at] = meta
            x, at = at, at + 1
    weight = {1: torch.empty(4, 4)}
    return Subgraph(ops_, [0, 1], [x], metas, False, weight, marks)


def test_boxes_do_not_overlap_and_edges_point_down(graph_mode):
    _, specialization = branching_net()
    nodes = [specialization.root, *specialization.root.children.values()]
    for shown in (
        diagram.Graph("a", 0, nodes, specialization),
        diagram.Graph("b", 0, [chain(40)]),
        diagram.Graph("c", 0, [chain(40, marks=(60, 100))]),
    ):
        for panel in svg._layout(shown)[0]:
            for group in panel.groups:
                places = [(b.x - b.width / 2, b.y, b.width, b.height) for b in group.boxes]
                for i, (x, y, w, h) in enumerate(places):
                    assert x > -0.01
                    for u, v, s, t in places[:i]:
                        apart = x + w <= u or u + s <= x or y + h <= v or v + t <= y
                        assert apart, "two boxes overlap"
                for a, b in group.edges:
                    one, two = group.boxes[a], group.boxes[b]
                    assert one.y + one.height < two.y


def test_passes_are_marked():
    shown = diagram.Graph("step", 0, [chain(6, marks=(9, 15))])
    assert [g[0] for g in shown.parts[0].groups] == ["forward", "backward", "optimizer"]
    text = diagram.as_text(shown)
    order = [text.index(f"-- {name} --") for name in ("forward", "backward", "optimizer")]
    assert order == sorted(order)
    checked_dot(diagram.as_dot(shown))
    assert {"forward", "backward", "optimizer"} <= set(Page(svg.as_html(shown)).words)


def test_two_steps_in_one_call_are_drawn_whole():
    (part,) = diagram.Graph("gan", 0, [chain(6, marks=(3, 6, 9, 12, 15))]).parts
    names = [name for name, _, _ in part.groups]
    assert names == ["forward", "backward", "optimizer"] * 2
    assert [(a, b) for _, a, b in part.groups] == [(i, i + 3) for i in range(0, 18, 3)]


def test_repeats():
    assert list(svg.repeats("abcabcabcd")) == [(0, 3, 3)]
    assert list(svg.repeats("xababab" + "y")) == [(1, 2, 3)]
    assert list(svg.repeats("abcdefg")) == []
    assert list(svg.repeats("aaaa")) == [(0, 1, 4)]


def test_two_thousand_operations_are_quick():
    shown = diagram.Graph("deep", 0, [chain(670, marks=(1002,))])
    began = time.process_time()
    text, dot, page = diagram.as_text(shown), diagram.as_dot(shown), svg.as_html(shown)
    spent = time.process_time() - began
    assert text.count("= mm(") == 670
    assert len(checked_dot(dot)[0]) > 2000
    result = Page(page)
    assert len(result.boxes) < 60
    assert "333 x again" in result.words
    assert spent < 2


def test_operations_of_all_kinds_are_quick():
    """Nothing repeats: the drawing is limited."""
    subgraph = chain(670)
    for i, op in enumerate(subgraph.ops):
        op.kwargs["number"] = i
    shown = diagram.Graph("odd", 0, [subgraph])
    began = time.process_time()
    page = Page(svg.as_html(shown))
    assert time.process_time() - began < 2
    assert len(page.boxes) < 800
    assert any(re.fullmatch(r"\d+ more operations", w) for w in page.words)


def test_text_in_pictures_is_escaped():
    subgraph = chain(2)
    subgraph.ops[0].kwargs["mode"] = '</script><b>"\\'
    subgraph.ops[0].site = ("a<b>.py", 1)
    shown = diagram.Graph('<Net> & "co"', 0, [subgraph])
    page = Page(svg.as_html(shown))
    assert any('</script><b>"' in line for tip in json.loads(page.scripts[0]) for line in tip)
    checked_dot(diagram.as_dot(shown))


def test_file_names_are_plain():
    assert diagram._file_name("f.<locals>.<lambda>") == "f._locals_._lambda"
    assert diagram._file_name("the gradient of net") == "the_gradient_of_net"
    assert os.sep not in diagram._file_name("a/b")


# ------------------------------------------------------------------------------- what is guarded

FACTOR = 2.0
TABLE = {"a": 1.0}


def scaled(x):
    return x * TABLE["a"] * FACTOR


class Guarded(nn.Cell):
    limit = 3

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 4)
        self.scales = [1.0, 2.0]
        self.array = np.ones(3, np.float32)
        self.log = []

    def construct(self, x, write=False):
        if write:
            self.log.append(1)  # appends
        y = self.first(x) * self.scales[0] * float(self.array.sum()) * self.limit
        return scaled(y)


def test_guards_name_what_the_code_reads(graph_mode):
    net = Guarded()
    times(4, net, ops.ones((2, 4), ms.float32))
    (specialization,) = graph.explain(net).specializations
    for guard in (
        "these attributes are as recorded: Guarded.scales, Guarded.array, Guarded.log",
        "these attributes of classes are as recorded: Guarded.construct, Guarded.limit",
        "these globals are as recorded: TABLE, FACTOR",
        "these containers hold the same: Guarded.scales, Guarded.log, TABLE",
        "these arrays are equal byte for byte: Guarded.array",
        "code and defaults of these functions are as recorded: scaled",
    ):
        kind, _, names = guard.partition(": ")
        (said,) = [g for g in specialization.guards if g.startswith(kind)]
        assert set(names.split(", ")) <= set(said.removeprefix(f"{kind}: ").split(", "))


def test_guards_of_enclosed_variables_and_tensors():
    weight, held = 3.0, Tensor([1.0])

    @ms.jit
    def f(x):
        return x * weight + held

    times(3, f, Tensor([1.0]))
    (specialization,) = graph.explain(f).specializations
    assert "these variables of enclosing functions are as recorded: held, weight" in (
        specialization.guards
    )
    assert "these tensors are the same objects: held" in specialization.guards


def test_a_change_from_inside_is_named_with_its_line(graph_mode):
    net = Guarded()
    x = ops.ones((2, 4), ms.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        times(4, net, x, True)
    (fallback,) = graph.explain(net).fallbacks
    assert "Guarded.log" in fallback.reason
    assert fallback.where == (str(HERE), line_of("appends"))
    assert f":{line_of('appends')})" in str(graph.explain(net))


def test_the_text_is_bounded_and_counts_the_rest():
    @ms.jit
    def f(x, n):
        return x * n

    for n in range(20):
        times(3, f, Tensor([1.0]), n)
    text = str(graph.explain(f))
    assert text.count("  specialization ") <= 8
    assert "the first 8 specializations follow; the others: " in text


def test_reasons_of_python_calls_come_with_advice():
    @ms.jit
    def f(x):
        return x * 2

    x = Tensor([1.0])
    x.mark = 1
    times(3, f, x)
    text = str(graph.explain(f))
    assert "3 of them: a tensor among the arguments has attributes" in text
    assert "advice: pass what the attributes hold as further arguments" in text
