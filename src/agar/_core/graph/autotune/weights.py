"""Plans that hold what they have made of the weights: they step back while those change.

A stamp of the weights is compared at every call. Where it differs, O0 serves; when the stamp has
been the same for some calls, the plan is made ready for the new weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from agar._core import malloc
from agar._core.gc_pause import collector_at_rest
from agar._core.graph.backends import o0
from agar._core.graph.ir.graph import Op, Subgraph
from agar._core.lent import is_lent, see_aliases, watch
from agar._core.runtime import runtime

if TYPE_CHECKING:
    from agar._core.graph.backends.engine import Engine

__all__ = ["EnginePlan", "FoldedPlan"]

see_aliases()
_REFOLD_AFTER = 32  # calls with unchanged weights before a plan is made ready for them


class _WeightsPlan:
    """What such plans have in common.

    Args:
        plain: O0's function, which serves while the plan cannot.
        sources: the captured tensors that the plan depends on.
    """

    def __init__(self, plain: Callable[..., Any], sources: Iterable[torch.Tensor]) -> None:
        self._plain = plain
        self._watched = list({id(t): t for t in sources}.values())
        self._stamp: Any = None
        self._seen: Any = None
        self._since = 0

    def _is_at_rest(self, stamp: Any) -> bool:
        """Whether the weights have been the same for some calls, and nobody may write unseen."""
        if self._stamp is not None:
            if stamp != self._seen:
                self._seen, self._since = stamp, 0
            self._since += 1
            if self._since < _REFOLD_AFTER:
                return False
        for t in self._watched:
            watch(t)
        return not any(is_lent(t) for t in self._watched)


class FoldedPlan(_WeightsPlan):
    """A plan whose constants come from the parameters.

    Args:
        autotuner: the plans of the subgraph.
        folded: its prologue and body.
        ops: the body's operations as another plan has rewritten them. Default: None.
    """

    def __init__(self, autotuner: Any, folded: Any, ops: list[Op] | None = None) -> None:
        bound = autotuner.bound
        prologue: Subgraph = folded.prologue
        body: Subgraph = folded.body
        self._sources = [bound[v] for v in prologue.ins]
        super().__init__(autotuner.first.run, self._sources)
        self._prologue = o0.generate(prologue, name="prologue")
        constants = set(folded.constants)
        held = {v: bound[v] for v in body.ins if v in bound and v not in constants}
        held.update(dict.fromkeys(folded.constants))
        self._names = [f"v{v}" for v in prologue.outs]
        takes = [v for v in body.ins if v not in held]
        self._pick = [autotuner.takes.index(v) for v in takes]
        self._body = o0.generate(body, ops, bound=held, name="folded")
        self._all = self._pick == list(range(len(autotuner.takes)))

    def __call__(self, *args: Any) -> Any:
        stamp = (runtime.weights, sum([t._version for t in self._watched]))
        if stamp != self._stamp and not self._renew(stamp):
            return self._plain(*args)
        return self._body(*(args if self._all else [args[i] for i in self._pick]))

    def _renew(self, stamp: Any) -> bool:
        """Compute the constants again, if the parameters have come to rest."""
        if not self._is_at_rest(stamp):
            return False
        with malloc.mapped_one_by_one():
            _, result = self._prologue(*self._sources)
        self._body.__globals__.update(zip(self._names, result, strict=True))
        self._stamp = stamp
        return True


class EnginePlan(_WeightsPlan):
    """A plan that runs an engine's model, see :mod:`agar._core.graph.backends.engine_model`.

    O0 also serves calls that end in an error, which nothing has been changed by yet, so that the
    error is O0's.

    Args:
        autotuner: the plans of the subgraph.
        engine: compiles the model.
        start: does work beside the calls.

    Raises:
        Untranslatable: there can be no model.
    """

    def __init__(
        self,
        autotuner: Any,
        engine: Engine,
        start: Callable[[Callable[[], None], str], Any],
    ) -> None:
        from agar._core.graph.backends.engine_model import Model

        super().__init__(autotuner.first.run, ())
        self._engine = engine
        self._make = lambda: Model(engine, autotuner.subgraph, autotuner.takes, autotuner.bound)
        self._every = list(autotuner.bound.values())
        self._start = start
        self._building = False
        self._failed: Any = None  # the stamp of weights for which there is no model
        self._build()

    @property
    def source(self) -> str:
        """The model's operations, for people."""
        return self._current[1].source

    def __call__(self, *args: Any) -> Any:
        stamp = self._stamp_of(self._watched)
        expected, model = self._current  # one read: another thread may replace both
        if stamp == expected and not self._engine.forked:
            try:
                result = model(*args)
            except Exception:
                result = None
            if result is not None:
                return result
        elif stamp != self._failed and not self._building and self._is_at_rest(stamp):
            self._renew(stamp)
        return self._plain(*args)

    def _stamp_of(self, tensors: list[torch.Tensor]) -> Any:
        return (runtime.weights, sum([t._version for t in tensors]), torch.get_num_threads())

    def _renew(self, stamp: Any) -> None:
        """Have a new model compiled beside the calls."""
        self._building = True

        def work() -> None:
            try:
                with torch.no_grad(), collector_at_rest():
                    self._build()
            except Exception:  # weights that the engine cannot take: O0 goes on
                self._failed = stamp
            finally:
                self._building = False

        self._start(work, f"agar {self._engine.name}")

    def _build(self) -> None:
        for t in self._every:
            watch(t)
        before = self._stamp_of(self._every)
        if any(is_lent(t) for t in self._every):
            raise RuntimeError("a weight's memory is an array of numpy as well")
        with malloc.mapped_one_by_one():  # compiling takes copies of the weights and drops them
            model = self._make()
        stamp = self._stamp_of(model.weights)
        if self._stamp_of(self._every) != before:
            raise RuntimeError("the weights changed while the model was compiled")
        self._watched = model.weights
        self._current = (stamp, model)
        self._stamp = stamp
