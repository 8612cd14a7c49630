"""Idioms of programs written for PyTorch, whose conversion runs beside the original.

Each was written to find what converts into something else without a word.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from typing import *
from collections import OrderedDict
from functools import partial

"""
#: what the loops train where they say nothing else
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(4, 6, bias=False)
        self.bn = nn.BatchNorm1d(6)
        self.l2 = nn.Linear(6, 3)

    def forward(self, x):
        return self.l2(torch.tanh(self.bn(self.l1(x))))


def build():
    return Net()


"""


@dataclass(frozen=True)
class Idiom:
    """A text.

    Attributes:
        name: a word.
        code: the source without its imports.
        inputs: shapes of random inputs, ("int", bound, shape), ("bool", shape), ("pos", shape) or
            ("value", numbers).
    """

    name: str
    code: str
    inputs: tuple


#: ``f`` of tensors: values, gradients, and what it does to what it is given
FUNCTIONS = [
    Idiom(
        "relu_",
        """
def f(x: Tensor):
    x.relu_()
    return x * 2
""",
        ((3, 4),),
    ),
    Idiom(
        "mask_assign",
        """
def f(x: Tensor):
    x = x.clone()
    x[x > 0] = 0
    return x
""",
        ((3, 4),),
    ),
    Idiom(
        "mask_assign_arg",
        """
def f(x: Tensor):
    x[x > 0] = 0
    return x
""",
        ((3, 4),),
    ),
    Idiom(
        "view_alias",
        """
def f(x: Tensor):
    y = x.view(-1)
    y[0] = 5.0
    return x
""",
        ((3, 4),),
    ),
    Idiom(
        "alias_row",
        """
def f(x: Tensor):
    r = x[0]
    r += 1
    return x
""",
        ((3, 4),),
    ),
    Idiom(
        "slice_alias_fill",
        """
def f(x: Tensor):
    y = x[:, :2]
    y.zero_()
    return x
""",
        ((3, 4),),
    ),
    Idiom(
        "swap_alias",
        """
def f(x: Tensor):
    a = x
    a = a + 1
    a += 1
    b = a
    b += 1
    return (a, b, x)
""",
        ((3, 4),),
    ),
    Idiom(
        "max_two",
        """
def f(x: Tensor, y: Tensor):
    return torch.max(x, y)
""",
        ((3, 4), (3, 4)),
    ),
    Idiom(
        "split",
        """
def f(x: Tensor):
    a, b = x.split(2, dim=1)
    c = torch.split(x, [1, 3], 1)
    return (a * 2, b, c[1])
""",
        ((3, 4),),
    ),
    Idiom(
        "std_corr",
        """
def f(x: Tensor):
    return (torch.std(x, dim=1, correction=0), torch.var_mean(x, dim=1), torch.std_mean(x))
""",
        ((3, 4),),
    ),
    Idiom(
        "type_",
        """
def f(x: Tensor, y: Tensor):
    return (x.type(torch.int64).sum(), x.type_as(y) * 2, x.long())
""",
        ((3, 4), (3, 4)),
    ),
    Idiom(
        "gather",
        """
def f(x: Tensor, y: Tensor):
    return (torch.gather(x, 1, y), x.gather(0, y[:2]))
""",
        ((3, 4), ("int", 3, (3, 2))),
    ),
    Idiom(
        "scatter",
        """
def f(x: Tensor, y: Tensor):
    return (
        torch.zeros(3, 4).scatter_(1, y, x[:, :2]),
        x.scatter(1, y, 1.5),
        x.scatter_add(0, y[:, :2], x[:, :2]),
    )
""",
        ((3, 4), ("int", 3, (3, 2))),
    ),
    Idiom(
        "interp_frac",
        """
def f(x: Tensor):
    return F.interpolate(x, scale_factor=(1.7, 0.6), mode="nearest")
""",
        ((1, 2, 7, 9),),
    ),
    Idiom(
        "norm",
        """
def f(x: Tensor):
    return (
        x.norm(),
        x.norm(dim=1),
        x.norm(p=1, dim=1, keepdim=True),
        torch.norm(x, 2, -1),
        F.normalize(x),
        F.normalize(x, p=1, dim=0),
    )
""",
        ((3, 4),),
    ),
    Idiom(
        "masked",
        """
def f(x: Tensor, y: Tensor):
    return (x.masked_fill(y, -1000000000.0).softmax(-1), x.masked_select(y), x[y])
""",
        ((3, 4), ("bool", (3, 4))),
    ),
    Idiom(
        "index_put",
        """
def f(x: Tensor, y: Tensor):
    a = x.clone()
    a[y] = 1.0
    a[0, :2] = torch.tensor([4.0, 5.0])
    a[:, 1:2] = x[:, :1]
    return a
""",
        ((4, 4), ("int", 4, (2,))),
    ),
    Idiom(
        "losses",
        """
def f(x: Tensor, y: Tensor):
    return (
        F.cross_entropy(x, y),
        F.cross_entropy(x, y, label_smoothing=0.1, reduction="sum"),
        F.nll_loss(F.log_softmax(x, 1), y, ignore_index=2),
        F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0, 4.0]), reduction="none"),
    )
""",
        ((3, 4), ("int", 4, (3,))),
    ),
    Idiom(
        "bn_train",
        """
def f(x: Tensor):
    m, v = (torch.zeros(3), torch.ones(3))
    o = F.batch_norm(x, m, v, training=True, momentum=0.3)
    return (o, m, v)
""",
        ((2, 3, 4),),
    ),
    Idiom(
        "nograd_deco",
        """
@torch.no_grad()
def g(x):
    return x * 2

@torch.inference_mode()
def h(x):
    return x * 3

def f(x):
    return x + g(x) * h(x)
""",
        ((3, 4),),
    ),
    Idiom(
        "annots_run",
        """
from dataclasses import dataclass, field
import torch.nn as tnn
from torch.optim import Optimizer

@dataclass
class Cfg:
    dtype: torch.dtype | None = None
    dev: torch.device = torch.device("cpu")
    opt: Optional[Optimizer] = None
    layers: "list[torch.nn.Linear]" = field(default_factory=list)
    t: torch.Tensor | None = None

class O(NamedTuple):
    a: Tensor
    b: Optional[torch.optim.lr_scheduler.LRScheduler] = None

Alias: "TypeAlias" = Union[Tensor, None]

def g(
    x: Tensor, dtype: torch.dtype | None = None, gen: torch.Generator | None = None
) -> tuple[Tensor, torch.Size | None]:
    y: Final[Tensor] = x * 2
    return (y, x.shape)

def f(x: Tensor):
    c = Cfg()
    assert c.dtype is None
    return (O(g(x)[0]).a, g(x, dtype=None)[1])
""",
        ((2, 3),),
    ),
    Idiom(
        "jit_final",
        """
from torch.jit import Final

class A(nn.Module):
    n: Final[bool]
    m: Final[int] = 3
    k: torch.jit.Final[int]

    def __init__(self):
        super().__init__()
        self.n = True
        self.k = 1

    def forward(self, x):
        return x * self.m if self.n else x

def f(x):
    return A()(x)
""",
        ((2, 3),),
    ),
    Idiom(
        "dataset",
        """
import torch.utils.data as data

class Mixin:
    def tag(self):
        return 1

class DS(data.Dataset, Mixin):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] * 2

class Sub(DS):
    def __getitem__(self, i):
        return super().__getitem__(i) + self.tag()

class IT(data.IterableDataset):
    def __init__(self, x):
        super(IT, self).__init__()
        self.x = x

    def __iter__(self):
        for r in self.x:
            yield r

def f(x: Tensor):
    d = Sub(x)
    return (d[0], len(d), [r for r in IT(x)])
""",
        ((2, 3),),
    ),
    Idiom(
        "ema_fn",
        """
def f(x: Tensor):
    m = nn.Linear(3, 3)
    e = nn.Linear(3, 3)
    with torch.no_grad():
        m.weight.fill_(1.0)
        m.bias.zero_()
        e.weight.fill_(2.0)
        e.bias.fill_(3.0)
    for p in e.parameters():
        p.requires_grad = False
    for pm, pe in zip(m.parameters(), e.parameters()):
        pe.data = 0.5 * pe.data + 0.5 * pm.data
    for n, p in e.named_parameters():
        if "bias" in n:
            p.data.add_(1.0)
    return (
        e(x),
        sum((p.numel() for p in e.parameters())),
        [p.shape for p in e.parameters()],
    )
""",
        ((2, 3),),
    ),
    Idiom(
        "lr_alias",
        """
def f(x: Tensor):
    m = nn.Linear(3, 3)
    o = torch.optim.SGD(m.parameters(), lr=0.1)
    before = [g["lr"] for g in o.param_groups]
    for g in o.param_groups:
        g["lr"] *= 0.5
    for i, g in enumerate(o.param_groups):
        g["lr"] = g["lr"] * 0.5
    return (x, before, [g["lr"] for g in o.param_groups])
""",
        ((2, 3),),
    ),
    Idiom(
        "warmup",
        """
class Warm:
    def __init__(self, opt, n):
        self.opt, self.n, self.i = (opt, n, 0)
        self.base = [g["lr"] for g in opt.param_groups]

    def step(self):
        self.i += 1
        for b, g in zip(self.base, self.opt.param_groups):
            g["lr"] = b * min(1, self.i / self.n)

    def get(self):
        return [g["lr"] for g in self.opt.param_groups]

def f(x: Tensor):
    o = torch.optim.SGD(nn.Linear(3, 3).parameters(), lr=0.1)
    w = Warm(o, 4)
    out = []
    for _ in range(5):
        w.step()
        out.append(w.get())
    return (x, out)
""",
        ((2, 3),),
    ),
    Idiom(
        "topk_acc",
        """
def accuracy(output: Tensor, target: Tensor, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        return [
            correct[:k]
            .reshape(-1)
            .float()
            .sum(0, keepdim=True)
            .mul_(100.0 / target.size(0))
            for k in topk
        ]

def f(x: Tensor, y: Tensor):
    return (accuracy(x, y, (1, 3)), x * 1)
""",
        ((6, 4), ("int", 4, (6,))),
    ),
    Idiom(
        "iou",
        """
def box_iou(b1, b2, eps=1e-07):
    a1 = (b1[:, 2] - b1[:, 0]) * (b1[:, 3] - b1[:, 1])
    a2 = (b2[:, 2] - b2[:, 0]) * (b2[:, 3] - b2[:, 1])
    lt = torch.max(b1[:, None, :2], b2[:, :2])
    rb = torch.min(b1[:, None, 2:], b2[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    return inter / (a1[:, None] + a2 - inter + eps)

def nms(boxes, scores, t):
    keep = []
    idx = scores.argsort(descending=True)
    while idx.numel() > 0:
        i = idx[0]
        keep.append(i)
        if idx.numel() == 1:
            break
        iou = box_iou(boxes[i].unsqueeze(0), boxes[idx[1:]]).squeeze(0)
        idx = idx[1:][iou <= t]
    return torch.stack(keep)

def f(x: Tensor):
    b = torch.cat([x[:, :2], x[:, :2] + x[:, 2:].abs() + 0.1], 1)
    return (box_iou(b, b), nms(b.detach(), b[:, 0].detach(), 0.5))
""",
        ((5, 4),),
    ),
    Idiom(
        "slicing_seq",
        """
def f(x: Tensor):
    m = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    y = m[:2](x)
    for l in list(m.children())[:-1]:
        x = l(x)
    return (nn.Sequential(*list(m.children())[1:])(x), y, m[-1](x), m[1](y))
""",
        ((2, 3),),
    ),
]
#: ``build()``: outputs and gradients
NETWORKS = [
    Idiom(
        "vit",
        """
class Attention(nn.Module):
    def __init__(self, dim, heads=4, qkv_bias=True):
        super().__init__()
        self.heads, self.scale = (heads, (dim // heads) ** (-0.5))
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = (
            self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        )
        q, k, v = qkv.unbind(0)
        attn = q @ k.transpose(-2, -1) * self.scale
        attn = attn.softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(B, N, C))

class Mlp(nn.Module):
    def __init__(self, i, h, act_layer=nn.GELU, drop=0.0):
        super().__init__()
        self.fc1 = nn.Linear(i, h)
        self.act = act_layer()
        self.fc2 = nn.Linear(h, i)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        return self.drop(self.fc2(self.drop(self.act(self.fc1(x)))))

class Block(nn.Module):
    def __init__(self, d, norm_layer=nn.LayerNorm):
        super().__init__()
        self.norm1 = norm_layer(d)
        self.attn = Attention(d)
        self.norm2 = norm_layer(d)
        self.mlp = Mlp(d, 2 * d)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))

class ViT(nn.Module):
    def __init__(self, dim=16, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or partial(nn.LayerNorm, eps=1e-06)
        self.patch = nn.Conv2d(3, dim, kernel_size=4, stride=4)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, 5, dim) * 0.02)
        self.blocks = nn.Sequential(*[Block(dim, norm_layer=norm_layer) for _ in range(2)])
        self.norm = norm_layer(dim)
        self.head = nn.Linear(dim, 5) if dim > 0 else nn.Identity()
        nn.init.trunc_normal_(self.pos_embed, std=0.02)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.trunc_normal_(m.weight, std=0.02)
            if isinstance(m, nn.Linear) and m.bias is not None:
                nn.init.constant_(m.bias, 0)
        elif isinstance(m, nn.LayerNorm):
            nn.init.constant_(m.bias, 0)
            nn.init.constant_(m.weight, 1.0)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1)
        x = x + self.pos_embed
        x = self.norm(self.blocks(x))
        return self.head(x[:, 0])

def build():
    return ViT()
""",
        ((2, 3, 8, 8),),
    ),
    Idiom(
        "mha2",
        """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2, batch_first=True)
        self.register_buffer("c", torch.triu(torch.ones(4, 4), 1).bool())

    def forward(self, x, y, m):
        c = self.c
        return self.attn(x, y, y, average_attn_weights=False)

def build():
    return A()
""",
        (
            (2, 4, 8),
            (2, 5, 8),
            ("value", [[False, False, False, True, True], [False, False, False, False, False]]),
        ),
    ),
    Idiom(
        "mha5",
        """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2, batch_first=True)
        self.register_buffer("c", torch.triu(torch.ones(4, 4), 1).bool())

    def forward(self, x, y, m):
        c = self.c
        return self.attn(x, x, x, attn_mask=c, is_causal=True, need_weights=False)[0]

def build():
    return A()
""",
        (
            (2, 4, 8),
            (2, 5, 8),
            ("value", [[False, False, False, True, True], [False, False, False, False, False]]),
        ),
    ),
    Idiom(
        "mha6",
        """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2, batch_first=True)
        self.register_buffer("c", torch.triu(torch.ones(4, 4), 1).bool())

    def forward(self, x, y, m):
        c = self.c
        return self.attn(x, y, y, m, False)

def build():
    return A()
""",
        (
            (2, 4, 8),
            (2, 5, 8),
            ("value", [[False, False, False, True, True], [False, False, False, False, False]]),
        ),
    ),
    Idiom(
        "mha_unbatched_T",
        """
class A(nn.Module):
    def __init__(self, attn_cls=nn.MultiheadAttention):
        super().__init__()
        self.attn = attn_cls(8, 2)

    def forward(self, x):
        a, w = self.attn(x, x, x)
        b = self.attn(x, x, x, need_weights=False)[0]
        return (a, w, b)

def build():
    return A()
""",
        ((4, 2, 8),),
    ),
    Idiom(
        "mha_list",
        """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.attns = nn.ModuleList([nn.MultiheadAttention(8, 2) for _ in range(2)])

    def forward(self, x):
        for attn in self.attns:
            y, _ = attn(x, x, x, need_weights=False)
            x = x + y
        return x

def build():
    return A()
""",
        ((4, 2, 8),),
    ),
    Idiom(
        "conformer",
        """
class GLU(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        return a * b.sigmoid()

class Swish(nn.Module):
    def forward(self, x):
        return x * x.sigmoid()

class ConvModule(nn.Module):
    def __init__(self, d, k=3):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.pw1 = nn.Conv1d(d, 2 * d, 1)
        self.glu = nn.GLU(dim=1)
        self.dw = nn.Conv1d(d, d, k, padding=(k - 1) // 2, groups=d)
        self.bn = nn.BatchNorm1d(d)
        self.act = nn.SiLU()
        self.pw2 = nn.Conv1d(d, d, 1)

    def forward(self, x):
        x = self.ln(x).transpose(1, 2)
        x = self.act(self.bn(self.dw(self.glu(self.pw1(x)))))
        return self.pw2(x).transpose(1, 2)

class FF(nn.Sequential):
    def __init__(self, d):
        super().__init__(
            nn.LayerNorm(d),
            nn.Linear(d, 4 * d),
            Swish(),
            nn.Dropout(0.0),
            nn.Linear(4 * d, d),
        )

class Conformer(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.ff1, self.ff2 = (FF(d), FF(d))
        self.norm_att = nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, 2, dropout=0.0)
        self.conv = ConvModule(d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x, key_padding_mask: Optional[Tensor] = None):
        x = x + 0.5 * self.ff1(x)
        r = x
        y = self.norm_att(x).transpose(0, 1)
        y, _ = self.att(
            query=y, key=y, value=y, key_padding_mask=key_padding_mask, need_weights=False
        )
        x = y.transpose(0, 1) + r
        x = x + self.conv(x)
        return self.norm(x + 0.5 * self.ff2(x))

def build():
    return Conformer()
""",
        ((2, 6, 8),),
    ),
    Idiom(
        "tied",
        """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, i):
        return self.out(self.emb(i))

def build():
    return M()
""",
        (("int", 10, (2, 3)),),
    ),
    Idiom(
        "tied_dict",
        """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        l = nn.Linear(4, 4)
        self.d = nn.ModuleDict({"a": l, "b": nn.Linear(4, 4)})
        self.d["b"].weight = self.d["a"].weight
        self.ls = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        for q in self.ls[1:]:
            q.weight = self.ls[0].weight
        self.again = self.ls[0]

    def forward(self, x):
        for l in self.ls:
            x = l(x)
        return self.d["b"](self.d["a"](self.again(x)))

def build():
    return M()
""",
        ((2, 4),),
    ),
    Idiom(
        "tied_shared_list",
        """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        l = nn.Linear(4, 4)
        self.ls = nn.ModuleList([l, l])
        self.e = nn.ModuleDict()
        self.e["t"] = nn.Embedding(5, 4)
        self.h = nn.Linear(4, 5, bias=False)
        self.e["t"].weight = self.h.weight

    def forward(self, i):
        x = self.e["t"](i)
        for l in self.ls:
            x = l(x)
        return self.h(x)

def build():
    return M()
""",
        (("int", 5, (2, 3)),),
    ),
    Idiom(
        "custom_fn",
        """
class STE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return (x * k).round()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g * ctx.k * (x.abs() < 1).float(), None)

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        return STE.apply(self.l(x), 2.0)

def build():
    return M()
""",
        ((3, 4),),
    ),
    Idiom(
        "super_args",
        """
class Conv(nn.Conv2d):
    def __init__(self, i, o, k=3, **kwargs):
        super(Conv, self).__init__(i, o, k, padding=k // 2, bias=False)

    def forward(self, x):
        return F.relu(super().forward(x))

class BNR(nn.Sequential):
    def __init__(self, c):
        super().__init__(nn.BatchNorm2d(c), nn.ReLU(True))

class WS(nn.Conv2d):
    def forward(self, x):
        w = self.weight
        w = (w - w.mean(dim=(1, 2, 3), keepdim=True)) / (
            w.std(dim=(1, 2, 3), keepdim=True) + 1e-05
        )
        return F.conv2d(
            x, w, self.bias, self.stride, self.padding, self.dilation, self.groups
        )

def build():
    return nn.Sequential(Conv(3, 4), BNR(4), WS(4, 4, 3, padding=1))
""",
        ((2, 3, 5, 5),),
    ),
    Idiom(
        "rope",
        """
class R(nn.Module):
    def __init__(self, d=8, n=5):
        super().__init__()
        inv = 1.0 / 10000 ** (torch.arange(0, d, 2).float() / d)
        t = torch.arange(n, dtype=inv.dtype)
        f = torch.einsum("i,j->ij", t, inv)
        emb = torch.cat((f, f), dim=-1)
        self.register_buffer("cos", emb.cos()[None])
        self.register_buffer("sin", emb.sin()[None])
        self.q = nn.Linear(d, d)

    def rot(self, x):
        a, b = (x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :])
        return torch.cat((-b, a), dim=-1)

    def forward(self, x):
        q = self.q(x)
        mask = torch.full((5, 5), float("-inf")).triu(1)
        s = q * self.cos + self.rot(q) * self.sin
        return F.softmax(s @ s.transpose(1, 2) / math.sqrt(8) + mask, dim=-1) @ s

def build():
    return R()
""",
        ((2, 5, 8),),
    ),
    Idiom(
        "masked_lm",
        """
class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(11, 8)
        self.wpe = nn.Embedding(6, 8)
        self.h = nn.ModuleList(
            [
                nn.ModuleDict(
                    dict(ln=nn.LayerNorm(8), attn=nn.Linear(8, 24), proj=nn.Linear(8, 8))
                )
                for _ in range(2)
            ]
        )
        self.lm = nn.Linear(8, 11, bias=False)
        self.lm.weight = self.wte.weight
        self.register_buffer("bias", torch.tril(torch.ones(6, 6)).view(1, 1, 6, 6))
        for pn, p in self.named_parameters():
            if pn.endswith("proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(4))

    def forward(self, idx, targets=None):
        b, t = idx.size()
        x = self.wte(idx) + self.wpe(
            torch.arange(0, t, dtype=torch.long, device=idx.device)
        )
        for m in self.h:
            q, k, v = m["attn"](m["ln"](x)).split(8, dim=2)
            k = k.view(b, t, 2, 4).transpose(1, 2)
            q = q.view(b, t, 2, 4).transpose(1, 2)
            v = v.view(b, t, 2, 4).transpose(1, 2)
            att = q @ k.transpose(-2, -1) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf"))
            y = F.softmax(att, dim=-1) @ v
            x = x + m["proj"](y.transpose(1, 2).contiguous().view(b, t, 8))
        logits = self.lm(x)
        loss = F.cross_entropy(
            logits.view(-1, logits.size(-1)), idx.view(-1), ignore_index=-1
        )
        return (logits, loss)

def build():
    return G()
""",
        (("int", 11, (2, 5)),),
    ),
    Idiom(
        "next_params",
        """
class Bk(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(4)
        self.c = nn.Linear(4, 4)

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    def forward(self, x):
        x = x.to(next(self.parameters()).device).to(self.dtype)
        n = sum((p.numel() for p in self.parameters()))
        first = next(self.c.parameters())
        mask = torch.ones(
            4, device=next(self.parameters()).device, dtype=next(self.parameters()).dtype
        )
        return self.c(self.bn(x)) * n + first.sum() * mask

def build():
    return Bk()
""",
        ((3, 4),),
    ),
    Idiom(
        "gru_nohidden",
        """
class T(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 5, batch_first=True)
        self.cell = nn.LSTMCell(5, 4)

    def forward(self, x):
        self.rnn.flatten_parameters()
        o, h = self.rnn(x)
        hx, cx = (torch.zeros(x.size(0), 4), torch.zeros(x.size(0), 4))
        outs = []
        for t in range(o.size(1)):
            hx, cx = self.cell(o[:, t], (hx, cx))
            outs.append(hx)
        return (torch.stack(outs, 1), h.squeeze(0))

def build():
    return T()
""",
        ((2, 7, 6),),
    ),
    Idiom(
        "subclasses",
        """
class E(nn.Embedding):
    pass

class L(nn.Linear):
    pass

class BN(nn.BatchNorm2d):
    'doc'

    extra = 1

    def hello(self):
        return 1

class LN(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.float()).type_as(x)

class C(nn.Conv2d):
    def forward(self, x):
        return super(C, self).forward(x) * 2

class Act(nn.ReLU):
    pass

class D(C):
    pass

class Gn(nn.GroupNorm):
    def __init__(self, c):
        super().__init__(1, c)

class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = E(10, 4)
        self.l = L(4, 6, bias=False)
        self.ln = LN(6, eps=0.001)
        self.c = C(1, 3, 3, padding=1)
        self.d = D(3, 3, kernel_size=1)
        self.bn = BN(3, momentum=0.3, eps=0.01)
        self.a = Act(inplace=True)
        self.g = Gn(3)

    def forward(self, i):
        x = self.ln(self.l(self.e(i)))
        return self.g(self.a(self.bn(self.d(self.c(x.unsqueeze(1))))))

def build():
    return N()
""",
        (("int", 10, (2, 5)),),
    ),
    Idiom(
        "seq_sub",
        """
class S(nn.Sequential):
    def forward(self, x):
        for m in self:
            x = m(x) + x
        return x

class ML(nn.ModuleList):
    def forward(self, x):
        for m in self:
            x = m(x)
        return x

class CBR(nn.Sequential):
    def __init__(self, i, o, act_layer: Optional[Callable[..., nn.Module]] = nn.ReLU6):
        layers = [nn.Linear(i, o), nn.BatchNorm1d(o)]
        if act_layer is not None:
            layers.append(act_layer(inplace=True))
        super().__init__(*layers)
        self.out_channels = o

def build():
    return nn.Sequential(
        S(nn.Linear(4, 4), nn.Tanh()), CBR(4, 4), ML([nn.Linear(4, 4), nn.Tanh()])
    )
""",
        ((3, 4),),
    ),
    Idiom(
        "swin",
        """
def window_partition(x, ws):
    B, H, W, C = x.shape
    x = x.view(B, H // ws, ws, W // ws, ws, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, ws, ws, C)

def window_reverse(w, ws, H, W):
    B = int(w.shape[0] / (H * W / ws / ws))
    x = w.view(B, H // ws, W // ws, ws, ws, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)

class WA(nn.Module):
    def __init__(self, dim=8, ws=2, nh=2):
        super().__init__()
        self.ws, self.nh, self.scale = (ws, nh, (dim // nh) ** (-0.5))
        self.relative_position_bias_table = nn.Parameter(
            torch.zeros((2 * ws - 1) * (2 * ws - 1), nh)
        )
        ch = torch.arange(ws)
        cw = torch.arange(ws)
        coords = torch.stack(torch.meshgrid([ch, cw], indexing="ij"))
        cf = torch.flatten(coords, 1)
        rel = cf[:, :, None] - cf[:, None, :]
        rel = rel.permute(1, 2, 0).contiguous()
        rel[:, :, 0] += ws - 1
        rel[:, :, 1] += ws - 1
        rel[:, :, 0] *= 2 * ws - 1
        self.register_buffer("relative_position_index", rel.sum(-1))
        self.qkv = nn.Linear(dim, dim * 3)
        self.softmax = nn.Softmax(dim=-1)
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def forward(self, x):
        H = W = 4
        sx = torch.roll(x, shifts=(-1, -1), dims=(1, 2))
        x = window_partition(sx, self.ws).view(-1, 4, 8)
        B_, N, C = x.shape
        q, k, v = (
            self.qkv(x).reshape(B_, N, 3, self.nh, C // self.nh).permute(2, 0, 3, 1, 4)
        )
        attn = q * self.scale @ k.transpose(-2, -1)
        b = (
            self.relative_position_bias_table[self.relative_position_index.view(-1)]
            .view(N, N, -1)
            .permute(2, 0, 1)
            .contiguous()
        )
        attn = self.softmax(attn + b.unsqueeze(0))
        x = (attn @ v).transpose(1, 2).reshape(B_, N, C)
        return window_reverse(x.view(-1, 2, 2, C), self.ws, H, W)

def build():
    return WA()
""",
        ((2, 4, 4, 8),),
    ),
]
#: ``train(model, batches)``: what it gives, and the weights
LOOPS = [
    Idiom(
        "autocast_only",
        """
def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    out = []
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast("cpu", enabled=False):
            loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "scaler_cpu",
        """
def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    out = []
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast("cpu", enabled=False):
            loss = F.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "plain",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "zero_after",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "zero_model",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        model.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_l1",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1, norm_type=1)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_value_expr",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), 0.01 + 0.005)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_norm_used",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        g = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        losses.append(g.item())
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_just_norm",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        n = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        losses.append(n.item())
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_if",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        if len(losses) > 1:
            nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "sched_epoch",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    sched = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.1)
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
        sched.step()
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "sched_before",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0, factor=0.5)
    for x, y in batches:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        plateau.step(loss.item())
        losses.append(opt.param_groups[0]["lr"])
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "lr_set",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        for g in opt.param_groups:
            g["lr"] = 0.1 / (1 + len(losses))
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "part_opt",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.l2.parameters(), lr=0.1)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "frozen_all_opt",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for p in model.l1.parameters():
        p.requires_grad = False
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "ann_out",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out: torch.Tensor = model(x)
        loss: torch.Tensor = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "walrus",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        if (out := model(x)).sum() > -100:
            loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "outs_list",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    outs = []
    for x, y in batches:
        opt.zero_grad()
        outs.clear()
        outs.append(model(x))
        loss = sum((loss_fn(o, y) for o in outs))
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "outs_dict",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    d = {}
    for x, y in batches:
        opt.zero_grad()
        d["o"] = model(x)
        loss = loss_fn(d["o"], y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "attr_out",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        model.out = model(x)
        loss = loss_fn(model.out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "fill_fn",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    outs = []

    def fill(o, m, x):
        o.append(m(x))

    for x, y in batches:
        opt.zero_grad()
        fill(outs, model, x)
        loss = loss_fn(outs[-1], y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "direct_backward",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        loss_fn(model(x), y).backward()
        opt.step()
        losses.append(1)
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "loss_iadd",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        loss = 0
        for i in range(2):
            loss += loss_fn(model(x * (i + 1)), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "running",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    total = 0.0
    n = 0
    for x, y in batches:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        total += loss.item()
        loss.backward()
        opt.step()
        n += 1
    return total / n
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "hidden",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    h = torch.zeros(5, 3)
    for x, y in batches:
        opt.zero_grad()
        h = torch.tanh(model(x) + h)
        loss = loss_fn(h, y)
        loss.backward()
        opt.step()
        h = h.detach()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "prep",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        x, y = (x.to("cpu"), y.to("cpu"))
        x = x.view(x.size(0), -1).float()
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "pre_teacher",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        with torch.no_grad():
            t = model(x)
        opt.zero_grad()
        loss = loss_fn(model(x), y) + loss_fn(model(x), t)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "named_wd",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    decay, no = ([], [])
    for n, p in model.named_parameters():
        if p.ndim == 1:
            no.append(p)
        else:
            decay.append(p)
    opt = torch.optim.SGD(
        [{"params": decay, "weight_decay": 0.1}, {"params": no, "weight_decay": 0.0}],
        lr=0.1,
    )
    for x, y in batches:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "ema_lerp",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    import copy

    ema = copy.deepcopy(model)
    for p in ema.parameters():
        p.requires_grad = False
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
        for p, q in zip(model.parameters(), ema.parameters()):
            q.data.lerp_(p.data, 0.1)
    return (losses, [p.detach().sum().item() for p in ema.parameters()])
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "numel",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return (
        losses,
        sum((p.numel() for p in model.parameters())),
        len(list(model.parameters())),
        sum((p.numel() for p in model.parameters() if p.requires_grad)),
    )
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "gan_two_steps",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(3, 4)
        self.d = nn.Linear(4, 1)

def build():
    return Net()

def train(model, batches):
    G, D = (model.g, model.d)
    bce = nn.BCEWithLogitsLoss()
    optG = torch.optim.SGD(G.parameters(), lr=0.1)
    optD = torch.optim.SGD(D.parameters(), lr=0.1)
    out = []
    for z, real in batches:
        ones, zeros = (torch.ones(5, 1), torch.zeros(5, 1))
        optD.zero_grad()
        fake = G(z).detach()
        loss_d = bce(D(real), ones) + bce(D(fake), zeros)
        loss_d.backward()
        optD.step()
        optG.zero_grad()
        loss_g = bce(D(G(z)), ones)
        loss_g.backward()
        optG.step()
        out.append((loss_d.item(), loss_g.item()))
    return out
""",
        ((5, 3), (5, 4)),
    ),
    Idiom(
        "class_trainer",
        """
class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
        self.crit = nn.MSELoss()

    def step(self, x, y):
        self.model.train()
        self.opt.zero_grad()
        out = self.model(x)
        loss = self.crit(out, y)
        loss.backward()
        self.opt.step()
        return loss.item()

def train(model, batches):
    t = Trainer(model)
    return [t.step(x, y) for x, y in batches]
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "loss_in_fn",
        """
def compute(model, x, y):
    return F.mse_loss(model(x), y)

def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    out = []
    model.train()
    for i, (x, y) in enumerate(batches):
        opt.zero_grad()
        loss = compute(model, x, y)
        loss.backward()
        opt.step()
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "epochs",
        """
def train_one_epoch(epoch, model, loader, optimizer, criterion, scheduler=None, clip=None):
    model.train()
    total, correct = (0.0, 0)
    for batch_idx, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        total += loss.item() * data.size(0)
        correct += (output.argmax(1) == target.argmax(1)).sum().item()
    return (total / len(loader), correct)

@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    return sum((criterion(model(x), y).item() for x, y in loader))

def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    out = []
    for epoch in range(2):
        out.append(
            train_one_epoch(epoch, model, batches, optimizer, criterion, scheduler, 0.5)
        )
        out.append(evaluate(model, batches, criterion))
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "tbptt_lstm",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 3, batch_first=True)

    def forward(self, x, h=None):
        if h is None:
            return self.rnn(x)
        return self.rnn(x, h)

def build():
    return Net()

def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    out = []
    h = None
    for (x,) in batches:
        opt.zero_grad()
        o, h = model(x, h)
        loss = (o**2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        opt.step()
        h = tuple((v.detach() for v in h))
        out.append(loss.item())
    return out
""",
        ((3, 5, 4),),
    ),
    Idiom(
        "other_train_call",
        """
def pretrain(other):
    other.train()

def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    out = []
    for x, y in batches:
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "two_backward",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        l1 = loss_fn(model(x), y)
        l1.backward()
        l2 = model(x * 2).abs().mean()
        l2.backward()
        opt.step()
        losses.append(l1.item() + l2.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "gan_fake_reused",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(3, 4)
        self.d = nn.Linear(4, 1)

def build():
    return Net()

def train(model, batches):
    G, D = (model.g, model.d)
    optG = torch.optim.SGD(G.parameters(), lr=0.1)
    optD = torch.optim.SGD(D.parameters(), lr=0.1)
    out = []
    for z, real in batches:
        fake = G(z)
        optG.zero_grad()
        loss_g = -D(fake).mean()
        loss_g.backward()
        optG.step()
        optD.zero_grad()
        loss_d = D(fake.detach()).mean() - D(real).mean()
        loss_d.backward()
        optD.step()
        out.append((loss_d.item(), loss_g.item()))
    return out
""",
        ((5, 3), (5, 4)),
    ),
]
#: loops that are not clear, and keep their text
LEFT = [
    Idiom(
        "no_zero",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "zero_between",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.zero_grad()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_norm_used1",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        g = nn.utils.clip_grad_norm_(model.parameters(), 0.1, 1)
        losses.append(g.item())
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_part",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.l2.parameters(), 0.1)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "clip_after_step",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "manual_grad",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        for p in model.parameters():
            p.grad.mul_(0.5)
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "grad_norm_log",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        loss = loss_fn(out, y)
        loss.backward()
        losses.append(sum((p.grad.norm().item() for p in model.parameters())))
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "accum_div",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        loss = loss_fn(model(x), y) / 2
        loss.backward()
        if (len(losses) + 1) % 2 == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "retain",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        out = model(x)
        l1 = loss_fn(out, y)
        l1.backward(retain_graph=True)
        out.sum().backward()
        opt.step()
        losses.append(l1.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "if_train",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        out = model(x)
        if True:
            loss = loss_fn(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "closure",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:

        def closure():
            opt.zero_grad()
            l = loss_fn(model(x), y)
            l.backward()
            return l

        loss = opt.step(closure)
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "continue_nan",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        if torch.isnan(loss):
            continue
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "no_grad_update",
        """
def train(model, batches):
    losses = []
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for x, y in batches:
        loss = loss_fn(model(x), y)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
        losses.append(loss.item())
    return losses
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "gan_dcgan",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(3, 4)
        self.d = nn.Linear(4, 1)

def build():
    return Net()

def train(model, batches):
    netG, netD = (model.g, model.d)
    bce = nn.BCEWithLogitsLoss()
    optG = torch.optim.SGD(netG.parameters(), lr=0.1)
    optD = torch.optim.SGD(netD.parameters(), lr=0.1)
    out = []
    for z, real in batches:
        netD.zero_grad()
        label = torch.full((5, 1), 1.0)
        errD_real = bce(netD(real), label)
        errD_real.backward()
        fake = netG(z)
        label.fill_(0.0)
        errD_fake = bce(netD(fake.detach()), label)
        errD_fake.backward()
        optD.step()
        netG.zero_grad()
        label.fill_(1.0)
        errG = bce(netD(fake), label)
        errG.backward()
        optG.step()
        out.append((errD_real.item(), errG.item()))
    return out
""",
        ((5, 3), (5, 4)),
    ),
    Idiom(
        "gan_zero_top",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(3, 4)
        self.d = nn.Linear(4, 1)

def build():
    return Net()

def train(model, batches):
    G, D = (model.g, model.d)
    bce = nn.BCEWithLogitsLoss()
    optG = torch.optim.SGD(G.parameters(), lr=0.1)
    optD = torch.optim.SGD(D.parameters(), lr=0.1)
    out = []
    for z, real in batches:
        optD.zero_grad()
        optG.zero_grad()
        loss_d = bce(D(real), torch.ones(5, 1)) + bce(D(G(z)), torch.zeros(5, 1))
        loss_d.backward()
        optD.step()
        loss_g = bce(D(G(z)), torch.ones(5, 1))
        loss_g.backward()
        optG.step()
        out.append((loss_d.item(), loss_g.item()))
    return out
""",
        ((5, 3), (5, 4)),
    ),
    Idiom(
        "gan_critic_loop",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(3, 4)
        self.d = nn.Linear(4, 1)

def build():
    return Net()

def train(model, batches):
    G, D = (model.g, model.d)
    optG = torch.optim.SGD(G.parameters(), lr=0.1)
    optD = torch.optim.SGD(D.parameters(), lr=0.1)
    out = []
    for z, real in batches:
        for _ in range(2):
            optD.zero_grad()
            loss_d = D(G(z).detach()).mean() - D(real).mean()
            loss_d.backward()
            optD.step()
            for p in D.parameters():
                p.data.clamp_(-0.5, 0.5)
        optG.zero_grad()
        loss_g = -D(G(z)).mean()
        loss_g.backward()
        optG.step()
        out.append((loss_d.item(), loss_g.item()))
    return out
""",
        ((5, 3), (5, 4)),
    ),
    Idiom(
        "backward_fn",
        """
def optimize(out, y, opt):
    loss = F.mse_loss(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()

def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    return [optimize(model(x), y, opt) for x, y in batches]
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "try_loop",
        """
def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    out = []
    model.train()
    for x, y in batches:
        try:
            opt.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            opt.step()
        except RuntimeError:
            continue
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
    Idiom(
        "one_model_two_opts",
        """
def train(model, batches):
    o1 = torch.optim.SGD(model.l1.parameters(), lr=0.1)
    o2 = torch.optim.SGD(model.l2.parameters(), lr=0.01)
    out = []
    model.train()
    for x, y in batches:
        o1.zero_grad()
        o2.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        o1.step()
        o2.step()
        out.append(loss.item())
    return out
""",
        ((5, 4), (5, 3)),
    ),
]
#: what differs, with a mark
MARKED = [
    Idiom(
        "list_alias",
        """
def f(x: Tensor):
    l = [x, x * 2]
    l[0] += 1
    return (l[0], x)
""",
        ((3, 4),),
    ),
    Idiom(
        "dict_alias",
        """
def f(x: Tensor):
    d = {"a": x}
    d["a"] += 1
    return (d["a"], x)
""",
        ((3, 4),),
    ),
    Idiom(
        "arg_iadd",
        """
def g(t):
    t += 1
    return t

def f(x):
    y = g(x)
    return (x, y)
""",
        ((3, 4),),
    ),
    Idiom(
        "freeze_attr",
        """
def f(x: Tensor):
    m = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    for p in m[0].parameters():
        p.requires_grad = False
    t = sum((p.numel() for p in m.parameters()))
    r = sum((p.numel() for p in m.parameters() if p.requires_grad))
    ps = list(m.parameters())
    return (
        x,
        t,
        r,
        any((p.requires_grad for p in m[0].parameters())),
        len(ps),
        len([p for p in m.parameters() if not p.requires_grad]),
    )
""",
        ((2, 3),),
    ),
    Idiom(
        "relu_inplace_shared",
        """
class Bk(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Linear(4, 4)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.c(x)
        z = self.relu(y)
        return y + z

def build():
    return Bk()
""",
        ((2, 4),),
    ),
    Idiom(
        "freload",
        """
class Bk(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Linear(4, 4)

    def forward(self, x):
        y = self.c(x)
        F.relu(y, inplace=True)
        return y

def build():
    return Bk()
""",
        ((2, 4),),
    ),
    Idiom(
        "f_inplace_alias",
        """
class Bk(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Linear(4, 4)

    def forward(self, x):
        y = self.c(x)
        z = F.relu(y, inplace=True)
        w = F.leaky_relu_(z * 1, 0.1)
        return (y, z, w)

def build():
    return Bk()
""",
        ((2, 4),),
    ),
    Idiom(
        "iadd_param",
        """
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        x += 1
        return self.l(x)

class Bk(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = A()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        y = self.l(x)
        return self.a(y) + y

def build():
    return Bk()
""",
        ((2, 4),),
    ),
]
