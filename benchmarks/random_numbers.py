"""What agar's random numbers cost, beside torch's.

Both draw single values from their CPU engines; agar's are MindSpore's bit for bit. Run

    python benchmarks/random_numbers.py [--repeat 15]

Times are the least of the repetitions: on a shared machine the others measure the neighbors.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional

from agar._core.random import (
    Stream,
    index_draws,
    initializer_fills,
    make_engine,
    next_pair,
    set_seed,
)
from agar._core.random import draws as random_draws
from agar._core.random.engines import Mersenne, MinStd

# The weights of ResNet-50, (shape, count): convolutions, then the classifier.
RESNET50 = [
    ((64, 3, 7, 7), 1),
    *(
        (shape, count)
        for width, inner, blocks in ((64, 64, 3), (256, 128, 4), (512, 256, 6), (1024, 512, 3))
        for shape, count in (
            ((inner, width, 1, 1), 1),
            ((inner, inner * 4, 1, 1), blocks - 1),
            ((inner, inner, 3, 3), blocks),
            ((inner * 4, inner, 1, 1), blocks),
            ((inner * 4, width, 1, 1), 1),
        )
    ),
    ((1000, 2048), 1),
]


def least(work: Callable[[], object], repeat: int) -> float:
    """Least time of one run in seconds; short work is run often enough to be timed."""
    work()
    begin = time.perf_counter()
    work()
    once = time.perf_counter() - begin
    number = max(1, min(2000, int(2e-3 / max(once, 1e-7))))
    best = math.inf
    for _ in range(repeat):
        begin = time.perf_counter()
        for _ in range(number):
            work()
        best = min(best, (time.perf_counter() - begin) / number)
    return best


def shown(seconds: float) -> str:
    return f"{seconds * 1e6:9.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:9.2f} ms"


def row(label: str, ours: Callable[[], object], theirs: Callable[[], object], repeat: int) -> None:
    a, b = least(ours, repeat), least(theirs, repeat)
    print(f"{label:44s} {shown(a)} {shown(b)} {a / b:7.2f}")


def heading(title: str) -> None:
    print(f"\n{title:44s} {'agar':>12s} {'torch':>12s} {'ratio':>7s}")


def bench_dropout(repeat: int) -> None:
    heading("dropout, float32, p = 0.1")
    layer = Stream(1, 2, "dropout")
    for count in (1_000, 100_000, 4_000_000):
        x = torch.randn(count)
        engine = layer.engine("lcg", (count,))
        row(
            f"nn.Dropout, {count:,} elements",
            lambda x=x, engine=engine: random_draws.dropout(x, 0.9, engine),
            lambda x=x: functional.dropout(x, 0.1, True),
            repeat,
        )
    x = torch.randn(1_000)
    row(
        "ops.dropout with its seed pair, 1,000",
        lambda: random_draws.dropout(x, 0.9, make_engine("lcg", next_pair(0, "dropout"))),
        lambda: functional.dropout(x, 0.1, True),
        repeat,
    )
    y = torch.randn(4_000_000, requires_grad=True)
    ones = torch.ones_like(y)
    engine = layer.engine("lcg", ())
    row(
        "forward and backward, 4,000,000",
        lambda: random_draws.dropout(y, 0.9, engine)[0].backward(ones),
        lambda: functional.dropout(y, 0.1, True).backward(ones),
        repeat,
    )


def bench_draws(repeat: int) -> None:
    heading("draws")
    lcg, mt = MinStd(1), Mersenne(1)
    for count in (64, 1_000_000):
        row(
            f"standard normal, {count:,}",
            lambda n=count: random_draws.standard_normal((n,), lcg),
            lambda n=count: torch.randn(n),
            repeat,
        )
        row(
            f"uniform, {count:,}",
            lambda n=count: random_draws.uniform_real((n,), mt),
            lambda n=count: torch.rand(n),
            repeat,
        )
        row(
            f"integers below 100, {count:,}",
            lambda n=count: random_draws.uniform_int((n,), 0, 100, mt),
            lambda n=count: torch.randint(0, 100, (n,), dtype=torch.int32),
            repeat,
        )
        row(
            f"permutation of {count:,}",
            lambda n=count: index_draws.shuffle_order(n, lcg),
            lambda n=count: torch.randperm(n),
            max(1, repeat // 5),
        )
    rates = torch.full((1_000_000,), 4.0)
    row(
        "Poisson, rate 4, 1,000,000",
        lambda: random_draws.poisson((1_000_000,), 4.0, mt),
        lambda: torch.poisson(rates),
        max(1, repeat // 5),
    )


def bench_fills(repeat: int) -> None:
    heading("initializers")
    shapes = [shape for shape, count in RESNET50 for _ in range(count)]
    targets = [torch.empty(shape) for shape in shapes]

    def bound(shape: tuple[int, ...]) -> float:
        return math.sqrt(6 / math.prod(shape[1:]))

    def uniform() -> None:
        for shape, target in zip(shapes, targets, strict=True):
            initializer_fills.write(
                target, initializer_fills.uniform(shape, -bound(shape), bound(shape))
            )

    def normal() -> None:
        for shape, target in zip(shapes, targets, strict=True):
            initializer_fills.write(target, initializer_fills.normal(shape, 0.0, bound(shape)))

    def truncated() -> None:
        for shape, target in zip(shapes, targets, strict=True):
            sigma = bound(shape)
            values = initializer_fills.truncated_normal(shape, -2 * sigma, 2 * sigma, 0.0, sigma)
            initializer_fills.write(target, values)

    def torch_uniform() -> None:
        for target in targets:
            torch.nn.init.kaiming_uniform_(target)

    def torch_normal() -> None:
        for target in targets:
            torch.nn.init.kaiming_normal_(target)

    def torch_truncated() -> None:
        for target in targets:
            torch.nn.init.trunc_normal_(target)

    few = max(1, repeat // 5)
    total = sum(math.prod(shape) for shape in shapes) / 1e6
    row(f"HeUniform, ResNet-50 ({total:.1f} M)", uniform, torch_uniform, few)
    row(f"HeNormal, ResNet-50 ({total:.1f} M)", normal, torch_normal, few)
    row(f"TruncatedNormal, ResNet-50 ({total:.1f} M)", truncated, torch_truncated, few)
    small = torch.empty(64)
    row(
        "HeUniform, 64 values",
        lambda: initializer_fills.write(small, initializer_fills.uniform((64,), -1.0, 1.0)),
        lambda: small.uniform_(-1.0, 1.0),
        repeat,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=15, help="repetitions of each measurement")
    repeat = parser.parse_args().repeat
    set_seed(1)
    print(f"torch {torch.__version__}, numpy {np.__version__}, {torch.get_num_threads()} threads")
    bench_dropout(repeat)
    bench_draws(repeat)
    bench_fills(repeat)


if __name__ == "__main__":
    main()
