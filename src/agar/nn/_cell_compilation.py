"""The part of Cell about compiled, recomputed and divided calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agar._core.distributed import strategies
from agar._core.runtime import runtime

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from agar._core.parameter import Parameter

__all__ = ["CellCompilation"]

# MindSpore's options of `recompute` with their types, if they are checked
_RECOMPUTE_OPTIONS: dict[str, tuple[type, ...]] = {
    "mp_comm_recompute": (bool, type(None)),
    "parallel_optimizer_comm_recompute": (bool, type(None)),
    "recompute_slice_activation": (),
    "use_reentrant": (),
    "output_recompute": (bool,),
}


class CellCompilation:
    """How calls of a cell are compiled and recomputed; a base class of Cell."""

    _inputs: Any
    _recompute: bool
    trainable_params: Callable[[bool], list[Parameter]]

    def recompute(self, **kwargs: Any) -> Self:
        """Keep no intermediate results of this cell; run it again when gradients need them.

        Random numbers repeat and running statistics are updated once.

        Args:
            kwargs: MindSpore's options ``mp_comm_recompute``,
                ``parallel_optimizer_comm_recompute``, ``recompute_slice_activation``,
                ``use_reentrant`` and ``output_recompute``, which change no result.

        Returns:
            The cell.

        Raises:
            TypeError: an option that is True or False in MindSpore has another type.
            ValueError: there is no such option.

        Difference from PyTorch: ``torch.utils.checkpoint.checkpoint`` as a property of the layer.

        Source: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost".

        Examples:
            >>> from agar import nn
            >>> _ = nn.Dense(2, 1).recompute()
        """
        for name, value in kwargs.items():
            if name not in _RECOMPUTE_OPTIONS:
                raise ValueError(
                    f"For 'recompute', there is no option '{name}'; the options are "
                    f"{', '.join(_RECOMPUTE_OPTIONS)}."
                )
            types = _RECOMPUTE_OPTIONS[name]
            if types and type(value) not in types:
                raise TypeError(
                    f"For 'recompute', the option '{name}' must be bool, but got {value!r}."
                )
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

        Raises:
            TypeError: it is not a JitConfig.
        """
        if not hasattr(jit_config, "jit_config_dict"):
            raise TypeError(
                "For 'set_jit_config', the argument 'jit_config' must be a JitConfig, such as "
                f"JitConfig(jit_level='O1'), but got {jit_config!r}."
            )
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
            fusion_type (int): which parameters MindSpore sends together, at least 0.
            recurse (bool): whether descendants are included. Default: True.

        Raises:
            TypeError: `fusion_type` is not an int.
            ValueError: it is negative.
        """
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
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
            boost_type (str): ``"less_bn"``.

        Raises:
            ValueError: it is something else.
        """
        if boost_type != "less_bn":
            raise ValueError(
                f"For 'set_boost', the argument 'boost_type' must be 'less_bn', but got "
                f"{boost_type!r}."
            )
        return self

    def offload(self, backward_prefetch: Any = "Auto") -> Self:
        """Accepted for compatibility: memory stays on its device. Returns the cell.

        Args:
            backward_prefetch (Union[str, int]): when MindSpore would load values back: ``"Auto"``
                or an int of at least 0. Default: ``"Auto"``.

        Raises:
            ValueError: it is something else.
        """
        number = isinstance(backward_prefetch, int) and not isinstance(backward_prefetch, bool)
        if backward_prefetch != "Auto" and not (number and backward_prefetch >= 0):
            raise ValueError(
                f"For 'offload', the argument 'backward_prefetch' must be 'Auto' or an int of at "
                f"least 0, but got {backward_prefetch!r}."
            )
        return self
