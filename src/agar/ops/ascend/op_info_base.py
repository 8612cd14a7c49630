"""Descriptions of operators: element types and formats, and what all descriptions share."""

from __future__ import annotations

from typing import Any

__all__ = ["PLACE", "DataType", "RegOp", "check_type", "checked_entry"]

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


def check_type(value: Any, kind: type) -> None:
    """Raise a TypeError for a value of another type; a bool is not an int."""
    wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
    if wrong:
        raise TypeError(f"{value} value must be {kind.__name__}")


def checked_entry(
    kind: dict[str, type], given: dict[str, Any], rest: dict[str, Any]
) -> dict[str, Any]:
    """The values of `given` that are not None, checked, and those of `rest`."""
    for name, value in given.items():
        if value is not None:
            check_type(value, kind.get(name, str))
    return {**{n: v for n, v in given.items() if v is not None}, **rest}


PLACE = {"index": int, "needCompile": bool, "need_compile": bool}

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
        """State how the operator can be fused with others.

        Args:
            fusion_type (str): the kind of fusion.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        check_type(fusion_type, str)
        self.fusion_type_ = fusion_type
        return self

    def dtype_format(self, *args: Any) -> Any:
        """Add one supported combination of types and formats.

        Args:
            *args (tuple[str]): a `DataType`, such as ``DataType.F16_Default``, for each input and
                output.

        Returns:
            The description itself.

        Raises:
            TypeError: a part of a `DataType` is not a str.
            ValueError: there are not as many as inputs and outputs, or one has not two or three
                parts.
        """
        if len(self.inputs) + len(self.outputs) != len(args):
            raise ValueError("input size add output size must be equal to dtype format size")
        for arg in args:
            if not isinstance(arg, tuple) or len(arg) not in (2, 3):
                raise ValueError("dtype and format value must be tuple of two or three elements")
            for word in arg:
                check_type(word, str)
        self.dtype_format_.append(args)
        return self

    def get_op_info(self) -> dict[str, Any]:
        """The whole description.

        Returns:
            dict with the keys of MindSpore's descriptions.
        """
        names = {key: key.rstrip("_") for key in vars(self)}
        return {_KEYS.get(name, name): vars(self)[key] for key, name in names.items()}
