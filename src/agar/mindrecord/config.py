"""Encryption of MindRecord files: with which key, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from agar._core.errors import missing_feature

__all__ = ["set_dec_mode", "set_enc_key", "set_enc_mode"]

_MODES = ("AES-GCM", "SM4-CBC")
_settings: dict[str, Any] = {"key": None, "enc": "AES-GCM", "dec": "AES-GCM"}


def set_enc_key(enc_key: str | None) -> None:
    """Set the key with which files are encrypted; writing and reading with a key is refused.

    Args:
        enc_key (str): 16, 24 or 32 characters; None for files that are not encrypted.

    Raises:
        ValueError: `enc_key` is no such string.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, which encrypts.

    Examples:
        >>> from agar.mindrecord import set_enc_key
        >>> set_enc_key(None)
    """
    if enc_key is not None:
        if not isinstance(enc_key, str):
            raise ValueError("The input enc_key is not str.")
        if len(enc_key) not in (16, 24, 32):
            raise ValueError("The length of input enc_key is not 16, 24, 32.")
    _settings["key"] = enc_key


def _mode(name: str, value: Any) -> Any:
    if callable(value):
        return value
    if not isinstance(value, str):
        raise ValueError(f"The input {name} is not str.")
    if value not in _MODES:
        raise ValueError(f"The input {name} is invalid.")
    return value


def set_enc_mode(enc_mode: str | Callable[..., Any] = "AES-GCM") -> None:
    """Set how files are encrypted.

    Args:
        enc_mode (Union[str, function]): ``"AES-GCM"``, ``"SM4-CBC"`` or a function.
            Default: ``"AES-GCM"``.

    Raises:
        ValueError: `enc_mode` is none of these.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.mindrecord import set_enc_mode
        >>> set_enc_mode("AES-GCM")
    """
    _settings["enc"] = _mode("enc_mode", enc_mode)


def set_dec_mode(dec_mode: str | Callable[..., Any] | None = "AES-GCM") -> None:
    """Set how files are decrypted.

    Args:
        dec_mode (Union[str, function]): ``"AES-GCM"``, ``"SM4-CBC"``, a function, or None.
            Default: ``"AES-GCM"``.

    Raises:
        ValueError: `dec_mode` is none of these.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.mindrecord import set_dec_mode
        >>> set_dec_mode("AES-GCM")
    """
    _settings["dec"] = None if dec_mode is None else _mode("dec_mode", dec_mode)


class Encryption(NamedTuple):
    """A key, how files are encrypted, and how they are decrypted; None is as they are encrypted."""

    key: str | None
    enc: Any
    dec: Any


def encryption() -> Encryption:
    """What is set at this moment."""
    return Encryption(**_settings)


def _refuse_key(what: str) -> None:
    """Refuse to touch a file while a key is set."""
    if _settings["key"] is not None:
        raise missing_feature(
            f"{what} with an encryption key",
            "rows cannot be added to a file that is encrypted",
            "call mindrecord.set_enc_key(None), or write the file anew",
        )
