"""Pooling layers."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops.nn.pooling import (
    avg_pool_layer,
    avg_pool_same_layer,
    max_pool_layer,
    max_pool_same_layer,
)
from agar.ops.nn.pooling_adaptive import output_sizes

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool1dExt",
    "AvgPool2d",
    "AvgPool2dExt",
    "AvgPool3d",
    "AvgPool3dExt",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "LPPool1d",
    "LPPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool2dExt",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


def _listed_window(who: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """A size or step of a window that may be a list, too."""
    return _window(who, name, tuple(value) if isinstance(value, list) else value, count)


def _window(who: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """A size or step of a window: a positive int, or a tuple of one or `count` of them."""
    if type(value) is bool or not isinstance(value, (int, tuple)):
        raise TypeError(
            f"For '{who}', the type of '{name}' should be one of '['int', 'tuple']', but got type "
            f"'{type(value).__name__}'."
        )
    numbers = value if isinstance(value, tuple) else (value,)
    if len(numbers) == 1:
        numbers = numbers * count
    if len(numbers) != count or not all(type(n) is int and n > 0 for n in numbers):
        raise ValueError(
            f"For '{who}', the '{name}' must be an positive int number or a tuple of {count} of "
            f"them, but got {value}."
        )
    return numbers


def _pads(who: str, padding: Any, count: int) -> tuple[int, ...]:
    if isinstance(padding, (tuple, list)):
        if len(padding) not in (1, count):
            raise ValueError(
                f"For '{who}', the padding must be a int or tuple/list contains 1 or {count} int, "
                f"but got tuple/list with length:{len(padding)}."
            )
        if len(padding) == 1:
            padding = padding[0]
    return int_tuple(who, "padding", padding, count, 0)


def _shown(value: Any) -> Any:
    """How MindSpore shows a size: a tuple of one as its number."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


class _Pool(Cell):
    """What the windowed layers share: checked options, and the text that shows them."""

    count = 0

    def __init__(
        self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any, data_format: str = "NCHW"
    ) -> None:
        super().__init__()
        who = self.cls_name
        if not isinstance(pad_mode, str):
            raise TypeError(
                f"For '{who}', the type of 'pad_mode' should be 'str', but got type "
                f"'{type(pad_mode).__name__}'."
            )
        self.pad_mode = choice(who, "pad_mode", pad_mode.upper(), ("VALID", "SAME", "PAD"))
        self._kernel = _window(who, "kernel_size", kernel_size, self.count)
        self._steps = _window(who, "stride", stride, self.count)
        self._padding = _pads(who, padding, self.count)
        self._same = self.pad_mode == "SAME"
        self.kernel_size = _shown(kernel_size)
        self.stride = _shown(stride)
        self.format = choice(who, "data_format", data_format, ("NCHW", "NHWC"))
        self._channels_last = data_format == "NHWC"

    def _only_with_pad(self, **options: bool) -> None:
        """Refuse options that need mode ``pad``; `options` says which were given."""
        if self.pad_mode != "PAD" and any(options.values()):
            given = [name for name, is_given in options.items() if is_given]
            raise ValueError(
                f"For {self.cls_name}, the parameter 'padding', 'dilation', 'return_indices', "
                "'ceil_mode' can not be set to non-default value when pad_mode is not 'pad', but "
                f"got pad_mode:{self.pad_mode.lower()} and {given}; pass pad_mode='pad'."
            )

    def construct(self, x: Tensor) -> Any:
        """The output; see the class."""
        if self._channels_last:
            return self._pool(x.moveaxis(-1, 1)).moveaxis(1, -1)
        return self._pool(x)

    def _pool(self, x: Any) -> Any:
        raise NotImplementedError

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class _MaxPool(_Pool):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        return_indices: bool,
        ceil_mode: bool,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        who = self.cls_name
        self._spread = int_tuple(who, "dilation", dilation, self.count)
        self.return_indices = boolean(who, "return_indices", return_indices)
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)
        self._only_with_pad(
            padding=any(self._padding),
            dilation=any(d != 1 for d in self._spread),
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )
        if return_indices and self._channels_last:
            raise ValueError(
                f"For '{who}', indices are counted within planes: return_indices=True needs "
                "data_format='NCHW'."
            )

    def _pool(self, x: Any) -> Any:
        if self._same:
            return max_pool_same_layer(x, self._kernel, self._steps)
        return max_pool_layer(
            x,
            self._kernel,
            self._steps,
            self._padding,
            self._spread,
            self.ceil_mode,
            self.return_indices,
        )


class MaxPool1d(_MaxPool):
    r"""Largest element of every window of sequences.

    Args:
        kernel_size (int): size of the window. Default: 1.
        stride (int): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the maxima's places are returned, too; in mode ``pad``.
            Default: False.
        ceil_mode (bool): whether incomplete windows at the end count; in mode ``pad``. Default:
            False.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the int64 places, each
    counted within its channel.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool1d(2, 2)(ms.Tensor([[[1.0, 3.0, 2.0, 5.0]]])))
        [[[3. 5.]]]
    """

    count = 1

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        integer("MaxPool1d", "kernel_size", kernel_size, 1)
        integer("MaxPool1d", "stride", stride, 1)
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
        )
        front = (1, 1) if self.pad_mode == "PAD" else (1,)
        self.kernel_size = (*front, kernel_size)
        self.stride = (*front, stride)


class MaxPool2d(_MaxPool):
    r"""Largest element of every window of images.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the maxima's places are returned, too; in mode ``pad``.
            Default: False.
        ceil_mode (bool): whether incomplete windows at the end count; in mode ``pad``. Default:
            False.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the int64 places, each
    counted within its channel.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    count = 2

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
            data_format,
        )


class MaxPool3d(_MaxPool):
    r"""Largest element of every window of volumes.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the maxima's places are returned, too; in mode ``pad``.
            Default: False.
        ceil_mode (bool): whether incomplete windows at the end count; in mode ``pad``. Default:
            False.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the int64 places, each
    counted within its channel.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool3d(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 2, 2)
    """

    count = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
        )


class _AvgPool(_Pool):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        who = self.cls_name
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(who, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override
        if divisor_override is not None and integer(who, "divisor_override", divisor_override) < 1:
            raise ValueError(
                f"For '{who}', the 'divisor_override' must be > 0, but got {divisor_override}."
            )
        if self.pad_mode != "PAD" and any(self._padding):
            raise ValueError(
                f"For '{who}', the 'padding' must be zero when 'pad_mode' is not \"PAD\", but got "
                f"padding {padding} and pad_mode {pad_mode!r}; pass pad_mode='pad'."
            )
        self._pairs = tuple((p, p) for p in self._padding)
        # only the mean over volumes counts the padding of mode ``same``
        self._count_same = count_include_pad and self.count == 3

    def _pool(self, x: Any) -> Any:
        if self._same:
            return avg_pool_same_layer(
                x, self._kernel, self._steps, self._count_same, self.divisor_override
            )
        return avg_pool_layer(
            x,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool1d(_AvgPool):
    r"""Mean of every window of sequences.

    An average in mode ``same`` divides by the elements that lie in the input.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0]]])))
        [[[2. 4.]]]
    """

    count = 1

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            None,
        )
        if self.pad_mode != "PAD":
            self.kernel_size = (1, *self._kernel)
            self.stride = (1, *self._steps)


class AvgPool2d(_AvgPool):
    r"""Mean of every window of images.

    An average in mode ``same`` divides by the elements that lie in the input.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool2d(2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    count = 2

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            divisor_override,
            data_format,
        )


class AvgPool3d(_AvgPool):
    r"""Mean of every window of volumes.

    Averages count the padding of mode ``same``, too, unless `count_include_pad` is False.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), the odd
            element at the end) or ``pad`` (as `padding` says); in any case of letters. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has another
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size are 1 by default, there the stride is the
    kernel's size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool3d(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 2, 2)
    """

    count = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            divisor_override,
        )


class AdaptiveAvgPool1d(Cell):
    r"""Means over as many windows of sequences as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (int): number of windows.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of as many means.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[2. 6.]]]
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = integer("AdaptiveAvgPool1d", "output_size", output_size, 1)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Cell):
    r"""Means over as many windows of images as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of as many means.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool2d(1)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveAvgPool2d", output_size, 2)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    r"""Means over as many windows of volumes as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of as many means.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool3d((2, None, 1))(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 4, 1)
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveAvgPool3d", output_size, 3)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(Cell):
    r"""Maxima over as many windows of sequences as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (int): number of windows.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of as many maxima.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[3. 7.]]]
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = integer("AdaptiveMaxPool1d", "output_size", output_size, 1)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_max_pool1d(input, self.output_size)


class AdaptiveMaxPool2d(Cell):
    r"""Maxima over as many windows of images as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of as many maxima; with `return_indices` a pair of it and the int64 places.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool2d(1)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveMaxPool2d", output_size, 2)
        self.return_indices = boolean("AdaptiveMaxPool2d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    r"""Maxima over as many windows of volumes as asked for.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of as many maxima; with `return_indices` a pair of it and the int32 places.

    Raises:
        TypeError: a size is of a wrong type.
        ValueError: a size is out of range, or the input has another rank.

    Difference from PyTorch: the places are int32, there int64.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool3d((2, None, 1))(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 4, 1)
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveMaxPool3d", output_size, 3)
        self.return_indices = boolean("AdaptiveMaxPool3d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class FractionalMaxPool2d(Cell):
    r"""Maxima of windows that are spread at random over images; see ``ops.fractional_max_pool2d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape (N, C, 2). Default:
            None, drawn at every call.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the places.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: neither or both sizes are given, or one is out of range.

    Difference from PyTorch: other random numbers.

    Source: Graham 2015, "Fractional Max-Pooling".

    Examples:
        >>> import agar as ms
        >>> pool = ms.nn.FractionalMaxPool2d(2, output_size=3)
        >>> pool(ms.ops.ones((1, 1, 7, 7))).shape
        (1, 1, 3, 3)
    """

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = boolean("FractionalMaxPool2d", "return_indices", return_indices)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(
                "For 'FractionalMaxPool2d', one of 'output_size' and 'output_ratio' must be given, "
                f"but got output_size={output_size}, output_ratio={output_ratio}."
            )
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.fractional_max_pool2d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            self._random_samples,
        )


class FractionalMaxPool3d(Cell):
    r"""Maxima of windows that are spread at random over volumes; see ``ops.fractional_max_pool3d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape (N, C, 3). Default:
            None, drawn at every call.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the places.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: neither or both sizes are given, or one is out of range.

    Difference from PyTorch: other random numbers.

    Source: Graham 2015, "Fractional Max-Pooling".

    Examples:
        >>> import agar as ms
        >>> pool = ms.nn.FractionalMaxPool3d(2, output_size=3)
        >>> pool(ms.ops.ones((1, 1, 7, 7, 7))).shape
        (1, 1, 3, 3, 3)
    """

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = boolean("FractionalMaxPool3d", "return_indices", return_indices)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(
                "For 'FractionalMaxPool3d', one of 'output_size' and 'output_ratio' must be given, "
                f"but got output_size={output_size}, output_ratio={output_ratio}."
            )
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return ops.fractional_max_pool3d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            self._random_samples,
        )


class LPPool1d(Cell):
    r"""Power sum of every window of sequences: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (int): size of the window.
        stride (int): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the power sums.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `norm_type` is 0, or the input has another rank or is smaller than the window.

    Difference from PyTorch: none.

    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LPPool1d(2, 2)(ms.Tensor([[[3.0, 4.0]]])))
        [[[5.]]]
    """

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = number("LPPool1d", "norm_type", norm_type)
        if norm_type == 0:
            raise ValueError("For 'LPPool1d', 'norm_type' must not be 0.")
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = boolean("LPPool1d", "ceil_mode", ceil_mode)

    def construct(self, x: Tensor) -> Any:
        """The output; see the class."""
        return ops.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Cell):
    r"""Power sum of every window of images: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the power sums.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `norm_type` is 0, or the input has another rank or is smaller than the window.

    Difference from PyTorch: none.

    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LPPool2d(2, (1, 2))(ms.Tensor([[[[3.0, 4.0]]]])))
        [[[[5.]]]]
    """

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = number("LPPool2d", "norm_type", norm_type)
        if norm_type == 0:
            raise ValueError("For 'LPPool2d', 'norm_type' must not be 0.")
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = boolean("LPPool2d", "ceil_mode", ceil_mode)

    def construct(self, x: Tensor) -> Any:
        """The output; see the class."""
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class MaxUnpool1d(Cell):
    r"""Put maxima of sequences back to the places they came from; all others are zero.

    Args:
        kernel_size (int): size of the window of the pooling.
        stride (int): its step. Default: None, the kernel's size.
        padding (int): its padding. Default: 0.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`; indices
    (Tensor), the places, integers of the same shape; output_size (tuple[int]), the shape of the
    result, by default worked out.

    Outputs: Tensor with the maxima at their places.

    Raises:
        TypeError: the indices are no integers.
        ValueError: a wrong rank or shape, or an `output_size` no pooling leads from.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool1d(2)(ms.Tensor([[[5.0, 7.0]]]), ms.Tensor([[[1, 2]]])))
        [[[0. 5. 7. 0.]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        """The output; see the class."""
        return ops.max_unpool1d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool2d(Cell):
    r"""Put maxima of images back to the places they came from; all others are zero.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`; indices
    (Tensor), the places, integers of the same shape; output_size (tuple[int]), the shape of the
    result, by default worked out.

    Outputs: Tensor with the maxima at their places.

    Raises:
        TypeError: the indices are no integers.
        ValueError: a wrong rank or shape, or an `output_size` no pooling leads from.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool2d(2)(ms.Tensor([[[[5.0]]]]), ms.Tensor([[[[2]]]])).shape)
        (1, 1, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        """The output; see the class."""
        return ops.max_unpool2d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool3d(Cell):
    r"""Put maxima of volumes back to the places they came from; all others are zero.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`; indices
    (Tensor), the places, integers of the same shape; output_size (tuple[int]), the shape of the
    result, by default worked out.

    Outputs: Tensor with the maxima at their places.

    Raises:
        TypeError: the indices are no integers.
        ValueError: a wrong rank or shape, or an `output_size` no pooling leads from.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool3d(2)(ms.Tensor([[[[[5.0]]]]]), ms.Tensor([[[[[2]]]]])).shape)
        (1, 1, 2, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        """The output; see the class."""
        return ops.max_unpool3d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class AvgPool1dExt(Cell):
    r"""Mean of every window of sequences, with PyTorch's arguments; see ``nn.AvgPool1d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): step of the window. Default: None, the
            kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Inputs: x (Tensor), shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool1dExt(2)(ms.ops.ones((1, 1, 4))).shape
        (1, 1, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        who = "AvgPool1dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(who, "kernel_size", kernel_size, 1)
        self._steps = self._kernel if stride is None else _listed_window(who, "stride", stride, 1)
        self._pairs = tuple((p, p) for p in _pads(who, padding, 1))
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(who, "count_include_pad", count_include_pad)
        self.divisor_override = None

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2dExt(Cell):
    r"""Mean of every window of images, with PyTorch's arguments; see ``nn.AvgPool2d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): step of the window. Default: None, the
            kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool2dExt(2)(ms.ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        who = "AvgPool2dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(who, "kernel_size", kernel_size, 2)
        self._steps = self._kernel if stride is None else _listed_window(who, "stride", stride, 2)
        self._pairs = tuple((p, p) for p in _pads(who, padding, 2))
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(who, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3dExt(Cell):
    r"""Mean of every window of volumes, with PyTorch's arguments; see ``nn.AvgPool3d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): step of the window. Default: None, the
            kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs: x (Tensor), shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool3dExt(2)(ms.ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 2, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        who = "AvgPool3dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(who, "kernel_size", kernel_size, 3)
        self._steps = self._kernel if stride is None else _listed_window(who, "stride", stride, 3)
        self._pairs = tuple((p, p) for p in _pads(who, padding, 3))
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(who, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class MaxPool2dExt(Cell):
    r"""Largest element of every window of images, with PyTorch's arguments; see ``nn.MaxPool2d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int], list[int]]): step of the window. Default: None, the
            kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default: 1.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a pair of it and the int64 places.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or the input has another rank.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.MaxPool2dExt(2)(ms.ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        who = "MaxPool2dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding, dilation
        self._kernel = _listed_window(who, "kernel_size", kernel_size, 2)
        self._steps = self._kernel if stride is None else _listed_window(who, "stride", stride, 2)
        self._padding = _pads(who, padding, 2)
        self._spread = int_tuple(who, "dilation", dilation, 2)
        self.return_indices = boolean(who, "return_indices", return_indices)
        self.ceil_mode = boolean(who, "ceil_mode", ceil_mode)

    def construct(self, input: Tensor) -> Any:
        """The output; see the class."""
        return max_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._padding,
            self._spread,
            self.ceil_mode,
            self.return_indices,
        )
