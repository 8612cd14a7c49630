"""Handwritten digits with a small convolutional network, in MindSpore's own words.

agar run examples/image_classifier.py          on agar
python examples/image_classifier.py            on MindSpore
"""

import argparse
import os
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from example_data import digits
from mindspore import nn
from mindspore.common.initializer import HeNormal
from mindspore.train import Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint


class Network(nn.Cell):
    """Two convolutions, two dense layers."""

    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 16, 3, weight_init=HeNormal(mode="fan_out", nonlinearity="relu")),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, pad_mode="pad", padding=1, has_bias=True),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
        )
        self.head = nn.SequentialCell(nn.Flatten(), nn.Dense(32 * 4 * 4, 64, activation="relu"))
        self.classify = nn.Dense(64, classes)

    def construct(self, x):
        """Scores of the classes for images (N, 1, 8, 8)."""
        return self.classify(self.head(self.features(x)))


class Curve(Callback):
    """Keeps the losses."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        """Keep the loss of a step."""
        self.losses.append(float(run_context.original_args().net_outputs.asnumpy()))


def pipeline(images, labels, batch, shuffle):
    """Batches of images and labels."""
    data = ds.NumpySlicesDataset(
        {"image": images, "label": labels}, shuffle=shuffle, num_parallel_workers=1
    )
    data = data.map(lambda image: (image - 0.5) / 0.5, input_columns=["image"])
    return data.batch(batch, drop_remainder=shuffle)


def main():
    """Train, evaluate, and load the last checkpoint again."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    parser.add_argument("--digits", help="scikit-learn's digits.csv.gz")
    parser.add_argument("--curve", help="write the losses to this file")
    options = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if options.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)

    images, labels = digits(options.digits)
    train = pipeline(images[:1500], labels[:1500], 60, shuffle=True)
    test = pipeline(images[1500:], labels[1500:], 99, shuffle=False)
    steps = train.get_dataset_size()

    net = Network()
    rate = nn.cosine_decay_lr(0.0, 0.05, steps * options.epochs, steps, options.epochs)
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9, weight_decay=1e-4)
    model = Model(
        net,
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
        optimizer,
        metrics={"accuracy"},
    )
    curve = Curve()
    folder = tempfile.mkdtemp()
    keep = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=2)
    callbacks = [LossMonitor(steps), curve, ModelCheckpoint("digits", folder, keep)]
    model.train(options.epochs, train, callbacks=callbacks, dataset_sink_mode=False)
    accuracy = model.eval(test, dataset_sink_mode=False)["accuracy"]
    print(f"accuracy {accuracy:.4f}")

    last = os.path.join(folder, f"digits-{options.epochs}_{steps}.ckpt")
    fresh = Network()
    ms.load_param_into_net(fresh, ms.load_checkpoint(last))
    fresh.set_train(False)
    scores = fresh(ms.Tensor((images[1500:] - 0.5) / 0.5)).asnumpy()
    print(f"accuracy of the checkpoint {np.mean(scores.argmax(1) == labels[1500:]):.4f}")
    if options.curve:
        np.savetxt(options.curve, curve.losses)


if __name__ == "__main__":
    main()
