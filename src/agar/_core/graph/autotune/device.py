"""What plans on a GPU need beside those on the CPU: waiting, memory, and the host's part apart."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import Subgraph
from agar._core.graph.passes.by_device import ByDevice, by_device, joined

__all__ = ["Divided", "divided", "fits_twice", "gpu_of", "wait_for"]

Check = Callable[[Sequence[Any], bool], tuple[str | None, Any]]


def gpu_of(subgraph: Subgraph) -> torch.device | None:
    """The CUDA device that a subgraph's kernels run on, or None."""
    return next((m.device for m in subgraph.metas.values() if m.device.type == "cuda"), None)


def wait_for(subgraph: Subgraph) -> Callable[[], Any]:
    """What waits until the kernels of a subgraph have run."""
    device = gpu_of(subgraph)
    if device is None:
        return _no_wait
    return functools.partial(torch.cuda.synchronize, device)


def _no_wait() -> None:
    """Kernels on the CPU have run when their calls return."""


def fits_twice(state: Iterable[torch.Tensor]) -> bool:
    """Whether a GPU has memory for copies of these tensors, and as much again for a call."""
    need = collections.Counter[torch.device]()
    for t in state:
        if t.is_cuda:
            need[t.device] += 4 * t.numel() * t.element_size()
    return all(n < _free_memory(device) for device, n in need.items())


def _free_memory(device: torch.device) -> int:
    """Bytes that torch can still hand out on a GPU, those that it holds in reserve included."""
    reserve = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return torch.cuda.mem_get_info(device)[0] + reserve


class Divided:
    """A subgraph for a GPU whose host part runs first, with the code of both parts.

    Args:
        parts: the parts.
        code: makes the function of a subgraph, under a name.
        takes: the variables that come with each call of the whole.
        bound: captured tensors by variable.
    """

    def __init__(
        self,
        parts: ByDevice,
        code: Callable[[Subgraph, str], Callable[..., Any]],
        takes: list[int],
        bound: dict[int, torch.Tensor],
    ) -> None:
        self._parts, self._takes, self._bound = parts, takes, bound
        self._host = code(parts.host, "host")
        self.subgraph = parts.device
        self.code = code(parts.device, "device")

    def whole(self, device: Callable[..., Any]) -> Callable[..., Any]:
        """The host's part, then a function of the GPU's."""
        return joined(self._parts, self._takes, self._bound, self._host, device)

    def check(self, check: Check) -> Check:
        """A check of the GPU's part within a call of the whole; what the host does is done once."""

        def whole(args: Sequence[Any], careful: bool) -> tuple[str | None, Any]:
            problems: list[str | None] = []

            def checked(*given: Any) -> Any:
                problem, result = check(given, careful)
                problems.append(problem)
                return result

            result = self.whole(checked)(*args)
            return problems[0], result

        return whole


def divided(
    subgraph: Subgraph,
    code: Callable[[Subgraph, str], Callable[..., Any]],
    takes: list[int],
    bound: dict[int, torch.Tensor],
) -> Divided | str | None:
    """The parts of a subgraph for a GPU, or why it has none; None of one for the CPU."""
    if gpu_of(subgraph) is None:
        return None
    parts = by_device(subgraph)
    return Divided(parts, code, takes, bound) if isinstance(parts, ByDevice) else parts
