"""Transforms that draw which other transforms they apply."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from agar.dataset.transforms._checks import LARGEST
from agar.dataset.transforms._random import Random
from agar.dataset.transforms.transforms import CompoundOperation
from agar.dataset.vision import _color_arrays
from agar.dataset.vision._base import C, ImageTensorOperation, VisionCheck, cv_mode
from agar.dataset.vision._warps import affine_array, rotate_array
from agar.dataset.vision.utils import AutoAugmentPolicy, Inter

__all__ = [
    "AutoAugment",
    "RandAugment",
    "RandomSelectSubpolicy",
    "TrivialAugmentWide",
    "UniformAugment",
]

# a step: the name of an operation, its probability in tenths, and its magnitude's place
_Step = tuple[str, int, int]


def _policy(text: str) -> list[tuple[_Step, _Step]]:
    """A policy from lines ``name tenths place, name tenths place``."""
    pairs = []
    for line in text.strip().splitlines():
        steps = []
        for part in line.split(","):
            name, tenths, place = part.split()
            steps.append((name, int(tenths), int(place)))
        pairs.append((steps[0], steps[1]))
    return pairs


# The policies of "AutoAugment: Learning Augmentation Policies from Data" (Cubuk et al., 2018). The
# place is 0 where an operation has no magnitude.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: _policy(
        """
        Posterize 4 8, Rotate 6 9
        Solarize 6 5, AutoContrast 6 0
        Equalize 8 0, Equalize 6 0
        Posterize 6 7, Posterize 6 6
        Equalize 4 0, Solarize 2 4
        Equalize 4 0, Rotate 8 8
        Solarize 6 3, Equalize 6 0
        Posterize 8 5, Equalize 10 0
        Rotate 2 3, Solarize 6 8
        Equalize 6 0, Posterize 4 6
        Rotate 8 8, Color 4 0
        Rotate 4 9, Equalize 6 0
        Equalize 0 0, Equalize 8 0
        Invert 6 0, Equalize 10 0
        Color 6 4, Contrast 10 8
        Rotate 8 8, Color 10 2
        Color 8 8, Solarize 8 7
        Sharpness 4 7, Invert 6 0
        ShearX 6 5, Equalize 10 0
        Color 4 0, Equalize 6 0
        Equalize 4 0, Solarize 2 4
        Solarize 6 5, AutoContrast 6 0
        Invert 6 0, Equalize 10 0
        Color 6 4, Contrast 10 8
        Equalize 8 0, Equalize 6 0
        """
    ),
    AutoAugmentPolicy.CIFAR10: _policy(
        """
        Invert 1 0, Contrast 2 6
        Rotate 7 2, TranslateX 3 9
        Sharpness 8 1, Sharpness 9 3
        ShearY 5 8, TranslateY 7 9
        AutoContrast 5 0, Equalize 9 0
        ShearY 2 7, Posterize 3 7
        Color 4 3, Brightness 6 7
        Sharpness 3 9, Brightness 7 9
        Equalize 6 0, Equalize 5 0
        Contrast 6 7, Sharpness 6 5
        Color 7 7, TranslateX 5 8
        Equalize 3 0, AutoContrast 4 0
        TranslateY 4 3, Sharpness 2 6
        Brightness 9 6, Color 2 8
        Solarize 5 2, Invert 0 0
        Equalize 2 0, AutoContrast 6 0
        Equalize 2 0, Equalize 6 0
        Color 9 9, Equalize 6 0
        AutoContrast 8 0, Solarize 2 8
        Brightness 1 3, Color 7 0
        Solarize 4 5, AutoContrast 9 0
        TranslateY 9 9, TranslateY 7 9
        AutoContrast 9 0, Solarize 8 3
        Equalize 8 0, Invert 1 0
        TranslateY 7 9, AutoContrast 9 0
        """
    ),
    AutoAugmentPolicy.SVHN: _policy(
        """
        ShearX 9 4, Invert 2 0
        ShearY 9 8, Invert 7 0
        Equalize 6 0, Solarize 6 6
        Invert 9 0, Equalize 6 0
        Equalize 6 0, Rotate 9 3
        ShearX 9 4, AutoContrast 8 0
        ShearY 9 8, Invert 4 0
        ShearY 9 5, Solarize 2 6
        Invert 9 0, AutoContrast 8 0
        Equalize 6 0, Rotate 9 3
        ShearX 9 4, Solarize 3 3
        ShearY 8 8, Invert 7 0
        Equalize 9 0, TranslateY 6 6
        Invert 9 0, Equalize 6 0
        Contrast 3 3, Rotate 8 4
        Invert 8 0, TranslateY 0 2
        ShearY 7 6, Solarize 4 8
        Invert 6 0, Rotate 8 4
        ShearY 3 7, TranslateX 9 3
        ShearX 1 6, Invert 6 0
        Solarize 7 2, TranslateY 6 7
        ShearY 8 4, Invert 8 0
        ShearX 7 9, TranslateY 8 3
        ShearY 8 5, AutoContrast 7 0
        ShearX 7 2, Invert 1 0
        """
    ),
}

# operations whose magnitude is as often negative
_SIGNED = {
    *("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate"),
    *("Brightness", "Color", "Contrast", "Sharpness"),
}
_OPERATIONS = (
    *("AutoContrast", "Brightness", "Color", "Contrast", "Equalize", "Identity", "Posterize"),
    *("Rotate", "Sharpness", "ShearX", "ShearY", "Solarize", "TranslateX", "TranslateY"),
)


def _magnitude(name: str, place: int, bins: int, rows: int, columns: int, wide: bool) -> float:
    """The magnitude of an operation at a place of `bins`."""
    if name in ("Posterize", "Solarize"):
        share = place / (bins - 1)
        return 8 - round(share * (6 if wide else 4)) if name == "Posterize" else 255 * (1 - share)
    if name not in _SIGNED:
        return 0.0
    largest = {
        "ShearX": 0.99 if wide else 0.3,
        "ShearY": 0.99 if wide else 0.3,
        "TranslateX": 32.0 if wide else 150.0 / 331.0 * columns,
        "TranslateY": 32.0 if wide else 150.0 / 331.0 * rows,
        "Rotate": 135.0 if wide else 30.0,
    }.get(name, 0.99 if wide else 0.9)
    # in float32, as the factors of 8-bit images are
    return float(np.float32(np.float32(largest) / np.float32(bins - 1)) * np.float32(place))


class _Drawing(Random, ImageTensorOperation):
    """The part that the published policies share."""

    implementation = C
    interpolation: Inter
    fill_value: tuple[int, int, int]

    def _options(self, interpolation: Inter, fill_value: Any) -> None:
        check = VisionCheck(self._name)
        self.interpolation = check.inter("interpolation", interpolation)
        self.fill_value = check.fill("fill_value", fill_value)

    def _checked(self, image: np.ndarray) -> np.ndarray:
        return self._bytes(self._rgb(image))

    def _apply(self, image: np.ndarray, name: str, size: float) -> np.ndarray:
        mode = cv_mode(self._name, self.interpolation, warp=True, pil=False)
        fill = self.fill_value
        factor = float(np.float32(1) + np.float32(size))
        plain: dict[str, Callable[[], np.ndarray]] = {
            "Identity": lambda: image,
            "Brightness": lambda: _color_arrays.scale(image, factor),
            "Color": lambda: _color_arrays.adjust_saturation(image, factor),
            "Contrast": lambda: _color_arrays.adjust_contrast(image, factor),
            "Sharpness": lambda: _color_arrays.adjust_sharpness(image, factor),
            "Posterize": lambda: image & np.uint8((0xFF << (8 - int(size))) & 0xFF),
            "Solarize": lambda: _color_arrays.solarize(image, size, size),
            "AutoContrast": lambda: _each(image, _stretched),
            "Equalize": lambda: _each(image, _color_arrays.equalize),
            "Invert": lambda: ~image,
            "Rotate": lambda: rotate_array(image, size, mode, False, None, fill),
        }
        if name in plain:
            return plain[name]()
        move, shear = (0.0, 0.0), (0.0, 0.0)
        if name.startswith("Shear"):
            angle = math.degrees(size)
            shear = (angle, 0.0) if name == "ShearX" else (0.0, angle)
        else:
            whole = float(int(size))
            move = (whole, 0.0) if name == "TranslateX" else (0.0, whole)
        return affine_array(image, 0.0, move, 1.0, shear, mode, fill)


def _stretched(channel: np.ndarray) -> np.ndarray:
    return _color_arrays.autocontrast_table(channel, 0.0, ()).take(channel)


def _each(image: np.ndarray, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    return np.stack([change(image[..., i]) for i in range(3)], -1)


class AutoAugment(_Drawing):
    """Apply a random sub-policy of a policy found for ImageNet, CIFAR-10 or SVHN.

    Args:
        policy (AutoAugmentPolicy, optional): the policy. Default: ``AutoAugmentPolicy.IMAGENET``.
        interpolation (Inter, optional): how pixels are interpolated. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not (H, W, 3), or its type is not uint8.

    Difference from PyTorch: as ``torchvision.transforms.AutoAugment``.

    Source: "AutoAugment: Learning Augmentation Policies from Data" (Cubuk et al., 2018); other
    lines than MindSpore's are drawn for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AutoAugment()(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self.policy_ = VisionCheck(self._name).kind("policy", policy, AutoAugmentPolicy)
        self._options(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rows, columns = self._checked(image).shape[:2]
        stream = self._stream
        lines = _POLICIES[self.policy_]
        steps = lines[stream.integer(0, len(lines) - 1)]
        chances = [float(stream.unit()) for _ in steps]
        signs = [stream.integer(0, 1) for _ in steps]
        for (name, tenths, place), chance, sign in zip(steps, chances, signs, strict=True):
            if chance > tenths / 10:
                continue
            size = _magnitude(name, place, 10, rows, columns, False)
            if name in _SIGNED and sign == 0:
                size = -size
            image = self._apply(image, name, size)
        return image


class RandAugment(_Drawing):
    """Apply a number of random transforms of one magnitude.

    Args:
        num_ops (int, optional): how many transforms are drawn. Default: ``2``.
        magnitude (int, optional): the magnitude's place, below `num_magnitude_bins`.
            Default: ``9``.
        num_magnitude_bins (int, optional): the number of magnitudes, at least 2. Default: ``31``.
        interpolation (Inter, optional): how pixels are interpolated. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not (H, W, 3), or its type is not uint8.

    Difference from PyTorch: as ``torchvision.transforms.RandAugment``.

    Source: "RandAugment: Practical automated data augmentation with a reduced search space" (Cubuk
    et al., 2019); other transforms than MindSpore's are drawn for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandAugment()(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        self.num_ops = check.whole("num_ops", num_ops, 0, LARGEST)
        self.num_magnitude_bins = check.whole("num_magnitude_bins", num_magnitude_bins, 2, LARGEST)
        self.magnitude = check.whole("magnitude", magnitude, 0, num_magnitude_bins - 1)
        self._options(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rows, columns = self._checked(image).shape[:2]
        stream = self._stream
        for _ in range(self.num_ops):
            name = _OPERATIONS[stream.integer(0, len(_OPERATIONS) - 1)]
            size = _magnitude(name, self.magnitude, self.num_magnitude_bins, rows, columns, False)
            negative = stream.integer(0, 1) == 0
            if name in _SIGNED and negative:
                size = -size
            image = self._apply(image, name, size)
        return image


class TrivialAugmentWide(_Drawing):
    """Apply one random transform of random magnitude.

    Args:
        num_magnitude_bins (int, optional): the number of magnitudes, at least 2. Default: ``31``.
        interpolation (Inter, optional): how pixels are interpolated. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not (H, W, 3), or its type is not uint8.

    Difference from PyTorch: as ``torchvision.transforms.TrivialAugmentWide``.

    Source: "TrivialAugment: Tuning-free Yet State-of-the-Art Data Augmentation" (Mueller and
    Hutter, 2021); other transforms than MindSpore's are drawn for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.TrivialAugmentWide()(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    def __init__(
        self,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        self.num_magnitude_bins = check.whole("num_magnitude_bins", num_magnitude_bins, 2, LARGEST)
        self._options(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rows, columns = self._checked(image).shape[:2]
        stream = self._stream
        name = _OPERATIONS[stream.integer(0, len(_OPERATIONS) - 1)]
        place = stream.integer(0, self.num_magnitude_bins - 1)
        size = _magnitude(name, place, self.num_magnitude_bins, rows, columns, True)
        if name in _SIGNED and stream.integer(0, 1) == 0:
            size = -size
        return self._apply(image, name, size)


class UniformAugment(Random, CompoundOperation):
    """Apply random transforms of a list, each with probability 1/2 or one that is drawn.

    Args:
        transforms (Sequence): the transforms.
        num_ops (int, optional): how many are drawn. Default: ``2``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `transforms` is empty, or `num_ops` is not within [1, len(transforms)].

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10: arrays are changed with probability 1/2, PIL
    images with one drawn from [0, 1). The draws of arrays agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> change = vision.UniformAugment([vision.Invert(), vision.Equalize()], num_ops=1)
        >>> change(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    def __init__(self, transforms: Any, num_ops: int = 2) -> None:
        check = VisionCheck(self._name)
        check.whole("num_ops", num_ops, 1)
        check.operations("transforms", transforms, list, tuple)
        if num_ops > len(transforms):
            check.wrong_value("num_ops", num_ops, f"at most {len(transforms)}, as transforms has")
        self.num_ops = num_ops
        super().__init__(transforms)

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's values."""
        if self._in_python(input_tensor_list):
            places = np.random.choice(len(self.transforms), size=self.num_ops, replace=False)
            chosen = []
            for place in places:
                chance = random.random()
                if random.random() < chance:
                    chosen.append(self.transforms[place])
        else:
            stream = self._stream
            drawn = stream.sample(self.transforms, self.num_ops)
            chosen = [operation for operation in drawn if stream.unit() < 0.5]
        values = input_tensor_list
        for operation in chosen:
            result = operation(*values)
            values = result if isinstance(result, tuple) else (result,)
        return values[0] if len(values) == 1 else values


class RandomSelectSubpolicy(Random, ImageTensorOperation):
    """Apply a random sub-policy: each of its transforms with its own probability.

    Args:
        policy (list[list[tuple[TensorOperation, float]]]): the lines, of pairs (transform,
            probability).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a list is empty, a pair is not a 2-tuple, or a probability is not in [0, 1].

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> policy = [[(vision.Invert(), 1.0)], [(vision.Invert(), 1.0), (vision.Invert(), 0.0)]]
        >>> vision.RandomSelectSubpolicy(policy)(np.zeros((1, 1, 3), np.uint8))
        array([[[255, 255, 255]]], dtype=uint8)
    """

    implementation = C

    def __init__(self, policy: Any) -> None:
        check = VisionCheck(self._name)
        check.kind("policy", policy, list)
        if not policy:
            raise ValueError(f"For '{self._name}', argument 'policy' must not be empty.")
        for i, line in enumerate(policy):
            if not check.kind(f"policy[{i}]", line, list):
                raise ValueError(f"For '{self._name}', policy[{i}] must not be empty.")
            for j, pair in enumerate(line):
                name = f"policy[{i}][{j}]"
                if not isinstance(pair, tuple) or len(pair) != 2:
                    check.wrong_value(name, pair, "a tuple (transform, probability)")
                check.operation(f"{name}[0]", pair[0])
                check.probability(f"{name}[1]", pair[1])
        self.policy = policy

    def _execute(self, *arrays: np.ndarray) -> Any:
        stream = self._stream
        line = self.policy[stream.integer(0, len(self.policy) - 1)]
        values: tuple[Any, ...] = arrays
        for transform, probability in line:
            if stream.unit_double() < probability:
                result = transform(*values)
                values = result if isinstance(result, tuple) else (result,)
        return values[0] if len(values) == 1 else values
