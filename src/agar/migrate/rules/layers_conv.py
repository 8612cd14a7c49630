"""Rules of convolutions, linear layers and embeddings."""

from __future__ import annotations

from agar.migrate.rules._declare import case, missing, rule

_BIAS = {"bias": "module.bias is not None"}

_CONV = {
    "pad_mode": "it is 'same' by default, where PyTorch adds no padding; write pad_mode='pad', "
    "and padding= as in PyTorch",
    "has_bias": "it is False by default, where PyTorch has a bias; write has_bias=True",
    "padding": "a tuple has a number for each side (top, bottom, left, right), PyTorch's one for "
    "each dimension",
    "weight_init": "None draws HeUniform(sqrt(5)), the distribution of PyTorch's reset_parameters",
    "group": "PyTorch calls it groups",
}
_PADDING_MODE = {
    "padding_mode != 'zeros' and isinstance(padding, str)": "convolutions of MindSpore pad with "
    "zeros; give the padding in numbers, so that a layer can pad before the convolution",
}


def _conv(dims: int, samples: list[str]) -> None:
    name = f"Conv{dims}d"
    sides = ", ".join(f"{{padding}}[{d}], {{padding}}[{d}]" for d in range(dims))
    # layers that pad begin with the last dimension
    reversed_sides = ", ".join(f"{{padding}}[{d}], {{padding}}[{d}]" for d in reversed(range(dims)))
    rest = "dilation={dilation}, group={groups}, has_bias={bias}, dtype={dtype?})"
    start = f"nn.{name}({{in_channels}}, {{out_channels}}, {{kernel_size}}, stride={{stride}}, "
    weight_names = (
        "weight={}weight:expand2 bias={}bias" if dims == 1 else "weight={}weight bias={}bias"
    )
    as_int = ", ".join(["{padding}"] * 2 * dims)
    padded = [
        case(
            f"nn.SequentialCell({layer}({amount}), {start}pad_mode='valid', {rest})",
            f"padding_mode == '{mode}'{condition}",
            note="convolutions of MindSpore pad with zeros: a layer pads before it",
            weights=weight_names.replace("{}", "1."),
        )
        for mode, layer, every in (
            ("reflect", f"nn.ReflectionPad{dims}d", "{padding}"),
            ("replicate", f"nn.ReplicationPad{dims}d", "{padding}"),
            ("circular", "_CircularPad", f"({as_int})"),
        )
        for amount, condition in (
            (f"({reversed_sides})", " and isinstance(padding, tuple)"),
            (every, ""),
        )
        if dims > 1 or not condition
    ]
    tuples = (
        []
        if dims == 1
        else [
            case(
                start + f"pad_mode='pad', padding=({sides}), " + rest, "isinstance(padding, tuple)"
            ),
        ]
    )
    rule(
        f"torch.nn.{name}(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, "
        "groups=1, bias=True, padding_mode='zeros', device=None, dtype=None)",
        *padded,
        case(start + "pad_mode={padding}, " + rest, "isinstance(padding, str)"),
        *tuples,
        start + "pad_mode='pad', padding={padding}, " + rest,
        refuse=_PADDING_MODE,
        ignore="device",
        differs=_CONV,
        weights=weight_names.replace("{}", ""),
        read={**_BIAS, "dtype": "None"},
        samples=samples,
    )


_conv(
    1,
    [
        "(4, 6, 3)(f(2, 4, 9))",
        "(4, 6, 3, stride=2, padding=1, dilation=2, groups=2, bias=False)(f(2, 4, 11))",
        "(4, 6, 4, padding='same')(f(2, 4, 9))",
        "(4, 6, (3,), padding='valid')(f(2, 4, 9))",
        "(4, 6, 3, padding=2, padding_mode='reflect')(f(2, 4, 9))",
        "(4, 6, 3, padding=2, padding_mode='circular')(f(2, 4, 9))",
    ],
)
_conv(
    2,
    [
        "(3, 8, 3)(f(2, 3, 9, 9))",
        "(3, 8, 3, 2, 1)(f(2, 3, 9, 8))",
        "(4, 8, (3, 1), stride=(2, 1), padding=(1, 0), groups=4, bias=False)(f(2, 4, 9, 8))",
        "(3, 4, (2, 3), padding='same', dilation=2)(f(1, 3, 9, 8))",
        "(3, 4, 3, padding='valid')(f(1, 3, 9, 8))",
        "(3, 4, 3, padding=1, padding_mode='reflect')(f(1, 3, 9, 8))",
        "(3, 4, 3, padding=(2, 1), padding_mode='circular')(f(1, 3, 9, 8))",
        "(3, 4, 5, 2, (2, 1), padding_mode='replicate', bias=False)(f(1, 3, 9, 8))",
    ],
)
_conv(
    3,
    [
        "(2, 4, 3)(f(1, 2, 5, 5, 5))",
        "(2, 4, (1, 3, 3), stride=(1, 2, 2), padding=(0, 1, 1), bias=False)(f(1, 2, 4, 6, 6))",
        "(2, 4, 3, padding='same')(f(1, 2, 4, 5, 6))",
        "(2, 4, 3, padding=(0, 1, 2), padding_mode='replicate')(f(1, 2, 4, 5, 6))",
    ],
)


def _transposed(dims: int, samples: list[str]) -> None:
    name = f"Conv{dims}dTranspose"
    sides = ", ".join(f"{{padding}}[{d}], {{padding}}[{d}]" for d in range(dims))
    start = f"nn.{name}({{in_channels}}, {{out_channels}}, {{kernel_size}}, stride={{stride}}, "
    rest = "dilation={dilation}, group={groups}, has_bias={bias}, dtype={dtype?})"
    refuse = {
        "padding_mode != 'zeros'": "PyTorch itself takes only 'zeros' here",
    }
    if dims == 1:
        refuse["output_padding != 0"] = (
            "nn.Conv1dTranspose has none; add an axis and use nn.Conv2dTranspose(..., "
            "kernel_size=(1, k), stride=(1, s), output_padding=(0, p)), or pad its output"
        )
    else:
        rest = "output_padding={output_padding}, " + rest
    tuples = (
        []
        if dims == 1
        else [
            case(
                start + f"pad_mode='pad', padding=({sides}), " + rest, "isinstance(padding, tuple)"
            ),
        ]
    )
    rule(
        f"torch.nn.ConvTranspose{dims}d(in_channels, out_channels, kernel_size, stride=1, "
        "padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', "
        "device=None, dtype=None)",
        *tuples,
        start + "pad_mode='pad', padding={padding}, " + rest,
        refuse=refuse,
        ignore="device",
        differs={
            **_CONV,
            "output_padding": "only the 2d and 3d layers have it; MindSpore's CPU kernel leaves "
            "what it adds at zero, agar computes it as PyTorch does",
        },
        weights="weight=weight:expand2" if dims == 1 else "",
        read={**_BIAS, "dtype": "None"},
        samples=samples,
    )


_transposed(
    1,
    [
        "(4, 6, 3)(f(2, 4, 7))",
        "(4, 6, 4, stride=2, padding=1, groups=2, bias=False)(f(2, 4, 7))",
    ],
)
_transposed(
    2,
    [
        "(4, 6, 3)(f(2, 4, 5, 6))",
        "(4, 6, 4, 2, 1)(f(2, 4, 5, 6))",
        "(4, 6, (3, 2), stride=(2, 1), padding=(1, 0), output_padding=(1, 0), groups=2, bias=False)"
        "(f(2, 4, 5, 6))",
    ],
)
_transposed(
    3,
    [
        "(2, 4, 3)(f(1, 2, 3, 4, 4))",
        "(2, 4, 3, stride=2, padding=1, output_padding=1, bias=False)(f(1, 2, 3, 4, 4))",
    ],
)

for _name in (
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
    "LazyLinear",
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
):
    missing(
        f"torch.nn.{_name}",
        "layers of MindSpore know their input sizes when they are made; write the layer without "
        "'Lazy' and with its number of channels. A module that has seen data has become that "
        "layer, and is converted as it.",
    )

# ------------------------------------------------------------------ linear

rule(
    "torch.nn.Linear(in_features, out_features, bias=True, device=None, dtype=None)",
    "nn.Dense({in_features}, {out_features}, has_bias={bias}, dtype={dtype?})",
    ignore="device",
    differs={
        "has_bias": "PyTorch calls it bias",
        "weight_init": "None draws HeUniform(sqrt(5)), as PyTorch does; a program that says "
        "weight_init='normal' draws something else",
        "activation": "nn.Dense may hold an activation, PyTorch's Linear never does",
    },
    read={**_BIAS, "dtype": "None"},
    samples=[
        "(5, 3)(f(4, 5))",
        "(5, 3, bias=False)(f(2, 4, 5))",
        "(in_features=5, out_features=3)(f(5))",
    ],
)
rule(
    "torch.nn.modules.linear.NonDynamicallyQuantizableLinear(in_features, out_features, "
    "bias=True, device=None, dtype=None)",
    "nn.Dense({in_features}, {out_features}, has_bias={bias}, dtype={dtype?})",
    ignore="device",
    read={**_BIAS, "dtype": "None"},
    samples=["(5, 3)(f(4, 5))"],
    note="the projection inside torch.nn.MultiheadAttention",
)
rule(
    "torch.nn.Bilinear(in1_features, in2_features, out_features, bias=True, device=None, "
    "dtype=None)",
    "nn.BiDense({in1_features}, {in2_features}, {out_features}, has_bias={bias}, dtype={dtype?})",
    ignore="device",
    differs={"has_bias": "PyTorch calls it bias"},
    read={**_BIAS, "dtype": "None"},
    samples=["(5, 4, 3)(f(6, 5), f(6, 4))", "(5, 4, 3, bias=False)(f(6, 5), f(6, 4))"],
)

# --------------------------------------------------------------- embeddings

rule(
    "torch.nn.Embedding(num_embeddings, embedding_dim, padding_idx=None, max_norm=None, "
    "norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, "
    "device=None, dtype=None)",
    case(
        "mint.nn.Embedding({num_embeddings}, {embedding_dim}, padding_idx={padding_idx}, "
        "max_norm={max_norm}, norm_type={norm_type}, scale_grad_by_freq={scale_grad_by_freq}, "
        "dtype={dtype?})",
        "max_norm is not None or scale_grad_by_freq",
        note="nn.Embedding neither renormalizes rows nor scales gradients; MindSpore has no kernel "
        "for mint.nn.Embedding on the CPU",
        weights="same",
    ),
    case(
        "_Embedding({num_embeddings}, {embedding_dim}, {padding_idx}, dtype={dtype?})",
        when="padding_idx is not None",
        likely=True,
    ),
    "nn.Embedding({num_embeddings}, {embedding_dim}, dtype={dtype?})",
    refuse={
        "_weight is not None": "give the table afterwards: "
        "embedding.embedding_table.set_data(table)",
        "_freeze": "freeze it afterwards: embedding.embedding_table.requires_grad = False",
    },
    ignore="device sparse",
    differs={
        "embedding_table": "the weight is called embedding_table, PyTorch's weight; it is drawn "
        "from a normal distribution of deviation 0.01, PyTorch's of 1",
        "padding_idx": "nn.Embedding only begins with zeros in that row and trains it, PyTorch "
        "does not train it",
        "vocab_size": "PyTorch calls it num_embeddings, and embedding_size embedding_dim",
        "sparse": "gradients of agar's embeddings are dense",
    },
    weights="weight=embedding_table",
    read={"_weight": "None", "_freeze": "False", "dtype": "None"},
    samples=[
        "(7, 4)(i(7, 2, 5))",
        "(7, 4, padding_idx=2)(torch.tensor([[0, 2, 2], [6, 2, 1]]))",
        "(7, 4, padding_idx=-1)(torch.tensor([[0, 2, 2], [6, 2, 1]]))",
        "(7, 4, scale_grad_by_freq=True)(torch.tensor([[0, 2, 2], [6, 2, 1]]))",
    ],
)
missing(
    "torch.nn.EmbeddingBag(num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, "
    "scale_grad_by_freq=False, mode='mean', sparse=False, _weight=None, "
    "include_last_offset=False, padding_idx=None, device=None, dtype=None)",
    "MindSpore has no bags. For inputs of shape (bags, length): nn.Embedding, then .mean(axis=1), "
    ".sum(axis=1) or .max(axis=1); for offsets use ops.unsorted_segment_sum of the rows.",
)
missing(
    "torch.nn.AdaptiveLogSoftmaxWithLoss(in_features, n_classes, cutoffs, div_value=4.0, "
    "head_bias=False, device=None, dtype=None)",
    "MindSpore has no adaptive softmax. Use nn.Dense and nn.CrossEntropyLoss over all classes, or "
    "write its head and tails as nn.Dense cells with ops.log_softmax.",
)
