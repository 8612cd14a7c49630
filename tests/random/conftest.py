"""Random state belongs to the process: each test here puts it back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agar._core.random import get_all_state, set_all_state, set_unseeded_channel_dropout


@pytest.fixture
def restore_random() -> Iterator[None]:
    before = get_all_state()
    switch = set_unseeded_channel_dropout(False)
    yield
    set_unseeded_channel_dropout(switch)
    set_all_state(before, strict=False)
