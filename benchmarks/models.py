"""The networks of the benchmarks, written for torch and for agar over the same weights."""

from __future__ import annotations

import torch

import agar as ms
from agar import nn, ops

TNN = torch.nn
F = torch.nn.functional


# ---------------------------------------------------------------------------- ResNet-18


class TorchBlock(TNN.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = TNN.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = TNN.BatchNorm2d(cout)
        self.conv2 = TNN.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = TNN.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = TNN.Sequential(
                TNN.Conv2d(cin, cout, 1, stride, bias=False), TNN.BatchNorm2d(cout)
            )

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return F.relu(y + (x if self.down is None else self.down(x)))


class TorchResNet18(TNN.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = TNN.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = TNN.BatchNorm2d(64)
        self.pool = TNN.MaxPool2d(3, 2, 1)
        blocks, cin = [], 64
        for cout, stride in (
            (64, 1),
            (64, 1),
            (128, 2),
            (128, 1),
            (256, 2),
            (256, 1),
            (512, 2),
            (512, 1),
        ):
            blocks.append(TorchBlock(cin, cout, stride))
            cin = cout
        self.blocks = TNN.Sequential(*blocks)
        self.fc = TNN.Linear(512, classes)

    def forward(self, x):
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        return self.fc(self.blocks(x).mean((2, 3)))


class Block(nn.Cell):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, "pad", 1)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, "pad", 1)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.SequentialCell(
                nn.Conv2d(cin, cout, 1, stride, "pad"), nn.BatchNorm2d(cout)
            )

    def construct(self, x):
        y = ops.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return ops.relu(y + (x if self.down is None else self.down(x)))


class ResNet18(nn.Cell):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, "pad", 3)
        self.bn1 = nn.BatchNorm2d(64)
        self.pool = nn.MaxPool2d(3, 2, "pad", 1)
        blocks, cin = [], 64
        for cout, stride in (
            (64, 1),
            (64, 1),
            (128, 2),
            (128, 1),
            (256, 2),
            (256, 1),
            (512, 2),
            (512, 1),
        ):
            blocks.append(Block(cin, cout, stride))
            cin = cout
        self.blocks = nn.SequentialCell(*blocks)
        self.fc = nn.Dense(512, classes)

    def construct(self, x):
        x = self.pool(ops.relu(self.bn1(self.conv1(x))))
        return self.fc(self.blocks(x).mean((2, 3)))


# --------------------------------------------------------------------------- transformer


class TorchLayer(TNN.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = TNN.LayerNorm(width), TNN.LayerNorm(width)
        self.qkv, self.out = TNN.Linear(width, 3 * width), TNN.Linear(width, width)
        self.up, self.down = TNN.Linear(width, 4 * width), TNN.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = torch.softmax((q @ k.transpose(-2, -1)) * (c // self.heads) ** -0.5, -1) @ v
        x = x + self.out(a.transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class TorchTransformer(TNN.Module):
    def __init__(self, vocabulary=1000, width=256, heads=4, layers=4, length=64):
        super().__init__()
        self.embed = TNN.Embedding(vocabulary, width)
        self.position = TNN.Parameter(torch.zeros(length, width))
        self.layers = TNN.Sequential(*(TorchLayer(width, heads) for _ in range(layers)))
        self.norm = TNN.LayerNorm(width)
        self.head = TNN.Linear(width, vocabulary)

    def forward(self, x):
        return self.head(self.norm(self.layers(self.embed(x) + self.position)))


class Layer(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.qkv, self.out = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.up, self.down = nn.Dense(width, 4 * width), nn.Dense(4 * width, width)
        self.gelu = nn.GELU(approximate=False)

    def construct(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = ops.softmax((q @ k.swapaxes(-2, -1)) * (c // self.heads) ** -0.5, -1) @ v
        x = x + self.out(a.swapaxes(1, 2).reshape(b, t, c))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


class Transformer(nn.Cell):
    def __init__(self, vocabulary=1000, width=256, heads=4, layers=4, length=64):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.position = ms.Parameter(ops.zeros((length, width)))
        self.layers = nn.SequentialCell(*(Layer(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, vocabulary)

    def construct(self, x):
        return self.head(self.norm(self.layers(self.embed(x) + self.position)))


# ---------------------------------------------------------------------------------- LSTM


class TorchTagger(TNN.Module):
    def __init__(self, vocabulary=1000, width=128, tags=20):
        super().__init__()
        self.embed = TNN.Embedding(vocabulary, width)
        self.lstm = TNN.LSTM(width, width, 2, batch_first=True)
        self.fc = TNN.Linear(width, tags)

    def forward(self, x):
        return self.fc(self.lstm(self.embed(x))[0])


class Tagger(nn.Cell):
    def __init__(self, vocabulary=1000, width=128, tags=20):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, 2, batch_first=True)
        self.fc = nn.Dense(width, tags)

    def construct(self, x):
        return self.fc(self.lstm(self.embed(x))[0])


# ------------------------------------------------------------------------------ weights


def copy_weights(source: TNN.Module, target: nn.Cell) -> None:
    """Give a Cell the weights of the torch module of the same structure, pair by pair."""

    def order(name):
        # recurrent layers list all weights of one kind together in MindSpore, by layer in torch
        return (
            name.replace("gamma", "weight")
            .replace("beta", "bias")
            .replace("embedding_table", "weight")
        )

    given = dict(source.named_parameters())
    for name, p in target.parameters_and_names():
        if p.requires_grad:
            p.set_data(ms.from_torch(given[order(name)].detach()))
