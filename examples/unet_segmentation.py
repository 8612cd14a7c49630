"""A small U-Net that finds handwritten digits in noisy pictures.

agar run examples/unet_segmentation.py          on agar
python examples/unet_segmentation.py            on MindSpore
"""

import argparse

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from example_data import digits
from mindspore import nn, ops
from mindspore.train import Callback, Metric, Model


def two_convolutions(inputs, outputs):
    """The part that a U-Net is made of."""
    return nn.SequentialCell(
        nn.Conv2d(inputs, outputs, 3, has_bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
        nn.Conv2d(outputs, outputs, 3, has_bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class UNet(nn.Cell):
    """Pictures (N, 1, H, W) to scores of each pixel (N, 1, H, W)."""

    def __init__(self, width=8):
        super().__init__()
        self.down1 = two_convolutions(1, width)
        self.down2 = two_convolutions(width, 2 * width)
        self.middle = two_convolutions(2 * width, 4 * width)
        self.pool = nn.MaxPool2d(2, 2)
        self.up2 = nn.Conv2dTranspose(4 * width, 2 * width, 2, stride=2)
        self.join2 = two_convolutions(4 * width, 2 * width)
        self.up1 = nn.Conv2dTranspose(2 * width, width, 2, stride=2)
        self.join1 = two_convolutions(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1, has_bias=True)

    def construct(self, x):
        """Scores of the pixels."""
        first = self.down1(x)
        second = self.down2(self.pool(first))
        x = self.middle(self.pool(second))
        x = self.join2(ops.concat((self.up2(x), second), axis=1))
        x = self.join1(ops.concat((self.up1(x), first), axis=1))
        return self.out(x)


class Loss(nn.LossBase):
    """Cross entropy of the pixels plus what Dice's coefficient lacks."""

    def __init__(self):
        super().__init__()
        self.pixels = nn.BCEWithLogitsLoss()

    def construct(self, scores, mask):
        """Of scores and masks of one shape."""
        found = ops.sigmoid(scores)
        both = (found * mask).sum()
        dice = (2 * both + 1) / (found.sum() + mask.sum() + 1)
        return self.pixels(scores, mask) + (1 - dice)


class Overlap(Metric):
    """Intersection over union of all pixels."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forget."""
        self.both = self.either = 0

    def update(self, *inputs):
        """Count the pixels of scores and masks."""
        found = self._convert_data(inputs[0]) > 0
        mask = self._convert_data(inputs[1]) > 0.5
        self.both += int((found & mask).sum())
        self.either += int((found | mask).sum())

    def eval(self):
        """The part of the pixels that both have."""
        return self.both / max(self.either, 1)


class Curve(Callback):
    """Keeps the losses."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        """Keep the loss of a step."""
        self.losses.append(float(run_context.original_args().net_outputs.asnumpy()))


class Pictures:
    """Two digits at random places of a noisy picture, and the mask of their pixels."""

    def __init__(self, images, count, size=24):
        dice = np.random.default_rng(0)
        self.pictures = dice.normal(0, 0.25, (count, 1, size, size)).astype(np.float32)
        self.masks = np.zeros((count, 1, size, size), np.float32)
        for picture, mask in zip(self.pictures, self.masks, strict=True):
            for _ in range(2):
                image = images[dice.integers(len(images)), 0]
                y, x = dice.integers(0, size - 8, 2)
                picture[0, y : y + 8, x : x + 8] += image
                mask[0, y : y + 8, x : x + 8] = np.maximum(
                    mask[0, y : y + 8, x : x + 8], image > 0.3
                )

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        return self.pictures[index], self.masks[index]


def main():
    """Train and evaluate."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--pictures", type=int, default=240)
    parser.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    parser.add_argument("--digits", help="scikit-learn's digits.csv.gz")
    parser.add_argument("--curve", help="write the losses to this file")
    options = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if options.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(4)

    images, _ = digits(options.digits)
    names = ["picture", "mask"]
    train = ds.GeneratorDataset(Pictures(images[:1500], options.pictures), names, shuffle=True)
    train = train.batch(16, drop_remainder=True)
    test = ds.GeneratorDataset(Pictures(images[1500:], 48), names, shuffle=False).batch(16)

    net = UNet()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=5e-3)
    model = Model(net, Loss(), optimizer, metrics={"overlap": Overlap()})
    curve = Curve()
    for epoch in range(options.epochs):
        model.train(1, train, callbacks=[curve], dataset_sink_mode=False)
        overlap = model.eval(test, dataset_sink_mode=False)["overlap"]
        print(f"epoch {epoch + 1}: loss {curve.losses[-1]:.4f}, overlap {overlap:.4f}")
    if options.curve:
        np.savetxt(options.curve, curve.losses)


if __name__ == "__main__":
    main()
