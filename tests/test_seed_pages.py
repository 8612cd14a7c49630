"""Every example of the five pages of the guide runs from the pages themselves.

A page is run block by block in a fresh process under the alias, in PYNATIVE_MODE, and each block
must print what real MindSpore 2.10 printed (figures below), or fail in the way it fails there.
"""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import pytest

import forked

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT.parent / "shared" / "seeds").glob("*.txt"))
FENCED, PLAIN = PAGES[:4], PAGES[4:]

pytestmark = pytest.mark.skipif(
    not PAGES, reason="the guide's pages (../shared/seeds) are not beside this checkout"
)


# ---------------------------------------------------------------- what a block must print


def prints(text):
    """Exactly this, but for white space at the ends of lines."""
    lines = textwrap.dedent(text).strip("\n").splitlines()

    def check(printed):
        assert [line.rstrip() for line in printed.splitlines()] == [s.rstrip() for s in lines]

    return check, None, ""


def fails(kind, words):
    """Prints nothing and raises."""
    return (lambda printed: None), kind, words


def small(printed):
    assert 0 <= float(printed) < 5e-5


def saved_and_loaded(printed):
    """Random weights, the dictionary, the same weights read back, then ones."""
    lines = printed.splitlines()
    assert re.fullmatch(rf"weight \[\[\s*{NUMBER}\s+{NUMBER}\s*\]\]", lines[0])
    assert re.fullmatch(rf"bias \[\s*{NUMBER}\s*\]", lines[1])
    assert lines[2] == "{'weight': " + WEIGHT[1:] + ", 'bias': " + BIAS[:-1] + "}"
    assert lines[3:5] == lines[:2]
    assert lines[5:] == ["weight [[1. 1.]]", "bias [1.]"]


SILENT = prints("")
NUMBER = r"-?\d+(\.\d*)?(e[-+]\d+)?"
WEIGHT = "[Parameter (name=weight, shape=(1, 2), dtype=Float32, requires_grad=True)"
BIAS = "Parameter (name=bias, shape=(1,), dtype=Float32, requires_grad=True)]"

FIRST_X = """
    x [[1.2510660e+00 2.1609735e+00 3.4312444e-04 9.0699774e-01 4.4026768e-01]
     [2.7701578e-01 5.5878061e-01 1.0366821e+00 1.1903024e+00 1.6164502e+00]]
"""
FIRST_FORWARD = """
    pos_values forword [[0.90699774 2.1609735  0.90699774]
     [0.5587806  1.6164502  0.5587806 ]]
    pos_indices forword [[3 1 3]
     [1 4 1]]
"""
SECOND_FORWARD = """
    pos_values forword [[0.90699774 1.251066   2.1609735 ]
     [1.1903024  1.1903024  0.5587806 ]]
    pos_indices forword [[3 0 1]
     [3 3 1]]
"""
SECOND_RUN = """
    x [[1.2519144  1.6760695  0.42116082 0.59430444 2.4022336 ]
     [2.9047847  0.9402725  2.076968   2.6291676  2.68382   ]]
    pos_values forword [[1.2519144 1.2519144 1.6760695]
     [2.6291676 2.076968  0.9402725]]
    pos_indices forword [[0 0 1]
     [3 2 1]]
"""
BACKWARD = """
    pos_indices backward [[3 1 3]
     [1 4 1]]
    grad_x backward [[1. 1. 1.]
     [1. 1. 1.]]
"""
ZEROS = """
    dx [[0. 0. 0. 0. 0.]
     [0. 0. 0. 0. 0.]]
"""
ZEROS_TUPLE = """
    dx (Tensor(shape=[2, 5], dtype=Float32, value=
    [[ 0.00000000e+00,  0.00000000e+00,  0.00000000e+00,  0.00000000e+00,  0.00000000e+00],
     [ 0.00000000e+00,  0.00000000e+00,  0.00000000e+00,  0.00000000e+00,  0.00000000e+00]]),)
"""
COUNTS = """
    dx [[0. 1. 0. 2. 0.]
     [0. 2. 0. 0. 1.]]
"""
COUNTS_TUPLE = """
    dx (Tensor(shape=[2, 5], dtype=Float32, value=
    [[ 0.00000000e+00,  1.00000000e+00,  0.00000000e+00,  2.00000000e+00,  0.00000000e+00],
     [ 0.00000000e+00,  2.00000000e+00,  0.00000000e+00,  0.00000000e+00,  1.00000000e+00]]),)
"""


def joined(*parts):
    return prints("\n".join(textwrap.dedent(p).strip("\n") for p in parts))


# The first row whose words all stand in a block says what that block does. `older` marks the page
# that differentiates with GradOperation and whose examples are partly broken.
def expectation(block, older):
    has = lambda *words: all(word in block for word in words)  # noqa: E731
    if has("mindvision"):
        return fails("ModuleNotFoundError", "mindvision")
    if has("class MyCell(nn.Cell)", "inner_net"):
        return prints(
            "[Parameter (name=net.weight, shape=(240, 120, 4, 4), dtype=Float32, "
            "requires_grad=True)]"
        )
    if has("class MyCell_pt"):
        return prints("torch.Size([240, 120, 4, 4])")
    if has('mode="pad"', "inner_net"):
        if "pad_mode" not in block:
            return fails("TypeError", "unexpected keyword argument 'mode'")
        return small, None, ""
    if has("y_ms = my_net"):
        if "import torch" not in block:
            return fails("NameError", "name 'torch' is not defined")
        return fails(
            "ValueError",
            "operands could not be broadcast together with shapes (2,240,12,12) (2,240,9,9)",
        )
    if has("class Network"):
        return SILENT
    if has("nn.Linear(2, 1)", "requires_grad"):
        return prints("Parameter Name: weight\nParameter Name: bias\nParameter Name: weight")
    if has("param.requires_grad = False"):
        frozen = WEIGHT + "]"
        return prints(f"{WEIGHT}, {BIAS}\n{frozen}")
    if has("ops.stop_gradient(a)"):
        return fails("NameError", "name 'A' is not defined")
    if has("save_checkpoint"):
        return saved_and_loaded, None, ""
    if has("linear_layer_params"):
        one = "Parameter containing:\ntensor([[1., 1.]], requires_grad=True)\n"
        zero = "Parameter containing:\ntensor([0.], requires_grad=True)\n"
        title = "linear layer parameters:\n"
        return prints(f"Original {title}{one}{zero}Loaded {title}{one}{zero}")
    if has("insert_child_to_cell"):
        conv = "<class 'mindspore.nn.layer.conv.Conv2d'>"
        block_ = "sequential_block"
        relu = "<class 'mindspore.nn.layer.activation.ReLU'>"
        return prints(
            "Cell name: , type: <class '__main__.MyCell'>\n"
            f"Cell name: conv1, type: {conv}\nCell name: conv2, type: {conv}\n"
            f"Cell name: conv3, type: {conv}\n"
            f"Cell name: {block_}, type: <class 'mindspore.nn.layer.container.SequentialCell'>\n"
            f"Cell name: {block_}.0, type: {relu}\nCell name: {block_}.1, type: {conv}\n"
            f"Cell name: {block_}.2, type: {relu}"
        )
    if has("add_module"):
        conv = "<class 'torch.nn.modules.conv.Conv2d'>"
        relu = "<class 'torch.nn.modules.activation.ReLU'>"
        block_ = "sequential_block"
        return prints(
            "Module name: , type: <class '__main__.MyModule'>\n"
            f"Module name: conv1, type: {conv}\nModule name: conv2, type: {conv}\n"
            f"Module name: conv3, type: {conv}\n"
            f"Module name: {block_}, type: <class 'torch.nn.modules.container.Sequential'>\n"
            f"Module name: {block_}.0, type: {relu}\nModule name: {block_}.1, type: {conv}\n"
            f"Module name: {block_}.2, type: {relu}"
        )
    if has("class MySampler", "def bprop"):
        return joined(FIRST_X, FIRST_FORWARD, BACKWARD, COUNTS_TUPLE if older else COUNTS)
    if has("class MySampler"):
        zeros = ZEROS_TUPLE if older else ZEROS
        return joined(FIRST_X, FIRST_FORWARD, SECOND_FORWARD, zeros)
    if has("MySampler(3).set_grad()"):
        return joined(SECOND_RUN, ZEROS_TUPLE if older else ZEROS)
    if has('print("box_select_ms"'):
        return prints(
            "box_select_ms [0.14675589 0.09233859 0.18626021 0.34556073]\n"
            "box_select_torch tensor([[0.1468, 0.0923, 0.1863, 0.3456]])"
        )
    if has('print("cls_loss_ms"'):
        return prints(
            """
            pred [[4.17021990e-01 7.20324516e-01]
             [1.14374816e-04 3.02332580e-01]
             [1.46755889e-01 9.23385918e-02]
             [1.86260208e-01 3.45560730e-01]
             [3.96767467e-01 5.38816750e-01]]
            label [-1  0  1  1  0]
            cls_loss_pt tensor(0.7207)
            cls_loss_ms 0.7207259
            """
        )
    if has("cond = (x > 0.5).any()"):
        x = """
            [4.17021990e-01 7.20324516e-01 1.14374816e-04 3.02332580e-01
             1.46755889e-01 9.23385918e-02 1.86260208e-01 3.45560730e-01
             3.96767467e-01 5.38816750e-01]
            True
        """
        if "masked_select" in block:
            return joined(x, "[0.7203245  0.53881675]")
        return joined(
            x,
            """
            [0.         0.7203245  0.         0.         0.         0.
             0.         0.         0.         0.53881675]
            """,
        )
    if has("ops.uniform((1, 4)"):  # set_seed(1) ran earlier on the page
        return prints(
            """
            [[1.5108306 1.7556617 1.5683985 1.8572192]]
            [[1.7407384 1.1011323 1.6430053 1.1294014]]
            [[1.0267524 1.0000832 1.4952985 1.4200263]]
            [[1.279924  1.4448535 1.4793525 1.5270053]]
            """
        )
    if has("net = Net()"):
        return fails("NameError", "name 'Net' is not defined")
    known_silent = (
        "def box_select",
        "class ClassLoss",
        "torch.nn.init.uniform_",
        "initializer(Uniform()",
        "torch.nn.Linear(3, 4)",
        "mindspore.nn.Dense(3, 4)",
        "torch.Generator()",
    )
    assert any(word in block for word in known_silent), f"an example nobody expected:\n{block}"
    return SILENT


# -------------------------------------------------------------------------------- pages


def fenced_blocks(page):
    matches = re.findall(
        r"^([ \t]*)```python\n(.*?)^[ \t]*```", page.read_text("utf-8"), re.M | re.S
    )
    return [textwrap.dedent(code) for _, code in matches]


def plain_blocks(page):
    """The page without mark-up has the same examples as the first: found there line by line."""
    lines = [line.rstrip() for line in page.read_text("utf-8").splitlines()]
    filled = [(i, line) for i, line in enumerate(lines) if line]
    blocks, start = [], 0
    for block in fenced_blocks(PAGES[0]):
        expected = [line.rstrip() for line in block.splitlines() if line.strip()]
        start = next(
            i
            for i in range(start, len(filled))
            if [line for _, line in filled[i : i + len(expected)]] == expected
        )
        first, last = filled[start][0], filled[start + len(expected) - 1][0]
        blocks.append("\n".join(lines[first : last + 1]) + "\n")
        start += len(expected)
    return blocks


def blocks_of(page):
    return plain_blocks(page) if page in PLAIN else fenced_blocks(page)


def run_page(blocks, folder):
    out = folder / "results.json"
    (folder / "blocks.json").write_text(json.dumps(blocks), "utf-8")
    runner = Path(__file__).with_name("seed_page_runner.py")
    with open(folder / "blocks.json", "rb") as given:
        done = forked.run(runner, str(out), cwd=folder, stdin=given.fileno())
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:3])
def test_page(page, tmp_path):
    blocks = blocks_of(page)
    older = any('mode="pad")' in b and "pad_mode" not in b for b in blocks)
    for number, (block, (printed, kind, message)) in enumerate(
        zip(blocks, run_page(blocks, tmp_path), strict=True)
    ):
        check, expected_kind, words = expectation(block, older)
        assert kind == expected_kind, f"block {number}: {kind}: {message}\n{block}"
        assert words in message, f"block {number}: {message}"
        try:
            check(printed)
        except AssertionError as error:
            raise AssertionError(f"block {number} printed\n{printed}\n{block}") from error


def test_the_count_in_the_readme():
    count = sum(len(blocks_of(page)) for page in PAGES)
    assert f"{count} of {count}" in (ROOT / "README.md").read_text("utf-8")


MIXED = """
import numpy as np
try:
    net(ms.Tensor(np.ones((2, 3, 20, 20), np.float32)))
except TypeError as error:
    print(type(error).__name__, "out_channels" in str(error))
print((ms.Tensor([1.0]) * 2).dtype)
"""
REPAIRED = """
net(ms.Tensor(np.ones((2, 3, 20, 20), np.float32)))
seen = {}
for name, cell in net.cells_and_names():
    if not cell.name_cells():
        cell.register_forward_hook(lambda c, i, o, name=name: seen.update({name: str(o.dtype)}))
out = net(ms.Tensor(np.random.rand(2, 3, 20, 20).astype(np.float32)))
print([seen[f"layer1.{i}"] for i in range(4)], seen["fc"], out.shape, out.dtype)
value = net_with_loss(
    ms.Tensor(np.random.rand(2, 3, 20, 20).astype(np.float32)), ms.Tensor([1, 2], ms.int32)
)
print(value.dtype, value.shape, 1.8 < float(value) < 2.8)
"""


@pytest.mark.parametrize("page", FENCED[:2] + FENCED[3:], ids=lambda page: page.name[:3])
def test_manual_mixed_precision_fails_as_written_and_works_repaired(page, tmp_path):
    block = next(
        b for b in fenced_blocks(page) if "class Network(nn.Cell)" in b and "to_float" in b
    )
    assert "nn.Dense(x)" in block
    repaired = block.replace("nn.Dense(x)", "self.fc(x)")
    results = run_page([block, MIXED, repaired, REPAIRED], tmp_path)
    assert [kind for _, kind, _ in results] == [None] * 4, results
    assert results[1][0] == "TypeError True\nFloat32\n"
    half = "Float16"
    assert results[3][0].splitlines() == [
        f"['{half}', 'Float32', '{half}', '{half}'] {half} (2, 10) {half}",
        "Float32 () True",
    ]
