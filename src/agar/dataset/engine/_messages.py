"""Rows that datasets of several processes send to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agar import ops
from agar._core.distributed.process_groups import groups
from agar._core.errors import describe
from agar.common import dtype as mstype
from agar.common.tensor import Tensor
from agar.dataset.engine._checks import Check
from agar.ops.collective import messages

if TYPE_CHECKING:
    from agar.dataset.engine.iterators import TupleIterator

__all__ = ["Messages"]

# a message names a dtype by its place here
_DTYPES = (
    mstype.bool_,
    mstype.int8,
    mstype.int16,
    mstype.int32,
    mstype.int64,
    mstype.uint8,
    mstype.uint16,
    mstype.uint32,
    mstype.uint64,
    mstype.float16,
    mstype.float32,
    mstype.float64,
    mstype.bfloat16,
)
_RANKS = 2**32 - 1


def _ranks(check: Check, name: str, value: Any) -> list[int]:
    check.kind(name, value, int, list)
    ranks = value if isinstance(value, list) else [value]
    for rank in ranks:
        check.whole(name if rank is value else f"element of {name}", rank, 0, _RANKS)
    return ranks


def _send(values: list[Tensor], dst: int, group: str | None) -> None:
    """The length of the description, the description, and then the values."""
    about = [len(values)]
    for value in values:
        about += [_DTYPES.index(value.dtype), value.ndim, *value.shape]
    for numbers in ([len(about)], about):
        messages.send(Tensor(numbers, mstype.int64), dst, group)
    for value in values:
        messages.send(value, dst, group)


def _received(src: int, group: str | None) -> list[Tensor]:
    """The values that another process sends."""

    def take(shape: Any, dtype: Any) -> Tensor:
        place = ops.zeros(tuple(shape), dtype)
        messages.recv(place, src, group)
        return place

    (length,) = take([1], mstype.int64).tolist()
    count, *about = take([length], mstype.int64).tolist()
    values = []
    for _ in range(count):
        kind, dims, *about = about
        values.append(take(about[:dims], _DTYPES[kind]))
        about = about[dims:]
    return values


class Messages:
    """What datasets of several processes send to each other; a part of Dataset."""

    _own_rows: TupleIterator | None = None

    if TYPE_CHECKING:

        def create_tuple_iterator(self) -> TupleIterator: ...

    def _next_row(self) -> list[Any]:
        """The next row of this dataset; behind the last comes the first of another epoch."""
        if self._own_rows is None:
            self._own_rows = self.create_tuple_iterator()
        for _ in range(2):
            row = next(self._own_rows, None)
            if row is not None:
                return list(row)
        raise RuntimeError("The dataset has no row that could be sent or received.")

    def send(
        self,
        tensor: Tensor | list[Tensor] | None = None,
        dst: int | list[int] = 0,
        group: str | None = None,
    ) -> None:
        """Send a row to other processes, whose datasets take it with :meth:`recv`.

        Args:
            tensor (Union[Tensor, list[Tensor]], optional): what is sent. Default: ``None``, the
                next row of this dataset.
            dst (Union[int, list[int]], optional): world ranks of the others. Default: ``0``.
            group (str, optional): the group's name. Default: ``None``, all processes.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a rank is negative or that of this process.
            RuntimeError: a column does not hold tensors, the dataset has no rows, or the process
                group was not initialized.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> data = ms.dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> try:
            ...     data.send(dst=0)
            ... except ValueError as error:
            ...     print("one process cannot send to itself")
            one process cannot send to itself
        """
        check = Check("Dataset.send")
        if tensor is not None:
            check.kind("tensor", tensor, Tensor, list)
        ranks = _ranks(check, "dst", dst)
        if group is not None:
            check.kind("group", group, str)
        if isinstance(tensor, list):
            for value in tensor:
                check.kind("element of tensor", value, Tensor)
        if groups.world_rank in ranks:
            check.wrong_value("dst", dst, "ranks of other processes")
        if tensor is None:
            values = self._next_row()
        else:
            values = tensor if isinstance(tensor, list) else [tensor]
        for column, value in enumerate(values):
            if getattr(value, "dtype", None) not in _DTYPES or not isinstance(value, Tensor):
                raise RuntimeError(
                    f"For 'Dataset.send', column {column} must be a Tensor of bool, integers or "
                    f"floats, but is {describe(value)}. Leave the column out with Dataset.project."
                )
        for rank in ranks:
            _send(values, rank, group)

    def recv(self, src: int | list[int] = 0, group: str | None = None) -> Any:
        """A row that other processes send with :meth:`send`.

        Args:
            src (Union[int, list[int]], optional): world ranks of the others; that of this process
                gives the next row of this dataset. Default: ``0``.
            group (str, optional): the group's name. Default: ``None``, all processes.

        Returns:
            Tensor, of rows with several columns list[Tensor], for several processes a list of
            these.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a rank is negative.
            RuntimeError: the dataset has no rows, or the process group was not initialized.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> data = ms.dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> print(data.recv(0), data.recv(0), data.recv(0))
            1 2 1
        """
        check = Check("Dataset.recv")
        ranks = _ranks(check, "src", src)
        if group is not None:
            check.kind("group", group, str)
        own = groups.world_rank
        rows: list[Any] = []
        for rank in ranks:
            if rank == own:
                rows.append(self._next_row())
            else:
                values = _received(rank, group)
                rows.append(values[0] if len(values) == 1 else values)
        while isinstance(rows, list) and len(rows) == 1:
            rows = rows[0]
        return rows
