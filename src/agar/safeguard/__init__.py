"""Obfuscated checkpoints."""

from agar.safeguard.rewrite_obfuscation import (
    load_obf_params_into_net as load_obf_params_into_net,
)
from agar.safeguard.rewrite_obfuscation import obfuscate_ckpt as obfuscate_ckpt

__all__ = ["load_obf_params_into_net", "obfuscate_ckpt"]
