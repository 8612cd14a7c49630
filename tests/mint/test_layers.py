"""What ``mint.nn``'s classes are called, show and draw; how they write in place; what they refuse.

Texts and drawn numbers are those of MindSpore 2.10.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch

import agar as ms
from agar import mint, nn, ops
from agar._core import optable
from agar.mint.nn import functional as F

IMAGE = np.linspace(-1, 1, 2 * 4 * 5 * 6).reshape(2, 4, 5, 6)


def tensor(*values: float) -> ms.Tensor:
    return ms.Tensor(np.array(values, np.float32))


# ------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("AdaptiveMaxPool2d", "AdaptiveMaxPool2d"),
        ("AvgPool1d", "AvgPool1dExt"),
        ("AvgPool2d", "AvgPool2dExt"),
        ("AvgPool3d", "AvgPool3dExt"),
        ("Dropout", "DropoutExt"),
        ("Dropout2d", "Dropout2dExt"),
        ("Embedding", "EmbeddingExt"),
        ("Hardshrink", "HShrink"),
        ("Hardsigmoid", "HSigmoid"),
        ("Hardswish", "HSwish"),
        ("Identity", "Identity"),
        ("L1Loss", "L1LossExt"),
        ("LayerNorm", "LayerNormExt"),
        ("Linear", "Linear"),
        ("LogSoftmax", "LogSoftmaxExt"),
        ("MaxPool2d", "MaxPool2dExt"),
        ("PReLU", "PReLUExt"),
        ("ReLU", "ReLU"),
        ("SoftMarginLoss", "SoftMarginLoss"),
        ("Softshrink", "SoftShrink"),
    ],
)
def test_classes_of_nn_are_not_made_twice(name, same):
    assert getattr(mint.nn, name) is getattr(nn, same)


def test_unknown_names():
    with pytest.raises(AttributeError, match=r"'agar\.mint\.nn' has no attribute 'Conv9d'"):
        mint.nn.Conv9d


@pytest.mark.pynative  # a process of its own
def test_layers_load_late():
    script = (
        "import sys, agar\n"
        "assert 'agar.mint.nn.layer.conv' not in sys.modules\n"
        "agar.mint.nn.Conv2d\n"
        "assert 'agar.mint.nn.layer.conv' in sys.modules\n"
    )
    path = {"PYTHONPATH": ":".join(p for p in sys.path if p)}
    subprocess.run([sys.executable, "-c", script], check=True, env=path)


@pytest.mark.parametrize(
    ("path", "name", "same"),
    [
        ("function.math_func", "addmm_ext", "addmm"),
        ("function.array_func", "split_view", "split"),
        ("function.nn_func", "softmax_ext", "nn.functional.softmax"),
        ("auto_generate", "transpose_ext_view", "transpose"),
        ("auto_generate", "kthvalue", "kthvalue"),
        ("auto_generate", "linalg_qr", "linalg.qr"),
        ("auto_generate", "inplace_hardtanh", "nn.functional.hardtanh_"),
        ("auto_generate", "inplace_addr", "addr_"),
        ("auto_generate", "upsample_nearest2d_op", "nn.upsample_nearest2d_op"),
        ("auto_generate", "round_op", "special.round_op"),
        ("functional_overload", "any", "any"),
        ("functional_overload", "conv1d", "nn.functional.conv1d"),
    ],
)
def test_mints_forms_at_mindspores_paths(path, name, same):
    module = ops
    for part in path.split("."):
        module = getattr(module, part)
    entry = optable.lookup("mint", same)
    value = getattr(module, name)
    assert value is getattr(module, name)
    assert value.__name__ == same.rpartition(".")[2]
    assert value.__doc__.split("\n")[0] == entry.impl.__doc__.split("\n")[0]


def test_mints_forms_in_ops():
    assert ops.baddbmm_ext.__name__ == "baddbmm"
    with pytest.raises(AttributeError, match="nothing_ext"):
        ops.nothing_ext


# ------------------------------------------------------------------- texts and numbers


TEXTS = [
    ("AdaptiveAvgPool1d(3)", "AdaptiveAvgPool1d(output_size=3)"),
    ("AdaptiveAvgPool2d((2, None))", "AdaptiveAvgPool2d(output_size=(2, None))"),
    ("AdaptiveAvgPool3d(2)", "AdaptiveAvgPool3d()"),
    ("AdaptiveMaxPool1d(3)", "AdaptiveMaxPool1d(output_size=3, return_indices=False)"),
    ("AvgPool2d(2)", "AvgPool2dExt()"),
    (
        "BatchNorm2d(2, momentum=None)",
        "BatchNorm2d(num_features=2, eps=1e-05, momentum=None, affine=True, "
        "track_running_stats=True)",
    ),
    ("BCELoss()", "BCELoss(\n  (bce_loss): BCELoss()\n)"),
    ("ConstantPad1d(1, 2)", "ConstantPad1d()"),
    (
        "Conv1d(2, 3, 3)",
        "Conv1d(input_channels=2, output_channels=3, kernel_size=(3,), stride=(1,), "
        "padding=(0,), dilation=(1,), groups=1, bias=True)",
    ),
    (
        "Conv2d(2, 4, (3, 2), stride=[2, 1], padding=1, bias=False, groups=2)",
        "Conv2d(input_channels=2, output_channels=4, kernel_size=(3, 2), stride=(2, 1), "
        "padding=(1, 1), dilation=(1, 1), groups=2, bias=False)",
    ),
    (
        "Conv2d(2, 3, 3, padding='same')",
        "Conv2d(input_channels=2, output_channels=3, kernel_size=(3, 3), stride=(1, 1), "
        "padding=same, dilation=(1, 1), groups=1, bias=True)",
    ),
    ("CrossEntropyLoss()", "CrossEntropyLoss()"),
    ("ELU()", "ELU()"),
    (
        "GroupNorm(2, 4, affine=False)",
        "GroupNorm(num_groups=2, num_channels=4, eps=1e-05, affine=False)",
    ),
    ("Softmax()", "SoftmaxExt()"),
    ("Unfold(2)", "UnfoldExt()"),
    ("Upsample(2)", "UpsampleExt()"),
]


@pytest.mark.parametrize(("text", "shown"), TEXTS)
def test_text(text, shown):
    assert repr(eval(f"mint.nn.{text}", {"mint": mint})) == shown


DRAWN = [
    (
        "Conv1d(2, 3, 3)",
        [
            [0.23802583, -0.20861328, 0.14336552, -0.3064288],
            [-0.16337663, -0.013637385, 0.37236464],
        ],
    ),
    (
        "Conv2d(2, 2, 1)",
        [
            [0.4122728, -0.36132878, 0.24831635, -0.5307502],
            [-0.2829766, -0.023620645],
        ],
    ),
    (
        "ConvTranspose2d(2, 2, 1)",
        [
            [0.4122728, -0.36132878, 0.24831635, -0.5307502],
            [-0.2829766, -0.023620645],
        ],
    ),
    ("Embedding(2, 2)", [[0.65303707, 1.5091926, 0.2647363, -0.37465504]]),
]


@pytest.mark.parametrize(("text", "drawn"), DRAWN)
def test_initial_numbers_are_mindspores(text, drawn):
    ms.set_seed(1)
    layer = eval(f"mint.nn.{text}", {"mint": mint})
    for p, expected in zip(layer.get_parameters(), drawn, strict=True):
        np.testing.assert_allclose(p.asnumpy().ravel()[: len(expected)], expected, rtol=1e-6)


# of those layers that MindSpore computes on CPUs
FIGURES = [
    ("AdaptiveMaxPool2d(2)(f(1,2,3,4))", [0.9092974, -0.35822928, 0.9720075, 0.1498772]),
    ("BCELoss()(f(2,3, low=0.1, high=0.9), f(2,3, low=0.2, high=0.8))", [0.62341124]),
    ("BCEWithLogitsLoss()(f(2,3), f(2,3, low=0.0))", [0.52527887]),
    (
        "BCEWithLogitsLoss(f(3, low=0.5, high=2.0), 'none', f(3, low=1.0, high=2.0))"
        "(f(2,3), f(2,3, low=0.0))",
        [1.3152974, 1.3295529, 0.5476694, 0.8126929],
    ),
    ("NLLLoss()(f(2,3), i(0,2))", [-0.4402187]),
    (
        "SmoothL1Loss('none',0.5)(f(2,3), f(2,3)*f(2,3))",
        [0.04334226, 0.00680223, 0.56056243, 1.1199296],
    ),
    ("GLU()(f(2,4))", [0.10950653, 0.2872301, 0.21376349, 0.24062806]),
    ("Hardshrink(0.4)(f(5))", [0.0, 0.9092974, -0.5298361, -0.7727645]),
    ("Hardsigmoid()(f(5))", [0.5492534, 0.6515496, 0.41169396, 0.37120593]),
    ("Hardswish()(f(5))", [0.16231547, 0.59245235, -0.21813034, -0.28685477]),
    ("PReLU()(f(2,3))", [0.29552022, 0.9092974, -0.13245903, -0.19319113]),
    ("SiLU()(f(5))", [0.16943572, 0.6481985, -0.19633347, -0.24410191]),
    ("Sigmoid()(f(5))", [0.57334733, 0.7128564, 0.37055507, 0.31588137]),
    ("Softmax(0)(f(5))", [0.19336224, 0.35721672, 0.08470789, 0.06643867]),
    ("Softshrink(0.2)(f(5))", [0.09552021, 0.7092974, -0.32983613, -0.5727645]),
    ("Tanh()(f(5))", [0.28720766, 0.7207949, -0.4852558, -0.64853406]),
    ("PixelShuffle(2)(f(1,4,1,2))", [0.29552022, -0.5298361, 0.9092974, -0.7727645]),
    ("GroupNorm(1,3)(f(2,3))", [0.11960821, 1.1605349, -1.2801431, -1.408845]),
    ("Upsample((3,4))(f(1,1,2,2))", [0.29552022, 0.29552022, 0.9092974, 0.9092974]),
    ("UpsamplingNearest2d((3,4))(f(1,1,2,2))", [0.29552022, 0.29552022, 0.9092974, 0.9092974]),
]


def _waves(*shape: int, low: float = -1.0, high: float = 1.0) -> ms.Tensor:
    values = np.sin(np.arange(np.prod(shape)) * 1.7 + 0.3).reshape(shape)
    return ms.Tensor((values * (high - low) / 2 + (high + low) / 2).astype(np.float32))


@pytest.mark.parametrize(("text", "figures"), FIGURES)
def test_figures_of_mindspore(text, figures):
    names = {"mint": mint, "f": _waves, "i": lambda *v: ms.Tensor(np.array(v, np.int32))}
    result = eval(f"mint.nn.{text}", names)
    np.testing.assert_allclose(result.asnumpy().ravel()[:4], figures, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(
    "text",
    [
        "Conv2d(2, 3, 3, dtype=ms.float16)",
        "ConvTranspose2d(2, 3, 3, dtype=ms.float16)",
        "BatchNorm1d(3, dtype=ms.float16)",
        "GroupNorm(1, 3, dtype=ms.float16)",
        "Linear(2, 3, dtype=ms.float16)",
        "LayerNorm(3, dtype=ms.float16)",
        "PReLU(dtype=ms.float16)",
    ],
)
def test_type_of_the_parameters(text):
    layer = eval(f"mint.nn.{text}", {"mint": mint, "ms": ms})
    kinds = {p.name: p.dtype for p in layer.get_parameters() if p.name != "num_batches_tracked"}
    assert set(kinds.values()) == {ms.float16}


def test_implied_dimension_of_softmax():
    for shape, dim in (((3,), 0), ((2, 3), 1), ((2, 3, 4), 0), ((2, 3, 4, 5), 1)):
        x = ms.ops.ones(shape)
        np.testing.assert_allclose(mint.nn.Softmax()(x).sum(dim).asnumpy(), 1.0, rtol=1e-6)


def test_a_pool_of_a_tuple_of_one_without_a_batch():
    x = ms.Tensor(IMAGE.astype(np.float32))
    assert mint.nn.AdaptiveMaxPool1d((2,))(x[0, 0]).shape == (5, 2)


# ------------------------------------------------------------------------- in place


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (lambda: mint.nn.ELU(inplace=True), [-0.63212055, 0.0, 7.0]),
        (lambda: mint.nn.Hardtanh(-0.5, 2.0, inplace=True), [-0.5, 0.0, 2.0]),
        (lambda: mint.nn.ReLU6(inplace=True), [0.0, 0.0, 6.0]),
        (lambda: mint.nn.SiLU(inplace=True), [-0.26894143, 0.0, 6.993622]),
        (lambda: mint.nn.Threshold(0.5, 9.0, inplace=True), [9.0, 9.0, 7.0]),
        (lambda: mint.nn.Dropout(1.0, inplace=True).set_train(), [0.0, 0.0, 0.0]),
    ],
)
def test_in_place(layer, expected):
    x = tensor(-1.0, 0.0, 7.0)
    assert layer()(x) is x
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-6)


def test_gradients_flow_through_what_is_written_in_place():
    layer = mint.nn.ELU(inplace=True)

    def chain(x):
        y = x * 2.0
        layer(y)
        return (y * y).sum()

    x = torch.tensor([-0.7, 0.4], dtype=torch.float64, requires_grad=True)
    torch.nn.functional.elu(x * 2.0).square().sum().backward()
    result = ms.grad(chain)(ms.Tensor(x.detach().numpy()))
    np.testing.assert_allclose(result.asnumpy(), x.grad.numpy(), rtol=1e-12)


def test_a_parameter_is_not_written_into_while_its_gradient_is_taken():
    p = ms.Parameter(tensor(-1.0, 2.0), name="p")

    def broken(x):
        return (F.relu_(p) * x).sum()

    with pytest.raises(RuntimeError, match="while its gradient is being taken"):
        ms.grad(broken, None, [p])(tensor(1.0, 1.0))


def test_dropout_in_place_zeroes_channels():
    x = ms.ops.ones((2, 8, 3, 3))
    out = mint.nn.Dropout2d(0.5, inplace=True).set_train()(x)
    assert out is x
    planes = x.asnumpy().reshape(16, 9)
    assert set(np.unique(planes)) == {0.0, 2.0}
    assert (planes == planes[:, :1]).all()


# ----------------------------------------------------------------- transposed convolution


@pytest.mark.parametrize("size", [(9, 12), (10, 11), (2, 6, 9, 11)])
def test_output_size(size):
    layer = mint.nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1).to(ms.float64)
    module = torch.nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1).double()
    for p in layer.get_parameters():
        module.get_parameter(p.name).data = torch.tensor(p.asnumpy())
    out = layer(ms.Tensor(IMAGE), size)
    expected = module(torch.tensor(IMAGE), size).detach()
    assert out.shape == tuple(expected.shape)
    np.testing.assert_allclose(out.asnumpy(), expected.numpy(), rtol=1e-10, atol=1e-12)


# --------------------------------------------------------------------------- errors


ERRORS = [
    ("Conv2d(3, 4, 3, groups=2)", ValueError, "divisible by groups"),
    ("Conv2d(2, 3, 0)", ValueError, "kernel_size"),
    ("Conv2d(2, 3, (3, 3, 3))", TypeError, "dimension must be 2"),
    ("Conv2d(2, 3, 'a')", TypeError, "kernel_size"),
    ("Conv2d(2.0, 3, 3)", TypeError, "in_channels"),
    ("Conv2d(2, 3, 3, bias=1)", TypeError, "bias"),
    ("Conv2d(2, 3, 3, padding=-1)", ValueError, "padding"),
    ("Conv2d(2, 3, 3, padding='foo')", ValueError, "padding"),
    ("Conv2d(2, 3, 3, padding='same', stride=2)", ValueError, "strided"),
    ("Conv2d(2, 3, 3, padding_mode='foo')", ValueError, "padding_mode"),
    ("Conv2d(2, 3, 3)(ones(2, 3, 4, 4))", RuntimeError, "C_in"),
    ("Conv2d(2, 3, 3)(ones(4, 4))", ValueError, "rank|dims"),
    ("ConvTranspose2d(2, 3, 3, padding_mode='reflect')", ValueError, "padding_mode"),
    ("ConvTranspose2d(2, 3, 3, padding='same')", TypeError, "padding"),
    ("ConvTranspose2d(2, 3, 3, output_padding=1)(ones(1, 2, 4, 4))", ValueError, "output_padding"),
    ("ConvTranspose2d(2, 3, 3)(ones(1, 2, 4, 4), (9, 9))", ValueError, "range from"),
    ("ConvTranspose2d(2, 3, 3)(ones(1, 2, 4, 4), (6,))", ValueError, "2 or 4 elements"),
    ("ReflectionPad1d(0)", ValueError, "> 0"),
    ("ReflectionPad1d((-1, 1))", ValueError, r"padding\[0\]"),
    ("ReplicationPad2d((1, 1))", ValueError, "equal to 4"),
    ("ConstantPad1d(1.5, 2)", ValueError, "integer or tuple"),
    ("ConstantPad1d((1.5, 1), 2)", TypeError, "padding"),
    ("ConstantPad1d(1, 'a')", TypeError, "value"),
    ("ZeroPad1d(True)", TypeError, "bool"),
    ("ReflectionPad1d(3)(ones(1, 1, 3))", ValueError, "at most 2"),
    ("BCELoss(reduction='x')", ValueError, "reduction"),
    ("MSELoss(reduction='batchmean')", ValueError, "reduction"),
    ("KLDivLoss(log_target=1)", TypeError, "log_target"),
    ("CrossEntropyLoss(label_smoothing=1.5)", ValueError, "label_smoothing"),
    ("CrossEntropyLoss(weight=[1.0])", TypeError, "weight"),
    ("NLLLoss(ignore_index=1.0)", TypeError, "ignore_index"),
    ("ELU('a')", TypeError, "alpha"),
    ("ELU(inplace=1)", TypeError, "inplace"),
    ("GELU('foo')", ValueError, "approximate"),
    ("GLU()(ones(3))", ValueError, "divisible"),
    ("PixelShuffle(0)", ValueError, "upscale_factor"),
    ("Softmax('a')", TypeError, "dim"),
    ("UpsamplingNearest2d()", ValueError, "exactly one"),
    ("UpsamplingBilinear2d(2, 2.0)", ValueError, "exactly one"),
    ("UpsamplingNearest2d(2)(ones(1, 1, 2))", ValueError, "rank"),
    ("AdaptiveMaxPool1d(0)", ValueError, "output_size"),
    ("SyncBatchNorm(2, process_group=1)", TypeError, "process_group"),
    ("SyncBatchNorm(2, process_group='x').set_train()(ones(2, 2))", ValueError, "no group"),
]


@pytest.mark.parametrize(("text", "error", "words"), ERRORS)
def test_errors(text, error, words):
    with pytest.raises(error, match=words) as caught:
        eval(f"mint.nn.{text}", {"mint": mint, "ones": lambda *shape: ms.ops.ones(shape)})
    assert caught.type is error
