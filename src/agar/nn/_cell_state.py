"""The part of Cell that names, saves and loads: state_dict, buffers and their hooks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from agar._core.errors import describe
from agar._core.hooks import HookHandle, checked
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

__all__ = ["CellState", "IncompatibleKeys", "register_cell_buffer_registration_hook"]


class IncompatibleKeys(NamedTuple):
    """What ``load_state_dict`` did not match: missing and unexpected names."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )

    __str__ = __repr__


_buffer_hooks: dict[int, Callable[..., Any]] = {}


def register_cell_buffer_registration_hook(hook: Callable[..., Any]) -> HookHandle:
    """Call ``hook(cell, name, buffer)`` whenever any cell registers a buffer.

    Args:
        hook (Callable): a result other than None replaces the buffer.

    Returns:
        A handle with ``remove()``.

    Raises:
        TypeError: the hook is not callable.

    Difference from PyTorch: ``torch.nn.modules.module.register_module_buffer_registration_hook``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.cell import register_cell_buffer_registration_hook
        >>> handle = register_cell_buffer_registration_hook(lambda cell, name, value: value * 2)
        >>> net = ms.nn.Cell()
        >>> net.register_buffer("scale", ms.Tensor([2.0]))
        >>> handle.remove()
        >>> print(net.scale)
        [4.]
    """
    return HookHandle(_buffer_hooks, checked(hook, "register_cell_buffer_registration_hook"))


class CellState:
    """Buffers and state dictionaries; a base class of Cell."""

    _params: OrderedDict[str, Parameter | None]
    _cells: OrderedDict[str, Any]
    _buffers: dict[str, Tensor | None]

    # --------------------------------------------------------------------- buffers

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the cell's state but is not a Parameter.

        Args:
            name (str): the attribute by which it is reached.
            tensor (Union[Tensor, None]): the values; None reserves the name.
            persistent (bool): whether ``state_dict`` has it. Default: True.

        Raises:
            TypeError: `name` is not a str or `tensor` is not a Tensor.
            KeyError: the name is empty, has a dot in it, or belongs to another attribute.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Cell()
            >>> net.register_buffer("scale", ms.Tensor([2.0]))
            >>> list(net.state_dict())
            ['scale']
        """
        if not isinstance(name, str):
            raise TypeError(
                f"For 'register_buffer', 'name' must be a str, but got {type(name).__name__}."
            )
        if "." in name or name == "":
            raise KeyError(
                f"For 'register_buffer', the name must have no '.' and not be empty, got {name!r}."
            )
        if name not in self._buffers and hasattr(self, name):
            raise KeyError(f"For 'register_buffer', the attribute '{name}' already exists.")
        if tensor is not None and (not isinstance(tensor, Tensor) or isinstance(tensor, Parameter)):
            raise TypeError(
                f"For 'register_buffer', 'tensor' must be a Tensor or None, but got "
                f"{describe(tensor)}; a Parameter is assigned as an attribute."
            )
        for hook in list(_buffer_hooks.values()):
            result = hook(self, name, tensor)
            tensor = tensor if result is None else result
        self._buffers[name] = tensor
        self.__dict__[name] = tensor
        transient = self.__dict__.setdefault("_transient_buffers", set())
        transient.discard(name)
        if not persistent:
            transient.add(name)

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Pairs of path and buffer of this cell and, with `recurse`, of its descendants.

        Args:
            prefix (str): put before every path. Default: ``""``.
            recurse (bool): whether descendants are included. Default: True.
            remove_duplicate (bool): whether a buffer that has several paths comes only once, under
                the first. Default: True.
        """
        seen: set[int] = set()
        cells = self.cells_and_names(name_prefix=prefix) if recurse else ((prefix, self),)  # type: ignore[attr-defined]
        for path, cell in cells:
            for name, value in cell._buffers.items():
                if value is None or (remove_duplicate and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this cell and, with `recurse`, of its descendants.

        Args:
            recurse (bool): whether descendants are included. Default: True.
        """
        for _, value in self.named_buffers(recurse=recurse):
            yield value

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path.

        Args:
            target (str): the path of attribute names, for example ``"norm.scale"``.

        Raises:
            AttributeError: there is no buffer at that path.
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)  # type: ignore[attr-defined]
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer of {type(cell).__name__}.")
        return cell._buffers[name]

    # ------------------------------------------------------------------ state_dict

    def state_dict(
        self,
        *args: Any,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Any]:
        """The parameters and persistent buffers by their path of attribute names.

        Args:
            args: `destination`, `prefix` and `keep_vars` by position.
            destination (dict): a dictionary to fill. Default: None, a new one.
            prefix (str): put before every name. Default: ``""``.
            keep_vars (bool): accepted for compatibility: the entries are the parameters
                themselves either way, sharing memory with the cell. Default: False.

        Returns:
            OrderedDict of str to Parameter or Tensor.

        Difference from PyTorch: the entries are Parameter objects; buffers precede parameters.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> list(ms.nn.Dense(2, 1).state_dict())
            ['weight', 'bias']
        """
        if args:  # the older positional form: destination, prefix, keep_vars
            destination = args[0]
            prefix = args[1] if len(args) > 1 else prefix
        entry: dict[str, Any] = OrderedDict() if destination is None else destination
        for hook in list(self.__dict__.get("_state_dict_pre_hooks", {}).values()):
            hook(self, prefix, keep_vars)
        transient = self.__dict__.get("_transient_buffers", ())
        for name, value in self._buffers.items():
            if value is not None and name not in transient:
                entry[prefix + name] = value
        for name, value in self._params.items():
            if value is not None:
                entry[prefix + name] = value
        extra = self.get_extra_state()
        if extra is not None:
            entry[f"{prefix}_extra_state"] = extra
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=entry, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self.__dict__.get("_state_dict_hooks", {}).values()):
            result = hook(self, entry, prefix, {})
            entry = entry if result is None else result
        return entry

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> Any:
        """Copy values into the parameters and buffers of the same path.

        All problems are found before anything is changed: a call that raises changes nothing.

        Args:
            state_dict (dict): path to Tensor or Parameter, as from :meth:`state_dict`.
            strict (bool): whether missing and unexpected names are errors. Default: True.

        Returns:
            A pair ``(missing_keys, unexpected_keys)``.

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: names are missing or unexpected (with `strict`), or shapes differ; all
                of them are listed.

        Difference from PyTorch: there, values are copied up to the first problem.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(2, 1)
            >>> net.load_state_dict({"weight": ms.Tensor([[1.0, 2.0]])}, strict=False).missing_keys
            ['bias']
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(
                "For 'load_state_dict', 'state_dict' must be a dict, but got "
                f"{type(state_dict).__name__}."
            )
        given = OrderedDict(state_dict)
        for _, cell in self.cells_and_names():  # type: ignore[attr-defined]
            for hook in list(cell.__dict__.get("_load_state_dict_pre_hooks", {}).values()):
                hook(cell, given, "", {}, strict, [], [], [])
        own: dict[str, Tensor] = {}
        extras: dict[str, CellState] = {}
        for path, cell in self.cells_and_names():  # type: ignore[attr-defined]
            prefix = f"{path}." if path else ""
            transient = cell.__dict__.get("_transient_buffers", ())
            for name, value in [*cell._buffers.items(), *cell._params.items()]:
                if value is not None and name not in transient:
                    own.setdefault(prefix + name, value)
            if type(cell).set_extra_state is not CellState.set_extra_state:
                extras[f"{prefix}_extra_state"] = cell
        aliases = set(self.state_dict())  # a shared cell has a path for each place it stands in
        missing = [k for k in own if k not in given]
        unexpected = [k for k in given if k not in own and k not in extras and k not in aliases]
        problems = []
        if strict and missing:
            problems.append("Missing key(s) in state_dict: " + _quoted(missing))
        if strict and unexpected:
            problems.append("Unexpected key(s) in state_dict: " + _quoted(unexpected))
        for name, value in own.items():
            if name not in given:
                continue
            new = given[name]
            if not isinstance(new, Tensor):
                problems.append(f"'{name}' must be a Tensor, but got {describe(new)}.")
            elif new.shape != value.shape:
                problems.append(
                    f"size mismatch for {name}: the state_dict has shape {new.shape}, the cell "
                    f"has {value.shape}."
                )
        if problems:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(problems)
            )
        for name, value in own.items():
            if name in given:
                _copy_into(value, given[name])
        for name, cell in extras.items():
            if name in given:
                cell.set_extra_state(given[name])
        result = IncompatibleKeys(missing, unexpected)
        for _, cell in self.cells_and_names():  # type: ignore[attr-defined]
            for hook in list(cell.__dict__.get("_load_state_dict_post_hooks", {}).values()):
                hook(cell, result)
        return result

    def get_extra_state(self) -> Any:
        """State beyond tensors that ``state_dict`` should hold; None (the default) for nothing."""
        return None

    def set_extra_state(self, state: Any) -> None:
        """Take back what :meth:`get_extra_state` gave; subclasses that define one define both.

        Args:
            state: what ``get_extra_state`` returned when the state was saved.

        Raises:
            RuntimeError: the subclass does not define it.
        """
        raise RuntimeError(
            f"{type(self).__name__} found extra state in a state_dict but defines no "
            "set_extra_state(state); define it beside get_extra_state."
        )

    def _add_state_hook(self, kind: str, hook: Callable[..., Any]) -> HookHandle:
        return HookHandle(self.__dict__.setdefault(f"_{kind}", OrderedDict()), checked(hook, kind))

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, prefix, keep_vars)`` before the state is gathered.

        Args:
            hook (Callable): its result is not used.
        """
        return self._add_state_hook("state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, state_dict, prefix, metadata)`` after the state was gathered.

        Args:
            hook (Callable): a result other than None replaces the dictionary.
        """
        return self._add_state_hook("state_dict_hooks", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, state_dict, prefix, ...)`` before values are copied.

        Args:
            hook (Callable): may change the dictionary; its result is not used.
        """
        return self._add_state_hook("load_state_dict_pre_hooks", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, incompatible_keys)`` after values were copied.

        Args:
            hook (Callable): gets the pair of missing and unexpected names; its result is not used.
        """
        return self._add_state_hook("load_state_dict_post_hooks", hook)


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{n}"' for n in names) + "."


def _copy_into(target: Tensor, source: Tensor) -> None:
    if isinstance(target, Parameter):
        target.set_data(source)
    else:
        target._value.data.copy_(source._value.detach())
        runtime.weights += 1
