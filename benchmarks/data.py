"""Images a second: agar's pipelines against a hand-written torch DataLoader, and MindSpore's.

All read the same JPEG files and do the same to them: decode, cut and scale at random, flip at
random, normalize, batches of 32. Once with the program's own functions (Pillow), and once with the
transforms of the library beside it::

    python benchmarks/data.py                     # 0, 1 and 2 workers
    python benchmarks/data.py --oracle PYTHON     # also MindSpore's pipeline, in this Python

Each pipeline is a process; all go through an epoch by turns, so that a busy machine slows all, and
none reads ahead while it is not its turn. The time of the processor is that of all threads of the
process, without its workers' processes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

BATCH = 32
SIZE = 160
MEAN = np.array([0.485, 0.456, 0.406], np.float32)[:, None, None]
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)[:, None, None]


class Pictures:
    """JPEG files with labels, read and changed by Pillow and numpy."""

    def __init__(self, files: list[str]) -> None:
        self.files = files

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> tuple[np.ndarray, int]:
        return changed(Image.open(self.files[index]).convert("RGB")), index % 10


class Undecoded(Pictures):
    """The same files as bytes."""

    def __getitem__(self, index: int) -> tuple[np.ndarray, int]:
        return np.fromfile(self.files[index], np.uint8), index % 10


def changed(image: Image.Image) -> np.ndarray:
    """A part of an image, scaled, perhaps flipped, normalized."""
    width, height = image.size
    side = int(min(width, height) * random.uniform(0.6, 1.0))
    left, top = random.randint(0, width - side), random.randint(0, height - side)
    box = (left, top, left + side, top + side)
    image = image.resize((SIZE, SIZE), Image.Resampling.BILINEAR, box)
    if random.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    pixels = np.asarray(image, np.float32).transpose(2, 0, 1) / 255
    return (pixels - MEAN) / DEVIATION


def decoded(data: np.ndarray) -> np.ndarray:
    """What `Pictures` does, from the bytes of a file."""
    import io

    return changed(Image.open(io.BytesIO(data.tobytes())).convert("RGB"))


def with_torch(files: list[str], workers: int) -> Iterable[Any]:
    """The DataLoader that one would write by hand."""
    import torch.utils.data as data

    return data.DataLoader(
        Pictures(files),  # type: ignore[arg-type]
        BATCH,
        shuffle=True,
        num_workers=workers,
        persistent_workers=workers > 0,
    )


def with_source(ds: Any, files: list[str], workers: int) -> Iterable[Any]:
    """GeneratorDataset and batch."""
    data = ds.GeneratorDataset(
        Pictures(files), ["image", "label"], num_parallel_workers=max(workers, 1)
    )
    return data.batch(BATCH).create_tuple_iterator()


def with_map(ds: Any, files: list[str], workers: int) -> Iterable[Any]:
    """GeneratorDataset, map and batch."""
    data = ds.GeneratorDataset(Undecoded(files), ["image", "label"])
    data = data.map(
        decoded,
        "image",
        num_parallel_workers=max(workers, 1),
        python_multiprocessing=workers > 1,
    )
    return data.batch(BATCH).create_tuple_iterator()


def with_transforms(ds: Any, vision: Any, files: list[str], workers: int) -> Iterable[Any]:
    """ImageFolderDataset and the library's own transforms."""
    data = ds.ImageFolderDataset(str(Path(files[0]).parent.parent))
    operations = [
        vision.RandomCropDecodeResize(SIZE, (0.36, 1.0)),
        vision.RandomHorizontalFlip(),
        vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375]),
        vision.HWC2CHW(),
    ]
    data = data.map(operations, "image", num_parallel_workers=max(workers, 1))
    return data.batch(BATCH).create_tuple_iterator()


def epoch(rows: Iterable[Any]) -> tuple[float, float]:
    """The seconds of an epoch, on the clock and of the processor in this process's threads."""
    start, processor = time.perf_counter(), time.process_time()
    for _ in rows:
        continue
    return time.perf_counter() - start, time.process_time() - processor


def answer(rows: Iterable[Any]) -> None:
    """Go through the rows once for each line that comes in, and say how long it took."""
    for _ in sys.stdin:
        print(json.dumps(epoch(rows)), flush=True)


class Pipeline:
    """A pipeline in a process of its own, which goes through its rows when it is asked to."""

    def __init__(self, python: str, library: str, kind: str, workers: int, folder: str) -> None:
        self.name = f"{library} {kind}"
        self.epochs: list[tuple[float, float]] = []
        self._process = subprocess.Popen(
            [python, __file__, "--one", library, kind, str(workers), folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self) -> None:
        """One epoch; between epochs the process and its workers stand still."""
        os.killpg(self._process.pid, signal.SIGCONT)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        while line and not line.startswith("["):  # what a library prints
            line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self.name} failed")
        os.killpg(self._process.pid, signal.SIGSTOP)
        self.epochs.append(tuple(json.loads(line)))

    def close(self) -> None:
        """End the process."""
        os.killpg(self._process.pid, signal.SIGCONT)
        self._process.communicate()


def kinds(library: str) -> dict[str, Callable[[list[str], int], Iterable[Any]]]:
    """The pipelines of a library by name."""
    if library == "torch":
        return {"DataLoader": with_torch}
    if library == "mindspore":
        import mindspore.dataset as ds  # pyright: ignore[reportMissingImports]
        from mindspore.dataset import vision  # pyright: ignore[reportMissingImports]
    else:
        import agar.dataset as ds
        from agar.dataset import vision
    return {
        "GeneratorDataset": lambda files, n: with_source(ds, files, n),
        "map(Pillow)": lambda files, n: with_map(ds, files, n),
        "transforms": lambda files, n: with_transforms(ds, vision, files, n),
    }


def write_pictures(folder: Path, count: int) -> list[str]:
    """JPEG files of smooth noise, 320 x 240."""
    draw = np.random.RandomState(0)
    (folder / "all").mkdir()
    files = []
    for number in range(count):
        small = Image.fromarray(draw.randint(0, 255, (15, 20, 3), np.uint8))
        file = folder / "all" / f"{number:05}.jpg"
        small.resize((320, 240), Image.Resampling.BICUBIC).save(file, quality=90)
        files.append(str(file))
    return files


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=640)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--oracle", help="a Python with MindSpore")
    parser.add_argument("--only", nargs="*", help="kinds of pipelines, such as transforms")
    parser.add_argument("--one", nargs=4, metavar=("LIBRARY", "KIND", "WORKERS", "FOLDER"))
    options = parser.parse_args()
    if options.one:
        library, kind, workers, folder = options.one
        files = sorted(str(path) for path in Path(folder, "all").glob("*.jpg"))
        answer(kinds(library)[kind](files, int(workers)))
        return
    chosen = [("torch", "DataLoader")]
    chosen += [("agar", kind) for kind in ("GeneratorDataset", "map(Pillow)", "transforms")]
    if options.oracle:
        chosen += [("mindspore", kind) for _, kind in chosen[1:4]]
    chosen = [pair for pair in chosen if not options.only or pair[1] in options.only]
    with tempfile.TemporaryDirectory() as folder:
        write_pictures(Path(folder), options.images)
        for workers in options.workers:
            pipelines = [
                Pipeline(
                    options.oracle if library == "mindspore" else sys.executable,
                    library,
                    kind,
                    workers,
                    folder,
                )
                for library, kind in chosen
            ]
            for _ in range(options.epochs + 1):
                for pipeline in pipelines:
                    pipeline.run()
            report(workers, pipelines, options.images)


def report(workers: int, pipelines: list[Pipeline], images: int) -> None:
    """Print the table of a number of workers; ratios are to the first pipeline, round by round."""
    print(f"\n{f'{workers} workers':28}{'images/s':>10}{'ratio':>8}{'CPU us':>10}{'ratio':>8}")
    first = pipelines[0].epochs[1:]  # the first epoch warms up
    for pipeline in pipelines:
        pipeline.close()
        line = pipeline.name.ljust(28)
        for which in (0, 1):
            values = [seconds[which] / images for seconds in pipeline.epochs[1:]]
            middle = statistics.median(values)
            line += f"{1 / middle if which == 0 else middle * 1e6:10.0f}"
            pairs = zip(first, pipeline.epochs[1:], strict=True)
            ratios = [ours[which] / base[which] for base, ours in pairs]
            ratio = statistics.median(ratios)
            line += f"{1 / ratio if which == 0 else ratio:8.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
