"""Rules of torch.nn.init."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agar.migrate.rules._declare import case, rule

_IN_PLACE = {
    "set_data": "an initializer describes numbers; parameter.set_data(initializer(...)) puts them "
    "in place, and a layer takes it as weight_init",
}
_RANDOM = {
    "seed": "numbers are drawn from MindSpore's generators: the same distribution, other numbers "
    "for the same seed",
}
_GENERATOR = {"generator is not None": "initializers draw from the global seed; use ms.set_seed"}
_MATRIX = "f(120, 150)"


def _fill(initializer: str) -> str:
    return (
        f"{{tensor}}.set_data(ms.common.initializer.initializer({initializer}, {{tensor}}.shape, "
        "{tensor}.dtype))"
    )


def _initializer(
    call: str,
    initializer: str,
    samples: Sequence[str],
    *,
    random: bool = True,
    differs: Mapping[str, str] | None = None,
) -> None:
    rule(
        f"torch.nn.init.{call}",
        _fill(f"ms.common.initializer.{initializer}"),
        refuse=_GENERATOR if random else None,
        differs={**_IN_PLACE, **(_RANDOM if random else {}), **(differs or {})},
        samples=samples,
        compare="moments" if random else "values",
    )


_UNIFORM = (
    "{{tensor}}.set_data(ops.uniform({{tensor}}.shape, ms.Tensor({low}, ms.float32), "
    "ms.Tensor({high}, ms.float32)).astype({{tensor}}.dtype))"
)
rule(
    "torch.nn.init.uniform_(tensor, a=0.0, b=1.0, generator=None)",
    case(_fill("ms.common.initializer.Uniform({b})"), "a == -b"),
    _UNIFORM.format(low="{a}", high="{b}"),
    refuse=_GENERATOR,
    differs={
        **_IN_PLACE,
        **_RANDOM,
        "scale": "the initializer Uniform(scale) draws from (-scale, scale), 0.07 by default; "
        "ops.uniform takes both bounds",
    },
    samples=[f"({_MATRIX})", f"({_MATRIX}, -0.3, 0.3)", f"({_MATRIX}, a=-1.0, b=3.0)"],
    compare="moments",
)
_initializer(
    "normal_(tensor, mean=0.0, std=1.0, generator=None)",
    "Normal({std}, mean={mean})",
    [f"({_MATRIX})", f"({_MATRIX}, 0.5, 0.02)"],
    differs={"sigma": "it comes first and is 0.01 by default, PyTorch's std comes second and is 1"},
)
_initializer(
    "trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None)",
    "TruncatedNormal({std}, mean={mean}, a={a}, b={b})",
    [f"({_MATRIX})", f"({_MATRIX}, std=0.5, mean=0.2, a=-0.4, b=0.6)", f"({_MATRIX}, std=0.02)"],
    differs={"sigma": "it comes first and is 0.01 by default, PyTorch's std comes second and is 1"},
)
_initializer("constant_(tensor, val)", "Constant({val})", ["(f(3, 4), 0.25)"], random=False)
_initializer("ones_(tensor)", "One()", ["(f(3, 4))"], random=False)
_initializer("zeros_(tensor)", "Zero()", ["(f(3, 4))"], random=False)
_initializer("eye_(tensor)", "Identity()", ["(f(3, 4))", "(f(5, 5))"], random=False)
_initializer(
    "dirac_(tensor, groups=1)",
    "Dirac(groups={groups})",
    ["(f(3, 4, 3))", "(f(4, 2, 3, 5), groups=2)"],
    random=False,
)
_initializer(
    "xavier_uniform_(tensor, gain=1.0, generator=None)",
    "XavierUniform(gain={gain})",
    [f"({_MATRIX})", "(f(30, 20, 3, 3), gain=2.0)"],
)
_initializer(
    "xavier_normal_(tensor, gain=1.0, generator=None)",
    "XavierNormal(gain={gain})",
    [f"({_MATRIX})", "(f(30, 20, 3, 3), gain=2.0)"],
)
for _torch, _ours in (("kaiming_uniform_", "HeUniform"), ("kaiming_normal_", "HeNormal")):
    _initializer(
        f"{_torch}(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
        f"{_ours}(negative_slope={{a}}, mode={{mode}}, nonlinearity={{nonlinearity}})",
        [
            f"({_MATRIX})",
            "(f(30, 20, 3, 3), math.sqrt(5))",
            "(f(30, 20, 3, 3), mode='fan_out', nonlinearity='relu')",
        ],
        differs={"negative_slope": "PyTorch calls it a"},
    )
_initializer(
    "orthogonal_(tensor, gain=1, generator=None)",
    "Orthogonal(gain={gain})",
    ["(f(60, 80))", "(f(40, 30, 2), gain=2.0)"],
)
_initializer(
    "sparse_(tensor, sparsity, std=0.01, generator=None)",
    "Sparse({sparsity}, sigma={std})",
    [f"({_MATRIX}, 0.3)", f"({_MATRIX}, 0.5, std=1.0)"],
    differs={"sigma": "PyTorch calls it std"},
)
rule(
    "torch.nn.init.calculate_gain(nonlinearity, param=None)",
    "ms.common.initializer.calculate_gain({nonlinearity}, {param})",
    differs={
        "calculate_gain": "MindSpore has no public function; there write the number (5 / 3 for "
        "tanh, sqrt(2) for relu, sqrt(2 / (1 + a ** 2)) for leaky_relu, 3 / 4 for selu)"
    },
    samples=[
        "('linear')",
        "('conv2d')",
        "('sigmoid')",
        "('tanh')",
        "('relu')",
        "('leaky_relu')",
        "('leaky_relu', 0.3)",
        "('selu')",
    ],
    agar_only=True,
)
