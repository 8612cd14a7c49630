"""Layers with drawn arguments, on both sides: what samples by hand would not think of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.rule_samples import execute, row_of

LENGTHS = st.sampled_from([7, 8, 9])
FLAGS = st.booleans()


def shape(draw: Any, *leading: int, dims: int) -> str:
    return ", ".join(map(str, (*leading, *(draw(LENGTHS) for _ in range(dims)))))


def one_or_each(draw: Any, values: list[int], dims: int) -> Any:
    """A number, or one for each dimension."""
    number = st.sampled_from(values)
    return draw(st.one_of(number, st.tuples(*[number] * dims)))


@st.composite
def convolutions(draw: Any) -> tuple[str, str]:
    dims, groups = draw(st.sampled_from([1, 2, 3])), draw(st.sampled_from([1, 2]))
    stride = one_or_each(draw, [1, 2, 3], dims)
    padding = one_or_each(draw, [0, 1, 2], dims)
    mode = draw(st.sampled_from(["zeros", "reflect", "replicate"]))
    if stride == 1 and mode == "zeros":
        padding = draw(st.sampled_from([padding, "same", "valid"]))
    text = (
        f"({2 * groups}, {4 * groups}, {one_or_each(draw, [1, 2, 3, 4], dims)}, stride={stride}, "
        f"padding={padding!r}, dilation={draw(st.sampled_from([1, 2]))}, groups={groups}, "
        f"bias={draw(FLAGS)}, padding_mode={mode!r})(f({shape(draw, 2, 2 * groups, dims=dims)}))"
    )
    return f"torch.nn.Conv{dims}d", text


@st.composite
def transposed_convolutions(draw: Any) -> tuple[str, str]:
    dims, groups = draw(st.sampled_from([1, 2, 3])), draw(st.sampled_from([1, 2]))
    stride = draw(st.sampled_from([1, 2, 3]))
    added = draw(st.integers(0, stride - 1)) if dims > 1 else 0
    text = (
        f"({2 * groups}, {4 * groups}, {one_or_each(draw, [3, 4], dims)}, stride={stride}, "
        f"padding={draw(st.sampled_from([0, 1]))}, output_padding={added}, groups={groups}, "
        f"bias={draw(FLAGS)}, dilation={draw(st.sampled_from([1, 2]))})"
        f"(f({shape(draw, 1, 2 * groups, dims=dims)}))"
    )
    return f"torch.nn.ConvTranspose{dims}d", text


@st.composite
def poolings(draw: Any) -> tuple[str, str]:
    dims = draw(st.sampled_from([1, 2, 3]))
    kernel = one_or_each(draw, [2, 3], dims)
    stride = draw(st.sampled_from([None, 1, 2, 3, kernel]))
    padding, ceil = draw(st.sampled_from([0, 1])), draw(FLAGS)
    if draw(FLAGS):
        name = f"torch.nn.MaxPool{dims}d"
        rest = f"dilation={draw(st.sampled_from([1, 2]))}, return_indices={draw(FLAGS)}"
    else:
        name = f"torch.nn.AvgPool{dims}d"
        rest = f"count_include_pad={draw(FLAGS)}"
        if dims > 1:
            rest += f", divisor_override={draw(st.sampled_from([None, 3]))}"
    text = f"({kernel}, {stride}, {padding}, ceil_mode={ceil}, {rest})"
    return name, f"{text}(f({shape(draw, 1, 2, dims=dims)}))"


@st.composite
def resizings(draw: Any) -> tuple[str, str]:
    dims = draw(st.sampled_from([1, 2, 3]))
    modes = [["nearest", "linear"], ["nearest", "bilinear", "bicubic"], ["nearest", "trilinear"]]
    mode = draw(st.sampled_from(modes[dims - 1]))
    corners = None if mode == "nearest" else draw(st.sampled_from([None, True, False]))
    if draw(FLAGS):
        expected = f"size={tuple(draw(st.sampled_from([5, 6, 7, 11])) for _ in range(dims))}"
    else:
        factors = st.sampled_from([2, 3, 2.0, 1.5, 0.5, 2.3])
        factor = draw(st.one_of(factors, st.tuples(*[factors] * dims)))
        again = draw(st.sampled_from([None, True]))
        expected = f"scale_factor={factor}, recompute_scale_factor={again}"
    text = f"({expected}, mode={mode!r}, align_corners={corners})"
    return "torch.nn.Upsample", f"{text}(f({shape(draw, 1, 2, dims=dims)}))"


@st.composite
def recurrent_layers(draw: Any) -> tuple[str, str]:
    name = draw(st.sampled_from(["LSTM", "GRU", "RNN"]))
    layers, both, first = draw(st.sampled_from([1, 2, 3])), draw(FLAGS), draw(FLAGS)
    kind = f", nonlinearity={draw(st.sampled_from(['tanh', 'relu']))!r}" if name == "RNN" else ""
    state = ""
    if draw(FLAGS):
        one = f"f({layers * (2 if both else 1)}, 3, 4)"
        state = f", ({one}, {one})" if name == "LSTM" else f", {one}"
    text = f"(5, 4, {layers}, bias={draw(FLAGS)}, batch_first={first}, bidirectional={both}{kind})"
    return f"torch.nn.{name}", f"{text}(f({'3, 6' if first else '6, 3'}, 5){state})"


@st.composite
def attentions(draw: Any) -> tuple[str, str]:
    first = draw(FLAGS)
    asked, held = ("3, 5", "3, 6") if first else ("5, 3", "6, 3")
    option = draw(
        st.sampled_from(
            [
                "",
                ", need_weights=False",
                ", average_attn_weights=False",
                ", attn_mask=f(5, 6).detach()",
                ", key_padding_mask=torch.tensor([[False] * 5 + [True]] * 3)",
            ]
        )
    )
    text = (
        f"(8, {draw(st.sampled_from([1, 2, 4]))}, bias={draw(FLAGS)}, batch_first={first}, "
        f"add_zero_attn={draw(FLAGS)}, add_bias_kv={draw(FLAGS)})"
        f"(f({asked}, 8), f({held}, 8), f({held}, 8){option})"
    )
    return "torch.nn.MultiheadAttention", text


@pytest.mark.parametrize(
    "samples",
    [
        pytest.param(convolutions(), id="convolutions"),
        pytest.param(transposed_convolutions(), id="transposed convolutions"),
        pytest.param(poolings(), id="poolings"),
        pytest.param(resizings(), id="resizings"),
        pytest.param(recurrent_layers(), id="recurrent layers"),
        pytest.param(attentions(), id="attentions"),
    ],
)
def test_layers_with_drawn_arguments(samples: Any) -> None:
    @given(drawn=samples)
    def check(drawn: tuple[str, str]) -> None:
        name, sample = drawn
        execute(row_of(name), sample)

    check()
