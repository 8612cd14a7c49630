"""Message classes of protobuf, declared in Python: no compiler and no generated file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["message_classes", "parsed"]


def message_classes(package: str, messages: Mapping[str, Mapping[str, tuple[int, str]]]) -> Any:
    """The classes of messages, by name.

    Args:
        package: the name of the package; one for each call.
        messages: the fields of each message: number and type by name. A type is a scalar type of
            protobuf or the name of another message; ``repeated`` or ``packed`` (a repeated field
            in one piece) may stand before it.

    Returns:
        dict of message classes. A field that is not repeated is optional: it knows whether it
        was set.
    """
    # imported when a file is read or written: loading protobuf takes longer than most imports
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package.replace('.', '/')}.proto", package=package, syntax="proto2"
    )
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field, (number, declared) in fields.items():
            *rule, kind = declared.split()
            label = kinds.LABEL_REPEATED if rule else kinds.LABEL_OPTIONAL
            entry = message.field.add(name=field, number=number, label=label)
            if kind in messages:
                entry.type, entry.type_name = kinds.TYPE_MESSAGE, f".{package}.{kind}"
            else:
                entry.type = kinds.Type.Value(f"TYPE_{kind.upper()}")
            if rule == ["packed"]:
                entry.options.packed = True
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    result = pool.FindMessageTypeByName
    return {name: message_factory.GetMessageClass(result(f"{package}.{name}")) for name in messages}


def parsed(message_class: Any, data: bytes) -> Any:
    """The message of bytes.

    Raises:
        ValueError: they are not such a message.
    """
    from google.protobuf.message import DecodeError

    try:
        return message_class.FromString(data)
    except DecodeError as error:
        raise ValueError(f"it is not a message of protobuf ({error})") from None
