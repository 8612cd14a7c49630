"""The operator table, and the public bindings made from its entries.

An operator is a Python function over torch tensors with MindSpore's signature, declared once in
`agar.ops.spec`. From its entry come the function ``ops.abs``, the method ``Tensor.abs``, the class
``ops.Abs``, ``mint.abs`` and the aliases. Bindings are generated when first asked for, as code
without branches that unwraps, calls and wraps; everything unusual (precision scopes, wrong
arguments, torch's errors) leaves that line for the slow path below.

NOTE Annotations. Inside operator modules ``Tensor`` is ``torch.Tensor``, and the annotation of a
parameter says how the binding treats it:

======================  ====================================================================
``Tensor``              an agar tensor, unwrapped; anything else is a TypeError
``Tensor | None``       likewise, or None
``Tensor | Scalar``     a tensor or a Python number (numbers take part in type promotion); a list
                        or tuple of numbers becomes a tensor
``Sequence[Tensor]``    a list or tuple of tensors (a single tensor is split along axis 0)
``Sequence[Tensor | Scalar]``  likewise; numbers and lists of numbers in it become tensors
``*name: Tensor``       any number of tensors, or one list or tuple of them
``Tensor | Any``        a tensor, unwrapped; anything else is passed on
``Tensor | Sequence[Tensor]``  one tensor, or a list or tuple of tensors
anything else           passed on; tensors in it are read as Python values
======================  ====================================================================
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import torch

from agar._core import context, precision, torch_names
from agar._core.dtype import FROM_TORCH, as_torch_dtype
from agar._core.errors import describe_call, translate, type_name
from agar._core.fast_paths import Fast, Pair, fast_lines
from agar._core.hints import about_keyword, excess_arguments, refuse_inputs, unexpected_keywords
from agar._core.operator_table import Table
from agar._core.primitive_members import PrimitiveMembers, io_names
from agar._core.runtime import thread
from agar._core.widening import HALVES, WiderKernels, lacks_kernel

__all__ = ["Op", "Primitive", "Scalar", "binding", "lookup", "table"]

#: A Python number where an operator takes a tensor or a number.
Scalar = bool | int | float | complex

# How precision scopes treat an operator, see `Op.cast`.
CAST_FLOAT = "float"
CAST_NEVER = "never"

_TENSOR, _OPTIONAL, _SCALAR, _LIST, _MIXED, _MANY, _EITHER, _PLAIN = "toslxmen"

_KIND_OF_ANNOTATION = (
    (re.compile(r"^Tensor \| Sequence\[Tensor\]$"), _MANY),
    (re.compile(r"^Tensor \| Any$"), _EITHER),
    (re.compile(r"^Sequence\[Tensor \| Scalar\]$"), _MIXED),
    (re.compile(r"^(?:Sequence|list|tuple|Iterable)\[Tensor\b.*\]( \| None)?$"), _LIST),
    (re.compile(r"^Tensor$"), _TENSOR),
    (re.compile(r"^(?:Tensor \| None|None \| Tensor)$"), _OPTIONAL),
    (re.compile(r"\bTensor\b.*\b(?:Scalar|float|int|bool|Number)\b"), _SCALAR),
    (re.compile(r"\b(?:Scalar|float|int|bool|Number)\b.*\bTensor\b"), _SCALAR),
)


def _kind(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    text = text.replace("torch.Tensor", "Tensor").strip()
    for pattern, kind in _KIND_OF_ANNOTATION:
        if pattern.search(text):
            return kind
    return _PLAIN


class Op:
    """One entry of the operator table.

    Attributes:
        name: the public name that errors show.
        names: all function names under ``ops``.
        methods: the names as Tensor methods.
        primitives: the names as Primitive classes.
        mints: the paths under ``mint``, for example ``nn.functional.relu``.
        cast: ``"float"`` if precision scopes cast the floating inputs, ``"never"`` for views,
            casts and creation.
        reference: an expression over the arguments, numpy (``np``) and torch, for the tests.
        differentiable: whether the tests run gradcheck on the samples.
        halves: whether float16 and bfloat16 are computed in float32 where `impl` refuses them, and
            the results rounded back.
        fast: what to try in place of `impl`, see `agar._core.fast_paths` (None: nothing).
        inplace: for an `impl` that writes into its first tensor: called with the operator's name,
            that argument and a function that changes a torch tensor; returns the result.
        keywords: other keywords for parameters, such as ``{"dim": "axis"}``, which the bindings of
            functions and methods take too.
        constants: attributes of the Primitive class itself.
        home: the module that declares it.
        renamed: the parameters that a binding calls otherwise than `impl` does, by the binding's
            path (``gather_d``, ``Tensor.expand_as``, ``mint.mv``).
    """

    __slots__ = (
        "_errors",
        "_impl",
        "_kinds",
        "_params",
        "_samples",
        "cast",
        "constants",
        "differentiable",
        "fast",
        "halves",
        "home",
        "inplace",
        "keywords",
        "methods",
        "mints",
        "name",
        "names",
        "primitives",
        "properties",
        "reference",
        "renamed",
        "setup",
        "tags",
    )

    def __init__(self, name: str, impl: Callable[..., Any]) -> None:
        self.name = name
        self._impl: Callable[..., Any] | None = impl
        self._params: tuple[inspect.Parameter, ...] | None = None
        self._kinds: dict[str, str] = {}
        self.names: tuple[str, ...] = ()
        self.methods: tuple[str, ...] = ()
        self.properties: tuple[str, ...] = ()
        self.primitives: tuple[str, ...] = ()
        self.mints: tuple[str, ...] = ()
        self.cast = CAST_FLOAT
        self.fast: Fast | None = None
        self.setup: Callable[[Primitive], Any] | None = None
        self.inplace: Callable[..., Any] | None = None
        self.keywords: dict[str, str] = {}
        self._samples: tuple[str, ...] = ()
        self._errors: tuple[tuple[str, type[Exception], str], ...] = ()
        self.reference: str | None = None
        self.differentiable = True
        self.halves = False
        self.renamed: dict[str, dict[str, str]] = {}
        self.constants: dict[str, Any] = {}
        self.tags: frozenset[str] = frozenset()
        self.home = ""

    @property
    def impl(self) -> Callable[..., Any]:
        """The implementation over torch tensors."""
        assert self._impl is not None
        return self._impl

    @impl.setter
    def impl(self, value: Callable[..., Any]) -> None:
        self._impl = value

    @property
    def samples(self) -> tuple[str, ...]:
        """Argument lists as text, evaluated by the tests."""
        return self._samples

    @samples.setter
    def samples(self, value: tuple[str, ...]) -> None:
        self._samples = value

    @property
    def errors(self) -> tuple[tuple[str, type[Exception], str], ...]:
        """(argument list, exception type, telling words) triples for the tests."""
        return self._errors

    @errors.setter
    def errors(self, value: tuple[tuple[str, type[Exception], str], ...]) -> None:
        self._errors = value

    # Read when the first binding is made: seven hundred signatures would slow the import down.
    @property
    def params(self) -> tuple[inspect.Parameter, ...]:
        """The implementation's parameters."""
        if self._params is None:
            self._params = tuple(inspect.signature(self.impl).parameters.values())
        return self._params

    @property
    def kinds(self) -> dict[str, str]:
        """How a binding treats each parameter (NOTE Annotations)."""
        if not self._kinds:
            self._kinds = {p.name: _kind(p.annotation) for p in self.params}
        return self._kinds

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every name by which lists of operators may mean this entry."""
        return (*self.names, *self.methods, *self.primitives)

    @property
    def doc(self) -> str | None:
        """The documentation that the bindings show."""
        return self.impl.__doc__

    @property
    def class_doc(self) -> str | None:
        """The docstring of the Primitive class."""
        return self.doc

    @property
    def annotations(self) -> dict[str, Any]:
        """The annotations that the bindings show."""
        return getattr(self.impl, "__annotations__", {})

    @property
    def meanings(self) -> tuple[Op, dict[str, str]]:
        """The operator that is computed, and what its parameters are called in this entry."""
        return self, {p.name: p.name for p in self.params}

    def guards(self, call: Sequence[str], local: dict[str, Any]) -> str:
        """Lines of a binding that check its arguments before ``_impl`` gets them; none here.

        Args:
            call: the arguments as the binding's code passes them on, in the order of `params`.
            local: receives what the lines refer to; ``_impl`` among it replaces `impl`.
        """
        return ""

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


table = Table()


def lookup(kind: str, name: str) -> Op:
    """The entry behind a public name; `kind` is function, method, primitive or mint.

    Raises:
        KeyError: no operator has that name.
    """
    return getattr(table, f"{kind}s")[name]


# --------------------------------------------------------------------------------- bindings


class _Missing:
    """What an argument holds that was not given; shown in signatures."""

    def __repr__(self) -> str:
        return "..."


# Globals shared by all generated bindings. `_scope` is True while a precision scope is open in any
# thread; `_Tensor` is filled in by the module that defines it.
BINDING_GLOBALS: dict[str, Any] = {
    "_scope": False,
    "_TT": torch.Tensor,
    "_new": object.__new__,
    "_Tensor": None,
    "_classes": set(),  # the classes whose slot the fastest line may read without a check
    "_device": context.torch_device,
    "_types": {kind: value for value, kind in FROM_TORCH.items()},
    "_as_type": as_torch_dtype,
    "_floats": frozenset(kind for kind in FROM_TORCH if kind.is_floating_point),
    "_all_int": frozenset({int}).issuperset,  # of the types of sizes, which may be no bool
    "_missing": _Missing(),  # the default of arguments that may come under another keyword
}


def _set_scope(is_open: bool) -> None:
    BINDING_GLOBALS["_scope"] = is_open


precision.listen(_set_scope)


def bind_tensor(cls: type, wrap: Callable[[Any], Any]) -> None:
    """Tell the bindings which class wraps tensors and how results other than one tensor wrap."""
    BINDING_GLOBALS["_Tensor"] = cls
    BINDING_GLOBALS["_classes"].add(cls)
    BINDING_GLOBALS["_wrap"] = wrap
    BINDING_GLOBALS["_slow"] = _slow
    BINDING_GLOBALS["_retry"] = _retry
    BINDING_GLOBALS["_given"] = _given
    BINDING_GLOBALS["_misfit"] = _misfit


def _unwrap_code(name: str, kind: str) -> str:
    if kind == _TENSOR:
        return f"{name}._value"
    if kind == _OPTIONAL:
        return f"None if {name} is None else {name}._value"
    if kind in (_SCALAR, _EITHER):
        return f"{name}._value if isinstance({name}, _Tensor) else {name}"
    if kind in (_LIST, _MIXED):
        return f"[_v._value for _v in {name}]"
    if kind == _MANY:
        single = f"{name}._value if isinstance({name}, _Tensor)"
        return f"{single} else [_v._value for _v in {name}]"
    return name


def _source(
    entry: Op,
    name: str,
    params: Sequence[inspect.Parameter],
    bound: str,
    shown: dict[str, str] | None = None,
    refuses: bool = False,
) -> tuple:
    """Source of a binding and the defaults it refers to.

    `bound` is text of further keyword arguments for the implementation (a primitive's
    attributes); the binding's own parameters are `params`, some of which it shows by other names.
    With `refuses` the binding itself takes arguments that it does not have, and says what it has.
    """
    kinds = entry.kinds
    if shown:
        kinds = {shown.get(key, key): kind for key, kind in kinds.items()}
        params = [p.replace(name=shown.get(p.name, p.name)) for p in params]
    renamed = _keywords(entry, params, shown or {})
    soft = _soft(params, renamed)
    defaults: dict[str, Any] = {}
    head: list[str] = []
    call: list[str] = []
    plain_args: list[str] = []
    plain_kwargs: list[str] = []
    starred = False
    for p in params:
        text = p.name
        if p.kind is p.VAR_POSITIONAL:
            head.append(f"*{p.name}")
            tensors = kinds[p.name] == _TENSOR
            call.append(f"*[_v._value for _v in {p.name}]" if tensors else f"*{p.name}")
            plain_args.append(f"*{p.name}")
            starred = True
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            head.append("*")
            starred = True
        if p.name in soft:
            text += "=_missing"
        elif p.default is not p.empty:
            key = f"_default_{p.name}"
            if p.default is None or isinstance(p.default, (bool, int, str)):
                text += f"={p.default!r}"
            else:
                defaults[key] = p.default
                text += f"={key}"
        head.append(text)
        unwrapped = _unwrap_code(p.name, kinds[p.name])
        if p.kind is p.KEYWORD_ONLY:
            call.append(f"{p.name}={unwrapped}")
            plain_kwargs.append(f"{p.name!r}: {p.name}")
        else:
            call.append(unwrapped)
            plain_args.append(p.name)
    if (renamed or refuses) and not starred:
        head.append("*")
    head += [f"{other}=_missing" for other in renamed]
    refusal = ""
    if refuses:
        head = ["*_more" if text == "*" else text for text in head] + ["**_others"]
        more = "_more" if "*_more" in head else "()"
        refusal = (
            f"    if {'_more or ' if more == '_more' else ''}_others:\n"
            f"        _misfit(_entry, _shown, {more}, _others)\n"
        )
    args = f"({''.join(a + ', ' for a in plain_args)})"
    kwargs = f"{{{', '.join(plain_kwargs)}{', ' if plain_kwargs and bound else ''}{bound}}}"
    if bound:
        call.append(f"**{{{bound}}}")
    if entry.inplace is not None:
        call[0] = "_t"
        defaults["_inplace"] = entry.inplace
        change = f"lambda _t: _impl({', '.join(call)})"
        body = f"            return _inplace({entry.name!r}, {params[0].name}, {change})\n"
    else:
        body = (
            _fast_lines(entry, params, shown or {}, defaults)
            + entry.guards(call, defaults)
            + (
                f"            _out = _impl({', '.join(call)})\n"
                f"            if _out.__class__ is _TT:\n"
                f"                _r = _new(_Tensor)\n"
                f"                _r._value = _out\n"
                f"                return _r\n"
                f"            return _wrap(_out)\n"
            )
        )
    source = (
        f"def {name}({', '.join(head)}):\n"
        f"{refusal}"
        f"{_keyword_lines(params, renamed, soft)}"
        f"    if not _scope:\n"
        f"        try:\n"
        f"{body}"
        f"        except Exception as _e:\n"
        f"            return _retry(_entry, _e, {args}, {kwargs})\n"
        f"    return _slow(_entry, {args}, {kwargs})\n"
    )
    return source, defaults


def _keywords(
    entry: Op, params: Sequence[inspect.Parameter], shown: dict[str, str]
) -> dict[str, str]:
    """The further keywords of a binding and the parameters that they mean."""
    own = {p.name for p in params}
    entries = {other: shown.get(name, name) for other, name in entry.keywords.items()}
    return {other: name for other, name in entries.items() if name in own and other not in own}


def _soft(params: Sequence[inspect.Parameter], renamed: dict[str, str]) -> set[str]:
    """The required parameters whose absence Python cannot see: with other keywords, or behind."""
    names: set[str] = set()
    for p in params:
        required = p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
        if required and (names or p.name in renamed.values()):
            names.add(p.name)
    return names


def _keyword_lines(
    params: Sequence[inspect.Parameter], renamed: dict[str, str], soft: set[str]
) -> str:
    """The lines of a binding that take arguments from their other keywords."""
    lines = ""
    for p in params:
        others = [other for other, name in renamed.items() if name == p.name]
        for other in others:
            lines += f"    if {other} is not _missing:\n"
            if p.name in soft:
                lines += f"        _given(_entry, {p.name!r}, {p.name}, {other!r})\n"
            several = p.kind is p.VAR_POSITIONAL
            lines += f"        {p.name} = {f'(*{p.name}, {other})' if several else other}\n"
        if p.name in soft:
            lines += f"    if {p.name} is _missing:\n        _given(_entry, {p.name!r})\n"
    return lines


def _given(entry: Op, name: str, value: Any = None, other: str = "") -> None:
    """Refuse a required argument that came under no keyword, or under two."""
    if not other:
        problem = f"missing 1 required positional argument: '{name}'"
    elif value is not BINDING_GLOBALS["_missing"]:
        problem = f"got multiple values for argument '{name}', which '{other}' means too"
    else:
        return
    error = TypeError(f"Failed calling {entry.name}: {entry.name}() {problem}.")
    error._agar_named = True  # type: ignore[attr-defined]
    raise error


def _misfit(entry: Op, binding: Any, more: tuple[Any, ...], others: dict[str, Any]) -> NoReturn:
    """Refuse arguments that a binding does not have, with what is meant instead."""
    params = inspect.signature(binding).parameters.values()
    if others:
        error = unexpected_keywords(binding.__qualname__, others, (p.name for p in params))
    else:
        positional = [p for p in params if p.kind is p.POSITIONAL_OR_KEYWORD]
        error = excess_arguments(binding.__qualname__, positional, len(more))
    error._agar_named = True  # type: ignore[attr-defined]
    raise error


def _refuses(entry: Op, name: str, module: str) -> bool:
    """Whether a binding refuses unknown arguments itself, which costs 40 ns of a call.

    It is so for functions whose arguments have other names in PyTorch, or another form.
    """
    if module != "agar.ops.function" or callable(entry.fast) or isinstance(entry.fast, Pair):
        return False
    known = name in torch_names.REFUSING or name in torch_names.CALLS
    return known or not torch_names.RENAMED.isdisjoint(entry.kinds)


def _fast_lines(
    entry: Op, params: Sequence[inspect.Parameter], shown: dict[str, str], local: dict[str, Any]
) -> str:
    """The lines of a binding that call `Op.fast` and leave; empty where there is none."""
    if entry.fast is None:
        return ""
    whole, meanings = entry.meanings
    here = {p.name for p in params}  # the others are attributes of the Primitive
    names = {means: shown.get(own, own) for means, own in meanings.items()}
    names = {means: own if own in here else f"self.{own}" for means, own in names.items()}
    return fast_lines(
        entry.fast, whole.params, names, lambda name: whole.kinds[name] == _TENSOR, local
    )


def _compile(source: str, local: dict[str, Any], name: str) -> Callable[..., Any]:
    # A function's globals must be one real dict, so that `_scope` is one variable for all bindings;
    # what differs between bindings (`_impl`, `_entry`, defaults) is bound by an enclosing function.
    body = "".join(f"    {line}\n" for line in source.splitlines())
    maker = f"def _make({', '.join(local)}):\n{body}    return {name}\n"
    scratch: dict[str, Any] = {}
    exec(compile(maker, f"<agar operator {name}>", "exec"), BINDING_GLOBALS, scratch)
    return scratch["_make"](**local)


def _documented(function: Callable[..., Any], entry: Op, name: str, module: str) -> Any:
    function.__name__ = name
    function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = entry.doc
    function.__annotations__ = {k: v for k, v in entry.annotations.items() if isinstance(v, str)}
    if entry.inplace:  # what writes into its input returns it
        function.__annotations__["return"] = "Tensor"
    return function


def _with_keywords(doc: str, others: dict[str, str]) -> str:
    """A binding's documentation with its further keywords among the arguments."""
    entries = "".join(f"    {other}: another name of `{name}`.\n" for other, name in others.items())
    return re.sub(
        r"^Args:\n(?: +\S.*\n|\n(?= ))*", rf"\g<0>{entries}", doc, count=1, flags=re.MULTILINE
    )


def binding(entry: Op, name: str, *, module: str, qualname: str | None = None) -> Any:
    """The function binding of an entry under the given name."""
    path = qualname or name
    if module.startswith("agar.mint"):
        path = f"{module.removeprefix('agar.')}.{name}"
    text = entry.renamed.get(path, {})
    refuses = _refuses(entry, name, module)
    source, defaults = _source(entry, name, entry.params, "", text, refuses)
    if "_impl" not in defaults:  # else `impl` need not be made yet
        defaults["_impl"] = entry.impl
    if refuses:
        source = source.replace("_shown", name, 1)
    result = _compile(source, {"_entry": entry, **defaults}, name)
    result = _documented(result, entry, name, module)
    if entry.keywords and result.__doc__:
        others = _keywords(entry, entry.params, {})
        result.__doc__ = _with_keywords(result.__doc__, others)
    if text:
        result.__annotations__ = {text.get(k, k): v for k, v in result.__annotations__.items()}
        for own, other in text.items():
            result.__doc__ = re.sub(rf"(?<=[ `]){own}(?=`| \()", other, result.__doc__)
    if qualname:
        result.__qualname__ = qualname
    if refuses:
        signature = inspect.signature(result)
        own = [p for key, p in signature.parameters.items() if key not in ("_more", "_others")]
        result.__signature__ = signature.replace(parameters=own)
    return result


# ----------------------------------------------------------------------------- slow path


def _plain(value: Any) -> Any:
    """Tensors inside a plain argument (an axis, a shape) as the Python values they hold."""
    cls = BINDING_GLOBALS["_Tensor"]
    if isinstance(value, cls):
        return value._value.tolist()
    if isinstance(value, (list, tuple)) and any(isinstance(v, cls) for v in value):
        return type(value)(_plain(v) for v in value)
    return value


def _wrong_type(entry: Op, label: str, value: Any, expected: str) -> TypeError:
    hint = ""
    if isinstance(value, np.ndarray):
        hint = " Convert it first: ms.Tensor(array) copies, ms.from_numpy(array) shares."
    elif isinstance(value, torch.Tensor):
        hint = " Wrap it first: agar.from_torch(t) shares its memory."
    elif isinstance(value, (int, float, bool, complex)):
        hint = f" Wrap it first: ms.Tensor({value!r})."
    elif isinstance(value, (list, tuple)):
        hint = " Wrap it first: ms.Tensor([...])."
    error = TypeError(
        f"Failed calling {entry.name}: for '{entry.name}', the input argument must be Tensor: "
        f"'{label}' must be {expected}, but got '{type_name(value)}'.{hint}"
    )
    error._agar_named = True  # type: ignore[attr-defined]
    return error


def _unwrap(entry: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list, dict, list]:
    """Arguments for the implementation, checked, and the tensors among them with their places."""
    cls = BINDING_GLOBALS["_Tensor"]
    places: list[tuple[Any, Any]] = []
    out_args: list[Any] = []
    out_kwargs: dict[str, Any] = {}

    def convert(label: str, kind: str, value: Any, target: Any, key: Any) -> Any:
        if kind == _PLAIN:
            return _plain(value)
        if isinstance(value, cls):
            if kind in (_LIST, _MIXED):
                parts = list(value._value.unbind(0))
                places.extend((parts, i) for i in range(len(parts)))
                return parts
            places.append((target, key))
            return value._value
        if kind in (_LIST, _MIXED, _MANY):
            if value is None and kind == _LIST:
                return None
            if not isinstance(value, (list, tuple)):
                one = "a Tensor or " if kind == _MANY else ""
                raise _wrong_type(entry, label, value, f"{one}a list or tuple of Tensors")
            parts = []
            for i, v in enumerate(value):
                if kind == _MIXED and isinstance(v, (bool, int, float, list, tuple)):
                    v = cls(v)
                if not isinstance(v, cls):
                    raise _wrong_type(entry, f"{label}[{i}]", v, "a Tensor")
                parts.append(v._value)
            places.extend((parts, i) for i in range(len(parts)))
            return parts
        if kind == _EITHER:
            return _plain(value)
        if kind == _OPTIONAL and value is None:
            return None
        if kind == _SCALAR:
            if value is None or isinstance(value, (bool, int, float, complex, np.generic)):
                return value.item() if isinstance(value, np.generic) else value
            if isinstance(value, (list, tuple)):
                return cls(value)._value
            raise _wrong_type(entry, label, value, "a Tensor or a number")
        expected = "a Tensor" if kind == _TENSOR else "a Tensor or None"
        raise _wrong_type(entry, label, value, expected)

    positional = [p for p in entry.params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p for p in entry.params if p.kind is p.VAR_POSITIONAL), None)
    first = len(positional)
    spread = rest is not None and entry.kinds[rest.name] == _TENSOR and len(args) == first + 1
    if spread and isinstance(args[first], (list, tuple)):
        args = (*args[:first], *args[first])
    for i, value in enumerate(args):
        p = positional[i] if i < len(positional) else rest
        label, kind = (p.name, entry.kinds[p.name]) if p is not None else (str(i), _PLAIN)
        out_args.append(None)
        out_args[i] = convert(label, kind, value, out_args, i)
    for key, value in kwargs.items():
        out_kwargs[key] = convert(key, entry.kinds.get(key, _PLAIN), value, out_kwargs, key)
    return out_args, out_kwargs, places


def _explain(entry: Op, error: Exception, args: tuple, kwargs: dict[str, Any]) -> NoReturn:
    # other classes have a meaning of their own: out of memory, control flow
    if type(error).__module__ != "builtins" and not isinstance(error, torch.linalg.LinAlgError):
        raise error
    entries = {key: value for key, value in kwargs.items() if key != "_state"}
    given = describe_call((p.name for p in entry.params), args, entries)
    named = translate(error, entry.name, given)
    if named is error:
        raise error
    raise named from error


def _retry(entry: Op, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """After a failure on the fast line: run unusual but legal arguments, or explain.

    The implementation is called again only if an argument was not what the fast line assumes,
    in which case it failed before it did anything, or if `Op.fast` may have failed in its place.
    Control flow is neither: torch.utils.checkpoint leaves its second run by an exception.
    """
    if type(error).__module__ == "torch.utils.checkpoint":
        raise error
    cls = BINDING_GLOBALS["_Tensor"]
    unusual = entry.fast is not None
    params = list(entry.params)
    if len(args) > 1 and (rest := next((p for p in params if p.kind is p.VAR_POSITIONAL), None)):
        params[params.index(rest) :] = [rest] * len(args)
    for p, value in [*zip(params, args, strict=False), *_by_name(entry, kwargs)]:
        kind = entry.kinds[p.name]
        if kind == _PLAIN:
            unusual |= _plain(value) is not value
        elif kind == _EITHER:
            unusual |= not isinstance(value, cls) and _plain(value) is not value
        elif kind in (_LIST, _MIXED, _MANY):
            several = isinstance(value, (list, tuple)) and all(isinstance(v, cls) for v in value)
            unusual |= not several and not (kind == _MANY and isinstance(value, cls))
        elif kind == _SCALAR:
            unusual |= not isinstance(value, (cls, bool, int, float, complex, type(None)))
        else:
            unusual |= not isinstance(value, cls) and value is not None
            unusual |= kind == _TENSOR and value is None
    if unusual:
        return _slow(entry, args, kwargs)
    if entry.halves or lacks_kernel(error):
        return _slow(entry, args, kwargs, error)
    _explain(entry, error, args, kwargs)


def _by_name(entry: Op, kwargs: dict[str, Any]) -> list[tuple[inspect.Parameter, Any]]:
    return [(p, kwargs[p.name]) for p in entry.params if p.name in kwargs]


def _slow(
    entry: Op, args: tuple[Any, ...], kwargs: dict[str, Any], failed: Exception | None = None
) -> Any:
    """The complete way of a call: checks, casts of precision scopes, errors with names.

    `failed` is what the implementation has already raised for these very arguments.
    """
    if thread.recorder is not None:
        thread.recorder.retried()
    if len(args) == 2 and hasattr(args[1], "_operand"):  # a sparse tensor computes with dense ones
        operators = [m for m in entry.methods if m.startswith("__") and not m.startswith("__r")]
        result = args[1]._operand(args[0], operators[0]) if operators else NotImplemented
        if result is not NotImplemented:
            return result
    out_args, out_kwargs, places = _unwrap(entry, args, kwargs)
    scope = precision.current()
    if scope is not None and entry.cast == CAST_FLOAT:
        dtype = scope.target(entry, [target[key] for target, key in places])
        if dtype is not None:
            for target, key in places:
                if target[key].is_floating_point():
                    target[key] = as_torch_dtype(target[key], dtype)

    def compute() -> Any:
        if entry.inplace is not None:
            rest = out_args[1:]
            return entry.inplace(entry.name, args[0], lambda t: entry.impl(t, *rest, **out_kwargs))
        return BINDING_GLOBALS["_wrap"](entry.impl(*out_args, **out_kwargs))

    try:
        if failed is not None:
            raise failed
        return compute()
    except Exception as error:
        failed = error
    try:
        return _in_wider_types(entry, failed, compute, places)
    except Exception as error:
        _explain(entry, error, args, kwargs)


def _in_wider_types(
    entry: Op, failed: Exception, compute: Callable[[], Any], places: list[tuple[Any, Any]]
) -> Any:
    """Compute again what torch has no kernel for, or raise what was raised (`_core.widening`)."""
    lacking = lacks_kernel(failed)
    if not (lacking or entry.halves) or not isinstance(failed, (TypeError, RuntimeError)):
        raise failed
    # a second draw would be another one, and a state would be advanced twice
    if "random" in entry.tags or "steps" in entry.tags:
        raise failed
    kinds = {target[key].dtype for target, key in places}
    halves = kinds & HALVES
    if halves and entry.inplace is None and (lacking or entry.halves):
        if thread.recorder is not None:
            thread.recorder.retried()
        for target, key in places:
            if target[key].dtype in HALVES:
                target[key] = target[key].to(torch.float32)
        result = compute()
        return result if len(halves) > 1 or torch.float32 in kinds else _rounded(result, *halves)
    if not lacking:
        raise failed
    with WiderKernels():
        return compute()


def _rounded(result: Any, dtype: torch.dtype) -> Any:
    """A result with its float32 tensors in a narrower type."""
    if isinstance(result, (tuple, list)):
        parts = [_rounded(part, dtype) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    value = getattr(result, "_value", None)
    if isinstance(value, torch.Tensor) and value.dtype is torch.float32:
        return BINDING_GLOBALS["_wrap"](value.to(dtype))
    return result


# ---------------------------------------------------------------------------- primitives


class Primitive(PrimitiveMembers):
    """Base class of operators as objects: constructor arguments first, tensors at the call.

    Args:
        name (str): the operator's name.

    Difference from PyTorch: PyTorch has functions only.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.ReLU()
        Prim[ReLU]
    """

    _entry: Op | None = None
    if TYPE_CHECKING:
        # a constructor's arguments become attributes
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        attrs = self.__dict__.get("_attrs", {})
        if name in ("input_names", "output_names") and name not in attrs and self._entry:
            names = io_names(self.name)
            if names is not None:
                return names[name == "output_names"]
        if name not in attrs:
            entry = self.__dict__.get("name", type(self).__name__)
            raise AttributeError(f"'{entry}' object has no attribute '{name}'")
        return attrs[name]

    def __init__(self, name: str) -> None:
        self.name = name
        self._attrs: dict[str, Any] = {}

    @property
    def attrs(self) -> dict[str, Any]:
        """The constructor's arguments and added attributes."""
        return self._attrs

    def __repr__(self) -> str:
        attributes = ", ".join(f"{k}={v}" for k, v in self._attrs.items())
        return f"Prim[{self.name}]" + (f"<{attributes}>" if attributes else "")

    def __deepcopy__(self, memo: Any) -> Primitive:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        for own in ("_attrs", "init_attrs", "_native_attrs", "_user_data"):
            if own in self.__dict__:
                new.__dict__[own] = dict(self.__dict__[own])
        if "_state" in self.__dict__:
            new._state = copy.deepcopy(self._state, memo)
        return new

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"Primitive '{self.name}' has no implementation: give the subclass a __call__ "
            "method, or use an operator of agar.ops."
        )


def primitive_class(entry: Op, name: str, *, module: str) -> type[Primitive]:
    """The Primitive class of an entry under the given name."""
    options = [p for p in entry.params if p.kind is inspect.Parameter.KEYWORD_ONLY]
    attrs = [p for p in options if p.name != "_state"]
    flags = [p.name for p in attrs if p.annotation in ("bool", bool)]
    inputs = [p for p in entry.params if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    self_param = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    bound = ", ".join(f"{p.name!r}: self.{p.name}" for p in options)
    source, defaults = _source(entry, "__call__", inputs, bound)
    source = source.replace("def __call__(", "def __call__(self, ", 1).replace("(self, )", "(self)")
    if "_impl" not in defaults:
        defaults["_impl"] = entry.impl
    call = _compile(source, {"_entry": entry, **defaults}, "__call__")
    call.__qualname__, call.__module__ = f"{name}.__call__", module
    signature = inspect.Signature(
        [
            self_param.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in attrs),
        ]
    )

    def __init__(self: Primitive, *args: Any, **kwargs: Any) -> None:
        try:
            bound_args = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            if args:
                refuse_inputs(name, "ops", args[0])
            keyword = next((k for k in kwargs if k not in signature.parameters), None)
            hint = "" if keyword is None else about_keyword(keyword, (p.name for p in attrs))
            raise TypeError(f"{name}.__init__(): {error}{hint}") from None
        if args:
            refuse_inputs(name, "ops", args[0])
        bound_args.apply_defaults()
        for flag in flags:
            if type(value := bound_args.arguments[flag]) is not bool:
                raise TypeError(
                    f"For '{name}', the type of '{flag}' must be bool, but got "
                    f"'{type(value).__name__}'."
                )
        Primitive.__init__(self, name)
        for p in attrs:
            value = bound_args.arguments[p.name]
            setattr(self, p.name, value)
            self._attrs[p.name] = value
        if entry.setup is not None:
            self._state = entry.setup(self)

    __init__.__signature__ = signature
    return type(
        name,
        (Primitive,),
        {
            "__init__": __init__,
            "__call__": call,
            "__doc__": entry.class_doc,
            "__module__": module,
            "_entry": entry,
            **entry.constants,
        },
    )
