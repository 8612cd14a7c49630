"""Masks over ranges of frequencies or of time, fixed or drawn."""

from __future__ import annotations

import numpy as np

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, single
from agar.dataset.transforms._random import Random

__all__ = ["FrequencyMasking", "MaskAlongAxis", "MaskAlongAxisIID", "TimeMasking"]


class _Mask(AudioTensorOperation):
    _layout = ("freq", "time")

    def _masked(
        self, array: np.ndarray, axis: int, start: int, width: int, value: float, names: str
    ) -> np.ndarray:
        size = array.shape[axis]
        if width and (start >= size or start + width > size):
            raise self._failed(
                f"{names} give a mask that ends at {start + width}, but the input of shape "
                f"{list(array.shape)} has {size} values there; give a smaller mask"
            )
        result = single(array).copy()
        if axis == -1:
            result[..., start : start + width] = value
        else:
            result[..., start : start + width, :] = value
        return result


class _DrawnMask(Random, _Mask):
    def _drawn(
        self, array: np.ndarray, axis: int, most: int, value: float, name: str
    ) -> np.ndarray:
        size = array.shape[axis]
        if most > size:
            raise self._failed(
                f"argument '{name}' must be at most {size}, the size of the input of shape "
                f"{list(array.shape)} there, but got {most}"
            )
        width = self._stream.integer(0, most)
        start = self._stream.integer(0, size - width)
        return self._masked(array, axis, start, width, value, name)


class MaskAlongAxis(_Mask):
    """Mask a range of frequencies or of time.

    Args:
        mask_start (int): where the range starts; not negative.
        mask_width (int): how long it is; above 0.
        mask_value (float): the value to overwrite it with.
        axis (int): 1 for frequencies, 2 for time.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the range goes beyond the input, or the type or shape of the input is not
            supported.

    Difference from PyTorch: ``torchaudio.functional.mask_along_axis`` draws the range.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MaskAlongAxis(0, 1, 0.5, 2)(np.ones((2, 3)))
        array([[0.5, 1. , 1. ],
               [0.5, 1. , 1. ]])
    """

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int) -> None:
        check = AudioCheck("audio.MaskAlongAxis")
        check.size("mask_start", mask_start)
        check.count("mask_width", mask_width)
        check.number("mask_value", mask_value)
        check.whole("axis", axis, 1, 2)
        self.mask_start = mask_start
        self.mask_width = mask_width
        self.mask_value = mask_value
        self.axis = axis

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return self._masked(
            array,
            self.axis - 3,
            self.mask_start,
            self.mask_width,
            self.mask_value,
            "arguments 'mask_start' and 'mask_width'",
        )


class MaskAlongAxisIID(_DrawnMask):
    """Mask a random range of frequencies or of time.

    The width is drawn from 0 to `mask_param`, and then the start; all channels get the same range.

    Args:
        mask_param (int): the largest width; not negative.
        mask_value (float): the value to overwrite the range with.
        axis (int): 1 for frequencies, 2 for time.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.
    The draws come from ``dataset.config.set_seed``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: `mask_param` is larger than the input, which may also be of another type or
            shape.

    Difference from PyTorch: ``torchaudio.functional.mask_along_axis_iid`` draws for each channel.

    Source: behavior observed in MindSpore 2.10, draws included.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MaskAlongAxisIID(5, 0.5, 2)(np.ones((20, 20))).shape
        (20, 20)
    """

    def __init__(self, mask_param: int, mask_value: float, axis: int) -> None:
        check = AudioCheck("audio.MaskAlongAxisIID")
        check.size("mask_param", mask_param)
        check.number("mask_value", mask_value)
        check.whole("axis", axis, 1, 2)
        self.mask_param = mask_param
        self.mask_value = mask_value
        self.axis = axis

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return self._drawn(array, self.axis - 3, self.mask_param, self.mask_value, "mask_param")


class _Masking(_DrawnMask):
    _axis: int
    _argument: str
    iid_masks: bool
    mask_start: int
    mask_value: float

    def _set(self, iid_masks: bool, param: int, mask_start: int, mask_value: float) -> None:
        check = AudioCheck(f"audio.{type(self).__name__}")
        check.flag("iid_masks", iid_masks)
        check.whole(self._argument, param, 0, 2**24)
        check.whole("mask_start", mask_start, 0, 2**24)
        check.weight("mask_value", mask_value)
        self.iid_masks = iid_masks
        self.mask_start = mask_start
        self.mask_value = mask_value
        self.random = iid_masks

    def _apply(self, array: np.ndarray, param: int) -> np.ndarray:
        if self.iid_masks:
            return self._drawn(array, self._axis, param, self.mask_value, self._argument)
        names = f"arguments 'mask_start' and '{self._argument}'"
        return self._masked(array, self._axis, self.mask_start, param, self.mask_value, names)


class FrequencyMasking(_Masking):
    """Mask a range of frequencies.

    Args:
        iid_masks (bool, optional): whether the range is drawn for each call: its width from 0 to
            `freq_mask_param`, then its start. Default: ``False``.
        freq_mask_param (int, optional): the width, or the largest one; not negative. Default:
            ``0``.
        mask_start (int, optional): where the range starts, unless it is drawn. Default: ``0``.
        mask_value (float, optional): the value to overwrite it with; not negative. Default:
            ``0.0``.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.
    The draws come from ``dataset.config.set_seed``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the range goes beyond the input, or the type or shape of the input is not
            supported.

    Difference from PyTorch: ``torchaudio.transforms.FrequencyMasking`` always draws.

    Source: behavior observed in MindSpore 2.10, draws included.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.FrequencyMasking(freq_mask_param=1, mask_start=1)(np.ones((3, 2)))
        array([[1., 1.],
               [0., 0.],
               [1., 1.]])
    """

    _axis = -2
    _argument = "freq_mask_param"

    def __init__(
        self,
        iid_masks: bool = False,
        freq_mask_param: int = 0,
        mask_start: int = 0,
        mask_value: float = 0.0,
    ) -> None:
        self._set(iid_masks, freq_mask_param, mask_start, mask_value)
        self.frequency_mask_param = freq_mask_param

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return self._apply(array, self.frequency_mask_param)


class TimeMasking(_Masking):
    """Mask a range of time.

    Args:
        iid_masks (bool, optional): whether the range is drawn for each call: its width from 0 to
            `time_mask_param`, then its start. Default: ``False``.
        time_mask_param (int, optional): the width, or the largest one; not negative. Default:
            ``0``.
        mask_start (int, optional): where the range starts, unless it is drawn. Default: ``0``.
        mask_value (float, optional): the value to overwrite it with; not negative. Default:
            ``0.0``.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.
    The draws come from ``dataset.config.set_seed``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the range goes beyond the input, or the type or shape of the input is not
            supported.

    Difference from PyTorch: ``torchaudio.transforms.TimeMasking`` always draws.

    Source: behavior observed in MindSpore 2.10, draws included.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.TimeMasking(time_mask_param=2)(np.ones((1, 4)))
        array([[0., 0., 1., 1.]])
    """

    _axis = -1
    _argument = "time_mask_param"

    def __init__(
        self,
        iid_masks: bool = False,
        time_mask_param: int = 0,
        mask_start: int = 0,
        mask_value: float = 0.0,
    ) -> None:
        self._set(iid_masks, time_mask_param, mask_start, mask_value)
        self.time_mask_param = time_mask_param

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return self._apply(array, self.time_mask_param)
