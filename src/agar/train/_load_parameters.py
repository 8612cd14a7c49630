"""Values into the tensors of a network: what it has, what fits, and the copying.

Loading plans first and copies last: a call that raises has changed nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import torch  # shapes and types are compared, and values cast, as torch tensors

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

# Within each of these families values are cast; from one to another they are not.
FAMILIES = (
    frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64}),
    frozenset({torch.int8, torch.int16, torch.int32, torch.int64}),
)

# Similar names are looked for only so often: comparing texts of thousands of names takes seconds.
_MAX_HINTS = 5


class Filling(NamedTuple):
    """One value for one tensor of a network, and the names of both."""

    name: str
    target: Tensor
    source: str
    value: torch.Tensor

    def obstacle(self, *, strict: bool = False) -> str | None:
        """Why the value does not fit, or None.

        Args:
            strict: whether a cast is an obstacle too.
        """
        target, value = self.target, self.value
        if not trailing_units_apart(target.shape, tuple(value.shape)):
            return self._unlike("shape", target.shape, tuple(value.shape))
        kind = to_torch_dtype(target.dtype)
        if value.dtype != kind and (strict or not castable(value.dtype, kind)):
            return self._unlike("type", target.dtype, FROM_TORCH.get(value.dtype, value.dtype))
        if target.device == "meta":
            return (
                f"{self.name} in the argument 'net' has no memory (it is on the device 'meta'); "
                "give it some with net.to_empty(device='CPU')."
            )
        if value.dtype != kind and not value.is_floating_point() and value.numel():
            low, high = value.aminmax()
            limits = torch.iinfo(kind)
            if int(low) < limits.min or int(high) > limits.max:
                return (
                    f"{self.source} in the argument 'parameter_dict' has values from {int(low)} "
                    f"to {int(high)}, which {self.name} of type {target.dtype} cannot hold."
                )
        return None

    def _unlike(self, what: str, mine: object, other: object) -> str:
        return (
            f"{self.name} in the argument 'net' should have the same {what} as {self.source} in "
            f"the argument 'parameter_dict', but the {what}s are {mine} and {other}."
        )

    def is_cast(self) -> bool:
        """Whether the value and the tensor differ in type."""
        return self.value.dtype != to_torch_dtype(self.target.dtype)

    def fill(self) -> None:
        """Copy the value into the tensor's memory; shape, type and identity stay the tensor's."""
        value = self.value.reshape(self.target.shape)
        if isinstance(self.target, Parameter):
            self.target.set_data(wrap(value))
        else:
            self.target._value.data.copy_(value)
            runtime.weights += 1


def parameters_of(net: Cell) -> Iterator[tuple[str, Parameter]]:
    """The parameters of a network by their own names, in its order."""
    for p in net.get_parameters():
        yield p.name, p


def buffers_of(net: Cell) -> dict[str, Tensor]:
    """The persistent buffers of a network by their paths, without names that parameters have."""
    taken = {name for name, _ in parameters_of(net)}
    entries: dict[str, Tensor] = {}
    for path, cell in net.cells_and_names():
        transient = cell.__dict__.get("_transient_buffers", ())
        for name, value in cell._buffers.items():
            full = f"{path}.{name}" if path else name
            if value is not None and name not in transient and full not in taken:
                entries[full] = value
    return entries


def castable(given: torch.dtype, expected: torch.dtype) -> bool:
    """Whether values of one type may fill a tensor of the other."""
    return given == expected or any(given in f and expected in f for f in FAMILIES)


def trailing_units_apart(shape: Sequence[int], other: Sequence[int]) -> bool:
    """Whether shapes agree, but for dimensions of size 1 at the end of the other."""
    shape, other = tuple(shape), tuple(other)
    return other[: len(shape)] == shape and all(n == 1 for n in other[len(shape) :])


def similar(names: Iterable[str], among: Iterable[str]) -> dict[str, list[str]]:
    """For the first few names, those among others that look most like them."""
    pool = list(among)
    entries = {}
    for name in list(names)[:_MAX_HINTS]:
        close = difflib.get_close_matches(name, pool, n=2, cutoff=0.6)
        if close:
            entries[name] = close
    return entries


def copying_prefixes(names: Iterable[str]) -> set[str]:
    """Beginnings such as ``moments.`` under which most names repeat others of the list.

    What stands there is a second copy of a network's names: an optimizer's state, an average of
    the weights.
    """
    pool = set(names)
    under: dict[str, list[bool]] = {}
    for name in pool:
        at = name.find(".")
        while at >= 0:
            under.setdefault(name[: at + 1], []).append(name[at + 1 :] in pool)
            at = name.find(".", at + 1)
    return {prefix for prefix, repeats in under.items() if 2 * sum(repeats) > len(repeats)}
