"""Values in statements: constants, names, and objects that have no text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from agar.rewrite._checks import one_of, sequence_of

__all__ = ["ScopedValue", "ValueType"]


class ValueType(Enum):
    """What a :class:`ScopedValue` is.

    Attributes:
        ConstantValue: None, a number, a text or a bool.
        TupleValue: a tuple of values.
        ListValue: a list of values.
        DictValue: a dict of values.
        NamingValue: the name of a variable or attribute.
        CustomObjValue: any other object, which the generated code has as an attribute.
        UnsupportedValue: another expression, kept as it is.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.rewrite import ScopedValue
        >>> ScopedValue.create_variable_value((1, 2)).type
        <ValueType.TupleValue: 20>
    """

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


class ScopedValue:
    """A value in a statement: an argument, a target, or what is called.

    Args:
        arg_type (ValueType): what it is.
        scope (str): what stands before the dot of a name, such as ``"self"``. Default: ``""``.
        value (Any): the value; of a name its text. Default: ``None``.

    Raises:
        TypeError: `arg_type` is not a ValueType, or `scope` not a str.

    Difference from PyTorch: ``torch.fx`` has nodes and constants as arguments.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.rewrite import ScopedValue, ValueType
        >>> ScopedValue(ValueType.NamingValue, "self", "conv")
        self.conv
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None) -> None:
        self.type = one_of("ScopedValue", "arg_type", arg_type, ValueType)
        self.scope = one_of("ScopedValue", "scope", scope, str)
        self.value = value

    @classmethod
    def create_variable_value(cls, value: Any) -> ScopedValue:
        """The value that stands for a Python object.

        Args:
            value (Any): the object.

        Returns:
            ScopedValue, of the type that fits.

        Examples:
            >>> from agar.rewrite import ScopedValue
            >>> print(ScopedValue.create_variable_value(2))
            2
        """
        if value is None or isinstance(value, (int, float, str)):
            return cls(ValueType.ConstantValue, "", value)
        make = cls.create_variable_value
        if isinstance(value, tuple):
            return cls(ValueType.TupleValue, "", tuple(make(v) for v in value))
        if isinstance(value, list):
            return cls(ValueType.ListValue, "", [make(v) for v in value])
        if isinstance(value, dict):
            return cls(ValueType.DictValue, "", {make(k): make(v) for k, v in value.items()})
        return cls(ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """The name of a variable, or of an attribute of one.

        Args:
            name (str): the name.
            scope (str): the variable that has it as an attribute. Default: ``""``.

        Returns:
            ScopedValue.

        Raises:
            TypeError: an argument is not a str.

        Examples:
            >>> from agar.rewrite import ScopedValue
            >>> print(ScopedValue.create_naming_value("conv", "self"))
            self.conv
        """
        one_of("ScopedValue", "name", name, str)
        return cls(ValueType.NamingValue, scope, name)

    @staticmethod
    def create_name_values(
        names: Sequence[str], scopes: Sequence[str] | None = None
    ) -> list[ScopedValue]:
        """Several names.

        Args:
            names (Union[list[str], tuple[str]]): the names.
            scopes (Union[list[str], tuple[str]]): for each its scope. Default: ``None``, none.

        Returns:
            list[ScopedValue].

        Raises:
            TypeError: `names` or `scopes` is not a list or tuple of str.
            ValueError: their lengths differ.

        Examples:
            >>> from agar.rewrite import ScopedValue
            >>> print(ScopedValue.create_name_values(["z", "z_1"], ["self", "self"]))
            [self.z, self.z_1]
        """
        sequence_of("ScopedValue", "names", names, str)
        if scopes is None:
            scopes = [""] * len(names)
        sequence_of("ScopedValue", "scopes", scopes, str)
        if len(names) != len(scopes):
            raise ValueError(
                "For 'ScopedValue', the length of 'names' must be that of 'scopes', but got "
                f"{len(names)} and {len(scopes)}."
            )
        make = ScopedValue.create_naming_value
        return [make(name, scope) for name, scope in zip(names, scopes, strict=True)]

    def __str__(self) -> str:
        if self.type is ValueType.NamingValue and self.scope:
            return f"{self.scope}.{self.value}"
        if self.type in (ValueType.ConstantValue, ValueType.NamingValue):
            return str(self.value)
        if self.type is ValueType.CustomObjValue:
            return f"CustomObj: {self.value}"
        return f"Illegal ValueType: {self.type}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ScopedValue) or self.type is not other.type:
            return False
        if self.type in (ValueType.CustomObjValue, ValueType.UnsupportedValue):
            return self.value is other.value  # tensors have no one answer
        return (self.scope, self.value) == (other.scope, other.value)

    def __hash__(self) -> int:
        if self.type in (ValueType.ConstantValue, ValueType.NamingValue):
            return hash((self.type, self.scope, self.value))
        return hash(self.type)
