"""Runs the blocks of one page as a program does: one namespace, one process, under the alias.

Reads a JSON list of code blocks from standard input and writes a JSON list of
``[printed text, exception type or null, message]`` to the file named by the first argument.
With AGAR_TEST_MODE=graph the program begins in GRAPH_MODE.
"""

import contextlib
import io
import json
import os
import sys


def main():
    import agar

    agar.alias_mindspore()
    if os.environ.get("AGAR_TEST_MODE") == "graph":
        agar.set_context(mode=agar.GRAPH_MODE)
    blocks = json.load(sys.stdin)
    namespace = {"__name__": "__main__"}
    results = []
    for number, block in enumerate(blocks):
        printed, error = io.StringIO(), None
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(block, f"<block {number}>", "exec"), namespace)
            except Exception as caught:
                error = caught
        kind = None if error is None else type(error).__name__
        results.append([printed.getvalue(), kind, "" if error is None else str(error)])
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(results, out)


if __name__ == "__main__":
    main()
