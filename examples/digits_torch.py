"""A small convolutional network for handwritten digits, as somebody wrote it for PyTorch.

The demo converts this file; nothing in it knows of agar.
"""

import torch
import torch.nn.functional as F
from torch import nn


class Digits(nn.Module):
    """Logits of a batch of images, (N, 1, 8, 8) to (N, 10)."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3)  # 8x8 to 6x6
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(32)
        self.pool = nn.MaxPool2d(2)  # 6x6 to 3x3
        self.drop = nn.Dropout(0.2)
        self.fc1 = nn.Linear(32 * 3 * 3, 64)
        self.fc2 = nn.Linear(64, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.pool(torch.relu(self.bn2(self.conv2(x))))
        x = torch.flatten(x, start_dim=1)
        x = self.drop(F.relu(self.fc1(x)))
        return self.fc2(x)
