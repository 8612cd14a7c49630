# %% [markdown]
# # Operators and gradients of your own
#
# Most new operators are functions of operators that exist, and their gradients follow. This page
# is about the rest: a gradient that you know better, code of numpy, and kernels.

# %%
import numpy as np
from scipy import special

import agar as ms
from agar import Tensor, nn, ops

# %% [markdown]
# ## Composed
#
# A function of operators needs nothing else, in both modes and under `vmap`:


# %%
def swish(x, beta=1.0):
    return x * ops.sigmoid(beta * x)


x = Tensor([-1.0, 0.0, 2.0])
swish(x), ms.grad(swish)(x)

# %% [markdown]
# ## A gradient of your own: `bprop`
#
# Rounding has the gradient zero nearly everywhere, so nothing before it learns. A
# *straight-through* estimate passes the gradient on as if nothing had been done. `bprop` gets the
# inputs, the output and the output's gradient, and returns one gradient for each input.


# %%
class Round(nn.Cell):
    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (dout,)


values = Tensor([0.2, 1.7])
print(Round()(values), ms.grad(ops.round)(values), ms.grad(Round())(values))

# %% [markdown]
# ## Is it right?
#
# A gradient that is meant to be the true one is compared with differences of the function:


# %%
class Softplus(nn.Cell):
    """log(1 + exp(x)), without overflow, and with the gradient written down."""

    def construct(self, x):
        return ops.maximum(x, 0.0) + ops.log1p(ops.exp(-ops.abs(x)))

    def bprop(self, x, out, dout):
        return (dout * ops.sigmoid(x),)


def differences(function, x, step=1e-6):
    found = np.zeros(x.shape)
    for place in np.ndindex(*x.shape):
        up, down = x.asnumpy().copy(), x.asnumpy().copy()
        up[place] += step
        down[place] -= step
        change = function(Tensor(up)).sum() - function(Tensor(down)).sum()
        found[place] = change.item() / (2 * step)
    return found


points = Tensor(np.array([-30.0, -1.0, 0.5, 40.0]))  # float64
np.testing.assert_allclose(
    ms.grad(Softplus())(points).asnumpy(), differences(Softplus(), points), atol=1e-8
)

# %% [markdown]
# ## Code of numpy
#
# `numpy_function` calls a function of arrays: one step of the graph, in both modes. With `vjp` it
# has a gradient: it gets the inputs, the output and the output's gradient.

# %%
gamma_log = ms.numpy_function(
    special.gammaln,
    vjp=lambda x, out, dout: dout * special.digamma(x),
)


@ms.jit
def total(x):
    return gamma_log(x).sum()


z = Tensor([1.5, 4.0])
for _ in range(3):
    value = total(z)
print(value, ms.grad(total)(z), special.digamma([1.5, 4.0]))

# %% [markdown]
# ## A layer around it
#
# Parameters belong to a `Cell`; their gradients go through the operator:


# %%
class Gamma(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(Tensor([2.0]), name="scale")

    def construct(self, x):
        return gamma_log(x * self.scale).sum()


layer = Gamma()
value, (gradient,) = ms.value_and_grad(layer, None, layer.trainable_params())(z)
print(value, gradient)
assert np.allclose(gradient.asnumpy(), (special.digamma(z.asnumpy() * 2) * z.asnumpy()).sum())

# %% [markdown]
# ## Kernels
#
# A kernel that is registered with PyTorch (C++, CUDA, Triton) is called on the tensors inside,
# and keeps its gradient: `agar.from_torch(my_kernel(x.to_torch()))`. A module around it becomes a
# cell with `ms.TorchCell`. See [Together with PyTorch](../guide/torch.md).

# %%
import torch

double = ms.TorchCell(torch.nn.Hardtanh(-1.0, 1.0))
double(Tensor([0.5, 3.0])), ms.grad(double)(Tensor([0.5, 3.0]))
