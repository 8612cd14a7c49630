"""Tensor: MindSpore's tensor over one torch tensor.

A Tensor holds one ``torch.Tensor`` in the slot ``_value`` and nothing else. Methods that are
operators come from the operator table when first asked for; here stand construction, interchange,
Python's protocols, and what reads or writes the tensor itself.

NOTE Lazy tensors. ``initializer(...)`` gives a tensor that has a shape and a dtype but no data.
It is drawn when first used (MindSpore raises at that point). :class:`LazyTensor` overrides the slot
with a property that draws, stores the data and turns the object into a plain Tensor.
"""

from __future__ import annotations

import functools
import operator
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agar._core import context, optable, precision
from agar._core import dtype as mstype
from agar._core.errors import describe, missing_feature, type_name
from agar._core.hints import MissingName, explained, unexpected_keywords
from agar._core.printing import dynamic_repr, tensor_repr, tensor_str, uninitialized_text
from agar._core.runtime import runtime, thread

__all__ = [
    "LazyTensor",
    "Structure",
    "Tensor",
    "from_numpy",
    "from_torch",
    "is_tensor",
    "tensor",
    "wrap",
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


class _ArrayRef(weakref.ref):
    """The array over a torch tensor's memory; a copy or pickle of the tensor has none."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()


class _TensorMeta(type):
    """Finds operators on the class as well (``Tensor.abs``), and lists them in ``dir``."""

    def __getattr__(cls, name: str) -> Any:
        entry = optable.table.methods.get(name)
        if entry is not None:
            made = optable.face(
                entry, name, module=Tensor.__module__, qualname=f"{Tensor.__qualname__}.{name}"
            )
            setattr(Tensor, name, made)
            return made
        entry = optable.table.properties.get(name)
        if entry is not None:
            made = property(optable.face(entry, name, module=Tensor.__module__), doc=entry.doc)
            setattr(Tensor, name, made)
            return made
        raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")

    def __dir__(cls) -> list[str]:
        known = (*optable.table.methods, *optable.table.properties)
        return sorted({*super().__dir__(), *known})


def _data(value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    """A new torch tensor with a copy of Python or numpy data."""
    recorder = thread.recorder
    if recorder is None or _contains_tensor(value):
        return _made(value, dtype)
    made = recorder.unseen(_made, (value, dtype))
    recorder.created(made)
    return made


def _made(value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_array(np.asarray(value), dtype)
    if isinstance(value, (bool, int, float, complex)):
        return torch.tensor(value, dtype=dtype or _scalar_dtype(value))
    if isinstance(value, (list, tuple)):
        return _from_sequence(value, dtype)
    raise TypeError(
        "For Tensor, the type of 'input_data' should be one of Tensor, float, int, bool, complex, "
        f"list, tuple, numpy.ndarray, but got {value!r} with type {type_name(value)}."
    )


def _scalar_dtype(value: Any) -> torch.dtype:
    if isinstance(value, bool):
        return torch.bool
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return torch.int64
        if 0 < value < 2**64:
            return torch.uint64
        raise RuntimeError(f"For Tensor, no integer type has the value {value}; use a float.")
    return torch.float32 if isinstance(value, float) else torch.complex128


def _from_array(array: np.ndarray, dtype: torch.dtype | None) -> torch.Tensor:
    if array.dtype.kind in "OUSVMm" and array.dtype.name not in ("bfloat16",):
        raise TypeError(
            "For Tensor, the 'input_data' contains unsupported element: a numpy array of type "
            f"{array.dtype} cannot become a tensor; all elements must be numbers in rows of equal "
            "length."
        )
    if array.dtype.name == "bfloat16":
        found = torch.from_numpy(array.view(np.uint16).copy()).view(torch.bfloat16)
        return found if dtype is None else found.to(dtype)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    made = torch.from_numpy(np.array(array, order="C"))  # torch knows no negative strides
    return made if dtype is None or dtype == made.dtype else made.to(dtype)


def _repr_of(dtype: str, value: torch.Tensor) -> str:
    return tensor_repr(value, dtype)


def _contains_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or (
        isinstance(value, (list, tuple)) and any(_contains_tensor(v) for v in value)
    )


def _from_sequence(value: Sequence[Any], dtype: torch.dtype | None) -> torch.Tensor:
    if _contains_tensor(value):
        parts = [
            v._value if isinstance(v, Tensor) else _data(v, None)  # nested rows of tensors
            for v in value
        ]
        common = parts[0].dtype
        for part in parts[1:]:
            common = torch.promote_types(common, part.dtype)
        made = torch.stack([p.to(common) for p in parts])
        return made if dtype is None else made.to(dtype)
    try:
        array = np.array(value)
    except ValueError as error:
        raise TypeError(
            "For Tensor, the 'input_data' contains unsupported element: the rows of "
            f"{describe(list(value))} have different lengths."
        ) from error
    if dtype is None and array.dtype == np.float64 and array.size:
        dtype = torch.float64 if _has_np_double(value) else torch.float32
    elif dtype is None and not array.size:
        dtype = torch.float32
    return _from_array(array, dtype)


def _has_np_double(value: Any) -> bool:
    """Whether the first leaf is numpy double data (which keeps its type) and not a float."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (np.ndarray, np.float64)) and type(value) is not float


_KEYWORDS = dict.fromkeys(("input_data", "dtype", "shape", "init", "const_arg", "device")).keys()


class Tensor(_Methods, metaclass=_TensorMeta):
    """An array of numbers on a device, over which operators compute.

    Args:
        input_data (Union[Tensor, ndarray, list, tuple, float, int, bool, complex]): the values.
            Arrays and lists are copied, a Tensor is shared. Default: None.
        dtype (Type): type of the elements. Default None: that of an array; for Python numbers
            float32, int64, bool or complex128.
        shape (Union[tuple, list, int]): the shape of a tensor without data. With None or -1 in it,
            for sizes that are not known, the tensor only describes inputs. Default: None.
        init (Initializer): fills a tensor of `shape` when it is first used. Default: None, zeros.
        const_arg (bool): whether compiled code may take the values as constants. Default: False.
        device: where to put it, for example ``"CPU"`` or ``"GPU:0"``. Default: the context's.

    Raises:
        TypeError: `input_data` is of no supported type, or has strings or rows of different
            lengths in it; `dtype` is no MindSpore type, or `init` no Initializer.
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

    __slots__ = ("__dict__", "__weakref__", "_value")

    _value: torch.Tensor
    const_arg: bool = False
    init: Any = None
    param_info: Any = None
    # Read by MindSpore's own code; a tensor here is whole from the start, and a view of its base.
    delta_seed: int = 0
    index_of_parent_: Any = None
    init_finished: bool = True
    init_flag: bool = False
    parent_tensor_: Any = None
    symbolic_shape: Any = None
    virtual_flag: bool = False

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
        target = None if dtype is None else mstype.to_torch_dtype(dtype, who="Tensor")
        where = context.torch_device() if device is None else _device_of(device)
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
        elif isinstance(input_data, torch.Tensor):
            value = input_data.detach().to(device=where, dtype=target, copy=True)
        else:
            value = _data(input_data, target)
            if where.type != "cpu":
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
        dims = _shape_tuple(shape)
        sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
        if any(hasattr(n, "divisor") for n in sizes):  # a Symbol
            self.symbolic_shape = [n.to_dict() if hasattr(n, "divisor") else n for n in sizes]
        if init is None and -1 not in dims:
            self._value = torch.zeros(dims, dtype=dtype, device=where)
            return
        _become(self, SymbolicTensor if init is None else LazyTensor)
        vars(self).update(_lazy_shape=dims, _lazy_dtype=dtype, init=init)

    # ------------------------------------------------------------------ interchange

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Let torch's functions accept agar tensors; their results are agar tensors."""
        return wrap(
            func(*_torch_args(args), **{k: _torch_args(v) for k, v in (kwargs or {}).items()})
        )

    def to_torch(self) -> torch.Tensor:
        """The torch tensor underneath, sharing its memory.

        Difference from PyTorch: none (no counterpart).

        Source: agar's own, for interchange.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1, 2]).to_torch()
            tensor([1, 2])
        """
        return self._value

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A tensor that shares the memory of a numpy array, see :func:`agar.from_numpy`."""
        return from_numpy(array)

    def asnumpy(self) -> np.ndarray:
        """The values as a numpy array in C order, sharing memory with a tensor on the CPU.

        A view that is not contiguous, such as a transposed tensor, is copied. Gradients do not
        flow through it: what is computed from the array is a constant. bfloat16 gives an array of
        ml_dtypes' type if that package is installed, else float32.

        Returns:
            numpy.ndarray of the same shape.

        Difference from PyTorch: ``Tensor.numpy()`` refuses tensors that require a gradient and
        those on other devices.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1, 2]).asnumpy()
            array([1, 2])
        """
        value = self._value.detach().contiguous()
        if value.device.type != "cpu":
            value = value.cpu()
        if value.dtype in _NO_NUMPY:
            try:
                kind = mstype.to_numpy_dtype(mstype.FROM_TORCH[value.dtype])
            except TypeError:
                return value.float().numpy()
            bits = value.view(torch.uint8 if value.dtype.itemsize == 1 else torch.uint16)
            return bits.numpy().view(kind)
        array = value.resolve_conj().resolve_neg().numpy()
        if array.ndim:  # while the array lives, the values may change without a trace
            self._value._agar_shared = _ArrayRef(array)  # type: ignore[attr-defined]
        return array

    def numpy(self) -> np.ndarray:
        """The values as a numpy array; the same as :meth:`asnumpy`."""
        return self.asnumpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"A copy is needed to convert {self.dtype} to {dtype}.")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **kwargs: Any) -> Any:
        self._value._agar_shared = True  # type: ignore[attr-defined]
        return self._value.detach().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self._value.__dlpack_device__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._value.detach().cpu(), vars(self))

    def __copy__(self) -> Tensor:
        return wrap(self._value.clone())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        new = wrap(self._value.detach().clone())
        memo[id(self)] = new
        return new

    def to_dlpack(self) -> Any:
        """The tensor as a DLPack capsule, which shares its memory.

        Returns:
            A capsule that ``Tensor.from_dlpack``, or another library, takes once.

        Difference from PyTorch: ``torch.utils.dlpack.to_dlpack``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor.from_dlpack(ms.Tensor([1, 2]).to_dlpack()))
            [1 2]
        """
        return self.__dlpack__()

    @staticmethod
    def from_dlpack(dlpack: Any) -> Tensor:
        """A tensor over the memory of a DLPack capsule.

        Args:
            dlpack: a capsule, which is used up, or an object with ``__dlpack__``.

        Returns:
            Tensor.

        Raises:
            RuntimeError: it is no capsule, or was used before.

        Difference from PyTorch: ``torch.from_dlpack``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms, numpy as np
            >>> print(ms.Tensor.from_dlpack(np.arange(2)))
            [0 1]
        """
        try:
            return wrap(torch.from_dlpack(dlpack))
        except Exception as error:
            raise RuntimeError(
                "For 'Tensor.from_dlpack', expected a DLPack capsule that was not used before, or "
                f"an object with __dlpack__, but got {describe(dlpack)}: {error}"
            ) from error

    @staticmethod
    def convert_bytes_to_tensor(bytes_data: bytes, dims: Sequence[int], dtype: Any) -> Tensor:
        """The tensor of which :meth:`get_bytes` gave these bytes.

        Args:
            bytes_data (bytes): the elements in C order.
            dims (tuple[int]): the shape.
            dtype (Type): the type of the elements.

        Returns:
            Tensor.

        Raises:
            TypeError: `bytes_data` are no bytes, or `dtype` no type of tensors.
            ValueError: there are not as many bytes as shape and type need.

        Difference from PyTorch: ``torch.frombuffer`` shares the memory.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([1, 2], ms.int16)
            >>> print(ms.Tensor.convert_bytes_to_tensor(x.get_bytes(), x.shape, x.dtype))
            [1 2]
        """
        who = "Tensor.convert_bytes_to_tensor"
        if not isinstance(bytes_data, (bytes, bytearray)):
            raise TypeError(
                f"For '{who}', 'bytes_data' must be bytes, but got {type(bytes_data).__name__}."
            )
        kind = mstype.to_torch_dtype(dtype, who=who)
        shape = _shape_tuple(dims)
        expected = torch.Size(shape).numel() * kind.itemsize
        if len(bytes_data) != expected:
            raise ValueError(
                f"For '{who}', shape {shape} and type {dtype} need {expected} bytes, but got "
                f"{len(bytes_data)}."
            )
        if not expected:
            return wrap(torch.empty(shape, dtype=kind))
        found = torch.frombuffer(bytearray(bytes_data), dtype=kind).reshape(shape)
        return wrap(found.to(context.torch_device()))

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
        if self._value.numel() != 1:
            raise ValueError(
                f"The tensor should have only one element, but got shape {self.shape}; "
                "index it first, or use .tolist()."
            )
        return self._value.item()

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers (a number for a 0-d tensor)."""
        return self._value.tolist()

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
        found = self._value == (element._value if isinstance(element, Tensor) else element)
        return bool(found.any()) if isinstance(found, torch.Tensor) else False

    def __hash__(self) -> int:
        return id(self)  # by identity, since == compares elements

    def __eq__(self, other: object) -> Any:
        if isinstance(other, (Tensor, bool, int, float, complex, np.generic)):
            return Tensor.eq(self, other)
        return False

    def __ne__(self, other: object) -> Any:
        if isinstance(other, (Tensor, bool, int, float, complex, np.generic)):
            return Tensor.ne(self, other)
        return True

    def __pos__(self) -> Tensor:
        return wrap(self._value)

    # ------------------------------------------------------------------------ text

    def __repr__(self) -> str:
        recorder = thread.recorder
        if recorder is not None:
            return recorder.text(self._value, functools.partial(_repr_of, str(self.dtype)))
        return tensor_repr(self._value, str(self.dtype))

    def __str__(self) -> str:
        recorder = thread.recorder
        if recorder is not None:
            return recorder.text(self._value, tensor_str)
        return tensor_str(self._value)

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
        if kind is int and value.ndim:
            try:
                return wrap(value[index])
            except IndexError:
                raise _out_of_bounds(index, value, 0) from None
        if kind is slice and _is_forward(index):
            return wrap(value[index])
        return wrap(_read(value, index))

    def __setitem__(self, index: Any, value: Any) -> None:
        target = self._writable("item assignment")
        if isinstance(value, Tensor):
            source: Any = value._value.to(device=target.device, dtype=target.dtype)
        elif isinstance(value, (bool, int, float, complex, np.generic)):
            source = _number_as(target, value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            source = _data(value, None).to(device=target.device, dtype=target.dtype)
        else:
            raise (TypeError if value is None else IndexError)(
                "only support numbers, Tensor, tuple, list as value, but got "
                f"{value!r} with type {type(value)}."
            )
        places = _places(target, index)
        try:
            masks = (torch.bool, torch.uint8)  # which select, and cannot point outside
            tensors = [p for p in places if isinstance(p, torch.Tensor)]
            if target.is_cpu and tensors and all(p.dtype not in masks for p in tensors):
                target.detach()[places]  # writing would stop midway at a place that is not there
            target[places] = source
        except (RuntimeError, IndexError) as error:
            outside = "out of bounds" in str(error) and not _has_tensor(index)
            raise (IndexError if outside else ValueError)(
                f"For item assignment, value of shape {list(getattr(source, 'shape', ()))} cannot "
                f"be written into {describe(self)} at index {describe(index)}: {error}"
            ) from error

    def _writable(self, what: str) -> torch.Tensor:
        """The torch tensor for an in-place change, known to the gradient scope if one is open."""
        for scope in reversed(thread.grad_scopes):
            if scope.touch(self):
                break
        value = self._value
        if value.requires_grad and value.is_leaf and torch.is_grad_enabled():
            raise RuntimeError(
                f"{what} changes {describe(self)} in place while its gradient is being taken. "
                "Assign to it as a whole (ops.assign(p, value) or self.p = value), or change a "
                "copy: x = p.copy()."
            )
        return value

    # ------------------------------------------------------------- memory and copies

    def get_bytes(self) -> bytes:
        """The memory of the elements in C order, as bytes."""
        value = self._value.detach().cpu().contiguous()
        return value.reshape(-1).view(torch.uint8).numpy().tobytes()

    def move_to(self, to: str, blocking: bool = True) -> Tensor:
        """A tensor of these values on another device, or this memory if it is there already.

        Args:
            to (str): the device, for example ``"CPU"`` or ``"GPU:0"``.
            blocking (bool): whether to wait until the values have arrived. Default: True.

        Returns:
            Tensor.

        Raises:
            ValueError: `to` names no device.
            RuntimeError: the device is not available.

        Difference from PyTorch: ``Tensor.to(device, non_blocking=False)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1]).move_to("CPU").device
            'CPU'
        """
        return wrap(self._value.to(context.parse_device(to), non_blocking=not blocking))

    def is_pinned(self) -> bool:
        """Whether the memory is page-locked, so that copies to a device need not wait."""
        return self._value.is_pinned()

    def pin_memory(self) -> Tensor:
        """A tensor of these values in page-locked memory; needs an accelerator."""
        return wrap(self._value.pin_memory())

    def copy(self) -> Tensor:
        """A tensor with a copy of the values; gradients flow through it."""
        return wrap(self._value.clone())

    def value(self) -> Tensor:
        """The tensor's values as a Tensor that shares its memory."""
        return wrap(self._value)

    def assign_value(self, value: Any) -> Tensor:
        """Take over another tensor's values and type. Returns this tensor.

        Args:
            value (Tensor): the new values.

        Raises:
            TypeError: `value` is no Tensor.

        Difference from PyTorch: ``Tensor.data = other``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([1]).assign_value(ms.Tensor([2.5])))
            [2.5]
        """
        if not isinstance(value, Tensor):
            raise TypeError(
                f"For 'assign_value', 'value' must be a Tensor, but got {type_name(value)}."
            )
        self._value = value._value
        return self

    def set_dtype(self, dtype: mstype.Type) -> mstype.Number:
        """Convert the tensor itself to another type. Returns the type.

        Args:
            dtype (Type): the new type of the elements.

        Raises:
            TypeError: `dtype` is no type that a tensor can have.

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([1.5, 2.0])
            >>> x.set_dtype(ms.int32)
            mindspore.int32
            >>> print(x)
            [1 2]
        """
        self._value = self._value.detach().to(mstype.to_torch_dtype(dtype, who="set_dtype"))
        runtime.epoch += 1
        return self.dtype

    def assign_value_cpp(self, value: Any) -> Tensor:
        """Take over another tensor's values; the same as :meth:`assign_value`."""
        return self.assign_value(value)

    def set_(
        self, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
    ) -> Tensor:
        """Lie in other memory from now on. Returns this tensor.

        Args:
            source (Union[Tensor, UntypedStorage]): a tensor of the same type whose memory and
                shape are shared, or memory. Default: None, an empty tensor.
            storage_offset (int): where in the memory to begin, in elements. Default: 0.
            size (tuple[int]): the shape. Default: None, all of the memory in one axis.
            stride (tuple[int]): elements to step over along each axis. Default: None, in C order.

        Raises:
            TypeError: `source` is neither Tensor nor UntypedStorage.
            RuntimeError: the types differ, or the shape does not fit into the memory.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([0.0])
            >>> print(x.set_(ms.Tensor([1.0, 2.0])))
            [1. 2.]
        """
        from agar._core.storage import UntypedStorage

        value = self._writable("set_")
        made = torch.empty(0, dtype=value.dtype, device=value.device)
        if isinstance(source, UntypedStorage):
            memory = source._torch()
            if size is None:
                size = (memory.nbytes() // value.element_size() - storage_offset,)
            shape = _shape_tuple(size)
            made.set_(memory, storage_offset, shape, *([] if stride is None else [tuple(stride)]))
        elif isinstance(source, Tensor):
            other = source._value
            if other.dtype != value.dtype:
                raise RuntimeError(
                    f"For 'Tensor.set_', a tensor of type {source.dtype} cannot be set into one of "
                    f"type {self.dtype}; convert it with .astype({self.dtype!r})."
                )
            made = other.detach()
            if size is not None:
                steps = stride or torch.empty(_shape_tuple(size), device="meta").stride()
                made = made.as_strided(_shape_tuple(size), tuple(steps), storage_offset)
        elif source is not None:
            raise TypeError(
                "For 'Tensor.set_', 'source' must be a Tensor or an UntypedStorage, but got "
                f"{describe(source)}."
            )
        self._value = made
        runtime.epoch += 1
        return self

    def to_(self, device: Any = None, non_blocking: bool = False) -> Tensor:
        """Move the tensor itself to another device. Returns the tensor.

        Args:
            device (str): the device, for example ``"CPU"`` or ``"GPU:0"``. Default: None, which is
                refused.
            non_blocking (bool): whether not to wait until the values have arrived. Default: False.

        Raises:
            ValueError: `device` names no device, or `non_blocking` is no bool.
            RuntimeError: the device is not available.

        Difference from PyTorch: ``Tensor.to`` gives another tensor.

        Source: documentation of MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1]).to_("CPU").device
            'CPU'
        """
        _check_bool("to_", "non_blocking", non_blocking)
        self._value = self._value.to(context.parse_device(device), non_blocking=non_blocking)
        runtime.epoch += 1
        return self

    def delete_(self, non_blocking: bool = False) -> Tensor:
        """Free the tensor's memory, if no other tensor uses it. Returns the tensor, now of zeros.

        The shape and the type stay; the tensor cannot be written to until ``data`` is assigned.

        Args:
            non_blocking (bool): accepted for compatibility. Default: False.

        Raises:
            ValueError: `non_blocking` is no bool.

        Difference from PyTorch: no counterpart; ``del`` frees memory with the last reference.

        Source: documentation of MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([1, 2]).delete_())
            [0 0]
        """
        from agar._core.storage import absent_values

        _check_bool("delete_", "non_blocking", non_blocking)
        self._value = absent_values(self._value.detach())
        runtime.epoch += 1
        return self

    def untyped_storage(self) -> Any:
        """The memory in which the tensor lies, as an :class:`agar.UntypedStorage` of bytes.

        Difference from PyTorch: see there.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1.0, 2.0])[1:].untyped_storage().size()
            8
        """
        from agar._core.storage import UntypedStorage

        return UntypedStorage(self)

    def storage(self) -> Any:
        """The memory in which the tensor lies; the same as :meth:`untyped_storage`."""
        return self.untyped_storage()

    def is_shared(self) -> bool:
        """Whether other processes share the memory."""
        return self._value.is_cpu and self._value.is_shared()

    def offload(self, file_path: str) -> bool:
        """Write the values to a file and free the memory; they are read back when they are used.

        Args:
            file_path (str): the file. It must stay as it is until then.

        Returns:
            True.

        Raises:
            TypeError: `file_path` is no str.
            RuntimeError: the file cannot be written.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10, which does not read the values back.

        Examples:
            >>> import agar as ms, os, tempfile
            >>> x = ms.Tensor([1.0, 2.0])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     _ = x.offload(os.path.join(folder, "x.data"))
            ...     print(x + 1)
            [2. 3.]
        """
        from agar._core.offload import offload

        return offload(self, file_path)

    def offload_file_path(self) -> str:
        """The file in which :meth:`offload` put the values, or an empty text."""
        return vars(self).get("_offload_path", "")

    def data_sync(self, need_wait: bool = True) -> None:
        """Wait until the tensor's values have been computed."""
        _wait_for(self._value)

    def wait_pipeline(self) -> None:
        """Wait until the tensor's values have been computed."""
        _wait_for(self._value)

    def flush_from_cache(self) -> None:
        """Accepted for compatibility: no values are kept in caches of embeddings."""

    def is_init(self) -> bool:
        """Whether :meth:`set_init_flag` marked the tensor as initialized on a device."""
        return self.init_flag

    def set_init_flag(self, flag: bool) -> None:
        """Mark the tensor as initialized on a device; the mark has no effect."""
        self.init_flag = bool(flag)

    def set_const_arg(self, const_arg: bool = True) -> Tensor:
        """Say whether compiled code may take the values as constants. Returns the tensor.

        Args:
            const_arg (bool): whether it may. Default: True.

        Raises:
            TypeError: it is no bool.
        """
        if not isinstance(const_arg, bool):
            raise TypeError(
                "For 'set_const_arg', the type of 'const_arg' should be 'bool', but got type "
                f"'{type(const_arg).__name__}'."
            )
        self.const_arg = const_arg
        return self

    def set_cast_dtype(self, dtype: Any = None) -> None:
        """Accepted for compatibility: cells choose the type to compute in (``Cell.to_float``)."""

    def set_param_info(self, param_info: Any) -> None:
        """Store an object as ``param_info``."""
        self.param_info = param_info

    def set_device_address(self, address: int, shape: Any, dtype: Any) -> None:
        """Not available: lie at an address of an Ascend chip's memory.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.set_device_address",
            "it takes raw addresses of Ascend's memory",
            "use Tensor.set_(storage) or Tensor.from_dlpack(capsule)",
        )

    @staticmethod
    def getitem_index_info(*args: Any) -> Any:
        """Not available: how MindSpore's kernels would read an index.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.getitem_index_info",
            "it prepares an index for MindSpore's own kernels",
            "index the tensor: tensor[index]",
        )

    @staticmethod
    def setitem_index_info(*args: Any) -> Any:
        """Not available: how MindSpore's kernels would write to an index.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.setitem_index_info",
            "it prepares an index for MindSpore's own kernels",
            "assign to the tensor: tensor[index] = value",
        )

    def requires_grad_(self, requires_grad: bool = True) -> None:
        """Accepted for compatibility: a tensor is differentiated by its position in ``ms.grad``.

        A Parameter has ``requires_grad``.
        """

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
        """Draw the data of a lazily initialized tensor now. Returns the tensor."""
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
        """Take off the hook whose handle has this ``id``; there need not be one.

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

    if not TYPE_CHECKING:  # a checker shall know what a Tensor has

        def __getattr__(self, name: str) -> Any:
            if name in optable.table.methods or name in optable.table.properties:
                getattr(Tensor, name)  # makes the face and stores it on the class
                return object.__getattribute__(self, name)
            cls = type(self).__name__
            raise MissingName(f"'{cls}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *vars(self)})


Tensor.__module__ = "agar.common.tensor"

_PLAIN_BOUND = (int, type(None))
_NOT_A_PLACE = (list, tuple, slice, Tensor, type(None), type(Ellipsis))
_NO_NUMPY = (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)


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
        self._value = value  # pyright: ignore[reportIncompatibleVariableOverride]

    def _draw(self) -> torch.Tensor:
        made = torch.empty(self._lazy_shape, dtype=self._lazy_dtype)
        self.init.fill(made)
        where = context.torch_device()
        return made if where.type == "cpu" else made.to(where)

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
    """A description of a tensor, with sizes that are not known; used by ``set_inputs``."""

    __slots__ = ()
    _lazy_shape: tuple[int, ...]
    _lazy_dtype: torch.dtype

    @property
    def _value(self) -> torch.Tensor:  # pyright: ignore[reportIncompatibleVariableOverride]
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


class Structure:
    """An object made of tensors and constants, which transforms and recordings look into.

    A subclass names its parts in `_fields`, holds them in `_held`, and takes them in this order.
    """

    _fields: tuple[str, ...] = ()
    _held: tuple[Any, ...]

    @classmethod
    def _make(cls, parts: Any) -> Any:
        """An object of these parts, which are not checked."""
        made = _new(cls)
        made._held = tuple(parts)
        return made

    @property
    def _differentiated(self) -> Tensor:
        """The part by which a gradient with respect to the object is taken."""
        raise NotImplementedError

    def _operand(self, dense: Tensor, operator: str) -> Any:
        """What `dense` gives with this object to its right, or NotImplemented."""
        return NotImplemented


def _rebuild(cls: type, value: torch.Tensor, state: dict[str, Any]) -> Tensor:
    # files of PyTorch call this with what they hold, see `torch_registry`
    valid = isinstance(cls, type) and issubclass(cls, Tensor) and isinstance(value, torch.Tensor)
    if not valid:
        raise TypeError(f"{cls!r} cannot be built of {describe(value)}, which a file holds.")
    new = _new(cls)
    new._value = value
    vars(new).update(state)
    return new


def wrap(value: Any) -> Any:
    """Agar tensors for torch tensors, also inside tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        made = _new(Tensor)
        made._value = value
        return made
    if isinstance(value, (tuple, list)):
        kind = list if type(value) is list else tuple
        return kind(wrap(v) for v in value)
    if isinstance(value, dict):
        return {k: wrap(v) for k, v in value.items()}
    return value


optable.bind_tensor(Tensor, wrap)


def _device_of(device: Any) -> torch.device:
    return torch.device("meta") if device == "meta" else context.parse_device(device)


def _wait_for(value: torch.Tensor) -> None:
    if value.is_cuda:
        torch.cuda.synchronize(value.device)


def _check_bool(who: str, name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(
            f"For 'Tensor.{who}', the type of '{name}' must be bool, but got {value!r}."
        )


def _torch_args(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value._value
    if isinstance(value, (tuple, list)):
        return type(value)(_torch_args(v) for v in value)
    return value


def _shape_tuple(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(
            f"For Tensor, 'shape' must be an int, tuple or list, but got {type(shape).__name__}."
        )
    dims = tuple(-1 if n is None else int(n) if hasattr(n, "__index__") else -1 for n in shape)
    if any(n < -1 for n in dims):
        raise ValueError(f"For Tensor, sizes in 'shape' must not be negative, but got {shape}.")
    return dims


# --------------------------------------------------------------------------- index rules


def _is_forward(index: slice) -> bool:
    """Whether torch takes a slice as it is: plain bounds, and a step that is not negative."""
    step = index.step
    return (
        (step is None or (type(step) is int and step > 0))
        and type(index.start) in _PLAIN_BOUND
        and type(index.stop) in _PLAIN_BOUND
    )


def _out_of_bounds(index: int, value: torch.Tensor, axis: int) -> IndexError:
    size, shape = value.shape[axis], tuple(value.shape)
    return IndexError(
        f"index {index} is out of bounds for dimension with size {size}: axis {axis} of a Tensor "
        f"of shape {shape} takes {-size} to {size - 1}."
        if size
        else f"index {index} is out of bounds for dimension with size 0: a Tensor of shape {shape} "
        f"has no element along axis {axis}."
    )


def _number_as(target: torch.Tensor, value: Any) -> Any:
    """A Python number as it lands in a tensor of that type: truncated, wrapped, or infinite."""
    if isinstance(value, np.generic):
        value = value.item()
    if target.dtype.is_floating_point or target.dtype.is_complex:
        return (
            torch.tensor(value, dtype=torch.float64).to(target.dtype)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) > 3e4
            else value
        )
    if target.dtype is torch.bool:
        return bool(value)
    return torch.tensor(int(value)).to(target.dtype)


def _read(value: torch.Tensor, index: Any) -> torch.Tensor:
    items = _index(value, index)
    rest: tuple[Any, ...] = tuple(items)
    if any(isinstance(i, _Reversed) for i in items):
        value, rest = _forward(value, items)
    try:
        found = value[rest]
    except IndexError as error:
        text = str(error)
        kind: type[Exception] = IndexError
        if "too many indices" in text:
            given = sum(_width(item) for item in items if item is not Ellipsis)
            text = (
                f"too many indices for tensor of dimension {value.ndim}: {given} axes of a Tensor "
                f"of shape {tuple(value.shape)} are asked for."
            )
        elif "shape mismatch" in text:
            kind = ValueError
        elif _has_tensor(index):  # MindSpore finds these faults in an operator
            kind = ValueError if "shape of the mask" in text else RuntimeError
        raise kind(text) from error
    if any(isinstance(i, (torch.Tensor, _Reversed)) for i in items):
        # an index that copies is an operator, so a cell's floating type applies to it
        scope = precision.current()
        if isinstance(scope, precision.CastScope) and found.is_floating_point():
            found = found.to(scope.dtype or found.dtype)
    return found


def _places(target: torch.Tensor, index: Any) -> tuple[Any, ...]:
    """An index under which torch writes; a negative step is written through element places."""
    items = _index(target, index)
    if not any(isinstance(i, _Reversed) for i in items):
        return tuple(items)
    numbers = torch.arange(target.numel(), device=target.device).reshape(target.shape)
    return torch.unravel_index(_read(numbers, index), target.shape)


def _bound(value: Any) -> Any:
    open_size = isinstance(value, torch.SymInt)  # of an exported or dynamic graph
    return value if value is None or open_size else operator.index(value)


def _one(value: torch.Tensor, item: Any, axis: int) -> Any:
    """One element of an index as torch takes it."""
    if item is None or item is Ellipsis:
        return item
    if isinstance(item, (bool, np.bool_)):
        if not item:
            raise IndexError("Bool element of tuple index must be 'True', but got 'False'.")
        return True
    if isinstance(item, (int, np.integer)):
        size = value.shape[axis] if axis < value.ndim else None
        if size is not None and not -size <= item < size:
            raise _out_of_bounds(int(item), value, axis)
        return int(item)
    if isinstance(item, slice):
        start, stop, step = _bound(item.start), _bound(item.stop), _bound(item.step)
        if step == 0:
            raise ValueError("For a slice of a Tensor, 'step' must not be 0.")
        if step is not None and step < 0 and axis < value.ndim:
            places = range(*slice(start, stop, step).indices(value.shape[axis]))
            return _Reversed(torch.tensor(list(places), dtype=torch.int64, device=value.device))
        return slice(start, stop, step)
    if isinstance(item, Tensor):
        found = item._value
        if found.dtype.is_floating_point or found.dtype.is_complex or found.dtype is torch.uint8:
            raise IndexError(
                f"The tensor index must be int or bool type, but got {describe(item)}; convert it "
                "with .astype(ms.int64) or .astype(ms.bool_)."
            )
        return found if found.dtype in (torch.bool, torch.int64) else found.long()
    if isinstance(item, np.ndarray):
        return _one(value, Tensor(item), axis)
    if isinstance(item, (list, tuple, range)):
        if len(item) == 0:
            raise IndexError("When a tensor is indexed by a list, the list must not be empty.")
        return _one(value, Tensor(list(item)), axis).to(value.device)
    raise IndexError(
        f"Unsupported Python object type {type(item).__name__} in a tensor's index: use integers, "
        "slices, ellipsis, None, bool, Tensor, list, tuple or ndarray."
    )


class _Reversed:
    """The places that a slice with a negative step takes, which torch has not."""

    __slots__ = ("places",)

    def __init__(self, places: torch.Tensor) -> None:
        self.places = places


def _has_tensor(index: Any) -> bool:
    return isinstance(index, Tensor) or (
        isinstance(index, (tuple, list)) and any(isinstance(i, Tensor) for i in index)
    )


def _width(item: Any) -> int:
    """How many axes of the tensor an element of an index takes."""
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
        return 0
    kind = getattr(item, "dtype", None)
    if kind in (mstype.bool_, np.dtype(bool)):
        return item.ndim
    if isinstance(item, list) and item and isinstance(item[0], (list, bool)):
        return max(1, np.ndim(np.array(item, dtype=object))) if _is_mask(item) else 1
    return 1


def _is_mask(item: Any) -> bool:
    while isinstance(item, list) and item:
        item = item[0]
    return isinstance(item, bool)


def _index(value: torch.Tensor, index: Any) -> list[Any]:
    """The parts of a MindSpore index as torch takes them, negative steps as `_Reversed`."""
    if value.ndim == 0 and (isinstance(index, (int, slice)) and not isinstance(index, bool)):
        raise TypeError("Cannot index a 0-d tensor with a number or slice; use [...] or item().")
    if isinstance(index, list) and any(isinstance(i, _NOT_A_PLACE) for i in index):
        index = tuple(index)  # a list of anything but numbers means a tuple (numpy's old rule)
    items = index if isinstance(index, tuple) else (index,)
    ellipses = sum(1 for i in items if i is Ellipsis)
    if ellipses > 1:
        raise IndexError("An index can only have a single ellipsis('...').")
    taken = sum(_width(i) for i in items)
    axis, out = 0, []
    for item in items:
        if item is Ellipsis:
            axis += value.ndim - taken
            out.append(item)
            continue
        out.append(_one(value, item, axis))
        axis += _width(item)
    if any(isinstance(i, torch.Tensor) and i.ndim for i in out):
        # numpy counts integers among the advanced indices when it places the result's axes
        return [
            torch.tensor([i], device=value.device)
            if type(i) is int
            else i.reshape(1)
            if isinstance(i, torch.Tensor) and i.ndim == 0 and i.dtype is torch.int64
            else i
            for i in out
        ]
    return [None if i is True else i for i in out]  # alone, True adds an axis of size 1


def _forward(value: torch.Tensor, items: list[Any]) -> tuple[torch.Tensor, tuple[Any, ...]]:
    """The tensor with its reversed axes read out, and the index that remains."""
    ellipsis_width = value.ndim - sum(
        i.ndim if isinstance(i, torch.Tensor) and i.dtype is torch.bool else 1
        for i in items
        if i is not None and i is not Ellipsis and i is not True
    )
    axis, rest = 0, []
    for item in items:
        if isinstance(item, _Reversed):
            value = value.index_select(axis, item.places)
            item = slice(None)
        rest.append(item)
        if item is Ellipsis:
            axis += ellipsis_width
        elif isinstance(item, torch.Tensor) and item.dtype is torch.bool:
            axis += item.ndim
        elif item is not None and item is not True:
            axis += 1
    return value, tuple(rest)


# ---------------------------------------------------------------------------- creation


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


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of a numpy array.

    Args:
        array (numpy.ndarray): any numeric array; a read-only one is copied.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: not an array, or of a type that tensors cannot have.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms, numpy as np
        >>> a = np.array([1.0, 2.0])
        >>> x = ms.from_numpy(a)
        >>> a[0] = 9
        >>> print(x)
        [9. 2.]
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"For 'from_numpy', 'array' must be a numpy.ndarray, but got {type_name(array)}."
            + (" Use agar.from_torch(t)." if isinstance(array, torch.Tensor) else "")
        )
    mstype.from_numpy_dtype(array.dtype)
    if not array.flags.writeable or any(s < 0 for s in array.strides):
        return Tensor(array)
    if array.dtype.name == "bfloat16":
        return wrap(torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16))
    return wrap(torch.from_numpy(array))


def from_torch(value: torch.Tensor) -> Tensor:
    """A tensor over the same memory as a torch tensor.

    Args:
        value (torch.Tensor): any torch tensor; its gradient history is kept.

    Returns:
        Tensor.

    Raises:
        TypeError: `value` is no torch tensor.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own, for interchange.

    Examples:
        >>> import agar as ms, torch
        >>> print(ms.from_torch(torch.ones(2)))
        [1. 1.]
    """
    if not isinstance(value, torch.Tensor):
        raise TypeError(
            f"For 'from_torch', 'value' must be a torch.Tensor, but got {type_name(value)}."
        )
    return wrap(value)


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


def install_operators() -> None:
    """Put the operators of Python's syntax (``__add__``, ...) on Tensor.

    Python looks these up on the class, so they cannot wait until they are asked for. In-place
    forms stay undefined: ``x += 1`` makes a new tensor, as in MindSpore.
    """
    for name, entry in optable.table.methods.items():
        if name.startswith("__"):
            made = optable.face(entry, name, module=Tensor.__module__, qualname=f"Tensor.{name}")
            setattr(Tensor, name, made)
