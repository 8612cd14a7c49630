"""SummaryCollector."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from agar import log
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.loss.loss import LossBase
from agar.nn.optim.optimizer import Optimizer
from agar.ops.python.summary import take
from agar.train._utils import _make_directory, check_value_type
from agar.train.callback._callback import Callback, RunContext, loss_of
from agar.train.callback._checkpoint import ModelCheckpoint
from agar.train.serialization import save_checkpoint

if TYPE_CHECKING:
    from agar.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryCollector"]

_OWNER = "SummaryCollector"
_FEW = 5  # parameters whose values are collected unless a pattern says which
_MOST_TENSORS = 20  # steps of a run in which whole tensors are collected by default
_HYPER_CONFIG = "MINDINSIGHT_HYPER_CONFIG"

_DEFAULTS: dict[str, Any] = {
    "collect_metric": True,
    "collect_graph": True,
    "collect_train_lineage": True,
    "collect_eval_lineage": True,
    "collect_input_data": True,
    "collect_dataset_graph": True,
    "histogram_regular": None,
    "collect_landscape": {
        "landscape_size": 40,
        "unit": "step",
        "num_samples": 2048,
        "create_landscape": {"train": True, "result": True},
        "intervals": [list(range(1, 10)), list(range(10, 20))],
    },
}


class SummaryCollector(Callback):
    """Collects what a training does into event files, which TensorBoard shows.

    It collects the loss, the network's text, histograms of parameters, images that the network is
    given, what the run was made of, and the values of summary operators such as
    :class:`agar.ops.ScalarSummary`. In the first step, and then in every `collect_freq`-th.

    Args:
        summary_dir (str): the directory; it is created if it does not exist.
        collect_freq (int): steps from one collection to the next, positive. Default: ``10``.
        num_process (int): accepted; see :class:`agar.SummaryRecord`. Default: ``32``.
        collect_specified_data (Union[None, dict]): what is collected. Default: ``None``, all.

            - collect_metric, collect_graph, collect_train_lineage, collect_eval_lineage,
              collect_input_data, collect_dataset_graph (bool).
            - histogram_regular (Union[str, None]): a regular expression that the names of
              parameters match from their beginning; None for the first five.
            - collect_landscape (Union[dict, None]): with the keys landscape_size, unit ("step" or
              "epoch"), num_samples, create_landscape and intervals. In the steps or epochs of the
              intervals the parameters are saved in ``ckpt_dir``, and all of this at the end in
              ``ckpt_dir/train_metadata.json``.
        keep_default_action (bool): whether what `collect_specified_data` does not name is
            collected. Default: ``True``.
        custom_lineage_data (Union[dict, None]): str, int or float by name, written once.
            Default: ``None``.
        collect_tensor_freq (Optional[int]): the same as `collect_freq`, for values of
            TensorSummary. Default: ``None``, at most 20 times in a run.
        max_file_size (Optional[int]): the most bytes of a file; None for no limit.
            Default: ``None``.
        export_options (Union[None, dict]): see :class:`agar.SummaryRecord`. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument has another value or an unknown key; two collectors are in one
            list.

    Difference from PyTorch: no counterpart; loops write with
    ``torch.utils.tensorboard.SummaryWriter`` themselves.

    Source: MindSpore 2.10's documentation, with these differences: the text of the network is
    collected in PyNative mode as well, and what a run was made of is written as text.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> data = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.train(1, data, callbacks=ms.train.SummaryCollector(folder))
    """

    _record: SummaryRecord

    _state_names = ()

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: dict[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: dict[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, str | None] | None = None,
    ) -> None:
        super().__init__()
        # most programs write no summary
        from agar.train.summary.summary_record import process_export_options

        self._summary_dir = _make_directory(summary_dir, "summary_dir")
        self._collect_freq = _positive("collect_freq", collect_freq)
        self._tensor_freq = collect_tensor_freq
        if collect_tensor_freq is not None:
            _positive("collect_tensor_freq", collect_tensor_freq)
        self._max_file_size = max_file_size
        if max_file_size is not None:
            _positive("max_file_size", max_file_size)
        self._export_options = process_export_options(export_options)
        check_value_type("keep_default_action", keep_default_action, bool)
        self._collected = _specified(collect_specified_data, keep_default_action)
        landscape = self._collected.get("collect_landscape")
        check_value_type("collect_landscape", landscape, [dict, type(None)])
        self._landscape: dict[str, Any] = landscape or {}
        self._ckpt_dir = os.path.join(self._summary_dir, "ckpt_dir")
        self._saved: dict[str, str] = {}
        if self._landscape:
            _check_landscape(self._landscape)
            os.makedirs(self._ckpt_dir, exist_ok=True)
        self._custom = {**_hyper_config(), **_lineage("custom_lineage_data", custom_lineage_data)}
        self._num_process = num_process
        self._first_step = True
        self._told_run = False
        self._tensor_steps: range = range(0)

    def __enter__(self) -> SummaryCollector:
        from agar.train.summary.summary_record import SummaryRecord

        self._record = SummaryRecord(
            self._summary_dir,
            num_process=self._num_process,
            max_file_size=self._max_file_size,
            export_options=self._export_options,
        )
        self._first_step = True
        return self

    def __exit__(self, *error: Any) -> None:
        self._record.close()

    # ------------------------------------------------------------------------------ events

    def begin(self, run_context: RunContext) -> None:
        """Check that the run has one collector.

        Args:
            run_context (RunContext): the run.

        Raises:
            ValueError: it has several, or is neither a training nor an evaluation.
        """
        params = run_context.original_args()
        if sum(isinstance(c, SummaryCollector) for c in params.list_callback) > 1:
            raise ValueError(
                f"There are more than one {_OWNER} instance in callback list, but expected only "
                f"one {_OWNER} instance."
            )
        self._record.set_mode(params.mode)  # refuses other modes

    def step_end(self, run_context: RunContext) -> None:
        """Collect, if the step is one of those that are asked for.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        if params.mode != "train":
            return
        self._record.set_mode("train")  # an evaluation may have come between
        step = params.cur_step_num
        if not self._told_run:
            self._told_run = True
            self._tell_run(params)
        if self._first_step:
            self._first_step = False
            self._tensor_steps = self._tensor_range(params)
            self._collect(params, None)
            self._record.flush()
        else:
            due, tensors = step % self._collect_freq == 0, step in self._tensor_steps
            if due or tensors:
                which: Callable[[str], bool] | None = None
                if not due:
                    which = _is_tensor
                elif not tensors:
                    which = _is_no_tensor
                self._collect(params, which)
            else:
                take()  # operators' values of this step are not recorded: keep no memory for them
        self._keep_parameters(params, "step", step)

    def epoch_end(self, run_context: RunContext) -> None:
        """Save the parameters, if the epoch is one of a landscape, and flush files to disk.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        if params.mode == "train":
            self._keep_parameters(params, "epoch", params.cur_epoch_num)
        self._record.flush()

    def end(self, run_context: RunContext) -> None:
        """Write what the run was made of.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        train = params.mode == "train"
        if train and self._collected.get("collect_train_lineage"):
            self._record.add_value("train_lineage", "train_lineage", self._train_lineage(params))
        if not train and self._collected.get("collect_eval_lineage"):
            self._record.add_value("eval_lineage", "eval_lineage", _eval_lineage(params))
        if not train:
            take()  # operators' values of an evaluation are not recorded
        self._record.set_mode("eval")
        self._record.record(step=0)
        if train and self._landscape:
            self._save_metadata(params)

    # -------------------------------------------------------------------------- collecting

    def _collect(self, params: Any, which: Callable[[str], bool] | None) -> None:
        self._collect_input(params)
        self._collect_loss(params)
        self._collect_histograms(params)
        self._record.record(params.cur_step_num, plugin_filter=which)

    def _tell_run(self, params: Any) -> None:
        """What does not change from step to step."""
        if self._collected.get("collect_graph"):
            self._record.add_value("graph", "train_network/auto", params.train_network)
        if self._collected.get("collect_dataset_graph"):
            self._record.add_value(
                "dataset_graph", "train_dataset", _dataset(params.get("train_dataset"), "train")
            )
        if self._custom:
            self._record.add_value("custom_lineage_data", "custom_lineage_data", self._custom)

    def _tensor_range(self, params: Any) -> range:
        """The steps in which whole tensors are collected."""
        steps = params.epoch_num * params.batch_num or sys.maxsize - 1  # 0: not known yet
        if self._tensor_freq is not None:
            return range(0, steps + 1, self._tensor_freq)
        often = range(0, steps + 1, self._collect_freq)
        if len(often) <= _MOST_TENSORS:
            return often
        apart = steps // (_MOST_TENSORS - 1)
        if params.batch_num == 0:
            return often[:_MOST_TENSORS]
        if apart > 1:
            return range(0, steps + 1, apart)[:_MOST_TENSORS]
        return range(steps + 1)[: _MOST_TENSORS + 1]  # steps count from 1

    def _stop(self, what: str, why: str) -> None:
        self._collected[what] = False
        log.warning(f"{_OWNER} no longer collects '{what}': {why}")

    def _collect_input(self, params: Any) -> None:
        if not self._collected.get("collect_input_data"):
            return
        given = params.get("train_dataset_element")
        if isinstance(given, (list, tuple)) and given:
            given = given[0]
        if isinstance(given, Tensor) and given.ndim == 4 and given.shape[1] in (1, 3):
            self._record.add_value("image", "input_data/auto", given)
            return
        self._stop("collect_input_data", "the network's first input holds no images")

    def _collect_loss(self, params: Any) -> None:
        if not self._collected.get("collect_metric"):
            return
        loss = _loss(params)
        if loss is None:
            self._stop("collect_metric", "the network's first output is not a number")
            return
        self._record.add_value("scalar", "loss/auto", Tensor(np.float32(loss)))

    def _collect_histograms(self, params: Any) -> None:
        if "histogram_regular" not in self._collected:
            return
        optimizer = _optimizer(params)
        if optimizer is None:
            return
        pattern = self._collected["histogram_regular"]
        parameters = list(optimizer.parameters)
        if pattern is None:
            parameters = parameters[:_FEW]
        for parameter in parameters:
            if pattern is None or re.match(pattern, parameter.name):
                value = parameter if parameter.ndim else parameter.reshape((1,))
                self._record.add_value("histogram", f"{parameter.name}/auto", value)

    def _train_lineage(self, params: Any) -> dict[str, Any]:
        optimizer = _optimizer(params)
        rate = getattr(optimizer, "learning_rate", None)
        entries: dict[str, Any] = {
            "network": type(params.network).__name__,
            "loss": _loss(params),
            "loss_function": _name(_loss_fn(params)),
            "optimizer": _name(optimizer),
            "epoch": params.epoch_num,
            "step_num": params.cur_step_num,
            "parallel_mode": params.parallel_mode,
            "device_num": params.device_number,
            **_dataset(params.get("train_dataset"), "train"),
        }
        if isinstance(rate, Tensor):
            entries["learning_rate"] = float(rate.asnumpy().reshape(-1)[0])
        files = [c.latest_ckpt_file_name for c in params.list_callback if _saves(c)]
        if files and files[-1]:
            path = os.path.realpath(files[-1])
            entries["model_path"] = path
            entries["model_size"] = os.path.getsize(path) if os.path.isfile(path) else 0
        return entries

    # --------------------------------------------------------------------------- landscape

    def _keep_parameters(self, params: Any, unit: str, number: int) -> None:
        """Save the network's parameters if a landscape is to pass through this step."""
        expected = self._landscape
        if not expected or expected.get("unit", "step") != unit:
            return
        if not any(number in interval for interval in expected["intervals"]):
            return
        net = params.network if isinstance(params.network, Cell) else params.train_network
        path = os.path.join(self._ckpt_dir, f"{type(net).__name__}_{number}_{unit}.ckpt")
        self._saved[str(number)] = path
        save_checkpoint(net, path)

    def _save_metadata(self, params: Any) -> None:
        expected = self._landscape
        data = {
            "epoch_group": dict(enumerate(expected["intervals"])),
            "model_params_file_map": self._saved,
            "step_per_epoch": params.batch_num,
            "unit": expected.get("unit", "step"),
            "num_samples": expected.get("num_samples", 2048),
            "landscape_size": expected.get("landscape_size", 40),
            "create_landscape": expected.get("create_landscape", {"train": True, "result": True}),
        }
        path = os.path.join(self._ckpt_dir, "train_metadata.json")
        if not os.path.isfile(path):  # the first of several runs, as the files of its parameters
            with open(path, "w", encoding="utf-8") as file:
                json.dump(data, file)


# ------------------------------------------------------------------------------------ checks


def _positive(name: str, value: Any) -> int:
    check_value_type(name, value, int)
    if value <= 0:
        raise ValueError(
            f"For '{_OWNER}', the value of `{name}` should be greater than 0, but got `{value}`."
        )
    return value


def _known(what: str, given: dict[str, Any], known: dict[str, Any]) -> None:
    unknown = set(given) - set(known)
    if unknown:
        raise ValueError(
            f"For '{_OWNER}', the keys {unknown} of `{what}` are unsupported, expect the follow "
            f"keys: {list(known)}."
        )


def _specified(given: Any, keep_default: bool) -> dict[str, Any]:
    check_value_type("collect_specified_data", given, [dict, type(None)])
    given = given or {}
    for name in given:
        check_value_type(str(name), name, [str])
    _known("collect_specified_data", given, _DEFAULTS)
    for name, value in given.items():
        if name == "histogram_regular":
            check_value_type(name, value, (str, type(None)))
            try:
                re.compile(value or "")
            except re.error as error:
                raise ValueError(
                    f"For '{_OWNER}', the value of `histogram_regular` is not a valid regular "
                    f"expression: {error}."
                ) from error
        elif name != "collect_landscape":
            check_value_type(name, value, bool)
    return {**copy.deepcopy(_DEFAULTS), **given} if keep_default else dict(given)


def _check_landscape(given: dict[str, Any]) -> None:
    _known("collect_landscape", given, _DEFAULTS["collect_landscape"])
    size = given.get("landscape_size", 40)
    check_value_type("landscape_size", size, int)
    if not 3 <= size <= 256:
        raise ValueError(f"For '{_OWNER}', 'landscape_size' must be from 3 to 256, but got {size}.")
    unit = given.get("unit", "step")
    check_value_type("unit", unit, str)
    if unit not in ("step", "epoch"):
        raise ValueError(f"For '{_OWNER}', 'unit' must be 'step' or 'epoch', but got '{unit}'.")
    check_value_type("num_samples", given.get("num_samples", 2048), int)
    create = given.get("create_landscape", {})
    check_value_type("create_landscape", create, dict)
    _known("create_landscape", create, {"train": True, "result": True})
    for name, value in create.items():
        check_value_type(name, value, bool)
    intervals = given.get("intervals")
    check_value_type("intervals", intervals, list)
    for interval in intervals or []:
        check_value_type("each interval in intervals", interval, list)
        if len(interval) < 3:
            raise ValueError(
                f"For '{_OWNER}', each list in 'intervals' must hold at least three numbers, but "
                f"got {interval}."
            )
        for number in interval:
            check_value_type("each number in intervals", number, int)


def _lineage(what: str, given: Any) -> dict[str, Any]:
    check_value_type(what, given, [dict, type(None)])
    for key, value in (given or {}).items():
        check_value_type(f"{what} -> {key}", key, str)
        check_value_type(f"the value of {what} -> {key}", value, (int, str, float))
    return dict(given or {})


def _hyper_config() -> dict[str, Any]:
    """What a search over settings put into the environment."""
    text = os.environ.get(_HYPER_CONFIG)
    if text is None:
        return {}
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        log.warning(f"The environment's {_HYPER_CONFIG} is not JSON: {error}")
        return {}
    return _lineage("auto_custom_lineage_data", data.get("custom_lineage_data"))


# ------------------------------------------------------------------------- what a run is made of


def _is_tensor(plugin: str) -> bool:
    return plugin == "tensor"


def _is_no_tensor(plugin: str) -> bool:
    return plugin != "tensor"


def _saves(callback: Any) -> bool:
    return isinstance(callback, ModelCheckpoint)


def _name(value: Any) -> str | None:
    return None if value is None else type(value).__name__


def _loss(params: Any) -> float | None:
    loss = loss_of(params.get("net_outputs"))
    return float(loss) if isinstance(loss, (int, float, np.number)) else None


def _child(params: Any, kind: type) -> Any:
    """The first cell of a kind in the network that is trained."""
    network = params.get("train_network")
    cells = network.cells_and_names() if isinstance(network, Cell) else ()
    for _, cell in cells:
        if isinstance(cell, kind):
            return cell
        if isinstance(getattr(cell, "optimizer", None), kind):
            return cell.optimizer
    return None


def _optimizer(params: Any) -> Any:
    entry = params.get("optimizer")
    return entry if isinstance(entry, Optimizer) else _child(params, Optimizer)


def _loss_fn(params: Any) -> Any:
    entry = params.get("loss_fn")
    return entry if entry is not None else _child(params, LossBase)


def _dataset(dataset: Any, kind: str) -> dict[str, Any]:
    """What a dataset says of itself; any iterable is one, so it may say little."""
    entries: dict[str, Any] = {f"{kind}_dataset": type(dataset).__name__}
    if hasattr(dataset, "get_dataset_size") and hasattr(dataset, "get_batch_size"):
        entries["batch_size"] = dataset.get_batch_size()
        entries[f"{kind}_dataset_size"] = dataset.get_dataset_size() * entries["batch_size"]
    elif hasattr(dataset, "__len__"):
        entries[f"{kind}_rows"] = len(dataset)
    return entries


def _eval_lineage(params: Any) -> dict[str, Any]:
    results = params.get("eval_results") or {}
    shown = {name: str(value) for name, value in results.items()}
    return {"metrics": shown, **_dataset(params.get("valid_dataset"), "valid")}
