"""Python's ``multiprocessing``, at MindSpore's path: it sends tensors without a copy.

It has no `__all__`: its names are Python's own.
"""

from multiprocessing import *  # noqa: F403
from multiprocessing import Process as Process

# registers how tensors are handed over between processes
import torch.multiprocessing as _sharing  # noqa: F401
