"""Private parts of ``train``: of mixed precision, of Model, and of checkpoint files."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import agar as ms
from agar import context, ops, runtime
from agar._core.tensor import Tensor, wrap
from agar.common import dtype as mstype
from agar.compat._file_parts import _get_cur_rank_dp, _parse_ckpt_proto
from agar.nn._amp import _OutputTo16, _OutputTo32
from agar.nn.cell import Cell
from agar.ops._checks import integer
from agar.ops.auto_generate import gen_ops_prim
from agar.ops.python.summary import take
from agar.train import Callback, dataset_helper, serialization

__all__ = [
    "AMP_AUTO_WHITE_LIST",
    "AMP_BLACK_LIST",
    "AMP_PRIM_ARG_TABLE",
    "AMP_WHITE_LIST",
    "DatasetHelper",
    "_OutputTo16",
    "_OutputTo32",
    "_StepSync",
    "_amp_cast_op",
    "_check_param_type",
    "_check_prefix",
    "_do_keep_batchnorm_fp32",
    "_exec_save",
    "_get_cur_rank_dp",
    "_get_merged_param_data",
    "_get_summary_tensor_data",
    "_is_auto_parallel_mode",
    "_is_grad_accumulation",
    "_list_check",
    "_merge_inputs",
    "_parse_ckpt_proto",
    "_process_loss_inputs",
    "_record_summary_tensor_data",
    "_special_process_par",
    "_transfer_tensor_to_tuple",
    "_type_convert",
    "_update_param",
    "_whether_load_param",
    "amp_cast",
    "tensor_to_ms_type",
    "tensor_to_np_type",
]

_AUTO_WHITE = """
    Conv2D Conv3D Conv2DExt Conv3DExt ConvTranspose2D Conv2DTranspose Conv3DTranspose Convolution
    MatMul MatMulExt BatchMatMul BatchMatMulExt PReLU Einsum Dense Addmm Addbmm Addmv Baddbmm Mv
"""
AMP_AUTO_WHITE_LIST = [getattr(gen_ops_prim, word) for word in _AUTO_WHITE.split()]
AMP_WHITE_LIST = ms.amp.get_white_list()
AMP_BLACK_LIST = ms.amp.get_black_list()
#: which inputs of a Primitive are cast; empty, as in MindSpore, which then casts all
AMP_PRIM_ARG_TABLE: defaultdict[Any, list[int]] = defaultdict(list)


# ------------------------------------------------------------------------------------ amp


def amp_cast(value: Any, dtype: Any) -> Any:
    """A floating Tensor in another dtype; every other value as it is."""
    if isinstance(value, ms.Tensor) and value.is_floating_point():
        return ops.cast(value, dtype)
    return value


def _list_check(custom_list: Any, list_name: str) -> None:
    """A list of classes of Cells and Primitives.

    Raises:
        TypeError: it is not a list, or holds something else.
    """
    if not isinstance(custom_list, list):
        raise TypeError(f"The type of '{list_name}' must be list, but got {type(custom_list)}.")
    for element in custom_list:
        if not (isinstance(element, type) and issubclass(element, (Cell, ops.Primitive))):
            raise TypeError(
                f"The elements of '{list_name}' must be subclasses of nn.Cell or ops.Primitive, "
                f"but got {element!r}."
            )


def _do_keep_batchnorm_fp32(network: Cell) -> None:
    """Let normalization layers compute in float32."""
    kinds = (ms.nn.BatchNorm1d, ms.nn.BatchNorm2d, ms.nn.BatchNorm3d, ms.nn.LayerNorm)
    for _, cell in network.cells_and_names():
        if isinstance(cell, kinds):
            cell.to_float(mstype.float32)


def _is_grad_accumulation(mcell: Cell) -> bool:
    """Whether a Cell is one that adds up gradients of micro batches."""
    return type(mcell).__name__ == "GradAccumulationCell" or any(
        _is_grad_accumulation(cell) for cell in mcell.cells()
    )


_amp_cast_op = amp_cast


# ---------------------------------------------------------------------------------- Model


def _transfer_tensor_to_tuple(inputs: Any) -> Any:
    """A Tensor as a tuple of one; every other value as it is."""
    return (inputs,) if isinstance(inputs, ms.Tensor) else inputs


def _merge_inputs(inputs1: Any, inputs2: Any) -> list[Any]:
    """Two lists of inputs as one; a single input stands for a list of one."""
    both = []
    for inputs in (inputs1, inputs2):
        both.extend(inputs if isinstance(inputs, (list, tuple)) else [inputs])
    return both


def _process_loss_inputs(loss_inputs: Any) -> list[Any]:
    """The inputs of a loss without those that are None."""
    given = loss_inputs if isinstance(loss_inputs, (list, tuple)) else [loss_inputs]
    return [one for one in given if one is not None]


class _StepSync(Callback):
    """Waits after each step until the device has done its work."""

    def step_end(self, run_context: Any) -> None:
        """Wait for the device."""
        del run_context
        runtime.synchronize()


class DatasetHelper(dataset_helper.DatasetHelper):
    """The rows of a dataset for THOR, which computes its matrices in some steps only.

    Args:
        iter_first_order (int): how many steps follow each of those; the rows are the same.
    """

    def __init__(
        self,
        dataset: Any,
        dataset_sink_mode: bool = True,
        sink_size: int = -1,
        epoch_num: int = 1,
        iter_first_order: int = 1,
    ) -> None:
        integer("DatasetHelper", "iter_first_order", iter_first_order, 0)
        super().__init__(dataset, dataset_sink_mode, sink_size, epoch_num)


# ---------------------------------------------------------------------------- checkpoints

tensor_to_ms_type = {
    "Int8": mstype.int8,
    "UInt8": mstype.uint8,
    "Int16": mstype.int16,
    "UInt16": mstype.uint16,
    "Int32": mstype.int32,
    "UInt32": mstype.uint32,
    "Int64": mstype.int64,
    "UInt64": mstype.uint64,
    "Float16": mstype.float16,
    "Float32": mstype.float32,
    "Float64": mstype.float64,
    "Bool": mstype.bool_,
    "str": mstype.string,
    "BFloat16": mstype.bfloat16,
}


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """numpy's dtype of a name that checkpoint files have.

    Raises:
        ValueError: numpy has none, or there is no such name.
    """
    if tensor_type_str == "str":
        return "U"
    if tensor_type_str in tensor_to_ms_type and tensor_type_str != "BFloat16":
        return getattr(np, "bool_" if tensor_type_str == "Bool" else tensor_type_str.lower())
    raise ValueError(
        f"numpy has no dtype for '{tensor_type_str}'; it has one for each of "
        f"{sorted(set(tensor_to_ms_type) - {'BFloat16'})}."
    )


def _type_convert(param: Any, new_param: Any, strict_load: bool) -> bool:
    """Whether a parameter takes numbers of another dtype of the same kind."""
    kinds = (
        (mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16),
        (mstype.int8, mstype.int16, mstype.int32, mstype.int64, mstype.qint4x2),
    )
    return not strict_load and any(param.dtype in k and new_param.dtype in k for k in kinds)


def _special_process_par(par: Any, new_par: Any) -> bool:
    """Give a parameter numbers of a shape that has more or fewer axes of size 1 at its end."""
    ours, theirs = tuple(par.shape), tuple(new_par.shape)
    longer, shorter = (theirs, ours) if len(theirs) > len(ours) else (ours, theirs)
    if longer[: len(shorter)] != shorter or set(longer[len(shorter) :]) - {1}:
        return False
    par.set_data(ms.Tensor(new_par.asnumpy().reshape(ours), par.dtype))
    return True


def _update_param(param: Any, new_param: Any, strict_load: bool) -> None:
    """Give a parameter the numbers of another.

    Raises:
        RuntimeError: its shape or dtype does not fit.
    """
    if tuple(param.shape) != tuple(new_param.shape):
        if not _special_process_par(param, new_param):
            raise RuntimeError(
                f"For '_update_param', the parameter '{param.name}' has shape "
                f"{tuple(param.shape)}, "
                f"but the numbers have {tuple(new_param.shape)}: load a checkpoint of this network."
            )
        return
    if param.dtype != new_param.dtype:
        if not _type_convert(param, new_param, strict_load):
            raise RuntimeError(
                f"For '_update_param', the parameter '{param.name}' has dtype {param.dtype}, but "
                f"the numbers have {new_param.dtype}"
                + (": set 'strict_load' to False." if strict_load else ": convert them first.")
            )
        new_param = ops.cast(new_param, param.dtype)
    param.set_data(ms.Tensor(new_param))


def _check_param_type(
    param_config: Mapping[str, Any], key: str, target_type: Any, requested: Any
) -> Any:
    """An entry of a dict of options, of one type, or `requested` where it is not there.

    Raises:
        TypeError: it is of another type.
    """
    if key not in param_config:
        return requested
    if not isinstance(param_config[key], target_type):
        raise TypeError(
            f"For 'export', the option '{key}' must be of type {target_type}, but got "
            f"{param_config[key]!r}."
        )
    return param_config[key]


def _check_prefix(prefix: Any) -> Any:
    """Beginnings of names as a tuple, or None.

    Raises:
        TypeError: they are not texts.
        ValueError: one is empty.
    """
    if prefix is None:
        return None
    words = (prefix,) if isinstance(prefix, str) else prefix
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"A prefix must be str, or a list or tuple of str, but got {prefix!r}.")
    if not words or "" in words:
        raise ValueError(f"A prefix must not be empty, but got {prefix!r}.")
    return tuple(words)


def _whether_load_param(specify_prefix: Any, filter_prefix: Any, param_name: str) -> bool:
    """Whether the name of a parameter begins as it must, and not as it must not."""
    if specify_prefix and not param_name.startswith(tuple(specify_prefix)):
        return False
    return not (filter_prefix and param_name.startswith(tuple(filter_prefix)))


def _is_auto_parallel_mode(save_obj: Any) -> bool:
    """Whether a network is split over devices by MindSpore's compiler: agar has no such modes."""
    del save_obj
    return context.get_auto_parallel_context("parallel_mode") in (
        "semi_auto_parallel",
        "auto_parallel",
    )


def _get_merged_param_data(
    net: Any, parameter_layout_dict: Any, param_name: str, param_data: Any, integrated_save: bool
) -> Any:
    """The whole of a parameter that is split over devices; one process holds it whole."""
    del net, integrated_save
    if param_name in (parameter_layout_dict or {}):
        raise NotImplementedError(
            f"For '_get_merged_param_data', the parameter '{param_name}' is listed as split over "
            "devices, which agar does not do. Instead: save each process's part, and merge the "
            "files with parallel.merge_sliced_parameter."
        )
    return param_data


def _exec_save(
    ckpt_file_name: Any,
    data_list: Mapping[str, Iterable[Any]],
    enc_key: Any = None,
    enc_mode: str = "AES-GCM",
    map_param_inc: bool = False,
    crc_check: bool = False,
    format: str = "ckpt",
    remove_redundancy: Any = None,
) -> None:
    """Write a checkpoint from a dict of entries ``name: [dims, dtype's name, numbers]``.

    The numbers are a numpy array or a Tensor.

    Raises:
        NotImplementedError: the file is to be encrypted or written in parts.
    """
    if map_param_inc or remove_redundancy:
        raise NotImplementedError(
            "For '_exec_save', 'map_param_inc' and 'remove_redundancy' concern parameters that are "
            "split over devices, which agar does not have. Instead: leave them out."
        )
    entries = []
    for name, entry in data_list.items():
        dims, kind, numbers = list(entry)[:3]
        if not isinstance(numbers, ms.Tensor):
            numbers = ms.Tensor(np.asarray(numbers), tensor_to_ms_type[str(kind)])
        entries.append({"name": name, "data": numbers.reshape(tuple(int(d) for d in dims))})
    serialization.save_checkpoint(
        entries,
        os.fspath(ckpt_file_name),
        enc_key=enc_key,
        enc_mode=enc_mode,
        crc_check=crc_check,
        format=format,
    )


def _get_summary_tensor_data() -> dict[str, Tensor]:
    """The newest value of each summary since the last call, by ``name[:Kind]``."""
    return {f"{s.name}[:{s.kind.removesuffix('Summary')}]": wrap(s.value) for s in take()}


def _record_summary_tensor_data() -> None:
    """Nothing: a summary is there for `_get_summary_tensor_data` as soon as it is called."""
