"""Runs a converted program with the first weights, draws and orders of another run.

Only NumPy is imported, so that the file runs beside agar and beside real MindSpore. What is put in
place: the weights of each network when it is first used or given to an optimizer, the results of
random functions that the program calls, and the order in which its loaders shuffle.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import json
import os
import re
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["Record", "Roots", "replayed", "run_program"]

#: random functions of ops and mint, by the kind of what they draw
_DRAWING = {
    "randn": "normal", "randn_like": "normal", "standard_normal": "normal", "normal": "normal",
    "rand": "uniform", "rand_like": "uniform", "uniform": "uniform",
    "randint": "integers", "randint_like": "integers",
    "randperm": "permutation", "multinomial": "choice", "bernoulli": "mask",
}  # fmt: skip


class Record:
    """What the first run drew, in order, and the weights that its networks began with.

    Args:
        draws (list): pairs of a kind and an array.
        weights (list): for each network, in the order in which they were used first: what
            `load` is called with.
    """

    def __init__(self, draws: list[tuple[str, np.ndarray]], weights: list[Any]) -> None:
        self.draws = draws
        self.weights = weights
        self.used = [False] * len(draws)
        #: draws of the second run that the first did not make
        self.missing: list[str] = []

    def take(self, kind: str, shape: tuple[int, ...]) -> np.ndarray | None:
        """The first draw of a kind and shape that was not used yet.

        Args:
            kind (str): how the numbers are distributed, as `draws` has it.
            shape (tuple[int, ...]): how many numbers are needed.

        Returns:
            numpy.ndarray; None if there is none left, which `missing` then lists.
        """
        for i, (name, value) in enumerate(self.draws):
            if not self.used[i] and name == kind and value.shape == shape:
                self.used[i] = True
                return value
        self.missing.append(f"{kind} {shape}")
        return None


class Roots:
    """Networks in the order in which they are first used; each is shown to a function once.

    Args:
        children: gives the parts of a network.
        parameters: gives its parameters.
        begin: called with each network that nothing else holds, when it is first used.
    """

    def __init__(
        self,
        children: Callable[[Any], list[Any]],
        parameters: Callable[[Any], list[Any]],
        begin: Callable[[Any], None],
    ) -> None:
        self.children = children
        self.parameters = parameters
        self.begin = begin
        self.all: list[weakref.ref[Any]] = []
        self._begun: set[int] = set()
        self._networks: list[Any] = []
        self._busy = False

    def add(self, network: Any) -> None:
        """A network, or a part of one, is made.

        Args:
            network: it.
        """
        self.all.append(weakref.ref(network))

    def use(self, network: Any) -> None:
        """A network is used: it has its first weights.

        Args:
            network: it, or a part of one.
        """
        if self._busy or id(network) in self._begun:
            return
        roots = self._roots()
        root = next((r for r in roots if r is network), None)
        if root is None:
            held = {id(p) for p in self.parameters(network)}
            root = next((r for r in roots if held & {id(p) for p in self.parameters(r)}), None)
        if root is not None:
            self._start(root)
        self._note(network)

    def train(self, parameters: list[Any]) -> None:
        """An optimizer is given parameters.

        Args:
            parameters (list): those that it updates.
        """
        given = {id(p) for p in parameters}
        for root in self._roots():
            if given & {id(p) for p in self.parameters(root)}:
                self._start(root)

    def _note(self, network: Any) -> None:
        # kept alive, so that no other network gets its number
        self._begun.add(id(network))
        self._networks.append(network)

    def _start(self, root: Any) -> None:
        if id(root) in self._begun:
            return
        self._note(root)
        self._busy = True
        try:
            self.begin(root)
        finally:
            self._busy = False

    def _roots(self) -> list[Any]:
        alive = [one for ref in self.all if (one := ref()) is not None]
        inner = {id(c) for one in alive for c in self.children(one)}
        return [one for one in alive if id(one) not in inner and self.parameters(one)]


@contextlib.contextmanager
def replaced(owner: Any, name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    """Replace an attribute by what is made of it, and put it back at the end."""
    own = name in vars(owner)
    old = getattr(owner, name)
    setattr(owner, name, make(old))
    try:
        yield
    finally:
        if own:
            setattr(owner, name, old)
        else:
            delattr(owner, name)


def after(call: Callable[..., None]) -> Callable[[Any], Any]:
    """A wrapper that calls a function with the object when its method is done."""

    def make(old: Any) -> Any:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            out = old(self, *args, **kwargs)
            call(self)
            return out

        return method

    return make


def before(call: Callable[..., None]) -> Callable[[Any], Any]:
    """A wrapper that calls a function with the first argument before another."""

    def make(old: Any) -> Any:
        def function(first: Any, *args: Any, **kwargs: Any) -> Any:
            call(first)
            return old(first, *args, **kwargs)

        return function

    return make


@contextlib.contextmanager
def replayed(
    package: Any, file: str, record: Record, load: Callable[[Any, Any], None]
) -> Iterator[None]:
    """Serve a record to a program of agar or MindSpore.

    Args:
        package: agar, or mindspore.
        file: how the names of the program's files begin; only what these call is replaced.
        record: what to serve.
        load: puts a network's weights into its Cell.
    """
    nn = package.nn
    experimental = importlib.import_module(f"{package.__name__}.experimental.optim")
    optimizers = (nn.Optimizer, experimental.Optimizer)
    rest = iter(record.weights)

    def begin(cell: Any) -> None:
        given = next(rest, None)
        if given is None:
            record.missing.append(f"weights of {type(cell).__name__}")
        else:
            load(cell, given)

    roots = Roots(
        lambda cell: list(cell.cells()),
        lambda cell: [] if isinstance(cell, optimizers) else list(cell.get_parameters()),
        begin,
    )

    def use(cell: Any) -> None:
        if isinstance(cell, nn.Cell) and not isinstance(cell, optimizers):
            roots.use(cell)

    with contextlib.ExitStack() as stack:
        put = stack.enter_context
        put(replaced(nn.Cell, "__init__", after(roots.add)))
        put(replaced(nn.Cell, "__call__", before(use)))
        put(replaced(nn.Cell, "parameters_dict", before(use)))
        put(replaced(nn.Cell, "state_dict", before(use)))
        put(replaced(copy, "deepcopy", before(use)))
        for kind in optimizers:
            put(replaced(kind, "__init__", after(lambda o: roots.train(list(o.parameters)))))
        for module in (package.ops, package.mint):
            for name, kind in _DRAWING.items():
                if hasattr(module, name):
                    put(replaced(module, name, _serving(package, file, record, kind)))
        put(replaced(nn.Dropout, "construct", _dropping(package, record)))
        own = put(_own_stream(file))
        put(replaced(np.random, "permutation", _permuting(file, record, own)))
        put(replaced(np.random, "default_rng", _generating(file, record)))
        put(
            replaced(
                sys.modules[f"{package.__name__}.dataset"],
                "GeneratorDataset",
                _shuffling(package, record),
            )
        )
        yield


@contextlib.contextmanager
def _own_stream(file: str) -> Iterator[np.random.RandomState]:
    """The program's calls of `numpy.random` draw from a stream of their own.

    The original is alone with numpy's, but initial values of Cells are seeded from it, and
    `set_seed` sets it.
    """
    own = np.random.RandomState()
    own.set_state(np.random.get_state())

    def make(old: Any) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            return (getattr(own, old.__name__) if _called_by(file) else old)(*args, **kwargs)

        return function

    names = [n for n in dir(own) if n[0] != "_" and callable(getattr(np.random, n, None))]
    with contextlib.ExitStack() as stack:
        for name in names:
            if getattr(np.random, name).__name__ == name:  # ranf and sample are other functions
                stack.enter_context(replaced(np.random, name, make))
        yield own


def _called_by(file: str, depth: int = 2) -> bool:
    return sys._getframe(depth).f_code.co_filename.startswith(file)


def _builds(file: str) -> bool:
    """Whether the program makes a network: one of its frames is the `__init__` of a Cell."""
    frame = sys._getframe(2)
    while frame is not None:
        cell = frame.f_locals.get("self") if frame.f_code.co_name == "__init__" else None
        if frame.f_code.co_filename.startswith(file) and hasattr(cell, "parameters_and_names"):
            return True
        frame = frame.f_back
    return False


def _serving(package: Any, file: str, record: Record, kind: str) -> Callable[[Any], Any]:
    def make(old: Any) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            out = old(*args, **kwargs)
            if not _called_by(file):
                return out
            value = record.take(kind, tuple(out.shape))
            if value is None:
                if _builds(file):  # first weights are given as they are
                    record.missing.pop()
                return out
            return package.Tensor(value.astype(out.asnumpy().dtype))

        return function

    return make


def _dropping(package: Any, record: Record) -> Callable[[Any], Any]:
    def make(old: Any) -> Any:
        def construct(self: Any, x: Any) -> Any:
            if not self.training or not getattr(self, "p", 0.5):
                return old(self, x)
            mask = record.take("mask", tuple(x.shape))
            if mask is None:
                return old(self, x)
            return x * package.Tensor(mask.astype(np.float32) / (1 - self.p))

        return construct

    return make


def _permuting(file: str, record: Record, own: np.random.RandomState) -> Callable[[Any], Any]:
    def make(old: Any) -> Any:
        def permutation(x: Any) -> Any:
            if not _called_by(file):
                return old(x)
            order = record.take("permutation", (x,)) if isinstance(x, int) else None
            return own.permutation(x) if order is None else order

        return permutation

    return make


class _Served:
    """A generator of NumPy whose numbers are those of a record."""

    def __init__(self, rng: Any, record: Record) -> None:
        self.rng = rng
        self.record = record

    def random(self, size: Any = None, dtype: Any = np.float64) -> Any:
        return self._taken("uniform", self.rng.random(size, dtype))

    def standard_normal(self, size: Any = None, dtype: Any = np.float64) -> Any:
        return self._taken("normal", self.rng.standard_normal(size, dtype))

    def integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        return self._taken("integers", self.rng.integers(low, high, size))

    def permutation(self, x: Any) -> Any:
        return self._taken("permutation", self.rng.permutation(x))

    def _taken(self, kind: str, drawn: Any) -> Any:
        value = self.record.take(kind, np.shape(drawn))
        return drawn if value is None else value.astype(drawn.dtype)


def _generating(file: str, record: Record) -> Callable[[Any], Any]:
    def make(old: Any) -> Any:
        def default_rng(*args: Any) -> Any:
            return _Served(old(*args), record) if _called_by(file) else old(*args)

        return default_rng

    return make


def _shuffling(package: Any, record: Record) -> Callable[[Any], Any]:
    dataset = importlib.import_module(f"{package.__name__}.dataset")

    class Order(dataset.Sampler):
        def __init__(self, count: int) -> None:
            super().__init__(count)
            self.count = count

        def __iter__(self) -> Iterator[int]:
            order = record.take("permutation", (self.count,))
            yield from (range(self.count) if order is None else order.tolist())

    def make(old: Any) -> Any:
        def build(source: Any, *args: Any, **kwargs: Any) -> Any:
            if kwargs.get("shuffle"):
                kwargs = {**kwargs, "shuffle": None, "sampler": Order(len(source))}
            return old(source, *args, **kwargs)

        return build

    return make


class _Followed(io.StringIO):
    """Text that tells of each line that is written."""

    def __init__(self, follow: Callable[[int, str], None]) -> None:
        super().__init__()
        self.follow = follow
        self.count = 0

    def write(self, text: str) -> int:
        written = super().write(text)
        lines = text.count("\n")
        if lines:
            self.count += lines
            self.follow(self.count, self.getvalue()[-200:].rstrip().rpartition("\n")[2])
        return written


def run_program(
    file: str,
    code: str,
    arguments: Sequence[str] = (),
    follow: Callable[[int, str], None] | None = None,
) -> str:
    """Run a text as a program, and give what it printed.

    Args:
        file (str): the file that the program takes itself for.
        code (str): its source.
        arguments (sequence[str]): what it is called with. Default: ``()``.
        follow (callable, optional): called with the count of printed lines and the last of them.
            Default: ``None``.

    Returns:
        str, its standard output.

    Raises:
        RuntimeError: the program ended with an exit code other than 0.
    """
    out = io.StringIO() if follow is None else _Followed(follow)
    main = type(sys)("__main__")
    main.__file__ = file
    argv, old = sys.argv, sys.modules.get("__main__")
    sys.argv, sys.modules["__main__"] = [file, *arguments], main
    try:
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(code, file, "exec", dont_inherit=True), vars(main))
            except SystemExit as end:
                if end.code not in (None, 0):
                    raise RuntimeError(f"the program ended with {end.code!r}") from end
    finally:
        sys.argv = argv
        if old is not None:
            sys.modules["__main__"] = old
    return out.getvalue()


#: what agar and MindSpore call parameters in a ParameterTuple that were given no name
_UNNAMED = re.compile(r"Parameter[#$]\d+$")


def _load_arrays(package: Any) -> Callable[[Any, Any], None]:
    def load(cell: Any, arrays: dict[str, np.ndarray]) -> None:
        # parameters without a name are numbered over the whole process
        unnamed = iter([value for name, value in arrays.items() if _UNNAMED.match(name)])
        for parameter in cell.get_parameters():
            known = not _UNNAMED.match(parameter.name)
            value = arrays[parameter.name] if known else next(unnamed)
            parameter.set_data(package.Tensor(value))

    return load


def main() -> None:
    """``python script_replay.py PACKAGE PROGRAM RECORD ...``: prints what the program printed."""
    name, file, place, *arguments = sys.argv[1:]
    package = importlib.import_module(name)
    importlib.import_module(f"{name}.dataset")
    importlib.import_module(f"{name}.mint")
    if name == "agar":  # it runs texts for MindSpore, too
        package.alias_mindspore()
    with np.load(place) as arrays:
        kinds, names = json.loads(str(arrays["index"]))
        draws = [(kind, arrays[f"draw{i}"]) for i, kind in enumerate(kinds)]
        weights = [{n: arrays[f"w{i}.{n}"] for n in each} for i, each in enumerate(names)]
    record = Record(draws, weights)
    with open(file, encoding="utf-8") as opened:
        code = opened.read()
    folder = os.path.dirname(os.path.abspath(file))
    # this file's own folder is no place of the program's modules
    sys.path[:1] = [folder]
    with replayed(package, folder, record, _load_arrays(package)):
        printed = run_program(file, code, arguments)
    print(printed, end="")
    for text in dict.fromkeys(record.missing):
        print(f"missing in the record: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
