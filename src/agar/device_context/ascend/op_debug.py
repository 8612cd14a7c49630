"""How errors on Ascend chips are found."""

from agar.device_context._settings import setting

__all__ = ["aclinit_config", "debug_option", "execute_timeout"]

execute_timeout = setting(
    __name__,
    "execute_timeout",
    "op_timeout",
    "the number of seconds after which an operator has failed",
    (int,),
)
debug_option = setting(
    __name__, "debug_option", "option_value", "what is looked for while operators run", ("oom",)
)
aclinit_config = setting(
    __name__, "aclinit_config", "config", "the configuration with which the library starts", (dict,)
)
