"""CIFAR-100 into MindRecord."""

from __future__ import annotations

from agar.mindrecord.tools.cifar10_to_mr import Cifar10ToMR

__all__ = ["Cifar100ToMR"]


class Cifar100ToMR(Cifar10ToMR):
    """Converts the Python version of CIFAR-100 to two MindRecord files.

    Args:
        source (str): the folder with ``train`` and ``test``.
        destination (str): the file of the training images; the tests get ``_test`` behind.

    Raises:
        PathNotExistsError: a batch is missing.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: as :class:`agar.mindrecord.Cifar10ToMR`; labels are ``fine_label`` and ``coarse_label``.

    Examples:
        >>> from agar.mindrecord import Cifar100ToMR
        >>> Cifar100ToMR("cifar-100-python", "cifar.mindrecord")  # doctest: +SKIP
    """

    _BATCHES = ("train", "test")
    _LABELS = (
        ("fine_labels", "fine_label"),
        ("coarse_labels", "coarse_label"),
    )
