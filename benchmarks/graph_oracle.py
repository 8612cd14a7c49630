"""The networks of benchmarks/graph.py as MindSpore programs, and the MindSpore side of it.

The Cells below know MindSpore only. `graph.py` imports this file after ``agar.alias_mindspore()``,
so agar runs the same source. Under a Python that has MindSpore the file is a worker: `graph.py`
starts it, sends a number of calls by line of standard input, and reads what they took.
"""

from __future__ import annotations

import argparse
import json
import sys
import time

import mindspore as ms  # pyright: ignore[reportMissingImports]
import numpy as np
from mindspore import nn, ops  # pyright: ignore[reportMissingImports]

#: What precedes the lines that `graph.py` reads; MindSpore prints others.
MARK = "@@"


def convolution(cin, cout, kernel, stride=1, bias=False):
    return nn.Conv2d(cin, cout, kernel, stride, "pad", kernel // 2, has_bias=bias)


class MLP(nn.SequentialCell):
    def __init__(self):
        layers = nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10)
        super().__init__(*layers)


class CNN(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = convolution(3, 12, 3, bias=True), nn.BatchNorm2d(12)
        self.conv2, self.bn2 = convolution(12, 4, 3, bias=True), nn.BatchNorm2d(4)
        self.relu, self.pool = nn.ReLU(), nn.MaxPool2d(2, 2)
        self.fc = nn.Dense(4 * 16 * 16, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        x = self.pool(self.relu(self.bn2(self.conv2(x))))
        return self.fc(x.reshape(x.shape[0], -1))


class Basic(nn.Cell):
    def __init__(self, cin, width, stride):
        super().__init__()
        self.conv1, self.bn1 = convolution(cin, width, 3, stride), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = convolution(width, width, 3), nn.BatchNorm2d(width)
        self.relu, self.down = nn.ReLU(), None
        if stride != 1 or cin != width:
            self.down = nn.SequentialCell(convolution(cin, width, 1, stride), nn.BatchNorm2d(width))

    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        if self.down is not None:
            x = self.down(x)
        return self.relu(y + x)


class Bottleneck(nn.Cell):
    def __init__(self, cin, width, stride):
        super().__init__()
        cout = 4 * width
        self.conv1, self.bn1 = convolution(cin, width, 1), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = convolution(width, width, 3, stride), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = convolution(width, cout, 1), nn.BatchNorm2d(cout)
        self.relu, self.down = nn.ReLU(), None
        if stride != 1 or cin != cout:
            self.down = nn.SequentialCell(convolution(cin, cout, 1, stride), nn.BatchNorm2d(cout))

    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        if self.down is not None:
            x = self.down(x)
        return self.relu(y + x)


class ResNet(nn.Cell):
    def __init__(self, counts, bottleneck, classes):
        super().__init__()
        self.conv, self.bn = convolution(3, 64, 7, 2), nn.BatchNorm2d(64)
        self.relu, self.pool = nn.ReLU(), nn.MaxPool2d(3, 2, "pad", 1)
        block, grow = (Bottleneck, 4) if bottleneck else (Basic, 1)
        blocks, cin = [], 64
        for stage, count in enumerate(counts):
            width = 64 * 2**stage
            for i in range(count):
                blocks.append(block(cin, width, 2 if stage and not i else 1))
                cin = width * grow
        self.blocks = nn.SequentialCell(*blocks)
        self.fc = nn.Dense(cin, classes)

    def construct(self, x):
        x = self.pool(self.relu(self.bn(self.conv(x))))
        return self.fc(self.blocks(x).mean((2, 3)))


class Encoder(nn.Cell):
    def __init__(self, width, heads, inner, layers, classes):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, heads, inner, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.fc = nn.Dense(width, classes)

    def construct(self, x):
        return self.fc(self.encoder(x).mean(1))


class GPTBlock(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up, self.down = nn.Dense(width, 4 * width), nn.Dense(4 * width, width)

    def construct(self, x, mask):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False, attn_mask=mask)[0]
        return x + self.down(ops.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT(nn.Cell):
    """GPT-2: norms first, the embedding is the output layer too. Gives logits by token."""

    def __init__(self, vocabulary, width, heads, layers, length):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.position = ms.Parameter(ms.Tensor(np.zeros((length, width), np.float32)))
        self.blocks = nn.CellList([GPTBlock(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.mask = ms.Tensor(np.triu(np.ones((length, length), bool), 1))
        self.width = width

    def construct(self, x):
        x = self.embed(x) + self.position
        for block in self.blocks:
            x = block(x, self.mask)
        x = self.norm(x).reshape(-1, self.width)
        return ops.matmul(x, self.embed.embedding_table.swapaxes(0, 1))


class ViT(nn.Cell):
    """A vision transformer: patches, a token for the class, norms first."""

    def __init__(self, size, patch, width, heads, layers, classes):
        super().__init__()
        count = (size // patch) ** 2 + 1
        self.patches = nn.Conv2d(3, width, patch, patch, "valid", has_bias=True)
        self.token = ms.Parameter(ms.Tensor(np.zeros((1, 1, width), np.float32)))
        self.position = ms.Parameter(ms.Tensor(np.zeros((1, count, width), np.float32)))
        self.blocks = nn.CellList([GPTBlock(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.fc = nn.Dense(width, classes)

    def construct(self, x):
        x = self.patches(x)
        x = x.reshape(x.shape[0], x.shape[1], -1).swapaxes(1, 2)
        token = ops.broadcast_to(self.token, (x.shape[0], 1, x.shape[2]))
        x = ops.cat((token, x), 1) + self.position
        for block in self.blocks:
            x = block(x, None)
        return self.fc(self.norm(x[:, 0]))


class Tagger(nn.Cell):
    """A label for each word of sentences, whose lengths change from batch to batch."""

    def __init__(self, vocabulary, width, classes):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, 1, batch_first=True, bidirectional=True)
        self.fc = nn.Dense(2 * width, classes)
        self.classes = classes

    def construct(self, x):
        return self.fc(self.lstm(self.embed(x))[0]).reshape(-1, self.classes)


class Detector(nn.Cell):
    """A single-shot detector: class logits of the boxes at three sizes, joined to one row."""

    def __init__(self, base, boxes, classes):
        super().__init__()
        self.conv, self.bn, self.relu = convolution(3, base, 3, 2), nn.BatchNorm2d(base), nn.ReLU()
        wide = [base, 2 * base, 4 * base, 8 * base]
        self.stages = nn.CellList([Basic(wide[i], wide[i + 1], 2) for i in range(3)])
        heads = [convolution(w, boxes * classes, 3, bias=True) for w in wide[1:]]
        self.heads, self.classes = nn.CellList(heads), classes

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        found = []
        for i in range(3):
            x = self.stages[i](x)
            found.append(self.heads[i](x).permute(0, 2, 3, 1).reshape(-1, self.classes))
        return ops.cat(found)


class LSTM(nn.Cell):
    def __init__(self, inputs, width, layers, classes):
        super().__init__()
        self.lstm = nn.LSTM(inputs, width, layers, batch_first=True)
        self.fc = nn.Dense(width, classes)

    def construct(self, x):
        return self.fc(self.lstm(x)[0][:, -1])


class Twice(nn.Cell):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv1, self.bn1 = convolution(cin, cout, 3), nn.BatchNorm2d(cout)
        self.conv2, self.bn2 = convolution(cout, cout, 3), nn.BatchNorm2d(cout)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))))


class UNet(nn.Cell):
    def __init__(self, depth, base, classes):
        super().__init__()
        self.depth, self.pool = depth, nn.MaxPool2d(2, 2)
        wide = [base * 2**i for i in range(depth + 1)]
        self.downs = nn.CellList([Twice(wide[i - 1] if i else 3, wide[i]) for i in range(depth)])
        self.bottom = Twice(wide[depth - 1], wide[depth])
        back = list(reversed(range(depth)))
        self.ups = nn.CellList(
            [nn.Conv2dTranspose(wide[i + 1], wide[i], 2, 2, has_bias=True) for i in back]
        )
        self.joins = nn.CellList([Twice(wide[i + 1], wide[i]) for i in back])
        self.head = convolution(base, classes, 1, bias=True)

    def construct(self, x):
        kept = []
        for down in self.downs:
            x = down(x)
            kept.append(x)
            x = self.pool(x)
        x = self.bottom(x)
        for i in range(self.depth):
            x = ops.cat((kept[self.depth - 1 - i], self.ups[i](x)), 1)
            x = self.joins[i](x)
        return self.head(x)


def prepared(net, training, rate, momentum, jit=False):
    """What is called with ``(x, y)`` in training and ``(x,)`` otherwise, and its optimizer.

    Without `jit` it is a Cell, for GRAPH_MODE; with it, a function or Cell under ``ms.jit``.
    """
    if not training:
        net.set_train(False)
        return (ms.jit(net) if jit else net), None
    net.set_train()
    loss = nn.CrossEntropyLoss()
    optimizer = nn.Momentum(net.trainable_params(), rate, momentum)
    if not jit:
        return nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer).set_train(), optimizer

    def forward(x, y):
        return loss(net(x), y)

    take = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        value, gradients = take(x, y)
        optimizer(gradients)
        return value

    return step, optimizer


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", help=".npz with weights and batches; results are put beside it")
    parser.add_argument("--cell", required=True)
    parser.add_argument("--arguments", default="[]", help="of the cell, as JSON")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--graph", action="store_true", help="GRAPH_MODE instead of PYNATIVE_MODE")
    options = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if options.graph else ms.PYNATIVE_MODE, device_target="CPU")
    given = np.load(options.file)
    net = globals()[options.cell](*json.loads(options.arguments))
    for name, parameter in net.parameters_and_names():
        parameter.set_data(ms.Tensor(given[f"weight {name}"]))
    names = ("x", "y") if options.train else ("x",)
    batches = []
    while f"x {len(batches)}" in given:
        batches.append([ms.Tensor(given[f"{name} {len(batches)}"]) for name in names])
    target, _ = prepared(net, options.train, options.rate, options.momentum)

    count = 0

    def calls(number):
        """Run the next calls; the last result is waited for, since kernels run on their own."""
        nonlocal count
        result = None
        for _ in range(number):
            result = target(*batches[count % len(batches)])
            count += 1
        return np.asarray(None if result is None else result.asnumpy())

    def say(**what):
        print(MARK + json.dumps(what), flush=True)

    start = time.perf_counter()
    results = [calls(1)]
    first = time.perf_counter() - start
    while len(results) < 3 and time.perf_counter() - start < 20:  # fewer of a slow one
        results.append(calls(1))
    np.savez(options.file.replace(".npz", ".out.npz"), *results)
    say(first=first, version=ms.__version__)
    for line in sys.stdin:
        start = time.perf_counter()
        calls(int(line))
        say(seconds=time.perf_counter() - start)


if __name__ == "__main__":
    main()
