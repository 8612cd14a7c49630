"""Files that take their place whole or not at all, and the only functions of agar that delete.

A file is written beside its target, under a name that says whose it is, and moved over the target
once it is complete. Whatever happens before that (an exception, a full disk, a killed process, a
power cut), the previous file is untouched.

NOTE What a killed process leaves. Its unfinished files stay behind; the next writer in the same
folder deletes them. It must be certain that nobody writes them any more, and that agar made them:

- The name is ``.TARGET.KERNEL-SPACE-PID-START-RANDOM.agar-tmp``: which running kernel, which space
  of process numbers (a container), which process, and when that process began, as numbers are used
  again. The file is a regular one of this user; links are never followed.
- A writer holds a lock on its file (flock), which the kernel drops when the process ends, and
  which works between containers and, where the file system passes it on, between machines. A file
  that is locked stays.
- Of a process of this kernel and space, the file goes when that process has ended. Of any other,
  of which nothing can be known, it goes when it has not been written to for a day.

tests/test_architecture.py fails where another module deletes or moves a file.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import platform
import re
import secrets
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no flock; there, a file in use cannot be deleted
    fcntl = None

__all__ = [
    "FileWriteError",
    "Unfinished",
    "remove",
    "remove_empty_folder",
    "rename",
    "replacing",
    "replacing_together",
    "scratch_folder",
    "sweep",
]

#: Seconds without a write after which an unfinished file of an unknown process is given up.
STALE = 86400.0
_ENDING = ".agar-tmp"
_NAME = re.compile(r"\..{1,24}\.([0-9a-f]{8})-(\d+)-(\d+)-(\d+)-[0-9a-f]{12}\.agar-tmp", re.DOTALL)
#: What errors of libraries say that are not OSError: safetensors, torch.save, sqlite.
_DISK = re.compile(
    r"\(os error \d+\)|No space left|File too large|PytorchStreamWriter|disk is full"
    r"|unexpected pos|disk I/O error|iostream error"
)


class FileWriteError(OSError, RuntimeError):
    """A file could not be written: the disk is full, a limit is reached, or the device fails.

    It is an OSError, as Python raises it, and a RuntimeError, as MindSpore does for a file that
    cannot be exported.

    Args:
        path: the file.
        error: what happened.
    """

    def __init__(self, path: str, error: BaseException) -> None:
        super().__init__(getattr(error, "errno", None) or errno.EIO, _sentence(path, error), path)

    def __str__(self) -> str:
        return str(self.strerror)


def _sentence(path: str, error: BaseException) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return (
        f"The file '{path}' could not be written: {reason}. What was there before is unchanged, "
        "and nothing of the new file is left. Make room, or choose another folder."
    )


# ------------------------------------------------------------------------------ unfinished files


class Unfinished:
    """An empty file beside its target, for its target's place.

    Args:
        path: the file to create or replace; a symbolic link is followed.
        mode: permissions; None for those of the replaced file, else of any new file.

    Raises:
        FileNotFoundError: the directory does not exist.
        IsADirectoryError: ``path`` is a directory.
        FileWriteError: ``path`` is a device or another special file, or the folder refuses.
        PermissionError: nothing may be written into the folder.
    """

    def __init__(self, path: str | os.PathLike[str], mode: int | None = None) -> None:
        # absolute from here on: the program may change its folder before the file is complete
        self.target = os.path.realpath(path)
        directory, base = os.path.split(self.target)
        if os.path.isdir(self.target):
            raise IsADirectoryError(f"Cannot write to '{self.target}': it is a directory.")
        if not os.path.isdir(directory):
            raise FileNotFoundError(
                f"Cannot write to '{self.target}': the directory '{directory}' does not exist; "
                "create it first."
            )
        self._mode = mode
        replaced = self._replaced()
        if replaced is not None and not stat.S_ISREG(replaced.st_mode):
            kind = "circle of links" if stat.S_ISLNK(replaced.st_mode) else "special file"
            raise FileWriteError(self.target, OSError(f"it is a {kind}, not a file"))
        sweep(directory)
        self.path = os.path.join(directory, _name_for(base))
        # What is private must not be readable while it is written. The mode it ends with is set at
        # the end: a file that its owner may not write could not be filled.
        final = stat.S_IMODE(replaced.st_mode) if replaced is not None else 0o666
        first = (final if mode is None else mode) & 0o666 | stat.S_IRUSR | stat.S_IWUSR
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
        try:
            self._lock: int | None = os.open(self.path, flags, first)
        except PermissionError as error:
            raise PermissionError(error.errno, _sentence(self.target, error)) from error
        except OSError as error:
            raise FileWriteError(self.target, error) from error
        _locked(self._lock)

    def _replaced(self) -> os.stat_result | None:
        try:
            return os.lstat(self.target)
        except FileNotFoundError:
            return None

    def finish(self, durable: bool = True) -> None:
        """Give the file its target's place, flushed to the disk if it must outlive a power cut."""
        replaced = self._replaced()
        if self._mode is not None:
            os.chmod(self.path, self._mode)
        elif replaced is not None:
            os.chmod(self.path, self._mode_of(replaced))
        if durable:
            self._sync()
        if os.name == "nt":
            self._unlock()
            if replaced is not None:
                os.chmod(self.target, stat.S_IWRITE)  # there, a read-only file cannot be replaced
        os.replace(self.path, self.target)
        self._unlock()
        if durable:
            # The file is in place; that some file systems cannot sync a directory changes nothing.
            with contextlib.suppress(OSError):
                handle = os.open(os.path.dirname(self.target), os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    def _mode_of(self, replaced: os.stat_result) -> int:
        """The replaced file's mode, without the group's part where the group must be another."""
        mode = stat.S_IMODE(replaced.st_mode)
        if os.name == "posix" and os.lstat(self.path).st_gid != replaced.st_gid:
            try:
                os.chown(self.path, -1, replaced.st_gid)
            except OSError:
                mode &= ~stat.S_IRWXG
        return mode

    def _sync(self) -> None:
        # by the name, as a library may have made the file anew; and by a handle that can be
        # opened still when the mode forbids it
        handle = self._lock
        assert handle is not None
        same = os.path.samestat(os.fstat(handle), os.lstat(self.path))
        if same:
            os.fsync(handle)
            return
        handle = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def discard(self) -> None:
        """Remove the unfinished file."""
        self._unlock()
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def close(self) -> None:
        """Give up the file's handle once the content is complete; `finish` must not be durable.

        Of many files that wait for each other, the handles would be too many for a process.
        """
        self._unlock()

    def _unlock(self) -> None:
        handle, self._lock = self._lock, None
        if handle is not None:
            os.close(handle)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], *, mode: int | None = None, durable: bool = True
) -> Iterator[str]:
    """Give the name of an empty file beside ``path`` that takes its place at the end of the block.

    If the block raises, the new file is removed and ``path`` stays as it was. Permissions are those
    of the replaced file, also if it is private or read-only, else those of any new file.

    Args:
        path: the file to create or replace; a symbolic link is followed, and stays.
        mode: permissions of the file, whatever it replaces; None for those above.
        durable: whether content and name are on the disk at the end.

    Raises:
        FileNotFoundError: the directory does not exist.
        IsADirectoryError: ``path`` is a directory.
        FileWriteError: the file could not be written (an OSError and a RuntimeError).
        PermissionError: nothing may be written there.
    """
    new = Unfinished(path, mode)
    try:
        yield new.path
        new.finish(durable)
    except BaseException as error:
        new.discard()
        if isinstance(error, PermissionError):
            raise PermissionError(error.errno, _sentence(new.target, error)) from error
        # FileWriteError is that of another file, which the block was writing
        if not isinstance(error, FileWriteError) and _is_of_the_disk(error):
            raise FileWriteError(new.target, error) from error
        raise


@contextlib.contextmanager
def replacing_together() -> Iterator[Callable[[str | os.PathLike[str]], str]]:
    """Let several files take their places at the end of the block: all of them, or none.

    Gives a function that takes the path of a file, makes its folder if need be, and returns the
    name of an empty file beside it, to which the content is to be written by a function that
    flushes it to the disk. Threads may call it. If the block raises, the new files and folders are
    removed, and the old files stay as they were.

    Raises:
        ValueError: a path is given twice.
        IsADirectoryError: a path is a directory.
        FileWriteError: a file could not be written (an OSError and a RuntimeError).
        PermissionError: nothing may be written there.
    """
    waiting: dict[str, Unfinished] = {}
    folders: list[str] = []
    lock = threading.Lock()

    def begin(path: str | os.PathLike[str]) -> str:
        with lock:
            target = os.path.realpath(path)
            if target in waiting:
                raise ValueError(f"The file '{target}' would be written twice.")
            _make_folders(os.path.dirname(target), folders)
            waiting[target] = new = Unfinished(target)
            new.close()
            return new.path

    try:
        yield begin
        for new in waiting.values():
            new.finish(durable=False)
    except BaseException as error:
        for new in waiting.values():
            new.discard()
        for folder in reversed(folders):
            remove_empty_folder(folder)
        if isinstance(error, FileWriteError) and isinstance(error.filename, str):
            # of a file that stands in for its target
            names = {os.path.realpath(new.path): target for target, new in waiting.items()}
            if error.filename in names:
                raise FileWriteError(names[error.filename], error.__cause__ or error) from error
        raise


def _make_folders(path: str, new: list[str]) -> None:
    """Make a folder and those that it lies in, and note which are new."""
    if os.path.isdir(path):
        return
    _make_folders(os.path.dirname(path), new)
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
        new.append(path)


def _is_of_the_disk(error: BaseException) -> bool:
    return isinstance(error, OSError) or (
        isinstance(error, Exception) and bool(_DISK.search(str(error)))
    )


# -------------------------------------------------------------------------------- names and owners


def _name_for(base: str) -> str:
    start = _start_of(os.getpid()) or 0
    owner = f"{_kernel()}-{_space()}-{os.getpid()}-{start}"
    return f".{base[:24]}.{owner}-{secrets.token_hex(6)}{_ENDING}"


@functools.cache
def _kernel() -> str:
    """Which running kernel this is: it changes with the machine and with each start of it."""
    try:
        text = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        text = "/".join(platform.uname()[:3])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _space() -> int:
    """The space that process numbers belong to; 0 where there is one for all."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _start_of(pid: int) -> int | None:
    """When a process began, in the kernel's ticks; None where that cannot be known."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None


def _has_ended(pid: int, start: int) -> bool:
    """Whether a process of this kernel and space has ended; False if in doubt."""
    if os.name != "posix":
        return False  # there, os.kill(pid, 0) is not a question
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass  # it is another user's, so either it lives or its number was used again
    now = _start_of(pid)
    return bool(start) and now is not None and now != start


def _locked(handle: int) -> bool:
    """Take the lock of a file; False if another process holds it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks: the process and the age decide
    return True


def _is_given_up(path: str, name: str) -> bool:
    """Whether agar of this user made a file or folder that nobody writes any more."""
    match = _NAME.fullmatch(name)
    if match is None:
        return False
    kernel, space, pid, start = match[1], *(int(number) for number in match.groups()[1:])
    try:
        info = os.lstat(path)
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
            return False
        if os.name == "posix" and info.st_uid != os.geteuid():
            return False
        known = kernel == _kernel() and space == _space()
        if known and (pid == os.getpid() or not _has_ended(pid, start)):
            return False
        if not known and time.time() - info.st_mtime < STALE:
            return False
        if fcntl is None:
            return True
        # O_NOFOLLOW: what was a file just now may be a link
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.path.samestat(os.fstat(handle), info) and _locked(handle)
        finally:
            os.close(handle)
    except PermissionError:
        # a file that was about to become unreadable for its owner; the process decides
        return True
    except OSError:
        return False


# ------------------------------------------------------------------------------------- deleting


def sweep(folder: str | os.PathLike[str]) -> None:
    """Delete the unfinished files that killed processes left in a folder, see the module."""
    try:
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if e.name.endswith(_ENDING)]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        if _is_given_up(path, name) and not os.path.isdir(path):
            with contextlib.suppress(OSError):
                os.unlink(path)


def remove(path: str | os.PathLike[str]) -> bool:
    """Delete a regular file that the caller knows for its own; links and folders stay.

    Returns:
        bool, whether it is gone.
    """
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        if os.name == "nt":
            os.chmod(path, stat.S_IWRITE)  # there, a read-only file cannot be deleted
        os.unlink(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def rename(path: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Give a file another name in its folder, in place of one that is there; both are the caller's.

    Raises:
        OSError: it has no such file, or may not.
    """
    os.replace(path, target)


def remove_empty_folder(path: str | os.PathLike[str]) -> None:
    """Delete a folder if nothing is in it."""
    with contextlib.suppress(OSError):
        os.rmdir(path)


@contextlib.contextmanager
def scratch_folder(parent: str | os.PathLike[str], own: str) -> Iterator[str]:
    """A folder for the time of a block, and those that killed processes left there are deleted.

    Only files whose names ``own`` fits are deleted, and then the folder if it is empty: what
    somebody else put there stays.

    Args:
        parent: where the folder is made.
        own: a regular expression for the whole names of the block's files.
    """
    pattern = re.compile(own)
    with os.scandir(parent) as entries:
        left = [e.name for e in entries if e.name.endswith(_ENDING)]
    for name in left:
        path = os.path.join(parent, name)
        if os.path.isdir(path) and _is_given_up(path, name):
            _clear(path, pattern)
    folder = os.path.join(parent, _name_for("loading"))
    os.mkdir(folder, 0o700)
    try:
        yield folder
    finally:
        _clear(folder, pattern)


def _clear(folder: str, own: re.Pattern[str]) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if own.fullmatch(name):
                remove(os.path.join(folder, name))
    remove_empty_folder(folder)
