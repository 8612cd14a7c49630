"""Imports every family of operators, which registers their entries in the table."""

from agar.ops import cast as cast
from agar.ops import compare as compare
from agar.ops import create as create
from agar.ops import math as math
from agar.ops import nn_activation as nn_activation
from agar.ops import nn_conv as nn_conv
from agar.ops import nn_dense as nn_dense
from agar.ops import nn_dropout as nn_dropout
from agar.ops import nn_image as nn_image
from agar.ops import nn_norm as nn_norm
from agar.ops import nn_pool as nn_pool
from agar.ops import control as control
from agar.ops import ctc as ctc
from agar.ops import loss as loss
from agar.ops import loss_class as loss_class
from agar.ops import loss_primitives as loss_primitives
from agar.ops import shape as shape
from agar.ops import reduce as reduce
from agar.ops import random as random
from agar.ops import random_choice as random_choice
from agar.ops import random_class as random_class
from agar.ops import rnn as rnn
from agar.ops import linalg as linalg
from agar.ops import index as index
from agar.ops import scatter as scatter
