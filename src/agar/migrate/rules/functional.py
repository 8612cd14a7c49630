"""Rows of torch.nn.functional: dropout, linear, convolution, pooling, normalization, attention."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule
from agar.migrate.rules._rule import Case

_HEAD = "torch.nn.functional."

# ---------------------------------------------------------------- dropout

_EVAL = "MindSpore's ops.dropout2d and its like are in training mode by default, as PyTorch's are."
rule(
    f"{_HEAD}dropout(input, p=0.5, training=True, inplace=False)",
    "ops.dropout({input}, p={p}, training={training})",
    ignore="inplace",
    differs={
        "p": "ops.dropout takes the share that is dropped, as PyTorch does; old versions of "
        "nn.Dropout took keep_prob, the share that stays.",
        "training": "A cell has self.training, which set_train sets; it is False at first, "
        "PyTorch's is True.",
    },
    compare="shape",
    samples=["(f(30, 4))", "(f(3, 4), 0.2, True)", "(f(3, 4), p=0.5, training=False)"],
)
for _name, _shape in (("1d", "2, 3, 4"), ("2d", "2, 3, 4, 4"), ("3d", "2, 3, 4, 4, 4")):
    rule(
        f"{_HEAD}dropout{_name}(input, p=0.5, training=True, inplace=False)",
        f"ops.dropout{_name}({{input}}, p={{p}}, training={{training}})",
        ignore="inplace",
        differs={"training": _EVAL},
        compare="shape",
        samples=[f"(f({_shape}))", f"(f({_shape}), 0.2, False)"],
    )
#: what a dropped place becomes: SELU's limit at minus infinity
_ALPHA = "-1.7580993408473766"
_MASK = "ops.bernoulli(ops.ones_like({input}{where}), 1 - {p})"
for _name, _where in (("alpha_dropout", ""), ("feature_alpha_dropout", ":feature")):
    _scale = f"(1 - {{p}}) * (1 + {{p}} * {_ALPHA} ** 2)"
    _ones = (
        "ops.ones_like({input})"
        if not _where
        else "ops.ones({input}.shape[:2] + (1,) * ({input}.ndim - 2), {input}.dtype)"
    )
    rule(
        f"{_HEAD}{_name}(input, p=0.5, training=False, inplace=False)",
        Case(
            f"(lambda kept: ({{input}} * kept + {_ALPHA} * (1 - kept) + "
            f"{{p}} * {-float(_ALPHA)} * 1.0) / ({_scale}) ** 0.5)"
            f"(ops.bernoulli({_ones}, 1 - {{p}}))",
            when="training",
        ),
        "{input} * 1",
        ignore="inplace",
        compare="shape",
        samples=["(f(2, 3, 4))", "(f(2, 3, 4), 0.2, True)"],
    )

# ---------------------------------------------------------------- linear, convolution

rule(
    f"{_HEAD}linear(input, weight, bias=None)",
    "ops.dense({input}, {weight}, bias={bias?})",
    samples=["(f(2, 3), f(4, 3))", "(f(2, 5, 3), f(4, 3), f(4))"],
)
rule(
    f"{_HEAD}bilinear(input1, input2, weight, bias=None)",
    "ops.bidense({input1}, {input2}, {weight}, bias={bias?})",
    samples=["(f(2, 3), f(2, 4), f(5, 3, 4), f(5))"],
)
_PADS = {
    "pad_mode": "PyTorch's padding counts as pad_mode='pad'; MindSpore's default mode is 'valid' "
    "for functions and 'same' for layers."
}
for _n, _shape, _kernel, _pair in (
    (1, "2, 4, 9", "6, 4, 3", "(2,)"),
    (2, "2, 4, 9, 8", "6, 4, 3, 3", "(2, 1)"),
    (3, "1, 4, 6, 5, 5", "2, 4, 3, 3, 3", "(2, 1, 1)"),
):
    _first = "({input}, {weight}, bias={bias?}, stride={stride}, pad_mode="
    _stride = "{stride}"
    _rest = ", dilation={dilation}, groups={groups})"
    if _n == 1:
        # ops.conv1d of MindSpore takes no tuples
        _one = "{%s}[0] if isinstance({%s}, (tuple, list)) else {%s}"
        _first = _first.replace("{stride}", _one.replace("%s", "stride"))
        _rest = _rest.replace("{dilation}", _one.replace("%s", "dilation"))
    rule(
        f"{_HEAD}conv{_n}d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
        Case(f"ops.conv{_n}d{_first}{{padding}}{_rest}", when="isinstance(padding, str)"),
        Case(f"ops.conv{_n}d{_first}'valid'{_rest}", when="padding == 0"),
        Case(
            f"ops.conv{_n}d{_first}'pad', padding={{padding}}[0]{_rest}",
            when=f"{_n} == 1 and isinstance(padding, (tuple, list))",
        ),
        f"ops.conv{_n}d{_first}'pad', padding={{padding}}{_rest}",
        differs=_PADS,
        samples=[
            f"(f({_shape}), f({_kernel}))",
            f"(f({_shape}), f({_kernel}), f({_kernel[0]}), stride=2, padding=1)",
            f"(f({_shape}), f({_kernel}), None, 1, 2, 2)",
            f"(f({_shape}), f({_kernel}), None, {_pair}, {_pair})",
            f"(f({_shape}), f({_kernel}), padding='same')",
        ]
        + ([f"(f({_shape}), f({_kernel.replace('4', '2', 1)}), groups=2)"] if _n < 3 else []),
    )


def _transposed(n: int) -> tuple[str, str]:
    """The call of the primitive and the size of its output."""
    axes = range(2, 2 + n)
    size = ", ".join(
        f"({{input}}.shape[{a}] - 1) * {{stride}} - 2 * {{padding}} + {{dilation}} * "
        f"({{weight}}.shape[{a}] - 1) + {{output_padding}} + 1"
        for a in axes
    )
    return "({input}.shape[0], {weight}.shape[1] * {groups}, " + size + ")", "(1, -1" + ", 1" * n


_INTS = " or ".join(
    f"isinstance({name}, (tuple, list)) and len(set({name})) > 1"
    for name in ("stride", "padding", "output_padding", "dilation")
)
_call = (
    "ops.Conv2DTranspose({weight}.shape[0], {weight}.shape[2:], pad_mode='pad', "
    "pad=({padding}, {padding}, {padding}, {padding}), stride={stride}, dilation={dilation}, "
    "group={groups})({input}, {weight}, " + _transposed(2)[0] + ")"
)
_line = (
    "ops.Conv2DTranspose({weight}.shape[0], (1, {weight}.shape[2]), pad_mode='pad', "
    "pad=(0, 0, {padding}, {padding}), stride=(1, {stride}), dilation=(1, {dilation}), "
    "group={groups})({input}.expand_dims(2), {weight}.expand_dims(2), ({input}.shape[0], "
    "{weight}.shape[1] * {groups}, 1, "
    + _transposed(1)[0].split("{groups}, ", 1)[1]
    + ").squeeze(2)"
)
_cube = (
    "ops.Conv3DTranspose({weight}.shape[0], {weight}.shape[1] * {groups}, {weight}.shape[2:], "
    "pad_mode='pad', pad=({padding},) * 6, stride={stride}, dilation={dilation}, "
    "group={groups}, output_padding={output_padding})({input}, {weight})"
)
for _n, _template, _shape, _kernel in (
    (1, _line, "2, 4, 7", "4, 3, 3"),
    (2, _call, "2, 4, 6, 5", "4, 3, 3, 3"),
    (3, _cube, "1, 4, 3, 3, 3", "4, 2, 3, 3, 3"),
):
    _bias = " + {bias}.reshape((1, -1" + ", 1" * _n + "))"
    rule(
        f"{_HEAD}conv_transpose{_n}d(input, weight, bias=None, stride=1, padding=0, "
        "output_padding=0, groups=1, dilation=1)",
        Case(_template, when="bias is None"),
        _template + _bias,
        refuse={
            " or ".join(
                f"isinstance({a}, (tuple, list))"
                for a in ("stride", "padding", "output_padding", "dilation")
            ): f"give numbers, or use the layer nn.Conv{_n}dTranspose"
        },
        differs={
            "name": f"MindSpore's own ops.conv_transpose{_n}d is missing or runs on Ascend only; "
            "the primitive below the layer takes the size of the output."
        },
        samples=[
            f"(f({_shape}), f({_kernel}))",
            f"(f({_shape}), f({_kernel}), f({_kernel.split(', ')[1]}), 2, 1)",
            f"(f({_shape}), f({_kernel}), None, stride=2, padding=1, output_padding=1)",
        ],
    )
rule(
    f"{_HEAD}conv_tbc(input, weight, bias, pad=0)",
    "ops.conv1d({input}.permute(1, 2, 0), {weight}.permute(2, 1, 0), {bias}, pad_mode='pad', "
    "padding={pad}).permute(2, 0, 1)",
    samples=["(f(7, 2, 4), f(3, 4, 5), f(5))", "(f(7, 2, 4), f(3, 4, 5), f(5), 1)"],
)
rule(
    f"{_HEAD}unfold(input, kernel_size, dilation=1, padding=0, stride=1)",
    "ops.unfold({input}, {kernel_size}, dilation={dilation}, padding={padding}, stride={stride})",
    samples=["(f(2, 3, 5, 5), 2)", "(f(2, 3, 6, 5), (3, 2), padding=1, stride=2)"],
)
_SIZES = "ms.Tensor({output_size}, ms.int32)"
_FOLD = ", {kernel_size}, dilation={dilation}, padding={padding}, stride={stride})"
rule(
    f"{_HEAD}fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)",
    Case(
        "ops.fold({input}, ms.Tensor(({output_size}, {output_size}), ms.int32)" + _FOLD,
        when="isinstance(output_size, int)",
    ),
    "ops.fold({input}, " + _SIZES + _FOLD,
    differs={"output_size": "MindSpore wants an int32 tensor of two numbers."},
    samples=["(f(2, 12, 9), (4, 4), 2)", "(f(2, 12, 4), 4, 2, stride=2)"],
)

# ---------------------------------------------------------------- pooling

_STEP = {"stride": "MindSpore's default is 1, PyTorch's is the kernel's size."}
for _n, _shape in ((1, "2, 3, 9"), (2, "2, 3, 8, 9"), (3, "1, 2, 6, 5, 6")):
    _more = ", divisor_override=None" if _n > 1 else ""
    _call = (
        f"ops.avg_pool{_n}d({{input}}, {{kernel_size}}, {{%s}}, padding={{padding}}, "
        "ceil_mode={ceil_mode}, count_include_pad={count_include_pad}"
    )
    _end = ", divisor_override={divisor_override} or 0)" if _n > 1 else ")"
    _samples = [
        f"(f({_shape}), 2)",
        f"(f({_shape}), 3, 2, 1)",
        f"(f({_shape}), 3, stride=2, padding=1, count_include_pad=False)",
        f"(f({_shape}), kernel_size=3, stride=1)",
    ]
    for _module in ("", *(("torch.",) if _n == 1 else ())):
        rule(
            f"{_module or _HEAD}avg_pool{_n}d(input, kernel_size, stride=None, padding=0, "
            f"ceil_mode=False, count_include_pad=True{_more})",
            Case(_call % "kernel_size" + _end, when="stride is None or stride == []"),
            _call % "stride" + _end,
            differs=_STEP,
            samples=_samples,
        )
    _rest = "ceil_mode={ceil_mode}, return_indices={return_indices})"
    _pool = (
        f"ops.max_pool{_n}d({{input}}, {{kernel_size}}, stride={{stride?}}, padding={{padding}}, "
        f"dilation={{dilation}}, {_rest}"
    )
    _forms: tuple[str | Case, ...] = (_pool,)
    if _n == 1:
        _row = (
            "ops.max_pool2d({input}.expand_dims(2), (1, {kernel_size}), (1, {%s}), "
            f"(0, {{padding}}), (1, {{dilation}}), {_rest}"
        )
        _pair = "tuple(part.squeeze(2) for part in %s)"
        _forms = (
            Case(_pair % (_row % "kernel_size"), when="return_indices and stride is None"),
            Case(_pair % (_row % "stride"), when="return_indices"),
            Case(_row % "kernel_size" + ".squeeze(2)", when="stride is None or stride == []"),
            _row % "stride" + ".squeeze(2)",
        )
    _tuples = "isinstance(kernel_size, (tuple, list)) or isinstance(stride, (tuple, list)) "
    _tuples += "or isinstance(padding, (tuple, list)) or isinstance(dilation, (tuple, list))"
    for _name, _flag in (("", "False"), ("_with_indices", "True")):
        rule(
            f"{_HEAD}max_pool{_n}d{_name}(input, kernel_size, stride=None, padding=0, "
            f"dilation=1, ceil_mode=False, return_indices={_flag})",
            *_forms,
            refuse={_tuples: "give numbers instead of tuples"} if _n == 1 else {},
            samples=[
                f"(f({_shape}), 2)",
                f"(f({_shape}), 3, 2, 1)",
                f"(f({_shape}), 3, stride=2, padding=1, dilation=1)",
                *([f"(f({_shape}), 2, return_indices=True)"] if not _name else []),
            ],
        )
    _divides = {"output_size": "MindSpore wants a length that the size divides."} if _n == 1 else {}
    _sizes = ("3",) if _n == 1 else ("3", "(3, None)" if _n == 2 else "(3, 2, 3)", "1")
    rule(
        f"{_HEAD}adaptive_avg_pool{_n}d(input, output_size)",
        Case(
            "ops.adaptive_avg_pool2d({input}.expand_dims(2), (1, {output_size})).squeeze(2)",
            when=f"{_n} == 1 and isinstance(output_size, int)",
            likely=True,
        ),
        Case(
            "ops.adaptive_avg_pool2d({input}.expand_dims(2), (1, {output_size}[0])).squeeze(2)",
            when=f"{_n} == 1",
        ),
        f"ops.adaptive_avg_pool{_n}d({{input}}, {{output_size}})",
        differs=_divides,
        samples=[f"(f({_shape}), {size})" for size in (*_sizes, *(["4"] if _n == 1 else []))],
    )
    for _name, _flag in (("", "False"), ("_with_indices", "True")):
        _pool = f"ops.adaptive_max_pool{_n}d({{input}}, {{output_size}})"
        _pair = _pool[:-1] + ", True)"
        if _n == 1:
            _pool = "ops.adaptive_max_pool2d({input}.expand_dims(2), (1, {output_size})).squeeze(2)"
            _pair = (
                "tuple(part.squeeze(2) for part in "
                "ops.adaptive_max_pool2d({input}.expand_dims(2), (1, {output_size}), True))"
            )
        rule(
            f"{_HEAD}adaptive_max_pool{_n}d{_name}(input, output_size, return_indices={_flag})",
            Case(_pair, when="return_indices"),
            _pool,
            refuse={"isinstance(output_size, (tuple, list))": "give a number"} if _n == 1 else {},
            differs={"dtype": "MindSpore's places are int32."} if _n == 3 else {},
            samples=[f"(f({_shape}), 3)", f"(f({_shape}), output_size=2)"]
            + ([f"(f({_shape}), 3, return_indices=True)"] if not _name else []),
        )
    _unpool = "{input}, {indices}"
    rule(
        f"{_HEAD}max_unpool{_n}d(input, indices, kernel_size, stride=None, padding=0, "
        "output_size=None)",
        f"ops.max_unpool{_n}d({{input}}, {{indices}}, {{kernel_size}}, stride={{stride}}, "
        "padding={padding}, output_size={output_size})",
        samples=[
            f"(f({'1, 2, ' + ', '.join('2' * _n)}), "
            f"torch.nn.functional.max_pool{_n}d(f({'1, 2, ' + ', '.join('4' * _n)}).detach(), 2, "
            "return_indices=True)[1], 2)"
        ],
    )
for _n, _shape in ((1, "2, 3, 8"), (2, "2, 3, 8, 8")):
    rule(
        f"{_HEAD}lp_pool{_n}d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
        f"ops.lp_pool{_n}d({{input}}, float({{norm_type}}), {{kernel_size}}, stride={{stride}}, "
        "ceil_mode={ceil_mode})",
        samples=[f"(p({_shape}), 2, 2)", f"(p({_shape}), 3.0, 3, stride=2)"],
    )
_CUBED = (
    "(ops.avg_pool3d({input} ** {norm_type}, {kernel_size}, {%s}, ceil_mode={ceil_mode}) * "
    "{kernel_size} ** 3) ** (1 / {norm_type})"
)
rule(
    f"{_HEAD}lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
    Case(_CUBED % "kernel_size", when="stride is None"),
    _CUBED % "stride",
    refuse={
        "isinstance(kernel_size, (tuple, list))": "give a number",
        "ceil_mode": "pad the input so that the windows fit",
    },
    samples=["(p(1, 2, 4, 4, 4), 2, 2)"],
)
for _n, _shape in ((2, "1, 2, 8, 8"), (3, "1, 2, 6, 6, 6")):
    for _name, _flag in (("", "False"), ("_with_indices", "True")):
        rule(
            f"{_HEAD}fractional_max_pool{_n}d{_name}(input, kernel_size, output_size=None, "
            f"output_ratio=None, return_indices={_flag}, _random_samples=None)",
            f"ops.fractional_max_pool{_n}d({{input}}, {{kernel_size}}, "
            "output_size={output_size}, output_ratio={output_ratio}, "
            "return_indices={return_indices}, _random_samples={_random_samples})",
            compare="shape",
            samples=[f"(f({_shape}), 2, output_size=3)"],
        )

# ---------------------------------------------------------------- normalization

rule(
    f"{_HEAD}batch_norm(input, running_mean, running_var, weight=None, bias=None, "
    "training=False, momentum=0.1, eps=1e-05)",
    Case(
        "ops.batch_norm({input}, {running_mean}, {running_var}, {weight}, {bias}, "
        "training={training}, momentum={momentum}, eps={eps})",
        when="running_mean is not None and weight is not None and bias is not None",
        likely=True,
    ),
    Case(
        "ops.batch_norm({input}, {running_mean}, {running_var}, "
        "ops.ones({running_mean}.shape, {running_mean}.dtype), "
        "ops.zeros({running_mean}.shape, {running_mean}.dtype), "
        "training={training}, momentum={momentum}, eps={eps})",
        when="running_mean is not None and weight is None and bias is None",
    ),
    refuse={"momentum is None": "give the momentum of this step"},
    differs={
        "momentum": "The function means what PyTorch means; the layers nn.BatchNorm* keep the "
        "share 1 - momentum."
    },
    note="Write nn.BatchNorm2d in the cell where the statistics are not kept by hand.",
    samples=[
        "(f(3, 4, 5, 5), f(4).detach(), p(4).detach(), f(4), f(4))",
        "(f(3, 4), f(4).detach(), p(4).detach())",
        "(f(3, 4, 5, 5), f(4).detach(), p(4).detach(), f(4), f(4), True, 0.2, 1e-3)",
    ],
)
_AXES = "tuple(range(-len(({normalized_shape})), 0))"
_LAYER = (
    "ops.LayerNorm(begin_norm_axis={input}.ndim - len({normalized_shape}), "
    "begin_params_axis={input}.ndim - len({normalized_shape}), epsilon={eps})"
    "({input}, %s, %s)[0]"
)
_ONES = "ops.ones({normalized_shape}, {input}.dtype)"
_ZEROS = "ops.zeros({normalized_shape}, {input}.dtype)"
rule(
    f"{_HEAD}layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)",
    Case(_LAYER % (_ONES, _ZEROS), when="weight is None and bias is None"),
    Case(_LAYER % (_ONES, "{bias}"), when="weight is None"),
    Case(_LAYER % ("{weight}", _ZEROS), when="bias is None"),
    _LAYER % ("{weight}", "{bias}"),
    refuse={"isinstance(normalized_shape, int)": "give the shape as a tuple"},
    differs={
        "eps": "The layer nn.LayerNorm has epsilon=1e-7 by default, PyTorch 1e-5.",
        "name": "MindSpore's own ops.layer_norm runs on Ascend only.",
    },
    samples=[
        "(f(2, 3, 4), (4,), f(4), f(4))",
        "(f(2, 3, 4), [3, 4], f(3, 4), f(3, 4), 1e-3)",
        "(f(2, 3, 4), (4,))",
        "(f(2, 3, 4), (4,), f(4))",
    ],
)
rule(
    f"{_HEAD}group_norm(input, num_groups, weight=None, bias=None, eps=1e-05)",
    "ops.group_norm({input}, {num_groups}, weight={weight?}, bias={bias?}, eps={eps})",
    samples=["(f(2, 4, 3, 3), 2, f(4), f(4))", "(f(2, 4, 5), 4, eps=1e-3)"],
)
rule(
    f"{_HEAD}instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, "
    "use_input_stats=True, momentum=0.1, eps=1e-05)",
    "ops.group_norm({input}, {input}.shape[1], weight={weight?}, bias={bias?}, eps={eps})",
    refuse={
        "running_mean is not None or not use_input_stats": "running statistics need the layer "
        "nn.InstanceNorm2d"
    },
    ignore="momentum running_var",
    samples=["(f(2, 4, 3, 3))", "(f(2, 4, 5), weight=f(4), bias=f(4), eps=1e-3)"],
)
_RMS = (
    "{input} * ops.rsqrt(ops.mean(ops.square({input}), "
    "tuple(range(-len({normalized_shape}), 0)), True) + %s)"
)
rule(
    f"{_HEAD}rms_norm(input, normalized_shape, weight=None, eps=None)",
    Case(_RMS % "ms.ops.eps({input})", when="weight is None and eps is None"),
    Case(_RMS % "ms.ops.eps({input})" + " * {weight}", when="eps is None"),
    Case(_RMS % "{eps}", when="weight is None"),
    _RMS % "{eps}" + " * {weight}",
    differs={"name": "MindSpore's own ops.rms_norm runs on Ascend only."},
    samples=["(f(2, 3, 4), (4,), f(4), 1e-6)", "(f(2, 3, 4), [3, 4], None, 1e-5)"],
)
rule(
    f"{_HEAD}local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0)",
    "ops.lrn({input}, {size} // 2, float({k}), {alpha} / {size}, {beta})",
    refuse={"size % 2 == 0": "MindSpore's window has an odd size"},
    differs={"alpha": "MindSpore does not divide alpha by the size of the window."},
    samples=["(f(2, 7, 3, 3), 5)", "(f(2, 7, 3, 3), 3, 0.1, 0.5, 2.0)"],
)
rule(
    f"{_HEAD}normalize(input, p=2.0, dim=1, eps=1e-12, out=None)",
    "_normalize({input}, p={p}, dim={dim}, eps={eps})",
    refuse={"out is not None": "assign the result"},
    samples=["(f(3, 4))", "(f(3, 4), dim=-1)", "(f(2, 3, 4), p=1, dim=2)"],
)

# ---------------------------------------------------------------- embeddings, attention

rule(
    f"{_HEAD}embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, "
    "scale_grad_by_freq=False, sparse=False)",
    Case("ops.gather({weight}, {input}, 0)", when="padding_idx is None"),
    "_embedding({input}, {weight}, {padding_idx})",
    refuse={
        "max_norm is not None": "renormalize the table with ops.renorm first",
        "scale_grad_by_freq": "scale the gradient in the training step",
        "isinstance(padding_idx, int) and padding_idx < 0": "give the index from the front",
    },
    ignore="norm_type sparse",
    differs={"name": "MindSpore's own ops.embedding runs on Ascend only."},
    samples=["(i(5, 3), f(5, 4))", "(i(5, 2, 3), f(5, 4), padding_idx=1)"],
)
rule(
    f"{_HEAD}embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, "
    "scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, "
    "include_last_offset=False, padding_idx=None)",
    Case(
        "(ops.gather({weight}, {input}, 0) * {per_sample_weights}.expand_dims(-1)).sum(1)",
        when="per_sample_weights is not None",
    ),
    Case("ops.gather({weight}, {input}, 0).sum(1)", when="mode == 'sum'"),
    Case("ops.gather({weight}, {input}, 0).mean(1)", when="mode == 'mean'"),
    Case("ops.amax(ops.gather({weight}, {input}, 0), 1)", when="mode == 'max'"),
    refuse={
        "offsets is not None or include_last_offset": "give the bags as the rows of a matrix",
        "max_norm is not None": "renormalize the table with ops.renorm first",
        "scale_grad_by_freq": "scale the gradient in the training step",
        "padding_idx is not None": "mask these places",
    },
    ignore="norm_type sparse",
    samples=[
        "(i(5, 2, 3), f(5, 4))",
        "(i(5, 2, 3), f(5, 4), mode='sum', per_sample_weights=f(2, 3))",
    ],
)
rule(
    f"{_HEAD}one_hot(tensor, num_classes=-1)",
    Case("ops.one_hot({tensor}, int({tensor}.max()) + 1)", when="num_classes == -1"),
    "ops.one_hot({tensor}, {num_classes})",
    samples=["(i(5, 3, 2), 6)", "(i(5, 8))"],
)
_SCALE = "{query}.shape[-1] ** -0.5"
_SCORES = "ops.matmul({query}, {key}.swapaxes(-2, -1)) * %s"
_ADD = (
    " + (0 if {attn_mask} is None else "
    "ops.where({attn_mask}, 0.0, float('-inf')).astype({query}.dtype) "
    "if {attn_mask}.dtype == ms.bool_ else {attn_mask})"
)
_CAUSAL = (
    " + ops.triu(ops.full(({query}.shape[-2], {key}.shape[-2]), float('-inf'), "
    "dtype={query}.dtype), 1)"
)
_SOFT = "ops.matmul(ops.dropout(ops.softmax(%s, axis=-1), p={dropout_p}), {value})"
_PLAIN = "ops.matmul(ops.softmax(%s, axis=-1), {value})"
rule(
    f"{_HEAD}scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, "
    "is_causal=False, scale=None, enable_gqa=False)",
    *(
        Case(
            form % (_SCORES % size + mask),
            when=" and ".join(c for c in (first, second, third) if c) or None,
        )
        for mask, first in ((_CAUSAL, "is_causal"), ("", "attn_mask is None"), (_ADD, ""))
        for size, second in ((_SCALE, "scale is None"), ("{scale}", ""))
        for form, third in ((_PLAIN, "dropout_p == 0"), (_SOFT, ""))
    ),
    refuse={
        "enable_gqa": "repeat the heads of key and value",
        "attn_mask is not None and is_causal": "PyTorch takes one of them",
    },
    samples=[
        "(f(2, 3, 5, 4), f(2, 3, 6, 4), f(2, 3, 6, 4))",
        "(f(2, 5, 4), f(2, 5, 4), f(2, 5, 4), is_causal=True)",
        "(f(2, 5, 4), f(2, 6, 4), f(2, 6, 4), f(5, 6), 0.0, scale=0.3)",
        "(f(2, 5, 4), f(2, 6, 4), f(2, 6, 4), torch.ones(5, 6, dtype=torch.bool).tril(1))",
    ],
)
missing(
    f"{_HEAD}multi_head_attention_forward",
    "the function takes a module's parts one by one; use the layer nn.MultiheadAttention",
)

for _name in ("grouped_mm", "scaled_mm", "scaled_grouped_mm"):
    missing(
        f"{_HEAD}{_name}",
        "the kernel is for float8 or grouped matrices on GPUs; write a loop over ops.matmul",
    )
missing(
    f"{_HEAD}linear_cross_entropy",
    "fused head and loss; write ops.cross_entropy(ops.dense(x, weight), target)",
)
