"""The drawing of a recorded graph: an SVG picture in a page that needs nothing but a browser.

NOTE Layout. Operations stand in layers below what they need (the longest way from the inputs
gives the layer); the order in a layer and the places follow the neighbors, by a few sweeps down
and up. Edges over many layers, such as those from the forward to the backward pass, are drawn as
faint curves that light up with the operation. Where there are too many operations to be of use,
runs of equal blocks (the layers of a network) are drawn once, with their number.
"""

from __future__ import annotations

import html
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agar._core.graph.inspect.diagram import FAMILIES, Graph, Part, Row, shortened

__all__ = ["as_html", "repeats"]

_TOO_MANY = 320  # operations above which equal blocks are drawn once
_MOST = 700  # boxes in one drawing

_CHAR, _BOLD = 6.62, 7.25  # widths of letters: 11 and 12 pixels, fixed pitch
_GAP_X, _GAP_Y = 18.0, 26.0
_SPAN = 12  # layers that an edge may cross and still be led around the boxes between


class Box:
    """One box of the drawing: an operation, an input, or a run of equal blocks."""

    __slots__ = ("height", "layer", "lines", "parts", "style", "tip", "width", "x", "y")

    def __init__(self, style: str, lines: list[str], tip: list[str]) -> None:
        self.style = style
        self.lines = lines
        self.tip = tip
        self.layer = 0
        self.x = self.y = 0.0
        self.width = max([_BOLD * len(lines[0]), *(_CHAR * len(t) for t in lines[1:])]) + 18
        self.height = 10.0 + 14.0 * len(lines)


class _Turn:
    """A bend of a long edge: takes a place in its layer."""

    __slots__ = ("height", "layer", "width", "x")

    def __init__(self, layer: int) -> None:
        self.layer = layer
        self.width, self.height, self.x = 6.0, 0.0, 0.0


def _cropped(text: str, most: int = 34) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _box_of(row: Row) -> Box:
    lines = [_cropped(row.short)]
    if row.metas:
        lines.append(_cropped(row.shapes))
    if row.params:
        lines.append(_cropped(shortened(row.params, 2)))
    tip = [_cropped(row.text, 700), _cropped(row.shapes, 300)]
    return Box(row.family, lines, [*tip, _cropped(", ".join(row.params), 700), row.place])


def repeats(tokens: Sequence[Any]) -> Iterator[tuple[int, int, int]]:
    """Runs of equal blocks, from left to right: ``(start, length of a block, number of blocks)``.

    At each place the run that covers most is taken; of equal ones that of the shortest block.
    """
    numbers: dict[Any, int] = {}
    ids = [numbers.setdefault(t, len(numbers)) for t in tokens]
    places: dict[int, list[int]] = {}
    for i, t in enumerate(ids):
        places.setdefault(t, []).append(i)
    at, count = 0, len(ids)
    passed = dict.fromkeys(places, 0)
    while at < count:
        best = (0, 0, 0)  # covered, -length, number
        same = places[ids[at]]
        while same[passed[ids[at]]] < at:
            passed[ids[at]] += 1
        for j in same[passed[ids[at]] + 1 :]:
            length = j - at
            if length > (count - at) // 2:
                break
            block = ids[at:j]
            if ids[j : j + length] != block:
                continue
            number = 2
            while ids[at + number * length : at + (number + 1) * length] == block:
                number += 1
            best = max(best, (number * length, -length, number))
        covered, length, number = best
        if covered > 3:
            yield at, -length, number
            at += covered
        else:
            at += 1


class _Group:
    """The boxes of one pass of a subgraph, and their places."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.boxes: list[Box] = []
        self.edges: set[tuple[int, int]] = set()  # between boxes of this group, by position
        self.width = self.height = 0.0
        self.bends: dict[tuple[int, int], list[_Turn]] = {}
        self.tops: list[float] = []

    def add(self, box: Box) -> tuple[_Group, int]:
        self.boxes.append(box)
        return self, len(self.boxes) - 1

    def place(self) -> None:
        """Give every box its place, from (0, 0) on."""
        if not self.boxes:
            return
        count = len(self.boxes)
        above: list[list[int]] = [[] for _ in range(count)]
        below: list[list[int]] = [[] for _ in range(count)]
        for a, b in self.edges:
            above[b].append(a)
            below[a].append(b)
        for i, box in enumerate(self.boxes):  # edges point from earlier to later boxes
            box.layer = max([self.boxes[a].layer + 1 for a in above[i]], default=0)
        for i in range(count - 1, -1, -1):  # what needs nothing stands above its first use
            if not above[i] and below[i]:
                self.boxes[i].layer = max(0, min(self.boxes[b].layer for b in below[i]) - 1)
        self._arrange(above, below)

    def _arrange(self, above: list[list[int]], below: list[list[int]]) -> None:
        items: list[Box | _Turn] = list(self.boxes)
        ups: list[list[int]] = [[] for _ in items]
        downs: list[list[int]] = [[] for _ in items]
        for a, b in sorted(self.edges):
            top, bottom = items[a].layer, items[b].layer
            if bottom - top > _SPAN:
                continue
            before = a
            trials = []
            for layer in range(top + 1, bottom):
                trial = _Turn(layer)
                items.append(trial)
                ups.append([before])
                downs.append([])
                downs[before].append(len(items) - 1)
                before = len(items) - 1
                trials.append(trial)
            ups[b].append(before)
            downs[before].append(b)
            self.bends[a, b] = trials
        layers: list[list[int]] = [[] for _ in range(max(i.layer for i in items) + 1)]
        for i, item in enumerate(items):
            layers[item.layer].append(i)
        for layer in layers:
            _pack(layer, items, {})
        for sweep in range(10):
            down = sweep % 2 == 0
            near = ups if down else downs
            for layer in layers if down else reversed(layers):
                expected = {
                    i: sum(items[n].x for n in near[i]) / len(near[i]) for i in layer if near[i]
                }
                if sweep < 6:  # later sweeps only straighten
                    layer.sort(key=lambda i, w=expected: w.get(i, items[i].x))
                _pack(layer, items, expected)
        left = min(i.x - i.width / 2 for i in items)
        for item in items:
            item.x -= left
        self.width = max(i.x + i.width / 2 for i in items)
        top = 0.0
        for layer in layers:
            high = max([items[i].height for i in layer], default=0.0)
            self.tops.append(top + high / 2)
            for i in layer:
                item = items[i]
                if isinstance(item, Box):
                    item.y = top + (high - item.height) / 2
            top += high + _GAP_Y
        self.height = top - _GAP_Y


def _pack(layer: list[int], items: Sequence[Box | _Turn], expected: dict[int, float]) -> None:
    """Places in a layer: as near to the wanted ones as the order and the widths allow.

    The least sum of squares under fixed distances is an isotonic regression; neighbors that would
    overlap are pooled.
    """
    offsets = []
    at = 0.0
    for n, i in enumerate(layer):
        if n:
            at += (items[layer[n - 1]].width + items[i].width) / 2 + _GAP_X
        offsets.append(at)
    pools: list[list[float]] = []  # sum, weight, count
    for n, i in enumerate(layer):
        weight = 1.0 if i in expected else 0.05
        goal = expected.get(i, items[i].x) - offsets[n]
        pools.append([goal * weight, weight, 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last = pools.pop()
            for k in range(3):
                pools[-1][k] += last[k]
    n = 0
    for total, weight, count in pools:
        for _ in range(int(count)):
            items[layer[n]].x = total / weight + offsets[n]
            n += 1


class _Panel:
    """The drawing of one subgraph: its passes side by side, in a frame with a heading."""

    HEAD, PAD = 40.0, 16.0

    def __init__(self, part: Part, collapse: bool, most: int) -> None:
        self.part = part
        self.groups: list[_Group] = []
        self.far: set[tuple[int, int, int, int]] = set()  # group, box to group, box
        self.x = self.y = 0.0
        self.children: list[tuple[str, _Panel]] = []
        owner: dict[int, tuple[int, int]] = {}  # which box made a variable
        for g, (title, start, stop) in enumerate(part.groups):
            group = _Group(title)
            self.groups.append(group)
            rows = part.rows[start:stop]
            for v in part.inputs:
                if v not in owner and any(v in r.needs for r in rows):
                    name = part.names.get(v, f"v{v}")
                    style = part.subgraph.metas.get(v)
                    lines = [name] if style is None else [name, repr(style)]
                    owner[v] = g, group.add(Box("input", lines, [part.meta(v)]))[1]
            for box, members in _boxes(rows, collapse, most):
                number = group.add(box)[1]
                for row in members:
                    for v in row.needs:
                        source = owner.get(v)
                        if source is None or source == (g, number):
                            continue
                        if source[0] == g:
                            group.edges.add((source[1], number))
                        else:
                            self.far.add((*source, g, number))
                    owner.update(dict.fromkeys(row.makes, (g, number)))
        if not part.cut and self.groups:
            g = len(self.groups) - 1
            for v in part.subgraph.outs[:24]:
                if v in owner:
                    source = owner[v]
                    lines = [
                        "result",
                        *([repr(part.subgraph.metas[v])] if v in part.subgraph.metas else []),
                    ]
                    group = self.groups[source[0]]
                    group.edges.add((source[1], group.add(Box("input", lines, [part.meta(v)]))[1]))
        for group in self.groups:
            group.place()
        heads = [f"{part.heading}{' ' * 5}", part.held, *self.foot]  # the heading is set larger
        inner = sum(g.width for g in self.groups) + 40.0 * (len(self.groups) - 1)
        self.inner = max(inner, 0.0)
        self.width = max(inner, *(_CHAR * len(t) for t in heads)) + 2 * self.PAD
        tall = max([g.height for g in self.groups], default=0.0)
        named = 22.0 if any(g.title for g in self.groups) else 0.0
        self.top = self.HEAD + named
        self.height = self.top + tall + 2 * self.PAD + (18.0 if part.cut else 0.0)

    @property
    def foot(self) -> list[str]:
        return [_cropped(self.part.ending(), 90)] if self.part.cut else []


def _boxes(rows: Sequence[Row], collapse: bool, most: int) -> Iterator[tuple[Box, Sequence[Row]]]:
    """The boxes of operations, in order, each with what it stands for."""
    folded = {}
    if collapse:
        for start, length, number in repeats([r.token for r in rows]):
            folded[start + length] = (length, number - 1)
    at = shown = 0
    while at < len(rows):
        if shown >= most:
            rest = rows[at:]
            counts = Counter(r.short for r in rest).most_common(12)
            tip = [f"{n} x {label}" for label, n in counts]
            yield Box("repeat", [f"{len(rest)} more operations", "see the listing"], tip), rest
            return
        run = folded.get(at)
        if run is None:
            yield _box_of(rows[at]), rows[at : at + 1]
            at += 1
        else:
            length, number = run
            block = rows[at : at + length * number]
            counts = Counter(r.short for r in block[:length]).most_common(12)
            tip = ["the same operations again, each time:"]
            tip += [f"{n} x {label}" for label, n in counts]
            tip.append(block[0].place)
            what = "the operation above" if length == 1 else f"the {length} operations above"
            lines = [f"{number} x again", what]
            yield Box("repeat", lines, tip), block
            at += length * number
        shown += 1


def _layout(graph: Graph) -> tuple[list[_Panel], float, float]:
    """Panels with their places, and the size of the whole."""
    total = sum(len(p.rows) for p in graph.parts)
    collapse = total > _TOO_MANY
    most = max(24, _MOST // max(1, sum(len(p.groups) for p in graph.parts)))
    panels = {id(p): _Panel(p, collapse, most) for p in graph.parts}
    for part in graph.parts:
        panels[id(part)].children = [(value, panels[id(c)]) for value, c in part.children]
    ordered = list(panels.values())
    widths: dict[int, float] = {}
    for panel in reversed(ordered):  # children come after their parents
        below = sum(widths[id(c)] for _, c in panel.children) + 40.0 * (len(panel.children) - 1)
        widths[id(panel)] = max(panel.width, below if panel.children else 0.0)
    x = tall = 0.0
    starts: dict[int, float] = {}
    for panel in ordered:
        if not panel.part.is_child:
            starts[id(panel)] = x
            x += widths[id(panel)] + 40.0
        start = starts[id(panel)]
        panel.x = start + (widths[id(panel)] - panel.width) / 2
        below = sum(widths[id(c)] for _, c in panel.children) + 40.0 * (len(panel.children) - 1)
        at = start + (widths[id(panel)] - below) / 2
        for _, child in panel.children:
            starts[id(child)] = at
            child.y = panel.y + panel.height + 54.0
            at += widths[id(child)] + 40.0
        tall = max(tall, panel.y + panel.height)
    return ordered, max(x - 40.0, 1.0), tall


class _Svg:
    """The elements of the drawing, edges below boxes."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.edges: list[str] = []
        self.boxes: list[str] = []
        self.tips: list[list[str]] = []
        self.metadata: set[str] = set()

    def panel(self, panel: _Panel) -> None:
        part = panel.part
        x, y = panel.x, panel.y
        self.frames.append(
            f'<rect class="frame" x="{x:.1f}" y="{y:.1f}" width="{panel.width:.1f}" '
            f'height="{panel.height:.1f}" rx="10"/>'
        )
        self.frames.append(_text("head", x + 16, y + 20, part.heading))
        if part.subgraph.captured:
            self.frames.append(_text("small", x + 16, y + 34, part.held))
        for line in panel.foot:
            self.frames.append(_text("cut", x + 16, y + panel.height - 12, line))
        left = x + (panel.width - panel.inner) / 2
        numbers: list[list[int]] = []
        origins: list[tuple[float, float]] = []
        for group in panel.groups:
            top = y + panel.top + panel.PAD / 2
            if group.title:
                self.frames.append(
                    f'<rect class="pass {group.title}" x="{left - 10:.1f}" y="{top - 24:.1f}" '
                    f'width="{group.width + 20:.1f}" height="{group.height + 36:.1f}" rx="8"/>'
                )
                self.frames.append(_text("small", left, top - 10, group.title))
            origins.append((left, top))
            numbers.append([self._box(b, left, top) for b in group.boxes])
            for a, b in sorted(group.edges):
                self._edge(group, a, b, left, top, numbers[-1])
            left += group.width + 40.0
        for g, a, h, b in sorted(panel.far):
            one, two = panel.groups[g].boxes[a], panel.groups[h].boxes[b]
            (x1, y1), (x2, y2) = origins[g], origins[h]
            self._far(
                x1 + one.x + one.width / 2,
                y1 + one.y + one.height / 2,
                x2 + two.x - two.width / 2,
                y2 + two.y + two.height / 2,
                numbers[g][a],
                numbers[h][b],
            )
        for value, child in panel.children:
            x1, y1 = x + panel.width / 2, y + panel.height
            x2, y2 = child.x + child.width / 2, child.y
            mid = (y1 + y2) / 2
            self.edges.append(
                f'<path class="branch" d="M{x1:.1f} {y1:.1f}C{x1:.1f} {mid:.1f} {x2:.1f} {mid:.1f} '
                f'{x2:.1f} {y2:.1f}"/>'
            )
            self.boxes.append(_text("value", (x1 + 2 * x2) / 3 + 6, y2 - 10, value))

    def _box(self, box: Box, left: float, top: float) -> int:
        number = len(self.tips)
        self.tips.append([t for t in box.tip if t])
        self.metadata.add(box.style)
        x, y = left + box.x - box.width / 2, top + box.y
        lines = [_text("op", box.width / 2, 16, box.lines[0])]
        lines += [_text("dim", box.width / 2, 30 + 14 * n, t) for n, t in enumerate(box.lines[1:])]
        self.boxes.append(
            f'<g class="box {box.style}" data-i="{number}" transform="translate({x:.1f} {y:.1f})">'
            f'<rect width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>{"".join(lines)}</g>'
        )
        return number

    def _edge(
        self, group: _Group, a: int, b: int, left: float, top: float, numbers: list[int]
    ) -> None:
        one, two = group.boxes[a], group.boxes[b]
        x1, y1 = left + one.x, top + one.y + one.height
        x2, y2 = left + two.x, top + two.y
        trials = group.bends.get((a, b))
        if trials is None:  # over many layers: beside the boxes
            self._far(
                x1 + one.width / 2,
                y1 - one.height / 2,
                x2 + two.width / 2,
                y2 + two.height / 2,
                numbers[a],
                numbers[b],
            )
            return
        points = [(x1, y1), *((left + t.x, top + group.tops[t.layer]) for t in trials), (x2, y2)]
        path = [f"M{x1:.1f} {y1:.1f}"]
        for (px, py), (qx, qy) in itertools.pairwise(points):
            mid = (py + qy) / 2
            path.append(f"C{px:.1f} {mid:.1f} {qx:.1f} {mid:.1f} {qx:.1f} {qy:.1f}")
        self.edges.append(
            f'<path class="edge" data-a="{numbers[a]}" data-b="{numbers[b]}" d="{"".join(path)}"/>'
        )

    def _far(self, x1: float, y1: float, x2: float, y2: float, a: int, b: int) -> None:
        bow = max(x1, x2) + 24 + min(160.0, abs(y2 - y1) / 12)
        first, second = (bow, bow) if x2 < x1 + 60 else ((x1 + x2) / 2,) * 2
        self.edges.append(
            f'<path class="far" data-a="{a}" data-b="{b}" d="M{x1:.1f} {y1:.1f}C{first:.1f} '
            f'{y1:.1f} {second:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"/>'
        )


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{html.escape(text)}</text>'


_STYLE = """
body{margin:0;font:13px system-ui,sans-serif;color:#0f172a;background:#fff}
header{position:fixed;left:0;right:0;top:0;background:#ffffffe8;padding:8px 14px;z-index:1;
border-bottom:1px solid #e2e8f0;display:flex;flex-wrap:wrap;gap:4px 14px;align-items:center}
h1{font-size:14px;margin:0}
.key{white-space:nowrap;font-size:12px;color:#334155}
.key i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:5px;
border:1px solid;vertical-align:-1px}
input{font:inherit;padding:2px 6px;border:1px solid #cbd5e1;border-radius:4px;width:17em}
svg{display:block;margin-top:44px;cursor:grab;user-select:none;-webkit-user-select:none}
text{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px;
fill:#334155}
text.op{font-size:12px;font-weight:600;fill:#0f172a;text-anchor:middle}
text.dim{text-anchor:middle;fill:#475569}
text.head{font-size:13px;font-weight:600;fill:#0f172a}
text.cut,text.value{fill:#c2410c;font-weight:600}
.frame{fill:#f8fafc;stroke:#cbd5e1}
.pass{fill:#ffffff;stroke:#cbd5e1;stroke-dasharray:4 3}
.pass.forward{stroke:#2563eb}.pass.backward{stroke:#b45309}.pass.optimizer{stroke:#b91c1c}
.box rect{stroke-width:1.2}
.input rect{stroke-dasharray:3 2}
.edge{fill:none;stroke:#94a3b8;stroke-width:1.1}
.far{fill:none;stroke:#94a3b8;stroke-width:1;opacity:.28}
.branch{fill:none;stroke:#c2410c;stroke-width:1.6}
.on{stroke:#0f172a!important;stroke-width:2!important;opacity:1!important}
.found rect{stroke:#0f172a!important;stroke-width:3}
.faded{opacity:.25}
#tip{position:fixed;display:none;pointer-events:none;z-index:2;background:#0f172a;color:#f8fafc;
padding:7px 10px;border-radius:6px;max-width:60em;white-space:pre-wrap;overflow-wrap:anywhere;
font:12px ui-monospace,Menlo,Consolas,monospace}
"""

_SCRIPT = """
const tips=JSON.parse(document.getElementById('tips').textContent);
const svg=document.querySelector('svg'),view=document.getElementById('view');
const tip=document.getElementById('tip'),find=document.getElementById('find');
const head=document.querySelector('header');
const W=+svg.dataset.w,H=+svg.dataset.h;let k=1,x=0,y=0;
const draw=()=>view.setAttribute('transform',`translate(${x} ${y}) scale(${k})`);
function fit(){const top=head.offsetHeight;svg.style.marginTop=top+'px';
 const w=innerWidth,h=innerHeight-top;svg.setAttribute('width',w);svg.setAttribute('height',h);
 svg.removeAttribute('viewBox');
 k=Math.min(1.25,Math.max(.45,Math.min((w-32)/W,(h-32)/H)));
 x=Math.max(16,(w-W*k)/2);y=16;draw()}
svg.addEventListener('wheel',e=>{e.preventDefault();const r=svg.getBoundingClientRect();
 const f=Math.exp(-e.deltaY/500),n=Math.min(6,Math.max(.02,k*f)),px=e.clientX-r.x,py=e.clientY-r.y;
 x=px-(px-x)*n/k;y=py-(py-y)*n/k;k=n;draw()},{passive:false});
let drag=null;
svg.addEventListener('pointerdown',e=>{drag=[e.clientX-x,e.clientY-y];svg.setPointerCapture(e.pointerId)});
svg.addEventListener('pointermove',e=>{if(drag){x=e.clientX-drag[0];y=e.clientY-drag[1];draw()}});
svg.addEventListener('pointerup',()=>{drag=null});
svg.addEventListener('dblclick',fit);addEventListener('resize',fit); const edges={}; for(const p of
document.querySelectorAll('[data-a]'))
 for(const n of[p.dataset.a,p.dataset.b])(edges[n]=edges[n]||[]).push(p);
for(const g of document.querySelectorAll('.box')){const i=g.dataset.i;
 g.addEventListener('pointerenter',()=>{tip.textContent=tips[i].join('\\n');tip.style.display='block';
  for(const p of edges[i]||[])p.classList.add('on')});
 g.addEventListener('pointermove',e=>{const r=tip.getBoundingClientRect();
  tip.style.left=Math.max(4,Math.min(innerWidth-r.width-8,e.clientX+14))+'px';
  tip.style.top=Math.max(4,Math.min(innerHeight-r.height-8,e.clientY+16))+'px'});
 g.addEventListener('pointerleave',()=>{tip.style.display='none';
  for(const p of edges[i]||[])p.classList.remove('on')})}
find.addEventListener('input',()=>{const q=find.value.toLowerCase();
 for(const g of document.querySelectorAll('.box')){
  const hit=q&&tips[g.dataset.i].join(' ').toLowerCase().includes(q);
  g.classList.toggle('found',!!hit);g.classList.toggle('faded',!!q&&!hit)}});
fit();
"""


def as_html(graph: Graph) -> str:
    """A page with the drawing; needs nothing but a browser."""
    panels, width, height = _layout(graph)
    svg = _Svg()
    for panel in panels:
        svg.panel(panel)
    colors = "".join(
        f".{name} rect{{fill:{fill};stroke:{frame}}}" for name, (_, fill, frame) in FAMILIES.items()
    )
    keys = "".join(
        f'<span class="key"><i style="background:{fill};border-color:{frame}"></i>'
        f"{html.escape(label)}</span>"
        for name, (label, fill, frame) in FAMILIES.items()
        if name in svg.metadata
    )
    title = html.escape(graph.title)
    # "</" would end the script element
    tips = json.dumps(svg.tips, separators=(",", ":")).replace("</", "<\\/")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><style charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}{colors}</style></head>\n<body><header><h1>{title}</h1>{keys}"
        '<input id="find" placeholder="find: operator, name, line"></header>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" data-w="{width:.0f}" data-h="{height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">'
        f'<g id="view">\n{_joined(svg.frames, svg.edges, svg.boxes)}\n</g></svg>\n'
        f'<div id="tip"></div>\n<script type="application/json" id="tips">{tips}</script>\n'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )


def _joined(*parts: Iterable[str]) -> str:
    return "\n".join(line for part in parts for line in part)
