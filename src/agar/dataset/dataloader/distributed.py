"""The rows of one process of several."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sized

import numpy as np

from agar.communication.management import get_group_size, get_rank
from agar.dataset.dataloader._utils import check_non_negative, check_positive, check_type
from agar.dataset.dataloader.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """Indices for one process of several: each gets as many, and another share of them.

    Args:
        dataset (Dataset): what is sampled; its length is asked for.
        num_replicas (int, optional): how many processes share the rows. Default: ``None``, those of
            the program.
        rank (int, optional): which of them this is. Default: ``None``, this process.
        shuffle (bool): whether the order is random. Default: ``True``.
        seed (int): of the order; all processes need the same. Default: ``0``.
        drop_last (bool): whether rows that cannot be shared out evenly are left out. Otherwise the
            first rows come once more. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_replicas` is not positive, or `rank` is not below it.

    Difference from PyTorch: ``torch.utils.data.DistributedSampler`` draws its order from a
    ``torch.Generator``.

    Source: behavior observed in MindSpore 2.10, with the same indices for the same seed.

    Examples:
        >>> from agar.dataset.dataloader import DistributedSampler
        >>> list(DistributedSampler(range(7), num_replicas=3, rank=1, shuffle=False))
        [1, 4, 0]
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        check_type(num_replicas, "num_replicas", int, allow_none=True)
        check_type(rank, "rank", int, allow_none=True)
        check_type(shuffle, "shuffle", bool)
        check_type(seed, "seed", int)
        check_type(drop_last, "drop_last", bool)
        num_replicas = get_group_size() if num_replicas is None else num_replicas
        rank = get_rank() if rank is None else rank
        check_positive(num_replicas, "num_replicas")
        check_non_negative(rank, "rank")
        if rank >= num_replicas:
            raise ValueError(
                f"'rank' must be below 'num_replicas', in the interval [0, {num_replicas - 1}], "
                f"but got {rank}."
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        self.epoch = 0
        size = len(dataset)
        self.num_samples = (size if drop_last else size + num_replicas - 1) // num_replicas
        self.total_samples = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        size = len(self.dataset)
        order = range(size)
        if self.shuffle:
            order = np.random.default_rng(self.seed + self.epoch).permutation(size).tolist()
        # once more from the beginning, for as long as it takes
        whole = itertools.islice(itertools.cycle(order), self.total_samples)
        return itertools.islice(whole, self.rank, None, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of an epoch; without it every epoch has the same.

        Args:
            epoch (int): added to the seed.

        Raises:
            TypeError: `epoch` is not an int.
        """
        check_type(epoch, "epoch", int)
        self.epoch = epoch
