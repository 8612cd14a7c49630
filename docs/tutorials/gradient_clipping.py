# %% [markdown]
# # Gradient clipping
#
# One strange batch can throw a network out of the place where it had learned. Clipping bounds the
# step: gradients are results of a function here, so they are clipped on their way to the
# optimizer.

# %%
import numpy as np

import agar as ms
from agar import Tensor, amp, nn, ops

rng = np.random.default_rng(0)
batches = []
for i in range(40):
    x = rng.standard_normal((32, 4)).astype(np.float32)
    y = (x @ np.array([[1.0], [-2.0], [3.0], [0.5]])).astype(np.float32)
    if i == 30:
        y *= 500  # somebody mixed up the units
    batches.append((Tensor(x), Tensor(y)))

# %% [markdown]
# ## Without
#
# The network has learned, and the strange batch throws it away:


# %%
def training(change, learning_rate=0.1):
    ms.set_seed(1)
    net = nn.Dense(4, 1)
    optimizer = nn.SGD(net.trainable_params(), learning_rate=learning_rate)
    step = ms.value_and_grad(lambda a, b: ops.mse_loss(net(a), b), None, optimizer.parameters)
    losses, norms = [], []
    for x, y in batches:
        loss, grads = step(x, y)
        norms.append(float(np.sqrt(sum((g.asnumpy() ** 2).sum() for g in grads))))
        optimizer(change(grads))
        losses.append(loss.item())
    return losses, norms


plain, norms = training(lambda grads: grads)
print([f"{value:.4f}" for value in plain[28:34]])
print(f"norm of the gradients: usually {np.median(norms):.2f}, once {max(norms):.0f}")

# %% [markdown]
# ## By the norm of all
#
# `clip_by_global_norm` takes the gradients of all parameters as one long vector, and shortens it
# where it is longer than the bound. The direction stays. This is
# `torch.nn.utils.clip_grad_norm_`.

# %%
clipped, _ = training(lambda grads: ops.clip_by_global_norm(grads, clip_norm=1.0))
print([f"{value:.4f}" for value in clipped[28:34]])
assert clipped[31] < 1 < plain[31]

# %% [markdown]
# ## By value, or by the norm of each
#
# Each element for itself (the direction changes), or each parameter for itself:

# %%
grads = (Tensor([[3.0, 4.0]]), Tensor([0.1]))
print(*ops.clip_by_value(grads, -1.0, 1.0))
print(*[ops.clip_by_norm(grad, 1.0) for grad in grads])
print(*ops.clip_by_global_norm(grads, 1.0))

# %% [markdown]
# ## With a loss scale
#
# First divide by the scale, then clip: the bound is meant for true gradients.

# %%
scaler = amp.StaticLossScaler(1024.0)
scaled = tuple(grad * 1024.0 for grad in grads)
print(*ops.clip_by_global_norm(scaler.unscale(scaled), 1.0))

# %% [markdown]
# ## With Model
#
# A training cell of your own does it, and everything else stays with `Model`:


# %%
class ClippedStep(nn.TrainOneStepCell):
    def construct(self, *inputs):
        loss, grads = ms.value_and_grad(self.network, None, self.weights)(*inputs)
        self.optimizer(ops.clip_by_global_norm(grads, 1.0))
        return loss


ms.set_seed(1)
net = nn.Dense(4, 1)
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
model = ms.Model(ClippedStep(nn.WithLossCell(net, nn.MSELoss()), optimizer))
model.train(1, batches)
error = np.abs(net.weight.asnumpy() - np.array([[1.0, -2.0, 3.0, 0.5]])).max()
assert error < 0.2
print(f"largest error of a weight: {error:.3f}")

# %% [markdown]
# Without the clip, the same training ends elsewhere:

# %%
ms.set_seed(1)
net = nn.Dense(4, 1)
model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), learning_rate=0.1))
model.train(1, batches)
print(f"{np.abs(net.weight.asnumpy() - np.array([[1.0, -2.0, 3.0, 0.5]])).max():.3f}")
