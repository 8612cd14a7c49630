"""Every name that MindSpore 2.10's modules have can be imported from agar under its alias.

`names.txt` holds the names only: a line ``[module] name name ...`` for each of MindSpore's modules,
as Python's pkgutil.walk_packages and `vars` of each module give them on a CPU build of 2.10.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

# What the recorded list holds. A shorter list would let names fall away in silence.
MODULES, NAMES = 1400, 42_000
# How many of the names may refuse at most when they are used; lower it when more are built.
REFUSING = 12_640

WALK = """
import importlib, json, sys, types, warnings
warnings.simplefilter("ignore")
import agar
agar.alias_mindspore()
missing, refusing = [], {}
for line in sys.stdin:
    head, *names = line.split()
    path = f"mindspore.{head[1:-1]}".rstrip(".")
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        missing.append(f"{path}: {error}")
        continue
    for name in names:
        try:
            found = getattr(module, name)
        except Exception as error:
            missing.append(f"{path}.{name}: {type(error).__name__}: {error}")
            continue
        if isinstance(found, types.ModuleType):
            continue
        if "_absent" in getattr(found, "__dict__", ()) or "_absent" in vars(type(found)):
            refusing.setdefault(path, []).append(name)
json.dump([missing, refusing], sys.stdout)
"""


@cache
def listed() -> str:
    text = (HERE / "names.txt").read_text(encoding="utf-8")
    return re.sub(r"\n  ", " ", text)


@cache
def walk() -> tuple[list[str], dict[str, list[str]]]:
    done = subprocess.run(
        [sys.executable, "-c", WALK], input=listed(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return tuple(json.loads(done.stdout))


def test_the_list_is_whole():
    lines = [line.split() for line in listed().splitlines()]
    assert len(lines) == MODULES
    assert sum(len(set(names)) for _, *names in lines) == NAMES


@pytest.mark.slow
def test_every_name_resolves():
    missing = walk()[0]
    assert not missing, f"{len(missing)} names do not resolve:\n" + "\n".join(missing[:200])


@pytest.mark.slow
def test_no_more_names_refuse_than_before():
    refusing = {path: len(names) for path, names in walk()[1].items()}
    total = sum(refusing.values())
    most = sorted(refusing.items(), key=lambda pair: -pair[1])[:30]
    assert total <= REFUSING, f"{total} names only refuse; most of them in {most}"
