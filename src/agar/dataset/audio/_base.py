"""What audio transforms share: their base, the checks of their arguments, the types of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.audio.utils import WindowType
from agar.dataset.transforms._checks import INT32, LARGEST, Check
from agar.dataset.transforms.py_transforms_util import Implementation
from agar.dataset.transforms.transforms import TensorOperation

__all__ = ["AudioCheck", "AudioTensorOperation", "Samples", "single"]


class Samples(TensorOperation):
    """Base of transforms of waveforms and spectrograms; a subclass defines ``_compute(array)``.

    Its dimensions are the last ones of an array; whatever is in front of them is a batch.
    """

    implementation = Implementation.C
    #: the dimensions which an input must have
    _layout: tuple[str, ...] = ("time",)
    #: integers are refused, and float16 stays float16
    _floats_only = False

    def _execute(self, *arrays: np.ndarray) -> Any:
        array = self._single(arrays)
        if array.size == 0:
            raise self._failed(f"the input must hold data, but got shape {list(array.shape)}")
        layout = self._layout
        pairs = layout[-1] == "complex"
        if array.ndim < len(layout) or (pairs and array.shape[-1] != 2):
            shown = ", ".join("complex=2" if part == "complex" else part for part in layout)
            raise self._failed(
                f"the input must be of shape (..., {shown}), but got {list(array.shape)}"
            )
        kinds = "f" if self._floats_only else "biuf"
        if array.dtype.kind not in kinds:
            expected = "floating-point numbers" if self._floats_only else "numbers"
            raise self._failed(
                f"the input must hold {expected}, but got {array.dtype}; convert it first, for "
                "example with transforms.TypeCast"
            )
        return self._compute(array)

    def _compute(self, array: np.ndarray) -> Any:
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from AudioTensorOperation and must define "
            "_compute(array), or __call__."
        )


class AudioTensorOperation(Samples):
    """Base of transforms of audio, given as numpy arrays of shape (..., time).

    A subclass defines ``_compute(array)``. Arrays of float64 stay so, other numbers become float32.

    Raises:
        TypeError: it is called with something other than numpy arrays.

    Difference from PyTorch: the counterparts of torchaudio are modules that take Tensors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.audio as audio
        >>> isinstance(audio.Gain(1.0), audio.transforms.AudioTensorOperation)
        True
    """

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's waveform."""
        for value in input_tensor_list:
            if not isinstance(value, np.ndarray):
                raise TypeError(
                    f"For '{self._name}', the input must be a numpy array, but got "
                    f"{describe(value)}; convert it with numpy.asarray."
                )
        return super().__call__(*input_tensor_list)


def single(array: np.ndarray) -> np.ndarray:
    """The array, which becomes one of float32 unless it is one of float64."""
    return array if array.dtype == np.float64 else array.astype(np.float32)


class AudioCheck(Check):
    """Checks of the arguments that audio transforms share."""

    def count(self, name: str, value: Any) -> int:
        """An int above 0."""
        return self.whole(name, value, 1)

    def size(self, name: str, value: Any) -> int:
        """An int that is not negative."""
        return self.whole(name, value, 0)

    def rate(self, name: str, value: Any) -> int:
        """An int other than 0."""
        self.whole(name, value, -INT32 - 1)
        if value == 0:
            self.wrong_value(name, value, "an int other than 0")
        return value

    def positive(self, name: str, value: Any) -> float:
        """A number above 0."""
        return self.number(name, value, 0, above=True)

    def weight(self, name: str, value: Any) -> float:
        """A number that is not negative."""
        return self.number(name, value, 0)

    def band(self, name: str, value: Any) -> float:
        """A quality factor: a number within (0, 1]."""
        return self.number(name, value, 0, 1, above=True)

    def frames(self, n_fft: Any, win_length: Any, hop_length: Any) -> None:
        """How a signal is cut into frames."""
        self.count("n_fft", n_fft)
        if win_length is not None:
            self.count("win_length", win_length)
            if win_length > n_fft:
                self.wrong_value("win_length", win_length, f"at most n_fft, {n_fft}")
        if hop_length is not None:
            self.count("hop_length", hop_length)

    def coefficients(self, name: str, value: Any) -> list[float]:
        """A list or tuple of numbers."""
        self.sequence(name, value)
        for i, part in enumerate(value):
            self.number(f"{name}[{i}]", part, -LARGEST)
        return list(value)

    def frequencies(self, f_min: Any, f_max: Any, sample_rate: int, *, same: bool = False) -> None:
        """The ends of a range of frequencies; `same` lets them be equal."""
        self.number("f_min", f_min)
        if f_max is None:
            if f_min >= sample_rate // 2:
                self.wrong_value("f_min", f_min, f"below sample_rate // 2, {sample_rate // 2}")
            return
        (self.weight if same else self.positive)("f_max", f_max)
        if f_min > f_max or (f_min == f_max and not same):
            self.wrong_value("f_max", f_max, f"above f_min, {f_min}")

    def window(self, name: str, value: Any) -> WindowType:
        """A member of WindowType."""
        return self.kind(name, value, WindowType)
