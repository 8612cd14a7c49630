"""AutoParallel: a network whose tensors lie on all processes; one process computes it whole."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from agar._core.distributed.state_sharding import LEVELS, StateSharding
from agar._core.multi_device import world
from agar._core.settings import auto_parallel
from agar.nn.cell import Cell
from agar.nn.wrap._pipeline.config import PipelineConfig, using
from agar.nn.wrap._split_network import SplitNetwork, given_strategies, parts_of_network
from agar.nn.wrap.cell_wrapper import PipelineCell, holds_pipeline
from agar.ops._checks import choice, integer
from agar.parallel.shard import Layout

__all__ = ["AutoParallel"]


class AutoParallel(Cell):
    """A network whose tensors lie on all processes, each of which computes its part.

    Operators, cells and functions with a strategy (:meth:`ops.Primitive.shard`, :meth:`Cell.shard`,
    :func:`agar.shard`) compute with tensors that are laid out so, `ops.reshard` moves tensors
    between layouts, and all others compute with what comes: torch's DTensor propagates layouts and
    communicates. Shapes are those of whole tensors. A parameter is replicated, and lies as its
    first use with a strategy has it from the end of that call on; states of optimizers follow. A
    plain tensor that the network makes counts as the same in all processes, so seeds have to be.

    With :meth:`pipeline` the network is cut into stages, and the processes of a stage are the grid
    of the strategies of its cells.

    With one process the plan is checked and held, so that programs for many processes run on one.

    Args:
        network (Union[Cell, function]): the network, with its loss for training, or a whole
            training step. The cells and optimizers that a function names are part of it.
        parallel_mode (str): ``"semi_auto"``, or ``"sharding_propagation"``, which is carried out
        the
            same way, or ``"recursive_programming"``. Default: ``"semi_auto"``.

    Inputs:
        - **args** (tuple) - the inputs of the network.
        - **kwargs** (dict) - its keyword arguments.

    Outputs: those of the network. A number is whole, and a plain Tensor; a Tensor with dimensions
    stays as it lies, and reading it (``asnumpy``, ``print``) collects it, for which all processes
    have to ask.

    Raises:
        ValueError: `parallel_mode` is another; or, at a call with several processes, inputs of
            different shapes in these, or strategies that do not fit shapes or processes; or it is
            ``"data_parallel"`` and an operator has a strategy.
        RuntimeError: with several processes that start with different parameters.
        NotImplementedError: several processes and ``"recursive_programming"``, which searches for a
            plan, or a file of strategies.

    Difference from PyTorch: ``torch.distributed.tensor.parallel.parallelize_module``.

    Source: behavior observed in MindSpore 2.10, where ``"data_parallel"`` is a mode of
    `set_auto_parallel_context` alone.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> from agar.parallel.auto_parallel import AutoParallel
        >>> net = AutoParallel(nn.ReLU())
        >>> net.pipeline(stages=2)
        >>> net.get_pipeline_stages()
        2
        >>> print(net(ms.Tensor([-1.0, 1.0])))
        [0. 1.]
    """

    def __init__(self, network: Any, parallel_mode: str = "semi_auto") -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        modes = ("semi_auto", "sharding_propagation", "recursive_programming", "data_parallel")
        self._parallel_mode = choice("AutoParallel", "parallel_mode", parallel_mode, modes)
        self._plan: dict[str, Any] = {"pipeline_stages": 1}
        if parallel_mode == "recursive_programming":
            world.refuse(
                f"AutoParallel(parallel_mode={parallel_mode!r})",
                "no plan is searched for",
                "give operators a strategy with shard(...), and use 'sharding_propagation', which "
                "infers the others",
            )
        self._split: Any = None
        self._called = False
        if parallel_mode == "data_parallel":
            self._refuse_strategies()
        if world.size > 1:
            broadcast = auto_parallel.get("parameter_broadcast")
            self._split = SplitNetwork(network, "AutoParallel", broadcast)
            return
        early = RuntimeError(
            "AutoParallel was made before the processes joined. Call communication.init() before "
            "AutoParallel(network)."
        )
        world.note("AutoParallel", early)

    def _refuse_strategies(self) -> None:
        strategies = given_strategies(self.network)
        if strategies:
            raise ValueError(
                "For 'AutoParallel', parallel_mode='data_parallel' has each process compute its "
                f"rows with whole parameters, but shard(...) made {strategies[0]}. Use "
                "'semi_auto', which splits operators as well."
            )

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """What the network computes."""
        if world.size == 1:
            return self.network(*args, **kwargs)
        if self._plan["pipeline_stages"] > 1:
            return self._in_stages(args, kwargs)
        split = self._split
        if not self._called:
            if self._parallel_mode == "data_parallel":
                self._refuse_strategies()
            split.look_again()
            vars(self)["_called"] = True
        return split(self.network, args, kwargs)

    def _around(self, network: Any) -> AutoParallel:
        """Another network of this plan, for the cells that `Model` builds.

        Args:
            network (Cell): a network that this one is part of.

        Returns:
            AutoParallel.
        """
        if self._plan["pipeline_stages"] > 1:
            return self._in_same_stages(network)
        result = AutoParallel(network, self._parallel_mode)
        result._plan.update(self._plan)
        if result._split is not None and "dataset_strategy" in self._plan:
            result._split.take_rows(self._plan["dataset_strategy"])
        if "hsdp" in self._plan:
            result.hsdp(*self._plan["hsdp"])
        result.set_train(network.training)
        return result

    def _in_same_stages(self, network: Any) -> AutoParallel:
        """Another network in stages; nothing of it is laid out, as parts of it may be elsewhere."""
        result = AutoParallel.__new__(AutoParallel)
        Cell.__init__(result, auto_prefix=False)
        result.network = network
        vars(result).update(
            _parallel_mode=self._parallel_mode, _plan=dict(self._plan), _split=None, _called=False
        )
        result.set_train(network.training)
        return result

    def _in_stages(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The network in the stages of a pipeline."""
        full = self._plan.get("dataset_strategy") == "full_batch"
        config = replace(self._plan["pipeline"], full_batch=full, hsdp=self._plan.get("sharding"))
        network = self.network
        if not isinstance(network, Cell) or holds_pipeline(network):
            with using(config):
                self._cut_pipelines()
                return network(*args, **kwargs)
        staged = self._plan.get("staged")
        if staged is None:
            # torch's pipelines, when they are needed
            from agar.nn.wrap._pipeline.engine import StagedNetwork

            staged = self._plan["staged"] = StagedNetwork(network, config)
        elif not staged.take(config):
            raise RuntimeError(
                f"For 'AutoParallel', the network was cut for {staged.config}, and its other "
                f"stages are no longer in this process, but now {config} is asked for. Call hsdp "
                "and pipeline before the first call."
            )
        return staged.relay(args, kwargs)

    def _cut_pipelines(self) -> None:
        """Cut the networks of a training step before it takes a gradient by their parameters."""
        if not self._called:
            for part in parts_of_network(self.network):
                if isinstance(part, PipelineCell):
                    part._cut()
            vars(self)["_called"] = True

    def _release(self) -> None:
        """Lay nothing out: a network in stages keeps plain tensors."""
        if self._split is not None:
            self._split.release()
            vars(self)["_split"] = None

    def _refused(self, method: str, why: str, instead: str) -> None:
        world.refuse(f"AutoParallel.{method}", why, instead)

    def _path(self, method: str, path: Any, ending: str | None = None) -> None:
        if not isinstance(path, str):
            raise TypeError(
                f"For 'AutoParallel.{method}', the argument 'file_path' must be str, but got the "
                f"type : {type(path)}."
            )
        if ending is not None and not (os.path.isabs(path) and path.endswith(ending)):
            raise KeyError(
                f"For 'AutoParallel.{method}', the argument 'file_path' must be an absolute path "
                f"that ends with {ending}."
            )
        self._refused(
            method,
            "such files are not read or written",
            "give strategies in the program with shard",
        )
        self._plan[method] = path

    def no_init_parameters_in_compile(self) -> None:
        """Held: parameters are drawn when they are first used."""
        self._plan["init_param_in_compile"] = False

    def load_param_strategy_file(self, file_path: str) -> None:
        """Hold the file from which the splitting of parameters would be read.

        Args:
            file_path (str): the file.
        """
        self._path("load_param_strategy_file", file_path)

    def save_param_strategy_file(self, file_path: str) -> None:
        """Hold the file to which the splitting of parameters would be written.

        Args:
            file_path (str): the file.
        """
        self._path("save_param_strategy_file", file_path)

    def disable_strategy_file_only_for_trainable_params(self) -> None:
        """Held: the file would name all parameters."""
        self._plan["only_trainable_params"] = False

    def save_operator_strategy_file(self, file_path: str) -> None:
        """Hold the JSON file to which the splitting of operators would be written.

        Args:
            file_path (str): the file, ending in ``.json``.
        """
        self._path("save_operator_strategy_file", file_path, ".json")

    def load_operator_strategy_file(self, file_path: str) -> None:
        """Hold the JSON file from which the splitting of operators would be read.

        Args:
            file_path (str): the file, ending in ``.json``.
        """
        self._path("load_operator_strategy_file", file_path, ".json")

    def dataset_strategy(self, config: Any) -> None:
        """Say how inputs come, before the first call.

        ``"data_parallel"`` (the default): each process has other rows of one batch.
        ``"full_batch"``: each has the whole batch. A tuple: each has the part of each input that a
        tuple of int or a Layout gives it.

        Args:
            config (Union[str, tuple]): one of these.

        Raises:
            ValueError: it is None or another str.
            TypeError: it is neither a str nor a tuple of tuples or Layouts.
        """
        if config is None:
            raise ValueError("dataset_strategy is none in config!")
        if isinstance(config, str):
            choice(
                "AutoParallel.dataset_strategy", "config", config, ("full_batch", "data_parallel")
            )
        elif not isinstance(config, tuple) or not all(
            isinstance(c, (tuple, Layout)) for c in config
        ):
            raise TypeError(
                "For 'AutoParallel.dataset_strategy', the argument 'config' must be str or a tuple "
                f"of tuples or Layouts, but got {config!r}."
            )
        self._plan["dataset_strategy"] = config
        if self._split is not None:
            self._split.take_rows(config)

    def hsdp(
        self, shard_size: int = -1, threshold: int = 64, optimizer_level: str = "level1"
    ) -> None:
        """Cut states of optimizers, gradients and parameters among processes that use the same.

        Results are those without it. ``"level1"``: each process has a part of the states and
        updates its rows of parameters, which go to all. ``"level2"``: a gradient is a part as soon
        as the backward pass has it. ``"level3"``: parameters are parts as well; a cell of at most
        16 MiB collects those of all cells in it, in one message, for its call, and for its backward
        pass again; their gradients are one message, too. The parameters of the next cell come while
        this one computes. A parameter is cut along its first dimension that operators leave whole
        and that the number of parts divides; one with ``parallel_optimizer=False`` stays. In a
        pipeline, the processes of a stage cut what the stage has, and micro-batches collect it.

        Args:
            shard_size (int): the largest number of parts, a divisor of the number of processes; -1
                for one in each process that uses the same. Default: -1.
            threshold (int): parameters of fewer KiB are not cut. Default: 64.
            optimizer_level (str): ``"level1"``, ``"level2"`` or ``"level3"``.
                Default: ``"level1"``.

        Raises:
            ValueError: a value is out of range.
        """
        if not isinstance(shard_size, int) or (shard_size <= 0 and shard_size != -1):
            raise ValueError(f"shard_size must be a positive integer or -1, but got {shard_size}.")
        if not isinstance(threshold, int) or threshold < 0:
            raise ValueError(f"threshold must be a positive integer or 0, but got {threshold}.")
        choice("AutoParallel.hsdp", "optimizer_level", optimizer_level, tuple(LEVELS))
        sharding = StateSharding(LEVELS[optimizer_level], shard_size, threshold)
        if self._split is not None:
            self._split.shard_states(sharding)
        self._plan["hsdp"] = (shard_size, threshold, optimizer_level)
        self._plan["sharding"] = sharding

    def pipeline(
        self,
        stages: int = 1,
        output_broadcast: bool = False,
        interleave: bool = False,
        scheduler: str = "1f1b",
    ) -> None:
        """Cut the network into stages by the marks of its cells, as :class:`nn.PipelineCell` says.

        A network without a `PipelineCell` is run without gradients, its marked cells one after the
        other.

        Args:
            stages (int): the number of stages, which must divide that of the processes. Default: 1.
            output_broadcast (bool): whether all stages get an output of `PipelineCell` that is not
                one number. Default: False.
            interleave (bool): whether a stage may have several parts of the network.
                Default: False.
            scheduler (str): ``"1f1b"``, ``"gpipe"`` or ``"zero_bubble_v"``. Default: ``"1f1b"``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a value is out of range.
            NotImplementedError: several processes, and the scheduler is one of sequence pipelines.
        """
        op_name = "AutoParallel.pipeline"
        integer(op_name, "stages", stages, 1)
        for name, value in (("output_broadcast", output_broadcast), ("interleave", interleave)):
            if not isinstance(value, bool):
                raise TypeError(
                    f"For '{op_name}', the argument '{name}' must be bool type, but got the type : "
                    f"{type(value)}."
                )
        schedulers = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")
        choice(op_name, "scheduler", scheduler, schedulers)
        if stages == 1 and self._plan["pipeline_stages"] > 1 and world.size > 1:
            raise ValueError(
                f"For '{op_name}', the network has {self._plan['pipeline_stages']} stages since an "
                "earlier call, and is no longer laid out whole. Make an AutoParallel anew."
            )
        self._plan["pipeline_stages"] = stages
        asked = PipelineConfig(stages, scheduler, interleave, output_broadcast)
        if world.size > 1:
            asked.check()
            if stages > 1:
                self._release()
        self._plan["pipeline"] = asked

    def get_pipeline_stages(self) -> int:
        """Into how many stages the network would be cut."""
        return self._plan["pipeline_stages"]

    def comm_fusion(self, config: dict[str, Any]) -> None:
        """Hold how messages are joined.

        Args:
            config (dict): settings by kind of message: ``"allreduce"``, ``"allgather"``,
                ``"reducescatter"`` and ``"openstate"``.

        Raises:
            TypeError: `config` is not a dict.
            KeyError: a kind of message is unknown.
        """
        if config is None:
            raise ValueError("For 'AutoParallel.comm_fusion', the 'config' must not be None.")
        if not isinstance(config, dict):
            raise TypeError(
                "For 'AutoParallel.comm_fusion', the 'config' must be a dict, but got "
                f"{type(config)}."
            )
        known = ("openstate", "allreduce", "allgather", "reducescatter")
        unknown = [key for key in config if key not in known]
        if unknown:
            raise KeyError(f"comm fusion type must be one of {known}, but got {unknown}")
        self._plan["comm_fusion"] = config

    def enable_fp32_communication(self) -> None:
        """Held: messages would be float32."""
        self._refused(
            "enable_fp32_communication",
            "messages have the type of the tensors",
            "leave it out, or compute in float32",
        )
        self._plan["fp32_communication"] = True

    def set_group_ckpt_save_file(self, file_path: str) -> None:
        """Hold the file to which the groups of devices would be written.

        Args:
            file_path (str): the file.
        """
        self._path("set_group_ckpt_save_file", file_path)

    def print_local_norm(self) -> None:
        """Held: the norms of gradients would be printed."""
        self._refused("print_local_norm", "norms of gradients are not printed", "compute them")
        self._plan["print_local_norm"] = True

    def dump_local_norm(self, file_path: str) -> None:
        """Hold the folder to which the norms of gradients would be written.

        Args:
            file_path (str): the folder.
        """
        self._path("dump_local_norm", file_path)

    def enable_device_local_norm(self) -> None:
        """Held: the norms of each device's gradients would be written."""
        self._refused("enable_device_local_norm", "norms of gradients are not kept", "compute them")
        self._plan["device_local_norm"] = True

    def enable_gradients_mean(self) -> None:
        """Held: gradients are those of the whole batch, so that nothing is left to average."""
        self._plan["gradients_mean"] = True

    def disable_gradient_fp32_sync(self) -> None:
        """Held: gradients would be sent in their own type."""
        self._plan["gradient_fp32_sync"] = False

    def disable_loss_repeated_mean(self) -> None:
        """Held: a loss computed several times would not be averaged."""
        self._plan["loss_repeated_mean"] = False

    def transformer_opt(self, file_path: str | None) -> None:
        """Hold the file with ways to make transformers faster; None for none.

        Args:
            file_path (str): the file, or None.
        """
        if file_path is not None:
            self._path("transformer_opt", file_path)
