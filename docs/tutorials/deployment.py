# %% [markdown]
# # Deployment with ONNX Runtime
#
# A trained network becomes a file that runs without agar, and without Python if need be. Needs
# `pip install "agar-ms[onnx]" onnxruntime`.

# %%
import os
import tempfile

import numpy as np
import onnxruntime
from sklearn.datasets import load_digits

import agar as ms
from agar import Tensor, nn

ms.set_seed(1)
digits = load_digits()
images = (digits.images / 16).astype(np.float32)[:, None]
labels = digits.target.astype(np.int32)

net = nn.SequentialCell(
    nn.Conv2d(1, 8, 3, has_bias=True),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.MaxPool2d(2, 2),
    nn.Flatten(),
    nn.Dropout(p=0.2),
    nn.Dense(8 * 4 * 4, 10),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.005)
step = ms.value_and_grad(lambda a, b: loss_fn(net(a), b), None, optimizer.parameters)
net.set_train()
for i in range(60):
    part = slice(64 * (i % 20), 64 * (i % 20) + 64)
    _, grads = step(Tensor(images[part]), Tensor(labels[part]))
    optimizer(grads)

# %% [markdown]
# ## Export
#
# In evaluation: `Dropout` is gone from the file, and `BatchNorm` uses its running statistics. The
# example input gives the shape; a dimension of `None` in a description stays free.

# %%
net.set_train(False)
file = os.path.join(tempfile.mkdtemp(), "digits.onnx")
example = Tensor(shape=(None, 1, 8, 8), dtype=ms.float32)
ms.export(net, example, file_name=file, file_format="ONNX")
print(f"{os.path.getsize(file) / 1000:.0f} kB")

# %% [markdown]
# ## Run it
#
# ONNX Runtime knows nothing of agar:

# %%
session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
(entry,) = session.get_inputs()
entry.name, entry.shape, entry.type

# %% [markdown]
# ## The same answers
#
# For batches of any size, as close as another order of the same sums allows:

# %%
for count in (1, 7, 300):
    batch = images[-count:]
    (answer,) = session.run(None, {entry.name: batch})
    np.testing.assert_allclose(answer, net(Tensor(batch)).asnumpy(), rtol=1e-4, atol=1e-4)
accuracy = (answer.argmax(axis=1) == labels[-300:]).mean()
assert accuracy > 0.8
print(f"{accuracy:.1%} of 300 pictures")

# %% [markdown]
# ## Other ways out
#
# - `ms.export(..., file_format="MINDIR")` keeps it a program for agar: `ms.load` and
#   `nn.GraphCell` run it.
# - `ms.as_torch(net)` is a `torch.nn.Module`, for whatever takes one: `torch.export`, TorchServe,
#   ExecuTorch.
# - `ms.save_checkpoint(net, "net.safetensors")` when only the weights travel, see [Checkpoints
#   and sharing](checkpoints.md).
