"""Rows of the activations of torch.nn.functional."""

from __future__ import annotations

from agar.migrate.rules._declare import rule
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import SELU, changed

_HEAD = "torch.nn.functional."
_IMPLICIT = "0 if {input}.ndim in (0, 1, 3) else 1"

for _name, _arguments, _template, _sample in (
    ("relu", "inplace=False", "ops.relu({input})", ""),
    ("relu6", "inplace=False", "ops.relu6({input})", ""),
    ("celu", "alpha=1.0, inplace=False", "ops.celu({input}, {alpha})", ", 0.7"),
    ("silu", "inplace=False", "ops.silu({input})", ""),
    ("hardswish", "inplace=False", "ops.hardswish({input})", ""),
    ("hardsigmoid", "inplace=False", "ops.hardsigmoid({input})", ""),
    ("hardtanh", "min_val=-1.0, max_val=1.0, inplace=False",
     "ops.hardtanh({input}, min_val={min_val}, max_val={max_val})", ", -0.5, max_val=2.0"),
    ("threshold", "threshold, value, inplace=False",
     "ops.threshold({input}, {threshold}, {value})", ", 0.1, 20.0"),
    ("hardshrink", "lambd=0.5", "ops.hardshrink({input}, lambd={lambd})", ", 0.3"),
    ("softshrink", "lambd=0.5", "ops.softshrink({input}, lambd={lambd})", ", 0.3"),
    ("tanhshrink", "", "ops.tanhshrink({input})", ""),
    ("softsign", "", "ops.softsign({input})", ""),
    ("logsigmoid", "", "ops.logsigmoid({input})", ""),
    ("sigmoid", "", "ops.sigmoid({input})", ""),
    ("tanh", "", "ops.tanh({input})", ""),
    ("softplus", "beta=1, threshold=20",
     "ops.softplus({input}, beta={beta}, threshold={threshold})", ", 2, threshold=3"),
):  # fmt: skip
    rule(
        f"{_HEAD}{_name}(input, {_arguments})",
        _template,
        ignore="inplace",
        samples=[f"(f(3, 4){_sample})", f"(f(2, 3, 4, 5) * 3{_sample})"],
    )

rule(
    f"{_HEAD}selu(input, inplace=False)",
    SELU,
    ignore="inplace",
    differs={"gradient": "MindSpore's ops.selu has a wrong gradient below zero on the CPU."},
    samples=["(f(3, 4))", "(f(2, 3, 4, 5) * 3)"],
)
rule(
    f"{_HEAD}mish(input, inplace=False)",
    "ops.mish({input})",
    ignore="inplace",
    differs={"gradient": "MindSpore's kernel for the CPU rounds its gradient to about 1e-3."},
    samples=["(f(3, 4))", "(f(2, 3, 4, 5) * 3)"],
)
rule(
    f"{_HEAD}leaky_relu(input, negative_slope=0.01, inplace=False)",
    "ops.leaky_relu({input}, alpha={negative_slope})",
    ignore="inplace",
    differs={"alpha": "MindSpore's slope is 0.2 by default, PyTorch's negative_slope 0.01."},
    samples=["(f(3, 4))", "(f(3, 4), 0.3)"],
)
rule(
    f"{_HEAD}elu(input, alpha=1.0, inplace=False)",
    Case("ops.elu({input})", when="alpha == 1"),
    "ops.relu({input}) + {alpha} * ops.expm1(ops.clamp({input}, max=0))",
    ignore="inplace",
    differs={"alpha": "MindSpore's ops.elu takes no alpha but 1.0 on the CPU."},
    samples=["(f(3, 4))", "(f(3, 4), 0.7)"],
)
rule(
    f"{_HEAD}gelu(input, approximate='none')",
    "ops.gelu({input}, approximate={approximate})",
    differs={"nn.GELU": "The layer nn.GELU takes the tanh form by default; ops.gelu does not."},
    samples=["(f(3, 4))", "(f(3, 4), approximate='tanh')"],
)
rule(
    f"{_HEAD}glu(input, dim=-1)",
    "ops.glu({input}, axis={dim})",
    samples=["(f(3, 4))", "(f(4, 3), dim=0)"],
)
rule(
    f"{_HEAD}prelu(input, weight)",
    "ops.prelu({input}, {weight})",
    samples=["(f(2, 3, 4), f(3))", "(f(2, 3), f(1))"],
)
rule(
    f"{_HEAD}rrelu(input, lower=1/8, upper=1/3, training=False, inplace=False)".replace(
        "1/8", "0.125"
    ).replace("1/3", "0.3333333333333333"),
    Case("ops.rrelu({input}, lower={lower}, upper={upper})", when="training"),
    "ops.leaky_relu({input}, alpha=({lower} + {upper}) / 2)",
    ignore="inplace",
    differs={"training": "ops.rrelu is always in training mode; outside it the mean slope counts."},
    samples=["(f(3, 4))", "(f(3, 4), 0.1, 0.5)"],
)
for _name, _more in (("softmax", ""), ("softmin", ""), ("log_softmax", "")):
    _call = "softmax(-{input}" if _name == "softmin" else _name + "({input}"
    rule(
        f"{_HEAD}{_name}(input, dim=None, _stacklevel=3, dtype=None)",
        Case(
            f"ops.{_call}.astype({{dtype}}), axis={{dim}})",
            when="dtype is not None and dim is not None",
        ),
        Case(f"ops.{_call}, axis={_IMPLICIT})", when="dim is None and dtype is None"),
        f"ops.{_call}, axis={{dim}})",
        refuse={"dim is None and dtype is not None": "give dim"},
        ignore="_stacklevel",
        differs={
            "axis": "MindSpore takes the last axis by default; PyTorch's old habit without dim "
            "is axis 0 of tensors with 0, 1 or 3 axes, and axis 1 of others."
        },
        samples=["(f(3, 4), 1)", "(f(2, 3, 4), dim=-2)", "(f(3, 4), dim=0, dtype=torch.float64)"],
    )
rule(
    f"{_HEAD}gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1)",
    "ops.gumbel_softmax({logits}, tau=float({tau}), hard={hard}, dim={dim})",
    ignore="eps",
    compare="shape",
    samples=["(f(3, 4))", "(f(3, 4), tau=0.5, hard=True)"],
)
for _name, _arguments, _expression, _sample in (
    ("relu_", "", "ops.relu({input})", ""),
    ("selu_", "", SELU, ""),
    ("celu_", "alpha=1.0", "ops.celu({input}, {alpha})", ", 2.0"),
    ("leaky_relu_", "negative_slope=0.01",
     "ops.leaky_relu({input}, alpha={negative_slope})", ", 0.3"),
    ("hardtanh_", "min_val=-1.0, max_val=1.0",
     "ops.hardtanh({input}, min_val={min_val}, max_val={max_val})", ", -0.5, 0.7"),
    ("threshold_", "threshold, value", "ops.threshold({input}, {threshold}, {value})", ", 0.1, 2."),
    ("elu_", "alpha=1.0",
     "ops.relu({input}) + {alpha} * ops.expm1(ops.clamp({input}, max=0))", ", 0.7"),
    ("rrelu_", "lower=0.125, upper=0.3333333333333333, training=False",
     "ops.leaky_relu({input}, alpha=({lower} + {upper}) / 2)", ""),
):  # fmt: skip
    rule(
        f"{_HEAD}{_name}(input, {_arguments})",
        changed(_expression, "input"),
        refuse={"training": "write the result of ops.rrelu instead"} if _name == "rrelu_" else {},
        samples=[f"(f(3, 4){_sample})"],
    )
