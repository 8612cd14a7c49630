"""Each test of this folder runs with each engine that is installed."""

from __future__ import annotations

import pytest

from agar._core.graph.backends.engine import Engine
from agar._core.graph.backends.engine_model import ENGINES
from graph.engines.models import Current


@pytest.fixture(params=ENGINES, ids=lambda e: e.name.replace(" ", ""), autouse=True)
def engine(request: pytest.FixtureRequest) -> Engine:
    if (reason := request.param.available()) is not None:
        pytest.skip(reason)
    Current.engine = request.param
    return request.param
