"""Mixed precision, under MindSpore's path; see `agar.amp`."""

from agar.nn._amp import auto_mixed_precision as auto_mixed_precision
from agar.nn._amp import build_train_network as build_train_network
from agar.nn._amp import custom_mixed_precision as custom_mixed_precision
from agar.nn._amp import get_black_list as get_black_list
from agar.nn._amp import get_white_list as get_white_list

__all__ = [
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]
