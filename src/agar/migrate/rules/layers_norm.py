"""Rules of normalization and dropout."""

from __future__ import annotations

from agar.migrate.rules._declare import case, missing, rule

_BATCH = {
    "momentum": "it weighs the old value, PyTorch's the new one: write momentum = 1 - momentum "
    "(0.9 for PyTorch's 0.1)",
    "gamma": "the weights are called gamma and beta, moving_mean and moving_variance; PyTorch's "
    "weight and bias, running_mean and running_var",
    "use_batch_statistics": "PyTorch's track_running_stats=False is use_batch_statistics=True",
    "set_train": "a new Cell is in evaluation mode, a new torch module in training mode: call "
    "set_train() before training",
    "affine": "with False the cell still holds gamma and beta, and does not train them",
}
_BATCH_WEIGHTS = (
    "weight=gamma bias=beta running_mean=moving_mean running_var=moving_variance "
    "num_batches_tracked="
)
_NO_BIAS = (
    "there is always a beta; make the layer without bias=False and freeze it: "
    "layer.beta.requires_grad = False"
)
_CUMULATIVE = (
    "it asks for a plain average over all batches, which MindSpore does not have; give a number"
)


def _batch_norm(name: str, target: str, samples: list[str], signature: str = "") -> None:
    rule(
        f"torch.nn.{name}(num_features, eps=1e-05, momentum=0.1, affine=True, "
        f"track_running_stats=True, {signature}device=None, dtype=None, *, bias=True)",
        case(
            f"nn.{target}({{num_features}}, eps={{eps}}, momentum=1 - {{momentum}}, "
            "affine={affine}, use_batch_statistics=True, dtype={dtype?})",
            "not track_running_stats and momentum is not None",
        ),
        case(
            f"nn.{target}({{num_features}}, eps={{eps}}, affine={{affine}}, "
            "use_batch_statistics=True, dtype={dtype?})",
            "not track_running_stats",
        ),
        f"nn.{target}({{num_features}}, eps={{eps}}, momentum=1 - {{momentum}}, "
        "affine={affine}, dtype={dtype?})",
        refuse={
            "momentum is None and track_running_stats": _CUMULATIVE,
            "affine and not bias": _NO_BIAS,
            **(
                {
                    "process_group is not None": "make the group with "
                    "communication.create_group and give process_groups=[[ranks]]"
                }
                if signature
                else {}
            ),
        },
        ignore="device",
        differs=_BATCH,
        weights=_BATCH_WEIGHTS.replace("=", "=bn2d.").replace("bn2d. ", " ").removesuffix("bn2d.")
        if target == "BatchNorm3d"
        else _BATCH_WEIGHTS,
        read={
            "dtype": "None",
            "bias": "not module.affine or module.bias is not None",
            "process_group": "None",
        },
        samples=samples,
    )


_batch_norm(
    "BatchNorm1d",
    "BatchNorm1d",
    [
        "(4)(f(6, 4))",
        "(4, eps=1e-3, momentum=0.3)(f(6, 4))",
        "(4, affine=False)(f(6, 4))",
        "(4, track_running_stats=False)(f(6, 4))",
    ],
)
_batch_norm(
    "BatchNorm2d",
    "BatchNorm2d",
    [
        "(4)(f(3, 4, 5, 6))",
        "(4, 1e-3, 0.01)(f(3, 4, 5, 6))",
        "(4, affine=False)(f(3, 4, 5, 6))",
        "(4, track_running_stats=False)(f(3, 4, 5, 6))",
        "(4, momentum=None, track_running_stats=False)(f(3, 4, 5, 6))",
    ],
)
_batch_norm(
    "BatchNorm3d",
    "BatchNorm3d",
    [
        "(3)(f(2, 3, 4, 5, 6))",
        "(3, momentum=0.2, affine=False)(f(2, 3, 4, 5, 6))",
    ],
)
_batch_norm(
    "SyncBatchNorm",
    "SyncBatchNorm",
    ["(3, momentum=0.2)(f(2, 3, 4, 5))"],
    "process_group=None, ",
)


def _instance_norm(dims: int, samples: list[str]) -> None:
    rule(
        f"torch.nn.InstanceNorm{dims}d(num_features, eps=1e-05, momentum=0.1, affine=False, "
        "track_running_stats=False, device=None, dtype=None, *, bias=True)",
        f"nn.InstanceNorm{dims}d({{num_features}}, eps={{eps}}, affine={{affine}}, "
        "dtype={dtype?})",
        refuse={
            "track_running_stats": "MindSpore's instance norm always takes the statistics of its "
            "input; use nn.BatchNorm2d where running statistics are wanted",
            "affine and not bias": _NO_BIAS,
        },
        ignore="device momentum",
        differs={
            "affine": "it is True by default, PyTorch's False",
            "gamma": _BATCH["gamma"],
        },
        weights=_BATCH_WEIGHTS,
        read={"dtype": "None", "bias": "not module.affine or module.bias is not None"},
        samples=samples,
        note="MindSpore has a kernel on GPU alone",
    )


_instance_norm(1, ["(4)(f(2, 4, 7))", "(4, affine=True, eps=1e-3)(f(2, 4, 7))"])
_instance_norm(2, ["(4)(f(2, 4, 5, 6))", "(4, 1e-3, affine=True)(f(2, 4, 5, 6))"])
_instance_norm(3, ["(3)(f(2, 3, 3, 4, 5))", "(3, affine=True)(f(2, 3, 3, 4, 5))"])

_LAYER = {
    "epsilon": "it is 1e-07 by default, PyTorch's eps 1e-05; write epsilon=1e-05",
    "begin_norm_axis": "only the last axis is normalized by default; for a longer "
    "normalized_shape write begin_norm_axis=-len(shape) and begin_params_axis=-len(shape)",
    "normalized_shape": "it is a tuple, one number is not taken",
    "gamma": "the weights are called gamma and beta, PyTorch's weight and bias",
    "elementwise_affine": "nn.LayerNorm always has gamma and beta; mint.nn.LayerNorm may go "
    "without",
}
_EXT = (
    "mint.nn.LayerNorm({normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}, "
    "bias={bias}, dtype={dtype?})"
)
_EXT_NOTE = (
    "nn.LayerNorm always has gamma and beta; MindSpore's mint.nn.LayerNorm needs an Ascend device"
)

rule(
    "torch.nn.LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, "
    "device=None, dtype=None)",
    case(_EXT, "not elementwise_affine or not bias", note=_EXT_NOTE, weights="same"),
    case(
        "nn.LayerNorm(({normalized_shape},), epsilon={eps}, dtype={dtype?})",
        "isinstance(normalized_shape, int)",
        likely=True,
    ),
    case(
        "nn.LayerNorm(tuple({normalized_shape}), epsilon={eps}, dtype={dtype?})",
        "len(normalized_shape) == 1",
    ),
    case(
        "nn.LayerNorm(tuple({normalized_shape}), begin_norm_axis=-len({normalized_shape}), "
        "begin_params_axis=-len({normalized_shape}), epsilon={eps}, dtype={dtype?})",
        note="MindSpore's kernel counts these axes from the front: there write "
        "begin_norm_axis=begin_params_axis=rank of the input - len(normalized_shape)",
    ),
    ignore="device",
    differs=_LAYER,
    weights="weight=gamma bias=beta",
    read={
        "normalized_shape": "module.normalized_shape[0] if len(module.normalized_shape) == 1 "
        "else tuple(module.normalized_shape)",
        "bias": "not module.elementwise_affine or module.bias is not None",
        "dtype": "None",
    },
    samples=[
        "(6)(f(2, 5, 6))",
        "((5, 6), 1e-6)(f(2, 5, 6))",
        "([6])(f(2, 5, 6))",
        "(6, elementwise_affine=False)(f(2, 5, 6))",
        "(6, bias=False)(f(2, 5, 6))",
    ],
)
rule(
    "torch.nn.GroupNorm(num_groups, num_channels, eps=1e-05, affine=True, device=None, "
    "dtype=None, *, bias=True)",
    "nn.GroupNorm({num_groups}, {num_channels}, eps={eps}, affine={affine}, dtype={dtype?})",
    refuse={"affine and not bias": _NO_BIAS},
    ignore="device",
    differs={"gamma": _LAYER["gamma"], "affine": _BATCH["affine"]},
    weights="weight=gamma bias=beta",
    read={"dtype": "None", "bias": "not module.affine or module.bias is not None"},
    samples=[
        "(2, 6)(f(3, 6, 4, 5))",
        "(3, 6, eps=1e-3, affine=False)(f(3, 6, 4, 5))",
        "(1, 6)(f(3, 6, 4, 4))",
    ],
)
rule(
    "torch.nn.RMSNorm(normalized_shape, eps=None, elementwise_affine=True, device=None, "
    "dtype=None)",
    "_RMSNorm({normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine})",
    refuse={"dtype is not None": "convert the cell afterwards: cell.to_float or amp"},
    ignore="device",
    read={"dtype": "None"},
    samples=[
        "(4)(f(3, 4))",
        "((3, 4), 1e-5)(f(2, 3, 4))",
        "([4], elementwise_affine=False)(f(2, 3, 4))",
    ],
    note="ops.rms_norm computes the same on Ascend.",
)
rule(
    "torch.nn.LocalResponseNorm(size, alpha=0.0001, beta=0.75, k=1.0)",
    "nn.LRN({size} // 2, bias={k}, alpha={alpha} / {size}, beta={beta})",
    refuse={
        "size % 2 == 0": "nn.LRN takes as many neighbors on both sides, so that its window is "
        "odd; take an odd size",
    },
    differs={
        "depth_radius": "it counts neighbors on one side, PyTorch's size the whole window: "
        "depth_radius = size // 2",
        "alpha": "PyTorch divides it by size: write alpha / size; its default is 1.0, PyTorch's "
        "0.0001",
        "bias": "PyTorch calls it k",
        "beta": "it is 0.5 by default, PyTorch's 0.75",
        "shape": "inputs have four dimensions, PyTorch's three or more",
    },
    samples=["(5)(f(2, 8, 4, 4))", "(3, alpha=0.3, beta=0.6, k=2.0)(f(2, 8, 4, 4))"],
)
missing(
    "torch.nn.CrossMapLRN2d(size, alpha=0.0001, beta=0.75, k=1)",
    "PyTorch sums a window here that is one channel too wide for most channels; nothing else "
    "repeats that. Use torch.nn.LocalResponseNorm, which is nn.LRN.",
)

# ----------------------------------------------------------------- dropout

_DROP = {
    "p": "it is None by default, which leaves the choice to keep_prob; 1.0 is not taken",
    "keep_prob": "the first argument is the probability to keep, PyTorch's p the one to drop; "
    "write p=",
    "seed": "masks are drawn from MindSpore's generators, so that the same seed gives other "
    "masks than in PyTorch",
}
rule(
    "torch.nn.Dropout(p=0.5, inplace=False)",
    "nn.Dropout(p={p})",
    ignore="inplace",
    differs=_DROP,
    samples=["(0.3)(f(4, 5))", "(p=0.0)(f(4, 5))"],
    compare="shape",
)
for _dims, _shape in ((1, "4, 5, 6"), (2, "4, 5, 6, 7"), (3, "2, 5, 3, 4, 5")):
    rule(
        f"torch.nn.Dropout{_dims}d(p=0.5, inplace=False)",
        f"nn.Dropout{_dims}d(p={{p}})",
        ignore="inplace",
        differs={"seed": _DROP["seed"]},
        samples=[f"(0.3)(f({_shape}))"],
        compare="shape",
    )
for _name in ("AlphaDropout", "FeatureAlphaDropout"):
    missing(
        f"torch.nn.{_name}(p=0.5, inplace=False)",
        "MindSpore has no dropout that keeps mean and variance of SELU networks; use nn.Dropout, "
        "or a Cell that draws a mask with ops.bernoulli.",
    )
