"""Packed sequences: MindSpore's recurrent layers take the padded batch and its lengths.

``packed = pack_padded_sequence(x, lengths, ...)``, ``out, h = self.lstm(packed)`` and
``out, _ = pad_packed_sequence(out, ...)`` become ``out, h = self.lstm(x, seq_length=...)``, whose
results are the same: steps behind an end are zero, and states are those of the last steps.

Only what is clear is rewritten: three statements of one block, a layer whose ``batch_first`` the
file says, and no other use of what is packed. All else keeps its text and its marks.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._nodes import comma_and_space, keyword_arg
from agar.migrate.conversion._reading import all_reads, assigned, names_of, read_names
from agar.migrate.conversion._walk import Rewriter, code_of_tree, findall, rewritten

__all__ = ["HELPER", "plain_batches"]

#: the key of HELPERS that rewritten files need
HELPER = "_unpacked"
_PACK, _PAD = "pack_padded_sequence", "pad_packed_sequence"
_PACKED_BY = ("input", "lengths", "batch_first", "enforce_sorted")
_PADDED_BY = ("sequence", "batch_first", "padding_value", "total_length")
_ARGUMENTS = ("input_size", "hidden_size", "num_layers", "bias", "batch_first")
_LAYERS = ("LSTM", "GRU", "RNN")
_OFF = cst.Name("False")


@dataclass
class _Use:
    """A batch that is packed, given to a layer, and perhaps padded again, by positions."""

    pack: int
    call: int
    pad: int | None
    batch: cst.BaseExpression
    lengths: cst.BaseExpression
    batch_first: str


def plain_batches(tree: cst.Module) -> tuple[cst.Module, bool]:
    """A file without the packed sequences that are clear, and whether it needs the helper.

    Args:
        tree (cst.Module): the file.
    """
    if _PACK not in code_of_tree(tree):
        return tree, False
    rewriter = _Rewriter(tree)
    return rewritten(tree, rewriter), rewriter.padded


class _Rewriter(Rewriter):
    def __init__(self, tree: cst.Module) -> None:
        super().__init__()
        self.padded = False
        self.imported = bool(findall(tree, m.ImportAlias(name=m.Name("torch"), asname=None)))
        #: layer: what its constructors say of batch_first
        self.layers: dict[str, set[str]] = {}
        for node in findall(tree, m.Assign(value=m.Call())):
            assert isinstance(node, cst.Assign)
            assert isinstance(node.value, cst.Call)
            kind = (plain_name(node.value.func) or "").rpartition(".")[2]
            for target in node.targets:
                name = plain_name(target.target)
                if name is not None:
                    given = _by_name(node.value, _ARGUMENTS) if kind in _LAYERS else None
                    first = None if given is None else given.get("batch_first", _OFF)
                    self.layers.setdefault(name, set()).add(
                        "" if first is None else code_of(first).strip()
                    )

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> Any:
        block = updated_node.body
        if not self.imported or not isinstance(block, cst.IndentedBlock):
            return updated_node
        body: list[Any] = list(block.body)
        names = names_of(updated_node)
        for at in range(len(body)):
            use = self._use(body, at)
            if use is not None:
                self._rewrite(body, use, names)
        if all(new is old for new, old in zip(body, block.body, strict=True)):
            return updated_node
        return updated_node.with_changes(body=block.with_changes(body=body))

    def _use(self, body: Sequence[Any], at: int) -> _Use | None:
        """What a statement packs, where its use is clear."""
        target, call = _assignment(body[at])
        given = _call_of(call, _PACK, _PACKED_BY)
        if (
            not isinstance(target, cst.Name)
            or given is None
            or not {"input", "lengths"} <= {*given}
        ):
            return None
        after = body[at + 1 :]
        readers = [i for i, s in enumerate(after, at + 1) if target.value in all_reads([s])]
        if len(readers) != 1 or all_reads(after).count(target.value) != 1:
            return None
        layer = readers[0]
        results, run = _assignment(body[layer])
        first = code_of(given.get("batch_first", _OFF)).strip()
        if not (
            isinstance(run, cst.Call)
            and run.args
            and m.matches(run.args[0], m.Arg(value=m.Name(target.value), keyword=None, star=""))
            and self.layers.get(plain_name(run.func) or "") == {first}
            and first in ("True", "False")
            and isinstance(results, cst.Tuple)
            and len(results.elements) == 2
            and isinstance(results.elements[0].value, cst.Name)
        ):
            return None
        used = read_names([given["input"], given["lengths"]])
        if used & assigned(body[at + 1 : layer]):
            return None
        packed = results.elements[0].value.value
        pad = self._padding(body, layer, packed, first)
        if pad is None and packed in read_names(body[layer + 1 :]):
            return None
        return _Use(at, layer, pad, given["input"], given["lengths"], first)

    def _padding(self, body: Sequence[Any], layer: int, packed: str, first: str) -> int | None:
        """The statement that pads a layer's result; None where it is used otherwise."""
        for i in range(layer + 1, len(body)):
            if packed not in read_names([body[i]]):
                if packed in assigned([body[i]]):
                    return None
                continue
            targets, value = _assignment(body[i])
            if isinstance(value, cst.Subscript):
                value = value.value
            given = _call_of(value, _PAD, _PADDED_BY)
            if (
                targets is None
                or given is None
                or not m.matches(given.get("sequence", _OFF), m.Name(packed))
                or code_of(given.get("batch_first", _OFF)).strip() != first
                or code_of(given.get("padding_value", cst.Integer("0"))).strip() not in ("0", "0.0")
            ):
                return None
            again = packed in assigned([body[i]])
            return i if again or packed not in read_names(body[i + 1 :]) else None
        return None

    def _rewrite(self, body: list[Any], use: _Use, names: set[str]) -> None:
        numbered = (f"seq_length_{i}" for i in itertools.count(2))
        name = next(n for n in itertools.chain(["seq_length"], numbered) if n not in names)
        names.add(name)
        lengths = code_of(use.lengths).strip()
        text = f"{name} = torch.as_tensor({lengths}, dtype=torch.int32)"
        body[use.pack] = cst.parse_statement(text).with_changes(
            leading_lines=body[use.pack].leading_lines
        )
        run = _assignment(body[use.call])[1]
        assert isinstance(run, cst.Call)
        rest = list(run.args[1:])
        given = [cst.Arg(use.batch), *rest, keyword_arg("seq_length", cst.Name(name))]
        given = [a.with_changes(comma=comma_and_space()) for a in given[:-1]] + [given[-1]]
        body[use.call] = _replaced(body[use.call], run, run.with_changes(args=given))
        if use.pad is None:
            return
        self.padded = True
        value = _assignment(body[use.pad])[1]
        call: Any = value.value if isinstance(value, cst.Subscript) else value
        parts = _by_name(call, _PADDED_BY) or {}
        args = [cst.Arg(parts["sequence"]), cst.Arg(cst.Name(name))]
        if use.batch_first == "True":
            args.append(keyword_arg("batch_first", cst.Name("True")))
        if "total_length" in parts:
            args.append(keyword_arg("total_length", parts["total_length"]))
        args = [a.with_changes(comma=comma_and_space()) for a in args[:-1]] + [args[-1]]
        body[use.pad] = _replaced(body[use.pad], call, cst.Call(cst.Name(HELPER), args))


def _assignment(statement: Any) -> tuple[Any, Any]:
    """Target and value of a statement that assigns once; None for others."""
    single = m.SimpleStatementLine(body=[m.Assign(targets=[m.AssignTarget()])])
    if not m.matches(statement, single):
        return None, None
    return statement.body[0].targets[0].target, statement.body[0].value


def _call_of(
    call: Any, function: str, names: tuple[str, ...]
) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call of a function, by their names; None of another."""
    if not isinstance(call, cst.Call):
        return None
    if (plain_name(call.func) or "").rpartition(".")[2] != function:
        return None
    return _by_name(call, names)


def _by_name(call: cst.Call, names: tuple[str, ...]) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call by their names; None where the source does not show them."""
    out: dict[str, cst.BaseExpression] = {}
    for i, arg in enumerate(call.args):
        if arg.star:
            return None
        if arg.keyword is not None:
            out[arg.keyword.value] = arg.value
        elif i < len(names):
            out[names[i]] = arg.value
    return out


def _replaced(statement: Any, old: cst.CSTNode, new: cst.CSTNode) -> Any:
    return statement.deep_replace(old, new)
