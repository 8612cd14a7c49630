"""Checkpoints of split programs, put into a network or into the files of another layout."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch  # files hold raw tensors

from agar import log
from agar._core.errors import describe
from agar._core.files import replacing_together
from agar._core.parameter import Parameter, parameter_over
from agar.communication.management import get_group_size, get_rank
from agar.context import get_auto_parallel_context
from agar.nn.cell import Cell
from agar.train._formats import FORMATS, codec_of
from agar.train._formats import read as read_file
from agar.train._sharded.conversion import Conversion, same_bytes
from agar.train._sharded.layout import Sharding
from agar.train._sharded.sources import Sources, path_argument, run_each
from agar.train._sharded.strategy import open_strategy
from agar.train._sharded.transform import check_count
from agar.train._sharded.unified import HYPER_FILE, MAP_FILE, TRANSIENT
from agar.train.serialization import _check_key, _choice, load_param_into_net

__all__ = ["load_distributed_checkpoint", "load_segmented_checkpoints"]

_OP = "load_distributed_checkpoint"


def load_distributed_checkpoint(
    network: Cell | None,
    checkpoint_filenames: list[str] | None = None,
    predict_strategy: dict[str, Any] | str | None = None,
    train_strategy_filename: str | None = None,
    strict_load: bool = False,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    format: str = "ckpt",
    unified_safetensors_dir: str | None = None,
    dst_safetensors_dir: str | None = None,
    rank_id: int | None = None,
    output_format: str = "safetensors",
    name_map: dict[str, str] | None = None,
    max_process_num: int = 64,
    return_param_dict: bool = False,
) -> Any:
    """Load the checkpoint of a program that was split over devices.

    With ``format="ckpt"`` the files of all ranks are put together, and each process takes its part.
    With ``format="safetensors"`` the files are those of :func:`unified_safetensors`; without a
    network, the part of each rank is written to ``dst_safetensors_dir/rank_N/net.safetensors``.

    Args:
        network (Cell): the network to fill; None to write files.
        checkpoint_filenames (list[str]): the ``.ckpt`` files in order of the ranks.
            Default: ``None``.
        predict_strategy (Union[dict, str]): how the network is split. For ``.ckpt`` a dict from
            each parameter's name to ``[device matrix, tensor map, [], 0, True, group]``, the last
            being the group that shares optimizer shards or ``""``; for safetensors a strategy file
            or what :func:`build_searched_strategy` returns. Default: ``None``, each process has the
            whole.
        train_strategy_filename (str): the strategy file of the ``.ckpt`` files. Default: ``None``,
            that of ``AutoParallel.save_param_strategy_file``, or ``strategy_ckpt_load_file`` of the
            context.
        strict_load (bool): as for :func:`load_param_into_net`. Default: ``False``.
        dec_key (bytes): the key of encrypted ``.ckpt`` files. Default: ``None``.
        dec_mode (str): ``"AES-GCM"``, ``"AES-CBC"`` or ``"SM4-CBC"``. Default: ``"AES-GCM"``.
        format (str): ``"ckpt"`` or ``"safetensors"``. Default: ``"ckpt"``.
        unified_safetensors_dir (str): the folder of :func:`unified_safetensors`, or one with a
            single safetensors file. Default: ``None``.
        dst_safetensors_dir (str): the folder for new files, without a network. Default: ``None``.
        rank_id (int): the rank whose file is written; with a network, that of the process.
            Default: ``None``, all ranks.
        output_format (str): ``"safetensors"`` or ``"ckpt"``, of new files.
            Default: ``"safetensors"``.
        name_map (dict): from the names of the network's parameters to those of the safetensors
            files, where they differ. Default: ``None``.
        max_process_num (int): the largest number of files that are written at the same time, by
            threads. Default: 64.
        return_param_dict (bool): whether the parameters are returned, and not put into the network.
            Default: ``False``.

    Returns:
        True; with a network and safetensors, what :func:`load_param_into_net` returns, or the dict
        of parameters.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: arguments do not go together, a file is missing or damaged, a part of a
            parameter is missing, or parameters do not fit the strategies. No file was written and
            no parameter filled.
        RuntimeError: parameters do not fit into the network.

    Difference from PyTorch: ``torch.distributed.checkpoint.load``.

    Source: behavior observed in MindSpore 2.10. There, an empty train strategy loads nothing
    silently, and names that `name_map` gives for several files are not found.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> net = ms.nn.Dense(1, 4, has_bias=False)
        >>> layout = {
        ...     "dev_matrix": [2],
        ...     "tensor_map": [0, -1],
        ...     "field": 0,
        ...     "opt_weight_shard_step": 0,
        ...     "opt_weight_shard_size": 0,
        ... }
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     strategy = os.path.join(folder, "strategy.json")
        ...     with open(strategy, "w") as file:
        ...         json.dump(
        ...             {"current_stage": 0, "parallel_layout_item": {"weight": layout}}, file
        ...         )
        ...     files = [os.path.join(folder, f"{rank}.ckpt") for rank in (0, 1)]
        ...     for rank, file in enumerate(files):
        ...         part = ms.Tensor([[rank + 1.0], [rank + 10.0]])
        ...         ms.save_checkpoint([{"name": "weight", "data": part}], file)
        ...     ms.load_distributed_checkpoint(net, files, None, strategy)
        True
        >>> print(net.weight.asnumpy().ravel())
        [ 1. 10.  2. 11.]
    """
    if format not in FORMATS or output_format not in FORMATS:
        raise ValueError(
            f"For '{_OP}', 'format' and 'output_format' must be 'ckpt' or 'safetensors', but got "
            f"{format!r} and {output_format!r}."
        )
    check_count(_OP, "max_process_num", max_process_num)
    if network is not None and not isinstance(network, Cell):
        raise ValueError(f"For '{_OP}', 'network' must be a Cell, but got {describe(network)}.")
    if format == "ckpt":
        _check_unused(
            format,
            unified_safetensors_dir=unified_safetensors_dir,
            dst_safetensors_dir=dst_safetensors_dir,
            rank_id=rank_id,
            name_map=name_map,
            return_param_dict=return_param_dict or None,
        )
        key = _check_key(_OP, "dec_key", dec_key, "dec_mode", dec_mode)
        return _load_parts(
            network,
            checkpoint_filenames,
            predict_strategy,
            train_strategy_filename,
            strict_load,
            key,
        )
    _check_unused(
        format,
        checkpoint_filenames=checkpoint_filenames,
        train_strategy_filename=train_strategy_filename,
        dec_key=dec_key,
        strict_load=strict_load or None,
        dec_mode=None if dec_mode == "AES-GCM" else dec_mode,
    )
    if unified_safetensors_dir is None:
        raise ValueError(
            f"For '{_OP}', 'unified_safetensors_dir' can not be None when format is 'safetensors'."
        )
    unified = _Unified(unified_safetensors_dir, predict_strategy, name_map)
    if network is not None:
        return _fill(network, unified, rank_id, return_param_dict)
    _write(unified, dst_safetensors_dir, rank_id, output_format, max_process_num)
    return True


def _check_unused(format: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(
                f"For '{_OP}', '{name}' must be left out when format is '{format}', but got "
                f"{value!r}."
            )


# ------------------------------------------------------------------------- the parts of all ranks


def _load_parts(
    network: Cell | None,
    filenames: Any,
    predict_strategy: Any,
    strategy_filename: Any,
    strict_load: bool,
    key: tuple[bytes, str] | None,
) -> bool:
    if network is None:
        raise ValueError(f"For '{_OP}', 'network' must be a Cell when format is 'ckpt'.")
    files = _checked_files(filenames)
    targets = _predict_shardings(predict_strategy)
    if strategy_filename is None:
        strategy_filename = _strategy_of(network)
    src = open_strategy(_OP, "train_strategy_filename", strategy_filename)
    assert src is not None
    count = src.devices * src.stages
    if len(files) != count:
        raise ValueError(
            f"For '{_OP}', the length of 'checkpoint_filenames' should be equal to the device "
            f"count of training process. But got the length of 'checkpoint_filenames' is "
            f"{len(files)} and the device count is {count} by '{src.path}'."
        )
    conversion = Conversion(Sources(_OP, dict(enumerate(files)), "ckpt", key), src, None)
    saved = set(conversion.names(range(count)))
    loaded: dict[str, Parameter | str] = {}
    lacking: dict[str, list[str]] = {"strategies": [], "checkpoint files": []}
    for _, parameter in network.parameters_and_names():
        name = parameter.name
        if name not in src.layouts or (targets is not None and name not in targets):
            lacking["strategies"].append(name)
        elif name not in saved:
            lacking["checkpoint files"].append(name)
        else:
            loaded[name] = _part_for_this_process(conversion, name, targets)
    for where, names in lacking.items():
        if names:
            log.warning(
                "For '%s', %d parameters of the network are not in the %s, and are not loaded: %s. "
                "Please check whether they belong together.",
                _OP,
                len(names),
                where,
                names,
            )
    load_param_into_net(network, loaded, strict_load)
    return True


def _checked_files(filenames: Any) -> list[str]:
    if not isinstance(filenames, (list, tuple)) or not filenames:
        raise ValueError(
            f"For '{_OP}', 'checkpoint_filenames' must be a list of files in order of the ranks, "
            f"but got {describe(filenames)}."
        )
    for index, file in enumerate(filenames):
        good = isinstance(file, (str, os.PathLike)) and os.fspath(file).endswith(".ckpt")
        if not good or not os.path.isfile(file) or os.path.getsize(file) == 0:
            raise ValueError(
                f"For '{_OP}', please check 'checkpoint_filenames', and make sure the {file!r} at "
                "index "
                f"{index} is a valid checkpoint file: its name must end with '.ckpt', and the file "
                "must exist and not be empty."
            )
    return [os.fspath(file) for file in filenames]


def _strategy_of(network: Cell) -> Any:
    """The strategy file that the program has set for a network."""
    for _, cell in network.cells_and_names():
        if type(cell).__name__ == "AutoParallel":
            plan = vars(cell).get("_plan", {})
            if "save_param_strategy_file" in plan:
                return plan["save_param_strategy_file"]
    return get_auto_parallel_context("strategy_ckpt_load_file")


def _predict_shardings(given: Any) -> dict[str, tuple[Sharding, str]] | None:
    """How the network is split, and the groups that share optimizer shards, by name."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise ValueError(
            f"For '{_OP}', 'predict_strategy' must be a dict when format is 'ckpt', but got "
            f"{describe(given)}."
        )
    shardings = {}
    for name, layout in given.items():
        try:
            matrix, tensor_map, lengths, field = layout[:4]
            group = layout[5] if len(layout) > 5 else ""
            if not isinstance(name, str) or field != 0 or lengths or not isinstance(group, str):
                raise ValueError("its members are of another kind")
            shardings[name] = (Sharding(list(matrix), list(tensor_map)), group)
        except (TypeError, ValueError, KeyError) as error:
            raise ValueError(
                f"For '{_OP}', the argument 'predict_strategy' is dict, the key of it must be "
                "string, and the value of it must be list or tuple: dev_matrix (list[int]), "
                "tensor_map (list[int]), param_split_shape (an empty list) and field_size (0). "
                f"Please check whether 'predict_strategy' is correct: for {name!r} it is "
                f"{layout!r}, {error}."
            ) from None
    return shardings


def _part_for_this_process(
    conversion: Conversion, name: str, targets: Mapping[str, tuple[Sharding, str]] | None
) -> Parameter | str:
    if targets is None:
        value = conversion.parameter(name, 0)
        return value if isinstance(value, str) else parameter_over(value, name)
    sharding, group = targets[name]
    value = conversion.parameter(name, get_rank() % sharding.devices, sharding)
    if isinstance(value, str):
        return value
    if group:
        size, rank = get_group_size(group), get_rank(group)
        if not value.ndim or value.shape[0] % size:
            raise ValueError(
                f"For '{_OP}', the part of '{name}' has the shape {tuple(value.shape)}, which the "
                f"{size} processes of the group '{group}' cannot share."
            )
        value = value.chunk(size)[rank]
    return parameter_over(value, name)


# ------------------------------------------------------------------------------ unified files


class _Unified:
    """The files of `unified_safetensors`, with the names of the network's parameters.

    Args:
        folder: the folder of the files.
        strategy: how the target is split; None if each rank has the whole.
        name_map: the names in the files of parameters that have others.
    """

    def __init__(self, folder: Any, strategy: Any, name_map: Any) -> None:
        self.folder = path_argument(_OP, "unified_safetensors_dir", folder)
        if not os.path.isdir(self.folder):
            raise ValueError(
                f"For '{_OP}', 'unified_safetensors_dir' is not a directory: '{self.folder}'."
            )
        self.dst = open_strategy(_OP, "predict_strategy", strategy)
        weights, self.hyper = self._values()
        self.weights = _renamed(weights, name_map)
        self._conversion = Conversion(_Whole(self.folder, self.weights), None, self.dst)
        self._check_hyper()

    @property
    def ranks(self) -> int:
        """How many ranks the target has."""
        return 1 if self.dst is None else self.dst.devices * self.dst.stages

    def entries(self, rank: int) -> dict[str, torch.Tensor | str]:
        """What a rank has, by name."""
        return {
            **{name: self._conversion.parameter(name, rank) for name in self._names(rank)},
            **{n: v for n, v in self.hyper.items() if not n.startswith(TRANSIENT)},
        }

    def _names(self, rank: int) -> Iterable[str]:
        if self.dst is None:
            return self.weights
        stage = rank // self.dst.devices
        own = [name for name, layouts in self.dst.layouts.items() if stage in layouts]
        lacking = [name for name in own if name not in self.weights and name not in self.hyper]
        if lacking:
            log.warning(
                "For '%s', %d parameters of the strategy file '%s' are not in '%s': %s.",
                _OP,
                len(lacking),
                self.dst.path,
                self.folder,
                lacking[:20],
            )
        return [name for name in own if name in self.weights]

    def _values(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """The parameters, and the values that no strategy describes."""
        names = sorted(n for n in os.listdir(self.folder) if n.endswith(".safetensors"))
        if not names:
            raise ValueError(
                f"For '{_OP}', weight files must be included in the 'unified_safetensors_dir', but "
                f"'{self.folder}' has no '*.safetensors'."
            )
        hyper = self._read(HYPER_FILE) if HYPER_FILE in names else {}
        weight_files = [n for n in names if n != HYPER_FILE]
        if len(names) == 1:
            return self._read(names[0]) if weight_files else {}, hyper
        where = self._map()
        missing = sorted(set(where.values()) - set(weight_files))
        if missing:
            raise ValueError(
                f"For '{_OP}', '{MAP_FILE}' in '{self.folder}' names files that are not there: "
                f"{missing[:20]}."
            )
        read = {file: self._read(file) for file in sorted(set(where.values()))}
        for name, file in where.items():
            if name not in read[file]:
                raise ValueError(
                    f"For '{_OP}', '{os.path.join(self.folder, file)}' has no '{name}', which it "
                    f"should have by '{MAP_FILE}'."
                )
        return {name: read[file][name] for name, file in where.items()}, hyper

    def _read(self, file: str) -> dict[str, Any]:
        return dict(read_file(os.path.join(self.folder, file), "safetensors"))

    def _map(self) -> dict[str, str]:
        """In which file each parameter is."""
        path = os.path.join(self.folder, MAP_FILE)
        try:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
            content = content.get("weight_map", content)
            pairs = dict(content.items())
            if not all(isinstance(file, str) for file in pairs.values()):
                raise ValueError("it does not hold names of files by name")
        except FileNotFoundError:
            raise ValueError(
                f"For '{_OP}', there must be a JSON file named '{MAP_FILE}' in "
                f"'{self.folder}', which has several safetensors files."
            ) from None
        except (OSError, ValueError, AttributeError, RecursionError) as error:
            raise ValueError(f"For '{_OP}', '{path}' cannot be used: {error}.") from None
        return pairs

    def _check_hyper(self) -> None:
        for name in self.hyper:
            layouts = {} if self.dst is None else self.dst.layouts.get(name, {})
            if not name.startswith(TRANSIENT) and not all(s.is_whole for s in layouts.values()):
                raise ValueError(
                    f"For '{_OP}', '{name}' is in '{HYPER_FILE}' of '{self.folder}', so nothing "
                    f"says which part of it is there, and the strategy file "
                    f"'{self.dst.path if self.dst else None}' splits it."
                )


class _Whole(Sources):
    """Whole parameters that one rank has."""

    def __init__(self, folder: str, values: dict[str, torch.Tensor]) -> None:
        super().__init__(_OP, {0: folder}, "safetensors")
        self._read[0] = dict(values)


def _renamed(values: dict[str, torch.Tensor], name_map: Any) -> dict[str, torch.Tensor]:
    """The parameters of files under the names of the network."""
    if name_map is None:
        return values
    if not isinstance(name_map, dict):
        raise TypeError(
            f"For '{_OP}', 'name_map' must be a dict of the network's names to those of the files, "
            f"but got {describe(name_map)}."
        )
    unknown = [name for name in name_map.values() if name not in values]
    if unknown:
        raise ValueError(
            f"For '{_OP}', 'name_map' gives names that no file has: {unknown[:20]}. It goes from "
            "the network's names to those of the files."
        )
    taken = set(name_map.values())
    others = {name: value for name, value in values.items() if name not in taken}
    twice = sorted(name for name in name_map if name in others)
    if twice:
        raise ValueError(
            f"For '{_OP}', the files have parameters of their own of these names, which 'name_map' "
            f"gives to others: {twice[:20]}."
        )
    return {**others, **{new: values[old] for new, old in name_map.items()}}


def _fill(network: Cell, unified: _Unified, rank_id: Any, return_param_dict: bool) -> Any:
    rank = get_rank()
    if rank_id is not None and rank_id != rank:
        raise ValueError(
            f"For '{_OP}', 'rank_id' is {rank_id!r}, but with a network it is that of the process, "
            f"{rank}. Leave it out, or leave out the network to write the file of another rank."
        )
    if unified.dst is not None and rank >= unified.ranks:
        raise ValueError(
            f"For '{_OP}', this process has the rank {rank}, but the 'predict_strategy' describes "
            f"{unified.ranks} ranks."
        )
    values = unified.entries(0 if unified.dst is None else rank)
    parameters = {n: v if isinstance(v, str) else parameter_over(v, n) for n, v in values.items()}
    return parameters if return_param_dict else load_param_into_net(network, parameters)


def _write(
    unified: _Unified, target: Any, rank_id: Any, output_format: str, max_process_num: int
) -> None:
    if target is None:
        raise ValueError(
            f"For '{_OP}', 'dst_safetensors_dir' can not be None when network is None."
        )
    folder = path_argument(_OP, "dst_safetensors_dir", target)
    if rank_id is None:
        ranks = list(range(unified.ranks))
    elif isinstance(rank_id, bool) or not isinstance(rank_id, int):
        raise TypeError(f"For '{_OP}', 'rank_id' must be an int, but got {rank_id!r}.")
    elif rank_id < 0 or (unified.dst is not None and rank_id >= unified.ranks):
        raise ValueError(
            f"For '{_OP}', 'rank_id' is {rank_id}, but the 'predict_strategy' describes "
            f"{unified.ranks} ranks."
        )
    else:
        ranks = [rank_id]
    codec = codec_of(output_format)
    with replacing_together() as begin:

        def write(rank: int) -> None:
            path = os.path.join(folder, f"rank_{rank}", f"net.{output_format}")
            entries = unified.entries(0 if unified.dst is None else rank)
            codec.write(begin(path), entries.items())

        run_each(write, ranks, min(max_process_num, os.cpu_count() or 1))


# --------------------------------------------------------------------------- files of one rank


def load_segmented_checkpoints(
    ckpt_file_dir: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | list[str] | tuple[str, ...] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | list[str] | tuple[str, ...] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> dict[str, Parameter | str]:
    """Load all ``.ckpt`` files of a folder as one checkpoint.

    :func:`transform_checkpoints` makes such folders when the stages of a pipeline are converted one
    by one.

    Args:
        ckpt_file_dir (str): the folder. Of values that several files have, that of the last file in
            the order of the names counts, with a warning if they differ.
        net (Cell): a network into which the values are put as :func:`load_param_into_net` does.
            Default: ``None``.
        strict_load (bool): for that; whether values of another dtype are refused. Default:
            ``False``.
        filter_prefix (Union[str, list[str], tuple[str]]): names that begin with it are left out.
            Deprecated in MindSpore, use `choice_func`. Default: ``None``.
        dec_key (bytes): the key of encrypted files. Default: ``None``.
        dec_mode (str): ``"AES-GCM"``, ``"AES-CBC"`` or ``"SM4-CBC"``. Default: ``"AES-GCM"``.
        specify_prefix (Union[str, list[str], tuple[str]]): only names that begin with it are
            loaded. Deprecated in MindSpore, use `choice_func`. Default: ``None``.
        choice_func (Callable): takes a name and returns whether it is loaded. Has no effect beside
            `filter_prefix` or `specify_prefix`. Default: ``None``, all are.

    Returns:
        dict of str to Parameter, or to str for texts.

    Raises:
        TypeError: `ckpt_file_dir` is not a str, or another argument has the wrong type.
        ValueError: the folder does not exist or has no ``.ckpt`` file, a file is damaged, or
            nothing is left of the files.
        RuntimeError: a value does not fit into `net`.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10. There, a folder without files gives an empty dict,
    and files come in the order of the file system.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for stage in (0, 1):
        ...         value = {"name": f"w{stage}", "data": ms.Tensor([stage])}
        ...         ms.save_checkpoint([value], os.path.join(folder, f"net0_part{stage}.ckpt"))
        ...     loaded = ms.load_segmented_checkpoints(folder)
        >>> list(loaded)
        ['w0', 'w1']
    """
    op_name = "load_segmented_checkpoints"
    folder = path_argument(op_name, "ckpt_file_dir", ckpt_file_dir)
    if not os.path.isdir(folder):
        raise ValueError(
            f"For '{op_name}', the ckpt_file_dir: {folder} doesn't exist. Or it's not a directory."
        )
    files = sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))
    if not files:
        raise ValueError(f"For '{op_name}', there is no .ckpt file in '{folder}'.")
    key = _check_key(op_name, "dec_key", dec_key, "dec_mode", dec_mode)
    is_chosen = _choice(filter_prefix, specify_prefix, choice_func)
    values: dict[str, torch.Tensor | str] = {}
    for file in files:
        for name, value in read_file(os.path.join(folder, file), "ckpt", key=key):
            if not is_chosen(name):
                continue
            if name in values and not same_bytes(values[name], value):
                log.warning(
                    "For '%s', '%s' has another value in '%s' than in a file before it, and that "
                    "of the last file counts.",
                    op_name,
                    name,
                    os.path.join(folder, file),
                )
            values[name] = value
    if not values:
        raise ValueError(
            f"For '{op_name}', nothing of the files in '{folder}' is left. Please check "
            "'filter_prefix', 'specify_prefix' and 'choice_func'."
        )
    loaded = {n: v if isinstance(v, str) else parameter_over(v, n) for n, v in values.items()}
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded
