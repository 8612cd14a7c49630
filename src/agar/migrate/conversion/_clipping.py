"""Clipping of gradients: of values instead of what the parameters keep."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst

from agar.migrate.conversion._expand import code_of, is_atomic
from agar.migrate.conversion._gradients import CLIPS, Trained
from agar.migrate.conversion._names import plain_name

__all__ = ["Clips", "WithoutClips"]


class WithoutClips(cst.CSTTransformer):
    """What is left of statements when the clipping of gradients is taken out."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        name = (plain_name(original_node.func) or "").rpartition(".")[2]
        return cst.Name("None") if name in CLIPS else updated_node


class Clips(cst.CSTTransformer):
    """Clipping of what the parameters keep becomes clipping of the gradients."""

    def __init__(self, trained: Trained, optimizer: str, grads: str = "grads") -> None:
        super().__init__()
        self.trained = trained
        self.optimizer = optimizer
        self.grads = grads
        #: statements that stand before the loop
        self.before: list[Any] = []
        #: namespaces and keys of HELPERS that the new statements need
        self.uses: set[str] = set()
        self.helpers: set[str] = set()

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        if len(updated_node.body) != 1:
            return updated_node
        small: Any = updated_node.body[0]
        if not isinstance(small, (cst.Expr, cst.Assign)) or not isinstance(small.value, cst.Call):
            return updated_node
        name = (plain_name(small.value.func) or "").rpartition(".")[2]
        if name not in CLIPS:
            return updated_node
        limits = _clip_arguments(small.value, name)
        if limits is None or not self._covers(small.value.args[0].value):
            return updated_node
        self.uses.add("ops")
        lines: list[Any] = []
        if isinstance(small, cst.Assign):
            if name != "clip_grad_norm_" or "norm_type" in limits:
                return updated_node
            norm = f"_global_norm({self.grads})"
            self.helpers.add("_global_norm")
            lines.append(
                cst.SimpleStatementLine([small.with_changes(value=cst.parse_expression(norm))])
            )
        limit = limits["limit"]
        if name == "clip_grad_value_":
            negative = cst.parse_expression(limit)
            low = f"-{limit}" if is_atomic(negative) else f"-({limit})"
            replacement = f"{self.grads} = ops.clip_by_value({self.grads}, {low}, {limit})"
        elif re.fullmatch(r"[0-9.]+(e-?[0-9]+)?", limit) and len(limits) == 1:
            replacement = f"{self.grads} = ops.clip_by_global_norm({self.grads}, {limit})"
        else:
            rest = "".join(f", {k}={v}" for k, v in limits.items() if k != "limit")
            replacement = f"{self.grads} = ops.clip_by_norm({self.grads}, {limit}{rest})"
        lines.append(cst.parse_statement(replacement))
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)

    def _covers(self, given: cst.BaseExpression) -> bool:
        """Whether what is clipped is what the optimizer trains; a check is written if unknown."""
        trained = self.trained
        text = code_of(given).strip()
        same = {f"{name}.parameters()" for name in trained.names_of_model(self.optimizer)}
        if text == trained.given.get(self.optimizer) or text in same:
            return True
        if self.optimizer in trained.models or not text.endswith(".parameters()"):
            return False
        # what the optimizer trains is made of lists, or elsewhere: it is compared when it runs
        self.helpers.add("_check_clipped")
        cell = text.removesuffix(".parameters()")
        line = f"_check_clipped({cell}, {self.optimizer})"
        if all(code_of(s).strip() != line for s in self.before):
            self.before.append(cst.parse_statement(line))
        return True


def _clip_arguments(call: cst.Call, name: str) -> dict[str, str] | None:
    """The limit of a clipping call and its options, as they are written; None if unclear."""
    names = ["parameters", "max_norm", "norm_type", "error_if_nonfinite", "foreach"]
    if name == "clip_grad_value_":
        names = ["parameters", "limit", "foreach"]
    out: dict[str, str] = {}
    for i, arg in enumerate(call.args):
        if arg.star or (arg.keyword is None and i >= len(names)):
            return None
        key = arg.keyword.value if arg.keyword is not None else names[i]
        out[{"max_norm": "limit", "clip_value": "limit"}.get(key, key)] = code_of(arg.value).strip()
    if call.args[0].keyword is not None or "parameters" not in out or "limit" not in out:
        return None
    del out["parameters"]
    out.pop("foreach", None)
    if out.get("norm_type") in ("2", "2.0"):
        del out["norm_type"]
    return out
