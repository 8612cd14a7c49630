"""The rows of functions, of tensors' methods and of their attributes.

Every row is executed on both sides (see rule_samples.py), and what it writes for a source text is
executed too. What real MindSpore answers is checked by oracle/check_rules.py, outside the tests.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar.migrate.rules import Rule, RuleRefused, Unknown, find, rules
from agar.migrate.rules._einsum import template_of_einsum
from agar.migrate.rules.emitted_cells import CARRIED
from migrate import rule_samples
from migrate.rule_samples import Makers, compare, execute, read

HEADS = ("torch.nn.utils.", "torch.nn.Module.", "torch.nn.init.")


def mine() -> Iterator[Rule]:
    for row in rules():
        if row.kind in ("function", "method", "attribute") and not row.source.startswith(HEADS):
            yield row


ROWS = [
    pytest.param(row, id=row.source.removeprefix("torch."))
    for row in mine()
    if row.samples and (row.cases or row.others)
]


@pytest.mark.parametrize("row", ROWS)
def test_both_sides_agree(row: Rule) -> None:
    for sample in row.samples:
        execute(row, sample)


def named(value: Any, names: dict[str, Any]) -> Any:
    """An argument as a source text has it: tensors are known by name only."""
    if isinstance(value, (torch.Tensor, np.ndarray, bytearray)):
        name = f"a{len(names)}"
        names[name] = value
        return Unknown(name, "Tensor" if isinstance(value, torch.Tensor) else None)
    if isinstance(value, (tuple, list)) and any(isinstance(v, torch.Tensor) for v in value):
        return [named(v, names) for v in value]
    return value


@pytest.mark.parametrize("row", ROWS)
def test_the_written_code_agrees_too(row: Rule) -> None:
    for sample in row.samples:
        (call,) = read(sample, Makers())
        names: dict[str, Any] = {}
        args = [named(a, names) for a in call.args]
        kwargs = {k: named(a, names) for k, a in call.kwargs.items()}
        code = row.expand(args, kwargs).code
        values = {
            k: ms.from_torch(v.detach().clone()) if isinstance(v, torch.Tensor) else v
            for k, v in names.items()
        }
        scope = {"ms": ms, "nn": ms.nn, "ops": ms.ops, "mint": ms.mint, "np": np, "math": math}
        scope |= CARRIED
        ours = eval(code, {**scope, **values})
        (other,) = read(sample, Makers())
        plain = rule_samples._replace(
            [other.args, other.kwargs], iter([t.detach().clone() for t in other.tensors()]), True
        )
        theirs = rule_samples._call_original(row, *plain)
        outcomes = [
            rule_samples.Outcome(dict(rule_samples._named("output", value)))
            for value in (theirs, ours)
        ]
        compare(*outcomes, f"{row.source}{sample}: {code}", 1e-8, row)


# ---------------------------------------------------------------- random numbers

DRAWN = [param for param in ROWS if param.values[0].compare == "moments"]


@pytest.mark.parametrize("row", DRAWN)
def test_random_numbers_have_the_same_distribution(row: Rule) -> None:
    torch.manual_seed(1)
    ms.set_seed(1)
    for sample in row.samples:
        found = execute(row, sample)
        theirs, ours = (found[side].values["output"].astype(float) for side in ("torch", "agar"))
        if theirs.size < 1000:
            continue
        # the quartiles of heavy tails are steady, their moments are not
        marks = [np.quantile(side, (0.1, 0.25, 0.5, 0.75, 0.9)) for side in (theirs, ours)]
        width = max(theirs.std(), 1e-9) if row.name != "cauchy_" else 1.0
        assert np.abs(marks[0] - marks[1]).max() <= max(0.2 * width, float(step(theirs))), sample


def step(values: np.ndarray) -> float:
    """The distance of whole numbers, where the values are some."""
    return 1.0 if np.array_equal(values, np.round(values)) else 0.0


# ---------------------------------------------------------------- completeness

INSIDE = (
    "cudnn_ miopen_ mkldnn_ fbgemm_ quantized_ native_ batch_norm_ has_torch_function "
    "handle_torch_function boolean_dispatch assert_int_or_pair Optional sym_constrain sym_fresh "
    "import_ir_module parse_ merge_type_from_type_comment unify_type_list init_num_threads "
    "get_file_path classproperty thread_safe_generator prepare_multiprocessing_environment "
    "profiler_allow slice_inverse"
)
#: Names without a row, by how they begin, and why.
OUTSIDE = {
    **dict.fromkeys(INSIDE.split(), "a kernel or a helper of PyTorch itself; programs call others"),
    "convolution": "what conv1d to conv3d call; they have rows",
    **dict.fromkeys(
        ("ccol_indices_copy", "col_indices_copy", "crow_indices_copy", "row_indices_copy",
         "indices_copy", "values_copy"),
        "parts of sparse tensors, which are classes of their own in MindSpore",
    ),
}  # fmt: skip


def public(module: Any) -> set[str]:
    return {
        name
        for name in dir(module)
        if not name.startswith("_")
        and callable(getattr(module, name))
        and not isinstance(getattr(module, name), type)
    }


@pytest.mark.parametrize(
    "head",
    ["torch", "torch.nn.functional", "torch.Tensor", "torch.linalg", "torch.fft", "torch.special"],
)
def test_every_public_name_has_a_row(head: str) -> None:
    home: Any = torch
    for part in head.split(".")[1:]:
        home = getattr(home, part)
    names = {n for n in dir(home) if n[0] != "_"} if head == "torch.Tensor" else public(home)
    left = {n for n in names if find(f"{head}.{n}") is None and not n.startswith(tuple(OUTSIDE))}
    assert not left, f"{head}: no row for {sorted(left)}"


def test_the_table_of_functions_is_large() -> None:
    rows = list(mine())
    assert len(rows) >= 1600
    assert sum(bool(row.cases) for row in rows) >= 1300
    assert len(ROWS) >= 1200


#: Further signatures in PyTorch's own stubs that no row takes: kept for old programs, or unusual.
UNUSUAL = {
    "torch.expand_copy": "implicit serves PyTorch itself",
    "torch.Tensor.expand": "implicit serves PyTorch itself",
    "torch.frombuffer": "without dtype the bytes are float32",
    "torch.isin": "the names element and test_element are for single numbers",
    "torch.nuclear_norm": "linalg.matrix_norm takes the axes",
    "torch.repeat_interleave": "one argument: the places of a run-length code",
    "torch.split_copy": "split_size by name",
    "torch.unsafe_split": "split_size by name",
    "torch.view_copy": "the bits under another dtype",
    "torch.tensor_split": "tensor_indices_or_sections by name",
    "torch.Tensor.tensor_split": "tensor_indices_or_sections by name",
    "torch.Tensor.copy_": "other by name",
    "torch.Tensor.record_stream": "s by name",
}

#: Parameters that stubs write and calls do not give.
FORMAL = {"out", "layout", "device", "pin_memory", "requires_grad", "dtype", "generator"}


def stubs() -> Iterator[tuple[str, ast.FunctionDef]]:
    folder = Path(torch.__file__).parent / "_C"
    for file, owner, head in (
        ("_VariableFunctions.pyi", None, "torch."),
        ("__init__.pyi", "TensorBase", "torch.Tensor."),
    ):
        tree = ast.parse((folder / file).read_text(encoding="utf-8"))
        bodies = (
            [tree.body]
            if owner is None
            else [n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == owner]
        )
        for node in (n for body in bodies for n in body if isinstance(n, ast.FunctionDef)):
            yield head + node.name, node


def takes(row: Rule, node: ast.FunctionDef) -> bool:
    """Whether a row's signatures take all that a stub's takes."""
    spec = node.args
    positional = [Unknown(a.arg) for a in spec.posonlyargs]
    rest = [a.arg for a in spec.args]
    if row.kind == "method" and not positional:
        positional, rest = [Unknown("self")], rest[1:]
    if spec.vararg:
        positional.append(Unknown("n"))
    named = {a: Unknown(a) for a in rest if a not in FORMAL}
    named |= {a.arg: Unknown(a.arg) for a in spec.kwonlyargs if a.arg not in FORMAL}
    for one in (row, *row.others):
        try:
            one.bind(positional, named)
        except RuleRefused:
            continue
        return True
    return False


def old(row: Rule, node: ast.FunctionDef) -> bool:
    """Signatures of old programs (a number before the tensor), and of named axes."""
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    texts = [ast.unparse(a.annotation) for a in node.args.args if a.annotation]
    of_function = row.kind == "function" and "self" in names
    return (
        of_function
        or names[:1] == ["beta"]
        or "out_dtype" in names
        or "names" in [a.arg for a in node.args.kwonlyargs]
        or any("str |" in t or "Dimname" in t or "EllipsisType" in t for t in texts)
    )


def test_pytorchs_signatures_are_taken() -> None:
    found = set()
    count = 0
    for name, node in stubs():
        row = find(name)
        if row is None or not row.cases or old(row, node):
            continue
        count += 1
        if not takes(row, node):
            found.add(name)
    assert count > 1000
    assert found <= UNUSUAL.keys(), sorted(found - UNUSUAL.keys())


# ---------------------------------------------------------------- one by one


def expanded(name: str, *args: Any, **kwargs: Any) -> str:
    row = find(name)
    assert row is not None
    return row.expand(args, kwargs).code


X = Unknown("x", "Tensor")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "code"),
    [
        ("torch.max", (X,), {}, "ops.max(x)[0]"),
        ("torch.max", (X, 1), {}, "ops.max(x, axis=1)"),
        ("torch.max", (X,), {"dim": -1, "keepdim": True}, "ops.max(x, axis=-1, keepdims=True)"),
        ("torch.max", (X, Unknown("y", "Tensor")), {}, "ops.maximum(x, y)"),
        ("torch.Tensor.sum", (X,), {"axis": 1, "keepdims": True}, "x.sum(dim=1, keepdim=True)"),
        ("torch.Tensor.std", (X, False), {}, "x.std(ddof=0)"),
        ("torch.Tensor.std", (X, 1), {}, "x.std(axis=1, ddof=1)"),
        ("torch.Tensor.max", (X,), {"dim": 1}, "x.max(dim=1)"),
        ("torch.Tensor.size", (X,), {}, "x.shape"),
        ("torch.Tensor.size", (X, 0), {}, "x.shape[0]"),
        ("torch.Tensor.transpose", (X, 1, 2), {}, "x.swapaxes(1, 2)"),
        ("torch.Tensor.permute", (X, 0, 2, 1), {}, "x.permute(0, 2, 1)"),
        ("torch.Tensor.view", (X, Unknown("n", "int"), -1), {}, "x.view(n, -1)"),
        ("torch.Tensor.repeat", (X, 1, 2), {}, "x.tile((1, 2))"),
        ("torch.Tensor.to", (X, Unknown("self.device")), {}, "x"),
        ("torch.Tensor.to", (X, Unknown("mask.dtype")), {}, "x.astype(mask.dtype)"),
        ("torch.Tensor.to", (X, torch.float16), {}, "x.astype(ms.float16)"),
        ("torch.Tensor.cuda", (X,), {}, "x"),
        ("torch.zeros", (2, 3), {}, "ops.zeros((2, 3))"),
        ("torch.zeros", ((2, 3),), {"device": Unknown("d")}, "ops.zeros((2, 3))"),
        ("torch.full", ((2,), 0.5), {}, "ops.full((2,), 0.5, dtype=ms.float32)"),
        ("torch.nn.functional.relu", (X,), {"inplace": True}, "ops.relu(x)"),
        ("torch.nn.functional.gelu", (X,), {}, "ops.gelu(x)"),
        ("torch.nn.functional.avg_pool2d", (X, 2), {}, "ops.avg_pool2d(x, 2, 2)"),
        ("torch.nn.functional.max_pool2d", (X, 2), {}, "ops.max_pool2d(x, 2)"),
        ("torch.nn.functional.conv2d", (X, Unknown("w")), {}, "ops.conv2d(x, w, pad_mode='valid')"),
        ("torch.nn.functional.interpolate", (X,), {"scale_factor": Unknown("s")},
         "ops.interpolate(x, scale_factor=float(s), recompute_scale_factor=True)"),
        ("torch.nn.functional.interpolate", (X,), {"scale_factor": Unknown("s", "tuple")},
         "ops.interpolate(x, scale_factor=tuple((float(s) for s in s)), "
         "recompute_scale_factor=True)"),
        ("torch.nn.functional.interpolate", (X, Unknown("n")), {}, "ops.interpolate(x, n)"),
        ("torch.meshgrid", ([X, X],), {}, "ops.meshgrid(x, x, indexing='ij')"),
        ("torch.Tensor.scatter_", (X, 1, Unknown("i"), 1), {},
         "x.copy_(ops.tensor_scatter_elements(x.copy(), i, ops.zeros(i.shape, x.dtype) + 1, 1))"),
        # sums at one place: tensor_scatter_elements loses some on MindSpore's CPU
        ("torch.Tensor.index_add", (X, 0, Unknown("i"), Unknown("y")), {},
         "ops.tensor_scatter_add(x, i.reshape(-1, 1), y)"),
        ("torch.index_add", (X, Unknown("d"), Unknown("i"), Unknown("y")), {},
         "ops.tensor_scatter_add(x.swapaxes(0, d), i.reshape(-1, 1), y.swapaxes(0, d))"
         ".swapaxes(0, d)"),
        ("torch.Tensor.scatter_add", (X, 1, Unknown("i"), Unknown("y")), {},
         "_scatter_add(x, 1, i, y)"),
        ("torch.nn.functional.softmax", (X,), {"dim": 1}, "ops.softmax(x, axis=1)"),
        ("torch.Tensor.add_", (X, 1), {}, "x.copy_(ops.add(x.copy(), 1))"),
        ("torch.einsum", ("ij,jk->ik", X, Unknown("y")), {},
         "ops.matmul(x, y)"),
        ("torch.einsum", (Unknown("rule"), X), {}, "ops.einsum(rule, x)"),
    ],
)  # fmt: skip
def test_what_is_written(name: str, args: Any, kwargs: Any, code: str) -> None:
    assert expanded(name, *args, **kwargs) == code


def test_an_operand_with_a_call_is_computed_once() -> None:
    code = expanded("torch.Tensor.zero_", Unknown("self.pool(x)"))
    assert code == "(lambda x: x.copy_(ops.zeros_like(x)))(self.pool(x))"


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "words"),
    [
        ("torch.add", (X, X), {"out": Unknown("y")}, "out.copy_"),
        ("torch.nn.functional.mse_loss", (X, X), {"size_average": False}, "reduction"),
        ("torch.nn.functional.embedding", (X, X), {"max_norm": 1.0}, "renorm"),
        ("torch.Tensor.backward", (X,), {}, "value_and_grad"),
        ("torch.no_grad", (), {}, "stop_gradient"),
        ("torch.randn", (2, 3), {"generator": Unknown("g")}, "set_seed"),
        ("torch.unique", (X,), {"dim": 0}, "Ascend"),
        ("torch.cuda.amp.autocast", (), {}, "auto_mixed_precision"),
    ],
)
def test_a_refusal_says_what_to_do(name: str, args: Any, kwargs: Any, words: str) -> None:
    with pytest.raises(RuleRefused) as found:
        expanded(name, *args, **kwargs)
    assert words in str(found.value)


@pytest.mark.parametrize("momentum", [0.1, 0.4])
def test_batch_norm_moves_the_statistics(momentum: float) -> None:
    makers = Makers()
    x, mean, var, weight, bias = (m.detach() for m in (
        makers.f(6, 3, 5), makers.f(3), makers.p(3), makers.f(3), makers.f(3)
    ))  # fmt: skip
    ours = [ms.from_torch(v.clone()) for v in (x, mean, var, weight, bias)]
    row = find("torch.nn.functional.batch_norm")
    assert row is not None
    out = row.apply(*ours, training=True, momentum=momentum)
    theirs = torch.nn.functional.batch_norm(x, mean, var, weight, bias, True, momentum)
    np.testing.assert_allclose(out.asnumpy(), theirs.numpy(), atol=1e-12)
    np.testing.assert_allclose(ours[1].asnumpy(), mean.numpy(), atol=1e-12)
    np.testing.assert_allclose(ours[2].asnumpy(), var.numpy(), atol=1e-12)


@pytest.mark.parametrize("name", ["torch.svd", "torch.linalg.svd"])
def test_factors_of_svd_give_the_matrix_again(name: str) -> None:
    matrix = Makers().f(4, 3).detach()
    row = find(name)
    assert row is not None
    u, s, v = (part.asnumpy() for part in row.apply(ms.from_torch(matrix)))
    v = v.T if name == "torch.svd" else v
    np.testing.assert_allclose(u[:, :3] * s @ v, matrix.numpy(), atol=1e-12)


@pytest.mark.parametrize(
    "equation",
    ["ab,bc->ac", "abc,cd->abd", "bhid,bhjd->bhij", "bhij,bhjd->bihd", "i,i->", "i,j->ji",
     "abcd,cde->abe", "ab,ab->ab", "ab,a->b", "abc->ca", "a,ab,bc->c", "abx,acx->bc",
     "bqhd,bkhd->bhqk", "bchw,bkhw->bck", "ij,kj", "ba"],
)  # fmt: skip
def test_einsum_is_written_with_matmul(equation: str) -> None:
    sizes = dict(zip("abcdehijkqwx", range(2, 14), strict=True))
    parts = equation.partition("->")[0].split(",")
    makers = Makers()
    operands = [makers.f(*(sizes[c] for c in part)).detach() for part in parts]
    assert template_of_einsum({"equation": equation, "operands": operands}) is not None
    row = find("torch.einsum")
    assert row is not None
    out = row.apply(equation, *(ms.from_torch(o) for o in operands))
    np.testing.assert_allclose(out.asnumpy(), torch.einsum(equation, *operands).numpy(), atol=1e-10)


@pytest.mark.parametrize("equation", ["...ij,jk->...ik", "ii->i", "ii"])
def test_an_equation_that_is_not_simple_stays(equation: str) -> None:
    count = equation.partition("->")[0].count(",") + 1
    assert expanded("torch.einsum", equation, *[X] * count).startswith("ops.einsum(")


def test_runs_of_equal_numbers_come_with_what_was_asked_for() -> None:
    """The flags alone choose the results (`ops.unique_consecutive`)."""
    numbers = ms.Tensor([1, 1, 2, 3, 3])
    values, counts = ms.ops.unique_consecutive(numbers, return_counts=True)
    assert counts.asnumpy().tolist() == [2, 1, 2]
    values, places = ms.ops.unique_consecutive(numbers, return_inverse=True)
    assert places.asnumpy().tolist() == [0, 0, 1, 2, 2]
    assert ms.ops.unique_consecutive(numbers).asnumpy().tolist() == [1, 2, 3]
    assert values.asnumpy().tolist() == [1, 2, 3]
