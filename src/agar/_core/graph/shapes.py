"""Symbolic recordings: one recording for all sizes of some dimensions.

Python runs once over tensors without data (torch's FakeTensorMode and ShapeEnv), whose chosen sizes
are symbols. What reaches the dispatcher is noted as in `agar._core.graph.capture`; arguments that
depend on sizes are kept as expressions. The generated code reads the sizes from its inputs.

NOTE Exactness. The recorder stands below autograd and torch's composite operators, so torch itself
takes them apart, as it does in an eager run. Where a way depends on a size, ShapeEnv notes the
condition, and a call whose sizes do not meet it does not fit. Only the look of results comes from
torch's rules for tensors without data; `SymbolicVariant.record` therefore compares the recording
with one of a real run, operator by operator, where it is given one.

NOTE Nothing happens. No operator and no function of the host runs for real, except on data that
Python makes during the run (masks, ranges), which are constants. Objects of Python that the run
has changed are put back, and the recording is refused.

NOTE Sizes 0 and 1. torch broadcasts and skips them, so a symbol stands for sizes from 2 on.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import math
import operator
import random as python_random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import _guards
from torch._C import _autograd
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.proxy import GraphAppendingTracer, Proxy

from agar._core import random, random_draws
from agar._core.errors import translate
from agar._core.graph import capture, tree
from agar._core.graph.capture import FACTORIES, Recorder, user_site
from agar._core.graph.guards import Leaves, rebuild, split_key
from agar._core.graph.monitor import Monitor
from agar._core.graph.plans import o0
from agar._core.graph.tape import (
    HIDDEN_WRITES,
    READS,
    Host,
    Meta,
    Op,
    Ref,
    Segment,
    aliases_resolved,
    inputs_of,
    is_pure,
    made_by,
    map_refs,
    mutates,
    returns_one_tensor,
    same_value,
    used_by,
    without_dead_code,
)
from agar._core.graph.tree import Node, Outcome, read_outcome
from agar._core.runtime import thread
from agar._core.tensor import SymbolicTensor, Tensor, wrap

if TYPE_CHECKING:
    from agar._core.jit import Symbol

__all__ = [
    "Dynamic",
    "Size",
    "SymbolicGraph",
    "SymbolicVariant",
    "Unsupported",
    "suggest",
]

aten = torch.ops.aten
_serial = itertools.count()
_Site = tuple[str, int] | None


class Unsupported(Exception):
    """A call cannot be recorded for all sizes.

    Attributes:
        reason: why.
        site: file and line of the user's code, or None.
        fixed: the sizes that the call can only have, by tensor and dimension, if that is the
            reason: with `Dynamic.without` of these it may be recorded.
    """

    def __init__(
        self, reason: str, site: _Site = None, fixed: dict[tuple[int, int], int] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site
        self.fixed = fixed or {}


class _Stop(BaseException):
    """Ends the run of a recording that has failed; not for user code to catch."""


# ------------------------------------------------------------------------- which sizes change


class Dynamic:
    """Which dimensions of the tensors among a call's arguments change from call to call.

    Args:
        dims: for the number of each such tensor its dimensions: a set, or a dict from dimension to
            the ``ms.Symbol`` that bounds it (None for no bounds).
    """

    __slots__ = ("dims",)

    def __init__(self, dims: Mapping[int, Iterable[int] | Mapping[int, Symbol | None]]) -> None:
        self.dims: dict[int, dict[int, Symbol | None]] = {}
        for leaf, places in dims.items():
            bounds = places if isinstance(places, Mapping) else dict.fromkeys(places)
            if bounds:
                self.dims[leaf] = {d: bounds[d] for d in sorted(bounds)}

    def of(self, leaf: int) -> dict[int, Symbol | None]:
        """The changing dimensions of one tensor."""
        return self.dims.get(leaf, {})

    def without(self, places: Iterable[tuple[int, int]]) -> Dynamic:
        """The same less some (tensor, dimension)."""
        left = set(places)
        return Dynamic(
            {
                leaf: {d: b for d, b in bounds.items() if (leaf, d) not in left}
                for leaf, bounds in self.dims.items()
            }
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dynamic) and self.dims == other.dims

    def __hash__(self) -> int:
        return hash(tuple((leaf, tuple(self.dims[leaf])) for leaf in sorted(self.dims)))

    def __repr__(self) -> str:
        return f"Dynamic({ ({leaf: set(places) for leaf, places in self.dims.items()}) })"


def suggest(seen: Sequence[Sequence[Sequence[int]]]) -> Dynamic | None:
    """The dimensions in which calls that are otherwise equal differed.

    Args:
        seen: for each call the shapes of its tensors; the last is the present call.

    Returns:
        None where there is nothing to gain: nothing differed, ranks did, or the present call has
        no changing dimension of a size above 1.
    """
    if not seen:
        return None
    now = [tuple(shape) for shape in seen[-1]]
    dims: dict[int, set[int]] = {}
    for shapes in seen[:-1]:
        if [len(s) for s in shapes] != [len(s) for s in now]:
            continue
        for leaf, (a, b) in enumerate(zip(shapes, now, strict=True)):
            for d, (x, y) in enumerate(zip(a, b, strict=True)):
                if x != y and x > 1 and y > 1:
                    dims.setdefault(leaf, set()).add(d)
    return Dynamic(dims) if dims else None


# ------------------------------------------------------------------------------------- sizes


class Size:
    """A number in a tape that depends on the sizes of the inputs, as a sympy expression."""

    __slots__ = ("expr",)

    def __init__(self, expr: Any) -> None:
        self.expr = expr

    def __eq__(self, other: object) -> bool:
        return type(other) is Size and self.expr == other.expr

    def __hash__(self) -> int:
        return hash(self.expr)

    def __repr__(self) -> str:
        return str(self.expr)


_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)


def _size_of(value: Any) -> Any:
    """A symbolic number as a plain one where it is constant, else as a `Size`.

    Raises:
        Unsupported: its value would be rounded in another way than Python does.
    """
    expr = value.node.expr
    if isinstance(value, torch.SymBool):
        if expr.is_Boolean and not expr.free_symbols:
            return bool(expr)
        return Size(expr)
    if expr.is_number and not expr.free_symbols:
        return int(expr) if isinstance(value, torch.SymInt) else float(expr)
    if not _rounds_alike(expr):
        raise Unsupported("Python computes with fractions of sizes")
    return Size(expr)


def _rounds_alike(expr: Any) -> bool:
    """Whether an expression rounds as Python did: sums and products of floats may be reordered."""
    if (expr.is_Add or expr.is_Mul or expr.is_Pow) and not _is_whole(expr):
        return False
    return all(map(_rounds_alike, expr.args))


def _is_whole(expr: Any) -> bool:
    """Whether all parts of a sum or product are whole numbers, which are not rounded."""
    if expr.is_integer or type(expr).__name__ == "ToFloat":
        return True
    if expr.is_Float:
        return float(expr).is_integer()
    return (expr.is_Add or expr.is_Mul) and all(map(_is_whole, expr.args))


def _printed(expr: Any) -> str:
    """An expression as Python."""
    from torch.utils._sympy.printers import PythonPrinter

    return PythonPrinter().doprint(expr)


#: What printed expressions use beside the symbols.
_NAMES: dict[str, Any] = {"math": math, "torch": torch}


def _has_sizes(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_has_sizes, value))
    if isinstance(value, dict):
        return any(map(_has_sizes, value.values()))
    return isinstance(value, _SYMBOLIC)


def _map_sizes(value: Any, fn: Callable[[Size], Any]) -> Any:
    """The same arguments with `fn` applied to each size."""
    kind = type(value)
    if kind is Size:
        return fn(value)
    if kind is tuple or kind is list:
        return kind([_map_sizes(v, fn) for v in value])
    if kind is dict:
        return {k: _map_sizes(v, fn) for k, v in value.items()}
    return value


# --------------------------------------------------------------------- functions of the host

_BY_SHAPE: dict[Any, torch.dtype] = {
    random_draws.uniform_real: torch.float32,
    random_draws.uniform_int: torch.int32,
    random_draws.standard_normal: torch.float32,
    random_draws.standard_laplace: torch.float32,
    random_draws.cauchy: torch.float32,
    random_draws.bernoulli: torch.float32,
}
"""Rules of `random_draws` whose first argument is the shape of what they return, and its type."""


def _stand_in_for_draw(rule: Any, where: torch.device, *args: Any) -> Any:
    dtype = _BY_SHAPE.get(rule)
    shape: Any = args[0] if args else ()
    if rule is random_draws.truncated_normal:
        kind = args[4] if len(args) > 4 else np.float32
        dtype = torch.from_numpy(np.empty(0, kind)).dtype
    elif rule is random_draws.gamma or rule is random_draws.poisson:
        dtype = torch.float64
        shape = (*shape, *np.shape(args[1]))
    elif rule is random_draws.categorical:
        dtype = torch.int64
        shape = (args[0].shape[0], args[1])
    return None if dtype is None else torch.empty(tuple(shape), dtype=dtype, device=where)


def _stand_in_for_dropout(shape: Any, keep_prob: float, engine: Any, device: torch.device) -> Any:
    like = functools.partial(torch.empty, tuple(shape), device=device)
    return like(dtype=torch.bool), like(dtype=torch.float32)


def _stand_in_for_channels(planes: Any, keep_prob: float, engine: Any, device: torch.device) -> Any:
    return torch.empty((math.prod(planes),), dtype=torch.bool, device=device)


#: By the name of a host function: tensors without data that look like what it returns, or None.
_STAND_INS: dict[str, Callable[..., Any]] = {
    "_draw": _stand_in_for_draw,
    "_keep_and_factors_of": _stand_in_for_dropout,
    "_kept_channels_of": _stand_in_for_channels,
    "_rate_at": lambda rates, step: torch.empty((), dtype=rates.dtype, device=rates.device),
}


class _Opaque:
    """Stands for an object that a host function will make; it can only be handed on."""

    def __init__(self, label: str) -> None:
        self._label = label

    def _used(self, *args: Any) -> Any:
        recorder = thread.recorder
        if isinstance(recorder, _SymbolicRecorder):
            recorder.die(f"Python looks into what {self._label} returns")
        raise TypeError(f"What {self._label} returns is not known while sizes are symbols.")

    def __getattr__(self, name: str) -> Any:
        return self._used()

    __bool__ = __iter__ = __len__ = __getitem__ = __call__ = __int__ = __float__ = __index__ = _used
    __add__ = __radd__ = __mod__ = __lt__ = __le__ = __gt__ = __ge__ = _used


class _Spread:
    """A function whose last arguments are passed by name."""

    __slots__ = ("fn", "names")

    def __init__(self, fn: Callable[..., Any], names: tuple[str, ...]) -> None:
        self.fn = fn
        self.names = names

    def __call__(self, *args: Any) -> Any:
        split = len(args) - len(self.names)
        return self.fn(*args[:split], **dict(zip(self.names, args[split:], strict=True)))


def _engine_of(stream: random.Stream, kind: str, signature: Any, start: Any) -> Any:
    """The engine of a stream for a signature that holds sizes (`Stream.engine`)."""
    return stream.engine(kind, signature, start)


# --------------------------------------------------------- what Python does past the dispatcher


def _stream_engine(self: random.Stream, kind: str, signature: Any = (), start: Any = None) -> Any:
    recorder = thread.recorder
    if isinstance(recorder, _SymbolicRecorder):
        args = (self, kind, signature, start)
        return recorder.host(_engine_of, args, "engine", "object")
    return _patches.kept[random.Stream, "engine"](self, kind, signature, start)


def _text_of_size(name: str) -> Callable[..., str]:
    def text(self: Any, *args: Any) -> str:
        recorder = thread.recorder
        if isinstance(recorder, _SymbolicRecorder) and not recorder.busy and not recorder.texted:
            recorder.texted.append(user_site())  # maybe only the text of an error
        return _patches.kept[type(self), name](self, *args)

    return text


#: torch reports what its tensors without data cannot do; `Unsupported` says it already.
_loggers = [
    logging.getLogger(name)
    for name in ("torch._subclasses.fake_tensor", "torch.fx.experimental.symbolic_shapes")
]


class _Patches:
    """Replaced methods and silent loggers, while anybody records symbolically."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._own: list[tuple[type, str]] = []
        self._disabled: list[bool] = []
        self.kept: dict[tuple[type, str], Any] = {}

    def __enter__(self) -> None:
        with self._lock:
            self._users += 1
            if self._users > 1:
                return
            others: dict[tuple[type, str], Any] = {(random.Stream, "engine"): _stream_engine}
            for kind in (torch.SymInt, torch.SymFloat):
                for name in ("__repr__", "__str__", "__format__"):
                    others[kind, name] = _text_of_size(name)
            self.kept = {(kind, name): getattr(kind, name) for kind, name in others}
            self._own = [(kind, name) for kind, name in others if name in kind.__dict__]
            for (kind, name), function in others.items():
                setattr(kind, name, function)
            self._disabled = [log.disabled for log in _loggers]
            for log in _loggers:
                log.disabled = True

    def __exit__(self, *exc: Any) -> None:
        with self._lock:
            self._users -= 1
            if self._users:
                return
            for (kind, name), function in self.kept.items():
                if (kind, name) in self._own:
                    setattr(kind, name, function)
                else:
                    delattr(kind, name)
            for log, disabled in zip(_loggers, self._disabled, strict=True):
                log.disabled = disabled


_patches = _Patches()


class _SitedGuards(list[Any]):
    """ShapeEnv's conditions, with the place in the user's code where each arose."""

    def __init__(self, guards: Iterable[Any]) -> None:
        super().__init__(guards)
        self.sites: list[_Site] = [None] * len(self)

    def append(self, guard: Any) -> None:
        super().append(guard)
        self.sites.append(user_site())


# ------------------------------------------------------------------------------- the recorder


def _fake_convolution(func: Any, args: tuple[Any, ...]) -> Any:
    """Results of a convolution over plain memory; None where torch's own rule must say it.

    torch's rule asks which library would compute it, which depends on the batch size. In plain
    memory all of them return plain memory.
    """
    backward = func is aten.convolution_backward.default
    x, weight = args[1 if backward else 0], args[2 if backward else 1]
    if not (x.is_contiguous() and weight.is_contiguous()):
        return None
    if backward:
        sizes, mask = args[3], args[10]
        bias = x.new_empty(sizes if sizes else (weight.shape[0],)) if mask[2] else None
        return (
            torch.empty_like(x) if mask[0] else None,
            torch.empty_like(weight) if mask[1] else None,
            bias,
        )
    from torch._meta_registrations import calc_conv_nd_return_shape

    stride, padding, dilation, transposed, output_padding, groups = args[3:9]
    more = output_padding if transposed else None
    shape = calc_conv_nd_return_shape(
        x, weight, stride, padding, dilation, transposed, groups, more
    )
    return x.new_empty(shape)


_CONVOLUTIONS = frozenset({aten.convolution.default, aten.convolution_backward.default})


class _SymbolicRecorder(Recorder):
    """Notes a run over tensors without data."""

    def __init__(self, shape_env: Any, snapshot: _Snapshot) -> None:
        super().__init__()
        self.mode = FakeTensorMode(
            shape_env=shape_env, allow_non_fake_inputs=True, allow_fallback_kernels=False
        )
        self.mode.cache_enabled = False  # calls with equal symbols are rare: 20 % faster without
        self.cells = _CellsMet(snapshot)
        #: Whether torch's rules run, and not Python of the user or of agar.
        self.busy = False
        #: Where a size became a text, which would be a constant of the recording.
        self.texted: list[_Site] = []
        self._fakes: dict[int, torch.Tensor] = {}  # by the number of a lifted tensor
        self._versions: list[tuple[torch.Tensor, int]] = []

    def die(self, reason: str) -> Any:
        """Give the recording up, and end the run, which does nothing real."""
        if self.dead is None:
            self.dead, self.dead_site = reason, user_site()
        raise _Stop(reason)

    # ------------------------------------------------------------------ variables

    def is_constant(self, t: torch.Tensor) -> bool:
        """Whether Python made the tensor from data of its own, and nothing symbolic changed it."""
        if isinstance(t, FakeTensor) or id(t) not in self._created:
            return False
        known = self._storages.get(t.untyped_storage()._cdata)
        return known is None or known[1] not in self._changed

    def _ref(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            number = value.__dict__.get("_wrapped_number") if value.__dict__ else None
            if number is not None:  # a size among tensors, as in x * n
                return self._ref(number)
            return super()._ref(value)
        if isinstance(value, _SYMBOLIC):
            try:
                return _size_of(value)
            except Unsupported as error:
                self.die(error.reason)
        if isinstance(value, torch.Size):
            return tuple([self._ref(v) for v in value])
        return super()._ref(value)

    def _alias(self, t: torch.Tensor, var: int) -> int:
        number = super()._alias(t, var)
        op = self.ops[-1]
        op.args = (op.args[0], *map(self._ref, op.args[1:]))
        return number

    def _lift(self, t: torch.Tensor) -> int:
        if isinstance(t, FakeTensor):  # made past the dispatcher, over memory of the run
            if not self._is_known_memory(t):
                self.die("a tensor of another recording is used")
            return super()._lift(t)
        if t.is_conj() or t.is_neg():
            self.die("a conjugated tensor is used that the run did not make")
        number = super()._lift(t)
        op = self.ops[-1] if self.ops else None
        with self._rules():
            if op is not None and op.outs == (number,) and op.func is aten.as_strided.default:
                fake = self._fakes[op.args[0].i].as_strided(*op.args[1:])  # a view of another
                self._tagged.append(t)
            else:
                fake = torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device=t.device)
        fake._agar_var = (self._token, number)  # type: ignore[attr-defined]
        self._fakes[number] = fake
        storage = fake.untyped_storage()
        known = self._storages[t.untyped_storage()._cdata]
        self._storages[storage._cdata] = (type(known[0])(storage), known[1], known[2])
        self._versions.append((t, t._version))
        return number

    @contextlib.contextmanager
    def _rules(self) -> Iterator[None]:
        """Where operators are torch's rules for tensors without data."""
        before, self.busy = self.busy, True
        try:
            # the dispatcher in Python has rules that keep sizes symbolic; below autograd it
            # changes nothing about which operators run
            with self.mode, torch._C._EnablePythonDispatcher():
                yield
        finally:
            self.busy = before

    def restore_versions(self) -> None:
        """Take back that operators in place were counted on tensors that they did not change."""
        for t, version in self._versions:
            if t._version != version:
                _autograd._unsafe_set_version_counter((t,), (version,))

    # ------------------------------------------------------------------- dispatch

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if self.busy:  # torch's own rules
            return func(*args, **kwargs)
        if self.dead is not None:
            raise _Stop(self.dead)
        if func is torch.ops.prim.device.default and isinstance(args[0], FakeTensor):
            return args[0].fake_device
        given = list(_tensors((args, tuple(kwargs.values()))))
        if func is aten.lift_fresh.default and not isinstance(args[0], FakeTensor):
            self.created(args[0])
        if self._is_real(func, args, kwargs, given):
            out = func(*args, **kwargs)
            for t in _tensors(out):
                self.created(t)
            return out
        if func in capture._QUESTIONS:
            with self._rules():
                return func(*args, **kwargs)
        if func in capture._MOVES:
            return self._moved(func, args, kwargs)
        answers = func in READS or not capture._returns_tensors(func)
        if answers and not given:  # about types, for example
            return func(*args, **kwargs)
        if answers:
            self.die(f"Python reads a value of a tensor ({func._schema.name})")
        if torch.Tag.dynamic_output_shape in func.tags and capture._depends_on_values(func, args):
            self.die(f"the shape of what {func._schema.name} returns depends on values")
        taken = tuple([self._ref(a) for a in args])
        named = {k: self._ref(v) for k, v in kwargs.items()} if kwargs else kwargs
        self._check_history(func, args, kwargs, given)
        real: dict[int, torch.Tensor] = {}

        def fake(value: Any) -> Any:
            if isinstance(value, torch.Tensor):
                if isinstance(value, FakeTensor) or "_wrapped_number" in value.__dict__:
                    return value
                number = self.number_of(value)
                assert number is not None
                found = self._fakes[number]
                real[id(found)] = value
                return found
            if isinstance(value, (tuple, list)):
                return type(value)([fake(v) for v in value])
            return None if isinstance(value, torch.Generator) else value

        fakes = fake(args)
        named_fakes = {k: fake(v) for k, v in kwargs.items()}
        with self._rules():
            out = _fake_convolution(func, fakes) if func in _CONVOLUTIONS else None
            if out is None:
                out = func(*fakes, **named_fakes)
        op = Op(func, taken, named, (), (), user_site(), len(self.ops))
        self._bind(op, out)
        self.ops.append(op)
        if func._schema.is_mutable or func in HIDDEN_WRITES:
            self._note_changes(func, fakes, named_fakes)
        if not real:
            return out
        if isinstance(out, torch.Tensor):
            return real.get(id(out), out)
        if isinstance(out, (tuple, list)):
            return type(out)([real.get(id(t), t) for t in out])
        return out

    def _is_real(
        self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], given: list[torch.Tensor]
    ) -> bool:
        """Whether an operator computes with constants of Python alone: it runs for real."""
        if not given or not all(map(self.is_constant, given)):
            return False
        if torch.Tag.nondeterministic_seeded in func.tags or _has_sizes((args, kwargs)):
            return False
        if func._schema.is_mutable:  # what is recorded already must not see the change
            return not any(self._is_known_memory(t) for t in given)
        return True

    def _check_history(
        self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], given: list[torch.Tensor]
    ) -> None:
        """A real tensor must not get a history of tensors without data."""
        if not func._schema.is_mutable or not torch.is_grad_enabled():
            return
        if not any(t.requires_grad for t in given):
            return
        for i, argument in enumerate(func._schema.arguments):
            info = argument.alias_info
            if info is None or not info.is_write:
                continue
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            if any(not isinstance(t, FakeTensor) for t in _tensors(value)):
                self.die("a tensor from outside is changed in place by a differentiable one")

    def _moved(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with self._rules():
            return super()._moved(func, args, kwargs)

    # ------------------------------------------------------------------- host code

    def host(
        self,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        label: str,
        gives: str = "tensor",
        writes: tuple[int, ...] = (),
    ) -> Any:
        """Note Python that must run at every replay, and hand out what stands for its result."""
        if self.dead is not None:
            raise _Stop(self.dead)
        if isinstance(fn, functools.partial):
            args = (*fn.args, *args, *fn.keywords.values())
            fn = _Spread(fn.func, tuple(fn.keywords))
        name = getattr(fn.fn if isinstance(fn, _Spread) else fn, "__name__", label)
        taken = tuple([self._ref(a) for a in args])
        host = Host(fn, label, gives, writes)
        op = Op(host, taken, {}, (), (), user_site(), len(self.ops))
        if gives == "nothing":
            self._note_writes(args, writes)
            self.ops.append(op)
            return None
        if gives == "object":
            number = self._count
            self._count += 1
            made: Any = _Opaque(label)
            if name == "stepped_generator":  # torch takes nothing else for a generator
                made = torch.Generator(args[2] if len(args) > 2 else "cpu")
            self._objects[id(made)] = (made, number)
            op.outs, op.metas = (number,), (None,)
            self.ops.append(op)
            return made
        stand_in = _STAND_INS.get(name)
        with self._rules():
            result = None if stand_in is None else stand_in(*args)
        if result is None:
            self.die(f"the shape of what {label} returns is not known")
        if gives == "auto":
            host.gives = "tensors" if isinstance(result, tuple) else "tensor"
        self._note_writes(args, writes)
        self._bind(op, result)
        self.ops.append(op)
        return result

    def _note_writes(self, args: tuple[Any, ...], writes: tuple[int, ...]) -> None:
        for i in writes:
            for t in _tensors(args[i]):
                number = self.number_of(t)
                if number is not None:
                    self._changed.add(self.metas[number].storage)

    # ------------------------------------------------------------------ text and print

    def text(self, t: torch.Tensor, form: Callable[[torch.Tensor], str]) -> str:
        """A mark in place of a tensor's text, for a print to find."""
        if self.is_constant(t):
            return form(t)
        number = self._ref(t).i
        made = f"\0{number}:{len(self._texts)}\0"
        self._texts.append((made, number, form))
        self._shown[number] = t
        return made

    def _printed(
        self, write: Callable[..., None], parts: tuple[Any, ...], rest: tuple[Any, ...]
    ) -> None:
        host = Host(write, "print", "nothing")
        self.ops.append(Op(host, (parts, *rest), {}, (), (), user_site(), len(self.ops)))


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for v in value:
            yield from _tensors(v)


# ------------------------------------------------------------------------ leaving no marks


class _CellsMet(dict[int, Any]):
    """The cells that a run calls, each noted in a snapshot before it runs."""

    def __init__(self, snapshot: _Snapshot) -> None:
        super().__init__()
        self._snapshot = snapshot

    def __setitem__(self, key: int, cell: Any) -> None:
        if key not in self:
            self._snapshot.add(cell)
            super().__setitem__(key, cell)


#: Attributes of cells that are caches of agar's own.
_CACHES = frozenset({"_cache", "_compiled", "_gradients", "_kept_records"})
_DEPTH = 6


class _Snapshot:
    """Objects of Python as they were, to find out what a run has changed and to put it back."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, Any]] = {}  # container -> its contents then
        self._tensors: dict[int, tuple[Tensor, torch.Tensor]] = {}
        self._numpy = np.random.get_state()
        self._python = python_random.getstate()
        self._torch = torch.random.get_rng_state()

    def add(self, value: Any, depth: int = 0) -> None:
        """Note an object and what it holds."""
        if id(value) in self._kept or id(value) in self._tensors or depth > _DEPTH:
            return
        if isinstance(value, Tensor):
            if not isinstance(value, SymbolicTensor):  # which only describes
                self._tensors[id(value)] = value, value._value
            self._kept[id(vars(value))] = vars(value), dict(vars(value))
            return
        inside: Any
        if isinstance(value, dict):
            self._kept[id(value)] = value, dict(value)
            inside = value.values()
        elif isinstance(value, (list, set)):
            self._kept[id(value)] = value, type(value)(value)
            inside = value
        elif isinstance(value, tuple):
            inside = value
        elif hasattr(value, "construct") and hasattr(value, "_cells"):
            self._kept[id(value.__dict__)] = value.__dict__, dict(value.__dict__)
            inside = [v for k, v in value.__dict__.items() if k not in _CACHES]
        elif _is_users(value):
            self._kept[id(value.__dict__)] = value.__dict__, dict(value.__dict__)
            inside = value.__dict__.values()
        else:
            return
        for v in inside:
            self.add(v, depth + 1)

    def put_back(self) -> str | None:
        """Undo what has changed since, and say what that was."""
        changed = None
        for held, then in self._kept.values():
            if not _same_contents(held, then):
                changed = changed or "objects of Python"
                if isinstance(held, list):
                    held[:] = then
                    continue
                caches = {k: held[k] for k in _CACHES & held.keys()} if type(held) is dict else ()
                held.clear()
                held.update(then)
                if caches:
                    held.update(caches)
        for t, value in self._tensors.values():
            if t._value is not value:
                changed = changed or "the tensor of a parameter"
                t._value = value
        if not _same_numpy(np.random.get_state(), self._numpy):
            changed = changed or "numpy's random state"
            np.random.set_state(self._numpy)
        if python_random.getstate() != self._python:
            changed = changed or "the state of Python's random"
            python_random.setstate(self._python)
        if not torch.equal(torch.random.get_rng_state(), self._torch):
            changed = changed or "torch's random state"
            torch.random.set_rng_state(self._torch)
        return changed


def _is_users(value: Any) -> bool:
    module = type(value).__module__
    return (
        type(getattr(value, "__dict__", None)) is dict
        and not callable(value)
        and not isinstance(value, (type, torch.Tensor))
        and not module.startswith(("agar.", "torch.", "numpy.", "builtins", "functools"))
    )


def _same_contents(now: Any, then: Any) -> bool:
    if isinstance(now, set):
        return now == then
    if isinstance(now, list):
        return len(now) == len(then) and all(map(operator.is_, now, then))
    now = {k: v for k, v in now.items() if k not in _CACHES}
    then = {k: v for k, v in then.items() if k not in _CACHES}
    return now.keys() == then.keys() and all(v is then[k] for k, v in now.items())


def _same_numpy(a: Any, b: Any) -> bool:
    return a[0] == b[0] and bool((a[1] == b[1]).all()) and a[2:] == b[2:]


# ---------------------------------------------------------------------------------- a recording


class _Source(_guards.Source):
    """Where a symbol comes from, as ShapeEnv wants to know it."""

    def __init__(self, leaf: int, dim: int) -> None:
        self._text = f"argument {leaf}, dimension {dim}"

    @functools.cached_property
    def guard_source(self) -> Any:
        return _guards.GuardSource.CONSTANT

    @property
    def _name_template(self) -> str:
        return self._text


class _Trace:
    """What one run over symbols gave."""

    def __init__(self, mode: FakeTensorMode) -> None:
        self.mode = mode
        self.symbols: dict[Any, tuple[int, int]] = {}  # sympy symbol -> tensor and dimension
        self.guards: list[tuple[Any, _Site]] = []
        self.outcome: Outcome | None = None
        self.segment: Segment | None = None
        self.stands: dict[int, int] = {}
        self.made: set[int] = set()  # bound variables that Python made: equal by value
        #: Whether all that its Python read was guarded while it ran.
        self.certain = True

    def holds_for(self, sizes: dict[Any, int]) -> bool:
        """Whether sizes meet the conditions of the recording."""
        if any(n < 2 for n in sizes.values()):
            return False
        try:
            return all(_value_of(Size(expr), sizes) for expr, _ in self.guards)
        except ZeroDivisionError:
            return False

    def returned(self) -> Any:
        """The form of the result, over variables of the segment."""
        assert self.outcome is not None
        return map_refs(self.outcome.form, lambda ref: Ref(self.stands[ref.i]))

    def lower(self, recorder: _SymbolicRecorder) -> None:
        """Make a segment of what was recorded."""
        outcome = self.outcome
        assert outcome is not None
        node = Node(recorder.ops, recorder.lifted)
        node.outcome = outcome
        lifted = dict(recorder.lifted)
        ops = tree._fresh_constants(node, lifted, tree._Scope([], recorder))
        metas = {v: _frozen(meta) for v, meta in recorder.metas.items()}
        body, stands = aliases_resolved([_as_identity(op, metas) for op in ops])
        self.stands = {v: stands.get(v, v) for v in outcome.variables}
        outs = list(dict.fromkeys(self.stands.values()))
        body = without_dead_code(body, outs)
        bound = {v: f.tensor for v, f in lifted.items()}
        values = {v: f.tensor if f.copy is None else f.copy for v, f in lifted.items() if f.created}
        body, folded = _folded(body, outs, metas, values)
        bound.update(folded)
        body = without_dead_code(body, outs)
        ins = inputs_of(body, outs)
        bound = {v: t for v, t in bound.items() if v in ins}
        self.made = {v for v in bound if v not in lifted or lifted[v].created}
        used = {*ins, *outs, *(o for op in body for o in op.outs if o is not None)}
        metas = {v: meta for v, meta in metas.items() if v in used}
        self.segment = Segment(body, ins, outs, metas, False, bound)


def _as_identity(op: Op, metas: dict[int, Meta]) -> Op:
    """A slice of everything as an identity; with known sizes torch does not even call it."""
    if op.func is not aten.slice.Tensor or op.outs[0] is None or type(op.args[0]) is not Ref:
        return op
    if not metas[op.outs[0]].like(metas[op.args[0].i]):
        return op
    return Op(aten.alias.default, op.args[:1], {}, op.outs, op.metas, op.site, op.at)


def _frozen(meta: Meta) -> Meta:
    """A look whose sizes can be compared without asking ShapeEnv."""
    made = object.__new__(Meta)
    made.shape = tuple(map(_fixed_size, meta.shape))
    made.stride = tuple(map(_fixed_size, meta.stride))
    made.dtype, made.device, made.storage = meta.dtype, meta.device, meta.storage
    return made


def _fixed_size(size: Any) -> Any:
    return size if type(size) is int else _size_of(size)


_LARGEST_CONSTANT = 1 << 20  # elements


def _folded(
    ops: list[Op], outs: list[int], metas: dict[int, Meta], values: dict[int, torch.Tensor]
) -> tuple[list[Op], dict[int, torch.Tensor]]:
    """Compute once what depends neither on inputs nor on sizes."""
    changed = {metas[v].storage for op in ops for v in mutates(op)}
    changed.update(metas[v].storage for v in outs)
    known = {v: t for v, t in values.items() if metas[v].storage not in changed}
    kept: list[Op] = []
    made: dict[int, torch.Tensor] = {}
    for op in ops:
        found = None
        if isinstance(op.func, torch._ops.OpOverload) and len(op.outs) == 1 and op.outs[0]:
            found = _computed(op, known, metas[op.outs[0]].storage in changed)
        if found is None:
            kept.append(op)
        else:
            known[op.outs[0]] = made[op.outs[0]] = found  # type: ignore[index]
    return kept, made


def _computed(op: Op, known: dict[int, torch.Tensor], changed: bool) -> torch.Tensor | None:
    """The value of a call of constants; None if it is none, or too large."""
    func = op.func
    if changed or not isinstance(func, torch._ops.OpOverload) or not is_pure(op):
        return None
    refs = used_by(op)
    if not (all(r in known for r in refs) if refs else func in FACTORIES):
        return None
    if not returns_one_tensor(func) or _holds_size((op.args, op.kwargs)):
        return None
    args = map_refs(op.args, lambda ref: known[ref.i])
    kwargs = map_refs(op.kwargs, lambda ref: known[ref.i])
    with torch.no_grad():
        found = func(*args, **kwargs)
    return found if found.numel() <= _LARGEST_CONSTANT else None


def _holds_size(value: Any) -> bool:
    found: list[Size] = []
    _map_sizes(value, found.append)
    return bool(found)


class SymbolicVariant:
    """A recording of one signature for all sizes of some dimensions.

    Args:
        unit: what is compiled (`agar._core.graph.unit.Unit`).
        leaves: the arguments of the call from which to record.
        dynamic: which sizes change.
    """

    def __init__(self, unit: Any, leaves: Leaves, dynamic: Dynamic) -> None:
        self.unit = unit
        self.dynamic = dynamic
        self.replays = 0
        self.conditions: list[str] = []
        self.source = ""
        self._leaves: Leaves | None = leaves
        self._trace: _Trace | None = None
        #: Says of torch's tensors in the arguments whether the recording holds for them.
        self.check: Callable[..., bool] | None = None
        self._rest: tuple[Any, ...] = ()
        self._run: Callable[..., Any] | None = None

    # --------------------------------------------------------------------- recording

    def record(self, known: Iterable[tuple[Segment, Sequence[Sequence[int]]]] = ()) -> None:
        """Record; nothing is computed and nothing outside is changed.

        Args:
            known: what real runs recorded that differ in these sizes only: the segment, and the
                shapes of the tensors among the arguments. The recording must agree with those for
                whose sizes it holds. Default: none; then a second symbolic run is compared.

        Raises:
            Unsupported: the call cannot be recorded for all these sizes.
        """
        leaves = self._leaves
        if leaves is None:
            raise RuntimeError("The recording has been made already.")
        _check(leaves, self.dynamic)
        with self.unit.lock:
            trace = self._traced(leaves)
            if not trace.certain:  # it has shown what else is read, which is guarded from now on
                trace = self._traced(leaves)
            if not trace.certain:
                raise Unsupported("Python takes another way in every run")
            compared = 0
            for segment, shapes in known:
                sizes = {s: shapes[leaf][d] for s, (leaf, d) in trace.symbols.items()}
                if trace.holds_for(sizes):
                    _compare(trace, segment, sizes)
                    compared += 1
            if not compared:
                other = self._traced(leaves)
                assert other.segment is not None
                _compare(trace, other.segment, {}, other.returned())
        self._trace = trace
        self._rest = split_key(leaves.key)[0]
        self.check = _generated_check(trace, [t._value for t in leaves.tensors])
        self._run = _generated_run(trace, len(leaves.tensors))
        self.source = self._run.source  # type: ignore[attr-defined]
        self.conditions = [_printed(e) for e, _ in trace.guards]
        self._leaves = None
        if not self.fits(leaves):
            raise Unsupported("the recording does not hold for its own call")

    def _traced(self, leaves: Leaves) -> _Trace:
        """One run over symbols."""
        unit = self.unit
        before = unit.look()
        snapshot = _Snapshot()
        for cell in unit.cells():
            snapshot.add(cell)
        around = unit._around
        reads = unit.reads
        for held in (around.tensors, around.parameters, reads.objects, reads.containers):
            snapshot.add(list(held.values()))
        recorder = self._recorder(snapshot)
        trace = _Trace(recorder.mode)
        reason: str | None = None
        site: _Site = None
        cause: BaseException | None = None
        refused: Unsupported | None = None
        try:
            with capture.inside_a_call(grad=False), _patches:
                self._record(trace, recorder, leaves)
        except _Stop as stop:
            reason = str(stop)
        except Unsupported as error:
            refused = error
        except Exception as error:
            reason = f"{type(error).__name__}: {_first_line(error)}"
            cause, site = error, _site_of(error)
        finally:
            changes = unit.changes_since(before)
            changed = snapshot.put_back()
            recorder.restore_versions()
        if recorder.dead is not None:
            raise Unsupported(recorder.dead, recorder.dead_site) from cause
        if refused is not None:
            raise refused
        if reason is not None:
            raise Unsupported(reason, site) from cause
        if changes:
            raise Unsupported(f"the call changes attributes of cells ({'; '.join(changes[:3])})")
        if changed is not None:
            raise Unsupported(f"the call changes {changed}")
        trace.lower(recorder)
        return trace

    def _recorder(self, snapshot: _Snapshot) -> _SymbolicRecorder:
        from torch.fx.experimental.symbolic_shapes import ShapeEnv

        return _SymbolicRecorder(ShapeEnv(), snapshot)

    def _record(self, trace: _Trace, recorder: _SymbolicRecorder, leaves: Leaves) -> None:
        shape_env = trace.mode.shape_env
        assert shape_env is not None
        fresh = [wrap(t) for t in _symbolic_inputs(trace, leaves, self.dynamic)]
        shape_env.guards = guards = _SitedGuards(shape_env.guards)
        recorder.inputs = range(len(fresh))
        recorder.monitor = monitor = Monitor()
        args, kwargs = rebuild(leaves.spec, fresh)
        with recorder:
            for i, t in enumerate(fresh):
                recorder.new_variable(t._value, i)
            with monitor:
                result = self.unit.python(args, kwargs)
            outcome, tensors = read_outcome(result, recorder, fresh, (args, {}))
            del kwargs
            trace.outcome = Outcome(_without_symbols(outcome.form), outcome.variables)
            del args, result
            recorder.finish(tensors)
        trace.certain = self.unit.learn(monitor)
        refused = self.unit.refusal(monitor, outcome)
        if refused is not None:
            raise Unsupported(*refused)
        if recorder.texted:
            raise Unsupported("a size becomes a text", recorder.texted[0])
        self.unit.learn_cells(dict(recorder.cells))
        trace.guards = list(zip([g.expr for g in guards], guards.sites, strict=True))
        fixed = {
            place: (symbol, int(size))
            for symbol, place in trace.symbols.items()
            if (size := shape_env.replace(symbol)).is_number
        }
        if fixed:
            (leaf, d), (symbol, size) = next(iter(fixed.items()))
            sites = [s for e, s in trace.guards if symbol in e.free_symbols]
            raise Unsupported(
                f"dimension {d} of tensor {leaf} can only have the size {size}",
                sites[-1] if sites else None,
                {place: n for place, (_, n) in fixed.items()},
            )

    # ------------------------------------------------------------------------- calls

    def fits(self, leaves: Leaves) -> bool:
        """Whether the recording holds for a call."""
        return (
            self.check is not None
            and split_key(leaves.key)[0] == self._rest
            and self.check(*[t._value for t in leaves.tensors])
        )

    def run(self, leaves: Leaves) -> Any:
        """Serve a call that fits."""
        try:
            return self.serve(leaves.call[0], *leaves.tensors)
        except Exception as error:
            return self.failed(error, leaves)

    def serve(self, args: tuple[Any, ...], *tensors: Tensor) -> Any:
        """Run the recording.

        Args:
            args: the positional arguments of the call.
            tensors: the tensors among all arguments.
        """
        assert self._run is not None
        self.replays += 1
        return self._run(args, *tensors)

    def failed(self, error: Exception, leaves: Leaves) -> Any:
        """An operator raised: if nothing had been changed yet, Python runs the call again."""
        run: Any = self._run
        where = error.__traceback__
        op = None
        while where is not None:
            if where.tb_frame.f_code.co_filename == run.code.filename:
                op = run.code.sites.get(where.tb_lineno)
            where = where.tb_next
        if op is None or isinstance(op.func, Host):
            raise error  # Python's own, from a function that runs at every replay
        assert self._trace is not None
        assert self._trace.segment is not None
        if all(is_pure(o) for o in self._trace.segment.ops if o.at < op.at):
            return self.unit.plain(leaves)
        place = "" if op.site is None else f", at {op.site[0]}:{op.site[1]}"
        raise translate(error, op.name, f"the call{place}") from error


def _without_symbols(form: Any) -> Any:
    """The form of a result with each symbolic number as a `Size`."""
    if isinstance(form, _SYMBOLIC):
        return _size_of(form)
    if isinstance(form, (tuple, list)) and not hasattr(form, "_fields"):
        return type(form)([_without_symbols(part) for part in form])
    return form


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0][:200]


def _site_of(error: BaseException) -> _Site:
    """The innermost line of the user's code in a traceback."""
    found = None
    where = error.__traceback__
    while where is not None:
        name = where.tb_frame.f_code.co_filename
        if not name.startswith((capture._HERE, capture._TORCH, "<")):
            found = name, where.tb_lineno
        where = where.tb_next
    return found


def _check(leaves: Leaves, dynamic: Dynamic) -> None:
    """Refuse what symbols cannot stand for.

    Raises:
        Unsupported: such a thing is there.
    """
    if not dynamic.dims:
        raise Unsupported("no size changes")
    for leaf in dynamic.dims:
        if not 0 <= leaf < len(leaves.tensors):
            raise Unsupported(f"there is no tensor {leaf} among the arguments")
    for leaf, t in enumerate(leaves.tensors):
        raw = t._value
        if raw.layout is not torch.strided or raw.is_conj() or raw.is_neg():
            raise Unsupported(f"tensor {leaf} is sparse or conjugated")
        if raw.requires_grad:
            raise Unsupported(f"a gradient by tensor {leaf} is taken outside of the call")
        for d, bounds in dynamic.of(leaf).items():
            if not 0 <= d < raw.dim():
                raise Unsupported(f"tensor {leaf} has no dimension {d}")
            n = raw.shape[d]
            if n < 2:
                raise Unsupported(f"dimension {d} of tensor {leaf} has size {n}, which is special")
            if bounds is not None and not _within(n, bounds):
                raise Unsupported(f"dimension {d} of tensor {leaf} has size {n}, not in {bounds}")


def _within(n: int, bounds: Symbol) -> bool:
    return (
        n >= bounds.min
        and (not bounds.max or n <= bounds.max)
        and (n - bounds.remainder) % bounds.divisor == 0
    )


def _symbolic_inputs(trace: _Trace, leaves: Leaves, dynamic: Dynamic) -> list[torch.Tensor]:
    """Tensors without data for the arguments; their chosen sizes are symbols."""
    from torch.fx.experimental.symbolic_shapes import DimDynamic

    shape_env = trace.mode.shape_env
    assert shape_env is not None
    shared: dict[int, Any] = {}
    made: list[torch.Tensor] = []
    for leaf, t in enumerate(leaves.tensors):
        raw = t._value
        sizes: list[Any] = list(raw.shape)
        for d, bounds in dynamic.of(leaf).items():
            source = _Source(leaf, d)
            symbol = shape_env.create_symbol(sizes[d], source, DimDynamic.DYNAMIC)
            trace.symbols[symbol] = leaf, d
            sizes[d] = shape_env.create_symintnode(symbol, hint=sizes[d], source=source)
            if bounds is None:
                continue
            torch._check(sizes[d] >= bounds.min)
            if bounds.max:
                torch._check(sizes[d] <= bounds.max)
            if bounds.divisor > 1:
                torch._check((sizes[d] - bounds.remainder) % bounds.divisor == 0)
            if bounds.unique:
                torch._check(sizes[d] == shared.setdefault(id(bounds), sizes[d]))
        strides: list[Any] = list(raw.stride())
        for d, factors in enumerate(_stride_factors(raw)):
            if factors is not None:
                strides[d] = functools.reduce(operator.mul, [sizes[f] for f in factors], 1)
        with trace.mode:
            made.append(torch.empty_strided(sizes, strides, dtype=raw.dtype, device=raw.device))
    return made


def _stride_factors(raw: torch.Tensor) -> list[list[int] | None]:
    """For each dimension those whose sizes multiply to its stride; None for a fixed stride."""
    order = sorted(range(raw.dim()), key=lambda d: (raw.stride(d), -d))
    factors: list[list[int] | None] = [None] * raw.dim()
    inner: list[int] = []
    expected = 1
    for d in order:
        if raw.stride(d) != expected:
            return [None] * raw.dim()
        factors[d] = list(inner)
        inner.append(d)
        expected *= raw.shape[d]
    return factors


# ------------------------------------------------------------------------------- comparisons


def _compare(trace: _Trace, other: Segment, sizes: dict[Any, int], returned: Any = None) -> None:
    """Compare a recording with another one of the same call.

    Args:
        trace: the recording.
        other: the other one, symbolic if `sizes` is empty, else of a real run.
        sizes: the symbols' values in that run.
        returned: the form of what the other run returned. Default: None, not compared.

    Raises:
        Unsupported: they differ.
    """
    segment = trace.segment
    assert segment is not None
    if other.read:
        raise Unsupported("Python reads a value of a tensor")
    comparison = _Comparison(trace, segment, other, sizes)
    comparison.run()
    if returned is not None and not comparison.same(trace.returned(), returned):
        raise Unsupported("the result, apart from its tensors, differed in two runs")


class _Comparison:
    """Walks along two recordings of the same call; see `_compare`."""

    def __init__(self, trace: _Trace, mine: Segment, other: Segment, sizes: dict[Any, int]) -> None:
        self.mine = mine
        self.other = other
        self.sizes = sizes
        self.twin = {i: i for i in mine.ins if i not in mine.lifted}  # variables here -> there
        self.roots: dict[int, int] = {}  # variables there that are others, as slices of everything
        self.constants = dict(mine.lifted)
        self.other_constants = dict(other.lifted)
        self.by_identity = set(mine.lifted) - trace.made
        self.engines: dict[int, Any] = {}  # of streams, which a run with data finds at once
        self._values: dict[Size, Any] = {}

    def run(self) -> None:
        """Compare.

        Raises:
            Unsupported: they differ.
        """
        theirs = list(self.other.ops)[::-1]
        for op in self.mine.ops:
            while not (theirs and self._same_call(op, theirs[-1])):
                if self._skips(op):
                    break
                if not (theirs and self._skips_other(theirs[-1])):
                    was = repr(theirs[-1]) if theirs else "nothing"
                    raise Unsupported(
                        f"{op!r} is recorded where a run with data does {was}", op.site
                    )
                theirs.pop()
            else:
                self._pair(op, theirs.pop())
        while theirs:
            if not self._skips_other(theirs[-1]):
                raise Unsupported(f"{theirs[-1].name} ran with data only", theirs[-1].site)
            theirs.pop()
        for mine, its in zip(self.mine.outs, self.other.outs, strict=False):
            if not self.same(Ref(mine), Ref(its)):
                raise Unsupported("a run with data returns other tensors")
        if len(self.mine.outs) != len(self.other.outs):
            raise Unsupported("a run with data returns other tensors")

    def _pair(self, op: Op, its: Op) -> None:
        for a, b in zip(op.outs, its.outs, strict=True):
            if a is None or b is None:
                continue
            self.twin.setdefault(a, b)
            mine, theirs = self.mine.metas.get(a), self.other.metas.get(b)
            if not self.sizes or mine is None or theirs is None:
                continue
            if not self._looks_alike(mine, theirs):
                raise Unsupported(
                    f"torch's rule for {op.name} gives {mine} with strides {mine.stride}, the "
                    f"operator gave {theirs} with strides {theirs.stride}",
                    op.site,
                )

    # ------------------------------------------------------------- what one of them leaves out

    def _skips(self, op: Op) -> bool:
        """Whether a run with data need not do this."""
        if not self.sizes:
            return False
        args = self._filled(op.args)
        if isinstance(op.func, Host):
            if op.func.fn is not _engine_of:
                return False
            stream, kind, signature, _ = args
            self.engines[made_by(op)[0]] = stream._engines.get((kind, signature))
            return True
        if op.func is aten.slice.Tensor and op.args[0].i in self.twin:
            mine, source = (self.mine.metas[v] for v in (made_by(op)[0], op.args[0].i))
            if self._shown(mine) == self._shown(source):
                self.twin[made_by(op)[0]] = self.twin[op.args[0].i]
                return True
        filled = Op(op.func, args, self._filled(op.kwargs), op.outs, op.metas)
        found = _computed(filled, self.constants, False)
        if found is None:
            return False
        self.constants[made_by(op)[0]] = found
        return True

    def _skips_other(self, op: Op) -> bool:
        """Whether the recording need not do what a run with data did."""
        if not self.sizes or not isinstance(op.func, torch._ops.OpOverload) or not is_pure(op):
            return False
        if op.func is aten.slice.Tensor and type(op.args[0]) is Ref:
            made, source = made_by(op)[0], op.args[0].i
            if self.other.metas[made].like(self.other.metas[source]):
                self.roots[made] = self._root(source)
                return True
        if not all(r in self.other_constants for r in used_by(op)):
            return False
        with torch.no_grad():
            args = map_refs(op.args, lambda ref: self.other_constants[ref.i])
            kwargs = map_refs(op.kwargs, lambda ref: self.other_constants[ref.i])
            found = op.func(*args, **kwargs)
        parts = (found,) if isinstance(found, torch.Tensor) else found
        self.other_constants.update(
            {o: t for o, t in zip(op.outs, parts, strict=True) if o is not None}
        )
        return True

    # ----------------------------------------------------------------------------- equality

    def _filled(self, value: Any) -> Any:
        """Arguments with the numbers that sizes have in the other run."""
        return _map_sizes(value, self._value) if self.sizes else value

    def _value(self, size: Size) -> Any:
        known = self._values.get(size)
        if known is None:
            known = self._values[size] = _value_of(size, self.sizes)
        return known

    def _shown(self, meta: Meta) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Shape and strides in the other run."""
        return tuple(map(self._filled, meta.shape)), tuple(map(self._filled, meta.stride))

    def _looks_alike(self, mine: Meta, its: Meta) -> bool:
        if mine.dtype != its.dtype or mine.device != its.device:
            return False
        shape, stride = self._shown(mine)
        if shape != tuple(its.shape):
            return False
        return 0 in shape or all(
            n == 1 or a == b for n, a, b in zip(shape, stride, its.stride, strict=True)
        )

    def _root(self, v: int) -> int:
        return self.roots.get(v, v)

    def _same_call(self, op: Op, its: Op) -> bool:
        if len(op.outs) != len(its.outs) or not self.same(self._filled(op.kwargs), its.kwargs):
            return False
        args = self._filled(op.args)
        if _same_function(op.func, its.func) and self.same(args, its.args):
            return True
        # Python asks the second operand first, if its class is derived from that of the first one
        return _MIRRORED.get(op.func) is its.func and self.same(args[::-1], its.args)

    def same(self, mine: Any, its: Any) -> bool:
        """Whether arguments, or forms of results, mean the same in both."""
        kind = type(mine)
        if kind is Ref:
            return self._same_variable(mine.i, its)
        if isinstance(its, torch.Size):
            its = tuple(its)
        if kind is not type(its):
            return False
        if kind is tuple or kind is list:
            return len(mine) == len(its) and all(map(self.same, mine, its))
        if kind is dict:
            return mine.keys() == its.keys() and all(self.same(v, its[k]) for k, v in mine.items())
        return mine == its if kind is Size else same_value(mine, its)

    def _same_variable(self, mine: int, its: Any) -> bool:
        if type(its) is not Ref:
            return its is not None and self.engines.get(mine) is its
        there = self._root(its.i)
        if mine in self.twin:
            return self._root(self.twin[mine]) == there
        a, b = self.constants.get(mine), self.other_constants.get(there)
        if (
            a is None
            or b is None
            or (a is not b and (mine in self.by_identity or not _equal(a, b)))
        ):
            return False
        self.twin[mine] = there
        return True


#: Comparisons whose operands may be exchanged, and what they are then.
_MIRRORED = {
    aten.lt.Tensor: aten.gt.Tensor,
    aten.gt.Tensor: aten.lt.Tensor,
    aten.le.Tensor: aten.ge.Tensor,
    aten.ge.Tensor: aten.le.Tensor,
    aten.eq.Tensor: aten.eq.Tensor,
    aten.ne.Tensor: aten.ne.Tensor,
}


def _same_function(a: Any, b: Any) -> bool:
    if a is b or not (isinstance(a, Host) and isinstance(b, Host)):
        return a is b
    return a.gives == b.gives and a.label == b.label


def _value_of(size: Size, sizes: dict[Any, int]) -> Any:
    """What an expression is for sizes."""
    names = {str(s): n for s, n in sizes.items()}
    return eval(_printed(size.expr), dict(_NAMES), names)


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device or a.stride() != b.stride():
        return False
    return torch.equal(a, b) or bool(((a == b) | ((a != a) & (b != b))).all())


# ------------------------------------------------------------------------------ generated code


def _generated_check(trace: _Trace, tensors: list[torch.Tensor]) -> Callable[..., bool]:
    """The function that says whether a recording holds for torch's tensors ``r0, r1, ...``."""
    names: dict[str, Any] = dict(_NAMES)
    symbol_at = {place: str(symbol) for symbol, place in trace.symbols.items()}
    sizes: list[list[Any]] = []
    strides: list[list[Any]] = []
    read: list[str] = []
    conditions: list[str] = []
    for leaf, raw in enumerate(tensors):
        shape: list[Any] = [symbol_at.get((leaf, d), n) for d, n in enumerate(raw.shape)]
        own: list[Any] = list(raw.stride())
        for d, factors in enumerate(_stride_factors(raw)):
            symbolic = factors is not None and any(isinstance(shape[f], str) for f in factors)
            if symbolic and factors is not None:
                product = " * ".join([str(shape[f]) for f in factors])
                conditions.append(f"r{leaf}.stride({d}) == {product}")
                own[d] = None
        for d, n in enumerate(shape):
            if isinstance(n, str):
                read.append(f"{n} = r{leaf}.size({d})")
                conditions.insert(0, f"{n} > 1")
        sizes.append([None if isinstance(n, str) else n for n in shape])
        strides.append(own)
    conditions += dict.fromkeys([f"({_printed(expr)})" for expr, _ in trace.guards])
    names["same"] = _same_looks(tensors, sizes, strides)
    given = ", ".join([f"r{leaf}" for leaf in range(len(tensors))])
    lines = [f"if not same({given}): return False", *read]
    lines.append(f"try: return {' and '.join(conditions) or 'True'}")
    lines.append("except ZeroDivisionError: return False")
    source = f"def check({given}):\n  " + "\n  ".join(lines) + "\n"
    exec(compile(source, "<agar sizes>", "exec"), names)
    made = names["check"]
    made.source = source
    return made


def _same_looks(
    tensors: list[torch.Tensor], sizes: list[list[Any]], strides: list[list[Any]]
) -> Callable[..., bool]:
    """A check of types, devices and those sizes and strides that are not None."""
    try:
        guards = torch._C._dynamo.guards.TensorGuards(  # pyright: ignore[reportAttributeAccessIssue]
            *tensors, dynamic_dims_sizes=sizes, dynamic_dims_strides=strides
        )
        if guards.check(*tensors):
            return guards.check
    except (AttributeError, TypeError):
        pass
    looks = [(t.dtype, t.device, t.requires_grad, t.dim()) for t in tensors]

    def agrees(found: Sequence[int], expected: list[Any]) -> bool:
        return all(e is None or n == e for n, e in zip(found, expected, strict=True))

    def check(*values: torch.Tensor) -> bool:
        return all(
            (t.dtype, t.device, t.requires_grad, t.dim()) == look
            and agrees(t.shape, size)
            and agrees(t.stride(), stride)
            for t, look, size, stride in zip(values, looks, sizes, strides, strict=True)
        )

    return check


def _generated_run(trace: _Trace, count: int) -> Callable[..., Any]:
    """The function of a recording: ``run(args, t0, t1, ...) -> result``.

    The operators are in ``run.code``, which `o0` has written: sizes are arguments of it.
    """
    segment, outcome = trace.segment, trace.outcome
    assert segment is not None
    assert outcome is not None
    first = max([*segment.metas, *segment.ins, -1]) + 1
    number: dict[Size, int] = {}

    def variable(size: Size) -> Ref:
        return Ref(number.setdefault(size, first + len(number)))

    ops = []
    for op in segment.ops:
        args, kwargs = _map_sizes(op.args, variable), _map_sizes(op.kwargs, variable)
        ops.append(Op(op.func, args, kwargs, op.outs, op.metas, op.site, op.at))
    bound = segment.lifted
    ins = [*segment.ins, *number.values()]
    filled = Segment(ops, ins, segment.outs, segment.metas, False, bound)
    code: Any = o0.generate(filled, bound=bound, name="symbolic")

    names: dict[str, Any] = dict(_NAMES, new=object.__new__, Tensor=Tensor, code=code)
    constants: dict[str, Any] = {}
    at = {v: i for i, v in enumerate(segment.outs)}
    places = {v: at[trace.stands[v]] for v in outcome.variables}
    statements, result = outcome.code(constants, places)
    returned: list[str] = []
    sizes = [size.expr for size in number]
    for name, value in constants.items():
        if type(value) is Size:
            sizes.append(value.expr)
            returned.append(f"{name} = {_printed(value.expr)}")
        else:
            names[name] = value
    symbols = sorted({s for e in sizes for s in e.free_symbols}, key=str)
    read = [f"{s} = v{trace.symbols[s][0]}.size({trace.symbols[s][1]})" for s in symbols]
    taken = {trace.symbols[s][0] for s in symbols} | {i for i in segment.ins if i not in bound}
    given = [f"v{i}" for i in segment.ins if i not in bound]
    given += [_printed(size.expr) for size in number]
    targets = f"_, ({''.join(f'x{i}, ' for i in range(len(at)))}) = " if at else ""
    lines = [
        *(f"v{i} = t{i}._value" for i in sorted(taken)),
        *read,
        f"{targets}code({', '.join(given)})",
        *returned,
        *([statements] if statements else []),
        f"return {result}",
    ]
    source = f"def run(args{''.join(f', t{i}' for i in range(count))}):\n  "
    source += "\n  ".join(lines) + "\n"
    exec(compile(source, f"<agar symbolic call {next(_serial)}>", "exec"), names)
    made = names["run"]
    made.source = source + code.source
    made.code = code
    return made


# ------------------------------------------------------------------------------------ FX graphs


class SymbolicGraph:
    """A recording, or a part of it, as TorchInductor takes it.

    Compile it with ``torch._inductor.standalone_compile(graph.module, graph.inputs,
    dynamic_shapes="from_graph")``. The compiler may assume more about sizes than the recording
    does, so ask for :meth:`check` when it is done.

    Attributes:
        module: the FX graph; its placeholders are the variables `ins`, in order.
        ins: the variables that it takes, parameters among them.
        outs: the variables that it gives.
        inputs: tensors without data for the placeholders.
        bound: the tensors of those `ins` that are no arguments of the call.
    """

    def __init__(self, variant: SymbolicVariant, part: Any = None) -> None:
        trace = variant._trace
        if trace is None or trace.segment is None:
            raise RuntimeError("Record first.")
        part = trace.segment if part is None else part
        self.ins: list[int] = list(part.ins)
        self.outs: list[int] = list(part.outs)
        self._trace = trace
        self._segment = trace.segment
        self._nodes: dict[int, torch.fx.Node] = {}
        self._sizes: dict[Any, Proxy] = {}
        shape_env = trace.mode.shape_env
        assert shape_env is not None
        self._shape_env = shape_env
        graph = torch.fx.Graph()
        self._tracer = GraphAppendingTracer(graph)
        self.inputs: list[Any] = [self._like(self._segment.metas[v]) for v in self.ins]
        self.bound = {v: t for v, t in self._segment.lifted.items() if v in self.ins}
        for v, fake in zip(self.ins, self.inputs, strict=True):
            node = self._nodes[v] = graph.placeholder(f"v{v}")
            node.meta["val"] = fake
        for v in self.ins:
            for d, size in enumerate(self._segment.metas[v].shape):
                self._read_size(graph, v, d, size)
        for op in part.ops:
            self._call(graph, op)
        graph.output(tuple([self._nodes[v] for v in self.outs]))
        self.module = torch.fx.GraphModule(torch.nn.Module(), graph)
        self._known = len(shape_env.guards)

    def check(self) -> tuple[list[str], Callable[..., bool] | None]:
        """What the compiler has assumed about sizes since then.

        Returns:
            The conditions, and a function that says of torch's tensors in the arguments of a call
            (all of them, in order) whether they hold; None without conditions.
        """
        found = [g.expr for g in self._shape_env.guards[self._known :]]
        if not found:
            return [], None
        symbols = sorted({s for e in found for s in e.free_symbols}, key=str)
        places = [self._trace.symbols[s] for s in symbols]
        names: dict[str, Any] = dict(_NAMES)
        lines = [f"{s} = r[{leaf}].size({d})" for s, (leaf, d) in zip(symbols, places, strict=True)]
        lines.append(f"return {' and '.join([f'({_printed(e)})' for e in found])}")
        source = "def check(*r):\n  " + "\n  ".join(lines) + "\n"
        exec(compile(source, "<agar sizes>", "exec"), names)
        return [_printed(e) for e in found], names["check"]

    def _number(self, size: Any) -> Any:
        if type(size) is not Size:
            return size
        return self._shape_env.create_symintnode(size.expr, hint=None)

    def _like(self, meta: Meta) -> torch.Tensor:
        shape, stride = (list(map(self._number, part)) for part in (meta.shape, meta.stride))
        with self._trace.mode:
            return torch.empty_strided(shape, stride, dtype=meta.dtype, device=meta.device)

    def _read_size(self, graph: torch.fx.Graph, v: int, d: int, size: Any) -> None:
        if type(size) is not Size or not size.expr.is_Symbol or size.expr in self._sizes:
            return
        node = graph.call_function(aten.sym_size.int, (self._nodes[v], d))
        node.meta["val"] = self._number(size)
        self._sizes[size.expr] = Proxy(node, self._tracer)

    def _size_node(self, size: Size) -> Any:
        from torch.utils._sympy.interp import sympy_interp
        from torch.utils._sympy.reference import PythonReferenceAnalysis

        missing = size.expr.free_symbols - self._sizes.keys()
        if missing:
            raise Unsupported(f"no input of the part has the size {missing}")
        found = sympy_interp(PythonReferenceAnalysis, self._sizes, size.expr)
        return found.node if isinstance(found, Proxy) else found

    def _call(self, graph: torch.fx.Graph, op: Op) -> None:
        if not isinstance(op.func, torch._ops.OpOverload):
            raise Unsupported(f"{op.name} is Python", op.site)

        def filled(value: Any) -> Any:
            return _map_sizes(map_refs(value, lambda ref: self._nodes[ref.i]), self._size_node)

        node = graph.call_function(op.func, filled(op.args), filled(op.kwargs))
        fresh = set(made_by(op))
        single = returns_one_tensor(op.func)
        for i, o in enumerate(op.outs):
            if o is not None and o in fresh:
                made = node if single else graph.call_function(operator.getitem, (node, i))
                self._nodes[o] = made
