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

from agar._core import autodiff, precision
from agar._core.errors import describe
from agar._core.hints import (
    MissingName,
    about_construct,
    about_has_key,
    as_methods_of,
    explain_constructor,
    explained,
    refuse_inputs,
)
from agar._core.optable import Primitive
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor
from agar.nn._cell_compilation import CellCompilation
from agar.nn._cell_hooks import CellHooks, replaced_parameters
from agar.nn._cell_parameters import CellParameters
from agar.nn._cell_state import CellState
from agar.nn._cell_state import (
    register_cell_buffer_registration_hook as register_cell_buffer_registration_hook,
)
from agar.nn._cell_traits import CellTraits
from agar.nn._cell_types import CellTypes
from agar.nn._cell_types import MixedPrecisionType as MixedPrecisionType
from agar.nn._parts import check_replaced, names_of_parts, part_of, parts_of

__all__ = ["Cell"]

# Types of values that are neither cells nor tensors nor operators.
_PLAIN = frozenset((bool, int, float, str, tuple, list, dict, type(None)))

# Attributes that decide whether a call may take the direct way (see `Cell.__call__`).
_ROUTING = frozenset({"requires_grad", "bprop", "_float_type", "_recompute", "_hooked"})

# What belongs to one object and its process, and is neither copied nor pickled.
_NOT_COPIED = frozenset({"_compiled", "_gradients", "_gradient_records", "_lists_checked"})

_serial = itertools.count()


class Cell(CellHooks, CellParameters, CellTypes, CellCompilation, CellTraits, CellState):
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
    bprop_debug: bool = False  # for compatibility: errors of bprop name it anyway

    @explained
    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        if auto_prefix is not True:
            place = "nn" if type(self).__module__.startswith("agar.") else ""
            refuse_inputs(type(self).__name__, place, auto_prefix)
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
        explain_constructor(cls)

    # ---------------------------------------------------------------------- running

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation of the cell; a subclass that is called defines it.

        Args:
            args: what the cell is called with.
            kwargs: the same by name.

        Raises:
            AttributeError: the subclass does not define it.
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
                    and function.plain_cell is self
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
                stack.enter_context(replaced_parameters(list(replaced.values())))
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
        cut = self.__dict__.get("_cut")
        if cut is None:
            return self._constructed(args, kwargs)
        return cut.run(self._constructed, args, kwargs)

    def _constructed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # in both modes `_route` has settled it: a class may have got the method later
        if not self._direct and hasattr(self, "bprop"):
            return autodiff.call_with_bprop(self, args, kwargs, self.construct)
        return self.construct(*args, **kwargs)

    def run_construct(self, cast_inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run ``construct`` with its hooks over the given inputs.

        Args:
            cast_inputs (tuple): the inputs by position.
            kwargs (dict): the inputs by name.
        """
        return self._hooked_run(*cast_inputs, **kwargs)

    def _route(self) -> None:
        """Work out whether calls may go straight to construct."""
        state = self.__dict__
        state["_direct"] = not (
            state["requires_grad"]
            or state["_float_type"] is not None
            or state["_recompute"]
            or state["_hooked"]
            or "_cut" in state
            or hasattr(self, "bprop")
        )

    def _explain(self, error: BaseException) -> None:
        """Add the path of cells to an error on its way up; each level puts its name before."""
        trace = getattr(error, "_agar_trace", None)
        if trace is None:
            path, leaf = "", type(self).__name__
            about_has_key(error)
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
        plain = type(value) in _PLAIN  # most attributes are, and the questions below cost time
        if not plain:
            if isinstance(value, Parameter):
                self._set_parameter(name, value)
                return
            if isinstance(value, Cell):
                self._set_cell(name, value)
                return
            if isinstance(value, ParameterTuple):
                for p in value:
                    self.insert_param_to_cell(
                        p.name, p, check_name_contain_dot=False, attribute=False
                    )
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
        if not plain:
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
            TypeError: the name is not a str, or the child is not a Cell.
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
            TypeError: the name is not a str, or `param` is not a Parameter.
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
        """The direct children by name; a cell with two names is listed once."""
        seen: set[int] = set()
        children: OrderedDict[str, Cell] = OrderedDict()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                children[name] = cell
        return children

    def cells_and_names(
        self, cells: set[int] | None = None, name_prefix: str = ""
    ) -> Iterator[tuple[str, Cell]]:
        """Pairs of path and cell: this cell (path ``""``) and all descendants, parents first.

        Args:
            cells (set): identities of cells to leave out. Default: None.
            name_prefix (str): the path of this cell. Default: ``""``.

        Returns:
            Iterator of (str, Cell); every cell object is given once.

        Difference from PyTorch: ``named_modules``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> from agar import nn
            >>> [n for n, _ in nn.SequentialCell(nn.ReLU(), nn.Dense(2, 1)).cells_and_names()]
            ['', '0', '1']
        """
        seen = set() if cells is None else cells
        left: list[tuple[str, Cell]] = [(name_prefix, self)]
        while left:
            path, cell = left.pop()
            if id(cell) in seen:
                continue
            seen.add(id(cell))
            yield path, cell
            prefix = f"{path}." if path else ""
            inside = [(prefix + n, c) for n, c in cell._cells.items() if c is not None]
            left += reversed(inside)

    def get_sub_cell(self, target: str) -> Cell:
        """The descendant at a path.

        Args:
            target (str): the path of attribute names, for example ``"layer1.0.conv"``; ``""`` is
                this cell.

        Raises:
            AttributeError: there is no cell at that path.
        """
        cell: Any = self
        for name in target.split(".") if target else ():
            nxt = cell._cells.get(name)
            if nxt is None:
                raise AttributeError(
                    f"{type(cell).__name__} has no child cell '{name}' (path '{target}'); it has "
                    f"{list(cell._cells)}."
                )
            cell = nxt
        return cell

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

    # ------------------------------------------------------------------------- modes

    def set_train(self, mode: Any = True) -> Cell:
        """Switch this cell and all descendants to training (or evaluation). Returns the cell.

        Args:
            mode (bool): whether to train. Default: True.

        Difference from PyTorch: ``train(mode)``; a new cell is in evaluation mode until this is
        called.

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
            self.__dict__.pop("_gradient_records", None)
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
        """Set attributes and remember them as flags. Returns the cell.

        Args:
            flags: name and value of each attribute.
        """
        self._flags.update(flags)
        for key, value in flags.items():
            setattr(self, key, value)
        return self

    def add_flags_recursive(self, **flags: Any) -> Cell:
        """:meth:`add_flags` on this cell and all descendants. Returns the cell.

        Args:
            flags: name and value of each attribute.
        """
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags set by :meth:`add_flags` and :meth:`to_float`."""
        return self._flags

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

    def __str__(self) -> str:
        return repr(self)  # a subclass may have its own

    def _repr_html_(self) -> str:
        from agar.nn._cell_html import cell_html

        return cell_html(self)


Cell.__module__ = "agar.nn.cell"
as_methods_of(
    Cell,
    (CellHooks, CellParameters, CellTypes, CellCompilation, CellTraits, CellState),
    "agar.nn.cell",
)
