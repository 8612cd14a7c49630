"""Kinds of values, and what PyTorch's functions and methods give."""

from __future__ import annotations

from typing import Any

import libcst as cst

from agar.migrate.conversion._names import plain_name

__all__ = ["ARRAY", "CELL_TENSORS", "CONTAINERS", "Kind", "join"]

Kind = Any

TENSOR, TENSORS, SIZE, NUMBER, STR, OTHER = "tensor", "tensors", "size", "number", "str", "other"
#: of NumPy
ARRAY = "array"
#: functions of NumPy that give one array
MAKE_ARRAYS = frozenset(
    {
        "array", "asarray", "arange", "zeros", "ones", "full", "concatenate", "stack", "argsort",
        "sort", "linspace", "flatnonzero", "random.permutation", "random.choice", "random.randint",
    }
)  # fmt: skip
CELL: Kind = ("cell", None)

CONTAINERS = ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential")
RECURRENT = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.LSTMCell")
PAIRS = (*RECURRENT, "torch.nn.MultiheadAttention", "torch.nn.AdaptiveLogSoftmaxWithLoss")

#: functions and methods that give several tensors
SEVERAL = frozenset(
    [
        "chunk",
        "split",
        "split_with_sizes",
        "tensor_split",
        "unbind",
        "hsplit",
        "vsplit",
        "dsplit",
        "topk",
        "sort",
        "meshgrid",
        "broadcast_tensors",
        "svd",
        "qr",
        "eig",
        "eigh",
        "lu",
        "frexp",
        "aminmax",
        "std_mean",
        "var_mean",
        "unique_consecutive",
        "kthvalue",
        "mode",
        "cummax",
        "cummin",
        "slogdet",
    ]
)
#: those that do so where a dimension is given
SEVERAL_ALONG = frozenset(("max", "min", "median", "nanmedian"))
#: those that give Python's values
PLAIN: dict[str, Kind] = {
    "item": NUMBER,
    "dim": NUMBER,
    "ndimension": NUMBER,
    "numel": NUMBER,
    "nelement": NUMBER,
    "element_size": NUMBER,
    "data_ptr": NUMBER,
    "get_device": NUMBER,
    "is_tensor": NUMBER,
    "is_floating_point": NUMBER,
    "is_complex": NUMBER,
    "is_contiguous": NUMBER,
    "storage_offset": NUMBER,
    "equal": NUMBER,
    "allclose": NUMBER,
    "tolist": OTHER,
    "numpy": OTHER,
    "size": SIZE,
    "stride": SIZE,
    "manual_seed": OTHER,
    "save": OTHER,
    "load": OTHER,
    "device": OTHER,
    "finfo": OTHER,
    "iinfo": OTHER,
    "no_grad": OTHER,
    "Generator": OTHER,
    "register_hook": OTHER,
    "backward": OTHER,
    "broadcast_shapes": SIZE,
    "compile": None,
}
PLAIN_ATTRIBUTES: dict[str, Kind] = {
    "shape": SIZE,
    "ndim": NUMBER,
    "requires_grad": NUMBER,
    "is_cuda": NUMBER,
    "itemsize": NUMBER,
    "dtype": OTHER,
    "device": OTHER,
    "layout": OTHER,
    "grad_fn": OTHER,
    "names": OTHER,
}
CELL_TENSORS = ("weight", "bias", "running_mean", "running_var", "in_proj_weight", "in_proj_bias")
NUMBERS = ("int", "float", "bool", "complex")
BUILTINS: dict[str, Kind] = {
    "len": NUMBER,
    "int": NUMBER,
    "float": NUMBER,
    "bool": NUMBER,
    "isinstance": NUMBER,
    "hasattr": NUMBER,
    "callable": NUMBER,
    "ord": NUMBER,
    "id": NUMBER,
    "range": ("each", NUMBER),
    "str": STR,
    "repr": STR,
    "format": STR,
    "input": STR,
    "dict": OTHER,
    "open": OTHER,
    "type": OTHER,
}
#: names that parameters of functions have where they are networks or losses
CELL_NAMES = frozenset(
    [
        "model",
        "net",
        "network",
        "module",
        "backbone",
        "encoder",
        "decoder",
        "generator",
        "discriminator",
        "criterion",
        "loss_fn",
        "netG",
        "netD",
        "teacher",
        "student",
        "layer",
        "m",
    ]
)
#: methods of cells that give the cell itself
SAME_CELL = frozenset(
    ["eval", "train", "to", "cuda", "cpu", "float", "double", "half", "requires_grad_"]
)
#: methods that only tensors (and, some of them, modules) have
UNIQUE = frozenset(
    [
        "view",
        "permute",
        "unsqueeze",
        "contiguous",
        "expand",
        "detach",
        "to",
        "cuda",
        "cpu",
        "softmax",
        "sigmoid",
        "relu",
        "argmax",
        "long",
        "log_softmax",
        "type_as",
        "view_as",
        "masked_fill",
        "index_select",
        "reshape_as",
        "expand_as",
        "requires_grad_",
    ]
)
EINOPS = ("rearrange", "repeat", "reduce", "einsum")


def join(one: Kind, other: Kind) -> Kind:
    """What both say; the one that says more where the other says nothing or None."""
    if one == other or other in (None, "none"):
        return one
    if one in (None, "none"):
        return other
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0] == "cell":
        return CELL
    return None


def is_static(node: cst.FunctionDef) -> bool:
    return any(plain_name(d.decorator) == "staticmethod" for d in node.decorators)


def along_dimension(node: cst.Call) -> bool:
    """Whether a call of max, min or median names a dimension."""
    return any(
        (a.keyword is not None and a.keyword.value in ("dim", "axis"))
        or isinstance(a.value, (cst.Integer, cst.UnaryOperation))
        for a in node.args
    )


def listing(name: str, base: Kind) -> Kind:
    cellish = base is None or (isinstance(base, tuple) and base[0] in ("cell", "self", "super"))
    if not cellish:
        return None
    return {
        "parameters": ("each", TENSOR),
        "buffers": ("each", TENSOR),
        "named_parameters": ("each", ("tuple", (STR, TENSOR))),
        "named_buffers": ("each", ("tuple", (STR, TENSOR))),
        "modules": ("each", CELL),
        "children": ("each", CELL),
        "named_modules": ("each", ("tuple", (STR, CELL))),
        "named_children": ("each", ("tuple", (STR, CELL))),
    }.get(name)


def element_of(kind: Kind) -> Kind:
    """The kind of what iterating over a value gives."""
    if kind in (TENSOR, TENSORS):
        return TENSOR
    if kind == SIZE:
        return NUMBER
    if kind == STR:
        return STR
    if isinstance(kind, tuple):
        if kind[0] in ("each", "cells"):
            return kind[1]
        if kind[0] == "tuple":
            kinds = kind[1]
            return kinds[0] if kinds and all(k == kinds[0] for k in kinds) else None
        if kind[0] == "cell" and kind[1] in CONTAINERS:
            return CELL
    return None


def several_of(kind: Kind) -> Kind:
    """The kind of an iterable of such values."""
    if kind == TENSOR:
        return TENSORS
    if kind == NUMBER:
        return SIZE
    if isinstance(kind, tuple) and kind[0] == "cell":
        return ("cells", kind)
    return ("each", kind)
