"""Distances between the outlines of two regions: Hausdorff, mean, and mean of squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn import _checks as check
from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import boolean, choice

__all__ = ["HausdorffDistance", "MeanSurfaceDistance", "RootMeanSquareDistance"]

_KINDS = ("euclidean", "chessboard", "taxicab")


def _outline(region: np.ndarray) -> np.ndarray:
    """The points of a region with a neighbor along an axis that is outside of it."""
    padded = np.pad(region, 1)
    inner = region.copy()
    for axis in range(region.ndim):
        for start in (0, 2):
            window = [slice(1, -1)] * region.ndim
            window[axis] = slice(start, start + region.shape[axis])
            inner &= padded[tuple(window)]
    return region & ~inner


def _distances_to(points: np.ndarray, kind: str) -> np.ndarray:
    """The distance of every place of a grid to the nearest of `points`.

    Each of the distances is put together from the axes, one after the other, by sums of squares,
    sums or maxima; so each axis is a minimum over its own places.
    """
    result = np.where(points, 0.0, np.inf)
    for axis in range(points.ndim):
        lines = np.moveaxis(result, axis, 0)
        count = lines.shape[0]
        best = np.full_like(lines, np.inf)
        for j in range(count):
            step = np.abs(np.arange(count) - j).reshape(-1, *[1] * (points.ndim - 1))
            if kind == "euclidean":
                through = lines[j] + step**2
            elif kind == "taxicab":
                through = lines[j] + step
            else:
                through = np.maximum(lines[j], step)
            np.minimum(best, through, out=best)
        result = np.moveaxis(best, 0, axis)
    if kind == "euclidean":
        return np.sqrt(result)
    return result.astype(np.int32)  # whole numbers, in the type that MindSpore returns


def _from_to(start: np.ndarray, goal: np.ndarray, kind: str) -> np.ndarray:
    """The distance of each point of one outline to another outline."""
    if not start.any():
        return np.array([])
    if not goal.any():
        return np.full(int(start.sum()), np.inf)
    return _distances_to(goal, kind)[start]


class _OutlineMetric(Metric):
    """What the metrics here share: two regions of one label, and their outlines."""

    _label_error: type[Exception] = ValueError

    def __init__(self, distance_metric: str) -> None:
        super().__init__()
        name = type(self).__name__
        self.distance_metric = choice(name, "distance_metric", distance_metric, _KINDS)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._outlines: tuple[np.ndarray, np.ndarray] | None = None

    def _regions(self, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray, Any]:
        """Prediction, truth and label, after checks."""
        name = type(self).__name__
        if len(inputs) != 3:
            raise ValueError(
                f"For '{name}.update', it needs 3 inputs (predicted value, true value, label "
                f"index), but got {len(inputs)}."
            )
        y_pred, y, label = self._convert_data(inputs[0]), self._convert_data(inputs[1]), inputs[2]
        if not isinstance(label, (int, float)):
            raise self._label_error(
                f"For '{name}.update', the label index must be int or float, but got "
                f"{type(label).__name__}."
            )
        if y_pred.size == 0 or y_pred.shape != y.shape:
            raise ValueError(
                f"For '{name}.update', predicted and true value must have one shape and not be "
                f"empty, but got shapes {y_pred.shape} and {y.shape}."
            )
        if label not in y_pred and label not in y:
            raise ValueError(
                f"For '{name}.update', the label index {label} must be in the predicted or in the "
                "true value."
            )
        return y_pred, y, label

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Set a predicted and a true image of one shape, and the label whose region counts.

        This replaces what was given before. An image of bool is the region itself.

        Raises:
            ValueError: the shapes differ, or the label is in neither image.
        """
        y_pred, y, label = self._regions(inputs)
        regions = [v if v.dtype == bool else v == label for v in (y_pred, y)]
        self._outlines = _outline(regions[0]), _outline(regions[1])

    def _distances(self) -> tuple[np.ndarray, np.ndarray]:
        """From prediction to truth, and from truth to prediction."""
        if self._outlines is None:
            raise RuntimeError(f"For '{type(self).__name__}', call update before eval.")
        pred, true = self._outlines
        kind = self.distance_metric
        return _from_to(pred, true, kind), _from_to(true, pred, kind)


class HausdorffDistance(_OutlineMetric):
    r"""The largest distance of a point of one outline to the other outline.

    :math:`h(A, B) = \max_{a \in A} \min_{b \in B} \|a - b\|`, and the result is the larger of
    :math:`h(A, B)` and :math:`h(B, A)`.

    Args:
        distance_metric (str): ``"euclidean"``, ``"chessboard"`` (the largest difference of a
            coordinate) or ``"taxicab"`` (the sum of differences). Default: ``"euclidean"``.
        percentile (float): a percentile between 0 and 100 of the distances in place of the largest.
            Default: ``None``, the largest.
        directed (bool): whether only distances from prediction to truth count. Default: ``False``.
        crop (bool): whether the images are cut to the box around both regions first, so that the
            box's border is outline as well. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `distance_metric` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.HausdorffDistance()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[1, 0, 0, 0]]), ms.Tensor([[0, 0, 0, 1]]), 1)
        >>> print(metric.eval())
        3.0
    """

    def __init__(
        self,
        distance_metric: str = "euclidean",
        percentile: float | None = None,
        directed: bool = False,
        crop: bool = True,
    ) -> None:
        super().__init__(distance_metric)
        owner = "HausdorffDistance"
        self.percentile = (
            None if percentile is None else check.float_only(owner, "percentile", percentile)
        )
        self.directed = directed if directed is None else boolean(owner, "directed", directed)
        self.crop = crop if crop is None else boolean(owner, "crop", crop)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Set a predicted and a true image of one shape, and the label whose region counts.

        This replaces what was given before.

        Args:
            inputs (tuple): the predicted image and the true image (Tensors, lists or numpy arrays
                of one shape), and the label (number) of the region that counts.

        Raises:
            ValueError: the shapes differ, or the label is in neither image.
        """
        y_pred, y, label = self._regions(inputs)
        pred, true = y_pred == label, y == label
        if self.crop:
            both = np.nonzero(pred | true)
            box = tuple(slice(places.min(), places.max() + 1) for places in both)
            pred, true = np.squeeze(pred[box]), np.squeeze(true[box])
        self._outlines = _outline(pred), _outline(true)

    def _largest(self, distances: np.ndarray) -> Any:
        if distances.shape == (0,):
            return np.inf
        if not self.percentile:
            return distances.max()
        if not 0 <= self.percentile <= 100:
            raise ValueError(
                "For 'HausdorffDistance', the value of the argument 'percentile' must be [0, 100], "
                f"but got {self.percentile}."
            )
        return np.percentile(distances, self.percentile)

    def eval(self) -> Any:
        """The distance; infinite if one of the regions is empty.

        Raises:
            RuntimeError: there are no samples yet.
            ValueError: `percentile` lies outside 0 to 100.
        """
        there, back = self._distances()
        if self.directed:
            return self._largest(there)
        return max(self._largest(there), self._largest(back))


class MeanSurfaceDistance(_OutlineMetric):
    """The mean distance of the points of the predicted outline to the true outline.

    Args:
        symmetric (bool): whether distances from truth to prediction count as well: the mean of both
            means. Default: ``False``.
        distance_metric (str): ``"euclidean"``, ``"chessboard"`` or ``"taxicab"``. Default:
            ``"euclidean"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `distance_metric` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.MeanSurfaceDistance()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[1, 1, 0, 0]]), ms.Tensor([[0, 0, 0, 1]]), 1)
        >>> print(metric.eval())
        2.5
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = boolean(type(self).__name__, "symmetric", symmetric)

    def eval(self) -> Any:
        """The mean distance; infinite if one of the regions is empty.

        Raises:
            RuntimeError: there are no samples yet.
        """
        there, back = self._distances()
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        return np.mean((there.mean(), back.mean())) if self.symmetric else there.mean()


class RootMeanSquareDistance(_OutlineMetric):
    """The mean of the squared distances of the predicted outline to the true outline.

    Args:
        symmetric (bool): whether distances from truth to prediction count as well: the root of the
            mean of both means. Default: ``False``, which takes no root.
        distance_metric (str): ``"euclidean"``, ``"chessboard"`` or ``"taxicab"``. Default:
            ``"euclidean"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `distance_metric` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10, which takes the root only if `symmetric` is True.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.RootMeanSquareDistance()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[1, 1, 0, 0]]), ms.Tensor([[0, 0, 0, 1]]), 1)
        >>> print(metric.eval())
        6.5
    """

    _label_error = TypeError

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = boolean(type(self).__name__, "symmetric", symmetric)

    def eval(self) -> Any:
        """The mean of squares, or its root; infinite if one of the regions is empty.

        Raises:
            RuntimeError: there are no samples yet.
        """
        there, back = self._distances()
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        squares = (there**2).mean()
        return np.sqrt(np.mean((squares, (back**2).mean()))) if self.symmetric else squares
