"""A small GPT that learns a short text by heart, letter by letter.

agar run examples/small_gpt.py          on agar
python examples/small_gpt.py            on MindSpore
"""

import argparse
import math

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from example_data import zen
from mindspore import nn, ops
from mindspore.common.initializer import Normal, initializer
from mindspore.ops import functional as F
from mindspore.ops import operations as P


class Attention(nn.Cell):
    """Causal attention of several heads."""

    def __init__(self, size, heads, length):
        super().__init__()
        self.heads, self.size = heads, size
        self.qkv = nn.Dense(size, 3 * size, weight_init=Normal(0.02))
        self.out = nn.Dense(size, size, weight_init=Normal(0.02))
        self.drop = nn.Dropout(p=0.1)
        self.softmax = nn.Softmax(axis=-1)
        self.matmul = P.BatchMatMul()
        self.matmul_t = P.BatchMatMul(transpose_b=True)
        self.mask = ms.Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x):
        """Of (N, T, C)."""
        n, t, _ = x.shape
        qkv = self.qkv(x).reshape(n, t, 3, self.heads, self.size // self.heads)
        qkv = qkv.transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = self.matmul_t(q, k) / math.sqrt(self.size // self.heads)
        weights = self.softmax(scores + self.mask[:t, :t])
        mixed = self.matmul(weights, v).transpose(0, 2, 1, 3).reshape(n, t, self.size)
        return self.drop(self.out(mixed))


class Block(nn.Cell):
    """Attention and two dense layers, each with a residual."""

    def __init__(self, size, heads, length):
        super().__init__()
        self.norm1 = nn.LayerNorm((size,))
        self.attention = Attention(size, heads, length)
        self.norm2 = nn.LayerNorm((size,))
        self.mlp = nn.SequentialCell(
            nn.Dense(size, 4 * size, weight_init=Normal(0.02)),
            nn.GELU(),
            nn.Dense(4 * size, size, weight_init=Normal(0.02)),
            nn.Dropout(p=0.1),
        )

    def construct(self, x):
        """Of (N, T, C)."""
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Cell):
    """Tokens (N, T) to scores of the next ones (N, T, V)."""

    def __init__(self, vocabulary, size=64, layers=2, heads=4, length=64):
        super().__init__()
        self.length = length
        self.tokens = nn.Embedding(vocabulary, size, embedding_table=Normal(0.02))
        self.places = ms.Parameter(initializer(Normal(0.02), (length, size)), name="places")
        self.blocks = nn.CellList([Block(size, heads, length) for _ in range(layers)])
        self.norm = nn.LayerNorm((size,))
        self.head = nn.Dense(size, vocabulary, weight_init=Normal(0.02), has_bias=False)

    def construct(self, tokens):
        """Scores of the next tokens."""
        x = self.tokens(tokens) + self.places[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class WithLoss(nn.Cell):
    """The network and its loss: tokens (N, T + 1) to a number."""

    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net
        self.loss = nn.CrossEntropyLoss()

    def construct(self, tokens):
        """The loss of predicting each token from those before."""
        scores = self.net(tokens[:, :-1])
        return self.loss(scores.reshape(-1, scores.shape[-1]), F.reshape(tokens[:, 1:], (-1,)))


def main():
    """Train and continue the text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    parser.add_argument("--curve", help="write the losses to this file")
    options = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if options.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(3)

    text = zen()
    letters = sorted(set(text))
    tokens = np.array([letters.index(c) for c in text], np.int32)
    length = 48
    pieces = [tokens[i : i + length + 1] for i in range(0, len(tokens) - length - 1, 12)]
    data = ds.NumpySlicesDataset(np.stack(pieces), ["tokens"], shuffle=True)
    data = data.batch(16, drop_remainder=True)

    net = GPT(len(letters))
    decayed = [p for p in net.trainable_params() if "norm" not in p.name]
    others = [p for p in net.trainable_params() if "norm" in p.name]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others}]
    optimizer = nn.AdamWeightDecay(groups, learning_rate=3e-3, beta2=0.95)
    step = nn.TrainOneStepCell(WithLoss(net), optimizer)
    step.set_train()
    losses = []
    for epoch in range(options.epochs):
        for (batch,) in data.create_tuple_iterator(num_epochs=1):
            losses.append(float(step(batch).asnumpy()))
        if epoch % 10 == 9 or epoch == options.epochs - 1:
            print(f"epoch {epoch + 1}: loss {losses[-1]:.4f}")

    net.set_train(False)
    written = [letters.index(c) for c in "Beautiful"]
    for _ in range(40):
        seen = np.array([written[-length:]], np.int32)
        room = np.zeros((1, length), np.int32)  # one size, so that one graph serves all
        room[0, : seen.shape[1]] = seen
        scores = net(ms.Tensor(room))[0, seen.shape[1] - 1]
        written.append(int(ops.argmax(scores, dim=-1).asnumpy()))
    print(repr("".join(letters[i] for i in written)))
    if options.curve:
        np.savetxt(options.curve, losses)


if __name__ == "__main__":
    main()
