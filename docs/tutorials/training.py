# %% [markdown]
# # Training with callbacks
#
# `Model` has the loop over epochs and steps. What happens besides is the work of callbacks:
# printing, saving, stopping early, and what you write yourself.

# %%
import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits

import agar as ms
import agar.dataset as ds
from agar import nn, train

ms.set_seed(1)
digits = load_digits()
images = (digits.images / 16).astype(np.float32)[:, None]
labels = digits.target.astype(np.int32)


def rows(part, shuffle):
    data = ds.NumpySlicesDataset((images[part], labels[part]), ["image", "label"], shuffle=shuffle)
    return data.batch(64)


train_data, test_data = rows(slice(0, 1400), True), rows(slice(1400, None), False)

# %% [markdown]
# A `Model` is a network, a loss, an optimizer and metrics:

# %%
net = nn.SequentialCell(nn.Flatten(), nn.Dense(64, 64, activation="relu"), nn.Dense(64, 10))
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.003)
model = ms.Model(net, nn.CrossEntropyLoss(), optimizer, metrics={"accuracy"})

# %% [markdown]
# ## Callbacks that are there
#
# `LossMonitor` prints, `ModelCheckpoint` saves, `EarlyStopping` ends the training where a metric
# no longer gets better, `History` keeps the numbers. `fit` evaluates between the epochs.

# %%
folder = tempfile.mkdtemp()
history = train.History()
saving = train.ModelCheckpoint(
    "digits", folder, train.CheckpointConfig(save_checkpoint_steps=22, keep_checkpoint_max=2)
)
stopping = train.EarlyStopping(monitor="accuracy", patience=3, mode="max")
model.fit(12, train_data, test_data, callbacks=[history, saving, stopping])
print([round(x, 3) for x in history.history["accuracy"]])
print(sorted(name for name in os.listdir(folder) if name.endswith(".ckpt")))

# %% [markdown]
# At a terminal a progress bar shows the epoch; in a notebook, a file or a pipe there is none.
#
# ## One of your own
#
# A callback is a class with methods that are called at the begin and the end of the training, of
# each epoch and of each step. `run_context.original_args()` has the network, the optimizer, the
# numbers of the epoch and the step, and what the step returned.


# %%
class LargestWeight(train.Callback):
    """Notes the largest weight after each epoch, and stops where it gets out of hand."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit
        self.seen = []

    def on_train_epoch_end(self, run_context):
        state = run_context.original_args()
        largest = max(p.abs().max().item() for p in state.network.trainable_params())
        self.seen.append(round(largest, 2))
        if largest > self.limit:
            print(f"epoch {state.cur_epoch_num}: {largest:.2f} is too large")
            run_context.request_stop()


guard = LargestWeight(limit=0.75)
model.train(40, train_data, callbacks=[guard])
assert guard.seen[-1] > 0.75
assert len(guard.seen) < 40
guard.seen

# %% [markdown]
# ## A training that is stopped
#
# With `Resume` the same program, started again, goes on after the last step that was kept, bit by
# bit: parameters, optimizer, random streams, the place in the data.


# %%
def program(epochs, folder):
    ms.set_seed(7)
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(64, 10))
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    model = ms.Model(net, nn.CrossEntropyLoss(), optimizer)
    model.train(epochs, rows(slice(0, 640), True), callbacks=[train.Resume(folder, every_steps=4)])
    return net[1].weight.asnumpy()


place = tempfile.mkdtemp()
program(2, place)  # killed here, and started again
resumed = program(4, place)
assert np.array_equal(resumed, program(4, tempfile.mkdtemp()))

# %% [markdown]
# ## The loop, by hand
#
# `Model` does nothing that you cannot write yourself, see [A first network](first_network.md).
# Use the loop where a step is not loss, gradient, update: two networks against each other, say.
