"""What `import agar` leaves out until it is asked for: its index is true, and nothing differs."""

from __future__ import annotations

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import agar as ms
from agar._core import late, late_index, optable
from agar._core.operator_table import Table
from agar._core.optable import Op

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent


def _script():
    spec = importlib.util.spec_from_file_location("late_index", ROOT / "scripts" / "late_index.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_index_is_what_the_script_writes():
    written = (ROOT / "src" / "agar" / "_core" / "late_index.py").read_text(encoding="utf-8")
    assert _script().index() == written, "names have moved: make stubs"


def test_the_index_names_every_operator_with_its_module():
    for module, kinds in late_index.OPERATORS.items():
        for kind, names in kinds.items():
            for name in names.split():
                assert getattr(optable.table, kind)[name].home == f"agar.ops.{module}"
    homes = {entry.home for entry in optable.table.entries if entry.home.startswith("agar.ops.")}
    assert {home.removeprefix("agar.ops.") for home in homes} == set(late_index.OPERATORS)


def test_late_names_are_those_of_their_modules():
    for package, homes in late_index.PACKAGES.items():
        space = importlib.import_module(package)
        for module, names in homes.items():
            for name in names.split():
                own, _, shown = name.partition("=")
                value = getattr(space, shown or own)
                assert value is getattr(importlib.import_module(module), own)
                # the import of a module puts it into its package, where this name would be
                assert not (module.startswith(f"{package}.") and module.endswith(f".{name}"))


#: What each statement may load of these, of which `import agar` loads none.
HEAVY = ("agar.train", "agar.amp", "agar.nn.layer", "agar.nn.optim", "agar.nn.loss", "agar.dataset")
HEAVY += ("agar.ops.optim", "agar.ops.image", "agar.ops.ascend", "agar.ops.math.fft")
PROGRAM = f"""
import json, sys
import agar as ms
def loaded():
    return [name for name in {HEAVY!r} if name in sys.modules]
seen = [loaded()]
dir(ms), dir(ms.nn), dir(ms.ops), ms.nn.__all__, ms.ops.__all__, dir(ms.Tensor), ms.mint.__all__
hasattr(ms.ops, "no_such_name"), hasattr(ms.nn, "NoSuchName"), hasattr(ms.Tensor, "no_such_name")
seen.append(loaded())
ms.Tensor([1.0]) + 1, ms.ops.relu(ms.Tensor([1.0]))
seen.append(loaded())
ms.ops.fft
seen.append(loaded())
ms.nn.Dense
seen.append(loaded())
print(json.dumps(seen))
"""


def test_what_is_loaded_when():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    alone, listed, everyday, rare, layer = json.loads(done.stdout)
    assert alone == listed == everyday == []
    assert rare == ["agar.ops.math.fft"]
    assert "agar.nn.layer" in layer
    assert not {"agar.train", "agar.amp", "agar.nn.loss", "agar.dataset"}.intersection(layer)


def test_operators_of_python_stay_what_they_are():
    cls = ms.Tensor
    assert cls.__add__ is cls.__add__ is vars(cls)["__add__"]
    assert cls.__add__.__qualname__ == "Tensor.__add__"

    class Own(ms.Tensor):
        def __radd__(self, other):
            return "own"

    assert ms.Tensor([1.0]) + Own([1.0]) == "own"


def test_an_index_that_is_not_true_says_what_to_do():
    table = Table()
    table.expect({"math.special": {"functions": "no_such_operator"}}, "agar.ops")
    assert list(table.functions) == ["no_such_operator"]
    with pytest.raises(
        ImportError, match=r"does not declare the operator 'no_such_operator'.*make stubs"
    ):
        table.functions.get("no_such_operator")


def test_two_operators_of_one_name_are_refused():
    table = Table()
    for again in (False, True):
        entry = Op("one", abs)
        entry.names = ("one",)
        if again:
            with pytest.raises(ValueError, match="Two operators claim the name 'one'"):
                table.add(entry)
        else:
            table.add(entry)
    assert table.functions.get("one") is table.declared[0]
    assert table.functions.get("two") is None


def test_unknown_names_of_late_packages_are_refused_with_a_hint():
    with pytest.raises(AttributeError, match="did you mean 'Dense'"):
        ms.nn.Densee  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'train\.Model' has this name"):
        ms.nn.Model  # type: ignore[attr-defined]
    assert "Dense" in dir(ms.nn)
    assert "TYPE_CHECKING" not in dir(ms.nn)
    assert late.names("agar.nn.loss") == sorted(ms.nn.loss.__all__)
