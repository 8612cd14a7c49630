"""Random numbers: generators of a program's own, and distributions.

``torch.Generator`` becomes NumPy's, whose numbers become Tensors: MindSpore's functions draw from
the seed of the program, or need another device.
"""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._nodes import Put
from agar.migrate.conversion._project import torch_object
from agar.migrate.rules import find

__all__ = ["Drawing"]

_GENERATOR = "torch.Generator"
#: what NumPy's generator draws
_DRAWS = {
    "torch.rand": "{g}.random({size}, {np}.float32)",
    "torch.randn": "{g}.standard_normal({size}, {np}.float32)",
    "torch.randint": "{g}.integers({low}, {high}, {size})",
    "torch.randperm": "{g}.permutation({n})",
}
_PLACING = ("device", "pin_memory", "requires_grad", "layout")


class Drawing(Base):
    """What becomes of random numbers."""

    _calls_of: dict[str, list[cst.Call]]

    def _drawn(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """A generator, or a call that draws from one; None for other calls."""
        if torch_object(dotted) is torch_object(_GENERATOR):
            self.used.add("np")
            expression = cst.parse_expression(f"{self.aliases['np']}.random.default_rng()")
            self._record(original, dotted, find(dotted), "differs", code_of(expression))
            return expression
        if torch_object(dotted) is torch_object("torch.distributions.Categorical"):
            if any(a.star or _is_checking(a) for a in updated.args):
                return None
            self.helpers.add("_Categorical")
            self._record(original, dotted, None, "differs", "_Categorical")
            return updated.with_changes(func=cst.Name("_Categorical"))
        name = next((n for n in _DRAWS if torch_object(n) is torch_object(dotted)), None)
        given = {a.keyword.value: a.value for a in updated.args if a.keyword is not None}
        generator = given.pop("generator", None)
        if name is None or generator is None or m.matches(generator, m.Name("None")):
            return None
        if any(a.star for a in updated.args) or set(given) - {
            *_PLACING,
            "size",
            "low",
            "high",
            "n",
        }:
            return None
        values = [a.value for a in updated.args if a.keyword is None]
        parts = self._parts(name, values, given)
        if parts is None:
            return None
        self.used |= {"np", "ms"}
        holes = {"g": "_agar_g_", "np": self.aliases["np"]}
        holes |= {part: f"_agar_{part}_" for part in parts}
        expression = cst.parse_expression(
            f"{self.aliases['ms']}.Tensor({_DRAWS[name].format(**holes)})"
        )
        filled = {"_agar_g_": generator} | {f"_agar_{k}_": v for k, v in parts.items()}
        node: Any = expression.visit(Put(filled))
        self._record(original, dotted, find(dotted), "differs", code_of(node))
        return node

    def _parts(
        self, name: str, values: list[cst.BaseExpression], given: dict[str, cst.BaseExpression]
    ) -> dict[str, cst.BaseExpression] | None:
        """The arguments of a draw by name; None where they are not clear."""
        if name == "torch.randperm":
            sizes = [*values, *([given["n"]] if "n" in given else [])]
            return {"n": sizes[0]} if len(sizes) == 1 else None
        if name == "torch.randint":
            size = given.get("size")
            rest = values if size is not None else values[:-1]
            size = size if size is not None else values[-1] if values else None
            high = given.get("high", rest[-1] if rest else None)
            low = given.get("low", rest[0] if len(rest) == 2 else cst.Integer("0"))
            if size is None or high is None:
                return None
            return {"low": low, "high": high, "size": size}
        if "size" in given:
            values = [*values, given["size"]]
        if not values:
            return None
        if len(values) == 1:
            return {"size": values[0]}
        return {"size": cst.Tuple([cst.Element(v) for v in values])}

    def _seeded(self, original: cst.Call, updated: cst.Call, func: cst.Attribute) -> Any:
        """A method of a generator: ``manual_seed`` begins it anew; None for other methods."""
        held = func.value
        fresh = isinstance(held, cst.Call) and self._is_generator(held)
        name = plain_name(held)
        known = name is not None and any(map(self._is_generator, self._calls_of.get(name, [])))
        if not fresh and not known:
            return None
        full = f"{_GENERATOR}.{func.attr.value}"
        self.used.add("np")
        args = updated.args if func.attr.value in ("manual_seed", "seed") else None
        again = cst.parse_expression(f"{self.aliases['np']}.random.default_rng()")
        if args is not None and isinstance(again, cst.Call):
            again = again.with_changes(args=[a.with_changes(keyword=None) for a in args])
            statement = self.parents.get(original)
            if fresh or not isinstance(statement, cst.Expr):
                if fresh:
                    self._record(original, full, None, "differs", code_of(again))
                    return again
            else:
                assert isinstance(updated.func, cst.Attribute)
                target: Any = updated.func.value
                self._replaced[statement] = cst.Assign([cst.AssignTarget(target)], again)
                self._record(original, full, None, "differs", code_of(again))
                return updated
        reason = "NumPy's generator has no such method: keep its bit_generator.state"
        self._record(original, full, None, "by hand", reason=reason)
        return self._by_hand(original, full, reason)

    #: statements that become others, see `States`
    _replaced: dict[cst.CSTNode, cst.BaseSmallStatement]

    def _is_generator(self, node: cst.BaseExpression) -> bool:
        while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            dotted = self.names.dotted(node.func)
            if dotted is not None:
                return torch_object(dotted) is torch_object(_GENERATOR)
            node = node.func.value
        return False


def _is_checking(arg: cst.Arg) -> bool:
    return arg.keyword is not None and arg.keyword.value not in ("probs", "logits")
