"""An optimizer's state between PyTorch and agar: which slot is which, and the count of steps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

# the states are torch tensors
import torch

__all__ = [
    "FAMILIES",
    "Family",
    "family_of_cell",
    "family_of_state",
    "slots_in",
    "to_agar",
    "to_torch",
]


class Family(NamedTuple):
    """One optimizer of agar, and how its state is called in PyTorch.

    Attributes:
        cell: the class, as ``nn.Adam``.
        kind: the class in ``torch.optim``.
        slots: name in PyTorch: what agar puts before the parameter's name.
        clock: the parameter that counts steps; empty where there is none.
        scalars: slots that are one number a parameter.
        note: how the formulas differ, where they do.
        start: what the clock holds before the first step.
    """

    cell: str
    kind: str
    slots: dict[str, str]
    clock: str = "global_step"
    scalars: tuple[str, ...] = ()
    note: str = ""
    start: int = 0


_MOMENTS = {"exp_avg": "exp_avg.", "exp_avg_sq": "exp_avg_sq.", "max_exp_avg_sq": "max_exp_avg_sq."}

FAMILIES: tuple[Family, ...] = (
    Family(
        "nn.Adam", "Adam",
        {"exp_avg": "moment1.", "exp_avg_sq": "moment2.", "max_exp_avg_sq": "vhat."},
        note="nn.Adam adds eps before the correction of the second moment, PyTorch after it",
    ),
    Family("mint.optim.AdamW", "AdamW", _MOMENTS, "state_step", start=-1),
    Family("mint.optim.Adam", "Adam", _MOMENTS, "state_step"),
    Family("experimental.optim.Adam", "Adam", _MOMENTS, "state_step"),
    Family("experimental.optim.AdamW", "AdamW", _MOMENTS, "state_step"),
    Family(
        "nn.AdamWeightDecay", "AdamW", {"exp_avg": "adam_m.", "exp_avg_sq": "adam_v."},
        note="nn.AdamWeightDecay does not correct the moments of the first steps, PyTorch does",
    ),
    Family("nn.SGD", "SGD", {"momentum_buffer": "accum."}),
    Family("nn.Momentum", "SGD", {"momentum_buffer": "moments."}),
    Family("mint.optim.SGD", "SGD", {"momentum_buffer": "momentum_buf."}, "step_t"),
    Family("experimental.optim.SGD", "SGD", {"momentum_buffer": "accum."}, ""),
    Family(
        "nn.RMSProp", "RMSprop",
        {"square_avg": "mean_square.", "momentum_buffer": "moment.", "grad_avg": "mean_grad."},
        note="nn.RMSProp takes the root of mean_square + epsilon, PyTorch adds eps to the root",
    ),
    Family(
        "experimental.optim.RMSprop", "RMSprop",
        {"square_avg": "mean_square.", "momentum_buffer": "moment.", "grad_avg": "mean_grad."}, "",
    ),
    Family("nn.Adagrad", "Adagrad", {"sum": "accum."}),
    Family("experimental.optim.Adagrad", "Adagrad", {"sum": "accum."}, "step_t"),
    Family("nn.AdaMax", "Adamax", {"exp_avg": "moment1.", "exp_inf": "moment2."}),
    Family(
        "experimental.optim.Adamax", "Adamax",
        {"exp_avg": "exp_avg.", "exp_inf": "exp_inf."}, "step_t",
    ),
    Family("nn.Adadelta", "Adadelta", {"square_avg": "accum.", "acc_delta": "accum_update."}),
    Family(
        "experimental.optim.Adadelta", "Adadelta",
        {"square_avg": "accum.", "acc_delta": "accum_update."}, "",
    ),
    Family(
        "nn.ASGD", "ASGD", {"ax": "ax_.", "mu": "mu_", "eta": "eta_"}, scalars=("mu", "eta"),
    ),
    Family("nn.Rprop", "Rprop", {"prev": "prev.", "step_size": "step_size."}),
    Family(
        "experimental.optim.Rprop", "Rprop",
        {"prev": "prev.", "step_size": "step_size."}, "step_t",
    ),
    Family(
        "experimental.optim.NAdam", "NAdam",
        {"exp_avg": "exp_avg.", "exp_avg_sq": "exp_avg_sq.", "mu_product": "mu_product_"}, "step_t",
        scalars=("mu_product",),
    ),
    Family(
        "experimental.optim.RAdam", "RAdam",
        {"exp_avg": "exp_avg.", "exp_avg_sq": "exp_avg_sq."}, "step_t",
    ),
)  # fmt: skip

#: Options by which a state of PyTorch says whose it is, the rarest first.
_SIGNS: tuple[tuple[str, str], ...] = (
    ("momentum_decay", "NAdam"),
    ("step_sizes", "Rprop"),
    ("lambd", "ASGD"),
    ("lr_decay", "Adagrad"),
    ("rho", "Adadelta"),
    ("alpha", "RMSprop"),
    ("nesterov", "SGD"),
    ("amsgrad", "Adam"),
)


def family_of_state(state: Mapping[str, Any]) -> str:
    """The class in ``torch.optim`` to which a state belongs.

    Args:
        state (Mapping): ``optimizer.state_dict()`` of PyTorch.

    Raises:
        ValueError: the state does not say.
    """
    groups = state.get("param_groups") or [{}]
    options = groups[0]
    kind = next((kind for sign, kind in _SIGNS if sign in options), None)
    if kind == "Adam" and options.get("decoupled_weight_decay"):
        return "AdamW"
    if kind is None and "betas" in options:
        kind = "RAdam" if "decoupled_weight_decay" in options else "Adamax"
    if kind is None:
        raise ValueError(
            "The optimizer's state does not say which optimizer it belongs to; its options are "
            f"{sorted(options)}."
        )
    return kind


def family_of_cell(optimizer: Any) -> Family:
    """The family of one of agar's optimizers.

    Args:
        optimizer (Optimizer): the optimizer.

    Raises:
        TypeError: PyTorch has no counterpart of it.
    """
    for kind in type(optimizer).__mro__:
        path = kind.__module__.removeprefix("agar.")
        for family in FAMILIES:
            area, _, name = family.cell.rpartition(".")
            if name == kind.__name__ and path.startswith(area):
                return family
    raise TypeError(
        f"PyTorch has no optimizer with the state of {type(optimizer).__name__}; known are "
        f"{', '.join(f.cell for f in FAMILIES)}."
    )


def indices(state: Mapping[str, Any]) -> list[Any]:
    """The keys of the parameters in the state, in the order of the groups."""
    return [key for group in state.get("param_groups", ()) for key in group.get("params", ())]


def to_agar(
    state: Mapping[str, Any], names: Sequence[str], family: Family
) -> tuple[dict[str, torch.Tensor], list[str]]:
    """The entries of agar's optimizer, and what the reader should know.

    Args:
        state (mapping): ``optimizer.state_dict()`` of PyTorch.
        names (sequence): agar's names of the parameters, in the order of the state's.
        family (Family): agar's optimizer.

    Raises:
        ValueError: the state has another number of parameters, or its steps differ where agar
            counts them together.
    """
    keys = indices(state)
    if len(keys) != len(names):
        raise ValueError(
            f"The optimizer's state has {len(keys)} parameters, the network {len(names)}."
        )
    held = state.get("state", {})
    notes = [family.note] if family.note else []
    converted: dict[str, torch.Tensor] = {}
    steps = []
    for key, name in zip(keys, names, strict=True):
        slots = held.get(key, held.get(str(key), {}))
        for slot, value in slots.items():
            if slot == "step":
                steps.append(float(value))
            elif value is None:
                continue  # an SGD without momentum
            elif slot in family.slots:
                converted[family.slots[slot] + name] = torch.as_tensor(value).detach()
            else:
                notes.append(f"{family.cell} keeps no '{slot}' ({name})")
    group = (state.get("param_groups") or [{}])[0]
    if len(set(steps)) > 1:
        raise ValueError(
            f"The parameters made different numbers of steps ({sorted(set(steps))}), and "
            f"{family.cell} counts them together."
        )
    _clock(converted, family, steps, group)
    rates = {float(g["lr"]) for g in state.get("param_groups", ()) if "lr" in g}
    if family.cell.startswith("nn.") and rates:
        converted["learning_rate"] = torch.tensor(float(group["lr"]), dtype=torch.float32)
        if len(rates) > 1:
            notes.append(f"the groups have different rates {sorted(rates)}; the first is kept")
    told = {k: v for k, v in group.items() if k in _OPTIONS and v not in (None, False, 0)}
    if told:
        options = ", ".join(f"{k}={v}" for k, v in told.items())
        notes.append(f"options are given when agar's optimizer is made: {options}")
    return converted, notes


_OPTIONS = frozenset(
    "betas eps weight_decay momentum dampening nesterov alpha centered rho lambd".split()  # noqa: SIM905
)


def _clock(
    converted: dict[str, torch.Tensor], family: Family, steps: list[float], group: Mapping[str, Any]
) -> None:
    """The counts of steps that agar's optimizer keeps."""
    count = int(steps[0]) if steps else None
    if family.cell in ("nn.SGD", "experimental.optim.SGD"):
        for name in [n for n in converted if n.startswith("accum.")]:
            # that the first step was made
            converted["stat." + name.removeprefix("accum.")] = torch.zeros_like(converted[name])
    if count is None:
        return
    if family.clock == "global_step":
        converted["global_step"] = torch.tensor([count], dtype=torch.int32)
    elif family.clock == "state_step":
        whole = family.cell.startswith("experimental")
        converted["state_step"] = (
            torch.tensor(count, dtype=torch.int32)
            if whole
            else torch.tensor([count + family.start], dtype=torch.float32)
        )
    elif family.clock:
        converted[family.clock] = torch.tensor(count, dtype=torch.int32)
    betas = group.get("betas")
    if family.cell in ("nn.Adam", "nn.AdaMax") and betas:
        one = (1,) if family.cell == "nn.AdaMax" else ()
        converted["beta1_power"] = torch.full(one, float(betas[0]) ** count, dtype=torch.float32)
        if family.cell == "nn.Adam":
            converted["beta2_power"] = torch.tensor(float(betas[1]) ** count, dtype=torch.float32)


def slots_in(
    entries: Mapping[str, torch.Tensor],
) -> tuple[Family | None, list[str]]:
    """Whose state stands among a checkpoint's entries, and the entries that are part of it.

    Args:
        entries (Mapping[str, torch.Tensor]): the entries of a checkpoint.
    """
    best: tuple[int, Family | None, list[str]] = (0, None, [])
    for family in FAMILIES:
        matched = []
        for prefix in family.slots.values():
            matched += [n for n in entries if n.startswith(prefix) and n[len(prefix) :] in entries]
        kinds = {p for p in family.slots.values() if any(n.startswith(p) for n in matched)}
        clock = family.clock in entries
        score = 4 * len(matched) + clock - len(set(family.slots.values()) - kinds)
        if matched and score > best[0]:
            best = (score, family, matched)
    _, family, matched = best
    if family is not None:
        more = ("global_step", "learning_rate", "beta1_power", "beta2_power", "momentum")
        matched += [n for n in entries if n in (family.clock, *more)]
        matched += [n for n in entries if n.startswith("stat.") and n[5:] in entries]
    return family, matched


def to_torch(
    held: Mapping[str, torch.Tensor],
    parameters: Mapping[str, torch.Tensor],
    family: Family,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A state that ``load_state_dict`` of the torch optimizer takes.

    Args:
        held (mapping): the entries of agar's optimizer.
        parameters (mapping): the network's parameters by agar's names, in torch's order.
        family (Family): agar's optimizer.
        options (mapping, optional): options of the torch optimizer. Default: ``None``, its own
            defaults.
    """
    kind = getattr(torch.optim, family.kind)
    given: dict[str, Any] = dict(options or {})
    if "learning_rate" in held and "lr" not in given:
        given["lr"] = float(held["learning_rate"].reshape(-1)[0])
    if family.kind == "SGD":
        given.setdefault("momentum", float(held["momentum"]) if "momentum" in held else 0.9)
        given.setdefault("lr", 1e-3)
    if family.kind == "Adam" and any(n.startswith(family.slots["max_exp_avg_sq"]) for n in held):
        given.setdefault("amsgrad", True)
    if family.kind == "RMSprop":
        if any(n.startswith("mean_grad.") for n in held):
            given.setdefault("centered", True)
        given.setdefault("momentum", 0.9)
    blank = [torch.nn.Parameter(torch.empty(0)) for _ in parameters]
    torch_state = kind(blank, **given).state_dict() if blank else {"state": {}, "param_groups": []}
    step = held.get(family.clock) if family.clock else None
    for i, name in enumerate(parameters):
        slots: dict[str, Any] = {}
        for slot, prefix in family.slots.items():
            value = held.get(prefix + name)
            if value is not None:
                slots[slot] = value.detach().clone()
        if not slots:
            continue
        if family.kind != "SGD":
            count = 0.0 if step is None else float(step.reshape(-1)[0]) - family.start
            slots = {"step": torch.tensor(count, dtype=torch.float32), **slots}
        torch_state["state"][i] = slots
    return torch_state


def names_in_order(names: Sequence[str]) -> list[str]:
    """The parameters among the names of a torch state: what is no running statistic."""
    buffers = re.compile(r"(^|\.)(running_mean|running_var|num_batches_tracked)$")
    return [n for n in names if not buffers.search(n)]
