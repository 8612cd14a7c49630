"""Types that torch has no kernel for, computed in a wider one.

MindSpore computes with the wide unsigned integers, with booleans and with float16 in places where
torch stops with ``"..." not implemented for 'UInt16'``. What fails for that reason, and only that,
is computed again:

* :class:`WiderKernels` computes a single kernel of integers in the next wider type and casts its
  results back. Which results have the type of the inputs, and which are indices or booleans, torch
  says itself: it infers the types of results without a kernel, on meta tensors.
* float16 and bfloat16 are cast around the whole operator, by the operator table: the casts then are
  part of the gradient, whose kernels are missing likewise.

Nothing here stands on the way of a call that succeeds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.dispatch_mode import DispatchMode
from agar._core.runtime import thread

__all__ = ["HALVES", "WiderKernels", "lacks_kernel"]

#: The types that are computed in float32 where torch has no kernel of them.
HALVES = frozenset((torch.float16, torch.bfloat16))

# The first type that holds every value, then wider ones for kernels that lack that too.
_WIDER = {
    torch.bool: (torch.uint8,),
    torch.uint8: (torch.int32, torch.float64),
    torch.int8: (torch.int32, torch.float64),
    torch.int16: (torch.int32, torch.float64),
    torch.int32: (torch.float64,),
    torch.int64: (torch.float64,),
    torch.uint16: (torch.int32, torch.int64, torch.float64),
    torch.uint32: (torch.int64, torch.float64),
    torch.uint64: (torch.int64, torch.float64),
}

# What torch's messages call them.
_CALLED = {
    "Bool": torch.bool,
    "Byte": torch.uint8,
    "Char": torch.int8,
    "Short": torch.int16,
    "Int": torch.int32,
    "Long": torch.int64,
    "UInt16": torch.uint16,
    "UInt32": torch.uint32,
    "UInt64": torch.uint64,
}
_NO_KERNEL = re.compile(
    r"\" not implemented for '(\w+)'|not implemented for type (UInt16|UInt32|UInt64)"
    r"|does not support bool (?:input|dtypes)|^Boolean inputs not supported"
)

# Kernels that are exact modulo 2**64, so that int64 may stand for uint64 whatever the values are.
_MODULAR = frozenset(
    (
        "add",
        "sub",
        "rsub",
        "mul",
        "neg",
        "square",
        "sum",
        "cumsum",
        "prod",
        "cumprod",
        "trace",
        "mm",
        "bmm",
        "mv",
        "dot",
        "vdot",
        "matmul",
        "addmm",
        "addmv",
        "addbmm",
        "baddbmm",
        "addr",
        "index",
        "index_put",
        "_index_put_impl",
        "index_select",
        "index_add",
        "index_copy",
        "index_fill",
        "gather",
        "scatter",
        "scatter_add",
        "masked_fill",
        "masked_select",
        "masked_scatter",
        "where",
        "take",
        "put",
        "flip",
        "roll",
        "tril",
        "triu",
        "eq",
        "ne",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "bitwise_not",
        "bitwise_left_shift",
        "__lshift__",
        "logical_not",
        "logical_and",
        "logical_or",
        "logical_xor",
        "nonzero",
        "any",
        "all",
        "constant_pad_nd",
        "cat",
        "diag",
        "unfold",
        "im2col",
        "pixel_shuffle",
        "pixel_unshuffle",
        "repeat_interleave",
    )
)
# Kernels that only compare: the order stays when the sign bit is turned.
_ORDERING = frozenset(
    (
        "lt",
        "le",
        "gt",
        "ge",
        "max",
        "min",
        "amax",
        "amin",
        "aminmax",
        "argmax",
        "argmin",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "sort",
        "argsort",
        "topk",
        "kthvalue",
        "cummax",
        "cummin",
        "_cummax_helper",
        "_cummin_helper",
        "searchsorted",
        "bucketize",
    )
)
# Kernels whose results have types of their own, of those that torch does not run on meta tensors.
# Kernels that mean something for booleans. Others would count them, which eight bits cannot.
_OF_BOOLS = _ORDERING | frozenset(
    ("trunc", "remainder", "fmod", "floor_divide", "div", "threshold", "relu", "clamp_min")
)
# Kernels that choose or move elements: what float64 holds exactly comes out of it exactly.
_CHOOSING = frozenset(
    (
        "max_unpool2d",
        "max_unpool3d",
        "max_pool2d_with_indices",
        "max_pool3d_with_indices",
        "adaptive_max_pool2d",
        "adaptive_max_pool3d",
        "fractional_max_pool2d",
        "fractional_max_pool3d",
        "im2col",
        "col2im",
        "frac",
        "_adaptive_avg_pool3d",  # a mean, which MindSpore rounds towards zero
    )
)
_INDICES = frozenset(("nonzero", "bincount", "searchsorted"))
_SIGN = -(2**63)
_EXACT = 2**53  # float64 holds every integer up to it


def lacks_kernel(error: BaseException) -> bool:
    """Whether torch raised because it has no kernel for a type."""
    return isinstance(error, RuntimeError) and _NO_KERNEL.search(str(error)) is not None


def _missing(error: BaseException) -> torch.dtype | None:
    """The type that a kernel lacks."""
    match = _NO_KERNEL.search(str(error))
    return _CALLED.get(match[1] or match[2] or "Bool") if match is not None else None


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in _tensors(v)]
    return []


def _changed(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_changed(v, change) for v in value)
    return value


class WiderKernels(DispatchMode):
    """While open, an integer kernel that torch lacks is computed in a wider type."""

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        kwargs = kwargs or {}
        try:
            return func(*args, **kwargs)
        except RuntimeError as error:
            if not lacks_kernel(error):
                raise
            narrow = _missing(error)
            given = {t.dtype for v in (*args, *kwargs.values()) for t in _tensors(v)}
            if narrow not in given:
                raise
            plain = _plain_name(func)
            if narrow is torch.bool and plain not in _OF_BOOLS:
                raise
            for wide in _WIDER.get(narrow, ()):
                if wide is torch.float64 and plain not in _CHOOSING:
                    break
                try:
                    return _widened(func, args, kwargs, narrow, wide)
                except RuntimeError as again:
                    if not lacks_kernel(again):
                        raise
            raise


def _plain_name(func: Any) -> str:
    """The kernel's name, which that of the in-place form is as well."""
    name = func._schema.name.rpartition("::")[2]
    return name if name.startswith("__") else name.rstrip("_")


def _widened(func: Any, args: tuple, kwargs: dict, narrow: torch.dtype, wide: torch.dtype) -> Any:
    if thread.recorder is not None:
        thread.recorder.retried()
    plain = _plain_name(func)
    turned = _has_turned_order(func, plain, args, kwargs, narrow, wide)
    if not turned:
        _check_values(plain, args, kwargs, narrow, wide)

    def widen(t: torch.Tensor) -> torch.Tensor:
        if t.dtype is not narrow:
            return t
        return t.to(wide) ^ _SIGN if turned else t.to(wide)

    def back(t: torch.Tensor) -> torch.Tensor:
        if turned:
            t = t ^ _SIGN
        return t.to(torch.int64).to(narrow) if wide is torch.float64 else t.to(narrow)

    follows = _following(func, plain, args, kwargs, narrow, wide)
    # a kernel that takes int64 indices has them behind what it computes with
    chosen = narrow is torch.int64 and plain in _CHOOSING
    wide_args = tuple(_changed(v, widen) for v in (args[:1] if chosen else args))
    wide_args += args[len(wide_args) :]
    wide_kwargs = {k: _changed(v, widen) for k, v in kwargs.items()}
    if kwargs.get("dtype") is narrow:
        wide_kwargs["dtype"] = wide
    result = func(*wide_args, **wide_kwargs)
    written: dict[int, torch.Tensor] = {}
    for spec, mine, its in _written(func, args, kwargs, wide_args, wide_kwargs):
        if spec.alias_info.is_write and mine is not its:
            mine.copy_(back(its))
            written[id(its)] = mine
    several = isinstance(result, (list, tuple))
    parts = list(result) if several else [result]
    for i, part in enumerate(parts):
        if id(part) in written:
            parts[i] = written[id(part)]
        elif isinstance(part, torch.Tensor) and follows(i, part):
            parts[i] = back(part)
    return (
        type(result)(parts)
        if several and type(result) in (list, tuple)
        else (tuple(parts) if several else parts[0])
    )


def _written(func: Any, args: tuple, kwargs: dict, wide_args: tuple, wide_kwargs: dict) -> Any:
    """The tensors that an operator may write into: its own, and those computed with."""
    for i, spec in enumerate(func._schema.arguments):
        if spec.alias_info is None:
            continue
        if i < len(args):
            mine, its = args[i], wide_args[i]
        elif spec.name in kwargs:
            mine, its = kwargs[spec.name], wide_kwargs[spec.name]
        else:
            continue
        if isinstance(mine, torch.Tensor):
            yield spec, mine, its


def _following(
    func: Any, name: str, args: tuple, kwargs: dict, narrow: torch.dtype, wide: torch.dtype
) -> Callable[[int, torch.Tensor], bool]:
    """Which results are to have the narrow type, by torch's own inference."""

    def bare(t: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(t, device="meta")

    try:
        with torch._C._DisableTorchDispatch():
            result = func(
                *(_changed(v, bare) for v in args),
                **{k: _changed(v, bare) for k, v in kwargs.items() if k != "device"},
            )
        kinds = [t.dtype for t in (result if isinstance(result, (list, tuple)) else (result,))]
    except (RuntimeError, AttributeError, TypeError):  # there is no inference for this operator
        return lambda i, t: t.dtype is wide and name not in _INDICES
    return lambda i, t: kinds[i] is narrow and t.dtype is not narrow


def _has_turned_order(
    func: Any, name: str, args: tuple, kwargs: dict, narrow: torch.dtype, wide: torch.dtype
) -> bool:
    """Whether int64 stands for uint64 with the sign bit turned: for operators that compare."""
    if narrow is not torch.uint64 or wide is not torch.int64:
        return False
    extreme = name == "scatter_reduce" and any(v in ("amax", "amin") for v in args)
    if name not in _ORDERING and not extreme:
        return False
    # a number among the arguments would have to be turned as well
    specs = dict(zip((s.name for s in func._schema.arguments), args, strict=False)) | kwargs
    numbers = (s.name for s in func._schema.arguments if str(s.type) == "number")
    return not any(specs.get(n) is not None for n in numbers)


def _check_values(
    name: str, args: tuple, kwargs: dict, narrow: torch.dtype, wide: torch.dtype
) -> None:
    """Refuse numbers that the wider type does not hold."""
    given = [t for v in (*args, *kwargs.values()) for t in _tensors(v) if t.dtype is narrow]
    large = wide is torch.float64 and narrow in (torch.int64, torch.uint64)
    if narrow is torch.uint64 and (large or name not in _MODULAR):
        bound, result = (_EXACT, "2**53") if large else (2**63, "2**63")
    elif large:
        bound, result = _EXACT, "2**53"
    else:
        return
    recorder = thread.recorder
    if recorder is not None:  # the values of this call decide, which a recording cannot repeat
        die = getattr(recorder, "die", None)
        if die is not None:
            die(f"an operator of {narrow} depends on how large its values are")
    with torch._C._DisableTorchDispatch():
        for t in given:
            signed = t.view(torch.int64) if narrow is torch.uint64 else t
            low = 0 if narrow is torch.uint64 else -bound
            high = bound if bound == _EXACT else 2**63 - 1
            if t.numel() and not bool(((signed >= low) & (signed <= high)).all()):
                raise TypeError(
                    f"'{name}' of {str(narrow).removeprefix('torch.')} is computed in "
                    f"{str(wide).removeprefix('torch.')}, for numbers up to {result}, and there is "
                    "a larger one"
                )
