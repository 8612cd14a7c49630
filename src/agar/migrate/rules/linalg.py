"""Rows of products of matrices and of linear algebra."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule
from agar.migrate.rules._einsum import template_of_einsum
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import OUT

# ---------------------------------------------------------------- products

for _name, _argument, _shapes in (
    ("matmul", "other", ("(f(3, 4), f(4, 2))", "(f(2, 3, 4), f(4))", "(f(4), f(4))")),
    ("mm", "mat2", ("(f(3, 4), f(4, 2))",)),
    ("bmm", "mat2", ("(f(2, 3, 4), f(2, 4, 2))",)),
    ("mv", "vec", ("(f(3, 4), f(4))",)),
    ("dot", "tensor", ("(f(4), f(4))",)),
    ("inner", "other", ("(f(3, 4), f(2, 4))", "(f(4), f(4))")),
    ("outer", "vec2", ("(f(3), f(4))",)),
    ("ger", "vec2", ("(f(3), f(4))",)),
    ("kron", "other", ("(f(2, 2), f(3, 2))",)),
):
    _own = {"mv": "ops.mv", "dot": "ops.matmul", "mm": "ops.matmul"}.get(_name, f"ops.{_name}")
    _own = {"mv": "ops.matmul", "ger": "ops.outer"}.get(_name, _own)
    both(
        f"{_name}(input, {_argument})",
        f"{_own}({{input}}, {{{_argument}}})",
        out=_name not in ("dot",),
        samples=_shapes,
    )
rule("torch.vdot(input, other, *, out=None)", "({input}.conj() * {other}).sum()", refuse=OUT,
     samples=["(c(4), c(4))"])  # fmt: skip
rule("torch.Tensor.vdot(self, other)", "({self}.conj() * {other}).sum()",
     samples=["(c(4), c(4))"])  # fmt: skip
for _name, _arguments, _product, _sample in (
    ("addmm", "mat1, mat2", "ops.matmul({mat1}, {mat2})", "f(3, 2), f(3, 4), f(4, 2)"),
    ("addmv", "mat, vec", "ops.matmul({mat}, {vec})", "f(3), f(3, 4), f(4)"),
    ("addr", "vec1, vec2", "ops.outer({vec1}, {vec2})", "f(3, 4), f(3), f(4)"),
    ("baddbmm", "batch1, batch2", "ops.bmm({batch1}, {batch2})",
     "f(2, 3, 5), f(2, 3, 4), f(2, 4, 5)"),
    ("addbmm", "batch1, batch2", "ops.bmm({batch1}, {batch2}).sum(0)",
     "f(3, 5), f(2, 3, 4), f(2, 4, 5)"),
):  # fmt: skip
    both(
        f"{_name}(input, {_arguments}, *, beta=1, alpha=1)",
        Case(f"{{input}} + {_product}", when="beta == 1 and alpha == 1"),
        f"{{beta}} * {{input}} + {{alpha}} * {_product}",
        samples=[f"({_sample})", f"({_sample}, beta=0.5, alpha=2.0)"],
        in_place="copy",
        in_place_samples=[f"({_sample})", f"({_sample}, beta=0.5)"],
    )
rule("torch.addmv_(input, mat, vec, *, beta=1, alpha=1)",
     "{input}.copy_({beta} * {input}.copy() + {alpha} * ops.matmul({mat}, {vec}))",
     samples=["(f(3), f(3, 4), f(4))"])  # fmt: skip
rule(
    "torch.einsum(equation, *operands)",
    Case(
        "ops.einsum({equation}, {*operands})",
        make=template_of_einsum,
    ),
    samples=[
        "('ij,jk->ik', f(2, 3), f(3, 4))",
        "('bij,bj->bi', f(2, 3, 4), f(2, 4))",
        "('bhid,bhjd->bhij', f(2, 3, 4, 5), f(2, 3, 6, 5))",
        "('nctkv,kvw->nctw', f(2, 3, 4, 2, 5), f(2, 5, 6))",
        "('i,j->ij', f(3), f(4))",
        "('bqc,bcvw->bqvw', f(2, 3, 4), f(2, 4, 5, 3))",
        "('ij->ji', f(3, 4))",
        "('bij->b', f(2, 3, 4))",
        "('ab,bc,cd->ad', f(2, 3), f(3, 4), f(4, 2))",
        "('i,i', f(3), f(3))",
        "('bnd,bmd->bnm', f(2, 3, 4), f(2, 5, 4))",
        "('abc,cd', f(2, 3, 4), f(4, 5))",
        "('bi,bj,bk->bijk', f(2, 3), f(2, 4), f(2, 2))",
        "('ijk,ik->ij', f(2, 3, 4), f(2, 4))",
    ],
    differs={
        "name": "MindSpore's own ops.einsum has no kernel for the CPU; an equation that is known "
        "and simple is written with matmul."
    },
)
rule(
    "torch.tensordot(a, b, dims=2, out=None)",
    "ops.tensor_dot({a}, {b}, {dims})",
    refuse=OUT,
    samples=["(f(2, 3, 4), f(3, 4, 5))", "(f(2, 3), f(3, 4), dims=1)",
             "(f(2, 3, 4), f(4, 3, 5), ([1, 2], [1, 0]))"],
)  # fmt: skip
_CHAIN = {
    2: "ops.matmul(%s[0], %s[1])",
    3: "ops.matmul(ops.matmul(%s[0], %s[1]), %s[2])",
    4: "ops.matmul(ops.matmul(%s[0], %s[1]), ops.matmul(%s[2], %s[3]))",
}
for _call, _it, _sample in (
    ("torch.chain_matmul(*matrices)", "({*matrices},)", "f(2, 3), f(3, 4), f(4, 2)"),
    ("torch.linalg.multi_dot(matrices, *, out=None)", "{matrices}", "[f(2, 3), f(3, 4), f(4, 2)]"),
):
    rule(
        _call,
        *(
            Case(
                text.replace("%s", _it),
                when=f"isinstance(matrices, (tuple, list)) and len(matrices) == {count}",
            )
            for count, text in _CHAIN.items()
        ),
        refuse=OUT if "out" in _call else {},
        note="for a list of unknown length write a loop over ops.matmul",
        samples=[f"({_sample})"],
    )
both(
    "cross(input, other, dim=None)",
    Case("ops.cross({input}, {other})", when="dim is None"),
    "ops.cross({input}, {other}, {dim})",
    samples=["(f(2, 3), f(2, 3), 1)", "(f(3, 4), f(3, 4))"],
)
rule(
    "torch.cdist(x1, x2, p=2.0, compute_mode=None)",
    "ops.cdist({x1}, {x2}, p=float({p}))",
    ignore="compute_mode",
    samples=["(f(3, 4), f(5, 4))", "(f(2, 3, 4), f(2, 5, 4), p=1)"],
)

# ---------------------------------------------------------------- inverses and factors

_SQUARE = "f(3, 3) + 3 * torch.eye(3, dtype=torch.float64)"
_SPD = "torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], dtype=torch.float64)"
both("inverse(input)", "ops.inverse({input})", samples=[f"({_SQUARE})"])
both("det(input)", "ops.det({input})", samples=[f"({_SQUARE})"], out=False)
both("logdet(input)", "ops.logdet({input})", samples=[f"({_SPD})"], out=False)
both("slogdet(input)", "ops.slogdet({input})", samples=[f"({_SQUARE})"], out=False)
both("pinverse(input, rcond=1e-15)", "ops.pinv({input}, rtol={rcond})", out=False,
     samples=["(f(3, 4).detach())"])  # fmt: skip
both("matrix_power(input, n)", "ops.matrix_power({input}, {n})", samples=["(f(3, 3), 3)"])
both("matrix_exp(input)", "ops.matrix_exp({input})", samples=["(f(3, 3).detach())"], out=False,
     method="ops.matrix_exp({self})", note="MindSpore 2.10 has no kernel for the CPU.")  # fmt: skip
both("trace(input)", "ops.trace({input})", samples=["(f(3, 3))"], out=False)
both(
    "cholesky(input, upper=False)",
    "ops.cholesky({input}, upper={upper})",
    samples=[f"({_SPD})", f"({_SPD}, True)"],
)
both(
    "cholesky_inverse(input, upper=False)",
    "ops.cholesky_inverse({input}, upper={upper})",
    samples=["(torch.tensor([[2.0, 0.0], [0.5, 1.0]], dtype=torch.float64))"],
)
both(
    "cholesky_solve(input, input2, upper=False)",
    "ops.cholesky_solve({input}, {input2}, upper={upper})",
    samples=["(f(2, 2).detach(), torch.tensor([[2.0, 0.0], [0.5, 1.0]], dtype=torch.float64))"],
)
for _name, _signature, _a in (
    ("torch.qr", "input, some=True, *, out=None", "input"),
    ("torch.Tensor.qr", "self, some=True", "self"),
):
    rule(
        f"{_name}({_signature})",
        Case(f"ops.qr({{{_a}}})", when="some"),
        f"ops.qr({{{_a}}}, 'complete')",
        refuse=OUT if "out" in _signature else {},
        samples=["(f(4, 3).detach())"],
    )
    _svd = _name.replace("qr", "svd")
    _order = "(lambda s, u, v: (u, s, v))(*ops.svd({%s}, full_matrices=not {some}))".replace(
        "%s", _a
    )
    rule(
        f"{_svd}({_signature.replace('some=True', 'some=True, compute_uv=True')})",
        _order,
        refuse={"not compute_uv": "take the second of the three",
                **(OUT if "out" in _signature else {})},
        compare="shape",
        samples=[f"({_SPD})"],
        differs={
            "result": "MindSpore gives the singular values first, and vectors of other signs."
        },
    )  # fmt: skip
both("geqrf(input)", "ops.geqrf({input})", samples=["(f(3, 3).detach())"])
both("orgqr(input, input2)", "ops.orgqr({input}, {input2})",
     samples=["(f(3, 3).detach(), u(3).detach())"])  # fmt: skip
both(
    "ormqr(input, input2, input3, left=True, transpose=False)",
    "ops.ormqr({input}, {input2}, {input3}, {left}, {transpose})",
    samples=["(f(3, 3).detach(), u(3).detach(), f(3, 2).detach())"],
    note="MindSpore 2.10 has no kernel for the CPU.",
)
both("lu_solve(input, LU_data, LU_pivots)", "ops.lu_solve({input}, {LU_data}, {LU_pivots})",
     samples=["(f(3, 2).detach(), *torch.linalg.lu_factor(f(3, 3).detach()))"])  # fmt: skip
rule("torch.lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True)",
     "ops.lu_unpack({LU_data}, {LU_pivots}, {unpack_data}, {unpack_pivots})",
     samples=["(f(3, 3).detach(), torch.tensor([1, 2, 3], dtype=torch.int32))"])  # fmt: skip
both(
    "triangular_solve(input, A, upper=True, transpose=False, unitriangular=False)",
    "(ms.scipy.linalg.solve_triangular({A}, {input}, trans=int({transpose}), "
    "lower=not {upper}, unit_diagonal={unitriangular}), {A})",
    method="(ms.scipy.linalg.solve_triangular({A}, {self}, trans=int({transpose}), "
    "lower=not {upper}, unit_diagonal={unitriangular}), {A})",
    samples=["(f(3, 2).detach(), torch.tensor([[2.0, 1.0, 0.5], [0.0, 1.5, 0.3], "
             "[0.0, 0.0, 1.0]], dtype=torch.float64))"],
)  # fmt: skip
for _name in ("eig", "lstsq", "lu", "matrix_rank", "solve", "symeig"):
    missing(f"torch.{_name}", f"PyTorch itself dropped it; see torch.linalg ({_name})")
for _name in ("eig", "lstsq", "lu", "solve", "symeig"):
    missing(f"torch.Tensor.{_name}", f"PyTorch itself dropped it; see torch.linalg ({_name})")
for _name in ("lobpcg", "pca_lowrank", "svd_lowrank"):
    missing(f"torch.{_name}", "use ops.svd, whose numbers are exact")

# ---------------------------------------------------------------- torch.linalg

_L = "torch.linalg."
for _call, _template, _samples in (
    ("inv(A, *, out=None)", "ops.inverse({A})", [f"({_SQUARE})"]),
    ("det(A, *, out=None)", "ops.det({A})", [f"({_SQUARE})"]),
    ("slogdet(A, *, out=None)", "ops.slogdet({A})", [f"({_SQUARE})"]),
    ("matmul(input, other, *, out=None)", "ops.matmul({input}, {other})", ["(f(2, 3), f(3, 4))"]),
    ("matrix_power(A, n, *, out=None)", "ops.matrix_power({A}, {n})", ["(f(3, 3), 2)"]),
    ("matrix_exp(A)", "ops.matrix_exp({A})", ["(f(3, 3).detach())"]),
    ("cholesky(A, *, upper=False, out=None)", "ops.cholesky({A}, upper={upper})", [f"({_SPD})"]),
    ("qr(A, mode='reduced', *, out=None)", "ops.qr({A}, {mode})",
     ["(f(4, 3).detach())", "(f(4, 3).detach(), 'complete')"]),
    ("svdvals(A, *, driver=None, out=None)", "ops.svd({A}, compute_uv=False)", ["(f(3, 4))"]),
    ("eigvals(A, *, out=None)", "ops.eigvals({A})", ["(torch.tensor([[2.0]]))"]),
    ("eig(A, *, out=None)", "ops.eig({A})", ["(torch.tensor([[2.0]]))"]),
    ("eigvalsh(A, UPLO='L', *, out=None)",
     "ms.scipy.linalg.eigh({A}, lower={UPLO} == 'L', eigvals_only=True)", [f"({_SPD})"]),
    ("pinv(A, *, atol=None, rtol=None, hermitian=False, out=None)",
     "ops.pinv({A}, atol={atol}, rtol={rtol}, hermitian={hermitian})", ["(f(3, 4).detach())"]),
    ("cond(A, p=None, *, out=None)", "ops.cond({A}, p={p})",
     [f"({_SPD})", f"({_SPD}, 'fro')"]),
    ("solve(A, B, *, left=True, out=None)",
     "ops.matmul(ops.inverse({A}), {B})", [f"({_SQUARE}, f(3, 2))"]),
    ("cross(input, other, *, dim=-1, out=None)", "ops.cross({input}, {other}, {dim})",
     ["(f(2, 3), f(2, 3))"]),
    ("vecdot(x, y, *, dim=-1, out=None)", "({x} * {y}).sum({dim})", ["(f(2, 3), f(2, 3))"]),
    ("vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None)",
     "ops.vector_norm({x}, ord={ord}, axis={dim}, keepdims={keepdim})",
     ["(f(3, 4))", "(f(3, 4), 1, 1, True)", "(f(3, 4), math.inf, dim=0)"]),
    ("matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None, out=None)",
     "ops.matrix_norm({A}, ord={ord}, axis={dim}, keepdims={keepdim})",
     ["(f(3, 4))", "(f(2, 3, 4), 1)", "(f(3, 4), 'nuc')"]),
    ("norm(A, ord=None, dim=None, keepdim=False, *, dtype=None, out=None)",
     "ops.norm({A}, ord={ord}, dim={dim}, keepdim={keepdim})",
     ["(f(3, 4))", "(f(3, 4), 2, 1)", "(f(3, 4), 'fro')", "(f(3, 4), dim=(0, 1))"]),
    ("matrix_rank(A, *, atol=None, rtol=None, hermitian=False, out=None)",
     "(lambda s, A: (s > s.max() * max(A.shape[-2:]) * 2.3e-16).sum(-1))"
     "(ops.svd({A}, compute_uv=False), {A})", [f"({_SPD})"]),
    ("lu_factor(A, *, pivot=True, out=None)",
     "(lambda lu, pivots: (lu, pivots + 1))(*ms.scipy.linalg.lu_factor({A}))",
     ["(f(3, 3).detach())"]),
    ("householder_product(A, tau, *, out=None)", "ops.orgqr({A}, {tau})",
     ["(f(3, 3).detach(), u(3).detach())"]),
    ("tensorinv(A, ind=2, *, out=None)",
     "ops.inverse({A}.reshape(math.prod({A}.shape[:{ind}]), -1))"
     ".reshape({A}.shape[{ind}:] + {A}.shape[:{ind}])", ["(f(2, 3, 6).detach())"]),
):  # fmt: skip
    _refuse = {}
    if "out=None" in _call:
        _refuse.update(OUT)
    if "dtype=None" in _call:
        _refuse["dtype is not None"] = "cast the input"
    if _call.startswith("solve"):
        _refuse["not left"] = "transpose both"
    if _call.startswith("matrix_rank"):
        _refuse["atol is not None or rtol is not None or hermitian"] = "count the singular values"
    if _call.startswith("lu_factor"):
        _refuse["not pivot"] = "the factorization takes pivots"
    rule(
        f"{_L}{_call}",
        _template,
        refuse=_refuse,
        ignore="driver" if "driver" in _call else "",
        samples=_samples,
        differs={"dtype": "The number of a rank is int64."} if "matrix_rank" in _call else {},
        note="MindSpore 2.10 has no kernel for the CPU." if "matrix_exp" in _call else "",
    )
rule(
    f"{_L}eigh(A, UPLO='L', *, out=None)",
    "ms.scipy.linalg.eigh({A}, lower={UPLO} == 'L')",
    refuse=OUT,
    samples=["(torch.tensor([[2.0]], dtype=torch.float64))"],
)
rule(
    f"{_L}svd(A, full_matrices=True, *, driver=None, out=None)",
    "(lambda s, u, v: (u, s, ops.conj(v.swapaxes(-2, -1)) if v.is_complex() else "
    "v.swapaxes(-2, -1)))(*ops.svd({A}, full_matrices={full_matrices}))",
    refuse=OUT,
    ignore="driver",
    compare="shape",
    samples=[f"({_SPD})", f"({_SPD}, full_matrices=False)"],
    differs={"result": "MindSpore gives the singular values first, and V instead of its adjoint."},
)
rule(
    f"{_L}solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None)",
    "ms.scipy.linalg.solve_triangular({A}, {B}, lower=not {upper}, "
    "unit_diagonal={unitriangular})",
    refuse={**OUT, "not left": "transpose both"},
    samples=["((u(2, 2) + 0.5).triu().detach(), f(2, 3).detach(), upper=True)"],
)  # fmt: skip
missing(f"{_L}lstsq", "use ops.matmul(ops.pinv(A), B) for the solution")
rule(
    f"{_L}lu(A, *, pivot=True, out=None)",
    "(lambda p, l, u: (p.astype(l.dtype), l, u))(*ms.scipy.linalg.lu({A}))",
    refuse={**OUT, "not pivot": "the factorization takes pivots"},
    samples=["(f(3, 3).detach())"],
)
rule(
    f"{_L}vander(x, N=None)",
    "{x}.expand_dims(-1) ** ops.arange({x}.shape[-1] if {N} is None else {N})",
    samples=["(p(4).detach())", "(p(4).detach(), N=3)"],
)
rule(
    f"{_L}lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None)",
    "ops.lu_solve({B}, {LU}, {pivots})",
    refuse={**OUT, "not left or adjoint": "transpose by hand"},
    samples=["(*torch.linalg.lu_factor(f(3, 3).detach()), f(3, 2).detach())"],
)
for _name in ("cholesky_ex", "inv_ex", "solve_ex", "lu_factor_ex", "ldl_factor_ex"):
    missing(
        f"{_L}{_name}",
        f"use the function without _ex; MindSpore raises where {_name[:-3]} fails",
    )
for _name in ("ldl_factor", "ldl_solve"):
    missing(f"{_L}{_name}", "use ops.cholesky, or solve with ops.inverse")
missing(f"{_L}tensorsolve", "reshape to a matrix and use ops.inverse and ops.matmul")
