"""The loss around the way that a training took, over two directions of the parameters."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# Directions and grids are computed as numpy arrays.
import numpy as np

from agar._core.errors import describe
from agar._core.files import remove, remove_empty_folder
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.nn.metrics import get_metrics
from agar.train.callback._summary_collector import _check_landscape
from agar.train.serialization import load_checkpoint, load_param_into_net

__all__ = ["SummaryLandscape"]

_OWNER = "SummaryLandscape"
#: How far the grid goes beyond the way of the training; and in random directions, in all.
_MARGIN, _REACH = 0.2, 1.0
_METADATA = "train_metadata.json"
_KEYS = (
    "epoch_group",
    "model_params_file_map",
    "step_per_epoch",
    "unit",
    "num_samples",
    "landscape_size",
    "create_landscape",
)


@dataclass
class Landscape:
    """Losses on a grid.

    Attributes:
        name: of its values in the summary.
        decomposition: "PCA" or "Random".
        x: the coordinates of the columns.
        y: the coordinates of the rows.
        z: the losses.
        path: x, y and loss of the steps of the training, or None.
        center: x, y and loss of the parameters at the end.
    """

    name: str
    decomposition: str
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    path: np.ndarray | None
    center: np.ndarray


class SummaryLandscape:
    """Computes the loss around the way of a training, from what a SummaryCollector kept of it.

    With ``collect_landscape``, :class:`SummaryCollector` saves the parameters of chosen steps or
    epochs in the folder ``ckpt_dir`` of its summary. For each interval of them, the loss is
    computed over the two principal directions of the way; for ``"result"``, over two random
    directions around the last parameters, which numpy's generator draws.

    Args:
        summary_dir (str): the folder of the summary.

    Raises:
        TypeError: `summary_dir` is not a str.

    Difference from PyTorch: no counterpart.

    Source: Li et al. (2018), Visualizing the Loss Landscape of Neural Nets; behavior observed in
    MindSpore 2.10, whose MindInsight draws the result; here it is written for TensorBoard, as a
    picture (dark is low) and as tensors.

    Examples:
        >>> from agar.train import SummaryLandscape
        >>> SummaryLandscape("summary").clean_ckpt()
    """

    def __init__(self, summary_dir: str) -> None:
        if not isinstance(summary_dir, str):
            raise TypeError(
                f"For '{_OWNER}', the 'summary_dir' must be a str, but got {describe(summary_dir)}."
            )
        self._summary_dir = os.path.realpath(summary_dir)
        self._ckpt_dir = os.path.join(self._summary_dir, "ckpt_dir")

    # --------------------------------------------------------------------- public

    def clean_ckpt(self) -> None:
        """Delete the parameters that were saved for landscapes."""
        try:
            data = self._metadata()
        except FileNotFoundError:
            return
        own = [os.path.basename(path) for path in data["model_params_file_map"].values()]
        for name in (*own, _METADATA):
            remove(os.path.join(self._ckpt_dir, name))
        remove_empty_folder(self._ckpt_dir)

    def gen_landscapes_with_multi_process(
        self,
        callback_fn: Callable[[], tuple[Any, Any, Any, Any]],
        collect_landscape: dict[str, Any] | None = None,
        device_ids: Sequence[int] | None = None,
        output: str | None = None,
    ) -> None:
        """Compute the landscapes and write them to a summary.

        Args:
            callback_fn (Callable): takes nothing and gives the model, which has no optimizer, its
                network, the dataset and the metrics, with a :class:`Loss` under ``"Loss"``.
            collect_landscape (dict): what replaces the settings of the SummaryCollector, with the
                same keys. Default: ``None``.
            device_ids (list[int]): devices from 0 to 7, checked; the losses are computed in this
                process, one after the other. Default: ``None``.
            output (str): the folder to write to. Default: ``None``, that of the summary.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a setting is out of range, an interval has steps whose parameters were not
                saved, or the dataset is too small.
            FileNotFoundError: no SummaryCollector saved parameters in the folder.
        """
        from agar.train.summary.summary_record import SummaryRecord  # few programs need it

        _check_devices(device_ids)
        with SummaryRecord(output or self._summary_dir) as summary:
            for landscape in self._list_landscapes(callback_fn, collect_landscape):
                _write(summary, landscape)
                summary.record(0)

    # ----------------------------------------------------------------- settings

    def _metadata(self, changes: dict[str, Any] | None = None) -> dict[str, Any]:
        path = os.path.join(self._ckpt_dir, _METADATA)
        if not os.path.isfile(path):
            raise FileNotFoundError(
                f"For '{_OWNER}', there is no '{path}': train with a SummaryCollector whose "
                "collect_specified_data has 'collect_landscape' first."
            )
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        missing = [key for key in _KEYS if key not in data]
        if missing:
            raise ValueError(f"For '{_OWNER}', '{path}' lacks {missing}.")
        if changes is None:
            return data
        if not isinstance(changes, dict):
            raise TypeError(
                f"For '{_OWNER}', 'collect_landscape' must be a dict or None, but got "
                f"{describe(changes)}."
            )
        groups = list(data["epoch_group"].values())
        _check_landscape({"intervals": groups, **changes})
        data.update({key: value for key, value in changes.items() if key in data})
        if "intervals" in changes:
            data["epoch_group"] = dict(enumerate(changes["intervals"]))
        return data

    def _parameters(self, data: dict[str, Any], steps: Sequence[int]) -> list[dict[str, Any]]:
        """The saved parameters of steps, as arrays by name."""
        files = data["model_params_file_map"]
        unknown = [step for step in steps if str(step) not in files]
        if unknown:
            raise ValueError(
                f"For '{_OWNER}', no parameters were saved in the {data['unit']}s {unknown}; there "
                f"are those of {list(files)}."
            )
        # by name: the folder may have been moved since
        paths = [os.path.join(self._ckpt_dir, os.path.basename(files[str(s)])) for s in steps]
        stored: list[dict[str, Any]] = [load_checkpoint(path) for path in paths]
        return [{name: p.asnumpy() for name, p in values.items()} for values in stored]

    # -------------------------------------------------------------- computation

    def _list_landscapes(
        self, callback_fn: Callable[[], Any], changes: dict[str, Any] | None = None
    ) -> Iterator[Landscape]:
        """The landscapes, one after the other."""
        data = self._metadata(changes)
        size, kinds = data["landscape_size"], data["create_landscape"]
        losses = _Losses(callback_fn, data["num_samples"])
        intervals = list(data["epoch_group"].values())
        for steps in intervals if kinds.get("train", True) else ():
            way = self._parameters(data, steps)
            yield _around_way(f"landscape_[{steps[0]}, {steps[-1]}]", way, size, losses)
        if kinds.get("result", True):
            last = intervals[-1][-1]
            (center,) = self._parameters(data, [last])
            yield _around_end(f"landscape_[{last}]", center, size, losses)


class _Losses:
    """The loss of a model with other parameters."""

    def __init__(self, callback_fn: Callable[[], Any], num_samples: int) -> None:
        model, self.network, dataset, metrics = callback_fn()
        if model._optimizer is not None:
            raise ValueError(
                f"For '{_OWNER}', the model of 'callback_fn' must have no optimizer, with which "
                "each loss would train it; make it as Model(network, loss_fn, metrics=...)."
            )
        self.metrics = get_metrics(metrics)
        if "Loss" not in self.metrics:
            raise ValueError(
                f"For '{_OWNER}', the metrics of 'callback_fn' must have a Loss() under 'Loss', "
                f"but have {list(self.metrics)}."
            )
        batches = num_samples // dataset.get_batch_size()
        if not batches:
            raise ValueError(
                f"For '{_OWNER}', the 'num_samples' ({num_samples}) must be at least the batch "
                f"size of the dataset, {dataset.get_batch_size()}."
            )
        self.dataset = dataset.take(batches)
        self.step = model.train_network

    def at(self, center: dict[str, np.ndarray], move: dict[str, np.ndarray]) -> float:
        """The loss at a distance from some parameters."""
        moved = {
            name: Tensor((value + move[name]).astype(np.float32)) if name in move else Tensor(value)
            for name, value in center.items()
        }
        load_param_into_net(self.network, {n: Parameter(v, name=n) for n, v in moved.items()})
        for metric in self.metrics.values():
            metric.clear()
        self.step.set_train(True)
        for row in self.dataset.create_tuple_iterator():
            out = self.step(*row)
            for metric in self.metrics.values():
                metric.update(out[0] if isinstance(out, tuple) else out)
        return float(self.metrics["Loss"].eval())

    def grid(
        self, center: Any, v: Any, w: Any, xs: np.ndarray, ys: np.ndarray
    ) -> list[list[float]]:
        """The losses at all points of a grid, row by row."""
        return [[self.at(center, _move(v, w, x, y)) for x in xs] for y in ys]


def _move(v: dict[str, Any], w: dict[str, Any], x: float, y: float) -> dict[str, np.ndarray]:
    return {name: x * v[name] + y * w[name] for name in v}


def _trained(center: dict[str, np.ndarray]) -> list[str]:
    """The parameters that are moved: weights and biases, judged by name."""
    return [
        name for name in center if ("weight" in name or "bias" in name) and "moment" not in name
    ]


def _flat(values: dict[str, np.ndarray], names: list[str]) -> np.ndarray:
    return np.concatenate([values[name].reshape(-1) for name in names]).astype(np.float64)


def _direction(
    vector: np.ndarray, center: dict[str, np.ndarray], names: list[str]
) -> dict[str, np.ndarray]:
    """A vector cut into parameters, each as long as the parameter itself."""
    result, start = {}, 0
    for name in names:
        value = center[name]
        part = vector[start : start + value.size].reshape(value.shape).astype(np.float32)
        start += value.size
        length = np.linalg.norm(part)
        result[name] = part * (np.linalg.norm(value) / length) if length else part
    return result


def _principal(offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two principal directions of rows."""
    columns = offsets.T - offsets.T.mean(axis=0)
    u, s, _ = np.linalg.svd(columns, full_matrices=False)
    u *= np.sign(u[np.abs(u).argmax(axis=0), np.arange(u.shape[1])])
    return u[:, 0] * s[0], u[:, 1] * s[1]


def _span(axis: np.ndarray, size: int) -> np.ndarray:
    """Coordinates of a grid that goes beyond some points."""
    margin = _MARGIN * (axis.max() - axis.min())
    return np.linspace(axis.min() - margin, axis.max() + margin, size)


def _around_way(
    name: str, way: list[dict[str, np.ndarray]], size: int, losses: _Losses
) -> Landscape:
    """The landscape over the principal directions of a way."""
    center = way[-1]
    names = _trained(center)
    offsets = np.stack([_flat(values, names) for values in way]) - _flat(center, names)
    first, second = _principal(offsets[:-1])
    v, w = _direction(first, center, names), _direction(second, center, names)
    plane = np.stack([_flat(v, names), _flat(w, names)], axis=1)
    coordinates = np.linalg.lstsq(plane, offsets.T, rcond=None)[0].astype(np.float32)
    x_axis, y_axis = (_span(axis, size) for axis in coordinates)
    path = [losses.at(center, _move(v, w, x, y)) for x, y in coordinates.T]
    z = losses.grid(center, v, w, x_axis, y_axis)
    return Landscape(
        name,
        "PCA",
        x_axis,
        y_axis,
        np.array(z),
        np.stack([*coordinates, np.array(path)]),
        np.array([0.0, 0.0, path[-1]]),
    )


def _around_end(name: str, center: dict[str, np.ndarray], size: int, losses: _Losses) -> Landscape:
    """The landscape over two random directions."""
    names = _trained(center)
    count = sum(value.size for value in center.values())
    draws = [np.random.normal(size=count) for _ in range(2)]
    # numbers are drawn for all parameters, and those of the moved ones are used
    start, ends = 0, {}
    for key, value in center.items():
        ends[key] = slice(start, start + value.size)
        start += value.size
    v, w = (
        _direction(np.concatenate([draw[ends[n]] for n in names]), center, names) for draw in draws
    )
    axis = np.linspace(-_REACH, _REACH, size)
    z = np.array(losses.grid(center, v, w, axis, axis))
    middle = size // 2
    end = np.array([axis[middle], axis[middle], z[middle, middle]])
    return Landscape(name, "Random", axis, axis, z, None, end)


# --------------------------------------------------------------------------------- output


def _picture(z: np.ndarray) -> np.ndarray:
    """Losses as shades, of at least 8 pixels for each point; the first row is below."""
    finite = np.where(np.isfinite(z), z, np.nan)
    low, high = np.nanmin(finite), np.nanmax(finite)
    shades = np.nan_to_num((finite - low) / ((high - low) or 1.0), nan=1.0) * 255
    whole = np.kron(shades[::-1], np.ones((8, 8)))
    return whole[None, None].astype(np.uint8)


def _write(summary: Any, result: Landscape) -> None:
    values = {"x": result.x, "y": result.y, "z": result.z, "convergence_point": result.center}
    if result.path is not None:
        values["path"] = result.path
    for name, value in values.items():
        summary.add_value("tensor", f"{result.name}/{name}", Tensor(value.astype(np.float32)))
    summary.add_value("image", result.name, Tensor(_picture(result.z)))


def _check_devices(device_ids: Any) -> None:
    if device_ids is None:
        return
    if not isinstance(device_ids, (list, tuple)) or not all(type(i) is int for i in device_ids):
        raise TypeError(
            f"For '{_OWNER}', the 'device_ids' must be a list of ints, but got {device_ids!r}."
        )
    if any(not 0 <= i <= 7 for i in device_ids):
        raise ValueError(
            f"For '{_OWNER}', the 'device_ids' must be from 0 to 7, but got {device_ids}."
        )
