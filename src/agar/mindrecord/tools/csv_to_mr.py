"""CSV files into MindRecord."""

from __future__ import annotations

import csv
import os
from typing import Any

from agar.mindrecord.core.shardutils import SUCCESS, MSRStatus, check_filename
from agar.mindrecord.tools._convert import partitions, write

__all__ = ["CsvToMR"]


class CsvToMR:
    """Converts a CSV file, whose first line names the columns, to MindRecord.

    A column is int64 or float64 if all its values are such numbers, otherwise string.

    Args:
        source (str): the CSV file.
        destination (str): the MindRecord file.
        columns_list (list[str]): the columns that are taken. Default: ``None``, all.
        partition_number (int): the number of files. Default: ``1``.

    Raises:
        ValueError: an argument is wrong.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> from agar.mindrecord import CsvToMR, FileReader
        >>> folder = tempfile.mkdtemp()
        >>> text = os.path.join(folder, "a.csv")
        >>> with open(text, "w") as file:
        ...     print("name,age", "Ada,36", sep=os.linesep, file=file)
        >>> target = os.path.join(folder, "a.mindrecord")
        >>> CsvToMR(text, target).transform()
        <MSRStatus.SUCCESS: 0>
        >>> list(FileReader(target).get_next())
        [{'age': 36, 'name': 'Ada'}]
    """

    def __init__(
        self,
        source: str,
        destination: str,
        columns_list: list[str] | None = None,
        partition_number: int = 1,
    ) -> None:
        check_filename(source)
        check_filename(destination)
        if columns_list is not None and (
            not isinstance(columns_list, list)
            or not all(isinstance(name, str) for name in columns_list)
        ):
            raise ValueError("The parameter columns_list should be None or a list of str")
        self.source, self.destination = source, destination
        self.columns_list = columns_list
        self.partition_number = partitions(partition_number)

    def run(self) -> MSRStatus:
        """Convert.

        Returns:
            MSRStatus, SUCCESS.

        Raises:
            OSError: there is no such file.
            RuntimeError: it has no columns, or not those that were asked for.
        """
        if not os.path.exists(self.source):
            raise OSError(f"Csv file {self.source} do not exist.")
        with open(self.source, newline="", encoding="utf-8") as file:
            names, *lines = list(csv.reader(file)) or [[]]
        if not names:
            raise RuntimeError(f"Failed to generate schema from csv file: {self.source} is empty.")
        expected = self.columns_list or names
        lost = [name for name in expected if name not in names]
        if lost:
            raise RuntimeError(f"{self.source} has no columns {lost}; it has {names}.")
        columns = {name: _column([line[names.index(name)] for line in lines]) for name in expected}
        schema = {name: {"type": kind} for name, (kind, _) in columns.items()}
        values = zip(*(item for _, item in columns.values()), strict=True)
        rows = (dict(zip(expected, row, strict=True)) for row in values)
        write(self.destination, schema, "csv_schema", rows, list(expected), self.partition_number)
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Convert; see :meth:`run`."""
        return self.run()


def _column(texts: list[str]) -> tuple[str, list[Any]]:
    for name, kind in (("int64", int), ("float64", float)):
        try:
            return name, [kind(text) for text in texts]
        except ValueError:
            continue
    return "string", texts
