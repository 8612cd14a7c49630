"""Rows of names that are functions of torch and methods of its tensors at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agar._core.tensor import Tensor
from agar.migrate.rules._declare import overload, rule
from agar.migrate.rules._rule import Case, Rule
from agar.migrate.rules._texts import OUT, changed

__all__ = ["both"]

_IN_PLACE = {
    "in place": "On the CPU MindSpore's own operators of this kind leave the tensor as it was "
    "(add_, mul_) or have no kernel; copy_ changes it."
}


def both(
    call: str,
    *cases: str | Case,
    samples: Sequence[str] = (),
    method: str | Sequence[str | Case] | None = "",
    in_place: str | Sequence[str] | None = None,
    in_place_samples: Sequence[str] | None = None,
    function: bool = True,
    out: bool = True,
    refuse: Mapping[str, str] | None = None,
    others: Sequence[Sequence[Any]] = (),
    **options: Any,
) -> None:
    """Write down ``torch.name``, ``torch.Tensor.name`` and ``torch.Tensor.name_``.

    Args:
        call (str): the name and the signature, the tensor first and called ``input``.
        cases (str, Case): templates of the function.
        samples (sequence): calls, of the function and of the method.
        method (str, sequence, optional): templates of the method. Default: ``""``, that of the
            function where it is written ``ops.name({input}, ...)`` as ``{self}.name(...)``, and
            any other one as it is. ``None``: there is no such method.
        in_place (str, sequence, optional): template of the method that changes the tensor, or
            ``"copy"``: the value is copied into it. Default: ``None``, no such method.
        in_place_samples (sequence, optional): calls of it. Default: ``None``, the first sample.
        function (bool): whether torch has the function. Default: ``True``.
        out (bool): whether the function takes ``out``. Default: ``True``.
        refuse (mapping, optional): as for `rule`.
        others (sequence): further signatures, each a call with its templates.
        options: as for `rule`.
    """
    name, _, signature = call.partition("(")
    signature = signature.removesuffix(")")
    if function:
        rule(
            f"torch.{name}({_with_out(signature) if out else signature})",
            *cases,
            samples=samples,
            refuse={**(refuse or {}), **(OUT if out else {})},
            others=[
                overload(f"torch.{other}", *templates, refuse=refuse)
                for other, *templates in others
            ],
            **options,
        )
    if method is not None:
        rule(
            f"torch.Tensor.{name}({_of_self(signature)})",
            *(_methods(cases) if method == "" else _listed(method)),
            samples=samples,
            refuse=_renamed(refuse),
            others=[_other(parts, refuse) for parts in others],
            **options,
        )
    if in_place is not None:
        forms = (
            [_changed(case) for case in cases] if in_place == "copy" else list(_listed(in_place))
        )
        rule(
            f"torch.Tensor.{name}_({_of_self(signature)})",
            *forms,
            samples=list(samples[:1]) if in_place_samples is None else in_place_samples,
            refuse=_renamed(refuse),
            **{**options, "differs": {**options.get("differs", {}), **_IN_PLACE}},
        )


def _with_out(signature: str) -> str:
    if "out=" in signature:
        return signature
    return signature + (", out=None" if "*" in signature else ", *, out=None")


def _of_self(text: str) -> str:
    head, _, rest = text.partition("input")
    return f"{head}self{rest}"


def _renamed(refuse: Mapping[str, str] | None) -> dict[str, str]:
    return {k.replace("input", "self"): v for k, v in (refuse or {}).items()}


def _listed(value: str | Sequence[str | Case]) -> Sequence[str | Case]:
    return [value] if isinstance(value, str) else value


def _methods(cases: Sequence[str | Case]) -> list[str | Case]:
    return [
        Case(_method(c.template), c.when, c.note, c.likely, doubt=c.doubt)
        if isinstance(c, Case)
        else _method(c)
        for c in cases
    ]


def _method(template: str) -> str:
    for head in ("ops.", "mint."):
        function, separator, rest = template.partition("({input}")
        if (
            separator
            and rest[0] in ",)"
            and function.startswith(head)
            and hasattr(Tensor, function[len(head) :])
        ):
            return f"{{self}}.{function[len(head) :]}({rest.removeprefix(', ')}".replace(
                "{input}", "{self}"
            )
    return template.replace("{input}", "{self}")


def _changed(case: str | Case) -> str | Case:
    if isinstance(case, Case):
        text = changed(case.template.replace("{input}", "{self}"))
        return Case(text, case.when, case.note, case.likely, doubt=case.doubt)
    return changed(case.replace("{input}", "{self}"))


def _other(parts: Sequence[Any], refuse: Mapping[str, str] | None) -> Rule:
    other, *templates = parts
    return overload(
        f"torch.Tensor.{_of_self(other)}", *_methods(templates), refuse=_renamed(refuse)
    )
