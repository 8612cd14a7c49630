"""Distributions: they leave the engine where a sequential reader would, and refuse bad input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from agar._core.random import draws, index_draws, initializer_fills
from agar._core.random.engines import BLOCK, Engine, Mersenne, MinStd, Philox

pytestmark = pytest.mark.smoke

seeds = st.integers(1, 2**64 - 1)


# ------------------------------------------------------------------------ sequential definitions


def normal_stepwise(count: int, engine: MinStd) -> list[float]:
    """The polar method, one point after the other, reading one word at a time."""
    out: list[float] = []
    while len(out) < count:
        x = np.float32(engine.floats(1)[0] * np.float32(2) - np.float32(1))
        y = np.float32(engine.floats(1)[0] * np.float32(2) - np.float32(1))
        r2 = np.float32(x * x + y * y)
        if 0 < r2 <= 1:
            m = np.sqrt(np.float32(np.float32(-2) * draws.logf(np.array([r2]))[0]) / r2)
            out += [float(y * m), float(x * m)]
    return out[:count]


def bounded_stepwise(width: int, engine: Engine) -> int:
    scale = engine.span // width
    while True:
        word = int(engine.draws(1)[0])
        if word < scale * width:
            return word // scale


def shuffle_stepwise(count: int, engine: Engine) -> list[int]:
    order = list(range(count))

    def swap(i: int, j: int) -> None:
        order[i], order[j] = order[j], order[i]

    if engine.span // count < count:
        for i in range(1, count):
            swap(i, bounded_stepwise(i + 1, engine))
        return order
    even = count % 2 == 0
    if even:
        swap(1, bounded_stepwise(2, engine))
    for i in range(1 + even, count, 2):
        draw = bounded_stepwise((i + 1) * (i + 2), engine)
        swap(i, draw // (i + 2))
        swap(i + 1, draw % (i + 2))
    return order


class Short(Engine):
    """An engine with a small span, so that every branch of the shuffle meets rejections."""

    def __init__(self, seed: int, span: int) -> None:
        super().__init__()
        self.span = span
        self._source = np.random.RandomState(seed)

    @property
    def state(self) -> int:
        return int(self._source.get_state(legacy=False)["state"]["pos"])

    @state.setter
    def state(self, value: int) -> None:
        raise AttributeError("the tests only read positions")

    def draws(self, count: int) -> np.ndarray:
        return self._source.randint(0, self.span + 1, count, np.uint32)


# --------------------------------------------------------------------------------- continuation


@given(seed=seeds, count=st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_normal_equals_the_sequential_method(seed: int, count: int) -> None:
    engine, step = MinStd(seed), MinStd(seed)
    assert draws.standard_normal((count,), engine).tolist() == normal_stepwise(count, step)
    assert engine.state == step.state


@given(seed=seeds, width=st.integers(1, 2**32 - 1), count=st.integers(0, 40))
@settings(max_examples=40, deadline=None)
def test_uniform_int_equals_sequential_rejection(seed: int, width: int, count: int) -> None:
    low = -(2**31)
    engine, step = Mersenne(seed), Mersenne(seed)
    got = draws.uniform_int((count,), low, low + width, engine).tolist()
    assert got == [bounded_stepwise(width, step) + low for _ in range(count)]
    assert engine.state == step.state


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 70), span=st.integers(200, 9000))
@settings(max_examples=60, deadline=None)
def test_shuffle_equals_sequential_swaps(seed: int, count: int, span: int) -> None:
    engine, step = Short(seed, span), Short(seed, span)
    assert index_draws.shuffle_order(count, engine).tolist() == shuffle_stepwise(count, step)
    assert engine.state == step.state


STREAMS: dict[str, tuple[Callable[[int], Engine], Callable[..., np.ndarray]]] = {
    "uniform_real": (Mersenne, draws.uniform_real),
    "uniform_int": (Mersenne, lambda shape, e: draws.uniform_int(shape, 0, 3 * 2**29, e)),
    "laplace": (MinStd, draws.standard_laplace),
    "poisson": (Mersenne, lambda shape, e: draws.poisson(shape, 4.0, e)),
    "poisson_high": (Mersenne, lambda shape, e: draws.poisson(shape, 40.0, e)),
    "keep_mask": (MinStd, lambda shape, e: draws.keep_mask(shape, 0.3, e).numpy()),
    "multinomial": (MinStd, lambda shape, e: index_draws.multinomial(np.ones(5), shape[0], e)),
    "gamma": (Philox, lambda shape, e: draws.gamma(shape, 0.7, e)),
    "cauchy": (MinStd, draws.cauchy),
    "mantissa": (
        Philox,
        lambda shape, e: index_draws.multinomial_by_mantissa(np.ones(5), shape[0], True, e),
    ),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [3, BLOCK + 5])
def test_two_calls_continue_one_stream(name: str, size: int) -> None:
    make, draw = STREAMS[name]
    engine = make(5)
    parts = np.concatenate([draw((size,), engine), draw((7,), engine)])
    np.testing.assert_array_equal(parts, draw((size + 7,), make(5)))


PAIRED = {
    "standard_normal": draws.standard_normal,
    "truncated_normal": draws.truncated_normal,
}


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("size", [1, 4, 2 * BLOCK + 1])
def test_big_draws_begin_as_small_ones_do(name: str, size: int) -> None:
    draw = PAIRED[name]
    np.testing.assert_array_equal(
        draw((2 * BLOCK + 50,), MinStd(9))[:size], draw((size,), MinStd(9))
    )


def test_shapes_are_kept_also_when_empty() -> None:
    assert draws.uniform_real((0, 3), Mersenne(1)).shape == (0, 3)
    assert draws.standard_normal((2, 0), MinStd(1)).shape == (2, 0)
    assert draws.standard_normal((), MinStd(1)).shape == ()
    assert draws.truncated_normal((0,), MinStd(1)).shape == (0,)
    assert draws.uniform_int((0,), 0, 3, Mersenne(1)).shape == (0,)
    assert draws.bernoulli((0, 2), 0.5, 3).shape == (0, 2)
    assert draws.poisson((2, 3), np.ones((4, 1)), Mersenne(1)).shape == (2, 3, 4, 1)
    assert draws.gamma((2,), np.ones((4, 1)), Philox(1)).shape == (2, 4, 1)
    assert index_draws.shuffle_order(0, MinStd(1)).tolist() == []
    assert index_draws.randperm(1).tolist() == [0]


# ---------------------------------------------------------------------------------------- values


def test_logf_is_the_c_librarys_not_the_rounded_logarithm() -> None:
    # (x, logf(x) of glibc 2.36): exact cases, then values where glibc does not round correctly.
    figures = (
        ("0x1p+0", "0x0p+0"),
        ("0x1p-1", "-0x1.62e430p-1"),
        ("0x1p-126", "-0x1.5d58a0p+6"),
        ("0x1.e3aba4p-1", "-0x1.d24b8ep-5"),
        ("0x1.a43b96p-1", "-0x1.948334p-3"),
        ("0x1.f89256p-1", "-0x1.dee608p-7"),
        ("0x1.f5bda0p-1", "-0x1.4ba170p-6"),
        ("0x1.fbd90cp-1", "-0x1.0ad25ap-7"),
    )
    x, expected = np.array([[float.fromhex(text) for text in row] for row in figures]).T
    got = draws.logf(x.astype(np.float32))
    np.testing.assert_array_equal(got, expected.astype(np.float32))
    assert (got[3:] != np.log(x[3:]).astype(np.float32)).all()


@pytest.mark.parametrize("rate", [0.0, 0.5, 9.99, 10.0, 300.0])
def test_poisson_has_its_mean_and_variance(rate: float) -> None:
    counts = draws.poisson((20000,), rate, Mersenne(2))
    spread = 5 * math.sqrt(max(rate, 1e-12) / 20000)
    assert abs(counts.mean() - rate) <= spread
    assert abs(counts.var() - rate) <= 0.06 * rate


def gamma_stepwise(alpha: float, element: int, engine: Philox) -> float:
    """One variate, from the blocks of its element."""
    block = 256 * element
    spare: dict[str, list[float]] = {"u": [], "n": []}

    def take(kind: str) -> float:
        nonlocal block
        if not spare[kind]:
            w = [int(v) for v in engine.blocks(np.array([block], np.uint64))[:, 0]]
            block += 1
            u = [((w[i] % 2**20) * 2**32 + w[i + 1]) / 2**52 for i in (0, 2)]
            if kind == "n":
                radius = math.sqrt(-2 * math.log(max(u[0], 1e-7)))
                angle = 2 * math.pi * u[1]
                u = [math.sin(angle) * radius, math.cos(angle) * radius]
            spare[kind] = u
        return spare[kind].pop()

    if alpha == 1:
        return -math.log1p(-take("u"))
    d = alpha + (2 / 3 if alpha < 1 else -1 / 3)
    while True:
        x = take("n")
        v = 1 + x / 3 / math.sqrt(d)
        if v <= 0:
            continue
        v = v**3
        u = take("u")
        if u < 1 - 0.0331 * x**4 or math.log(u) < 0.5 * x * x + d * (1 - v + math.log(v)):
            return d * v * (take("u") ** (1 / alpha) if alpha < 1 else 1)


@pytest.mark.parametrize("count", [1, 40])
def test_gamma_equals_the_sequential_method(count: int) -> None:
    alphas = [0.07, 1.0, 0.9, 30.0]
    got = draws.gamma((count,), np.array(alphas), Philox(3, 9))
    expected = [
        [gamma_stepwise(a, i * count + j, Philox(3, 9)) for i, a in enumerate(alphas)]
        for j in range(count)
    ]
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_gamma_has_its_mean() -> None:
    values = draws.gamma((20000,), np.array([0.3, 1.0, 5.0]), Philox(2))
    np.testing.assert_allclose(values.mean(axis=0), [0.3, 1.0, 5.0], rtol=0.03)
    np.testing.assert_allclose(values.var(axis=0), [0.3, 1.0, 5.0], rtol=0.06)


def inside_stepwise(count: int, low: float, high: float, engine: MinStd) -> list[float]:
    """Standard normal within an interval by a uniform or exponential proposal, one at a time."""
    root = math.sqrt(low * low + 4)
    narrow = high - low < 2 * math.exp(0.5 + low * (low - root) / 4) / (low + root)
    rate = (low + root) / 2
    out: list[float] = []
    while len(out) < count:
        first, second = engine.doubles(2).tolist()
        z = first * (high - low) + low if narrow else -math.log(first) / rate + low
        top = (max(low, 0) ** 2 - z * z) / 2 if narrow else -((z - rate) ** 2) / 2
        if second <= math.exp(top) and (narrow or z < high):
            out.append(z)
    return out


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (0.5, 1.0), (3.0, 5.0), (0.1, math.inf)])
def test_truncation_equals_the_sequential_method(low: float, high: float) -> None:
    engine, step = MinStd(4), MinStd(4)
    got = draws.parameterized_truncated_normal(50, 0.0, 1.0, low, high, engine)
    np.testing.assert_allclose(got, inside_stepwise(50, low, high, step), rtol=1e-12)
    assert engine.state == step.state


@pytest.mark.parametrize(
    ("low", "high"), [(-2.0, 2.0), (-9.0, 0.0), (-1.0, 1.0), (2.0, 3.0), (-math.inf, -3.0)]
)
def test_truncation_has_the_mean_of_the_interval(low: float, high: float) -> None:
    got = draws.parameterized_truncated_normal(
        40000, 5.0, 2.0, 5 + 2 * low, 5 + 2 * high, MinStd(7)
    )
    assert got.min() >= 5 + 2 * low
    assert got.max() <= 5 + 2 * high
    density = [math.exp(-z * z / 2) / math.sqrt(2 * math.pi) for z in (low, high)]
    share = 0.5 * (math.erf(high / 2**0.5) - math.erf(low / 2**0.5))
    assert abs(got.mean() - 5 - 2 * (density[0] - density[1]) / share) < 0.04


def test_candidates_are_unique_when_asked_and_avoid_what_they_must() -> None:
    result, tries = index_draws.uniform_candidates(6, 8, True, {0, 7}, MinStd(3))
    assert sorted(result.tolist()) == [1, 2, 3, 4, 5, 6]
    assert tries > 6
    result, tries = index_draws.log_uniform_candidates(8, 8, True, Philox(3))
    assert sorted(result.tolist()) == list(range(8))
    assert tries > 8


def test_log_uniform_candidates_follow_their_law() -> None:
    result, tries = index_draws.log_uniform_candidates(40000, 9, False, Philox(3))
    assert tries == 40000
    k = np.arange(9)
    expected = np.log((k + 2) / (k + 1)) / math.log(10)
    np.testing.assert_allclose(np.bincount(result, minlength=9) / 40000, expected, atol=0.01)


def test_drawing_without_replacement_takes_zero_weights_last() -> None:
    weights = np.array([0.0, 2.0, 0.0, 1.0])
    for key in range(9):
        result = index_draws.multinomial_by_mantissa(weights, 4, False, Philox(key)).tolist()
        assert sorted(result[:2]) == [1, 3]
        assert result[2:] == [0, 2]


def test_uniform_mantissas_choose_in_proportion() -> None:
    result = index_draws.multinomial_by_mantissa(
        np.array([[1.0, 3.0, 0.0]]), 20000, True, Philox(1)
    )
    np.testing.assert_allclose(
        np.bincount(result[0], minlength=3) / 20000, [0.25, 0.75, 0], atol=0.02
    )


def test_choice_with_mask_never_repeats_and_pads_with_zeros() -> None:
    mask = np.random.RandomState(0).rand(5, 6) < 0.4
    index, filled = index_draws.choice_with_mask(mask, 40, MinStd(3))
    rows = [tuple(row) for row in index[filled].tolist()]
    assert len(set(rows)) == filled.sum() == mask.sum()
    assert all(mask[row] for row in rows)
    assert not index[~filled].any()
    empty, none = index_draws.choice_with_mask(np.zeros((2, 2), bool), 3, MinStd(3))
    assert not empty.any()
    assert not none.any()


def test_multinomial_of_zero_weights_gives_the_last_index() -> None:
    assert index_draws.multinomial(np.zeros(4), 3, MinStd(3)).tolist() == [3, 3, 3]


def test_bernoulli_repeats_itself_but_not_with_entropy() -> None:
    first = draws.bernoulli((200,), 0.5, 3)
    np.testing.assert_array_equal(first, draws.bernoulli((200,), 0.5, 3))
    assert (draws.bernoulli((200,), 0.5, -1) != draws.bernoulli((200,), 0.5, -1)).any()


# --------------------------------------------------------------------------------------- dropout


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dropout_keeps_the_dtype_and_scales_once(dtype: torch.dtype) -> None:
    x = torch.linspace(-3, 3, 101).to(dtype)
    out, keep = draws.dropout(x, 0.7, MinStd(4))
    factor = float(np.float32(1) / np.float32(0.7))
    wide = x.double() if dtype == torch.float64 else x.float()
    expected = torch.where(keep, wide * factor, wide * 0).to(dtype)
    assert out.dtype == dtype
    assert torch.equal(out, expected)
    assert keep.dtype == torch.bool


def test_dropout_gradient_is_the_same_mask() -> None:
    x = torch.randn(6, 50, dtype=torch.float64, requires_grad=True)
    out, keep = draws.dropout(x, 0.7, MinStd(4))
    out.backward(torch.ones_like(out))
    factor = float(np.float32(1) / np.float32(0.7))
    assert torch.equal(x.grad, keep.double() * factor)
    assert torch.autograd.gradcheck(lambda t: draws.dropout(t, 0.7, MinStd(4))[0], (x,))


def test_dropout_follows_the_order_of_elements_not_of_memory() -> None:
    x = torch.arange(1.0, 25).reshape(2, 3, 4)
    expected, _ = draws.dropout(x, 0.5, MinStd(4))
    strided = x.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    assert torch.equal(draws.dropout(strided, 0.5, MinStd(4))[0], expected)


def test_dropped_infinities_follow_mindspore() -> None:
    # Elementwise: 0 * inf is NaN. By channel: zero.
    x = torch.full((1, 40, 1, 1), math.inf)
    out, keep = draws.dropout(x, 0.5, MinStd(4))
    assert torch.equal(out.isnan(), ~keep)
    out, keep = draws.dropout_channels(x, 0.5, MinStd(4))
    assert torch.equal(out == 0, ~keep)


def test_dropout_of_an_empty_tensor() -> None:
    engine = MinStd(4)
    out, keep = draws.dropout(torch.ones(0, 4), 0.5, engine)
    assert out.shape == keep.shape == (0, 4)
    assert engine.state == 4


@pytest.mark.parametrize("keep_prob", [0.0, -0.5, 1.5, math.nan])
def test_dropout_refuses_other_shares_and_does_not_move(keep_prob: float) -> None:
    engine = MinStd(4)
    with pytest.raises(RuntimeError, match=r"keep_prob .* must lie in \(0, 1\]"):
        draws.dropout(torch.ones(3), keep_prob, engine)
    assert engine.state == 4


@pytest.mark.parametrize("dtype", [torch.int32, torch.bool, torch.complex64])
def test_dropout_refuses_other_dtypes_and_does_not_move(dtype: torch.dtype) -> None:
    engine = MinStd(4)
    with pytest.raises(TypeError, match="floating-point"):
        draws.dropout(torch.ones(3).to(dtype), 0.5, engine)
    assert engine.state == 4


def test_channel_dropout_takes_whole_planes_and_the_extremes() -> None:
    x = torch.rand(3, 8, 2, 5) + 1
    out, keep = draws.dropout_channels(x, 0.5, MinStd(1))
    assert keep.shape == x.shape
    per_plane = keep.flatten(2)
    assert torch.equal(per_plane.all(-1), per_plane.any(-1))
    assert torch.equal(out, torch.where(keep, x * 2, 0.0))
    assert torch.equal(draws.dropout_channels(x, 1.0, MinStd(1))[0], x)
    assert not draws.dropout_channels(x, 0.0, MinStd(1))[0].any()
    with pytest.raises(RuntimeError, match=r"\[0, 1\]"):
        draws.dropout_channels(x, 1.5, MinStd(1))


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(("low", "high"), [(5, 5), (6, 5), (-(2**31) - 1, 0), (0, 2**31)])
def test_uniform_int_refuses_empty_and_wide_ranges(low: int, high: int) -> None:
    with pytest.raises(RuntimeError, match="minval"):
        draws.uniform_int((2,), low, high, Mersenne(1))


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_poisson_and_gamma_refuse_impossible_parameters(bad: float) -> None:
    engine, philox = Mersenne(1), Philox(1)
    before = engine.state
    with pytest.raises(ValueError, match="rate"):
        draws.poisson((2,), np.array([1.0, bad]), engine)
    with pytest.raises(ValueError, match="alpha"):
        draws.gamma((2,), np.array([1.0, bad]), philox)
    assert engine.state == before
    assert philox.state == (1, 0, 0)


# ----------------------------------------------------------------------------------- initializers


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 4 * BLOCK - 1, 4 * BLOCK + 1, 4 * BLOCK + 6])
def test_fills_do_not_depend_on_the_size(count: int) -> None:
    whole = 4 * BLOCK + 40
    fills = (
        lambda n: initializer_fills.uniform((n,), -1, 2, 77),
        lambda n: initializer_fills.normal((n,), -1, 2, 77),
        lambda n: initializer_fills.truncated_normal((n,), -1, 2, 0, 1, 77),
    )
    for fill in fills:
        np.testing.assert_array_equal(fill(count), fill(whole)[:count])


def test_each_fill_takes_one_number_from_numpy(restore_random: None) -> None:
    fills = (
        lambda: initializer_fills.uniform((3,), -1, 1),
        lambda: initializer_fills.normal((3,), 0, 1),
        lambda: initializer_fills.truncated_normal((3,), -1, 1, 0, 1),
        lambda: initializer_fills.orthogonal((3, 2)),
    )
    for fill in fills:
        np.random.seed(3)
        fill()
        after = np.random.rand()
        np.random.seed(3)
        initializer_fills.draw_seed()
        assert np.random.rand() == after


def test_a_given_seed_leaves_numpy_alone(restore_random: None) -> None:
    np.random.seed(3)
    initializer_fills.uniform((3,), -1, 1, 5)
    after = np.random.rand()
    np.random.seed(3)
    assert np.random.rand() == after


def test_truncated_normal_stays_within_its_bounds() -> None:
    for low, high in ((-2.0, 2.0), (1.0, 1.5), (-math.inf, 0.0), (-1e30, 1e30)):
        values = initializer_fills.truncated_normal((5000,), low, high, 0.0, 1.0, 3)
        assert np.isfinite(values).all()
        assert low <= values.min() <= values.max() <= high


@pytest.mark.parametrize("shape", [(3, 3), (2, 6), (6, 2), (4, 2, 3)])
def test_orthogonal_rows_or_columns(shape: tuple[int, ...]) -> None:
    matrix = initializer_fills.orthogonal(shape, 2.0, 9).reshape(shape[0], -1).astype(np.float64)
    wide = matrix.shape[0] < matrix.shape[1]
    product = matrix @ matrix.T if wide else matrix.T @ matrix
    np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)


def test_sparse_zeroes_its_share_of_each_column(restore_random: None) -> None:
    matrix = initializer_fills.sparse((7, 5), 0.3)
    assert (matrix == 0).sum(axis=0).tolist() == [3] * 5


@pytest.mark.parametrize(
    "fill", [initializer_fills.orthogonal, lambda shape: initializer_fills.sparse(shape, 0.5)]
)
def test_matrices_need_two_dimensions(fill: Callable[..., np.ndarray]) -> None:
    with pytest.raises(ValueError, match="two dimensions"):
        fill((4,))


def test_write_casts_and_leaves_no_gradient() -> None:
    target = torch.zeros(3, dtype=torch.bfloat16, requires_grad=True)
    initializer_fills.write(target, np.array([1.0, 2.0, 3.0], np.float32))
    assert target.tolist() == [1, 2, 3]
    assert target.grad_fn is None
