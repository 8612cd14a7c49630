"""Tools that look at the machine and at what operators compute."""

from agar.tools.data_dump import set_dump as set_dump
from agar.tools.network_summary import summary as summary
from agar.tools.sdc_detect import get_sdc_detect_result as get_sdc_detect_result
from agar.tools.sdc_detect import sdc_detect_start as sdc_detect_start
from agar.tools.sdc_detect import sdc_detect_stop as sdc_detect_stop
from agar.tools.stress_detect import stress_detect as stress_detect

__all__ = [
    "get_sdc_detect_result",
    "sdc_detect_start",
    "sdc_detect_stop",
    "set_dump",
    "stress_detect",
    "summary",
]
