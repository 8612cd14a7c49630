"""The C library's heap keeps freed memory, unless the user has said how it shall be."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import agar as ms
from agar._core import malloc

needs_glibc = pytest.mark.skipif(malloc._library() is None, reason="the C library is not glibc")

#: Pages that are cleared while blocks of 8 MiB are taken and freed again.
FAULTS = """
import resource, torch, agar
def step():
    blocks = [torch.empty(2 << 20).fill_(1.0) for _ in range(6)]
with agar._core.malloc.mapped_one_by_one():
    step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    step()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
for _ in range(4):
    step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(4):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
agar.runtime.empty_cache()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(**environment: str) -> list[int]:
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_"))}
    done = subprocess.run(
        [sys.executable, "-c", FAULTS],
        env={**plain, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line) for line in done.stdout.split()]


@needs_glibc
@pytest.mark.pynative  # the process chooses its mode itself
def test_memory_is_kept_for_the_next_step_until_it_is_given_back() -> None:
    pages = 6 * (8 << 20) // os.sysconf("SC_PAGE_SIZE")
    mapped, steady, after_giving_back = faults()
    assert mapped > pages // 4
    assert steady < pages // 4
    assert after_giving_back > pages // 4


@needs_glibc
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
        ("MALLOC_MMAP_THRESHOLD_", "131072"),
        ("GLIBC_TUNABLES", "glibc.malloc.trim_threshold=131072"),
    ],
)
def test_the_environment_decides(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    class Library:
        def mallopt(self, what: int, size: int) -> int:
            told.append((what, size))
            return 1

    monkeypatch.setattr(malloc, "_library", Library)
    for known in (*malloc._DECIDED, "GLIBC_TUNABLES"):
        monkeypatch.delenv(known, raising=False)
    assert malloc.keep_freed_memory()
    assert [what for what, _ in told] == [malloc._MMAP, malloc._TRIM]
    assert 0 < told[1][1] <= 1 << 30
    monkeypatch.setenv(name, value)
    assert not malloc.keep_freed_memory()
    assert len(told) == 2


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(malloc, "_library", lambda: None)
    for known in (*malloc._DECIDED, "GLIBC_TUNABLES"):
        monkeypatch.delenv(known, raising=False)
    assert not malloc.keep_freed_memory()
    ms.runtime.empty_cache()
    ms.ms_memory_recycle()
