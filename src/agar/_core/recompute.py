"""Recomputation: a cell keeps no intermediate results and runs again when gradients need them.

The second run repeats the first: random streams are set back for its duration, precision scopes
are those of the first run, and running statistics are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from agar._core import precision, random
from agar._core.autodiff import GradScope, map_tensors, tensors_in
from agar._core.parameter import Parameter, lending, lent_pairs
from agar._core.runtime import host_node, thread
from agar._core.tensor import wrap

__all__ = ["put_back", "random_state", "recompute", "run_recomputed"]


def _put_back_now(state: dict[str, Any]) -> None:
    random.set_all_state(state, strict=False)


# In a recording these are steps of it: at every replay the second run repeats the first one's
# random numbers.
random_state = host_node(random.get_all_state)
put_back = host_node(_put_back_now, "nothing")


@contextmanager
def _as_at_first(state: dict[str, Any], scopes: list[Any]) -> Iterator[None]:
    now = random_state()
    put_back(state)
    before = thread.recomputing
    thread.recomputing = True
    thread.open_gradient(GradScope())
    entered = 0
    try:
        for scope in scopes:
            precision.enter(scope)
            entered += 1
        yield
    finally:
        for _ in range(entered):
            precision.leave()
        thread.close_gradient()
        thread.recomputing = before
        put_back(now)


class _Frame:
    """One recomputed call: what autograd saves is a number, looked up in a second run.

    torch.utils.checkpoint does the same; it is not used because its first call loads the compiler
    (0.6 s), and because it knows nothing of agar's streams and scopes.
    """

    recomputes = True  # what is saved is counted, so that no other hooks may take it

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call
        self.state = random_state()
        self.scopes = list(thread.precision)
        self.saved = 0
        self.values: dict[int, torch.Tensor] = {}

    def pack(self, value: torch.Tensor) -> int:
        self.saved += 1
        return self.saved - 1

    def unpack(self, index: int) -> torch.Tensor:
        if index not in self.values:
            self._run_again()
        if torch.is_grad_enabled():  # a second derivative may ask once more
            return self.values[index]
        return self.values.pop(index)

    def _run_again(self) -> None:
        entries: dict[int, torch.Tensor] = {}

        def keep(value: torch.Tensor) -> torch.Tensor:
            # the value itself would tie a node that saves its own output to itself, for good
            result = entries[len(entries)] = value.detach()
            return result

        with (
            _as_at_first(self.state, self.scopes),
            torch.enable_grad(),
            torch.autograd.graph.saved_tensors_hooks(keep, lambda value: value),
        ):
            self.call()
        if len(entries) != self.saved:
            raise RuntimeError(
                f"A recomputed cell needed {self.saved} intermediate results in its first run and "
                f"{len(entries)} in the second: its computation depends on something that changed "
                "in between. Make construct a function of its inputs, or do not recompute it."
            )
        self.values = entries


def run_recomputed(run: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function inside a gradient so that it is run again in the backward pass."""
    # The tensors' values are kept, not the tensors: after the scope closes, an input's slot holds
    # its plain value again, which is not differentiable.
    inputs = [t for t in tensors_in([args, kwargs]) if not isinstance(t, Parameter)]
    values = [t._value for t in inputs]
    lent = lent_pairs()  # under as_torch the parameters are torch's, in the second run too

    def again() -> Any:
        queue = iter(values)
        fresh_args, fresh_kwargs = map_tensors(
            (args, kwargs), lambda t: t if isinstance(t, Parameter) else wrap(next(queue))
        )
        with lending(lent):
            return run(*fresh_args, **fresh_kwargs)

    frame = _Frame(again)
    with torch.autograd.graph.saved_tensors_hooks(frame.pack, frame.unpack):
        return run(*args, **kwargs)


def recompute(block: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Run a cell or function whose intermediate results are not kept for its gradient.

    Args:
        block (Union[Cell, Callable]): what to run.
        args: its arguments.
        kwargs: its keyword arguments.

    Returns:
        What `block` returns.

    Raises:
        TypeError: `block` is not callable.

    Difference from PyTorch: ``torch.utils.checkpoint.checkpoint``; random numbers repeat without
    being asked, and running statistics are updated once.

    Source: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost".

    Examples:
        >>> import agar as ms
        >>> f = lambda x: ms.recompute(lambda y: y * y * y, x)
        >>> print(ms.grad(f)(ms.Tensor([2.0])))
        [12.]
    """
    if not callable(block):
        raise TypeError(f"For 'recompute', 'block' must be a Cell or function, got {block!r}.")
    if not thread.grad_scopes or thread.recomputing:
        return block(*args, **kwargs)
    return run_recomputed(block, args, kwargs)
