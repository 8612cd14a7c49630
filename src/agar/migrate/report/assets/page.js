"use strict";
// All text comes from programs of strangers: it is set as text, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

// ---------------------------------------------------------------- small things

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes);
  node.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return node;
}
function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes);
  node.append(...children);
  return node;
}
function fill(node, attributes) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
}
// JSON has no infinity: such numbers are strings
function num(value) {
  if (typeof value !== "string") return value === undefined ? null : value;
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;
}
function short(value) {
  const v = num(value);
  if (v === null) return "–";
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf";
  return v.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2").replace("e+00", "");
}
function plain(value) {
  const v = num(value);
  if (v === null) return "–";
  if (!Number.isFinite(v)) return short(v);
  return v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5) ? v.toExponential(3) : String(+v.toPrecision(5));
}
const shape = (values) => "(" + values.join(", ") + (values.length === 1 ? ",)" : ")");
const statusClass = (status) => "s-" + status.split(" ").pop();
const badge = (status, sign) => el("span", { class: "badge " + statusClass(status), title: status }, sign && status === "equal" ? "✓" : status);

// errors from 1e-9 to 1 on a logarithmic scale
const LOWEST = -9;
function place(error) {
  const v = num(error);
  if (v === null || v === 0) return 0;
  if (!Number.isFinite(v)) return 1;
  return Math.min(1, Math.max(0.02, (Math.log10(v) - LOWEST) / -LOWEST));
}
const heat = (t) => `oklch(var(--heat) .15 ${Math.round(158 - 133 * t)})`;
function bar(error, tolerance) {
  const t = place(error);
  const out = el("span", { class: "bar", title: "error on a logarithmic scale from 1e-9 to 1; the line is the tolerance" });
  if (num(error) === null) return out;
  const inside = el("i");
  inside.style.width = t * 100 + "%";
  inside.style.background = heat(t);
  out.append(inside);
  if (tolerance !== undefined && tolerance !== null) {
    const mark = el("b");
    mark.style.left = place(tolerance) * 100 + "%";
    out.append(mark);
  }
  return out;
}
function copyBox(text) {
  const button = el("button", { type: "button", class: "copier" }, "copy");
  button.addEventListener("click", async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // pages opened from a disk may not have the clipboard: the old way
      const area = el("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    button.textContent = done ? "copied" : "not allowed";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  return el("div", { class: "copy" }, el("pre", { class: "fix" }, text), button);
}
function list(section, lines) {
  if (!lines.length) return;
  section.append(el("ul", {}, ...lines.map((line) => el("li", {}, line))));
  section.hidden = false;
}

// ------------------------------------------------------------------ the tree

const cells = data.cells;
const rows = data.rows; // depth first; each knows its parent, so that a loop is enough
const byPath = new Map();
let selected = null;
let wanted = null; // the status that is shown, or null

function worstOf(cell) {
  let found = null;
  for (const c of cell.comparisons) {
    if (!found || (found.equal && !c.equal) || (found.equal === c.equal && order(c) > order(found))) found = c;
  }
  return found;
}
// what is opened first: the first that is not equal, or one whose tensors can be looked at
function telling(cell) {
  const found = worstOf(cell);
  return found.equal ? cell.comparisons.find((c) => c.original || c.migrated) || found : cell.comparisons.find((c) => !c.equal);
}
function order(comparison) {
  const v = num(comparison.error);
  return v === null ? -1 : Number.isNaN(v) ? Infinity : v;
}
function buildRows() {
  const top = cells.find((c) => !c.path);
  // the whole network shows what was compared end to end
  if (top && !top.comparisons.length && data.report.network.length) {
    top.comparisons = data.report.network;
    top.error = top.comparisons.reduce((a, b) => (order(b) > order(a) ? b : a)).error;
  }
  rows.forEach((row, index) => {
    row.index = index;
    row.children = [];
    row.cellData = row.cell === null ? null : cells[row.cell];
    row.status = row.cellData ? row.cellData.status : "";
    if (row.parent !== null) rows[row.parent].children.push(row);
    byPath.set(row.path, row);
  });
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i];
    const c = row.cellData;
    row.worst = c ? worstOf(c) : null;
    row.error = c ? num(c.error) : Math.max(-1, ...row.children.map((r) => (r.error === null ? -1 : r.error)));
    if (row.error === -1) row.error = null;
    const fine = !c || c.status === "equal" || c.status === "not run" || (c.status === "foreign" && !c.leaf);
    row.calm = fine && row.children.every((r) => r.calm);
    row.text = (row.path + " " + (c ? c.cell_type + " " + (c.module_type || "") + " " + (c.module_path || "") : "")).toLowerCase();
  }
  const many = rows.length > 80;
  const fragment = document.createDocumentFragment();
  for (const row of rows) {
    row.open = row.children.length > 0 && !(many && row.calm && row.depth > 0);
    row.node = makeRow(row);
    fragment.append(row.node);
  }
  $("tree").append(fragment);
}
function makeRow(row) {
  const c = row.cellData;
  const twist = el("span", { class: "twist" }, row.children.length ? "›" : "");
  const kinds = !c ? "" : c.module_type && c.module_type !== c.cell_type ? c.cell_type + " ← " + c.module_type : c.cell_type;
  row.label = el("span", { class: "name" }, row.name);
  const label = el("span", { class: "label", title: (row.path || row.name) + (kinds ? "  " + kinds : "") }, twist, row.label, kinds ? el("span", { class: "kind" }, kinds) : null);
  const node = el(
    "div",
    { class: "row", role: "treeitem", id: "row-" + row.index, "aria-level": row.depth + 1, "aria-selected": "false", "data-path": row.path },
    label,
    row.status ? badge(row.status, true) : el("span"),
    bar(row.error, row.worst ? row.worst.tolerance : null),
    el("span", { class: "err" }, short(row.error)),
  );
  node.style.setProperty("--depth", row.depth);
  if (row.children.length) node.setAttribute("aria-expanded", row.open);
  twist.addEventListener("click", (event) => {
    if (!row.children.length || flat()) return;
    event.stopPropagation();
    fold(row, !row.open);
  });
  node.addEventListener("click", () => {
    select(row, true);
    if (matchMedia("(max-width: 900px)").matches) $("details").scrollIntoView({ behavior: "smooth" });
  });
  return node;
}
const flat = () => $("order").value === "worst";
function fold(row, open) {
  row.open = open;
  row.node.setAttribute("aria-expanded", open);
  refresh();
}
function refresh() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const filtered = words.length > 0 || wanted !== null;
  const fits = (row) => (wanted === null || row.status === wanted) && words.every((w) => row.text.includes(w));
  let count = 0;
  if (flat()) {
    for (const row of rows) {
      row.shown = row.cellData !== null && fits(row);
      row.around = false;
    }
  } else {
    for (const row of rows) {
      row.fits = fits(row);
      row.above = false;
    }
    if (filtered) {
      for (let i = rows.length - 1; i > 0; i--) {
        const row = rows[i];
        if ((row.fits || row.above) && row.parent !== null) rows[row.parent].above = true;
      }
    }
    for (const row of rows) {
      const up = row.parent === null ? null : rows[row.parent];
      // what a search finds is shown wherever it lies; otherwise folds count
      row.shown = filtered ? row.fits || row.above : up === null || (up.shown && up.open);
      row.around = filtered && !row.fits;
    }
  }
  for (const row of rows) {
    row.node.hidden = !row.shown;
    row.node.classList.toggle("around", row.around);
    if (row.shown && !row.around) count++;
  }
  $("none").hidden = count > 0;
}
function arrange() {
  const worst = flat();
  const sorted = worst ? [...rows].sort((a, b) => rank(b) - rank(a) || a.index - b.index) : rows;
  const fragment = document.createDocumentFragment();
  for (const row of sorted) {
    row.label.textContent = worst ? row.path || row.name : row.name;
    row.node.style.setProperty("--depth", worst ? 0 : row.depth);
    fragment.append(row.node);
  }
  $("tree").append(fragment);
  refresh();
}
function rank(row) {
  const bad = row.status === "failed" ? 3 : row.status === "different" ? 2 : 0;
  const e = row.error === null ? -1 : Number.isFinite(row.error) ? Math.min(row.error, 1e30) : 1e30;
  // what is wrong by itself stands above what inherited more of it
  return bad * 1e40 + e;
}
function buildFilters() {
  const counts = new Map();
  for (const cell of cells) counts.set(cell.status, (counts.get(cell.status) || 0) + 1);
  const buttons = [];
  for (const [status, count] of counts) {
    const button = el("button", { type: "button", class: statusClass(status), "aria-pressed": "false", "data-status": status }, status + " " + count);
    button.addEventListener("click", () => {
      wanted = wanted === status ? null : status;
      for (const other of buttons) other.setAttribute("aria-pressed", other === button && wanted !== null);
      refresh();
    });
    buttons.push(button);
  }
  $("filters").append(...buttons);
}
function buildLegend() {
  const ramp = el("span", { class: "ramp" });
  ramp.style.background = "linear-gradient(to right, " + [0, 0.25, 0.5, 0.75, 1].map(heat).join(", ") + ")";
  $("legend").append("error 1e-9", ramp, "1");
}

// ---------------------------------------------------------------- the details

function select(row, moveHash) {
  if (selected) selected.node.setAttribute("aria-selected", "false");
  selected = row;
  row.node.setAttribute("aria-selected", "true");
  $("tree").setAttribute("aria-activedescendant", row.node.id);
  for (let up = row.parent; up !== null; up = rows[up].parent) {
    if (!rows[up].open) fold(rows[up], true);
  }
  if (row.node.hidden) {
    $("search").value = "";
    wanted = null;
    for (const button of $("filters").children) button.setAttribute("aria-pressed", "false");
    refresh();
  }
  // the tree scrolls, the page stays where the reader left it
  const tree = $("tree");
  const above = row.node.offsetTop;
  if (above < tree.scrollTop) tree.scrollTop = above - 40;
  else if (above + row.node.offsetHeight > tree.scrollTop + tree.clientHeight) tree.scrollTop = above - tree.clientHeight / 2;
  showDetails(row);
  if (moveHash) history.replaceState(null, "", "#cell=" + encodeURIComponent(row.path));
}
function showDetails(row) {
  const box = $("details");
  box.replaceChildren();
  const c = row.cellData;
  const back = el("button", { type: "button", id: "back" }, "↑ cells");
  back.addEventListener("click", () => $("browser").scrollIntoView({ behavior: "smooth" }));
  box.append(back, el("h2", {}, row.path || row.name, c ? badge(c.status) : null));
  if (!c) {
    box.append(el("p", { class: "dim" }, "A part of the tree; its cells are below it."));
    return;
  }
  const facts = [c.module_type ? c.cell_type + " for " + c.module_type : c.cell_type + " without an original"];
  if (c.module_path !== null && c.module_path !== c.path) facts.push("original at " + (c.module_path || "the top"));
  if (c.order !== null) facts.push("number " + (c.order + 1) + " to run");
  if (c.calls > 1) facts.push("called " + c.calls + " times");
  facts.push(c.native ? "computed by agar" : "computed by PyTorch");
  box.append(el("p", { class: "dim" }, facts.join(" · ")));
  const first = data.report.first_divergence;
  const here = first && first.path === c.path;
  if (c.reason && !(here && first.cause.includes(c.reason))) box.append(el("p", { class: "reason" }, c.reason));
  if (here) box.append(...suggestion(first));
  if (c.comparisons.length) box.append(el("h3", {}, "Compared"), comparisons(c.comparisons, telling(c)));
  const rule = data.rules[c.rule];
  if (rule) box.append(el("h3", {}, "Rule"), ruleBox(rule));
  const left = data.sources[c.module_source];
  const right = data.sources[c.cell_source];
  if (left || right) {
    box.append(el("h3", {}, "Sources"), el("div", { class: "pair" }, source("original", "one", left), source("migrated", "two", right)));
  }
}
function suggestion(found) {
  const out = [el("p", { class: "reason" }, found.cause)];
  if (found.line) {
    out.push(el("p", {}, found.repaired ? el("strong", { class: "ok" }, "Tried: with this line the cell is equal.") : el("strong", { class: "no" }, "This line was not tried, or does not repair everything.")));
    out.push(copyBox(found.line));
  }
  return out;
}
function comparisons(items, first) {
  const below = el("div");
  const body = el("tbody");
  for (const c of items) {
    const line = el(
      "tr",
      { class: "pick", tabindex: "0", "aria-selected": "false" },
      el("td", { class: "what" }, c.what),
      el("td", {}, c.stage),
      el("td", { class: "n" }, short(c.error)),
      el("td", { class: "gauge" }, bar(c.error, c.tolerance)),
      el("td", { class: "n dim limit" }, short(c.tolerance)),
      el("td", { class: "said " + (c.equal ? "ok" : "no") }, (c.equal ? "✓ " : "✗ ") + (c.reason || "")),
    );
    const choose = () => {
      for (const other of body.children) other.setAttribute("aria-selected", String(other === line));
      below.replaceChildren(statistics(c));
    };
    line.addEventListener("click", choose);
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter") choose();
    });
    body.append(line);
    if (c === first) choose();
  }
  const head = el("thead", {}, el("tr", {}, ...[["what"], ["stage"], ["error", "n"], ["", "gauge"], ["tolerance", "n limit"], [""]].map(([t, k]) => el("th", { class: k }, t))));
  return el("div", {}, el("div", { class: "scroll" }, el("table", {}, head, body)), below);
}
function statistics(c) {
  const a = c.original;
  const b = c.migrated;
  if (!a && !b) return el("p", { class: "dim" }, "No tensor was kept.");
  const facts = [
    ["shape", (s) => shape(s.shape)], ["dtype", (s) => s.dtype], ["lowest", (s) => plain(s.low)],
    ["highest", (s) => plain(s.high)], ["mean", (s) => plain(s.mean)], ["deviation", (s) => plain(s.deviation)],
    ["NaN", (s) => String(s.nans)], ["infinite", (s) => String(s.infinities)],
  ];
  const lines = facts
    .filter(([name]) => !(name === "NaN" && !(a?.nans || b?.nans)) && !(name === "infinite" && !(a?.infinities || b?.infinities)))
    .map(([name, get]) => {
      const left = a ? get(a) : "–";
      const right = b ? get(b) : "–";
      return el("tr", {}, el("th", {}, name), el("td", { class: "n" }, left), el("td", { class: "n" + (left !== right ? " two" : "") }, right));
    });
  const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, c.what), el("th", { class: "n one" }, "original"), el("th", { class: "n two" }, "migrated"))), el("tbody", {}, ...lines));
  const where = c.worst && c.worst.length ? el("p", { class: "dim" }, "largest difference at " + shape(c.worst)) : null;
  return el("div", { class: "stats" }, el("div", { class: "scroll" }, table, where), histogram(a, b));
}
function histogram(a, b) {
  const W = 340;
  const H = 130;
  const sides = [a, b].filter((s) => s && s.counts.length && num(s.low) !== null);
  if (!sides.length) return el("p", { class: "dim" }, "No values to show.");
  let low = Math.min(...sides.map((s) => num(s.low)));
  let high = Math.max(...sides.map((s) => num(s.high)));
  if (high <= low) {
    const room = Math.abs(low) * 0.05 || 1;
    low -= room;
    high += room;
  }
  const x = (v) => ((v - low) / (high - low)) * W;
  const paths = [];
  let top = 0;
  for (const [index, s] of [a, b].entries()) {
    if (!sides.includes(s)) continue;
    const total = s.counts.reduce((sum, n) => sum + n, 0) || 1;
    const from = num(s.low);
    const wide = Math.max((num(s.high) - from) / s.counts.length, (high - low) / 400);
    // shares per width: the two sides need not have the same bins
    const heights = s.counts.map((n) => n / total / wide);
    top = Math.max(top, ...heights);
    paths.push({ index, from, wide, heights });
  }
  const drawing = svg("svg", { viewBox: `0 0 ${W} ${H + 16}`, role: "img", "aria-label": "Histograms of the original's and the migrated values" });
  for (const p of paths) {
    let d = `M${x(p.from).toFixed(1)} ${H}`;
    p.heights.forEach((h, i) => {
      const y = (H - (h / top) * (H - 4)).toFixed(1);
      d += `V${y}H${x(p.from + (i + 1) * p.wide).toFixed(1)}`;
    });
    drawing.append(svg("path", { class: p.index === 0 ? "h1" : "h2", d: d + `V${H}Z` }));
  }
  drawing.append(svg("line", { class: "axis", x1: 0, x2: W, y1: H, y2: H }));
  drawing.append(svg("text", { x: 0, y: H + 13 }, plain(low)), svg("text", { x: W, y: H + 13, "text-anchor": "end" }, plain(high)));
  return el("figure", {}, drawing, el("figcaption", {}, el("span", { class: "one" }, "■ original "), el("span", { class: "two" }, "□ migrated")));
}
function ruleBox(rule) {
  const box = el("div", {}, el("p", {}, el("code", {}, rule.source), " is ", rule.target ? el("code", {}, rule.target) : "without a counterpart"));
  const facts = Object.entries(rule.differs).map(([k, v]) => k + ": " + v);
  if (rule.note) facts.push(rule.note);
  for (const [k, v] of Object.entries(rule.refuse)) facts.push("not with " + k + ": " + v);
  if (rule.weights.length) facts.push("weights: " + rule.weights.join(", "));
  if (facts.length) box.append(el("ul", {}, ...facts.map((f) => el("li", {}, f))));
  const usual = rule.forms.filter((form) => !form.when);
  box.append(...usual.map((form) => el("pre", { class: "fix" }, form.code)));
  const others = rule.forms.filter((form) => form.when);
  if (others.length) {
    const more = el("details", {}, el("summary", {}, usual.length ? "other forms" : "forms"));
    for (const form of others) more.append(el("p", { class: "dim" }, "where " + form.when + ":"), el("pre", { class: "fix" }, form.code));
    box.append(more);
  }
  return box;
}
function source(title, side, found) {
  if (!found) return el("div", {}, el("p", { class: "file" }, el("strong", { class: side }, title), " no source"));
  const file = el("p", { class: "file" }, el("strong", { class: side }, title), ` ${found.file}:${found.line}`);
  return el("div", {}, file, el("pre", {}, found.text));
}

// ------------------------------------------------------- summary and the network

function buildSummary() {
  const report = data.report;
  list($("problems"), report.problems);
  list($("notes"), report.notes);
  const first = report.first_divergence;
  if (first) {
    const link = el("a", { href: "#cell=" + encodeURIComponent(first.path) }, first.path || report.name);
    const box = $("divergence");
    box.append(el("h2", {}, "First divergence: ", link, ", " + first.what + " (" + first.stage + ")"));
    box.append(...suggestion(first));
    const rule = data.rules[data.first_rule];
    if (rule) box.append(el("details", {}, el("summary", {}, "the rule"), ruleBox(rule)));
    box.hidden = false;
  }
  if (report.network.length) {
    const sorted = [...report.network].sort((a, b) => a.equal - b.equal || order(b) - order(a));
    const box = $("network");
    const few = sorted.length > 12 ? sorted.slice(0, Math.max(8, sorted.filter((c) => !c.equal).length)) : sorted;
    const inside = el("div", {}, comparisons(few, few[0]));
    box.append(el("h2", {}, "The whole network, end to end"), inside);
    if (few.length < sorted.length) {
      const more = el("button", { type: "button" }, `show all ${sorted.length} comparisons`);
      more.addEventListener("click", () => {
        inside.replaceChildren(comparisons(sorted, sorted[0]));
        more.remove();
      });
      box.append(more);
    }
    box.hidden = false;
  }
  if (report.curve) buildCurve(report.curve);
  const settings = Object.entries(report.settings);
  if (settings.length) {
    const words = (v) => (typeof v === "object" && v !== null ? JSON.stringify(v) : String(v));
    $("settings").append(el("dl", { class: "settings" }, ...settings.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, words(v))])));
    $("settings").hidden = false;
  }
}
function buildCurve(curve) {
  const box = $("curve");
  box.hidden = false;
  box.append(el("h2", {}, `Training, ${curve.original.length} steps`));
  box.append(el("p", { class: curve.inside ? "ok" : "no" }, curve.inside ? "The migrated curve stays within the noise of rounding." : "The migrated curve leaves the band of rounding noise."));
  const W = 900;
  const H = 220;
  const L = 56;
  const series = [curve.original, curve.migrated, curve.low, curve.high].map((s) => s.map(num));
  const values = series.flat().filter(Number.isFinite);
  if (!values.length) return;
  let low = values.reduce((a, b) => Math.min(a, b));
  let high = values.reduce((a, b) => Math.max(a, b));
  if (high <= low) high = low + (Math.abs(low) * 0.05 || 1);
  const n = Math.max(...series.map((s) => s.length));
  const x = (i) => L + (n > 1 ? i / (n - 1) : 0.5) * (W - L - 8);
  const y = (v) => 6 + (1 - (v - low) / (high - low)) * (H - 28);
  const line = (s) => {
    let d = "";
    let pen = false;
    s.forEach((v, i) => {
      if (!Number.isFinite(v)) { pen = false; return; }
      d += (pen ? "L" : "M") + x(i).toFixed(1) + " " + y(v).toFixed(1);
      pen = true;
    });
    return d;
  };
  const drawing = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "Losses of both trainings" });
  for (const v of [low, (low + high) / 2, high]) {
    drawing.append(svg("line", { class: "axis", x1: L, x2: W - 8, y1: y(v), y2: y(v) }), svg("text", { x: L - 6, y: y(v) + 4, "text-anchor": "end" }, plain(+v.toPrecision(3))));
  }
  drawing.append(svg("text", { x: L, y: H - 4 }, "step 1"), svg("text", { x: W - 8, y: H - 4, "text-anchor": "end" }, "step " + n));
  const [one, two, down, up] = series;
  const inBand = down.map((v, i) => [v, up[i], i]).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  if (inBand.length) {
    const points = [...inBand.map(([, b, i]) => [i, b]), ...inBand.reverse().map(([a, , i]) => [i, a])];
    drawing.append(svg("polygon", { class: "band", points: points.map(([i, v]) => x(i).toFixed(1) + "," + y(v).toFixed(1)).join(" ") }));
  }
  drawing.append(svg("path", { class: "l1", d: line(one) }), svg("path", { class: "l2", d: line(two) }));
  const at = svg("line", { class: "at", y1: 6, y2: H - 22, x1: -9, x2: -9 });
  drawing.append(at);
  const said = el("span", { class: "mono" });
  drawing.addEventListener("pointermove", (event) => {
    const frame = drawing.getBoundingClientRect();
    const i = Math.round((((event.clientX - frame.left) / frame.width) * W - L) / (W - L - 8) * (n - 1));
    if (i < 0 || i >= n) return;
    fill(at, { x1: x(i), x2: x(i) });
    said.textContent = ` step ${i + 1}: ${plain(one[i])} and ${plain(two[i])}, band ${plain(down[i])} to ${plain(up[i])}`;
  });
  box.append(el("figure", {}, drawing, el("figcaption", {}, el("span", { class: "one" }, "— original and its band "), el("span", { class: "two" }, "– – migrated"), said)));
}

// ------------------------------------------------------------------- keyboard

function move(by) {
  const shown = [...$("tree").children].filter((n) => !n.hidden).map((n) => rows[+n.id.slice(4)]);
  const at = selected ? shown.indexOf(selected) : -1;
  const next = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
  if (next) select(next, true);
}
function nextWrong() {
  const start = selected ? selected.index : -1;
  for (let i = 1; i <= rows.length; i++) {
    const row = rows[(start + i + rows.length) % rows.length];
    if (row.cellData && !["equal", "not run", "foreign"].includes(row.status)) return select(row, true);
  }
}
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && event.target === $("search")) {
    $("search").value = "";
    refresh();
    $("tree").focus();
    return;
  }
  if (event.target === $("search") && (event.key === "Enter" || event.key === "ArrowDown")) {
    event.preventDefault();
    const hit = [...$("tree").children].find((n) => !n.hidden && !n.classList.contains("around"));
    if (hit) select(rows[+hit.id.slice(4)], true);
    $("tree").focus();
    return;
  }
  if (typing) return;
  const inTable = event.target.closest("tr.pick, button, a, summary");
  const actions = {
    "/": () => $("search").focus(),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    Home: () => move(-rows.length),
    End: () => move(rows.length),
    n: nextWrong,
    ArrowRight: () => {
      if (!selected || !selected.children.length || flat()) return;
      if (!selected.open) fold(selected, true);
      else move(1);
    },
    ArrowLeft: () => {
      if (!selected || flat()) return;
      if (selected.open && selected.children.length) fold(selected, false);
      else if (selected.parent !== null) select(rows[selected.parent], true);
    },
  };
  const inTree = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key);
  // arrows scroll the page, unless the tree has the focus
  if (inTree && document.activeElement !== $("tree")) return;
  if (Object.hasOwn(actions, event.key) && !(inTable && event.key === "Enter")) {
    event.preventDefault();
    actions[event.key]();
  }
}
function fromHash() {
  if (!location.hash.startsWith("#cell=")) return false;
  let path;
  try {
    path = decodeURIComponent(location.hash.slice(6));
  } catch {
    return false;
  }
  const row = byPath.get(path);
  if (row) select(row, false);
  return Boolean(row);
}

buildRows();
buildFilters();
buildLegend();
buildSummary();
refresh();
$("search").addEventListener("input", refresh);
$("order").addEventListener("change", arrange);
$("unfold").addEventListener("click", () => {
  const open = $("unfold").textContent === "unfold";
  for (const row of rows) {
    if (!row.children.length) continue;
    row.open = open || row.depth === 0;
    row.node.setAttribute("aria-expanded", row.open);
  }
  $("unfold").textContent = open ? "fold" : "unfold";
  refresh();
});
document.addEventListener("keydown", key);
window.addEventListener("hashchange", fromHash);
if (!fromHash()) {
  const first = data.report.first_divergence;
  const start = (first && byPath.get(first.path)) || rows.find((r) => r.cellData && !r.calm && r.status !== "inherited" && r.status !== "equal") || rows[0];
  if (start) select(start, false);
}
