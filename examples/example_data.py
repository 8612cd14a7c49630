"""The data of the examples: what lies in packages that are installed anyway."""

import codecs
import contextlib
import gzip
import importlib.util
import io
import os

import numpy as np


def digits(file=None):
    """The 1,797 images of handwritten digits that scikit-learn ships.

    Args:
        file: their ``digits.csv.gz``; without it, that of the installed scikit-learn.

    Returns:
        images, (1797, 1, 8, 8) of float32 from 0 to 1, and labels of int32.
    """
    if file is None:
        found = importlib.util.find_spec("sklearn")
        if found is None or not found.submodule_search_locations:
            raise SystemExit("The digits lie in scikit-learn: pip install scikit-learn")
        file = os.path.join(
            found.submodule_search_locations[0], "datasets", "data", "digits.csv.gz"
        )
    with gzip.open(file, "rt") as opened:
        table = np.loadtxt(opened, delimiter=",")
    images = (table[:, :64].reshape(-1, 1, 8, 8) / 16).astype(np.float32)
    return images, table[:, 64].astype(np.int32)


def zen():
    """The twenty lines of the Zen of Python, which lies in Python's own library."""
    with contextlib.redirect_stdout(io.StringIO()):
        import this
    return codecs.decode(this.s, "rot13")
