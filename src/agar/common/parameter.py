"""Parameter, under MindSpore's path."""

from agar._core.parameter import Parameter as Parameter
from agar._core.parameter import ParameterTuple as ParameterTuple

__all__ = [
    "Parameter",
    "ParameterTuple",
]
