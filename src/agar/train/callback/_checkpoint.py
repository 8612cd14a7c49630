"""ModelCheckpoint and its configuration."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from typing import Any

from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import integer
from agar.train.callback._callback import Callback, RunContext

__all__ = ["CheckpointConfig", "ModelCheckpoint"]


class CheckpointConfig:
    """When and how :class:`ModelCheckpoint` saves.

    Args:
        save_checkpoint_steps (int): steps between saves. Default: ``1``.
        save_checkpoint_seconds (int): seconds between saves, in place of steps; 0 for none.
            Default: ``0``.
        keep_checkpoint_max (int): how many files are kept, the oldest go first; 0 for all.
            Default: ``5``.
        keep_checkpoint_per_n_minutes (int): keep one file for so many minutes, in place of a
            number; 0 for none. Default: ``0``.
        integrated_save (bool): accepted. Default: ``True``.
        async_save (bool): whether a thread writes. Default: ``False``.
        saved_network (Cell): what is saved; None for the train network. Default: ``None``.
        append_info (list): ``"epoch_num"``, ``"step_num"`` and dictionaries of values that are
            saved as well. Default: ``None``.
        enc_key (bytes): see :func:`agar.save_checkpoint`. Default: ``None``.
        enc_mode (str): see :func:`agar.save_checkpoint`. Default: ``"AES-GCM"``.
        exception_save (bool): whether a training that fails is saved. Default: ``False``.
        crc_check (bool): see :func:`agar.save_checkpoint`. Default: ``False``.
        remove_redundancy (bool): accepted. Default: ``False``.
        format (str): ``"ckpt"`` or ``"safetensors"``. Default: ``"ckpt"``.
        **kwargs (Any): options of other versions, accepted.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> config = ms.train.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3)
        >>> config.keep_checkpoint_max
        3
    """

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_per_n_minutes: int | None = 0,
        integrated_save: bool = True,
        async_save: bool = False,
        saved_network: Cell | None = None,
        append_info: list[Any] | None = None,
        enc_key: bytes | None = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
        **kwargs: Any,
    ) -> None:
        owner = "CheckpointConfig"
        for name, value in (
            ("save_checkpoint_steps", save_checkpoint_steps),
            ("save_checkpoint_seconds", save_checkpoint_seconds),
            ("keep_checkpoint_max", keep_checkpoint_max),
            ("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes),
        ):
            if value is not None:
                integer(owner, name, value, 0)
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise TypeError(
                f"For '{owner}', the type of 'saved_network' must be None or Cell, but got "
                f"{type(saved_network).__name__}."
            )
        if format not in ("ckpt", "safetensors"):
            raise ValueError(
                f"For '{owner}', the 'format' must be 'ckpt' or 'safetensors', but got {format!r}."
            )
        self.save_checkpoint_seconds = save_checkpoint_seconds or None
        self.save_checkpoint_steps = (
            None if self.save_checkpoint_seconds else (save_checkpoint_steps or None)
        )
        self.keep_checkpoint_per_n_minutes = keep_checkpoint_per_n_minutes or None
        self.keep_checkpoint_max = (
            None if self.keep_checkpoint_per_n_minutes else (keep_checkpoint_max or None)
        )
        self.integrated_save = integrated_save
        self.async_save = async_save
        self.saved_network = saved_network
        self.append_dict = _append_dict(append_info)
        self.enc_key = enc_key
        self.enc_mode = enc_mode
        self.exception_save = exception_save
        self.crc_check = crc_check
        self.remove_redundancy = remove_redundancy
        self.format = format

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """When it saves and what it keeps, as a dictionary."""
        names = (
            "save_checkpoint_steps",
            "save_checkpoint_seconds",
            "keep_checkpoint_max",
            "keep_checkpoint_per_n_minutes",
            "saved_network",
        )
        return {name: getattr(self, name) for name in names}


def _append_dict(info: list[Any] | None) -> dict[str, Any] | None:
    if info is None:
        return None
    if not isinstance(info, list):
        raise TypeError(
            f"For 'CheckpointConfig', the type of 'append_info' must be list, but got "
            f"{type(info).__name__}."
        )
    found: dict[str, Any] = {}
    for item in info:
        if item in ("epoch_num", "step_num"):
            found[item] = 0
        elif isinstance(item, dict):
            for key, value in item.items():
                if not isinstance(value, (int, float, bool, str, Tensor)):
                    raise TypeError(
                        f"For 'CheckpointConfig', the value of '{key}' in 'append_info' must be "
                        f"int, float, bool, str, Parameter or Tensor, but got {describe(value)}."
                    )
            found.update(item)
        else:
            raise TypeError(
                "For 'CheckpointConfig', the elements of 'append_info' must be 'epoch_num', "
                f"'step_num' or dictionaries, but got {describe(item)}."
            )
    return found


class ModelCheckpoint(Callback):
    """Saves the network while it is trained, as ``<prefix>-<epoch>_<step>.ckpt``.

    If files of that prefix are there when the training begins, the prefix gets a number, so that
    nothing is overwritten.

    Args:
        prefix (Union[str, Callable]): the beginning of file names, or a function of the run's
            parameters that gives it. Default: ``"CKP"``.
        directory (Union[str, Callable]): where files go, made if missing; None for the working
            directory. Default: ``None``.
        config (CheckpointConfig): when and how. Default: ``None``, after each step.

    Raises:
        ValueError: `prefix` is no name of a file.
        TypeError: `config` is no CheckpointConfig.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> save = ms.train.ModelCheckpoint("net", "checkpoints", ms.train.CheckpointConfig(100))
    """

    def __init__(
        self,
        prefix: str | Callable[[Any], str] = "CKP",
        directory: str | Callable[[Any], str] | None = None,
        config: CheckpointConfig | None = None,
    ) -> None:
        super().__init__()
        if not callable(prefix) and not (isinstance(prefix, str) and "/" not in prefix):
            raise ValueError(
                "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, "
                f"it must be callable or string that does not contain '/', but got {prefix}."
            )
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(
                "For 'ModelCheckpoint', the type of argument 'config' should be "
                f"'CheckpointConfig', but got {type(config).__name__}."
            )
        self._prefix = prefix
        self._directory = os.getcwd() if directory is None else directory
        self._config = CheckpointConfig() if config is None else config
        self._latest = ""
        self._name = ""
        self._folder = ""
        self._files: list[tuple[str, float]] = []
        self._last_step = 0
        self._last_time = time.monotonic()
        self._params: Any = None

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the last file."""
        return self._latest

    @property
    def get_latest_ckpt_file_name(self) -> str:
        """The path of the last file; an older name."""
        return self._latest

    def state_dict(self) -> dict[str, Any]:
        """The files that were written, and how long ago."""
        now = time.monotonic()
        return {
            "name": self._name,
            "latest": self._latest,
            "files": [(path, now - since) for path, since in self._files],
            "last_step": self._last_step,
            "waited": now - self._last_time,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on with the files that were written."""
        now = time.monotonic()
        self._name, self._latest = state["name"], state["latest"]
        self._files = [(path, now - age) for path, age in state["files"]]
        self._last_step, self._last_time = state["last_step"], now - state["waited"]

    def begin(self, run_context: RunContext) -> None:
        """Nothing: evaluations are not saved."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Choose the folder and the prefix."""
        params = run_context.original_args()
        self._params = params
        folder = self._directory(params) if callable(self._directory) else self._directory
        self._folder = os.path.realpath(folder)
        os.makedirs(self._folder, exist_ok=True)
        prefix = self._prefix(params) if callable(self._prefix) else self._prefix
        self._name = self._free_prefix(prefix)
        self._files = []
        self._last_step = 0
        self._last_time = time.monotonic()

    def _free_prefix(self, prefix: str) -> str:
        """The prefix, with a number if files of it exist."""
        pattern = re.compile(rf"^{re.escape(prefix)}(?:_(\d+))?-\d+_\d+\.{self._config.format}$")
        found = [pattern.match(name) for name in os.listdir(self._folder)]
        numbers = [int(m[1] or 0) for m in found if m is not None]
        return f"{prefix}_{max(numbers) + 1}" if numbers else prefix

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Save if it is time."""
        params = run_context.original_args()
        config = self._config
        if config.save_checkpoint_steps:
            due = params.cur_step_num >= self._last_step + config.save_checkpoint_steps
        elif config.save_checkpoint_seconds:
            due = time.monotonic() - self._last_time > config.save_checkpoint_seconds
        else:
            due = False
        if due:
            self._save(params)

    def on_train_end(self, run_context: RunContext) -> None:
        """Save the end."""
        params = run_context.original_args()
        if params.cur_step_num != self._last_step:
            self._save(params)

    def __exit__(self, *error: Any) -> None:
        if error and error[0] is not None and self._config.exception_save and self._params:
            self._save(self._params, "_breakpoint")

    def _save(self, params: Any, suffix: str = "") -> None:
        from agar.train.serialization import save_checkpoint  # only trainings that save need it

        config = self._config
        append = config.append_dict
        if append is not None:
            counts = {"epoch_num": params.cur_epoch_num, "step_num": params.cur_step_num}
            append = {key: counts.get(key, value) for key, value in append.items()}
        name = (
            f"{self._name}-{params.cur_epoch_num}_{params.cur_step_in_epoch}{suffix}."
            f"{config.format}"
        )
        path = os.path.join(self._folder, name)
        network = config.saved_network
        if network is None:
            network = params.get("train_network") or params.network
        save_checkpoint(
            network,
            path,
            config.integrated_save,
            config.async_save,
            append,
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check,
            format=config.format,
        )
        self._last_step = params.cur_step_num
        self._last_time = time.monotonic()
        self._latest = path
        params.last_save_ckpt_step = params.cur_step_num
        params.latest_ckpt_file = path
        self._keep(path)

    def _keep(self, path: str) -> None:
        """Remove files beyond those that are kept."""
        config = self._config
        now = time.monotonic()
        if config.keep_checkpoint_per_n_minutes and self._files:
            # the file of the running minutes is replaced until they are over
            last, since = self._files[-1]
            if now - since < config.keep_checkpoint_per_n_minutes * 60:
                self._files[-1] = (path, since)
                _remove(last)
                return
        self._files.append((path, now))
        if config.keep_checkpoint_max:
            while len(self._files) > config.keep_checkpoint_max:
                _remove(self._files.pop(0)[0])


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.chmod(path, 0o600)
        os.remove(path)
