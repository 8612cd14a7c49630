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

NOTE Primitive classes. ``primitive="Name"`` gives a class without constructor arguments, and
``primitive="Name(a, b=1)"`` one whose constructor takes the arguments `a` and `b`, the latter with
another default than the function has; the function's keyword-only arguments that are not among them
keep their defaults. Where class and function differ in more than that, the class
is declared by :func:`primitive`: the call's arguments are the positional parameters, the
constructor's arguments the keyword-only ones. A class may have state: the option ``setup`` is
called with each new object and returns what the keyword-only parameter ``_state``, no constructor
argument, receives at every call.

NOTE Docstrings of declarations have a summary, the formula, ``Args:``, then facts of one line each
(a longer one goes on in an indented line), then examples. What follows from the declaration is left
out, and `documentation` adds it:

==========================================  =====================================================
``Returns: <what>.``                        without it: a Tensor of the input's shape and dtype
``Raises <class>: <when>.``                 one for each class; those of the checks are added
``Difference from PyTorch: <which>.``       without it: none
``Source: <where from>.``                   without it: behaviour observed in MindSpore 2.10
``>>> print(ms.ops.name(...))``             gets its heading and ``import agar as ms``
==========================================  =====================================================

``Outputs:`` of classes stands in place of ``Returns:``. A docstring without ``Args:`` refers to
another operator or explains a property; only its examples are completed.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import torch

from agar._core.optable import CAST_FLOAT, Op, Primitive, Scalar, table
from agar.ops import _checks

__all__ = ["CHECKS", "Flag", "Float", "Integer", "Number", "Operator", "Scalar", "op", "primitive"]

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

# What a wrong argument is, by the annotation of a parameter that takes tensors.
_NEGATIONS = {
    "Tensor": "not a Tensor",
    "Tensor | None": "not a Tensor or None",
    "Tensor | Scalar": "neither a Tensor nor a number",
    "Sequence[Tensor]": "neither a list or tuple of Tensors nor a Tensor",
    "Tensor | Sequence[Tensor]": "neither a list or tuple of Tensors nor a Tensor",
}


def _checked(compute: Callable[..., Any], op_name: str, checks: dict[str, Check]) -> Any:
    """An implementation behind the checks of its parameters, which name `op_name` in errors."""
    params = inspect.signature(compute).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY) for p in params):
        raise TypeError(f"The checks of '{op_name}' need parameters with names.")
    head, call = [], []
    for p in params:
        if p.kind is p.KEYWORD_ONLY and "*" not in head:
            head.append("*")
        head.append(p.name if p.default is p.empty else f"{p.name}=_defaults[{p.name!r}]")
        call.append(f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name)
    lines = [f"def {compute.__name__}({', '.join(head)}):"]
    for name, check in checks.items():
        lines.append(f"    if not {check.holds.format(name)}:")
        lines.append(f"        _refuse[{name!r}]({op_name!r}, {name!r}, {name})")
    lines.append(f"    return _compute({', '.join(call)})")
    scope: dict[str, Any] = {
        "_compute": compute,
        "_defaults": {p.name: p.default for p in params},
        "_refuse": {name: check.refuse for name, check in checks.items()},
    }
    exec(compile("\n".join(lines), f"<checks of {op_name}>", "exec"), scope)
    return functools.wraps(compute)(scope[compute.__name__])


# ---------------------------------------------------------------------------- declarations


class Operator(Op):
    """A declared operator; what follows from its declaration is made when it is first asked for."""

    __slots__ = ("_checks", "_errors", "_impl", "_samples", "compute")

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        self.compute = compute
        self._checks: dict[str, Check] | None = None
        super().__init__(name, compute)
        if not CHECKS.keys().isdisjoint(getattr(compute, "__annotations__", {}).values()):
            self._impl = None  # made with its checks when it is first asked for

    @property
    def checks(self) -> dict[str, Check]:
        """The checks by parameter."""
        if self._checks is None:
            given = inspect.signature(self.compute).parameters.values()
            found = {p.name: CHECKS.get(p.annotation) for p in given}
            self._checks = {name: check for name, check in found.items() if check is not None}
        return self._checks

    @property
    def impl(self) -> Callable[..., Any]:
        """The implementation over torch tensors, behind the checks."""
        if self._impl is None:
            self._impl = _checked(self.compute, self.name, self.checks)
            shown = {name: check.annotation for name, check in self.checks.items()}
            self._impl.__annotations__ = {**self.compute.__annotations__, **shown}
        return self._impl

    @impl.setter
    def impl(self, value: Callable[..., Any]) -> None:
        self._impl = value

    @property
    def params(self) -> tuple[inspect.Parameter, ...]:
        """The implementation's parameters."""
        if self._params is None:
            self._params = tuple(
                p.replace(annotation=self.checks[p.name].annotation) if p.name in self.checks else p
                for p in inspect.signature(self.compute).parameters.values()
            )
        return self._params

    @property
    def doc(self) -> str:
        """The whole documentation."""
        return documentation(self)

    @property
    def samples(self) -> tuple[str, ...]:
        """Argument lists as text, evaluated by the tests."""
        return self._samples

    @samples.setter
    def samples(self, value: tuple[str, ...]) -> None:
        self._samples = value

    @property
    def errors(self) -> tuple[tuple[str, type[Exception], str], ...]:
        """What the tests must see refused: by declaration, and by each check."""
        return (*self._errors, *_refusals(self))

    @errors.setter
    def errors(self, value: tuple[tuple[str, type[Exception], str], ...]) -> None:
        self._errors = value


class ClassOf(Operator):
    """The Primitive class of an operator, of which some arguments are its constructor's.

    Attributes:
        whole: the operator.
        form: the class as its declaration says it, ``HShrink(lambd)``.
    """

    __slots__ = ("_constructor", "form", "whole")

    def __init__(self, whole: Operator, form: str) -> None:
        name = form.partition("(")[0]
        super().__init__(name, whole.compute)
        self.whole, self.form = whole, form
        self._constructor: dict[str, Any] | None = None
        self.primitives = (name,)
        for shared in ("cast", "reference", "differentiable", "tags", "halves", "inplace", "setup"):
            setattr(self, shared, getattr(whole, shared))
        self.constants = whole.constants

    @property
    def constructor(self) -> dict[str, Any]:
        """The constructor's arguments with their defaults."""
        if self._constructor is None:
            known = inspect.signature(self.compute).parameters
            call: Any = ast.parse(self.form, mode="eval").body
            found = {a.id: known[a.id].default for a in call.args}
            found |= {k.arg: ast.literal_eval(k.value) for k in call.keywords}
            self._constructor = found
        return self._constructor

    @property
    def params(self) -> tuple[inspect.Parameter, ...]:
        """The call's parameters, then the constructor's as keyword-only ones."""
        if self._params is None:
            known = {p.name: p for p in self.whole.params}
            options = [
                known.pop(name).replace(kind=inspect.Parameter.KEYWORD_ONLY, default=default)
                for name, default in self.constructor.items()
            ]
            inputs = [p for p in known.values() if p.kind is not p.KEYWORD_ONLY]
            self._params = (*inputs, *options)
        return self._params

    @property
    def samples(self) -> tuple[str, ...]:
        """The operator's samples, as far as the class takes them, its arguments by keyword."""
        return tuple(map(self._by_keyword, filter(self._takes, self.whole.samples)))

    @samples.setter
    def samples(self, value: tuple[str, ...]) -> None:
        self._samples = value

    @property
    def errors(self) -> tuple[tuple[str, type[Exception], str], ...]:
        """The operator's refusals, likewise."""
        taken = [error for error in self.whole.errors if self._takes(error[0])]
        return tuple((self._by_keyword(text), error, words) for text, error, words in taken)

    @errors.setter
    def errors(self, value: tuple[tuple[str, type[Exception], str], ...]) -> None:
        self._errors = value

    def _takes(self, text: str) -> bool:
        names = {p.name for p in self.params}
        return all(not key or key in names for key, _ in _arguments(text))

    def _by_keyword(self, text: str) -> str:
        inputs, options = self.split(text)
        return ", ".join([*inputs, *options])

    def split(self, text: str) -> tuple[list[str], list[str]]:
        """An argument list of the operator as those of the call and of the constructor."""
        names = [p.name for p in self.whole.params]
        inputs, options = [], []
        for i, (key, value) in enumerate(_arguments(text)):
            name = key or names[i] if i < len(names) else key
            if name in self.constructor:
                options.append(f"{name}={value}")
            else:
                inputs.append(f"{key}={value}" if key else value)
        return inputs, options


def _arguments(text: str) -> list[tuple[str, str]]:
    """An argument list as text, as (keyword or empty, argument) pairs."""
    whole = f"_({text})"
    call: Any = ast.parse(whole, mode="eval").body
    given = [("", a) for a in call.args] + [(k.arg, k.value) for k in call.keywords]
    return [(name, str(ast.get_source_segment(whole, node))) for name, node in given]


def _refusals(entry: Operator) -> Iterator[tuple[str, type[Exception], str]]:
    """A wrong argument for each check, in place of that of the first sample."""
    names = [p.name for p in entry.params]
    for name, check in entry.checks.items():
        sample = _arguments(entry.samples[0])
        given = {key or names[i]: value for i, (key, value) in enumerate(sample)}
        text = ", ".join(f"{key}={value}" for key, value in {**given, name: check.wrong}.items())
        yield text, TypeError, check.telling or name


def _tuple(value: str | Iterable[str] | bool | None, default: str) -> tuple[str, ...]:
    if value is None or value is False:
        return ()
    if value is True:
        return (default,)
    return (value,) if isinstance(value, str) else tuple(value)


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
    fast: Callable[..., Any] | None = None,
    inplace: Callable[..., Any] | None = None,
    keywords: dict[str, str] | None = None,
    setup: Callable[[Primitive], Any] | None = None,
    constants: dict[str, Any] | None = None,
    spelled: dict[str, dict[str, str]] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an operator; the decorated implementation stays as it is, for use by others.

    Args:
        name: the public name that errors show; the function's own name by default.
        function: names under ``ops``; True for the function's own name, False for none.
        method: names of Tensor methods; True for the function's own name.
        prop: names of Tensor properties.
        primitive: names of Primitive classes, with the constructor's arguments in parentheses, see
            NOTE Primitive classes.
        mint: paths under ``mint`` of the same signature; True for the function's own name.
        cast: ``"float"`` or ``"never"``: what precision scopes do with floating inputs.
        samples: argument lists for the tests, as text.
        errors: argument lists that must fail, the exception's type, and words of the message.
        reference: numpy or torch expression that must agree, as text over the parameter names.
        differentiable: whether gradcheck runs on floating samples.
        tags: free labels, such as ``"random"`` or ``"loss"``.
        halves: compute float16 and bfloat16 in float32 where the implementation refuses them.
        fast: a pure function of the same meaning, for operators of exactly one tensor, or of two
            tensors that have one dtype.
        inplace: for an implementation that writes into its first argument, see `Op`.
        keywords: other keywords for parameters, see `Op`.
        setup: checks a new object of the Primitive class and returns its state, see NOTE Primitive
            classes.
        constants: attributes of the Primitive class itself, besides its arguments.
        spelled: other names of positional parameters in some faces: the face's path (a function's
            name, ``Tensor.name``, ``mint.name``) to the implementation's names and the face's.
    """

    def declare(impl: Callable[..., Any]) -> Callable[..., Any]:
        own = impl.__name__.rstrip("_") if function is True and name is None else impl.__name__
        entry = Operator(name or own, impl)
        classes = _tuple(primitive, name or own)
        entry.names = _tuple(function, name or own)
        entry.methods = _tuple(method, name or own)
        entry.properties = _tuple(prop, name or own)
        entry.primitives = tuple(form for form in classes if "(" not in form)
        entry.mints = _tuple(mint, name or own)
        entry.cast = cast
        entry.samples = tuple(samples)
        entry.errors = tuple(errors)
        entry.reference = reference
        entry.differentiable = differentiable
        entry.tags = frozenset(tags)
        entry.halves = halves
        entry.fast = fast
        entry.inplace = inplace
        entry.keywords = keywords or {}
        entry.setup = setup
        entry.spelled = spelled or {}
        entry.constants = constants or {}
        table.add(entry)
        for form in classes:
            if "(" in form:
                table.add(ClassOf(entry, form))
        return impl

    return declare


def primitive(name: str | Iterable[str], **options: Any) -> Callable[..., Any]:
    """Declare a Primitive class with constructor arguments (see NOTE Primitive classes)."""
    names = _tuple(name, "")
    return op(names[0], function=False, primitive=names, **options)


# --------------------------------------------------------------------------- documentation

_HEADING = re.compile(
    r"(?P<heading>Args|Outputs|Returns|Difference from PyTorch|Source|Examples):(?: |$)"
    r"|Raises (?P<error>\w+): |(?P<raises>Raises):$"
)
_INDENT: Any = {"initial_indent": "    ", "subsequent_indent": "        "}
_ORDER = (
    *("", "Args", "Outputs", "Returns", "Raises"),
    *("Difference from PyTorch", "Source", "Examples"),
)


def documentation(entry: Operator) -> str:
    """The docstring of a declaration, with what follows from the declaration."""
    text = inspect.cleandoc(entry.compute.__doc__ or "")
    parts = _sections(text)
    if "Args" in parts:
        if "Outputs" not in parts:
            parts.setdefault("Returns", ["Returns:", "    Tensor of the input's shape and dtype."])
        raised = parts.setdefault("Raises", ["Raises:"])
        wrong = _wrong_types(entry, written=any("TypeError: " in line for line in raised))
        if wrong:
            raised[1:1] = textwrap.wrap(f"TypeError: {wrong}.", 90, **_INDENT)
        if len(raised) == 1:
            del parts["Raises"]
        parts.setdefault("Difference from PyTorch", ["Difference from PyTorch: none."])
        parts.setdefault("Source", ["Source: behaviour observed in MindSpore 2.10."])
    if isinstance(entry, ClassOf):
        _as_class(entry, parts)
    return "\n\n".join("\n".join(parts[key]) for key in _ORDER if key in parts)


def _sections(text: str) -> dict[str, list[str]]:
    """The lines of a docstring by heading, in the form that readers see."""
    parts: dict[str, list[str]] = {"": []}
    key, indent = "", ""
    for line in text.splitlines():
        found = _HEADING.match(line)
        if found and found["error"]:
            key, indent = "Raises", "    "
            line = line.removeprefix("Raises ")
            parts.setdefault(key, ["Raises:"])
        elif found:
            key, indent = found["heading"] or "Raises", ""
            parts.setdefault(key, [])
            if key in ("Returns", "Outputs") and not line.endswith(":"):
                parts[key].append(f"{key}:")
                line = line.replace(f"{key}: ", "    ", 1)
        elif line.startswith(">>> ") and key != "Examples":
            key, indent = "Examples", "    "
            parts[key] = ["Examples:"]
            if "import agar" not in text:
                parts[key].append("    >>> import agar as ms")
        elif key in ("Difference from PyTorch", "Source"):
            line = line.removeprefix("    ")
        parts[key].append(indent + line if line else "")
    for lines in parts.values():
        while lines and not lines[-1]:
            lines.pop()
    return parts


def _wrong_types(entry: Operator, written: bool) -> str:
    """What makes the bindings raise a TypeError; of the checks alone where `written` says more."""
    names: dict[str, list[str]] = {}
    for p in entry.params:
        check = entry.checks.get(p.name)
        negation = check.negation if check else "" if written else _NEGATIONS.get(p.annotation, "")
        if negation:
            several = p.kind is p.VAR_POSITIONAL
            names.setdefault(negation, []).append("an argument" if several else f"`{p.name}`")
    return ", or ".join(f"{_listed(given)} is {what}" for what, given in names.items())


def _listed(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _as_class(entry: ClassOf, parts: dict[str, list[str]]) -> None:
    """Turn the documentation of a function into that of its class."""
    function = entry.whole.names[0]
    inputs = ", ".join(f"`{p.name}`" for p in entry.params if p.kind is not p.KEYWORD_ONLY)
    options = ", ".join(f"`{name}`" for name in entry.constructor)
    parts[""] += ["", f"``ops.{function}`` as a class: made with {options}, called with {inputs}."]
    written = "\n".join(parts["Difference from PyTorch"]).partition(": ")[2]
    if not written.startswith("no"):
        parts["Difference from PyTorch"] = [f"Difference from PyTorch: functions only; {written}"]
    elif written.startswith("none"):
        parts["Difference from PyTorch"] = ["Difference from PyTorch: functions only."]
    parts["Examples"] = [_example_of_class(entry, line) for line in parts.get("Examples", [])]


def _example_of_class(entry: ClassOf, line: str) -> str:
    """A line of an example with calls of the function as calls of objects of the class."""
    for function in entry.whole.names:
        start = line.find(f"ms.ops.{function}(")
        if start < 0 or not line.lstrip().startswith(">>> "):
            continue
        begin = line.index("(", start)
        depth, end = 1, begin
        while depth and end + 1 < len(line):
            end += 1
            depth += (line[end] in "([{") - (line[end] in ")]}")
        inputs, options = entry.split(line[begin + 1 : end])
        made = f"ms.ops.{entry.name}({', '.join(options)})({', '.join(inputs)})"
        return line[:start] + made + line[end + 1 :]
    return line
