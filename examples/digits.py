"""The demo's network, twice: as it was in PyTorch, and rebuilt of Cells."""

from __future__ import annotations

import numpy as np
import torch

import agar as ms
from agar import nn, ops


class TorchDigits(torch.nn.Module):
    """A small convolutional network for 8x8 digits, as somebody wrote it for PyTorch."""

    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 16, 3, padding=1)
        self.bn1 = torch.nn.BatchNorm2d(16)
        self.conv2 = torch.nn.Conv2d(16, 32, 3, padding=1)
        self.bn2 = torch.nn.BatchNorm2d(32)
        self.pool = torch.nn.MaxPool2d(2)
        self.drop = torch.nn.Dropout(0.2)
        self.fc1 = torch.nn.Linear(32 * 2 * 2, 64)
        self.fc2 = torch.nn.Linear(64, 10)

    def forward(self, x):
        """Logits of a batch of images, (N, 1, 8, 8) to (N, 10)."""
        x = self.pool(torch.relu(self.bn1(self.conv1(x))))
        x = self.pool(torch.relu(self.bn2(self.conv2(x))))
        x = self.drop(torch.relu(self.fc1(torch.flatten(x, 1))))
        return self.fc2(x)


class Digits(nn.Cell):
    """The same network of Cells. What differs in defaults is written out."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, pad_mode="pad", padding=1, has_bias=True)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, pad_mode="pad", padding=1, has_bias=True)
        self.bn2 = nn.BatchNorm2d(32)
        self.pool = nn.MaxPool2d(2, 2)
        self.drop = nn.Dropout(p=0.2)
        self.fc1 = nn.Dense(32 * 2 * 2, 64)
        self.fc2 = nn.Dense(64, 10)

    def construct(self, x):
        """Logits of a batch of images, (N, 1, 8, 8) to (N, 10)."""
        x = self.pool(ops.relu(self.bn1(self.conv1(x))))
        x = self.pool(ops.relu(self.bn2(self.conv2(x))))
        x = self.drop(ops.relu(self.fc1(ops.flatten(x))))
        return self.fc2(x)


def data():
    """Train and test images with labels: the handwritten digits that ship with scikit-learn."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    images, labels = load_digits(return_X_y=True)
    images = (images.reshape(-1, 1, 8, 8) / 16.0).astype(np.float32)
    return train_test_split(
        images, labels.astype(np.int32), test_size=0.25, random_state=0, stratify=labels
    )


def accuracy(net, images, labels):
    """The share of images whose largest logit is at the label."""
    net.set_train(False)
    return float((net(ms.Tensor(images)).argmax(1).asnumpy() == labels).mean())
