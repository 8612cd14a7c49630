"""Programs of tests end as Python ends them, though the interpreter is not taken apart."""

from __future__ import annotations

import pytest

import forked

ENDS = {
    "result": ("print('result', end='')", 0, "result", ""),
    "code": ("import sys; sys.exit(3)", 3, "", ""),
    "words": ("import sys; sys.exit('why')", 1, "", "why\n"),
    "error": ("1 / 0", 1, "", "ZeroDivisionError: division by zero\n"),
    "atexit": ("import atexit; atexit.register(print, 'last')", 0, "last\n", ""),
    "thread": ("import threading; threading.Timer(0.1, print, ['late']).start()", 0, "late\n", ""),
    "interrupt": ("raise KeyboardInterrupt", -2, "", "KeyboardInterrupt\n"),
    "signal": ("import os; os.kill(os.getpid(), 9)", -9, "", ""),
}


@pytest.mark.parametrize("finalizes", [False, True])
@pytest.mark.parametrize("name", ENDS)
def test_how_a_program_ends(name, finalizes):
    program, code, out, error = ENDS[name]
    ended = forked.run(program, finalizes=finalizes)
    assert (ended.returncode, ended.stdout) == (code, out)
    assert ended.stderr.endswith(error)
    assert bool(ended.stderr) == bool(error)
