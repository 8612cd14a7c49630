"""Descriptions of operators for MindSpore's back ends: written down here, and read by nobody.

Programs that bring kernels of their own describe them with these classes. The descriptions are
those of MindSpore, as dicts; agar computes with torch's kernels and never looks for another.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agar.ops.ascend.op_info_base import PLACE, DataType, RegOp, check_type, checked_entry
from agar.ops.ascend.op_info_tbe import TBERegOp

__all__ = [
    "AiCPURegOp",
    "AkgAscendRegOp",
    "AkgGpuRegOp",
    "CpuRegOp",
    "CustomRegOp",
    "DataType",
    "TBERegOp",
    "custom_info_register",
    "op_info_register",
]


class CpuRegOp(RegOp):
    """The description of an operator of MindSpore's CPU back end.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.CpuRegOp("Mine").input(0, "x", "required").get_op_info()["inputs"]
        [{'index': 0, 'name': 'x', 'paramType': 'required'}]
    """

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "CPU"

    def input(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an input, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(checked_entry(PLACE, given, kwargs))
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an output, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"index": index, "name": name, "paramType": param_type}
        self.outputs.append(checked_entry(PLACE, given, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        value_type: str | None = None,
        value: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an attribute, the next one at each call.

        Args:
            name (str): the name. Default: ``None``, not stated.
            value_type (str): the type, such as ``"int"``, ``"bool"``, ``"float"``, ``"str"`` or
                ``"listInt"``. Default: ``None``, not stated.
            value (str): the values it may have, such as ``"all"``. Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"name": name, "type": value_type, "value": value}
        self.attr_.append(checked_entry({}, given, kwargs))
        return self


class AiCPURegOp(CpuRegOp):
    """The description of an operator of Ascend's AI CPU.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.AiCPURegOp("Stack").attr("axis", "int").get_op_info()["attr"]
        [{'name': 'axis', 'type': 'int'}]
    """

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "AiCPU"


class _AkgRegOp(RegOp):
    _processor = ""

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "AKG"
        self.processor = self._processor

    def input(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an input, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(checked_entry(PLACE, given, kwargs))
        return self

    def output(self, index: int | None = None, name: str | None = None, **kwargs: Any) -> Any:
        """Describe an output, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        self.outputs.append(checked_entry(PLACE, {"index": index, "name": name}, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an attribute, the next one at each call.

        Args:
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"`` or ``"optional"``. Default: ``None``, not stated.
            value_type (str): the type, such as ``"int"``, ``"bool"``, ``"float"``, ``"str"`` or
                ``"listInt"``. Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"name": name, "paramType": param_type, "type": value_type}
        self.attr_.append(checked_entry({}, given, kwargs))
        return self


class AkgGpuRegOp(_AkgRegOp):
    """The description of an operator that MindSpore's kernel generator makes for GPUs.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.AkgGpuRegOp("Mine").get_op_info()["processor"]
        'CUDA'
    """

    _processor = "CUDA"


class AkgAscendRegOp(_AkgRegOp):
    """The description of an operator that MindSpore's kernel generator makes for Ascend.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.AkgAscendRegOp("Mine").get_op_info()["processor"]
        'AiCore'
    """

    _processor = "AiCore"


class CustomRegOp(RegOp):
    """The description of a function for :class:`ops.Custom`.

    Args:
        op_name (str): the operator's name. Default: ``"Custom"``.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> made = ms.ops.CustomRegOp().input(0, "x").output(0, "y").target("CPU").get_op_info()
        >>> made["inputs"], made["target"]
        ([{'index': 0, 'name': 'x', 'paramType': 'required'}], 'CPU')
    """

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)
        self.target_: str | None = "UnKnown"

    def input(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = "required",
        **kwargs: Any,
    ) -> Any:
        """Describe an input, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``"required"``.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(checked_entry(PLACE, given, kwargs))
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = "required",
        **kwargs: Any,
    ) -> Any:
        """Describe an output, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``"required"``.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {"index": index, "name": name, "paramType": param_type}
        self.outputs.append(checked_entry(PLACE, given, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        default_value: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Describe an attribute, the next one at each call.

        Args:
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"`` or ``"optional"``. Default: ``None``, not stated.
            value_type (str): the type, such as ``"int"``, ``"bool"``, ``"float"``, ``"str"`` or
                ``"listInt"``. Default: ``None``, not stated.
            default_value (str): the default as text, such as ``"1.0"``, or ``"1,2,3"`` for a list.
                Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {
            "name": name,
            "paramType": param_type,
            "type": value_type,
            "defaultValue": default_value,
        }
        self.attr_.append(checked_entry({}, given, kwargs))
        return self

    def target(self, target: str | None = None) -> Any:
        """State the device that the description is for.

        Args:
            target (str): ``"Ascend"``, ``"GPU"`` or ``"CPU"``. Default: ``None``, any.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        if target is not None:
            check_type(target, str)
        self.target_ = target
        return self


def op_info_register(op_info: Any) -> Callable[..., Any]:
    """A decorator for a kernel with its description; the kernel is kept and never chosen.

    Args:
        op_info (Union[str, dict]): the description, as a dict or as its JSON text.

    Returns:
        Decorator, which returns the function itself.

    Raises:
        TypeError: `op_info` is neither str nor dict.
        ValueError: the text is not JSON.

    Difference from PyTorch: ``torch.library`` registers kernels that are used.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> info = ms.ops.TBERegOp("Abs").get_op_info()
        >>> @ms.ops.op_info_register(info)
        ... def kernel():
        ...     return 3
        >>> kernel()
        3
    """
    if not isinstance(op_info, (str, dict)):
        raise TypeError(
            f"For 'op_info_register', 'op_info' must be str or dict, but got {op_info!r}."
        )
    try:
        known = json.loads(op_info) if isinstance(op_info, str) else op_info
    except json.JSONDecodeError as error:
        raise ValueError(f"For 'op_info_register', 'op_info' is not JSON: {error}.") from error

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        func.op_info = known  # type: ignore[attr-defined]
        return func

    return decorate


def custom_info_register(*reg_info: Any) -> Callable[..., Any]:
    """A decorator that gives a function for :class:`ops.Custom` its descriptions.

    Args:
        reg_info (Union[str, dict]): the descriptions.

    Returns:
        Decorator, which returns the function itself with the attribute ``reg_info``.

    Raises:
        TypeError: a description is neither str nor dict.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.ops.custom_info_register(ms.ops.CustomRegOp().target("CPU").get_op_info())
        ... def func(x):
        ...     return x
        >>> func.reg_info[0]["target"]
        'CPU'
    """
    for one in reg_info:
        if not isinstance(one, (str, dict)):
            raise TypeError(
                f"For 'custom_info_register', 'reg_info' must be str or dict, but got {one!r}."
            )

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        func.reg_info = reg_info  # type: ignore[attr-defined]
        return func

    return decorate
