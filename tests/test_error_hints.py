"""Mistakes of people who know PyTorch, or who misspell a name: each error says what to write.

An entry is a program, the exception that it ends with, and words that its message must contain.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
import torch

import agar as ms
from agar import dataset, mint, nn, ops
from agar._core.hints import MissingName

DATA = 'dataset.NumpySlicesDataset({"x": np.ones((4, 2), "f4"), "y": np.ones((4, 2), "f4")})'

PROGRAMS = [
    # keywords of layers
    ("nn.Dense(3, 4, bias=False)", TypeError, "Dense", "'bias' is called 'has_bias' here"),
    ("nn.Dense(in_features=3, out_features=4)", TypeError, "'in_channels'"),
    ("nn.Conv2d(3, 4, 3, bias=True)", TypeError, "'has_bias'"),
    ("nn.Conv2d(3, 4, 3, groups=1)", TypeError, "'group'"),
    ("nn.Conv2d(3, 4, 3, padding=1)", ValueError, "pass pad_mode='pad'"),
    ("nn.Conv2d(3, 4, 3, padding_mode='reflect')", TypeError, "nn.ReflectionPad2d"),
    ("nn.Embedding(num_embeddings=3, embedding_dim=4)", TypeError, "'vocab_size'"),
    ("nn.Embedding(3, embedding_dim=4)", TypeError, "'embedding_size'"),
    ("nn.LayerNorm((3,), eps=1e-5)", TypeError, "'eps' is called 'epsilon' here"),
    ("nn.LayerNorm(3)", TypeError, "write (size,)"),
    ("nn.BatchNorm2d(3, track_running_stats=False)", TypeError, "BatchNorm2d", "use_batch_stat"),
    ("nn.LeakyReLU(negative_slope=0.1)", TypeError, "'alpha'"),
    ("nn.Softmax(dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("nn.ReLU(inplace=True)", TypeError, "ReLU.__init__()", "leave it out"),
    ("nn.LSTM(2, 3, proj_size=2)", TypeError, "no projection"),
    ("nn.MSELoss(size_average=True)", TypeError, "reduction="),
    ("nn.Dense(3, 4, has_bia=False)", TypeError, "did you mean 'has_bias'?"),
    ("nn.Dense(3, 4, nonsense=False)", TypeError, "it takes 'in_channels', 'out_channels'"),
    # keywords of optimizers
    ("nn.SGD(net.trainable_params(), lr=0.1)", TypeError, "'lr' is called 'learning_rate' here"),
    ("nn.Adam(net.trainable_params(), lr=0.1)", KeyError, "'lr' is called 'learning_rate' here"),
    ("nn.Adam(net.trainable_params(), betas=(0.9, 0.99))", KeyError, "'beta1' and 'beta2'"),
    ("mint.optim.AdamW(net.trainable_params(), learning_rate=1.0)", TypeError, "'lr' here"),
    ("nn.Adam(net, 0.1)", TypeError, "pass network.trainable_params()"),
    ("nn.Adam([], 0.1)", ValueError, "must not be empty", "nn.CellList"),
    # keywords of operators and tensors
    ("ops.softmax(x, dim=1)", TypeError, "softmax() got", "'dim' is called 'axis' here"),
    ("ops.softmax(x, axs=1)", TypeError, "did you mean 'axis'?"),
    ("ops.concat((x, x), dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("ops.split(x, 2, dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("ops.squeeze(x, dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("ops.max(x, dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("ops.argmax(x, axis=1)", TypeError, "'axis' is called 'dim' here"),
    ("ops.mean(x, keepdim=True)", TypeError, "'keepdim' is called 'keep_dims' here"),
    ("ops.norm(x, p=2)", TypeError, "'p' is called 'ord' here"),
    ("ops.leaky_relu(x, negative_slope=0.1)", TypeError, "'alpha'"),
    ("ops.cross_entropy(x, x, size_average=True)", TypeError, "reduction="),
    ("ops.transpose(x, 0, 1)", TypeError, "takes 2 positional arguments but 3", "swapaxes(x"),
    ("ops.flip(x, 0, 1)", TypeError, "flip(x, (0, 1))"),
    ("ops.randn(2, 3, requires_grad=True)", TypeError, "leave it out", "ms.Parameter"),
    ("ops.zeros((2, 3), device='cuda')", TypeError, "ms.set_device('GPU')"),
    ("ops.zeros(2, 3)", TypeError, "one tuple: (2, 3)"),
    ("ops.Softmax(dim=1)", TypeError, "'dim' is called 'axis' here"),
    ("ms.Tensor([1.0], requires_grad=True)", TypeError, "leave it out", "ms.Parameter"),
    ("ms.tensor([1.0], requires_grad=True)", TypeError, "leave it out", "ms.Parameter"),
    ("ms.Parameter(data=x)", TypeError, "'default_input'"),
    # names of PyTorch
    ("with ms.no_grad(): pass", AttributeError, "ops.stop_gradient"),
    ("from agar import no_grad", ImportError, "from 'agar'", "ops.stop_gradient"),
    ("class Net(nn.Module): pass", AttributeError, "use nn.Cell"),
    ("from agar.nn import Module", ImportError, "from 'agar.nn'", "use nn.Cell"),
    ("from agar.utils.data import DataLoader", ImportError, "agar.dataset"),
    ("nn.Sequential(net)", AttributeError, "use nn.SequentialCell"),
    ("nn.ModuleList([net])", AttributeError, "use nn.CellList"),
    ("nn.Parameter(x)", AttributeError, "use ms.Parameter"),
    ("nn.functional.relu(x)", AttributeError, "ops.relu"),
    ("nn.ConvTranspose2d(3, 4, 3)", AttributeError, "nn.Conv2dTranspose"),
    ("nn.StepLR", AttributeError, "nn.ExponentialDecayLR"),
    ("nn.relu(x)", AttributeError, "'ops.relu'"),
    ("ms.optim.Adam", AttributeError, "nn.Adam"),
    ("ms.cuda.is_available()", AttributeError, "ms.set_device('GPU')"),
    ("ms.device('cuda')", AttributeError, "ms.set_device('GPU')"),
    ("ms.save({}, 'net.pth')", AttributeError, "ms.save_checkpoint"),
    ("ms.zeros(2, 3)", AttributeError, "'ops.zeros'"),
    ("ms.autograd.grad", AttributeError, "ms.grad"),
    ("net.parameters()", AttributeError, "use get_parameters()"),
    ("net.eval()", AttributeError, "use set_train(False)"),
    ("net.cuda()", AttributeError, "use to('GPU')"),
    ("optimizer.step()", AttributeError, "optimizer(grads)"),
    ("optimizer.zero_grad()", AttributeError, "leave it out"),
    ("optimizer.param_groups", AttributeError, "get_lr()"),
    ("x.mean().backward()", AttributeError, "ms.value_and_grad"),
    ("x.grad", AttributeError, "ms.grad"),
    ("x.detach()", AttributeError, "use ops.stop_gradient(tensor)"),
    ("x.cpu()", AttributeError, "use tensor.to('CPU')"),
    ("x.relu()", AttributeError, "use ops.relu(tensor, ...)"),
    ("x.squeeze_()", AttributeError, "tensor = tensor.squeeze(...)"),
    ("x.to('cuda')", ValueError, "use 'CPU', 'GPU'"),
    # misspelt names
    ("ops.sofmax(x)", AttributeError, "has no attribute 'sofmax'; did you mean 'softmax'?"),
    ("nn.Dens(3, 4)", AttributeError, "did you mean 'Dense'?"),
    ("nn.Conv2D(3, 4, 3)", AttributeError, "did you mean 'Conv2d'"),
    ("ms.Tensr([1])", AttributeError, "did you mean 'Tensor'?"),
    ("mint.sofmax(x)", AttributeError, "did you mean 'softmax'?"),
    ("mint.nn.functional.rellu(x)", AttributeError, "did you mean 'relu'?"),
    ("ms.numpy.zeroes(3)", AttributeError, "did you mean 'zeros'?"),
    ("ms.train.Modell(net)", AttributeError, "did you mean 'Model'?"),
    ("net.set_trian()", AttributeError, "did you mean 'set_train'?"),
    # networks and Model
    (
        """
        class Net(nn.Cell):
            def forward(self, x):
                return x
        Net()(x)
        """,
        AttributeError,
        "rename its method 'forward' to 'construct'",
        "In cell: Net",
    ),
    (
        """
        class Net(nn.Cell):
            def __init__(self):
                self.fc = nn.Dense(2, 2)
        Net()
        """,
        AttributeError,
        "before super().__init__()",
    ),
    (
        """
        class Net(nn.Cell):
            def construct(self, x):
                return x.reshape(x.size(0), -1)
        Net()(x)
        """,
        TypeError,
        "use tensor.shape",
    ),
    (
        """
        class Net(nn.Cell):
            def construct(self, x, mask=None):
                return x
        Net()(x, x, x)
        """,
        TypeError,
        "construct of Net takes (x, mask=None)",
    ),
    (f"ms.Model(net, optimizer=optimizer).train(1, {DATA}.batch(2))", TypeError, "loss_fn="),
    ("nn.SequentialCell(net, 3)", TypeError, "must be Cell objects"),
    # shapes, indices and types
    ("ops.matmul(x, x)", RuntimeError, "For 'matmul'", "3 and 2"),
    ("net(ops.ones((2, 5)))", ValueError, "5 elements where 3 are needed", "In cell: Dense"),
    ("ops.concat((x, ops.ones((2, 4))))", ValueError, "tensor 1 has 4", "where 3 are needed"),
    ("ops.stack((x, ops.ones((2, 4))))", ValueError, "For 'stack'", "sizes must match"),
    ("ops.reshape(x, (4, 2))", ValueError, "[4, 2] does not hold the 6 elements"),
    ("x[5]", IndexError, "axis 0 of a Tensor of shape (2, 3) takes -2 to 1"),
    ("x[0, 3]", IndexError, "axis 1 of a Tensor of shape (2, 3) takes -3 to 2"),
    ("x[:0][0]", IndexError, "no element along axis 0"),
    ("x[0, 0, 0]", IndexError, "3 axes of a Tensor of shape (2, 3)"),
    ("x[1.5]", IndexError, "float", "use integers, slices"),
    ("if x: pass", ValueError, "only one element", "(2, 3)"),
    ("ops.relu(torch.ones(2))", TypeError, "got 'torch.Tensor'", "agar.from_torch(t)"),
    ("net(torch.ones(2, 3))", TypeError, "got 'torch.Tensor'", "agar.from_torch(t)"),
    ("ops.relu(np.ones(2))", TypeError, "got 'ndarray'", "ms.Tensor(array)"),
    ("ms.from_numpy(torch.ones(2))", TypeError, "got torch.Tensor", "agar.from_torch(t)"),
    ("net.weight.set_data(torch.ones(2))", TypeError, "got torch.Tensor"),
]


def run(program: str) -> None:
    net = nn.Dense(3, 4)
    names = {
        "dataset": dataset,
        "mint": mint,
        "ms": ms,
        "net": net,
        "nn": nn,
        "np": np,
        "ops": ops,
        "optimizer": nn.SGD(net.trainable_params(), 0.1),
        "torch": torch,
        "x": ops.ones((2, 3)),
    }
    exec(textwrap.dedent(program), names)


def answers() -> Iterator[list[object]]:
    """The classes of the error that each program ends with, and what it shows."""
    for program, *_ in PROGRAMS:
        try:
            run(program)
        except Exception as error:
            shown = "\n".join([str(error), *getattr(error, "__notes__", ())])
            yield [[cls.__name__ for cls in type(error).__mro__], shown]
        else:
            yield [[], "nothing was raised"]


@pytest.fixture(scope="module")
def answered():
    # in a process of its own: where another test has given agar MindSpore's name, programs find
    # some of PyTorch's names too
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=[p for p, *_ in PROGRAMS])
def test_a_mistake_is_answered_with_what_to_write(answered, number):
    _, kind, *words = PROGRAMS[number]
    kinds, shown = answered[number]
    assert kind.__name__ in kinds, shown
    for word in words:
        assert word in shown


def test_hints_are_looked_for_when_a_message_is_shown(monkeypatch):
    def fail(*args: object) -> Iterator[str]:
        raise AssertionError("hasattr needs no hint")

    monkeypatch.setattr("agar._core.hints._hint", fail)
    for owner in (ms, nn, ops, mint, ms.numpy, ops.ones(2), nn.Dense(2, 2)):
        assert not hasattr(owner, "sofmax")


def test_python_proposes_names_of_tensors_where_it_shows_an_error(capsys):
    with pytest.raises(AttributeError) as caught:
        ops.ones(2).reshap(2)
    sys.__excepthook__(type(caught.value), caught.value, None)
    assert "Did you mean: 'reshape'?" in capsys.readouterr().err


def test_names_that_tensors_lack_are_not_listed():
    x = ops.ones(2)
    for name in ("relu", "grad", "squeeze_"):
        assert name not in dir(x)
        assert name not in dir(ms.Tensor)
        assert not hasattr(ms.Tensor, name)
    assert {"reshape", "T", "asnumpy"} <= set(dir(x))
    x.relu = 1
    assert x.relu == 1
    assert "relu" in dir(x)


def test_an_error_of_a_missing_name_is_an_attribute_error_like_others():
    with pytest.raises(AttributeError) as caught:
        _ = ops.sofmax
    error = caught.value
    assert type(error) is MissingName
    assert type(error).__name__ == "AttributeError"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is AttributeError
    assert str(again) == str(error)


def test_private_names_get_no_hint():
    with pytest.raises(AttributeError) as caught:
        _ = ops._sofmax
    assert "did you mean" not in str(caught.value)


def test_a_function_that_refuses_keywords_keeps_its_signature():
    import inspect

    assert list(inspect.signature(ops.softmax).parameters) == ["input", "axis", "dtype"]
    assert list(inspect.signature(nn.Dense).parameters)[:2] == ["in_channels", "out_channels"]


class Listed(nn.Cell):
    """A network that holds a cell in a plain list."""

    def __init__(self, held: object, register: bool = False) -> None:
        super().__init__()
        self.held = held
        if register:
            self.other = held[0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("held", "instead"),
    [
        (lambda: [nn.Dense(2, 2)], "nn.CellList"),
        (lambda: {"a": nn.Dense(2, 2)}, "nn.CellDict"),
        (lambda: [ms.Parameter(1.0)], "ms.ParameterTuple"),
    ],
)
def test_cells_in_plain_containers_are_warned_of_once(held, instead):
    net = Listed(held())
    with pytest.warns(UserWarning, match=f"'held' of 'Listed'.*{instead}"):
        assert net.trainable_params() == []
    net.trainable_params()


def test_cells_that_are_registered_or_need_no_gradient_are_not_warned_of():
    frozen = nn.Dense(2, 2)
    for p in frozen.get_parameters():
        p.requires_grad = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Listed([frozen]).trainable_params()
        assert len(Listed([nn.Dense(2, 2)], register=True).trainable_params()) == 2


def test_a_model_that_trains_nothing_says_so(caplog):
    caplog.set_level(logging.WARNING, "agar")
    rows = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
    ms.Model(nn.Dense(2, 1), nn.MSELoss()).train(1, rows)
    (record,) = caplog.records
    assert "nothing is trained. Give Model an optimizer" in record.getMessage()


def test_has_key_of_dicts_says_what_to_write():
    """MindSpore 2.10 has it in compiled code only; in PYNATIVE_MODE it raises this error too."""

    class Net(nn.Cell):
        def construct(self, x):
            return {"a": x}.has_key("a")  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match=r"no attribute 'has_key'\..*Write 'key in d'"):
        Net()(ms.Tensor(1.0))


if __name__ == "__main__":
    print(json.dumps(list(answers())))


@pytest.mark.parametrize(
    ("make", "call"),
    [
        (lambda x: nn.ReLU(x), "nn.ReLU()(...)"),
        (lambda x: ops.ReduceMean(x), "ops.ReduceMean()(...)"),
        (lambda x: ops.Concat((x, x)), "ops.Concat()(...)"),
        (lambda x: ops.MatMul(x, x), "ops.MatMul()(...)"),
        (lambda x: type("Own", (nn.Cell,), {})(x), "Own()(...)"),
    ],
)
def test_a_constructor_that_is_given_the_input(make, call):
    with pytest.raises(TypeError, match=re.escape(f"then call it: {call}")):
        make(ms.Tensor([1.0]))


def test_misspelt_activations_and_methods_of_datasets():
    with pytest.raises(KeyError, match="did you mean 'relu'"):
        nn.Dense(3, 4, activation="rellu")
    rows = dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    with pytest.raises(AttributeError, match="did you mean 'create_dict_iterator'"):
        rows.create_dict_iter()
    with pytest.raises(TypeError, match=r"^Dataset\.shuffle\(\) missing"):
        rows.shuffle()
    assert not hasattr(rows, "nothing")


def test_errors_of_transforms_name_no_line_of_the_package():
    rows = dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    with pytest.raises(RuntimeError, match=r"decode it first with vision\.Decode\(\)\.$"):
        list(rows.map(dataset.vision.Resize(4), "x"))
    with pytest.raises(RuntimeError, match=r"test_error_hints.*user defined Python function"):
        list(rows.map(lambda x: x.nothing, "x"))


@pytest.mark.parametrize(
    ("make", "inputs", "words"),
    [
        (nn.FocalLoss, (3, ms.Tensor([1])), "for 'FocalLoss', the input 'logits' must be a Tensor"),
        (nn.Softmax2d, ([1],), "the input 'x' must be a Tensor, but got [1]"),
        (lambda: nn.CosineDecayLR(0.1, 1.0, 3), (None,), "'global_step' must be a Tensor"),
    ],
)
def test_an_input_that_is_no_tensor_is_named(make, inputs, words):
    with pytest.raises(AttributeError, match=re.escape(words)):
        make()(*inputs)


def test_missing_attributes_of_other_values_are_no_inputs():
    class Net(nn.Cell):
        def construct(self, x):
            return x.ndimm

    with pytest.raises(AttributeError) as caught:
        Net()(3)
    assert str(caught.value) == "'int' object has no attribute 'ndimm'"


def test_a_range_that_is_not_finite():
    with pytest.raises(ValueError, match=r"For 'histc', the range \[nan, 3\] .* must be finite"):
        ops.histc(ms.Tensor([1.0]), 3, float("nan"), 3.0)
