"""The settings of boost: which of its ways a Model trains with."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

from agar.boost.base import OptimizerProcess, ParameterProcess, _get_local_pca_mat_path
from agar.boost.grad_freeze import GradientFreeze
from agar.boost.less_batch_normalization import LessBN
from agar.nn.cell import Cell
from agar.nn.optim.sgd import SGD

__all__ = ["AutoBoost"]

_boost_config_mode = ["auto", "manual", "enable_all", "disable_all"]
_WAYS = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")
_LEVELS: dict[str, frozenset[str]] = {
    "O0": frozenset(),
    "O1": frozenset({"less_bn", "grad_freeze"}),
    "O2": frozenset({"less_bn", "grad_freeze", "adasum"}),
}

#: The settings of the parts of a configuration: their names there, their attributes, defaults.
_SETTINGS: dict[str, tuple[str, Any]] = {
    "fn_flag": ("_fn_flag", True),
    "gc_flag": ("_gc_flag", True),
    "param_groups": ("_param_groups", 10),
    "freeze_type": ("_freeze_type", 1),
    "freeze_p": ("_freeze_p", 0.7),
    "total_steps": ("_total_steps", 65536),
    "gradient_split_groups": ("gradient_groups", None),
    "device_number": ("device_number", 8),
    "grad_accumulation_step": ("grad_accumulation_step", 1),
    "rho": ("rho", 0.55),
    "gamma": ("gamma", 0.9),
    "alpha": ("alpha", 0.001),
    "sigma": ("sigma", 0.4),
    "n_components": ("n_components", 32),
    "pca_mat_path": ("pca_mat_path", None),
    "weight_load_dir": ("weight_load_dir", None),
    "timeout": ("timeout", 1800),
}


class AutoBoost:
    """Which of boost's ways are used, and their settings: one object for the process.

    Levels ``"O1"`` and ``"O2"`` switch on ``less_bn`` and ``grad_freeze``, and O2 ``adasum`` as
    well. `boost_config_dict` has the part ``"boost"`` with ``mode``: ``"auto"`` for what the level
    says, ``"manual"`` for the switches ``less_bn``, ``grad_freeze``, ``adasum``,
    ``grad_accumulation``, ``dim_reduce`` and ``loss_scale_group`` beside it, ``"enable_all"`` or
    ``"disable_all"``. Settings stand in a part for each switch, which counts if that is on, and in
    ``"common"``:

    - common: gradient_split_groups (list[int] or int, None), device_number (8);
    - less_bn: fn_flag (True), whether dense heads are replaced; gc_flag (True), whether gradients
      are centralized;
    - grad_freeze: param_groups (10), freeze_type (1), freeze_p (0.7), total_steps (65536), see
      :class:`GradientFreeze`;
    - grad_accumulation: grad_accumulation_step (1);
    - dim_reduce: rho (0.55), gamma (0.9), alpha (0.001), sigma (0.4), n_components (32), see
      :class:`DimReduce`; pca_mat_path (None), weight_load_dir (None), a file of components or a
      folder of checkpoints to compute them from; timeout (1800), accepted: processes wait for the
      file at a barrier.

    ``dim_reduce`` excludes the other ways that change network or optimizer.

    Args:
        level (str): ``"O0"``, ``"O1"`` or ``"O2"``. Default: ``"O0"``.
        boost_config_dict (dict): the configuration. Default: ``""``, that of the level.

    Raises:
        ValueError: the level, the mode or a name is unknown, or gradient_split_groups is neither a
            list nor an int.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, where the first object's settings stay for good;
    here a later call with arguments replaces them.

    Examples:
        >>> from agar.boost import AutoBoost
        >>> settings = AutoBoost("O1", {"boost": {"mode": "auto"}})
        >>> settings.boost_config["grad_freeze"], settings.boost_config["adasum"]
        (True, False)
        >>> AutoBoost() is settings, AutoBoost().level
        (True, 'O1')
        >>> AutoBoost("O0").boost_config["grad_freeze"]
        False
    """

    _instance_lock = threading.Lock()
    _instance: ClassVar[Any] = None

    def __new__(cls, *args: Any, **kwargs: Any) -> AutoBoost:
        with cls._instance_lock:
            if AutoBoost._instance is None:
                instance = AutoBoost._instance = object.__new__(cls)
                instance.level = None
        return AutoBoost._instance

    def __init__(self, level: str | None = None, boost_config_dict: Any = "") -> None:
        if level is None and not boost_config_dict and self.level is not None:
            return  # asks for the settings that there are
        level = "O0" if level is None else level
        if level not in _LEVELS:
            raise ValueError(
                f"For 'AutoBoost', the 'level' must be one of {list(_LEVELS)}, but got {level!r}."
            )
        given = boost_config_dict or {}
        config = _switches(level, given)
        settings = _settings(given, config)
        self.level: str | None = level
        self.boost_config_dict = boost_config_dict
        self.boost_config = config
        self.local_pca_mat_path: str | None = None
        for name, (attribute, default) in _SETTINGS.items():
            setattr(self, attribute, settings.get(name, default))
        self._param_processer = ParameterProcess()

    def network_auto_process_train(self, network: Cell, optimizer: Any) -> tuple[Cell, Any]:
        """The network and the optimizer to train with.

        Args:
            network (Cell): the network; it is changed.
            optimizer (Optimizer): its optimizer.

        Returns:
            ``(network, optimizer)``.
        """
        on: Any = self.boost_config
        s: Any = self
        if on["dim_reduce"]:
            self.local_pca_mat_path = _get_local_pca_mat_path(
                s.weight_load_dir, s.pca_mat_path, s.n_components, s.device_number, network
            )
            optimizer = SGD(network.trainable_params(), learning_rate=1.0)
            optimizer.dim_reduce = True
            return network, optimizer
        if on["less_bn"]:
            network = LessBN(network, fn_flag=s._fn_flag)
            process = OptimizerProcess(optimizer)
            trained = self._param_processer.assign_parameter_group(
                network.trainable_params(), s.gradient_groups
            )
            process.origin_params = ParameterProcess.generate_group_params(
                trained, process.origin_params
            )
            if s._gc_flag:
                process.add_grad_centralization(network)
            optimizer = process.generate_new_optimizer()
        if on["grad_freeze"]:
            freeze = GradientFreeze(s._param_groups, s._freeze_type, s._freeze_p, s._total_steps)
            network, optimizer = freeze.freeze_generate(network, optimizer)
        if on["adasum"]:
            optimizer.adasum = True
        return network, optimizer

    def network_auto_process_eval(self, network: Cell) -> Cell:
        """The network to evaluate with.

        Args:
            network (Cell): the network.

        Returns:
            Cell, with ``less_bn`` in a :class:`LessBN`.
        """
        if self.boost_config["less_bn"] and not self.boost_config["dim_reduce"]:
            return LessBN(network)
        return network


def _switches(level: str, given: dict[str, Any]) -> dict[str, bool]:
    """Which ways are on."""
    part = given.get("boost", {})
    mode = part.get("mode", "auto")
    if mode not in _boost_config_mode:
        raise ValueError(f"The boost mode must be in {_boost_config_mode}, but got {mode}")
    unknown = [name for name in part if name != "mode" and name not in _WAYS]
    if unknown:
        raise ValueError(
            f"For 'AutoBoost', the part 'boost' has the switches {list(_WAYS)}, but got {unknown}."
        )
    result = {way: way in _LEVELS[level] for way in _WAYS}
    if mode == "manual":
        result.update({way: bool(part[way]) for way in _WAYS if way in part})
    elif mode != "auto":
        result.update(dict.fromkeys(_WAYS, mode == "enable_all"))
    return result


def _settings(given: dict[str, Any], on: dict[str, bool]) -> dict[str, Any]:
    """The settings of the parts that count."""
    result: dict[str, Any] = {}
    for part, values in given.items():
        if part == "boost":
            continue
        if part != "common" and part not in _WAYS:
            raise ValueError(
                f"For 'AutoBoost', the configuration has the parts {['boost', 'common', *_WAYS]}, "
                f"but got '{part}'."
            )
        unknown = [name for name in values if name not in _SETTINGS]
        if unknown:
            raise ValueError(
                f"For 'AutoBoost', the settings are {list(_SETTINGS)}, but the part '{part}' has "
                f"{unknown}."
            )
        if part == "common" or on[part]:
            result.update(values)
    splits = result.get("gradient_split_groups")
    if isinstance(splits, int):
        result["gradient_split_groups"] = [splits]
    elif splits is not None and not isinstance(splits, list):
        raise ValueError(
            "For 'AutoBoost', 'gradient_split_groups' must be a list of ints or an int, but got "
            f"{type(splits).__name__}."
        )
    return result
