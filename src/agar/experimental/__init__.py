"""What may still change in MindSpore: optimizers of groups, and their schedulers."""

from agar.experimental import optim as optim
from agar.experimental.map_parameter import MapParameter as MapParameter

__all__ = ["MapParameter", "optim"]
