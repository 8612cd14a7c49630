"""Writes the page of names: what MindSpore calls public, its state, its counterpart in PyTorch.

The names are those that MindSpore 2.10 was recorded to have (tests/data/oracle/names.json). State
and difference are read from the running package: from the object that a name gives, and from the
line "Difference from PyTorch" of its documentation.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

import agar
from agar._core.optable import table

RECORD = Path(__file__).resolve().parent.parent.parent / "tests" / "data" / "oracle" / "names.json"

#: The parts of the page: title, MindSpore's module or class, and where PyTorch keeps the like.
PARTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Top level", "mindspore", ("torch", "torch.func", "torch.autograd")),
    ("Tensor", "Tensor", ("torch.Tensor",)),
    ("Parameter", "Parameter", ("torch.nn.Parameter",)),
    ("Cell", "Cell", ("torch.nn.Module",)),
    ("nn", "mindspore.nn", ("torch.nn", "torch.optim", "torch.optim.lr_scheduler")),
    (
        "ops",
        "mindspore.ops",
        (
            "torch",
            "torch.nn.functional",
            "torch.special",
            "torch.linalg",
            "torch.fft",
            "torch.func",
            "torch.distributed",
        ),
    ),
    ("mint", "mindspore.mint", ("torch", "torch.nn.functional")),
    ("mint.nn", "mindspore.mint.nn", ("torch.nn",)),
    ("mint.nn.functional", "mindspore.mint.nn.functional", ("torch.nn.functional", "torch")),
    ("mint.linalg", "mindspore.mint.linalg", ("torch.linalg",)),
    ("mint.special", "mindspore.mint.special", ("torch.special",)),
    ("mint.optim", "mindspore.mint.optim", ("torch.optim",)),
    ("numpy", "mindspore.numpy", ("torch", "torch.linalg", "torch.fft")),
    ("scipy.linalg", "mindspore.scipy.linalg", ("torch.linalg", "torch")),
    ("amp", "mindspore.amp", ("torch.amp",)),
    ("common.initializer", "mindspore.common.initializer", ("torch.nn.init",)),
    ("train", "mindspore.train", ()),
    ("experimental.optim", "mindspore.experimental.optim", ("torch.optim",)),
    (
        "experimental.optim.lr_scheduler",
        "mindspore.experimental.optim.lr_scheduler",
        ("torch.optim.lr_scheduler",),
    ),
    (
        "nn.probability.distribution",
        "mindspore.nn.probability.distribution",
        ("torch.distributions",),
    ),
    (
        "nn.probability.bijector",
        "mindspore.nn.probability.bijector",
        ("torch.distributions.transforms",),
    ),
    ("runtime", "mindspore.runtime", ("torch.cuda",)),
    ("communication", "mindspore.communication", ("torch.distributed",)),
    ("parallel", "mindspore.parallel", ()),
    ("profiler", "mindspore.profiler", ("torch.profiler",)),
    ("dataset", "mindspore.dataset", ("torch.utils.data",)),
)

#: Counterparts of another name; a name without a dot lies where the part of the page looks first.
RENAMED = {
    "mindspore": {
        "Parameter": "torch.nn.Parameter",
        "value_and_grad": "torch.func.grad_and_value",
        "jit": "torch.compile",
        "save_checkpoint": "torch.save",
        "load_checkpoint": "torch.load",
        "load_param_into_net": "torch.nn.Module.load_state_dict",
        "export": "torch.onnx.export",
        "set_seed": "torch.manual_seed",
        "get_seed": "torch.initial_seed",
        "recompute": "torch.utils.checkpoint.checkpoint",
        "saved_tensors_hooks": "torch.autograd.graph.saved_tensors_hooks",
        "COOTensor": "torch.sparse_coo_tensor",
        "CSRTensor": "torch.sparse_csr_tensor",
        "set_deterministic": "torch.use_deterministic_algorithms",
        "set_device": "torch.set_default_device",
        "Profiler": "torch.profiler.profile",
        "SummaryRecord": "torch.utils.tensorboard.SummaryWriter",
        "from_torch": "torch.Tensor",
        "vmap": "torch.func.vmap",
    },
    "Tensor": {
        "asnumpy": "torch.Tensor.numpy",
        "astype": "torch.Tensor.to",
        "copy": "torch.Tensor.clone",
        "expand_dims": "torch.Tensor.unsqueeze",
        "set_dtype": "torch.Tensor.to",
        "from_numpy": "torch.from_numpy",
        "concat": "torch.cat",
        "assign_value": "torch.Tensor.copy_",
        "value": "torch.Tensor.detach",
    },
    "Parameter": {
        "asnumpy": "torch.Tensor.numpy",
        "set_data": "torch.Tensor.copy_",
        "clone": "torch.Tensor.clone",
        "requires_grad": "torch.Tensor.requires_grad",
    },
    "Cell": {
        "construct": "torch.nn.Module.forward",
        "cells": "torch.nn.Module.children",
        "name_cells": "torch.nn.Module.named_children",
        "cells_and_names": "torch.nn.Module.named_modules",
        "parameters_and_names": "torch.nn.Module.named_parameters",
        "get_parameters": "torch.nn.Module.parameters",
        "trainable_params": "torch.nn.Module.parameters",
        "parameters_dict": "torch.nn.Module.state_dict",
        "set_train": "torch.nn.Module.train",
        "to_float": "torch.autocast",
        "insert_child_to_cell": "torch.nn.Module.add_module",
        "insert_param_to_cell": "torch.nn.Module.register_parameter",
        "register_backward_hook": "torch.nn.Module.register_full_backward_hook",
        "register_backward_pre_hook": "torch.nn.Module.register_full_backward_pre_hook",
        "recompute": "torch.utils.checkpoint.checkpoint",
        "bprop": "torch.autograd.Function.backward",
    },
    "mindspore.nn": {
        "Cell": "torch.nn.Module",
        "GraphCell": "torch.jit.load",
        "CellList": "ModuleList",
        "CellDict": "ModuleDict",
        "SequentialCell": "Sequential",
        "Dense": "Linear",
        "BiDense": "Bilinear",
        "Conv1dTranspose": "ConvTranspose1d",
        "Conv2dTranspose": "ConvTranspose2d",
        "Conv3dTranspose": "ConvTranspose3d",
        "EmbeddingLookup": "Embedding",
        "SoftmaxCrossEntropyWithLogits": "CrossEntropyLoss",
        "MAELoss": "L1Loss",
        "RMSELoss": "MSELoss",
        "HShrink": "Hardshrink",
        "HSigmoid": "Hardsigmoid",
        "HSwish": "Hardswish",
        "SoftShrink": "Softshrink",
        "SeLU": "SELU",
        "LRN": "LocalResponseNorm",
        "Momentum": "torch.optim.SGD",
        "AdaMax": "torch.optim.Adamax",
        "AdamWeightDecay": "torch.optim.AdamW",
        "Pad": "torch.nn.functional.pad",
        "ResizeBilinear": "Upsample",
        "ClipByNorm": "torch.nn.utils.clip_grad_norm_",
        "cosine_decay_lr": "torch.optim.lr_scheduler.CosineAnnealingLR",
        "exponential_decay_lr": "torch.optim.lr_scheduler.ExponentialLR",
        "polynomial_decay_lr": "torch.optim.lr_scheduler.PolynomialLR",
        "CosineDecayLR": "torch.optim.lr_scheduler.CosineAnnealingLR",
        "ExponentialDecayLR": "torch.optim.lr_scheduler.ExponentialLR",
        "PolynomialDecayLR": "torch.optim.lr_scheduler.PolynomialLR",
        "DynamicLossScaleUpdateCell": "torch.amp.GradScaler",
        "TrainOneStepWithLossScaleCell": "torch.amp.GradScaler",
    },
    "mindspore.ops": {
        "BatchMatMul": "torch.bmm",
        "Conv2D": "torch.nn.functional.conv2d",
        "BiasAdd": "torch.add",
        "ReduceSum": "torch.sum",
        "ReduceMean": "torch.mean",
        "ReduceMax": "torch.amax",
        "ReduceMin": "torch.amin",
        "ReduceProd": "torch.prod",
        "ReduceAll": "torch.all",
        "ReduceAny": "torch.any",
        "Concat": "torch.cat",
        "concat": "torch.cat",
        "expand_dims": "torch.unsqueeze",
        "cast": "torch.Tensor.to",
        "gather": "torch.index_select",
        "select": "torch.where",
        "Select": "torch.where",
        "stop_gradient": "torch.Tensor.detach",
        "assign": "torch.Tensor.copy_",
        "clip_by_value": "torch.clamp",
        "clip_by_global_norm": "torch.nn.utils.clip_grad_norm_",
        "clip_by_norm": "torch.nn.utils.clip_grad_norm_",
        "value_and_grad": "torch.func.grad_and_value",
        "flash_attention_score": "torch.nn.functional.scaled_dot_product_attention",
        "reduce_sum": "torch.sum",
        "transpose": "torch.permute",
        "Transpose": "torch.permute",
        "tuple_to_array": "torch.tensor",
        "assign_add": "torch.Tensor.add_",
        "assign_sub": "torch.Tensor.sub_",
        "while_loop": "torch._higher_order_ops.while_loop",
    },
    "mindspore.amp": {
        "auto_mixed_precision": "torch.autocast",
        "DynamicLossScaler": "torch.amp.GradScaler",
        "StaticLossScaler": "torch.amp.GradScaler",
        "LossScaler": "torch.amp.GradScaler",
        "all_finite": "torch.isfinite",
    },
    "mindspore.common.initializer": {
        "HeUniform": "kaiming_uniform_",
        "HeNormal": "kaiming_normal_",
        "XavierUniform": "xavier_uniform_",
        "XavierNormal": "xavier_normal_",
        "Uniform": "uniform_",
        "Normal": "normal_",
        "TruncatedNormal": "trunc_normal_",
        "Constant": "constant_",
        "Zero": "zeros_",
        "One": "ones_",
        "Orthogonal": "orthogonal_",
        "Sparse": "sparse_",
        "Dirac": "dirac_",
        "Identity": "eye_",
    },
    "mindspore.runtime": {"dispatch_threads_num": "torch.set_num_threads"},
    "mindspore.communication": {
        "init": "init_process_group",
        "get_group_size": "get_world_size",
        "release": "destroy_process_group",
        "create_group": "new_group",
    },
    "mindspore.dataset": {
        "GeneratorDataset": "torch.utils.data.DataLoader",
        "NumpySlicesDataset": "torch.utils.data.TensorDataset",
    },
}

_DIFFERENCE = re.compile(r"Difference from PyTorch:\s*(.*?)(?:\n\s*\n|\Z)", re.DOTALL)


def _resolve(path: str) -> Any:
    """What a dotted path of torch gives; None where there is nothing."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            value = getattr(value, part, None)
            if value is None:
                return None
        return value
    return None


@functools.cache
def _exists(path: str) -> bool:
    value = _resolve(path)
    return value is not None and not inspect.ismodule(value)


def _spellings(name: str, part: str) -> Iterator[str]:
    """The names under which torch may have the same thing."""
    yield name
    if part in ("mindspore.ops", "Tensor", "mindspore.mint", "mindspore.numpy"):
        entry = table.primitives.get(name) or table.functions.get(name)
        if entry is not None:
            yield from entry.names
            yield from (path.rpartition(".")[2] for path in entry.mints)
        yield re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        yield name.lower()
        yield re.sub(r"_ext$|_op$", "", name)


def counterpart(part: str, name: str, places: Sequence[str]) -> str:
    """The dotted path of what torch has for a name; empty where it has nothing."""
    renamed = RENAMED.get(part, {}).get(name)
    if renamed is not None:
        path = renamed if "." in renamed or not renamed else f"{places[0]}.{renamed}"
        return path if path and _exists(path) else ""
    for spelling in _spellings(name, part):
        for place in places:
            path = f"{place}.{spelling}"
            if _exists(path):
                return path
    return ""


def _owner(part: str) -> Any:
    if part in ("Tensor", "Parameter"):
        return getattr(agar, part)
    if part == "Cell":
        return agar.nn.Cell
    path = "agar" + part.removeprefix("mindspore")
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        return None


def state(owner: Any, name: str) -> tuple[str, Any]:
    """Whether a name works, refuses or is missing, and its object."""
    try:
        value = getattr(owner, name)
    except AttributeError:
        return "missing", None
    return ("refuses" if getattr(value, "_absent", None) else "works"), value


def difference(value: Any) -> str:
    """What the documentation of an object says about PyTorch, in one line."""
    refusal = getattr(value, "_absent", None)
    if refusal:
        _, family = refusal
        return f"{family.why}. {family.instead}."
    result = _DIFFERENCE.search(inspect.getdoc(value) or "") if value is not None else None
    if result is None:
        return ""
    return " ".join(result[1].split())


def rows(part: str, places: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Name, state, counterpart and difference of everything public in a module or class."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))["names"][part]
    owner = _owner(part)
    # `all` of the top module has version numbers in it, `names` what was imported for use inside
    present = set(recorded["names"])
    names = present.intersection(recorded.get("all", present))
    for name in sorted(names, key=lambda n: (n.lower(), n)):
        kind, value = state(owner, name)
        if inspect.ismodule(value):
            continue
        yield name, kind, counterpart(part, name, places), difference(value)


def page(link: Callable[[Any], str | None], clean: Callable[[str], str]) -> str:
    """The page as Markdown.

    Args:
        link: gives the target of the documentation of an object, if it has one.
        clean: makes text fit for one cell of a table.
    """
    lines = [
        "# Names",
        "",
        "Every public name of MindSpore 2.10, with its state here and what PyTorch has instead. "
        f"Made from the package and from torch {torch.__version__.partition('+')[0]}: a "
        "counterpart is what torch calls the same, or what is known to do the same under another "
        "name.",
        "",
    ]
    summary: list[str] = []
    body: list[str] = []
    for title, part, places in PARTS:
        items = list(rows(part, places))
        counts = [sum(1 for row in items if row[1] == k) for k in ("works", "refuses", "missing")]
        summary.append(f"| [{title}](#{_anchor(title)}) | " + " | ".join(map(str, counts)) + " |")
        body += [f"({_anchor(title)})=", "", f"## {title}", ""]
        body += ["| name | state | PyTorch | difference |", "| --- | --- | --- | --- |"]
        owner = _owner(part)
        for name, kind, other, text in items:
            target = link(getattr(owner, name, None)) if kind != "missing" else None
            shown = f"[`{name}`](#{target})" if target else f"`{name}`"
            like = f"`{other}`" if other else ""
            body.append(f"| {shown} | {kind} | {like} | {clean(text)} |")
        body.append("")
    lines += ["| part | works | refuses | missing |", "| --- | ---: | ---: | ---: |", *summary, ""]
    return "\n".join(lines + body)


def _anchor(title: str) -> str:
    return "names-" + title.lower().replace(" ", "-").replace(".", "-")
