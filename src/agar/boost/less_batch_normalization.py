"""Networks with fewer normalizations, and a last layer that normalizes its weight instead."""

from __future__ import annotations

from typing import Any

from agar import log, ops
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import initializer
from agar.nn.cell import Cell
from agar.nn.layer.basic import Dense
from agar.nn.layer.normalization import _BatchNorm

__all__ = ["CommonHeadLastFN", "LessBN"]

_FLAG = "less_bn"


class CommonHeadLastFN(Cell):
    r"""A dense layer of the cosines between its inputs and the rows of its weight.

    .. math::
        y = m \left( \frac{x}{\|x\|} \cdot \left( \frac{W}{\|W\|} \right)^T + b \right)

    with norms over the channels and one trainable factor m, which begins at 1.

    Args:
        in_channels (int): channels of the input.
        out_channels (int): channels of the output.
        weight_init (Union[Tensor, str, Initializer, Number]): how W begins. Default: ``"normal"``.
        bias_init (Union[Tensor, str, Initializer, Number]): how b begins. Default: ``"zeros"``.
        has_bias (bool): whether there is a b. Default: ``True``.

    Inputs:
        - **x** (Tensor) - of shape :math:`(N, in\_channels)`.

    Outputs: Tensor of shape :math:`(N, out\_channels)`.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.boost.less_batch_normalization import CommonHeadLastFN
        >>> head = CommonHeadLastFN(2, 1, "ones", has_bias=False)
        >>> print(head(ms.Tensor([[3.0, 3.0], [0.0, 5.0]])).asnumpy().round(4))
        [[1.    ]
         [0.7071]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
    ) -> None:
        super().__init__()
        self.weight = Parameter(
            initializer(weight_init, [out_channels, in_channels]), name="weight"
        )
        self.multiplier = Parameter(Tensor([1.0]), name="multiplier")
        self.has_bias = has_bias
        if has_bias:
            self.bias = Parameter(initializer(bias_init, [out_channels]), name="bias")

    def construct(self, x: Any) -> Any:
        """The scaled cosines."""
        rows = ops.L2Normalize(axis=1)
        out = ops.matmul(rows(x), ops.transpose(rows(self.weight), (1, 0)))
        if self.has_bias:
            out = out + self.bias
        return self.multiplier * out


class LessBN(Cell):
    """A network whose dense heads may be replaced by normalized ones.

    With `fn_flag`, the last :class:`agar.nn.Dense` of each cell of the network becomes a
    :class:`CommonHeadLastFN` with the same weight and without bias. The network is changed in
    place, once.

    The batch normalizations stay, as in MindSpore's PYNATIVE_MODE; its GRAPH_MODE also leaves out
    those inside residual blocks. A warning says so where a network has any.

    Args:
        network (Cell): the network.
        fn_flag (bool): whether dense layers are replaced. Default: ``False``.

    Inputs:
        - **inputs** (tuple[Tensor]) - those of the network.

    Outputs: Those of the network.

    Raises:
        TypeError: `network` is not a Cell.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import boost, nn
        >>> net = boost.LessBN(nn.SequentialCell(nn.Dense(2, 1, "ones")), fn_flag=True)
        >>> print(net(ms.Tensor([[3.0, 3.0]])).asnumpy().round(4))
        [[1.]]
    """

    def __init__(self, network: Cell, fn_flag: bool = False) -> None:
        super().__init__()
        if not isinstance(network, Cell):
            raise TypeError(
                f"For 'LessBN', the 'network' must be a Cell, but got {type(network).__name__}."
            )
        self.network = network
        if _FLAG in network.get_flags():
            return
        network.add_flags(**{_FLAG: True})
        network.update_cell_prefix()
        if fn_flag:
            _replace_heads(network)
        if any(isinstance(cell, _BatchNorm) for _, cell in network.cells_and_names()):
            log.warning(
                "LessBN leaves the batch normalizations of %s where they are, as MindSpore does in "
                "PYNATIVE_MODE; remove some of them from the network itself to train with fewer.",
                type(network).__name__,
            )

    def construct(self, *inputs: Any) -> Any:
        """The network's output."""
        return self.network(*inputs)


def _replace_heads(cell: Cell) -> None:
    """Replace the last dense layer of a cell, and of each of its other descendants."""
    dense: list[str] = []
    for name, child in cell.name_cells().items():
        if isinstance(child, Dense):
            dense.append(name)
        elif child is not cell:
            _replace_heads(child)
    if dense:
        _replace(cell, dense[-1])


def _replace(cell: Cell, name: str) -> None:
    old: Any = cell.name_cells()[name]
    if getattr(old, "activation_flag", False):
        raise ValueError(
            f"For 'LessBN', the dense layer '{old.param_prefix or name}' has an activation, which "
            "the normalized layer would drop. Put the activation behind the layer as a cell."
        )
    new = CommonHeadLastFN(old.in_channels, old.out_channels, old.weight.value(), has_bias=False)
    new.update_parameters_name(f"{old.param_prefix}.")
    cell.insert_child_to_cell(name, new)
