"""Gradients by containers that ``mutable`` marks: MindSpore 2.10's figures in GRAPH_MODE."""

from __future__ import annotations

import pytest

import agar as ms
from agar import Tensor, mutable, nn, ops

A, B = Tensor([2.0]), Tensor([3.0])


def product(t):
    return t[0] * t[1]


def first(x, t):
    return x * t[0]


def by_name(t):
    return t["a"] * t["b"]


def deep(t):
    return t[0] * t[1][0] * t[2]["k"]


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([1.0]), name="w")

    def construct(self, t):
        return t[0] * t[1] * self.w


def plain(value):
    """Nested lists, tuples and dicts of numbers."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()[0]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return type(value)(plain(v) for v in value) if isinstance(value, (tuple, list)) else value


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def mode(request):
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.GRAPH_MODE)


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (product, (A, B), (3.0, 2.0)),
        (product, [A, B], [3.0, 2.0]),
        (by_name, {"a": A, "b": B}, {"a": 3.0, "b": 2.0}),
        (product, (A, 3), (3.0, 0)),
        (deep, (A, [B], {"k": Tensor([5.0])}), (15.0, [10.0], {"k": 6.0})),
    ],
    ids=["tuple", "list", "dict", "integer", "nested"],
)
def test_the_gradient_has_the_structure(mode, function, given, expected):
    for call in (ops.grad(function), ms.jit(ops.grad(function)), ops.GradOperation()(function)):
        for _ in range(3):
            result = plain(call(mutable(given)))
            assert result == expected
            assert type(result) is type(expected)


def test_beside_other_inputs_and_weights(mode):
    pair = mutable((A, B))
    assert plain(ops.grad(first, (0, 1))(Tensor([7.0]), pair)) == (2.0, (7.0, 0.0))
    every = ops.GradOperation(get_all=True)(first)
    assert plain(every(Tensor([7.0]), pair)) == (2.0, (7.0, 0.0))
    assert plain(ops.grad(product, return_ids=True)(pair)) == (0, (3.0, 2.0))
    assert plain(ms.value_and_grad(product)(pair)) == (6.0, (3.0, 2.0))
    net = Weighted()
    weights = net.trainable_params()
    assert plain(ops.grad(net, 0, weights)(pair)) == ((3.0, 2.0), (6.0,))
    out, pull = ms.vjp(product, pair)
    assert plain(pull(Tensor([1.0]))) == ((3.0, 2.0),)
    out, pull = ms.vjp(net, pair, weights=weights)
    assert plain(pull(Tensor([2.0]))) == (((6.0, 4.0),), (12.0,))
    assert plain(out) == 6.0


def test_new_values_and_second_gradients(mode):
    twice = ops.grad(lambda t: ops.grad(product)(t)[0] * t[1])
    for k in (1.0, 2.0, 3.0):
        pair = mutable((A * k, B * k))
        assert plain(ops.grad(product)(pair)) == (3.0 * k, 2.0 * k)
        assert plain(twice(pair)) == (0.0, 6.0 * k)


def test_what_is_not_marked_is_a_constant(mode):
    assert ops.grad(product)((A, B)) == ()
    assert plain(ops.GradOperation(get_all=True)(first)(B, (A, B))) == (2.0,)


def test_floats_have_no_gradient(mode):
    with pytest.raises(TypeError, match=r"holds the float 3.0. Give Tensor\(3.0\) instead"):
        ops.grad(product)(mutable((A, 3.0)))
    with pytest.raises(TypeError, match="holds the float"):
        ops.GradOperation(get_all=True)(first)(A, mutable((B, [2.0])))
