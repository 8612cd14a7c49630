"""Parameter: a Tensor with a name that a Cell owns and an optimizer updates."""

from __future__ import annotations

import contextlib
import itertools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch

from agar._core import dtype as mstype
from agar._core import optable
from agar._core.context import back_on
from agar._core.distributed.sharding import distribute, is_split, local, whole
from agar._core.errors import describe, type_name
from agar._core.hints import explained
from agar._core.lent import is_with_torch
from agar._core.parameter_settings import (
    checked_flag,
    checked_fusion,
    checked_key,
    checked_name,
    checked_shape,
)
from agar._core.runtime import runtime, thread
from agar._core.tensor import LazyTensor, Tensor, TensorBase, _become, wrap

__all__ = ["Parameter", "ParameterTuple"]

_counter = itertools.count(1)
_new = object.__new__

# When True, new Parameters keep their initializers undrawn (agar.nn.utils.no_init_parameters).
_delay_init = False

some_lazy = False
"""Whether any parameter was ever made that waits for its first use."""


def is_lazy(value: object) -> bool:
    """Whether a parameter's values are not drawn yet."""
    return type(value) is _LazyParameter


class Parameter(Tensor):
    """A tensor that belongs to a network: named, saved in checkpoints, updated by optimizers.

    Assigned to an attribute of a Cell, a Parameter without an explicit name takes the attribute's
    name; a parent cell puts the path of attribute names before it.

    Args:
        default_input (Union[Tensor, ndarray, list, float, int, Parameter]): the initial values,
            copied. A tensor made by ``initializer`` is initialized now. A float gives float32, an
            int int32, a list what it gives for a Tensor.
        name (str): the name. Default None: generated (``Parameter#1``) until a Cell names it.
        requires_grad (bool): whether the parameter is trained. Default: True.
        layerwise_parallel (bool): whether each process has values of its own: gradients of the
            parameter are not reduced over processes, nor is it sent to them. Default: False.
        parallel_optimizer (bool): whether a parallel optimizer may leave each process a part
            of it. Default: True.
        storage_format (str): kept for compatibility. Default: ``""``.
        device: where to put it. Default: the context's device.

    Raises:
        TypeError: the values are of an unsupported type, or `requires_grad` is not a bool.
        ValueError: the name is not a string or longer than 1024 characters.

    Difference from PyTorch: has a name of its own; ``requires_grad`` only says whether the
    parameter is trained, gradients flow through frozen layers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    """

    __slots__ = ()

    # Read by programs for several devices; without effect on one.
    inited_param: Parameter | None = None
    is_in_parallel: bool = False
    sliced: bool = False
    unique: bool = False  # pyright: ignore[reportIncompatibleMethodOverride]
    _name: str
    _named: bool
    _requires_grad: bool

    @explained
    def __init__(
        self,
        default_input: Any,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
        storage_format: str = "",
        device: Any = None,
    ) -> None:
        state = vars(self)
        state["_name"] = _name_of(name)
        state["_named"] = bool(name)
        state["_requires_grad"] = checked_flag("requires_grad", requires_grad)
        state["layerwise_parallel"] = checked_flag("layerwise_parallel", layerwise_parallel)
        state["parallel_optimizer"] = checked_flag("parallel_optimizer", parallel_optimizer)
        state["storage_format"] = storage_format
        if _delay_init and isinstance(default_input, LazyTensor):
            global some_lazy
            some_lazy = True
            state["_lazy"] = default_input
            _become(self, _LazyParameter)
            return
        self._value = _initial(default_input, device)

    # ------------------------------------------------------------------- properties

    @property
    def name(self) -> str:
        """The parameter's name; assigning None or '' generates a new one."""
        return self._name

    @name.setter
    def name(self, value: str | None) -> None:
        checked = _name_of(value)
        if vars(self).get("_name", checked) != checked:
            runtime.epoch += 1
        vars(self)["_name"] = checked
        vars(self)["_named"] = bool(value)

    @property
    def has_given_name(self) -> bool:
        """Whether the name was given, not generated."""
        return self._named

    @property
    def requires_grad(self) -> bool:
        """Whether the parameter is trained."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        vars(self)["_requires_grad"] = checked_flag("requires_grad", value)
        if isinstance(self._value, torch.nn.Parameter):  # a torch module's own (TorchCell)
            self._value.requires_grad_(value)
        runtime.epoch += 1

    @property
    def layerwise_parallel(self) -> bool:
        """Whether each process has values of its own; data parallel leaves them alone."""
        return vars(self)["layerwise_parallel"]

    @layerwise_parallel.setter
    def layerwise_parallel(self, value: bool) -> None:
        vars(self)["layerwise_parallel"] = checked_flag("layerwise_parallel", value)

    @property
    def parallel_optimizer(self) -> bool:
        """Whether optimizers that are split over processes may leave each a part of it."""
        return vars(self)["parallel_optimizer"]

    @parallel_optimizer.setter
    def parallel_optimizer(self, value: bool) -> None:
        vars(self)["parallel_optimizer"] = checked_flag("parallel_optimizer", value)

    @property
    def parallel_optimizer_comm_recompute(self) -> bool:
        """Whether MindSpore gathers split parameters again for gradients: changes no result."""
        return vars(self).get("_comm_recompute", False)

    @parallel_optimizer_comm_recompute.setter
    def parallel_optimizer_comm_recompute(self, value: bool) -> None:
        vars(self)["_comm_recompute"] = checked_flag("parallel_optimizer_comm_recompute", value)

    @property
    def cache_enable(self) -> bool:
        """Whether MindSpore keeps a cache of embeddings; no cache is kept, so it has no effect."""
        return vars(self).get("_cache_enable", False)

    @cache_enable.setter
    def cache_enable(self, value: bool) -> None:
        vars(self)["_cache_enable"] = checked_flag("cache_enable", value)

    @property
    def comm_fusion(self) -> int:
        """Which parameters MindSpore sends together; how messages are joined changes no result."""
        return vars(self).get("_comm_fusion", 1)

    @comm_fusion.setter
    def comm_fusion(self, value: int) -> None:
        vars(self)["_comm_fusion"] = checked_fusion(value)

    @property
    def is_init(self) -> bool:
        """What was set here or by ``set_init_flag``, False at first; a method of a Tensor."""
        return self.init_flag

    @is_init.setter
    def is_init(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, value: bool
    ) -> None:
        self.init_flag = value

    @property
    def cache_shape(self) -> Any:
        """The shape of a cache of embeddings; no cache is kept, so it has no effect."""
        return vars(self).get("_cache_shape", [])

    @cache_shape.setter
    def cache_shape(self, value: Any) -> None:
        vars(self)["_cache_shape"] = checked_shape(value)

    @property
    def key(self) -> int:
        """A number of the parameter for parameter servers; -1 (the default) stands for none."""
        return vars(self).get("_key", -1)

    @key.setter
    def key(self, value: int) -> None:
        vars(self)["_key"] = checked_key(value)

    # MindSpore calls the argument `hook` on a Tensor and `hook_fn` here
    def register_hook(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, hook_fn: Callable[[Any], Any]
    ) -> Any:
        """Call a function with the parameter's gradient; see :meth:`Tensor.register_hook`.

        Args:
            hook_fn (Callable): called with the gradient; what it returns, if it is not None,
                replaces it.
        """
        return super().register_hook(hook_fn)

    def add_pipeline_stage(self, stage: int) -> None:
        """Let a stage of a pipeline keep the parameter, beside those of the cells that have it.

        Its gradients are added over the stages, so that it stays the same in all of them.

        Args:
            stage (int): the number of the stage, from 0 on.

        Raises:
            TypeError: `stage` is not an int, or negative.
        """
        if not isinstance(stage, int) or stage < 0:
            raise TypeError(
                "For 'add_pipeline_stage', 'stage' must be a positive number of int type, but got "
                f"{describe(stage)}."
            )
        vars(self).setdefault("_pipeline_stages", []).append(stage)

    def requires_grad_(self, requires_grad: bool = True) -> None:
        """Set whether the parameter is trained; the same as assigning ``requires_grad``.

        Args:
            requires_grad (bool): whether the parameter is trained. Default: True.
        """
        self.requires_grad = bool(requires_grad)

    def set_param_info(self, param_info: Any) -> None:
        """Take over the attributes that another parameter has; values stay.

        Args:
            param_info (Parameter): what ``param_info`` of the other parameter is.

        Raises:
            TypeError: it is not a Parameter.
        """
        if not isinstance(param_info, Parameter):
            raise TypeError(
                "For 'set_param_info', 'param_info' must be the param_info of a Parameter, but got "
                f"{describe(param_info)}."
            )
        self.name = param_info.name
        self.requires_grad = param_info.requires_grad
        _copy_attributes(param_info, self)

    @property
    def data(self) -> Tensor:
        """The values as a Tensor that shares the parameter's memory, until `set_data`."""
        alias = wrap(self._value.detach())
        _lend(self, alias)
        return alias

    @data.setter
    def data(self, value: Any) -> None:
        self.set_data(value)

    @property
    def param_info(self) -> Parameter:
        """The object that holds the parameter's attributes: the parameter itself."""
        return self

    # ---------------------------------------------------------------------- values

    def asnumpy(self) -> np.ndarray:
        """The values as a numpy array, see :meth:`Tensor.asnumpy`; it is cut off by `set_data`."""
        array = super().asnumpy()
        _lend(self, array)
        return array

    def value(self) -> Tensor:
        """A copy of the values as a Tensor; inside a gradient it takes part in it."""
        return wrap(self._value.clone())

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Replace the values; the type stays. The network and optimizer see the change.

        Args:
            data (Union[Tensor, int, float]): the new values, cast to the parameter's dtype. An
                initializer's lazy tensor is initialized.
            slice_shape (bool): whether a different shape is meant. Default: False.

        Returns:
            This parameter.

        Raises:
            TypeError: `data` has the wrong type.

        Difference from PyTorch: ``p.data.copy_(t)`` refuses other shapes. A different shape is
        accepted here too, with a warning unless `slice_shape` is True.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
            >>> print(p.set_data(ms.Tensor([3, 4])).data)
            [3. 4.]
        """
        if isinstance(data, Tensor):
            source = data._value.detach()
        elif isinstance(data, (int, float)) and not isinstance(data, bool):
            source = torch.tensor(data, dtype=torch.float64)
        else:
            raise TypeError(
                f"For set_data of parameter '{self.name}', 'data' must be a Tensor, int or float, "
                f"but got {type_name(data)}."
                + (" Wrap it first: ms.Tensor(array)." if isinstance(data, np.ndarray) else "")
            )
        refuse_collected("set_data", self)
        current = self._value
        if source.shape == current.shape:
            if is_split(current) or is_split(source):
                current, source = _parts_alike(current, source)
            overwrite(self, current, source)
            return self
        if not slice_shape:
            import warnings

            warnings.warn(
                f"set_data changes the shape of parameter '{self.name}' from "
                f"{tuple(current.shape)} to {tuple(source.shape)}; pass slice_shape=True if that "
                "is meant.",
                stacklevel=2,
            )
        fresh = source.to(device=current.device, dtype=current.dtype, copy=True)
        if isinstance(current, torch.nn.Parameter):
            current.data = fresh
        else:
            self._value = fresh
        runtime.epoch += 1
        return self

    def assign_value(self, value: Any) -> Parameter:
        """Replace the values by those of another tensor. Returns this parameter.

        Args:
            value (Tensor): the values.
        """
        return self.set_data(value, slice_shape=True)

    def init_data(self, *args: Any, **kwargs: Any) -> Parameter:
        """Initialize the values now if their initialization was delayed. Returns this parameter.

        Args:
            *args (Any): accepted for compatibility: a layout and whether it was set.
            **kwargs (Any): likewise.
        """
        return self

    def clone(self, init: Any = "same") -> Parameter:
        """A new parameter of the same name and flags.

        Args:
            init (Union[str, Number, Initializer]): ``"same"`` copies the values; anything that
                ``initializer`` takes gives new values, for example ``"zeros"``. Default:
                ``"same"``.

        Returns:
            Parameter.

        Difference from PyTorch: ``Tensor.clone`` keeps the gradient history; this does not.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
            >>> print(p.clone("zeros").data)
            [0. 0.]
        """
        if isinstance(init, str) and init == "same":
            value = self._value.detach().clone()
        else:
            assert runtime.initializer is not None
            value = runtime.initializer(init, self.shape, self.dtype)._value
            value = value.to(self._value.device)
        result = _make(value, self.name, self.requires_grad, self._named)
        _copy_attributes(self, result)
        return result

    def copy(self) -> Parameter:
        """A new parameter with a copy of the values."""
        return self.clone()

    def __copy__(self) -> Parameter:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        copied = self.clone()
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        value = whole(self._value).detach()
        return _rebuild, (value.cpu(), dict(vars(self)), str(value.device))

    def __repr__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from agar._core import html

        return html.parameter(self)


Parameter.__module__ = "agar.common.parameter"
optable.BINDING_GLOBALS["_classes"].add(Parameter)


class _LazyParameter(Parameter):
    """A parameter whose initializer has not run yet; it runs at the first use of the values."""

    __slots__ = ()
    _lazy: LazyTensor

    @property
    def _value(self) -> torch.Tensor:
        lazy = vars(self).pop("_lazy")
        _become(self, Parameter)
        self._value = lazy._value
        return self._value

    @_value.setter
    def _value(self, value: torch.Tensor) -> None:
        vars(self).pop("_lazy", None)
        _become(self, Parameter)
        self._value = value

    @Tensor.shape.getter
    def shape(self) -> tuple[int, ...]:
        return self._lazy.shape

    @property
    def dtype(self) -> mstype.Number:
        return self._lazy.dtype

    @property
    def ndim(self) -> int:
        return self._lazy.ndim

    @property
    def size(self) -> int:
        return self._lazy.size

    @property
    def has_init(self) -> bool:
        return True

    def init_data(self, *args: Any, **kwargs: Any) -> Parameter:
        assert self._value is not None  # reading the slot draws the values
        return self


#: What parameters are told about several devices, in their ``__dict__``.
_ATTRIBUTES = (
    "layerwise_parallel",
    "parallel_optimizer",
    "storage_format",
    "_cache_shape",
    "_comm_recompute",
    "_key",
)


def _copy_attributes(source: Parameter, target: Parameter) -> None:
    for key in _ATTRIBUTES:
        if key in vars(source):
            vars(target)[key] = vars(source)[key]


_LazyParameter.__module__ = "agar.common.parameter"
_LazyParameter.__name__ = _LazyParameter.__qualname__ = "Parameter"


def _initial(value: Any, device: Any) -> torch.Tensor:
    if isinstance(value, LazyTensor):
        result = value._value
    elif isinstance(value, Tensor):
        result = value._value.detach().clone()
    elif isinstance(value, bool):
        result = torch.tensor(value)
    elif isinstance(value, int):
        result = torch.tensor(value, dtype=torch.int32)
    elif isinstance(value, (float, np.ndarray, np.generic, list, tuple, torch.Tensor)):
        result = Tensor(value)._value
    else:
        raise TypeError(
            "For Parameter, the type of 'default_input' must be one of Tensor, ndarray, list, "
            f"float, int, Parameter, but got {describe(value)} of type {type_name(value)}."
        )
    if device is not None:
        from agar._core.context import parse_device

        result = result.to(parse_device(device))
    return result


def _name_of(name: Any) -> str:
    return f"Parameter#{next(_counter)}" if name is None or name == "" else checked_name(name)


# Arrays and tensors that share the memory of a parameter, by its id. An id that another object has
# taken over costs a copy, no more.
_lent: dict[int, list[weakref.ref[Any]]] = {}
_MANY = 1000


def _lend(parameter: Parameter, alias: Any) -> None:
    """Note what the program was given of a parameter's memory."""
    if len(_lent) > _MANY:
        for key in [key for key, known in _lent.items() if all(one() is None for one in known)]:
            del _lent[key]
    known = _lent.setdefault(id(parameter), [])
    known[:] = [one for one in known if one() is not None]
    known.append(weakref.ref(alias))


def overwrite(parameter: Parameter, current: torch.Tensor, source: torch.Tensor) -> None:
    """Write values of the same shape into a parameter, whose tensor is `current`.

    It happens in place, unless the program holds an array or tensor of the old values: MindSpore
    exchanges the memory, so that ``old = p.asnumpy(); p.set_data(new)`` leaves `old` as it is.
    """
    known = _lent.pop(id(parameter), ())
    plain = type(current) is torch.Tensor and not current.requires_grad and not is_split(source)
    if is_with_torch(current):  # code of torch holds it, which expects to see
        plain = False
    if plain and thread.recorder is None and any(one() is not None for one in known):
        parameter._value = source.to(device=current.device, dtype=current.dtype, copy=True)
        runtime.epoch += 1
        return
    current.data.copy_(source)  # .data: no version bump, a recorded graph stays usable
    runtime.weights += 1


def refuse_collected(op_name: str, parameter: Any) -> None:
    """Raise where something would be written into a parameter that is whole for one call alone.

    Raises:
        RuntimeError: it would.
    """
    state = vars(parameter)
    part = state.get("_part") or state.get("_sharding")
    if part is not None and part.collected:
        raise RuntimeError(
            f"For '{op_name}', the parameter '{parameter.name}' has been collected by the parallel "
            "optimizer of level 3 for this call alone, and the change would be lost. Use level 2, "
            "or set parallel_optimizer=False of the parameter."
        )


def _parts_alike(target: Any, source: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What this process has of a parameter and of the values that it takes over."""
    if not is_split(target):
        return target, whole(source)
    return local(target), local(distribute(source, target.device_mesh, target.placements))


def _make(value: torch.Tensor, name: str, requires_grad: bool, named: bool) -> Parameter:
    instance = _new(Parameter)
    instance._value = value
    vars(instance).update(
        _name=name,
        _named=named,
        _requires_grad=requires_grad,
        layerwise_parallel=False,
        parallel_optimizer=True,
        storage_format="",
    )
    return instance


def parameter_over(value: torch.Tensor, name: str, requires_grad: bool = True) -> Parameter:
    """A Parameter over a torch tensor's own memory (nothing is copied)."""
    return _make(value, name, requires_grad, bool(name))


def _rebuild(value: torch.Tensor, state: dict[str, Any], device: str = "cpu") -> Parameter:
    # files of PyTorch call this with what they hold, see `torch_registry`
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"Parameter cannot be built of {describe(value)}, which a file holds.")
    value = back_on(value, device)
    result = _make(value, state["_name"], state["_requires_grad"], state["_named"])
    vars(result).update(state)
    return result


# --------------------------------------------------------------------------- lent tensors
#
# NOTE Lent tensors. A torch tool (torch.export, functional_call, vmap) runs a cell with other
# tensors than its own. They never enter the slots of the cell's tensors: while a tensor is lent
# one, its class reads `_value` from the thread's table first. So no failure can leave a stranger
# in a slot, and other threads go on reading what is theirs.

_slot: Any = TensorBase.__dict__["_value"]
_lending = threading.Lock()
_lent_classes: dict[type, type] = {}
#: how many calls lend to a tensor, and its own class; the tensor itself keeps its identity alive
_lent_now: dict[int, list[Any]] = {}


def _lent_class(cls: type) -> type:
    result = _lent_classes.get(cls)
    if result is None:

        def read(self: Any) -> torch.Tensor:
            entry = thread.lent.get(id(self))
            return _slot.__get__(self) if entry is None else entry

        def write(self: Any, value: torch.Tensor) -> None:
            if id(self) in thread.lent:
                thread.lent[id(self)] = value
            else:
                _slot.__set__(self, value)

        result = type(cls)(cls.__name__, (cls,), {"__slots__": (), "_value": property(read, write)})
        result.__module__, result.__qualname__ = cls.__module__, cls.__qualname__
        _lent_classes[cls] = result
        if cls in optable.BINDING_GLOBALS["_classes"] or cls is Tensor:
            optable.BINDING_GLOBALS["_classes"].add(result)
    return result


def own_value(tensor: Tensor) -> torch.Tensor:
    """The torch tensor in a tensor's slot, also while it is lent another one."""
    return _slot.__get__(tensor) if id(tensor) in _lent_now else tensor._value


def set_own_value(tensor: Tensor, value: torch.Tensor) -> None:
    """Put a torch tensor into a tensor's slot, also while it is lent another one."""
    if id(tensor) in _lent_now:
        _slot.__set__(tensor, value)
    else:
        tensor._value = value


@contextlib.contextmanager
def lending(pairs: Iterable[tuple[Tensor, torch.Tensor]]) -> Iterator[dict[int, torch.Tensor]]:
    """Let this thread find other torch tensors in agar's tensors (see NOTE Lent tensors).

    Args:
        pairs: the tensors, and what stands in for theirs.

    Yields:
        What stands in now, by the tensors' identity; what is assigned meanwhile shows in it.
    """
    held = list(pairs)
    before = thread.lent
    taken: list[Tensor] = []
    now = {**before, **{id(t): value for t, value in held}}
    try:
        for tensor, _ in held:
            _borrow(tensor)
            taken.append(tensor)
        thread.lent = now
        yield now
    finally:
        thread.lent = before
        for tensor in taken:
            _give_back(tensor)


def _borrow(tensor: Tensor) -> None:
    assert tensor._value is not None  # reading the slot draws lazy values
    with _lending:
        entry = _lent_now.get(id(tensor))
        if entry is None:
            kind = type(tensor)
            # the table first: a thread that sees the class must find the entry
            _lent_now[id(tensor)] = [1, kind, tensor]
            _become(tensor, _lent_class(kind))
        else:
            entry[0] += 1


def _give_back(tensor: Tensor) -> None:
    with _lending:
        entry = _lent_now[id(tensor)]
        entry[0] -= 1
        if entry[0] == 0:
            _become(tensor, entry[1])
            del _lent_now[id(tensor)]


def lent_pairs() -> list[tuple[Tensor, torch.Tensor]]:
    """What this thread is lent now, for a later :func:`lending` of the same."""
    return [(_lent_now[key][2], value) for key, value in thread.lent.items()]


class ParameterTuple(tuple):
    """A tuple of Parameters with distinct names.

    Args:
        iterable (Iterable[Parameter]): the parameters.

    Raises:
        TypeError: an element is not a Parameter.
        ValueError: two parameters have the same name.

    Difference from PyTorch: ``nn.ParameterList`` registers its members under indices.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ParameterTuple([ms.Parameter(1.0, name="a")])
        (Parameter (name=a, shape=(), dtype=Float32, requires_grad=True),)
    """

    __slots__ = ()

    def __new__(cls, iterable: Iterable[Parameter]) -> ParameterTuple:
        data = tuple(iterable)
        seen: dict[str, int] = {}
        problems = []
        for i, item in enumerate(data):
            if not isinstance(item, Parameter):
                raise TypeError(
                    "For ParameterTuple, every element must be a Parameter, but element "
                    f"{i} is {describe(item)}."
                )
            if item.name in seen:
                problems.append(
                    f"elements {seen[item.name]} and {i}: its name '{item.name}' already exists"
                )
            seen.setdefault(item.name, i)
        if problems:
            raise ValueError(
                "For ParameterTuple, the names of parameters must differ; "
                + "; ".join(problems)
                + ". Give them names: Parameter(..., name='...'), or assign them to attributes of "
                "different cells."
            )
        return tuple.__new__(cls, data)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """New parameters with `prefix` and a dot before their names; see Parameter.clone.

        Args:
            prefix (str): what the names begin with.
            init (Union[Tensor, str, Initializer, number]): the values, as for `Parameter.clone`.
                Default: ``"same"``, copies.
        """
        items = []
        for p in self:
            copy = p.clone(init)
            copy.name = f"{prefix}.{p.name}"
            items.append(copy)
        return ParameterTuple(items)

    def __reduce__(self) -> tuple[Any, ...]:
        return ParameterTuple, (tuple(self),)


ParameterTuple.__module__ = "agar.common.parameter"
