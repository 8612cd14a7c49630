"""Model: training, evaluation and prediction without a loop of one's own."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any

from agar import log
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor
from agar.nn._amp import build_train_network
from agar.nn.cell import Cell
from agar.nn.metrics import Loss, get_metrics
from agar.nn.optim import AdaSumByDeltaWeightWrapCell, AdaSumByGradWrapCell
from agar.nn.optim.optimizer import Optimizer
from agar.nn.wrap._split_network import split_by_context
from agar.nn.wrap.cell_wrapper import WithEvalCell, WithLossCell
from agar.ops._checks import boolean, integer
from agar.train import callback as _callbacks
from agar.train._dataset_rows import Rows
from agar.train._progress import ProgressBar, at_terminal
from agar.train.callback._callback import CallbackManager, InternalCallbackParam, RunContext
from agar.train.resume import Resume

__all__ = ["Model"]

_KEYWORDS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")
_SPLIT = (
    "a model is not split over devices yet",
    "each device has all parameters, so train and predict without a layout",
)
_LEVELS = ("O0", "O1", "O2", "O3", "auto")
#: the callbacks of agar which evaluations between epochs do not concern
_ONLY_TRAIN = tuple(
    getattr(_callbacks, name)
    for name in (
        "BackupAndRestore",
        "EarlyStopping",
        "History",
        "LearningRateScheduler",
        "LossMonitor",
        "ModelCheckpoint",
        "OnRequestExit",
        "ReduceLROnPlateau",
    )
)


def _only_trains(callback: Any) -> bool:
    """Whether it is one of these; classes that are derived from them watch all."""
    return type(callback) in _ONLY_TRAIN


class Model:
    """A network with its loss, optimizer and metrics, that can be trained and evaluated.

    Args:
        network (Cell): the network, which returns the loss if `loss_fn` is None.
        loss_fn (Cell): the loss, called with the output and the label. Default: ``None``.
        optimizer (Optimizer): updates the parameters; None for a model that is not trained.
            Default: ``None``.
        metrics (Union[dict, set]): names of metrics, or metrics by name, for evaluations, those of
            torchmetrics among them. Default: ``None``.
        eval_network (Cell): the network that is evaluated, in place of network and loss. Default:
            ``None``.
        eval_indexes (list[int]): positions of loss, prediction and label among the outputs of
            `eval_network`, -1 for one that is missing. Default: ``None``: all outputs go to the
            metrics.
        amp_level (str): see :func:`agar.amp.auto_mixed_precision`. Default: ``"O0"``.
        boost_level (str): ``"O0"``, or ``"O1"`` or ``"O2"`` for the ways of :mod:`agar.boost` that
            :class:`agar.boost.AutoBoost` describes. They need an optimizer, and `metrics` or an
            `eval_network`; otherwise a warning says that the network is not changed. Default:
            ``"O0"``.
        **kwargs (Any): ``loss_scale_manager`` and ``keep_batchnorm_fp32``, see
            :func:`agar.amp.build_train_network`; ``boost_config_dict``, see
            :class:`agar.boost.AutoBoost`; ``acc_level``, an older name of `boost_level`.

    Datasets are anything that gives rows of inputs: a list of tuples, a generator function, a torch
    DataLoader, or a dataset with ``create_tuple_iterator``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: arguments do not fit together.
        KeyError: there is no metric of a name.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), {"mse"})
        >>> data = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
        >>> model.train(10, data)
        >>> model.eval(data)["mse"] < 9.0
        True
    """

    def __init__(
        self,
        network: Cell,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        eval_network: Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        **kwargs: Any,
    ) -> None:
        if not isinstance(network, Cell):
            raise TypeError(
                f"For 'Model', the type of 'network' should be 'Cell', but got {describe(network)}."
            )
        if loss_fn is not None and not callable(loss_fn):
            raise TypeError(
                f"For 'Model', the 'loss_fn' must be a Cell or a function, but got "
                f"{describe(loss_fn)}."
            )
        kinds = (Optimizer, AdaSumByGradWrapCell, AdaSumByDeltaWeightWrapCell)
        freezes = hasattr(optimizer, "opts")  # boost.FreezeOpt, which is loaded late
        if optimizer is not None and not freezes and not isinstance(optimizer, kinds):
            raise TypeError(
                "For 'Model', the type of 'optimizer' should be 'Optimizer', but got "
                f"{describe(optimizer)}."
            )
        if eval_network is not None and not isinstance(eval_network, Cell):
            raise TypeError(
                f"For 'Model', the 'eval_network' must be a Cell, but got {describe(eval_network)}."
            )
        unknown = [key for key in kwargs if key not in _KEYWORDS]
        if unknown:
            raise ValueError(
                f"For 'Model', the argument in 'kwargs' should be one of {list(_KEYWORDS)}, but "
                f"got {unknown}."
            )
        if amp_level not in _LEVELS:
            raise ValueError(f"For 'Model', the amp level {amp_level!r} is not in {_LEVELS}.")
        if amp_level != "O0" and optimizer is None:
            raise ValueError(
                f"For 'Model', auto mixed precision (amp_level {amp_level!r}) will not work "
                "because 'optimizer' is None. Set amp_level='O0', or give an optimizer."
            )
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._metrics = metrics
        self._amp_level = amp_level
        self._boost_level = kwargs.get("acc_level", boost_level)
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._metric_fns = get_metrics(metrics)
        self._eval_indexes = self._checked_indexes(eval_indexes)
        options = {
            k: kwargs[k] for k in ("loss_scale_manager", "keep_batchnorm_fp32") if k in kwargs
        }
        around = getattr(network, "_around", None)  # of AutoParallel
        if around is not None:
            self._network = network.network
        eval_network = self._boost(kwargs.get("boost_config_dict", ""), eval_network)
        self._train_network = self._build_train_network(options)
        self._eval_network = self._build_eval_network(eval_network)
        self._predict_network = network
        if around is not None:
            self._train_network = around(self._train_network)
            if self._eval_network is not None:
                self._eval_network = around(self._eval_network)
            return
        for built in (self._train_network, self._eval_network, self._predict_network):
            if built is not None:
                split_by_context(built)

    @staticmethod
    def _checked_indexes(indexes: Any) -> list[int] | None:
        if indexes is None:
            return None
        if not isinstance(indexes, list) or len(indexes) != 3:
            raise ValueError(
                "For 'Model', the argument 'eval_indexes' must be a list of three positions (loss, "
                f"prediction, label) or None, but got {indexes!r}."
            )
        return [integer("Model", "eval_indexes", i, -1) for i in indexes]

    def _check_processes(self, owner: str) -> None:
        """Raise where several processes would each train or evaluate a network of its own.

        Raises:
            ValueError: they would.
        """
        split = hasattr(self._predict_network, "_around")
        if world.size > 1 and not split and auto_parallel.get("parallel_mode") == "stand_alone":
            raise ValueError(
                f"For '{owner}', there are {world.size} processes and the parallel mode is "
                "'stand_alone', in which there must be one. Call "
                "set_auto_parallel_context(parallel_mode='data_parallel') before the Model is made."
            )

    @staticmethod
    def _check_steps(owner: str, size: int | None) -> None:
        """Raise in all processes where some have fewer steps: the others would wait for them.

        Raises:
            ValueError: the datasets have different sizes.
        """
        if world.size == 1:
            return
        sizes = groups.numbers(-1 if size is None else size, WORLD, "number of steps")
        if -1 not in sizes and len(set(sizes)) > 1:
            by_rank = "; ".join(f"process {rank}: {n}" for rank, n in enumerate(sizes))
            raise ValueError(
                f"For '{owner}', the processes have different numbers of steps in an epoch: "
                f"{by_rank}. Give every process as many batches, with num_shards and shard_id of "
                "the dataset and batch(..., drop_remainder=True)."
            )

    def _boost(self, config: Any, eval_network: Cell | None) -> Cell | None:
        """Change network and optimizer in the ways of boost; gives the network to evaluate."""
        if self._boost_level == "O0" and not config:
            return eval_network
        from agar.boost import AutoBoost  # few programs need it

        settings = AutoBoost(self._boost_level, config)
        if self._boost_level == "O0":
            return eval_network
        missing = "" if eval_network is not None or self._metrics else "metrics or an eval_network"
        if self._optimizer is None:
            missing = "an optimizer"
        if missing:
            log.warning("Boost needs %s: the network is trained as it is.", missing)
            return eval_network
        self._network, self._optimizer = settings.network_auto_process_train(
            self._network, self._optimizer
        )
        if eval_network is None:
            return None
        return settings.network_auto_process_eval(eval_network)

    def _build_train_network(self, options: dict[str, Any]) -> Cell:
        if self._optimizer is not None:
            return build_train_network(
                self._network,
                self._optimizer,
                self._loss_fn,
                level=self._amp_level,
                boost_level=self._boost_level,
                **options,
            ).set_train(False)
        if self._loss_fn is not None:
            return WithLossCell(self._network, self._loss_fn)
        return self._network

    def _build_eval_network(self, eval_network: Cell | None) -> Cell | None:
        if eval_network is not None:
            return eval_network
        if not self._metric_fns:
            return None
        if self._loss_fn is None:
            raise ValueError(
                "If 'metrics' is set, 'eval_network' must not be None: for 'Model' without "
                "'loss_fn', give an 'eval_network' that returns what the metrics take."
            )
        if self._eval_indexes is None:
            self._eval_indexes = [0, 1, 2]
        return WithEvalCell(self._network, self._loss_fn, self._amp_level in ("O2", "O3", "auto"))

    @property
    def train_network(self) -> Cell:
        """The training step."""
        return self._train_network

    @property
    def eval_network(self) -> Cell | None:
        """The network that is evaluated."""
        return self._eval_network

    @property
    def predict_network(self) -> Cell:
        """The network that predicts."""
        return self._predict_network

    # ---------------------------------------------------------------------------- training

    def train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train the network.

        Args:
            epoch (int): the number of the last epoch.
            train_dataset (Iterable): rows of the train network's inputs.
            callbacks (Union[Callback, list[Callback]]): called in their order. Default: ``None``.
            dataset_sink_mode (bool): accepted: rows are not queued on a device.
                Default: ``False``.
            sink_size (int): -1, or how many steps of `dataset_sink_mode` callbacks count as an
                epoch's (``batch_num``); an epoch goes through all rows. Default: ``-1``.
            initial_epoch (int): epochs that were trained before. Default: ``0``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range.
            RuntimeError: the dataset is empty.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> net = nn.Dense(2, 1)
            >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
            >>> model.train(1, [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))])
        """
        self._train(
            "Model.train",
            epoch,
            train_dataset,
            callbacks,
            dataset_sink_mode,
            sink_size,
            initial_epoch,
        )

    def fit(
        self,
        epoch: int,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: int | list[int] = 1,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train the network, and evaluate it between epochs.

        Callbacks find what an evaluation gave as ``metrics`` and ``eval_results`` among the
        parameters of the run; ``eval_results`` has ``eval_loss`` too, the mean loss of all batches
        (of the last batch in MindSpore).

        Args:
            epoch (int): the number of the last epoch.
            train_dataset (Iterable): rows of the train network's inputs.
            valid_dataset (Iterable): rows of the eval network's inputs. Default: ``None``.
            valid_frequency (Union[int, list[int]]): the number of epochs between evaluations, or
                the epochs after which to evaluate. Default: ``1``.
            callbacks (Union[Callback, list[Callback]]): called in their order. Default: ``None``.
            dataset_sink_mode (bool): accepted. Default: ``False``.
            valid_dataset_sink_mode (bool): accepted. Default: ``False``.
            sink_size (int): accepted; -1 or positive. Default: ``-1``.
            initial_epoch (int): epochs that were trained before. Default: ``0``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, or there are no metrics.
            RuntimeError: a dataset is empty.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> net = nn.Dense(2, 1)
            >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), {"mse"})
            >>> data = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
            >>> model.fit(1, data, data)
        """
        boolean("Model.fit", "valid_dataset_sink_mode", valid_dataset_sink_mode)
        if isinstance(valid_frequency, bool) or not isinstance(valid_frequency, (int, list, tuple)):
            raise TypeError(
                "For 'Model.fit', the type of 'valid_frequency' must be a list or an integer, but "
                f"got {type(valid_frequency).__name__}."
            )
        if isinstance(valid_frequency, int) and valid_frequency < 1:
            raise ValueError(
                f"For 'Model.fit', the 'valid_frequency' must be positive, got {valid_frequency}."
            )
        if valid_dataset is not None:
            self._needs_metrics("Model.fit")
        self._train(
            "Model.fit",
            epoch,
            train_dataset,
            callbacks,
            dataset_sink_mode,
            sink_size,
            initial_epoch,
            valid_dataset,
            valid_frequency,
        )

    def _train(
        self,
        owner: str,
        epoch: int,
        train_dataset: Any,
        callbacks: Any,
        dataset_sink_mode: bool,
        sink_size: int,
        initial_epoch: int,
        valid_dataset: Any = None,
        valid_frequency: int | list[int] = 1,
    ) -> None:
        self._check_processes(owner)
        integer(owner, "epoch", epoch, 1)
        integer(owner, "initial_epoch", initial_epoch, 0)
        boolean(owner, "dataset_sink_mode", dataset_sink_mode)
        if epoch <= initial_epoch:
            raise ValueError(
                f"For '{owner}', the parameter 'epoch' must bigger than parameter 'initial_epoch', "
                f"but got the parameter 'epoch' is {epoch}, 'initial_epoch' is {initial_epoch}."
            )
        if integer(owner, "sink_size", sink_size) < -1 or sink_size == 0:
            raise ValueError(
                f"For '{owner}', The argument 'sink_size' must be -1 or positive, but got "
                f"{sink_size}."
            )
        if self._optimizer is None and self._loss_fn is not None:
            log.warning(
                "%s: the Model has a 'loss_fn' and no 'optimizer', so losses are computed and "
                "nothing is trained. Give Model an optimizer.",
                owner,
            )
        sinks = dataset_sink_mode and sink_size > 0
        rows = Rows(owner, train_dataset)
        valid = None if valid_dataset is None else Rows("Model.eval", valid_dataset)
        manager = CallbackManager(callbacks)
        if at_terminal():
            manager.callbacks.append(ProgressBar(epoch))
        with ExitStack() as stack:
            for part in (rows, valid):
                if part is not None:
                    stack.callback(part.close)
            stack.enter_context(manager)
            params = InternalCallbackParam(
                train_network=self._train_network,
                epoch_num=epoch - initial_epoch,
                batch_num=(sink_size if sinks else rows.size) or 0,
                mode="train",
                loss_fn=self._loss_fn,
                optimizer=self._optimizer,
                parallel_mode=auto_parallel.get("parallel_mode"),
                device_number=groups.world_size if groups.inited else 1,
                train_dataset=train_dataset,
                list_callback=manager.callbacks,
                network=self._network,
                dataset_sink_mode=False,
                loss_scale_mananger=self._loss_scale_manager,
                initial_step=0,
                last_save_ckpt_step=None,
                latest_ckpt_file=None,
                cur_step_num=0,
                cur_step_in_epoch=0,
                train_dataset_element=None,
            )
            if sinks:
                params.sink_size = sink_size
            context = RunContext(params)
            keeper = next((c for c in manager.callbacks if isinstance(c, Resume)), None)
            manager.on_train_begin(context)
            self._check_steps(owner, rows.size)
            first, output, ended = initial_epoch + 1, 0, False
            if keeper is not None:
                result, output, ended = keeper.open(params, manager, self._loss_scale_manager)
                first = max(first, result)
                if ended or first > epoch:  # it was trained to its end
                    keeper.restore(params)
            for number in range(first, 0 if ended else epoch + 1):
                params.cur_epoch_num = number
                self._train_epoch(owner, rows, manager, context, keeper, output)
                if world.size > 1:
                    groups.agree(WORLD, "end of an epoch of training")
                output = 0
                due = (
                    number % valid_frequency == 0
                    if isinstance(valid_frequency, int)
                    else number in valid_frequency
                )
                if valid is not None and due:
                    self._evaluate_between(valid, manager, params)
                manager.on_train_epoch_end(context)
                for name in ("metrics", "eval_results"):
                    params.pop(name, None)
                stopped = context.get_stop_requested()
                if keeper is not None:
                    keeper.epoch_done(params, stopped, last=number == epoch)
                if stopped:
                    break
            manager.on_train_end(context)

    def _train_epoch(
        self,
        owner: str,
        rows: Rows,
        manager: CallbackManager,
        context: RunContext,
        keeper: Resume | None,
        result: int,
    ) -> None:
        """Train one epoch, of which so many steps were made by a run that was stopped."""
        params = context.original_args()
        network = self._train_network
        network.set_train()
        params.train_network = network
        if keeper is not None and not result:
            keeper.restore(params)
        params.cur_step_in_epoch = 0
        manager.on_train_epoch_begin(context)
        if keeper is not None:
            keeper.begin_rows(again=bool(result))
        source = rows.epoch(result)
        if keeper is not None:
            keeper.restore(params)
        for inputs in source:
            if self._loss_fn is not None and len(inputs) != 2:
                raise ValueError(
                    f"For '{owner}' of a Model with a 'loss_fn', 'train_dataset' should return two "
                    f"elements, data and label, but got {len(inputs)}. Give rows of two, or "
                    "a network that takes the row and returns the loss, without 'loss_fn'."
                )
            params.cur_step_num += 1
            params.cur_step_in_epoch += 1
            params.train_dataset_element = inputs
            manager.on_train_step_begin(context)
            try:
                params.net_outputs = network(*inputs)
            except TypeError as error:
                self._explain_arguments(error, len(inputs))
                raise
            if self._loss_scale_manager is not None and isinstance(params.net_outputs, tuple):
                self._note_overflow(params.net_outputs)
            manager.on_train_step_end(context)
            if keeper is not None:
                keeper.step_done(params)
            if context.get_stop_requested():
                return
        if not params.cur_step_in_epoch:
            raise RuntimeError(
                f"For '{owner}', the dataset gave no row in epoch {params.cur_epoch_num}."
            )
        if not params.batch_num:  # the dataset did not say it before
            params.batch_num = params.cur_step_in_epoch

    def _explain_arguments(self, error: TypeError, given: int) -> None:
        """Say what is missing where the network does not take the columns of the dataset."""
        refused = str(error).startswith(f"{type(self._network).__name__}.construct(")
        if self._loss_fn is None and refused:
            error.args = (
                f"{error} Without a 'loss_fn', Model hands all {given} columns of a row to the "
                "network, which returns the loss. Give a loss: "
                "Model(net, loss_fn=nn.MSELoss(), optimizer=optimizer).",
            )

    def _note_overflow(self, outputs: tuple[Any, ...]) -> None:
        """Tell the manager of the loss scale how a step went; its cell changed the scale."""
        manager = self._loss_scale_manager
        if manager is not None and len(outputs) == 3 and isinstance(outputs[1], Tensor):
            manager.update_loss_scale(bool(outputs[1]))

    # -------------------------------------------------------------------------- evaluation

    def _needs_metrics(self, owner: str) -> None:
        if not self._metric_fns:
            raise ValueError(
                f"For {owner}, the model argument 'metrics' can not be None or empty, you should "
                "set the argument 'metrics' for model."
            )

    def eval(
        self, valid_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = False
    ) -> dict[str, Any]:
        """Evaluate the network.

        Args:
            valid_dataset (Iterable): rows of the eval network's inputs.
            callbacks (Union[Callback, list[Callback]]): called in their order. Default: ``None``.
            dataset_sink_mode (bool): accepted. Default: ``False``.

        Returns:
            dict, the values of the metrics by name.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: there are no metrics.
            RuntimeError: the dataset is empty.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> model = ms.Model(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss(), metrics={"mae"})
            >>> model.eval([(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))])
            {'mae': 3.0}
        """
        self._check_processes("Model.eval")
        boolean("Model.eval", "dataset_sink_mode", dataset_sink_mode)
        self._needs_metrics("Model.eval")
        rows = Rows("Model.eval", valid_dataset)
        with closing(rows), CallbackManager(callbacks) as manager:
            params = InternalCallbackParam(list_callback=manager.callbacks, network=self._network)
            return self._evaluate(rows, manager, params)

    def _evaluate_between(self, rows: Rows, manager: CallbackManager, params: Any) -> None:
        """Evaluate between epochs of training: callbacks find the results among its parameters."""
        names = ("batch_num", "cur_step_num", "cur_step_in_epoch", "net_outputs")
        training = {name: params[name] for name in names}
        sink_size = params.pop("sink_size", None)
        watching = CallbackManager([c for c in manager.callbacks if not _only_trains(c)])
        self._evaluate(rows, watching, params, Loss())
        params.update(training, mode="train")
        if sink_size is not None:
            params.sink_size = sink_size

    def _evaluate(
        self, rows: Rows, manager: CallbackManager, params: Any, mean_loss: Loss | None = None
    ) -> dict[str, Any]:
        network = self._eval_network
        assert network is not None
        params.update(
            eval_network=network,
            valid_dataset=rows._dataset,
            batch_num=rows.size or 0,
            mode="eval",
            cur_step_num=0,
            cur_step_in_epoch=0,
            dataset_sink_mode=False,
        )
        context = RunContext(params)
        for metric in self._metric_fns.values():
            metric.clear()
        network.set_train(False)
        manager.on_eval_begin(context)
        manager.on_eval_epoch_begin(context)
        for inputs in rows.epoch():
            params.cur_step_num += 1
            params.cur_step_in_epoch += 1
            params.eval_dataset_element = inputs
            manager.on_eval_step_begin(context)
            params.net_outputs = outputs = network(*inputs)
            manager.on_eval_step_end(context)
            self._update_metrics(outputs if isinstance(outputs, tuple) else (outputs,), mean_loss)
            if context.get_stop_requested():
                break
        if not params.cur_step_num:
            raise RuntimeError("For 'Model.eval', the dataset gave no row.")
        if not params.batch_num:  # the dataset did not say it before
            params.batch_num = params.cur_step_num
        manager.on_eval_epoch_end(context)
        results = {name: metric.eval() for name, metric in self._metric_fns.items()}
        params.metrics = results
        params.eval_results = dict(results)
        if mean_loss is not None and self._loss_position >= 0:
            params.eval_results["eval_loss"] = mean_loss.eval()
        manager.on_eval_end(context)
        return results

    @property
    def _loss_position(self) -> int:
        """Where the loss stands among the outputs of the eval network; -1 if that is not known."""
        return -1 if self._eval_indexes is None else self._eval_indexes[0]

    def _update_metrics(self, outputs: tuple[Any, ...], mean_loss: Loss | None) -> None:
        if mean_loss is not None and self._loss_position >= 0:
            mean_loss.update(outputs[self._loss_position])
        indexes = self._eval_indexes
        for metric in self._metric_fns.values():
            if indexes is None or metric.indexes is not None:
                metric.update(*outputs)
                continue
            loss, *others = indexes
            if isinstance(metric, Loss):
                if loss >= 0:
                    metric.update(outputs[loss])
            else:
                metric.update(*(outputs[i] for i in others if i >= 0))

    # -------------------------------------------------------------------------- prediction

    def infer_train_layout(
        self, train_dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1
    ) -> dict[str, Any]:
        """How parameters would be split over devices in training; raises an error.

        Args:
            train_dataset (Dataset): the rows; not used.
            dataset_sink_mode (bool): not used. Default: ``True``.
            sink_size (int): not used. Default: ``-1``.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature("'Model.infer_train_layout'", *_SPLIT)

    def infer_predict_layout(self, *predict_data: Any, **kwargs: Any) -> dict[str, Any]:
        """How parameters would be split over devices in prediction; raises an error.

        Args:
            *predict_data (Tensor): the inputs; not used.
            **kwargs (Any): not used.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature("'Model.infer_predict_layout'", *_SPLIT)

    def predict(self, *predict_data: Any, backend: Any = None, config: Any = None) -> Any:
        """The network's output in evaluation mode.

        Args:
            *predict_data (Tensor): the network's inputs.
            backend (str): accepted. Default: ``None``.
            config (dict): accepted. Default: ``None``.

        Returns:
            Whatever the network returns.

        Difference from PyTorch: ``model.eval()(x)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> model = ms.Model(nn.Dense(2, 1, "ones", "zeros"))
            >>> print(model.predict(ms.Tensor([[1.0, 2.0]])))
            [[3.]]
        """
        self._predict_network.set_train(False)
        return self._predict_network(*predict_data)

    def build(
        self,
        train_dataset: Any = None,
        valid_dataset: Any = None,
        sink_size: int = -1,
        epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:
        """Accepted for compatibility: networks compile themselves when they are first called.

        Args:
            train_dataset (Iterable): rows of the train network's inputs. Default: ``None``.
            valid_dataset (Iterable): rows of the eval network's inputs. Default: ``None``.
            sink_size (int): accepted. Default: ``-1``.
            epoch (int): accepted. Default: ``1``.
            sink_mode (bool): accepted. Default: ``True``.

        Raises:
            TypeError: a dataset cannot be iterated.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10, which builds on Ascend only.

        Examples:
            >>> import agar as ms
            >>> ms.Model(ms.nn.Dense(2, 1)).build()
        """
        for dataset in (train_dataset, valid_dataset):
            if dataset is not None:
                Rows("Model.build", dataset)
