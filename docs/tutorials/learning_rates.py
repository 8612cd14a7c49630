# %% [markdown]
# # Learning-rate schedules
#
# A learning rate that changes is given to the optimizer in one of three forms: as a list of
# rates, as a schedule that computes them, or as a scheduler that is stepped by hand.

# %%
import math

import numpy as np

import agar as ms
from agar import Tensor, nn, ops

ms.set_seed(1)
x = Tensor(np.random.default_rng(0).standard_normal((64, 4)).astype(np.float32))
y = (x * Tensor([1.0, -2.0, 3.0, 0.5])).sum(axis=1, keepdims=True)


def bars(rates, width=40):
    """A curve, drawn with letters."""
    top = max(rates)
    for i in range(0, len(rates), max(1, len(rates) // 10)):
        print(f"step {i:3} {rates[i]:7.4f} " + "#" * round(width * rates[i] / top))


# %% [markdown]
# ## A list: one rate a step
#
# `nn.cosine_decay_lr` and its family compute the list. The arguments count steps: here 10 epochs
# of 5 steps.

# %%
rates = nn.cosine_decay_lr(min_lr=0.0, max_lr=0.1, total_step=50, step_per_epoch=5, decay_epoch=10)
bars(rates)

# %% [markdown]
# Lists can be put together: warm up, then decay.

# %%
warm = nn.warmup_lr(learning_rate=0.1, total_step=10, step_per_epoch=1, warmup_epoch=10)
decay = nn.cosine_decay_lr(0.0, 0.1, total_step=40, step_per_epoch=1, decay_epoch=40)
bars(warm + decay)

# %% [markdown]
# The optimizer takes one entry at each update, and stays with the last one:

# %%
net = nn.Dense(4, 1)
optimizer = nn.Momentum(net.trainable_params(), learning_rate=warm + decay, momentum=0.9)
step = ms.value_and_grad(lambda a, b: ops.mse_loss(net(a), b), None, optimizer.parameters)
used = []
for _ in range(50):
    used.append(optimizer.get_lr().item())
    loss, grads = step(x, y)
    optimizer(grads)
np.testing.assert_allclose(used, warm + decay, rtol=1e-5)
assert loss.item() < 0.1
print(f"loss {loss.item():.5f}")

# %% [markdown]
# ## A schedule: computed from the step
#
# A `LearningRateSchedule` is a cell: it gets the step and gives the rate. It needs no length, and
# it belongs to the graph in GRAPH_MODE.

# %%
schedule = nn.PolynomialDecayLR(
    learning_rate=0.1, end_learning_rate=0.001, decay_steps=40, power=1.0
)
bars([schedule(Tensor(i, ms.int32)).item() for i in range(50)])


# %% [markdown]
# One of your own:


# %%
class Warmup(nn.learning_rate_schedule.LearningRateSchedule):
    """Grows to `peak` in `steps` steps, then falls with the square root, as for transformers."""

    def __init__(self, peak, steps):
        super().__init__()
        self.peak = peak
        self.steps = steps

    def construct(self, global_step):
        at = ops.cast(global_step, ms.float32) + 1
        return self.peak * ops.minimum(at / self.steps, ops.sqrt(self.steps / at))


own = Warmup(0.1, 10)
bars([own(Tensor(i, ms.int32)).item() for i in range(50)])
net = nn.Dense(4, 1)
optimizer = nn.Adam(net.trainable_params(), learning_rate=own)
rate = optimizer.get_lr().item()
assert math.isclose(rate, 0.01, rel_tol=1e-5)

# %% [markdown]
# ## A scheduler: stepped by hand
#
# The optimizers of `mint.optim` and `experimental.optim` have schedulers as in PyTorch. `step()`
# is called when you want it, for instance after an epoch, or when a metric no longer gets better:

# %%
from agar.experimental import optim

net = nn.Dense(4, 1)
optimizer = optim.Adam(net.trainable_params(), lr=0.1)
step = ms.value_and_grad(lambda a, b: ops.mse_loss(net(a), b), None, optimizer.parameters)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
for epoch in range(6):
    _, grads = step(x, y)
    optimizer(grads)
    print(epoch, f"{scheduler.get_last_lr()[0].item():.4f}")
    scheduler.step()

# %% [markdown]
# ## Each group its own
#
# Groups of parameters take rates of all forms, see [Fine-tuning](fine_tuning.md). With `Model`,
# the callbacks `LearningRateScheduler` and `ReduceLROnPlateau` set the rate from outside.
