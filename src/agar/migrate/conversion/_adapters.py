"""A class or function of PyTorch that is passed around as a value, as a function of agar's.

``norm_layer=nn.BatchNorm2d`` is called elsewhere with PyTorch's arguments; so the converted file
gets a function with PyTorch's signature that makes the counterpart's call. For a layer it is a
class, because programs ask ``isinstance(layer, type)``, ``issubclass`` and ``__name__``; calling
it gives the counterpart itself.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from agar.migrate.conversion._expand import NAMESPACES
from agar.migrate.rules import Case, Rule, RuleRefused, Unknown
from agar.migrate.rules._template import is_carried, namespace

__all__ = ["Adapter", "adapter", "base_class", "initializer", "is_transparent", "value_of"]


#: arguments that PyTorch takes as lists too
_SIZES = ("kernel_size", "stride", "padding", "dilation", "output_padding", "output_size")
#: stands before the name of an argument that is several
_ALL = "_agar_all_"


@dataclass(frozen=True)
class Adapter:
    """A function for a converted file.

    Attributes:
        name: its name.
        code: its text.
        used: namespaces that it needs.
    """

    name: str
    code: str
    used: frozenset[str]


def _parameters(rule: Rule) -> list[inspect.Parameter]:
    return [
        p
        for p in rule.signature.parameters.values()
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


@cache
def _transparent(source: str) -> bool:
    from agar.migrate.rules import find

    rule = find(source)
    assert rule is not None
    if len(rule.cases) != 1 or rule.refuse or rule.others:
        return False
    if any(p.name in rule.ignore for p in _parameters(rule)):
        return False  # ReLU(inplace=True): the counterpart does not take what is left out
    names = _parameters(rule)
    if len(_parameters(rule)) != len(rule.signature.parameters):
        return False
    tree = ast.parse(re.sub(r"\{(\*?)(\w+)\??\}", r"\1\2", rule.cases[0].template).strip())
    call = tree.body[0]
    if not isinstance(call, ast.Expr) or not isinstance(call.value, ast.Call):
        return False
    call = call.value
    if ast.unparse(call.func) != rule.target:
        return False
    target = dict(namespace()).get((rule.target or "").partition(".")[0])
    for part in (rule.target or "").split(".")[1:]:
        target = getattr(target, part, None)
    if not callable(target):
        return False
    try:
        theirs = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return False
    for i, param in enumerate(names):
        if i >= len(theirs) or theirs[i].name != param.name or theirs[i].default != param.default:
            # a single required argument may have another name: nobody passes it by name
            alone = i == 0 and len(theirs) > 0 and param.default is param.empty
            if not (alone and theirs[0].default is inspect.Parameter.empty):
                return False
    written = [ast.unparse(a) for a in call.args]
    written += [ast.unparse(k.value) for k in call.keywords]
    return written == [p.name for p in names]


def is_transparent(rule: Rule) -> bool:
    """Whether the counterpart can stand for the original wherever it is called."""
    return _transparent(rule.source)


def adapter(rule: Rule, aliases: Mapping[str, str]) -> Adapter | None:
    """The function that stands for a class or function; None where none can be written."""
    params = list(rule.signature.parameters.values())
    if not rule.cases:
        return None
    if any(p.kind is p.VAR_KEYWORD for p in params):
        return _taking_all(rule, aliases)
    args, kwargs = [], {}
    # an argument that is left out where it is None cannot be passed on when it may be None
    optional = {name for case in rule.cases for name in re.findall(r"\{(\w+)\?\}", case.template)}
    for p in params:
        if p.name in rule.ignore or p.name in optional:
            continue
        if p.kind is p.KEYWORD_ONLY:
            kwargs[p.name] = Unknown(p.name)
        else:
            args.append(p)
    several = any(p.kind is p.VAR_POSITIONAL for p in args)
    if several and rule.source.endswith("Tensor"):
        return None  # a list of numbers and a shape are told apart by what they hold
    # what stands before *size is given by its place
    placed = [Unknown(_ALL * (p.kind is p.VAR_POSITIONAL) + p.name) for p in args]
    given = kwargs if several else {p.name: Unknown(p.name) for p in args} | kwargs
    name = f"_torch_{_kind(rule)}{rule.source.rpartition('.')[2].lower()}"
    signature = ", ".join(_text(p) for p in _with_bars(params))
    lines = [f"def {name}({signature}):", f'    """{rule.source} as it is called in PyTorch."""']
    conditions = {
        f"{p.name} is not None": f"{p.name} is given" for p in params if p.name in optional
    }
    for condition, reason in {**conditions, **rule.refuse}.items():
        lines += [
            f"    if {condition}:",
            f"        raise NotImplementedError({f'{rule.source}: {reason}'!r})",
        ]
    used: set[str] = set()
    names = {p.name for p in params}
    for case in rule.cases:
        try:
            alone = replace(rule, cases=(Case(case.template),), refuse={}, others=())
            code = alone.expand(placed if several else (), given).code
            tree = ast.parse(re.sub(rf"\b{_ALL}", "*", code), mode="eval")
        except (RuleRefused, SyntaxError):
            return None
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or node.id in names:
                continue
            if is_carried(node.id):
                used.add(node.id)
            elif node.id in NAMESPACES:
                used.add(node.id)
                node.id = aliases.get(node.id, node.id)
        if case.when is None:
            lines.append(f"    return {ast.unparse(tree)}")
            break
        lines += [f"    if {case.when}:", f"        return {ast.unparse(tree)}"]
    else:
        reason = f"{rule.source} has no counterpart for these arguments: {rule.reason}"
        lines.append(f"    raise NotImplementedError({reason!r})")
    text = "\n".join(lines) + "\n"
    if any("torch" in condition for condition in _conditions(rule)):
        return None  # the file has no torch to ask
    if "math." in text:
        used.add("math")
    return Adapter(name, text, frozenset(used))


def _taking_all(rule: Rule, aliases: Mapping[str, str]) -> Adapter | None:
    """The function for what takes everything and uses nothing: ``nn.Identity(54, unused=0.1)``."""
    head, _, rest = rule.cases[0].template.partition(".")
    if len(rule.cases) > 1 or "{" in rest or head not in NAMESPACES:
        return None
    name = f"_torch_{_kind(rule)}{rule.source.rpartition('.')[2].lower()}"
    text = f"""def {name}(*args, **kwargs):
    \"\"\"{rule.source} as it is called in PyTorch.\"\"\"
    return {aliases.get(head, head)}.{rest}
"""
    return Adapter(name, text, frozenset([head]))


def _class_of(rule: Rule) -> type | None:
    """The cell that stands for a layer; None where there is none, or several."""
    head, *rest = (rule.target or "").split(".")
    target = namespace().get(head)
    for part in rest:
        target = getattr(target, part, None)
    return target if rule.kind == "module" and isinstance(target, type) else None


def value_of(rule: Rule, aliases: Mapping[str, str]) -> Adapter | None:
    """What stands for a class or function that is passed around; None where nothing can.

    Args:
        rule: that of the class or function.
        aliases: the file's names of namespaces.

    Returns:
        Adapter, a class for a layer, a function for anything else.
    """
    function = adapter(rule, aliases)
    if function is None or rule.target is None or _class_of(rule) is None:
        return function
    head, dot, rest = rule.target.partition(".")
    first, said, *body = function.code.splitlines()
    source = rule.source.rpartition(".")[2]
    name = f"_Torch{source}"
    signature = first.partition("(")[2]
    comma = "" if signature.startswith(")") else ", "
    lists = [p.name for p in _parameters(rule) if p.name in _SIZES]
    body = [
        *(f"    {n} = tuple({n}) if isinstance({n}, list) else {n}" for n in lists),
        *body,
    ]
    lines = [
        f"class {name}({aliases.get(head, head)}{dot}{rest}):",
        said,
        "",
        f"    def __new__(cls{comma}{signature}",
        *(f"    {line}" for line in body),
        "",
        "",
        f'{name}.__name__ = "{source}"',
    ]
    return Adapter(name, "\n".join(lines) + "\n", function.used | {head})


def base_class(rule: Rule, aliases: Mapping[str, str]) -> Adapter | None:
    """A layer with PyTorch's signature, to derive from; None where none can be written."""
    init = initializer(rule, aliases)
    if init is None or rule.target is None or _class_of(rule) is None:
        return None
    head, dot, rest = rule.target.partition(".")
    name = f"_Torch{rule.source.rpartition('.')[2]}Base"
    text = f"""class {name}({aliases.get(head, head)}{dot}{rest}):
    \"\"\"{rule.target} with the arguments of {rule.source}.\"\"\"

{_indented(init.code)}
"""
    used = init.used | {head}
    if "track_running_stats" in rule.signature.parameters and rest.startswith("BatchNorm"):
        # what a construct of its own asks for
        ms = aliases.get("ms", "ms")
        text = text.replace(
            "    def __init__", "    track_running_stats = False\n\n    def __init__", 1
        )
        text = text.rstrip("\n").removesuffix("return").rstrip()
        text += f"""
        self.track_running_stats = track_running_stats
        self.register_buffer("num_batches_tracked", {ms}.Tensor(0, {ms}.int64))
"""
        used = used | {"ms"}
    return Adapter(name, text, used)


def initializer(rule: Rule, aliases: Mapping[str, str]) -> Adapter | None:
    """An ``__init__`` with PyTorch's signature for a class that derives from a layer.

    None where none can be written.
    """
    written = adapter(rule, aliases)
    if written is None or rule.target is None:
        return None
    head, dot, rest = rule.target.partition(".")
    target = aliases.get(head, head) + dot + rest
    tree = ast.parse(written.code)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    lines = []
    for statement in ast.walk(function):
        if not isinstance(statement, ast.Return):
            continue
        call = statement.value
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != target:
            reason = f"{rule.source}: with these arguments the counterpart is another class"
            lines.append((statement, f"raise NotImplementedError({reason!r})"))
            continue
        call.func = ast.parse("super().__init__", mode="eval").body
        lines.append((statement, f"{ast.unparse(call)}\nreturn"))
    for statement, text in lines:
        _replace(function, statement, ast.parse(f"def f():\n{_indented(text)}").body[0].body)  # type: ignore[attr-defined]
    function.name = "__init__"
    function.args.args.insert(0, ast.arg("self"))
    function.body = function.body[1:]
    last = function.body[-1]
    if isinstance(last, ast.Return):
        function.body.pop()
    return Adapter("__init__", ast.unparse(ast.fix_missing_locations(tree)) + "\n", written.used)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _replace(tree: ast.AST, old: ast.stmt, new: list[ast.stmt]) -> None:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and old in body:
            at = body.index(old)
            body[at : at + 1] = new


def _kind(rule: Rule) -> str:
    """Tells nn.SiLU, F.silu and torch.relu apart, which may stand in one file."""
    if rule.kind == "module":
        return ""
    return "functional_" if rule.source.startswith("torch.nn.functional.") else "function_"


def _conditions(rule: Rule) -> list[str]:
    return [*rule.refuse, *(case.when for case in rule.cases if case.when is not None)]


def _with_bars(params: list[inspect.Parameter]) -> list[inspect.Parameter | str]:
    out: list[inspect.Parameter | str] = []
    for p in params:
        starred = any(isinstance(q, str) or q.kind is q.VAR_POSITIONAL for q in out)
        if p.kind is p.KEYWORD_ONLY and not starred:
            out.append("*")
        out.append(p)
    return out


def _text(p: inspect.Parameter | str) -> str:
    if isinstance(p, str):
        return p
    if p.kind is p.VAR_POSITIONAL:
        return f"*{p.name}"
    if p.default is p.empty:
        return p.name
    return f"{p.name}={p.default!r}"
