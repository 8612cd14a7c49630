"""What the walk of guards tells apart: tables of names, kinds and functions."""

from __future__ import annotations

import builtins
import collections
import functools
import operator
import random
import re
import types
from typing import cast

from agar._core.graph.record.monitor import IMPURE, STANDARD

__all__ = [
    "ARRAY_BYTES",
    "BUILTINS",
    "BUILT_IN_CONTAINERS",
    "CACHED",
    "CLASS_NOISE",
    "DISPATCHING",
    "HEAP_TYPE",
    "HOLDERS",
    "METADATA",
    "NONE",
    "OF_CELLS",
    "OF_CONTEXT",
    "OF_FUNCTIONS",
    "OF_KINDS",
    "OF_PARAMETERS",
    "OF_STANDARD",
    "OF_TENSORS",
    "OPEN",
    "PUBLIC",
    "READERS",
    "SHOWN",
    "TITLES",
    "UNSEEN",
    "WRITTEN",
]

WRITTEN = frozenset({list, tuple, dict, set, frozenset, types.SimpleNamespace})
"""Whose text tells their contents."""
#: Parts of functions, which code may change of functions that do not run.
OF_FUNCTIONS = frozenset(
    {"__closure__", "__code__", "__defaults__", "__kwdefaults__", "cell_contents"}
)
#: Attributes of functions and classes that lie in no dictionary; those that texts of objects show.
TITLES = frozenset({"__annotations__", "__doc__", "__module__", "__name__", "__qualname__"})
SHOWN = frozenset({"__module__", "__qualname__"})
NONE: frozenset[str] = frozenset()
BUILT_IN_CONTAINERS = frozenset({list, dict, set, collections.deque, bytearray})
BUILTINS = dict(vars(builtins))
"""Python's own, of which is compared whether a program has put others in their place."""
ARRAY_BYTES = 1 << 24
"""The most that arrays may hold that every call compares; above it the call is Python's."""
#: Modules of agar whose objects a program may give settings; converted modules keep books.
PUBLIC = re.compile(r"agar\.(?!_|migrate\.)")
#: Modules whose objects are looked at as the user's are: they hold what they compute from.
OPEN = ("torch.distributions.", "numpy.")
#: Functions that read the context.
OF_CONTEXT = frozenset({"get_context", "_get_mode", "get_auto_parallel_context"})
#: Classes of C whose objects have attributes of Python; draws of a generator are no reads of it.
HOLDERS = (types.SimpleNamespace, random.Random)
#: What reads attributes by names that no code shows, where a program calls it by another name.
READERS = frozenset(
    map(
        id,
        (
            getattr,
            hasattr,
            vars,
            dir,
            object.__getattribute__,
            type.__getattribute__,
            types.ModuleType.__getattribute__,
            operator.attrgetter,
            operator.methodcaller,
        ),
    )
)
#: Attributes that agar sets on tensors itself.
OF_TENSORS = frozenset({"_hooks", "const_arg", "init", "init_finished", "init_flag", "param_info"})
#: Names by which code asks for the metadata of tensors.
METADATA = frozenset(
    {
        "dim",
        "dtype",
        "element_size",
        "is_contiguous",
        "itemsize",
        "nbytes",
        "ndim",
        "nelement",
        "ndimension",
        "numel",
        "rank",
        "shape",
        "size",
        "stride",
        "strides",
    }
)
#: Functions whose answers depend on what is registered with abstract classes.
OF_KINDS = frozenset({"isinstance", "issubclass", "singledispatch", "get_cache_token"})
#: Code whose names count, and that is constant itself.
OF_STANDARD = (STANDARD, IMPURE)
#: Attributes of cells that say nothing about what construct computes.
UNSEEN = frozenset(
    {"_cache", "_compiled", "_gradients", "_inputs", "_gradient_records", "_phase", "_serial"}
)
#: Attributes of library cells that are looked at elsewhere, or not at all.
OF_CELLS = UNSEEN | {"_cells", "_params", "_buffers", "_flags"}
#: Settings of parameters that are no attributes of their own.
OF_PARAMETERS = ("comm_fusion", "layerwise_parallel", "name", "parallel_optimizer", "unique")
HEAP_TYPE = 1 << 9  # of a class that Python made: the methods of others cannot be replaced
DISPATCHING = cast(types.FunctionType, functools.singledispatch(len)).__code__
#: Makes texts for its errors only, of names.
CACHED = cast(types.FunctionType, functools.cached_property.__get__).__code__
CLASS_NOISE = frozenset(
    {
        "_abc_impl",  # what is registered with it is asked of the module abc
        "__abstractmethods__",
        "__annotations__",
        "__dict__",
        "__doc__",
        "__firstlineno__",
        "__module__",
        "__static_attributes__",
        "__weakref__",
    }
)
