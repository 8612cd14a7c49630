"""Executes the samples of the table of rules on both sides.

NOTE Samples. A sample is what follows the name in a call, as source text:

- of a function ``"(f(3, 4), dim=1)"``;
- of a method the same, with the tensor itself first: ``"(f(3, 4), 1)"`` of ``torch.Tensor.sum``
  is ``f(3, 4).sum(1)``; of an attribute only the tensor: ``"(f(3, 4))"``;
- of a module two calls, its constructor's and its own: ``"(3, 8, 3)(f(2, 3, 9, 9))"``; of a
  container that computes nothing the first alone.

It may use ``torch`` and the makers of tensors below; every tensor of the run's dtype that comes
from ``f``, ``p`` or ``u`` (also through an expression, as in ``f(3, 3).t()``) is differentiated.
``f(3).detach()`` is not. Both sides get their own copies of the same numbers.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

import agar as ms
from agar.migrate.rules import Rule, RuleRefused, find
from agar.migrate.rules._rule import TRANSFORMS
from agar.migrate.rules._template import namespace

__all__ = ["Call", "Makers", "Outcome", "carry", "carry_back", "compare", "execute", "read"]

#: Largest difference that counts as equal, relative to the largest value.
TOLERANCES = {torch.float64: 1e-9, torch.float32: 2e-5}


class Makers:
    """The makers of tensors that samples may use; the same seed gives the same numbers."""

    def __init__(self, dtype: torch.dtype = torch.float64, seed: int = 7) -> None:
        self.dtype = dtype
        self.generator = torch.Generator().manual_seed(seed)

    def f(self, *shape: int) -> torch.Tensor:
        """Normal numbers, differentiable."""
        made = torch.randn(shape, generator=self.generator, dtype=torch.float64)
        return made.to(self.dtype).requires_grad_()

    def u(self, *shape: int) -> torch.Tensor:
        """Numbers in (0, 1), differentiable."""
        made = torch.rand(shape, generator=self.generator, dtype=torch.float64) * 0.98 + 0.01
        return made.to(self.dtype).requires_grad_()

    def p(self, *shape: int) -> torch.Tensor:
        """Positive numbers, differentiable."""
        made = torch.rand(shape, generator=self.generator, dtype=torch.float64) * 2 + 0.1
        return made.to(self.dtype).requires_grad_()

    def i(self, high: int, *shape: int) -> torch.Tensor:
        """int64 numbers from 0 to below `high`."""
        return torch.randint(high, shape, generator=self.generator)

    def b(self, *shape: int) -> torch.Tensor:
        """Truth values."""
        return torch.rand(shape, generator=self.generator) < 0.5

    def c(self, *shape: int) -> torch.Tensor:
        """Complex numbers."""
        kind = torch.complex128 if self.dtype is torch.float64 else torch.complex64
        return torch.randn(shape, generator=self.generator, dtype=torch.complex128).to(kind)

    def names(self) -> dict[str, Any]:
        """What a sample may use."""
        return {
            "torch": torch,
            "math": math,
            "f": self.f,
            "u": self.u,
            "p": self.p,
            "i": self.i,
            "b": self.b,
            "c": self.c,
        }


@dataclass(frozen=True)
class Call:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments that are differentiated."""
        return [t for t in _leaves([self.args, self.kwargs]) if _differentiable(t)]


def read(sample: str, makers: Makers) -> list[Call]:
    """The calls of a sample with their arguments made."""
    node = ast.parse(f"_{sample.strip()}", mode="eval").body
    calls: list[ast.Call] = []
    while isinstance(node, ast.Call):
        calls.append(node)
        node = node.func
    if not calls or not isinstance(node, ast.Name) or node.id != "_":
        raise ValueError(f"{sample!r} is no sample: it is '(arguments)' or '(arguments)(inputs)'.")
    names = makers.names()
    return [_call(found, names) for found in reversed(calls)]


def _call(node: ast.Call, names: dict[str, Any]) -> Call:
    packed = ast.Call(ast.Name("_pack", ast.Load()), node.args, node.keywords)
    tree = ast.fix_missing_locations(ast.Expression(packed))
    code = compile(tree, "<sample>", "eval")
    return eval(code, {**names, "_pack": lambda *args, **kwargs: Call(args, kwargs)})


# ---------------------------------------------------------------- outcomes


@dataclass
class Outcome:
    """What one side gave: values by what they are."""

    values: dict[str, Any]


def execute(row: Rule, sample: str, dtype: torch.dtype = torch.float64) -> dict[str, Outcome]:
    """Execute a sample on both sides and compare.

    Args:
        row (Rule): the row.
        sample (str): one of its samples, or another one.
        dtype (torch.dtype): of the tensors that the sample makes. Default: ``torch.float64``.

    Returns:
        dict, the outcomes of the last run of both sides, ``"torch"`` and ``"agar"``.

    Raises:
        AssertionError: the two sides differ; the message says where.
    """
    special = {
        "module": _execute_module,
        "optimizer": _execute_optimizer,
        "scheduler": _execute_scheduler,
    }.get(row.kind)
    if row.compare == "gradients":
        special = _execute_clipping
    if row.compare == "cells":
        special = _execute_method_of_module
    if row.kind == "initializer" and row.name.endswith("_"):
        special = _execute_filling
    if special is not None:
        return special(row, sample, dtype)
    (call,) = read(sample, Makers(dtype))
    (other,) = read(sample, Makers(dtype))
    where = f"{row.source}{sample}"
    theirs = _differentiated(
        lambda args, kwargs: _call_original(row, args, kwargs), call, row, torch_side=True
    )
    ours = _differentiated(row.apply, other, row, torch_side=False)
    compare(theirs, ours, where, TOLERANCES[dtype], row)
    return {"torch": theirs, "agar": ours}


@contextmanager
def _pytorchs_warnings() -> Iterator[None]:
    """What PyTorch warns of is no concern of agar's, whose own side must not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _call_original(row: Rule, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    with _pytorchs_warnings():
        return _original(row, args, kwargs)


def _original(row: Rule, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if row.kind == "method":
        return getattr(args[0], row.name)(*args[1:], **kwargs)
    if row.kind == "attribute":
        return getattr(args[0], row.name)
    return row.original(*args, **kwargs)


def _differentiated(run: Any, call: Call, row: Rule, torch_side: bool) -> Outcome:
    """Outputs, what became of the inputs, and gradients of the inputs."""
    leaves = call.tensors()
    changes = row.name.endswith("_") or call.kwargs.get("inplace") is True

    def forward(*values: Any) -> Any:
        # an in-place function must not meet a leaf of autograd
        own = [v.clone() for v in values] if changes else list(values)
        it = iter(own)
        args, kwargs = _replace([call.args, call.kwargs], it, torch_side)
        out = run(args, kwargs) if torch_side else run(*args, **kwargs)
        return (out, own) if changes else (out, [])

    seen: list[Any] = []

    def loss(*values: Any) -> Any:
        out = forward(*values)
        seen[:] = [out]
        return _weighed(out)

    out: dict[str, Any] = {}
    if torch_side:
        values = [t.detach().clone().requires_grad_() for t in leaves]
        total = loss(*values)
        grads: list[Any] = [None] * len(values)
        if values and isinstance(total, torch.Tensor) and total.requires_grad:
            grads = list(torch.autograd.grad(total, values, allow_unused=True))
        grads = [
            torch.zeros_like(v) if g is None else g for g, v in zip(grads, values, strict=True)
        ]
    else:
        values = [ms.from_torch(t.detach().clone()) for t in leaves]
        total = loss(*values)
        grads = []
        if values and isinstance(total, ms.Tensor):
            found = ms.grad(loss, grad_position=tuple(range(len(values))))(*values)
            grads = list(found) if isinstance(found, tuple) else [found]
            # what ran inside the transform may be under its rules: the plain run counts
            total = loss(*values)
    value, changed = seen[0]
    out.update(_named("output", value))
    out.update(_named("changed input", changed))
    for n, grad in enumerate(grads):
        out[f"gradient of input[{n}]"] = _array(grad)
    return Outcome(out)


def _weighed(out: Any) -> Any:
    """A number that depends on every element of the floating outputs."""
    total: Any = 0.0
    for n, leaf in enumerate(_leaves(out)):
        value = leaf._value if isinstance(leaf, ms.Tensor) else leaf
        if value.is_complex():
            leaf = (
                leaf.real() + 0.5 * leaf.imag()
                if isinstance(leaf, ms.Tensor)
                else (leaf.real + 0.5 * leaf.imag)
            )
            value = leaf._value if isinstance(leaf, ms.Tensor) else leaf
        if not value.is_floating_point() or not value.numel():
            continue
        count = torch.arange(value.numel(), dtype=torch.float64).reshape(value.shape)
        weights = torch.cos(count + n).to(value.dtype)
        other: Any = ms.from_torch(weights) if isinstance(leaf, ms.Tensor) else weights
        total = total + (leaf * other).sum()
    return total


# ---------------------------------------------------------------- modules


def _execute_module(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    build, *calls = read(sample, Makers(dtype))
    with _pytorchs_warnings():
        module = row.original(*build.args, **build.kwargs).to(dtype)
        back = row.original(*build.args, **build.kwargs).to(dtype)
    _fill(module)
    ms.set_seed(1)  # cells print their weights
    cell = row.build(module)
    if isinstance(cell, ms.ParameterTuple):
        theirs = Outcome(dict(_named("parameter", list(module))))
        ours = Outcome(dict(_named("parameter", list(cell))))
        compare(theirs, ours, f"{row.source}{sample}", 0.0, row)
        return {"torch": theirs, "agar": ours}
    assert isinstance(cell, ms.nn.Cell), f"{row.source}: built {type(cell).__name__}, no cell"
    line = _line(row, module)
    if line is not None:
        ms.set_seed(1)
        written = eval(line, {**namespace()})
        assert _shown(written) == _shown(cell), f"{row.source}: {line} is another cell"
    carry(row, module, cell, ms.float64 if dtype is torch.float64 else ms.float32)
    carry_back(row, cell, back)
    for name, value in module.state_dict().items():
        if name in _carried(row, module):
            assert torch.equal(value, back.state_dict()[name]), f"{name} is not carried back"
    last: dict[str, Outcome] = {}
    if not calls:  # a container, which computes nothing by itself
        return last
    (call,) = calls
    for train in (True, False):
        module.train(train)
        cell.set_train(train)
        theirs = _run_module(module, call, row)
        ours = _run_cell(cell, call, row, module)
        where = f"{row.source}{sample} in {'train' if train else 'eval'} mode"
        random = row.compare == "shape" and train
        compare(theirs, ours, where, TOLERANCES[dtype], row, shape_only=random)
        last = {"torch": theirs, "agar": ours}
    return last


def _line(row: Rule, module: torch.nn.Module) -> str | None:
    """The code for a module; None where an argument has no text, such as a lambda."""
    try:
        return row.line(module)
    except RuleRefused as error:
        if "as code" in str(error):
            return None
        raise


def _shown(cell: Any) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", str(cell))


def _fill(module: torch.nn.Module) -> None:
    """Other numbers than those that constructors begin with, the same at every run."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for name, value in module.state_dict(keep_vars=True).items():
            if not value.is_floating_point():
                continue
            noise = torch.rand(value.shape, generator=generator, dtype=torch.float64)
            positive = name.endswith(("running_var", "norm.weight")) or value.dim() == 0
            value.copy_(noise + 0.5 if positive else noise * 0.8 - 0.3)


def _carried(row: Rule, module: torch.nn.Module) -> dict[str, tuple[str, str]]:
    return row.weight_names(list(module.state_dict()), module)


def _cell_state(cell: Any) -> dict[str, Any]:
    found = dict(cell.parameters_and_names())
    for name, part in cell.cells_and_names():
        for key, buffer in part._buffers.items():
            found[f"{name}.{key}" if name else key] = buffer
    return found


def carry(row: Rule, module: torch.nn.Module, cell: Any, dtype: Any = ms.float64) -> None:
    """Give the cell the module's state, as the row says."""
    own = _cell_state(cell)
    taken = set()
    for name, (target, transform) in _carried(row, module).items():
        assert target in own, f"{row.source}: {name} has no place {target!r} among {sorted(own)}"
        value = TRANSFORMS[transform][0](module.state_dict()[name]).clone()
        assert tuple(value.shape) == tuple(own[target].shape), (
            f"{row.source}: {name} gives shape {tuple(value.shape)}, "
            f"{target} has {tuple(own[target].shape)}"
        )
        own[target].set_dtype(ms.from_torch(value).dtype)
        own[target].set_data(ms.from_torch(value))
        taken.add(target)
    left = {n for n, p in own.items() if n not in taken and getattr(p, "requires_grad", False)}
    assert not left, f"{row.source}: nothing of PyTorch's fills {sorted(left)}"
    for name in set(own) - taken:
        # gamma of a layer without affine, for example: it computes in the dtype of the run
        own[name].set_dtype(dtype)


def carry_back(row: Rule, cell: Any, module: torch.nn.Module) -> None:
    """Give the module the cell's state, as the row says."""
    own = _cell_state(cell)
    state = module.state_dict(keep_vars=True)
    with torch.no_grad():
        for name, (target, transform) in _carried(row, module).items():
            value = TRANSFORMS[transform][1](own[target]._value.detach())
            state[name].copy_(value.reshape(state[name].shape))


def _run_module(module: torch.nn.Module, call: Call, row: Rule) -> Outcome:
    leaves = [t.detach().clone().requires_grad_() for t in call.tensors()]
    args, kwargs = _replace([call.args, call.kwargs], iter(leaves), True)
    with _pytorchs_warnings():
        out = module(*args, **kwargs)
    total = _weighed(out)
    weights = [p for p in module.parameters() if p.requires_grad]
    names = [n for n, p in module.named_parameters() if p.requires_grad]
    grads: list[Any] = [None] * (len(leaves) + len(weights))
    if isinstance(total, torch.Tensor) and total.requires_grad:
        grads = list(torch.autograd.grad(total, leaves + weights, allow_unused=True))
    values = dict(_named("output", out))
    for n, (grad, leaf) in enumerate(zip(grads[: len(leaves)], leaves, strict=True)):
        values[f"gradient of input[{n}]"] = _array(torch.zeros_like(leaf) if grad is None else grad)
    rest = grads[len(leaves) :]
    carried = _carried(row, module)
    for name, grad, weight in zip(names, rest, weights, strict=True):
        if name in carried:
            found = torch.zeros_like(weight) if grad is None else grad.to_dense()
            values[f"gradient of {name}"] = _array(found)
    for name, buffer in module.named_buffers():
        if name in carried:
            values[f"{name} after the run"] = _array(buffer)
    return Outcome(values)


def _run_cell(cell: Any, call: Call, row: Rule, module: torch.nn.Module) -> Outcome:
    leaves = [ms.from_torch(t.detach().clone()) for t in call.tensors()]
    own = dict(cell.parameters_and_names())
    carried = _carried(row, module)
    names = [n for n, p in module.named_parameters() if p.requires_grad and n in carried]
    weights = [own[carried[n][0]] for n in names]
    seen: list[Any] = []

    def loss(*values: Any) -> Any:
        args, kwargs = _replace([call.args, call.kwargs], iter(values), False)
        seen[:] = [cell(*args, **kwargs)]
        return _weighed(seen[0])

    grads: list[Any] = []
    if leaves or weights:
        positions = tuple(range(len(leaves))) or None
        found = ms.grad(loss, positions, weights or None)(*leaves)
        if leaves and weights:
            grads = [*_tuple(found[0]), *_tuple(found[1])]
        else:
            grads = list(_tuple(found))
    else:
        loss()
    values = dict(_named("output", seen[0]))
    for n, grad in enumerate(grads[: len(leaves)]):
        values[f"gradient of input[{n}]"] = _array(grad)
    shapes = {n: p.shape for n, p in module.named_parameters()}
    for name, grad in zip(names, grads[len(leaves) :], strict=True):
        value = TRANSFORMS[carried[name][1]][1](grad._value.detach())
        values[f"gradient of {name}"] = _array(value.reshape(shapes[name]))
    state = _cell_state(cell)
    for name, buffer in module.named_buffers():
        if name in carried:
            target, transform = carried[name]
            value = TRANSFORMS[transform][1](state[target]._value.detach())
            values[f"{name} after the run"] = _array(value.reshape(buffer.shape))
    return Outcome(values)


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _execute_method_of_module(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    """What a module's method gives and what it makes of the tree, in names and shapes."""
    (call,) = read(sample, Makers(dtype))
    module = call.args[0]
    owner = find(type(module))
    assert owner is not None
    cell = owner.build(module)
    cell.set_train(module.training)
    outcomes = []
    for run, tree in ((row.original, module), (row.apply, cell)):
        out = _names_in(run(tree, *call.args[1:], **call.kwargs))
        modules = tree.named_modules() if tree is module else tree.cells_and_names()
        names = [name for name, _ in modules]
        weights = sorted(
            tuple(p.shape)
            for p in (tree.parameters() if tree is module else tree.trainable_params())
        )
        buffers = sorted(name for name, _ in tree.named_buffers())
        values = {"output": out, "modules": names, "weights": weights, "buffers": buffers}
        outcomes.append(Outcome({**values, "training": bool(tree.training)}))
    compare(outcomes[0], outcomes[1], f"{row.source}{sample}", 0.0, row, shape_only=False)
    return {"torch": outcomes[0], "agar": outcomes[1]}


def _names_in(value: Any) -> Any:
    """What a method of a module gave, in words that are the same on both sides."""
    if isinstance(value, (torch.nn.Module, ms.nn.Cell)):
        return "module"
    if isinstance(value, (torch.Tensor, ms.Tensor)):
        return tuple(value.shape)
    if isinstance(value, (str, int, type(None))):
        return value
    if isinstance(value, tuple):
        return tuple(_names_in(part) for part in value)
    if isinstance(value, Mapping):
        return {name: _names_in(part) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [_names_in(part) for part in value]
    return "handle" if hasattr(value, "remove") else repr(value)


# ------------------------------------------- optimizers, schedulers, fillings


def _weights() -> list[torch.Tensor]:
    makers = Makers(torch.float64, seed=11)
    return [makers.f(4, 3).detach(), makers.f(5).detach()]


def _gradients(step: int) -> list[torch.Tensor]:
    makers = Makers(torch.float64, seed=20 + step)
    return [makers.f(4, 3).detach(), makers.f(5).detach()]


def _both_optimizers(row: Rule, call: Call) -> tuple[Any, Any, list[Any], list[Any]]:
    theirs = [torch.nn.Parameter(w.clone()) for w in _weights()]
    ours = [ms.Parameter(ms.from_torch(w.clone()), name=f"p{n}") for n, w in enumerate(_weights())]
    one = row.original([{"params": theirs[:1]}, {"params": theirs[1:]}], *call.args, **call.kwargs)
    other = row.apply([{"params": ours[:1]}, {"params": ours[1:]}], *call.args, **call.kwargs)
    return one, other, theirs, ours


def _execute_optimizer(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    """The weights after each of eight steps, and the hyperparameters of the groups."""
    (call,) = read(sample, Makers(dtype))
    one, other, theirs, ours = _both_optimizers(row, call)
    first: dict[str, Any] = {"lr": [g["lr"] for g in one.param_groups]}
    second: dict[str, Any] = {"lr": [float(g["lr"]) for g in other.param_groups]}
    steps = 0 if row.original is torch.optim.Optimizer else 8  # the base class has none
    for step in range(steps):
        gradients = _gradients(step)
        for weight, gradient in zip(theirs, gradients, strict=True):
            weight.grad = gradient.clone()
        one.step()
        other([ms.from_torch(g.clone()) for g in gradients])
        for n, (weight, value) in enumerate(zip(theirs, ours, strict=True)):
            first[f"parameter {n} after step {step}"] = _array(weight)
            second[f"parameter {n} after step {step}"] = _array(value)
    first["lr"], second["lr"] = np.asarray(first["lr"]), np.asarray(second["lr"])
    # learning rates are float32 Parameters in MindSpore
    compare(Outcome(first), Outcome(second), f"{row.source}{sample}", 3e-7, row)
    return {"torch": Outcome(first), "agar": Outcome(second)}


def _execute_scheduler(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    """The learning rates of two groups over thirty steps."""
    outcomes = []
    for torch_side in (True, False):
        weights = _weights()
        if torch_side:
            parameters: list[Any] = [torch.nn.Parameter(w) for w in weights]
            kind: Any = torch.optim.SGD
        else:
            parameters = [
                ms.Parameter(ms.from_torch(w), name=f"p{n}") for n, w in enumerate(weights)
            ]
            kind = ms.experimental.optim.SGD
        groups = [{"params": parameters[:1]}, {"params": parameters[1:], "lr": 0.3}]
        optimizer = kind(groups, lr=0.1)

        def other(
            name: str, _torch_side: bool = torch_side, _on: Any = optimizer, **kw: Any
        ) -> Any:
            found = row_of(f"torch.optim.lr_scheduler.{name}")
            return found.original(_on, **kw) if _torch_side else found.apply(_on, **kw)

        node = ast.parse(f"_{sample}", mode="eval").body
        assert isinstance(node, ast.Call)
        call = _call(node, {**Makers(dtype).names(), "s": other})
        make = row.original if torch_side else row.apply
        scheduler = make(optimizer, *call.args, **call.kwargs)
        rates = [[float(g["lr"]) for g in optimizer.param_groups]]
        plain = row.original is torch.optim.lr_scheduler.LRScheduler
        for step in range(0 if plain else 30):
            if torch_side:
                optimizer.step()
            if row.name == "ReduceLROnPlateau":
                scheduler.step(math.cos(step / 5) + 1.5)
            else:
                scheduler.step()
            rates.append([float(g["lr"]) for g in optimizer.param_groups])
        outcomes.append(Outcome({"learning rates": np.asarray(rates)}))
    compare(outcomes[0], outcomes[1], f"{row.source}{sample}", 1e-6, row)
    return {"torch": outcomes[0], "agar": outcomes[1]}


def _execute_clipping(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    """What became of the gradients: PyTorch changes them in place, agar returns others."""
    (call,) = read(sample, Makers(dtype))
    given = [t.detach() for t in call.args[0]]
    weights = [torch.nn.Parameter(torch.zeros_like(g)) for g in given]
    for weight, gradient in zip(weights, given, strict=True):
        weight.grad = gradient.clone()
    row.original(weights, *call.args[1:], **call.kwargs)
    mine = type(call.args[0])(ms.from_torch(g.clone()) for g in given)
    made = row.apply(mine, *call.args[1:], **call.kwargs)
    theirs = Outcome(dict(_named("gradient", [w.grad for w in weights])))
    ours = Outcome(dict(_named("gradient", list(made))))
    compare(theirs, ours, f"{row.source}{sample}", TOLERANCES[dtype], row, shape_only=False)
    return {"torch": theirs, "agar": ours}


def _execute_filling(row: Rule, sample: str, dtype: torch.dtype) -> dict[str, Outcome]:
    """The numbers of an initializer, or their moments where they are random."""
    torch.manual_seed(5)
    ms.set_seed(5)
    (call,) = read(sample, Makers(torch.float32))
    tensor = call.args[0].detach()
    filled = row.original(tensor.clone(), *call.args[1:], **call.kwargs)
    parameter = ms.Parameter(ms.from_torch(tensor.clone()), name="weight")
    row.apply(parameter, *call.args[1:], **call.kwargs)
    theirs, ours = Outcome({"weight": _array(filled)}), Outcome({"weight": _array(parameter)})
    where = f"{row.source}{sample}"
    random = row.compare == "moments"
    compare(theirs, ours, where, TOLERANCES[torch.float32], row, shape_only=random)
    if random:
        one, other = (o.values["weight"].astype(np.float64) for o in (theirs, ours))
        scale = np.abs(one).max()
        count = np.sqrt(one.size)
        for name, measure, sharp in (
            ("mean", np.mean, 5 / count),
            ("deviation", np.std, 5 / count),
            ("lowest", np.min, 0.3),
            ("highest", np.max, 0.3),
            ("share of zeros", lambda a: scale * np.mean(a == 0), 1e-3),
            ("rows' norms", lambda a: np.std(np.linalg.norm(a.reshape(len(a), -1), axis=1)), 0.1),
        ):
            gap = abs(measure(one) - measure(other))
            assert gap <= sharp * scale, f"{where}: the {name} differs by {gap:.3g}"
    return {"torch": theirs, "agar": ours}


# ---------------------------------------------------------------- comparison


def compare(
    theirs: Outcome,
    ours: Outcome,
    where: str,
    tolerance: float,
    row: Rule,
    shape_only: bool | None = None,
) -> None:
    """Say how two outcomes differ.

    Raises:
        AssertionError: they do; the message has every place.
    """
    if shape_only is None:
        shape_only = row.compare != "values"
    complaints = []
    if list(theirs.values) != list(ours.values):
        complaints.append(f"PyTorch gave {list(theirs.values)}, agar {list(ours.values)}")
    for name in theirs.values:
        if name not in ours.values:
            continue
        one, other = theirs.values[name], ours.values[name]
        found = _difference(one, other, tolerance, shape_only, "dtype" in row.differs)
        if found:
            complaints.append(f"{name}: {found}")
    assert not complaints, f"{where}\n  " + "\n  ".join(complaints)


def _difference(
    one: Any, other: Any, tolerance: float, shape_only: bool, any_dtype: bool
) -> str | None:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        # PyTorch's calculate_gain gives 1 or 1.0, whichever was shorter to write
        numbers = all(type(v) in (int, float) for v in (one, other))
        same = (numbers or type(one) is type(other)) and (shape_only or one == other)
        return None if same else f"{one!r} against {other!r}"
    if one.shape != other.shape:
        return f"shape {one.shape} against {other.shape}"
    if one.dtype != other.dtype and not any_dtype:
        return f"dtype {one.dtype} against {other.dtype}"
    if shape_only or not one.size:
        return None
    if one.dtype.kind in "biu" or other.dtype.kind in "biu":
        return None if np.array_equal(one, other) else f"{one.tolist()} against {other.tolist()}"
    if one.dtype.name in ("float16", "float32", "complex64"):
        # a function may round to this whatever the run's dtype is
        tolerance = max(tolerance, TOLERANCES[torch.float32])
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    one, other = one.astype(wide), other.astype(wide)
    finite = np.isfinite(one)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return "NaN or infinity at other places"
    if not np.array_equal(finite, np.isfinite(other)):
        return "NaN or infinity at other places"
    if not finite.any():
        return None
    gap = np.abs(one[finite] - other[finite]).max()
    scale = max(1.0, np.abs(one[finite]).max())
    return None if gap <= tolerance * scale else f"values differ by {gap:.3g} (largest {scale:.3g})"


def _named(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every part of an output under a name, as an array or a plain value."""
    if isinstance(value, (tuple, list)):
        # PyTorch returns None beside an output that was not asked for, MindSpore the output alone
        value = [part for part in value if part is not None]
        for n, part in enumerate(value):
            yield from _named(f"{name}[{n}]" if len(value) > 1 else name, part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _named(f"{name}[{key!r}]", part)
    elif isinstance(value, (torch.Tensor, ms.Tensor)):
        yield name, _array(value)
    elif isinstance(value, np.ndarray):
        yield name, value
    elif isinstance(value, torch.dtype):
        yield name, str(value).removeprefix("torch.")
    elif isinstance(value, type(ms.float32)):
        yield name, str(value).lower()
    else:
        yield name, value


def _array(value: Any) -> Any:
    tensor = value._value if isinstance(value, ms.Tensor) else value
    tensor = tensor.detach().cpu()
    tensor = tensor.resolve_conj().resolve_neg()
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    if tensor.dtype in (torch.bfloat16,):
        tensor = tensor.float()
    return tensor.numpy().copy()


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, (tuple, list)):
        for part in tree:
            yield from _leaves(part)
    elif isinstance(tree, dict):
        for part in tree.values():
            yield from _leaves(part)
    elif isinstance(tree, (torch.Tensor, ms.Tensor)):
        yield tree


def _differentiable(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _replace(tree: Any, values: Iterator[Any], torch_side: bool) -> Any:
    """The tree with its differentiated tensors replaced, in the order of _leaves."""
    if isinstance(tree, torch.Tensor):
        if _differentiable(tree):
            return next(values)
        return tree.clone() if torch_side else ms.from_torch(tree.clone())
    if isinstance(tree, (tuple, list)):
        made = [_replace(part, values, torch_side) for part in tree]
        if hasattr(tree, "_fields"):
            return type(tree)(*made)
        return type(tree)(made)
    if isinstance(tree, dict):
        return {key: _replace(part, values, torch_side) for key, part in tree.items()}
    return tree


def row_of(name: str) -> Rule:
    """The row of a name, which must be there."""
    row = find(name)
    assert row is not None, f"the table has no row for {name}"
    return row
