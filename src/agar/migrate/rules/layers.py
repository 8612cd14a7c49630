"""Rules of torch.nn's other layers: containers, distances, and what has no counterpart."""

from __future__ import annotations

from agar.migrate.rules._declare import case, missing, rule

rule(
    "torch.nn.Identity(*args, **kwargs)",
    "nn.Identity()",
    read={"args": "()"},
    samples=["()(f(2, 3))"],
)

# -------------------------------------------------------------- containers

_CONTAINER = {
    "name_cells": "children() is cells(), named_children() is name_cells(), and a Cell's own "
    "name is part of its parameters' names",
}
rule(
    "torch.nn.Module(*args, **kwargs)",
    "nn.Cell()",
    differs={
        **_CONTAINER,
        "construct": "the forward pass is called construct",
        "set_train": "a new Cell is in evaluation mode, a new Module in training mode",
    },
    weights="children",
    samples=["()"],
    note="a base class: read the guide on cells",
)
rule(
    "torch.nn.Sequential(*args)",
    "nn.SequentialCell({*args})",
    differs=_CONTAINER,
    weights="children",
    read={"args": "tuple(module)"},
    samples=[
        "(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))(f(5, 3))",
        "(torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Tanh()), torch.nn.Flatten())"
        "(f(2, 3, 4, 4))",
    ],
)
rule(
    "torch.nn.ModuleList(modules=None)",
    case("nn.CellList()", "modules is None"),
    "nn.CellList({modules})",
    differs=_CONTAINER,
    weights="children",
    read={"modules": "list(module) or None"},
    samples=["()", "([torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)])"],
)
rule(
    "torch.nn.ModuleDict(modules=None)",
    case("nn.CellDict()", "modules is None"),
    "nn.CellDict({modules})",
    differs=_CONTAINER,
    weights="children",
    read={"modules": "dict(module.items()) or None"},
    samples=["()", "({'one': torch.nn.Linear(3, 4), 'two': torch.nn.ReLU()})"],
)
rule(
    "torch.nn.ParameterList(values=None)",
    case("ms.ParameterTuple([])", "values is None"),
    "ms.ParameterTuple({values})",
    differs={
        "name": "the Cell keeps each Parameter under its own name, not under its place in the "
        "list: give names, Parameter(..., name='p0')",
        "append": "it is a tuple: make it when all Parameters are there",
    },
    read={"values": "list(module) or None"},
    samples=["()", "([torch.nn.Parameter(f(3).detach()), torch.nn.Parameter(f(2, 2).detach())])"],
)
missing(
    "torch.nn.ParameterDict(parameters=None)",
    "give each parameter an attribute of the Cell, and keep a dict beside them for look-ups.",
)
missing(
    "torch.nn.Container(*args, **kwargs)",
    "it is an old name of torch.nn.Module; derive from nn.Cell.",
)

rule(
    "torch.nn.Parameter(data=None, requires_grad=True)",
    "ms.Parameter({data}, requires_grad={requires_grad})",
    refuse={"data is None": "a Parameter needs its numbers: ms.Parameter(ops.zeros(shape))"},
    differs={
        "name": "a Parameter has a name, by which optimizers and checkpoints know it; its Cell "
        "gives it the name of the attribute"
    },
    samples=["(f(3, 4).detach())", "(f(3).detach(), requires_grad=False)"],
)
rule(
    "torch.nn.Buffer(data=None, *, persistent=True)",
    "ms.Parameter({data}, requires_grad=False)",
    refuse={
        "data is None": "a Parameter needs its numbers: ms.Parameter(ops.zeros(shape))",
        "not persistent": "every Parameter is saved; keep the numbers as a plain Tensor attribute",
    },
    differs={"requires_grad": "buffers are Parameters that are not trained"},
    samples=["(f(3, 4).detach())"],
)
for _name in ("UninitializedParameter", "UninitializedBuffer"):
    missing(
        f"torch.nn.{_name}",
        "parameters of MindSpore have their shapes when they are made; make it where the shape "
        "is known.",
    )
missing(
    "torch.nn.DataParallel(module, device_ids=None, output_device=None, dim=0)",
    "MindSpore runs one process for each device: communication.init(), and the data parallel "
    "mode of set_auto_parallel_context, or nn.DistributedGradReducer.",
)
missing(
    "torch.nn.LinearCrossEntropyOptions",
    "they belong to torch.nn.LinearCrossEntropyLoss, which has no counterpart.",
)

# --------------------------------------------------------------- distances

rule(
    "torch.nn.CosineSimilarity(dim=1, eps=1e-08)",
    "_CosineSimilarity(dim={dim}, eps={eps})",
    samples=["()(f(3, 4), f(3, 4))", "(-1, 1e-6)(f(2, 3, 4), f(2, 3, 4))"],
    note="MindSpore's layer of this name compares the rows of one matrix with each other.",
)
rule(
    "torch.nn.PairwiseDistance(p=2.0, eps=1e-06, keepdim=False)",
    "_PairwiseDistance({p}, eps={eps}, keepdim={keepdim})",
    read={"p": "module.norm"},
    samples=["()(f(3, 4), f(3, 4))", "(1.0, 1e-5, True)(f(2, 3, 4), f(2, 3, 4))"],
)
