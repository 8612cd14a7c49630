"""Cell: the unit of which networks are built.

NOTE Where children live. Parameters, cells and buffers are ordinary attributes, and also stand in
the registries ``_params``, ``_cells`` and ``_buffers`` that keep their order. So reading
``self.weight`` costs nothing, and a network can be walked.

NOTE Parameter names. Assigning a cell to an attribute renames its parameters at once, to the
attribute's name, a dot, and the path of attribute names inside (MindSpore's rule). The renaming
works on the shared Parameter objects.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

# a cell moves its tensors between devices and types
import torch

from agar._core import autodiff, context, precision
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.hints import MissingName, about_construct, explained
from agar._core.hooks import HookHandle, checked, gate
from agar._core.multi_device import world
from agar._core.optable import Primitive
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor
from agar.nn._cell_state import CellState
from agar.nn._cell_state import (
    register_cell_buffer_registration_hook as register_cell_buffer_registration_hook,
)
from agar.nn._cell_traits import CellTraits
from agar.nn._parts import check_replaced, names_of_parts, part_of, parts_of
from agar.nn._unregistered import warn_of_unregistered

__all__ = ["Cell"]

_FLOAT_TYPES = {
    mstype.float16: ("fp16", "FP16"),
    mstype.float32: ("fp32", "FP32"),
    mstype.bfloat16: ("bf16", "BF16"),
}
# Attributes that decide whether a call may take the direct way (see `Cell.__call__`).
_ROUTING = frozenset({"requires_grad", "bprop", "_float_type", "_recompute", "_hooked"})

# What belongs to one object and its process, and is neither copied nor pickled.
_NOT_COPIED = frozenset({"_compiled", "_gradients", "_kept_records", "_lists_checked"})

_serial = itertools.count()


class MixedPrecisionType:
    """Names of a cell's floating type, as ``cell.mixed_precision_type`` shows them."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"MixedPrecisionType.{self.name}"


class Cell(CellTraits, CellState):
    """The base class of all network layers and networks.

    A subclass makes its layers and parameters in ``__init__`` (after ``super().__init__()``) and
    computes in ``construct``. It may define ``bprop(*inputs, out, dout)``, which then gives the
    gradients of its inputs.

    Args:
        auto_prefix (bool): whether assigning a child cell puts the attribute's name before its
            parameters' names. Default: True.
        flags (dict): set as attributes with :meth:`add_flags`. Default: None.

    Difference from PyTorch: ``construct`` in place of ``forward``; parameters have names of their
    own; a new cell is in evaluation mode (``training`` is False until :meth:`set_train`).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = nn.Dense(2, 1)
        ...
        ...     def construct(self, x):
        ...         return self.fc(x)
        >>> Net().trainable_params()[0]
        Parameter (name=fc.weight, shape=(1, 2), dtype=Float32, requires_grad=True)
    """

    training: Any
    requires_grad: bool
    bprop_debug: bool = False  # kept for compatibility: errors of bprop name it anyway

    @explained
    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        self.__dict__.update(
            _params=OrderedDict(),
            _cells=OrderedDict(),
            _buffers={},
            _auto_prefix=auto_prefix,
            _create_time=time.time_ns(),
            _direct=False,
            _float_type=None,
            _flags={},
            _hooked=False,
            _recompute=False,
            _inputs=None,
            _param_prefix="",
            _phase="train",
            _serial=next(_serial),
            training=False,
            requires_grad=False,
        )
        self._route()
        if flags:
            self.add_flags(**flags)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = vars(cls).get("__init__")
        if own is not None and cls.__module__.startswith("agar."):
            cls.__init__ = explained(own)

    # ---------------------------------------------------------------------- running

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; every subclass that is called defines it.

        Raises:
            AttributeError: the subclass does not.
        """
        raise AttributeError(
            f"For '{type(self).__name__}', the method 'construct' is not defined; "
            + (
                "rename its method 'forward' to 'construct'."
                if hasattr(type(self), "forward")
                else "define construct(self, ...) in the class."
            )
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell: hooks, precision, recording and `construct`."""
        try:
            if runtime.mode == PYNATIVE_MODE:
                if self._direct:
                    return self.construct(*args, **kwargs)
            else:
                state = self.__dict__  # attributes of cells are slow to read: one is enough
                function = state.get("_compiled")
                if (
                    function is not None
                    and state["_direct"]
                    and function.plainly_called
                    and not thread.inside
                ):
                    return function.serve(args, kwargs)
            return self._call(args, kwargs)  # which classes override
        except AttributeError as error:
            if "_direct" not in self.__dict__:
                raise AttributeError(
                    f"'{type(self).__name__}' was not initialized: please call Cell.__init__() "
                    "firstly, with super().__init__() at the start of __init__."
                ) from error
            self._explain(error)
            raise
        except Exception as error:
            self._explain(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The complete way of a call; each special wish takes its turn, outermost first."""
        if runtime.mode != PYNATIVE_MODE and not thread.inside:
            if self.requires_grad and not thread.grad_scopes and not autodiff.functorch_level():
                run = functools.partial(runtime.graph_call, self)
                return autodiff.record_call(self, args, kwargs, lambda *a, **k: run(a, k))
            return runtime.graph_call(self, args, kwargs)
        recorder = thread.recorder
        if recorder is not None:
            recorder.cells[id(self)] = self
        if self.requires_grad and not thread.grad_scopes and not autodiff.functorch_level():
            return autodiff.record_call(self, args, kwargs, self._hooked_run)
        return self._hooked_run(*args, **kwargs)

    def _hooked_run(self, *args: Any, **kwargs: Any) -> Any:
        if not self._hooked:
            return self._typed_run(args, kwargs)
        for hook, with_kwargs in self._hooks("_forward_pre_hooks"):
            result = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if result is None:
                continue
            if with_kwargs:
                if not (isinstance(result, tuple) and len(result) == 2):
                    raise TypeError(
                        "A forward pre-hook with kwargs must return None or a pair (args, kwargs), "
                        f"but returned {describe(result)}."
                    )
                args, kwargs = result
            else:
                args = result if isinstance(result, tuple) else (result,)
        backward = self._open_backward_gate(args)
        out = self._run_with_hooks(backward.args if backward else args, kwargs)
        for hook, with_kwargs in self._hooks("_forward_hooks"):
            result = hook(self, args, kwargs, out) if with_kwargs else hook(self, args, out)
            out = out if result is None else result
        return backward.close(out) if backward else out

    def _run_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The run inside of what hooks change about it: saved tensors, or parameters."""
        saved = self.__dict__.get("_saved_tensors_hooks")
        replaced = self.__dict__.get("_parameter_hooks")
        if replaced is not None and not thread.inside:
            replaced = None  # as in MindSpore, these are of compiled runs
        if saved is None and replaced is None:
            return self._typed_run(args, kwargs)
        with contextlib.ExitStack() as stack:
            if replaced is not None:
                stack.enter_context(_replaced_parameters(list(replaced.values())))
            if saved is not None:
                stack.enter_context(torch.autograd.graph.saved_tensors_hooks(*saved))
            return self._typed_run(args, kwargs)

    def _typed_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        scope = self._float_type
        if scope is None:
            return self._recomputed_run(args, kwargs)
        precision.enter(scope)
        try:
            return self._recomputed_run(args, kwargs)
        finally:
            precision.leave()

    def _recomputed_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._recompute and thread.grad_scopes and not thread.recomputing:
            from agar._core.recompute import run_recomputed

            return run_recomputed(self._plain_run, args, kwargs)
        return self._plain_run(*args, **kwargs)

    def _plain_run(self, *args: Any, **kwargs: Any) -> Any:
        if hasattr(self, "bprop"):
            return autodiff.call_with_bprop(self, args, kwargs, self.construct)
        return self.construct(*args, **kwargs)

    def run_construct(self, cast_inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run ``construct`` with its hooks over the given inputs."""
        return self._hooked_run(*cast_inputs, **kwargs)

    def _route(self) -> None:
        """Work out whether calls may go straight to construct."""
        state = self.__dict__
        state["_direct"] = not (
            state["requires_grad"]
            or state["_float_type"] is not None
            or state["_recompute"]
            or state["_hooked"]
            or hasattr(self, "bprop")
        )

    def _explain(self, error: BaseException) -> None:
        """Add the path of cells to an error on its way up; each level puts its name before."""
        trace = getattr(error, "_agar_trace", None)
        if trace is None:
            path, leaf = "", type(self).__name__
            taken = about_construct(self, error)
            if taken:
                error.args = (f"{error}{taken}",)
        else:
            child, path, leaf = trace
            if child is self:
                return
            name = next((n for n, c in self.cells_and_names() if c is child), type(child).__name__)
            path = f"{name}.{path}" if path else name
        try:
            error._agar_trace = (self, path, leaf)  # type: ignore[attr-defined]
        except AttributeError:  # an exception class with __slots__
            return
        line = f"In cell: {path} ({leaf})" if path else f"In cell: {leaf}"
        notes = getattr(error, "__notes__", None)
        if notes and notes[-1].startswith("In cell: "):
            notes[-1] = line
        elif hasattr(error, "add_note"):
            error.add_note(line)  # pyright: ignore[reportAttributeAccessIssue]
        elif getattr(error, "_agar_named", False) and len(error.args) == 1:
            # Python 3.10 has no notes: agar's own messages carry the line themselves
            message = str(error.args[0]).split("\nIn cell: ")[0]
            error.args = (f"{message}\n{line}",)

    # ------------------------------------------------------------------- attributes

    def __setattr__(self, name: str, value: Any) -> None:
        state = self.__dict__
        runtime.epoch += 1
        if name in names_of_parts():
            check_replaced(self, name, value)
        if isinstance(value, Parameter):
            self._set_parameter(name, value)
            return
        if isinstance(value, Cell):
            self._set_cell(name, value)
            return
        if isinstance(value, ParameterTuple):
            for p in value:
                self.insert_param_to_cell(p.name, p, check_name_contain_dot=False, attribute=False)
        if "_params" in state:
            current = state["_params"].get(name)
            if current is not None:
                self._write_parameter(name, current, value)
                return
            if name in state["_cells"]:
                if value is not None:
                    raise TypeError(
                        f"For '{type(self).__name__}', Sub cell '{name}' already exists and can "
                        f"only be replaced by a Cell or None, but got {describe(value)}; delete "
                        f"it first (del cell.{name}), or use another name."
                    )
                state["_cells"][name] = None
            elif name in state["_buffers"]:
                if value is not None and not isinstance(value, Tensor):
                    raise TypeError(
                        f"For '{type(self).__name__}', the buffer '{name}' can only be replaced "
                        f"by a Tensor or None, but got {describe(value)}."
                    )
                state["_buffers"][name] = value
        if isinstance(value, Tensor):
            autodiff.keep(value)
        elif isinstance(value, Primitive):
            value.__dict__["instance_name"] = name
        prop = getattr(type(self), name, None)
        if isinstance(prop, property):
            prop.__set__(self, value)
            return
        state[name] = value
        if name in _ROUTING and "_direct" in state:
            self._route()

    def _set_parameter(self, name: str, value: Parameter) -> None:
        state = self.__dict__
        if "_params" not in state:
            raise AttributeError(
                f"For '{type(self).__name__}', please call Cell.__init__() firstly: a Parameter is "
                f"assigned to '{name}' before super().__init__()."
            )
        self._refuse_another_kind(name, "_params")
        if not value.has_given_name:
            value.name = name
        state["_params"][name] = value
        state[name] = value

    def _set_cell(self, name: str, value: Cell) -> None:
        state = self.__dict__
        if "_cells" not in state:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '_auto_prefix': a Cell is "
                f"assigned to '{name}' before super().__init__(); please call Cell.__init__() "
                "firstly."
            )
        self._refuse_another_kind(name, "_cells")
        if self._auto_prefix:
            value.update_parameters_name(f"{name}.")
        state["_cells"][name] = value
        state[name] = value

    def _refuse_another_kind(self, name: str, registry: str) -> None:
        for other, what in (("_params", "Parameter"), ("_cells", "Cell"), ("_buffers", "buffer")):
            if other != registry and name in self.__dict__[other]:
                raise KeyError(
                    f"For '{type(self).__name__}', the {what} '{name}' already exists and can only "
                    f"be replaced by one of its kind; delete it first (del cell.{name}), or use "
                    "another name."
                )

    def _write_parameter(self, name: str, current: Parameter, value: Any) -> None:
        if isinstance(value, Tensor):
            current.set_data(value)
        elif value is None:
            self._params[name] = None
            self.__dict__[name] = None
        else:
            raise TypeError(
                f"For '{type(self).__name__}', the parameter '{name}' can only be replaced by a "
                f"Parameter, Tensor, or None, but got {describe(value)}."
            )

    def __delattr__(self, name: str) -> None:
        runtime.epoch += 1
        state = self.__dict__
        for registry in ("_params", "_cells", "_buffers"):
            state.get(registry, {}).pop(name, None)
        if name not in state:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'.")
        del state[name]

    def __getattr__(self, name: str) -> Any:
        # only reached when ordinary lookup failed
        if name == "bprop":
            # asked for while torch.export traces, which reads no table of parts, and takes no other
            # exception than this one for an answer
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'bprop'")
        if not name.startswith("_") and name in parts_of(type(self)):
            return part_of(self, name)
        raise MissingName(f"The '{type(self).__name__}' object has no attribute '{name}'")

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in _NOT_COPIED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self.__dict__, *parts_of(type(self))})

    # --------------------------------------------------------------------- children

    def insert_child_to_cell(self, child_name: str, child_cell: Cell | None) -> None:
        """Add a child cell under a name, without renaming its parameters.

        Args:
            child_name (str): the attribute's name; a child of that name is replaced.
            child_cell (Cell): the child, or None.

        Raises:
            TypeError: the name is no str, or the child no Cell.
            KeyError: the name is empty, has a dot in it, or belongs to another attribute.

        Difference from PyTorch: ``add_module``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> from agar import nn
            >>> net = nn.Cell()
            >>> net.insert_child_to_cell("fc", nn.Dense(2, 1))
            >>> [p.name for p in net.get_parameters()]
            ['weight', 'bias']
        """
        if not isinstance(child_name, str):
            raise TypeError(
                f"For 'insert_child_to_cell', 'child_name' must be a str, but got {child_name!r}."
            )
        if "." in child_name or child_name == "":
            raise KeyError(
                "For 'insert_child_to_cell', 'child_name' must have no '.' and not be empty, but "
                f"got {child_name!r}."
            )
        if child_name not in self._cells and hasattr(self, child_name):
            raise KeyError(
                f"For 'insert_child_to_cell', the attribute '{child_name}' already exists in "
                f"{type(self).__name__}; choose another name."
            )
        if child_cell is not None and not isinstance(child_cell, Cell):
            raise TypeError(
                "For 'insert_child_to_cell', 'child_cell' must be a Cell, but got "
                f"{type(child_cell).__name__}."
            )
        runtime.epoch += 1
        self._cells[child_name] = child_cell
        self.__dict__[child_name] = child_cell

    def insert_param_to_cell(
        self,
        param_name: str,
        param: Parameter,
        check_name_contain_dot: bool = True,
        attribute: bool = True,
    ) -> None:
        """Add a parameter under a name.

        Args:
            param_name (str): the attribute's name.
            param (Parameter): the parameter; without a given name it takes `param_name`.
            check_name_contain_dot (bool): whether dots in the name are refused. Default: True.
            attribute (bool): whether it also becomes an attribute. Default: True.

        Raises:
            TypeError: the name is no str, or `param` no Parameter.
            KeyError: the name is empty, has a dot in it, or belongs to another attribute.

        Difference from PyTorch: ``register_parameter``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Cell()
            >>> net.insert_param_to_cell("w", ms.Parameter(1.0))
            >>> net.w.name
            'w'
        """
        if not isinstance(param_name, str) or not param_name:
            raise (KeyError if param_name == "" else TypeError)(
                f"For 'insert_param_to_cell', 'param_name' must be a str that is not empty, but "
                f"got {param_name!r}."
            )
        if check_name_contain_dot and "." in param_name:
            raise KeyError(
                "For 'insert_param_to_cell', 'param_name' must have no '.', but got "
                f"{param_name!r}."
            )
        if not isinstance(param, Parameter):
            raise TypeError(
                "For 'insert_param_to_cell', 'param' must be a Parameter, but got "
                f"{type(param).__name__}."
            )
        if attribute and param_name not in self._params and hasattr(self, param_name):
            raise KeyError(
                f"For 'insert_param_to_cell', the attribute '{param_name}' already exists in "
                f"{type(self).__name__}; choose another name."
            )
        runtime.epoch += 1
        if not param.has_given_name:
            param.name = param_name
        self._params[param_name] = param
        if attribute:
            self.__dict__[param_name] = param

    def cells(self) -> Any:
        """The direct children, as a view of values."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Cell]:
        """The direct children by name; a cell that stands under two names comes once."""
        seen: set[int] = set()
        found: OrderedDict[str, Cell] = OrderedDict()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(
        self, cells: set[int] | None = None, name_prefix: str = ""
    ) -> Iterator[tuple[str, Cell]]:
        """Pairs of path and cell: this cell (path ``""``) and all descendants, parents first.

        Args:
            cells (set): identities of cells to leave out. Default: None.
            name_prefix (str): the path of this cell. Default: ``""``.

        Returns:
            Iterator of (str, Cell); every cell object comes once.

        Difference from PyTorch: ``named_modules``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> from agar import nn
            >>> [n for n, _ in nn.SequentialCell(nn.ReLU(), nn.Dense(2, 1)).cells_and_names()]
            ['', '0', '1']
        """
        seen = set() if cells is None else cells
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                path = f"{name_prefix}.{name}" if name_prefix else name
                yield from cell.cells_and_names(seen, path)

    def get_sub_cell(self, target: str) -> Cell:
        """The descendant at a path such as ``"layer1.0.conv"``; ``""`` is this cell.

        Raises:
            AttributeError: there is no cell at that path.
        """
        found: Any = self
        for name in target.split(".") if target else ():
            nxt = found._cells.get(name)
            if nxt is None:
                raise AttributeError(
                    f"{type(found).__name__} has no child cell '{name}' (path '{target}'); it has "
                    f"{list(found._cells)}."
                )
            found = nxt
        return found

    def apply(self, fn: Callable[[Cell], Any]) -> Cell:
        """Call a function with every descendant and then with this cell. Returns the cell.

        Args:
            fn (Callable): takes a Cell.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # ------------------------------------------------------------------- parameters

    def parameters_and_names(
        self, name_prefix: str = "", expand: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Pairs of path of attribute names and parameter; every parameter object comes once.

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
        """The parameters of this cell and, with `expand`, of its descendants."""
        for _, p in self.parameters_and_names(expand=expand):
            yield p

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """The parameters by their own names; of equal names the last stays."""
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters whose ``requires_grad`` is True.

        A cell or Parameter in a plain list, which is no part of the network, is warned of.

        Args:
            recurse (bool): whether descendants are included. Default: True.

        Returns:
            list[Parameter].

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.
        """
        if recurse:
            warn_of_unregistered(self)
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters whose ``requires_grad`` is False.

        Args:
            recurse (bool): whether descendants are included. Default: True.
        """
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name every parameter by `prefix` and its path of attribute names."""
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
        """Draw all parameters whose initialization was delayed; returns {old: new}."""
        return {p: p.init_data() for p in self.get_parameters()}

    def update_cell_prefix(self) -> None:
        """Store the path of each descendant in its ``param_prefix``."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type: Any) -> None:
        """Set the ``cell_type`` that marks this cell's role."""
        self.cell_type = cell_type

    @property
    def param_prefix(self) -> str:
        """The path that :meth:`update_cell_prefix` stored."""
        return self._param_prefix

    # ------------------------------------------------------------------------- modes

    def set_train(self, mode: Any = True) -> Cell:
        """Switch this cell and all descendants to training (or evaluation). Returns the cell.

        Args:
            mode (bool): whether to train. Default: True.

        Difference from PyTorch: ``train(mode)``; a new cell evaluates until this is called.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> from agar import nn
            >>> nn.Dropout(p=0.5).set_train().training
            True
        """
        phase = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = mode
            cell.__dict__["_phase"] = phase
        runtime.epoch += 1
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Say that calls of this cell will be differentiated. Returns the cell.

        A call outside any gradient then records itself; ``ms.grad`` of this cell over the same
        input objects uses that record and does not run the cell again.

        Args:
            requires_grad (bool): whether calls record. Default: True.

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.
        """
        self.requires_grad = requires_grad
        if not requires_grad:
            self.__dict__.pop("_kept_records", None)
        return self

    @property
    def phase(self) -> str:
        """``'train'`` or ``'predict'``, as set by :meth:`set_train`."""
        return self._phase

    @phase.setter
    def phase(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"For 'Cell', 'phase' must be a str, but got {value!r}.")
        self.__dict__["_phase"] = value

    def add_flags(self, **flags: Any) -> Cell:
        """Set attributes and remember them as flags. Returns the cell."""
        self._flags.update(flags)
        for key, value in flags.items():
            setattr(self, key, value)
        return self

    def add_flags_recursive(self, **flags: Any) -> Cell:
        """:meth:`add_flags` on this cell and all descendants. Returns the cell."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags set by :meth:`add_flags` and :meth:`to_float`."""
        return self._flags

    # --------------------------------------------------------------------- precision

    def to_float(self, dst_type: mstype.Type) -> Cell:
        """Compute this cell and all its present descendants in a floating type. Returns the cell.

        Nothing is cast at the cell's border: each operator inside casts its floating inputs.
        Parameters keep their type, gradients come back in the type of what they belong to. The
        last call wins, so a part is set back with ``part.to_float(ms.float32)``.

        Args:
            dst_type (Type): ``ms.float16``, ``ms.bfloat16`` or ``ms.float32``.

        Raises:
            ValueError: another type.

        Difference from PyTorch: like ``torch.autocast`` bound to a part of a network, for all
        operators.

        Source: behavior observed in MindSpore 2.10; the type ends with the call also when
        ``construct`` raises.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(2, 1).to_float(ms.float16)
            >>> net(ms.Tensor([[1.0, 2.0]])).dtype
            mindspore.float16
        """
        if dst_type not in _FLOAT_TYPES:
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mindspore.float32, "
                f"mindspore.float16 or mindspore.bfloat16, but got {dst_type!r}."
            )
        flag = _FLOAT_TYPES[dst_type][0]
        for _, cell in self.cells_and_names():
            cell._float_type = precision.CastScope(mstype.to_torch_dtype(dst_type))
            cell._flags.update({"fp16": False, "fp32": False, "bf16": False, flag: True})
        return self

    @property
    def mixed_precision_type(self) -> MixedPrecisionType | None:
        """The type set by :meth:`to_float`, or None."""
        scope = self._float_type
        if not isinstance(scope, precision.CastScope) or scope.dtype is None:
            return None
        return MixedPrecisionType(_FLOAT_TYPES[mstype.FROM_TORCH[scope.dtype]][1])

    def get_mixed_precision_type(self) -> Any:
        """The type set by :meth:`set_mixed_precision_type` or :meth:`to_float`, or None."""
        return self.__dict__.get("_mixed_precision_type", self.mixed_precision_type)

    def set_mixed_precision_type(self, arg0: Any) -> None:
        """Store what :meth:`get_mixed_precision_type` gives; :meth:`to_float` sets the type."""
        self._mixed_precision_type = arg0

    def set_precision_scope(self, scope: Any) -> Cell:
        """Compute this cell, without its descendants, under a precision scope of agar's own."""
        self._float_type = scope
        return self

    def cast_inputs(self, inputs: Any, dst_type: mstype.Type) -> Any:
        """The inputs with all floating tensors cast to a type."""
        dtype = mstype.to_torch_dtype(dst_type)

        def cast(t: Tensor) -> Tensor:
            kind = t._value.dtype
            return Tensor.astype(t, dst_type) if kind.is_floating_point and kind != dtype else t

        return autodiff.map_tensors(inputs, cast)

    # ----------------------------------------------------------------------- devices

    def to(self, *args: Any, **kwargs: Any) -> Cell:
        """Move all parameters and buffers to a device or floating type. Returns the cell.

        Args:
            args: a device (``"GPU:0"``, ``"CPU"``), a dtype, or both.
            kwargs: ``device``, ``dtype``.

        Raises:
            TypeError: an argument is neither a device nor a type.
            RuntimeError: the device is not available.

        Difference from PyTorch: none.

        Source: agar's own; MindSpore 2.10 moves whole programs with ``set_device``.

        Examples:
            >>> import agar as ms
            >>> ms.nn.Dense(2, 1).to(ms.float16).weight.dtype
            mindspore.float16
        """
        device, dtype = kwargs.pop("device", None), kwargs.pop("dtype", None)
        if kwargs:
            raise TypeError(f"For 'Cell.to', unexpected arguments {sorted(kwargs)}.")
        for value in args:
            if isinstance(value, (mstype.Type, torch.dtype)):
                dtype = value
            elif isinstance(value, (str, torch.device)):
                device = value
            else:
                raise TypeError(
                    f"For 'Cell.to', expected a device such as 'GPU:0' or a dtype, got {value!r}."
                )
        where = None if device is None else context.parse_device(device)
        kind = None if dtype is None else mstype.to_torch_dtype(dtype)
        for t in [*self.get_parameters(), *self.buffers()]:
            floating = kind if t._value.is_floating_point() else None
            t._value = t._value.detach().to(device=where, dtype=floating)
        runtime.epoch += 1
        return self

    def to_empty(self, *, device: Any = None, recurse: bool = True) -> Cell:
        """Move parameters and buffers to a device without copying values. Returns the cell."""
        where = context.torch_device() if device is None else context.parse_device(device)
        for t in [*self.get_parameters(recurse), *self.buffers(recurse)]:
            t._value = torch.empty_like(t._value, device=where)
        runtime.epoch += 1
        return self

    # ------------------------------------------------------------------------- hooks

    def _hooks(self, kind: str) -> list[tuple[Callable[..., Any], bool]]:
        return list(self.__dict__.get(kind, {}).values())

    def _add_hook(
        self, kind: str, hook: Any, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        checked(hook, f"register{kind[:-1]}")
        hooks = self.__dict__.setdefault(kind, OrderedDict())
        handle = HookHandle(hooks, (hook, with_kwargs))  # type: ignore[arg-type]
        if prepend:
            hooks.move_to_end(handle.handle_id, last=False)
        self._hooked = True
        return handle

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook(cell, inputs)`` before each run; a result replaces the inputs.

        Args:
            hook_fn (Callable): takes the cell and the tuple of inputs (and kwargs).
            prepend (bool): whether it runs before the hooks there are. Default: False.
            with_kwargs (bool): whether it also takes keyword arguments. Default: False.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_forward_pre_hooks", hook_fn, prepend, with_kwargs)

    def register_forward_hook(
        self,
        hook_fn: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call ``hook(cell, inputs, output)`` after each run; a result replaces the output.

        Args:
            hook_fn (Callable): takes the cell, the tuple of inputs (and kwargs) and the output.
            prepend (bool): whether it runs before the hooks there are. Default: False.
            with_kwargs (bool): whether it also takes keyword arguments. Default: False.
            always_call (bool): must be False: a hook does not run after an error. Default: False.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.
            NotImplementedError: `always_call` is True.

        Difference from PyTorch: none, but for `always_call`.

        Source: behavior observed in MindSpore 2.10.
        """
        if always_call:
            raise NotImplementedError(
                "register_forward_hook(always_call=True) is not available in agar: a failed run "
                "has no output to show. Wrap the call in try/finally instead."
            )
        return self._add_hook("_forward_hooks", hook_fn, prepend, with_kwargs)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, grad_output)`` when the outputs' gradients are known.

        A result (tuple or Tensor) replaces the gradients.

        Args:
            hook_fn (Callable): takes the cell and the tuple of gradients.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: ``register_full_backward_pre_hook``.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_backward_pre_hooks", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, grad_input, grad_output)`` when the inputs' gradients are known.

        A result (tuple or Tensor) replaces ``grad_input``.

        Args:
            hook_fn (Callable): takes the cell and two tuples of gradients.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: ``register_full_backward_hook``.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_backward_hooks", hook_fn)

    def register_saved_tensors_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Change how `construct` keeps what its gradient needs.

        Args:
            pack_hook (Callable): gets each Tensor that is kept, and returns what to keep for it.
            unpack_hook (Callable): gets what was kept, and returns the Tensor.

        Raises:
            TypeError: a hook is not callable.

        Difference from PyTorch: ``torch.autograd.graph.saved_tensors_hooks`` is a context.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> class Square(ms.nn.Cell):
            ...     def construct(self, x):
            ...         return x * x
            >>> net = Square()
            >>> net.register_saved_tensors_hooks(lambda t: t.asnumpy(), lambda a: ms.Tensor(a))
            >>> print(ms.grad(net)(ms.Tensor([3.0])))
            [6.]
        """
        checked(pack_hook, "register_saved_tensors_hooks")
        checked(unpack_hook, "register_saved_tensors_hooks")

        def unpack(kept: Any) -> torch.Tensor:
            found = unpack_hook(kept)
            if not isinstance(found, Tensor):
                raise TypeError(
                    "For 'register_saved_tensors_hooks', 'unpack_hook' must return a Tensor, but "
                    f"returned {describe(found)}."
                )
            return found._value

        self._saved_tensors_hooks = (lambda value: pack_hook(_wrapped((value,))[0]), unpack)
        self._hooked = True

    def register_parameter_forward_hook(self, hook: Any) -> None:
        """Compute with ``hook(parameter)`` in place of parameters, in compiled runs of this cell.

        Gradients flow through the hook to the parameter. A later hook of a parameter takes the
        place of an earlier one. Eager runs compute with the parameters themselves.

        Args:
            hook (Union[Callable, list[dict]]): a function from Parameter to Tensor for all
                parameters of the cell and its descendants, or dictionaries of ``"params"`` (a list
                of Parameters) and ``"hook"``.

        Raises:
            TypeError: a hook is not callable, or an element of ``"params"`` no Parameter.
            ValueError: a dictionary lacks a key.

        Difference from PyTorch: ``torch.nn.utils.parametrize`` is close.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(1, 1, weight_init="ones", has_bias=False)
            >>> net.register_parameter_forward_hook(lambda p: p * 10)
            >>> print(ms.jit(net)(ms.Tensor([[2.0]])))
            [[20.]]
        """
        who = "register_parameter_forward_hook"
        if callable(hook):
            hook = [{"params": list(self.get_parameters()), "hook": hook}]
        if not isinstance(hook, list) or not all(isinstance(entry, dict) for entry in hook):
            raise TypeError(
                f"For '{who}', 'hook' must be a callable function or a list of dictionaries, but "
                f"got {describe(hook)}."
            )
        found = dict(self.__dict__.get("_parameter_hooks") or {})
        for entry in hook:
            if "params" not in entry or "hook" not in entry:
                raise ValueError(
                    f"For '{who}', each dictionary must contain both 'params' and 'hook', but got "
                    f"the keys {list(entry)}."
                )
            checked(entry["hook"], who)
            for p in entry["params"]:
                if not isinstance(p, Parameter):
                    raise TypeError(
                        f"For '{who}', all items in 'params' must be Parameters, but got "
                        f"{describe(p)}."
                    )
                found[id(p)] = (p, entry["hook"])
        self._parameter_hooks = found
        self._hooked = True

    def _open_backward_gate(self, args: tuple[Any, ...]) -> _BackwardGate | None:
        if not thread.grad_scopes:
            return None
        before = [hook for hook, _ in self._hooks("_backward_pre_hooks")]
        after = [hook for hook, _ in self._hooks("_backward_hooks")]
        return _BackwardGate(self, args, before, after) if before or after else None

    # ----------------------------------------------------------- recompute and graphs

    def recompute(self, **kwargs: Any) -> Cell:
        """Keep no intermediate results of this cell; run it again when gradients need them.

        Random numbers repeat and running statistics are updated once.

        Args:
            kwargs: MindSpore's options (``mp_comm_recompute``, ``use_reentrant``, ...), which
                change no result.

        Returns:
            The cell.

        Difference from PyTorch: ``torch.utils.checkpoint.checkpoint`` as a property of the layer.

        Source: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost".

        Examples:
            >>> from agar import nn
            >>> _ = nn.Dense(2, 1).recompute()
        """
        self._recompute = True
        return self

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Describe the inputs of compiled calls; sizes of None may change from call to call.

        Args:
            inputs: one per input of ``construct``; tensors with None in their shape.
            kwargs: the same by name.

        Difference from PyTorch: ``torch._dynamo.mark_dynamic`` per dimension.

        Source: behavior observed in MindSpore 2.10; no effect in PYNATIVE_MODE.
        """
        self._inputs = (inputs, kwargs)

    def get_inputs(self) -> tuple[Any, ...] | dict[str, Any] | None:
        """What :meth:`set_inputs` stored, or None."""
        if self._inputs is None:
            return None
        inputs, kwargs = self._inputs
        return kwargs if kwargs and not inputs else inputs

    def set_jit_config(self, jit_config: Any) -> None:
        """Store options for compiled calls of this cell."""
        self.jit_config = jit_config

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell compiled, whatever the mode.

        Args:
            args: inputs as for a call.
            kwargs: the same by name.

        Difference from PyTorch: ``torch.compile(module)(...)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.nn.Dense(2, 1).compile_and_run(ms.ops.ones((4, 2))).shape
            (4, 1)
        """
        return runtime.graph_call(self, args, kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the cell for inputs of a kind ahead of its first call.

        Runs the cell on the inputs, records it, and puts parameters and random numbers back.

        Args:
            args: inputs as for a call.
            kwargs: the same by name.

        Difference from PyTorch: ``torch.nn.Module.compile`` takes no inputs and waits for the
        first call.

        Source: agar's own way; MindSpore 2.10 compiles without running.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(2, 1)
            >>> net.compile(ms.ops.ones((4, 2)))
        """
        if args or kwargs:
            from agar._core.graph.cache.function import compile_cell

            compile_cell(self, args, kwargs)

    def shard(self, in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None) -> Cell:
        """Say how the cell's tensors are split. One process divides nothing. Returns the cell.

        Raises:
            NotImplementedError: several processes have joined.
        """
        world.refuse("Cell.shard")
        return self

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Cell:
        """Accepted: how messages are joined changes no result. Returns the cell."""
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Cell:
        """Accepted: the setting ``parameter_broadcast`` says whether parameters are sent to all.

        Returns the cell.
        """
        return self

    def set_data_parallel(self) -> None:
        """Accepted: it concerns the mode ``auto_parallel``, which several processes refuse."""

    def set_boost(self, boost_type: str) -> Cell:
        """Accepted for compatibility: agar chooses its plans by timing. Returns the cell."""
        return self

    def offload(self, backward_prefetch: Any = "Auto") -> Cell:
        """Accepted for compatibility: memory stays on its device. Returns the cell."""
        return self

    # -------------------------------------------------------------------------- text

    def extend_repr(self) -> str:
        """The text between the brackets of ``repr``; subclasses override it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extend_repr()
        lines = [
            f"({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self._cells.items()
        ]
        head = type(self).__name__
        if not lines:
            return f"{head}({extra})"
        if extra:
            lines.insert(0, extra)
        return f"{head}(\n  " + "\n  ".join(lines) + "\n)"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from agar.nn._cell_html import cell_html

        return cell_html(self)


Cell.__module__ = "agar.nn.cell"


@contextlib.contextmanager
def _replaced_parameters(hooks: list[tuple[Parameter, Callable[..., Any]]]) -> Iterator[None]:
    """Parameters whose slots hold what their hooks make of them."""
    kept = [(p, p._value) for p, _ in hooks]
    try:
        for p, hook in hooks:
            found = hook(p)
            if not isinstance(found, Tensor):
                raise TypeError(
                    f"A parameter forward hook must return a Tensor, but that of '{p.name}' "
                    f"returned {describe(found)}."
                )
            p._value = found._value
        yield
    finally:
        for p, value in kept:
            p._value = value


class _BackwardGate:
    """One call's passage through backward hooks: gates on its inputs and on its outputs."""

    def __init__(
        self, cell: Cell, args: tuple[Any, ...], before: list[Any], after: list[Any]
    ) -> None:
        self.cell = cell
        self.before = before
        self.after = after
        self.grad_output: tuple[Any, ...] = ()
        self.places = [
            i for i, a in enumerate(args) if isinstance(a, Tensor) and a._value.requires_grad
        ]
        self.count = sum(isinstance(a, Tensor) for a in args)
        self.args = args
        if self.places and after:
            gated = gate([args[i] for i in self.places], self._see_inputs)
            fresh = list(args)
            for i, t in zip(self.places, gated, strict=True):
                fresh[i] = t
            self.args = tuple(fresh)

    def close(self, out: Any) -> Any:
        """The outputs behind their gate."""
        tensors = autodiff.tensors_in(out)
        passing = [t for t in tensors if t._value.requires_grad]
        if not passing:
            return out
        gated = iter(gate(passing, self._see_outputs))
        return autodiff.map_tensors(out, lambda t: next(gated) if t._value.requires_grad else t)

    def _see_outputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        shown = _wrapped(grads)
        for hook in self.before:
            shown = _hook_result(hook(self.cell, shown), shown)
        self.grad_output = shown
        if not self.places:
            for hook in self.after:
                hook(self.cell, (None,) * self.count, shown)
        return _unwrapped(shown)

    def _see_inputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        shown = _wrapped(grads)
        for hook in self.after:
            shown = _hook_result(hook(self.cell, shown, self.grad_output), shown)
        return _unwrapped(shown)


def _wrapped(grads: tuple[Any, ...]) -> tuple[Any, ...]:
    from agar._core.tensor import wrap

    return tuple(None if g is None else wrap(g) for g in grads)


def _unwrapped(grads: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(None if g is None else g._value for g in grads)


def _hook_result(result: Any, shown: tuple[Any, ...]) -> tuple[Any, ...]:
    if result is None:
        return shown
    result = tuple(result) if isinstance(result, (tuple, list)) else (result,)
    if len(result) != len(shown) or not all(r is None or isinstance(r, Tensor) for r in result):
        raise TypeError(
            f"A backward hook must return None or a tuple of {len(shown)} Tensors in place of the "
            f"gradients, but returned {describe(result)}."
        )
    return result
