# %% [markdown]
# # Debugging
#
# Where a wrong shape, a NaN or a gradient of zero comes from, and how to see what a network
# computes.

# %%
import numpy as np

import agar as ms
from agar import Tensor, nn, ops

ms.set_seed(1)

# %% [markdown]
# ## Errors say where
#
# agar raises at the line that causes an error, never later. The message names the cell, the
# argument, what came and what was expected:


# %% raises
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.out = nn.Dense(128, 10)

    def construct(self, x):
        x = ops.relu(self.conv(x)).mean(axis=(2, 3))
        return self.out(x)


net = Net()
net(ops.ones((2, 3, 8, 8)))

# %% [markdown]
# The same in the words of another framework is answered with what to write here:

# %% raises
nn.Conv2d(3, 8, kernel_size=3, groups=2)

# %% [markdown]
# ## See every output
#
# A forward hook on each cell shows shapes on the way. `ms.summary(net, x)` prints the same as a
# table.

# %%
net.out = nn.Dense(8, 10)
handles = [
    cell.register_forward_hook(
        lambda cell, inputs, output, name=name: print(f"{name:6} {output.shape}")
    )
    for name, cell in net.cells_and_names()
    if name
]
net(ops.ones((2, 3, 8, 8)))
for handle in handles:
    handle.remove()

# %% [markdown]
# A debugger works as in any Python: in PYNATIVE_MODE a breakpoint in `construct` stops at real
# values. `print` works in both modes.
#
# ## Which cell makes the first NaN?
#
# One hook for all cells, raising where a value is no longer finite:


# %%
def watch(net):
    def check(name):
        def hook(cell, inputs, output):
            if not bool(ops.isfinite(output).all()):
                raise FloatingPointError(
                    f"{name} ({type(cell).__name__}) gives values that are not finite"
                )

        return hook

    return [cell.register_forward_hook(check(name)) for name, cell in net.cells_and_names() if name]


class Logs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 4)
        self.second = nn.Dense(4, 1)

    def construct(self, x):
        return self.second(ops.log(self.first(x)))


logs = Logs()
handles = watch(logs)

# %% raises
logs(ops.ones((2, 4)))

# %% [markdown]
# `first` is fine, so the logarithm between the two it is: it gets negative numbers.
#
# ## Gradients, by name
#
# Zeros mean that nothing leads from a parameter to the loss; large numbers, that a step will
# jump.

# %%
for handle in handles:
    handle.remove()


class Partly(nn.Cell):
    def __init__(self):
        super().__init__()
        self.used = nn.Dense(4, 2)
        self.forgotten = nn.Dense(4, 2)

    def construct(self, x):
        return self.used(x)


partly = Partly()
weights = partly.trainable_params()
step = ms.value_and_grad(lambda x: (partly(x) ** 2).sum(), None, weights)
_, grads = step(ops.ones((2, 4)))
for weight, grad in zip(weights, grads):
    size = grad.norm().item()
    print(f"{weight.name:18} {size:8.3f}{'' if size else '  <- not connected'}")

# %% [markdown]
# ## The same run again
#
# A seed makes draws, initial values and the order of data repeat, bit for bit:


# %%
def run():
    ms.set_seed(3)
    layer = nn.SequentialCell(nn.Dense(4, 4), nn.Dropout(p=0.5)).set_train()
    return layer(ops.ones((2, 4))).asnumpy()


assert np.array_equal(run(), run())

# %% [markdown]
# ## Only in GRAPH_MODE?
#
# `ms.graph.audit` compares replayed calls with Python, and raises where they differ. See
# [GRAPH_MODE and its report](graph_mode.md).

# %%
ms.set_context(mode=ms.GRAPH_MODE)
with ms.graph.audit(partly, every=1) as audit:
    for _ in range(5):
        partly(Tensor(np.ones((2, 4), np.float32)))
ms.set_context(mode=ms.PYNATIVE_MODE)
audit

# %% [markdown]
# ## How long, and where?
#
# `ms.profiler.profile` records; `table` sums up by operator, and the trace opens in
# `chrome://tracing`.

# %%
import tempfile

ready = ms.profiler.tensorboard_trace_handler(tempfile.mkdtemp())
with ms.profiler.profile(on_trace_ready=ready) as recording:
    net(ops.ones((2, 3, 8, 8)))
table = recording.table(sort_by="count", row_limit=100)
assert "aten::convolution" in table
