# %% [markdown]
# # Several processes
#
# The same program runs in one process and in many. Here two processes on one machine train data
# parallel: each has the whole network and half of every batch. On several GPUs or machines nothing
# changes but the numbers given to the launcher.

# %%
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import agar as ms

os.chdir(tempfile.mkdtemp())

# %% [markdown]
# ## The program
#
# Four lines make a program one for several processes: `communication.init` lets them meet,
# `set_auto_parallel_context` says what they do with gradients, `num_shards` and `shard_id` give
# each its own rows, and one of them saves. This page writes it to a file, since a launcher starts
# files:

# %%
program = """
import sys

import numpy as np

import agar as ms
import agar.dataset as ds
from agar import communication, nn, ops

communication.init(timeout=60)
rank, size = communication.get_rank(), communication.get_group_size()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
ms.set_seed(1)  # the same first parameters in all processes

x = np.random.default_rng(0).standard_normal((64, 4)).astype(np.float32)
y = (x[:, :1] * x[:, 1:2] > 0).astype(np.float32)
data = ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False, num_shards=size, shard_id=rank)
data = data.batch(16 // size, drop_remainder=True)  # 16 rows a step, however many processes

net = nn.SequentialCell(nn.Dense(4, 32), nn.Tanh(), nn.Dense(32, 1))
optimizer = nn.Adam(net.trainable_params(), 0.02)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.BCEWithLogitsLoss()), optimizer)
mean = ops.AllReduce()
for epoch in range(30):
    losses = [step(rows, labels) for rows, labels in data]
    loss = mean(ops.stack(losses).mean()) / size  # of all rows, the same in all processes
    if rank == 0 and epoch % 10 == 9:
        print(f"{size} processes, epoch {epoch + 1}, {len(losses)} steps: loss {float(loss):.4f}")

if rank == 0:
    ms.save_checkpoint(net, sys.argv[1])
"""
_ = Path("train.py").write_text(program)

# %% [markdown]
# ## One process, then two
#
# Without a launcher there is one process, and every collective has its result at once. So a program
# is written and debugged like any other:


# %%
def run(*command):
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


code, printed, errors = run("train.py", "one.ckpt")
assert code == 0, errors
print(printed)

# %% [markdown]
# `agar msrun` takes the flags of MindSpore's `msrun`. On a command line that is
# `agar msrun --worker_num=2 --local_worker_num=2 --join=True train.py two.ckpt`, and here:

# %%
launcher = ["-m", "agar", "msrun", "--worker_num=2", "--local_worker_num=2", "--join=True"]
launcher += ["--master_port=0", "--log_dir=logs"]
code, printed, errors = run(*launcher, "train.py", "two.ckpt")
assert code == 0, errors
print("\n".join(line for line in printed.splitlines() if "epoch" in line))

# %% [markdown]
# Two processes with eight rows each take the steps of one with sixteen: means of gradients over
# equal parts are those of all rows. The parameters agree but for the order in which floats are
# added:

# %%
one, two = ms.load_checkpoint("one.ckpt"), ms.load_checkpoint("two.ckpt")
difference = max(np.abs(one[name].asnumpy() - two[name].asnumpy()).max() for name in one)
assert difference < 1e-3
sorted(one) == sorted(two), bool(difference < 1e-3)

# %% [markdown]
# What each process prints is also in a file of its own, which is where one looks when something
# goes wrong:

# %%
sorted(path.name for path in Path("logs").iterdir())

# %% [markdown]
# ## When the processes differ
#
# Most mistakes are of one kind: the processes do not do the same. Here each begins with other
# parameters, since the seed is the process's number:

# %%
wrong = program.replace("ms.set_seed(1)", "ms.set_seed(rank)")
_ = Path("wrong.py").write_text(wrong)
code, printed, errors = run(*launcher, "wrong.py", "wrong.ckpt")
message = [line for line in (printed + errors).splitlines() if "Error: " in line][-1]
print("exit code", code)
print(message.partition("]: ")[2] or message)

# %% [markdown]
# Such errors are raised in all processes, at the line where they arise, and the launcher ends with
# the exit code of the process that failed first. {doc}`/guide/parallel-debugging` goes through the
# others: programs that hang, losses that differ, processes that die.
#
# ## From here
#
# - Networks that do not fit: {doc}`/guide/parallel` has the optimizer's states, gradients and
#   parameters in parts; {doc}`/guide/tensor-parallel` splits operators; {doc}`/guide/pipelines`
#   gives each process a stage; {doc}`/guide/parallel-3d` joins them.
# - To go on after a failure: `msrun --max_restarts` with the callback of
#   {doc}`/tutorials/checkpoints`.
