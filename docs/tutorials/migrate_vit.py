# %% [markdown]
# # Migration of a ViT
#
# A vision transformer, as it is written for PyTorch, becomes Cells: live, as source, and proved
# equal step by step.

# %%
import os
import sys
import tempfile
import textwrap

import numpy as np
import torch

import agar as ms
from agar import migrate

# %% [markdown]
# ## The original
#
# A file as it lies in somebody's repository. It is small, and has what a ViT has: patches from a
# convolution, a class token, attention, residuals.

# %%
source = """
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        x = attn.softmax(dim=-1) @ v
        return self.proj(x.transpose(1, 2).reshape(b, n, c))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, size=16, patch=4, dim=32, depth=2, heads=4, classes=5):
        super().__init__()
        self.patches = nn.Conv2d(3, dim, patch, stride=patch)
        self.token = nn.Parameter(torch.zeros(1, 1, dim))
        self.place = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, dim) * 0.02)
        self.blocks = nn.ModuleList([Block(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), dim=1) + self.place
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])
"""
folder = tempfile.mkdtemp()
sys.path.insert(0, folder)
with open(os.path.join(folder, "vit_torch.py"), "w") as file:
    file.write(textwrap.dedent(source).lstrip())

import vit_torch

torch.manual_seed(0)
module = vit_torch.ViT().eval()
x = torch.randn(2, 3, 16, 16)

# %% [markdown]
# ## What awaits you
#
# `scan` lists every use of PyTorch and what becomes of it:

# %%
migrate.scan(os.path.join(folder, "vit_torch.py"))

# %% [markdown]
# ## Live
#
# `from_torch` makes Cells of the object, over the same memory. `check` runs both, cell by cell,
# forward and backward:

# %%
cell = migrate.from_torch(module)
report = migrate.check(module, cell, x, train=True)
assert report.passed
assert report.verified == 1.0
report

# %% [markdown]
# ## As source
#
# `convert` rewrites the file, and keeps its comments and layout. On the command line it is `agar
# migrate convert`. Without `target="agar"` the result says `import mindspore`, and serves both.

# %%
target = os.path.join(folder, "vit_agar.py")
migrate.convert(os.path.join(folder, "vit_torch.py"), target, target="agar")
with open(target) as file:
    text = file.read()
print(text[text.index("class ViT") :])

# %% [markdown]
# The converted class, with the original's weights, is checked as well:

# %%
import vit_agar

net = vit_agar.ViT()
report = migrate.check(module, net, x, sync_weights=True, train=True)
assert report.passed, report.first_divergence
report

# %% [markdown]
# ## If something is wrong
#
# Somebody forgets that GELU is approximated by default in MindSpore, say. The report names the
# first cell that computes something else, the reason, and a line that was tried:

# %%
wrong = vit_agar.ViT()
wrong.blocks[0].mlp[1] = ms.nn.GELU()
report = migrate.check(module, wrong, x, sync_weights=True)
assert not report.passed
print(report.first_divergence.path, "|", report.first_divergence.cause)
print(report.first_divergence.line)

# %% [markdown]
# ## The weights
#
# A checkpoint of the original becomes one of the cell's, on the command line with `agar migrate
# weights vit.pth vit.ckpt --pair ...`:

# %%
checkpoint = os.path.join(folder, "vit.pth")
torch.save(module.state_dict(), checkpoint)
fresh = vit_agar.ViT()
transfer = migrate.load_torch_state(fresh, torch.load(checkpoint, weights_only=True))
with torch.no_grad():
    expected = module(x).numpy()
fresh.set_train(False)
np.testing.assert_allclose(fresh(ms.from_torch(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)
transfer

# %% [markdown]
# From here on it is a network as any other: [train it](training.md), [compile it](graph_mode.md),
# [deploy it](deployment.md).
