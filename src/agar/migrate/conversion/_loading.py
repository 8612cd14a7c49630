"""Datasets and loaders: ``DataLoader`` becomes a pipeline of ``GeneratorDataset``.

What a pipeline of MindSpore cannot do - a ``collate_fn``, samplers, rows that are dicts or of an
unknown number of columns - goes through a small loader that the file carries, which puts batches
together as PyTorch's does without workers. So do datasets that compute with tensors: MindSpore
reads rows in a thread of the pipeline, and computing there beside the training gives wrong numbers
at times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import code_of, literal
from agar.migrate.conversion._helpers import reason_for
from agar.migrate.conversion._kinds import TENSOR
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._nodes import keyword_arg
from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._walk import code_of_tree, nodes_in

__all__ = ["Loading"]

_DATA = "torch.utils.data"
#: the parameters of DataLoader, in its order
_PARAMETERS = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn",
    "pin_memory", "drop_last",
)  # fmt: skip
#: what says only how batches are fetched
_FETCHING = frozenset(
    [
        "num_workers", "pin_memory", "timeout", "multiprocessing_context", "prefetch_factor",
        "persistent_workers", "pin_memory_device", "in_order",
    ]
)  # fmt: skip
_CARRIED = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "collate_fn",
            "drop_last", "rng")  # fmt: skip
_GENERATOR = m.Arg(keyword=m.Name("generator"))
#: functions that make tensors of what they are given, and methods that read or convert them
_MAKING = (
    "tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "LongTensor", "zeros", "ones",
    "full", "arange", "is_tensor", "load", "no_grad", "get_worker_info",
)  # fmt: skip
_READING = (
    "item", "tolist", "numpy", "cpu", "detach", "size", "dim", "numel", "float", "long", "int",
    "double", "bool", "to", "type", "clone",
)  # fmt: skip
#: other names of torch.utils.data, and the helpers that stand for them
_HELPERS = {"TensorDataset": "_TensorDataset", "Subset": "_Subset", "random_split": "_random_split"}


class Loading(Base):
    """What becomes of torch.utils.data."""

    def _read_datasets(self, node: cst.Module) -> None:
        """What the file's names of datasets were made by, and what its datasets give."""
        self._calls_of: dict[str, list[cst.Call]] = {}
        self._rows: dict[str, cst.FunctionDef | None] = {}
        self._indexed: set[str | None] = set()
        self._loads = "torch.utils.data" in code_of_tree(node)
        for part in nodes_in(node):
            if isinstance(part, cst.Assign) and isinstance(part.value, cst.Call):
                for target in part.targets:
                    elements = target.target
                    parts = (
                        [e.value for e in elements.elements]
                        if isinstance(elements, (cst.Tuple, cst.List))
                        else [elements]
                    )
                    for name in filter(None, map(plain_name, parts)):
                        self._calls_of.setdefault(name, []).append(part.value)
            elif isinstance(part, cst.ClassDef):
                functions = (f for f in part.body.body if isinstance(f, cst.FunctionDef))
                getters = [f for f in functions if f.name.value == "__getitem__"]
                self._rows[part.name.value] = getters[0] if getters else None
            elif isinstance(part, cst.Subscript):
                self._indexed.add(plain_name(part.value))

    def _data_call(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """A call of torch.utils.data; None for those that stay unknown."""
        target = torch_object(dotted) if dotted.startswith("torch.utils.data.") else None
        if target is None:
            return None
        if target is torch_object(f"{_DATA}.DataLoader"):
            return self._loader(original, updated, dotted)
        for name, helper in _HELPERS.items():
            if target is torch_object(f"{_DATA}.{name}"):
                return self._dataset(original, updated, dotted, helper)
        return None

    def _dataset(self, original: cst.Call, updated: cst.Call, dotted: str, helper: str) -> Any:
        args = list(updated.args)
        if helper == "_random_split":
            if any(a.star for a in args):
                reason = reason_for(dotted)
                self._record(original, dotted, None, "by hand", reason=reason)
                return self._by_hand(original, dotted, reason)
            renamed = cst.Name("rng")
            args = [
                a.with_changes(keyword=renamed) if m.matches(a, _GENERATOR) else a for a in args
            ]
            self.helpers.add("_Subset")
        around = self.parents.get(original)
        if helper == "_TensorDataset" and isinstance(around, cst.Assign):
            names = {plain_name(t.target) for t in around.targets}
            if names & self._indexed:
                self._comment(original, "its rows are NumPy's arrays here, not tensors")
        self.helpers.add(helper)
        self._record(original, dotted, None, "renamed", helper)
        return updated.with_changes(func=cst.Name(helper), args=args)

    def _loader(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        given = _arguments(original, updated)
        reason = ""
        if given is None:
            reason = "which arguments it is given is not in the source; " + reason_for(dotted)
        elif self._is_stream(original):
            reason = "an IterableDataset has no length; " + reason_for(dotted)
        elif "worker_init_fn" in given:
            reason = "worker_init_fn has no counterpart: rows are read in this process"
        if reason or given is None:
            self._record(original, dotted, None, "by hand", reason=reason)
            return self._by_hand(original, dotted, reason)
        given = {k: v for k, v in given.items() if k not in _FETCHING}
        if "generator" in given:
            given["rng"] = given.pop("generator")
        columns = self._columns(_dataset_of(original), 0)
        batch = given.get("batch_size")
        plain = not {"collate_fn", "sampler", "batch_sampler", "rng"} & _set(given)
        whole = columns is None or not plain or (batch is not None and _is_none(batch))
        if columns is None or whole or self._computes(_dataset_of(original), 0):
            call = self._own_loader(updated, given)
        else:
            call = self._pipeline(given, columns)
        self._record(original, dotted, None, "differs", code_of(call))
        return call

    def _dataset_read(self, original: cst.Attribute, updated: cst.Attribute) -> Any:
        """``loader.dataset``; None where it is another attribute."""
        name = plain_name(original.value)
        if original.attr.value != "dataset" or name is None or not self._loads:
            return None
        constructors = [self.names.dotted(call.func) for call in self._calls_of.get(name, [])]
        loader = torch_object(f"{_DATA}.DataLoader")
        known = any(d and d.startswith(_DATA) and torch_object(d) is loader for d in constructors)
        if not known and "loader" not in name.rpartition(".")[2].lower():
            return None
        self.helpers.add("_dataset_of")
        return cst.Call(cst.Name("_dataset_of"), [cst.Arg(updated.value)])

    def _is_stream(self, original: cst.Call) -> bool:
        given = _dataset_of(original)
        calls = [given] if isinstance(given, cst.Call) else []
        if given is not None:
            calls += self._calls_of.get(plain_name(given) or "", [])
        return any(
            isinstance(call, cst.Call)
            and (name := plain_name(call.func)) in self._rows
            and self._rows[str(name)] is None
            for call in calls
        )

    def _own_loader(self, updated: cst.Call, given: dict[str, cst.BaseExpression]) -> cst.Call:
        self.helpers |= {"_DataLoader", "_collate"}
        self.used.add("Tensor")
        args = [cst.Arg(given["dataset"])]
        args += [keyword_arg(k, given[k]) for k in _CARRIED[1:] if k in _set(given)]
        return updated.with_changes(func=cst.Name("_DataLoader"), args=_separated(args))

    def _pipeline(self, given: dict[str, cst.BaseExpression], columns: Sequence[str]) -> Any:
        self.used.add("ms.dataset.GeneratorDataset")
        names = cst.parse_expression("[" + ", ".join(f'"{n}"' for n in columns) + "]")
        shuffle = given.get("shuffle", cst.Name("False"))
        if _is_none(shuffle):
            shuffle = cst.Name("False")
        args = [cst.Arg(given["dataset"]), cst.Arg(names), keyword_arg("shuffle", shuffle)]
        source = cst.Call(cst.Name("GeneratorDataset"), _separated(args))
        batched = [cst.Arg(given.get("batch_size", cst.Integer("1")))]
        last = given.get("drop_last")
        if last is not None and code_of(last) != "False":
            batched.append(keyword_arg("drop_remainder", last))
        return cst.Call(cst.Attribute(source, cst.Name("batch")), _separated(batched))

    def _columns(self, dataset: cst.BaseExpression | None, depth: int) -> list[str] | None:
        """Names for what a row of a dataset holds; None where it is not a tuple that is known."""
        if depth > 4 or dataset is None:
            return None
        name = plain_name(dataset)
        if name is not None:
            column_sets = [self._columns(call, depth + 1) for call in self._calls_of.get(name, [])]
            same = bool(column_sets) and all(
                len(c or ()) == len(column_sets[0] or ()) for c in column_sets
            )
            return column_sets[0] if same else None
        if not isinstance(dataset, cst.Call):
            return None
        dotted = self.names.dotted(dataset.func) or ""
        kind = torch_object(dotted) if dotted.startswith("torch.utils.data.") else None
        if kind is not None and kind is torch_object(f"{_DATA}.TensorDataset"):
            if any(a.star or a.keyword for a in dataset.args):
                return None
            return _distinct([a.value for a in dataset.args])
        derived = [torch_object(f"{_DATA}.{n}") for n in ("random_split", "Subset")]
        if kind is not None and any(kind is d for d in derived) and dataset.args:
            return self._columns(dataset.args[0].value, depth + 1)
        rows = self._rows.get(plain_name(dataset.func) or "")
        return _returned(rows) if rows is not None else None

    def _computes(self, dataset: cst.BaseExpression | None, depth: int) -> bool:
        """Whether rows of a dataset are computed with tensors, beyond making and indexing them."""
        if depth > 4 or dataset is None:
            return False
        name = plain_name(dataset)
        if name is not None:
            return any(self._computes(c, depth + 1) for c in self._calls_of.get(name, []))
        if not isinstance(dataset, cst.Call):
            return False
        rows = self._rows.get(plain_name(dataset.func) or "")
        if rows is None:  # the dataset that a Subset is of
            return bool(dataset.args) and self._computes(dataset.args[0].value, depth + 1)
        return any(self._is_computed(part) for part in nodes_in(rows.body))

    def _is_computed(self, node: cst.CSTNode) -> bool:
        """Whether a node computes a tensor of others."""
        if isinstance(node, cst.BinaryOperation):
            return TENSOR in (self.types.of(node.left), self.types.of(node.right))
        if isinstance(node, cst.Comparison):
            return self.types.of(node.left) == TENSOR
        if not isinstance(node, cst.Call):
            return False
        dotted = self.names.dotted(node.func) or ""
        if dotted.startswith("torch."):
            return dotted.rpartition(".")[2] not in _MAKING
        if not isinstance(node.func, cst.Attribute):
            return False
        return self.types.of(node.func.value) == TENSOR and node.func.attr.value not in _READING

    def _with_plain_index(self, node: cst.FunctionDef) -> cst.FunctionDef:
        """MindSpore's pipeline gives a dataset NumPy's integers, which its tensors do not take."""
        params = node.params.params
        if len(params) != 2 or not isinstance(node.body, cst.IndentedBlock):
            return node
        index = params[1].name.value
        body: list[Any] = list(node.body.body)
        text = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
        at = 1 if body and m.matches(body[0], text) else 0
        body.insert(at, cst.parse_statement(f"{index} = int({index})"))
        return node.with_changes(body=node.body.with_changes(body=body))


def _arguments(original: cst.Call, updated: cst.Call) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a DataLoader by name; None where they cannot be told."""
    out: dict[str, cst.BaseExpression] = {}
    for i, arg in enumerate(updated.args):
        if arg.star or (arg.keyword is None and i >= len(_PARAMETERS)):
            return None
        name = arg.keyword.value if arg.keyword is not None else _PARAMETERS[i]
        if name in ("generator", "worker_init_fn") and _is_none(arg.value):
            continue
        out[name] = arg.value
    return out if "dataset" in out else None


def _dataset_of(original: cst.Call) -> cst.BaseExpression | None:
    for i, arg in enumerate(original.args):
        if (arg.keyword is None and i == 0) or m.matches(arg, m.Arg(keyword=m.Name("dataset"))):
            return arg.value
    return None


def _set(given: dict[str, cst.BaseExpression]) -> set[str]:
    """The arguments that are given, and not as None."""
    return {name for name, value in given.items() if not _is_none(value)}


def _is_none(node: cst.CSTNode) -> bool:
    return m.matches(node, m.Name("None"))


def _separated(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return [
        a.with_changes(
            comma=comma if i + 1 < len(args) else cst.MaybeSentinel.DEFAULT,
            whitespace_after_arg=cst.SimpleWhitespace(""),
        )
        for i, a in enumerate(args)
    ]


def _distinct(values: Sequence[cst.BaseExpression]) -> list[str]:
    """A name for each of some columns: how it is called in the source, where that says it."""
    names: list[str] = []
    for i, value in enumerate(values):
        while isinstance(value, cst.Subscript):
            value = value.value
        name = (plain_name(value) or "").rpartition(".")[2]
        names.append(name if name and name not in names else f"column_{i}")
    return names


def _returned(function: cst.FunctionDef) -> list[str] | None:
    """The columns of what ``__getitem__`` returns: a tuple of one length at every return."""
    lengths: set[int] = set()
    names: list[str] = []
    for node in nodes_in(function.body):
        if isinstance(node, (cst.Lambda, cst.FunctionDef, cst.Yield)):
            return None
        if isinstance(node, cst.Return):
            if not isinstance(node.value, cst.Tuple):
                return None
            if any(isinstance(e, cst.StarredElement) for e in node.value.elements):
                return None
            parts = [e.value for e in node.value.elements]
            if any(isinstance(p, (cst.Dict, cst.List, cst.Tuple)) for p in parts):
                return None
            if any(literal(p)[0] and isinstance(literal(p)[1], str) for p in parts):
                return None
            lengths.add(len(parts))
            names = _distinct(parts)
    return names if len(lengths) == 1 and names else None
