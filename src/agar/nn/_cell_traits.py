"""What MindSpore's own code asks of a cell: names, scopes, phases, and traits for many devices.

Most of it describes how MindSpore compiles and divides a network. Here it is kept, or computed when
asked for, and has no effect.
"""

from __future__ import annotations

import gc
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from agar._core.errors import describe, missing_feature
from agar._core.parameter import Parameter
from agar.nn import _pipeline_marks

__all__ = ["CellTraits"]

T_destination = TypeVar("T_destination", bound=dict[str, Any])


class _InstanceCount:
    """How many cells there are; counted when asked for, so that making cells costs nothing."""

    def __get__(self, instance: Any, owner: Any) -> int:
        return sum(issubclass(type(item), CellTraits) for item in gc.get_objects())


def _stored(
    name: str, kind: type, first: Any = None, least: int | None = None, doc: str = ""
) -> property:
    """A property that is stored; before it was set it is `first()`, or missing."""
    doc = doc or f"`{name}` of MindSpore, which is stored and has no effect."
    key = f"_{name}"

    def read(cell: Any) -> Any:
        state = vars(cell)
        if key not in state:
            if first is None:
                raise AttributeError(
                    f"The '{type(cell).__name__}' object has no attribute '{name}': it was not set."
                )
            state[key] = first()
        return state[key]

    def write(cell: Any, value: Any) -> None:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(
                f"For 'Cell', the property '{name}' must be {kind.__name__} type, but got "
                f"{describe(value)}."
            )
        if least is not None and value < least:
            raise ValueError(
                f"For 'Cell', the property '{name}' can not be less than {least}, but got {value}."
            )
        vars(cell)[key] = value
        if name == "pipeline_stage":
            _pipeline_marks.note(cell)

    return property(read, write, doc=doc)


class CellTraits:
    """Traits that describe a cell; a base class of Cell."""

    #: Attributes of a cell that are not parameters, cells or values of the user's own.
    IGNORE_LIST: ClassVar[list[str]] = [
        "_scope",
        "_auto_prefix",
        "_cells",
        "_params",
        "_create_time",
        "_flags",
        "_phase",
        "_forward_pre_hooks",
        "_forward_hooks",
        "_backward_pre_hooks",
        "_backward_hooks",
        "_param_prefix",
        "requires_grad",
        "cell_type",
    ]
    #: The type of the dictionaries that ``state_dict`` fills.
    T_destination: ClassVar[Any] = T_destination
    #: How cells were made, for MindSpore's compiler; agar's needs no record.
    global_cells: ClassVar[weakref.WeakKeyDictionary[Any, Any]] = weakref.WeakKeyDictionary()
    #: What marks the cell's role; `update_cell_type` sets it.
    cell_type: Any = None
    #: What MindSpore's executor notes of a running call; agar's notes nothing here.
    arguments_key: str = ""
    grad_ops_label: bool = False
    is_top_cell: bool = False
    #: How many cells there are now.
    total_instance_count: ClassVar[Any] = _InstanceCount()

    cell_init_args = _stored("cell_init_args", str)
    enable_backward_hook = _stored("enable_backward_hook", bool)
    exist_names = _stored("exist_names", set, set)
    exist_objs = _stored("exist_objs", set, set)
    parallel_parameter_merge_net_dict = _stored("parallel_parameter_merge_net_dict", dict, dict)
    parallel_parameter_name_list = _stored("parallel_parameter_name_list", list, tuple)
    parameter_layout_dict = _stored("parameter_layout_dict", dict, dict)
    pipeline_segment = _stored(
        "pipeline_segment",
        int,
        least=0,
        doc="Which of the parts of its pipeline stage the cell belongs to, from 0.",
    )
    pipeline_stage = _stored(
        "pipeline_stage",
        int,
        least=0,
        doc="The stage of a pipeline that runs the cell, see :class:`agar.nn.PipelineCell`.",
    )

    @property
    def cls_name(self) -> str:
        """The name of the cell's class."""
        return type(self).__name__

    @property
    def has_bprop(self) -> bool:
        """Whether the cell defines its own gradient, as a method ``bprop``."""
        return hasattr(self, "bprop")

    @property
    def create_time(self) -> int:
        """When the cell was made, in nanoseconds since 1970."""
        return vars(self)["_create_time"]

    # ------------------------------------------------------------------ compiled calls

    @property
    def compiled(self) -> bool:
        """Whether the cell ran compiled."""
        return "_compiled" in vars(self)

    @property
    def compile_phase(self) -> str | None:
        """The name of what was compiled, or None."""
        state = vars(self)
        if "_compile_phase" in state:
            return state["_compile_phase"]
        return f"{state['_phase']}.{self.create_time}.{id(self)}" if self.compiled else None

    @compile_phase.setter
    def compile_phase(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(
                f"For 'Cell', 'compile_phase' must be string type, but got {describe(value)}."
            )
        for _, cell in self.cells_and_names():  # type: ignore[attr-defined]
            vars(cell)["_compile_phase"] = value

    @property
    def compile_cache(self) -> set[str]:
        """The names of what was compiled for this cell."""
        return {str(self.compile_phase)} if self.compiled else set()

    @property
    def phase_cache(self) -> dict[str, str]:
        """The names of what was compiled, by phase."""
        return {vars(self)["_phase"]: str(self.compile_phase)} if self.compiled else {}

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The options that ``set_jit_config`` stored."""
        config = vars(self).get("jit_config")
        return {} if config is None else dict(config.jit_config_dict)

    def get_func_graph_proto(self) -> Any:
        """None, as long as the cell was not compiled.

        Raises:
            NotImplementedError: the cell was compiled; MindSpore's form of graphs is not written.
        """
        if not self.compiled:
            return None
        raise missing_feature(
            "Cell.get_func_graph_proto",
            "compiled calls are not kept in MindSpore's graph format",
            "look at them with agar.graph.explain(cell), or export with ms.export",
        )

    # ---------------------------------------------------------------------- scopes

    def generate_scope(self) -> None:
        """Name the place of every descendant; :meth:`get_scope` gives it."""
        for scope, cell in _scopes(self, "Default"):
            vars(cell)["_scope"] = scope

    def get_scope(self) -> str | None:
        """The place that :meth:`generate_scope` gave, such as ``Default/fc-Dense``, or None."""
        return vars(self).get("_scope")

    # ---------------------------------------------------------------- many devices

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter] | None:
        """The parameters that all devices have alike, by name; None if there are none.

        Args:
            recurse (bool): whether descendants are included. Default: True.
        """
        entries = OrderedDict(
            (p.name, p)
            for p in self.get_parameters(expand=recurse)  # type: ignore[attr-defined]
            if p.layerwise_parallel is False
        )
        return entries or None

    def remove_redundant_parameters(self) -> None:
        """Accepted: it frees parameters that a parallel optimizer splits; none is split."""


def _scopes(cell: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, child in cell.name_cells().items():
        scope = f"{prefix}/{name}-{type(child).__name__}"
        yield scope, child
        yield from _scopes(child, scope)
