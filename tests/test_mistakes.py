"""Seventy mistakes of people at work, and what their errors say.

Each error is worth six points: it is raised, by the call that is wrong, with a fitting type; its
message names the operator, layer or argument, says what came, and says what was expected or what to
write. The last three are words of the message; None is a point that it does not have.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar import amp, dataset, migrate, nn, ops, train

ROWS = 'dataset.NumpySlicesDataset([1, 2, 3], ["x"])'
FIRST = "create_dict_iterator().__next__()"

MISTAKES = [
    # shapes
    ("ops.matmul(a, a)", RuntimeError, "'matmul'", "[2, 3] and [2, 3]", "must be equal"),
    ("a + ops.ones((2, 4))", ValueError, "'add'", "shape=[2, 4]", "equal or 1"),
    (
        "ops.stack((a, ops.ones((3,))))",
        ValueError,
        "'stack'",
        "shape=[3]",
        "other sizes must match",
    ),
    ("a.reshape(4, 2)", ValueError, "'reshape'", "[4, 2]", "6 elements"),
    ("a.view(3, 3)", ValueError, "'view'", "[3, 3]", "6 elements"),
    ("a[5]", IndexError, "axis 0", "index 5", "takes -2 to 1"),
    ("a[0, 0, 0]", IndexError, "(2, 3)", "3 axes", "dimension 2"),
    ("a[1.5]", IndexError, "index", "float", "use integers, slices"),
    ("ops.gather(a, ms.Tensor([5]), 0)", RuntimeError, "'input_indices'", "got 5", "[-2, 2)"),
    ("ops.expand_dims(a, 5)", ValueError, "'axis'", "got 5", "range of [-3, 3)"),
    ("ops.transpose(a, (0, 1, 2))", ValueError, "'dims'", "3 and 2", "must equal the rank"),
    ("ops.split(a, 2, axis=3)", ValueError, "'axis'", "got 3", "range of [-2, 2)"),
    ("ops.broadcast_to(a, (2, 4))", ValueError, "'broadcast_to'", "[2, 3] does", "equal, or 1"),
    ("ops.topk(ops.ones((3,)), 5)", ValueError, "'k'", "got 5", "in (0, 3]"),
    ("ops.pad(a, (1,) * 6)", ValueError, "padding", "got 6", "at most 4"),
    # layers on the wrong input
    ("nn.Conv2d(3, 4, 3)(ops.ones((1, 1, 8, 8)))", RuntimeError, "'C_in'", "1 (shape", "must be 3"),
    (
        "nn.Conv2d(3, 4, 3)(ops.ones((3, 8, 8)))",
        ValueError,
        "'conv2d'",
        "3 (shape",
        "expand_dims(0)",
    ),
    ("nn.Dense(3, 4)(ops.ones((2, 5)))", ValueError, "'dense'", "has 5", "3 are needed"),
    ("nn.Dense(3, 4)(np.ones((2, 3)))", TypeError, "'input'", "'ndarray'", "ms.from_numpy(array)"),
    ("nn.Dense(3, 4)(ms.Tensor(np.ones((2, 3))))", TypeError, "'dense'", "Float64", ".astype("),
    ("nn.Embedding(9, 4)(a)", TypeError, "indices", "float32", ".astype(ms.int32)"),
    ("nn.Embedding(9, 4)(ms.Tensor([11]))", RuntimeError, "indices", "11 to 11", "[0, 9)"),
    ("nn.BatchNorm2d(3)(a)", ValueError, "'BatchNorm2d'", "got 2", "4 dims"),
    ("nn.LSTM(3, 4)(a)", ValueError, "'LSTM'", "has 2", "3 axes"),
    ("nn.LayerNorm((4,))(a)", ValueError, "gamma", "(2, 3)", "must match input shape"),
    ("nn.ReLU()()", TypeError, "ReLU.construct()", "missing", "takes (input)"),
    ("nn.Dense(3, 4)(a, a)", TypeError, "Dense.construct()", "3 were given", "takes (x)"),
    ("ops.relu(torch.ones(2))", TypeError, "'input'", "'torch.Tensor'", "agar.from_torch(t)"),
    ("ops.relu([1.0])", TypeError, "'input'", "'list'", "ms.Tensor([...])"),
    # layers made wrongly
    ("nn.Dropout(p=1.5)", ValueError, "'p'", "1.5", "[0, 1)"),
    ("nn.Dense('2', 2)", TypeError, "'in_channels'", "'str'", "must be int"),
    ("nn.Conv2d(3, 4, 3, pad_mode='SAME_')", ValueError, "'pad_mode'", "'SAME_'", "'same'"),
    ("nn.Conv2d(3, 4, 3, group=2)", ValueError, "'group'", "in_channels:3", "divisible"),
    ("nn.MultiheadAttention(10, 3)", ValueError, "'embed_dim'", "10 and 3", "divisible"),
    ("nn.SequentialCell(nn.Dense(2, 2), ops.relu)", TypeError, "relu", "function", "nn.ReLU()"),
    ("nn.SequentialCell(nn.ReLU)", TypeError, "'SequentialCell'", "but got type", "ReLU(...)"),
    ("nn.CellDict({'a': 1})", TypeError, "'CellDict'", "int for key 'a'", "should be Cell"),
    ("net.weight = np.ones((2, 3))", TypeError, "'weight'", "ndarray", "a Parameter, Tensor"),
    ("Forward()(a)", AttributeError, "'Forward'", "'forward'", "rename"),
    ("Early()", AttributeError, "'Early'", "'d' before", "super().__init__()"),
    # losses
    ("nn.CrossEntropyLoss()(a, ms.Tensor([0, 3]))", RuntimeError, "'target'", "Target 3", "[0, 3)"),
    ("nn.CrossEntropyLoss()(a, ms.Tensor([0.0, 1.0]))", ValueError, "'target'", "(2,)", "integer"),
    ("nn.CrossEntropyLoss()(a, ms.Tensor([0]))", ValueError, "'target'", "got (1,)", "shape (2,)"),
    (
        "nn.SoftmaxCrossEntropyWithLogits()(a, ms.Tensor([0, 1]))",
        TypeError,
        "'labels'",
        "int64",
        "sparse=True",
    ),
    ("nn.BCELoss()(a + 1, a)", RuntimeError, "'binary_cross_entropy'", None, "between 0 and 1"),
    # gradients and optimizers
    (
        "ms.grad(net, grad_position=1)(a)",
        RuntimeError,
        "'grad'",
        "index 1",
        "positions count the arguments of the call from 0",
    ),
    (
        "ms.value_and_grad(net, None, None)(a)",
        ValueError,
        "`grad_position`",
        "None",
        "weights=optimizer.parameters",
    ),
    ("ms.value_and_grad(net, None, [1])(a)", TypeError, "'weights'", "element 0 is 1", "Parameter"),
    ("optimizer((ops.ones((4, 3)),))", RuntimeError, "'SGD'", "got 1", "ms.value_and_grad(fn"),
    ("optimizer((a, ops.ones((4,))))", RuntimeError, "'weight'", "(2, 3)", "optimizer.parameters"),
    ("nn.Adam(weights, learning_rate='0.1')", ValueError, "'learning_rate'", "str", "float"),
    ("nn.Adam(weights, learning_rate=-1.0)", ValueError, "learning rate", "-1.0", ">= 0"),
    ("nn.Momentum(weights, 0.1)", TypeError, "Momentum", "missing", "'momentum'"),
    ("nn.piecewise_constant_lr([2, 4], [0.1])", ValueError, "'milestone'", "2 and 1", "same"),
    ("ops.clip_by_global_norm(a, -1.0)", ValueError, "'clip_norm'", "-1.0", "positive"),
    # values
    ("bool(ms.Tensor([1, 2]))", ValueError, "tensor", "shape (2,)", ".all() or .any()"),
    ("ms.Tensor([[1, 2], [3]])", TypeError, "'input_data'", "[[1, 2], [3]]", "different lengths"),
    ("ms.Tensor([1, 'a'])", TypeError, "'input_data'", "<U21", "must be numbers"),
    ("a.astype('flot32')", TypeError, "'astype'", "'flot32'", "ms.float32"),
    ("ops.one_hot(ms.Tensor([0.5]), 3, 1.0, 0.0)", TypeError, "'indices'", "Float32", ".astype("),
    # data
    (f"{ROWS}.map(lambda x: x, 'y').{FIRST}", RuntimeError, "'y'", "exist", "columns are ['x']"),
    (f"{ROWS}.batch(0)", ValueError, "'batch_size'", "got 0", "[1, "),
    ("dataset.GeneratorDataset([1, 2])", ValueError, "column_names", "neither", "column_names=["),
    (
        f"dataset.NumpySlicesDataset([np.ones(2), np.ones(3)], ['x']).batch(2).{FIRST}",
        RuntimeError,
        "'x'",
        "different shapes",
        "padded_batch",
    ),
    # Model, checkpoints, export, settings
    (
        "ms.Model(net, nn.MSELoss(), metrics={'acuracy'})",
        KeyError,
        "metric",
        "acuracy",
        "'accuracy'",
    ),
    ("ms.Model(net, optimizer=optimizer).train(1, a)", TypeError, "dataset", "Tensor", "tuples"),
    ("ms.load_checkpoint('absent.ckpt')", ValueError, "file", "'absent.ckpt'", "does not exist"),
    ("ms.load_param_into_net(nn.Dense(2, 2), values)", RuntimeError, "weight", "(4, 3)", "belongs"),
    (
        "ms.export(net, file_name='n', file_format='ONNX')",
        TypeError,
        "'export'",
        "missing",
        "net, x",
    ),
    ("ms.set_context(mode='GRAPH')", TypeError, "'mode'", "'GRAPH'", "ms.GRAPH_MODE"),
    ("migrate.from_torch(net)", TypeError, "'module'", "Cell (Dense)", "needs no conversion"),
    ("net.to_float('float16')", ValueError, "'dst_type'", "'float16'", "mindspore.float16"),
    ("amp.auto_mixed_precision(net, 'O5')", ValueError, "amp level", "O5", "O0, O1"),
    ("net.register_forward_hook(5)", TypeError, "'register_forward_hook'", "got 5", "a function"),
]


class Forward(nn.Cell):
    def forward(self, x):
        return x


class Early(nn.Cell):
    def __init__(self):
        self.d = nn.Dense(2, 2)


def attempt(program, folder, **more):
    """The error of a program; it is that of the statement itself, never a later one."""
    net = nn.Dense(3, 4)
    names = {
        "Early": Early,
        "Forward": Forward,
        "a": ops.ones((2, 3)),
        "amp": amp,
        "dataset": dataset,
        "migrate": migrate,
        "ms": ms,
        "net": net,
        "nn": nn,
        "np": np,
        "ops": ops,
        "optimizer": nn.SGD(net.trainable_params(), 0.1),
        "torch": torch,
        "train": train,
        "values": {p.name: p for p in net.get_parameters()},
        "weights": net.trainable_params(),
        **more,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(program, names)
        except Exception as error:
            return error
    return None


@pytest.mark.parametrize(("program", "kind", "names", "came", "advice"), MISTAKES)
def test_what_the_error_says(program, kind, names, came, advice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = attempt(program, tmp_path)
    assert error is not None, "nothing is raised"
    assert type(error) is kind, repr(error)
    for words in (names, came, advice):
        assert words is None or words in str(error)
    assert list(Path.cwd().iterdir()) == []  # a call that fails leaves nothing


def test_the_score():
    points = [6 - sum(words is None for words in entry[2:]) for entry in MISTAKES]
    assert len(MISTAKES) >= 70
    assert sum(points) / len(points) >= 5.5
