"""Primitives that look at a program: dumps, assertions, and names of MindSpore's graph compiler."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

# Values arrive at nodes of recordings as torch tensors.
import torch

from agar._core import autodiff
from agar._core.dtype import FROM_TORCH, Type
from agar._core.errors import describe, missing_feature
from agar._core.optable import Primitive
from agar._core.runtime import host_node
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import choice, integer
from agar.ops.python.control import InsertGradientOf

__all__ = [
    "Assert",
    "DtypeToEnum",
    "DumpGradient",
    "GeSwitch",
    "GetNext",
    "Merge",
    "Morph",
    "PyExecute",
    "Reusing",
    "TensorDump",
    "UpdateState",
]

# ------------------------------------------------------------------------------------- dumps

_number = itertools.count()


def _dump_now(value: torch.Tensor, file: str) -> None:
    kind = str(FROM_TORCH[value.dtype]).lower()
    if value.dtype is torch.bfloat16:  # numpy has no such type
        value = value.float()
    folder = os.path.dirname(file)
    if folder:
        os.makedirs(folder, exist_ok=True)
    stem = file.removesuffix(".npy")
    np.save(f"{stem}_{kind}_{next(_number)}.npy", value.detach().cpu().numpy())


_dump = host_node(_dump_now, "nothing")


def dump_tensor(op_name: str, file: str, value: Any) -> None:
    """Write a tensor to ``{file}_{dtype}_{number}.npy``.

    Raises:
        TypeError: `file` is not a str or `value` is not a Tensor.
        ValueError: `file` is empty.
    """
    if not isinstance(file, str):
        raise TypeError(
            f"For '{op_name}', the type of 'file' must be str, but got '{type(file).__name__}'."
        )
    if not file:
        raise ValueError(f"For '{op_name}', the input argument[file] cannot be an empty string.")
    if not isinstance(value, Tensor):
        raise TypeError(f"For '{op_name}', 'input_x' must be a Tensor, but got {describe(value)}.")
    _dump(value._value, file)


class TensorDump(Primitive):
    """Write tensors to files of numpy, ``{file}_{dtype}_{number}.npy``.

    Numbers count all dumps of a program from 0 on. An ending ``.npy`` of the name is left out;
    folders are made.

    Args:
        input_output (str): ``"out"`` or ``"in"``; on one device both are the same.
            Default: ``"out"``.

    Inputs:
        - **file** (str) - the path, not empty.
        - **input_x** (Tensor) - what to write; bfloat16 is written as float32.

    Outputs:
        None.

    Raises:
        ValueError: `input_output` is unknown, or `file` is empty.
        TypeError: `file` is not a str or `input_x` is not a Tensor.

    Difference from PyTorch: no counterpart; ``numpy.save``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.ops.TensorDump()(folder + "/x", ms.Tensor([1.0]))
        ...     print(os.listdir(folder)[0].startswith("x_float32_"))
        True
    """

    def __init__(self, input_output: str = "out") -> None:
        if input_output not in ("in", "out"):
            raise ValueError(
                "For 'TensorDump', the 'input_output' argument should be one of ['in', 'out'], but "
                f"got: {input_output}"
            )
        super().__init__("TensorDump")
        self.input_output = input_output
        self.add_prim_attr("side_effect_io", True)

    def __call__(self, file: str, input_x: Tensor) -> None:
        dump_tensor("TensorDump", file, input_x)


class DumpGradient(Primitive):
    """The identity, whose gradient is written to a file when it is computed.

    Inputs:
        - **path** (str) - the path, see `TensorDump`.
        - **x** (Tensor) - any tensor.
        - **input_output** (str) - ``"in"`` or ``"out"``; on one device both are the same.

    Outputs:
        Tensor, the same values.

    Raises:
        TypeError: `path` is not a str or `x` is not a Tensor.
        ValueError: `input_output` is unknown.

    Difference from PyTorch: ``Tensor.register_hook``.

    Source: MindSpore 2.10's documentation.

    Examples:
        >>> import agar as ms
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...
        ...     def f(x):
        ...         return ms.ops.DumpGradient()(folder + "/dx", x, "out") * 3
        ...
        ...     print(ms.grad(f)(ms.Tensor([1.0])), len(os.listdir(folder)))
        [3.] 1
    """

    def __init__(self) -> None:
        super().__init__("DumpGradient")

    def __call__(self, path: str, x: Tensor, input_output: str) -> Tensor:
        if not isinstance(path, str):
            raise TypeError(
                "For 'DumpGradient', the type of 'path' must be str, but got "
                f"'{type(path).__name__}'."
            )
        choice("DumpGradient", "input_output", input_output, ("in", "out"))

        def write(gradient: Tensor) -> Tensor:
            dump_tensor("DumpGradient", path, gradient)
            return gradient

        return InsertGradientOf(write)(x)


class Assert(Primitive):
    """Stop with an error where a condition does not hold, showing tensors.

    Args:
        summarize (int): how many elements of each tensor are shown. Default: 3.

    Inputs:
        - **condition** (Union[Tensor, bool]) - one bool.
        - **input_data** (Union[tuple, list]) - the tensors to show.

    Outputs:
        Tensor of int32 of shape (1,), which is 0.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `condition` has more than one element.
        RuntimeError: the condition is False.

    Difference from PyTorch: Python's ``assert`` (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Assert()(ms.Tensor(True), [ms.Tensor([1, 2, 3])]))
        [0]
    """

    def __init__(self, summarize: int = 3) -> None:
        super().__init__("Assert")
        self.summarize = integer("Assert", "summarize", summarize)
        self.add_prim_attr("side_effect_io", True)

    def __call__(self, condition: Any, input_data: Any) -> Tensor:
        if isinstance(condition, Tensor):
            if condition.shape not in ((), (1,)):
                raise ValueError(
                    "For 'Assert', 'condition' must have one element, but got shape "
                    f"{condition.shape}."
                )
        elif not isinstance(condition, bool):
            raise TypeError(
                f"For 'Assert', 'condition' must be a Tensor or bool, but got "
                f"'{type(condition).__name__}'."
            )
        if not isinstance(input_data, (tuple, list)):
            raise TypeError(
                "For 'Assert', 'input_data' must be a tuple or list, but got "
                f"'{type(input_data).__name__}'."
            )
        if bool(condition):
            return wrap(torch.zeros(1, dtype=torch.int32))
        lines = ["For 'Assert' condition is false."]
        for value in input_data:
            result = value.asnumpy().reshape(-1) if isinstance(value, Tensor) else value
            if isinstance(result, np.ndarray):
                result = " ".join(f"{v:g}" for v in result[: self.summarize].tolist())
                result = f"[{result}]"
            lines.append(f"input data: {result}")
        print("\n".join(lines))
        raise RuntimeError(
            "For 'Assert', assert failed: " + "; ".join(describe(v) for v in input_data)
        )


# --------------------------------------------------------------- of MindSpore's graph compiler

# MindSpore's numbers of its types.
_TYPE_NUMBERS = {
    "None": 7,
    "Number": 11,
    "String": 12,
    "List": 13,
    "Tuple": 14,
    "Tensor": 17,
    "Bool": 30,
    "Int": 31,
    "Int8": 32,
    "Int16": 33,
    "Int32": 34,
    "Int64": 35,
    "UInt8": 37,
    "UInt16": 38,
    "UInt32": 39,
    "UInt64": 40,
    "Float": 41,
    "Float16": 42,
    "Float32": 43,
    "Float64": 44,
    "BFloat16": 45,
    "Float8E4M3FN": 46,
    "Float8E5M2": 47,
    "HiFloat8": 48,
    "Complex64": 51,
    "Complex128": 52,
}


class DtypeToEnum(Primitive):
    """MindSpore's number of a type.

    Inputs:
        - **op_name** (str) - the operator that errors show.
        - **arg_name** (str) - the argument that errors show.
        - **dtype** (Type) - the type.

    Outputs:
        int.

    Raises:
        TypeError: `dtype` is not a type.
        NotImplementedError: the type has no number here.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.DtypeToEnum()("zeros", "dtype", ms.float32)
        43
    """

    def __init__(self) -> None:
        super().__init__("DtypeToEnum")

    def __call__(self, op_name: str, arg_name: str, dtype: Any) -> int:
        if not isinstance(dtype, Type):
            raise TypeError(
                f"For '{op_name}', the input '{arg_name}' should be mindspore dtype, but got "
                f"{dtype}."
            )
        if str(dtype) not in _TYPE_NUMBERS:
            raise missing_feature(
                f"DtypeToEnum of {dtype}", "MindSpore's number of it is not known", "compare types"
            )
        return _TYPE_NUMBERS[str(dtype)]


class Morph(Primitive):
    """A Python function as a primitive, if wanted with its own gradient.

    Args:
        fn (Callable): the function over tensors.
        infer_shape (Callable): accepted for compatibility; results have their shapes.
        infer_dtype (Callable): accepted for compatibility; results have their types.
        bprop_fn (Callable): the gradient: takes the inputs, the result and its gradient, and
            returns one gradient for each input. Default: None, that of what `fn` does.

    Inputs:
        The inputs of `fn`.

    Outputs:
        What `fn` returns.

    Raises:
        TypeError: `fn` or `bprop_fn` is not callable.

    Difference from PyTorch: ``torch.autograd.Function`` gives a function its own gradient.

    Source: MindSpore 2.10's documentation; there it works in GRAPH_MODE only.

    Examples:
        >>> import agar as ms
        >>> twice = ms.ops.Morph(lambda x: x * 2, lambda s: s, lambda d: d)
        >>> print(ms.grad(twice)(ms.Tensor([1.0])))
        [2.]
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        infer_shape: Callable[..., Any],
        infer_dtype: Callable[..., Any],
        bprop_fn: Callable[..., Any] | None = None,
    ) -> None:
        for name, value in (("fn", fn), ("bprop_fn", bprop_fn)):
            if not callable(value) and (name == "fn" or value is not None):
                raise TypeError(
                    f"For 'Morph', '{name}' must be a function, but got {describe(value)}."
                )
        super().__init__("Morph")
        self.fn = fn
        self.infer_shape, self.infer_dtype = infer_shape, infer_dtype
        self._gradient = bprop_fn

    def __call__(self, *args: Any) -> Any:
        if self._gradient is None:
            return self.fn(*args)
        return autodiff.call_with_bprop(self, args, {}, self.fn)

    def bprop(self, *args: Any) -> Any:
        """The gradients of the inputs, as `bprop_fn` of the constructor computes them.

        Args:
            *args (Any): the inputs, the result and the gradient of the result.

        Returns:
            Tuple with a gradient for each input.
        """
        assert self._gradient is not None
        return self._gradient(*args)


class PyExecute(Primitive):
    """Evaluate a Python expression.

    Inputs:
        - **script** (str) - the expression.
        - **keys** (tuple[str]) - names that it uses.
        - **values** (tuple) - their values.

    Outputs:
        The value of the expression.

    Raises:
        TypeError: `script` is not a str.
        ValueError: there are not equally many names and values.

    Difference from PyTorch: Python's ``eval``.

    Source: MindSpore 2.10, whose compiler makes calls of it.

    Examples:
        >>> import agar as ms
        >>> ms.ops.PyExecute()("a + b", ("a", "b"), (1, 2))
        3
    """

    def __init__(self) -> None:
        super().__init__("PyExecute")

    def __call__(self, script: str, keys: Any, values: Any) -> Any:
        if not isinstance(script, str):
            raise TypeError(
                "For 'PyExecute', the type of 'script' must be str, but got "
                f"'{type(script).__name__}'."
            )
        names = [keys] if isinstance(keys, str) else list(keys)
        result = list(values) if isinstance(values, (tuple, list)) else [values]
        if len(names) != len(result):
            raise ValueError(
                f"For 'PyExecute', there must be equally many names and values, but got {names} "
                f"and {len(result)} values."
            )
        return eval(script, {}, dict(zip(names, result, strict=True)))


class Reusing(Primitive):
    """The function that it is given; MindSpore's compiler then does not copy its body.

    Inputs:
        - **input_x** (Callable) - any function.

    Outputs:
        The same function.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Reusing()(abs) is abs
        True
    """

    def __init__(self) -> None:
        super().__init__("Reusing")

    def __call__(self, input_x: Any) -> Any:
        return input_x


class UpdateState(Primitive):
    """The state that it is given; MindSpore's compiler orders side effects by it.

    Inputs:
        - **value** (Any) - the state.
        - **expr** (Any) - what comes before; evaluated already.

    Outputs:
        `value`.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.UpdateState()(3, ms.Tensor(1))
        3
    """

    def __init__(self) -> None:
        super().__init__("UpdateState")

    def __call__(self, *args: Any) -> Any:
        return args[0]


class _GraphOnly(Primitive):
    """Primitives that exist as nodes of MindSpore's graphs only; a call says what to do."""

    _why = "it is a node of MindSpore's compiled graphs; a call fails there too"

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def __call__(self, *args: Any) -> Any:
        raise missing_feature(
            f"Calling ops.{self.name}",
            self._why,
            "Python's 'if' over the condition, or ops.where on both values",
        )


class GeSwitch(_GraphOnly):
    """Sends data into one of two branches; only nodes of MindSpore's graphs can do that.

    Raises:
        NotImplementedError: when it is called; as observed in MindSpore 2.10. Instead: Python's
            ``if`` over the condition, or ``ops.where`` on both values.

    Difference from PyTorch: no counterpart; ``torch.cond``.

    Source: behavior observed in MindSpore 2.10.
    """

    def __call__(self, data: Any, pred: Any) -> Any:  # type: ignore[override]
        return super().__call__(data, pred)


class Merge(_GraphOnly):
    """Takes the data of the branch that ran; only nodes of MindSpore's graphs can do that.

    Raises:
        NotImplementedError: when it is called; as observed in MindSpore 2.10. Instead: Python's
            ``if`` over the condition, or ``ops.where`` on both values.

    Difference from PyTorch: no counterpart; ``torch.cond``.

    Source: behavior observed in MindSpore 2.10.
    """


class GetNext(Primitive):
    """Takes the next element out of a data queue of the device; agar has no such queues.

    Args:
        types (list): the types of the outputs.
        shapes (list): the shapes of the outputs.
        output_num (int): the number of outputs.
        shared_name (str): the name of the queue.

    Raises:
        NotImplementedError: always. Instead: iterate over the dataset
            (``for batch in dataset.create_tuple_iterator()``).

    Difference from PyTorch: no counterpart.

    Source: the name exists in MindSpore 2.10, for Ascend and GPU.
    """

    def __init__(self, types: Any, shapes: Any, output_num: int, shared_name: str) -> None:
        raise missing_feature(
            "ops.GetNext",
            "data queues on the device belong to MindSpore's runtime for Ascend and GPU",
            "iterate over the dataset, for example with dataset.create_tuple_iterator()",
        )
