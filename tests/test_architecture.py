"""The plan of the house, kept by machine: which way imports point, and what the tree may contain.

The order of the layers is that of the design: `_core` <- `ops` <- (`mint`, `numpy`, `scipy`,
`common`) <- `nn` <- (`amp`, `train`) <- `migrate` <- `cli`.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "agar"

# An import may point to the same part, or to a part of a lower level. Parts of one level do not
# know each other. A new top-level module must be given its place here.
LEVELS: dict[str, float] = {
    "_core": 0,
    "ops": 1,
    "context": 1,
    "graph": 1,
    "log": 1,
    "mint": 5,
    "numpy": 2,
    "scipy": 2,
    "common": 2,
    "nn": 3,
    "amp": 4,
    "train": 4,
    "": 5,  # the package file
    "alias": 5,
    "experimental": 4,
    "boost": 3.5,  # the training cells of boost levels, which `train` uses
    "communication": 2,
    "dataset": 5,
    "device_context": 1,
    "hal": 2,
    "mindrecord": 4,
    "multiprocessing": 1,
    "onnx": 5,
    "parallel": 5,
    "profiler": 5,
    "rewrite": 5,
    "runtime": 1,
    "_paths": 5,
    "_checkparam": 1,
    "_c_expression": 2,
    "_extends": 2,
    "run_check": 5,
    "safeguard": 5,
    "device_manager": 1,
    "tools": 4,
    "utils": 5,
    "migrate": 6,
    "compat": 7,
    "cli": 7,
    "__main__": 8,
}
# These name what others define, so they may see every part.
ALIASES = {"", "_paths", "alias"}

# What `import agar` must not load: each costs start-up time that most programs never use.
LATE = (
    "rich",
    "typer",
    "safetensors",
    "google.protobuf",
    "sklearn",
    "scipy",
    "torch._dynamo",
    "torch._inductor",
    "torch.distributed.tensor",
)


class Import(NamedTuple):
    """One import statement: who imports what, where, and whether it runs with the module."""

    module: str
    target: str
    line: int
    eager: bool


def _module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _modules() -> dict[str, Path]:
    return {_module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


MODULES = _modules()


def _is_type_checking(node: ast.If) -> bool:
    test = node.test
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _statements(tree: ast.AST, eager: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """Every import statement, and whether importing the module runs it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, eager
            continue
        late = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if isinstance(node, ast.If) and _is_type_checking(node):
            for part in node.body:
                yield from _statements(ast.Module([part], []), False)
            for part in node.orelse:
                yield from _statements(ast.Module([part], []), eager)
            continue
        yield from _statements(node, eager and not late)


def _targets(node: ast.stmt, module: str, is_package: bool) -> Iterator[str]:
    """The modules an import statement names, as absolute dotted names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
        return
    assert isinstance(node, ast.ImportFrom)
    base = node.module or ""
    if node.level:
        package = module.split(".") if is_package else module.split(".")[:-1]
        package = package[: len(package) - (node.level - 1)]
        base = ".".join([*package, base] if base else package)
    for alias in node.names:
        full = f"{base}.{alias.name}"
        yield full if full in MODULES else base


@functools.cache
def _trees() -> dict[str, ast.Module]:
    """The package, read once, and only where a test asks for it."""
    return {
        module: ast.parse(path.read_text(encoding="utf-8"), str(path))
        for module, path in MODULES.items()
    }


@functools.cache
def _imports() -> list[Import]:
    return [
        Import(module, target, node.lineno, eager)
        for module, tree in _trees().items()
        for node, eager in _statements(tree)
        for target in _targets(node, module, MODULES[module].name == "__init__.py")
    ]


@functools.cache
def _internal() -> list[Import]:
    return [i for i in _imports() if i.target.split(".")[0] == "agar"]


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _place(found: Import) -> str:
    return f"{MODULES[found.module].relative_to(ROOT)}:{found.line}"


def test_every_part_has_a_level():
    """A new part of the package must say where in the order it stands."""
    parts = {_part(module) for module in MODULES}
    unknown = parts - LEVELS.keys()
    assert not unknown, f"give these parts a level in {Path(__file__).name}: {sorted(unknown)}"


def test_imports_point_one_way():
    """No import points upwards or sideways in the order of the layers."""
    wrong = []
    for item in _internal():
        here, there = _part(item.module), _part(item.target)
        if here in ALIASES or here == there:
            continue
        if LEVELS[there] >= LEVELS[here]:
            wrong.append(f"{_place(item)}: {here} must not import {item.target}")
    assert not wrong, "\n".join(wrong)


def test_no_cycle_of_imports():
    """The modules can be put in an order in which each imports only earlier ones."""
    edges: dict[str, set[str]] = {module: set() for module in MODULES}
    for item in _internal():
        if item.eager and item.target in MODULES and item.target != item.module:
            edges[item.module].add(item.target)
    done: set[str] = set()
    path: list[str] = []

    def visit(module: str) -> None:
        if module in done:
            return
        if module in path:
            cycle = [*path[path.index(module) :], module]
            pytest.fail("cycle of imports: " + " -> ".join(cycle))
        path.append(module)
        for target in sorted(edges[module]):
            visit(target)
        path.pop()
        done.add(module)

    for module in edges:
        visit(module)


def test_torch_is_imported_in_core_and_ops_alone():
    """One seam to the engine: elsewhere a comment above or beside the import gives the reason."""
    wrong = []
    for item in _imports():
        # networks of PyTorch are what migrate is about
        if item.target.split(".")[0] != "torch" or _part(item.module) in {
            "_core",
            "ops",
            "migrate",
        }:
            continue
        lines = MODULES[item.module].read_text(encoding="utf-8").splitlines()
        above = [line for line in lines[: item.line - 1] if line.strip()]
        reason_above = bool(above) and above[-1].lstrip().startswith("#")
        if not reason_above and " # " not in lines[item.line - 1]:
            wrong.append(f"{_place(item)}: import of {item.target} without a comment that says why")
    assert not wrong, "\n".join(wrong)


def test_package_file_only_names_things():
    """`agar/__init__.py` has imports, plain names and at most the lazy-attribute hooks."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    hooks = {"__getattr__", "__dir__"}
    wrong = []
    for node in tree.body:
        names_only = isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign))
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        hook = isinstance(node, ast.FunctionDef) and node.name in hooks
        typing = isinstance(node, ast.If) and _is_type_checking(node)
        if not (names_only or docstring or hook or typing):
            wrong.append(f"line {node.lineno}: {type(node).__name__}")
    assert not wrong, "logic belongs into the module that owns it: " + "; ".join(wrong)


def test_import_leaves_the_garbage_collector_on():
    script = "import gc, agar; assert gc.isenabled(); gc.disable(); import agar.numpy"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


def test_import_is_light():
    """`import agar` loads nothing beyond torch and numpy that costs time."""
    script = (
        "import sys, torch\n"
        "before = set(sys.modules)\n"
        "import agar\n"
        f"late = {LATE!r}\n"
        "new = set(sys.modules) - before\n"
        "print(*sorted(m for m in new if m.startswith(late)), sep='\\n')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment
    )
    assert result.returncode == 0, result.stderr
    loaded = [m for m in result.stdout.split() if re.match(rf"({'|'.join(LATE)})(\.|$)", m)]
    assert not loaded, f"import agar loads {loaded}"


# --- what the tree may contain -------------------------------------------------------------------


def _tracked() -> list[Path]:
    """The files of the repository: those of git, or in an unpacked archive those of the source."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
        paths = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        folders = ("src", "tests", "docs", "examples", "benchmarks")
        paths = [p for folder in folders for p in (ROOT / folder).rglob("*")]
    return [p for p in paths if p.is_file() and "__pycache__" not in p.parts]


def _lines(pattern: re.Pattern[str], *, skip: frozenset[str] = frozenset()) -> list[str]:
    items = []
    for path in _tracked():
        name = path.relative_to(ROOT).as_posix()
        if name in skip:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # binary test data
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                items.append(f"{name}:{number}: {line.strip()[:100]}")
    return items


def test_no_path_of_a_machine():
    """Absolute paths belong to one machine; the repository must work on every one."""
    machine = re.compile(
        r"(^|[^A-Za-z0-9_.:/])/(home|root|tmp|work|opt|mnt|srv|Users|usr/local)/[A-Za-z]"
    )
    assert _lines(machine) == []


def test_nothing_unfinished():
    """What is not done raises an error that says so; a note to oneself is no substitute."""
    words = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"))
    assert _lines(re.compile(rf"\b({words})\b"), skip=frozenset({"LICENSE"})) == []


def test_no_test_that_cannot_fail():
    """A test that swallows its failure shows nothing."""
    hollow = re.compile(r"assert " + r"True\b|except( Exception)?: *pass|pytest\.skip\(\)")
    assert [line for line in _lines(hollow) if line.startswith("tests/")] == []


def test_dependencies_are_pinned():
    """What pyproject.toml asks for, the requirement files pin; no line there names another host."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    expected = set(re.findall(r'^  "([A-Za-z0-9_-]+)', block[1], re.MULTILINE))
    pinned = set()
    loose = []
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            requirement = line.split(" #")[0].strip()
            if not requirement or requirement.startswith(("#", "-r ")):
                continue
            match = re.fullmatch(r"([A-Za-z0-9_.-]+)==[^\s;]+( ; python_version .*)?", requirement)
            if match is None:
                loose.append(f"{path.name}: {requirement}")
            elif path.name == "base.txt":
                pinned.add(match[1])
    assert not loose, loose
    assert expected <= pinned, f"not pinned in requirements/base.txt: {sorted(expected - pinned)}"


def test_no_line_installs_the_package_of_a_stranger():
    """On the package index `agar` is another project; this one is distributed as `agar-ms`."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^name = "agar-ms"$', text, re.MULTILINE)
    install = re.compile(r"\binstall\b[^|&;#]*?[\s\"'`]agar(\[|[\"'`\s=<>~).,]|$)|\"agar\[")
    assert install.search("pip " + "install agar[onnx]")
    assert install.search("pip " + "install -U agar.")
    assert not install.search("pip " + "install agar-ms")
    said = [
        line
        for line in _lines(install)
        if not line.startswith(("tests/test_architecture.py:", "CHANGELOG.md:"))
    ]
    assert said == []


# Everything that deletes, moves or empties a folder. `files` is the one place that may, see there.
_DELETING = {"remove", "unlink", "rmdir", "removedirs", "rmtree", "replace", "rename", "renames"}
_DELETING |= {"move", "truncate", "mkstemp", "NamedTemporaryFile", "mkdtemp"}
# Modules in which a call of such a name is meant, with the reason.
_MAY_DELETE = {
    "_core/files.py": "the only functions that delete",
}


def _deletions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Uses of functions that delete files: of os, shutil, tempfile and of paths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "shutil", "tempfile"):
            yield from ((node.lineno, a.name) for a in node.names if a.name in _DELETING)
        elif isinstance(node, ast.Attribute) and node.attr in _DELETING:
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner in ("os", "shutil", "tempfile") or node.attr in ("unlink", "rmdir", "rmtree"):
                yield node.lineno, f"{owner}.{node.attr}"


def test_one_module_deletes_files() -> None:
    listed = {}
    for module, tree in _trees().items():
        uses = list(_deletions(tree))
        if uses:
            listed[MODULES[module].relative_to(PACKAGE).as_posix()] = uses
    assert set(listed) == set(_MAY_DELETE), listed


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.remove(a)",
        "from os import unlink",
        "import shutil\nf = shutil.rmtree",
        "a.parent.rmdir()",
        "Path(a).unlink()",
        "import tempfile\ntempfile.mkstemp()",
    ],
)
def test_a_deletion_is_seen(text: str) -> None:
    assert list(_deletions(ast.parse(text)))
