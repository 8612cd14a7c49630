"""What compiled calls give in place of iterators; the expected values are MindSpore 2.10's."""

from __future__ import annotations

import pytest

import agar as ms
from agar import Tensor, nn


def double(a):
    return a * 2


def odd(a):
    return a % 2


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda: map(double, (1, 2)), (2, 4)),
        (lambda: map(double, [1, 2]), [2, 4]),
        (lambda: map(lambda a, b: a + b, (1, 2), (3, 4)), (4, 6)),
        (lambda: zip((1, 2), (3, 4), strict=True), ((1, 3), (2, 4))),
        (lambda: zip([1, 2], [3, 4], strict=True), ((1, 3), (2, 4))),
        (lambda: (filter(odd, (1, 2, 3)), filter(odd, [1, 2, 3])), ([1, 3], [1, 3])),
        (lambda: enumerate((5, 6), 1), ((1, 5), (2, 6))),
        (lambda: range(0, 6, 2), (0, 2, 4)),
        (lambda: {"a": 1}.keys(), ("a",)),
        (lambda: {"a": 1}.values(), (1,)),
        (lambda: {"a": 1}.items(), [("a", 1)]),
        (lambda: (i * 2 for i in (1, 2)), [2, 4]),
        (lambda: {"k": [zip((1,), (2,), strict=True)]}, {"k": [((1, 2),)]}),
    ],
)
def test_values_of_iterators(function, expected):
    compiled = ms.jit(function)
    for _ in range(3):
        result = compiled()
        assert result == expected
        assert type(result) is type(expected)


def test_tensors_in_iterators_are_computed_at_each_call():
    @ms.jit
    def call(x, y):
        return map(double, (x, y)), enumerate([y])

    for k in range(4):
        (a, b), ((i, c),) = call(Tensor([k]), Tensor([k + 1]))
        assert [a.asnumpy().tolist(), b.asnumpy().tolist()] == [[2 * k], [2 * k + 2]]
        assert (i, c.asnumpy().tolist()) == (0, [k + 1])


def test_cells_follow_the_mode():
    class Pairs(nn.Cell):
        def construct(self, x):
            return zip((x, x), (1, 2), strict=True)

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Pairs()
        for k in range(3):
            (a, one), (_, two) = result = net(Tensor([k]))
            assert type(result) is tuple
            assert (a.asnumpy().tolist(), one, two) == ([k], 1, 2)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert type(net(Tensor([1]))) is zip


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
def test_other_results_stay_what_they_are():
    shared = [1, (2, {"a": 3})]

    def steps():
        yield 1

    held = ms.jit(lambda: shared)
    assert held() is shared
    assert held() is shared
    produced = ms.jit(steps)()
    assert next(produced) == 1
    assert type(ms.jit(lambda: reversed((1, 2)))()) is reversed


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
def test_iterators_that_others_hold_are_not_used_up():
    held = zip((1, 2), (3, 4), strict=True)
    kept = {"all": map(double, [1, 2])}
    compiled = ms.jit(lambda: (held, kept["all"], zip((5,), strict=True)))
    for _ in range(3):
        first, second, own = compiled()
        assert (first, second, own) == (held, kept["all"], ((5,),))
    assert ms.jit(lambda given: given)(held) is held
    assert list(held) == [(1, 3), (2, 4)]
    assert list(kept["all"]) == [2, 4]


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
def test_a_result_that_holds_itself():
    @ms.jit
    def call(x):
        result = [x, range(2)]
        result.append(result)
        return result

    values = call(Tensor([1.0]))
    assert values[1] == (0, 1)
