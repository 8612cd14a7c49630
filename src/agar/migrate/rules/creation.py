"""Rows of functions that create tensors, of numbers or at random."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, overload, rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import FILL, LIKE, OUT, changed

_KEYS = (
    "dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, out=None, "
    "memory_format=None, generator=None"
)
_SIZES = ["(2, 3)", "((2, 3))", "([2, 3], dtype=torch.int32)", "(4)", "(2, 3, device='cpu')"]

# ---------------------------------------------------------------- filled

for _name in ("zeros", "ones", "empty"):
    _fill = "zeros" if _name == "empty" else _name
    rule(
        f"torch.{_name}(*size: int | tuple, {_KEYS})",
        Case(f"ops.{_fill}({{*size}}, dtype={{dtype}})", when="len(size) == 1"),
        f"ops.{_fill}(({{*size}},), dtype={{dtype}})",
        ignore=FILL,
        others=[
            overload(f"torch.{_name}(size, {_KEYS})", f"ops.{_fill}({{size}}, dtype={{dtype}})",
                     ignore=FILL),
        ],
        compare="shape" if _name == "empty" else "values",
        samples=_SIZES,
    )  # fmt: skip
    rule(
        f"torch.{_name}_like(input, *, dtype=None, {LIKE.replace(' ', '=None, ')}=None)",
        f"ops.{_fill}_like({{input}}, dtype={{dtype}})",
        ignore=LIKE,
        compare="shape" if _name == "empty" else "values",
        samples=["(f(2, 3).detach())", "(i(5, 2), dtype=torch.float32)"],
    )
_VALUE = {"dtype": "MindSpore's ops.full takes int64 where no dtype is given, also of 0.5."}
rule(
    f"torch.full(size, fill_value, *, {_KEYS})",
    Case("ops.full({size}, {fill_value}, dtype={dtype})", when="dtype is not None", likely=True),
    Case("ops.full({size}, {fill_value}, dtype=ms.bool_)", when="isinstance(fill_value, bool)"),
    Case("ops.full({size}, {fill_value}, dtype=ms.int64)", when="isinstance(fill_value, int)"),
    Case("ops.full({size}, {fill_value}, dtype=ms.float32)",
         when="isinstance(fill_value, float)"),
    "ms.Tensor({fill_value}).broadcast_to({size})",
    ignore=FILL,
    differs=_VALUE,
    samples=["((2, 3), 0.5)", "((2, 3), 2)", "([2], True)", "((2,), -math.inf)",
             "((2, 3), 1, dtype=torch.float32)"],
)  # fmt: skip
rule(
    f"torch.full_like(input, fill_value, *, dtype=None, {LIKE.replace(' ', '=None, ')}=None)",
    "ops.full_like({input}, {fill_value}, dtype={dtype})",
    ignore=LIKE,
    samples=["(f(2, 3).detach(), 0.5)", "(i(4, 2), 3, dtype=torch.float32)"],
)
rule(
    f"torch.eye(n, m=None, *, {_KEYS})",
    Case("ops.eye({n}, m={m?}, dtype={dtype})", when="dtype is not None", likely=True),
    "ops.eye({n}, m={m?}, dtype=ms.float32)",
    ignore=FILL,
    samples=["(3)", "(3, 4)", "(2, dtype=torch.int64)"],
)
for _name in ("tensor", "as_tensor", "asarray"):
    _data = "obj" if _name == "asarray" else "data"
    rule(
        f"torch.{_name}({_data}, *, dtype=None, device=None, requires_grad=False, "
        "pin_memory=False, copy=None)",
        Case(f"ms.Tensor({{{_data}}}, {{dtype}})", when="dtype is not None", likely=True),
        f"ms.Tensor({{{_data}}})",
        ignore="device requires_grad pin_memory copy",
        others=[
            overload(
                f"torch.{_name}(data, dtype, device=None)",
                "ms.Tensor({data}, {dtype})",
                ignore="device",
            )
        ] if _name == "as_tensor" else [],
        samples=["([[1.0, 2.0], [3.0, 4.0]])", "([1, 2])", "(2.5)", "([True, False])",
                 "([1, 2], dtype=torch.float32)", "(3, device='cpu')"],
    )  # fmt: skip
rule("torch.scalar_tensor(s, *, dtype=None, device=None)",
     Case("ms.Tensor({s}, {dtype})", when="dtype is not None", likely=True),
     "ms.Tensor(float({s}))", ignore="device", samples=["(2.5)", "(2)"])  # fmt: skip
rule("torch.from_numpy(ndarray)", "ms.Tensor.from_numpy({ndarray})",
     samples=["(i(5, 3, 2).numpy())"])  # fmt: skip
rule("torch.from_dlpack(ext_tensor, *, device=None, copy=None)",
     "ms.from_dlpack({ext_tensor})", ignore="device copy",
     note="Or through numpy: ms.Tensor(np.from_dlpack(x)).")  # fmt: skip
rule("torch.to_dlpack(tensor)", "ms.to_dlpack({tensor})",
     note="Or through numpy.")  # fmt: skip
rule(
    "torch.frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)",
    "ms.Tensor(np.frombuffer({buffer}, ms.dtype_to_nptype({dtype}), {count}, {offset}))",
    ignore="requires_grad",
    samples=["(bytearray(b'abcd'), dtype=torch.int8)"],
)
rule(
    f"torch.arange(start: number, end: number, step: number=1, *, {_KEYS})",
    Case("ops.arange({start}, {end}, {step}, dtype={dtype})", when="dtype is not None",
         likely=True),
    Case("ops.arange({start}, {end})", when="step == 1"),
    "ops.arange({start}, {end}, {step})",
    ignore=FILL,
    others=[
        overload(
            f"torch.arange(end: number, *, {_KEYS})",
            Case("ops.arange({end}, dtype={dtype})", when="dtype is not None", likely=True),
            "ops.arange({end})",
            ignore=FILL,
        )
    ],
    samples=["(5)", "(1, 7)", "(1, 7, 2)", "(0.0, 1.0, 0.25)", "(5, dtype=torch.float32)",
             "(2, 5, dtype=torch.int32)", "(end=4)", "(4.0)"],
    differs={"dtype": "MindSpore's numbers are float32 or int64, as PyTorch's."},
)  # fmt: skip
rule(
    f"torch.range(start, end, step=1, *, {_KEYS})",
    "ops.arange(float({start}), float({end}) + float({step}) / 2, float({step}))",
    ignore=FILL,
    refuse={"dtype is not None": "cast the result"},
    samples=["(1, 5)", "(0, 2, 0.5)"],
)
for _name, _more in (("linspace", ""), ("logspace", ", base=10.0")):
    _base = ", {base}" if _more else ""
    rule(
        f"torch.{_name}(start, end, steps{_more}, *, {_KEYS})",
        Case(
            f"ops.{_name}(float({{start}}), float({{end}}), {{steps}}{_base}).astype({{dtype}})",
            when="dtype is not None",
        ),
        f"ops.{_name}(float({{start}}), float({{end}}), {{steps}})"
        if not _more
        else "{base} ** ops.linspace(float({start}), float({end}), {steps})",
        ignore=FILL,
        refuse={"dtype is not None": "cast the result"} if _more else {},
        samples=["(0, 1, 5)", "(-1.0, 1.0, steps=4)"],
    )
_LENGTH = "ms.Tensor({window_length}, ms.int32)"
for _name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
    _more = {"hamming": ", alpha=0.54, beta=0.46", "kaiser": ", beta=12.0"}.get(_name, "")
    _own = {"hamming": ", alpha={alpha}, beta={beta}", "kaiser": ", beta=float({beta})"}.get(
        _name, ""
    )
    _size = "{window_length}" if _name in ("hann", "hamming", "kaiser") else _LENGTH
    rule(
        f"torch.{_name}_window(window_length, periodic=True{_more}, *, {_KEYS})",
        Case(f"ops.{_name}_window({_size}, {{periodic}}{_own}, dtype={{dtype}})",
             when="dtype is not None", likely=True),
        f"ops.{_name}_window({_size}, {{periodic}}{_own}, dtype=ms.float32)",
        ignore=FILL,
        samples=["(8)", "(8, False)"],
    )  # fmt: skip
rule(
    "torch.vander(x, N=None, increasing=False)",
    Case("{x}.expand_dims(-1) ** ops.arange({x}.shape[0] if {N} is None else {N})",
         when="increasing"),
    "{x}.expand_dims(-1) ** ops.flip(ops.arange({x}.shape[0] if {N} is None else {N}), (0,))",
    samples=["(p(4).detach())", "(p(4).detach(), 3, increasing=True)"],
)  # fmt: skip
for _name in ("empty_strided", "empty_permuted", "empty_quantized"):
    missing(f"torch.{_name}", "MindSpore's tensors have no strides of their own; use ops.zeros")
for _name in ("sparse_coo_tensor", "sparse_csr_tensor", "sparse_csc_tensor", "sparse_bsr_tensor",
              "sparse_bsc_tensor", "sparse_compressed_tensor"):  # fmt: skip
    missing(f"torch.{_name}", "sparse tensors are classes: ms.COOTensor and ms.CSRTensor")
missing("torch.from_file", "use ms.Tensor(np.memmap(...))")

# ---------------------------------------------------------------- random

_DRAWN = {"generator is not None": "MindSpore draws from the generator of ms.set_seed"}
_RANDOM = "dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, out=None"
_IGNORED = "layout device requires_grad pin_memory"
for _name in ("rand", "randn"):
    rule(
        f"torch.{_name}(*size: int | tuple, generator=None, {_RANDOM})",
        f"ops.{_name}({{*size}}, dtype={{dtype}})",
        ignore=_IGNORED,
        refuse={**_DRAWN, **OUT},
        others=[
            overload(
                f"torch.{_name}(size, *, generator=None, {_RANDOM})",
                f"ops.{_name}({{size}}, dtype={{dtype}})",
                ignore=_IGNORED,
                refuse={**_DRAWN, **OUT},
            )
        ],
        compare="moments",
        samples=["(300, 40)", "((300, 40))", "(5000, dtype=torch.float64)"],
    )
    rule(
        f"torch.{_name}_like(input, *, dtype=None, {LIKE.replace(' ', '=None, ')}=None, "
        "generator=None)",
        Case(
            f"ops.{_name}_like({{input}}, dtype={{dtype}})", when="dtype is not None", likely=True
        ),
        f"ops.{_name}_like({{input}}, dtype={{input}}.dtype)",
        ignore=LIKE,
        refuse=_DRAWN,
        compare="moments",
        samples=["(f(300, 40).detach())"],
    )
rule(
    f"torch.randint(low: number, high: number, size: tuple, *, generator=None, {_RANDOM})",
    Case("ops.randint({low}, {high}, {size}, dtype={dtype})", when="isinstance(size, tuple)"),
    "ops.randint({low}, {high}, tuple({size}), dtype={dtype})",
    ignore=_IGNORED,
    refuse={**_DRAWN, **OUT},
    others=[
        overload(
            f"torch.randint(high: number, size: tuple, *, generator=None, {_RANDOM})",
            Case("ops.randint(0, {high}, {size}, dtype={dtype})", when="isinstance(size, tuple)"),
            "ops.randint(0, {high}, tuple({size}), dtype={dtype})",
            ignore=_IGNORED,
            refuse={**_DRAWN, **OUT},
        )
    ],
    compare="moments",
    samples=["(0, 9, (300, 40))", "(9, (3000,))", "(2, 5, [3000], dtype=torch.int32)"],
)
rule(
    f"torch.randint_like(input, low: int, high: int, *, dtype=None, "
    f"{LIKE.replace(' ', '=None, ')}=None)",
    "ops.randint_like({input}, {low}, {high}, dtype={dtype})",
    ignore=LIKE,
    others=[
        overload(
            f"torch.randint_like(input, high: int, *, dtype=None, "
            f"{LIKE.replace(' ', '=None, ')}=None)",
            "ops.randint_like({input}, 0, {high}, dtype={dtype})",
            ignore=LIKE,
        )
    ],
    compare="moments",
    samples=["(i(5, 3000), 2, 9)", "(i(5, 3000), 9)"],
)
rule(
    f"torch.randperm(n, *, generator=None, {_RANDOM})",
    Case("ops.randperm({n}).astype({dtype})", when="dtype is not None", likely=True),
    "ops.randperm({n})",
    ignore=_IGNORED,
    refuse={**_DRAWN, **OUT},
    compare="moments",
    samples=["(5)", "(2000)"],
)
rule(
    "torch.normal(mean: number, std: number, size, *, generator=None, dtype=None, layout=None, "
    "device=None, requires_grad=False, pin_memory=False, out=None)",
    "ops.normal({size}, {mean}, {std})",
    ignore=_IGNORED,
    refuse={**_DRAWN, **OUT, "dtype is not None": "cast the result"},
    others=[
        overload(
            "torch.normal(mean: Tensor, std: number=1.0, *, generator=None, out=None)",
            "{mean} + {std} * ops.randn_like({mean})",
            refuse={**_DRAWN, **OUT},
        ),
        overload(
            "torch.normal(mean, std: Tensor, *, generator=None, out=None)",
            "{mean} + {std} * ops.randn_like({std})",
            refuse={**_DRAWN, **OUT},
        ),
    ],
    compare="moments",
    samples=["(1.0, 2.0, (300, 40))", "(torch.zeros(3000), 2.0)", "(0.5, torch.ones(3000))"],
)
both(
    "bernoulli(input, p=None, *, generator=None)",
    Case("ops.bernoulli({input}, {input})", when="p is None"),
    "ops.bernoulli({input}, {p})",
    method=[
        Case("ops.bernoulli({self}, {self})", when="p is None"),
        "ops.bernoulli({self}, {p})",
    ],
    refuse=_DRAWN,
    compare="moments",
    samples=["(u(300, 40).detach())", "(u(300, 40).detach(), 0.2)"],
    differs={"p": "MindSpore's p is 0.5 by default; PyTorch's input are the probabilities."},
)
both(
    "multinomial(input, num_samples, replacement=False, *, generator=None)",
    "ops.multinomial({input}, {num_samples}, {replacement}).astype(ms.int64)",
    method="ops.multinomial({self}, {num_samples}, {replacement}).astype(ms.int64)",
    refuse=_DRAWN,
    compare="shape",
    samples=["(u(3, 5).detach(), 2)", "(u(5).detach(), 8, replacement=True)"],
    differs={"replacement": "MindSpore's default is True, PyTorch's False."},
)
rule(
    "torch.poisson(input, generator=None)",
    "ops.random_poisson(ms.Tensor((1,)), {input})[0]",
    refuse=_DRAWN,
    compare="moments",
    samples=["(torch.full((3000,), 2.0))"],
)
rule(
    "torch.binomial(count, prob, generator=None)",
    "ops.stack([ops.bernoulli(ops.ones_like({prob}), {prob}) * (n < {count}) "
    "for n in range(int({count}.max()))]).sum(0)",
    refuse=_DRAWN,
    compare="moments",
    samples=["(torch.full((3000,), 5.0), torch.full((3000,), 0.4))"],
)
for _name in ("alpha_dropout", "feature_alpha_dropout", "feature_dropout", "dropout"):
    if _name == "dropout":
        rule("torch.dropout(input, p, train)", "ops.dropout({input}, p={p}, training={train})",
             compare="shape", samples=["(f(3, 4), 0.5, True)"])  # fmt: skip
        rule("torch.dropout_(input, p, train)",
             changed("ops.dropout({input}, p={p}, training={train})", "input"),
             compare="shape", samples=["(f(3, 4), 0.5, True)"])  # fmt: skip
        continue
    for _ending in ("", "_"):
        missing(f"torch.{_name}{_ending}", "use the function of the same name of nn.functional")
missing("torch.native_dropout", "use ops.dropout; the mask is not given")
rule("torch.manual_seed(seed)", "ms.set_seed({seed})", compare="shape",
     differs={"numbers": "The same seed gives other numbers than PyTorch's."})  # fmt: skip
rule("torch.random.manual_seed(seed)", "ms.set_seed({seed})")
rule("torch.seed()", "ms.set_seed(np.random.randint(2 ** 31))",
     note="PyTorch's gives the new seed back.")  # fmt: skip
rule("torch.initial_seed()", "ms.get_seed()", compare="shape")
rule("torch.get_rng_state()", "ms.get_rng_state()", compare="shape")
rule("torch.set_rng_state(new_state)", "ms.set_rng_state({new_state})")
