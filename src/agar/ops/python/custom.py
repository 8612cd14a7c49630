"""Operators written by users: Python functions over numpy arrays, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agar._core import autodiff
from agar._core.dtype import to_torch_dtype
from agar._core.errors import describe, missing_feature
from agar._core.optable import Primitive
from agar._core.tensor import Tensor

__all__ = [
    "Custom",
    "CustomOpBuilder",
    "PyFunc",
    "kernel",
    "ms_kernel",
]

_FUNC_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")


def _results(op_name: str, value: Any) -> list[Tensor]:
    """What a Python function returned, as tensors."""
    parts = value if isinstance(value, (tuple, list)) else (value,)
    items = []
    for part in parts:
        if isinstance(part, Tensor):
            items.append(part)
        elif isinstance(part, (np.ndarray, np.generic, bool, int, float, complex)):
            items.append(Tensor(part))
        else:
            raise TypeError(
                f"For '{op_name}', the function must return arrays or numbers, but returned "
                f"{describe(part)} with type {type(part).__name__}."
            )
    return items


def _as_declared(
    op_name: str, instance: list[Tensor], shapes: Sequence[Any] | None, dtypes: Sequence[Any] | None
) -> list[Tensor]:
    """The results in their declared types, after a look at their shapes."""
    for what, declared in (("shapes", shapes), ("types", dtypes)):
        if declared is not None and len(declared) != len(instance):
            raise ValueError(
                f"For '{op_name}', {len(declared)} output {what} are declared, but the function "
                f"returned {len(instance)} results."
            )
    if shapes is not None:
        for i, (t, shape) in enumerate(zip(instance, shapes, strict=True)):
            if tuple(shape) != t.shape:
                raise ValueError(
                    f"For '{op_name}', result {i} is declared with shape {tuple(shape)}, but the "
                    f"function returned {t.shape}."
                )
    if dtypes is None:
        return instance
    return [
        t if t._value.dtype == to_torch_dtype(d, op_name=op_name) else Tensor(t, dtype=d)
        for t, d in zip(instance, dtypes, strict=True)
    ]


def _array(value: Any) -> Any:
    return value.asnumpy().copy() if isinstance(value, Tensor) else value


class Custom(Primitive):
    """An operator made of a Python function over numpy arrays.

    Args:
        func (Callable): takes numpy arrays, one per input, and returns an array or a tuple.
        out_shape (Union[Callable, tuple, list, None]): the shape of the result, or a function from
            the inputs' shapes to it; a list or tuple of shapes for several results. None: as
            computed. Default: None.
        out_dtype (Union[Callable, Type, tuple, None]): the type of the result likewise; the result
            is cast to it. Default: None.
        func_type (str): ``"pyfunc"``. Default: ``"pyfunc"``.
        bprop (Callable): ``bprop(*inputs, out, dout)`` over Tensors, which returns the gradients
            of the inputs. Default: None.
        reg_info (Union[str, dict, list, tuple]): accepted for compatibility. Default: None.

    Inputs:
        - **inputs** (Tensor) - any number of tensors.

    Outputs:
        Tensor, or a tuple of Tensors if `func` returns several.

    Raises:
        ValueError: `func_type` is unknown; a result has another shape than declared.
        TypeError: `func` is not callable.
        NotImplementedError: `func_type` asks for a kernel compiler.
        RuntimeError: a gradient is asked for and there is no `bprop`.

    Difference from PyTorch: ``torch.library.custom_op``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> import numpy as np
        >>> cube = ms.ops.Custom(
        ...     lambda x: x**3,
        ...     lambda s: s,
        ...     lambda d: d,
        ...     "pyfunc",
        ...     bprop=lambda x, out, dout: (dout * 3 * x * x,),
        ... )
        >>> x = ms.Tensor([1.0, 2.0])
        >>> print(cube(x), ms.grad(cube)(x))
        [1. 8.] [ 3. 12.]
    """

    def __init__(
        self,
        func: Callable[..., Any],
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "pyfunc",
        bprop: Callable[..., Any] | None = None,
        reg_info: Any = None,
    ) -> None:
        if func_type not in _FUNC_TYPES:
            raise ValueError(
                f"For 'Custom', 'func_type' must be one of {list(_FUNC_TYPES)}, but got "
                f"{func_type!r}."
            )
        if func_type != "pyfunc":
            raise missing_feature(
                f"ops.Custom(func_type='{func_type}')",
                "it needs MindSpore's kernel compilers or kernels built against MindSpore",
                "give a Python function over numpy arrays with func_type='pyfunc', write the "
                "computation with agar.ops, or wrap a kernel with torch.library and "
                "Tensor.to_torch()",
            )
        if not callable(func):
            raise TypeError(
                "For 'Custom' with func_type='pyfunc', 'func' must be a function, but got "
                f"{func!r}."
            )
        if bprop is not None and not callable(bprop):
            raise TypeError(f"For 'Custom', 'bprop' must be a function or None, but got {bprop!r}.")
        super().__init__("Custom")
        self.func = func
        self.out_shape = out_shape
        self.out_dtype = out_dtype
        self.func_type = func_type
        self._bprop = bprop
        self.add_prim_attr("func_name", getattr(func, "__name__", type(func).__name__))
        self.add_prim_attr("func_type", func_type)

    def __call__(self, *inputs: Any) -> Any:
        return autodiff.call_with_bprop(self, inputs, {}, self._run)

    def bprop(self, *args: Any) -> Any:
        """The gradients of the inputs, as `bprop` of the constructor computes them.

        Args:
            *args (Tensor): the inputs, the result and the gradient of the result.

        Returns:
            Tuple with a gradient for each input.

        Raises:
            RuntimeError: the constructor got no `bprop`.
        """
        if self._bprop is None:
            raise RuntimeError(
                f"Illegal primitive Custom's bprop not defined: the gradient of "
                f"'{self._attrs['func_name']}' is needed; give ops.Custom(..., bprop=function)."
            )
        return self._bprop(*args)

    def _run(self, *inputs: Any) -> Any:
        result = self.func(*(_array(v) for v in inputs))
        single = not isinstance(result, (tuple, list))
        output = _results("Custom", result)
        tensors = [v for v in inputs if isinstance(v, Tensor)]
        shapes = self._declared(self.out_shape, [t.shape for t in tensors], single)
        dtypes = self._declared(self.out_dtype, [t.dtype for t in tensors], single)
        output = _as_declared("Custom", output, shapes, dtypes)
        return output[0] if single else tuple(output)

    @staticmethod
    def _declared(rule: Any, of_inputs: list[Any], single: bool) -> list[Any] | None:
        value: Any = rule(*of_inputs) if callable(rule) else rule
        if value is None:
            return None
        return [value] if single else list(value)


class PyFunc(Primitive):
    """A Python function over numpy arrays as an operator without gradient.

    Args:
        fn (Callable): takes numpy arrays and returns an array or a tuple of arrays.
        in_types (list[Type]): types of the inputs; accepted for compatibility.
        in_shapes (list[tuple]): shapes of the inputs; accepted for compatibility.
        out_types (list[Type]): types of the results.
        out_shapes (list[tuple]): shapes of the results.
        stateful (bool): accepted for compatibility. Default: True.

    Inputs:
        - **inputs** (Tensor) - the tensors.

    Outputs:
        tuple of Tensors.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: the function returns other shapes than declared.

    Difference from PyTorch: ``torch.library.custom_op``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> f = ms.ops.PyFunc(lambda x: x + 1, [ms.float32], [(2,)], [ms.float32], [(2,)])
        >>> print(f(ms.Tensor([1.0, 2.0]))[0])
        [2. 3.]
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        in_types: Sequence[Any],
        in_shapes: Sequence[Any],
        out_types: Sequence[Any],
        out_shapes: Sequence[Any],
        stateful: bool = True,
    ) -> None:
        if not callable(fn):
            raise TypeError(f"For 'PyFunc', 'fn' must be a function, but got {fn!r}.")
        super().__init__("PyFunc")
        self.fn = fn
        self.in_types, self.in_shapes = in_types, in_shapes
        self.out_types, self.out_shapes = out_types, out_shapes
        self.stateful = stateful

    def __call__(self, *inputs: Any) -> tuple[Tensor, ...]:
        result = _results("PyFunc", self.fn(*(_array(v) for v in inputs)))
        return tuple(_as_declared("PyFunc", result, self.out_shapes, self.out_types))


# ---------------------------------------------------------------- what has no place here

_KERNELS = "agar has no registry of kernels: torch supplies them"
_INSTEAD = (
    "write the computation with agar.ops, or as a Python function with "
    "ops.Custom(func, func_type='pyfunc')"
)


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise missing_feature(f"ops.{name}", _KERNELS, _INSTEAD)

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = (
        "Builds kernels for MindSpore's back ends; not available.\n\n"
        "Args:\n    *args (Any): not used.\n    **kwargs (Any): not used.\n\nRaises:\n"
        f"    NotImplementedError: always; {_KERNELS}. Instead: {_INSTEAD}.\n\n"
        "Difference from PyTorch: ``torch.library`` registers kernels there.\n\n"
        "Source: the name exists in MindSpore 2.10.\n"
    )
    return refuse


CustomOpBuilder = _refused("CustomOpBuilder")
kernel = _refused("kernel")
ms_kernel = _refused("ms_kernel")
