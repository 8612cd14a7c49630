"""The search for silent errors of Ascend chips, which elsewhere finds none, as in MindSpore."""

__all__ = ["get_sdc_detect_result", "sdc_detect_start", "sdc_detect_stop"]


def sdc_detect_start() -> None:
    """Begin to look for silent errors; there is nothing to look at but on Ascend chips.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.tools.sdc_detect_start()
    """


def sdc_detect_stop() -> None:
    """End the search for silent errors.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.tools.sdc_detect_stop()
    """


def get_sdc_detect_result() -> bool:
    """Whether a silent error was found: never, since nothing is looked at but on Ascend chips.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.tools.get_sdc_detect_result()
        False
    """
    return False
