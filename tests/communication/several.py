"""Starts a program in several processes that meet over gloo, and collects what each found."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch.distributed as dist

import forked

HERE = Path(__file__).parent


def environment_of(rank: int, size: int, store: dist.TCPStore) -> dict[str, str]:
    """The environment of a process that meets others in a store, as under torchrun."""
    launchers = ("RANK_ID", "RANK_SIZE", "LOCAL_RANK")
    return {
        **{name: value for name, value in os.environ.items() if name not in launchers},
        "TORCHELASTIC_USE_AGENT_STORE": "True",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(store.port),
        "RANK": str(rank),
        "WORLD_SIZE": str(size),
    }


def environments(size: int) -> tuple[dist.TCPStore, list[dict[str, str]]]:
    """The environments of processes that meet in a store of this process, which is to be kept."""
    store = dist.TCPStore("127.0.0.1", 0, size + 1, True, timedelta(seconds=30), False)
    return store, [environment_of(rank, size, store) for rank in range(size)]


def run(
    program: str | Path,
    size: int,
    folder: Path,
    *arguments: str,
    timeout: float = 120,
    killed: int | None = None,
    preload: Sequence[str] = (),
    finalizes: bool = False,
) -> list[Any]:
    """What each process of a program writes as JSON into the file that it is given.

    The processes meet as under torchrun, in a store of this process, whose port the system chose.
    The process `killed` ends by SIGKILL and writes nothing; None stands in its place. Modules to
    `preload` are imported once for all programs; for `finalizes` see `forked.start`.
    """
    _store, each = environments(size)
    started, files = [], []
    for rank, environment in enumerate(each):
        files.append(folder / f"{Path(program).stem}-{size}-{rank}-{'-'.join(arguments)}.json")
        started.append(
            forked.start(
                HERE / program,
                str(files[rank]),
                *arguments,
                env=environment,
                preload=preload,
                finalizes=finalizes,
            )
        )
    try:
        codes = [process.wait(timeout) for process in started]
    finally:
        for process in started:
            process.kill()
    expected = [-signal.SIGKILL if rank == killed else 0 for rank in range(size)]
    texts = [f"process {r}: {''.join(p.texts)[-4000:]}" for r, p in enumerate(started)]
    assert codes == expected, "\n".join(texts)
    return [
        None if rank == killed else json.loads(path.read_text()) for rank, path in enumerate(files)
    ]
