"""Transforms of any data, and the bases of all transforms (``dataset.transforms``)."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import missing_feature
from agar.dataset.transforms._base import CompoundOperation as CompoundOperation
from agar.dataset.transforms._base import PyTensorOperation as PyTensorOperation
from agar.dataset.transforms._base import TensorOperation as TensorOperation
from agar.dataset.transforms._base import apply_in_turn, unpacked
from agar.dataset.transforms._base import is_pil as is_pil
from agar.dataset.transforms._checks import Check
from agar.dataset.transforms._random import Random
from agar.dataset.transforms.py_transforms_util import Implementation

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
    "not_random",
]

Row = Any
_Function = TypeVar("_Function", bound=Callable[..., Any])


def not_random(function: _Function) -> _Function:
    """Mark a function as deterministic.

    Args:
        function (callable): the function; it is given back with the attribute ``random = False``.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.transforms import not_random
        >>> @not_random
        ... def twice(x):
        ...     return 2 * x
        >>> twice.random
        False
    """
    function.random = False  # type: ignore[attr-defined]
    return function


class Compose(CompoundOperation):
    """Compose several transforms into one, applied in order.

    Args:
        transforms (list): transforms and other callables. What returns a tuple hands several
            values to the next one. Compositions within are taken apart.

    Raises:
        TypeError: `transforms` is not a list, or an element is not callable.
        ValueError: `transforms` is empty, or an element is a class.

    Difference from PyTorch: as ``torchvision.transforms.Compose``; several values may flow.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.transforms as T
        >>> T.Compose([T.Fill(10), T.Mask(T.Relational.EQ, 10)])(np.array([1, 2]))
        array([ True,  True])
    """

    def __init__(self, transforms: list[Any]) -> None:
        Check("transforms.Compose").operations("transforms", transforms)
        super().__init__(self.decompose(transforms))
        self.random = any(getattr(op, "random", True) for op in self.transforms)

    @staticmethod
    def decompose(operations: list[Any]) -> list[Any]:
        """The transforms, with those of nested compositions in their place.

        Args:
            operations (list[Callable]): transforms, among which may be instances of
                :class:`Compose`.

        Returns:
            list of transforms, none of which is a :class:`Compose`.
        """
        flat: list[Any] = []
        for op in operations:
            flat.extend(Compose.decompose(op.transforms) if isinstance(op, Compose) else [op])
        return flat

    def __call__(self, *args: Any) -> Any:
        """Transform one row's values."""
        if not args:
            raise TypeError(
                "For 'transforms.Compose', the composition was called without a value; write "
                "Compose([...])(image)."
            )
        return unpacked(apply_in_turn(self.transforms, args))


class Concatenate(TensorOperation):
    """Concatenate the inputs into one 1-D array.

    Args:
        axis (int, optional): 0 or -1. Default: ``0``.
        prepend (numpy.ndarray, optional): a 1-D array put in front. Default: ``None``.
        append (numpy.ndarray, optional): a 1-D array put at the end. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `axis` is neither 0 nor -1, or an array is not 1-D.
        RuntimeError: an input is not 1-D, or the types differ.

    Difference from PyTorch: ``torch.cat`` of 1-D tensors; types are not promoted.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.transforms as T
        >>> T.Concatenate(0, np.array([9]))(np.array([1, 2]), np.array([3]))
        array([9, 1, 2, 3])
    """

    implementation = Implementation.C

    def __init__(
        self,
        axis: int = 0,
        prepend: np.ndarray | None = None,
        append: np.ndarray | None = None,
    ) -> None:
        check = Check("transforms.Concatenate")
        if axis is not None and check.kind("axis", axis, int) not in (0, -1):
            check.wrong_value("axis", axis, "0 or -1, as only 1-D arrays are concatenated")
        for name, value in (("prepend", prepend), ("append", append)):
            if value is not None and check.kind(name, value, np.ndarray).ndim != 1:
                check.wrong_value(name, value, "a 1-D array")
        self.axis = axis
        self.prepend = prepend
        self.append = append

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        parts = [part for part in (self.prepend, *arrays, self.append) if part is not None]
        for part in parts:
            if part.ndim != 1:
                raise self._failed(f"inputs must be 1-D, but one has shape {list(part.shape)}")
        first = parts[0].dtype
        for part in parts:
            same = part.dtype.kind == first.kind if first.kind in "US" else part.dtype == first
            if not same:
                raise self._failed(
                    f"all parts must be of one type, but got {first} and {part.dtype}"
                )
        return np.concatenate(parts)


class Duplicate(TensorOperation):
    """Duplicate the input: one column of a pipeline becomes two.

    Raises:
        RuntimeError: it is called with more than one input.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Duplicate()([1, 2])
        (array([1, 2]), array([1, 2]))
    """

    implementation = Implementation.C

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        array = self._single(arrays)
        return array, array.copy()


_SCALARS = (str, float, bool, int, bytes)


def _is_text(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "US"


class Fill(TensorOperation):
    """Fill an array of the shape and type of the input with one value.

    Args:
        fill_value (Union[str, bytes, int, float, bool]): the value; it is cast to the input's type.

    Raises:
        TypeError: `fill_value` has the wrong type.
        RuntimeError: a string is to fill numbers, or a number strings.

    Difference from PyTorch: ``torch.full_like``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Fill(3)([1.5, 2.5])
        array([3., 3.])
    """

    implementation = Implementation.C

    def __init__(self, fill_value: Any) -> None:
        Check("transforms.Fill").kind("fill_value", fill_value, *_SCALARS)
        self.fill_value = fill_value

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array, value = self._single(arrays), np.asarray(self.fill_value)
        if _is_text(array) != _is_text(value):
            raise self._failed(
                f"fill_value {self.fill_value!r} does not suit an input of type {array.dtype}"
            )
        if _is_text(array):
            return np.full(array.shape, value.astype(array.dtype.kind))
        return np.full(array.shape, value.astype(array.dtype))


class Relational(enum.IntEnum):
    """How `Mask` compares: EQ ==, NE !=, GT >, GE >=, LT <, LE <=."""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


def _numpy_type(dtype: Any) -> np.dtype:
    """The numpy type of a type of MindSpore or numpy; strings are allowed."""
    if isinstance(dtype, mstype.Type):
        return np.dtype(np.str_ if dtype is mstype.string else mstype.to_numpy_dtype(dtype))
    return np.dtype(dtype)


class Mask(TensorOperation):
    """Compare the input with a constant, element by element.

    Args:
        operator (Relational): the relation.
        constant (Union[str, int, float, bool]): what is compared with; it is cast to the input's
            type.
        dtype (mindspore.dtype, optional): the type of the result. Default: ``mstype.bool``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `dtype` is not a type of numbers, or strings are compared with numbers.

    Difference from PyTorch: ``torch.eq`` and its neighbors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Mask(T.Relational.GE, 2)([1, 2, 3])
        array([False,  True,  True])
    """

    implementation = Implementation.C

    def __init__(
        self, operator: Relational, constant: Any, dtype: mstype.Type = mstype.bool_
    ) -> None:
        check = Check("transforms.Mask")
        self.operator = check.kind("operator", operator, Relational)
        self.constant = check.kind("constant", constant, *_SCALARS)
        self.dtype = check.kind("dtype", dtype, mstype.Type)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array, constant = self._single(arrays), np.asarray(self.constant)
        dtype = _numpy_type(self.dtype)
        if dtype.kind not in "biuf":
            raise self._failed(f"dtype must be bool or a type of numbers, but got {self.dtype}")
        if _is_text(array) != _is_text(constant):
            raise self._failed(
                f"an input of type {array.dtype} cannot be compared with {self.constant!r}"
            )
        if not _is_text(array):
            constant = constant.astype(array.dtype)
        return _COMPARE[self.operator](array, constant).astype(dtype)


class OneHot(TensorOperation):
    """Convert labels to one-hot rows.

    Args:
        num_classes (int): the number of classes, the length of a row.
        smoothing_rate (float, optional): how much is taken from the one and spread over all
            classes. Default: ``0.0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_classes` is not positive, or `smoothing_rate` not within [0, 1].
        RuntimeError: a label is not an integer or not within [0, num_classes), or the input is
            neither a scalar, nor of shape :math:`(N,)` or :math:`(N, 1)`.

    Difference from PyTorch: ``torch.nn.functional.one_hot``; the type of the labels stays, and
    smoothing gives float64.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.OneHot(4)([2, 0])
        array([[0, 0, 1, 0],
               [1, 0, 0, 0]])
        >>> T.OneHot(4, smoothing_rate=0.2)(1)
        array([0.05, 0.85, 0.05, 0.05])
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        check = Check("transforms.OneHot")
        check.number("smoothing_rate", smoothing_rate, 0, 1)
        self.num_classes = check.whole("num_classes", num_classes, 1)
        self.smoothing_rate = smoothing_rate

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        labels = self._single(arrays)
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        if labels.ndim > 1 or labels.dtype.kind not in "iu":
            raise self._failed(
                "labels must be integers, a scalar or of shape (N,) or (N, 1), but got "
                f"{labels.dtype} of shape {list(labels.shape)}"
            )
        if labels.size and not (labels.min() >= 0 and labels.max() < self.num_classes):
            wrong = labels[(labels < 0) | (labels >= self.num_classes)].flat[0]
            raise self._failed(
                f"labels must be within [0, {self.num_classes}), num_classes, but one is {wrong}"
            )
        rows = np.zeros((*labels.shape, self.num_classes), labels.dtype)
        np.put_along_axis(rows, labels[..., None].astype(np.int64), 1, axis=-1)
        if self.smoothing_rate > 0:
            return rows * (1.0 - self.smoothing_rate) + self.smoothing_rate / self.num_classes
        return rows


class PadEnd(TensorOperation):
    """Pad the input at the end of its dimensions to a given shape.

    Args:
        pad_shape (list[Union[int, None]]): the length of each dimension; a longer dimension is cut,
            None leaves it.
        pad_value (Union[str, bytes, int, float, bool], optional): the value. Default: ``None``,
            zero or the empty string.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a length is not positive.
        RuntimeError: `pad_shape` has another number of dimensions than the input, or the value
            does not suit its type.

    Difference from PyTorch: ``torch.nn.functional.pad`` takes what is added, not the final shape.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.PadEnd([4], 10)([1, 2, 3])
        array([ 1,  2,  3, 10])
    """

    implementation = Implementation.C

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None) -> None:
        check = Check("transforms.PadEnd")
        if pad_value is not None:
            check.kind("pad_value", pad_value, *_SCALARS)
        check.kind("pad_shape", pad_shape, list)
        for i, size in enumerate(pad_shape):
            if size is not None:
                check.whole(f"pad_shape[{i}]", size, 1, 2**63 - 1)
        self.pad_shape = pad_shape
        self.pad_value = pad_value

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._single(arrays)
        if array.ndim == 0:
            return array
        if array.ndim != len(self.pad_shape):
            raise self._failed(
                f"pad_shape {self.pad_shape} has {len(self.pad_shape)} dimensions, but the input "
                f"has shape {list(array.shape)}"
            )
        text = _is_text(array)
        given = ("" if text else 0) if self.pad_value is None else self.pad_value
        value = np.asarray(given)
        if text != _is_text(value):
            raise self._failed(f"pad_value {given!r} does not suit an input of type {array.dtype}")
        if text:
            value = value.astype(array.dtype.kind)
            dtype = np.promote_types(array.dtype, value.dtype)
        else:
            value, dtype = value.astype(array.dtype), array.dtype
        shape = [
            have if want is None else want
            for have, want in zip(array.shape, self.pad_shape, strict=True)
        ]
        result = np.full(shape, value, dtype)
        retained = tuple(slice(0, min(a, b)) for a, b in zip(array.shape, shape, strict=True))
        result[retained] = array[retained]
        return result


class Plugin(TensorOperation):
    """A transform from a shared library for MindSpore's C++ runtime, which agar cannot load.

    Args:
        lib_path (str): the library.
        func_name (str): the function.
        user_args (str, optional): what it is given. Default: ``None``.

    Raises:
        TypeError: an argument is not a str.
        NotImplementedError: always, where the arguments are right.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Plugin("flip.so", "flip")
        Traceback (most recent call last):
        NotImplementedError: 'dataset.transforms.Plugin' is not available in agar: ...
    """

    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None) -> None:
        check = Check("transforms.Plugin")
        check.kind("lib_path", lib_path, str)
        check.kind("func_name", func_name, str)
        if user_args is not None:
            check.kind("user_args", user_args, str)
        raise missing_feature(
            "'dataset.transforms.Plugin'",
            "such libraries are written against the C++ interface of MindSpore",
            "map a Python function; it may call the library through ctypes",
        )


class RandomApply(Random, CompoundOperation):
    """Apply a list of transforms with a given probability, all or none.

    Args:
        transforms (list): transforms and other callables.
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `transforms` is empty, or `prob` is not within [0, 1].

    Difference from PyTorch: as ``torchvision.transforms.RandomApply``; the stream is MindSpore's.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.RandomApply([T.Fill(7)], prob=1.0)([1, 2])
        array([7, 7])
    """

    def __init__(self, transforms: list[Any], prob: float = 0.5) -> None:
        check = Check("transforms.RandomApply")
        check.operations("transforms", transforms)
        self.prob = check.probability("prob", prob)
        super().__init__(transforms)

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's values, or give them back."""
        if self._in_python(input_tensor_list):
            chosen = self.prob >= random.random()
        else:
            chosen = self._stream.unit_double() < self.prob
        return unpacked(apply_in_turn(self.transforms if chosen else [], input_tensor_list))


class RandomChoice(Random, CompoundOperation):
    """Apply one of several transforms, chosen at random.

    Args:
        transforms (list): transforms and other callables.

    Raises:
        TypeError: `transforms` is not a list, or an element is not callable.
        ValueError: `transforms` is empty.

    Difference from PyTorch: as ``torchvision.transforms.RandomChoice``; the stream is MindSpore's.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.RandomChoice([T.Fill(7), T.Fill(7)])([1, 2])
        array([7, 7])
    """

    def __init__(self, transforms: list[Any]) -> None:
        Check("transforms.RandomChoice").operations("transforms", transforms)
        super().__init__(transforms)

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's values."""
        if self._in_python(input_tensor_list):
            chosen = random.choice(self.transforms)
        else:
            chosen = self.transforms[self._stream.integer(0, len(self.transforms) - 1)]
        return unpacked(apply_in_turn([chosen], input_tensor_list))


class RandomOrder(PyTensorOperation):
    """Apply transforms in random order.

    Args:
        transforms (list): transforms and other callables. The order is drawn with Python's
            ``random``.

    Raises:
        TypeError: `transforms` is not a list, or an element is not callable.
        ValueError: `transforms` is empty.

    Difference from PyTorch: as ``torchvision.transforms.RandomOrder``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.RandomOrder([lambda x: x + 1, lambda x: x + 2])(3)
        6
    """

    implementation = Implementation.PY
    random = True

    def __init__(self, transforms: list[Any]) -> None:
        Check("transforms.RandomOrder").operations("transforms", transforms)
        self.transforms = list(transforms)

    def _execute_py(self, img: Any) -> Any:
        order = self.transforms.copy()
        random.shuffle(order)
        return unpacked(apply_in_turn(order, (img,)))


class Slice(TensorOperation):
    """Slice the input, with one option for each dimension from the first.

    Args:
        slices (Union[int, list[int], slice, None, bool, Ellipsis]): what is taken of a dimension:
            one index (the dimension stays, of length 1), some indices, a slice, or all of it
            (None, True, Ellipsis). Dimensions without an option are taken whole.

    Raises:
        TypeError: an option is of another type.
        RuntimeError: an index is out of range, or there are more options than dimensions.

    Difference from PyTorch: indexing; an int keeps its dimension.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Slice(0)([1, 2, 3])
        array([1])
        >>> T.Slice(None, [0, 2])([[1, 2, 3], [4, 5, 6]])
        array([[1, 3],
               [4, 6]])
    """

    implementation = Implementation.C

    def __init__(self, *slices: Any) -> None:
        check = Check("transforms.Slice")
        for i, option in enumerate(slices):
            if option is None or option is Ellipsis:
                continue
            check.kind(f"slices[{i}]", option, int, list, slice, bool)
            if isinstance(option, list):
                for j, index in enumerate(option):
                    check.kind(f"slices[{i}][{j}]", index, int)
        self.slices = slices

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._single(arrays)
        if len(self.slices) > array.ndim:
            raise self._failed(
                f"there are {len(self.slices)} options for an input of shape {list(array.shape)}"
            )
        for axis, option in enumerate(self.slices):
            if option is None or option is Ellipsis or option is True:
                continue
            if option is False or option == []:
                raise self._failed(f"option {option!r} of dimension {axis} takes nothing")
            if isinstance(option, slice):
                array = array[(slice(None),) * axis + (option,)]
                continue
            indices = option if isinstance(option, list) else [option]
            size = array.shape[axis]
            for index in indices:
                if not -size <= index < size:
                    raise self._failed(
                        f"index {index} of dimension {axis} is out of range for shape "
                        f"{list(array.shape)}"
                    )
            array = array.take(indices, axis)
        return np.ascontiguousarray(array)


class TypeCast(TensorOperation):
    """Cast the input to another type.

    Args:
        data_type (Union[mindspore.dtype, numpy.dtype]): the type.

    Raises:
        TypeError: `data_type` is not a type.
        RuntimeError: strings are to become numbers, or numbers strings, or the type is complex.

    Difference from PyTorch: ``Tensor.to``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.transforms as T
        >>> T.TypeCast(np.int32)(np.array([2.7, -2.7]))
        array([ 2, -2], dtype=int32)
    """

    implementation = Implementation.C

    def __init__(self, data_type: Any) -> None:
        self._dtype = output_type(self._name, "data_type", data_type)
        self.data_type = str(self._dtype) if self._dtype.kind not in "US" else "string"

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        array = self._single(arrays)
        if _is_text(array) != (self._dtype.kind in "US") or self._dtype.kind == "c":
            raise self._failed(f"data of type {array.dtype} cannot be cast to {self.data_type}")
        if _is_text(array):
            return array
        return cast(array, self._dtype)


def output_type(owner: str, argument: str, value: Any) -> np.dtype:
    """The numpy type that an argument names.

    Raises:
        TypeError: it names none.
    """
    if value is None:
        Check(owner).wrong_type(argument, value, "a type of MindSpore or numpy")
    try:
        return _numpy_type(value)
    except (TypeError, ValueError):
        Check(owner).wrong_type(argument, value, "a type of MindSpore or numpy")


def cast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The array in another type, as C++ casts: numbers out of range wrap without a warning."""
    with np.errstate(invalid="ignore", over="ignore"):
        if array.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 4:
            array = array.astype(np.int64)
        return array.astype(dtype)


class Unique(TensorOperation):
    """The unique elements of the input, in order of first occurrence.

    It gives three arrays: the numbers; for each element the place of its number among them, int32;
    how often each number is there, int32. The input is flattened.

    Raises:
        RuntimeError: it is called with several inputs, or the input is a scalar or is not numeric.

    Difference from PyTorch: ``torch.unique(return_inverse=True, return_counts=True)``, which sorts.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset.transforms as T
        >>> T.Unique()([[3, 1], [3, 2]])[0]
        array([3, 1, 2])
    """

    implementation = Implementation.C

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        array = self._single(arrays)
        if array.ndim == 0 or array.dtype.kind not in "iuf":
            raise self._failed(
                f"the input must be an array of numbers, but got {array.dtype} of shape "
                f"{list(array.shape)}"
            )
        numbers, first, inverse, counts = np.unique(
            array.ravel(), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return (
            numbers[order],
            place[inverse].astype(np.int32),
            counts[order].astype(np.int32),
        )
