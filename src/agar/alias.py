"""``import mindspore`` resolves to agar.

NOTE One module, two names. ``mindspore.nn.layer.conv`` is the module ``agar.nn.layer.conv``: the
finder imports agar's module and registers the same object under the other name, so classes are
identical under both. Their ``__module__`` is changed to MindSpore's, because programs print class
paths. The top module is a thin one of its own, with MindSpore's version.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["MINDSPORE_VERSION", "alias_mindspore"]

#: The version of MindSpore whose behavior agar reproduces.
MINDSPORE_VERSION = "2.10.0"

_OLD, _NEW = "agar", "mindspore"
_PRIVATE = ("agar._core", "agar.compat", "agar.cli", "agar.alias", "agar.__main__")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``mindspore.x.y`` as ``agar.x.y``."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname == _NEW or not fullname.startswith(f"{_NEW}."):
            return None
        own = _OLD + fullname[len(_NEW) :]
        if own.startswith(_PRIVATE):
            return None
        parent, _, last = own.rpartition(".")
        held = getattr(sys.modules.get(parent), "__dict__", {}).get(last)
        if parent == "agar.ops" and held is not None and not isinstance(held, ModuleType):
            # a function (ops.cast), whose file is not a module of MindSpore; None would let Python
            # load the file a second time
            raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)
        try:
            spec = importlib.util.find_spec(own)
        except ModuleNotFoundError as error:
            if error.name == parent:  # it says what to import instead
                raise
            spec = None
        if spec is None:
            return None
        return importlib.machinery.ModuleSpec(
            fullname, self, is_package=spec.submodule_search_locations is not None
        )

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        """What ``importlib.metadata`` says of the package: programs ask it for the version."""
        if context is None or context.name in (None, _NEW):
            from importlib.metadata import Distribution  # loaded by those who ask

            class Alias(Distribution):
                """The package ``mindspore`` that agar stands for."""

                def read_text(self, filename: Any) -> str | None:
                    text = f"Metadata-Version: 2.1\nName: {_NEW}\nVersion: {MINDSPORE_VERSION}\n"
                    return text if filename == "METADATA" else None

                def locate_file(self, path: Any) -> Any:
                    return Path(str(sys.modules[_OLD].__file__)).parent.parent / path

            yield Alias()

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        own = _OLD + spec.name[len(_NEW) :]
        module = importlib.import_module(own)
        # import machinery writes its own spec into the module; exec_module puts this one back
        spec.loader_state = (module.__spec__, module.__dict__.get("__loader__"), own)
        return module

    def exec_module(self, module: ModuleType) -> None:
        state = module.__spec__.loader_state if module.__spec__ else None
        if state is not None:
            module.__spec__, module.__loader__ = state[0], state[1]
            package = state[2] if hasattr(module, "__path__") else state[2].rpartition(".")[0]
            module.__package__ = package
            if hasattr(module, "__path__"):
                _register_namesakes(package)
        _rename_loaded()


class _TopModule(ModuleType):
    """The module ``mindspore``: agar's names with MindSpore's version."""

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(sys.modules[_OLD], name)
        except AttributeError:
            try:
                return importlib.import_module(f"{_NEW}.{name}")
            except ModuleNotFoundError:
                return self._private(name)
        if isinstance(value, ModuleType):
            _rename_loaded()  # agar loaded it just now, without the finder
        return value

    @staticmethod
    def _private(name: str) -> Any:
        try:
            return importlib.import_module("agar.compat").find("", name)
        except AttributeError:
            raise AttributeError(f"module 'mindspore' has no attribute '{name}'") from None

    def __dir__(self) -> list[str]:
        return sorted({*dir(sys.modules[_OLD]), *self.__dict__})


_finder = _Finder()
_renamed: set[str] = set()


def _register_namesakes(package: str) -> None:
    """Register the loaded modules of a package that hide behind another object of their name.

    The import of ``mindspore.common.tensor`` by the finder would make the module the attribute
    ``tensor`` of the package, where the function ``tensor`` belongs; what is registered is not
    imported. The files of ``ops`` (cast, shape) are not modules of MindSpore.
    """
    space = vars(sys.modules[package])
    for name, module in list(sys.modules.items()):
        parent, _, last = name.rpartition(".")
        if parent == package != "agar.ops" and space.get(last, module) is not module:
            sys.modules.setdefault(_NEW + name[len(_OLD) :], module)


def _rename_loaded() -> None:
    """Give the public classes of modules that were loaded since MindSpore's paths."""
    compat = importlib.import_module("agar.compat")
    for name in compat.new_modules(_renamed):
        for value in list(vars(sys.modules[name]).values()):
            if isinstance(value, type):
                home = getattr(value, "__module__", "")
                if (
                    isinstance(home, str)
                    and home.startswith(f"{_OLD}.")
                    and not home.startswith(_PRIVATE)
                ):
                    try:
                        value.__module__ = _NEW + home[len(_OLD) :]
                    except (AttributeError, TypeError):
                        continue  # classes made in C do not let themselves be renamed
    compat.install()


def alias_mindspore() -> None:
    """From now on ``import mindspore`` and its submodules give agar in this process.

    Calling it again does nothing.

    Raises:
        RuntimeError: the real MindSpore is already imported in this process.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar
        >>> agar.alias_mindspore()
        >>> import mindspore.nn
        >>> mindspore.nn is agar.nn
        True
    """
    present = sys.modules.get(_NEW)
    if isinstance(present, _TopModule):
        _rename_loaded()
        return
    if present is not None:
        raise RuntimeError(
            "The real MindSpore is already imported in this process (from "
            f"{getattr(present, '__file__', 'an unknown place')}), and both cannot share one name. "
            "Call agar.alias_mindspore() before anything imports mindspore, or run the program "
            "with 'agar run script.py'."
        )
    importlib.import_module(_OLD)
    # classes get MindSpore's paths, and modules its private names, once they are loaded
    importlib.import_module("agar._core.late").load_all()
    importlib.import_module("agar.ops._paths").load_all()
    top = _TopModule(_NEW, sys.modules[_OLD].__doc__)
    top.__path__ = []  # a package, so that its submodules are looked for
    top.__dict__["__version__"] = MINDSPORE_VERSION
    top.__spec__ = importlib.machinery.ModuleSpec(_NEW, _finder, is_package=True)
    top.__dict__["__agar__"] = True
    sys.modules[_NEW] = top
    sys.meta_path.insert(0, _finder)
    for short in importlib.import_module("agar._paths").NAMESAKES:
        sys.modules[f"{_NEW}.{short}"] = sys.modules[f"{_OLD}.{short}"]
    _rename_loaded()
    for part in ("arguments", "settings"):
        importlib.import_module(f"agar.compat.legacy.{part}").install()
