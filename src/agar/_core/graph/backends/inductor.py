"""O1: parts of a subgraph compiled by TorchInductor, in another process, cached on disk.

A :class:`Job` divides its subgraph (:func:`lowering.partition`), looks each part up in the cache,
has the missing ones compiled by the worker process, loads what came, and offers the subgraph's
operations with the parts replaced by :class:`agar._core.graph.ir.graph.Chunk`. Nothing of this
stands in the way of the calls that go on meanwhile.

NOTE The cache. One file per part under ``agar/graph`` in the context's ``compile_cache_path`` or in
``$AGAR_CACHE_DIR``, else under ``$XDG_CACHE_HOME/agar/graph`` or ``~/.cache/agar/graph``. Its name
is the SHA-256 of everything that the result depends on. Files hold machine code and are run: only
files of this user, that nobody else may write, are loaded, and folders are made for this user
alone; never point the variable at a folder that others can write to. A checksum finds torn files;
these are compiled again and replaced. When it starts, the worker deletes what was not used for
longest, down to 2 GiB, and only what this cache made: its files by name and first bytes, and
Inductor's by name. Everything else stays, and does not count.

NOTE What loading costs. A plain artifact (see worker.py) is a small Python function and shared
libraries. For the train step of a small network, 4 to 9 libraries, dividing the subgraph takes
1 ms, its text 0.3 ms and loading 2 to 6 ms, on a thread of its own and without importing Inductor,
which would hold the interpreter for a second or more. Inductor's own artifacts cost that.
"""

from __future__ import annotations

import atexit
import collections
import contextlib
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import math
import os
import platform
import queue
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from agar._core import files
from agar._core.context import get_context
from agar._core.gc_pause import collector_at_rest
from agar._core.graph import background
from agar._core.graph.backends.lowering import Part, encode, partition
from agar._core.graph.ir.graph import Chunk, Op, Ref, Subgraph

__all__ = ["Job", "available", "cache_folder", "partition", "request", "shutdown", "stats"]

#: Of the files' layout and of what is in them; another number makes old files unused.
FORMAT = 4
_KIND = b"agar-o1\0"
_MAGIC = _KIND + struct.pack("<I", FORMAT)
#: Of the names that the cache gives, see `_path_of` and `_load_kernel`.
_SHARD, _ENTRY = re.compile("[0-9a-f]{2}"), re.compile(r"[0-9a-f]{62}\.(o1|hint)")
_LOADED = r"[0-9a-f]{16}\.so|artifact"
#: Inductor names files by what is in them: "c" and a SHA-256 in base 32.
_INDUCTOR = re.compile(r"c[a-z2-7]{51}(\..+)?")
#: Bytes that the cache folder may hold.
LIMIT = 2 << 30
#: Seconds that one part may take to compile.
TIMEOUT = 300.0
#: How often single operations are taken out of a part before all of it stays raw.
_ROUNDS = 20


# -------------------------------------------------------------------------------- availability


def available() -> str | None:
    """None if subgraphs can be compiled here, else the reason why not, for people."""
    if os.environ.get("AGAR_COMPILE", "1") == "0":
        return "the environment variable AGAR_COMPILE is 0"
    if not sys.executable:
        return "the Python interpreter does not know its own program file (sys.executable)"
    if _cxx() is None:
        return (
            "no C++ compiler was found; install g++ or clang++, or name one in the environment "
            "variable CXX"
        )
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.exists():
        return f"Python's C headers are missing ({header}); install them (python3-dev)"
    return None


def _cxx() -> str | None:
    named = os.environ.get("CXX")
    names = [named.split()[0]] if named else ["g++", "clang++"]
    if os.name == "nt" and not named:
        names = ["cl", *names]
    return next(filter(None, map(shutil.which, names)), None)


# --------------------------------------------------------------------------------- cache files


def cache_folder() -> Path:
    """The folder of compiled parts: one of its own in the folder that is named, or the user's."""
    named = _named_folder()
    if named:
        return Path(named) / "agar" / "graph"
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "agar" / "graph"


def _named_folder() -> str:
    """The folder that the context's ``compile_cache_path`` or the environment names."""
    named = get_context("compile_cache_path") if get_context("enable_compile_cache") else ""
    named = named or os.environ.get("AGAR_CACHE_DIR")
    return os.path.abspath(named) if named else ""


def _path_of(key: str) -> Path:
    return cache_folder() / key[:2] / f"{key[2:]}.o1"


def pack(header: dict[str, Any], contents: list[bytes]) -> bytes:
    """A cache file: magic, checksum, length of the header, the header as JSON, contents."""
    text = json.dumps({**header, "sizes": [len(c) for c in contents]}).encode()
    payload = b"".join([struct.pack("<Q", len(text)), text, *contents])
    return _MAGIC + hashlib.sha256(payload).digest() + payload


def unpack(data: bytes) -> tuple[dict[str, Any], list[bytes]] | None:
    """Header and contents of a cache file, or None if it is not whole."""
    start = len(_MAGIC) + 32
    if not data.startswith(_MAGIC) or len(data) < start + 8:
        return None
    payload = memoryview(data)[start:]
    if hashlib.sha256(payload).digest() != data[len(_MAGIC) : start]:
        return None
    (length,) = struct.unpack("<Q", payload[:8])
    header = json.loads(bytes(payload[8 : 8 + length]))
    contents = []
    at = 8 + length
    for size in header["sizes"]:
        contents.append(bytes(payload[at : at + size]))
        at += size
    return header, contents


def write_file(path: str, data: bytes) -> None:
    """Write a cache file so that nobody ever sees half of it."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    # 0600: a file that others could write is not loaded; a checksum finds what a power cut leaves
    with files.replacing(path, mode=0o600, durable=False) as temporary:
        Path(temporary).write_bytes(data)


def read_file(path: Path) -> tuple[dict[str, Any], list[bytes]] | None:
    """Header and contents of a cache file that is there, whole and ours."""
    try:
        with open(path, "rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            result = unpack(file.read())
    except OSError:
        return None
    if result is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # used now
    return result


def _is_ours(info: os.stat_result) -> bool:
    """Whether a file belongs to this user and nobody else may write to it."""
    if os.name != "posix":
        return True
    return info.st_uid == os.geteuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def prune(limit: int | None = None) -> None:
    """Delete what was not used for longest, until what the cache made keeps its bound."""
    limit = LIMIT if limit is None else limit
    last_week = time.time() - 7 * 86400
    top = cache_folder()
    own: list[tuple[float, int, str]] = []
    for folder in _folders(top):
        if _SHARD.fullmatch(os.path.basename(folder)):
            files.sweep(folder)
            own += _files(folder, _ENTRY, _KIND)
            if os.path.getmtime(folder) < last_week:
                files.remove_empty_folder(folder)
    inductor = str(top / "inductor")
    for folder in _folders(top, "inductor") and [inductor, *_folders(inductor)]:
        for item in _files(folder, _INDUCTOR, b""):
            if item[0] >= last_week or not files.remove(item[2]):
                own.append(item)
    total = sum(size for _, size, _ in own)
    for _, size, path in sorted(own):
        if total <= limit:
            return
        total -= size * files.remove(path)


def _folders(parent: str | Path, name: str | None = None) -> list[str]:
    """The folders in a folder that are no links and belong to this user."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        return [
            e.path
            for e in entries
            if e.is_dir(follow_symlinks=False)
            and name in (None, e.name)
            and _is_ours(e.stat(follow_symlinks=False))
        ]
    return []


def _files(folder: str, name: re.Pattern[str], kind: bytes) -> list[tuple[float, int, str]]:
    """When used, size and path of the files that have such a name and begin with ``kind``."""
    listed = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for e in entries:
            if not name.fullmatch(e.name) or not e.is_file(follow_symlinks=False):
                continue
            info = e.stat(follow_symlinks=False)
            if _is_ours(info) and _begins_with(e.path, kind):
                listed.append((info.st_mtime, info.st_size, e.path))
    return listed


def _begins_with(path: str, kind: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(kind)) == kind
    except OSError:
        return False


@functools.cache
def _machine() -> str:
    """What a compiled part depends on and does not change while the process runs."""
    words = [
        f"format {FORMAT}",
        f"torch {torch.__version__} {torch.version.git_version}",
        f"python {sysconfig.get_config_var('SOABI') or sys.version}",
        f"machine {platform.system()} {platform.machine()}",
        f"cpu {torch.backends.cpu.get_cpu_capability()}",
    ]
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        seen: set[str] = set()
        for line in file:
            if line.startswith(("model name", "flags", "Features")) and line not in seen:
                seen.add(line)
                words.append(line.strip())
    return "\n".join(words)


@functools.cache
def _device_name(device: torch.device) -> str:
    if device.type == "cuda":
        name = torch.cuda.get_device_name(device)
        return f"{device} {name} {torch.cuda.get_device_capability(device)}"
    return str(device)


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "threads": torch.get_num_threads(),
        "matmul": torch.get_float32_matmul_precision(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        **options,
    }


def _key(text: str, settings: dict[str, Any], devices: list[str]) -> str:
    whole = [_machine(), *devices, json.dumps(settings, sort_keys=True), text]
    return hashlib.sha256("\n".join(whole).encode()).hexdigest()


# ------------------------------------------------------------------------------------- loading


def resolve(path: str) -> Any:
    """The object at a dotted path that begins with ``torch`` or ``math``."""
    root, *names = path.split(".")
    value: Any = {"torch": torch, "math": math}[root]
    for name in names:
        value = getattr(value, name)
    return value


def _own(t: torch.Tensor) -> torch.Tensor:
    """A copy with the same strides."""
    result = torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device=t.device)
    return result.copy_(t)


def load(header: dict[str, Any], contents: list[bytes]) -> Callable[..., Any]:
    """The function of an artifact: ``run(*inputs) -> tuple of outputs``, inputs changed in place.

    It must be called with gradients off, on tensors of exactly the metadata that were compiled for.
    """
    # the libraries stay mapped; where a file in use cannot be deleted, a later load does it
    parent = _ensured_folder(cache_folder() / "loading")
    with files.scratch_folder(parent, _LOADED) as name:
        folder = Path(name)
        if header["kind"] == "own":
            return _load_own(folder, contents[0])
        scope: dict[str, Any] = {name: resolve(p) for name, p in header["names"].items()}
        scope["_own"] = _own
        for name, content in zip(header["kernels"], contents, strict=True):
            scope[name] = _load_kernel(folder, content)
        exec(compile(header["source"], "<agar compiled part>", "exec"), scope)
        return scope["call"]


def _ensured_folder(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _load_kernel(folder: Path, content: bytes) -> Callable[..., Any]:
    """The entry of a kernel's shared library, which is a Python extension named 'kernel'."""
    guards = resolve("torch._C._dynamo.guards")
    # the library asks for this address when it is initialized
    os.environ["_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR"] = str(
        guards._torchinductor_pyobject_tensor_data_ptr
    )
    name = hashlib.sha256(content).hexdigest()[:16]
    path = folder / f"{name}.so"
    path.write_bytes(content)
    full = f"_agar_{name}.kernel"
    loader = importlib.machinery.ExtensionFileLoader(full, str(path))
    spec = importlib.util.spec_from_file_location(full, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module.kernel


def _load_own(folder: Path, content: bytes) -> Callable[..., Any]:
    import torch._inductor

    path = folder / "artifact"
    path.write_bytes(content)
    result = torch._inductor.CompiledArtifact.load(path=str(path), format="binary")

    def run(*args: Any) -> Any:
        return tuple(result(*args))

    return run


# ---------------------------------------------------------------------------- the other process


def send(to: Any, message: dict[str, Any]) -> None:
    """Write one message."""
    text = json.dumps(message).encode()
    data = memoryview(struct.pack("<Q", len(text)) + text)
    while data:
        data = data[to.write(data) :]


def receive(source: Any) -> dict[str, Any] | None:
    """Read one message, None at the end."""
    head = _exactly(source, 8)
    body = None if head is None else _exactly(source, struct.unpack("<Q", head)[0])
    return None if body is None else json.loads(body)


def _exactly(source: Any, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        piece = source.read(count - len(data))
        if not piece:
            return None
        data += piece
    return bytes(data)


# Least priority from the first import on. No session of its own: Linux first shares processor time
# between sessions (autogroup), a nice value counts within its session only, and compilers would get
# half of the machine. A group of its own keeps Ctrl-C away from it. The folders of the parent's
# modules come first, its current folder not at all.
_START = """
import json, os, sys
if os.name == "posix":
    os.setpgid(0, 0)
    os.nice(19)
sys.path[:] = json.loads(sys.argv[1])
from agar._core.graph.backends.worker import main
main()
"""


class _Worker:
    """The parent's end of the process that compiles."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "AGAR_COMPILE": "0",  # it starts no process like itself
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "TORCHINDUCTOR_CACHE_DIR": str(_ensured_folder(cache_folder() / "inductor")),
            **({"AGAR_CACHE_DIR": named} if (named := _named_folder()) else {}),
            "CXX": os.environ.get("CXX") or _cxx() or "",
        }
        paths = json.dumps([p for p in sys.path if p])
        self._log: Any = tempfile.TemporaryFile()  # noqa: SIM115  (as long as the process)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            bufsize=0,
            creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),  # of Windows
        )
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="agar-o1-replies", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                message = receive(self.process.stdout)
            except (OSError, ValueError):
                message = None
            self._replies.put(message)
            if message is None:
                return

    def _wait(self, timeout: float) -> dict[str, Any]:
        try:
            reply = self._replies.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"compiling took more than {timeout:g} s") from None
        if reply is None:
            code = self.process.wait()
            raise EOFError(f"the compiling process ended with code {code}: {self._last_words()}")
        return reply

    def greet(self, timeout: float) -> None:
        """Wait until the process says that it is there; raises as `ask` does."""
        self._wait(timeout)

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """The reply to a request.

        Raises:
            TimeoutError: there was none in time.
            EOFError, OSError: the process has ended.
        """
        send(self.process.stdin, request)
        return self._wait(timeout)

    def _last_words(self) -> str:
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - 600))
        return self._log.read().decode(errors="replace").strip() or "it wrote nothing"

    def stop(self) -> None:
        """End the process and the compilers that it has started."""
        if os.name == "posix":
            with contextlib.suppress(OSError):  # it may not have its group yet
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self._reader.join(5.0)  # it ends with the pipe, which is then safe to close
        for pipe in (self.process.stdin, self.process.stdout, self._log):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class _Lane:
    """Work that is done in turn on a background thread, which lives while there is some."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._work: collections.deque[Callable[[], None]] = collections.deque()
        self._running = False

    def add(self, work: Callable[[], None]) -> None:
        with self._lock:
            self._work.append(work)
            if self._running:
                return
            self._running = True
        background.start(self._run, self.name)

    def _run(self) -> None:
        time.sleep(0.001)  # gives the interpreter back to the caller, who waits for this thread
        while True:
            with self._lock:
                if not self._work:
                    self._running = False
                    return
                work = self._work.popleft()
            work()


class _State:
    """All that belongs to one process."""

    def __init__(self) -> None:
        self.loads = _Lane("agar-o1-load")
        self.compiles = _Lane(background.COMPILES)
        self.worker: _Worker | None = None
        self.closed = False
        self.counts: collections.Counter[str] = collections.Counter()
        self.seconds = {"compiling": 0.0, "loading": 0.0}

    def compile(self, text: str, path: Path, settings: dict[str, Any]) -> dict[str, Any]:
        """Have the worker compile a part; its reply, or one that says what went wrong."""
        request = {"text": text, "path": str(path), "settings": settings}
        error: Exception | None = None
        for _ in range(2):  # the worker may have ended for reasons of its own
            if self.closed:
                return {"ok": False, "positions": [], "error": "the process is ending"}
            try:
                if self.worker is None:
                    self.worker = worker = _Worker()
                    self.counts["workers started"] += 1
                    worker.greet(TIMEOUT)
                else:
                    worker = self.worker
                reply = worker.ask(request, TIMEOUT)
                self.seconds["compiling"] += reply["seconds"]
                return reply
            except TimeoutError as raised:
                error = raised
                self.stop_worker()
                break
            except (EOFError, OSError) as raised:
                error = raised
                self.stop_worker()
        return {"ok": False, "positions": [], "error": str(error)}

    def stop_worker(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.stop()


_state = _State()


def _forget() -> None:
    """In a forked child: the threads and the worker belong to the parent."""
    global _state
    _orphans.append(_state)  # it must not be finalized here
    _state = _State()


_orphans: list[_State] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@atexit.register
def shutdown() -> None:
    """End the compiling process; jobs that wait for it fail. A later request starts another."""
    global _state
    old, _state = _state, _State()
    old.closed = True
    old.stop_worker()


def stats() -> dict[str, Any]:
    """What was compiled and loaded so far in this process, for ``agar.graph.explain``."""
    state = _state
    worker = state.worker
    return {
        **state.counts,
        **{f"seconds {what}": round(s, 3) for what, s in state.seconds.items()},
        "worker": None if worker is None else worker.process.pid,
        "folder": str(cache_folder()),
    }


# ---------------------------------------------------------------------------------------- jobs


class Job:
    """The compilation of one subgraph.

    Attributes:
        error: why it failed, or which parts were left as they were; "" if nothing went wrong.
        cached: whether everything came from disk.
        lasting: whether another process would fail as this one did.
    """

    def __init__(self, subgraph: Subgraph, split: bool, options: dict[str, Any]) -> None:
        self.subgraph = subgraph
        self.split = split
        self.error = ""
        self.cached = True
        self.lasting = True
        self._state = _state
        self._settings = _settings(options)
        self._plan: list[Op] | None = None
        self._done = threading.Event()
        self._pid = os.getpid()
        self._raw: set[int] = set()
        self._runs: dict[str, Callable[..., Any]] = {}

    @property
    def state(self) -> str:
        """``"waiting"``, ``"ready"`` or ``"failed"``."""
        if self._done.is_set():
            return "failed" if self._plan is None else "ready"
        if os.getpid() != self._pid:
            self.lasting = False
            self._fail("the process was forked while its parent was compiling")
            return "failed"
        return "waiting"

    def plan(self) -> list[Op]:
        """The subgraph's operations with compiled parts as chunks, for :func:`o0.generate`.

        Raises:
            RuntimeError: the job is not ready.
        """
        if self._plan is None:
            raise RuntimeError(
                f"The compiled plan is not there: {self.error or 'it is waited for'}."
            )
        return self._plan

    def wait(self, timeout: float | None = None) -> str:
        """Wait until the job is ready or failed, or for `timeout` seconds; returns the state."""
        if self.state == "waiting":
            self._done.wait(timeout)
        return self.state

    def _fail(self, error: str) -> None:
        self.error = error
        self._done.set()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # what nobody foresaw must not leave the job waiting
            self._state.counts["jobs failed"] += 1
            self.lasting = False
            self._fail(f"{type(error).__name__}: {error}")

    def _start(self) -> None:
        if not self._resolve(compiling=False):
            self.cached = False
            self._state.compiles.add(lambda: self._guarded(self._compile))

    def _compile(self) -> None:
        self._resolve(compiling=True)

    def _resolve(self, compiling: bool) -> bool:
        """Bring the job to its end; False if that needs the compiler and it may not be asked."""
        rounds = 0
        while True:  # each round leaves more operations raw
            rounds += 1
            with collector_at_rest():
                items = partition(self.subgraph, self.split, self._raw)
            again = False
            for part in [p for p in items if isinstance(p, Part)]:
                text, key = self._key_of(part)
                if key in self._runs:
                    continue
                result = self._file_of(text, key, compiling)
                if result is None:
                    return False
                header, contents = result
                if not self._load(key, header, contents):
                    positions = header.get("positions") if rounds < _ROUNDS else None
                    self._raw.update(
                        [part.origin[i] for i in positions] if positions else part.kernels
                    )
                    again = True
                    break
            if not again:
                self._finish(items)
                return True

    @collector_at_rest()
    def _key_of(self, part: Part) -> tuple[str, str]:
        metas = self.subgraph.metas
        text = encode(part, metas)
        seen = {metas[v].device for v in part.ins} | {metas[v].device for v in part.outs}
        return text, _key(text, self._settings, sorted(map(_device_name, seen)))

    def _file_of(
        self, text: str, key: str, compiling: bool
    ) -> tuple[dict[str, Any], list[bytes]] | None:
        """The part's file from the cache, compiled first if it may be and must."""
        path = _path_of(key)
        result = read_file(path)
        if result is not None:
            self._state.counts["parts from disk"] += 1
            return result
        if not compiling:
            return None
        reply = self._state.compile(text, path, self._settings)
        result = read_file(path)
        if result is not None:
            self._state.counts["parts compiled"] += 1
            return result
        self.lasting = False
        reason = reply["error"] or f"the cache folder {cache_folder()} does not keep its files"
        return {"kind": "rejected", "positions": reply["positions"], "error": reason}, []

    def _load(self, key: str, header: dict[str, Any], contents: list[bytes]) -> bool:
        """Make the part's function; False, with the reason in `error`, if there is none."""
        if header["kind"] == "rejected":
            self._state.counts["parts rejected"] += 1
            self.error = header["error"]
            return False
        started = time.perf_counter()
        try:
            with collector_at_rest():
                self._runs[key] = load(header, contents)
        except Exception as error:
            self.error = f"loading failed: {type(error).__name__}: {error}"
            self.lasting = False
            return False
        self._state.seconds["loading"] += time.perf_counter() - started
        return True

    def _finish(self, items: list[Op | Part]) -> None:
        plan: list[Op] = []
        chunks = 0
        for item in items:
            if isinstance(item, Op):
                plan.append(item)
                continue
            chunks += 1
            run = self._runs[self._key_of(item)[1]]
            chunk = Chunk(run, f"compiled[{len(item.ops)}]", item)
            metas = tuple(self.subgraph.metas[o] for o in item.outs)
            plan.append(Op(chunk, tuple(map(Ref, item.ins)), {}, tuple(item.outs), metas))
        if not chunks:
            self._state.counts["jobs failed"] += 1
            self._fail(self.error or "nothing in it is for the compiler")
            return
        self._state.counts["jobs ready"] += 1
        self._plan = plan
        self._done.set()


_OPTIONS = frozenset({"bf16", "channels_last"})


def request(subgraph: Subgraph, split: bool = False, options: dict[str, Any] | None = None) -> Job:
    """Have a subgraph compiled; returns at once.

    Args:
        subgraph: what to compile.
        split: whether forward, backward and optimizer are compiled apart. Default: False.
        options: ``"bf16": True`` computes matrix products and convolutions of float32 in
            bfloat16; ``"channels_last"`` says whether convolutions run in that layout (by itself:
            only where there is no backward pass of one). Default: None.

    Raises:
        ValueError: an option is unknown.
    """
    options = {k: v for k, v in (options or {}).items() if v is not None}
    if not options.get("bf16", True):
        del options["bf16"]
    unknown = sorted(set(options) - _OPTIONS)
    if unknown:
        raise ValueError(f"Unknown options {unknown} of plan O1; known: {sorted(_OPTIONS)}.")
    job = Job(subgraph, split, options)
    _state.counts["jobs"] += 1
    reason = available()
    if reason is not None:
        _state.counts["jobs failed"] += 1
        job._fail(reason)
    else:
        job._state.loads.add(lambda: job._guarded(job._start))
    return job
