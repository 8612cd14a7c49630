"""Symbolic recordings: one recording for all sizes of some dimensions.

Python runs once over tensors without data (torch's FakeTensorMode and ShapeEnv), whose chosen sizes
are symbols. What reaches the dispatcher is noted as in `agar._core.graph.record.recorder`;
arguments that depend on sizes are kept as expressions. The generated code reads the sizes from its
inputs.

NOTE Exactness. The recorder stands below autograd and torch's composite operators, so torch itself
takes them apart, as it does in an eager run. Where a way depends on a size, ShapeEnv notes the
condition, and a call whose sizes do not meet it does not fit. Only the metadata of results come
from torch's rules for tensors without data; `SymbolicSpecialization.record` therefore compares the
recording with one of a real run, operator by operator, where it is given one.

NOTE Nothing happens. No operator and no function of the host runs for real, except on data that
Python makes during the run (masks, ranges), which are constants. Objects of Python that the run
has changed are put back, and the recording is refused.

NOTE Sizes 0 and 1. torch broadcasts and skips them, so a symbol stands for sizes from 2 on.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._C import _autograd
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from agar._core.graph.guard.dynamic import Site, Unsupported
from agar._core.graph.ir.graph import HIDDEN_WRITES, Host, Op
from agar._core.graph.ir.sizes import SYMBOLIC, has_sizes, size_of
from agar._core.graph.record.operators import depends_on_values, kind_of
from agar._core.graph.record.proxies import STAND_INS, Opaque, Spread
from agar._core.graph.record.recorder import Recorder, user_site
from agar._core.graph.record.snapshot import CellsMet, Snapshot

__all__ = ["Stop", "SymbolicRecorder"]

aten = torch.ops.aten


class Stop(BaseException):
    """Ends the run of a recording that has failed; not for user code to catch."""


"""Rules of `random_draws` whose first argument is the shape of what they return, and its type."""


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


class SymbolicRecorder(Recorder):
    """Notes a run over tensors without data."""

    symbolic = True

    def __init__(self, shape_env: Any, snapshot: Snapshot) -> None:
        super().__init__()
        self.mode = FakeTensorMode(
            shape_env=shape_env, allow_non_fake_inputs=True, allow_fallback_kernels=False
        )
        self.mode.cache_enabled = False  # calls with equal symbols are rare: 20 % faster without
        self.cells = CellsMet(snapshot)
        #: Whether torch's rules run, and not Python of the user or of agar.
        self.busy = False
        #: Where a size became a text, which would be a constant of the recording.
        self.texted: list[Site] = []
        self._fakes: dict[int, torch.Tensor] = {}  # by the number of a captured tensor
        self._versions: list[tuple[torch.Tensor, int]] = []

    def abort(self, reason: str) -> Any:
        """Give the recording up, and end the run, which does nothing real."""
        if self.aborted is None:
            self.aborted, self.aborted_site = reason, user_site()
        raise Stop(reason)

    # ------------------------------------------------------------------ variables

    def is_constant(self, t: torch.Tensor) -> bool:
        """Whether Python made the tensor from data of its own, and nothing symbolic changed it."""
        if isinstance(t, FakeTensor) or id(t) not in self._created:
            return False
        known = self._memory_of(t)
        return known is None or known[0] not in self._changed

    def _ref(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            number = value.__dict__.get("_wrapped_number") if value.__dict__ else None
            if number is not None:  # a size among tensors, as in x * n
                return self._ref(number)
            return super()._ref(value)
        if isinstance(value, SYMBOLIC):
            try:
                return size_of(value)
            except Unsupported as error:
                self.abort(error.reason)
        if isinstance(value, torch.Size):
            return tuple([self._ref(v) for v in value])
        return super()._ref(value)

    def _alias(self, t: torch.Tensor, var: int) -> int:
        number = super()._alias(t, var)
        op = self.ops[-1]
        op.args, op.used = (op.args[0], *map(self._ref, op.args[1:])), None
        return number

    def _capture(self, t: torch.Tensor) -> int:
        if isinstance(t, FakeTensor):  # made past the dispatcher, over memory of the run
            if self._memory_of(t) is None:
                self.abort("a tensor of another recording is used")
            return super()._capture(t)
        if t.is_conj() or t.is_neg():
            self.abort("a conjugated tensor is used that the run did not make")
        number = super()._capture(t)
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
        self._addresses.hold(storage)
        self._storages[storage._cdata] = self._storages[t.untyped_storage()._cdata]
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
        if self.aborted is not None:
            raise Stop(self.aborted)
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
        kind = kind_of(func)
        if kind.question:
            with self._rules():
                return func(*args, **kwargs)
        if kind.moves:
            return self._moved(func, args, kwargs)
        if kind.answers and not given:  # about types, for example
            return func(*args, **kwargs)
        if kind.answers:
            self.abort(f"Python reads a value of a tensor ({func._schema.name})")
        if kind.dynamic and depends_on_values(func, args):
            self.abort(f"the shape of what {func._schema.name} returns depends on values")
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
                result = self._fakes[number]
                real[id(result)] = value
                return result
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
        if torch.Tag.nondeterministic_seeded in func.tags or has_sizes((args, kwargs)):
            return False
        if func._schema.is_mutable:  # what is recorded already must not see the change
            return not any(self._memory_of(t) is not None for t in given)
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
                self.abort("a tensor from outside is changed in place by a differentiable one")

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
        if self.aborted is not None:
            raise Stop(self.aborted)
        if isinstance(fn, functools.partial):
            args = (*fn.args, *args, *fn.keywords.values())
            fn = Spread(fn.func, tuple(fn.keywords))
        name = getattr(fn.fn if isinstance(fn, Spread) else fn, "__name__", label)
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
            output: Any = Opaque(label)
            if name == "stepped_generator":  # torch takes nothing else for a generator
                output = torch.Generator(args[2] if len(args) > 2 else "cpu")
            self._objects[id(output)] = (output, number)
            op.outs, op.metas = (number,), (None,)
            self.ops.append(op)
            return output
        stand_in = STAND_INS.get(name)
        with self._rules():
            result = None if stand_in is None else stand_in(*args)
        if result is None:
            self.abort(f"the shape of what {label} returns is not known")
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
        result = f"\0{number}:{len(self._texts)}\0"
        self._texts.append((result, number, form))
        self._shown[number] = t
        return result

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
