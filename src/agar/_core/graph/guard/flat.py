"""Which objects cannot change, so that identity, or type and value, tells all of them."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import operator
import pathlib
import re
import types
import typing
import uuid
from typing import Any

import numpy as np
import torch

from agar._core import dtype as mstype
from agar._core.graph.guard.getters import BY_VALUE
from agar._core.graph.record.monitor import USER, kind_of_module

__all__ = ["is_flat"]
#: Objects that cannot change: identity (or, for those above, type and value) tells all.
_FLAT = (
    *BY_VALUE,
    type(Ellipsis),
    type(NotImplemented),
    range,
    slice,
    enum.Enum,
    mstype.Type,
    torch.dtype,
    torch.device,
    torch.layout,
    torch.memory_format,
    torch.Generator,
    np.dtype,
    np.ufunc,
    re.Pattern,
    datetime.date,
    datetime.timedelta,
    datetime.tzinfo,
    decimal.Decimal,
    fractions.Fraction,
    uuid.UUID,
    pathlib.PurePath,
    operator.attrgetter,
    operator.itemgetter,
    operator.methodcaller,
    types.CodeType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GenericAlias,
    types.UnionType,
    typing.TypeVar,
    typing.ParamSpec,
    type(collections.namedtuple("_Named", "item").item),  # type: ignore[attr-defined]
)


_flat: dict[type, bool] = {}  # of classes of libraries: some of `_FLAT` are slow to ask


def is_flat(value: Any) -> bool:
    """Whether a value is an instance of `_FLAT`."""
    kind = type(value)
    known = _flat.get(kind)
    if known is None:
        known = isinstance(value, _FLAT) and not issubclass(kind, np.void)
        if kind_of_module(kind.__module__) != USER:
            _flat[kind] = known
    return known
