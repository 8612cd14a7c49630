"""A network whose gradients are reduced over processes while the backward pass still runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from agar._core.distributed.gradient_accumulation import GradientAccumulation
from agar._core.distributed.parameter_parts import is_part
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.distributed.process_membership import stop_recording
from agar._core.distributed.sharding import is_split
from agar._core.errors import describe
from agar._core.gradient_recording import functorch_level, reduce_with, scope_is_open
from agar._core.settings import auto_parallel
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.wrap.grad_reducer import broadcast_parameters, require_same
from agar.ops._checks import choice

__all__ = ["DistributedDataParallel"]

_NAME = "DistributedDataParallel"
_MEGABYTE = 1 << 20


class DistributedDataParallel(Cell):
    """A network whose gradients are means over the processes, each of which has rows of its own.

    Gradients by the parameters of the network, as `value_and_grad`, `grad` and `GradOperation`
    give them, are reduced in buckets, which are sent while the backward pass still runs. They
    accumulate: each is added to those before it, until :meth:`zero_grad`. A parameter that a
    process does not use counts as a zero there, and nobody waits for it. Buckets follow the order
    in which process 0 computes gradients in its first backward pass. Half precision is added in
    float32. In GRAPH_MODE, a backward pass of such a cell runs as ordinary Python.

    Args:
        module (Cell): the network; its parameters keep their names.
        init_sync (bool): whether the parameters of the group's first process, those that are not
            trained too, are sent to all. Otherwise the first backward pass raises if they differ.
            Default: ``True``.
        process_group (str): the group of processes. Default: ``None``, all.
        bucket_cap_mb (Union[int, float]): the size of a bucket in MiB. Default: ``None``, 1 for
            the first and 25 for the others.
        find_unused_parameters (bool): of MindSpore, where buckets with parameters that are not
            used are sent with ``True`` alone; here they always are. Default: ``False``.
        average_in_collective (bool): whether gradients are divided by the number of processes
            after they were added; otherwise before, where sums cannot overflow.
            Default: ``False``.
        static_graph (bool): of MindSpore, where buckets follow the order of the first backward
            pass with ``True`` alone; here they always do. Default: ``False``.
        reducer_mode (str): ``"CppReducer"`` or ``"PythonReducer"``, which are the same here.
            Default: ``"CppReducer"``.

    Inputs:
        - **inputs** (tuple) - the inputs of the network.
        - **inputs_dict** (dict) - its keyword arguments.

    Outputs: the output of the network.

    Raises:
        TypeError: an argument is of the wrong type; at a gradient, one is sparse.
        ValueError: `bucket_cap_mb` is not positive, `reducer_mode` is another, or parameters are
            split over processes or belong to one.
        RuntimeError: there are several processes, which have not joined; at a gradient: it is to
            be differentiated again, a training cell or `Model` reduces it too, a parameter became
            trainable afterwards, or the processes begin with different parameters.
        NotImplementedError: it runs inside of `vmap` or `jvp` with several processes.

    Difference from PyTorch: ``torch.nn.parallel.DistributedDataParallel``, whose gradients are in
    ``parameter.grad``; and the differences of the arguments.

    Source: behavior described for MindSpore 2.10, which has the cell for Ascend.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> from agar.parallel.distributed import DistributedDataParallel
        >>> net = DistributedDataParallel(nn.Dense(2, 1, weight_init="zeros"))
        >>> optimizer = nn.SGD(net.trainable_params(), 0.5)
        >>> step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
        >>> loss, grads = step(ms.Tensor([[1.0, 2.0]]))
        >>> _ = optimizer(grads)
        >>> net.zero_grad()
        >>> print(net.module.weight.asnumpy())
        [[-0.5 -1. ]]
    """

    def __init__(
        self,
        module: Any,
        init_sync: bool = True,
        process_group: str | None = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
        average_in_collective: bool = False,
        static_graph: bool = False,
        reducer_mode: str = "CppReducer",
    ) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(module, Cell):
            raise TypeError(f"For '{_NAME}', 'module' must be a Cell, but got {describe(module)}.")
        if not (process_group is None or isinstance(process_group, str)):
            raise TypeError(
                f"For '{_NAME}', 'process_group' must be the name of a group, or None for all "
                f"processes, but got {describe(process_group)}. Make one with "
                "communication.create_group(name, ranks)."
            )
        limit = None
        if bucket_cap_mb is not None:
            cap = check.positive(_NAME, "bucket_cap_mb", bucket_cap_mb, strict=False)
            limit = int(cap * _MEGABYTE)
        self.init_sync = check.boolean(_NAME, "init_sync", init_sync)
        self.bucket_cap_mb = bucket_cap_mb
        self.bucket_bytes_cap = 25 * _MEGABYTE if limit is None else limit
        self.find_unused_parameters = check.boolean(
            _NAME, "find_unused_parameters", find_unused_parameters
        )
        self.average_in_collective = check.boolean(
            _NAME, "average_in_collective", average_in_collective
        )
        self.static_graph = check.boolean(_NAME, "static_graph", static_graph)
        self.reducer_mode = choice(
            _NAME, "reducer_mode", reducer_mode, ("CppReducer", "PythonReducer")
        )
        self.process_group = _group(process_group)
        self.sync_enabled = True
        self.module = module
        every = [p for _, p in module.parameters_and_names()]
        _refuse_parts(every)
        # kept out of the cell's own tables: they belong to the network
        vars(self)["bucketed_params"] = [p for p in every if p.requires_grad]
        vars(self)["skipped_params"] = [p for p in every if not p.requires_grad]
        vars(self)["_gradients_of_steps"] = GradientAccumulation(
            _NAME, self.bucketed_params, self.process_group, limit, average_in_collective
        )
        vars(self)["_equal"] = False
        if init_sync:
            self.broadcast_coalesced()

    def broadcast_coalesced(self) -> None:
        """Send the parameters of the first process of the group to the others."""
        if self._steps.has_peers:
            broadcast_parameters([*self.bucketed_params, *self.skipped_params], self.process_group)
        vars(self)["_equal"] = True

    def construct(self, *inputs: Any, **inputs_dict: Any) -> Any:
        """The output of the network; gradients of it are accumulated and reduced."""
        if scope_is_open():
            self._take_part()
        elif functorch_level() and self._steps.has_peers:
            raise NotImplementedError(
                f"For '{_NAME}', gradients inside of vmap, jvp and the like are not reduced over "
                "processes. Give them the network itself, the attribute 'module'."
            )
        return self.module(*inputs, **inputs_dict)

    def zero_grad(self) -> None:
        """Begin to accumulate anew. Gradients that were returned stay as they are."""
        self._steps.clear()

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """A context in which gradients accumulate in each process, and are not sent.

        What it accumulated goes into the next reduction.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> from agar.parallel.distributed import DistributedDataParallel
            >>> net = DistributedDataParallel(nn.Dense(1, 1))
            >>> step = ms.grad(lambda x: net(x).sum(), None, net.module.weight)
            >>> with net.no_sync():
            ...     _ = step(ms.Tensor([[1.0]]))
            >>> print(step(ms.Tensor([[2.0]])))
            [[3.]]
        """
        before, self.sync_enabled = self.sync_enabled, False
        try:
            yield
        finally:
            self.sync_enabled = before

    @property
    def _steps(self) -> GradientAccumulation:
        return vars(self)["_gradients_of_steps"]

    def _take_part(self) -> None:
        """Enter the open recordings."""
        stop_recording(f"a gradient of '{_NAME}'")
        for p in self.skipped_params:
            if p.requires_grad:
                raise RuntimeError(
                    f"For '{_NAME}', '{p.name}' became trainable after the cell was made, and its "
                    f"gradient would not be reduced. Set requires_grad before {_NAME}(network)."
                )
        steps = self._steps
        if not vars(self)["_equal"] and steps.has_peers:
            every = [*self.bucketed_params, *self.skipped_params]
            require_same(_NAME, every, self.process_group, "Leave init_sync=True")
            vars(self)["_equal"] = True
        reduce_with(steps, self.sync_enabled)


def _group(name: str | None) -> str:
    """The name of the group; the processes have joined."""
    if groups.expected_size > 1:
        groups.require()
    if name is None and auto_parallel.get("pipeline_stages") > 1:
        raise ValueError(
            f"For '{_NAME}', the context has {auto_parallel.get('pipeline_stages')} pipeline "
            "stages, whose processes do not hold the same network. Give 'process_group' the group "
            "of those that do, or set pipeline_stages to 1."
        )
    result = WORLD if name is None else name
    if groups.expected_size > 1:
        groups.size(result)  # raises for a group that is not there
    return result


def _refuse_parts(parameters: list[Any]) -> None:
    for p in parameters:
        if p.layerwise_parallel or is_part(p) or is_split(p._value):
            why = "belongs to one process" if p.layerwise_parallel else "is split over processes"
            raise ValueError(
                f"For '{_NAME}', every process must hold the whole of each parameter, but "
                f"'{p.name}' {why}. Train it with nn.TrainOneStepCell or Model, which know of such "
                "parameters."
            )
