"""The end of a training that a signal asks for."""

from __future__ import annotations

import os
import signal
from typing import Any

from agar.log import warning
from agar.ops._checks import boolean, integer
from agar.train._utils import _make_directory
from agar.train.callback._callback import Callback, RunContext
from agar.train.serialization import export, load_checkpoint, save_checkpoint

__all__ = ["OnRequestExit"]


class OnRequestExit(Callback):
    """Ends training or evaluation after the step in which a signal came, and saves the network.

    A training that begins with the file of an earlier one loads it.

    Args:
        save_ckpt (bool): whether a checkpoint is saved. Default: ``True``.
        save_mindir (bool): whether the network is exported. Default: ``True``.
        file_name (str): the files' name; ``_train`` and ``_eval`` are added. Default: ``"Net"``.
        directory (str): their folder. Default: ``"./"``.
        config_file (str): a JSON file with ``{"GracefulExit": 1}`` that asks for the end too.
            Default: ``None``.
        sig (int): the signal. Default: ``signal.SIGTERM``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sig` is SIGKILL.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> stop = ms.train.OnRequestExit(directory=tempfile.mkdtemp())
        >>> stop.exit
        False
    """

    _state_names = ()

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: str = "./",
        config_file: str | None = None,
        sig: int = signal.SIGTERM,
    ) -> None:
        self.save_ckpt = boolean("OnRequestExit", "save_ckpt", save_ckpt)
        self.save_mindir = boolean("OnRequestExit", "save_mindir", save_mindir)
        self.sig = integer("OnRequestExit", "sig", sig)
        if hasattr(signal, "SIGKILL") and self.sig == signal.SIGKILL:
            raise ValueError("Not support send exit request by signal SIGKILL.")
        if not isinstance(file_name, str) or not file_name:
            raise TypeError(
                "For 'OnRequestExit', the 'file_name' must be a str that is not empty, but got "
                f"{file_name!r}."
            )
        self.exit = False
        self.key = "GracefulExit"
        self.config_file = config_file
        folder = _make_directory(directory)
        self.train_name = os.path.join(folder, f"{file_name}_train")
        self.eval_name = os.path.join(folder, f"{file_name}_eval")
        self._before: Any = None

    def _handle_signal(self, signum: int, frame: Any) -> None:
        self.exit = True

    def _listen(self) -> None:
        try:
            self._before = signal.signal(self.sig, self._handle_signal)
        except ValueError:
            warning("OnRequestExit hears no signal: only the main thread of a program does.")

    def _asked(self) -> bool:
        if self.config_file is not None and os.path.isfile(self.config_file):
            import json

            with open(self.config_file, encoding="utf-8") as stream:
                self.exit |= json.load(stream).get(self.key) == 1
        return self.exit

    def _save(self, network: Any, name: str, row: Any) -> None:
        if self.save_ckpt:
            save_checkpoint(network, name)
        if self.save_mindir:
            # a step writes into parameters, which no file holds; its network can be exported
            inner = getattr(network, "network", network)
            inner = getattr(inner, "backbone_network", inner)
            values = row if isinstance(row, (tuple, list)) else (row,)
            try:
                export(inner, values[0], file_name=name, file_format="MINDIR")
            except (RuntimeError, TypeError, NotImplementedError) as error:
                warning(f"OnRequestExit cannot export the network: {error}")

    def on_train_begin(self, run_context: RunContext) -> None:
        """Install the signal handler, and load the file of an earlier training, if there is one.

        Args:
            run_context (RunContext): the run.
        """
        self._listen()
        if self.save_ckpt and os.path.isfile(f"{self.train_name}.ckpt"):
            network = run_context.original_args().train_network
            load_checkpoint(f"{self.train_name}.ckpt", net=network)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Stop the training if it was requested.

        Args:
            run_context (RunContext): the run.
        """
        if self._asked():
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Stop the training if it was requested.

        Args:
            run_context (RunContext): the run.
        """
        self.on_train_step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """Save the network if the end was requested.

        Args:
            run_context (RunContext): the run.
        """
        self._restore()
        if self.exit:
            parameters = run_context.original_args()
            row = parameters.get("train_dataset_element")
            self._save(parameters.train_network, self.train_name, row)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Install the signal handler, and load the file of an earlier run, if there is one.

        Args:
            run_context (RunContext): the run.
        """
        self._listen()
        network = run_context.original_args().eval_network
        for name in (self.eval_name, self.train_name):
            if self.save_ckpt and os.path.isfile(f"{name}.ckpt"):
                load_checkpoint(f"{name}.ckpt", net=network)
                return

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Stop the evaluation if it was requested.

        Args:
            run_context (RunContext): the run.
        """
        if self._asked():
            run_context.request_stop()

    def on_eval_end(self, run_context: RunContext) -> None:
        """Save the network if the end was requested.

        Args:
            run_context (RunContext): the run.
        """
        self._restore()
        if self.exit:
            parameters = run_context.original_args()
            row = parameters.get("eval_dataset_element")
            self._save(parameters.eval_network, self.eval_name, row)

    def _restore(self) -> None:
        if self._before is not None:
            signal.signal(self.sig, self._before)
            self._before = None
