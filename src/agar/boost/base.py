"""Optimizers made anew with other groups of parameters, and principal components of weights."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

# Components are computed and stored as numpy arrays.
import numpy as np

from agar import log
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar.boost.less_batch_normalization import CommonHeadLastFN
from agar.nn.cell import Cell
from agar.nn.layer.conv import Conv2d
from agar.nn.optim.lars import LARS

__all__ = ["OptimizerProcess", "ParameterProcess"]


def _as_list(given: Any, owner: str) -> list[Any]:
    """The parameters or groups that an optimizer was given, checked."""
    members = list(given) if given is not None else []
    if not members:
        raise ValueError(f"For '{owner}', the optimizer got an empty parameter list.")
    if not isinstance(members[0], (dict, Parameter)):
        raise TypeError(
            f"For '{owner}', only a list of Parameters or dicts is supported, but got "
            f"{describe(members[0])}."
        )
    return members


class OptimizerProcess:
    """Makes an optimizer anew, with gradients that are centralized where that helps.

    Args:
        opt (Optimizer): an optimizer of agar.nn.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import boost, nn
        >>> net = nn.Dense(16, 1)
        >>> opt = nn.Momentum([{"params": net.trainable_params()}], 0.1, 0.9)
        >>> process = boost.OptimizerProcess(opt)
        >>> process.add_grad_centralization(net)
        >>> process.generate_new_optimizer().grad_centralization_flags
        (True, False)
    """

    def __init__(self, opt: Any) -> None:
        self.is_lars = isinstance(opt, LARS)
        single = opt.opt if self.is_lars else opt
        self.single_opt = single
        self.opt_class = type(single)
        self.opt_init_args = single.init_args
        if self.is_lars:
            self.lars_init_args = opt.init_args
        self.learning_rate = single.init_learning_rate
        self.origin_params = single.init_params["params"]

    @staticmethod
    def build_params_dict(network: Cell) -> dict[int, Cell]:
        """For each parameter, by its ``id``, the cell that has it.

        Args:
            network (Cell): the network.
        """
        return {
            id(p): cell
            for _, cell in network.cells_and_names()
            for p in cell.get_parameters(expand=False)
        }

    @staticmethod
    def build_gc_params_group(
        params_dict: dict[int, Cell], parameters: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Groups of parameters, each split in those to centralize and the others.

        Not centralized are ``beta``, ``gamma`` and ``bias``, the weights of convolutions in groups
        and those of :class:`CommonHeadLastFN`.

        Args:
            params_dict (dict): from :meth:`build_params_dict`.
            parameters (list[dict]): groups as an optimizer takes them.

        Returns:
            list[dict], the new groups.
        """

        def central(p: Parameter) -> bool:
            if any(part in p.name for part in ("beta", "gamma", "bias")):
                return False
            cell: Any = params_dict[id(p)]
            grouped = isinstance(cell, Conv2d) and cell.group > 1
            return not grouped and not isinstance(cell, CommonHeadLastFN)

        new_groups = []
        for group in parameters:
            if "order_params" in group:
                new_groups.append(group)
                continue
            members = list(group["params"])
            centered = [p for p in members if central(p)]
            others = [p for p in members if not central(p)]
            if centered:
                new_groups.append({**group, "params": centered, "grad_centralization": True})
            if others:
                new_groups.append({**group, "params": others})
        return new_groups

    def add_grad_centralization(self, network: Cell) -> None:
        """Mark the parameters whose gradients are to be centralized.

        Parameters without groups are left as they are, and a warning says so.

        Args:
            network (Cell): the network that has the parameters.

        Raises:
            ValueError: the optimizer has no parameters.
            TypeError: they are neither Parameters nor groups.
        """
        given = _as_list(self.origin_params, "OptimizerProcess")
        if isinstance(given[0], Parameter):
            log.warning("Only group parameters support gradient centralization.")
            return
        self.origin_params = self.build_gc_params_group(self.build_params_dict(network), given)

    def generate_new_optimizer(self) -> Any:
        """An optimizer of the same class and settings with the new groups."""
        rate = self.learning_rate
        if rate is None:
            rate = self.single_opt.learning_rate
        settings = self.opt_init_args
        new_opt = self.opt_class(params=self.origin_params, learning_rate=rate, **settings)
        return LARS(new_opt, **self.lars_init_args) if self.is_lars else new_opt


class ParameterProcess:
    """Puts parameters in the groups that an optimizer had, and marks where messages are split.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import boost, nn
        >>> every = nn.Dense(2, 1).trainable_params()
        >>> boost.ParameterProcess.generate_group_params(every[:1], every)[0]["params"] == every[:1]
        True
    """

    def __init__(self) -> None:
        self._parameter_indices = 1

    @staticmethod
    def generate_group_params(
        parameters: Sequence[Parameter], origin_params: Any
    ) -> list[dict[str, Any]]:
        """Groups of some parameters with the settings of the groups they were in.

        Parameters that were in none, by their names, go in a group with the settings of the one
        that has the most.

        Args:
            parameters (list[Parameter]): what is to be trained.
            origin_params (list): parameters or groups as an optimizer takes them.

        Returns:
            list[dict], groups as an optimizer takes them.

        Raises:
            ValueError: `origin_params` is empty.
            TypeError: it has neither Parameters nor groups in it.
        """
        given = _as_list(origin_params, "ParameterProcess")
        if isinstance(given[0], Parameter):
            return [{"params": list(parameters)}]
        by_name = {p.name: p for p in parameters}
        left = dict(by_name)
        new_groups: list[dict[str, Any]] = []
        richest: dict[str, Any] = {}
        for group in given:
            if "order_params" in group:
                new_groups.append({**group, "order_params": list(parameters)})
                continue
            members = [by_name[p.name] for p in group["params"] if p.name in by_name]
            for p in members:
                left.pop(p.name, None)
            new_groups.append({**group, "params": members})
            richest = max(richest, group, key=len)
        if left:
            new_groups.append({**richest, "params": list(left.values())})
        return [g for g in new_groups if "order_params" in g or g["params"]]

    def assign_parameter_group(self, parameters: Any, split_point: Any = None) -> Any:
        """Number parameters by the message in which their gradients are reduced (`comm_fusion`).

        Args:
            parameters (list[Parameter]): the parameters.
            split_point (list[int]): positions at which a new message begins. Default: ``None``,
                the middle.

        Returns:
            `parameters`.
        """
        if not isinstance(parameters, (list, tuple)) or not parameters:
            return parameters
        splits = split_point or [len(parameters) // 2]
        for i, p in enumerate(parameters):
            self._parameter_indices += i in splits
            p.comm_fusion = self._parameter_indices
        return parameters


# -------------------------------------------------------------------- principal components


def _local_path(path: str | Path, rank: int) -> str:
    return f"{str(path)[:-4]}_rank_{rank}.npy"


def _get_local_pca_mat_path(
    weight_load_dir: str | None,
    pca_mat_path: str | None,
    n_component: int,
    device_number: int,
    network: Cell,
) -> str:
    """Write each process's components to a file; gives the path of this process's.

    They are those of the file `pca_mat_path`, or of the checkpoints in `weight_load_dir`.
    """
    given = pca_mat_path is not None and pca_mat_path.endswith(".npy")
    if given and Path(str(pca_mat_path)).is_file():
        whole = Path(str(pca_mat_path))
    elif weight_load_dir is not None and Path(weight_load_dir).is_dir():
        whole, given = Path(weight_load_dir) / "pca_mat_temp.npy", False
    else:
        raise ValueError(
            "For 'AutoBoost', dim_reduce needs the 'pca_mat_path' of a .npy file, or a folder "
            f"'weight_load_dir' of checkpoints, but got {pca_mat_path!r} and {weight_load_dir!r}."
        )
    rank, size = (groups.world_rank, groups.world_size) if groups.inited else (0, 1)
    if rank % device_number == 0:
        if given:
            components = np.load(whole)
        else:
            weights = _load_weights(str(weight_load_dir), network)
            components = _compute_pca_mat(weights, n_component)
            np.save(whole, components)
        _save_local_pca_mat(components, whole, n_component, size)
    if size > 1:
        groups.barrier(WORLD)  # nobody reads what is not written yet, or from an earlier run
    return _local_path(whole, rank)


def _load_weights(weight_load_dir: str, network: Cell) -> np.ndarray:
    """The trainable parameters of each checkpoint in a folder, as rows."""
    # the reader of checkpoints is a part above this one, and needed here alone
    read = import_module("agar.train.serialization").load_checkpoint
    names = [p.name for p in network.trainable_params()]
    rows = []
    for file in sorted(Path(weight_load_dir).glob("*.ckpt")):
        stored = read(str(file))
        missing = [name for name in names if name not in stored]
        if missing:
            raise ValueError(
                f"For 'AutoBoost', the checkpoint '{file}' lacks the parameters {missing} of the "
                "network; leave only checkpoints of this network in 'weight_load_dir'."
            )
        rows.append(np.concatenate([stored[name].asnumpy().reshape(-1) for name in names]))
    if not rows:
        raise ValueError(f"For 'AutoBoost', there is no checkpoint in '{weight_load_dir}'.")
    return np.stack(rows)


def _compute_pca_mat(data: np.ndarray, n_component: int) -> np.ndarray:
    """The first principal components of rows, each with its largest element positive."""
    if data.shape[0] < n_component:
        raise ValueError(
            f"For 'AutoBoost', dim_reduce needs at least {n_component} checkpoints for as many "
            f"components, but got {data.shape[0]}."
        )
    centered = data.astype(np.float64) - data.mean(axis=0)
    components = np.linalg.svd(centered, full_matrices=False)[2][:n_component]
    largest = np.abs(components).argmax(axis=1)
    return components * np.sign(components[np.arange(len(components)), largest])[:, None]


def _save_local_pca_mat(
    components: np.ndarray, path: str | Path, n_component: int, size: int
) -> None:
    """Write the components of each process."""
    rows = n_component // size
    for rank in range(size):
        np.save(_local_path(path, rank), components[:n_component][rank * rows : (rank + 1) * rows])


def _load_local_pca_mat(local_pca_mat_path: str | None) -> np.ndarray:
    """This process's components."""
    if local_pca_mat_path is None:
        raise RuntimeError(
            "For 'BoostTrainOneStepCell', there are no components for dim_reduce yet: take network "
            "and optimizer from AutoBoost.network_auto_process_train, as Model does."
        )
    return np.load(local_pca_mat_path)
