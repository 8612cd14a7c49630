"""Calls of PyTorch's attention, whose results MindSpore's gives in another form."""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._kinds import CELL
from agar.migrate.conversion._nodes import Put
from agar.migrate.conversion._project import is_torch_module, torch_object
from agar.migrate.rules import find

__all__ = ["Attention"]

#: the parameters of the forward of PyTorch's attention
_ATTENDING = (
    "query",
    "key",
    "value",
    "key_padding_mask",
    "need_weights",
    "attn_mask",
    "average_attn_weights",
    "is_causal",
)


class Attention(Base):
    """Converts calls of attention."""

    def _attention(self, original: cst.Call, updated: cst.Call) -> Any:
        """A call of PyTorch's attention, which gives a pair always; MindSpore's may give one."""
        func = original.func
        kind = self.types.of(func)
        if isinstance(func, cst.Attribute) and func.attr.value in ("forward", "__call__"):
            kind = self.types.of(func.value)
        given = {a.keyword.value for a in original.args if a.keyword is not None}
        if not self._is_attention(kind):
            if kind in (None, CELL) and given & {"need_weights", "average_attn_weights"}:
                # its class is not known: what it gives decides
                self.helpers.add("_pair")
                return cst.Call(cst.Name("_pair"), [cst.Arg(updated)])
            return None
        name = "torch.nn.MultiheadAttention"
        if any(a.star for a in original.args):
            reason = "which of *arguments is need_weights is not in the source"
            self._record(original, name, find(name), "by hand", reason=reason)
            return self._by_hand(original, name, reason)
        where = {
            (_ATTENDING[i] if a.keyword is None and i < 8 else a.keyword and a.keyword.value): i
            for i, a in enumerate(original.args)
        }
        causal, weights = where.get("is_causal"), where.get("need_weights")
        args = list(updated.args)
        if causal is not None:
            said = code_of(original.args[causal].value)
            mask = where.get("attn_mask")
            masked = mask is not None and code_of(original.args[mask].value) != "None"
            if said != "False" and not (said == "True" and masked):
                reason = "MindSpore's takes no is_causal: give the mask as attn_mask"
                self._record(original, name, find(name), "by hand", reason=reason)
                return self._by_hand(original, name, reason)
            del args[causal]
            if args:
                args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        node = updated.with_changes(args=args)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "forward":
            node = node.with_changes(func=node.func.with_changes(attr=cst.Name("construct")))
        said = "True" if weights is None else code_of(original.args[weights].value)
        if said == "True":
            return node if node.args != updated.args or node.func is not updated.func else None
        if said != "False":
            reason = "whether need_weights is given decides what MindSpore's gives: write it out"
            self._record(original, name, find(name), "by hand", reason=reason)
            return self._by_hand(original, name, reason)
        around = self.parents.get(original)
        if m.matches(
            around,
            m.Subscript(slice=[m.SubscriptElement(slice=m.Index(value=m.Integer(value="0")))]),
        ):
            return node
        self._record(original, name, find(name), "differs", "(...[0], None)")
        pair = cst.parse_expression("(_agar_out_[0], None)")
        return pair.visit(Put({"_agar_out_": node}))

    def _is_attention(self, kind: Any) -> bool:
        if not isinstance(kind, tuple) or kind[0] not in ("cell", "super") or not kind[1]:
            return False
        bases = [kind[1]] if is_torch_module(kind[1]) else self.project.bases(kind[1])
        own = kind[0] == "cell" and self.project.owner(kind[1], "forward")
        target = torch_object("torch.nn.MultiheadAttention")
        return not own and any(b.startswith("torch.") and torch_object(b) is target for b in bases)
