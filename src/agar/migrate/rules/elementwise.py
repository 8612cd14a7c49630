"""Rows of functions of every element: arithmetic, comparison, logic, bits."""

from __future__ import annotations

from agar.migrate.rules._declare import rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import OUT, SELU, changed

_F, _U, _P = "(f(3, 4))", "(u(3, 4))", "(p(3, 4))"

#: functions of which PyTorch differentiates no in-place form
_CUT = ("asinh", "arcsinh", "atanh", "arctanh", "acosh", "arccosh")


def _plain(name: str, sample: str) -> str:
    return f"({sample}.detach())" if name in _CUT else sample


#: name: sample, for ops.name(x), Tensor.name() and Tensor.name_()
for _sample, _names in (
    (_F, "abs absolute asinh arcsinh atan arctan ceil cos cosh erf erfc exp expm1 "
     "floor neg negative sigmoid sin sinh square tan tanh trunc"),
    (_U, "acos arccos asin arcsin atanh arctanh"),
    ("(p(3, 4) + 1)", "acosh arccosh"),
    (_P, "log log10 log1p log2 reciprocal rsqrt sqrt"),
):  # fmt: skip
    for _name in _names.split():
        both(
            f"{_name}(input)",
            f"ops.{_name}({{input}})",
            samples=[_sample],
            in_place="copy",
            in_place_samples=[_plain(_name, _sample)],
        )
both("sgn(input)", "ops.sgn({input})", samples=["(f(3, 4).detach())"], in_place="copy")
for _sample, _names in (
    (_F, "deg2rad rad2deg sinc frac sign"),
    (_P, "digamma lgamma"),
):
    for _name in _names.split():
        both(f"{_name}(input)", f"ops.{_name}({{input}})", samples=[_sample], in_place="copy")
both("erfinv(input)", "ops.erfinv({input})", samples=["(u(3, 4))"], in_place="copy")
both("i0(input)", "ops.i0({input})", samples=[_F], in_place="copy")
both("fix(input)", "ops.trunc({input})", samples=[_F], in_place="copy")
both("exp2(input)", "ops.exp2({input})", samples=[_F], in_place="copy",
     method="ops.exp2({self})")  # fmt: skip
for _name in ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "isreal", "signbit"):
    both(
        f"{_name}(input)",
        f"ops.{_name}({{input}})",
        samples=["(torch.tensor([1.0, math.inf, -math.inf, math.nan]))"],
        out=_name in ("isneginf", "isposinf", "signbit"),
    )
both("positive(input)", "ops.positive({input})", samples=[_F], out=False)
both(
    "round(input, *, decimals=0)",
    Case("ops.round({input})", when="decimals == 0"),
    "ops.round({input} * 10.0 ** {decimals}) / 10.0 ** {decimals}",
    samples=["(f(3, 4))", "(f(3, 4), decimals=2)"],
    differs={"decimals": "MindSpore rounds to whole numbers only on the CPU."},
    in_place="copy",
)
both("logit(input, eps=None)", "ops.logit({input}, eps={eps})",
     samples=[_U, "(u(3, 4), 0.1)"], in_place="copy")  # fmt: skip
both(
    "nan_to_num(input, nan=0.0, posinf=None, neginf=None)",
    "ops.nan_to_num({input}, nan={nan}, posinf={posinf}, neginf={neginf})",
    samples=[
        "(torch.tensor([1.0, math.inf, -math.inf, math.nan]))",
        "(torch.tensor([1.0, math.inf, -math.inf, math.nan]), 1.0, posinf=2.0, neginf=-3.0)",
    ],
    in_place="copy",
)
both("relu(input)", "ops.relu({input})", samples=[_F], out=False, in_place="copy",
     method="ops.relu({self})")  # fmt: skip
both("hardshrink(input, lambd=0.5)", "ops.hardshrink({input}, lambd={lambd})",
     samples=[_F, "(f(3, 4), 0.3)"], out=False)  # fmt: skip
both("prelu(input, weight)", "ops.prelu({input}, {weight})", samples=["(f(2, 3, 4), f(3))"],
     out=False, method="ops.prelu({self}, {weight})")  # fmt: skip
for _name, _arguments, _template in (
    ("selu", "", SELU),
    ("celu", "alpha=1.0", "ops.celu({input}, {alpha})"),
    ("threshold", "threshold, value", "ops.threshold({input}, {threshold}, {value})"),
):
    _given = "(f(3, 4), 0.1, 2.0)" if _name == "threshold" else _F
    rule(f"torch.{_name}(input, {_arguments})", _template, samples=[_given])
    rule(f"torch.{_name}_(input, {_arguments})", changed(_template, "input"), samples=[_given])
rule(
    "torch.rrelu(input, lower=0.125, upper=0.3333333333333333, training=False)",
    Case("ops.rrelu({input}, lower={lower}, upper={upper})", when="training"),
    "ops.leaky_relu({input}, alpha=({lower} + {upper}) / 2)",
    samples=[_F],
)
_UNIT = ("acos", "arccos", "arcsin", "arctanh", "asin", "atanh")
_CHANGING = (
    "abs acos arccos arccosh acosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos "
    "cosh deg2rad erf erfc exp exp2 expm1 fix floor frac i0 log log10 log1p log2 neg "
    "negative rad2deg reciprocal relu rsqrt sigmoid sin sinc sinh sqrt square tan tanh trunc"
)
for _name in _CHANGING.split():
    _template = f"ops.{_name}({{input}})" if _name != "fix" else "ops.trunc({input})"
    rule(
        f"torch.{_name}_(input)",
        changed(_template, "input"),
        samples=[_plain(_name, _U if _name in _UNIT else "(p(3, 4) + 1)")],
    )  # fmt: skip

rule(
    "torch.logit_(input, eps=None)",
    changed("ops.logit({input}, eps={eps})", "input"),
    samples=["(u(3, 4))", "(u(3, 4), 0.1)"],
)
rule(
    "torch.round_(input, *, decimals=0)",
    changed("ops.round({input} * 10.0 ** {decimals}) / 10.0 ** {decimals}", "input"),
    samples=["(f(3, 4))", "(f(3, 4), decimals=1)"],
)

# ---------------------------------------------------------------- complex numbers

_C = "(c(3, 4))"
both("angle(input)", "ops.angle({input})", samples=[_C])
both("conj(input)", "ops.conj({input})", samples=[_C], out=False)
both("conj_physical(input)", "ops.conj({input})", samples=[_C], in_place="copy")
both("resolve_conj(input)", "{input}", samples=[_C], out=False)
both("resolve_neg(input)", "{input}", samples=[_C], out=False)
for _name in ("real", "imag"):
    rule(f"torch.{_name}(input)", f"ops.{_name}({{input}})", samples=[_C])
    rule(f"torch.Tensor.{_name}(self)", f"{{self}}.{_name}()", samples=[_C])
rule("torch.complex(real, imag, *, out=None)", "ops.Complex()({real}, {imag})", refuse=OUT,
     samples=["(f(3, 4), f(3, 4))"])  # fmt: skip
rule("torch.polar(abs, angle, *, out=None)", "ops.polar({abs}, {angle})", refuse=OUT,
     samples=["(p(3, 4), f(3, 4))"])  # fmt: skip
rule("torch.view_as_real(input)", "ops.view_as_real({input})", samples=[_C])
rule("torch.view_as_complex(input)", "ops.Complex()({input}[..., 0], {input}[..., 1])",
     samples=["(f(3, 4, 2))"])  # fmt: skip
both("is_complex(input)", "ops.is_complex({input})", samples=[_C, "(f(3, 4).detach())"], out=False)
both("is_floating_point(input)", "ops.is_floating_point({input})", out=False,
     samples=["(f(3, 4).detach())", "(i(3, 4))"])  # fmt: skip
both("is_nonzero(input)", "bool({input})", samples=["(torch.tensor([2.0]))"], out=False)
both("is_signed(input)", "{input}.is_signed()", samples=["(i(3, 4))"], out=False)

# ---------------------------------------------------------------- two tensors

_FF, _FP, _II, _BB = "(f(3, 4), f(3, 4))", "(f(3, 4), p(4))", "(i(9, 4), i(9, 4))", "(b(5), b(5))"
_ALPHA = "{input} %s {alpha} * {other}"
for _name, _sign, _other in (("add", "+", "add"), ("sub", "-", "sub"), ("subtract", "-", "sub")):
    both(
        f"{_name}(input, other, *, alpha=1)",
        Case(f"ops.{_other}({{input}}, {{other}})", when="alpha == 1"),
        _ALPHA % _sign,
        samples=[_FP, "(f(3, 4), 2)", "(f(3, 4), f(4), alpha=0.5)"],
        in_place="copy",
        in_place_samples=[_FP, "(f(3, 4), f(4), alpha=0.5)"],
        method=[
            Case(f"{{self}}.{_other}({{other}})", when="alpha == 1"),
            f"{{self}} {_sign} {{alpha}} * {{other}}",
        ],
    )
rule(
    "torch.rsub(input, other, *, alpha=1)",
    Case("{other} - {input}", when="alpha == 1"),
    "{other} - {alpha} * {input}",
    samples=[_FP, "(f(3, 4), 2, alpha=0.5)"],
)
for _name in ("mul", "multiply"):
    both(
        f"{_name}(input, other)",
        "ops.mul({input}, {other})",
        samples=[_FP, "(f(3, 4), 2)"],
        in_place="copy",
    )
for _name in ("div", "divide"):
    both(
        f"{_name}(input, other, *, rounding_mode=None)",
        Case("ops.div({input}, {other})", when="rounding_mode is None"),
        "ops.div({input}, {other}, rounding_mode={rounding_mode})",
        samples=[
            _FP,
            "(f(3, 4), 2)",
            "(f(3, 4) * 9, 2.5, rounding_mode='floor')",
            "(f(3, 4) * 9, 2.5, rounding_mode='trunc')",
        ],
        in_place="copy",
        method=[
            Case("{self}.div({other})", when="rounding_mode is None"),
            "ops.div({self}, {other}, rounding_mode={rounding_mode})",
        ],
    )
both("true_divide(input, other)", "ops.true_divide({input}, {other})", samples=[_FP],
     in_place="copy")  # fmt: skip
both(
    "floor_divide(input, other)",
    "ops.floor_divide({input}, {other})",
    method="ops.floor_divide({self}, {other})",
    samples=["(f(3, 4).detach() * 9, 2.5)", "(i(20, 6) - 10, 3)"],
    in_place="copy",
)
both("remainder(input, other)", "ops.remainder({input}, {other})",
     samples=["(f(3, 4) * 9, 2.5)", "(f(3, 4), p(4))"], in_place="copy")  # fmt: skip
both("fmod(input, other)", "ops.fmod({input}, {other})",
     samples=["(f(3, 4) * 9, 2.5)"], in_place="copy")  # fmt: skip
both("pow(input, exponent)", "ops.pow({input}, {exponent})",
     samples=["(p(3, 4), 2)", "(p(3, 4), f(4))", "(p(3, 4), 0.5)"], in_place="copy")  # fmt: skip
both(
    "float_power(input, exponent)",
    "ops.pow({input}.astype(ms.float64), {exponent})",
    samples=["(p(3, 4), 2)"],
    in_place="copy",
    method="ops.pow({self}.astype(ms.float64), {exponent})",
)
for _name, _sample in (
    ("atan2", _FF), ("arctan2", _FF), ("hypot", _FF), ("copysign", _FF), ("xlogy", _FP),
):  # fmt: skip
    both(f"{_name}(input, other)", f"ops.{_name}({{input}}, {{other}})", samples=[_sample],
         in_place="copy")  # fmt: skip
for _name in ("maximum", "minimum", "fmax", "logaddexp", "logaddexp2"):
    both(f"{_name}(input, other)", f"ops.{_name}({{input}}, {{other}})", samples=[_FF])
both(
    "fmin(input, other)",
    "-ops.fmax(-{input}, -{other})",
    samples=[_FF],
    differs={"name": "MindSpore's own ops.fmin has no kernel for the CPU."},
)
both("nextafter(input, other)", "ops.nextafter({input}, {other})",
     samples=["(f(3, 4).detach(), f(3, 4).detach())"], in_place="copy")  # fmt: skip
both("heaviside(input, values)", "ops.heaviside({input}, {values})",
     samples=["(f(3, 4).detach(), f(3, 4).detach())"], in_place="copy")  # fmt: skip
both("ldexp(input, other)", "{input} * 2.0 ** {other}", samples=["(f(4), i(4, 4))"],
     in_place="copy")  # fmt: skip
for _name in ("igamma", "igammac"):
    both(
        f"{_name}(input, other)",
        f"ops.{_name}({{input}}, {{other}})",
        samples=["(p(3, 4).detach(), p(3, 4).detach())"],
        in_place="copy",
    )
for _name in ("gcd", "lcm"):
    both(f"{_name}(input, other)", f"ops.{_name}({{input}}, {{other}})",
         samples=["(i(20, 6) + 1, i(20, 6) + 1)"], in_place="copy")  # fmt: skip
    rule(f"torch.{_name}_(input, other)", changed(f"ops.{_name}({{input}}, {{other}})", "input"),
         samples=["(i(20, 6) + 1, i(20, 6) + 1)"])  # fmt: skip
rule("torch.xlogy_(input, other)", changed("ops.xlogy({input}, {other})", "input"),
     samples=[_FP])  # fmt: skip
rule("torch.ldexp_(input, other)", changed("{input} * 2.0 ** {other}", "input"),
     samples=["(f(4), i(4, 4))"])  # fmt: skip
for _name in ("clamp", "clip"):
    both(
        f"{_name}(input, min=None, max=None)",
        f"ops.{_name}({{input}}, min={{min}}, max={{max}})",
        samples=["(f(3, 4), -0.5, 0.5)", "(f(3, 4), min=0)", "(f(3, 4), max=f(4))"],
        in_place="copy",
    )
    rule(
        f"torch.{_name}_(input, min=None, max=None)",
        changed(f"ops.{_name}({{input}}, min={{min}}, max={{max}})", "input"),
        samples=["(f(3, 4), -0.5, 0.5)"],
    )
for _end in ("min", "max"):
    both(
        f"clamp_{_end}(input, {_end})",
        f"ops.clamp({{input}}, {_end}={{{_end}}})",
        samples=["(f(3, 4), 0.1)"],
        in_place="copy",
    )
    rule(
        f"torch.clamp_{_end}_(input, {_end})",
        changed(f"ops.clamp({{input}}, {_end}={{{_end}}})", "input"),
        samples=["(f(3, 4), 0.1)"],
    )
rule("torch.nan_to_num_(input, nan=0.0, posinf=None, neginf=None)",
     changed("ops.nan_to_num({input}, nan={nan}, posinf={posinf}, neginf={neginf})", "input"),
     samples=["(torch.tensor([1.0, math.inf, -math.inf, math.nan]))"])  # fmt: skip
both(
    "lerp(input, end, weight)",
    "ops.lerp({input}, {end}, {weight})",
    samples=["(f(3, 4), f(3, 4), 0.3)", "(f(3, 4), f(3, 4), u(3, 4))"],
    in_place="copy",
)
for _name, _sign in (("addcmul", "*"), ("addcdiv", "/")):
    both(
        f"{_name}(input, tensor1, tensor2, *, value=1)",
        f"{{input}} + {{value}} * ({{tensor1}} {_sign} {{tensor2}})",
        samples=["(f(3, 4), f(3, 4), p(3, 4))", "(f(3, 4), f(3, 4), p(4), value=0.5)"],
        in_place="copy",
    )

# ---------------------------------------------------------------- comparison and logic

for _name, _other in (
    ("eq", "eq"), ("ne", "ne"), ("lt", "lt"), ("le", "le"), ("gt", "gt"), ("ge", "ge"),
    ("greater", "gt"), ("greater_equal", "ge"), ("less", "lt"), ("less_equal", "le"),
    ("not_equal", "ne"),
):  # fmt: skip
    _numbers = "(f(3, 4).detach(), f(3, 4).detach())"
    both(
        f"{_name}(input, other)",
        f"ops.{_other}({{input}}, {{other}})",
        samples=[_numbers, "(i(5, 3, 4), 2)"],
        in_place="copy",
    )
for _name in ("logical_and", "logical_or", "logical_xor"):
    both(f"{_name}(input, other)", f"ops.{_name}({{input}}, {{other}})", samples=[_BB],
         in_place="copy")  # fmt: skip
both("logical_not(input)", "ops.logical_not({input})", samples=["(b(5))"], in_place="copy")
for _name, _sign in (("bitwise_and", "&"), ("bitwise_or", "|"), ("bitwise_xor", "^")):
    both(f"{_name}(input, other)", f"{{input}} {_sign} {{other}}", samples=[_II, _BB],
         in_place="copy")  # fmt: skip
both(
    "bitwise_not(input)",
    "ops.logical_not({input}) if {input}.dtype == ms.bool_ else ops.invert({input})",
    samples=["(i(9, 4))", "(b(5))"],
    in_place="copy",
    differs={"name": "MindSpore's own mint.bitwise_not has no kernel for the CPU."},
)
for _name in ("bitwise_left_shift", "bitwise_right_shift"):
    both(f"{_name}(input, other)", f"ops.{_name}({{input}}, {{other}})",
         samples=["(i(9, 4), i(3, 4))"], in_place="copy")  # fmt: skip
both(
    "isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    "ops.isclose({input}, {other}, rtol={rtol}, atol={atol}, equal_nan={equal_nan})",
    samples=["(f(3, 4).detach(), f(3, 4).detach())", "(f(4).detach(), f(4).detach(), atol=1.0)"],
    out=False,
)
both(
    "allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    "bool(ops.isclose({input}, {other}, rtol={rtol}, atol={atol}, equal_nan={equal_nan}).all())",
    samples=["(f(3, 4).detach(), f(3, 4).detach())", "(f(4).detach(), f(4).detach(), atol=9.0)"],
    out=False,
)
both(
    "equal(input, other)",
    "{input}.shape == {other}.shape and bool(({input} == {other}).all())",
    samples=["(i(2, 3), i(2, 3))", "(b(3), b(4))"],
    out=False,
    differs={"result": "MindSpore's ops.equal compares elements; PyTorch's gives one truth value."},
)
rule(
    "torch.isin(elements, test_elements, *, assume_unique=False, invert=False, out=None)",
    Case("({elements}.expand_dims(-1) != {test_elements}.ravel()).all(-1)", when="invert"),
    "({elements}.expand_dims(-1) == {test_elements}.ravel()).any(-1)",
    refuse=OUT,
    ignore="assume_unique",
    samples=["(i(5, 3, 4), i(5, 2))", "(i(5, 3, 4), i(5, 2), invert=True)"],
)
both("mvlgamma(input, p)", "ops.mvlgamma({input}, {p})", samples=["(p(3, 4) + 2, 2)"],
     in_place="copy")  # fmt: skip
rule("torch.polygamma(n, input, *, out=None)", "ops.polygamma(ms.Tensor({n}), {input})", refuse=OUT,
     samples=["(1, p(3, 4))"])  # fmt: skip
rule("torch.Tensor.polygamma(self, n)", "ops.polygamma(ms.Tensor({n}), {self})",
     samples=["(p(3, 4), 1)"])  # fmt: skip
