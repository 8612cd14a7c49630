"""Which sizes of a call's tensors are open, and what cannot be recorded for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import torch

from agar._core.graph.guard.flatten import FlatArguments

if TYPE_CHECKING:
    from agar._core.jit import Symbol

__all__ = ["Dynamic", "Site", "Unsupported", "check_dynamic", "suggest"]
Site = tuple[str, int] | None


class Unsupported(Exception):
    """A call cannot be recorded for all sizes.

    Attributes:
        reason: why.
        site: file and line of the user's code, or None.
        fixed: the sizes that the call can only have, by tensor and dimension, if that is the
            reason: with `Dynamic.without` of these it may be recorded.
    """

    def __init__(
        self, reason: str, site: Site = None, fixed: dict[tuple[int, int], int] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site
        self.fixed = fixed or {}


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


def check_dynamic(flat: FlatArguments, dynamic: Dynamic) -> None:
    """Refuse what symbols cannot stand for.

    Raises:
        Unsupported: such a thing is there.
    """
    if not dynamic.dims:
        raise Unsupported("no size changes")
    for leaf in dynamic.dims:
        if not 0 <= leaf < len(flat.tensors):
            raise Unsupported(f"there is no tensor {leaf} among the arguments")
    for leaf, t in enumerate(flat.tensors):
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
