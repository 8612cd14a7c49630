"""What the windowed pooling layers share: their arguments and their base class."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import choice, int_tuple

__all__ = []


def _listed_window(op_name: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """A size or step of a window that may be a list, too."""
    return _window(op_name, name, tuple(value) if isinstance(value, list) else value, count)


def _window(op_name: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """A size or step of a window: a positive int, or a tuple of one or `count` of them."""
    if type(value) is bool or not isinstance(value, (int, tuple)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' should be one of '['int', 'tuple']', but got "
            f"type '{type(value).__name__}'."
        )
    numbers = value if isinstance(value, tuple) else (value,)
    if len(numbers) == 1:
        numbers = numbers * count
    if len(numbers) != count or not all(type(n) is int and n > 0 for n in numbers):
        raise ValueError(
            f"For '{op_name}', the '{name}' must be an positive int number or a tuple of {count} "
            f"of them, but got {value}."
        )
    return numbers


def _pads(op_name: str, padding: Any, count: int) -> tuple[int, ...]:
    if isinstance(padding, (tuple, list)):
        if len(padding) not in (1, count):
            raise ValueError(
                f"For '{op_name}', the padding must be a int or tuple/list contains 1 or {count} "
                f"int, but got tuple/list with length:{len(padding)}."
            )
        if len(padding) == 1:
            padding = padding[0]
    return int_tuple(op_name, "padding", padding, count, 0)


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
        op_name = self.cls_name
        if not isinstance(pad_mode, str):
            raise TypeError(
                f"For '{op_name}', the type of 'pad_mode' should be 'str', but got type "
                f"'{type(pad_mode).__name__}'."
            )
        self.pad_mode = choice(op_name, "pad_mode", pad_mode.upper(), ("VALID", "SAME", "PAD"))
        self._kernel = _window(op_name, "kernel_size", kernel_size, self.count)
        self._steps = _window(op_name, "stride", stride, self.count)
        self._padding = _pads(op_name, padding, self.count)
        self._same = self.pad_mode == "SAME"
        self.kernel_size = _shown(kernel_size)
        self.stride = _shown(stride)
        self.format = choice(op_name, "data_format", data_format, ("NCHW", "NHWC"))
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
        if self._channels_last:
            return self._pool(x.moveaxis(-1, 1)).moveaxis(1, -1)
        return self._pool(x)

    def _pool(self, x: Any) -> Any:
        raise NotImplementedError

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"
