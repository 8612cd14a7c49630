"""How rows of the table are written down."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from agar.migrate.rules._rule import Case, Rule, Weight

__all__ = ["TABLE", "case", "missing", "overload", "rule"]

#: Every row, by its name in PyTorch.
TABLE: dict[str, Rule] = {}


def rule(
    call: str,
    *cases: str | Case,
    refuse: Mapping[str, str] | None = None,
    ignore: str = "",
    differs: Mapping[str, str] | None = None,
    weights: str = "",
    read: Mapping[str, str] | None = None,
    samples: Sequence[str] = (),
    compare: str = "values",
    note: str = "",
    agar_only: bool = False,
    others: Sequence[Rule] = (),
) -> Rule:
    """Write down one row.

    Args:
        call (str): the name in PyTorch and its signature: ``torch.nn.ReLU(inplace=False)``.
        cases (str, Case): templates of the counterpart, those with a condition first.
        refuse (mapping): condition in PyTorch's parameters: why it has no counterpart.
        ignore (str): parameters that change no result, separated by spaces.
        differs (mapping): argument of the counterpart: how the libraries differ in it.
        weights (str): ``source=target`` or ``source=target:transform``, separated by spaces; an
            empty target for what the cell does not keep.
        read (mapping): parameter: expression in ``module`` that reads it from an instance.
        samples (sequence): calls for the tests.
        compare (str): "values", "shape", "moments", "gradients" or "cells".
        note (str): a remark for the table's reader.
        agar_only (bool): MindSpore 2.10 lacks the counterpart.
        others (sequence): further signatures of the same name, made by `overload`.

    Returns:
        Rule, which is in TABLE from now on.
    """
    new_rule = _make(
        call,
        cases,
        refuse=refuse,
        ignore=ignore,
        differs=differs,
        weights=weights,
        read=read,
        samples=samples,
        compare=compare,
        reason=note,
        agar_only=agar_only,
        others=others,
    )
    if new_rule.source in TABLE:
        raise ValueError(f"There are two rules for {new_rule.source}.")
    TABLE[new_rule.source] = new_rule
    return new_rule


def overload(
    call: str,
    *cases: str | Case,
    refuse: Mapping[str, str] | None = None,
    ignore: str = "",
    note: str = "",
) -> Rule:
    """Another signature of a name, for the argument `others` of `rule`.

    Args:
        call (str): the name in PyTorch and the signature, with types where they tell the
            signatures apart: ``torch.max(input, other: Tensor)``.
        cases (str, Case): as for `rule`; none where such a call has no counterpart.
        refuse (mapping): as for `rule`.
        ignore (str): as for `rule`.
        note (str): why there is no counterpart.
    """
    return _make(call, cases, refuse=refuse, ignore=ignore, reason=note)


def _make(
    call: str,
    cases: Sequence[str | Case],
    *,
    refuse: Mapping[str, str] | None,
    ignore: str,
    reason: str,
    differs: Mapping[str, str] | None = None,
    weights: str = "",
    read: Mapping[str, str] | None = None,
    samples: Sequence[str] = (),
    compare: str = "values",
    agar_only: bool = False,
    others: Sequence[Rule] = (),
) -> Rule:
    source, signature = _parse_call(call)
    return Rule(
        source=source,
        signature=signature,
        cases=tuple(c if isinstance(c, Case) else Case(c) for c in cases),
        refuse=dict(refuse or {}),
        ignore=frozenset(ignore.split()),
        differs=dict(differs or {}),
        weights=tuple(_weight(part) for part in weights.split()),
        read=dict(read or {}),
        samples=tuple(samples),
        compare=compare,
        reason=reason,
        agar_only=agar_only,
        others=tuple(others),
    )


def case(
    template: str,
    when: str | None = None,
    note: str = "",
    likely: bool = False,
    weights: str = "",
    doubt: str = "",
) -> Case:
    """One form of a row's counterpart, for forms that need more than a template.

    Args:
        template (str): the code.
        when (str, optional): the condition in PyTorch's parameters. Default: ``None``.
        note (str): what the reader of a conversion is told.
        likely (bool): it also counts where the source does not say whether the condition holds.
        weights (str): as for `rule`, where they are not the row's; ``same`` for equal names.
        doubt (str): what is marked where the source does not say whether the condition holds.
    """
    given = tuple(_weight(part) for part in weights.split()) if weights else None
    return Case(template, when, note, likely, given, doubt=doubt)


def missing(call: str, reason: str) -> Rule:
    """Write down a row without a counterpart.

    Args:
        call (str): the name in PyTorch, with or without its signature.
        reason (str): why there is none, and what to do instead.
    """
    return rule(call if "(" in call else f"{call}(*args, **kwargs)", note=reason)


def _weight(text: str) -> Weight:
    if text == "same":
        return Weight("*", "*")
    names, _, transform = text.partition(":")
    source, equals, target = names.partition("=")
    return Weight(source, target if equals else source, transform or "same")


def _parse_call(call: str) -> tuple[str, inspect.Signature]:
    name, bracket, rest = call.partition("(")
    if not bracket:
        raise ValueError(f"The rule of {call!r} lacks a signature.")
    tree = ast.parse(f"def f({rest}: pass").body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ValueError(f"{call!r} is no signature.")
    args = tree.args
    kind = inspect.Parameter
    out: list[inspect.Parameter] = []
    positional = [(a, kind.POSITIONAL_ONLY) for a in args.posonlyargs]
    positional += [(a, kind.POSITIONAL_OR_KEYWORD) for a in args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    defaults += args.defaults
    for (arg, how), default in zip(positional, defaults, strict=True):
        out.append(_parameter(arg, how, default=_value(default)))
    if args.vararg:
        out.append(_parameter(args.vararg, kind.VAR_POSITIONAL))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        out.append(_parameter(arg, kind.KEYWORD_ONLY, default=_value(default)))
    if args.kwarg:
        out.append(inspect.Parameter(args.kwarg.arg, kind.VAR_KEYWORD))
    return name, inspect.Signature(out)


def _parameter(arg: ast.arg, how: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    annotation = inspect.Parameter.empty if arg.annotation is None else ast.unparse(arg.annotation)
    return inspect.Parameter(arg.arg, how, default=default, annotation=annotation)


def _value(node: ast.expr | None) -> Any:
    if node is None:
        return inspect.Parameter.empty
    return ast.literal_eval(node)
