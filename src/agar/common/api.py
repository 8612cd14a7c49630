"""Compilation and the two engines of MindSpore, under MindSpore's path."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

# gradients and their hooks are the engine's
import torch

from agar._core.dtype import to_torch_dtype
from agar._core.jit import jit as jit
from agar._core.jit import jit_class as jit_class
from agar._core.jit import set_recursion_limit as set_recursion_limit
from agar._core.malloc import give_back
from agar._core.tensor import Tensor, wrap

__all__ = [
    "_cell_graph_executor",
    "_no_grad",
    "_pynative_executor",
    "enable_dynamic",
    "flops_collection",
    "frombuffer",
    "jit",
    "jit_class",
    "ms_memory_recycle",
    "register_saved_tensors_hooks",
    "saved_tensors_hooks",
    "set_recursion_limit",
    "swap_tensors",
]


class saved_tensors_hooks(contextlib.ContextDecorator):
    """Look at, or replace, the tensors that are kept for gradients in a ``with`` block.

    Args:
        pack_hook (function): takes a Tensor that is kept, and returns what is kept instead.
        unpack_hook (function): takes what was kept, and returns a Tensor.

    Raises:
        TypeError: one of them is not callable.

    Difference from PyTorch: ``torch.autograd.graph.saved_tensors_hooks``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> def forward(x):
        ...     with ms.saved_tensors_hooks(lambda t: t + 1, lambda t: t):
        ...         return x * x
        >>> print(ms.grad(forward)(ms.Tensor([3.0])))
        [8.]
    """

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise TypeError(
                    f"For 'saved_tensors_hooks', the '{name}' must be a function, but got "
                    f"{type(hook).__name__}."
                )
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        self._scope = torch.autograd.graph.saved_tensors_hooks(
            lambda value: self.pack_hook(wrap(value)),
            lambda saved: self.unpack_hook(saved)._value,
        )
        self._scope.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._scope.__exit__(*error)


def register_saved_tensors_hooks(
    pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: as :class:`saved_tensors_hooks`, for all that a function computes.

    Args:
        pack_hook (function): see there.
        unpack_hook (function): see there.

    Raises:
        TypeError: one of them is not callable.

    Difference from PyTorch: ``torch.autograd.graph.saved_tensors_hooks``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.register_saved_tensors_hooks(lambda t: t + 1, lambda t: t)
        ... def forward(x):
        ...     return x * x
        >>> print(ms.grad(forward)(ms.Tensor([3.0])))
        [8.]
    """
    scope = saved_tensors_hooks(pack_hook, unpack_hook)

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def hooked(*args: Any, **kwargs: Any) -> Any:
            with saved_tensors_hooks(scope.pack_hook, scope.unpack_hook):
                return func(*args, **kwargs)

        return hooked

    return decorate


class _no_grad(contextlib.ContextDecorator):
    """Compute without keeping anything for gradients, in a ``with`` block or a function.

    Difference from PyTorch: ``torch.no_grad``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> def forward(x):
        ...     with ms.common._no_grad():
        ...         y = x * 3
        ...     return x * y
        >>> print(ms.grad(forward)(ms.Tensor([2.0])))
        [6.]
    """

    def __init__(self) -> None:
        self._scopes: list[torch.no_grad] = []

    def __enter__(self) -> None:
        self._scopes.append(torch.no_grad())
        self._scopes[-1].__enter__()

    def __exit__(self, *error: Any) -> None:
        self._scopes.pop().__exit__(*error)


def ms_memory_recycle() -> None:
    """Return unused memory to the device, and freed memory to the system.

    Difference from PyTorch: ``torch.cuda.empty_cache()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ms_memory_recycle()
    """
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    give_back()


def flops_collection(phase: str = "train") -> Any:
    """Count the operations of a compiled network; raises an error.

    Args:
        phase (str): which graph is counted; not used. Default: ``"train"``.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torch.utils.flop_counter.FlopCounterMode``.

    Source: the name of MindSpore 2.10.
    """
    raise NotImplementedError(
        "'flops_collection' is not available in agar: it reads MindSpore's compiled graphs. "
        "Instead: count with torch.utils.flop_counter.FlopCounterMode around a call."
    )


def enable_dynamic(**kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare which arguments of a compiled function change their sizes; agar detects it.

    Args:
        kwargs (Tensor): for an argument's name a Tensor whose shape is, or has, None.

    Raises:
        ValueError: there is no argument, or the function has none of that name.
        TypeError: a value is not a Tensor.

    Difference from PyTorch: ``torch._dynamo.mark_dynamic``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.enable_dynamic(x=ms.Tensor(shape=[None], dtype=ms.float32))
        ... @ms.jit
        ... def double(x):
        ...     return x * 2
        >>> print(double(ms.Tensor([1.0])))
        [2.]
    """
    if not kwargs:
        raise ValueError("When using decorator enable_dynamic, the input cannot be empty!")
    for name, value in kwargs.items():
        parts = value if isinstance(value, (tuple, list)) else (value,)
        if not all(isinstance(p, Tensor) for p in parts):
            raise TypeError(
                "The decorator enable_dynamic only supports Tensor or a tuple/list of Tensor, but "
                f"the argument : {name} is type of:{type(value)}."
            )

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        known = inspect.signature(func).parameters
        unknown = [name for name in kwargs if name not in known]
        if unknown:
            raise ValueError(
                f"When using decorator enable_dynamic, the function {func.__name__} has no "
                f"arguments {unknown}; it has {list(known)}."
            )
        return func

    return decorate


def frombuffer(buffer: Any, dtype: Any, count: int = -1, offset: int = 0) -> Tensor:
    """A tensor of one axis over the memory of a buffer; writes into one show in the other.

    Args:
        buffer (Any): an object with Python's buffer interface, such as a bytearray.
        dtype (Type): the type of the elements.
        count (int): the number of elements; -1 for all. Default: ``-1``.
        offset (int): the bytes before the first. Default: ``0``.

    Raises:
        TypeError: `buffer` has no buffer interface.
        ValueError: `count` or `offset` do not fit into the buffer.

    Difference from PyTorch: ``torch.frombuffer``, which also takes `requires_grad`.

    Source: behavior observed in MindSpore 2.10, which raises RuntimeError where it does not fit.

    Examples:
        >>> import agar as ms
        >>> print(ms.frombuffer(bytearray([1, 2, 3]), dtype=ms.uint8))
        [1 2 3]
    """
    kind = to_torch_dtype(dtype, op_name="frombuffer")
    if memoryview(buffer).readonly:
        buffer = bytearray(buffer)  # the engine cannot promise not to write
    return wrap(torch.frombuffer(buffer, dtype=kind, count=count, offset=offset))


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange two tensors: each variable that held one then holds the other.

    Args:
        t1 (Tensor): the first tensor.
        t2 (Tensor): the second tensor.

    Raises:
        TypeError: an argument is not a Tensor.

    Difference from PyTorch: ``torch.utils.swap_tensors``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a, b = ms.Tensor([1.0]), ms.Tensor([2.0, 3.0])
        >>> ms.swap_tensors(a, b)
        >>> print(a, b)
        [2. 3.] [1.]
    """
    for name, value in (("t1", t1), ("t2", t2)):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"For 'swap_tensors', the '{name}' must be a Tensor, but got "
                f"{type(value).__name__}."
            )
    first, second = t1._value, t2._value
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    entries = dict(vars(t1))
    for target, source in ((t1, dict(vars(t2))), (t2, entries)):
        vars(target).clear()
        vars(target).update(source)
    t1._value, t2._value = second, first


class _PynativeExecutor:
    """The engine of PYNATIVE_MODE, as far as programs speak to it."""

    def sync(self) -> None:
        """Wait until all work of the device is done."""
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            torch.cuda.synchronize()

    def enable_grad(self) -> bool:
        """Whether what is computed is kept for gradients."""
        return torch.is_grad_enabled()

    def set_enable_grad(self, flag: bool) -> None:
        """Say whether what is computed is kept for gradients."""
        torch.set_grad_enabled(flag)

    def grad_flag(self) -> bool:
        """Whether a gradient is being recorded."""
        return torch.is_grad_enabled()

    def set_grad_flag(self, flag: bool) -> None:
        """Accepted: recording begins with the gradient."""

    def clear_res(self) -> None:
        """Accepted: nothing is kept between calls."""

    def requires_grad(self) -> bool:
        """Whether what is computed is kept for gradients."""
        return torch.is_grad_enabled()

    def real_run_op(self, op_prim: Any, name: str, args: Any) -> Any:
        """Call a Primitive with a list of inputs."""
        return op_prim(*args)

    def run_op_async(self, op_prim: Any, name: str, args: Any) -> Any:
        """Call a Primitive with a list of inputs; the device works on while Python goes on."""
        return op_prim(*args)

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_RECORDING.split():
            raise AttributeError(f"'_PynativeExecutor' object has no attribute '{name}'")
        from agar._core import absent, absent_names

        return absent.refusing_function("common.api._pynative_executor", name, absent_names.ENGINE)


# How MindSpore's Cell and grad speak to its C++ recording of calls; PyTorch records here.
_OF_RECORDING = """
    call_custom_bprop check_run constant_folding disable_frontend_and_bprop_pipeline
    disable_saved_tensor_hook enable_frontend_and_bprop_pipeline end_empty_graph end_graph
    get_current_autodiff_engine_id get_dynamic_input grad grad_jit high_order
    is_saved_tensor_hook_active new_empty_graph new_graph parameter_broadcast
    pop_saved_tensor_hook push_saved_tensor_hook queue_backward_final_callback
    set_async_for_graph set_cell_use_dynamic_shape_process set_creation_type set_dynamic_input
    set_is_run_recompute set_jit_compile_phase set_mixed_precision_type
    set_saved_tensor_hook_disable_error_message
"""


class _CellGraphExecutor:
    """The engine of GRAPH_MODE, as far as programs speak to it."""

    def compile(
        self, obj: Any, *args: Any, phase: str = "predict", **kwargs: Any
    ) -> tuple[str, bool]:
        """Accepted: a network is compiled by its calls. Returns a name and True."""
        return f"{phase}.{getattr(obj, 'cls_name', type(obj).__name__)}.{id(obj)}", True

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Call the network."""
        return obj(*args)

    def run(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Call the network."""
        return obj(*args)

    def has_compiled(self, phase: str = "predict") -> bool:
        """Whether a network of that name is compiled: it is by its calls."""
        return True

    def set_jit_config(self, jit_config: Any) -> None:
        """Accepted: give a JitConfig to jit or Cell.set_jit_config."""

    def updata_param_node_default_input(self, phase: str, replace: dict[str, Any]) -> None:
        """Accepted: compiled networks see the parameters as they are."""


_pynative_executor = _PynativeExecutor()
_cell_graph_executor = _CellGraphExecutor()
_executor = _cell_graph_executor


def __getattr__(name: str) -> Any:
    # the spellings of MindSpore 1
    import importlib

    return importlib.import_module("agar._paths").old(name, "common.api")
