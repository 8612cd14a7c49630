"""The class Tensor: construction, properties, Python's protocols, indexing and text.

A Tensor holds one ``torch.Tensor`` in the slot ``_value`` and nothing else. Methods that are
operators come from the operator table when first asked for. The bases of the class have the rest:
interchange with other libraries, memory, and traits of MindSpore's tensors.

NOTE Lazy tensors. ``initializer(...)`` gives a tensor that has a shape and a dtype but no data.
It is drawn when first used (MindSpore raises at that point). :class:`LazyTensor` overrides the slot
with a property that draws, stores the data and turns the object into a plain Tensor.

NOTE Attributes. Tensor has no ``__getattr__``: Python 3.11 reads each attribute of such a class,
the slot and methods included, three to ten times as slowly, which was a tenth of a small operator.
So each operator's name stands on the class, and so do the names of PyTorch and of ``ops`` that
tensors do not have, whose descriptors raise the error with its hint. For any other name Python
proposes similar ones itself where it shows the error.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agar._core import context, optable
from agar._core import dtype as mstype
from agar._core.distributed.sharding import is_split, rewritten, whole
from agar._core.errors import describe
from agar._core.hints import as_methods_of, explained, unexpected_keywords
from agar._core.printing import dynamic_repr, tensor_repr, tensor_str, uninitialized_text
from agar._core.runtime import runtime, thread
from agar._core.tensor.base import bind, wrap
from agar._core.tensor.conversion import device_of, new_data, shape_tuple
from agar._core.tensor.indexing import (
    PLAIN,
    has_tensor,
    is_plain,
    number_as,
    out_of_bounds,
    places,
    plain_source,
    read,
    with_places,
)
from agar._core.tensor.interchange import TensorInterchange
from agar._core.tensor.late_operators import is_absent
from agar._core.tensor.memory import TensorMemory
from agar._core.tensor.traits import TensorTraits

__all__ = [
    "LazyTensor",
    "Structure",
    "SymbolicTensor",
    "Tensor",
    "is_tensor",
    "tensor",
]

if TYPE_CHECKING:
    from typing_extensions import Self

    # what operators declare; the file is written by scripts/stubs.py
    from agar._core.tensor_methods import (  # pyright: ignore[reportMissingModuleSource]
        TensorMethods as _Methods,
    )
else:
    _Methods = object

_new = object.__new__


class _TensorMeta(type):
    """Says of a name that Tensor does not have, and leaves it out of ``dir``, what the class is."""

    def __getattr__(cls, name: str) -> Any:
        raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")

    def __dir__(cls) -> list[str]:
        return sorted(name for name in super().__dir__() if not is_absent(cls, name))


def _repr_of(dtype: str, value: torch.Tensor) -> str:
    return tensor_repr(value, dtype)


# What most tensors are made of; to ask whether it is one of torch's takes longer.
_PYTHON = frozenset({np.ndarray, float, int, bool, list, tuple})
_KEYWORDS = dict.fromkeys(("input_data", "dtype", "shape", "init", "const_arg", "device")).keys()


class Tensor(TensorInterchange, TensorMemory, TensorTraits, _Methods, metaclass=_TensorMeta):
    """An array of numbers on a device, over which operators compute.

    Args:
        input_data (Union[Tensor, ndarray, list, tuple, float, int, bool, complex]): the values.
            Arrays and lists are copied, a Tensor is shared. Default: None.
        dtype (Type): type of the elements. Default None: that of an array; for Python numbers
            float32, int64, bool or complex128.
        shape (Union[tuple, list, int]): the shape of a tensor without data. With None or -1 in it,
            for unknown sizes, the tensor only describes inputs. Default: None.
        init (Initializer): fills a tensor of `shape` when it is first used. Default: None, zeros.
        const_arg (bool): whether compiled code may treat the values as constants. Default: False.
        device: where to put it, for example ``"CPU"`` or ``"GPU:0"``. Default: the context's.

    Raises:
        TypeError: `input_data` is of no supported type, or has strings or rows of different
            lengths in it; `dtype` is not a MindSpore type, or `init` is not an Initializer.
        ValueError: `shape` or `init` are given together with data, or `init` without a type.
        RuntimeError: an integer fits into no integer type.

    Difference from PyTorch: ``size`` is an attribute (the number of elements), ``max``, ``sort``,
    ``transpose`` and others have numpy's arguments; a tensor has no ``backward`` and no ``grad``.
    ``x += 1`` makes a new tensor.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x @ x)
        [[ 7. 10.]
         [15. 22.]]
        >>> x[0]
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    init: Any = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if kwargs and cls is Tensor and not kwargs.keys() <= _KEYWORDS:
            raise unexpected_keywords("Tensor.__init__", kwargs, _KEYWORDS)
        return _new(cls)

    def __init__(
        self,
        input_data: Any = None,
        dtype: mstype.Type | None = None,
        shape: Sequence[int | None] | int | None = None,
        init: Any = None,
        const_arg: bool = False,
        device: Any = None,
    ) -> None:
        if const_arg:
            self.const_arg = True
        target = None if dtype is None else mstype.to_torch_dtype(dtype, op_name="Tensor")
        where = context.torch_device() if device is None else device_of(device)
        if input_data is None:
            self._without_data(target, shape, init, where)
            return
        if init is not None or shape is not None:
            raise ValueError(
                "For Tensor, 'shape' and 'init' describe a tensor without data; leave them out "
                "beside 'input_data', and use .reshape(...) to change a shape."
            )
        if isinstance(input_data, Tensor):
            value = input_data._value
            if target is not None and target != value.dtype:
                value = value.to(target)
            if device is not None:
                value = value.to(where)
        elif type(input_data) not in _PYTHON and isinstance(input_data, torch.Tensor):
            value = input_data.detach().to(device=where, dtype=target, copy=True)
        else:
            value = new_data(input_data, target)
            if where is not context.CPU and where.type != "cpu":
                value = value.to(where)
        self._value = value

    def _without_data(
        self, dtype: torch.dtype | None, shape: Any, init: Any, where: torch.device
    ) -> None:
        if shape is None:
            raise TypeError(
                "For Tensor, the type of 'input_data' should be one of Tensor, float, int, bool, "
                "complex, list, tuple, numpy.ndarray, but got None. Give data, or 'shape' and "
                "'dtype'."
            )
        if dtype is None:
            raise (TypeError if init is None else ValueError)(
                "For Tensor, 'dtype' must be given together with 'shape'."
            )
        if init is not None and not callable(getattr(init, "fill", None)):
            raise TypeError(
                f"For Tensor, 'init' must be an Initializer, but got {init!r}; "
                "initializer('ones', shape, dtype) takes names."
            )
        dims = shape_tuple(shape)
        sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
        if any(hasattr(n, "divisor") for n in sizes):  # a Symbol
            self.symbolic_shape = [n.to_dict() if hasattr(n, "divisor") else n for n in sizes]
        if init is None and -1 not in dims:
            self._value = torch.zeros(dims, dtype=dtype, device=where)
            return
        _become(self, SymbolicTensor if init is None else LazyTensor)
        vars(self).update(_lazy_shape=dims, _lazy_dtype=dtype, init=init)

    def __reduce__(self) -> tuple[Any, ...]:
        value = whole(self._value).detach()
        return _rebuild, (type(self), value.cpu(), vars(self), str(value.device))

    def __copy__(self) -> Tensor:
        return wrap(self._value.clone())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        new = wrap(self._value.detach().clone())
        memo[id(self)] = new
        return new

    # ------------------------------------------------------------------- properties

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes, as a tuple of ints; assigning one reshapes the tensor itself."""
        return tuple(self._value.shape)

    @shape.setter
    def shape(self, sizes: Sequence[int]) -> None:
        self._value = self._value.reshape(tuple(sizes))

    @property
    def dtype(self) -> mstype.Number:
        """The type of the elements."""
        return mstype.FROM_TORCH[self._value.dtype]

    @property
    def size(self) -> int:
        """The number of elements (an attribute; PyTorch's ``size()`` is the shape)."""
        return self._value.numel()

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._value.ndim

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._value.element_size()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._value.numel() * self._value.element_size()

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step over along each axis (PyTorch's ``stride()`` counts elements)."""
        size = self._value.element_size()
        return tuple(s * size for s in self._value.stride())

    @property
    def device(self) -> str:
        """Where the data are, for example ``CPU`` or ``GPU:0``."""
        return context.device_name(self._value.device)

    @property
    def is_meta(self) -> bool:
        """Whether the tensor has a shape and a type but no memory (device ``"meta"``)."""
        return self._value.is_meta

    @property
    def has_init(self) -> bool:
        """Whether the tensor waits for its initializer."""
        return False

    @property
    def data(self) -> Tensor:
        """The tensor's values, sharing memory, outside of any gradient."""
        return wrap(self._value.detach())

    @data.setter
    def data(self, value: Any) -> None:
        self.assign_value(value)

    # ---------------------------------------------------------------- reading values

    def item(self) -> Any:
        """The value of a tensor with one element, as a Python number.

        Raises:
            ValueError: there is not exactly one element.

        Difference from PyTorch: a RuntimeError there.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([3]).item()
            3
        """
        value = self._value
        if value.numel() != 1:
            raise ValueError(
                f"The tensor should have only one element, but got shape {self.shape}; "
                "index it first, or use .tolist(); a condition takes .all() or .any()."
            )
        return value.item() if value.__class__ is torch.Tensor else whole(value).item()

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers (a number for a 0-d tensor)."""
        return whole(self._value).tolist()

    def __bool__(self) -> bool:
        if thread.recorder is not None and self._value.dtype is not torch.bool:
            return bool(wrap(self._value != 0).item())  # two ways to go on, not one per value
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self._value.is_floating_point() or self._value.is_complex():
            raise ValueError(
                f"Only integer tensors of a single element can be converted to an index, but got "
                f"{describe(self)}; convert it with .astype(ms.int64)."
            )
        return int(self.item())

    def __len__(self) -> int:
        if self._value.ndim == 0:
            raise TypeError("Not support len of a 0-D tensor")
        return self._value.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if self._value.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter([wrap(v) for v in self._value.unbind(0)])

    def __contains__(self, element: Any) -> bool:
        equal = self._value == (element._value if isinstance(element, Tensor) else element)
        return bool(equal.any()) if isinstance(equal, torch.Tensor) else False

    def __hash__(self) -> int:
        return id(self)  # by identity, since == compares elements

    def __eq__(self, other: object) -> Any:
        if type(other) is Tensor or isinstance(other, _COMPARED):
            return self.eq(other)
        return False

    def __ne__(self, other: object) -> Any:
        if type(other) is Tensor or isinstance(other, _COMPARED):
            return self.ne(other)
        return True

    def __pos__(self) -> Tensor:
        return wrap(self._value)

    # ------------------------------------------------------------------------ text

    def __repr__(self) -> str:
        recorder = thread.recorder
        if recorder is not None:
            return recorder.text(self._value, functools.partial(_repr_of, str(self.dtype)))
        return tensor_repr(whole(self._value), str(self.dtype))

    def __str__(self) -> str:
        recorder = thread.recorder
        if recorder is not None:
            return recorder.text(self._value, tensor_str)
        return tensor_str(whole(self._value))

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from agar._core import html

        return html.tensor(self)

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(
                "unsupported format string passed to Tensor.__format__; "
                f"format a number: f'{{x.item():{spec}}}'."
            )
        return str(self)

    # --------------------------------------------------------------------- indexing

    def __getitem__(self, index: Any) -> Tensor:
        value = self._value
        kind = type(index)
        if kind is int or kind in PLAIN or (kind is tuple and is_plain(index)):
            place = index
        else:  # in a scope, an index that copies is an operator with a floating type
            place = None if runtime.scopes else with_places(index)
            if place is None:
                return wrap(read(value, index))
        try:
            part = value[place]
        except (IndexError, TypeError, ValueError):
            if kind is int and value.ndim:
                raise out_of_bounds(index, value, 0) from None
            return wrap(read(value, index))  # says what is wrong, or reads backwards
        result = _new(Tensor)
        result._value = part
        return result

    def __setitem__(self, index: Any, value: Any) -> None:
        target = self._value
        # in a gradient's scope, a tensor is first made known to it
        if target.__class__ is torch.Tensor and not (runtime.scopes or target.requires_grad):
            kind = type(index)
            plain = kind is int or kind in PLAIN or (kind is tuple and is_plain(index))
            place = index if plain else with_places(index)
            source = None if place is None else plain_source(target, value)
            if source is not None:
                try:
                    if not plain and getattr(place, "dtype", None) is not torch.bool:
                        target[place]  # see `_write`
                    target[place] = source
                    return
                except (IndexError, RuntimeError, TypeError, ValueError):
                    pass  # nothing is written yet; what is wrong, or unusual, is told below
        self._write(index, value)

    def _write(self, index: Any, value: Any) -> None:
        """The complete way of an item assignment."""
        target = self._writable("item assignment")
        if isinstance(value, Tensor):
            source: Any = value._value.to(device=target.device, dtype=target.dtype)
        elif isinstance(value, (bool, int, float, complex, np.generic)):
            source = number_as(target, value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            source = new_data(value, None).to(device=target.device, dtype=target.dtype)
        else:
            raise (TypeError if value is None else IndexError)(
                "only support numbers, Tensor, tuple, list as value, but got "
                f"{value!r} with type {type(value)}."
            )
        if is_split(target):
            given = value if not isinstance(value, Tensor) else wrap(whole(value._value.detach()))
            rewritten(target, lambda copy: wrap(copy).__setitem__(index, given))
            return
        target_places = places(target, index)
        try:
            masks = (torch.bool, torch.uint8)  # which select, and cannot point outside
            tensors = [p for p in target_places if isinstance(p, torch.Tensor)]
            if target.is_cpu and tensors and all(p.dtype not in masks for p in tensors):
                target.detach()[
                    target_places
                ]  # writing would stop midway at a place that is not there
            target[target_places] = source
        except (RuntimeError, IndexError) as error:
            outside = "out of bounds" in str(error) and not has_tensor(index)
            raise (IndexError if outside else ValueError)(
                f"For item assignment, value of shape {list(getattr(source, 'shape', ()))} cannot "
                f"be written into {describe(self)} at index {describe(index)}: {error}"
            ) from error

    def to_coo(self) -> Any:
        """The elements that are not zero, as a :class:`agar.COOTensor` with indices of int32.

        Raises:
            ValueError: the tensor is not 2-D.

        Difference from PyTorch: ``Tensor.to_sparse_coo`` takes any number of axes.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([[0.0, 2.0]]).to_coo().indices)
            [[0 1]]
        """
        from agar._core.sparse import dense_to_coo

        return dense_to_coo(self)

    def to_csr(self) -> Any:
        """The elements that are not zero, as a :class:`agar.CSRTensor` with indices of int32.

        Raises:
            ValueError: the tensor is not 2-D.

        Difference from PyTorch: ``Tensor.to_sparse_csr``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([[0.0, 2.0]]).to_csr().indptr)
            [0 1]
        """
        from agar._core.sparse import dense_to_csr

        return dense_to_csr(self)

    def init_data(self, *args: Any, **kwargs: Any) -> Tensor:
        """Initialize the data of a lazily initialized tensor now. Returns the tensor.

        Args:
            args: of MindSpore, for tensors that are split over devices; not used.
            kwargs: the same by name; not used.
        """
        return self

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call a function with this tensor's gradient whenever one is computed.

        Args:
            hook (Callable): takes the gradient (Tensor) and returns None, or a Tensor that
                replaces it.

        Returns:
            A handle with a ``remove()`` method.

        Raises:
            TypeError: `hook` is not callable.

        Difference from PyTorch: may be registered before the gradient is asked for.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> def f(x):
            ...     y = x * 2
            ...     y.register_hook(lambda g: g * 10)
            ...     return y * 3
            >>> print(ms.grad(f)(ms.Tensor([1.0])))
            [60.]
        """
        from agar._core.hooks import register_tensor_hook

        return register_tensor_hook(self, hook)

    def hooks(self) -> list[Callable[[Any], Any]]:
        """The functions that :meth:`register_hook` put on this tensor."""
        return list(vars(self).get("_hooks", {}).values())

    @staticmethod
    def remove_hook(handle_id: int) -> None:
        """Remove the hook whose handle has this ``id``, if there is one.

        Args:
            handle_id (int): the ``id`` of what :meth:`register_hook` returned.

        Difference from PyTorch: the handle's ``remove()``, which works here too.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([1.0])
            >>> handle = x.register_hook(lambda g: g * 10)
            >>> ms.Tensor.remove_hook(handle.id)
            >>> x.hooks()
            []
        """
        from agar._core.hooks import remove_tensor_hook

        remove_tensor_hook(handle_id)

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *vars(self)})


Tensor.__module__ = "agar.common.tensor"
as_methods_of(Tensor, (TensorInterchange, TensorMemory, TensorTraits), "agar._core.tensor")
bind(Tensor)
optable.bind_tensor(Tensor, wrap)


def _become(tensor: Tensor, cls: type[Tensor]) -> None:
    """Turn a tensor into one of another class of the same layout."""
    object.__setattr__(tensor, "__class__", cls)


class LazyTensor(Tensor):
    """A tensor whose initializer has not run yet (see NOTE Lazy tensors)."""

    __slots__ = ()
    _lazy_shape: tuple[int, ...]
    _lazy_dtype: torch.dtype

    @property
    def _value(self) -> torch.Tensor:
        drawn = self._draw()
        _become(self, Tensor)
        self._value = drawn
        for key in ("_lazy_shape", "_lazy_dtype", "init"):
            vars(self).pop(key, None)
        return drawn

    @_value.setter
    def _value(self, value: torch.Tensor) -> None:
        _become(self, Tensor)
        self._value = value

    def _draw(self) -> torch.Tensor:
        drawn = torch.empty(self._lazy_shape, dtype=self._lazy_dtype)
        self.init.fill(drawn)
        where = context.torch_device()
        return drawn if where.type == "cpu" else drawn.to(where)

    @Tensor.shape.getter
    def shape(self) -> tuple[int, ...]:
        return self._lazy_shape

    @property
    def dtype(self) -> mstype.Number:
        return mstype.FROM_TORCH[self._lazy_dtype]

    @property
    def ndim(self) -> int:
        return len(self._lazy_shape)

    @property
    def size(self) -> int:
        count = 1
        for n in self._lazy_shape:
            count *= n
        return count

    @property
    def has_init(self) -> bool:
        return True

    def init_data(self, *args: Any, **kwargs: Any) -> Tensor:
        operator.attrgetter("_value")(self)
        return self

    def __repr__(self) -> str:
        return uninitialized_text(self.shape, str(self.dtype))

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (Tensor, self._value, {})


class SymbolicTensor(Tensor):
    """A description of a tensor, with unknown sizes; used by ``set_inputs``."""

    __slots__ = ()
    _lazy_shape: tuple[int, ...]
    _lazy_dtype: torch.dtype

    @property
    def _value(self) -> torch.Tensor:
        raise ValueError(
            f"The tensor of shape {self._lazy_shape} describes inputs and has no data (negative "
            "dimensions are not allowed in data); pass it to set_inputs only."
        )

    shape = LazyTensor.shape  # pyright: ignore[reportIncompatibleMethodOverride]
    dtype = LazyTensor.dtype  # pyright: ignore[reportIncompatibleMethodOverride]
    ndim = LazyTensor.ndim  # pyright: ignore[reportIncompatibleMethodOverride]

    def __repr__(self) -> str:
        return dynamic_repr(self.shape, str(self.dtype))

    def __str__(self) -> str:
        raise ValueError("negative dimensions are not allowed: the tensor has no data to print.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (None, self.dtype, self.shape)


for _cls in (LazyTensor, SymbolicTensor):
    _cls.__module__ = "agar.common.tensor"
    _cls.__name__ = _cls.__qualname__ = "Tensor"


_COMPARED = (Tensor, bool, int, float, complex, np.generic)


class Structure:
    """An object made of tensors and constants, which transforms and recordings look into.

    A subclass names its parts in `_fields`, holds them in `_held`, and takes them in this order.
    """

    _fields: tuple[str, ...] = ()
    _held: tuple[Any, ...]

    @classmethod
    def _make(cls, parts: Any) -> Any:
        """An object of these parts, which are not checked."""
        structure = _new(cls)
        structure._held = tuple(parts)
        return structure

    @property
    def _differentiated(self) -> Tensor:
        """The part by which a gradient with respect to the object is taken."""
        raise NotImplementedError

    def _operand(self, dense: Tensor, operator: str) -> Any:
        """What `dense` gives with this object to its right, or NotImplemented."""
        return NotImplemented


def _rebuild(cls: type, value: torch.Tensor, state: dict[str, Any], device: str = "cpu") -> Tensor:
    # files of PyTorch call this with what they hold, see `torch_registry`
    valid = isinstance(cls, type) and issubclass(cls, Tensor) and isinstance(value, torch.Tensor)
    if not valid:
        raise TypeError(f"{cls!r} cannot be built of {describe(value)}, which a file holds.")
    new = _new(cls)
    new._value = context.back_on(value, device)
    vars(new).update(state)
    return new


_rebuild.__module__ = "agar._core.tensor"  # the path that pickles name


@explained
def tensor(
    input_data: Any = None,
    dtype: mstype.Type | None = None,
    shape: Any = None,
    init: Any = None,
    const_arg: bool = False,
    device: Any = None,
) -> Tensor:
    """Make a Tensor; the arguments are those of :class:`Tensor`.

    Args:
        input_data: the values: number, list, tuple, numpy array or Tensor.
        dtype (Type): type of the elements. Default: None, by the data.
        shape (Union[tuple, list, int]): see :class:`Tensor`. Default: None.
        init (Initializer): see :class:`Tensor`. Default: None.
        const_arg (bool): see :class:`Tensor`. Default: False.
        device: see :class:`Tensor`. Default: None.

    Returns:
        Tensor.

    Raises:
        TypeError: as :class:`Tensor`.

    Difference from PyTorch: Python floats give float32 whatever the default dtype.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.tensor([1, 2]).dtype
        mindspore.int64
    """
    return Tensor(input_data, dtype, shape, init, const_arg, device)


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor (Parameters included).

    Args:
        obj: any object.

    Returns:
        bool.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.is_tensor(ms.Tensor([1])), ms.is_tensor([1])
        (True, False)
    """
    return isinstance(obj, Tensor)
