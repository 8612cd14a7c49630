"""Rows of functions that change the form of tensors, join them and take them apart."""

from __future__ import annotations

from agar.migrate.rules._declare import overload, rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import OUT

# ---------------------------------------------------------------- form

both(
    "reshape(input, shape)",
    "ops.reshape({input}, {shape})",
    method=None,
    out=False,
    samples=["(f(3, 4), (2, 6))", "(f(3, 4), [-1])"],
)
for _name, _sizes, _samples in (
    ("reshape", "shape", ("(f(3, 4), 2, 6)", "(f(3, 4), (2, -1))", "(f(3, 4), shape=(-1,))")),
    ("view", "size", ("(f(3, 4), 2, 6)", "(f(3, 4), (2, -1))", "(f(3, 4), -1)")),
    ("permute", "dims", ("(f(2, 3, 4), 0, 2, 1)", "(f(2, 3, 4), (2, -3, 1))",
                         "(f(2, 3, 4), dims=(0, 2, 1))")),
    ("expand", "size", ("(f(3, 1), 3, 4)", "(f(2, 1, 4), -1, 3, -1)", "(f(3, 1), (2, 3, 4))")),
):  # fmt: skip
    rule(
        f"torch.Tensor.{_name}(self, *{_sizes}: int | tuple)",
        f"{{self}}.{_name}({{*{_sizes}}})",
        others=(
            [overload("torch.Tensor.view(self, dtype: dtype)", "{self}.view({dtype})")]
            if _name == "view"
            else []
        ),
        samples=_samples,
        differs={"memory": "MindSpore's view wants contiguous memory, as PyTorch's does."}
        if _name == "view"
        else {},
    )
rule("torch.permute(input, dims)", "ops.permute({input}, {dims})",
     samples=["(f(2, 3, 4), (0, 2, 1))"])  # fmt: skip
for _name, _sizes in (("repeat", "repeats"), ("tile", "dims")):
    rule(
        f"torch.Tensor.{_name}(self, *{_sizes}: int | tuple)",
        Case(
            f"{{self}}.tile({{*{_sizes}}})",
            when=f"len({_sizes}) == 1 and isinstance({_sizes}[0], (tuple, list))",
        ),
        f"{{self}}.tile(({{*{_sizes}}},))",
        samples=["(f(2, 3), 2, 1)", "(f(2, 3), (1, 2, 1))", f"(f(3), {_sizes}=(2, 2))"],
        differs={"name": "MindSpore's own repeat is numpy's, and has no kernel for the CPU."},
    )
rule("torch.tile(input, dims)", "ops.tile({input}, tuple({dims}))",
     samples=["(f(2, 3), (2, 1))", "(f(3), (2, 2))"])  # fmt: skip
both("broadcast_to(input, size)", "ops.broadcast_to({input}, {size})", out=False,
     samples=["(f(3, 1), (2, 3, 4))", "(f(3, 1), (-1, 4))"])  # fmt: skip
rule("torch.Tensor.expand_as(self, other)", "{self}.expand_as({other})",
     samples=["(f(3, 1), f(2, 3, 4))"])  # fmt: skip
rule("torch.Tensor.view_as(self, other)", "{self}.view_as({other})",
     samples=["(f(3, 4), f(2, 6))"])  # fmt: skip
rule("torch.Tensor.reshape_as(self, other)", "{self}.reshape({other}.shape)",
     samples=["(f(3, 4), f(2, 6))"])  # fmt: skip
both("ravel(input)", "ops.ravel({input})", samples=["(f(3, 4))"], out=False)
both(
    "flatten(input, start_dim=0, end_dim=-1)",
    "ops.flatten({input}, start_dim={start_dim}, end_dim={end_dim})",
    method="{self}.flatten(start_dim={start_dim}, end_dim={end_dim})",
    out=False,
    samples=["(f(2, 3, 4))", "(f(2, 3, 4), 1)", "(f(2, 3, 4), 0, 1)"],
    differs={"start_dim": "MindSpore's functions begin with axis 1, PyTorch's with axis 0."},
)
_UNFLAT = "{input}.reshape({input}.shape[:{dim}] + tuple({sizes}) + {input}.shape[{dim} + 1:])"
both(
    "unflatten(input, dim, sizes)",
    Case(
        _UNFLAT.replace("[{dim} + 1:]", "[len({input}.shape) + {dim} + 1:]"),
        when="isinstance(dim, int) and dim < 0",
    ),
    _UNFLAT,
    out=False,
    samples=["(f(2, 12, 5), 1, (3, 4))", "(f(2, 12), -1, (3, -1))"],
)
both(
    "squeeze(input, dim=None)",
    Case("ops.squeeze({input})", when="dim is None"),
    "ops.squeeze({input}, {dim})",
    method=[Case("{self}.squeeze()", when="dim is None"), "{self}.squeeze({dim})"],
    out=False,
    samples=["(f(2, 1, 4))", "(f(2, 1, 4), 1)", "(f(2, 1, 4), 0)", "(f(1, 1, 4), (0, 1))"],
)
both("unsqueeze(input, dim)", "ops.unsqueeze({input}, {dim})", out=False,
     samples=["(f(2, 3), 1)", "(f(2, 3), dim=-1)"])  # fmt: skip
for _name in ("transpose", "swapaxes", "swapdims"):
    _axes = "axis0, axis1" if _name == "swapaxes" else "dim0, dim1"
    _names = ", ".join(f"{{{axis}}}" for axis in _axes.split(", "))
    both(
        f"{_name}(input, {_axes})",
        f"ops.swapaxes({{input}}, {_names})",
        out=False,
        samples=["(f(2, 3, 4), 1, 2)", "(f(2, 3, 4), 0, -1)"],
        differs={"name": "MindSpore's transpose takes a whole permutation, numpy's."},
    )
for _name in ("movedim", "moveaxis"):
    both(
        f"{_name}(input, source, destination)",
        f"ops.{_name}({{input}}, {{source}}, {{destination}})",
        out=False,
        samples=["(f(2, 3, 4), 0, 2)", "(f(2, 3, 4), (0, 1), (2, 0))"],
    )
both("t(input)", "ops.t({input})", samples=["(f(2, 3))", "(f(3))"], out=False)
rule("torch.adjoint(input)", "ops.adjoint({input})", samples=["(c(2, 3))"])
rule("torch.Tensor.adjoint(self)", "{self}.adjoint()", samples=["(c(2, 3))"])
for _name, _template, _sample in (
    ("T", "{self}.T", "(f(2, 3))"),
    ("mT", "{self}.swapaxes(-2, -1)", "(f(2, 3, 4))"),
    ("mH", "ops.conj({self}.swapaxes(-2, -1))", "(c(2, 3, 4))"),
    ("H", "ops.conj({self}.swapaxes(0, 1))", "(c(2, 3))"),
):
    rule(f"torch.Tensor.{_name}(self)", _template, samples=[_sample])
for _name in ("atleast_1d", "atleast_2d", "atleast_3d"):
    rule(
        f"torch.{_name}(*tensors)",
        Case(f"ops.{_name}({{*tensors}})", when="len(tensors) == 1"),
        f"ops.{_name}([{{*tensors}}])",
        samples=["(f(3))", "(f(3), f(2, 2))"],
    )
both("view_as_real(input)", "ops.view_as_real({input})", function=False, samples=["(c(3))"],
     method=None)  # fmt: skip
rule(
    "torch.Tensor.sum_to_size(self, *size)",
    "{self}.sum_to_size({*size})",
    samples=["(f(3, 4), 1, 4)"],
)
for _name, _fixed in (("flip", None), ("fliplr", "(1,)"), ("flipud", "(0,)")):
    if _fixed:
        both(f"{_name}(input)", f"ops.flip({{input}}, {_fixed})", samples=["(f(2, 3))"], out=False)
rule("torch.flip(input, dims)", "ops.flip({input}, {dims})",
     samples=["(f(2, 3), (0,))", "(f(2, 3), [0, 1])"])  # fmt: skip
rule(
    "torch.Tensor.flip(self, *dims: int | tuple)",
    Case("{self}.flip({*dims})", when="len(dims) == 1 and isinstance(dims[0], (tuple, list))"),
    "{self}.flip(({*dims},))",
    samples=["(f(2, 3), 0)", "(f(2, 3), (0, 1))", "(f(2, 3), 1, 0)", "(f(2, 3), dims=(1,))"],
)
both("rot90(input, k=1, dims=[0, 1])", "ops.rot90({input}, {k}, {dims})", out=False,
     samples=["(f(2, 3))", "(f(2, 3, 4), 3, [1, 2])"])  # fmt: skip


def _rolled(text: str, shift: str, axis: str) -> str:
    size = f"{text}.shape[{axis}]"
    return f"ops.gather({text}, (ops.arange({size}) - {shift}) % {size}, {axis})"


def _rolled_all(count: int) -> str:
    text = "{input}"
    for n in range(count):
        size = f"{{input}}.shape[{{dims}}[{n}]]"
        text = f"ops.gather({text}, (ops.arange({size}) - {{shifts}}[{n}]) % {size}, {{dims}}[{n}])"
    return text


_LONG = "isinstance(dims, (tuple, list)) and len(dims) == %d"
both(
    "roll(input, shifts, dims=None)",
    *(Case(_rolled_all(n), when=_LONG % n) for n in (1, 2, 3)),
    Case(_rolled("{input}.ravel()", "{shifts}", "0") + ".reshape({input}.shape)",
         when="dims is None or dims == ()"),
    _rolled("{input}", "{shifts}", "{dims}"),
    out=False,
    refuse={"isinstance(dims, (tuple, list)) and len(dims) > 3": "roll in two steps"},
    samples=["(f(3, 4), 1)", "(f(3, 4), 1, 0)", "(f(3, 4), -1, dims=1)",
             "(f(2, 3, 4), (1, -2), (1, 2))", "(f(2, 3), [1], [0])"],
    differs={"name": "MindSpore's own ops.roll has no kernel for the CPU."},
)  # fmt: skip
for _ours, _it in (
    ("torch.repeat_interleave(input", "{input}"),
    ("torch.Tensor.repeat_interleave(self", "{self}"),
):
    rule(
        f"{_ours}, repeats, dim=None, *, output_size=None)",
        Case(f"ops.repeat_interleave({_it}, {{repeats}})", when="dim is None"),
        f"ops.repeat_interleave({_it}, {{repeats}}, {{dim}})",
        ignore="output_size",
        samples=["(f(2, 3), 2)", "(f(2, 3), 2, dim=1)", "(f(2, 3), repeats=3, dim=0)"],
    )  # fmt: skip

# ---------------------------------------------------------------- apart

for _name in ("split", "unsafe_split"):
    for _ours, _it in (
        (f"torch.{_name}(tensor", "{tensor}"),
        (f"torch.Tensor.{_name}(self", "{self}"),
    ):
        _call = f"ops.split({_it}, " if "Tensor" not in _ours else f"{_it}.split("
        rule(
            f"{_ours}, split_size_or_sections, dim=0)"
            if "Tensor" not in _ours
            else f"{_ours}, split_size, dim=0)",
            (_call + "{split_size_or_sections}, {dim})")
            if "Tensor" not in _ours
            else _call + "{split_size}, {dim})",
            samples=["(f(5, 4), 2)", "(f(2, 6), 4, 1)", "(f(2, 6), [1, 2, 3], dim=-1)"]
            if _name == "split"
            else ["(f(5, 4), 2)", "(f(2, 6), 4, 1)"],
            differs={"split_size_or_sections": "PyTorch and ops.split count elements of a part; "
                     "the primitive ops.Split counts parts."},
        )  # fmt: skip
for _name in ("split_with_sizes", "unsafe_split_with_sizes"):
    both(f"{_name}(input, split_sizes, dim=0)", "ops.split({input}, {split_sizes}, {dim})",
         out=False, samples=["(f(6, 4), [1, 2, 3])", "(f(2, 6), (4, 2), 1)"])  # fmt: skip
for _name in ("chunk", "unsafe_chunk"):
    both(
        f"{_name}(input, chunks, dim=0)",
        "ops.chunk({input}, {chunks}, {dim})",
        out=False,
        samples=["(f(6, 4), 2)", "(f(2, 6), 3, dim=1)", "(f(7), 3)", "(f(2, 6), 2, -1)"],
    )
for _name, _dims, _samples in (
    ("tensor_split", ", dim=0", ["(f(7, 4), 3)", "(f(2, 6), (1, 4), 1)", "(f(7, 4), sections=2)"]),
    *((_name, "", ["(f(4, 4, 4), 2)", "(f(4, 4, 4), (1, 3))", "(f(4, 4, 4), indices=[1])"])
      for _name in ("hsplit", "vsplit", "dsplit")),
):  # fmt: skip
    _axis = ", {dim}" if _dims else ""
    both(
        f"{_name}(input, indices_or_sections{_dims})",
        f"ops.{_name}({{input}}, {{indices_or_sections}}{_axis})",
        out=False,
        others=[
            (f"{_name}(input, {_word}{_dims})", f"ops.{_name}({{input}}, {{{_word}}}{_axis})")
            for _word in ("sections", "indices")
        ],
        samples=_samples,
    )
both("unbind(input, dim=0)", "ops.unbind({input}, {dim})", out=False,
     samples=["(f(3, 4))", "(f(3, 4), 1)"])  # fmt: skip
both("narrow(input, dim, start, length)", "ops.narrow({input}, {dim}, {start}, {length})",
     out=False, samples=["(f(3, 4), 1, 1, 2)"])  # fmt: skip
both("narrow_copy(input, dim, start, length)",
     "ops.narrow({input}, {dim}, {start}, {length}).copy()", out=False,
     samples=["(f(3, 4).detach(), 1, 1, 2)"])  # fmt: skip
both(
    "select(input, dim, index)",
    "ops.gather({input}, ms.Tensor({index} % {input}.shape[{dim}]), {dim})",
    method="ops.gather({self}, ms.Tensor({index} % {self}.shape[{dim}]), {dim})",
    out=False,
    samples=["(f(3, 4), 1, 2)", "(f(3, 4), 0, -1)"],
    differs={
        "name": "MindSpore's ops.select chooses between two tensors; its method select is "
        "PyTorch's, and has no gradient on the CPU."
    },
)
_ROWS = "ops.stack([{self}.narrow({dimension}, n, {size}).swapaxes({dimension}, -1) for n in "
rule(
    "torch.Tensor.unfold(self, dimension, size, step)",
    "ops.stack([ops.movedim({self}.narrow({dimension}, n, {size}), {dimension}, -1) for n in "
    "range(0, {self}.shape[{dimension}] - {size} + 1, {step})], {dimension})",
    refuse={"isinstance(dimension, int) and dimension < 0": "count the axis from the front"},
    samples=["(f(7), 0, 3, 2)", "(f(2, 7, 3), 1, 2, 1)"],
    differs={"name": "MindSpore's own method unfold is PyTorch's nn.functional.unfold."},
)

# ---------------------------------------------------------------- together

_LISTS = ["([f(2, 3), f(2, 3)])", "((f(2, 3), f(2, 3)), 1)", "([f(2, 3), f(2, 3)], dim=-1)"]
for _name in ("cat", "concat", "concatenate"):
    rule(
        f"torch.{_name}(tensors, dim=0, *, out=None)",
        Case("ops.cat({tensors}, axis={axis})", when="axis is not None")
        if _name == "never"
        else "ops.cat({tensors}, axis={dim})",
        refuse=OUT,
        samples=_LISTS,
        differs={"tensors": "MindSpore joins tensors of one dtype only on the CPU."},
    )
rule("torch.stack(tensors, dim=0, *, out=None)", "ops.stack({tensors}, axis={dim})", refuse=OUT,
     samples=_LISTS)  # fmt: skip
for _name in ("hstack", "vstack", "dstack", "column_stack", "row_stack"):
    rule(
        f"torch.{_name}(tensors, *, out=None)",
        f"ops.{'vstack' if _name == 'row_stack' else _name}({{tensors}})",
        refuse=OUT,
        samples=["([f(2, 3), f(2, 3)])", "((f(3), f(3)),)"],
    )
rule("torch.block_diag(*tensors)", "ops.block_diag({*tensors})",
     samples=["(f(2, 3), f(1, 2))"])  # fmt: skip
rule(
    "torch.meshgrid(tensors: tuple, indexing='ij')",
    "ops.meshgrid({*tensors}, indexing={indexing})",
    others=[
        overload(
            "torch.meshgrid(*tensors: Tensor, indexing='ij')",
            "ops.meshgrid({*tensors}, indexing={indexing})",
        )
    ],
    samples=[
        "(f(3), f(4))",
        "(f(3), f(4), indexing='xy')",
        "(f(3), f(4), indexing='ij')",
        "([f(3), f(4)])",
    ],
    differs={"indexing": "MindSpore's default is 'xy', PyTorch's 'ij'."},
)
rule("torch.cartesian_prod(*tensors)", "ops.cartesian_prod({*tensors})",
     samples=["(f(2), f(3))"])  # fmt: skip
rule(
    "torch.combinations(input, r=2, with_replacement=False)",
    "ops.combinations({input}, r={r}, with_replacement={with_replacement})",
    samples=["(f(4))", "(f(3), 2, True)"],
)
rule(
    "torch.broadcast_tensors(*tensors)",
    "(lambda shape, *all: tuple(ops.broadcast_to(one, shape) for one in all))"
    "(np.broadcast_shapes(*[one.shape for one in [{*tensors}]]), {*tensors})",
    samples=["(f(3, 1), f(4))"],
)
rule("torch.broadcast_shapes(*shapes)", "np.broadcast_shapes({*shapes})",
     samples=["((3, 1), (1, 4))"])  # fmt: skip

# ---------------------------------------------------------------- diagonals and triangles

both(
    "diag(input, diagonal=0)",
    "ops.diagflat({input}, {diagonal}) if {input}.ndim == 1 else ops.diagonal({input}, {diagonal})",
    samples=["(f(3))", "(f(3, 3))", "(f(3, 4), 1)", "(f(3), -1)"],
    differs={"input": "MindSpore's ops.diag always builds a diagonal, also from a matrix."},
)
both("diagflat(input, offset=0)", "ops.diagflat({input}, {offset})", out=False,
     samples=["(f(3))", "(f(2, 2), 1)"])  # fmt: skip
both(
    "diagonal(input, offset=0, dim1=0, dim2=1)",
    "ops.diagonal({input}, offset={offset}, dim1={dim1}, dim2={dim2})",
    method="ops.diagonal({self}, offset={offset}, dim1={dim1}, dim2={dim2})",
    out=False,
    samples=["(f(3, 3))", "(f(2, 3, 4), 1, 1, 2)"],
)
rule(
    "torch.linalg.diagonal(A, *, offset=0, dim1=-2, dim2=-1)",
    "ops.diagonal({A}, offset={offset}, dim1={dim1}, dim2={dim2})",
    samples=["(f(2, 3, 4))", "(f(3, 4), offset=1)"],
)
both(
    "diag_embed(input, offset=0, dim1=-2, dim2=-1)",
    "ops.diag_embed({input}, offset={offset}, dim1={dim1}, dim2={dim2})",
    method="ops.diag_embed({self}, offset={offset}, dim1={dim1}, dim2={dim2})",
    out=False,
    samples=["(f(2, 3))", "(f(2, 3), 1)"],
)
both(
    "diagonal_scatter(input, src, offset=0, dim1=0, dim2=1)",
    "ops.diagonal_scatter({input}, {src}, offset={offset}, dim1={dim1}, dim2={dim2})",
    out=False,
    samples=["(f(3, 3), f(3))"],
)
for _name in ("tril", "triu"):
    both(f"{_name}(input, diagonal=0)", f"ops.{_name}({{input}}, {{diagonal}})",
         samples=["(f(3, 4))", "(f(2, 3, 3), diagonal=1)", "(f(3, 3), -1)"],
         in_place="copy")  # fmt: skip
    rule(
        f"torch.{_name}_indices(row, col, offset=0, *, dtype=None, device=None, layout=None)",
        f"ops.{_name}_indices({{row}}, {{col}}, {{offset}})",
        ignore="device layout",
        refuse={"dtype is not None": "cast the result"},
        samples=["(3, 4)", "(3, 3, 1)"],
    )
