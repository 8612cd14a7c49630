"""Checkpoints whose names differ from the network's: matched by structure, with a report.

Matching goes from the certain to the uncertain: names, names in the words of the other framework,
names with other beginnings, and at last kind, shape and order of whole layers (the parameters of
one scope). Each step takes what is left by the one before.
"""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch  # reads PyTorch's files; shapes and types are compared as torch tensors

from agar._core.dtype import to_torch_dtype
from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.train._load_parameters import (
    FAMILIES,
    Filling,
    buffers_of,
    castable,
    copying_prefixes,
    similar,
)
from agar.train._stored_values import read_values

__all__ = ["Match", "StructureReport", "load_by_structure"]

# The last part of a name, in the words of MindSpore and of PyTorch.
_WORDS = {
    "weight": "weight",
    "gamma": "weight",
    "embedding_table": "weight",
    "w": "weight",
    "bias": "bias",
    "beta": "bias",
    "moving_mean": "mean",
    "running_mean": "mean",
    "moving_variance": "variance",
    "running_var": "variance",
}
_KINDS = ("weight", "bias", "mean", "variance")
# PyTorch counts batches for a mode of BatchNorm that MindSpore does not have.
_COUNTER = "num_batches_tracked"
_MAX_CANDIDATES = 3


class Match(NamedTuple):
    """One pair of a report: a tensor of the network, the value for it, and why.

    Args:
        name (str): the name in the network.
        source (str): the name in the checkpoint.
        shape (tuple): the shape in the network.
        how (str): what the match rests on.
        certain (bool): False if it rests on order alone among layers of equal shapes.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.
    """

    name: str
    source: str
    shape: tuple[int, ...]
    how: str
    certain: bool


@dataclass(frozen=True)
class StructureReport:
    """What :func:`load_by_structure` matched; ``print`` shows it as a table.

    Args:
        matched (list[Match]): the pairs, in the order of the network.
        not_loaded (dict): names of the network without a value, each with the values that come
            closest.
        not_used (dict): names of the checkpoint that no tensor got, each with the tensors that
            come closest.
        left_out (dict): names of the checkpoint that are not parameters, each with the reason.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.
    """

    matched: list[Match] = field(default_factory=list)
    not_loaded: dict[str, list[str]] = field(default_factory=dict)
    not_used: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everything on both sides was matched."""
        return not self.not_loaded and not self.not_used

    @property
    def uncertain(self) -> list[Match]:
        """The matches that rest on order alone."""
        return [match for match in self.matched if not match.certain]

    def __str__(self) -> str:
        rows = [("network", "checkpoint", "shape", "matched by")]
        rows += [(m.name, m.source, str(m.shape), m.how) for m in self.matched]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            "  ".join([*(cell.ljust(n) for cell, n in zip(row[:3], widths, strict=True)), row[3]])
            for row in rows
        ]
        if not self.matched:
            lines = ["Nothing was matched."]
        if self.uncertain:
            lines.append(
                f"{len(self.uncertain)} matches rest on order alone among layers of equal shapes; "
                "please check them."
            )
        for title, names in (
            ("Without a value in the checkpoint", self.not_loaded),
            ("Not used from the checkpoint", self.not_used),
        ):
            if names:
                lines.append(f"{title} ({len(names)}):")
                for name, candidates in names.items():
                    close = f"  (closest: {', '.join(candidates)})" if candidates else ""
                    lines.append(f"  {name}{close}")
        if self.left_out:
            lines.append(f"Left out of the checkpoint ({len(self.left_out)}):")
            lines += [f"  {name}  ({reason})" for name, reason in self.left_out.items()]
        return "\n".join(lines)


def load_by_structure(
    net: Cell,
    parameter_dict: Mapping[str, Any] | str,
    strict: bool = False,
    dry_run: bool = False,
) -> StructureReport:
    """Load a checkpoint whose names differ from the network's, and say what was matched with what.

    Values and parameters are matched

    1. by equal names;
    2. by names that differ in the last word only, as those of MindSpore and PyTorch do (``gamma``
       and ``weight``, ``moving_mean`` and ``running_mean``, ``embedding_table`` and ``weight``);
    3. by names that differ in a beginning common to several of them (``module.``, ``backbone.`` in
       place of ``encoder.``), or in an ending common to all (``:0``);
    4. by layers (all parameters of one scope) with the same kinds and shapes: the only ones of
       their kind, or those at the same place between layers that are matched already. Among layers
       of equal shapes, words in their names decide, and if they say nothing, the order; matches
       that rest on order alone are marked in the report. If words contradict the order, nothing is
       matched.

    Values are matched only with tensors of the same shape (up to dimensions of size 1, as between a
    one-dimensional convolution of PyTorch and of MindSpore) and of a type to which they can be cast
    (floats among themselves, signed integers among themselves). Nothing is changed before all is
    matched and checked.

    Args:
        net (Cell): the network.
        parameter_dict (Union[dict, str]): names to Parameters, Tensors, torch tensors or arrays; or
            a file: ``.ckpt``, ``.safetensors``, or one of PyTorch (``.pth``, ``.pt``, ``.bin``),
            from which only tensors are read, never code; or the index of several files
            (``.index.json``), or a folder with such files, as model hubs lay them out.
        strict (bool): whether a tensor without a value, or a value without a tensor, is an error.
            Default: False.
        dry_run (bool): whether to report only and to load nothing. Default: False.

    Returns:
        StructureReport.

    Raises:
        TypeError: `net` is not a Cell, or `parameter_dict` is not a dict of such values and no file
            name.
        ValueError: the file does not exist, cannot be read or has no parameters in it.
        FileNotFoundError: one of several files is missing.
        RuntimeError: something is unmatched and `strict` is True, or a value does not fit although
            its shape and type do (an integer out of range, a tensor without memory).

    Difference from PyTorch: ``load_state_dict`` needs equal names.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> import torch
        >>> from agar.train import load_by_structure
        >>> class Net(ms.nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.norm = ms.nn.BatchNorm1d(2)
        ...         self.head = ms.nn.Dense(2, 1)
        >>> module = torch.nn.Sequential(torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 1))
        >>> print(load_by_structure(Net(), module.state_dict()))
        network               checkpoint      shape   matched by
        norm.moving_mean      0.running_mean  (2,)    the only layer of its kind and shape
        norm.moving_variance  0.running_var   (2,)    the only layer of its kind and shape
        norm.gamma            0.weight        (2,)    the only layer of its kind and shape
        norm.beta             0.bias          (2,)    the only layer of its kind and shape
        head.weight           1.weight        (1, 2)  the only layer of its kind and shape
        head.bias             1.bias          (1,)    the only layer of its kind and shape
        Left out of the checkpoint (1):
          0.num_batches_tracked  (a count that the network does not have)
    """
    if not isinstance(net, Cell):
        raise TypeError(
            f"For 'load_by_structure', the argument 'net' must be a Cell, but got {describe(net)}."
        )
    targets = _targets(net)
    values, left_out = _values(parameter_dict)
    report = _Matcher(
        _parts({name: (t.shape, to_torch_dtype(t.dtype)) for name, t in targets.items()}),
        _parts({name: (tuple(t.shape), t.dtype) for name, t in values.items()}),
        left_out,
    ).run()
    if strict and not report.complete:
        raise RuntimeError(
            "For 'load_by_structure', nothing was loaded, because strict=True and "
            f"{len(report.not_loaded)} names of the network and {len(report.not_used)} of the "
            f"checkpoint have no counterpart:\n{report}"
        )
    plan = [
        Filling(m.name, targets[m.name], m.source, values[m.source].reshape(m.shape))
        for m in report.matched
    ]
    problems = [p for p in (filling.obstacle() for filling in plan) if p]
    if problems:
        raise RuntimeError(
            "For 'load_by_structure', nothing was loaded, because not everything fits:\n"
            + "\n".join(problems)
        )
    if not dry_run:
        for filling in plan:
            filling.fill()
    return report


def _targets(net: Cell) -> dict[str, Tensor]:
    """All tensors to fill by name; of parameters with one name the later ones by their path."""
    targets: dict[str, Tensor] = {}
    for path, p in net.parameters_and_names():
        targets[path if p.name in targets else p.name] = p
    return {**targets, **buffers_of(net)}


# ---------------------------------------------------------------------------------------- reading


def _values(given: Any) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """The tensors of a dict or file, and what else is in it with the reason to leave it out."""
    if isinstance(given, (str, os.PathLike)):
        given = read_values("load_by_structure", os.fspath(given))
    if not isinstance(given, Mapping):
        raise TypeError(
            "For 'load_by_structure', the argument 'parameter_dict' must be a dict of names to "
            f"tensors, or the name of a file, but got {type(given).__name__}."
        )
    values: dict[str, torch.Tensor] = {}
    left_out: dict[str, str] = {}
    for name, value in given.items():
        tensor = _tensor(value)
        if not isinstance(name, str):
            raise TypeError(
                f"For 'load_by_structure', a name in 'parameter_dict' must be a str, not {name!r}."
            )
        if tensor is None:
            left_out[name] = "no tensor"
        elif tensor.layout is not torch.strided:
            left_out[name] = "a sparse tensor"
        else:
            values[name] = tensor
    return values, left_out


def _tensor(value: Any) -> torch.Tensor | None:
    if isinstance(value, Tensor):
        return value._value.detach()
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(np.asarray(value))._value
    return None


# --------------------------------------------------------------------------------------- matching


class _Part(NamedTuple):
    """What matching looks at: a name and what may stand for each other.

    ``plain`` is the name in common words and without an ending that all names have; ``scope`` and
    ``last`` are what stands before and behind its last dot; ``kind`` is weight, bias, mean,
    variance or other.
    """

    name: str
    plain: str
    scope: str
    last: str
    kind: str
    shape: tuple[int, ...]
    dtype: torch.dtype

    def fits(self, other: _Part) -> bool:
        return _bare(self.shape) == _bare(other.shape) and castable(other.dtype, self.dtype)

    def signature(self) -> tuple[Any, ...]:
        """Equal for parts that can stand for each other."""
        family = next((f for f in FAMILIES if self.dtype in f), frozenset({self.dtype}))
        return self.kind, _bare(self.shape), tuple(sorted(map(str, family)))

    def says_nothing(self) -> bool:
        """Whether kind and shape are those of any number, such as a step or a rate."""
        return self.kind == "other" and not _bare(self.shape)


def _parts(described: dict[str, tuple[tuple[int, ...], torch.dtype]]) -> dict[str, _Part]:
    """The parts by name, from their shapes and types."""
    ending = _common_ending(list(described))
    parts = {}
    for name, (shape, dtype) in described.items():
        scope, dot, last = name[: len(name) - len(ending)].rpartition(".")
        word = _WORDS.get(last, last)
        words = word.lower().split("_")
        kind = next((kind for kind in _KINDS if kind in words), "other")
        parts[name] = _Part(name, scope + dot + word, scope, last, kind, shape, dtype)
    return parts


def _bare(shape: Iterable[int]) -> tuple[int, ...]:
    return tuple(n for n in shape if n != 1)


class _Layer(NamedTuple):
    """The parts of one scope."""

    scope: str
    place: int
    parts: list[_Part]

    def signature(self) -> tuple[Any, ...]:
        return tuple(sorted(map(repr, (part.signature() for part in self.parts))))

    def words(self) -> Counter[str]:
        # without numbers: 0, 2, 4 of one side are often 1, 2, 3 of the other
        return Counter(re.findall("[a-z]+", self.scope.lower()))


class _Matcher:
    """One matching: what is left on both sides, and the pairs so far."""

    def __init__(
        self, targets: dict[str, _Part], sources: dict[str, _Part], left_out: dict[str, str]
    ) -> None:
        self.all_targets, self.all_sources = targets, sources
        self.targets, self.sources = dict(targets), dict(sources)
        self.left_out = left_out
        self.pairs: dict[str, Match] = {}
        self.places = {
            side: {s: i for i, s in enumerate(dict.fromkeys(p.scope for p in parts.values()))}
            for side, parts in (("targets", targets), ("sources", sources))
        }

    def run(self) -> StructureReport:
        self._by_names("name", "equal name")
        self._leave_out()
        self._by_names("plain", "same name in other words")
        while self._by_beginning():
            continue
        while self._by_layers():
            continue
        self._single_parts()
        return StructureReport(
            matched=[self.pairs[name] for name in self.all_targets if name in self.pairs],
            not_loaded=_candidates(self.targets, self.sources),
            not_used=_candidates(self.sources, self.targets),
            left_out=self.left_out,
        )

    def _pair(self, target: _Part, source: _Part, how: str, certain: bool = True) -> None:
        del self.targets[target.name], self.sources[source.name]
        if target.shape != source.shape:
            how += f", from shape {source.shape}"
        self.pairs[target.name] = Match(target.name, source.name, target.shape, how, certain)

    def _leave_out(self) -> None:
        """Put aside what only looks like parameters of this network."""
        copies = tuple(copying_prefixes(self.all_sources))
        for name in list(self.sources):
            reason = None
            if name.rpartition(".")[2] == _COUNTER:
                reason = "a count that the network does not have"
            elif name.startswith(copies):
                reason = "a copy or an optimizer's state of another value"
            if reason:
                self.left_out[name] = reason
                del self.sources[name]

    def _by_names(self, which: str, how: str) -> None:
        """Match parts whose names, of the given sort, are equal and occur once."""
        sources = _by(which, self.sources.values())
        for name, own in _by(which, self.targets.values()).items():
            others = sources.get(name, [])
            if len(own) == len(others) == 1 and own[0].fits(others[0]):
                self._pair(own[0], others[0], how)

    def _by_beginning(self) -> bool:
        """Match names that are equal behind the most frequent pair of beginnings.

        Returns:
            Whether there was such a pair.
        """
        behind: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for name, source in self.sources.items():
            for beginning, rest in _splits(source.plain):
                behind[rest].append((beginning, name))
        votes: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for name, target in self.targets.items():
            for beginning, rest in _splits(target.plain):
                fitting = [
                    (other, source)
                    for other, source in behind.get(rest, ())
                    # one word alone says little, unless nothing but a beginning is taken off
                    if ("." in rest or not beginning or not other)
                    and target.fits(self.sources[source])
                ]
                for other, source in fitting:
                    votes[beginning, other].append((name, source))
                if fitting:
                    break  # only the longest common end counts
        sizes: dict[tuple[str, str], list[int]] = defaultdict(list)
        for pairs in votes.values():
            for name, source in pairs:
                sizes["target", name].append(len(pairs))
                sizes["source", source].append(len(pairs))

        def undisputed(side: str, name: str, votes_for: int) -> bool:
            return sum(n >= votes_for for n in sizes[side, name]) == 1

        for (beginning, other), pairs in sorted(votes.items(), key=lambda item: -len(item[1])):
            if all(
                undisputed("target", name, len(pairs)) and undisputed("source", source, len(pairs))
                for name, source in pairs
            ):
                if beginning and other:
                    how = f"'{other}' in place of '{beginning}'"
                else:
                    how = f"without '{other}'" if other else f"with '{beginning}' before"
                for name, source in pairs:
                    self._pair(self.targets[name], self.sources[source], how)
                return True
        return False

    # --- by layers

    def _layers(self, side: str) -> list[_Layer]:
        grouped: dict[str, list[_Part]] = defaultdict(list)
        for part in (self.targets if side == "targets" else self.sources).values():
            grouped[part.scope].append(part)
        places = self.places[side]
        layers = [_Layer(scope, places[scope], parts) for scope, parts in grouped.items()]
        telling = [layer for layer in layers if not all(p.says_nothing() for p in layer.parts)]
        return sorted(telling, key=lambda layer: layer.place)

    def _by_layers(self) -> bool:
        """Match layers of equal signatures; returns whether there were any."""
        mine, theirs = self._layers("targets"), self._layers("sources")
        before = len(self.pairs)
        for own, others in _grouped(mine, theirs):
            if len(own) == len(others) == 1:
                self._pair_layers(own[0], others[0], "the only layer of its kind and shape")
        if len(self.pairs) > before:
            return True
        groups = [
            group
            for own, others in self._segments(mine, theirs)
            if [a.signature() for a in own] == [b.signature() for b in others]
            for group in _grouped(own, others)
        ]
        # what is certain first: it parts the segments further
        for own, others in [group for group in groups if len(group[0]) == 1] or groups:
            self._pair_group(own, others)
        return len(self.pairs) > before

    def _segments(
        self, mine: list[_Layer], theirs: list[_Layer]
    ) -> Iterator[tuple[list[_Layer], list[_Layer]]]:
        """Runs of layers that lie between the same matched layers on both sides."""
        anchors = sorted(
            {
                (
                    self.places["targets"][self.all_targets[m.name].scope],
                    self.places["sources"][self.all_sources[m.source].scope],
                )
                for m in self.pairs.values()
            }
        )
        ends = [(-1, -1), *anchors, (len(self.places["targets"]), len(self.places["sources"]))]
        for (start, other_start), (end, other_end) in itertools.pairwise(ends):
            own = [layer for layer in mine if start < layer.place < end]
            if own and other_start < other_end:
                yield own, [layer for layer in theirs if other_start < layer.place < other_end]

    def _pair_group(self, own: Sequence[_Layer], others: Sequence[_Layer]) -> None:
        """Match layers of equal signature at the same place: by words if they say which, or order.

        Words that contradict the order without saying which is which leave them unmatched.
        """
        if len(own) == 1:
            self._pair_layers(own[0], others[0], "the only such layer at its place")
            return
        common = [sum((a.words() & b.words()).values()) for a in own for b in others]
        rows = [common[i * len(others) : (i + 1) * len(others)] for i in range(len(own))]
        best = [[j for j, n in enumerate(row) if n == max(row)] for row in rows]
        if all(len(b) == 1 for b in best) and len({b[0] for b in best}) == len(own):
            for layer, (j,) in zip(own, best, strict=True):
                self._pair_layers(layer, others[j], "words of the name, kind and shape")
        elif all(i in b for i, b in enumerate(best)):
            for layer, other in zip(own, others, strict=True):
                how = f"order alone, among {len(own)} layers of this kind and shape"
                self._pair_layers(layer, other, how, certain=False)

    def _pair_layers(self, mine: _Layer, other: _Layer, how: str, certain: bool = True) -> None:
        for own, others in _grouped(mine.parts, other.parts):
            # in one layer, equal last words first (weight_ih and weight_hh), then the order
            ends = {part.last: part for part in others}
            for part in own:
                same = ends.pop(part.last, None)
                if same is not None:
                    self._pair(part, same, how, certain)
            rest = [part for part in own if part.name in self.targets]
            left = [part for part in others if part.name in self.sources]
            for part, match in zip(rest, left, strict=True):
                note = how if len(rest) == 1 else f"{how}; order within the layer"
                self._pair(part, match, note, certain and len(rest) == 1)

    def _single_parts(self) -> None:
        """Match single parts, the only ones of their kind and shape on both sides."""
        for own, others in _grouped(self.targets.values(), self.sources.values()):
            if len(own) == len(others) == 1 and not own[0].says_nothing():
                self._pair(own[0], others[0], "the only value of its kind and shape")


def _common_ending(names: list[str]) -> str:
    """What all names end with behind a parameter's word, such as ``:0`` or ``.value``."""
    if len(names) < 2:
        return ""
    # all share what the first and the last share in the order of their mirrored texts
    mirrored = [name[::-1] for name in names]
    first, last = min(mirrored), max(mirrored)
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    shared = first[: len(list(same))][::-1]
    for start in re.finditer(r"[.:/@]", shared):
        ending = shared[start.start() :]
        if not any(word in _WORDS for word in re.split("[^a-z]+", ending)):
            return ending
    return ""


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Pairs of beginning and rest of a name at its dots, the shortest beginning first."""
    yield "", name
    for dot in re.finditer(r"\.", name):
        yield name[: dot.end()], name[dot.end() :]


def _by(which: str, parts: Iterable[_Part]) -> dict[str, list[_Part]]:
    groups: dict[str, list[_Part]] = defaultdict(list)
    for part in parts:
        groups[getattr(part, which)].append(part)
    return groups


def _grouped(mine: Iterable[Any], theirs: Iterable[Any]) -> list[tuple[list[Any], list[Any]]]:
    """What has equal signatures on both sides, in the order of the first."""
    groups: dict[Any, tuple[list[Any], list[Any]]] = {}
    for side, items in enumerate((mine, theirs)):
        for item in items:
            groups.setdefault(item.signature(), ([], []))[side].append(item)
    return [group for group in groups.values() if group[0] and group[1]]


def _candidates(parts: dict[str, _Part], among: dict[str, _Part]) -> dict[str, list[str]]:
    """For each part the unmatched ones of the other side that come closest."""
    by_signature: dict[Any, list[str]] = defaultdict(list)
    for name, part in among.items():
        by_signature[part.signature()].append(name)
    alike = similar(parts, among)
    entries = {}
    for name, part in parts.items():
        close = [*by_signature[part.signature()], *alike.get(name, [])]
        close = list(dict.fromkeys(close))[:_MAX_CANDIDATES]
        entries[name] = [f"{other} {among[other].shape}" for other in close]
    return entries
