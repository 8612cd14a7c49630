"""Seventy more mistakes: of students, and of people who know MindSpore and type fast.

They are scored as those of `test_mistakes`. A None is a point that the message does not have; where
nothing of ours is called, such as ``x.size()`` on an int, Python's own words are all there is.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agar import nn
from test_mistakes import attempt

ROWS = 'dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": [0, 1, 0, 1]})'
MODEL = "ms.Model(net, nn.CrossEntropyLoss(), optimizer)"
Words = str | None

MISTAKES: list[tuple[str, type[Exception], Words, Words, Words]] = [
    # cells
    ("Missing()(a)", TypeError, "Missing.construct()", "2 were given", "takes ()"),
    ("Two()(a)", TypeError, "Two.construct()", "'y'", "takes (x, y)"),
    ("net.wieght", AttributeError, "'Dense'", "'wieght'", "'weight'"),
    ("net.set_trin()", AttributeError, "'Dense'", "'set_trin'", "'set_train'"),
    ("net.eval()", AttributeError, "'Dense'", "'eval'", "set_train(False)"),
    ("net.parameters()", AttributeError, "'Dense'", "'parameters'", "trainable_params()"),
    ("net.insert_child_to_cell('a', 3)", TypeError, "'child_cell'", "got int", "must be a Cell"),
    ("nn.CellList([net])(a)", NotImplementedError, "CellList", "called", "SequentialCell"),
    ("nn.SequentialCell(net, nn.relu)", AttributeError, "'agar.nn'", "'relu'", "'ReLU'"),
    ("nn.SequentialCell([net, ops.relu])", TypeError, "'SequentialCell'", "relu", "nn.ReLU()"),
    ("NoneNet()(a).shape", AttributeError, None, "'NoneType'", None),
    # a layer or Primitive that is made with its input
    ("nn.ReLU(a)", TypeError, "'ReLU'", "a Tensor", "nn.ReLU()("),
    ("ops.ReduceMean(a)", TypeError, "'ReduceMean'", "a Tensor", "ops.ReduceMean()("),
    ("ops.Concat((a, a))", TypeError, "'Concat'", "a Tensor", "ops.Concat()("),
    ("ops.Softmax(a)", TypeError, "'Softmax'", "a Tensor", "ops.Softmax()("),
    ("ops.MatMul()(a, a, a)", TypeError, "MatMul", "4 were given", None),
    # arguments of layers
    (
        "nn.Conv2d(3, 8, 3, pad_mode='same', padding=1)",
        ValueError,
        "'padding'",
        "padding 1",
        "pad_mode='pad'",
    ),
    ("nn.Conv2d(3, 8, kernel=3)", TypeError, "Conv2d", "'kernel'", "'kernel_size'"),
    ("nn.Conv2d(3, 8, 0)", ValueError, "'kernel_size'", "'0'", "must > 0"),
    ("nn.Dense(3, 4, activation='rellu')", KeyError, "'Dense'", "'rellu'", "did you mean 'relu'"),
    ("nn.Dense(3, 4, weight_init='xavier')", ValueError, "'initializer'", "'xavier'", "xavier_uni"),
    ("nn.Dense(3, 4, weight_init=a)", ValueError, "'weight_init'", "(2, 3)", "(4, 3)"),
    ("nn.Dropout(keep_prob=0)", TypeError, "'keep_prob'", "'int'", "'float'"),
    ("nn.LayerNorm(3)", TypeError, "'normalized_shape'", "3 of type int", "(size,)"),
    ("nn.MaxPool2d(3, stride=0)", ValueError, "'stride'", "got 0", "positive int"),
    ("nn.LSTM(3, 4)(ops.ones((5, 2, 7)))", ValueError, "'LSTM'", "(5, 2, 7)", "input_size=3"),
    ("nn.Embedding(9, 4)(ms.Tensor([-1]))", RuntimeError, "'Embedding'", "-1 to -1", "[0, 9)"),
    ("nn.MSELoss(reduction='avg')", ValueError, "'reduction'", "'avg'", "'mean'"),
    # losses and optimizers
    (
        "nn.SoftmaxCrossEntropyWithLogits(sparse=True)(a, a)",
        ValueError,
        "'labels'",
        "(2, 3)",
        "(2,)",
    ),
    ("nn.BCELoss()(a * 2, a)", RuntimeError, "'binary_cross_entropy'", None, "between 0 and 1"),
    ("nn.BCELoss()(a, ms.Tensor([0, 1]))", ValueError, "'labels'", "(2,)", "be equal"),
    ("nn.Momentum(net, 0.1, 0.9)", TypeError, "'parameters'", "got Dense", "trainable_params()"),
    ("nn.Momentum(weights)", TypeError, "Momentum", "missing", "'learning_rate' and 'momentum'"),
    ("nn.Adam(weights, 0.1)(a)", TypeError, "'Adam'", "got Tensor", "(gradient,)"),
    ("nn.Adam(weights, 0.1)((a,))", RuntimeError, "'Adam'", "got 1", "optimizer.parameters"),
    ("nn.cosine_decay_lr(0.1, 0.01, 10, 5, 2, 1)", TypeError, "cosine_decay_lr", "6 were", None),
    ("a.backward()", AttributeError, "'Tensor'", "'backward'", "ms.value_and_grad"),
    (
        "ms.value_and_grad(net, None, net.trainable_params)(a)",
        TypeError,
        "'weights'",
        "bound method",
        "list or tuple",
    ),
    # Model
    (f"{MODEL}.train('1', {ROWS}.batch(2))", TypeError, "'epoch'", "'str'", "must be int"),
    (f"{MODEL}.train(1, [1, 2])", ValueError, "'train_dataset'", "got 1", "rows of two"),
    (f"{MODEL}.eval({ROWS}.batch(2))", ValueError, "Model.eval", "'metrics'", "set the argument"),
    (
        f"{MODEL}.train(1, {ROWS}.batch(2), callbacks=['loss'])",
        TypeError,
        "'callbacks'",
        "['loss']",
        "list of Callbacks",
    ),
    ("ms.Model(net, amp_level='O4')", ValueError, "amp level", "'O4'", "'O3'"),
    ("train.LossMonitor('1')", TypeError, "'per_print_times'", "'str'", "must be int"),
    # files and settings
    ("ms.load_param_into_net(net, 'a.ckpt')", TypeError, "'parameter_dict'", "str", "a dict"),
    ("ms.save_checkpoint('a.ckpt', net)", TypeError, "'ckpt_file_name'", "Dense", "a string"),
    ("ms.set_context(device_target='TPU')", ValueError, "'device_target'", "TPU", "'GPU'"),
    ("ms.set_context(device='GPU')", ValueError, "set_context", "device", "'device_id'"),
    ("ms.set_seed(-1)", ValueError, "'seed'", "'-1'", ">= 0"),
    ("ms.jit(3)", TypeError, "'jit'", "got 3", "function or Cell"),
    # tensors
    ("ms.Tensor([1, 2], dtype='float33')", TypeError, "'Tensor'", "'float33'", "ms.float32"),
    ("ms.Tensor(['a', 'b'])", TypeError, "Tensor", "<U1", "numbers"),
    ("ms.float33", AttributeError, "'agar'", "'float33'", "'float32'"),
    ("a.to('cuda')", ValueError, "'to'", "'cuda'", "'GPU'"),
    ("a.size()", TypeError, None, "'int'", None),
    ("a.item()", ValueError, "tensor", "(2, 3)", ".tolist()"),
    ("a[a > 0] = ms.Tensor([1.0, 2.0])", ValueError, "item assignment", "[2]", "[6]"),
    ("a[0] = 'x'", IndexError, "value", "'x'", "Tensor, tuple, list"),
    ("a + 'x'", TypeError, "add", "'str'", "a Tensor or a number"),
    ("ops.concat(a, a)", TypeError, "'tensors'", "one Tensor", "(x, y)"),
    ("ops.mean(a, dim=1)", TypeError, "mean()", "'dim'", "'axis'"),
    ("ops.argmax(a, 3)", ValueError, "'axis'", "got 3", "[-2, 2)"),
    ("ops.cast(a, 'int')", TypeError, "'dtype'", "'int'", "ms.float32"),
    ("ops.where(a, 1)", TypeError, "where()", "missing", "'other'"),
    # data
    (f"{ROWS}.create_dict_iter()", AttributeError, "Dataset", "create_dict_iter", "_iterator'"),
    (f"{ROWS}.shuffle()", TypeError, "Dataset.shuffle()", "missing", "'buffer_size'"),
    (f"{ROWS}.split([3, 3])", RuntimeError, None, "6", "dataset size 4"),
    (
        f"next(iter({ROWS}.map(dataset.vision.Resize(4), 'y')))",
        RuntimeError,
        "'vision.Resize'",
        "shape []",
        "vision.Decode()",
    ),
    (f"next(iter({ROWS}.map(abs, 'z')))", RuntimeError, "Dataset.map", "'z'", "['x', 'y']"),
    ("dataset.MnistDataset('nodir')", ValueError, "'dataset_dir'", "nodir", "does not exist"),
    ("dataset.vision.Normalize(0.5, 0.5)", TypeError, "'mean'", "0.5", "list or tuple"),
    (
        "dataset.vision.RandomCrop(10)(np.ones((4, 4, 3), np.uint8))",
        RuntimeError,
        "'vision.RandomCrop'",
        "(4, 4)",
        "pad_if_needed=True",
    ),
]


class Missing(nn.Cell):
    def construct(x):
        return x


class Two(nn.Cell):
    def construct(self, x, y):
        return x + y


class NoneNet(nn.Cell):
    def construct(self, x):
        x + 1


CELLS = {"Missing": Missing, "Two": Two, "NoneNet": NoneNet, "np": np}


@pytest.mark.parametrize(("program", "kind", "names", "came", "advice"), MISTAKES)
def test_what_the_error_says(program, kind, names, came, advice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = attempt(program, tmp_path, **CELLS)
    assert error is not None, "nothing is raised"
    assert type(error) is kind or type(error).__name__ == kind.__name__, repr(error)
    for words in (names, came, advice):
        assert words is None or words in str(error)
    assert list(Path.cwd().iterdir()) == []


def test_the_score():
    points = [6 - sum(words is None for words in entry[2:]) for entry in MISTAKES]
    assert len(MISTAKES) >= 70
    assert sum(points) / len(points) >= 5.5
