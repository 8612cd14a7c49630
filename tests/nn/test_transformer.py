"""Attention and the Transformer: torch's numbers, MindSpore's weights and dropout."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops


def draw(*shape, seed=0):
    return np.random.RandomState(seed).rand(*shape) * 2 - 1


RENAMED = {"gamma": "weight", "beta": "bias", "dense1": "linear1", "dense2": "linear2"}


def torch_name(name):
    return ".".join(RENAMED.get(part, part) for part in name.split("."))


def same_weights(ours, theirs):
    """Give both networks the same float64 values; returns pairs of parameters."""
    known = dict(theirs.named_parameters())
    pairs = []
    for i, (name, p) in enumerate(ours.parameters_and_names()):
        values = draw(*p.shape, seed=50 + i)
        p.set_data(Tensor(values))
        other = known.pop(torch_name(name))
        other.data = torch.tensor(values)
        pairs.append((p, other))
    assert not known
    return pairs


def agree(ours, theirs, inputs, torch_inputs, call=lambda net, *a: net(*a)):
    """Outputs and all gradients of two networks agree."""
    pairs = same_weights(ours, theirs)
    leaves = [torch.tensor(a, requires_grad=True) for a in torch_inputs]
    want = call(theirs, *leaves)
    got = call(ours, *(Tensor(a) for a in inputs))
    np.testing.assert_allclose(got.asnumpy(), want.detach().numpy(), rtol=1e-9, atol=1e-11)
    factor = draw(*want.shape, seed=77)
    expected = torch.autograd.grad(
        (want * torch.tensor(factor)).sum(), [*leaves, *(o for _, o in pairs)], allow_unused=True
    )
    found_inputs, found_weights = ms.grad(
        lambda *a: (call(ours, *a) * Tensor(factor)).sum(),
        tuple(range(len(inputs))),
        [p for p, _ in pairs],
    )(*(Tensor(a) for a in inputs))
    if not isinstance(found_inputs, tuple):
        found_inputs = (found_inputs,)
    for g, w in zip((*found_inputs, *found_weights), expected, strict=True):
        np.testing.assert_allclose(
            g.asnumpy(), 0 if w is None else w.numpy(), rtol=1e-8, atol=1e-10
        )


# ------------------------------------------------------------------------ attention

ATTENTION = [
    {},
    {"bias": False},
    {"add_bias_kv": True},
    {"add_zero_attn": True},
    {"kdim": 3, "vdim": 5},
    {"batch_first": True, "add_bias_kv": True, "add_zero_attn": True},
]
PADDING = np.array([[False, False, True, False], [False, True, True, False]])
CAUSAL = np.triu(np.ones((3, 4), bool), 1)
MASKS = [
    {},
    {"key_padding_mask": PADDING},
    {"attn_mask": CAUSAL},
    {"attn_mask": draw(3, 4, seed=30), "key_padding_mask": draw(2, 4, seed=31)},
    {"attn_mask": draw(4, 3, 4, seed=32)},
    {"attn_mask": CAUSAL, "key_padding_mask": PADDING},
]


def attention_pair(options):
    ours = {("has_bias" if k == "bias" else k): v for k, v in options.items()}
    return (
        nn.MultiheadAttention(6, 2, dtype=ms.float64, **ours),
        torch.nn.MultiheadAttention(6, 2, dtype=torch.float64, **options),
    )


def attention_inputs(options):
    q = draw(3, 2, 6)
    k = draw(4, 2, options.get("kdim", 6), seed=1)
    v = draw(4, 2, options.get("vdim", 6), seed=2)
    arrays = [q, k, v]
    return [np.swapaxes(a, 0, 1).copy() for a in arrays] if options.get("batch_first") else arrays


@pytest.mark.parametrize("need_weights", [True, False], ids=["weights", "fused"])
@pytest.mark.parametrize("masks", MASKS, ids=lambda m: "+".join(m) or "free")
@pytest.mark.parametrize("options", ATTENTION, ids=str)
def test_attention_is_torchs(options, masks, need_weights):
    ours, theirs = attention_pair(options)
    arrays = attention_inputs(options)

    def call(net, *inputs):
        kind = Tensor if net is ours else torch.tensor
        given = {name: kind(mask) for name, mask in masks.items()}
        return net(*inputs, need_weights=need_weights, **given)[0]

    agree(ours, theirs, arrays, arrays, call)


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("options", ATTENTION, ids=str)
def test_attention_weights_are_torchs(options, average):
    ours, theirs = attention_pair(options)
    same_weights(ours, theirs)
    arrays = attention_inputs(options)
    _, got = ours(*map(Tensor, arrays), average_attn_weights=average)
    _, want = theirs(*map(torch.tensor, arrays), average_attn_weights=average)
    np.testing.assert_allclose(got.asnumpy(), want.detach().numpy(), rtol=1e-9)


def test_self_attention_and_shared_keys_use_one_product_each():
    ours, theirs = attention_pair({})
    x, y = draw(3, 2, 6), draw(4, 2, 6, seed=1)
    agree(ours, theirs, [x], [x], lambda net, a: net(a, a, a)[0])
    agree(ours, theirs, [x, y], [x, y], lambda net, a, b: net(a, b, b)[0])


def test_one_sample_needs_no_batch_axis():
    ours, theirs = attention_pair({"batch_first": True})
    arrays = [draw(3, 6), draw(4, 6, seed=1), draw(4, 6, seed=2)]
    agree(ours, theirs, arrays, arrays, lambda net, *a: net(*a)[0])
    mask = PADDING[1]
    out, weights = ours(*map(Tensor, arrays), key_padding_mask=Tensor(mask))
    want = theirs(*map(torch.tensor, arrays), key_padding_mask=torch.tensor(mask))
    np.testing.assert_allclose(out.asnumpy(), want[0].detach().numpy(), rtol=1e-9)
    np.testing.assert_allclose(weights.asnumpy(), want[1].detach().numpy(), rtol=1e-9)


@pytest.mark.parametrize("need_weights", [True, False])
def test_queries_without_any_key_get_the_bias_alone(need_weights):
    net, _ = attention_pair({})
    x = Tensor(draw(3, 2, 6))
    everything = Tensor(np.ones((2, 3), bool))
    out = net(x, x, x, everything, need_weights=need_weights)[0].asnumpy()
    np.testing.assert_allclose(out, np.broadcast_to(net.out_proj.bias.asnumpy(), out.shape))


def test_without_weights_the_result_is_a_tuple_of_one():
    x = Tensor(draw(3, 2, 6), ms.float32)
    result = nn.MultiheadAttention(6, 2)(x, x, x, need_weights=False)
    assert isinstance(result, tuple)
    assert [r.shape for r in result] == [(3, 2, 6)]


def test_second_derivatives_and_vmap_of_attention():
    net, _ = attention_pair({})
    x, v = Tensor(draw(3, 2, 6)), Tensor(draw(3, 2, 6, seed=5))

    def score(a):
        return net(a, a, a, need_weights=False)[0] ** 2

    first = ms.grad(score)
    second = ms.grad(lambda a: (first(a) * v).sum())(x).asnumpy()
    step = 1e-5
    numeric = ((first(x + step * v) - first(x - step * v)) / (2 * step)).asnumpy()
    np.testing.assert_allclose(second, numeric, rtol=1e-5, atol=1e-8)
    batch = Tensor(draw(4, 3, 2, 6, seed=6))
    mapped = ms.vmap(score)(batch).asnumpy()
    for i in range(4):
        np.testing.assert_allclose(mapped[i], score(batch[i]).asnumpy(), rtol=1e-9)


def test_attention_weights_are_drawn_as_mindspore_draws_them():
    ms.set_seed(1)
    net = nn.MultiheadAttention(4, 2, add_bias_kv=True)
    expected = {
        "in_proj_weight": [0.35703877, -0.3129199],
        "in_proj_bias": [0.0, 0.0],
        "bias_k": [0.63427556, -0.2762676],
        "bias_v": [0.403076, -0.71870404],
        "out_proj.weight": [-0.20009467, -0.01670232],
        "out_proj.bias": [0.3721445, 0.12110763],
    }
    entries = {p.name: p.asnumpy().ravel()[:2].tolist() for p in net.get_parameters()}
    assert list(entries) == list(expected)
    np.testing.assert_allclose(list(entries.values()), list(expected.values()), rtol=1e-6)
    assert np.random.rand() == 0.0923385947687978
    ms.set_seed(1)
    apart = nn.MultiheadAttention(4, 2, kdim=3, vdim=2)
    np.testing.assert_allclose(
        apart.v_proj_weight.asnumpy().ravel()[:2], [0.744289, 0.24221526], rtol=1e-6
    )


def test_attention_dropout_is_seeded_and_leaves_other_streams_alone():
    net = nn.MultiheadAttention(4, 2, dropout=0.5).set_train()
    x = Tensor(draw(3, 2, 4), ms.float32)

    def run():
        ms.set_seed(1)
        weights = net(x, x, x, average_attn_weights=False)[1].asnumpy()
        return weights, ops.dropout(ops.ones((16,), ms.float32), 0.5).asnumpy()

    (first, after), (second, _) = run(), run()
    np.testing.assert_array_equal(first, second)
    assert (first == 0).any()
    ms.set_seed(1)
    alone = ops.dropout(ops.ones((16,), ms.float32), 0.5).asnumpy()
    np.testing.assert_array_equal(after, alone)
    whole = net.set_train(False)(x, x, x, average_attn_weights=False)[1].asnumpy()
    result = first != 0
    np.testing.assert_allclose(first[result], 2 * whole[result], rtol=1e-5)


# --------------------------------------------------------------------------- layers

LAYERS = [
    {},
    {"norm_first": True},
    {"activation": "gelu"},
    {"batch_first": True, "layer_norm_eps": 1e-2},
]


def options_for(options):
    ours = {"dropout": 0.0, "dtype": ms.float64, **options}
    return ours, {"dropout": 0.0, "dtype": torch.float64, **options}


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("options", LAYERS, ids=str)
def test_encoder_layer_is_torchs(options, masked, train):
    mine, other = options_for(options)
    ours = nn.TransformerEncoderLayer(6, 2, 5, **mine).set_train(train)
    theirs = torch.nn.TransformerEncoderLayer(6, 2, 5, **other).train(train)
    x = draw(2, 4, 6) if options.get("batch_first") else draw(4, 2, 6)
    causal = np.triu(np.ones((4, 4), bool), 1)

    def call(net, a):
        kind = Tensor if net is ours else torch.tensor
        if not masked:
            return net(a)
        return net(a, src_mask=kind(causal), src_key_padding_mask=kind(PADDING))

    agree(ours, theirs, [x], [x], call)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("options", LAYERS, ids=str)
def test_decoder_layer_is_torchs(options, masked):
    mine, other = options_for(options)
    ours = nn.TransformerDecoderLayer(6, 2, 5, **mine)
    theirs = torch.nn.TransformerDecoderLayer(6, 2, 5, **other).eval()
    first = options.get("batch_first")
    x, memory = (draw(2, 3, 6), draw(2, 4, 6)) if first else (draw(3, 2, 6), draw(4, 2, 6))

    def call(net, a, b):
        kind = Tensor if net is ours else torch.tensor
        if not masked:
            return net(a, b)
        return net(
            a,
            b,
            tgt_mask=kind(np.triu(np.ones((3, 3), bool), 1)),
            memory_mask=kind(CAUSAL),
            tgt_key_padding_mask=kind(PADDING[:, :3]),
            memory_key_padding_mask=kind(PADDING),
        )

    agree(ours, theirs, [x, memory], [x, memory], call)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch's words on its own fast path
@pytest.mark.parametrize("options", LAYERS, ids=str)
def test_transformer_is_torchs(options):
    mine, other = options_for(options)
    ours = nn.Transformer(6, 2, 2, 2, 5, **mine)
    theirs = torch.nn.Transformer(6, 2, 2, 2, 5, **other).eval()
    first = options.get("batch_first")
    src, tgt = (draw(2, 4, 6), draw(2, 3, 6)) if first else (draw(4, 2, 6), draw(3, 2, 6))

    def call(net, a, b):
        kind = Tensor if net is ours else torch.tensor
        return net(a, b, tgt_mask=kind(np.triu(np.ones((3, 3), bool), 1)))

    agree(ours, theirs, [src, tgt], [src, tgt], call)


def test_single_samples():
    ours = nn.TransformerEncoderLayer(6, 2, 5, dropout=0.0, dtype=ms.float64)
    theirs = torch.nn.TransformerEncoderLayer(6, 2, 5, dropout=0.0, dtype=torch.float64).eval()
    agree(ours, theirs, [draw(4, 6)], [draw(4, 6)])


@pytest.mark.parametrize(
    "activation", [ops.tanh, nn.ReLU(), nn.GELU(), "gelu", ops.relu], ids=lambda a: str(a)[:20]
)
def test_activations(activation):
    net = nn.TransformerEncoderLayer(6, 2, 5, activation=activation)
    assert net(Tensor(draw(4, 2, 6), ms.float32)).shape == (4, 2, 6)


# A stack draws one new layer and copies it: MindSpore's figures after set_seed(1)
STACKED = {
    "layers.0.self_attn.in_proj_weight": [0.55034477, -0.41556844],
    "layers.0.self_attn.out_proj.bias": [0.23261118, -0.32435834],
    "layers.1.dense1.weight": [0.3532767, 0.38678664],
    "layers.1.dense2.bias": [-0.5696925, -0.12903212],
}
WHOLE = {
    "encoder.layers.0.self_attn.in_proj_weight": [0.14402112, 0.08159137],
    "encoder.layers.0.self_attn.out_proj.bias": [0.23261118, -0.32435834],
    "encoder.layers.0.dense2.weight": [-0.78088325, 0.58440727],
    "decoder.layers.0.multihead_attn.in_proj_weight": [0.49302226, 0.02471762],
    "decoder.layers.0.dense1.bias": [-0.36326227, -0.14236921],
}


def test_stacks_are_drawn_as_mindspore_draws_them():
    ms.set_seed(1)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 3), 2)
    assert np.random.rand() == 0.027387593197926163
    ms.set_seed(1)
    whole = nn.Transformer(4, 2, 1, 1, 3)
    assert np.random.rand() == 0.10322600657764203
    for net, expected in ((encoder, STACKED), (whole, WHOLE)):
        known = net.parameters_dict()
        for name, values in expected.items():
            np.testing.assert_allclose(known[name].asnumpy().ravel()[:2], values, rtol=1e-6)


def test_layers_of_a_stack_are_independent():
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(4, 4)

        def construct(self, src, src_mask=None, src_key_padding_mask=None):
            return self.dense(src)

    given = Own()
    stack = nn.TransformerEncoder(given, 2, nn.LayerNorm((4,)))
    first, second = (layer.dense.weight for layer in stack.layers)
    np.testing.assert_array_equal(first.asnumpy(), given.dense.weight.asnumpy())
    first.set_data(ops.zeros_like(first))
    assert abs(second.asnumpy()).max() > 0
    assert stack(Tensor(draw(3, 2, 4), ms.float32)).shape == (3, 2, 4)
    assert [p.name for p in stack.get_parameters()][:2] == [
        "layers.0.dense.weight",
        "layers.0.dense.bias",
    ]


# MindSpore after set_seed(1), with dropout 0.5 in the layers but not in attention (which takes its
# masks from no seed): the first elements of two calls while training
DROPOUT = [
    (
        lambda: nn.TransformerEncoderLayer(4, 2, 3, dropout=0.5),
        1,
        [[1.5643, -0.7354, -0.9926], [0.7264, 0.7592, -1.6895]],
    ),
    (
        lambda: nn.TransformerDecoderLayer(4, 2, 3, dropout=0.5),
        2,
        [[-0.4967, 0.4649, -1.3137], [1.2274, -0.2386, -1.4812]],
    ),
    (
        lambda: nn.TransformerEncoder(
            nn.TransformerEncoderLayer(4, 2, 3, dropout=0.5, norm_first=True), 2
        ),
        1,
        [[0.0976, 0.4304, 1.3182], [0.364, -0.0857, 0.2055]],
    ),
    (
        lambda: nn.Transformer(4, 2, 2, 2, 3, dropout=0.5),
        2,
        [[-0.4527, 0.9656, -1.425], [-1.5736, 1.1871, 0.0519]],
    ),
]


@pytest.mark.parametrize(("make", "count", "expected"), DROPOUT, ids=["E", "D", "stack", "whole"])
def test_dropout_of_the_layers_is_mindspores(make, count, expected):
    ms.set_seed(1)
    net = make()
    for _, cell in net.cells_and_names():
        if isinstance(cell, nn.MultiheadAttention):
            cell.dropout = 0.0
    net.set_train()
    inputs = [Tensor(draw(n, 2, 4).astype(np.float32)) for n in (3, 2)][:count]
    items = [net(*inputs).asnumpy().ravel()[:3] for _ in range(2)]
    np.testing.assert_allclose(items, expected, atol=6e-5)


def test_custom_parts():
    net = nn.Transformer(4, 2, custom_encoder=nn.Identity(), custom_decoder=Last())
    x = Tensor(draw(3, 2, 4), ms.float32)
    np.testing.assert_array_equal(net.decoder(x, x).asnumpy(), x.asnumpy())


class Last(nn.Cell):
    """A decoder that returns its memory."""

    def construct(self, tgt, memory, **masks):
        return memory


@pytest.mark.parametrize(
    "make", [lambda: nn.Transformer(4, 2, 1, 1, 3), lambda: nn.MultiheadAttention(4, 2)]
)
def test_copies_and_pickles_are_independent(make):
    net = make()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        mine, theirs = next(net.get_parameters()), next(other.get_parameters())
        np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())
        theirs.set_data(ops.zeros_like(theirs))
        assert abs(mine.asnumpy()).max() > 0


def test_to_float():
    x = Tensor(draw(3, 2, 4), ms.float32)
    for net in (nn.TransformerEncoderLayer(4, 2, 3), nn.MultiheadAttention(4, 2)):
        net.to_float(ms.float16)
        out = net(x) if isinstance(net, nn.TransformerEncoderLayer) else net(x, x, x)[0]
        assert out.dtype == ms.float16


def test_text():
    assert repr(nn.MultiheadAttention(8, 2)) == (
        "MultiheadAttention(\n"
        "  (out_proj): Dense(input_channels=8, output_channels=8, has_bias=True)\n)"
    )
    children = [name for name, _ in nn.TransformerDecoderLayer(4, 2, 3).name_cells().items()]
    assert children == [
        "self_attn",
        "multihead_attn",
        "dense1",
        "dropout",
        "dense2",
        "norm1",
        "norm2",
        "norm3",
        "dropout1",
        "dropout2",
        "dropout3",
    ]


# -------------------------------------------------------------- attention as an operator

TO_LAYOUT = {
    "BNSD": lambda a: a,
    "BSND": lambda a: a.swapaxes(1, 2),
    "BSH": lambda a: a.swapaxes(1, 2).reshape(a.shape[0], a.shape[2], -1),
    "SBH": lambda a: a.transpose(2, 0, 1, 3).reshape(a.shape[2], a.shape[0], -1),
}
HEADS = draw(2, 4, 3, 6), draw(2, 4, 5, 6, seed=1), draw(2, 4, 5, 6, seed=2)
LEFT_OUT = draw(2, 1, 3, 5, seed=3) > 0.3


def band(low, high):
    offset = np.arange(5) - np.arange(3)[:, None] - 2
    return (offset < low) | (offset > high)


@pytest.mark.parametrize("layout", TO_LAYOUT)
@pytest.mark.parametrize(
    ("options", "left_out"),
    [
        ({}, np.zeros((3, 5), bool)),
        ({"attn_mask": LEFT_OUT}, LEFT_OUT),
        ({"attn_mask": LEFT_OUT.astype(np.uint8), "sparse_mode": 1}, LEFT_OUT),
        ({"sparse_mode": 2}, np.triu(np.ones((3, 5), bool), 1)),
        ({"sparse_mode": 3}, np.triu(np.ones((3, 5), bool), 3)),
        ({"sparse_mode": 4, "pre_tokens": 1, "next_tokens": 0}, band(-1, 0)),
        (
            {"attn_mask": np.zeros((3, 5), bool), "pre_tokens": 1, "next_tokens": 1},
            abs(np.arange(5) - np.arange(3)[:, None]) > 1,
        ),
    ],
    ids=["free", "mask", "uint8", "causal", "causal-end", "band", "window"],
)
def test_attention_operator(layout, options, left_out):
    convert = TO_LAYOUT[layout]
    q, k, v = (Tensor(convert(a).copy()) for a in HEADS)
    given = {n: Tensor(o) if isinstance(o, np.ndarray) else o for n, o in options.items()}
    got = ops.flash_attention_score(q, k, v, 4, scalar_value=0.3, input_layout=layout, **given)
    want = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.tensor, HEADS), attn_mask=~torch.tensor(left_out), scale=0.3
    )
    np.testing.assert_allclose(got.asnumpy(), convert(want.numpy()), rtol=1e-9, atol=1e-12)


def test_attention_operator_with_fewer_heads_of_keys():
    q, k, v = HEADS[0], HEADS[1][:, :2], HEADS[2][:, :2]
    got = ops.flash_attention_score(*map(Tensor, (q, k, v)), 4, input_layout="BNSD")
    want = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.tensor, (q, k, v)), scale=1.0, enable_gqa=True
    )
    np.testing.assert_allclose(got.asnumpy(), want.numpy(), rtol=1e-9)
    joined = [Tensor(TO_LAYOUT["BSH"](a).copy()) for a in (q, k, v)]
    np.testing.assert_allclose(
        ops.flash_attention_score(*joined, 4).asnumpy(), TO_LAYOUT["BSH"](want.numpy()), rtol=1e-9
    )


def test_attention_operator_on_samples_behind_each_other():
    lengths = [(2, 3), (4, 4)]
    q, k, v = draw(6, 2, 4), draw(7, 2, 4, seed=1), draw(7, 2, 4, seed=2)
    got = ops.flash_attention_score(
        *map(Tensor, (q, k, v)),
        2,
        input_layout="TND",
        sparse_mode=3,
        actual_seq_qlen=Tensor([2, 6]),
        actual_seq_kvlen=(3, 7),
    ).asnumpy()
    at_q = at_k = 0
    for n, m in lengths:
        parts = (q[at_q : at_q + n], k[at_k : at_k + m], v[at_k : at_k + m])
        one = [Tensor(p[None].copy()) for p in parts]
        want = ops.flash_attention_score(*one, 2, input_layout="BSND", sparse_mode=3)
        np.testing.assert_allclose(got[at_q : at_q + n], want.asnumpy()[0], rtol=1e-9)
        at_q, at_k = at_q + n, at_k + m


def test_dropout_of_the_attention_operator():
    x = Tensor(draw(2, 4, 6, seed=1).astype(np.float32))

    def run():
        ms.set_seed(1)
        return ops.flash_attention_score(x, x, x, 2, keep_prob=0.5).asnumpy()

    np.testing.assert_array_equal(run(), run())
    assert (run() != ops.flash_attention_score(x, x, x, 2).asnumpy()).any()


# --------------------------------------------------------------------------- errors


def ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def attend(*shapes, **options):
    return nn.MultiheadAttention(4, 2)(*(ones(*s) for s in shapes), **options)


ERRORS = [
    (lambda: nn.MultiheadAttention(5, 2), ValueError, "divisible"),
    (lambda: nn.MultiheadAttention(0, 2), ValueError, "embed_dim"),
    (lambda: nn.MultiheadAttention(4, 0), ValueError, "num_heads"),
    (lambda: nn.MultiheadAttention(4, 2, dropout=1.5), ValueError, "[0, 1)"),
    (lambda: nn.MultiheadAttention(4, 2, batch_first=1), TypeError, "batch_first"),
    (lambda: attend((4,), (4,), (4,)), ValueError, "unbatched 2D or batched 3D"),
    (lambda: attend((3, 2, 4), (4, 4), (4, 4)), ValueError, "one rank"),
    (lambda: attend((3, 2, 5), (3, 2, 5), (3, 2, 5)), ValueError, "`query` must have 4"),
    (lambda: attend((3, 2, 4), (4, 2, 4), (3, 2, 4)), ValueError, "one length"),
    (lambda: attend((3, 2, 4), (3, 3, 4), (3, 3, 4)), ValueError, "batch"),
    (lambda: attend((3, 2, 4), (3, 2, 4), (3, 2, 4), attn_mask=ones(3, 2)), ValueError, "(3, 3)"),
    (
        lambda: attend((3, 2, 4), (3, 2, 4), (3, 2, 4), attn_mask=ones(2, 3, 3)),
        ValueError,
        "(4, 3, 3)",
    ),
    (
        lambda: attend((3, 2, 4), (3, 2, 4), (3, 2, 4), key_padding_mask=ones(3, 2)),
        ValueError,
        "(2, 3)",
    ),
    (
        lambda: attend(
            (3, 2, 4), (3, 2, 4), (3, 2, 4), key_padding_mask=ones(2, 3).astype(ms.int32)
        ),
        ValueError,
        "bool and floating types",
    ),
    (lambda: nn.TransformerEncoderLayer(4, 2, activation="sin"), ValueError, "relu/gelu"),
    (lambda: nn.TransformerEncoderLayer(4, 2, activation=3), ValueError, "activation"),
    (lambda: nn.TransformerEncoderLayer(4, 2, activation=nn.Tanh()), ValueError, "nn.ReLU"),
    (lambda: nn.TransformerEncoderLayer(4, 2, dropout=1.0), ValueError, "[0, 1)"),
    (lambda: nn.TransformerEncoder(3, 2), TypeError, "Cell"),
    (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), "a"), TypeError, "num_layers"),
    (lambda: nn.Transformer(4, 2, 1, 1, 3)(ones(3, 2, 4), ones(3, 3, 4)), ValueError, "batch"),
    (lambda: nn.Transformer(4, 2, 1, 1, 3)(ones(3, 2, 5), ones(3, 2, 5)), ValueError, "d_model"),
]


@pytest.mark.parametrize("case", ERRORS, ids=[f"{c[1].__name__}-{i}" for i, c in enumerate(ERRORS)])
def test_errors_say_what_and_why(case):
    run, kind, words = case
    with pytest.raises(kind) as caught:
        run()
    assert type(caught.value) is kind
    assert words in str(caught.value)
