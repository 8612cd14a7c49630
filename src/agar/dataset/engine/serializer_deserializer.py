"""Pipelines as JSON, and back."""

from __future__ import annotations

import inspect
import json
import os
from enum import Enum
from typing import Any

import numpy as np

from agar._core.errors import missing_feature
from agar._core.file_reading import reading
from agar.dataset.engine import samplers
from agar.dataset.engine._checks import Check
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._registry import provide
from agar.dataset.engine.datasets import Dataset, SourceDataset
from agar.dataset.engine.samplers import BuiltinSampler, Shuffle
from agar.log import info

__all__ = ["DeserializedDataset", "compare", "deserialize", "expand_path", "serialize", "show"]

#: what arguments of constructors are called as attributes, where that differs
_ATTRIBUTES = {
    "FakeImageDataset": {"num_classes": "_classes"},
    "RenameDataset": {
        "input_columns": "input_column_names",
        "output_columns": "output_column_names",
    },
    "SyncWaitDataset": {"condition_name": "_condition_name"},
}


def _plain(value: Any) -> Any:
    """A value that JSON can hold; what it cannot becomes its name."""
    if value is None or (
        isinstance(value, (bool, int, float, str)) and not isinstance(value, Enum)
    ):
        return value
    if isinstance(value, Enum):
        return f"Shuffle.{value.name}" if isinstance(value, Shuffle) else value.name
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, BuiltinSampler):
        return _sampler(value)
    name = getattr(value, "__qualname__", None) or type(value).__qualname__
    return {"python": f"{getattr(value, '__module__', '')}.{name}"}


def _arguments(thing: Any) -> dict[str, Any]:
    entries = {}
    renamed = _ATTRIBUTES.get(type(thing).__name__, {})
    for name in inspect.signature(type(thing).__init__).parameters:
        attribute = renamed.get(name, name)
        value = getattr(thing, attribute, None)
        left_out = ("self", "input_dataset", "datasets", "cache")
        if name not in left_out and hasattr(thing, attribute) and not inspect.ismethod(value):
            entries[name] = _plain(value)
    return entries


def _sampler(sampler: BuiltinSampler) -> dict[str, Any]:
    entries = {"sampler": type(sampler).__name__, **_arguments(sampler)}
    if sampler.child_sampler is not None:
        entries["child_sampler"] = _sampler(sampler.child_sampler)
    return entries


def described(dataset: Dataset) -> dict[str, Any]:
    """The operations of a pipeline and their arguments."""
    entries = {"op_type": type(dataset).__name__.removesuffix("Dataset"), **_arguments(dataset)}
    sampler = getattr(dataset, "sampler", None)
    if isinstance(sampler, BuiltinSampler):
        entries["sampler"] = _sampler(sampler)
    elif isinstance(dataset, SourceDataset):
        entries["shuffle"] = _plain(dataset._shuffle)
    entries["children"] = [described(child) for child in dataset.children]
    return entries


def serialize(dataset: Dataset, json_filepath: str = "") -> dict[str, Any]:
    """Describe the operations of a pipeline and their arguments as a dict, and write it to a file.

    Args:
        dataset (Dataset): the pipeline.
        json_filepath (str, optional): the file. Default: ``''``, none.

    Raises:
        TypeError: an argument has the wrong type.
        OSError: the file cannot be written.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> ds.serialize(ds.NumpySlicesDataset([1, 2]).batch(2))["batch_size"]
        2
    """
    Check("dataset.serialize").kind("dataset", dataset, Dataset)
    return dataset.to_json(json_filepath)


def deserialize(
    input_dict: dict[str, Any] | None = None, json_filepath: str | None = None
) -> Dataset | None:
    """Build the pipeline that :func:`serialize` described.

    Args:
        input_dict (dict, optional): the dict. Default: ``None``.
        json_filepath (str, optional): the file. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the file is missing or damaged.
        NotImplementedError: there is a source or an operation with data or functions of Python in
            it, such as GeneratorDataset and map.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.
    """
    value = None
    if input_dict:
        value = DeserializedDataset(input_dict)
    if json_filepath:
        value = DeserializedDataset(json_filepath)
    return value


def expand_path(node_repr: dict[str, Any], key: str, val: Any) -> None:
    """Store a path in a description as an absolute path.

    Args:
        node_repr (dict): the description, changed in place.
        key (str): the key to store it under.
        val (Union[str, list[str]]): the path, or a list of paths.
    """
    node_repr[key] = (
        [os.path.realpath(path) for path in val] if isinstance(val, list) else os.path.realpath(val)
    )


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Write the operations of a pipeline to the log, at the level INFO.

    Args:
        dataset (Dataset): the pipeline.
        indentation (int, optional): that of the JSON text. Default: ``2``.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.
    """
    info(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines have the same operations with the same arguments.

    Args:
        pipeline1 (Dataset): one.
        pipeline2 (Dataset): the other.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> one, two = (ds.FakeImageDataset(3, (4, 4, 3)).batch(n) for n in (2, 3))
        >>> ds.compare(one, one), ds.compare(one, two)
        (True, False)
    """
    return serialize(pipeline1) == serialize(pipeline2)


class DeserializedDataset(Dataset):
    """A pipeline that was read from JSON.

    Args:
        input_obj (Union[dict, str]): what `serialize` gave, or the file of it.

    Raises:
        ValueError: the file is missing or damaged.
        NotImplementedError: it has data or functions of Python in it.
    """

    def __init__(self, input_obj: Any) -> None:
        Check("dataset.deserialize").kind("input_dict", input_obj, dict, str)
        if isinstance(input_obj, str):
            advice = "It must be a JSON file that dataset.serialize wrote."
            also = (NotImplementedError,)
            with reading("dataset.deserialize", input_obj, ValueError, advice, also):
                with open(input_obj, encoding="utf-8") as stream:
                    self.input_obj = json.load(stream)
                children = _built(self.input_obj)
        else:
            self.input_obj = input_obj
            children = _built(self.input_obj)
        super().__init__(children=children)

    def _flow(self, run: Run) -> Flow:
        return self.children[0]._supply(run)


def _value(value: Any, where: str) -> Any:
    if isinstance(value, dict) and "python" in value:
        raise missing_feature(
            f"'dataset.deserialize' of {where}",
            f"{value['python']} is an object of the program, which JSON cannot hold",
            "build the pipeline in Python",
        )
    if isinstance(value, dict) and "sampler" in value:
        kind = getattr(samplers, value["sampler"], None)
        if not (isinstance(kind, type) and issubclass(kind, BuiltinSampler)):
            raise ValueError(f"For 'dataset.deserialize', {value['sampler']!r} is not a sampler.")
        given = {k: v for k, v in value.items() if k not in ("sampler", "child_sampler", "seed")}
        result = kind(**{k: _value(v, where) for k, v in given.items()})
        if "child_sampler" in value:
            result.add_child(_value(value["child_sampler"], where))
        return result
    if isinstance(value, str) and value.startswith("Shuffle."):
        return Shuffle[value.removeprefix("Shuffle.")]
    return value


def _kinds() -> dict[str, Any]:
    """agar's sources and operations by name."""
    kinds = [Dataset]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    homes = ("agar.dataset.", "mindspore.dataset.")
    return {kind.__name__: kind for kind in kinds if kind.__module__.startswith(homes)}


def _built(description: dict[str, Any]) -> Dataset:
    name = f"{description['op_type']}Dataset"
    if name in ("GeneratorDataset", "NumpySlicesDataset", "PaddedDataset"):
        raise missing_feature(
            f"'dataset.deserialize' of {name}",
            "its rows are objects of the Python program, which JSON cannot hold",
            "build the pipeline in Python",
        )
    # only classes of pipelines are made, whatever else may have such a name
    kind = _kinds().get(name)
    if kind is None:
        raise ValueError(f"For 'dataset.deserialize', {name!r} is not an operation of a pipeline.")
    children = [_built(child) for child in description.get("children", [])]
    given = {
        key: _value(value, name)
        for key, value in description.items()
        if key not in ("op_type", "children")
    }
    if given.get("sampler") is not None:
        # it was made of these arguments
        for key in ("shuffle", "num_samples", "num_shards", "shard_id"):
            given.pop(key, None)
    for key in ("input_columns", "output_columns"):
        if not given.get(key, True):
            del given[key]
    make: Any = kind
    if name in ("ConcatDataset", "ZipDataset"):
        return make(children)
    return make(*children, **given)


provide(DeserializedDataset, described)
