"""Layers whose weights MindSpore draws otherwise than PyTorch, where nothing is said of them."""

from __future__ import annotations

from typing import Any

import libcst as cst

from agar.migrate.conversion._nodes import comma_and_space, keyword_arg

__all__ = ["INITS", "NORMAL", "difference", "like_torch"]

#: what a converted file's new layers begin with
INITS = ("mindspore", "torch")
#: the initializer of PyTorch's embeddings
NORMAL = "ms.common.initializer.Normal"

_TABLE = "its table is drawn with a deviation of 0.01, PyTorch's with 1"
_BIASES = "the bias of attention's last layer is drawn, PyTorch's begins with zeros"
#: counterpart: how what it begins with differs. tests/migrate/test_convert_init.py measures all
#: layers of the table of rules on both sides.
_DIFFERENT = {
    "nn.Embedding": _TABLE,
    "nn.MultiheadAttention": _BIASES,
    "nn.TransformerEncoderLayer": _BIASES,
    "nn.TransformerDecoderLayer": _BIASES,
    "nn.Transformer": _BIASES,
}


def difference(target: str | None) -> str:
    """How a counterpart begins otherwise than PyTorch's layer; empty where it does not."""
    text = _DIFFERENT.get(target or "", "")
    return text and f"{text}; with init='torch' (--init torch) it begins as PyTorch's"


def like_torch(call: cst.Call, target: str) -> tuple[Any, str, str]:
    """A layer that begins with PyTorch's distribution.

    Args:
        call: the counterpart's call.
        target: the counterpart's name in the table of rules.

    Returns:
        tuple, the expression, an import that it needs, and a helper that it needs.
    """
    if _DIFFERENT[target] is _TABLE:
        args = list(call.args)
        if args and isinstance(args[-1].comma, cst.MaybeSentinel):
            args[-1] = args[-1].with_changes(comma=comma_and_space())
        drawn = cst.parse_expression(f"{NORMAL.rpartition('.')[2]}(1.0)")
        return call.with_changes(args=[*args, keyword_arg("embedding_table", drawn)]), NORMAL, ""
    wrapped = cst.parse_expression("_zero_biases()")
    assert isinstance(wrapped, cst.Call)
    return wrapped.with_changes(args=[cst.Arg(call)]), "", "_zero_biases"
