"""How operators use the CPU."""

# threads are the engine's
import torch

__all__ = ["threads_num"]


def threads_num(num: int) -> None:
    """Let each operator use so many threads.

    Args:
        num (int): positive.

    Raises:
        TypeError: `num` is not an int.
        ValueError: it is not positive.

    Difference from PyTorch: ``torch.set_num_threads``.

    Source: behavior observed in MindSpore 2.10, where it can be called once.

    Examples:
        >>> import agar as ms
        >>> ms.device_context.cpu.op_tuning.threads_num(0)
        Traceback (most recent call last):
        ...
        ValueError: For 'threads_num', the 'num' must be positive, but got 0.
    """
    if not isinstance(num, int) or isinstance(num, bool):
        raise TypeError(f"For 'threads_num', the 'num' must be int, but got {type(num).__name__}.")
    if num < 1:
        raise ValueError(f"For 'threads_num', the 'num' must be positive, but got {num}.")
    torch.set_num_threads(num)
