"""What MindSpore's Primitive objects carry beside their operator: attributes, names, user data.

The attributes of its C++ side are one dictionary more, which `get_attr_dict` shows. Operators that
name their inputs and outputs (`primitive_names.txt`) hold their constructor's arguments there too,
the others in Python only.

NOTE Cost. Everything here lies on the class or is built when it is read; an operator that is
constructed and called pays nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world

if TYPE_CHECKING:
    from agar._core.optable import Primitive

__all__ = ["PrimitiveMembers", "io_names"]


@functools.cache
def _table() -> dict[str, tuple[list[str], list[str]]]:
    entries = {}
    text = Path(__file__).with_name("primitive_names.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            name, inputs, outputs = line.replace(">", " ").split(" ", 2)
            entries[name] = ([n for n in inputs.split(",") if n], outputs.strip().split(","))
    return entries


def io_names(name: str) -> tuple[list[str], list[str]] | None:
    """The names of an operator's inputs and outputs in MindSpore, or None where it has none."""
    return _table().get(name)


def _flag(owner: Any, method: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(
            f"For '{owner.name}.{method}', the argument must be a bool, but got {describe(value)}."
        )


class PrimitiveMembers:
    """Members of `Primitive` that are asked for rarely."""

    if TYPE_CHECKING:
        name: str
        _attrs: dict[str, Any]
        _entry: Any
        _state: Any

    # ------------------------------------------------------------------ attributes of Python

    @functools.cached_property
    def init_attrs(self) -> dict[str, Any]:
        """The constructor's arguments as they were given; ``name`` alone for a bare Primitive."""
        if self._entry is None:
            return {"name": self.name}
        return {name: self._attrs[name] for name in self._options() if name in self._attrs}

    def _options(self) -> list[str]:
        """The names of the arguments of an operator's constructor."""
        if self._entry is None:
            return []
        params = self._entry.params
        return [p.name for p in params if p.kind is p.KEYWORD_ONLY and p.name != "_state"]

    def add_prim_attr(self, name: str, value: Any) -> Any:
        """Set an attribute; an argument of the constructor takes effect from the next call on.

        Args:
            name (str): the name of the attribute.
            value (Any): its value.

        Returns:
            Primitive, the object itself.
        """
        if name in self._options():
            self._replace_option(name, value)
        else:
            self.__dict__[name] = self._attrs[name] = value
        return self

    def _replace_option(self, name: str, value: Any) -> None:
        """Set one of the constructor's arguments anew, with what was prepared from it."""
        prepared = self._entry.setup is not None
        if prepared and "_state" not in self.__dict__:  # the constructor is still at work
            self.__dict__[name] = self._attrs[name] = value
            return
        self.init_attrs  # noqa: B018  (what was given at first stays there)
        before = dict(self.__dict__), dict(self._attrs)
        self.__dict__[name] = self._attrs[name] = value
        if not prepared:
            return
        del self.__dict__["_state"]  # what prepares it may add attributes itself
        try:
            self._state = self._entry.setup(self)
        except BaseException:
            self.__dict__.update(before[0], _attrs=before[1])
            raise

    def del_prim_attr(self, name: str) -> Any:
        """Remove an attribute; without one of its arguments, an operator raises when called.

        Args:
            name (str): the name of the attribute; nothing happens if there is none.

        Returns:
            Primitive, the object itself.
        """
        if name in self._attrs:
            self.init_attrs  # noqa: B018
            del self._attrs[name]
            self.__dict__.pop(name, None)
        return self

    @property
    def update_parameter(self) -> bool:
        """Whether MindSpore marks the operator as one that updates its parameters."""
        return self.__dict__.get("_update_parameter", self.name == "BatchNorm")

    def __dir__(self) -> list[str]:
        names = {*super().__dir__(), *self.__dict__.get("_attrs", {})}
        if self._entry is not None and io_names(self.name) is not None:
            names.update(("input_names", "output_names"))
        return sorted(names)

    # --------------------------------------------------------------------- attributes of C++

    def add_attr(self, name: str, value: Any) -> None:
        """Attach an attribute to what `get_attr_dict` gives.

        Args:
            name (str): its name.
            value (Any): its value.

        Raises:
            NotImplementedError: `name` is an argument of the constructor that MindSpore's operator
                would go on taking from Python.
        """
        if name in self._options() and self._attrs.get(name) != value:
            if io_names(self.name) is None:
                raise missing_feature(
                    f"add_attr({name!r}, {value!r}) of '{self.name}'",
                    "the operator would go on with the value of its constructor",
                    f"call add_prim_attr({name!r}, {value!r}), which takes effect",
                )
            self.add_prim_attr(name, value)
        self.__dict__.setdefault("_native_attrs", {})[name] = value

    def del_attr(self, name: str) -> None:
        """Remove an attribute from what `get_attr_dict` gives, if it is there.

        Args:
            name (str): its name.

        Raises:
            NotImplementedError: the operator computes with it.
        """
        if name in self._options() and io_names(self.name) is not None:
            raise missing_feature(
                f"del_attr({name!r}) of '{self.name}'",
                "the operator computes with it",
                f"construct '{self.name}' with the value that is meant, or call add_prim_attr",
            )
        self.__dict__.get("_native_attrs", {}).pop(name, None)

    def get_attr_dict(self) -> dict[str, Any]:
        """The attributes that MindSpore's C++ side sees, as a new dictionary."""
        names = io_names(self.name) if self._entry is not None else None
        entries = dict(self._attrs)
        if names is None:
            entries = {k: v for k, v in entries.items() if k not in self._options()}
        else:
            entries.update(input_names=names[0], output_names=names[1])
        return {**entries, **self.__dict__.get("_native_attrs", {})}

    def set_user_data(self, key: str, value: Any) -> None:
        """Note a Python object under a key.

        Args:
            key (str): the key.
            value (Any): the object.
        """
        self.__dict__.setdefault("_user_data", {})[key] = value

    def get_user_data(self, key: str) -> Any:
        """The object that was noted under a key.

        Args:
            key (str): the key.

        Raises:
            RuntimeError: nothing was noted under it.
        """
        noted = self.__dict__.get("_user_data", {})
        if key not in noted:
            raise RuntimeError(
                f"For '{self.name}.get_user_data', nothing was noted under {key!r}; call "
                f"set_user_data({key!r}, value) first."
            )
        return noted[key]

    # ------------------------------------------------------------- where and how an operator runs

    def set_device(self, device_target: str) -> Primitive:
        """Accepted: an operator runs on the device of its tensors.

        Args:
            device_target (str): the device, such as ``"CPU"``; kept as the attribute
                ``primitive_target``.

        Returns:
            Primitive, the object itself.
        """
        return self.add_prim_attr("primitive_target", device_target)

    def place(self, role: str, rank_id: int) -> None:
        """Accepted for one process: an operator runs in the process that calls it.

        Args:
            role (str): only ``"MS_WORKER"``; kept as the attribute ``ms_role``.
            rank_id (int): the rank of the process, not negative; kept as the attribute ``rank_id``.

        Raises:
            TypeError: `rank_id` is not an int.
            ValueError: `role` is not ``"MS_WORKER"``, or `rank_id` is negative.
            NotImplementedError: several processes have joined.
        """
        op_name = "Primitive.place"
        if isinstance(rank_id, bool) or not isinstance(rank_id, int):
            kind = type(rank_id).__name__
            raise TypeError(f"For '{op_name}', the 'rank_id' must be int, but got '{kind}'")
        if rank_id < 0:
            raise ValueError(
                f"For '{op_name}', the 'rank_id' must be int and must >= 0, but got '{rank_id}'."
            )
        if role != "MS_WORKER":
            raise ValueError(
                f"For '{op_name}', the 'role' must be str and must be in 'MS_WORKER', but got "
                f"'{role}'."
            )
        world.refuse(
            f"the method place of '{self.name}'",
            "an operator runs in the process that calls it",
            "call it in that process only, and send the result with ops.Send and ops.Receive",
        )
        self.add_prim_attr("ms_role", role)
        self.add_prim_attr("rank_id", rank_id)

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Primitive:
        """Say how the operator's tensors lie on several processes; with one nothing is cut.

        At a call the inputs are laid out so, the operator computes, and the output is laid out as
        `out_strategy` says, or stays as it comes. Returns the primitive.

        Args:
            in_strategy (tuple): an entry for each tensor: a tuple of int, into how many parts each
                dimension is cut, or a Layout. Default: ``None``, the inputs stay as they are.
            out_strategy (tuple): the same for the outputs. Default: ``None``.

        Raises:
            TypeError: a strategy is not a tuple of tuples of int and Layouts.
            ValueError: `out_strategy` is given without `in_strategy`.
        """
        from agar._core.distributed import strategies

        label = f"the strategy of '{self.name}'"
        if in_strategy is None and out_strategy is not None:
            raise ValueError(
                f"For {label}, the 'out_strategy' is {out_strategy}, but there is no "
                "'in_strategy'; give both."
            )
        for name, value in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if value is not None:
                strategies.check_strategy(label, name, value)
        if in_strategy is not None:
            strategy = strategies.Strategy(label, self.name, in_strategy, out_strategy)
            strategies.give_strategy(self, strategy, "__call__")
        primitive: Any = self
        return primitive

    def recompute(self, mode: bool = True) -> Primitive:
        """Accepted: a single operator keeps no intermediate results that could be recomputed.

        Args:
            mode (bool, optional): kept as the attribute ``recompute``. Default: ``True``.

        Returns:
            Primitive, the object itself.
        """
        return self.add_prim_attr("recompute", mode)

    def add_auto_parallel_mode(self, *args: Any) -> Primitive:
        """Accepted, without effect.

        Args:
            *args (Any): not used.

        Returns:
            Primitive, the object itself.
        """
        primitive: Any = self
        return primitive

    def set_stage(self, stage: int) -> Primitive:
        """Set the pipeline stage of the operator. A single process runs all stages.

        Args:
            stage (int): the number of the stage, from 0; kept as the attribute ``stage``.

        Returns:
            Primitive, the object itself.

        Raises:
            NotImplementedError: several processes have joined, and `stage` is not 0.
        """
        if stage != 0:
            world.refuse(
                f"the method set_stage of '{self.name}'",
                "a network is not cut into pipeline stages yet",
            )
        return self.add_prim_attr("stage", stage)

    def check_elim(self, *args: Any) -> tuple[bool, Any]:
        """Whether a call can be replaced by a known result; a subclass may override it.

        Args:
            *args (Any): the arguments of the call.

        Returns:
            Tuple of a bool and the result; ``(False, None)`` unless overridden.
        """
        return False, None

    def set_prim_instance_name(self, name: str) -> Primitive:
        """Give this object a name of its own.

        Args:
            name (str): the name, kept as the attribute ``instance_name``.

        Returns:
            Primitive, the object itself.
        """
        self.instance_name = name
        primitive: Any = self
        return primitive

    def init_prim_io_names(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Name the inputs and outputs.

        Args:
            inputs (Sequence[str]): the names, kept as the attribute ``input_names``.
            outputs (Sequence[str]): the names, kept as the attribute ``output_names``.
        """
        self._attrs.update(input_names=inputs, output_names=outputs)

    # ------------------------------------------------------- what MindSpore's compiler is told

    def set_instance_name(self, name: str) -> None:
        """Give this object a name of its own.

        Args:
            name (str): the name, which `instance_name` then is.
        """
        self.instance_name = name

    def set_const_prim(self, is_const: bool) -> None:
        """Accepted: a recording decides itself what is constant, and results do not depend on it.

        Args:
            is_const (bool): whether MindSpore's compiler computes the operator.
        """
        _flag(self, "set_const_prim", is_const)

    def set_const_input_indexes(self, indexes: Sequence[int]) -> None:
        """Accepted: a recording decides itself what is constant, and results do not depend on it.

        Args:
            indexes (list[int]): the inputs that are constants of MindSpore's compiler.
        """
        if not all(isinstance(index, int) for index in indexes):
            raise TypeError(
                f"For '{self.name}.set_const_input_indexes', the indexes must be ints, but got "
                f"{describe(indexes)}."
            )

    def set_inplace_prim(self, is_inplace: bool) -> None:
        """Accepted: a recording sees itself what is written, and results do not depend on it.

        Args:
            is_inplace (bool): whether MindSpore's compiler takes the operator for one that writes.
        """
        _flag(self, "set_inplace_prim", is_inplace)

    def set_prim_type(self, kind: Any) -> None:
        """Accepted: shapes and types of results come from computing them, whatever the kind.

        Args:
            kind (prim_type): how MindSpore's compiler finds shapes and types of results.

        Raises:
            TypeError: `kind` is not a ``prim_type``.
        """
        if type(kind).__name__ != "prim_type":
            raise TypeError(
                f"For '{self.name}.set_prim_type', the argument must be a prim_type, but got "
                f"{describe(kind)}."
            )

    def set_signatures(self, signatures: Sequence[Any]) -> None:
        """Take the signatures of inputs; there are no others than the operator's own.

        Args:
            signatures (list): empty.

        Raises:
            NotImplementedError: there is a signature.
        """
        if signatures:
            raise missing_feature(
                f"set_signatures of '{self.name}'",
                "how its inputs are converted and written is part of the operator",
                "convert the inputs with Tensor.astype before the call",
            )

    def set_hook_fn(self, hook: Callable[..., Any], kind: Any) -> None:
        """Refused: an operator has no hook of its own.

        Args:
            hook (Callable): what MindSpore calls with gradients.
            kind (HookType): when it does.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            f"set_hook_fn of '{self.name}'",
            "gradients pass through torch's functions, which have no Primitive",
            "use ops.HookBackward(hook), Tensor.register_hook or Cell.register_backward_hook",
        )
