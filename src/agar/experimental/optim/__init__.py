"""Optimizers whose groups have options of their own, and schedulers of learning rates."""

from agar.experimental.optim import lr_scheduler as lr_scheduler
from agar.experimental.optim.adadelta import Adadelta as Adadelta
from agar.experimental.optim.adagrad import Adagrad as Adagrad
from agar.experimental.optim.adam import Adam as Adam
from agar.experimental.optim.adamax import Adamax as Adamax
from agar.experimental.optim.adamw import AdamW as AdamW
from agar.experimental.optim.asgd import ASGD as ASGD
from agar.experimental.optim.nadam import NAdam as NAdam
from agar.experimental.optim.optimizer import Optimizer as Optimizer
from agar.experimental.optim.radam import RAdam as RAdam
from agar.experimental.optim.rmsprop import RMSprop as RMSprop
from agar.experimental.optim.rprop import Rprop as Rprop
from agar.experimental.optim.sgd import SGD as SGD

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]
