"""Random programs agree in all modes, and a good share of their calls is replayed."""

from __future__ import annotations

import os

import pytest

from graph.soundness.fuzzing import compare, shrink, write

#: ``AGAR_FUZZ=2000`` runs that many programs, ``AGAR_FUZZ_FIRST`` is the first seed.
COUNT = int(os.environ.get("AGAR_FUZZ", "100"))
FIRST = int(os.environ.get("AGAR_FUZZ_FIRST", "0"))
_PART = 20
_REPLAYED = 0.15  # the least share of calls in which no Python runs; measured: 0.19 to 0.38


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, _PART))
def test_programs_agree(first: int) -> None:
    calls = replayed = 0
    for seed in range(first, min(first + _PART, FIRST + COUNT)):
        text = write(seed)
        told = compare(text, f"fuzz{seed}")
        if told.difference:
            small = shrink(text, f"fuzz{seed}")
            again = compare(small, f"fuzz{seed}").difference
            pytest.fail(f"seed {seed}: {told.difference}\n\nmade smaller: {again}\n\n{small}")
        calls += told.calls
        replayed += told.replayed
    # programs that all run as ordinary Python would show nothing
    assert replayed > _REPLAYED * calls, f"{replayed} of {calls} calls were replayed"
