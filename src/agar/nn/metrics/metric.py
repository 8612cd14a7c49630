"""The base classes of metrics."""

from __future__ import annotations

import functools
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar._core.tensor import Tensor

__all__ = ["EvaluationBase", "Metric", "is_one_hot", "rearrange_inputs"]


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of ``update``: take the inputs that :meth:`Metric.set_indexes` chose.

    Args:
        func (Callable): the method.

    Returns:
        Callable.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import Metric, rearrange_inputs
        >>> class Second(Metric):
        ...     def clear(self):
        ...         self.total = 0
        ...
        ...     @rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.total += inputs[0]
        ...
        ...     def eval(self):
        ...         return self.total
        >>> metric = Second().set_indexes([1])
        >>> metric.clear()
        >>> metric.update(5, 7)
        >>> metric.eval()
        7
    """

    @functools.wraps(func)
    def wrapper(self: Metric, *inputs: Any) -> Any:
        if self.indexes is not None:
            inputs = tuple(inputs[i] for i in self.indexes)
        return func(self, *inputs)

    return wrapper


def is_one_hot(y_pred: np.ndarray, y: np.ndarray) -> bool:
    """Whether labels are rows with a single one, of the shape of the predictions.

    Args:
        y_pred (numpy.ndarray): the predictions.
        y (numpy.ndarray): the labels.

    Returns:
        bool.
    """
    return (
        y_pred.ndim > 1
        and y_pred.shape == y.shape
        and bool(np.isin(y, (0, 1)).all() and (y.sum(axis=1) == 1).all())
    )


class Metric(metaclass=ABCMeta):
    """The base of metrics: ``clear``, then ``update`` with each batch, then ``eval``.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import Metric
        >>> class Count(Metric):
        ...     def clear(self):
        ...         self.count = 0
        ...
        ...     def update(self, *inputs):
        ...         self.count += len(inputs[0])
        ...
        ...     def eval(self):
        ...         return self.count
        >>> metric = Count()
        >>> metric.clear()
        >>> metric.update([1, 2])
        >>> metric.eval()
        2
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """The inputs that ``update`` takes, chosen by :meth:`set_indexes`."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Choose which of the inputs ``update`` takes, and in which order. Returns the metric.

        Args:
            indexes (list[int]): positions.

        Raises:
            ValueError: it is not a list of ints.
        """
        if not isinstance(indexes, list) or not all(type(i) is int for i in indexes):
            raise ValueError(
                "For 'set_indexes', the argument 'indexes' must be a list and all its elements "
                f"must be int, but got {indexes!r}."
            )
        self._indexes = indexes
        return self

    def _convert_data(self, data: Any) -> np.ndarray:
        """A Tensor, list or array as an array."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, list):
            return np.array(data)
        if isinstance(data, np.ndarray):
            return data
        raise TypeError(
            f"For '{type(self).__name__}', the inputs must be Tensors, lists or numpy arrays, but "
            f"got {describe(data)}."
        )

    def _arrays(self, inputs: tuple[Any, ...], names: str) -> list[np.ndarray]:
        """The inputs as arrays; `names` lists what is expected."""
        count = names.count(",") + 1
        if len(inputs) != count:
            word = "input" if count == 1 else "inputs"
            raise ValueError(
                f"For '{type(self).__name__}.update', it needs {count} {word} ({names}), but got "
                f"{len(inputs)}."
            )
        return [self._convert_data(v) for v in inputs]

    def _needs_samples(self, count: float) -> None:
        if not count:
            raise RuntimeError(
                f"The '{type(self).__name__}' can not be calculated, because the number of samples "
                "is 0; call update before eval."
            )

    @abstractmethod
    def clear(self) -> None:
        """Reset the metric."""

    @abstractmethod
    def eval(self) -> Any:
        """Compute the value over all updates since :meth:`clear`."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Update the metric with a batch, usually the prediction and the label.

        Args:
            inputs (tuple): usually the prediction and the label.
        """


class EvaluationBase(Metric):
    """The base of metrics over classes or labels.

    Args:
        eval_type (str): ``"classification"``, one class for each sample, or ``"multilabel"``, any
            number of labels for each.

    Raises:
        TypeError: `eval_type` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import Accuracy
        >>> from agar.nn.metrics import EvaluationBase
        >>> issubclass(Accuracy, EvaluationBase)
        True
    """

    def __init__(self, eval_type: str) -> None:
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise TypeError(
                f"For '{type(self).__name__}', the argument 'eval_type' must be "
                f"'classification' or 'multilabel', but got {eval_type!r}."
            )
        self._type = eval_type

    def _check(self, y_pred: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The labels, for classes as numbers, after checks of shapes and values."""
        name = type(self).__name__
        if self._type == "multilabel":
            if y_pred.shape != y.shape:
                raise ValueError(
                    f"For '{name}' of labels, prediction and label must have one shape, but got "
                    f"{y_pred.shape} and {y.shape}."
                )
            for what, values in (("prediction", y_pred), ("label", y)):
                if not np.isin(values, (0, 1)).all():
                    raise ValueError(f"For '{name}' of labels, the {what} must be 0 or 1.")
            return y
        if is_one_hot(y_pred, y):
            return y.argmax(axis=1)
        if y_pred.ndim != y.ndim + 1:
            raise ValueError(
                f"For '{name}', in classification case, the dimension of y_pred (predicted value) "
                "should equal to the dimension of y (true value) add 1, but got y_pred dimension: "
                f"{y_pred.ndim} and y dimension: {y.ndim}."
            )
        if y.shape != (y_pred.shape[0], *y_pred.shape[2:]):
            raise ValueError(
                f"For '{name}', in classification case the shape of y (true value) must be that of "
                "y_pred (predicted value) without its second dimension, but got y_pred shape "
                f"{y_pred.shape} and y shape {y.shape}."
            )
        classes = y_pred.shape[1]
        if y.size and (y.max() >= classes or y.min() < 0):
            raise ValueError(
                f"For '{name}', the labels must lie in [0, {classes}), but got "
                f"{y.min()} to {y.max()}."
            )
        return y
