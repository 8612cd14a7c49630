"""What a call of an operator costs beside torch's: ``python benchmarks/operators.py``.

Small tensors: the time is that of the way to the kernel. It is the time of the thread itself, which
other programs do not lengthen; each figure is the best of several runs.
"""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

import agar as ms
from agar import ops

NUMBER, REPEAT = 2000, 15

x, y, g = ops.ones((2, 3)), ops.ones((2, 3)), ops.ones((3,))
w, b, image = ops.ones((4, 3)), ops.ones((4,)), ops.ones((1, 1, 4, 4))
places, mask = ms.Tensor([1, 0]), ops.ones((2, 3)) > 0
tx, ty, tg, tw, tb = (t.to_torch() for t in (x, y, g, w, b))
t_image, t_places, t_mask = image.to_torch(), places.to_torch(), mask.to_torch()

PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "x + y": (lambda: x + y, lambda: tx + ty),
    "x * 2": (lambda: x * 2, lambda: tx * 2),
    "x > y": (lambda: x > y, lambda: tx > ty),
    "relu": (lambda: ops.relu(x), lambda: torch.relu(tx)),
    "exp": (lambda: ops.exp(x), lambda: torch.exp(tx)),
    "gelu": (lambda: ops.gelu(x), lambda: F.gelu(tx)),
    "softmax": (lambda: ops.softmax(x), lambda: torch.softmax(tx, -1)),
    "layer_norm": (lambda: ops.layer_norm(x, (3,), g, g), lambda: F.layer_norm(tx, (3,), tg, tg)),
    "dense": (lambda: ops.dense(x, w, b), lambda: F.linear(tx, tw, tb)),
    "matmul": (lambda: ops.matmul(x, g), lambda: torch.matmul(tx, tg)),
    "sum, an axis": (lambda: ops.sum(x, 1), lambda: torch.sum(tx, 1)),
    "mean, an axis": (lambda: ops.mean(x, 1), lambda: torch.mean(tx, 1)),
    "x.max()": (lambda: x.max(), lambda: tx.max()),
    "argmax": (lambda: ops.argmax(x, 1), lambda: torch.argmax(tx, 1)),
    "topk": (lambda: ops.topk(x, 2), lambda: torch.topk(tx, 2)),
    "x[0]": (lambda: x[0], lambda: tx[0]),
    "x[:, 1:]": (lambda: x[:, 1:], lambda: tx[:, 1:]),
    "x[0] = 1": (lambda: x.__setitem__(0, 1.0), lambda: tx.__setitem__(0, 1.0)),
    "gather": (lambda: ops.gather(x, places, 0), lambda: torch.index_select(tx, 0, t_places)),
    "where": (lambda: ops.where(mask, x, y), lambda: torch.where(t_mask, tx, ty)),
    "masked_fill": (lambda: ops.masked_fill(x, mask, 0.0), lambda: tx.masked_fill(t_mask, 0.0)),
    "reshape": (lambda: x.reshape(3, 2), lambda: tx.reshape(3, 2)),
    "transpose": (lambda: ops.transpose(x, (1, 0)), lambda: tx.permute((1, 0))),
    "expand_dims": (lambda: ops.expand_dims(x, 0), lambda: tx.unsqueeze(0)),
    "squeeze": (lambda: image.squeeze(), lambda: t_image.squeeze()),
    "flatten": (lambda: ops.flatten(image), lambda: torch.flatten(t_image, 1)),
    "concat": (lambda: ops.concat((x, y)), lambda: torch.cat((tx, ty))),
    "stack": (lambda: ops.stack((x, y)), lambda: torch.stack((tx, ty))),
    "split": (lambda: ops.split(x, 1), lambda: torch.split(tx, 1)),
    "zeros_like": (lambda: ops.zeros_like(x), lambda: torch.zeros_like(tx)),
    "astype": (lambda: x.astype(ms.float16), lambda: tx.to(torch.float16)),
    "cross_entropy": (lambda: ops.cross_entropy(x, places), lambda: F.cross_entropy(tx, t_places)),
}


def microseconds(call: Callable[[], Any]) -> float:
    """The best time of one call."""
    runs = timeit.repeat(call, number=NUMBER, repeat=REPEAT, timer=time.thread_time)
    return min(runs) / NUMBER * 1e6


def main() -> None:
    """Print the table, and the geometric mean of its ratios."""
    torch.set_num_threads(1)
    print("| call | agar, us | torch, us | ratio |\n| --- | ---: | ---: | ---: |")
    ratios = []
    for name, (ours, theirs) in PAIRS.items():
        agar_time, torch_time = microseconds(ours), microseconds(theirs)
        ratios.append(agar_time / torch_time)
        print(f"| `{name}` | {agar_time:.2f} | {torch_time:.2f} | {ratios[-1]:.2f} |")
    print(f"\ngeometric mean: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
