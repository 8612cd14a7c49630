"""What a message adds for people who know PyTorch, or who misspelt a name.

Everything here runs after something went wrong: :class:`MissingName` is the AttributeError of a
name that is not there, and :func:`about_keyword` ends the TypeError of an argument that a callable
does not take.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from agar._core import torch_names
from agar._core.errors import describe

__all__ = [
    "MissingName",
    "about_construct",
    "about_has_key",
    "about_keyword",
    "as_methods_of",
    "excess_arguments",
    "explain_constructor",
    "explained",
    "quoted",
    "refuse_import",
    "unexpected_keywords",
]

F = TypeVar("F", bound=Callable[..., Any])

_UNEXPECTED = re.compile(r"([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'")

_WITHOUT_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '\w+'")

# Where a name that one module lacks may be, in the order in which the places are proposed.
_PLACES = ("ops", "nn", "mint", "mint.nn", "mint.nn.functional", "train")


class MissingName(AttributeError):
    """The AttributeError of a name that a module or an object does not have.

    ``hasattr`` and ``getattr`` with a default raise it as well, and nobody reads its message. So
    what to use instead is looked for when the message is shown. Python tells the error where it
    came from (its ``name`` and ``obj``).
    """

    def __str__(self) -> str:
        text = super().__str__()
        hint = self.__dict__.get("hint")
        if hint is None:
            name, self.hint = self.name, ""
            if isinstance(name, str) and not name.startswith("_") and self.obj is not None:
                self.hint = hint = _hint(self.obj, name)
                if hint:
                    self.obj = None  # else Python proposes similar names a second time
        return text + self.hint

    def __reduce__(self) -> tuple[Any, ...]:
        return AttributeError, (str(self),)


# Tracebacks show it as what it is to everyone.
MissingName.__name__ = MissingName.__qualname__ = "AttributeError"
MissingName.__module__ = "builtins"


def about_has_key(error: BaseException) -> None:
    """Say of ``dict.has_key``, which MindSpore's compiler knows and Python 3 does not, what it is.

    Args:
        error (BaseException): what was raised; its message is continued where it is about this.
    """
    about = isinstance(error, AttributeError) and getattr(error, "name", None) == "has_key"
    if about and isinstance(getattr(error, "obj", None), dict) and len(error.args) == 1:
        error.args = (
            f"{error}. Only compiled code gives dicts 'has_key': functions under jit, and "
            "'construct' in GRAPH_MODE, not what they call. Write 'key in d' for 'd.has_key(key)'.",
        )


def as_methods_of(cls: type, parts: Iterable[type], module: str) -> None:
    """Name methods of base classes that nobody sees after the class that everybody knows.

    Python's own errors about arguments, and pickles, name a method by these two.
    """
    for part in parts:
        for name, value in vars(part).items():
            method = getattr(value, "__func__", getattr(value, "fget", value))
            while isinstance(method, FunctionType):
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                method.__module__ = module
                method = getattr(method, "__wrapped__", None)


def refuse_inputs(name: str, place: str, value: Any) -> None:
    """Refuse a tensor, or a tuple or list of them, where an object is made that is called later.

    Args:
        name: of the class.
        place: the module that people know it by, such as ``nn``; empty for a class of theirs.
        value: the first argument of the constructor.

    Raises:
        TypeError: it is one.
    """
    first = value[0] if isinstance(value, (tuple, list)) and value else value
    if hasattr(first, "asnumpy"):
        call = f"{place}.{name}()" if place else f"{name}()"
        raise TypeError(
            f"For '{name}', the constructor takes settings, but got a {type(first).__name__}; make "
            f"the object first, then call it: {call}(...)."
        )


def _hint(owner: Any, name: str) -> str:
    if isinstance(owner, ModuleType):
        return _in_module(owner, name)
    classes = {cls.__name__ for cls in type(owner).__mro__}
    for kind, words in torch_names.ATTRIBUTES.items():
        if kind in classes and name in words:
            return f"; {words[name]}."
    plain = name.rstrip("_")
    if "Tensor" in classes and plain != name and hasattr(type(owner), plain):
        return f"; tensor = tensor.{plain}(...) makes a new tensor."
    if "Tensor" in classes and _has("ops", plain):
        return f"; use ops.{plain}(tensor, ...)."
    return similar(name, dir(owner))


def refuse_import(path: str) -> None:
    """Say what to import in place of a name of PyTorch: ``from agar.nn import Module``.

    Python asks the finders of modules for a name that a package does not have. What they raise is
    shown if it is not about that name itself.

    Raises:
        ModuleNotFoundError: it is a name of PyTorch.
    """
    parent, _, name = path.rpartition(".")
    instead = torch_names.MODULES.get(parent, {}).get(name)
    if instead:
        text = f"cannot import name '{name}' from '{parent}'; {instead}."
        raise ModuleNotFoundError(text, name=parent)


def _in_module(module: ModuleType, name: str) -> str:
    path = module.__name__
    if path.partition(".")[0] == "mindspore":  # the other name of agar
        path = path.replace("mindspore", "agar", 1)
    instead = torch_names.MODULES.get(path, {}).get(name)
    if instead:
        return f"; {instead}."
    own = {*getattr(module, "__all__", ()), *dir(module)}
    alike = _same_letters(name, own)
    places = [f"{place}.{name}" for place in _elsewhere(path, name)[:2]]
    if alike:
        return f"; did you mean {quoted([*alike, *places[:1]], 'or')}?"
    return f"; {quoted(places, 'or')} has this name." if places else similar(name, own)


def _elsewhere(module: str, name: str) -> list[str]:
    if module not in {"agar", *(f"agar.{place}" for place in _PLACES)}:
        return []
    return [p for p in _PLACES if f"agar.{p}" != module and _has(p, name)]


def _has(place: str, name: str) -> bool:
    return name in getattr(import_module(f"agar.{place}"), "__all__", ())


def quoted(words: Iterable[str], last: str = "and") -> str:
    """``'a', 'b' and 'c'``."""
    parts = [f"'{word}'" for word in words]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def similar(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'softmax'?``, or nothing where no name is close."""
    import difflib  # costs start-up time, and most programs need none of it

    public = sorted(word for word in known if not word.startswith("_"))
    close = _same_letters(name, public) or difflib.get_close_matches(name, public, 2, 0.75)
    if len(close) > 1:
        best, second = (difflib.SequenceMatcher(None, word, name).ratio() for word in close[:2])
        close = close[: 1 + (best - second < 0.05)]
    return f"; did you mean {quoted(close, 'or')}?" if close else ""


def _same_letters(name: str, known: Iterable[str]) -> list[str]:
    return sorted(word for word in known if word.lower() == name.lower())


def about_keyword(keyword: str, accepted: Iterable[str]) -> str:
    """What to write in place of a keyword that a callable does not take.

    Args:
        keyword: what came.
        accepted: the keywords that the callable takes.

    Returns:
        The end of a message, with its semicolon and full stop.
    """
    known = [name for name in accepted if not name.startswith("_")]
    for entry in torch_names.ARGUMENTS.get(keyword, ()):
        meant = entry.split("+")
        if " " in entry:
            return f"; {entry}."
        if set(meant) <= set(known):
            return f"; '{keyword}' is called {quoted(meant)} here."
    return similar(keyword, known) or (f"; it takes {quoted(known)}." if known else ".")


def about_construct(cell: Any, error: BaseException) -> str:
    """What to add to an error of Python's own that came out of a cell's ``construct``, or nothing.

    It is what ``construct`` takes, where it was called with other arguments, and which of them is
    not a Tensor where one of agar's cells needs one.
    """
    text = str(error)
    if isinstance(error, AttributeError):
        return _about_inputs(cell, error, text)
    if not isinstance(error, TypeError):
        return ""
    if text == "'int' object is not callable":
        return "; if this was tensor.size(), use tensor.shape: size is a number here."
    if not text.startswith(f"{type(cell).__name__}.construct("):
        return ""
    params = inspect.signature(cell.construct).parameters.values()
    takes = ", ".join(str(p.replace(annotation=p.empty)) for p in params)
    return f"; construct of {type(cell).__name__} takes ({takes})."


def _about_inputs(cell: Any, error: BaseException, text: str) -> str:
    """Which inputs of one of agar's cells are of the type that lacks an attribute of tensors."""
    kind = type(cell)
    missing = _WITHOUT_ATTRIBUTE.match(text)
    if missing is None or not kind.__module__.startswith("agar."):
        return ""
    code = getattr(kind.construct, "__code__", None)
    step = error.__traceback__
    while step is not None and step.tb_frame.f_code is not code:
        step = step.tb_next
    if step is None or code is None:
        return ""
    values = step.tb_frame.f_locals
    for name in code.co_varnames[1 : code.co_argcount]:
        takes = str(kind.construct.__annotations__.get(name, "Any"))
        if type(values.get(name)).__name__ == missing[1] and re.search("Tensor|Any", takes):
            return (
                f"; for '{kind.__name__}', the input '{name}' must be a Tensor, but got "
                f"{describe(values[name])}."
            )
    return ""


def unexpected_keywords(called: str, given: Iterable[str], accepted: Iterable[str]) -> TypeError:
    """The TypeError of a call with keywords that the callable does not take.

    Args:
        called: the callable as Python's message shows it, such as ``softmax``.
        given: the keywords of the call.
        accepted: the keywords that it takes.
    """
    accepted = list(accepted)
    keyword = next(word for word in given if word not in accepted)
    end = about_keyword(keyword, accepted)
    return TypeError(f"{called}() got an unexpected keyword argument '{keyword}'{end}")


def excess_arguments(called: str, params: Sequence[inspect.Parameter], excess: int) -> TypeError:
    """The TypeError of a call with more positional arguments than the callable takes.

    Args:
        called: the callable as Python's message shows it.
        params: its positional parameters.
        excess: how many arguments are too many.
    """
    most = len(params)
    least = sum(p.default is p.empty for p in params)
    takes = f"from {least} to {most}" if least < most else f"{most}"
    end = torch_names.CALLS.get(called.rpartition(".")[2])
    end = f"; {end}." if end else f": {quoted(p.name for p in params)}." if params else "."
    return TypeError(
        f"{called}() takes {takes} positional argument{'s' * (most != 1)} but {most + excess} "
        f"were given{end}"
    )


def explained(function: F) -> F:
    """The function, whose TypeErrors of calls with unknown keywords say what is meant instead.

    It is for what is called seldom, such as constructors of cells: the call costs 0.1 us more.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            trace = error.__traceback__
            if trace is None or trace.tb_next is not None:  # it comes from inside the function
                raise
            match = _UNEXPECTED.match(str(error))
            if match is None:
                raise
            called, names = match[1], list(inspect.signature(function).parameters)
            if called.endswith(".__init__") and type(args[0]).__init__ is call:
                called = f"{type(args[0]).__name__}.__init__"  # not that of the base class
            raise unexpected_keywords(called, kwargs, (n for n in names if n != "self")) from None

    return call  # type: ignore[return-value]


def explain_constructor(cls: type) -> None:
    """Have a constructor of agar's own that a class defines say what is meant, as `explained`."""
    own = vars(cls).get("__init__")
    if own is not None and cls.__module__.startswith("agar."):
        cls.__init__ = explained(own)
