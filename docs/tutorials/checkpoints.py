# %% [markdown]
# # Checkpoints and sharing
#
# What was learned outlives the program: saved whole or in part, read by MindSpore, by PyTorch and
# by every library that knows safetensors.

# %%
import json
import os
import tempfile

import numpy as np
import torch

import agar as ms
from agar import Tensor, nn

os.chdir(tempfile.mkdtemp())
ms.set_seed(1)


class Net(nn.Cell):
    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Dense(4, width, activation="relu")
        self.out = nn.Dense(width, 2)

    def construct(self, x):
        return self.out(self.hidden(x))


net = Net()
x = Tensor(np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32))

# %% [markdown]
# ## Save and load
#
# Names are those of the attributes that lead to a parameter. Loading says what had no value, and
# what had no place.

# %%
ms.save_checkpoint(net, "net.ckpt")
values = ms.load_checkpoint("net.ckpt")
again = Net()
print(ms.load_param_into_net(again, values))
assert np.array_equal(net(x).asnumpy(), again(x).asnumpy())
{name: value.shape for name, value in values.items()}

# %% [markdown]
# A network of another size is refused, before anything was changed:

# %% raises
ms.load_param_into_net(Net(width=8), values)

# %% [markdown]
# ## To go on with a training
#
# The optimizer is a cell: its moments and its step belong into the file. So does what you need to
# know yourself.

# %%
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
step = ms.value_and_grad(lambda a: (net(a) ** 2).mean(), None, optimizer.parameters)
for _ in range(5):
    loss, grads = step(x)
    optimizer(grads)
ms.save_checkpoint(optimizer, "training.ckpt", append_dict={"epoch": 5})


def goes_on():
    values = ms.load_checkpoint("training.ckpt")
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
    ms.load_param_into_net(optimizer, values)
    return net, optimizer, int(values["epoch"].asnumpy())


restored, its_optimizer, epoch = goes_on()
print(epoch, its_optimizer.global_step)
for one, other in zip(net.trainable_params(), restored.trainable_params()):
    assert np.array_equal(one.asnumpy(), other.asnumpy()), one.name

# %% [markdown]
# `train.Resume` keeps all of it in `Model.train`, random streams and the place in the data
# included, see [Training with callbacks](training.md).
#
# ## Formats
#
# The ending chooses. No format unpickles anything.

# %%
for file in ("net.safetensors", "net.pth"):
    ms.save_checkpoint(net, file)
print(type(torch.load("net.pth", weights_only=True)["out.weight"]))

from safetensors.torch import load_file

print(load_file("net.safetensors")["out.weight"].shape)

# %% [markdown]
# ## Share a network
#
# A folder with the weights and a `config.json` is what model hubs hold. `load_pretrained` builds
# the network from the configuration and refuses weights that do not fit.

# %%
os.makedirs("rings", exist_ok=True)
ms.save_checkpoint(net, "rings/model.safetensors")
with open("rings/config.json", "w") as file:
    json.dump({"width": 16, "model_type": "rings"}, file)
shared = ms.train.load_pretrained(Net, "rings")
assert np.array_equal(net(x).asnumpy(), shared(x).asnumpy())

# %% [markdown]
# ## Other names
#
# A network that was rewritten has other names. `load_by_structure` matches by structure and
# shapes, and reports what it assumed:


# %%
class Renamed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = nn.SequentialCell(nn.Dense(4, 16, activation="relu"))
        self.head = nn.Dense(16, 2)

    def construct(self, x):
        return self.head(self.encoder(x))


renamed = Renamed()
ms.load_by_structure(renamed, ms.load_checkpoint("net.safetensors"))
assert np.array_equal(net(x).asnumpy(), renamed(x).asnumpy())

# %% [markdown]
# ## From PyTorch, and back
#
# `migrate.load_torch_state` takes a `state_dict` of the module that a cell stands for:

# %%
from agar import migrate

module = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
cell = nn.SequentialCell(nn.Dense(4, 16), nn.ReLU(), nn.Dense(16, 2))
transfer = migrate.load_torch_state(cell, module.state_dict())
with torch.no_grad():
    np.testing.assert_allclose(cell(x).asnumpy(), module(x.to_torch()).numpy(), rtol=1e-5)
transfer
