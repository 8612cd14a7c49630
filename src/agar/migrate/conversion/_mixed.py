"""Mixed precision: ``autocast`` and ``GradScaler`` taken out of a file, and what they said.

Without them its steps are plain, and are rewritten as all others. What they said is put back in
MindSpore's form: a network is cast once, the loss is scaled inside of the function, the gradients
are unscaled, and the optimizer runs where they are finite.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._gradients import CLIPS, Trained
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._walk import Rewriter, code_of_tree, rewritten

__all__ = ["Mixed", "plain_steps"]

_LOSS = m.Call(func=m.Attribute(attr=m.Name("scale")), args=[m.Arg()])
_BACKWARD = m.Expr(value=m.Call(func=m.Attribute(value=_LOSS, attr=m.Name("backward"))))


@dataclass
class Mixed:
    """What a file says of mixed precision.

    Attributes:
        scalers: optimizer: the scaler whose step() runs it.
        casts: whether there is an autocast.
        enabled: when it casts, as code; empty for always.
        dtype: to what, as code.
        switched: the scaler may be switched off.
    """

    scalers: dict[str, str] = field(default_factory=dict)
    casts: bool = False
    enabled: str = ""
    dtype: str = ""
    switched: bool = True


class _Unclear(Exception):
    """The text is not plain enough."""


def plain_steps(tree: cst.Module, trained: Trained) -> tuple[cst.Module, Mixed] | None:
    """A file with the steps that it would have without mixed precision; None where unclear."""
    taker = _Taker(trained)
    try:
        converted = rewritten(tree, taker)
    except _Unclear:
        return None
    scales = taker.scaled or taker.mixed.scalers
    if (
        converted is tree
        or converted.code == code_of_tree(tree)
        or (taker.off and taker.mixed.casts)  # a part of the network is to keep its types
        or (scales and (taker.backwards != taker.scaled or taker.unscaled))
    ):
        return None
    return converted, taker.mixed


class _Taker(Rewriter):
    def __init__(self, trained: Trained) -> None:
        super().__init__()
        self.trained = trained
        self.mixed = Mixed()
        self.scaled = 0
        self.backwards = 0
        #: a step that no scaler takes
        self.unscaled = False
        self.casts: set[tuple[str, str]] = set()
        #: an autocast is switched off
        self.off = False

    def leave_Decorator(self, original_node: cst.Decorator, updated_node: cst.Decorator) -> Any:
        if "autocast" in code_of(original_node):
            raise _Unclear
        return updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        if m.matches(original_node, m.Call(func=m.Attribute(attr=m.Name("backward")))):
            self.backwards += 1
        name = (plain_name(original_node.func) or "").rpartition(".")[2]
        if name == "GradScaler":
            given = [a.value for a in original_node.args if _is_keyword(a, "enabled")]
            self.mixed.switched = bool(given) and not m.matches(given[0], m.Name("True"))
        return updated_node

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> Any:
        self._check_clips(original_node.body)
        return updated_node

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> Any:
        self._check_clips(original_node.body)
        return updated_node

    def _check_clips(self, body: Any) -> None:
        """Gradients that are clipped before they are unscaled are clipped elsewhere."""
        texts = [code_of(s) for s in body if isinstance(s, cst.SimpleStatementLine)]
        steps = any(f"{s}.step(" in text for text in texts for s in self.trained.scalers)
        clips = [i for i, text in enumerate(texts) if any(c in text for c in CLIPS)]
        unscaled = [i for i, text in enumerate(texts) if ".unscale_(" in text]
        if steps and clips and not (unscaled and unscaled[0] < clips[0]):
            raise _Unclear

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:
        items = [i for i in updated_node.items if not self._is_cast(i)]
        if len(items) == len(updated_node.items):
            return updated_node
        if items:
            items[-1] = items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return updated_node.with_changes(items=items)
        if not isinstance(updated_node.body, cst.IndentedBlock):
            raise _Unclear
        first, *rest = updated_node.body.body
        lines = [*updated_node.leading_lines, *first.leading_lines]  # type: ignore[attr-defined]
        return cst.FlattenSentinel([first.with_changes(leading_lines=lines), *rest])

    def _is_cast(self, item: cst.WithItem) -> bool:
        call = item.item
        if not isinstance(call, cst.Call):
            return False
        if (plain_name(call.func) or "").rpartition(".")[2] != "autocast":
            return False
        names = ["device_type", "dtype", "enabled", "cache_enabled"]
        if ".amp." in f".{plain_name(call.func)}" and "cuda" in (plain_name(call.func) or ""):
            names = ["enabled", "dtype", "cache_enabled"]
        given: dict[str, cst.BaseExpression] = (
            {} if "device_type" in names else {"device_type": _CUDA}
        )
        for i, arg in enumerate(call.args):
            if arg.star or item.asname is not None:
                raise _Unclear
            given[arg.keyword.value if arg.keyword is not None else names[i]] = arg.value
        enabled, device = given.get("enabled"), given.get("device_type", _CUDA)
        if enabled is not None and m.matches(enabled, m.Name("False")):
            self.off = True
            return True
        parts = [] if enabled is None or m.matches(enabled, m.Name("True")) else [code_of(enabled)]
        place = device.evaluated_value if isinstance(device, cst.SimpleString) else ""
        if place == "cuda":
            parts.append("torch.cuda.is_available()")
        half = "torch.bfloat16" if place == "cpu" else "torch.float16"
        self.casts.add((" and ".join(parts), code_of(given["dtype"]) if "dtype" in given else half))
        if len(self.casts) > 1:
            raise _Unclear
        self.mixed.casts = True
        self.mixed.enabled, self.mixed.dtype = next(iter(self.casts))
        return True

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        if len(updated_node.body) != 1 or not isinstance(updated_node.body[0], cst.Expr):
            return updated_node
        small = updated_node.body[0]
        call: Any = small.value
        if m.matches(small, _BACKWARD) and self.trained.is_scaler(
            code_of(call.func.value.func.value)
        ):
            self.scaled += 1
            loss = call.func.value.args[0].value
            func = call.func.with_changes(value=loss)
            return updated_node.with_changes(body=[cst.Expr(call.with_changes(func=func))])
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return updated_node
        scaler = code_of(call.func.value)
        if call.func.attr.value == "step" and self.trained.is_optimizer(scaler):
            self.unscaled = True
        if not self.trained.is_scaler(scaler):
            return updated_node
        name = call.func.attr.value
        if name in ("update", "unscale_") and len(call.args) == int(name == "unscale_"):
            return cst.RemoveFromParent()
        if name == "step" and len(call.args) == 1:
            optimizer = code_of(call.args[0].value)
            if self.mixed.scalers.setdefault(optimizer, scaler) != scaler:
                raise _Unclear
            return cst.parse_statement(f"{optimizer}.step()").with_changes(
                leading_lines=updated_node.leading_lines
            )
        if name == "load_state_dict":
            return updated_node
        raise _Unclear


_CUDA = cst.SimpleString('"cuda"')


def _is_keyword(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name
