r"""The specification of an operator: one declaration, from which every form of it is derived.

An operator is a Python function over torch tensors with MindSpore's signature, declared once::

    @op(
        method=True,
        mint="nn.functional.hardshrink",
        primitive="HShrink(lambd)",
        samples=("f(2, 3)", "f(2, 3), 0.1"),
    )
    def hardshrink(input: Float, lambd: Number = 0.5) -> Tensor:
        '''Set small elements to zero ...'''
        return F.hardshrink(input, lambd)

From it come the function ``ops.hardshrink``, the method ``Tensor.hardshrink``,
``mint.nn.functional.hardshrink``, the class ``ops.HShrink`` whose constructor takes `lambd`, the
checks of `input` and `lambd` with their errors and the samples that provoke them, and the rest of
the documentation. `Operator` holds a declaration; `agar._core.optable` makes the bindings.

NOTE Annotations say what a parameter takes: `agar._core.optable` lists the kinds of tensors, and
`CHECKS` the types that are checked at each call under the name of the binding.

NOTE Forms. ``primitive="Name"`` gives a class without constructor arguments. Where a class or a
function of mint takes other parameters than the operator, they are written behind its name, as in a
signature; the annotation says which of the operator's parameters is meant, if it has another name:

============================================  ===================================================
``"HShrink(lambd)"``                          a class made with `lambd`, called with the others
``"Softplus()(input)"``                       a class called with `input` alone
``"Stack, Pack(axis)"``                       a class of two names
``"nn.functional.glu(input: x, dim: axis)"``  a function with two other names
``"leaky_relu(input, slope: alpha = 0.01)"``  another name and default; ``= ...`` for no default
============================================  ===================================================

What a form does not take keeps the operator's default. An implementation whose own errors name the
binding has a keyword-only parameter ``_op_name``, no argument of any binding. Where class and
function differ in more, the class is declared by :func:`primitive`: positional parameters are the
call's arguments, keyword-only ones the constructor's. A class may have state: the option ``setup``
is called with each new object and returns what the keyword-only parameter ``_state``, no
constructor argument, receives at every call.

NOTE Families. What is done alike over one, two and three dimensions is declared once, by
:func:`family`. The implementation has a keyword-only parameter ``_dims``, beside ``_op_name``. In
names, samples and docstring ``<#>`` is the number of dimensions, ``<4, ...>`` stands for as many
fours, and ``<L|H, W|D, H, W>`` for one of the three.

NOTE Docstrings of declarations have a summary, the formula, ``Args:``, then facts of one line each
(a longer one goes on in an indented line), then examples. What follows from the declaration is left
out, and `documentation` adds it:

==========================================  =====================================================
``Returns: <what>.``                        without it: a Tensor of the input's shape and dtype
``Raises <class>: <when>.``                 one for each class; those of the checks are added
``Difference from PyTorch: <which>.``       without it: none
``Source: <where from>.``                   without it: behavior observed in MindSpore 2.10
``>>> print(ms.ops.name(...))``             gets its heading and ``import agar as ms``
==========================================  =====================================================

Where the summary says ``see :func:`ops.name```, the arguments are those of that operator, under
the parameters' own names, and ``Own Args:`` describes only those that differ. Any other docstring
without ``Args:`` explains a property; only its examples are completed.

Classes have ``Attributes:`` (the constructor's arguments, shown as ``Args:``), ``Inputs:`` and
``Outputs:``; where they have ``Args:`` and ``Returns:`` instead, these are parted so. What a class
leaves out of the constructor's arguments is taken from the classes that it names with ``:class:``.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch

from agar._core.fast_paths import Call, Fast, Joined, Pair
from agar._core.optable import CAST_FLOAT, Op, Primitive, Scalar, table
from agar.ops import _checks
from agar.ops._documentation import (
    arguments,
    documentation,
    documentation_of_form,
)

__all__ = [
    "CHECKS",
    "Call",
    "Fast",
    "Flag",
    "Float",
    "Integer",
    "Joined",
    "Number",
    "Operator",
    "Pair",
    "Scalar",
    "family",
    "op",
    "primitive",
]

# --------------------------------------------------------------------------------- checks

#: A floating-point Tensor.
Float: TypeAlias = torch.Tensor
#: An int or float.
Number: TypeAlias = float
#: An int.
Integer: TypeAlias = int
#: A bool.
Flag: TypeAlias = bool


def _floating(op_name: str, name: str, value: torch.Tensor) -> None:
    raise TypeError(
        f"For '{op_name}', the input must be a floating-point Tensor, but got dtype "
        f"{str(value.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
    )


class Check(NamedTuple):
    """A type that is checked at each call.

    Attributes:
        annotation: what the signature of the bindings shows.
        holds: a quick test, as an expression over ``{}``, the parameter.
        refuse: called where the test fails, with the binding's name, the parameter's name and the
            argument; raises the error, or returns for what is rare but right.
        negation: what a wrong argument is, for the documentation.
        wrong: such an argument, for the tests.
        telling: words of its error; the parameter's name if empty.
    """

    annotation: str
    holds: str
    refuse: Callable[[str, str, Any], Any]
    negation: str
    wrong: str
    telling: str = ""


#: The checked types by the name of their annotation.
CHECKS = {
    "Float": Check(
        "Tensor",
        "{}.is_floating_point()",
        _floating,
        "not a floating-point Tensor",
        "torch.ones(2, 2, 2, 2, dtype=torch.int64)",
        "floating-point",
    ),
    "Number": Check("float", "type({}) is float", _checks.number, "not a number", "'x'"),
    "Integer": Check("int", "type({}) is int", _checks.integer, "not an int", "1.5"),
    "Flag": Check("bool", "type({}) is bool", _checks.boolean, "not a bool", "'x'"),
}

# Parameters of implementations that no binding has.
_HIDDEN = frozenset({"_op_name", "_dims"})


class Given(NamedTuple):
    """A parameter of a binding, and the parameter of the implementation that it is."""

    param: inspect.Parameter
    means: str


def _bound(
    compute: Callable[..., Any], op_name: str, given: Iterable[Given], checks: dict[str, Check]
) -> Any:
    """An implementation under a binding's parameters and behind their checks, which name it."""
    head, call, lines = [], [], []
    for p, means in given:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY):
            raise TypeError(f"'{op_name}' needs parameters with names for its checks and forms.")
        if p.kind is p.KEYWORD_ONLY and "*" not in head:
            head.append("*")
        head.append(p.name if p.default is p.empty else f"{p.name}=_defaults[{p.name!r}]")
        call.append(f"{means}={p.name}")
        if p.name in checks:
            lines.append(f"    if not {checks[p.name].holds.format(p.name)}:")
            lines.append(f"        _refuse[{p.name!r}]({op_name!r}, {p.name!r}, {p.name})")
    if "_op_name" in inspect.signature(compute).parameters:
        call.append(f"_op_name={op_name!r}")
    name = compute.__name__
    lines = [f"def {name}({', '.join(head)}):", *lines, f"    return _compute({', '.join(call)})"]
    scope: dict[str, Any] = {
        "_compute": compute,
        "_defaults": {p.name: p.default for p, _ in given},
        "_refuse": {key: check.refuse for key, check in checks.items()},
    }
    exec(compile("\n".join(lines), f"<agar checks of {op_name}>", "exec"), scope)
    result: Any = functools.update_wrapper(scope[name], compute)
    result.__signature__ = inspect.Signature(
        [p for p, _ in given], return_annotation=inspect.signature(compute).return_annotation
    )
    return result


# ---------------------------------------------------------------------------- declarations


class Operator(Op):
    """A declared operator; what follows from its declaration is made when it is first asked for."""

    __slots__ = ("_checks", "_fields", "compute")

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        self.compute = compute
        self._checks: dict[str, Check] = {}
        self._fields: tuple[Given, ...] | None = None
        super().__init__(name, compute)
        if not CHECKS.keys().isdisjoint(getattr(compute, "__annotations__", {}).values()):
            self._impl = None  # made with its checks when it is first asked for

    def _given(self) -> tuple[Given, ...]:
        return tuple(Given(p, p.name) for p in self._known().values())

    def _known(self) -> dict[str, inspect.Parameter]:
        known = dict(inspect.signature(self.compute).parameters)
        return {name: p for name, p in known.items() if name not in _HIDDEN}

    @property
    def given(self) -> tuple[Given, ...]:
        """The parameters, with the annotations that readers see."""
        if self._fields is None:
            own = self._given()
            self._checks = {p.name: CHECKS[p.annotation] for p, _ in own if p.annotation in CHECKS}
            self._fields = tuple(
                Given(p.replace(annotation=self._checks[p.name].annotation), means)
                if p.name in self._checks
                else Given(p, means)
                for p, means in own
            )
        return self._fields

    @property
    def checks(self) -> dict[str, Check]:
        """The checks by parameter."""
        return self._checks if self.given else {}

    @property
    def impl(self) -> Callable[..., Any]:
        """The implementation over torch tensors, behind the checks."""
        if self._impl is None:
            self.impl = _bound(self.compute, self.name, self.given, self.checks)
        return super().impl

    @impl.setter
    def impl(self, value: Callable[..., Any]) -> None:
        self._impl = value

    @property
    def params(self) -> tuple[inspect.Parameter, ...]:
        """The implementation's parameters."""
        return tuple(p for p, _ in self.given)

    @property
    def annotations(self) -> dict[str, Any]:
        """The annotations that the bindings show."""
        given = {k: v for k, v in self.compute.__annotations__.items() if k not in _HIDDEN}
        return {**given, **{name: check.annotation for name, check in self.checks.items()}}

    def guards(self, call: Sequence[str], local: dict[str, Any]) -> str:
        """The checks as lines of a binding, which then calls the bare implementation."""
        if not self.checks or self.fast is not None:
            return ""
        local["_impl"], lines = self.compute, ""
        for (p, _), given in zip(self.given, call, strict=True):
            if p.name in self.checks:
                value = given.partition("=")[2] if p.kind is p.KEYWORD_ONLY else given
                local[f"_refuse_{p.name}"] = self.checks[p.name].refuse
                lines += f"            if not ({self.checks[p.name].holds.format(f'({value})')}):\n"
                lines += f"                _refuse_{p.name}({self.name!r}, {p.name!r}, {value})\n"
        return lines

    @property
    def doc(self) -> str:
        """The whole documentation."""
        return documentation(self)

    @property
    def class_doc(self) -> str:
        """The whole documentation of the Primitive class."""
        return documentation(self, as_class=True)

    @property
    def errors(self) -> tuple[tuple[str, type[Exception], str], ...]:
        """What the tests must see refused: by declaration, and by each check."""
        return (*self._errors, *_refusals(self))

    @errors.setter
    def errors(self, value: tuple[tuple[str, type[Exception], str], ...]) -> None:
        self._errors = value


# What a form has of its operator.
_SHARED = ("cast", "differentiable", "tags", "halves", "fast", "inplace", "setup", "constants")


class Form(Operator):
    """An operator with parameters of its own: a Primitive class, or a function of mint.

    Attributes:
        whole: the operator.
        paths: the class's names, or the paths under mint.
        constructor: the constructor's parameters as text; None for a function.
        inputs: the call's parameters as text; None for those that the constructor does not take.
    """

    __slots__ = ("constructor", "inputs", "paths", "whole")

    def __init__(self, whole: Operator, form: str, *, is_class: bool) -> None:
        names, *groups = _groups(form)
        self.paths = tuple(names.split(", "))
        self.constructor = groups.pop(0) if is_class else None
        self.inputs = groups.pop(0) if groups else None
        self.whole = whole
        super().__init__(self.paths[0].rpartition(".")[2], whole.compute)
        self._impl = None
        if is_class:
            self.primitives = self.paths
        else:
            self.mints = self.paths
        for shared in _SHARED:
            setattr(self, shared, getattr(whole, shared))
        if ":" not in form and self.inputs is None:  # it is over the operator's parameters
            self.reference = whole.reference

    @property
    def annotations(self) -> dict[str, Any]:
        """The annotations that the bindings show."""
        returned = {k: v for k, v in self.compute.__annotations__.items() if k == "return"}
        return {**{p.name: p.annotation for p in self.params}, **returned}

    @property
    def doc(self) -> str:
        """The whole documentation."""
        return documentation_of_form(self)

    @property
    def class_doc(self) -> str:
        """The whole documentation, which is that of a class or of a function of mint."""
        return self.doc

    @property
    def meanings(self) -> tuple[Operator, dict[str, str]]:
        """The operator that is computed, and what its parameters are called in this form."""
        return self.whole, {means: p.name for p, means in self.given}

    def guards(self, call: Sequence[str], local: dict[str, Any]) -> str:
        """None: the implementation holds the checks, beside what differs from the operator's."""
        return ""

    def _given(self) -> tuple[Given, ...]:
        known = self._known()
        result = _parameters(self.constructor, known) if self.constructor else []
        result = [
            Given(p.replace(kind=inspect.Parameter.KEYWORD_ONLY), means) for p, means in result
        ]
        if self.inputs is not None:
            return (*_parameters(self.inputs, known), *result)
        taken = {means for _, means in result}
        positional = [p for p in known.values() if p.kind is not p.KEYWORD_ONLY]
        return (*(Given(p, p.name) for p in positional if p.name not in taken), *result)

    @property
    def options(self) -> list[str]:
        """The names of the constructor's arguments."""
        is_class = self.constructor is not None
        return [p.name for p in self.params if p.kind is p.KEYWORD_ONLY] if is_class else []

    @property
    def samples(self) -> tuple[str, ...]:
        """The operator's samples, as far as this form takes them."""
        return tuple(text for text in map(self._own, self.whole.samples) if text is not None)

    @samples.setter
    def samples(self, value: tuple[str, ...]) -> None:
        self._samples = value

    @property
    def errors(self) -> tuple[tuple[str, type[Exception], str], ...]:
        """The operator's refusals, likewise, and those of the checks."""
        declared = ((self._own(text), error, words) for text, error, words in self.whole._errors)
        any_words = {self.whole.name: ""}  # the name in an error is another one
        taken = ((text, error, words) for text, error, words in declared if text is not None)
        own = ((text, error, any_words.get(words, words)) for text, error, words in taken)
        return (*own, *_refusals(self))

    @errors.setter
    def errors(self, value: tuple[tuple[str, type[Exception], str], ...]) -> None:
        self._errors = value

    def _own(self, text: str) -> str | None:
        parts = self.split(text)
        return None if parts is None else ", ".join([*parts[0], *parts[1]])

    def split(self, text: str) -> tuple[list[str], list[str]] | None:
        """An argument list of the operator as those of the call and of the constructor, or None."""
        names = [means for _, means in self.whole.given]
        own = {means: p.name for p, means in self.given}
        defaults = {p.name: p.default for p in self.params}
        kinds = {p.name: p.kind for p in self.params}
        inputs, options = [], []
        for i, (key, value) in enumerate(arguments(text)):
            name = own.get(key or (names[i] if i < len(names) else ""))
            if name is None:
                return None
            if name in self.options:
                options.append(f"{name}={value}")
            else:
                by_name = key or kinds[name] is inspect.Parameter.KEYWORD_ONLY
                inputs.append(f"{name}={value}" if by_name else value)
            defaults.pop(name)
        missing = any(default is inspect.Parameter.empty for default in defaults.values())
        return None if missing else (inputs, options)


def _groups(form: str) -> list[str]:
    """``Name(a, b=())(x)`` as ``["Name", "a, b=()", "x"]``."""
    parts, depth = [""], 0
    for letter in form:
        depth -= letter == ")"
        if depth == 0 and letter == "(":
            parts.append("")
        elif depth or letter not in "()":
            parts[-1] += letter
        depth += letter == "("
    return parts


def _parameters(text: str, known: Any) -> list[Given]:
    """Parameters as text: ``own: meant = default``, where those of the operator are left out."""
    declared: Any = ast.parse(f"def _({text}): 0").body[0]
    arguments = declared.args
    named = [*arguments.args, *arguments.kwonlyargs]
    first = len(arguments.args) - len(arguments.defaults)
    defaults = [*[None] * first, *arguments.defaults, *arguments.kw_defaults]
    items = []
    for argument, default in zip(named, defaults, strict=True):
        means = argument.annotation.id if argument.annotation else argument.arg
        p = known[means].replace(name=argument.arg, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        if argument in arguments.kwonlyargs:
            p = p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        if default is not None:
            value = ast.literal_eval(default)
            p = p.replace(default=inspect.Parameter.empty if value is ... else value)
        items.append(Given(p, means))
    return items


def _refusals(entry: Operator) -> Iterator[tuple[str, type[Exception], str]]:
    """A wrong argument for each check, in place of that of the first sample."""
    names = [p.name for p in entry.params]
    for name, check in entry.checks.items():
        sample = arguments(entry.samples[0])
        given = {key or names[i]: value for i, (key, value) in enumerate(sample)}
        text = ", ".join(f"{key}={value}" for key, value in {**given, name: check.wrong}.items())
        yield text, TypeError, check.telling or name


def _tuple(value: str | Iterable[str] | bool | None, default: str) -> tuple[str, ...]:
    if value is None or value is False:
        return ()
    if value is True:
        return (default,)
    return (value,) if isinstance(value, str) else tuple(value)


def _forms(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names without and with parameters of their own."""
    if "(" not in "".join(names):
        return names, ()
    return tuple(n for n in names if "(" not in n), tuple(n for n in names if "(" in n)


def _declaring() -> str:
    """The module whose body declares an operator, be it through functions of other modules."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return str(frame.f_globals.get("__name__"))


def op(
    name: str | None = None,
    *,
    function: str | Iterable[str] | bool = True,
    method: str | Iterable[str] | bool = False,
    prop: str | Iterable[str] | bool = False,
    primitive: str | Iterable[str] | bool = False,
    mint: str | Iterable[str] | bool = False,
    cast: str = CAST_FLOAT,
    samples: Iterable[str] = (),
    errors: Iterable[tuple[str, type[Exception], str]] = (),
    reference: str | None = None,
    differentiable: bool = True,
    tags: Iterable[str] = (),
    halves: bool = False,
    fast: Fast | None = None,
    inplace: Callable[..., Any] | None = None,
    keywords: dict[str, str] | None = None,
    setup: Callable[[Primitive], Any] | None = None,
    constants: dict[str, Any] | None = None,
    renamed: dict[str, dict[str, str]] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an operator; the decorated implementation stays as it is, for use by others.

    Args:
        name: the public name that errors show; the function's own name by default.
        function: names under ``ops``; True for the function's own name, False for none.
        method: names of Tensor methods; True for the function's own name.
        prop: names of Tensor properties.
        primitive: names of Primitive classes, with their parameters where they differ (NOTE Forms).
        mint: paths under ``mint``, with their parameters where they differ (NOTE Forms); True for
            the function's own name.
        cast: ``"float"`` or ``"never"``: what precision scopes do with floating inputs.
        samples: argument lists for the tests, as text.
        errors: argument lists that must fail, the exception's type, and words of the message.
        reference: numpy or torch expression that must agree, as text over the parameter names.
        differentiable: whether gradcheck runs on floating samples.
        tags: free labels, such as ``"random"`` or ``"loss"``.
        halves: compute float16 and bfloat16 in float32 where the implementation refuses them.
        fast: what bindings try first for the commonest arguments: a pure function of the same
            meaning, or a `Pair`, `Call` or `Joined`, see `agar._core.fast_paths`.
        inplace: for an implementation that writes into its first argument, see `Op`.
        keywords: other keywords for parameters, see `Op`.
        setup: checks a new object of the Primitive class and returns its state, see NOTE Forms.
        constants: attributes of the Primitive class itself, besides its arguments.
        renamed: other names of positional parameters in some bindings: the binding's path (a
            function's name, ``Tensor.name``, ``mint.name``) to the implementation's names and the
            binding's.
    """

    def declare(impl: Callable[..., Any]) -> Callable[..., Any]:
        home = _declaring()
        own = impl.__name__.rstrip("_") if function is True and name is None else impl.__name__
        entry = Operator(name or own, impl)
        classes = _tuple(primitive, name or own)
        entry.names = _tuple(function, name or own)
        entry.methods = _tuple(method, name or own)
        entry.properties = _tuple(prop, name or own)
        entry.primitives, class_forms = _forms(classes)
        paths = _tuple(mint, name or own)
        entry.mints, mint_forms = _forms(paths)
        entry.cast = cast
        entry._samples = tuple(samples)
        entry._errors = tuple(errors)
        entry.reference = reference
        entry.differentiable = differentiable
        entry.tags = frozenset(tags)
        entry.halves = halves
        entry.fast = fast
        entry.inplace = inplace
        entry.keywords = keywords or {}
        entry.setup = setup
        entry.renamed = renamed or {}
        entry.constants = constants or {}
        forms = [Form(entry, form, is_class=True) for form in class_forms]
        forms += [Form(entry, form, is_class=False) for form in mint_forms]
        for one in (entry, *forms):
            one.home = home
            table.add(one)
        return impl

    return declare


def primitive(name: str | Iterable[str], **options: Any) -> Callable[..., Any]:
    """Declare a Primitive class with constructor arguments (see NOTE Primitive classes)."""
    names = _tuple(name, "")
    return op(names[0], function=False, primitive=names, **options)


def family(name: str, *, dims: Sequence[int] = (1, 2, 3), **options: Any) -> Callable[..., Any]:
    """Declare the members of a family (NOTE Families).

    Args:
        name: the members' names, such as ``max_unpool<#>d``.
        dims: their numbers of dimensions.
        options: as for `op`, with the placeholders.
    """

    def declare(compute: Callable[..., Any]) -> Callable[..., Any]:
        template = compute.__doc__ or ""
        for place, n in enumerate(dims):
            fill = functools.partial(_filled, n=n, place=place)
            own = types.FunctionType(
                compute.__code__, compute.__globals__, fill(name), compute.__defaults__
            )
            own.__annotations__, own.__doc__ = compute.__annotations__, fill(template)
            own.__module__ = compute.__module__
            own.__kwdefaults__ = {**(compute.__kwdefaults__ or {}), "_dims": n}
            if "_op_name" in compute.__annotations__:
                own.__kwdefaults__["_op_name"] = own.__name__
            op(own.__name__, **fill(options))(own)
        compute.__doc__ = template.partition("\n")[0]  # its examples are the members'
        return compute

    return declare


_PLACE = re.compile(r"<(?:#|(?P<item>[^<>|]+), \.\.\.|(?P<choice>[^<>]*\|[^<>]*))>")


def _filled(value: Any, n: int, place: int) -> Any:
    """A text, or the texts in options, for the member of a family."""
    if isinstance(value, str):

        def filler(entry: re.Match[str]) -> str:
            if entry["choice"] is not None:
                return entry["choice"].split("|")[place]
            return ", ".join([entry["item"]] * n) if entry["item"] else str(n)

        return _PLACE.sub(filler, value)
    if isinstance(value, dict):
        return {_filled(k, n, place): _filled(v, n, place) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return tuple(part for part in (_filled(v, n, place) for v in value) if part != "")
    return value
