"""The rows of benchmarks/graph.py: networks for torch, their data, and their train steps.

The Cells of the same names and structure are in `graph_oracle.py`. agar is not imported here: a
process that times torch alone must not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

TNN = torch.nn
F = torch.nn.functional

#: Every optimizer of the comparison: a rate that lets no loss vanish soon.
RATE, MOMENTUM = 0.001, 0.9


def convolution(cin, cout, kernel, stride=1, bias=False):
    return TNN.Conv2d(cin, cout, kernel, stride, kernel // 2, bias=bias)


class MLP(TNN.Sequential):
    def __init__(self):
        layers = TNN.Linear(784, 512), TNN.ReLU(), TNN.Linear(512, 512), TNN.ReLU()
        super().__init__(*layers, TNN.Linear(512, 10))


class CNN(TNN.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = convolution(3, 12, 3, bias=True), TNN.BatchNorm2d(12)
        self.conv2, self.bn2 = convolution(12, 4, 3, bias=True), TNN.BatchNorm2d(4)
        self.fc = TNN.Linear(4 * 16 * 16, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))


class Basic(TNN.Module):
    def __init__(self, cin, width, stride):
        super().__init__()
        self.conv1, self.bn1 = convolution(cin, width, 3, stride), TNN.BatchNorm2d(width)
        self.conv2, self.bn2 = convolution(width, width, 3), TNN.BatchNorm2d(width)
        self.down = None
        if stride != 1 or cin != width:
            self.down = TNN.Sequential(convolution(cin, width, 1, stride), TNN.BatchNorm2d(width))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return F.relu(y + (x if self.down is None else self.down(x)))


class Bottleneck(TNN.Module):
    def __init__(self, cin, width, stride):
        super().__init__()
        cout = 4 * width
        self.conv1, self.bn1 = convolution(cin, width, 1), TNN.BatchNorm2d(width)
        self.conv2, self.bn2 = convolution(width, width, 3, stride), TNN.BatchNorm2d(width)
        self.conv3, self.bn3 = convolution(width, cout, 1), TNN.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = TNN.Sequential(convolution(cin, cout, 1, stride), TNN.BatchNorm2d(cout))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return F.relu(y + (x if self.down is None else self.down(x)))


class ResNet(TNN.Module):
    def __init__(self, counts, bottleneck, classes):
        super().__init__()
        self.conv, self.bn = convolution(3, 64, 7, 2), TNN.BatchNorm2d(64)
        block, grow = (Bottleneck, 4) if bottleneck else (Basic, 1)
        blocks, cin = [], 64
        for stage, count in enumerate(counts):
            width = 64 * 2**stage
            for i in range(count):
                blocks.append(block(cin, width, 2 if stage and not i else 1))
                cin = width * grow
        self.blocks = TNN.Sequential(*blocks)
        self.fc = TNN.Linear(cin, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv(x))), 3, 2, 1)
        return self.fc(self.blocks(x).mean((2, 3)))


class Encoder(TNN.Module):
    """torch's own encoder; in inference it has a kernel for a whole layer."""

    def __init__(self, width, heads, inner, layers, classes):
        super().__init__()
        layer = TNN.TransformerEncoderLayer(width, heads, inner, dropout=0.0, batch_first=True)
        self.encoder = TNN.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.fc = TNN.Linear(width, classes)

    def forward(self, x):
        return self.fc(self.encoder(x).mean(1))


class Attention(TNN.Module):
    """Attention as programs for torch write it, with MultiheadAttention's names."""

    def __init__(self, width, heads, causal=True):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.in_proj_weight = TNN.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = TNN.Parameter(torch.zeros(3 * width))
        self.out_proj = TNN.Linear(width, width)
        TNN.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, x):
        b, t, c = x.shape
        joint = F.linear(x, self.in_proj_weight, self.in_proj_bias)
        q, k, v = joint.view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out_proj(mixed.transpose(1, 2).reshape(b, t, c))


class GPTBlock(TNN.Module):
    def __init__(self, width, heads, causal=True):
        super().__init__()
        self.norm1, self.norm2 = TNN.LayerNorm(width), TNN.LayerNorm(width)
        self.attention = Attention(width, heads, causal)
        self.up, self.down = TNN.Linear(width, 4 * width), TNN.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT(TNN.Module):
    """GPT-2: norms first, the embedding is the output layer too. Gives logits by token."""

    def __init__(self, vocabulary, width, heads, layers, length):
        super().__init__()
        self.embed = TNN.Embedding(vocabulary, width)
        self.position = TNN.Parameter(torch.empty(length, width))
        self.blocks = TNN.ModuleList(GPTBlock(width, heads) for _ in range(layers))
        self.norm = TNN.LayerNorm(width)
        for table in (self.embed.weight, self.position):
            TNN.init.normal_(table, std=0.02)

    def forward(self, x):
        x = self.embed(x) + self.position
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x).flatten(0, 1), self.embed.weight)


class LSTM(TNN.Module):
    def __init__(self, inputs, width, layers, classes):
        super().__init__()
        self.lstm = TNN.LSTM(inputs, width, layers, batch_first=True)
        self.fc = TNN.Linear(width, classes)

    def forward(self, x):
        return self.fc(self.lstm(x)[0][:, -1])


class ViT(TNN.Module):
    """A vision transformer: patches, a token for the class, norms first."""

    def __init__(self, size, patch, width, heads, layers, classes):
        super().__init__()
        self.patches = TNN.Conv2d(3, width, patch, patch)
        self.token = TNN.Parameter(torch.zeros(1, 1, width))
        self.position = TNN.Parameter(torch.empty(1, (size // patch) ** 2 + 1, width))
        self.blocks = TNN.ModuleList(GPTBlock(width, heads, False) for _ in range(layers))
        self.norm, self.fc = TNN.LayerNorm(width), TNN.Linear(width, classes)
        TNN.init.normal_(self.position, std=0.02)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), 1) + self.position
        for block in self.blocks:
            x = block(x)
        return self.fc(self.norm(x[:, 0]))


class Tagger(TNN.Module):
    """A label for each word of sentences, whose lengths change from batch to batch."""

    def __init__(self, vocabulary, width, classes):
        super().__init__()
        self.embed = TNN.Embedding(vocabulary, width)
        self.lstm = TNN.LSTM(width, width, 1, batch_first=True, bidirectional=True)
        self.fc = TNN.Linear(2 * width, classes)

    def forward(self, x):
        return self.fc(self.lstm(self.embed(x))[0]).flatten(0, 1)


class Detector(TNN.Module):
    """A single-shot detector: class logits of the boxes at three sizes, joined to one row."""

    def __init__(self, base, boxes, classes):
        super().__init__()
        self.conv, self.bn = convolution(3, base, 3, 2), TNN.BatchNorm2d(base)
        wide = [base, 2 * base, 4 * base, 8 * base]
        self.stages = TNN.ModuleList(Basic(wide[i], wide[i + 1], 2) for i in range(3))
        self.heads = TNN.ModuleList(convolution(w, boxes * classes, 3, bias=True) for w in wide[1:])
        self.classes = classes

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        found = []
        for stage, head in zip(self.stages, self.heads, strict=True):
            x = stage(x)
            found.append(head(x).permute(0, 2, 3, 1).reshape(-1, self.classes))
        return torch.cat(found)


class Twice(TNN.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv1, self.bn1 = convolution(cin, cout, 3), TNN.BatchNorm2d(cout)
        self.conv2, self.bn2 = convolution(cout, cout, 3), TNN.BatchNorm2d(cout)

    def forward(self, x):
        return F.relu(self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))))


class UNet(TNN.Module):
    def __init__(self, depth, base, classes):
        super().__init__()
        wide = [base * 2**i for i in range(depth + 1)]
        back = list(reversed(range(depth)))
        self.downs = TNN.ModuleList(Twice(wide[i - 1] if i else 3, wide[i]) for i in range(depth))
        self.bottom = Twice(wide[depth - 1], wide[depth])
        self.ups = TNN.ModuleList(TNN.ConvTranspose2d(wide[i + 1], wide[i], 2, 2) for i in back)
        self.joins = TNN.ModuleList(Twice(wide[i + 1], wide[i]) for i in back)
        self.head = convolution(base, classes, 1, bias=True)

    def forward(self, x):
        kept = []
        for down in self.downs:
            x = down(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottom(x)
        for up, join in zip(self.ups, self.joins, strict=True):
            x = join(torch.cat((kept.pop(), up(x)), 1))
        return self.head(x)


# --------------------------------------------------------------------------------- rows


@dataclass(frozen=True)
class Row:
    """A network and the data it gets; the Cell has the module's name and arguments."""

    name: str
    title: str
    network: type[TNN.Module]
    arguments: tuple[Any, ...]
    shape: tuple[int, ...]
    classes: int
    #: shape of the labels
    labels: tuple[int, ...]
    #: whether the input is token numbers instead of features
    tokens: bool = False
    #: numbers of tokens by batch, where they differ; the labels are theirs
    lengths: tuple[int, ...] = ()


ROWS = (
    Row("mlp", "MLP 784-512-512-10, b64", MLP, (), (64, 784), 10, (64,)),
    Row("cnn", "CNN 3-12-4, 64x64 b32", CNN, (), (32, 3, 64, 64), 10, (32,)),
    Row(
        "resnet18",
        "ResNet-18, 64x64 b16",
        ResNet,
        ((2, 2, 2, 2), False, 10),
        (16, 3, 64, 64),
        10,
        (16,),
    ),
    Row(
        "resnet50",
        "ResNet-50, 224x224 b4",
        ResNet,
        ((3, 4, 6, 3), True, 1000),
        (4, 3, 224, 224),
        1000,
        (4,),
    ),
    Row("encoder", "encoder 4x256, b8 s64", Encoder, (256, 4, 1024, 4, 10), (8, 64, 256), 10, (8,)),
    Row("gpt", "GPT-2 6x384, b4 s128", GPT, (5000, 384, 6, 6, 128), (4, 128), 5000, (512,), True),
    Row("lstm", "LSTM 2x128, b16 s32", LSTM, (64, 128, 2, 10), (16, 32, 64), 10, (16,)),
    Row("unet", "U-Net 3x16, 64x64 b4", UNet, (3, 16, 4), (4, 3, 64, 64), 4, (4, 64, 64)),
    Row(
        "vit",
        "ViT-S/16, 224x224 b2",
        ViT,
        (224, 16, 384, 6, 12, 1000),
        (2, 3, 224, 224),
        1000,
        (2,),
    ),
    Row(
        "tagger",
        "LSTM tagger 128, b16 s12 to 48",
        Tagger,
        (5000, 128, 20),
        (16,),
        20,
        (16,),
        True,
        (24, 48, 12, 36),
    ),
    Row(
        "detector",
        "detector 3x16, 128x128 b4",
        Detector,
        (16, 4, 10),
        (4, 3, 128, 128),
        10,
        (4 * 4 * (32 * 32 + 16 * 16 + 8 * 8),),
    ),
)

GPU_ROWS = (
    Row(
        "resnet50",
        "ResNet-50 bf16, 224x224 b128",
        ResNet,
        ((3, 4, 6, 3), True, 1000),
        (128, 3, 224, 224),
        1000,
        (128,),
    ),
    Row(
        "gpt",
        "GPT-2 124M bf16, b8 s1024",
        GPT,
        (50257, 768, 12, 12, 1024),
        (8, 1024),
        50257,
        (8 * 1024,),
        True,
    ),
)


def batches(row: Row, count: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """Batches of a row, the same in every process: float32 or int32 data, int32 labels."""
    draw = np.random.default_rng(7)
    made = []
    for i in range(count):
        shape, labels = row.shape, row.labels
        if row.lengths:
            length = row.lengths[i % len(row.lengths)]
            shape, labels = (*shape, length), (labels[0] * length,)
        if row.tokens:
            x = draw.integers(0, row.classes, shape, np.int32)
        else:
            x = draw.standard_normal(shape, np.float32)
        made.append((x, draw.integers(0, row.classes, labels, np.int32)))
    return made


def module(row: Row) -> TNN.Module:
    """The network of a row with the weights that every side gets.

    Batch norms get statistics and factors that are not 0 and 1, which would hide a wrong fold.
    """
    torch.manual_seed(0)
    net = row.network(*row.arguments)
    for part in net.modules():
        if isinstance(part, TNN.BatchNorm2d):
            with torch.no_grad():
                part.weight.uniform_(0.8, 1.2)
                part.bias.normal_(0, 0.1)
                assert part.running_mean is not None
                assert part.running_var is not None
                part.running_mean.normal_(0, 0.1)
                part.running_var.uniform_(0.8, 1.2)
    return net


def torch_batches(row: Row, device: str = "cpu") -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The batches as torch's programs have them: numbers of tokens and classes in int64."""
    made = []
    for x, y in batches(row):
        data = torch.from_numpy(x).to(device)
        if row.tokens:
            data = data.long()
        elif device != "cpu":
            data = data.bfloat16()
        made.append((data, torch.from_numpy(y).to(device).long()))
    return made


def torch_step(
    net: TNN.Module, training: bool, mode: str | None = None
) -> tuple[Callable[..., torch.Tensor], torch.optim.Optimizer | None]:
    """One call of torch's side, and its optimizer.

    In training the call takes ``(x, y)``: loss, gradients, and the fused optimizer. Otherwise it
    takes ``(x,)``. With `mode` the network and its loss are compiled together.
    """
    if not training:
        net.eval()
        run = net if mode is None else torch.compile(net, mode=mode)
        return torch.no_grad()(run.__call__), None
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), RATE, momentum=MOMENTUM, fused=True)

    def loss_of(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(net(x), y)

    take = loss_of if mode is None else torch.compile(loss_of, mode=mode)

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad()
        loss = take(x, y)
        loss.backward()
        optimizer.step()
        return loss

    return step, optimizer


#: Names of parameters that differ between a Cell and torch's module.
_NAMES = (
    ("embedding_table", "weight"),
    ("gamma", "weight"),
    ("beta", "bias"),
    ("moving_mean", "running_mean"),
    ("moving_variance", "running_var"),
    ("dense1", "linear1"),
    ("dense2", "linear2"),
)


def torch_name(name: str) -> str:
    """The name in torch's state dict of a Cell's parameter."""
    for own, theirs in _NAMES:
        name = name.replace(own, theirs)
    return name
