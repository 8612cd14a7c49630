"""A recording that the environment asks for."""

from __future__ import annotations

import json
import os
from typing import Any

from agar.log import warning
from agar.profiler.profiler import Profiler

__all__ = ["EnvProfiler"]


class EnvProfiler:
    """Records a whole program if the variable MS_PROFILER_OPTIONS holds ``{"start": true}``.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.EnvProfiler().analyse()
    """

    profiler: Any = None

    @classmethod
    def init_profiler(cls) -> None:
        """Begin to record if the environment asks for it."""
        text = os.environ.get("MS_PROFILER_OPTIONS", "")
        if not text or cls.profiler is not None:
            return
        try:
            options = json.loads(text)
        except ValueError:
            warning("The variable MS_PROFILER_OPTIONS holds no JSON.")
            return
        if options.get("start") is True:
            names = ("output_path", "profile_memory", "with_stack", "record_shapes")
            cls.profiler = Profiler(**{n: options[n] for n in names if n in options})

    def analyse(self) -> None:
        """End the recording, if there is one, and write its trace."""
        if EnvProfiler.profiler is not None:
            EnvProfiler.profiler.analyse()
            EnvProfiler.profiler = None
