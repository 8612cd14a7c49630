"""``mint.nn.functional`` is ``torch.nn.functional``: the same call, the same numbers."""

from __future__ import annotations

import warnings

import pytest
import torch
import torch.nn.functional as F

import agar as ms
from agar._core.tensor import wrap
from agar.mint.nn import functional as M


def f(*shape: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def i(*values: int) -> torch.Tensor:
    return torch.tensor(values)


CALLS = [
    "adaptive_avg_pool1d(f(2, 3, 7), 3)",
    "adaptive_avg_pool2d(f(2, 3, 7, 5), (3, None))",
    "adaptive_avg_pool3d(f(2, 3, 4, 5, 6), 2)",
    "adaptive_max_pool1d(f(2, 3, 7), 3)",
    "adaptive_max_pool2d(f(2, 3, 7, 5), 3)",
    "adaptive_max_pool1d(f(2, 3, 7), 3, return_indices=True)",
    "avg_pool1d(f(2, 3, 8), 3)",
    "avg_pool1d(f(2, 3, 8), 3, 2, 1, True, False)",
    "avg_pool2d(f(2, 3, 8, 7), 3)",
    "avg_pool2d(f(2, 3, 8, 7), (3, 2), 2, 1, True, False, 5)",
    "avg_pool3d(f(2, 3, 4, 5, 6), 2)",
    "avg_pool3d(f(2, 3, 4, 5, 6), 3, 2, 1, True, False)",
    "batch_norm(f(4, 3), f(3), f(3).abs())",
    "batch_norm(f(4, 3, 2), None, None, f(3), f(3), True, 0.2, 1e-3)",
    "conv1d(f(2, 3, 8), f(4, 3, 3))",
    "conv1d(f(3, 8), f(4, 3, 3))",
    "conv1d(f(2, 4, 8), f(4, 2, 3), f(4), 2, 1, 1, 2)",
    "conv1d(f(2, 3, 8), f(4, 3, 4), padding='same')",
    "conv2d(f(2, 3, 8, 7), f(4, 3, 3, 2), f(4), padding=(1, 2), dilation=2)",
    "conv2d(f(2, 3, 8, 7), f(4, 3, 4, 2), padding='same')",
    "conv2d(f(3, 8, 7), f(4, 3, 4, 2))",
    "conv3d(f(1, 2, 4, 5, 4), f(3, 2, 2, 2, 2), f(3), 2, 1)",
    "conv3d(f(2, 4, 5, 4), f(3, 2, 2, 2, 2))",
    "conv_transpose2d(f(2, 3, 4, 5), f(3, 2, 3, 2), f(2), 2, 1, 1)",
    "conv_transpose2d(f(3, 4, 5), f(3, 2, 3, 2))",
    "conv_transpose2d(f(2, 4, 4, 5), f(4, 2, 3, 3), None, 1, 0, 0, 2, 2)",
    "dropout(f(3, 4), 0.5, training=False)",
    "dropout2d(f(1, 2, 3, 4), 0.5, training=False)",
    "elu(f(3, 4), 0.5)",
    "elu_(f(3, 4), 0.5)",
    "embedding(i(1, 0, 2), f(4, 3))",
    "embedding(i(1, 0, 2), f(4, 3), 1)",
    "fold(f(2, 12, 6), (3, 4), 2)",
    "gelu(f(3, 4))",
    "gelu(f(3, 4), approximate='tanh')",
    "glu(f(3, 4))",
    "grid_sample(f(1, 2, 4, 5), f(1, 2, 2, 2), align_corners=True)",
    "group_norm(f(2, 4, 3), 2, f(4), f(4))",
    "hardshrink(f(3, 4), 0.4)",
    "hardsigmoid(f(3, 4) * 3)",
    "hardswish(f(3, 4) * 3)",
    "hardtanh(f(3, 4), -0.5, 0.7)",
    "hardtanh_(f(3, 4), -0.5, 0.7)",
    "interpolate(f(1, 2, 4, 5), (6, 3))",
    "interpolate(f(1, 2, 4, 5), scale_factor=1.7, mode='bilinear')",
    "interpolate(f(1, 2, 4, 5), (6, 3), mode='bilinear', align_corners=True)",
    "interpolate(f(1, 2, 4, 5), (6, 3), mode='bicubic')",
    "interpolate(f(1, 2, 6), 9, mode='linear')",
    "interpolate(f(1, 2, 3, 4, 2), (4, 5, 3), mode='trilinear')",
    "layer_norm(f(2, 3, 4), (3, 4), f(3, 4), f(3, 4))",
    "leaky_relu(f(3, 4), 0.2)",
    "linear(f(2, 3), f(4, 3), f(4))",
    "log_softmax(f(2, 3, 4))",
    "log_softmax(f(2, 3, 4), -1, dtype=float32)",
    "logsigmoid(f(3, 4))",
    "max_pool2d(f(2, 3, 8, 7), 3)",
    "max_pool2d(f(2, 3, 8, 7), 3, 2, 1, ceil_mode=True, return_indices=True)",
    "max_unpool2d(f(1, 1, 2, 2), i(0, 3, 9, 14).reshape(1, 1, 2, 2), 2)",
    "mish(f(3, 4))",
    "normalize(f(3, 4))",
    "normalize(f(3, 4), 1.5, 0, 1e-2)",
    "one_hot(i(1, 0, 2))",
    "one_hot(i(1, 0, 2), 5)",
    "pad(f(2, 3, 4), (1, 2))",
    "pad(f(2, 3, 4), (1, 2), 'reflect')",
    "pad(f(2, 3, 4), (1, -2, 0, 1), value=3.0)",
    "pad(f(2, 3, 4, 4), (1, 2, 0, 1), 'replicate')",
    "pad(f(2, 3, 4, 4), (1, 2, 0, 1), 'circular')",
    "pixel_shuffle(f(1, 8, 2, 3), 2)",
    "prelu(f(2, 3, 4), f(3))",
    "relu(f(3, 4))",
    "relu6(f(3, 4) * 5)",
    "relu_(f(3, 4))",
    "selu(f(3, 4))",
    "sigmoid(f(3, 4))",
    "silu(f(3, 4))",
    "softmax(f(2, 3, 4))",
    "softmax(f(2, 3), 0)",
    "softplus(f(3, 4), 2, 1)",
    "softshrink(f(3, 4), 0.3)",
    "threshold(f(3, 4), 0.1, 7.0)",
    "threshold_(f(3, 4), 0.1, 7.0)",
    "unfold(f(1, 2, 5, 4), (2, 3), 1, 1, 2)",
]


class _Calls:
    """A module's functions, over torch tensors on both sides."""

    def __init__(self, module: object, enter: object, leave: object) -> None:
        self.module, self.enter, self.leave = module, enter, leave

    def __getitem__(self, name: str) -> object:
        if name in ("f", "i", "float32"):
            raise KeyError(name)
        function = getattr(self.module, name)

        def call(*args: object, **kwargs: object) -> object:
            result = function(
                *map(self.enter, args), **{k: self.enter(v) for k, v in kwargs.items()}
            )
            return tuple(map(self.leave, result if isinstance(result, tuple) else (result,)))

        return call


def _enter(value: object) -> object:
    return wrap(value) if isinstance(value, torch.Tensor) else value


MINT = _Calls(M, _enter, lambda t: t._value)
TORCH = _Calls(F, lambda v: v, lambda t: t)


@pytest.mark.parametrize("text", CALLS)
def test_the_same_call(text):
    got = eval(text, {"f": f, "i": i, "float32": ms.float32}, MINT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch has advice about some of its own defaults
        expected = eval(text, {"f": f, "i": i, "float32": torch.float32}, TORCH)
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-12)


def test_every_function_of_layers_is_called():
    elsewhere = {
        # losses: test_losses.py
        "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss",
        "cross_entropy", "kl_div", "l1_loss", "mse_loss", "nll_loss", "smooth_l1_loss",
        # ops/
        "flatten", "scaled_dot_product_attention", "soft_margin_loss", "tanh",
        # the same entry as interpolate
        "upsample",
        # torch has them under other names: the references of their entries
        "elu_ext", "inplace_elu", "inplace_silu", "sigmoid_",
    }  # fmt: skip
    called = {text.split("(")[0] for text in CALLS}
    assert set(M.__all__) - elsewhere - called == set()
