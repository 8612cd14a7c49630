"""What programs need beside networks: DLPack, calls of operators, and tools of Ascend clusters."""

from agar._core import absent as _absent
from agar.tools.sdc_detect import get_sdc_detect_result as get_sdc_detect_result
from agar.tools.sdc_detect import sdc_detect_start as sdc_detect_start
from agar.tools.sdc_detect import sdc_detect_stop as sdc_detect_stop
from agar.tools.stress_detect import stress_detect as stress_detect
from agar.utils import dryrun as dryrun
from agar.utils._install import run_check as run_check
from agar.utils.dlpack import from_dlpack as from_dlpack
from agar.utils.dlpack import to_dlpack as to_dlpack
from agar.utils.ms_dispatch import MsDispatchMode as MsDispatchMode
from agar.utils.runtime_execution_order_check import comm_exec_order_check as comm_exec_order_check
from agar.utils.utils import TFTCommValue as TFTCommValue

__all__ = [
    *_absent.names("utils"),
    "MsDispatchMode",
    "TFTCommValue",
    "comm_exec_order_check",
    "dryrun",
    "from_dlpack",
    "get_sdc_detect_result",
    "run_check",
    "sdc_detect_start",
    "sdc_detect_stop",
    "stress_detect",
    "to_dlpack",
]

__getattr__ = _absent.finder(__name__, globals())
