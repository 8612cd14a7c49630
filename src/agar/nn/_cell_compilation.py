"""The part of Cell about compiled, recomputed and divided calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agar._core.distributed import strategies
from agar._core.runtime import runtime

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["CellCompilation"]


class CellCompilation:
    """How calls of a cell are compiled and recomputed; a base class of Cell."""

    _inputs: Any
    _recompute: bool

    def recompute(self, **kwargs: Any) -> Self:
        """Keep no intermediate results of this cell; run it again when gradients need them.

        Random numbers repeat and running statistics are updated once.

        Args:
            kwargs: MindSpore's options (``mp_comm_recompute``, ``use_reentrant``, ...), which
                change no result.

        Returns:
            The cell.

        Difference from PyTorch: ``torch.utils.checkpoint.checkpoint`` as a property of the layer.

        Source: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost".

        Examples:
            >>> from agar import nn
            >>> _ = nn.Dense(2, 1).recompute()
        """
        self._recompute = True
        return self

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Describe the inputs of compiled calls; sizes of None may change from call to call.

        Args:
            inputs: one per input of ``construct``; tensors with None in their shape.
            kwargs: the same by name.

        Difference from PyTorch: ``torch._dynamo.mark_dynamic`` per dimension.

        Source: behavior observed in MindSpore 2.10; no effect in PYNATIVE_MODE.
        """
        self._inputs = (inputs, kwargs)

    def get_inputs(self) -> tuple[Any, ...] | dict[str, Any] | None:
        """What :meth:`set_inputs` stored, or None."""
        if self._inputs is None:
            return None
        inputs, kwargs = self._inputs
        return kwargs if kwargs and not inputs else inputs

    def set_jit_config(self, jit_config: Any) -> None:
        """Store options for compiled calls of this cell.

        Args:
            jit_config (JitConfig): the options.
        """
        self.jit_config = jit_config

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell compiled, whatever the mode.

        Args:
            args: inputs as for a call.
            kwargs: the same by name.

        Difference from PyTorch: ``torch.compile(module)(...)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.nn.Dense(2, 1).compile_and_run(ms.ops.ones((4, 2))).shape
            (4, 1)
        """
        return runtime.graph_call(self, args, kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the cell for inputs of a kind ahead of its first call.

        Runs the cell on the inputs, records it, and puts parameters and random numbers back.

        Args:
            args: inputs as for a call.
            kwargs: the same by name.

        Difference from PyTorch: ``torch.nn.Module.compile`` takes no inputs and waits for the
        first call.

        Source: agar's own way; MindSpore 2.10 compiles without running.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(2, 1)
            >>> net.compile(ms.ops.ones((4, 2)))
        """
        if args or kwargs:
            from agar._core.graph.cache.function import compile_cell

            compile_cell(self, args, kwargs)

    def shard(self, in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None) -> Self:
        """Set how the cell's tensors are laid out on several processes; see :func:`agar.shard`.

        Args:
            in_strategy (tuple): an entry for each input Tensor.
            out_strategy (tuple): the same of the outputs. Default: None.
            parameter_plan (dict): the layouts of parameters, by name. Default: None.

        Returns:
            This cell.

        Raises:
            TypeError: a strategy is not a tuple of tuples of int and Layouts.
        """
        label = f"the strategy of the cell '{type(self).__name__}'"
        strategies.check_strategy(label, "in_strategy", in_strategy)
        if out_strategy is not None:
            strategies.check_strategy(label, "out_strategy", out_strategy)
        strategy = strategies.Strategy(label, "", in_strategy, out_strategy, parameter_plan)
        strategies.give_strategy(self, strategy, "construct")
        return self

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Self:
        """Accepted: how messages are joined changes no result. Returns the cell.

        Args:
            fusion_type (int): which parameters MindSpore sends together.
            recurse (bool): whether descendants are included. Default: True.
        """
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Self:
        """Accepted: the setting ``parameter_broadcast`` says whether parameters are sent to all.

        Args:
            mode (bool): what MindSpore stores per cell. Default: True.

        Returns the cell.
        """
        return self

    def set_data_parallel(self) -> None:
        """Accepted: it concerns the mode ``auto_parallel``, which several processes refuse."""

    def set_boost(self, boost_type: str) -> Self:
        """Accepted for compatibility: agar chooses its plans by timing. Returns the cell.

        Args:
            boost_type (str): a level of MindSpore's boost.
        """
        return self

    def offload(self, backward_prefetch: Any = "Auto") -> Self:
        """Accepted for compatibility: memory stays on its device. Returns the cell.

        Args:
            backward_prefetch (Union[str, int]): when MindSpore would load values back. Default:
                ``"Auto"``.
        """
        return self
