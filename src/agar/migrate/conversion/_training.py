"""Training steps: ``loss.backward(); optimizer.step()`` becomes a function and its gradients.

PyTorch keeps gradients in the parameters; MindSpore computes them from a function. So the
statements that make the loss become that function, which stands before the loop::

    def forward_fn(x, y):
        out = model(x)
        loss = criterion(out, y)
        return loss, out


    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    for x, y in data:
        (loss, out), grads = grad_fn(x, y)
        optimizer(grads)

Only what is clear is rewritten: one ``backward()`` without arguments, then ``step()`` in the same
block, and a ``zero_grad()`` beside them. A loop, or a function that takes a step without one, is
rewritten whole or left whole: where anything of PyTorch's gradients would stay in it, it keeps its
text, and a statement before it raises and says why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._accumulation import SUM, accumulated, method_of
from agar.migrate.conversion._again import Networks, producer_of
from agar.migrate.conversion._clipping import Clips, WithoutClips
from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._flow import (
    BUILTINS,
    PREPARING,
    Assignments,
    carried_names,
    carries_gradient,
    cut_first,
    cutting_functions,
    detached,
    filled_lists,
    held_by,
    methods_without_torch,
    runs_network,
)
from agar.migrate.conversion._gradients import (
    GRADIENTS,
    Trained,
    leave,
    left_over,
    regions,
)
from agar.migrate.conversion._kinds import CELL_NAMES
from agar.migrate.conversion._mixed import Mixed, plain_steps
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._reading import (
    all_reads,
    assigned,
    in_order,
    names_of,
    numbers_only,
    read_first,
    read_names,
    targets_of,
)
from agar.migrate.conversion._walk import Rewriter, code_of_tree, findall, rewritten

__all__ = ["Training", "rewrite_training"]

#: calls that change nothing that a loss is made of
_HARMLESS = ("train", "eval", "zero_grad", "set_epoch", "print")
#: names of what compares outputs with targets
_LOSSES = re.compile(r"loss|crit|mse|bce|nll|entropy")
_MIXED = re.compile(r"GradScaler|autocast|scaler\.scale\(")
_LEAVING = m.Return() | m.Break() | m.Continue() | m.Yield()


@dataclass
class Training:
    """What was rewritten.

    Attributes:
        notes: pairs of a text and the code that it is about.
        uses: namespaces that the new statements need.
        helpers: keys of HELPERS that they need.
        scaled: the steps of scalers are MindSpore's.
    """

    notes: list[tuple[str, str]] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    helpers: set[str] = field(default_factory=set)
    scaled: bool = False


@dataclass
class _Step:
    """One training step in a block, by positions."""

    first: int
    backward: int
    step: int
    loss: cst.BaseExpression
    optimizer: str
    zeros: set[int]
    #: the step stands in an ``if`` and uses the sum of several gradients
    sums: bool = False
    #: an earlier backward() gave gradients for the same step
    adds: bool = False
    #: no later one does
    last: bool = True
    #: statements of earlier steps whose values come with gradients, so that they run again
    again: list[Any] = field(default_factory=list)
    #: names that such statements of later steps read
    later: set[str] = field(default_factory=set)
    #: networks that run again in a later step, and count running statistics
    counted: list[str] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The last statement that is this step's."""
        return self.step if self.last else self.backward


def rewrite_training(tree: cst.Module) -> tuple[cst.Module, Training]:
    """Rewrite the clear training steps of a tree."""
    training = Training()
    code = code_of_tree(tree)
    if not GRADIENTS.search(code):
        return tree, training
    if "backward(" not in code and not any(regions(tree, Trained(tree))):
        return tree, training
    mixed = plain_steps(tree, Trained(tree)) if _MIXED.search(code) else None
    if mixed is not None:
        rewriter = _Rewriter(mixed[0], training, mixed[1])
        converted = rewritten(mixed[0], rewriter)
        # without a step that casts the network, nothing would be cast
        cast = not mixed[1].casts or "_mixed_precision" in training.helpers
        left = rewriter.left or findall(converted, m.Attribute(attr=m.Name("backward")))
        if cast and not left:
            training.scaled = True
            return converted, training
        training = Training()
    converted = rewritten(tree, _Rewriter(tree, training))
    unchanged = converted is tree or converted.code == code
    return (tree, training) if unchanged else (converted, training)


class _Rewriter(Rewriter):
    def __init__(self, tree: cst.Module, training: Training, mixed: Mixed | None = None) -> None:
        super().__init__()
        self.training = training
        self.mixed = mixed or Mixed()
        #: a loop or a function keeps its text
        self.left = False
        self.names = [names_of(tree)]
        self.trained = Trained(tree)
        self.models = self.trained.models
        self.sums = accumulated(tree, self.trained)
        self.cutting = cutting_functions(tree)
        self.plain = methods_without_torch(tree)
        self.networks = Networks(tree)
        self.filled = filled_lists(tree, self.cutting)
        self.put_to_train = {
            code_of(call.func.value)
            for call in findall(tree, m.Call(func=m.Attribute(attr=m.Name("train"))))
            if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
        }
        self.readers: list[Any] = [tree]
        self.whole, self.done = regions(tree, self.trained)
        self.state: dict[cst.CSTNode, tuple[int, set[str], set[str]]] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node in self.done:
            return False
        if node in self.whole:
            t = self.training
            self.state[node] = (len(t.notes), set(t.uses), set(t.helpers))
        return super().on_visit(node)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        if original_node in self.done:
            return leave(original_node, self.done[original_node], "")
        node = super().on_leave(original_node, updated_node)
        if original_node not in self.whole:
            return node
        nodes: list[Any] = list(node) if isinstance(node, cst.FlattenSentinel) else [node]
        reason = left_over(nodes, self.trained)
        if reason is None:
            return node
        self.left = True
        t = self.training
        count, t.uses, t.helpers = self.state[original_node]
        del t.notes[count:]
        return leave(original_node, 1, reason)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        if original_node not in self.sums.resets:
            return updated_node
        return _statement(f"{SUM} = None").with_changes(leading_lines=updated_node.leading_lines)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.readers.append(node)
        self.names.append(names_of(node))

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> Any:
        node = self._plain_block(original_node, updated_node)
        self.readers.pop()
        self.names.pop()
        if original_node not in self.whole and left_over([node], self.trained) is None:
            return node.visit(_WithoutZeros()) if node is not original_node else node
        return node

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> Any:
        hoisted, body = self._block(updated_node.body, original_node.body, None)
        return updated_node.with_changes(body=_joined(hoisted, body))

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:
        return self._plain_block(original_node, updated_node)

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:
        return self._plain_block(original_node, updated_node)

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> Any:
        return self._loop(original_node, updated_node, set())

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> Any:
        return self._loop(original_node, updated_node, targets_of(updated_node.target))

    def _plain_block(self, original: Any, node: Any) -> Any:
        if not isinstance(node.body, cst.IndentedBlock):
            return node
        hoisted, body = self._block(node.body.body, original.body.body, None)
        if not hoisted:
            return node
        return node.with_changes(body=node.body.with_changes(body=_joined(hoisted, body)))

    def _loop(self, original: Any, node: Any, targets: set[str]) -> Any:
        if not isinstance(node.body, cst.IndentedBlock):
            return node
        hoisted, body = self._block(node.body.body, original.body.body, targets)
        if not hoisted:
            return node
        statements = [s for _, moved in hoisted for s in moved]
        loop = node.with_changes(body=node.body.with_changes(body=body))
        return cst.FlattenSentinel([*statements, loop])

    def _block(
        self, body: Sequence[Any], original: Sequence[Any], targets: Iterable[str] | None
    ) -> tuple[list[tuple[int, list[Any]]], list[Any]]:
        """The functions, with their places in the new block, and the new block."""
        hoisted: list[tuple[int, list[Any]]] = []
        out: list[Any] = []
        if "grads" in self.names[0] or len(body) != len(original):
            # a step inside of this block put statements into it: what comes before is not clear
            return [], list(body)
        steps = {step.first: step for step in self._steps(body, original)}
        gone = {i for step in steps.values() for i in step.zeros}
        at = 0
        while at < len(body):
            step = steps.get(at)
            result = self._step(body, step, targets) if step is not None else None
            if step is not None and result is None:
                gone -= step.zeros
            if step is None or result is None:
                if at not in gone:
                    out.append(body[at])
                at += 1
                continue
            before, statements = result
            hoisted.append((len(out), before))
            out += statements
            at = step.end + 1
        _once(hoisted)
        return (hoisted, out) if hoisted else ([], list(body))

    def _step(
        self, body: Sequence[Any], step: _Step, targets: Iterable[str] | None
    ) -> tuple[list[Any], list[Any]] | None:
        bound: set[str] = set()
        if targets is not None:
            bound = set(targets) | assigned(body[: step.first])
        inner = [body[i] for i in range(step.first, step.backward) if i not in step.zeros]
        inner = [*step.again, *inner]
        scaler = self.mixed.scalers.get(step.optimizer)
        if any(findall(s, _LEAVING) for s in inner) or (step.sums and scaler):
            return None
        # what only reads the results stays in the loop
        after: list[Any] = []
        needed = set(all_reads([step.loss]))
        while inner and not _writes(inner[-1]) & needed:
            after.insert(0, inner.pop())
        before, call = self._call_of_step(body, step, bound, inner)
        call = self._counted_once(step, call)
        call = call.with_changes(leading_lines=body[step.first].leading_lines)
        statements: list[Any] = [call, *after]
        if step.adds:
            added = "grads = tuple(a + b for a, b in zip(grads, more_grads))"
            statements.insert(1, _statement(added))
        if not step.last:
            return before, statements
        finite = self._fresh("is_finite") if scaler else ""
        if scaler:
            statements.append(_statement(f"grads = {scaler}.unscale(grads)"))
            statements.append(_statement(f"{finite} = ms.amp.all_finite(grads)"))
        clips = Clips(self.trained, step.optimizer, SUM if step.sums else "grads")
        if step.sums:
            statements.insert(1, _statement(_SUMMED))
        for i in range(step.backward + 1, step.step):
            if i not in step.zeros:
                clipped = body[i].visit(clips)
                statements += clipped if isinstance(clipped, cst.FlattenSentinel) else [clipped]
        if step.sums:
            statements.append(body[step.step].visit(_Stepped(step.optimizer)).visit(clips))
        elif scaler:
            off = f" or isinstance({scaler}, ms.amp.StaticLossScaler)" * self.mixed.switched
            code = f"if {finite}{off}:\n    {step.optimizer}(grads)\n"
            statements += [_statement(code), _statement(f"{scaler}.adjust({finite})")]
        else:
            statements.append(_statement(f"{step.optimizer}(grads)"))
        self.training.uses |= clips.uses
        self.training.helpers |= clips.helpers
        return [*clips.before, *before], statements

    def _counted_once(self, step: _Step, call: Any) -> Any:
        """A call in which networks run that run again for their own gradients."""
        if not step.counted:
            return call
        self.training.helpers.add("_kept_statistics")
        cells = ", ".join(dict.fromkeys(step.counted))
        statement: Any = cst.parse_statement(f"with _kept_statistics({cells}):\n    pass\n")
        return statement.with_changes(body=cst.IndentedBlock([call]))

    def _call_of_step(
        self, body: Sequence[Any], step: _Step, bound: set[str], inner: Sequence[Any]
    ) -> tuple[list[Any], Any]:
        extends = _Extends(self.readers[-1])
        inner = [s.visit(extends) for s in inner]
        own = assigned(inner)
        reads = read_first(inner)
        params = [n for n in reads if n in bound]
        if any(n in own and n not in bound for n in reads):
            params += [n for n in reads if n in own and n not in params]
        loss = plain_name(step.loss)
        statements: list[Any] = list(inner)
        if loss is None or "." in loss:
            loss = self._fresh("loss")
            statements.append(_statement(f"{loss} = {code_of(step.loss)}"))
        later = read_names(body[step.backward + 1 :]) | self._read_outside(inner)
        # what the next step begins with: ``hidden = repackage_hidden(hidden)``
        later |= (set(reads) & own) | step.later
        aux = [n for n in in_order(inner) if n in own and n in later and n != loss]
        forward, grad = self._fresh("forward_fn"), self._fresh("grad_fn")
        scaler = self.mixed.scalers.get(step.optimizer)
        aux = [loss, *aux] if scaler else aux
        if aux and numbers_only(aux, inner):
            # MindSpore takes a function without another tensor for one of one result
            aux = [f"({', '.join(aux)}{',' if len(aux) == 1 else ''})"]
        returned = ", ".join([f"{scaler}.scale({loss})" if scaler else loss, *aux])
        statements[0] = statements[0].with_changes(leading_lines=())
        function = cst.parse_module(f"def {forward}({', '.join(params)}):\n    pass\n").body[0]
        assert isinstance(function, cst.FunctionDef)
        function = function.with_changes(
            body=cst.IndentedBlock([*statements, _statement(f"return {returned}")])
        )
        has_aux = ", has_aux=True" if aux else ""
        self.training.uses.add("ms")
        make = _statement(
            f"{grad} = ms.value_and_grad({forward}, None, {step.optimizer}.parameters{has_aux})"
        )
        value = f"({', '.join(['_' if scaler else loss, *aux])})" if aux else loss
        name = "more_grads" if step.adds else "grads"
        call = _statement(f"{value}, {name} = {grad}({', '.join(params)})")
        blank = [cst.EmptyLine(indent=False)]
        before: list[Any] = [
            function.with_changes(leading_lines=blank),
            make.with_changes(leading_lines=blank),
        ]
        model = self._model_here(step.optimizer)
        if self.mixed.casts:
            before.insert(0, self._cast(model, step))
        if not self._is_trained(step.optimizer, inner):
            if model is not None:
                before.insert(0, _statement(f"{model}.set_train()"))
            else:
                text = "a new Cell is in evaluation mode: call set_train() before training"
                function = before[0]
                lines = [*blank, cst.EmptyLine(comment=cst.Comment(f"# agar: by hand: {text}"))]
                before[0] = function.with_changes(leading_lines=lines)
                self.training.notes.append((text, code_of(body[step.backward])))
        return before, call

    def _cast(self, model: str | None, step: _Step) -> Any:
        """The line by which a network computes as it does in an autocast."""
        reader = self.readers[-1]
        params = [p for p in findall(reader, m.Param()) if isinstance(p, cst.Param)]
        own = {p.name.value for p in params} | assigned([reader])
        local = isinstance(reader, cst.Module) or (model or "").partition(".")[0] in own
        if model is None or not (local or "." in model):
            self.left = True
            return _statement("pass")
        self.training.helpers.add("_mixed_precision")
        enabled = f", {self.mixed.enabled}" if self.mixed.enabled else ""
        dtype = f", dtype={self.mixed.dtype}" if self.mixed.dtype != "torch.float16" else ""
        return _statement(f"{model} = _mixed_precision({model}{enabled}{dtype})")

    def _model_here(self, optimizer: str) -> str | None:
        """The module that an optimizer trains, by a name that is bound where its step stands."""
        for name in self.trained.names_of_model(optimizer):
            of_self = name.startswith("self.") or not optimizer.startswith("self.")
            if of_self and name.partition(".")[0] in self.names[-1]:
                return name
        return None

    def _is_trained(self, optimizer: str, inner: Sequence[Any]) -> bool:
        """Whether the file puts the network into training mode."""
        known = self.trained.names_of_model(optimizer)
        if not known:
            calls = [c for s in inner for c in findall(s, m.Call()) if isinstance(c, cst.Call)]
            names = [plain_name(c.func) or "" for c in calls]
            names += [plain_name(a.value) or "" for c in calls for a in c.args]
            known = {part for name in names for part in (name, name.rpartition(".")[0])} - {""}
        return bool(self.put_to_train & set(known))

    def _read_outside(self, inner: Sequence[Any]) -> set[str]:
        """Names that the function around reads outside of these statements."""
        counts: dict[str, int] = {}
        for name in all_reads([self.readers[-1]]):
            counts[name] = counts.get(name, 0) + 1
        for name in all_reads(inner):
            counts[name] = counts.get(name, 0) - 1
        # the loss itself is read by backward(), which is no reading of the other results
        return {name for name, count in counts.items() if count > 0}

    def _fresh(self, name: str) -> str:
        fresh, i = name, 2
        while fresh in self.names[-1]:
            fresh, i = f"{name}_{i}", i + 1
        self.names[-1].add(fresh)
        return fresh

    def _steps(self, body: Sequence[Any], original: Sequence[Any]) -> list[_Step]:
        steps: list[_Step] = []
        methods = [method_of(s) for s in body]
        zeros = [i for i, method in enumerate(methods) if method and method[1] == "zero_grad"]
        # gradients of one step add to another's parameters, and loops inside are steps too
        backwards = [
            i for i, s in enumerate(original) if findall(s, m.Attribute(attr=m.Name("backward")))
        ]
        start = 0
        for at in backwards:
            method = methods[at]
            if method is None or not _is_plain_backward(method):
                continue
            end = self._step_after(body, at)
            group = next((i for i in range(at, len(body)) if original[i] in self.sums.groups), None)
            chain = [
                b for b in backwards if b < at and self._step_after(body, b) == end is not None
            ]
            if end is None and group is not None:
                end, optimizer = group, self.sums.groups[original[group]]
            else:
                stepped = methods[end] if end is not None else None
                if end is None or stepped is None:
                    continue
                optimizer = code_of(stepped[0])
                if chain and not (steps and steps[-1].backward == chain[-1]):
                    continue
                if not chain and not self._cleared(methods, zeros, backwards, at, end, optimizer):
                    continue
            first = self._forward_start(body, start, at, method[0], set(zeros))
            if first is None:
                continue
            last = next((b for b in backwards if b > at), len(body))
            own = {i for i in zeros if start <= i < last and self._clears(methods[i], optimizer)}
            step = _Step(first, at, end, method[0], optimizer, own, end == group)
            step.adds = bool(chain)
            step.last = not any(b > at and self._step_after(body, b) == end for b in backwards)
            if not self._is_clear(step, body, original, steps):
                continue
            steps.append(step)
            start = step.end + 1
        return steps

    def _is_clear(
        self, step: _Step, body: Sequence[Any], original: Sequence[Any], steps: list[_Step]
    ) -> bool:
        """Whether a loss is made of what stands before it, and of nothing with other gradients."""
        forward = list(body[step.first : step.backward])
        entering = set(read_first([*forward, step.loss]))
        cut = cut_first(forward, self.cutting) | detached([*forward, step.loss])
        # a value that an earlier step computed would come without its gradient
        earlier = carried_names(b for s in steps for b in body[s.first : s.backward])
        for name in sorted(earlier & (entering - cut)):
            if not self._runs_again(step, name, body, steps, earlier):
                return False
        forward = [*step.again, *forward]
        if not self._is_forward([*forward, step.loss], step.optimizer):
            return False
        if self._outer_values(original, entering - cut - earlier, step.optimizer):
            return False
        return not self._filled_elsewhere([*forward, step.loss])

    def _runs_again(
        self,
        step: _Step,
        name: str,
        body: Sequence[Any],
        steps: list[_Step],
        earlier: set[str],
    ) -> bool:
        """Let the network that made a value in an earlier step run again in this one."""
        producer = producer_of(name, body, step.first, _writes)
        if producer is None:
            return False
        at, network, statement = producer
        if (set(all_reads([statement])) - {network.partition(".")[0]}) & earlier:
            return False
        names = {network, *(n for pair in self.trained.same if network in pair for n in pair)}
        between = [s for s in steps if s.step > at]
        for other in between:
            models = set(self.trained.names_of_model(other.optimizer))
            if not models or models & names:
                return False
        how = self.networks.repeats(sorted(names))
        if how is None:
            return False
        step.again.append(statement.with_changes(leading_lines=()).deep_clone())
        for other in steps:
            if other.first <= at < other.backward:
                other.later |= set(all_reads([statement]))
                other.counted += [network] if how == "statistics" else []
        return True

    def _filled_elsewhere(self, forward: Sequence[Any]) -> bool:
        """Whether lists that statements read are given values with gradients by others."""
        here: Counter[str] = Counter()
        for statement in forward:
            here += filled_lists(statement, self.cutting)
        return any(self.filled[name] > here[name] for name in held_by(forward))

    def _step_after(self, body: Sequence[Any], at: int) -> int | None:
        """Where the optimizer is called that uses the gradients of a backward()."""
        for i in range(at + 1, len(body)):
            method = method_of(body[i])
            if method is None:
                if left_over([body[i].visit(WithoutClips())], self.trained) is not None:
                    return None
            elif method[1] == "step" and self.trained.is_optimizer(code_of(method[0])):
                return None if method[2].args else i
            elif method[1] == "zero_grad" or (
                method[1] == "backward" and not _is_plain_backward(method)
            ):
                return None
        return None

    def _clears(self, method: Any, optimizer: str) -> bool:
        """Whether a zero_grad() is this optimizer's, or its module's."""
        receiver = code_of(method[0])
        if receiver == optimizer or receiver in self.trained.names_of_model(optimizer):
            return True
        # a module's own, where there is one optimizer only
        alone = len(self.trained.optimizers | {optimizer}) == 1
        return alone and not self.trained.is_optimizer(receiver)

    def _cleared(
        self,
        methods: Sequence[Any],
        zeros: Sequence[int],
        backwards: Sequence[int],
        at: int,
        end: int,
        optimizer: str,
    ) -> bool:
        """Whether nothing but this backward() is in the gradients that the step uses."""
        own = [i for i in zeros if self._clears(methods[i], optimizer)]
        if any(at < i < end for i in own):
            return False
        if len(backwards) == 1:
            return bool(own)
        before = [b for b in backwards if b < at]
        if before:
            return any(before[-1] < i < at for i in own)
        return any(i < at or i > backwards[-1] for i in own)

    def _is_forward(self, forward: Sequence[Any], optimizer: str) -> bool:
        """Whether statements run the network, and do not only compare what it gave."""
        models = self.trained.names_of_model(optimizer)
        if models:
            return any(runs_network(forward, model) for model in models)
        for node in forward:
            for call in findall(node, m.Call()):
                assert isinstance(call, cst.Call)
                name = plain_name(call.func) or ""
                head, _, last = name.rpartition(".")
                if name.partition(".")[0] in ("torch", "F", "nn") or not name:
                    continue
                given = {plain_name(a.value) for a in call.args}
                if given & CELL_NAMES or head.rpartition(".")[2] in CELL_NAMES:
                    return True
                plain = head in ("", "self")
                if plain and last not in BUILTINS and not _LOSSES.search(last.lower()):
                    return True
        return False

    def _outer_values(self, body: Sequence[Any], entering: set[str], optimizer: str) -> bool:
        """Whether something that enters may carry gradients of its own from outside."""
        inside = {id(node) for s in body for node in findall(s, m.Assign() | m.AugAssign())}
        risky: set[str] = set()
        collector = Assignments()
        reader = self.readers[-1]
        for node in reader.body.body if isinstance(reader, cst.FunctionDef) else reader.body:
            node.visit(collector)
        called = {
            (plain_name(c.func) or "").partition(".")[0]
            for c in findall(reader, m.Call())
            if isinstance(c, cst.Call)
        }
        for _ in range(3):
            for node in collector.nodes:
                if id(node) in inside:
                    continue
                if carries_gradient(node.value, risky, self.cutting, self.plain):
                    written = (
                        [node.target]
                        if isinstance(node, cst.AugAssign)
                        else [t.target for t in node.targets]
                    )
                    risky |= {n for target in written for n in targets_of(target)}
        models = {model.partition(".")[0] for model in self.trained.names_of_model(optimizer)}
        return bool((risky & entering) - called - CELL_NAMES - models)

    def _forward_start(
        self,
        body: Sequence[Any],
        start: int,
        at: int,
        loss: cst.BaseExpression,
        zeros: set[int],
    ) -> int | None:
        """Where the statements begin that make the loss."""
        needed = set(all_reads([loss]))
        included: list[int] = []
        for i in range(at - 1, start - 1, -1):
            if i in zeros:
                continue
            if _writes(body[i]) & needed:
                included.insert(0, i)
                needed |= set(all_reads([body[i]]))
        while included and _prepares(body[included[0]]):
            included.pop(0)
        if included:
            return included[0]
        return at if plain_name(loss) is None else None


class _Extends(cst.CSTTransformer):
    """``losses += [loss]`` becomes ``losses.extend([loss])``, which binds no name of its own.

    A list that were an argument of the function to differentiate MindSpore would not let it change.

    Args:
        reader (cst.CSTNode): the function or file around, which says what is a list.
    """

    def __init__(self, reader: cst.CSTNode) -> None:
        super().__init__()
        begun = findall(reader, m.Assign(value=m.List() | m.Call(func=m.Name("list"), args=[])))
        self.lists = {n for a in begun for t in a.targets for n in targets_of(t.target)}

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> Any:
        target, value = updated_node.target, updated_node.value
        listed = m.matches(updated_node, m.AugAssign(operator=m.AddAssign(), value=m.List()))
        if not listed or not isinstance(target, cst.Name) or target.value not in self.lists:
            return updated_node
        func = cst.Attribute(target, cst.Name("extend"))
        return cst.Expr(cst.Call(func, [cst.Arg(value)]))


def _is_plain_backward(method: Any) -> bool:
    """Whether a statement is ``loss.backward()``; keeping the graph changes no gradient."""
    if method is None or method[1] != "backward":
        return False
    saved = m.Arg(keyword=m.Name("retain_graph"))
    return all(m.matches(arg, saved) for arg in method[2].args)


#: one batch more
_SUMMED = f"{SUM} = grads if {SUM} is None else tuple(a + g for a, g in zip({SUM}, grads))"


class _Stepped(cst.CSTTransformer):
    """``optimizer.step()`` becomes a call with the sum of the gradients."""

    def __init__(self, optimizer: str) -> None:
        super().__init__()
        self.optimizer = optimizer

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        if code_of(original_node.func) != f"{self.optimizer}.step":
            return updated_node
        return cst.parse_expression(f"{self.optimizer}({SUM})")


class _WithoutZeros(cst.CSTTransformer):
    """Takes out ``zero_grad()`` where every gradient is a value."""

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        method = method_of(original_node)
        if method is not None and method[1] == "zero_grad":
            return cst.RemoveFromParent()
        return updated_node


def _once(hoisted: list[tuple[int, list[Any]]]) -> None:
    """Take out ``model.set_train()`` where it stands a second time."""
    seen: set[str] = set()
    for _, statements in hoisted:
        text = code_of(statements[0]).strip()
        if text.endswith(".set_train()"):
            if text in seen:
                del statements[0]
            seen.add(text)


def _joined(hoisted: list[tuple[int, list[Any]]], body: list[Any]) -> list[Any]:
    """The functions put into a block that is no loop, before the statements that they replace."""
    out = list(body)
    for first, statements in reversed(hoisted):
        out[first:first] = statements
    return out


#: what is given on as a number cannot be changed: ``meter.update(loss.item(), n)``
_NUMBER = m.Call(
    func=m.Attribute(attr=m.OneOf(*map(m.Name, ("item", "tolist", "size", "dim", "numel"))))
)


def _writes(statement: Any) -> set[str]:
    """Names whose values a statement assigns, or may change: ``outs.append(y)``, ``net.z = y``."""
    out = assigned([statement])
    places = m.Attribute() | m.Subscript()
    kinds = m.AssignTarget(target=places) | m.AnnAssign(target=places) | m.AugAssign(target=places)
    for node in findall(statement, kinds):
        out.add(_root(node.target))
    for node in findall(statement, m.Expr(value=m.Call())):
        assert isinstance(node, cst.Expr)
        call: Any = node.value
        if (plain_name(call.func) or "").rpartition(".")[2] in _HARMLESS:
            continue
        out |= {_root(arg.value) for arg in call.args if not m.matches(arg.value, _NUMBER)}
        if isinstance(call.func, cst.Attribute):
            out.add(_root(call.func.value))
    return out - {""}


def _root(node: Any) -> str:
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""


def _prepares(statement: Any) -> bool:
    if not m.matches(statement, m.SimpleStatementLine(body=[m.Assign()])):
        return False
    value = statement.body[0].value
    values = [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]
    return all(_is_preparing(v) for v in values)


def _is_preparing(value: Any) -> bool:
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        if value.func.attr.value not in PREPARING:
            return False
        value = value.func.value
    return isinstance(value, (cst.Name, cst.Subscript))


def _statement(code: str) -> Any:
    return cst.parse_statement(code)
