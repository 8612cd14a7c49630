"""What datasets of images share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["loadmat"]


def loadmat(owner: str) -> Callable[[str], Any]:
    """What reads MATLAB files.

    Raises:
        ImportError: SciPy is not installed.
    """
    try:
        from scipy.io import loadmat as found
    except ImportError as error:
        raise ImportError(
            f"For '{owner}', MATLAB files are read with SciPy: pip install scipy."
        ) from error
    return found
