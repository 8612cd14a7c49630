"""MindSpore's private module paths and names, for programs that import them.

Programs of the MindSpore world take names from any module: helpers with an underscore, generated
Primitives, classes of its C++ engine, even what a module itself imported. `names.txt` lists what
MindSpore 2.10 has beside agar's own files, by module. A name is looked for in this order:

1. the module of agar at the same path, or the modules that `agar._paths` gives for it;
2. the module of this package that `HOMES` gives for the path, where the name is implemented;
3. `names.txt`: the place from which MindSpore's module takes the name, or its value;
4. what is left is a function, class or object that raises a NotImplementedError when it is used;
5. names that MindSpore 2.10 no longer has are in the package `legacy`, with a warning.

Nothing here is loaded before a name is asked for that agar's own modules do not have.
"""

from __future__ import annotations

import ast
import enum
import importlib
import re
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from agar._core import absent

__all__ = ["fallback", "find", "implements", "install", "is_old", "modules", "names", "new_modules"]

#: MindSpore's path: the module of this package that implements names of it, and which; the module
#: whose names are not listed is asked for each with its function `lookup`.
HOMES: dict[str, tuple[str, str]] = {
    "_c_dataengine": (
        "_data_engine",
        """
        DataType LookupOperation Vocab
        """,
    ),
    "_c_expression": (
        "_c_expression",
        """
        Cell_ MSContext ParamInfo _empty_instance _framework_profiler_step_end
        _framework_profiler_step_start _ms_memory_recycle is_reboot_node
        update_pijit_default_config
        """,
    ),
    "common._decorator": (
        "_common_parts",
        """
        deprecated
        """,
    ),
    "common._register_for_tensor": (
        "_common_parts",
        """
        Registry
        """,
    ),
    "common._utils": (
        "_common_parts",
        """
        get_func is_dim_unknown is_shape_unknown load_lib
        """,
    ),
    "common.dtype": (
        "_common_parts",
        """
        _dtype_to_nptype _dtype_to_pytype _get_py_obj_dtype _pytype_to_dtype
        """,
    ),
    "common.initializer": (
        "_initializers",
        """
        _INITIALIZER_ALIAS _init_random_normal _init_random_normal_inplace
        _init_random_uniform _init_random_uniform_inplace _init_truncated_normal
        _init_truncated_normal_inplace
        """,
    ),
    "common.tensor": (
        "_common_parts",
        """
        _TensorMeta
        """,
    ),
    "communication._comm_helper": (
        "_common_parts",
        """
        _get_group_map _is_available _is_hccl_available _is_mpi_available
        _is_nccl_available
        """,
    ),
    "dataset.audio.validators": ("_decorators", ""),
    "dataset.core.datatypes": (
        "_data_engine",
        """
        mstype_to_detype mstypelist_to_detypelist nptype_to_detype
        """,
    ),
    "dataset.core.validator_helpers": (
        "_validators",
        """
        check_2tuple check_columns check_dataset_num_shards_shard_id check_dict
        check_dir check_file check_filename check_float32 check_float32_not_zero
        check_float64 check_int32 check_int32_not_zero check_list_same_size
        check_non_negative_float32 check_non_negative_float64 check_non_negative_int32
        check_num_parallel_workers check_num_samples check_odd check_padding_options
        check_pos_float32 check_pos_float64 check_pos_int32 check_pos_int64
        check_pos_uint32 check_positive check_range check_sampler_shuffle_shard_options
        check_tensor_op check_uint32 check_uint64 check_uint8 check_valid_detype
        check_valid_list_tuple check_valid_str check_value check_value_cutoff
        check_value_normalize_std check_value_ratio is_iterable pad_arg_name
        parse_user_args replace_none type_check type_check_list
        validate_dataset_param_value
        """,
    ),
    "dataset.engine.validators": ("_decorators", ""),
    "dataset.text.validators": ("_decorators", ""),
    "dataset.transforms.validators": ("_decorators", ""),
    "dataset.vision.py_transforms_util": (
        "_pil_images",
        """
        adjust_brightness adjust_contrast adjust_hue adjust_saturation
        augment_error_message auto_contrast center_crop crop decode equalize five_crop
        grayscale horizontal_flip hwc_to_chw invert_color is_pil normalize pad
        random_crop random_horizontal_flip random_vertical_flip resize rotate ten_crop
        to_pil to_tensor to_type vertical_flip
        """,
    ),
    "dataset.vision.validators": ("_decorators", ""),
    "graph.api": (
        "_graph_parts",
        """
        _add_flags _core _function_forbid_reuse _no_recursive
        """,
    ),
    "nn.layer.rnn_cells": (
        "_nn_parts",
        """
        _gru_cell _lstm_cell _rnn_relu_cell _rnn_tanh_cell
        """,
    ),
    "nn.wrap.loss_scale": (
        "_nn_parts",
        """
        _grad_overflow _grad_scale _tensor_grad_overflow grad_scale tensor_grad_scale
        """,
    ),
    "ops.auto_generate": ("_auto_generate", ""),
    "ops.auto_generate.gen_extend_func": ("_auto_generate", ""),
    "ops.auto_generate.gen_ops_def": ("_auto_generate", ""),
    "ops.auto_generate.gen_ops_prim": ("_auto_generate", ""),
    "ops.auto_generate.pyboost_inner_prim": ("_auto_generate", ""),
    "ops.operations._sparse_grad_ops": ("_rare_primitives", ""),
    "ops.operations.array_ops": ("_rare_primitives", ""),
    "ops.operations.image_ops": ("_rare_primitives", ""),
    "ops.operations.linalg_ops": ("_rare_primitives", ""),
    "ops.operations.math_ops": ("_rare_primitives", ""),
    "ops.operations.nn_ops": ("_rare_primitives", ""),
    "ops.operations.random_ops": ("_rare_primitives", ""),
    "ops.operations.sparse_ops": ("_rare_primitives", ""),
    "ops.composite.multitype_ops._compile_utils": (
        "_indexing",
        """
        _scalar_to_tensor _tensor_add _tensor_div _tensor_floordiv _tensor_getitem
        _tensor_getitem_origin _tensor_index_by_bool _tensor_index_by_integer
        _tensor_matmul _tensor_mod _tensor_mul _tensor_pow _tensor_rpow _tensor_setitem
        _tensor_setitem_origin _tensor_sub sequence_to_tensor tensor_in_sequence
        tensor_index_by_bool_tensor tensor_index_by_list tensor_index_by_number
        tensor_index_by_slice tensor_index_by_tensor tensor_index_by_tuple tensor_item
        """,
    ),
    "ops.tensor_method": ("_methods", ""),
    "parallel._ps_context": (
        "_common_parts",
        """
        _is_role_sched
        """,
    ),
    "rewrite.common.namespace": (
        "_rewrite_parts",
        """
        _subtree_black_list is_subtree
        """,
    ),
    "train.amp": (
        "_train_parts",
        """
        AMP_AUTO_WHITE_LIST _OutputTo16 _OutputTo32 _do_keep_batchnorm_fp32
        _is_grad_accumulation _list_check amp_cast
        """,
    ),
    "train.model": (
        "_train_parts",
        """
        _StepSync _merge_inputs _process_loss_inputs _transfer_tensor_to_tuple
        """,
    ),
    "train.serialization": (
        "_train_parts",
        """
        _check_param_type _check_prefix _exec_save _get_cur_rank_dp
        _get_merged_param_data _is_auto_parallel_mode _parse_ckpt_proto
        _special_process_par _type_convert _update_param _whether_load_param
        tensor_to_ms_type tensor_to_np_type
        """,
    ),
    "train.summary.summary_record": (
        "_train_parts",
        """
        _get_summary_tensor_data _record_summary_tensor_data
        """,
    ),
    "nn.layer.conv": (
        "_nn_functions",
        """
        _check_input_3d _deconv_output_length
        """,
    ),
    "ops.function.nn_func": (
        "_nn_functions",
        """
        _in_projection _in_projection_packed _innner_log_softmax
        _scaled_dot_product_attention multi_head_attention_forward
        """,
    ),
    "train._utils": (
        "_file_parts",
        """
        _check_lineage_value _collect_settings_by_rank _construct_input_tensors
        _convert_type _get_pp_size_from_redundancy_map _load_and_transform
        _rotate_list_elements get_parameter_redundancy parse_hccl_file
        parse_strategy_ckpt read_proto remove_param_redundancy
        """,
    ),
    "train.anf_ir_pb2": ("_protobuf_parts", ""),
    "train.checkpoint_pb2": ("_protobuf_parts", ""),
    "train.lineage_pb2": ("_protobuf_parts", ""),
    "train.mind_ir_pb2": ("_protobuf_parts", ""),
    "train.print_pb2": ("_protobuf_parts", ""),
    "train.profiling_parallel_pb2": ("_protobuf_parts", ""),
    "train.summary_pb2": ("_protobuf_parts", ""),
    "train.train_thor.dataset_helper": (
        "_train_parts",
        """
        DatasetHelper
        """,
    ),
}


class _Entry(NamedTuple):
    """One listed name: the mark of its line, the line's subject, and what stands at the name."""

    mark: str
    subject: str
    detail: str


@cache
def _sections() -> dict[str, str]:
    """The text of each listed module."""
    text = Path(__file__).with_name("names.txt").read_text(encoding="utf-8")
    parts = (section.partition("]") for section in text.split("\n[")[1:])
    return {path: lines.lstrip("\n") for path, _, lines in parts}


def modules() -> list[str]:
    """Every listed module, without ``mindspore.``, and those of older MindSpores."""
    return [*filter(None, _sections()), *_legacy().modules()]


def _legacy() -> ModuleType:
    return importlib.import_module("agar.compat.legacy")


@cache
def _entries(path: str) -> dict[str, _Entry]:
    """The listed names of a module; see the first lines of `names.txt` for the marks."""
    entries: dict[str, _Entry] = {}
    for line in re.sub(r"\n  ", " ", _sections().get(path, "")).splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            for word in rest.split():
                match = re.match(r"(\w+)(.*)", word)
                assert match is not None, word
                entries[match[1]] = _Entry(mark, path, match[2])
            continue
        subject, _, rest = rest.partition(" ")
        if mark in "&#":
            entries[subject] = _Entry(mark, subject, rest)
            continue
        for word in rest.split():
            own, _, there = word.partition("<")
            entries[own] = _Entry(mark, subject.replace("-", ""), there or own)
    return entries


def names(path: str) -> list[str]:
    """The names listed for a module; those behind a ``*`` are not counted.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
    """
    return sorted({*_entries(path)} - {"*"})


def _top() -> ModuleType:
    """The module that programs know as ``mindspore``."""
    aliased = sys.modules.get("mindspore")
    return aliased if hasattr(aliased, "__agar__") else importlib.import_module("agar")  # type: ignore[return-value]


def _module(path: str) -> ModuleType:
    return importlib.import_module(f"agar.{path}") if path else _top()


def _named(path: str, name: str) -> Any:
    """An object that MindSpore has at another of its modules."""
    if name == ".":
        return _module(path)
    try:
        return getattr(_module(path), name)
    except AttributeError:
        return find(path, name)


def _outside(module: str, name: str, path: str) -> Any:
    """An object of Python or of another package that MindSpore's module imported."""
    try:
        value = importlib.import_module(module)
        return value if name == "." else _attribute(value, name)
    except (ImportError, AttributeError):
        family = absent.Family(
            f"MindSpore takes it from the package '{module.partition('.')[0]}', which is not "
            "installed here or no longer has it",
            f"Install that package, and import '{name}' from it",
        )
        return absent.refusing_object(f"{path}.{module if name == '.' else name}", family)


def _attribute(value: Any, name: str) -> Any:
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _own(path: str, name: str, detail: str) -> Any:
    """The stand-in of a name that MindSpore's module defines and agar does not compute."""
    from agar.compat._families import family_of

    shown, family = f"{path}.{name}", family_of(path)
    if detail == "?":
        return absent.refusing_object(shown, family)
    if not detail:
        return absent.refusing_function(shown, name, family)
    words = [word for word in detail.strip("()").split(",") if word]
    base = None
    if words and words[0].startswith("!"):
        base = getattr(importlib.import_module("builtins"), words.pop(0)[1:])
        return type(name, (base,), {"__module__": f"agar.{path}", "__doc__": f"``{shown}``."})
    return absent.refusing_class(path, name, family, words)


def _enumeration(path: str, name: str, detail: str) -> Any:
    kind, *pairs = detail.split()
    members = {key: ast.literal_eval(value) for key, value in (p.split("=", 1) for p in pairs)}
    result = getattr(enum, kind)(name, members, module=f"agar.{path}")
    result.__doc__ = f"Choices at MindSpore's ``{path}``: {', '.join(members)}."
    return result


def _instance(kind: str, path: str, name: str) -> Any:
    """A Primitive that MindSpore's module keeps for its own calls."""
    try:
        return _named("ops.auto_generate.gen_ops_prim", kind)()
    except (AttributeError, TypeError, NotImplementedError):
        from agar.compat._families import family_of

        return absent.refusing_object(f"{path}.{name}", family_of(path))


_MAKERS: dict[str, Callable[[str, str, _Entry], Any]] = {
    "=": lambda path, name, entry: _own(path, name, entry.detail),
    "@": lambda path, name, entry: _named(entry.subject, entry.detail),
    "%": lambda path, name, entry: _outside(entry.subject, entry.detail, path),
    "~": lambda path, name, entry: _instance(entry.subject, path, name),
    "&": lambda path, name, entry: _enumeration(path, name, entry.detail),
    "#": lambda path, name, entry: ast.literal_eval(entry.detail),
}

_MISSING = object()
#: names that are being looked for, by thread: two modules may each say that the other has a name
_asked: set[tuple[str, str, int]] = set()
_resolved: dict[tuple[str, str], Any] = {}


def find(path: str, name: str) -> Any:
    """The object of a name at one of MindSpore's modules.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.

    Returns:
        Any, the object.

    Raises:
        AttributeError: MindSpore 2.10 has no such name there.
    """
    key = (path, name)
    value = _resolved.get(key, _MISSING)
    if value is _MISSING:
        asked = (path, name, threading.get_ident())
        if asked in _asked:
            raise AttributeError(f"module 'agar.{path}' has no attribute '{name}'")
        _asked.add(asked)
        try:
            value = _resolved.setdefault(key, _find(path, name))
        finally:
            _asked.discard(asked)
    return value


def _implemented(path: str, name: str) -> Any:
    """What a module of this package has for a name; `_MISSING` where none has it."""
    home, own = HOMES.get(path, ("", ""))
    if own and name in own.split():
        return getattr(importlib.import_module(f"agar.compat.{home}"), name)
    if home and not own:
        return importlib.import_module(f"agar.compat.{home}").lookup(path, name, _MISSING)
    return _legacy().find(path, name, _MISSING)


def implements(path: str, name: str) -> bool:
    """Whether a module of this package has an implementation of a name.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.
    """
    return _implemented(path, name) is not _MISSING


def is_old(path: str, name: str) -> bool:
    """Whether a name is one of an older MindSpore, of which using it has warned.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.
    """
    return name in _legacy().names(path)


def _find(path: str, name: str) -> Any:
    value = _implemented(path, name)
    if value is not _MISSING:
        return value
    entries = _entries(path)
    entry = entries.get(name)
    below = f"{path}.{name}".lstrip(".")
    if entry is None and (below in _sections() or below in _legacy().modules()):
        return importlib.import_module(f"agar.{path}.{name}".replace("..", "."))
    if entry is not None:
        return _MAKERS[entry.mark](path, name, entry)
    if "*" in entries and not name.startswith("__"):
        for line in _sections()[path].splitlines():
            mark, *words = line.split(" ")
            if mark == "@" and words[1:2] == ["*"]:
                try:
                    return _named(words[0], name)
                except AttributeError:
                    continue
    raise AttributeError(f"module 'agar.{path}' has no attribute '{name}'")


def fallback(path: str, before: Callable[[str], Any] | None, space: dict[str, Any]) -> Any:
    """The ``__getattr__`` of a module of agar that has MindSpore's other names behind its own.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        before (Callable): the own ``__getattr__`` of the module, None without one; it is asked
            first.
        space (dict): the globals of the module, which keep what was found.

    Returns:
        Callable, the ``__getattr__``.
    """

    def __getattr__(name: str) -> Any:
        if before is not None:
            try:
                own = before(name)
            except AttributeError as error:
                missing: Exception = error
            else:
                if isinstance(own, ModuleType):
                    install()  # it may have been loaded just now
                return own
        else:
            missing = AttributeError(f"module 'agar.{path}' has no attribute '{name}'")
        if name.startswith("__") and name.endswith("__"):
            raise missing
        try:
            value = find(path, name)
        except AttributeError:
            raise missing from None
        if isinstance(value, ModuleType):
            install()
        else:
            space[name] = value
        return value

    return __getattr__


_seen: set[str] = set()
_OWN = ("_core", "compat", "cli", "alias", "__main__")  # MindSpore has no such modules


def new_modules(seen: set[str]) -> list[str]:
    """The modules of agar that were loaded since the last call with `seen`, the newest first.

    Those in the middle of their import come another time: what they still define is missing.

    Args:
        seen (set[str]): the names of those that were given before; the new ones are added.

    Returns:
        list[str], the names of the modules.
    """
    loaded = reversed(tuple(sys.modules.items()))
    entries = [
        name
        for name, module in loaded
        if name.startswith("agar.")
        and name not in seen
        and not getattr(getattr(module, "__spec__", None), "_initializing", False)
    ]
    seen.update(entries)
    return entries


def install() -> None:
    """Give the modules of agar that were loaded since MindSpore's other names.

    Which names a module has is read when one is asked for that it does not have.
    """
    for full in new_modules(_seen):
        path = full.removeprefix("agar.")
        if path.split(".")[0] not in _OWN:
            space = vars(sys.modules[full])
            space["__getattr__"] = fallback(path, space.get("__getattr__"), space)
