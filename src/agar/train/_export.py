"""Exporting a network into a file, and loading it again without its Python.

NOTE The file. An exported network is a safetensors file under the name ``.mindir``: parameters and
buffers under their names, constants under names of agar's, and the recorded operators as JSON in
the header's metadata (`agar._core.program`). Nothing in it is pickled or evaluated. torch.export's
own archive is not used, because its loader unpickles.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import inspect
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# files hold raw tensors
import torch

from agar import log
from agar._core import random
from agar._core.encryption import (
    BLOCK_BYTES,
    DecryptionError,
    check_key,
    decrypted,
    encrypted,
    is_encrypted,
)
from agar._core.errors import describe, missing_feature
from agar._core.files import replacing
from agar._core.program import FuncGraph, GraphError
from agar._core.runtime import runtime
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.torch_cell import TorchCell
from agar.train._checkpoint_file import CheckpointFileError, dense
from agar.train._load_parameters import buffers_of

__all__ = ["GraphFileError", "export", "load"]

_FORMATS = ("AIR", "ONNX", "MINDIR")
_SUFFIXES = {"ONNX": ".onnx", "MINDIR": ".mindir"}
_DOCUMENT = "agar"
_MOST_ONNX_BYTES = 2**31
_REGISTRIES = ("_params", "_cells", "_buffers")  # of a Cell

_told = False


class GraphFileError(ValueError, RuntimeError):
    """A file is not an exported network, or a damaged one.

    MindSpore raises RuntimeError for it, and agar ValueError for files that cannot be read; this
    is both.

    Args:
        path: the file.
        reason: what is wrong with it, and what to do if that is known.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"For 'load', the file '{path}' is not an exported network: {reason}")


class ModelInfo:
    """The metadata of a file, as ``custom_func`` of :func:`export` may set it.

    MindSpore passes its whole protobuf message; a file of agar holds no such message, so these
    fields are all.

    Fields:
        producer_name, producer_version, model_version, domain, ir_version (str).
        user_info (dict): texts of the user's own.

    Difference from PyTorch: ``torch.export.save(extra_files=...)``.

    Source: MindSpore 2.10's documentation of ``export``.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> def name(model):
        ...     model.producer_name = "mine"
        ...     model.user_info["version"] = "11.0"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "net")
        ...     x = ms.Tensor([1.0])
        ...     ms.export(ms.nn.ReLU(), x, file_name=file, file_format="MINDIR", custom_func=name)
    """

    __slots__ = (
        "domain",
        "ir_version",
        "model_version",
        "producer_name",
        "producer_version",
        "user_info",
    )

    def __init__(self) -> None:
        self.producer_name = "agar"
        self.producer_version = self.model_version = self.domain = self.ir_version = ""
        self.user_info: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing_feature(
            f"custom_func of export, reading '{name}' of the model,",
            "agar's file holds no protobuf message of MindSpore's",
            "change the network before it is exported",
        )

    def document(self) -> dict[str, Any]:
        """The fields as they stand in the file.

        Raises:
            TypeError: one is not a str.
        """
        texts = {name: getattr(self, name) for name in self.__slots__ if name != "user_info"}
        for name, value in {**texts, **self.user_info}.items():
            if not isinstance(name, str) or not isinstance(value, str):
                raise TypeError(
                    f"For 'export', 'custom_func' must set '{name}' to a str, but it is "
                    f"{describe(value)}."
                )
        return {**texts, "user_info": dict(self.user_info)}


def _needs_inputs(net: Cell | Callable[..., Any]) -> bool:
    function = net.construct if isinstance(net, Cell) else net
    try:
        inspect.signature(function).bind()
    except ValueError:  # some builtins tell nothing
        return False
    except TypeError:
        return True
    return False


def export(
    net: Cell | Callable[..., Any],
    *inputs: Any,
    file_name: str,
    file_format: str,
    **kwargs: Any,
) -> None:
    """Write a network into a file that runs without its Python code.

    The network runs once more, with tensors that have no data, and the operators that it calls are
    recorded. So what depends on sizes, numbers or attributes is decided at export; what depends on
    the values of tensors must be computed by operators. A ``bprop`` of a cell is not part of it:
    gradients of the exported network are those of its operators. The network itself is not changed.

    Args:
        net (Union[Cell, Callable]): the network, or a function over Tensors.
        inputs (Union[Tensor, tuple, list, int, float, bool, None]): what ``construct`` is called
            with. Of a Tensor only shape and type matter; sizes that change from call to call are
            None or -1: ``Tensor(shape=[None, 3], dtype=ms.float32)``. Everything else is taken as
            a constant.
        file_name (str): the file; the ending ``.mindir`` or ``.onnx`` is appended if it is missing.
            Directories that do not exist are created.
        file_format (str): ``"MINDIR"`` or ``"ONNX"``.

            - ``"MINDIR"``: agar's own file, for :func:`agar.load` and ``nn.GraphCell``. MindSpore
              does not read it, though agar reads MindSpore's. The network is exported as it is, in
              training or evaluation mode.
            - ``"ONNX"``: for other runtimes, through PyTorch's exporter, which needs the packages
              onnx and onnxscript (``pip install onnx onnxscript``). The network is exported in
              evaluation mode.
            - ``"AIR"``: refused, see below.
        kwargs: MindSpore's options. ``custom_func``, for ``"MINDIR"`` alone, is called with a
            :class:`ModelInfo` before the file is written, whose fields it may set; they are kept in
            the file's header. ``enc_key`` (bytes), for ``"MINDIR"`` alone, encrypts the file, by
            ``enc_mode``: ``"AES-GCM"``, the default, ``"AES-CBC"`` or ``"SM4-CBC"``.
            ``incremental`` has no effect; ``dataset`` must be None.

    Raises:
        ValueError: `file_format` is none of these, or ``"AIR"``; `file_name` is empty; two
            parameters have one name; `enc_key` is not a bytes, or does not fit `enc_mode`.
        TypeError: `file_name` is not a str; an input or an output is of a type that a file cannot
            hold; a keyword is unknown.
        FileWriteError: the file cannot be written, for example because the disk is full; it is a
            RuntimeError and an OSError. What was there before is unchanged.
        PermissionError: there is no permission to write there.
        RuntimeError: `net` cannot be called; the network reads values of tensors in Python, draws
            random numbers, or makes a constant of a size that is None; an operator has no
            counterpart in ONNX.
        NotImplementedError: an option must be None; an input is a dataset; the network takes
            gradients in ``construct``.
        ImportError: a package for ONNX is not installed.

    Difference from PyTorch: ``torch.export.save(torch.export.export(module, args), file)``, whose
    file is pickled in part, and ``torch.onnx.export``.

    Source: behavior observed in MindSpore 2.10, with these differences: networks in training whose
    Dropout draws cannot be exported (there they can); unknown keywords raise; ONNX accepts unknown
    sizes; nothing is left of a file whose export fails.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> net = ms.nn.Dense(3, 2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.export(
        ...         net,
        ...         ms.Tensor(shape=[None, 3], dtype=ms.float32),
        ...         file_name=os.path.join(folder, "net"),
        ...         file_format="MINDIR",
        ...     )
        ...     os.listdir(folder)
        ['net.mindir']
    """
    if file_format not in _FORMATS:
        raise ValueError(
            f"For 'export', 'file_format' must be one of {list(_FORMATS)}, but got {file_format}."
        )
    _check_options("export", kwargs)
    custom = kwargs.get("custom_func")
    if custom is not None and file_format != "MINDIR":
        raise ValueError(
            "For 'export', 'custom_func' is supported for file_format='MINDIR' only, but got "
            f"'{file_format}'."
        )
    if custom is not None and not callable(custom):
        raise TypeError(
            f"For 'export', 'custom_func' must be a function, but got {describe(custom)}."
        )
    path = _target(file_name, file_format)
    key = _key("export", kwargs)
    if key is not None and file_format != "MINDIR":
        raise ValueError(
            "For 'export', 'enc_key' is supported for file_format='MINDIR' only, but got "
            f"'{file_format}': encrypt the file with a tool made for that."
        )
    if not callable(net):
        raise RuntimeError(
            f"For 'export', 'net' must be a Cell or a function, but got {describe(net)} of type "
            f"{type(net).__name__}."
        )
    if not inputs and _needs_inputs(net):
        raise TypeError(
            "For 'export', the inputs that construct takes are missing: they give shapes and "
            "dtypes, export(net, x, file_name=..., file_format=...), as tensors with data or "
            "without, Tensor(shape=(None, 3), dtype=ms.float32)."
        )
    for value in inputs:
        if hasattr(value, "create_dict_iterator"):
            raise missing_feature(
                "export with a dataset as an input",
                "a file holds the network, not what prepares its data",
                "give a Tensor of the network's input, and prepare data where the file is used",
            )
    from agar._core import program_export

    given = program_export.Inputs(inputs)
    root = net if isinstance(net, Cell) else getattr(net, "__self__", None)
    cell = root if isinstance(root, Cell) else None
    parameters, buffers = _state(cell)
    if file_format == "ONNX":
        _check_onnx([p for _, p, _ in parameters])
        names = _input_names(net, inputs)
        with _unchanged(net, cell, evaluate=True) as run:
            subject = program_export.Subject(run, parameters, buffers)
            model = program_export.onnx_model(subject, given, names)
        _make_directory(path)
        with replacing(path) as temporary:
            model.save(temporary, external_data=False)
        return
    with _unchanged(net, cell, evaluate=False) as run:
        subject = program_export.Subject(run, parameters, buffers)
        document, tensors = program_export.record(subject, given)
    if custom is not None:
        info = ModelInfo()
        custom(info)
        document = {**document, "model": info.document()}
    _write(path, document, tensors, key)
    _tell(path)


def load(file_name: str, **kwargs: Any) -> FuncGraph:
    """Read a network that :func:`agar.export` wrote, or MindSpore.

    Nothing in the file is unpickled or evaluated; it can call operators of PyTorch and nothing
    else. It is still a program, which can use memory and time: load files whose origin you know.
    The nodes of a file of MindSpore run agar's Primitives of their names; a Primitive that agar
    does not have is an error that names it. All its parameters are trained, as in MindSpore.

    Args:
        file_name (str): the file, which ends in ``.mindir``.
        kwargs: MindSpore's options: ``dec_key`` (bytes) of an encrypted file, and ``dec_mode``, by
            default ``"AES-GCM"``.

    Returns:
        FuncGraph, which can be called, and of which ``nn.GraphCell`` makes a Cell.

    Raises:
        ValueError: `file_name` is not a str, has another ending or does not exist; the file is
            damaged or of another kind (this error is a RuntimeError as well, as MindSpore's is).
        TypeError: a keyword is unknown.
        ImportError: a key is given, and the package cryptography is not installed.

    Difference from PyTorch: ``torch.export.load`` unpickles.

    Source: behavior observed in MindSpore 2.10; there, the result cannot be called.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "double.mindir")
        ...     ms.export(lambda x: x * 2, x, file_name=file, file_format="MINDIR")
        ...     print(ms.load(file)(x))
        [[2. 4.]]
    """
    _check_options("load", kwargs)
    if isinstance(file_name, os.PathLike):
        file_name = os.fspath(file_name)
    if not isinstance(file_name, str):
        raise ValueError(
            f"For 'load', the argument 'file_name' must be a str, but got {describe(file_name)} of "
            f"type {type(file_name).__name__}."
        )
    if not file_name.endswith(".mindir"):
        raise ValueError(
            f"For 'load', the argument 'file_name' should end with '.mindir', but got "
            f"'{file_name}'. Parameters without a network are read by load_checkpoint."
        )
    if not os.path.isfile(file_name):
        raise ValueError(
            f"For 'load', the file '{file_name}' does not exist; check the argument 'file_name'."
        )
    key = _key("load", kwargs)
    if key is not None:
        return _decrypted(file_name, key)
    if not _is_own(file_name):
        from agar.train import _mindir

        try:
            return _mindir.read(file_name)
        except GraphError as error:
            raise GraphFileError(file_name, str(error)) from error
        except OSError as error:
            raise ValueError(
                f"For 'load', the file '{file_name}' cannot be read: {error}."
            ) from error
    document, tensors = _read(file_name)
    try:
        return FuncGraph(document, tensors)
    except GraphError as error:
        raise GraphFileError(file_name, str(error)) from error


def _decrypted(path: str, key: tuple[bytes, str]) -> FuncGraph:
    """The network of an encrypted file, of agar or of MindSpore."""
    from safetensors.torch import load as load_tensors

    from agar.train._mindir import MindirGraph

    try:
        with open(path, "rb") as file:
            content = b"".join(decrypted(file.read(), *key))
    except OSError as error:
        raise ValueError(f"For 'load', the file '{path}' cannot be read: {error}.") from error
    except DecryptionError as error:
        raise GraphFileError(
            path, f"it cannot be decrypted: {error}. Check 'dec_key' and 'dec_mode'."
        ) from None
    try:
        if content[8:9] != b"{":
            return MindirGraph(content)
        size = int.from_bytes(content[:8], "little")
        document = json.loads(json.loads(content[8 : 8 + size])["__metadata__"][_DOCUMENT])
        tensors = load_tensors(content)
        for name in document["complex"]:
            tensors[name] = torch.view_as_complex(tensors[name].contiguous())
        return FuncGraph(document, tensors)
    except GraphError as error:
        raise GraphFileError(path, str(error)) from error
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        raise GraphFileError(path, f"it is damaged ({error}).") from error


# -------------------------------------------------------------------------------- checks


def _check_options(op_name: str, options: dict[str, Any]) -> None:
    refused = {
        "export": {
            "dataset": (
                "a dataset in an exported network",
                "a file holds the network, not what prepares its data",
                "prepare data where the file is used",
            ),
            "obf_config": (
                "obfuscation of networks",
                "MindSpore has withdrawn it as well",
                "leave it out",
            ),
        },
        "load": {
            "obf_func": (
                "obfuscation of networks",
                "MindSpore has withdrawn it as well",
                "leave it out",
            ),
        },
    }[op_name]
    silent = {
        "export": ("incremental", "enc_key", "enc_mode", "custom_func"),
        "load": ("dec_key", "dec_mode"),
    }[op_name]
    for name, value in options.items():
        if name in refused:
            if value is None:
                continue
            what, why, instead = refused[name]
            raise missing_feature(f"{op_name}({name}=...), {what},", why, instead)
        if name not in silent:
            close = difflib.get_close_matches(name, [*refused, *silent, "file_name"], n=1)
            raise TypeError(
                f"For '{op_name}', there is no argument '{name}'"
                + (f"; did you mean '{close[0]}'?" if close else ".")
            )


def _key(op_name: str, options: dict[str, Any]) -> tuple[bytes, str] | None:
    """The key and the mode of encryption that options give, None without a key.

    Raises:
        ValueError: the key is not bytes, or it does not fit the mode.
        ImportError: the package cryptography is not installed.
    """
    short = "enc" if op_name == "export" else "dec"
    key, mode = options.get(f"{short}_key"), options.get(f"{short}_mode", "AES-GCM")
    if key is None:
        return None
    if not isinstance(key, bytes):
        raise ValueError(
            f"For '{op_name}', '{short}_key' must be bytes or None, but got {type(key).__name__}."
        )
    check_key(op_name, key, mode)
    return key, mode


def _target(name: Any, file_format: str) -> str:
    if isinstance(name, os.PathLike):
        name = os.fspath(name)
    if not isinstance(name, str):
        raise TypeError(
            f"For 'export', 'file_name' must be a str, but got {describe(name)} of type "
            f"{type(name).__name__}."
        )
    if not name:
        raise ValueError("For 'export', 'file_name' is empty; give the name of a file.")
    if file_format == "AIR":
        raise ValueError(
            "For 'export', file_format='AIR' is not available in agar: AIR is a form of Huawei's "
            "compiler for Ascend, which only MindSpore on Ascend writes, and MindSpore calls it "
            "deprecated. Export 'ONNX', which Ascend's tool atc converts."
        )
    suffix = _SUFFIXES[file_format]
    return name if name.endswith(suffix) else name + suffix


def _check_onnx(tensors: Sequence[Tensor]) -> None:
    missing = [name for name in ("onnx", "onnxscript") if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(
            f"For 'export', file_format='ONNX' needs {' and '.join(missing)}, which PyTorch's "
            f"exporter uses: pip install {' '.join(missing)}."
        )
    size = sum(t.nbytes for t in tensors)
    if size >= _MOST_ONNX_BYTES:
        raise ValueError(
            f"For 'export', an ONNX file holds less than 2 GB, but the network has {size} bytes of "
            "parameters. Export parts of it, or use file_format='MINDIR'."
        )


def _make_directory(path: str) -> None:
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)


def _tell(path: str) -> None:
    """Say once what kind of file this is: the name is MindSpore's, the content is not."""
    global _told
    if not _told:
        _told = True
        log.warning(
            "'%s' is agar's own kind of file, for agar.load and nn.GraphCell; MindSpore and "
            "MindSpore Lite do not read it (file_format='ONNX' is for other runtimes).",
            path,
        )


# --------------------------------------------------------------------------- the network


def _state(cell: Cell | None) -> tuple[list[tuple[str, Tensor, bool]], list[tuple[str, Tensor]]]:
    """The parameters and buffers of a network, as they are recorded."""
    if cell is None:
        return [], []
    cell.check_names()
    parameters: list[tuple[str, Tensor, bool]] = [
        (p.name, p, p.requires_grad) for p in cell.get_parameters()
    ]
    for _, p, _ in parameters:
        p.init_data()
    return parameters, list(buffers_of(cell).items())


def _input_names(net: Any, inputs: Sequence[Any]) -> list[str]:
    """What the input tensors are called: the names of construct's arguments."""
    function = net.construct if isinstance(net, Cell) else net
    try:
        known = [
            p.name
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        known = []
    items: list[str] = []

    def collect(value: Any, name: str) -> None:
        if isinstance(value, Tensor):
            items.append(name)
        elif isinstance(value, (tuple, list)):
            for i, part in enumerate(value):
                collect(part, f"{name}_{i}")

    for i, value in enumerate(inputs):
        collect(value, known[i] if i < len(known) else f"input_{i}")
    return items


class _Attributes:
    """The attributes of a network's cells: what construct changes of them can be undone.

    Args:
        cell: the network, or None for a function.
    """

    def __init__(self, cell: Cell | None) -> None:
        self.cells = [] if cell is None else list(cell.cells_and_names())
        self._saved = [
            (dict(c.__dict__), [dict(c.__dict__[name]) for name in _REGISTRIES])
            for _, c in self.cells
        ]
        #: paths of the attributes in which construct kept tensors
        self.assigned: dict[str, None] = {}

    def restore_tensors(self) -> None:
        """Undo what one run did to tensors; other changes stay, so that the next run shows them."""
        for (path, cell), (state, contents) in zip(self.cells, self._saved, strict=True):
            for name, value in list(cell.__dict__.items()):
                if not isinstance(value, Tensor) or value is state.get(name):
                    continue
                self.assigned[f"{path}.{name}" if path else name] = None
                if name in state:
                    cell.__dict__[name] = state[name]
                else:
                    del cell.__dict__[name]
            _refill(cell.__dict__, contents)

    def restore(self) -> None:
        """Undo everything."""
        for (_, cell), (state, contents) in zip(self.cells, self._saved, strict=True):
            cell.__dict__.clear()
            cell.__dict__.update(state)
            _refill(state, contents)


def _refill(state: dict[str, Any], contents: Sequence[dict[str, Any]]) -> None:
    for name, content in zip(_REGISTRIES, contents, strict=True):
        state[name].clear()
        state[name].update(content)


@contextlib.contextmanager
def _unchanged(
    net: Callable[..., Any], cell: Cell | None, evaluate: bool
) -> Iterator[Callable[..., Any]]:
    """Give a function that runs a network for recording, and leave everything as it was.

    Args:
        net: the network.
        cell: the Cell that it is or belongs to.
        evaluate: switch it to evaluation for the time.
    """
    attributes = _Attributes(cell)
    cells = [c for _, c in attributes.cells]
    modules = [m for c in cells if isinstance(c, TorchCell) for m in c.module.modules()]
    modes = [m.training for m in modules]
    numbers = random.get_all_state()

    def run(*inputs: Any) -> Any:
        try:
            return net(*inputs)
        finally:
            attributes.restore_tensors()

    try:
        for c in cells:
            c.__dict__["requires_grad"] = False  # else calls would record themselves
            if evaluate:
                c.__dict__.update(training=False, _phase="predict")
            c._route()
        yield run
    finally:
        attributes.restore()
        for module, mode in zip(modules, modes, strict=True):
            module.training = mode
        random.set_all_state(numbers, strict=False)
        runtime.epoch += 1
    if attributes.assigned:
        log.warning(
            "export: construct assigns tensors to the attributes %s, which the exported network "
            "does not; state that it should keep belongs into a Parameter.",
            ", ".join(list(attributes.assigned)[:5]),
        )


# ------------------------------------------------------------------------------ the file


def _write(
    path: str,
    document: dict[str, Any],
    tensors: dict[str, torch.Tensor],
    key: tuple[bytes, str] | None,
) -> None:
    from safetensors.torch import save, save_file

    stored: dict[str, torch.Tensor] = {}
    memory: set[int] = set()
    compound = [name for name, value in tensors.items() if value.is_complex()]
    for name, value in tensors.items():
        if name == "__metadata__":
            raise ValueError(
                f"For 'export', a parameter is named '{name}', which is the file format's own "
                "word; rename it."
            )
        result = dense(name, value)
        result = torch.view_as_real(result) if result.is_complex() else result
        place = result.untyped_storage().data_ptr()
        stored[name] = result.clone() if place in memory else result
        memory.add(place)
    text = json.dumps({**document, "complex": compound}, separators=(",", ":"), allow_nan=False)
    _make_directory(path)
    about = {"format": "ms", _DOCUMENT: text}
    with replacing(path) as temporary:
        if key is None:
            save_file(stored, temporary, metadata=about)
            return
        content = save(stored, metadata=about)
        with open(temporary, "wb") as file:
            for start in range(0, len(content), BLOCK_BYTES):
                file.write(encrypted(content[start : start + BLOCK_BYTES], *key))


def _is_own(path: str) -> bool:
    """Whether a file is one of agar's: its header is a JSON object behind its length."""
    with open(path, "rb") as file:
        start = file.read(9)
    if is_encrypted(start):
        raise GraphFileError(path, "it is encrypted: give 'dec_key' and 'dec_mode'.")
    return len(start) < 9 or start[8:] == b"{"


def _read(path: str) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """The document and the tensors of a file."""
    from safetensors import SafetensorError, safe_open

    from agar.train import _safetensors_codec

    try:
        with safe_open(path, framework="pt") as file:
            text = (file.metadata() or {}).get(_DOCUMENT)
        if text is None:
            raise GraphFileError(
                path, "it has parameters alone. Read it with load_checkpoint under its own ending."
            )
        document = json.loads(text)
        tensors = dict(_safetensors_codec.read(path, copy=os.name == "nt"))
        for name in document["complex"]:
            tensors[name] = torch.view_as_complex(tensors[name].contiguous())
    except GraphFileError:
        raise
    except SafetensorError as error:
        raise GraphFileError(
            path,
            f"it is damaged ({error}).",
        ) from error
    except (
        CheckpointFileError,
        LookupError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise GraphFileError(path, f"it is damaged ({error}).") from error
    except OSError as error:
        raise ValueError(f"For 'load', the file '{path}' cannot be read: {error}.") from error
    return document, tensors
