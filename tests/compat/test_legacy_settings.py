"""Keys of contexts of older MindSpores, and arguments that came before today's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import agar as ms
from agar import dataset, ops
from agar._core.older import takers
from agar.compat.legacy import settings


@pytest.fixture(autouse=True)
def aliased():
    ms.alias_mindspore()
    settings.install()
    settings._warn.cache_clear()
    yield
    settings.uninstall()


def warned(call):
    """The result of a call, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as texts:
        warnings.simplefilter("always")
        result = call()
    return result, [str(w.message) for w in texts if w.category is DeprecationWarning]


def rows(data):
    return [
        {k: int(v) for k, v in row.items()} for row in data.create_dict_iterator(output_numpy=True)
    ]


@pytest.fixture
def data():
    return dataset.NumpySlicesDataset(([1, 2], [3, 4]), ["a", "b"], shuffle=False)


@pytest.mark.parametrize("positional", [False, True])
def test_column_order_projects(data, positional):
    def swap(a, b):
        return b, a + b, a

    names = ["a", "b"], ["x", "y", "z"]
    order = ["z", "x"]
    mapped, texts = warned(
        lambda: (
            data.map(swap, *names, order)
            if positional
            else data.map(swap, *names, column_order=order)
        )
    )
    assert rows(mapped) == [{"z": 1, "x": 3}, {"z": 2, "x": 4}]
    assert list(rows(mapped)[0]) == order
    assert len(texts) == 1
    assert "'column_order'" in texts[0]
    assert "Dataset.project" in texts[0]
    assert warned(lambda: data.map(swap, *names, column_order=order))[1] == []
    assert rows(data.map(swap, *names, 1)) == [{"x": 3, "y": 4, "z": 1}, {"x": 4, "y": 6, "z": 2}]


@pytest.mark.parametrize("name", [{"name": "get_all"}, "get_all"])
def test_grad_operation_took_a_name(name):
    given, options = ((name,), {}) if isinstance(name, str) else ((), name)
    operation, texts = warned(lambda: ops.GradOperation(*given, get_all=True, **options))
    (gradient,) = operation(lambda x: x * x)(ms.Tensor([3.0]))
    assert gradient.asnumpy().tolist() == [6.0]
    assert len(texts) == 1
    assert "'name'" in texts[0]
    assert "MindSpore 0.x" in texts[0]
    assert warned(lambda: ops.GradOperation(True, sens_param=False))[1] == []
    assert isinstance(operation, ops.GradOperation)
    with pytest.raises(TypeError):
        ops.GradOperation(name="get_all", by_list=True)


def every_key():
    return sorted(settings.table())


@pytest.mark.parametrize(("context", "key"), every_key())
def test_old_keys_warn_once_and_say_what_is_today(context, key):
    versions, rule, use = settings.table()[context, key]
    put = getattr(ms, context)
    value = not rule.startswith("==")
    _, texts = warned(lambda: put(**{key: value}))
    assert len(texts) == 1
    assert f"'{key}' of 'mindspore.{context}' is of MindSpore {versions}; today" in texts[0]
    assert warned(lambda: put(**{key: value}))[1] == []
    if rule.startswith(">"):
        read = getattr(ms, context.replace("set_", "get_"))
        assert read(rule[1:]) is True
        with pytest.raises(TypeError, match="mean the same"):
            put(**{key: True, rule[1:]: True})
    if rule.startswith("=="):
        with pytest.raises(ValueError, match=f"'{key}' of MindSpore .* can only be False"):
            put(**{key: True})
        assert use


def test_keys_that_no_version_had_raise(data):
    with pytest.raises(ValueError, match="enable_everything is not recognized"):
        ms.set_context(enable_everything=True)
    with pytest.raises(ValueError, match="mirror is not recognized"):
        ms.set_auto_parallel_context(mirror=True)
    settings.uninstall()
    assert "context" not in takers
    for call in (
        lambda: ms.set_context(enable_task_sink=True),
        lambda: data.map(lambda a: a, column_order=["a"]),
        lambda: ops.GradOperation("name", get_all=True),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()


def test_nothing_else_changes():
    _, texts = warned(lambda: ms.set_context(mode=ms.PYNATIVE_MODE, enable_reduce_precision=True))
    assert texts == []
    assert np.asarray(ms.get_context("mode")) == 1
