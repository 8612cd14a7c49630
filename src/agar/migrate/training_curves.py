"""Training on both sides: steps of the optimizer alone, and curves of losses with a noise band.

NOTE Steps. Both optimizers get the original's gradients, so that rounding in gradients, which
Adam blows up where they are nearly zero, does not count against the optimizer. The second and
third step use other multiples of the gradients: what an optimizer remembers shows only then.

NOTE The band. The original trains again from weights that are disturbed by rounding errors. How far
these runs move apart up to a step is how far rounding can move a curve up to there; the cell's
curve must stay within a multiple of that of the original's.
"""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from agar._core.autodiff import value_and_grad
from agar._core.parameter import Parameter
from agar._core.runtime import GRAPH_MODE, PYNATIVE_MODE, runtime
from agar._core.tensor import Tensor, wrap
from agar.migrate.compare import compare
from agar.migrate.input_capture import CellWatch
from agar.migrate.isolated import Entry
from agar.migrate.optimizer_state import family_of_cell
from agar.migrate.random_replay import Draw, DrawRecorder, Replay, Served
from agar.migrate.result import Comparison, Curve, Divergence
from agar.migrate.rules import RuleRefused, Unknown, find
from agar.migrate.sandbox import CellValues, keep_cell, keep_module, run_module, seeded
from agar.migrate.tensor_interop import to_torch
from agar.migrate.trees import Call, flatten

if TYPE_CHECKING:
    from agar.migrate.check_session import Session

__all__ = ["Training"]

#: Runs of the original from disturbed weights.
_REFERENCES = 3
#: The band is this much wider than what these runs showed.
_MARGIN = 4.0
_FACTORS = (1.0, -0.5, 2.0)


class Training:
    """The optimizers of both sides over copies of their weights.

    Args:
        job (Session): the check.
        optimizer: what the user gave.
        loss (callable, optional): of the network's output.
    """

    def __init__(self, job: Session, optimizer: Any, loss: Any) -> None:
        self.job = job
        self.module, self.cell = job.module, job.cell
        self.loss = loss
        self.given = optimizer
        self.names = [n for n, p in self.module.named_parameters() if p.requires_grad]
        entries = job.wiring.entries
        seen: set[int] = set()
        self.entries: list[Entry] = []
        for name in self.names:
            entry = entries.get(name)
            if entry is None or id(entry.cell) in seen:
                continue
            if isinstance(entry.cell, Parameter) and entry.cell.requires_grad:
                seen.add(id(entry.cell))
                self.entries.append(entry)
        self.label = ""
        self.remark = ""
        self._targets: dict[tuple[int, torch.Size], torch.Tensor] = {}

    # --------------------------------------------------------------------- optimizers

    def original_optimizer(self, weights: dict[str, torch.Tensor]) -> torch.optim.Optimizer:
        """The original's optimizer over copies of its parameters.

        Args:
            weights (dict[str, torch.Tensor]): the copies, by name.
        """
        given = self.given[0] if isinstance(self.given, (tuple, list)) else self.given
        if not isinstance(given, torch.optim.Optimizer):
            optimizer = given([weights[n] for n in self.names])
            if not isinstance(optimizer, torch.optim.Optimizer):
                raise TypeError(
                    "For 'check', 'optimizer' must be a torch optimizer, a function that makes one "
                    "of a list of parameters, or a pair of such functions for both sides; the "
                    f"function returned {type(optimizer).__name__}."
                )
            return optimizer
        known = {id(p): n for n, p in self.module.named_parameters()}
        groups = []
        for group in given.param_groups:
            strange = [p for p in group["params"] if id(p) not in known]
            if strange:
                raise ValueError(
                    f"For 'check', the optimizer has {len(strange)} parameters that are not the "
                    "module's; make it of module.parameters()."
                )
            chosen = [weights[known[id(p)]] for p in group["params"] if known[id(p)] in weights]
            groups.append({**_options(given, group), "params": chosen})
        return type(given)(groups, **_options(given, given.defaults))

    def cell_optimizer(self, original: torch.optim.Optimizer, weights: Any) -> Any:
        """Its counterpart over the cell's parameters.

        Args:
            original (torch.optim.Optimizer): the original's optimizer.
            weights (dict[str, torch.Tensor]): the parameters that it changes, by name.
        """
        parameters = [e.cell for e in self.entries]
        if isinstance(self.given, (tuple, list)):
            return self.given[1](parameters)
        rule = find(type(original))
        if rule is None or rule.kind != "optimizer":
            raise RuleRefused(
                f"there is no rule for {type(original).__name__}: give both optimizers, "
                "optimizer=(make_torch, make_agar)"
            )
        by_id = {id(weights[e.name]): e.cell for e in self.entries}
        groups = [
            {
                **_options(original, g),
                "params": [by_id[id(p)] for p in g["params"] if id(p) in by_id],
            }
            for g in original.param_groups
        ]
        if len(groups) == 1:
            group = groups[0]
            parameters = group.pop("params")
            return rule.apply(parameters, **group)
        return rule.apply(groups, **_options(original, original.defaults))

    # -------------------------------------------------------------------------- steps

    def step(self) -> list[Comparison]:
        """Compare parameters and slots after one step, and after three."""
        try:
            comparisons = self._step()
        except RuleRefused as error:
            self.job.problem(f"The optimizer could not be compared: {error}")
            return []
        if self.remark and not all(c.equal for c in comparisons):
            self.job.note(f"The optimizers have different formulas: {self.remark}.")
        return comparisons

    def _step(self) -> list[Comparison]:
        comparisons: list[Comparison] = []
        with contextlib.ExitStack() as stack:
            weights, buffers = self._weights()
            optimizer = self.original_optimizer(weights)
            stack.enter_context(keep_module(self.module))
            stack.enter_context(keep_cell(self.cell))
            values = self.job.values_for(self.job.root)
            stack.enter_context(CellValues(self.cell, values))
            other = self.cell_optimizer(optimizer, weights)
            self.label = f"{type(optimizer).__name__} and {type(other).__name__}"
            self.module.train(self.job.train)
            seeded(self.job.seed)
            loss = self._original_loss(weights, buffers, self.job.call)
            unused = torch.autograd.grad(loss, [weights[n] for n in self.names], allow_unused=True)
            grads = {
                n: torch.zeros_like(weights[n]) if g is None else g
                for n, g in zip(self.names, unused, strict=True)
            }
            runtime.mode = PYNATIVE_MODE
            order = self._order(other)
            for count, factor in enumerate(_FACTORS, 1):
                for n in self.names:
                    weights[n].grad = grads[n] * factor
                optimizer.step()
                other(tuple(wrap(e.there(grads[e.name] * factor).contiguous()) for e in order))
                if count in (1, len(_FACTORS)):
                    after = "the step" if count == 1 else f"{count} steps"
                    comparisons += self._compare(optimizer, other, weights, after)
        return comparisons

    def divergence(self, network: list[Comparison]) -> Divergence | None:
        """The explanation of an optimizer's step that differs.

        Args:
            network (list[Comparison]): the comparisons of the whole network.
        """
        wrong = [c for c in network if c.stage == "step" and not c.equal]
        if not wrong:
            return None
        cause = f"the optimizer: {wrong[0].what}: "
        cause += wrong[0].reason or f"relative error {wrong[0].error:.2g}"
        if self.remark:
            cause += f": {self.remark}"
        weights, _ = self._weights()
        original = self.original_optimizer(weights)
        rule = find(type(original))
        line, repaired = None, False
        if rule is not None and isinstance(self.given, (tuple, list)):
            options = _options(original, original.defaults)
            given, self.given = self.given, self.given[0]
            try:
                line = rule.expand([Unknown("net.trainable_params()")], options).code
                repaired = all(c.equal for c in self._step())
            except RuleRefused as error:
                cause += f"; {error}"
            finally:
                self.given = given
        source = rule.source if rule is not None else None
        return Divergence("", "", "step", wrong[0].what, cause, source, line, repaired)

    def _compare(self, optimizer: Any, other: Any, weights: Any, after: str) -> list[Comparison]:
        job = self.job
        comparisons = []
        slots = self._slots(other)
        for entry in self.entries:
            value = weights[entry.name].detach()
            tolerance = job.tolerances.of(value.dtype)
            what = f"{entry.name} after {after}"
            actual = entry.cell._value.detach()
            comparisons.append(compare(what, "step", actual, entry.there(value), tolerance))
            state = optimizer.state.get(weights[entry.name], {})
            for name, held in state.items():
                slot = slots.get((name, entry.cell.name))
                if not isinstance(held, torch.Tensor) or slot is None or held.dim() == 0:
                    continue
                what = f"{name} of {entry.name} after {after}"
                comparisons.append(
                    compare(what, "step", slot._value.detach(), entry.there(held), tolerance)
                )
        return comparisons

    def _slots(self, other: Any) -> dict[tuple[str, str], Tensor]:
        try:
            family = family_of_cell(other)
        except (TypeError, ValueError) as error:
            self.job.note(f"Slots of the optimizer were not compared: {error}")
            return {}
        self.remark = family.note
        held = {p.name: p for p in other.get_parameters()}
        return {
            (slot, e.cell.name): held[prefix + e.cell.name]
            for slot, prefix in family.slots.items()
            for e in self.entries
            if prefix + e.cell.name in held
        }

    # ------------------------------------------------------------------------- curves

    def curve(self, steps: int) -> Curve:
        """Train both for some steps.

        Args:
            steps (int): the number of steps.
        """
        draws: list[list[Draw]] = []
        original = self._train_original(steps, draws, disturbed=None, note=True)
        spread = [0.0] * steps
        low, high = list(original), list(original)
        for i in range(_REFERENCES):
            other = self._train_original(steps, draws, disturbed=self.job.seed + 1 + i)
            for k, (a, b) in enumerate(zip(original, other, strict=True)):
                if math.isfinite(a) and math.isfinite(b):
                    spread[k] = max(spread[k], abs(a - b))
            self.job.progress("curve", i + 1, _REFERENCES + 2)
        widest = 0.0
        floor = self.job.tolerances.of(torch.float32, self.job.longest())
        for k, value in enumerate(original):
            widest = max(widest, spread[k])
            if math.isfinite(value):
                room = _MARGIN * widest + floor * max(abs(value), 1e-30)
                low[k], high[k] = value - room, value + room
        migrated = self._train_cell(steps, draws)
        self.job.progress("curve", _REFERENCES + 2, _REFERENCES + 2)
        inside = all(
            lo <= m <= hi or (math.isnan(m) and math.isnan(o))
            for o, m, lo, hi in zip(original, migrated, low, high, strict=True)
        )
        if original and not any(map(math.isfinite, original)):
            self.job.problem("The original's loss is never finite: its curve proves nothing.")
        return Curve(original, migrated, low, high, inside)

    def _train_original(
        self,
        steps: int,
        draws: list[list[Draw]],
        disturbed: int | None,
        note: bool = False,
    ) -> list[float]:
        job = self.job
        weights, buffers = self._weights()
        if disturbed is not None:
            source = torch.Generator().manual_seed(disturbed)
            with torch.no_grad():
                for value in weights.values():
                    noise = torch.randn(value.shape, generator=source).to(value.dtype)
                    value.mul_(1 + noise * torch.finfo(value.dtype).eps)
        optimizer = self.original_optimizer(weights)
        losses = []
        with keep_module(self.module):
            self.module.train(True)
            seeded(job.seed)
            for k in range(steps):
                call = job.batches[k % len(job.batches)]
                paths = _Paths(self.module)
                recorder = DrawRecorder(paths.where)
                mode = recorder if note else Replay(_in_order(list(draws[k])))
                with paths, mode:
                    loss = self._original_loss(weights, buffers, call)
                    optimizer.zero_grad()
                    loss.backward()
                if note:
                    draws.append(recorder.draws)
                optimizer.step()
                losses.append(float(loss.detach()))
        return losses

    def _train_cell(self, steps: int, draws: list[list[Draw]]) -> list[float]:
        job = self.job
        losses = []
        weights, _ = self._weights()
        with contextlib.ExitStack() as stack:
            optimizer = self.original_optimizer(weights)
            stack.enter_context(keep_cell(self.cell))
            values = job.values(job.root)
            stack.enter_context(CellValues(self.cell, values))
            self.cell.set_train(True)
            watch = stack.enter_context(CellWatch(self.cell, job.pairing))
            other = self.cell_optimizer(optimizer, weights)
            runtime.mode = GRAPH_MODE if job.graph else PYNATIVE_MODE
            functions: dict[int, Any] = {}
            served = Served(draws[0] if draws else [], watch.where)
            for k in range(steps):
                at = k % len(job.batches)
                call = job.batches[at]
                if at not in functions:
                    functions[at] = self._function(call, self._order(other))
                solve, inputs = functions[at]
                if k:
                    served.renew(draws[k])
                served.begin()
                with served.serving():
                    loss, grads = solve(*inputs())
                other(grads)
                losses.append(float(loss._value.detach()))
            for sentence in dict.fromkeys(served.missed):
                job.problem(f"Random numbers do not go together (training): {sentence}.")
        return losses

    def _order(self, optimizer: Any) -> list[Entry]:
        """The trained parameters in the order in which an optimizer takes their gradients."""
        known = {id(e.cell): e for e in self.entries}
        held = [id(p) for p in getattr(optimizer, "parameters", [e.cell for e in self.entries])]
        strange = [i for i in held if i not in known]
        if strange:
            raise ValueError(
                f"{type(optimizer).__name__} has {len(strange)} parameters that stand for none of "
                "the original's; make it of the list that it is given"
            )
        return [known[i] for i in held]

    def _function(self, call: Call, order: list[Entry]) -> tuple[Any, Callable[[], list[Tensor]]]:
        """The cell's loss with its gradients, and its inputs."""
        places: dict[int, int] = {}
        values: list[torch.Tensor] = []
        for _, value in call.tensors():
            if id(value) not in places:
                places[id(value)] = len(values)
                values.append(value)

        def forward(*given: Tensor) -> Tensor:
            own_call = call.map(lambda v: given[places[id(v)]])
            out = self.cell(*own_call.args, **own_call.kwargs)
            return wrap(self._loss_of(to_torch(out)))

        solve = value_and_grad(forward, None, [e.cell for e in order])
        return solve, lambda: [wrap(v.clone()) for v in values]

    # ------------------------------------------------------------------------- losses

    def _weights(
        self,
    ) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Copies of the module's parameters, and of everything else that it holds."""
        weights: dict[str, torch.Tensor] = {}
        rest: dict[str, torch.Tensor] = {}
        copies: dict[int, torch.Tensor] = {}
        named = [
            *self.module.named_parameters(remove_duplicate=False),
            *self.module.named_buffers(remove_duplicate=False),
        ]
        for name, value in named:
            if id(value) not in copies:
                copy = value.detach().clone()
                if isinstance(value, torch.nn.Parameter) and value.requires_grad:
                    copy = torch.nn.Parameter(copy)
                copies[id(value)] = copy
            (weights if copies[id(value)].requires_grad else rest)[name] = copies[id(value)]
        return weights, rest

    def _original_loss(self, weights: Any, buffers: Any, call: Call) -> torch.Tensor:
        given = call.map(lambda t: t.detach().clone())
        return self._loss_of(run_module(self.module, {**weights, **buffers}, given))

    def _loss_of(self, out: Any) -> torch.Tensor:
        if self.loss is not None:
            return self.loss(out)
        total: Any = 0.0
        for i, (_, value) in enumerate(flatten(out)):
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                target = self._target(i, value)
                total = total + (value - target.to(value.dtype)).square().mean()
        if not isinstance(total, torch.Tensor):
            raise ValueError("the network returns nothing that a loss could be made of")
        return total

    def _target(self, place: int, value: torch.Tensor) -> torch.Tensor:
        """The random target of an output, the same at every step and on both sides."""
        key = place, value.shape
        if key not in self._targets:
            source = torch.Generator().manual_seed(self.job.seed + 7 + place)
            self._targets[key] = torch.randn(value.shape, generator=source)
        return self._targets[key]


class _Paths:
    """Which module runs."""

    def __init__(self, module: torch.nn.Module) -> None:
        self.module = module
        self.stack: list[str] = []
        self.handles: list[Any] = []

    def where(self) -> str:
        return self.stack[-1] if self.stack else ""

    def __enter__(self) -> _Paths:
        for path, m in self.module.named_modules():
            self.handles.append(
                m.register_forward_pre_hook(lambda *_, p=path: self.stack.append(p))
            )
            self.handles.append(
                m.register_forward_hook(lambda *_: _dropped(self.stack), always_call=True)
            )
        return self

    def __exit__(self, *error: Any) -> None:
        for handle in self.handles:
            handle.remove()
        self.stack.clear()


def _dropped(stack: list[str]) -> None:
    stack.pop()


def _in_order(queue: list[Draw]) -> Callable[[str, int], Draw | None]:
    def take(kind: str, count: int) -> Draw | None:
        for i, draw in enumerate(queue):
            if draw.kind == kind and draw.value.numel() == count:
                return queue.pop(i)
        return None

    return take


def _options(optimizer: torch.optim.Optimizer, group: dict[str, Any]) -> dict[str, Any]:
    """The arguments of an optimizer's class among the entries of a group."""
    names = inspect.signature(type(optimizer).__init__).parameters
    return {n: v for n, v in group.items() if n in names and n not in ("self", "params")}
