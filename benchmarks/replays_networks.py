"""Programs of benchmarks/replays.py whose Python differs from call to call.

Each function gives the step of a training and the step of an inference, as a program calls them in
GRAPH_MODE: sentence lengths, numbers of boxes and the layers that are left out change all the time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import agar as ms
from agar import nn, ops

Step = Callable[[], Any]


# ---------------------------------------------------------------------------------- tagger


class Tagger(nn.Cell):
    """Words (N, T) to scores of their tags (N, T, tags)."""

    def __init__(self, words: int = 50, width: int = 16, tags: int = 5) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.tag = nn.Dense(2 * width, tags)

    def construct(self, words, lengths):
        hidden, _ = self.lstm(self.embed(words), seq_length=lengths)
        return self.tag(hidden)


def tagger() -> tuple[Step, Step]:
    """A tagger of batches that are as long as their longest sentence."""
    net, draw = Tagger(), np.random.default_rng(0)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)

    def forward(words, lengths, tags):
        scores = net(words, lengths)
        flat = scores.reshape(-1, scores.shape[-1])
        return ops.cross_entropy(flat, tags.reshape(-1), ignore_index=-1)

    compute = ms.value_and_grad(forward, None, optimizer.parameters)

    def batch():
        lengths = draw.integers(3, 25, 4)
        longest = int(lengths.max())
        words = draw.integers(1, 50, (4, longest))
        tags = np.where(np.arange(longest) < lengths[:, None], words % 5, -1)
        return [ms.Tensor(v.astype(np.int32)) for v in (words, lengths, tags)]

    def train():
        loss, gradients = compute(*batch())
        optimizer(ops.clip_by_global_norm(gradients, 1.0))
        return loss

    def infer():
        return net(*batch()[:2]).argmax(-1)

    return train, infer


# ------------------------------------------------------------------------------------- GAN


class Generator(nn.Cell):
    """Noise (N, 8) to images (N, 1, 16, 16)."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.width = width
        self.dense = nn.Dense(8, 2 * width * 16)
        self.norm = nn.BatchNorm2d(2 * width)
        self.up = nn.Conv2dTranspose(2 * width, width, 4, 2, "pad", 1)
        self.norm2 = nn.BatchNorm2d(width)
        self.out = nn.Conv2dTranspose(width, 1, 4, 2, "pad", 1)

    def construct(self, noise):
        x = self.dense(noise).reshape(-1, 2 * self.width, 4, 4)
        x = ops.relu(self.norm2(self.up(ops.relu(self.norm(x)))))
        return ops.tanh(self.out(x))


class Discriminator(nn.Cell):
    """Images (N, 1, 16, 16) to scores (N, 1)."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, width, 4, 2, "pad", 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, 2 * width, 4, 2, "pad", 1),
            nn.BatchNorm2d(2 * width),
            nn.LeakyReLU(0.2),
            nn.Flatten(),
            nn.Dense(2 * width * 16, 1),
        )

    def construct(self, x):
        return self.layers(x)


def gan() -> tuple[Step, Step]:
    """DCGAN: two optimizers; the generator is trained in every second step only."""
    generator, discriminator = Generator(), Discriminator()
    loss_of = nn.BCEWithLogitsLoss()
    settings = {"learning_rate": 2e-4, "beta1": 0.5}
    adam_g = nn.Adam(generator.trainable_params(), **settings)
    adam_d = nn.Adam(discriminator.trainable_params(), **settings)
    draw, state = np.random.default_rng(0), {"step": 0}

    def judged(real, noise):
        real_scores = discriminator(real)
        scores = discriminator(ops.stop_gradient(generator(noise)))
        return loss_of(real_scores, ops.ones_like(real_scores)) + loss_of(
            scores, ops.zeros_like(scores)
        )

    def fooled(noise):
        images = generator(noise)
        scores = discriminator(images)
        return loss_of(scores, ops.ones_like(scores)), images

    grad_d = ms.value_and_grad(judged, None, adam_d.parameters)
    grad_g = ms.value_and_grad(fooled, None, adam_g.parameters, has_aux=True)

    def noise():
        return ms.Tensor(draw.standard_normal((4, 8), np.float32))

    def train():
        loss, gradients = grad_d(ms.Tensor(draw.random((4, 1, 16, 16), np.float32)), noise())
        adam_d(gradients)
        state["step"] += 1
        if state["step"] % 2 == 0:
            (loss, _), gradients = grad_g(noise())
            adam_g(gradients)
        return loss

    def infer():
        return generator(noise())

    return train, infer


# -------------------------------------------------------------------------------- detector


def overlaps(a, b):
    """Intersection over union of boxes (N, 4) and (M, 4): (N, M)."""
    low = ops.maximum(a[:, None, :2], b[None, :, :2])
    high = ops.minimum(a[:, None, 2:], b[None, :, 2:])
    both = ops.relu(high - low).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return both / (area_a[:, None] + area_b[None] - both + 1e-6)


class Detector(nn.Cell):
    """Images (N, 3, 32, 32) to boxes (N, 64, 4) and scores (N, 64) at 64 anchors."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(3, width, 3, 2, "pad", 1),
            nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, 2, "pad", 1),
            nn.ReLU(),
        )
        self.head = nn.Conv2d(2 * width, 5, 1)
        y, x = np.meshgrid(np.arange(8), np.arange(8), indexing="ij")
        corner = np.stack([x, y], -1).reshape(-1, 2) * 4.0 - 4
        self.anchors = ms.Tensor(np.concatenate([corner, corner + 12], -1).astype(np.float32))

    def construct(self, images):
        out = self.head(self.features(images)).reshape(images.shape[0], 5, -1).swapaxes(1, 2)
        return self.anchors + 4 * out[..., :4], out[..., 4]


class DetectionLoss(nn.Cell):
    """The loss of images with a list of boxes for each."""

    def __init__(self, net: Detector) -> None:
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, images, targets):
        boxes, scores = self.net(images)
        total = 0.0
        for i, target in enumerate(targets):
            shared = overlaps(self.net.anchors, target)
            best, index = shared.max(1)[0], shared.argmax(1)
            positive = (best > 0.3).astype(ms.float32)
            distance = ops.abs(boxes[i] - target[index]).mean(-1)
            total = total + (distance * positive).sum() / (positive.sum() + 1)
            total = total + ops.binary_cross_entropy_with_logits(
                scores[i], positive, ops.ones_like(positive), ops.ones_like(positive)
            )
        return total / len(targets)


class Suppressed(nn.Cell):
    """Boxes and scores of one image, without those that overlap a better one."""

    def __init__(self, net: Detector, threshold: float = 0.5) -> None:
        super().__init__(auto_prefix=False)
        self.net, self.threshold = net, threshold
        self.nms = ops.NMSWithMask(threshold)

    def construct(self, image):
        boxes, scores = self.net(image)
        rows = ops.cat((boxes[0], scores[0][:, None]), 1)
        kept, _, mask = self.nms(rows)
        return kept[mask]


def detector() -> tuple[Step, Step]:
    """A detector: every image has another number of boxes, in training and after nms."""
    net, draw = Detector(), np.random.default_rng(0)
    loss = DetectionLoss(net)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    compute = ms.value_and_grad(loss, None, optimizer.parameters)
    suppressed = Suppressed(net)

    def images(n):
        return ms.Tensor(draw.standard_normal((n, 3, 32, 32), np.float32))

    def train():
        targets = []
        for _ in range(2):
            corner = draw.random((draw.integers(2, 12), 2)) * 20
            both = np.concatenate([corner, corner + 4 + 8 * draw.random(corner.shape)], 1)
            targets.append(ms.Tensor(both.astype(np.float32)))
        value, gradients = compute(images(2), targets)
        optimizer(gradients)
        return value

    def infer():
        return suppressed(images(1))

    return train, infer


# ------------------------------------------------------------------------------- LayerDrop


class Block(nn.Cell):
    """Attention and two dense layers, each with a residual."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.up, self.down = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)

    def construct(self, x):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.down(ops.gelu(self.up(self.norm2(x))))


class LayerDropTransformer(nn.Cell):
    """Leaves each block out with a probability while it is trained."""

    def __init__(self, width: int = 16, layers: int = 3, probability: float = 0.3) -> None:
        super().__init__()
        self.blocks = nn.CellList([Block(width) for _ in range(layers)])
        self.probability = probability
        self.head = nn.Dense(width, 5)

    def construct(self, x):
        for block in self.blocks:
            if self.training and random.random() < self.probability:
                continue
            x = block(x)
        return self.head(x.mean(1))


def layer_drop() -> tuple[Step, Step]:
    """A transformer with LayerDrop by Python's own generator."""
    random.seed(0)
    net, draw = LayerDropTransformer(), np.random.default_rng(0)
    optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-3)

    def forward(x, y):
        return ops.cross_entropy(net(x), y)

    compute = ms.value_and_grad(forward, None, optimizer.parameters)

    def data():
        return ms.Tensor(draw.standard_normal((4, 6, 16), np.float32))

    def train():
        net.set_train()
        labels = ms.Tensor(draw.integers(0, 5, 4).astype(np.int32))
        loss, gradients = compute(data(), labels)
        optimizer(gradients)
        return loss

    def infer():
        net.set_train(False)
        return net(data())

    return train, infer


#: The rows, by name: the function that builds the two steps.
PROGRAMS: dict[str, Callable[[], tuple[Step, Step]]] = {
    "LSTM tagger, changing lengths": tagger,
    "DCGAN, two optimizers": gan,
    "detector, changing numbers of boxes": detector,
    "transformer with LayerDrop": layer_drop,
}
