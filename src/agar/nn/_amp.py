"""Automatic mixed precision: which cells and operators compute in float16 or bfloat16.

NOTE Levels. Parameters stay in float32 at every level, and keep their names.

======  ==========================================================================================
O0      nothing changes
O1      cells of the white list compute in the narrow type, and their outputs are cast back
O2      everything computes in the narrow type but the cells of the black list; the network's
        output is cast to float32
O3      as O2 without a black list
auto    operators of a white list compute in the narrow type, those of a black list in float32
======  ==========================================================================================

Losses compute in float32 at every level. A cell with a type of its own (``to_float``) keeps it.

The level is held by precision scopes, which are open while a cell executes and closed whatever
happens. These functions are public as ``agar.amp`` and ``agar.train.amp``.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from agar._core.autodiff import map_tensors
from agar._core.dtype import Type, bfloat16, float16, float32, to_torch_dtype
from agar._core.errors import describe
from agar._core.optable import Primitive
from agar._core.precision import AutoScope, CastScope, scope
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn._loss_scale import DynamicLossScaleManager, LossScaleManager
from agar.nn.cell import Cell
from agar.nn.layer.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, LayerNorm
from agar.nn.loss.loss import LossBase
from agar.nn.optim.optimizer import Optimizer
from agar.nn.wrap.cell_wrapper import TrainOneStepCell, WithLossCell
from agar.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell

__all__ = [
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]

_LEVELS = ("O0", "O1", "O2", "O3", "auto")

_WHITE_CELLS = (
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "Conv1dTranspose",
    "Conv2dTranspose",
    "Conv3dTranspose",
    "Dense",
    "LSTMCell",
    "RNNCell",
    "GRUCell",
)
_WHITE_PRIMITIVES = (
    "Conv2D",
    "Conv3D",
    "Conv2DTranspose",
    "Conv3DTranspose",
    "Conv2DBackpropInput",
    "MatMul",
    "BatchMatMul",
    "PReLU",
    "ReLU",
    "Ger",
)
# Cells that are nothing but the primitive of their name: a list that has one means the other.
_CELLS_OF_PRIMITIVES = {"PReLU": "PReLU", "ReLU": "ReLU"}

# For level auto: operators by any of their names, as observed in MindSpore 2.10.
_NARROW = frozenset(
    [
        "matmul",
        "__matmul__",
        "__rmatmul__",
        "bmm",
        "mm",
        "mv",
        "dot",
        "addmm",
        "addbmm",
        "addmv",
        "baddbmm",
        "tensor_dot",
        "einsum",
        "chain_matmul",
        "multi_dot",
        "dense",
        "bidense",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "conv3d_transpose",
        "MatMul",
        "BatchMatMul",
        "Conv2D",
        "Conv3D",
        "Conv2DTranspose",
        "Conv3DTranspose",
        "Conv2DBackpropInput",
    ]
)
_WIDE = frozenset(
    [
        "pow",
        "__pow__",
        "__rpow__",
        "exp",
        "expm1",
        "log",
        "log10",
        "log1p",
        "log2",
        "rsqrt",
        "reciprocal",
        "acos",
        "asin",
        "cosh",
        "sinh",
        "tan",
        "erfinv",
        "sum",
        "prod",
        "var",
        "logsumexp",
        "cumsum",
        "cumprod",
        "softmax",
        "log_softmax",
        "softmin",
        "softplus",
        "logsigmoid",
        "batch_norm",
        "layer_norm",
        "group_norm",
        "instance_norm",
        "cosine_similarity",
        "cdist",
        "pdist",
        "renorm",
        "BatchNorm",
        "BiasAdd",
        "GroupNorm",
        "InstanceNorm",
        "LayerNorm",
        "cross_entropy",
        "nll_loss",
        "smooth_l1_loss",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "kl_div",
        "mse_loss",
        "l1_loss",
        "huber_loss",
        "ctc_loss",
        "cosine_embedding_loss",
        "gaussian_nll_loss",
        "hinge_embedding_loss",
        "margin_ranking_loss",
        "multi_margin_loss",
        "multilabel_margin_loss",
        "multilabel_soft_margin_loss",
        "soft_margin_loss",
        "triplet_margin_loss",
    ]
)


def _by_names(names: Iterable[str], home: Any) -> list[Any]:
    return [getattr(home, name) for name in names]


def get_white_list() -> list[Any]:
    """The cells and primitives that level O1 computes in lower precision.

    Returns:
        list of classes; a copy, which may be changed and given to
        :func:`custom_mixed_precision`.

    Difference from PyTorch: the lists of ``torch.autocast`` are fixed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Dense in ms.amp.get_white_list()
        True
    """
    from agar import nn, ops  # complete only after this module

    return [*_by_names(_WHITE_CELLS, nn), *_by_names(_WHITE_PRIMITIVES, ops)]


def get_black_list() -> list[Any]:
    """The cells that level O2 computes in float32.

    Returns:
        list of classes; a copy, which may be changed and given to
        :func:`custom_mixed_precision`.

    Difference from PyTorch: the lists of ``torch.autocast`` are fixed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [c.__name__ for c in ms.amp.get_black_list()]
        ['BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'LayerNorm']
    """
    return [BatchNorm1d, BatchNorm2d, BatchNorm3d, LayerNorm]


# ------------------------------------------------------------------------------ casting cells


def _cast(value: Any, dtype: Type) -> Any:
    def one(t: Tensor) -> Tensor:
        return Tensor.astype(t, dtype) if t._value.is_floating_point() else t

    return map_tensors(value, one)


class _Output(Cell):
    """A cell whose floating outputs are cast. Other attributes are those of the cell inside."""

    def __init__(self, backbone: Cell, dtype: Type) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._dtype = dtype

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        return _cast(self._backbone(*inputs, **kwargs), self._dtype)

    def __getattr__(self, name: str) -> Any:
        backbone = self.__dict__.get("_backbone")
        if backbone is None or name.startswith("__"):
            return super().__getattr__(name)
        return getattr(backbone, name)


class _OutputTo32(_Output):
    """The network of level O2 or O3."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(backbone, float32)


class _OutputTo16(_Output):
    """A cell of the black list."""


class _NarrowPrimitive:
    """A primitive that computes in a narrow type, with its results cast back."""

    def __init__(self, inner: Primitive, dtype: Type) -> None:
        self.inner = inner
        self.dtype = dtype

    def __call__(self, *args: Any) -> Any:
        with scope(CastScope(to_torch_dtype(self.dtype))):
            out = self.inner(*args)
        return _cast(out, float32)

    def __getattr__(self, name: str) -> Any:
        if name == "inner":  # not there while the object is copied
            raise AttributeError(name)
        return getattr(self.inner, name)

    def __repr__(self) -> str:
        return repr(self.inner)


def _outputs_to_32(cell: Cell, inputs: Any, output: Any) -> Any:
    """Forward hook: a cell of the white list gives float32."""
    return _cast(output, float32)


# ------------------------------------------------------------------------------------- levels


def _is_own(cell: Cell) -> bool:
    """Whether the user gave this cell a type, which no level changes."""
    return cell._float_type is not None


def _narrow_white(network: Cell, white: tuple[type, ...], dtype: Type) -> None:
    """Level O1."""
    primitives = tuple(c for c in white if issubclass(c, Primitive))
    names = {_CELLS_OF_PRIMITIVES.get(c.__name__) for c in primitives}
    for _, cell in list(network.cells_and_names()):
        chosen = isinstance(cell, white) or (
            type(cell).__name__ in names and type(cell).__module__.startswith("agar.nn.")
        )
        if chosen and not _is_own(cell):
            cell.set_precision_scope(CastScope(to_torch_dtype(dtype)))
            cell.register_forward_hook(_outputs_to_32)
        for name, value in list(vars(cell).items()):
            if primitives and isinstance(value, primitives):
                setattr(cell, name, _NarrowPrimitive(value, dtype))


def _narrow_all(network: Cell, black: tuple[type, ...], dtype: Type) -> Cell:
    """Levels O2 and O3: the network, wrapped so that it gives float32."""
    done: dict[int, Cell] = {}

    def visit(cell: Cell) -> Cell:
        if id(cell) in done:  # one cell under two names
            return done[id(cell)]
        done[id(cell)] = cell
        if _is_own(cell) or isinstance(cell, LossBase):
            return cell
        if black and isinstance(cell, black):
            for _, inner in cell.cells_and_names():
                inner.set_precision_scope(CastScope(to_torch_dtype(float32)))
            done[id(cell)] = _OutputTo16(cell, dtype)
            return done[id(cell)]
        cell.set_precision_scope(CastScope(to_torch_dtype(dtype)))
        for name, child in list(cell._cells.items()):
            if child is not None:
                new = visit(child)
                if new is not child:
                    cell._cells[name] = new
                    cell.__dict__[name] = new
        return cell

    return _OutputTo32(visit(network))


def _by_operator(network: Cell, dtype: Type) -> None:
    """Level auto."""
    white = tuple(c for c in get_white_list() if issubclass(c, Cell))
    for _, cell in network.cells_and_names():
        # MindSpore adds the bias in a step of its own, whose result follows the float32 bias
        if isinstance(cell, white) and getattr(cell, "has_bias", False) and not _is_own(cell):
            cell.register_forward_hook(_outputs_to_32)
    if not _is_own(network):
        network.set_precision_scope(AutoScope(to_torch_dtype(dtype), _NARROW, _WIDE))


def _check_network(owner: str, network: Any) -> None:
    if not isinstance(network, Cell):
        raise TypeError(f"For '{owner}', the network must be a Cell, but got {describe(network)}.")


def _check_dtype(owner: str, dtype: Any) -> None:
    if dtype not in (float16, bfloat16):
        raise ValueError(
            f"For '{owner}', the 'dtype' must be ms.float16 or ms.bfloat16, but got {dtype!r}."
        )


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: Type = float16) -> Cell:
    """A network that computes in float16 or bfloat16 where that is safe.

    ======  ==================================================================================
    O0      nothing changes
    O1      cells of :func:`get_white_list` compute in `dtype`, their outputs are cast back
    O2      everything computes in `dtype` but the cells of :func:`get_black_list`; the output
            of the network is cast to float32
    O3      as O2 without a black list
    auto    per operator: products of matrices and convolutions in `dtype`; powers, logarithms,
            sums, softmax, norms and losses in float32; the others as their inputs
    ======  ==================================================================================

    Parameters stay in float32 and keep their names. Losses compute in float32. A cell on which
    ``to_float`` was called keeps that type.

    Args:
        network (Cell): the network; it is changed.
        amp_level (str): ``"O0"``, ``"O1"``, ``"O2"``, ``"O3"`` or ``"auto"``.
            Default: ``"O0"``.
        dtype (Type): ``float16`` or ``bfloat16``. Default: ``float16``.

    Returns:
        Cell: `network`, at levels O2 and O3 in a wrapper.

    Raises:
        TypeError: `network` is not a Cell.
        ValueError: the level is unknown, or `dtype` is another type.

    Difference from PyTorch: ``torch.autocast`` is a context, close to level auto; a level here
    belongs to the network.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.Dense(2, 1, "ones", "zeros"), "O2")
        >>> net(ms.Tensor([[1.0, 2.0]]))
        Tensor(shape=[1, 1], dtype=Float32, value=
        [[ 3.00000000e+00]])
    """
    owner = "auto_mixed_precision"
    if amp_level not in _LEVELS:
        raise ValueError(
            f"The amp level {amp_level} is not supported; use one of {', '.join(_LEVELS)}."
        )
    _check_network(owner, network)
    _check_dtype(owner, dtype)
    if amp_level == "O1":
        _narrow_white(network, tuple(get_white_list()), dtype)
    elif amp_level == "O2":
        return _narrow_all(network, tuple(get_black_list()), dtype)
    elif amp_level == "O3":
        return _narrow_all(network, (), dtype)
    elif amp_level == "auto":
        _by_operator(network, dtype)
    return network


def custom_mixed_precision(
    network: Cell,
    *,
    white_list: list[Any] | None = None,
    black_list: list[Any] | None = None,
    dtype: Type = float16,
) -> Cell:
    """Mixed precision with custom lists: as in level O1 or O2 of :func:`auto_mixed_precision`.

    Args:
        network (Cell): the network; it is changed.
        white_list (list): classes that compute in `dtype`, as at level O1. Default: ``None``.
        black_list (list): classes that compute in float32, as at level O2. Default: ``None``.
        dtype (Type): ``float16`` or ``bfloat16``. Default: ``float16``.

    Returns:
        Cell: `network`, with a black list in a wrapper.

    Raises:
        TypeError: `network` is not a Cell, or an element of a list is not a class of cells or
            primitives.
        ValueError: both lists are given, or neither; or `dtype` is another type.

    Difference from PyTorch: the lists of ``torch.autocast`` are fixed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.SequentialCell(nn.Dense(2, 1), nn.ReLU())
        >>> net = ms.amp.custom_mixed_precision(net, white_list=[nn.Dense])
        >>> net(ms.Tensor([[1.0, 2.0]])).dtype
        mindspore.float32
    """
    owner = "custom_mixed_precision"
    _check_network(owner, network)
    _check_dtype(owner, dtype)
    if (white_list is None) == (black_list is None):
        raise ValueError(
            f"For '{owner}', one of 'white_list' and 'black_list' must be given, but "
            f"{'none' if white_list is None else 'both'} of them is given."
        )
    chosen: Any = black_list if white_list is None else white_list
    name = "black_list" if white_list is None else "white_list"
    if not isinstance(chosen, (list, tuple)):
        raise TypeError(
            f"For '{owner}', the '{name}' must be a list, but got {type(chosen).__name__}."
        )
    for item in chosen:
        if not (isinstance(item, type) and issubclass(item, (Cell, Primitive))):
            raise TypeError(
                f"For '{owner}', the elements of '{name}' must be subclasses of Cell or "
                f"Primitive, but got {describe(item)}."
            )
    if white_list is not None:
        _narrow_white(network, tuple(white_list), dtype)
        return network
    return _narrow_all(network, tuple(chosen), dtype)


# ------------------------------------------------------------------------------ train network


class _WithLossCell(Cell):
    """A network followed by its loss in float32."""

    def __init__(self, backbone: Cell, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(_cast(self._backbone(data), float32), _cast(label, float32))


def build_train_network(
    network: Cell,
    optimizer: Any,
    loss_fn: Any = None,
    level: str = "O0",
    boost_level: str = "O0",
    **kwargs: Any,
) -> Cell:
    """A training step: the network at a level of mixed precision, its loss and its optimizer.

    Args:
        network (Cell): the network; it is changed.
        optimizer (Optimizer): updates the parameters.
        loss_fn (Union[None, Cell]): the loss; None if `network` gives it. Default: ``None``.
        level (str): see :func:`auto_mixed_precision`. Default: ``"O0"``.
        boost_level (str): ``"O0"``, or ``"O1"`` or ``"O2"`` for the training cells of
            :mod:`agar.boost`, whose ways the settings of :class:`agar.boost.AutoBoost` choose.
            Default: ``"O0"``.
        **kwargs (Any): ``loss_scale_manager`` (at level O2 by default a
            :class:`DynamicLossScaleManager`, else None), ``cast_model_type`` (the lower-precision
            type, by default ``float16``) and ``keep_batchnorm_fp32`` (the black list of O2).

    Returns:
        Cell: :class:`agar.nn.TrainOneStepCell`, or with a scale that may skip steps
        :class:`agar.nn.TrainOneStepWithLossScaleCell`; or boost's cells of these names.

    Raises:
        TypeError: `network` is not a Cell or `optimizer` is not an Optimizer, or a keyword is
            unknown.
        ValueError: a level is unknown.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, which has changing scales on devices only.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.amp.build_train_network(net, opt, nn.MSELoss(), level="O3")
        >>> print(step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0
    """
    owner = "build_train_network"
    _check_network(owner, network)
    if not isinstance(optimizer, (Optimizer, Cell)):
        raise TypeError(
            f"For '{owner}', the 'optimizer' must be an nn.Optimizer, but got "
            f"{describe(optimizer)}."
        )
    if boost_level not in ("O0", "O1", "O2"):
        raise ValueError(
            f"For '{owner}', the 'boost_level' must be O0, O1 or O2, but got {boost_level!r}."
        )
    known = ("loss_scale_manager", "cast_model_type", "keep_batchnorm_fp32")
    unknown = [key for key in kwargs if key not in known]
    if unknown:
        raise TypeError(
            f"For '{owner}', the keyword must be one of {list(known)}, but got {unknown}."
        )
    cast_to = kwargs.get("cast_model_type", float16)
    if cast_to == float32:
        level, cast_to = "O0", float16
    if "keep_batchnorm_fp32" in kwargs and level in ("O2", "O3"):
        keep = check.boolean(owner, "keep_batchnorm_fp32", kwargs["keep_batchnorm_fp32"])
        cell = _leveled(network, "O2" if keep else "O3", cast_to)
    else:
        cell = _leveled(network, level, cast_to)
    if loss_fn is not None:
        cell = (WithLossCell if level == "O0" else _WithLossCell)(cell, loss_fn)
    default = DynamicLossScaleManager() if level == "O2" else None
    manager = kwargs.get("loss_scale_manager", default)
    step, scaled = _train_cells(boost_level)
    if manager is not None and not (
        isinstance(manager, LossScaleManager) or hasattr(manager, "set_loss_scale_status")
    ):
        raise TypeError(
            f"For '{owner}', the 'loss_scale_manager' must be a LossScaleManager or None, but got "
            f"{describe(manager)}."
        )
    if manager is None:
        return step(cell, optimizer).set_train()
    update = manager.get_update_cell()
    if update is None:
        return step(cell, optimizer, manager.get_loss_scale()).set_train()
    return scaled(cell, optimizer, update).set_train()


#: The training cells of boost, whether with a scale that changes: agar.boost puts them in.
boosted: dict[bool, Any] = {}


def _train_cells(boost_level: str) -> tuple[Any, Any]:
    """The classes of a training step, without and with a scale that may skip steps."""
    if boost_level == "O0":
        return TrainOneStepCell, TrainOneStepWithLossScaleCell
    if not boosted:
        import_module("agar.boost")  # a part above this one, which registers its cells
    return boosted[False], boosted[True]


def _leveled(network: Cell, level: str, dtype: Type) -> Cell:
    if any(_is_leveled(cell) for _, cell in network.cells_and_names()):
        return network  # auto_mixed_precision was called before
    return auto_mixed_precision(network, level, dtype)


def _is_leveled(cell: Cell) -> bool:
    return isinstance(cell, _Output) or isinstance(cell._float_type, AutoScope)


_WithLossCell.__name__ = _WithLossCell.__qualname__ = "WithLossCell"
for _function in (
    auto_mixed_precision,
    build_train_network,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
):
    _function.__module__ = "agar.train.amp"
