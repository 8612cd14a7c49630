"""Metrics of PyTorch's world (torchmetrics, torcheval) as metrics of Model."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor, from_torch
from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["adapted"]


def adapted(metric: Any) -> Any:
    """A metric of PyTorch's world as a Metric; anything else as it is.

    Args:
        metric: what has ``update``, ``compute`` and ``reset`` is taken for such a metric.
    """
    known = all(callable(getattr(metric, name, None)) for name in ("update", "compute", "reset"))
    return _TorchMetric(metric) if known and not isinstance(metric, Metric) else metric


class _TorchMetric(Metric):
    """Hands PyTorch's tensors to a metric, and gives back numbers or Tensors.

    Args:
        metric: the metric; it is moved to the device of what it is given.
    """

    def __init__(self, metric: Any) -> None:
        super().__init__()
        self.metric = metric

    def clear(self) -> None:
        """Reset the metric."""
        self.metric.reset()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with a batch: predictions and targets, in the order of the metric."""
        given = [v.to_torch() if isinstance(v, Tensor) else v for v in inputs]
        first = next((v for v in given if hasattr(v, "device")), None)
        if first is not None and getattr(self.metric, "device", first.device) != first.device:
            self.metric.to(first.device)
        self.metric.update(*given)

    def eval(self) -> Any:
        """The value: a number, a Tensor, or a dict or list of these."""
        return _result(self.metric.compute())


def _result(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _result(v) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_result(v) for v in value]
    if hasattr(value, "numel"):
        return value.item() if value.ndim == 0 else from_torch(value.detach())
    return value
