"""The message that a ``.mindir`` file of MindSpore holds, to be read and changed by programs."""

from __future__ import annotations

import os
from typing import Any

from agar._core.errors import describe
from agar._core.messages import parsed
from agar.train._checkpoint_file import writing
from agar.train._protobuf_files import lookup

__all__ = ["load_mindir", "save_mindir"]


def _model() -> Any:
    return lookup("train.mind_ir_pb2", "ModelProto", None)


def load_mindir(file_name: str) -> Any:
    """Read the message of a network that MindSpore wrote; :func:`agar.load` gives the network.

    Args:
        file_name (str): the file.

    Returns:
        ModelProto, a message of protobuf; its fields are those of ``train.mind_ir_pb2``.

    Raises:
        TypeError: `file_name` is not a str.
        ValueError: the file does not exist, or holds something else.

    Difference from PyTorch: ``onnx.load`` for its files.

    Source: behavior observed in MindSpore 2.10, which calls it deprecated.

    Examples:
        >>> import agar as ms
        >>> model = ms.load_mindir("net.mindir")  # doctest: +SKIP
    """
    if not isinstance(file_name, (str, os.PathLike)):
        raise TypeError(
            f"For 'load_mindir', 'file_name' must be a str, but got {describe(file_name)}."
        )
    try:
        with open(file_name, "rb") as file:
            content = file.read()
    except OSError as error:
        raise ValueError(
            f"For 'load_mindir', the file '{file_name}' cannot be read: {error}."
        ) from error
    try:
        return parsed(_model(), content)
    except ValueError as error:
        raise ValueError(
            f"For 'load_mindir', '{file_name}' is not a network of MindSpore: {error}. Networks "
            "that agar exported are read by ms.load."
        ) from None


def save_mindir(model: Any, file_name: str) -> None:
    """Write the message of a network.

    Args:
        model (ModelProto): as :func:`load_mindir` gives it.
        file_name (str): the file; without ``.mindir`` at its end that is added.

    Raises:
        TypeError: `model` is not such a message, or `file_name` is not a str.
        OSError: the file cannot be written.

    Difference from PyTorch: ``onnx.save`` for its files.

    Source: behavior observed in MindSpore 2.10, which calls it deprecated.

    Examples:
        >>> import agar as ms
        >>> model = ms.load_mindir("net.mindir")  # doctest: +SKIP
        >>> model.user_info["version"] = "2"  # doctest: +SKIP
        >>> ms.save_mindir(model, "net.mindir")  # doctest: +SKIP
    """
    if not isinstance(model, _model()):
        raise TypeError(
            "For 'save_mindir', the argument 'model' must be ModelProto, but got "
            f"{describe(model)}."
        )
    if not isinstance(file_name, (str, os.PathLike)):
        raise TypeError(
            f"For 'save_mindir', 'file_name' must be a str, but got {describe(file_name)}."
        )
    path = os.path.realpath(file_name)
    if not path.endswith(".mindir"):
        path += ".mindir"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with writing(path) as file:
        file.write(model.SerializeToString())
