"""The part of Cell that walks and names the parameters of a network."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from agar._core.parameter import Parameter
from agar.nn._unregistered import warn_of_unregistered

if TYPE_CHECKING:
    from agar.nn.cell import Cell

__all__ = ["CellParameters"]


class CellParameters:
    """The parameters of a cell and its descendants; a base class of Cell."""

    _params: OrderedDict[str, Parameter | None]
    _param_prefix: str
    cell_type: Any

    if TYPE_CHECKING:

        def cells_and_names(
            self, cells: set[int] | None = None, name_prefix: str = ""
        ) -> Iterator[tuple[str, Any]]: ...

    def parameters_and_names(
        self, name_prefix: str = "", expand: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Pairs of path of attribute names and parameter; every parameter object is given once.

        Args:
            name_prefix (str): put before every path. Default: ``""``.
            expand (bool): whether descendants are included. Default: True.

        Difference from PyTorch: ``named_parameters``.

        Source: behavior observed in MindSpore 2.10.
        """
        seen: set[int] = set()
        cells = self.cells_and_names(name_prefix=name_prefix) if expand else ((name_prefix, self),)
        for path, cell in cells:
            for name, p in cell._params.items():
                if p is not None and id(p) not in seen:
                    seen.add(id(p))
                    yield (f"{path}.{name}" if path else name), p

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """The parameters of this cell and, with `expand`, of its descendants.

        Args:
            expand (bool): whether descendants are included. Default: True.
        """
        for _, p in self.parameters_and_names(expand=expand):
            yield p

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """The parameters by their own names; of equal names the last one counts.

        Args:
            recurse (bool): whether descendants are included. Default: True.
        """
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters whose ``requires_grad`` is True.

        A cell or Parameter in a plain list, which is not part of the network, is warned of.

        Args:
            recurse (bool): whether descendants are included. Default: True.

        Returns:
            list[Parameter].

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.
        """
        if recurse:
            warn_of_unregistered(cast("Cell", self))
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters whose ``requires_grad`` is False.

        Args:
            recurse (bool): whether descendants are included. Default: True.
        """
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name every parameter by `prefix` and its path of attribute names.

        Args:
            prefix (str): put before every path as it is, so it usually ends in a dot. Default:
                ``""``.
            recurse (bool): whether descendants are included. Default: True.

        Raises:
            TypeError: `prefix` is not a str.
        """
        if not isinstance(prefix, str):
            raise TypeError(
                f"For 'update_parameters_name', 'prefix' must be a str, but got {prefix!r}."
            )
        for path, p in list(self.parameters_and_names(expand=recurse)):
            p.name = prefix + path

    def check_names(self) -> None:
        """Check that all parameters have names and that they differ.

        Raises:
            ValueError: two parameters have one name; both paths are given.
        """
        seen: dict[str, str] = {}
        problems = []
        for path, p in self.parameters_and_names():
            if p.name in seen:
                problems.append(
                    f"the value of {path} is {p!r}, its name '{p.name}' already exists "
                    f"(at {seen[p.name]})"
                )
            seen.setdefault(p.name, path)
        if problems:
            raise ValueError("; ".join(problems) + ". Please set a unique name for the parameter.")

    def check_names_and_refresh_name(self) -> None:
        """Give every parameter its path as its name, and check that names differ."""
        self.update_parameters_name()
        self.check_names()

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Initialize all parameters whose initialization was delayed; returns {old: new}.

        Args:
            auto_parallel_mode (bool): accepted for compatibility; it changes nothing. Default:
                False.
        """
        return {p: p.init_data() for p in self.get_parameters()}

    def update_cell_prefix(self) -> None:
        """Store the path of each descendant in its ``param_prefix``."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type: Any) -> None:
        """Set the ``cell_type`` that marks this cell's role.

        Args:
            cell_type (str): the mark; any value is stored.
        """
        self.cell_type = cell_type

    @property
    def param_prefix(self) -> str:
        """The path that :meth:`update_cell_prefix` stored."""
        return self._param_prefix
