"""Checkpoints: saving parameters to files, loading them, and putting them into a network."""

from __future__ import annotations

import difflib
import inspect
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

from agar import log
from agar._core.distributed.parameter_parts import loaded, stored
from agar._core.distributed.sharding import local
from agar._core.dtype import FROM_TORCH
from agar._core.encryption import check_key
from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world
from agar._core.parameter import Parameter, parameter_over
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.train._background import background
from agar.train._checkpoint_file import dense
from agar.train._conversion import ckpt_to_safetensors, safetensors_to_ckpt
from agar.train._entries import append, chosen
from agar.train._export import export, load
from agar.train._formats import check_format, codec_of, format_of, read, target_of
from agar.train._load_parameters import (
    Filling,
    buffers_of,
    copying_prefixes,
    parameters_of,
    similar,
)
from agar.train._mindir_messages import load_mindir, save_mindir

__all__ = [
    "async_ckpt_thread_status",
    "ckpt_to_safetensors",
    "export",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_mindir",
    "load_param_into_net",
    "safetensors_to_ckpt",
    "save_checkpoint",
    "save_mindir",
]


# ----------------------------------------------------------------------------------------- saving


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str,
    integrated_save: bool = True,
    async_save: bool | str = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    format: str | None = None,
    **kwargs: Any,
) -> None:
    """Save parameters to a file.

    The file is written under a temporary name, flushed to disk and then renamed, so that at any
    time there is either the old file or the new one.

    Args:
        save_obj (Union[Cell, list, dict]): a network or optimizer (its parameters in its order,
            then its persistent buffers), a list of Parameters, a list of dicts
            ``{"name": str, "data": Tensor}``, or a dict of names to Parameters or Tensors. If a
            name occurs twice, the last value is saved, with a warning.
        ckpt_file_name (str): the file. The ending of `format` is appended if it is missing. With
            ``.ckpt``, ``.safetensors``, ``.pth`` or ``.pt`` at the end, and without `format`, the
            ending chooses the format.
        integrated_save (bool): whether parameters that lie in parts on several processes are
            saved whole, for which all processes have to call this; otherwise each saves what it has
            into its own file. Default: True.
        async_save (Union[bool, str]): whether a thread writes the file while the program goes on:
            True, ``"thread"`` or ``"process"`` (also a thread: it writes without holding up
            Python). The values are those at the time of the call. The next save waits for it, and
            the program does before it ends. If writing fails, that is logged at once and raised by
            the next save, or by loading that file. Default: False.
        append_dict (dict): further values by name. int is saved as int64 without dimensions, float
            as float32, bool as bool, str as text (only in ``.ckpt``), Tensor and Parameter as they
            are, a Generator as its state. It takes the place of a value of that name in `save_obj`,
            with a warning. Default: None.
        enc_key (bytes): encrypts a ``.ckpt`` file, as MindSpore does; 16, 24 or 32 bytes, for SM4
            16. It needs the package cryptography. Default: None.
        enc_mode (str): ``"AES-GCM"``, ``"AES-CBC"`` or ``"SM4-CBC"``. Default: ``"AES-GCM"``.
        choice_func (Callable): takes a name of `save_obj` and returns whether it is saved. Default:
            None, all are.
        crc_check (bool): whether a checksum is saved as well. Default: False.
        format (str): ``"ckpt"``, MindSpore's format, ``"safetensors"``, or ``"pth"``, a dict of
            tensors that ``torch.load`` reads (with the names of agar; `migrate.convert_weights`
            gives those of a PyTorch network). Default: None, by the file's ending, else ckpt.
        kwargs: ``incremental``, ``global_step_num`` and ``remove_redundancy`` of MindSpore, which
            have no effect on a single device without hash-table parameters.

    Raises:
        TypeError: `save_obj` or something in it, `ckpt_file_name`, `append_dict` or a value in it,
            `integrated_save` or `async_save` has the wrong type; a tensor cannot be saved in the
            format; a keyword is unknown.
        ValueError: `format` or `async_save` is none of the values above, or `crc_check` is not a
            bool.
        FileNotFoundError: the directory does not exist.
        IsADirectoryError: there is a directory of that name.
        FileWriteError: the file cannot be written, for example because the disk is full; it is a
            RuntimeError and an OSError. What was there before is unchanged.
        PermissionError: there is no permission to write there.
        ImportError: `enc_key` is given, and cryptography is not installed.
        RuntimeError: the previous save with `async_save` failed.

    Difference from PyTorch: ``torch.save`` pickles any object; this saves named tensors, which any
    language can read and which cannot hold code.

    Source: behavior observed in MindSpore 2.10, with these differences: the file has the ordinary
    mode of a new file (there: 0400); a dict may hold plain Tensors and texts, where MindSpore
    crashes or leaves values out; buffers are saved; complex tensors are saved so that agar can read
    them; unknown keywords raise; errors of a thread are raised; the ending of the file chooses the
    format (there: ``net.pth`` becomes ``net.pth.ckpt``).

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train import load_checkpoint, save_checkpoint
        >>> net = ms.nn.Dense(2, 1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_checkpoint(net, os.path.join(folder, "dense"), append_dict={"epoch": 3})
        ...     found = load_checkpoint(os.path.join(folder, "dense.ckpt"))
        >>> list(found), int(found["epoch"])
        (['weight', 'bias', 'epoch'], 3)
    """
    op_name = "save_checkpoint"
    check_format(op_name, format)
    path, kind = target_of(_target_path(ckpt_file_name), format)
    _check_bool(op_name, "integrated_save", integrated_save, TypeError)
    _check_bool(op_name, "crc_check", crc_check, ValueError)
    _check_async(async_save)
    key = _check_key(op_name, "enc_key", enc_key, "enc_mode", enc_mode, kind)
    if key is not None and crc_check:
        raise ValueError(
            "For 'save_checkpoint', crc_check must be False with 'enc_key': MindSpore cannot load "
            "such a file. AES-GCM, the default mode, notices every change by itself."
        )
    _check_options(kwargs)
    entries = chosen(save_obj, choice_func)
    append(entries, append_dict)
    if not entries:
        log.warning("For 'save_checkpoint', '%s' will be empty and cannot be loaded.", path)
    # A tensor that cannot be saved is refused here, also when a thread writes the file.
    tensors = {
        k: v if isinstance(v, str) else dense(k, _saved(v, integrated_save))
        for k, v in entries.items()
    }

    codec = codec_of(kind)

    def write() -> None:
        more = {} if key is None else {"key": key}  # which only one format has
        codec.write(path, tensors.items(), crc=crc_check, **more)

    background.finish()
    if not async_save:
        write()
        return
    directory = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(directory):
        raise FileNotFoundError(
            f"For '{op_name}', the directory '{directory}' does not exist; create it first."
        )
    path = os.path.abspath(path)  # the program may change its folder before the thread opens it
    for name, original in entries.items():
        # The program may change the original meanwhile. What `dense` brought from a device is a
        # copy already.
        value = tensors[name]
        if isinstance(original, Tensor) and original._value.is_cpu and not isinstance(value, str):
            tensors[name] = value.clone()
    background.start(path, write)


def async_ckpt_thread_status() -> bool:
    """Whether a thread is writing a checkpoint at this moment.

    Returns:
        bool.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import async_ckpt_thread_status
        >>> async_ckpt_thread_status()
        False
    """
    return background.is_running()


def _target_path(name: Any) -> str:
    path = _checked_path("save_checkpoint", name)
    if os.path.isdir(path or "."):
        raise IsADirectoryError(
            f"For 'save_checkpoint', 'ckpt_file_name' must name a file, but '{path}' is a "
            "directory; add the name of the file."
        )
    return path


def _checked_path(op_name: str, name: Any) -> str:
    path = os.fspath(name) if isinstance(name, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise TypeError(
            f"For '{op_name}', the argument 'ckpt_file_name' must be a string, but got "
            f"{type(name).__name__}."
        )
    return path


def _check_bool(op_name: str, name: str, value: Any, error: type[Exception]) -> None:
    if not isinstance(value, bool):
        raise error(
            f"For '{op_name}', the argument '{name}' must be a bool, but got {value!r} of type "
            f"{type(value).__name__}."
        )


def _check_async(value: Any) -> None:
    if not isinstance(value, (bool, str)):
        raise TypeError(
            "For 'save_checkpoint', the argument 'async_save' must be bool or str, but got "
            f"{type(value).__name__}."
        )
    if value not in (True, False, "thread", "process"):
        raise ValueError(
            "For 'save_checkpoint', the argument 'async_save' can only be True, False, 'thread' or "
            f"'process', but got {value!r}."
        )


def _check_key(
    op_name: str, key_name: str, key: Any, mode_name: str, mode: Any, format: str = "ckpt"
) -> tuple[bytes, str] | None:
    """A key and how it is used; None without one."""
    for name, value, kind in ((key_name, key, bytes), (mode_name, mode, str)):
        if not isinstance(value, kind) and (name == mode_name or value is not None):
            raise ValueError(
                f"For '{op_name}', the argument '{name}' must be {kind.__name__}"
                f"{' or None' if name == key_name else ''}, but got {type(value).__name__}."
            )
    if key is None:
        return None
    if format != "ckpt":
        raise ValueError(
            f"For '{op_name}', '{key_name}' must be None with format='{format}', which has no "
            "encryption."
        )
    check_key(op_name, key, mode)
    return key, mode


def _check_options(options: dict[str, Any]) -> None:
    known = ("incremental", "global_step_num", "remove_redundancy")
    for name, value in options.items():
        if name not in known:
            arguments = inspect.signature(save_checkpoint).parameters
            close = difflib.get_close_matches(name, [*arguments, *known], n=1)
            raise TypeError(
                f"For 'save_checkpoint', there is no argument '{name}'"
                + (f"; did you mean '{close[0]}'?" if close else ".")
            )
        if name == "incremental" and value:
            raise missing_feature(
                "save_checkpoint(incremental=True)",
                "it concerns hash-table parameters, which agar does not have",
                "leave it out",
            )


# ---------------------------------------------------------------------------------------- loading


def load_checkpoint(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | list[str] | tuple[str, ...] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | list[str] | tuple[str, ...] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str | None = None,
) -> dict[str, Parameter | str]:
    """Load parameters from a file.

    Large parameters are views of the memory-mapped file, available at once; changing them does not
    change the file. Replacing the file does not change them, but writing into it in place
    (``cp new old``) may while they are in use.

    Args:
        ckpt_file_name (str): the file, which ends as `format` says: ``.ckpt``, ``.safetensors``, or
            for files of PyTorch ``.pth``, ``.pt`` or ``.bin``.
        net (Cell): a network into which the values are put as :func:`load_param_into_net` does.
            Default: None.
        strict_load (bool): for that; whether values of another dtype are refused. Default: False.
        filter_prefix (Union[str, list[str], tuple[str]]): names that begin with it are left out.
            Deprecated in MindSpore, use `choice_func`. Default: None.
        dec_key (bytes): the key of an encrypted file, of agar or MindSpore. Default: None.
        dec_mode (str): ``"AES-GCM"``, ``"AES-CBC"`` or ``"SM4-CBC"``. Default: ``"AES-GCM"``.
        specify_prefix (Union[str, list[str], tuple[str]]): only names that begin with it are
            loaded. Deprecated in MindSpore, use `choice_func`. Default: None.
        choice_func (Callable): takes a name and returns whether it is loaded. Has no effect beside
            `filter_prefix` or `specify_prefix`. Default: None, all are.
        crc_check (bool): whether the checksum is verified, if the file has one. Default: False.
        remove_redundancy (bool): whether the processes of a program wrote parts of one checkpoint,
            which one process takes as it is and several refuse. Default: False.
        format (str): ``"ckpt"``, ``"safetensors"`` or ``"pth"``. Default: None, by the ending.

    Returns:
        dict of str to Parameter, in the order of the file; of str to str for texts that were saved
        with ``append_dict``. Every Parameter has its name in the file and ``requires_grad`` True,
        and lies in the computer's own memory.

    Raises:
        TypeError: `ckpt_file_name`, a prefix, `choice_func` or `net` has the wrong type.
        ValueError: the file does not exist, has another ending, cannot be read, is damaged or
            encrypted, has a wrong checksum, or has no parameters left after filtering; a prefix is
            ``""`` or an empty list; `format`, `crc_check`, `remove_redundancy`, `dec_key` or
            `dec_mode` is invalid.
        ImportError: `dec_key` is given, and cryptography is not installed.
        RuntimeError: a value does not fit into `net`, see :func:`load_param_into_net`.

    Difference from PyTorch: ``torch.load`` gives back the saved object. Its files give a dict by
    PyTorch's names here, and :func:`agar.train.load_by_structure` puts them into a network.

    Source: behavior observed in MindSpore 2.10, with these differences: parameters of a
    ``.safetensors`` file have their names (there: generated ones), and prefixes apply to them too;
    complex values can be read.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train import load_checkpoint, save_checkpoint
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "dense.ckpt")
        ...     save_checkpoint(ms.nn.Dense(2, 1), file)
        ...     found = load_checkpoint(file, choice_func=lambda name: name != "bias")
        >>> found
        {'weight': Parameter (name=weight, shape=(1, 2), dtype=Float32, requires_grad=True)}
    """
    op_name = "load_checkpoint"
    path, kind = _source_path(op_name, ckpt_file_name, format)
    _check_bool(op_name, "crc_check", crc_check, ValueError)
    _check_bool(op_name, "remove_redundancy", remove_redundancy, ValueError)
    if remove_redundancy:
        world.refuse(
            f"{op_name}(remove_redundancy=True)",
            "parts of a checkpoint that other processes have are not fetched from them",
            "save the checkpoint without remove_redundancy, and load it whole in every process",
        )
    key = _check_key(op_name, "dec_key", dec_key, "dec_mode", dec_mode, kind)
    expected = _choice(filter_prefix, specify_prefix, choice_func)
    if net is not None:
        _check_net(net)
        _check_bool("load_param_into_net", "strict_load", strict_load, TypeError)
    loaded: dict[str, Parameter | str] = {}
    for name, value in read(path, kind, crc_check, key):
        if expected(name):
            loaded[name] = value if isinstance(value, str) else parameter_over(value, name)
    if not loaded:
        raise ValueError(
            "The loaded parameter dict is empty after filter or specify: nothing in "
            f"'{path}' is left. Please check 'filter_prefix', 'specify_prefix' and 'choice_func', "
            "or whether the file is empty."
        )
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


def _source_path(op_name: str, name: Any, format: Any) -> tuple[str, str]:
    """The file and its format."""
    path = _checked_path(op_name, name)
    check_format(op_name, format)
    kind = format_of(op_name, path, format)
    background.finish(os.path.realpath(path))
    if not os.path.isfile(path):
        raise ValueError(
            f"For '{op_name}', the checkpoint file '{path}' does not exist, please check whether "
            f"the 'ckpt_file_name' is correct.{_nearby(path)}"
        )
    return path, kind


def _nearby(path: str) -> str:
    directory, base = os.path.split(path)
    try:
        present = os.listdir(directory or ".")
    except OSError:
        return f" There is no directory '{directory}'."
    close = difflib.get_close_matches(base, present, n=3)
    return f" The directory has {', '.join(map(repr, close))}." if close else ""


def _choice(
    filter_prefix: Any, specify_prefix: Any, choice_func: Callable[[str], bool] | None
) -> Callable[[str], bool]:
    """The function that says whether a name is loaded."""
    dropped = _checked_prefixes("filter_prefix", filter_prefix)
    result = _checked_prefixes("specify_prefix", specify_prefix)
    if choice_func is not None and not callable(choice_func):
        raise TypeError(
            "For 'load_checkpoint', the argument 'choice_func' must be callable: it takes a name "
            f"and returns a bool; but got {describe(choice_func)}."
        )
    if dropped is None and result is None:
        return choice_func or (lambda name: True)
    for given, prefixes in (("specify_prefix", result), ("filter_prefix", dropped)):
        if prefixes is not None:
            log.warning(
                "For 'load_checkpoint', the parameter '%s' will be deprecated, please use "
                "'choice_func' instead.",
                given,
            )
    return lambda name: (
        (result is None or name.startswith(result))
        and (dropped is None or not name.startswith(dropped))
    )


def _checked_prefixes(argument: str, given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, (str, list, tuple)):
        raise TypeError(
            f"For 'load_checkpoint', the type of '{argument}' must be string, list[string] or "
            f"tuple[string], but got {type(given).__name__}."
        )
    prefixes = (given,) if isinstance(given, str) else tuple(given)
    if not prefixes:
        raise ValueError(f"For 'load_checkpoint', the argument '{argument}' can't be empty.")
    for place, prefix in enumerate(prefixes):
        if not isinstance(prefix, str):
            raise TypeError(
                f"For 'load_checkpoint', the elements of '{argument}' must be strings, but got "
                f"{prefix!r} at index {place}."
            )
        if not prefix:
            raise ValueError(
                f"For 'load_checkpoint', the value of '{argument}' can't include '', with which "
                "every name begins."
            )
    return prefixes


class ParamDictFuture:
    """A checkpoint that is being loaded; :func:`load_checkpoint_async` makes it.

    Args:
        load (Callable): loads it, in a thread of its own.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.
    """

    def __init__(self, load: Callable[[], dict[str, Parameter | str]]) -> None:
        self._future: Future[dict[str, Parameter | str]] = Future()
        threading.Thread(target=self._run, args=(load,), name="load_checkpoint").start()

    def _run(self, load: Callable[[], dict[str, Parameter | str]]) -> None:
        try:
            self._future.set_result(load())
        except BaseException as error:
            self._future.set_exception(error)

    def result(self) -> dict[str, Parameter | str]:
        """Wait for the file, and return what `load_checkpoint` returns.

        Raises:
            ValueError: the file cannot be loaded; and what else `load_checkpoint` raises.
        """
        return self._future.result()


def load_checkpoint_async(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | list[str] | tuple[str, ...] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | list[str] | tuple[str, ...] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> ParamDictFuture:
    """Load parameters from a file in a thread while the program goes on.

    The format follows from the file's ending. A network given as `net` is filled by the thread:
    leave it alone until ``result()`` has returned.

    Args:
        ckpt_file_name (str): the file; all arguments are those of :func:`load_checkpoint`.
        net (Cell): a network into which the values are put. Default: None.
        strict_load (bool): whether values of another dtype are refused. Default: False.
        filter_prefix (Union[str, list[str], tuple[str]]): names that begin with it are left out.
            Default: None.
        dec_key (bytes): the key of an encrypted file. Default: None.
        dec_mode (str): ``"AES-GCM"``, ``"AES-CBC"`` or ``"SM4-CBC"``. Default: ``"AES-GCM"``.
        specify_prefix (Union[str, list[str], tuple[str]]): only names that begin with it are
            loaded. Default: None.
        choice_func (Callable): takes a name and returns whether it is loaded. Default: None, all
            are.

    Returns:
        An object whose ``result()`` waits and returns the dict, or raises what
        :func:`load_checkpoint` raises.

    Raises:
        TypeError: `ckpt_file_name` is not a string.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train import load_checkpoint_async, save_checkpoint
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "dense.ckpt")
        ...     save_checkpoint(ms.nn.Dense(2, 1), file)
        ...     found = load_checkpoint_async(file).result()
        >>> list(found)
        ['weight', 'bias']
    """
    path = _checked_path("load_checkpoint_async", ckpt_file_name)
    return ParamDictFuture(
        lambda: load_checkpoint(
            path,
            net,
            strict_load,
            filter_prefix,
            dec_key,
            dec_mode,
            specify_prefix,
            choice_func,
        )
    )


# ------------------------------------------------------------------------------- into a network


def load_param_into_net(
    net: Cell,
    parameter_dict: dict[str, Parameter | str],
    strict_load: bool = False,
    remove_redundancy: bool = False,
) -> tuple[list[str], list[str]]:
    """Copy values into the parameters of a network that have their names.

    Values are copied into the parameters' memory, so an optimizer and compiled code see them; name,
    shape, type and ``requires_grad`` stay the network's. Everything is checked first: a call that
    raises has changed nothing, and lists all that does not fit.

    A parameter without a value of its name gets, unless `strict_load`, the value whose name ends in
    it; the prefix of that name is then removed from the others as well, and a warning says so
    (``backbone.fc.weight`` fills ``fc.weight``).

    Args:
        net (Cell): the network, or an optimizer.
        parameter_dict (dict): names to Parameters, as from :func:`load_checkpoint`. Texts are
            ignored.
        strict_load (bool): whether values of another dtype are refused, and prefixes of names are
            not guessed. Otherwise floating types are cast to each other, and signed integers to
            each other, with a warning. Default: False.
        remove_redundancy (bool): whether the processes of a program wrote parts of one checkpoint,
            which one process takes as it is and several refuse. Default: False.

    Returns:
        ``(param_not_load, ckpt_not_load)``: the names of the network's parameters that got no value
        (with a warning), and the names in the dict that are none of the network's.

    Raises:
        TypeError: `net` is not a Cell, `parameter_dict` is not a dict of str to Parameter, or
            `strict_load` is not a bool.
        ValueError: `remove_redundancy` is not a bool.
        RuntimeError: values have another shape (dimensions of size 1 at the end are dropped),
            a type of another family, or integers that the parameter's type cannot hold.

    Difference from PyTorch: ``load_state_dict`` raises for missing and unexpected names; this
    returns them.

    Source: behavior observed in MindSpore 2.10, with these differences: there, values are copied
    up to the first that does not fit; dimensions of size 1 at the end of a value are put into the
    network; integers are cast although they do not fit; a text of a parameter's name counts as
    loaded; and a beginning such as ``moments.`` may be guessed, although what follows it is an
    optimizer's state. agar also fills persistent buffers whose names are given.

    Examples:
        >>> import agar as ms
        >>> from agar.train import load_param_into_net
        >>> net = ms.nn.Dense(2, 1, bias_init="zeros")
        >>> values = {"weight": ms.Parameter(ms.Tensor([[3.0, 4.0]])), "extra": ms.Parameter(1.0)}
        >>> load_param_into_net(net, values)
        (['bias'], ['extra'])
        >>> print(net.weight.data)
        [[3. 4.]]
    """
    op_name = "load_param_into_net"
    _check_net(net)
    if not isinstance(parameter_dict, dict):
        raise TypeError(
            f"For '{op_name}', the argument 'parameter_dict' should be a dict, but got "
            f"{type(parameter_dict).__name__}."
        )
    _check_bool(op_name, "strict_load", strict_load, TypeError)
    _check_bool(op_name, "remove_redundancy", remove_redundancy, ValueError)
    if remove_redundancy:
        world.refuse(
            f"{op_name}(remove_redundancy=True)",
            "parts of a checkpoint that other processes have are not fetched from them",
            "save the checkpoint without remove_redundancy, and load it whole in every process",
        )
    wrong = [
        f"{name!r}: {describe(value)}"
        for name, value in parameter_dict.items()
        if not isinstance(name, str) or not isinstance(value, (Parameter, str))
    ]
    if wrong:
        raise TypeError(
            f"For '{op_name}', the elements of the argument 'parameter_dict' should be a 'str' and "
            f"'Parameter', but got {'; '.join(wrong)}. Make a Parameter of a tensor first: "
            "ms.Parameter(tensor, name=name)."
        )
    values = {k: v._value for k, v in parameter_dict.items() if isinstance(v, Parameter)}
    parameters = list(parameters_of(net))
    buffers = buffers_of(net)
    plan = [
        Filling(name, target, name, _taken(target, values[name]))
        for name, target in [*parameters, *buffers.items()]
        if name in values
    ]
    missing = {name for name, _ in parameters if name not in values}
    guesses = []
    if missing and not strict_load:
        lacking = [(n, t) for n, t in [*parameters, *buffers.items()] if n not in values]
        guesses = _guess_prefixes(lacking, values, missing)
        for name, target in lacking:
            source = next((prefix + name for prefix, _ in guesses if prefix + name in values), None)
            if source is not None:
                plan.append(Filling(name, target, source, _taken(target, values[source])))
        missing -= {filling.name for filling in plan}
    _check_all(op_name, plan, strict_load)
    for filling in plan:
        filling.fill()

    not_loaded = list(dict.fromkeys(name for name, _ in parameters if name in missing))
    direct = {filling.name for filling in plan if filling.name == filling.source}
    not_used = [name for name in parameter_dict if name not in direct]
    filled = {filling.name for filling in plan}
    _report(plan, guesses, not_loaded, not_used, [name for name in buffers if name not in filled])
    return not_loaded, not_used


def _saved(value: Tensor, integrated: bool) -> Any:
    """What is saved of a value: the whole, or what this process has of it."""
    found = stored(value, integrated) if isinstance(value, Parameter) else value._value
    return found if integrated else local(found)


def _taken(target: Tensor, value: Any) -> Any:
    """What a tensor of a network takes of a value."""
    return loaded(target, value) if isinstance(target, Parameter) else value


def _check_net(net: Any) -> None:
    if not isinstance(net, Cell):
        raise TypeError(
            "For 'load_param_into_net', the argument 'net' should be a Cell, but got "
            f"{type(net).__name__}."
        )


def _guess_prefixes(
    lacking: Iterable[tuple[str, Tensor]], values: dict[str, Any], missing: set[str]
) -> list[tuple[str, list[str]]]:
    """Beginnings of the names of values which, taken off, leave names that lack a value.

    As in MindSpore the first name in the order of the network decides, by the first value whose
    name ends in it; then the next that is still missing.

    Returns:
        Pairs of a beginning and the other names that ended so.
    """
    copies = tuple(copying_prefixes(values))
    open_names = [name for name, _ in lacking if name in missing]
    items: list[tuple[str, list[str]]] = []
    while True:
        for name in open_names:
            ends = [k for k in values if k.endswith(name) and not k.startswith(copies)]
            if ends:
                break
        else:
            return items
        prefix = ends[0][: len(ends[0]) - len(name)]
        items.append((prefix, ends[1:]))
        open_names = [n for n in open_names if prefix + n not in values]


def _check_all(op_name: str, plan: Iterable[Filling], strict: bool) -> None:
    problems = [p for p in (filling.obstacle(strict=strict) for filling in plan) if p]
    if problems:
        raise RuntimeError(
            f"For '{op_name}', nothing was loaded, because not everything fits:\n"
            + "\n".join(problems)
            + "\nPlease check whether the checkpoint belongs to this network; to leave values out, "
            "use load_checkpoint(..., choice_func=...)"
            + (
                "; strict_load=False casts them."
                if strict and all(not f.obstacle() for f in plan)
                else "."
            )
        )


def _report(
    plan: list[Filling],
    guesses: list[tuple[str, list[str]]],
    not_loaded: list[str],
    not_used: list[str],
    kept_buffers: list[str],
) -> None:
    """Log what a person should know about a loading that succeeded."""
    op_name = "For 'load_param_into_net',"
    for prefix, others in guesses:
        also = [name for name in others if not name.startswith(prefix)]
        log.warning(
            "%s remove parameter prefix name: %s, continue to load.%s",
            op_name,
            prefix,
            f" These names would have done as well: {also}." if also else "",
        )
    casts = [
        f"{f.source} ({FROM_TORCH[f.value.dtype]} to {f.target.dtype})" for f in plan if f.is_cast()
    ]
    if casts:
        log.warning(
            "%s the type of %d values in 'parameter_dict' is different from the type in 'net', and "
            "they were converted: %s.",
            op_name,
            len(casts),
            ", ".join(casts),
        )
    if not_loaded:
        log.warning(
            "%s %d parameters in the 'net' are not loaded, because the 'parameter_dict' has no "
            "values of their names; agar.load_by_structure can match names that differ.",
            op_name,
            len(not_loaded),
        )
        hints = similar(not_loaded, not_used)
        log.warning(
            "%s are not loaded.%s", not_loaded, f" Similar names there: {hints}." if hints else ""
        )
    if kept_buffers:
        log.warning(
            "%s %d buffers of the 'net' keep their values, because the 'parameter_dict' has none "
            "of their names: %s.",
            op_name,
            len(kept_buffers),
            kept_buffers,
        )


def __getattr__(name: str) -> Any:
    # MindSpore 2 has some of its functions in `parallel` as well
    from agar._core import absent

    if not name.startswith("__"):  # an import asks for `__path__`
        from agar.train import _sharded

        if name in _sharded.__all__:
            return getattr(_sharded, name)
    return absent.find("train.serialization", name)
