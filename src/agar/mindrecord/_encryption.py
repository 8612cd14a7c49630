"""Encrypted MindRecord files: how they are written, and how their content is had back.

A file, and its index likewise, is a sequence of blocks behind their lengths (four bytes, high byte
first), a length of 0, seven letters that name the mode, and ``ENCRYPT``.
"""

from __future__ import annotations

import os
import tempfile
import uuid
import weakref
from typing import Any

from agar._core.encryption import BLOCK_BYTES, DecryptionError, check_key, decrypted, encrypted
from agar._core.files import remove, remove_empty_folder, replacing
from agar.mindrecord.config import encryption

__all__ = ["PlainFiles", "encrypt_file"]

_END = b"ENCRYPT"
_MODE_BYTES = 7
_OWN_MODE = "UDF-ENC"  # of a program's function


def _mode_name(mode: Any) -> str:
    return _OWN_MODE if callable(mode) else mode


def encrypt_file(path: str) -> None:
    """Encrypt a file in its place, if a key is set."""
    settings = encryption()
    if settings.key is None:
        return
    key = settings.key.encode()
    mode = settings.enc
    if not callable(mode):
        check_key("FileWriter", key, mode)
    with open(path, "rb") as plain, replacing(path) as temporary, open(temporary, "wb") as file:
        if callable(mode):
            mode(plain, os.path.getsize(path), file, settings.key)
        else:
            while data := plain.read(BLOCK_BYTES):
                block = encrypted(data, key, mode)
                file.write(len(block).to_bytes(4, "big") + block)
        file.write(bytes(4) + _mode_name(mode).encode().ljust(_MODE_BYTES)[:_MODE_BYTES] + _END)


def _is_encrypted(path: str) -> bool:
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - len(_END), 0))
        return file.read() == _END


def _remove(folder: str, files: list[str], owner: int) -> None:
    if os.getpid() == owner:  # not a worker, which has a copy of the object
        for path in files:
            remove(path)
        remove_empty_folder(folder)


class PlainFiles:
    """Where the content of files lies: at their own places, or decrypted in a temporary folder.

    The folder goes with this object, and when the program ends.
    """

    def __init__(self) -> None:
        self._settings = encryption()
        self._folder: str | None = None
        self._known: dict[str, str] = {}
        self._written: list[str] = []

    def __call__(self, path: str) -> str:
        """The path of the content of a file, beside which that of its index lies.

        Raises:
            RuntimeError: a key is set and the file is not encrypted, or the other way round, or
                the key or the mode is another.
        """
        if path not in self._known:
            self._known[path] = self._readable(path)
        return self._known[path]

    def _readable(self, path: str) -> str:
        is_encrypted = _is_encrypted(path)
        if self._settings.key is None:
            if is_encrypted:
                raise RuntimeError(
                    f"The MindRecord file {path} is encrypted: call mindrecord.set_enc_key and, "
                    "where it is needed, set_dec_mode before it is read."
                )
            return path
        if not is_encrypted:
            raise RuntimeError(
                f"The MindRecord file {path} is not encrypted: call mindrecord.set_enc_key(None) "
                "before it is read."
            )
        if self._folder is None:
            name = f"mindrecord-{uuid.uuid4().hex}"
            self._folder = os.path.join(tempfile.gettempdir(), name)
            os.mkdir(self._folder, 0o700)
            weakref.finalize(self, _remove, self._folder, self._written, os.getpid())
        result = os.path.join(self._folder, f"{len(self._known)}-{os.path.basename(path)}")
        for ending in ("", ".db"):
            if os.path.exists(path + ending):
                self._written.append(result + ending)
                self._decrypt(path + ending, result + ending)
        return result

    def _decrypt(self, path: str, destination: str) -> None:
        settings = self._settings
        mode = settings.enc if settings.dec is None else settings.dec
        size = os.path.getsize(path) - len(_END)
        with open(path, "rb") as file, open(destination, "wb") as plain:
            file.seek(max(size - _MODE_BYTES, 0))
            stored = file.read(_MODE_BYTES).decode("ascii", "replace")
            if stored != _mode_name(mode) or not _is_encrypted(path):
                raise RuntimeError(
                    f"The MindRecord file {path} is encrypted with {stored!r}, but the mode that "
                    f"is set is {_mode_name(mode)!r}: call mindrecord.set_dec_mode."
                )
            file.seek(0)
            if callable(mode):
                mode(file, size, plain, settings.key)
                return
            assert settings.key is not None
            key = settings.key.encode()
            check_key("FileReader", key, mode)
            try:
                for block in _blocks(file, size - _MODE_BYTES):
                    for content in decrypted(block, key, mode):
                        plain.write(content)
            except DecryptionError as error:
                raise RuntimeError(
                    f"The MindRecord file {path} cannot be decrypted: {error}. Check the key and "
                    "the mode."
                ) from error


def _blocks(file: Any, end: int) -> Any:
    """The blocks of a file before the trailer."""
    while True:
        length = int.from_bytes(file.read(4), "big")
        if length == 0:
            if file.tell() != end:
                raise DecryptionError("blocks are missing")
            return
        if file.tell() + length > end:
            raise DecryptionError("a block is cut off")
        yield file.read(length)
