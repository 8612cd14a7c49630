"""OcclusionSensitivity."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import integer

__all__ = ["OcclusionSensitivity"]


class OcclusionSensitivity(Metric):
    """How much a network's score for a label falls when a part of the image is occluded.

    Args:
        pad_val (float): the value of occluded pixels. Default: ``0.0``.
        margin (Union[int, list]): how far the occlusion extends to either side of a pixel, for all
            axes or for each. Default: ``2``.
        n_batch (int): the number of occluded images in a batch. Default: ``128``.
        b_box (list): the first and last position of each axis, ``[min1, max1, min2, max2, ...]``,
            to which the analysis is limited; a negative last position is the end. Default:
            ``None``, the whole image.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10; Zeiler and Fergus 2014, "Visualizing and
    Understanding Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> weight = ms.Tensor([[0.0, 0, 0], [1, 2, 3]])
        >>> net = ms.nn.Dense(3, 2, weight_init=weight, has_bias=False)
        >>> metric = ms.train.OcclusionSensitivity(margin=1)
        >>> metric.clear()
        >>> metric.update(net, ms.Tensor([[1.0, 1.0, 1.0]]), ms.Tensor(1))
        >>> print(metric.eval())
        [1. 3. 5.]
    """

    def __init__(
        self, pad_val: float = 0.0, margin: Any = 2, n_batch: int = 128, b_box: Any = None
    ) -> None:
        super().__init__()
        owner = "OcclusionSensitivity"
        self.pad_val = check.float_only(owner, "pad_val", pad_val)
        self.margin = margin if isinstance(margin, list) else integer(owner, "margin", margin)
        self.n_batch = integer(owner, "n_batch", n_batch, 1)
        if b_box is not None and not isinstance(b_box, list):
            raise TypeError(
                f"For '{owner}', the type of 'b_box' must be list, but got "
                f"'{type(b_box).__name__}'."
            )
        self.b_box = b_box
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._baseline = 0.0
        self._scores: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Set the network, a batch of one image, and the label, in place of earlier ones.

        Args:
            inputs (tuple): the network (Cell); a batch of one image (Tensor, list or numpy array);
                and the label.

        Raises:
            ValueError: there are not 3 inputs, or `b_box` or `margin` do not fit the image.
            TypeError: the first input is not a Cell.
            RuntimeError: there is more than one image, or more than one label.
        """
        owner = "OcclusionSensitivity.update"
        if len(inputs) != 3:
            raise ValueError(
                f"For '{owner}', it needs 3 inputs (classification model, predicted value, "
                f"label), but got {len(inputs)}."
            )
        model, image, label = inputs[0], *(self._convert_data(v) for v in inputs[1:])
        if not isinstance(model, Cell):
            raise TypeError(f"For '{owner}', the model must be a Cell, but got {describe(model)}.")
        if image.shape[0] != 1 or label.size != 1:
            raise RuntimeError(
                f"For '{owner}', there must be one image (of shape (1, ...)) and one label, but "
                f"got shapes {image.shape} and {label.shape}."
            )
        chosen = int(label.reshape(()))
        sizes = image.shape[1:]
        first, last = self._box(sizes)
        margins = self.margin if isinstance(self.margin, list) else [self.margin] * len(sizes)
        if len(margins) != len(sizes):
            raise ValueError(
                f"For '{owner}', 'margin' must have a number for each of the {len(sizes)} axes of "
                f"the image, but got {self.margin}."
            )
        window = [stop - start + 1 for start, stop in zip(first, last, strict=True)]
        places = np.stack(np.unravel_index(np.arange(np.prod(window)), window), axis=1) + first
        self._baseline = self._ask(model, image, chosen).item()
        scores = []
        for start in range(0, len(places), self.n_batch):
            chunk = places[start : start + self.n_batch]
            covered = np.repeat(image, len(chunk), axis=0)
            for picture, place in zip(covered, chunk, strict=True):
                cover = tuple(
                    slice(max(0, p - m), min(n, p + m))
                    for p, m, n in zip(place, margins, sizes, strict=True)
                )
                picture[cover] = self.pad_val
            scores.append(self._ask(model, covered, chosen))
        self._scores = np.concatenate(scores).reshape(window)

    def _ask(self, model: Cell, images: np.ndarray, label: int) -> np.ndarray:
        return model(Tensor(images)).asnumpy()[:, label]

    def _box(self, sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """The first and last place of each axis."""
        shape = np.array(sizes)
        if self.b_box is None:
            return np.zeros_like(shape), shape - 1
        owner = "OcclusionSensitivity"
        if len(self.b_box) != 2 * len(sizes):
            raise ValueError(
                f"For '{owner}', 'b_box' must have two numbers for each of the {len(sizes)} axes "
                f"of the image, but got {len(self.b_box)}."
            )
        first, last = np.maximum(self.b_box[::2], 0), np.array(self.b_box[1::2])
        last = np.where(last < 0, shape - 1, last)
        if np.any(last >= shape):
            raise ValueError(
                f"For '{owner}', 'b_box' must be smaller than the image of {sizes}, but got "
                f"{self.b_box}."
            )
        if np.any(first > last):
            raise ValueError(
                f"For '{owner}', a first place in 'b_box' must not lie behind the last, but got "
                f"{self.b_box}."
            )
        return first, last

    def eval(self) -> np.ndarray:
        """By how much the score falls, for each position that is occluded.

        Raises:
            RuntimeError: there are no samples yet.
        """
        if self._scores is None:
            raise RuntimeError("For 'OcclusionSensitivity', call update before eval.")
        return self._baseline - np.squeeze(self._scores)
