"""Lines of a text file, read where they are asked for."""

from __future__ import annotations

from typing import IO, Any

from agar._core.file_reading import reading
from agar.dataset.engine._checks import Check
from agar.log import warning

__all__ = ["LineReader"]


class LineReader:
    r"""The lines of a text file by their numbers, from 1; the file is not held in memory.

    Args:
        filename (str): the file.

    Raises:
        TypeError: `filename` is not a str, or a number of a line is not an int.
        ValueError: there is no line of a number.
        RuntimeError: the file does not exist, or a line is not a text in UTF-8.

    Difference from PyTorch: no counterpart; Python's ``linecache`` holds files.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import tempfile, os
        >>> from agar.dataset.utils import LineReader
        >>> with tempfile.NamedTemporaryFile("w", delete=False) as file:
        ...     _ = file.write("one\ntwo\n")
        >>> lines = LineReader(file.name)
        >>> len(lines), lines[2]
        (2, 'two')
        >>> lines.close()
        >>> os.remove(file.name)
    """

    def __init__(self, filename: str) -> None:
        import os

        Check("LineReader").kind("filename", filename, str)
        self.filename = os.path.realpath(filename)
        self._file: IO[bytes] | None = None
        if not os.path.isfile(self.filename):
            raise RuntimeError(f"The input file [{filename}] does not exist or is not a file.")
        offsets = [0]
        with open(self.filename, "rb") as stream:
            for line in stream:
                offsets.append(offsets[-1] + len(line))
        self.offsets = offsets[:-1]
        if not self.offsets:
            warning(f"The input file [{filename}] is empty.")

    def __getitem__(self, line: int) -> str:
        return self.readline(line)

    def __len__(self) -> int:
        return self.len()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def len(self) -> int:
        """The number of lines."""
        return len(self.offsets)

    def readline(self, line: int) -> str:
        """The line of a number, without its end.

        Args:
            line (int): the number, from 1.
        """
        Check("LineReader.readline").whole("line", line, 1, max(len(self.offsets), 1))
        if not self.offsets:
            raise ValueError(f"The input file [{self.filename}] is empty.")
        if self._file is None:
            self._file = open(self.filename, "rb")  # noqa: SIM115 (closed by close)
        with reading("LineReader", self.filename, RuntimeError, "It must be a text in UTF-8."):
            self._file.seek(self.offsets[line - 1])
            return self._file.readline().decode("utf-8").rstrip("\r\n")

    def close(self) -> None:
        """Close the file; it is opened again when a line is asked for."""
        if self._file is not None:
            self._file.close()
            self._file = None
