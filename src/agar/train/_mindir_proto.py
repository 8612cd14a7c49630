"""The protobuf messages of MindSpore's ``.mindir`` files, as far as they are read.

The library skips fields that are not declared, such as those of training on several devices.
"""

from __future__ import annotations

import functools
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

__all__ = ["DecodeError", "model_class"]

# message: "number type name"; a star stands for repeated, a capital for a message
_MESSAGES = {
    "AttributeProto": (
        "1 string name, 2 float f, 3 int64 i, 4 double d, 5 bytes s, 6 TensorProto t, "
        "8 float* floats, 9 double* doubles, 10 int64* ints, 11 bytes* strings, "
        "12 TensorProto* tensors, 16 int32 type, 17 AttributeProto* values"
    ),
    "ExternalDataProto": "1 string location, 2 int64 offset, 3 int64 length",
    "TensorProto": (
        "1 int64* dims, 2 int32 data_type, 7 string name, 9 bytes raw_data, "
        "12 ExternalDataProto external_data, 13 string ref_key, 16 int32 compression_type"
    ),
    "ValueInfoProto": "1 string name, 2 TensorProto* tensor, 5 AttributeProto attr_info",
    "NodeProto": (
        "1 string* input, 2 string* output, 3 string name, 4 string op_type, "
        "5 AttributeProto* attribute"
    ),
    "GraphProto": (
        "1 NodeProto* node, 2 string name, 3 TensorProto* parameter, 5 ValueInfoProto* input, "
        "6 ValueInfoProto* output"
    ),
    "PrimitiveProto": (
        "1 string name, 2 string op_type, 3 AttributeProto* attribute, 5 int32 prim_type"
    ),
    "ModelProto": (
        "1 string ir_version, 2 string producer_name, 5 string model_version, 7 GraphProto graph, "
        "8 GraphProto* functions, 10 bool little_endian, 12 PrimitiveProto* primitives, "
        "13 int64 mind_ir_version"
    ),
}


@functools.cache
def model_class() -> Any:
    """The class of the message that a whole file is."""
    kinds = descriptor_pb2.FieldDescriptorProto
    package = "agar.mindir"
    file = descriptor_pb2.FileDescriptorProto(
        name="agar/mindir.proto", package=package, syntax="proto2"
    )
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field in fields.split(", "):
            number, kind, label = field.split(" ")
            repeated = kind.endswith("*")
            kind = kind.removesuffix("*")
            result = message.field.add(
                name=label,
                number=int(number),
                label=kinds.LABEL_REPEATED if repeated else kinds.LABEL_OPTIONAL,
            )
            if kind[0].isupper():
                result.type, result.type_name = kinds.TYPE_MESSAGE, f".{package}.{kind}"
            else:
                result.type = getattr(kinds, f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.ModelProto"))
