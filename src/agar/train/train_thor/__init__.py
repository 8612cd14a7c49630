"""Networks and models for the optimizer THOR."""

from agar.train.train_thor.convert_utils import ConvertModelUtils as ConvertModelUtils
from agar.train.train_thor.convert_utils import ConvertNetUtils as ConvertNetUtils

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]
