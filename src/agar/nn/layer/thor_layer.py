"""Layers that keep the statistics of their inputs and gradients, for the optimizer THOR.

NOTE Statistics. For a layer y = W a the Fisher information of W is taken for the product of two
matrices: A, the average of a a^T over the rows of a batch, and G, that of g g^T for the gradients g
of y. ``matrix_a`` is written by a forward run, ``matrix_g`` when the gradient passes. A convolution
averages its images over the batch first and takes the places of an image for rows, as MindSpore
does on GPU; how many they are is kept in ``a_normalizer`` and ``g_normalizer``.
"""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.basic import Dense
from agar.nn.layer.conv import Conv2d
from agar.nn.layer.embedding import Embedding, EmbeddingLookup
from agar.ops._checks import integer
from agar.ops.nn.convolution import same_padding

__all__ = ["Conv2dThor", "DenseThor", "EmbeddingLookupThor", "EmbeddingThor"]


def _covariance(rows: Tensor) -> Tensor:
    """The average of the outer products of rows with themselves."""
    rows = rows.astype(mstype.float32)
    return ops.matmul(rows.swapaxes(0, 1), rows) / rows.shape[0]


def _statistic(cell: Cell, attribute: str, value: Any, name: str, prefix: str) -> None:
    """Add a parameter that is not trained."""
    parameter = Parameter(value, name=prefix + name, requires_grad=False)
    setattr(cell, attribute, parameter)


class DenseThor(Dense):
    r"""A dense layer that keeps the statistics of :func:`agar.nn.thor`.

    .. math:: out = activation(x W^T + b)

    Args:
        in_channels (int): size of the inputs.
        out_channels (int): size of the outputs.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default:
            ``"normal"``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: ``"zeros"``.
        has_bias (bool): whether there is a bias. Default: True.
        activation (Union[str, Cell, Primitive]): the activation. Default: None.

    Inputs:
        - **x** (Tensor) - shape :math:`(*, in\_channels)`.

    Outputs: Tensor of shape :math:`(*, out\_channels)`. The parameters are `weight`, `bias`,
    `matrix_a` and `matrix_g`; the last two are not trained.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the shape of `weight_init` does not fit.

    Difference from PyTorch: no counterpart; ``torch.nn.Linear`` has no statistics.

    Source: Chen et al. (2021), THOR; documented in MindSpore 2.10, which runs it on other devices.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.DenseThor(3, 2, weight_init="ones")
        >>> print(net(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
        >>> print(net.matrix_a.value())
        [[1. 2. 3.]
         [2. 4. 6.]
         [3. 6. 9.]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
    ) -> None:
        integer("DenseThor", "in_channels", in_channels, 1)
        integer("DenseThor", "out_channels", out_channels, 1)
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self.watch()

    def watch(self, prefix: str = "") -> None:
        """Begin to keep statistics.

        Args:
            prefix (str): the prefix of the names of the parameters that it adds. Default: ``""``.
        """
        _statistic(self, "matrix_a", ops.eye(self.in_channels), "matrix_a", prefix)
        _statistic(self, "matrix_g", ops.eye(self.out_channels), "matrix_g", prefix)
        self.thor = True

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Note the gradient of the outputs, and pass it on.

        Args:
            dout (Tensor): the gradient.

        Returns:
            Tensor, the same.
        """
        ops.assign(self.matrix_g, _covariance(dout.reshape(-1, self.out_channels)))
        return dout

    def construct(self, x: Tensor) -> Tensor:
        if self.thor:
            rows = ops.stop_gradient(x).reshape(-1, self.in_channels)
            ops.assign(self.matrix_a, _covariance(rows))
        out = ops.dense(x, self.weight, self.bias)
        if self.thor:
            out = ops.InsertGradientOf(self.save_gradient)(out)
        return out if self.activation is None else self.activation(out)


class Conv2dThor(Conv2d):
    r"""A convolution over two dimensions that keeps the statistics of :func:`agar.nn.thor`.

    With `group` above 1 it keeps none, and the optimizer takes plain gradients.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``, see ``nn.Conv2d``. Default: ``"same"``.
        padding (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default:
            ``"normal"``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: ``"zeros"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`. The parameters are `weight`,
    `bias`, and, not trained, `matrix_a`, `matrix_g`, `a_normalizer` and `g_normalizer`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: no counterpart; ``torch.nn.Conv2d`` has no statistics.

    Source: Chen et al. (2021), THOR; documented in MindSpore 2.10, which runs it on other devices.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.Conv2dThor(3, 5, 4, weight_init="ones")
        >>> net(ms.ops.ones((2, 3, 7, 7))).shape
        (2, 5, 7, 7)
        >>> net.matrix_a_cov.shape
        (48, 48)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
        )
        self.watch()

    def watch(self, prefix: str = "") -> None:
        """Begin to keep statistics.

        Args:
            prefix (str): the prefix of the names of the parameters that it adds. Default: ``""``.
        """
        self.thor = self.group == 1
        if not self.thor:
            return
        size = self.in_channels * math.prod(self.kernel_size)
        _statistic(self, "a_normalizer", ops.ones((1,)), "a_normalizer", prefix)
        _statistic(self, "g_normalizer", ops.ones((1,)), "g_normalizer", prefix)
        _statistic(self, "matrix_a_cov", ops.zeros((size, size)), "matrix_a", prefix)
        _statistic(self, "matrix_g_cov", ops.zeros((self.out_channels,) * 2), "matrix_g", prefix)

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Note the gradient of the outputs, and pass it on.

        Args:
            dout (Tensor): the gradient.

        Returns:
            Tensor, the same.
        """
        rows = _first(dout, self._channels_last).mean(0).reshape(self.out_channels, -1)
        rows = rows.swapaxes(0, 1)
        ops.assign(self.matrix_g_cov, _covariance(rows))
        ops.assign(self.g_normalizer, ops.full((1,), rows.shape[0], dtype=mstype.float32))
        return dout

    def _note_inputs(self, x: Tensor) -> None:
        # the average of patches is the patch of the average
        image = _first(ops.stop_gradient(x), self._channels_last).mean(0, keep_dims=True)
        sizes = zip(image.shape[2:], self.kernel_size, self.stride, self.dilation, strict=True)
        pairs = self._pairs
        if self.pad_mode == "same":
            pairs = tuple(same_padding(*numbers) for numbers in sizes)
        (top, bottom), (left, right) = pairs
        image = ops.pad(image, (left, right, top, bottom))
        patches = ops.unfold(image, self.kernel_size, self.dilation, 0, self.stride)[0]
        rows = patches.swapaxes(0, 1)
        ops.assign(self.matrix_a_cov, _covariance(rows))
        ops.assign(self.a_normalizer, ops.full((1,), rows.shape[0], dtype=mstype.float32))

    def construct(self, x: Tensor) -> Tensor:
        if not self.thor:
            return super().construct(x)
        self._note_inputs(x)
        return ops.InsertGradientOf(self.save_gradient)(super().construct(x))


def _first(x: Tensor, channels_last: bool) -> Tensor:
    """Images with the channels before the places."""
    return x.transpose(0, 3, 1, 2) if channels_last else x


class _EmbeddingStatistics(Cell):
    """What both kinds of embeddings do with their statistics."""

    vocab_size: int
    embedding_size: int

    def watch(self, prefix: str = "") -> None:
        """Begin to keep statistics.

        Args:
            prefix (str): the prefix of the names of the parameters that it adds. Default: ``""``.
        """
        size = self.embedding_size
        _statistic(self, "matrix_a", ops.zeros((self.vocab_size,)), "matrix_a", prefix)
        _statistic(self, "matrix_g", ops.zeros((size, size)), "matrix_g", prefix)
        self.thor = True

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Note the gradient of the rows, and pass it on.

        Args:
            dout (Tensor): the gradient.

        Returns:
            Tensor, the same.
        """
        ops.assign(self.matrix_g, _covariance(dout.reshape(-1, self.embedding_size)))
        return dout

    def _watched(self, ids: Tensor, rows: Tensor) -> Tensor:
        """The rows; how often each was looked up is noted."""
        if not self.thor:
            return rows
        flat = ids.reshape(-1).astype(mstype.int64)
        counts = ops.tensor_scatter_elements(
            ops.zeros((self.vocab_size,)), flat, ops.ones(flat.shape), 0, "add"
        )
        ops.assign(self.matrix_a, counts)
        return ops.InsertGradientOf(self.save_gradient)(rows)


class EmbeddingThor(_EmbeddingStatistics, Embedding):
    r"""Look up rows of a learned table, with the statistics of :func:`agar.nn.thor`.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): size of a row.
        use_one_hot (bool): whether rows are found by a product; it then keeps no statistics.
            Default: False.
        embedding_table (Union[Tensor, str, Initializer, Number]): initial values. Default:
            ``"normal"``.
        dtype (mindspore.dtype): type of the table. Default: ``float32``.
        padding_idx (int): a row that is initialized to zero. Default: None.

    Inputs:
        - **ids** (Tensor) - integers of any shape, below `vocab_size`.

    Outputs: Tensor of the shape of the indices and one more dimension. The parameters are
    `embedding_table` and, not trained, `matrix_a` and `matrix_g`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart; ``torch.nn.Embedding`` has no statistics.

    Source: Chen et al. (2021), THOR; documented in MindSpore 2.10, which runs it on other devices.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.EmbeddingThor(4, 2)
        >>> net(ms.Tensor([[0, 3, 3]])).shape
        (1, 3, 2)
        >>> print(net.matrix_a.value())
        [1. 0. 0. 2.]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = mstype.float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__(
            vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx
        )
        self.watch()

    def construct(self, ids: Tensor) -> Tensor:
        rows = super().construct(ids)
        return rows if self.use_one_hot else self._watched(ids, rows)


class EmbeddingLookupThor(_EmbeddingStatistics, EmbeddingLookup):
    r"""``nn.EmbeddingLookup`` with the statistics of :func:`agar.nn.thor`.

    Args:
        vocab_size (int): number of rows.
        embedding_size (int): size of a row.
        param_init (Union[Tensor, str, Initializer, Number]): initial values. Default:
            ``"normal"``.
        target (str): ``CPU`` or ``DEVICE``, kept for compatibility. Default: ``"CPU"``.
        slice_mode (str): how several devices divide the table, kept for compatibility. Default:
            ``"batch_slice"``.
        manual_shapes (tuple): kept for compatibility. Default: None.
        max_norm (float): rows of a larger norm are scaled down to it in the output. Default: None.
        sparse (bool): must be True with the target ``CPU``. Default: True.

    Inputs:
        - **indices** (Tensor) - integers of any shape, below `vocab_size`.

    Outputs: Tensor of float16, of the shape of the indices and one more dimension. The parameters
    are `embedding_table` and, not trained, `matrix_a` and `matrix_g`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `sparse` is False with the target ``CPU``.

    Difference from PyTorch: no counterpart.

    Source: Chen et al. (2021), THOR; documented in MindSpore 2.10, which runs it on other devices
    and keeps no statistics with the target ``CPU``.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.EmbeddingLookupThor(4, 2)
        >>> net(ms.Tensor([[1, 0], [3, 2]])).shape
        (2, 2, 2)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
    ) -> None:
        super().__init__(
            vocab_size,
            embedding_size,
            param_init,
            target,
            slice_mode,
            manual_shapes,
            max_norm,
            sparse,
            mstype.float16,
        )
        if not sparse and target == "CPU":
            raise ValueError(
                "For 'EmbeddingLookupThor', embedding_lookup must be sparse when 'target' is CPU, "
                f"but got 'sparse': {sparse}, 'target': {target}."
            )
        self.watch()

    def construct(self, indices: Tensor) -> Tensor:
        return self._watched(indices, super().construct(indices))


_KINDS: dict[type, type] = {
    Dense: DenseThor,
    Conv2d: Conv2dThor,
    Embedding: EmbeddingThor,
    EmbeddingLookup: EmbeddingLookupThor,
}


def convert_to_thor_net(net: Cell) -> None:
    """Make the layers of a network keep statistics, in place.

    Each ``nn.Dense``, ``nn.Conv2d``, ``nn.Embedding`` and ``nn.EmbeddingLookup`` that is trained
    becomes its relative of this module; its parameters stay the same objects.

    Args:
        net (Cell): the network.
    """
    net.update_cell_prefix()
    for path, cell in list(net.cells_and_names()):
        kind = _KINDS.get(type(cell))
        if kind is None or "wide" in path.lower():
            continue
        trained: Any = cell.weight if isinstance(cell, (Dense, Conv2d)) else cell.embedding_table
        if not trained.requires_grad:
            continue
        # another class for the same object: whoever refers to the layer sees it
        object.__setattr__(cell, "__class__", kind)
        cell.watch(f"{path}." if path else "")
    net.update_cell_type("second-order")
