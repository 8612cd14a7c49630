"""The tables of benchmarks/graph.py, as Markdown for RESULTS.md."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Any

import graph_networks as networks

#: A window of calls in which the engine records, compiles and tries plans: at least so many calls
#: and so many seconds of agar's own.
WINDOW_CALLS, WINDOW_SECONDS = 10, 0.5
#: Seconds of calls without a pause, after which calls stop while something is compiled: compilers
#: only get the time that calls leave them, on a machine whose cores are all in use next to none.
BUSY = 15.0


def mean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(math.log(v) for v in values))


def span(seconds: float | None) -> str:
    """Seconds as milliseconds."""
    if seconds is None:
        return "-"
    value = seconds * 1e3
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def seconds_or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def markdown(head: str, lines: list[list[str]]) -> Iterator[str]:
    """The lines of a table; the first column is text."""
    columns = head.split(" | ")
    yield f"| {head} |"
    yield "| --- " + "| ---: " * (len(columns) - 1) + "|"
    for line in lines:
        yield f"| {' | '.join(line)} |"
    yield ""


def title(record: dict[str, Any]) -> str:
    rows = networks.GPU_ROWS if record["device"] == "cuda" else networks.ROWS
    return next((r.title for r in rows if r.name == record["row"]), record["row"])


def report(records: list[dict[str, Any]]) -> str:
    """The Markdown of records, for RESULTS.md; the last record of a row counts."""
    latest: dict[Any, dict[str, Any]] = {}
    for r in records:
        latest[r["device"], r["variant"], r["training"], r["row"]] = r
    order = {r.name: i for i, r in enumerate(networks.ROWS)}
    out: list[str] = []
    groups = sorted({k[:3] for k in latest}, key=lambda k: (k[0], k[1], not k[2]))
    for device, variant, training in groups:
        found = [r for k, r in latest.items() if k[:3] == (device, variant, training)]
        found.sort(key=lambda r: order.get(r["row"], 99))
        rows = [r for r in found if "speed" in r]
        what = "train steps" if training else "inference"
        if rows:
            threads = ", ".join(sorted({str(r["threads"]) for r in rows}))
            where = rows[0].get("chip", f"{threads} threads")
            out += [f"### {what}, {variant}, torch {rows[0]['torch']}, {where}", ""]
            chips = dict.fromkeys(r["processor"] for r in rows if "processor" in r)
            out += [f"Processor: {'; '.join(chips)}.", ""] if chips and device == "cpu" else []
            out += speed_table(rows)
            out += ready_table(rows)
            out += oracle_table(rows)
            out += peer_table(rows)
        out += [f"- {title(r)}: {n}" for r in rows for n in r["notes"]]
        out += [
            f"- {title(r)}: disturbed, work waited for a core in {r['waited']:.0%} of the time"
            for r in rows
            if (r.get("waited") or 0) > 0.1
        ]
        out += [f"- {title(r)}: no result: {r['error']}" for r in found if "error" in r]
        out.append("")
    out += overhead_table([r for r in latest.values() if r["row"] == "overhead" and "time" in r])
    return "\n".join(out)


def speed_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    cuda = rows[0]["device"] == "cuda"
    modes = [("compile", "torch.compile")] + [("overhead", "reduce-overhead")] * cuda
    lines = []
    for r in rows:
        t, speed = r["time"], r["speed"]
        best = {k: v["best"] for k, v in t.items()}
        cells = [title(r), f"{span(t['eager']['median'])} ({span(best['eager'])})"]
        for name, _ in modes:
            cells.append(f"{span(t[name]['median'])} ({span(best[name])})" if name in t else "-")
        cells.append(f"{span(t['agar']['median'])} ({span(best['agar'])})")
        cells += [ratio(speed.get(name)) for name, _ in modes] + [ratio(speed["agar"])]
        for name, _ in modes:
            cells.append(ratio(speed["agar"] / speed[name]) if name in speed else "-")
        w = r["window"]
        cells.append(f"{ratio(w['worst'])} ({ratio(w['steady'])})")
        cells += [ratio(w["against_quiet"]), r["plan"]]
        if cuda:
            share = r.get("share", {})
            cells.append(" / ".join(f"{share[k]:.0%}" for k in t if k in share) or "-")
        lines.append(cells)
    both = [r for r in rows if "compile" in r["speed"]]
    means = ["geometric mean", *[""] * (2 + len(modes))]
    for name, _ in modes:
        given = [r["speed"][name] for r in rows if name in r["speed"]]
        means.append(ratio(mean(given) if given else None))
    means.append(ratio(mean([r["speed"]["agar"] for r in rows])))
    for name, _ in modes:
        given = [r["speed"]["agar"] / r["speed"][name] for r in rows if name in r["speed"]]
        means.append(ratio(mean(given) if given else None))
    lines.append([*means, "", "", "", *[""] * cuda])
    names = [n for _, n in modes]
    head = ["row", "torch, ms", *(f"{n}, ms" for n in names), "agar, ms"]
    head += [f"speed of {n}" for n in names] + ["speed of agar"]
    head += [f"agar / {n}" for n in names] + ["worst window", "to quiet torch", "plan"]
    head += ["share of peak, " + " / ".join(["torch", *names, "agar"])] * cuda
    yield from markdown(" | ".join(head), lines)
    if both:
        yield (
            "Medians, best in brackets. Speed is torch eager's time over the side's, the median of "
            "rounds. The worst windows are the lowest speed of agar in any "
            f"{WINDOW_CALLS} calls and {WINDOW_SECONDS} s while its engine records, compiles and "
            "tries plans: beside torch eager in the same seconds (in brackets: the worst under the "
            "last plan, which shows the noise), and beside torch eager before. After "
            f"{BUSY:g} s of calls without a pause, calls stop while the engine compiles."
        )
        yield ""


def ready_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    lines = []
    for r in rows:
        if "fresh" not in r:
            continue
        own, theirs, final = r["fresh"]["agar"], r["fresh"]["torch"], r["final"]
        lines.append(
            [
                title(r),
                span(theirs["first"]),
                span(r["first_here"].get("compile")),
                span(own["first"]),
                ratio(own["first"] / theirs["first"]),
                span(theirs.get("alone")),
                span(own.get("alone")),
                "-" if final["seconds"] is None else f"{final['seconds']:.1f} ({final['calls']})",
                seconds_or_dash(None if final["seconds"] is None else own["final"]),
                f"{theirs['memory'] / 2**20:.0f}",
                f"{own['memory'] / 2**20:.0f}",
                ratio(own["memory"] / max(1, theirs["memory"])),
            ]
        )
    if lines:
        yield from markdown(
            "row | first call of torch, ms | of torch.compile | of agar | agar / torch | "
            "torch alone, ms | agar alone | "
            "last plan after, s (calls) | the same with caches | torch's peak, MB | agar's peak | "
            "agar / torch",
            lines,
        )


def oracle_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    lines, means = [], {"pynative": [], "graph": []}
    for r in rows:
        if "oracle" not in r:
            continue
        cells = [title(r)]
        for mode in ("pynative", "graph"):
            got = r["oracle"][mode]
            if "error" in got:
                cells += [got["error"].replace("|", "/")[:60], "-", "-"]
                continue
            own = r["speed"]["agar"] / got["speed"]
            means[mode].append(own)
            cells += [span(got["median"]), ratio(got["speed"]), ratio(own)]
        lines.append(cells)
    if lines:
        last = ["geometric mean"]
        for mode in ("pynative", "graph"):
            last += ["", "", ratio(mean(means[mode]) if means[mode] else None)]
        yield from markdown(
            "row | MindSpore PYNATIVE_MODE, ms | its speed | agar / it | "
            "MindSpore GRAPH_MODE, ms | its speed | agar / it",
            [*lines, last],
        )


_PEERS = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "jax": "JAX"}


def peer_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    rows = [r for r in rows if r.get("peers")]
    names = [n for n in _PEERS if any(n in r["peers"] for r in rows)]
    if not names:
        return
    lines, means = [], {}
    for r in rows:
        cells = [title(r)]
        for name in names:
            got = r["peers"].get(name, {"error": "-"})
            if "error" in got:
                cells += [got["error"].replace("|", "/").replace("\n", " ")[:60], *["-"] * 4]
                continue
            cells += [span(got["seconds"]["peer"]), got["setting"]]
            for key in ("eager to it, seconds", "agar to it, seconds", "agar to it, cpu"):
                cells.append(ratio(got[key]))
                means.setdefault((name, key), []).append(got[key])
        best = [g["agar to it, seconds"] for g in r["peers"].values() if "error" not in g]
        means.setdefault("best", []).extend([min(best)] if best else [])
        cells += [ratio(min(best) if best else None)] * (len(names) > 1)
        lines.append(cells)
    last = ["geometric mean"]
    for name in names:
        last += ["", ""]
        for key in ("eager to it, seconds", "agar to it, seconds", "agar to it, cpu"):
            last.append(ratio(mean(means[name, key]) if (name, key) in means else None))
    last += [ratio(mean(means["best"]) if means.get("best") else None)] * (len(names) > 1)
    versions = {
        n: next((r["peers"][n]["version"] for r in rows if "version" in r["peers"].get(n, {})), "")
        for n in names
    }
    head = ["row"]
    for n in names:
        head += [f"{_PEERS[n]} {versions[n]}, ms", "its setting", "torch / it", "agar / it"]
        head.append("agar / it, processor's time")
    yield from markdown(
        " | ".join([*head, *["agar / the better"] * (len(names) > 1)]), [*lines, last]
    )
    yield (
        "Speeds: above 1 torch or agar is faster than the peer. The three run in turns, each round "
        "in another order, the peer in a process of its own, which stands still in between."
    )
    yield ""


def overhead_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    t = rows[-1]["time"]
    base = t["nn.Linear"]["median"]
    yield "### One call of a Dense 4x4, inference"
    yield ""
    yield from markdown(
        "side | median, us | best, us | time / nn.Linear",
        [
            [k, f"{v['median'] * 1e6:.2f}", f"{v['best'] * 1e6:.2f}", ratio(v["median"] / base)]
            for k, v in t.items()
        ],
    )


def progress(record: dict[str, Any]) -> str:
    """One line about a finished row."""
    if "error" in record:
        return f"  no result: {record['error']}"
    if record["row"] == "overhead":
        return "  " + ", ".join(
            f"{k} {v['median'] * 1e6:.2f} us" for k, v in record["time"].items()
        )
    speed, window = record["speed"], record["window"]
    parts = [f"{k} {span(t['median'])} ms ({speed[k]:.2f})" for k, t in record["time"].items()]
    parts.append(f"worst window {window['worst']:.2f} (quiet torch: {window['against_quiet']:.2f})")
    parts.append(f"plan {record['plan']}")
    for mode, got in record.get("oracle", {}).items():
        shown = got.get("error") or f"{span(got['median'])} ms ({got['speed']:.3f})"
        parts.append(f"MindSpore {mode} {shown}")
    return "  " + ", ".join([*parts, *record["notes"]])
