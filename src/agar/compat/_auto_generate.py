"""MindSpore's generated operators, made from agar's: the table is `operators.txt`.

Programs take Primitives such as ``AddExt`` from ``ops.auto_generate``, objects of them
(``add_ext_op``), functions (``add_scalar``) and those of ``pyboost_inner_prim`` (``concat_impl``).
They have MindSpore's names, order and defaults of arguments; what they compute is an expression
over agar's public functions, so that gradients, precision and errors are those functions'.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from agar._core.optable import Primitive

__all__ = ["listed", "lookup"]

#: Files of such names count as the library's, for recordings.
_FILE = "<agar generated operators>"
_LINE = re.compile(r"(\w+)(?:\[(.*?)\])?\((.*)\): (.*)$")
_PACKAGE = "ops.auto_generate"


class _Declared(NamedTuple):
    """One line of the table."""

    name: str
    init: str
    call: str
    body: str


@cache
def _table() -> dict[str, dict[str, _Declared]]:
    """The lines of each module of the package, by name."""
    tables: dict[str, dict[str, _Declared]] = {}
    section: dict[str, _Declared] = {}
    text = Path(__file__).with_name("operators.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            section = tables.setdefault(line[1:-1], {})
        elif not line.startswith("#"):
            match = _LINE.match(line)
            assert match is not None, line
            name, init, call, body = match.groups()
            section[name] = _Declared(name, init or "", call, body)
    tables["gen_extend_func"] = tables["gen_ops_def"]
    return tables


def listed(module: str) -> list[str]:
    """The names that the table has for a module, which is given without ``ops.auto_generate.``."""
    return sorted(_table().get(module, {}))


#: the modules that expressions of the table name
_MODULES = {
    "F": "agar.mint.nn.functional",
    "backward": "agar.ops.operations._grad_ops",
    "comm": "agar.ops.communication",
    "fft": "agar.scipy.fft",
    "mint": "agar.mint",
    "ms": "agar",
    "ops": "agar.ops",
}


def _space(*texts: str) -> dict[str, Any]:
    """What the names in some texts of the table stand for; nothing else is loaded."""
    words = {word for text in texts for word in re.findall(r"(?<![.\w])[A-Za-z_]\w*", text)}
    space = {name: import_module(path) for name, path in _MODULES.items() if name in words}
    for home in ("_operator_parts", "_expert_parts", "_collective_parts"):
        parts = import_module(f"agar.compat.{home}")
        space.update({name: getattr(parts, name) for name in words.intersection(parts.__all__)})
    return space


def _compiled(name: str, arguments: str, body: str, module: str, **more: Any) -> Callable[..., Any]:
    """A function with these arguments that returns the value of an expression."""
    space = {**_space(arguments, body), **more}
    source = f"def {name}({arguments}): return {body}"
    exec(compile(source, _FILE, "exec"), space)  # the package's own table
    result = space[name]
    result.__module__ = module
    return result


def _names(arguments: str) -> list[str]:
    """The names of the arguments of a table's line."""
    tree = ast.parse(f"def f({arguments}): ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return [argument.arg for argument in tree.args.args]


def _doc(declared: _Declared, what: str) -> str:
    return (
        f"{what} ``{declared.name}`` of MindSpore: ``{declared.body}``.\n\n"
        "Difference from PyTorch: none (a name of MindSpore for that function).\n\n"
        "Source: MindSpore 2.10's argument names and results.\n"
    )


def _primitive(declared: _Declared, module: str) -> type[Primitive]:
    """The class of a declared Primitive."""
    retained = "".join(f"; self._attrs[{o!r}] = self.{o} = {o}" for o in _names(declared.init))
    space = _space(declared.init, declared.call, declared.body)
    space["Primitive"] = Primitive
    source = (
        f"def __init__(self, {declared.init}):\n"
        f"    Primitive.__init__(self, {declared.name!r}){retained}\n"
        f"def __call__(self, {declared.call}):\n    return {declared.body}\n"
    )
    exec(compile(source, _FILE, "exec"), space)
    body = {name: space[name] for name in ("__init__", "__call__")}
    body.update(__doc__=_doc(declared, "The Primitive"), __module__=module)
    return type(declared.name, (Primitive,), body)


def _through(declared: _Declared, module: str) -> Callable[..., Any]:
    """The function that calls a Primitive: what its constructor takes are arguments too."""
    kind = getattr(import_module(f"agar.{_PACKAGE}.gen_ops_prim"), declared.body)
    given = list(inspect.signature(kind.__init__).parameters)[1:]
    names = _names(declared.call)
    init = ", ".join(f"{name}={name}" for name in names if name in given)
    rest = ", ".join(name for name in names if name not in given)
    result = _compiled(declared.name, declared.call, f"_kind({init})({rest})", module, _kind=kind)
    result.__doc__ = _doc(declared, "The function")
    return result


def _function(declared: _Declared, module: str) -> Callable[..., Any]:
    if declared.body.isidentifier():
        return _through(declared, module)
    result = _compiled(declared.name, declared.call, declared.body, module)
    result.__doc__ = _doc(declared, "The function")
    return result


def _prim_of(declared: _Declared, module: str) -> type:
    """The class of which a function of `pyboost_inner_prim` is the one object."""
    call = _compiled("__call__", f"self, {declared.call}", declared.body, module)
    return type(declared.init, (), {"__call__": call, "__module__": module})


def lookup(path: str, name: str, missing: Any) -> Any:
    """What the table has for a name of ``ops.auto_generate`` or a module of it, else `missing`."""
    short = path.removeprefix(_PACKAGE).lstrip(".")
    tables = _table()
    for module in (short,) if short else tables:
        declared = tables.get(module, {}).get(name)
        if declared is not None:
            home = f"agar.{_PACKAGE}.{module}"
            if short == "":  # the same object at both paths
                return getattr(import_module(home), name)
            return (_primitive if module == "gen_ops_prim" else _function)(declared, home)
    for declared in tables["pyboost_inner_prim"].values() if name.startswith("_Pyboost") else ():
        if declared.init == name and short in ("", "pyboost_inner_prim"):
            return _prim_of(declared, f"agar.{_PACKAGE}.pyboost_inner_prim")
    return missing
