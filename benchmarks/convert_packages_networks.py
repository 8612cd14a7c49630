"""Networks of the packages of `convert_packages.py`: how they are built and called."""

from __future__ import annotations

from typing import Any

__all__ = ["NETWORKS"]

_DYNAMIC = "dynamic_network_architectures"
_VIT = {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32, "heads": 4, "mlp_dim": 64}
_IMAGE = [("float", (2, 3, 32, 32))]
_LARGE = [("float", (2, 3, 64, 64))]
_TEXT = [("int", (2, 12), 20)]
_X = {"dim": 32, "depth": 2, "heads": 4}
_UNET = (
    "3, 3, (8, 16, 16), helper.convert_dim_to_conv_op(2), 3, (1, 2, 2), 1, 3, 1, conv_bias=True, "
    "norm_op=helper.get_matching_instancenorm(dimension=2), "
    "nonlin=helper.get_default_network_config(2)['nonlin']"
)
_TABNET = "n_d=4, n_a=4, n_steps=2, group_attention_matrix=eye(8)"


def _language(layers: str, **options: Any) -> str:
    given = "".join(f", {k}={v!r}" for k, v in {**_X, **options}.items())
    return f"TransformerWrapper(num_tokens=20, max_seq_len=16, attn_layers={layers}({given[2:]}))"


#: package: name, module, expression in the module's names, inputs
NETWORKS: dict[str, list[tuple[str, str, str, list[Any]]]] = {
    "x_transformers": [
        ("decoder", "x_transformers", _language("Decoder"), _TEXT),
        ("encoder", "x_transformers", _language("Encoder", use_rmsnorm=True, ff_glu=True), _TEXT),
        ("rotary", "x_transformers", _language("Decoder", rotary_pos_emb=True), _TEXT),
        ("alibi", "x_transformers", _language("Decoder", alibi_pos_bias=True), _TEXT),
        ("t5 bias", "x_transformers", _language("Encoder", rel_pos_bias=True), _TEXT),
    ],
    "vit_pytorch": [
        ("ViT", "vit_pytorch.vit", f"ViT(depth=2, **{_VIT})", _IMAGE),
        ("SimpleViT", "vit_pytorch.simple_vit", f"SimpleViT(depth=2, **{_VIT})", _IMAGE),
        ("CaiT", "vit_pytorch.cait", f"CaiT(depth=2, cls_depth=1, **{_VIT})", _IMAGE),
        ("DeepViT", "vit_pytorch.deepvit", f"DeepViT(depth=2, **{_VIT})", _IMAGE),
        ("Parallel ViT", "vit_pytorch.parallel_vit", f"ViT(depth=2, **{_VIT})", _IMAGE),
    ],
    "denoising_diffusion_pytorch": [
        (
            "Unet",
            "denoising_diffusion_pytorch.denoising_diffusion_pytorch",
            "Unet(dim=16, dim_mults=(1, 2), flash_attn=False)",
            [("float", (2, 3, 16, 16)), ("time", (2,), 100)],
        ),
        (
            "Unet1D",
            "denoising_diffusion_pytorch.denoising_diffusion_pytorch_1d",
            "Unet1D(dim=16, dim_mults=(1, 2), channels=3)",
            [("float", (2, 3, 32)), ("time", (2,), 100)],
        ),
        (
            "Unet, learned variance",
            "denoising_diffusion_pytorch.denoising_diffusion_pytorch",
            "Unet(dim=16, dim_mults=(1, 2), learned_variance=True, learned_sinusoidal_cond=True)",
            [("float", (2, 3, 16, 16)), ("time", (2,), 100)],
        ),
    ],
    "segmentation_models_pytorch": [
        (name, "segmentation_models_pytorch", f"{name}('resnet18', encoder_weights=None)", _LARGE)
        for name in ("Unet", "Linknet", "FPN", "PSPNet", "UnetPlusPlus", "DeepLabV3")
    ],
    "dynamic_network_architectures": [
        (name, f"{_DYNAMIC}.architectures.unet", f"{name}({_UNET})", _LARGE)
        for name in ("PlainConvUNet", "ResidualEncoderUNet", "ResidualUNet")
    ]
    + [
        (
            "ResNetD",
            f"{_DYNAMIC}.architectures.resnet",
            "ResNetD(5, 3, config='18')",
            _LARGE,
        ),
    ],
    "pytorch_tabnet": [
        (name, "pytorch_tabnet.tab_network", f"{name}({options})", [("float", (6, 8))] * inputs)
        for name, options, inputs in (
            ("TabNetNoEmbeddings", f"8, 3, {_TABNET}", 1),
            ("TabNet", f"8, 3, {_TABNET}", 1),
            ("AttentiveTransformer", "8, 8, group_matrix=eye(8)", 2),
            ("FeatTransformer", "8, 6, shared_layers=None, n_glu_independent=2", 1),
        )
    ],
    "timm": [
        (name, "timm.models", f"{file}({options})", [("float", (2, 3, size, size))])
        for name, file, options, size in (
            ("resnet18", "resnet18", "", 64),
            ("vit_tiny", "vit_tiny_patch16_224", "img_size=64, depth=2", 64),
            ("convnext_atto", "convnext_atto", "", 64),
            ("mobilenetv3_small_050", "mobilenetv3_small_050", "", 64),
            ("efficientnet_b0", "efficientnet_b0", "", 64),
            ("regnetx_002", "regnetx_002", "", 64),
            ("densenet121", "densenet121", "", 64),
            ("mixer_s32", "mixer_s32_224", "img_size=64", 64),
        )
    ],
    "torchvision": [
        (name, "torchvision.models", f"{name}(weights=None)", [("float", (2, 3, size, size))])
        for name, size in (
            ("resnet18", 64),
            ("mobilenet_v2", 64),
            ("mobilenet_v3_small", 64),
            ("shufflenet_v2_x0_5", 64),
            ("squeezenet1_1", 64),
            ("densenet121", 64),
            ("efficientnet_b0", 64),
            ("convnext_tiny", 64),
            ("regnet_y_400mf", 64),
            ("mnasnet0_5", 64),
        )
    ],
}
