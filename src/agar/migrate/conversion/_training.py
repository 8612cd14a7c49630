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
block, and a ``zero_grad()`` beside them. The rest is marked when names are converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name

__all__ = ["Training", "rewrite_training"]

#: methods that bring a batch into form; they stay outside of the function
_PREPARE = frozenset(
    [
        "to",
        "cuda",
        "cpu",
        "float",
        "long",
        "double",
        "half",
        "int",
        "squeeze",
        "unsqueeze",
        "view",
        "reshape",
    ]
)
_LEAVING = m.Return() | m.Break() | m.Continue() | m.Yield()


@dataclass
class Training:
    """What was rewritten.

    Attributes:
        notes: pairs of a text and the code that it is about.
        uses: namespaces that the new statements need.
    """

    notes: list[tuple[str, str]] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)


@dataclass
class _Step:
    """One training step in a block, by positions."""

    first: int
    backward: int
    step: int
    loss: cst.BaseExpression
    optimizer: str
    zeros: set[int]
    clips: dict[int, cst.Call]


def rewrite_training(tree: cst.Module) -> tuple[cst.Module, Training]:
    """Rewrite the clear training steps of a tree."""
    text = tree.code
    training = Training()
    if ".backward()" not in text or ".step()" not in text:
        return tree, training
    made = tree.visit(_Rewriter(tree, training))
    return made, training


class _Rewriter(cst.CSTTransformer):
    def __init__(self, tree: cst.Module, training: Training) -> None:
        super().__init__()
        self.training = training
        self.names = [_names(tree)]
        self.models = _models(tree)
        self.has_train = ".train(" in tree.code
        self.readers: list[cst.CSTNode] = [tree]

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.readers.append(node)
        self.names.append(_names(node))

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> Any:
        made = self._plain_block(updated_node)
        self.readers.pop()
        self.names.pop()
        return made

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> Any:
        hoisted, body = self._block(updated_node.body, None)
        return updated_node.with_changes(body=_joined(hoisted, body))

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:
        return self._plain_block(updated_node)

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:
        return self._plain_block(updated_node)

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> Any:
        return self._loop(updated_node, set())

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> Any:
        return self._loop(updated_node, _targets(updated_node.target))

    def _plain_block(self, node: Any) -> Any:
        if not isinstance(node.body, cst.IndentedBlock):
            return node
        hoisted, body = self._block(node.body.body, None)
        if not hoisted:
            return node
        return node.with_changes(body=node.body.with_changes(body=_joined(hoisted, body)))

    def _loop(self, node: Any, targets: set[str]) -> Any:
        if not isinstance(node.body, cst.IndentedBlock):
            return node
        hoisted, body = self._block(node.body.body, targets)
        if not hoisted:
            return node
        statements = [s for _, made in hoisted for s in made]
        loop = node.with_changes(body=node.body.with_changes(body=body))
        return cst.FlattenSentinel([*statements, loop])

    def _block(
        self, body: Sequence[Any], targets: Iterable[str] | None
    ) -> tuple[list[tuple[int, list[Any]]], list[Any]]:
        """The functions, with their places in the new block, and the new block."""
        hoisted: list[tuple[int, list[Any]]] = []
        out: list[Any] = []
        steps = {step.first: step for step in _steps(body)}
        gone = {i for step in steps.values() for i in step.zeros}
        at = 0
        while at < len(body):
            step = steps.get(at)
            made = self._step(body, step, targets) if step is not None else None
            if step is not None and made is None:
                gone -= step.zeros
            if step is None or made is None:
                if at not in gone:
                    out.append(body[at])
                at += 1
                continue
            before, statements = made
            hoisted.append((len(out), before))
            out += statements
            at = step.step + 1
        return (hoisted, out) if hoisted else ([], list(body))

    def _step(
        self, body: Sequence[Any], step: _Step, targets: Iterable[str] | None
    ) -> tuple[list[Any], list[Any]] | None:
        bound: set[str] = set()
        if targets is not None:
            bound = set(targets) | _assigned(body[: step.first])
        before, call = self._made(body, step, bound)
        if before is None:
            return None
        call = call.with_changes(leading_lines=body[step.first].leading_lines)
        statements: list[Any] = [call]
        for i in range(step.backward + 1, step.step):
            if i in step.clips:
                statements.append(self._clip(step.clips[i]))
            elif i not in step.zeros:
                statements.append(body[i])
        statements.append(_statement(f"{step.optimizer}(grads)"))
        return before, statements

    def _made(
        self, body: Sequence[Any], step: _Step, bound: set[str]
    ) -> tuple[list[Any] | None, Any]:
        inner = [body[i] for i in range(step.first, step.backward) if i not in step.zeros]
        if any(m.findall(s, _LEAVING) for s in inner):
            return None, None
        assigned = _assigned(inner)
        reads = _read_first(inner)
        params = [n for n in reads if n in bound]
        if any(n in assigned and n not in bound for n in reads):
            params += [n for n in reads if n in assigned and n not in params]
        loss = plain_name(step.loss)
        statements: list[Any] = list(inner)
        if loss is None or "." in loss:
            loss = self._fresh("loss")
            statements.append(_statement(f"{loss} = {code_of(step.loss)}"))
        later = _read_names(body[step.backward + 1 :]) | self._read_outside(inner)
        aux = [n for n in _in_order(inner) if n in assigned and n in later and n != loss]
        forward, grad = self._fresh("forward_fn"), self._fresh("grad_fn")
        returned = ", ".join([loss, *aux])
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
        value = f"({returned})" if aux else loss
        call = _statement(f"{value}, grads = {grad}({', '.join(params)})")
        blank = [cst.EmptyLine(indent=False)]
        before: list[Any] = [
            function.with_changes(leading_lines=blank),
            make.with_changes(leading_lines=blank),
        ]
        model = self.models.get(step.optimizer)
        if not self.has_train:
            if model is not None:
                before.insert(0, _statement(f"{model}.set_train()"))
            else:
                self.training.notes.append(
                    (
                        "a new Cell is in evaluation mode: call set_train() before training",
                        code_of(body[step.backward]),
                    )
                )
        return before, call

    def _read_outside(self, inner: Sequence[Any]) -> set[str]:
        """Names that the function around reads outside of these statements."""
        counts: dict[str, int] = {}
        for name in _all_reads([self.readers[-1]]):
            counts[name] = counts.get(name, 0) + 1
        for name in _all_reads(inner):
            counts[name] = counts.get(name, 0) - 1
        # the loss itself is read by backward(), which is no reading of the other results
        return {name for name, count in counts.items() if count > 0}

    def _fresh(self, name: str) -> str:
        made, i = name, 2
        while made in self.names[-1]:
            made, i = f"{name}_{i}", i + 1
        self.names[-1].add(made)
        return made

    def _clip(self, call: cst.Call) -> Any:
        self.training.uses.add("ops")
        name = (plain_name(call.func) or "").rpartition(".")[2]
        limit = code_of(call.args[1].value)
        if name == "clip_grad_value_":
            return _statement(f"grads = ops.clip_by_value(grads, -{limit}, {limit})")
        return _statement(f"grads = ops.clip_by_global_norm(grads, {limit})")


def _joined(hoisted: list[tuple[int, list[Any]]], body: list[Any]) -> list[Any]:
    """The functions put into a block that is no loop, before the statements that they replace."""
    out = list(body)
    for first, statements in reversed(hoisted):
        out[first:first] = statements
    return out


def _steps(body: Sequence[Any]) -> list[_Step]:
    found: list[_Step] = []
    start = 0
    methods = [_method(s) for s in body]
    every = {i for i, method in enumerate(methods) if method and method[1] == "zero_grad"}
    at = 0
    while at < len(body):
        method = _method(body[at])
        if method is None or method[1] != "backward" or method[2].args:
            at += 1
            continue
        end = _step_after(body, at)
        if end is None or not (every & set(range(start, len(body)))):
            at += 1
            continue
        stepped = _method(body[end])
        assert stepped is not None
        clips = {i: call for i in range(at + 1, end) if (call := _clip_call(body[i])) is not None}
        first = _forward_start(body, start, at, method[0], every)
        # a value that an earlier step computed would come without its gradient
        earlier = _assigned(b for s in found for b in body[s.first : s.backward])
        forward = [] if first is None else body[first:at]
        entering = _read_first([*forward, method[0]])
        if first is not None and not earlier & set(entering):
            optimizer = code_of(stepped[0])
            last = _step_of_next(methods, end)
            zeros = {i for i in every if start <= i < last and _clears(methods, i, optimizer)}
            found.append(_Step(first, at, end, method[0], optimizer, zeros, clips))
        start = at = end + 1
    return found


def _step_of_next(methods: Sequence[Any], end: int) -> int:
    """Where the next backward begins: a zero_grad() before it may belong to either step."""
    later = (i for i in range(end + 1, len(methods)) if methods[i] and methods[i][1] == "backward")
    return next(later, len(methods))


def _clears(methods: Sequence[Any], at: int, optimizer: str) -> bool:
    """Whether a zero_grad() is this optimizer's, or a module's."""
    receiver = code_of(methods[at][0])
    others = {code_of(method[0]) for method in methods if method and method[1] == "step"}
    return receiver == optimizer or receiver not in others


def _step_after(body: Sequence[Any], at: int) -> int | None:
    for i in range(at + 1, len(body)):
        method = _method(body[i])
        if method is None:
            if m.findall(body[i], m.Attribute(attr=m.Name("backward"))):
                return None
            continue
        if method[1] == "backward":
            return None
        if method[1] == "step" and not method[2].args and "sched" not in code_of(method[0]):
            return i
    return None


def _method(statement: Any) -> tuple[cst.BaseExpression, str, cst.Call] | None:
    """Receiver, name and call of a statement that is only a method's call."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return None
    func = small.value.func
    if not isinstance(func, cst.Attribute):
        return None
    return func.value, func.attr.value, small.value


def _clip_call(statement: Any) -> cst.Call | None:
    if not m.matches(statement, m.SimpleStatementLine(body=[m.Expr(m.Call())])):
        return None
    call = statement.body[0].value
    name = (plain_name(call.func) or "").rpartition(".")[2]
    fits = name in ("clip_grad_norm_", "clip_grad_value_") and len(call.args) == 2
    return call if fits else None


def _forward_start(
    body: Sequence[Any], start: int, at: int, loss: cst.BaseExpression, zeros: set[int]
) -> int | None:
    """Where the statements begin that make the loss."""
    needed = set(_all_reads([loss]))
    included: list[int] = []
    for i in range(at - 1, start - 1, -1):
        if i in zeros:
            continue
        made = _assigned([body[i]])
        if made & needed:
            included.insert(0, i)
            needed |= set(_all_reads([body[i]]))
    while included and _prepares(body[included[0]]):
        included.pop(0)
    if included:
        return included[0]
    return at if plain_name(loss) is None else None


def _prepares(statement: Any) -> bool:
    if not m.matches(statement, m.SimpleStatementLine(body=[m.Assign()])):
        return False
    value = statement.body[0].value
    values = [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]
    return all(_is_preparing(v) for v in values)


def _is_preparing(value: Any) -> bool:
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        if value.func.attr.value not in _PREPARE:
            return False
        value = value.func.value
    return isinstance(value, (cst.Name, cst.Subscript))


def _statement(code: str) -> Any:
    return cst.parse_statement(code)


def _targets(node: cst.BaseExpression) -> set[str]:
    return {n.value for n in m.findall(node, m.Name()) if isinstance(n, cst.Name)}


class _Reads(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.written: list[str] = []
        self.events: list[tuple[str, bool]] = []

    def visit_Name(self, node: cst.Name) -> None:
        self.read.append(node.value)
        self.events.append((node.value, True))

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_Assign(self, node: cst.Assign) -> bool:
        node.value.visit(self)
        for target in node.targets:
            self._target(target.target)
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        node.target.visit(self)
        node.value.visit(self)
        self._target(node.target)
        return False

    def visit_For(self, node: cst.For) -> bool:
        node.iter.visit(self)
        self._target(node.target)
        node.body.visit(self)
        return False

    def _target(self, node: cst.BaseExpression) -> None:
        if isinstance(node, cst.Name):
            self.written.append(node.value)
            self.events.append((node.value, False))
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._target(element.value)
        else:
            node.visit(self)


def _visit(nodes: Iterable[Any]) -> _Reads:
    reads = _Reads()
    for node in nodes:
        node.visit(reads)
    return reads


def _all_reads(nodes: Iterable[Any]) -> list[str]:
    return _visit(nodes).read


def _read_names(nodes: Iterable[Any]) -> set[str]:
    return set(_all_reads(nodes))


def _assigned(nodes: Iterable[Any]) -> set[str]:
    return set(_visit(nodes).written)


def _in_order(nodes: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(_visit(nodes).written))


def _read_first(nodes: Iterable[Any]) -> list[str]:
    """Names that are read before they are assigned, or that are never assigned, in order."""
    seen: set[str] = set()
    out: list[str] = []
    for name, is_read in _visit(nodes).events:
        if is_read and name not in seen and name not in out:
            out.append(name)
        if not is_read:
            seen.add(name)
    return out


def _names(tree: cst.CSTNode) -> set[str]:
    return {n.value for n in m.findall(tree, m.Name()) if isinstance(n, cst.Name)}


def _models(tree: cst.Module) -> dict[str, str]:
    """For the names of optimizers: the module whose parameters they train."""
    out: dict[str, str] = {}
    for node in m.findall(
        tree,
        m.Assign(
            value=m.Call(
                args=[
                    m.Arg(value=m.Call(func=m.Attribute(attr=m.Name("parameters")))),
                    m.ZeroOrMore(),
                ]
            )
        ),
    ):
        assert isinstance(node, cst.Assign)
        assert isinstance(node.value, cst.Call)
        first = node.value.args[0].value
        assert isinstance(first, cst.Call)
        assert isinstance(first.func, cst.Attribute)
        target = plain_name(node.targets[0].target)
        if target is not None:
            out[target] = code_of(first.func.value)
    return out
