# %% [markdown]
# # Fine-tuning
#
# A network that was trained on much data is the start for a task with little. Here: a network
# that has learned to read digits, and a new question for which there are twenty answers only: is
# the digit even?

# %%
import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits

import agar as ms
from agar import Tensor, nn

ms.set_seed(1)
digits = load_digits()
images = (digits.images / 16).astype(np.float32)[:, None]
labels = digits.target.astype(np.int32)


class Features(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Conv2d(1, 16, 3, has_bias=True),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Conv2d(16, 32, 3, has_bias=True),
            nn.ReLU(),
            nn.Flatten(),
        )

    def construct(self, x):
        return self.body(x)


class Classifier(nn.Cell):
    def __init__(self, classes):
        super().__init__()
        self.features = Features()
        self.head = nn.Dense(32 * 4 * 4, classes)

    def construct(self, x):
        return self.head(self.features(x))


def fit(net, x, y, steps, optimizer):
    loss_fn = nn.CrossEntropyLoss()
    step = ms.value_and_grad(lambda a, b: loss_fn(net(a), b), None, optimizer.parameters)
    net.set_train()
    for i in range(steps):
        pick = np.random.default_rng(i).choice(len(x), min(64, len(x)), replace=False)
        _, grads = step(Tensor(x[pick]), Tensor(y[pick]))
        optimizer(grads)
    net.set_train(False)


def accuracy(net, x, y):
    return (net(Tensor(x)).argmax(axis=1) == Tensor(y)).astype(ms.float32).mean().item()


# %% [markdown]
# ## The network that was trained before
#
# It reads ten digits; the result is a checkpoint.

# %%
many = slice(0, 1200)
base = Classifier(10)
fit(base, images[many], labels[many], 120, nn.Adam(base.trainable_params(), 0.003))
file = os.path.join(tempfile.mkdtemp(), "base.ckpt")
ms.save_checkpoint(base, file)

# %% [markdown]
# ## Another head
#
# The new task has classes of its own, so the head is new. What the file has of the features is
# loaded; the two lists say what had no value and what had no use.

# %% warns
even = (1 - labels % 2).astype(np.int32)
few, rest = slice(1200, 1220), slice(1220, None)

net = Classifier(2)
pretrained = {
    name: value for name, value in ms.load_checkpoint(file).items() if name.startswith("features.")
}
missing, unused = ms.load_param_into_net(net, pretrained)
missing, unused

# %% [markdown]
# ## Freeze the features
#
# A parameter with `requires_grad = False` is none of `trainable_params()`, so no optimizer moves
# it.

# %%
for parameter in net.features.get_parameters():
    parameter.requires_grad = False
[parameter.name for parameter in net.trainable_params()]

# %%
before = net.features.body[0].weight.asnumpy().copy()
fit(net, images[few], even[few], 60, nn.Adam(net.trainable_params(), 0.01))
assert np.array_equal(before, net.features.body[0].weight.asnumpy())
frozen = accuracy(net, images[rest], even[rest])
print(f"{frozen:.1%}")

# %% [markdown]
# ## Thaw, with a small rate
#
# Groups give each part its own learning rate: small for what knows something, larger for the
# head.

# %%
for parameter in net.features.get_parameters():
    parameter.requires_grad = True
groups = [
    {"params": list(net.features.get_parameters()), "lr": 0.0005},
    {"params": list(net.head.get_parameters()), "lr": 0.002},
]
fit(net, images[few], even[few], 40, nn.Adam(groups, learning_rate=0.001))
thawed = accuracy(net, images[rest], even[rest])
print(f"{thawed:.1%}")

# %% [markdown]
# ## Was it worth it?
#
# The same twenty pictures, from nothing:

# %%
alone = Classifier(2)
fit(alone, images[few], even[few], 100, nn.Adam(alone.trainable_params(), 0.003))
scratch = accuracy(alone, images[rest], even[rest])
assert min(frozen, thawed) > 0.7
print(f"from nothing {scratch:.1%}, features kept {frozen:.1%}, then thawed {thawed:.1%}")

# %% [markdown]
# ## Weights from elsewhere
#
# - A folder in the layout of model hubs: `ms.train.load_pretrained(build, folder)`.
# - A checkpoint whose names differ: `ms.train.load_by_structure`.
# - A PyTorch checkpoint of the same network: `agar migrate weights`, see
#   [Migration](../guide/migration.md).
