"""Descriptions of operators for Ascend's Tensor Boost Engine."""

from __future__ import annotations

from typing import Any

from agar.ops.ascend.op_info_base import PLACE, RegOp, check_type, checked_entry

__all__ = ["TBERegOp"]


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
        check_type(value, kind)
        setattr(self, attribute, value)
        return self

    def unknown_shape_formats(self, unknown_shape_formats: list[str]) -> Any:
        """State the formats for inputs and outputs of unknown shape.

        Args:
            unknown_shape_formats (list[str]): a format for each input and output.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        check_type(unknown_shape_formats, list)
        self.unknown_shape_formats_.append(unknown_shape_formats)
        return self

    def dynamic_rank_support(self, dynamic_rank_support: bool) -> Any:
        """State whether the kernel takes tensors of unknown rank.

        Args:
            dynamic_rank_support (bool): whether it does; ``False`` if it is not stated.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("dynamic_rank_support_", dynamic_rank_support, bool)

    def real_input_index(self, real_input_index: list[int]) -> Any:
        """State the order of the inputs in the kernel.

        Args:
            real_input_index (list[int]): the indices of the inputs, in the order of the kernel.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("real_input_index_", real_input_index, list)

    def input_to_attr_index(self, input_to_attr_index: list[int]) -> Any:
        """State which inputs are attributes of the kernel.

        Args:
            input_to_attr_index (list[int]): the indices of these inputs.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("input_to_attr_index_", input_to_attr_index, list)

    def async_flag(self, async_flag: bool = False) -> Any:
        """State whether the kernel runs asynchronously.

        Args:
            async_flag (bool): whether it does. Default: ``False``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("async_flag_", async_flag, bool)

    def binfile_name(self, binfile_name: str) -> Any:
        """State the name of the file of the compiled kernel.

        Args:
            binfile_name (str): the name.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("binfile_", binfile_name, str)

    def compute_cost(self, compute_cost: int = 10) -> Any:
        """State the cost of the kernel, for the choice of tile sizes.

        Args:
            compute_cost (int): the cost. Default: ``10``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("compute_cost_", compute_cost, int)

    def kernel_name(self, kernel_name: str) -> Any:
        """State the name of the kernel.

        Args:
            kernel_name (str): the name.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("kernel_", kernel_name, str)

    def partial_flag(self, partial_flag: bool = True) -> Any:
        """State whether the kernel can compute a part of its result.

        Args:
            partial_flag (bool): whether it can. Default: ``True``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("partial_flag_", partial_flag, bool)

    def reshape_type(self, reshape_type: str) -> Any:
        """State which axes of N, C, H, W the axes of smaller inputs are.

        Args:
            reshape_type (str): their letters; with ``"CH"`` the shape (2, 3) becomes (1, 2, 3, 1).

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("reshape_type_", reshape_type, str)

    def dynamic_shape(self, dynamic_shape: bool = False) -> Any:
        """State whether the kernel takes tensors of unknown shape.

        Args:
            dynamic_shape (bool): whether it does. Default: ``False``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("dynamic_shape_support_", dynamic_shape, bool)

    def dynamic_compile_static(self, dynamic_compile_static: bool = False) -> Any:
        """State whether the kernel for unknown shapes is used for known ones too.

        Args:
            dynamic_compile_static (bool): whether it is. Default: ``False``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("dynamic_compile_static_", dynamic_compile_static, bool)

    def need_check_supported(self, need_check_supported: bool = False) -> Any:
        """State whether the kernel has a function that tells what it supports.

        Args:
            need_check_supported (bool): whether it has. Default: ``False``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("need_check_support_", need_check_supported, bool)

    def is_dynamic_format(self, is_dynamic_format: bool = False) -> Any:
        """State whether the kernel chooses the formats itself.

        Args:
            is_dynamic_format (bool): whether it does. Default: ``False``.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
        return self._keep("dynamic_format_", is_dynamic_format, bool)

    def op_pattern(self, pattern: str | None = None) -> Any:
        """State the kind of the operator.

        Args:
            pattern (str): such as ``"broadcast"`` or ``"reduce"``. Default: ``None``, unchanged.

        Returns:
            The description itself.

        Raises:
            TypeError: the argument is of another type.
        """
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
        """Describe an attribute, the next one at each call.

        Args:
            name (str): the name. Default: ``None``, not stated.
            param_type (str): ``"required"`` or ``"optional"``. Default: ``None``, not stated.
            value_type (str): the type, such as ``"int"``, ``"bool"``, ``"float"``, ``"str"`` or
                ``"listInt"``. Default: ``None``, not stated.
            value (str): the values it may have, such as ``"all"``. Default: ``None``, not stated.
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
            "value": value,
            "defaultValue": default_value,
        }
        self.attr_.append(checked_entry({}, given, kwargs))
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
        """Describe an input, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            need_compile (bool): whether the kernel is compiled for it. Default: ``None``, not
                stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``None``, not stated.
            shape (str): the shape, such as ``"all"``. Default: ``None``, not stated.
            value_depend (str): whether the kernel depends on the values of the input:
                ``"ignored"``, ``"optional"`` or ``"required"``. Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `value_depend` is another text.
        """
        given = {
            "index": index,
            "name": name,
            "needCompile": need_compile,
            "paramType": param_type,
            "shape": shape,
            "valueDepend": value_depend,
        }
        result = checked_entry(PLACE, given, kwargs)
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
        """Describe an output, the next one at each call.

        Args:
            index (int): the position, from 0. Default: ``None``, not stated.
            name (str): the name. Default: ``None``, not stated.
            need_compile (bool): whether the kernel is compiled for it. Default: ``None``, not
                stated.
            param_type (str): ``"required"``, ``"dynamic"`` (several tensors) or ``"optional"``.
                Default: ``None``, not stated.
            shape (str): the shape, such as ``"all"``. Default: ``None``, not stated.
            **kwargs (Any): further keys and values of the entry.

        Returns:
            The description itself.

        Raises:
            TypeError: an argument has the wrong type.
        """
        given = {
            "index": index,
            "name": name,
            "need_compile": need_compile,
            "paramType": param_type,
            "shape": shape,
        }
        self.outputs.append(checked_entry(PLACE, given, kwargs))
        return self
