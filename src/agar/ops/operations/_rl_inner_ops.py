"""Recurrent primitives at MindSpore's path ``ops.operations._rl_inner_ops``."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths
from agar.ops._private import Register

_register = Register(__name__)

for _name, _layer in (("GRUV2", "GRU"), ("CudnnGRU", "GRU"), ("LSTMV2", "LSTM")):
    _register.refuse(
        _name,
        "it takes all weights in one tensor, in the order of cuDNN, and returns that library's "
        "memory",
        f"nn.{_layer}(input_size, hidden_size, num_layers, ...), which takes seq_length too",
    )


def __getattr__(name: str) -> Any:
    return _register.find(name) if name in _register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _register.names()
