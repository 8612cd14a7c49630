"""The base of modes that see every operator of PyTorch."""

from __future__ import annotations

from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["DispatchMode"]


class DispatchMode(TorchDispatchMode):
    """A mode of dispatch that does not import TorchDynamo at its first operator: two seconds.

    PyTorch imports it to keep it out of the mode's own code, which nothing of agar's compiles.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False
