"""The public surface: every `__all__` as recorded, every name with a docstring.

A changed surface shows in review as a change of tests/data/public_names.json. To record a change
that is meant: `make names`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import agar

RECORD = Path(__file__).resolve().parent / "data" / "public_names.json"


def _families() -> set[str]:
    """The packages that declare operators, whose public names are listed by `agar.ops`."""
    folders = (Path(agar.__path__[0]) / "ops").iterdir()
    paths = {"composite", "function", "operations"}  # MindSpore's
    return {
        "agar.ops.spec",
        *(f"agar.ops.{f.name}" for f in folders if f.is_dir() and f.name not in paths),
    }


@cache
def public_modules() -> dict[str, ModuleType]:
    """Every importable module with an `__all__` and no private part in its path."""
    entries = {"agar": agar}
    families = tuple(_families())
    for info in pkgutil.walk_packages(agar.__path__, "agar."):
        if info.name.startswith(families) or any(
            part.startswith("_") for part in info.name.split(".")
        ):
            continue
        module = importlib.import_module(info.name)
        if hasattr(module, "__all__"):
            entries[info.name] = module
    return dict(sorted(entries.items()))


def surface() -> dict[str, list[str]]:
    """Module name to its sorted public names."""
    return {name: sorted(module.__all__) for name, module in public_modules().items()}


def write_record() -> None:
    """Record the present surface."""
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(surface(), indent=1) + "\n", encoding="utf-8")


def test_surface_is_the_recorded_one():
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    current = surface()
    lines = []
    for module in sorted(recorded.keys() | current.keys()):
        before, now = set(recorded.get(module, ())), set(current.get(module, ()))
        lines += [f"  + {module}.{name}" for name in sorted(now - before)]
        lines += [f"  - {module}.{name}" for name in sorted(before - now)]
    assert not lines, "the public names changed; if that is meant: make names\n" + "\n".join(lines)


def test_every_name_exists_once():
    wrong = []
    for name, module in public_modules().items():
        names = list(module.__all__)
        wrong += [
            f"{name}.{n} is listed twice" for n in sorted({n for n in names if names.count(n) > 1})
        ]
        wrong += [f"{name}.{n} does not exist" for n in names if not hasattr(module, n)]
    assert not wrong, "\n".join(wrong)


def _needs_docstring(value: object) -> bool:
    return inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value)


def _silent_methods(cls: type) -> list[str]:
    """Public methods and properties of a class without a docstring of their own or of a base."""
    return [
        name
        for name, member in vars(cls).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, property))
        and not (inspect.getdoc(getattr(cls, name)) or "").strip()
    ]


def test_every_name_has_a_docstring():
    """Classes and functions explain themselves: a class's inherited docstring does not count.

    A method may inherit its docstring, since an override keeps what its base promises.
    """
    missing = set()
    for name, module in public_modules().items():
        if not (module.__doc__ or "").strip():
            missing.add(name)
        for public in module.__all__:
            value = getattr(module, public)
            if _needs_docstring(value) and not (getattr(value, "__doc__", None) or "").strip():
                missing.add(f"{name}.{public}")
            if inspect.isclass(value):
                missing.update(f"{name}.{public}.{method}" for method in _silent_methods(value))
    assert not missing, "no docstring: " + ", ".join(sorted(missing))


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(f"usage: python {sys.argv[0]} --update    (the checks run under pytest)")
    write_record()
    print(f"recorded {sum(map(len, surface().values()))} names of {len(surface())} modules")
