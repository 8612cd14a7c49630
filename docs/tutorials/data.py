# %% [markdown]
# # Data
#
# A dataset is a source of rows and operations on them: shuffle, map, filter, batch. Nothing is
# read before somebody asks for a row.

# %%
import numpy as np

import agar as ms
import agar.dataset as ds
from agar.dataset import vision

ds.config.set_seed(1)

# %% [markdown]
# ## A source of your own
#
# Anything with `__len__` and `__getitem__` is a source. Here, pictures of a bright stripe: the
# label says whether it stands or lies.


# %%
class Stripes:
    def __init__(self, count):
        self.rng = np.random.default_rng(0)
        self.labels = self.rng.integers(0, 2, count).astype(np.int32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        picture = np.full((8, 8, 1), 20, np.uint8)
        place = 1 + i % 6
        if self.labels[i]:
            picture[:, place] = 250
        else:
            picture[place, :] = 250
        return picture, self.labels[i]


rows = ds.GeneratorDataset(Stripes(96), ["image", "label"], shuffle=False)
rows.get_dataset_size(), rows.get_col_names()

# %% [markdown]
# Transforms of images give MindSpore's pixels whether or not `pip install "agar-ms[images]"`
# brought OpenCV and simplejpeg, which decode and resize in about half the time.
#
# Files have readers of their own (`MnistDataset`, `ImageFolderDataset`, `CSVDataset`,
# `MindDataset` and many more), and arrays are rows with `NumpySlicesDataset`.
#
# ## Operations
#
# Each operation gives a new dataset. `map` works on the columns that are named, with functions of
# yours, or with the transforms of `dataset.vision`, `dataset.text` and `dataset.audio`:

# %%
train, test = rows.split([0.75, 0.25])
to_floats = [vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()]
train = train.shuffle(96).map([vision.RandomVerticalFlip(0.5), *to_floats], "image")
test = test.map(to_floats, "image").filter(lambda image: image.mean() > 0.1, "image")
batches = train.batch(16, drop_remainder=True)
for image, label in batches.create_tuple_iterator(num_epochs=1):
    print(image.shape, image.dtype, label.shape, label.dtype)
    break

# %% [markdown]
# A loop that is left, as above, costs nothing further. As dictionaries, and as numpy arrays
# instead of tensors:

# %%
row = next(batches.create_dict_iterator(num_epochs=1, output_numpy=True))
{name: (value.shape, value.dtype) for name, value in row.items()}

# %% [markdown]
# ## The same order again
#
# The order of a shuffle follows the seed, and is MindSpore's for that seed. The epochs of one
# iterator are shuffled anew each:


# %%
def order(seed):
    ds.config.set_seed(seed)
    numbers = ds.NumpySlicesDataset(list(range(8)), ["x"], shuffle=True)
    iterator = numbers.create_tuple_iterator(num_epochs=2, output_numpy=True)
    return [[int(x) for (x,) in iterator] for _ in range(2)]


print(order(3))
assert order(3) == order(3)

# %% [markdown]
# ## Worker processes
#
# `num_parallel_workers` above 1, with `python_multiprocessing=True` for operations of your own,
# lets processes read ahead. Rows do not depend on how many there are, random transforms included.


# %%
def heavy(x):
    return np.sqrt(x.astype(np.float32))


def sums(workers):
    ds.config.set_seed(5)
    data = ds.NumpySlicesDataset(np.arange(12), ["x"], shuffle=True)
    data = data.map(heavy, "x", num_parallel_workers=workers, python_multiprocessing=True)
    return [round(float(x.sum()), 3) for (x,) in data.batch(4).create_tuple_iterator(num_epochs=1)]


print(sums(1))
assert sums(1) == sums(2)

# %% [markdown]
# ## When a function fails
#
# The error names the operation, the sample and your line:


# %% raises
def risky(x):
    return 10 // int(x)


numbers = ds.NumpySlicesDataset([5, 2, 0, 1], ["x"], shuffle=False).map(risky, "x")
for _ in numbers.create_tuple_iterator(num_epochs=1):
    pass

# %% [markdown]
# ## Training takes any of these
#
# `Model.train` takes a dataset, and wherever it does, also a `torch.utils.data.DataLoader`, a
# list of tuples, or a function that gives an iterator.

# %%
net = ms.nn.SequentialCell(ms.nn.Flatten(), ms.nn.Dense(64, 2))
optimizer = ms.nn.Adam(net.trainable_params(), learning_rate=0.02)
model = ms.Model(net, ms.nn.CrossEntropyLoss(), optimizer, metrics={"accuracy"})
model.train(12, batches)
accuracy = model.eval(test.batch(8))["accuracy"]
assert accuracy > 0.9
print(f"{accuracy:.0%}")
