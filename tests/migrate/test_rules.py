"""The table of rules: its machinery, its completeness, and its rows of layers and optimizers.

Every row is executed on both sides (see rule_samples.py); the rows of functions are in
test_rules_functions.py.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import importlib.util
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import agar as ms
from agar.migrate.rules import Rule, RuleRefused, Unknown, find, rules
from agar.migrate.rules import _declare as declare
from agar.migrate.rules._rule import default_of, plain_template
from agar.migrate.rules.emitted_cells import CARRIED, text_of
from migrate.rule_samples import carry, execute

RECORD = Path(__file__).resolve().parent.parent / "data" / "oracle" / "names.json"

#: Counterparts that nothing can be called on.
ABSTRACT = {
    "torch.optim.lr_scheduler.LRScheduler": "PyTorch's constructor asks the subclass for its rates",
}

#: Public names of PyTorch that need no row.
OUTSIDE = {
    "torch.nn": {
        "factory_kwargs": "it sorts the arguments of constructors",
    },
    "torch.optim": {
        "swap_in_optimizer_params_and_state": "it serves PyTorch's own distributed checkpoints",
    },
    "torch.optim.lr_scheduler": {
        "Optimizer": "it is imported there; its row is that of torch.optim.Optimizer",
        "Tensor": "it is imported there",
    },
    "torch.nn.init": dict.fromkeys(
        (
            "constant",
            "dirac",
            "eye",
            "kaiming_normal",
            "kaiming_uniform",
            "normal",
            "orthogonal",
            "sparse",
            "uniform",
            "xavier_normal",
            "xavier_uniform",
        ),
        "out of date: it warns and calls the name with the underscore",
    ),
}

#: Names of MindSpore that were not recorded.
UNRECORDED = {"hal", "_Function"}

#: Parameters that older versions of PyTorch had, and programs still give.
OLD_PARAMETERS = {"verbose"}


def mine() -> Iterator[Rule]:
    """The rows of this file: all but those of functions and of tensors' methods."""
    kinds = ("module", "optimizer", "scheduler", "initializer")
    for row in rules():
        of_nn = row.source.startswith("torch.nn.") and "functional" not in row.source
        if of_nn or row.kind in kinds:
            yield row


OWN = {row.source for row in mine()}
SAMPLES = [
    pytest.param(row, sample, id=f"{row.source.removeprefix('torch.')}{sample}")
    for row in mine()
    for sample in row.samples
]


@pytest.mark.parametrize(("row", "sample"), SAMPLES)
def test_both_sides_agree(row: Rule, sample: str) -> None:
    execute(row, sample)


SINGLE = [
    pytest.param(row, id=row.source.removeprefix("torch."))
    for row in rules("module")
    if row.samples and "double" not in row.samples[0] and "float64" not in row.samples[0]
]


@pytest.mark.parametrize("row", SINGLE)
def test_modules_agree_in_float32(row: Rule) -> None:
    execute(row, row.samples[0], torch.float32)


# ------------------------------------------------------------- completeness


def complaints_about(row: Rule) -> Iterator[str]:
    if row.original is None:
        yield "this version of PyTorch lacks the name"
    if not row.cases:
        if len(row.reason) < 10:
            yield f"say why there is no counterpart, and what to do: {row.reason!r}"
        return
    if not row.samples and row.source not in ABSTRACT and row.source in OWN:
        yield "a row with a counterpart is executed: it needs samples"
    if not row.target:
        yield f"what is the counterpart in {row.cases}?"
    conditions = [case.when for case in row.cases if case.when] + list(row.refuse)
    for condition in conditions:
        tree = ast.parse(condition, mode="eval")
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        names -= {
            name.id
            for node in ast.walk(tree)
            if isinstance(node, ast.comprehension)
            for name in ast.walk(node.target)
            if isinstance(name, ast.Name)
        }
        unknown = names - set(row.signature.parameters) - vars(builtins).keys() - {"torch", "math"}
        if unknown:
            yield f"{condition!r} speaks of {sorted(unknown)}"
    for case in row.cases:
        holes = set(re.findall(r"\{\*?(\w+)\??\}", case.template))
        if holes - set(row.signature.parameters):
            yield f"{case.template} speaks of {sorted(holes - set(row.signature.parameters))}"
    yield from (f"{text!r} says too little" for text in row.differs.values() if len(text) < 8)
    yield from (f"{text!r} says too little" for text in row.refuse.values() if len(text) < 8)


def test_every_row_is_well_formed() -> None:
    found = [f"{row.source}: {text}" for row in rules() for text in complaints_about(row)]
    assert not found, "\n".join(found)


def test_the_table_is_large() -> None:
    assert sum(1 for _ in rules()) >= 850


def public(module: Any) -> set[str]:
    """The names that a module of PyTorch offers, without what it imports for itself."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and str(getattr(value, "__module__", "")).startswith("torch")
    }


@pytest.mark.parametrize("module", list(OUTSIDE))
def test_every_public_name_has_a_row(module: str) -> None:
    found: Any = torch
    for part in module.split(".")[1:]:
        found = getattr(found, part)
    names = public(found)
    if module == "torch.nn.init":
        names = {n for n in names if inspect.isfunction(getattr(found, n))}
    left = {n for n in names - OUTSIDE[module].keys() if find(f"{module}.{n}") is None}
    assert not left, f"{module}: no row for {sorted(left)}"


def differences(row: Rule) -> Iterator[str]:
    """Where the row's signature is not PyTorch's."""
    try:
        theirs = list(inspect.signature(row.original).parameters.values())
    except ValueError:  # a class of C
        return
    if theirs and theirs[0].kind is inspect.Parameter.VAR_POSITIONAL:
        return  # torch.nn.LSTM(*args, **kwargs) and its like check their arguments themselves
    own = [p for n, p in row.signature.parameters.items() if n not in OLD_PARAMETERS]
    if [p.name for p in own] != [p.name for p in theirs]:
        yield f"{[p.name for p in own]}, PyTorch has {[p.name for p in theirs]}"
        return
    for one, other in zip(own, theirs, strict=True):
        if one.kind != other.kind:
            yield f"{one.name} is {one.kind}"
        # activation=relu, a function, is written 'relu'
        function = callable(other.default) and other.default is not other.empty
        if one.default != other.default and not function:
            yield f"{one.name}={one.default}, PyTorch has {other.default}"


def test_signatures_are_pytorchs() -> None:
    found = [f"{row.source}: {t}" for row in mine() if row.cases for t in differences(row)]
    assert not found, "\n".join(found)


def other_defaults(row: Rule) -> Iterator[str]:
    """Arguments of the counterpart whose default is not what PyTorch's call means without them."""
    usual = next((case for case in row.cases if case.when is None), row.cases[0])
    for call in ast.walk(ast.parse(plain_template(usual.template))):
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            names = {n.id for n in ast.walk(keyword.value) if isinstance(n, ast.Name)}
            given = {
                n: row.signature.parameters[n].default
                for n in names & row.signature.parameters.keys()
            }
            if len(given) != 1 or len(names) != 1 or inspect.Parameter.empty in given.values():
                continue
            theirs = eval(ast.unparse(keyword.value), {}, given)
            ours = default_of(ast.unparse(call.func), str(keyword.arg))
            plain = ours is not inspect.Parameter.empty and keyword.arg != "dtype"
            if plain and ours != theirs and keyword.arg not in row.differs:
                yield f"{keyword.arg} is {ours!r} by default, PyTorch's {theirs!r}"


def test_every_other_default_is_explained() -> None:
    """A check names the argument that causes a divergence, and says what the row says of it."""
    found = [f"{row.source}: {t}" for row in mine() if row.cases for t in other_defaults(row)]
    assert not found, "\n".join(found)


def chains(template: str) -> set[str]:
    """The dotted names of agar in a template, such as ``nn.Conv2d``."""
    code = re.sub(r"\{\*?(\w+)\??\}", r"hole_\1", template)
    return set(re.findall(r"(?<![\w.])(?:ms|nn|ops|mint)(?:\.\w+)+", code))


PLAIN = {"ms": "ms", "nn": "nn", "ops": "ops"}


def test_counterparts_exist_in_mindspore() -> None:
    """Nothing is written that MindSpore 2.10 does not have, unless the row says so."""
    parts = json.loads(RECORD.read_text(encoding="utf-8"))["names"]
    roots = {"ms": "mindspore"} | {n: f"mindspore.{n}" for n in ("nn", "ops", "mint")}
    lacking = []
    for row in rules():
        for case in row.cases:
            carried = (c.__name__ for c in CARRIED.values() if c.__name__ in case.template)
            texts = [case.template, *(text_of(name, PLAIN)[0] for name in carried)]
            for chain in chains("\n".join(texts)):
                head, *rest = chain.split(".")
                home = roots[head]
                while len(rest) > 1 and f"{home}.{rest[0]}" in parts:
                    home += f".{rest.pop(0)}"
                module = f"{home}.{rest[0]}"
                known = rest[0] in (*parts[home]["names"], *UNRECORDED) or any(
                    p == module or p.startswith(f"{module}.") for p in parts
                )
                if not known and not row.agar_only:
                    lacking.append(f"{row.source}: {chain}")
    assert not lacking, "\n".join(lacking)


# ---------------------------------------------------------------- machinery


def expanded(name: str, *args: Any, **kwargs: Any) -> str:
    found = find(name)
    assert found is not None
    return found.expand(args, kwargs).code


def test_a_default_that_both_take_is_left_out() -> None:
    assert expanded("torch.nn.BatchNorm2d", 8) == "nn.BatchNorm2d(8)"
    # the same value is written where the program wrote it
    assert expanded("torch.nn.BatchNorm2d", 8, eps=1e-5) == "nn.BatchNorm2d(8, eps=1e-05)"


def test_another_default_is_written() -> None:
    assert expanded("torch.nn.Conv2d", 3, 8, 3) == (
        "nn.Conv2d(3, 8, 3, pad_mode='pad', has_bias=True)"
    )
    assert expanded("torch.nn.GELU") == "nn.GELU(approximate=False)"


def test_numbers_are_computed_where_they_are_known() -> None:
    assert expanded("torch.nn.BatchNorm2d", 8, momentum=0.9) == "nn.BatchNorm2d(8, momentum=0.1)"
    assert expanded("torch.nn.BatchNorm2d", 8, momentum=Unknown("m")) == (
        "nn.BatchNorm2d(8, momentum=1 - m)"
    )


def test_an_expression_keeps_its_place_in_a_sum() -> None:
    """``1 - (a - b)``, not ``1 - a - b``."""
    assert expanded("torch.nn.BatchNorm2d", 8, momentum=Unknown("a - b")) == (
        "nn.BatchNorm2d(8, momentum=1 - (a - b))"
    )


def test_a_tuple_of_expressions_is_taken_apart() -> None:
    code = expanded("torch.nn.Conv2d", 3, 8, 3, padding=(Unknown("k // 2"), 0))
    assert "padding=(k // 2, k // 2, 0, 0)" in code


def test_a_tuple_of_one_is_a_number() -> None:
    assert expanded("torch.nn.Conv1d", 3, 8, (3,), padding=(1,)) == (
        "nn.Conv1d(3, 8, 3, pad_mode='pad', padding=1, has_bias=True)"
    )


def test_an_optional_argument_is_written_only_where_given() -> None:
    assert "dtype" not in expanded("torch.nn.Linear", 3, 4)
    assert "dtype" not in expanded("torch.nn.Linear", 3, 4, dtype=None)
    assert expanded("torch.nn.Linear", 3, 4, dtype=torch.float16) == (
        "nn.Dense(3, 4, dtype=ms.float16)"
    )


def test_what_the_source_does_not_say_is_reported() -> None:
    row = find("torch.nn.Conv2d")
    assert row is not None
    found = row.expand((3, 8, 3), {"padding": Unknown("p")})
    assert found.code == "nn.Conv2d(3, 8, 3, pad_mode='pad', padding=p, has_bias=True)"
    assert found.assumptions == (
        "not isinstance(padding, str)",
        "not isinstance(padding, tuple)",
    )
    known = row.expand((3, 8, 3), {"padding": Unknown("p", "int")})
    assert known.assumptions == ()


def test_an_assumption_speaks_only_of_what_is_not_known() -> None:
    row = find("torch.nn.MaxPool2d")
    assert row is not None
    found = row.expand((3,), {"stride": Unknown("s"), "padding": 1})
    assert found.code == "nn.MaxPool2d(3, s, pad_mode='pad', padding=1)"
    assert found.assumptions == ("stride is not None",)
    found = row.expand((3, 2, Unknown("p")), {"ceil_mode": Unknown("c")})
    assert found.assumptions == ("not (padding == 0 and (not ceil_mode))",)


def test_a_condition_is_decided_by_the_part_that_is_known() -> None:
    row = find("torch.nn.BatchNorm2d")
    assert row is not None
    found = row.expand((8,), {"momentum": Unknown("m"), "track_running_stats": False})
    assert "use_batch_statistics=True" in found.code
    assert row.expand((8,), {"eps": Unknown("e")}).assumptions == ()


def test_a_refusal_says_why_and_what_to_do() -> None:
    row = find("torch.nn.Conv2d")
    assert row is not None
    with pytest.raises(RuleRefused, match=r"isinstance\(padding, str\).*padding in numbers"):
        row.expand((3, 8, 3), {"padding_mode": "circular", "padding": "same"})
    with pytest.raises(RuleRefused, match="does not take these arguments"):
        row.expand((3,), {"nothing": 1})
    missing = find("torch.nn.EmbeddingBag")
    assert missing is not None
    with pytest.raises(RuleRefused, match=r"no counterpart.*nn\.Embedding"):
        missing.expand((3, 4), {})


def test_modules_are_found_by_class_and_by_any_of_their_paths() -> None:
    row = find("torch.nn.Conv2d")
    assert row is find(torch.nn.Conv2d) is find("torch.nn.modules.conv.Conv2d")
    assert find("torch.nn.Nothing") is None
    assert find("numpy.array") is None


def test_arguments_are_read_from_a_module() -> None:
    row = find("torch.nn.Conv2d")
    assert row is not None
    module = torch.nn.Conv2d(4, 8, (3, 5), stride=2, padding=(1, 2), bias=False)
    assert row.arguments_of(module) == {
        "in_channels": 4,
        "out_channels": 8,
        "kernel_size": (3, 5),
        "stride": 2,
        "padding": (1, 2),
        "bias": False,
    }
    assert row.line(module) == (
        "nn.Conv2d(4, 8, (3, 5), stride=2, pad_mode='pad', padding=(1, 1, 2, 2), has_bias=False)"
    )


def test_what_the_cell_does_not_take_is_a_refusal() -> None:
    row = find("torch.nn.Dropout")
    assert row is not None
    with pytest.raises(RuleRefused, match=r"nn\.Dropout does not take what Dropout\(p=1\.0"):
        row.build(torch.nn.Dropout(1.0))


def test_a_module_inside_is_written_too() -> None:
    row = find("torch.nn.Sequential")
    assert row is not None
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LeakyReLU())
    assert row.line(module) == "nn.SequentialCell(nn.Dense(3, 4), nn.LeakyReLU(alpha=0.01))"
    with pytest.raises(RuleRefused, match="no rule for"):
        row.line(torch.nn.Sequential(type("Own", (torch.nn.Module,), {})()))


def test_a_tensor_is_written_where_it_is_small() -> None:
    row = find("torch.nn.CrossEntropyLoss")
    assert row is not None
    assert row.line(torch.nn.CrossEntropyLoss(torch.tensor([1.0, 2.5]))) == (
        "nn.CrossEntropyLoss(weight=ms.Tensor([1.0, 2.5], ms.float32))"
    )
    with pytest.raises(RuleRefused, match="1000 elements is not written as code"):
        row.line(torch.nn.CrossEntropyLoss(torch.ones(1000)))


def test_names_of_weights() -> None:
    row = find("torch.nn.BatchNorm2d")
    assert row is not None
    assert row.weight_names(list(torch.nn.BatchNorm2d(3).state_dict())) == {
        "weight": ("gamma", "same"),
        "bias": ("beta", "same"),
        "running_mean": ("moving_mean", "same"),
        "running_var": ("moving_variance", "same"),
    }
    stack = find("torch.nn.TransformerEncoder")
    assert stack is not None
    assert stack.weight_names(["layers.1.norm2.weight", "layers.0.linear1.bias", "norm.bias"]) == {
        "layers.1.norm2.weight": ("layers.1.norm2.gamma", "same"),
        "layers.0.linear1.bias": ("layers.0.dense1.bias", "same"),
        "norm.bias": ("norm.beta", "same"),
    }


def test_names_of_weights_follow_the_form_that_is_built() -> None:
    row = find("torch.nn.Embedding")
    assert row is not None
    plain, limited = torch.nn.Embedding(4, 3), torch.nn.Embedding(4, 3, max_norm=1.0)
    assert row.weight_names(["weight"], plain) == {"weight": ("embedding_table", "same")}
    assert row.weight_names(["weight"], limited) == {"weight": ("weight", "same")}
    sequence = find("torch.nn.Sequential")
    assert sequence is not None
    module = torch.nn.Sequential(torch.nn.Conv1d(2, 3, 1), torch.nn.BatchNorm1d(3))
    found = sequence.weight_names(list(module.state_dict()), module)
    assert found["0.weight"] == ("0.weight", "expand2")
    assert found["1.running_var"] == ("1.moving_variance", "same")
    assert "1.num_batches_tracked" not in found


def test_there_is_one_row_for_a_name() -> None:
    with pytest.raises(ValueError, match=r"two rules for torch\.nn\.ReLU"):
        declare.rule("torch.nn.ReLU(inplace=False)", "nn.ReLU()")


# --------------------------------------------- the harness finds what is wrong


def changed(name: str, **changes: Any) -> Rule:

    row = find(name)
    assert row is not None
    return dataclasses.replace(row, **changes)


@pytest.mark.parametrize(
    ("name", "template", "sample", "complaint"),
    [
        (
            "torch.nn.Conv2d",
            "nn.Conv2d({in_channels}, {out_channels}, {kernel_size}, has_bias={bias})",
            "(3, 4, 3)(f(1, 3, 6, 6))",
            r"output: shape \(1, 4, 4, 4\) against \(1, 4, 6, 6\)",
        ),
        (
            "torch.nn.BatchNorm2d",
            "nn.BatchNorm2d({num_features}, momentum={momentum})",
            "(3)(f(2, 3, 4, 4))",
            "running_mean after the run: values differ",
        ),
        ("torch.nn.GELU", "nn.GELU()", "()(f(3, 4))", "output: values differ"),
        (
            "torch.nn.Linear",
            "nn.Dense({in_features}, {out_features}, has_bias=False)",
            "(3, 4)(f(2, 3))",
            "bias has no place",
        ),
        ("torch.nn.ReLU", "nn.Identity()", "()(f(3, 4))", r"gradient of input\[0\]"),
    ],
)
def test_a_wrong_row_is_found(name: str, template: str, sample: str, complaint: str) -> None:
    row = changed(name, cases=(declare.case(template),), refuse={})
    with pytest.raises(AssertionError, match=complaint):
        execute(row, sample)


def test_a_wrong_name_of_a_weight_is_found() -> None:
    row = changed("torch.nn.LayerNorm", weights=())
    with pytest.raises(AssertionError, match="weight has no place"):
        execute(row, "(6)(f(2, 6))")


def test_a_weight_that_nothing_fills_is_found() -> None:
    row = find("torch.nn.Linear")
    assert row is not None
    with pytest.raises(AssertionError, match="fills \\['bias'\\]"):
        carry(row, torch.nn.Linear(3, 4, bias=False), ms.nn.Dense(3, 4))


def test_a_wrong_learning_rate_is_found() -> None:
    template = "ms.experimental.optim.lr_scheduler.StepLR({optimizer}, {step_size}, gamma=0.2)"
    row = changed("torch.optim.lr_scheduler.StepLR", cases=(declare.case(template),))
    with pytest.raises(AssertionError, match="learning rates: values differ"):
        execute(row, "(3)")


def test_a_wrong_distribution_is_found() -> None:
    row = find("torch.nn.init.normal_")
    assert row is not None
    template = row.cases[0].template.replace("{std}", "2 * {std}")
    with pytest.raises(AssertionError, match="deviation differs"):
        execute(changed("torch.nn.init.normal_", cases=(declare.case(template),)), "(f(90, 90))")


# ------------------------------------------------------------ the page of the docs


@pytest.fixture(scope="module")
def rules_page() -> Any:
    path = Path(__file__).resolve().parents[2] / "docs" / "_ext" / "rules_page.py"
    spec = importlib.util.spec_from_file_location("rules_page", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_every_row(rules_page: Any) -> None:
    text = rules_page.page(lambda text: text.replace("\n", " ").replace("|", "\\|"))
    rows = [line for line in text.splitlines() if line.startswith("| `torch")]
    assert len(rows) == sum(1 for _ in rules())
    assert f"{len(rows)} names of PyTorch" in text
    for line in rows:
        bars = len(re.findall(r"(?<!\\)\|", line))
        assert bars == (4 if find_row(line).cases else 3), line


def find_row(line: str) -> Rule:
    found = re.match(r"\| `([\w.]+)` \|", line)
    assert found is not None, line
    row = find(found[1])
    assert row is not None
    return row


def test_the_page_shows_what_people_look_for(rules_page: Any) -> None:
    text = rules_page.page(str)
    line = next(x for x in text.splitlines() if x.startswith("| `torch.nn.Linear` |"))
    assert "`nn.Dense(in_features, out_features, has_bias=bias, dtype=dtype)`" in line
    assert "`bias` is `has_bias`" in line
    line = next(x for x in text.splitlines() if x.startswith("| `torch.nn.SmoothL1Loss` |"))
    assert "`reduction` is `'none'` by default, PyTorch's `'mean'`" in line
    line = next(x for x in text.splitlines() if x.startswith("| `torch.nn.EmbeddingBag` |"))
    assert "nn.Embedding" in line
