"""Names of older MindSpores work, and warn once with today's name."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar.compat import legacy


@pytest.fixture(autouse=True)
def aliased():
    ms.alias_mindspore()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def old(path: str):
    """An object at MindSpore's old path, which is given without ``mindspore.``."""
    module, _, name = f"mindspore.{path}".rpartition(".")
    return getattr(importlib.import_module(module), name)


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


NAMES = [(path, name) for path, entries in legacy.table().items() for name in entries]


@pytest.mark.parametrize(("path", "name"), NAMES, ids=[".".join(pair) for pair in NAMES])
def test_each_old_name_is_there(path, name):
    result = old(f"{path}.{name}".lstrip("."))
    assert "_absent" not in getattr(result, "__dict__", ())
    entry = legacy.table()[path][name]
    use = entry.use.split(".")
    target = importlib.import_module("mindspore")
    for i, part in enumerate(use if use != [""] else ()):
        try:
            target = getattr(target, part)
        except AttributeError:
            target = importlib.import_module(f"mindspore.{'.'.join(use[: i + 1])}")


def test_a_name_warns_once_at_the_line_that_takes_it():
    code = (
        "import warnings, agar; agar.alias_mindspore(); warnings.simplefilter('always')\n"
        "import mindspore\n"
        "from mindspore.nn.transformer import FeedForward\n"
        "from mindspore.nn.transformer import FeedForward\n"
        "mindspore.bmm; mindspore.bmm\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.count("DeprecationWarning") == 2, done.stderr
    assert "<string>:3: DeprecationWarning" in done.stderr
    assert "spelling of MindSpore 1.5-2.3; today it is" in done.stderr
    assert "No MindSpore has 'mindspore.bmm'; it stands for 'mindspore.mint.bmm'" in done.stderr


def test_names_that_no_mindspore_had_are_unknown_without_need():
    import mindspore

    with pytest.raises(AttributeError):
        _ = mindspore.nothing_of_this_name


# ---------------------------------------------------------------------------------- pictures


def test_normalize_of_pil_and_of_c_transforms():
    image = numbers(3, 2, 2)
    mean, std = [0.1, 0.2, 0.3], [0.5, 0.6, 0.7]
    expected = (image - np.reshape(mean, (3, 1, 1))) / np.reshape(std, (3, 1, 1))
    by_channel = old("dataset.vision.py_transforms.Normalize")(mean, std)
    np.testing.assert_allclose(by_channel(image), expected, rtol=1e-5)
    last = old("dataset.vision.c_transforms.Normalize")(mean, std)
    np.testing.assert_allclose(
        last(image.transpose(1, 2, 0)), expected.transpose(1, 2, 0), rtol=1e-5
    )


def test_decode_of_pil_and_of_c_transforms():
    import io

    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.full((4, 5, 3), 7, np.uint8)).save(stream, "PNG")
    raw = np.frombuffer(stream.getvalue(), np.uint8)
    picture = old("dataset.vision.py_transforms.Decode")()(stream.getvalue())
    assert picture.size == (5, 4)
    assert old("dataset.vision.c_transforms.Decode")(rgb=True)(raw).shape == (4, 5, 3)
    with pytest.raises(ValueError, match="'rgb' can only be True"):
        old("dataset.vision.c_transforms.Decode")(rgb=False)


def test_renamed_arguments_of_transforms():
    cast = old("dataset.transforms.c_transforms.TypeCast")
    assert cast(output_type=ms.int32)(np.array([1.7])).dtype == np.int32
    with pytest.raises(TypeError, match="mean the same"):
        cast(ms.int32, output_type=ms.int32)
    one_hot = old("dataset.transforms.py_transforms.OneHotOp")(num_classes=3)
    assert np.asarray(one_hot(np.array(1))).ravel().tolist() == [0, 1, 0]
    holes = old("dataset.vision.py_transforms.Cutout")(4, 99)(np.ones((3, 4, 4), np.float32))
    assert np.asarray(holes).shape == (3, 4, 4)
    assert (np.asarray(holes) == 0).any()


# ---------------------------------------------------------------------------------- transformers


def test_attention_mask():
    mask = old("nn.transformer.AttentionMask")(3)(ms.Tensor([[1, 1, 0]], ms.float32))
    assert mask.asnumpy().tolist() == [[[1, 0, 0], [1, 1, 0], [0, 0, 0]]]


def attention_of_torch(net, x, mask, heads):
    size = x.shape[-1]
    q, k, v = (
        (torch.from_numpy(x) @ torch.from_numpy(d.weight.asnumpy()).T).reshape(
            x.shape[0], x.shape[1], heads, size // heads
        )
        for d in (net.dense1, net.dense2, net.dense3)
    )
    bias = (1 - torch.from_numpy(mask))[:, None] * -10000.0
    out = torch.nn.functional.scaled_dot_product_attention(
        q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), attn_mask=bias
    )
    return (out.transpose(1, 2).reshape(x.shape)) @ torch.from_numpy(
        net.projection.weight.asnumpy()
    )


def test_attention_with_heads():
    net = old("nn.transformer.MultiHeadAttention")(
        2, 4, 4, 8, 2, hidden_dropout_rate=0.0, attention_dropout_rate=0.0, compute_dtype=ms.float32
    )
    for seed, dense in enumerate((net.dense1, net.dense2, net.dense3, net.projection)):
        dense.weight.set_data(ms.Tensor(numbers(8, 8, seed=seed)))
    x, mask = numbers(2, 4, 8, seed=9), np.tril(np.ones((2, 4, 4), np.float32))
    out, (key, value) = net(*[ms.Tensor(x)] * 3, ms.Tensor(mask))
    expected = attention_of_torch(net, x, mask, 2)
    np.testing.assert_allclose(out.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-4)
    assert (key.shape, value.shape) == ((2, 2, 4, 4), (2, 2, 4, 4))


@pytest.mark.parametrize("post", [False, True])
def test_encoder_layers(post):
    transformer = importlib.import_module("mindspore.nn.transformer")
    net = transformer.TransformerEncoder(
        2, 2, 8, 16, 4, 2, 0.0, 0.0, post_layernorm_residual=post, hidden_act="relu"
    )
    x, mask = numbers(2, 4, 8), np.ones((2, 4, 4), np.float32)
    out, present = net(ms.Tensor(x), ms.Tensor(mask))
    assert (out.shape, len(present)) == ((2, 4, 8), 2)
    rows = torch.from_numpy(x)
    norm = torch.nn.functional.layer_norm
    for block in net.blocks:
        first = norm(rows, (8,))
        attended = attention_of_torch(block.attention, first.numpy(), mask, 2)
        rows = (first if post else rows) + attended
        second = norm(rows, (8,))
        wide, narrow = (
            torch.from_numpy(d.weight.asnumpy())
            for d in (block.output.mapping, block.output.projection)
        )
        rows = (second if post else rows) + torch.relu(second @ wide) @ narrow
    np.testing.assert_allclose(out.asnumpy(), rows.numpy(), atol=5e-3)  # products in float16


def test_encoder_and_decoder():
    """The shapes of the example in the documentation of MindSpore 1.8."""
    transformer = importlib.import_module("mindspore.nn.transformer")
    sizes = {"batch_size": 2, "hidden_size": 64, "ffn_hidden_size": 64}
    lengths = {"src_seq_length": 20, "tgt_seq_length": 10}
    net = transformer.Transformer(encoder_layers=1, decoder_layers=2, **sizes, **lengths)
    ones = [(2, 20, 64), (2, 20, 20), (2, 10, 64), (2, 10, 10), (2, 10, 20)]
    out, encoder, decoder = net(*(ms.ops.ones(shape, ms.float32) for shape in ones))
    assert out.shape == (2, 10, 64)
    assert [[t.shape for t in layer] for layer in encoder] == [[(2, 2, 32, 20), (2, 2, 20, 32)]]
    own = [(2, 2, 32, 10), (2, 2, 10, 32), (2, 2, 32, 20), (2, 2, 20, 32)]
    assert [[t.shape for t in layer] for layer in decoder] == [own, own]
    alone = transformer.Transformer(encoder_layers=1, decoder_layers=0, **sizes, **lengths)
    assert alone(ms.ops.ones((2, 20, 64)), ms.ops.ones((2, 20, 20)))[2] is None
    with pytest.raises(ValueError, match="'encoder_layers' must be positive"):
        transformer.Transformer(encoder_layers=0, **sizes, **lengths)


@pytest.mark.parametrize("residual", [False, True])
def test_a_decoder_layer_attends_to_the_encoder(residual):
    transformer = importlib.import_module("mindspore.nn.transformer")
    ms.set_seed(1)
    layer = transformer.TransformerDecoderLayer(
        *(8, 16, 2, 1, 4, 3, 0.0, 0.0, residual), hidden_act="relu"
    )
    draw = np.random.RandomState(0)
    for p in layer.get_parameters():
        p.set_data(ms.Tensor(draw.randn(*p.shape).astype("float32") * 0.2))
    x, memory = (draw.randn(1, n, 8).astype("float32") for n in (3, 4))
    own, cross = np.tril(np.ones((1, 3, 3))), np.ones((1, 3, 4))
    cross[..., 3] = 0
    weights = {name: p.asnumpy().astype("float64") for name, p in layer.parameters_and_names()}

    def normal(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)
        return x * weights[f"{name}.gamma"] + weights[f"{name}.beta"]

    def attention(q, kv, mask, name):
        heads = []
        for i, t in ((1, q), (2, kv), (3, kv)):
            rows = t @ weights[f"{name}.dense{i}.weight"].T + weights[f"{name}.dense{i}.bias"]
            heads.append(rows.reshape(1, -1, 2, 4).transpose(0, 2, 1, 3))
        score = heads[0] @ heads[1].transpose(0, 1, 3, 2) / 2 - 1e4 * (1 - mask[:, None])
        share = np.exp(score - score.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        rows = (share @ heads[2]).transpose(0, 2, 1, 3).reshape(1, -1, 8)
        return rows @ weights[f"{name}.projection.weight"] + weights[f"{name}.projection.bias"]

    rows = normal(x, "layernorm1")
    y = (rows if residual else x) + attention(rows, rows, own, "attention")
    rows = normal(y, "cross_attention_layernorm")
    y = (rows if residual else y) + attention(rows, memory, cross, "cross_attention")
    rows = normal(y, "layernorm2")
    wide = rows @ weights["output.mapping.weight"] + weights["output.mapping.bias"]
    y = (rows if residual else y) + (
        np.maximum(wide, 0) @ weights["output.projection.weight"]
        + weights["output.projection.bias"]
    )
    inputs = [ms.Tensor(a.astype("float32")) for a in (x, own, memory, cross)]
    out, present = layer(*inputs)
    np.testing.assert_allclose(out.asnumpy(), y, atol=0.01)  # products in float16
    assert len(present) == 4
    assert len(layer(*inputs[:2])[1]) == 2


def test_parts_of_transformers():
    transformer = importlib.import_module("mindspore.parallel._transformer")
    forward = transformer.FeedForward(8, 16, 0.0)
    assert forward(ms.Tensor(numbers(2, 8))).dtype == ms.float16
    rows, table = transformer.VocabEmbedding(5, 3)(ms.Tensor([[1, 4]], ms.int32))
    np.testing.assert_array_equal(rows.asnumpy()[0], table.asnumpy()[[1, 4]])
    logits, label = numbers(4, 3), np.array([0, 2, 1, 1], np.int32)
    mask = np.array([1, 1, 0, 1], np.float32)
    loss = transformer.CrossEntropyLoss()(ms.Tensor(logits), ms.Tensor(label), ms.Tensor(mask))
    result = mask.astype(bool)
    expected = torch.nn.functional.cross_entropy(
        torch.from_numpy(logits[result]), torch.from_numpy(label[result]).long()
    )
    np.testing.assert_allclose(loss.asnumpy(), expected.numpy(), rtol=1e-5)
    x = numbers(2, 8)
    norm = old("parallel._transformer.layers._LayerNorm")((8,))
    np.testing.assert_allclose(
        norm(ms.Tensor(x)).asnumpy(),
        torch.nn.functional.layer_norm(torch.from_numpy(x), (8,)).numpy(),
        atol=1e-5,
    )


def test_what_transformers_cannot_do_raises():
    transformer = importlib.import_module("mindspore.nn.transformer")
    config = transformer.TransformerOpParallelConfig(data_parallel=2)
    assert config.dp_mp_config.data_parallel == 2
    with pytest.raises(ValueError, match="'data_parallel' is 2"):
        transformer.AttentionMask(3, config.dp_mp_config)
    with pytest.raises(NotImplementedError, match="use_past"):
        transformer.MultiHeadAttention(1, 2, 2, 4, 2, use_past=True)
    with pytest.raises(NotImplementedError, match="expert_num"):
        transformer.TransformerEncoderLayer(
            1, 4, 8, 2, 3, moe_config=transformer.MoEConfig(expert_num=2)
        )
    with pytest.raises(ValueError, match="must be positive"):
        transformer.OpParallelConfig(data_parallel=0)
    with pytest.raises(ValueError, match="multiple of 'num_heads'"):
        transformer.MultiHeadAttention(1, 2, 2, 5, 2)


def test_checks_of_transformers():
    layers = importlib.import_module("mindspore.parallel._transformer.layers")

    @layers._args_type_validator_check(
        a=layers._valid_type_checks([int], "F"), b=layers._valid_value_checks([1, 2], "F")
    )
    def function(a, b=1):
        return a + b

    assert function(3, b=2) == 5
    with pytest.raises(TypeError, match="For 'F', 'a'"):
        function("x")
    with pytest.raises(ValueError, match="For 'F', 'b'"):
        function(1, 3)
    with pytest.raises(TypeError):
        layers._check_input_dtype(ms.int32, "x", [ms.float32], "F")
    with pytest.raises(TypeError, match="use_past"):
        layers._check_past_none_input_none(False, "p", "F", None, True, False)
    assert layers._LayerInputCheck.check_shape_equal([1, 2], "x", "F", [[1, 2], [3]])
    with pytest.raises(ValueError, match="For 'F', 'x'"):
        layers._LayerInputCheck.check_shape_equal([1, 3], "x", "F", [1, 2])


def test_attention_of_mindspore_2_1():
    q, k, v = (numbers(1, 2, 4, 8, seed=s) for s in range(3))
    net = old("nn.layer.flash_attention.FlashAttention")(8, 2)
    hidden = np.triu(np.ones((1, 4, 4), np.float32), 1)
    out = net(*(ms.Tensor(t) for t in (q, k, v)), ms.Tensor(hidden))
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(torch.from_numpy(t) for t in (q, k, v)), is_causal=True
    )
    np.testing.assert_allclose(out.asnumpy(), expected.numpy(), atol=1e-5)
    cache = ms.Tensor(np.zeros((2, 1, 3, 2), np.float32))
    write = old("ops.operations._inner_ops.DecoderKVCache")()
    out = write(cache, ms.Tensor(np.ones((2, 1, 1, 2), np.float32)), ms.Tensor([2, 0]))
    assert out.asnumpy()[:, 0, :, 0].tolist() == [[0, 0, 1], [1, 0, 0]]


# --------------------------------------------------------------------------- arrays and queues


def test_tensor_array():
    path = importlib.import_module("mindspore.ops.operations._tensor_array")
    handle = path.TensorArray(ms.int64, ())()
    for i in (0, 2):
        path.TensorArrayWrite()(handle, i, ms.Tensor(i + 5))
    assert path.TensorArraySize()(handle) == 3
    assert path.TensorArrayStack(ms.int64, ())(handle).asnumpy().tolist() == [5, 0, 7]
    assert path.TensorArrayRead(ms.int64, ())(handle, 2) == 7
    with pytest.raises(ValueError, match="below 3"):
        path.TensorArrayRead(ms.int64, ())(handle, 3)
    with pytest.raises(ValueError, match="of Int64"):
        path.TensorArrayWrite()(handle, 0, ms.Tensor(1.0))
    path.TensorArrayClear()(handle)
    assert path.TensorArraySize()(handle) == 0
    path.TensorArrayClose()(handle)
    with pytest.raises(ValueError, match="nothing that is open"):
        path.TensorArraySize()(handle)


def test_tensors_queue():
    path = importlib.import_module("mindspore.ops.operations._rl_inner_ops")
    shapes = ((2,), ())
    handle = path.TensorsQueueCreate(ms.float32, shapes, 2)()
    put = path.TensorsQueuePut(ms.float32, shapes)
    for i in range(2):
        put(handle, (ms.Tensor([i, i], ms.float32), ms.Tensor(i, ms.float32)))
    with pytest.raises(RuntimeError, match="full"):
        put(handle, (ms.Tensor([2, 2], ms.float32), ms.Tensor(2, ms.float32)))
    assert path.TensorsQueueGet(ms.float32, shapes)(handle)[1] == 0
    assert path.TensorsQueuePop(ms.float32, shapes)(handle)[1] == 0
    assert path.TensorsQueuePop(ms.float32, shapes)(handle)[0].asnumpy().tolist() == [1, 1]
    assert path.TensorsQueueSize()(handle) == 0
    with pytest.raises(RuntimeError, match="empty"):
        path.TensorsQueuePop(ms.float32, shapes)(handle)


def test_returns_and_assignments():
    path = importlib.import_module("mindspore.ops.operations._rl_inner_ops")
    returns = path.DiscountedReturn(0.5)(
        ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([False, True, False]), ms.Tensor(4.0)
    )
    assert returns.asnumpy().tolist() == [2.0, 2.0, 5.0]
    parameter = ms.Parameter(ms.Tensor([0.0]))
    path.BatchAssign()((parameter,), (ms.Tensor([3.0]),))
    assert parameter.asnumpy().tolist() == [3.0]


def test_buffers():
    path = importlib.import_module("mindspore.ops.operations")
    data = (ms.Parameter(ms.Tensor(np.zeros((3, 2), np.float32)), name="d"),)
    count, head = (ms.Parameter(ms.Tensor(0, ms.int32), name=n) for n in "ch")
    append = path.BufferAppend(3, ((2,),), (ms.float32,))
    for i in range(1, 6):
        append(data, (ms.Tensor([i, i], ms.float32),), count, head)
    assert (int(count), int(head)) == (3, 2)
    get = path.BufferGetItem(3, ((2,),), (ms.float32,))
    assert [int(get(data, count, head, i)[0][0]) for i in range(3)] == [3, 4, 5]
    assert int(get(data, count, head, -1)[0][0]) == 5
    draw = path.BufferSample(3, 3, ((2,),), (ms.float32,), seed=1, unique=True)
    assert sorted(draw(data, None, count, head)[0].asnumpy()[:, 0].tolist()) == [3, 4, 5]


def test_memories():
    path = importlib.import_module("mindspore.ops.operations._rl_inner_ops")
    handle = path.PriorityReplayBufferCreate(2, 1.0, ((),), (ms.float32,), 3, 0)()
    push = path.PriorityReplayBufferPush(handle)
    for i in range(3):
        push(ms.Tensor(float(i)))  # the third takes the place of the first
    update = path.PriorityReplayBufferUpdate(handle)
    update(ms.Tensor([0, 1]), ms.Tensor([3.0, 1.0]))
    draw = path.PriorityReplayBufferSample(handle, 400, ((),), (ms.float32,))
    places, weights, values = draw(1.0)
    drawn = places.asnumpy()
    assert 0.68 < (drawn == 0).mean() < 0.82  # 3 of 4
    np.testing.assert_allclose(weights.asnumpy(), np.where(drawn == 0, 1 / 3, 1.0), rtol=1e-6)
    assert values.asnumpy().tolist() == np.where(drawn == 0, 2.0, 1.0).tolist()
    path.PriorityReplayBufferDestroy(handle)()
    with pytest.raises(ValueError, match="of no memory"):
        draw(1.0)
    handle = path.ReservoirReplayBufferCreate(2, ((),), (ms.float32,), 3)()
    for i in range(10):
        path.ReservoirReplayBufferPush(handle)(ms.Tensor(float(i)))
    entry = path.ReservoirReplayBufferSample(handle, 50, ((),), (ms.float32,))()[0]
    assert len(set(entry.asnumpy().tolist())) == 2


# ------------------------------------------------------------------------- names of PyTorch, numpy


def test_names_of_pytorch():
    import mindspore

    class Net(old("nn.Module")):
        def __init__(self):
            super().__init__()
            self.layers = old("nn.ModuleList")([nn.Dense(2, 3)])

        def forward(self, x):
            return self.layers[0](x)

    x = ms.Tensor(numbers(4, 2))
    assert Net()(x).shape == (4, 3)
    assert old("nn.Sequential")(nn.ReLU())(x).shape == (4, 2)
    assert mindspore.FloatTensor([1]).dtype == ms.float32
    assert mindspore.LongTensor([1]).dtype == ms.int64
    assert isinstance(x.shape, mindspore.Size)
    weight = ms.Parameter(ms.Tensor(numbers(200, 100)))
    old("nn.init.uniform_")(weight, 2.0, 3.0)
    assert 2.0 <= weight.asnumpy().min() < 2.1 < 2.9 < weight.asnumpy().max() <= 3.0
    old("nn.init.kaiming_normal_")(weight)
    assert abs(weight.asnumpy().std() - (2 / 100) ** 0.5) < 0.01
    assert (old("nn.init.constant_")(weight, 2.0).asnumpy() == 2).all()
    with mindspore.no_grad():
        assert (x * 2).shape == (4, 2)
    conv = old("nn.ConvTranspose3d")(2, 3, 3, stride=2, padding=1, output_padding=1)
    assert conv(ms.Tensor(numbers(1, 2, 4, 4, 4))).shape == (1, 3, 8, 8, 8)
    up = old("nn.UpsamplingBilinear2d")(size=(2, 3))(ms.Tensor([[[[0.0, 2.0], [4.0, 6.0]]]]))
    assert up.asnumpy().ravel().tolist() == [0, 1, 2, 4, 5, 6]


def test_names_of_numpy():
    mnp = importlib.import_module("mindspore.numpy")
    a, b = numbers(3, 3), numbers(3)
    np.testing.assert_allclose(
        mnp.linalg.solve(ms.Tensor(a), ms.Tensor(b)).asnumpy(), np.linalg.solve(a, b), rtol=1e-3
    )
    u, s, vh = (part.asnumpy() for part in mnp.linalg.svd(ms.Tensor(a)))
    np.testing.assert_allclose(u @ np.diag(s) @ vh, a, atol=1e-5)
    np.testing.assert_allclose(mnp.linalg.det(ms.Tensor(a)).asnumpy(), np.linalg.det(a), rtol=1e-4)
    assert mnp.flatnonzero(ms.Tensor([[0, 1], [2, 0]])).asnumpy().tolist() == [1, 2]
    assert mnp.finfo(ms.float16).max == 65504
    assert mnp.issubdtype(ms.float32, mnp.floating)
    assert not mnp.issubdtype(ms.int32, mnp.floating)
    view = importlib.import_module("mindspore.numpy.lib.stride_tricks").sliding_window_view
    x = numbers(4, 5)
    for size, axis in (((2, 3), None), (2, 0), (3, 1)):
        np.testing.assert_array_equal(
            view(ms.Tensor(x), size, axis).asnumpy(),
            np.lib.stride_tricks.sliding_window_view(x, size, axis),
        )


def test_registers():
    register = old("experimental.llm_boost.register.LlmBoostRegister")

    @register.register(alias="mine")
    class Mine:
        def __init__(self, config):
            self.config = config

    assert register.get_instance("BuildIn", "mine", config=3).config == 3
    with pytest.raises(ValueError, match="No class 'other'"):
        register.get_cls("BuildIn", "other")
    check = old("train.serialization._check_checkpoint_param")
    check("a.ckpt", ["p"])
    with pytest.raises(ValueError, match="must end with"):
        check("a.txt")
    assert old("parallel._ps_context._is_role_pserver")() is False


def test_kinds_of_types():
    """MindSpore 2.10's answers."""
    kinds = {
        "bool_": (False, False, False),
        "int8": (False, False, True),
        "uint8": (False, False, False),
        "bfloat16": (False, True, True),
        "float64": (False, True, True),
        "complex64": (True, False, True),
    }
    for name, expected in kinds.items():
        kind = getattr(ms, name)
        assert (kind.is_complex, kind.is_floating_point, kind.is_signed) == expected, name


def test_the_syntax_level_of_older_programs():
    assert ms.JitConfig(jit_syntax_level="COMPATIBLE").jit_config_dict["jit_syntax_level"] == (
        "COMPATIBLE"
    )
    with pytest.raises(ValueError, match=r"\['STRICT', 'LAX'\]"):
        ms.JitConfig(jit_syntax_level="FOO")


def test_names_of_pytorch_and_numpy_do_what_they_do_there(tmp_path):
    line = nn.Dense(2, 1)
    x = ms.Tensor(numbers(3, 2))
    wrapped = old("nn.DataParallel")(line, device_ids=[0])
    assert np.array_equal(wrapped(x).asnumpy(), line(x).asnumpy())
    assert wrapped.module is line
    with pytest.raises(ValueError, match="one process drives one device"):
        old("nn.DataParallel")(line, device_ids=[0, 1])
    old("save")(obj=line, f=str(tmp_path / "line.ckpt"))
    assert len(ms.load_checkpoint(str(tmp_path / "line.ckpt"))) == 2
    assert isinstance(old("nn.optim.SparseAdam")(line.trainable_params(), lr=0.1), nn.LazyAdam)
    assert old("numpy.random.mtrand")._rand is np.random.mtrand._rand
    kind = old("_c_expression.typing").Type
    assert not kind("A", "a").is_complex
    assert not kind("A", "a").is_floating_point
    assert (kind("A", "a").itemsize, ms.float32.itemsize) == (0, 4)
