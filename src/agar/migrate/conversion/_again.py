"""Networks that may run a second time: a generator's output in its own training step.

PyTorch keeps the graph of ``fake = generator(noise)`` while the discriminator takes its step, and
goes back through it afterwards. Here each step differentiates a function of its own, so the
generator runs in both. That is the same only where nothing in it is drawn or counted.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._reading import all_reads, assigned
from agar.migrate.conversion._walk import findall

__all__ = ["Networks", "producer_of"]

_DRAWS = re.compile(
    r"[Dd]ropout|RReLU|rrelu|gumbel|bernoulli|multinomial|poisson|torch\.(rand|normal)|randn|"
    r"rand_like|spectral_norm|drop_path|stochastic"
)
_COUNTS = re.compile(r"BatchNorm|InstanceNorm|batch_norm|track_running_stats")
_ROOTS = frozenset([*dir(builtins), "nn", "F", "torch", "math", "np", "self"])


class Networks:
    """What a file says of the networks that it makes.

    Args:
        tree (cst.Module): the file.
    """

    def __init__(self, tree: cst.Module) -> None:
        self.definitions: dict[str, cst.CSTNode] = {
            node.name.value: node
            for node in tree.body
            if isinstance(node, (cst.ClassDef, cst.FunctionDef))
        }
        self.calls: dict[str, list[cst.Call]] = {}
        for node in findall(tree, m.Assign(value=m.Call())):
            assert isinstance(node, cst.Assign)
            assert isinstance(node.value, cst.Call)
            name = plain_name(node.targets[0].target)
            if name is not None:
                self.calls.setdefault(name, []).append(node.value)

    def repeats(self, names: Sequence[str]) -> str | None:
        """Whether a network gives the same when it runs again.

        Args:
            names (sequence): what the file calls it.

        Returns:
            str, ``"same"``, or ``"statistics"`` where it counts running statistics; None where it
            draws, or is not made in this file.
        """
        calls = [call for name in names for call in self.calls.get(name, [])]
        calls = [call for call in calls if self._makes(call)]
        if not calls:
            return None
        seen: set[str] = set()
        parts: list[cst.CSTNode] = list(calls)
        text = ""
        while parts:
            part = parts.pop()
            text += code_of(part)
            own = assigned([part]) | {p.name.value for p in findall(part, m.Param())}
            for call in findall(part, m.Call()):
                assert isinstance(call, cst.Call)
                root = _root_of(call.func)
                if root in self.definitions:
                    if root not in seen:
                        seen.add(root)
                        parts.append(self.definitions[root])
                elif root not in _ROOTS and root not in own:
                    return None
        if _DRAWS.search(text):
            return None
        return "statistics" if _COUNTS.search(text) else "same"

    def _makes(self, call: cst.Call) -> bool:
        root = _root_of(call.func)
        # netG = netG.to(device) makes none
        return root in self.definitions or root in ("nn", "torch")


def _root_of(node: Any) -> str:
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""


def producer_of(
    name: str, body: Sequence[Any], first: int, writes: Any
) -> tuple[int, str, Any] | None:
    """The statement ``fake = generator(noise)`` that may be written again before another.

    Args:
        name (str): what it makes.
        body (sequence): a block.
        first (int): where it would stand again.
        writes (callable): gives the names that a statement may change.

    Returns:
        tuple, its position, the network and itself; None where it is not so plain, or where what
        it reads or makes changes between.
    """
    at = next((i for i in range(first - 1, -1, -1) if name in assigned([body[i]])), None)
    if at is None or not isinstance(body[at], cst.SimpleStatementLine):
        return None
    small = body[at].body[0] if len(body[at].body) == 1 else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    if plain_name(small.targets[0].target) != name or not isinstance(small.value, cst.Call):
        return None
    network = plain_name(small.value.func)
    if network is None or any(plain_name(arg.value) is None for arg in small.value.args):
        return None
    used = {name, *all_reads([body[at]])}
    if any(writes(body[i]) & used for i in range(at + 1, first)):
        return None
    return at, network, body[at]
