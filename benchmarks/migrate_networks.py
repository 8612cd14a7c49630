"""The networks of benchmarks/migrate.py: real ones, that nobody here wrote, made small.

They come from transformers, pytorchcv and vit-pytorch (requirements/networks.txt), with random
weights, few layers where a configuration says how many, and small inputs.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

#: What each network is called with: positional inputs, or a dictionary of keyword arguments.
Inputs = tuple[Any, ...] | dict[str, Any]


@dataclass(frozen=True)
class Network:
    """One row of the table.

    Attributes:
        name: how it is called in the table.
        package: the package that must be importable.
        make: gives the module and its inputs.
    """

    name: str
    package: str
    make: Callable[[], tuple[torch.nn.Module, Inputs]]


def _without_init(package: str) -> None:
    """Make modules of a package importable without its ``__init__``.

    vit_pytorch's imports its training recipes, which need torchvision; the networks do not.
    """
    if package in sys.modules:
        return
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)
    bare = types.ModuleType(package)
    bare.__path__ = list(spec.submodule_search_locations)
    sys.modules[package] = bare


def missing_packages() -> list[str]:
    """The packages that are not importable."""
    names = ("transformers", "pytorchcv", "vit_pytorch")
    return [n for n in names if importlib.util.find_spec(n) is None]


# ---------------------------------------------------------------------------- transformers

_TEXT: dict[str, Any] = {
    "vocab_size": 99,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 37,
    "max_position_embeddings": 64,
}
_IMAGE: dict[str, Any] = {"image_size": 32, "patch_size": 8, "num_channels": 3}


def _ids(*shape: int, top: int = 99) -> torch.Tensor:
    return torch.randint(3, top, shape)


def _bert() -> tuple[torch.nn.Module, Inputs]:
    from transformers import BertConfig, BertForSequenceClassification

    mask = torch.ones(2, 9, dtype=torch.int64)
    mask[1, 6:] = 0
    config = BertConfig(**_TEXT, num_labels=5)
    inputs = {"input_ids": _ids(2, 9), "attention_mask": mask}
    return BertForSequenceClassification(config), inputs


def _gpt2() -> tuple[torch.nn.Module, Inputs]:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    return GPT2LMHeadModel(config), {"input_ids": _ids(2, 9), "use_cache": False}


def _llama() -> tuple[torch.nn.Module, Inputs]:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(**_TEXT, num_key_value_heads=2)
    return LlamaForCausalLM(config), {"input_ids": _ids(2, 9), "use_cache": False}


def _t5() -> tuple[torch.nn.Module, Inputs]:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4,
        decoder_start_token_id=0, relative_attention_num_buckets=8,
    )  # fmt: skip
    inputs = {"input_ids": _ids(2, 9), "decoder_input_ids": _ids(2, 7), "use_cache": False}
    return T5ForConditionalGeneration(config), inputs


def _vit() -> tuple[torch.nn.Module, Inputs]:
    from transformers import ViTConfig, ViTForImageClassification

    config = ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37,
        num_labels=5, **_IMAGE,
    )  # fmt: skip
    return ViTForImageClassification(config), {"pixel_values": torch.randn(2, 3, 32, 32)}


def _clip() -> tuple[torch.nn.Module, Inputs]:
    from transformers import CLIPConfig, CLIPModel

    part = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    text = {**part, "vocab_size": 99, "intermediate_size": 37, "max_position_embeddings": 64}
    text.update(eos_token_id=98, bos_token_id=1, pad_token_id=0)
    vision = {**part, "intermediate_size": 37, **_IMAGE}
    config = CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)
    inputs = {"input_ids": _ids(3, 9), "pixel_values": torch.randn(2, 3, 32, 32)}
    return CLIPModel(config), inputs


def _whisper() -> tuple[torch.nn.Module, Inputs]:
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    config = WhisperConfig(
        vocab_size=99, num_mel_bins=16, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=37,
        decoder_ffn_dim=37, d_model=32, max_source_positions=30, max_target_positions=20,
        pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    )  # fmt: skip
    inputs = {
        "input_features": torch.randn(2, 16, 60),
        "decoder_input_ids": _ids(2, 7),
        "use_cache": False,
    }
    return WhisperForConditionalGeneration(config), inputs


def _resnet() -> tuple[torch.nn.Module, Inputs]:
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 2], layer_type="bottleneck", num_labels=5
    )
    return ResNetForImageClassification(config), {"pixel_values": torch.randn(4, 3, 32, 32)}


def _convnext() -> tuple[torch.nn.Module, Inputs]:
    from transformers import ConvNextConfig, ConvNextForImageClassification

    config = ConvNextConfig(
        hidden_sizes=[8, 16], depths=[1, 2], num_stages=2, num_labels=5, drop_path_rate=0.0
    )
    return ConvNextForImageClassification(config), {"pixel_values": torch.randn(2, 3, 32, 32)}


def _swin() -> tuple[torch.nn.Module, Inputs]:
    from transformers import SwinConfig, SwinForImageClassification

    config = SwinConfig(
        image_size=32, patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 4], window_size=4,
        num_labels=5, drop_path_rate=0.0,
    )  # fmt: skip
    return SwinForImageClassification(config), {"pixel_values": torch.randn(2, 3, 32, 32)}


_TRANSFORMERS = {
    "BERT": _bert,
    "GPT-2": _gpt2,
    "Llama": _llama,
    "T5": _t5,
    "ViT": _vit,
    "CLIP": _clip,
    "Whisper": _whisper,
    "ResNet": _resnet,
    "ConvNeXt": _convnext,
    "Swin": _swin,
}

# ------------------------------------------------------------------------------- pytorchcv

#: Names of pytorchcv, one a family, with the side of the image and the batch. Images are smaller
#: than the usual 224, so that a network takes seconds; see `_fit_pools`.
_PYTORCHCV: dict[str, tuple[int, int]] = {
    "resnet20_cifar10": (32, 4),
    "resnet18_wd4": (64, 2),
    "preresnet20_cifar10": (32, 4),
    "densenet40_k12_bc_cifar10": (32, 2),
    "mobilenet_wd4": (64, 2),
    "mobilenetv2_wd4": (64, 2),
    "mobilenetv3_small_w7d20": (64, 2),
    "efficientnet_b0": (64, 2),
    "shufflenet_g1_wd4": (64, 2),
    "shufflenetv2_wd2": (64, 2),
    "squeezenet_v1_1": (64, 2),
    "squeezeresnet_v1_1": (64, 2),
    "senet16": (64, 2),
    "seresnet20_cifar10": (32, 4),
    "sepreresnet20_cifar10": (32, 4),
    "resnext20_16x4d_cifar10": (32, 2),
    "xception": (96, 2),
    "inceptionv3": (96, 2),
    "inceptionv4": (96, 2),
    "darknet_tiny": (64, 2),
    "vgg11": (224, 2),
    "bn_vgg11b": (224, 2),
    "alexnet": (224, 2),
    "zfnet": (224, 2),
    "dpn68": (224, 2),
    "nasnet_4a1056": (64, 2),
    "mnasnet_small": (64, 2),
    "ghostnet": (64, 2),
    "hardnet39ds": (64, 2),
    "vovnet27s": (64, 2),
    "nin_cifar10": (32, 4),
    "pyramidnet110_a48_cifar10": (32, 2),
    "wrn20_10_32bit_cifar10": (32, 1),
    "diaresnet20_cifar10": (32, 2),
    "ror3_56_cifar10": (32, 2),
    "rir_cifar10": (32, 2),
    "bam_resnet18": (64, 2),
    "cbam_resnet18": (64, 2),
    "resnesta18": (64, 2),
    "igcv3_wd4": (64, 2),
    "menet108_8x1_g3": (64, 2),
    "peleenet": (64, 2),
    "proxylessnas_cpu": (64, 2),
    "ibn_resnet50": (64, 2),
    "dla46c": (64, 2),
    "hrnet_w18_small_v1": (64, 2),
    "bninception": (64, 2),
    "selecsls42": (64, 2),
    "sknet50": (64, 2),
    "mixnet_s": (64, 2),
    "fbnet_cb": (64, 2),
    "diracnet18v2": (64, 2),
    "unet_cityscapes": (64, 1),
    "erfnet_cityscapes": (64, 1),
}


def _pytorchcv(name: str, side: int, batch: int) -> Callable[[], tuple[torch.nn.Module, Inputs]]:
    def make() -> tuple[torch.nn.Module, Inputs]:
        provider = importlib.import_module("pytorchcv.model_provider")
        options: dict[str, Any] = {"pretrained": False}
        if "cifar" not in name and "cityscapes" not in name:
            options["num_classes"] = 10
        if "cityscapes" in name:
            options["in_size"] = (side, side)
        net, x = provider.get_model(name, **options), torch.randn(batch, 3, side, side)
        _fit_pools(net, x)
        return net, (x,)

    return make


def _fit_pools(net: torch.nn.Module, x: torch.Tensor) -> None:
    """Let a pooling that is meant to cover its whole map cover the smaller map of `x`."""

    def fit(pool: Any, inputs: tuple[Any, ...]) -> None:
        height, width = inputs[0].shape[2:]
        if isinstance(pool.kernel_size, int) and pool.kernel_size > min(height, width):
            pool.kernel_size = (height, width)

    handles = [
        m.register_forward_pre_hook(fit)
        for m in net.modules()
        if isinstance(m, torch.nn.AvgPool2d) and not m.padding
    ]
    try:
        with torch.no_grad():
            net.eval()(x)
    finally:
        for handle in handles:
            handle.remove()
        net.train()


# ------------------------------------------------------------------------------ vit-pytorch


def _vits() -> dict[str, Callable[[], tuple[torch.nn.Module, Inputs]]]:
    def of(
        module: str, name: str, side: int = 32, **options: Any
    ) -> Callable[[], tuple[torch.nn.Module, Inputs]]:
        def make() -> tuple[torch.nn.Module, Inputs]:
            _without_init("vit_pytorch")
            kind = getattr(importlib.import_module(f"vit_pytorch.{module}"), name)
            return kind(**options), (torch.randn(2, 3, side, side),)

        return make

    usual: dict[str, Any] = {"image_size": 32, "patch_size": 8, "num_classes": 5, "dim": 32}
    usual.update(depth=2, heads=4)
    dropping = {**usual, "mlp_dim": 48, "dropout": 0.1, "emb_dropout": 0.1}
    cvt: dict[str, Any] = {"num_classes": 5}
    for stage, dim in zip("123", (8, 16, 32), strict=True):
        cvt[f"s{stage}_emb_dim"] = dim
        cvt[f"s{stage}_heads"] = 1
        cvt[f"s{stage}_depth"] = 1
        cvt[f"s{stage}_mlp_mult"] = 2
    return {
        "ViT (vit-pytorch)": of("vit", "ViT", **dropping),
        "SimpleViT": of("simple_vit", "SimpleViT", **usual, mlp_dim=48),
        "DeepViT": of("deepvit", "DeepViT", **dropping),
        "CaiT": of("cait", "CaiT", **dropping, cls_depth=1, layer_dropout=0.0),
        "CrossViT": of(
            "cross_vit", "CrossViT", 32, image_size=32, num_classes=5, depth=1, sm_dim=16,
            sm_patch_size=8, sm_enc_depth=1, sm_enc_heads=2, sm_enc_mlp_dim=24, lg_dim=24,
            lg_patch_size=16, lg_enc_depth=1, lg_enc_heads=2, lg_enc_mlp_dim=32,
            cross_attn_depth=1, cross_attn_heads=2,
        ),
        "CCT": of(
            "cct", "CCT", img_size=32, embedding_dim=32, n_conv_layers=1, kernel_size=7, stride=2,
            padding=3, pooling_kernel_size=3, pooling_stride=2, pooling_padding=1, num_layers=2,
            num_heads=2, mlp_ratio=2.0, num_classes=5, positional_embedding="learnable",
            stochastic_depth_rate=0.0,
        ),
        "CvT": of("cvt", "CvT", 64, **cvt),
        "PiT": of("pit", "PiT", 32, image_size=32, patch_size=8, dim=16, num_classes=5,
                  depth=(1, 1), heads=2, mlp_dim=32),
        "LeViT": of(
            "levit", "LeViT", 64, image_size=64, num_classes=5, stages=2, dim=(16, 32), depth=1,
            heads=(2, 2), mlp_mult=2,
        ),
        "NesT": of("nest", "NesT", 32, image_size=32, patch_size=4, dim=16, heads=2,
                   num_hierarchies=2, block_repeats=(1, 1), num_classes=5),
        "MobileViT": of(
            "mobile_vit", "MobileViT", 64, image_size=(64, 64), dims=[16, 20, 24],
            channels=[8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 32], num_classes=5, patch_size=(1, 1),
        ),
        "ViT for small datasets": of("vit_for_small_dataset", "ViT", **dropping),
        "Parallel ViT": of("parallel_vit", "ViT", **dropping, num_parallel_branches=2),
        "XCiT": of("xcit", "XCiT", 32, **usual, cls_depth=1, mlp_dim=48),
    }  # fmt: skip


def networks() -> list[Network]:
    """All rows, in the order of the table."""
    found = [Network(name, "transformers", make) for name, make in _TRANSFORMERS.items()]
    found += [
        Network(name, "pytorchcv", _pytorchcv(name, side, batch))
        for name, (side, batch) in _PYTORCHCV.items()
    ]
    return found + [Network(name, "vit-pytorch", make) for name, make in _vits().items()]
