"""The command line: ``agar run``, ``agar msrun``, ``agar migrate`` and ``agar doctor``."""

from __future__ import annotations

import os
import platform
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Annotated

import typer

from agar.migrate.commands import app as migrate
from agar.parallel.msrun import msrun

app = typer.Typer(
    name="agar",
    help="MindSpore's programming model on PyTorch's engine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a user's program shows its own traceback
)

app.add_typer(migrate)

_PASS_ON = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
}


def _print_version(asked: bool) -> None:
    if asked:
        import agar

        typer.echo(f"agar {agar.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """MindSpore's programming model on PyTorch's engine."""


@app.command(context_settings=_PASS_ON)
def run(
    context: typer.Context,
    program: Annotated[str, typer.Argument(help="A Python file, or with -m a module's name.")],
    module: Annotated[
        bool, typer.Option("-m", help="PROGRAM is a module's name, as with python -m.")
    ] = False,
    device: Annotated[
        str | None, typer.Option(help="Device for new tensors: CPU, GPU, Ascend or MPS.")
    ] = None,
    mode: Annotated[str | None, typer.Option(help="Start in this mode: pynative or graph.")] = None,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Errors show the frames inside agar, too.")
    ] = False,
) -> None:
    """Run a MindSpore program, unmodified: `import mindspore` gives agar.

    Everything after PROGRAM goes to the program. An error that ends it shows the program's own
    lines, and with --traceback those of agar too.
    """
    import agar

    agar.alias_mindspore()
    if device is not None:
        try:
            agar.set_context(device_target=device)
        except (ValueError, RuntimeError) as error:
            raise typer.BadParameter(str(error), param_hint="--device") from error
    if mode is not None:
        modes = {"pynative": agar.PYNATIVE_MODE, "graph": agar.GRAPH_MODE}
        if mode.lower() not in modes:
            raise typer.BadParameter(
                f"must be pynative or graph, got {mode!r}", param_hint="--mode"
            )
        agar.set_context(mode=modes[mode.lower()])
    path = Path(program)
    if not module and not path.is_file():
        raise typer.BadParameter(f"there is no file {program!r}", param_hint="PROGRAM")
    sys.argv = [program, *context.args]
    sys.path.insert(0, os.getcwd() if module else str(path.resolve().parent))
    try:
        if module:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(program, run_name="__main__")
    except Exception as error:
        if traceback or type(error).__module__.startswith(("typer", "click")):  # such as Exit
            raise
        _show(error)
        raise typer.Exit(1) from None


def _show(error: Exception) -> None:
    """Show an error that ended a program by the program's own lines."""
    frames = [step for step in _steps(error.__traceback__) if not _is_ours(step.tb_frame)]
    traceback_type = None
    for step in reversed(frames):
        traceback_type = TracebackType(traceback_type, step.tb_frame, step.tb_lasti, step.tb_lineno)
    if traceback_type is None:  # agar itself did not begin to run the program
        traceback_type = error.__traceback__
    elif getattr(error, "_agar_named", False):  # what PyTorch said is in the message
        error.__cause__ = None
    error = error.with_traceback(traceback_type)
    # as the interpreter does, for what asks at the end how the program has ended
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, traceback_type
    sys.excepthook(type(error), error, traceback_type)
    print("(agar run --traceback shows the lines inside agar as well)", file=sys.stderr)


def _steps(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame is one of agar, or of what starts a program for it."""
    name = frame.f_globals.get("__name__", "")
    ours = ("agar", "mindspore", "typer", "click", "runpy")
    by_name = name.partition(".")[0] in ours and name != "__main__"
    return by_name or frame.f_code.co_filename.startswith("<agar ")


app.command(context_settings=_PASS_ON)(msrun)


@app.command()
def doctor() -> None:
    """Show what agar found on this machine: versions, devices, compiler."""
    import shutil

    import numpy

    # the report is about torch
    import torch
    from rich.console import Console
    from rich.table import Table

    import agar
    from agar._core import context
    from agar.alias import MINDSPORE_VERSION

    table = Table(title="agar doctor", show_header=False)
    table.add_row("agar", f"{agar.__version__} (behaves as MindSpore {MINDSPORE_VERSION})")
    table.add_row("Python", f"{platform.python_version()} on {platform.platform()}")
    table.add_row("torch", f"{torch.__version__}, {torch.get_num_threads()} threads")
    table.add_row("numpy", numpy.__version__)
    for target in ("CPU", "GPU", "Ascend", "MPS"):
        if context._backend_available(target):
            detail = "available"
            if target == "GPU":
                names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
                detail = ", ".join(names)
        else:
            detail = f"not available: needs {context._INSTALL[target]}"
        table.add_row(f"device {target}", detail)
    compiler = next((c for c in ("g++", "clang++", "cl") if shutil.which(c)), None)
    table.add_row("C++ compiler", compiler or "none: compiled plans of torch.compile are not used")
    Console().print(table)


def main() -> None:
    """Entry point of the command ``agar``."""
    app(prog_name="agar")
