"""What one row of the table of rules is, and how it turns a PyTorch call into one of agar's."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from inspect import Signature
from typing import Any

# the rules are about torch
import torch

from agar.migrate.rules._conditions import RuleRefused, Unknown, assumed, fits, holds
from agar.migrate.rules._template import (
    Writer,
    default_of,
    namespace,
    plain_template,
    same,
    target_of,
)

__all__ = [
    "TRANSFORMS",
    "Case",
    "Expansion",
    "Rule",
    "RuleRefused",
    "Unknown",
    "Weight",
    "default_of",
    "namespace",
    "plain_template",
]

#: Kinds of rules, by the beginning of the name in PyTorch; the first that fits counts.
KINDS = (
    ("torch.nn.functional.", "function"),
    ("torch.nn.init.", "initializer"),
    ("torch.nn.utils.", "function"),
    ("torch.nn.Module.", "method"),
    ("torch.nn.", "module"),
    ("torch.optim.lr_scheduler.", "scheduler"),
    ("torch.optim.Optimizer.", "method"),
    ("torch.optim.", "optimizer"),
    ("torch.Tensor.", "method"),
    ("torch.", "function"),
)

#: How a weight changes its form on the way to the cell, and the way back.
TRANSFORMS: dict[str, tuple[Callable[[torch.Tensor], torch.Tensor], ...]] = {
    "same": (lambda v: v, lambda v: v),
    "expand2": (lambda v: v.unsqueeze(2), lambda v: v.squeeze(2)),
    "transpose": (lambda v: v.t(), lambda v: v.t()),
    "flat": (lambda v: v.reshape(-1), lambda v: v),
}

#: Conditions of a refusal that hold for any expression: nobody writes ``out=`` for nothing.
NEVER_NONE = ("out is not None", "generator is not None")

#: Names that numpy gives to what PyTorch calls otherwise; its functions take both.
NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x2": "other"}

#: Parameters for which PyTorch's modules keep a tuple where one number was given.
_UNIFORM = ("kernel_size", "stride", "padding", "dilation", "output_padding", "output_size")


@dataclass(frozen=True)
class Case:
    """One form of the counterpart.

    Attributes:
        template: the code; see the note in _template.py.
        when: a condition in the names of PyTorch's parameters, or None for the usual case.
        note: what the reader of a conversion is told where this case is used.
        likely: the case also counts where the source does not say whether the condition holds.
        weights: entries of the module's state in this form, where they are not the row's.
        make: gives the template of a call from its arguments (by PyTorch's names), where it
            depends on more than their presence; None from it means `template`.
        doubt: what is marked in the written file where the source does not say whether the
            condition holds, and the counterpart would then have other values.
    """

    template: str
    when: str | None = None
    note: str = ""
    likely: bool = False
    weights: tuple[Weight, ...] | None = None
    make: Callable[[Mapping[str, Any]], str | None] | None = None
    doubt: str = ""

    def template_of(self, given: Mapping[str, Any]) -> str:
        """The template for a call with these arguments.

        Args:
            given (Mapping): the arguments by PyTorch's names.
        """
        template = self.make(given) if self.make else None
        return self.template if template is None else template


@dataclass(frozen=True)
class Weight:
    """How one entry of a module's state becomes one of the cell's.

    Attributes:
        source: the name in PyTorch; ``*`` stands for any part (``layers.*.norm*.weight``), and
            ``children`` for what the rules of the children say (containers).
        target: the name in the cell, with a ``*`` for each of the source's; empty where the cell
            has no such entry.
        transform: a key of TRANSFORMS.
    """

    source: str
    target: str
    transform: str = "same"


@dataclass(frozen=True)
class Expansion:
    """The counterpart of one call.

    Attributes:
        code: the expression.
        notes: what the reader should know.
        assumptions: conditions that the source does not decide, as they were taken.
        doubts: what is marked in the written file, because the source does not decide it.
        left_out: arguments that are not known and have no place in the code, which are marked too
            where nothing else decides about them when the program runs.
    """

    code: str
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@functools.cache
def _pattern(source: str) -> re.Pattern[str]:
    """What fits the name of a weight, in which ``*`` stands for anything."""
    return re.compile(re.escape(source).replace(r"\*", "(.*)"))


@functools.lru_cache(4096)
def _renamed(name: str, weights: tuple[Weight, ...]) -> tuple[str, str]:
    """The name in the cell of one entry of a module's state, and the transform."""
    for weight in weights:
        fits = _pattern(weight.source).fullmatch(name)
        if fits:
            parts = iter(fits.groups())
            target = re.sub(r"\*", lambda _, parts=parts: next(parts), weight.target)
            return target, weight.transform
    return name, "same"


@functools.cache
def _compiled(code: str) -> types.CodeType:
    return compile(code, "<rule>", "eval")


@dataclass(frozen=True)
class Rule:
    """One row: a name of PyTorch and its counterpart.

    Attributes:
        source: the name in PyTorch, such as ``torch.nn.Conv2d``.
        signature: PyTorch's.
        cases: forms of the counterpart, the first whose condition holds counts; empty: there is
            none, and `reason` says why and what to do.
        refuse: condition: why such a call has no counterpart.
        ignore: parameters that change no result (``inplace``, ``device``) and are left out.
        differs: argument of the counterpart (or a topic): how the two libraries differ in it.
        weights: entries of the module's state; those of the same name on both sides need none.
        read: parameter: how its value is read from an instance, as an expression in ``module``.
            Without an entry it is the attribute of that name.
        samples: calls that the tests execute on both sides; see tests/migrate/test_rules.py.
        compare: what the tests compare: "values" (and gradients), "shape" (random results),
            "moments" (random fillings), "gradients" (clipping, which changes them in place),
            "cells" (methods of modules: names and shapes of what they give and leave).
        reason: why there is no counterpart, or a remark for the reader of the table.
        agar_only: the counterpart exists in agar, and not in MindSpore 2.10.
        others: the other ways to call it, each a row with its own signature; the first whose
            signature takes the arguments counts.
    """

    source: str
    signature: Signature
    cases: tuple[Case, ...] = ()
    refuse: Mapping[str, str] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset()
    differs: Mapping[str, str] = field(default_factory=dict)
    weights: tuple[Weight, ...] = ()
    read: Mapping[str, str] = field(default_factory=dict)
    samples: tuple[str, ...] = ()
    compare: str = "values"
    reason: str = ""
    agar_only: bool = False
    others: tuple[Rule, ...] = ()

    @cached_property
    def kind(self) -> str:
        """module, function, method, attribute, optimizer, scheduler or initializer."""
        kind = next(kind for start, kind in KINDS if self.source.startswith(start))
        if kind == "module" and self.original is not None:
            module = isinstance(self.original, type) and issubclass(self.original, torch.nn.Module)
            return "module" if module else "function"
        if kind == "method" and not callable(self.original):
            return "attribute"
        return kind

    @property
    def name(self) -> str:
        """The last part of the name in PyTorch."""
        return self.source.rpartition(".")[2]

    @property
    def container(self) -> bool:
        """Whether it only holds other modules, whose own rows count (torch.nn.Sequential)."""
        return any(weight.source == "children" for weight in self.weights)

    @property
    def target(self) -> str | None:
        """The name of the counterpart in the usual case, such as ``nn.Conv2d``; None without."""
        if not self.cases:
            return None
        usual = next((c for c in self.cases if c.when is None), self.cases[0])
        return target_of(usual.template)

    @cached_property
    def original(self) -> Any:
        """PyTorch's class or function; None where this version of PyTorch lacks it."""
        target: Any = torch
        for part in self.source.split(".")[1:]:
            if not hasattr(target, part):
                try:
                    import_module(f"{target.__name__}.{part}")
                except (ImportError, AttributeError):
                    return None
            target = getattr(target, part)
        return target

    # ------------------------------------------------------------------ calls

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The given arguments by PyTorch's names; defaults are not filled in.

        Args:
            args (Sequence): the positional arguments of PyTorch's call.
            kwargs (Mapping): its keyword arguments.

        Raises:
            RuleRefused: PyTorch's signature does not take them.
        """
        args, kwargs = self._other_names(args, kwargs)
        try:
            given = dict(self.signature.bind(*args, **kwargs).arguments)
        except TypeError as error:
            raise RuleRefused(f"{self.source} does not take these arguments: {error}") from error
        for name in _UNIFORM:
            value = given.get(name)
            if isinstance(value, (tuple, list)) and len(value) == 1:
                given[name] = value[0]  # (3,) says what 3 says, and is not taken everywhere
        return given

    def _other_names(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """PyTorch takes numpy's names too (``axis``), and by name what ``*size`` collects."""
        parameters = self.signature.parameters
        if self.kind not in ("function", "method") or parameters.keys() >= kwargs.keys():
            several = [p.name for p in parameters.values() if p.kind is p.VAR_POSITIONAL]
            if not several or several[0] not in kwargs:
                return args, kwargs
        out = {}
        for name, value in kwargs.items():
            known = NUMPY_NAMES.get(name, name)
            parameter = parameters.get(known if name not in parameters else name)
            if parameter is not None and parameter.kind is parameter.VAR_POSITIONAL:
                args = (*args, value)
            else:
                out[known if known in parameters and name not in parameters else name] = value
        return args, out

    def _overload(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Rule, dict[str, Any], list[str]]:
        """The signature that takes the arguments, what it calls them, and what was assumed."""
        refusals: list[str] = []
        for row in (self, *self.others):
            try:
                given = row.bind(args, kwargs)
            except RuleRefused as error:
                refusals.append(str(error))
                continue
            assumed: list[str] = []
            for name, value in given.items():
                parameter = row.signature.parameters[name]
                if parameter.annotation is parameter.empty:
                    continue
                several = parameter.kind is parameter.VAR_POSITIONAL
                fitting = [fits(v, parameter.annotation) for v in (value if several else (value,))]
                if False in fitting:
                    refusals.append(
                        f"{self.source}: {name!r} is not of type {parameter.annotation}"
                    )
                    break
                if None in fitting and self.others:
                    assumed.append(f"{name} is of type {parameter.annotation}")
            else:
                return row, given, assumed
        raise RuleRefused("; ".join(refusals))

    def expand(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Expansion:
        """The counterpart of a call in a source text.

        Args:
            args (sequence): positional arguments: values, or Unknown.
            kwargs (mapping): keyword arguments.

        Returns:
            Expansion, the code and what to say about it.

        Raises:
            RuleRefused: there is no counterpart of this call.
        """
        row, given, taken = self._overload(args, kwargs)
        doubts: list[str] = []
        case, assumptions = row._choose(given, doubts)
        template = case.template_of(given)
        code = Writer(row, given, template).text()
        notes = (case.note,) if case.note else ()
        left = () if doubts else row._left_out(given, template)
        return Expansion(code, notes, (*taken, *assumptions), tuple(doubts), left)

    def _left_out(self, given: Mapping[str, Any], template: str) -> tuple[str, ...]:
        """What to say of arguments that are written, but not known, and have no place."""
        out = []
        # uniform_(weight, -bound, bound): the one says the other
        texts = {v.source for v in given.values() if isinstance(v, Unknown)}
        for name, value in given.items():
            placed = re.search(rf"{{\*?{name}\b", template) or name in self.ignore
            source = value.source if isinstance(value, Unknown) else ""
            opposite = f"-{source}" in texts or source.removeprefix("-") in texts - {source}
            if isinstance(value, Unknown) and not placed and not opposite:
                default = self.signature.parameters[name].default
                out.append(f"{name}={value.source} is left out, as if it were {default!r}")
        return tuple(out)

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Make the counterpart's call with these values.

        Args:
            *args (Any): the positional arguments of PyTorch's call.
            **kwargs (Any): its keyword arguments.

        Raises:
            RuleRefused: there is no counterpart of this call.
        """
        row, given, _ = self._overload(args, kwargs)
        return row._evaluate(given)

    def arguments_of(self, module: torch.nn.Module) -> dict[str, Any]:
        """The arguments with which a module of this class would be built again.

        Args:
            module (torch.nn.Module): an instance.

        Returns:
            dict, by the names of PyTorch's parameters, those with their default value left out.
        """
        out = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.ignore and name not in self.read:
                continue
            if name in self.read:
                value = eval(_compiled(self.read[name]), {"module": module, "torch": torch})
            elif hasattr(module, name):
                value = getattr(module, name)
            else:
                continue
            if name in _UNIFORM:
                value = _one_number(value)
            if parameter.kind is parameter.VAR_POSITIONAL:
                value = tuple(value)
            elif parameter.default is not parameter.empty and same(value, parameter.default):
                continue
            out[name] = value
        return out

    def build(self, module: torch.nn.Module) -> Any:
        """A cell like the module, with weights of its own.

        Args:
            module (torch.nn.Module): the module.

        Raises:
            RuleRefused: this instance has no counterpart.
        """
        try:
            return self._evaluate(self.arguments_of(module))
        except (NotImplementedError, RuntimeError, TypeError, ValueError) as error:
            said = str(error).strip().split("\n")[0]
            raise RuleRefused(f"{self.target} does not take what {module} has: {said}") from error

    def line(self, module: torch.nn.Module) -> str:
        """The code that builds a cell like the module.

        Args:
            module (torch.nn.Module): the module.

        Raises:
            RuleRefused: this instance has no counterpart.
        """
        given = self.arguments_of(module)
        case, _ = self._choose(given)
        return Writer(self, given, case.template_of(given)).text()

    def weight_names(
        self, names: Sequence[str], module: torch.nn.Module | None = None
    ) -> dict[str, tuple[str, str]]:
        """For entries of a module's state: the name in the cell and the transform.

        Args:
            names (sequence): names of the state of one module, without its path.
            module (torch.nn.Module, optional): the instance, where there is one: rows whose
                counterpart is another class in some cases keep the weights under other names
                there. Default: ``None``, the usual case.

        Returns:
            dict, name: (name in the cell, transform). Entries that the cell lacks are left out.
        """
        if not names:
            return {}
        weights = self.weights
        if module is not None and any(case.weights is not None for case in self.cases):
            case, _ = self._choose(self.arguments_of(module))
            weights = self.weights if case.weights is None else case.weights
        if self.container:
            return self._names_of_children(names, module)
        renamed = ((name, _renamed(name, tuple(weights))) for name in names)
        return {name: (target, transform) for name, (target, transform) in renamed if target}

    def _names_of_children(
        self, names: Sequence[str], module: torch.nn.Module | None
    ) -> dict[str, tuple[str, str]]:
        from agar.migrate.rules import find  # the table reads this module

        out: dict[str, tuple[str, str]] = {name: (name, "same") for name in names}
        for path, child in () if module is None else module.named_children():
            row = find(type(child))
            own = [n[len(path) + 1 :] for n in names if n.startswith(f"{path}.")]
            target = {} if row is None else row.weight_names(own, child)
            for name in own if row is not None else ():
                if name not in target:
                    del out[f"{path}.{name}"]
                else:
                    out[f"{path}.{name}"] = (f"{path}.{target[name][0]}", target[name][1])
        return out

    def _evaluate(self, given: dict[str, Any]) -> Any:
        case, _ = self._choose(given)
        writer = Writer(self, given, case.template_of(given), evaluate=True)
        code = writer.text()
        return eval(code, {**namespace(), **writer.values})

    def _choose(
        self, given: dict[str, Any], doubts: list[str] | None = None
    ) -> tuple[Case, list[str]]:
        """The form for these arguments, and what was taken for granted; fills ``doubts``."""
        if not self.cases:
            raise RuleRefused(f"{self.source} has no counterpart: {self.reason}")
        assumptions: list[str] = []
        values = self.with_defaults(given)
        for condition, reason in self.refuse.items():
            truth = holds(condition, values)
            if truth or (truth is None and condition in NEVER_NONE):
                raise RuleRefused(f"{self.source} with {condition} has no counterpart: {reason}")
            if truth is None:
                assumptions.append(assumed(condition, values, False))
        for case in self.cases:
            if case.when is None:
                return case, assumptions
            truth = holds(case.when, values)
            if truth:
                return case, assumptions
            if truth is None:
                if case.doubt and doubts is not None:
                    doubts.append(case.doubt)
                else:
                    assumptions.append(assumed(case.when, values, case.likely))
                if case.likely:
                    return case, assumptions
        raise RuleRefused(
            f"{self.source} has a counterpart only where "
            + " or ".join(str(c.when) for c in self.cases)
            + (f": {self.reason}" if self.reason else "")
        )

    def with_defaults(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments with PyTorch's defaults for those that are not given.

        Args:
            given (dict): the arguments by PyTorch's names.
        """
        out = {}
        for name, p in self.signature.parameters.items():
            if name in given:
                out[name] = given[name]
            elif p.kind is p.VAR_POSITIONAL:
                out[name] = ()
            elif p.default is not p.empty:
                out[name] = p.default
        return out


def _one_number(value: Any) -> Any:
    if isinstance(value, tuple) and value and all(type(v) is int and v == value[0] for v in value):
        return value[0]
    return value
