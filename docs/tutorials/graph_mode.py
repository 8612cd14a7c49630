# %% [markdown]
# # GRAPH_MODE and its report
#
# In GRAPH_MODE a call is recorded and then replayed without Python. The program stays as it is;
# the report says what became of it.

# %%
import numpy as np

import agar as ms
from agar import Tensor, nn, ops

ms.set_seed(1)
ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"})


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(8, 16)
        self.second = nn.Dense(16, 4)

    def construct(self, x):
        x = ops.relu(self.first(x))
        return self.second(x)


net = Net()
x = Tensor(np.ones((3, 8), np.float32))
for _ in range(4):
    out = net(x)
report = ms.graph.explain(net)
print(report.text(times=False))

# %% [markdown]
# The first two calls were recorded, the others replayed. `O0` runs the very kernels that Python
# runs, so results have the same bits; without the setting, agar also tries compiled plans on real
# calls, and keeps the fastest.
#
# ## Another kind of call
#
# What a recording took for granted is compared at each call, and another shape is another
# recording. Sizes that vary are declared, with `None`: one recording serves all of them.

# %%
net.set_inputs(Tensor(shape=(None, 8), dtype=ms.float32))
for rows in (5, 6, 7, 8, 9):
    net(ops.ones((rows, 8)))
latest = ms.graph.explain(net).specializations[-1]
assert latest.replays > 0
print(latest.signature, "recordings:", latest.recordings, "replays:", latest.replays)

# %% [markdown]
# ## A value decides
#
# Python may read values. What follows is recorded for each way that was taken.


# %%
@ms.jit
def clipped(x):
    norm = ops.norm(x)
    if norm > 1.0:
        return x / norm
    return x


for _ in range(3):
    clipped(Tensor([3.0, 4.0]))
    clipped(Tensor([0.3, 0.4]))
report = ms.graph.explain(clipped)
assert len(report.subgraphs) == 3
print(report.text(times=False))

# %% [markdown]
# ## What stays Python
#
# What cannot be repeated safely runs as ordinary Python. One warning names the line, and so does
# the report, with advice:


# %% warns
class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def construct(self, x):
        self.calls += 1
        return x * 2


counting = Counting()
for _ in range(4):
    counting(x)
assert counting.calls == 4

# %%
for fallback in ms.graph.explain(counting).fallbacks:
    print(fallback.reason, "|", fallback.advice)

# %% [markdown]
# ## Whole steps of training
#
# Gradients and the optimizer are recorded too, when the step is a function under `jit`:

# %%
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
grad_fn = ms.value_and_grad(lambda a, b: loss_fn(net(a), b), None, optimizer.parameters)


@ms.jit
def step(a, b):
    loss, grads = grad_fn(a, b)
    optimizer(grads)
    return loss


labels = Tensor(np.array([0, 1, 2], np.int32))
losses = [step(x, labels).item() for _ in range(20)]
assert losses[-1] < losses[0]
state = ms.graph.explain(step).specializations[0].state
print(f"{losses[0]:.3f} to {losses[-1]:.3f}, {state}")

# %% [markdown]
# ## Is a replay what Python does?
#
# `audit` runs both and compares everything: results, parameters, random streams, exceptions.

# %%
with ms.graph.audit(net, every=2) as audit:
    for _ in range(8):
        net(x)
ms.set_context(mode=ms.PYNATIVE_MODE)
audit

# %% [markdown]
# All that is watched, and the little that is not, stands in [Graph mode](../guide/graph.md).
