"""Settings that change no result accept what MindSpore 2.10 accepts."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn, ops


def parameter(name, value):
    def set_it():
        p = Parameter(Tensor([1.0]), name="p")
        setattr(p, name, value)
        return getattr(p, name)

    return set_it


def dense():
    return nn.Dense(2, 2)


ACCEPTED = {
    "recompute": lambda: dense().recompute(
        mp_comm_recompute=None, use_reentrant=1, output_recompute=True
    ),
    "set_jit_config": lambda: dense().set_jit_config(ms.JitConfig(jit_level="O1")),
    "set_boost": lambda: dense().set_boost("less_bn"),
    "offload": lambda: dense().offload(),
    "offload, a number": lambda: dense().offload(0),
    "cache_enable": parameter("cache_enable", True),
    "a loss scale that changes by a fraction": lambda: ms.DynamicLossScaleManager(1024, 2.5, 2),
    "mode of a convolution": lambda: ops.Conv2D(3, 3, mode=1),
    "mode of a depthwise convolution": lambda: ops.DepthwiseConv2dNative(1, 3, mode=3),
}


@pytest.mark.parametrize("call", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(call):
    call()


def image(*shape):
    return Tensor(np.ones(shape, np.float32))


REFUSED = {
    "recompute, another option": (lambda: dense().recompute(zz=1), ValueError, "no option 'zz'"),
    "recompute, not a bool": (
        lambda: dense().recompute(output_recompute=None),
        TypeError,
        "'output_recompute' must be bool",
    ),
    "set_jit_config": (lambda: dense().set_jit_config("O1"), TypeError, "must be a JitConfig"),
    "set_boost": (lambda: dense().set_boost("adasum"), ValueError, "must be 'less_bn'"),
    "offload": (lambda: dense().offload("x"), ValueError, "must be 'Auto' or an int"),
    "offload, below 0": (lambda: dense().offload(-1), ValueError, "must be 'Auto' or an int"),
    "set_comm_fusion": (lambda: dense().set_comm_fusion("x"), TypeError, "'comm_fusion' must be"),
    "comm_fusion, a bool": (parameter("comm_fusion", True), TypeError, "'comm_fusion' must be int"),
    "comm_fusion, below 0": (parameter("comm_fusion", -1), ValueError, "at least 0"),
    "cache_enable": (parameter("cache_enable", 3), TypeError, "'cache_enable' must be bool"),
    "a flag of a Primitive": (
        lambda: ops.CumProd(reverse="x"),
        TypeError,
        "For 'CumProd', the type of 'reverse' must be bool, but got 'str'",
    ),
    "a number as a flag": (lambda: ops.MatMul(transpose_b=1), TypeError, "'transpose_b' must be"),
    "flags of functions": (lambda: ops.svd(image(2, 2), compute_uv="x"), TypeError, "compute_uv"),
    "hard, not a bool": (lambda: ops.gumbel_softmax(image(2, 2), hard=1), TypeError, "hard"),
    "axes of a rotation": (lambda: ops.rot90(image(2, 2), 1, None), TypeError, "two axes"),
    "no axes of a rotation": (lambda: ops.rot90(image(2, 2), 1, ()), ValueError, "two axes"),
    "words as a loss scale's factor": (
        lambda: nn.DynamicLossScaleUpdateCell(1, "2", 3),
        TypeError,
        "scale_factor",
    ),
    "a factor of 0": (lambda: ms.DynamicLossScaleManager(1024, 0, 2), ValueError, "above 0"),
    "another mode": (lambda: ops.Conv2D(3, 3, mode=3), ValueError, "'mode' must be 1"),
    "another depthwise mode": (
        lambda: ops.DepthwiseConv2dNative(1, 3, mode=1),
        ValueError,
        "'mode' must be 3",
    ),
    "in_channel": (lambda: ops.Conv3DTranspose(0, 3, 2), ValueError, "in_channel"),
    "kernels of another size": (
        lambda: ops.Conv2D(3, (3, 2))(image(1, 2, 5, 5), image(3, 2, 3, 3)),
        ValueError,
        r"kernel_size \(3, 2\), but got \(3, 3\)",
    ),
    "kernels of another size, 3-D": (
        lambda: ops.Conv3D(3, 7)(image(1, 2, 4, 4, 4), image(3, 2, 2, 2, 2)),
        ValueError,
        r"kernel_size \(7, 7, 7\), but got \(2, 2, 2\)",
    ),
}


@pytest.mark.parametrize(("call", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_loss_scale_that_changes_by_a_fraction():
    manager = ms.DynamicLossScaleManager(1024, 2.5, 2)
    manager.update_loss_scale(True)
    low = manager.get_loss_scale()
    for _ in range(3):
        manager.update_loss_scale(False)
    assert (low, manager.get_loss_scale()) == (409.6, 1024.0)


def test_marks_of_a_parameter():
    p = Parameter(Tensor([1.0]), name="p")
    assert (p.is_init, p.comm_fusion, p.cache_enable) == (False, 1, False)
    p.is_init = True
    assert p.is_init is True
    net = nn.SequentialCell(dense(), dense())
    net[1].weight.requires_grad = False
    net.set_comm_fusion(2)
    assert [p.comm_fusion for p in net.get_parameters()] == [2, 2, 1, 2]
    net.set_comm_fusion(3, recurse=False)
    assert [p.comm_fusion for p in net.get_parameters()] == [2, 2, 1, 2]
