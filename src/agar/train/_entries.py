"""What `save_checkpoint` saves: names and values of the forms that it takes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch  # numbers of append_dict become tensors of given types

from agar import log
from agar._core.errors import describe
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.random.generator import Generator
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell
from agar.train._load_parameters import buffers_of, parameters_of


def chosen(save_obj: Any, choice_func: Any) -> dict[str, Tensor | str]:
    """What is to be saved by name, in the order of the file.

    Raises:
        TypeError: the object, something in it or the function has the wrong type.
    """
    if choice_func is not None and not callable(choice_func):
        raise TypeError(
            "For 'save_checkpoint', the argument 'choice_func' must be callable: it takes a name "
            f"and returns a bool; but got {describe(choice_func)}."
        )
    entries: dict[str, Tensor | str] = {}
    twice = []
    for name, value in _named(save_obj):
        if choice_func is None or choice_func(name):
            if name in entries:
                twice.append(name)
            entries[name] = value
    if twice:
        log.warning(
            "For 'save_checkpoint', several values have the same name, of which the last is saved: "
            "%s. cell.check_names() tells where they are.",
            twice,
        )
    return entries


def _named(save_obj: Any) -> Iterator[tuple[str, Tensor | str]]:
    if isinstance(save_obj, Cell):
        yield from parameters_of(save_obj)
        yield from buffers_of(save_obj).items()
    elif isinstance(save_obj, dict):
        for name, value in save_obj.items():
            if not isinstance(name, str) or not isinstance(value, (Tensor, str)):
                raise TypeError(
                    "For 'save_checkpoint', a dict as save_obj must have keys of type str and "
                    "values of type Parameter or Tensor, but got the key "
                    f"{name!r} and the value {describe(value)}." + _remedy(value)
                )
            yield name, value
    elif isinstance(save_obj, (list, ParameterTuple)):
        for item in save_obj:
            yield _named_item(item)
    else:
        raise TypeError(
            "For 'save_checkpoint', the argument 'save_obj' must be nn.Cell, list or dict, but got "
            f"{describe(save_obj)} of type {type(save_obj).__name__}."
        )


def _named_item(item: Any) -> tuple[str, Tensor]:
    if isinstance(item, Parameter):
        return item.name, item
    if not isinstance(item, dict):
        raise TypeError(
            "For 'save_checkpoint', a list as save_obj must have Parameters, or dicts "
            f"{{'name': str, 'data': Tensor}}, but got {describe(item)}."
        )
    if "name" not in item or "data" not in item:
        raise TypeError(
            "For 'save_checkpoint', a dict in the list save_obj must have the keys 'name' and "
            f"'data', but it has {list(item)}."
        )
    name, data = item["name"], item["data"]
    if not isinstance(name, str) or not isinstance(data, Tensor):
        raise TypeError(
            "For 'save_checkpoint', in a dict in the list save_obj, 'name' must be a str and "
            f"'data' a Parameter or Tensor, but got {name!r} and {describe(data)}." + _remedy(data)
        )
    return name, data


def _remedy(value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return " Numbers go into append_dict."
    return " Wrap arrays first: ms.Tensor(array)." if hasattr(value, "__array__") else ""


def append(entries: dict[str, Tensor | str], extra: Any) -> None:
    """Add the values of append_dict.

    Raises:
        TypeError: it is not a dict, or a name or value in it of another type.
        RuntimeError: an int is beyond int64.
    """
    if extra is None:
        return
    if not isinstance(extra, dict):
        raise TypeError(
            "For 'save_checkpoint', the argument 'append_dict' must be a dict, but got "
            f"{type(extra).__name__}."
        )
    added = {name: _appended(name, value) for name, value in extra.items()}
    replaced = [name for name in added if name in entries]
    if replaced:
        log.warning(
            "For 'save_checkpoint', of these names the values of append_dict are saved, not those "
            "of save_obj: %s.",
            replaced,
        )
    entries.update(added)


def _appended(name: Any, value: Any) -> Tensor | str:
    if isinstance(name, str):
        if isinstance(value, (Tensor, str)):
            return value
        if isinstance(value, Generator):
            return value.get_state()
        if isinstance(value, bool):
            return wrap(torch.tensor(value))
        if isinstance(value, int):
            if not -(1 << 63) <= value < 1 << 63:
                raise RuntimeError(
                    f"For 'save_checkpoint', the value of '{name}' in append_dict is {value}, "
                    "which int64 cannot hold; save it as a str."
                )
            return wrap(torch.tensor(value, dtype=torch.int64))
        if isinstance(value, float):
            saved = torch.tensor(value, dtype=torch.float32)
            if math.isinf(saved) and not math.isinf(value):
                log.warning(
                    "For 'save_checkpoint', the value of '%s' in append_dict, %s, is saved as "
                    "float32, which makes it infinite; pass ms.Tensor(value, ms.float64).",
                    name,
                    value,
                )
            return wrap(saved)
    raise TypeError(
        "For 'save_checkpoint', the argument 'append_dict' must have keys of type str and values "
        "of type int, float, bool, str, Tensor, Parameter or Generator, but got the key "
        f"{name!r} and the value {describe(value)} of type {type(value).__name__}."
        + (" Wrap arrays first: ms.Tensor(array)." if hasattr(value, "__array__") else "")
    )
