"""Elements taken, repeated, reordered and selected, and sets of them."""

from __future__ import annotations

from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import optable
from agar.numpy._declare import (
    Tensor,
    array,
    axes_of,
    axis_of,
    home,
    named,
    parts_of,
    released,
    to_common,
)
from agar.ops._checks import boolean, integer
from agar.ops.tensor import indexing as index
from agar.ops.tensor import joining as join
from agar.ops.tensor import unique as distinct
from agar.ops.tensor.creation import sizes

_array = home("array_ops")


# ------------------------------------------------------------------------------------- places


@_array(
    "take",
    cast="never",
    samples=(
        "f(4), torch.tensor([0, 2])",
        "f(2, 3), torch.tensor([0, 2]), 1",
        "f(2, 3), torch.tensor([[0, 1], [1, 0]]), 0",
    ),
    errors=(
        ("f(4), [0]", TypeError, "numpy.take"),
        ("f(4), i(2), 1", ValueError, "numpy.take"),
        ("f(4), i(2), None, 'x'", ValueError, "numpy.take"),
    ),
    reference="np.take(a, indices, axis)",
)
def _take(a: Tensor, indices: Tensor, axis: int | None = None, mode: str = "clip") -> Tensor:
    """Elements at given places.

    Args:
        a (Tensor): the input.
        indices (Tensor): the places, integers of any shape.
        axis (int): the dimension. Default None: the input is flattened first.
        mode (str): what to do with places out of range: ``"clip"`` takes the nearest, ``"wrap"``
            counts on from the start, ``"raise"`` raises. Negative places count from the end.
            Default: ``"clip"``.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` is out of range, or `mode` another word.
    Raises RuntimeError: a place is out of range and `mode` is ``"raise"``.
    Difference from PyTorch: `axis` and `mode` are numpy's; MindSpore has no ``"raise"``.

    >>> import agar.numpy as mnp
    >>> print(mnp.take(mnp.array([4, 3, 5]), mnp.array([0, 9])))
    [4 5]
    """
    place = None if axis is None else axis_of("numpy.take", axis, a.ndim)
    return named("take", optable.lookup("method", "take").impl, a, indices, place, mode)


@_array(
    "take_along_axis",
    cast="never",
    samples=(
        "f(2, 3), torch.tensor([[0], [2]]), 1",
        "f(2, 3), torch.tensor([[0, 1, 1]]), 0",
        "f(2, 3), torch.tensor([0, 5]), None",
    ),
    errors=(
        ("f(2, 3), i(2), 0", ValueError, "numpy.take_along_axis"),
        ("f(2), [0], 0", TypeError, "numpy.take_along_axis"),
        ("f(2), i(2), 1", ValueError, "numpy.take_along_axis"),
    ),
    reference="np.take_along_axis(arr, indices, axis)",
)
def _take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Tensor:
    """Elements of each line along a dimension, at places that may differ from line to line.

    Args:
        arr (Tensor): the input.
        indices (Tensor): the places, integers with as many dimensions as `arr`; the other
            dimensions broadcast.
        axis (int): the dimension; None flattens `arr` first.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the numbers of dimensions differ, or `axis` is out of range.
    Difference from PyTorch: called ``torch.take_along_dim``; int32 places are accepted.

    >>> import agar.numpy as mnp
    >>> print(mnp.take_along_axis(mnp.array([[5, 7], [9, 8]]), mnp.array([[1], [0]]), 1))
    [[7]
     [9]]
    """
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    if arr.ndim != indices.ndim:
        raise ValueError(
            "For 'numpy.take_along_axis', 'indices' and 'arr' must have the same number of "
            f"dimensions, but got {indices.ndim} and {arr.ndim}."
        )
    place = axis_of("numpy.take_along_axis", axis, arr.ndim)
    return torch.take_along_dim(arr, indices.to(torch.int64), place)


@_array(
    "repeat",
    cast="never",
    samples=("f(2), 2", "f(2, 2), 2, 1", "f(2, 2), [1, 2], 0", "3, 2"),
    errors=(
        ("f(2, 2), 2, 2", ValueError, "numpy.repeat"),
        ("'a', 2", TypeError, "numpy.repeat"),
    ),
    reference="np.repeat(a, repeats, axis)",
)
def _repeat(a: Tensor | Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat each element.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        repeats (Union[int, tuple(int), list(int)]): how often, for all or for each place.
        axis (int): the dimension. Default None: the input is flattened first.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` is out of range, or the number of repeats does not fit.
    Difference from PyTorch: called ``torch.repeat_interleave``.

    >>> import agar.numpy as mnp
    >>> print(mnp.repeat(mnp.array([1, 2]), 2))
    [1 1 2 2]
    """
    x = array("repeat", "a", a)
    if axis is None:
        x, axis = x.reshape(-1), 0
    return named("repeat", join.repeat_interleave, x, repeats, axis)


@_array(
    "tile",
    cast="never",
    samples=("f(2), 2", "f(2, 2), (2, 1)", "f(2), (2, 2)", "f(2, 2), 2"),
    errors=(("[1], 2", TypeError, "numpy.tile"), ("f(2), 1.5", TypeError, "numpy.tile")),
    reference="np.tile(a, reps)",
)
def _tile(a: Tensor, reps: Any) -> Tensor:
    """Repeat a whole tensor.

    Args:
        a (Tensor): the input.
        reps (Union[int, tuple(int), list(int)]): how often along each dimension; ones are put in
            front of the shorter of shape and `reps`.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a number is negative.
    Difference from PyTorch: `reps` may be an int.

    >>> import agar.numpy as mnp
    >>> print(mnp.tile(mnp.array([1, 2]), 2))
    [1 2 1 2]
    """
    return torch.tile(a, sizes("numpy.tile", reps, "reps"))


# ------------------------------------------------------------------------- order of elements


def _flipped(op_name: str, m: Tensor, axis: Any) -> Tensor:
    return torch.flip(m, axes_of(f"numpy.{op_name}", axis, m.ndim))


@_array(
    "flip",
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 1", "i(2, 3), (0, 1)"),
    errors=(("f(2), 1", ValueError, "numpy.flip"), ("[1]", TypeError, "numpy.flip")),
    reference="np.flip(m, axis)",
)
def _flip(m: Tensor, axis: Any = None) -> Tensor:
    """Reverse the order of elements along dimensions.

    Args:
        m (Tensor): the input.
        axis (Union[None, int, tuple(int)]): the dimensions. Default None: all.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: `axis` may be None or an int.

    >>> import agar.numpy as mnp
    >>> print(mnp.flip(mnp.array([1, 2, 3])))
    [3 2 1]
    """
    return _flipped("flip", m, axis)


def _flip_axis(name: str, axis: int, word: str, shown: str) -> None:
    def impl(m: Tensor) -> Tensor:
        return _flipped(name, m, axis)

    impl.__name__ = name
    impl.__doc__ = f"""Reverse the order of elements along the {word} dimension.

    Args:
        m (Tensor): the input.

    Returns:
        Tensor.

    Raises:
        TypeError: `m` is not a Tensor.
        ValueError: `m` has no such dimension.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array([[1, 2], [3, 4]])))
        {shown}
    """
    _array(
        name,
        cast="never",
        samples=("f(2, 3)", "i(2, 3, 4)"),
        errors=(("[1]", TypeError, f"numpy.{name}"),),
        reference=f"np.{name}(m)",
    )(impl)


_flip_axis("flipud", 0, "first", "[[3 4]\n         [1 2]]")
_flip_axis("fliplr", 1, "second", "[[2 1]\n         [4 3]]")


@_array(
    "roll",
    cast="never",
    samples=("f(5), 2", "f(2, 3), 1", "f(2, 3), 1, 1", "f(2, 3), (1, 1), (0, 1)", "i(3), -1"),
    errors=(
        ("f(2, 3), 1, 2", ValueError, "numpy.roll"),
        ("f(2, 3), (1, 2, 3), (0, 1)", ValueError, "numpy.roll"),
        ("f(2), 1.0", TypeError, "numpy.roll"),
    ),
    reference="np.roll(a, shift, axis)",
)
def _roll(a: Tensor, shift: Any, axis: Any = None) -> Tensor:
    """Shift elements along dimensions; what leaves at the end comes back at the start.

    Args:
        a (Tensor): the input.
        shift (Union[int, tuple(int)]): by how many places.
        axis (Union[None, int, tuple(int)]): the dimensions; a single shift or axis goes with all of
            the other. Default None: the input is flattened first, and keeps its shape.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range, or the numbers of shifts and axes differ.
    Difference from PyTorch: a shift along several axes may be a single int.

    >>> import agar.numpy as mnp
    >>> print(mnp.roll(mnp.array([1, 2, 3]), 1))
    [3 1 2]
    """
    shifts = list(shift) if isinstance(shift, (tuple, list)) else [shift]
    for one in shifts:
        integer("numpy.roll", "shift", one)
    if axis is None:
        return torch.roll(a.reshape(-1), sum(shifts)).reshape(a.shape)
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [axis_of("numpy.roll", one, a.ndim) for one in given]
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ValueError(
            "For 'numpy.roll', there must be as many shifts as axes, or one of them, but got "
            f"{shift} and {axis}."
        )
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    axes = axes * len(shifts) if len(axes) == 1 else axes
    return torch.roll(a, shifts, axes)


@_array(
    "rot90",
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 2", "f(1, 2, 3), -1, (1, 2)"),
    errors=(
        ("f(2, 3), 1.0", TypeError, "numpy.rot90"),
        ("f(2, 3), 1, (0, 0)", ValueError, "numpy.rot90"),
        ("f(2, 3), 1, (0, 1, 2)", ValueError, "numpy.rot90"),
        ("f(2, 3), 1, 0", TypeError, "numpy.rot90"),
    ),
    reference="np.rot90(a, k, axes)",
)
def _rot90(a: Tensor, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """Rotate a plane by right angles.

    Args:
        a (Tensor): two dimensions or more.
        k (int): how often, from the first axis to the second. Default: 1.
        axes (Union[tuple(int), list(int)]): the plane. Default: (0, 1).

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there are not two different axes, or one is out of range.

    >>> import agar.numpy as mnp
    >>> print(mnp.rot90(mnp.array([[1, 2], [3, 4]])))
    [[2 4]
     [1 3]]
    """
    integer("numpy.rot90", "k", k)
    if not isinstance(axes, (tuple, list)):
        raise TypeError(
            f"For 'numpy.rot90', 'axes' must be a tuple or list, but got '{type(axes).__name__}'."
        )
    if len(axes) != 2:
        raise ValueError(f"For 'numpy.rot90', 'axes' must have two elements, but got {axes}.")
    return torch.rot90(a, k, axes_of("numpy.rot90", axes, a.ndim, "axes"))


# --------------------------------------------------------------------------------- selection


@_array(
    "where",
    samples=("b(3), f(3), f(3)", "b(2, 1), f(3), 2.0", "i(3), i(3), f(3)", "True, f(2), f(2)"),
    errors=(
        ("b(3), f(2), f(2)", ValueError, "numpy.where"),
        ("b(2)", TypeError, "numpy.where"),
    ),
    reference="np.where(condition, x, y)",
)
def _where(condition: Tensor | Any, x: Tensor | Any = None, y: Tensor | Any = None) -> Tensor:
    """The element of one tensor or another, as a condition says.

    Args:
        condition (Union[Tensor, bool, list, tuple]): where it is not zero `x` is taken, `y`
            elsewhere.
        x (Union[Tensor, number, list, tuple]): the first tensor. It must be given.
        y (Union[Tensor, number, list, tuple]): the second; all shapes broadcast. It must be given.

    Returns: Tensor of the common type of `x` and `y`.
    Raises TypeError: an argument is of another type or missing.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a condition need not be bool.

    >>> import agar.numpy as mnp
    >>> print(mnp.where(mnp.array([True, False]), mnp.array([1, 2]), 3.5))
    [1.  3.5]
    """
    chosen = array("where", "condition", condition).to(torch.bool)
    return torch.where(chosen, *to_common(array("where", "x", x), array("where", "y", y)))


@_array(
    "select",
    lists=True,
    samples=(
        "[[True, False], [False, False]], [[1, 2], [3, 4]]",
        "b(3, 4), f(3, 4), 9",
        "b(2, 1, 3), f(2, 4, 1)",
    ),
    errors=(
        ("[[True, False]], [[1, 2], [3, 4]]", ValueError, "numpy.select"),
        ("True, 1", ValueError, "numpy.select"),
        ("'a', [1]", TypeError, "numpy.select"),
    ),
    reference="np.select(list(condlist), list(np.asarray(choicelist)), default)",
)
def _select(condlist: Tensor | Any, choicelist: Tensor | Any, default: Tensor | Any = 0) -> Tensor:
    """For each place the element of the tensor whose condition is the first to hold.

    Args:
        condlist (Union[Tensor, list, tuple]): the conditions.
        choicelist (Union[Tensor, list, tuple]): as many tensors; shapes broadcast.
        default (Union[Tensor, number]): the element where no condition holds. Default: 0.

    Returns: Tensor of the type of `choicelist`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there are not as many tensors as conditions, or the shapes do not broadcast.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> x = mnp.arange(4)
    >>> print(mnp.select([x < 1, x > 2], [x, x * 10], -1))
    [ 0 -1 -1 30]
    """
    conditions = array("select", "condlist", condlist)
    choices = array("select", "choicelist", choicelist)
    if conditions.ndim == 0 or choices.ndim == 0:
        raise ValueError("For 'numpy.select', 'condlist' and 'choicelist' must not be numbers.")
    if len(conditions) != len(choices):
        raise ValueError(
            "For 'numpy.select', there must be as many choices as conditions, but got "
            f"{len(choices)} and {len(conditions)}."
        )
    shape = torch.broadcast_shapes(conditions.shape[1:], choices.shape[1:])
    result = array("select", "default", default).to(choices.dtype).expand(shape)
    pairs = list(zip(conditions.unbind(0), choices.unbind(0), strict=True))
    for condition, choice in reversed(pairs):
        result = torch.where(condition.to(torch.bool), choice, result)
    return result


@_array(
    "choose",
    lists=True,
    samples=("i(3), f(3, 3)", "i(3, 1), [[1, 2], [3, 4], [5, 6]]", "[0, 1], (f(2), f(2))"),
    errors=(
        ("f(2), [[1, 2]]", ValueError, "numpy.choose"),
        ("[0, 1], [[1, 2]], 'x'", ValueError, "numpy.choose"),
    ),
    reference="np.choose(np.asarray(a), [np.asarray(c) for c in choices], mode=mode)",
)
def _choose(a: Tensor | Any, choices: Tensor | Any, mode: str = "clip") -> Tensor:
    """For each place the element of the tensor that an index names.

    Args:
        a (Union[int, Tensor, list, tuple]): the indices, integers.
        choices (Union[Tensor, list, tuple]): the tensors; a single Tensor stands for its parts
            along the first dimension. Shapes broadcast.
        mode (str): what to do with indices out of range, as in `take`. Default: ``"clip"``.

    Returns: Tensor of the common type of `choices`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `a` has no integers, the shapes do not broadcast, or `mode` is another word.
    Raises RuntimeError: an index is out of range and `mode` is ``"raise"``.
    Difference from PyTorch: torch has no such function; MindSpore has no ``"raise"``.

    >>> import agar.numpy as mnp
    >>> print(mnp.choose([1, 0], [[0, 1], [10, 11]]))
    [10  1]
    """
    places = array("choose", "a", a)
    if places.dtype is torch.bool or places.is_floating_point() or places.is_complex():
        raise ValueError("For 'numpy.choose', 'a' must have integers.")
    choices = released(choices)
    if isinstance(choices, (list, tuple)):
        parts = [array("choose", "choices", choice) for choice in choices]
        parts = list(to_common(*parts)) if parts else parts
    else:
        parts = parts_of("choose", array("choose", "choices", choices))
    if not parts:
        raise ValueError("For 'numpy.choose', 'choices' must not be empty.")
    return named("choose", index.choose, places, parts, mode)


@_array(
    "argwhere",
    cast="never",
    samples=("i(2, 3)", "f(3)", "[[1, 0]]"),
    errors=(("'a'", TypeError, "numpy.argwhere"),),
    reference="np.argwhere(a)",
    differentiable=False,
)
def _argwhere(a: Tensor | Any) -> Tensor:
    """The places of the elements that are not zero.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.

    Returns: Tensor of int64, one row of indices for each place.
    Raises TypeError: `a` is of another type.

    >>> import agar.numpy as mnp
    >>> print(mnp.argwhere(mnp.array([[1, 0], [0, 5]])))
    [[0 0]
     [1 1]]
    """
    return torch.argwhere(array("argwhere", "a", a))


# -------------------------------------------------------------------------------------- sets


@_array(
    "unique",
    cast="never",
    samples=("i(5)", "i(2, 3), True"),
    errors=(("[1]", TypeError, "numpy.unique"),),
    differentiable=False,
)
def _unique(x: Tensor, return_inverse: bool = False) -> Any:
    """The different elements, in the order in which they come first.

    Args:
        x (Tensor): the input, of any shape.
        return_inverse (bool): whether to tell which of them each element is. Default: False.

    Returns: Tensor in one dimension; with `return_inverse` a tuple of it and a Tensor of places in
        one dimension (int32; int64 for int64 input).
    Difference from PyTorch: the elements are not sorted.

    >>> import agar.numpy as mnp
    >>> print(mnp.unique(mnp.array([3, 1, 3, 2])))
    [3 1 2]
    """
    values, places = distinct.unique(x.reshape(-1))
    return (values, places) if return_inverse else values


def sorted_set(x: Tensor, is_set: bool) -> tuple[Tensor, Tensor]:
    """The elements sorted, each once, and the place of each in the flat tensor."""
    values, places = torch.sort(x.reshape(-1), stable=True)
    if is_set:
        return values, places
    first = torch.ones_like(values, dtype=torch.bool)
    first[1:] = values[1:] != values[:-1]
    return values[first], places[first]


@_array(
    "intersect1d",
    cast="never",
    samples=("i(5), i(4)", "i(5), i(4), False, True", "[1, 3], [3, 3]"),
    errors=(
        ("i(3), i(2), 1", TypeError, "assume_unique"),
        ("'a', [1]", TypeError, "numpy.intersect1d"),
    ),
    reference="np.intersect1d(ar1, ar2, assume_unique, return_indices)",
    differentiable=False,
)
def _intersect1d(
    ar1: Tensor | Any, ar2: Tensor | Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The elements that two tensors share, sorted.

    Args:
        ar1 (Union[Tensor, number, list, tuple]): the first tensor, of any shape.
        ar2 (Union[Tensor, number, list, tuple]): the second.
        assume_unique (bool): whether each tensor is known to have no element twice. Default: False.
        return_indices (bool): whether to return the places of the elements too. Default: False.

    Returns: Tensor in one dimension; with `return_indices` a tuple of it and the places in both
        flat tensors, int32.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.intersect1d([1, 3, 4, 3], [3, 1, 2, 1]))
    [1 3]
    """
    boolean("numpy.intersect1d", "assume_unique", assume_unique)
    boolean("numpy.intersect1d", "return_indices", return_indices)
    first, second = to_common(array("intersect1d", "ar1", ar1), array("intersect1d", "ar2", ar2))
    values1, places1 = sorted_set(first, assume_unique)
    values2, places2 = sorted_set(second, assume_unique)
    shared = torch.isin(values1, values2)
    entry = values1[shared]
    if not return_indices:
        return entry
    at = torch.searchsorted(values2, entry)
    return entry, places1[shared].to(torch.int32), places2[at].to(torch.int32)
