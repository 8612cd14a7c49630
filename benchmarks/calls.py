"""What 250 calls cost beside torch's: ``python benchmarks/calls.py [PART OF A CALL ...]``.

Operators of all families on small tensors, as functions, methods, Primitives, layers: the time is
that of the way to the kernel. It is the time of the thread itself; both sides run in turns, each
figure is the best of several runs. The slowest in proportion come first.
"""

from __future__ import annotations

import statistics
import sys
import time
import timeit
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

import agar as ms
import agar.numpy as mnp
from agar import mint, nn, ops

ROUNDS, SECONDS = 7, 0.004


class Net(nn.Cell):
    """Three layers."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.r, self.b = nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 4)

    def construct(self, x: Any) -> Any:
        return self.b(self.r(self.a(x)))


class TorchNet(torch.nn.Module):
    """The same for torch."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.r = torch.nn.Linear(3, 4), torch.nn.ReLU()
        self.b = torch.nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.b(self.r(self.a(x)))


def both(value: Any) -> tuple[ms.Tensor, torch.Tensor]:
    """A tensor of each side."""
    tensor = ms.Tensor(value)
    return tensor, tensor.to_torch().clone()


names: dict[str, Any] = {"ms": ms, "ops": ops, "mint": mint, "mnp": mnp, "torch": torch, "F": F}
for own, theirs, value in (
    ("x", "tx", np.random.rand(2, 3).astype(np.float32)),
    ("y", "ty", np.random.rand(2, 3).astype(np.float32)),
    ("g", "tg", np.ones(3, np.float32)),
    ("row", "trow", np.ones(3, np.float32)),
    ("w", "tw", np.ones((4, 3), np.float32)),
    ("b", "tb", np.ones(4, np.float32)),
    ("image", "ti", np.ones((1, 1, 4, 4), np.float32)),
    ("x3", "tx3", np.ones((2, 2, 3), np.float32)),
    ("s", "ts", 2.0),
    ("mask", "tm", np.ones((2, 3), bool)),
    ("places", "tp", np.array([1, 0], np.int32)),
    ("places64", "tp64", np.array([1, 0])),
    ("idx", "tidx", np.array([[0, 1, 0]])),
):
    names[own], names[theirs] = both(value)
names |= {"arr": np.ones((2, 3), np.float32), "lst": [1.0, 2.0, 3.0]}
names |= {
    name: getattr(ops, name)()
    for name in (
        "Add",
        "Sub",
        "Mul",
        "MatMul",
        "ReLU",
        "Softmax",
        "Reshape",
        "Cast",
        "ReduceSum",
        "ReduceMean",
        "Transpose",
        "Gather",
        "ExpandDims",
        "Tanh",
        "Sigmoid",
    )
} | {"Concat": ops.Concat(1)}
for own, layer, theirs in (
    ("dense", nn.Dense(3, 4), torch.nn.Linear(3, 4)),
    ("ln", nn.LayerNorm((3,)), torch.nn.LayerNorm([3])),
    ("relu", nn.ReLU(), torch.nn.ReLU()),
    ("gelu", nn.GELU(), torch.nn.GELU(approximate="tanh")),
    ("conv", nn.Conv2d(1, 2, 3), torch.nn.Conv2d(1, 2, 3, padding=1, bias=False)),
    ("emb", nn.Embedding(8, 4), torch.nn.Embedding(8, 4)),
    ("bn", nn.BatchNorm2d(1), torch.nn.BatchNorm2d(1).eval()),
    ("drop", nn.Dropout(p=0.5), torch.nn.Dropout(0.5).eval()),
    ("dropt", nn.Dropout(p=0.5).set_train(), torch.nn.Dropout(0.5)),
    ("pool", nn.MaxPool2d(2, 2), torch.nn.MaxPool2d(2, 2)),
    ("apool", nn.AvgPool2d(2, 2), torch.nn.AvgPool2d(2, 2)),
    ("flat", nn.Flatten(), torch.nn.Flatten()),
    ("ce", nn.CrossEntropyLoss(), torch.nn.CrossEntropyLoss()),
    ("mse", nn.MSELoss(), torch.nn.MSELoss()),
    ("net", Net(), TorchNet()),
):
    names[own], names[f"t{own}"] = layer, theirs

CALLS = """\
x + y | tx + ty
x + 2.0 | tx + 2.0
x * 2 | tx * 2
2 * x | 2 * tx
x - y | tx - ty
1 - x | 1 - tx
x * y | tx * ty
x / y | tx / ty
x / 2 | tx / 2
x ** 2 | tx ** 2
x // 2 | tx // 2
x % 2 | tx % 2
-x | -tx
x @ w.T | tx @ tw.T
x > y | tx > ty
x > 0 | tx > 0
x == y | tx == ty
x == 0 | tx == 0
x != 0 | tx != 0
mask & mask | tm & tm
~mask | ~tm
x.__add__(y) | tx.__add__(ty)
ops.add(x, y) | torch.add(tx, ty)
ops.mul(x, y) | torch.mul(tx, ty)
ops.sub(x, y) | torch.sub(tx, ty)
ops.div(x, y) | torch.div(tx, ty)
ops.pow(x, 2) | torch.pow(tx, 2)
mint.add(x, y) | torch.add(tx, ty)
mint.matmul(x, g) | torch.matmul(tx, tg)
x.add(y) | tx.add(ty)
x.sub(y) | tx.sub(ty)
x.mul(y) | tx.mul(ty)
x.div(y) | tx.div(ty)
ops.equal(x, y) | torch.eq(tx, ty)
ops.maximum(x, y) | torch.maximum(tx, ty)
ops.logical_and(mask, mask) | torch.logical_and(tm, tm)
ops.relu(x) | torch.relu(tx)
ops.exp(x) | torch.exp(tx)
ops.log(x) | torch.log(tx)
ops.sqrt(x) | torch.sqrt(tx)
x.sqrt() | tx.sqrt()
ops.rsqrt(x) | torch.rsqrt(tx)
ops.abs(x) | torch.abs(tx)
x.abs() | tx.abs()
ops.tanh(x) | torch.tanh(tx)
ops.sigmoid(x) | torch.sigmoid(tx)
ops.sin(x) | torch.sin(tx)
ops.erf(x) | torch.erf(tx)
ops.floor(x) | torch.floor(tx)
ops.round(x) | torch.round(tx)
ops.square(x) | torch.square(tx)
ops.gelu(x) | F.gelu(tx)
ops.gelu(x, approximate='tanh') | F.gelu(tx, approximate='tanh')
ops.silu(x) | F.silu(tx)
ops.leaky_relu(x) | F.leaky_relu(tx)
ops.softmax(x) | torch.softmax(tx, -1)
ops.softmax(x, axis=1) | torch.softmax(tx, dim=1)
mint.nn.functional.softmax(x, dim=-1) | F.softmax(tx, dim=-1)
ops.log_softmax(x) | torch.log_softmax(tx, -1)
ops.layer_norm(x, (3,), g, g) | F.layer_norm(tx, (3,), tg, tg)
ops.dense(x, w, b) | F.linear(tx, tw, tb)
ops.matmul(x, g) | torch.matmul(tx, tg)
ops.bmm(x3, x3.swapaxes(1,2)) | torch.bmm(tx3, tx3.transpose(1, 2))
ops.clamp(x, 0.0, 1.0) | torch.clamp(tx, 0.0, 1.0)
ops.clip_by_value(x, 0.0, 1.0) | torch.clamp(tx, 0.0, 1.0)
x.sum() | tx.sum()
ops.sum(x, 1) | torch.sum(tx, 1)
x.sum(1) | tx.sum(1)
x.sum(axis=-1) | tx.sum(dim=-1)
x.sum(axis=-1, keepdims=True) | tx.sum(dim=-1, keepdim=True)
x.mean() | tx.mean()
ops.mean(x, 1) | torch.mean(tx, 1)
x.mean(axis=-1) | tx.mean(dim=-1)
x.mean(-1, keep_dims=True) | tx.mean(-1, keepdim=True)
x.std() | tx.std()
x.var(-1) | tx.var(-1)
x.prod() | tx.prod()
x.max() | tx.max()
x.max(axis=1) | tx.amax(1)
ops.max(x, 1) | torch.max(tx, 1)
mint.max(x, 1) | torch.max(tx, 1)
x.min() | tx.min()
ops.argmax(x, 1) | torch.argmax(tx, 1)
x.argmax(axis=-1) | tx.argmax(-1)
x.argmax() | tx.argmax()
ops.argmin(x, 1) | torch.argmin(tx, 1)
ops.amax(x, 1) | torch.amax(tx, 1)
mask.any() | tm.any()
mask.all() | tm.all()
ops.norm(x) | torch.norm(tx)
ops.cumsum(x, 1) | torch.cumsum(tx, 1)
ops.topk(x, 2) | torch.topk(tx, 2)
x.topk(2) | tx.topk(2)
mint.topk(x, 2) | torch.topk(tx, 2)
ops.sort(x) | torch.sort(tx)
ops.argsort(x) | torch.argsort(tx)
x[0] | tx[0]
x[-1] | tx[-1]
x[0, 1] | tx[0, 1]
x[1:] | tx[1:]
x[:, 1:] | tx[:, 1:]
x[:, None] | tx[:, None]
x[..., 0] | tx[..., 0]
x3[:, -1, :] | tx3[:, -1, :]
x[None] | tx[None]
x[mask] | tx[tm]
x[places] | tx[tp]
x[places64] | tx[tp64]
x[places64, places64] | tx[tp64, tp64]
x[:, places64] | tx[:, tp64]
x[[1, 0]] | tx[[1, 0]]
x[::2] | tx[::2]
x[0] = 1.0 | tx[0] = 1.0
x[0] = 1 | tx[0] = 1
x[0] = row | tx[0] = trow
x[:, 1:] = 0.0 | tx[:, 1:] = 0.0
x[0, 1] = 2.0 | tx[0, 1] = 2.0
x[mask] = 0.0 | tx[tm] = 0.0
x[places64] = 0.0 | tx[tp64] = 0.0
x[0] = lst | tx[0] = torch.tensor(lst)
ops.gather(x, places64, 0) | torch.index_select(tx, 0, tp64)
ops.gather(x, places, 0) | torch.index_select(tx, 0, tp)
ops.gather_elements(x, 0, idx) | torch.gather(tx, 0, tidx)
ops.index_select(x, 0, places64) | torch.index_select(tx, 0, tp64)
mint.nn.functional.embedding(places64, w) | F.embedding(tp64, tw)
ops.where(mask, x, y) | torch.where(tm, tx, ty)
ops.where(mask, x, 0.0) | torch.where(tm, tx, 0.0)
ops.select(mask, x, y) | torch.where(tm, tx, ty)
ops.masked_fill(x, mask, 0.0) | tx.masked_fill(tm, 0.0)
x.masked_fill(mask, 0.0) | tx.masked_fill(tm, 0.0)
ops.nonzero(x) | torch.nonzero(tx)
ops.tril(x) | torch.tril(tx)
x.reshape(3, 2) | tx.reshape(3, 2)
x.reshape((3, 2)) | tx.reshape((3, 2))
ops.reshape(x, (3, 2)) | torch.reshape(tx, (3, 2))
x.view(3, 2) | tx.view(3, 2)
x.view(-1) | tx.view(-1)
ops.transpose(x, (1, 0)) | tx.permute((1, 0))
x3.transpose(0, 2, 1) | tx3.permute(0, 2, 1)
x3.permute(0, 2, 1) | tx3.permute(0, 2, 1)
x.swapaxes(0, 1) | tx.swapaxes(0, 1)
x.T | tx.T
ops.expand_dims(x, 0) | tx.unsqueeze(0)
x.unsqueeze(0) | tx.unsqueeze(0)
image.squeeze() | ti.squeeze()
image.squeeze(0) | ti.squeeze(0)
ops.flatten(image) | torch.flatten(ti, 1)
x.flatten() | tx.flatten()
ops.broadcast_to(g, (2, 3)) | torch.broadcast_to(tg, (2, 3))
g.expand((2, 3)) | tg.expand((2, 3))
ops.tile(x, (2, 1)) | torch.tile(tx, (2, 1))
ops.repeat_interleave(x, 2, 0) | torch.repeat_interleave(tx, 2, 0)
ops.concat((x, y)) | torch.cat((tx, ty))
ops.cat((x, y), 1) | torch.cat((tx, ty), 1)
ops.cat([x, y], axis=-1) | torch.cat([tx, ty], dim=-1)
ops.cat([x, y, x, y], axis=-1) | torch.cat([tx, ty, tx, ty], dim=-1)
mint.cat((x, y), 1) | torch.cat((tx, ty), 1)
ops.stack((x, y)) | torch.stack((tx, ty))
ops.stack([x, y], 1) | torch.stack([tx, ty], 1)
ops.split(x, 1) | torch.split(tx, 1)
ops.split(x, 1, axis=-1) | torch.split(tx, 1, dim=-1)
x.split(1) | tx.split(1)
ops.chunk(x, 3, 1) | torch.chunk(tx, 3, 1)
ops.unbind(x) | torch.unbind(tx)
ops.unstack(x) | torch.unbind(tx)
list(x) | list(tx)
ops.roll(x, 1, 0) | torch.roll(tx, 1, 0)
ops.flip(x, (0,)) | torch.flip(tx, (0,))
ops.pad(x, (1, 1)) | F.pad(tx, (1, 1))
ops.zeros_like(x) | torch.zeros_like(tx)
ops.ones_like(x) | torch.ones_like(tx)
ops.zeros((2, 3)) | torch.zeros((2, 3))
ops.zeros((2, 3), ms.float16) | torch.zeros((2, 3), dtype=torch.float16)
mint.zeros((2, 3)) | torch.zeros((2, 3))
ops.ones((2, 3), ms.float32) | torch.ones((2, 3), dtype=torch.float32)
ops.full((2, 3), 1.5) | torch.full((2, 3), 1.5)
ops.full((2, 3), 1, dtype=ms.int32) | torch.full((2, 3), 1, dtype=torch.int32)
ops.arange(5) | torch.arange(5)
ops.arange(0, 5, 1) | torch.arange(0, 5, 1)
mint.arange(0, 5) | torch.arange(0, 5)
ops.linspace(0.0, 1.0, 5) | torch.linspace(0.0, 1.0, 5)
ops.eye(3, 3, ms.float32) | torch.eye(3)
ops.full_like(x, 1.5) | torch.full_like(tx, 1.5)
ops.one_hot(places64, 4) | F.one_hot(tp64, 4)
ops.one_hot(places64, 4, 1.0, 0.0) | F.one_hot(tp64, 4).float()
x.astype(ms.float16) | tx.to(torch.float16)
x.astype(ms.float32) | tx.to(torch.float32)
x.to(ms.float16) | tx.to(torch.float16)
ops.cast(x, ms.int32) | tx.to(torch.int32)
mask.float() | tm.float()
x.int() | tx.int()
x.asnumpy() | tx.numpy()
s.item() | ts.item()
float(s) | float(ts)
int(s) | int(ts)
bool(s > 1) | bool(ts > 1)
x.tolist() | tx.tolist()
len(x) | len(tx)
x.shape | tx.shape
x.shape[0] | tx.shape[0]
x.dtype | tx.dtype
x.ndim | tx.ndim
x.size | tx.numel()
ms.Tensor(arr) | torch.tensor(arr)
ms.Tensor(lst) | torch.tensor(lst)
ms.Tensor(1.0) | torch.tensor(1.0)
ms.Tensor(arr, ms.float32) | torch.tensor(arr, dtype=torch.float32)
ms.Tensor(lst, ms.float32) | torch.tensor(lst, dtype=torch.float32)
ms.from_numpy(arr) | torch.from_numpy(arr)
ms.tensor(2) | torch.tensor(2)
x.copy() | tx.clone()
x.clone() | tx.clone()
ops.stop_gradient(x) | tx.detach()
ops.einsum('ij,kj->ik', x, y) | torch.einsum('ij,kj->ik', tx, ty)
ops.cross_entropy(x, places64) | F.cross_entropy(tx, tp64)
ops.mse_loss(x, y) | F.mse_loss(tx, ty)
ops.dropout(x, 0.5, training=False) | F.dropout(tx, 0.5, training=False)
ops.conv2d(image, image) | F.conv2d(ti, ti)
ops.max_pool2d(image, 2, 2) | F.max_pool2d(ti, 2, 2)
ops.interpolate(image, size=(8, 8), mode='nearest') | F.interpolate(ti, size=(8, 8), mode='nearest')
ops.isnan(x) | torch.isnan(tx)
ops.isfinite(x) | torch.isfinite(tx)
ops.outer(g, g) | torch.outer(tg, tg)
Add(x, y) | torch.add(tx, ty)
Sub(x, y) | torch.sub(tx, ty)
Mul(x, y) | torch.mul(tx, ty)
ReLU(x) | torch.relu(tx)
Tanh(x) | torch.tanh(tx)
Sigmoid(x) | torch.sigmoid(tx)
MatMul(w, x.T) | torch.matmul(tw, tx.T)
Softmax(x) | torch.softmax(tx, -1)
Reshape(x, (3, 2)) | torch.reshape(tx, (3, 2))
Concat((x, y)) | torch.cat((tx, ty), 1)
Cast(x, ms.float16) | tx.to(torch.float16)
ReduceSum(x, 1) | torch.sum(tx, 1)
ReduceMean(x, 1) | torch.mean(tx, 1)
Transpose(x, (1, 0)) | tx.permute((1, 0))
Gather(x, places64, 0) | torch.index_select(tx, 0, tp64)
ExpandDims(x, 0) | tx.unsqueeze(0)
mnp.add(x, y) | torch.add(tx, ty)
mnp.sum(x) | torch.sum(tx)
dense(x) | tdense(tx)
ln(x) | tln(tx)
relu(x) | trelu(tx)
gelu(x) | tgelu(tx)
conv(image) | tconv(ti)
emb(places64) | temb(tp64)
bn(image) | tbn(ti)
drop(x) | tdrop(tx)
dropt(x) | tdropt(tx)
pool(image) | tpool(ti)
apool(image) | tapool(ti)
flat(image) | tflat(ti)
ce(x, places64) | tce(tx, tp64)
mse(x, y) | tmse(tx, ty)
net(x) | tnet(tx)
"""


def microseconds(own: str, theirs: str) -> tuple[float, float]:
    """The best times of a call of both sides."""
    timers = [timeit.Timer(text, globals=names, timer=time.thread_time) for text in (own, theirs)]
    for timer in timers:
        timer.timeit(200)
    number = max(100, int(SECONDS / (timers[1].timeit(200) / 200)))
    best = [float("inf"), float("inf")]
    for turn in range(ROUNDS):
        for side in (0, 1) if turn % 2 else (1, 0):
            best[side] = min(best[side], timers[side].timeit(number) / number * 1e6)
    return best[0], best[1]


def main() -> None:
    """Print the table, and the geometric mean of its ratios."""
    torch.set_num_threads(1)
    rows = [line.split(" | ") for line in CALLS.strip().splitlines()]
    chosen = [r for r in rows if not sys.argv[1:] or any(part in r[0] for part in sys.argv[1:])]
    with torch.no_grad():
        found = [(own, *microseconds(own, theirs)) for own, theirs in chosen]
    print("| call | agar, us | torch, us | ratio |\n| --- | ---: | ---: | ---: |")
    for own, ours, theirs in sorted(found, key=lambda row: row[2] / row[1]):
        print(f"| `{own}` | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} |")
    mean = statistics.geometric_mean(ours / theirs for _, ours, theirs in found)
    print(f"\ngeometric mean of {len(found)}: {mean:.2f}")


if __name__ == "__main__":
    main()
