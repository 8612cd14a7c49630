"""Rows of reductions, cumulative functions, sorting and counting."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, overload, rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import OUT

_AXIS = {"axis": "PyTorch says dim and keepdim, MindSpore's older functions axis and keep_dims."}

# ---------------------------------------------------------------- sums

for _name, _axis, _keep in (
    ("sum", "dim", "keepdim"), ("mean", "axis", "keep_dims"), ("prod", "axis", "keep_dims"),
):  # fmt: skip
    _own = f"{_axis}={{dim}}, {_keep}={{keepdim}}"
    _new = "dim={dim}, keepdim={keepdim}"
    _cast = ".astype({dtype})"
    both(
        f"{_name}(input, dim=None, keepdim=False, *, dtype=None)",
        Case(f"ops.{_name}({{input}}{_cast}, {_own})", when="dtype is not None"),
        f"ops.{_name}({{input}}, {_own})",
        method=[
            Case(f"{{self}}{_cast}.{_name}({_new})", when="dtype is not None"),
            f"{{self}}.{_name}({_new})",
        ],
        samples=[
            "(f(3, 4))",
            "(f(3, 4), 1)",
            "(f(2, 3, 4), dim=-1, keepdim=True)",
            *(["(f(2, 3, 4), (0, 2))", "(f(2, 3, 4), dim=[0, 1])"] if _name != "prod" else []),
            "(i(5, 3, 4), dtype=torch.float32)",
            *(["(i(5, 3, 4))", "(b(3, 4))", "(i(5, 3, 4), 0)"] if _name != "mean" else []),
        ],
        differs=_AXIS,
    )
both(
    "nansum(input, dim=None, keepdim=False, *, dtype=None)",
    "ops.nansum({input}, axis={dim}, keepdims={keepdim})",
    refuse={"dtype is not None": "cast the input"},
    samples=["(f(3, 4))", "(torch.tensor([[1.0, math.nan], [2.0, 3.0]]), 1, True)"],
)
both(
    "nanmean(input, dim=None, keepdim=False, *, dtype=None)",
    "ops.nanmean({input}, axis={dim}, keepdims={keepdim})",
    refuse={"dtype is not None": "cast the input"},
    samples=["(f(3, 4))", "(torch.tensor([[1.0, math.nan], [2.0, 3.0]]), 1, True)"],
)
for _name in ("all", "any"):
    both(
        f"{_name}(input, dim=None, keepdim=False)",
        f"ops.{_name}({{input}}, axis={{dim}}, keep_dims={{keepdim}})",
        method=[
            Case(f"{{self}}.{_name}()", when="dim is None and not keepdim"),
            Case(f"{{self}}.{_name}({{dim}})", when="not keepdim"),
            f"{{self}}.{_name}({{dim}}, {{keepdim}})",
        ],
        samples=["(b(3, 4))", "(b(3, 4), 1)", "(b(3, 4), dim=0, keepdim=True)"],
        differs=_AXIS,
    )
both(
    "count_nonzero(input, dim=None)",
    Case("ops.count_nonzero({input}, dtype=ms.int64)", when="dim is None"),
    "ops.count_nonzero({input}, {dim}, dtype=ms.int64)",
    method=[
        Case("ops.count_nonzero({self}, dtype=ms.int64)", when="dim is None"),
        "ops.count_nonzero({self}, {dim}, dtype=ms.int64)",
    ],
    out=False,
    samples=["(i(3, 4, 5))", "(i(3, 4, 5), 1)"],
    differs={"dtype": "MindSpore counts in int32 by default."},
)
_SPREAD = "({input}, axis={dim}, ddof={%s}, keepdims={keepdim})"
for _name in ("std", "var", "std_mean", "var_mean"):
    both(
        f"{_name}(input, dim: int|tuple|None=None, *, correction=1, keepdim=False)",
        Case(f"ops.{_name}{_SPREAD % 'correction'}", when="correction is not None"),
        f"ops.{_name}{_SPREAD % 'correction'}".replace("{correction}", "1"),
        method="" if "_" not in _name else None,
        others=[
            (f"{_name}(input, unbiased: bool)",
             f"ops.{_name}({{input}}, ddof=int({{unbiased}}))"),
            (f"{_name}(input, dim, unbiased: bool=True, keepdim=False)",
             f"ops.{_name}({{input}}, axis={{dim}}, ddof=int({{unbiased}}), keepdims={{keepdim}})"),
        ],
        out=False,
        samples=[
            "(f(3, 4))", "(f(3, 4), 1)", "(f(3, 4), dim=0, keepdim=True)",
            "(f(3, 4), 1, correction=0)", "(f(3, 4), False)", "(f(3, 4), 1, False, True)",
            "(f(3, 4), dim=1, unbiased=False)",
        ],
        differs={
            "ddof": "PyTorch divides by n - 1 by default (correction=1), MindSpore's ops by n."
        },
    )  # fmt: skip

# ---------------------------------------------------------------- largest and smallest

for _name, _binary in (("max", "maximum"), ("min", "minimum")):
    for _ours, _it, _one, _pair in (
        (
            f"torch.{_name}(input",
            "{input}",
            "ops.%s({input})[0]",
            "ops.%s({input}, axis={dim}, keepdims={keepdim})",
        ),
        (
            f"torch.Tensor.{_name}(self",
            "{self}",
            "{self}.%s()",
            "{self}.%s(dim={dim}, keepdim={keepdim})",
        ),
    ):
        rule(
            f"{_ours})",
            _one % _name,
            others=[
                overload(f"{_ours}, dim: int, keepdim: bool=False)", _pair % _name),
                overload(f"{_ours}, other: Tensor)", f"ops.{_binary}({_it}, {{other}})"),
            ],
            samples=["(f(3, 4))", "(f(3, 4), 1)", "(f(3, 4), dim=0, keepdim=True)",
                     "(f(3, 4), f(3, 4))", "(i(50, 6))"],
            differs={
                "result": f"MindSpore's ops.{_name} gives a pair also without an axis, and the "
                "method with axis= gives the values only."
            },
        )  # fmt: skip
for _name in ("amax", "amin"):
    both(
        f"{_name}(input, dim=(), keepdim=False)",
        Case(f"ops.{_name}({{input}}, keepdims={{keepdim}})", when="dim == ()"),
        f"ops.{_name}({{input}}, axis={{dim}}, keepdims={{keepdim}})",
        samples=["(f(3, 4))", "(f(3, 4), 1)", "(f(2, 3, 4), dim=(0, 2), keepdim=True)"],
    )
both(
    "aminmax(input, *, dim=None, keepdim=False)",
    Case("(ops.amin({input}), ops.amax({input}))", when="dim is None"),
    "(ops.amin({input}, axis={dim}, keepdims={keepdim}), "
    "ops.amax({input}, axis={dim}, keepdims={keepdim}))",
    samples=["(f(3, 4))", "(f(3, 4), dim=1, keepdim=True)"],
    differs={"axis": "MindSpore's ops.aminmax takes axis 0 by default, PyTorch all."},
)
both(
    "argmax(input, dim=None, keepdim=False)",
    "ops.argmax({input}, dim={dim}, keepdim={keepdim})",
    samples=["(f(3, 4).detach())", "(f(3, 4).detach(), 1)", "(f(3, 4).detach(), -1, True)"],
)
both(
    "argmin(input, dim=None, keepdim=False)",
    "ops.argmin({input}, axis={dim}, keepdims={keepdim}).astype(ms.int64)",
    method="ops.argmin({self}, axis={dim}, keepdims={keepdim}).astype(ms.int64)",
    samples=["(f(3, 4).detach())", "(f(3, 4).detach(), 1)", "(f(3, 4).detach(), -1, True)"],
    differs={"result": "MindSpore's ops.argmin gives int32."},
)
for _name in ("cummax", "cummin"):
    both(
        f"{_name}(input, dim)",
        f"ops.{_name}({{input}}, {{dim}})",
        samples=["(f(3, 4), 1)"],
        differs={"dtype": "MindSpore's places are int32 of cummin."} if _name == "cummin" else {},
    )
both(
    "median(input)",
    "ops.median({input}.ravel(), 0)[0]",
    method="ops.median({self}.ravel(), 0)[0]",
    others=[("median(input, dim: int, keepdim: bool=False)",
             "ops.median({input}, axis={dim}, keepdims={keepdim})")],
    out=False,
    samples=["(f(15))", "(f(3, 5), 1)", "(f(3, 4), dim=0, keepdim=True)"],
    differs={"axis": "MindSpore takes the last axis by default and always gives a pair."},
)  # fmt: skip
both(
    "nanmedian(input)",
    "ops.nanmedian({input}.ravel(), 0)[0]",
    method="ops.nanmedian({self}.ravel(), 0)[0]",
    others=[("nanmedian(input, dim: int, keepdim: bool=False)",
             "ops.nanmedian({input}, axis={dim}, keepdims={keepdim})")],
    out=False,
    samples=["(f(15))", "(f(3, 5), 1)"],
)  # fmt: skip
_BETWEEN = (
    "(lambda values, at: ops.lerp(values.narrow(%s, int(at), 1), "
    "values.narrow(%s, -int(-at // 1), 1), at - int(at)))"
)
_QUANTILE = _BETWEEN % (("{dim}",) * 2) + (
    "(ops.sort({input}, {dim})[0], {q} * ({input}.shape[{dim}] - 1))"
)
both(
    "quantile(input, q: number, dim=None, keepdim=False, *, interpolation='linear')",
    Case(
        _BETWEEN % ("0", "0") + "(ops.sort({input}.ravel())[0], {q} * ({input}.size - 1))[0]",
        when="dim is None",
    ),
    Case(_QUANTILE, when="keepdim"),
    _QUANTILE + ".squeeze({dim})",
    refuse={"interpolation != 'linear'": "take the k-th value of ops.sort"},
    samples=["(f(3, 4), 0.3)", "(f(3, 4), 0.6, dim=1, keepdim=True)", "(f(5, 4), 0.5, 0)"],
    differs={"name": "MindSpore's own ops.quantile has no kernel for the CPU."},
)
both(
    "nanquantile(input, q, dim=None, keepdim=False, *, interpolation='linear')",
    "ops.nanquantile({input}, {q}, axis={dim}, keepdims={keepdim})",
    refuse={"interpolation != 'linear'": "take the k-th value of ops.sort"},
    samples=["(f(3, 5), 0.5)", "(f(3, 5), 0.25, dim=1, keepdim=True)"],
    note="MindSpore 2.10 has no kernel for the CPU.",
)
_INDICES = {"dtype": "MindSpore's indices are int32 on the CPU."}
_PLACES = {"dtype": "MindSpore's positions are int32."}
both(
    "kthvalue(input, k, dim=-1, keepdim=False)",
    Case(
        "tuple(part.narrow({dim}, {k} - 1, 1) for part in ops.sort({input}, {dim}))",
        when="keepdim",
    ),
    "tuple(part.narrow({dim}, {k} - 1, 1).squeeze({dim}) for part in ops.sort({input}, {dim}))",
    samples=["(f(3, 4), 2)", "(f(3, 4), 1, 0, True)"],
    differs={**_INDICES, "name": "MindSpore's own method has no kernel for the CPU."},
)
both(
    "topk(input, k, dim=-1, largest=True, sorted=True)",
    "ops.topk({input}, {k}, dim={dim}, largest={largest}, sorted={sorted})",
    samples=["(f(3, 6), 2)", "(f(3, 6), 2, dim=0)", "(f(3, 6), k=3, dim=1, largest=False)"],
    differs=_INDICES,
)
both(
    "sort(input, dim=-1, descending=False, stable=False)",
    "ops.sort({input}, {dim}, descending={descending})",
    method="ops.sort({self}, {dim}, descending={descending})",
    samples=["(f(3, 6))", "(f(3, 6), 0)", "(f(3, 6), dim=1, descending=True)"],
    ignore="stable",
    differs=_INDICES,
)
both(
    "argsort(input, dim=-1, descending=False, stable=False)",
    "ops.argsort({input}, {dim}, descending={descending})",
    method="ops.argsort({self}, {dim}, descending={descending})",
    samples=["(f(3, 6).detach())", "(f(3, 6).detach(), dim=0, descending=True)"],
    ignore="stable",
    out=False,
    differs=_INDICES,
)
both("msort(input)", "ops.sort({input}, 0)[0]", samples=["(f(3, 4))"])
for _name in ("torch.mode", "torch.Tensor.mode"):
    missing(_name, "MindSpore has no mode; count with ops.bincount or ops.unique_consecutive")

# ---------------------------------------------------------------- cumulative

both(
    "cumsum(input, dim, dtype=None)",
    Case("ops.cumsum({input}.astype({dtype}), {dim})", when="dtype is not None"),
    "ops.cumsum({input}, {dim})",
    method=[
        Case("{self}.astype({dtype}).cumsum({dim})", when="dtype is not None"),
        "{self}.cumsum({dim})",
    ],
    samples=["(f(3, 4), 1)", "(i(5, 3, 4), dim=0)", "(i(5, 3, 4), 0, dtype=torch.float32)"],
    in_place="copy",
)
both(
    "cumprod(input, dim, dtype=None)",
    Case("ops.cumprod({input}.astype({dtype}), {dim})", when="dtype is not None"),
    "ops.cumprod({input}, {dim})",
    method=[
        Case("{self}.astype({dtype}).cumprod({dim})", when="dtype is not None"),
        "{self}.cumprod({dim})",
    ],
    samples=["(f(3, 4), 1)"],
    in_place="copy",
)
both("logcumsumexp(input, dim)", "ops.logcumsumexp({input}, {dim})", samples=["(f(3, 4), 1)"])
both(
    "logsumexp(input, dim, keepdim=False)",
    "ops.logsumexp({input}, {dim}, keepdim={keepdim})",
    samples=["(f(3, 4), 1)", "(f(3, 4), dim=0, keepdim=True)", "(f(2, 3, 4), (0, 1))"],
)
for _name in ("softmax", "log_softmax"):
    both(
        f"{_name}(input, dim, dtype=None)",
        Case(f"ops.{_name}({{input}}.astype({{dtype}}), {{dim}})", when="dtype is not None"),
        f"ops.{_name}({{input}}, {{dim}})",
        method=[
            Case(f"ops.{_name}({{self}}.astype({{dtype}}), {{dim}})", when="dtype is not None"),
            "{self}.softmax({dim})" if _name == "softmax" else "ops.log_softmax({self}, {dim})",
        ],
        out=False,
        samples=["(f(3, 4), -1)", "(f(3, 4), dim=0)", "(f(3, 4), 1, dtype=torch.float64)"],
    )
both(
    "diff(input, n=1, dim=-1, prepend=None, append=None)",
    Case(
        "ops.diff(ops.diff({input}, axis={dim}, prepend={prepend}, append={append}), axis={dim})",
        when="n == 2",
    ),
    "ops.diff({input}, axis={dim}, prepend={prepend}, append={append})",
    refuse={"n not in (1, 2)": "take the difference several times"},
    differs={"n": "MindSpore knows n=1 only."},
    samples=["(f(3, 4))", "(f(3, 4), n=2, dim=0)", "(f(3, 4), prepend=f(3, 1))"],
)
for _name in ("trapz", "trapezoid"):
    rule(
        f"torch.{_name}(y, x=None, *, dx=1.0, dim=-1)",
        "ops.trapz({y}, x={x}, dx=float({dx}), dim={dim})",
        samples=["(f(3, 4))", "(f(3, 4), torch.arange(4.0), dim=1)", "(f(3, 4), dx=0.5, dim=0)"],
    )
_HALF = (
    "ops.cumsum(({y}.narrow({dim}, 1, {y}.shape[{dim}] - 1) + "
    "{y}.narrow({dim}, 0, {y}.shape[{dim}] - 1)) * %s / 2, {dim})"
)
rule(
    "torch.cumulative_trapezoid(y, x=None, *, dx=1, dim=-1)",
    Case(_HALF % "{dx}", when="x is None"),
    _HALF % "ops.diff({x}, axis={dim})",
    samples=["(f(3, 4))", "(f(3, 4), f(3, 4), dim=0)"],
)

# ---------------------------------------------------------------- norms

_VECTOR = "ops.vector_norm({input}, ord={p}, axis={dim}, keepdims={keepdim})"
_FLAT = "ops.vector_norm({input}, ord=2, axis={dim}, keepdims={keepdim})"
_NUCLEAR = "ops.matrix_norm({input}, ord='nuc', keepdims={keepdim})"
both(
    "norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)",
    Case(_NUCLEAR, when="p == 'nuc'"),
    Case(_FLAT, when="p == 'fro' or p is None"),
    _VECTOR,
    refuse={"dtype is not None": "cast the input", "out is not None": "assign the result"},
    out=False,
    samples=[
        "(f(3, 4))", "(f(3, 4), 2)", "(f(3, 4), dim=1)", "(f(3, 4), 1, 1, True)",
        "(f(3, 4), p=2, dim=(0, 1))", "(f(3, 4), p=math.inf)", "(f(3, 4), 3, 1)",
    ],
    differs={"ord": "ops.norm follows linalg.norm: ord=2 of a matrix is its largest singular "
             "value, torch.norm's p=2 the root of the sum of squares."},
)  # fmt: skip
both(
    "renorm(input, p, dim, maxnorm)",
    "{input} * ops.clamp({maxnorm} / (ops.vector_norm({input}, ord={p}, axis=tuple(k for k in "
    "range({input}.ndim) if k != {dim}), keepdims=True) + 1e-07), max=1.0)",
    samples=["(f(3, 4), 2, 0, 1.0)"],
    in_place="copy",
)
both("dist(input, other, p=2)", "ops.vector_norm({input} - {other}, ord={p})",
     samples=["(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), 1)"], out=False)  # fmt: skip
rule("torch.frobenius_norm(input, dim, keepdim=False)",
     "ops.vector_norm({input}, ord=2, axis={dim}, keepdims={keepdim})",
     samples=["(f(3, 4), (0, 1))"])  # fmt: skip
rule("torch.nuclear_norm(input, keepdim=False)",
     "ops.matrix_norm({input}, ord='nuc', keepdims={keepdim})", samples=["(f(3, 3))"])  # fmt: skip

# ---------------------------------------------------------------- counting

_SORTED = "ops.sort({input}.ravel())[0]"
_UNIQUE = f"ops.unique_consecutive({_SORTED})"
_NO_AXIS = {"dim is not None": "MindSpore's kernels of unique along an axis are Ascend's"}
for _ours, _head in (("torch.unique(input", "{input}"), ("torch.Tensor.unique(self", "{self}")):
    rule(
        f"{_ours}, sorted=True, return_inverse=False, return_counts=False, dim=None)",
        Case(
            "(lambda found, flat: (found[0], ops.searchsorted(found[0], flat), "
            "found[-1].astype(ms.int64)))"
            f"(ops.unique_consecutive({_SORTED}, return_counts=True), {{input}})".replace(
                "{input}", _head
            ),
            when="return_inverse and return_counts",
        ),
        Case(
            f"(lambda found, all: (found, ops.searchsorted(found, all)))({_UNIQUE}, {{input}})"
            .replace("{input}", _head),
            when="return_inverse",
        ),
        Case(
            "(lambda found: (found[0], found[-1].astype(ms.int64)))"
            f"(ops.unique_consecutive({_SORTED}, return_counts=True))".replace("{input}", _head),
            when="return_counts",
        ),
        _UNIQUE.replace("{input}", _head),
        refuse=_NO_AXIS,
        ignore="sorted",
        differs={"name": "MindSpore's ops.unique does not sort and always gives a pair."},
        samples=[
            "(i(5, 12))",
            "(i(5, 3, 4), return_counts=True)",
            "(i(5, 3, 4), return_inverse=True)",
            "(i(5, 3, 4), return_inverse=True, return_counts=True)",
        ],
    )  # fmt: skip
both(
    "unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)",
    "ops.unique_consecutive({input}, return_inverse={return_inverse}, "
    "return_counts={return_counts}, dim={dim})",
    out=False,
    samples=["(i(2, 12))", "(i(2, 12), return_counts=True)"],
    differs=_PLACES,
)
both(
    "bincount(input, weights=None, minlength=0)",
    Case("ops.bincount({input}, minlength={minlength}).astype(ms.int64)", when="weights is None"),
    "ops.bincount({input}, weights={weights?}, minlength={minlength})",
    out=False,
    samples=["(i(5, 12))", "(i(5, 12), minlength=8)", "(i(5, 12), i(5, 12) * 0.5)"],
    differs={"dtype": "MindSpore counts in float32."},
)
both(
    "histc(input, bins=100, min=0, max=0)",
    "ops.histc({input}, bins={bins}, min=float({min}), max=float({max}))",
    samples=["(f(30).detach(), 5, -2, 2)"],
)
rule(
    "torch.searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, "
    "sorter=None, out=None)",
    "ops.searchsorted({sorted_sequence}, {input}, out_int32={out_int32}, "
    "right={right} or {side} == 'right')",
    refuse={**OUT, "sorter is not None": "sort the sequence first"},
    samples=[
        "(u(9).detach().cumsum(0), f(3, 4).detach())",
        "(u(9).detach().cumsum(0), p(4).detach(), right=True)",
    ],
)
rule(
    "torch.bucketize(input, boundaries, *, out_int32=False, right=False, out=None)",
    Case("ops.searchsorted({boundaries}, {input}, out_int32=True, right={right})",
         when="out_int32"),
    "ops.searchsorted({boundaries}, {input}, right={right})",
    refuse=OUT,
    differs={"dtype": "MindSpore's ops.bucketize gives int32."},
    samples=["(f(3, 4).detach(), u(3).detach().cumsum(0))"],
)  # fmt: skip
both(
    "cov(input, *, correction=1, fweights=None, aweights=None)",
    "ops.cov({input}, correction={correction}, fweights={fweights}, aweights={aweights})",
    out=False,
    samples=["(f(3, 6))", "(f(3, 6), correction=0)"],
)
_COV = "ops.cov({input})"
both(
    "corrcoef(input)",
    f"(lambda cov: cov / ops.sqrt(ops.outer(ops.diagonal(cov), ops.diagonal(cov))))({_COV})",
    out=False,
    samples=["(f(3, 6))"],
)
for _name in ("histogram", "histogramdd"):
    missing(f"torch.{_name}", "MindSpore has ops.histc with equal bins; use numpy.histogram")
missing("torch.Tensor.histogram", "MindSpore has ops.histc with equal bins; use numpy.histogram")
missing("torch.segment_reduce", "use ops.unsorted_segment_sum with the number of each segment")
missing(
    "torch.gradient",
    "MindSpore has no finite differences in the middle; use ops.diff or numpy.gradient",
)
