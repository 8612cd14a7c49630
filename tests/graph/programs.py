"""Random programs, and the comparison of compiled calls with eager ones.

A program is Python text made from a seed: a function, or the ``construct`` of a cell, over tensors,
tensors in containers and numbers. While it is made, each statement is run in several *worlds*
(inputs of other values and sizes) and left out if any of them refuses it, so that all programs are
legal. `compared` runs a program eagerly and compiled and wants the same bits from both.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops
from agar._core import random as agar_random
from agar._core.graph import background
from agar._core.graph.autotune import benchmark, tuner, weights
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.diagnostics import GraphWarning
from agar._core.random import get_all_state
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

# --------------------------------------------------------------------------------- competing plans


def compete_at_once(patch: pytest.MonkeyPatch) -> None:
    """Plans are prepared after the first calls and in them, and tried whatever it costs."""
    patch.setattr(runtime, "plans", True)
    patch.setenv("AGAR_COMPILE", "0")
    for name, value in (
        *(("_WORTH", 0.0), ("_ASK", 0.0), ("_TOO_SMALL", 0.0), ("_APART", 0)),
        *(("_ALLOWANCE", 1e9), ("_CREDIT", 1e9)),
    ):
        patch.setattr(tuner, name, value)
    patch.setattr(weights, "_REFOLD_AFTER", 3)
    patch.setattr(tuner.Tools, "_PAUSE", 0.0)
    patch.setattr(benchmark, "_MOST", 1)
    patch.setattr(background, "start", lambda work, name: work())


# ------------------------------------------------------------------------------ observing a call


def frozen(value: Any) -> Any:
    """A result as plain data that compares equal only if every bit is equal."""
    if isinstance(value, Tensor):
        raw = value._value.detach()
        if raw.layout is not torch.strided:
            raw = raw.to_dense()
        raw = raw.resolve_conj().resolve_neg().contiguous().cpu()
        data = raw.reshape(-1).view(torch.uint8).numpy().tobytes() if raw.numel() else b""
        return type(value).__name__, str(raw.dtype), tuple(raw.shape), data
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return type(value).__name__, [(k, frozen(v)) for k, v in value.items()]
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [frozen(v) for v in value]
    if isinstance(value, (float, complex)):
        return type(value).__name__, repr(value)
    return type(value).__name__, value


def _is_frozen_tensor(a: Any) -> bool:
    return isinstance(a, tuple) and len(a) == 4 and isinstance(a[3], bytes)


def _near(a: Any, b: Any, rounding: float) -> bool:
    """Whether two frozen results are equal but for rounding."""
    if a == b:
        return True
    if not rounding or type(a) is not type(b):
        return False
    if _is_frozen_tensor(a) and _is_frozen_tensor(b) and a[:3] == b[:3]:
        kind = getattr(np, a[1].removeprefix("torch."), None)
        if kind is None or not issubclass(kind, np.inexact):
            return False
        x, y = (np.frombuffer(v[3], kind) for v in (a, b))
        return bool(np.allclose(x, y, rtol=rounding, atol=rounding, equal_nan=True))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(_near(x, y, rounding) for x, y in zip(a, b, strict=True))
    return False


def _first_difference(a: Any, b: Any, path: str = "result") -> str | None:
    """Where two frozen results differ first, with what stands there."""
    if a == b:
        return None
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b):
        if _is_frozen_tensor(a) and _is_frozen_tensor(b) and a[:3] == b[:3]:
            values = [np.frombuffer(v[3], np.uint8).tolist() for v in (a, b)]
            kind = getattr(np, a[1].removeprefix("torch."), None)
            if kind is not None:
                values = [np.frombuffer(v[3], kind)[:12].tolist() for v in (a, b)]
            return f"{path}: {a[1]}{list(a[2])} {values[0]} became {values[1]}"
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            if x != y:
                return _first_difference(x, y, f"{path}.{i}")
    return f"{path}: {a} became {b}"


class Seen:
    """What one call showed to the world."""

    def __init__(self, result: Any, error: BaseException | None, printed: str) -> None:
        self.result = frozen(result)
        self.error = None if error is None else (type(error).__name__, str(error))
        self.printed = printed
        self.state: Any = None
        self.arguments: Any = None
        self.random: Any = None

    def differences(self, other: Seen, rounding: float = 0.0) -> list[str]:
        """What differs in another one; a relative error of `rounding` is no difference."""
        items = []
        if self.error != other.error:
            items.append(f"error: {self.error} became {other.error}")
        elif not (self.result == other.result or _near(self.result, other.result, rounding)):
            items.append(f"result: {_first_difference(self.result, other.result)}")
        if self.printed != other.printed:
            items.append(f"printed: {self.printed!r} became {other.printed!r}")
        if not (self.state == other.state or _near(self.state, other.state, rounding)):
            items.append("parameters")
        if not (
            self.arguments == other.arguments or _near(self.arguments, other.arguments, rounding)
        ):
            problem = _first_difference(self.arguments, other.arguments, "argument")
            items.append(f"an argument changed otherwise: {problem}")
        if self.random != other.random:
            keys = [k for k in self.random if self.random[k] != other.random[k]]
            items.append(f"random state: {keys}")
        return items


def observe(call: Callable[[], Any], parameters: Sequence[Tensor] = ()) -> Seen:
    """Make a call and note its result, its exception, what it prints and what it leaves behind."""
    printed = io.StringIO()
    result = error = None
    with contextlib.redirect_stdout(printed):
        try:
            result = call()
        except Exception as caught:
            error = caught
    seen = Seen(result, error, printed.getvalue())
    seen.state = [frozen(p) for p in parameters]
    return seen


@contextlib.contextmanager
def quiet(allowed: bool = True) -> Iterator[list[str]]:
    """Collect the engine's words; raise them as errors unless they are allowed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GraphWarning)
        said: list[str] = []
        yield said
    said += [str(w.message) for w in caught if issubclass(w.category, GraphWarning)]
    for w in caught:
        if not issubclass(w.category, GraphWarning):
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    if said and not allowed:
        raise AssertionError(f"the engine gave up: {said}")


class Program:
    """Something that can be called.

    Args:
        call: the function or cell.
        parameters: what to compare after each call.
        around: turns what is compiled into what is called: a gradient, say. Default: nothing.
        roots: cells that `call` uses, where it is no cell itself.
    """

    def __init__(
        self,
        call: Callable[..., Any],
        parameters: Iterable[Tensor] = (),
        environment: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
        roots: Sequence[Any] = (),
    ) -> None:
        self.call: Any = call
        self.parameters = list(parameters)
        self.environment = environment
        self.roots = roots


def the_specialization(function: CompiledFunction) -> Any:
    """The only specialization of a compiled function."""
    assert len(function.specializations) == 1, f"{len(function.specializations)} specializations"
    return next(iter(function.specializations.values()))


class Outcome:
    """What became of a compared program.

    `runs` is how often Python ran, `replays` how many calls were served by the recordings.
    """

    def __init__(self, function: CompiledFunction, calls: int, runs: int) -> None:
        self.function = function
        self.calls = calls
        self.runs = runs
        self.replays = calls - runs

    @property
    def specialization(self) -> Any:
        """The one specialization of the compiled function."""
        return the_specialization(self.function)


@contextlib.contextmanager
def stays_eager(match: str = "") -> Iterator[Any]:
    """Want exactly one word of the engine that calls stay eager."""
    with pytest.warns(GraphWarning, match=match) as caught:
        yield caught
    assert len(caught) == 1, [str(w.message) for w in caught]


class Tally:
    """Counts runs of Python; taken for a part of agar, else the counting would be an effect."""

    def __init__(self) -> None:
        self.n = 0

    def add(self) -> None:
        self.n += 1


Tally.__module__ = "agar._core.tally"
Tally.add.__code__ = Tally.add.__code__.replace(co_filename="<agar tally>")


class _Runs:
    """How often a compiled function has run its Python since; equal to a list of that number."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.before = function.runs

    def __getitem__(self, i: int) -> int:
        return [self.function.runs - self.before][i]

    def __eq__(self, other: object) -> bool:
        return [self[0]] == other

    def __repr__(self) -> str:
        return repr([self[0]])


def counted(function: CompiledFunction) -> _Runs:
    """Count how often a compiled function runs its Python: the only element of the list."""
    return _Runs(function)


def compared(
    make: Callable[[], Program],
    calls: Sequence[Any],
    *,
    eager_allowed: bool = False,
    what: str = "",
    seed: int = 7,
    level: str | None = "O0",
    rounding: float = 0.0,
    between: Callable[[CompiledFunction, int], None] | None = None,
) -> Outcome:
    """Run a program eagerly and compiled, from the same seeds, and want the same at every call.

    Args:
        make: makes the program afresh.
        calls: the arguments of each call, or functions that make them.
        eager_allowed: whether calls may stay eager. Default: False.
        what: for the failure's message, the program's text.
        seed: of all random numbers.
        level: the plan.
        rounding: the relative error that is none. Default: 0, any bit is a difference.
        between: called before each compiled call, with the compiled function and the number of
            calls so far.

    Returns:
        What became of the compiled one.
    """
    runs: list[list[Seen]] = []
    function: CompiledFunction | None = None
    count = [0]
    notes: list[str] = []
    for compiled in (False, True):
        ms.set_seed(seed)
        ms.manual_seed(seed)
        first = next(agar_random._serial)
        program = make()
        target = program.call
        if compiled:
            target = function = CompiledFunction(
                program.call, "program", program.call, *program.roots, level=level
            )
            count = counted(function)
        if program.environment is not None:
            target = program.environment(target)
        rows = []
        with quiet() as said:
            for number, arguments in enumerate(calls):
                if function is not None and between is not None:
                    between(function, number)
                args = arguments() if callable(arguments) else arguments
                args = args if isinstance(args, tuple) else (args,)
                row = observe(lambda t=target, a=args: t(*a), program.parameters)
                row.arguments = frozen(args)
                row.random = _random_state(first)
                rows.append(row)
        runs.append(rows)
        notes = said
    for i, (eager, graph) in enumerate(zip(*runs, strict=True)):
        problems = eager.differences(graph, rounding)
        assert not problems, f"call {i + 1}: {'; '.join(problems)}\n{what}"
    assert eager_allowed or not notes, f"{notes}\n{what}"
    assert function is not None
    return Outcome(function, len(calls), count[0])


def _random_state(first: int) -> dict[str, Any]:
    state = get_all_state()
    live = sorted(agar_random._live.items())
    state["streams"] = [s.state for serial, s in live if serial > first]
    return state


# ----------------------------------------------------------------------------- random programs

_HEADER = """
import numpy as np
import agar as ms
from agar import nn, ops
@ms.jit
def compiled(t):
    return ops.tanh(t) * 2
by_numpy = ms.numpy_function(
    lambda a, b: np.sort(a, -1) + b.sum(), vjp=lambda a, b, out, d: (d, b * 0)
)
class Recomputed(nn.Cell):
    def construct(self, t):
        return ops.sin(t) * t
recomputed = Recomputed().recompute()
"""


class Block(nn.Cell):
    """A layer with a branch in it, statistics and a parameter that it counts with."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.dense = nn.Dense(size, size)
        self.norm = nn.LayerNorm((size,))
        self.count = ms.Parameter(Tensor(0.0), name="count", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        """A residual step, or its negative when x is negative on the whole."""
        ops.assign(self.count, self.count + 1)
        y = self.norm(self.dense(x))
        if y.sum() > 0:
            return x + y
        return x - ops.tanh(y)


class Twice(nn.Cell):
    """A cell whose gradient is its own."""

    def construct(self, x: Tensor) -> Tensor:
        """Twice x."""
        return x * 2

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        """Three times what it should be."""
        return (dout * 6 + out * 0,)


#: Layers that a program may have: text that makes one, and what it takes.
_LAYERS = {
    "dense": "nn.Dense(4, 4)",
    "narrow": "nn.Dense(4, 2, has_bias=False)",
    "norm": "nn.LayerNorm((4,))",
    "batch": "nn.BatchNorm1d(4)",
    "drop": "nn.Dropout(p=0.25)",
    "block": "Block(4)",
    "twice": "Twice()",
    "conv": "nn.Conv2d(3, 4, 3)",
    "pool": "nn.MaxPool2d(2, 2)",
    "batch2": "nn.BatchNorm2d(4)",
    "seq": "nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 4))",
    "lstm": "nn.LSTM(4, 4, batch_first=True)",
    "embed": "nn.Embedding(5, 4)",
}


def forms(text: str) -> list[str]:
    """Expressions, parted by spaces."""
    return text.split()


#: What makes much of a little in a program's text.
_JUMPS = forms(
    "floor round sign // % > < == != >= int bool any all isfinite isnan count arg "
    "sort topk median unique cummax maximum minimum amax min( max( where select "
    "equal ge( float16 prod fmod xdivy /"
)


def _floats(t: Tensor) -> bool:
    return t._value.dtype in (torch.float32, torch.float64)


class _World:
    """One set of inputs, and the variables of the program run on them."""

    def __init__(self, inputs: dict[str, Any], net: Any) -> None:
        self.env: dict[str, Any] = {**load("", "program_names.py"), "self": net, **inputs}

    def run(self, text: str) -> bool:
        before = dict(self.env)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(text, self.env)
        except Exception:
            self.env = before
            return False
        return True


def inputs(rng: random.Random, batch: int) -> dict[str, Any]:
    """Arguments of a program: a batch of rows, an image, a mask, indices, a number, a container."""
    values = np.random.RandomState(rng.randrange(2**31))

    def floats(*shape: int) -> Tensor:
        return Tensor(values.randn(*shape).astype(np.float32))

    return {
        "x": floats(batch, 4),
        "y": floats(batch, 4),
        "image": floats(2, 3, 6, 6),
        "mask": Tensor(values.rand(batch, 4) > 0.4),
        "index": Tensor(values.randint(0, batch, (3,)).astype(np.int64)),
        "k": Tensor(int(values.randint(0, 4)), ms.int32),
        "box": {"a": floats(4), "b": (floats(batch, 2), 0.5)},
    }


ARGUMENTS = ("x", "y", "image", "mask", "index", "k", "box")


class Writer:
    """Writes one program.

    Args:
        seed: of all choices.
        cell: whether it has layers.
        smooth: whether it is differentiated: no integer results, no in-place on its inputs.
        random_numbers: whether random operators are used. Default: True.
        straight: whether Python reads no value of a tensor. Default: False.
        prints: whether it prints. Default: True.
        continuous: whether rounding of its values changes results by rounding only. Default:
            False.
    """

    def __init__(
        self,
        seed: int,
        *,
        cell: bool,
        smooth: bool = False,
        random_numbers: bool = True,
        straight: bool = False,
        prints: bool = True,
        continuous: bool = False,
    ) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.smooth = smooth
        self.random_numbers = random_numbers
        self.layers: dict[str, str] = {}
        if cell:
            for name in self.rng.sample(sorted(_LAYERS), 5):
                if (random_numbers or name != "drop") and not (straight and name == "block"):
                    self.layers[name] = _LAYERS[name]
            self.layers["total"] = "ms.Parameter(ms.Tensor([0.5, 1.0, -1.0, 2.0]), name='total')"
            self.layers["seen"] = "ms.Parameter(ms.Tensor(0.0), name='seen', requires_grad=False)"
        ms.set_seed(seed % 1000)
        net = self.network(with_construct=False)() if cell else None
        if net is not None:
            net.set_train()
        self.worlds = [_World(inputs(self.rng, n), net) for n in (3, 5, 3)]
        self.scope = ["x", "y"]
        self.lines: list[str] = []
        self.depth = 1
        self.count = 0
        self.cuts = 100 if straight else 0  # values read so far, each of which may double the ways
        self.straight = straight
        self.prints = prints
        self.continuous = continuous
        self.loose: set[str] = set()

    # --------------------------------------------------------------------------- choosing

    def value(self, name: str) -> Tensor:
        return self.worlds[0].env[name]

    def pick(self, test: Callable[[Tensor], bool] = _floats, loose: bool = False) -> str:
        """A variable in scope that passes a test in all worlds."""
        items = [
            n
            for n in self.scope
            if (loose or n not in self.loose) and all(test(w.env[n]) for w in self.worlds)
        ]
        return self.rng.choice(items[-6:] if self.rng.random() < 0.7 else items)

    def matrix(self) -> str:
        return self.pick(lambda t: _floats(t) and t.ndim == 2 and t.shape[1] == 4)

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    # --------------------------------------------------------------------------- emitting

    def emit(self, text: str) -> bool:
        """Append a statement if every world can run it."""
        if self.continuous and any(jump in text for jump in _JUMPS):
            return False
        befores = [dict(w.env) for w in self.worlds]
        ran = [w.run(text) for w in self.worlds]  # in all of them
        if all(ran):
            self.lines += ["    " * self.depth + line for line in text.split("\n")]
            return True
        for w, before in zip(self.worlds, befores, strict=True):
            w.env = before
        return False

    def assign(self, expression: str, loose: bool = False) -> str | None:
        """A new variable."""
        result = self.name()
        if not self.emit(f"{result} = {expression}"):
            return None
        values = [w.env[result] for w in self.worlds]
        if not all(isinstance(v, Tensor) for v in values):
            return None
        if any(v.size > 4000 for v in values):
            return None
        if loose:
            self.loose.add(result)
        self.scope.append(result)
        return result

    # ------------------------------------------------------------------------- statements

    def elementwise(self) -> None:
        a = self.pick(loose=True)
        form = self.rng.choice(
            forms(
                "ops.tanh({a}) ops.sigmoid({a}) ops.relu({a}) ops.abs({a}) "
                "ops.exp(-ops.abs({a})) ops.sqrt(ops.abs({a})+0.1) ops.log1p(ops.abs({a})) "
                "ops.sin({a}) ops.erf({a}) ops.gelu({a}) ops.floor({a}) ops.sign({a}) "
                "ops.clamp({a},-1,1) {a}*0.5 {a}+1 1-{a} {a}/2 -{a} {a}**2 ops.silu({a}) "
                "ops.leaky_relu({a}) {a}.abs() {a}.neg() {a}%2 ops.round({a}) "
                "ops.hardtanh({a}) ops.softplus({a}) ops.elu({a}) {a}//0.7 ops.logsigmoid({a}) "
                "ops.rsqrt(ops.abs({a})+1) ops.zeros_like({a})+{a} ops.stop_gradient({a})*2 "
                "ops.nan_to_num({a},0.0)"
            )
        )
        self.assign(form.format(a=a), loose=a in self.loose)

    def binary(self) -> None:
        a, b = self.pick(), self.pick()
        form = self.rng.choice(
            forms(
                "{a}+{b} {a}-{b} {a}*{b} ops.maximum({a},{b}) ops.minimum({a},{b}) "
                "ops.where({a}>{b},{a},{b}) ops.atan2({a},{b}) {a}/(ops.abs({b})+1) "
                "ops.where({a}>0,{a},0.5) ops.lerp({a},{b},0.3) ops.addcmul({a},{a},{b}) "
                "ops.hypot({a},{b}) ops.xdivy({a},ops.abs({b})+1) {a}.mul({b}) "
                "ops.logaddexp({a},{b}) ops.pow(ops.abs({a}),2)+{b} "
                "ops.fmod({a},ops.abs({b})+1)"
            )
        )
        self.assign(form.format(a=a, b=b))

    def reduction(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1 and t.size > 0, loose=True)
        if a in self.loose:
            self.assign(self.rng.choice([f"{a}.sum()", f"ops.tanh({a}).sum()"]))
            return
        form = self.rng.choice(
            forms(
                "{a}.sum() {a}.mean() ops.mean({a},-1,True) ops.reduce_sum({a},0) "
                "ops.amax({a},-1) ops.cumsum({a},0) {a}.std() ops.var({a},0) {a}.max() "
                "ops.min({a},-1)[0] ops.logsumexp({a},-1) ops.norm({a}) ops.topk({a},1)[0] "
                "ops.sort({a},-1)[0] ops.softmax({a},-1) ops.log_softmax({a},-1) "
                "ops.median({a},-1)[0] ops.cummax({a},0)[0] ops.std({a},-1,0,True) "
                "{a}.min(axis=0)"
            )
        )
        self.assign(form.format(a=a))

    def shapes(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim >= 2)
        form = self.rng.choice(
            forms(
                "{a}.reshape(-1) {a}.T {a}.swapaxes(0,-1) ops.expand_dims({a},0) {a}.flatten() "
                "ops.tile({a},(2,1)) ops.flip({a},(0,)) ops.roll({a},1,0) "
                "ops.squeeze(ops.unsqueeze({a},1),1) ops.broadcast_to({a}[:1],{a}.shape) "
                "ops.triu({a}) ops.tril({a}) {a}.repeat(2,0) ops.cat([{a},{a}],0) "
                "ops.stack((({a}),{a}*2),0).sum(0) ops.split({a},1,0)[0] "
                "ops.chunk({a},2,-1)[0] ops.cat([c*2 for c in ops.chunk({a},2,-1)],-1) "
                "ops.pad({a},(1,0))[:,1:] {a}.transpose(1,0).contiguous() ops.unbind({a},0)[0] "
                "ops.meshgrid({a}[0],{a}[0])[0] ops.diag({a}[0][:2]) "
                "ops.unfold({a}[None,None],1)"
            )
        )
        self.assign(form.format(a=a))

    def indexing(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim == 2 and t.shape[0] >= 3)
        form = self.rng.choice(
            forms(
                "{a}[0] {a}[-1] {a}[:,1:] {a}[...,::2] {a}[None] {a}[index] {a}[index,0] "
                "ops.gather({a},index,0) {a}[1:3,0] ops.index_select({a},0,index) "
                "ops.masked_fill({a},{a}>0,0.25) "
                "ops.gather_elements({a},0,ops.argmax({a},0)[None]) "
                "ops.tensor_scatter_elements({a},ops.argmax({a},0)[None],{a}[:1],0) "
                "ops.tensor_scatter_add({a},ops.arange(2)[:,None],{a}[:2]) {a}[ops.arange(2)] "
                "ops.take({a},index,0) {a}[[0,2]] {a}[{a}.argmax(0)[0]%2]"
            )
        )
        if self.straight and form.endswith("%2]"):  # Python reads the index
            form = "{a}[[0,2]]"
        self.assign(form.format(a=a))

    def selecting(self) -> None:
        """Shapes that depend on values."""
        if self.cuts > 4:
            return
        self.cuts += 1
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1)
        form = self.rng.choice(
            forms(
                "{a}[{a}>0] ops.masked_select({a},{a}<0.5) "
                "ops.nonzero({a}>0).astype(ms.float32) ops.unique(ops.sign({a}))[0] "
                "{a}.flatten()[:int(k)] ops.topk({a}.flatten(),int(k)+1)[0]"
            )
        )
        self.assign(form.format(a=a), loose=True)

    def matmul(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim == 2)
        form = self.rng.choice(
            forms(
                "ops.matmul({a},{a}.T) {a}@{a}.swapaxes(0,1) ops.dense({a},{a}[:2]) "
                "ops.einsum('ij,kj->ik',{a},{a}) ops.bmm({a}[None],{a}.T[None])[0] "
                "ops.mm({a}.T,{a}) ops.outer({a}[0],{a}[:,0]) ops.addmm({a}@{a}.T,{a},{a}.T)"
            )
        )
        self.assign(form.format(a=a))

    def casts(self) -> None:
        a = self.pick()
        form = self.rng.choice(
            forms(
                "{a}.astype(ms.float64) {a}.astype(ms.float16).astype(ms.float32) "
                "{a}.astype(ms.int32).astype(ms.float32) ({a}>0).astype(ms.float32) "
                "{a}.astype(ms.bfloat16).float() ops.cast({a},ms.float32) {a}.to(ms.float32) "
                "{a}.bool().float() {a}.astype(ms.int8).float() ms.Tensor({a},ms.float32)"
            )
        )
        self.assign(form.format(a=a))

    def logic(self) -> None:
        a, b = self.pick(), self.pick()
        form = self.rng.choice(
            forms(
                "ops.logical_and({a}>0,{b}<0).float() ops.logical_not({a}>0).float() "
                "ops.logical_or({a}==0,{b}!=0).float() ops.equal({a},{b}).astype(ms.float32) "
                "ops.isnan({a}).float() ops.isfinite({a}/{b}).float() ({a}>0).any().float() "
                "({a}<=0).all().float() ops.count_nonzero({a}).float() "
                "ops.bitwise_and({a}.astype(ms.int32),3).float() ({a}>=0).sum().float() "
                "ops.where(mask,x,y) ops.select(mask,x,y)*2 ops.ge({a},{b}).float()"
            )
        )
        self.assign(form.format(a=a, b=b))

    def constants(self) -> None:
        a = self.matrix()
        number = round(self.rng.uniform(-2, 2), 2)
        form = self.rng.choice(
            [
                f"{a} + ms.Tensor([1.0, {number}, 0.5, -1.0])",
                f"{a} * ops.arange(4).astype(ms.float32)",
                f"{a} - ops.full((4,), {number})",
                f"{a} + ops.ones(4, ms.float32) * {number}",
                f"{a} + ops.eye(4)[0]",
                f"{a} * ops.linspace(0.0, 1.0, 4)",
                f"{a} + ms.Tensor(np.arange(4, dtype=np.float32))",
                f"ms.Tensor({number}) * {a}",
                f"{a} + ops.zeros((4,)) + ms.Parameter(ms.Tensor([{number}] * 4), name='q')",
                f"ops.where(ms.Tensor([True, False, True, True]), {a}, {number})",
                f"{a} + ms.Tensor([[{number}]]).astype(ms.float32)",
                f"{a} + box['a'] * box['b'][1]",
                f"{a}[:, :2] + box['b'][0]" if a in ("x", "y") else f"{a} + box['a']",
                f"{a} * {a}.shape[0] + {a}.ndim",
            ]
        )
        self.assign(form)

    def draws(self) -> None:
        if not self.random_numbers:
            return
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1)
        form = self.rng.choice(
            [
                f"ops.dropout({a}, 0.3, True)",
                f"{a} + ops.standard_normal((1,))",
                f"{a} * ops.rand(1)",
                f"{a} + ops.uniform((1,), ms.Tensor(0.0), ms.Tensor(1.0))",
                f"{a} + ops.randn_like({a})",
                f"{a} + ops.randint(0, 5, (1,)).float()",
                f"ops.shuffle({a})",
                f"{a} + ops.normal((1,), 0.0, 1.0)",
                f"{a} + ops.bernoulli(ops.full((1,), 0.5))",
            ]
        )
        self.assign(form)

    def in_place(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim == 2)
        w = self.assign(f"{a} * 1")
        if w is None:
            return
        forms = [
            f"{w}[0] = 0.5",
            f"{w}[:, 0] += 1",
            f"{w}[{w} > 0] = 0.25",
            f"{w}[0] = {w}[1] * 2",
            f"{w} += 1",
            f"{w} *= 2",
        ]
        if not self.smooth:
            forms += [
                f"{w}.add_(1)",
                f"{w}.mul_({w})",
                f"{w}[0].add_(2)",
                f"{w}.T[0].mul_(3)",
                f"{w}.fill_(0.5)",
                f"{w}.zero_()",
                f"{w}.view(-1)[0:2].add_(1)",
                f"{w}.clamp_(-1, 1)",
                f"ops.chunk({w}, 2, -1)[0].mul_(2)",
                f"{w}.copy_({w} * 2)",
                f"{w}.masked_fill_({w} > 0, 2.0)",
            ]
        for form in self.rng.sample(forms, 2):
            self.emit(form)

    def made_here(self) -> None:
        """A constant as a variable, which later statements may change or return."""
        numbers = [round(self.rng.uniform(-2, 2), 1) for _ in range(4)]
        self.assign(
            self.rng.choice(
                [
                    f"ms.Tensor({numbers})",
                    f"ms.Tensor([{numbers}])",
                    "ops.zeros((4,))",
                    "ops.ones((1, 4), ms.float32)",
                    "ops.arange(4).astype(ms.float32)",
                    f"ms.Tensor(np.array({numbers}, np.float32))",
                    "ops.full((4,), 0.5)",
                ]
            )
        )

    def changed(self) -> None:
        """A change in place of a variable from before, which others may share memory with."""
        if self.smooth:
            return
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1 and t.shape[-1] == 4)
        number = round(self.rng.uniform(-1, 1), 2)
        self.emit(
            self.rng.choice(
                [
                    f"{a}.add_({number})",
                    f"{a}[..., 0] = {number}",
                    f"{a}[..., 1:].mul_({number})",
                    f"{a}[0] = {number}",
                    f"{a} += {number}",
                    f"{a}[{a} > 0] = {number}",
                ]
            )
        )

    def view(self) -> None:
        """A variable that shares memory with another one."""
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1)
        forms = [f"{a}[1:]", f"{a}.view(-1)", f"{a}[..., :2]", f"{a}.T", f"{a}[None]"]
        if "total" in self.layers:
            forms += ["self.total[1:]", "self.total.view(2, 2)"]
        if not self.smooth:
            self.assign(self.rng.choice(forms))

    def argument_in_place(self) -> None:
        """A change of what the caller passed."""
        if self.smooth:
            return
        a = self.rng.choice(["x", "y", "image", "box['a']"])
        number = round(self.rng.uniform(-1, 1), 2)
        self.emit(
            self.rng.choice(
                [f"{a}.add_({number})", f"{a}[0] = {number}", f"{a}[..., 1:].mul_({number})"]
            )
        )

    def layer(self) -> None:
        names = [n for n in self.layers if n not in ("total", "seen")]
        if not names:
            return
        name = self.rng.choice(names)
        if name in ("conv", "pool", "batch2"):
            forms = {
                "conv": "self.conv(image).mean((2, 3))",
                "pool": "self.pool(image).sum((2, 3))",
                "batch2": "self.batch2(ops.cat([image, image[:, :1]], 1)).mean((2, 3))",
            }
            self.assign(forms[name])
        elif name == "lstm":
            self.assign(f"self.lstm({self.matrix()}[None])[0][0]")
        elif name == "embed":
            self.assign("self.embed(index % 5)")
        else:
            self.assign(f"self.{name}({self.matrix()})")

    def parameters(self) -> None:
        if "seen" not in self.layers:
            return
        a = self.matrix()
        form = self.rng.choice(
            [
                f"ops.assign(self.seen, {a}.sum())",
                "ops.assign_add(self.seen, ms.Tensor(1.0))",
                "self.seen += 1",
                f"self.seen.set_data({a}.mean())",
                "self.seen = self.seen + 1",
            ]
        )
        if not self.smooth:
            self.emit(form)
        self.assign(self.rng.choice([f"{a} * self.total", f"{a} + self.seen"]))

    def printing(self) -> None:
        if not self.prints:
            return
        a = self.pick(loose=True)
        self.emit(
            self.rng.choice(
                [
                    f"print('a', {a})",
                    f"print(f'sum {{{a}.sum()}} of {{{a}.shape}}')",
                    f"print({a}.sum(), 'and', 3, sep='|')",
                    "print('plain')",
                    f"ops.Print()('op', {a})",
                    f"print('%s' % {a}.mean())",
                ]
            )
        )

    def gradients(self) -> None:
        a = self.pick(lambda t: _floats(t) and t.ndim >= 1 and t.size > 0)
        form = self.rng.choice(
            [
                f"ms.grad(lambda t: ops.tanh(t * 2).sum())({a})",
                f"ms.value_and_grad(lambda t: (t * t).mean())({a})[1]",
                f"ms.grad(lambda t: ms.ops.stop_gradient(t) * t)({a})",
                f"ms.grad(ms.grad(lambda t: (t ** 3).sum()))({a})",
                f"ms.jvp(lambda t: ops.sin(t), {a}, {a})[1]",
                f"ms.vjp(lambda t: ops.sin(t), {a})[1]({a})",
                f"ms.vmap(lambda t: t * 2 + 1)({a})",
            ]
        )
        if "twice" in self.layers and self.rng.random() < 0.5:
            form = f"ms.grad(self.twice)({a})"
        elif "block" in self.layers and self.rng.random() < 0.5:
            form = f"ms.grad(self.block)({self.matrix()})"
        self.assign(form)

    def functions(self) -> None:
        """Calls of compiled functions, of numpy, of a cell made here, of maps over containers."""
        a = self.matrix()
        self.assign(
            self.rng.choice(
                [
                    f"compiled({a})",
                    f"by_numpy({a}, x)",
                    f"sum(ops.HyperMap()(ops.square, [{a}, {a} * 2]))",
                    f"ms.mutable([{a}, x])[0] + 1",
                    f"[t * i for i, t in enumerate(({a}, x, {a}))][2]",
                    f"{{'p': {a} * 3}}['p']",
                    f"ops.stack([{a}, {a} + 1])[1]",
                    f"recomputed({a})",
                ]
            )
        )

    # ---------------------------------------------------------------------------- control

    def condition(self) -> str:
        a = self.pick(loose=True)
        number = round(self.rng.uniform(-1, 1), 1)
        return self.rng.choice(
            [
                f"{a}.sum() > {number}",
                f"{a}.mean() < {number} or k > 2",
                "k > 1",
                "mask.any()",
                f"int(k) == 2 and {a}.sum() > 0",
                f"bool(({a} > 3).any())",
                f"float({a}.sum()) > {number}",
                f"not {a}.sum() > {number}",
                "x.shape[0] > 3",
                "k.item() % 2 == 0",
            ]
        )

    def inner(self, count: int) -> list[str]:
        """A block one level deeper; gives the variables it made."""
        before = list(self.scope)
        self.depth += 1
        start = len(self.lines)
        self.statements(count, nested=True)
        if len(self.lines) == start:
            self.lines.append("    " * self.depth + "pass")
        self.depth -= 1
        items = [n for n in self.scope if n not in before]
        self.scope = before
        return items

    def branch(self) -> None:
        if self.cuts > 3:
            return
        self.cuts += 1
        target = self.matrix()
        out = self.name()
        condition = self.condition()
        envs = [dict(w.env) for w in self.worlds]
        indent = "    " * self.depth
        mark = len(self.lines)
        ran = [w.run(f"bool({condition})") for w in self.worlds]
        if not all(ran):
            return
        self.lines.append(f"{indent}if {condition}:")
        ends = []
        for side in range(2):
            result = self.inner(self.rng.randint(1, 3))
            usable = [
                n
                for n in result
                if n not in self.loose
                and all(
                    w.env[n].shape == w.env[target].shape and w.env[n].dtype == w.env[target].dtype
                    for w in self.worlds
                )
            ]
            end = self.rng.choice(usable) if usable else f"{target} * {side + 2}"
            self.lines.append(f"{indent}    {out} = {end}")
            ends.append(end)
            for w, env in zip(self.worlds, envs, strict=True):
                w.env = dict(env)
            if side == 0:
                self.lines.append(f"{indent}else:")
        for w in self.worlds:
            w.env[out] = w.env[target] * 2
        if len(self.lines) > mark:
            self.scope.append(out)

    def early_return(self) -> None:
        if self.depth > 1 or self.cuts > 2:
            return
        self.cuts += 1
        condition = f"{self.pick(loose=True)}.sum() > {round(self.rng.uniform(0, 4), 1)}"
        result = self.result()
        self.emit(f"if {condition}:\n    1")
        self.lines[-1] = "        return " + result

    def loop(self) -> None:
        if self.cuts > 2:
            return
        self.cuts += 2
        a = self.matrix()
        out = self.name()
        kind = self.rng.randrange(3)
        step = self.rng.choice(
            [f"{out} * 0.5 + 0.1", f"ops.tanh({out}) + 0.2", f"{out} * 2", f"{out} + {a}"]
        )
        if kind == 0:
            text = f"{out} = {a} * 1\nfor _ in range(int(k)):\n    {out} = {step}"
        elif kind == 1:
            text = (
                f"{out} = {a} * 1\nsteps = 0\n"
                f"while {out}.sum() < 3 and steps < 3:\n    {out} = {step}\n    steps += 1"
            )
        else:
            text = (
                f"{out} = {a} * 1\nfor i in range(4):\n    {out} = {step}\n"
                f"    if {out}.max() > 2:\n        break\n"
                f"    if {out}.min() > 0:\n        continue\n    {out} = {out} - 0.1"
            )
        if self.emit(text):
            self.scope.append(out)

    def attempts(self) -> None:
        """Exceptions of the program's own, caught under a condition on a tensor."""
        if self.cuts > 3:
            return
        self.cuts += 1
        a = self.matrix()
        out = self.name()
        text = (
            f"try:\n    if {self.condition()}:\n        raise ValueError('no')\n"
            f"    {out} = {a} + 1\nexcept ValueError:\n    {out} = {a} * 2"
        )
        if self.emit(text):
            self.scope.append(out)

    # ------------------------------------------------------------------------------ whole

    def statements(self, count: int, nested: bool = False) -> None:
        """Several statements."""
        plain = [
            self.elementwise,
            self.binary,
            self.reduction,
            self.shapes,
            self.indexing,
            self.matmul,
            self.casts,
            self.logic,
            self.constants,
            self.elementwise,
            self.layer,
            self.layer,
            self.in_place,
            self.draws,
            self.parameters,
            self.argument_in_place,
            self.made_here,
            self.changed,
            self.changed,
            self.view,
        ]
        odd = [
            self.branch,
            self.loop,
            self.selecting,
            self.printing,
            self.gradients,
            self.early_return,
            self.attempts,
            self.functions,
            self.functions,
        ]
        for _ in range(count):
            choice = self.rng.choice(odd if self.rng.random() < 0.25 else plain)
            try:
                choice()
            except IndexError:  # no variable of the kind that it needs
                continue

    def result(self) -> str:
        names = [self.pick(loose=True) for _ in range(self.rng.randint(1, 3))]
        if self.smooth:
            if all(n in self.loose for n in names):
                names.append(self.pick())
            return " + ".join(f"ops.tanh({n}).sum()" for n in names)
        first = names[0]
        return self.rng.choice(
            [
                first,
                f"({', '.join(names)},)",
                f"[{', '.join(names)}, 2, None]",
                f"{{'a': {first}, 'b': ({', '.join(names)},)}}",
                f"({first}, {{'deep': [{', '.join(names)}]}}, 'text')",
                f"({first}, x, {first})",
            ]
        )

    def write(self, count: int = 12) -> str:
        """The body of the program."""
        self.statements(count)
        self.lines.append("    return " + self.result())
        return "\n".join(self.lines)

    # ------------------------------------------------------------------------- as objects

    def network(self, with_construct: bool = True) -> Callable[[], Any]:
        """The class of the program's cell."""
        lines = ["class Net(nn.Cell):", "    def __init__(self):", "        super().__init__()"]
        lines += [f"        self.{name} = {text}" for name, text in self.layers.items()]
        if with_construct:
            lines.append(f"    def construct(self, {', '.join(ARGUMENTS)}):")
            lines += ["    " + line for line in self.lines]
        return load("\n".join(lines), f"program_{self.seed}.py")["Net"]

    def source(self) -> str:
        """The program's text."""
        body = "\n".join(self.lines)
        return f"# seed {self.seed}, layers {self.layers}\ndef program(self, ...):\n{body}\n"

    def make(self) -> Program:
        """The program as an object, new."""
        if self.layers:
            net = self.network()()
            net.set_train()
            return Program(net, net.get_parameters())
        text = f"def program({', '.join(ARGUMENTS)}):\n" + "\n".join(self.lines)
        return Program(load(text, f"program_{self.seed}.py")["program"])


def load(text: str, filename: str) -> dict[str, Any]:
    """Run a module's text; its lines show in tracebacks."""
    namespace: dict[str, Any] = {"__name__": "program", "Block": Block, "Twice": Twice}
    text = _HEADER + text
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), namespace)
    return namespace


def calls_of(seed: int, count: int, sizes: Sequence[int]) -> list[Callable[[], tuple[Any, ...]]]:
    """Arguments for several calls, with fresh tensors for each run."""

    def maker(i: int) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            result = inputs(random.Random(seed * 100 + i), sizes[i % len(sizes)])
            return tuple(result[name] for name in ARGUMENTS)

        return make

    return [maker(i) for i in range(count)]
