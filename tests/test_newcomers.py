"""The paths of newcomers: what their steps are. `make newcomers` follows them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from file_modules import load

newcomers = load("scripts/newcomers.py")


@pytest.mark.parametrize("person", newcomers.PEOPLE)
def test_steps_exist(person, tmp_path):
    steps = list(newcomers.PEOPLE[person](Path(sys.executable), tmp_path))
    assert len(steps) >= 2
    for step in steps:
        re.compile(step.expected)
        for part in step.command[1:]:
            if part.startswith("/") and part.endswith((".py", ".md")):
                assert Path(part).exists(), part


def test_a_step_that_prints_something_else_ends_the_script(tmp_path):
    command = [sys.executable, "-c", "print('two')"]
    assert newcomers.follow(newcomers.Step("a step", command, "^two$"), tmp_path).clock > 0
    with pytest.raises(SystemExit, match=r"a step: exit status 0\ntwo"):
        newcomers.follow(newcomers.Step("a step", command, "^one$"), tmp_path)
    failing = newcomers.Step("a step", [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(SystemExit, match="exit status 3"):
        newcomers.follow(failing, tmp_path)
