"""What combines gradients over processes; in one process they are already whole."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

# gradients are joined into messages as the engine's tensors
import torch

from agar._core.distributed.gradient_buckets import GradientBuckets, once
from agar._core.distributed.parameter_parts import Parts, cut_of, is_part
from agar._core.distributed.process_groups import groups
from agar._core.errors import describe
from agar._core.multi_device import world
from agar._core.parameter import Parameter
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.wrap.running import run_and_grad

__all__ = ["DistributedGradReducer", "PipelineGradReducer"]


class DistributedGradReducer(Cell):
    """Sums or averages gradients over processes; in one process it returns them.

    The processes are those of a launcher such as ``torchrun``, after `communication.init`. Float16
    and bfloat16 are added in float32. Gradients of parameters with `layerwise_parallel` stay as
    they are. At the first call the parameters must be the same in all processes, because equal
    gradients keep them the same and do not make them so; with ``parameter_broadcast`` of
    `set_auto_parallel_context` they are sent from process 0 when the reducer is made.

    Args:
        parameters (list[Parameter]): the parameters of the gradients, in their order.
        mean (bool): whether the sum is divided by `degree`. Default: ``None``, the
            ``gradients_mean`` of `set_auto_parallel_context`.
        degree (int): the divisor of the mean. Default: ``None``, the number of processes.
        fusion_type (int): how messages are fused, which does not change the result. Default: ``1``.
        group (str): the group of processes. Default: ``"hccl_world_group"``: all.

    Inputs:
        - **grads** (tuple[Tensor]) - the gradients.

    Outputs: tuple[Tensor].

    Raises:
        TypeError: `degree` is not an int or `mean` is not a bool, or a gradient is not a dense
            Tensor.
        ValueError: `degree` is not positive, or there is not one gradient for each parameter, or
            processes have gradients of different kinds.
        RuntimeError: the processes begin with different parameters.

    Difference from PyTorch: part of ``torch.nn.parallel.DistributedDataParallel``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> reducer = nn.DistributedGradReducer(nn.Dense(2, 1).trainable_params())
        >>> print(reducer((ms.Tensor([1.0, 2.0]),))[0])
        [1. 2.]
    """

    def __init__(
        self,
        parameters: Any,
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = "hccl_world_group",
    ) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        mean = auto_parallel.get("gradients_mean") if mean is None else mean
        self.mean = check.boolean(owner, "mean", mean)
        self._degree = None if degree is None else check.integer(owner, "degree", degree, 1)
        self.group = group
        # kept out of the cell's own tables: they belong to the network
        vars(self)["_reduced"] = list(parameters)
        vars(self)["_buckets"] = GradientBuckets(group)
        if auto_parallel.get("parameter_broadcast") and groups.inited:
            broadcast_parameters(self._shared(), group)

    def _of(self) -> GradientBuckets:
        return vars(self)["_buckets"]

    @property
    def degree(self) -> int:
        """The divisor of a mean."""
        return groups.size(self.group) if self._degree is None else self._degree

    def _shared(self) -> list[Parameter]:
        """The parameters that are the same in all processes."""
        return [
            p
            for p in vars(self)["_reduced"]
            if isinstance(p, Parameter) and not p.layerwise_parallel and not is_part(p)
        ]

    def _expect_rows(self, inputs: Iterable[Any]) -> None:
        """Let the next mean raise unless the first Tensors of all processes have as many rows."""
        shapes = (value.shape for value in inputs if isinstance(value, Tensor))
        self._of().rows = next((s[0] for s in shapes if s), None) if self.mean else None

    def construct(self, grads: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients added over the processes, divided by the degree if a mean was asked for."""
        if groups.expected_size > 1:
            groups.require()
            if groups.size(self.group) > 1:
                return self._over_processes(grads)
        if not self.mean or self.degree == 1:
            return grads
        return tuple(g / self.degree for g in grads)

    def _over_processes(self, grads: Any) -> Any:
        owner = type(self).__name__
        alone = isinstance(grads, Tensor)
        values = [grads] if alone else list(grads)
        parameters = vars(self)["_reduced"]
        if len(values) != len(parameters):
            raise ValueError(
                f"For '{owner}', there must be one gradient for each of the {len(parameters)} "
                f"parameters that it was made with, but got {len(values)}. Make it with the "
                "parameters that the gradients belong to, in the same order."
            )
        for i, value in enumerate(values):
            if not isinstance(value, Tensor) or value._value.layout != torch.strided:
                raise TypeError(
                    f"For '{owner}', the gradient number {i} must be a dense Tensor, but got "
                    f"{describe(value)}. Sparse gradients are not reduced over processes: train "
                    "the parameter with dense ones."
                )
        self._compare()
        own = [_stays(p) for p in parameters]
        sums = iter(
            self._of().sums(
                [v._value for v, item in zip(values, own, strict=True) if not item],
                self.degree if self.mean else None,
                self._of().rows,
            )
        )
        reduced = tuple(
            v if item else wrap(next(sums)) for v, item in zip(values, own, strict=True)
        )
        return reduced[0] if alone else reduced

    def _compare(self) -> None:
        """Before the first sum: all processes have the same parameters."""
        buckets = self._of()
        if not buckets.compared:
            owner, group = type(self).__name__, self.group
            why = "the first step compares the parameters of the processes"
            once(require_same, owner, self._shared(), group, why=why)
            buckets.compared = True

    def _is_active(self, weights: Sequence[Any]) -> bool:
        """Whether gradients of these parameters can be added while the backward pass runs."""
        mine = vars(self)["_reduced"]
        return (
            type(self) is DistributedGradReducer
            and groups.expected_size > 1
            and groups.inited
            and groups.size(self.group) > 1
            and len(mine) == len(weights)
            and all(map(operator.is_, mine, weights))
        )

    def _run(
        self,
        network: Any,
        weights: Sequence[Parameter],
        inputs: tuple[Any, ...],
        keywords: dict[str, Any],
        sens: Any,
        scale: Tensor | None = None,
    ) -> tuple[Any, tuple[Tensor, ...]]:
        """The output of a network, and the gradients added while its backward pass runs.

        They are divided by `scale` before they are added.
        """
        self._compare()
        self._expect_rows([*inputs, *keywords.values()])
        places = [i for i, p in enumerate(weights) if not _stays(p)]
        parts = [_cut_of_gradient(weights[i]) for i in places]
        factor = None if scale is None else scale._value.reshape(())
        step = self._of().begin(
            [weights[i]._value for i in places],
            self.degree if self.mean else None,
            self._of().rows,
            factor,
            parts if any(parts) else None,
        )

        def attach(leaves: list[torch.Tensor | None]) -> list[Any]:
            seen: dict[int, tuple[int, torch.Tensor]] = {}
            for at, i in enumerate(places):
                leaf = leaves[i]
                if leaf is not None and leaf.is_leaf:
                    seen.setdefault(id(leaf), (at, leaf))
            return step.attach(seen.values())

        try:
            out, grads = run_and_grad(network, weights, inputs, keywords, sens, attach)
            for i in places:
                if grads[i]._value.layout is not torch.strided:
                    raise TypeError(
                        f"For '{type(self).__name__}', the gradient of '{weights[i].name}' is "
                        "sparse, and sparse gradients are not reduced over processes: train the "
                        "parameter with dense ones."
                    )
            sums = step.finish([grads[i]._value for i in places])
        except Exception:
            step.abandon()
            raise
        reduced = list(grads)
        if factor is not None:
            own = sorted(set(range(len(reduced))) - set(places))
            for i in own:
                reduced[i] = wrap(reduced[i]._value / factor)
        for i, value in zip(places, sums, strict=True):
            reduced[i] = wrap(value)
        return out, tuple(reduced)


def _stays(parameter: Any) -> bool:
    """Whether the gradient belongs to its process, or has been added in the backward pass."""
    return getattr(parameter, "layerwise_parallel", False) or is_part(parameter)


def _cut_of_gradient(parameter: Any) -> Parts | None:
    """How the gradient is cut, if this process keeps a part of it."""
    part = cut_of(parameter)
    return part.of if part is not None and part.of.level > 1 else None


def broadcast_parameters(parameters: Sequence[Parameter], group: str) -> None:
    """Write the parameters of the first process of a group into those of the others."""
    for parameter in parameters:
        broadcast_into(parameter._value, 0, group)


def broadcast_into(value: torch.Tensor, source: int, group: str) -> None:
    """Write a tensor of one process, given by its rank in the group, into that of each other."""
    with torch.no_grad():
        value.copy_(groups.broadcast(value.detach(), source, group))


_SENT = (
    "Call set_auto_parallel_context(parameter_broadcast=True) before the reducer or the training "
    "cell is made"
)


def require_same(
    owner: str, parameters: Sequence[Parameter], group: str, remedy: str = _SENT
) -> None:
    """Raise in all processes of a group unless the parameters are the same in each.

    Raises:
        RuntimeError: they are not; the error begins its advice with `remedy`.
    """
    equal = groups.same([p._value for p in parameters], group)
    require_equal(owner, parameters, equal, remedy)


def require_equal(
    owner: str, parameters: Sequence[Parameter], equal: Sequence[bool], remedy: str = _SENT
) -> None:
    """Raise unless all of some parameters are equal in all processes.

    Raises:
        RuntimeError: they are not.
    """
    differing = [p.name for p, same in zip(parameters, equal, strict=True) if not same]
    if differing:
        names = ", ".join(repr(n) for n in differing[:3])
        more = f" and {len(differing) - 3} others" if len(differing) > 3 else ""
        raise RuntimeError(
            f"For '{owner}', the processes begin with different values of {names}{more}: training "
            f"them with the same gradients would give as many networks as processes. {remedy}, or "
            "set_seed with one seed before the network is made, or load the same checkpoint "
            "everywhere. Parameters that shall differ have layerwise_parallel=True."
        )


class PipelineGradReducer(Cell):
    """Divides the gradients of a pipeline by a loss scale.

    :class:`agar.nn.PipelineCell` gives gradients that are added over micro-batches, and reduced
    over the processes that hold a parameter together, so nothing else is left to do.

    Args:
        parameters (list[Parameter]): the parameters of the gradients.
        scale_sense (float): the loss scale by which they are divided. Default: ``1.0``.
        opt_shard (bool): whether gradients are split over processes; with several processes
            making the cell with ``True`` raises. Default: ``None``.

    Inputs:
        - **grads** (tuple[Tensor]) - the gradients.

    Outputs: tuple[Tensor].

    Raises:
        NotImplementedError: `opt_shard` is True, and there are several processes.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, which needs several devices to show it.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> reducer = nn.PipelineGradReducer(nn.Dense(2, 1).trainable_params(), 2.0)
        >>> print(reducer((ms.Tensor([1.0, 2.0]),))[0])
        [0.5 1. ]
    """

    def __init__(
        self, parameters: Any, scale_sense: float = 1.0, opt_shard: bool | None = None
    ) -> None:
        super().__init__(auto_prefix=False)
        if opt_shard:
            world.refuse(
                "nn.PipelineGradReducer(opt_shard=True)",
                "gradients of a pipeline are not split over processes",
                "leave opt_shard out",
            )
        self.scale_sense = check.positive(
            "PipelineGradReducer", "scale_sense", scale_sense, strict=False
        )

    def construct(self, grads: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients over the scale."""
        return grads if self.scale_sense == 1.0 else tuple(g / self.scale_sense for g in grads)
