"""Names of PyTorch that programs take from MindSpore's modules, which never had them."""

from __future__ import annotations

from typing import Any

import agar as ms
from agar import nn
from agar.common import dtype as mstype
from agar.common import initializer as init

__all__ = [
    "ConvTranspose3d",
    "DataParallel",
    "FloatTensor",
    "LongTensor",
    "Module",
    "Size",
    "Variable",
    "constant_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]

#: shapes are tuples
Size = tuple


class Module(nn.Cell):
    """A Cell whose method ``forward`` is called, if it has no ``construct``."""

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        forward = getattr(type(self), "forward", None)
        if forward is None:
            raise NotImplementedError(
                f"'{type(self).__name__}' has neither 'forward' nor 'construct'."
            )
        return forward(self, *args, **kwargs)


class DataParallel(nn.Cell):
    """A network that runs on one device, as its ``module``.

    Raises:
        ValueError: there are several devices.
    """

    def __init__(
        self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        if len(device_ids or ()) > 1:
            raise ValueError(
                f"For 'DataParallel', one process drives one device, but 'device_ids' is "
                f"{device_ids!r}: start a process for each with msrun, and call "
                "set_auto_parallel_context(parallel_mode='data_parallel')."
            )
        self.module = module

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)


def ConvTranspose3d(
    in_channels: int,
    out_channels: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    bias: bool = True,
    dilation: Any = 1,
) -> Any:
    """``nn.Conv3dTranspose`` with the order and meaning of PyTorch's arguments."""
    both = padding if isinstance(padding, int) else tuple(p for p in padding for _ in range(2))
    return nn.Conv3dTranspose(
        *(in_channels, out_channels, kernel_size, stride),
        pad_mode="pad",
        padding=both,
        dilation=dilation,
        group=groups,
        output_padding=output_padding,
        has_bias=bias,
    )


def FloatTensor(data: Any) -> Any:
    """A Tensor of float32."""
    return ms.Tensor(data, mstype.float32)


def LongTensor(data: Any) -> Any:
    """A Tensor of int64."""
    return ms.Tensor(data, mstype.int64)


def Variable(data: Any, requires_grad: bool = False) -> Any:
    """The Tensor itself; functions that take gradients name what they are taken of.

    Raises:
        ValueError: `requires_grad` is True.
    """
    if requires_grad:
        raise ValueError(
            "For 'Variable', 'requires_grad' has no meaning for a Tensor: use ms.grad, or a "
            "Parameter."
        )
    return data


def _filled(parameter: Any, how: Any) -> Any:
    parameter.set_data(init.initializer(how, parameter.shape, parameter.dtype))
    return parameter


def constant_(tensor: Any, val: float) -> Any:
    """Fill a Parameter with a value, and return it."""
    return _filled(tensor, init.Constant(val))


def zeros_(tensor: Any) -> Any:
    """Fill a Parameter with 0, and return it."""
    return _filled(tensor, init.Zero())


def ones_(tensor: Any) -> Any:
    """Fill a Parameter with 1, and return it."""
    return _filled(tensor, init.One())


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """Fill a Parameter with normal numbers, and return it."""
    return _filled(tensor, init.Normal(std, mean))


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    """Fill a Parameter with numbers from `a` to `b`, and return it."""
    half = (b - a) / 2
    drawn = init.initializer(init.Uniform(half), tensor.shape, tensor.dtype).init_data()
    tensor.set_data(drawn + (a + half))
    return tensor


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Any:
    """Fill a Parameter by He's rule, with normal numbers, and return it."""
    return _filled(tensor, init.HeNormal(a, mode, nonlinearity))


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Any:
    """Fill a Parameter by He's rule, with uniform numbers, and return it."""
    return _filled(tensor, init.HeUniform(a, mode, nonlinearity))


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    """Fill a Parameter by Glorot's rule, with normal numbers, and return it."""
    return _filled(tensor, init.XavierNormal(gain))


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    """Fill a Parameter by Glorot's rule, with uniform numbers, and return it."""
    return _filled(tensor, init.XavierUniform(gain))
