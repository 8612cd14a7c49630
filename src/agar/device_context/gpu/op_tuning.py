"""Which algorithms cuDNN uses for convolutions; the engine chooses by itself."""

from agar.device_context._settings import setting

__all__ = ["conv_dgrad_algo", "conv_fprop_algo", "conv_wgrad_algo"]

conv_fprop_algo = setting(
    __name__,
    "conv_fprop_algo",
    "mode",
    "how convolutions are computed",
    (
        "normal",
        "performance",
        "implicit_gemm",
        "precomp_gemm",
        "gemm",
        "direct",
        "fft",
        "fft_tiling",
        "winograd",
        "winograd_nonfused",
    ),
)
conv_wgrad_algo = setting(
    __name__,
    "conv_wgrad_algo",
    "mode",
    "how the gradients of kernels are computed",
    (
        "normal",
        "performance",
        "algo_0",
        "algo_1",
        "fft",
        "algo_3",
        "fft_tiling",
        "winograd_nonfused",
    ),
)
conv_dgrad_algo = setting(
    __name__,
    "conv_dgrad_algo",
    "mode",
    "how the gradients of inputs are computed",
    (
        "normal",
        "performance",
        "algo_0",
        "algo_1",
        "fft",
        "fft_tiling",
        "winograd",
        "winograd_nonfused",
    ),
)
