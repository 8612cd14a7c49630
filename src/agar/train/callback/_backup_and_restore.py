"""A checkpoint from which an interrupted training goes on."""

from __future__ import annotations

import os

from agar._core.files import remove
from agar.ops._checks import boolean, integer
from agar.train._utils import _make_directory
from agar.train.callback._callback import Callback, RunContext
from agar.train.serialization import load_checkpoint, save_checkpoint

__all__ = ["BackupAndRestore"]


class BackupAndRestore(Callback):
    """Saves the training network after epochs, and loads it when a training begins again.

    Args:
        backup_dir (str): the folder of ``backup.ckpt``; it is created if it does not exist.
        save_freq (Union["epoch", int]): after how many epochs to save. Default: ``"epoch"``: each.
        delete_checkpoint (bool): whether the file is removed at the end. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `save_freq` is neither ``"epoch"`` nor positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1)
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
        >>> backup = ms.train.BackupAndRestore(tempfile.mkdtemp())
        >>> model.train(1, [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))], callbacks=backup)
    """

    _state_names = ()

    def __init__(
        self, backup_dir: str, save_freq: str | int = "epoch", delete_checkpoint: bool = True
    ) -> None:
        self.backup_file = os.path.join(_make_directory(backup_dir), "backup.ckpt")
        op_name = "BackupAndRestore"
        self.save_freq = 1 if save_freq == "epoch" else integer(op_name, "save_freq", save_freq, 1)
        self._owns_file = False
        self.delete_checkpoint = boolean(op_name, "delete_checkpoint", delete_checkpoint)

    def on_train_begin(self, run_context: RunContext) -> None:
        """Load the file, if there is one.

        Args:
            run_context (RunContext): the run.
        """
        if os.path.exists(self.backup_file):
            load_checkpoint(self.backup_file, net=run_context.original_args().train_network)
            self._owns_file = True

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Save the network if it is time.

        Args:
            run_context (RunContext): the run.
        """
        parameters = run_context.original_args()
        if parameters.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(parameters.train_network, self.backup_file)
            self._owns_file = True

    def on_train_end(self, run_context: RunContext) -> None:
        """Remove the file that was loaded or saved, if that was asked for.

        Args:
            run_context (RunContext): the run.
        """
        if self.delete_checkpoint and self._owns_file:
            remove(self.backup_file)
            self._owns_file = False
