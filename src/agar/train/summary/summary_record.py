"""SummaryRecord: values of a training, written into event files.

NOTE Files. MindSpore writes messages of its own, which only MindInsight reads; agar writes those
of TensorBoard into files of MindSpore's names. TensorBoard knows its files by the word "tfevents"
in the name, so that stands behind the host.
"""

from __future__ import annotations

import atexit
import json
import os
import platform
import time
from collections.abc import Callable
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np

from agar import log
from agar._checkparam import check_str_by_regular
from agar._core.errors import missing_feature
from agar._core.tensor import Tensor
from agar._core.tfrecord import record
from agar.nn.cell import Cell
from agar.ops.python.summary import take
from agar.train._utils import _make_directory, check_value_type
from agar.train.summary import _events

__all__ = ["SummaryRecord"]

_OWNER = "SummaryRecord"
_VALUES = ("tensor", "scalar", "image", "histogram")
_LINEAGE = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data")
_PLUGINS = (*_VALUES, *_LINEAGE, "graph", "landscape")
_VERSION = "brain.Event:2"  # of the messages; TensorBoard looks for it


def process_export_options(export_options: Any) -> dict[str, str | None] | None:
    """Check which values are to be written into files of their own as well.

    Raises:
        TypeError: they are not dict of str to str or None.
        ValueError: a key is not "tensor_format", or its value neither "npy" nor None.
    """
    if export_options is None:
        return None
    check_value_type("export_options", export_options, [dict, type(None)])
    for option, chosen in export_options.items():
        check_value_type("export_option", option, [str])
        check_value_type("export_format", chosen, [str, type(None)])
        if option != "tensor_format":
            raise ValueError(
                f"For '{_OWNER}', 'export_options' must have no key but 'tensor_format', but got "
                f"'{option}'."
            )
        if chosen not in ("npy", None):
            raise ValueError(
                f"For '{_OWNER}', export_options['{option}'] must be 'npy' or None, but got "
                f"'{chosen}'."
            )
    return dict(export_options)


class _File:
    """An event file, made when the first message comes, and readable only once it is closed."""

    def __init__(self, path: str, most: int | None) -> None:
        self.path = path
        self._left = most
        self._file: BinaryIO | None = None
        self._full = False

    def write(self, message: bytes) -> None:
        """Append a message, unless the file has grown to its limit."""
        if self._full:
            return
        if self._file is None:
            self._file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600), "ab")
            self._put(_events.event(time.time(), version=_VERSION))
        self._put(message)

    def _put(self, message: bytes) -> None:
        data = record(message)
        if self._left is not None:
            if len(data) > self._left:
                self._full = True
                log.warning(
                    f"'max_file_size' is reached: {self._left} bytes remain of '{self.path}', and "
                    f"{len(data)} are to be written; nothing more is written into it."
                )
                return
            self._left -= len(data)
        assert self._file is not None
        self._file.write(data)

    def flush(self) -> None:
        """Give the system what was written."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file and make it read-only."""
        if self._file is not None:
            self._file.close()
            self._file = None
            os.chmod(self.path, 0o400)


class SummaryRecord:
    """Writes numbers, images, tensors and histograms of a training for TensorBoard.

    What summary operators such as :class:`agar.ops.ScalarSummary` were called with, and what
    :meth:`add_value` was given, is written by :meth:`record`. Show the directory with
    ``tensorboard --logdir DIR``. One record is open at a time; close it, or use it in a ``with``.

    Args:
        log_dir (str): the directory; it is created if it does not exist.
        file_prefix (str): the beginning of file names. Default: ``"events"``.
        file_suffix (str): the end of file names. Default: ``"_MS"``.
        num_process (int): accepted; values are written by the process that calls.
            Default: ``32``.
        network (Cell): the network whose text is written with the first record.
            Default: ``None``.
        max_file_size (int): the maximal size of a file in bytes; None for no limit. Default:
            ``None``.
        raise_exception (bool): whether an error of writing is raised; otherwise it is logged.
            Default: ``False``.
        export_options (Union[None, dict]): ``{"tensor_format": "npy"}`` writes tensors into
            ``export_TIME/tensor/NAME_STEP.npy`` as well. Default: ``None``.

    Raises:
        TypeError: `log_dir`, `file_prefix` or `file_suffix` is not a str, `max_file_size` is not an
            int, `raise_exception` is not a bool, `export_options` is not a dict.
        ValueError: `file_prefix` or `file_suffix` contains characters that a file name cannot have,
            or `export_options` has another key or value.
        RuntimeError: another record is open.

    Difference from PyTorch: ``torch.utils.tensorboard.SummaryWriter`` takes the step with every
    value, and writes at once.

    Source: MindSpore 2.10's documentation, with the files of TensorBoard: MindSpore's are for
    MindInsight. Their names hold "tfevents" as well, by which TensorBoard knows them.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with ms.SummaryRecord(folder) as summary:
        ...         summary.add_value("scalar", "loss", ms.Tensor(0.5))
        ...         summary.record(step=1)
        True
    """

    count = 0  # open ones

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Cell | None = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, str | None] | None = None,
    ) -> None:
        if SummaryRecord.count > 0:
            raise RuntimeError(
                f"For '{_OWNER}', only one instance can be open in a process, and one is; close it "
                "first."
            )
        directory = _make_directory(log_dir, "log_dir")
        if max_file_size is not None and not isinstance(max_file_size, int):
            raise TypeError(
                f"For '{_OWNER}', the 'max_file_size' should be int type, but got type "
                f"{type(max_file_size).__name__}."
            )
        for name, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            if not isinstance(value, str):
                raise TypeError(
                    f"For '{_OWNER}', '{name}' should be str, but got type {type(value).__name__}."
                )
            check_str_by_regular(value)
        if max_file_size is not None and max_file_size < 0:
            log.warning(
                f"For '{_OWNER}', the 'max_file_size' should be greater than 0, but got "
                f"{max_file_size}; files get no limit."
            )
            max_file_size = None
        check_value_type("raise_exception", raise_exception, bool)
        self._export_options = process_export_options(export_options)
        self.network = network
        self.raise_exception = raise_exception
        self._mode = "train"
        self._closed = False
        self._has_graph = False
        self._waiting: dict[tuple[str, str], Any] = {}

        begun = int(time.time())
        while True:
            middle = f".out.events.summary.{begun}.{_rank()}.{platform.node()}.tfevents"
            self._log_dir = os.path.join(directory, f"{file_prefix}{middle}{file_suffix}")
            if not os.path.exists(self._log_dir):
                break
            begun += 1  # a record of the same second
        self._export_dir = os.path.join(directory, f"export_{begun}", "tensor")
        self._values = _File(self._log_dir, max_file_size)
        lineage = os.path.join(directory, f"{file_prefix}{middle}_lineage")
        self._lineage = _File(lineage, max_file_size)
        take()  # what came before is not of this record
        SummaryRecord.count += 1
        atexit.register(self.close)

    def __enter__(self) -> SummaryRecord:
        if self._closed:
            raise ValueError(f"For '{_OWNER}', SummaryRecord has been closed; make a new one.")
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def set_mode(self, mode: str) -> None:
        """Say what the network does: only in training are values of summary operators recorded.

        Args:
            mode (str): "train" or "eval".

        Raises:
            ValueError: it is another.
        """
        if mode not in ("train", "eval"):
            raise ValueError(
                f"For '{_OWNER}.set_mode', {mode!r} is not a recognized mode, expect the parameter "
                '"mode" is "train" or "eval".'
            )
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keep a value for the next :meth:`record`; of two under one name, the newer one.

        Args:
            plugin (str): what it is: "scalar" (a Tensor of one element), "image" (a Tensor of
                shape (N, C, H, W), C 1 or 3), "tensor" or "histogram" (a Tensor of at least one
                axis), "graph" (a text or a Cell), or "train_lineage", "eval_lineage",
                "dataset_graph", "custom_lineage_data" (a dict or a message of protobuf, written as
                text).
            name (str): its name.
            value (Union[Tensor, str, Cell, dict]): the value.

        Raises:
            ValueError: `plugin` is another; `name` is not a str or empty; `value` has another
                shape.
            TypeError: `value` has the wrong type.
            NotImplementedError: `plugin` is "landscape".
        """
        if not isinstance(plugin, str) or plugin.lower() not in _PLUGINS:
            raise ValueError(
                f"For '{_OWNER}.add_value', no such 'plugin' of {plugin!r}, expect value is one of "
                f"{list(_PLUGINS)}."
            )
        plugin = plugin.lower()
        if plugin == "landscape":
            raise missing_feature(
                f"{_OWNER}.add_value('landscape', ...)",
                "MindInsight draws it, and TensorBoard has nothing of the kind",
                "let SummaryLandscape write it, or draw the loss into an image, and add that",
            )
        if plugin in _VALUES:
            if not name or not isinstance(name, str):
                raise ValueError(
                    f"For '{_OWNER}', the parameter 'name' should be a str that is not empty, but "
                    f"got {name!r}."
                )
            result: Any = _array(plugin, value)
        else:
            result = _text(plugin, value)
        if (plugin, name) in self._waiting:
            log.warning(
                f"For '{_OWNER}.add_value', '{name}/{plugin}' has duplicate values. Only the "
                "newest one will be recorded."
            )
        self._waiting[plugin, name] = result

    def record(
        self,
        step: int,
        train_network: Cell | None = None,
        plugin_filter: Callable[[str], bool] | None = None,
    ) -> bool:
        """Write what was kept.

        Args:
            step (int): the step that the values belong to.
            train_network (Cell): the network whose text is written, once, if the record was made
                with a `network`. Default: ``None``, that network.
            plugin_filter (Callable[[str], bool]): tells for each plugin whether its values are
                written; the others are dropped. Default: ``None``, all.

        Returns:
            bool, whether it was written.

        Raises:
            TypeError: `step` is not an int, or `train_network` is not a Cell.
            OSError: writing fails, and `raise_exception` is True.
        """
        check_value_type("step", step, int)
        check_value_type("train_network", train_network, [Cell, type(None)])
        if self._closed:
            log.error(f"For '{_OWNER}', the record is closed; nothing is written.")
            return False
        if self.network is not None and not self._has_graph:
            self.add_value("graph", "graph", train_network or self.network)
            self._has_graph = True
        if self._mode == "train":
            newest = {(kind, name): value for kind, name, value in take()}
            for (kind, name), value in newest.items():
                self.add_value(kind.removesuffix("Summary").lower(), name, Tensor(value))
        waiting, self._waiting = self._waiting, {}
        try:
            self._write(step, waiting, plugin_filter)
        except OSError as error:
            if self.raise_exception:
                raise
            log.error(f"For '{_OWNER}', the values of step {step} were not written: {error}")
            return False
        return True

    def _write(
        self,
        step: int,
        waiting: dict[tuple[str, str], Any],
        expected: Callable[[str], bool] | None,
    ) -> None:
        now = time.time()
        values: list[bytes] = []
        lineage: list[bytes] = []
        for (plugin, name), value in waiting.items():
            if expected is not None and not expected(plugin):
                continue
            if plugin in _LINEAGE:
                lineage.append(_events.text(name or plugin, value))
            elif plugin == "graph":
                values.append(_events.text(name or plugin, value))
            elif plugin == "image" and (value.shape[1] not in (1, 3) or not value.size):
                log.error(
                    f"For '{_OWNER}', an image must have 1 or 3 channels and a size, but '{name}' "
                    f"has shape {value.shape}; it is left out."
                )
            else:
                values.append(_events.ENCODERS[plugin](name, value))
                if plugin == "tensor" and (self._export_options or {}).get("tensor_format"):
                    self._export(step, name, value)
        if values:
            self._values.write(_events.event(now, step, values=tuple(values)))
        if lineage:
            self._lineage.write(_events.event(now, step, values=tuple(lineage)))

    def _export(self, step: int, name: str, value: np.ndarray) -> None:
        os.makedirs(self._export_dir, exist_ok=True)
        np.save(os.path.join(self._export_dir, f"{quote(name, safe='')}_{step}.npy"), value)

    @property
    def log_dir(self) -> str:
        """The full path of the file, which is made when the first value is written."""
        return self._log_dir

    def flush(self) -> None:
        """Flush what was recorded to disk."""
        if self._closed:
            log.error(f"For '{_OWNER}', the record is closed and cannot be flushed.")
            return
        self._values.flush()
        self._lineage.flush()

    def close(self) -> None:
        """Write what is left, and close the files."""
        if self._closed:
            return
        self._closed = True
        SummaryRecord.count -= 1
        atexit.unregister(self.close)
        self._values.close()
        self._lineage.close()


def _rank() -> int:
    number = os.environ.get("RANK_ID", os.environ.get("RANK", "0"))
    return int(number) if number.isdigit() else 0


def _array(plugin: str, value: Any) -> np.ndarray:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{_OWNER}', the parameter 'value' expect to be Tensor, but got "
            f"{type(value).__name__}."
        )
    array = value.asnumpy().copy()
    if plugin == "scalar" and array.size != 1:
        expected = "one element"
    elif plugin == "image" and array.ndim != 4:
        expected = "4 axes, (N, C, H, W)"
    elif plugin in ("tensor", "histogram") and not array.ndim:
        expected = "at least one axis"
    else:
        return array
    raise ValueError(
        f"For '{_OWNER}', a value of '{plugin}' must have {expected}, but got shape {array.shape}."
    )


def _text(plugin: str, value: Any) -> str:
    """Text as TensorBoard shows it: in Markdown, a block with its own lines."""
    if plugin == "graph":
        check_value_type("value", value, [str, Cell])
        lines = str(value)
    elif isinstance(value, dict):
        lines = json.dumps(value, indent=2, default=str)
    elif hasattr(value, "SerializeToString"):
        lines = str(value)
    else:
        raise TypeError(
            f"For '{_OWNER}', plugin '{plugin}' expects a dict or a message of protobuf, but got "
            f"{type(value).__name__}."
        )
    return "\n".join(f"    {line}" for line in lines.splitlines())
