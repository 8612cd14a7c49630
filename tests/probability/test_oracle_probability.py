"""Distributions and bijectors give what was recorded from MindSpore 2.10."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar.nn.probability import bijector, distribution

FILE = Path(__file__).resolve().parent.parent / "data" / "oracle" / "probability.json"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = {
    "D": distribution,
    "B": bijector,
    "t": lambda *values: ms.Tensor(np.array(values, np.float32)),
}
WITH_VALUE = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")


def _agrees(found, recorded):
    kind, shape, values = recorded
    assert (str(found.dtype), list(found.shape)) == (kind, shape)
    np.testing.assert_allclose(
        found.asnumpy().astype(np.float64).ravel(),
        np.array(values, np.float64),
        rtol=3e-5,  # float32, and other ways to the same number
        atol=1e-6,
    )


def _cases(group):
    return [
        pytest.param(name, method, id=f"{name}-{method}")
        for name, case in RECORDED[group].items()
        for method in case["results"]
    ]


@pytest.mark.parametrize(("name", "method"), _cases("distributions"))
def test_distributions(name, method):
    case = RECORDED["distributions"][name]
    result = eval(case["make"], NAMES)
    recorded = case["results"][method]
    method, _, given = method.partition(".")
    if method == "repr":
        assert repr(result) == recorded
        return
    parameters = tuple(eval(text, NAMES) for text in case["parameters"])
    arguments = parameters if given else ()
    if method in WITH_VALUE:
        arguments = (eval(case["value"], NAMES), *arguments)
    elif method in ("kl", "ce"):
        method = {"kl": "kl_loss", "ce": "cross_entropy"}[method]
        arguments = (result.get_dist_type(), *parameters)
    _agrees(getattr(result, method)(*arguments), recorded)
    _agrees(result(method, *arguments), recorded)


@pytest.mark.parametrize(("name", "method"), _cases("bijectors"))
def test_bijectors(name, method):
    case = RECORDED["bijectors"][name]
    result, value = eval(case["make"], NAMES), eval(case["value"], NAMES)
    _agrees(getattr(result, method)(value), case["results"][method])
    _agrees(result(method, value), case["results"][method])
