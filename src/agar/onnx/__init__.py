"""Networks written as ONNX files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar.train.serialization import export as _export

__all__ = ["export"]


def export(
    net: Any,
    *inputs: Any,
    file_name: str,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: dict[str, Any] | None = None,
) -> None:
    """Write a network as an ONNX file, see :func:`agar.export`.

    Args:
        net (Union[Cell, function]): the network.
        inputs (Any): what it is called with; sizes that change from call to call are None.
        file_name (str): the file; ``.onnx`` is added unless it is there.
        input_names (list[str]): not supported. Default: ``None``.
        output_names (list[str]): not supported. Default: ``None``.
        export_params (bool): True. Default: ``True``.
        keep_initializers_as_inputs (bool): False. Default: ``False``.
        dynamic_axes (dict): not supported: give inputs of shape None. Default: ``None``.

    Raises:
        NotImplementedError: an option that is not supported is given.
        ImportError: a package for ONNX is not installed.
        ValueError: as :func:`agar.export`.

    Difference from PyTorch: ``torch.onnx.export``, which makes the file.

    Source: behavior described for MindSpore 2.10.
    """
    options = {
        "input_names": input_names,
        "output_names": output_names,
        "dynamic_axes": dynamic_axes,
        "export_params=False": not export_params,
        "keep_initializers_as_inputs": keep_initializers_as_inputs,
    }
    given = [name for name, value in options.items() if value]
    if given:
        raise NotImplementedError(
            f"'onnx.export' with {' and '.join(given)} is not available in agar: names and sizes "
            "are those of the network. Give sizes that change as None in the inputs, and rename "
            "with the package onnx."
        )
    _export(net, *inputs, file_name=file_name, file_format="ONNX")
