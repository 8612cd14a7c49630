"""Handwritten digits, by a network whose stages lie in several processes.

agar run examples/pipeline_digits.py
agar msrun --worker_num=2 --local_worker_num=2 --join=True examples/pipeline_digits.py

One process trains the whole network, two or four have a stage each. The losses are the same.
"""

# pyright: reportMissingImports=false
# ``agar run`` and ``agar msrun`` give the name mindspore
import argparse

import mindspore as ms
import numpy as np
from example_data import digits
from mindspore import communication, dataset, nn, ops

MICRO = 4


class Network(nn.Cell):
    """Four layers; a cell for each stage that there may be."""

    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.layer1 = nn.Dense(64, 128)
        self.layer2 = nn.Dense(128, 128)
        self.layer3 = nn.Dense(128, 128)
        self.layer4 = nn.Dense(128, 10)

    def construct(self, x):
        """Scores (N, 10) for images (N, 1, 8, 8)."""
        x = self.flatten(x)
        x = ops.relu(self.layer1(x))
        x = x + ops.relu(self.layer2(x))
        x = x + ops.relu(self.layer3(x))
        return self.layer4(x)


def cut(net, stages):
    """Say which stage runs which layer."""
    for i, layer in enumerate((net.layer1, net.layer2, net.layer3, net.layer4)):
        layer.pipeline_stage = i * stages // 4


def main():
    """Train, and write the losses."""
    options = argparse.ArgumentParser()
    options.add_argument("--epochs", type=int, default=3)
    options.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    options.add_argument("--schedule", choices=("1f1b", "gpipe"), default="1f1b")
    options.add_argument("--curve", help="a file for the losses, written by the first process")
    given = options.parse_args()

    ms.set_context(mode=ms.GRAPH_MODE if given.mode == "graph" else ms.PYNATIVE_MODE)
    communication.init()
    rank, stages = communication.get_rank(), communication.get_group_size()
    if stages > 1:
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel",
            pipeline_stages=stages,
            pipeline_config={
                "pipeline_interleave": given.schedule != "1f1b",
                "pipeline_scheduler": given.schedule,
            },
        )
    ms.set_seed(1)
    net = Network()
    cut(net, stages)

    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
    optimizer = nn.Momentum(cell.trainable_params(), 0.1, 0.9)
    # the loss of a pipeline is the sum over the micro-batches
    step = nn.TrainOneStepCell(cell, optimizer, sens=1 / MICRO).set_train()

    images, labels = digits()
    rows = dataset.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=True)
    rows = rows.batch(64, drop_remainder=True)
    losses = []
    for epoch in range(given.epochs):
        for image, label in rows.create_tuple_iterator():
            losses.append(float(step(image, label).asnumpy()) / MICRO)
        print(f"process {rank}, epoch {epoch + 1}: loss {losses[-1]:.4f}")
    size = sum(p.size for p in net.get_parameters())
    print(f"process {rank} of {stages} holds {size} numbers")
    if given.curve and rank == 0:
        np.savetxt(given.curve, losses)


if __name__ == "__main__":
    main()
