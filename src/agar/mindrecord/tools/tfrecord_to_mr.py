"""TFRecord files into MindRecord."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core.file_reading import reading
from agar._core.tfrecord import example, records
from agar.mindrecord.core.shardutils import SUCCESS, MSRStatus, check_filename
from agar.mindrecord.tools._convert import write

__all__ = ["TFRecordToMR"]

#: TensorFlow's types that examples are parsed to: the kind on the wire and MindRecord's type.
_KINDS = {"string": (1, "string"), "float32": (2, "float32"), "int64": (3, "int64")}
_OTHERS = r"[^a-zA-Z0-9_]"


class TFRecordToMR:
    """Converts a TFRecord file of ``tf.train.Example`` to a MindRecord file.

    Characters of names that MindRecord does not have become ``_``.

    Args:
        source (str): the TFRecord file.
        destination (str): the MindRecord file.
        feature_dict (dict[str, FixedLenFeature]): the features that are taken: objects with the
            attributes ``shape`` (``[]`` or ``[n]``), ``dtype`` (string, int64 or float32 of
            TensorFlow, or objects with that ``name``) and, where an example may lack it,
            ``default_value``. TensorFlow's ``tf.io.FixedLenFeature`` is one.
        bytes_fields (list[str]): the features of strings that are stored as bytes. Default:
            ``None``, none.

    Raises:
        ValueError: an argument is wrong.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, which needs TensorFlow to read the file.

    Examples:
        >>> from types import SimpleNamespace as Feature
        >>> from agar.mindrecord import TFRecordToMR
        >>> features = {"n": Feature(shape=[2], dtype="int64")}
        >>> TFRecordToMR("a.tfrecord", "a.mindrecord", features).transform()  # doctest: +SKIP
    """

    def __init__(
        self,
        source: str,
        destination: str,
        feature_dict: dict[str, Any],
        bytes_fields: list[str] | None = None,
    ) -> None:
        for name, path in (("source", source), ("destination", destination)):
            if not isinstance(path, str):
                raise ValueError(f"Parameter {name} must be string.")
            check_filename(path)
        if not isinstance(feature_dict, dict):
            raise ValueError("Parameter feature_dict is None or not dict.")
        self.source, self.destination = source, destination
        self.feature_dict = feature_dict
        self._features = {name: _Feature(name, value) for name, value in feature_dict.items()}
        self.bytes_fields_list = [self._bytes_field(name) for name in _listed(bytes_fields)]
        self.mindrecord_schema = {
            feature.column: feature.schema for feature in self._features.values()
        }
        if len(self.mindrecord_schema) < len(feature_dict):
            raise ValueError(
                f"Parameter feature_dict: {sorted(feature_dict)} have names that differ only in "
                "characters that MindRecord does not have."
            )

    def _bytes_field(self, name: str) -> str:
        feature = self._features.get(name)
        if feature is None:
            raise ValueError(
                f"Parameter bytes_fields's item: {name} is not in feature_dict: "
                f"{sorted(self.feature_dict)}."
            )
        if feature.kind != 1:
            raise ValueError(f"Parameter bytes_field: {name} should be tf.string in feature_dict.")
        feature.schema = {"type": "bytes"}
        return feature.column

    def tfrecord_iterator(self) -> Iterator[dict[str, Any]]:
        """The rows of the TFRecord file, as they are written.

        Yields:
            dict[str, Union[bytes, str, int, float, numpy.ndarray]], a row.

        Raises:
            RuntimeError: the file is not one of TFRecord, or damaged.
            ValueError: an example does not have the features of `feature_dict`.
        """
        with reading("TFRecordToMR", self.source), open(self.source, "rb") as file:
            data = file.read()
        for number, message in enumerate(records("TFRecordToMR", self.source, data)):
            with reading("TFRecordToMR", self.source, ValueError):
                result = example(message)
            row = {}
            for name, feature in self._features.items():
                row[feature.column] = feature.value(number, result.get(name))
            yield row

    def tfrecord_iterator_oldversion(self) -> Iterator[dict[str, Any]]:
        """The same; in MindSpore it reads with TensorFlow 1."""
        return self.tfrecord_iterator()

    def run(self) -> MSRStatus:
        """Convert.

        Returns:
            MSRStatus, SUCCESS.

        Raises:
            RuntimeError: the file is not one of TFRecord, or damaged.
            ValueError: an example does not have the features of `feature_dict`.
        """
        write(
            self.destination,
            self.mindrecord_schema,
            "TFRecord to MindRecord",
            self.tfrecord_iterator(),
        )
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Convert; see :meth:`run`."""
        return self.run()


def _listed(names: Any) -> list[str]:
    if names is None:
        return []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"Parameter bytes_fields: {names} must be list(str).")
    return names


class _Feature:
    """How one feature of an example becomes one field of a row."""

    def __init__(self, name: str, given: Any) -> None:
        # a feature of variable length has no shape; a sequence of them may be missing
        if not hasattr(given, "shape") or hasattr(given, "allow_missing"):
            raise ValueError(f"Parameter feature_dict: {name} only support FixedLenFeature.")
        self.name, self.column = name, re.sub(_OTHERS, "_", name)
        dtype = getattr(given.dtype, "name", given.dtype)
        if dtype not in _KINDS:
            raise ValueError(
                f"Parameter feature_dict[{name}].dtype must be one of {list(_KINDS)}, which "
                f"examples hold, but got {dtype}."
            )
        self.kind, type_name = _KINDS[dtype]
        self.schema: dict[str, Any] = {"type": type_name}
        shape = list(given.shape or ())
        self.size = shape[0] if shape else None
        if len(shape) > 1 or (shape and (not isinstance(shape[0], int) or shape[0] < 1)):
            raise ValueError(
                f"Parameter feature_dict[{name}].shape must be [] or [n] with n > 0, but got "
                f"{given.shape}."
            )
        if shape and self.kind == 1:
            raise ValueError(
                f"Parameter feature_dict[{name}].dtype is tf.string, which must be a scalar; got "
                f"the shape {given.shape}."
            )
        if shape:
            self.schema["shape"] = shape
        self.default = getattr(given, "default_value", None)

    def value(self, number: int, feature: tuple[int, list[Any]] | None) -> Any:
        """The field of the example of this number.

        Raises:
            ValueError: the example does not have it, or in another form.
        """
        if feature is None and self.default is not None:
            feature = (self.kind, np.ravel(self.default).tolist())
        kind, values = feature if feature is not None else (0, [])
        if kind != self.kind or len(values) != (self.size or 1):
            raise ValueError(
                f"TFRecord feature_dict parameter error: example {number} has "
                f"{len(values)} elements of '{self.name}', or of another type; "
                f"expected {self.size or 1} of {self.schema['type']}."
            )
        if self.size is not None:
            return np.array(values, self.schema["type"])
        if self.schema["type"] == "string" and isinstance(values[0], bytes):
            return values[0].decode("utf-8")
        return values[0]
