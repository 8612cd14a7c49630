"""The random operators' public faces: numbers of MindSpore 2.10, streams, errors, distributions.

tests/data/random_vectors.json was recorded from the calls named in it; they are made here through
the public API (tests/random makes the same numbers from the core). random_operators.json holds
further calls as text, which tests/oracle/record_random.py evaluated on MindSpore.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import mint, nn, ops
from agar._core.optable import table
from agar._core.random import get_all_state, set_all_state, set_unseeded_channel_dropout
from agar.common import initializer as init
from oracle.record_random import evaluate, namespace

pytestmark = pytest.mark.smoke

FOLDER = Path(__file__).parent.parent / "data"
VECTORS: dict[str, Any] = json.loads((FOLDER / "random_vectors.json").read_text())
OPERATORS: list[dict[str, Any]] = json.loads((FOLDER / "random_operators.json").read_text())[
    "cases"
]
T = ms.Tensor


def t(values: Any, dtype: str = "float32") -> ms.Tensor:
    return T(np.array(values, dtype))


def ones(*shape: int, dtype: str = "float32") -> ms.Tensor:
    return T(np.ones(shape, dtype))


def arange(*bounds: int, dtype: str = "int64") -> ms.Tensor:
    return T(np.arange(*bounds, dtype=dtype))


# ------------------------------------------------------------------------- the recorded vectors


def nth(number: int, call: Callable[[], Any], before: Callable[[], Any] | None = None) -> Any:
    """The result of a call after number - 1 calls of the same function."""
    for _ in range(number - 1):
        (before or call)()
    return call()


def seeded(seed: int, number: int, call: Callable[[], Any], before: Any = None) -> Any:
    ms.set_seed(seed)
    return nth(number, call, before)


def page() -> ms.Tensor:
    return ops.uniform((1, 4), t(1.0), t(2.0), seed=1)


def some_uniform() -> ms.Tensor:
    return ops.uniform((2, 3), t(-1.0), t(3.0), seed=5)


def layers() -> tuple[nn.Cell, nn.Cell]:
    """Two dropout layers after set_seed(11) and one use of the function."""
    ms.set_seed(11)
    ops.dropout(ones(32), p=0.4)
    return nn.Dropout(p=0.3).set_train(), nn.Dropout(p=0.3).set_train()


def after_layers(number: int, call: Callable[[], Any]) -> Any:
    layers()
    return nth(number, call, lambda: ops.dropout(ones(2), p=0.5))


def shuffle(*sizes: int) -> ms.Tensor:
    ms.set_seed(11)
    for size in sizes:
        result = ops.shuffle(arange(size, dtype="int32"))
    return result


def unseeded(call: Callable[[], Any]) -> Any:
    """MindSpore's process-wide channel dropout, from its beginning."""
    set_unseeded_channel_dropout(True)
    return call()


def channels(*calls: Callable[[ms.Tensor], ms.Tensor]) -> ms.Tensor:
    set_unseeded_channel_dropout(True)
    for call in calls:
        result = call(ones(4, 5, 1, 1))
    return result.flatten()


def channel_function(x: ms.Tensor) -> ms.Tensor:
    return ops.dropout2d(x, p=0.5)


def channel_primitive(dtype: str) -> ms.Tensor:
    set_unseeded_channel_dropout(True)
    x = arange(1, 41, dtype=dtype).reshape((4, 5, 1, 2))
    return ops.Dropout2D(keep_prob=0.7)(x)[0]


def launches(made: Any, calls: int, *args: Any) -> ms.Tensor:
    return nth(calls, lambda: made(*args))


def instance(*sizes: int) -> ms.Tensor:
    p = ops.UniformReal(seed=1, seed2=2)
    for size in sizes:
        result = p((size,))
    return result


def drawn(initial: Any, *shape: int, dtype: Any = ms.float32) -> ms.Tensor:
    ms.set_seed(1)
    return init.initializer(initial, list(shape), dtype)


def of_layer(make: Callable[[], nn.Cell], name: str) -> ms.Tensor:
    ms.set_seed(1)
    return getattr(make(), name)


QUARTERS = [0.1, 0.2, 0.3, 0.4]
ROWS = [[0.1, 0.2, 0.3], [0.0, 3, 1]]
WEIGHTS = np.random.RandomState(3).rand(4, 1000).astype(np.float32)


def several_multinomials(number: int) -> ms.Tensor:
    ms.set_seed(11)
    calls = [
        lambda: ops.multinomial(t(QUARTERS), 20, True),
        lambda: ops.multinomial(t(ROWS), 8, True),
        lambda: ops.multinomial(t(QUARTERS), 3, False),
    ]
    return [call() for call in calls[:number]][-1]


def choice() -> tuple[ms.Tensor, ms.Tensor]:
    ms.set_seed(11)
    return ops.choice_with_mask(arange(12).reshape((3, 4)) % 3 == 0, 6, seed=2)


def truncated(*shape: int, **seeds: int) -> ms.Tensor:
    return ops.TruncatedNormal(**seeds)(t(shape, "int64"))


def in_sevenths() -> ms.Tensor:
    return t(np.linspace(0, 1, 12).reshape(2, 6))


CALLS: dict[str, Callable[[], Any]] = {
    **{f"seed_page_uniform_{n}": lambda n=n: nth(n, page) for n in (1, 2, 3, 4)},
    **{f"page_after_set_seed_{n}": lambda n=n: seeded(1, n, page) for n in (1, 2)},
    "uniform_float": lambda: seeded(11, 1, some_uniform),
    "uniform_int": lambda: seeded(
        11,
        2,
        lambda: ops.uniform((9,), t(-5, "int32"), t(17, "int32"), seed=5, dtype=ms.int32),
        some_uniform,
    ),
    "rand": lambda: seeded(11, 1, lambda: ops.rand(4, 2)),
    "rand_20000": lambda: seeded(11, 2, lambda: ops.rand(20000), lambda: ops.rand(4, 2)),
    "rand_f16": lambda: seeded(11, 3, lambda: ops.rand(5, dtype=ms.float16)),
    "rand_3000003": lambda: seeded(3, 1, lambda: ops.rand(3000003)),
    "randn": lambda: seeded(11, 1, lambda: ops.randn(64)),
    "randn_5001": lambda: seeded(11, 2, lambda: ops.randn(5001), lambda: ops.randn(64)),
    "randn_3000003": lambda: seeded(3, 1, lambda: ops.randn(3000003)),
    "standard_normal": lambda: seeded(11, 1, lambda: ops.standard_normal((7,))),
    "normal": lambda: seeded(11, 1, lambda: ops.normal((8,), 2.0, 0.5)),
    "randint": lambda: seeded(11, 1, lambda: ops.randint(0, 100, (12,))),
    "randint_pow2": lambda: seeded(11, 2, lambda: ops.randint(0, 1024, (12,))),
    "randint_wide": lambda: seeded(11, 3, lambda: ops.randint(-(2**31), 2**31 - 1, (12,))),
    "randint_half": lambda: seeded(3, 1, lambda: ops.randint(0, 2**31 - 1, (50001,))),
    "dropout_fn": lambda: seeded(11, 1, lambda: ops.dropout(ones(32), p=0.4)),
    **{
        f"nn_dropout_call{n}": lambda n=n: launches(layers()[0], n, arange(1, 17, dtype="float32"))
        for n in (1, 2, 3)
    },
    "nn_dropout_new_shape": lambda: layers()[0](arange(1, 9, dtype="float32")),
    "nn_dropout_second": lambda: layers()[1](arange(1, 17, dtype="float32")),
    "dropout_f16": lambda: after_layers(1, lambda: ops.dropout(ones(32, dtype="float16"), p=0.4)),
    "dropout_120000": lambda: after_layers(2, lambda: ops.dropout(ones(300, 400), p=0.5)),
    "dropout_3000003": lambda: seeded(3, 1, lambda: ops.dropout(ones(3000003), p=0.1)),
    **{
        f"dropout_{kind}_p03": lambda kind=kind: seeded(
            5, 1, lambda: ops.dropout(arange(-8, 8, dtype=kind), p=0.3)
        )
        for kind in ("float16", "float64")
    },
    "laplace": lambda: seeded(11, 1, lambda: ops.standard_laplace((9,))),
    "laplace_300000": lambda: seeded(3, 1, lambda: ops.standard_laplace((300000,))),
    "shuffle": lambda: shuffle(12),
    "shuffle_rows": lambda: seeded(
        11, 2, lambda: ops.shuffle(arange(12, dtype="int32").reshape((6, 2)))
    ),
    "shuffle_70000": lambda: shuffle(12, 6, 70000),
    **{
        f"shuffle_{n}": lambda n=n: seeded(3, 1, lambda: ops.shuffle(arange(n)))
        for n in (46340, 46341, 300000)
    },
    "bernoulli": lambda: ops.bernoulli(ones(40), 0.3, seed=9),
    "bernoulli_p": lambda: ops.bernoulli(ones(2, 6), in_sevenths(), seed=5),
    "multinomial": lambda: several_multinomials(1),
    "multinomial_2d": lambda: several_multinomials(2),
    "multinomial_norep": lambda: several_multinomials(3),
    "multinomial_4_1000": lambda: seeded(11, 1, lambda: ops.multinomial(T(WEIGHTS), 900, True)),
    "multinomial_norep_4_1000": lambda: seeded(
        11, 1, lambda: ops.multinomial(T(WEIGHTS), 900, False)
    ),
    "categorical": lambda: ops.random_categorical(t([QUARTERS, [1, 2, 3, 4]]), 2000, seed=4),
    "dropout2d_call1": lambda: channels(channel_function),
    "dropout2d_call2": lambda: channels(channel_function, channel_function),
    "nn_dropout2d_continues": lambda: channels(
        channel_function, channel_function, nn.Dropout2d(p=0.5).set_train()
    ),
    **{
        f"dropout2d_{kind}": lambda kind=kind: channel_primitive(kind)
        for kind in ("float16", "float32", "float64", "int32")
    },
    "truncated_normal_op": lambda: truncated(5, 6, seed=3).flatten(),
    "truncated_normal_op_300000": lambda: truncated(300000, 1, seed=3, seed2=3),
    **{
        f"truncated_normal_launch_{n}": lambda n=n: launches(
            ops.TruncatedNormal(seed=1, seed2=2), n, [3, 1]
        )
        for n in (1, 2)
    },
    **{
        f"standard_normal_launch_{n}": lambda n=n: launches(
            ops.StandardNormal(seed=1, seed2=2), n, (3,)
        )
        for n in (1, 2)
    },
    "choice_with_mask_index": lambda: choice()[0],
    "choice_with_mask_mask": lambda: choice()[1],
    "poisson": lambda: seeded(11, 1, lambda: ops.random_poisson(t([6], "int64"), t(3.0), seed=4)),
    "poisson_rates": lambda: seeded(
        3, 1, lambda: ops.random_poisson(t([20000], "int64"), t([50.0, 3.0, 11.5]), seed=2)
    ),
    "randperm": lambda: ops.randperm(10, seed=3),
    "randperm_default": lambda: nth(3, lambda: ops.randperm(10)),
    "randperm_offset": lambda: ops.randperm(10, seed=3, offset=8),
    "randperm_65535": lambda: ops.randperm(65535, seed=3),
    "randperm_65536": lambda: ops.randperm(65536, seed=3),
    **{f"uniformreal_instance_{n}": lambda n=n: instance(*(3, 3, 2, 3)[:n]) for n in (1, 2, 3, 4)},
    "init_dense_weight": lambda: of_layer(lambda: nn.Dense(2, 1), "weight"),
    "init_dense_bias": lambda: of_layer(lambda: nn.Dense(2, 1), "bias"),
    "init_conv_weight": lambda: of_layer(lambda: nn.Conv2d(3, 4, 3), "weight"),
    "init_embedding": lambda: of_layer(lambda: nn.Embedding(5, 3), "embedding_table"),
    "init_lstm_w_ih": lambda: of_layer(lambda: nn.LSTM(3, 4), "w_ih_list")[0],
    "init_truncated_normal": lambda: drawn(init.TruncatedNormal(), 2000),
    "init_truncated_normal_wide": lambda: drawn(init.TruncatedNormal(1.0, 0.0, -1, 3), 2000),
    "init_truncated_normal_-40_40": lambda: drawn(init.TruncatedNormal(1.0, 0.0, -40, 40), 200000),
    "init_truncated_normal_5_9": lambda: drawn(init.TruncatedNormal(1.0, 0.0, 5, 9), 200000),
    "init_xavier_uniform": lambda: drawn("xavier_uniform", 3, 4),
    "init_he_normal": lambda: drawn(init.HeNormal(0, "fan_out", "relu"), 4, 3, 2, 2),
    "init_uniform_100003": lambda: drawn(init.Uniform(0.3), 100003),
    "init_normal_100003": lambda: drawn(init.Normal(0.3, 0.1), 100003),
    "init_normal_3000001": lambda: drawn(init.Normal(1.0, 0.0), 3000001),
    "init_float16": lambda: drawn(init.Uniform(0.5), 6, dtype=ms.float16),
    "init_sparse": lambda: drawn(init.Sparse(0.5), 4, 4),
    "init_orthogonal": lambda: drawn(init.Orthogonal(), 3, 3),
    "init_variance_scaling_default": lambda: drawn(init.VarianceScaling(), 3, 4),
}


def same_bits(got: np.ndarray, expected: dict[str, Any], label: str) -> None:
    assert str(got.dtype) == expected["dtype"], label
    assert list(got.shape) == expected["shape"], label
    head = np.array(expected["values"], got.dtype)
    np.testing.assert_array_equal(got.ravel()[:24], head, err_msg=label)
    digest = hashlib.sha256(np.ascontiguousarray(got).tobytes()).hexdigest()
    assert digest == expected["sha256"], label


def test_every_recorded_vector_is_called() -> None:
    assert CALLS.keys() == VECTORS.keys()


@pytest.mark.parametrize("name", VECTORS)
def test_a_recorded_vector_comes_from_its_call(name: str) -> None:
    expected, got = VECTORS[name], CALLS[name]().asnumpy()
    if "tol" in expected:
        # QR goes through LAPACK, whose rounding depends on its build.
        head = got.ravel()[:24]
        np.testing.assert_allclose(head, expected["values"], atol=expected["tol"])
    else:
        same_bits(got, expected, expected["call"])


# ----------------------------------------------------------------------- the recorded operators


def compare(got: Any, expected: Any, near: bool, label: str) -> None:
    if isinstance(expected, list):
        assert len(got) == len(expected), label
        for part, item in zip(got, expected, strict=True):
            compare(part, item, near, label)
        return
    array = got.asnumpy()
    if not near:
        same_bits(array, expected, label)
        return
    assert str(array.dtype) == expected["dtype"], label
    assert list(array.shape) == expected["shape"], label
    if array.dtype.kind == "i":
        np.testing.assert_array_equal(array.ravel()[:24], expected["values"], err_msg=label)
    else:
        rtol = {"float16": 2e-3, "float32": 3e-7, "float64": 1e-13}[str(array.dtype)]
        np.testing.assert_allclose(array.ravel()[:24], expected["values"], rtol=rtol, err_msg=label)


@pytest.mark.parametrize("case", OPERATORS, ids=[case["expr"] for case in OPERATORS])
def test_an_operator_does_what_mindspore_does(case: dict[str, Any]) -> None:
    if "error" not in case:
        compare(evaluate(ms, case["expr"]), case["result"], case.get("near", False), case["expr"])
        return
    with pytest.raises(Exception, match=r"\S") as raised:
        evaluate(ms, case["expr"])
    assert type(raised.value).__name__ == case["error"]


def test_nothing_is_drawn_for_a_call_that_fails() -> None:
    ms.set_seed(11)
    for entry in OPERATORS:
        if "error" in entry and entry["expr"].startswith("ops."):
            before = get_all_state()
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                eval(entry["expr"], namespace(ms))
            after = get_all_state()
            assert after["counters"] == before["counters"], entry["expr"]
            assert after["generator"] == before["generator"], entry["expr"]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: ops.uniform((2,), 1.0, 2.0), TypeError, ["uniform", "minval", "Tensor(1.0)"]),
        (lambda: ops.uniform((2,), t(1), t(2), 3, ms.int32), TypeError, ["Float32", "astype"]),
        (lambda: ops.rand(2, dtype=ms.int32), ValueError, ["rand", "float type", "Int32"]),
        (lambda: ops.randint(0, 5, 3), ValueError, ["randint", "size", "tuple", "(n,)"]),
        (lambda: ops.normal((3,), t([1, 2]), 1.0), ValueError, ["normal", "(3,)", "(2,)"]),
        (lambda: ops.multinomial(t([-1, 2]), 1), ValueError, ["multinomial", "not logits"]),
        (lambda: ops.gamma((2,), t(-1.0), t(1.0)), ValueError, ["gamma", "alpha", "above 0"]),
        (lambda: ops.random_poisson((2,), -1.0), ValueError, ["random_poisson", "rate", "-1."]),
        (lambda: T([1.0]).normal_(generator=3), TypeError, ["normal_", "Generator", "'int'"]),
        (lambda: ops.UniformReal(seed=-1), ValueError, ["UniformReal", "seed", "-1"]),
        (lambda: ops.RandomGamma(1)((2,), t(-1.0)), ValueError, ["RandomGamma", "alpha"]),
    ],
)
def test_errors_say_who_what_and_how(
    call: Callable[[], Any], kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert all(word in str(raised.value) for word in words), str(raised.value)
    assert "_state" not in str(raised.value)


# ----------------------------------------------------------------------------- the table's samples

ENTRIES = [entry for entry in table.entries if entry.impl.__module__.startswith("agar.ops.random.")]


def _call(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


def _tensor(value: Any) -> Any:
    return ms.from_torch(value) if isinstance(value, torch.Tensor) else value


def arguments(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A sample's arguments as the battery of all operators makes them, over agar tensors."""
    source = np.random.RandomState(5)
    entries = {
        "f": lambda *n: torch.as_tensor(np.asarray(source.standard_normal(n))),
        "p": lambda *n: torch.as_tensor(np.asarray(source.uniform(0.1, 2.0, n))),
        "u": lambda *n: torch.as_tensor(np.asarray(source.uniform(0.1, 0.9, n))),
        "i": lambda *n: torch.as_tensor(np.asarray(source.randint(0, 3, n))),
        "b": lambda *n: torch.as_tensor(np.asarray(source.randint(0, 2, n) > 0)),
    }
    args, kwargs = eval(f"call({text})", {**entries, "call": _call, "ms": ms, "torch": torch})
    return tuple(map(_tensor, args)), {key: _tensor(value) for key, value in kwargs.items()}


def bindings(entry: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Callable[[], Any]]:
    items = [lambda n=n: getattr(ops, n)(*args, **kwargs) for n in entry.names]
    items += [lambda n=n: getattr(args[0], n)(*args[1:], **kwargs) for n in entry.methods]
    items += [lambda n=n: getattr(mint, n)(*args, **kwargs) for n in entry.mints]
    items += [lambda n=n: getattr(ops, n)(**kwargs)(*args) for n in entry.primitives]
    return items


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.impl.__module__[9:]}.{e.name}")
def test_all_faces_draw_the_same_from_the_same_seeds(entry: Any) -> None:
    assert "random" in entry.tags
    for text in entry.samples:
        drawn_by = []
        for number in range(len(bindings(entry, *arguments(text)))):
            for _ in range(2):
                ms.set_seed(3)
                ms.manual_seed(3)
                result = bindings(entry, *arguments(text))[number]()
                parts = result if isinstance(result, tuple) else (result,)
                drawn_by.append([(p.dtype, p.shape, p.tolist()) for p in parts])
        assert all(d == drawn_by[0] for d in drawn_by), text


# ---------------------------------------------------------------------------- streams of objects


def first_and_second(make: Callable[[], Any], *args: Any) -> tuple[list[Any], list[Any]]:
    def values(result: Any) -> Any:
        return [r.tolist() for r in result] if isinstance(result, tuple) else result.tolist()

    output = make()
    return values(output(*args)), values(output(*args))


MASK = arange(40) % 2 == 0
OBJECTS: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "UniformReal": (lambda: ops.UniformReal(1, 2), ((8,),)),
    "UniformInt": (lambda: ops.UniformInt(1, 2), ((8,), t(0, "int32"), t(99, "int32"))),
    "StandardNormal": (lambda: ops.StandardNormal(1, 2), ((8,),)),
    "StandardLaplace": (lambda: ops.StandardLaplace(1, 2), ((8,),)),
    "TruncatedNormal": (lambda: ops.TruncatedNormal(seed=1), ((8,),)),
    "ParameterizedTruncatedNormal": (
        lambda: ops.ParameterizedTruncatedNormal(1),
        ((2, 4), t(0.0), t(1.0), t(-1.0), t(1.0)),
    ),
    "Gamma": (lambda: ops.Gamma(1, 2), ((8,), t(2.0), t(3.0))),
    "RandomGamma": (lambda: ops.RandomGamma(1, 2), ((8,), t(2.0))),
    "Poisson": (lambda: ops.Poisson(1, 2), ((8,), t(20.0))),
    "RandomPoisson": (lambda: ops.RandomPoisson(1, 2), ((8,), t(20.0))),
    "Multinomial": (lambda: ops.Multinomial(1, 2), (ones(30), 8)),
    "MultinomialWithReplacement": (
        lambda: ops.MultinomialWithReplacement(8, True),
        (ones(30), 3, 4),
    ),
    "RandomCategorical": (lambda: ops.RandomCategorical(), (ones(1, 30), 8, 5)),
    "RandomChoiceWithMask": (lambda: ops.RandomChoiceWithMask(8, 1), (MASK,)),
    "RandomShuffle": (lambda: ops.RandomShuffle(1), (arange(30),)),
    "Randperm": (lambda: ops.Randperm(30), (30,)),
    "UniformCandidateSampler": (
        lambda: ops.UniformCandidateSampler(1, 8, True, 99, 1),
        (t([[1]], "int64"),),
    ),
    "LogUniformCandidateSampler": (
        lambda: ops.LogUniformCandidateSampler(1, 8, True, 99, 1),
        (t([[1]], "int64"),),
    ),
}


def test_every_class_with_streams_is_tested() -> None:
    assert OBJECTS.keys() == {
        name
        for name, entry in table.primitives.items()
        if entry.impl.__module__.startswith("agar.ops.random.")
        and entry.impl.__module__.endswith("_primitives")
        and any(p.name == "_state" for p in entry.params)
    }


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_continues_and_another_starts_over(name: str) -> None:
    make, args = OBJECTS[name]
    ms.set_seed(3)
    first, second = first_and_second(make, *args)
    assert first != second
    ms.set_seed(3)
    assert first_and_second(make, *args) == (first, second)


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("how", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_carry_the_position_and_go_their_own_way(
    name: str, how: Callable[[Any], Any]
) -> None:
    make, args = OBJECTS[name]
    ms.set_seed(3)
    result = make()
    result(*args)
    twin = how(result)
    assert first_and_second(lambda: twin, *args) == first_and_second(lambda: result, *args)


@pytest.mark.parametrize("name", OBJECTS)
def test_a_snapshot_holds_the_position(name: str) -> None:
    make, args = OBJECTS[name]
    ms.set_seed(3)
    result = make()
    result(*args)
    saved = json.loads(json.dumps(get_all_state()))
    expected = first_and_second(lambda: result, *args)
    set_all_state(saved, strict=False)
    assert first_and_second(lambda: result, *args) == expected


def test_signatures_have_their_own_streams() -> None:
    p = ops.StandardNormal(5)
    a, b = p((3,)), p((4,))
    assert a.tolist() == b.tolist()[:3]
    w = ops.Multinomial(5)
    assert w(ones(9), 6).tolist() == w(ones(9, dtype="float16"), 6).tolist()
    assert w(ones(9), 6).tolist() != w(ones(9, dtype="float32"), 5).tolist()


def test_a_later_seed_does_not_rewind_an_object() -> None:
    ms.set_seed(3)
    p = ops.UniformReal()
    p((4,))
    expected = p((4,)).tolist()
    ms.set_seed(3)
    p = ops.UniformReal()
    p((4,))
    ms.set_seed(7)
    assert p((4,)).tolist() == expected


def test_objects_show_their_arguments() -> None:
    assert (
        repr(ops.UniformReal(1, 2)) == "Prim[UniformReal]<seed=1, seed2=2, side_effect_hidden=True>"
    )
    assert repr(ops.Cauchy([2, 2])) == "Prim[Cauchy]<size=[2, 2], median=0.0, sigma=1.0>"
    assert repr(ops.Multinomial(dtype=ms.int64)) == (
        "Prim[Multinomial]<seed=0, seed2=0, dtype=Int64, side_effect_hidden=True>"
    )


# ------------------------------------------------------------------------------------- gradients


def test_normal_and_uniform_carry_gradients_to_their_parameters() -> None:
    def by_normal(mean: ms.Tensor, deviation: ms.Tensor) -> ms.Tensor:
        ms.set_seed(3)
        return ops.normal((5, 2), mean, deviation).sum()

    ms.set_seed(3)
    z = ops.normal((5, 2), 0.0, 1.0).asnumpy()
    dmean, ddeviation = ms.grad(by_normal, (0, 1))(t([1, 2]), t([1, 3]))
    np.testing.assert_allclose(dmean.asnumpy(), [5, 5])
    np.testing.assert_allclose(ddeviation.asnumpy(), z.sum(0), rtol=1e-5)

    def by_uniform(low: ms.Tensor, high: ms.Tensor) -> ms.Tensor:
        return ops.uniform((50,), low, high, seed=3).sum()

    dlow, dhigh = ms.grad(by_uniform, (0, 1))(t(1), t(2))
    np.testing.assert_allclose(float(dlow) + float(dhigh), 50, rtol=1e-5)
    dloc, dscale = ms.grad(lambda m, s: ops.laplace((9,), m, s).sum(), (0, 1))(t(1), t(2))
    assert float(dloc) == 9
    assert float(dscale) != 0


@pytest.mark.parametrize(
    "draw",
    [
        lambda x: ops.random_gamma((4,), x),
        lambda x: ops.gamma((3,), x, x),
        lambda x: ops.random_poisson((4,), x),
        lambda x: ops.multinomial(x, 2).astype(ms.float32),
        lambda x: ops.bernoulli(x, x / 10),
        lambda x: x.uniform(),
        lambda x: (x / 10).bernoulli(),
    ],
)
def test_draws_are_constants(draw: Callable[[ms.Tensor], ms.Tensor]) -> None:
    x = t([1.0, 2.0, 3.0])
    result = ms.grad(lambda x: draw(x).sum() + (x * 0).sum())(x)
    assert result.tolist() == [0, 0, 0]


def test_shuffled_rows_take_their_gradients_along() -> None:
    weights = t([1.0, 10.0, 100.0])

    def f(x: ms.Tensor) -> ms.Tensor:
        ms.set_seed(5)
        return (ops.shuffle(x) * weights).sum()

    ms.set_seed(5)
    order = ops.shuffle(arange(3)).asnumpy()
    expected = np.zeros(3)
    expected[order] = weights.asnumpy()
    assert ms.grad(f)(t([1, 2, 3])).tolist() == expected.tolist()


# --------------------------------------------------------------------------------- distributions


def distance(values: ms.Tensor, law: Callable[[np.ndarray], np.ndarray]) -> float:
    """Kolmogorov and Smirnov's distance from a distribution function."""
    x = np.sort(values.asnumpy().astype(np.float64).ravel())
    steps = np.arange(x.size + 1) / x.size
    p = law(x)
    return float(max((p - steps[:-1]).max(), (steps[1:] - p).max()))


def normal_law(x: np.ndarray) -> np.ndarray:
    return np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x])


def uniform_law(x: np.ndarray) -> np.ndarray:
    return np.clip(x, 0, 1)


N = 4000
LAWS: dict[str, tuple[Callable[[], ms.Tensor], Callable[[np.ndarray], np.ndarray]]] = {
    "Tensor.uniform_": (lambda: ops.zeros(N).uniform_(), uniform_law),
    "Tensor.uniform": (lambda: ops.zeros(N).uniform(2.0, 6.0) / 4 - 0.5, uniform_law),
    "Tensor.normal_": (lambda: (ops.zeros(N).normal_(3, 2) - 3) / 2, normal_law),
    "Tensor.exponential_": (lambda: ops.zeros(N).exponential_(2), lambda x: 1 - np.exp(-2 * x)),
    "Tensor.random_": (lambda: (ops.zeros(N).random_(0, 10**6)) / 10**6, uniform_law),
    "Tensor.log_normal": (lambda: ops.zeros(N).log_normal(0.0, 1.0).log(), normal_law),
    "LogNormalReverse": (
        lambda: (ops.LogNormalReverse(1.0, 3.0)(ops.zeros(N)).log() - 1) / 3,
        normal_law,
    ),
    "Tensor.cauchy": (
        lambda: ops.zeros(N).cauchy(1.0, 2.0),
        lambda x: 0.5 + np.arctan((x - 1) / 2) / np.pi,
    ),
    "Cauchy": (lambda: ops.Cauchy([N])(), lambda x: 0.5 + np.arctan(x) / np.pi),
    "gamma": (lambda: ops.gamma((N,), t(1.0), t(3.0)), lambda x: 1 - np.exp(-3 * x)),
    "Gamma": (
        lambda: ops.Gamma()((N,), t(2.0), t(1.0)),
        lambda x: 1 - np.exp(-x) * (1 + x),
    ),
    "mint.rand": (lambda: mint.rand(N), uniform_law),
    "mint.rand_like": (lambda: mint.rand_like(ops.zeros(N)), uniform_law),
    "mint.randn": (lambda: mint.randn(N), normal_law),
    "mint.randn_like": (lambda: mint.randn_like(ops.zeros(N)), normal_law),
    "mint.normal": (lambda: (mint.normal(ops.zeros(N) + 1, 2.0) - 1) / 2, normal_law),
    "mint.randint": (lambda: mint.randint(10**6, (N,)) / 10**6, uniform_law),
    "mint.randperm": (lambda: mint.randperm(N) / N, uniform_law),
}


@pytest.mark.parametrize("name", LAWS)
def test_numbers_follow_their_law(name: str) -> None:
    draw, law = LAWS[name]
    ms.set_seed(3)
    ms.manual_seed(3)
    # 1.95 / sqrt(n) is passed with probability 0.999 if the law is right; the seeds are fixed.
    assert distance(draw(), law) < 1.95 / math.sqrt(N)


@pytest.mark.parametrize(
    ("draw", "shares"),
    [
        (lambda: ops.poisson((N,), t(1.0)), [1 / math.e, 1 / math.e, 0.5 / math.e]),
        (lambda: ops.Poisson()((N,), t(1.0)), [1 / math.e, 1 / math.e, 0.5 / math.e]),
        (lambda: mint.bernoulli(ops.zeros(N) + 0.3), [0.7, 0.3]),
        (lambda: (ops.zeros(N) + 0.3).bernoulli(), [0.7, 0.3]),
        (lambda: ops.zeros(N).bernoulli_(0.3), [0.7, 0.3]),
        (lambda: ops.bernoulli(ops.zeros(N), 0.3), [0.7, 0.3]),
        (lambda: mint.multinomial(t([1, 3]), N, True), [0.25, 0.75]),
        (lambda: mint.randint_like(ops.zeros(N, ms.int32), -1, 3) + 1, [0.25] * 4),
        (lambda: ops.random_categorical(t([[0.0, math.log(3)]]), N), [0.25, 0.75]),
        (
            lambda: ops.multinomial_with_replacement(t([1, 3]), 0, 0, N, True),
            [0.25, 0.75],
        ),
    ],
)
def test_counts_follow_their_law(draw: Callable[[], ms.Tensor], shares: list[float]) -> None:
    ms.set_seed(3)
    ms.manual_seed(3)
    counts = np.bincount(draw().asnumpy().astype(int).ravel(), minlength=len(shares))
    np.testing.assert_allclose(counts[: len(shares)] / N, shares, atol=0.03)


def test_truncation_uses_each_batchs_parameters() -> None:
    low, high = t([-1.0, 4.0]), t([1.0, 6.0])
    p = ops.ParameterizedTruncatedNormal(1)
    array = p((2, 500), t([0.0, 5.0]), t([1.0, 0.5]), low, high).asnumpy()
    assert array[0].min() >= -1
    assert array[0].max() <= 1
    assert array[1].min() >= 4
    assert array[1].max() <= 6
    np.testing.assert_allclose(array.mean(1), [0, 5], atol=0.1)
    unbounded = p((1, 2000), t(0.0), t(1.0), t(-math.inf), t(math.inf)).asnumpy()
    assert np.isfinite(unbounded).all()
    assert abs(unbounded.std() - 1) < 0.05


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 2, 3, 2), (2, 1, 2, 3, 2)])
def test_chosen_positions_are_true_ones_in_any_rank(shape: tuple[int, ...]) -> None:
    mask = arange(24).reshape(shape) % 3 > 0
    for index, filled in (
        ops.choice_with_mask(mask, 20, seed=2),
        ops.RandomChoiceWithMask(20, 2)(mask),
    ):
        rows = {tuple(row) for row in index.asnumpy()[filled.asnumpy()].tolist()}
        assert len(rows) == 16
        assert all(mask.asnumpy()[row] for row in rows)


ZERO_D: dict[str, Callable[[], ms.Tensor]] = {
    "rand": lambda: ops.rand(()),
    "rand_like": lambda: ops.rand_like(t(1.0)),
    "randn_like": lambda: ops.randn_like(t(1.0)),
    "randint_like": lambda: ops.randint_like(t(1, "int64"), 0, 9),
    "standard_laplace": lambda: ops.standard_laplace(()),
    "random_gamma": lambda: ops.random_gamma((), t(2.0)),
    "gamma": lambda: ops.gamma((), t(2.0), t(2.0)),
    "random_poisson": lambda: ops.random_poisson((), 3.0),
    "poisson": lambda: ops.poisson((), t(3.0)),
    "bernoulli": lambda: ops.bernoulli(t(1.0)),
    "shuffle": lambda: ops.shuffle(t(1.0)),
    "cauchy": lambda: t(1.0).cauchy(),
    "log_normal": lambda: t(1.0).log_normal(),
    "uniform": lambda: t(1.0).uniform(),
    "TruncatedNormal": lambda: ops.TruncatedNormal()(()),
    "mint.rand": lambda: mint.rand(()),
    "mint.randint": lambda: mint.randint(3, ()),
    "mint.bernoulli": lambda: mint.bernoulli(t(0.5)),
}


@pytest.mark.parametrize("name", ZERO_D)
def test_one_number_may_be_drawn_without_axes(name: str) -> None:
    assert ZERO_D[name]().shape == ()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: ops.rand(0),
        lambda: ops.randn(2, 0),
        lambda: ops.randint(0, 5, (0,)),
        lambda: ops.normal((0,), 0.0, 1.0),
        lambda: ops.random_gamma((0,), t(1.0)),
        lambda: ops.random_poisson((2,), t([])),
        lambda: ops.bernoulli(t([])),
        lambda: ops.multinomial(t([1.0]), 0),
        lambda: ops.shuffle(ops.zeros((0, 3))),
        lambda: mint.randperm(0),
        lambda: t([]).normal_(),
        lambda: t([]).bernoulli(),
    ],
)
def test_nothing_may_be_drawn(draw: Callable[[], ms.Tensor]) -> None:
    assert draw().size == 0


def test_sampled_permutations_are_padded() -> None:
    result = ops.Randperm(max_length=6, pad=-7, dtype=ms.int64)(t([4], "int64"))
    assert result.dtype == ms.int64
    assert result.tolist()[4:] == [-7, -7]
    assert sorted(result.tolist()[:4]) == [0, 1, 2, 3]


# ---------------------------------------------------------------- what entropy is without a seed


ENTROPY = {
    "bernoulli": lambda: ops.bernoulli(ones(64)),
    "Bernoulli": lambda: ops.Bernoulli()(ones(64), 0.5),
    "random_categorical": lambda: ops.random_categorical(ones(1, 9), 64),
    "RandomCategorical": lambda: ops.RandomCategorical()(ones(1, 9), 64, 0),
    "randperm": lambda: ops.randperm(64, seed=-1),
    "RandpermV2": lambda: ops.RandpermV2(seed=-1)(64),
    "uniform_candidate_sampler": lambda: ops.uniform_candidate_sampler(
        t([[1]], "int64"), 1, 64, True, 10**6
    )[0],
    "multinomial_with_replacement": lambda: ops.multinomial_with_replacement(
        ones(9), 0, 0, 64, True
    ),
    "MultinomialWithReplacement": lambda: ops.MultinomialWithReplacement(64, True)(ones(9), 0, 0),
    "cauchy": lambda: ones(64).cauchy(),
    "log_normal": lambda: ones(64).log_normal(),
    "UniformReal": lambda: ops.UniformReal()((64,)),
    "RandomGamma": lambda: ops.RandomGamma()((64,), t(1.0)),
    "rand": lambda: ops.rand(64),
    "shuffle": lambda: ops.shuffle(arange(64)),
}


@pytest.mark.parametrize("name", ENTROPY)
def test_without_any_seed_numbers_differ_and_a_global_seed_fixes_them(name: str) -> None:
    draw = ENTROPY[name]
    assert draw().tolist() != draw().tolist()
    ms.set_seed(4)
    expected = [draw().tolist(), draw().tolist()]
    assert expected[0] != expected[1]
    ms.set_seed(4)
    assert [draw().tolist(), draw().tolist()] == expected
