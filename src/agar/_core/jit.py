"""``jit`` and what belongs to compiled calls: their options and the annotations of inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar

from agar._core.errors import describe
from agar._core.hints import about_has_key
from agar._core.tensor import Tensor

__all__ = [
    "MARKED_CONTAINERS",
    "JitConfig",
    "Symbol",
    "jit",
    "jit_class",
    "lazy_inline",
    "mutable",
    "no_inline",
    "set_recursion_limit",
]

_CAPTURE_MODES = ("ast", "bytecode", "trace")
_LEVELS = ("O0", "O1")


class _Unset(str):
    """A default that shows as MindSpore's, and can be told from the same value given."""


_CHOOSE = _Unset("O0")


def jit(
    function: Callable[..., Any] | None = None,
    *,
    capture_mode: str = "ast",
    jit_level: str = _CHOOSE,
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Compile a function or Cell as one graph.

    The first two calls with inputs of a kind run the function as Python and record it; further ones
    replay the recording. The function may contain any Python: a number or shape that it reads from
    a tensor is a branch of the graph, and what cannot be recorded (a tensor turned into an array)
    lets the call run as ordinary Python, with one warning that says where.
    :func:`agar.graph.explain` shows how a function was compiled.

    Args:
        function (Union[Callable, Cell, type]): the function to compile; None returns a decorator. A
            class is returned unchanged. Default: None.
        capture_mode (str): ``"ast"``, ``"bytecode"`` or ``"trace"``: accepted, all capture by
            running. Default: ``"ast"``.
        jit_level (str): ``"O0"`` replays the recording as straight-line code, ``"O1"`` compiles it
            with TorchInductor. Left out, several plans are timed on real calls and the fastest is
            kept. Default: ``"O0"``.
        dynamic (int): 1 takes all sizes of the inputs as unknown. Default: 0.
        fullgraph (bool): accepted. Default: False.
        backend (str): accepted. Default: ``""``.
        options: options of other versions of MindSpore, accepted.

    Returns:
        The compiled function.

    Raises:
        ValueError: an option has an unknown value.
        TypeError: `fullgraph` is not a bool, or `function` cannot be called.

    Difference from PyTorch: ``torch.compile``; any Python is accepted, and results equal eager
    ones.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.jit
        ... def double(x):
        ...     return x * 2
        >>> print(double(ms.Tensor([1.0, 2.0])))
        [2. 4.]
    """
    if capture_mode not in _CAPTURE_MODES:
        raise ValueError(
            f"For 'jit', the 'capture_mode' must be str and must be in {list(_CAPTURE_MODES)}, but "
            f"got {capture_mode!r}."
        )
    if jit_level not in _LEVELS:
        raise ValueError(
            f"For 'jit', the 'jit_level' must be str and must be in {list(_LEVELS)}, but got "
            f"{jit_level!r}."
        )
    if not isinstance(dynamic, int) or dynamic not in (0, 1):
        raise ValueError(f"For 'jit', the 'dynamic' must be 0 or 1, but got {dynamic!r}.")
    if not isinstance(fullgraph, bool):
        raise TypeError(
            f"For 'jit', the 'fullgraph' must be a bool, but got {type(fullgraph).__name__}."
        )
    if not isinstance(backend, str):
        raise TypeError(f"For 'jit', the 'backend' must be a str, but got {backend!r}.")

    def compiled(target: Any) -> Any:
        if isinstance(target, type):
            return target
        if not callable(target):
            raise TypeError(f"For 'jit', a function or Cell is needed, but got {describe(target)}.")

        from agar._core.graph.cache.function import CompiledFunction

        label = getattr(target, "__qualname__", type(target).__name__)
        function = CompiledFunction(target, label, target, level=level, dynamic=bool(dynamic))

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function.call(args, kwargs)
            except AttributeError as error:
                about_has_key(error)
                raise

        result = functools.wraps(getattr(target, "construct", target))(call)
        result.__dict__["_compiled"] = function
        return result

    level = None if jit_level is _CHOOSE else jit_level

    return compiled if function is None else compiled(function)


def jit_class(cls: type) -> type:
    """Mark a class whose objects compiled code may use. Any class may be: it returns the class.

    Args:
        cls (type): the class.

    Raises:
        TypeError: it is not a class.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.jit_class
        ... class Scale:
        ...     factor = 2
        >>> Scale.factor
        2
    """
    if not isinstance(cls, type):
        raise TypeError(f"For 'jit_class', a class is needed, but got {describe(cls)}.")
    return cls


class JitConfig:
    """Options for compiled calls, stored with ``Cell.set_jit_config``.

    Args:
        jit_level (str): ``""``, ``"O0"``, ``"O1"`` or ``"O2"``. Default: ``""``, agar chooses.
        exc_mode (str): ``"auto"``, ``"sink"`` or ``"no_sink"``, no effect. Default: ``"auto"``.
        jit_syntax_level (str): ``""``, ``"STRICT"``, ``"LAX"`` or older programs'
            ``"COMPATIBLE"``, no effect. Default: ``""``.
        debug_level (str): ``"RELEASE"`` or ``"DEBUG"``, no effect. Default: ``"RELEASE"``.
        infer_boost (str): ``"on"`` or ``"off"``, no effect. Default: ``"off"``.
        kwargs: further options, kept.

    Raises:
        ValueError: an option has an unknown value.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.JitConfig(jit_level="O1").jit_config_dict["jit_level"]
        'O1'
    """

    _CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "jit_level": ("", "O0", "O1", "O2"),
        "exc_mode": ("auto", "sink", "no_sink"),
        "jit_syntax_level": ("", "STRICT", "LAX", "COMPATIBLE"),
        "debug_level": ("RELEASE", "DEBUG"),
        "infer_boost": ("on", "off"),
    }

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **kwargs: Any,
    ) -> None:
        given = {
            "jit_level": jit_level,
            "exc_mode": exc_mode,
            "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level,
            "infer_boost": infer_boost,
        }
        for key, value in given.items():
            choices = [c for c in self._CHOICES[key] if c not in ("", "COMPATIBLE")]
            if value not in self._CHOICES[key]:
                raise ValueError(
                    f"For 'JitConfig', '{key}' must be one of {choices}, but got {value!r}."
                )
        self.jit_config_dict: dict[str, Any] = {**kwargs, **given}


# Numbers and containers that compiled code takes as inputs instead of constants. They behave as
# what they hold; the classes only carry the mark.
class _Int(int):
    """An int that is an input of compiled code."""


class _Float(float):
    """A float that is an input of compiled code."""


class _List(list):
    """A list whose elements are inputs of compiled code."""

    dynamic_length = False


class _Tuple(tuple):
    """A tuple whose elements are inputs of compiled code."""

    dynamic_length = False


class _Dict(dict):
    """A dict whose values are inputs of compiled code."""


#: The classes of containers that :func:`mutable` has marked.
MARKED_CONTAINERS = frozenset({_List, _Tuple, _Dict})

_MARKED: dict[type, type] = {int: _Int, float: _Float, list: _List, tuple: _Tuple, dict: _Dict}


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Say that a value changes between calls, so that compiled code takes it as an input.

    Args:
        input_data (Union[bool, int, float, Tensor, tuple, list, dict]): the value, also nested.
        dynamic_len (bool): whether the length of a tuple or list changes too. Default: False.

    Returns:
        A value that is equal to and behaves as `input_data`.

    Raises:
        TypeError: the value has the wrong type, or `dynamic_len` is given without a list or tuple.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mutable([1, 2]) + [3]
        [1, 2, 3]
    """

    def allowed(value: Any) -> bool:
        if isinstance(value, (tuple, list)):
            return all(allowed(v) for v in value)
        if isinstance(value, dict):
            return all(allowed(v) for v in value.values())
        return isinstance(value, (bool, int, float, Tensor))

    if not allowed(input_data):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, "
            "list, dict) or their nested structures, but got "
            f"{type(input_data).__name__}: {describe(input_data)}."
        )
    if dynamic_len and not isinstance(input_data, (list, tuple)):
        raise TypeError(
            "For 'mutable' with dynamic_len=True, the first input should be list or tuple, but "
            f"got {type(input_data).__name__}."
        )
    marked = _MARKED.get(type(input_data))
    if marked is None:  # a Tensor is an input anyway; bool cannot be subclassed
        return input_data
    result = marked(input_data)
    if dynamic_len:
        result.dynamic_length = True
    return result


class Symbol:
    """What is known of a size that changes: its bounds and divisor; for ``set_inputs``.

    Args:
        max (int): the largest size, 0 for none. Default: 0.
        min (int): the smallest size. Default: 1.
        divisor (int): the size is a multiple of it, plus `remainder`. Default: 1.
        remainder (int): see `divisor`. Default: 0.
        unique (bool): whether the same Symbol stands for the same size. Default: False.
        kwargs: further marks, ignored.

    Raises:
        ValueError: `divisor` is not positive.
        TypeError: a number is not an int, `unique` is not a bool.

    Difference from PyTorch: ``torch.export.Dim``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.Symbol(max=32).max
        32
    """

    def __init__(
        self,
        max: int = 0,
        min: int = 1,
        divisor: int = 1,
        remainder: int = 0,
        unique: bool = False,
        **kwargs: Any,
    ) -> None:
        for name, value in (
            ("max", max),
            ("min", min),
            ("divisor", divisor),
            ("remainder", remainder),
        ):
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"For 'Symbol', '{name}' must be int, but got {value!r}.")
        if divisor <= 0:
            raise ValueError(f"For 'Symbol', 'divisor' should be positive, but got {divisor}.")
        if not isinstance(unique, bool):
            raise TypeError(f"For 'Symbol', 'unique' must be bool, but got {unique!r}.")
        self.max = max
        self.min = min
        self.divisor = divisor
        self.remainder = remainder
        self.unique = unique

    def to_dict(self) -> dict[str, Any]:
        """What is known about the size: the properties that were given."""
        defaults = {"max": 0, "min": 1, "divisor": 1, "remainder": 0, "unique": False}
        return {k: v for k, v in vars(self).items() if v != defaults[k]}

    def __str__(self) -> str:
        return str(self.to_dict())


def lazy_inline(
    fn: Callable[..., Any] | None = None,
    attrs: Any = None,
    policy: Any = None,
) -> Any:
    """Accepted on ``__init__`` of a Cell: capture by running needs no such hint.

    Args:
        fn (Callable): the decorated function. Default: None.
        attrs: accepted. Default: None.
        policy: accepted. Default: None.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Net(ms.nn.Cell):
        ...     @ms.lazy_inline
        ...     def __init__(self):
        ...         super().__init__()
        >>> net = Net()
    """
    return fn if callable(fn) else (lambda function: function)


def no_inline(fn: Callable[..., Any] | None = None) -> Any:
    """Accepted on a function: capture by running needs no such hint.

    Args:
        fn (Callable): the decorated function. Default: None.

    Raises:
        ValueError: it is not a function.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.no_inline
        ... def f(x):
        ...     return x
    """
    if fn is not None and not callable(fn):
        raise ValueError(f"For 'no_inline', a function is needed, but got {describe(fn)}.")
    return fn if fn is not None else (lambda function: function)


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Set the depth of calls that MindSpore's compiler allows (context key max_call_depth).

    Args:
        recursion_limit (int): the depth; Python's own limit is what counts. Default: 1000.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not positive.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_recursion_limit(2000)
        >>> ms.get_context("max_call_depth")
        2000
    """
    from agar._core.context import set_context

    set_context(max_call_depth=recursion_limit)
