"""The gradient of an output that a program gives (sens): what is taken, and what raises."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn, ops


def ones(*shape, dtype=np.float32):
    return ms.Tensor(np.ones(shape, dtype))


class Full(nn.Cell):
    def construct(self, x):
        return x * 2


class Scalar(nn.Cell):
    def construct(self, x):
        return (x * 2).sum()


class One(nn.Cell):
    def construct(self, x):
        return (x * 2).sum().reshape((1,))


class Half(nn.Cell):
    def construct(self, x):
        return (x * 2).astype(ms.float16)


class Pair(nn.Cell):
    def construct(self, x):
        return x * 2, (x * 3).sum()


SENS = {
    "(2, 3)": ones(2, 3),
    "()": ms.Tensor(1.0),
    "(1,)": ones(1),
    "(1, 1)": ones(1, 1),
    "(3,)": ones(3),
    "(2, 1)": ones(2, 1),
    "(3, 2)": ones(3, 2),
    "(1, 2, 3)": ones(1, 2, 3),
    "half": ones(2, 3, dtype=np.float16),
    "double": ones(2, 3, dtype=np.float64),
    "int": ones(2, 3, dtype=np.int32),
    "half ()": ms.Tensor(1.0, ms.float16),
    "number": 1.0,
    "array": np.ones((2, 3), np.float32),
    "None": None,
    "pair": (ones(2, 3), ms.Tensor(1.0)),
    "short pair": (ones(2, 3),),
    "pair of (3,)": (ones(3), ms.Tensor(1.0)),
    "half pair": (ones(2, 3, dtype=np.float16), ms.Tensor(1.0)),
}
#: What MindSpore 2.10 does in PYNATIVE_MODE with `grad`, `GradOperation` and, but for the second
#: part, `vjp`: the gradient's elements, or the error. In GRAPH_MODE it looks at types alone, and
#: gives gradients of the shape of what was given.
RESULTS = [
    (Full, 2.0, "(2, 3)"),
    (Full, RuntimeError, "()"),
    (Full, ValueError, "(1,);(3,);(2, 1);(3, 2);(1, 2, 3)"),
    (Full, TypeError, "half;double;int"),
    (Scalar, 2.0, "();(1,);(1, 1);half ()"),
    (One, 2.0, "(1,)"),
    (One, RuntimeError, "();half ()"),
    (One, ValueError, "(1, 1)"),
    (Half, 2.0, "half"),
    (Half, RuntimeError, "()"),
    (Half, ValueError, "(1,);(3,);(2, 1);(3, 2);(1, 2, 3)"),
    (Half, TypeError, "(2, 3);double;int"),
    (Pair, 5.0, "pair"),
    (Pair, RuntimeError, "short pair;(2, 3)"),
    (Pair, ValueError, "pair of (3,)"),
    (Pair, TypeError, "half pair"),
]
#: `vjp` raises TypeErrors for these.
OTHERS = [
    (Full, RuntimeError, "number;array;None"),
    (Scalar, 2.0, "number"),
    (One, RuntimeError, "number"),
    (Half, RuntimeError, "number"),
]


def cases(rows):
    return [(net, result, name) for net, result, names in rows for name in names.split(";")]


def by_operation(net, x, sens):
    return ops.GradOperation(sens_param=True)(net)(x, sens)


def by_grad(net, x, sens):
    return ms.grad(net, sens_param=True)(x, sens)


def by_vjp(net, x, sens):
    pull = ms.vjp(net, x)[1]
    return (pull(*sens) if isinstance(sens, tuple) else pull(sens))[0]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("take", [by_operation, by_grad, by_vjp])
@pytest.mark.parametrize(("net", "result", "name"), [*cases(RESULTS), *cases(OTHERS)])
def test_as_mindspore(mode, take, net, result, name):
    ms.set_context(mode=mode)
    if take is by_vjp and (net, result, name) in cases(OTHERS):
        result = TypeError
    if isinstance(result, float):
        gradient = take(net(), ones(2, 3), SENS[name])
        assert gradient.dtype == ms.float32
        np.testing.assert_array_equal(gradient.asnumpy(), np.full((2, 3), result))
    else:
        with pytest.raises(result, match=r"gradients? (of (the )?output|must be Tensors)"):
            take(net(), ones(2, 3), SENS[name])
