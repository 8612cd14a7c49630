"""Small networks as PyTorch source texts: name, text, how it is built, its inputs."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import OrderedDict


"""


@dataclass(frozen=True)
class Sample:
    """A network.

    Attributes:
        name: a word.
        code: the source without its imports.
        build: the expression that makes the network.
        inputs: shapes of random inputs, or ("int", bound, shape).
    """

    name: str
    code: str
    build: str
    inputs: tuple[tuple, ...]


SAMPLES = [
    Sample(
        "cnn",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, stride=2)
        self.conv2 = nn.Conv2d(6, 8, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8 * 3 * 3, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.bn(self.conv2(x))), 2)
        x = torch.flatten(x, 1)
        return F.log_softmax(self.fc(x), dim=1)
""",
        "Net()",
        ((2, 1, 14, 14),),
    ),
    Sample(
        "residual",
        """
class Block(nn.Module):
    expansion = 2

    def __init__(self, inplanes, planes, stride=1, downsample=None, norm_layer=None):
        super(Block, self).__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride=stride, padding=1, bias=False)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes * self.expansion, 1, bias=False)
        self.bn2 = norm_layer(planes * self.expansion)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Net(nn.Module):
    def __init__(self, layers=(1, 2)):
        super().__init__()
        self.inplanes = 4
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.layer1 = self._make_layer(Block, 4, layers[0])
        self.layer2 = self._make_layer(Block, 6, layers[1], stride=2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(6 * Block.expansion, 5)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def _make_layer(self, block, planes, blocks, stride=1):
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2d(self.inplanes, planes * block.expansion, 1, stride, bias=False),
                nn.BatchNorm2d(planes * block.expansion),
            )
        layers = [block(self.inplanes, planes, stride, downsample)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(block(self.inplanes, planes))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        x = self.avgpool(x)
        x = x.view(x.size(0), -1)
        return self.fc(x)
""",
        "Net()",
        ((2, 3, 8, 8),),
    ),
    Sample(
        "lstm_tagger",
        """
class Tagger(nn.Module):
    def __init__(self, vocabulary, dim, hidden, tags):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, words):
        x, (h, c) = self.lstm(self.embed(words))
        last = torch.cat([h[-2], h[-1]], dim=-1).unsqueeze(1)
        return self.out(x + last.expand_as(x))
""",
        "Tagger(11, 5, 4, 3)",
        (("int", 11, (2, 6)),),
    ),
    Sample(
        "gpt_block",
        """
class Attention(nn.Module):
    def __init__(self, dim, heads, block):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("mask", torch.tril(torch.ones(block, block)).view(1, 1, block, block))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.proj(y)


class GPT(nn.Module):
    def __init__(self, vocabulary=13, dim=8, heads=2, block=6, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, dim)
        self.positions = nn.Parameter(torch.randn(1, block, dim))
        self.blocks = nn.ModuleList()
        for _ in range(layers):
            self.blocks.append(nn.ModuleDict({
                "ln_1": nn.LayerNorm(dim),
                "attn": Attention(dim, heads, block),
                "ln_2": nn.LayerNorm(dim),
                "mlp": nn.Sequential(OrderedDict([
                    ("fc", nn.Linear(dim, 4 * dim)),
                    ("act", nn.GELU()),
                    ("proj", nn.Linear(4 * dim, dim)),
                ])),
            }))
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)

    def forward(self, idx):
        t = idx.shape[1]
        x = self.tokens(idx) + self.positions[:, :t]
        for block in self.blocks:
            x = x + block["attn"](block["ln_1"](x))
            x = x + block["mlp"](block["ln_2"](x))
        return self.head(self.ln(x))
""",
        "GPT()",
        (("int", 13, (2, 5)),),
    ),
    Sample(
        "unet",
        """
def double(in_c, out_c):
    return nn.Sequential(
        nn.Conv2d(in_c, out_c, 3, padding=1), nn.ReLU(inplace=True),
        nn.Conv2d(out_c, out_c, 3, padding=1), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = double(1, 4)
        self.down2 = double(4, 8)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(8, 4, kernel_size=2, stride=2)
        self.conv = double(8, 4)
        self.smooth = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        u = self.up(b)
        dy = a.size(2) - u.size(2)
        dx = a.size(3) - u.size(3)
        u = F.pad(u, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        y = self.conv(torch.cat([a, u], dim=1))
        return F.interpolate(self.smooth(y), scale_factor=2, mode="nearest")
""",
        "UNet()",
        ((1, 1, 9, 8),),
    ),
    Sample(
        "vit",
        """
class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim, eps=1e-6)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(dim, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        y = self.norm1(x)
        y, _ = self.attn(y, y, y)
        x = x + y
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, size=8, patch=4, dim=12, heads=3, depth=2, classes=5):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, kernel_size=patch, stride=patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, (size // patch) ** 2 + 1, dim))
        nn.init.trunc_normal_(self.pos, std=0.02)
        nn.init.normal_(self.cls, std=1e-6)
        self.encoder = nn.Sequential(*[Block(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.pos
        x = self.norm(self.encoder(x))
        return self.head(x[:, 0])
""",
        "ViT()",
        ((2, 3, 8, 8),),
    ),
    Sample(
        "vae",
        """
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(12, 8)
        self.mu = nn.Linear(8, 3)
        self.logvar = nn.Linear(8, 3)
        self.dec = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 12), nn.Sigmoid())

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        if not self.training:
            return mu
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h = F.relu(self.enc(x.view(-1, 12)))
        mu, logvar = self.mu(h), self.logvar(h)
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1)
        return self.dec(self.reparameterize(mu, logvar)), kld
""",
        "VAE()",
        ((3, 3, 4),),
    ),
    Sample(
        "gan_generator",
        """
def weights_init(m):
    if isinstance(m, nn.ConvTranspose2d):
        m.weight.data.normal_(0.0, 0.02)
    elif isinstance(m, nn.BatchNorm2d):
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


class Generator(nn.Module):
    def __init__(self, nz=6, ngf=4):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, 1, 4, 2, 1, bias=False),
            nn.Tanh()
        )
        self.apply(weights_init)

    def forward(self, noise):
        return self.main(noise)
""",
        "Generator()",
        ((2, 6, 1, 1),),
    ),
    Sample(
        "gan_discriminator",
        """
class Discriminator(nn.Module):
    def __init__(self, ndf=4):
        super().__init__()
        self.main = nn.Sequential()
        for i in range(2):
            self.main.add_module(f"conv{i}", nn.Conv2d(1 if i == 0 else ndf, ndf, 4, 2, 1))
            self.main.add_module(f"act{i}", nn.LeakyReLU(0.2, inplace=True))
        self.main.add_module("out", nn.Conv2d(ndf, 1, 2))

    def forward(self, x):
        return torch.sigmoid(self.main(x)).view(-1, 1).squeeze(1)
""",
        "Discriminator()",
        ((3, 1, 8, 8),),
    ),
    Sample(
        "squeeze_excite",
        """
class SE(nn.Module):
    def __init__(self, channels, reduction=2):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)
        self.gate = nn.Hardsigmoid()

    def forward(self, x):
        w = x.mean((2, 3), keepdim=True)
        w = self.fc2(F.silu(self.fc1(w)))
        return x * self.gate(w)
""",
        "SE(6)",
        ((2, 6, 5, 5),),
    ),
    Sample(
        "inverted_residual",
        """
class ConvBNReLU(nn.Sequential):
    def __init__(self, in_planes, out_planes, kernel_size=3, stride=1, groups=1):
        padding = (kernel_size - 1) // 2
        super().__init__(
            nn.Conv2d(
                in_planes, out_planes, kernel_size, stride, padding, groups=groups, bias=False
            ),
            nn.BatchNorm2d(out_planes, eps=1e-3, momentum=0.01),
            nn.ReLU6(inplace=True)
        )


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio):
        super().__init__()
        hidden_dim = int(round(inp * expand_ratio))
        self.use_res_connect = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(ConvBNReLU(inp, hidden_dim, kernel_size=1))
        layers.extend([
            ConvBNReLU(hidden_dim, hidden_dim, stride=stride, groups=hidden_dim),
            nn.Conv2d(hidden_dim, oup, 1, 1, 0, bias=False),
            nn.BatchNorm2d(oup),
        ])
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        if self.use_res_connect:
            return x + self.conv(x)
        return self.conv(x)
""",
        "nn.Sequential(InvertedResidual(4, 4, 1, 2), InvertedResidual(4, 6, 2, 1.5))",
        ((2, 4, 6, 6),),
    ),
    Sample(
        "inception",
        """
class Inception(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.branches = nn.ModuleList([
            nn.Conv2d(c, 3, 1),
            nn.Sequential(nn.Conv2d(c, 2, 1), nn.ReLU(), nn.Conv2d(2, 3, 3, padding=1)),
            nn.Sequential(nn.AvgPool2d(3, stride=1, padding=1), nn.Conv2d(c, 2, 1)),
            nn.Sequential(nn.MaxPool2d(3, stride=1, padding=1, ceil_mode=True), nn.Conv2d(c, 2, 1)),
        ])

    def forward(self, x):
        outs = [branch(x) for branch in self.branches]
        return torch.cat(outs, 1)
""",
        "Inception(4)",
        ((2, 4, 6, 7),),
    ),
    Sample(
        "dense_block",
        """
class DenseLayer(nn.Module):
    def __init__(self, in_c, growth):
        super().__init__()
        self.add_module("norm1", nn.BatchNorm2d(in_c))
        self.add_module("relu1", nn.ReLU(inplace=False))
        self.add_module("conv1", nn.Conv2d(in_c, growth, kernel_size=3, padding=1, bias=False))

    def forward(self, x):
        return torch.cat([x, self.conv1(self.relu1(self.norm1(x)))], 1)


class DenseNet(nn.Module):
    def __init__(self, blocks=2, growth=3):
        super().__init__()
        self.features = nn.Sequential(OrderedDict([("conv0", nn.Conv2d(1, 4, 3))]))
        c = 4
        for i in range(blocks):
            self.features.add_module("layer%d" % (i + 1), DenseLayer(c, growth))
            c += growth
        self.classifier = nn.Linear(c, 3)

    def forward(self, x):
        y = F.adaptive_avg_pool2d(F.relu(self.features(x)), (1, 1)).flatten(start_dim=1)
        return self.classifier(y)
""",
        "DenseNet()",
        ((2, 1, 6, 6),),
    ),
    Sample(
        "gru_classifier",
        """
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(input_size=4, hidden_size=5, batch_first=True)
        self.fc = nn.Linear(5, 2)
        self.drop = nn.Dropout(p=0.3)

    def forward(self, x):
        out, hidden = self.gru(x)
        score = torch.softmax(out.sum(-1), dim=1).unsqueeze(-1)
        return self.fc(self.drop((out * score).sum(dim=1) + hidden[-1]))
""",
        "Classifier()",
        ((2, 5, 4),),
    ),
    Sample(
        "wavenet",
        """
class Causal(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.pad = d
        self.filter = nn.Conv1d(c, c, 2, dilation=d)
        self.gate = nn.Conv1d(c, c, 2, dilation=d)
        self.mix = nn.Conv1d(c, c, 1)

    def forward(self, x):
        y = F.pad(x, (self.pad, 0))
        y = torch.tanh(self.filter(y)) * torch.sigmoid(self.gate(y))
        return x + self.mix(y)


class WaveNet(nn.Module):
    def __init__(self, c=4, depth=3):
        super().__init__()
        self.inp = nn.Conv1d(1, c, 1)
        self.stack = nn.ModuleList(Causal(c, 2 ** i) for i in range(depth))
        self.out = nn.Conv1d(c, 1, 1)

    def forward(self, x):
        x = self.inp(x)
        skips = []
        for layer in self.stack:
            x = layer(x)
            skips.append(x)
        return self.out(torch.stack(skips).sum(0))
""",
        "WaveNet()",
        ((2, 1, 10),),
    ),
    Sample(
        "autoencoder",
        """
class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 4, 3, stride=2, padding=1),
            nn.PReLU(4),
            nn.Flatten(),
            nn.Linear(4 * 16, 6),
        )
        self.decoder = nn.Sequential(
            nn.Linear(6, 4 * 16),
            nn.ELU(),
            nn.Unflatten(1, (4, 4, 4)),
            nn.Upsample(scale_factor=2, mode="nearest"),
            nn.Conv2d(4, 1, 3, padding=1),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))
""",
        "AutoEncoder()",
        ((2, 1, 8, 8),),
    ),
    Sample(
        "channel_shuffle",
        """
def channel_shuffle(x, groups):
    batch, channels, height, width = x.data.size()
    per_group = channels // groups
    x = x.view(batch, groups, per_group, height, width)
    x = torch.transpose(x, 1, 2).contiguous()
    return x.view(batch, -1, height, width)


class Shuffle(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.left = nn.Conv2d(c // 2, c // 2, 3, padding=1, groups=c // 2, bias=False)
        self.norm = nn.GroupNorm(2, c // 2)

    def forward(self, x):
        x1, x2 = x.chunk(2, dim=1)
        out = torch.cat((self.norm(self.left(x1)), x2), dim=1)
        return channel_shuffle(out, 2)
""",
        "Shuffle()",
        ((2, 8, 4, 4),),
    ),
    Sample(
        "masked_attention",
        """
class Pool(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim))
        self.key = nn.Linear(dim, dim)
        self.temperature = dim ** -0.5

    def forward(self, x, mask):
        scores = torch.einsum("btd,d->bt", self.key(x), self.query) * self.temperature
        scores = scores.masked_fill(mask < 0, -1e9)
        weights = scores.softmax(dim=-1)
        pooled = torch.bmm(weights.unsqueeze(1), x).squeeze(1)
        best, where = weights.max(dim=1)
        return pooled / pooled.norm(dim=1, keepdim=True).clamp(min=1e-6), best
""",
        "Pool()",
        ((2, 4, 6), (2, 4)),
    ),
    Sample(
        "mlp_of_words",
        """
class Words(nn.Module):
    def __init__(self, n=9, dim=4, classes=3):
        super(Words, self).__init__()
        self.embedding = nn.Embedding(n, dim)
        self.layers = nn.Sequential(*[nn.Linear(dim, dim) for _ in range(2)])
        self.norm = nn.LayerNorm([dim])
        self.fc = nn.Linear(dim, classes)
        self.init_weights()

    def init_weights(self):
        initrange = 0.5
        self.embedding.weight.data.uniform_(-initrange, initrange)
        nn.init.xavier_uniform_(self.fc.weight)
        self.fc.bias.data.zero_()

    def forward(self, text):
        x = self.embedding(text).mean(dim=1)
        return self.fc(self.norm(self.layers(x)))
""",
        "Words()",
        (("int", 9, (3, 5)),),
    ),
    Sample(
        "heads",
        """
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.heads = nn.ModuleDict()
        for name in ("a", "b"):
            self.heads[name] = nn.Linear(4, 2)
        self.act = getattr(self, "missing", None) or nn.Softplus()

    def forward(self, x):
        x = self.act(self.body(x))
        out = {name: head(x) for name, head in self.heads.items()}
        return out["a"] * out["b"].sigmoid()
""",
        "Heads()",
        ((3, 4),),
    ),
    Sample(
        "pyramid_pooling",
        """
class PPM(nn.Module):
    def __init__(self, c=4, bins=(1, 2, 3)):
        super().__init__()
        self.features = []
        for b in bins:
            self.features.append(nn.Sequential(
                nn.AdaptiveAvgPool2d(b),
                nn.Conv2d(c, 2, kernel_size=1, bias=False),
                nn.ReLU(inplace=True)
            ))
        self.features = nn.ModuleList(self.features)

    def forward(self, x):
        size = x.size()[2:]
        out = [x]
        for f in self.features:
            out.append(F.interpolate(f(x), size, mode="bilinear", align_corners=True))
        return torch.cat(out, 1)
""",
        "PPM()",
        ((2, 4, 6, 6),),
    ),
    Sample(
        "own_layers",
        """
class Conv2dSame(nn.Conv2d):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__(in_channels, out_channels, kernel_size, padding=kernel_size // 2)

    def forward(self, x):
        return super().forward(x) * 2


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv2dSame(2, 3, 3)
        self.norm = RMSNorm(3)

    def forward(self, x):
        y = self.conv(x).permute(0, 2, 3, 1)
        return self.norm(y).reshape(x.shape[0], -1)
""",
        "Net()",
        ((2, 2, 4, 4),),
    ),
    Sample(
        "own_gradient",
        """
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        batch, features = x.size()
        ctx.save_for_backward(x)
        ctx.n = n
        return (x * x * n).view(batch, features).type(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad.mul(ctx.n).unsqueeze(dim=0).squeeze(dim=0) * x * 7, None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return Scaled.apply(self.fc(x), 3.0).sum(dim=1)
""",
        "Net()",
        ((2, 3),),
    ),
    Sample(
        "layers_that_mindspore_lacks",
        """
class Net(nn.Module):
    def __init__(self, norm=nn.RMSNorm):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, padding=(1, 2), padding_mode="circular")
        self.pad = nn.CircularPad2d(1)
        self.norm = norm(6)
        self.plain = nn.RMSNorm((6, 6), eps=1e-5, elementwise_affine=False)
        self.act = nn.Sequential(nn.Softplus(beta=2.0), nn.RReLU())
        self.distance = nn.PairwiseDistance(keepdim=True)
        self.angle = nn.CosineSimilarity(dim=-1)

    def forward(self, x):
        y = self.norm(self.pad(self.conv(x)[:, :, :, :4]))
        z = self.act(self.plain(y)) - 0.5
        return self.distance(y, z).sum(dim=-1) + self.angle(y, z)
""",
        "Net()",
        ((2, 2, 4, 4),),
    ),
]
