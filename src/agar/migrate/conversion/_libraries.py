"""Imports of libraries on PyTorch: a file does without them until it uses one."""

from __future__ import annotations

from typing import Any

import libcst as cst

from agar.migrate.conversion._names import plain_name

__all__ = ["LIBRARIES", "guarded"]

#: libraries that import PyTorch, by the names of their packages
LIBRARIES = frozenset(
    [
        "accelerate", "apex", "axial_positional_embedding", "bitsandbytes", "clip", "deepspeed",
        "diffusers", "ema_pytorch", "fairscale", "flash_attn", "fvcore", "hyper_connections",
        "ignite", "inplace_abn", "kornia", "lightning", "local_attention", "monai", "mmcv",
        "open_clip", "peft", "pytorch_fid", "pytorch_lightning", "pytorch_metric_learning",
        "pytorchvideo", "rotary_embedding_torch", "segmentation_models_pytorch",
        "sentence_transformers", "timm", "torch_einops_utils", "torch_geometric", "torch_scatter",
        "torch_sparse", "torchaudio", "torchdiffeq", "torchinfo", "torchmetrics", "torchsummary",
        "torchtext", "torchvision", "transformers", "triton", "vector_quantize_pytorch",
        "xformers",
    ]
)  # fmt: skip


def guarded(node: Any, own: str) -> tuple[cst.Try, str] | None:
    """A statement that imports a library on PyTorch, as one that goes without it.

    Args:
        node: a statement at the top level.
        own: the package that the file is part of.

    Returns:
        tuple, the statement and what to say about it; None for another statement.
    """
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return None
    small = node.body[0]
    library, names = _imported(small)
    if library == own or not names:
        return None
    if library not in LIBRARIES and not library.endswith(".torch"):
        return None
    text = f"{library} works on PyTorch's tensors: convert it too, or write what is used of it"
    absent = cst.parse_statement(f"{' = '.join(names)} = _Unconverted({text!r})")
    mark = cst.EmptyLine(comment=cst.Comment(f"# agar: by hand: {library}"))
    handler = cst.ExceptHandler(
        cst.IndentedBlock([absent.with_changes(leading_lines=[mark])]), cst.Name("ImportError")
    )
    body = cst.IndentedBlock([node.with_changes(leading_lines=())])
    return cst.Try(body, [handler], leading_lines=node.leading_lines), text


def _imported(node: cst.BaseSmallStatement) -> tuple[str, list[str]]:
    """The package that a statement imports from, and the names that it binds."""
    if isinstance(node, cst.ImportFrom):
        if node.relative or node.module is None or isinstance(node.names, cst.ImportStar):
            return "", []
        return _library(node.module), [_bound(alias) for alias in node.names]
    if isinstance(node, cst.Import) and len(node.names) == 1:
        return _library(node.names[0].name), [_bound(node.names[0])]
    return "", []


def _library(node: cst.CSTNode) -> str:
    """The package of a module, or its part for PyTorch: ``safetensors.torch``."""
    head, _, part = (plain_name(node) or "").partition(".")
    return f"{head}.torch" if part == "torch" else head


def _head(node: cst.CSTNode) -> str:
    return (plain_name(node) or "").partition(".")[0]


def _bound(alias: cst.ImportAlias) -> str:
    return _head(alias.asname.name if alias.asname else alias.name)
