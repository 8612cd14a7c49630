# %% [markdown]
# # Mixed precision
#
# `float16` and `bfloat16` take half of the memory, and on GPUs a fraction of the time. Parameters
# stay in `float32`; what is computed from them is narrow.

# %%
import numpy as np

import agar as ms
from agar import Tensor, amp, nn, ops

ms.set_seed(1)
rng = np.random.default_rng(0)
x = Tensor(rng.standard_normal((64, 16)).astype(np.float32))
y = Tensor((x.asnumpy().sum(axis=1) > 0).astype(np.int32))


def network():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(16, 32), nn.LayerNorm((32,)), nn.ReLU(), nn.Dense(32, 2))


# %% [markdown]
# ## By level
#
# `O2` computes all but normalization in the narrow type; `O3` everything. The result is cast back
# to `float32` for the loss.

# %%
for level in ("O0", "O1", "O2", "O3"):
    net = amp.auto_mixed_precision(network(), level, dtype=ms.bfloat16)
    error = np.abs(net(x).asnumpy() - network()(x).asnumpy()).max()
    print(level, net(x).dtype, f"largest difference {error:.4f}", net.trainable_params()[0].dtype)

# %% [markdown]
# ## Cell by cell
#
# `to_float` says it of one cell and all below. The outer cell first, then the exceptions:

# %%
net = network().to_float(ms.float16)
net[1].to_float(ms.float32)  # LayerNorm sums squares
[layer(ops.ones((1, n))).dtype for layer, n in ((net[0], 16), (net[1], 32), (net[3], 32))]

# %% [markdown]
# ## Small gradients, and the loss scale
#
# The smallest `float16` is 6e-8. What is smaller becomes zero on the way back, and such
# parameters do not learn:

# %%
tiny = Tensor([1e-4], ms.float16)
print(tiny * tiny, tiny * 1024 * tiny)

# %% [markdown]
# So the loss is multiplied, and the gradients are divided before the update. A scale that is too
# large overflows: that step is left out, and the scale is lowered.

# %%
net = amp.auto_mixed_precision(network(), "O2", dtype=ms.float16)
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
scaler = amp.DynamicLossScaler(scale_value=2.0**24, scale_factor=2, scale_window=20)


def forward(a, b):
    return scaler.scale(loss_fn(net(a), b))


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)
left_out = 0
for _ in range(60):
    scaled, grads = grad_fn(x, y)
    loss = scaler.unscale(scaled)
    grads = scaler.unscale(grads)
    finite = amp.all_finite(grads)
    if finite:
        optimizer(grads)
    else:
        left_out += 1
    scaler.adjust(finite)
assert left_out > 0
assert loss.item() < 0.3
print(f"{left_out} steps left out, scale {scaler.scale_value.value()}, loss {loss.item():.3f}")

# %% [markdown]
# `bfloat16` has the range of `float32` and needs no scale, at the price of digits.
#
# ## With Model
#
# `Model(amp_level=...)` does both, the cast and the scale:

# %%
net = network()
manager = amp.DynamicLossScaleManager(init_loss_scale=2**12, scale_window=100)
model = ms.Model(
    net,
    loss_fn,
    nn.Adam(net.trainable_params(), learning_rate=0.01),
    amp_level="O2",
    loss_scale_manager=manager,
    metrics={"accuracy"},
)
batches = [(x, y)] * 30
model.train(1, batches)
accuracy = model.eval([(x, y)])["accuracy"]
assert accuracy > 0.9
print(f"{accuracy:.0%}")
