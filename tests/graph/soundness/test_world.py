# ruff: noqa: B007
"""Programs of what lies around a call: settings of torch and numpy, files, objects of libraries."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import copy
import functools
import io
import logging
import math
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, mint, nn, ops
from agar.dataset import transforms, vision
from graph.soundness.attacks import Net, Plain, Programs, data, network, t, weights
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


def setting(name: str, read: Any, put: Any, values: Any) -> None:
    """A program that asks for a setting which changes between its calls."""

    def run_it(run: Run) -> Iterator[Any]:
        call = run(lambda x: x * float(read()))
        before = read()
        try:
            for i in range(12):
                if i in (4, 8):
                    put(values[i // 4 - 1])
                yield attempt(call, t())
        finally:
            put(before)

    run_it.__name__ = name
    ROWS.ordinary()(run_it)


enabled_under_another_name = torch.is_grad_enabled

setting("threads_of_torch", torch.get_num_threads, torch.set_num_threads, (2, 1))
setting(
    "grad_mode_of_torch",
    lambda: torch.is_grad_enabled(),
    torch._C._set_grad_enabled,
    (False, True),
)
setting(
    "grad_mode_of_torch_under_another_name",
    enabled_under_another_name,
    torch._C._set_grad_enabled,
    (False, True),
)
setting(
    "texts_of_numbers_of_numpy",
    lambda: 1.25 if f"{np.float32(0.1)!r}" == "0.1" else 0.0,
    lambda version: np.set_printoptions(legacy=str(version) if version else False),
    (1.25, 0.0),
)
setting(
    "deterministic_algorithms",
    torch.are_deterministic_algorithms_enabled,
    torch.use_deterministic_algorithms,
    (True, False),
)
setting(
    "debug_mode_of_determinism",
    torch.get_deterministic_debug_mode,
    torch.set_deterministic_debug_mode,
    (1, 0),
)
setting(
    "precision_of_products",
    lambda: len(torch.get_float32_matmul_precision()),
    lambda v: torch.set_float32_matmul_precision("medium" if v == 6 else "highest"),
    (6, 7),
)
setting(
    "onednn_of_torch",
    lambda: torch.backends.mkldnn.enabled,
    lambda v: setattr(torch.backends.mkldnn, "enabled", bool(v)),
    (False, True),
)
setting(
    "benchmark_of_cudnn",
    lambda: torch.backends.cudnn.benchmark,
    lambda v: setattr(torch.backends.cudnn, "benchmark", bool(v)),
    (True, False),
)
setting("anomaly_mode", torch.is_anomaly_enabled, torch.set_anomaly_enabled, (True, False))
setting("warnings_of_torch", torch.is_warn_always_enabled, torch.set_warn_always, (True, False))
setting(
    "default_type_of_torch_asked",
    lambda: torch.finfo(torch.get_default_dtype()).bits,
    lambda v: torch.set_default_dtype(torch.float64 if v == 64 else torch.float32),
    (64, 32),
)
setting(
    "default_type_of_numbers_made_by_torch",
    lambda: torch.finfo(torch.tensor(1.0).dtype).bits,
    lambda v: torch.set_default_dtype(torch.float64 if v == 64 else torch.float32),
    (64, 32),
)
setting(
    "precision_of_printing_of_torch",
    lambda: len(repr(torch.tensor(1 / 3, dtype=torch.float64))) - 20,
    lambda v: torch.set_printoptions(precision=8 if v > 17 else 4),
    (19, 15),
)
setting(
    "precision_of_printing_of_numpy",
    lambda: len(repr(np.array([1 / 3]))),
    lambda v: np.set_printoptions(precision=12 if v > 20 else 8),
    (21, 17),
)
setting("buffer_of_numpy", np.getbufsize, np.setbufsize, (16384, 8192))
setting(
    "errors_of_numpy",
    lambda: len(np.geterr()["divide"]),
    lambda v: np.seterr(divide="ignore" if v == 6 else "warn"),
    (6, 4),
)
setting(
    "recursion_limit_asked",
    sys.getrecursionlimit,
    lambda v: sys.setrecursionlimit(int(v)),
    (3000, 2000),
)
setting(
    "switch_interval",
    sys.getswitchinterval,
    lambda v: sys.setswitchinterval(float(v)),
    (0.01, 0.02),
)
setting("mask_of_files", lambda: os.umask(0o022), lambda v: os.umask(int(v)), (0o027, 0o022))
setting(
    "level_of_logging",
    lambda: logging.getLogger("soundness").getEffectiveLevel(),
    lambda v: logging.getLogger("soundness").setLevel(int(v)),
    (10, 40),
)
setting(
    "logging_is_enabled",
    lambda: logging.getLogger("soundness").isEnabledFor(20),
    lambda v: logging.getLogger("soundness").setLevel(10 if v else 40),
    (True, False),
)
setting(
    "level_of_the_root_logger",
    lambda: logging.root.level,
    lambda v: logging.root.setLevel(int(v)),
    (10, 40),
)
setting(
    "environment_by_bytes",
    lambda: len(os.environb.get(b"SOUNDNESS", b"")),
    lambda v: os.environ.__setitem__("SOUNDNESS", "x" * int(v)),
    (3, 5),
)
setting(
    "digits_of_whole_numbers",
    sys.get_int_max_str_digits,
    lambda v: sys.set_int_max_str_digits(int(v)),
    (5000, 6000),
)
setting(
    "generator_of_torch",
    lambda: torch.initial_seed() % 1000,
    lambda v: torch.manual_seed(int(v)),
    (5, 6),
)
setting(
    "device_of_the_context",
    lambda: len(ms.get_context("device_target")),
    lambda v: None,
    (3, 3),
)
setting(
    "kind_of_context_values",
    lambda: ms.get_context("max_call_depth"),
    lambda v: ms.set_context(max_call_depth=int(v)),
    (700, 1000),
)


@ROWS.replayed()
def draws_of_torch_in_the_call(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * ms.from_torch(torch.rand(3)))
    for i in range(9):
        if i == 5:
            torch.manual_seed(7)
        yield call(t())


@ROWS.ordinary()
def draws_of_torch_from_a_generator(run: Run) -> Iterator[Any]:
    source = torch.Generator().manual_seed(3)
    call = run(lambda x: x * ms.from_torch(torch.rand(3, generator=source)))
    for i in range(7):
        yield call(t()), int(source.get_state().sum())


@ROWS.replayed()
def permutations_and_choices_of_torch(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        order = torch.randperm(3)
        drawn = torch.multinomial(torch.ones(4), 2)
        return ms.from_torch(x.to_torch()[order]), ms.from_torch(drawn)

    call = run(step)
    for i in range(7):
        yield call(t())


@ROWS.replayed()
def initializers_of_torch_in_the_call(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        w = torch.nn.init.xavier_uniform_(torch.empty(3, 3))
        return x @ ms.from_torch(w)

    call = run(step)
    for i in range(7):
        yield call(t())


# ------------------------------------------------------------------------------------------ files


def filed(name: str, read: Any, write: Any) -> None:
    """A program that reads a file which changes between its calls."""

    def run_it(run: Run) -> Iterator[Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "values"
            call = run(lambda x: x * float(read(path)))
            for i in range(9):
                if i in (0, 4):
                    write(path, 2.0 + i)
                yield attempt(call, t())

    run_it.__name__ = name
    ROWS.ordinary()(run_it)


def _write_npy(path: Path, value: float) -> None:
    with open(path, "wb") as out:
        np.save(out, np.array([value]))


def _write_npz(path: Path, value: float) -> None:
    with open(path, "wb") as out:
        np.savez(out, a=np.array([value]))


def _write_text(path: Path, value: float) -> None:
    path.write_text(f"{value}\n")


def _write_bytes(path: Path, value: float) -> None:
    np.array([value]).tofile(path)


filed("read_by_numpy_load", lambda p: np.load(p)[0], _write_npy)
filed("read_by_numpy_load_of_an_archive", lambda p: np.load(p)["a"][0], _write_npz)
filed("read_by_numpy_loadtxt", lambda p: np.loadtxt(p), _write_text)
filed("read_by_numpy_genfromtxt", lambda p: np.genfromtxt(p), _write_text)
filed("read_by_numpy_fromfile", lambda p: np.fromfile(str(p))[0], _write_bytes)
filed("read_by_numpy_memmap", lambda p: np.memmap(p, np.float64, "r")[0], _write_bytes)
filed(
    "read_by_torch_from_file",
    lambda p: torch.from_file(str(p), size=1, dtype=torch.float64).item(),
    _write_bytes,
)
filed(
    "read_by_torch_load",
    lambda p: torch.load(p).item(),
    lambda p, v: torch.save(torch.tensor(v), p),
)
filed("read_by_open", lambda p: open(p).read(), _write_text)  # noqa: SIM115
filed("read_by_pathlib", lambda p: p.read_text(), _write_text)
filed("read_by_os", lambda p: os.read(os.open(p, os.O_RDONLY), 3), _write_text)
filed("size_of_a_file", lambda p: os.path.getsize(p), lambda p, v: p.write_text("x" * int(v)))
filed("stat_of_a_file", lambda p: p.stat().st_size, lambda p, v: p.write_text("x" * int(v)))
filed(
    "read_by_agars_vision",
    lambda p: vision.read_file(str(p)).sum(),
    lambda p, v: p.write_bytes(bytes([int(v)])),
)
filed(
    "folder_listed",
    lambda p: len(os.listdir(p.parent)),
    lambda p, v: (p.parent / f"f{v}").write_text("x"),
)


@ROWS.ordinary()
def written_by_numpy_save(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        table = np.ones(3)

        def step(x: Any, i: Any) -> Any:
            np.save(Path(folder) / "a.npy", table)
            return x * 2

        call = run(step)
        for i in range(7):
            (Path(folder) / "a.npy").unlink(missing_ok=True)
            yield attempt(call, t(), 1), sorted(os.listdir(folder))


@ROWS.ordinary()
def written_by_numpy_tofile(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        table = np.ones(3)

        def step(x: Any) -> Any:
            table.tofile(folder + "/a")
            return x * 2

        call = run(step)
        for i in range(7):
            (Path(folder) / "a").unlink(missing_ok=True)
            yield attempt(call, t()), sorted(os.listdir(folder))


@ROWS.ordinary()
def written_by_numpy_savetxt_and_dump(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        table = np.ones(3)

        def step(x: Any) -> Any:
            np.savetxt(Path(folder) / "a", table)
            table.dump(folder + "/b")
            return x * 2

        call = run(step)
        for i in range(7):
            for f in Path(folder).iterdir():
                f.unlink()
            yield attempt(call, t()), sorted(os.listdir(folder))


@ROWS.ordinary()
def written_by_torch_save(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        table = torch.ones(3)

        def step(x: Any) -> Any:
            torch.save(table, Path(folder) / "a")
            return x * 2

        call = run(step)
        for i in range(7):
            for f in Path(folder).iterdir():
                f.unlink()
            yield attempt(call, t()), sorted(os.listdir(folder))


@ROWS.ordinary()
def written_by_save_checkpoint(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 2)
    with tempfile.TemporaryDirectory() as folder:

        def step(x: Any) -> Any:
            ms.save_checkpoint(net, str(Path(folder) / "a.ckpt"))
            return x * 2

        call = run(step)
        for i in range(6):
            for f in Path(folder).iterdir():
                f.unlink()
            yield attempt(call, t()), sorted(os.listdir(folder))


@ROWS.ordinary()
def mapped_memory_of_a_file(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        np.ones(3, np.float32).tofile(path)
        mapped = np.memmap(path, np.float32, "r+")
        call = run(lambda x: x * float(mapped[0]))
        for i in range(9):
            if i == 4:
                other = np.memmap(path, np.float32, "r+")
                other[0] = 7.0
                other.flush()
            yield attempt(call, t())


@ROWS.ordinary()
def date_of_numpy(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2, np.datetime64("now", "us")

    call = run(step)
    last = np.datetime64(0, "us")
    for i in range(8):
        result, now = attempt(call, t())
        yield result, now > last
        last = now


@ROWS.ordinary()
def date_of_numpy_in_seconds(run: Run) -> Iterator[Any]:
    import time

    def step(x: Any) -> Any:
        return x * 2, np.datetime64("now")

    call = run(step)
    first = None
    for i in range(5):
        result, now = attempt(call, t())
        first = first or now
        yield result
    time.sleep(1.05)
    result, now = attempt(call, t())
    yield now > first


# -------------------------------------------------------------------------- objects of libraries


@ROWS.ordinary()
def metric_of_agar_updated(run: Run) -> Iterator[Any]:
    metric = ms.train.Accuracy("classification")
    metric.clear()
    label, guess = np.array([1, 0]), np.array([[0.2, 0.8], [0.3, 0.7]])

    def step(x: Any) -> Any:
        metric.update(guess, label)
        return x * 2

    call = run(step)
    for i in range(7):
        yield attempt(call, t()), metric._total_num


@ROWS.replayed()
def metric_of_agar_read(run: Run) -> Iterator[Any]:
    metric = ms.train.Loss()
    metric.clear()
    metric.update(Tensor(2.0))
    call = run(lambda x: x * float(metric.eval()))
    for i in range(9):
        if i == 4:
            metric.update(Tensor(8.0))
        yield attempt(call, t())


@ROWS.ordinary()
def optimizer_of_torch_inside(run: Run) -> Iterator[Any]:
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)

    def step(x: Any) -> Any:
        w.grad = x.to_torch() * 1.0
        optimizer.step()
        return ms.from_torch(w.detach() * 1)

    call = run(step)
    for i in range(12):
        if i == 5:
            optimizer.param_groups[0]["lr"] = 0.5
        yield attempt(call, t()), ms.from_torch(w.detach().clone())


@ROWS.ordinary()
def adam_of_torch_inside(run: Run) -> Iterator[Any]:
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)

    def step(x: Any) -> Any:
        w.grad = x.to_torch() * 1.0
        optimizer.step()
        schedule.step()
        return ms.from_torch(w.detach() * 1)

    call = run(step)
    for i in range(8):
        yield attempt(call, t()), schedule.last_epoch, ms.from_torch(w.detach().clone())


@ROWS.replayed()
def rate_of_a_torch_optimizer_read(run: Run) -> Iterator[Any]:
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    call = run(lambda x: x * optimizer.param_groups[0]["lr"])
    for i in range(9):
        if i == 4:
            optimizer.param_groups[0]["lr"] = 0.25
        yield attempt(call, t())


@ROWS.ordinary()
def rate_of_a_torch_schedule_read(run: Run) -> Iterator[Any]:
    w = torch.ones(3, requires_grad=True)
    schedule = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([w], lr=0.5), 1, 0.5)
    call = run(lambda x: x * schedule.get_last_lr()[0] + schedule.last_epoch)
    for i in range(9):
        if i in (4, 6):
            schedule.optimizer.step()
            schedule.step()
        yield attempt(call, t())


@ROWS.replayed()
def loss_scaler_of_agar_read(run: Run) -> Iterator[Any]:
    scaler = ms.amp.DynamicLossScaler(8.0, 2, 2)
    call = run(lambda x: scaler.scale(x))
    for i in range(12):
        if i in (4, 8):
            scaler.adjust(Tensor(i == 8))
        yield attempt(call, t())


@ROWS.replayed()
def loss_scaler_of_agar_adjusted(run: Run) -> Iterator[Any]:
    scaler = ms.amp.DynamicLossScaler(8.0, 2, 2)

    def step(x: Any) -> Any:
        finite = ms.amp.all_finite([x])
        scaler.adjust(finite)
        return scaler.scale(x)

    call = run(step)
    for i in range(12):
        yield attempt(call, t(1.0, float("inf") if i % 4 == 3 else 2.0)), scaler.scale_value


@ROWS.replayed()
def scheduler_of_agar_read(run: Run) -> Iterator[Any]:
    schedule = nn.ExponentialDecayLR(0.5, 0.5, 2)
    call = run(lambda x, i: x * schedule(i))
    for i in range(10):
        if i == 5:
            schedule.learning_rate = 0.25
        yield attempt(call, t(), Tensor(i, ms.int32))


@ROWS.ordinary()
def transforms_of_images(run: Run) -> Iterator[Any]:
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    flip = vision.RandomHorizontalFlip(0.5)

    def step(x: Any) -> Any:
        return x * float(flip(image)[0, 0, 0] + 1)

    call = run(step)
    for i in range(12):
        yield attempt(call, t())


@ROWS.ordinary()
def transforms_that_choose(run: Run) -> Iterator[Any]:
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    choose = transforms.RandomApply([vision.Invert()], prob=0.5)

    def step(x: Any) -> Any:
        return x * float(np.asarray(choose(image)).sum())

    call = run(step)
    for i in range(12):
        yield attempt(call, t())


@ROWS.ordinary()
def iterator_of_a_dataset(run: Run) -> Iterator[Any]:
    rows = ms.dataset.NumpySlicesDataset([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], shuffle=False)
    stream = rows.create_tuple_iterator(num_epochs=1)

    def step(x: Any) -> Any:
        return x * next(iter(stream))[0]

    call = run(step)
    for i in range(7):
        yield attempt(call, t())


@ROWS.replayed()
def profiler_of_agar_settings(run: Run) -> Iterator[Any]:
    primitive = ops.OneHot()
    call = run(lambda x: primitive(Tensor([0, 1]), 2, x[0], x[1]))
    for i in range(9):
        if i == 4:
            primitive.axis = 0
        yield attempt(call, t(5, 6, 7))


@ROWS.replayed()
def own_generator_of_agar(run: Run) -> Iterator[Any]:
    source = ms.Generator()
    source.manual_seed(3)
    call = run(lambda x: x * mint.rand(3, generator=source))
    for i in range(10):
        if i == 4:
            source.manual_seed(3)
        if i == 7:
            state = source.get_state()
            yield call(t())
            source.set_state(state)
        yield attempt(call, t()), source.get_state()


@ROWS.replayed()
def distribution_of_agar(run: Run) -> Iterator[Any]:
    normal = nn.probability.distribution.Normal(0.0, 1.0, seed=3)
    call = run(lambda x: x * normal.sample((3,)) + normal.log_prob(x))
    for i in range(8):
        yield attempt(call, t())


# -------------------------------------------------------------- values read below the dispatcher


@ROWS.ordinary()
def split_at_places_of_a_tensor(run: Run) -> Iterator[Any]:
    call = run(lambda x, at: [ms.from_torch(v) for v in x.to_torch().tensor_split(at.to_torch())])
    for i in range(12):
        yield attempt(call, t(1, 2, 3, 4, 5), Tensor([1 + i // 4, 4]))


@ROWS.ordinary()
def split_in_parts_by_a_tensor(run: Run) -> Iterator[Any]:
    call = run(lambda x, n: [ms.from_torch(v) for v in x.to_torch().tensor_split(n.to_torch())])
    for i in range(12):
        yield attempt(call, t(1, 2, 3, 4, 5), Tensor(1 + i // 4))


@ROWS.replayed()
def connectionist_loss_with_lengths(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any, n: Any, m: Any) -> Any:
        return ops.ctc_loss(ops.log_softmax(x, -1), y, n, m)

    call = run(step)
    for i in range(12):
        x = Tensor(np.random.RandomState(1).randn(5, 2, 4).astype(np.float32))
        y = Tensor([[1, 2, 3], [1, 1, 2]], ms.int32)
        n, m = Tensor([5, 5 - i // 4], ms.int32), Tensor([3 - i // 6, 2], ms.int32)
        yield attempt(call, x, y, n, m)


@ROWS.replayed()
def connectionist_loss_of_torch(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any, n: Any, m: Any) -> Any:
        lost = torch.nn.functional.ctc_loss(
            x.to_torch().log_softmax(-1), y.to_torch(), n.to_torch(), m.to_torch()
        )
        return ms.from_torch(lost)

    call = run(step)
    for i in range(12):
        x = Tensor(np.random.RandomState(1).randn(5, 2, 4).astype(np.float32))
        y = Tensor([[1, 2, 3], [1, 1, 2]])
        n, m = Tensor([5, 5 - i // 4]), Tensor([3 - i // 6, 2])
        yield attempt(call, x, y, n, m)


@ROWS.replayed()
def least_squares_of_another_rank(run: Run) -> Iterator[Any]:
    def step(a: Any, b: Any) -> Any:
        found = torch.linalg.lstsq(a.to_torch(), b.to_torch(), driver="gelsd")
        return [ms.from_torch(v) for v in found]

    call = run(step)
    for i in range(9):
        a = np.random.RandomState(i).randn(4, 2).astype(np.float32)
        if i % 3 == 2:
            a[:, 1] = a[:, 0]
        yield [v.shape for v in call(Tensor(a), Tensor(np.ones((4, 1), np.float32)))]


@ROWS.ordinary()
def packed_sequences(run: Run) -> Iterator[Any]:
    cell = torch.nn.GRU(2, 3, batch_first=True)
    for p in cell.parameters():
        torch.nn.init.constant_(p, 0.1)

    def step(x: Any, n: Any) -> Any:
        packed = torch.nn.utils.rnn.pack_padded_sequence(x.to_torch(), n.to_torch(), True)
        out, _ = cell(packed)
        return ms.from_torch(torch.nn.utils.rnn.pad_packed_sequence(out, True)[0].detach())

    call = run(step)
    for i in range(12):
        x = Tensor(np.random.RandomState(i).randn(2, 4, 2).astype(np.float32))
        yield attempt(call, x, Tensor([4, 1 + i // 4]))


@ROWS.replayed()
def recurrent_cell_with_lengths(run: Run) -> Iterator[Any]:
    ms.set_seed(3)
    cell = nn.LSTM(2, 3, batch_first=True)
    call = run(lambda x, n: cell(x, None, n))
    for i in range(12):
        x = Tensor(np.random.RandomState(i).randn(2, 4, 2).astype(np.float32))
        yield attempt(call, x, Tensor([4, 1 + i // 4], ms.int32))


@ROWS.replayed()
def windows_and_repeats_by_tensors(run: Run) -> Iterator[Any]:
    def step(x: Any, n: Any) -> Any:
        raw, k = x.to_torch(), n.to_torch()
        return (
            ms.from_torch(torch.repeat_interleave(raw, k)),
            ms.from_torch(raw.narrow(0, k[0], 1)),
            ms.from_torch(torch.arange(int(k[0]), 4)),
            ms.from_torch(torch.nn.functional.one_hot(k)),
            ms.from_torch(torch.bincount(k)),
        )

    call = run(step)
    for i in range(12):
        yield attempt(call, t(1, 2, 3), Tensor([i // 4, 1, 2]))


@ROWS.replayed()
def bags_of_words(run: Run) -> Iterator[Any]:
    table = torch.arange(12.0).reshape(6, 2)

    def step(x: Any, at: Any) -> Any:
        found = torch.nn.functional.embedding_bag(x.to_torch(), table, at.to_torch(), mode="mean")
        return ms.from_torch(found)

    call = run(step)
    for i in range(12):
        yield attempt(call, Tensor([0, 1, 2, 3, 4]), Tensor([0, 1 + i // 4]))


@ROWS.replayed()
def conditions_of_torch(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        a, b = x.to_torch(), y.to_torch()
        if torch.equal(a, b):
            return x * 2
        if torch.allclose(a, b, atol=0.5):
            return x * 3
        return x * (4 if torch.is_nonzero(a[0]) else 5)

    call = run(step)
    for i in range(16):
        y = (t(1, 2), t(1.2, 2), t(9, 9), t(1, 2))[i % 4]
        yield attempt(call, t(1 if i < 12 else 0, 2), y)


@ROWS.replayed()
def unique_rows_and_sorted(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        values, counts = torch.unique(x.to_torch(), return_counts=True)
        return ms.from_torch(values * counts), ops.nonzero(x), x[x > 1]

    call = run(step)
    for i in range(12):
        yield attempt(call, t(1, i % 3, 2, i % 2))


@ROWS.replayed()
def interpolated_by_a_scale(run: Run) -> Iterator[Any]:
    def step(x: Any, k: Any) -> Any:
        return ops.interpolate(x, scale_factor=k, mode="linear", recompute_scale_factor=True)

    call = run(step)
    for i in range(9):
        yield attempt(call, t(1, 2, 3, 4).reshape(1, 1, 4), 1.0 + i // 3)


@ROWS.ordinary()
def numbers_of_tensors_through_c(run: Run) -> Iterator[Any]:
    import array
    import struct

    def step(x: Any) -> Any:
        one = x[0]
        return (
            x * math.sin(one) + math.floor(one),
            struct.unpack("f", struct.pack("f", one))[0],
            array.array("d", [one, one])[1],
            "%.1f" % float(one),  # noqa: UP031
            [10, 20, 30][int(one) % 3],
            list(range(int(one))),
            complex(one),
            round(float(one), 1),
            float(np.float32(one)),
        )

    call = run(step)
    for i in range(12):
        yield attempt(call, t(1 + i % 3, 2))


@ROWS.ordinary()
def memory_of_a_tensor_by_protocols(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x * 2
        return x, float(np.from_dlpack(y.to_torch())[0]), float(np.asarray(y)[1])

    call = run(step)
    for i in range(8):
        yield attempt(call, t(i, 2))


@ROWS.ordinary()
def bytes_of_a_held_tensor(run: Run) -> Iterator[Any]:
    held = t(1, 2)

    def step(x: Any) -> Any:
        return x * len(pickle.dumps(held.asnumpy().tolist())) + float(held.asnumpy()[0])

    call = run(step)
    for i in range(8):
        if i == 4:
            held.add_(1.0)
        yield attempt(call, t(i, 2))


@ROWS.ordinary()
def dlpack_of_a_held_tensor(run: Run) -> Iterator[Any]:
    held = t(1, 2)
    call = run(lambda x: x * float(np.from_dlpack(held.to_torch())[0]))
    for i in range(8):
        if i == 4:
            held.add_(1.0)
        yield attempt(call, t(i, 2))


@ROWS.replayed()
def deep_copy_of_a_held_tensor(run: Run) -> Iterator[Any]:
    held = {"a": t(1, 2), "b": [t(3, 4)]}

    def step(x: Any) -> Any:
        mine = copy.deepcopy(held)
        mine["a"].add_(x)
        return mine["a"] * mine["b"][0]

    call = run(step)
    for i in range(8):
        if i == 4:
            held["a"].add_(1.0)
        yield attempt(call, t(i, 2)), held["a"]


# --------------------------------------------------------------------------- threads and processes


@ROWS.replayed()
def forked_after_recording(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k, k=2.0)
    call = run(net)
    for i in range(4):
        yield call(t())
    here, there = multiprocessing.Pipe()
    child = os.fork()
    if child == 0:
        try:
            net.k = 3.0
            there.send([call(t()).tolist() for _ in range(4)])
        finally:
            os._exit(0)
    yield here.recv() if here.poll(60) else "nothing"
    os.waitpid(child, 0)
    yield call(t())


@ROWS.replayed()
def called_from_asynchronous_tasks(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k, k=2.0)
    call = run(net)

    async def one(i: int) -> Any:
        await asyncio.sleep(0)
        if i == 5:
            net.k = 3.0
        return call(t(i, 1))

    async def all_of_them() -> Any:
        return await asyncio.gather(*[one(i) for i in range(9)])

    loop = asyncio.new_event_loop()
    try:
        yield loop.run_until_complete(all_of_them())
    finally:
        loop.close()


@ROWS.replayed()
def signal_changes_a_global(run: Run) -> Iterator[Any]:
    held = [2.0]
    call = run(lambda x: x * held[0])

    def handle(number: int, frame: Any) -> None:
        held[0] += 1.0

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        for i in range(9):
            if i in (4, 7):
                os.kill(os.getpid(), signal.SIGUSR1)
            yield call(t())
    finally:
        signal.signal(signal.SIGUSR1, before)


@ROWS.replayed()
def interrupted_by_a_keyboard(run: Run) -> Iterator[Any]:
    held = [False]

    def step(x: Any) -> Any:
        if held[0]:
            raise KeyboardInterrupt
        return x * 2

    call = run(step)
    for i in range(9):
        held[0] = i in (1, 4, 7)
        try:
            yield call(t())
        except KeyboardInterrupt:
            yield "interrupted"


@ROWS.replayed()
def values_of_other_threads(run: Run) -> Iterator[Any]:
    held = [2.0]
    call = run(lambda x: x * held[0])
    out: list[Any] = []

    def work(k: float) -> None:
        held[0] = k
        out.append(call(t()))

    for i in range(9):
        worker = threading.Thread(target=work, args=(float(i // 3),))
        worker.start()
        worker.join()
        yield out[-1], call(t())


@ROWS.replayed()
def warnings_as_errors(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        warnings.warn("once more", UserWarning, stacklevel=1)
        return x * 2

    call = run(step)
    for i in range(9):
        with warnings.catch_warnings():
            warnings.simplefilter("error" if i in (4, 5) else "ignore", UserWarning)
            yield attempt(call, t())


@ROWS.ordinary()
def handlers_of_a_logger_change(run: Run) -> Iterator[Any]:
    logger = logging.getLogger("soundness.handlers")
    logger.propagate = False
    logger.setLevel(20)
    out = io.StringIO()

    def step(x: Any) -> Any:
        logger.info("shape %s", x.shape)
        return x * 2

    call = run(step)
    handler = logging.StreamHandler(out)
    for i in range(9):
        if i == 4:
            logger.addHandler(handler)
        if i == 7:
            logger.removeHandler(handler)
        yield call(t()), out.getvalue()


@ROWS.ordinary()
def stack_that_is_unwound(run: Run) -> Iterator[Any]:
    log: list[str] = []

    @contextlib.contextmanager
    def entered(name: str) -> Iterator[None]:
        log.append(f"+{name}")
        try:
            yield
        finally:
            log.append(f"-{name}")

    def step(x: Any) -> Any:
        with contextlib.ExitStack() as stack:
            stack.enter_context(entered("a"))
            stack.callback(log.append, "called")
            return x * len(log)

    call = run(step)
    for i in range(7):
        yield call(t()), list(log)


# --------------------------------------------------------------------------------------- training


@ROWS.replayed()
def rates_of_groups_change(run: Run) -> Iterator[Any]:
    net = network()
    first, *rest = net.trainable_params()
    groups = [{"params": [first], "lr": 0.1, "weight_decay": 0.01}, {"params": rest, "lr": 0.01}]
    optimizer = mint.optim.AdamW(groups) if hasattr(mint, "optim") else nn.AdamWeightDecay(groups)
    solve = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, net.trainable_params())

    def step(x: Any, y: Any) -> Any:
        loss, grads = solve(x, y)
        optimizer(grads)
        return loss

    call = run(step)
    for i in range(12):
        if i == 4 and hasattr(optimizer, "param_groups"):
            ops.assign(optimizer.param_groups[0]["lr"], 0.5)
        if i == 8 and hasattr(optimizer, "param_groups"):
            optimizer.param_groups[1]["weight_decay"] = 0.5
        yield attempt(call, *data(i)), weights(net)


@ROWS.replayed()
def gradients_clipped_by_a_changing_norm(run: Run) -> Iterator[Any]:
    net = network()
    settings = Plain(norm=1.0)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    solve = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        loss, grads = solve(x, y)
        optimizer(ops.clip_by_global_norm(grads, settings.norm))
        return loss

    call = run(step)
    for i in range(12):
        if i in (4, 8):
            settings.norm = 0.1 * i
        yield call(*data(i)), weights(net)


@ROWS.replayed()
def step_skipped_on_overflow(run: Run) -> Iterator[Any]:
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    solve = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        loss, grads = solve(x, y)
        if ms.amp.all_finite(grads):
            optimizer(grads)
        return loss

    call = run(step)
    for i in range(12):
        x, y = data(i)
        if i % 4 == 3:
            x[0, 0] = float("inf")
        yield call(x, y), weights(net), optimizer.global_step


@ROWS.replayed()
def accumulated_every_third_call(run: Run) -> Iterator[Any]:
    net = network()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    solve = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)
    zeros = map(ops.zeros_like, optimizer.parameters)
    sums = [Parameter(z, name=f"sum{i}") for i, z in enumerate(zeros)]
    count = Parameter(Tensor(0, ms.int32), name="count")

    def step(x: Any, y: Any) -> Any:
        loss, grads = solve(x, y)
        for s, g in zip(sums, grads, strict=True):
            ops.assign_add(s, g)
        ops.assign_add(count, Tensor(1, ms.int32))
        if count % 3 == 0:
            optimizer(tuple(s / 3 for s in sums))
            for s in sums:
                ops.assign(s, ops.zeros_like(s))
        return loss

    call = run(step)
    for i in range(12):
        yield call(*data(i)), weights(net), count


@ROWS.replayed()
def exponential_average_of_weights(run: Run) -> Iterator[Any]:
    net = network()
    shadow = [p.clone() for p in net.trainable_params()]
    settings = {"decay": 0.5}

    def step() -> Any:
        for s, p in zip(shadow, net.trainable_params(), strict=True):
            s.mul_(settings["decay"]).add_(p * (1 - settings["decay"]))
        return shadow[0].sum()

    call = run(step)
    for i in range(12):
        if i == 4:
            settings["decay"] = 0.9
        if i == 7:
            net[0].weight.add_(1.0)
        yield attempt(call), list(shadow)


@ROWS.replayed()
def backward_hooks_of_cells(run: Run) -> Iterator[Any]:
    net = network()
    held = [1.0]
    solve = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())
    call = run(solve)
    handle = None
    for i in range(12):
        if i == 3:
            handle = net[0].register_backward_hook(lambda c, gi, go: tuple(g * held[0] for g in gi))
        if i == 6:
            held[0] = 5.0
        if i == 9 and handle is not None:
            handle.remove()
        yield attempt(call, data(i)[0])


@ROWS.replayed()
def forward_hooks_of_children(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train(False)
    scale = {"k": 2.0}
    call = run(net)
    handle = None
    for i in range(14):
        if i == 3:
            handle = net[0].register_forward_hook(lambda c, a, out: out * scale["k"])
        if i == 6:
            scale["k"] = 3.0
        if i == 9 and handle is not None:
            handle.remove()
        if i == 11:
            net[2].register_forward_pre_hook(lambda c, a: (a[0] + 1,))
        yield attempt(call, data(i)[0])


@ROWS.replayed()
def jacobians_of_a_changing_function(run: Run) -> Iterator[Any]:
    held = [2.0]

    def f(x: Any) -> Any:
        return x**2 * held[0]

    inner = ms.jit(f)
    call = run(lambda x: (ms.jacrev(f)(x), ms.jvp(f, x, x), ms.vjp(f, x)[0]))
    for i in range(10):
        if i == 4:
            held[0] = 3.0
        yield attempt(call, t()), attempt(ms.grad(lambda x: inner(x).sum()), t())


@ROWS.replayed()
def mapped_over_a_compiled_function(run: Run) -> Iterator[Any]:
    held = [2.0]
    inner = ms.jit(lambda x: x * held[0])
    call = run(lambda x: ms.vmap(inner)(x) if hasattr(ms, "vmap") else ops.vmap(inner)(x))
    for i in range(10):
        if i == 4:
            held[0] = 3.0
        yield attempt(call, data(i)[0])


@ROWS.ordinary()
def own_backward_with_state(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = [2.0]
            self.calls = 0

        def construct(self, x: Any) -> Any:
            return x * 3

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            self.calls += 1
            return (dout * self.scale[0],)

    net = Own()
    call = run(ms.grad(lambda x: net(x).sum()))
    for i in range(10):
        if i == 4:
            net.scale[0] = 5.0
        yield attempt(call, t()), net.calls


@ROWS.replayed()
def gradient_of_a_gradient_with_state(run: Run) -> Iterator[Any]:
    held = [2.0]
    call = run(ms.grad(lambda x: ms.grad(lambda y: (y**3 * held[0]).sum())(x).sum()))
    for i in range(10):
        if i == 4:
            held[0] = 3.0
        yield attempt(call, t())


@ROWS.replayed()
def stopped_gradients_by_a_flag(run: Run) -> Iterator[Any]:
    net = Net(
        lambda s, x: (ops.stop_gradient(s.a(x)) if s.frozen else s.a(x)) * s.p,
        a=nn.Dense(3, 3, weight_init="ones"),
        p=Parameter(t(), name="p"),
        frozen=False,
    )
    solve = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    call = run(solve)
    for i in range(12):
        if i in (4, 8):
            net.frozen = not net.frozen
        yield attempt(call, t().reshape(1, 3))


@ROWS.replayed()
def recomputed_cell_with_dropout(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(3, 8, weight_init="ones"), nn.Dropout(p=0.5))
    net[1].recompute()
    net.set_train(True)
    solve = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    call = run(solve)
    for i in range(12):
        if i == 5:
            net[1].set_train(False)
        if i == 8:
            net[1].p = 0.1
        yield attempt(call, t().reshape(1, 3))


# ------------------------------------------------------------------------------ what is compiled


def jitted(name: str, make: Any) -> None:
    """A program that compiles something unusual; `make` gives the call and what changes it."""

    def run_it(run: Run) -> Iterator[Any]:
        compiled = (lambda f, **k: f) if run.way == "pynative" else ms.jit
        call, change = make(compiled)
        for i in range(10):
            if i in (4, 7):
                change(float(i))
            yield attempt(call, t())

    run_it.__name__ = name
    ROWS.ordinary()(run_it)


def _on_a_class_method(jit: Any) -> Any:
    class Own:
        k = 2.0

        @classmethod
        @jit
        def scaled(cls, x: Any) -> Any:
            return x * cls.k

    return Own.scaled, lambda v: setattr(Own, "k", v)


def _on_a_static_method(jit: Any) -> Any:
    held = [2.0]

    class Own:
        @staticmethod
        @jit
        def scaled(x: Any) -> Any:
            return x * held[0]

    return Own().scaled, lambda v: held.__setitem__(0, v)


def _on_a_method_of_slots(jit: Any) -> Any:
    class Own:
        __slots__ = ("k",)

        @jit
        def scaled(self, x: Any) -> Any:
            return x * self.k

    own = Own()
    own.k = 2.0
    return own.scaled, lambda v: setattr(own, "k", v)


def _on_a_method_of_a_parent(jit: Any) -> Any:
    class Parent:
        @jit
        def scaled(self, x: Any) -> Any:
            return x * self.factor()

        def factor(self) -> float:
            return 2.0

    class Child(Parent):
        k = 3.0

        def factor(self) -> float:
            return self.k + super().factor()

    return Child().scaled, lambda v: setattr(Child, "k", v)


def _on_call(jit: Any) -> Any:
    class Own:
        k = 2.0

        @jit
        def __call__(self, x: Any) -> Any:
            return x * self.k

    own = Own()
    return own, lambda v: setattr(own, "k", v)


def _on_an_object(jit: Any) -> Any:
    class Own:
        k = 2.0

        def __call__(self, x: Any) -> Any:
            return x * self.k

    own = Own()
    return jit(own), lambda v: setattr(own, "k", v)


def _on_a_partial(jit: Any) -> Any:
    held = {"k": 2.0}
    return jit(functools.partial(lambda d, x: x * d["k"], held)), lambda v: held.update(k=v)


def _twice(jit: Any) -> Any:
    held = [2.0]
    return jit(jit(lambda x: x * held[0])), lambda v: held.__setitem__(0, v)


def _on_a_bound_method(jit: Any) -> Any:
    own = Net(lambda s, x: x * s.k, k=2.0)
    return jit(own.construct), lambda v: setattr(own, "k", v)


def _on_a_method_exchanged(jit: Any) -> Any:
    class Own:
        def scaled(self, x: Any) -> Any:
            return x * 2

    own = Own()

    def change(v: float) -> None:
        Own.scaled = lambda self, x: x * v

    return jit(lambda x: own.scaled(x)), change


def _on_a_property(jit: Any) -> Any:
    class Own:
        k = 2.0

        @property
        def scaled(self) -> Any:
            return jit(lambda x: x * self.k)

    own = Own()
    return lambda x: own.scaled(x), lambda v: setattr(own, "k", v)


def _on_a_builtin(jit: Any) -> Any:
    return jit(ops.relu), lambda v: None


def _with_defaults(jit: Any) -> Any:
    def scaled(x: Any, k: Any = [2.0]) -> Any:  # noqa: B006
        return x * k[0]

    return jit(scaled), lambda v: scaled.__defaults__[0].__setitem__(0, v)


def _made_by_exec(jit: Any) -> Any:
    home: dict[str, Any] = {"k": 2.0}
    exec("def scaled(x): return x * k", home)
    return jit(home["scaled"]), lambda v: home.update(k=v)


def _with_a_wrapped_function(jit: Any) -> Any:
    held = [2.0]

    def doubled(f: Any) -> Any:
        @functools.wraps(f)
        def inner(x: Any) -> Any:
            return f(x) * held[0]

        return inner

    return jit(doubled(doubled(lambda x: x + held[0]))), lambda v: held.__setitem__(0, v)


def _with_a_cached_function(jit: Any) -> Any:
    held = [2.0]

    @functools.cache
    def factor() -> float:
        return held[0]

    def change(v: float) -> None:
        held[0] = v
        if v > 5:
            factor.cache_clear()

    return jit(lambda x: x * factor()), change


jitted("compiled_class_method", _on_a_class_method)
jitted("compiled_static_method", _on_a_static_method)
jitted("compiled_method_of_slots", _on_a_method_of_slots)
jitted("compiled_method_of_a_parent", _on_a_method_of_a_parent)
jitted("compiled_call_method", _on_call)
jitted("compiled_object", _on_an_object)
jitted("compiled_partial_of_a_table", _on_a_partial)
jitted("compiled_twice", _twice)
jitted("compiled_bound_method", _on_a_bound_method)
jitted("compiled_around_a_method_exchanged", _on_a_method_exchanged)
jitted("compiled_in_a_property", _on_a_property)
jitted("compiled_operator", _on_a_builtin)
jitted("compiled_with_mutable_defaults", _with_defaults)
jitted("compiled_from_text", _made_by_exec)
jitted("compiled_wrapped_function", _with_a_wrapped_function)
jitted("compiled_with_a_cached_function", _with_a_cached_function)


# ------------------------------------------------------------------------------------- open sizes


def sized(name: str, step: Any) -> None:
    """A program of many sizes, so that one recording serves them all."""

    def run_it(run: Run) -> Iterator[Any]:
        call = run(step)
        for i in range(60):
            n = 2 + (i * 7) % 23
            yield attempt(call, Tensor(np.arange(n, dtype=np.float32)))

    run_it.__name__ = f"sizes_{name}"
    ROWS.ordinary()(run_it)


sized("by_membership", lambda x: x * (2.0 if x.shape[0] in (3, 5, 8, 11) else 3.0))
sized("by_set", lambda x: x * (2.0 if x.shape[0] in {3, 5, 8, 11} else 3.0))
sized("by_table", lambda x: x * {4: 2.0, 9: 5.0}.get(x.shape[0], 1.0))
sized("by_power", lambda x: x * int(x.shape[0] ** 0.5) + x.shape[0] ** 2)
sized("by_bits", lambda x: x * (x.shape[0] & 3) + (x.shape[0] ^ 5) + (x.shape[0] >> 1))
sized("by_bit_length", lambda x: x * x.shape[0].bit_length() + bin(x.shape[0]).count("1"))
sized("by_text", lambda x: x * len(f"{x.shape[0]}") + len(str(x.shape)))
sized("by_type", lambda x: x * (2.0 if type(x.shape[0]) is int else 3.0))
sized("by_division", lambda x: x[: x.shape[0] // 3 + 1] * divmod(x.shape[0], 4)[1])
sized("by_rounding", lambda x: x * round(x.shape[0] / 3) + math.ceil(x.shape[0] / 7))
sized("by_float", lambda x: x / float(x.shape[0]) + math.log(x.shape[0]))
sized("by_repetition", lambda x: x * len("ab" * x.shape[0]) + sum([1] * x.shape[0]))
sized("by_largest", lambda x: x[: min(x.shape[0], 7)] * max(x.shape[0], 7))
sized("by_product", lambda x: x * math.prod(x.shape) + sum(x.shape))
sized("by_numpy", lambda x: x * float(np.arange(x.shape[0]).sum()) + float(np.zeros(x.shape).size))
sized("by_hash", lambda x: x * (2.0 if (x.shape[0],) == (9,) else 3.0) + len({x.shape[0], 9}))
sized("by_loop", lambda x: sum([x[i] for i in range(0, x.shape[0], 5)]) * x)
sized("by_slices", lambda x: ops.cat([x[::2], x[1::2], x[-3:]]))
sized("by_pad", lambda x: ops.cat([x, ops.zeros((-x.shape[0]) % 8, ms.float32)]).reshape(-1, 8))
sized("by_matching", lambda x: _matched(x))
sized("by_counter", lambda x: x * collections.Counter([x.shape[0], 9])[9])
sized("by_pow", lambda x: x * pow(x.shape[0], 3, 7) + int(f"{x.shape[0]:x}", 16))
sized("by_equality_of_floats", lambda x: x * (2.0 if x.shape[0] == 9.0 else 3.0))
sized("by_complex", lambda x: x * abs(complex(x.shape[0], 1)))
sized("by_range_membership", lambda x: x * (2.0 if x.shape[0] in range(3, 20, 4) else 3.0))
sized("by_sorting", lambda x: x * sorted([x.shape[0], 9, 4])[1])
sized("by_item", lambda x: x * [1.0, 2.0, 5.0][x.shape[0] % 3])
sized("by_bytes", lambda x: x * len(bytes(x.shape[0])) + (x.shape[0]).to_bytes(2, "big")[1])
sized("by_bool", lambda x: x * (2.0 if x.shape[0] - 9 else 3.0))
sized("by_is", lambda x: x * (2.0 if x.shape[0] is x.shape[0] else 3.0))
sized("by_isinstance", lambda x: x * (2.0 if isinstance(x.shape[0], int) else 3.0))
sized("by_kind_of_all", lambda x: x * sum(isinstance(n, (int, float)) for n in x.shape))
sized("by_kinds_of_a_table", lambda x: x * (2.0 if isinstance(x.shape[0], _WHOLE) else 3.0))
sized("by_name_of_a_type", lambda x: x * len(type(x.shape[0]).__name__))
sized("returned", lambda x: (x, x.shape, x.shape[0] * 2, {"n": x.size}))


_WHOLE = (int, np.integer)


def _matched(x: Any) -> Any:
    match x.shape:
        case (9,):
            return x * 2
        case (n,) if n % 2:
            return x * n
    return x


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_world(program: Any, quiet: bool) -> None:
    check(program, quiet)
