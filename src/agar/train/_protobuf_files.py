"""The protobuf messages of MindSpore's files, at its paths ``train.*_pb2``.

`messages.txt` lists those of checkpoints, graphs, summaries, prints and lineage. A module has what
protobuf's compiler would write: `DESCRIPTOR`, the classes, enumerations with their members, and a
descriptor under ``_NAME`` for each. The descriptors are in a pool of their own, so that other
copies of these files in a process do no harm.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["lookup", "module_names"]

_INDENT = 2


@cache
def _files() -> dict[str, tuple[str, list[str]]]:
    """For each module the words of its head, and its lines."""
    text = Path(__file__).with_name("messages.txt").read_text(encoding="utf-8")
    text = re.sub(r"\n +\+ ", " ", text)  # continued lines
    files = {}
    for section in text.split("\n[")[1:]:
        module, _, rest = section.partition("] ")
        head, *lines = rest.rstrip().split("\n")
        files[module] = (head, lines)
    return files


def _add_field(message: Any, words: list[str]) -> None:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field

    number, *words = words
    label = "OPTIONAL"
    if words[0] in ("repeated", "required"):
        label = words.pop(0).upper()
    kind, name, *options = words
    field = message.field.add(name=name, number=int(number), label=f"LABEL_{label}")
    if kind.startswith("."):
        field.type_name = kind  # whether it is a message or an enumeration is known to the pool
    else:
        field.type = Field.Type.Value(f"TYPE_{kind.upper()}")
    for option in options:
        key, _, value = option.partition("=")
        if key == "packed":
            field.options.packed = True
        elif key == "default":
            field.default_value = value
        else:
            choices = [choice.name for choice in message.oneof_decl]
            if value not in choices:
                message.oneof_decl.add(name=value)
                choices.append(value)
            field.oneof_index = choices.index(value)


def _add_line(around: list[Any], line: str) -> None:
    """One line of a file: to the message around it, or to the file."""
    words = line.split()
    depth = (len(line) - len(line.lstrip())) // _INDENT
    parent = around[depth]
    del around[depth + 1 :]
    if words[0] == "message":
        entries = parent.message_type if depth == 0 else parent.nested_type
        around.append(entries.add(name=words[1]))
        if "map" in words[2:]:
            around[-1].options.map_entry = True
    elif words[0] == "enum":
        members = parent.enum_type.add(name=words[1])
        for word in words[2:]:
            name, _, number = word.partition("=")
            members.value.add(name=name, number=int(number))
    else:
        _add_field(parent, words)


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool

    pool = descriptor_pool.DescriptorPool()
    for head, lines in _files().values():  # those that others use come first
        name, package, *uses = head.split()
        file = descriptor_pb2.FileDescriptorProto(name=name, dependency=uses, syntax="proto2")
        if package != "-":
            file.package = package
        around: list[Any] = [file]
        for line in lines:
            _add_line(around, line)
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def _descriptors(prefix: str, holder: Any) -> dict[str, Any]:
    """Messages and enumerations at any depth, under the names that protobuf's compiler gives."""
    entries = {}
    inner = getattr(holder, "message_types_by_name", None)
    for message in (holder.nested_types_by_name if inner is None else inner).values():
        name = f"{prefix}_{message.name.upper()}"
        entries[name] = message
        entries.update(_descriptors(name, message))
    for enum in holder.enum_types_by_name.values():
        entries[f"{prefix}_{enum.name.upper()}"] = enum
    return entries


@cache
def _module(module: str) -> dict[str, Any]:
    from google.protobuf import message_factory, symbol_database
    from google.protobuf.internal import enum_type_wrapper

    description = _pool().FindFileByName(_files()[module][0].split()[0])
    space: dict[str, Any] = {"DESCRIPTOR": description, "_sym_db": symbol_database.Default()}
    space.update(_descriptors("", description))
    for name, enum in description.enum_types_by_name.items():
        space[name] = enum_type_wrapper.EnumTypeWrapper(enum)
        space.update({value.name: value.number for value in enum.values})
    for name, message in description.message_types_by_name.items():
        space[name] = message_factory.GetMessageClass(message)
        space[name].__module__ = f"agar.train.{module}"
        fields = ", ".join(field.name for field in message.fields)
        space[name].__doc__ = f"A message of MindSpore's files, with the fields {fields}."
    space["_globals"] = space
    return space


def module_names(module: str) -> list[str]:
    """The names of a module, such as ``summary_pb2``."""
    return sorted(_module(module))


def lookup(path: str, name: str, missing: Any) -> Any:
    """What a module at MindSpore's path has for a name, else `missing`."""
    module = path.rpartition(".")[2]
    return _module(module).get(name, missing) if module in _files() else missing
