"""The process that parses texts for `agar.migrate.parsing`; it may crash.

It is started by its path and imports nothing of agar. It reads the texts from its standard input,
and writes one line for each text that it has finished: what is wrong with it, or nothing.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import threading
from typing import Any


def _fault(parsers: list[Any], text: str) -> str:
    """What is wrong with a text; empty where it is fine or plainly not Python."""
    for parse, syntax_error in parsers:
        try:
            parse(text)
        except syntax_error:
            return ""  # reported, with the line, by what parses it again
        except ValueError as error:
            return f"it is not Python text: {error}"
        except RecursionError:
            return "it is nested too deeply"
        except MemoryError:
            return "reading it takes too much memory"
        except BaseException as error:
            return f"the parser failed with {type(error).__name__}: {error}"
    return ""


def _limit(name: str, most: int) -> int:
    """Lower a limit of the process; returns the limit that was there."""
    try:
        import resource
    except ImportError:  # not on Windows
        return most
    kind = getattr(resource, name)
    soft, hard = resource.getrlimit(kind)
    before = most if soft == resource.RLIM_INFINITY else soft
    # some systems do not know each limit; the others still hold
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (min(before, most), hard))
    return before


def main() -> None:
    """Parse what the parent sends."""
    given = json.loads(sys.stdin.buffer.read())
    sys.path[:] = given["path"]
    import ast

    import libcst

    parsers = [(libcst.parse_module, libcst.ParserSyntaxError), (ast.parse, SyntaxError)]
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_AS", given["memory"])
    # half of what the parent has: what passes here passes there
    stack = _limit("RLIMIT_STACK", 2 * given["stack"]) // 2

    def work() -> None:
        for text in given["texts"]:
            print(json.dumps(_fault(parsers, text)), flush=True)
            _alarm(given["seconds"])

    threading.stack_size(max(stack // 4096 * 4096, 65536))
    thread = threading.Thread(target=work)
    _alarm(given["seconds"])
    thread.start()
    thread.join()


def _alarm(seconds: float) -> None:
    """Let the system end this process, also within a parser, unless the next text is done."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
