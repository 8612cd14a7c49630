"""How exactly Ascend chips compute."""

from agar.device_context._settings import setting

__all__ = ["conv_allow_hf32", "matmul_allow_hf32", "op_precision_mode", "precision_mode"]

precision_mode = setting(
    __name__,
    "precision_mode",
    "mode",
    "which types are replaced by shorter ones",
    (
        "force_fp16",
        "allow_fp32_to_fp16",
        "allow_mix_precision",
        "must_keep_origin_dtype",
        "force_fp32",
        "allow_fp32_to_bf16",
        "allow_mix_precision_fp16",
        "allow_mix_precision_bf16",
    ),
)
op_precision_mode = setting(
    __name__, "op_precision_mode", "path", "the file that says how operators compute", (str,)
)
matmul_allow_hf32 = setting(
    __name__, "matmul_allow_hf32", "value", "whether products use HF32", (True, False)
)
conv_allow_hf32 = setting(
    __name__, "conv_allow_hf32", "value", "whether convolutions use HF32", (True, False)
)
