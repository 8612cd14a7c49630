"""ModelCheckpoint and its configuration."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from typing import Any

from agar import log
from agar._core.errors import describe
from agar._core.files import remove
from agar._core.random.generator import Generator
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer
from agar.train._background import background
from agar.train._utils import _make_directory
from agar.train.callback._callback import Callback, RunContext, step_in_epoch

__all__ = ["CheckpointConfig", "ModelCheckpoint"]


class CheckpointConfig:
    """When and how :class:`ModelCheckpoint` saves.

    Args:
        save_checkpoint_steps (int): steps between saves; 0 for none. Default: ``1``.
        save_checkpoint_seconds (int): seconds between saves, used if `save_checkpoint_steps` is 0.
            Default: ``0``.
        keep_checkpoint_max (int): how many files are kept; the oldest are removed first. With 0 the
            next argument counts. Default: ``5``.
        keep_checkpoint_per_n_minutes (int): if `keep_checkpoint_max` is 0, keep one file per so
            many minutes, and the last one; if this is 0 as well, one file is kept. Default: ``0``.
        integrated_save (bool): accepted. Default: ``True``.
        async_save (Union[bool, str]): whether a thread writes; see :func:`agar.save_checkpoint`.
            Default: ``False``.
        saved_network (Cell): the network that is saved; None for the train network. Default:
            ``None``.
        append_info (list): ``"epoch_num"``, ``"step_num"`` and one dictionary of values that are
            saved as well. Default: ``None``.
        enc_key (bytes): see :func:`agar.save_checkpoint`. Default: ``None``.
        enc_mode (str): see :func:`agar.save_checkpoint`. Default: ``"AES-GCM"``.
        exception_save (bool): whether a training that fails is saved. Default: ``False``.
        crc_check (bool): see :func:`agar.save_checkpoint`. Default: ``False``.
        remove_redundancy (bool): accepted, as one process has all parameters. Default: ``False``.
        format (str): ``"ckpt"`` or ``"safetensors"``. Default: ``"ckpt"``.
        **kwargs (Any): options of other versions, accepted.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or it is not given when to save and what to keep.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

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
        async_save: bool | str = False,
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
        numbers = (
            save_checkpoint_steps,
            save_checkpoint_seconds,
            keep_checkpoint_max,
            keep_checkpoint_per_n_minutes,
        )
        if not any(numbers):
            raise ValueError(
                f"For '{owner}', the arguments 'save_checkpoint_steps', 'save_checkpoint_seconds', "
                "'keep_checkpoint_max' and 'keep_checkpoint_per_n_minutes' can't be all None or 0."
            )
        for name, value in (
            ("integrated_save", integrated_save),
            ("exception_save", exception_save),
        ):
            boolean(owner, name, value)
        for name, value in (("crc_check", crc_check), ("remove_redundancy", remove_redundancy)):
            if not isinstance(value, bool):
                raise ValueError(
                    f"For '{owner}', the argument '{name}' must be bool, but got {describe(value)}."
                )
        if enc_key is not None and not isinstance(enc_key, bytes):
            raise ValueError(
                f"For '{owner}', the argument 'enc_key' must be None or bytes, but got "
                f"{describe(enc_key)}."
            )
        if not isinstance(async_save, (bool, str)):
            raise TypeError(
                f"For '{owner}', the argument 'async_save' must be bool or str, but got "
                f"{describe(async_save)}."
            )
        if async_save not in (True, False, "thread", "process"):
            raise ValueError(
                f"For '{owner}', the argument 'async_save' can only be True, False, 'thread' or "
                f"'process', but got {async_save!r}."
            )
        if format == "safetensors" and (crc_check or enc_key is not None):
            raise ValueError(
                f"For '{owner}', files of the 'format' 'safetensors' have no 'crc_check' and no "
                "'enc_key'; leave them out, or use the format 'ckpt'."
            )
        # the first of two rules that are both given holds
        self.save_checkpoint_steps = save_checkpoint_steps
        self.save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        if not keep_checkpoint_max and not keep_checkpoint_per_n_minutes:
            keep_checkpoint_max = 1
            self.keep_checkpoint_per_n_minutes = keep_checkpoint_per_n_minutes
        else:
            self.keep_checkpoint_per_n_minutes = (
                None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
            )
        self.keep_checkpoint_max = keep_checkpoint_max
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
    owner = "CheckpointConfig"
    if info is None or info == []:
        return None
    if not isinstance(info, list):
        raise TypeError(
            f"For '{owner}', the type of 'append_info' must be list, but got {type(info).__name__}."
        )
    entries: dict[str, Any] = {name: 0 for name in ("epoch_num", "step_num") if name in info}
    for item in info:
        if isinstance(item, str):
            if item not in ("epoch_num", "step_num"):
                raise ValueError(
                    f"For '{owner}', the names in 'append_info' must be 'epoch_num' or 'step_num', "
                    f"but got {item!r}; put values of your own into a dictionary."
                )
        elif not isinstance(item, dict):
            raise TypeError(
                f"For '{owner}', the elements of 'append_info' must be 'epoch_num', 'step_num' or "
                f"a dictionary, but got {describe(item)}."
            )
    values = [item for item in info if isinstance(item, dict)]
    if len(values) > 1:
        raise TypeError(
            f"For '{owner}', 'append_info' must have one dictionary, but got {len(values)}; put "
            "their values into one."
        )
    for key, value in (pair for item in values for pair in item.items()):
        if not isinstance(key, str):
            raise TypeError(
                f"For '{owner}', the keys of the dictionary in 'append_info' must be str, but got "
                f"{describe(key)}."
            )
        if not isinstance(value, (int, float, bool, str, Tensor, Generator)):
            raise TypeError(
                f"For '{owner}', the value of '{key}' in 'append_info' must be int, float, bool, "
                f"str, Parameter, Tensor or Generator, but got {describe(value)}."
            )
        entries[key] = value
    return entries


class ModelCheckpoint(Callback):
    """Saves the network while it is trained, as ``<prefix>-<epoch>_<step>.ckpt``.

    If files of that prefix are there when the callback is made, the prefix gets a number, so that
    nothing is overwritten. They are not counted and stay, as in MindSpore: each run of a program
    keeps its own files. With :class:`Resume`, a start that goes on continues the prefix and the
    count. A function as prefix returns whole names, ``<name>.ckpt``, of files that are all kept.

    Only files that the callback saved are removed: those in its own folder, by names of its own
    prefix. Links are not.

    Args:
        prefix (Union[str, Callable]): the beginning of file names, or a function of the run's
            parameters that gives names. Default: ``"CKP"``.
        directory (Union[str, Callable]): where files go, created if missing, or a function of the
            run's parameters that gives it; None for the working directory. Default: ``None``.
        config (CheckpointConfig): when and how to save. Default: ``None``, after each step.

    Raises:
        ValueError: `prefix` is not the name of a file.
        TypeError: `config` is not a CheckpointConfig, or `directory` is neither a str nor a
            function.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> folder = tempfile.mkdtemp()
        >>> save = ms.train.ModelCheckpoint("net", folder, ms.train.CheckpointConfig(100))
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
        self._config = CheckpointConfig() if config is None else config
        self._prefix = prefix
        self._directory = directory
        self._folder = ""
        if not callable(directory):
            folder = os.getcwd() if directory is None else _make_directory(directory)
            self._folder = os.path.realpath(folder)
        self._name = ""
        if not callable(prefix):
            self._name = prefix if callable(directory) else self._free_prefix(prefix)
        self._latest = ""
        self._files: list[tuple[str, float]] = []
        #: names of a state, until a function says which folder they are in
        self._homeless: list[tuple[str, float]] = []
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
        """The names of the files that were written, and how long ago."""
        now = time.monotonic()
        files = [*self._homeless, *self._files]
        return {
            "name": self._name,
            "latest": os.path.basename(self._latest),
            "files": [(os.path.basename(path), now - since) for path, since in files],
            "last_step": self._last_step,
            "waited": now - self._last_time,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue with the files that were written, as far as they are in the callback's folder.

        A state names files and no folders; of one that has paths, as agar wrote them once, the
        folders are left out. So a folder that was copied goes on by itself. Names that this
        callback does not give are not taken over, with a warning.

        Args:
            state (dict): what :meth:`state_dict` gave.
        """
        now = time.monotonic()
        name, latest = state["name"], _base_name(state["latest"])
        named = [(_base_name(path), float(age)) for path, age in state["files"]]
        last_step, waited = int(state["last_step"]), float(state["waited"])
        if callable(self._prefix):
            own: list[tuple[str, float]] = []
        else:
            fits = isinstance(name, str) and re.fullmatch(
                rf"{re.escape(self._prefix)}(_\d+)?", name
            )
            name = name if fits else self._name
            own = [(base, now - age) for base, age in named if self._is_name_of(name, base)]
        self._name = name if isinstance(name, str) else ""
        if len(own) < len(named):
            given = [base for base, _ in named if base not in dict(own)]
            log.warning(
                "For 'ModelCheckpoint', the state to go on with names files that the prefix "
                "'%s' does not give: %s; they are neither counted nor removed.",
                self._prefix,
                given[:5],
            )
        paths = [(os.path.join(self._folder, base), since) for base, since in own]
        self._files, self._homeless = ([], own) if callable(self._directory) else (paths, [])
        self._latest = os.path.join(self._folder, latest) if latest else ""
        self._last_step, self._last_time = last_step, now - waited

    @staticmethod
    def _is_name_of(prefix: str, base: str) -> bool:
        """Whether files of a prefix have such a name."""
        pattern = rf"{re.escape(prefix)}-\d+_\d+(_breakpoint)?\.(ckpt|safetensors)"
        return re.fullmatch(pattern, base) is not None

    def on_train_begin(self, run_context: RunContext) -> None:
        """Count steps from the start.

        Args:
            run_context (RunContext): the run.
        """
        self._params = run_context.original_args()
        self._last_step = 0
        self._last_time = time.monotonic()
        self.begin(run_context)

    def _free_prefix(self, prefix: str) -> str:
        """The prefix, with a number if files of it exist."""
        pattern = re.compile(rf"^{re.escape(prefix)}(?:_(\d+))?-\d+_\d+\.{self._config.format}$")
        items = [pattern.match(name) for name in os.listdir(self._folder)]
        numbers = [int(m[1] or 0) for m in items if m is not None]
        return f"{prefix}_{max(numbers) + 1}" if numbers else prefix

    def step_end(self, run_context: RunContext) -> None:
        """Save if it is time.

        Args:
            run_context (RunContext): the run.
        """
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

    def end(self, run_context: RunContext) -> None:
        """Save the end, and wait until all is written.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        config = self._config
        saves = config.save_checkpoint_steps or config.save_checkpoint_seconds
        if saves and params.cur_step_num != self._last_step:
            self._save(params)
        if config.async_save:
            background.finish()
            self._prune()

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Nothing: evaluations are not saved.

        Args:
            run_context (RunContext): the run.
        """

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Nothing: evaluations are not saved.

        Args:
            run_context (RunContext): the run.
        """

    def on_eval_end(self, run_context: RunContext) -> None:
        """Nothing: evaluations are not saved.

        Args:
            run_context (RunContext): the run.
        """

    def __exit__(self, *error: Any) -> None:
        if error and error[0] is not None and self._config.exception_save and self._params:
            self._save(self._params, "_breakpoint")

    def _path(self, params: Any, suffix: str) -> str:
        """The file of this step."""
        if callable(self._directory):
            self._folder = os.path.realpath(_make_directory(self._directory(params)))
            for base, since in self._homeless:
                if os.path.exists(path := os.path.join(self._folder, base)):
                    self._files.append((path, since))
            self._homeless = []
        step = f"{params.cur_epoch_num}_{step_in_epoch(params)}"
        if not callable(self._prefix):
            name = f"{self._name}-{step}{suffix}"
        else:
            name = self._prefix(params)
            if not isinstance(name, str) or "/" in name:
                raise ValueError(
                    "For 'ModelCheckpoint', the function 'prefix' must return a string that does "
                    f"not contain '/', but got {describe(name)}."
                )
            if suffix:
                name = f"{name}-{step}{suffix}"
        return os.path.join(self._folder, f"{name}.{self._config.format}")

    def _save(self, params: Any, suffix: str = "") -> None:
        from agar.train.serialization import save_checkpoint  # only trainings that save need it

        config = self._config
        if config.async_save:  # the file before is whole from here on: older ones may go
            background.finish()
            self._prune()
        append = config.append_dict
        if append is not None:
            counts = {"epoch_num": params.cur_epoch_num, "step_num": params.cur_step_num}
            append = {key: counts.get(key, value) for key, value in append.items()}
        path = self._path(params, suffix)
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
        now = time.monotonic()
        self._last_step = params.cur_step_num
        self._last_time = now
        self._latest = path
        params.last_save_ckpt_step = params.cur_step_num
        params.latest_ckpt_file = path
        if callable(self._prefix):  # whoever gives names decides which files are replaced
            return
        self._files = [item for item in self._files if item[0] != path]
        self._files.append((path, now))
        if not config.async_save:
            self._prune()

    def _prune(self) -> None:
        """Remove files beyond those that are kept."""
        if not self._files:
            return
        config = self._config
        minutes = config.keep_checkpoint_per_n_minutes
        *older, last = self._files
        if config.keep_checkpoint_max:
            gone = self._files[: -config.keep_checkpoint_max]
        elif minutes:  # of the running minutes the first file is kept, and the last one
            gone = [item for item in older if last[1] - item[1] < minutes * 60][1:]
        else:
            gone = []
        for item in gone:
            self._files.remove(item)
            if not remove(item[0]):
                log.warning(
                    "For 'ModelCheckpoint', '%s' is beyond the files that are kept and could not "
                    "be removed; it is no longer counted.",
                    item[0],
                )


def _base_name(path: Any) -> str:
    """The last part of a path of any system; empty if it is not a name."""
    base = re.split(r"[\\/]", path)[-1] if isinstance(path, str) else ""
    return "" if base in (".", "..") or "\0" in base else base
