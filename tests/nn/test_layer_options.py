"""What the battery does not ask of layers: errors, class paths, integer layers, figures."""

from __future__ import annotations

import types

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import agar as ms
from agar import nn, ops
from nn.battery import arrays

ERRORS = [
    # activations
    ("nn.LeakyReLU('a')", TypeError, "LeakyReLU.*alpha"),
    ("nn.RReLU(0.5, 0.2)", ValueError, "lower"),
    ("nn.RReLU('0')", TypeError, "lower"),
    ("nn.PReLU(0)", ValueError, "channel"),
    ("nn.PReLU(2.0)", TypeError, "channel"),
    ("nn.PReLU(2, 'a')", TypeError, "PReLU"),
    ("nn.PReLU(2, ms.Tensor([0.1, 0.2, 0.3]))", ValueError, "PReLU"),
    ("nn.ELU('1')", TypeError, "alpha"),
    ("nn.CELU(0)", ValueError, "alpha"),
    ("nn.CELU('1')", TypeError, "alpha"),
    ("nn.GELU(1)", TypeError, "approximate"),
    ("nn.Hardtanh(1, -1)", ValueError, "max_val"),
    ("nn.Hardtanh('a')", TypeError, "min_val"),
    ("nn.HShrink('a')", TypeError, "lambd"),
    ("nn.SoftShrink('a')", TypeError, "lambd"),
    ("nn.Threshold('a', 1)", TypeError, "threshold"),
    ("nn.Threshold(1, 'a')", TypeError, "value"),
    ("nn.GLU(1.0)", TypeError, "axis"),
    ("nn.Softmax(1.5)", TypeError, "axis"),
    ("nn.LogSoftmax(None)", TypeError, "axis"),
    ("nn.Softmin('0')", TypeError, "axis"),
    ("nn.Softmax2d()(ops.ones((2, 3)))", ValueError, "Softmax2d"),
    ("nn.LRN(norm_region='WITHIN')", ValueError, "norm_region"),
    ("nn.LRN(2.5)", TypeError, "depth_radius"),
    ("nn.get_activation('relux')", KeyError, "relux"),
    # dense and its relatives
    ("nn.Dense(0, 1)", ValueError, "in_channels"),
    ("nn.Dense(1, -1)", ValueError, "out_channels"),
    ("nn.Dense(1.0, 1)", TypeError, "in_channels"),
    ("nn.Dense(1, 1, has_bias=1)", TypeError, "has_bias"),
    ("nn.Dense(1, 1, activation=3)", TypeError, "activation"),
    ("nn.Dense(1, 1, activation='reluu')", KeyError, "reluu"),
    (
        "nn.Dense(3, 2, weight_init=ops.ones((2, 4)))",
        ValueError,
        "weight_init",
    ),
    ("nn.Dense(3, 2, bias_init=ops.ones((3,)))", ValueError, "bias_init"),
    ("nn.Dense(3, 2)(ops.ones((4, 5)))", ValueError, "Dense"),
    ("nn.Linear(0, 1)", ValueError, "in_features"),
    ("nn.BiDense(0, 1, 1)", ValueError, "in1_channels"),
    ("nn.BiDense(1, 0, 1)", ValueError, "in2_channels"),
    ("nn.BiDense(1, 1, 1.0)", TypeError, "out_channels"),
    (
        "nn.BiDense(2, 3, 4, weight_init=ops.ones((4, 3, 2)))",
        ValueError,
        "weight_init",
    ),
    ("nn.BiDense(2, 3, 4)(ops.ones((5, 3)), ops.ones((5, 2)))", ValueError, "BiDense|dense"),
    ("nn.Conv2dBnAct(2, 3, 3, activation=1)", TypeError, "activation"),
    ("nn.Conv2dBnAct(2, 3, 3, has_bn=1)", TypeError, "has_bn"),
    ("nn.DenseBnAct(2, 3, after_fake=1)", TypeError, "after_fake"),
    # shapes
    ("nn.Flatten(1.5)", TypeError, "start_dim"),
    ("nn.Flatten(2, 1)(ops.ones((2, 3, 4)))", ValueError, "start_dim|flatten"),
    ("nn.Unflatten(1, 6)", TypeError, "unflattened_size"),
    ("nn.Unflatten(1, (2, 2))(ops.ones((2, 6)))", ValueError, "Unflatten"),
    ("nn.Roll((1, 2), (0,))", ValueError, "Roll"),
    ("nn.Roll(1.0, 0)", TypeError, "Roll"),
    ("nn.ClipByNorm(1.5)", TypeError, "axis"),
    ("nn.Norm(1.5)", TypeError, "axis"),
    ("nn.Norm((), 1)", TypeError, "keep_dims"),
    ("nn.L1Regularizer(0)", ValueError, "scale"),
    ("nn.L1Regularizer('a')", TypeError, "scale"),
    ("nn.OneHot(depth=-1)", ValueError, "depth"),
    ("nn.OneHot(axis='0')", TypeError, "axis"),
    ("nn.ChannelShuffle(0)", ValueError, "groups"),
    ("nn.ChannelShuffle(3)(ops.ones((1, 4, 2, 2)))", ValueError, "groups"),
    # padding
    ("nn.Pad([[1, 1]])", TypeError, "paddings"),
    ("nn.Pad(((1, 1), (1,)))", ValueError, "paddings"),
    ("nn.Pad(((1, 1),), 'CONST')", ValueError, "mode"),
    ("nn.ConstantPad1d('a', 1)", TypeError, "padding"),
    ("nn.ConstantPad1d((1, 2, 3), 1)", ValueError, "padding"),
    ("nn.ConstantPad2d(1, 'a')", TypeError, "value"),
    ("nn.ConstantPad2d((1, 2, 3), 1)", ValueError, "padding"),
    ("nn.ReflectionPad1d(-1)", ValueError, "padding"),
    ("nn.ReflectionPad2d((1, 2, 3))", ValueError, "padding"),
    ("nn.ReflectionPad1d(3)(ops.ones((2, 2, 3)))", ValueError, "padding"),
    ("nn.ReplicationPad2d((1, 1.0, 1, 1))", TypeError, "padding"),
    ("nn.ZeroPad2d(None)", TypeError, "padding"),
    # pooling
    ("nn.MaxPool2d(0)", ValueError, "kernel_size"),
    ("nn.MaxPool2d(2.0)", TypeError, "kernel_size"),
    ("nn.MaxPool2d((1, 2, 3))", ValueError, "kernel_size"),
    ("nn.MaxPool2d(2, 0)", ValueError, "stride"),
    ("nn.MaxPool2d(2, pad_mode='half')", ValueError, "pad_mode"),
    ("nn.MaxPool2d(2, pad_mode=1)", TypeError, "pad_mode"),
    ("nn.MaxPool2d(2, padding=1)", ValueError, "padding"),
    ("nn.MaxPool2d(2, pad_mode='pad', padding=2)(ops.ones((1, 1, 4, 4)))", ValueError, "padding"),
    ("nn.MaxPool2d(2, data_format='NWHC')", ValueError, "data_format"),
    ("nn.MaxPool2d(2, ceil_mode=1)", TypeError, "ceil_mode"),
    ("nn.MaxPool1d((2,))", TypeError, "kernel_size"),
    ("nn.MaxPool2d(2)(ops.ones((2, 3)))", ValueError, "MaxPool2d|max_pool2d"),
    (
        "nn.AvgPool2d(2, divisor_override=0)",
        ValueError,
        "divisor_override",
    ),
    ("nn.AvgPool2d(2, count_include_pad=0)", TypeError, "count_include_pad"),
    ("nn.AvgPool3d((1, 2))", ValueError, "kernel_size"),
    ("nn.AvgPool1d(3)(ops.ones((2,)))", ValueError, "AvgPool1d|avg_pool1d"),
    ("nn.AdaptiveAvgPool1d(0)", ValueError, "output_size"),
    ("nn.AdaptiveAvgPool1d('1')", TypeError, "output_size"),
    ("nn.AdaptiveAvgPool2d((1, 2, 3))(ops.ones((1, 2, 3, 4)))", ValueError, "output_size"),
    ("nn.AdaptiveMaxPool2d(2, 1)", TypeError, "return_indices"),
    ("nn.FractionalMaxPool2d(2)", ValueError, "output"),
    ("nn.LPPool1d(0, 2)", ValueError, "norm_type"),
    ("nn.LPPool2d('1', 2)", TypeError, "norm_type"),
    # images and embeddings
    ("nn.PixelShuffle(0)", ValueError, "upscale_factor"),
    ("nn.PixelShuffle(2)(ops.ones((1, 3, 2, 2)))", ValueError, "upscale|channel"),
    ("nn.PixelUnshuffle(2.0)", TypeError, "downscale_factor"),
    ("nn.PixelUnshuffle(2)(ops.ones((1, 1, 3, 2)))", ValueError, "downscale_factor|divisible"),
    ("nn.CentralCrop(1)", TypeError, "central_fraction"),
    ("nn.CentralCrop(1.5)", ValueError, "central_fraction"),
    ("nn.CentralCrop(0.5)(ops.ones((2, 2)))", ValueError, "CentralCrop"),
    ("nn.ImageGradients()(ops.ones((2, 2)))", ValueError, "ImageGradients"),
    ("nn.PSNR(0.0)", ValueError, "max_val"),
    ("nn.PSNR()(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 3)))", ValueError, "PSNR"),
    ("nn.SSIM(filter_size=0)", ValueError, "filter_size"),
    ("nn.SSIM(k1=-1.0)", ValueError, "k1"),
    ("nn.SSIM()(ops.ones((1, 1, 5, 5)), ops.ones((1, 1, 5, 5)))", ValueError, "SSIM"),
    ("nn.MSSSIM(power_factors=0.1)", TypeError, "power_factors"),
    ("nn.Embedding(0, 2)", ValueError, "vocab_size"),
    ("nn.Embedding(2, 2.0)", TypeError, "embedding_size"),
    ("nn.Embedding(2, 2, padding_idx=2)", ValueError, "padding_idx"),
    ("nn.Embedding(2, 2, use_one_hot=1)", TypeError, "use_one_hot"),
    ("nn.Embedding(2, 2)(ops.ones((1,)))", TypeError, "Embedding|embedding|gather"),
    ("nn.Embedding(2, 2)(ms.Tensor([2]))", RuntimeError, "2"),
    ("nn.EmbeddingLookup(2, 2, target='GPU')", ValueError, "target"),
    ("nn.EmbeddingLookup(2, 2, slice_mode='x')", ValueError, "slice_mode"),
    ("nn.EmbeddingLookup(2, 2, max_norm=0.0)", ValueError, "max_norm"),
    ("nn.MultiFieldEmbeddingLookup(3, 2, 2, operator='MIN')", ValueError, "operator"),
    ("nn.Unfold(2, 1, 1)", TypeError, "ksizes"),
    ("nn.Unfold((1, 2, 2, 1), (1, 1, 1, 1), (1, 1, 1, 1), 'half')", ValueError, "padding"),
    ("nn.Upsample()(ops.ones((1, 1, 2, 2)))", ValueError, "size"),
    ("nn.Upsample(4, mode='cubic')(ops.ones((1, 1, 2, 2)))", ValueError, "mode"),
    # the others
    ("nn.ReduceLogSumExp(1.5)", TypeError, "axis"),
    ("nn.ReduceLogSumExp(0, 1)", TypeError, "keep_dims"),
    ("nn.Range(0, 4, 0)", ValueError, "delta"),
    ("nn.Range('0', 4)", TypeError, "start"),
    ("nn.layer.CosineSimilarity(1.0)", TypeError, "dim"),
    ("nn.layer.CosineSimilarity(1, 'e')", TypeError, "eps"),
    ("nn.MatMul(1)", TypeError, "transpose_x1"),
    ("nn.Moments('a')", TypeError, "axis"),
    ("nn.TimeDistributed(3, 1)", TypeError, "layer"),
    ("nn.TimeDistributed(nn.ReLU(), 1.0)", TypeError, "time_axis"),
    ("nn.TimeDistributed(nn.ReLU(), 5)(ops.ones((2, 3, 4)))", ValueError, "time_axis"),
]


@pytest.mark.cpu  # a GPU reports an index out of bounds later
@pytest.mark.parametrize(("text", "error", "words"), ERRORS, ids=[e[0] for e in ERRORS])
def test_errors(text, error, words):
    with pytest.raises(error, match=words):
        eval(text, {"nn": nn, "ops": ops, "ms": ms, "np": np})


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("activation", "ReLU GELU Softmax LogSigmoid get_activation LRN PReLU HSwish"),
        ("basic", "Dense Dropout Flatten Identity Pad Unfold Upsample Roll Tril Norm OneHot"),
        ("channel_shuffle", "ChannelShuffle"),
        ("combined", "Conv2dBnAct DenseBnAct"),
        ("container", "SequentialCell CellList CellDict"),
        ("conv", "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose"),
        ("dense", "BiDense"),
        ("embedding", "Embedding EmbeddingLookup MultiFieldEmbeddingLookup"),
        ("image", "PixelShuffle PixelUnshuffle CentralCrop ImageGradients PSNR SSIM MSSSIM"),
        ("math", "ReduceLogSumExp Range LGamma MatMul Moments MatDet"),
        ("normalization", "BatchNorm1d BatchNorm2d LayerNorm GroupNorm InstanceNorm2d"),
        ("padding", "ConstantPad1d ReflectionPad2d ReplicationPad3d ZeroPad2d"),
        ("pooling", "MaxPool2d AvgPool2d AdaptiveAvgPool2d LPPool2d MaxUnpool2d"),
        ("timedistributed", "TimeDistributed"),
    ],
)
def test_class_paths_are_mindspores(module, names):
    # checkpoints of whole cells and printed reprs carry these paths
    for name in names.split():
        assert getattr(nn, name).__module__ == f"agar.nn.layer.{module}"


@pytest.mark.parametrize("module", [nn, nn.layer], ids=["nn", "nn.layer"])
def test_every_imported_name_is_listed(module):
    kinds = (type, types.FunctionType)
    public = [name for name in dir(module) if name[0] != "_"]
    named = {name for name in public if isinstance(getattr(module, name), kinds)}
    assert named - {"ResizeBilinear"} == set(module.__all__)  # a name of MindSpore 1


def test_cosine_similarity_is_the_metric_in_nn():
    assert issubclass(nn.CosineSimilarity, nn.Metric)
    assert issubclass(nn.layer.CosineSimilarity, nn.Cell)


class TestOneHot:
    def test_the_last_axis_by_default(self):
        out = nn.OneHot(depth=3)(ms.Tensor([[0, 2], [1, 5]], ms.int32))
        assert out.dtype == ms.float32
        assert out.asnumpy().tolist() == [[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 0]]]

    def test_values_axis_and_type(self):
        layer = nn.OneHot(axis=0, depth=3, on_value=7, off_value=2, dtype=ms.int32)
        out = layer(ms.Tensor([0, 2], ms.int32))
        assert out.dtype == ms.int32
        assert out.asnumpy().tolist() == [[7, 2], [2, 2], [2, 7]]

    def test_negative_indices_are_off(self):
        out = nn.OneHot(depth=2)(ms.Tensor([-1, 1], ms.int32))
        assert out.asnumpy().tolist() == [[0, 0], [0, 1]]


class TestRange:
    def test_integers(self):
        out = nn.Range(1, 8, 2)()
        assert out.dtype == ms.int32
        assert out.asnumpy().tolist() == [1, 3, 5, 7]

    def test_one_argument_is_the_end(self):
        assert nn.Range(3)().asnumpy().tolist() == [0, 1, 2]

    def test_floats(self):
        out = nn.Range(0.5, 2.0, 0.5)()
        assert out.dtype == ms.float32
        assert out.asnumpy().tolist() == [0.5, 1.0, 1.5]


def wide(*shape: int) -> np.ndarray:
    return np.abs(arrays(shape)[0]) + 0.3


POSITIVE = (lambda a: a @ a.swapaxes(-1, -2) + np.eye(3))(arrays((2, 3, 3))[0])
FIGURES = [  # layer, inputs, torch's function of the same meaning
    ("LGamma", lambda: nn.LGamma(), (wide(2, 3),), torch.lgamma),
    ("DiGamma", lambda: nn.DiGamma(), (wide(2, 3),), torch.digamma),
    ("IGamma", lambda: nn.IGamma(), (wide(2, 3), wide(3)), torch.special.gammainc),
    (
        "LBeta",
        lambda: nn.LBeta(),
        (wide(2, 3), wide(3) + 1),
        lambda a, b: torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b),
    ),
    (
        "CosineSimilarity",
        lambda: nn.layer.CosineSimilarity(dim=1),
        arrays((2, 3, 4), (2, 3, 4)),
        lambda a, b: F.cosine_similarity(a, b, dim=1),
    ),
    (
        "CosineSimilarity of zeros",
        lambda: nn.layer.CosineSimilarity(),
        (np.zeros((2, 3)), np.ones((2, 3))),
        F.cosine_similarity,
    ),
    ("MatDet", lambda: nn.MatDet(), (POSITIVE,), torch.linalg.det),
    ("MatInverse", lambda: nn.MatInverse(), (POSITIVE,), torch.linalg.inv),
    ("MatrixDiag", lambda: nn.MatrixDiag(), arrays((2, 3)), torch.diag_embed),
    (
        "MatrixDiagPart",
        lambda: nn.MatrixDiagPart(),
        arrays((2, 3, 4)),
        lambda x: torch.diagonal(x, dim1=-2, dim2=-1),
    ),
    (
        "MatrixSetDiag",
        lambda: nn.MatrixSetDiag(),
        arrays((2, 3, 4), (2, 3)),
        lambda x, d: torch.diagonal_scatter(x, d, dim1=-2, dim2=-1),
    ),
]


@pytest.mark.parametrize(
    ("make", "inputs", "twin"), [pytest.param(*f[1:], id=f[0]) for f in FIGURES]
)
def test_values(make, inputs, twin):
    got = make()(*(ms.Tensor(a) for a in inputs)).asnumpy()
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, twin(*map(torch.tensor, inputs)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(nn.layer.activation._BY_NAME) - {"threshold"}))
def test_every_activation_by_name(name):
    activation = nn.get_activation(name)
    shape = (2, 4, 3, 3) if name == "softmax2d" else (2, 4)
    assert activation(ms.Tensor(arrays(shape)[0].astype(np.float32))).shape[0] == 2
    # each call makes a new cell: two layers of a net share no state
    assert nn.get_activation(name) is not activation


def test_an_activation_with_obligatory_arguments_has_none_by_name():
    with pytest.raises(TypeError, match="threshold"):
        nn.get_activation("threshold")


def test_activation_of_a_dense_layer_by_name_and_by_cell():
    x = ms.Tensor(np.array([[-1.0, 2.0]], np.float32))
    eye = ms.Tensor(np.eye(2, dtype=np.float32))
    for activation in ("relu", nn.ReLU(), ops.ReLU()):
        layer = nn.Dense(2, 2, weight_init=eye, has_bias=False, activation=activation)
        assert layer(x).asnumpy().tolist() == [[0.0, 2.0]]


@pytest.mark.parametrize(
    "make",
    [
        lambda: nn.MaxPool2d(2),
        lambda: nn.AvgPool2d(2),
        lambda: nn.MaxPool1d(2),
        lambda: nn.AvgPool1d(2),
    ],
    ids=["MaxPool2d", "AvgPool2d", "MaxPool1d", "AvgPool1d"],
)
def test_the_stride_of_a_pool_is_one_by_default(make):
    # torch's default is the kernel size: the most frequent slip in moving a model
    shape = (1, 1, 5, 5) if make().cls_name.endswith("2d") else (1, 1, 5)
    assert make()(ops.ones(shape)).shape[-1] == 4


def test_pools_take_both_data_formats():
    x = arrays((2, 3, 6, 5))[0].astype(np.float32)
    for make in (
        lambda f: nn.MaxPool2d(3, 2, "same", data_format=f),
        lambda f: nn.AvgPool2d(2, 2, data_format=f),
    ):
        first = make("NCHW")(ms.Tensor(x)).asnumpy()
        last = make("NHWC")(ms.Tensor(x.transpose(0, 2, 3, 1))).asnumpy()
        np.testing.assert_array_equal(last, first.transpose(0, 2, 3, 1))


class TestInterpolate:
    """Figures recorded from MindSpore 2.10."""

    X = ms.Tensor(np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3))

    @pytest.mark.parametrize(
        ("options", "rows"),
        [
            (
                {"size": (4, 5)},
                [[0, 0, 1, 1, 2], [0, 0, 1, 1, 2], [3, 3, 4, 4, 5], [3, 3, 4, 4, 5]],
            ),
            (
                {"size": (3, 4), "mode": "nearest-exact"},
                [[0, 1, 1, 2], [3, 4, 4, 5], [3, 4, 4, 5]],
            ),
            (
                {"size": (3, 4), "mode": "bilinear"},
                [[0, 0.625, 1.375, 2], [1.5, 2.125, 2.875, 3.5], [3, 3.625, 4.375, 5]],
            ),
            (
                {"size": (3, 4), "mode": "bilinear", "align_corners": True},
                [[0, 2 / 3, 4 / 3, 2], [1.5, 13 / 6, 17 / 6, 3.5], [3, 11 / 3, 13 / 3, 5]],
            ),
            (
                {"size": (3, 4), "mode": "bicubic"},
                [
                    [-0.24990532, 0.35892838, 1.24573851, 1.85457218],
                    [1.44776118, 2.05659509, 2.94340515, 3.5522387],
                    [3.14542723, 3.754261, 4.64107132, 5.24990511],
                ],
            ),
            ({"size": (1, 2), "mode": "area"}, [[2, 3]]),
        ],
        ids=["nearest", "nearest-exact", "bilinear", "corners", "bicubic", "area"],
    )
    def test_images(self, options, rows):
        got = ops.interpolate(self.X, **options).asnumpy()[0, 0]
        np.testing.assert_allclose(got, np.float32(rows), rtol=1e-6, atol=1e-6)

    def test_lines(self):
        x = ms.Tensor(np.arange(3, dtype=np.float32).reshape(1, 1, 3))
        got = ops.interpolate(x, size=5, mode="linear").asnumpy()[0, 0]
        np.testing.assert_allclose(got, [0, 0.4, 1, 1.6, 2], rtol=1e-6)

    def test_the_layer_is_the_function(self):
        layer = nn.Upsample((3, 4), mode="bilinear", align_corners=True)
        function = ops.interpolate(self.X, (3, 4), mode="bilinear", align_corners=True)
        np.testing.assert_array_equal(layer(self.X).asnumpy(), function.asnumpy())
