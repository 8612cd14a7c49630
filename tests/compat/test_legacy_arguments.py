"""Arguments of older MindSpores: the results of today's call, and one warning."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch

import agar as ms
from agar import ops
from agar.compat.legacy import arguments

X = np.arange(6, dtype=np.float32).reshape(2, 3) ** 2
T = torch.from_numpy(X)
IMAGE = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
KERNEL = np.ones((2, 1, 3, 3), np.float32)


@pytest.fixture(autouse=True)
def aliased():
    ms.alias_mindspore()
    arguments.install()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
    arguments.uninstall()


#: call in the old form; the same in torch
CALLS = [
    ("ops.argmax(x=x, axis=1)", "T.argmax(1)"),
    (
        "ops.conv2d(ms.Tensor(np.tile(IMAGE, (1, 2, 1, 1))), ms.Tensor(KERNEL), group=2)",
        "F.conv2d(torch.from_numpy(IMAGE).tile(1, 2, 1, 1), torch.from_numpy(KERNEL), groups=2)",
    ),
    (
        "ops.cross_entropy(inputs=x, target=ms.Tensor([0, 2]))",
        "F.cross_entropy(T, torch.tensor([0, 2]))",
    ),
    ("ops.eye(2, 3, t=ms.float16)", "torch.eye(2, 3, dtype=torch.float16)"),
    ("ops.flip(x=x, dims=(0,))", "T.flip(0)"),
    ("ops.full(shape=(2,), fill_value=3.0)", "torch.full((2,), 3.0)"),
    (
        "ops.gather_elements(x=x, dim=1, index=ms.Tensor([[0], [2]]))",
        "T.gather(1, torch.tensor([[0], [2]]))",
    ),
    (
        "ops.interpolate(x=ms.Tensor(IMAGE), sizes=(2, 6), mode='bilinear', "
        "coordinate_transformation_mode='align_corners')",
        "F.interpolate(torch.from_numpy(IMAGE), (2, 6), mode='bilinear', align_corners=True)",
    ),
    ("ops.logsumexp(x=x, axis=1, keep_dims=True)", "T.logsumexp(1, keepdim=True)"),
    ("ops.max(x, axis=1, keep_dims=True)[1]", "T.max(1, keepdim=True)[1]"),
    ("ops.max(x, keep_dims=True)[0]", "T.max(0, keepdim=True)[0]"),
    ("ops.min(x=x, axis=1)[1]", "T.min(1)[1]"),
    ("ops.norm(x, axis=1, p=1, keep_dims=True)", "T.norm(1, 1, keepdim=True)"),
    ("ops.ones((2,), type=ms.int32)", "torch.ones(2, dtype=torch.int32)"),
    ("ops.pad(x, paddings=((1, 0), (0, 2)))", "F.pad(T, (0, 2, 1, 0))"),
    ("ops.prod(x=x, axis=1)", "T.prod(1)"),
    ("ops.roll(x=x, shifts=1, dims=0)", "T.roll(1, 0)"),
    ("ops.split(x, axis=1, output_num=3)[2]", "T.split(1, 1)[2]"),
    ("ops.std(x, 1, unbiased=True, keep_dims=True)", "T.std(1, keepdim=True)"),
    ("ops.sum(x=x, axis=1, keep_dims=True)", "T.sum(1, keepdim=True)"),
    ("ops.tile(x, multiples=(2, 1))", "T.tile(2, 1)"),
    ("ops.var(x, 1, unbiased=False)", "T.var(1, correction=0)"),
    ("ops.zeros(shape=(2,), type=ms.int32)", "torch.zeros(2, dtype=torch.int32)"),
    ("x.repeat(2, axis=0)", "T.repeat_interleave(2, 0)"),
    ("x.repeat(repeats=[1, 2, 1], axis=1)", "T.repeat_interleave(torch.tensor([1, 2, 1]), 1)"),
    ("x.repeat(2, axis=None)", "T.repeat_interleave(2)"),
    ("x.split(axis=0, output_num=2)[1]", "T.split(1)[1]"),
]


@pytest.mark.parametrize(("call", "reference"), CALLS, ids=[c[0] for c in CALLS])
def test_old_arguments(call, reference):
    space = {"ops": ops, "ms": ms, "np": np, "torch": torch, "F": torch.nn.functional}
    space |= {"x": ms.Tensor(X), "T": T, "IMAGE": IMAGE, "KERNEL": KERNEL}
    result, expected = eval(call, space), eval(reference, space)
    assert result.shape == tuple(expected.shape)
    np.testing.assert_allclose(result.asnumpy(), expected.numpy(), rtol=1e-5)


def test_every_listed_function_is_tested():
    tested = {call.replace("x.", "Tensor.", 1).partition("(")[0] for call, _ in CALLS}
    assert tested == set(arguments.table())


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        ("ops.split(x, axis=1, output_num=2)", ValueError, "divides the size 3 of axis 1"),
        ("ops.max(x, keepdims=True, keep_dims=True)", TypeError, "mean the same"),
        ("ops.max(x, x=x)", TypeError, "given twice"),
        ("ops.norm(x, axis=1, epsilon=1.0)", ValueError, "'epsilon' is not added any more"),
        ("ops.max(x, no_such=1)", TypeError, "unexpected keyword"),
        (
            "ops.interpolate(x, coordinate_transformation_mode='asymmetric')",
            ValueError,
            "must be 'align_corners'",
        ),
    ],
)
def test_wrong_old_arguments(call, error, words):
    with pytest.raises(error, match=words):
        eval(call, {"ops": ops, "x": ms.Tensor(X)})


def test_an_argument_warns_once_and_graphs_take_it():
    code = (
        "import warnings, agar; agar.alias_mindspore(); warnings.simplefilter('always')\n"
        "import mindspore as ms\n"
        "x = ms.Tensor([[1.0, 3.0]])\n"
        "net = ms.jit(lambda x: ms.ops.max(x, axis=1, keep_dims=True)[0] * 2)\n"
        "print(net(x), net(x + 1), ms.ops.max(x, axis=1, keep_dims=True)[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[[6.]] [[8.]] [[3.]]\n"
    assert done.stderr.count("DeprecationWarning") == 1, done.stderr
    assert "<string>:4: DeprecationWarning: The argument 'keep_dims'" in done.stderr


def test_gradients_through_old_arguments():
    gradient = ms.grad(lambda x: ops.max(x, axis=1, keep_dims=True)[0].sum())(ms.Tensor(X))
    assert gradient.asnumpy().tolist() == [[0, 0, 1], [0, 0, 1]]
