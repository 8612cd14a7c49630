"""Which cell stands for which module, and which of its weights for which of the module's.

NOTE Order of evidence. A user's map counts first; then the same name under paired parents; then
names that differ only in spelling; then, among what is left under the same parents, the kind of
layer and the shapes of its weights, in the order of definition, where that leaves one choice. What
is left over with weights is a problem, without weights a note: a function in ``construct`` may do
what a module without weights does, and the comparison of the parent covers it.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.migrate.rules import Case, Rule, RuleRefused, find
from agar.migrate.rules._rule import TRANSFORMS, Weight
from agar.migrate.rules._template import target_of
from agar.nn.cell import Cell
from agar.nn.torch_cell import TorchCell

__all__ = ["Pair", "Pairing", "Weights", "cell_state", "pair_trees", "weights_of"]

_CONTAINERS = (torch.nn.Sequential, torch.nn.ModuleList, torch.nn.ModuleDict)


@dataclass(eq=False)
class Pair:
    """A module and the cell that stands for it.

    Attributes:
        module_path, path: where they are.
        module, cell: the two.
        rule: the row of the table for the module's class.
        whole: the cell stands for the module with all that is in it.
        leaf: no paired cells are inside.
        foreign: PyTorch computes it.
    """

    module_path: str
    path: str
    module: torch.nn.Module
    cell: Cell
    rule: Rule | None = None
    whole: bool = False
    leaf: bool = True
    foreign: bool = False

    @property
    def label(self) -> str:
        """How messages call it."""
        return self.path or "the network"


@dataclass
class Pairing:
    """All pairs of modules and cells, parents before children, and what is left.

    Attributes:
        pairs (list[Pair]): the pairs.
        problems (list[str]): what keeps the networks from being compared, as sentences.
        notes (list[str]): remarks, as sentences.
    """

    pairs: list[Pair] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of_module(self) -> dict[int, Pair]:
        """Pairs by the identity of their modules; the first of a shared module."""
        out: dict[int, Pair] = {}
        for pair in self.pairs:
            out.setdefault(id(pair.module), pair)
        return out

    def of_cell(self) -> dict[int, Pair]:
        """Pairs by the identity of their cells."""
        out: dict[int, Pair] = {}
        for pair in self.pairs:
            out.setdefault(id(pair.cell), pair)
        return out


def pair_trees(
    module: torch.nn.Module, cell: Cell, given: Mapping[str, str] | None = None
) -> Pairing:
    """Pair the modules of a network with the cells of another.

    Args:
        module (torch.nn.Module): the original.
        cell (Cell): what stands for it.
        given (mapping, optional): path of a module: path of its cell. Default: ``None``.

    Raises:
        ValueError: a path of `given` does not exist.
    """
    return _Matcher(module, cell, dict(given or {})).run()


class _Matcher:
    def __init__(self, module: torch.nn.Module, cell: Cell, given: dict[str, str]) -> None:
        self.root, self.cell_root = module, cell
        self.modules = dict(module.named_modules(remove_duplicate=False))
        self.cells: dict[str, Cell] = dict(_cells(cell))
        for here, there in given.items():
            if here not in self.modules:
                near = difflib.get_close_matches(here, self.modules, 3)
                raise ValueError(
                    f"For 'check', 'pairs' names the module {here!r}, which does not exist"
                    + (f"; there are {', '.join(near)}." if near else ".")
                )
            if there not in self.cells:
                near = difflib.get_close_matches(there, self.cells, 3)
                raise ValueError(
                    f"For 'check', 'pairs' names the cell {there!r}, which does not exist"
                    + (f"; there are {', '.join(near)}." if near else ".")
                )
        self.given = given
        self.out = Pairing()
        self.cell_of: dict[str, str] = {}
        self.module_of: dict[str, str] = {}
        #: below these everything belongs to the pair
        self.covered: set[str] = set()
        self.covered_cells: set[str] = set()

    def run(self) -> Pairing:
        self._take("", "")
        for here, there in self.given.items():
            if here not in self.cell_of:
                self._take(here, there)
        self._descend("", "")
        for here, there in self.given.items():
            self._descend(here, there)
        self._match_rest()
        self._finish()
        return self.out

    # ------------------------------------------------------------------------ taking

    def _take(self, here: str, there: str) -> None:
        self.cell_of[here], self.module_of[there] = there, here

    def _free(self, here: str, there: str) -> bool:
        return here not in self.cell_of and there not in self.module_of and here not in self.given

    def _descend(self, here: str, there: str) -> None:
        module, cell = self.modules[here], self.cells[there]
        if isinstance(cell, TorchCell) and not cell._cells:
            self.covered.add(here)
            return
        mine = [_join(here, n) for n, m in module._modules.items() if m is not None]
        theirs = [_join(there, n) for n, c in cell._cells.items() if c is not None]
        self._by_name(mine, theirs)
        self._by_kind(
            [m for m in mine if m not in self.cell_of and m not in self.given],
            [c for c in theirs if c not in self.module_of],
        )
        if self._is_whole(module, cell):
            self.covered.add(here)
            self.covered_cells.add(there)
        for child in mine:
            if child in self.cell_of:
                self._descend(child, self.cell_of[child])

    def _is_whole(self, module: torch.nn.Module, cell: Cell) -> bool:
        return not isinstance(module, _CONTAINERS) and _stands_for(module, cell)

    def _by_name(self, mine: list[str], theirs: list[str]) -> None:
        for form in (str, _spelling):
            names = {}
            for path in theirs:
                if path not in self.module_of:
                    names.setdefault(form(_last(path)), []).append(path)
            seen = Counter(form(_last(p)) for p in mine if p not in self.cell_of)
            for path in mine:
                key = form(_last(path))
                cells = names.get(key, [])
                if len(cells) == 1 and seen[key] == 1 and self._free(path, cells[0]):
                    self._take(path, cells[0])

    def _by_kind(self, mine: list[str], theirs: list[str]) -> None:
        """Pair what is left under two parents by kind and shapes, in order."""
        if not mine or not theirs:
            return
        kinds = [_kind(self.modules[p]) for p in mine]
        cell_kinds = [_cell_kind(self.cells[p]) for p in theirs]
        for kind in dict.fromkeys(kinds):
            ours = [p for p, k in zip(mine, kinds, strict=True) if k == kind]
            others = [p for p, k in zip(theirs, cell_kinds, strict=True) if k == kind]
            if not others:
                continue
            if len(ours) != len(others):
                if kind[1]:
                    self.out.problems.append(
                        f"{_names(ours)} and {_names(others)} are of the same kind and shapes, but "
                        f"not of the same number: say which is which with pairs={{"
                        f"{ours[0]!r}: {others[0]!r}, ...}}."
                    )
                continue
            for one, other in zip(ours, others, strict=True):
                self._take(one, other)
            if len(ours) > 1:
                self.out.notes.append(
                    f"{_names(ours)} were paired with {_names(others)} in their order of "
                    "definition, since kind and shapes do not tell them apart; pairs= says it "
                    "otherwise."
                )

    def _match_rest(self) -> None:
        """Modules with weights anywhere in the tree, whose nesting is another in the cell."""
        ours = [p for p in self._rest() if _state(self.modules[p]) and _is_leaf(self.modules[p])]
        theirs = [p for p in self._rest_cells() if _cell_kind(self.cells[p])[1]]
        theirs = [p for p in theirs if not self.cells[p]._cells]
        if not ours or not theirs:
            return
        match = difflib.SequenceMatcher(
            None,
            [_kind(self.modules[p]) for p in ours],
            [_cell_kind(self.cells[p]) for p in theirs],
            autojunk=False,
        )
        pairs = [
            (ours[block.a + i], theirs[block.b + i])
            for block in match.get_matching_blocks()
            for i in range(block.size)
        ]
        if len(pairs) == len(ours) == len(theirs):
            for one, other in pairs:
                self._take(one, other)
            self.out.notes.append(
                f"The trees are nested differently: {len(pairs)} modules were paired with cells by "
                "kind, shapes and order."
            )

    # --------------------------------------------------------------------- leftovers

    def _below(self, path: str, covered: set[str]) -> bool:
        return any(path != c and (not c or path.startswith(f"{c}.")) for c in covered)

    def _rest(self) -> Iterator[str]:
        seen: set[int] = {id(self.modules[p]) for p in self.cell_of}
        for path, module in self.modules.items():
            if path in self.cell_of or id(module) in seen or self._below(path, self.covered):
                continue
            seen.add(id(module))
            yield path

    def _rest_cells(self) -> Iterator[str]:
        seen = {id(self.cells[p]) for p in self.module_of}
        for path, cell in self.cells.items():
            if path in self.module_of or id(cell) in seen or self._below(path, self.covered_cells):
                continue
            seen.add(id(cell))
            yield path

    def _finish(self) -> None:
        order = {path: i for i, path in enumerate(self.modules)}
        done: set[tuple[int, int]] = set()
        for here in sorted(self.cell_of, key=lambda p: order[p]):
            there = self.cell_of[here]
            module, cell = self.modules[here], self.cells[there]
            if (id(module), id(cell)) in done:
                continue
            done.add((id(module), id(cell)))
            above = self.modules.get(here.rpartition(".")[0])
            if isinstance(above, torch.nn.MultiheadAttention) and above is not module:
                continue  # it keeps weights for the attention, which never calls it
            foreign = isinstance(cell, TorchCell)
            self.out.pairs.append(
                Pair(
                    here,
                    there,
                    module,
                    cell,
                    find(type(module)),
                    whole=(foreign and not cell._cells)
                    or (
                        self._is_whole(module, cell)
                        and (not _is_leaf(module) or _keeps_inside(module))
                    ),
                    foreign=foreign,
                )
            )
        around = {above for pair in self.out.pairs for above in paths_above(pair.path)}
        for pair in self.out.pairs:
            pair.leaf = pair.path not in around
        self._say_leftovers()
        self._say_shared()

    def _say_leftovers(self) -> None:
        left = list(self._rest())
        weighty = [p for p in left if _state(self.modules[p])]
        light = [p for p in left if p not in weighty and _is_leaf(self.modules[p])]
        cells = [p for p in self._rest_cells() if _own_weights(self.cells[p])]
        for path in weighty:
            kind, shapes = _kind(self.modules[path])
            near = difflib.get_close_matches(path, cells, 3, 0.3)
            self.out.problems.append(
                f"The module {path or 'itself'} ({type(self.modules[path]).__name__}, weights "
                f"{list(shapes)}) has no cell"
                + (f"; the nearest without a module: {', '.join(near)}" if near else "")
                + f". Say which one it is with pairs={{{path!r}: ...}}, or add a {kind}."
            )
        for path in cells:
            self.out.problems.append(
                f"The cell {path or 'itself'} ({type(self.cells[path]).__name__}, weights "
                f"{list(_cell_kind(self.cells[path])[1])}) has no module that it stands for."
            )
        if light:
            self.out.notes.append(
                f"No cell stands for {_names(light)}: without weights; they are compared as part "
                "of the cells around them."
            )

    def _say_shared(self) -> None:
        """A module in two places must be one cell in two places."""
        by_module: dict[int, list[Pair]] = {}
        for pair in self.out.pairs:
            by_module.setdefault(id(pair.module), []).append(pair)
        for pairs in by_module.values():
            if len(pairs) > 1 and _state(pairs[0].module):
                names = " and ".join(p.path for p in pairs)
                self.out.problems.append(
                    f"{names} are different cells, but one module ({pairs[0].module_path}) in the "
                    "original: their weights would part in training. Assign the same cell twice."
                )


def _cells(cell: Cell) -> Iterator[tuple[str, Cell]]:
    """All paths of cells, those of shared cells too."""
    stack: list[tuple[str, Cell, tuple[int, ...]]] = [("", cell, ())]
    while stack:
        path, current, above = stack.pop()
        yield path, current
        children = [(n, c) for n, c in current._cells.items() if c is not None]
        for name, child in reversed(children):
            if id(child) not in above:
                stack.append((_join(path, name), child, (*above, id(current))))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _spelling(name: str) -> str:
    return name.lower().replace("_", "")


def _names(paths: list[str]) -> str:
    shown = ", ".join(paths[:5])
    return f"{shown} and {len(paths) - 5} more" if len(paths) > 5 else shown


def _is_leaf(module: torch.nn.Module) -> bool:
    return not any(m is not None for m in module._modules.values())


def _state(module: torch.nn.Module) -> list[torch.Tensor]:
    """The tensors that a module itself holds; of a leaf or of what stands for a whole."""
    return [
        *(p for p in module._parameters.values() if p is not None),
        *(
            b
            for n, b in module._buffers.items()
            if b is not None and n not in module._non_persistent_buffers_set
        ),
    ]


def _own_weights(cell: Cell) -> bool:
    return any(p is not None for p in cell._params.values())


def target_name(rule: Rule | None) -> str | None:
    """The name of the class of cells that a rule gives."""
    if rule is None or rule.target is None:
        return None
    return rule.target.rpartition(".")[2]


def _stands_for(module: torch.nn.Module, cell: Cell) -> bool:
    rule = find(type(module))
    if target_name(rule) == type(cell).__name__:
        return True
    form = _form(module, rule)
    return form is not None and target_of(form.template).rpartition(".")[2] == type(cell).__name__


def _form(module: torch.nn.Module, rule: Rule | None) -> Case | None:
    """What becomes of this instance, where that is not what becomes of most."""
    if rule is None or len(rule.cases) < 2:
        return None
    try:
        return rule._choose(rule.arguments_of(module))[0]
    except RuleRefused:
        return None


def _keeps_inside(module: torch.nn.Module) -> bool:
    """Whether a leaf's weights are those of a cell inside of its cell."""
    rule = find(type(module))
    if rule is None or not any("." in w.target for w in _weights_in(rule)):
        return False
    own = [*module._parameters, *module._buffers]
    try:
        names = rule.weight_names(own, module)
    except RuleRefused:
        return False
    return any("." in target for target, _ in names.values())


def _weights_in(rule: Rule) -> Iterator[Weight]:
    """The names of weights that a rule gives in any case."""
    yield from rule.weights
    for case in rule.cases:
        yield from case.weights or ()


def _kind(module: torch.nn.Module) -> tuple[str, tuple[tuple[int, ...], ...]]:
    name = target_name(find(type(module))) or type(module).__name__
    sizes = [tuple(p.shape) for p in module._parameters.values() if p is not None]
    return _general(name), _sizes(sizes)


def _cell_kind(cell: Cell) -> tuple[str, tuple[tuple[int, ...], ...]]:
    if isinstance(cell, TorchCell) and not cell._cells:
        return _kind(cell.module)
    trained = [p for p in cell._params.values() if p is not None and p.requires_grad]
    return _general(type(cell).__name__), _sizes([tuple(p.shape) for p in trained])


def _general(name: str) -> str:
    """Names of layers that stand for each other: ``Linear``, ``LinearExt`` and ``Dense``."""
    name = name.removesuffix("Ext").removesuffix("Cell")
    return {"Linear": "Dense", "Upsample": "Upsample"}.get(name, name)


def _sizes(shapes: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Shapes without the ones that a transform may add, biases last."""
    plain = [tuple(n for n in s if n != 1) or (1,) for s in shapes]
    return tuple(sorted(plain, key=lambda s: (-len(s), s)))


# --------------------------------------------------------------------------------------- weights


@dataclass
class Weights:
    """The entries of one pair's state that belong together.

    Attributes:
        names: name in the module: (name in the cell, transform there, transform back).
        tensors: name in the cell: its Parameter or buffer.
        problems: entries without a counterpart, as sentences.
    """

    names: dict[str, tuple[str, Any, Any]] = field(default_factory=dict)
    tensors: dict[str, Tensor] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def cell_state(cell: Cell, recurse: bool = False) -> dict[str, Tensor]:
    """Parameters and buffers of a cell by their names in it.

    Args:
        cell (Cell): the cell.
        recurse (bool): whether those of cells inside are included. Default: False.
    """
    out: dict[str, Tensor] = {}
    for path, c in cell.cells_and_names() if recurse else [("", cell)]:
        for registry in (c._params, c._buffers):
            for name, value in registry.items():
                if value is not None:
                    out[_join(path, name)] = value
    return out


def paths_above(path: str) -> list[str]:
    """The paths of all that a path lies in, the whole tree's among them.

    Args:
        path (str): a dotted path; that of the tree is empty and lies in nothing.
    """
    parts = path.split(".") if path else []
    return [".".join(parts[:i]) for i in range(len(parts))]


def weights_of(pair: Pair) -> Weights:
    """How the state of a pair's module becomes that of its cell.

    Args:
        pair (Pair): the module and its cell.
    """
    out = Weights()
    module = pair.module
    whole = pair.whole
    inside = list(module.named_modules()) if whole else [("", module)]
    if whole:
        own = {
            **dict(module.named_parameters(remove_duplicate=False)),
            **dict(module.named_buffers(remove_duplicate=False)),
        }
    else:
        own = {n: p for n, p in module._parameters.items() if p is not None}
        own |= {n: b for n, b in module._buffers.items() if b is not None}
    transient = {_join(path, name) for path, m in inside for name in m._non_persistent_buffers_set}
    out.tensors = cell_state(pair.cell, whole and not pair.foreign)
    table, dropped = {}, set()
    if pair.rule is not None and not pair.foreign:  # PyTorch's own code keeps its names
        try:
            table = pair.rule.weight_names(list(own), module)
        except RuleRefused:
            pass  # of this instance no cell is made: PyTorch computes it, and names stay
        else:
            dropped = set(own) - set(table)
    used: set[str] = set()
    for name, value in own.items():
        if name in dropped and _name_in(name, out.tensors) is None:
            continue
        target, transform = table.get(name, (name, "same"))
        if target not in out.tensors:
            target = _name_in(target, out.tensors) or _name_in(name, out.tensors) or target
        if target in out.tensors and target not in used:
            used.add(target)
            there, back = TRANSFORMS[transform][:2]
            out.names[name] = (target, there, back)
        elif name not in transient and isinstance(value, torch.Tensor):
            free = [n for n in out.tensors if n not in used]
            near = difflib.get_close_matches(name, free, 2, 0.3)
            out.problems.append(
                f"{pair.label}: {name} {tuple(value.shape)} of the original has no counterpart in "
                f"the cell" + (f" (nearest: {', '.join(near)})" if near else "") + "."
            )
    for name, tensor in out.tensors.items():
        if name not in used and isinstance(tensor, Parameter) and tensor.requires_grad:
            out.problems.append(
                f"{pair.label}: {name} {tensor.shape} of the cell has no counterpart in the "
                "original."
            )
    return out


def _name_in(name: str, state: Mapping[str, Any]) -> str | None:
    """A name in its usual spellings in a cell."""
    if name in state:
        return name
    head, dot, last = name.rpartition(".")
    usual = {
        "weight": ("gamma", "embedding_table"),
        "bias": ("beta",),
        "running_mean": ("moving_mean",),
        "running_var": ("moving_variance",),
    }
    for other in usual.get(last, ()):
        if f"{head}{dot}{other}" in state:
            return f"{head}{dot}{other}"
    # TorchCells and some conversions keep dots out of attribute names
    flat = name.replace(".", "__")
    return flat if flat in state else None
