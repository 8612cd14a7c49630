"""Optimizers: objects that update parameters when called with gradients."""

from typing import TYPE_CHECKING

from agar._core.late import late as _late

if TYPE_CHECKING:
    from agar.nn.optim.ada_grad import Adagrad as Adagrad
    from agar.nn.optim.adadelta import Adadelta as Adadelta
    from agar.nn.optim.adafactor import AdaFactor as AdaFactor
    from agar.nn.optim.adam import Adam as Adam
    from agar.nn.optim.adam import AdamOffload as AdamOffload
    from agar.nn.optim.adam import AdamWeightDecay as AdamWeightDecay
    from agar.nn.optim.adamax import AdaMax as AdaMax
    from agar.nn.optim.adasum import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
    from agar.nn.optim.adasum import AdaSumByGradWrapCell as AdaSumByGradWrapCell
    from agar.nn.optim.asgd import ASGD as ASGD
    from agar.nn.optim.ftrl import FTRL as FTRL
    from agar.nn.optim.lamb import Lamb as Lamb
    from agar.nn.optim.lars import LARS as LARS
    from agar.nn.optim.lazyadam import LazyAdam as LazyAdam
    from agar.nn.optim.momentum import Momentum as Momentum
    from agar.nn.optim.optimizer import Optimizer as Optimizer
    from agar.nn.optim.proximal_ada_grad import ProximalAdagrad as ProximalAdagrad
    from agar.nn.optim.rmsprop import RMSProp as RMSProp
    from agar.nn.optim.rprop import Rprop as Rprop
    from agar.nn.optim.sgd import SGD as SGD
    from agar.nn.optim.tft_wrapper import OptTFTWrapper as OptTFTWrapper
else:
    __getattr__, __dir__ = _late(globals())

__all__ = [
    "ASGD",
    "FTRL",
    "LARS",
    "SGD",
    "AdaFactor",
    "AdaMax",
    "AdaSumByDeltaWeightWrapCell",
    "AdaSumByGradWrapCell",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "Lamb",
    "LazyAdam",
    "Momentum",
    "OptTFTWrapper",
    "Optimizer",
    "ProximalAdagrad",
    "RMSProp",
    "Rprop",
    "thor",
]

# its module has the same name and would stand in its place: the function has to come last
from agar.nn.optim.thor import thor as thor
