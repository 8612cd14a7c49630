"""linear_sum_assignment."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

# The implementation works on the engine's tensors, as the operators' do.
import torch
from torch import Tensor  # what annotations of a binding mean

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import host_node
from agar._core.tensor import Tensor as AgarTensor
from agar._core.tensor import wrap
from agar.ops._checks import boolean
from agar.scipy._declare import binding

__all__ = ["linear_sum_assignment"]


@binding("optimize", "linear_sum_assignment")
def _assign(cost_matrix: Tensor, maximize: Any, dimension_limit: Tensor) -> Any:
    op_name = "linear_sum_assignment"
    boolean(op_name, "maximize", maximize)
    if dimension_limit.dtype is not torch.int64:
        raise TypeError(
            f"For '{op_name}', the type of 'dimension_limit' must be int64, but got "
            f"{FROM_TORCH[dimension_limit.dtype]}."
        )
    if cost_matrix.is_complex():
        raise TypeError(
            f"For '{op_name}', the type of 'cost_matrix' must be a real one, but got "
            f"{FROM_TORCH[cost_matrix.dtype]}."
        )
    if cost_matrix.ndim != 2:
        raise ValueError(
            f"For '{op_name}', the cost_matrix rank must be equal to 2, but got {cost_matrix.ndim}."
        )
    return tuple(_pairs(cost_matrix.detach(), maximize, dimension_limit))


def _pairs_of(costs: Tensor, maximize: bool, limit: Tensor) -> tuple[Tensor, Tensor]:
    """The rows and columns that belong together, filled up with -1."""
    count = min(costs.shape)
    used = costs.double().cpu().numpy()[:, : max(0, int(limit))]
    rows, columns = np.full(count, -1), np.full(count, -1)
    if count:
        result = _solve(-used if maximize else used)
        rows[: len(result[0])], columns[: len(result[1])] = result
    device = costs.device
    return torch.from_numpy(rows).to(device), torch.from_numpy(columns).to(device)


_pairs = host_node(_pairs_of, "tensors")  # Python over all values: one node of a graph


def _solve(costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cheapest assignment, by shortest augmenting paths.

    Raises:
        RuntimeError: a cost is nan or minus infinity, or infinite costs leave no assignment.
    """
    if costs.shape[1] == 0 or np.isnan(costs).any() or (costs == -np.inf).any():
        raise RuntimeError(
            "For 'linear_sum_assignment', the costs must be numbers above minus infinity, and at "
            f"least one column must be left, but got shape {costs.shape} with "
            f"{int(np.isnan(costs).sum())} nan."
        )
    if costs.shape[0] > costs.shape[1]:
        columns, rows = _solve(costs.T)
        order = np.argsort(rows)
        return rows[order], columns[order]
    height, width = costs.shape
    row_price, column_price = np.zeros(height), np.zeros(width)
    row_of = np.full(width, -1)
    column_of = np.full(height, -1)
    for start in range(height):
        path = np.full(width, -1)
        shortest = np.full(width, np.inf)
        # of equally near columns the last free one is taken; MindSpore looks from the back
        left = np.arange(width - 1, -1, -1)
        seen_rows, seen_columns = np.zeros(height, bool), np.zeros(width, bool)
        row, least = start, 0.0
        while True:
            seen_rows[row] = True
            reach = least + costs[row, left] - row_price[row] - column_price[left]
            nearer = reach < shortest[left]
            shortest[left[nearer]] = reach[nearer]
            path[left[nearer]] = row
            distances = shortest[left]
            least = distances.min()
            if least == np.inf:
                raise RuntimeError(
                    "For 'linear_sum_assignment', the infinite costs leave no assignment."
                )
            nearest = np.flatnonzero(distances == least)
            free = nearest[row_of[left[nearest]] == -1]
            place = free[-1] if free.size else nearest[0]
            column = left[place]
            left[place] = left[-1]
            left = left[:-1]
            seen_columns[column] = True
            if row_of[column] == -1:
                break
            row = row_of[column]
        row_price[start] += least
        others = seen_rows.copy()
        others[start] = False
        row_price[others] += least - shortest[column_of[others]]
        column_price[seen_columns] -= least - shortest[seen_columns]
        while True:  # turn the path round
            row = path[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == start:
                break
    return np.arange(height), column_of


def linear_sum_assignment(
    cost_matrix: Any, maximize: bool, dimension_limit: AgarTensor | None = None
) -> tuple[Any, Any]:
    """The cheapest way to give each row a column of its own.

    Args:
        cost_matrix (Tensor): the costs, shape (M, N), of a real type.
        maximize (bool): whether the dearest way is wanted.
        dimension_limit (Tensor): how many of the columns count, 0-d, int64. Default: all.

    Returns:
        The rows in ascending order and their columns, int64, of the length of the smaller of M and
        N; filled up with -1 where `dimension_limit` leaves fewer. Constants for gradients.

    Raises:
        TypeError: `cost_matrix` is complex, `maximize` is not a bool or `dimension_limit` not
            int64.
        ValueError: `cost_matrix` has not two axes.
        RuntimeError: a cost is nan, or infinite costs leave no assignment.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10; Crouse (2016), On implementing 2D rectangular
    assignment algorithms.

    Examples:
        >>> import agar as ms
        >>> costs = ms.Tensor([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
        >>> rows, columns = ms.scipy.optimize.linear_sum_assignment(costs, False)
        >>> print(rows, columns)
        [0 1] [1 0]
    """
    if dimension_limit is None:
        dimension_limit = wrap(torch.tensor(sys.maxsize))
    return _assign(cost_matrix, maximize, dimension_limit)
