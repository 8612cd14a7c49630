"""Rows of torch.special."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import OUT

_S = "torch.special."
_SQRT = "0.7071067811865476"

for _name, _template, _sample in (
    ("bessel_j0", "ops.bessel_j0({input})", "(p(4).detach())"),
    ("bessel_j1", "ops.bessel_j1({input})", "(p(4).detach())"),
    ("bessel_y0", "ops.bessel_y0({input})", "(p(4).detach())"),
    ("bessel_y1", "ops.bessel_y1({input})", "(p(4).detach())"),
    ("digamma", "ops.digamma({input})", "(p(4))"),
    ("psi", "ops.digamma({input})", "(p(4))"),
    ("entr", "-ops.xlogy({input}, {input})", "(p(4))"),
    ("erf", "ops.erf({input})", "(f(4))"),
    ("erfc", "ops.erfc({input})", "(f(4))"),
    ("erfcx", "ops.exp({input} ** 2) * ops.erfc({input})", "(f(4))"),
    ("erfinv", "ops.erfinv({input})", "(u(4))"),
    ("exp2", "ops.exp2({input})", "(f(4))"),
    ("expit", "ops.sigmoid({input})", "(f(4))"),
    ("expm1", "ops.expm1({input})", "(f(4))"),
    ("gammaln", "ops.lgamma({input})", "(p(4))"),
    ("i0", "ops.bessel_i0({input})", "(f(4))"),
    ("i0e", "ops.bessel_i0e({input})", "(f(4))"),
    ("i1", "ops.bessel_i1({input})", "(f(4))"),
    ("i1e", "ops.bessel_i1e({input})", "(f(4))"),
    ("modified_bessel_i0", "ops.bessel_i0({input})", "(f(4).detach())"),
    ("modified_bessel_i1", "ops.bessel_i1({input})", "(f(4).detach())"),
    ("modified_bessel_k0", "ops.bessel_k0({input})", "(p(4).detach())"),
    ("modified_bessel_k1", "ops.bessel_k1({input})", "(p(4).detach())"),
    ("scaled_modified_bessel_k0", "ops.bessel_k0e({input})", "(p(4).detach())"),
    ("scaled_modified_bessel_k1", "ops.bessel_k1e({input})", "(p(4).detach())"),
    ("log1p", "ops.log1p({input})", "(p(4))"),
    ("log_ndtr", f"ops.log(0.5 * ops.erfc(-{{input}} * {_SQRT}))", "(f(4))"),
    ("ndtr", f"0.5 * ops.erfc(-{{input}} * {_SQRT})", "(f(4))"),
    ("ndtri", f"ops.erfinv(2 * {{input}} - 1) / {_SQRT}", "(u(4))"),
    ("sinc", "ops.sinc({input})", "(f(4))"),
    ("spherical_bessel_j0", "ops.sinc({input} / math.pi)", "(p(4).detach())"),
):
    rule(f"{_S}{_name}(input, *, out=None)", _template, refuse=OUT, samples=[_sample])
for _name, _template, _sample in (
    ("gammainc", "ops.igamma({input}, {other})", "(p(4).detach(), p(4).detach())"),
    ("gammaincc", "ops.igammac({input}, {other})", "(p(4).detach(), p(4).detach())"),
    ("xlogy", "ops.xlogy({input}, {other})", "(f(4), p(4))"),
    ("xlog1py", "{input} * ops.log1p({other})", "(f(4), p(4))"),
    ("zeta", "ops.zeta({input}, {other})", "(p(4).detach() + 1.5, p(4).detach())"),
):
    rule(f"{_S}{_name}(input, other, *, out=None)", _template, refuse=OUT, samples=[_sample])
rule(f"{_S}logit(input, eps=None, *, out=None)", "ops.logit({input}, eps={eps})", refuse=OUT,
     samples=["(u(4))", "(u(4), 0.1)"])  # fmt: skip
rule(f"{_S}logsumexp(input, dim, keepdim=False, *, out=None)",
     "ops.logsumexp({input}, {dim}, keepdim={keepdim})", refuse=OUT,
     samples=["(f(3, 4), 1)", "(f(3, 4), 0, True)"])  # fmt: skip
rule(f"{_S}multigammaln(input, p, *, out=None)", "ops.mvlgamma({input}, {p})", refuse=OUT,
     samples=["(p(4) + 2, 2)"])  # fmt: skip
rule(f"{_S}polygamma(n, input, *, out=None)", "ops.polygamma(ms.Tensor({n}), {input})", refuse=OUT,
     samples=["(1, p(4))"])  # fmt: skip
rule(
    f"{_S}round(input, *, decimals=0, out=None)",
    Case("ops.round({input})", when="decimals == 0"),
    "ops.round({input} * 10.0 ** {decimals}) / 10.0 ** {decimals}",
    refuse=OUT,
    samples=["(f(4))", "(f(4), decimals=1)"],
)
for _name in ("softmax", "log_softmax"):
    rule(
        f"{_S}{_name}(input, dim, *, dtype=None)",
        Case(f"ops.{_name}({{input}}.astype({{dtype}}), axis={{dim}})", when="dtype is not None"),
        f"ops.{_name}({{input}}, axis={{dim}})",
        samples=["(f(3, 4), 1)", "(f(3, 4), 0, dtype=torch.float64)"],
    )
_NONE = (
    "airy_ai chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v "
    "chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l "
    "legendre_polynomial_p shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u "
    "shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w"
)
for _name in _NONE.split():
    missing(f"{_S}{_name}", "MindSpore has no such function; compute the polynomial by recursion, "
            "or with scipy.special on x.asnumpy()")  # fmt: skip
