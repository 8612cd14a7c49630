"""The stress test of Ascend chips."""

from typing import NoReturn

from agar._core.absent import Family, refuse

__all__ = ["stress_detect"]


def stress_detect(detect_type: str = "aic") -> NoReturn:
    """Test an Ascend chip under load; raises an error.

    Args:
        detect_type (str): what is tested; not used. Default: ``"aic"``.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10, which raises RuntimeError on other devices.
    """
    refuse(
        "tools.stress_detect",
        Family("it tests Ascend chips", "Use the vendor's tools, such as dcgmi diag on a GPU"),
    )
