"""``agar migrate ...``: the command line of `agar.migrate`, which only parses and prints.

NOTE Exit codes. 0: equal, or done. 1: different, or something needs a hand. 2: the input cannot be
read, or the command was called in a wrong way. With ``--json`` standard output holds one JSON
document and nothing else, also where the exit code is 2 (``{"error": "..."}``).
"""

from __future__ import annotations

import ast
import difflib
import json
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

app = typer.Typer(
    name="migrate",
    help="From PyTorch to Cells, with proof: scan, convert, move weights, compare.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 equal or done, 1 different or left to you, 2 bad input.",
)

DONE, DIFFERENT, BAD = 0, 1, 2

Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def _console(stderr: bool = False) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=False)


def _fail(message: str, as_json: bool) -> NoReturn:
    if as_json:
        print(json.dumps({"error": message}))
    else:
        from rich.text import Text

        text = Text.assemble(("error: ", "bold red"), message)
        _console(stderr=True).print(text, soft_wrap=True)
    raise typer.Exit(BAD)


@contextmanager
def _working(
    what: str, as_json: bool, passing: tuple[type[Exception], ...] = ()
) -> Iterator[Callable[[str], None]]:
    """Show that work is going on, and say what is wrong with the input if it ends badly.

    Args:
        what (str): the work.
        as_json (bool): how it is said.
        passing (tuple): errors that the caller handles.
    """
    from rich.text import Text

    with _reporting(as_json, passing), _console(stderr=True).status(Text(what)) as status:
        yield lambda step: status.update(Text(f"{what}: {step}"))


@contextmanager
def _reporting(as_json: bool, passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    try:
        yield
    except (typer.Exit, *passing):
        raise
    except (ValueError, TypeError, OSError) as error:
        _fail(str(error) or type(error).__name__, as_json)
    except Exception as error:  # exit code 1 would say that the networks differ
        traceback.print_exc()
        _fail(f"{type(error).__name__}: {error}", as_json)


@contextmanager
def _comparing(as_json: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for `check`, which says how far it is; nothing where there is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = _console(stderr=True)
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with _reporting(as_json), bar:
        task = bar.add_task("comparing", total=None)

        def progress(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total or None)

        yield progress


def _optimizer(text: str, module: Any) -> Any:
    """The optimizer that ``SGD(lr=0.1)`` describes, over a module's parameters."""
    # a name of torch.optim, over a torch module
    import torch

    usage = "--optimizer must be a call such as 'SGD(lr=0.1, momentum=0.9)', with plain values"
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if isinstance(call, ast.Name):
            call = ast.Call(call, [], [])
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError(f"{usage}, got {text!r}")
        values = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except SyntaxError as error:
        raise ValueError(f"{usage}, got {text!r}") from error
    kind = getattr(torch.optim, call.func.id, None)
    if not (isinstance(kind, type) and issubclass(kind, torch.optim.Optimizer)):
        raise ValueError(f"{usage}; torch.optim has no {call.func.id!r}")
    return kind(module.parameters(), **values)


def _written(path: Path) -> None:
    _console(stderr=True).print(f"written: {path}", markup=False, highlight=False)


def _existing(path: str, as_json: bool) -> Path:
    existing = Path(path)
    if not existing.exists():
        near = difflib.get_close_matches(
            existing.name,
            [p.name for p in existing.parent.glob("*")] if existing.parent.is_dir() else [],
        )
        hint = f"; did you mean {str(existing.parent / near[0])!r}?" if near else "."
        _fail(f"there is no file or folder {path!r}{hint}", as_json)
    return existing


# ----------------------------------------------------------------------------------- commands


@app.command(epilog="Exit code 1: something in PATH needs a hand.")
def scan(
    path: Annotated[str, typer.Argument(help="A Python file or a folder.")],
    as_json: Json = False,
) -> None:
    """List every use of PyTorch with its counterpart and its differences.

    Nothing is imported and nothing is run: PATH is only read.
    """
    import agar.migrate

    place = _existing(path, as_json)
    with _working("reading", as_json) as progress:
        result = agar.migrate.scan(place, progress=progress)
    if as_json:
        print(result.to_json())
    else:
        result.show(_console())
    raise typer.Exit(DIFFERENT if result.by_hand or result.errors else DONE)


@app.command(epilog="Exit code 1: something is marked in the output, or a file was not converted.")
def convert(
    source: Annotated[str, typer.Argument(help="A Python file, or the folder of a package.")],
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Where to write: a file, or a folder.")
    ] = None,
    target: Annotated[
        str, typer.Option(help="What the code imports: mindspore, which agar runs too, or agar.")
    ] = "mindspore",
    init: Annotated[
        str,
        typer.Option(help="What new layers begin with: mindspore, or torch, its distributions."),
    ] = "mindspore",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Write nothing; show what would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the change as a diff.")] = False,
    as_json: Json = False,
) -> None:
    """Rewrite PyTorch source code as Cells; comments and layout stay.

    What cannot be converted is marked in place, with the reason.
    """
    import agar.migrate

    if out is None and not dry_run and not diff:
        _fail("say where to write, with -o OUT, or look first, with --dry-run or --diff", as_json)
    place = _existing(source, as_json)
    with _working("converting", as_json) as progress:
        result = agar.migrate.convert(
            place, out, dry_run=dry_run, target=target, init=init, progress=progress
        )
    if as_json:
        print(result.to_json())
    elif diff or (dry_run and result.diff):
        _print_diff(result.diff)
    if not as_json:
        result.show(_console(stderr=diff or dry_run))
        for path in result.written:
            _written(path)
    raise typer.Exit(DIFFERENT if result.by_hand or result.errors else DONE)


def _print_diff(text: str) -> None:
    """To a terminal in colors; otherwise as it is, for ``patch``."""
    console = _console()
    if not console.is_terminal:
        sys.stdout.write(text)
        return
    from rich.syntax import Syntax

    console.print(Syntax(text, "diff", theme="ansi_dark", background_color="default"))


@app.command(
    epilog="Exit code 0: equal. 1: different, or less than asked for is native. 2: no comparison."
)
def check(
    pair: Annotated[
        str,
        typer.Argument(
            help="file.py, file.py:function or package.module:function. The function (pair, "
            "without a name) returns (module, cell, inputs) or a dict of check's arguments. With "
            "--train, a training program: it and its conversion run, and what they print is "
            "compared."
        ),
    ],
    mode: Annotated[str | None, typer.Option(help="pynative or graph.")] = None,
    train: Annotated[
        bool | None, typer.Option("--train/--no-train", help="Compare in train mode too.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=0, help="Train both for so many steps; compare the losses.")
    ] = None,
    sync_weights: Annotated[
        bool | None,
        typer.Option("--sync-weights/--no-sync-weights", help="First copy the module's weights."),
    ] = None,
    exact: Annotated[
        bool | None, typer.Option("--exact/--no-exact", help="Equal means: bit for bit.")
    ] = None,
    optimizer: Annotated[
        str | None,
        typer.Option(metavar="CALL", help="Compare a step of it: 'SGD(lr=0.1, momentum=0.9)'."),
    ] = None,
    dtype: Annotated[
        list[str] | None,
        typer.Option(help="Compare in float16 or bfloat16 too; may be given twice."),
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(min=0.0, help="The largest relative error that is equal.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the random numbers.")] = None,
    min_native: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Fail below this share of cells that agar computes."),
    ] = 0.0,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the page.")] = None,
    pytest: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a test that keeps the result.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every cell and comparison.")] = False,
    target: Annotated[
        str, typer.Option(help="Of a training program: agar, or mindspore, its text too.")
    ] = "agar",
    python: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="An interpreter with MindSpore, to run that text."),
    ] = None,
    arguments: Annotated[
        str, typer.Option(metavar="TEXT", help="What a training program is called with.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Compare a module and a cell, part by part, and explain the first difference.

    Or compare a training program with its conversion: check --train script.py.
    """
    import agar
    import agar.migrate
    from agar.migrate.reference import load_pair
    from agar.migrate.result import Subject

    program = _program(pair)
    if program is not None and train:
        _check_program(program, target, python, arguments, tolerance, as_json)
    if target != "agar" or python is not None or arguments:
        _fail(
            "--target, --python and --arguments are for a training program: check --train "
            "script.py",
            as_json,
        )
    given: dict[str, Any] = {
        "train": train,
        "steps": steps,
        "sync_weights": sync_weights,
        "exact": exact,
        "dtypes": tuple(dtype) if dtype else None,
        "tolerance": tolerance,
        "seed": seed,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if mode is not None:
        modes = {"pynative": agar.PYNATIVE_MODE, "graph": agar.GRAPH_MODE}
        if mode.lower() not in modes:
            _fail(f"--mode must be pynative or graph, got {mode!r}", as_json)
        options["mode"] = modes[mode.lower()]
    if program is not None:
        _fail(
            f"{pair} defines no function pair; if it is a training program, say --train",
            as_json,
        )
    with _working(f"building {pair}", as_json):
        asked = {**load_pair(pair), **options}
        if optimizer is not None:
            options["optimizer"] = _optimizer(optimizer, asked["module"])
            asked["optimizer"] = options["optimizer"]
    with _comparing(as_json) as progress:
        report = agar.migrate.check(**{"progress": progress, **asked})
    networks = (asked["module"], asked["cell"], asked["inputs"])
    report.subject = Subject(*networks, options, pair)
    if as_json:
        print(report.to_json())
    else:
        from agar.migrate.report import terminal

        terminal.show(report, _console(), full)
    with _working("writing", as_json):
        if html is not None:
            _written(report.to_html(html))
        if pytest is not None:
            _written(report.to_pytest(pytest))
    if report.native < min_native and not as_json:
        _console(stderr=True).print(
            f"native is {report.native:.3f}, less than --min-native {min_native:g}"
        )
    good = report.passed and report.native >= min_native
    raise typer.Exit(DONE if good else DIFFERENT)


def _program(text: str) -> Path | None:
    """The file of a training program; None for what names, or holds, a function with a pair."""
    path = Path(text)
    if path.suffix != ".py" or not path.is_file():
        return None
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return None
    bound = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.Import, ast.ImportFrom)):
            bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            aliases = getattr(node, "names", [])
            bound |= {alias.asname or alias.name for alias in aliases}
    return None if bound & {"pair", "*"} else path


def _check_program(
    path: Path,
    target: str,
    python: str | None,
    arguments: str,
    tolerance: float | None,
    as_json: bool,
) -> NoReturn:
    from agar.migrate.report.scripts import show_script
    from agar.migrate.script_runs import check_script

    with _working(f"{path.name}", as_json) as progress:
        result = check_script(
            path,
            target=target,
            python=python,
            arguments=shlex.split(arguments),
            tolerance=1e-4 if tolerance is None else tolerance,
            progress=progress,
        )
    if as_json:
        print(json.dumps(result.to_dict(), indent=1))
    else:
        show_script(result, _console())
    raise typer.Exit(DONE if result.passed and not result.by_hand else DIFFERENT)


@app.command(epilog="Exit code 1: names or shapes do not fit, and what does not is listed.")
def weights(
    source: Annotated[
        str, typer.Argument(help=".pth, .pt, .bin, .safetensors, .ckpt, or a folder of shards.")
    ],
    target: Annotated[str, typer.Argument(help="The new file: .ckpt, .safetensors or .pth.")],
    network: Annotated[
        str | None,
        typer.Option(
            metavar="REFERENCE",
            help="file.py:name or package.module:name of what makes the network, a Cell or a "
            "torch module: names are then found by its structure, not by patterns.",
        ),
    ] = None,
    optimizer: Annotated[
        str | None, typer.Option(help="agar's optimizer for the state in it, such as nn.Adam.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict/--no-strict", help="Names without a place are errors.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Convert a file of weights from PyTorch to agar and MindSpore, or back.

    Pickled files are read safely: weights only.
    """
    import agar.migrate
    from agar.migrate.reference import load_network
    from agar.migrate.weight_matching import WeightsError

    place = _existing(source, as_json)
    built = {}
    if network is not None:
        with _working("building the network", as_json):
            built = load_network(network)
    try:
        with _working(f"converting {source}", as_json, (WeightsError,)):
            result = agar.migrate.convert_weights(
                place, target, optimizer=optimizer, strict=strict, **built
            )
    except WeightsError as error:
        if as_json:
            print(json.dumps({"error": str(error), **error.transfer.to_dict()}, default=str))
        else:
            _console(stderr=True).print(str(error), markup=False, highlight=False)
        raise typer.Exit(DIFFERENT) from None
    if as_json:
        print(json.dumps(result.to_dict(), indent=1, default=str))
    else:
        print(result)
        _written(Path(target))
    raise typer.Exit(DONE if result.complete else DIFFERENT)


@app.command()
def rules(
    name: Annotated[
        str | None, typer.Argument(help="A name such as torch.nn.Conv2d or Conv2d.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            help="module, function, method, attribute, optimizer, scheduler or initializer."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the table of rules, or one row of it: what becomes of a name of PyTorch."""
    from agar.migrate import rules as table
    from agar.migrate.report.outline import rule_text

    every = list(table.rules())
    kinds = sorted({row.kind for row in every})
    if kind is not None and kind not in kinds:
        _fail(f"--kind must be one of {', '.join(kinds)}, got {kind!r}", as_json)
    rows = [row for row in every if kind is None or row.kind == kind]
    if name is not None:
        rows = _named(name, rows)
        if not rows:
            names = [row.source for row in every] + [row.name for row in every]
            near = list(dict.fromkeys(difflib.get_close_matches(name, names, 4, 0.7)))
            hint = f"; did you mean {', '.join(near)}?" if near else "."
            _fail(f"there is no rule for {name!r}{hint}", as_json)
    if as_json:
        shown = [{"kind": row.kind, **rule_text(row)} for row in rows]
        print(json.dumps(shown, indent=1, default=str))
    elif name is not None:
        for row in rows:
            _print_rule(row)
    else:
        _print_rules(rows)


def _named(name: str, rows: list[Any]) -> list[Any]:
    from agar.migrate.rules import find

    rule = find(name)
    if rule is not None:
        return [row for row in rows if row is rule]
    return [
        row
        for row in rows
        if row.name == name or row.source == f"torch.{name}" or row.source.endswith(f".{name}")
    ]


def _print_rules(rows: list[Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("PyTorch", "counterpart", "differs in"):
        table.add_column(column, overflow="fold")
    for row in rows:
        none = Text("none: " + row.reason if row.reason else "none", "yellow")
        table.add_row(
            Text(row.source),
            none if row.target is None else Text(row.target),
            Text(", ".join(row.differs)),
        )
    console = _console()
    console.print(table)
    console.print(f"{len(rows)} rules; one of them: agar migrate rules NAME", highlight=False)


def _print_rule(row: Any) -> None:
    from rich.text import Text

    from agar.migrate.report.outline import rule_text

    console, facts = _console(), rule_text(row)
    parts = Text()
    parts.append(f"{row.source}", "bold")
    parts.append(f"{row.signature}\n")
    if not facts["forms"]:
        parts.append("  has no counterpart\n", "yellow")
    for form in facts["forms"]:
        when = f"  where {form['when']}: " if form["when"] else "  becomes "
        parts.append(when, "dim").append(f"{form['code']}\n", "green")
        if form["note"]:
            parts.append(f"    {form['note']}\n", "dim")
    for topic, words in facts["differs"].items():
        parts.append(f"  {topic}: ", "bold").append(f"{words}\n")
    for condition, words in facts["refuse"].items():
        parts.append(f"  not with {condition}: ", "yellow").append(f"{words}\n")
    if facts["weights"]:
        parts.append("  weights: ", "bold").append(", ".join(facts["weights"]) + "\n")
    if facts["note"]:
        parts.append(f"  {facts['note']}\n")
    console.print(parts, highlight=False)


# ---------------------------------------------------------------------------------------- show


@app.command(epilog="Exit codes as those of check.")
def show(
    report: Annotated[str, typer.Argument(help="What check --json wrote.")],
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the page.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every cell and comparison.")] = False,
    as_json: Json = False,
) -> None:
    """Show a saved report, or make a page of it."""
    from agar.migrate.report import saved, terminal

    path = _existing(report, as_json)
    with _working(f"reading {report}", as_json):
        result = saved.read(path)
    if as_json:
        print(result.to_json())
    else:
        terminal.show(result, _console(), full)
    with _working("writing", as_json):
        if html is not None:
            _written(result.to_html(html))
    raise typer.Exit(DONE if result.passed else DIFFERENT)
