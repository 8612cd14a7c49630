"""Rows of functions that gather, scatter, mask and choose."""

from __future__ import annotations

from dataclasses import replace

from agar.migrate.rules._declare import missing, overload, rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import changed

_PLACE = "torch.tensor([[0, 2], [1, 0], [2, 1]])"
_INDEX = {"index": "MindSpore's kernels take int32 places."}
_SHORT = "{index}.astype(ms.int32)"

both(
    "gather(input, dim, index, *, sparse_grad=False)",
    "ops.gather_elements({input}, {dim}, {index})",
    ignore="sparse_grad",
    samples=[f"(f(3, 4), 1, {_PLACE})", "(f(3, 4), 0, i(3, 2, 4))"],
    differs={"name": "MindSpore's ops.gather takes whole rows, as torch.index_select does."},
)
both(
    "take_along_dim(input, indices, dim=None)",
    Case("{input}.ravel()[{indices}.ravel()]", when="dim is None"),
    "ops.gather_elements({input}, {dim}, {indices})",
    samples=[f"(f(3, 4), {_PLACE}, 1)", f"(f(3, 4), {_PLACE})"],
)
both(
    "index_select(input, dim, index)",
    "ops.index_select({input}, {dim}, {index})",
    samples=["(f(3, 4), 1, torch.tensor([2, 0]))", "(f(3, 4), 0, i(3, 5))"],
)
both(
    "take(input, index)",
    "ops.gather({input}.ravel(), {index}, 0)",
    method="ops.gather({self}.ravel(), {index}, 0)",
    samples=[f"(f(3, 4), {_PLACE})"],
    differs={"name": "MindSpore's own ops.take has no kernel for the CPU."},
)
both(
    "masked_fill(input, mask, value)",
    "ops.masked_fill({input}, {mask}, {value})",
    out=False,
    samples=["(f(3, 4), b(3, 4), -1e9)", "(f(3, 4), b(4), 0.5)", "(f(3, 4), b(3, 4), f())"],
    in_place="copy",
)
both("masked_select(input, mask)", "ops.masked_select({input}, {mask})",
     samples=["(f(3, 4), b(3, 4))", "(f(3, 2), torch.tensor([True, False]))"])  # fmt: skip
both(
    "masked_scatter(input, mask, source)",
    "{input}.masked_scatter({mask}, {source})",
    out=False,
    samples=["(f(3, 4), b(3, 4), f(12))"],
    in_place="copy",
)
both(
    "index_fill(input, dim, index, value)",
    f"ops.index_fill({{input}}, {{dim}}, {_SHORT}, {{value}})",
    out=False,
    samples=["(f(3, 4), 1, torch.tensor([2, 0]), 0.5)"],
    in_place="copy",
    differs=_INDEX,
)
_SPREAD = (
    "ops.tensor_scatter_elements({input}, ops.broadcast_to({index}.reshape("
    "tuple(-1 if k == {dim} % {input}.ndim else 1 for k in range({input}.ndim))), "
    "{source}.shape), {source}, {dim})"
)
# NOTE Sums. MindSpore's tensor_scatter_elements(reduction="add") loses some on the CPU where
# several elements go to one place: its threads do not wait for each other. Its tensor_scatter_add
# loses none.
_ADD_ROWS = "ops.tensor_scatter_add({input}, {index}.reshape(-1, 1), %s)"
_ADD_ALONG = (
    "ops.tensor_scatter_add({input}.swapaxes(0, {dim}), {index}.reshape(-1, 1), "
    "(%s).swapaxes(0, {dim})).swapaxes(0, {dim})"
)


def _index_add(it: str) -> list[Case | str]:
    scaled = "{alpha} * {source}"
    cases = [
        Case(_ADD_ROWS % "{source}", when="dim == 0 and alpha == 1"),
        Case(_ADD_ROWS % scaled, when="dim == 0"),
        Case((_ADD_ALONG % "{source}").replace("({source})", "{source}"), when="alpha == 1"),
        Case(_ADD_ALONG % scaled),
    ]
    return [replace(c, template=c.template.replace("{input}", it)) for c in cases]


both(
    "index_add(input, dim, index, source, *, alpha=1)",
    *_index_add("{input}"),
    method=_index_add("{self}"),
    samples=[
        "(f(3, 4), 1, torch.tensor([2, 0, 2]), f(3, 3))",
        "(f(3, 4), 0, torch.tensor([2, 0, 2]), f(3, 4))",
        "(f(3, 4), 0, torch.tensor([2, 0]), f(2, 4), alpha=0.5)",
        "(f(2, 3, 4), -1, torch.tensor([2, 0, 2]), f(2, 3, 3), alpha=2)",
    ],
    in_place="copy",
    differs={"x": "MindSpore's ops.index_add writes into its first argument."},
)
both(
    "index_copy(input, dim, index, source)",
    _SPREAD,
    method=_SPREAD.replace("{input}", "{self}"),
    out=False,
    samples=["(f(3, 4), 1, torch.tensor([2, 0]), f(3, 2))"],
    in_place="copy",
)
both(
    "index_put(input, indices, values, accumulate=False)",
    "{input}.index_put(tuple({indices}), {values}, accumulate={accumulate})",
    out=False,
    samples=[
        "(f(3, 4), (torch.tensor([0, 1]), torch.tensor([2, 3])), f(2))",
        "(f(3, 4), (torch.tensor([0, 0]), torch.tensor([2, 2])), f(2), True)",
    ],
    in_place="copy",
)
rule(
    "torch.index_put_(input, indices, values, accumulate=False)",
    changed("{input}.index_put(tuple({indices}), {values}, accumulate={accumulate})", "input"),
    samples=["(f(3, 4), (torch.tensor([0, 1]), torch.tensor([2, 3])), f(2))"],
)

# ---------------------------------------------------------------- scatter

_SET = "ops.tensor_scatter_elements({input}, {index}, {src}, {dim})"
_ADD = "_scatter_add({input}, {dim}, {index}, {src})"
_SAME = "ops.zeros({index}.shape, {input}.dtype) + {value}"
_SET_ONE = _SET.replace("{src}", _SAME)
_ADD_ONE = _ADD.replace("{src}", _SAME)
_REDUCE = {"reduce is not None and reduce != 'add'": "MindSpore's kernel for the CPU adds or sets"}
_SRC = {"src": "MindSpore wants src and index of the same shape."}
for _ours, _it, _wrap in (
    ("torch.scatter(input", "{input}", ""),
    ("torch.Tensor.scatter(self", "{self}", ""),
    ("torch.Tensor.scatter_(self", "{self}", "self"),
):

    def _form(text: str, it: str = _it, wrap: str = _wrap) -> str:
        text = text.replace("{input}", it)
        return changed(text, wrap) if wrap else text

    rule(
        f"{_ours}, dim, index, src: Tensor, reduce=None)",
        Case(_form(_ADD), when="reduce == 'add'"),
        _form(_SET),
        refuse=_REDUCE,
        others=[
            overload(
                f"{_ours}, dim, index, value: number, reduce=None)",
                Case(_form(_ADD_ONE), when="reduce == 'add'"),
                _form(_SET_ONE),
                refuse=_REDUCE,
            ),
            overload(f"{_ours}, dim, index, src, reduce=None)", _form(_SET), refuse=_REDUCE),
        ],
        samples=[
            f"(f(3, 4), 1, {_PLACE}, f(3, 2))",
            f"(f(3, 4), 1, {_PLACE}, 1.5)",
            f"(f(3, 4), 1, index={_PLACE}, value=2.0)",
            f"(f(3, 4).detach(), 1, {_PLACE}, f(3, 2).detach(), reduce='add')",
        ],
        differs=_SRC,
    )
both(
    "scatter_add(input, dim, index, src)",
    _ADD,
    method=_ADD.replace("{input}", "{self}"),
    samples=[
        "(f(3, 4), 1, torch.tensor([[0, 0], [1, 2], [3, 1]]), f(3, 2))",
        "(f(4, 3), 0, torch.tensor([[0, 0], [1, 2], [3, 1], [3, 0]]), f(4, 2))",
        "(f(2, 3, 4), -2, torch.tensor([[[0, 2, 2], [0, 1, 2]]]), f(1, 2, 3))",
    ],
    in_place="copy",
    differs=_SRC,
)
both(
    "scatter_reduce(input, dim, index, src, reduce, *, include_self=True)",
    _ADD,
    method=_ADD.replace("{input}", "{self}"),
    refuse={
        "reduce != 'sum'": "MindSpore's kernel for the CPU adds or sets; see "
        "ops.unsorted_segment_max and its like",
        "not include_self": "fill these places of the tensor with zeros first",
    },
    samples=["(f(3, 4), 1, torch.tensor([[0, 0], [1, 2], [3, 1]]), f(3, 2), 'sum')"],
    in_place="copy",
)
for _name in ("torch.index_reduce", "torch.Tensor.index_reduce", "torch.Tensor.index_reduce_"):
    missing(_name, "use ops.index_add, or ops.unsorted_segment_max and its like")
for _name, _ending in (("put", ""), ("put_", "_")):
    _cases = (
        "ops.tensor_scatter_add({self}.ravel(), {index}.reshape(-1, 1), {source}.ravel())"
        ".reshape({self}.shape)",
        "ops.tensor_scatter_elements({self}.ravel(), {index}.ravel(), {source}.ravel(), 0)"
        ".reshape({self}.shape)",
    )
    _changed_cases = tuple(changed(c) if _ending else c for c in _cases)
    rule(
        f"torch.Tensor.{_name}(self, index, source, accumulate=False)",
        Case(_changed_cases[0], when="accumulate"),
        _changed_cases[1],
        samples=["(f(3, 4), torch.tensor([1, 5]), f(2))",
                 "(f(3, 4), torch.tensor([1, 1]), f(2), True)"],
    )  # fmt: skip
    if not _ending:
        rule(
            "torch.put(input, index, source, accumulate=False)",
            Case(_cases[0].replace("{self}", "{input}"), when="accumulate"),
            _cases[1].replace("{self}", "{input}"),
            samples=["(f(3, 4), torch.tensor([1, 5]), f(2))"],
        )
both(
    "select_scatter(input, src, dim, index)",
    "ops.select_scatter({input}, {src}, {dim}, {index})",
    out=False,
    samples=["(f(3, 4), f(3), 1, 2)"],
)
both(
    "slice_scatter(input, src, dim=0, start=None, end=None, step=1)",
    "ops.slice_scatter({input}, {src}, {dim}, {start}, {end}, {step})",
    out=False,
    samples=["(f(5, 4), f(2, 4), 0, 1, 3)", "(f(3, 5), f(3, 2), dim=1, start=1, end=5, step=2)"],
)

# ---------------------------------------------------------------- choosing

rule(
    "torch.where(condition, input, other)",
    "ops.where({condition}, {input}, {other})",
    others=[overload("torch.where(condition)", "ops.unbind(ops.nonzero({condition}), 1)")],
    samples=["(b(3, 4), f(3, 4), f(3, 4))", "(b(3, 4), f(3, 4), 0.0)", "(b(3, 4))",
             "(b(3, 4), 1.0, f(4))"],
)  # fmt: skip
rule(
    "torch.Tensor.where(self, condition, other)",
    "ops.where({condition}, {self}, {other})",
    samples=["(f(3, 4), b(3, 4), f(3, 4))", "(f(3, 4), b(3, 4), 0.0)"],
)
both(
    "nonzero(input, *, as_tuple=False)",
    Case("ops.unbind(ops.nonzero({input}), 1)", when="as_tuple"),
    "ops.nonzero({input})",
    samples=["(i(2, 3, 4))", "(b(3, 4), as_tuple=True)"],
    differs={"as_tuple": "MindSpore's as_tuple=True has no kernel for the CPU."},
)
both("argwhere(input)", "ops.argwhere({input})", samples=["(i(2, 3, 4))"], out=False)
rule(
    "torch.unravel_index(indices, shape)",
    "tuple(({indices} // math.prod({shape}[n + 1:])) % {shape}[n] for n in range(len({shape})))",
    samples=["(torch.tensor([1, 5, 11]), (3, 4))"],
)
both(
    "nonzero_static(input, *, size, fill_value=-1)",
    "ops.pad(ops.nonzero({input})[:{size}], "
    "(0, 0, 0, max({size} - int(({input} != 0).sum()), 0)), value={fill_value})",
    out=False,
    samples=["(torch.tensor([1, 0, 1]), size=4)"],
)
both(
    "fill(input, value)",
    "ops.full_like({input}, {value})",
    method=None,
    out=False,
    samples=["(f(3, 4).detach(), 2.0)"],
)
