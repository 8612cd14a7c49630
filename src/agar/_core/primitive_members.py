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
        """Attach an attribute; one of the constructor's arguments takes effect. Returns self."""
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
        """Remove an attribute; an operator without one of its arguments raises when it is called.

        Returns the primitive.
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
