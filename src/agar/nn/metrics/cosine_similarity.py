"""CosineSimilarity."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import boolean, choice

__all__ = ["CosineSimilarity"]


class CosineSimilarity(Metric):
    """The similarity of each row to each other.

    Args:
        similarity (str): ``"cosine"`` for normalized rows, ``"dot"`` for rows as they are.
            Default: ``"cosine"``.
        reduction (str): ``"none"``, ``"sum"`` or ``"mean"`` over each row of the matrix.
            Default: ``"none"``.
        zero_diagonal (bool): whether a row's similarity to itself is set to 0. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument has an unknown value.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.CosineSimilarity()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[1.0, 0.0], [1.0, 0.0]]))
        >>> print(metric.eval())
        [[0. 1.]
         [1. 0.]]
    """

    def __init__(
        self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True
    ) -> None:
        super().__init__()
        owner = "CosineSimilarity"
        self.similarity = choice(owner, "similarity", similarity, ("dot", "cosine"))
        self.reduction = choice(owner, "reduction", reduction, ("none", "sum", "mean"))
        self.zero_diagonal = boolean(owner, "zero_diagonal", zero_diagonal)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._matrix: np.ndarray | None = None

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        """Set the rows, in place of earlier ones.

        Args:
            inputs (Union[Tensor, list, numpy.ndarray]): the rows, of shape (N, D).
        """
        (rows,) = self._arrays((inputs,), "rows")
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=1, keepdims=True)
        matrix = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(matrix, 0)
        self._matrix = matrix

    def eval(self) -> np.ndarray:
        """The matrix, or its sums or means.

        Raises:
            RuntimeError: there are no samples yet.
        """
        matrix = self._matrix
        if matrix is None:
            raise RuntimeError("For 'CosineSimilarity', call update before eval.")
        if self.reduction == "none":
            return matrix
        return matrix.mean(axis=-1) if self.reduction == "mean" else matrix.sum(axis=-1)
