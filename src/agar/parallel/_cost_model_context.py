"""The cost model of the search for a way to split a model, at MindSpore's private path."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agar._core.settings import Settings, cost_model

__all__: list[str] = []


class _CostModelContext:
    """``set_<name>(value)`` and ``get_<name>()`` for every setting of the cost model."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        action, _, key = name.partition("_")
        if action == "get" and key in cost_model.defaults:
            return partial(cost_model.get, key)
        if action == "set" and key in cost_model.defaults:
            return lambda value: cost_model.set(**{key: value})
        raise AttributeError(f"'_CostModelContext' object has no attribute '{name}'")

    def reset_cost_model(self) -> None:
        """Give every setting its default."""
        cost_model.reset()


_context = _CostModelContext()


def cost_model_context() -> _CostModelContext:
    """The one object of the cost model."""
    return _context


def set_cost_model_context(**kwargs: Any) -> None:
    """Set values of the cost model; checked and held."""
    cost_model.set(**kwargs)


def get_cost_model_context(attr_key: str) -> Any:
    """Read one value of the cost model."""
    return cost_model.get(attr_key)


def reset_cost_model_context() -> None:
    """Give every value of the cost model its default."""
    cost_model.reset()


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    cost_model.set(multi_subgraphs=multi_subgraph)


def _get_multi_subgraphs() -> bool:
    return cost_model.get("multi_subgraphs")


def _coef(value: Any) -> None:
    if not isinstance(value, (int, float)):
        raise TypeError(f"For '_set_rp_matmul_mem_coef', a number is needed, but got {value!r}.")
    if value <= 0:
        raise RuntimeError(f"'coef' must be positive, but got {value}.")


#: What is held of the search "recursive_programming", apart from the cost model.
_search = Settings(
    {"rp_matmul_mem_coef": 0.1},
    ("There is no %s.", "There is no %s."),
    {"rp_matmul_mem_coef": _coef},
)


def _set_rp_matmul_mem_coef(coef: float) -> None:
    _search.set(rp_matmul_mem_coef=coef)


def _get_rp_matmul_mem_coef() -> float:
    return float(np.float32(_search.get("rp_matmul_mem_coef")))
