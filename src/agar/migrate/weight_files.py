"""Files of weights from one library to the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# states hold torch tensors
import torch

from agar._core.parameter import Parameter
from agar.migrate import optimizer_state
from agar.migrate.names import Entry, entries, extra_of
from agar.migrate.torch_files import read_torch_file, write_torch_file
from agar.migrate.weight_matching import (
    Match,
    Row,
    Transfer,
    check_cell,
    in_order,
    raise_all,
    shaped,
    torch_optimizer,
    torch_parameters,
    type_name,
)
from agar.nn.cell import Cell
from agar.train._formats import codec_of
from agar.train._formats import read as read_agar_file
from agar.train._load_parameters import similar

__all__ = ["convert_weights"]


def convert_weights(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    cell: Cell | None = None,
    module: torch.nn.Module | None = None,
    optimizer: str | None = None,
    strict: bool = True,
) -> Transfer:
    """Convert a file of weights from one library to the other.

    From ``.pth``, ``.pt``, ``.bin``, PyTorch's ``.safetensors`` or a folder of several such files
    to ``.ckpt`` or agar's ``.safetensors``, or back; what the source is, its content says. An
    optimizer's state in it is converted too.

    Args:
        source (str, Path): the file or folder.
        target (str, Path): the new file; the ending says its format. It is written as a whole, or
            the previous one stays.
        cell (Cell, optional): the network, by whose structure names are found. It is not changed.
            Default: ``None``.
        module (torch.nn.Module, optional): the torch network, instead of `cell`. Default:
            ``None``: names are converted by patterns, and the result says what was assumed.
        optimizer (str, optional): agar's optimizer for the optimizer's state: ``nn.Adam``,
            ``mint.optim.AdamW``. Default: ``None``, the first that fits.
        strict (bool): whether names without a value or a place are errors. Default: ``True``.

    Returns:
        Transfer, which says what went where.

    Raises:
        FileNotFoundError: there is no `source`, or no folder for `target`.
        ValueError: a file is damaged, its ending says no format, or source and target are of one
            library; names or shapes do not fit (WeightsError). No file is written then.
        TypeError: the new format has no place for a type.

    Source: agar's own.

    Examples:
        >>> import os, tempfile, torch
        >>> import agar as ms
        >>> from agar.migrate import convert_weights
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     old, new = os.path.join(folder, "a.pth"), os.path.join(folder, "a.ckpt")
        ...     torch.save(torch.nn.BatchNorm1d(2).state_dict(), old)
        ...     done = convert_weights(old, new, module=torch.nn.BatchNorm1d(2))
        ...     sorted(ms.load_checkpoint(new))
        ['beta', 'gamma', 'moving_mean', 'moving_variance']
    """
    old, new = Path(source), Path(target)
    if not old.exists():
        raise FileNotFoundError(f"For 'convert_weights', there is no file '{old}'.")
    if new.suffix not in (".ckpt", ".safetensors", ".pth", ".pt", ".bin"):
        raise ValueError(
            f"For 'convert_weights', the target '{new}' must end with .ckpt, .safetensors, .pth, "
            ".pt or .bin."
        )
    if not new.parent.is_dir():
        raise FileNotFoundError(
            f"For 'convert_weights', the folder '{new.parent}' does not exist; create it first."
        )
    if cell is None and module is not None:
        from agar.migrate.live_conversion import from_torch

        cell = from_torch(module)
    if cell is not None:
        check_cell("convert_weights", cell)
    from_agar = _is_agar(old)
    if from_agar == (new.suffix == ".ckpt") and new.suffix != ".safetensors":
        library = "agar" if from_agar else "PyTorch"
        raise ValueError(
            f"For 'convert_weights', '{old}' and '{new}' are both files of {library}; the target "
            + ("may end with .pth or .safetensors." if from_agar else "may end with .ckpt.")
        )
    out = (
        _file_to_torch(old, new, cell, strict)
        if from_agar
        else _file_to_agar(old, new, cell, optimizer, strict)
    )
    out.source, out.target = str(old), str(new)
    return out


def _is_agar(path: Path) -> bool:
    """Whether a file is agar's or MindSpore's."""
    if path.suffix == ".ckpt":
        return True
    if path.suffix != ".safetensors" or path.is_dir():
        return False
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as file:
            said = (file.metadata() or {}).get("format")
            words = {name.rpartition(".")[2] for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(
            f"For 'convert_weights', '{path}' is no safetensors file, or damaged: {error}."
        ) from None
    return said == "ms" or (said is None and bool(words & set(_TO_TORCH)))


def _file_to_agar(
    old: Path, new: Path, cell: Cell | None, optimizer: str | None, strict: bool
) -> Transfer:
    checkpoint = read_torch_file(old)
    converted: dict[str, torch.Tensor] = {}
    chosen: list[tuple[str, str, Entry | None]] = []  # torch's name, agar's, the cell's entry
    if cell is not None:
        match = Match(cell, checkpoint).run()
        out = match.transfer
        if out.mismatched or (strict and not out.complete):
            raise_all("convert_weights", out)
        for pair in match.pairs.values():
            entry = pair.entry
            if entry.held is None:
                out.left_out[pair.name] = "agar's files have no place for it"
                continue
            name = _stored_name(entry)
            value = entry.to_cell(pair.value)
            converted[name] = (
                value
                if value.dtype == entry.held._value.dtype
                else value.to(entry.held._value.dtype)
            )
    else:
        out = _by_patterns(checkpoint, converted)
    out.assumptions += checkpoint.notes
    out.left_out.update(dict.fromkeys(checkpoint.rest, "not part of the network"))
    if checkpoint.optimizer is not None:
        if cell is not None:
            count = len(optimizer_state.indices(checkpoint.optimizer))
            chosen = [(e.name, _stored_name(e), e) for e in in_order(cell, count)]
        else:
            sources = optimizer_state.names_in_order(list(checkpoint))
            to = {row.source: row.target for row in out.rows}
            chosen = [(n, to[n], None) for n in sources if n in to]
        _slots_to_agar(checkpoint.optimizer, chosen, optimizer, converted, out)
    codec_of(new.suffix[1:]).write(new, ((n, v.contiguous()) for n, v in converted.items()))
    return out


def _stored_name(entry: Entry) -> str:
    return entry.held.name if isinstance(entry.held, Parameter) else entry.path


def _slots_to_agar(
    state: Mapping[str, Any],
    chosen: list[tuple[str, str, Entry | None]],
    optimizer: str | None,
    converted: dict[str, torch.Tensor],
    out: Transfer,
) -> None:
    kind = optimizer_state.family_of_state(state)
    fitting = [f for f in optimizer_state.FAMILIES if f.kind == kind]
    if optimizer is not None:
        fitting = [f for f in optimizer_state.FAMILIES if f.cell == optimizer]
    if not fitting or fitting[0].kind.removesuffix("W") != kind.removesuffix("W"):
        raise ValueError(
            f"For 'convert_weights', the state of torch.optim.{kind} fits no optimizer of agar's "
            f"called {optimizer!r}; it may be one of "
            f"{', '.join(f.cell for f in optimizer_state.FAMILIES if f.kind == kind)}."
        )
    family = fitting[0]
    held, notes = optimizer_state.to_agar(state, [name for _, name, _ in chosen], family)
    with_entries = [e for _, _, e in chosen if e is not None]
    held = shaped(held, with_entries, family) if with_entries else held
    converted.update(held)
    out.assumptions += [f"the optimizer's state is for {family.cell}", *notes]
    out.optimizer += [
        Row(f"optimizer of torch.optim.{kind}", n, tuple(v.shape), type_name(v), "slot")
        for n, v in held.items()
    ]


def _file_to_torch(old: Path, new: Path, cell: Cell | None, strict: bool) -> Transfer:
    values: dict[str, torch.Tensor] = {}
    out = Transfer()
    for name, value in read_agar_file(str(old), old.suffix[1:]):
        if isinstance(value, torch.Tensor):
            values[name] = value
        else:
            out.left_out[name] = "a text"
    family, parts = optimizer_state.slots_in(values)
    inner = {n: values.pop(n) for n in parts}
    state: dict[str, torch.Tensor] = {}
    if cell is None:
        _patterns_back(values, state, out)
        order = optimizer_state.names_in_order(list(state))
        back = {row.target: row.source for row in out.rows}
        parameters = {back[n]: state[n] for n in order if n in back}
        slots = None if family is None else optimizer_state.to_torch(inner, parameters, family)
    else:
        chosen = _from_names(cell, values, state, out)
        if not out.complete and (strict or out.mismatched):
            raise_all("convert_weights", out)
        with_slots = [
            e
            for e in chosen
            if family and any(p + _stored_name(e) in inner for p in family.slots.values())
        ]
        slots = None if family is None else torch_optimizer(inner, with_slots, family, None)
    if family is not None and slots is not None:
        out.assumptions.append(
            f"the optimizer's state is that of {family.cell}, written for torch.optim.{family.kind}"
        )
        out.optimizer += [
            Row(n, f"torch.optim.{family.kind}", tuple(v.shape), type_name(v), "slot")
            for n, v in inner.items()
        ]
    if new.suffix == ".safetensors" and slots is not None:
        out.left_out["optimizer"] = "a safetensors file holds tensors alone; write a .pth file"
        slots = None
    write_torch_file(new, state, slots)
    return out


def _from_names(
    cell: Cell, values: dict[str, torch.Tensor], state: dict[str, torch.Tensor], out: Transfer
) -> list[Entry]:
    """Fill a torch state from agar's entries, by the structure of the cell."""
    used: set[str] = set()
    for entry in entries(cell):
        if entry.held is None:
            state[entry.name] = extra_of(entry).clone()
            continue
        name = _stored_name(entry)
        name = name if name in values else entry.path
        if name not in values:
            if not entry.optional:
                out.missing[name] = similar([name], values).get(name, [])
            continue
        value = values[name]
        used.add(name)
        if tuple(value.shape) != tuple(entry.held.shape):
            out.mismatched.append(
                f"'{name}' has shape {tuple(value.shape)}, and the cell's {tuple(entry.held.shape)}"
            )
            continue
        state[entry.name] = entry.to_torch(value)
        how = "structure" + ("" if entry.transform == "same" else f"; {entry.transform} undone")
        out.rows.append(Row(name, entry.name, tuple(value.shape), type_name(value), how))
    for name in values:
        if name not in used:
            out.unexpected[name] = similar([name], out.missing).get(name, [])
    return list(torch_parameters(cell).values())


# ------------------------------------------------------------------------------ by patterns

_TO_TORCH = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
}


def _scopes(names: Iterable[str]) -> dict[str, list[str]]:
    checkpoint: dict[str, list[str]] = {}
    for name in names:
        scope, _, last = name.rpartition(".")
        checkpoint.setdefault(scope, []).append(last)
    return checkpoint


def _by_patterns(
    source: Mapping[str, torch.Tensor], converted: dict[str, torch.Tensor]
) -> Transfer:
    """agar's names for torch's, where nothing but the names and shapes is known."""
    out = Transfer()
    scopes = _scopes(source)
    for name, value in source.items():
        scope, dot, last = name.rpartition(".")
        inside = set(scopes[scope])
        new, how = last, "name"
        if last == "num_batches_tracked":
            out.left_out[name] = "agar's files have no place for it"
            continue
        if {"running_mean", "running_var"} & inside:
            words = {v: k for k, v in _TO_TORCH.items() if k != "embedding_table"}
            new = words.get(last, last)
            how = "running statistics beside it"
        elif last in ("weight", "bias") and value.ndim == 1 and _is_scale(source, scope, inside):
            new = "gamma" if last == "weight" else "beta"
            how = "one dimension: a norm"
            out.assumptions.append(f"'{name}' belongs to a norm (it has one dimension)")
        elif last == "weight" and value.ndim == 2 and _is_table(scope, inside):
            new, how = "embedding_table", "a table by its name"
            out.assumptions.append(f"'{name}' belongs to an embedding (by its name)")
        elif last == "weight" and value.ndim == 3:
            out.assumptions.append(f"'{name}' belongs to a Conv1d (it has three dimensions)")
            value, how = value.unsqueeze(2), "expand2"
        target = scope + dot + new
        converted[target] = value
        out.rows.append(Row(name, target, tuple(source[name].shape), type_name(value), how))
    if out.rows:
        out.assumptions.insert(0, "no network was given: names were converted by patterns")
    return out


def _is_scale(source: Mapping[str, torch.Tensor], scope: str, inside: set[str]) -> bool:
    weight = source.get(f"{scope}.weight" if scope else "weight")
    return weight is not None and weight.ndim == 1 and inside <= {"weight", "bias"}


def _is_table(scope: str, inside: set[str]) -> bool:
    last = scope.rpartition(".")[2].lower()
    words = ("emb", "wte", "wpe", "token", "relative_attention_bias")
    return inside == {"weight"} and any(w in last for w in words)


def _patterns_back(
    values: Mapping[str, torch.Tensor], state: dict[str, torch.Tensor], out: Transfer
) -> None:
    scopes = _scopes(values)
    for name, value in values.items():
        scope, dot, last = name.rpartition(".")
        new, how = _TO_TORCH.get(last, last), "name"
        if last == "weight" and value.ndim == 4 and value.shape[2] == 1 and value.shape[3] > 1:
            # a Conv1d of agar's, or a Conv2d with a kernel of (1, k): Conv1d cannot be told
            out.assumptions.append(f"'{name}' belongs to a Conv2d with a kernel of height 1")
        target = scope + dot + new
        if target in state:
            out.mismatched.append(f"'{name}' would be called '{target}', as another entry is")
            continue
        state[target] = value
        out.rows.append(Row(name, target, tuple(value.shape), type_name(value), how))
        if last == "moving_variance" and "moving_mean" in scopes[scope]:
            counter = f"{scope}{dot}num_batches_tracked"
            state[counter] = torch.tensor(0, dtype=torch.int64)
    if out.mismatched:
        raise_all("convert_weights", out)
    if out.rows:
        out.assumptions.insert(0, "no network was given: names were converted by patterns")
