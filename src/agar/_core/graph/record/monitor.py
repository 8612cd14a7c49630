"""What the Python of a recorded call does past torch's dispatcher.

While a call is recorded, a profile function sees every Python function that is entered and every
builtin that is called. The code objects of the user's own functions say which names the call can
read (:mod:`agar._core.graph.guard.reads` guards what these names lead to). What is neither the
user's Python nor known to compute only from its arguments (clocks, files, random numbers, C
extensions) makes the recording unusable: fail closed.

NOTE Blind spots of the profile function, and what covers them. Functions of Cython (all of
``numpy.random``) raise no event: the states of the global generators are compared, generators that
the call can reach are part of what is guarded, and the names that make new ones from entropy are
refused. Calls of C types raise none either: those that draw from entropy or the clock are refused
by the methods that are called on them.
"""

from __future__ import annotations

import collections
import contextlib
import contextvars
import functools
import gc
import os
import re
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from agar._core.gc_pause import collector_for_program, collector_from_program
from agar._core.graph.guard.code import names_in, names_in_format
from agar._core.graph.guard.getters import MISSING, hides_state
from agar._core.graph.record.generators import random_states
from agar._core.jit import set_recursion_limit
from agar._core.runtime import thread
from agar._core.tensor import Tensor

__all__ = [
    "LIBRARY",
    "READS_OF_ENVIRONMENT",
    "STANDARD",
    "USER",
    "Monitor",
    "kind_of_class",
    "kind_of_code",
    "kind_of_module",
    "paused",
    "unknown_builtin",
]

USER = 0
"""Code whose reads are guarded: the user's own, and that of other packages."""
LIBRARY = 1
"""agar, torch, numpy: computes from what it is given."""
STANDARD = 2
"""Modules of the standard library that compute from what they are given."""
IMPURE = 3
"""Modules of the standard library that read or change something else."""
GENERATED = 4
"""Code without a file: methods of named tuples and dataclasses, or what exec was given."""


def _folder(module: types.ModuleType) -> str:
    return os.path.dirname(module.__file__ or "") + os.sep


_HERE = __file__.rsplit("_core", 1)[0]
_STDLIB = _folder(os)
_LIBRARY_FOLDERS = (_HERE, _folder(torch), _folder(np))
#: What torch itself runs on.
_OF_TORCH = frozenset({"sympy", "mpmath", "networkx", "triton", "typing_extensions", "torchgen"})
_PURE = frozenset(
    {
        "__future__",
        "_collections_abc",
        "_weakrefset",
        "abc",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "copyreg",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "genericpath",
        "heapq",
        "inspect",
        "keyword",
        "numbers",
        "operator",
        "re",
        "reprlib",
        "sre_compile",
        "sre_constants",
        "sre_parse",
        "statistics",
        "string",
        "textwrap",
        "types",
        "typing",
        "weakref",
    }
)
_PURE_C = frozenset(
    {
        "_abc",
        "_bisect",
        "_collections",
        "_collections_abc",
        "_functools",
        "_heapq",
        "_operator",
        "_sre",
        "_struct",
        "_typing",
        "_weakref",
        "cmath",
        "collections",
        "functools",
        "itertools",
        "math",
        "operator",
        "typing",
    }
)
#: Modules of agar and torch whose functions change or read something else, if the user calls them.
_IMPURE_OF_LIBRARIES = re.compile(
    r"agar/(log|context|device_context/\w+|train/(serialization|resume|_export|summary/.*)"
    r"|dataset/(?!vision/|transforms/).*|mindrecord/.*|profiler/.*|runtime/.*|common/seed"
    r"|hal/.*|tools/(?!data_dump\.).*|utils/.*|parallel/(_.*|algo_parameter_config)"
    r"|_core/(context|settings))\.py$"
    r"|torch/(random|serialization|cuda/random|hub|_tensor_str|backends/.*|jit/_serialization)\.py$"
    r"|numpy/(core|_core)/(arrayprint|_ufunc_config|memmap)\.py$"
    r"|numpy/lib/(_?npyio(_impl)?|_?datasource|_?format(_impl)?)\.py$"
)
#: What agar's context says is guarded; ``with np.errstate(...)`` puts back what it sets.
_READS_OF_CONTEXT = frozenset({"get_context", "get_auto_parallel_context"})
_PUT_BACK = frozenset({np.errstate.__init__, np.errstate.__enter__, np.errstate.__exit__})
_HARMLESS = frozenset(getattr(f, "__code__", None) for f in _PUT_BACK)
#: Functions of the standard library that look for methods by name in classes, whose names are
#: compared.
_CHECKS = frozenset({"_check_methods"})
_IMPURE_BUILTINS = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "open", "print"}
)
#: Builtins of torch and numpy that read or write files, or what lies below the dispatcher.
_OUTSIDE = frozenset(
    {"_to_dlpack", "dump", "from_file", "fromfile", "tensor_split", "to_dlpack", "tofile"}
)
#: How builtins begin that ask for settings of torch, or change them.
_OF_SETTINGS = ("_get_", "_set_", "get_", "set_", "getbufsize", "setbufsize")
_NO_SETTINGS = frozenset({"get_default_dtype", "get_device"})  # the former is compared
_PURE_SYS = frozenset({"getsizeof", "intern", "getdefaultencoding"})
#: What the standard library asks to find out where an error came from, or when to stop.
_SYS_OF_STANDARD = frozenset({"exc_info", "getrecursionlimit"})
#: Names for the memory behind a tensor, which no guard compares.
_MEMORY = frozenset({"_cdata", "_version", "data_ptr", "storage_offset", "untyped_storage"})
#: Functions of agar's random numbers that set or tell a state, among those that draw.
_SEEDS = frozenset(
    {
        "get_all_state",
        "get_rng_state",
        "get_seed",
        "get_state",
        "initial_seed",
        "manual_seed",
        "seed",
        "set_all_state",
        "set_rng_state",
        "set_seed",
        "set_state",
    }
)
_OF_SEEDS = os.path.join("agar", "_core", "random", "")
_GRAD_ENABLED = torch.is_grad_enabled
#: Methods of text that read attributes of their arguments.
_FORMATS = frozenset({"format", "format_map"})
#: Bases of objects that are copied by their attributes and items.
_COPIED = frozenset({object, list, tuple, dict, collections.OrderedDict})
#: Methods of these types work on the object alone.
_PURE_OWNERS = (
    bool,
    bytearray,
    bytes,
    collections.OrderedDict,
    collections.deque,
    complex,
    dict,
    float,
    frozenset,
    int,
    list,
    np.dtype,
    np.generic,
    np.ndarray,
    property,
    range,
    re.Match,
    re.Pattern,
    set,
    slice,
    str,
    torch.Size,
    torch.Tensor,
    torch.device,
    torch.dtype,
    tuple,
    types.FunctionType,
    types.GeneratorType,
    types.MappingProxyType,
    Tensor,
)


def _codes_of_environment() -> frozenset[types.CodeType]:
    """What reads an environment variable, its helpers included; both are without effects."""
    kind = type(os.environ)
    functions = [kind.__getitem__, kind.__iter__, kind.__len__, os.getenv]
    functions += [vars(os.environ)[n] for n in ("encodekey", "decodekey", "encodevalue")]
    functions += [vars(os.environ)["decodevalue"]]
    codes = [getattr(function, "__code__", None) for function in functions]
    return frozenset([code for code in codes if code is not None])


#: The code that reads environment variables, which are compared where it ran.
READS_OF_ENVIRONMENT = _codes_of_environment()
#: What tells of weak references that anybody holds.
_COUNTS = frozenset({"getweakrefcount", "getweakrefs"})
#: Finalizers: what they tell and change is in a register of their class.
_FINALIZERS = frozenset(
    getattr(getattr(f, "fget", f), "__code__", None)
    for part in vars(weakref.finalize).values()
    for f in (part, getattr(part, "fset", None))
)
#: Where torch wraps functions that its compiler leaves alone, such as `torch.manual_seed`.
_WRAPPERS = (os.path.join("torch", "_compile.py"), os.path.join("_dynamo", "eval_frame.py"))
_IMPORTING = "<frozen importlib._bootstrap>"
#: Texts that numpy takes for dates of the clock, and what it makes them of.
_NOW = frozenset({"now", "today"})
_ARRAYS = frozenset({"array", "asanyarray", "asarray", "astype", "full", "full_like"})
#: Functions about the garbage collector, which rests while anybody records.
_OF_COLLECTOR = frozenset({gc.isenabled, gc.enable, gc.disable})
#: Names that make generators from entropy, in functions that raise no event.
_ENTROPY = frozenset({"default_rng", "RandomState", "SeedSequence", "SystemRandom"})


def _kind_of_file(name: str) -> int:
    if name.startswith(_LIBRARY_FOLDERS):
        inner = name.replace(os.sep, "/")
        return IMPURE if _IMPURE_OF_LIBRARIES.search(inner) else LIBRARY
    if name.startswith("<"):
        # generated by agar, torch, the import system; the rest is code that exec was given
        if name == "<string>":
            return GENERATED
        if name.startswith("<frozen ") and not name.startswith("<frozen importlib"):
            package = name[len("<frozen ") : -1].split(".")[0]  # a module of the standard library
            return STANDARD if package in _PURE else IMPURE
        return LIBRARY if name.startswith(("<agar", "<frozen", "<eval_with_key>")) else USER
    inner = name.replace("\\", "/")
    for mark in ("/site-packages/", "/dist-packages/"):
        if mark in inner:
            package = inner.rsplit(mark, 1)[1].split("/")[0].removesuffix(".py")
            return LIBRARY if package in _OF_TORCH else USER
    if name.startswith(_STDLIB):
        package = inner[len(_STDLIB) :].split("/")[0].removesuffix(".py")
        return STANDARD if package in _PURE else IMPURE
    return USER


def _codes_of_settings() -> frozenset[types.CodeType]:
    """Functions of libraries that tell settings or change them, read files, or show raw memory."""
    names = [n for n in dir(torch) if n.startswith(("get_", "set_", "use_", "is_", "are_"))]
    results = [getattr(torch, n) for n in names if n not in ("is_storage", "is_tensor")]
    results += [torch.Tensor.__repr__, torch.Tensor.storage, set_recursion_limit]
    results += [np.rec.fromfile, np.info, np.show_config, np.show_runtime]
    codes = [getattr(function, "__code__", None) for function in results]
    return frozenset([code for code in codes if code is not None])


_ASKING = _codes_of_settings()
_kinds: dict[int, tuple[types.CodeType, int]] = {}  # by id, which is quicker than a code's hash
_of_libraries: set[int] = set()  # code of `_kinds` of which the monitor takes no notice


def kind_of_code(code: types.CodeType) -> int:
    """Whose a code object is: USER, LIBRARY, STANDARD or IMPURE."""
    known = _kinds.get(id(code))
    if known is None:
        kind = _kind_of_file(code.co_filename)
        if kind == LIBRARY and (
            code in _ASKING or (code.co_name in _SEEDS and _OF_SEEDS in code.co_filename)
        ):
            kind = IMPURE
        known = _kinds[id(code)] = (code, kind)
    return known[1]


@functools.lru_cache(maxsize=4096)
def kind_of_module(name: str) -> int:
    """Whose a module is, by its name; a module without a file in Python counts as STANDARD."""
    top = name.split(".")[0]
    if top in ("agar", "mindspore", "torch", "numpy") or top in _OF_TORCH:
        return LIBRARY
    if top == "builtins" or top in sys.builtin_module_names:
        return STANDARD
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith((".py", ".pyc")):
        return STANDARD if top in sys.stdlib_module_names else USER
    kind = _kind_of_file(file)
    return STANDARD if kind == IMPURE else kind


def kind_of_class(cls: type) -> int:
    """Whose a class is; a program may give its classes the module of a library."""
    kind = kind_of_module(cls.__module__)
    if kind == USER or not cls.__flags__ & _HEAP_TYPE:
        return kind
    known = _kinds_of_classes.get(cls)
    if known is None:
        known = _kinds_of_classes[cls] = kind if _is_of_its_module(cls) else USER
    return known


_HEAP_TYPE = 1 << 9  # of a class that Python made
_kinds_of_classes: weakref.WeakKeyDictionary[type, int] = weakref.WeakKeyDictionary()


def _is_of_its_module(cls: type) -> bool:
    codes = [getattr(getattr(f, "__func__", f), "__code__", None) for f in vars(cls).values()]
    kinds = [kind_of_code(code) for code in codes if code is not None]
    if USER in kinds:
        return False
    if kinds and kinds.count(GENERATED) < len(kinds):
        return True
    place: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        if name == "<locals>":
            return cls.__module__ in sys.modules
        place = getattr(place, "__dict__", {}).get(name)
    return place is cls


def unknown_builtin(function: Any, kind: int = USER) -> str | None:
    """Why a builtin cannot be part of a recording, or None."""
    owner = getattr(function, "__self__", None)
    name = function.__name__
    if owner is None or isinstance(owner, types.ModuleType):
        module = getattr(function, "__module__", None) or getattr(owner, "__name__", "")
        top = module.split(".")[0]
        if kind == STANDARD and module == "sys" and name in _SYS_OF_STANDARD:
            return None
        if module == "builtins":
            if name in ("hash", "id") and kind == USER:
                return f"{name}(), which may tell where an object lies in memory"
            return f"{name}()" if name in _IMPURE_BUILTINS else None
        if module == "sys":
            return None if name in _PURE_SYS else f"sys.{name}()"
        if top in ("torch", "numpy") and name not in _NO_SETTINGS:
            asks = name.startswith(_OF_SETTINGS) or name.endswith("_enabled")
            if asks or name in _OUTSIDE:
                return f"{module}.{name}()"
        if module.startswith(("numpy.random", "torch.random")) or name in _COUNTS:
            return f"{module}.{name}()"
        if top in ("torch", "numpy", "agar") or module in _PURE_C:
            return None
        return f"{module}.{name}()" if module else f"{name}()"
    if isinstance(owner, type):
        if name == "__subclasses__":
            return "__subclasses__()"
        if issubclass(owner, _PURE_OWNERS) or owner in (object, type):
            return None
        return f"{owner.__module__}.{owner.__qualname__}.{name}()"
    if name in _OUTSIDE and isinstance(owner, (np.ndarray, torch.Tensor)):
        return f"{type(owner).__qualname__}.{name}()"
    if isinstance(owner, _PURE_OWNERS):
        return None
    module = type(owner).__module__
    if module.split(".")[0] in ("torch", "agar") or (
        module.split(".")[0] == "numpy" and not module.startswith("numpy.random")
    ):
        return None
    if module in _PURE_C or module == "builtins":
        return None
    if module == "_thread" and kind == STANDARD:
        return None  # the locks of functools
    if name == "__reduce_ex__" and kind == STANDARD and not hides_state(type(owner), _COPIED):
        return None  # copy.copy asks for all attributes
    return f"{module}.{type(owner).__qualname__}.{name}()"


def _makes_dates(code: types.CodeType) -> bool:
    """Whether code makes arrays, and holds a text that stands for the clock's date in them."""
    if _ARRAYS.isdisjoint(code.co_names):
        return False
    held = list(code.co_consts)
    for value in held:
        if isinstance(value, (tuple, frozenset)):
            held += value
    return any(isinstance(value, str) and value in _NOW for value in held)


class Monitor:
    """Watches the Python of one run in this thread."""

    def __init__(self) -> None:
        #: The code of the user, and of the standard library for the user, that ran, with globals.
        self.entered: dict[tuple[int, int], tuple[types.CodeType, dict[str, Any]]] = {}
        #: Whether the standard library read attributes by names that its code does not show.
        self.everything = False
        #: Attributes that texts named, as in ``"{0.scale}".format(cell)``.
        self.names: set[str] = set()
        #: Whether finalizers were asked or made, which what a recording holds would keep waiting.
        self.finalizes = False
        self.reason: str | None = None
        self.site: tuple[str, int] | None = None
        self._known: dict[int, int] = {}
        self._drawn: Any = None  # states of global random generators
        self._active = False
        #: The profile function while it watches, else None.
        self.callback: Callable[[types.FrameType, str, Any], None] | None = None
        self._muted: types.FrameType | None = None
        #: Recordings run without gradients; the program's own code is told what holds outside.
        #: While it is, what the recording has set; else None.
        self._recording_grad: bool | None = None
        self._collector: set[int] = set()  # code that the garbage collector calls
        self._asked_collector = False  # whether the program's code asks about it just now
        #: Context variables that were set, with what they were before; by id.
        self._contexts: dict[int, tuple[contextvars.ContextVar[Any], Any]] = {}

    def __enter__(self) -> Monitor:
        if sys.getprofile() is not None:
            self.reason = (
                "another profile function is set (sys.setprofile) while it would be recorded"
            )
            return self
        self._drawn = random_states()
        callbacks = [getattr(f, "__code__", None) for f in gc.callbacks]
        self._collector = {id(code) for code in callbacks if code is not None}
        self._active = True
        self.callback = self._watching()
        sys.setprofile(self.callback)
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._active:
            if sys.getprofile() is not self.callback and self.reason is None:
                self.reason = "the call sets a profile function of its own"
            sys.setprofile(None)
            self._active = False
            self.callback = None
            self._muted = None  # a frame holds what its function held
            self._compare()
            name = self._context_set()
            if name is not None and self.reason is None:
                self.reason = f"it sets the context variable {name!r}"
            self._contexts.clear()

    def _compare(self) -> None:
        if self.reason is not None:
            return
        owners = ("numpy", "Python")
        for owner, now, then in zip(owners, random_states(), self._drawn, strict=True):
            if now != then:
                self.reason = f"it draws from {owner}'s global random generator"

    def _context_set(self) -> str | None:
        """The name of a context variable that is not what it was when the run began, or None."""
        for variable, before in self._contexts.values():
            if variable.get(MISSING) is not before:
                return variable.name
        return None

    def host(self) -> None:
        """Note that a function of the user's is called that will run at every replay.

        A context variable that is set for a while has its value in the recorded run only.
        """
        name = self._context_set()
        if name is not None and self.reason is None:
            self.reason = f"a function that runs at every replay is called while {name!r} is set"

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Run something that runs at every replay too, so that nothing of it is watched."""
        if not self._active:
            yield
            return
        sys.setprofile(None)
        self._compare()
        try:
            yield
        finally:
            self._drawn = random_states()
            sys.setprofile(self.callback)

    def _watching(self) -> Callable[[types.FrameType, str, Any], None]:
        """The profile function: what libraries do is left at once, being most of all."""

        def watch(frame: types.FrameType, event: str, argument: Any) -> None:
            if event == "c_return":
                if argument is _GRAD_ENABLED and self._recording_grad is not None:
                    torch._C._set_grad_enabled(self._recording_grad)
                    self._recording_grad = None
                elif self._asked_collector and argument in _OF_COLLECTOR:
                    self._asked_collector = False
                    collector_from_program()
                return
            if id(frame.f_code) in _of_libraries and self._muted is None:
                return
            self._event(frame, event, argument)

        return watch

    def refuse(self, what: str, frame: types.FrameType) -> None:
        """Note the first reason why the run cannot be replayed, and the user's line."""
        if self.reason is None:
            self.reason = what
            place: types.FrameType | None = frame
            while place is not None and _kind_of_frame(place) != USER:
                place = place.f_back
            if place is not None:
                self.site = (place.f_code.co_filename, place.f_lineno)

    def _names_of(self, code: types.CodeType, frame: types.FrameType) -> None:
        """Refuse code of the user's by what it names, where no event will tell of it."""
        if not _ENTROPY.isdisjoint(code.co_names):
            self.refuse("it makes a random generator", frame)
        elif "datetime64" in code.co_names or _makes_dates(code):
            self.refuse("it makes a date of numpy, which may be that of the clock", frame)
        elif not _MEMORY.isdisjoint(code.co_names):
            name = min(_MEMORY.intersection(code.co_names))
            self.refuse(f"it asks for {name}, the memory behind a tensor", frame)

    def _event(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if self._muted is not None:
            if event == "return" and frame is self._muted:
                self._muted = None
            return
        if event == "return":
            return
        if event == "call":
            code = frame.f_code
            kind = self._known.get(id(code))
            if kind is None:
                kind = self._known[id(code)] = _kind_of_frame(frame)
                if kind == USER:
                    self._names_of(code, frame)
            if kind == LIBRARY:
                if code.co_filename == _IMPORTING:
                    self._muted = frame  # a module that is imported runs once
                elif kind_of_code(code) == LIBRARY:
                    _of_libraries.add(id(code))
                return
            if id(code) in self._collector:
                self._muted = frame
                return
            if kind == GENERATED:
                module = frame.f_globals.get("__name__", "")
                if module.startswith("namedtuple_") or (module and not _called_by_user(frame)):
                    return
            if kind in (USER, GENERATED):
                key = (id(code), id(frame.f_globals))
                if key not in self.entered:
                    self.entered[key] = (code, frame.f_globals)
            elif kind == STANDARD:
                if code in _FINALIZERS and _called_by_user(frame):
                    self.refuse("it uses weakref.finalize", frame)
                    self.finalizes = True
                if (id(code), id(frame.f_globals)) not in self.entered and _called_by_user(frame):
                    self.entered[id(code), id(frame.f_globals)] = (code, frame.f_globals)
                    if names_in(code).dynamic and code.co_name not in _CHECKS:
                        self.everything = True
            elif code in READS_OF_ENVIRONMENT and _called_by_user(frame):
                self.entered[id(code), id(frame.f_globals)] = (code, frame.f_globals)
            elif not _called_by_user(frame):
                self._muted = frame  # a library logs, or asks the clock, on its own account
            elif code in _HARMLESS:
                variable = frame.f_globals.get("_extobj_contextvar")  # numpy 2
                if variable is not None:
                    self._contexts.setdefault(id(variable), (variable, variable.get(MISSING)))
                self._muted = frame
            elif self.reason is None and code.co_name not in _READS_OF_CONTEXT:
                module = frame.f_globals.get("__name__", "?")
                self.refuse(f"it calls {module}.{code.co_name}()", frame)
        elif argument is _GRAD_ENABLED:  # a C function, under whatever name
            if self._known.get(id(frame.f_code), LIBRARY) == USER:
                self.refuse("it calls torch.is_grad_enabled()", frame)
                recorder = thread.recorder
                if recorder is not None and recorder.grad_outside and not _GRAD_ENABLED():
                    self._recording_grad = False
                    torch._C._set_grad_enabled(True)
        elif event == "c_call" and (self.reason is None or argument in _OF_COLLECTOR):
            kind = self._known.get(id(frame.f_code), LIBRARY)
            if kind == USER or (kind == STANDARD and _called_by_user(frame)):
                owner = getattr(argument, "__self__", None)
                if type(owner) is contextvars.ContextVar:  # get is guarded; set must be undone
                    if argument.__name__ in ("set", "reset"):
                        self._contexts.setdefault(id(owner), (owner, owner.get(MISSING)))
                    return
                if type(owner) is str and argument.__name__ in _FORMATS:
                    self.names |= names_in_format(owner)
                what = unknown_builtin(argument, kind)
                if what is not None:
                    self.refuse(f"it calls {what}", frame)
                    if argument in _OF_COLLECTOR:
                        self._asked_collector = True
                        collector_for_program()


def _kind_of_frame(frame: types.FrameType) -> int:
    """Whose the code is that runs; code without a file is that of the module it runs in."""
    kind = kind_of_code(frame.f_code)
    if kind == GENERATED:
        module = frame.f_globals.get("__name__")
        if not isinstance(module, str) or module.startswith("namedtuple_"):
            return kind
        owner = kind_of_module(module)
        return owner if owner in (USER, LIBRARY) else kind
    return kind


def _called_by_user(frame: types.FrameType) -> bool:
    """Whether the standard library was not called by agar, torch or numpy on their own account."""
    back = frame.f_back
    while back is not None:
        kind = _kind_of_frame(back)
        if kind == LIBRARY and not back.f_code.co_filename.endswith(_WRAPPERS):
            return False
        if kind == USER:
            return True
        back = back.f_back
    return False


def paused(recorder: Any) -> Any:
    """The pause of a recorder's monitor, if it has one."""
    monitor = getattr(recorder, "monitor", None)
    return contextlib.nullcontext() if monitor is None else monitor.pause()
