"""A bidirectional LSTM that finds the ends of words in a text without spaces.

agar run examples/lstm_tagger.py          on agar
python examples/lstm_tagger.py            on MindSpore
"""

import argparse

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from example_data import zen
from mindspore import nn, ops

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Tagger(nn.Cell):
    """Letters to tags: 1 where a word ends."""

    def __init__(self, size=32):
        super().__init__()
        self.embed = nn.Embedding(len(LETTERS) + 1, size, padding_idx=0)
        self.lstm = nn.LSTM(size, size, num_layers=1, batch_first=True, bidirectional=True)
        self.tag = nn.Dense(2 * size, 2)

    def construct(self, letters):
        """Scores (N, T, 2) for letters (N, T)."""
        hidden, _ = self.lstm(self.embed(letters))
        return self.tag(hidden)


def lines():
    """Each line as numbers of letters and tags."""
    for line in zen().lower().splitlines():
        words = ["".join(c for c in word if c in LETTERS) for word in line.split()]
        words = [word for word in words if word]
        if words:
            letters = [LETTERS.index(c) + 1 for word in words for c in word]
            tags = [int(i == len(word) - 1) for word in words for i in range(len(word))]
            yield np.array(letters, np.int32), np.array(tags, np.int32)


def main():
    """Train on most lines, look at the others."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--mode", choices=("graph", "pynative"), default="pynative")
    parser.add_argument("--curve", help="write the losses to this file")
    options = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if options.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(2)

    data = ds.GeneratorDataset(list(lines()), ["letters", "tags"], shuffle=True)
    # tags of the places that are only there to make lines equally long are -1: they do not count
    data = data.padded_batch(5, pad_info={"letters": ([64], 0), "tags": ([64], -1)})

    net = Tagger()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)

    def forward(letters, tags):
        scores = net(letters)
        return ops.cross_entropy(scores.reshape(-1, 2), tags.reshape(-1), ignore_index=-1)

    compute = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(letters, tags):
        loss, grads = compute(letters, tags)
        optimizer(ops.clip_by_global_norm(grads, 1.0))
        return loss

    losses = []
    net.set_train()
    for epoch in range(options.epochs):
        for letters, tags in data.create_tuple_iterator(num_epochs=1):
            losses.append(float(step(letters, tags).asnumpy()))
        if epoch % 5 == 4 or epoch == options.epochs - 1:
            print(f"epoch {epoch + 1}: loss {losses[-1]:.4f}")

    net.set_train(False)
    right = total = 0
    for letters, tags in data.create_tuple_iterator(num_epochs=1):
        found = net(letters).asnumpy().argmax(-1)
        counts = tags.asnumpy() >= 0
        right += int((found == tags.asnumpy())[counts].sum())
        total += int(counts.sum())
    print(f"tags found: {right / total:.4f}")
    letters, _ = next(lines())
    ends = net(ms.Tensor(letters[None])).asnumpy()[0].argmax(-1)
    shown = zip(letters, ends, strict=True)
    print("".join(LETTERS[letter - 1] + " " * int(end) for letter, end in shown).strip())
    if options.curve:
        np.savetxt(options.curve, losses)


if __name__ == "__main__":
    main()
