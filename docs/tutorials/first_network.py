# %% [markdown]
# # A first network
#
# Handwritten digits, from pictures to a network that reads them. What is used here, and nothing
# more, is what most programs consist of: tensors, a `Cell`, a loss, an optimizer, a step.

# %%
import numpy as np
from sklearn.datasets import load_digits

import agar as ms
from agar import Tensor, nn

ms.set_seed(1)

digits = load_digits()
images = (digits.images / 16).astype(np.float32)[:, None]  # rows, channels, height, width
labels = digits.target.astype(np.int32)
images.shape, labels.shape

# %% [markdown]
# The last fifth is kept for the test. A `Tensor` takes a numpy array as it is: same values, same
# dtype.

# %%
cut = len(images) * 4 // 5
train_x, train_y = Tensor(images[:cut]), Tensor(labels[:cut])
test_x, test_y = Tensor(images[cut:]), Tensor(labels[cut:])
train_x[0, 0, :3]

# %% [markdown]
# ## The network
#
# A network is a `Cell`: layers are made in `__init__`, the computation stands in `construct`.
# Layers are called like functions, and so is the network.


# %%
class Digits(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3, pad_mode="same", has_bias=True)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.out = nn.Dense(16 * 4 * 4, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv(x)))
        return self.out(self.flatten(x))


net = Digits()
net

# %% [markdown]
# Click a part above to see its settings and parameters. A call gives ten numbers for each
# picture, the larger the more probable:

# %%
net(test_x[:2]).shape

# %% [markdown]
# ## A step of training
#
# The loss is a function of the data. `value_and_grad` makes of it a function that also gives the
# gradients of the parameters, and the optimizer is called with these.

# %%
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.005)


def forward(x, y):
    return loss_fn(net(x), y)


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)


def step(x, y):
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    return loss


# %% [markdown]
# A new cell evaluates. `set_train()` is for what behaves differently in training, such as
# `Dropout`.

# %%
net.set_train()
batch = 64
for epoch in range(8):
    order = np.random.permutation(cut)
    losses = [
        step(train_x[order[i : i + batch]], train_y[order[i : i + batch]]).item()
        for i in range(0, cut, batch)
    ]
    print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}")

# %% [markdown]
# ## How good is it?
#
# The test pictures were not seen. Outside of `grad_fn` nothing is recorded, so there is no
# counterpart of `torch.no_grad()`.

# %%
net.set_train(False)
found = net(test_x).argmax(axis=1)
accuracy = (found == test_y).astype(ms.float32).mean().item()

assert accuracy > 0.85
print(f"{accuracy:.1%} of {len(test_y)} pictures")

# %% [markdown]
# ## Next
#
# - [Data](data.md): sources, operations on rows, worker processes.
# - [Training with callbacks](training.md): `Model` has the loop above, and more.
# - [Checkpoints and sharing](checkpoints.md): save what was learned.
