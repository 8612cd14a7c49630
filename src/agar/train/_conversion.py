"""Checkpoint files from one format to the other."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agar.train._formats import FORMATS, codec_of, read


def ckpt_to_safetensors(
    file_path: str,
    save_path: str | None = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Convert ``.ckpt`` files to ``.safetensors``.

    Args:
        file_path (str): a file, or a directory: then every such file in it and below is converted.
        save_path (str): the directory for the new files, which is created if necessary; they lie in
            it as the old ones in `file_path`. Default: None, beside the old ones.
        name_map (dict): old names to new ones; other names stay. Default: None.
        file_name_regex (str): only files in whose name this regular expression is found.
            Default: None, all.
        processes_num (int): the number of files that are converted at the same time. Default: 1.

    Raises:
        ValueError: `file_path` is neither a file of that kind nor a directory with one, or none
            matches `file_name_regex`; `save_path` is a file or ends like one; `name_map` is not a
            dict; `processes_num` is less than 1; a file is damaged.
        TypeError: `processes_num`, `save_path` or `file_name_regex` has the wrong type, or a file
            holds a text or a complex tensor, for which the new format has no place.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10, which looks only into subdirectories whose names
    begin with ``rank``, and shows a bar.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train import ckpt_to_safetensors, save_checkpoint
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_checkpoint(ms.nn.Dense(2, 1), os.path.join(folder, "a.ckpt"))
        ...     ckpt_to_safetensors(folder)
        ...     sorted(os.listdir(folder))
        ['a.ckpt', 'a.safetensors']
    """
    _convert(
        "ckpt_to_safetensors", "ckpt", "safetensors",
        file_path, save_path, name_map, file_name_regex, processes_num,
    )  # fmt: skip


def safetensors_to_ckpt(
    file_path: str,
    save_path: str | None = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Convert ``.safetensors`` files to ``.ckpt``.

    Args:
        file_path (str): a file, or a directory: then every such file in it and below is converted.
        save_path (str): the directory for the new files, which is created if necessary.
            Default: None, beside the old ones.
        name_map (dict): old names to new ones; other names stay. Default: None.
        file_name_regex (str): only files in whose name this regular expression is found.
            Default: None, all.
        processes_num (int): the number of files that are converted at the same time. Default: 1.

    Raises:
        ValueError: as :func:`ckpt_to_safetensors` raises it.
        TypeError: as :func:`ckpt_to_safetensors` raises it.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train import load_checkpoint, safetensors_to_ckpt, save_checkpoint
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "a.safetensors")
        ...     save_checkpoint(ms.nn.Dense(2, 1), file, format="safetensors")
        ...     safetensors_to_ckpt(file, name_map={"weight": "w"})
        ...     found = load_checkpoint(os.path.join(folder, "a.ckpt"))
        >>> list(found)
        ['bias', 'w']
    """
    _convert(
        "safetensors_to_ckpt", "safetensors", "ckpt",
        file_path, save_path, name_map, file_name_regex, processes_num,
    )  # fmt: skip


def _convert(
    op_name: str,
    old: str,
    new: str,
    file_path: Any,
    save_path: Any,
    name_map: Any,
    file_name_regex: Any,
    processes_num: Any,
) -> None:
    if not isinstance(processes_num, int) or isinstance(processes_num, bool):
        raise TypeError(
            f"For '{op_name}', 'processes_num' must be an int, but got {processes_num!r}."
        )
    if processes_num < 1:
        raise ValueError(
            f"For '{op_name}', 'processes_num' must be at least 1, got {processes_num}."
        )
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(
            f"For '{op_name}', 'name_map' must be a dict of old to new names, but got "
            f"{type(name_map).__name__}."
        )
    root, files = _files_to_convert(op_name, old, file_path, file_name_regex)
    target_root = root if save_path is None else os.fspath(save_path)
    if os.path.isfile(target_root) or os.path.splitext(target_root)[1][1:] in FORMATS:
        raise ValueError(
            f"For '{op_name}', 'save_path' must be a directory, but got '{save_path}'."
        )
    renamed = name_map or {}

    def convert(file: str) -> None:
        target = os.path.join(target_root, os.path.splitext(os.path.relpath(file, root))[0])
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        entries = ((renamed.get(name, name), value) for name, value in read(file, old))
        codec.write(f"{target}.{new}", entries)

    codec = codec_of(new)
    with ThreadPoolExecutor(processes_num) as pool:
        for _ in pool.map(convert, files):
            continue  # raises what went wrong


def _files_to_convert(
    op_name: str, format: str, file_path: Any, file_name_regex: str | None
) -> tuple[str, list[str]]:
    """The directory, and the files in it."""
    path = os.fspath(file_path) if isinstance(file_path, (str, os.PathLike)) else file_path
    if not isinstance(path, str) or not os.path.exists(path):
        raise ValueError(
            f"For '{op_name}', 'file_path' must be an existing file or directory, but got {path!r}."
        )
    if os.path.isdir(path):
        root = path
        files = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith(f".{format}")
        )
        if not files:
            raise ValueError(f"For '{op_name}', there is no .{format} file in '{path}' or below.")
    elif path.endswith(f".{format}"):
        root, files = os.path.dirname(path), [path]
    else:
        raise ValueError(f"For '{op_name}', the file must be a .{format} file, but got '{path}'.")
    if file_name_regex is not None:
        files = [f for f in files if re.search(file_name_regex, os.path.basename(f))]
        if not files:
            raise ValueError(
                f"For '{op_name}', no file name matches the regular expression {file_name_regex!r}."
            )
    return root, files
