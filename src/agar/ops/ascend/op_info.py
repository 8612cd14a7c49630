"""Descriptions of operators for MindSpore's back ends: written down here, and read by nobody.

Programs that bring kernels of their own describe them with these classes. The descriptions are
those of MindSpore, as dicts; agar computes with torch's kernels and never looks for another.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

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

_TYPES = {
    "None": "",
    "BOOL": "bool",
    "I8": "int8",
    "U8": "uint8",
    "I16": "int16",
    "U16": "uint16",
    "I32": "int32",
    "U32": "uint32",
    "I64": "int64",
    "U64": "uint64",
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
    "BF16": "bfloat16",
    "C64": "complex64",
    "C128": "complex128",
}

# Formats whose name in an attribute is not the name itself.
_FORMATS: dict[str, tuple[str, ...]] = {
    "None": ("",),
    "Default": ("DefaultFormat",),
    "Default_Tuple": ("DefaultFormat", "tuple"),
    "Default_List": ("DefaultFormat", "list"),
    "5HD": ("NC1HWC0",),
    "FracZ": ("FRACTAL_Z",),
    "FracNZ": ("FRACTAL_NZ",),
    "FracZNLSTM": ("FRACTAL_ZN_LSTM",),
    "FracZNRNN": ("FRACTAL_ZN_RNN",),
    "ND_RNNBIAS": ("ND_RNN_BIAS",),
    **{
        name: (name,)
        for name in (
            "C1HWNCoC0",
            "NCHW",
            "NHWC",
            "HWCN",
            "NDHWC",
            "NCDHW",
            "DHWCN",
            "NDC1HWC0",
            "NC1HWC0",
            "ChannelLast",
            "FRACTAL_Z_3D",
        )
    },
}


class _Combinations(type):
    """Makes ``DataType.F16_Default`` from a type and a format."""

    def __getattr__(cls, name: str) -> tuple[str, ...]:
        kind, _, layout = name.partition("_")
        if kind not in _TYPES or layout not in _FORMATS:
            raise AttributeError(f"type object 'DataType' has no attribute '{name}'")
        return (_TYPES[kind], *_FORMATS[layout])

    def __dir__(cls) -> list[str]:
        return [f"{kind}_{layout}" for kind in _TYPES for layout in _FORMATS]


class DataType(metaclass=_Combinations):
    """Pairs of an element type and a memory format, such as ``DataType.F16_Default``.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.DataType.F16_Default, ms.ops.DataType.I32_5HD
        (('float16', 'DefaultFormat'), ('int32', 'NC1HWC0'))
    """


def _typed(value: Any, kind: type) -> None:
    wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
    if wrong:
        raise TypeError(f"{value} value must be {kind.__name__}")


def _entry(kind: dict[str, type], given: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """What is not None of `given`, checked, and the rest."""
    for name, value in given.items():
        if value is not None:
            _typed(value, kind.get(name, str))
    return {**{n: v for n, v in given.items() if v is not None}, **rest}


_PLACE = {"index": int, "needCompile": bool, "need_compile": bool}

# The keys of a finished description that are not the attributes' names.
_KEYS = {
    "dynamic_shape_support": "dynamicShapeSupport",
    "dynamic_rank_support": "dynamicRankSupport",
    "dynamic_compile_static": "dynamicCompileStatic",
    "need_check_support": "needCheckSupport",
    "dynamic_format": "dynamicFormat",
}


class RegOp:
    """The description of an operator: its inputs, outputs, attributes and types.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.
    """

    def __init__(self, op_name: str = "") -> None:
        if not isinstance(op_name, str):
            raise ValueError("op name value must be string")
        if not op_name.strip():
            raise ValueError("op name is empty")
        self.op_name = op_name
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self.attr_: list[dict[str, Any]] = []
        self.fusion_type_ = ""
        self.dtype_format_: list[tuple[Any, ...]] = []

    def fusion_type(self, fusion_type: str) -> Any:
        """How the operator may be fused."""
        _typed(fusion_type, str)
        self.fusion_type_ = fusion_type
        return self

    def dtype_format(self, *args: Any) -> Any:
        """One supported combination: a `DataType` for each input and output."""
        if len(self.inputs) + len(self.outputs) != len(args):
            raise ValueError("input size add output size must be equal to dtype format size")
        for arg in args:
            if not isinstance(arg, tuple) or len(arg) not in (2, 3):
                raise ValueError("dtype and format value must be tuple of two or three elements")
            for word in arg:
                _typed(word, str)
        self.dtype_format_.append(args)
        return self

    def get_op_info(self) -> dict[str, Any]:
        """The whole description as a dict."""
        names = {key: key.rstrip("_") for key in vars(self)}
        return {_KEYS.get(name, name): vars(self)[key] for key, name in names.items()}


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
        """Add an input."""
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(_entry(_PLACE, given, kwargs))
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an output."""
        given = {"index": index, "name": name, "paramType": param_type}
        self.outputs.append(_entry(_PLACE, given, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        value_type: str | None = None,
        value: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an attribute."""
        given = {"name": name, "type": value_type, "value": value}
        self.attr_.append(_entry({}, given, kwargs))
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
        """Add an input."""
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(_entry(_PLACE, given, kwargs))
        return self

    def output(self, index: int | None = None, name: str | None = None, **kwargs: Any) -> Any:
        """Add an output."""
        self.outputs.append(_entry(_PLACE, {"index": index, "name": name}, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an attribute."""
        given = {"name": name, "paramType": param_type, "type": value_type}
        self.attr_.append(_entry({}, given, kwargs))
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


class TBERegOp(RegOp):
    """The description of an operator written with Ascend's Tensor Boost Engine.

    Args:
        op_name (str): the operator's name.

    Raises:
        ValueError: the name is not a str, or empty.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.TBERegOp("Abs").kernel_name("abs").get_op_info()["kernel"]
        'abs'
    """

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        self.imply_type = "TBE"
        self.async_flag_ = False
        self.binfile_ = ""
        self.compute_cost_ = 10
        self.kernel_ = ""
        self.partial_flag_ = False
        self.reshape_type_ = ""
        self.dynamic_rank_support_ = False
        self.dynamic_shape_support_ = False
        self.dynamic_compile_static_ = False
        self.need_check_support_ = False
        self.dynamic_format_ = False
        self.op_pattern_ = ""
        self.real_input_index_: list[int] = []
        self.input_to_attr_index_: list[int] = []
        self.unknown_shape_formats_: list[Any] = []

    def _keep(self, attribute: str, value: Any, kind: type) -> Any:
        _typed(value, kind)
        setattr(self, attribute, value)
        return self

    def unknown_shape_formats(self, unknown_shape_formats: list[str]) -> Any:
        """The formats of inputs and outputs whose shapes are open."""
        _typed(unknown_shape_formats, list)
        self.unknown_shape_formats_.append(unknown_shape_formats)
        return self

    def dynamic_rank_support(self, dynamic_rank_support: bool) -> Any:
        """Whether ranks may be open."""
        return self._keep("dynamic_rank_support_", dynamic_rank_support, bool)

    def real_input_index(self, real_input_index: list[int]) -> Any:
        """The order of inputs in the kernel."""
        return self._keep("real_input_index_", real_input_index, list)

    def input_to_attr_index(self, input_to_attr_index: list[int]) -> Any:
        """The inputs that are attributes of the kernel."""
        return self._keep("input_to_attr_index_", input_to_attr_index, list)

    def async_flag(self, async_flag: bool = False) -> Any:
        """Whether the kernel runs asynchronously."""
        return self._keep("async_flag_", async_flag, bool)

    def binfile_name(self, binfile_name: str) -> Any:
        """The name of the kernel's file."""
        return self._keep("binfile_", binfile_name, str)

    def compute_cost(self, compute_cost: int = 10) -> Any:
        """What the kernel costs."""
        return self._keep("compute_cost_", compute_cost, int)

    def kernel_name(self, kernel_name: str) -> Any:
        """The name of the kernel."""
        return self._keep("kernel_", kernel_name, str)

    def partial_flag(self, partial_flag: bool = True) -> Any:
        """Whether the kernel may be compiled in parts."""
        return self._keep("partial_flag_", partial_flag, bool)

    def reshape_type(self, reshape_type: str) -> Any:
        """How shapes are extended to four axes."""
        return self._keep("reshape_type_", reshape_type, str)

    def dynamic_shape(self, dynamic_shape: bool = False) -> Any:
        """Whether sizes may be open."""
        return self._keep("dynamic_shape_support_", dynamic_shape, bool)

    def dynamic_compile_static(self, dynamic_compile_static: bool = False) -> Any:
        """Whether the kernel for open sizes serves known ones, too."""
        return self._keep("dynamic_compile_static_", dynamic_compile_static, bool)

    def need_check_supported(self, need_check_supported: bool = False) -> Any:
        """Whether the kernel says itself what it supports."""
        return self._keep("need_check_support_", need_check_supported, bool)

    def is_dynamic_format(self, is_dynamic_format: bool = False) -> Any:
        """Whether the kernel chooses formats itself."""
        return self._keep("dynamic_format_", is_dynamic_format, bool)

    def op_pattern(self, pattern: str | None = None) -> Any:
        """What kind of operator it is."""
        return self if pattern is None else self._keep("op_pattern_", pattern, str)

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        value: str | None = None,
        default_value: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an attribute."""
        given = {
            "name": name,
            "paramType": param_type,
            "type": value_type,
            "value": value,
            "defaultValue": default_value,
        }
        self.attr_.append(_entry({}, given, kwargs))
        return self

    def input(
        self,
        index: int | None = None,
        name: str | None = None,
        need_compile: bool | None = None,
        param_type: str | None = None,
        shape: str | None = None,
        value_depend: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an input."""
        given = {
            "index": index,
            "name": name,
            "needCompile": need_compile,
            "paramType": param_type,
            "shape": shape,
            "valueDepend": value_depend,
        }
        result = _entry(_PLACE, given, kwargs)
        known = ("ignored", "optional", "required")
        if value_depend and value_depend.lower() not in known:
            raise ValueError(
                f"Operator {self.op_name} input{index}'s value_depend's value ({value_depend}) is "
                f"not in {known}."
            )
        self.inputs.append(result)
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        need_compile: bool | None = None,
        param_type: str | None = None,
        shape: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an output."""
        given = {
            "index": index,
            "name": name,
            "need_compile": need_compile,
            "paramType": param_type,
            "shape": shape,
        }
        self.outputs.append(_entry(_PLACE, given, kwargs))
        return self


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
        """Add an input."""
        given = {"index": index, "name": name, "paramType": param_type}
        self.inputs.append(_entry(_PLACE, given, kwargs))
        return self

    def output(
        self,
        index: int | None = None,
        name: str | None = None,
        param_type: str | None = "required",
        **kwargs: Any,
    ) -> Any:
        """Add an output."""
        given = {"index": index, "name": name, "paramType": param_type}
        self.outputs.append(_entry(_PLACE, given, kwargs))
        return self

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        default_value: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Add an attribute."""
        given = {
            "name": name,
            "paramType": param_type,
            "type": value_type,
            "defaultValue": default_value,
        }
        self.attr_.append(_entry({}, given, kwargs))
        return self

    def target(self, target: str | None = None) -> Any:
        """The device that the description is for."""
        if target is not None:
            _typed(target, str)
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
