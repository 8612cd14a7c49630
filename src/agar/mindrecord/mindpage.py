"""MindPage: rows of MindRecord files by the value of a field, page by page."""

from __future__ import annotations

import json
from typing import Any

from agar.mindrecord.common.exceptions import (
    MRMDefineCategoryError,
    MRMFetchDataError,
    MRMReadCategoryInfoError,
    ParamTypeError,
    ParamValueError,
)
from agar.mindrecord.filereader import Records, _check

__all__ = ["MindPage"]


class MindPage:
    """Rows of MindRecord files in groups of one value of an index field.

    Args:
        file_name (Union[str, list[str]]): see :class:`agar.mindrecord.FileReader`.
        num_consumer (int): accepted; positive. Default: ``4``.

    Raises:
        ParamValueError: an argument is wrong.
        RuntimeError: a file is missing.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> from agar.mindrecord import FileWriter, MindPage
        >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(file)
        >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}})
        >>> writer.write_raw_data([{"label": i % 2, "data": b"%d" % i} for i in range(5)])
        >>> writer.commit()
        >>> page = MindPage(file)
        >>> page.category_field = "label"
        >>> page.read_category_info()
        '{"categories":[{"count":3,"id":0,"name":"0"},{"count":2,"id":1,"name":"1"}],"key":"label_0"}'
        >>> [row["data"] for row in page.read_at_page_by_id(0, 1, 2)]
        [b'4']
    """

    def __init__(self, file_name: str | list[str], num_consumer: int = 4) -> None:
        _check(file_name, num_consumer)
        self._records = Records(file_name)
        self._field: str | None = None
        self._groups: dict[str, list[int]] = {}

    @property
    def candidate_fields(self) -> list[str]:
        """The index fields."""
        return list(self._records.headers[0].index_fields)

    @property
    def category_field(self) -> str | None:
        """The field by which rows are grouped; set it first."""
        return self._field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not category_field or not isinstance(category_field, str):
            raise ParamTypeError("category_fields", "str")
        if category_field not in self.candidate_fields:
            raise MRMDefineCategoryError(
                f"Failed to define category field. Detail: Field '{category_field}' is not a "
                f"candidate category field; these are {self.candidate_fields}."
            )
        groups: dict[Any, list[int]] = {}
        for i, row in enumerate(self._records):
            groups.setdefault(row[category_field], []).append(i)
        self._field = category_field
        self._groups = {str(value): groups[value] for value in sorted(groups)}

    def read_category_info(self) -> str:
        """The groups: their names, numbers and sizes, as JSON.

        Raises:
            MRMReadCategoryInfoError: no category field is set.
        """
        if self._field is None:
            raise MRMReadCategoryInfoError
        items = [
            {"count": len(rows), "id": i, "name": name}
            for i, (name, rows) in enumerate(self._groups.items())
        ]
        return json.dumps(
            {"categories": items, "key": f"{self._field}_0"},
            separators=(",", ":"),
            ensure_ascii=False,
        )

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict[str, Any]]:
        """The rows of one page of a group.

        Args:
            category_id (int): the group's number.
            page (int): the page's number.
            num_row (int): rows in a page.

        Returns:
            list[dict].

        Raises:
            ParamValueError: an argument is wrong.
            MRMFetchDataError: there is no such group.
        """
        if not isinstance(category_id, int) or category_id < 0:
            raise ParamValueError("Category id should be int and greater than or equal to 0.")
        self._check_page(page, num_row)
        names = list(self._groups)
        if category_id >= len(names):
            raise MRMFetchDataError(
                f"There is no category {category_id}; there are {len(names)}"
                + ("." if self._field else ", since no category_field is set.")
            )
        return self._page(names[category_id], page, num_row)

    def read_at_page_by_name(
        self, category_name: str, page: int, num_row: int
    ) -> list[dict[str, Any]]:
        """The rows of one page of a group.

        Args:
            category_name (str): the field's value.
            page (int): the page's number.
            num_row (int): rows in a page.

        Returns:
            list[dict].

        Raises:
            ParamValueError: an argument is wrong.
            MRMFetchDataError: there is no such group.
        """
        if not isinstance(category_name, str):
            raise ParamValueError("Category name should be str.")
        self._check_page(page, num_row)
        if category_name not in self._groups:
            raise MRMFetchDataError(
                f"There is no category {category_name!r}; there are {list(self._groups)[:10]}."
            )
        return self._page(category_name, page, num_row)

    @staticmethod
    def _check_page(page: Any, num_row: Any) -> None:
        if not isinstance(page, int) or page < 0:
            raise ParamValueError("Page should be int and greater than or equal to 0.")
        if not isinstance(num_row, int) or num_row <= 0:
            raise ParamValueError("num_row should be int and greater than 0.")

    def _page(self, name: str, page: int, size: int) -> list[dict[str, Any]]:
        return [self._records[i] for i in self._groups[name][page * size : (page + 1) * size]]
