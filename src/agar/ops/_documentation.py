"""The documentation of operators: what follows from a declaration is added to its docstring."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import TYPE_CHECKING, Any

import torch

from agar._core.optable import table

if TYPE_CHECKING:
    from agar.ops.spec import Form, Operator

__all__ = ["arguments", "documentation", "documentation_of_form"]

# What a wrong argument is, by the annotation of a parameter that takes tensors.
_NEGATIONS = {
    "Tensor": "not a Tensor",
    "Tensor | None": "not a Tensor or None",
    "Tensor | Scalar": "neither a Tensor nor a number",
    "Sequence[Tensor]": "neither a list or tuple of Tensors nor a Tensor",
    "Tensor | Sequence[Tensor]": "neither a list or tuple of Tensors nor a Tensor",
}


_HEADING = re.compile(
    r"(?P<heading>Args|Own Args|Attributes|Inputs|Outputs|Returns|Difference from PyTorch|Source"
    r"|Examples):(?: |$)|Raises (?P<error>\w+): |(?P<raises>Raises):$"
)
_INDENT: Any = {"initial_indent": "    ", "subsequent_indent": "        "}
_ORDER = (
    *("", "Args", "Inputs", "Outputs", "Returns", "Raises"),
    *("Difference from PyTorch", "Source", "Examples"),
)


#: How a declaration says that the arguments are another operator's.
_SEE = re.compile(r"\b[Ss]ee\s+(?::func:`|``)ops\.(\w+)`")
#: How the declaration of a class refers to another.
_CLASS = re.compile(r":class:`(?:ops\.)?(\w+)`")
#: An entry of ``Args:``.
_ENTRY = re.compile(r"    \*{0,2}(\w+)(?:, \*{0,2}\w+)* \(")
#: What a parameter is called in the operator that a declaration refers to.
_COUNTERPARTS = {
    "axis": ("dim",),
    "correction": ("ddof",),
    "dim": ("axis",),
    "dims": ("axis",),
    "keepdim": ("keepdims", "keep_dims"),
    "keepdims": ("keepdim", "keep_dims"),
    "size": ("shape",),
}


def documentation(
    entry: Operator, *, as_class: bool = False, referring: tuple[Operator, ...] = ()
) -> str:
    """The docstring of a declaration, with what follows from the declaration.

    Args:
        entry: the declaration.
        as_class: whether it is for the Primitive class of an operator that has other bindings too.
        referring: the declarations whose documentation is completed from this one.
    """
    parts = _completed(entry)
    if as_class or _is_class(entry):
        options = [p.name for p in entry.params if p.kind is p.KEYWORD_ONLY]
        _adopt_options(entry, parts, (*referring, entry))
        _as_class(parts, options)
    return _text(parts)


def documentation_of_form(entry: Form) -> str:
    """The docstring of an operator's form: the operator's, under the parameters of the form."""
    parts = _completed(entry)
    _as_form(entry, parts)
    if entry.constructor is not None:
        _as_class(parts, entry.options)
    return _text(parts)


def _is_class(entry: Operator) -> bool:
    """Whether a declaration is that of a Primitive class alone."""
    others = (*entry.names, *entry.methods, *entry.properties, *entry.mints)
    return bool(entry.primitives) and not others


def _text(parts: dict[str, list[str]]) -> str:
    return "\n\n".join("\n".join(parts[key]) for key in _ORDER if key in parts)


def _completed(entry: Operator) -> dict[str, list[str]]:
    """The sections of a declaration's docstring, with what follows from the declaration."""
    text = inspect.cleandoc(entry.compute.__doc__ or "")
    parts = _sections(text)
    if not _adopt(entry, parts) and "Args" in parts:
        if "Outputs" not in parts:
            parts.setdefault("Returns", ["Returns:", "    Tensor of the input's shape and dtype."])
        raised = parts.setdefault("Raises", ["Raises:"])
        wrong = _wrong_types(entry, written=any("TypeError: " in line for line in raised))
        if wrong:
            line = f"    TypeError: {wrong}."
            raised[1:1] = [line] if len(line) < 90 else textwrap.wrap(line.strip(), 90, **_INDENT)
        if len(raised) == 1:
            del parts["Raises"]
        parts.setdefault("Difference from PyTorch", ["Difference from PyTorch: none."])
        parts.setdefault("Source", ["Source: behavior observed in MindSpore 2.10."])
    return parts


def _names(line: str) -> list[str]:
    """The parameters that a line of ``Args:`` begins to describe."""
    return re.findall(r"\w+", line[: line.index("(")]) if _ENTRY.match(line) else []


def _described(lines: list[str]) -> dict[str, list[str]]:
    """The lines of ``Args:`` by parameter; those of several parameters stand under each."""
    result: dict[str, list[str]] = {}
    names: list[str] = []
    for line in lines[1:]:
        names = _names(line) or names
        for name in names:
            result.setdefault(name, []).append(line)
    return result


def _adopt(entry: Operator, parts: dict[str, list[str]]) -> bool:
    """Take over the arguments that a declaration leaves to the operator that it refers to.

    Returns:
        bool, whether there are any.
    """
    reference = _SEE.search("\n".join(parts[""]))
    source: Any = table.functions.get(reference[1]) if reference else None
    own = _described(parts.pop("Own Args", parts.get("Args", [])))
    known = {*own, *(p.name for p in entry.params if p.kind is not p.KEYWORD_ONLY)}
    known = known if "Inputs" in parts else {*own}
    if source is None or all(p.name in known or p.name[0] == "_" for p in entry.params):
        return False
    whole = _sections(source.doc)
    listed = _described(whole.get("Args", []))
    defaults = {p.name: p.default for p in source.params}
    tensors = [p.name if "Tensor" in p.annotation else "" for p in source.params]
    names: dict[str, str] = {}
    lines: list[str] = []
    for position, p in enumerate(entry.params):
        if p.name in known or p.name.startswith("_"):
            lines += own.pop(p.name, ())
            continue
        candidates = [p.name, *_COUNTERPARTS.get(p.name, ())]
        means = next((name for name in candidates if name in listed), None)
        if means in names:
            lines.append(f"    {p.name}: another name of `{names[means]}`.")
            continue
        if means is None and "Tensor" in p.annotation:  # what stands at the same place
            means = next((n for n in tensors[position : position + 1] if n in listed), None)
        if means is not None and means not in names:
            names[means] = p.name
            lines += _entry_as(listed[means], means, p, defaults.get(means))
    lines += [line for item in own.values() for line in item]
    if names and _is_class(entry) and "Outputs" not in parts and _alike(entry, source):
        parts.setdefault("Returns", whole.get("Returns", ["Returns:", "    Tensor."]))
    if lines and names:
        parts["Args"] = ["Args:"] + [
            re.sub(r"(?<!`)`(\w+)`(?!`)", lambda m: f"`{names.get(m[1], m[1])}`", line)
            for line in lines
        ]
    return bool(names)


def _alike(entry: Operator, other: Operator) -> bool:
    """Whether the inputs of a class are arguments of another operator."""
    theirs = {p.name: p.annotation for p in other.params}
    inputs = [p for p in entry.params if p.kind is not p.KEYWORD_ONLY]
    return all(theirs.get(p.name) == p.annotation for p in inputs)


def _adopt_options(
    entry: Operator, parts: dict[str, list[str]], referring: tuple[Operator, ...]
) -> None:
    """Take over the constructor's arguments that a class leaves to the classes it refers to."""
    lines = parts.get("Args", ["Args:"])
    missing = [p for p in entry.params if p.kind is p.KEYWORD_ONLY and p.name[0] != "_"]
    missing = [p for p in missing if p.name not in _described(lines)]
    for name in _CLASS.findall("\n".join(parts[""])) if missing else ():
        other: Any = table.primitives.get(name)
        if other is None or other in referring:
            continue
        text = documentation(other, as_class=True, referring=referring)
        listed = _described(_sections(text).get("Args", []))
        defaults = {p.name: p.default for p in other.params}
        for p in [p for p in missing if p.name in listed]:
            lines = [*lines, *_entry_as(listed[p.name], p.name, p, defaults[p.name])]
            missing.remove(p)
    if len(lines) > 1:
        parts["Args"] = lines


def _as_class(parts: dict[str, list[str]], options: list[str]) -> None:
    """Part the constructor's arguments from the inputs of the call, and name the outputs."""
    lines = parts.get("Args", [])
    if any(not line.startswith("        ") and not _ENTRY.match(line) for line in lines[1:]):
        return
    arguments: list[tuple[int, str]] = []
    inputs: list[str] = []
    for item in re.split(r"^(?= {4}\S)", "\n".join(lines[1:]), flags=re.MULTILINE):
        names = _names(item)
        if names and names[0] in options:
            arguments.append((options.index(names[0]), item))
        elif names:
            head = ", ".join(f"**{name}**" for name in names)
            inputs.append(
                f"    - {head} " + re.sub(r"\): ", ") - ", item[item.index("(") :], count=1)
            )
    parts.pop("Args", None)
    if arguments:
        text = "\n".join(item.rstrip() for _, item in sorted(arguments))
        parts["Args"] = ["Args:", *text.splitlines()]
    if inputs:
        text = "\n".join(item.rstrip() for item in inputs)
        parts["Inputs"] = ["Inputs:", *text.splitlines()]
    if "Inputs" in parts and "Returns" in parts:
        parts["Outputs"] = ["Outputs:", *parts.pop("Returns")[1:]]


def _entry_as(lines: list[str], name: str, param: inspect.Parameter, default: Any) -> list[str]:
    """The description of a parameter of another operator as that of `param`."""
    text = "\n".join(lines)
    text = re.sub(rf"^    (\*?)\b.*?{name}\b[^(]* \(", rf"    \1{param.name} (", text, count=1)
    if param.default is not param.empty and param.default == default:
        return text.splitlines()
    text = re.sub(r"\s+Default(?: [^:\s]+: [^.]*\.|:\s+\S+(?=\s|$))", "", text)
    if param.default is not param.empty:
        is_dtype = type(param.default) is torch.dtype
        displayed = str(param.default).removeprefix("torch.") if is_dtype else repr(param.default)
        text += f" Default: {displayed}."
    *full, last = text.splitlines() or [""]
    return [*full, *textwrap.wrap(last, 96, initial_indent="", subsequent_indent=" " * 8)]


def _sections(text: str) -> dict[str, list[str]]:
    """The lines of a docstring by heading, in the form that readers see."""
    parts: dict[str, list[str]] = {"": []}
    key, indent = "", ""
    for line in text.splitlines():
        result = None if line[:1] in " " else _HEADING.match(line)
        if result and result["error"]:
            key, indent = "Raises", "    "
            line = line.removeprefix("Raises ")
            parts.setdefault(key, ["Raises:"])
        elif result:
            key, indent = result["heading"] or "Raises", ""
            if key == "Attributes":  # of a class, whose implementation has more arguments
                key, line = "Args", "Args:"
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


def _as_form(entry: Form, parts: dict[str, list[str]]) -> None:
    """Turn the documentation of an operator into that of its form."""
    if entry.whole.names:
        original = f"``ops.{entry.whole.names[0]}``"
        inputs = [f"`{p.name}`" for p in entry.params if p.name not in entry.options]
        options = [f"`{name}`" for name in entry.options]
        result = f"made with {', '.join(options)}, " if options else ""
        as_class = f"{original} as a class: {result}called with {', '.join(inputs)}."
        see = as_class if entry.constructor is not None else f"See also {original}."
        parts[""] += ["", *textwrap.wrap(see, 96)]
    written = "\n".join(parts["Difference from PyTorch"]).partition(": ")[2]
    if entry.constructor is None:  # a function of mint, whose parameters and defaults are PyTorch's
        written = "none."
    elif not written.startswith("no "):
        written = "functions only" + ("." if written.startswith("none") else f"; {written}")
    parts["Difference from PyTorch"] = textwrap.wrap(f"Difference from PyTorch: {written}", 96)
    parts["Args"] = _own_arguments(entry, parts["Args"])
    for p, means in entry.given:
        if p.name != means:
            for lines in parts.values():
                lines[:] = [line.replace(f"`{means}`", f"`{p.name}`") for line in lines]
    parts["Examples"] = [_own_example(entry, line) for line in parts.get("Examples", [])]


def _own_arguments(entry: Form, lines: list[str]) -> list[str]:
    """The descriptions of those parameters that a form has, with its names and defaults."""
    described = _described(lines)
    result = lines[:1]
    whole = {means: p.default for p, means in entry.whole.given}
    for p, means in sorted(entry.given, key=lambda g: g.param.name not in entry.options):
        result += _entry_as(described.get(means, []), means, p, whole[means])
    return result


def _own_example(entry: Form, line: str) -> str:
    """A line of an example with calls of the operator as calls of the form."""
    for function in entry.whole.names:
        start = line.find(f"ms.ops.{function}(")
        if start < 0 or not line.lstrip().startswith(">>> "):
            continue
        begin = line.index("(", start)
        depth, end = 1, begin
        while depth and end + 1 < len(line):
            end += 1
            depth += (line[end] in "([{") - (line[end] in ")]}")
        text = line[begin + 1 : end]
        given = {key or i for i, (key, _) in enumerate(arguments(text))}
        for i, p in enumerate(entry.whole.params):  # its default, where that of the form differs
            own = next((own for own, means in entry.given if means == p.name), p)
            if own.default != p.default and given.isdisjoint((i, p.name)):
                text += f", {p.name}={p.default!r}"
        parts = entry.split(text)
        if parts is not None:
            inputs, options = map(", ".join, parts)
            is_class = entry.constructor is not None
            path = entry.paths[0]
            result = f"ops.{path}({options})" if is_class else f"mint.{path}"
            return f"{line[:start]}ms.{result}({inputs}){line[end + 1 :]}"
    return line


def arguments(text: str) -> list[tuple[str, str]]:
    """An argument list as text, as (keyword or empty, argument) pairs."""
    whole = f"_({text})"
    call: Any = ast.parse(whole, mode="eval").body
    given = [("", a) for a in call.args] + [(k.arg, k.value) for k in call.keywords]
    return [(name, str(ast.get_source_segment(whole, node))) for name, node in given]
