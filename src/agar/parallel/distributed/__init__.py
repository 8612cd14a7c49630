"""Data parallel training by a cell around the network, at the path of `parallel`."""

from agar.parallel.distributed.distributed_data_parallel import (
    DistributedDataParallel as DistributedDataParallel,
)

__all__ = ["DistributedDataParallel"]
