"""Spreading a program over devices: plans are held, one device computes the whole."""

from agar._core import absent as _absent
from agar.parallel import nn as nn
from agar.parallel.algo_parameter_config import get_algo_parameters as get_algo_parameters
from agar.parallel.algo_parameter_config import reset_algo_parameters as reset_algo_parameters
from agar.parallel.algo_parameter_config import set_algo_parameters as set_algo_parameters
from agar.parallel.checkpoint_transform import merge_sliced_parameter as merge_sliced_parameter
from agar.parallel.shard import Layout as Layout
from agar.parallel.shard import shard as shard

__all__ = [
    *_absent.names("parallel"),
    "Layout",
    "get_algo_parameters",
    "merge_sliced_parameter",
    "nn",
    "reset_algo_parameters",
    "set_algo_parameters",
    "shard",
]

__getattr__ = _absent.finder(__name__, globals())
