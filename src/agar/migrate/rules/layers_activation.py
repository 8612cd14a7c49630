"""Rules of activations."""

from __future__ import annotations

from agar.migrate.rules._declare import rule

#: Where MindSpore's own kernels compute something else.
_KERNELS = {
    "SELU": {
        "gradient": "MindSpore's CPU kernel has a wrong gradient below zero; agar's is PyTorch's"
    },
    "Mish": {"gradient": "MindSpore's CPU kernel is exact to about 1e-03 alone"},
}


def _plain(name: str, target: str, signature: str = "inplace=False") -> None:
    rule(
        f"torch.nn.{name}({signature})",
        f"nn.{target}()",
        ignore=signature.partition("=")[0],
        differs=_KERNELS.get(name),
        samples=["()(f(3, 4) * 3)", "()(f(2, 3, 4))"],
    )


for _name, _target in (
    ("ReLU", "ReLU"),
    ("ReLU6", "ReLU6"),
    ("SELU", "SeLU"),
    ("SiLU", "SiLU"),
    ("Mish", "Mish"),
    ("Hardsigmoid", "HSigmoid"),
    ("Hardswish", "HSwish"),
):
    _plain(_name, _target)
for _name, _target in (
    ("Sigmoid", "Sigmoid"),
    ("Tanh", "Tanh"),
    ("LogSigmoid", "LogSigmoid"),
    ("Softsign", "Softsign"),
    ("Tanhshrink", "Tanhshrink"),
):
    _plain(_name, _target, "")
rule("torch.nn.Softmax2d()", "nn.Softmax2d()", samples=["()(f(2, 3, 4, 5))"])

rule(
    "torch.nn.LeakyReLU(negative_slope=0.01, inplace=False)",
    "nn.LeakyReLU(alpha={negative_slope})",
    ignore="inplace",
    differs={"alpha": "it is 0.2 by default, PyTorch's negative_slope 0.01"},
    samples=["()(f(3, 4))", "(0.3)(f(3, 4))"],
)
rule(
    "torch.nn.ELU(alpha=1.0, inplace=False)",
    "nn.ELU(alpha={alpha})",
    ignore="inplace",
    differs={"alpha": "MindSpore's kernels take 1.0 alone"},
    samples=["()(f(3, 4))", "(0.4)(f(3, 4))"],
)
rule(
    "torch.nn.CELU(alpha=1.0, inplace=False)",
    "nn.CELU(alpha={alpha})",
    ignore="inplace",
    samples=["()(f(3, 4))", "(0.4)(f(3, 4))"],
)
rule(
    "torch.nn.GELU(approximate='none')",
    "nn.GELU(approximate={approximate} == 'tanh')",
    differs={
        "approximate": "it is True (the tanh formula) by default, PyTorch's 'none' (the exact "
        "one); write approximate=False"
    },
    samples=["()(f(3, 4))", "('tanh')(f(3, 4))"],
)
rule(
    "torch.nn.PReLU(num_parameters=1, init=0.25, device=None, dtype=None)",
    "nn.PReLU({num_parameters}, {init})",
    ignore="device dtype",
    differs={"w": "the weight is called w, PyTorch's weight"},
    weights="weight=w",
    samples=["()(f(3, 4))", "(4, 0.1)(f(3, 4, 5))"],
)
rule(
    "torch.nn.RReLU(lower=0.125, upper=0.3333333333333333, inplace=False)",
    "_RReLU(lower={lower}, upper={upper})",
    ignore="inplace",
    samples=["()(f(3, 4))", "(0.1, 0.5)(f(3, 4))"],
    compare="shape",
    note="MindSpore's nn.RReLU draws slopes in evaluation too, where PyTorch takes their mean.",
)
rule(
    "torch.nn.Hardtanh(min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None)",
    "nn.Hardtanh({min_val}, {max_val})",
    refuse={
        "min_value is not None or max_value is not None": "these are old names; write min_val and "
        "max_val"
    },
    ignore="inplace",
    samples=["()(f(3, 4) * 2)", "(-0.5, 2.0)(f(3, 4) * 2)"],
)
rule(
    "torch.nn.Hardshrink(lambd=0.5)",
    "nn.HShrink({lambd})",
    samples=["()(f(3, 4))", "(0.2)(f(3, 4))"],
)
rule(
    "torch.nn.Softshrink(lambd=0.5)",
    "nn.SoftShrink({lambd})",
    samples=["()(f(3, 4))", "(0.2)(f(3, 4))"],
)
rule(
    "torch.nn.Threshold(threshold, value, inplace=False)",
    "nn.Threshold({threshold}, {value})",
    ignore="inplace",
    samples=["(0.1, -2.0)(f(3, 4))"],
)
rule(
    "torch.nn.GLU(dim=-1)",
    "nn.GLU(axis={dim})",
    differs={"axis": "PyTorch calls it dim"},
    samples=["()(f(3, 4))", "(1)(f(3, 4, 5))"],
)
rule(
    "torch.nn.Softplus(beta=1.0, threshold=20.0)",
    "_Softplus(beta={beta}, threshold={threshold})",
    samples=["()(f(3, 4))", "(2.0, 1.5)(f(3, 4))"],
    note="MindSpore has the function only.",
)

_DIM = "PyTorch then guesses the dimension from the rank and warns; name it (dim=1 for matrices)"
for _name in ("Softmax", "LogSoftmax", "Softmin"):
    rule(
        f"torch.nn.{_name}(dim=None)",
        f"nn.{_name}(axis={{dim}})",
        refuse={"dim is None": _DIM},
        differs={"axis": "PyTorch calls it dim; it is -1 by default, PyTorch guesses"},
        samples=["(1)(f(3, 4, 5))", "(dim=-1)(f(3, 4))"],
    )
